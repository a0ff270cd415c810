"""What the claims of chapter 5 are tried on is what it is said to be."""

import numpy as np
import pytest

from claims.growing import populations
from dtviz import growing
from dtviz.core.boolean import cube_points


@pytest.mark.parametrize("cost", growing.BOUNDED)
def test_adversaries_have_a_question_for_every_leaf(cost):
    """Bits are asked in their order, and no leaf has seen all before the last split looked at."""
    for world in populations.adversaries(cost):
        depth = [0]
        for step, node in enumerate(world.path.split_node):
            if step <= world.steps:
                assert world.path.split_variable[step] == depth[node]
            depth += [depth[node] + 1] * 2
        assert max(depth[: 2 * world.steps + 1]) < max(depth)


def test_adversaries_grant_the_edge_and_no_more():
    """By counting, on a small world: the next bit has the edge, those after it no more."""
    for even, share in ((True, 0.5), (False, 0.5), (True, 0.2), (False, 0.2)):
        weights, shares = populations.adversary(share, 0.1, 4, even=even)
        X = cube_points(4)
        for depth in range(4):
            for prefix in np.unique(X[:, :depth], axis=0):
                here = (X[:, :depth] == prefix).all(axis=1)
                edges = growing.edges(X[here], shares[here], weights[here])
                assert edges[depth] == pytest.approx(0.1)
                assert edges[:depth] == pytest.approx(0)
                assert (edges[depth:] <= 0.1 + 1e-12).all()
