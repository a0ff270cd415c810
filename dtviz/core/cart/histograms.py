"""Counts of rows by node, class and value, for features of small integers.

Of two children only the smaller is counted: the other has what is left of their parent's counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, Ints
from dtviz.core.cart.scan import Features, Level, feature_ranges, smallest


class Histograms:
    """The class weights of every bin of the nodes of a level; levels are to come one by one.

    Each row weighs 1 where no ``weights`` are given.
    """

    def __init__(
        self, features: Features, codes: Array, c: int, weights: Ints | None = None
    ) -> None:
        self.features, self.codes, self.c, self.weights = features, codes, c, weights
        self.kind = features.row if weights is None else np.int64
        self.depth = -2
        self.last: Array = np.empty(0, dtype=self.kind)
        self.words: Any = None
        if weights is None and features.keys.max() == 1:
            lanes = np.zeros((features.m, -(-features.d // 8) * 8), dtype=np.uint8)
            lanes[:, : features.d] = features.keys.T
            self.words = np.ascontiguousarray(lanes.view(np.uint64).T)

    def count(self, level: Level) -> Array:
        """``(k, c, bins)``: what the rows of each node and class in each bin weigh."""
        k = level.size.size
        found = np.empty((k, self.c, self.features.n_bins), dtype=self.kind)
        counted = np.ones(k, dtype=np.bool_)
        if level.depth == self.depth + 1:
            larger, smaller = _pairs(level)
            counted[larger] = False
        found[counted] = self._count_bins(level, counted)
        if level.depth == self.depth + 1:
            found[larger] = self.last[level.parent[larger]] - found[smaller]
        self.depth, self.last = level.depth, found
        return found

    def _count_bins(self, level: Level, wanted: npt.NDArray[np.bool_]) -> Array:
        """The counts of some nodes, from their rows."""
        features, s = self.features, int(wanted.sum())
        slot = np.append(np.where(wanted, wanted.cumsum() - 1, -1), -1)
        node = slot.take(level.owner)
        rows = np.flatnonzero(node >= 0)
        base = node[rows] * self.c + self.codes[rows]
        if self.words is not None:
            return self._counted_bits(rows, base, s)
        found = np.empty((s, self.c, features.n_bins), dtype=self.kind)
        end = np.append(features.first_bin, features.n_bins)
        for a, b in feature_ranges(features.d, rows.size):
            number = end[b] - end[a]
            keys = features.keys[a:b] if rows.size == features.m else features.keys[a:b, rows]
            keys = keys + (base * number + (end[a:b, None] - end[a]))
            weights = None if self.weights is None else np.tile(self.weights[rows], b - a)
            table = np.bincount(keys.ravel(), weights, minlength=s * self.c * number)
            found[:, :, end[a] : end[b]] = table.reshape(s, self.c, number)
        return found

    def _counted_bits(self, rows: Ints, base: Ints, s: int) -> Array:
        """The same where each value is 0 or 1: a word has a byte for each of eight features.

        So a sum of words counts the ones of eight features at once, up to 255 of them.
        """
        features = self.features
        size = np.bincount(base, minlength=s * self.c)
        order = base.astype(smallest(size.size)).argsort(kind="stable")
        place = np.arange(rows.size) - (size.cumsum() - size).repeat(size)
        begin = np.flatnonzero(place % 255 == 0)
        sums = np.add.reduceat(self.words.take(rows[order], axis=1), begin, axis=1)
        lanes = np.ascontiguousarray(sums.T).view(np.uint8)[:, : features.d]
        ones = np.zeros((size.size, features.d), dtype=self.kind)
        first = np.flatnonzero(place[begin] == 0)
        ones[size > 0] = np.add.reduceat(lanes, first, axis=0, dtype=self.kind)
        found = np.empty((size.size, features.n_bins), dtype=self.kind)
        found[:, features.first_bin] = size[:, None] - ones
        has_ones = np.diff(features.first_bin, append=features.n_bins) == 2
        found[:, features.first_bin[has_ones] + 1] = ones[:, has_ones]
        return found.reshape(s, self.c, -1)


def _pairs(level: Level) -> tuple[Ints, Ints]:
    """Of the nodes whose siblings are open too, the larger and the smaller ones."""
    child = np.full((2, int(level.parent.max()) + 1), -1)
    for side, part in enumerate((slice(0, level.n_low), slice(level.n_low, None))):
        child[side, level.parent[part]] = np.arange(level.parent.size)[part]
    low, high = child[:, (child >= 0).all(axis=0)]
    is_larger = level.size[low] >= level.size[high]
    return np.where(is_larger, low, high), np.where(is_larger, high, low)
