"""Losses in labels and prunings, and the choice of cross-validation: brute force over prunings."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dtviz as dt
from dtviz import Tree

WHOLE = np.array([[0, 3, 1], [2, 0, 5], [1, 4, 0]])
MATRICES = {"whole": WHOLE, "thirds": WHOLE / 3}


def case(seed: int) -> tuple[Any, Any, Any, Any]:
    """Rows, three classes, weights; and other rows."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (25, 3)), np.array(["a", "b", "c"])[rng.integers(0, 3, 25)]
    y[:3] = ["a", "b", "c"]
    return X, y, rng.integers(1, 5, 25) / 4, (rng.integers(0, 4, (18, 3)), rng.permutation(y)[:18])


def all_prunings(tree: Tree, v: int = 0) -> list[frozenset[int]]:
    """Every pruning, as the leaves that it has."""
    if tree.variable[v] < 0:
        return [frozenset([v])]
    low, high = (all_prunings(tree, int(child[v])) for child in (tree.low, tree.high))
    return [frozenset([v]), *(one | other for one in low for other in high)]


def node_losses(tree: Tree, sample: Any, loss: Any, voters: Any = None) -> tuple[Any, Any]:
    """By definition: the label of each node, the cheapest for the voters, and its loss here."""
    labels, lost = [], []
    for v in range(tree.n_nodes):
        found = []
        for X, y, w in (voters or sample, sample):
            leaf = tree.apply(X)
            inside = (leaf >= v) & (leaf < v + 2 * tree.leaves_below[v] - 1)
            found.append([w[inside & (y == c)].sum() for c in "abc"])
        ours = [sum(n * loss[i][j] for i, n in enumerate(found[0])) for j in range(3)]
        label = next(j for j in range(3) if ours[j] <= min(ours) + 1e-9)
        labels.append(label if sum(found[0]) else None)
        lost.append(sum(n * loss[i][label] for i, n in enumerate(found[1])))
    return labels, np.array(lost)


