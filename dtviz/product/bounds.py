"""Chapter 3, biased inputs: floors of the best score, bounds on the size, and sizes of samples.

After "Decision Tree Learning on Product Spaces" (ICML 2026, arXiv 2605.12983), of which we
have the abstract and notes. Product distributions, resample influence, the variation
``Vr(f) = Pr[f(x) != f(y)] = 2m(1-m)``, size = leaves. ``Delta`` is an average depth under the
distribution, ``D`` a depth; ``j`` splits have been made when the tree has ``j + 1`` leaves.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from dtviz.core.bases import Floats
from dtviz.core.checks import (
    as_confidence,
    as_integer,
    as_number,
    as_positive_epsilon,
    as_real,
    as_repr,
    leaves_after,
)
from dtviz.core.tolerances import ROUNDING
from dtviz.core.tree.growth_path import GrowthPath

LOG2_E = math.log2(math.e)

Number = float | Fraction


def path_variations(path: GrowthPath) -> Floats:
    """``V = sum Pr[leaf] Vr(f at the leaf)`` along a path: a ``(n_splits + 1,)`` array.

    Within [0, 1/2]; error <= V <= cost <= D V (claim PS-L4.2).

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.build_top_down(dt.functions.majority(3), dt.ProductDistribution.uniform(3))
    >>> dt.product.path_variations(path).tolist()
    [0.5, 0.375, 0.3125, 0.25, 0.125, 0.0]
    """
    if not isinstance(path, GrowthPath):
        msg = f"path must be a GrowthPath, got {as_repr(path)}"
        raise ValueError(msg)
    rest = path.node_probability - path.node_error
    return path.totals(2 * path.node_error * rest / path.node_probability)


def _as_delta(delta: Any) -> Number:
    return as_number("delta", delta, "(0, inf)", lambda d: 0 < d < math.inf)


def _as_depth(depth: object) -> int:
    """Return a depth of a tree, an integer from 1 to 2^53."""
    return as_integer("depth", depth, 1, 1 << 53)


def score_floor_by_error(error: Number, step: int, delta: Number) -> Number:
    """The small-cost phase: ``error / ((step + 1) delta)`` (claim PS-L4.4).

    A floor of the best score after ``step`` splits if ``delta`` bounds the average depth of every
    restriction of f: its depth D, or `OptimalTrees.max_average_depth`. In the notes ``delta`` is
    the average depth of f alone; then it is no floor. Exact for fractions and integers.

    Examples
    --------
    >>> import dtviz as dt
    >>> from fractions import Fraction
    >>> dt.product.score_floor_by_error(Fraction(1, 2), 0, Fraction(5, 2))
    Fraction(1, 5)
    """
    error = as_number("error", error, "[0, 1/2]", lambda e: 0 <= e <= 0.5)
    return error / (leaves_after(step) * _as_delta(delta))


def score_floor_by_cost(cost: Number, step: int, delta: Number, depth: int) -> Number:
    """The large-cost phase: ``cost / ((step + 1) delta depth)`` (claim PS-L4.5).

    ``delta`` as in `score_floor_by_error`; ``depth`` is the depth of some tree that computes f.

    Examples
    --------
    >>> import dtviz as dt
    >>> from fractions import Fraction
    >>> dt.product.score_floor_by_cost(Fraction(3, 4), 0, Fraction(5, 2), 3)
    Fraction(1, 10)
    """
    cost = as_number("cost", cost, "[0, inf)", lambda c: 0 <= c < math.inf)
    return cost / (leaves_after(step) * _as_delta(delta) * _as_depth(depth))


def score_floor_by_variation(variation: Number, step: int, delta: Number) -> Number:
    """The floor for the average depth of f alone: ``2 V^2 / ((step + 1) delta)``.

    ``V`` is as in `path_variations`, ``delta`` the average depth of a tree that computes f. By
    PS-LC.1 at each leaf, ``p Vr <= score d``, where the d average to delta at most; so
    ``sum p^2 Vr <= score delta``, and ``V^2 <= (sum p^2 Vr) (sum Vr) <= score delta (step + 1) /
    2``. A literal at p = 1/2 attains it (claim PS-L4.4).

    Examples
    --------
    >>> import dtviz as dt
    >>> literal = dt.functions.dictator(1, 0)
    >>> dt.product.score_floor_by_variation(dt.measures.variation(literal), 0, delta=1)
    0.5
    """
    variation = as_number("variation", variation, "[0, 1/2]", lambda v: 0 <= v <= 0.5)
    return 2 * variation**2 / (leaves_after(step) * _as_delta(delta))


def _depths(delta: Any, depth: Any, name: str = "delta") -> tuple[float, int]:
    """An average depth, so called, and a depth that fit each other."""
    depth = _as_depth(depth)
    within = f"[1, depth], here [1, {depth}]"
    high = depth * (1 + ROUNDING)
    return as_real(name, delta, within, lambda d: 1 - ROUNDING <= d <= high), depth


def size_bound_bits(delta: float, depth: int, epsilon: float) -> float:
    """The bound in bits: ``log2 max((e delta / (eps D))^(delta D), e^(delta D))`` leaves.

    ``depth`` is D, that of a tree that computes f, ``epsilon`` the error, in (0, 1/2). The bound
    holds (claim PS-T1.1) if ``delta`` is `OptimalTrees.max_average_depth`, or D. In the notes it is
    the average depth of f; then the bound is false. ``1 <= delta <= depth``.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.product.size_bound_bits(2.5, 3, 0.1), 1)
    33.8
    """
    delta, depth = _depths(delta, depth)
    base = delta / (as_positive_epsilon(epsilon) * depth)
    return delta * depth * (LOG2_E + max(math.log2(base), 0.0))


def variation_bound_bits(delta: float, depth: int, epsilon: float) -> float:
    """What `score_floor_by_variation` gives for the average depth of f, in bits (claim PS-T1.1).

    The smaller of ``exp(delta D / eps)`` and ``exp(delta^2 / (4 eps^2))`` leaves. The cost starts
    at delta/2 at most. While it is C, ``V >= C/D`` and step j takes off ``2 C^2 / ((j+1) delta
    D^2)``, so ``delta D / (2 eps)`` nats of leaves bring it to ``eps D``; as V is at least the
    error, above eps, step j takes off ``2 eps^2 / ((j+1) delta)``, too, so as many nats more bring
    it to eps, and ``delta^2 / (4 eps^2)`` do so from the start.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.product.variation_bound_bits(2.5, 3, 0.1), 1)
    108.2
    """
    delta, depth = _depths(delta, depth)
    epsilon = as_positive_epsilon(epsilon)
    half = delta / (2 * epsilon)
    return min(delta * depth / epsilon, half * half) * LOG2_E


def proved_bound_bits(delta: float, largest: float, depth: int, epsilon: float) -> float:
    """The bound as it is proved: ``max(delta / (2 eps D), 1)^(L D) e^(L D)`` leaves, in bits.

    ``L = largest`` bounds the average depth of every restriction of f,
    `OptimalTrees.max_average_depth` or D; ``delta`` that of f alone, which bounds the first cost by
    half of it. The other arguments are those of `size_bound_bits`, which is larger (claim PS-T1.1).
    If each score is only a share of the best one, its inverse multiplies these bits (PS-T5.1).

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.product.proved_bound_bits(2, 2.5, 3, 0.1), 1)
    23.8
    """
    largest, depth = _depths(largest, depth, "largest")
    high = largest * (1 + ROUNDING)
    within = f"[1, largest], here [1, {largest:g}]"
    delta = as_real("delta", delta, within, lambda d: 1 - ROUNDING <= d <= high)
    base = delta / (2 * as_positive_epsilon(epsilon) * depth)
    return largest * depth * (LOG2_E + max(math.log2(base), 0.0))


def pairs_needed(step: int, n: int, epsilon: float, delta: float) -> int:
    """``M_S(j) = ceil((12 (j+1) n / epsilon) ln(4 (j+1)^2 (j+1) n / delta))`` (claim PS-MS).

    The pairs that step j draws for each of the n variables. The notes print ``4 j^2 (j+1) n``,
    which is no number for the first step, j = 0.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.product.pairs_needed(0, 3, 0.1, 0.1)
    1724
    """
    leaves, n = leaves_after(step), as_integer("n", n, 1, 1 << 53)
    budget = math.log(4) + 3 * math.log(leaves) + math.log(n) - math.log(as_confidence(delta))
    return _round_up(12 * leaves * n / as_positive_epsilon(epsilon) * budget)


def examples_needed(step: int, epsilon: float, delta: float) -> int:
    """``M_E(j) = ceil((68/epsilon) ((j+1) ln 2 + ln(8 (j+1)^2 / delta)))`` (claim PS-STOP).

    The examples that step j draws to label the leaves and to decide whether to stop. The
    constants are new here: the notes give none.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.product.examples_needed(0, 0.1, 0.1)
    3452
    """
    leaves = leaves_after(step)
    budget = (
        leaves * math.log(2) + math.log(8) + 2 * math.log(leaves) - math.log(as_confidence(delta))
    )
    return _round_up(68 / as_positive_epsilon(epsilon) * budget)


def _round_up(number: float) -> int:
    if number == math.inf:
        msg = "epsilon must ask for a number of examples below 2^1024, got one beyond"
        raise ValueError(msg)
    return math.ceil(number)
