"""Chapter 1, exact trees: the caterpillar, on which greedy growth is wasteful; monotone functions.

LB-B is a construction of this book; LB-C enumerates the monotone functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.influence.monotone import Monotone, monotone
from claims.influence.variants import PAGE, compare, spoilt
from claims.kit import OURS, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import all_functions
from dtviz import influence as chapter
from dtviz.core import functions as zoo
from dtviz.core import measures
from dtviz.core.all_functions import AllGreedy, greedy_all
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.optimal import optimal

__all__ = ["SMALLEST", "WORST"]

SMALLEST = 16918030114510921920
"""The monotone function of 6 variables with the fewest leaves on which greedy is not optimal."""
WORST = 18368756680031792320
"""The monotone function of 6 variables with the worst ratio, greedy to optimum."""


def _ratio_then_size(greedy: npt.ArrayLike, size: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Order cases by greedy/optimum; among equals the larger function is the better witness."""
    return np.asarray(1000 * (np.asarray(greedy) / np.asarray(size)) + np.asarray(size))


# -- LB-B: the caterpillar ------------------------------------------------------------------------


def _caterpillar_greedy(leaves: Callable[[int], float] = lambda k: 6 * 2**k - 4) -> Outcome:
    """``6 * 2^k - 4`` leaves, however ties are broken."""
    links = range(6)
    sizes = [chapter.greedy_sizes(zoo.caterpillar(k)) for k in links]
    return compare(
        "functions, best and worst ties",
        [s.best for s in sizes] + [s.worst for s in sizes],
        [leaves(k) for k in (*links, *links)],
        [f"k = {k}" for k in (*links, *links)],
    )


def _caterpillar_optimum(leaves: Callable[[int], float] = lambda k: 4 * k + 2) -> Outcome:
    links = range(1, 4)
    return compare(
        "functions",
        [optimal(zoo.caterpillar(k)).n_leaves for k in links],
        [leaves(k) for k in links],
        [f"k = {k}" for k in links],
    )


def _caterpillar_influences(before: float = 3 / 16) -> Outcome:
    """``w_k`` has influence 3/4, ``x_k`` and ``y_k`` 1/4, ``w_(k-1)`` 3/16: the wrong one first."""
    found, names = [], []
    for k in range(2, 7):
        influence = measures.influences(zoo.caterpillar(k))[-4:]
        found.append(np.abs(influence - [before, 1 / 4, 1 / 4, 3 / 4]).max())
        names.append(f"k = {k}")
    return equality("functions", found, names.__getitem__)


def _greedy_is_optimal(
    n: int, reached: Callable[[AllGreedy], npt.ArrayLike] = lambda greedy: greedy.best
) -> Outcome:
    """Greedy growth with the luckiest ties reaches the fewest leaves, for all functions."""
    leaves, size = np.asarray(reached(greedy_all(n))), all_functions(n).size
    return outcome(
        f"functions of {n} variables",
        leaves == size,
        _ratio_then_size(leaves, size),
        lambda code: f"greedy {leaves[code]}, optimum {size[code]} for from_int({n}, {code})",
        example=lambda code: BooleanFunction.from_int(n, code),
    )


# -- LB-C: monotone functions ---------------------------------------------------------------------


def _by_least_influence(n: int) -> npt.NDArray[np.int64]:
    """Leaves of the exact tree that splits on the least influential variable that matters."""
    layer = monotone(n)
    leaves = np.ones(layer.code.size, dtype=np.int64)
    if n:
        inner, below = _by_least_influence(n - 1), monotone(n - 1)
        least = np.full(leaves.size, 99)
        for i in range(n):
            low, high = layer.restricted(i, 0), layer.restricted(i, 1)
            influence = below.ones[high].astype(int) - below.ones[low]
            better = (influence > 0) & (influence < least)
            leaves[better] = (inner[low] + inner[high])[better]
            least[better] = influence[better]
    return leaves


def _monotone_optimal(
    reached: Callable[[Monotone], npt.ArrayLike] = lambda layer: layer.best,
) -> Outcome:
    layer = monotone(5)
    greedy = np.asarray(reached(layer))
    return outcome(
        "monotone functions of 5 variables",
        greedy == layer.size,
        _ratio_then_size(greedy, layer.size),
        lambda k: f"greedy {greedy[k]}, optimum {layer.size[k]} for from_int(5, {layer.code[k]})",
        example=lambda k: BooleanFunction.from_int(5, int(layer.code[k])),
    )