@pytest.mark.parametrize("loss", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("seed", range(8))
def test_labels_and_prunings_lose_the_least(seed: int, loss: Any) -> None:
    X, y, w, _ = case(seed)
    tree = dt.grow(X, y, sample_weight=w, max_leaves=8).tree()
    labels, lost = node_losses(tree, (X, y, w), loss)
    relabeled = tree.relabel(loss)
    assert [*relabeled.value[tree.leaves]] == ["abc"[labels[v]] for v in tree.leaves]
    counts = dt.pruning.node_counts(tree, X, y, sample_weight=w, loss=loss)
    np.testing.assert_allclose(counts.weigh(counts.errors), lost)
    assert counts.given == relabeled

    prunings = {leaves: (lost[[*leaves]].sum(), len(leaves)) for leaves in all_prunings(tree)}
    smallest = dt.pruning.smallest_prunings(tree, X, y, sample_weight=w, loss=loss)
    for size in range(1, tree.n_leaves + 1):
        least = min(total for total, leaves in prunings.values() if leaves <= size)
        found = smallest.pruning(size)
        assert found.errors == pytest.approx(least)
        assert found.n_leaves == min(k for total, k in prunings.values() if total <= least + 1e-9)
    for alpha in (0.0, 0.02, 0.07, 0.2, 0.5):
        best = min((total / w.sum() + alpha * k for total, k in prunings.values()))
        small = min(k for t, k in prunings.values() if t / w.sum() + alpha * k <= best + 1e-9)
        cut = dt.pruning.cost_complexity_prune(tree, X, y, alpha, sample_weight=w, loss=loss)
        assert cut.errors / w.sum() + alpha * cut.n_leaves == pytest.approx(best)
        assert cut.n_leaves == small
        path = dt.pruning.cost_complexity_path(tree, X, y, sample_weight=w, loss=loss)
        assert path.tree(value=alpha) == cut.tree()


@pytest.mark.parametrize("seed", range(8))
def test_a_second_sample_prunes_by_losses(seed: int) -> None:
    X, y, w, other = case(seed)
    tree = dt.grow(X, y, sample_weight=w, max_leaves=8).tree()
    second = (*other, np.ones(18))
    _, lost = node_losses(tree, second, WHOLE, (X, y, w))
    best = min((lost[[*leaves]].sum(), len(leaves)) for leaves in all_prunings(tree))
    found = dt.pruning.reduced_error_prune(tree, *other, grown_on=(X, y, w), loss=WHOLE)
    assert (found.errors, found.n_leaves) == best


def test_equal_losses_are_errors() -> None:
    X, y, w, _ = case(0)
    tree, even = dt.grow(X, y).tree(), 2 * (1 - np.eye(3))
    assert tree.relabel(even) == tree
    for prune in (dt.pruning.smallest_prunings, dt.pruning.cost_complexity_path):
        plain, priced = prune(tree, X, y, sample_weight=w), None
        priced = prune(tree, X, y, sample_weight=w, loss=even)
        assert [plain.tree(k) for k in (1, 3, 5)] == [priced.tree(k) for k in (1, 3, 5)]
    plain, priced = (
        dt.pruning.cross_validated_prune(X, y, dt.grow, loss=loss) for loss in (None, even)
    )
    assert plain.best == priced.best
    np.testing.assert_allclose(2 * plain.held_out, priced.held_out)
    np.testing.assert_allclose(2 * plain.standard_errors, priced.standard_errors)


@pytest.mark.parametrize("seed", range(6))
def test_regression_prunings_lose_the_least_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (25, 3)), rng.integers(0, 9, 25) / 3
    w = rng.random(25) if seed % 2 else np.ones(25)
    tree = dt.grow(X, y, "squared", sample_weight=w, max_leaves=8).tree()
    leaf = tree.apply(X)
    lost = []
    for v in range(tree.n_nodes):
        inside = (leaf >= v) & (leaf < v + 2 * tree.leaves_below[v] - 1)
        off = y[inside] - np.average(y[inside], weights=w[inside])
        lost.append((w[inside] * off**2).sum())
    totals = [(np.array(lost)[[*one]].sum(), len(one)) for one in all_prunings(tree)]
    smallest = dt.pruning.smallest_prunings(tree, X, y, sample_weight=w)
    for size in range(1, tree.n_leaves + 1):
        least = min(total for total, k in totals if k <= size)
        assert smallest.pruning(size).errors == pytest.approx(least, abs=1e-9)
        assert smallest.pruning(size).n_leaves == min(k for t, k in totals if t <= least + 1e-9)
    cut = dt.pruning.reduced_error_prune(tree, X[::-1], y, grown_on=(X, y, w))
    errors = [np.square(tree_.predict(X[::-1]) - y).sum() for tree_ in (cut.tree(), tree)]
    assert cut.errors == pytest.approx(errors[0])
    assert errors[0] <= errors[1]


@pytest.mark.parametrize("what", ["classes", "weights", "losses", "numbers"])
def test_cross_validation_by_definition(what: str) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 3))
    y: Any = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    w, more, grow = np.ones(90), {}, partial(dt.grow, max_leaves=12)
    matrix = np.array([[0, 1], [1, 0]])
    if what == "weights":
        w = rng.integers(1, 5, 90) / 2
        more = {"sample_weight": w}
    elif what == "losses":
        matrix = np.array([[0, 4], [1, 0]])
        more = {"loss": matrix}
    elif what == "numbers":
        y, grow = X[:, 0] + rng.normal(size=90), partial(grow, cost="squared")
    found = dt.pruning.cross_validated_prune(X, y, grow, folds=3, rng=5, **more)
    fold = np.random.default_rng(5).permutation(np.arange(90) % 3)
    lost = np.zeros((found.candidates.size, 90))
    for k in range(3):
        kept, out = fold != k, fold == k
        weighted = {"sample_weight": w[kept]} if what == "weights" else {}
        loss = {"loss": matrix} if what == "losses" else {}
        tree = grow(X[kept], y[kept], **weighted).tree()
        smallest = dt.pruning.smallest_prunings(tree, X[kept], y[kept], **weighted, **loss)
        for j, size in enumerate(found.candidates.tolist()):
            said = smallest.tree(size).predict(X[out])
            lost[j, out] = (said - y[out]) ** 2 if what == "numbers" else matrix[y[out], said]
    rate = lost @ w / w.sum()
    np.testing.assert_allclose(found.held_out, lost @ w)
    spread = np.sqrt((lost - rate[:, None]) ** 2 @ w**2) / w.sum()
    np.testing.assert_allclose(found.standard_errors, spread, atol=1e-12)
    best = int(rate.argmin())
    modest = int(np.flatnonzero(rate <= rate[best] + spread[best])[0])
    weighted = {"sample_weight": w} if what == "weights" else {}
    loss = {"loss": matrix} if what == "losses" else {}
    whole = grow(X, y, **weighted).tree()
    smallest = dt.pruning.smallest_prunings(whole, X, y, **weighted, **loss)
    assert found.best == found.tree() == smallest.tree(int(found.candidates[best]))
    assert found.one_se == smallest.tree(int(found.candidates[modest]))
    assert found.one_se.n_leaves <= found.best.n_leaves < whole.n_leaves


