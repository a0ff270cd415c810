"""Prunings with weights: a row of weight w is w rows, to the last bit, and one of 0 is none."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine

import dtviz as dt
from dtviz import pruning
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS
from dtviz.core.tree.tree import Tree


def reduced_error(tree, X, y, **more):
    """Reduced-error pruning; the sample labels the nodes where a test has no other."""
    own = (X, y, more.get("sample_weight"))
    return dt.pruning.reduced_error_prune(tree, X, y, **({"grown_on": own} | more))


PRUNINGS = {
    "node counts": pruning.node_counts,
    "reduced error": reduced_error,
    "smallest": dt.pruning.smallest_prunings,
    "srm": lambda *sample, **more: dt.pruning.srm_prune(*sample, factor=0.1, **more),
    "bottom up": lambda *sample, **more: dt.pruning.bottom_up_prune(*sample, c=0.1, **more),
    "bottom-up path": pruning.bottom_up_path,
    "at a price": lambda *s, **more: dt.pruning.cost_complexity_prune(
        *s, 0.05, cost="gini", **more
    ),
    **{
        f"cost complexity, {cost}": lambda *s, cost=cost, **more: dt.pruning.cost_complexity_path(
            *s, cost=cost, **more
        )
        for cost in CLASS_COST_FUNCTIONS
    },
}

every_pruning = pytest.mark.parametrize("prune", PRUNINGS.values(), ids=list(PRUNINGS))


def facts(found):
    """All that a result says, to compare without any tolerance: as text, NaN is itself."""
    if isinstance(found, np.ndarray):
        return str(found.tolist())
    if isinstance(found, Tree):
        return found.to_dict()
    if isinstance(found, pruning.PruningPath):
        steps = [(facts(one), facts(one.tree())) for one in found]
        return found.breaks.tolist(), found.n_leaves.tolist(), found.errors.tolist(), found.m, steps
    if isinstance(found, pruning.SmallestPrunings):
        front = found.front_n_leaves.tolist()
        kept = [(facts(one), facts(one.tree())) for one in map(found.pruning, front)]
        return front, found.front_errors.tolist(), found.n_leaves.tolist(), kept
    if isinstance(found, pruning.NodeCounts | pruning.Pruning):
        return [facts(getattr(found, field.name)) for field in fields(found)]
    return found


@st.composite
def samples(draw, d, labels, least=0):
    """Rows, labels and weights, which are not all 0."""
    row = st.tuples(
        st.lists(st.integers(0, 3), min_size=d, max_size=d),
        st.sampled_from(labels),
        st.integers(least, 4),
    )
    drawn = draw(st.lists(row, min_size=1, max_size=12).filter(lambda s: any(w for *_, w in s)))
    X, y, w = zip(*drawn, strict=True)
    return np.array(X, dtype=float), np.array(y), np.array(w)


@st.composite
def cases(draw):
    """A tree, another sample than grew it, and how the call labels the nodes."""
    d, labels = draw(st.integers(1, 3)), draw(st.sampled_from([(0, 1), (0, 1, 2), ("a", "b")]))
    grown_on = draw(samples(d, labels))
    tree = dt.grow(*grown_on[:2]).tree()
    if draw(st.booleans()):
        tree = Tree(tree.variable, None, tree.threshold)
    sample = draw(samples(d, labels))
    voting = draw(st.sampled_from([None, "pair", "triple"]))
    # A bare tree knows no labels but those of the sample, if nothing else names them.
    classes = None if tree.value is None and voting is None else labels
    return tree, sample, grown_on, voting, classes


def repeated(X, y, w):
    return np.repeat(X, w, axis=0), np.repeat(y, w)


def with_gaps(X, y, w):
    """Rows of weight 0 with values and labels that no tree takes."""
    strange = np.where(w[:, None] > 0, X, np.nan)
    return strange, np.where(w > 0, y, "?" if y.dtype.kind == "U" else 99), w


@pytest.mark.slow
@every_pruning
@settings(max_examples=25)
@given(case=cases())
def test_a_weight_is_as_many_rows(prune, case):
    tree, sample, grown_on, voting, classes = case
    few, many = {"classes": classes}, {"classes": classes}
    if voting == "triple":
        few["grown_on"], many["grown_on"] = with_gaps(*grown_on), repeated(*grown_on)
    elif voting == "pair":
        few["grown_on"] = many["grown_on"] = grown_on[:2]
    X, y, w = with_gaps(*sample)
    expected = facts(prune(tree, *repeated(*sample), **many))
    assert facts(prune(tree, X, y, sample_weight=w, **few)) == expected


@every_pruning
def test_a_class_and_a_node_without_weight_are_as_absent(prune):
    tree = Tree.split(0, Tree.leaf(0).bare(), Tree.split(1, *[Tree.leaf(0).bare()] * 2))
    X, y, w = [[0, 0], [0, 1], [1, 0], [1, 1]], ["a", "b", "c", "d"], [2, 3, 0, 0]
    found = prune(tree, X, y, sample_weight=w)
    assert facts(found) == facts(prune(tree, [[0, 0]] * 2 + [[0, 1]] * 3, ["a"] * 2 + ["b"] * 3))
    counts = pruning.node_counts(tree, X, y, sample_weight=w)
    assert counts.classes.tolist() == ["a", "b"]
    assert counts.reach.tolist() == [5, 5, 0, 0, 0]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pd", "pl", "pa"])
def test_a_row_of_a_table_that_weighs_nothing_may_hold_anything(make):
    tree = dt.id3(make({"sky": ["sun", "fog", "sun"], "hour": [1, 2, 3]}), [0, 1, 0])
    table = make({"sky": ["sun", "snow", "fog"], "hour": [1.0, None, 3.0]})
    found = pruning.node_counts(tree, table, [0, 1, 1], sample_weight=[2, 0, 3])
    assert found.counts[0].tolist() == [2, 3]
    assert found.subtree_errors[0] == 0
    with pytest.raises(ValueError, match=r"^X must have one of \['fog', 'sun'\] in column 0"):
        pruning.node_counts(tree, table, [0, 1, 1], sample_weight=[2, 1, 3])


def test_messages_tell_the_row_that_is_wrong():
    """Its own number, though a row before it is not counted."""
    tree = Tree.split(0, Tree.leaf(0), Tree.leaf(1))
    with pytest.raises(ValueError, match="X must not contain NaN, got one in row 2"):
        dt.pruning.srm_prune(tree, [[0], [1], [math.nan]], [0, 1, 1], sample_weight=[0, 1, 1])
    with pytest.raises(ValueError, match=r"y must have labels .* got 7 at index 2"):
        dt.pruning.srm_prune(tree, [[0], [1], [1]], [0, 1, 7], sample_weight=[0, 1, 1])


def test_the_sample_that_grew_the_tree_has_weights_of_its_own():
    tree = Tree.split(0, Tree.leaf(0), Tree.leaf(0))
    S1, S2 = ([[0], [0], [1]], [1, 0, 0]), ([[0], [1]], [0, 1])
    for weights, label in ((None, 0), ([3, 1, 1], 1), ([1, 1, 1], 0)):
        found = dt.pruning.reduced_error_prune(
            tree, *S2, sample_weight=[1, 5], grown_on=(*S1, weights)
        )
        assert found.counts.label[0] == label


def heavy_case(seed):
    """A tree and a sample of some 2^48 examples."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (2, 14, 3)), rng.integers(0, 3, (2, 14))
    tree = dt.grow(X[0], y[0], max_leaves=7).tree()
    return tree, X[1], y[1], rng.integers(1 << 43, 1 << 46, 14)


