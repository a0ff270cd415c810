"""Numbers as labels and squared loss, behind the split scan."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.class_target import Target, significant
from dtviz.core.cart.scan import (
    CLOSED,
    Block,
    Cuts,
    Level,
    Scores,
    best_bins,
    best_cuts,
    uses_bins,
    within_features,
)
from dtviz.core.tolerances import DROP_TIE

__all__ = ["NumberTarget"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]

TINY = float(np.finfo(float).tiny)


class NumberTarget(Target):
    """Numbers and squared loss; a summary is size, mean, and sum of squared deviations."""

    def __init__(self, y: Floats) -> None:
        self.y, self.m, self.classes = y, y.size, None
        self.total = self.m

    def summary(self, rows: Array, node: Array, k: int) -> Array:
        """Size, mean, sum of squares; the last is 0 exactly where all labels are equal."""
        order = np.argsort(node, kind="stable")
        y, node = self.y[rows[order]], node[order]
        size = np.bincount(node, minlength=k)
        start = np.cumsum(size) - size
        lowest = np.minimum.reduceat(y, start)
        mean = lowest + np.add.reduceat(y - lowest[node], start) / size
        squares = np.add.reduceat((y - mean[node]) ** 2, start)
        same = lowest == np.maximum.reduceat(y, start)
        mean, squares = np.where(same, lowest, mean), np.where(same, 0.0, np.maximum(squares, TINY))
        return np.stack([size, mean, squares], axis=1)

    def counts(self, summary: Array) -> Ints:
        """No classes, no columns."""
        return np.empty((len(summary), 0), dtype=np.intp)

    def is_impure(self, summary: Array) -> Bools:
        """Whether labels differ."""
        impure: Bools = summary[:, 2] > 0
        return impure

    def size(self, summary: Array) -> Ints:
        """The first column."""
        return summary[:, 0].astype(np.intp)

    def value(self, summary: Array) -> Array:
        """The mean."""
        mean: Array = summary[:, 1]
        return mean

    def error(self, summary: Array) -> Floats:
        """The squared loss."""
        return self.cost(summary)

    def cost(self, summary: Array) -> Floats:
        """The squared loss."""
        loss: Floats = summary[:, 2] / self.m
        return loss

    def drops(self, parent: Array, low: Array, high: Array) -> tuple[Floats, list[Any]]:
        """``n_L n_R / n`` times the squared distance of the means, to 11 digits."""
        gap = low[:, 1] - high[:, 1]
        drop = low[:, 0] * high[:, 0] / parent[:, 0] * gap * gap
        return significant(drop, parent[:, 2]) / self.m, [0] * len(drop)

    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """The loss of all, less ``n_L n_R / n^2`` times the squared distance of the means."""
        off = self.y[rows] - self.y.mean()
        sums = off.cumsum()[cuts - 1]
        cuts = cuts.astype(np.int64, copy=False)
        loss: Floats = np.mean(off * off) - sums * sums / (cuts * (self.m - cuts))
        return loss

    def response(self, rows: Array) -> tuple[Floats, Array | None]:
        """The numbers."""
        return self.y[rows], None

    def cuts(self, level: Level, summary: Array) -> Cuts:
        """The drop of each cut, from the sum of deviations on its low side."""
        mean = np.zeros(self.m)
        rows, node = level.members
        mean[rows] = summary[node, 1]
        off = self.y - mean
        if uses_bins(level, 2):
            return self._bins(level, summary, off)

        def scorer(block: Block, summary: Array) -> Scores:
            nodes = block.nodes
            sums = block.running(off)
            sums *= sums
            sums *= nodes.size[nodes.node] / (nodes.low_size * np.maximum(nodes.high_size, 1))
            # So that a cut that gains nothing is above 0.
            sums += summary[nodes.node, 2]
            return Scores(sums, DROP_TIE * summary[:, 2])

        return best_cuts(level, summary, scorer)

    def _bins(self, level: Level, summary: Array, off: Floats) -> Cuts:
        features, k = level.features, level.size.size
        rows, node = level.members
        number = np.empty((k, features.n_bins), dtype=np.int64)
        sums = np.empty((k, features.n_bins))
        weights = off[rows]
        for i, (a, b) in enumerate(pairwise([*features.first_bin.tolist(), features.n_bins])):
            entries = features.small[i, rows] + node * np.intp(b - a)
            number[:, a:b] = np.bincount(entries, minlength=k * (b - a)).reshape(k, -1)
            sums[:, a:b] = np.bincount(entries, weights, minlength=k * (b - a)).reshape(k, -1)
        low_sum: Array = within_features(sums.cumsum(axis=1), features)
        low_size = within_features(number.cumsum(axis=1), features)
        high_size = level.size[:, None] - low_size
        value = low_sum * low_sum * (level.size[:, None] / np.maximum(low_size * high_size, 1))
        value += summary[:, 2:]
        value[high_size == 0] = CLOSED
        return best_bins(features, Scores(value, DROP_TIE * summary[:, 2]), number)
