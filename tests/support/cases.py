"""Checks of many cases: some are tried by `make test`, all of them by `make test-all`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

Case = TypeVar("Case")
Kept = Callable[[Case], object]


def sweep(cases: Iterable[Case], kept: Kept[Case] | int) -> list[ParameterSet]:
    """Return all cases to parametrize a test or a fixture with; several values are a tuple.

    Those that are not ``kept`` in `make test` (by a rule; or one in so many) are marked as
    thorough. One of each kind must be: the others are there for faults of their own, not for faults
    of what is checked in all of them.
    """
    every = list(cases)
    if callable(kept):
        stays = [bool(kept(case)) for case in every]
    else:
        stays = [place % kept == 0 for place in range(len(every))]
    assert any(stays), "no case is left to `make test`"
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if stay else pytest.mark.thorough,
        )
        for case, stay in zip(every, stays, strict=True)
    ]
