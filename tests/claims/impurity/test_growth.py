"""Chapter 4, growth: ID3, what it ends with, and what it cannot see."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from claims.impurity.populations import (
    Array,
    Floats,
    Ints,
    Learner,
    attained,
    best_by,
    by_id3,
    by_size,
    claim,
    cubes,
    drop_of,
    exchanged,
    gainful,
    gains,
    halves,
    id3_of_tables,
    near,
    paths,
    plain_nodes,
    shares,
    tables,
)
from claims.kit import CU, OURS, Outcome, Trial, at_most, equality, outcome
from dtviz import impurity as chapter
from dtviz.core import costs
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.measures import influences
from dtviz.core.optimal import optimal
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree

# -- ID3 -------------------------------------------------------------------------------------------


def _mixed(_: Array, y: Array) -> bool:
    return bool((y != y[:1]).any())


def _splittable(X: Array, _: Array) -> bool:
    return bool((X[:1] != X).any())


def _is_base_case(X: Array, y: Array) -> bool:
    return not (_mixed(X, y) and _splittable(X, y))


def _nothing_is_gained(X: Array, y: Array) -> bool:
    """The base cases and one more: no question lowers the entropy (of few examples)."""
    if _is_base_case(X, y) or len(y) > 20:
        return _is_base_case(X, y)
    return all(drop_of(y, x <= t) <= CLOSE for x in X.T for t in np.unique(x)[:-1])


def _is_mode(labels: list[int], answer: int) -> bool:
    return labels.count(answer) == max(map(labels.count, labels), default=0)


class Choices(NamedTuple):
    """The questions at the nodes of some trees, node after node.

    ``low`` and ``high`` are ``(questions, classes)`` counts of their sides, ``start`` the first
    question of each node and ``asked`` the one that the tree asks; a question is a feature, and how
    many of its values are low.
    """

    low: Ints
    high: Ints
    start: Ints
    asked: Ints
    questions: list[tuple[int, int]]
    names: list[str]


@cache
def _choices(cost: str) -> Choices:
    """The questions at the nodes of the trees that ID3 grows on the tables by a cost."""
    low, high, start, asked, questions, names = [], [], [], [], [], []
    for table, tree in zip(tables(), id3_of_tables(cost), strict=True):
        of_class = (table.y[:, None] == np.arange(17)).astype(np.int64)
        for node, rows in plain_nodes(table, tree):
            if (i := int(tree.variable[node])) < 0:
                continue
            start.append(len(questions))
            for f, x in enumerate(table.X[rows].T):
                order = np.argsort(x, kind="stable")
                seen = of_class[rows[order]].cumsum(axis=0)
                last = np.flatnonzero(np.diff(x[order]))
                low.append(seen[last])
                high.append(seen[-1] - seen[last])
                questions += [(f, k + 1) for k in range(last.size)]
            values = np.unique(table.X[rows, i])
            own = i, int((values <= tree.threshold[node]).sum())
            asked.append(questions.index(own, start[-1]))
            names.append(f"node {node} of {table.name} by {cost}")
    sides = np.concatenate(low), np.concatenate(high)
    return Choices(*sides, np.array(start), np.array(asked), questions, names)


def _left(choices: Choices, cost: str, weights: Any = by_size) -> Floats:
    """``|S_L|/|S| I(S_L) + |S_R|/|S| I(S_R)`` for each question."""
    impurity = costs.CLASS_COST_FUNCTIONS[cost]
    w_low, w_high = weights(choices.low.sum(axis=1), choices.high.sum(axis=1))
    return w_low * impurity(shares(choices.low)) + w_high * impurity(shares(choices.high))


def _leaves(
    is_leaf: Callable[[Array, Array], bool] = _is_base_case,
    answers: Callable[[list[int], int], bool] = _is_mode,
) -> Outcome:
    """A node is a leaf just where a base case applies, and is labelled by a mode."""
    wrong, names = [], []
    for table, tree in zip(tables(), id3_of_tables(), strict=True):
        for node, rows in plain_nodes(table, tree):
            X, y = table.X[rows], table.y[rows]
            leaf = int(tree.variable[node]) < 0
            bad = leaf != is_leaf(X, y)
            if leaf and tree.value is not None:
                bad |= not answers(y.tolist(), int(tree.value[node]))
            wrong.append(bad)
            names.append(f"node {node} of {table.name}")
    return equality("nodes of trees", wrong, names.__getitem__)


@claim(
    "CU-ID3",
    CU,
    r"ID3: if all labels are equal, a leaf with that label; if all rows are equal, a leaf with "
    r"the most frequent label, or the mean; else split where the weighted impurity of the "
    r"sides is least, and recur.",
)
def test_id3(trial: Trial) -> None:
    def best(weights: Any = by_size, instead: str = "", sign: int = 1) -> Outcome:
        """No question leaves less (more, for -1) of the cost that the tree was grown by."""
        short, names = [], []
        for cost in costs.CLASS_COST_FUNCTIONS:
            choices = _choices(cost)
            left = sign * _left(choices, instead or cost, weights)
            short += (left[choices.asked] - np.minimum.reduceat(left, choices.start)).tolist()
            names += choices.names
        good = np.array(short) <= CLOSE
        describe = lambda k: "none better" if good[k] else f"{short[k]:.3g} short at {names[k]}"  # noqa: E731
        return outcome("splits", good, short, describe)

    def ties(first: Callable[[int, int], tuple[int, int]] = lambda f, t: (f, t)) -> Outcome:
        """Of the best questions at a node, the one that comes first in an order is asked."""
        wrong, names = [], []
        for cost in costs.CLASS_COST_FUNCTIONS:
            choices = _choices(cost)
            left, asked = _left(choices, cost), choices.asked.tolist()
            ends = [*choices.start.tolist(), len(left)]
            for own, (a, b) in zip(asked, itertools.pairwise(ends), strict=True):
                equal = np.flatnonzero(left[a:b] <= left[a:b].min() + CLOSE) + a
                least = min((choices.questions[k] for k in equal), key=lambda q: first(*q))
                wrong.append(choices.questions[own] != least)
            names += choices.names
        return equality("splits", wrong, names.__getitem__)

    def means(answer: Callable[[Array, Array], Any] = lambda inside, _: np.mean(inside)) -> Outcome:
        """What the leaves answer for numbers, the labels there and all labels being given."""
        found, expected, names = [], [], []
        for table, tree in zip(tables(), id3_of_tables("squared"), strict=True):
            for node, rows in plain_nodes(table, tree):
                if int(tree.variable[node]) < 0 and tree.value is not None:
                    found.append(float(tree.value[node]))
                    expected.append(answer(table.y[rows], table.y))
                    names.append(f"node {node} of {table.name}")
        return near("leaves", found, expected, names.__getitem__)

    trial.holds(
        "leaves are the base cases, labelled by a mode",
        _leaves,
        variants={
            "all labels equal, and no other case": {"is_leaf": lambda X, y: not _mixed(X, y)},
            "all rows equal, and no other case": {"is_leaf": lambda X, y: not _splittable(X, y)},
            "also where no question gains": {"is_leaf": _nothing_is_gained},
            "labelled by the lowest label": {"answers": lambda y, answer: answer == min(y)},
            "labelled by the first example": {"answers": lambda y, answer: answer == y[0]},
        },
    )
    trial.holds(
        "no split leaves less, for each of four costs",
        best,
        r"\frac{|S_L|}{|S|} I(S_L) + \frac{|S_R|}{|S|} I(S_R)",
        {
            "the sides not weighted": {"weights": halves},
            "the weights of the sides exchanged": {"weights": exchanged},
            "by the error, whatever the tree was grown by": {"instead": "error"},
            "by Gini, whatever the tree was grown by": {"instead": "gini"},
            "no split leaves more": {"sign": -1},
        },
    )
    trial.holds(
        "ties: the lowest feature, and of that the lowest threshold",
        ties,
        variants={
            "the highest feature": {"first": lambda f, t: (-f, t)},
            "the highest threshold": {"first": lambda f, t: (f, -t)},
            "the lowest threshold, and of those the lowest feature": {"first": lambda f, t: (t, f)},
        },
    )
    trial.holds(
        "regression: leaves hold means",
        means,
        variants={
            "medians": {"answer": lambda inside, _: np.median(inside)},
            "the middle of the range": {
                "answer": lambda inside, _: (inside.min() + inside.max()) / 2
            },
            "the mean of all": {"answer": lambda _, whole: np.mean(whole)},
        },
    )


@cache
def _labels_at_points() -> tuple[list[list[int]], ...]:
    """For each table the labels of its distinct points."""
    found = []
    for X, y, _ in tables():
        at: dict[tuple[float, ...], list[int]] = {}
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            at.setdefault(tuple(x), []).append(label)
        found.append([*at.values()])
    return tuple(found)


@claim(
    "OURS-IMP-FITS",
    OURS,
    r"The tree of ID3 has at most as many leaves as there are distinct points, and makes as few "
    r"mistakes on the examples as any function of $x$ can.",
)
def test_id3_fits_best(trial: Trial) -> None:
    def lowest() -> list[Tree]:
        """ID3's trees with the lowest label at each leaf."""
        found = []
        for table, tree in zip(tables(), id3_of_tables(), strict=True):
            nodes = sorted(plain_nodes(table, tree), key=lambda pair: pair[0])
            value = np.array([table.y[rows].min() for _, rows in nodes])
            found.append(Tree(tree.variable, value, tree.threshold))
        return found

    def mistakes(
        trees: Callable[[], Iterable[Tree]] = id3_of_tables, *, none: bool = False
    ) -> Outcome:
        wrong = [
            int((tree.predict(X) != y).sum())
            for (X, y, _), tree in zip(tables(), trees(), strict=True)
        ]
        least = [
            0 if none else sum(len(at) - max(map(at.count, at)) for at in groups)
            for groups in _labels_at_points()
        ]
        return equality(
            "tables",
            np.subtract(wrong, least),
            lambda k: f"{tables()[k].name}, {wrong[k]} mistakes, {least[k]} at least",
        )

    def leaves(spare: int = 0) -> Outcome:
        trees = [tree for cost in chapter.GROWTH_COSTS for tree in id3_of_tables(cost)]
        most = [max(len(at) - spare, 0.5) for at in _labels_at_points()] * len(chapter.GROWTH_COSTS)
        where = lambda k: tables()[k % len(tables())].name  # noqa: E731
        found = [tree.n_leaves for tree in trees]
        return attained(at_most("trees", found, most, where, example=trees.__getitem__), 1)

    trial.holds(
        "as few mistakes as a function of x can make",
        mistakes,
        variants={
            "ID3 without its last split": {
                "trees": lambda: [path.tree(max(path.n_splits, 1)) for path in paths("entropy")]
            },
            "ID3 that stops where nothing is gained": {
                "trees": lambda: [path.tree(gainful(path) + 1) for path in paths("entropy")]
            },
            "the lowest label at each leaf": {"trees": lowest},
            "no mistake at all": {"none": True},
        },
    )
    trial.holds(
        "a leaf for each distinct point at most", leaves, variants={"one less": {"spare": 1}}
    )


