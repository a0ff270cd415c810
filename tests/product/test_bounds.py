"""Chapter 3: one common bias, average depths of restrictions, score floors, bounds on the size."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.definitions import Oracle
from support.paths import assert_same_path, bound_bits, hardest_restriction
from support.strategies import functions

import dtviz as dt
from dtviz import product

F = dt.functions
BIASES = [Fraction(1, 10), Fraction(1, 3), Fraction(9, 10), Fraction(1, 2)]


# -- depths of restrictions ------------------------------------------------------------------------


def restrictions(n):
    for values in itertools.product((0, 1, None), repeat=n):
        yield {i: b for i, b in enumerate(values) if b is not None}


def fixed(f, bits):
    for i in sorted(bits, reverse=True):
        f = f.restrict(i, bits[i])
    return f


@pytest.mark.parametrize("seed", range(6))
def test_depths_of_every_restriction(seed):
    """Against the plain recursion in fractions, run on each restricted function anew."""
    n = 4
    f = F.random(n, seed) if seed else F.guarded(F.majority(3))
    p = [Fraction(i + 1, n + 3) for i in range(n)]
    best = dt.optimal(f, dt.ProductDistribution(p))
    means = {}
    for bits in restrictions(n):
        left = [q for i, q in enumerate(p) if i not in bits]
        _, depth, _, mean = Oracle(fixed(f, bits), left).optima()
        assert depth <= best.depth
        means[tuple(bits.items())] = mean
    largest = max(means.values())
    assert best.max_average_depth == pytest.approx(float(largest), abs=1e-12)
    assert means[tuple(hardest_restriction(best).items())] == largest
    assert best.average_depth == pytest.approx(float(means[()]), abs=1e-12)


def test_a_restriction_can_be_harder_than_the_function():
    """The ledger's example (claim PS-L4.4): Delta(f) = 1.20625, and 4.125 once x_0 = 1."""
    f = F.guarded(F.majority(5))
    best = dt.optimal(f, dt.ProductDistribution([Fraction(1, 20)] + [Fraction(1, 2)] * 5))
    assert best.average_depth == pytest.approx(1.20625, abs=1e-12)
    assert best.max_average_depth == pytest.approx(4.125, abs=1e-12)
    assert hardest_restriction(best) == {0: 1}
    assert best.depth == 6


def test_restrictions_of_constants_and_parities():
    assert hardest_restriction(dt.optimal(F.parity(0))) == {}
    assert dt.optimal(F.conjunction(0)).max_average_depth == 0
    best = dt.optimal(F.parity(5), dt.ProductDistribution([0.1, 0.2, 0.3, 0.4, 0.9]))
    assert best.max_average_depth == pytest.approx(5)
    assert hardest_restriction(best) == {}


# -- floors ----------------------------------------------------------------------------------------


def test_floors_in_fractions():
    e, v, delta = Fraction(1, 8), Fraction(1, 5), Fraction(5, 2)
    assert product.score_floor_by_error(e, 3, delta) == Fraction(1, 80)
    assert product.score_floor_by_cost(e, 1, delta, 3) == Fraction(1, 120)
    assert product.score_floor_by_variation(v, 0, delta) == Fraction(4, 125)
    assert product.score_floor_by_cost(2, 1, 3, 3) == Fraction(1, 9)
    assert isinstance(product.score_floor_by_error(0.125, 3, 2.5), float)
    assert product.score_floor_by_error(0.125, 3, 2.5) == 1 / 80


@given(st.data())
@settings(max_examples=60)
def test_floors_hold_along_exact_runs(data):
    """In fractions, for Delta over restrictions, for D, and ours for Delta of f."""
    f = data.draw(functions(4))
    p = [data.draw(st.sampled_from(BIASES)) for _ in range(f.n)]
    oracle, mu = Oracle(f, p, resample=True), dt.ProductDistribution(p)
    best = dt.optimal(f, mu)
    split, totals = oracle.greedy()
    path = dt.build_top_down(f, mu)
    variations = product.path_variations(path)
    for j, (leaf, (error, cost)) in enumerate(zip(split, totals, strict=False)):
        score = float(leaf.score) * (1 + 1e-9)
        for delta in (best.max_average_depth, best.depth):
            assert score >= product.score_floor_by_error(error, j, delta)
            assert score >= product.score_floor_by_cost(cost, j, delta, best.depth)
        assert score >= product.score_floor_by_variation(variations[j], j, best.average_depth)
        slack = 1e-12
        assert float(error) <= variations[j] + slack
        assert variations[j] <= float(cost) + slack
        assert float(cost) <= best.depth * variations[j] + slack


