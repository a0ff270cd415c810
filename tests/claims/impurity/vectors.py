"""Checks on every small vector of class counts, which forms of several claims share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import all_counts, counts_in_words, near, near_even, shares
from claims.kit import Outcome, outcome
from dtviz.core import costs
from dtviz.core.tolerances import CLOSE

__all__ = [
    "COUNTS",
    "entropy_from_counts",
    "every",
    "every_class_occurs",
    "greatest_at_uniform",
    "nearly_uniform",
    "uniform",
]

COUNTS = "vectors of class counts"
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
OfCounts = Callable[[list[int]], float]
OfShares = Callable[[Floats], Any]


def every(found: OfShares, expected: OfCounts) -> Outcome:
    """A function of shares against another computation from counts."""
    ours, theirs, names = [], [], []
    for c in range(1, 5):
        ours += np.asarray(found(shares(all_counts(c)))).tolist()
        theirs += [expected(counts) for counts in all_counts(c).tolist()]
        names += [counts_in_words(counts) for counts in all_counts(c)]
    return near(COUNTS, ours, theirs, names.__getitem__)


def uniform(counts: Ints) -> Bools:
    """Whether all classes have as many examples."""
    even: Bools = counts.max(axis=1) == counts.min(axis=1)
    return even


def nearly_uniform(counts: Ints) -> Bools:
    """Whether they do up to two in a hundred."""
    even: Bools = counts.max(axis=1) <= 1.02 * counts.min(axis=1)
    return even


def every_class_occurs(counts: Ints) -> Bools:
    """Whether each class has an example."""
    return np.asarray(counts.min(axis=1) > 0)


def greatest_at_uniform(
    impurity: str = "gini",
    bound: Callable[[int], float] = lambda c: 1 - 1 / c,
    at: Callable[[Ints], Bools] = uniform,
    *,
    strict: bool = True,
) -> Outcome:
    """At most the bound; ``strict`` asks too that it is attained there, and nowhere else."""
    good, value, names = [], [], []
    for c in (2, 3, 4):
        counts = np.concatenate([all_counts(c), near_even(c)])
        found = getattr(costs, impurity)(shares(counts))
        reached = np.abs(found - bound(c)) <= CLOSE
        good += ((found <= bound(c) + CLOSE) & (not strict or reached == at(counts))).tolist()
        value += (found - bound(c)).tolist()
        names += [
            f"{impurity} {v:.7g} at {counts_in_words(n)}"
            for v, n in zip(found, counts, strict=True)
        ]
    return outcome(COUNTS, good, value, names.__getitem__)


def entropy_from_counts(counts: list[int], log: Callable[[Any], Any] = np.log2) -> float:
    """``log n`` less the mean of ``log n_k`` over the examples."""
    n = sum(counts)
    return float(log(n) - sum(k * log(k) for k in counts if k) / n)
