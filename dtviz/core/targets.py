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

from dtviz.core.scan import Cuts, Level, Scores, best_bins, best_cuts, grouped, smallest, uses_bins
from dtviz.core.tolerances import DROP_TIE

__all__ = ["CLASS_COST_NAMES", "ClassTarget", "Ratio", "Target", "large_gini", "significant"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]

CLASS_COST_NAMES = ("gini", "entropy", "error", "sqrt")


EXACT_ROWS = 2_000
"""Up to so many rows, Gini scores are equal as floats only where they are equal.

A score is a fraction with a denominator of at most ``n^2 / 4`` and a value of at most n. Two of
them are equal or differ by a relative ``16 / n^5``, which is more than rounding blurs.
"""


LARGEST_NUMERATOR = 3_329_021
"""Up to so many rows of a leaf, the numerator of a Gini score is an integer of 64 bits.

It is at most ``n^3 / 4``. What leads to it may wrap around; sums, differences and products of
integers are right modulo 2^64 all the same, and the result is in range.
"""

LARGEST_SQUARE = 3_037_000_499
"""The most rows: their squares are integers of 64 bits."""

EXACT_PRODUCTS = 9_000
"""Up to so many rows, products of four counts are exact as floats, and quotients rounded once."""


class Ratio:
    """A positive fraction that is worked out only where it is compared."""

    __slots__ = ("above", "below")

    def __init__(self, above: int, below: int) -> None:
        self.above, self.below = above, below

    def __lt__(self, other: Ratio) -> bool:
        """Whether it is the larger: a heap gives the least first."""
        return self.above * other.below > other.above * self.below

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and self.above * other.below == other.above * self.below

    __hash__ = None  # type: ignore[assignment]


