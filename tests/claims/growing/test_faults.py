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
from dtviz.core.boolean import points
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.tree import Tree
from dtviz.growing import one_split, predicates, votes

MODULES = (populations, falls, definitions, ours)
CACHES = [f for module in MODULES for f in vars(module).values() if hasattr(f, "cache_clear")]
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
    return module, "COST_FUNCTIONS", {**COST_FUNCTIONS, cost: G}


def by_error(predicates, target, weights=None, cost="gini", max_leaves=None):
    del cost
    return grow(predicates, target, weights, "error", max_leaves)


SQRT, GINI = COST_FUNCTIONS["sqrt"], COST_FUNCTIONS["gini"]
SLOW = mutated(votes, "grow_votes", "math.log(leaves)", "10 * math.log(leaves)")
SLOW = (populations, "grow_votes", SLOW[-1])
FAST = mutated(votes, "grow_votes", "math.log(leaves)", "0.4 * math.log(leaves)")
FAST = (populations, "grow_votes", FAST[-1])
GROWN = (predicates, "grow_predicates")

FAULTS = {
    # In the package.
    "all answers are 0": (
        algorithm.test_tree_with_a_leaf_split,
        (Tree, "predict", lambda _, X: np.zeros(len(X), dtype=int)),
    ),
    "the other label": (
        definitions.test_walk,
        (Tree, "predict", lambda tree, X: 1 - tree._labels("")[tree.apply(X)]),
    ),
    "the error of the worse label": (
        definitions.test_error_of_a_tree,
        mutated(predicates, "_path", "np.minimum(zeros", "np.maximum(zeros"),
    ),
    "max for min": (
        definitions.test_error_of_a_leaf,
        unlike(definitions, "error", lambda q: max(q, 1 - q)),
    ),
    "the figure, with weights": (
        definitions.test_example_of_the_figure,
        (growing, "grow_predicates", lambda *a, **_: grow(*a, weights=range(10))),
    ),
    "drops of another split": (
        definitions.test_drops_of_the_example,
        mutated(growing, "drop", "tau * G(r)", "tau * G(p)"),
    ),
    "drops by the wrong weights": (
        algorithm.test_drop_of_a_tree,
        (growing, "drop", lambda tau, p, r, cost: one_split.drop(1 - tau, p, r, cost)),
    ),
    "growth by error": (algorithm.test_algorithm, (*GROWN, by_error)),
    "the worst leaf first": (
        algorithm.test_algorithm,
        mutated(*GROWN, "-compared(child.score)", "compared(child.score)"),
    ),
    "the rightmost leaf first": (
        algorithm.test_algorithm,
        mutated(*GROWN, "2 * place + side", "2 * place - side"),
    ),
    "the deepest leaf first": (
        algorithm.test_algorithm,
        mutated(*GROWN, "depth + 1, 2", "depth - 1, 2"),
    ),
    "rounding decides": (
        algorithm.test_algorithm,
        mutated(predicates, "_examined", "score - ROUNDING * cost)", "score)"),
    ),
    "no edges": (
        algorithm.test_weak_learning,
        (growing, "edges", lambda predicates, *_: np.zeros(predicates.shape[1])),
    ),
    "the edge of tau = 1/2": (
        algorithm.test_balanced_leaf,
        (growing, "edge", lambda tau, p, r: (r - p) / 2 + 0 * tau),
    ),
    "a cost that is q": (costs.test_symmetric, unlike(costs, "gini", lambda q: q)),
    "a convex cost": (costs.test_concave, unlike(costs, "gini", lambda q: (1 - 2 * q) ** 2)),
    "the error for sqrt": (
        costs.test_strictly_concave,
        unlike(one_split, "sqrt", COST_FUNCTIONS["error"]),
    ),
    "half of Gini": (costs.test_above_the_error, unlike(costs, "gini", lambda q: q * (1 - q))),
    "half of sqrt": (costs.test_tree_above_its_error, unlike(costs, "sqrt", lambda q: SQRT(q) / 2)),
    "sqrt for Gini": (costs.test_gini, unlike(costs, "gini", SQRT)),
    "sqrt for entropy": (costs.test_entropy, unlike(costs, "entropy", SQRT)),
    "Gini for sqrt": (costs.test_square_root, unlike(costs, "sqrt", GINI)),
    "Gini above entropy": (costs.test_order_of_the_four, unlike(costs, "gini", SQRT)),
    "Gini for the error": (costs.test_drop_of_the_error, unlike(one_split, "error", GINI)),
    "31 for 32": (
        leaves.test_drop_of_a_leaf,
        mutated(growing, "leaf_drop_floor", "32 * g", "31 * g"),
    ),
    "Gini falls as sqrt": (leaves.test_drop_of_a_leaf, unlike(one_split, "sqrt", GINI)),
    "no leaf is good": (leaves.test_good_leaf, (growing, "has_good_leaf", lambda *_: False)),
    "light leaves too light": (
        leaves.test_good_leaf,
        mutated(growing, "adversarial_leaves", "epsilon / (c * t))", "epsilon / (2 * c * t))"),
    ),
    "Gini that watches the error": (
        rates.test_recurrence_of_the_notes,
        (growing, "grow_predicates", by_error),
    ),
    "Gini, one of the steps": (
        rates.test_gini_by_the_average_leaf,
        mutated(growing, "tree_drop_floor", "8 * gamma", "7.9 * gamma"),
    ),
    "Gini, the bound": (
        rates.test_gini_by_the_average_leaf,
        mutated(
            growing, "cost_bound", "8 * gamma**2 * L)\n    elif", "7.9 * gamma**2 * L)\n    elif"
        ),
    ),
    "entropy, the bound": (
        rates.test_entropy,
        mutated(growing, "cost_bound", "4 * math.log(2) ** 2", "4 * math.log(2)"),
    ),
    "entropy, the leaves": (
        rates.test_entropy,
        mutated(growing, "log_leaves_enough", "math.log(4) ** 2", "math.log(4)"),
    ),
    "sqrt, the leaves": (
        rates.test_square_root,
        (growing, "log_leaves_enough", lambda *_: 1.0),
    ),
    **{
        f"slow growth: {test.__name__}": (test, SLOW)
        for test in (
            rates.test_gini_by_the_average_leaf,
            rates.test_entropy,
            rates.test_square_root,
            ours.test_every_tree_of_votes,
        )
    },
    "leaves that are not counted": (ours.test_every_tree_of_votes, FAST),
    "an uneven choice without an edge": (
        ours.test_gini_at_small_errors,
        mutated(predicates, "_examined", ".argmax())", ".argmin())"),
    ),
    "a round that takes off the square": (
        ours.test_round_of_adaboost,
        (growing, "contraction", lambda gamma: 1 - 4 * gamma**2),
    ),
}

