"""Costs between the named ones: the Beta family of proper losses, and one line through all of it.

For two classes, ``G_a`` is the concave symmetric function with ``G(0) = 0``, ``G(1/2) = 1/2`` and
``-G''`` proportional to ``(q (1-q))^(a-1)``. ``a = -1/2`` is the square root, 0 entropy, 1 Gini,
and the limit of infinite a is the error. Source: Buja, Stuetzle and Shen (2005), who weigh the
shares of one class by this function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from dtviz.core.bases import Floats
from dtviz.core.cart.criteria import CRITERIA, Criterion
from dtviz.core.checks import as_real

__all__ = ["STOPS", "BetaCost", "cost_at", "exponent_at"]


STOPS = ("sqrt", "entropy", "gini", "error")
"""The costs at the positions 0, 1, 2 and 3: the exponents a are -1/2, 0, 1 and infinite."""

RATES = (2.0, 1.0, 0.5, 0.0)
"""``1 / (1 + a)`` there. In between it is linear in the position."""

TERMS = 54
"""Of a series in q <= 1/2: the others are below the rounding of the first."""

STEEP = 4.0
"""From this a on, G is in a table: terms of the series would cancel."""

CELLS = 256
"""Of that table."""

THINNEST = 40.0
"""The table begins where the curvature is below ``exp(-40)`` of that at q = 1/2."""

GAUSS = ((-math.sqrt(0.6), 5 / 18), (0.0, 8 / 18), (math.sqrt(0.6), 5 / 18))
"""Places within a cell, from -1 to 1, and weights of the rule of Gauss with three of them."""

PANELS = 64
"""On each side of a leaf's share, where the drop of a vote is an integral."""


class _Table(NamedTuple):
    """The double integral of the curvature, in cells of width ``step`` in ``2q`` from ``start``."""

    start: float
    step: float
    area: Floats
    slope: Floats
    curvature: Floats