class Target(ABC):
    """What a tree grows by. A *summary* is an array with a row for each node."""

    m: int
    total: int
    """What all rows weigh."""
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
    def cuts(self, level: Level, summary: Array) -> Cuts:
        """The best cut of each node of the level."""

    @abstractmethod
    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """The cost of both sides when the first ``cuts[j]`` of all rows, so ordered, are one."""

    @abstractmethod
    def drops(self, parent: Array, low: Array, high: Array) -> tuple[Floats, list[Any]]:
        """What each split takes off the total cost, and the same as exact keys to compare by."""

    @abstractmethod
    def size(self, summary: Array) -> Ints:
        """The number of rows of each node."""

    def weight(self, summary: Array) -> Array:
        """What the rows of each node weigh together: 1 each, unless they were given weights."""
        return self.size(summary)

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
    """Classes 0 .. c-1 and a cost of ``dtviz.core.costs``; summaries are ``(k, c)`` counts."""

    def __init__(self, codes: Ints, classes: Array, cost: str) -> None:
        self.m, self.c, self.name = codes.size, classes.size, cost
        self.total = self.m
        self.classes = self.labels = classes
        self.codes = codes.astype(smallest(self.c))
        self.table, self.unit = _table(cost, self.m)
        self.steps = np.diff(self.table)
        self.bins: Ints | None = None

    def summary(self, rows: Ints, node: Ints, k: int) -> Array:
        """Class counts."""
        group = node * self.c + self.codes[rows]
        return np.bincount(group, minlength=k * self.c).reshape(k, self.c)

    def counts(self, summary: Array) -> Ints:
        """The summary itself."""
        return summary

    def is_impure(self, summary: Array) -> Bools:
        """Whether two classes are there."""
        impure: Bools = (summary > 0).sum(axis=1) > 1
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
        """The impurity of the counts, in the normalisation of ``dtviz.core.costs``."""
        n = summary.sum(axis=1)
        if self.name == "error":
            return self.error(summary)
        if self.name == "gini":
            whole: Floats = (n * n - (summary * summary).sum(axis=1)) / n / self.m
            return whole
        # Rounding must not make a pure leaf cost something.
        return np.where(self.is_impure(summary), self._fixed(summary) * self.unit / self.m, 0.0)

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
        """``a / n_L + b / n_R - s / n`` with the sums of squares of both sides and of the leaf."""
        n, n_low, n_high = (part.sum(axis=1) for part in (parent, low, high))
        s, a, b = ((part * part).sum(axis=1) for part in (parent, low, high))
        if self.m > EXACT_PRODUCTS:
            n, n_low, n_high, s, a, b = (
                part.astype(object) for part in (n, n_low, n_high, s, a, b)
            )
        above = (a * n_high + b * n_low) * n - s * n_low * n_high
        below = n_low * n_high * n
        drop = np.asarray(above / below, dtype=np.float64) / self.m
        return drop, [*map(Ratio, above.tolist(), below.tolist())]

    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """From running class counts."""
        seen = (self.codes[rows, None] == np.arange(self.c)).cumsum(axis=0)
        low = seen[cuts - 1]
        return self.cost(low) + self.cost(seen[-1] - low)

    # -- the scan --------------------------------------------------------------------------------

    def cuts(self, level: Level, summary: Array) -> Cuts:
        """By cells or by bins."""
        if uses_bins(level, self.c):
            return self._bins(level, summary)
        return best_cuts(level, self._cells(level, summary))

    def _cells(self, level: Level, summary: Array) -> Scores:
        """Scores of the cuts after each cell."""
        group = level.look_up(self.codes) + (level.node * self.c).astype(smallest(summary.size))
        order = grouped(group)
        # From here on places are in order of node, class and value: for each, how many rows of its
        # class the node has, and how many of them come before.
        counts = summary.ravel()
        number = counts.repeat(counts)
        before = level.places - (counts.cumsum() - counts).repeat(counts)
        if self.name == "error":
            low, high = _scattered(order, before + 1), _scattered(order, number - before)
            return _error_scores(level, low, high)
        if self.name == "gini":
            # One row more adds 2 l_k + 1 to a = sum l_k^2, and n_k to b = sum n_k l_k.
            squares = self._whole(summary)
            times = _times(level.size)
            whole, n = times * squares, times[level.node]
            n_a = _scattered(order, (2 * before + 1) * n).cumsum(axis=1)
            n_a -= (whole.cumsum() - whole)[level.node]
            b = _scattered(order, number).cumsum(axis=1)
            b -= (squares.cumsum() - squares)[level.node]
            places = (level.low_size, level.high_size, squares[level.node])
            return self._gini(n_a, b, *places, level.size)
        whole = self._whole(summary)
        base = whole.cumsum() - whole
        low = _scattered(order, self.steps[before]).cumsum(axis=1)
        low -= base[level.node]
        high = _scattered(order, self.steps[number - before - 1]).cumsum(axis=1)
        np.subtract((base + whole)[level.node], high, out=high)
        places = (level.low_size, level.high_size, whole[level.node])
        return self._fixed_point(low, high, *places, summary)

    def _bins(self, level: Level, summary: Array) -> Cuts:
        """The best cut by class counts of every bin, ``(k, bins, c)``."""
        features, k = level.features, level.size.size
        if self.bins is None:
            self.bins = features.bins * self.c + self.codes[:, None]
        node = level.node * (features.n_bins * self.c)
        entries = self.bins.take(level.rows, axis=0) + node[:, None]
        shape = (k, features.n_bins, self.c)
        count = np.bincount(entries.ravel(), minlength=k * features.n_bins * self.c).reshape(shape)
        low = count.cumsum(axis=1)
        # A feature's bins hold all rows of the node.
        sizes = np.diff(np.append(features.first_bin, features.n_bins))
        index = np.arange(features.d).repeat(sizes)
        low -= index[:, None] * summary[:, None, :]
        low_size, number = low.sum(axis=2), count.sum(axis=2)
        high_size = level.size[:, None] - low_size
        scores = self._bin_scores(low, low_size, high_size, summary)
        scores.value[high_size == 0] = 0
        return best_bins(level, scores, number)

    def _bin_scores(self, low: Array, low_size: Ints, high_size: Ints, summary: Array) -> Scores:
        n, counts = summary.sum(axis=1), summary[:, None, :]
        if self.name == "error":
            right = low.max(axis=2) + (counts - low).max(axis=2)
            return Scores(right, np.zeros(len(n), dtype=np.intp))
        whole = self._whole(summary)[:, None]
        if self.name == "gini":
            n_a = np.einsum("kbc,kbc->kb", low, low) * _times(n)[:, None]
            b = np.einsum("kbc,kc->kb", low, summary)
            return self._gini(n_a, b, low_size, high_size, whole, n)
        sides = (self.table[low].sum(axis=2), self.table[counts - low].sum(axis=2))
        return self._fixed_point(*sides, low_size, high_size, whole, summary)

    def _whole(self, summary: Array) -> Array:
        """``sum g(n_k)`` of each node."""
        whole: Array = self.table.take(summary).sum(axis=1)
        return whole

    def _gini(  # noqa: PLR0913, PLR0917 -- a formula
        self, n_a: Array, b: Array, low_size: Ints, high_size: Ints, squares: Array, n: Ints
    ) -> Scores:
        """``sum l_k^2 / n_L + sum r_k^2 / n_R``, a quotient of integers.

        With ``a = sum l_k^2``, ``b = sum n_k l_k``: ``(n a + n_L (sum n_k^2 - 2 b)) / (n_L n_R)``.
        Where the numerator may be too large, ``n_a`` is a, and both quotients are taken apart.
        """
        if n.max() > LARGEST_NUMERATOR:
            return large_gini(n_a, squares - 2 * b + n_a, low_size, high_size, n)
        b *= -2
        b += squares
        b *= low_size
        b += n_a
        product = np.maximum(low_size * high_size, 1)
        value, slack = b / product, np.zeros(n.size)
        if self.m <= EXACT_ROWS or n.max() <= EXACT_ROWS:
            return Scores(value, slack)
        slack[n > EXACT_ROWS] = 8 * np.finfo(float).eps * n.max()
        product = np.broadcast_to(product, b.shape)

        def first(i: Ints, j: Ints) -> int:
            pairs = np.stack([b[i, j], product[i, j]])
            kinds, index = np.unique(pairs, axis=1, return_inverse=True)
            exact = [Fraction(*pair) for pair in kinds.T.tolist()]
            best = max(exact)
            return int(np.array([score == best for score in exact])[index.ravel()].argmax())

        return Scores(value, slack, first)

    def _fixed_point(  # noqa: PLR0913, PLR0917 -- a formula
        self,
        low: Array,
        high: Array,
        low_size: Ints,
        high_size: Ints,
        whole: Array,
        summary: Array,
    ) -> Scores:
        """The drop of the cost, and as much more as makes it positive."""
        if self.name == "entropy":
            slack = 2 * self.c + 2
            low += high
            low -= self.table[low_size] + self.table[high_size]
            low += self.table[low_size + high_size] - whole + 2 * slack
            return Scores(low, np.full(len(summary), slack))
        low_root, high_root = low * self.unit, high * self.unit
        value = (whole * self.unit) ** 2 + low_size + high_size - low_root**2 - high_root**2
        return Scores(value, DROP_TIE * self.cost(summary) * self.m)


