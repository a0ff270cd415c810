"""What the claims of chapter 1 share: their page, how a false variant is planted, a comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from claims.kit import Form, Outcome, outcome

__all__ = ["PAGE", "compare", "spoilt"]

PAGE = "1-influence"


def spoilt(
    check: Callable[..., Outcome], variants: Mapping[str, Mapping[str, Any]]
) -> tuple[Form, ...]:
    """False variants of a form: a label each, and the arguments of its check that are spoilt."""
    return tuple(Form(label, partial(check, **changed)) for label, changed in variants.items())


def compare(unit: str, found: list[int], stated: list[float], names: list[str]) -> Outcome:
    """Numbers of leaves against the formula for them; the last agreement is told."""
    gap = np.abs(np.array(found) - np.array(stated))

    def describe(k: int) -> str:
        if gap[k]:
            return f"{found[k]:,} leaves, not {stated[k]:,}, for {names[k]}"
        return f"{found[-1]:,} leaves for {names[-1]}"

    return outcome(unit, gap == 0, gap, describe)
