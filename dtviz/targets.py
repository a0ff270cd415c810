"""Labels and a cost: the arithmetic of impurity behind the split scan.

For classes, the cost of n rows with class counts ``n_k`` is a function of a sum ``sum_k g(n_k)``
(of a maximum, for the error). When a row passes from one side of a cut to the other, one term
changes, by an amount that depends only on how many rows of its class went before. So one cumulative
sum for each side gives the sums at every threshold, whatever the number of classes. The sums are of
integers, for Gini and the error exact, for entropy and the square root in fixed point, so that
equal cuts have equal scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.scan import Level, Scores, smallest

__all__ = ["CLASS_COST_NAMES", "TIE", "ClassTarget", "NumberTarget", "Target"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]

CLASS_COST_NAMES = ("gini", "entropy", "error", "sqrt")

TIE = 1e-11
"""Drops of entropy, sqrt and squared loss tie within this fraction of the cost of their leaf."""

EXACT_ROWS = 2_000
"""Up to so many rows, Gini scores are equal as floats only where they are equal.

A score is a fraction with a denominator of at most ``n^2 / 4`` and a value of at most n. Two of
them are equal or differ by a relative ``16 / n^5``, which is more than rounding blurs.
"""


class Target(ABC):
    """What a tree grows by. A *summary* is an array with a row for each node."""

    m: int
    classes: Array | None

    @abstractmethod
    def summary(self, rows: Ints, node: Ints, k: int) -> Array:
        """The summaries of k nodes: ``node`` says to which each of the ``rows`` belongs."""

    @abstractmethod
    def counts(self, summary: Array) -> Ints:
        """The class counts of each node, ``(k, c)``."""

    @abstractmethod
    def is_impure(self, summary: Array) -> Bools:
        """Which nodes have more than one label."""

    @abstractmethod
    def scores(self, level: Level, summary: Array) -> Scores:
        """The scores of all cuts of the level."""

    @abstractmethod
    def drops(self, parent: Array, low: Array, high: Array) -> tuple[Floats, list[Any]]:
        """What each split takes off the total cost, and the same as exact keys to compare by."""

    @abstractmethod
    def size(self, summary: Array) -> Ints:
        """The number of rows of each node."""

    @abstractmethod
    def cost(self, summary: Array) -> Floats:
        """Each node's share of the total cost: ``n / m`` times its impurity."""

    @abstractmethod
    def error(self, summary: Array) -> Floats:
        """Each node's share of the error."""

    @abstractmethod
    def value(self, summary: Array) -> Array:
        """The label of each node as a leaf."""


