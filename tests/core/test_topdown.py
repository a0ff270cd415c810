"""BuildTopDownDT and the quantities of its analysis, against the definitions in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support import gold

import dtviz as dt

F = dt.functions


@pytest.mark.parametrize("n", [9, 13, 16])
def test_large_paths_keep_their_promises(n):
    """Where the oracle is too slow: costs recomputed from trees, the prefix, the last tree."""
    f = F.random(n, n)
    path = dt.build_top_down(f)
    assert path.tree(epsilon=0).function(n) == f
    assert np.array_equal(-np.diff(path.costs), path.scores[:-1])
    assert path.costs[0] == dt.measures.total_influence(f)
    assert path.errors[0] == dt.measures.error(f)
    for step in (1, path.n_splits // 3, path.n_splits - 1):
        tree = path.tree(step + 1)
        assert dt.influence.tree_cost(tree, f) == path.costs[step]
        assert dt.influence.tree_error(tree, f) == path.errors[step]
        assert dt.influence.leaf_scores(tree, f).score.max() == path.scores[step]


def test_epsilon_is_met_where_it_is_met_exactly():
    """An error of exactly 1/10 is at most 1/10, though its float comes out a little above."""
    for p in (Fraction(1, 10), Fraction(3, 10), Fraction(1, 3)):
        for n in range(1, 9):
            f = F.dictator(n, n - 1)
            path = dt.build_top_down(f, dt.ProductDistribution([Fraction(1, 7)] * (n - 1) + [p]))
            assert path.n_leaves_for(p) == 1
            assert path.n_leaves_for(float(p) - 1e-9) == 2


def test_ties_of_labels_go_to_zero_whatever_the_rounding():
    for p in (Fraction(1, 10), Fraction(1, 3), Fraction(5, 7)):
        mu = dt.ProductDistribution([p, p, p, 0.5])
        f = F.parity(4)  # x_3 is fair, so every leaf that does not test it is a tie
        assert dt.build_top_down(f, mu).tree(1) == dt.Tree.leaf(0)
        tree = dt.build_top_down(F.parity(3), dt.ProductDistribution([p] * 3)).tree(epsilon=0)
        assert tree.complete(f, mu).value[tree.leaves].tolist() == [0] * 8


def test_what_is_improbable_is_not_lost():
    mu = dt.ProductDistribution([1e-100, 1e-100])
    path = dt.build_top_down(F.parity(2), mu)
    assert path.tree(epsilon=0).function(2) == F.parity(2)
    tree = path.tree(3)
    assert dt.influence.tree_error(tree, F.parity(2), mu) == pytest.approx(1e-200) == path.errors[2]


@pytest.mark.parametrize(
    ("name", "distribution", "f", "entry", "values"),
    gold.cases(),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_golden_greedy_runs(name, distribution, f, entry, values):
    del name, entry
    if distribution == "uniform":
        path, runs = dt.build_top_down(f), values["greedy_flip"]
    else:
        mu = dt.ProductDistribution(gold.biases(distribution, f.n))
        path, runs = dt.build_top_down(f, mu), values["greedy_resample"]
    for epsilon, expected in runs.items():
        tree = path.tree(epsilon=Fraction(epsilon))
        assert (tree.n_leaves, tree.depth) == (expected["leaves"], expected["depth"])
        error = path.errors[tree.n_leaves - 1]
        assert error == pytest.approx(float(Fraction(expected["error"])), abs=1e-12)
    for k, row in enumerate(values.get("trace_first8", ())):
        assert Fraction(path.errors[k]) == Fraction(row["err"])
        assert Fraction(path.costs[k]) == Fraction(row["cost"])
        if row["var"] is not None:
            assert path.splits[k - 1].variable == row["var"]
            assert Fraction(path.splits[k - 1].score) == Fraction(row["score"])


def test_max_leaves_cuts_the_same_path():
    f = F.random(7, 3)
    whole = dt.build_top_down(f)
    for leaves in (1, 2, 9, whole.n_splits + 1, 10_000):
        cut = dt.build_top_down(f, max_leaves=leaves)
        k = min(leaves - 1, whole.n_splits)
        assert cut.n_splits == k
        assert cut.tree(k + 1) == whole.tree(k + 1)
        assert cut.errors.tolist() == whole.errors[: k + 1].tolist()
        assert cut.costs == pytest.approx(whole.costs[: k + 1])
        assert cut.scores.tolist() == whole.scores[: k + 1].tolist()


def test_constants_and_no_variables():
    for n in (0, 3):
        for code in (0, (1 << (1 << n)) - 1):
            path = dt.build_top_down(dt.BooleanFunction.from_int(n, code))
            assert (path.n_splits, path.n_leaves_for(0), path.errors.tolist()) == (0, 1, [0.0])
            assert path.tree(epsilon=0) == dt.Tree.leaf(int(code > 0))
    assert np.array_equal(dt.build_top_down(F.dictator(1, 0)).scores, [1.0, 0.0])
