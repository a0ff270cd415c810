"""Chapter 4, the smallest tree: what finds it, covers, and what makes ID3 exponentially larger."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import (
    PAGE,
    Learner,
    best_by,
    by_id3,
    changed,
    cubes,
    fewest_leaves,
)
from claims.kit import CU, Form, Outcome, Trial, claim, equality, outcome
from dtviz import impurity as chapter
from dtviz.core import functions as zoo
from dtviz.core.boolean import points
from dtviz.core.optimal import optimal
from dtviz.core.tree import Tree

FUNCTIONS = "functions of 3 variables"
COVERINGS = "systems of sets"
CONCAVE = ("gini", "entropy", "sqrt")
LARGEST_CATERPILLAR = 3
Array = npt.NDArray[Any]


# -- functions -------------------------------------------------------------------------------------


def _is_smallest(learner: Learner) -> Outcome:
    """A learner's tree has pure leaves, and as few as a tree can, for each function."""
    best = fewest_leaves()
    trees = [learner(f) for f in cubes()]
    pure = np.array([tree.function(3) == f for f, tree in zip(cubes(), trees, strict=True)])
    size = np.array([tree.n_leaves for tree in trees])
    return outcome(
        FUNCTIONS,
        pure & (size == best),
        # Of those that are no larger, the largest.
        np.where(size > best, 8 + size - best, size),
        lambda k: f"{size[k]} leaves, least {best[k]}, function {k}",
        example=trees.__getitem__,
    )


# -- covers ----------------------------------------------------------------------------------------


class Covering(NamedTuple):
    """Sets, as bits of whole numbers, and how many elements their union has."""

    sets: tuple[int, ...]
    m: int

    @property
    def table(self) -> tuple[Array, Array]:
        """A row for each element, with its sets and the label 1, and a row of zeros labelled 0."""
        rows = [[s >> u & 1 for s in self.sets] for u in range(self.m)]
        return np.array([[0] * len(self.sets), *rows]), np.array([0] + [1] * self.m)


@cache
def _coverings() -> tuple[Covering, ...]:
    """Every cover of four elements by three sets, and some on which greed wastes sets."""
    small = itertools.combinations(range(1, 16), 3)
    found = [Covering(sets, 4) for sets in small if sets[0] | sets[1] | sets[2] == 15]
    for k in (3, 4):
        # Sets of 2, 4, .. 2^k elements over two rows, and the rows: these two are enough.
        m = 2 ** (k + 1) - 2
        ends = [2 ** (k + 1) - 2 ** (j + 1) for j in range(k, -1, -1)]
        blocks = [sum(1 << u for u in range(a, b)) for a, b in itertools.pairwise(ends)]
        rows = [sum(1 << u for u in range(first, m, 2)) for first in (0, 1)]
        found.append(Covering((*blocks, *rows), m))
    return tuple(found)


def _smallest_cover(case: Covering) -> int:
    """The fewest sets with all elements, by trying all choices."""
    return next(
        size
        for size in range(1, len(case.sets) + 1)
        for chosen in itertools.combinations(case.sets, size)
        if sum(1 << u for u in range(case.m) if any(s >> u & 1 for s in chosen)) + 1 == 1 << case.m
    )


def _greedy_cover(case: Covering) -> int:
    """The sets of a cover that takes a set with most elements not covered yet."""
    left, number = (1 << case.m) - 1, 0
    while left:
        left &= ~max(case.sets, key=lambda s: (s & left).bit_count())
        number += 1
    return number


def _cover_in_order(case: Covering) -> int:
    """The sets of a cover that takes each set in turn that has an element not covered yet."""
    left, number = (1 << case.m) - 1, 0
    for s in case.sets:
        number += s & left > 0
        left &= ~s
    return number


@cache
def _leaves_of_smallest(case: Covering) -> int:
    """The fewest leaves of a consistent tree, by trying all questions at each set of rows."""
    X, y = case.table
    asked = [sum(1 << r for r in range(len(y)) if X[r, j]) for j in range(len(case.sets))]
    zero, known = 1, {}

    def fewest(rows: int) -> int:
        if not rows & zero or rows == zero:
            return 1
        if rows not in known:
            parts = [(rows & one, rows & ~one) for one in asked]
            known[rows] = min(fewest(a) + fewest(b) for a, b in parts if a and b)
        return known[rows]

    return fewest((1 << len(y)) - 1)


def _small_trees_are_covers(
    sets: Callable[[Covering], int] = _smallest_cover, more: int = 1
) -> Outcome:
    """The leaves of the smallest tree of a covering table, against so many sets and some more."""
    size = [_leaves_of_smallest(case) for case in _coverings()]
    cover = [sets(case) for case in _coverings()]
    return outcome(
        COVERINGS,
        [s == k + more for s, k in zip(size, cover, strict=True)],
        cover,
        lambda k: f"{size[k]} leaves, {cover[k]} sets, {len(_coverings()[k].sets)} in all",
    )


@cache
def _id3_of_coverings(cost: str) -> tuple[tuple[Covering, Tree], ...]:
    """ID3's trees for each tenth covering table, and for those on which greed wastes sets."""
    some = [case for k, case in enumerate(_coverings()) if k % 10 == 0 or case.m > 4]
    return tuple((case, chapter.id3(*case.table, cost)) for case in some)


