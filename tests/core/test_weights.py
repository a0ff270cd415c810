"""Growth on examples with weights, and its stopping rules, against their definitions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dtviz as dt
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS
from dtviz.core.cart.scan import midpoints
from dtviz.core.data.weights import read_weights
from dtviz.impurity import GROWTH_COSTS


def impurity(labels, weights, cost):
    """Of labels and weights, fractions where the cost is rational."""
    w = sum(weights)
    if cost == "squared":
        mean = sum(v * Fraction(y) for y, v in zip(labels, weights, strict=True)) / w
        return sum(v * (Fraction(y) - mean) ** 2 for y, v in zip(labels, weights, strict=True)) / w
    p = [
        Fraction(sum(v for y, v in zip(labels, weights, strict=True) if y == k)) / w
        for k in set(labels)
    ]
    if cost == "gini":
        return 1 - sum(q * q for q in p)
    if cost == "error":
        return 1 - max(p)
    return CLASS_COST_FUNCTIONS[cost]([float(q) for q in p])


def by_definition(X, y, w, cost, *, depth=99, fewest=1, share=0, least=0):  # noqa: PLR0913
    """Best-first growth: for each step (place of the leaf, feature, threshold, drop of all)."""
    rows = [r for r in range(len(y)) if w[r] > 0]
    total = sum(w[r] for r in rows)
    slack = Fraction(0) if cost in {"gini", "error", "squared"} else 1e-9

    def loss(rows):
        weights = [w[r] for r in rows]
        return sum(weights) * impurity([y[r] for r in rows], weights, cost) / total

    def option(place, rows):
        if len({y[r] for r in rows}) == 1 or len(place) >= depth:
            return None
        best = None
        for i in range(X.shape[1]):
            for a, b in pairwise(sorted({float(X[r, i]) for r in rows})):
                t = float(midpoints(a, b))
                low, high = [r for r in rows if X[r, i] <= t], [r for r in rows if X[r, i] > t]
                drop = loss(rows) - loss(low) - loss(high)
                light = min(sum(w[r] for r in side) for side in (low, high))
                fair = min(len(low), len(high)) >= fewest and light >= Fraction(str(share)) * total
                if fair and (best is None or drop > best[0] + slack / len(y)):
                    best = drop, i, t, low, high
        return None if best is None or best[0] < least - slack else best

    leaves, steps = {"": option("", rows)}, []
    while any(leaves.values()):
        most = max(split[0] for split in leaves.values() if split)
        ties = [p for p, split in leaves.items() if split and split[0] >= most - slack / len(y)]
        place = min(ties, key=lambda p: (len(p), p))
        drop, i, t, low, high = leaves.pop(place)
        leaves |= {place + "0": option(place + "0", low), place + "1": option(place + "1", high)}
        steps.append((place, i, t, float(drop)))
    return steps


def steps_of(path):
    where, found = {0: ""}, []
    for j, split in enumerate(path.splits):
        place = where.pop(split.node)
        where |= {2 * j + 1: place + "0", 2 * j + 2: place + "1"}
        found.append((place, split.variable, split.threshold, split.score))
    return found


def samples(number, seed):
    rng = np.random.default_rng(seed)
    for k in range(number):
        m, d, c = rng.integers(2, 12), rng.integers(1, 4), rng.integers(2, 5)
        X = rng.normal(size=(m, d)) if k % 2 else rng.integers(0, 4, (m, d))
        w = rng.integers(0, 4, m) if k % 3 else rng.integers(1, 64, m) / 16
        w[rng.integers(m)] = 1
        yield X, rng.integers(0, c, m), w


def same(path, expected):
    assert [s[:3] for s in steps_of(path)] == [s[:3] for s in expected]
    drops = [s[3] for s in steps_of(path)]
    np.testing.assert_allclose(drops, [s[3] for s in expected], atol=1e-12)


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_growth_is_that_of_the_definition(cost):
    for X, y, w in samples(40, 1):
        path = dt.grow(X, y, cost, sample_weight=w)
        same(path, by_definition(X, y.tolist(), [Fraction(v) for v in w.tolist()], cost))


@pytest.mark.parametrize("cost", GROWTH_COSTS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "rules",
    [
        {"max_depth": 0},
        {"max_depth": 2},
        {"min_samples_leaf": 2},
        {"min_samples_leaf": 3, "max_depth": 3},
        {"min_impurity_decrease": 0.05},
        {"min_weight_fraction_leaf": 0.25},
        {"min_weight_fraction_leaf": 0.4, "min_samples_leaf": 2},
        {"min_impurity_decrease": 1 / 7, "min_samples_leaf": 2},
    ],
)
def test_stopping_rules_are_those_of_the_definition(cost, weighted, rules):
    names = {
        "max_depth": "depth",
        "min_samples_leaf": "fewest",
        "min_weight_fraction_leaf": "share",
        "min_impurity_decrease": "least",
    }
    for X, y, w in samples(12, 2):
        weights = [Fraction(v) for v in w.tolist()] if weighted else [Fraction(1)] * len(y)
        expected = by_definition(
            X, y.tolist(), weights, cost, **{names[rule]: value for rule, value in rules.items()}
        )
        path = dt.grow(X, y, cost, sample_weight=w if weighted else None, **rules)
        same(path, expected)


def test_stopping_rules_in_both_scans():
    """Large nodes of small integers are counted, small ones are sorted."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 5, (400, 3)), rng.integers(0, 3, 400)
    for cost in GROWTH_COSTS:
        for fewest in (1, 7, 60):
            binned = dt.grow(X, y, cost, min_samples_leaf=fewest)
            sorted_ = dt.grow(X - 0.25, y, cost, min_samples_leaf=fewest)
            assert binned.tree().variable.tolist() == sorted_.tree().variable.tolist()
            leaves = binned.nodes()[binned.tree().leaves]
            assert binned.node_examples[leaves].min() >= fewest


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_a_weight_is_a_number_of_copies(cost):
    rng = np.random.default_rng(4)
    for X, y, _ in samples(30, 5):
        w = rng.integers(0, 5, len(y))
        w[0] = 1
        path = dt.grow(X, y, cost, sample_weight=w)
        copied = dt.grow(X.repeat(w, axis=0), y.repeat(w), cost)
        assert path.tree() == copied.tree()
        np.testing.assert_allclose(path.costs, copied.costs, atol=1e-12)
        np.testing.assert_allclose(path.errors, copied.errors, atol=1e-12)
        np.testing.assert_allclose(path.node_probability, copied.node_probability, atol=1e-15)
        present = np.isin(path.classes, copied.classes) if path.classes is not None else []
        assert (path.class_counts[:, present] == copied.class_counts).all()


