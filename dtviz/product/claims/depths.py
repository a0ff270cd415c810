"""Chapter 3, what the bounds are worth: against older ones, on paths, and depth against average."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from dtviz import product
from dtviz.claims.populations import all_functions, log2, name
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import PS
from dtviz.core import functions as zoo
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import BooleanFunction
from dtviz.core.optimal import optimal
from dtviz.product.claims.populations import EPSILONS, pairs

__all__ = ["CLAIMS"]

PAGE = "3-product"
LOG2_E = math.log2(math.e)


# -- what the bound is worth -----------------------------------------------------------------------


def _balanced() -> Outcome:
    """With Delta = D = log2 s both forms are ``s^(log2 s log2(e/eps))``: bits, to rounding."""
    gap, names = [], []
    for depth in (1, 2, 6, 20):
        for epsilon in EPSILONS:
            told = depth * depth * math.log2(math.e / epsilon)
            for form in (product.size_bound_bits, product.abstract_bound_bits):
                off = form(depth, depth, epsilon) / told - 1
                gap.append(off if abs(off) > 1e-14 else 0.0)
                names.append(f"s = 2^{depth}, epsilon = {epsilon}")
    return equality("bounds", gap, names.__getitem__)


@cache
def _conjunctions() -> tuple[tuple[int, int, float], ...]:
    """n, D and Delta of the conjunctions of 2 to 10 fair bits."""
    best = {n: optimal(zoo.conjunction(n)) for n in range(2, 11)}
    return tuple((n, b.depth, b.average_depth) for n, b in best.items())


GRID = tuple((depth, 2.0**-j) for depth in range(1, 41) for j in range(2, 13))


def _against_uniform(*, always: bool) -> Outcome:
    """``s^(log2 s log2(e/eps))`` below ``s^(log2(s/eps) log2(1/eps))``, s = 2^depth, constant 1.

    Always, or exactly when ``log2 e log2 s < log2(1/eps)^2``.
    """
    new = np.array([product.size_bound_bits(d, d, e) for d, e in GRID])
    old = np.array([d * (d - math.log2(e)) * -math.log2(e) for d, e in GRID])
    expected = np.array([always or LOG2_E * d < math.log2(e) ** 2 for d, e in GRID])
    return outcome(
        "pairs (s, epsilon)",
        (new < old) == expected,
        np.where((new < old) == expected, -np.abs(new / old - 1), new / old),
        lambda k: (
            f"{new[k]:.1f} bits, {old[k]:.1f} before, for s = 2^{GRID[k][0]}, "
            f"epsilon = 1/{round(1 / GRID[k][1])}"
        ),
    )


def _paths(compare: Callable[[float, float, int], tuple[bool, float]]) -> Outcome:
    """Conjunctions of fair bits: Delta below 2, D = n. Bounds in bits at epsilon 1/4."""
    found = []
    for n, depth, delta in _conjunctions():
        mixed, squared = (product.size_bound_bits(d, depth, 0.25) for d in (delta, depth))
        found.append((n, mixed, squared, *compare(mixed, squared, n)))
    return outcome(
        "conjunctions",
        [good for *_, good, _ in found],
        [tight for *_, tight in found],
        lambda k: (
            f"{found[k][1]:.1f} bits with Delta D, {found[k][2]:.1f} with D^2, 2^n has "
            f"{found[k][0]}, for n = {found[k][0]}"
        ),
    )


def _path_is_shorter(mixed: float, squared: float, n: int) -> tuple[bool, float]:
    """The exponent Delta D is at most 2/n of D^2, but above n."""
    return n < mixed <= 2 * squared / n, mixed * n / squared


def _path_is_useful(mixed: float, _: float, n: int) -> tuple[bool, float]:
    return mixed < n, mixed / n


# -- depth and average depth -----------------------------------------------------------------------


def _few_are_balanced() -> Outcome:
    """How many functions of 2, 3, 4 variables have D = Delta for fair bits."""
    stated = {2: 8, 3: 40, 4: 1928}
    counts, least = [], []
    for n in stated:
        best = optimal_all(n)
        some = best.depth > 0
        equal = best.depth == best.average_depth
        counts.append(int(equal.sum()))
        least.append(f"{(best.average_depth[some] / best.depth[some]).min():.3f}")
    gap = np.array(counts) - list(stated.values())
    return outcome(
        "numbers of functions",
        gap == 0,
        np.abs(gap),
        lambda k: (
            f"D = Delta for {', '.join(f'{c:,}' for c in counts)} functions of 2, 3, 4 variables; "
            f"least Delta/D {', '.join(least)}"
            if gap[k] == 0
            else f"{counts[k]} functions of {k + 2} variables"
        ),
    )


def _depths_of_conjunctions() -> Outcome:
    """D = n and ``Delta = 2 - 2^(1-n)`` for the conjunction of n fair bits."""
    gap = [
        abs(delta - (2 - 2.0 ** (1 - n))) + abs(depth - n) for n, depth, delta in _conjunctions()
    ]
    return equality("conjunctions", gap, lambda k: f"n = {k + 2}")


def _restrictions_below_log_size() -> Outcome:
    """``Delta(f_v) <= log2 s`` for every restriction, fair bits, all functions of 3 variables."""
    size = all_functions(3).size
    largest = np.array(
        [optimal(BooleanFunction.from_int(3, code)).max_average_depth for code in range(256)]
    )
    high = log2(size)
    tight = np.divide(largest, high, out=np.zeros(256), where=high > 0)
    return outcome(
        "functions of 3 variables",
        largest <= high,
        tight,
        lambda k: f"Delta_max = {largest[k]:g}, log2 s = {high[k]:.4g} for {name(3, k)}",
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


def _quotient(bound: float) -> Outcome:
    """``D/Delta <= bound`` for all functions of 3 variables under 216 measures."""
    every = pairs()
    some = np.flatnonzero(every.depth > 0)
    quotient = every.depth[some] / every.delta[some]
    return outcome(
        "pairs of a function and a measure",
        quotient <= bound,
        quotient,
        lambda k: f"D/Delta = {quotient[k]:.4g} for {every.describe(int(some[k]))}",
    )


def _linear_for_conjunctions(growth: Callable[[int], float]) -> Outcome:
    """``D/Delta`` of the conjunction of n fair bits against a rate of growth, from below."""
    quotient = np.array([depth / delta for _, depth, delta in _conjunctions()])
    rate = np.array([growth(n) for n, *_ in _conjunctions()])
    return outcome(
        "conjunctions",
        quotient >= rate,
        rate / quotient,
        lambda k: f"D/Delta = {quotient[k]:.4g}, asked for {rate[k]:g}, for n = {k + 2}",
    )


CLAIMS = (
    Claim(
        "PS-BAL",
        PS,
        r"With $\Delta = D = \log_2 s$ the bound is $s^{\log_2 s \cdot \log_2(e/\varepsilon)}$.",
        PAGE,
        (Form("both forms", _balanced),),
    ),
    Claim(
        "PS-STRICT",
        PS,
        r"With constant 1 in every $O$, $s^{\log_2 s \log_2(e/\varepsilon)}$ is below "
        r"$s^{\log_2(s/\varepsilon) \log_2(1/\varepsilon)}$ exactly when "
        r"$\log_2 e \cdot \log_2 s < \log_2^2(1/\varepsilon)$.",
        PAGE,
        (Form("exactly when", partial(_against_uniform, always=False)),),
        (Form("as printed, always", partial(_against_uniform, always=True)),),
        repaired=True,
        note="The source calls the new bound strictly better for full binary trees.",
    ),
    Claim(
        "PS-PATH",
        PS,
        r"For path-like trees, $\Delta = O(1)$ and $D = n$, the exponent $\Delta D$ is smaller "
        r"than $D^2$ by a factor of order $n$; but $e^{\Delta D} \ge e^n > 2^n$.",
        PAGE,
        (Form("conjunctions", partial(_paths, _path_is_shorter)),),
        (Form("to be below the trivial 2^n", partial(_paths, _path_is_useful)),),
        note="A comparison of two bounds, both worse than the trivial one.",
    ),
    Claim(
        "PS-UNIF",
        PS,
        r"For fair bits $\Delta(f) \le D(f)$, seldom with equality: 8 of 16, 40 of 256 and 1,928 "
        r"of 65,536 functions. What is true is $\Delta(f_v) \le \log_2 s$ for every restriction.",
        PAGE,
        (
            Form("how many have D = Delta", _few_are_balanced),
            Form("the conjunction: D = n, Delta = 2 - 2^(1-n)", _depths_of_conjunctions),
            Form("Delta_max ≤ log2 s", _restrictions_below_log_size),
        ),
        (Form("as printed, D = Delta for all", _balanced_for_all),),
        repaired=True,
        note=r"The source: under the uniform distribution $D_{opt} = \Delta_{opt}$.",
    ),
    Claim(
        "PS-SEPEXP",
        PS,
        r"$D/\Delta \le n$ under every measure, and for fair bits it can be of order $n$ already; "
        r"only bounds such as $e^{\Delta D}$ and $e^{D^2}$ differ exponentially.",
        PAGE,
        (
            Form("D/Delta ≤ n", partial(_quotient, 3)),
            Form(
                "at least n/2 for conjunctions", partial(_linear_for_conjunctions, lambda n: n / 2)
            ),
        ),
        (
            Form(
                "as printed, exponential for conjunctions",
                partial(_linear_for_conjunctions, lambda n: 2.0**n / n),
            ),
        ),
        repaired=True,
        note="The source: under non-uniform distributions the two can differ exponentially.",
    ),
)
