"""Chapter 4, depth: how deep a greedy tree may be, what is certain, and what overlap costs."""

import itertools
import math
from functools import cache

import numpy as np

from claims.impurity import populations as world
from claims.impurity.populations import CONCAVE, bounds_of_trees, drawn, stated
from claims.kit import bounds, holds, same
from claims.kit.populations import bare_trees
from dtviz import impurity as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import cube_points
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree.tree import Tree

LENGTHS = (*range(2, 10), 16, 33, 64)
ROWS = "rows of points and impurities"


def _line(n):
    return np.arange(n)[:, None]


@cache
def _chains(block=1):
    """ID3's trees for 0, 1, 0, 1, ... on a line, or 0, 0, 1, 1, ..., by number and impurity."""
    return tuple(
        (n, cost, chapter.id3(_line(n), np.arange(n) // block % 2, cost))
        for n in LENGTHS
        for cost in CONCAVE
    )


@drawn(ROWS)
def _as_deep(less=1, depth=None):
    """Leaves and depth of the trees of alternating labels."""
    for n, cost, tree in _chains(1):
        good = tree.depth == (depth(n) if depth else n - less) and tree.n_leaves == n
        yield good, tree.depth, tree, f"depth {tree.depth} for n = {n} by {cost}"


@cache
def _trees():
    """Every tree of 3 variables; of ID3 chains, complete trees, and what lies between."""
    complete = [chapter.id3(cube_points(n), zoo.parity(n).table) for n in range(1, 7)]
    chains = [tree for _, _, tree in _chains()]
    return (*bare_trees(3), *chains, *complete, *world.id3_of_tables(), *world.id3_trees())


def _ceil_log(leaves):
    return (leaves - 1).bit_length()


@stated(
    "CU-PARAM",
    "A tree grown to full depth is a non-parametric model, because it grows with the data; one "
    "of bounded depth is parametric.",
    note="A convention about words.",
)
def test_parametric(trial): ...


@stated(
    "CU-DEPTH",
    r"The depth of a tree is at least $\log_2$ of its leaves; with $n$ examples it may be as "
    r"much as $n - 1$.",
    repaired=True,
    note="The source says: in practice O(log2 n). That is no theorem.",
)
def test_depth(trial):
    @bounds_of_trees("rows of points")
    def log(factor=5):
        for n, cost, tree in _chains():
            if cost == "gini":
                yield tree.depth, factor * math.log2(n), tree, f"n = {n}"

    trial.holds(
        "alternating labels: n leaves, depth n - 1",
        _as_deep,
        "n - 1",
        {"depth ⌈log n⌉": {"depth": _ceil_log}, "depth n - 2": {"less": 2}},
    )

    @trial.form(
        "⌈log2 leaves⌉ ≤ depth",
        r"\lceil \log s \rceil \le \text{depth}",
        {"⌊log2 leaves⌋ + 1 ≤ depth": {"more": int.bit_length}},
    )
    @bounds_of_trees("trees", tight=1)
    def least(more=_ceil_log):
        for tree in _trees():
            if tree.depth:
                yield more(tree.n_leaves), tree.depth, tree, f"{tree.n_leaves} leaves"

    @trial.form(
        "depth ≤ leaves - 1",
        r"\text{depth} \le s - 1",
        {"depth ≤ leaves - 1.1": {"less": 1.1}, "a hundredth less": {"factor": 0.99}},
    )
    @bounds_of_trees("trees", tight=1)
    def most(less=1, factor=1):
        for tree in _trees():
            if tree.depth:
                most = factor * (tree.n_leaves - less)
                yield tree.depth, most, tree, f"{tree.n_leaves} leaves"

    trial.fails("as printed, O(log2 n), with factor 5", log)


@stated(
    "OURS-IMP-ALTERNATING",
    r"On $n \ge 2$ points of a line with alternating labels ID3 cuts off a single point at an end "
    r"in each step, by three impurities and however ties are broken: depth $n - 1$. No consistent "
    r"tree has fewer than $n$ leaves, and one has depth $\lceil \log n \rceil$.",
    note="After a cut the labels still alternate: so the best cuts of one row decide for all.",
)
def test_alternating_labels(trial):
    @trial.form(
        "the best cuts are at the ends, and nowhere else",
        variants={
            "in the middle": {"cuts": lambda n: {n // 2, n - n // 2}},
            "by the error as well": {"impurities": ("gini", "entropy", "error")},
        },
    )
    @same(ROWS)
    def ends(cuts=lambda n: {1, n - 1}, impurities=CONCAVE):
        """All the best cuts of a row, by how many points are on the left."""
        for cost, n in itertools.product(impurities, range(2, 121)):
            after = chapter.threshold_scan(np.arange(n), np.arange(n) % 2, cost).impurities
            best = (np.flatnonzero(after <= after.min() + CLOSE) + 1).tolist()
            where = f"the best cuts leave {best} on the left, n = {n} by {cost}"
            yield set(best) != cuts(n), where

    trial.holds("ID3's trees: n leaves, depth n - 1", _as_deep, "n - 1", {"n - 2": {"less": 2}})

    @trial.form("no consistent tree has fewer leaves", variants={"n - 1": {"less": 1}})
    @same("rows of points")
    def fewest(less=0):
        """By `least_errors`, which tries all trees."""
        for n in range(2, 12):
            leaves = len(chapter.least_errors(_line(n), np.arange(n) % 2, n + 1))
            yield leaves - (n - less), f"{leaves} leaves for n = {n}"

    @trial.form(
        "n leaves, cut in the middle",
        r"\lceil \log n \rceil",
        {"⌊log n⌋": {"depth": lambda n: n.bit_length() - 1}},
    )
    @drawn("rows of points")
    def halved(depth=_ceil_log):
        """The depth of the tree that cuts each row in the middle, which has a leaf for each."""

        def cut(first, n):
            if n == 1:
                return Tree.leaf(first % 2)
            low, high = cut(first, n // 2), cut(first + n // 2, n - n // 2)
            return Tree.split(0, low, high, first + n // 2 - 0.5)

        for n in LENGTHS:
            tree = cut(0, n)
            good = (tree.predict(_line(n)) == np.arange(n) % 2).all() and tree.n_leaves == n
            where = f"depth {tree.depth} for n = {n}"
            yield good and tree.depth == depth(n), tree.depth, tree, where


OVERLAPS = (0.01, 0.1, 0.25, 0.4, 0.5)


@cache
def _leaves_by_labels(n):
    """All labels of n points on a line, and the fewest leaves of a tree for each."""
    labels = np.array(list(itertools.product((0, 1), repeat=n)))
    return labels, np.array([len(chapter.least_errors(_line(n), y, n + 1)) for y in labels])


@stated(
    "OURS-IMP-OVERLAP",
    r"If at every one of $n$ points of a line both labels have a chance of at least $\beta$, "
    r"independently, a consistent tree has at least $1 + 2\beta(1-\beta)(n-1)$ leaves in "
    r"expectation.",
    note="Exact, over all labels. The bound for d features says less than two leaves for as many "
    "points as a smallest tree can be found for, and is not tried.",
)
@holds(
    "the mean of the smallest tree's leaves",
    r"1 + 2 \beta (1 - \beta)(n - 1)",
    {"a hundredth more": {"factor": 2.02}, "to the power 0.99": {"power": 0.99}},
)
@bounds("chances of labels", tight=1)
def test_overlap(factor=2, power=1):
    """The smallest tree for all labels; chances of β, 1-β and 1/2 at the points."""
    for n, beta in itertools.product((2, 3, 5, 6), OVERLAPS):
        labels, leaves = _leaves_by_labels(n)
        bound = 1 + factor * (beta * (1 - beta)) ** power * (n - 1)
        for chance in itertools.product(*[{beta, 1 - beta, 0.5}] * min(n, 3)):
            p = np.resize(chance, n)
            mean = np.where(labels == 1, p, 1 - p).prod(axis=1) @ leaves
            where = f"n = {n}, β = {beta}, chances {p.round(2).tolist()}"
            # Where they are equal, in rounding as well.
            yield round(bound, 12), round(float(mean), 12), where
