"""Chapter 4, splits: the two sides, how many there are, and what it takes to find the best."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import (
    PAGE,
    changed,
    id3_of_samples,
    naive_scan,
    near,
    plain_nodes,
    small_samples,
)
from claims.impurity.counting import (
    Search,
    anew_by_the_box,
    counted_anew,
    package,
    steps_of,
    steps_of_the_box,
)
from claims.kit import CU, Form, Outcome, Trial, claim, equality, outcome
from dtviz import impurity as chapter
from dtviz.core.tolerances import CLOSE
from dtviz.impurity import literal

Array = npt.NDArray[Any]
OfFeature = Callable[[Array, Array], int]


# -- the two sides ---------------------------------------------------------------------------------


@cache
def _points_on_thresholds() -> tuple[Array, ...]:
    """For each small sample its points, and some at each node of its tree with x_f = t."""
    found = []
    for sample, tree in zip(small_samples(), id3_of_samples(), strict=True):
        points = [sample.X.astype(float)]
        for node, rows in plain_nodes(sample, tree):
            if int(tree.variable[node]) >= 0:
                on = sample.X[rows].astype(float)
                on[:, tree.variable[node]] = tree.threshold[node]
                points.append(on)
        found.append(np.concatenate(points))
    return tuple(found)


def _sides_of_a_split(goes_low: Callable[[float, float], bool] = float.__le__) -> Outcome:
    """At each node the points with x_f <= t go low, the others high: to which leaf each comes."""
    wrong, names = [], []
    for sample, tree, points in zip(
        small_samples(), id3_of_samples(), _points_on_thresholds(), strict=True
    ):
        variable, threshold = tree.variable.tolist(), tree.threshold.tolist()
        low, high = tree.low.tolist(), tree.high.tolist()
        for x, leaf in zip(points.tolist(), tree.apply(points).tolist(), strict=True):
            node = 0
            while variable[node] >= 0:
                is_low = goes_low(x[variable[node]], threshold[node])
                node = (low if is_low else high)[node]
            wrong.append(node != leaf)
            names.append(f"{x} in the tree of {sample.name}")
    return equality("points, also on thresholds", wrong, names.__getitem__)


def _middles(values: Array) -> Array:
    """Midway between neighbouring values, which are in order."""
    middles: Array = (values[:-1] + values[1:]) / 2
    return middles


def _between_neighbours(places: Callable[[Array], Array] = _middles) -> Outcome:
    """Each threshold is at one of these places, so that it has an example on both sides."""
    wrong, names = [], []
    for sample, tree in zip(small_samples(), id3_of_samples(), strict=True):
        for node, rows in plain_nodes(sample, tree):
            i = int(tree.variable[node])
            if i >= 0:
                t = float(tree.threshold[node])
                off = np.abs(places(np.unique(sample.X[rows, i])) - t)
                wrong.append(not (off <= CLOSE).any())
                names.append(f"x{i} <= {t:g} at node {node} of {sample.name}")
    return equality("splits", wrong, names.__getitem__)


# -- how many --------------------------------------------------------------------------------------


def _values_less_one(x: Array, _: Array) -> int:
    return len(set(x.tolist())) - 1


def _changes_of_label(x: Array, y: Array) -> int:
    """Neighbouring values with other labels."""
    at = [set(y[x == value].tolist()) for value in np.unique(x)]
    return sum(a != b for a, b in itertools.pairwise(at))


def _number_of_splits(number: OfFeature = _values_less_one) -> Outcome:
    """The ways to part examples by any threshold at all, and what the package lists of them."""
    found, good, names = [], [], []
    for sample in small_samples():
        for i, x in enumerate(sample.X.T):
            values = np.unique(x).tolist()
            between = [(a + b) / 2 for a, b in itertools.pairwise(values)]
            anywhere = [values[0] - 1, *values, *between, values[-1] + 1]
            sides = [x <= t for t in anywhere]
            ways = {low.tobytes() for low in sides if low.any() and not low.all()}
            listed = [(x <= t).tobytes() for t in chapter.threshold_scan(x, sample.y).thresholds]
            found.append(len(ways))
            good.append(len(ways) == len(listed) == number(x, sample.y) and ways == set(listed))
            names.append(
                f"{len(ways)} splits for {len(x)} examples, {len(values)} values, feature {i} of "
                f"{sample.name}"
            )
    return outcome("features", good, found, names.__getitem__)


def _every_distinct_value(number: Callable[[int], int] = lambda n: n - 1) -> Outcome:
    gap, names = [], []
    for n in range(1, 21):
        x = np.random.default_rng(n).permutation(n) / 7
        found = chapter.threshold_scan(x, np.arange(n) % 3).thresholds
        gap.append(len({(x <= t).tobytes() for t in found}) - number(n))
        names.append(f"n = {n}")
    return equality("features with distinct values", gap, names.__getitem__)


# -- how long --------------------------------------------------------------------------------------

STEPS = 10.0
"""So many steps of arrays at most, times d (n log n + nc), from 16 examples on: 9.24 are taken."""


class Work(NamedTuple):
    """The steps of something with n examples, c classes and d features; infinite if too many."""

    steps: float
    n: int
    c: int
    d: int
    told: str


def _bound(n: int, c: int, d: int) -> float:
    """``d (n log n + n c)``."""
    return d * (n * math.log2(n) + n * c)


@cache
def _work_of_searches(search: Search) -> tuple[Work, ...]:
    """What a search for the best split of a node takes: real numbers, all distinct, or codes."""
    found = []
    for n, c, (d, kind) in itertools.product(
        (16, 256, 1024, 4096), (2, 15), ((1, "numbers"), (3, "numbers"), (3, "codes"))
    ):
        rng = np.random.default_rng(n)
        X = rng.random((n, d)) if kind == "numbers" else rng.integers(0, 10, (n, d))
        y = rng.permutation(np.arange(n) % c)
        for cost in chapter.GROWTH_COSTS:
            steps = steps_of(search, X, y, cost, STEPS * _bound(n, c, d))
            features = kind[: -1 if d == 1 else None]
            found.append(Work(steps, n, c, d, f"{d} {features} each, by {cost}"))
    return tuple(found)


def _bound_of_the_box(n: int, c: int) -> float:
    """``n ceil(log n)`` comparisons, and 4 c + 6 steps for each example."""
    return n * math.ceil(math.log2(n)) + (4 * c + 6) * n


@cache
def _work_of_boxes(scan: Callable[..., object]) -> tuple[Work, ...]:
    """What a scan of one feature takes in Python."""
    found = []
    for n, c, order in itertools.product(
        (4, 16, 64, 512), (1, 2, 16), ("in no order", "ascending", "descending")
    ):
        x = {
            "in no order": np.random.default_rng(n).permutation(n),
            "ascending": np.arange(n),
            "descending": -np.arange(n),
        }[order]
        steps = steps_of_the_box(scan, x, np.arange(n) % c, _bound_of_the_box(n, c))
        found.append(Work(steps, n, c, 1, order))
    return tuple(found)


def _takes(unit: str, works: Sequence[Work], bound: Callable[[int, int, int], float]) -> Outcome:
    """The steps against a bound."""
    most = [bound(work.n, work.c, work.d) for work in works]
    ratio = np.array([work.steps for work in works]) / most

    def describe(k: int) -> str:
        steps, n, c, _, told = works[k]
        what = f"{steps:,.0f} steps" if math.isfinite(steps) else "more steps than are waited for"
        classes = f"{c} {'class' if c == 1 else 'classes'}"
        return f"{what}, at most {most[k]:,.0f}, for n = {n}, {classes}, {told}"

    return outcome(unit, ratio <= 1, np.minimum(ratio, 1e9), describe)


def _work_of_a_search(
    search: Search = package,
    bound: Callable[[int, int, int], float] = _bound,
    times: float = STEPS,
) -> Outcome:
    return _takes("nodes", _work_of_searches(search), lambda *size: times * bound(*size))


def _the_box(*arguments: Any) -> object:
    """`literal.threshold_scan`, looked up when it is called: a test puts a wrong one there."""
    return literal.threshold_scan(*arguments)


def _work_of_the_box(
    scan: Callable[..., object] = _the_box,
    bound: Callable[[int, int], float] = _bound_of_the_box,
) -> Outcome:
    return _takes("features", _work_of_boxes(scan), lambda n, c, _: bound(n, c))


@cache
def _work_anew() -> tuple[Work, ...]:
    """What a scan takes in Python that counts both sides at each threshold, however long."""
    return tuple(
        Work(
            steps_of_the_box(anew_by_the_box, np.arange(n), np.arange(n) % c, math.inf),
            n,
            c,
            1,
            "ascending",
        )
        for n, c in itertools.product((4, 16, 64, 128), (1, 2, 16))
    )


def _three_of_each(n: int, _: int = 0) -> float:
    """Two comparisons and a look-up for each example at each threshold."""
    return 3 * n * (n - 1)


def _is_quadratic(
    least: Callable[[int, int], float] = _three_of_each,
    more: Callable[[int, int], float] = _bound_of_the_box,
) -> Outcome:
    """The steps of counting anew lie between ``least`` and, in all, ``more`` than that."""
    works = _work_anew()
    low = np.array([least(work.n, work.c) for work in works])
    high = low + [more(work.n, work.c) for work in works]
    steps = np.array([work.steps for work in works])
    return outcome(
        "features",
        (low <= steps) & (steps <= high),
        np.maximum(low / steps, steps / high),
        lambda k: f"{steps[k]:,.0f} steps for n = {works[k].n}, c = {works[k].c}",
    )


class Scanned(NamedTuple):
    """A feature, labels and a cost, with what the package's scan gives, and counting anew."""

    x: Array
    y: Array
    cost: str
    package: chapter.ThresholdScan
    anew: chapter.ThresholdScan


