"""Costs of leaves: values known by hand, extremes, concavity, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import dtviz as dt
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS, COST_FUNCTIONS

GRID = np.linspace(0, 1, 20_001)
NAMES = list(COST_FUNCTIONS)
OF_THE_BOOK = ["error", "gini", "entropy", "sqrt"]


def simplex(c, number, seed=0):
    """Random probability vectors, some with zeros and some at the corners."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(c), number)
    p[::5] *= rng.random(p[::5].shape) < 0.6
    p[p.sum(axis=1) == 0] = 1 / c
    return np.concatenate([p / p.sum(axis=1, keepdims=True), np.eye(c), [[1 / c] * c]])


def test_costs_are_known_by_name():
    assert list(CLASS_COST_FUNCTIONS) == NAMES
    assert [name for name in NAMES if name in OF_THE_BOOK] == OF_THE_BOOK
    with pytest.raises(TypeError):
        COST_FUNCTIONS["gini"] = min


@pytest.mark.parametrize("name", NAMES)
def test_shapes_and_kinds(name):
    G = COST_FUNCTIONS[name]
    assert isinstance(G(0.25), float)
    assert G([0, True, 1]).tolist() == [0, 0, 0]
    assert G(np.full((2, 3), 0.5)).tolist() == [[0.5] * 3] * 2
    assert G(np.float32(0.5)) == 0.5
    assert G([]).shape == (0,)
    # What rounding leaves of a share is welcome.
    assert G(1 + 1e-15) == 0


@pytest.mark.parametrize("name", NAMES)
def test_two_classes_are_the_binary_cost(name):
    p = np.stack([GRID, 1 - GRID], axis=-1)
    np.testing.assert_allclose(CLASS_COST_FUNCTIONS[name](p), COST_FUNCTIONS[name](GRID), atol=2e-8)
    np.testing.assert_allclose(
        CLASS_COST_FUNCTIONS[name](p[::20]), COST_FUNCTIONS[name](GRID[::20]), atol=1e-8
    )


def test_kl():
    p, q = simplex(4, 200), simplex(4, 200, seed=3)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(
            dt.impurity.kl(p, q), stats.entropy(p, q, base=2, axis=1), atol=1e-12
        )
    assert dt.impurity.kl([0.5, 0.5], [1, 0]) == math.inf
    assert dt.impurity.kl([1, 0], [0.5, 0.5]) == 1
    assert (dt.impurity.kl(p, p) == 0).all()
    np.testing.assert_allclose(
        dt.impurity.kl(p, [0.25] * 4) + dt.impurity.entropy(p), 2, atol=1e-12
    )
    assert dt.impurity.kl([[0.5, 0.5], [1, 0]], [0.5, 0.5]).tolist() == [0, 1]


def test_squared_loss():
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    assert dt.impurity.squared_loss(y) == pytest.approx(np.var(y))
    assert dt.impurity.squared_loss([3]) == 0
    bits = rng.integers(0, 2, 40)
    assert dt.impurity.squared_loss(bits) == pytest.approx(COST_FUNCTIONS["gini"](bits.mean()) / 2)


def test_bad_pairs_of_vectors_are_refused():
    with pytest.raises(ValueError, match="q must have as many classes as p, 2, got 3"):
        dt.impurity.kl([0.5, 0.5], [0.5, 0.25, 0.25])
    with pytest.raises(ValueError, match="p and q must have shapes that broadcast"):
        dt.impurity.kl([[0.5, 0.5]] * 2, [[0.5, 0.5]] * 3)
