"""Chapter 4, growth: ID3."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import (
    PAGE,
    Weights,
    by_size,
    changed,
    drop_of,
    exchanged,
    gainful,
    halves,
    id3_of_samples,
    near,
    paths,
    plain_nodes,
    shares,
    small_samples,
)
from claims.kit import CU, Form, Outcome, Trial, claim, equality, outcome
from dtviz.core import costs
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree

NODES = "nodes of trees"
CLASSES = 4
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]


# -- ID3 -------------------------------------------------------------------------------------------


def _mixed(y: Array) -> bool:
    return bool((y != y[:1]).any())


def _splittable(X: Array) -> bool:
    return bool((X[:1] != X).any())


def _is_base_case(X: Array, y: Array) -> bool:
    return not (_mixed(y) and _splittable(X))


def _nothing_is_gained(X: Array, y: Array) -> bool:
    """The base cases and one more: no question lowers the entropy."""
    cuts = [X[:, f] <= t for f in range(X.shape[1]) for t in np.unique(X[:, f])[:-1]]
    return _is_base_case(X, y) or max(drop_of(y, low) for low in cuts) <= CLOSE


def _is_mode(labels: list[int], answer: int) -> bool:
    return labels.count(answer) == max(map(labels.count, labels), default=0)


def _leaves_are_base_cases(
    is_leaf: Callable[[Array, Array], bool] = _is_base_case,
    answers: Callable[[list[int], int], bool] = _is_mode,
) -> Outcome:
    """A node is a leaf just where a base case applies, and is labelled by a mode."""
    wrong, names = [], []
    for sample, tree in zip(small_samples(), id3_of_samples(), strict=True):
        for node, rows in plain_nodes(sample, tree):
            X, y = sample.X[rows], sample.y[rows]
            leaf = int(tree.variable[node]) < 0
            bad = leaf != is_leaf(X, y)
            if leaf and tree.value is not None:
                bad |= not answers(y.tolist(), int(tree.value[node]))
            wrong.append(bad)
            names.append(f"node {node} of {sample.name}")
    return equality(NODES, wrong, names.__getitem__)


class Choices(NamedTuple):
    """The questions at the nodes of some trees, node after node."""

    low: Ints
    """``(questions, classes)``: the class counts of the one side."""
    high: Ints
    asked: npt.NDArray[np.bool_]
    """The question that the tree asks is the first of its node; all there are follow."""
    questions: list[tuple[int, int]]
    """The feature, and how many of its values are low."""
    names: list[str]


@cache
def _choices(cost: str) -> Choices:
    """The questions at the nodes of the trees that ID3 grows on the small samples by a cost."""
    low: list[Ints] = []
    high: list[Ints] = []
    asked: list[bool] = []
    questions, names = [], []
    for sample, tree in zip(small_samples(), id3_of_samples(cost), strict=True):
        for node, rows in plain_nodes(sample, tree):
            i = int(tree.variable[node])
            if i < 0:
                continue
            X, y = sample.X[rows], sample.y[rows]
            sides = [X[:, i] <= tree.threshold[node]]
            questions.append((i, int((np.unique(X[:, i]) <= tree.threshold[node]).sum())))
            for f in range(X.shape[1]):
                for number, t in enumerate(np.unique(X[:, f])[:-1], start=1):
                    sides.append(X[:, f] <= t)
                    questions.append((f, number))
            asked += [True] + [False] * (len(sides) - 1)
            low += [np.bincount(y[side], minlength=CLASSES) for side in sides]
            high += [np.bincount(y[~side], minlength=CLASSES) for side in sides]
            names.append(f"node {node} of {sample.name} by {cost}")
    return Choices(np.array(low), np.array(high), np.array(asked), questions, names)


def _left(choices: Choices, cost: str, weights: Weights = by_size) -> Floats:
    """``|S_L|/|S| I(S_L) + |S_R|/|S| I(S_R)`` for each question."""
    impurity = costs.CLASS_COST_FUNCTIONS[cost]
    w_low, w_high = weights(choices.low.sum(axis=1), choices.high.sum(axis=1))
    left: Floats = w_low * impurity(shares(choices.low)) + w_high * impurity(shares(choices.high))
    return left


def _splits_are_best(
    weights: Weights = by_size, instead: str | None = None, *, worst: bool = False
) -> Outcome:
    """No question leaves less than the one asked, by the cost that the tree was grown by.

    Or by the same cost for all trees ``instead``; or none leaves more.
    """
    short, names = [], []
    for cost in costs.CLASS_COST_FUNCTIONS:
        choices = _choices(cost)
        left = _left(choices, instead or cost, weights)
        left = -left if worst else left
        least = np.minimum.reduceat(left, np.flatnonzero(choices.asked))
        short += (left[choices.asked] - least).tolist()
        names += choices.names
    good = np.array(short) <= CLOSE
    return outcome(
        "splits",
        good,
        short,
        lambda k: "none better" if good[k] else f"{short[k]:.3g} short at {names[k]}",
    )


def _ties(first: Callable[[int, int], tuple[int, int]] = lambda f, t: (f, t)) -> Outcome:
    """Of the best questions at a node, the one that comes first in an order is asked."""
    wrong, names = [], []
    for cost in costs.CLASS_COST_FUNCTIONS:
        choices = _choices(cost)
        left, start = _left(choices, cost), np.flatnonzero(choices.asked).tolist()
        for a, b in itertools.pairwise([*start, len(left)]):
            floor = left[a + 1 : b].min() + CLOSE
            best = [choices.questions[k] for k in range(a + 1, b) if left[k] <= floor]
            wrong.append(choices.questions[a] != min(best, key=lambda question: first(*question)))
        names += choices.names
    return equality("splits", wrong, names.__getitem__)


def _one_short() -> list[Tree]:
    """Without the last split."""
    return [path.tree(max(path.n_splits, 1)) for path in paths("entropy")]


def _stopped_early() -> list[Tree]:
    """Growth that ends where the largest gain is 0."""
    return [path.tree(gainful(path) + 1) for path in paths("entropy")]


def _lowest_labels() -> list[Tree]:
    """ID3's trees with the lowest label at each leaf."""
    found = []
    for sample, tree in zip(small_samples(), id3_of_samples(), strict=True):
        value = np.zeros(tree.n_nodes, dtype=np.int64)
        for node, rows in plain_nodes(sample, tree):
            value[node] = sample.y[rows].min()
        found.append(Tree(tree.variable, value, tree.threshold))
    return found


