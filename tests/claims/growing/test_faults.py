"""Wrong code in the package, and slips in the formulas of the claims of chapter 5, are caught."""

from __future__ import annotations

import inspect
import sys
import textwrap

import numpy as np
import pytest
from support.cases import sweep

from claims.growing import falls, populations
from claims.growing import test_algorithm as algorithm
from claims.growing import test_costs as costs
from claims.growing import test_definitions as definitions
from claims.growing import test_leaves as leaves
from claims.growing import test_ours as ours
from claims.growing import test_rates as rates
from claims.kit.faults import fails_under
from dtviz import growing
from dtviz.core import criteria
from dtviz.core.boolean import cube_points
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.tree import Tree
from dtviz.growing import one_split, predicates, votes

RUNS = ("runs", "all_steps", "grown_trees", "deep_runs", "weak_runs", "regions")
RUNS = (*(getattr(populations, name) for name in RUNS), definitions.walked)
VOTES = (populations.vote_runs, falls.moments)
GROWTH = {"grow_predicates", "predict", "_path", "_examined"}


def caches(test, changed):
    """The tables of the claims that such wrong code would fill."""
    if changed == "grow_votes":
        return VOTES
    if changed not in GROWTH:
        return (ours.least,)
    return (
        RUNS if test.__module__ == algorithm.__name__ else (*RUNS, *VOTES, populations.adversaries)
    )


grow = growing.grow_predicates


def mutated(place, attribute, old, new):
    """A function of the package or of the claims, a piece of its code in another form."""
    function = getattr(place, attribute)
    source = textwrap.dedent(inspect.getsource(function))
    assert old in source, f"{old} is not in {attribute}"
    space = dict(vars(sys.modules[function.__module__]))
    exec(source.replace(old, new), space)  # noqa: S102
    return place, attribute, space[attribute]


def unlike(module, cost, G):
    """The costs, one of them exchanged."""
    if module is one_split:
        other = lambda name: criteria.as_criterion(G if name == cost else name)  # noqa: E731
        return module, "as_criterion", other
    return module, "COST_FUNCTIONS", {**COST_FUNCTIONS, cost: G}


def bound_with(cost, /, **other):
    """The bounds of the package, some of those of one cost exchanged."""
    known = growing.bounds.BOUNDS
    return growing.bounds, "BOUNDS", {**known, cost: known[cost]._replace(**other)}


def by_error(predicates, target, weights=None, cost="gini", max_leaves=None):
    del cost
    return grow(predicates, target, weights, "error", max_leaves)


SQRT, GINI = COST_FUNCTIONS["sqrt"], COST_FUNCTIONS["gini"]


def votes_with(factor):
    """Growth on votes that is said to take another power of the leaves it needs."""
    wrong = mutated(votes, "grow_votes", "math.log(leaves)", f"{factor} * math.log(leaves)")[-1]
    return populations, "grow_votes", wrong


FAULTS = (
    (algorithm.test_tree_with_a_leaf_split, (Tree, "predict", lambda _, X: np.zeros(len(X), int))),
    (definitions.test_walk, (Tree, "predict", lambda tree, X: 1 - tree._labels("")[tree.apply(X)])),
    (definitions.test_error_of_a_leaf, unlike(definitions, "error", lambda q: max(q, 1 - q))),
    (
        definitions.test_example_of_the_figure,
        (growing, "grow_predicates", lambda *a, **_: grow(*a, weights=range(10))),
    ),
    (
        algorithm.test_drop_of_a_tree,
        (growing, "drop", lambda tau, p, r, cost: one_split.drop(1 - tau, p, r, cost)),
    ),
    (algorithm.test_algorithm, (predicates, "grow_predicates", by_error)),
    (algorithm.test_weak_learning, (growing, "edges", lambda h, *_: np.zeros(h.shape[1]))),
    (algorithm.test_balanced_leaf, (growing, "edge", lambda tau, p, r: (r - p) / 2 + 0 * tau)),
    (costs.test_symmetric, unlike(costs, "gini", lambda q: q)),
    (costs.test_concave, unlike(costs, "gini", lambda q: (1 - 2 * q) ** 2)),
    (costs.test_strictly_concave, unlike(one_split, "sqrt", COST_FUNCTIONS["error"])),
    (costs.test_above_the_error, unlike(costs, "gini", lambda q: q * (1 - q))),
    (costs.test_tree_above_its_error, unlike(costs, "sqrt", lambda q: SQRT(q) / 2)),
    (costs.test_gini, unlike(costs, "gini", SQRT)),
    (costs.test_entropy, unlike(costs, "entropy", SQRT)),
    (costs.test_square_root, unlike(costs, "sqrt", GINI)),
    (costs.test_order_of_the_four, unlike(costs, "gini", SQRT)),
    (costs.test_drop_of_the_error, unlike(one_split, "error", GINI)),
    (leaves.test_drop_of_a_leaf, unlike(one_split, "sqrt", GINI)),
    (leaves.test_drop_of_a_leaf, bound_with("gini", leaf_drop=lambda x, g: 31 * g**2 * x**2)),
    (leaves.test_good_leaf, (growing, "has_good_leaf", lambda *_: False)),
    (rates.test_recurrence_of_the_notes, (growing, "grow_predicates", by_error)),
    (
        rates.test_gini_by_the_average_leaf,
        bound_with("gini", tree_drop=lambda G, leaves, g: 7.9 * g**2 * G**2 / leaves),
    ),
    (
        rates.test_gini_by_the_average_leaf,
        bound_with("gini", cost=lambda L, g: 1 / (2 + 7.9 * g**2 * L)),
    ),
    (
        rates.test_entropy,
        bound_with("entropy", cost=lambda L, g: 2 * np.exp(-np.sqrt(2 + 8 * g**2 * L))),
    ),
    (
        rates.test_entropy,
        bound_with("entropy", log_leaves=lambda e, g: (np.log(2 / e) ** 2 - 1.4, 8 * g**2)),
    ),
    (rates.test_gini_by_the_average_leaf, votes_with(10)),
    (rates.test_entropy, votes_with(10)),
    (rates.test_square_root, votes_with(10)),
    (ours.test_every_tree_of_votes, votes_with(10)),
    (ours.test_every_tree_of_votes, votes_with(0.4)),
    (rates.test_square_root, (growing, "log_leaves_enough", lambda *_: 1.0)),
    (ours.test_round_of_adaboost, (growing, "contraction", lambda gamma: 1 - 4 * gamma**2)),
)
"""A claim, and what stands in for something in the package."""