def sizes_and_errors(tree, X, y, w):
    """Of every pruning, by walking, in Python's integers."""
    leaf = tree.apply(X).tolist()
    rows = list(zip(leaf, y.tolist(), w.tolist(), strict=True))

    def wrong(v):
        end = v + 2 * int(tree.leaves_below[v]) - 1
        here = [(label, weight) for at, label, weight in rows if v <= at < end]
        if tree.variable[v] < 0:
            return sum(weight for label, weight in here if label != tree.value[v])
        weights = [sum(weight for label, weight in here if label == k) for k in range(3)]
        return sum(weights) - max(weights)

    def below(v):
        pairs = {(1, wrong(v))}
        if tree.variable[v] >= 0:
            low, high = below(int(tree.low[v])), below(int(tree.high[v]))
            pairs |= {(a + c, b + d) for (a, b), (c, d) in itertools.product(low, high)}
        return pairs

    return below(0)


def risk(size, errors, m, factor):
    with localcontext() as context:
        context.prec = 80
        return Decimal(errors) + (Decimal(factor) * m * size).sqrt()


@pytest.mark.parametrize("seed", range(30))
def test_heavy_weights_are_exact(seed):
    tree, X, y, w = heavy_case(seed)
    m, pairs = int(w.sum()), sizes_and_errors(tree, X, y, w)
    call = {"sample_weight": w, "classes": range(3)}
    found = reduced_error(tree, X, y, **call)
    assert (found.errors, found.n_leaves) == min((wrong, size) for size, wrong in pairs)
    smallest = dt.pruning.smallest_prunings(tree, X, y, **call)
    assert smallest.counts.m == m > 1 << 46
    front = list(zip(smallest.front_n_leaves.tolist(), smallest.front_errors.tolist(), strict=True))
    best = [(size, min(e for s, e in pairs if s <= size)) for size in range(1, tree.n_leaves + 1)]
    assert front == [best[0]] + [b for a, b in itertools.pairwise(best) if b[1] < a[1]]
    breaks = [
        ((more - fewer) * (math.sqrt(k) + math.sqrt(K)) / (K - k)) ** 2 / m
        for (k, more), (K, fewer) in itertools.combinations(front, 2)
    ]
    beside = [math.nextafter(value, 0) for value in breaks]
    for factor in (0.0, *breaks, *beside, 2.0**10, 2.0**30):
        chosen = dt.pruning.srm_prune(tree, X, y, factor=factor, **call)
        least = min(pairs, key=lambda pair: (risk(*pair, m, factor), pair))
        assert (chosen.n_leaves, chosen.errors) == least
    path = dt.pruning.cost_complexity_path(tree, X, y, **call)
    steps = list(zip(path.n_leaves.tolist(), path.errors.tolist(), strict=True))
    for price, a, b in zip(path.breaks.tolist()[1:], steps[:-1], steps[1:], strict=True):
        exact = Fraction(b[1] - a[1], m * (a[0] - b[0]))
        assert price == pytest.approx(float(exact), rel=1e-15)
        least = min(pairs, key=lambda pair: (pair[1] + exact * m * pair[0], pair[0]))
        assert b == least


