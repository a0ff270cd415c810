"""Growth on independent votes, against explicit growth on a domain that holds a few votes."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import dtviz as dt
from dtviz import growing
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.growing.votes import MAX_VOTES, grow_votes

every_cost = pytest.mark.parametrize("cost", COST_FUNCTIONS)


def explicit(gamma, votes):
    """Every label with every row of so many votes, and its probability."""
    rows, labels, weights = [], [], []
    for label in (0, 1):
        for row in itertools.product((0, 1), repeat=votes):
            right = sum(vote == label for vote in row)
            rows.append(row)
            labels.append(label)
            weights.append((0.5 + gamma) ** right * (0.5 - gamma) ** (votes - right) / 2)
    return np.array(rows), np.array(labels), np.array(weights)


@every_cost
@pytest.mark.parametrize("gamma", [0.05, 0.1, 0.2, 0.3, 0.45])
def test_states_are_what_explicit_growth_does(cost, gamma):
    """Up to the first leaf that has seen all votes; from 0.2 on Gini leaves the order of levels."""
    votes = 7
    grown = grow_votes(gamma, cost, epsilon=1e-9, max_depth=votes)
    path = dt.grow_predicates(*explicit(gamma, votes), cost)
    leaves = np.rint(np.exp(grown.log_leaves)).astype(int)
    assert (leaves.size > 2) == (cost != "error")
    # Under sqrt a level is one tie, broken in another way: errors agree when it is done.
    same = (leaves & (leaves - 1) == 0) | (cost != "sqrt")
    assert path.errors[leaves - 1][same] == pytest.approx(grown.errors[same], abs=1e-12)
    assert path.costs[leaves - 1] == pytest.approx(grown.costs, abs=1e-12)
    for count, depth in zip(leaves.tolist(), grown.depths.tolist(), strict=True):
        assert path.tree(count).depth == depth


def majority_errs(gamma, votes):
    """The chance that most of so many votes are wrong, half of a tie included; in fractions."""
    a, b = Fraction(1, 2) + gamma, Fraction(1, 2) - gamma
    chance = Fraction(0)
    for right in range(votes // 2 + 1):
        term = math.comb(votes, right) * a**right * b ** (votes - right)
        chance += term / 2 if 2 * right == votes else term
    return float(chance)


@pytest.mark.parametrize("gamma", [Fraction(1, 20), Fraction(1, 5)])
def test_under_sqrt_growth_is_level_by_level(gamma):
    grown = grow_votes(float(gamma), "sqrt", 0.01, 60)
    for depth in range(1, int(grown.depths[-1])):
        k = int((grown.depths > depth).argmax()) - 1  # the last moment of this depth
        assert grown.log_leaves[k] == pytest.approx(depth * math.log(2), rel=1e-12)
        assert grown.errors[k] == pytest.approx(majority_errs(gamma, depth), rel=1e-9)
        shrunk = 0.5 * growing.contraction(float(gamma)) ** depth
        assert grown.costs[k] == pytest.approx(shrunk, rel=1e-9)


@pytest.mark.slow
def test_the_exponent_is_one_over_gamma_squared():
    """The numbers of the ledger: ln t / ln(1/eps) at eps = 0.1."""
    ratio = {g: grow_votes(g).log_leaves_for(0.1) / math.log(10) for g in (0.2, 0.1, 0.05, 0.025)}
    assert list(ratio.values()) == pytest.approx([2.6, 12.2, 48.9, 197.7], abs=0.06)
    scaled = [r * g**2 for g, r in ratio.items()]
    assert (min(scaled), max(scaled)) == pytest.approx((0.105, 0.124), abs=0.0005)
    per_gamma = [r * g for g, r in ratio.items()]
    assert all(1.9 < b / a < 2.4 for a, b in itertools.pairwise(per_gamma))


def test_under_error_growth_is_stuck_after_one_split():
    grown = grow_votes(0.1, "error", 0.1)
    assert grown.stuck
    assert np.exp(grown.log_leaves) == pytest.approx([1, 2])
    assert grown.errors == pytest.approx([0.5, 0.4])
    with pytest.raises(ValueError, match=r"epsilon must be at least 0.4, the error where growth"):
        grown.log_leaves_for(0.1)


@pytest.mark.slow
def test_more_leaves_than_any_float_holds():
    grown = grow_votes(0.02, "sqrt", 0.1, MAX_VOTES)
    assert grown.log_leaves[-1] > 700
    assert grown.errors[-1] <= 0.1
    assert not grown.stuck
    assert repr(grown).startswith("<VoteGrowth: gamma 0.02, sqrt, depth ")
