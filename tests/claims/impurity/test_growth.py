"""Chapter 4, growth: ID3, what it ends with, and what it cannot see."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from claims.impurity import populations as world
from claims.impurity.populations import bounds_of_trees, drawn, matches, nodes, stated
from claims.kit import every, same
from claims.kit.populations import name
from dtviz import impurity as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import cube_points
from dtviz.core.boolean.measures import influences
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.cart import criteria
from dtviz.core.tolerances import CLOSE


def _mixed(_, y):
    return bool((y != y[:1]).any())


def _splittable(X, _):
    return bool((X[:1] != X).any())


def _is_base_case(X, y):
    return not (_mixed(X, y) and _splittable(X, y))


def _is_mode(labels, answer):
    return labels.count(answer) == max(map(labels.count, labels), default=0)


class Choices(NamedTuple):
    """The questions at the nodes of some trees, node after node.

    ``low`` and ``high`` are ``(questions, classes)`` counts of their sides, ``start`` the first
    question of each node and ``asked`` the one that the tree asks; a question is a feature, and how
    many of its values are low.
    """

    low: Any
    high: Any
    start: Any
    asked: Any
    questions: list[tuple[int, int]]
    names: list[str]


@cache
def _choices(cost):
    """The questions at the nodes of the trees that ID3 grows on the tables by a cost."""
    low, high, start, asked, questions, names = [], [], [], [], [], []
    for table, tree, node, rows, where in nodes(cost, inner=True):
        start.append(len(questions))
        for f, x in enumerate(table.X[rows].T):
            order = np.argsort(x, kind="stable")
            seen = (table.y[rows[order], None] == np.arange(17)).cumsum(axis=0)
            last = np.flatnonzero(np.diff(x[order]))
            low.append(seen[last])
            high.append(seen[-1] - seen[last])
            questions += [(f, k + 1) for k in range(last.size)]
        i = int(tree.variable[node])
        own = i, int((np.unique(table.X[rows, i]) <= tree.threshold[node]).sum())
        asked.append(questions.index(own, start[-1]))
        names.append(f"{where} by {cost}")
    sides = np.concatenate(low), np.concatenate(high)
    return Choices(*sides, np.array(start), np.array(asked), questions, names)


def _left(choices, cost, weights=world.by_size):
    """``|S_L|/|S| I(S_L) + |S_R|/|S| I(S_R)`` for each question."""
    impurity = criteria.CLASS_COST_FUNCTIONS[cost]
    w_low, w_high = weights(choices.low.sum(axis=1), choices.high.sum(axis=1))
    return w_low * impurity(world.shares(choices.low)) + w_high * impurity(
        world.shares(choices.high)
    )


@stated(
    "CU-ID3",
    r"ID3: if all labels are equal, a leaf with that label; if all rows are equal, a leaf with "
    r"the most frequent label, or the mean; else split where the weighted impurity of the "
    r"sides is least, and recur.",
)
def test_id3(trial):
    @trial.form(
        "leaves are the base cases, labeled by a mode",
        variants={
            "all labels equal, and no other case": {"is_leaf": lambda X, y: not _mixed(X, y)},
            "labeled by the lowest label": {"answers": lambda y, answer: answer == min(y)},
        },
    )
    @same("nodes of trees")
    def _leaves(is_leaf=_is_base_case, answers=_is_mode):
        for table, tree, node, rows, where in nodes():
            X, y, leaf = table.X[rows], table.y[rows], tree.variable[node] < 0
            right = not leaf or answers(y.tolist(), int(tree.value[node]))
            yield leaf != is_leaf(X, y) or not right, where

    @trial.form(
        "no split leaves less, for each of four costs",
        r"\frac{|S_L|}{|S|} I(S_L) + \frac{|S_R|}{|S|} I(S_R)",
        {
            "the sides not weighted": {"weights": world.halves},
            "by the error, whatever the tree was grown by": {"instead": "error"},
        },
    )
    @every("splits")
    def best(weights=world.by_size, instead=""):
        """No question leaves less (more, for -1) of the cost that the tree was grown by."""
        for cost in criteria.CLASS_COST_FUNCTIONS:
            choices = _choices(cost)
            left = _left(choices, instead or cost, weights)
            short = left[choices.asked] - np.minimum.reduceat(left, choices.start)
            for gap, where in zip(short, choices.names, strict=True):
                good = gap <= CLOSE
                yield good, gap, "none better" if good else f"{gap:.3g} short at {where}"

    @trial.form(
        "ties: the lowest feature, and of that the lowest threshold",
        variants={
            "the highest feature": {"first": lambda f, t: (-f, t)},
            "the highest threshold": {"first": lambda f, t: (f, -t)},
        },
    )
    @same("splits")
    def ties(first=lambda f, t: (f, t)):
        """Of the best questions at a node, the one that comes first in an order is asked."""
        for cost in criteria.CLASS_COST_FUNCTIONS:
            choices = _choices(cost)
            left, questions = _left(choices, cost), choices.questions
            ends = itertools.pairwise([*choices.start.tolist(), len(left)])
            for own, (a, b), where in zip(choices.asked, ends, choices.names, strict=True):
                equal = np.flatnonzero(left[a:b] <= left[a:b].min() + CLOSE) + a
                least = min((questions[k] for k in equal), key=lambda q: first(*q))
                yield questions[own] != least, where


@cache
def _labels_at_points():
    found = []
    for X, y, _ in world.tables():
        at = {}
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            at.setdefault(tuple(x), []).append(label)
        found.append([*at.values()])
    return tuple(found)


@stated(
    "OURS-IMP-FITS",
    r"The tree of ID3 has at most as many leaves as there are distinct points, and makes as few "
    r"mistakes on the examples as any function of $x$ can.",
)
def test_id3_fits_best(trial):
    @trial.form(
        "as few mistakes as a function of x can make",
        variants={
            "ID3 without its last split": {
                "trees": lambda: [
                    path.tree(max(path.n_splits, 1)) for path in world.paths("entropy")
                ]
            },
            "no mistake at all": {"none": True},
        },
    )
    @same("tables")
    def mistakes(trees=world.id3_of_tables, *, none=False):
        for (X, y, table), tree, groups in zip(
            world.tables(), trees(), _labels_at_points(), strict=True
        ):
            wrong = int((tree.predict(X) != y).sum())
            least = 0 if none else sum(len(at) - max(map(at.count, at)) for at in groups)
            yield wrong - least, f"{table}, {wrong} mistakes, {least} at least"

    @trial.form("a leaf for each distinct point at most", variants={"one less": {"spare": 1}})
    @bounds_of_trees("trees", tight=1)
    def leaves(spare=0):
        for cost in chapter.GROWTH_COSTS:
            trees = world.id3_of_tables(cost)
            for table, tree, groups in zip(world.tables(), trees, _labels_at_points(), strict=True):
                yield tree.n_leaves, max(len(groups) - spare, 0.5), tree, table.name


PARITIES = (2, 3, 4, 5)


@stated(
    "CU-XOR",
    r"ID3 does not stop where no split lowers the impurity: on XOR the first split leaves it "
    r"as it is, the second brings it to 0.",
)
def test_xor(trial):
    @trial.form(
        "the first split gains 0, of XOR and of the parity of more bits",
        variants={
            "of AND": {"labels": lambda n: zoo.conjunction(n).table},
            "of the parity of all bits but one": {
                "labels": lambda n: cube_points(n)[:, 1:].sum(1) % 2
            },
        },
    )
    @matches("questions, costs and tables")
    def first_gain(labels=lambda n: zoo.parity(n).table):
        for cost, n in itertools.product(criteria.CLASS_COST_FUNCTIONS, PARITIES):
            for i, x in enumerate(cube_points(n).T):
                yield world.drop_of(labels(n), x == 0, cost), 0, f"x{i} of {n} bits by {cost}"

    @trial.form(
        "2^d pure leaves for d bits, and no tree has fewer",
        "2^d",
        {
            "2^d - 1 leaves": {"size": lambda n: 2**n - 1},
            "ID3 without its last split": {"short": 1},
        },
    )
    @drawn("parities")
    def learned(size=lambda n: 2**n, *, stop_early=False, short=0):
        """Leaves of ID3, all pure; or of ID3 that stops, or lacks its last splits."""
        for n in PARITIES:
            path = chapter.grow(cube_points(n), zoo.parity(n).table, "entropy")
            steps = (world.gainful(path) if stop_early else path.n_splits) - short
            tree, error = path.tree(steps + 1), float(path.errors[steps])
            good = tree.n_leaves == size(n) == optimal(zoo.parity(n)).n_leaves and error == 0
            where = f"leaves: {tree.n_leaves}, error {error:g}, for parity of {n}"
            yield good, tree.n_leaves, tree, where

    trial.fails("stopping where nothing is gained", lambda: learned(stop_early=True))


@stated(
    "CU-MYOPIC",
    "ID3 is myopic: it looks at one feature at a time, and its root is a variable of greatest "
    "gain. FIND and the exact programs are not.",
    repaired=True,
    note="The source says: ID3, and possibly all algorithms used to find decision trees.",
)
def test_myopia(trial):
    def gain(f):
        return world.gains("entropy")[f.code]

    def second(f):
        """1 for the variables that gain second most, or most if all gain the same."""
        rounded = gain(f).round(10)
        return (rounded == np.unique(rounded)[-2:].min()).astype(np.float64)

    @trial.form(
        "the root of ID3 has the greatest gain",
        variants={
            "the greatest influence": {"of": influences},
            "the second greatest gain": {"of": second},
        },
    )
    @drawn("functions of 3 variables, not constant")
    def root_has_most(learner=world.by_id3, of=gain):
        for f in world.cubes()[1:-1]:
            tree, size = learner(f), of(f)
            missed = size.max() - size[tree.variable[0]]
            where = (
                f"root x{tree.variable[0]} gains {missed:.3g} less than the best, {tree.n_leaves} "
                f"leaves against ID3's {world.by_id3(f).n_leaves}, {name(f.n, f.code)}"
            )
            good = missed <= CLOSE
            yield good, missed, tree, "the root has the greatest gain" if good else where

    trial.fails(
        "as printed, possibly all algorithms: exact",
        lambda: root_has_most(world.best_by("n_leaves")),
    )
    trial.fails(
        "possibly all algorithms: a search for the least rank",
        lambda: root_has_most(world.best_by("rank")),
    )
