"""Exact optima against plain recursion in fractions, golden values, and known families."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from support import gold
from support.definitions import Oracle
from support.strategies import weighted

import dtviz as dt

F = dt.functions


@given(weighted(4))
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
