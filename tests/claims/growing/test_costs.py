"""Chapter 5, growing: the four cost functions, and what is wrong with the error."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.growing.cases import SPLITS, all_splits
from claims.kit import MN, Form, Outcome, Trial, claim, outcome
from claims.kit.populations import at_least
from dtviz import growing
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.tolerances import CLOSE

PAGE = "5-growing"
GRID = np.arange(1025) / 1024
ORDER = ("error", "gini", "entropy", "sqrt")
Floats = npt.NDArray[np.float64]


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


def _chance_of_two_labels(q: float, *, replaced: bool = True) -> float:
    """Two draws from 64 labels, 64 q of them 1, with replacement or not: how often they differ."""
    ones = round(64 * q)
    labels = [1] * ones + [0] * (64 - ones)
    return sum(a != b for a in labels for b in labels) / (64 * (64 if replaced else 63))


def _geometric_mean(q: float) -> float:
    return math.exp((math.log(q) + math.log(1 - q)) / 2) if 0 < q < 1 else 0.0


def _ordered(order: tuple[str, ...], last: float | None = None) -> Outcome:
    """Neighbours in the order; with ``last`` the greatest is half of 4q(1-q) to this power."""
    values = [COST_FUNCTIONS[cost](GRID) for cost in order]
    if last is not None:
        values[-1] = (4 * GRID * (1 - GRID)) ** last / 2
    good = np.stack([at_least(b, a) for a, b in itertools.pairwise(values)])
    slack = np.stack([b - a for a, b in itertools.pairwise(values)])

    def describe(k: int) -> str:
        pair, place = divmod(k, GRID.size)
        return f"{order[pair + 1]} - {order[pair]} = {slack.flat[k]:.4g} at q = {GRID[place]:g}"

    return outcome("neighbours in the order, points of a grid", good, -slack, describe)


def _entropy_below(bits: float = 4.0, root: float = 2.0) -> Outcome:
    """``H(q) <= x log2(4/x) <= 2 sqrt(x)`` for x = q(1-q): the two inequalities in one table."""
    q = np.arange(1, 2049) / 4096
    x = q * (1 - q)
    middle = x * np.log2(bits / x)
    slack = np.stack([middle / (2 * COST_FUNCTIONS["entropy"](q)), root * np.sqrt(x) / middle])

    def describe(k: int) -> str:
        which, place = divmod(k, q.size)
        told = ("x log2(4/x) / H", "2 sqrt(x) / (x log2(4/x))")[which]
        return f"{told} = {slack.flat[k]:.6g} at q = {q[place]:g}"

    return outcome("points of a grid, twice", slack >= 1 - CLOSE, -slack, describe)


# -- why not the error ----------------------------------------------------------------------------


Distances = Callable[[Floats, Floats], Floats]
"""From the two terms of the lemma: the drop of the error, where the new labels differ."""


def _twice_the_smaller(low: Floats, high: Floats) -> Floats:
    smaller: Floats = 2 * np.minimum(low, high)
    return smaller


def _error_drop(
    apart: Distances = _twice_the_smaller, *, same_side: bool = True, exchanged: bool = False
) -> Outcome:
    """The drop of min against the formula; 0 if both new leaves are on the same side of 1/2.

    Without ``same_side`` the formula is taken everywhere.
    """
    every = all_splits()
    tau = 1 - every.tau if exchanged else every.tau
    lost = growing.drop(every.tau, every.p, every.r, "error")
    alike = (every.p - 0.5) * (every.r - 0.5) >= 0
    told = apart((1 - tau) * np.abs(every.p - 0.5), tau * np.abs(every.r - 0.5))
    expected = np.where(alike & same_side, 0, told)
    gap = np.abs(lost - expected)
    return outcome(
        SPLITS,
        gap == 0,
        gap,
        lambda k: f"drop {lost[k]:g}, expected {expected[k]:g}, at {every.describe(k)}",
    )


@claim(
    "MN-GINI",
    MN,
    r"CART's cost is the Gini index $G(q) = 2q(1-q)$: the chance that two inputs of the leaf, "
    r"drawn with replacement, have different labels.",
    PAGE,
    note="The source writes Ginn.",
)
def test_mn_gini(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "by counting pairs",
                partial(_formula, "gini", _chance_of_two_labels),
                "G(q)=2q(1-q)",
                (
                    Form(
                        "drawn without replacement",
                        partial(_formula, "gini", partial(_chance_of_two_labels, replaced=False)),
                    ),
                    Form(
                        "the first label 1, the second 0",
                        partial(_formula, "gini", lambda q: _chance_of_two_labels(q) / 2),
                    ),
                ),
            ),
        ),
        (Form("4q(1-q)", partial(_formula, "gini", lambda q: 4 * q * (1 - q))),),
    )


@claim(
    "MN-ENT",
    MN,
    r"C4.5's cost is $G(q) = \frac12 (q \log_2 \frac1q + (1-q) \log_2 \frac1{1-q})$: half the "
    r"entropy, in bits.",
    PAGE,
)
def test_mn_ent(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "half the expected surprise",
                partial(_formula, "entropy", partial(_entropy, base=2)),
                r"H_2(q)=q\log_2\frac1q+(1-q)\log_2\frac1{1-q}",
                kind="definition",
            ),
        ),
        (Form("with ln for log2", partial(_formula, "entropy", partial(_entropy, base=math.e))),),
    )


@claim(
    "MN-SQRT",
    MN,
    r"The new cost is $G(q) = \sqrt{q(1-q)}$, the geometric mean of the shares.",
    PAGE,
)
def test_mn_sqrt(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the geometric mean",
                partial(_formula, "sqrt", _geometric_mean),
                r"G(q)=\sqrt{q(1-q)}",
                kind="definition",
            ),
        )
    )


@claim(
    "MN-F12.4",
    MN,
    r"$\min(q, 1-q) \le 2q(1-q) \le \frac12 H_2(q) \le \sqrt{q(1-q)}$.",
    PAGE,
)
def test_mn_f12_4(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "in this order",
                partial(_ordered, ORDER),
                r"\min(q,1-q)\le2q(1-q)\le\tfrac12H_2(q)\le\sqrt{q(1-q)}",
                (
                    Form(
                        "error above Gini",
                        partial(_ordered, ("gini", "error", "entropy", "sqrt")),
                    ),
                    Form("entropy ≤ half of (4q(1-q))^0.73", partial(_ordered, ORDER, 0.73)),
                    Form(
                        "entropy above sqrt",
                        partial(_ordered, ("error", "gini", "sqrt", "entropy")),
                    ),
                ),
            ),
            Form(
                "H ≤ x log2(4/x) ≤ 2 sqrt(x)",
                _entropy_below,
                r"H_2(q)\le x\log_2\frac4x\le2\sqrt x",
                (
                    Form("3.99 for 4", partial(_entropy_below, 3.99)),
                    Form("4.01 for 4", partial(_entropy_below, 4.01)),
                    Form("1.99 for 2", partial(_entropy_below, root=1.99)),
                ),
            ),
        ),
        (Form("Gini above entropy", partial(_ordered, ("error", "entropy", "gini", "sqrt"))),),
    )


@claim(
    "MN-LIN",
    MN,
    r"With $G = \min(q, 1-q)$ a split lowers nothing just when $p$ and $r$ lie on the same "
    r"side of $\frac12$ (or on it); else it lowers "
    r"$2 \min((1-\tau)|p - \frac12|, \tau |r - \frac12|)$.",
    PAGE,
    repaired=True,
    note="The source says that min behaves linearly and therefore a split does not reduce the "
    "error; min is linear on either side of 1/2 only.",
)
def test_mn_lin(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the drop, exactly",
                _error_drop,
                r"2\min\bigl((1-\tau)\,|p-\tfrac12|,\;\tau\,|r-\tfrac12|\bigr)",
                (
                    Form(
                        "the larger term",
                        partial(_error_drop, lambda low, high: 2 * np.maximum(low, high)),
                    ),
                    Form("without the factor 2", partial(_error_drop, np.minimum)),
                    Form("τ and 1 - τ exchanged", partial(_error_drop, exchanged=True)),
                    Form("on the same side, too", partial(_error_drop, same_side=False)),
                ),
            ),
        ),
        (
            Form(
                "as printed: no split lowers the error",
                partial(_error_drop, lambda low, high: 0 * (low + high)),
            ),
        ),
    )
