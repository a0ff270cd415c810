"""Probabilities, importances and contributions: by hand on the rows, and against scikit-learn."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dtviz as dt
from dtviz import Tree


def sample(seed: int, cost: str) -> tuple[pd.DataFrame, Any, Any]:
    """Numbers, bits, categories and gaps; three classes, or numbers; weights on odd seeds."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.integers(0, 2, 60)})
    X["c"] = rng.choice(["x", "y", "z", "w"], 60)
    X["d"] = np.where(rng.random(60) < 0.3, np.nan, rng.integers(0, 5, 60))
    y = rng.integers(0, 3, 60) if cost != "squared" else rng.normal(size=60).round(1)
    labels = y if cost == "squared" or seed % 3 else np.array(["p", "q", "r"])[y]
    return X, labels, rng.integers(0, 4, 60) / 4 if seed % 2 else None


def impurity(y: Any, w: Any, classes: Any, cost: str) -> float:
    """The cost of one node from its rows, as the chapters define it."""
    if cost == "squared":
        return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
    p = np.array([w[y == c].sum() for c in classes]) / w.sum()
    if cost == "gini":
        return float((p * (1 - p)).sum())
    return float(-(p[p > 0] * np.log2(p[p > 0])).sum() / 2)


@pytest.mark.parametrize("cost", ["gini", "entropy", "squared"])
@pytest.mark.parametrize("seed", range(6))
def test_sums_are_those_of_the_rows(cost: str, seed: int) -> None:
    X, y, weights = sample(seed, cost)
    path = dt.grow(X, y, cost, sample_weight=weights)
    w = np.ones(60) if weights is None else weights
    whole = path.tree_for_gaps()
    pruned = dt.pruning.cost_complexity_prune(
        whole, X, y, 0.02, cost=cost, sample_weight=weights
    ).tree()
    for tree in (whole, path.tree(7), pruned, pickle.loads(pickle.dumps(path.tree(7)))):  # noqa: S301
        leaf = tree.apply(X)
        below = [
            np.flatnonzero((leaf >= v) & (leaf < v + 2 * tree.leaves_below[v] - 1))
            for v in range(tree.n_nodes)
        ]
        below = [rows[w[rows] > 0] for rows in below]
        cost_of = [w[r].sum() / w.sum() * impurity(y[r], w[r], tree.classes, cost) for r in below]
        drops = np.zeros(4)
        for v in np.flatnonzero(tree.variable >= 0):
            drops[tree.variable[v]] += cost_of[v] - cost_of[tree.low[v]] - cost_of[tree.high[v]]
        np.testing.assert_allclose(tree.feature_importances(), drops / drops.sum(), atol=1e-12)

        def value(v: int, tree: Tree = tree, below: Any = below) -> list[float]:
            rows = below[v]
            if tree.classes is None:
                return [float(np.average(y[rows], weights=w[rows]))]
            return [float(w[rows][y[rows] == c].sum() / w[rows].sum()) for c in tree.classes]

        for i in range(0, 60, 7):
            found = tree.contributions(X.iloc[[i]])
            way = [
                v for v in range(tree.n_nodes) if v <= leaf[i] < v + 2 * tree.leaves_below[v] - 1
            ]
            assert [entry.node for entry in found] == [0, *way[:-1]]
            assert [entry.variable for entry in found] == [-1, *tree.variable[way[:-1]]]
            sums = np.cumsum([[*entry.adds.values()] for entry in found], axis=0)
            np.testing.assert_allclose(sums, [value(v) for v in way], atol=1e-12)
            one = X.iloc[[i]]
            answer = tree.predict(one) if tree.classes is None else tree.predict_proba(one)[0]
            np.testing.assert_allclose([*found.prediction.values()], answer, atol=1e-12)


@pytest.mark.parametrize("cost", ["gini", "entropy", "squared"])
@pytest.mark.parametrize("weighted", [False, True])
def test_trees_are_valued_as_by_scikit_learn(cost: str, weighted: bool) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 4)).astype(np.float32)
    y: Any = (X[:, 0] + rng.normal(size=80)).round(2) if cost == "squared" else rng.choice(3, 80)
    w = rng.integers(1, 4, 80) / 2 if weighted else None
    kind = DecisionTreeRegressor if cost == "squared" else DecisionTreeClassifier
    limits = {} if cost == "squared" else {"criterion": cost}
    model = kind(max_leaf_nodes=9, random_state=0, **limits).fit(X, y, w)
    path = dt.grow(X, y, cost, sample_weight=w)
    own = path.tree(9)
    assert own.variable.tolist() == dt.from_sklearn(model).variable.tolist()
    for tree in (own, dt.from_sklearn(model)):
        np.testing.assert_allclose(tree.feature_importances(), model.feature_importances_)
        if cost != "squared":
            np.testing.assert_allclose(tree.predict_proba(X), model.predict_proba(X))
    np.testing.assert_allclose(path.feature_importances(9), model.feature_importances_)
    ours = dt.TopDownRegressor if cost == "squared" else dt.TopDownClassifier
    fitted = ours(max_leaves=9, **({} if cost == "squared" else {"cost": cost})).fit(X, y, w)
    np.testing.assert_allclose(fitted.feature_importances_, model.feature_importances_)


