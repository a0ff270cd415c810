"""How the claims of chapter 3 name a form and the false variants that stand beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from claims.kit import Form, Kind, Outcome

__all__ = ["stated"]


def stated(
    label: str,
    check: Callable[..., Outcome],
    formula: str = "",
    *,
    false: Mapping[str, Mapping[str, Any]] | None = None,
    kind: Kind = "statement",
) -> Form:
    """Return a form, and as its mutants the check with arguments spoilt: ``false`` by label."""
    mutants = (Form(told, partial(check, **spoilt)) for told, spoilt in (false or {}).items())
    return Form(label, check, formula, tuple(mutants), kind)
