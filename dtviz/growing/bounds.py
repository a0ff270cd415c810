"""Chapter 5, growing by cost functions: the bounds of the analysis, under weak learning.

Every leaf has a predicate of edge gamma. A tree after t splits has t + 1 leaves; logarithms are
natural, because bounds on t overflow any float. Sources and letters as in
``dtviz.growing.one_split``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats
from dtviz.core.checks import (
    as_integer,
    as_numbers,
    as_probabilities,
    as_real,
    as_repr,
    as_weights,
    broadcast,
    look_up,
)
from dtviz.core.tolerances import ROUNDING

TINY = float(np.finfo(float).tiny)


def _as_half(name: str, value: object) -> float:
    return as_real(name, value, "(0, 1/2]", lambda number: 0 < number <= 0.5)


def contraction(gamma: float) -> float:
    """``sqrt(1 - 4 gamma^2)``: the most a split leaves of the cost sqrt(q(1-q)) (claim MN-DROP16).

    ``gamma`` is in [0, 1/2]. A round of AdaBoost has the same factor in its bound on the error.

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


class _Bounds(NamedTuple):
    """What is known of one cost; ``log_leaves`` gives a numerator and a denominator."""

    leaf_drop: Callable[[Floats, Floats], Floats]
    tree_drop: Callable[[Floats, Floats, float], Floats]
    cost: Callable[[Floats, float], Floats]
    log_leaves: Callable[[float, float], tuple[float, float]]


BOUNDS: Mapping[str, _Bounds] = MappingProxyType(
    {
        "gini": _Bounds(
            leaf_drop=lambda x, g: 32 * g**2 * x**2,
            tree_drop=lambda G, leaves, g: 8 * g**2 * G**2 / leaves,
            cost=lambda L, g: 1 / (2 + 8 * g**2 * L),
            log_leaves=lambda epsilon, g: (1 / epsilon - 2, 8 * g**2),
        ),
        "entropy": _Bounds(
            leaf_drop=lambda x, g: 4 / math.log(2) * g**2 * x,
            tree_drop=lambda G, leaves, g: (
                4 / math.log(2) * g**2 * G / np.log2(2 / np.maximum(G, TINY)) / leaves
            ),
            cost=lambda L, g: 2 * np.exp(-np.sqrt(4 * math.log(2) ** 2 + 8 * g**2 * L)),
            log_leaves=lambda epsilon, g: (
                (math.log(2) - math.log(epsilon)) ** 2 - math.log(4) ** 2,
                8 * g**2,
            ),
        ),
        "sqrt": _Bounds(
            leaf_drop=lambda x, g: 4 * g**2 / (1 + np.sqrt(1 - 4 * g**2)) * np.sqrt(x),
            tree_drop=lambda G, leaves, g: _kappa(g) * G / leaves,
            cost=lambda L, g: 0.5 * np.exp(-_kappa(g) * L),
            log_leaves=lambda epsilon, g: (-math.log(2 * epsilon), _kappa(g)),
        ),
    }
)

BOUNDED = tuple(BOUNDS)
"""The costs for which there is a bound; the error has none."""


def leaf_drop_floor(q: npt.ArrayLike, gamma: npt.ArrayLike, cost: str = "gini") -> Floats:
    """The least drop of a leaf's cost by a predicate of edge ``gamma`` (claim MN-DROP16).

    Gini ``32 gamma^2 [q(1-q)]^2`` and sqrt ``(1 - sqrt(1 - 4 gamma^2)) sqrt(q(1-q))`` are attained;
    entropy has ``(4 / ln 2) gamma^2 q(1-q)``, the best constant as gamma goes to 0 at q = 1/2.
    ``gamma`` is in [0, 1/2], ``q`` in [0, 1]; arrays are broadcast.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(float(dt.growing.leaf_drop_floor(0.3, 0.1)), 6)
    0.014112
    """
    q, g = broadcast(
        q=as_probabilities("q", q), gamma=as_numbers("gamma", gamma, "[0, 1/2]", 0, 0.5)
    )
    return look_up("cost", cost, BOUNDS).leaf_drop(q * (1 - q), g)


def tree_drop_floor(
    G: npt.ArrayLike, leaves: npt.ArrayLike, gamma: float, cost: str = "gini"
) -> Floats:
    """What the best split takes off the cost G of a tree, at least (OURS-GROW-GINI, MN-TE, MN-TS).

    Every leaf has a predicate of edge ``gamma`` > 0 or better; the best of ``leaves`` leaves does
    as well as the average. Gini ``8 gamma^2 G^2 / leaves``, entropy
    ``(4 / ln 2) gamma^2 G / (leaves log2(2/G))``, sqrt ``(1 - sqrt(1 - 4 gamma^2)) G / leaves``.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.grow_function(dt.functions.majority(9))
    >>> floor = dt.growing.tree_drop_floor(path.costs[:-1], range(1, path.n_leaves), 1 / 18)
    >>> round(float((path.scores[:-1] / floor).min()), 2)
    6.06
    """
    total, number = broadcast(
        G=as_numbers("G", G, "[0, 1/2]", 0, 0.5 + ROUNDING),
        leaves=as_numbers("leaves", leaves, "[1, inf)", 1),
    )
    return look_up("cost", cost, BOUNDS).tree_drop(total, number, _as_half("gamma", gamma))


