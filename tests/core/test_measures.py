"""Means and influences against their definitions in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from support.definitions import Oracle
from support.strategies import functions, weighted

import dtviz as dt


@given(weighted())
def test_measures_match_the_definitions(case):
    f, p = case
    oracle, mu = Oracle(f, p), dt.ProductDistribution(p)
    m = oracle.mean()
    assert dt.measures.mean(f, mu) == pytest.approx(float(m), abs=1e-12)
    assert dt.measures.error(f, mu) == pytest.approx(float(min(m, 1 - m)), abs=1e-12)
    assert dt.measures.variance(f, mu) == pytest.approx(float(4 * m * (1 - m)), abs=1e-12)
    assert dt.measures.variation(f, mu) == pytest.approx(float(2 * m * (1 - m)), abs=1e-12)
    flip = [oracle.flip_mass(i) for i in range(f.n)]
    resample = [oracle.resample_mass(i) for i in range(f.n)]
    assert dt.influences(f, mu) == pytest.approx([float(q) for q in flip], abs=1e-12)
    assert dt.measures.resample_influences(f, mu) == pytest.approx(
        [float(q) for q in resample], abs=1e-12
    )
    assert dt.measures.total_influence(f, mu) == pytest.approx(float(sum(flip)), abs=1e-12)


@given(functions())
def test_uniform_influences_are_exact(f):
    oracle = Oracle(f)
    counts = [int(oracle.flip_mass(i) * 2**f.n) for i in range(f.n)]
    assert dt.measures.influence_counts(f).tolist() == counts
    assert [Fraction(q) for q in dt.influences(f)] == [Fraction(c, 2**f.n) for c in counts]
    assert dt.measures.resample_influences(f).tolist() == (dt.influences(f) / 2).tolist()
    assert Fraction(dt.measures.mean(f)) == oracle.mean()


@pytest.mark.parametrize("n", [6, 7, 10, 11, 12, 15, 16, 17, 18])
def test_every_method_counts_the_same_edges(n):
    """On both sides of each switch of methods, against a count straight from the table."""
    mu = dt.ProductDistribution(np.linspace(0.05, 0.9, n))
    x, weights = np.arange(2**n), mu.weights()
    for f in (dt.functions.random(n, seed=n), dt.functions.parity(n), dt.functions.dictator(n, 5)):
        sensitive = [f.table != f.table[x ^ (1 << i)] for i in range(n)]
        assert dt.measures.influence_counts(f).tolist() == [int(s.sum()) for s in sensitive]
        assert dt.influences(f).tolist() == [s.mean() for s in sensitive]
        expected = [weights[s].sum() for s in sensitive]
        assert dt.influences(f, mu) == pytest.approx(expected, rel=1e-12, abs=1e-15)
