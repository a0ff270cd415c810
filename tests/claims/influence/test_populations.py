"""What the claims of chapter 1 are tried on is what it is said to be."""

from itertools import pairwise

import numpy as np
import pytest

import dtviz as dt
from claims.influence import populations, selectors


def test_families_are_the_functions_they_name():
    known = populations.families()
    made = {"parity of 7": dt.functions.parity(7), "conjunction of 7": dt.functions.conjunction(7)}
    made["multiplexer iterated 2 times"] = populations.iterated_multiplexer(2)
    for label, f in made.items():
        k = known.names.index(label)
        numbers = (dt.measures.variance(f), dt.measures.total_influence(f), dt.influences(f).max())
        assert (known.variance[k], known.total[k], known.largest[k]) == numbers
        assert known.size[k] == dt.optimal(f).n_leaves


@pytest.mark.parametrize("floors", [1, 2])
@pytest.mark.parametrize(("size", "epsilon"), [(2, 0.3), (4, 0.45), (3, 0.25), (5, 0.4)])
def test_the_slowest_fall_is_that_of_the_recursion(size, epsilon, floors):
    bits, ratio = np.log2(size), np.log2(4 * size / epsilon)
    cost, leaves = bits, 1
    while cost > floors * epsilon:
        share = cost / ratio if cost > epsilon * ratio else floors * epsilon
        cost, leaves = cost - share / (leaves * bits), leaves + 1
    # The last step is taken whole.
    found = 2 ** populations.slowest_fall(size, epsilon, floors)
    assert leaves - 1.5 < found < leaves + 0.05 * leaves


def test_tribes_and_weights_are_the_selectors_they_name():
    tribes = dt.cube_points(15).reshape(-1, 5, 3).all(axis=2).any(axis=1).astype(int)
    for by_formula, table in [
        (selectors.tribes(1), tribes),
        (selectors.by_weight(5, 3), (dt.cube_points(5).sum(axis=1) >= 3).astype(int)),
        (selectors.by_weight(5, 2, 4), np.digitize(dt.cube_points(5).sum(axis=1), [2, 4])),
    ]:
        by_points = selectors.of_table("by points", table, by_formula.blocks)
        assert by_formula.q == pytest.approx(by_points.q)
        moves = np.broadcast_to(by_formula.moves, by_points.moves.shape)
        assert by_points.moves == pytest.approx(moves)


def test_states_of_three_parities_are_those_of_the_run():
    """Beyond the theorem: a vote has influence 3/8 > 1/4, yet all blocks are read first."""
    x = dt.cube_points(14)
    chosen = np.where(x[:, :5].sum(axis=1) > 2, 0, 1 + (x[:, 5:8].sum(axis=1) > 1))
    level = selectors.by_states(selectors.of_table("votes", chosen[: 1 << 8], 3), 2)
    blocks = x[:, 8:].reshape(-1, 3, 2).sum(axis=2) % 2
    f = dt.BooleanFunction(14, blocks[np.arange(len(x)), chosen])
    errors = dt.build_top_down(f).errors
    before = int((level.lead > 0).argmin()) if (level.lead <= 0).any() else level.error.size
    assert before > 2
    assert [errors[(1 << d) - 1] for d in range(before)] == level.error[:before].tolist()
    assert all(a >= b for a, b in pairwise(level.error))
