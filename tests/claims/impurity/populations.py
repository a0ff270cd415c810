"""What the claims of chapter 4 are tried on: class counts, splits of counts, tables and trees.

Here too are the definitions, worked out plainly, that the package is compared with.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from claims.kit import Outcome, outcome
from claims.kit import claim as claim_of
from dtviz import impurity as chapter
from dtviz.core import costs
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.optimal import optimal
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]
Learner = Callable[[BooleanFunction], Tree]

claim = partial(claim_of, page="4-impurity")
COUNTS = "vectors of class counts"
CONCAVE = ("gini", "entropy", "sqrt")
"""The costs that are strictly concave."""
LARGEST = {1: 8, 2: 8, 3: 8, 4: 6}
"""Up to how many examples, for each number of classes."""


def near(
    unit: str, found: npt.ArrayLike, expected: npt.ArrayLike, where: Callable[[int], str]
) -> Outcome:
    """Two computations of each number, equal up to rounding; infinite ones may be equal too."""
    x, y = (np.asarray(a, dtype=float).ravel() for a in (found, expected))
    gap = np.abs(np.subtract(x, y, out=np.zeros(x.shape), where=x != y))
    good = gap <= CLOSE
    return outcome(
        unit,
        good,
        ~good,
        lambda k: "equal up to rounding" if good[k] else f"off by {gap[k]:.3g} at {where(k)}",
    )


def attained(got: Outcome, share: float) -> Outcome:
    """The outcome of a bound of which some case uses this share: so the bound cannot drift."""
    assert got.used is not None and got.used >= share, f"only {got.used} of the bound is used"  # noqa: PT018
    return got


# -- class counts ----------------------------------------------------------------------------------


@cache
def all_counts(c: int) -> Ints:
    """Every vector of class counts of ``c`` classes with at least one example, a row each."""
    rows = itertools.product(range(LARGEST[c] + 1), repeat=c)
    return np.array([row for row in rows if 0 < sum(row) <= LARGEST[c]])


@cache
def near_even(c: int) -> Ints:
    """A hundred examples of each class, or one less or more: as near to uniform as there is."""
    return 100 + np.array(list(itertools.product((-1, 0, 1), repeat=c)))


@cache
def lopsided(c: int) -> Ints:
    """Many examples of the last class, and one of each of the others."""
    rows = np.ones((3, c), dtype=np.int64)
    rows[:, -1] = 10, 100, 1000
    return rows


def shares(counts: Ints) -> Floats:
    """The class shares p_k = |S_k| / |S| of each row (claim CU-PK)."""
    return counts / counts.sum(axis=-1, keepdims=True)


def words(counts: Any) -> str:
    """Class counts, as in "2:0:1"."""
    return ":".join(map(str, np.asarray(counts).tolist()))


@cache
def splits(c: int) -> tuple[Ints, Ints]:
    """Class counts of the two sides of every split of at most 5 + 5 examples (3 + 3 for c = 3)."""
    side = all_counts(c)
    side = side[side.sum(axis=1) <= {2: 5, 3: 3}[c]]
    k = len(side)
    return np.repeat(side, k, axis=0), np.tile(side, (k, 1))


def of_every(found: Callable[[Floats], Any], expected: Callable[[list[int]], float]) -> Outcome:
    """A function of shares against another computation from counts, for up to four classes."""
    counts = [row for c in LARGEST for row in all_counts(c)]
    ours = np.concatenate([np.asarray(found(shares(all_counts(c)))) for c in LARGEST])
    theirs = [expected(row.tolist()) for row in counts]
    return near(COUNTS, ours, theirs, lambda k: words(counts[k]))


def uniform(counts: Ints) -> Bools:
    return counts.max(axis=1) == counts.min(axis=1)


def nearly_uniform(counts: Ints) -> Bools:
    """Up to two in a hundred."""
    return counts.max(axis=1) <= 1.02 * counts.min(axis=1)


def all_occur(counts: Ints) -> Bools:
    return counts.min(axis=1) > 0


def only_there(
    of: Callable[[Floats], Any],
    extreme: Callable[[int], float],
    at: Callable[[Ints], Bools] = uniform,
    sign: int = 1,
) -> Outcome:
    """At most (for ``sign`` -1 at least) an extreme, which is attained there and nowhere else."""
    good, lead, names = [], [], []
    for c in (2, 3, 4):
        counts = np.concatenate([all_counts(c), near_even(c)])
        found = np.asarray(of(shares(counts)))
        over = sign * (found - extreme(c))
        good += ((over <= CLOSE) & ((np.abs(over) <= CLOSE) == at(counts))).tolist()
        lead += np.where(at(counts), -9, over).tolist()
        names += [f"{v:.7g} at {words(n)}" for v, n in zip(found, counts, strict=True)]
    return outcome(COUNTS, good, lead, names.__getitem__)


# -- tables ----------------------------------------------------------------------------------------


class Table(NamedTuple):
    """Examples, and what to call them."""

    X: Array
    y: Array
    name: str


class Grown(NamedTuple):
    """A tree of a path, after so many splits."""

    table: Table
    path: chapter.ImpurityPath
    step: int
    tree: Tree


@cache
def small_tables() -> tuple[Table, ...]:
    """Tables of all kinds: bits, codes, reals; repeated rows; two to four classes; parities.

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
        found.append(Table(kinds[k % 3], rng.integers(0, c, m), f"table {k}"))
    lattice = np.array(list(itertools.product(range(3), repeat=2)))
    return (
        *found,
        Table(points(2), zoo.parity(2).table, "XOR"),
        Table(np.tile(points(2), (2, 1)), np.tile(zoo.parity(2).table, 2), "XOR, twice"),
        Table(points(3), zoo.parity(3).table, "parity of 3 bits"),
        Table(lattice, lattice.sum(axis=1) % 2, "a chessboard of 3 by 3"),
    )


