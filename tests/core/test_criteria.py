"""A new criterion is a class and a line in the table; a cost of one's own is a function."""

from __future__ import annotations

import numpy as np
import pytest

import dtviz as dt
from dtviz.core.cart.criteria import CRITERIA, Criterion, as_criterion
from dtviz.explorers.traits import rule_of
from dtviz.growing import one_split

RNG = np.random.default_rng(34)
X = RNG.integers(0, 5, (80, 3)).astype(float)
LABELS = {c: RNG.integers(0, c, 80) for c in (2, 3, 20)}
Y = LABELS[2]
CLASSIFIER, EXPLORER = dt.TopDownClassifier, dt.ImpurityExplorer


def wave(q):
    return np.sin(np.pi * q) / 2


def plain_gini(q):
    return 2 * q * (1 - q)


class Wave(Criterion):
    name = "wave"

    def share_cost(self, q):
        return wave(q)


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setitem(CRITERIA, "wave", Wave())


def trees(path):
    return path.split_node.tolist(), path.split_variable.tolist(), path.split_threshold.tolist()


def best_by_hand(y, weights):
    """The first of the cuts that leave least, by the definition."""
    found = []
    for feature in range(X.shape[1]):
        for low, high in zip(values := np.unique(X[:, feature]), values[1:], strict=False):
            left = 0.0
            for side in (X[:, feature] <= low, X[:, feature] > low):
                counts = np.bincount(y[side], weights[side])
                left += counts.sum() * (wave(counts / counts.sum()) / 2).sum()
            found.append((round(left, 9), feature, (low + high) / 2))
    return min(found)[1:]


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("c", LABELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_new_criterion_grows_trees(c, weighted):
    weights = RNG.integers(1, 4, 80) if weighted else None
    path = dt.grow(X, LABELS[c], "wave", sample_weight=weights)
    assert path.cost_name == "wave"
    assert (path.split_variable[0], path.split_threshold[0]) == best_by_hand(
        LABELS[c], np.ones(80) if weights is None else weights
    )
    leaves = path.class_counts[path.nodes(path.n_leaves)]
    assert len(leaves) == 2 * path.n_leaves - 1
    for cost in (wave, Wave()):
        other = dt.grow(X, LABELS[c], cost, sample_weight=weights)
        assert trees(other) == trees(path)


@pytest.mark.usefixtures("planted")
def test_a_new_criterion_appears_everywhere():
    assert "wave" in dt.COST_FUNCTIONS
    assert dt.impurity.CLASS_COST_FUNCTIONS["wave"]([0.25, 0.75]) == pytest.approx(wave(0.25))
    assert dt.id3(X, Y, "wave").n_leaves > 1
    assert dt.impurity.threshold_scan([1, 2, 3], [0, 1, 1], "wave").impurities == pytest.approx(
        [0, 1 / 3]
    )
    assert one_split.drop(0.5, 0.6, 1.0, "wave") == pytest.approx(wave(0.8) - wave(0.6) / 2)
    assert CLASSIFIER("wave").fit(X, Y).path_.cost_name == "wave"
    assert dt.grow_function(dt.functions.majority(3), cost="wave").errors[-1] == 0
    assert dt.grow_votes(0.2, "wave").errors[-1] <= 0.1
    explorer = EXPLORER(view="plane", beside="wave")
    assert rule_of(explorer, "beside")["choices"][-1] == "wave"
    assert explorer.tree_beside().n_leaves == 4


@pytest.mark.parametrize("weighted", [False, True])
def test_a_function_of_ones_own_grows_the_trees_of_the_criterion(weighted):
    for c, y in LABELS.items():
        weights = RNG.integers(1, 4, 80) if weighted else None
        own = dt.grow(X, y, plain_gini, sample_weight=weights)
        known = dt.grow(X, y, "gini", sample_weight=weights)
        assert own.costs == pytest.approx(known.costs, abs=1e-9), c
        assert trees(own) == trees(known), c


@pytest.mark.parametrize("cost", CRITERIA)
def test_the_drop_of_a_vote_follows_from_the_cost(cost):
    odds = (0.4 / 0.6) ** np.arange(30)
    s = odds / (1 + odds)  # what votes can lead to
    known = CRITERIA[cost].vote_drop(0.1, s)
    assert Criterion.vote_drop(CRITERIA[cost], 0.1, s) == pytest.approx(known, abs=1e-12)


REFUSED = {
    "no chord above": lambda q: (1 - 2 * q) ** 2 * q * (1 - q),
    "G\\(q\\) = G\\(1-q\\)": lambda q: q**0.5 - q,
    "G\\(0\\) = G\\(1\\) = 0": lambda q: 1 + q * (1 - q),
    "a finite number for each": lambda q: 0.5,  # noqa: ARG005
    "G\\(1/2\\) > 0": lambda q: 0 * q,
    "got (inf|nan)": lambda q: np.where(q == 0, np.inf, q * (1 - q)),
}


@pytest.mark.parametrize("rule", REFUSED)
def test_no_other_function_is_a_cost(rule):
    for use in (lambda G: dt.grow(X, Y, G), as_criterion, lambda G: dt.grow_votes(0.1, G)):
        with pytest.raises(ValueError, match=f"cost must .*{rule}"):
            use(REFUSED[rule])


@pytest.mark.parametrize("cost", ["no cost", 3, None, Wave, ["gini"]])
def test_what_is_no_cost_is_refused_by_name(cost):
    for use in (lambda: dt.grow(X, Y, cost), lambda: CLASSIFIER(cost).fit(X, Y)):
        with pytest.raises(ValueError, match=r"cost must be one of .*gini"):
            use()
