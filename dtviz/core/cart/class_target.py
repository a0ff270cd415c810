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
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.histograms import Histograms
from dtviz.core.cart.scan import (
    CLOSED,
    Block,
    Cuts,
    Level,
    Nodes,
    Scores,
    best_bins,
    best_cuts,
    grouped,
    smallest,
    uses_bins,
)
from dtviz.core.criteria import CRITERIA
from dtviz.core.tolerances import DROP_TIE

__all__ = ["ClassTarget", "Ratio", "Target", "large_gini", "significant"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]

EXACT_ROWS = 1_000
"""Up to so many rows, Gini scores are equal as floats, but for rounding, only where they are equal.

A score is a fraction with a denominator of at most ``n^2 / 4`` and a value of at most n. Two of
them are equal or differ by a relative ``16 / n^5``, which is more than rounding blurs.
"""

FEW_CLASSES = 16
"""Up to so many classes, each is counted by itself along the rows; more are sorted by class.

At most as many roundings are in a score, so that `EXACT_ROWS` holds.
"""

MANY_CELLS = 1 << 12
"""From so many cells on, fewer sums save more time than it takes to number the classes anew."""

EXACT_SQUARES = 94_906_265
"""Up to so many rows, products of two counts are exact as floats."""


LARGEST_NUMERATOR = 3_329_021
"""Up to so many rows of a leaf, the numerator of a Gini score is an integer of 64 bits.

It is at most ``n^3 / 4``. What leads to it may wrap around; sums, differences and products of
integers are right modulo 2^64 all the same, and the result is in range.
"""

LARGEST_SQUARE = 3_037_000_499
"""The most rows: their squares are integers of 64 bits."""

EXACT_PRODUCTS = 9_000
"""Up to so many rows, products of four counts are exact as floats, and quotients rounded once."""


CUTS_AT_ONCE = 1 << 16
"""So many bins are scored at a time: what is worked out on the way fits in a cache."""

