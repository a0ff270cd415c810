"""Growth by any rule: replayed runs, and choices that are nearly the best."""

from __future__ import annotations

import numpy as np
import pytest

import dtviz as dt
from dtviz.core.boolean_trees.topdown import replay
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.product.approximate import build_top_down_approximate, split_shares

F = dt.functions


def biases(n):
    return dt.ProductDistribution([(i + 1) / (n + 2) for i in range(n)])


def assert_measured_as_by_definition(path, f, mu):
    """Errors, costs and best scores along a path, from the trees themselves."""
    shares, drops = split_shares(path), path.costs[:-1] - path.costs[1:]
    for step in range(path.n_splits + 1):
        tree = path.tree(step + 1)
        scores = dt.influence.leaf_scores(tree, f, mu)
        assert path.errors[step] == pytest.approx(dt.influence.tree_error(tree, f, mu), abs=1e-12)
        assert path.costs[step] == pytest.approx(scores.influences.sum(), abs=1e-12)
        if step < path.n_splits:
            assert shares[step] * scores.score.max() == pytest.approx(drops[step], abs=1e-12)
        assert tree.bare().complete(f, mu) == tree


def test_a_run_in_any_order_is_measured_by_definition():
    """Random leaves, random variables: nothing greedy about it, and cut before the end."""
    f, mu, rng = F.random(5, 3), biases(5), np.random.default_rng(0)
    free, nodes, variables = {0: list(range(5))}, [], []
    for step in range(12):
        node = int(rng.choice([k for k, left in free.items() if left]))
        left = free.pop(node)
        i = int(rng.choice(left))
        nodes.append(node)
        variables.append(i)
        free |= {2 * step + b: [j for j in left if j != i] for b in (1, 2)}
    for measure in (None, mu):
        path = replay(f, measure, nodes, variables)
        assert_measured_as_by_definition(path, f, measure)
        last = dt.influence.leaf_scores(path.tree(), f, measure).score.max()
        assert path.scores[-1] == pytest.approx(last, abs=1e-15)


def test_the_adversary_takes_the_least_that_is_allowed():
    """Against the table of scores of every tree on the way."""
    f, mu = F.random(5, 8), biases(5)
    path = build_top_down_approximate(f, mu)
    drops = path.costs[:-1] - path.costs[1:]
    for step in range(path.n_splits):
        scores = dt.influence.leaf_scores(path.tree(step + 1), f, mu).influences
        allowed = scores[scores >= scores.max() / 4 * (1 - 1e-9)]
        assert drops[step] == pytest.approx(allowed.min(), rel=1e-9)
    assert split_shares(path).min() < 0.5
    assert path.n_splits >= dt.build_top_down(f, mu).n_splits


def test_ties_of_the_adversary_go_to_the_first_leaf_and_the_lowest_variable():
    """Parity under equal biases: all scores of a level are equal, whatever their rounding."""
    for p in (0.1, 1 / 3, 0.9):
        path = build_top_down_approximate(F.parity(4), dt.ProductDistribution([p] * 4), share=1)
        assert path.split_variable[0] == 0
        by_depth = {s.depth: s.variable for s in path.splits}
        assert all(s.variable == by_depth[s.depth] == s.depth for s in path.splits)


BAD = [
    (lambda: replay(F.parity(2), None, [1], [0]), ("split_node", "0 to 0", "1")),
    (lambda: replay(F.parity(2), None, [0, 0], [0, 1]), ("split_node", "a leaf", "node 0")),
    (lambda: replay(F.parity(2), None, [0, 1], [0, 0]), ("split_node", "x0 is free", "node 1")),
    (lambda: replay(F.parity(2), None, [0], [2]), ("split_node", "x2 is free", "node 0")),
    (lambda: replay(F.parity(2), None, [0], []), ("split_variable", "one entry per split", "0")),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_a_path_without_steps():
    assert isinstance(replay(F.parity(0), None, [], []), GrowthPath)
    assert split_shares(build_top_down_approximate(F.conjunction(0))).size == 0
