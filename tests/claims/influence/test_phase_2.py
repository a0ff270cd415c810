"""Chapter 1, Theorem 3, phase 2: the cost is small, the error is not."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.influence.extremal import (
    GRID,
    largest_epsilon,
    log2_ratio,
    long_runs,
    rate_of,
)
from claims.influence.variants import PAGE, spoilt
from claims.kit import BLT, Form, Outcome, Trial, claim, outcome
from claims.kit.populations import EPSILONS, at_least, log2, steps
from dtviz import influence as chapter

STEP_AND_EPSILON = "pairs of a step and an epsilon"
Floats = npt.NDArray[np.float64]


def _cost_drops(
    factor: float = 2,
    count: Callable[[Floats], Floats] = lambda j: j + 1,
    *,
    alive: bool = True,
    log: Callable[[Floats], Floats] = log2,
) -> Outcome:
    """``C_(j+1) <= C_j - 2 eps/((j+1) log2 s)`` while the error exceeds epsilon.

    With epsilon just below the error, and smaller ones. A mutant goes on when it does not.
    """
    run = steps(3, 0)
    near = 0.999 * run.error
    fixed = np.broadcast_to(np.array(EPSILONS)[:, None], (len(EPSILONS), near.size))
    epsilon = np.concatenate([near[None, :], fixed])
    k = np.broadcast_to(np.arange(near.size), epsilon.shape)
    chosen = run.error[k] > epsilon if alive else epsilon > 0
    epsilon, k = epsilon[chosen], k[chosen]
    floor = factor * epsilon / (count(run.step[k].astype(float)) * log(run.size[k].astype(float)))
    drop = run.cost[k] - run.next_cost[k]
    return outcome(
        STEP_AND_EPSILON,
        at_least(drop, floor),
        floor / drop,
        lambda i: (
            f"drop / bound = {drop[i] / floor[i]:.4g} at {run.describe(k[i])}, "
            f"epsilon {epsilon[i]:.4g}"
        ),
    )


def _pairs() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """Pairs k < m, and the sum of 1/(j+1) over j = k .. m-1: the drops of steps k to m."""
    k, m = (a.ravel() for a in np.meshgrid(np.arange(1, 60), np.arange(1, 200), indexing="ij"))
    m = k + m
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, 300))])
    return k, m, harmonic[m] - harmonic[k]


def _sum_of_drops(
    *, first: int = 0, shift: int = 1, above: int = 1, log: Callable[[Floats], Floats] = np.log
) -> Outcome:
    """``sum 1/(j+1)`` over j = k+first .. m-1+first, against ``ln((m+above)/(k+shift))``.

    Both sides of the statement have the factor ``2 eps/log2 s``.
    """
    k, m, total = _pairs()
    total = total + first * (1 / (m + 1) - 1 / (k + 1))
    right = log((m + above) / (k + shift))
    return outcome(
        "pairs (k, m)",
        at_least(total, right),
        right / total,
        lambda i: f"{total[i]:.3f} against {right[i]:.3f} at k = {k[i]}, m = {m[i]}",
    )


def _falls_no_further(
    spare: float = 2, inside: float = 4, *, until: Callable[[Floats, float], int] | None = None
) -> Outcome:
    """``C_k - C_m < eps E - 2 eps`` if ``C_k <= eps E`` and the run has not stopped at step m.

    For each k with the least epsilon that the hypothesis allows, and the last m. Mutants have
    another multiple of epsilon to ``spare``, another number ``inside`` the logarithm, another m.
    """
    left, right, names = [], [], []
    for run in long_runs():
        path = run.path
        least = largest_epsilon(path.costs, run.size) * (1 + 2**-30)
        for k in np.flatnonzero((least < path.errors) & (least < 0.4999)).tolist():
            epsilon = float(least[k])
            goes_on = np.flatnonzero(path.errors > epsilon)[-1]
            m = int(goes_on) if until is None else until(path.errors, epsilon)
            left.append(path.costs[k] - path.costs[m])
            right.append(epsilon * (math.log2(inside * run.size / epsilon) - spare))
            names.append(f"{run.name}, k = {k}, m = {m}, epsilon {epsilon:.4g}")
    ratio = np.array(left) / np.array(right)
    return outcome(
        "pairs (k, m) of greedy runs",
        ratio < 1,
        ratio,
        lambda i: f"(C_k - C_m) / bound = {ratio[i]:.4g} for {names[i]}",
    )


def _enough_steps(*, printed: bool = False, shift: int = 1) -> Outcome:
    """Whether the condition on k and m brings the cost from C_k to epsilon.

    Worst case: ``C_m = C_k - (eps/log2 s) sum 1/(j+1)``. The condition is
    ``(eps/log2 s) ln((m+1)/(k+1)) >= C_k - eps``, or as printed ``C_k - eps >= (eps/log2 s)
    ln(m/k)``.
    """
    k, m, total = _pairs()
    reached, texts = [], []
    for size in (2, 4, 8):
        for multiple in (1.1, 1.5, 2.0):
            # In units of epsilon / log2 s, which cancels.
            needed = (multiple - 1) * math.log2(size)
            met = (
                needed >= np.log(m / k) if printed else np.log((m + shift) / (k + shift)) >= needed
            )
            reached.append((total - needed)[met])
            texts += [(size, multiple, int(a), int(b)) for a, b in zip(k[met], m[met], strict=True)]
    spare = np.concatenate(reached)

    def describe(i: int) -> str:
        size, multiple, k, m = texts[i]
        cost = 1 - spare[i] / math.log2(size)
        return f"C_m = {cost:.3f} eps from C_k = {multiple} eps at s = {size}, k = {k}, m = {m}"

    return outcome("cases (s, C_k, k, m) that meet the condition", spare >= 0, -spare, describe)


@cache
def _harmonics() -> Floats:
    """H_0, H_1, .. as far as `_phase_2_ends` looks."""
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, 2_000_000))])


def _phase_2_ends(
    less: float = 1, share: float = 1, base: float = math.e, extra: int = 1
) -> Outcome:
    """``m + 1 < (k+1) s^((E/2 - 1) log2 e)`` for the slowest fall that has not ended at step m.

    From ``C_k = eps E`` by ``2 eps/((j+1) log2 s)`` per step, for the last m with ``C_m > 2 eps``:
    the sum of 1/(j+1) is below ``(E/2 - 1) log2 s`` there.
    """
    harmonics = _harmonics()
    needed, allowed, names = [], [], []
    for size in (2, 3, 4, 8, 16, 32):
        for epsilon in EPSILONS:
            half, bits = log2_ratio(size, epsilon) / 2, math.log2(size)
            for k in (1, 2, 5, 10, 100, 1000):
                m = int(np.searchsorted(harmonics, harmonics[k] + (half - 1) * bits)) - 1
                if m < harmonics.size - 1:
                    needed.append(m + 1)
                    allowed.append((k + extra) * base ** (share * (half - less) * bits))
                    names.append((size, epsilon, k))
    ratio = np.array(needed) / np.array(allowed)
    return outcome(
        "triples (s, epsilon, k)",
        ratio < 1,
        ratio,
        lambda i: f"(m + 1) / bound = {ratio[i]:.5f} at s, epsilon, k = {names[i]}",
    )


def _steps_of_both_phases(constant: Callable[[float], float], spare: int) -> Outcome:
    """``m + spare <= s^(constant(eps) log2(4s/eps))``, with m as the proof of the source sets it.

    That is with its floors, which are half of ours, and stopping at cost epsilon.
    """
    more = np.array([chapter.phases(size, epsilon).log2_m for size, epsilon in GRID])
    needed = more + log2(1 - (1 - spare) * 2.0**-more)
    base = np.array([rate_of(size, epsilon) for size, epsilon in GRID])
    one = np.array([math.log2(1 / epsilon) for _, epsilon in GRID])
    allowed = np.array([constant(epsilon) for _, epsilon in GRID])
    return outcome(
        "pairs (s, epsilon)",
        at_least(allowed * base, needed),
        needed / (allowed * base),
        lambda k: (
            f"exponent {needed[k] / (one[k] * base[k]):.3f} log2(4s/eps) log2(1/eps) needed, "
            f"{allowed[k] / one[k]:.3f} allowed, at log2 s, eps = "
            f"{math.log2(GRID[k][0]):.4g}, {GRID[k][1]}"
        ),
    )


def _repaired_constant(epsilon: float, factor: float = 1, e: float = 1) -> float:
    """``log2(1/eps) + log2 e``."""
    return factor * (math.log2(1 / epsilon) + e * math.log2(math.e))


@claim(
    "BLT-T3-P2a",
    BLT,
    r"Phase 2: $C_{j+1} \le C_j - \frac{2\varepsilon}{(j+1) \log_2 s}$ while the error exceeds "
    r"$\varepsilon$.",
    PAGE,
    note=r"The source has $\varepsilon$ in place of $2\varepsilon$.",
)
def test_blt_t3_p2a(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "at every step",
                _cost_drops,
                r"C_{j+1}\le C_j-\frac{2\varepsilon}{(j+1)\log s}",
                spoilt(
                    _cost_drops,
                    {
                        "2.003 epsilon": {"factor": 2.003},
                        "without the number of leaves": {"count": np.ones_like},
                        "with ln for log2": {"log": np.log},
                        "when the error is small enough, too": {"alive": False},
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-T3-P2b",
    BLT,
    r"$C_k - C_m \ge \frac{2\varepsilon}{\log_2 s} \sum_{j=k}^{m-1} \frac{1}{j+1}$ "
    r"$\ge \frac{2\varepsilon}{\log_2 s} \ln\frac{m+1}{k+1}$.",
    PAGE,
    repaired=True,
    note=r"The source sums over $j = k+1, \ldots, m$ and claims at least $\log m - \log k$; it "
    r"has $\varepsilon$ in place of $2\varepsilon$.",
)
def test_blt_t3_p2b(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the sum of the drops",
                _sum_of_drops,
                r"\frac{2\varepsilon}{\log s}\sum_{j=k}^{m-1}\frac1{j+1}"
                r"\ge\frac{2\varepsilon}{\log s}\,\ln\frac{m+1}{k+1}",
                spoilt(
                    _sum_of_drops,
                    {
                        "k for k + 1": {"shift": 0},
                        "m + 2 for m + 1": {"above": 2},
                        "1.005 times the logarithm": {"log": lambda x: 1.005 * np.log(x)},
                        "with log2 for ln": {"log": log2},
                        "the drops of steps k + 1 to m": {"first": 1},
                    },
                ),
            ),
        ),
        (
            Form("as printed", partial(_sum_of_drops, first=1, shift=0, above=0)),
            Form("with the index mended only", partial(_sum_of_drops, shift=0, above=0)),
        ),
    )


@claim(
    "BLT-T3-P2c",
    BLT,
    r"If $C_k \le \varepsilon E$ and the run has not stopped at step $m \ge k$, then "
    r"$C_k - C_m < \varepsilon E - 2\varepsilon$. With the floor of the source, "
    r"$C_m \le \varepsilon$ is ensured by "
    r"$\frac{\varepsilon}{\log_2 s} \ln\frac{m+1}{k+1} \ge C_k - \varepsilon$.",
    PAGE,
    repaired=True,
    note="The source has the inequality the other way round.",
)
def test_blt_t3_p2c(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "before a run stops",
                _falls_no_further,
                r"C_k-C_m<\varepsilon E-2\varepsilon",
                spoilt(
                    _falls_no_further,
                    {
                        "2.01 epsilon": {"spare": 2.01},
                        "3.95 s in place of 4s": {"inside": 3.95},
                        "when it has stopped": {"until": lambda errors, _: errors.size - 1},
                    },
                ),
            ),
            Form(
                "the condition of the source, mended, suffices",
                _enough_steps,
                r"\frac\varepsilon{\log s}\ln\frac{m+1}{k+1}\ge C_k-\varepsilon",
                spoilt(_enough_steps, {"ln(m/k)": {"shift": 0}}),
            ),
        ),
        (Form("as printed", partial(_enough_steps, printed=True)),),
    )


@claim(
    "BLT-T3-P2m",
    BLT,
    r"$m + 1 < (k+1)\, s^{(E/2 - 1) \log_2 e}$ while the run has not stopped. With the floors "
    r"of the source, $m + 1 \le s^{E (\log_2(1/\varepsilon) + \log_2 e)}$, that is "
    r"constant $1 + \log_2 e < 2.45$ in place of 2.",
    PAGE,
    repaired=True,
    note=r"The source has $m \le s^{2 \log(4s/\varepsilon) \log(1/\varepsilon)}$, which its "
    r"choice of $m$ exceeds for $\varepsilon$ near $\frac12$.",
)
def test_blt_t3_p2m(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "phase 2 of the slowest fall",
                _phase_2_ends,
                r"m+1<(k+1)\,s^{\left(\frac E2-1\right)\log e}",
                spoilt(
                    _phase_2_ends,
                    {
                        "0.999 of the exponent": {"share": 0.999},
                        "1.01 for the 1": {"less": 1.01},
                        "without log e": {"base": 2},
                        "k for k + 1": {"extra": 0},
                    },
                ),
            ),
            Form(
                "with the source's floors: constant 1 + log2(e)/log2(1/eps)",
                partial(_steps_of_both_phases, _repaired_constant, 1),
                r"m+1\le s^{E(\log(1/\varepsilon)+\log e)}",
                spoilt(
                    _steps_of_both_phases,
                    {
                        "0.99 times the constant": {
                            "constant": partial(_repaired_constant, factor=0.99),
                            "spare": 1,
                        },
                        "half of log2 e": {
                            "constant": partial(_repaired_constant, e=0.5),
                            "spare": 1,
                        },
                    },
                ),
            ),
        ),
        (Form("as printed", partial(_steps_of_both_phases, lambda e: 2 * math.log2(1 / e), 0)),),
    )