class ClassTarget(Target):
    """Classes 0 .. c-1 and one of the costs of `dtviz.costs`; summaries are ``(k, c)`` counts."""

    def __init__(self, codes: Ints, classes: Array, cost: str) -> None:
        self.m, self.c, self.name = codes.size, classes.size, cost
        self.classes = self.labels = classes
        self.codes = codes.astype(smallest(self.c))
        self.table, self.unit = _table(cost, self.m)
        self.steps = np.diff(self.table)

    def summary(self, rows: Ints, node: Ints, k: int) -> Array:
        """Class counts."""
        group = node * self.c + self.codes[rows]
        return np.bincount(group, minlength=k * self.c).reshape(k, self.c)

    def counts(self, summary: Array) -> Ints:
        """The summary itself."""
        return summary

    def is_impure(self, summary: Array) -> Bools:
        """Whether the largest class is not all."""
        impure: Bools = summary.max(axis=1) < summary.sum(axis=1)
        return impure

    def size(self, summary: Array) -> Ints:
        """The sum of the counts."""
        total: Ints = summary.sum(axis=1)
        return total

    def value(self, summary: Array) -> Array:
        """The most frequent class, the lowest if tied."""
        labels: Array = self.labels[summary.argmax(axis=1)]
        return labels

    def error(self, summary: Array) -> Floats:
        """The rows not in the most frequent class."""
        wrong: Floats = (summary.sum(axis=1) - summary.max(axis=1)) / self.m
        return wrong

    def cost(self, summary: Array) -> Floats:
        """The impurity of the counts, in the normalisation of `dtviz.costs`."""
        n = summary.sum(axis=1)
        if self.name == "error":
            return self.error(summary)
        if self.name == "gini":
            whole: Floats = (n * n - (summary * summary).sum(axis=1)) / n / self.m
            return whole
        return self._fixed(summary) * self.unit / self.m

    def _fixed(self, summary: Array) -> Array:
        """The impurity times n, in units of fixed point."""
        n = summary.sum(axis=1)
        parts = self.table[summary].sum(axis=1)
        if self.name == "entropy":
            difference: Array = self.table[n] - parts
            return difference
        roots = parts * self.unit
        square: Array = (roots * roots - n) / 2 / self.unit
        return square

    def drops(self, parent: Array, low: Array, high: Array) -> tuple[Floats, list[Any]]:
        """Exact for Gini and the error, to 11 digits for the others."""
        if self.name == "error":
            more_right = low.max(axis=1) + high.max(axis=1) - parent.max(axis=1)
            return more_right / self.m, [0] * len(parent)
        if self.name == "gini":
            return self._gini_drops(parent, low, high)
        before = self._fixed(parent)
        drop = (before - self._fixed(low) - self._fixed(high)) * self.unit
        blur = (4 * self.c + 4) * self.unit
        return significant(drop, before * self.unit, blur) / self.m, [0] * len(parent)

    def _gini_drops(self, parent: Array, low: Array, high: Array) -> tuple[Floats, list[Any]]:
        n, a, b = (part.sum(axis=1).tolist() for part in (parent, low, high))
        squares = ((part * part).sum(axis=1).tolist() for part in (parent, low, high))
        exact = [
            Fraction(s_low * j * i + s_high * h * i - s * h * j, h * j * i)
            for i, h, j, s, s_low, s_high in zip(n, a, b, *squares, strict=True)
        ]
        return np.array([float(drop) for drop in exact]) / self.m, exact

    # -- the scan --------------------------------------------------------------------------------

    def scores(self, level: Level, summary: Array) -> Scores:
        """Scores of all cuts, for Gini and the error exact up to rounding of one division."""
        group = level.look_up(self.codes) + (level.node * self.c).astype(smallest(summary.size))
        order = level.grouped(group.astype(smallest(summary.size), copy=False))
        # From here on places are in order of node, class and value: for each, how many rows of its
        # class the node has, and how many of them come before.
        number = summary.ravel().repeat(summary.ravel())
        before = level.places - (summary.ravel().cumsum() - summary.ravel()).repeat(summary.ravel())
        size = level.size[level.node]
        if self.name == "gini":
            return self._gini(level, summary, order, before, number)
        if self.name == "error":
            low, high = _scattered(order, before + 1), _scattered(order, number - before)
            return _error_scores(level, low, high)
        whole = self.table[summary].sum(axis=1)
        low = _scattered(order, self.steps[before]).cumsum(axis=1)
        high = _scattered(order, self.steps[number - before - 1]).cumsum(axis=1)
        base = whole.cumsum() - whole
        low -= base[level.node]
        np.subtract((base + whole)[level.node], high, out=high)
        if self.name == "entropy":
            # The drop, and as much more as makes it positive.
            slack = 2 * self.c + 2
            low += high
            low -= self.table[level.low_size] + self.table[level.high_size]
            low += (self.table[level.size] - whole + 2 * slack)[level.node]
            return Scores(low, np.full(level.size.size, slack))
        low_root, high_root = low * self.unit, high * self.unit
        value = ((whole * self.unit) ** 2 + size.max())[level.node] - low_root**2 - high_root**2
        return Scores(value, TIE * self.cost(summary) * self.m)

    def _gini(
        self, level: Level, summary: Array, order: Ints, before: Ints, number: Ints
    ) -> Scores:
        """``sum l_k^2 / n_L + sum r_k^2 / n_R``, a quotient of integers.

        With ``a = sum l_k^2``, ``b = sum n_k l_k`` and ``s = sum n_k^2`` it is
        ``(n a + n_L (s - 2 b)) / (n_L n_R)``; one row more adds ``2 l_k + 1`` to a and n_k to b.
        """
        squares = (summary * summary).sum(axis=1)
        n = level.size
        left = _scattered(order, (2 * before + 1) * n[level.node]).cumsum(axis=1)
        whole = n * squares
        left -= (whole.cumsum() - whole)[level.node]
        both = _scattered(order, 2 * number).cumsum(axis=1)
        whole = 2 * squares
        np.subtract((whole.cumsum() - whole + squares)[level.node], both, out=both)
        both *= level.low_size
        both += left
        product = level.low_size * np.maximum(level.high_size, 1)
        slack = np.zeros(n.size)
        large = n > EXACT_ROWS
        value = both / product
        if not large.any():
            return Scores(value, slack)
        slack[large] = 8 * np.finfo(float).eps * n[large]

        def first(feature: Ints, place: Ints) -> int:
            pairs = np.stack([both[feature, place], product[place]])
            kinds, index = np.unique(pairs, axis=1, return_inverse=True)
            exact = [Fraction(*pair) for pair in kinds.T.tolist()]
            best = max(exact)
            return int(np.array([score == best for score in exact])[index.ravel()].argmax())

        return Scores(value, slack, first)


