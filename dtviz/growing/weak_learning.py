"""Chapter 5, growing: cost functions, weak learning, and top-down induction as boosting.

After Kearns and Mansour, "On the boosting ability of top-down decision tree learning algorithms"
(Journal of Computer and System Sciences, 1999), as told in lecture notes of Mansour's. A leaf that
a fraction q of positive inputs reaches costs G(q). A predicate h divides it: ``tau = Pr[h = 1]``,
``p = Pr[f = 1 | h = 0]``, ``r = Pr[f = 1 | h = 1]``, so that ``q = (1 - tau) p + tau r`` (claims
MN-SPLIT-A, MN-SPLIT-B). Costs are those of ``dtviz.core.costs``, all with G(1/2) = 1/2. A tree
after t splits has t + 1 leaves; logarithms are natural, because bounds on t overflow any float.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import (
    as_integer,
    as_numbers,
    as_one_of,
    as_probabilities,
    as_real,
    as_weights,
    shown,
)
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.tolerances import ROUNDING

__all__ = [
    "CostShape",
    "adversarial_leaves",
    "children",
    "contraction",
    "cost_bound",
    "cost_shape",
    "drop",
    "edge",
    "has_good_leaf",
    "leaf_drop_floor",
    "log_leaves_enough",
    "notes_drop_floor",
    "notes_log_leaves",
    "printed_log_leaves",
    "tree_drop_floor",
]

Floats = npt.NDArray[np.float64]

BOUNDED = ("gini", "entropy", "sqrt")
"""The costs for which there is a bound; the error has none."""


# -- one split ------------------------------------------------------------------------------------


def _as_split(tau: npt.ArrayLike, p: npt.ArrayLike, r: npt.ArrayLike) -> tuple[Floats, ...]:
    return as_probabilities("tau", tau), as_probabilities("p", p), as_probabilities("r", r)


def drop(tau: npt.ArrayLike, p: npt.ArrayLike, r: npt.ArrayLike, cost: str = "gini") -> Floats:
    """What a split takes off the cost of its leaf: ``G(q) - [(1-tau) G(p) + tau G(r)]`` (MN-DROP).

    Times Prob[leaf] it is what the split takes off the cost of the tree.

    Parameters
    ----------
    tau, p, r : arrays in [0, 1], broadcast against each other
        ``Pr[h = 1]``, and the fractions of positive inputs where h = 0 and where h = 1.
    cost : str
        A key of `dtviz.COST_FUNCTIONS`.

    Raises
    ------
    ValueError
        If tau, p or r is not within [0, 1], or cost is no such key.

    Examples
    --------
    >>> import dtviz as dt
    >>> for cost in dt.COST_FUNCTIONS:
    ...     print(f"{cost:8} {abs(dt.growing.drop(0.5, 0.6, 1.0, cost)):.4f}")
    error    0.0000
    gini     0.0800
    entropy  0.1182
    sqrt     0.1551
    """
    tau, p, r = _as_split(tau, p, r)
    G = COST_FUNCTIONS[as_one_of("cost", cost, COST_FUNCTIONS)]
    q = np.clip((1 - tau) * p + tau * r, 0, 1)
    lost: Floats = G(q) - ((1 - tau) * G(p) + tau * G(r))
    return lost


def edge(tau: npt.ArrayLike, p: npt.ArrayLike, r: npt.ArrayLike) -> Floats:
    """The edge of the predicate of a split on the balanced distribution of its leaf (MN-BALANCE).

    The balanced distribution gives weight 1/2 to the positive and 1/2 to the negative inputs of
    the leaf; the edge is ``Pr[h = f] - 1/2`` under it, in [-1/2, 1/2]. It satisfies
    ``tau (1-tau) (r-p) = 2 edge q (1-q)``. NaN where the leaf is pure: nothing to balance.

    Raises
    ------
    ValueError
        If tau, p or r is not within [0, 1].

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

    Raises
    ------
    ValueError
        If q is not within [0, 1], gamma not within [-1/2, 1/2], or tau not within (0, 1).

    Examples
    --------
    >>> import dtviz as dt
    >>> p, r = dt.growing.children(0.3, 0.1, 0.5)
    >>> round(float(p), 4), round(float(r), 4)
    (0.216, 0.384)
    >>> round(float(dt.growing.edge(0.5, p, r)), 4)
    0.1
    """
    q, between = as_probabilities("q", q), as_probabilities("tau", tau)
    if ((between == 0) | (between == 1)).any():
        msg = f"tau must be within (0, 1), got {shown(tau)}"
        raise ValueError(msg)
    g = as_numbers("gamma", gamma, "[-1/2, 1/2]")
    if (np.abs(g) > 0.5).any():
        msg = f"gamma must be within [-1/2, 1/2], got {shown(gamma)}"
        raise ValueError(msg)
    apart = 2 * g * q * (1 - q) / (between * (1 - between))
    return q - between * apart, q + (1 - between) * apart


# -- what a cost must be like ---------------------------------------------------------------------


@dataclass(frozen=True)
class CostShape:
    """How far a function on [0, 1] is from what a cost must be, measured on a grid.

    Attributes
    ----------
    asymmetry : float
        ``max |G(q) - G(1-q)|`` (claim MN-CRIT1).
    convexity : float
        The largest second difference, at most 0 for a concave function (claim MN-CRIT2).
    curvature : float
        The same, divided by the step squared: an upper bound on the second derivative, where there
        is one. Well below 0 if no piece of the graph is straight (claim MN-STRICT).
    ends, top : float
        ``max(|G(0)|, |G(1)|)`` and ``G(1/2)``.
    below_error : float
        ``max(min(q, 1-q) - G(q))``, at most 0 if G bounds the error (claim MN-GX).

    Examples
    --------
    >>> import dtviz as dt
    >>> shape = dt.growing.cost_shape(dt.COST_FUNCTIONS["error"])
    >>> shape.symmetric, shape.concave, shape.strictly_concave, shape.permissible
    (True, True, False, True)
    >>> shape.top, shape.below_error
    (0.5, 0.0)
    """

    asymmetry: float
    convexity: float
    curvature: float
    ends: float
    top: float
    below_error: float

    @property
    def symmetric(self) -> bool:
        """Whether ``G(q) = G(1-q)``."""
        return self.asymmetry <= ROUNDING

    @property
    def concave(self) -> bool:
        """Whether no chord lies above the graph; then no split raises the cost."""
        return self.convexity <= ROUNDING

    @property
    def strictly_concave(self) -> bool:
        """Whether no piece of the graph is straight, so far as the grid shows."""
        return self.curvature < -1e-6

    @property
    def permissible(self) -> bool:
        """Whether G is symmetric and concave with G(0) = G(1) = 0 and G(1/2) = 1/2.

        The class of Kearns and Mansour, who set G(1/2) = 1.
        """
        normal = self.ends <= ROUNDING and abs(self.top - 0.5) <= ROUNDING
        return self.symmetric and self.concave and normal


def cost_shape(G: Callable[[Floats], npt.ArrayLike], points: int = 4001) -> CostShape:
    """Measure a cost function on a grid of an odd number of points of [0, 1] (MN-CRIT1, MN-CRIT2).

    Parameters
    ----------
    G : callable
        Takes an array of numbers in [0, 1], and returns one of the same shape.
    points : int from 5 to 10,000,001
        How many; an even number is raised by one.

    Raises
    ------
    ValueError
        If G is not callable or does not return one finite number per point, or points is out of
        range.

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
        msg = f"G must be a function of an array, got {shown(G)}"
        raise ValueError(msg)
    points = as_integer("points", points, 5, 10_000_001)
    grid = np.linspace(0, 1, points | 1)
    value = np.asarray(G(grid), dtype=float)
    if value.shape != grid.shape or not np.isfinite(value).all():
        msg = f"G must return one finite number per point, got shape {value.shape}"
        raise ValueError(msg)
    bend = value[2:] - 2 * value[1:-1] + value[:-2]
    return CostShape(
        float(np.abs(value - value[::-1]).max()),
        float(bend.max()),
        float(bend.max() / grid[1] ** 2),
        float(max(abs(value[0]), abs(value[-1]))),
        float(value[grid.size // 2]),
        float((np.minimum(grid, 1 - grid) - value).max()),
    )


# -- the bounds under weak learning ---------------------------------------------------------------


def _as_gamma(gamma: object) -> float:
    return as_real("gamma", gamma, "(0, 1/2]", lambda g: 0 < g <= 0.5)


def _as_cost(name: str, value: npt.ArrayLike) -> Floats:
    total = as_probabilities(name, value)
    if (total > 0.5 + ROUNDING).any():
        msg = f"{name} must be within [0, 1/2], got {float(total.max())!r}"
        raise ValueError(msg)
    return total


def _as_count(name: str, value: npt.ArrayLike) -> Floats:
    number = as_numbers(name, value, "[1, inf)")
    if (number < 1).any():
        msg = f"{name} must be at least 1, got {shown(value)}"
        raise ValueError(msg)
    return number


def _as_cost_bound(epsilon: object) -> float:
    return as_real("epsilon", epsilon, "(0, 1/2]", lambda e: 0 < e <= 0.5)


def contraction(gamma: float) -> float:
    """``sqrt(1 - 4 gamma^2)``: what a split leaves of the cost sqrt(q(1-q)), at most (MN-DROP16).

    A round of AdaBoost multiplies its bound on the training error by the same factor.

    Raises
    ------
    ValueError
        If gamma is not a number in [0, 1/2].

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.growing.contraction(0.1), 6)
    0.979796
    """
    gamma = as_real("gamma", gamma, "[0, 1/2]", lambda g: 0 <= g <= 0.5)
    return math.sqrt((1 - 2 * gamma) * (1 + 2 * gamma))


def _kappa(gamma: float) -> float:
    """``1 - sqrt(1 - 4 gamma^2)``, without the difference."""
    return 4 * gamma**2 / (1 + contraction(gamma))


def leaf_drop_floor(q: npt.ArrayLike, gamma: npt.ArrayLike, cost: str = "gini") -> Floats:
    """The least drop of a leaf's cost by a predicate of edge ``gamma`` (claim MN-DROP16).

    Gini ``32 gamma^2 [q(1-q)]^2`` and sqrt ``(1 - sqrt(1 - 4 gamma^2)) sqrt(q(1-q))`` are attained;
    entropy has ``(4 / ln 2) gamma^2 q(1-q)``, the best constant as gamma goes to 0 at q = 1/2.
    ``gamma`` is in [0, 1/2], ``q`` in [0, 1]; arrays are broadcast.

    Raises
    ------
    ValueError
        If q or gamma is out of range, or cost is none of these three.

    Examples
    --------
    >>> import dtviz as dt
    >>> p, r = dt.growing.children(0.3, 0.1, 0.5)
    >>> round(float(dt.growing.leaf_drop_floor(0.3, 0.1)), 6)
    0.014112
    >>> round(float(dt.growing.drop(0.5, p, r)), 6)
    0.014112
    """
    q, g = as_probabilities("q", q), as_numbers("gamma", gamma, "[0, 1/2]")
    if (g < 0).any() or (g > 0.5).any():
        msg = f"gamma must be within [0, 1/2], got {shown(gamma)}"
        raise ValueError(msg)
    x = q * (1 - q)
    floor: Floats
    if as_one_of("cost", cost, BOUNDED) == "gini":
        floor = 32 * g**2 * x**2
    elif cost == "entropy":
        floor = 4 / math.log(2) * g**2 * x
    else:
        floor = 4 * g**2 / (1 + np.sqrt(1 - 4 * g**2)) * np.sqrt(x)
    return floor


def tree_drop_floor(
    G: npt.ArrayLike, leaves: npt.ArrayLike, gamma: float, cost: str = "gini"
) -> Floats:
    """What the best split takes off the cost G of a tree, at least (MN-REC, MN-TE, MN-TS, ours).

    Every leaf has a predicate of edge ``gamma`` or better; the best of ``leaves`` leaves does at
    least as well as the average. Gini ``8 gamma^2 G^2 / leaves``, entropy
    ``(4 / ln 2) gamma^2 G / (leaves log2(2/G))``, sqrt ``(1 - sqrt(1 - 4 gamma^2)) G / leaves``.

    Raises
    ------
    ValueError
        If G is not within [0, 1/2], leaves is below 1, gamma is not in (0, 1/2], or cost is none of
        these three.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.grow_function(dt.functions.majority(9))
    >>> floor = dt.growing.tree_drop_floor(path.costs[:-1], range(1, path.n_leaves), 1 / 18)
    >>> round(float((path.scores[:-1] / floor).min()), 2)
    6.06
    """
    total, number, gamma = _as_cost("G", G), _as_count("leaves", leaves), _as_gamma(gamma)
    floor: Floats
    if as_one_of("cost", cost, BOUNDED) == "gini":
        floor = 8 * gamma**2 * total**2 / number
    elif cost == "entropy":
        bits = np.log2(2 / np.maximum(total, np.finfo(float).tiny))
        floor = 4 / math.log(2) * gamma**2 * total / (number * bits)
    else:
        floor = _kappa(gamma) * total / number
    return floor


def cost_bound(log_leaves: npt.ArrayLike, gamma: float, cost: str = "gini") -> Floats:
    """The cost of the tree, at most, when it has that many leaves (MN-TG, MN-TE, MN-TS, repaired).

    With L = ``log_leaves`` = ln(t + 1): Gini ``1 / (2 + 8 gamma^2 L)``; entropy
    ``2 exp(-sqrt(4 ln(2)^2 + 8 gamma^2 L))``; sqrt ``exp(-kappa L) / 2`` with
    ``kappa = 1 - sqrt(1 - 4 gamma^2)``. The error is at most the cost.

    Raises
    ------
    ValueError
        If log_leaves is below 0, gamma is not in (0, 1/2], or cost is none of these three.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.growing.cost_bound([0, 100], 0.1).round(4).tolist()
    [0.5, 0.1]
    """
    L, gamma = as_numbers("log_leaves", log_leaves, "[0, inf)"), _as_gamma(gamma)
    if (L < 0).any():
        msg = f"log_leaves must be at least 0, got {shown(log_leaves)}"
        raise ValueError(msg)
    bound: Floats
    if as_one_of("cost", cost, BOUNDED) == "gini":
        bound = 1 / (2 + 8 * gamma**2 * L)
    elif cost == "entropy":
        bound = 2 * np.exp(-np.sqrt(4 * math.log(2) ** 2 + 8 * gamma**2 * L))
    else:
        bound = 0.5 * np.exp(-_kappa(gamma) * L)
    return bound


def log_leaves_enough(epsilon: float, gamma: float, cost: str = "gini") -> float:
    """``ln(t + 1)`` for the number t of splits after which the cost is at most ``epsilon``.

    The inverse of `cost_bound` (MN-TG, MN-TE, MN-TS, repaired): ``(1/epsilon - 2) / (8 gamma^2)``
    for Gini, ``(ln(2/epsilon)^2 - ln(4)^2) / (8 gamma^2)`` for entropy, for sqrt
    ``ln(1/(2 epsilon)) / kappa``, which is at most ``ln(1/(2 epsilon)) / (2 gamma^2)``.

    Raises
    ------
    ValueError
        If epsilon or gamma is not in (0, 1/2], or cost is none of these three.

    Examples
    --------
    >>> import dtviz as dt
    >>> import math
    >>> [round(dt.growing.log_leaves_enough(e, 0.1)) for e in (0.2, 0.1, 0.05, 0.01)]
    [37, 100, 225, 1225]
    >>> round(dt.growing.log_leaves_enough(0.1, 0.1, "sqrt") / math.log(10), 1)  # as a power of 10
    34.6
    """
    epsilon, gamma = _as_cost_bound(epsilon), _as_gamma(gamma)
    if as_one_of("cost", cost, BOUNDED) == "gini":
        return (1 / epsilon - 2) / (8 * gamma**2)
    if cost == "entropy":
        return (math.log(2 / epsilon) ** 2 - math.log(4) ** 2) / (8 * gamma**2)
    return -math.log(2 * epsilon) / _kappa(gamma)


def notes_drop_floor(G: npt.ArrayLike, splits: npt.ArrayLike, gamma: float) -> Floats:
    """The floor of the notes for Gini: ``gamma^2 G^3 / (8t)`` after t >= 1 splits (MN-REC).

    By Lemma 12.1 with the constant 2; `tree_drop_floor` does better.

    Raises
    ------
    ValueError
        If G is not within [0, 1/2], splits is below 1, or gamma is not in (0, 1/2].

    Examples
    --------
    >>> import dtviz as dt
    >>> round(float(dt.growing.notes_drop_floor(0.4, 10, 0.1)), 8)
    8e-06
    >>> round(float(dt.growing.tree_drop_floor(0.4, 11, 0.1)), 8)
    0.00116364
    """
    total, number, gamma = _as_cost("G", G), _as_count("splits", splits), _as_gamma(gamma)
    floor: Floats = gamma**2 * total**3 / (8 * number)
    return floor


def notes_log_leaves(epsilon: float, gamma: float) -> float:
    """``ln t`` that suffices for Gini by the recurrence of the notes: ``4 / (gamma epsilon)^2``.

    From ``1/G_t^2 >= 4 + gamma^2 ln(t) / 4`` (claim MN-TG).

    Raises
    ------
    ValueError
        If epsilon or gamma is not in (0, 1/2].

    Examples
    --------
    >>> import dtviz as dt
    >>> [round(dt.growing.notes_log_leaves(e, 0.1)) for e in (0.2, 0.1, 0.05, 0.01)]
    [8400, 38400, 158400, 3998400]
    """
    epsilon, gamma = _as_cost_bound(epsilon), _as_gamma(gamma)
    return 4 * (1 / epsilon**2 - 4) / gamma**2


def printed_log_leaves(epsilon: float, gamma: float, cost: str = "gini", c: float = 1.0) -> float:
    """``ln t`` of the bounds as the notes print them (claims MN-TG, MN-TE, MN-TS).

    Gini ``2^(c / (gamma epsilon)^2)`` is right; entropy ``2^(c / (gamma log2(1/epsilon))^2)``
    falls as epsilon does; sqrt ``(1/epsilon)^(c / gamma)`` has the wrong power of gamma.

    Raises
    ------
    ValueError
        If epsilon or gamma is not in (0, 1/2], c is not positive, or cost is none of these three.

    Examples
    --------
    >>> import dtviz as dt
    >>> import math
    >>> for epsilon in (0.25, 0.1, 0.01):
    ...     printed = dt.growing.printed_log_leaves(epsilon, 0.1, "entropy")
    ...     print(epsilon, round(printed / math.log(10), 2))
    0.25 7.53
    0.1 2.73
    0.01 0.68
    """
    epsilon, gamma = _as_cost_bound(epsilon), _as_gamma(gamma)
    c = as_real("c", c, "(0, inf)", lambda number: 0 < number < math.inf)
    if as_one_of("cost", cost, BOUNDED) == "gini":
        return math.log(2) * c / (gamma * epsilon) ** 2
    if cost == "entropy":
        return math.log(2) * c / (gamma * math.log2(epsilon)) ** 2
    return math.log(1 / epsilon) * c / gamma


# -- Lemma 12.1 -----------------------------------------------------------------------------------


def has_good_leaf(weights: npt.ArrayLike, errors: npt.ArrayLike, c: float = 1.5) -> bool:
    """Whether some leaf is both heavy and wrong (claim MN-L12.1).

    After t >= 1 splits, ``t + 1`` leaves of probability ``weights`` (sum 1) and ``errors`` in
    [0, 1/2]: is there one of weight at least ``E / (c t)`` and error at least ``E / c``, where E is
    the error of the tree? Always, for c >= 3/2.

    Raises
    ------
    ValueError
        If weights and errors do not have one number each for 2 leaves or more, an error is not
        within [0, 1/2], or c is not positive.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.growing.has_good_leaf([0.5, 0.25, 0.25], [0.0, 0.5, 0.1])
    True
    >>> weights, errors = dt.growing.adversarial_leaves(10, 1.4, 1e-5)
    >>> dt.growing.has_good_leaf(weights, errors, 1.4)
    False
    """
    weight = as_weights("weights", weights)
    wrong = as_probabilities("errors", errors)
    if wrong.shape != weight.shape or wrong.size < 2:
        msg = (
            "weights and errors must have one number each per leaf, for 2 leaves or more, "
            f"got {shown(weights)} and {shown(errors)}"
        )
        raise ValueError(msg)
    if (wrong > 0.5).any():
        msg = f"errors must be within [0, 1/2], got {shown(errors)}"
        raise ValueError(msg)
    c = as_real("c", c, "(0, inf)", lambda number: 0 < number < math.inf)
    total = float(weight @ wrong)
    heavy = weight >= total / (c * (weight.size - 1))
    return bool((heavy & (wrong >= total / c)).any())


def adversarial_leaves(splits: int, c: float, epsilon: float) -> tuple[Floats, Floats]:
    """The leaves that come nearest to refuting Lemma 12.1: their weights and their errors.

    Two arrays of shape ``(splits + 1,)`` (claim MN-L12.1). After t splits, t leaves weigh just
    under ``epsilon / (c t)`` and err as often as possible, on half of their inputs; the last errs
    on just under ``epsilon / c``. So none is good for an error of epsilon, and the error of the
    tree is near ``epsilon (3 - 2 epsilon / c) / (2c)``: above epsilon if c < 3/2 and epsilon is
    small.

    Raises
    ------
    ValueError
        If splits is not an integer from 1 to 10,000,000, c is not above 1, or epsilon is not in
        (0, 1/2].

    Examples
    --------
    >>> import dtviz as dt
    >>> weights, errors = dt.growing.adversarial_leaves(10, 1.2, 1e-5)
    >>> round(float(weights @ errors) / 1e-5, 4)
    1.25
    """
    t = as_integer("splits", splits, 1, 10_000_000)
    c = as_real("c", c, "(1, inf)", lambda number: 1 < number < math.inf)
    epsilon = _as_cost_bound(epsilon) * (1 - 1e-9)
    light = np.full(t, epsilon / (c * t))
    weights = np.append(light, 1 - light.sum())
    return weights, np.append(np.full(t, 0.5), epsilon / c)
