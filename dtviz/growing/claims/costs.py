"""Chapter 5, growing: what a cost function must be like, and the four that are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz import growing
from dtviz.claims.populations import at_least, ratio
from dtviz.claims.registry import Claim, Form, Outcome, outcome
from dtviz.claims.sources import MN
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.tolerances import CLOSE
from dtviz.growing.claims.cases import LEAVES, SPLITS, all_splits, leaf_sets

__all__ = ["CLAIMS"]

PAGE = "5-growing"
POINTS = "costs and points of a grid"
GRID = np.arange(1025) / 1024
Floats = npt.NDArray[np.float64]
Cost = Callable[[Floats], Any]


# -- the shape ------------------------------------------------------------------------------------


def _symmetric() -> Outcome:
    gap = np.stack([np.abs(G(GRID) - G(1 - GRID)) for G in COST_FUNCTIONS.values()])

    def describe(k: int) -> str:
        cost, place = divmod(k, GRID.size)
        return f"off by {gap.flat[k]:g} for {list(COST_FUNCTIONS)[cost]} at q = {GRID[place]:g}"

    return outcome(POINTS, gap == 0, gap, describe)


def _bend(names: tuple[str, ...], right: Callable[[Floats], npt.NDArray[np.bool_]]) -> Outcome:
    """Second differences of the costs, times the squared number of grid steps."""
    bends = []
    for cost in names:
        value = COST_FUNCTIONS[cost](GRID)
        bends.append((value[2:] - 2 * value[1:-1] + value[:-2]) * 1024**2)
    bend = np.stack(bends)

    def describe(k: int) -> str:
        cost, place = divmod(k, GRID.size - 2)
        return f"second difference {bend.flat[k]:.4g} for {names[cost]} at q = {GRID[place + 1]:g}"

    return outcome(POINTS, right(bend), bend, describe)


def _drop_where_children_differ(cost: str) -> Outcome:
    every = all_splits()
    apart = every.p != every.r
    tau, p, r = every.tau[apart], every.p[apart], every.r[apart]
    lost = growing.drop(tau, p, r, cost)
    return outcome(
        f"{SPLITS}, p ≠ r",
        lost > CLOSE,
        -lost,
        lambda k: f"drop {lost[k]:.4g} at tau = {tau[k]:g}, p = {p[k]:g}, r = {r[k]:g}",
    )


def _above_error_by_shape(*, concave: bool, normal: bool) -> Outcome:
    """All sequences of values in eighths at 0, 1/8, .., 1/2 of the shape named, against x."""
    values = np.array(list(itertools.product(range(7), repeat=5))) / 8
    bend = values[:, 2:] - 2 * values[:, 1:-1] + values[:, :-2]
    # Symmetric about 1/2: the values at 3/8 and 5/8 are equal, which bounds the bend there.
    middle = 2 * values[:, 3] - 2 * values[:, 4]
    bend = np.column_stack([bend, middle])
    shaped = (bend <= 0).all(axis=1) if concave else (bend >= 0).all(axis=1)
    if normal:
        shaped &= values[:, 4] >= 0.5
    chosen = values[shaped]
    below = (np.arange(5) / 8 - chosen).max(axis=1)
    return outcome(
        "symmetric functions on eighths",
        below <= 0,
        below,
        lambda k: f"values {chosen[k].tolist()} at 0, 1/8, .., 1/2: below x by {below[k]:g}",
    )


def _above_error() -> Outcome:
    error = COST_FUNCTIONS["error"](GRID)
    slack = np.stack([G(GRID) - error for G in COST_FUNCTIONS.values()])

    def describe(k: int) -> str:
        cost, place = divmod(k, GRID.size)
        told = list(COST_FUNCTIONS)[cost]
        return f"{told} above the error by {slack.flat[k]:g} at q = {GRID[place]:g}"

    return outcome(POINTS, slack >= 0, -slack, describe)


def _tree_cost_above_error(G: Cost, called: str) -> Outcome:
    sets = leaf_sets()
    cost, error = sets.total(np.asarray(G(sets.shares))), sets.total(sets.errors)
    tight = ratio(error, cost)
    return outcome(
        LEAVES,
        at_least(cost, error),
        tight,
        lambda k: f"{called} {cost[k]:.4g}, error {error[k]:.4g}, {sets.describe(k)}",
    )


# -- the four -------------------------------------------------------------------------------------


def _formula(cost: str, formula: Callable[[float], float]) -> Outcome:
    """A cost against its formula, and 1/2 at 1/2."""
    grid = np.arange(65) / 64
    gap = np.array([abs(float(COST_FUNCTIONS[cost](q)) - formula(float(q))) for q in grid])
    return outcome(
        "points of a grid",
        gap < CLOSE,
        gap.round(12),
        lambda k: (
            f"formula {formula(float(grid[k])):.6g}, cost {COST_FUNCTIONS[cost](grid[k]):.6g} "
            f"at q = {grid[k]:g}"
        ),
    )


def _entropy(q: float, base: float) -> float:
    """Half the expected surprise in the base given."""
    return sum(s * math.log(1 / s, base) for s in (q, 1 - q) if s) / 2


def _chance_of_two_labels(q: float) -> float:
    """Two draws from 64 labels, 64 q of them 1, with replacement: how often they differ."""
    ones = round(64 * q)
    labels = [1] * ones + [0] * (64 - ones)
    return sum(a != b for a in labels for b in labels) / 64**2


def _geometric_mean(q: float) -> float:
    return math.exp((math.log(q) + math.log(1 - q)) / 2) if 0 < q < 1 else 0.0


def _ordered(order: tuple[str, ...]) -> Outcome:
    values = [COST_FUNCTIONS[cost](GRID) for cost in order]
    good = np.stack([at_least(b, a) for a, b in itertools.pairwise(values)])
    slack = np.stack([b - a for a, b in itertools.pairwise(values)])

    def describe(k: int) -> str:
        pair, place = divmod(k, GRID.size)
        return f"{order[pair + 1]} - {order[pair]} = {slack.flat[k]:.4g} at q = {GRID[place]:g}"

    return outcome("neighbours in the order, points of a grid", good, -slack, describe)


# -- why not the error ----------------------------------------------------------------------------


def _error_drop(*, never: bool) -> Outcome:
    """The drop of min against the formula; or against 0, as printed."""
    every = all_splits()
    lost = growing.drop(every.tau, every.p, every.r, "error")
    same_side = (every.p - 0.5) * (every.r - 0.5) >= 0
    apart = 2 * np.minimum(
        (1 - every.tau) * np.abs(every.p - 0.5), every.tau * np.abs(every.r - 0.5)
    )
    expected = np.zeros_like(lost) if never else np.where(same_side, 0, apart)
    gap = np.abs(lost - expected)
    return outcome(
        SPLITS,
        gap == 0,
        gap,
        lambda k: f"drop {lost[k]:g}, expected {expected[k]:g}, at {every.describe(k)}",
    )


STRICT = ("gini", "entropy", "sqrt")
CLAIMS = (
    Claim(
        "MN-CRIT1",
        MN,
        r"A cost is symmetric: $G(q) = G(1 - q)$.",
        PAGE,
        (Form("the four costs", _symmetric),),
    ),
    Claim(
        "MN-CRIT2",
        MN,
        r"A cost is concave; then, by Jensen's inequality, no split raises the cost of the tree.",
        PAGE,
        (Form("second differences ≤ 0", partial(_bend, tuple(COST_FUNCTIONS), lambda b: b <= 0)),),
        (Form("as printed: convex", partial(_bend, tuple(COST_FUNCTIONS), lambda b: b >= 0)),),
        repaired=True,
        note="The source says convex. All four costs are concave.",
    ),
    Claim(
        "MN-STRICT",
        MN,
        r"A split with $p \ne r$ lowers the cost because $G$ is strictly concave.",
        PAGE,
        (
            Form("Gini", partial(_drop_where_children_differ, "gini")),
            Form("entropy", partial(_drop_where_children_differ, "entropy")),
            Form("sqrt", partial(_drop_where_children_differ, "sqrt")),
            Form("second differences < 0", partial(_bend, STRICT, lambda b: b < 0)),
        ),
        (
            Form("as printed: strictly convex", partial(_bend, STRICT, lambda b: b > 0)),
            Form(
                "the error, concave but not strictly", partial(_drop_where_children_differ, "error")
            ),
        ),
        repaired=True,
        note="The source says strictly convex.",
    ),
    Claim(
        "MN-GX",
        MN,
        r"If $G$ is concave with $G(0) \ge 0$ and $G(\frac12) \ge \frac12$, then $G(x) \ge x$ on "
        r"$[0, \frac12]$.",
        PAGE,
        (
            Form(
                "all such functions on eighths",
                partial(_above_error_by_shape, concave=True, normal=True),
            ),
            Form("the four costs", _above_error),
        ),
        (
            Form(
                "as printed: symmetric and convex",
                partial(_above_error_by_shape, concave=False, normal=False),
            ),
            Form(
                "symmetric and concave, G(1/2) free",
                partial(_above_error_by_shape, concave=True, normal=False),
            ),
        ),
        repaired=True,
        note="The source concludes it from symmetry and convexity alone. Kearns and Mansour call "
        "a symmetric concave G with G(0) = 0 and G(1/2) = 1 permissible.",
    ),
    Claim(
        "MN-GTERR",
        MN,
        r"Under the repaired criteria $G(T) \ge \mathrm{error}(T)$: it is enough to make $G(T)$ "
        r"small.",
        PAGE,
        tuple(
            Form(f"G = {cost}", partial(_tree_cost_above_error, COST_FUNCTIONS[cost], "cost"))
            for cost in STRICT
        ),
        (Form("G = q(1-q)", partial(_tree_cost_above_error, lambda q: q * (1 - q), "cost")),),
    ),
    Claim(
        "MN-GINI",
        MN,
        r"CART's cost is the Gini index $G(q) = 2q(1-q)$: the chance that two inputs of the leaf, "
        r"drawn with replacement, have different labels.",
        PAGE,
        (Form("by counting pairs", partial(_formula, "gini", _chance_of_two_labels)),),
        (Form("4q(1-q)", partial(_formula, "gini", lambda q: 4 * q * (1 - q))),),
        note="The source writes Ginn.",
    ),
    Claim(
        "MN-ENT",
        MN,
        r"C4.5's cost is $G(q) = \frac12 (q \log_2 \frac1q + (1-q) \log_2 \frac1{1-q})$: half the "
        r"entropy, in bits.",
        PAGE,
        (
            Form(
                "half the expected surprise",
                partial(_formula, "entropy", partial(_entropy, base=2)),
            ),
        ),
        (Form("with ln for log2", partial(_formula, "entropy", partial(_entropy, base=math.e))),),
    ),
    Claim(
        "MN-SQRT",
        MN,
        r"The new cost is $G(q) = \sqrt{q(1-q)}$, the geometric mean of the shares.",
        PAGE,
        (Form("the geometric mean", partial(_formula, "sqrt", _geometric_mean)),),
    ),
    Claim(
        "MN-F12.4",
        MN,
        r"$\min(q, 1-q) \le 2q(1-q) \le \frac12 H_2(q) \le \sqrt{q(1-q)}$.",
        PAGE,
        (Form("in this order", partial(_ordered, ("error", "gini", "entropy", "sqrt"))),),
        (Form("Gini above entropy", partial(_ordered, ("error", "entropy", "gini", "sqrt"))),),
    ),
    Claim(
        "MN-LIN",
        MN,
        r"With $G = \min(q, 1-q)$ a split lowers nothing just when $p$ and $r$ lie on the same "
        r"side of $\frac12$ (or on it); else it lowers "
        r"$2 \min((1-\tau)|p - \frac12|, \tau |r - \frac12|)$.",
        PAGE,
        (Form("the drop, exactly", partial(_error_drop, never=False)),),
        (Form("as printed: no split lowers the error", partial(_error_drop, never=True)),),
        repaired=True,
        note="The source says that min behaves linearly and therefore a split does not reduce the "
        "error; min is linear on either side of 1/2 only.",
    ),
)
