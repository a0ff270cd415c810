"""Greedy growth by any rule that looks at counts: its sizes over all ways to break ties.

A rule gives each variable of a function a key, an integer; the largest is asked. Keys are of three
kinds, and none changes when variables or the value are negated:

* ``influence``: the number of edges in the variable's direction on which f changes;
* ``gini``: how far apart the numbers of ones in the two halves are. Every strictly concave cost
  asks what this key asks (on a truth table all impurities agree);
* ``error``: by how many points the error drops.

What stands below the root depends on the two restrictions alone, so tables of all functions of
n - 1 variables answer for those of n.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.exhaustive import restrictions_of

__all__ = [
    "KEYS",
    "Ties",
    "all_roots",
    "every",
    "keys_of",
    "mixed",
    "orders",
    "points_wrong",
    "roots",
    "sizes_by_order",
    "ties",
]

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]
Halves = Sequence[tuple[Array, Array]]
Key = Callable[[Array, Array, int], Bytes]


def _influence(low: Array, high: Array, _: int) -> Bytes:
    return np.bitwise_count(low ^ high)


def _gini(low: Array, high: Array, _: int) -> Bytes:
    a, b = np.bitwise_count(low), np.bitwise_count(high)
    apart: Bytes = np.maximum(a, b) - np.minimum(a, b)
    return apart


def _error(low: Array, high: Array, n: int) -> Bytes:
    a, b = np.bitwise_count(low), np.bitwise_count(high)
    drop: Bytes = _wrong(a + b, n) - _wrong(a, n - 1) - _wrong(b, n - 1)
    return drop


def _wrong(ones: Bytes, n: int) -> Bytes:
    """How many of the 2^n points the better label gets wrong."""
    wrong: Bytes = np.minimum(ones, np.uint8(1 << n) - ones)
    return wrong


KEYS: dict[str, Key] = {"influence": _influence, "gini": _gini, "error": _error}
"""What each rule compares, from the codes of the two restrictions and n."""


def every(n: int) -> Array:
    """The codes of all functions of ``n <= 4`` variables."""
    return np.arange(1 << (1 << n))


def mixed(n: int, codes: Array) -> npt.NDArray[np.bool_]:
    """Which functions are not constant."""
    found: npt.NDArray[np.bool_] = (codes != 0) & (codes != (1 << (1 << n)) - 1)
    return found


def points_wrong(n: int, codes: Array) -> Bytes:
    """On how many points the better constant is wrong."""
    return _wrong(np.bitwise_count(codes), n)


def keys_of(rule: str, n: int, halves: Halves) -> Bytes:
    """The key of every variable, an ``(n, count)`` array."""
    return np.array([KEYS[rule](low, high, n) for low, high in halves], dtype=np.uint8)


class Ties(NamedTuple):
    """The fewest and the most leaves that ways of breaking ties lead to, growing to error 0.

    ``stuck`` is the least number of points still wrong if a leaf is split only where the largest
    key is positive: where no question takes anything off the cost, growth as in chapter 5 stops.
    """

    best: Bytes
    worst: Bytes
    stuck: Bytes


def ties(rule: str, n: int, codes: Array) -> Ties:
    """The sizes of the trees that a rule grows for some functions, over all ways to break ties."""
    if n == 0:
        one, none = np.ones(codes.shape, dtype=np.uint8), np.zeros(codes.shape, dtype=np.uint8)
        return Ties(one, one.copy(), none)
    halves = restrictions_of(codes, n)
    below, keys = _all_ties(rule, n - 1), keys_of(rule, n, halves)
    top = keys.max(axis=0)
    best = np.full(codes.shape, 255, dtype=np.uint8)
    worst, stuck = np.zeros_like(best), best.copy()
    for (low, high), key in zip(halves, keys, strict=True):
        asked = key == top
        for found, values, better in (
            (best, below.best, np.minimum),
            (worst, below.worst, np.maximum),
            (stuck, below.stuck, np.minimum),
        ):
            better(found, values.take(low) + values.take(high), out=found, where=asked)
    leaf = ~mixed(n, codes)
    best[leaf], worst[leaf], stuck[leaf] = 1, 1, 0
    return Ties(best, worst, np.where(top == 0, points_wrong(n, codes), stuck))


@cache
def _all_ties(rule: str, n: int) -> Ties:
    return ties(rule, n, every(n))


# -- ties by an order of the variables ------------------------------------------------------------


@cache
def orders(n: int) -> tuple[tuple[int, ...], ...]:
    """All orders of n variables: of those tied, the first in the order is asked."""
    return tuple(itertools.permutations(range(n)))


def _without(order: tuple[int, ...], i: int) -> tuple[int, ...]:
    """The order of the other variables, as a restriction numbers them."""
    return tuple(j - (j > i) for j in order if j != i)


def sizes_by_order(rule: str, n: int, codes: Array) -> Iterator[Bytes]:
    """The sizes of the trees when ties go by each of the ``orders(n)``, one array at a time.

    Breaking ties by an order is renaming the variables, breaking ties by number, and renaming
    them back. So the n! sizes of one function are those that the book's rule (the lowest variable)
    has on all functions of its class, each as often, for negations change no key.
    """
    if n == 0:
        yield np.ones(codes.shape, dtype=np.uint8)
        return
    halves = restrictions_of(codes, n)
    keys, below = keys_of(rule, n, halves), _all_sizes_by_order(rule, n - 1)
    tied = (keys == keys.max(axis=0)) & mixed(n, codes)
    place = {order: k for k, order in enumerate(orders(n - 1))}
    sums = [[sizes.take(low) + sizes.take(high) for sizes in below] for low, high in halves]
    for order in orders(n):
        found = np.ones(codes.shape, dtype=np.uint8)
        for i in reversed(order):  # the first has the last word
            np.copyto(found, sums[i][place[_without(order, i)]], where=tied[i])
        yield found


@cache
def _all_sizes_by_order(rule: str, n: int) -> Bytes:
    return np.array(list(sizes_by_order(rule, n, every(n))))


# -- one tree, ties to the lowest variable --------------------------------------------------------


@cache
def all_roots(rule: str, n: int) -> npt.NDArray[np.int8]:
    """The variable that is asked first, the lowest if tied, for all functions of n variables."""
    return roots(rule, n, every(n))


def roots(rule: str, n: int, codes: Array) -> npt.NDArray[np.int8]:
    """The variable that is asked first, the lowest if tied; 0 where f is constant."""
    if n == 0:
        return np.zeros(codes.shape, dtype=np.int8)
    first: npt.NDArray[np.int8] = keys_of(rule, n, restrictions_of(codes, n)).argmax(axis=0)
    return first.astype(np.int8)
