"""Numbers as labels and squared loss, behind the split scan."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.scan import (
    Cuts,
    Level,
    Scores,
    best_bins,
    best_cuts,
    uses_bins,
    within_features,
)
from dtviz.core.targets import Target, significant
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

    def summary(self, rows: Ints, node: Ints, k: int) -> Array:
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
        loss: Floats = np.mean(off * off) - sums * sums / (cuts * (self.m - cuts))
        return loss

    def cuts(self, level: Level, summary: Array) -> Cuts:
        """The drop of each cut, from the sum of deviations on its low side."""
        mean = np.zeros(self.m)
        mean[level.rows] = summary[level.node, 1]
        off = self.y - mean
        if uses_bins(level, 2):
            return self._bins(level, summary, off)
        sums = level.look_up(off).cumsum(axis=1)
        if level.size.size > 1:
            base = np.concatenate([np.zeros((len(sums), 1)), sums[:, level.start[1:] - 1]], axis=1)
            sums -= base.repeat(level.size, axis=1)
        sums *= sums
        sums *= level.size[level.node] / (level.low_size * np.maximum(level.high_size, 1))
        # So that a cut that gains nothing is above 0.
        sums += summary[level.node, 2]
        return best_cuts(level, Scores(sums, DROP_TIE * summary[:, 2]))

    def _bins(self, level: Level, summary: Array, off: Floats) -> Cuts:
        features, k = level.features, level.size.size
        entries = features.bins.take(level.rows, axis=0)
        entries += (level.node * features.n_bins)[:, None]
        shape, flat = (k, features.n_bins), entries.ravel()
        number = np.bincount(flat, minlength=k * features.n_bins).reshape(shape)
        weights = off[level.rows].repeat(features.d)
        sums = np.bincount(flat, weights, minlength=k * features.n_bins).reshape(shape)
        low_sum: Array = within_features(sums.cumsum(axis=1), features)
        low_size = within_features(number.cumsum(axis=1), features)
        high_size = level.size[:, None] - low_size
        value = low_sum * low_sum * (level.size[:, None] / np.maximum(low_size * high_size, 1))
        value += summary[:, 2:]
        value[high_size == 0] = 0
        return best_bins(level, Scores(value, DROP_TIE * summary[:, 2]), number)
