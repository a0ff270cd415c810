"""Chapter 5, growing by cost functions: one split, and what a cost must be like.

After Kearns and Mansour, "On the boosting ability of top-down decision tree learning algorithms"
(Journal of Computer and System Sciences, 1999), as in lecture notes of Mansour's. A leaf that
a fraction q of positive inputs reaches costs G(q). A predicate h divides it: ``tau = Pr[h = 1]``,
``p = Pr[f = 1 | h = 0]``, ``r = Pr[f = 1 | h = 1]``, so that ``q = (1 - tau) p + tau r`` (claims
MN-SPLIT-A, MN-SPLIT-B). Costs are those of ``dtviz.core.cart.criteria``, all with G(1/2) = 1/2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats
from dtviz.core.cart.criteria import Cost, as_criterion
from dtviz.core.checks import as_numbers, as_probabilities, as_repr, broadcast
from dtviz.core.tolerances import ROUNDING

POINTS = 4001
"""Of the grid on which a cost is measured: both ends and the middle are among them."""


def _as_split(tau: npt.ArrayLike, p: npt.ArrayLike, r: npt.ArrayLike) -> tuple[Floats, ...]:
    return broadcast(
        tau=as_probabilities("tau", tau), p=as_probabilities("p", p), r=as_probabilities("r", r)
    )


def drop(tau: npt.ArrayLike, p: npt.ArrayLike, r: npt.ArrayLike, cost: Cost = "gini") -> Floats:
    """What a split takes off the cost of its leaf: ``G(q) - [(1-tau) G(p) + tau G(r)]`` (MN-DROP).

    Times Prob[leaf] it is what the split takes off the cost of the tree. ``tau = Pr[h = 1]``, and p
    and r, the fractions of positive inputs where h = 0 and where h = 1, are in [0, 1], arrays
    broadcast; the cost is as for `grow`.

    Examples
    --------
    >>> import dtviz as dt
    >>> for cost in ("error", "gini", "entropy", "sqrt"):
    ...     print(f"{cost:8} {abs(dt.growing.drop(0.5, 0.6, 1.0, cost)):.4f}")
    error    0.0000
    gini     0.0800
    entropy  0.1182
    sqrt     0.1551
    """
    tau, p, r = _as_split(tau, p, r)
    G = as_criterion(cost).of_share
    q = np.clip((1 - tau) * p + tau * r, 0, 1)
    lost: Floats = G(q) - ((1 - tau) * G(p) + tau * G(r))
    return lost


def edge(tau: npt.ArrayLike, p: npt.ArrayLike, r: npt.ArrayLike) -> Floats:
    """The edge of the predicate of a split on the balanced distribution of its leaf (MN-BALANCE).

    The balanced distribution gives weight 1/2 to the positive and 1/2 to the negative inputs of
    the leaf; the edge is ``Pr[h = f] - 1/2`` under it, in [-1/2, 1/2]. It satisfies
    ``tau (1-tau) (r-p) = 2 edge q (1-q)``. NaN where the leaf is pure: nothing to balance.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(float(dt.growing.edge(0.5, 0.6, 1.0)), 4)  # tau (1-tau) (r-p) = 0.1, q (1-q) = 0.16
    0.3125
    """
    tau, p, r = _as_split(tau, p, r)
    positives = (1 - tau) * p + tau * r
    negatives = (1 - tau) * (1 - p) + tau * (1 - r)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (tau * r / positives - tau * (1 - r) / negatives) / 2
    return found


def children(q: npt.ArrayLike, gamma: npt.ArrayLike, tau: npt.ArrayLike) -> tuple[Floats, Floats]:
    """The fractions p and r of the split that has edge ``gamma`` and ``Pr[h = 1] = tau``.

    The inverse of `edge` (claim MN-BALANCE). There is no such split where p < 0 or r > 1. ``q`` is
    in [0, 1], ``gamma`` in [-1/2, 1/2], ``tau`` in (0, 1); arrays are broadcast.

    Examples
    --------
    >>> import dtviz as dt
    >>> p, r = dt.growing.children(0.3, 0.1, 0.5)
    >>> round(float(p), 4), round(float(r), 4)
    (0.216, 0.384)
    """
    q, between = as_probabilities("q", q), as_probabilities("tau", tau)
    if ((between == 0) | (between == 1)).any():
        msg = f"tau must be within (0, 1), got {as_repr(tau)}"
        raise ValueError(msg)
    g = as_numbers("gamma", gamma, "[-1/2, 1/2]", -0.5, 0.5)
    q, g, between = broadcast(q=q, gamma=g, tau=between)
    shift = 2 * g * q * (1 - q)
    with np.errstate(over="ignore"):  # far beyond 1 there is no such split
        return q - shift / (1 - between), q + shift / between


class CostShape(NamedTuple):
    """What a function on [0, 1] has of what a cost must have, as far as a grid shows.

    Attributes
    ----------
    symmetric : bool
        Whether ``G(q) = G(1-q)`` (claim MN-CRIT1).
    concave : bool
        Whether no chord lies above the graph (claim MN-CRIT2); then no split raises the cost.
    strictly_concave : bool
        Whether no piece of the graph is straight (claim MN-STRICT).
    permissible : bool
        Whether G is symmetric and concave with G(0) = G(1) = 0 and G(1/2) = 1/2: the class of
        Kearns and Mansour, who set G(1/2) = 1. It bounds the error, ``min(q, 1-q)`` (MN-GX).

    Examples
    --------
    >>> import dtviz as dt
    >>> shape = dt.growing.cost_shape(dt.COST_FUNCTIONS["error"])
    >>> shape.symmetric, shape.concave, shape.strictly_concave, shape.permissible
    (True, True, False, True)
    """

    symmetric: bool
    concave: bool
    strictly_concave: bool
    permissible: bool


def cost_shape(G: Callable[[Floats], npt.ArrayLike]) -> CostShape:
    """Look at a cost function on a grid of 4001 points of [0, 1] (MN-CRIT1, MN-CRIT2).

    ``G`` takes an array of numbers in [0, 1], and returns one of the same shape.

    Examples
    --------
    >>> import dtviz as dt
    >>> for s in (1, 2):
    ...     shape = dt.growing.cost_shape(lambda q: (4 * q * (1 - q)) ** s / 2)
    ...     print(s, shape.concave, shape.permissible)
    1 True True
    2 False False
    """
    if not callable(G):
        msg = f"G must be a function of an array, got {as_repr(G)}"
        raise ValueError(msg)
    grid = np.linspace(0, 1, POINTS)
    given = G(grid)
    value = as_numbers("G", given, "(-inf, inf)")
    if value.shape != grid.shape:
        msg = f"G must return one finite number per point, {grid.size}, got {as_repr(given)}"
        raise ValueError(msg)
    # At most 0 where the graph is concave; over the step squared it bounds the second derivative.
    bend = float((value[2:] - 2 * value[1:-1] + value[:-2]).max())
    symmetric, concave = bool(np.abs(value - value[::-1]).max() <= ROUNDING), bend <= ROUNDING
    normal = np.allclose(value[[0, POINTS // 2, -1]], [0, 0.5, 0], rtol=0, atol=ROUNDING)
    is_strict = bool(bend / grid[1] ** 2 < -1e-6)
    return CostShape(symmetric, concave, is_strict, symmetric and concave and normal)