@pytest.mark.parametrize("cost", ["gini", "squared"])
@pytest.mark.parametrize("weighted", [False, True])
def test_importance_by_permutation_is_the_fall_of_the_score(cost: str, weighted: bool) -> None:
    X, y, _ = sample(4, cost)
    tree = dt.grow(X.drop(columns="b").iloc[:40], y[:40], cost, max_leaves=8).tree_for_gaps()
    w = np.arange(60.0) % 3 if weighted else np.ones(60)
    found = tree.permutation_importance(
        X, y, n_repeats=3, rng=7, sample_weight=w if weighted else None
    )
    used, truth = X[["a", "c", "d"]], np.asarray(y)

    def score(rows: Any) -> float:
        predicted = tree.predict(rows)
        if cost == "gini":
            return float(np.average(predicted == truth, weights=w))
        off = truth - np.average(truth, weights=w)
        lost = np.average((predicted - truth) ** 2, weights=w)
        return float(1 - lost / np.average(off**2, weights=w))

    rng = np.random.default_rng(7)
    falls = np.zeros(3)
    for i in sorted({*tree.variable.tolist()} - {-1}):
        for _ in range(3):
            other = used.copy()
            other.iloc[:, i] = used.iloc[rng.permutation(60), i].to_numpy()
            falls[i] += (score(used) - score(other)) / 3
    np.testing.assert_allclose(found, falls, atol=1e-12)
    assert (falls != 0).any()
    path = dt.grow(X, y, cost)
    given = {"n_repeats": 2, "rng": 3, "sample_weight": w}
    of_path = path.permutation_importance(X, y, 3, **given)
    assert of_path.tolist() == path.tree(3).permutation_importance(X, y, **given).tolist()
    assert of_path.tolist() != path.permutation_importance(X, y, 3).tolist()


@pytest.mark.parametrize("mu", [None, dt.ProductDistribution([0.3, 0.5, 0.9])])
def test_a_function_is_its_own_sample(mu: Any) -> None:
    f = dt.functions.majority(3)
    weights = np.full(8, 1 / 8) if mu is None else mu.weights()
    for path in (dt.build_top_down(f, mu), dt.grow_function(f, mu)):
        for size in range(1, path.n_leaves + 1):
            tree, cube = path.tree(size), dt.cube_points(3)
            leaf = tree.apply(cube)
            ones = [np.average(f.table[leaf == v], weights=weights[leaf == v]) for v in leaf]
            np.testing.assert_allclose(path.predict_proba(cube, size)[:, 1], ones)
        assert path.feature_importances().shape == (3,)
        assert path.feature_importances().sum() == pytest.approx(1)


def test_contributions_print_as_a_table_of_the_named_classes() -> None:
    tree = dt.grow([[1], [2], [3], [4]], [0, 1, 1, 1], class_names=["no", "yes"]).tree(2)
    assert str(tree.contributions([3])).split()[:2] == ["no", "yes"]
    assert "<table" in tree.contributions([3])._repr_html_()
    rare = dt.grow([[k] for k in range(5000)], [1] + 4999 * [0]).contributions([3], 2)
    assert [line.split()[-2:] for line in str(rare).splitlines()[2:]] == [
        ["+0.9998", "+0.0002"],
        ["+0.0002", "-0.0002"],
        ["+1.0000", "+0.0000"],
    ]
    assert [*tree.contributions([3], class_names=()).prediction] == ["0", "1"]


def test_of_many_classes_the_likeliest_are_shown() -> None:
    path = dt.grow([[k] for k in range(150)], [f"k{k // 2}" for k in range(150)], max_leaves=5)
    head = str(path.contributions([0], 5)).splitlines()[0].split()
    proba = path.predict_proba([[0]], 5)[0]
    assert len(head) == 8
    assert head[0] == path.classes[proba.argmax()]
    empty = dt.grow([[1], [2]], ["", "b"]).contributions([1])
    assert str(empty).splitlines()[0].split() == ["''", "b"]
    assert empty.prediction == {"": 1.0, "b": 0.0}


STUMP = Tree.split(0, Tree.leaf(0), Tree.leaf(1))
NUMBERS = dt.grow([[1], [2]], [0.5, 1.5], "squared").tree()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: STUMP.predict_proba([[0]]), "predict_proba needs a tree that knows its examples"),
        (STUMP.feature_importances, "feature_importances needs a tree that knows"),
        (lambda: STUMP.contributions([0]), "contributions needs a tree that knows"),
        (lambda: NUMBERS.predict_proba([[0]]), "predict_proba needs a tree of classes"),
        (lambda: STUMP.permutation_importance([[0]], [0], n_repeats=0), "n_repeats must be"),
        (
            lambda: STUMP.permutation_importance(np.empty((0, 1)), []),
            "X must have at least one row",
        ),
        (lambda: STUMP.permutation_importance([[0]], ["a"]), "y must be labels like"),
        (lambda: STUMP.bare().permutation_importance([[0]], [0]), "needs a labeled tree"),
        (lambda: STUMP.permutation_importance([[0]], [0], sample_weight=[-1]), "sample_weight"),
    ],
)
def test_what_a_tree_does_not_know_is_refused(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_the_best_tree_knows_its_examples() -> None:
    X, y, _ = sample(3, "gini")
    tree = dt.impurity.optimal_tree(X[["b", "c"]], y, max_leaves=4)
    leaf = tree.apply(X[["b", "c"]])
    found = tree.predict_proba(X[["b", "c"]])
    for k, label in enumerate(tree.classes):
        shares = [np.mean(y[leaf == v] == label) for v in leaf]
        np.testing.assert_allclose(found[:, k], shares)
    assert tree.feature_importances().sum() == pytest.approx(1)