@cache
def _scans() -> tuple[Scanned, ...]:
    """Each feature of the small samples, scanned by each cost."""
    return tuple(
        Scanned(
            x,
            sample.y,
            cost,
            chapter.threshold_scan(x, sample.y, cost),
            naive_scan(x, sample.y, cost),
        )
        for sample in small_samples()
        for x in sample.X.T
        for cost in chapter.GROWTH_COSTS
    )


def _unspoilt(case: Scanned) -> chapter.ThresholdScan:
    return case.anew


def _one_behind(case: Scanned) -> chapter.ThresholdScan:
    """The counts of the threshold before; at the first, of the last."""
    return chapter.ThresholdScan(case.anew.thresholds, np.roll(case.anew.impurities, 1))


def _at_the_values(case: Scanned) -> chapter.ThresholdScan:
    """Thresholds at the lower of two values."""
    return chapter.ThresholdScan(np.unique(case.x)[:-1], case.anew.impurities)


def _not_weighted(case: Scanned) -> chapter.ThresholdScan:
    """Half of the impurity of each side."""
    return naive_scan(case.x, case.y, case.cost, weighted=False)


def _after_each_example(case: Scanned) -> chapter.ThresholdScan:
    """Equal values are parted as well."""
    order = np.argsort(case.x, kind="stable")
    x = case.x[order]
    found = chapter.threshold_scan(np.arange(x.size), case.y[order], case.cost).impurities
    return chapter.ThresholdScan((x[:-1] + x[1:]) / 2, found)


