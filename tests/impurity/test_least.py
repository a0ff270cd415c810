"""The least errors of so many leaves, and the trees that have them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import dtviz as dt
from dtviz.impurity import least_errors, optimal_tree

Points = tuple[tuple[tuple[float, float], int], ...]


@cache
def brute(points: Points, leaves: int, depth: int) -> tuple[int, int]:
    """By definition: the fewest errors, then leaves, of one leaf or the best two sides of a cut."""
    labels = [label for _, label in points]
    best = len(labels) - max(map(labels.count, set(labels))), 1
    if depth == 0 or leaves == 1:
        return best
    for i, a in {(i, x[i]) for x, _ in points for i in (0, 1)}:
        sides = [tuple(one for one in points if (one[0][i] <= a) is low) for low in (True, False)]
        for own in range(1, leaves) if all(sides) else ():
            low, high = brute(sides[0], own, depth - 1), brute(sides[1], leaves - own, depth - 1)
            best = min(best, (low[0] + high[0], low[1] + high[1]))
    return best


def test_least_errors_and_optimal_trees_by_definition() -> None:
    """Of points on small grids, some in one place with other labels, some of three classes."""
    rng, most, seen = np.random.default_rng(8), 6, set()
    for k in range(60):
        m = int(rng.integers(1, 13))
        X = rng.integers(0, rng.integers(2, 7), (m, 2)) / 4
        y = rng.integers(0, rng.integers(1, 4), m)
        points = tuple(zip(map(tuple, X.tolist()), y.tolist(), strict=True))
        true = [brute(points, leaves, m)[0] for leaves in range(1, most + 1)]
        last = true.index(true[-1]) + 1 if true[-1] == brute(points, m, m)[0] else most
        found = [round(m * error) for error in least_errors(X, y, most)]
        assert found == true[:last]
        seen.add(tuple(found))
        limits = [(leaves, None) for leaves in range(1, most + 1)]
        # Of few leaves and of a depth, and of a depth alone.
        limits += [(3 if k % 4 else None, depth) for depth in range(4) if k % 2 == 0]
        for leaves, depth in limits:
            tree = optimal_tree(X, y, max_leaves=leaves, depth=depth)
            assert depth is None or tree.depth <= depth
            errors = int((tree.predict(X) != y).sum())
            # As few errors as can be, and no leaf for nothing.
            assert (errors, tree.n_leaves) == brute(
                points, leaves or m, m if depth is None else depth
            )
    assert len(seen) > 20


def test_text_is_divided_in_all_ways():
    letters, labels = list("abcdef") * 2, [0, 1, 2, 0, 1, 2] * 2
    for names in ("abcdef", "fbadce"):
        X = [[names["abcdef".index(letter)]] for letter in letters]
        assert dt.impurity.least_errors(X, labels, 9) == (2 / 3, 1 / 3, 0.0)
    with pytest.raises(ValueError, match="at most 8 categories in a column, got 9 in x0"):
        dt.impurity.least_errors([[letter] for letter in "abcdefghi"], [0] * 9, 2)


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
