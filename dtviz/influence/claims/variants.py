"""What the claims of chapter 1 share: their page, and how a false variant is planted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dtviz.claims.registry import Form, Outcome

__all__ = ["PAGE", "spoilt"]

PAGE = "1-influence"


def spoilt(
    check: Callable[..., Outcome], variants: Mapping[str, Mapping[str, Any]]
) -> tuple[Form, ...]:
    """False variants of a form: a label each, and the arguments of its check that are spoilt."""
    return tuple(Form(label, partial(check, **changed)) for label, changed in variants.items())