@dataclass(frozen=True)
class BetaCost(Criterion):
    """A cost of the Beta family, for two classes: ``-G''`` is proportional to ``(q (1-q))^(a-1)``.

    Parameters
    ----------
    a : float, at least -0.9
        -1/2 is the square root, 0 entropy, 1 Gini; the larger, the nearer to the error. G is right
        to 1e-13 for a from -0.9 to 300, which tests hold against 60 digits.

    Attributes
    ----------
    name : str
        What paths and pictures call it, such as "beta(0.3)".

    Examples
    --------
    >>> import dtviz as dt
    >>> cost = dt.impurity.BetaCost(0.3)
    >>> [round(float(cost.of_share(q)), 4) for q in (0, 0.1, 0.5)]
    [0.0, 0.212, 0.5]
    >>> X, y = [[1], [2], [3], [4]], [0, 1, 1, 0]
    >>> dt.grow(X, y, cost)
    <ImpurityPath: 2 splits, beta(0.3) 0.5 -> 0>
    >>> dt.grow(X, ["a", "b", "c", "c"], cost)
    Traceback (most recent call last):
        ...
    ValueError: cost must be one of error, gini, entropy, sqrt where there are more than two \
classes, got beta(0.3) for 3
    """

    a: float

    def __post_init__(self) -> None:
        a = as_real("a", self.a, "[-0.9, inf)", lambda a: -0.9 <= a < math.inf)
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "name", f"beta({a:.4g})")

    def check_classes(self, n_classes: int) -> None:
        """Raise a ValueError if there are more than two."""
        if n_classes > 2:
            rule = (
                f"cost must be one of {', '.join(CRITERIA)} where there are more than two classes"
            )
            raise ValueError(f"{rule}, got {self.name} for {n_classes}")

    def share_cost(self, q: Any) -> Any:
        """By a series in the smaller share, or from the table."""
        q = np.minimum(q, 1 - q)
        if self.a < STEEP:
            return self._by_series(q) / self._scale
        start, step, area, slope, curvature = self._table
        place = np.maximum(2 * q - start, 0) / step
        cell = np.minimum(place.astype(np.intp), CELLS - 1)
        u = place - cell
        # The polynomial of degree 5 with the value, slope and curvature of both ends.
        first, second = step * slope[cell], step * step * curvature[cell] / 2
        rest = area[cell + 1] - area[cell] - first - second
        tilt = step * slope[cell + 1] - first - 2 * second
        bend = step * step * curvature[cell + 1] - 2 * second
        fifth = 6 * rest - 3 * tilt + bend / 2
        fourth = 7 * tilt - 15 * rest - bend
        third = 10 * rest - 4 * tilt + bend / 2
        lost = area[cell] + u * (first + u * (second + u * (third + u * (fourth + u * fifth))))
        return (2 * slope[-1] * q - lost) / self._scale

    def vote_drop(self, gamma: float, s: Floats) -> Floats:
        """The difference, or where it is small the integral of ``-G''`` under a hat.

        G less its chord is the integral of ``-G''(u)`` times what the chord from p to r takes off a
        hat with its top at s; in the logits of u the integrand is smooth.
        """
        before = self.share_cost(s)
        a, b = 0.5 + gamma, 0.5 - gamma
        for_one = s * a + (1 - s) * b
        p, r = s * b / (1 - for_one), s * a / for_one
        after = for_one * self.share_cost(r) + (1 - for_one) * self.share_cost(p)
        drop = np.zeros_like(s)
        width = math.log(a / b) / PANELS
        places = width * (np.arange(PANELS)[:, None] + 0.5 + 0.5 * np.array(GAUSS)[:, 0]).ravel()
        weights = np.tile(width * np.array(GAUSS)[:, 1], PANELS)
        odds = s / (1 - s)
        for sign, end, share in ((-1, p, 1 - for_one), (1, r, for_one)):
            far = odds[:, None] * np.exp(sign * places)
            u = far / (1 + far)
            hat = share[:, None] * np.abs(u - end[:, None])
            drop += (self._bent(u) * u / (1 + far) * hat) @ weights
        plain = before - after
        return np.where(plain > 1e-3 * before, plain, drop)

    # -- the two ways to G -------------------------------------------------------------------------

    @cached_property
    def _scale(self) -> float:
        """What makes ``G(1/2) = 1/2``."""
        if self.a < STEEP:
            return 2 * float(self._by_series(np.array(0.5)))
        return 2 * float(self._table.slope[-1] - self._table.area[-1])

    @cached_property
    def _series(self) -> tuple[float, list[float]]:
        """Of ``(1 - q)^(a-1)``, integrated once at 1/2, and twice: the coefficients from q on."""
        at_half, factor, terms = 0.0, 1.0, []
        for k in range(1, TERMS):
            factor *= (k - self.a) / k
            at_half += factor * 0.5**k / (self.a + k)
            terms.append(factor / ((self.a + k) * (self.a + k + 1)))
        return at_half, terms

    def _by_series(self, q: Any) -> Any:
        """G up to a factor, for q <= 1/2. What would cancel near a = 0 is ``((2q)^a - 1) / a``."""
        at_half, terms = self._series
        log = np.log(2 * np.maximum(q, np.finfo(float).tiny))
        power = np.exp(self.a * log)
        joined = np.expm1(self.a * log) / self.a if abs(self.a) > 1e-30 else log
        tail = np.zeros_like(q)
        for term in reversed(terms):
            tail = (tail + term) * q
        return q * ((1 - joined) / (self.a + 1) + at_half - power * tail)

    @cached_property
    def _table(self) -> _Table:
        """The curvature is ``(4 q (1-q))^(a-1) = (1 - t^2)^(a-1)``, ``t = 1 - 2q``."""
        far = min(1.0, math.sqrt(THINNEST / (self.a - 1)))
        step = far / CELLS
        ends = far - step * np.arange(CELLS + 1)
        within = step / 2 * (1 + np.array(GAUSS)[:, 0])
        bent = self._thin(ends[:-1, None] - within) * step * np.array(GAUSS)[:, 1]
        slope = np.concatenate([[0.0], bent.sum(axis=1).cumsum()])
        area = (step * slope[:-1] + (bent * (step - within)).sum(axis=1)).cumsum()
        area = np.concatenate([[0.0], area])
        return _Table(1 - far, step, area, slope, self._thin(ends))

    def _thin(self, t: Any) -> Any:
        with np.errstate(divide="ignore"):
            return np.exp((self.a - 1) * np.log1p(-np.minimum(t * t, 1)))

    def _bent(self, u: Any) -> Any:
        """``-G''``."""
        if self.a < STEEP:
            return 2**self.a * (u * (1 - u)) ** (self.a - 1) / self._scale
        return 4 * self._thin(1 - 2 * u) / self._scale


def exponent_at(position: float) -> float:
    """The exponent a at a position from 0 to 3, infinite at 3."""
    k = min(int(position), 2)
    rate = RATES[k] + (RATES[k + 1] - RATES[k]) * (position - k)
    return 1 / rate - 1 if rate else math.inf


@lru_cache(maxsize=256)
def _between(position: float) -> BetaCost:
    """Keep the tables of a cost while a slider stays near."""
    return BetaCost(exponent_at(position))


def cost_at(position: float) -> Criterion:
    """The cost at a place of the line through the square root, entropy, Gini and the error.

    Parameters
    ----------
    position : float in [0, 3]
        0, 1, 2 and 3 are the criteria "sqrt", "entropy", "gini" and "error". In between are those
        of `BetaCost`: ``1 / (1 + a)`` is linear from each to the next, 2, 1, 1/2 and 0.

    Examples
    --------
    >>> import dtviz as dt
    >>> [dt.impurity.cost_at(s) for s in (1, 1.5, 2, 2.9)]
    [<criterion entropy>, BetaCost(a=0.33...), <criterion gini>, BetaCost(a=18.99...)]
    """
    position = as_real("position", position, "[0, 3]", lambda s: 0 <= s <= 3)
    if position.is_integer():
        return CRITERIA[STOPS[int(position)]]
    return _between(position)