def _unavoidable(groups: list[list[int]]) -> int:
    """The mistakes of the commonest label at each point."""
    return sum(len(labels) - max(map(labels.count, labels)) for labels in groups)


def _fits_best(
    trees: Callable[[], Iterable[Tree]] = id3_of_samples,
    mistakes: Callable[[list[list[int]]], int] = _unavoidable,
    spare: int = 0,
) -> Outcome:
    """As few mistakes as a function can make, and at most a leaf for each point, less ``spare``."""
    good, size, names = [], [], []
    found = tuple(trees())
    for sample, tree in zip(small_samples(), found, strict=True):
        at: dict[tuple[float, ...], list[int]] = {}
        for x, label in zip(sample.X.tolist(), sample.y.tolist(), strict=True):
            at.setdefault(tuple(x), []).append(label)
        wrong, least = int((tree.predict(sample.X) != sample.y).sum()), mistakes([*at.values()])
        good.append(wrong == least and tree.n_leaves <= len(at) - spare)
        size.append(tree.n_leaves / len(at))
        names.append(
            f"{wrong} mistakes, {least} at least, {tree.n_leaves} of at most {len(at)} leaves, "
            f"{sample.name}"
        )
    return outcome("small tables", good, size, names.__getitem__, example=found.__getitem__)


@cache
def _leaves_by_squared_loss() -> tuple[tuple[Array, float, Array, str], ...]:
    """Each leaf of the regression trees: its labels, what it answers, all labels, its name."""
    found = []
    for sample, tree in zip(small_samples(), id3_of_samples("squared"), strict=True):
        for node, rows in plain_nodes(sample, tree):
            if int(tree.variable[node]) < 0 and tree.value is not None:
                told = f"node {node} of {sample.name}"
                found.append((sample.y[rows], float(tree.value[node]), sample.y, told))
    return tuple(found)


def _means_at_the_end(
    answer: Callable[[Array, Array], Any] = lambda inside, _: np.mean(inside),
) -> Outcome:
    """What the leaves answer for numbers, the labels there and all labels being given."""
    leaves = _leaves_by_squared_loss()
    return near(
        "leaves",
        [found for _, found, _, _ in leaves],
        [answer(inside, whole) for inside, _, whole, _ in leaves],
        lambda k: leaves[k][3],
    )


@claim(
    "CU-ID3",
    CU,
    r"ID3: if all labels are equal, a leaf with that label; if all rows are equal, a leaf with "
    r"the most frequent label, or the mean; else split where the weighted impurity of the "
    r"sides is least, and recur.",
    PAGE,
)
def test_cu_id3(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "leaves are the base cases, labelled by a mode",
                _leaves_are_base_cases,
                mutants=changed(
                    _leaves_are_base_cases,
                    is_leaf={
                        "all labels equal, and no other case": lambda _, y: not _mixed(y),
                        "all rows equal, and no other case": lambda X, _: not _splittable(X),
                        "also where no question gains": _nothing_is_gained,
                    },
                    answers={
                        "labelled by the lowest label": lambda y, answer: answer == min(y),
                        "labelled by the first example": lambda y, answer: answer == y[0],
                    },
                ),
            ),
            Form(
                "no split leaves less, for each of four costs",
                _splits_are_best,
                formula=r"\frac{|S_L|}{|S|} I(S_L) + \frac{|S_R|}{|S|} I(S_R)",
                mutants=changed(
                    _splits_are_best,
                    weights={
                        "the sides not weighted": halves,
                        "the weights of the sides exchanged": exchanged,
                    },
                    instead={
                        "by the error, whatever the tree was grown by": "error",
                        "by Gini, whatever the tree was grown by": "gini",
                    },
                    worst={"no split leaves more": True},
                ),
            ),
            Form(
                "ties: the lowest feature, and of that the lowest threshold",
                _ties,
                mutants=changed(
                    _ties,
                    first={
                        "the highest feature": lambda f, t: (-f, t),
                        "the highest threshold": lambda f, t: (f, -t),
                        "the lowest threshold, and of those the lowest feature": (
                            lambda f, t: (t, f)
                        ),
                    },
                ),
            ),
            Form(
                "as few mistakes as a function of x can make, a leaf for each point at most",
                _fits_best,
                mutants=changed(
                    _fits_best,
                    trees={
                        "ID3 without its last split": _one_short,
                        "ID3 that stops where nothing is gained": _stopped_early,
                        "the lowest label at each leaf": _lowest_labels,
                    },
                    mistakes={"no mistake at all": lambda _: 0},
                    spare={"a leaf less than points": 1},
                ),
            ),
            Form(
                "regression: leaves hold means",
                _means_at_the_end,
                mutants=changed(
                    _means_at_the_end,
                    answer={
                        "medians": lambda inside, _: np.median(inside),
                        "the middle between the least and the greatest": (
                            lambda inside, _: (inside.min() + inside.max()) / 2
                        ),
                        "the mean of all": lambda _, whole: np.mean(whole),
                    },
                ),
            ),
        )
    )
