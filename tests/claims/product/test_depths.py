"""Chapter 3, what the bounds are worth: against older ones, on paths, and depth against average."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from claims.kit import PS, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import all_functions, log2, name
from claims.product.forms import stated
from claims.product.populations import Floats, pairs
from dtviz import product
from dtviz.core import functions as zoo
from dtviz.core.all_functions import AllOptima, greedy_all, optimal_all
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.optimal import optimal

PAGE = "3-product"
LOG2_E = math.log2(math.e)


# -- what the bound is worth -----------------------------------------------------------------------


def _balanced() -> Outcome:
    """With Delta = D = log2 s both forms are ``s^(log2 s log2(e/eps))``: bits, to rounding."""
    gap, names = [], []
    for depth in (1, 2, 6, 20):
        for epsilon in (0.4, 0.25, 0.1, 0.03, 0.01):
            told = depth * depth * math.log2(math.e / epsilon)
            for form in (product.size_bound_bits, product.abstract_bound_bits):
                off = form(depth, depth, epsilon) / told - 1
                gap.append(off if abs(off) > 1e-14 else 0.0)
                names.append(f"s = 2^{depth}, epsilon = {epsilon}")
    return equality("bounds", gap, names.__getitem__)


@cache
def _conjunctions(bias: float = 1 / 2) -> tuple[tuple[int, int, float], ...]:
    """n, D and Delta of the conjunctions of 2 to 10 bits, fair ones if not told."""
    best = {n: optimal(zoo.conjunction(n), ProductDistribution([bias] * n)) for n in range(2, 11)}
    return tuple((n, b.depth, b.average_depth) for n, b in best.items())


GRID = tuple((depth, 2.0**-j) for depth in range(1, 41) for j in range(2, 13))


def _against_uniform(
    expected: Callable[[int, float], bool] = lambda d, lam: LOG2_E * d < lam**2,
) -> Outcome:
    """``s^(log2 s log2(e/eps))`` below ``s^(log2(s/eps) log2(1/eps))``, s = 2^d, constant 1.

    Exactly when ``log2 e log2 s < log2(1/eps)^2``, or as told, of d and ``log2(1/eps)``.
    """
    new = np.array([product.size_bound_bits(d, d, e) for d, e in GRID])
    old = np.array([d * (d - math.log2(e)) * -math.log2(e) for d, e in GRID])
    said = np.array([expected(d, -math.log2(e)) for d, e in GRID])
    return outcome(
        "pairs (s, epsilon)",
        (new < old) == said,
        np.where((new < old) == said, -np.abs(new / old - 1), new / old),
        lambda k: (
            f"{new[k]:.1f} bits, {old[k]:.1f} before, for s = 2^{GRID[k][0]}, "
            f"epsilon = 1/{round(1 / GRID[k][1])}"
        ),
    )


def _path_is_shorter(factor: float = 2, least: float = math.e, bias: float = 1 / 2) -> Outcome:
    """Conjunctions: the exponent Delta D is at most 2/n of ``D^2``, and ``e^(Delta D) >= e^n``."""
    found = _conjunctions(bias)
    exponent = np.array([delta * depth for _, depth, delta in found])
    square = np.array([depth * depth for _, depth, _ in found])
    n = np.array([n for n, *_ in found])
    tight = exponent * n / (factor * square)
    return outcome(
        "conjunctions",
        (tight <= 1) & (exponent >= n * math.log(least)),
        tight,
        lambda k: (
            f"Delta D = {exponent[k]:.4g}, D^2 = {square[k]}, {exponent[k] * LOG2_E:.4g} bits, "
            f"2^n has {n[k]}, for n = {n[k]}"
        ),
        example=lambda k: zoo.conjunction(int(n[k])),
    )


def _path_is_useful() -> Outcome:
    """``e^(Delta D)`` below ``2^n``."""
    found = _conjunctions()
    share = np.array([delta * depth * LOG2_E / n for n, depth, delta in found])
    return outcome(
        "conjunctions",
        share < 1,
        -share,
        lambda k: f"{share[k] * found[k][0]:.4g} bits, 2^n has {found[k][0]}",
    )


# -- depth and average depth -----------------------------------------------------------------------

EQUAL: Mapping[int, int] = MappingProxyType({2: 8, 3: 40, 4: 1928})
"""For how many functions of so many variables D = Delta."""


def _exact(best: AllOptima) -> npt.NDArray[np.bool_]:
    equal: npt.NDArray[np.bool_] = best.depth == best.average_depth
    return equal


def _by_greed(best: AllOptima) -> npt.NDArray[np.bool_]:
    equal: npt.NDArray[np.bool_] = best.depth == greedy_all(best.n).average_depth
    return equal


def _few_are_balanced(
    bias: float = 1 / 2, equal: Callable[[AllOptima], npt.NDArray[np.bool_]] = _exact
) -> Outcome:
    """How many functions of 2, 3, 4 variables have D = Delta, against what is told of fair ones."""
    counts, least = [], []
    for n in EQUAL:
        best = optimal_all(n, ProductDistribution([bias] * n))
        some = best.depth > 0
        counts.append(int(equal(best).sum()))
        least.append(f"{(best.average_depth[some] / best.depth[some]).min():.3f}")
    gap = np.array(counts) - list(EQUAL.values())
    return outcome(
        "numbers of functions",
        gap == 0,
        np.abs(gap),
        lambda k: (
            f"D = Delta for {', '.join(f'{c:,}' for c in counts)} functions of 2, 3, 4 variables; "
            f"least Delta/D {', '.join(least)}"
            if gap[k] == 0
            else f"{counts[k]:,} functions of {k + 2} variables"
        ),
    )


def _depths_of_conjunctions(
    average: Callable[[int], float] = lambda n: 2 - 2.0 ** (1 - n), bias: float = 1 / 2
) -> Outcome:
    """D = n and ``Delta = 2 - 2^(1-n)`` for the conjunction of n fair bits."""
    gap = [abs(delta - average(n)) + abs(depth - n) for n, depth, delta in _conjunctions(bias)]
    return equality("conjunctions", gap, lambda k: f"n = {k + 2}")


def _restrictions_below_log_size(bias: float = 1 / 2, fewer: int = 0, least: float = 1) -> Outcome:
    """``Delta(f_v) <= log2 s`` for every restriction, fair bits, all functions of 3 variables."""
    size, mu = all_functions(3).size, ProductDistribution([bias] * 3)
    largest = np.array(
        [optimal(BooleanFunction.from_int(3, code), mu).max_average_depth for code in range(256)]
    )
    high: Floats = least * log2(np.maximum(size - fewer, 1))
    tight = np.divide(largest, high, out=np.zeros(256), where=high > 0)
    return outcome(
        "functions of 3 variables",
        largest <= high,
        tight,
        lambda k: f"Delta_max = {largest[k]:g}, log2 s = {high[k]:.4g} for {name(3, k)}",
        example=lambda k: BooleanFunction.from_int(3, k),
    )


def _balanced_for_all() -> Outcome:
    best = optimal_all(4)
    gap = best.depth - best.average_depth
    return outcome(
        "functions of 4 variables, fair bits",
        gap == 0,
        gap,
        lambda k: f"D = {best.depth[k]}, Delta = {best.average_depth[k]:g} for {name(4, k)}",
    )


def _quotient(bound: float = 3, least: float = 1, largest: float = 1) -> Outcome:
    """``1 <= Delta <= D`` and ``D/Delta <= 3`` for the functions of 3 variables, 216 measures."""
    every = pairs()
    some = np.flatnonzero(every.depth > 0)
    depth, delta = every.depth[some], every.delta[some]
    quotient = depth / delta
    return outcome(
        "pairs of a function and a measure",
        (delta >= least) & (delta <= largest * depth) & (quotient <= bound),
        quotient,
        lambda k: f"D/Delta = {quotient[k]:.4g} for {every.describe(int(some[k]))}",
        example=lambda k: BooleanFunction.from_int(3, int(every.code[some[k]])),
    )


def _linear_for_conjunctions(growth: Callable[[int], float] = lambda n: n / 2) -> Outcome:
    """``D/Delta`` of the conjunction of n fair bits against a rate of growth, from below."""
    quotient = np.array([depth / delta for _, depth, delta in _conjunctions()])
    rate = np.array([growth(n) for n, *_ in _conjunctions()])
    return outcome(
        "conjunctions",
        quotient > rate,
        rate / quotient,
        lambda k: f"D/Delta = {quotient[k]:.4g}, asked for {rate[k]:g}, for n = {k + 2}",
        example=lambda k: zoo.conjunction(k + 2),
    )


@claim(
    "PS-BAL",
    PS,
    r"With $\Delta = D = \log_2 s$ the bound is $s^{\log_2 s \cdot \log_2(e/\varepsilon)}$.",
    PAGE,
    note="A bound in other letters: it holds by algebra, and its check tries the code.",
)
def test_ps_bal(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "both forms",
                _balanced,
                r"(e/\varepsilon)^{\Delta D} = 2^{\log(e/\varepsilon) \log^2 s} = "
                r"s^{\log s \cdot \log (e/\varepsilon)}",
                kind="identity",
            ),
        )
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
def test_ps_strict(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "exactly when",
                _against_uniform,
                r"\log e \cdot \log s < \lambda^2",
                false={
                    "0.2% more on the right": {
                        "expected": lambda d, lam: LOG2_E * d < 1.002 * lam**2
                    },
                    "without log e": {"expected": lambda d, lam: d < lam**2},
                    "with the first power": {"expected": lambda d, lam: LOG2_E * d < lam},
                },
            ),
        ),
        (Form("as printed, always", partial(_against_uniform, lambda *_: True)),),
    )


@claim(
    "PS-PATH",
    PS,
    r"For path-like trees, $\Delta = O(1)$ and $D = n$, the exponent $\Delta D$ is smaller "
    r"than $D^2$ by a factor of order $n$; but $e^{\Delta D} \ge e^n > 2^n$.",
    PAGE,
    note="A comparison of two bounds, both worse than the trivial one.",
)
def test_ps_path(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "conjunctions of fair bits",
                _path_is_shorter,
                r"e^{\Delta D} \ge e^{n} > 2^n",
                false={
                    "at most 1.99/n of the exponent": {"factor": 1.99},
                    "at least 5^n": {"least": 5},
                    "if the bits are mostly 1": {"bias": 15 / 16},
                },
            ),
        ),
        (Form("to be below the trivial 2^n", _path_is_useful),),
    )


@claim(
    "PS-UNIF",
    PS,
    r"For fair bits $\Delta(f) \le D(f)$, seldom with equality: 8 of 16, 40 of 256 and 1,928 "
    r"of 65,536 functions. What is true is $\Delta(f_v) \le \log_2 s$ for every restriction.",
    PAGE,
    repaired=True,
    note=r"The source: under the uniform distribution $D_{opt} = \Delta_{opt}$.",
)
def test_ps_unif(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "how many have D = Delta",
                _few_are_balanced,
                false={
                    "under p = 1/4": {"bias": 1 / 4},
                    "with the average depth of the greedy tree": {"equal": _by_greed},
                },
            ),
            stated(
                "the conjunction: D = n, Delta = 2 - 2^(1-n)",
                _depths_of_conjunctions,
                r"\Delta = 2 - 2^{1-n}",
                false={
                    "2 - 2^-n": {"average": lambda n: 2 - 2.0**-n},
                    "under p = 1/4": {"bias": 1 / 4},
                },
            ),
            stated(
                "Delta_max ≤ log2 s",
                _restrictions_below_log_size,
                r"\Delta(f_\ell) \le \log s",
                false={
                    "1% less": {"least": 0.99},
                    "with s - 1 for s": {"fewer": 1},
                    "under p = 3/4": {"bias": 3 / 4},
                },
            ),
        ),
        (Form("as printed, D = Delta for all", _balanced_for_all),),
    )


@claim(
    "PS-SEPEXP",
    PS,
    r"$D/\Delta \le n$ under every measure, and for fair bits it can be of order $n$ already; "
    r"only bounds such as $e^{\Delta D}$ and $e^{D^2}$ differ exponentially.",
    PAGE,
    repaired=True,
    note="The source: under non-uniform distributions the two can differ exponentially.",
)
def test_ps_sepexp(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "1 ≤ Delta ≤ D ≤ n",
                _quotient,
                r"1 \le \Delta \le D \le n",
                false={
                    "a quotient of at most 2.95": {"bound": 2.95},
                    "Delta at least 1.01": {"least": 1.01},
                    "Delta at most 0.99 D": {"largest": 0.99},
                },
            ),
            stated(
                "above n/2 for conjunctions",
                _linear_for_conjunctions,
                r"D/\Delta > \frac n2",
                false={"above 0.501 n": {"growth": lambda n: 0.501 * n}},
            ),
        ),
        (
            Form(
                "as printed, exponential for conjunctions",
                partial(_linear_for_conjunctions, lambda n: 2.0**n / n),
            ),
        ),
    )
