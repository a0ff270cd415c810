"""Numbers as labels and squared loss, behind the split scan."""

from __future__ import annotations

import numpy as np

from dtviz.core.bases import Array, Bools, Floats, Ints
from dtviz.core.cart.scan import Block, Cuts, Level, Scores, best_cuts
from dtviz.core.cart.target import Target, clear_rounding
from dtviz.core.tolerances import DROP_TIE

TINY = float(np.finfo(float).tiny)


class NumberTarget(Target):
    """Numbers and squared loss; a summary has mean, squares, weight, and the number of rows."""

    def __init__(self, y: Floats, weights: Ints, share: float) -> None:
        super().__init__(weights, share)
        self.y, self.classes, self.cost_name = y, None, "squared"

    def summary(self, rows: Array, node: Array, k: int) -> Array:
        """The sum of squares is 0 exactly where all labels are equal."""
        order = np.argsort(node, kind="stable")
        y, node, weights = self.y[rows[order]], node[order], self.weights[rows[order]]
        number = np.bincount(node, minlength=k)
        start = np.cumsum(number) - number
        weight = np.add.reduceat(weights, start)
        lowest = np.minimum.reduceat(y, start)
        mean = lowest + np.add.reduceat(weights * (y - lowest[node]), start) / weight
        squares = np.add.reduceat(weights * (y - mean[node]) ** 2, start)
        same = lowest == np.maximum.reduceat(y, start)
        mean, squares = np.where(same, lowest, mean), np.where(same, 0.0, np.maximum(squares, TINY))
        return np.stack([mean, squares, weight, number], axis=1)

    def counts(self, summary: Array) -> Ints:
        """No classes, no columns."""
        return np.empty((len(summary), 0), dtype=np.intp)

    def is_impure(self, summary: Array) -> Bools:
        """Whether labels differ."""
        impure: Bools = summary[:, 1] > 0
        return impure

    def value(self, summary: Array) -> Array:
        """The mean."""
        mean: Array = summary[:, 0]
        return mean

    def error(self, summary: Array) -> Floats:
        """The squared loss."""
        return self.cost(summary)

    def cost(self, summary: Array) -> Floats:
        """The squared loss."""
        loss: Floats = summary[:, 1] / self.total
        return loss

    def drops(self, parent: Array, sides: Array) -> Floats:
        """``w_L w_R / w`` times the squared distance of the means."""
        low, high = sides[: len(parent)], sides[len(parent) :]
        gap = low[:, 0] - high[:, 0]
        drop = low[:, 2] * (high[:, 2] / parent[:, 2]) * gap * gap
        return clear_rounding(drop, parent[:, 1]) / self.total

    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """The loss of all, less ``w_L w_R / w^2`` times the squared distance of the means."""
        weights, w = self.weights[rows], self.total
        off = self.y[rows] - (weights * self.y[rows]).sum() / w
        sums, low = (weights * off).cumsum()[cuts - 1], weights.cumsum()[cuts - 1]
        loss: Floats = (weights * off * off).sum() / w - sums / low * (sums / (w - low))
        return loss

    def response(self, rows: Array) -> Floats:
        """The numbers."""
        return self.y[rows]

    def cuts(self, level: Level, summary: Array) -> Cuts:
        """The drop of each cut, from the weighted sum of deviations on its low side."""
        mean = np.zeros(self.m)
        rows, node = level.members
        mean[rows] = summary[node, 0]
        off = self.weights * (self.y - mean)

        def scorer(block: Block, summary: Array) -> Scores:
            node = block.nodes.node
            low, high = self.sides(block, summary)
            sums = block.running(off.take(block.rows))
            sums *= sums / low
            sums *= summary[node, 2] / np.maximum(high, 1)
            # So that a cut that gains nothing is above 0.
            sums += summary[node, 1]
            self.close_light(low, high, sums)
            return Scores(sums, DROP_TIE * summary[:, 1])

        return best_cuts(level, summary, scorer)