# -- XOR -------------------------------------------------------------------------------------------

PARITIES = (2, 3, 4, 5)


@claim(
    "CU-XOR",
    CU,
    r"ID3 does not stop where no split lowers the impurity: on XOR the first split leaves it "
    r"as it is, the second brings it to 0.",
)
def test_xor(trial: Trial) -> None:
    def first_gain(labels: Callable[[int], Array] = lambda n: zoo.parity(n).table) -> Outcome:
        """The drop of each first question, on a table of n bits."""
        cases = [
            (cost, n, i)
            for cost, n in itertools.product(costs.CLASS_COST_FUNCTIONS, PARITIES)
            for i in range(n)
        ]
        drops = [drop_of(labels(n), points(n)[:, i] == 0, cost) for cost, n, i in cases]
        where = lambda k: "x{2} of {1} bits by {0}".format(*cases[k])  # noqa: E731
        return near("questions, costs and tables", drops, np.zeros(len(drops)), where)

    def learned(
        size: Callable[[int], int] = lambda n: 2**n, *, stop_early: bool = False, short: int = 0
    ) -> Outcome:
        """Leaves of ID3, all pure; or of ID3 that stops, or lacks its last splits."""
        trees, errors, good = [], [], []
        for n in PARITIES:
            path = chapter.grow(points(n), zoo.parity(n).table, "entropy")
            steps = (gainful(path) if stop_early else path.n_splits) - short
            trees.append(path.tree(steps + 1))
            errors.append(float(path.errors[steps]))
            best = optimal(zoo.parity(n)).n_leaves
            good.append(trees[-1].n_leaves == size(n) == best and errors[-1] == 0)
        sizes = [tree.n_leaves for tree in trees]
        return outcome(
            "parities",
            good,
            sizes,
            lambda k: f"leaves: {sizes[k]}, error {errors[k]:g}, for parity of {PARITIES[k]}",
            example=trees.__getitem__,
        )

    trial.holds(
        "the first split gains 0, of XOR and of the parity of more bits",
        first_gain,
        variants={
            "of AND": {"labels": lambda n: zoo.conjunction(n).table},
            "with one label wrong": {
                "labels": lambda n: zoo.parity(n).table ^ zoo.conjunction(n).table
            },
            "of the parity of all bits but one": {"labels": lambda n: points(n)[:, 1:].sum(1) % 2},
        },
    )
    trial.holds(
        "2^k pure leaves for k bits, and no tree has fewer",
        learned,
        "2^k",
        {
            "2^k - 1 leaves": {"size": lambda n: 2**n - 1},
            "2k leaves": {"size": lambda n: 2 * n},
            "ID3 without its last split": {"short": 1},
        },
    )
    trial.fails("stopping where nothing is gained", lambda: learned(stop_early=True))