def _times(n: Ints) -> Ints:
    """What a sum of squares is multiplied by on the way to the numerator of a Gini score."""
    return n if n.max() <= LARGEST_NUMERATOR else np.ones_like(n)


def large_gini(a: Array, rest: Array, low_size: Ints, high_size: Ints, n: Ints) -> Scores:
    """``a / n_L + rest / n_R``, rounded; what may be tied is decided with Python's integers."""
    value = a / np.maximum(low_size, 1) + rest / np.maximum(high_size, 1)
    slack = np.full(n.size, 8 * np.finfo(float).eps * n.max())
    parts = [np.broadcast_to(part, value.shape) for part in (a, rest, low_size, high_size)]

    def first(i: Ints, j: Ints) -> int:
        kinds, index = np.unique(
            np.stack([part[i, j] for part in parts]), axis=1, return_inverse=True
        )
        exact = [Fraction(a, low) + Fraction(b, high) for a, b, low, high in kinds.T.tolist()]
        best = max(exact)
        return int(np.array([score == best for score in exact])[index.ravel()].argmax())

    return Scores(value, slack, first)


def _scattered(order: Ints, values: Array) -> Array:
    """Values in order of node, class and value, back in order of node and value."""
    repeated, placed = np.empty((2, *order.shape), dtype=values.dtype)
    repeated[:] = values
    placed.ravel()[order] = repeated
    back: Array = placed
    return back


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


def significant(drop: Floats, cost: Floats, unit: float | Floats = 0.0) -> Floats:
    """Drops to 11 significant digits (36 bits); 0 where only rounding can be left of them."""
    drop = np.where(drop > DROP_TIE * cost + unit, drop, 0.0)
    fraction, exponent = np.frexp(drop)
    rounded: Floats = np.ldexp(np.rint(np.ldexp(fraction, 36)), exponent - 36)
    return rounded
