"""Chapter 5, growing: splits, costs, bounds and growth against definitions, fractions and peers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine

import dtviz as dt
from dtviz import growing
from dtviz.core.cart.criteria import COST_FUNCTIONS
from dtviz.growing import BOUNDED, drop, edge

GOLD = json.loads((Path(__file__).parents[1] / "data" / "gold-sample.json").read_text("utf-8"))
EXAMPLE = GOLD["split_example"]
GOLDEN = {"error": "min", "gini": "gini_2q(1-q)", "entropy": "entropy_half_bits", "sqrt": "sqrt"}
GAMMAS = (0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.5)
EXACT = {"error": lambda q: min(q, 1 - q), "gini": lambda q: 2 * q * (1 - q)}
every_cost = pytest.mark.parametrize("cost", COST_FUNCTIONS)
bounded_cost = pytest.mark.parametrize("cost", BOUNDED)


def splits(rng, count):
    """Random tau, p, r with their q and edge; none of a pure leaf."""
    tau, p, r = rng.uniform(1e-3, 1 - 1e-3, (3, count))
    return tau, p, r, (1 - tau) * p + tau * r, edge(tau, p, r)


@pytest.mark.parametrize("cost", GOLDEN)
def test_the_example_of_the_notes_is_golden(cost):
    golden = EXAMPLE[GOLDEN[cost]]
    p, r = EXAMPLE["children"]
    tau, G = EXAMPLE["tau"], COST_FUNCTIONS[cost]
    assert G(EXAMPLE["q"]) == pytest.approx(golden["before"], rel=1e-14)
    assert (G(p) + G(r)) / 2 == pytest.approx(golden["after"], rel=1e-14)
    assert drop(tau, p, r, cost) == pytest.approx(golden["drop"], abs=1e-15)


def test_edge_of_a_pure_leaf_is_nan():
    assert np.isnan(edge(0.5, [0, 1], [0, 1])).all()


@every_cost
def test_the_costs_are_permissible(cost):
    shape = growing.cost_shape(COST_FUNCTIONS[cost])
    assert shape.permissible
    assert shape.strictly_concave == (cost != "error")


@pytest.mark.parametrize(
    ("G", "symmetric", "concave"),
    [
        (lambda x: (1 - 2 * x) ** 2, True, False),
        (lambda x: x * (1 - x), True, True),
        (lambda x: np.sqrt(x) / 2, False, True),
        (lambda x: np.minimum(x, 1 - x) ** 2 * 2, True, False),
    ],
)
def test_what_is_not_permissible_is_found_out(G, symmetric, concave):
    shape = growing.cost_shape(G)
    assert (shape.symmetric, shape.concave, shape.permissible) == (symmetric, concave, False)


@bounded_cost
def test_the_bound_and_its_inverse(cost):
    assert growing.cost_bound(0, 0.1, cost) == pytest.approx(0.5, rel=1e-15)
    assert growing.log_leaves_enough(0.5, 0.1, cost) == pytest.approx(0, abs=1e-12)
    for gamma in GAMMAS[:-1]:
        for epsilon in (0.4, 0.1, 0.001, 1e-9):
            L = growing.log_leaves_enough(epsilon, gamma, cost)
            assert growing.cost_bound(L, gamma, cost) == pytest.approx(epsilon, rel=1e-9)
            assert growing.log_leaves_enough(epsilon / 2, gamma, cost) >= L


@every_cost
def test_growth_over_thresholds_is_that_of_chapter_4(cost):
    """Another program, which scans sorted columns and never sees a table of predicates."""
    X, y = load_wine(return_X_y=True)
    y = (y == 1).astype(int)
    between = [(np.unique(x)[1:] + np.unique(x)[:-1]) / 2 for x in X.T]
    tests = np.hstack([x[:, None] >= middle for x, middle in zip(X.T, between, strict=True)])
    ours = dt.grow_predicates(tests, y, cost=cost, max_leaves=10)
    other = dt.grow(X, y, cost, max_leaves=10)
    # It goes on where no split lowers the cost; ours has come to its end.
    shared = slice(ours.n_splits + 1)
    assert ours.n_splits == 9 or ours.final_score == 0
    assert ours.costs == pytest.approx(other.costs[shared], abs=1e-12)
    assert ours.errors == pytest.approx(other.errors[shared], abs=1e-12)


@every_cost
def test_growth_ends_where_nothing_helps(cost):
    xor = growing.grow_function(dt.functions.parity(2), cost=cost)
    assert (xor.n_splits, xor.errors[0], xor.final_score) == (0, 0.5, 0)
    assert xor.node_variable.tolist() == [-1]
    constant = dt.grow_predicates([[0], [1]], [1, 1], cost=cost)
    assert (constant.n_splits, constant.errors[0]) == (0, 0)
    alone = dt.grow_predicates([[0]], [0.25], cost=cost)
    assert (alone.n_splits, alone.errors[0]) == (0, 0.25)
    # A predicate that holds everywhere splits nothing, nor does one on points of no weight.
    idle = dt.grow_predicates([[1, 0], [1, 0], [1, 1]], [0, 1, 1], [1, 1, 0], cost=cost)
    assert idle.n_splits == 0


TWO = [[0, 1], [1, 1]]


def test_what_is_not_a_cost_is_refused():
    with pytest.raises(ValueError, match="G must be a function of an array, got 3"):
        growing.cost_shape(3)
    with pytest.raises(ValueError, match="G must return one finite number per point"):
        growing.cost_shape(lambda q: q[1:])


def test_a_constant_target_cannot_be_balanced():
    with pytest.raises(ValueError, match=r"target must not be constant, got Pr\[f = 1\] = 1"):
        growing.edges(TWO, [1, 1])


def test_tables_too_large_are_refused():
    f = dt.functions.parity(21)
    with pytest.raises(ValueError, match="f must have from 1 to 20 variables, got n = 21"):
        growing.grow_function(f)
