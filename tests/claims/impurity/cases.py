"""The cases that chapter 4's claims are tried on: class counts, splits of counts, small tables.

Here too are the definitions, worked out plainly, that the package is compared with.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from claims.kit import Form, Outcome, outcome
from dtviz import impurity as chapter
from dtviz.core import costs
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.optimal import optimal
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree

__all__ = [
    "PAGE",
    "Learner",
    "SmallSample",
    "Weights",
    "all_counts",
    "best_by",
    "by_id3",
    "by_size",
    "changed",
    "counts_in_words",
    "cubes",
    "drop_of",
    "exchanged",
    "fewest_leaves",
    "gainful",
    "grown_trees",
    "halves",
    "id3_of_samples",
    "id3_trees",
    "lopsided",
    "naive_scan",
    "near",
    "near_even",
    "paths",
    "plain_nodes",
    "shares",
    "small_samples",
    "splits",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]
Check = Callable[..., Outcome]
Learner = Callable[[BooleanFunction], Tree]
Weights = Callable[[Any, Any], tuple[Any, Any]]

PAGE = "4-impurity"
LARGEST = {1: 8, 2: 8, 3: 8, 4: 6}
"""Up to how many examples, for each number of classes."""


# -- forms -----------------------------------------------------------------------------------------


def changed(check: Check, **parts: Mapping[str, object]) -> tuple[Form, ...]:
    """False variants of a form: its check with one argument changed, by what they are called."""
    return tuple(
        Form(label, partial(check, **{part: value}))
        for part, values in parts.items()
        for label, value in values.items()
    )


def near(
    unit: str, found: npt.ArrayLike, expected: npt.ArrayLike, where: Callable[[int], str]
) -> Outcome:
    """Two computations of each number, equal up to rounding."""
    gap = np.abs(np.asarray(found, dtype=float) - np.asarray(expected, dtype=float)).ravel()
    # An infinite number is near to nothing, and one that is none is wrong.
    good = gap <= CLOSE
    return outcome(
        unit,
        good,
        ~good,
        lambda k: "equal up to rounding" if good[k] else f"off by {gap[k]:.3g} at {where(k)}",
    )


# -- class counts ----------------------------------------------------------------------------------


@cache
def all_counts(c: int) -> Ints:
    """Every vector of class counts of ``c`` classes with at least one example, a row each."""
    most = LARGEST[c]
    rows = itertools.product(range(most + 1), repeat=c)
    return np.array([row for row in rows if 0 < sum(row) <= most])


@cache
def near_even(c: int) -> Ints:
    """A hundred examples of each class, or one less or more: as near to uniform as can be told."""
    return 100 + np.array(list(itertools.product((-1, 0, 1), repeat=c)))


@cache
def lopsided(c: int) -> Ints:
    """Many examples of the last class, and one of each of the others."""
    rows = np.ones((3, c), dtype=np.int64)
    rows[:, -1] = 10, 100, 1000
    return rows


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


class Grown(NamedTuple):
    """A tree of a path, after so many splits."""

    sample: SmallSample
    path: chapter.ImpurityPath
    step: int
    tree: Tree


@cache
def small_samples() -> tuple[SmallSample, ...]:
    """Samples of all kinds: bits, codes, reals; repeated rows; two to four classes; parities.

    Most are random; where no question gains at first, as in the last ones, is no matter of chance.
    """
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
    lattice = np.array(list(itertools.product(range(3), repeat=2)))
    found += [
        SmallSample(points(2), zoo.parity(2).table, "XOR"),
        SmallSample(np.tile(points(2), (2, 1)), np.tile(zoo.parity(2).table, 2), "XOR, twice"),
        SmallSample(points(3), zoo.parity(3).table, "parity of 3 bits"),
        SmallSample(lattice, lattice.sum(axis=1) % 2, "a chessboard of 3 by 3"),
    ]
    return tuple(found)


@cache
def paths(cost: str) -> tuple[chapter.ImpurityPath, ...]:
    """The growth of each small sample by a cost."""
    return tuple(chapter.grow(sample.X, sample.y, cost) for sample in small_samples())


@cache
def grown_trees(cost: str) -> tuple[Grown, ...]:
    """The trees of all sizes on the small samples."""
    return tuple(
        Grown(sample, path, step, path.tree(step + 1))
        for sample, path in zip(small_samples(), paths(cost), strict=True)
        for step in range(path.n_splits + 1)
    )


@cache
def id3_of_samples(cost: str = "entropy") -> tuple[Tree, ...]:
    """What `id3` makes of each small sample."""
    return tuple(chapter.id3(sample.X, sample.y, cost) for sample in small_samples())


@cache
def cubes(n: int = 3) -> tuple[BooleanFunction, ...]:
    """Every function of n variables."""
    return tuple(BooleanFunction.from_int(n, code) for code in range(1 << (1 << n)))


@cache
def id3_trees() -> tuple[Tree, ...]:
    """What `id3` makes of each function of 3 variables, all its points being examples."""
    return tuple(chapter.id3(points(3), f.table) for f in cubes())


# -- learners --------------------------------------------------------------------------------------


@cache
def _optimal_trees(measure: str) -> tuple[Tree, ...]:
    """For each function of 3 variables a tree that has the least of a measure."""
    return tuple(optimal(f).tree(measure) for f in cubes())


def best_by(measure: str) -> Learner:
    """What finds a tree with the least of a measure."""
    return lambda f: _optimal_trees(measure)[f.code]


def by_id3(f: BooleanFunction) -> Tree:
    """ID3 on the complete truth table."""
    return id3_trees()[f.code]


def gainful(path: chapter.ImpurityPath) -> int:
    """How many splits of a path come before the first that gains nothing."""
    useless = np.flatnonzero(path.scores[:-1] == 0)
    return int(useless[0]) if useless.size else path.n_splits


# -- weights ---------------------------------------------------------------------------------------


def by_size(low: Any, high: Any) -> tuple[Any, Any]:
    """The weights of two sides, by the numbers of their examples."""
    return low / (low + high), high / (low + high)


def exchanged(low: Any, high: Any) -> tuple[Any, Any]:
    """The weight of each side given to the other."""
    return by_size(high, low)


def halves(low: Any, high: Any) -> tuple[Any, Any]:
    """Equal weights."""
    return 0 * low + 0.5, 0 * high + 0.5


# -- plain definitions -----------------------------------------------------------------------------


def plain_nodes(sample: SmallSample, tree: Tree) -> Iterator[tuple[int, Ints]]:
    """Every node of a tree with the rows that reach it."""
    stack = [(0, np.arange(len(sample.y)))]
    while stack:
        node, rows = stack.pop()
        yield node, rows
        i = int(tree.variable[node])
        if i >= 0:
            goes = sample.X[rows, i] > tree.threshold[node]
            stack += [(int(tree.low[node]), rows[~goes]), (int(tree.high[node]), rows[goes])]


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


def naive_scan(
    x: Array, y: Array, cost: str = "gini", *, weighted: bool = True
) -> chapter.ThresholdScan:
    """What `threshold_scan` gives, with both sides counted anew at each threshold: O(n^2)."""
    values = np.unique(x)
    thresholds = (values[:-1] + values[1:]) / 2
    left = []
    for t in thresholds:
        total = 0.0
        for side in (y[x <= t], y[x > t]):
            weight = side.size if weighted else len(y) / 2
            if cost == "squared":
                total += weight * costs.squared_loss(side)
            else:
                counts = np.unique(side, return_counts=True)[1]
                total += weight * costs.CLASS_COST_FUNCTIONS[cost](counts / side.size)
        left.append(total / len(y))
    return chapter.ThresholdScan(thresholds, np.array(left))


@cache
def fewest_leaves(n: int = 3) -> Ints:
    """The fewest leaves of a tree for each function, from the trees: leaves 1, 2, 3 and so on.

    `dt.optimal` goes the other way, from the subcubes of one function.
    """
    full = (1 << (1 << n)) - 1
    ones = [sum(1 << x for x in range(1 << n) if x >> i & 1) for i in range(n)]
    fewest = np.zeros(full + 1, dtype=np.int64)
    fewest[[0, full]] = 1
    for leaves in range(2, (1 << n) + 1):
        for of_low in range(1, leaves):
            low, high = (np.flatnonzero(fewest == k) for k in (of_low, leaves - of_low))
            for one in ones:
                made = (low[:, None] & (full ^ one)) | (high & one)
                fewest[made[fewest[made] == 0]] = leaves
    return fewest
