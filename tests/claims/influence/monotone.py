"""All monotone functions of n variables, with their smallest and their greedy trees.

A monotone function of n variables is a pair ``f_0 <= f_1`` of monotone functions of n - 1: what is
left when its last variable is 0 or 1. So the layers are built one upon another, and the trees of
each function are looked up among its restrictions: 2, 3, 6, 20, 168, 7,581, 7,828,354 functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

__all__ = ["Monotone", "monotone"]

Index = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Monotone:
    """The M monotone functions of n variables, arrays with one entry per function.

    ``code`` is the truth table as an integer, ``ones`` counts its ones, ``halves`` is ``(2, M)``:
    the two restrictions of the last variable, as places in the layer below. ``size`` is the fewest
    leaves of a tree; ``best`` and ``worst`` the leaves of the exact influence-greedy tree if ties
    within a leaf are broken for the smallest and for the largest.
    """

    n: int
    code: npt.NDArray[np.uint64]
    ones: npt.NDArray[np.int8]
    halves: Index
    size: npt.NDArray[np.int8]
    best: npt.NDArray[np.int8]
    worst: npt.NDArray[np.int8]

    def restricted(self, i: int, b: int) -> Index:
        """Where the restrictions ``x_i = b`` stand in the layer below."""
        if i == self.n - 1:
            half: Index = self.halves[b]
            return half
        below = monotone(self.n - 1)
        inner = below.restricted(i, b)
        place: Index = _pairs(self.n - 1)[inner[self.halves[0]], inner[self.halves[1]]]
        return place


@cache
def _pairs(n: int) -> Index:
    """Row a, column b: where the function of n variables with halves a and b stands; -1 if none."""
    layer, below = monotone(n), monotone(n - 1)
    place = np.full((below.code.size, below.code.size), -1, dtype=np.int32)
    place[layer.halves[0], layer.halves[1]] = np.arange(layer.code.size, dtype=np.int32)
    return place


@cache
def monotone(n: int) -> Monotone:
    """The layer of ``0 <= n <= 6`` variables; n = 6 takes some seconds and half a gigabyte."""
    if n == 0:
        one = np.ones(2, dtype=np.int8)
        bit = np.array([0, 1])
        return Monotone(
            0, bit.astype(np.uint64), bit.astype(np.int8), np.zeros((2, 2), np.int32), one, one, one
        )
    below = monotone(n - 1)
    above = [np.flatnonzero((code & ~below.code) == 0) for code in below.code]
    low = np.repeat(np.arange(len(above), dtype=np.int32), [len(row) for row in above])
    high = np.concatenate(above).astype(np.int32)
    code = below.code[low] | (below.code[high] << np.uint64(1 << (n - 1)))
    none = np.empty(0, dtype=np.int8)
    ones, halves = _sum(below.ones, low, high), np.stack([low, high])
    untreed = Monotone(n, code, ones, halves, size=none, best=none, worst=none)
    return Monotone(n, code, ones, halves, *_trees(untreed, below))


def _sum(values: npt.NDArray[np.int8], low: Index, high: Index) -> npt.NDArray[np.int8]:
    return np.asarray(values[low] + values[high], dtype=np.int8)


def _trees(layer: Monotone, below: Monotone) -> tuple[npt.NDArray[np.int8], ...]:
    """Sizes from the restrictions: the best query of all, and the queries of largest influence."""
    count = layer.code.size
    size = np.full(count, 127, dtype=np.int8)
    best, worst = size.copy(), np.zeros(count, dtype=np.int8)
    most = np.zeros(count, dtype=np.int8)
    for i in range(layer.n):
        low, high = layer.restricted(i, 0), layer.restricted(i, 1)
        # A monotone f changes along x_i as often as x_i = 1 has more ones: at most 32 times.
        influence = below.ones[high] - below.ones[low]
        size = np.minimum(size, _sum(below.size, low, high))
        more, tied = influence > most, influence == most
        this_best, this_worst = _sum(below.best, low, high), _sum(below.worst, low, high)
        best = np.where(more, this_best, np.where(tied, np.minimum(best, this_best), best))
        worst = np.where(more, this_worst, np.where(tied, np.maximum(worst, this_worst), worst))
        most = np.maximum(most, influence)
    constant = (layer.ones == 0) | (layer.ones == 1 << layer.n)
    return tuple(np.where(constant, np.int8(1), values) for values in (size, best, worst))
