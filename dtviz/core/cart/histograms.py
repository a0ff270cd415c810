"""Counts of rows by node, class and value, for features of small integers.

Neighbouring features are counted together: their values, side by side in one number, are one entry
of a *joint* histogram, from which sums give the counts of each feature. How many go together
depends on how many nodes there are, so that a histogram stays smaller than what it counts. And of
two children only the smaller is counted: the other has what is left of their parent's counts.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.scan import Features, Level, feature_ranges

__all__ = ["Histograms"]

Ints = npt.NDArray[np.intp]
Array = npt.NDArray[Any]

WORD_BITS = 62
"""Values side by side take up so many bits of an integer at most."""

LARGEST_TABLE = 1 << 20
"""So many entries of a joint histogram at most: more do not fit in a cache."""

PASS_ROWS = 4_000
"""A pass over the rows takes as long as if there were so many more: that is what its calls take."""


class Histograms:
    """The class weights of every bin of the nodes of a level; levels are to come one by one.

    Each row weighs 1 where no ``weights`` are given.
    """

    def __init__(
        self, features: Features, codes: Array, c: int, weights: Ints | None = None
    ) -> None:
        self.features, self.codes, self.c, self.weights = features, codes, c, weights
        self.kind = features.row if weights is None else np.int64
        self.first = [*features.first_bin.tolist(), features.n_bins]
        self.width = [max(b - a - 1, 1).bit_length() for a, b in pairwise(self.first)]
        self.words: list[Ints] = []
        self.place: list[tuple[int, int]] = []
        used = WORD_BITS
        for keys, width in zip(features.small, self.width, strict=True):
            if used + width > WORD_BITS:
                self.words.append(np.zeros(features.m, dtype=np.int64))
                used = 0
            self.words[-1] |= keys.astype(np.int64) << used
            self.place.append((len(self.words) - 1, used))
            used += width
        self.depth = -2
        self.last: Array = np.empty(0, dtype=self.kind)

    def count(self, level: Level) -> Array:
        """``(k, c, bins)``: what the rows of each node and class in each bin weigh."""
        k = level.size.size
        found = np.empty((k, self.c, self.features.n_bins), dtype=self.kind)
        counted = np.ones(k, dtype=np.bool_)
        if level.depth == self.depth + 1:
            larger, smaller = _pairs(level)
            counted[larger] = False
        found[counted] = self._counted(level, counted)
        if level.depth == self.depth + 1:
            found[larger] = self.last[level.parent[larger]] - found[smaller]
        self.depth, self.last = level.depth, found
        return found

    def _counted(self, level: Level, wanted: npt.NDArray[np.bool_]) -> Array:
        """The counts of some nodes, from their rows."""
        s = int(wanted.sum())
        slot = np.append(np.where(wanted, wanted.cumsum() - 1, -1), -1)
        node = slot.take(level.owner)
        rows = np.flatnonzero(node >= 0)
        whole = rows.size == node.size
        base = node * self.c + self.codes
        base = base if whole else base[rows]
        weights = self.weights if whole or self.weights is None else self.weights[rows]
        found = np.empty((s, self.c, self.features.n_bins), dtype=self.kind)
        room = min(LARGEST_TABLE, base.size // 2) // (s * self.c)
        groups = self._groups(max(room, 1).bit_length() - 1)
        ranges, n = feature_ranges(len(self.width), base.size), base.size
        if PASS_ROWS * len(ranges) + n * len(self.width) < (PASS_ROWS + n) * len(groups):
            for a, b in ranges:
                self._side_by_side(None if whole else rows, base, weights, a, b, found)
            return found
        last, word = -1, base
        for a, b in groups:
            i, shift = self.place[a]
            if i != last:
                last, word = i, self.words[i] if whole else self.words[i].take(rows)
            bits = sum(self.width[a:b])
            key = word >> shift
            key &= (1 << bits) - 1
            key |= base << bits
            key = key.astype(np.intp, copy=False)
            table = np.bincount(key, weights, minlength=s * self.c << bits)
            self._split(table.reshape(s, self.c, -1), a, b, found)
        return found

    def _side_by_side(  # noqa: PLR0913, PLR0917 -- what `_counted` has at hand
        self, rows: Ints | None, base: Ints, weights: Ints | None, a: int, b: int, found: Array
    ) -> None:
        """The counts of features a .. b - 1, each by itself: joint ones would be too large."""
        small, (first, end) = self.features.small[a:b], (self.first[a], self.first[b])
        key = base * (end - first)
        offset = np.array(self.first[a:b])[:, None] - first
        key = (small if rows is None else small[:, rows]) + (key + offset)
        weights = None if weights is None else np.tile(weights, b - a)
        table = np.bincount(key.ravel(), weights, minlength=len(found) * self.c * (end - first))
        found[:, :, first:end] = table.reshape(*found.shape[:2], -1)

    def _groups(self, most: int) -> list[tuple[int, int]]:
        """Ranges of features of one word, with at most so many bits, or else one feature."""
        groups, a, bits = [], 0, 0
        for i, width in enumerate(self.width):
            if i > a and (bits + width > most or self.place[i][0] != self.place[a][0]):
                groups.append((a, i))
                a, bits = i, 0
            bits += width
        return [*groups, (a, len(self.width))]

    def _split(self, table: Array, a: int, b: int, found: Array) -> None:
        """The counts of features a .. b - 1 from their joint ones; the first has the low bits."""
        if b == a + 1:
            first, end = self.first[a], self.first[b]
            found[:, :, first:end] = table[:, :, : end - first]
            return
        middle = (a + b) // 2
        low = sum(self.width[a:middle])
        joint = table.reshape(*table.shape[:2], -1, 1 << low)
        self._split(joint.sum(axis=2), a, middle, found)
        self._split(joint.sum(axis=3), middle, b, found)


def _pairs(level: Level) -> tuple[Ints, Ints]:
    """Of the nodes whose siblings are open too, the larger and the smaller ones."""
    child = np.full((2, int(level.parent.max()) + 1), -1)
    for side, part in enumerate((slice(0, level.n_low), slice(level.n_low, None))):
        child[side, level.parent[part]] = np.arange(level.parent.size)[part]
    low, high = child[:, (child >= 0).all(axis=0)]
    is_larger = level.size[low] >= level.size[high]
    return np.where(is_larger, low, high), np.where(is_larger, high, low)
