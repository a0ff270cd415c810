"""The cases that chapter 4's claims are tried on: class counts, splits of counts, small tables.

Here too are the definitions, worked out plainly, that the package is compared with.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz import impurity as chapter
from dtviz.core import costs
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.tree import Tree

__all__ = [
    "FUNCTIONS",
    "Reads",
    "SmallSample",
    "all_counts",
    "count_reads",
    "counts_in_words",
    "drop_of",
    "gains",
    "id3_trees",
    "naive_scan",
    "shares",
    "small_samples",
    "splits",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]


FUNCTIONS = "functions of 3 variables"
LARGEST = {1: 8, 2: 8, 3: 8, 4: 6}
"""Up to how many examples, for each number of classes."""


# -- class counts ----------------------------------------------------------------------------------


@cache
def all_counts(c: int) -> Ints:
    """Every vector of class counts of ``c`` classes with at least one example, a row each."""
    most = LARGEST[c]
    rows = itertools.product(range(most + 1), repeat=c)
    return np.array([row for row in rows if 0 < sum(row) <= most])


def shares(counts: Ints) -> Floats:
    """The class shares p_k = |S_k| / |S| of each row (claim CU-PK)."""
    share: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return share


def counts_in_words(counts: Any) -> str:
    """Class counts, as in "2:0:1"."""
    return ":".join(map(str, np.asarray(counts).tolist()))


@cache
def splits(c: int) -> tuple[Ints, Ints]:
    """Class counts of the two sides of every split of at most 5 + 5 examples (3 + 3 for c = 3)."""
    side = all_counts(c)
    side = side[side.sum(axis=1) <= {2: 5, 3: 3}[c]]
    k = len(side)
    return np.repeat(side, k, axis=0), np.tile(side, (k, 1))


# -- small samples ---------------------------------------------------------------------------------


class SmallSample(NamedTuple):
    """A small sample and what to call it."""

    X: Array
    y: Array
    name: str


@cache
def small_samples() -> tuple[SmallSample, ...]:
    """Random samples of all kinds: bits, codes, reals; repeated rows; two to four classes."""
    rng = np.random.default_rng(20)
    found = []
    for k in range(60):
        m, d, c = int(rng.integers(1, 14)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
        kinds = (
            rng.integers(0, 2, (m, d)),
            rng.integers(-2, 3, (m, d)),
            rng.normal(size=(m, d)).round(1),
        )
        found.append(SmallSample(kinds[k % 3], rng.integers(0, c, m), f"table {k}"))
    return tuple(found)


@cache
def id3_trees() -> tuple[Tree, ...]:
    """What `id3` makes of each function of 3 variables, all its points being examples."""
    cube = points(3)
    made = (BooleanFunction.from_int(3, code) for code in range(256))
    return tuple(chapter.id3(cube, f.table) for f in made)


# -- plain definitions -----------------------------------------------------------------------------


def drop_of(labels: Array, low: npt.NDArray[np.bool_], cost: str = "entropy") -> float:
    """The drop of a cost when examples with these labels are parted, by definition."""

    def share_of(inside: npt.NDArray[np.bool_]) -> float:
        part = labels[inside]
        if part.size == 0:
            return 0.0
        counts = np.unique(part, return_counts=True)[1]
        return float(part.size * costs.CLASS_COST_FUNCTIONS[cost](counts / part.size))

    whole = share_of(np.ones(labels.size, dtype=np.bool_))
    return (whole - share_of(low) - share_of(~low)) / labels.size


def gains(f: BooleanFunction, cost: str = "entropy") -> Floats:
    """What each variable of a function takes off the cost of the whole cube, as the first test."""
    cube = points(f.n)
    return np.array([drop_of(f.table, cube[:, i] == 0, cost) for i in range(f.n)])


def naive_scan(x: Array, y: Array, cost: str = "gini") -> chapter.ThresholdScan:
    """What `threshold_scan` gives, with both sides counted anew at each threshold: O(n^2)."""
    values = np.unique(x)
    thresholds = (values[:-1] + values[1:]) / 2
    left = []
    for t in thresholds:
        total = 0.0
        for side in (y[x <= t], y[x > t]):
            if cost == "squared":
                total += side.size * costs.squared_loss(side)
            else:
                counts = np.unique(side, return_counts=True)[1]
                total += side.size * costs.CLASS_COST_FUNCTIONS[cost](counts / side.size)
        left.append(total / len(y))
    return chapter.ThresholdScan(thresholds, np.array(left))


class Reads(NamedTuple):
    """How many labels two scans of one feature read, and the least Gini impurity they find."""

    naive: int
    incremental: int
    naive_best: Fraction
    incremental_best: Fraction


def count_reads(y: Sequence[int]) -> Reads:
    """Scan n examples in order of a feature with distinct values, both ways, in fractions."""
    n, c = len(y), max(y) + 1

    def weighted(low: list[int], high: list[int]) -> Fraction:
        total = Fraction(0)
        for counts in (low, high):
            size = sum(counts)
            total += size - Fraction(sum(k * k for k in counts), size)
        return total / n

    naive_best = incremental_best = Fraction(1)
    naive = 0
    for cut in range(1, n):
        sides = [[0] * c, [0] * c]
        for place, label in enumerate(y):
            sides[place >= cut][label] += 1
            naive += 1
        naive_best = min(naive_best, weighted(*sides))
    low, high = [0] * c, [0] * c
    for label in y:
        high[label] += 1
    incremental = n
    for label in y[:-1]:
        low[label] += 1
        high[label] -= 1
        incremental += 1
        incremental_best = min(incremental_best, weighted(low, high))
    return Reads(naive, incremental, naive_best, incremental_best)
