"""Chapter 1: what luck with ties is worth, the lower bounds, and the bounds of the analysis."""

from __future__ import annotations

import math

import pytest
from support import gold

import dtviz as dt
from dtviz import influence

F = dt.functions


@pytest.mark.parametrize(
    ("name", "distribution", "f", "entry", "values"),
    [case for case in gold.cases() if case[1] == "uniform"],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_golden_sizes_under_all_ties(name, distribution, f, entry, values):
    del name, distribution, entry
    sizes = dt.influence.greedy_sizes(f)
    assert sizes.best == values["greedy_exact_best_ties"]
    assert sizes.worst == values["greedy_exact_worst_ties"]


@pytest.mark.parametrize("k", range(7))
def test_caterpillar_sizes(k):
    """LB-B: 4k + 2 leaves are enough, greedy takes 6 * 2^k - 4 however ties are broken."""
    f = F.caterpillar(k)
    expected = 6 * 2**k - 4 if k else 2
    assert dt.build_top_down(f).n_leaves_for(0) == expected
    if k <= 3:
        assert dt.optimal(f).n_leaves == 4 * k + 2
        assert dt.influence.greedy_sizes(f) == influence.GreedySizes(expected, expected)


@pytest.mark.parametrize("bits", range(1, 9))
def test_parity_multiplexer_sizes(bits):
    """LB-A with k = 2 behind Maj_3: 3.5 * 4^P against 6 * 2^P."""
    f = F.parity_multiplexer(3, bits)
    path = dt.build_top_down(f)
    assert 2 * path.n_leaves_for(0) == 7 * 4**bits
    if f.n <= 11:
        assert dt.optimal(f).n_leaves == 6 * 2**bits
    if bits == 8:
        assert [path.n_leaves_for(e) for e in (0.24, 0.2, 0.1)] == [68158, 78644, 176948]


def test_worst_case_recursion_by_hand():
    """Two leaves, epsilon = 1/4: log2 s = 1, log2(4s/eps) = 5, the limit is 5/4 > 1, so phase 2."""
    costs = influence.worst_case_costs(2, 0.25, 3)
    assert costs == pytest.approx([1, 1 - 0.25, 1 - 0.25 - 0.125, 1 - 0.25 - 0.125 - 0.25 / 3])
    # s = 16: log2 s = 4 is above eps log2(4s/eps) = 0.1 log2 640, so phase 1 shrinks it.
    big = math.log2(640)
    first = influence.worst_case_costs(16, 0.1, 1)
    assert first[1] == pytest.approx(4 * (1 - 1 / (big * 4)))


def test_phases_enclose_the_recursion():
    """Where the counts are small enough to run: the recursion is done when phases says so."""
    size, epsilon = 2, 0.45
    lengths = influence.phases(size, epsilon)
    steps = math.ceil(2**lengths.log2_m)
    costs = influence.worst_case_costs(size, epsilon, steps)
    assert costs[-1] <= epsilon + 1e-12
    limit = epsilon * math.log2(4 * size / epsilon)
    assert costs[math.ceil(2**lengths.log2_k)] <= limit + 1e-12


def test_influence_bounds_hold_for_all_functions_of_three_variables_and_are_tight_for_parity():
    optima = dt.optimal_all(3)
    for code in range(256):
        f = dt.BooleanFunction.from_int(3, code)
        variance, size = dt.measures.variance(f), int(optima.n_leaves[code])
        total = dt.measures.total_influence(f)
        assert total <= influence.sharp_influence_bound(variance, size) + 1e-12
        assert (
            influence.sharp_influence_bound(variance, size)
            <= influence.influence_bound(variance, size) + 1e-12
        )
    assert influence.sharp_influence_bound(1.0, 8) == dt.measures.total_influence(F.parity(3))


PARITY = F.parity(2)
BAD = [
    (lambda: dt.influence.greedy_sizes("parity"), ("f must be a BooleanFunction", "parity")),
    (lambda: influence.score_floor_by_error(0.1, -1, 4), ("step", "from 0", "-1")),
    (lambda: influence.score_floor_by_error(0.1, 0, 1), ("size", ">= 2", "1")),
    (lambda: influence.score_floor_by_error(math.nan, 0, 4), ("error", "[0, 1/2]", "nan")),
    (lambda: influence.score_floor_by_error(0.7, 0, 4), ("error", "[0, 1/2]", "0.7")),
    (lambda: influence.score_floor_by_cost(1, 0, 4, 0), ("epsilon", "(0, 1/2)", "0")),
    (lambda: influence.score_floor_by_cost(-1, 0, 4, 0.1), ("cost", ">= 0", "-1")),
    (lambda: influence.influence_bound(1.5, 4), ("variance", "[0, 1]", "1.5")),
    (lambda: influence.sharp_influence_bound(-0.1, 4), ("variance", "[0, 1]", "-0.1")),
    (lambda: influence.influence_bound(0.5, 0), ("size", ">= 1", "0")),
    (lambda: influence.worst_case_costs(4, 0.0, 3), ("epsilon", "(0, 1/2)", "0")),
    (lambda: influence.worst_case_costs(4, 0.1, -3), ("steps", "from 0", "-3")),
    (lambda: influence.phases(4, 0.6), ("epsilon", "1/2", "0.6")),
    (lambda: influence.phases(4, 0), ("epsilon", "(0, 1/2)", "0")),
    (lambda: influence.phases(1, 0.1), ("size", ">= 2", "1")),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