def _monotone_counterexamples() -> Outcome:
    """Greedy with the luckiest ties against the optimum, for two functions of 6 variables."""
    codes = (SMALLEST, WORST)
    functions = [BooleanFunction.from_int(6, code) for code in codes]
    greedy = np.array([chapter.greedy_sizes(f).best for f in functions])
    size = np.array([optimal(f).n_leaves for f in functions])
    return outcome(
        "monotone functions of 6 variables",
        [not f.is_monotone() for f in functions] | (greedy == size),
        greedy / size,
        lambda k: f"greedy {greedy[k]}, optimum {size[k]} for from_int(6, {codes[k]})",
        example=functions.__getitem__,
    )


TERMS = ((1, 2), (0, 2, 3), (0, 1, 4), (0, 3, 4), (0, 3, 5))


def _smallest_in_words(
    terms: tuple[tuple[int, ...], ...] = TERMS,
    counts: tuple[int, ...] = (24, 28, 24, 16, 8, 4),
) -> Outcome:
    """The terms of the smallest counterexample, and its influences times 64."""
    x = points(6)
    table = np.any([x[:, term].all(axis=1) for term in terms], axis=0)
    f = BooleanFunction.from_int(6, SMALLEST)
    gap = np.append(measures.influence_counts(f) - counts, (table != f.table).sum())
    return equality("numbers", gap, lambda k: f"number {k}")


@claim(
    "LB-B",
    OURS,
    r"The caterpillar of $k$ links has a tree of $4k + 2$ leaves; greedy growth to error 0 "
    r"makes $6 \cdot 2^k - 4$, however ties are broken.",
    PAGE,
)
def test_lb_b(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "greedy size 6 * 2^k - 4",
                _caterpillar_greedy,
                r"6\cdot2^k-4",
                spoilt(
                    _caterpillar_greedy,
                    {
                        "as few as the optimum, 4k + 2": {"leaves": lambda k: 4 * k + 2},
                        "6 * 2^k - 3": {"leaves": lambda k: 6 * 2**k - 3},
                    },
                ),
            ),
            Form(
                "optimum 4k + 2",
                _caterpillar_optimum,
                r"4k+2",
                spoilt(
                    _caterpillar_optimum,
                    {
                        "3k + 3": {"leaves": lambda k: 3 * k + 3},
                        "4k + 1": {"leaves": lambda k: 4 * k + 1},
                    },
                ),
            ),
            Form(
                "influences 3/16, 1/4, 1/4, 3/4",
                _caterpillar_influences,
                mutants=spoilt(
                    _caterpillar_influences, {"all of the tail alike, 1/4": {"before": 1 / 4}}
                ),
            ),
            Form(
                "greedy is optimal for 3 variables",
                partial(_greedy_is_optimal, 3),
                mutants=spoilt(
                    _greedy_is_optimal,
                    {
                        "however ties are broken": {
                            "n": 3,
                            "reached": lambda greedy: greedy.worst,
                        }
                    },
                ),
            ),
        ),
        (Form("for all functions of 4 variables to be optimal", partial(_greedy_is_optimal, 4)),),
    )


@claim(
    "LB-C",
    OURS,
    r"Greedy growth with the luckiest ties is size-optimal for all monotone functions of at "
    r"most 5 variables, but not of 6: $x_1x_2 \vee x_0x_2x_3 \vee x_0x_1x_4$ "
    r"$\vee\; x_0x_3x_4 \vee x_0x_3x_5$ has a tree of 11 leaves, and greedy growth makes 12 "
    r"under every tie-break.",
    PAGE,
    note="All 7,828,354 monotone functions of 6 variables are searched in the tests.",
)
def test_lb_c(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "up to 5 variables",
                _monotone_optimal,
                r"g(f)=s(f)",
                spoilt(
                    _monotone_optimal,
                    {
                        "however ties are broken": {"reached": lambda layer: layer.worst},
                        "splitting on the least influential variable that matters": {
                            "reached": lambda layer: _by_least_influence(layer.n)
                        },
                    },
                ),
            ),
            Form(
                "the terms and influences of the counterexample",
                _smallest_in_words,
                mutants=spoilt(
                    _smallest_in_words,
                    {
                        "without its last term": {"terms": TERMS[:-1]},
                        "x0 as influential as x1": {"counts": (28, 28, 24, 16, 8, 4)},
                    },
                ),
            ),
        ),
        (
            Form("with 6 variables", _monotone_counterexamples),
            Form(
                "with the unluckiest ties",
                partial(_monotone_optimal, lambda layer: layer.worst),
            ),
        ),
    )