def _both_scans_agree(
    spoil: Callable[[Scanned], chapter.ThresholdScan] = _unspoilt,
) -> Outcome:
    """`threshold_scan` and a scan that counts both sides anew, up to rounding."""
    gap = []
    for case in _scans():
        expected = spoil(case)
        off = np.full(1, np.inf)
        if case.package.thresholds.shape == expected.thresholds.shape:
            off = np.abs(np.array(case.package) - expected)
        gap.append(float(off.max(initial=0.0)))

    def where(k: int) -> str:
        case = _scans()[k]
        return f"{case.x.tolist()} with the labels {case.y.tolist()} by {case.cost}"

    return near("features and costs", gap, np.zeros(len(gap)), where)


@claim(
    "CU-SPLIT",
    CU,
    r"A split on feature $f$ at $t$ parts $S$ into $S_L = \{x_f \le t\}$ and "
    r"$S_R = \{x_f > t\}$.",
    PAGE,
)
def test_cu_split(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the leaf that each point comes to",
                _sides_of_a_split,
                formula=r"S^L = \{(x,y) \in S : x_f \le t\}, "
                r"S^R = \{(x,y) \in S : x_f > t\}",
                kind="definition",
                mutants=changed(
                    _sides_of_a_split,
                    goes_low={
                        "x_f < t goes low": float.__lt__,
                        "the sides exchanged": float.__gt__,
                    },
                ),
            ),
            Form(
                "thresholds lie midway between neighbouring values, so that no side is empty",
                _between_neighbours,
                mutants=changed(
                    _between_neighbours,
                    places={
                        "at the lower of them": lambda values: values[:-1],
                        "at the higher of them": lambda values: values[1:],
                        "midway between the least and the greatest value": (
                            lambda values: _middles(values[[0, -1]])
                        ),
                    },
                ),
            ),
        )
    )