EPSILON = float(np.finfo(float).eps)


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
    lightest: int = 0
    """What a cut leaves on both sides, at least, where rows have weights."""
    classes: Array | None

    @abstractmethod
    def summary(self, rows: Array, node: Array, k: int) -> Array:
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

    @abstractmethod
    def response(self, rows: Array) -> tuple[Floats, Array | None]:
        """By row, what orders categories by its mean, and weights or None.

        It is 1 for the second of two classes, else 0; or it is the number.
        """

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
    """Classes 0 .. c-1 and one of the book's four costs; summaries are ``(k, c)`` counts."""

    def __init__(self, codes: Ints, classes: Array, cost: str) -> None:
        self.m, self.c, self.name = codes.size, classes.size, cost
        self.total = self.m
        self.classes = self.labels = classes
        self.codes = codes.astype(smallest(self.c))
        self.table, self.unit = _table(cost, self.m)
        self.steps = np.diff(self.table)
        self.histograms: Histograms | None = None

    def summary(self, rows: Array, node: Array, k: int) -> Array:
        """Class counts."""
        group = node * np.intp(self.c)
        group += self.codes if rows.size == self.m else self.codes[rows]
        counts = np.bincount(group, minlength=k * self.c).reshape(k, self.c)
        return counts.astype(np.int64, copy=False)

    def counts(self, summary: Array) -> Ints:
        """The summary itself."""
        return summary

    def is_impure(self, summary: Array) -> Bools:
        """Whether two classes are there."""
        impure: Bools = (summary > 0).sum(axis=1) > 1
        return impure

    def size(self, summary: Array) -> Ints:
        """The sum of the counts."""
        total: Ints = summary.sum(axis=1).astype(np.intp, copy=False)
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
        """The impurity of the counts, in the normalisation of ``dtviz.core.criteria``."""
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
        fixed: Array = self.table[summary].sum(axis=1)
        if self.name == "entropy":
            fixed = self.table[n] - fixed
        else:
            roots = fixed * self.unit
            fixed = (roots * roots - n) / 2 / self.unit
        return fixed

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
        numbers = [n, n_low, n_high, s, a, b]
        big = n > EXACT_PRODUCTS
        if not big.any():
            return _exact_drops(numbers, self.m)
        drop, exact = np.empty(n.size), np.empty(n.size, dtype=object)
        for some, kind in ((~big, np.int64), (big, object)):
            drop[some], exact[some] = _exact_drops([x[some].astype(kind) for x in numbers], self.m)
        return drop, exact.tolist()

    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """From running class counts."""
        seen = (self.codes[rows, None] == np.arange(self.c)).cumsum(axis=0, dtype=np.int64)
        low = seen[cuts - 1]
        return self.cost(low) + self.cost(seen[-1] - low)

    def response(self, rows: Array) -> tuple[Floats, Array | None]:
        """Whether a row is of the second class."""
        return self.codes[rows].astype(np.float64), None

    # -- the scan --------------------------------------------------------------------------------

    def cuts(self, level: Level, summary: Array) -> Cuts:
        """By cells or by bins."""
        if uses_bins(level, self.c):
            return self._bins(level, summary)
        if self.c > FEW_CLASSES or self.m > EXACT_SQUARES:
            return best_cuts(level, summary, self._cells_by_class)
        if self.name == "gini":
            scorer = partial(self._running_gini, *self._moves(level, summary))
            return best_cuts(level, summary, scorer)
        return best_cuts(level, summary, self._cells)

    def _cells(self, block: Block, summary: Array) -> Scores:
        """Scores of the cuts after each cell, from running counts of each class."""
        nodes = block.nodes
        low_size, high_size = nodes.low_size, nodes.high_size
        low = high = np.zeros(0)
        codes = self.codes.take(block.rows)
        for k in range(self.c):
            seen = (codes == k).cumsum(axis=1)
            number = summary[:, k]
            seen -= (number.cumsum() - number).repeat(nodes.size)
            rest = number.repeat(nodes.size) - seen
            if self.name == "error":
                low = np.maximum(low, seen) if k else seen
                high = np.maximum(high, rest) if k else rest
            else:
                low = low + self.table.take(seen) if k else self.table.take(seen)
                high = high + self.table.take(rest) if k else self.table.take(rest)
        if self.name == "error":
            return Scores(low + high, np.zeros(len(summary), dtype=np.intp))
        whole = self._whole(summary).repeat(nodes.size)
        return self._fixed_point(low, high, low_size, high_size, whole, summary)

    def _moves(self, level: Level, summary: Array) -> tuple[Array, int]:
        """What each row adds to ``n l_k - n_k n_L`` as it passes to the low side, class by class.

        Of two classes, one is enough. Else two are one complex number, for its sums take as long as
        those of a float; of an odd number the last is left out: the sums of all add up to 0. Where
        there are many cells, each node numbers its classes by their frequency, so that only as many
        count as one node has at most.
        Also how many count.
        """
        rows, node = level.members
        codes, most = self.codes[rows], self.c
        if most > 2 and level.n_places * level.features.d > MANY_CELLS:
            most = int((summary > 0).sum(axis=1).max())
        if most < self.c:
            order = (-summary).argsort(axis=1)
            codes = order.argsort(axis=1)[node, codes]
            summary = np.take_along_axis(summary, order[:, :most], axis=1)
        count, n = most - most % 2 if most > 2 else 1, level.size.take(node)
        own = [(codes == k) * n - summary[:, k].take(node) for k in range(count)]
        parts: Array = np.array(own, dtype=np.float64)
        if most > 2:
            parts = parts[::2] + 1j * parts[1::2]
        if rows.size == self.m:
            return parts, most
        moves = np.zeros((len(parts), self.m), dtype=parts.dtype)
        moves[:, rows] = parts
        return moves, most

    def _running_gini(self, moves: Array, c: int, block: Block, summary: Array) -> Scores:
        """``sum_k (n l_k - n_k n_L)^2 / (n_L n_R)``, n times the drop, or, for two classes, half.

        The products are exact as floats.
        """
        odd = c > 2 and c % 2 == 1
        value = total = np.zeros(0)
        for part in moves:
            sums = part.take(block.rows)
            sums = sums.cumsum(axis=1, out=sums)
            if c == 2:
                value = np.multiply(sums, sums, out=sums)
                break
            for term in (sums.real, sums.imag):
                value = value + term * term if value.size else term * term
                if odd:
                    total = total + term if total.size else term
        if odd:
            value += total * total
        value *= block.nodes.balance

        def first(i: Ints, j: Ints) -> int:
            codes = self.codes.take(block.rows)
            seen = np.stack([(codes == k).cumsum(axis=1)[i, j] for k in range(self.c)])
            kinds, index = np.unique(seen, axis=1, return_inverse=True)
            (counts,) = summary.tolist()
            return _first_best([_gini_score(low, counts) for low in kinds.T.tolist()], index)

        nodes = block.nodes
        blurred = nodes.size > EXACT_ROWS
        none = np.zeros(nodes.size.size)
        return Scores(value, none, 2 * (self.c + 4) * EPSILON, blurred, first)

    def _cells_by_class(self, block: Block, summary: Array) -> Scores:
        """Scores of the cuts after each cell, whatever the number of classes."""
        nodes = block.nodes
        node, places, size = nodes.node, nodes.places, nodes.size
        group = self.codes.take(block.rows) + (node * self.c).astype(smallest(summary.size))
        order = grouped(group)
        # From here on places are in order of node, class and value: for each, how many rows of its
        # class the node has, and how many of them come before.
        counts = summary.ravel().astype(np.intp, copy=False)
        number = summary.ravel().repeat(counts)
        before = places - (counts.cumsum() - counts).repeat(counts)
        if self.name == "error":
            low, high = _scattered(order, before + 1), _scattered(order, number - before)
            return _error_scores(nodes, low, high)
        if self.name == "gini":
            # One row more adds 2 l_k + 1 to a = sum l_k^2, and n_k to b = sum n_k l_k.
            squares = self._whole(summary)
            times = _times(size)
            whole, n = times * squares, times[node]
            n_a = _scattered(order, (2 * before + 1) * n).cumsum(axis=1)
            n_a -= (whole.cumsum() - whole)[node]
            b = _scattered(order, number).cumsum(axis=1)
            b -= (squares.cumsum() - squares)[node]
            return self._gini(n_a, b, nodes.low_size, nodes.high_size, squares[node], size)
        whole = self._whole(summary)
        base = whole.cumsum() - whole
        low = _scattered(order, self.steps[before]).cumsum(axis=1)
        low -= base[node]
        high = _scattered(order, self.steps[number - before - 1]).cumsum(axis=1)
        np.subtract((base + whole)[node], high, out=high)
        return self._fixed_point(low, high, nodes.low_size, nodes.high_size, whole[node], summary)

    def _bins(self, level: Level, summary: Array) -> Cuts:
        """The best cut by class counts of every bin, some nodes at a time."""
        features = level.features
        if self.histograms is None:
            self.histograms = Histograms(features, self.codes, self.c)
        count = self.histograms.count(level)
        # Half as long numbers, where squares of counts fit, take half the time.
        kind = np.int32 if self.m < 1 << 15 else np.int64
        step = max(1, CUTS_AT_ONCE // (features.n_bins * self.c))
        found = []
        for a in range(0, len(count), step):
            here, part = count[a : a + step], summary[a : a + step]
            low: Array = here.astype(kind)
            # A feature's bins hold all rows of the node: the next feature begins anew.
            low[:, :, features.first_bin[1:]] -= part[:, :, None].astype(kind)
            low = low.cumsum(axis=2, dtype=kind, out=low)
            low_size = low.sum(axis=1, dtype=kind).astype(np.int64)
            number = here.sum(axis=1, dtype=features.row)
            high_size = level.size[a : a + step, None] - low_size
            scores = self._bin_scores(low, low_size, high_size, part)
            scores.value[high_size == 0] = CLOSED
            found.append(best_bins(features, scores, number))
        return Cuts(*map(np.concatenate, zip(*found, strict=True)))

    def _bin_scores(self, low: Array, low_size: Ints, high_size: Ints, summary: Array) -> Scores:
        """``low`` is ``(k, c, bins)``."""
        n, counts = summary.sum(axis=1), summary[:, :, None].astype(low.dtype)
        if self.name == "error":
            right = low.max(axis=1) + (counts - low).max(axis=1)
            return Scores(right, np.zeros(len(n), dtype=np.intp))
        whole = self._whole(summary)[:, None]
        if self.name == "gini":
            n_a = (low * low).sum(axis=1, dtype=low.dtype) * _times(n)[:, None]
            b = (low * counts).sum(axis=1, dtype=low.dtype).astype(np.int64)
            return self._gini(n_a, b, low_size, high_size, whole, n)
        sides = (self.table[low].sum(axis=1), self.table[counts - low].sum(axis=1))
        return self._fixed_point(*sides, low_size, high_size, whole, summary)

    def _whole(self, summary: Array) -> Array:
        """``sum g(n_k)`` of each node."""
        parts = summary * summary if self.name == "gini" else self.table.take(summary)
        whole: Array = parts.sum(axis=1)
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
        blurred = n > EXACT_ROWS
        slack[blurred] = 8 * EPSILON * n.max()
        product = np.broadcast_to(product, b.shape)

        def first(i: Ints, j: Ints) -> int:
            pairs = np.stack([b[i, j], product[i, j]])
            kinds, index = np.unique(pairs, axis=1, return_inverse=True)
            return _first_best([Fraction(*pair) for pair in kinds.T.tolist()], index)

        return Scores(value, slack, 0.0, blurred, first)

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


def _exact_drops(numbers: list[Array], m: int) -> tuple[Floats, list[Ratio]]:
    n, n_low, n_high, s, a, b = numbers
    above = (a * n_high + b * n_low) * n - s * n_low * n_high
    below = n_low * n_high * n
    drop = np.asarray(above / below, dtype=np.float64) / m
    return drop, [*map(Ratio, above.tolist(), below.tolist())]


def _times(n: Ints) -> Ints:
    """What a sum of squares is multiplied by on the way to the numerator of a Gini score."""
    return n if n.max() <= LARGEST_NUMERATOR else np.ones_like(n)


def large_gini(a: Array, rest: Array, low_size: Ints, high_size: Ints, n: Ints) -> Scores:
    """``a / n_L + rest / n_R``, rounded; what may be tied is decided with Python's integers."""
    value = a / np.maximum(low_size, 1) + rest / np.maximum(high_size, 1)
    slack = np.full(n.size, 8 * EPSILON * n.max())
    parts = [np.broadcast_to(part, value.shape) for part in (a, rest, low_size, high_size)]

    def first(i: Ints, j: Ints) -> int:
        kinds, index = np.unique(
            np.stack([part[i, j] for part in parts]), axis=1, return_inverse=True
        )
        scores = [Fraction(a, low) + Fraction(b, high) for a, b, low, high in kinds.T.tolist()]
        return _first_best(scores, index)

    return Scores(value, slack, 0.0, np.ones(n.size, dtype=np.bool_), first)


def _gini_score(low: list[int], counts: list[int]) -> Fraction:
    """``sum l_k^2 / n_L + sum r_k^2 / n_R``."""
    high = [n - a for n, a in zip(counts, low, strict=True)]
    return sum((Fraction(sum(a * a for a in side), sum(side)) for side in (low, high)), Fraction())


def _first_best(scores: list[Fraction], index: Ints) -> int:
    """The first of the best of some cuts, each of which has the score of that index."""
    best = max(scores)
    return int(np.array([score == best for score in scores])[index.ravel()].argmax())


def _scattered(order: Ints, values: Array) -> Array:
    """Values in order of node, class and value, back in order of node and value."""
    repeated, placed = np.empty((2, *order.shape), dtype=values.dtype)
    repeated[:] = values
    placed.ravel()[order] = repeated
    back: Array = placed
    return back


def _table(cost: str, m: int) -> tuple[Array, float]:
    """``g(0), .., g(m)`` as integers, and the unit they count; none where no table is needed."""
    table = CRITERIA[cost].count_term(np.arange(m + 1))
    if table is None:
        return np.empty(0, dtype=np.int64), 1.0
    # A sum is largest where all are of one class, or each of a class of its own.
    bits = 61 - int(np.ceil(np.log2(max(table[m], m * table[1]) + 1)))
    return np.rint(np.ldexp(table, bits)).astype(np.int64), float(np.ldexp(1.0, -bits))


def _error_scores(nodes: Nodes, low: Array, high: Array) -> Scores:
    """How many rows the best labels of both sides get right."""
    k = nodes.size.size
    shift = (int(nodes.size.max()) + 1) * np.arange(k, dtype=np.int64)
    right = np.maximum.accumulate(low + shift[nodes.node], axis=1) - shift[nodes.node]
    back = shift[::-1][nodes.node]
    rest = np.maximum.accumulate((high + back)[:, ::-1], axis=1)[:, ::-1] - back
    right[:, :-1] += rest[:, 1:]
    return Scores(right, np.zeros(k, dtype=np.intp))


def significant(drop: Floats, cost: Floats, unit: float | Floats = 0.0) -> Floats:
    """Drops to 11 significant digits (36 bits); 0 where only rounding can be left of them."""
    drop = np.where(drop > DROP_TIE * cost + unit, drop, 0.0)
    fraction, exponent = np.frexp(drop)
    rounded: Floats = np.ldexp(np.rint(np.ldexp(fraction, 36)), exponent - 36)
    return rounded
