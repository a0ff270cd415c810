"""The atlas: what greed loses on small functions, and what the rank allows."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np

from claims.kit import Outcome, at_most, claim, equality, holds
from claims.kit.populations import all_functions, name
from dtviz.atlas.npn import npn_canonical, npn_classes
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees.exhaustive import greedy_all, optimal_all, restrictions_of
from dtviz.core.boolean_trees.optimal import optimal

PAGE = "atlas"
FOUR = "functions of 4 variables"


@cache
def _ordered(n: int, code: int, order: tuple[int, ...]) -> int:
    """Leaves of the greedy tree of a function, ties going to the first variable in the order."""
    f = BooleanFunction.from_int(n, code)
    if f.is_constant:
        return 1
    x = np.arange(1 << n)
    influence = [(f.table != f.table[x ^ (1 << i)]).sum() for i in range(n)]
    first = min(range(n), key=lambda i: (-influence[i], order.index(i)))
    below = tuple(i - (i > first) for i in order if i != first)
    return sum(_ordered(n - 1, f.restrict(first, bit).code, below) for bit in (0, 1))


@claim(
    "OURS-ATLAS-ORDERS",
    r"The share of the functions of a class whose greedy tree has $s$ leaves, ties going to the "
    r"lowest variable, is the share of the orders of the variables in which breaking ties gives "
    r"$f$ so many.",
    PAGE,
)
@holds("classes of 3 variables", "", {"the last order alone": {"first": 5}})
def test_ties_and_names(first: int = 0) -> Outcome:
    greedy, least = greedy_all(3).n_leaves, npn_canonical(3, np.arange(256))
    gap, names = [], []
    for code in npn_classes(3).codes.tolist():
        orders = list(itertools.permutations(range(3)))[first:]
        by_order = Counter(_ordered(3, code, order) for order in orders)
        own = greedy[least == code]
        for leaves in range(1, 9):
            gap.append((own == leaves).sum() * len(orders) - by_order[leaves] * own.size)
            names.append(f"{leaves} leaves in the class of {name(3, code)}")
    return equality("classes of 3 variables and sizes", gap, names.__getitem__)


@claim(
    "OURS-ATLAS-NEVER",
    r"For every function of at most five variables $g(f) \le \frac{18}{11}\, s(f)$, and every "
    r"greedy tree has at most $3\, s(f)$ leaves. Both are attained.",
    PAGE,
)
def test_never_worse_up_to_five_variables(trial):
    codes = npn_classes(5).codes
    greedy, size = greedy_all(5, codes), optimal_all(5, codes=codes).n_leaves

    def bound(ties: str, factor: float) -> Outcome:
        return at_most(
            "classes of functions of 5 variables",
            getattr(greedy, ties),
            factor * size,
            lambda k: f"from_int(5, {codes[k]})",
            times=npn_classes(5).sizes,
        )

    formula, less = r"g(f)\le\frac{18}{11}\,s(f)", {"17.99 for 18": {"factor": 17.99 / 11}}
    trial.holds("the best ties", lambda factor=18 / 11: bound("best", factor), formula, less)
    formula, less = r"3\,s(f)", {"2.99 for 3": {"factor": 2.99}}
    trial.holds("the worst ties", lambda factor=3: bound("worst", factor), formula, less)


@claim(
    "OURS-ATLAS-DOUBLE",
    r"Let $h = f \oplus x_n$ with one more variable $x_n$. Then $s(h) = 2\,s(f)$ and "
    r"$g(h) = 2\,g(f)$.",
    PAGE,
)
def test_losses_double(trial):
    code = np.arange(1 << 16)

    variants = {"f or x_n": {"upper": code | 0xFFFF}, "f, which ignores x_n": {"upper": code}}

    @trial.form("the optimal size", r"s(h)=2\,s(f)", variants)
    def size(upper: np.ndarray = code ^ 0xFFFF) -> Outcome:
        gap = optimal_all(5, codes=code | upper << 16).n_leaves - 2 * optimal_all(4).n_leaves
        return equality(FOUR, gap, lambda k: name(4, k))

    @trial.form("greed with the best ties", r"g(h)=2\,g(f)", variants)
    def lucky(upper: np.ndarray = code ^ 0xFFFF) -> Outcome:
        gap = greedy_all(5, code | upper << 16).best - 2 * greedy_all(4).best
        return equality(FOUR, gap, lambda k: name(4, k))


@claim(
    "OURS-ATLAS-TWO",
    r"Under a strictly concave, symmetric cost, or the error itself, the best question at the root "
    r"gives the smallest error of a tree with two leaves, however ties are broken.",
    PAGE,
)
def test_two_leaves(trial):
    halves = restrictions_of(np.arange(1 << 16), 4)
    ones = np.stack([all_functions(3).ones[np.stack(pair)] for pair in halves])

    def smallest(cost: Callable[[np.ndarray], np.ndarray]) -> Outcome:
        """The largest error among the variables that lower the cost most, against the least."""
        left = cost(ones / 8).sum(axis=1)
        error = np.minimum(ones, 8 - ones).sum(axis=1)
        worst = np.where(left <= left.min(axis=0) + 1e-12, error, 0).max(axis=0)
        return equality(FOUR, worst - error.min(axis=0), lambda k: name(4, k))

    def loose(p: np.ndarray) -> np.ndarray:
        return np.minimum(np.minimum(p, 1 - p), 1 / 4)

    variants = {"min(p, 1 - p, 1/4), which is not strictly concave": {"cost": loose}}
    trial.holds("Gini", lambda cost=lambda p: p * (1 - p): smallest(cost), "", variants)
    trial.holds("root", lambda cost=lambda p: np.sqrt(p * (1 - p)): smallest(cost), "", variants)
    error = lambda p: np.minimum(p, 1 - p)  # noqa: E731
    trial.holds("the error", lambda cost=error: smallest(cost), "", variants)


@claim(
    "OURS-ATLAS-RANK",
    r"For $1 \le r \le n$ the parity of $\min(|x|, r)$ has rank $r$, and its smallest tree has "
    r"$\sum_{i \le r} \binom ni$ leaves.",
    PAGE,
)
def test_as_many_leaves_as_the_rank_allows(trial):
    cases = [(n, r) for n in range(1, 9) for r in range(1, n + 1)]

    @cache
    def trees(n: int, r: int) -> tuple[int, int]:
        f = BooleanFunction(n, np.minimum(cube_points(n).sum(axis=1), r) % 2)
        return optimal(f).rank, optimal(f).n_leaves

    formula = r"\sum_{i\le r}\binom ni"
    variants = {"without the empty set": {"first": 1}, "rank r + 1": {"more": 1}}

    @trial.form("rank and size", formula, variants)
    def stated(first: int = 0, more: int = 0) -> Outcome:
        gap = []
        for n, r in cases:
            leaves = sum(math.comb(n, i) for i in range(first, r + 1))
            rank, size = trees(n, r)
            gap.append(abs(rank - r - more) + abs(size - leaves))
        return equality("pairs (n, r)", gap, lambda k: f"n, r = {cases[k]}")
