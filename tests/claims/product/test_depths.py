"""Chapter 3, what the bounds are worth: against older ones, on paths, and depth against average."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from claims.kit import OURS, PS, Outcome, Trial, claim, outcome
from claims.kit.populations import all_functions, log2, name
from claims.product.populations import MEASURES, PAGE, PAIRS, bound, cubes, pairs, same
from dtviz import product
from dtviz.core import functions as zoo
from dtviz.core.all_functions import greedy_all, optimal_all
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.optimal import optimal

LOG2_E = math.log2(math.e)


# -- what the bound is worth -----------------------------------------------------------------------


def balanced(per_step: float = math.e) -> Outcome:
    """With Delta = D = log2 s both forms are ``s^(log2 s log2(e/eps))``, in bits."""
    cases = [(d, e) for d in (1, 2, 6, 20) for e in (0.4, 0.25, 0.1, 0.03, 0.01)]
    forms = (product.size_bound_bits, product.abstract_bound_bits)
    told = [[form(d, d, e) for form in forms] for d, e in cases]
    wanted = [[d * d * math.log2(per_step / e)] * 2 for d, e in cases]
    return same("bounds", told, wanted, lambda k: f"s = 2^{cases[k][0]}, epsilon = {cases[k][1]}")


@claim(
    "PS-BAL",
    PS,
    r"With $\Delta = D = \log_2 s$ the bound is $s^{\log_2 s \cdot \log_2(e/\varepsilon)}$.",
    PAGE,
    note="A bound in other letters: it holds by algebra, and its check tries the code.",
)
def test_balanced_trees(trial: Trial) -> None:
    trial.holds(
        "both forms",
        balanced,
        r"(e/\varepsilon)^{\Delta D} = 2^{\log(e/\varepsilon) \log^2 s} = "
        r"s^{\log s \cdot \log (e/\varepsilon)}",
        {"with 2 for e": {"per_step": 2}},
        kind="identity",
    )


GRID = tuple((depth, 2.0**-j) for depth in range(1, 41) for j in range(2, 13))


def below_the_older_bound(
    when: Callable[[int, float], bool] = lambda d, lam: LOG2_E * d < lam**2,
) -> Outcome:
    """``s^(log2 s log2(e/eps))`` below ``s^(log2(s/eps) log2(1/eps))``, s = 2^d, constant 1."""
    new = np.array([product.size_bound_bits(d, d, e) for d, e in GRID])
    old = np.array([d * (d - math.log2(e)) * -math.log2(e) for d, e in GRID])
    right = (new < old) == [when(d, -math.log2(e)) for d, e in GRID]
    return outcome(
        "pairs (s, epsilon)",
        right,
        np.where(right, -np.abs(new / old - 1), new / old),
        lambda k: (
            f"{new[k]:.1f} bits, {old[k]:.1f} before, for s = 2^{GRID[k][0]}, "
            f"epsilon = 1/{round(1 / GRID[k][1])}"
        ),
    )


@claim(
    "PS-STRICT",
    PS,
    r"With constant 1 in every $O$, $s^{\log_2 s \log_2(e/\varepsilon)}$ is below "
    r"$s^{\log_2(s/\varepsilon) \log_2(1/\varepsilon)}$ exactly when "
    r"$\log_2 e \cdot \log_2 s < \log_2^2(1/\varepsilon)$.",
    PAGE,
    repaired=True,
    note="The source calls the new bound strictly better for full binary trees.",
)
def test_strictly_better(trial: Trial) -> None:
    trial.holds(
        "exactly when",
        below_the_older_bound,
        r"\log e \cdot \log s < \lambda^2",
        {
            "0.2% more on the right": {"when": lambda d, lam: LOG2_E * d < 1.002 * lam**2},
            "1% less on the right": {"when": lambda d, lam: LOG2_E * d < 0.99 * lam**2},
            "without log e": {"when": lambda d, lam: d < lam**2},
            "with the first power": {"when": lambda d, lam: LOG2_E * d < lam},
        },
    )
    trial.fails("as printed, always", partial(below_the_older_bound, lambda *_: True))


# -- conjunctions ----------------------------------------------------------------------------------


@cache
def conjunctions(bias: float = 1 / 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """n, D and Delta of the conjunctions of 2 to 10 bits."""
    best = [optimal(zoo.conjunction(n), ProductDistribution([bias] * n)) for n in range(2, 11)]
    depth, delta = (np.array([getattr(b, of) for b in best]) for of in ("depth", "average_depth"))
    return np.arange(2, 11), depth, delta


def for_conjunctions(left: np.ndarray, right: np.ndarray) -> Outcome:
    return bound(
        "conjunctions",
        left,
        right,
        lambda k: f"n = {k % 9 + 2}",
        example=lambda k: zoo.conjunction(k % 9 + 2),
    )


def shorter_on_paths(factor: float = 2, least: float = math.e, bias: float = 1 / 2) -> Outcome:
    """The exponent Delta D is at most 2/n of ``D^2``, and ``e^(Delta D) >= e^n``."""
    n, depth, delta = conjunctions(bias)
    left = np.array([delta * depth, n * math.log(least)])
    return for_conjunctions(left, np.array([factor / n * depth**2, delta * depth]))


@claim(
    "PS-PATH",
    PS,
    r"For path-like trees, $\Delta = O(1)$ and $D = n$, the exponent $\Delta D$ is smaller "
    r"than $D^2$ by a factor of order $n$; but $e^{\Delta D} \ge e^n > 2^n$.",
    PAGE,
    note="A comparison of two bounds, both worse than the trivial one.",
)
def test_path_like_trees(trial: Trial) -> None:
    trial.holds(
        "conjunctions of fair bits",
        shorter_on_paths,
        r"e^{\Delta D} \ge e^{n} > 2^n",
        {
            "at most 1.99/n of the exponent": {"factor": 1.99},
            "at least 5^n": {"least": 5},
            "if the bits are mostly 1": {"bias": 15 / 16},
        },
    )
    n, depth, delta = conjunctions()
    trial.fails(
        "to be below the trivial 2^n", lambda: for_conjunctions(delta * depth * LOG2_E, 1.0 * n)
    )


def depths_of_conjunctions(
    average: Callable[[int], float] = lambda n: 2 - 2.0 ** (1 - n), bias: float = 1 / 2
) -> Outcome:
    n, depth, delta = conjunctions(bias)
    told, wanted = np.array([depth, delta]).T, np.array([n, [average(k) for k in n]]).T
    return same("conjunctions", told, wanted, lambda k: f"n = {k + 2}")


def try_conjunctions(trial: Trial) -> None:
    """The depths of a conjunction, of two claims."""
    trial.holds(
        "the conjunction: D = n, Delta = 2 - 2^(1-n)",
        depths_of_conjunctions,
        r"\Delta = 2 - 2^{1-n}",
        {"2 - 2^-n": {"average": lambda n: 2 - 2.0**-n}, "under p = 1/4": {"bias": 1 / 4}},
    )


@claim(
    "OURS-PRODUCT-AND",
    OURS,
    r"The conjunction of $n$ fair bits has $D = n$ and $\Delta = 2 - 2^{1-n}$.",
    PAGE,
)
def test_conjunctions(trial: Trial) -> None:
    try_conjunctions(trial)


# -- depth and average depth -----------------------------------------------------------------------

EQUAL = {2: 8, 3: 40, 4: 1928}
"""For how many functions of so many variables D = Delta."""


def few_are_balanced(bias: float = 1 / 2, *, greedy: bool = False) -> Outcome:
    """How many functions have D = Delta, against what is told of fair ones."""
    counts, least = [], []
    for n in EQUAL:
        best = optimal_all(n, ProductDistribution([bias] * n))
        delta = greedy_all(n).average_depth if greedy else best.average_depth
        counts.append(int((best.depth == delta).sum()))
        least.append((best.average_depth[1:-1] / best.depth[1:-1]).min())
    return same(
        "numbers of functions",
        counts,
        list(EQUAL.values()),
        lambda k: f"n = {k + 2}, D = Delta for {counts[k]:,}; least Delta/D {least[k]:.3f}",
    )


def restrictions_below_log_size(
    measure: tuple[float, ...] = MEASURES[0], fewer: int = 0, least: float = 1
) -> Outcome:
    """``Delta(f_l) <= log2 s`` for every restriction of all functions of 3 variables."""
    size, mu = all_functions(3).size, ProductDistribution(measure)
    functions = [BooleanFunction.from_int(3, code) for code in range(256)]
    largest = [optimal(f, mu).max_average_depth for f in functions]
    if not np.allclose(largest, cubes(measure).delta.max(axis=0), rtol=1e-12):
        msg = "max_average_depth is not the largest average depth of a restriction"
        raise ArithmeticError(msg)
    right = least * log2(np.maximum(size - fewer, 1))
    return bound(
        "functions of 3 variables",
        np.array(largest)[1:-1],
        np.maximum(right, 1e-9)[1:-1],
        lambda k: name(3, k + 1),
        example=lambda k: functions[k + 1],
    )


def all_balanced() -> Outcome:
    best = optimal_all(4)
    where = lambda k: f"{name(4, k)}, D = {best.depth[k]}, Delta = {best.average_depth[k]:g}"  # noqa: E731
    return same("functions of 4 variables, fair bits", best.depth, best.average_depth, where)


@claim(
    "PS-UNIF",
    PS,
    r"For fair bits $\Delta(f) \le D(f)$, seldom with equality: 8 of 16, 40 of 256 and 1,928 "
    r"of 65,536 functions. What is true is $\Delta(f_v) \le \log_2 s$ for every restriction.",
    PAGE,
    repaired=True,
    note=r"The source: under the uniform distribution $D_{opt} = \Delta_{opt}$.",
)
def test_fair_bits(trial: Trial) -> None:
    trial.holds(
        "how many have D = Delta",
        few_are_balanced,
        variants={
            "under p = 1/4": {"bias": 1 / 4},
            "with the average depth of the greedy tree": {"greedy": True},
        },
    )
    try_conjunctions(trial)
    trial.holds(
        "Delta_max ≤ log2 s",
        restrictions_below_log_size,
        r"\Delta(f_\ell) \le \log s",
        {
            "1% less": {"least": 0.99},
            "with s - 1 for s": {"fewer": 1},
            "under p = 15/16": {"measure": (15 / 16,) * 3},
        },
    )
    trial.fails("as printed, D = Delta for all", all_balanced)


def ordered(most: float = 3, least: float = 1, largest: float = 1) -> Outcome:
    """``1 <= Delta <= D`` and ``D <= 3 Delta`` for the functions of 3 variables, 216 measures."""
    every = pairs()
    some = np.flatnonzero(every.depth > 0)
    depth, delta = every.depth[some], every.delta[some]
    return bound(
        PAIRS,
        [least + 0 * delta, delta, depth],
        [delta, largest * depth, most * delta],
        lambda k: every.describe(some[k % some.size]),
        example=lambda k: every.function(some[k % some.size]),
    )


def grows(rate: Callable[[int], float] = lambda n: n / 2) -> Outcome:
    """``D/Delta`` of the conjunction of n fair bits against a rate of growth, from below."""
    n, depth, delta = conjunctions()
    return for_conjunctions(np.array([rate(k) for k in n.tolist()]), depth / delta)


@claim(
    "PS-SEPEXP",
    PS,
    r"$D/\Delta \le n$ under every measure, and for fair bits it can be of order $n$ already; "
    r"only bounds such as $e^{\Delta D}$ and $e^{D^2}$ differ exponentially.",
    PAGE,
    repaired=True,
    note="The source: under non-uniform distributions the two can differ exponentially.",
)
def test_quotient_of_depths(trial: Trial) -> None:
    trial.holds(
        "1 ≤ Delta ≤ D ≤ n",
        ordered,
        r"1 \le \Delta \le D \le n",
        {
            "a quotient of at most 2.95": {"most": 2.95},
            "Delta at least 1.01": {"least": 1.01},
            "Delta at most 0.99 D": {"largest": 0.99},
        },
    )
    trial.holds(
        "above n/2 for conjunctions",
        grows,
        r"D/\Delta > \frac n2",
        {"above 0.501 n": {"rate": lambda n: 0.501 * n}},
    )
    trial.fails("as printed, exponential for conjunctions", partial(grows, lambda n: 2.0**n / n))
