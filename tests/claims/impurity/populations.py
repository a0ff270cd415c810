"""What the claims of chapter 4 are tried on: class counts, splits of counts, tables and trees.

Here too are the definitions, worked out plainly, that the package is compared with.
"""

from __future__ import annotations

import itertools
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from claims.kit import at_most, claim, every, outcome, rowwise
from dtviz import impurity as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.cart import criteria
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree.tree import Tree

COUNTS = "vectors of class counts"
CONCAVE = ("gini", "entropy", "sqrt")
"""The costs that are strictly concave."""
LARGEST = {1: 8, 2: 8, 3: 8, 4: 6}
"""Up to how many examples, for each number of classes."""


stated = partial(claim, page="4-impurity")


def near(unit, found, expected, where):
    """Two computations of each number, equal up to rounding; infinite ones may be equal too."""
    x, y = (np.asarray(a, dtype=float).ravel() for a in (found, expected))
    gap = np.abs(np.subtract(x, y, out=np.zeros(x.shape), where=x != y))
    good = gap <= CLOSE

    def describe(k):
        return "equal up to rounding" if good[k] else f"off by {gap[k]:.3g} at {where(k)}"

    return outcome(unit, good, ~good, describe)


def _drawn(unit, good, nearness, trees, where):
    return outcome(unit, good, nearness, where, example=trees.__getitem__)


def _bound_of_trees(unit, left, right, trees, where, **more):
    return at_most(unit, left, right, where, example=trees.__getitem__, **more)


matches = partial(rowwise, near)
"""A check of rows (found, expected, where): equal up to rounding in each."""
drawn = partial(rowwise, _drawn)
"""A check of rows (good, how near to refuting, tree, where); the trees can be shown."""
bounds_of_trees = partial(rowwise, _bound_of_trees)
"""A check of rows (left, right, tree, where)."""


@cache
def all_counts(c):
    """Every vector of class counts of ``c`` classes with at least one example, a row each."""
    rows = itertools.product(range(LARGEST[c] + 1), repeat=c)
    return np.array([row for row in rows if 0 < sum(row) <= LARGEST[c]])


@cache
def near_even(c):
    """A hundred examples of each class, or one less or more: as near to uniform as there is."""
    return 100 + np.array(list(itertools.product((-1, 0, 1), repeat=c)))


@cache
def lopsided(c):
    """Many examples of the last class, and one of each of the others."""
    rows = np.ones((3, c), dtype=np.int64)
    rows[:, -1] = 10, 100, 1000
    return rows


def shares(counts):
    """The class shares p_k = |S_k| / |S| of each row (claim CU-PK)."""
    return counts / counts.sum(axis=-1, keepdims=True)


def words(counts):
    return ":".join(map(str, np.asarray(counts).tolist()))


@cache
def splits(c):
    """Class counts of the two sides of every split of at most 5 + 5 examples (3 + 3 for c = 3)."""
    side = all_counts(c)
    side = side[side.sum(axis=1) <= {2: 5, 3: 3}[c]]
    k = len(side)
    return np.repeat(side, k, axis=0), np.tile(side, (k, 1))


@matches(COUNTS)
def of_every(found, expected):
    """A function of shares against another computation from counts, for up to four classes."""
    for c in LARGEST:
        for counts, ours in zip(all_counts(c), found(shares(all_counts(c))), strict=True):
            yield ours, expected(counts.tolist()), words(counts)


def uniform(counts):
    return counts.max(axis=1) == counts.min(axis=1)


def nearly_uniform(counts):
    return counts.max(axis=1) <= 1.02 * counts.min(axis=1)


def only_there(of, height, sign=1):
    """The check that a function is at most its height for c classes, and that at uniform shares.

    For ``sign`` -1 at least; and nowhere else.
    """

    @every(COUNTS)
    def check(factor=1, more=0, at=uniform, of=of):
        for c in (2, 3, 4):
            counts = np.concatenate([all_counts(c), near_even(c)])
            found, there = of(shares(counts)), at(counts)
            over = sign * (found - factor * height(c + more))
            good = (over <= CLOSE) & ((np.abs(over) <= CLOSE) == there)
            names = [f"{v:.7g} at {words(n)}" for v, n in zip(found, counts, strict=True)]
            yield from zip(good, np.where(there, -9, over), names, strict=True)

    return check


