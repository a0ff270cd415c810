"""Chapter 5, growing: what a cost function must be like."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.growing.cases import LEAVES, SPLITS, all_splits, leaf_sets
from claims.kit import MN, Form, Outcome, Trial, claim, outcome
from claims.kit.populations import at_least, ratio
from dtviz import growing
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.tolerances import CLOSE

PAGE = "5-growing"
POINTS = "costs and points of a grid"
GRID = np.arange(1025) / 1024
STRICT = ("gini", "entropy", "sqrt")
Floats = npt.NDArray[np.float64]


# -- the shape ------------------------------------------------------------------------------------


def _symmetric(mirror: Callable[[Floats], Floats] = lambda q: 1 - q) -> Outcome:
    gap = np.stack([np.abs(G(GRID) - G(mirror(GRID))) for G in COST_FUNCTIONS.values()])

    def describe(k: int) -> str:
        cost, place = divmod(k, GRID.size)
        return f"off by {gap.flat[k]:g} for {list(COST_FUNCTIONS)[cost]} at q = {GRID[place]:g}"

    return outcome(POINTS, gap == 0, gap, describe)


def _bend(
    names: tuple[str, ...], right: Callable[[Floats], npt.NDArray[np.bool_]], power: float = 1
) -> Outcome:
    """Second differences of the costs, times the squared number of grid steps.

    A ``power`` other than 1 spoils them: 2G to this power, halved.
    """
    bends = []
    for cost in names:
        value = (2 * COST_FUNCTIONS[cost](GRID)) ** power / 2
        bends.append((value[2:] - 2 * value[1:-1] + value[:-2]) * 1024**2)
    bend = np.stack(bends)

    def describe(k: int) -> str:
        cost, place = divmod(k, GRID.size - 2)
        return f"second difference {bend.flat[k]:.4g} for {names[cost]} at q = {GRID[place + 1]:g}"

    return outcome(POINTS, right(bend), bend, describe)


def _drops(
    cost: str, right: Callable[[Floats], npt.NDArray[np.bool_]], *, equal: bool = False
) -> Outcome:
    """The drop of every split with p != r, or of those with p = r, too."""
    every = all_splits()
    chosen = (every.p != every.r) | equal
    tau, p, r = every.tau[chosen], every.p[chosen], every.r[chosen]
    lost = growing.drop(tau, p, r, cost)
    return outcome(
        SPLITS,
        right(lost),
        -lost,
        lambda k: f"drop {lost[k]:.4g} at tau = {tau[k]:g}, p = {p[k]:g}, r = {r[k]:g}",
    )


def _drops_for_chord(cost: str, *, exchanged: bool) -> Outcome:
    """The gap between the graph at q and the chord, its weights exchanged or not."""
    every, G = all_splits(), COST_FUNCTIONS[cost]
    tau = 1 - every.tau if exchanged else every.tau
    gap = G(every.q) - ((1 - tau) * G(every.p) + tau * G(every.r))
    return outcome(
        SPLITS, gap >= -CLOSE, -gap, lambda k: f"gap {gap[k]:.4g} at {every.describe(k)}"
    )


def _positive(lost: Floats) -> npt.NDArray[np.bool_]:
    return lost > CLOSE


EIGHTHS = np.array(list(itertools.product(range(-1, 7), repeat=5))) / 8
"""Functions by their values at 0, 1/8, .., 1/2; symmetric about 1/2."""


def _strictly_concave_drops(*, strictly: bool = True, apart: bool = True) -> Outcome:
    """All symmetric functions of this shape on eighths, with rises up to 7/16."""
    if strictly:
        rises = np.array(list(itertools.combinations(range(7, 0, -1), 4)))
    else:
        rises = np.array(list(itertools.combinations_with_replacement(range(7, -1, -1), 4)))
    half = np.pad(rises.cumsum(axis=1), ((0, 0), (1, 0))) / 16
    values = np.hstack([half, half[:, 3::-1]])
    drops, words = [], []
    for p, q, r in itertools.combinations_with_replacement(range(9), 3):
        if p < q < r or (p == q == r and not apart):
            tau = (q - p) / max(r - p, 1)
            drops.append(values[:, q] - (1 - tau) * values[:, p] - tau * values[:, r])
            words.append(f"between {p}/8 and {r}/8 at {q}/8")
    lost = np.stack(drops)

    def describe(k: int) -> str:
        where, which = divmod(k, len(values))
        return f"drop {lost.flat[k]:.4g} {words[where]}, values {half[which].tolist()}"

    return outcome("functions on eighths and their chords", lost > CLOSE, -lost, describe)


@dataclass(frozen=True)
class _Shape:
    """What is asked of a function on eighths, and how far to look."""

    concave: bool = True
    convex: bool = False
    start: bool = True
    middle: bool = True


def _above_error_by_shape(shape: _Shape = _Shape(), *, slope: float = 1.0) -> Outcome:
    """All sequences of values in eighths at 0, 1/8, .., 1/2 of the shape named, against x."""
    bend = EIGHTHS[:, 2:] - 2 * EIGHTHS[:, 1:-1] + EIGHTHS[:, :-2]
    # Symmetric about 1/2: the values at 3/8 and 5/8 are equal, which bounds a convex function.
    middle = EIGHTHS[:, 3] >= EIGHTHS[:, 4]
    shaped = (bend <= 0).all(axis=1) | (not shape.concave)
    shaped &= ((bend >= 0).all(axis=1) & middle) | (not shape.convex)
    shaped &= (EIGHTHS[:, 0] >= 0) | (not shape.start)
    shaped &= (EIGHTHS[:, 4] >= 0.5) | (not shape.middle)
    chosen = EIGHTHS[shaped]
    below = (slope * np.arange(5) / 8 - chosen).max(axis=1)
    return outcome(
        "functions on eighths",
        below <= 0,
        below,
        lambda k: f"values {chosen[k].tolist()} at 0, 1/8, .., 1/2: below x by {below[k]:g}",
    )


def _above_error(slope: float = 1.0) -> Outcome:
    error = COST_FUNCTIONS["error"](GRID)
    slack = np.stack([G(GRID) - slope * error for G in COST_FUNCTIONS.values()])

    def describe(k: int) -> str:
        cost, place = divmod(k, GRID.size)
        told = list(COST_FUNCTIONS)[cost]
        return f"{told} above the error by {slack.flat[k]:g} at q = {GRID[place]:g}"

    return outcome(POINTS, slack >= 0, -slack, describe)


def _tree_cost_above_error(cost: str, factor: float = 1.0, *, weighted: bool = True) -> Outcome:
    sets, G = leaf_sets(), COST_FUNCTIONS[cost]
    leaves = factor * np.asarray(G(sets.shares))
    total = sets.total(leaves) if weighted else leaves.mean(axis=1)
    error = sets.total(sets.errors)
    return outcome(
        LEAVES,
        at_least(total, error),
        ratio(error, total),
        lambda k: f"cost {total[k]:.4g}, error {error[k]:.4g}, {sets.describe(k)}",
    )


def _strict_form(cost: str) -> Form:
    return Form(
        cost,
        partial(_drops, cost, _positive),
        r"G(q)>(1-\tau)\,G(p)+\tau\,G(r)",
        (
            Form("for p = r, too", partial(_drops, cost, _positive, equal=True)),
            Form("for the error, concave but not strictly", partial(_drops, "error", _positive)),
        ),
    )


def _above_form(cost: str) -> Form:
    return Form(
        f"G = {cost}",
        partial(_tree_cost_above_error, cost),
        r"\mathrm{error}(T)\le G(T)",
        (
            Form("0.999 G", partial(_tree_cost_above_error, cost, 0.999)),
            Form("leaves not weighed", partial(_tree_cost_above_error, cost, weighted=False)),
        ),
    )


@claim(
    "MN-CRIT1",
    MN,
    r"A cost is symmetric: $G(q) = G(1 - q)$.",
    PAGE,
)
def test_mn_crit1(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the four costs",
                _symmetric,
                "G(q)=G(1-q)",
                (
                    Form("G(q) = G(|1/2 - q|)", partial(_symmetric, lambda q: np.abs(0.5 - q))),
                    Form("G(q) = G(1 - q^1.001)", partial(_symmetric, lambda q: 1 - q**1.001)),
                ),
            ),
        )
    )


@claim(
    "MN-CRIT2",
    MN,
    r"A cost is concave; then, by Jensen's inequality, no split raises the cost of the tree.",
    PAGE,
    repaired=True,
    note="The source says convex. All four costs are concave.",
)
def test_mn_crit2(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "second differences ≤ 0",
                partial(_bend, tuple(COST_FUNCTIONS), lambda b: b <= 0),
                mutants=(
                    Form(
                        "2G to the power 1.01, halved",
                        partial(_bend, tuple(COST_FUNCTIONS), lambda b: b <= 0, 1.01),
                    ),
                    Form("< 0", partial(_bend, tuple(COST_FUNCTIONS), lambda b: b < 0)),
                ),
            ),
            *(
                Form(
                    f"no chord lies above the graph of {cost}",
                    partial(_drops_for_chord, cost, exchanged=False),
                    r"G(q)\ge(1-\tau)\,G(p)+\tau\,G(r)",
                    (
                        Form(
                            "τ and 1 - τ exchanged",
                            partial(_drops_for_chord, cost, exchanged=True),
                        ),
                    ),
                )
                for cost in COST_FUNCTIONS
            ),
        ),
        (Form("as printed: convex", partial(_bend, tuple(COST_FUNCTIONS), lambda b: b >= 0)),),
    )


@claim(
    "MN-STRICT",
    MN,
    r"A split with $p \ne r$ lowers the cost because $G$ is strictly concave.",
    PAGE,
    repaired=True,
    note="The source says strictly convex.",
)
def test_mn_strict(trial: Trial) -> None:
    trial.run(
        (
            *map(_strict_form, STRICT),
            Form(
                "all strictly concave functions on eighths",
                _strictly_concave_drops,
                mutants=(
                    Form("concave", partial(_strictly_concave_drops, strictly=False)),
                    Form("for p = r", partial(_strictly_concave_drops, apart=False)),
                ),
            ),
            Form(
                "second differences < 0",
                partial(_bend, STRICT, lambda b: b < 0),
                mutants=(
                    Form(
                        "2G to the power 1.05, halved",
                        partial(_bend, STRICT, lambda b: b < 0, 1.05),
                    ),
                    Form("≤ -4.1", partial(_bend, STRICT, lambda b: b <= -4.1)),
                ),
            ),
        ),
        (
            Form("as printed: strictly convex", partial(_bend, STRICT, lambda b: b > 0)),
            Form("the error, concave but not strictly", partial(_drops, "error", _positive)),
        ),
    )


@claim(
    "MN-GX",
    MN,
    r"If $G$ is concave with $G(0) \ge 0$ and $G(\frac12) \ge \frac12$, then $G(x) \ge x$ on "
    r"$[0, \frac12]$.",
    PAGE,
    repaired=True,
    note="The source concludes it from symmetry and convexity alone. Kearns and Mansour call "
    "a symmetric concave G with G(0) = 0 and G(1/2) = 1 permissible.",
)
def test_mn_gx(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "all such functions on eighths",
                _above_error_by_shape,
                r"G(x)\ge x",
                (
                    Form("G(0) free", partial(_above_error_by_shape, _Shape(start=False))),
                    Form("G(1/2) free", partial(_above_error_by_shape, _Shape(middle=False))),
                    Form("not concave", partial(_above_error_by_shape, _Shape(concave=False))),
                    Form("G(x) ≥ 1.01 x", partial(_above_error_by_shape, slope=1.01)),
                ),
            ),
            Form(
                "the four costs",
                _above_error,
                mutants=(Form("G(x) ≥ 1.001 x", partial(_above_error, 1.001)),),
            ),
        ),
        (
            Form(
                "as printed: symmetric and convex",
                partial(
                    _above_error_by_shape,
                    _Shape(concave=False, convex=True, start=False, middle=False),
                ),
            ),
        ),
    )


@claim(
    "MN-GTERR",
    MN,
    r"Under the repaired criteria $G(T) \ge \mathrm{error}(T)$: it is enough to make $G(T)$ "
    r"small.",
    PAGE,
)
def test_mn_gterr(trial: Trial) -> None:
    trial.run(
        tuple(map(_above_form, STRICT)),
        (Form("G = q(1-q)", partial(_tree_cost_above_error, "gini", 0.5)),),
    )
