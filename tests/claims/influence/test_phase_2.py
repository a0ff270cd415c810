"""Chapter 1, Theorem 3, phase 2: the cost is small, the error is not."""

import math

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import GRID, ON_GRID, at, log2_ratio, long_runs, stated
from claims.kit import at_most, bounds, holds, outcome
from claims.kit.populations import EPSILONS, log2, steps
from dtviz import influence as chapter

LOG_E = math.log2(math.e)
ON_RUNS = "pairs (k, m) of greedy runs"


@stated(
    "BLT-T3-P2a",
    r"Phase 2: $C_{j+1} \le C_j - \frac{2\varepsilon}{(j+1) \log_2 s}$ while the error exceeds "
    r"$\varepsilon$.",
    note=r"The source has $\varepsilon$ in place of $2\varepsilon$.",
)
def test_the_cost_drops_by_a_constant(trial):
    run = steps(3, 0)

    @trial.form(
        "at every step",
        r"C_{j+1}\le C_j-\frac{2\varepsilon}{(j+1)\log s}",
        {
            "2.003 epsilon": {"factor": 2.003},
            "without the number of leaves": {"count": np.ones_like},
        },
    )
    def drops(factor=2, count=lambda j: j + 1):
        """With epsilon just below the error, and smaller ones."""
        every = np.stack([0.999 * run.error, *(e + 0 * run.error for e in EPSILONS)])
        which, k = np.nonzero(run.error > every)
        epsilon = every[which, k]
        floor = factor * epsilon / (count(run.step[k]) * log2(run.size[k]))
        drop = run.cost[k] - run.next_cost[k]
        return at_most(
            world.STEP_AND_EPSILON, floor, drop, lambda i: f"{run.describe(k[i])}, {epsilon[i]:.4g}"
        )


HARMONICS = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, 2_000_000))])
K, M = (a.ravel() for a in np.meshgrid(np.arange(1, 60), np.arange(1, 200), indexing="ij"))
M = M + K
TOTAL = HARMONICS[M] - HARMONICS[K]
"""For pairs k < m the sum of 1/(j+1) over j = k .. m-1: the drops of steps k to m."""


@stated(
    "BLT-T3-P2b",
    r"$C_{j_1} - C_{j_2} \ge \frac{2\varepsilon}{\log_2 s} \sum_{j=j_1}^{j_2-1} \frac{1}{j+1}$ "
    r"$\ge \frac{2\varepsilon}{\log_2 s} \ln\frac{j_2+1}{j_1+1}$.",
    repaired=True,
    note=r"The source sums over $j = k+1, \ldots, m$ and claims at least $\log m - \log k$ "
    r"(its $k,$ $m$ are our $j_1,$ $j_2$); it has $\varepsilon$ in place of $2\varepsilon$.",
)
@holds(
    "the sum and the logarithm",
    r"\frac{2\varepsilon}{\log s}\sum_{j=j_1}^{j_2-1}\frac1{j+1}"
    r"\ge\frac{2\varepsilon}{\log s}\,\ln\frac{j_2+1}{j_1+1}",
    {"k for k + 1": {"below": 0}, "m + 2 for m + 1": {"above": 2}},
    fails={"as printed": {"first": 1, "below": 0, "above": 0}},
)
def test_the_sum_of_the_drops(first=0, below=1, above=1):
    """``sum 1/(j+1)`` over j = k+first .. m-1+first: the factor 2 eps/log2 s is left out."""
    right = TOTAL + first * (1 / (M + 1) - 1 / (K + 1))
    left = np.log((M + above) / (K + below))
    return at_most("pairs (k, m)", left, right, lambda i: f"k = {K[i]}, m = {M[i]}")