# -- myopia ----------------------------------------------------------------------------------------


@claim(
    "CU-MYOPIC",
    CU,
    r"ID3 is myopic: it looks at one feature at a time, and its root is a variable of greatest "
    r"gain. FIND and the exact programmes are not.",
    repaired=True,
    note="The source says: ID3, and possibly all algorithms used to find decision trees.",
)
def test_myopia(trial: Trial) -> None:
    def gain(f: BooleanFunction) -> Floats:
        return gains("entropy")[f.code]

    def second(f: BooleanFunction) -> Floats:
        """1 for the variables that gain second most, or most if all gain the same."""
        rounded = gain(f).round(10)
        return (rounded == np.unique(rounded)[-2:].min()).astype(np.float64)

    def root_has_most(
        learner: Learner = by_id3, of: Callable[[BooleanFunction], Floats] = gain
    ) -> Outcome:
        functions = [f for f in cubes() if not f.is_constant]
        trees = [learner(f) for f in functions]
        missed = np.array(
            [of(f).max() - of(f)[t.variable[0]] for f, t in zip(functions, trees, strict=True)]
        )

        def describe(k: int) -> str:
            if missed[k] <= CLOSE:
                return "the root has the greatest gain"
            return (
                f"root x{trees[k].variable[0]} gains {missed[k]:.3g} less than the best, "
                f"{trees[k].n_leaves} leaves against ID3's {by_id3(functions[k]).n_leaves}, "
                f"function {functions[k].code}"
            )

        unit = "functions of 3 variables, not constant"
        return outcome(unit, missed <= CLOSE, missed, describe, example=trees.__getitem__)

    trial.holds(
        "the root of ID3 has the greatest gain",
        root_has_most,
        variants={
            "the greatest influence": {"of": influences},
            "the second greatest gain": {"of": second},
        },
    )
    trial.fails(
        "as printed, possibly all algorithms: exact", lambda: root_has_most(best_by("n_leaves"))
    )
    trial.fails(
        "possibly all algorithms: a search for the least rank",
        lambda: root_has_most(best_by("rank")),
    )