def with_gaps(rng, m):
    """Numbers, some missing, and words, in a table of one of three kinds."""
    x = rng.integers(0, 4, m).astype(float)
    x[rng.random(m) < 0.2] = np.nan
    frame = pd.DataFrame({"x": x, "z": rng.normal(size=m), "word": rng.choice([*"abcde"], m)})
    kind = rng.integers(3)
    return (
        frame if kind == 0 else pl.from_pandas(frame) if kind == 1 else frame[["x", "z"]].to_numpy()
    )


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_a_row_of_weight_0_is_as_good_as_none(cost):
    """Not for ways of missing values, categories, thresholds, nor for what classes there are."""
    rng = np.random.default_rng(8)
    for k in range(60):
        m = int(rng.integers(4, 14))
        X, y, w = with_gaps(rng, m), rng.integers(0, 2 + k % 3, m), rng.integers(0, 3, m)
        w[0] = 1
        there = np.flatnonzero(w)
        path = dt.grow(X, y, cost, sample_weight=w)
        short = X.iloc[there] if isinstance(X, pd.DataFrame) else X[there]
        alone = dt.grow(short, y[there], cost, sample_weight=w[there])
        assert path.tree() == alone.tree()
        assert str(path.tree()) == str(alone.tree())
        assert path.tree_for_gaps().missing.tolist() == alone.tree_for_gaps().missing.tolist()
        assert path.names == alone.names
        for name in ("costs", "errors", "scores", "class_counts", "node_examples", "classes"):
            assert np.array_equal(getattr(path, name), getattr(alone, name)), name


