"""Trees of scikit-learn become ours: the same nodes, the same predictions, or a refusal."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

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
    """Rows of 32-bit floats with values at thresholds and the two neighbors of each."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(400, d)).astype(np.float32)
    inner = np.flatnonzero(tree.variable >= 0)
    for row in X:
        for node in draw.choice(inner, 3):
            at = np.float32(tree.threshold[node])
            steps = (at, np.nextafter(at, np.float32(-9e9)), np.nextafter(at, np.float32(9e9)))
            row[tree.variable[node]] = steps[draw.integers(3)]
    return X


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