GROWN = (predicates, "grow_predicates")
SLIPS = (
    # In the package: the branches for rounding and for ties among them.
    (definitions.test_error_of_a_tree, predicates, "_path", "np.minimum(z", "np.maximum(z"),
    (definitions.test_drops_of_the_example, growing, "drop", "tau * G(r)", "tau * G(p)"),
    (algorithm.test_algorithm, *GROWN, "-_comparable(child.score)", "_comparable(child.score)"),
    (algorithm.test_algorithm, *GROWN, "2 * place + side", "2 * place - side"),
    (algorithm.test_algorithm, *GROWN, "depth + 1, 2", "depth - 1, 2"),
    (algorithm.test_algorithm, predicates, "_examined", "score - ROUNDING * cost)", "score)"),
    (leaves.test_good_leaf, growing, "adversarial_leaves", "(c * t))", "(2 * c * t))"),
    (ours.test_gini_at_small_errors, predicates, "_examined", ".argmax())", ".argmin())"),
    # In what the claims say: each constant has another that it must agree with, or is attained.
    (rates.test_recurrence_of_the_notes, rates, "notes_floor", "1 / 8", "1 / 16"),
    (rates.test_recurrence_of_the_notes, rates, "notes_bound", "1 / 4", "1 / 5"),
    (rates.test_recurrence_of_the_notes, rates, "notes_bound", "=4", "=3.9"),
    (rates.test_gini_by_the_good_leaf, rates, "notes_splits", "4 / LN2", "5 / LN2"),
    (rates.test_gini_by_the_average_leaf, rates, "gini_floor", "=8", "=7.9"),
    (rates.test_gini_by_the_average_leaf, rates, "gini_bound", "=8", "=7.9"),
    (rates.test_gini_by_the_average_leaf, rates, "gini_splits", "=8", "=7.9"),
    (rates.test_entropy, rates, "entropy_floor", "LN2", "1"),
    (rates.test_entropy, rates, "entropy_bound", "four=4", "four=3"),
    (rates.test_entropy, rates, "entropy_splits", "=8", "=7.9"),
    (rates.test_square_root, rates, "kappa", "1 - 4", "1 - 3.9"),
    (rates.test_square_root, rates, "sqrt_splits", "two=2", "two=1.9"),
    (leaves.test_drop_of_a_leaf, leaves, "gini_exactly", "=8", "=7.9"),
    (costs.test_entropy, costs, "half_surprise", "=2", "=3"),
    (costs.test_entropy_below_a_function_of_x, costs, "entropy_below", "=4", "=5"),
    (algorithm.test_weak_learning, algorithm, "hardest", "=2", "=2.1"),
    (ours.test_every_tree_of_votes, ours, "votes_floor", "1 / 2", "0.6"),
    (ours.test_every_tree_of_votes, ours, "by_logarithm", "=4", "=5"),
    (ours.test_every_tree_of_votes, ours, "by_square", "=3", "=2.9"),
    (ours.test_every_tree_of_votes, ours, "joint", "0.5 - gamma", "0.5"),
    (ours.test_gini_at_small_errors, ours, "small_splits", "TWELVE", "13"),
    (ours.test_gini_at_small_errors, ours, "edge_of_choice", "=4", "=3.9"),
)
"""A claim, the place of a function, and a piece of its code in another form."""


@pytest.mark.parametrize(("test", "fault"), sweep(FAULTS, 3))
def test_wrong_code_is_caught(test, fault):
    assert fails_under(fault, test, caches(test, fault[1]))


@pytest.mark.parametrize(("test", "module", "name", "old", "new"), sweep(SLIPS, 3))
def test_a_slip_is_caught(test, module, name, old, new):
    assert fails_under(mutated(module, name, old, new), test, caches(test, name))


def test_31_for_32():
    wrong = mutated(leaves, "gini_floor", "=32", "=31")[-1]
    assert fails_under(
        (leaves, "FLOORS", leaves.FLOORS | {"gini": wrong}), leaves.test_drop_of_a_leaf
    )


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