@cache
def tables() -> tuple[Table, ...]:
    """Small tables, and some for which the package counts otherwise.

    It takes bins where rows share few values, and other sums for more than 16 classes, for more
    than 4,096 cells, and for more than 1,000 rows.
    """
    rng = np.random.default_rng(21)
    codes, many = rng.integers(0, 6, (300, 2)), rng.random((40, 2))
    large = rng.random((1100, 4)).round(3)
    wrong = rng.random(1100) < 0.003
    labels = (large[:, 0] > 0.3).astype(int) + (large[:, 1] > 0.6) + wrong
    return (
        *small_tables(),
        Table(codes, rng.integers(0, 3, 300), "300 rows of codes"),
        Table(many, rng.permutation(40) % 17, "17 classes"),
        Table(large, labels, "1,100 rows"),
    )


@cache
def paths(cost: str) -> tuple[chapter.ImpurityPath, ...]:
    """The growth of each table by a cost, the small ones first."""
    return tuple(chapter.grow(X, y, cost) for X, y, _ in tables())


@cache
def grown_trees(cost: str) -> tuple[Grown, ...]:
    """The trees of all sizes on the small tables."""
    return tuple(
        Grown(table, path, step, path.tree(step + 1))
        for table, path in zip(small_tables(), paths(cost), strict=False)
        for step in range(path.n_splits + 1)
    )


@cache
def id3_of_tables(cost: str = "entropy") -> tuple[Tree, ...]:
    """What `id3` makes of each table."""
    return tuple(chapter.id3(X, y, cost) for X, y, _ in tables())


@cache
def cubes(n: int = 3) -> tuple[BooleanFunction, ...]:
    """Every function of n variables."""
    return tuple(BooleanFunction.from_int(n, code) for code in range(1 << (1 << n)))


@cache
def id3_trees() -> tuple[Tree, ...]:
    """What `id3` makes of each function of 3 variables, all its points being examples."""
    return tuple(chapter.id3(points(3), f.table) for f in cubes())


def by_id3(f: BooleanFunction) -> Tree:
    """ID3 on the complete truth table of a function of 3 variables."""
    return id3_trees()[f.code]


@cache
def _optimal_trees(measure: str) -> tuple[Tree, ...]:
    return tuple(optimal(f).tree(measure) for f in cubes())


def best_by(measure: str) -> Learner:
    """What finds a tree of 3 variables with the least of a measure."""
    return lambda f: _optimal_trees(measure)[f.code]


@cache
def gains(cost: str) -> Floats:
    """What each variable takes off the cost of the whole cube, function of 3 variables by row."""
    ones = np.array([f.table for f in cubes()])
    impurity = costs.COST_FUNCTIONS[cost]
    found = []
    for low in (points(3) == 0).T:
        sides = [impurity(ones[:, rows].mean(axis=1)) for rows in (low, ~low)]
        found.append(impurity(ones.mean(axis=1)) - (sides[0] + sides[1]) / 2)
    return np.array(found).T


def gainful(path: chapter.ImpurityPath) -> int:
    """How many splits of a path come before the first that gains nothing."""
    useless = np.flatnonzero(path.scores[:-1] == 0)
    return int(useless[0]) if useless.size else path.n_splits


# -- plain definitions -----------------------------------------------------------------------------


def by_size(low: Any, high: Any) -> tuple[Any, Any]:
    """The weights of two sides, by the numbers of their examples."""
    return low / (low + high), high / (low + high)


def exchanged(low: Any, high: Any) -> tuple[Any, Any]:
    """The weight of each side given to the other."""
    return by_size(high, low)


def halves(low: Any, high: Any) -> tuple[Any, Any]:
    """Equal weights."""
    return 0 * low + 0.5, 0 * high + 0.5


def plain_nodes(table: Table, tree: Tree) -> Iterator[tuple[int, Ints]]:
    """Every node of a tree with the rows that reach it."""
    stack = [(0, np.arange(len(table.y)))]
    while stack:
        node, rows = stack.pop()
        yield node, rows
        i = int(tree.variable[node])
        if i >= 0:
            goes = table.X[rows, i] > tree.threshold[node]
            stack += [(int(tree.low[node]), rows[~goes]), (int(tree.high[node]), rows[goes])]


def cost_of(labels: Array, cost: str) -> float:
    """The cost of a leaf with these labels."""
    if cost == "squared":
        return float(costs.squared_loss(labels))
    counts = np.unique(labels, return_counts=True)[1]
    return float(costs.CLASS_COST_FUNCTIONS[cost](counts / labels.size))


def drop_of(labels: Array, low: Bools, cost: str = "entropy") -> float:
    """The drop of a cost when examples with these labels are parted, by definition."""
    sides = [labels[low], labels[~low]]
    after = sum(side.size * cost_of(side, cost) for side in sides if side.size)
    return cost_of(labels, cost) - after / labels.size
