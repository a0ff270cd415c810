"""Chapter 1, Theorem 3, phase 2: the cost is small, the error is not."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import GRID, PAGE, Array, Floats, Ints, at, log2_ratio, long_runs
from claims.kit import BLT, Outcome, Trial, at_most, claim, equality, outcome
from claims.kit.populations import EPSILONS, log2, steps
from dtviz import influence as chapter


@claim(
    "BLT-T3-P2a",
    BLT,
    r"Phase 2: $C_{j+1} \le C_j - \frac{2\varepsilon}{(j+1) \log_2 s}$ while the error exceeds "
    r"$\varepsilon$.",
    PAGE,
    note=r"The source has $\varepsilon$ in place of $2\varepsilon$.",
)
def test_the_cost_drops_by_a_constant(trial: Trial) -> None:
    def drops(
        factor: float = 2,
        count: Callable[[Array], Array] = lambda j: j + 1,
        alive: bool = True,
        log: Callable[[Array], Floats] = log2,
    ) -> Outcome:
        """With epsilon just below the error, and smaller ones; or when the error is small, too."""
        run = steps(3, 0)
        every = np.stack([0.999 * run.error, *(e + 0 * run.error for e in EPSILONS)])
        which, k = np.nonzero((run.error > every) | (not alive))
        epsilon = every[which, k]
        floor = factor * epsilon / (count(run.step[k]) * log(run.size[k]))
        drop = run.cost[k] - run.next_cost[k]
        return at_most(
            world.STEP_AND_EPSILON, floor, drop, lambda i: f"{run.describe(k[i])}, {epsilon[i]:.4g}"
        )

    trial.holds(
        "at every step",
        drops,
        r"C_{j+1}\le C_j-\frac{2\varepsilon}{(j+1)\log s}",
        {
            "2.003 epsilon": {"factor": 2.003},
            "without the number of leaves": {"count": np.ones_like},
            "j + 0.99 for j + 1": {"count": lambda j: j + 0.99},
            "with ln for log2": {"log": np.log},
            "when the error is small enough, too": {"alive": False},
        },
    )


def _pairs() -> tuple[Ints, Ints, Floats]:
    """Pairs k < m, and the sum of 1/(j+1) over j = k .. m-1: the drops of steps k to m."""
    k, m = (a.ravel() for a in np.meshgrid(np.arange(1, 60), np.arange(1, 200), indexing="ij"))
    m = k + m
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, 300))])
    return k, m, harmonic[m] - harmonic[k]


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
def test_the_sum_of_the_drops(trial: Trial) -> None:
    def drops(
        first: int = 0, below: int = 1, above: int = 1, log: Callable[[Array], Floats] = np.log
    ) -> Outcome:
        """``sum 1/(j+1)`` over j = k+first .. m-1+first: the factor 2 eps/log2 s is left out."""
        k, m, total = _pairs()
        left = log((m + above) / (k + below))
        right = total + first * (1 / (m + 1) - 1 / (k + 1))
        return at_most("pairs (k, m)", left, right, lambda i: f"k = {k[i]}, m = {m[i]}")

    def of_runs(factor: float = 2) -> Outcome:
        """Runs that have not stopped at step m: from each k, with epsilon just below the error."""
        left, right, names = [], [], []
        for run in long_runs():
            path, count = run.path, np.arange(run.path.n_splits)
            for m in range(1, path.n_splits, max(1, path.n_splits // 16)):
                sums = np.cumsum(1 / (count[:m][::-1] + 1))[::-1]
                epsilon = 0.999 * path.errors[m]
                left += (factor * epsilon / math.log2(run.size) * sums).tolist()
                right += (path.costs[:m] - path.costs[m]).tolist()
                names += [f"{run.name}, k = {k}, m = {m}" for k in range(m)]
        return at_most("pairs (k, m) of greedy runs", left, right, names.__getitem__)

    formula = (
        r"\frac{2\varepsilon}{\log s}\sum_{j=k}^{m-1}\frac1{j+1}"
        r"\ge\frac{2\varepsilon}{\log s}\,\ln\frac{m+1}{k+1}"
    )
    trial.holds(
        "the sum and the logarithm",
        drops,
        formula,
        {
            "k for k + 1": {"below": 0},
            "m + 2 for m + 1": {"above": 2},
            "1.005 times the logarithm": {"log": lambda x: 1.005 * np.log(x)},
            "with log2 for ln": {"log": log2},
            "the drops of steps k + 1 to m": {"first": 1},
        },
    )
    more = {"2.01 epsilon": {"factor": 2.01}}
    trial.holds("the drops of runs", of_runs, "", more)
    trial.fails("as printed", lambda: drops(first=1, below=0, above=0))
    trial.fails("with the index mended only", lambda: drops(below=0, above=0))


@claim(
    "BLT-T3-P2c",
    BLT,
    r"If $C_k \le \varepsilon E$ and the run has not stopped at step $m \ge k$, then $C_k - C_m < "
    r"\varepsilon E - 2\varepsilon$. With the floor of the source, $C_m \le \varepsilon$ is "
    r"ensured by $\frac{\varepsilon}{\log_2 s} \ln\frac{m+1}{k+1} \ge C_k - \varepsilon$.",
    PAGE,
    repaired=True,
    note="The source has the inequality the other way round.",
)
def test_the_cost_falls_no_further(trial: Trial) -> None:
    def before_a_stop(spare: float = 2, inside: float = 4, stopped: bool = False) -> Outcome:
        """For each k with the least epsilon that the hypothesis allows, and the last m."""
        left, right, names = [], [], []
        for run in long_runs():
            path = run.path
            least = world.largest_epsilon(path.costs, run.size) * (1 + 2**-30)
            for k in np.flatnonzero((least < path.errors) & (least < 0.4999)).tolist():
                epsilon = float(least[k])
                m = path.errors.size - 1 if stopped else np.flatnonzero(path.errors > epsilon)[-1]
                left.append(path.costs[k] - path.costs[m])
                right.append(epsilon * (math.log2(inside * run.size / epsilon) - spare))
                names.append(f"{run.name}, k = {k}, m = {m}, epsilon {epsilon:.4g}")
        return at_most("pairs (k, m) of greedy runs", left, right, names.__getitem__)

    def enough_steps(printed: bool = False, shift: int = 1) -> Outcome:
        """Whether the condition on k and m brings the cost from C_k to epsilon.

        Worst case: ``C_m = C_k - (eps/log2 s) sum 1/(j+1)``, here over ``eps/log2 s``.
        """
        k, m, total = _pairs()
        spare, names = [], []
        for size in (2, 4, 8):
            for multiple in (1.1, 1.5, 2.0):
                needed = (multiple - 1) * math.log2(size)
                sure = np.log((m + shift) / (k + shift)) >= needed
                met = needed >= np.log(m / k) if printed else sure
                spare += (total - needed)[met].tolist()
                names += [
                    f"C_k = {multiple} eps, s = {size}, k = {a}, m = {b}"
                    for a, b in zip(k[met], m[met], strict=True)
                ]
        left = np.array(spare)
        unit = "cases (s, C_k, k, m) that meet the condition"
        return outcome(unit, left >= 0, -left, names.__getitem__)

    trial.holds(
        "before a run stops",
        before_a_stop,
        r"C_k-C_m<\varepsilon E-2\varepsilon",
        {
            "2.01 epsilon": {"spare": 2.01},
            "3.95 s in place of 4s": {"inside": 3.95},
            "when it has stopped": {"stopped": True},
        },
    )
    trial.holds(
        "the condition of the source, mended, suffices",
        enough_steps,
        r"\frac\varepsilon{\log s}\ln\frac{m+1}{k+1}\ge C_k-\varepsilon",
        {"ln(m/k)": {"shift": 0}},
    )
    trial.fails("as printed", lambda: enough_steps(printed=True))


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
def test_phase_2_ends(trial: Trial) -> None:
    harmonics = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, 2_000_000))])

    def slowest(
        factor: float = 1, less: float = 1, base: float = math.e, extra: int = 1
    ) -> Outcome:
        """From ``C_k = eps E`` by ``2 eps/((j+1) log2 s)``, for the last m with ``C_m > 2 eps``.

        There the sum of 1/(j+1) is below ``(E/2 - 1) log2 s``.
        """
        needed, allowed, names = [], [], []
        for size in (2, 3, 4, 8, 16, 32):
            for epsilon in EPSILONS:
                half, bits = log2_ratio(size, epsilon) / 2, math.log2(size)
                for k in (1, 2, 5, 10, 100, 1000):
                    m = int(np.searchsorted(harmonics, harmonics[k] + (half - 1) * bits)) - 1
                    if m < harmonics.size - 1:
                        needed.append(m + 1)
                        allowed.append((k + extra) * base ** (factor * (half - less) * bits))
                        names.append(f"s, epsilon, k = {size}, {epsilon}, {k}")
        return world.sharp(
            "triples (s, epsilon, k)", needed, allowed, names.__getitem__, least=0.9995
        )

    def both_phases(factor: float = 1, added: float = math.log2(math.e)) -> Outcome:
        """The exponent of m + 1, over E log2 s, as the source counts it."""
        left = [chapter.phases(*pair).log2_m / world.rate_of(*pair) for pair in GRID]
        right = [factor * math.log2(1 / epsilon) + added for _, epsilon in GRID]
        return at_most("pairs (s, epsilon)", left, right, at)

    def displayed(floors: float = 1) -> Outcome:
        """``m + 1 = (k + 1) exp((C_k - eps) log2(s)/eps)`` with ``C_k = eps E``."""
        gap = []
        for size, epsilon in GRID:
            found, e = chapter.phases(size, epsilon), log2_ratio(size, epsilon)
            more = math.log2(1 + 2.0**-found.log2_k)
            stated = found.log2_k + more + (e - floors) * math.log2(size) * math.log2(math.e)
            gap.append(round(found.log2_m / stated - 1, 12))
        return equality("pairs (s, epsilon)", gap, at)

    trial.holds(
        "phase 2 of the slowest fall",
        slowest,
        r"m+1<(k+1)\,s^{\left(\frac E2-1\right)\log e}",
        {
            "0.999 of the exponent": {"factor": 0.999},
            "1.01 for the 1": {"less": 1.01},
            "without log e": {"base": 2},
            "k for k + 1": {"extra": 0},
        },
    )
    trial.holds(
        "with the source's floors: constant 1 + log2(e)/log2(1/eps)",
        both_phases,
        r"m+1\le s^{E(\log(1/\varepsilon)+\log e)}",
        {"0.99 log2(1/eps)": {"factor": 0.99}, "0.99 log2 e": {"added": 0.99 * math.log2(math.e)}},
    )
    variants = {"ends at cost 2 epsilon": {"floors": 2}}
    trial.holds("the package counts like the source", displayed, "", variants, kind="definition")
    trial.fails("as printed", lambda: both_phases(2, 0))