def test_variation_of_leaves_by_hand():
    f = F.majority(3)
    mu = dt.ProductDistribution([0.1, 0.5, 0.5])
    # x_0 = 0 leaves the conjunction of two fair bits, x_0 = 1 the disjunction: 2/4 * 3/4 each;
    # before that m = 9/10 * 1/4 + 1/10 * 3/4 = 3/10.
    path = dt.product.replay(f, mu, [0], [0])
    assert product.path_variations(path) == pytest.approx([0.42, 3 / 8])
    found = product.path_variations(dt.build_top_down(f)).tolist()
    assert found == [1 / 2, 3 / 8, 5 / 16, 1 / 4, 1 / 8, 0]


# -- bounds ----------------------------------------------------------------------------------------


def test_bounds_by_hand():
    """Delta = D = 3, epsilon = 1/4: base e/eps, exponent 9."""
    bits = 9 * math.log2(4 * math.e)
    assert product.size_bound_bits(3, 3, 0.25) == pytest.approx(bits)
    assert product.abstract_bound_bits(3, 3, 0.25) == pytest.approx(bits)
    assert product.size_bound_bits(3, 3, 0.25, slack=4) == pytest.approx(4 * bits)
    # Delta < eps D: the other branch.
    assert product.size_bound_bits(2, 8, 0.4) == pytest.approx(16 * math.log2(math.e))
    # 2 * 8 / 0.4 nats against (2 / 0.8)^2; and 1 * 1 / 0.01 against 50^2.
    assert product.variation_bound_bits(2, 8, 0.4) == pytest.approx(6.25 * math.log2(math.e))
    assert product.variation_bound_bits(1, 1, 0.01) == pytest.approx(100 * math.log2(math.e))
    # 3 / (2 * 0.25 * 3) = 2; below 1 only the second factor is left.
    assert product.proved_bound_bits(3, 3, 3, 0.25) == pytest.approx(9 * math.log2(2 * math.e))
    assert product.proved_bound_bits(1.5, 2, 3, 0.25, 4) == pytest.approx(24 * math.log2(math.e))
    assert product.abstract_bound_bits(2, 8, 0.4) == pytest.approx(16 * math.log2(2.5 * math.e))


@pytest.mark.parametrize("epsilon", [0.4, 0.2, 0.05])
@pytest.mark.parametrize(("delta", "depth"), [(1, 1), (1.2, 2), (2, 2), (1.5, 3)])
def test_phases_enclose_the_recursion(delta, depth, epsilon):
    """Where the counts are small enough to run: the cost is down when phases says so."""
    for slack in (1, 1.5):
        lengths = product.phases(delta, depth, epsilon, slack=slack)
        assert lengths.total <= product.size_bound_bits(delta, depth, epsilon, slack) + 1e-9
    lengths = product.phases(delta, depth, epsilon)
    leaves = round(2**lengths.total)
    costs = product.worst_case_costs(delta, depth, epsilon, leaves - 1)
    assert costs[0] == delta / 2
    assert costs[round(2**lengths.first) - 1] <= epsilon * depth + 1e-12
    assert costs[-1] <= epsilon + 1e-12


def test_worst_case_recursion_by_hand():
    """Delta = 1, D = 2, epsilon = 1/10: cost 0.5 > 0.2, so phase 1 until 0.2, then 0.1/(j+1)."""
    costs = product.worst_case_costs(1, 2, 0.1, 4)
    assert costs[:4] == pytest.approx([0.5, 0.25, 0.1875, 0.1875 - 0.1 / 3])
    assert product.worst_case_costs(1, 1, 0.1, 3, first_cost=0.05).tolist() == [0.05, 0, 0, 0]


