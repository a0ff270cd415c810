"""Classes and a criterion: the arithmetic of impurity behind the split scan.

What a leaf costs follows from a sum over its classes (the error: from a maximum). When a row passes
from one side of a cut to the other, only the term of its own class changes, so one cumulative sum
for each class gives the cost of both sides at every threshold.

Weights of classes are integers. Gini and the error are fractions of them: what may be tied is
compared as fractions. For entropy and the square root the terms are in fixed point, so that equal
counts cost the same in any order. Where a table of terms would be too large, and for a cost of a
reader's own, the terms are floats of the shares. Those costs are tied within `DROP_TIE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.histograms import Histograms
from dtviz.core.cart.scan import (
    CLOSED,
    Block,
    Cuts,
    Features,
    Level,
    Scores,
    best_bins,
    best_cuts,
    smallest,
    uses_bins,
)
from dtviz.core.cart.target import NO_KEY, Key, Target, significant
from dtviz.core.cart.weights import Weights
from dtviz.core.criteria import Criterion, Leaf
from dtviz.core.tolerances import DROP_TIE

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]
WeightsAt = Callable[[Ints, Ints], list[Array]]

LARGEST_TABLE = 1 << 22
"""Up to this total weight the terms of entropy and square root are in a table."""

EXACT_PRODUCTS = 9_000
"""Up to this total weight, products of four weights are exact as floats."""

EXACT_SQUARES = 94_906_265
"""Up to this total weight, products of two weights are exact as floats."""

FEW_CLASSES = 16
"""Up to so many classes, what each row adds to their sums is held for all rows at once."""

SHORT = 1 << 15
"""Below this total weight squares of weights are integers of 32 bits."""

CUTS_AT_ONCE = 1 << 16
"""So many bins are scored at a time: what is worked out on the way fits in a cache."""

EPS = float(np.finfo(float).eps)


class ClassTarget(Target):
    """Classes 0 .. c-1 and a criterion; a summary has the weight of each class to begin with."""

    def __init__(
        self, codes: Ints, classes: Array, criterion: Criterion, weights: Weights, share: float
    ) -> None:
        super().__init__(weights.whole, share)
        self.c, self.classes = classes.size, classes
        self.codes = codes.astype(smallest(self.c))
        self.criterion, self.unit, self.cost_name = criterion, weights.unit, criterion.name
        self.is_exact = criterion.is_rational and weights.exact
        self.label_blur = 0.0 if weights.exact else DROP_TIE
        self.table, self.table_unit = _table(criterion, self.total)
        self.has_offsets = (
            criterion.is_quadratic and self.c <= FEW_CLASSES and self.total <= EXACT_SQUARES
        )
        is_short = criterion.is_rational and self.total < SHORT
        self.kind = np.int32 if is_short else np.float64 if self.table is None else np.int64
        """That of the integers that terms are made of."""
        self.histograms: Histograms | None = None

    def summary(self, rows: Array, node: Array, k: int) -> Array:
        """The sums are of integers below 2^53: as floats they are exact."""
        group = node * np.intp(self.c) + self.codes.take(rows)
        weights = None if self.is_plain else self.weights[rows]
        found = np.bincount(group, weights, minlength=k * self.c)
        of_class = found.astype(np.int64, copy=False).reshape(k, self.c)
        whole = of_class.sum(axis=1, keepdims=True)
        number = whole if self.is_plain else np.bincount(node, minlength=k)[:, None]
        return np.concatenate([of_class, whole, number], axis=1)

    def _weights(self, summary: Array) -> Array:
        """The weight of each class as an integer."""
        weights: Array = summary[:, : self.c]
        return weights

    def counts(self, summary: Array) -> Array:
        """The weights as they were given, integers where they are."""
        weights = self._weights(summary)
        return weights if self.unit == 1 else weights * self.unit

    def is_impure(self, summary: Array) -> Bools:
        """Whether two classes are there."""
        impure: Bools = self._weights(summary).max(axis=1) < self.weight(summary)
        return impure

    def value(self, summary: Array) -> Array:
        """The class of the largest weight, the lowest if tied."""
        weights = self._weights(summary)
        heaviest = weights >= weights.max(axis=1, keepdims=True) * (1 - self.label_blur)
        labels: Array = self.classes[heaviest.argmax(axis=1)]
        return labels

    def error(self, summary: Array) -> Floats:
        """The weight not in the heaviest class."""
        wrong: Floats = (self.weight(summary) - self._weights(summary).max(axis=1)) / self.total
        return wrong

    def cost(self, summary: Array) -> Floats:
        """The impurity of the class weights."""
        return self._leaf_cost(summary) * self.table_unit / self.total

    def _leaf_cost(self, summary: Array) -> Array:
        """The same times all weight, in units of the table."""
        whole = self.weight(summary).astype(self.kind)
        terms = self._terms(self._weights(summary).astype(self.kind), whole[:, None])
        cost = self._cost(self.criterion.fold.reduce(terms, axis=1), whole)
        # Rounding must not make a pure leaf cost something.
        return np.where(self.is_impure(summary), cost, 0)

    def _terms(self, weights: Array, whole: Array) -> Array:
        """What classes of these weights add to the cost of a side of weight ``whole``."""
        if self.table is not None:
            return self.table.take(weights)
        terms: Array = (
            self.criterion.count_term(weights)
            if self.criterion.is_rational
            else self.criterion.term(weights / whole)
        )
        return terms

    def _cost(self, folded: Array, whole: Array) -> Array:
        """The cost of sides times their weights, from what their classes add together."""
        if self.table is None:
            # To divide integers takes several times as long.
            folded, whole = folded.astype(np.float64), whole.astype(np.float64)
        cost: Array
        if self.table is None and not self.criterion.is_rational:
            cost = self.criterion.combine(folded) * whole
        else:
            leaf = Leaf(whole, self._terms(whole, whole), self.table_unit)
            cost = self.criterion.count_cost(folded, leaf)
        return cost

    def drops(self, parent: Array, low: Array, high: Array) -> tuple[Floats, list[Key]]:
        """Exact for Gini and the error, if the weights are, else to 11 digits."""
        if self.is_exact:
            drop, keys = self._exact_drops(self._weights(low), self._weights(high))
            return drop / self.total, keys
        before = self._leaf_cost(parent)
        drop = (before - self._leaf_cost(low) - self._leaf_cost(high)) * self.table_unit
        blur = 32 * self.c * EPS * self.weight(parent)
        keys = [NO_KEY] * len(parent)
        return significant(drop, before * self.table_unit, blur) / self.total, keys

    def _exact_drops(self, low: Array, high: Array) -> tuple[Floats, list[Key]]:
        """What splits take off the cost, times all weight: rounded once, and as fractions."""
        kind = np.int64 if self.total <= EXACT_PRODUCTS else object
        above, below = self.criterion.exact_drop(low.astype(kind), high.astype(kind))
        drop: Floats = (above / below).astype(np.float64)
        return drop, [*zip(above.tolist(), below.tolist(), strict=True)]

    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """From running class weights."""
        of_class = self.codes[rows, None] == np.arange(self.c)
        seen = np.where(of_class, self.weights[rows, None], 0).cumsum(axis=0)
        summary = np.column_stack([seen, seen.sum(axis=1), seen[:, 0]])
        low = summary[cuts - 1]
        return self.cost(low) + self.cost(summary[-1] - low)

    def response(self, rows: Array) -> Floats:
        """Whether a row is of the second class."""
        return self.codes[rows].astype(np.float64)

    # -- the scan --------------------------------------------------------------------------------

    def cuts(self, level: Level, summary: Array) -> Cuts:
        """By bins, whose rows are not numbered where they have weights, or by cells."""
        if uses_bins(level, self.c) and (self.is_plain or level.features.fewest == 1):
            return self._bins(level, summary)
        if self.has_offsets:
            scorer = partial(self._score_offsets, self._offsets(level, summary))
            return best_cuts(level, summary, scorer)
        return best_cuts(level, summary, self._score_classes)

    def _offsets(self, level: Level, summary: Array) -> Floats:
        """What each row adds to ``n l_k - n_k n_L`` as it comes to the low side, class by class.

        The sum over all classes is 0: the last is left out. So is the sum over a node: running sums
        need not begin again with each. A node numbers its classes by their weight, so that only as
        many count as one node has.
        """
        rows, node = level.members
        codes, weights = self.codes.take(rows), self._weights(summary)
        most = int((weights > 0).sum(axis=1).max())
        if most < self.c:
            order = (-weights).argsort(axis=1)
            codes = order.argsort(axis=1)[node, codes]
            weights = -np.sort(-weights, axis=1)
        offsets, whole = np.zeros((most - 1, self.m)), self.weight(summary).take(node)
        for k, own in enumerate(offsets):
            own[rows] = (codes == k) * whole - weights[:, k].take(node)
        if not self.is_plain:
            offsets *= self.weights
        return offsets

    def _score_offsets(self, offsets: Floats, block: Block, summary: Array) -> Scores:
        """``sum_k (n l_k - n_k n_L)^2 / (n n_L n_R)`` after each cell, or half of it for 2 classes.

        This is the drop in cost times the weight of the node. The products are exact as floats.
        """
        rest = offsets[0].take(block.rows)
        rest.cumsum(axis=1, out=rest)
        if len(offsets) == 1:
            value = np.square(rest, out=rest)
        else:
            value = rest * rest
            for own in offsets[1:]:
                sums = own.take(block.rows)
                sums.cumsum(axis=1, out=sums)
                rest += sums
                value += np.square(sums, out=sums)
            value += np.square(rest, out=rest)
        low, high = self.sides(block, summary)
        value *= 1 / ((low + high) * low * np.maximum(high, 1.0))
        self.close_light(low, high, value)
        return self._scores(value, summary, partial(self._weights_at, block, summary))

    def _class_sides(self, block: Block, summary: Array) -> Iterator[tuple[Array, Array]]:
        """The weights on both sides of the cut after each cell, class by class."""
        node, weights = block.nodes.node, self._weights(summary).T.astype(self.kind)
        start = weights.cumsum(axis=1) - weights
        codes = self.codes.take(block.rows)
        each = None if self.is_plain else self.weights.take(block.rows)
        rest = self.sides(block, summary)[0].astype(self.kind)
        for k in range(self.c - 1):
            own = codes == k if each is None else np.where(codes == k, each, 0)
            # Sums of numbers of another kind would take several times as long.
            low = own.astype(self.kind)
            low.cumsum(axis=1, out=low)
            low -= start[k].take(node)
            yield low, weights[k].take(node) - low
            rest = rest - low
        yield rest, weights[-1].take(node) - rest

    def _weights_at(self, block: Block, summary: Array, i: Ints, j: Ints) -> list[Array]:
        """The class weights on both sides of some cuts, ``(n, c)``."""
        pairs = ((low[i, j], high[i, j]) for low, high in self._class_sides(block, summary))
        return [np.stack(side, axis=1) for side in zip(*pairs, strict=True)]

    def _score_classes(self, block: Block, summary: Array) -> Scores:
        """How far below a bound the cost of both sides is, after each cell."""
        sides = self.sides(block, summary).astype(self.kind)
        fold, whole = self.criterion.fold, np.maximum(sides, 1)
        terms = ([*map(self._terms, pair, whole)] for pair in self._class_sides(block, summary))
        folded = reduce(lambda a, b: [*map(fold, a, b)], terms)
        value = self._gap(folded, sides, summary, block.nodes.node)
        return self._scores(value, summary, partial(self._weights_at, block, summary))

    def _bins(self, level: Level, summary: Array) -> Cuts:
        """The best cut by the class weights of every bin, some nodes at a time."""
        features = level.features
        if self.histograms is None:
            weights = None if self.is_plain else self.weights
            self.histograms = Histograms(features, self.codes, self.c, weights)
        count = self.histograms.count(level)
        step = max(1, CUTS_AT_ONCE // (features.n_bins * self.c))
        found = []
        for a in range(0, len(count), step):
            here, part = count[a : a + step], summary[a : a + step]
            scores = self._score_bins(features, here, part)
            found.append(best_bins(features, scores, here.sum(axis=1)))
        return Cuts(*map(np.concatenate, zip(*found, strict=True)))

    def _score_bins(self, features: Features, count: Array, summary: Array) -> Scores:
        """Scores of the cuts after each bin, from the weights of k nodes, ``(k, c, bins)``."""
        weights = self._weights(summary).astype(self.kind)[:, :, None]
        parts = np.empty((2, *count.shape), dtype=self.kind)
        low, high = parts
        low[...] = count
        # A feature's bins hold all rows of the node: the next feature begins from 0.
        low[:, :, features.first_bin[1:]] -= weights
        low.cumsum(axis=2, out=low)
        np.subtract(weights, low, out=high)
        sides = parts.sum(axis=2, dtype=self.kind)
        terms = self._terms(parts, np.maximum(sides, 1)[:, :, None])
        folded = self.criterion.fold.reduce(terms, axis=2, dtype=terms.dtype)

        def weights_at(i: Ints, j: Ints) -> list[Array]:
            return [part[i, :, j] for part in parts]

        value = self._gap(folded, sides, summary, np.arange(len(summary))[:, None])
        value[sides[1] == 0] = CLOSED
        return self._scores(value, summary, weights_at)

    def _most(self, summary: Array) -> Floats:
        """All weight, or twice the cost of each node: so a cut that gains nothing is above 0."""
        return self.weight(summary) * 1.0 if self.is_exact else 2 * self.cost(summary) * self.total

    def _gap(self, folded: Any, sides: Array, summary: Array, node: Array) -> Floats:
        """How far the cost of both sides is below `_most`.

        ``folded`` is what the classes of both ``sides`` add to it, ``node`` that of each cut.
        """
        low, high = map(self._cost, folded, np.maximum(sides, 1))
        cost = low + high if self.table is None else (low + high) * self.table_unit
        value: Floats = self._most(summary)[node] - cost
        self.close_light(sides[0], sides[1], value)
        return value

    def _scores(self, value: Floats, summary: Array, weights_at: WeightsAt) -> Scores:
        """Scores with their ties: ``weights_at`` gives the class weights of cuts."""
        weight = self.weight(summary).astype(np.float64)
        blur = 2 * (self.c + 8) * EPS * weight
        if not self.is_exact:
            return Scores(value, DROP_TIE / 2 * self._most(summary) + blur)

        def first(i: Ints, j: Ints) -> int:
            """Of some cuts the first that gains most, compared as fractions."""
            low, high = (side.astype(np.int64) for side in weights_at(i, j))
            drop, keys = self._exact_drops(low, high)
            best = np.flatnonzero(drop == drop.max()).tolist()
            # Thousands of cuts may tie: a fraction is made once for each pair of integers.
            firsts = {keys[k]: k for k in reversed(best)}
            return min(firsts.values(), key=lambda k: (-Fraction(*keys[k]), k))

        # Two fractions of so few rows differ by 8 / weight^4, which is more than rounding blurs.
        return Scores(value, blur, blur * weight**4 > 4, first)


def _table(criterion: Criterion, total: int) -> tuple[Array | None, float]:
    """The terms of 0, .., total as integers, and the unit they count; None where there are none."""
    if criterion.is_rational or not criterion.has_count_term or total > LARGEST_TABLE:
        return None, 1.0
    table = criterion.count_term(np.arange(total + 1))
    # A sum is largest where all are of one class, or each of a class of its own.
    bits = 61 - int(np.ceil(np.log2(max(table[total], total * table[1]) + 1)))
    return np.rint(np.ldexp(table, bits)).astype(np.int64), float(np.ldexp(1.0, -bits))
