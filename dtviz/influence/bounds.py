"""Chapter 1, influence-greedy trees: the bounds of the analysis.

After Blanc, Lange and Tan, "Top-down induction of decision trees: rigorous guarantees and inherent
limitations" (ITCS 2020, arXiv 1911.07375). Uniform distribution, flip influence, size = leaves,
logarithms to base 2 unless named ln.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer, as_positive_epsilon, as_real, leaves_after


def _as_size(size: object) -> int:
    return as_integer("size", size, 2)


def _log2_ratio(size: int, x: float) -> float:
    """Return ``log2(4 size / x)``, for a size beyond all floats too."""
    return 2 + math.log2(size) - math.log2(x)


def score_floor_by_error(error: float, step: int, size: int) -> float:
    """The floor from the error: after ``step`` splits the best score is at least this.

    ``2 error / ((step + 1) log2 size)``, where ``size >= 2`` is the number of leaves of some tree
    that computes f (claims BLT-L5.2, BLT-L5.2ii; the source has half of it).

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.majority(3)
    >>> path, size = dt.build_top_down(f), dt.optimal(f).n_leaves
    >>> round(dt.influence.score_floor_by_error(path.errors[0], 0, size), 4), float(path.scores[0])
    (0.3869, 0.5)
    """
    error = as_real("error", error, "[0, 1/2]", lambda e: 0 <= e <= 0.5)
    return 2 * error / (leaves_after(step) * math.log2(_as_size(size)))


def score_floor_by_cost(cost: float, step: int, size: int, epsilon: float) -> float:
    """The floor from the cost, under the best score while the cost is large.

    ``cost / ((step + 1) log2(4 size / epsilon) log2(size))``, while the cost is at least
    ``epsilon log2(4 size / epsilon)``; 0 where it is not (claim BLT-L5.4). ``size >= 2``.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.influence.score_floor_by_cost(3, 0, 8, 0.1), 4)
    0.1202
    """
    cost = as_real("cost", cost, "[0, n], so >= 0 and finite", lambda c: 0 <= c < math.inf)
    epsilon, leaves, size = as_positive_epsilon(epsilon), leaves_after(step), _as_size(size)
    threshold = _log2_ratio(size, epsilon)
    if cost < epsilon * threshold:
        return 0.0
    return cost / (leaves * threshold * math.log2(size))


def worst_case_costs(size: int, epsilon: float, steps: int) -> npt.NDArray[np.float64]:
    """The slowest fall of the cost that the two floors allow: ``(steps + 1,)`` array.

    Starts at ``log2 size``. Above ``epsilon log2(4 size / epsilon)`` step j keeps a fraction
    ``1 - 1/((j+1) L)`` with ``L = log2(4 size / epsilon) log2(size)`` (phase 1, BLT-T3-P1a); below,
    it takes off ``epsilon / ((j+1) log2 size)`` (phase 2, BLT-T3-P2a). Never below 0.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.influence.worst_case_costs(8, 0.1, 3).round(3).tolist()
    [3.0, 2.88, 2.822, 2.784]
    """
    size, steps = _as_size(size), as_integer("steps", steps, 0, 1_000_000)
    epsilon = as_positive_epsilon(epsilon)
    ratio, cost = _log2_ratio(size, epsilon), math.log2(size)
    limit, bits = epsilon * ratio, cost
    costs = np.empty(steps + 1)
    costs[0] = cost
    for j in range(steps):
        floor = epsilon / ((j + 1) * bits)
        if cost > limit:  # `score_floor_by_cost`
            floor = max(cost / ((j + 1) * ratio * bits), floor)
        costs[j + 1] = cost = max(cost - floor, 0.0)
    return costs


@dataclass(frozen=True)
class Phases:
    """The two phases of the upper bound, as base-2 logarithms of step counts (the counts overflow).

    ``log2_k``: after that many steps phase 1 is over; ``log2_m``: the error is at most epsilon
    (claims BLT-T3-P1k, BLT-T3-P2m).

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.influence.phases(8, 0.1)
    >>> round(found.log2_k, 1), round(found.log2_m, 1)
    (82.9, 114.6)
    """

    log2_k: float
    log2_m: float


def phases(size: int, epsilon: float) -> Phases:
    """The lengths of the two phases of the upper bound, as the source counts them, corrected.

    ``k = size^(log2(4 size/eps) log2(1/eps))`` steps bring the cost to ``eps log2(4 size/eps)``
    (BLT-T3-P1k); ``m + 1 = (k + 1) * exp((C_k - eps) log2(size) / eps)`` steps bring it to ``eps``
    by the floor of the source (BLT-T3-P2c, BLT-T3-P2m). The chapter's own floor is twice as high
    and the run ends at ``2 eps``, so its phase 2 is less than half as long on this scale:
    ``m + 1 < (k + 1) * exp((C_k - 2 eps) log2(size) / (2 eps))``.

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.influence.phases(8, 0.1)
    >>> round(found.log2_m)
    115
    """
    size, epsilon = _as_size(size), as_positive_epsilon(epsilon)
    log_s, threshold = math.log2(size), _log2_ratio(size, epsilon)
    log2_k = log_s * threshold * math.log2(1 / epsilon)
    log2_k1 = log2_k + math.log2(1 + 2.0**-log2_k)
    return Phases(log2_k, log2_k1 + (threshold - 1) * log_s * math.log2(math.e))
