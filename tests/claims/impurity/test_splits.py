"""Chapter 4, splits: the two sides, how many there are, and what it takes to find the best."""

from __future__ import annotations

import itertools
import math
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from claims.impurity import populations as world
from claims.impurity.counting import (
    recounted_by_the_box,
    steps_of_id3,
    steps_of_search,
    steps_of_the_box,
)
from claims.impurity.populations import cost_of, matches, small_tables, stated
from claims.kit import bounds, every, same
from dtviz import impurity as chapter
from dtviz.core.tolerances import CLOSE
from dtviz.impurity import literal


@stated(
    "CU-SPLIT",
    r"A split on feature $i$ at $t$ divides $S$ into $S_L = \{x_i \le t\}$ and "
    r"$S_R = \{x_i > t\}$.",
)
def test_sides_of_a_split(trial):
    @trial.form(
        "the leaf that each point comes to",
        r"S^L = \{(x,y) \in S : x_i \le t\}, S^R = \{(x,y) \in S : x_i > t\}",
        {
            "x_f < t goes low": {"goes_low": float.__lt__},
            "the sides exchanged": {"goes_low": float.__gt__},
        },
        kind="definition",
    )
    @same("points, also on thresholds")
    def sides(goes_low=float.__le__):
        for table, tree in zip(small_tables(), world.id3_of_tables(), strict=False):
            variable, threshold = tree.variable.tolist(), tree.threshold.tolist()
            some = [table.X.astype(float)]
            for node, rows in world.plain_nodes(table, tree):
                if variable[node] >= 0:
                    some.append(table.X[rows].astype(float))
                    some[-1][:, variable[node]] = threshold[node]
            X = np.concatenate(some)
            for x, leaf in zip(X.tolist(), tree.apply(X).tolist(), strict=True):
                node = 0
                while (i := variable[node]) >= 0:
                    node = int((tree.low if goes_low(x[i], threshold[node]) else tree.high)[node])
                yield node != leaf, f"{x} in the tree of {table.name}"

    @trial.form(
        "thresholds lie midway between neighboring values, so that no side is empty",
        variants={
            "at the lower of them": {"places": lambda values: values[:-1]},
            "at the higher of them": {"places": lambda values: values[1:]},
        },
    )
    @same("splits")
    def _between(places=lambda v: (v[:-1] + v[1:]) / 2):
        """Each threshold is at one of these places, so that it has an example on both sides."""
        for table, tree, node, rows, where in world.nodes(inner=True):
            i = tree.variable[node]
            off = places(np.unique(table.X[rows, i])) - tree.threshold[node]
            yield not (np.abs(off) <= CLOSE).any(), f"x{i} at {where}"


@stated(
    "CU-NTHRESH",
    r"$n$ distinct values of a feature leave $n - 1$ places for a threshold; in general one "
    r"less than there are values.",
)
def test_number_of_splits(trial):
    def changes(x, y):
        at = [set(y[x == value].tolist()) for value in np.unique(x)]
        return sum(a != b for a, b in itertools.pairwise(at))

    @trial.form(
        "one less than the values",
        "N - 1",
        {
            "as many as values": {"number": lambda x, _: len(set(x))},
            "one for each change of label": {"number": changes},
        },
    )
    @every("features")
    def ways(number=lambda x, _: len(set(x)) - 1):
        """The ways to part examples by any threshold at all, and what the package lists of them."""
        for X, y, name in small_tables():
            for i, x in enumerate(X.T):
                values = np.unique(x).tolist()
                middles = [(a + b) / 2 for a, b in itertools.pairwise(values)]
                anywhere = [values[0] - 1, *values, *middles, values[-1] + 1]
                some = {low.tobytes() for t in anywhere if (low := x <= t).any() and not low.all()}
                listed = [(x <= t).tobytes() for t in chapter.threshold_scan(x, y).thresholds]
                good = len(some) == len(listed) == number(x, y) and some == set(listed)
                where = f"{len(some)} splits, {len(values)} values, feature {i} of {name}"
                yield good, len(some), where

    trial.fails("n - 1 also with repeated values", lambda: ways(lambda x, _: len(x) - 1))


STEPS = 5.5
"""So many steps of arrays at most, times d (n log n + nc), from 16 examples on: 5.3 are taken."""


class Work(NamedTuple):
    """The steps of something with n examples, c classes and d features; infinite if too many."""

    steps: float
    n: int
    c: int
    d: int
    where: str


