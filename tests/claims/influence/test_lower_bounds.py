"""Chapter 1, exact trees: the caterpillar, on which greedy growth is wasteful; monotone functions.

LB-B is a construction of this book; LB-C enumerates the monotone functions.
"""

import numpy as np

from claims.influence.populations import stated
from claims.kit import equality, outcome, same
from claims.kit.populations import monotone
from dtviz import influence as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean import measures
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees.exhaustive import greedy_all, optimal_all
from dtviz.core.boolean_trees.optimal import optimal

SMALLEST = 16918030114510921920
WORST = 18368756680031792320
"""Monotone functions of 6 variables on which greedy growth is not optimal."""


def _optimal(unit, n, codes, greedy, size):
    return outcome(
        unit,
        greedy == size,
        1000 * (greedy / size) + size,
        lambda k: f"greedy {greedy[k]}, optimum {size[k]} for from_int({n}, {codes[k]})",
        example=lambda k: BooleanFunction.from_int(n, int(codes[k])),
    )


@stated(
    "LB-B",
    r"The caterpillar of $k$ links has a tree of $4k + 2$ leaves; greedy growth to error 0 "
    r"makes $6 \cdot 2^k - 4$, however ties are broken.",
)
def test_caterpillar(trial):
    sizes = [chapter.greedy_sizes(zoo.caterpillar(k)) for k in range(6)]
    fewest = [optimal(zoo.caterpillar(k)).n_leaves for k in range(1, 4)]

    variants = {
        "as few as the optimum, 4k + 2": {"leaves": lambda k: 4 * k + 2},
        "6 * 2^k - 3": {"leaves": lambda k: 6 * 2**k - 3},
    }

    @trial.form("greedy size 6 * 2^k - 4", r"6\cdot2^k-4", variants)
    @same("functions, best and worst ties")
    def greedy(leaves=lambda k: 6 * 2**k - 4):
        for k, found in enumerate(sizes):
            yield found.best - leaves(k), f"k = {k}"
            yield found.worst - leaves(k), f"k = {k}"

    variants = {
        "3k + 3": {"leaves": lambda k: 3 * k + 3},
        "4k + 1": {"leaves": lambda k: 4 * k + 1},
    }

    @trial.form("optimum 4k + 2", r"4k+2", variants)
    @same("functions")
    def optimum(leaves=lambda k: 4 * k + 2):
        yield from ((found - leaves(k), f"k = {k}") for k, found in enumerate(fewest, 1))


@stated(
    "LB-C",
    "Greedy growth with the luckiest ties is size-optimal for all monotone functions of at most 5 "
    r"variables, but not of 6: $x_1x_2 \vee x_0x_2x_3 \vee x_0x_1x_4$ $\vee\; x_0x_3x_4 \vee "
    "x_0x_3x_5$ has a tree of 11 leaves, and greedy growth makes 12 under every tie-break.",
    note="All monotone functions of 5 variables are tried, and with them those of fewer, which "
    "ignore some; and two of 6 variables.",
)
def test_monotone_functions(trial):
    terms = ((1, 2), (0, 2, 3), (0, 1, 4), (0, 3, 4), (0, 3, 5))
    codes = monotone(5)

    def six():
        found = [BooleanFunction.from_int(6, code) for code in (SMALLEST, WORST)]
        greedy = np.array([chapter.greedy_sizes(f).best for f in found])
        # No counterexample, if it is not monotone.
        fewest = [optimal(f).n_leaves for f in found]
        size = np.where([f.is_monotone() for f in found], fewest, greedy)
        return _optimal("monotone functions of 6 variables", 6, (SMALLEST, WORST), greedy, size)

    unlucky = {"with the unluckiest ties": {"ties": "worst"}}

    @trial.form("up to 5 variables", r"\operatorname{greedy}(f)=\operatorname{size}(f)", unlucky)
    def five(ties="best"):
        leaves, size = getattr(greedy_all(5, codes), ties), optimal_all(5, codes=codes).n_leaves
        return _optimal("monotone functions of 5 variables", 5, codes, leaves, size)

    @trial.form(
        "the terms, influences and trees of the counterexample",
        "",
        {"without its last term": {"last": 4}, "x1 as influential as x0": {"second": 24}},
    )
    def in_words(last=5, second=28):
        """The terms of the smallest counterexample, its influences times 64, its trees."""
        table = np.any([cube_points(6)[:, term].all(axis=1) for term in terms[:last]], axis=0)
        f = BooleanFunction.from_int(6, SMALLEST)
        sizes = chapter.greedy_sizes(f)
        found = [*measures.influence_counts(f), sizes.best, sizes.worst, optimal(f).n_leaves]
        gap = np.subtract(found, (24, second, 24, 16, 8, 4, 12, 12, 11))
        return equality("numbers", [*gap, (table != f.table).sum()], lambda k: f"number {k}")

    trial.fails("with 6 variables", six)
    trial.fails("with the unluckiest ties", lambda: five("worst"))