@stated(
    "BLT-T3-P2c",
    r"If $C_{j_1} \le \varepsilon E$ and the run has not stopped at step $j_2 \ge j_1$, then "
    r"$C_{j_1} - C_{j_2} < \varepsilon E - 2\varepsilon$. With the floor of the source, "
    r"$C_{j_2} \le \varepsilon$ is ensured by "
    r"$\frac{\varepsilon}{\log_2 s} \ln\frac{j_2+1}{j_1+1} \ge C_{j_1} - \varepsilon$.",
    repaired=True,
    note="The source has the inequality the other way round.",
)
def test_the_cost_falls_no_further(trial):
    @trial.form(
        "before a run stops",
        r"C_{j_1}-C_{j_2}<\varepsilon E-2\varepsilon",
        {"2.01 epsilon": {"spare": 2.01}, "3.95 s in place of 4s": {"inside": 3.95}},
    )
    @bounds(ON_RUNS)
    def before_a_stop(spare=2, inside=4):
        """For each k with the least epsilon that the hypothesis allows, and the last m."""
        for run in long_runs():
            path = run.path
            least = world.largest_epsilon(path.costs, run.size) * (1 + 2**-30)
            for k in np.flatnonzero((least < path.errors) & (least < 0.4999)).tolist():
                epsilon = float(least[k])
                m = np.flatnonzero(path.errors > epsilon)[-1]
                right = epsilon * (math.log2(inside * run.size / epsilon) - spare)
                where = f"{run.name}, k = {k}, m = {m}, epsilon {epsilon:.4g}"
                yield path.costs[k] - path.costs[m], right, where

    @trial.form(
        "the condition of the source, mended, suffices",
        r"\frac\varepsilon{\log s}\ln\frac{j_2+1}{j_1+1}\ge C_{j_1}-\varepsilon",
        {"ln(m/k)": {"shift": 0}},
    )
    def enough_steps(printed=False, shift=1):
        """Whether the condition on k and m brings the cost from C_k to epsilon.

        Worst case: ``C_m = C_k - (eps/log2 s) sum 1/(j+1)``, here over ``eps/log2 s``.
        """
        cases = [(size, multiple) for size in (2, 4, 8) for multiple in (1.1, 1.5, 2.0)]
        needed = np.array([[(multiple - 1) * math.log2(size)] for size, multiple in cases])
        sure = np.log((M + shift) / (K + shift)) >= needed
        which, i = np.nonzero(needed >= np.log(M / K) if printed else sure)
        short = needed[which, 0] - TOTAL[i]

        def where(c):
            size, multiple = cases[which[c]]
            return f"C_k = {multiple} eps, s = {size}, k = {K[i[c]]}, m = {M[i[c]]}"

        return outcome("cases (s, C_k, k, m) that meet the condition", short <= 0, short, where)

    trial.fails("as printed", lambda: enough_steps(printed=True))


@stated(
    "BLT-T3-P2m",
    r"$j_2 + 1 < (j_1+1)\, s^{(E/2 - 1) \log_2 e}$ while the run has not stopped. With the floors "
    r"of the source, $j_2 + 1 \le s^{E (\log_2(1/\varepsilon) + \log_2 e)}$, that is "
    r"constant $1 + \log_2 e < 2.45$ in place of 2.",
    repaired=True,
    note=r"The source has $j_2 \le s^{2 \log(4s/\varepsilon) \log(1/\varepsilon)}$, which its "
    r"choice of $j_2$ exceeds for $\varepsilon$ near $\frac12$.",
)
def test_phase_2_ends(trial):
    # The package counts like the source: ``m + 1 = (k + 1) exp((C_k - eps) log2(s)/eps)``.
    for size, epsilon in GRID:
        found = chapter.phases(size, epsilon)
        more = (log2_ratio(size, epsilon) - 1) * math.log2(size) * LOG_E
        by_formula = found.log2_k + math.log2(1 + 2.0**-found.log2_k) + more
        assert math.isclose(found.log2_m, by_formula, rel_tol=1e-12)

    @trial.form(
        "phase 2 of the slowest fall",
        r"j_2+1<(j_1+1)\,s^{\left(\frac E2-1\right)\log e}",
        {"0.999 of the exponent": {"factor": 0.999}, "1.01 for the 1": {"less": 1.01}},
    )
    @world.tight("triples (s, epsilon, k)", tight=0.9995)
    def slowest(factor=1, less=1):
        """From ``C_k = eps E`` by ``2 eps/((j+1) log2 s)``, for the last m with ``C_m > 2 eps``.

        There the sum of 1/(j+1) is below ``(E/2 - 1) log2 s``.
        """
        for size, epsilon in [(s, e) for s in (2, 3, 4, 8, 16, 32) for e in EPSILONS]:
            half, bits = log2_ratio(size, epsilon) / 2, math.log2(size)
            for k in (1, 2, 5, 10, 100, 1000):
                m = int(np.searchsorted(HARMONICS, HARMONICS[k] + (half - 1) * bits)) - 1
                if m < HARMONICS.size - 1:
                    allowed = (k + 1) * math.e ** (factor * (half - less) * bits)
                    yield m + 1, allowed, f"s, epsilon, k = {size}, {epsilon}, {k}"

    @trial.form(
        "with the source's floors: constant 1 + log2(e)/log2(1/eps)",
        r"j_2+1\le s^{E(\log(1/\varepsilon)+\log e)}",
        {"0.99 log2(1/eps)": {"factor": 0.99}, "0.99 log2 e": {"added": 0.99 * LOG_E}},
    )
    @bounds(ON_GRID)
    def both_phases(factor=1, added=LOG_E):
        """The exponent of m + 1, over E log2 s, as the source counts it."""
        for place, (size, epsilon) in enumerate(GRID):
            left = chapter.phases(size, epsilon).log2_m / world.rate_of(size, epsilon)
            yield left, factor * math.log2(1 / epsilon) + added, at(place)

    trial.fails("as printed", lambda: both_phases(2, 0))
