"""Scores of every tree of a path in one pass: against each tree alone, and scikit-learn's R^2."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, r2_score

import dtviz as dt


def rng(seed):
    return np.random.default_rng(seed)


def shares(path, X, y, weight=None):
    """The definition: each tree predicts every row again."""
    truth = np.asarray(y)
    return np.array(
        [
            np.average(path.tree(k).predict(X) == truth, weights=weight)
            for k in range(1, path.n_leaves + 1)
        ]
    )


def squares(path, X, y, weight=None):
    return np.array(
        [
            r2_score(y, path.tree(k).predict(X), sample_weight=weight)
            for k in range(1, path.n_leaves + 1)
        ]
    )


LABELS = {
    "numbers": np.array([-3, 0, 4, 7]),
    "words": np.array(["no", "perhaps", "yes", "zero"]),
    "booleans": np.array([False, True]),
    "whole floats": np.array([1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("seed", range(5))
def test_classes_are_counted_exactly(kind, seed):
    draw, labels = rng(seed), LABELS[kind]
    X, y = draw.integers(0, 9, (70, 3)), labels[draw.integers(0, len(labels), 70)]
    path = dt.grow(X[:40], y[:40], ("gini", "entropy", "error", "sqrt")[seed % 4])
    for rows in (slice(None, 40), slice(40, None), slice(40, 41)):
        assert path.score(X[rows], y[rows]).tolist() == shares(path, X[rows], y[rows]).tolist()
    assert path.score(X[:40], y[:40]) == pytest.approx(1 - path.errors)


def test_numbers_are_scored_as_scikit_learn_scores_them():
    for seed in range(8):
        draw = rng(seed)
        X, y = draw.random((90, 3)), draw.normal(size=90) * 10.0**seed + 10.0 ** (seed + 2)
        path = dt.grow(X[:50], y[:50], "squared")
        assert path.score(X[50:], y[50:]) == pytest.approx(squares(path, X[50:], y[50:]), rel=1e-9)
        weight = draw.random(40)
        got = path.score(X[50:], y[50:], weight)
        assert got == pytest.approx(squares(path, X[50:], y[50:], weight), rel=1e-9)
        assert path.score(X[:50], y[:50])[-1] == 1.0


def test_a_tree_that_is_right_has_score_one_exactly_wherever_it_stands():
    draw = rng(4)
    X, V = draw.random((60, 2)), draw.random((25, 2))
    path = dt.grow(X, draw.normal(size=60) + 1e3, "squared")
    for k in range(2, path.n_leaves + 1, 3):
        assert path.score(V, path.tree(k).predict(V))[k - 1] == 1.0


def test_constant_numbers_are_predicted_or_not():
    path = dt.grow([[1], [2], [3]], [0.1, 0.1, 0.7], "squared")
    assert path.score([[1], [2]], [0.1, 0.1]).tolist() == [0.0, 1.0]
    assert path.score([[1], [3]], [0.1, 0.1]).tolist() == [0.0, 0.0]


def test_huge_weights_and_distant_numbers_do_not_overflow():
    path = dt.grow([[1], [2], [3]], [1e130, 2e130, 5e130], "squared")
    X, y = [[1], [2]], [1e130, 2.5e130]
    assert path.score(X, y, [1e300, 3e300]) == pytest.approx(path.score(X, y, [1, 3]))
    with pytest.raises(ValueError, match=r"y must lie within 1e\+140 of the labels of the path"):
        path.score(X, [1e200, 1e200])


def test_weights_count_rows():
    draw = rng(3)
    X, y = draw.integers(0, 6, (50, 2)), draw.integers(0, 3, 50)
    path = dt.grow(X[:30], y[:30])
    times = draw.integers(0, 4, 50)
    again = np.repeat(np.arange(50), times)
    assert path.score(X, y, times).tolist() == path.score(X[again], y[again]).tolist()
    weight = draw.random(50)
    assert path.score(X, y, weight) == pytest.approx(shares(path, X, y, weight), rel=1e-12)
    tree = path.tree(4)
    alone = accuracy_score(y, tree.predict(X), sample_weight=weight)
    assert path.score(X, y, weight)[3] == pytest.approx(alone)


def test_all_right_and_all_wrong_are_exact_with_weights_too():
    weight = [0.1] * 10
    X, y = [[k] for k in range(10)], ["a"] * 5 + ["b"] * 5
    path = dt.grow(X, y)
    assert path.score(X, y, weight)[-1] == 1
    assert path.score(X, y[::-1], weight)[-1] == 0


def test_a_class_that_the_path_does_not_know_is_wrong():
    path = dt.grow([[1], [2]], [1, 2])
    assert path.score([[1], [2], [3]], [1, 9, -1]).tolist() == [1 / 3, 1 / 3]
    assert path.score([[1], [2]], [True, False]).tolist() == [0.5, 0.5]


def test_a_deep_path_takes_no_recursion():
    m = 3001
    path = dt.grow(np.arange(m)[:, None], np.arange(m) % 2, "error", max_leaves=1000)
    X, y = np.arange(m)[:, None], np.arange(m) % 2
    assert path.tree().depth > 500
    # Thousands of cuts tie: the first is made.
    ones = np.cumsum(y)[:-1]
    rows = np.arange(1, m)
    high = y.sum() - ones
    errors = np.minimum(ones, rows - ones) + np.minimum(high, m - rows - high)
    assert (errors == errors.min()).sum() > 1_000
    assert path.tree().threshold[0] == errors.argmin() + 0.5
    assert path.score(X, y) == pytest.approx(1 - path.errors)


PATH = dt.grow([[1.0], [2.0], [3.0]], ["a", "b", "a"])
NUMBERS = dt.grow([[1.0], [2.0], [3.0]], [1.5, 2.5, 3.5], "squared")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PATH.score(np.zeros((0, 1)), []), "X must have at least one row"),
        (lambda: PATH.score([[1.0]], ["a", "b"]), "y must have one label for each of the 1 rows"),
        (lambda: PATH.score([[1.0]], [3]), r"y must be labels like \['a', 'b'\], got \[3\]"),
        (lambda: PATH.score([[np.nan]], ["a"]), "X must not contain NaN"),
        (lambda: PATH.score([["a"]], ["a"]), "X must have numbers in column 0"),
        (lambda: PATH.score([[1.0]], ["a"], [1, 2]), "not all zero, got 2 of them"),
        (lambda: PATH.score([[1.0]], ["a"], [-1]), "not all zero, got -1"),
        (lambda: NUMBERS.score([[1.0]], ["a"]), "y must be numbers for squared loss"),
        (lambda: NUMBERS.score([[1.0]], [np.nan]), "y must be finite numbers"),
        (lambda: PATH.predict([[1.0]], 9), "n_leaves must be an integer from 1 to 3, got 9"),
        (lambda: PATH.predict([[1.0]], 2, epsilon=0.1), "must not both be given"),
    ],
)
def test_what_cannot_be_scored_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
