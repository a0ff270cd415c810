"""The least errors of so many leaves, and the trees that have them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import dtviz as dt
from dtviz.impurity import least_errors, optimal_tree

Points = tuple[tuple[tuple[float, float], int], ...]


@cache
def brute(points: Points, leaves: int) -> int:
    """By definition: the errors of one leaf, or of the best two trees below a cut."""
    labels = [label for _, label in points]
    single = len(labels) - max(map(labels.count, set(labels)), default=0)
    if leaves == 1:
        return single
    found = [single]
    for feature in (0, 1):
        for value in sorted({x[feature] for x, _ in points})[:-1]:
            sides = [
                tuple(point for point in points if (point[0][feature] <= value) is low)
                for low in (True, False)
            ]
            found += [
                brute(sides[0], own) + brute(sides[1], leaves - own) for own in range(1, leaves)
            ]
    return min(found)


@cache
def tables() -> list[tuple[Any, Any]]:
    """Points on small grids, some in one place with other labels, some of three classes."""
    rng = np.random.default_rng(8)
    found = []
    for _ in range(60):
        m = int(rng.integers(1, 13))
        X = rng.integers(0, rng.integers(2, 7), (m, 2)) / 4
        found.append((X, rng.integers(0, rng.integers(1, 4), m)))
    return found


MOST = 6


def truth(X: Any, y: Any) -> list[int]:
    points = tuple(zip(map(tuple, X.tolist()), y.tolist(), strict=True))
    floor = brute(points, len(points))
    errors = [brute(points, leaves) for leaves in range(1, MOST + 1)]
    return errors[: errors.index(floor) + 1] if floor in errors else errors


def test_the_least_errors_by_definition() -> None:
    true = [truth(X, y) for X, y in tables()]
    assert [[round(e * len(y)) for e in least_errors(X, y, MOST)] for X, y in tables()] == true
    assert len({tuple(errors) for errors in true}) > 20


def test_text_is_divided_in_all_ways():
    letters, labels = list("abcdef") * 2, [0, 1, 2, 0, 1, 2] * 2
    for names in ("abcdef", "fbadce"):
        X = [[names["abcdef".index(letter)]] for letter in letters]
        assert dt.impurity.least_errors(X, labels, 9) == (2 / 3, 1 / 3, 0.0)
    with pytest.raises(ValueError, match="at most 8 categories in a column, got 9 in x0"):
        dt.impurity.least_errors([[letter] for letter in "abcdefghi"], [0] * 9, 2)


def by_definition(X: Any, y: Any, depth: int) -> tuple[int, int]:
    """The fewest errors, then leaves, of a depth: every cut of every column."""
    best = len(y) - max(map(y.count, set(y)), default=0), 1
    if depth == 0:
        return best
    for i, a in {(i, row[i]) for row in X for i in range(2)}:
        low, high = (
            [k for k, row in enumerate(X) if (row[i] <= a) is side] for side in (True, False)
        )
        if low and high:
            parts = [
                by_definition([X[k] for k in side], [y[k] for k in side], depth - 1)
                for side in (low, high)
            ]
            best = min(best, (parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]))
    return best


def test_optimal_trees_by_definition() -> None:
    for X, y in tables():
        true = truth(X, y)
        for leaves in range(1, MOST + 1):
            tree = optimal_tree(X, y, max_leaves=leaves)
            errors = int((tree.predict(X) != y).sum())
            # As few errors as can be, and no leaf for nothing.
            assert errors == true[min(leaves, len(true)) - 1]
            assert tree.n_leaves == true.index(errors) + 1
    for X, y in tables()[::2]:
        for depth in range(4):
            tree = optimal_tree(X, y, depth=depth)
            assert tree.depth <= depth
            found = int((tree.predict(X) != y).sum()), tree.n_leaves
            assert found == by_definition(X.tolist(), y.tolist(), depth)
            both = optimal_tree(X, y, depth=depth, max_leaves=3)
            assert both.depth <= depth
            assert both.n_leaves <= 3
            if depth < 2:
                assert both == tree


def test_the_best_trees_of_the_passengers_of_the_book() -> None:
    data = dt.datasets.titanic(numeric=True).split(450, 200, seed=0)[0]
    path = dt.grow(data.X, data.y)
    assert [round(450 * error) for error in path.errors[1:5]] == [101, 101, 93, 93]
    with threadpool_limits(1):  # workers that wait for each other take much longer
        for leaves, errors in ((2, 101), (3, 98), (4, 92), (5, 89)):
            tree = optimal_tree(data.X, data.y, max_leaves=leaves, feature_names=data.feature_names)
            assert (tree.n_leaves, int((tree.predict(data.X) != data.y).sum())) == (leaves, errors)
        deep = optimal_tree(data.X, data.y, depth=3)
    assert (deep.n_leaves, int((deep.predict(data.X) != data.y).sum())) == (8, 85)
    assert str(tree).splitlines()[0] == "male"


def test_optimal_trees_divide_names_and_keep_them() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"hue": [*"abcab"], "size": [1, 2, 3, 4, 5]})
    tree = optimal_tree(frame, ["no", "yes", "no", "no", "yes"], max_leaves=4)
    assert str(tree) == "hue = b\n├─ yes: yes\n└─ no: no"
    assert tree.predict(frame).tolist() == ["no", "yes", "no", "no", "yes"]


def test_optimal_trees_refuse() -> None:
    with pytest.raises(ValueError, match="max_leaves or depth must be given, got neither"):
        optimal_tree([[1]], [0])
    with pytest.raises(ValueError, match="missing"):
        optimal_tree([[np.nan], [1]], [0, 1], depth=1)
    with pytest.raises(ValueError, match="at most 4096 cuts in all its columns, got 4999"):
        optimal_tree(np.arange(5000)[:, None], np.arange(5000) % 2, depth=1)


def test_names_have_no_thresholds():
    with pytest.raises(ValueError, match="x must be numbers or ordered categories, for others"):
        dt.impurity.threshold_scan(["a", "b", "c"], [0, 1, 0])
