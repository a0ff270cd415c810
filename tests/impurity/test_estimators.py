"""The estimators keep scikit-learn's conventions."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    estimator_checks_generator,
)

import dtviz as dt

BOTH = [dt.TopDownClassifier, dt.TopDownRegressor]
IRIS = load_iris()


def checks():
    estimators = (
        dt.TopDownClassifier(),
        dt.TopDownClassifier(cost="entropy", max_leaves=7),
        dt.TopDownClassifier(max_depth=6, ccp_alpha=0.01, class_weight="balanced"),
        dt.TopDownRegressor(),
        dt.TopDownRegressor(max_depth=4, min_impurity_decrease=1e-3),
    )
    return [
        pytest.param(made, check, id=f"{estimator}-{check.func.__name__}")
        for estimator in estimators
        for made, check in [
            *estimator_checks_generator(estimator),
            # check_estimator leaves this out
            (estimator, partial(check_dataframe_column_names_consistency, "")),
        ]
    ]


@pytest.mark.parametrize(("estimator", "check"), checks())
def test_the_checks_of_scikit_learn(estimator, check):
    if check.func.__name__ == "check_array_api_input":
        # It wants another start of Python, with SCIPY_ARRAY_API set; these estimators do not claim
        # the array API.
        assert not estimator.__sklearn_tags__().array_api_support
        return
    check(estimator)


def test_the_classifier_is_grow():
    X, y = IRIS.data, IRIS.target_names[IRIS.target]
    model = dt.TopDownClassifier(cost="entropy", max_leaves=4).fit(X, y)
    path = dt.grow(X, y, "entropy", max_leaves=4)
    assert model.tree_ == path.tree_for_gaps()
    assert model.tree_.n_leaves == 4
    assert model.classes_.tolist() == sorted(set(y))
    np.testing.assert_array_equal(model.predict(X), path.tree().predict(X))
    assert model.score(X, y) == 1 - path.errors[-1]
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")


def test_data_frames_name_the_features():
    frame = load_iris(as_frame=True)
    model = dt.TopDownClassifier(max_leaves=3).fit(frame.data, frame.target)
    assert model.feature_names_in_.tolist() == list(frame.data.columns)
    assert "petal length (cm) <= 2.45" in str(model.tree_)
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.predict(frame.data.iloc[:, ::-1])
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- width"):
        model.predict(frame.data.rename(columns={"petal width (cm)": "width"}))
    with pytest.warns(UserWarning, match="does not have valid feature names, but"):
        model.predict(frame.data.to_numpy())
    model.fit(IRIS.data, IRIS.target)
    assert not hasattr(model, "feature_names_in_")
    with pytest.warns(UserWarning, match="X has feature names, but"):
        model.predict(frame.data)


def same_tests(one, other):
    """Whether trees differ at most in the way of missing values."""
    labels = [np.asarray(tree.value)[tree.leaves].tolist() for tree in (one, other)]
    same = np.array_equal(one.variable, other.variable) and one.subsets == other.subsets
    return same and labels[0] == labels[1] and np.array_equal(one.threshold, other.threshold)


@pytest.mark.parametrize("kind", BOTH)
def test_gaps_go_where_those_of_scikit_learn_go(kind):
    """With distinct values no drops are tied; then so are the trees, and the ways."""
    rng = np.random.default_rng(11)
    theirs = DecisionTreeClassifier if kind is dt.TopDownClassifier else DecisionTreeRegressor
    for gaps in (0.0, 0.1, 0.4):
        X = np.float32(rng.normal(size=(120, 4)))
        y = (np.nan_to_num(X).sum(axis=1) + rng.normal(size=120) > 0).astype(int)
        if kind is dt.TopDownRegressor:
            y = X[:, 0] * X[:, 1] + rng.normal(size=120)
        X[rng.random(X.shape) < gaps] = np.nan
        ours = kind(max_depth=3).fit(X, y)
        peer = theirs(max_depth=3, random_state=0).fit(X, y)
        assert ours.score(X, y) == pytest.approx(peer.score(X, y), abs=0.02)
        back = dt.from_sklearn(peer)
        more = np.float32(rng.normal(size=(500, 4)))
        more[rng.random(more.shape) < 0.3] = np.nan
        assert np.allclose(back.predict(more), peer.predict(more))


@pytest.mark.parametrize("kind", BOTH)
def test_a_gap_that_no_fold_saw_is_no_error(kind):
    X = np.arange(40.0)[:, None] % 8
    X[3] = np.nan
    scores = cross_val_score(kind(), X, (np.arange(40) % 8 > 3).astype(int), cv=5)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(
    ("X", "y", "rule"),
    [
        ([[1.0], [np.inf]], [0, 1], "X must not have infinite values, got one in row 1"),
        (np.zeros((0, 2)), [], r"Found array with 0 sample\(s\)"),
        ([["a"], [2]], [0, 1], "X must have numbers or text in a column, not both"),
        (np.array([["2020-01-01"], ["2021-01-01"]], "M8[D]"), [0, 1], "X must .* got dates"),
        ([[1.0], [2.0, 3.0]], [0, 1], "X must be a table, rows of equal length"),
        ([[1.0], [2.0]], [0], "y must have one label for each of the 2 rows of X, got 1"),
        ([[1.0], [2.0]], None, "requires y to be passed"),
        ([[1.0], [2.0]], [0, np.nan], "y must"),
        ([[1.0], [2.0]], [0, 1j], "Complex data not supported"),
    ],
)
def test_bad_input(kind, X, y, rule):
    with pytest.raises(ValueError, match=rule):
        kind().fit(X, y)


@pytest.mark.parametrize(
    ("model", "rule"),
    [
        (dt.TopDownClassifier(cost="squared"), "cost must be one for classes, got 'squared'"),
        (dt.TopDownClassifier(cost="misery"), "cost must be one of error, gini, .*, got 'misery'"),
    ],
)
def test_bad_parameters_are_reported_by_fit(model, rule):
    with pytest.raises(ValueError, match=rule):
        model.fit([[0.0], [1.0]], [0, 1])


def test_fractions_are_no_classes():
    with pytest.raises(ValueError, match="y must be classes, not continuous numbers"):
        dt.TopDownClassifier().fit([[0.0], [1.0]], [0.5, 1])
    assert dt.TopDownClassifier().fit([[0.0], [1.0]], [1.0, 2.0]).classes_.tolist() == [1, 2]


PEERS = [
    (dt.TopDownClassifier, DecisionTreeClassifier),
    (dt.TopDownRegressor, DecisionTreeRegressor),
]
BREAST = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def data_of(kind):
    return DIABETES if kind is dt.TopDownRegressor else BREAST


@pytest.mark.parametrize(("kind", "peer"), PEERS)
@pytest.mark.parametrize(
    "rules",
    [
        {"max_depth": 3},
        {"min_samples_leaf": 20},
        {"min_weight_fraction_leaf": 0.05},
        {"min_impurity_decrease": 0.01},
        {"max_depth": 4, "min_samples_leaf": 7, "ccp_alpha": 0.004},
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_trees_are_those_of_scikit_learn(kind, peer, rules, weighted):
    """Sizes and losses on the examples: among splits that tie the peer draws lots."""
    X, y = data_of(kind)
    y = y / 100 if kind is dt.TopDownRegressor else y
    w = np.random.default_rng(0).integers(0, 5, len(y)) if weighted else None
    ours = kind(**rules).fit(X, y, sample_weight=w)
    theirs = peer(random_state=0, **rules).fit(X, y, sample_weight=w)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.get_depth() == theirs.get_depth()
    assert ours.score(X, y, w) == pytest.approx(theirs.score(X, y, w), abs=1e-9)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.02)


@pytest.mark.parametrize("price", [0.0, 0.02])
def test_importances_are_those_of_scikit_learn(price):
    X, y = BREAST
    ours = dt.TopDownClassifier(max_leaves=4, ccp_alpha=price).fit(X, y)
    theirs = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0, ccp_alpha=price)
    theirs.fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    leaf = dt.TopDownClassifier(max_leaves=1).fit(X, y)
    assert leaf.feature_importances_.tolist() == [0.0] * 30


def test_decision_paths_are_those_of_the_tree():
    X, y = IRIS.data, IRIS.target
    model = dt.TopDownClassifier(ccp_alpha=0.01).fit(X, y)
    passed = model.decision_path(X)
    assert passed.shape == (150, model.tree_.n_nodes)
    for row, x in enumerate(X):
        node, expected = 0, []
        while node >= 0:
            expected.append(node)
            inner = model.tree_.variable[node] >= 0
            low = inner and x[model.tree_.variable[node]] <= model.tree_.threshold[node]
            node = int((model.tree_.low if low else model.tree_.high)[node]) if inner else -1
        assert passed[row].indices.tolist() == expected
    assert (passed.data == 1).all()
    assert dt.TopDownRegressor(1).fit(X, y).decision_path(X).toarray().tolist() == [[1]] * 150


def test_class_weights():
    X, y = BREAST
    plain = dt.TopDownClassifier(max_leaves=8).fit(X, y, np.where(y == 0, 3, 1))
    for weights in ({0: 3}, {0: 3.0, 1: 1}, {np.int64(0): 3}):
        model = dt.TopDownClassifier(max_leaves=8, class_weight=weights).fit(X, y)
        assert model.tree_ == plain.tree_
    both = dt.TopDownClassifier(max_leaves=8, class_weight={1: 2}).fit(X, y, np.where(y == 0, 6, 1))
    assert both.tree_ == plain.tree_
    balanced = dt.TopDownClassifier(max_leaves=8, class_weight="balanced").fit(X, y)
    theirs = DecisionTreeClassifier(max_leaf_nodes=8, class_weight="balanced", random_state=0)
    theirs.fit(X, y)
    assert balanced.path_.class_counts[0] == pytest.approx([len(y) / 2] * 2)
    same = balanced.predict_proba(X) - theirs.predict_proba(X)
    assert np.abs(same).max() < 1e-9


def test_a_class_that_a_fold_lacks_may_have_a_weight():
    X, y = [[1], [2], [3], [4]], ["b", "a", "b", "b"]
    weights = {"a": 3, "b": 1, "c": 7}
    model = dt.TopDownClassifier(max_leaves=1, class_weight=weights).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=1, max_features=1, class_weight=weights).fit(X, y)
    assert model.path_.class_counts[0].tolist() == [3, 3]
    assert theirs.tree_.weighted_n_node_samples[0] == 6
    heavy = dt.TopDownClassifier(class_weight=weights)
    assert cross_val_score(heavy, X, y, cv=KFold(4), error_score="raise").tolist() == [0, 0, 0, 1]
    for kind in (dt.TopDownClassifier, DecisionTreeClassifier):  # a slip of the pen
        with pytest.raises(ValueError, match="class_weight"):
            kind(class_weight={"a": 3, "B": 1}).fit(X, y)


@pytest.mark.parametrize("cost", ["gini", "entropy", "error", "sqrt"])
@pytest.mark.parametrize("sizes", [(3, 7), (11, 22, 33), (12, 30, 42, 18)])
def test_balanced_classes_keep_their_ties(cost, sizes):
    """As if each row were there so often that all classes have as many."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(len(sizes)), sizes)
    copies = np.array([math.lcm(*sizes) // size for size in sizes])[y]
    for _ in range(12):
        X = rng.integers(0, 2, (y.size, 4))
        path = dt.TopDownClassifier(cost, class_weight="balanced").fit(X, y).path_
        truth = dt.grow(X.repeat(copies, axis=0), y.repeat(copies), cost)
        assert path.tree() == truth.tree()
        assert path.split_node.tolist() == truth.split_node.tolist()
        assert path.class_counts.sum(axis=1)[0] == pytest.approx(y.size)


def test_balanced_classes_keep_their_ties_where_no_integers_are_large_enough():
    sizes = range(31, 90, 5)
    y = np.repeat(np.arange(12), sizes)
    path = dt.TopDownClassifier(class_weight="balanced").fit(y[:, None] // 2, y).path_
    assert math.lcm(*sizes) > 1 << 53
    assert path.node_value[0] == 0
    leaves = path.node_value[path.nodes()[path.tree().leaves]]
    assert leaves.tolist() == [0, 2, 4, 6, 8, 10]
    halves = [dt.grow(np.arange(6)[:, None], range(6), "gini").tree(), path.tree()]
    assert halves[0].variable.tolist() == halves[1].variable.tolist()
    assert halves[0].threshold.tolist() == halves[1].threshold.tolist()


@pytest.mark.parametrize(
    ("weights", "rule"),
    [
        ("even", 'class_weight must be "balanced" or map labels'),
        ({2: 1}, "class_weight must have labels of y for its keys, got 2"),
        ({0: -1}, r"class_weight\[0\] must be a number in \[0, inf\), got -1"),
        ({0: 0, 1: 0}, "sample_weight must be"),
    ],
)
def test_bad_class_weights(weights, rule):
    with pytest.raises(ValueError, match=rule):
        dt.TopDownClassifier(class_weight=weights).fit([[1], [2], [3]], [0, 1, 0])


FRAME = pd.DataFrame(
    {
        "warm": [20.5, 11.0, 15.0, 8.0, 17.0, 3.0],
        "wind": ["none", "storm", "breeze", "none", "storm", "breeze"],
        # The order of a categorical is that of its categories, not of the numbers they are called.
        "floor": pd.Categorical([3, 1, 2, 3, 1, 2], categories=[2, 3, 1]),
    }
)
GO_OUT = ["yes", "no", "yes", "no", "yes", "yes"]


def test_a_frame_gives_one_tree_whoever_reads_it():
    path = dt.grow(FRAME, GO_OUT)
    model = dt.TopDownClassifier().fit(FRAME, GO_OUT)
    assert same_tests(model.tree_, path.tree())
    assert model.tree_.to_text() == path.tree().to_text()
    assert model.predict(FRAME).tolist() == GO_OUT
    assert model.score(FRAME, GO_OUT) == 1
    assert model.predict(FRAME[::-1]).tolist() == GO_OUT[::-1]
    number = dt.TopDownRegressor().fit(FRAME, [1.0, 2, 3, 4, 5, 6])
    assert same_tests(number.tree_, dt.grow(FRAME, [1.0, 2, 3, 4, 5, 6], "squared").tree())