def _is_greedy(case: Covering, tree: Tree) -> bool:
    """Whether the row of zeros is asked for a greedy cover, and there is a leaf more than sets."""
    left, node, asked = (1 << case.m) - 1, 0, 0
    while (i := int(tree.variable[node])) >= 0:
        most = max((s & left).bit_count() for s in case.sets)
        if (case.sets[i] & left).bit_count() < most:
            return False
        left &= ~case.sets[i]
        node, asked = int(tree.low[node]), asked + 1
    return not left and tree.n_leaves == asked + 1


def _id3_covers_greedily(
    sets: Callable[[Covering], int] | None = None, impurities: tuple[str, ...] = CONCAVE
) -> Outcome:
    """ID3 asks for the sets of a greedy cover, and has a leaf more; or as many as other sets."""
    good, size, names = [], [], []
    for cost in impurities:
        for case, tree in _id3_of_coverings(cost):
            asked = tree.n_leaves - 1
            good.append(_is_greedy(case, tree) if sets is None else asked == sets(case))
            size.append(asked)
            names.append(f"{asked} sets of {len(case.sets)} asked for, by {cost}")
    return outcome("systems of sets and impurities", good, size, names.__getitem__)


# -- caterpillars ----------------------------------------------------------------------------------


@cache
def _caterpillars(cost: str) -> tuple[tuple[int, int], ...]:
    """For each caterpillar the leaves of ID3 and of a smallest tree."""
    functions = [zoo.caterpillar(k) for k in range(1, LARGEST_CATERPILLAR + 1)]
    return tuple(
        (chapter.id3(points(f.n), f.table, cost).n_leaves, _optimum(k))
        for k, f in enumerate(functions, start=1)
    )


@cache
def _optimum(k: int) -> int:
    return optimal(zoo.caterpillar(k)).n_leaves


def _caterpillar_fools(
    greedy: Callable[[int], int] = lambda k: 6 * 2**k - 4,
    least: Callable[[int], int] = lambda k: 4 * k + 2,
    impurities: tuple[str, ...] = CONCAVE,
) -> Outcome:
    """The leaves of ID3 and of the smallest tree."""
    cases = [
        (cost, k, *sizes)
        for cost in impurities
        for k, sizes in enumerate(_caterpillars(cost), start=1)
    ]
    return equality(
        "caterpillars and impurities",
        [(size, best) != (greedy(k), least(k)) for _, k, size, best in cases],
        lambda c: "caterpillar({1}), {2} leaves, least {3}, by {0}".format(*cases[c]),
    )


@claim(
    "CU-GOAL",
    CU,
    r"The goal is a tree of fewest leaves, all of them pure.",
    PAGE,
    note="The source says that the greedy strategy approximates it very effectively. It proves "
    "no factor, and on the caterpillars the factor is exponential.",
)
def test_cu_goal(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.optimal finds it, against all trees of 1, 2, 3, … leaves",
                partial(_is_smallest, best_by("n_leaves")),
                mutants=changed(
                    _is_smallest,
                    learner={
                        "a tree of least depth": best_by("depth"),
                        "a tree of least rank": best_by("rank"),
                    },
                ),
            ),
            Form(
                "covering tables: a leaf more than a smallest cover has sets",
                _small_trees_are_covers,
                formula=r"\tau + 1",
                mutants=changed(
                    _small_trees_are_covers,
                    sets={
                        "than the greedy cover": _greedy_cover,
                        "than the cover in the order of the sets": _cover_in_order,
                    },
                    more={"as many leaves as sets": 0},
                ),
            ),
            Form(
                "covering tables: ID3 asks for the g sets of a greedy cover, and has g + 1 leaves",
                _id3_covers_greedily,
                formula="g + 1",
                mutants=changed(
                    _id3_covers_greedily,
                    sets={
                        "for as many as a smallest cover has": _smallest_cover,
                        "for as many as the cover in the order of the sets": _cover_in_order,
                    },
                    impurities={"with the error as well": ("gini", "entropy", "error")},
                ),
            ),
            Form(
                "caterpillars: ID3 has 6·2^k - 4 leaves, the smallest tree 4k + 2",
                _caterpillar_fools,
                formula=r"6 \cdot 2^k - 4",
                mutants=changed(
                    _caterpillar_fools,
                    greedy={
                        "ID3 has 6·2^k - 5": lambda k: 6 * 2**k - 5,
                        "ID3 has 8k": lambda k: 8 * k,
                    },
                    least={"the smallest tree has 4k + 1": lambda k: 4 * k + 1},
                    impurities={"with the error as well": ("gini", "entropy", "error")},
                ),
            ),
        ),
        (Form("were ID3's always smallest", partial(_is_smallest, by_id3)),),
    )


@claim(
    "CU-NPH",
    CU,
    r"To find a smallest such tree is NP-hard.",
    PAGE,
    note="Whether there is one of at most s leaves is NP-complete: proved in the chapter, from "
    "set cover, and the sizes of that proof are tried with CU-GOAL. Hyafil and Rivest (1976) "
    "prove it for the mean number of questions. No computation shows this.",
)
def test_cu_nph(trial: Trial) -> None:
    """There is nothing finite to compute."""
