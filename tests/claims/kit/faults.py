"""Whether a claim turns red while wrong code is in the package: a tick must mean something."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import Any, Protocol

import pytest

from claims.kit.trial import Trial, evaluate

__all__ = ["Fault", "fails_under", "mutated", "planted", "read_faults", "turns_red"]

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


def mutated(function: Any, old: str, new: str) -> Any:
    """A function of the package or of the claims, a piece of its code in another form."""
    source = textwrap.dedent(inspect.getsource(function))
    assert old in source, f"{old} is not in {function.__name__}"
    space = dict(vars(sys.modules[function.__module__]))
    exec(source.replace(old, new), space)  # noqa: S102
    return space[function.__name__]


def read_faults(table: str) -> list[tuple[str, ...]]:
    """The rows of a table: a claim, the place of a function, a piece of its code, and another."""
    return [tuple(part.strip() for part in row.split("|")) for row in table.strip().split("\n")]


def planted(chapter: str, place: str, old: str, new: str, root: str = "dtviz") -> Fault:
    """Exchange a piece of code at a place in the chapter's claims, or else below the root."""
    package = f"claims.{chapter}" if place.startswith(("populations", "test_")) else root
    owner, _, name = f"{package}.{place}".rpartition(".")
    found = inspect.getattr_static(resolve_name(owner), name)
    function = getattr(found, "fget", None) or getattr(found, "__func__", found)
    return resolve_name(owner), name, mutated(function, old, new)


def turns_red(chapter: str, test: str, fault: Fault, *, brief: bool = True) -> bool:
    """Whether a claim of a chapter fails under a fault, with all its tables made again."""
    prefix = f"claims.{chapter}."
    modules = [module for name, module in tuple(sys.modules.items()) if name.startswith(prefix)]
    tables = [f for module in modules for f in vars(module).values() if hasattr(f, "cache_clear")]
    return fails_under(fault, resolve_name(f"{prefix}test_{test}"), tables, brief=brief)
