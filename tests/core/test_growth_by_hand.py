"""Who checks the checker? The oracle against golden values, and against planted faults."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from support import gold
from support.definitions import Oracle
from support.paths import assert_same_path

import dtviz as dt
from dtviz.core import topdown

F = dt.functions
CASES = pytest.mark.parametrize(
    ("distribution", "f", "entry", "values"),
    [case[1:] for case in gold.cases()],
    ids=[f"{case[0]}, {case[1]}" for case in gold.cases()],
)


@CASES
def test_quantities_of_the_oracle_are_golden(distribution, f, entry, values):
    p = gold.biases(distribution, f.n)
    oracle = Oracle(f, p)
    m = oracle.mean()
    flip = [oracle.flip_mass(i) for i in range(f.n)]
    resample = [oracle.resample_mass(i) for i in range(f.n)]
    size, depth, rank, mean = oracle.optima()
    assert m == Fraction(values["mean"])
    assert flip == [Fraction(q) for q in values["flip_inf"]]
    assert resample == [Fraction(q) for q in values["resample_inf"]]
    assert sum(flip) == Fraction(values["total_flip"])
    assert sum(resample) == Fraction(values["total_resample"])
    assert resample == [2 * q * (1 - q) * inf for q, inf in zip(p, flip, strict=True)]
    assert 4 * m * (1 - m) == Fraction(values["var_pm"])
    assert 2 * m * (1 - m) == Fraction(values["variation"])
    assert min(m, 1 - m) == Fraction(values["err_const"])
    assert mean == Fraction(values["min_avg_depth"])
    assert (size, depth, rank) == (entry["opt_size"], entry["opt_depth"], entry["min_rank"])


@CASES
@pytest.mark.parametrize("kind", ["greedy_flip", "greedy_resample"])
def test_greedy_runs_of_the_oracle_are_golden(distribution, f, entry, values, kind):
    del entry
    if kind not in values:  # the same as greedy_flip under the uniform distribution
        assert distribution == "uniform"
        return
    oracle = Oracle(f, gold.biases(distribution, f.n), resample=kind == "greedy_resample")
    split, totals = oracle.greedy()
    for epsilon, expected in values[kind].items():
        k = next(k for k, (error, _) in enumerate(totals) if error <= Fraction(epsilon))
        depth = max((len(leaf.path) + 1 for leaf in split[:k]), default=0)
        assert (k + 1, depth) == (expected["leaves"], expected["depth"])
        assert totals[k][0] == Fraction(expected["error"])
    for k, row in enumerate(values.get("trace_first8", ())):
        assert totals[k] == (Fraction(row["err"]), Fraction(row["cost"]))
        if k:
            assert (split[k - 1].score, split[k - 1].variable) == (
                Fraction(row["score"]),
                row["var"],
            )


def trees(n, free=None):
    """Every tree with 0/1 leaves that tests no variable twice on a path."""
    free = set(range(n)) if free is None else free
    found = [dt.Tree.leaf(0), dt.Tree.leaf(1)]
    for i in sorted(free):
        below = trees(n, free - {i})
        found += [dt.Tree.split(i, a, b) for a, b in itertools.product(below, repeat=2)]
    return found


@pytest.mark.parametrize("n", [1, 2])
def test_every_small_tree_is_counted_and_the_smallest_found(n):
    """Exhaustive search over trees knows nothing of subcubes or recursion on functions."""
    every = trees(n)
    assert len(set(every)) == gold.SAMPLE["counting"]["reduced_trees_with_0/1_leaves"][str(n)]
    for code in range(2 ** (2**n)):
        f = dt.BooleanFunction.from_int(n, code)
        fit = [tree for tree in every if tree.function(n) == f]
        best = dt.optimal(f)
        assert best.n_leaves == min(tree.n_leaves for tree in fit)
        assert best.depth == min(tree.depth for tree in fit)
        assert best.rank == min(tree.rank for tree in fit)
        assert best.average_depth == min(tree.average_depth() for tree in fit)


# -- planted faults: each must be caught by the comparison with the oracle -------------------------

FUNCTIONS = [F.majority(3), F.parity(3), F.tribes(2, 2), F.decision_list(4), *(
    F.random(4, seed) for seed in range(8)
)]  # fmt: skip


def compare_all(grow):
    for f in FUNCTIONS:
        assert_same_path(f, grow(f), Oracle(f))


def with_order(monkeypatch, order):
    """Let ``order(score)`` put the leaves in turn instead of the stable sort."""
    monkeypatch.setattr(topdown, "growth_order", order)


def test_the_comparison_passes_without_a_fault():
    compare_all(dt.build_top_down)


def test_ties_to_the_rightmost_leaf_are_caught(monkeypatch):
    def rightmost(score):
        inner = np.flatnonzero(score)[::-1]
        return inner[np.argsort(-score[inner], kind="stable")]

    with_order(monkeypatch, rightmost)
    with pytest.raises((AssertionError, KeyError, IndexError)):
        compare_all(dt.build_top_down)


def test_breadth_first_growth_is_caught(monkeypatch):
    with_order(monkeypatch, np.flatnonzero)
    with pytest.raises(AssertionError):
        compare_all(dt.build_top_down)


def test_ties_to_the_highest_variable_are_caught():
    def mirrored(f):
        """Grow f with its variables in reverse order, and name them back."""
        turned = dt.BooleanFunction.from_rule(f.n, lambda x: f(x[::-1]))
        path = dt.build_top_down(turned)
        columns = {name: getattr(path, name) for name in ("node_value", "node_probability",
                   "node_error", "node_cost", "node_score")}  # fmt: skip
        back = np.where(path.node_variable < 0, -1, f.n - 1 - path.node_variable)
        return dt.influence.GrowthPath(
            split_node=path.split_node,
            split_variable=f.n - 1 - path.split_variable,
            node_variable=back,
            **columns,
        )

    with pytest.raises(AssertionError):
        compare_all(mirrored)


def test_flip_scores_under_a_bias_are_caught():
    """Resample influence is the score there: with unequal biases the two disagree."""
    f, p = F.random(4, 0), [Fraction(1, 10), Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)]
    path = dt.build_top_down(f, dt.ProductDistribution(p))
    assert_same_path(f, path, Oracle(f, p, resample=True))
    with pytest.raises(AssertionError):
        assert_same_path(f, path, Oracle(f, p, resample=False))


def test_scores_without_the_weight_of_the_leaf_are_caught(monkeypatch):
    """Influence at the leaf instead of Pr[leaf] times it: deep leaves would come too early."""
    honest, grown = topdown.grow_levels, []

    def remembered(f, mu):
        grown[:] = [honest(f, mu)]
        return grown[0]

    def unweighted(_):
        full = grown[0]
        local = np.where(full.score > 0, full.score / (full.zeros + full.ones), 0)
        low = 2 * np.cumsum(full.score > 0) - 1
        # Children still come after their parents: a leaf must exist before it is split.
        waiting, out = [0] if local[0] else [], []
        while waiting:
            node = max(waiting, key=lambda v: (local[v], -v))
            waiting.remove(node)
            out.append(node)
            waiting += [c for c in (low[node], low[node] + 1) if local[c]]
        assert sorted(out) == np.flatnonzero(local).tolist()
        return np.array(out, dtype=np.intp)

    monkeypatch.setattr(topdown, "grow_levels", remembered)
    monkeypatch.setattr(topdown, "growth_order", unweighted)
    with pytest.raises(AssertionError):
        compare_all(dt.build_top_down)
