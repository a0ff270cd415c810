"""The candidates at the nodes of a growth path, against the definition and against the path."""

from __future__ import annotations

import copy
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dtviz as dt


def gini(y: list[int]) -> Fraction:
    """n times the impurity, in the book's normalization."""
    return sum((Fraction(n * (len(y) - n), len(y)) for n in Counter(y).values()), Fraction(0))


def by_definition(X: list[list[int]], y: list[int], m: int) -> list[tuple[Fraction, int]]:
    """The largest drop of each column that can be split."""
    found = []
    for i in range(len(X[0])):
        drops = []
        for a in sorted({row[i] for row in X})[:-1]:
            low = [label for row, label in zip(X, y, strict=True) if row[i] <= a]
            high = [label for row, label in zip(X, y, strict=True) if row[i] > a]
            drops.append((gini(y) - gini(low) - gini(high)) / m)
        if drops and len(set(y)) > 1:
            found.append((max(drops), i))
    return sorted(found, key=lambda pair: (-pair[0], pair[1]))


def rows_of(path: Any, X: Any, node: int) -> list[int]:
    """The rows that the splits of the path send to a node."""
    rows = list(range(len(X)))
    while node:
        step, is_high = divmod(node - 1, 2)
        split = path.splits[step]
        rows = [k for k in rows if (X[k][split.variable] > split.threshold) == bool(is_high)]
        node = split.node
    return rows


def test_gains_by_definition() -> None:
    rng = np.random.default_rng(4)
    n_ties = 0
    for _ in range(10):
        X = rng.integers(0, 4, (12, 3))
        y = rng.integers(0, 3, 12)
        path = dt.grow(X, y)
        for node in range(2 * path.n_splits + 1):
            rows = rows_of(path, X.tolist(), node)
            true = by_definition(X[rows].tolist(), y[rows].tolist(), 12)
            found = path.alternatives(node)
            assert [a.variable for a in found] == [i for _, i in true]
            assert [a.gain for a in found] == pytest.approx([float(g) for g, _ in true], abs=1e-15)
            gains = [gain for gain, _ in true]
            assert [a.rank for a in found] == [1 + gains.index(gain) for gain in gains]
            assert [a.tied for a in found] == [gains.count(gain) > 1 for gain in gains]
            n_ties += sum(a.tied for a in found)
    assert n_ties > 40


@pytest.mark.parametrize("cost", ["gini", "entropy", "error", "sqrt", "squared"])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_the_path_takes_the_first(cost: str, is_weighted: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(4):
        m = 30
        hue = rng.choice(["red", "blue", "green", "grey"], m)
        size = np.where(rng.random(m) < 0.2, np.nan, rng.integers(0, 5, m))
        X = [
            [h, None if np.isnan(s) else s, b] for h, s, b in zip(hue, size, hue > "g", strict=True)
        ]
        y = rng.integers(0, 2 if cost == "squared" else 3, m)
        weights = rng.integers(0, 4, m) if is_weighted else None
        path = dt.grow(X, y, cost, sample_weight=weights, min_samples_leaf=2)
        assert path.n_splits > 1
        for split in path.splits:
            first = path.alternatives(split.node)[0]
            assert (first.variable, first.threshold) == (split.variable, split.threshold)
            assert (first.subset, first.missing) == (split.subset, split.missing)
            assert first.gain == pytest.approx(split.score)


def test_how_it_is_shown() -> None:
    X, y = [["a<b", 1], ["c", 2], ["a<b", 3], ["c", 4]], [0, 1, 0, 1]
    found = dt.grow(X, y, feature_names=["name", "number"]).alternatives(0)
    head, _, first, *_ = str(found).splitlines()
    assert head.split() == ["rank", "column", "test", "gain"]
    assert first.split() == ["1", "name", "name", "=", "a<b", "0.5"]
    assert ">name = a&lt;b</td>" in found._repr_html_()
    assert [candidate.column for candidate in found] == ["name", "number"]
    assert found[0].subset == {0}


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int8])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_path_does_not_change_with_what_was_given(kind: type, order: Any) -> None:
    X = np.random.default_rng(0).integers(0, 9, (60, 3)).astype(kind, order=order)
    y, weights = X[:, 0] // 4 + X[:, 1] // 4, np.ones(60) + X[:, 2]
    path, before = dt.grow(X, y, sample_weight=weights), X.copy()
    found = str(path.alternatives(0))
    for given in (X, y, weights):
        assert given.flags.writeable
        given[:] = given[::-1].copy()
    assert str(path.alternatives(0)) == found
    assert str(dt.grow(before, y[::-1], sample_weight=weights[::-1]).alternatives(0)) == found


def test_bad_input() -> None:
    path = dt.grow([[1], [2]], [0, 1])
    with pytest.raises(ValueError, match="node must be an integer from 0 to 2, got 3"):
        path.alternatives(3)
    assert path.alternatives(1) == ()
    with pytest.raises(ValueError, match="path must be as grow\\(\\) returned it"):
        copy.deepcopy(path).alternatives(0)


@pytest.mark.parametrize("mu", [None, dt.ProductDistribution([0.1, 0.4, 0.5, 0.7, 0.3])])
def test_gains_of_growth_by_influence_are_the_scores_of_leaves(mu):
    """Of every leaf of every tree, against the scores by definition; copies know them, too."""
    f = dt.functions.random(5, 3)
    path = copy.copy(dt.build_top_down(f, mu))
    for n_leaves in (1, 4, path.n_leaves):
        tree = path.tree(n_leaves)
        scores = dt.influence.leaf_scores(tree, f, mu)
        for node, gains in zip(path.nodes(n_leaves)[tree.leaves], scores.influences, strict=True):
            found = path.alternatives(int(node))
            assert {a.variable: a.gain for a in found} == pytest.approx(
                {i: gain for i, gain in enumerate(gains.tolist()) if gain > 0}
            )
            assert [a.gain for a in found] == sorted((a.gain for a in found), reverse=True)
            assert [a.variable for a in found][:1] == [
                i for i in [path.node_variable[node]] if i >= 0
            ]
    with pytest.raises(ValueError, match="node must be an integer from 0"):
        path.alternatives(-1)