@claim(
    "CU-NTHRESH",
    CU,
    r"$n$ distinct values of a feature leave $n - 1$ places for a threshold; in general one "
    r"less than there are values.",
    PAGE,
)
def test_cu_nthresh(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "one less than the values",
                _number_of_splits,
                formula="m - 1",
                mutants=changed(
                    _number_of_splits,
                    number={
                        "as many as values": lambda x, y: _values_less_one(x, y) + 1,
                        "one for each change of label": _changes_of_label,
                        "one for each two values": lambda x, y: math.comb(
                            _values_less_one(x, y) + 1, 2
                        ),
                    },
                ),
            ),
            Form(
                "n - 1 for n distinct values",
                _every_distinct_value,
                formula="n - 1",
                mutants=changed(
                    _every_distinct_value,
                    number={"n": lambda n: n, "n - 2 from 2 on": lambda n: max(n - 2, 0)},
                ),
            ),
        ),
        (
            Form(
                "n - 1 also with repeated values",
                partial(_number_of_splits, lambda x, _: len(x) - 1),
            ),
        ),
    )


@claim(
    "CU-TIME",
    CU,
    r"A feature is scanned in $O(n \log n)$, a node of $d$ features in $O(d n \log n)$: by "
    r"sorting, and keeping class counts while the threshold moves.",
    PAGE,
    note="The source does not say that the counts must be kept; without, it is O(d n^2).",
)
def test_cu_time(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the package's search: at most 10 d (n log n + nc) steps for n ≥ 16",
                _work_of_a_search,
                formula=r"O(d\,(n \log n + nc))",
                mutants=changed(
                    _work_of_a_search,
                    search={"counting anew at each threshold": counted_anew},
                    bound={
                        "whatever the number of features": lambda n, c, _: _bound(n, c, 1),
                        "whatever the number of classes": lambda n, _, d: _bound(n, 1, d),
                        "without the logarithm": lambda n, c, d: d * n * c,
                    },
                    times={"at most 8 times as many": 8.0},
                ),
            ),
            Form(
                "the box: at most n ⌈log n⌉ + (4c + 6) n steps",
                _work_of_the_box,
                formula=r"O(n \log n + nc)",
                mutants=changed(
                    _work_of_the_box,
                    scan={"counting anew at each threshold": anew_by_the_box},
                    bound={
                        "a twentieth less": lambda n, c: _bound_of_the_box(n, c) * 19 / 20,
                        "without the logarithm": lambda n, c: (4 * c + 6) * n,
                        "whatever the number of classes": lambda n, _: _bound_of_the_box(n, 1),
                    },
                ),
            ),
            Form(
                "counting anew: 3 n (n-1) steps, and n ⌈log n⌉ + (4c + 6) n more at most",
                _is_quadratic,
                formula=r"\Theta(n^2)",
                mutants=changed(
                    _is_quadratic,
                    least={
                        "a twentieth less": lambda n, _: 0.95 * _three_of_each(n),
                        "a twentieth more": lambda n, _: 1.05 * _three_of_each(n),
                        "3 n^1.9": lambda n, _: 3 * n**1.9,
                    },
                    more={"but for the classes": lambda n, _: _bound_of_the_box(n, 1)},
                ),
            ),
            Form(
                "running counts give what counting anew gives",
                _both_scans_agree,
                mutants=changed(
                    _both_scans_agree,
                    spoil={
                        "one threshold behind": _one_behind,
                        "the sides not weighted": _not_weighted,
                        "thresholds at the values": _at_the_values,
                        "a threshold after each example": _after_each_example,
                    },
                ),
            ),
        ),
        (
            Form(
                "counting anew at each threshold",
                partial(_work_of_the_box, anew_by_the_box),
            ),
        ),
    )
