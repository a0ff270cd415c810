"""Classes and a criterion: the arithmetic of impurity behind the split scan.

What a leaf costs follows from a sum over its classes (the error: from a maximum). When a row passes
from one side of a cut to the other, only the term of its own class changes, so one cumulative sum
of the changes gives the cost of a side at every threshold, however many classes there are.

Of few classes each has a sum of its own, of weights: integers are exact in any order. Terms of
weights that are not integers come from a table, if it is not too large.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dtviz.core.bases import Array, Bools, Floats, Ints
from dtviz.core.cart.criteria import Criterion, Leaf
from dtviz.core.cart.histograms import Histograms
from dtviz.core.cart.scan import (
    CLOSED,
    Block,
    Cuts,
    Features,
    Level,
    Nodes,
    Scorer,
    Scores,
    best_bins,
    best_cuts,
    smallest,
    uses_bins,
)
from dtviz.core.cart.target import Target, clear_rounding
from dtviz.core.data.weights import Weights
from dtviz.core.tolerances import DROP_TIE

LARGEST_TABLE = 1 << 22
"""Up to this total weight the terms of entropy and square root are in a table."""

EXACT_SQUARES = 94_906_265
"""Up to this total weight, products of two weights are exact as floats."""

FEW_CLASSES = 8
"""Up to so many classes of a node, each has a sum of its own."""

SHORT = 1 << 15
"""Below this total weight squares of weights are integers of 32 bits."""

CUTS_AT_ONCE = 1 << 16
"""So many bins are scored at a time: what is worked out on the way fits in a cache."""


class ClassTarget(Target):
    """Classes 0 .. c-1 and a criterion; a summary has the weight of each class to begin with."""

    def __init__(
        self, codes: Ints, classes: Array, criterion: Criterion, weights: Weights, share: float
    ) -> None:
        super().__init__(weights.whole, share)
        self.c, self.classes = classes.size, classes
        self.codes = codes.astype(smallest(self.c))
        self.criterion, self.unit, self.cost_name = criterion, weights.unit, criterion.name
        self.is_countable = criterion.is_quadratic and self.is_plain
        """Whether the cost is Gini of the numbers of rows."""
        self.table: Array | None = None
        by_count = criterion.has_count_term and not criterion.has_whole_terms
        if by_count and self.total <= LARGEST_TABLE:
            self.table = criterion.count_term(np.arange(self.total + 1))
        is_short = criterion.has_whole_terms and self.total < SHORT
        self.kind = np.int32 if is_short else np.float64 if self.table is None else np.int64
        """That of the weights that terms are made of."""
        self.has_offsets = criterion.is_quadratic and self.total <= EXACT_SQUARES
        of_maxima = criterion.fold is np.maximum and self.total * self.m >> 62 > 0
        self.has_sums = criterion.has_count_term and not of_maxima
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

    def summary_of_counts(self, counts: list[list[int]]) -> Array:
        """The same from the numbers of rows of each class, where every row weighs 1."""
        of_class = np.array(counts, dtype=np.int64).reshape(-1, self.c)
        whole = of_class.sum(axis=1, keepdims=True)
        return np.concatenate([of_class, whole, whole], axis=1)

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
        heaviest = weights >= weights.max(axis=1, keepdims=True) * (1 - DROP_TIE)
        labels: Array = self.classes[heaviest.argmax(axis=1)]
        return labels

    def error(self, summary: Array) -> Floats:
        """The weight not in the heaviest class."""
        wrong: Floats = (self.weight(summary) - self._weights(summary).max(axis=1)) / self.total
        return wrong

    def cost(self, summary: Array) -> Floats:
        """The impurity of the class weights."""
        return self._leaf_cost(summary) / self.total

    def _leaf_cost(self, summary: Array) -> Floats:
        """The same times all weight."""
        whole = self.weight(summary).astype(self.kind)
        terms = self._terms(self._weights(summary).astype(self.kind), whole[:, None])
        cost = self._cost(self.criterion.fold.reduce(terms, axis=1), whole)
        # Rounding must not make a pure leaf cost something.
        return np.where(self.is_impure(summary), cost, 0)

    def _terms(self, weights: Array, whole: Any = 1) -> Array:
        """What classes of these weights add to the cost of a side of weight ``whole``."""
        if self.table is not None:
            return self.table.take(weights)
        terms: Array = (
            self.criterion.count_term(weights)
            if self.criterion.has_count_term
            else self.criterion.term(weights / whole)
        )
        return terms

    def _cost(self, folded: Array, whole: Array) -> Floats:
        """The cost of sides times their weights, from what their classes add together."""
        # To divide integers takes several times as long.
        folded = folded.astype(np.float64, copy=False)
        if self.table is None:
            whole = whole.astype(np.float64, copy=False)
        cost: Floats
        if self.criterion.has_count_term:
            cost = self.criterion.count_cost(folded, Leaf(whole, self._terms(whole)))
        else:
            cost = self.criterion.combine(folded) * whole
        return cost

    def drops(self, parent: Array, sides: Array) -> Floats:
        """The cost of the whole, less that of the sides."""
        costs = self._leaf_cost(np.concatenate([parent, sides]))
        before, low, high = costs.reshape(3, -1)
        return clear_rounding(before - low - high, before) / self.total

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
        place, weights = _gather(self._weights(summary))
        is_few = weights.shape[1] <= FEW_CLASSES
        if is_few and self.has_offsets:
            offsets = self._offsets(level, summary, place, weights)
            scorer: Scorer = partial(self._score_offsets, offsets)
        elif self.has_sums and not is_few:
            scorer = self._score_sums
        else:
            rows, node = level.members
            code = np.zeros(self.m, dtype=smallest(self.c))
            code[rows] = place[node, self.codes.take(rows)]
            scorer = partial(self._score_classes, code)
        return best_cuts(level, summary, scorer)

    def _offsets(self, level: Level, summary: Array, place: Ints, weights: Array) -> Floats:
        """What each row adds to ``n l_k - n_k n_L`` as it comes to the low side, class by class.

        The sum over all classes is 0: the last is left out. So is the sum over a node: running sums
        need not begin again with each. ``place`` and ``weights`` are of the classes of each node.
        """
        rows, node = level.members
        codes = self.codes.take(rows)
        if self.c > 2:  # Of two classes an open node has both.
            codes = place[node, codes]
        offsets = np.zeros((weights.shape[1] - 1, self.m))
        whole = level.spread_rows(self.weight(summary))
        for k, own in enumerate(offsets):
            own[rows] = (codes == k) * whole - level.spread_rows(weights[:, k])
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
        product, divisor = np.add(low, high, dtype=np.int64), np.maximum(high, 1.0)
        product *= low
        divisor *= product
        value *= np.divide(1, divisor, out=divisor)
        self.close_light(low, high, value)
        slack = DROP_TIE * self._leaf_cost(summary)
        return Scores(value, slack / 2 if len(offsets) == 1 else slack)

    def _running(self, block: Block, summary: Array) -> Array:
        """What the classes of the low and of the high side add together after each cell.

        A row that comes to the low side changes the term of its own class alone. So cells are put
        in order by node and class: features have the same rows, and groups of the same sizes.
        """
        nodes, weights, (f, n) = block.nodes, self._weights(summary), block.rows.shape
        kind: Any = self.kind
        present = np.flatnonzero(weights)
        number = np.zeros(weights.size, dtype=np.uint32)
        number[present] = np.arange(present.size)
        group = number.take(nodes.node * self.c + self.codes.take(block.rows))
        bits = n.bit_length()
        key: Any = group.astype(np.uint32 if present.size.bit_length() + bits <= 32 else np.uint64)
        key <<= bits
        key |= nodes.places.astype(key.dtype)
        key.sort(axis=1)
        size = np.bincount((key[0] >> bits).astype(np.intp))
        start = size.cumsum() - size
        key &= (1 << bits) - 1
        place = key.astype(np.intp) + n * np.arange(f)[:, None]
        each: Any = 1
        if self.is_plain:
            low = (nodes.places - (start - 1).repeat(size)).astype(kind)
        else:
            each = self.weights.take(block.rows.ravel().take(place)).astype(kind)
            low = each.cumsum(axis=1)
            low -= (low - each)[:, start].repeat(size, axis=1)
        high = weights.ravel()[present].astype(kind).repeat(size) - low
        if self.criterion.fold is np.maximum:
            return self._running_maxima(nodes, place, low, high + each)
        whole: Array = self._terms(weights.astype(kind)).sum(axis=1)
        sums = np.empty((2, f, n), dtype=whole.dtype)
        sums[0].put(place, self._terms(low) - self._terms(low - each))
        sums[1].put(place, self._terms(high) - self._terms(high + each))
        sums[0][:, nodes.start[1:]] -= whole[:-1]
        sums[1][:, nodes.start] += whole
        sums.cumsum(axis=2, out=sums)
        if self.table is not None:
            # What the nodes before have left by rounding; at its end a node has all, then nothing.
            ends = nodes.start + nodes.size - 1
            sums[0] -= (sums[0][:, ends] - whole).repeat(nodes.size, axis=1)
            sums[1] -= sums[1][:, ends].repeat(nodes.size, axis=1)
        return sums

    def _running_maxima(self, nodes: Nodes, place: Ints, low: Array, high: Array) -> Array:
        """The same for maxima: of what each class has up to its last row, or from its next row."""
        most = np.empty((2, *place.shape), dtype=np.int64)
        apart = nodes.node * (self.total + 1)
        for cells, own, turn in zip(most, (low, high), (1, -1), strict=True):
            cells.put(place, own)
            np.add(cells, turn * apart, out=cells)
            np.maximum.accumulate(cells[:, ::turn], axis=1, out=cells[:, ::turn])
            np.subtract(cells, turn * apart, out=cells)
        most[1, :, :-1] = most[1, :, 1:]
        most[1][:, nodes.start + nodes.size - 1] = 0
        return most

    def _score_sums(self, block: Block, summary: Array) -> Scores:
        """How far below a bound the cost of both sides is, after each cell."""
        sides, folded = self.sides(block, summary), self._running(block, summary)
        return self._scores(folded, sides.astype(self.kind), summary, block.nodes.node)

    def _score_classes(self, code: Array, block: Block, summary: Array) -> Scores:
        """The same class by class; ``code`` is the place of each row's class in its node."""
        node, rows = block.nodes.node, block.rows
        sides = self.sides(block, summary).astype(self.kind)
        whole, codes = np.maximum(sides, 1), code.take(rows)
        each = 1 if self.is_plain else self.weights.take(rows)
        folded: Any = None
        for k, weight in enumerate(_gather(self._weights(summary))[1].astype(self.kind).T):
            low = block.running(np.where(codes == k, each, 0).astype(self.kind))
            terms = self._terms(np.stack([low, weight.take(node) - low]), whole)
            folded = terms if k == 0 else self.criterion.fold(folded, terms)
        return self._scores(folded, sides, summary, node)

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
        scores = self._scores(folded, sides, summary, np.arange(len(summary))[:, None])
        scores.value[sides[1] == 0] = CLOSED
        return scores

    def _scores(self, folded: Any, sides: Array, summary: Array, node: Array) -> Scores:
        """How far the cost of both sides is below twice that of the node: so it is above 0.

        ``folded`` is what the classes of both ``sides`` add to it, ``node`` that of each cut.
        """
        before = self._leaf_cost(summary)
        low, high = map(self._cost, folded, np.maximum(sides, 1))
        value: Floats = 2 * before[node] - low - high
        self.close_light(sides[0], sides[1], value)
        return Scores(value, DROP_TIE * before)


def _gather(weights: Array) -> tuple[Ints, Array]:
    """For each class its place among those that a node has, and their weights side by side."""
    present = weights > 0
    place = present.cumsum(axis=1) - 1
    node, code = present.nonzero()
    few = np.zeros((len(weights), int(place[:, -1].max()) + 1), dtype=weights.dtype)
    few[node, place[node, code]] = weights[node, code]
    return place, few