def _bound(n, c, d):
    """``d (n log n + n c)``."""
    return d * (n * math.log2(n) + n * c)


@cache
def _searches():
    """What a search for the best split of a node takes: real numbers, all distinct, or codes."""
    found = []
    for n, c, (d, kind) in itertools.product(
        (16, 256, 1024, 4096), (2, 15), ((1, "numbers"), (3, "numbers"), (3, "codes"))
    ):
        rng = np.random.default_rng(n)
        X = rng.random((n, d)) if kind == "numbers" else rng.integers(0, 10, (n, d))
        y = rng.permutation(np.arange(n) % c)
        for cost in chapter.GROWTH_COSTS:
            steps = steps_of_search(X, y, cost, STEPS * _bound(n, c, d))
            where = f"for n = {n}, c = {c}, {d} of {kind}, by {cost}"
            found.append(Work(min(steps, 1e12), n, c, d, where))
    return tuple(found)


def _box_bound(n, c):
    """``n ceil(log n)`` comparisons, and 4 c + 6 steps for each example."""
    return n * math.ceil(math.log2(n)) + (4 * c + 6) * n


@cache
def _boxes(scan):
    """What a scan of one feature takes in Python."""
    found = []
    for n, c in itertools.product((4, 16, 64, 512), (1, 2, 16)):
        up, shuffled = np.arange(n), np.random.default_rng(n).permutation(n)
        orders = {"in no order": shuffled, "ascending": up, "descending": -up}
        for order, x in orders.items():
            steps = steps_of_the_box(scan, x, up % c, _box_bound(n, c))
            found.append(Work(min(steps, 1e12), n, c, 1, f"for n = {n}, c = {c}, {order}"))
    return tuple(found)


@cache
def _scans():
    """Each feature of small tables by each cost: the package's scan, and both sides recounted.

    The last has two rows, the shares of the cost of either side.
    """
    found = []
    for X, y, _ in small_tables():
        for x, cost in itertools.product(X.T, chapter.GROWTH_COSTS):
            values = np.unique(x)
            cuts = (values[:-1] + values[1:]) / 2
            sides = [
                [(x <= t).mean() * cost_of(y[x <= t], cost) for t in cuts],
                [(x > t).mean() * cost_of(y[x > t], cost) for t in cuts],
            ]
            scan = chapter.threshold_scan(x, y, cost)
            found.append((x, y, cost, scan, np.array(sides)))
    return tuple(found)


@stated(
    "CU-TIME",
    r"A feature is scanned in $O(n \log n)$, a node of $d$ features in $O(d n \log n)$: by "
    r"sorting, and keeping class counts while the threshold moves.",
    note="The source does not say that the counts must be kept; without, it is O(d n^2).",
)
def test_time_of_a_split(trial):
    @trial.form(
        "the package's search: at most 5.5 d (n log n + nc) steps for n ≥ 16",
        r"O(d\,(n \log n + nc))",
        {
            "whatever the number of features": {"bound": lambda n, c, _: _bound(n, c, 1)},
        },
    )
    @bounds("nodes", tight=0.92)
    def search(bound=_bound):
        for steps, n, c, d, where in _searches():
            yield steps, STEPS * bound(n, c, d), where

    @trial.form(
        "the box: at most n ⌈log n⌉ + (4c + 6) n steps",
        r"O(n \log n + nc)",
        {
            "recounting at each threshold": {"by": recounted_by_the_box},
            "a twentieth less": {"bound": lambda n, c: _box_bound(n, c) * 19 / 20},
        },
    )
    @bounds("features", tight=0.92)
    def in_python(by=literal.threshold_scan, bound=_box_bound):
        for steps, n, c, _, where in _boxes(by):
            yield steps, bound(n, c), where

    @trial.form(
        "recounting: 3 n (n-1) steps, and n ⌈log n⌉ + (4c + 6) n more at most",
        r"\Theta(n^2)",
        {
            "a twentieth less": {"factor": 0.95 * 3},
            "but for the classes": {"more": lambda n, _: _box_bound(n, 1)},
        },
    )
    @every("features")
    def quadratic(factor=3, more=_box_bound):
        for n, c in itertools.product((4, 16, 64, 128), (1, 2, 16)):
            x = np.arange(n)
            steps = steps_of_the_box(recounted_by_the_box, x, x % c, math.inf)
            low = factor * n * (n - 1)
            high = low + more(n, c)
            where = f"{steps:,.0f} steps for n = {n}, c = {c}"
            yield low <= steps <= high, max(low / steps, steps / high), where

    @trial.form(
        "running counts give what recounting gives",
        variants={
            "one threshold behind": {"behind": 1},
            "the sides not weighted": {"weighted": False},
        },
    )
    @matches("features and costs")
    def agree(behind=0, *, weighted=True):
        """The scan of the package and a scan that recounts both sides, up to rounding."""
        for x, y, cost, scan, sides in _scans():
            values = np.unique(x)
            low = np.array([(x <= t).mean() for t in scan.thresholds])
            left = sides if weighted else sides * 0.5 / [low, 1 - low]
            cuts, found = (values[:-1] + values[1:]) / 2, left.sum(axis=0)
            gap = np.inf
            if cuts.shape == scan.thresholds.shape:
                gap = np.abs(np.array(scan) - [cuts, np.roll(found, behind)]).max(initial=0)
            yield gap, 0, f"{x.tolist()} with the labels {y.tolist()} by {cost}"

    trial.fails("recounting at each threshold", lambda: in_python(recounted_by_the_box))