@pytest.mark.parametrize("seed", range(10))
def test_heavy_weights_and_the_penalty(seed):
    tree, X, y, w = heavy_case(seed)
    call = {"sample_weight": w, "classes": range(3), "n_tests": 5}
    path = pruning.bottom_up_path(tree, X, y, **call)
    for c in [*(path.breaks[1:] + path.breaks[:-1]) / 2, path.breaks[-1] * 2 + 1]:
        found = dt.pruning.bottom_up_prune(tree, X, y, c=c, **call)
        assert found.tree() == path.tree(value=c)
        for result in found.decisions:
            if not result.reach:
                continue
            penalty = pruning.bottom_up_penalty(
                result.reach, 2 * result.subtree_leaves - 1, result.depth, 0.05,
                m=int(w.sum()), n=5, c=c, n_classes=3,
            )  # fmt: skip
            assert result.penalty == pytest.approx(penalty, rel=1e-12)
            gap = Fraction(result.leaf_errors - result.subtree_errors, result.reach)
            assert result.cut == (gap <= penalty)


def test_what_grows_with_the_sum_has_limits():
    X, y = [[0, 0], [1, 0], [2, 0]], [0, 1, 0]
    tree = dt.id3(X, y)
    w = [1 << 50, 1 << 51, (1 << 50) - 1]
    smallest = dt.pruning.smallest_prunings(tree, X, y, sample_weight=w)
    assert smallest.front_n_leaves.size > 1
    with pytest.raises(ValueError, match=r"sample_weight must have a sum of at most 67,108,864 wh"):
        _ = smallest.n_leaves
    for prune in (dt.pruning.bottom_up_prune, pruning.bottom_up_path):
        with pytest.raises(
            ValueError, match=r"must have a sum m with d \(2 m - 1\) <= 2\^53.* d = 2"
        ):
            prune(tree, X, y, sample_weight=w)
        prune(tree, X, y, sample_weight=w, n_tests=7)
        prune(tree, X, y, sample_weight=[1 << 50, 1 << 50, 0])
    listed = dt.pruning.smallest_prunings(tree, X, y, sample_weight=[1, 1, 998])
    assert listed.n_leaves.size == 1001


def wine():
    X, y = load_wine(return_X_y=True)
    return X, y, np.random.default_rng(3).integers(0, 5, len(y))


@pytest.mark.parametrize("cost", CLASS_COST_FUNCTIONS)
def test_the_weighted_estimator_is_pruned_by_the_same_path(cost):
    X, y, w = wine()
    whole = dt.TopDownClassifier(cost).fit(X, y, w).tree_
    path = dt.pruning.cost_complexity_path(whole, X, y, cost=cost, sample_weight=w)
    assert len(path) > 2
    for price in [*(path.breaks[:-1] + path.breaks[1:]) / 2, path.breaks[-1] + 0.01]:
        model = dt.TopDownClassifier(cost, ccp_alpha=price).fit(X, y, w)
        assert model.tree_ == path.tree(value=price)


