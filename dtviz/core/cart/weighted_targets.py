"""Examples with weights: the arithmetic of impurity where each row counts as much as it weighs.

Weights become integers, so that sums of them are exact in any order: whole numbers stay what they
are, others are rounded to multiples of about the 2^-52th part of their total. So a weight of 2 is
the example twice, and a weight of 0, or of next to nothing, is no example.
"""

from __future__ import annotations

import contextlib
import math
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.class_target import LARGEST_SQUARE, Ratio, Target, large_gini, significant
from dtviz.core.cart.scan import CLOSED, Block, Cuts, Level, Nodes, Scores, best_cuts
from dtviz.core.checks import as_array, shown
from dtviz.core.criteria import Criterion
from dtviz.core.tolerances import DROP_TIE

__all__ = [
    "WeightedClassTarget",
    "WeightedTarget",
    "Weights",
    "as_sample_weight",
    "read_weights",
]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]

BITS = 52
"""A total of so many bits is exact as a float, and has room as an integer when it is doubled."""

SMALLEST = 1e-280
"""The largest weight is at least this, so that the unit of the others is a normal float."""

EPS = float(np.finfo(float).eps)


class Weights(NamedTuple):
    """Weights as integers with a sum below 2^53, the unit they count, and if none was rounded."""

    whole: Ints
    unit: float
    exact: bool


def as_sample_weight(value: Any, m: int) -> tuple[Ints, float]:
    """The weights of m examples as integers, and the unit they count: those of `read_weights`."""
    return read_weights(value, m)[:2]


def read_weights(value: Any, m: int) -> Weights:
    """The weights of m examples; what has been read before stays as it is.

    Raises
    ------
    ValueError
        If they are not m finite numbers >= 0, or all are 0.
    """
    if isinstance(value, Weights):
        return value
    array = as_array(value)
    rule = f"sample_weight must be {m} finite numbers >= 0, one for each row of X, not all zero"
    if array is not None and array.dtype.kind == "O" and array.ndim == 1:
        # Fractions, decimals and Python's large integers are numbers too; text is none.
        entries = array.tolist()
        with contextlib.suppress(TypeError, OverflowError):
            if all(isinstance(entry, Number) for entry in entries):
                array = np.array([float(entry) for entry in entries])
    if array is None or array.dtype.kind not in "biuf" or array.ndim != 1:
        msg = f"{rule}, got {shown(value)}"
        raise ValueError(msg)
    if array.size != m:
        msg = f"{rule}, got {array.size} of them"
        raise ValueError(msg)
    weights = array.astype(np.float64)
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        msg = f"{rule}, got {weights[wrong][0]} at index {int(wrong.argmax())}"
        raise ValueError(msg)
    largest = float(weights.max())
    if not largest >= SMALLEST:
        msg = f"{rule}, the largest at least {SMALLEST:g}, got {largest:g} as the largest"
        raise ValueError(msg)
    # Scaled first: the sum may be beyond the floats.
    exponent = math.frexp(largest)[1]
    scaled = np.ldexp(weights, -exponent)
    bits = math.frexp(float(scaled.sum()))[1]
    if exponent + bits <= BITS and (weights == np.floor(weights)).all():
        return Weights(weights.astype(np.int64), 1.0, exact=True)
    fine = np.ldexp(scaled, BITS - bits)
    whole = np.rint(fine)
    unit = math.ldexp(1.0, exponent + bits - BITS)
    return Weights(whole.astype(np.int64), unit, exact=bool((whole == fine).all()))


class WeightedTarget(Target):
    """What classes and numbers share: a summary ends with the weight and the number of rows."""

    def __init__(self, weights: Ints, share: float) -> None:
        self.weights, self.m = weights, weights.size
        self.total = int(weights.sum())
        self.lightest = math.ceil(share * self.total)

    def size(self, summary: Array) -> Ints:
        """The last column."""
        return summary[:, -1].astype(np.intp)

    def weight(self, summary: Array) -> Array:
        """The column before."""
        weight: Array = summary[:, -2]
        return weight

    def _sides(self, block: Block, summary: Array) -> tuple[Array, Array, Ints]:
        """The weight on both sides of the cut after each cell, and that of each cell."""
        weights = self.weights.take(block.rows)
        whole = summary[:, -2].astype(np.int64)
        low = _within_nodes(weights.cumsum(axis=1), whole, block.nodes)
        return low, whole[block.nodes.node] - low, weights

    def _heavy(self, sides: tuple[Array, Array], scores: Scores) -> Scores:
        """The scores, cuts with too little weight on a side closed."""
        if self.lightest > 1:
            low, high = sides
            light = (low < self.lightest) | (high < self.lightest)
            np.copyto(scores.value, CLOSED, where=light)
        return scores


