"""Structural risk minimization: one of the smallest prunings, at a price for each leaf."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer, as_number
from dtviz.core.tolerances import SAME_RISK
from dtviz.core.tree import Tree
from dtviz.pruning.decisions import Pruning, cut_fields
from dtviz.pruning.node_counts import GrownOn
from dtviz.pruning.smallest import smallest_prunings

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class SrmPruning(Pruning):
    """The choice of structural risk minimization, and what it chose from (claim MN-SRM).

    Attributes
    ----------
    front_n_leaves, front_errors : (F,) int arrays
        The corners of the staircase of K_d; between them only d grows, so nothing else can be best.
    objective : (F,) float array
        ``d/m + sqrt(factor K_d / m)`` at each.
    choice : int
        The corner chosen.
    factor : float
        The factor in the penalty.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> pruning = dt.pruning.srm_prune(tree, X, y, factor=0.1)
    >>> pruning.objective.round(3).tolist(), pruning.choice
    ([0.629, 0.349, 0.258], 2)
    """

    front_n_leaves: Ints
    front_errors: Ints
    objective: Floats
    choice: int
    factor: float


def srm_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    factor: float | Fraction = 1.0,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> SrmPruning:
    """Choose among the smallest prunings by structural risk minimization (claim MN-SRM).

    The pruning that minimizes ``d/m + sqrt(factor K_d / m)`` over d; the smallest if several do,
    which is decided exactly, without rounding. K_d counts leaves. With ``factor=1`` that is the
    source's formula, which is a rule of thumb: to bound the error of every tree by its value with
    high probability takes a logarithm of the number of tests, `log_factor`.

    Parameters
    ----------
    factor : float or Fraction >= 0
        The price of a leaf. A float is taken as the fraction that it is, so 0.3 is not quite 3/10.

    tree, X, y, sample_weight, grown_on, classes :
        See `node_counts`. The penalty is that of m independent examples, m being the sum of the
        weights, so the unit of the weights matters.

    Raises
    ------
    ValueError
        If ``factor`` is negative, NaN or infinite, or as `node_counts`.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> dt.pruning.srm_prune(tree, X, y)
    <SrmPruning: 4 -> 2 leaves, 0 -> 1 errors of 6>
    >>> dt.pruning.srm_prune(tree, X, y, factor=0.1)
    <SrmPruning: 4 -> 4 leaves, 0 -> 0 errors of 6>
    >>> dt.pruning.srm_prune(tree, X, y, sample_weight=[9, 9, 9, 9, 9, 9])
    <SrmPruning: 4 -> 4 leaves, 0 -> 0 errors of 54>
    """
    factor = as_number("factor", factor, "[0, inf)", lambda c: 0 <= c < math.inf)
    smallest = smallest_prunings(
        tree, X, y, sample_weight=sample_weight, grown_on=grown_on, classes=classes
    )
    m, sizes, errors = smallest.counts.m, smallest.front_n_leaves, smallest.front_errors
    corners = list(zip(sizes.tolist(), errors.tolist(), strict=True))
    objective = errors / m + np.sqrt(float(factor) * (sizes / m))
    best, *others = np.flatnonzero(objective <= objective.min() * (1 + SAME_RISK)).tolist()
    for other in others:
        if not _fewer_leaves_win(corners[best], corners[other], m, Fraction(factor)):
            best = other
    cut = cut_fields(smallest.counts, smallest.cuts(int(sizes[best])))
    return SrmPruning(*cut, sizes, errors, objective, best, float(factor))


Corner = tuple[int, int]
"""The leaves and the errors of a corner of the staircase."""


def _fewer_leaves_win(small: Corner, large: Corner, m: int, factor: Fraction) -> bool:
    """Whether the corner with fewer leaves, k of K, has at most the risk of the other; in integers.

    It makes a > 0 errors more. With ``F = factor m`` it wins if ``a <= sqrt(F K) - sqrt(F k)``;
    squared, if ``2 F sqrt(k K) <= F (k + K) - a^2``; and squared once more.
    """
    (k, errors), (K, fewer) = small, large
    F, unit = factor.numerator * m, factor.denominator
    rest = F * (k + K) - (errors - fewer) ** 2 * unit
    return rest >= 0 and 4 * F * F * k * K <= rest * rest


def log_factor(n: int, n_classes: int = 2) -> float:
    """``ln(4 k n) / 2`` for n tests and k classes: a factor for `srm_prune` that proves something.

    There are fewer than ``(4 k n)^s`` trees with at most s leaves (claim EH-L1ii-CH), so by
    Hoeffding's inequality, with probability at least ``1 - delta``, every tree of every size s, the
    pruned ones included, has error at most its error rate on the sample plus
    ``sqrt(s log_factor + ln(s (s+1) / delta) / 2) / sqrt(m)``.

    Parameters
    ----------
    n : int >= 1
        The number of tests that a node may make, the number of variables for bits.
    n_classes : int >= 2

    Raises
    ------
    ValueError
        If n is not an integer >= 1, or n_classes not one >= 2.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.pruning.log_factor(30 * 569), 2)  # 30 columns, 285 examples
    5.91
    """
    tests, k = as_integer("n", n, 1), as_integer("n_classes", n_classes, 2)
    return math.log(4 * k * tests) / 2
