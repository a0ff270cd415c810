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
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean_trees.exhaustive import restrictions_of

__all__ = ["Ties", "every", "keys_of", "orders", "sizes_by_order", "ties"]

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]


def keys_of(rule: str, halves: Sequence[tuple[Array, Array]], n: int) -> Bytes:
    """The key of every variable from its two restrictions, an ``(n, count)`` array.

    Raises
    ------
    ValueError
        If ``rule`` is not "influence", "gini" or "error".
    """
    low, high = (np.stack(side) for side in zip(*halves, strict=True))
    a, b = np.bitwise_count(low).astype(np.int8), np.bitwise_count(high).astype(np.int8)
    keys: Array
    if rule == "influence":
        keys = np.bitwise_count(low ^ high)
    elif rule == "gini":
        keys = np.abs(a - b)
    elif rule == "error":
        keys = _wrong(a + b, n) - _wrong(a, n - 1) - _wrong(b, n - 1)
    else:
        raise ValueError(f'rule must be "influence", "gini" or "error", got {rule!r}')
    return keys.astype(np.uint8)


def _wrong(ones: Array, n: int) -> Array:
    """How many of the 2^n points the better label gets wrong."""
    wrong: Array = np.minimum(ones, (1 << n) - ones)
    return wrong


def every(n: int) -> Array:
    """The codes of all functions of ``n <= 4`` variables."""
    return np.arange(1 << (1 << n))


def _mixed(n: int, codes: Array) -> npt.NDArray[np.bool_]:
    """Which functions are not constant."""
    mixed: npt.NDArray[np.bool_] = (codes != 0) & (codes != (1 << (1 << n)) - 1)
    return mixed


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
        one = np.ones(codes.shape, dtype=np.uint8)
        return Ties(one, one, np.zeros_like(one))
    halves = restrictions_of(codes, n)
    below, keys = _all_ties(rule, n - 1), keys_of(rule, halves, n)
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
    leaf = ~_mixed(n, codes)
    best[leaf], worst[leaf], stuck[leaf] = 1, 1, 0
    return Ties(best, worst, np.where(top == 0, _wrong(np.bitwise_count(codes), n), stuck))


@cache
def _all_ties(rule: str, n: int) -> Ties:
    return ties(rule, n, every(n))


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
    keys, below = keys_of(rule, halves, n), _all_sizes_by_order(rule, n - 1)
    tied = (keys == keys.max(axis=0)) & _mixed(n, codes)
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
