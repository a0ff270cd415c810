"""Chapter 3: one common bias, average depths of restrictions, score floors, bounds on the size."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from support.paths import hardest_restriction

import dtviz as dt
from dtviz import product

F = dt.functions


def restrictions(n):
    for values in itertools.product((0, 1, None), repeat=n):
        yield {i: b for i, b in enumerate(values) if b is not None}


def test_a_restriction_can_be_harder_than_the_function():
    """The ledger's example (claim PS-L4.4): Delta(f) = 1.20625, and 4.125 once x_0 = 1."""
    f = F.guarded(F.majority(5))
    best = dt.optimal(f, dt.ProductDistribution([Fraction(1, 20)] + [Fraction(1, 2)] * 5))
    assert best.average_depth == pytest.approx(1.20625, abs=1e-12)
    assert best.max_average_depth == pytest.approx(4.125, abs=1e-12)
    assert hardest_restriction(best) == {0: 1}
    assert best.depth == 6


def test_floors_in_fractions():
    e, v, delta = Fraction(1, 8), Fraction(1, 5), Fraction(5, 2)
    assert product.score_floor_by_error(e, 3, delta) == Fraction(1, 80)
    assert product.score_floor_by_cost(e, 1, delta, 3) == Fraction(1, 120)
    assert product.score_floor_by_variation(v, 0, delta) == Fraction(4, 125)
    assert product.score_floor_by_cost(2, 1, 3, 3) == Fraction(1, 9)
    assert isinstance(product.score_floor_by_error(0.125, 3, 2.5), float)
    assert product.score_floor_by_error(0.125, 3, 2.5) == 1 / 80


def test_variation_of_leaves_by_hand():
    f = F.majority(3)
    mu = dt.ProductDistribution([0.1, 0.5, 0.5])
    # x_0 = 0 leaves the conjunction of two fair bits, x_0 = 1 the disjunction: 2/4 * 3/4 each;
    # before that m = 9/10 * 1/4 + 1/10 * 3/4 = 3/10.
    path = dt.product.replay(f, mu, [0], [0])
    assert product.path_variations(path) == pytest.approx([0.42, 3 / 8])
    found = product.path_variations(dt.build_top_down(f)).tolist()
    assert found == [1 / 2, 3 / 8, 5 / 16, 1 / 4, 1 / 8, 0]


def test_bounds_by_hand():
    """Delta = D = 3, epsilon = 1/4: base e/eps, exponent 9."""
    bits = 9 * math.log2(4 * math.e)
    assert product.size_bound_bits(3, 3, 0.25) == pytest.approx(bits)
    # Delta < eps D: the other branch.
    assert product.size_bound_bits(2, 8, 0.4) == pytest.approx(16 * math.log2(math.e))
    # 2 * 8 / 0.4 nats against (2 / 0.8)^2; and 1 * 1 / 0.01 against 50^2.
    assert product.variation_bound_bits(2, 8, 0.4) == pytest.approx(6.25 * math.log2(math.e))
    assert product.variation_bound_bits(1, 1, 0.01) == pytest.approx(100 * math.log2(math.e))
    # 3 / (2 * 0.25 * 3) = 2; below 1 only the second factor is left.
    assert product.proved_bound_bits(3, 3, 3, 0.25) == pytest.approx(9 * math.log2(2 * math.e))
    assert product.proved_bound_bits(1.5, 2, 3, 0.4) == pytest.approx(6 * math.log2(math.e))
