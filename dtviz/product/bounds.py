"""Chapter 3, biased inputs: the bounds on the size, in bits.

After "Decision Tree Learning on Product Spaces" (ICML 2026, arXiv 2605.12983), of which we
have the abstract and notes. Product distributions, resample influence, the variation
``Vr(f) = Pr[f(x) != f(y)] = 2m(1-m)``, size = leaves. ``Delta`` is an average depth under the
distribution, ``D`` a depth; ``j`` splits have been made when the tree has ``j + 1`` leaves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer, as_positive_epsilon, as_real
from dtviz.core.tolerances import ROUNDING
from dtviz.product.score_floors import as_depth

Floats = npt.NDArray[np.float64]

LOG2_E = math.log2(math.e)


def _as_slack(slack: Any) -> float:
    return as_real("slack", slack, "[1, inf)", lambda s: 1 <= s < math.inf)


def _depths(delta: Any, depth: Any, name: str = "delta") -> tuple[float, int]:
    """An average depth, so called, and a depth that fit each other."""
    depth = as_depth(depth)
    within = f"[1, depth], here [1, {depth}]"
    high = depth * (1 + ROUNDING)
    return as_real(name, delta, within, lambda d: 1 - ROUNDING <= d <= high), depth


def size_bound_bits(delta: float, depth: int, epsilon: float, slack: float = 1) -> float:
    """The bound in bits: ``log2 max((e delta / (eps D))^(delta D), e^(delta D))`` leaves.

    Parameters
    ----------
    delta : float
        The bound holds (claim PS-T1.1) if this is `OptimalTrees.max_average_depth`, or the depth
        D. In the notes it is the average depth of f; then the bound is false.
    depth : int
        D, the depth of a tree that computes f, at least 1.
    epsilon : float
        The error, in (0, 1/2).
    slack : float
        The best score may exceed the chosen one by this factor: 4 in claim PS-T5.1. It multiplies
        the exponents.

    Raises
    ------
    ValueError
        If ``depth`` is no integer >= 1, ``delta`` not in [1, depth], ``epsilon`` not in (0, 1/2),
        or ``slack`` not in [1, inf).

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.product.size_bound_bits(2.5, 3, 0.1), 1)
    33.8
    """
    delta, depth = _depths(delta, depth)
    base = delta / (as_positive_epsilon(epsilon) * depth)
    return _as_slack(slack) * delta * depth * (LOG2_E + max(math.log2(base), 0.0))


def abstract_bound_bits(delta: float, depth: int, epsilon: float) -> float:
    """The bound in the form of the abstract, ``(e / eps)^(delta D)``, in bits (PS-T1.1-ABS).

    Raises
    ------
    ValueError
        If ``depth`` is no integer >= 1, ``delta`` not in [1, depth], or ``epsilon`` not in
        (0, 1/2).

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.product.abstract_bound_bits(2.5, 3, 0.1), 1)
    35.7
    """
    delta, depth = _depths(delta, depth)
    return delta * depth * (LOG2_E - math.log2(as_positive_epsilon(epsilon)))


def variation_bound_bits(delta: float, depth: int, epsilon: float) -> float:
    """What `score_floor_by_variation` gives for the average depth of f, in bits (claim PS-T1.1).

    The smaller of ``exp(delta D / eps)`` and ``exp(delta^2 / (4 eps^2))`` leaves. The cost starts
    at delta/2 at most. While it is C, ``V >= C/D`` and step j takes off ``2 C^2 / ((j+1) delta
    D^2)``, so ``delta D / (2 eps)`` nats of leaves bring it to ``eps D``; as V is at least the
    error, above eps, step j takes off ``2 eps^2 / ((j+1) delta)``, too, so as many nats more bring
    it to eps, and ``delta^2 / (4 eps^2)`` do so from the start.

    Raises
    ------
    ValueError
        If ``depth`` is no integer >= 1, ``delta`` not in [1, depth], or ``epsilon`` not in
        (0, 1/2).

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


