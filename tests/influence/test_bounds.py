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
