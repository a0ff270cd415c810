"""Chapter 4, what ID3 cannot see: XOR, and any question but the next."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import (
    PAGE,
    Learner,
    best_by,
    by_id3,
    changed,
    cubes,
    drop_of,
    gainful,
    near,
)
from claims.kit import CU, Form, Outcome, Trial, claim, outcome
from dtviz import impurity as chapter
from dtviz.core import costs
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.measures import influences
from dtviz.core.optimal import optimal
from dtviz.core.tolerances import CLOSE

PARITIES = (2, 3, 4, 5)
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]


# -- XOR -------------------------------------------------------------------------------------------


def _parity(n: int) -> Array:
    return zoo.parity(n).table


def _one_label_wrong(n: int) -> Array:
    return np.append(_parity(n)[:-1], 1 - _parity(n)[-1])


def _first_split_gains_nothing(labels: Callable[[int], Array] = _parity) -> Outcome:
    """The drop of each first question, on a table of n bits."""
    cases = [
        (cost, n, i)
        for cost, n in itertools.product(costs.CLASS_COST_FUNCTIONS, PARITIES)
        for i in range(n)
    ]
    drops = [drop_of(labels(n), points(n)[:, i] == 0, cost) for cost, n, i in cases]
    return near(
        "questions, costs and tables",
        drops,
        np.zeros(len(drops)),
        lambda k: f"x{cases[k][2]} of {cases[k][1]} bits by {cases[k][0]}",
    )


def _parity_is_learned(
    size: Callable[[int], int] = lambda n: 2**n, *, stop_early: bool = False, short: int = 0
) -> Outcome:
    """Leaves of ID3 on parities, all pure; or of ID3 that stops, or lacks its last splits."""
    trees, errors, good = [], [], []
    for n in PARITIES:
        f = zoo.parity(n)
        path = chapter.grow(points(n), f.table, "entropy")
        steps = (gainful(path) if stop_early else path.n_splits) - short
        trees.append(path.tree(steps + 1))
        errors.append(float(path.errors[steps]))
        best = optimal(f).n_leaves
        good.append(trees[-1].n_leaves == size(n) == best and errors[-1] == 0)

    def describe(k: int) -> str:
        leaves = trees[k].n_leaves
        of = f"{leaves} {'leaf' if leaves == 1 else 'leaves'}"
        return f"{of}, error {errors[k]:g}, for parity of {PARITIES[k]}"

    sizes = [tree.n_leaves for tree in trees]
    return outcome("parities", good, sizes, describe, example=trees.__getitem__)


@cache
def _gains(cost: str) -> Floats:
    """What each variable takes off the cost of the whole cube, function by function."""
    tables = np.array([f.table for f in cubes()])
    impurity = costs.COST_FUNCTIONS[cost]
    found = []
    for i in range(3):
        is_low = points(3)[:, i] == 0
        sides = [impurity(tables[:, rows].mean(axis=1)) for rows in (is_low, ~is_low)]
        found.append(impurity(tables.mean(axis=1)) - (sides[0] + sides[1]) / 2)
    return np.array(found).T


def _gain(f: BooleanFunction) -> Floats:
    gain: Floats = _gains("entropy")[f.code]
    return gain


def _second(f: BooleanFunction) -> Floats:
    """1 for the variables that gain second most, or most if all gain the same."""
    levels = np.unique(_gain(f).round(10))
    second: Floats = (_gain(f).round(10) == levels[-2:].min()).astype(np.float64)
    return second


def _root_has_the_most(
    learner: Learner = by_id3, of: Callable[[BooleanFunction], Floats] = _gain
) -> Outcome:
    """Whether the root that a learner chooses has the most of something among all variables."""
    functions = [f for f in cubes() if not f.is_constant]
    trees = [learner(f) for f in functions]
    missed = [
        float(of(f).max() - of(f)[t.variable[0]]) for f, t in zip(functions, trees, strict=True)
    ]

    def describe(k: int) -> str:
        if missed[k] <= CLOSE:
            return "the root has the greatest gain"
        return (
            f"root x{trees[k].variable[0]} gains {missed[k]:.3g} less than the best, "
            f"{trees[k].n_leaves} leaves against ID3's {by_id3(functions[k]).n_leaves}, "
            f"function {functions[k].code}"
        )

    return outcome(
        "functions of 3 variables, not constant",
        np.array(missed) <= CLOSE,
        missed,
        describe,
        example=trees.__getitem__,
    )


def _distance_of_sides(f: BooleanFunction) -> Floats:
    """How far apart ``Pr[f = 1 | x_i = 1]`` and ``Pr[f = 1 | x_i = 0]`` are."""
    bits = points(f.n)
    return np.array(
        [abs(f.table[bits[:, i] == 1].mean() - f.table[bits[:, i] == 0].mean()) for i in range(f.n)]
    )


def _all_gain_most_where(
    of: Callable[[BooleanFunction], Floats] = _distance_of_sides,
    names: tuple[str, ...] = ("gini", "entropy", "sqrt"),
) -> Outcome:
    """The variables of greatest gain are those with the most of something, for each impurity."""
    good, told = [], []
    for name, f in itertools.product(names, cubes()):
        gain, size = _gains(name)[f.code], of(f)
        good.append(((gain >= gain.max() - CLOSE) == (size >= size.max() - CLOSE)).all())
        told.append(f"function {f.code} by {name}")
    return outcome(
        "functions of 3 variables and impurities",
        good,
        np.logical_not(good),
        lambda k: "the same variables" if good[k] else told[k],
    )


_ROOTS = {
    "as printed, possibly all algorithms: exact": best_by("n_leaves"),
    "possibly all algorithms: a search for the least rank": best_by("rank"),
}


@claim(
    "CU-XOR",
    CU,
    r"ID3 does not stop where no split lowers the impurity: on XOR the first split leaves it "
    r"as it is, the second brings it to 0.",
    PAGE,
)
def test_cu_xor(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the first split gains 0, of XOR and of the parity of more bits",
                _first_split_gains_nothing,
                mutants=changed(
                    _first_split_gains_nothing,
                    labels={
                        "of AND": lambda n: zoo.conjunction(n).table,
                        "with one label wrong": _one_label_wrong,
                        "of the parity of all bits but one": lambda n: points(n)[:, 1:].sum(1) % 2,
                    },
                ),
            ),
            Form(
                "2^k pure leaves for k bits, and no tree has fewer",
                _parity_is_learned,
                formula="2^k",
                mutants=changed(
                    _parity_is_learned,
                    size={"2^k - 1 leaves": lambda n: 2**n - 1, "2k leaves": lambda n: 2 * n},
                    short={"ID3 without its last split": 1},
                ),
            ),
        ),
        (Form("stopping where nothing is gained", partial(_parity_is_learned, stop_early=True)),),
    )


@claim(
    "CU-MYOPIC",
    CU,
    r"ID3 is myopic: it looks at one feature at a time, and its root is a variable of greatest "
    r"gain. FIND and the exact programmes are not.",
    PAGE,
    repaired=True,
    note="The source says: ID3, and possibly all algorithms used to find decision trees.",
)
def test_cu_myopic(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the root of ID3 has the greatest gain",
                _root_has_the_most,
                mutants=changed(
                    _root_has_the_most,
                    of={
                        "the greatest influence": influences,
                        "the second greatest gain": _second,
                    },
                ),
            ),
            Form(
                "Gini, entropy and the root gain most at the same variables of a truth table",
                _all_gain_most_where,
                mutants=changed(
                    _all_gain_most_where,
                    of={"at those of greatest influence": influences},
                    names={"the error as well": ("gini", "entropy", "error")},
                ),
            ),
        ),
        tuple(
            Form(label, partial(_root_has_the_most, learner)) for label, learner in _ROOTS.items()
        ),
    )
