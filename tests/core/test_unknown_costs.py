"""A new cost in the tables of costs gets its own numbers or an error, never those of another."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

import dtviz as dt
from dtviz.core.cart import class_target
from dtviz.growing import one_split

RNG = np.random.default_rng(34)
X, Y = RNG.normal(size=(60, 2)), RNG.integers(0, 2, 60)
BINS, Y3, Y20 = RNG.integers(0, 4, (600, 2)), RNG.integers(0, 3, 60), RNG.integers(0, 20, 60)
# Loaded before a table is changed, lest they keep it.
CLASSIFIER, EXPLORER = dt.TopDownClassifier, dt.ImpurityExplorer


def quartic(p):
    """For shares of classes: concave, 0 where pure, 1/2 for two halves."""
    return 4 / 7 * (1 - (np.asarray(p, dtype=float) ** 4).sum(axis=-1))


def of_one(q):
    return quartic(np.stack([q, 1 - np.asarray(q, dtype=float)], axis=-1))


def plant(monkeypatch, name, value):
    """Add an entry to a table, or a name to a tuple, wherever it was imported."""
    for module in [m for n, m in sys.modules.items() if n.startswith("dtviz")]:
        table = vars(module).get(name)
        if isinstance(table, tuple):
            monkeypatch.setattr(module, name, (*table, "quartic"))
        elif table is not None:
            monkeypatch.setattr(module, name, MappingProxyType({**table, "quartic": value}))


@pytest.fixture
def planted(monkeypatch):
    plant(monkeypatch, "COST_FUNCTIONS", of_one)
    plant(monkeypatch, "CLASS_COST_FUNCTIONS", quartic)
    plant(monkeypatch, "GROWTH_COSTS", None)
    plant(monkeypatch, "BOUNDED", None)


def grown(y=Y, X=X, **given):
    return lambda: dt.grow(X, y, "quartic", **given)


REFUSED = {
    "two classes": grown(),
    "three classes": grown(Y3),
    "twenty classes": grown(Y20),
    "bins": grown(RNG.integers(0, 2, 600), BINS),
    "one class": grown([0] * 60),
    "numbers": grown(X[:, 0]),
    "weights": grown(sample_weight=RNG.integers(1, 4, 60)),
    "weights, three classes": grown(Y3, sample_weight=RNG.random(60)),
    "weights, numbers": grown(X[:, 0], sample_weight=RNG.random(60)),
    "weights, one class": grown([0] * 60, sample_weight=RNG.random(60)),
    "id3": lambda: dt.id3(X, Y, "quartic"),
    "best_split": lambda: dt.impurity.best_split(X, Y, "quartic"),
    "threshold_scan": lambda: dt.impurity.threshold_scan(X[:, 0], Y, "quartic"),
    "threshold_scan, weights": lambda: dt.impurity.threshold_scan(
        X[:, 0], Y, "quartic", sample_weight=Y
    ),
    "estimator": lambda: CLASSIFIER("quartic").fit(X, Y),
    "explorer": lambda: EXPLORER(cost="quartic").path(),
    "to_sklearn": lambda: dt.to_sklearn(replace(dt.grow(X, Y), cost_name="quartic"), X, Y),
    "votes": lambda: dt.grow_votes(0.1, "quartic"),
    "leaf_drop_floor": lambda: dt.growing.leaf_drop_floor(0.3, 0.1, "quartic"),
    "tree_drop_floor": lambda: dt.growing.tree_drop_floor(0.3, 4, 0.1, "quartic"),
    "cost_bound": lambda: dt.growing.cost_bound(3.0, 0.1, "quartic"),
    "log_leaves_enough": lambda: dt.growing.log_leaves_enough(0.1, 0.1, "quartic"),
}


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_rule_for_a_cost_names_it(case):
    with pytest.raises(ValueError, match=r"cost must be one .* got 'quartic'"):
        REFUSED[case]()


@pytest.mark.parametrize("y", [Y, Y3, Y20], ids=["two", "three", "twenty"])
@pytest.mark.parametrize("weights", [None, RNG.integers(1, 4, 60)], ids=["plain", "weighted"])
def test_terms_without_the_rest_of_the_rule_are_refused(monkeypatch, y, weights):
    plant(monkeypatch, "TERMS", np.square)
    with pytest.raises(ValueError, match=r"cost must be one .* got 'quartic'"):
        dt.grow(X, y, "quartic", sample_weight=weights)
    with pytest.raises(ValueError, match=r"cost must be one .* got 'quartic'"):
        dt.grow(BINS[:60], y, "quartic", sample_weight=weights)
    target = class_target.ClassTarget(Y3, np.arange(3), "quartic")
    with pytest.raises(ValueError, match="got 'quartic'"):
        target.cost(np.array([[3, 4, 5]]))


@pytest.mark.usefixtures("planted")
def test_what_needs_the_function_alone_uses_it():
    assert one_split.drop(0.5, 0.6, 1.0, "quartic") == pytest.approx(
        of_one(0.8) - (of_one(0.6) + of_one(1.0)) / 2
    )
    path = dt.grow_function(dt.functions.majority(3), cost="quartic")
    assert path.costs[:2] == pytest.approx([0.5, of_one(0.25)])
    stump = dt.id3([[1], [1], [1], [2], [2], [2], [2]], labels := [0, 0, 1, 1, 1, 1, 0])
    price = dt.pruning.cost_complexity_path(
        stump, [[1], [1], [1], [2], [2], [2], [2]], labels, cost="quartic"
    ).breaks[-1]
    assert price == pytest.approx(of_one(3 / 7) - 3 / 7 * of_one(1 / 3) - 4 / 7 * of_one(1 / 4))
