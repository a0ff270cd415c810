"""What the claims of chapter 1 are tried on is what it is said to be."""

import numpy as np
import pytest

import dtviz as dt
from claims.influence import populations, selectors


@pytest.mark.parametrize(("size", "epsilon"), [(2, 0.3), (4, 0.45), (3, 0.25), (5, 0.4)])
def test_the_slowest_fall_is_that_of_the_recursion(size, epsilon):
    bits, ratio = np.log2(size), np.log2(4 * size / epsilon)
    cost, leaves = bits, 1
    while cost > 2 * epsilon:
        share = cost / ratio if cost > epsilon * ratio else 2 * epsilon
        cost, leaves = cost - share / (leaves * bits), leaves + 1
    # The last step is taken whole.
    found = 2 ** populations.slowest_fall(size, epsilon)
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