def _scattered(order: Ints, values: Array) -> Array:
    """Values in order of node, class and value, back in order of node and value."""
    placed = np.empty(order.size, dtype=values.dtype)
    placed[order] = np.tile(values, (len(order), 1))
    return placed.reshape(order.shape)


def _table(cost: str, m: int) -> tuple[Array, float]:
    """``g(0), .., g(m)`` as integers, and the unit they count."""
    n = np.arange(m + 1)
    if cost in ("gini", "error"):
        return n * n, 1.0
    if cost == "entropy":
        table = n * np.log2(np.maximum(n, 1)) / 2
        largest = table[-1]
    else:
        table = np.sqrt(n)
        largest = m
    bits = 61 - int(np.ceil(np.log2(largest + 1)))
    return np.rint(np.ldexp(table, bits)).astype(np.int64), float(np.ldexp(1.0, -bits))


def _error_scores(level: Level, low: Array, high: Array) -> Scores:
    """How many rows the best labels of both sides get right."""
    k = level.size.size
    shift = (int(level.size.max()) + 1) * np.arange(k)
    right = np.maximum.accumulate(low + shift[level.node], axis=1) - shift[level.node]
    back = shift[::-1][level.node]
    rest = np.maximum.accumulate((high + back)[:, ::-1], axis=1)[:, ::-1] - back
    right[:, :-1] += rest[:, 1:]
    return Scores(right, np.zeros(k, dtype=np.intp))


class NumberTarget(Target):
    """Numbers and squared loss; a summary is size, mean, and sum of squared deviations."""

    def __init__(self, y: Floats) -> None:
        self.y, self.m, self.classes = y, y.size, None

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
        mean, squares = np.where(same, lowest, mean), np.where(same, 0.0, squares)
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

    def scores(self, level: Level, summary: Array) -> Scores:
        """The same for every cut, from the sums of deviations on the low side."""
        mean = np.zeros(self.m)
        mean[level.rows] = summary[level.node, 1]
        sums = level.look_up(self.y - mean).cumsum(axis=1)
        if level.size.size > 1:
            base = np.concatenate([np.zeros((len(sums), 1)), sums[:, level.start[1:] - 1]], axis=1)
            sums -= base.repeat(level.size, axis=1)
        sums *= sums
        sums *= level.size[level.node] / (level.low_size * np.maximum(level.high_size, 1))
        # So that a cut that gains nothing is above 0.
        sums += summary[level.node, 2]
        return Scores(sums, TIE * summary[:, 2])


def significant(drop: Floats, cost: Floats, unit: float = 0.0) -> Floats:
    """Drops to 11 significant digits (36 bits); 0 where only rounding can be left of them."""
    drop = np.where(drop > TIE * cost + unit, drop, 0.0)
    fraction, exponent = np.frexp(drop)
    rounded: Floats = np.ldexp(np.rint(np.ldexp(fraction, 36)), exponent - 36)
    return rounded