class Whole(NamedTuple):
    """A tree of ID3: examples, features, depth and sizes of its inner nodes, and what to call it.

    ``steps`` are those of the box of ID3, which recounts; none where that takes too long.
    """

    n: int
    d: int
    depth: int
    inner: list[int]
    steps: float
    name: str


@cache
def _wholes(*, line):
    """On points of a line with alternating labels, or on tables."""
    rows = [np.arange(n) for n in (2, 3, 4, 8, 16, 24, 64, 128)]
    lines = [world.Table(x[:, None], x % 2, "alternating labels") for x in rows]
    found = []
    for table in lines if line else world.tables():
        X, y, name = table
        tree = chapter.id3(X, y)
        inner = [
            rows.size for node, rows in world.plain_nodes(table, tree) if tree.variable[node] >= 0
        ]
        steps = steps_of_id3(X, y) if len(y) <= 24 else 0.0
        if inner:
            found.append(Whole(*X.shape, tree.depth, inner, steps, f"n = {len(y)}, {name}"))
    return tuple(found)


def _n_log(k):
    return k * math.log2(k)


@stated(
    "OURS-IMP-WHOLE",
    r"A tree of depth $D$ on $n$ examples takes $O(D\,d\,n \log n)$ if every node sorts, "
    r"$O(d\,n \log n + D\,d\,n)$ if features are sorted once, and $O(D\,d\,n^2)$ if every "
    r"threshold recounts; alternating labels need as much, up to constants.",
    note="A node of k examples is counted as k log k, k and k^2; the box of ID3, which counts "
    "again, is measured.",
)
def test_time_of_a_tree(trial):
    trees = (*_wholes(line=False), *_wholes(line=True))

    @bounds("trees", tight=1)
    def levels(of, depth=1, power=1):
        """What the inner nodes take, against as much for each level as for all examples."""
        for work in trees:
            yield sum(map(of, work.inner)), depth * work.depth**power * of(work.n), work.name

    @bounds("rows of points", tight=0.9)
    def least(factor, of, bound):
        """What alternating labels take, at least."""
        for work in _wholes(line=True):
            yield factor * bound(work.n), sum(map(of, work.inner)), work.name

    shares = {"a thousandth less": {"depth": 0.999}, "whatever the depth": {"power": 0}}
    kinds = (
        ("sorting at each node", _n_log, r"O(D\,d\,n \log n)", 2 / 5, lambda n: n * _n_log(n)),
        ("sorted once", float, r"O(d\,n \log n + D\,d\,n)", 1 / 2, lambda n: n**2),
        ("recounting", lambda k: k * k, r"O(D\,d\,n^2)", 1 / 3, lambda n: n**3),
    )
    for label, of, formula, factor, bound in kinds:
        trial.holds(label, partial(levels, of), formula, shares)
        trial.holds(
            f"{label}: alternating labels",
            partial(least, factor, of, bound),
            variants={"a quarter more": partial(least, 1.25 * factor, of, bound)},
        )

    @trial.form(
        "the box, which recounts: at most 4 D d n^2 steps",
        r"O(D\,d\,n^2)",
        {"9 tenths of it": {"factor": 3.6}, "whatever the depth": {"depth": False}},
    )
    @bounds("trees", tight=0.9)
    def box(factor=4, *, depth=True):
        for work in trees:
            if work.steps:
                most = factor * (work.depth if depth else 1) * work.d * work.n**2
                yield work.steps, most, work.name