class Table(NamedTuple):
    X: Any
    y: Any
    name: str


class Grown(NamedTuple):
    table: Table
    path: chapter.ImpurityPath
    step: int
    tree: Tree


@cache
def small_tables():
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
        Table(cube_points(2), zoo.parity(2).table, "XOR"),
        Table(np.tile(cube_points(2), (2, 1)), np.tile(zoo.parity(2).table, 2), "XOR, twice"),
        Table(cube_points(3), zoo.parity(3).table, "parity of 3 bits"),
        Table(lattice, lattice.sum(axis=1) % 2, "a chessboard of 3 by 3"),
    )


@cache
def tables():
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
def paths(cost):
    return tuple(chapter.grow(X, y, cost) for X, y, _ in tables())


@cache
def grown_trees(cost):
    return tuple(
        Grown(table, path, step, path.tree(step + 1))
        for table, path in zip(small_tables(), paths(cost), strict=False)
        for step in range(path.n_splits + 1)
    )


@cache
def id3_of_tables(cost="entropy"):
    return tuple(chapter.id3(X, y, cost) for X, y, _ in tables())


@cache
def nodes(cost="entropy", *, inner=False):
    """The nodes of these trees, with table, tree, the rows that come by, and what to call them."""
    return tuple(
        (table, tree, node, rows, f"node {node} of {table.name}")
        for table, tree in zip(tables(), id3_of_tables(cost), strict=True)
        for node, rows in plain_nodes(table, tree)
        if not inner or tree.variable[node] >= 0
    )


@cache
def cubes(n=3):
    return tuple(BooleanFunction.from_int(n, code) for code in range(1 << (1 << n)))


@cache
def id3_trees():
    """What `id3` makes of each function of 3 variables, all its points being examples."""
    return tuple(chapter.id3(cube_points(3), f.table) for f in cubes())


def by_id3(f):
    """ID3 on the complete truth table of a function of 3 variables."""
    return id3_trees()[f.code]


@cache
def _optimal_trees(measure):
    return tuple(optimal(f).tree(measure) for f in cubes())


def best_by(measure):
    """What finds a tree of 3 variables with the least of a measure."""
    return lambda f: _optimal_trees(measure)[f.code]


@cache
def gains(cost):
    """What each variable takes off the cost of the whole cube, function of 3 variables by row."""
    ones = np.array([f.table for f in cubes()])
    impurity = criteria.COST_FUNCTIONS[cost]
    found = []
    for low in (cube_points(3) == 0).T:
        sides = [impurity(ones[:, rows].mean(axis=1)) for rows in (low, ~low)]
        found.append(impurity(ones.mean(axis=1)) - (sides[0] + sides[1]) / 2)
    return np.array(found).T


def gainful(path):
    """How many splits of a path come before the first that gains nothing."""
    useless = np.flatnonzero(path.scores[:-1] == 0)
    return int(useless[0]) if useless.size else path.n_splits


def by_size(low, high):
    """The weights of two sides, by the numbers of their examples."""
    return low / (low + high), high / (low + high)


def exchanged(low, high):
    """The weight of each side given to the other."""
    return by_size(high, low)


def halves(low, high):
    return 0 * low + 0.5, 0 * high + 0.5


def plain_nodes(table, tree):
    """Every node of a tree with the rows that reach it."""
    stack = [(0, np.arange(len(table.y)))]
    while stack:
        node, rows = stack.pop()
        yield node, rows
        i = int(tree.variable[node])
        if i >= 0:
            goes = table.X[rows, i] > tree.threshold[node]
            stack += [(int(tree.low[node]), rows[~goes]), (int(tree.high[node]), rows[goes])]


def cost_of(labels, cost):
    if cost == "squared":
        return float(criteria.squared_loss(labels))
    counts = np.unique(labels, return_counts=True)[1]
    return float(criteria.CLASS_COST_FUNCTIONS[cost](counts / labels.size))


def drop_of(labels, low, cost="entropy"):
    """The drop of a cost when examples with these labels are parted, by definition."""
    sides = [labels[low], labels[~low]]
    after = sum(side.size * cost_of(side, cost) for side in sides if side.size)
    return cost_of(labels, cost) - after / labels.size