def cost_bound(log_leaves: npt.ArrayLike, gamma: float, cost: str = "gini") -> Floats:
    """The cost of the tree, at most, when it has that many leaves (OURS-GROW-GINI, MN-TE, MN-TS).

    With L = ``log_leaves`` = ln(t + 1): Gini ``1 / (2 + 8 gamma^2 L)``; entropy
    ``2 exp(-sqrt(4 ln(2)^2 + 8 gamma^2 L))``; sqrt ``exp(-kappa L) / 2`` with
    ``kappa = 1 - sqrt(1 - 4 gamma^2)``, ``gamma`` in (0, 1/2]. The error is at most the cost.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.growing.cost_bound([0, 100], 0.1).round(4).tolist()
    [0.5, 0.1]
    """
    L, gamma = as_numbers("log_leaves", log_leaves, "[0, inf)", 0), _as_half("gamma", gamma)
    return look_up("cost", cost, BOUNDS).cost(L, gamma)


def log_leaves_enough(epsilon: float, gamma: float, cost: str = "gini") -> float:
    """``ln(t + 1)`` for the number t of splits after which the cost is at most ``epsilon``.

    The inverse of `cost_bound` (OURS-GROW-GINI, MN-TE, MN-TS): ``(1/epsilon - 2) / (8 gamma^2)``
    for Gini, ``(ln(2/epsilon)^2 - ln(4)^2) / (8 gamma^2)`` for entropy, for sqrt
    ``ln(1/(2 epsilon)) / kappa``, which is at most ``ln(1/(2 epsilon)) / (2 gamma^2)``.

    Examples
    --------
    >>> import dtviz as dt
    >>> [round(dt.growing.log_leaves_enough(e, 0.1)) for e in (0.2, 0.1, 0.05, 0.01)]
    [37, 100, 225, 1225]
    """
    epsilon, gamma = _as_half("epsilon", epsilon), _as_half("gamma", gamma)
    above, below = look_up("cost", cost, BOUNDS).log_leaves(epsilon, gamma)
    if below == 0:  # gamma^2 is below all floats
        return math.inf if above > 0 else 0.0
    return above / below


def has_good_leaf(weights: npt.ArrayLike, errors: npt.ArrayLike, c: float = 1.5) -> bool:
    """Whether some leaf is both heavy and impure (claim MN-L12.1).

    After t >= 1 splits, ``t + 1`` leaves of probability ``weights`` (sum 1) and ``errors`` in
    [0, 1/2]: is there one of weight at least ``E / (c t)`` and error at least ``E / c``, where E is
    the error of the tree? Always, for c >= 3/2.

    Examples
    --------
    >>> import dtviz as dt
    >>> weights, errors = dt.growing.adversarial_leaves(10, 1.4, 1e-5)
    >>> dt.growing.has_good_leaf(weights, errors, 1.4)
    False
    """
    weight = as_weights("weights", weights)
    wrong = as_numbers("errors", errors, "[0, 1/2]", 0, 0.5)
    if wrong.shape != weight.shape or wrong.size < 2:
        msg = (
            "weights and errors must have one number each per leaf, for 2 leaves or more, "
            f"got {as_repr(weights)} and {as_repr(errors)}"
        )
        raise ValueError(msg)
    c = as_real("c", c, "(0, inf)", lambda number: 0 < number < math.inf)
    total = float(weight @ wrong)
    heavy = weight >= total / (c * (weight.size - 1))
    return bool((heavy & (wrong >= total / c)).any())


def adversarial_leaves(splits: int, c: float, epsilon: float) -> tuple[Floats, Floats]:
    """The leaves that come nearest to refuting MN-L12.1: their weights and their errors.

    Two arrays of shape ``(splits + 1,)``, for at most 10,000,000 splits. After t splits, t leaves
    weigh just under ``epsilon / (c t)`` and err on half of their inputs; the last errs on almost
    ``epsilon / c``. So none is good for an error of epsilon, and the error of the tree is near
    ``epsilon (3 - 2 epsilon / c) / (2c)``: above epsilon if 1 < c < 3/2 and epsilon is small.

    Examples
    --------
    >>> import dtviz as dt
    >>> weights, errors = dt.growing.adversarial_leaves(10, 1.2, 1e-5)
    >>> round(float(weights @ errors) / 1e-5, 4)
    1.25
    """
    t = as_integer("splits", splits, 1, 10_000_000)
    c = as_real("c", c, "(1, inf)", lambda number: 1 < number < math.inf)
    epsilon = _as_half("epsilon", epsilon) * (1 - 1e-9)
    light = np.full(t, epsilon / (c * t))
    weights = np.append(light, 1 - light.sum())
    return weights, np.append(np.full(t, 0.5), epsilon / c)
