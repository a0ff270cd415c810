"""Growth on independent votes, against explicit growth on a domain that holds a few votes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dtviz as dt
from dtviz.core.cart.criteria import COST_FUNCTIONS
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
