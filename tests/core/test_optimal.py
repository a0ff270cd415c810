"""Exact optima against plain recursion in fractions, golden values, and known families."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from support import gold
from support.definitions import Oracle
from support.strategies import weighted

import dtviz as dt

F = dt.functions


@given(weighted(4))
@settings(max_examples=60)
def test_optima_match_plain_recursion(case):
    f, p = case
    mu = dt.ProductDistribution(p)
    best = dt.optimal(f, mu)
    size, depth, rank, mean = Oracle(f, p).optima()
    assert (best.n_leaves, best.depth, best.rank) == (size, depth, rank)
    assert best.average_depth == pytest.approx(float(mean), abs=1e-12)
    assert best.tree().n_leaves == size
    assert best.tree("depth").depth == depth
    assert best.tree("rank").rank == rank
    assert best.tree("average_depth").average_depth(mu) == pytest.approx(float(mean), abs=1e-12)
    for tree in (best.tree(), best.tree("depth"), best.tree("rank"), best.tree("average_depth")):
        assert tree.function(f.n) == f


@pytest.mark.parametrize(
    ("name", "distribution", "f", "entry", "values"),
    gold.cases(),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_golden_optima(name, distribution, f, entry, values):
    del name
    best = dt.optimal(f, dt.ProductDistribution(gold.biases(distribution, f.n)))
    assert (best.n_leaves, best.depth, best.rank) == (
        entry["opt_size"],
        entry["opt_depth"],
        entry["min_rank"],
    )
    assert best.average_depth == pytest.approx(float(Fraction(values["min_avg_depth"])), abs=1e-13)


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


@pytest.mark.parametrize("n", range(13))
def test_known_families(n):
    parity = dt.optimal(F.parity(n))
    assert (parity.n_leaves, parity.depth, parity.rank, parity.average_depth) == (2**n, n, n, n)
    both = dt.optimal(F.conjunction(n))
    average = 2 - 2 ** (1 - n) if n else 0
    assert (both.n_leaves, both.depth, both.rank) == (n + 1, n, min(n, 1))
    assert both.average_depth == pytest.approx(average)


def test_optima_are_computed_on_demand():
    best = dt.optimal(F.random(9, 0))
    assert best.n_leaves > 0
    assert "_ranks" not in vars(best)
