"""Trees to scikit-learn and back: the same nodes, the same predictions, or a refusal."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import partial_dependence
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
    export_graphviz,
    export_text,
    plot_tree,
)
from sklearn.utils.validation import check_is_fitted

import dtviz as dt

IRIS = load_iris(as_frame=True)
CANCER = load_breast_cancer(as_frame=True)
DIABETES = load_diabetes(as_frame=True)
WORDS = IRIS.target_names[IRIS.target]

CLASSIFIERS = {
    "depth first": DecisionTreeClassifier(random_state=0),
    "best first": DecisionTreeClassifier(max_leaf_nodes=9, random_state=0),
    "entropy, weighted": DecisionTreeClassifier(
        criterion="entropy", class_weight="balanced", max_leaf_nodes=12, random_state=0
    ),
    "pruned": DecisionTreeClassifier(ccp_alpha=0.01, random_state=0),
    "extra": ExtraTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1),
}
REGRESSORS = {
    "depth first": DecisionTreeRegressor(random_state=0),
    "best first": DecisionTreeRegressor(max_leaf_nodes=20, random_state=0),
    "absolute": DecisionTreeRegressor(criterion="absolute_error", max_depth=4, random_state=0),
    "monotone": DecisionTreeRegressor(
        max_depth=5, monotonic_cst=[0, 0, 1, 0, 0, 0, 0, 0, 1, 0], random_state=0
    ),
    "extra": ExtraTreeRegressor(max_leaf_nodes=30, random_state=0),
}


def near(tree, d, seed=0):
    """Rows of 32-bit floats with values at thresholds and the two neighbours of each."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(400, d)).astype(np.float32)
    inner = np.flatnonzero(tree.variable >= 0)
    for row in X:
        for node in draw.choice(inner, 3):
            at = np.float32(tree.threshold[node])
            steps = (at, np.nextafter(at, np.float32(-9e9)), np.nextafter(at, np.float32(9e9)))
            row[tree.variable[node]] = steps[draw.integers(3)]
    return X


# -- from scikit-learn -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("data", ["iris", "cancer"])
def test_a_classifier_keeps_its_predictions(name, data):
    X, y = (IRIS.data, WORDS) if data == "iris" else (CANCER.data, CANCER.target)
    model = clone(CLASSIFIERS[name]).fit(X, y)
    tree = dt.from_sklearn(model)
    assert tree.n_leaves == model.get_n_leaves()
    assert tree.depth == model.get_depth()
    assert tree.names.features == tuple(X.columns)
    assert tree.names.labels == tuple(model.classes_.tolist())
    for rows in (X.to_numpy().astype(np.float32), near(tree, X.shape[1])):
        expected = model.predict(pd.DataFrame(rows, columns=X.columns))
        assert tree.predict(rows).tolist() == expected.tolist()
    assert tree.predict(X.astype(np.float32)).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("name", REGRESSORS)
def test_a_regressor_keeps_its_predictions(name):
    X = DIABETES.data.to_numpy()
    model = clone(REGRESSORS[name]).fit(X, DIABETES.target)
    tree = dt.from_sklearn(model)
    assert tree.names.features is None
    assert tree.names.labels is None
    for rows in (X.astype(np.float32), near(tree, X.shape[1])):
        assert tree.predict(rows).tolist() == model.predict(rows).tolist()


def test_what_is_no_32_bit_float_may_differ_at_a_threshold_only():
    """The rule of the docstring, at its sharpest."""
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    tree = dt.from_sklearn(model)
    close = 1.5 + np.linspace(-3, 3, 601)[:, None] * 2.0**-23
    ours, theirs = tree.predict(close), model.predict(close)
    assert (ours != theirs).any()
    assert (tree.predict(close.astype(np.float32)) == theirs).all()
    other = (np.float32(close) != np.float32(1.5))[:, 0]
    assert (ours[other] == theirs[other]).all()


def test_columns_of_counts_are_not_shown_as_bits():
    model = DecisionTreeClassifier().fit([[0], [1], [2]], ["a", "b", "b"])
    assert str(dt.from_sklearn(model)).splitlines()[0] == "x0 <= 0.5"


def test_labels_of_a_data_frame_are_text_again():
    model = DecisionTreeClassifier().fit([[0], [1]], pd.Series(["a", "b"], dtype=object))
    assert dt.from_sklearn(model).value.dtype.kind == "U"