@pytest.mark.parametrize("epsilon", [0.3, 0.1, 0.01])
def test_sizes_stay_below_the_bounds_that_hold(epsilon):
    for f in (F.majority(5), F.tribes(2, 3), F.random(6, 1), F.guarded(F.majority(5))):
        for p in (0.1, 0.5, 0.9):
            mu = dt.ProductDistribution([p] * f.n)
            bits = math.log2(dt.build_top_down(f, mu).n_leaves_for(epsilon))
            by_largest, by_depth, by_variation, _ = bound_bits(f, mu, epsilon)
            assert bits <= min(by_largest, by_depth, by_variation)
            assert by_largest <= by_depth


# -- ties under equal biases -----------------------------------------------------------------------

SYMMETRIC = {
    "majority 7": F.majority(7),
    "parity 6": F.parity(6),
    "tribes 3x2": F.tribes(3, 2),
    "tribes 2x3": F.tribes(2, 3),
    "or 6": F.disjunction(6),
    "not all equal 5": ~(F.conjunction(5) | ~F.disjunction(5)),
    "exactly half of 6": dt.BooleanFunction.from_rule(6, lambda x: x.sum() == 3),
}


@pytest.mark.parametrize("p", BIASES[:3], ids=str)
@pytest.mark.parametrize("name", SYMMETRIC)
def test_equal_biases_leave_ties_that_rounding_must_not_break(name, p):
    f = SYMMETRIC[name]
    path = dt.build_top_down(f, dt.ProductDistribution([p] * f.n))
    assert_same_path(f, path, Oracle(f, [p] * f.n, resample=True))


@pytest.mark.parametrize("p", BIASES[:3], ids=str)
def test_the_documented_order_of_ties(p):
    """Parity: every leaf of a level is split left to right, on the lowest variable left."""
    path = dt.build_top_down(F.parity(4), dt.ProductDistribution([p] * 4))
    assert [s.variable for s in path.splits if s.depth == 0] == [0]
    for depth in range(4):
        assert {s.variable for s in path.splits if s.depth == depth} == {depth}


# -- bad input -------------------------------------------------------------------------------------

BAD = [
    (lambda: product.path_variations([1]), ("path must be a GrowthPath", "[1]")),
    (lambda: product.score_floor_by_error(0.6, 0, 1), ("error", "[0, 1/2]", "0.6")),
    (lambda: product.score_floor_by_error(0.1, -1, 1), ("step", "from 0", "-1")),
    (lambda: product.score_floor_by_error(0.1, 0, 0), ("delta", "(0, inf)", "0")),
    (lambda: product.score_floor_by_error(0.1, 0, math.nan), ("delta", "(0, inf)", "nan")),
    (lambda: product.score_floor_by_cost(-1, 0, 1, 1), ("cost", "[0, inf)", "-1")),
    (lambda: product.score_floor_by_cost(1, 0, 1, 0), ("depth", "from 1", "0")),
    (lambda: product.score_floor_by_variation(0.7, 0, 1), ("variation", "[0, 1/2]", "0.7")),
    (lambda: product.size_bound_bits(4, 3, 0.1), ("delta", "[1, depth]", "4")),
    (lambda: product.size_bound_bits(0.5, 3, 0.1), ("delta", "[1, depth]", "0.5")),
    (lambda: product.size_bound_bits(1, 3, 0), ("epsilon", "(0, 1/2)", "0")),
    (lambda: product.size_bound_bits(1, 3, 0.1, 0.5), ("slack", "[1, inf)", "0.5")),
    (lambda: product.proved_bound_bits(3, 2, 4, 0.1), ("delta", "[1, largest]", "3")),
    (lambda: product.proved_bound_bits(2, 5, 4, 0.1), ("largest", "[1, depth]", "5")),
    (lambda: product.size_bound_bits(1, 2.5, 0.1), ("depth", "integer", "2.5")),
    (lambda: product.phases(1, 3, 0.1, first_cost=-1), ("first_cost", "[0, inf)", "-1")),
    (lambda: product.worst_case_costs(1, 3, 0.1, -1), ("steps", "from 0", "-1")),
    *[
        (lambda p=p: dt.build_top_down(F.parity(2), dt.ProductDistribution(p)), ("p", result))
        for p, result in (
            ([0, 0.5], "p[0] = 0"),
            ([0.5, 1], "p[1] = 1"),
            ([0.5, math.nan], "p[1] = nan"),
            ([[0.5]], "shape (1, 1)"),
            ("ab", "ab"),
        )
    ],
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