def test_a_large_regression_tree_is_tried_at_a_hundred_sizes() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    grow = partial(dt.grow, cost="squared")
    found = dt.pruning.cross_validated_prune(X, X[:, 0] + rng.normal(size=300), grow, folds=2)
    assert found.candidates[:5].tolist() == [1, 2, 3, 4, 5]
    assert found.candidates[-1] == found.counts.given.n_leaves > found.candidates.size
    assert found.candidates.size <= 100
    assert "mean squared error" in repr(found)


def test_folds_may_lack_what_is_missing() -> None:
    people = dt.datasets.titanic()  # one fare is missing
    grow = partial(dt.grow, feature_names=people.feature_names, max_leaves=30)
    found = dt.pruning.cross_validated_prune(people.X, people.y, grow)
    assert 2 <= found.one_se.n_leaves <= found.best.n_leaves


X, Y = [[1], [2], [3]], [0, 1, 1]
TREE = dt.grow(X, Y).tree()
NUMBERS = dt.grow(X, [0.5, 1, 2], "squared").tree()
PRICED = [[0, 1], [3, 0]]


@pytest.mark.parametrize(
    "loss", [3, "ab", [[0, 1]], [[0, -1], [1, 0]], [[1, 1], [1, 0]], np.zeros((2, 2)),
             [[0, np.nan], [1, 0]], [[0, "1"], [1, 0]], np.ones((3, 3)) - np.eye(3)],
)  # fmt: skip
def test_no_matrix_of_losses_is_refused(loss: Any) -> None:
    for call in (
        lambda: TREE.relabel(loss),
        lambda: dt.pruning.cost_complexity_prune(TREE, X, Y, 0.1, loss=loss),
    ):
        with pytest.raises(ValueError, match="loss must have a row for each true class"):
            call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: NUMBERS.relabel(PRICED), "relabel needs a tree of classes"),
        (lambda: Tree.leaf(0).relabel(PRICED), "relabel needs a tree that knows its examples"),
        (
            lambda: dt.pruning.cost_complexity_prune(TREE, X, Y, 0.1, cost="gini", loss=PRICED),
            'loss must be left out with cost="gini"',
        ),
        (
            lambda: dt.pruning.smallest_prunings(NUMBERS, X, [0.5, 1, 2], loss=PRICED),
            "loss must be left out for a regression tree",
        ),
        (
            lambda: dt.pruning.smallest_prunings(NUMBERS, X, [0.5, 1, 2], classes=[0, 1]),
            "classes must be left out for a regression tree",
        ),
    ],
)
def test_losses_where_they_do_not_belong(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_a_frame_of_losses_is_read_by_its_labels():
    tree = dt.grow([[1], [2], [3], [4]], ["no", "yes", "no", "no"], max_leaves=2).tree()
    frame = pd.DataFrame([[0, 1], [5, 0]], index=["no", "yes"], columns=["no", "yes"])
    assert tree.relabel(frame.loc[["yes", "no"], ["yes", "no"]]) == tree.relabel([[0, 1], [5, 0]])
    with pytest.raises(ValueError, match="loss must have a row for each true class"):
        tree.relabel(frame.rename(index={"no": "never"}))