def test_a_tree_that_learned_from_missing_values_sends_them_the_same_way():
    for X, y in (
        ([[1.0], [2.0], [3.0], [np.nan]], [0, 0, 1, 1]),
        ([[1.0], [2.0], [np.nan]], [0, 0, 1]),
    ):
        model = DecisionTreeClassifier().fit(X, y)
        tree = dt.from_sklearn(model)
        assert tree.predict(X).tolist() == model.predict(X).tolist() == y
        again = dt.to_sklearn(tree, X, y)
        assert again.predict(X).tolist() == y
    assert str(tree).startswith("x0 is not missing")


def test_what_is_no_tree_of_scikit_learn_is_refused():
    tree = dt.Tree.leaf(0)
    forest = RandomForestClassifier(2, random_state=0).fit([[1], [2]], [0, 1])
    for thing in (None, tree, forest, DecisionTreeClassifier, dt.TopDownClassifier(), "tree", 1):
        with pytest.raises(ValueError, match="estimator must be a decision tree of scikit-learn"):
            dt.from_sklearn(thing)
    assert dt.from_sklearn(forest.estimators_[0]).n_leaves <= 2
    with pytest.raises(ValueError, match="estimator must be fitted"):
        dt.from_sklearn(DecisionTreeClassifier())
    two = DecisionTreeClassifier().fit([[1], [2]], [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="one label a row, got one with 2"):
        dt.from_sklearn(two)


def test_without_scikit_learn_nothing_is_loaded():
    code = (
        "import sys, dtviz as dt\n"
        "try: dt.from_sklearn(3)\n"
        "except ValueError: print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# -- to scikit-learn -------------------------------------------------------------------------------


def peers(X, y, leaves, criterion):
    """The tree that scikit-learn grows by itself, where no split is tied."""
    return DecisionTreeClassifier(criterion=criterion, max_leaf_nodes=leaves, random_state=0).fit(
        X, y
    )


def nodes(model):
    return model.tree_.__getstate__()["nodes"]


def described(model):
    """What scikit-learn has of each node, sorted by what it holds: the order of nodes differs."""
    grown = model.tree_
    columns = (grown.threshold, grown.impurity, grown.n_node_samples, grown.weighted_n_node_samples)
    # Where nothing was missing, a leaf has no say in where that would go.
    to_left = np.where(grown.children_left < 0, 0, grown.missing_go_to_left)
    table = np.column_stack([*columns, to_left, grown.value[:, 0]])
    return sorted(table.round(9).tolist())


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_nodes_are_those_that_scikit_learn_would_have(criterion):
    draw = np.random.default_rng(5)
    X = draw.random((300, 4)).astype(np.float32)
    y = np.array(["a", "b", "c"])[
        ((X[:, 0] + X[:, 1] * 2 + draw.random(300) * 0.5) % 3).astype(int)
    ]
    ours = dt.to_sklearn(dt.grow(X, y, criterion, max_leaves=6), X, y)
    assert ours.criterion == criterion
    assert described(ours) == described(peers(X, y, 6, criterion))
    assert ours.tree_.missing_go_to_left.sum() > 0


def test_the_nodes_of_a_regressor_are_those_of_scikit_learn():
    draw = np.random.default_rng(6)
    X = draw.random((200, 3)).astype(np.float32)
    y = X @ [3, 1, 0] + draw.normal(size=200) * 0.1
    theirs = DecisionTreeRegressor(max_leaf_nodes=8, random_state=0).fit(X, y)
    model = dt.TopDownRegressor(8).fit(X, y)
    for ours in (dt.to_sklearn(model), dt.to_sklearn(model, X, y)):
        assert np.array(described(ours)) == pytest.approx(np.array(described(theirs)), abs=1e-8)
        assert ours.predict(X) == pytest.approx(theirs.predict(X))


@pytest.mark.parametrize("cost", ["gini", "entropy", "error", "sqrt"])
@pytest.mark.parametrize("words", [False, True])
def test_a_fitted_classifier_crosses_and_comes_back(cost, words):
    X, y = IRIS.data, WORDS if words else IRIS.target
    model = dt.TopDownClassifier(cost).fit(X, y)
    alone, given = dt.to_sklearn(model), dt.to_sklearn(model, X, y)
    assert (nodes(alone) == nodes(given)).all()
    check_is_fitted(alone)
    assert alone.criterion == ("entropy" if cost == "entropy" else "gini")
    assert alone.predict(X).tolist() == model.predict(X).tolist()
    assert alone.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    assert alone.apply(X).tolist() == model.apply(X).tolist()
    back = dt.from_sklearn(alone)
    assert back == model.tree_
    assert (back.names.features, back.names.labels) == (
        model.tree_.names.features,
        model.tree_.names.labels,
    )


def test_what_reads_trees_of_scikit_learn_reads_ours():
    model = dt.to_sklearn(dt.TopDownClassifier(max_leaves=4).fit(CANCER.data, CANCER.target))
    drawn = [text.get_text() for text in plot_tree(model)]
    assert sum("samples" in text for text in drawn) == model.tree_.node_count
    assert export_text(model).count("class:") == 4
    assert "samples = 569" in export_graphviz(model)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.decision_path(CANCER.data).sum(axis=1).min() >= 2
    assert (model.get_n_leaves(), model.get_depth()) == (4, model.tree_.max_depth)
    assert len(model.cost_complexity_pruning_path(CANCER.data, CANCER.target).ccp_alphas) > 1
    first = CANCER.data.columns[int(model.tree_.feature[0])]
    assert np.ptp(partial_dependence(model, CANCER.data, [first])["average"]) > 0
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 -- our own bytes
    assert (again.predict(CANCER.data) == model.predict(CANCER.data)).all()
    assert clone(model).fit(CANCER.data, CANCER.target).get_n_leaves() > 4


def test_the_mean_prediction_follows_from_the_counts():
    """The background that path-dependent SHAP values start from: leaves weighted by their rows."""
    model = dt.to_sklearn(dt.TopDownRegressor(12).fit(DIABETES.data, DIABETES.target))
    tree = model.tree_
    leaf = tree.children_left < 0
    mean = np.average(tree.value[leaf, 0, 0], weights=tree.weighted_n_node_samples[leaf])
    assert mean == pytest.approx(tree.value[0, 0, 0]) == pytest.approx(DIABETES.target.mean())


@pytest.mark.parametrize("price", [0.0, 0.01])
def test_weighted_and_pruned_estimators_cross(price):
    X, y = CANCER.data.astype(np.float32).astype(float), CANCER.target
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    ours = dt.TopDownClassifier(ccp_alpha=price).fit(X, y, weights)
    theirs = dt.to_sklearn(ours)
    assert theirs.get_n_leaves() == ours.get_n_leaves()
    np.testing.assert_allclose(theirs.predict_proba(X), ours.predict_proba(X))
    sums = np.bincount(y, weights) / weights.sum()
    np.testing.assert_allclose(theirs.tree_.value[0, 0], sums)
    assert theirs.tree_.weighted_n_node_samples[0] == weights.sum()
    numbers = dt.TopDownRegressor(9, ccp_alpha=price).fit(X, y, weights)
    crossed = dt.to_sklearn(numbers)
    np.testing.assert_allclose(crossed.predict(X), numbers.predict(X))
    np.testing.assert_allclose(
        crossed.feature_importances_, numbers.feature_importances_, atol=1e-12
    )


def test_a_path_and_a_pruning_cross_with_their_examples():
    X, y = IRIS.data, WORDS
    path = dt.grow(X, y)
    for thing, tree in [
        (path, path.tree()),
        (path.tree(5), path.tree(5)),
        (pruning := dt.pruning.cost_complexity_prune(path.tree(), X, y, 0.02), pruning.tree()),
    ]:
        model = dt.to_sklearn(thing, X, y)
        assert str(dt.from_sklearn(model)) == str(tree)
        assert (model.predict(X) == tree.predict(X)).all()
        assert model.tree_.n_node_samples[0] == 150


def test_a_single_leaf_and_text_columns_cross():
    model = dt.to_sklearn(dt.Tree.leaf("a"), [[1.0, 2.0]], ["a"])
    assert model.predict([[5.0, 5.0]]).tolist() == ["a"]
    ordered = pd.Categorical(["red", "green", "blue"], ["green", "blue", "red"], ordered=True)
    X, y = pd.DataFrame({"colour": ordered}), [2, 0, 1]
    tree = dt.id3(X, y)
    model = dt.to_sklearn(tree, X, y)
    codes = [[tree.names.categories[0].index(colour)] for colour in X["colour"]]
    assert model.predict(pd.DataFrame(codes, columns=["colour"])).tolist() == y
    text = X.astype(str)
    for labels in ([1, 0, 0], [2, 0, 1]):
        with pytest.raises(ValueError, match="no sets of categories, got colour is not red: grow"):
            dt.to_sklearn(dt.id3(text, labels), text, labels)
    wide = dt.id3([[0, 0, 5], [1, 0, 5]], [0, 1])
    assert dt.to_sklearn(wide, [[0, 0, 5], [1, 0, 5]], [0, 1]).n_features_in_ == 3


def test_rows_that_rounding_would_lead_astray_are_brought_to_their_leaves():
    """Neighbouring 32-bit floats, and thresholds that are anywhere between two of the values."""
    moved = refused = 0
    for seed in range(300):
        draw = np.random.default_rng(seed)
        X = 1 + (draw.integers(1, 9, (8, 1)) + draw.random((8, 1)) * 0.98 - 0.49) * 2.0**-23
        a, b, c, d = np.sort(X[:, 0])[[2, 3, 5, 6]]
        first, second = a + draw.random() ** 4 * (b - a), c + draw.random() ** 4 * (d - c)
        leaves = [dt.Tree.leaf(k) for k in (0, 1, 2)]
        tree = dt.Tree.split(0, leaves[0], dt.Tree.split(0, *leaves[1:], second), first)
        y = tree.predict(X)
        rounded = np.float32(X[:, 0])
        lost = any(rounded[y == k].max() >= rounded[y == k + 1].min() for k in (0, 1))
        try:
            model = dt.to_sklearn(tree, X, y)
        except ValueError:
            assert lost
            refused += 1
            continue
        assert not lost
        assert model.predict(X).tolist() == y.tolist()
        assert model.apply(X).tolist() == tree.apply(X).tolist()
        moved += dt.from_sklearn(model) != tree
    assert moved > 5
    assert refused > 5


def test_values_that_are_one_number_in_32_bits_are_refused():
    seconds = 1.7e9 + np.arange(4)[:, None]
    with pytest.raises(ValueError, match="differ as 32-bit floats on both sides of each test"):
        dt.to_sklearn(dt.id3(seconds, [0, 0, 1, 1]), seconds, [0, 0, 1, 1])
    off = seconds - seconds.min()
    assert dt.to_sklearn(dt.id3(off, [0, 0, 1, 1]), off, [0, 0, 1, 1]).predict(off).sum() == 2
    huge = [[1e300], [2e300]]
    with pytest.raises(ValueError, match="X must be finite as 32-bit floats, got 1e\\+300 in row"):
        dt.to_sklearn(dt.id3(huge, [0, 1]), huge, [0, 1])


X3, Y3 = [[1.0], [2.0], [3.0]], ["a", "b", "b"]
STUMP = dt.id3(X3, Y3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dt.to_sklearn(None, X3, Y3), "model must be a Tree, a result that has tree"),
        (lambda: dt.to_sklearn(dt.TopDownClassifier()), "model must be a Tree.*fitted"),
        (lambda: dt.to_sklearn(dt.TopDownClassifier(), X3, Y3), "model must be a Tree.*fitted"),
        (lambda: dt.to_sklearn(STUMP.bare(), X3, Y3), "model must have labels at its leaves"),
        (lambda: dt.to_sklearn(STUMP), "X and y must be given.*got None for X and y with <Tree"),
        (lambda: dt.to_sklearn(dt.grow(X3, Y3)), "X and y must be given.*got None for X and y"),
        (lambda: dt.to_sklearn(STUMP, X3), "X and y must be given.*got None for y"),
        (lambda: dt.to_sklearn(STUMP, y=Y3), "X and y must be given.*got None for X "),
        (lambda: dt.to_sklearn(STUMP, X3[1:], Y3[1:]), "X must reach every leaf.*node 1"),
        (lambda: dt.to_sklearn(STUMP, X3, Y3[:2]), "y must have one label for each of the 3 rows"),
        (lambda: dt.to_sklearn(STUMP, X3, ["b"] * 3), "y must have the label of each leaf"),
        (lambda: dt.to_sklearn(STUMP, [[1.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b"]), None),
        (lambda: dt.to_sklearn(STUMP, [[1.0], [3.0], [4.0]], ["a", "a", "b"]), "got 'a' at node 2"),
        (lambda: dt.to_sklearn(STUMP, [[np.nan]], ["a"]), "X must not contain NaN"),
        (lambda: dt.to_sklearn(STUMP, "rows", Y3), "X must be a 2-dimensional array"),
    ],
)
def test_what_cannot_cross_is_refused(call, message):
    if message is None:
        assert call().predict([[9.0]]).tolist() == ["b"]
        return
    with pytest.raises(ValueError, match=message):
        call()