class WeightedClassTarget(WeightedTarget):
    """Classes 0 .. c-1; a summary has the weight of each class, of all, and the number of rows."""

    def __init__(
        self, codes: Ints, classes: Array, criterion: Criterion, weights: Weights, share: float
    ) -> None:
        super().__init__(weights.whole, share)
        self.codes, self.classes, self.labels = codes, classes, classes
        self.c, self.unit = classes.size, weights.unit
        self.criterion, self.name = criterion, criterion.name if criterion.has_counts else ""
        self.blur = 0.0 if weights.exact else DROP_TIE
        self.exact = weights.exact and self.name in ("error", "gini")

    def summary(self, rows: Array, node: Array, k: int) -> Array:
        """The sums are of integers below 2^53: as floats they are exact."""
        group = node * np.intp(self.c) + self.codes[rows]
        weights = np.bincount(group, self.weights[rows], minlength=k * self.c).reshape(k, self.c)
        number = np.bincount(node, minlength=k)
        parts = [weights, weights.sum(axis=1)[:, None], number[:, None]]
        return np.concatenate(parts, axis=1).astype(np.int64)

    def counts(self, summary: Array) -> Array:
        """The weights as they were given."""
        weights: Array = summary[:, : self.c] * self.unit
        return weights

    def is_impure(self, summary: Array) -> Bools:
        """Whether two classes are there."""
        impure: Bools = (summary[:, : self.c] > 0).sum(axis=1) > 1
        return impure

    def value(self, summary: Array) -> Array:
        """The class of the largest weight, the lowest if tied."""
        weights = summary[:, : self.c]
        heaviest = weights >= weights.max(axis=1, keepdims=True) * (1 - self.blur)
        labels: Array = self.labels[heaviest.argmax(axis=1)]
        return labels

    def error(self, summary: Array) -> Floats:
        """The weight not in the heaviest class."""
        wrong: Floats = (self.weight(summary) - summary[:, : self.c].max(axis=1)) / self.total
        return wrong

    def cost(self, summary: Array) -> Floats:
        """By the definition, from the shares of the classes."""
        if self.name == "error":
            return self.error(summary)
        weight = self.weight(summary)
        impurity = self.criterion.of_shares(summary[:, : self.c] / weight[:, None])
        return np.where(self.is_impure(summary), impurity * (weight / self.total), 0.0)

    def drops(self, parent: Array, low: Array, high: Array) -> tuple[Floats, list[Any]]:
        """Exact for Gini and the error, if the weights are, else to 11 digits."""
        if self.exact and self.name == "error":
            parts = [side[:, : self.c].max(axis=1) for side in (low, high, parent)]
            return (parts[0] + parts[1] - parts[2]) / self.total, [0] * len(parent)
        if self.exact:
            n, n_low, n_high = (self.weight(side).astype(object) for side in (parent, low, high))
            s, a, b = (
                (side[:, : self.c].astype(object) ** 2).sum(axis=1) for side in (parent, low, high)
            )
            above = (a * n_high + b * n_low) * n - s * n_low * n_high
            below = n_low * n_high * n
            drop = np.asarray(above / below, dtype=np.float64) / self.total
            return drop, [*map(Ratio, above.tolist(), below.tolist())]
        before = self.cost(parent)
        drop = before - self.cost(low) - self.cost(high)
        blur = 4 * self.c * EPS * self.weight(parent) / self.total
        return significant(drop, before, blur), [0] * len(parent)

    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """From running weights."""
        of_class = self.codes[rows, None] == np.arange(self.c)
        seen = np.where(of_class, self.weights[rows, None], 0).cumsum(axis=0)
        whole = np.concatenate([seen, seen.sum(axis=1)[:, None], seen[:, :1]], axis=1)
        low = whole[cuts - 1]
        return self.cost(low) + self.cost(whole[-1] - low)

    def response(self, rows: Array) -> tuple[Floats, Array | None]:
        """What a row weighs in the second class."""
        weights = self.weights[rows]
        return (weights * self.codes[rows]).astype(np.float64), weights

    def cuts(self, level: Level, summary: Array) -> Cuts:
        """From the weights of all classes on both sides of each cell."""
        return best_cuts(level, summary, self._scores)

    def _scores(self, block: Block, summary: Array) -> Scores:
        """Of the cuts after each cell, class after class."""
        low_size, high_size, weights = self._sides(block, summary)
        sides, node = (low_size, high_size), block.nodes.node
        codes = self.codes.take(block.rows)
        weight = self.weight(summary)
        number = weight.astype(np.float64)[node]
        is_error = self.name == "error"
        exact = self.exact and (is_error or self.total <= LARGEST_SQUARE)
        fold, combine = self.criterion.fold, self.criterion.combine
        divisors = np.maximum(low_size, 1), np.maximum(high_size, 1)

        def term(side: Array, divisor: Array) -> Any:
            if not exact:
                return self.criterion.term(side / divisor)
            return side if is_error else side * side

        low_part = high_part = np.zeros_like(low_size)
        for k in range(self.c):
            low = np.where(codes == k, weights, 0).cumsum(axis=1)
            low = _within_nodes(low, summary[:, k], block.nodes)
            low_part = fold(low_part, term(low, divisors[0]))
            high_part = fold(high_part, term(summary[node, k] - low, divisors[1]))
        if exact and is_error:
            return self._heavy(sides, Scores(low_part + high_part, np.zeros(len(summary))))
        if exact:
            return self._heavy(sides, large_gini(low_part, high_part, *sides, weight))
        left = (combine(low_part) * low_size + combine(high_part) * high_size) / number
        relative = self.cost(summary) * self.total / weight
        # So that a cut that gains nothing is above 0.
        np.subtract(2 * relative[node], left, out=left)
        return self._heavy(sides, Scores(left, DROP_TIE * relative + 16 * self.c * EPS))


def _within_nodes(sums: Ints, whole: Ints, nodes: Nodes) -> Ints:
    """Running sums along nodes, begun anew with each node; ``whole`` has those of the nodes."""
    sums -= (whole.cumsum() - whole)[nodes.node]
    return sums