def test_missing_values_go_with_the_side_that_weighs_more():
    X, y, w = [[1], [2], [3]], [0, 0, 1], [1, 1, 5]
    path = dt.grow(X, y, sample_weight=w)
    assert path.split_missing.tolist() == [False]
    assert dt.grow(X, y).split_missing.tolist() == [True]
    model = dt.TopDownClassifier().fit(X, y, w)
    assert model.predict([[np.nan]]).tolist() == [1]


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_weights_that_had_to_be_rounded_do_not_decide_between_ties(cost):
    """A third of whole numbers: ties of splits, leaves and labels are those of the numbers."""
    ties = 0
    for X, y, _ in samples(60, 9):
        w = np.random.default_rng(len(y)).integers(1, 5, len(y))
        whole = dt.grow(X, y, cost, sample_weight=w)
        thirds = dt.grow(X, y, cost, sample_weight=w / 3)
        if cost == "squared":  # The means differ in their last bit.
            assert thirds.tree().variable.tolist() == whole.tree().variable.tolist()
            assert thirds.tree().threshold.tolist() == whole.tree().threshold.tolist()
        else:
            assert thirds.tree() == whole.tree()
        assert thirds.split_node.tolist() == whole.split_node.tolist()
        np.testing.assert_allclose(thirds.scores, whole.scores, atol=1e-10)
        ties += len(set(whole.node_score.round(9))) < whole.node_score.size
    assert ties > 5


@pytest.mark.parametrize("cost", GROWTH_COSTS)
@pytest.mark.parametrize("unit", [1.0, 0.1, 1e-250, 1e290, 2.0**40])
def test_only_the_proportions_of_weights_matter(cost, unit):
    for X, y, _ in samples(12, 6):
        plain = dt.grow(X, y, cost)
        path = dt.grow(X, y, cost, sample_weight=np.full(len(y), unit))
        assert path.tree() == plain.tree()
        np.testing.assert_allclose(path.costs, plain.costs, atol=1e-12)
        if cost != "squared":
            np.testing.assert_allclose(path.class_counts, plain.class_counts * unit, rtol=1e-12)


def test_weights_beyond_64_bits_of_squares_are_compared_as_closely_as_floats_allow():
    """A large total: one row of weight 2^40 among rows of weight 1."""
    w = np.array([1 << 40, 1, 1, 1 << 40, 1, 1])
    X, y = np.arange(6)[:, None], [0, 1, 0, 1, 0, 1]
    path = dt.grow(X, y, sample_weight=w)
    same(path, by_definition(X, y, [Fraction(int(v)) for v in w], "gini"))


def test_weights_become_integers_of_53_bits_at_most():
    weights, unit = read_weights([0.1, 0.2, 0.3, 0.0], 4)
    assert weights.sum() < 1 << 53
    np.testing.assert_allclose(weights * unit, [0.1, 0.2, 0.3, 0.0], rtol=1e-14)
    assert read_weights([3, 0, 1 << 50], 3)[0].tolist() == [3, 0, 1 << 50]
    assert read_weights([True, False], 2) == (pytest.approx([1, 0]), 1.0)
    assert read_weights([Decimal(2), Fraction(1)], 2)[0].tolist() == [2, 1]
    assert read_weights(pd.Series([2, 1], dtype="Int64"), 2)[0].tolist() == [2, 1]
    assert read_weights([Fraction(1, 4), Fraction(3, 4)], 2)[0].tolist()[1] % 3 == 0


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_a_scan_with_weights_is_that_of_the_copies(cost):
    rng = np.random.default_rng(7)
    for _ in range(20):
        x, y, w = rng.integers(0, 9, 30), rng.integers(0, 3, 30), rng.integers(0, 4, 30)
        w[:2] = 1
        scan = dt.impurity.threshold_scan(x, y, cost, sample_weight=w)
        copied = dt.impurity.threshold_scan(x.repeat(w), y.repeat(w), cost)
        assert scan.thresholds.tolist() == copied.thresholds.tolist()
        np.testing.assert_allclose(scan.impurities, copied.impurities, atol=1e-12)


def test_rules_that_forbid_everything_leave_one_leaf():
    X, y = np.arange(8)[:, None], [0, 1] * 4
    for rules in ({"min_samples_leaf": 5}, {"max_depth": 0}, {"min_impurity_decrease": 0.5}):
        path = dt.grow(X, y, **rules)
        assert path.n_splits == 0
        assert path.final_score == 0


def test_weights_too_small_to_be_added_are_refused():
    with pytest.raises(ValueError, match="1e-290 as the largest"):
        dt.grow([[1], [2]], [0, 1], sample_weight=[1e-290, 0])
