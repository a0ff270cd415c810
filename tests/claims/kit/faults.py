"""Whether a claim turns red while wrong code is in the package: a tick must mean something."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

import pytest

from claims.kit.trial import Trial, evaluate

__all__ = ["Fault", "fails_under"]

Fault = tuple[object, str, object]
"""A module or class, the name of one of its attributes, and what stands in for it."""


class Cached(Protocol):
    """A function that remembers its answers."""

    def cache_clear(self) -> None:
        """Forget them."""


@contextmanager
def _forgotten(caches: Iterable[Cached]) -> Iterator[None]:
    """Forget what was tabulated before and after, and all that is learned meanwhile."""
    known = tuple(caches)
    prefixes = ("dtviz.", "claims.")
    modules = [m for name, m in tuple(sys.modules.items()) if name.startswith(prefixes)]
    tables = [t for m in modules for t in vars(m).values() if hasattr(t, "cache_info")]
    before = [table.cache_info().misses for table in tables]
    for cached in known:
        cached.cache_clear()
    try:
        yield
    finally:
        changed = [
            table
            for table, misses in zip(tables, before, strict=True)
            if table.cache_info().misses != misses
        ]
        for cached in (*known, *changed):
            cached.cache_clear()


def fails_under(
    fault: Fault,
    test: Callable[[Trial], None],
    caches: Iterable[Cached] = (),
    *,
    brief: bool = True,
) -> bool:
    """Whether a claim fails while a fault is in the package; ``brief`` leaves its variants out.

    ``caches`` are the tables of the claims that the faulty code would fill.
    """
    with _forgotten(caches), pytest.MonkeyPatch.context() as patch:
        patch.setattr(*fault)
        return bool(evaluate(test, brief=brief)["faults"])