def proved_bound_bits(
    delta: float, largest: float, depth: int, epsilon: float, slack: float = 1
) -> float:
    """The bound as it is proved: ``max(delta / (2 eps D), 1)^(L D) e^(L D)`` leaves, in bits.

    ``L = largest`` bounds the average depth of every restriction of f,
    `OptimalTrees.max_average_depth` or D; ``delta`` that of f alone, which bounds the first cost by
    half of it.
    The other arguments are those of `size_bound_bits`, which is larger (claim PS-T1.1).

    Raises
    ------
    ValueError
        If ``depth`` is no integer >= 1, ``largest`` not in [1, depth], ``delta`` not in
        [1, largest], ``epsilon`` not in (0, 1/2), or ``slack`` not in [1, inf).

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.product.proved_bound_bits(2, 2.5, 3, 0.1), 1)
    23.8
    >>> round(dt.product.size_bound_bits(2.5, 3, 0.1), 1)
    33.8
    """
    largest, depth = _depths(largest, depth, "largest")
    high = largest * (1 + ROUNDING)
    within = f"[1, largest], here [1, {largest:g}]"
    delta = as_real("delta", delta, within, lambda d: 1 - ROUNDING <= d <= high)
    base = delta / (2 * as_positive_epsilon(epsilon) * depth)
    return _as_slack(slack) * largest * depth * (LOG2_E + max(math.log2(base), 0.0))


@dataclass(frozen=True)
class Phases:
    """The two phases of a run, as base-2 logarithms of numbers of leaves.

    With ``2^first`` leaves the cost is at most ``epsilon D`` (claim PS-L4.6); with ``2^total``
    leaves it is at most ``epsilon``, and so is the error (claim PS-L4.7).

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.product.phases(2.5, 3, 0.1, first_cost=0.75)
    >>> round(2**found.first), round(2**found.total)
    (966, 143368)
    """

    first: float
    total: float


def phases(
    delta: float,
    depth: int,
    epsilon: float,
    first_cost: float | None = None,
    slack: float = 1,
) -> Phases:
    """The lengths of the two phases, from the cost of the single leaf.

    Phase 1 keeps a fraction ``1 - 1/((j+1) delta D)`` of the cost in step j, so that
    ``(first_cost / (epsilon D))^(delta D)`` leaves do; phase 2 takes off ``epsilon / ((j+1)
    delta)``, so that a factor ``exp(delta (D - 1))`` more do (claims PS-L4.6, PS-L4.7).
    ``slack`` multiplies ``delta`` there.

    Parameters
    ----------
    delta, depth, epsilon, slack : as in `size_bound_bits`
    first_cost : float, optional
        The total resample influence of f; half of ``delta``, which bounds it, if not given.

    Raises
    ------
    ValueError
        If ``depth`` is no integer >= 1, ``delta`` not in [1, depth], ``epsilon`` not in (0, 1/2),
        ``first_cost`` not in [0, inf), or ``slack`` not in [1, inf).

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.product.phases(2.5, 3, 0.1)
    >>> round(found.first, 1), round(found.total, 1)
    (15.4, 22.7)
    """
    delta, depth = _depths(delta, depth)
    epsilon, slack = as_positive_epsilon(epsilon), _as_slack(slack)
    cost = _first_cost(first_cost, delta)
    first = 0.0
    if cost > epsilon * depth:
        first = _round_leaves(slack * delta * depth * math.log2(cost / (epsilon * depth)))
    return Phases(first, _round_leaves(first + slack * delta * (depth - 1) * LOG2_E))


def _first_cost(first_cost: float | None, delta: float) -> float:
    if first_cost is None:
        return delta / 2
    return as_real("first_cost", first_cost, "[0, inf)", lambda c: 0 <= c < math.inf)


def _round_leaves(bits: float) -> float:
    """Round a number of leaves up to a whole one, in bits; beyond 2^52 all floats are whole."""
    return math.log2(math.ceil(2**bits * (1 - ROUNDING))) if bits < 52 else bits


def worst_case_costs(
    delta: float,
    depth: int,
    epsilon: float,
    steps: int,
    first_cost: float | None = None,
) -> Floats:
    """The slowest fall of the cost that the two score floors allow: a ``(steps + 1,)`` array.

    Arguments as in `phases` (claims PS-L4.6, PS-L4.7). Never below 0.

    Raises
    ------
    ValueError
        As for `phases`, or if ``steps`` is no integer from 0 to 1,000,000.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.product.worst_case_costs(2.5, 3, 0.1, 3, first_cost=0.75).round(3).tolist()
    [0.75, 0.65, 0.607, 0.58]
    """
    delta, depth = _depths(delta, depth)
    epsilon = as_positive_epsilon(epsilon)
    costs = np.empty(as_integer("steps", steps, 0, 1_000_000) + 1)
    costs[0] = cost = _first_cost(first_cost, delta)
    for j in range(steps):
        drop = max(cost / depth, epsilon) / ((j + 1) * delta)
        costs[j + 1] = cost = max(cost - drop, 0.0)
    return costs