def test_a_subtree_of_weights_is_cut_at_its_very_price():
    """Shares of eight are exact, and so are the prices."""
    X, y, w = np.arange(6)[:, None], [0, 1, 0, 1, 0, 1], [2, 1, 1, 0, 1, 3]
    whole = dt.TopDownClassifier("error").fit(X, y, w).tree_
    path = dt.pruning.cost_complexity_path(whole, X, y, sample_weight=w)
    assert len(path) > 2
    for price in path.breaks[1:].tolist():
        for value in (price, math.nextafter(price, 0)):
            model = dt.TopDownClassifier("error", ccp_alpha=value).fit(X, y, w)
            assert model.tree_ == path.tree(value=value)


STUMP = Tree.split(0, Tree.leaf(0), Tree.leaf(1))
GOOD = [[0], [1], [1]], [0, 1, 1]

BOUNDS = {name: PRUNINGS[name] for name in ("srm", "bottom up", "bottom-up path")}
NO_COUNTS = [
    ([1, 0.5, 1], "0.5 at index 1, the sum 2.5"),
    ([1, 1, 1 + 2**-40], "1.0000000000009095 at index 2"),
    ([1 << 51, 0.5, 0], "0.5 at index 1"),
    ([1, Fraction(1, 3), 1], "0.3333333333333333 at index 1"),
    ([1, Decimal("2.25"), 1], "2.25 at index 1"),
    ([1 << 52, 0, 0], r"4503599627370496.0 at index 0, the sum 4.5036e\+15"),
    ([1e300, 1e300, 0], r"1e\+300 at index 0, the sum 2e\+300"),
]


@pytest.mark.parametrize(("weights", "got"), NO_COUNTS)
def test_what_counts_examples_needs_whole_numbers(weights, got):
    """But for what labels the nodes; the other prunings take them all."""
    for name, prune in PRUNINGS.items():
        prune(STUMP, *GOOD, grown_on=(*GOOD, weights))
        if name not in BOUNDS:
            prune(STUMP, *GOOD, sample_weight=weights)
            continue
        rule = r"whole numbers with a sum below 2\^52, because a bound counts a row as that many"
        with pytest.raises(ValueError, match=f"^sample_weight must be {rule} .*, got {got}"):
            prune(STUMP, *GOOD, sample_weight=np.array(weights) if got[0] == "4" else weights)


@pytest.mark.parametrize("unit", [0.5, 0.1, 1 / 3, 0.7, 1e18, 1e-9])
@pytest.mark.parametrize("prune", [PRUNINGS[name] for name in PRUNINGS if name not in BOUNDS])
def test_the_unit_of_weights_makes_no_difference(prune, unit):
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 4, (40, 3)), rng.integers(0, 3, 40)
    w, other = rng.integers(0, 5, (2, 40))
    tree = dt.grow(X, y, sample_weight=w * unit, max_leaves=12).tree()
    assert tree == dt.grow(X, y, sample_weight=w, max_leaves=12).tree()
    whole = prune(tree, X, y, sample_weight=other)
    found = prune(tree, X, y, sample_weight=other * unit)
    if isinstance(whole, pruning.NodeCounts):
        assert found.label.tolist() == whole.label.tolist()
        assert found.m == pytest.approx(whole.m * unit)
        return
    name = "front_errors" if isinstance(whole, pruning.SmallestPrunings) else "errors"
    assert getattr(found, name) == pytest.approx(getattr(whole, name) * unit)
    sizes = getattr(whole, "front_n_leaves", whole.n_leaves)
    for size in np.atleast_1d(sizes).tolist():
        given = () if isinstance(whole, pruning.Pruning) else (size,)
        assert found.tree(*given) == whole.tree(*given)


def test_fractions_that_are_tied_are_tied():
    """0.1 + 0.2 as floats is more than 0.3: the subtree errs no less than the leaf, and is cut."""
    X, y = [[0], [0], [1], [1]], [1, 1, 1, 0]
    pruned = reduced_error(STUMP, X, y, sample_weight=[0.1, 0.2, 1.5, 0.7], grown_on=GOOD)
    assert (pruned.n_leaves, pruned.errors, pruned.counts.m) == (1, 0.7, 2.5)
    front = dt.pruning.smallest_prunings(
        STUMP, [[0], [0], [1]], [1, 1, 0], sample_weight=[0.1, 0.2, 0.3]
    )
    assert (front.front_errors.tolist(), front.tree(epsilon=0.5).n_leaves) == ([0.3], 1)


def test_the_heaviest_weights():
    counts = pruning.node_counts(STUMP, *GOOD, sample_weight=[(1 << 52) - 3, 1, 1])
    assert counts.counts.tolist() == [[(1 << 52) - 3, 2], [(1 << 52) - 3, 0], [0, 2]]
