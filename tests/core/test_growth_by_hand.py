"""Who checks the checker? The oracle against golden values, and growth against the oracle."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from support import gold
from support.definitions import Oracle
from support.paths import assert_same_path

import dtviz as dt

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


FUNCTIONS = [F.majority(3), F.parity(3), F.tribes(2, 2), F.decision_list(4), *(
    F.random(4, seed) for seed in range(8)
)]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS)
def test_growth_is_that_of_the_oracle(f):
    assert_same_path(f, dt.build_top_down(f), Oracle(f))
    p = [Fraction(1, 10), Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)][: f.n]
    path = dt.build_top_down(f, dt.ProductDistribution(p))
    assert_same_path(f, path, Oracle(f, p, resample=True))
