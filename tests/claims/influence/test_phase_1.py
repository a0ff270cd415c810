"""Chapter 1, Theorem 3, phase 1: the cost is large, and falls by a fraction."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.influence.extremal import (
    GRID,
    RUNNABLE,
    Floors,
    floors,
    largest_epsilon,
    limit_of,
    log2_ratio,
    long_runs,
    rate_of,
)
from claims.influence.variants import PAGE, spoilt
from claims.kit import BLT, Form, Outcome, Trial, claim, outcome
from claims.kit.populations import at_least, log2
from dtviz import influence as chapter
from dtviz.core.tolerances import BOUND_SLACK

STEP_AND_EPSILON = "pairs of a step and an epsilon"
Floats = npt.NDArray[np.float64]


def _share(rows: Floors) -> Floats:
    """``1/((j+1) L)``, the share of the cost that a step of phase 1 takes."""
    return np.asarray(1 / (rows.leaves * log2(4 * rows.size / rows.epsilon) * log2(rows.size)))


def _cost_shrinks(share: Callable[[Floors], Floats] = _share) -> Outcome:
    """``C_(j+1) <= C_j (1 - 1/((j+1)L))`` at every step, for every epsilon with C_j >= eps E."""
    rows = floors()
    right = rows.cost * (1 - share(rows))
    tight = (rows.cost - right) / (rows.cost - rows.next_cost)
    return outcome(
        STEP_AND_EPSILON,
        at_least(right, rows.next_cost),
        tight,
        lambda k: f"drop / bound = {1 / tight[k]:.4g} at {rows.describe(k)}",
    )


def _product_over_runs(factor: float = 1, *, bits: bool = True) -> Outcome:
    """``C_k <= C_0 prod_(j=1..k) (1 - 1/(jL))`` while phase 1 lasts.

    For each k with the largest epsilon for which it lasts so long. Mutants have ``factor/(jL)``,
    or E for L.
    """
    names, ratios = [], []
    for run in long_runs():
        costs, k = run.path.costs, np.arange(1, run.path.n_splits + 1)
        epsilon = largest_epsilon(costs[:-1], run.size)
        rate = log2(4 * run.size / epsilon) * (math.log2(run.size) if bits else 1)
        taken = np.minimum(factor / (k * rate[:, None]), 0.999)
        bound = costs[0] * np.exp(np.tril(np.log1p(-taken)).sum(axis=1))
        ratios.append(costs[1:] / bound)
        names += [
            f"{run.name}, k = {step}, epsilon {e:.4g}" for step, e in zip(k, epsilon, strict=True)
        ]
    ratio = np.concatenate(ratios)
    return outcome(
        "costs in phase 1",
        at_least(1, ratio),
        ratio,
        lambda k: f"C_k / bound = {ratio[k]:.4g} for {names[k]}",
    )


def _product_closed_form() -> Outcome:
    """The recursion, the product and ``Gamma(k+1-a)/(Gamma(k+1) Gamma(1-a))``, a = 1/L, agree."""
    made, gap = [], []
    for size in (2, 4, 8, 16, 32, 64, 128):
        for epsilon in (0.49, 0.4, 0.25, 0.1, 0.05, 0.01):
            a = 1 / rate_of(size, epsilon)
            factor = np.cumprod(1 - a / (np.arange(10_000) + 1))
            for k in (1, 2, 5, 10, 100, 1000, 10_000):
                closed = math.lgamma(k + 1 - a) - math.lgamma(k + 1) - math.lgamma(1 - a)
                gap.append(abs(math.log(factor[k - 1]) - closed))
                made.append((size, epsilon, k))
    return outcome(
        "triples (s, epsilon, k)",
        np.array(gap) < BOUND_SLACK,
        np.array(gap) > BOUND_SLACK,
        lambda k: (
            "off by no more than rounding"
            if gap[k] < BOUND_SLACK
            else f"off by {gap[k]:.3g} at s, epsilon, k = {made[k]}"
        ),
    )


def _product_below_power(
    first: float = 1, log: Callable[[Floats], Floats] = lambda k: np.log(k + 1)
) -> Outcome:
    """``prod (1 - 1/(jL)) <= exp(-H_k/L) <= (k+1)^(-1/L)``: the negative logarithms, times L."""
    k = np.array([1, 2, 5, 10, 100, 1000, 10_000])
    j = np.arange(1.0, k[-1] + 1)
    harmonic = np.cumsum(1 / j)[k - 1]
    made, product = [], []
    for size, epsilon in GRID:
        rate = rate_of(size, epsilon)
        product.append(-rate * np.cumsum(np.log1p(-1 / (j * rate)))[k - 1])
        made += [(math.log2(size), epsilon, int(last)) for last in k]
    left, middle = np.concatenate(product), np.tile(first * harmonic, len(GRID))
    right = np.tile(log(k.astype(float)), len(GRID))
    return outcome(
        "triples (s, epsilon, k)",
        # For the largest L, L log(1 - 1/L) is -1 but for rounding.
        (left >= middle * (1 - BOUND_SLACK)) & at_least(middle, right),
        right / left,
        lambda i: (
            f"L ln(1/product) = {left[i]:.4f}, ln(k+1) = {right[i]:.4f} at log2 s, epsilon, k = "
            f"{made[i]}"
        ),
    )


def _harmonic(log: Callable[[Floats], Floats]) -> Outcome:
    """``H_k >= log``, a function of k, for k = 1 .. 10,000."""
    k = np.arange(1.0, 10_001)
    harmonic, right = np.cumsum(1 / k), log(k)
    return outcome(
        "numbers k",
        at_least(harmonic, right),
        right - harmonic,
        lambda i: f"H_k = {harmonic[i]:.4f} against {right[i]:.4f} at k = {i + 1}",
    )


def _phase_1_ends(log2_k: Callable[[int, float], float]) -> Outcome:
    """After k steps at the slowest rate, from ``log2 s``, the cost is below eps log2(4s/eps)."""
    left = []
    for size, epsilon in GRID:
        bits, a = log2_k(size, epsilon), 1 / rate_of(size, epsilon)
        if bits < math.log2(RUNNABLE):
            j = np.arange(1, math.ceil(2**bits) + 1)
            left.append(math.log2(size) * float((1 - a / j).prod()))
        else:
            # Too long to run: Gamma(k+1-a) / (Gamma(k+1) Gamma(1-a)) is k^-a / Gamma(1-a).
            left.append(math.log2(size) * math.exp(-a * bits * math.log(2) - math.lgamma(1 - a)))
    right = [limit_of(size, epsilon) for size, epsilon in GRID]
    ratio = np.array(left) / np.array(right)
    return outcome(
        "pairs (s, epsilon)",
        at_least(right, left),
        ratio,
        lambda k: (
            f"C_k / (epsilon log2(4s/epsilon)) = {ratio[k]:.3g} at log2 s, epsilon = "
            f"{math.log2(GRID[k][0]):.4g}, {GRID[k][1]}"
        ),
    )


def _log2_k(size: int, epsilon: float, share: float = 1) -> float:
    """By the package; a mutant stops after a ``share`` of the exponent."""
    return share * chapter.phases(size, epsilon).log2_k


def _without_four(size: int, epsilon: float) -> float:
    """``log(s/eps)`` for ``log(4s/eps)``."""
    ratio = log2_ratio(size, epsilon)
    return _log2_k(size, epsilon, (ratio - 2) / ratio)


@claim(
    "BLT-T3-P1a",
    BLT,
    r"Phase 1: $C_{j+1} \le C_j (1 - \frac{1}{(j+1)L})$ with "
    r"$L = \log_2(4s/\varepsilon) \log_2 s$, while "
    r"$C_j \ge \varepsilon \log_2(4s/\varepsilon)$.",
    PAGE,
)
def test_blt_t3_p1a(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "at every step of phase 1",
                _cost_shrinks,
                r"C_{j+1}\le C_j\Bigl(1-\frac1{(j+1)L}\Bigr)",
                spoilt(
                    _cost_shrinks,
                    {
                        "3.47 times the share": {"share": lambda rows: 3.47 * _share(rows)},
                        "whatever the cost": {
                            "share": lambda rows: (
                                1 / (rows.leaves * log2(rows.size / 0.1225) * log2(rows.size))
                            )
                        },
                        "E for L": {"share": lambda rows: _share(rows) * log2(rows.size)},
                        "without the number of leaves": {
                            "share": lambda rows: _share(rows) * rows.leaves
                        },
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-T3-P1b",
    BLT,
    r"Hence $C_k \le C_0 \prod_{j=1}^{k} (1 - \frac{1}{jL})$ while phase 1 lasts.",
    PAGE,
)
def test_blt_t3_p1b(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "greedy runs",
                _product_over_runs,
                r"C_k\le C_0\prod_{j=1}^{k}\Bigl(1-\frac1{jL}\Bigr)",
                spoilt(
                    _product_over_runs,
                    {
                        "3.47 times the shares": {"factor": 3.47},
                        "E for L": {"bits": False},
                    },
                ),
            ),
            Form("closed form by the gamma function", _product_closed_form, kind="identity"),
        )
    )


@claim(
    "BLT-T3-P1c",
    BLT,
    r"Hence $C_k \le C_0 \exp(-\frac1L \sum_{j=1}^k \frac1j) \le C_0 (k+1)^{-1/L}$, as "
    r"$\sum_{j=1}^{k} \frac1j \ge \ln(k+1) > \ln k$, with the natural logarithm.",
    PAGE,
    repaired=True,
    note=r"The source: $\sum 1/j \approx \log k$. The inequality is what is needed.",
)
def test_blt_t3_p1c(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the product below a power of k + 1",
                _product_below_power,
                r"C_k\le C_0\exp\Bigl(-\frac1L\sum_{j=1}^k\frac1j\Bigr)\le C_0\,(k+1)^{-1/L}",
                spoilt(
                    _product_below_power,
                    {
                        "1.001 times the sum": {"first": 1.001},
                        "k + 2 for k + 1": {"log": lambda k: np.log(k + 2)},
                        "with log2 for ln": {"log": lambda k: log2(k + 1)},
                    },
                ),
            ),
            Form(
                "H_k ≥ ln(k+1)",
                partial(_harmonic, lambda k: np.log(k + 1)),
                r"\sum_{j=1}^k\frac1j\ge\int_1^{k+1}\frac{dt}t=\ln(k+1)",
                spoilt(
                    _harmonic,
                    {
                        "ln(k+2)": {"log": lambda k: np.log(k + 2)},
                        "ln 2k": {"log": lambda k: np.log(2 * k)},
                    },
                ),
            ),
        ),
        (Form("as printed, with log read as log2", partial(_harmonic, log2)),),
    )


@claim(
    "BLT-T3-P1k",
    BLT,
    r"$k = s^{\log_2(4s/\varepsilon) \log_2(1/\varepsilon)}$ steps give "
    r"$C_k \le \varepsilon \log_2(4s/\varepsilon)$.",
    PAGE,
)
def test_blt_t3_p1k(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the slowest fall",
                partial(_phase_1_ends, _log2_k),
                r"k=\bigl\lceil s^{E\log(1/\varepsilon)}\bigr\rceil",
                spoilt(
                    _phase_1_ends,
                    {
                        "0.98 of the exponent": {"log2_k": partial(_log2_k, share=0.98)},
                        "log(s/epsilon) for E": {"log2_k": _without_four},
                    },
                ),
            ),
        )
    )