SLIPS = (
    (rates.test_recurrence_of_the_notes, rates, "notes_floor", "1 / 8", "1 / 16"),
    (rates.test_recurrence_of_the_notes, rates, "notes_bound", "1 / 4", "1 / 5"),
    (rates.test_gini_by_the_good_leaf, rates, "notes_splits", "4 / LN2", "5 / LN2"),
    (rates.test_gini_by_the_average_leaf, rates, "gini_floor", "= 8", "= 7.9"),
    (rates.test_gini_by_the_average_leaf, rates, "gini_bound", "= 8", "= 7.9"),
    (rates.test_gini_by_the_average_leaf, rates, "gini_splits", "= 8", "= 7.9"),
    (rates.test_entropy, rates, "entropy_floor", "LN2", "1"),
    (rates.test_entropy, rates, "entropy_bound", "four: float = 4", "four: float = 3"),
    (rates.test_entropy, rates, "entropy_splits", "= 8", "= 7.9"),
    (rates.test_square_root, rates, "kappa", "1 - 4", "1 - 3.9"),
    (rates.test_square_root, rates, "sqrt_splits", "two: float = 2", "two: float = 1.9"),
    (leaves.test_drop_of_a_leaf, leaves, "gini_exactly", "= 8", "= 7.9"),
    (costs.test_entropy, costs, "half_surprise", "= 2", "= 3"),
    (costs.test_entropy_below_a_function_of_x, costs, "entropy_below", "= 4", "= 5"),
    (algorithm.test_weak_learning, algorithm, "hardest", "= 2", "= 2.1"),
    (ours.test_every_tree_of_votes, ours, "votes_floor", "1 / 2", "0.6"),
    (ours.test_every_tree_of_votes, ours, "by_logarithm", "= 4", "= 5"),
    (ours.test_every_tree_of_votes, ours, "by_square", "= 3", "= 2.9"),
    (ours.test_every_tree_of_votes, ours, "joint", "0.5 - gamma", "0.5"),
    (ours.test_gini_at_small_errors, ours, "small_splits", "TWELVE", "13"),
)
"""In what the claims say: each constant has another that it must agree with."""


@pytest.mark.parametrize("name", sweep(FAULTS, 3))
def test_wrong_code_is_caught(name):
    test, fault = FAULTS[name]
    grows = fault[1] in {"grow_predicates", "grow_votes", "predict", "_path", "_examined"}
    assert fails_under(fault, test, CACHES if grows else ())


@pytest.mark.parametrize(("test", "module", "name", "old", "new"), sweep(SLIPS, 3))
def test_a_slip_is_caught(test, module, name, old, new):
    assert fails_under(mutated(module, name, old, new), test, [ours.least])


def test_31_for_32():
    wrong = mutated(leaves, "gini_floor", "= 32", "= 31")[-1]
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
        X = points(4)
        for depth in range(4):
            for prefix in np.unique(X[:, :depth], axis=0):
                here = (X[:, :depth] == prefix).all(axis=1)
                edges = growing.edges(X[here], shares[here], weights[here])
                assert edges[depth] == pytest.approx(0.1)
                assert edges[:depth] == pytest.approx(0)
                assert (edges[depth:] <= 0.1 + 1e-12).all()
