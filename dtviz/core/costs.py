"""Costs of a leaf: how far its labels are from being all alike.

Each criterion is a class of ``dtviz.core.criteria``; here are the functions under their own names.
Logarithms are to base 2, and 0 log 0 = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_numbers, as_repr, broadcast
from dtviz.core.criteria import CRITERIA, check_shares, minus_log

Floats = npt.NDArray[np.float64]


class _Table(Mapping[str, Callable[[npt.ArrayLike], Any]]):
    """One method of every criterion, by name."""

    def __init__(self, method: str) -> None:
        self.method = method

    def __getitem__(self, name: str) -> Callable[[npt.ArrayLike], Any]:
        function: Callable[[npt.ArrayLike], Any] = getattr(CRITERIA[name], self.method)
        return function

    def __iter__(self) -> Iterator[str]:
        return iter(CRITERIA)

    def __len__(self) -> int:
        return len(CRITERIA)


COST_FUNCTIONS = _Table("of_share")
"""The costs G(q) of ``CRITERIA``; the book's four have ``G(1/2) = 1/2`` (claim MN-F12.4).

Each takes a share in [0, 1] or an array of them, and returns a number or an array of that shape; a
ValueError if one is outside.
"""


def gini(p: npt.ArrayLike) -> Any:
    """Gini impurity, ``sum_k p_k (1 - p_k)`` (claim CU-GINI).

    Parameters
    ----------
    p : (..., c) array
        Shares of the c classes along the last axis: in [0, 1], with sum 1.

    Returns
    -------
    number or (...) array
        In ``[0, 1 - 1/c]``: 0 for a pure leaf, the most where all classes are alike. The chance
        that two random examples of the leaf, drawn with replacement, differ in class.

    Raises
    ------
    ValueError
        If ``p`` does not consist of probability vectors.

    Examples
    --------
    >>> import dtviz as dt
    >>> float(dt.impurity.gini([0.5, 0.5])), float(dt.impurity.gini([1, 0]))
    (0.5, 0.0)
    """
    return CRITERIA["gini"].of_shares(p)


def entropy(p: npt.ArrayLike) -> Any:
    """Entropy in bits, ``-sum_k p_k log2(p_k)``, in ``[0, log2 c]`` (claim CU-H).

    Argument, shape of the result and errors are those of `gini`.

    Examples
    --------
    >>> import dtviz as dt
    >>> float(dt.impurity.entropy([0.5, 0.5])), float(dt.impurity.entropy([0.25, 0.25, 0.25, 0.25]))
    (1.0, 2.0)
    """
    return minus_log(check_shares("p", p)).sum(axis=-1)[()]


def kl(p: npt.ArrayLike, q: npt.ArrayLike) -> Any:
    """Kullback-Leibler divergence in bits, ``sum_k p_k log2(p_k / q_k)`` (claim CU-KL).

    Parameters
    ----------
    p, q : (..., c) arrays
        Probability vectors along the last axis; the other axes are broadcast.

    Returns
    -------
    number or (...) array
        At least 0, and 0 just where p = q; infinite where some ``q_k = 0 < p_k``.

    Raises
    ------
    ValueError
        If ``p`` or ``q`` does not hold shares that sum to 1, or their shapes do not fit.

    Examples
    --------
    >>> import dtviz as dt
    >>> float(dt.impurity.kl([1, 0], [0.5, 0.5]))
    1.0
    """
    p, q = check_shares("p", p), check_shares("q", q)
    if p.shape[-1] != q.shape[-1]:
        msg = f"q must have as many classes as p, {p.shape[-1]}, got {q.shape[-1]}"
        raise ValueError(msg)
    broadcast(p=p, q=q)
    with np.errstate(divide="ignore"):
        logs = np.log2(np.where(p > 0, p, 1)) - np.log2(np.where(p > 0, q, 1))
    terms = p * logs
    # Rounding may leave the sum a little below 0.
    return np.maximum(terms.sum(axis=-1), 0.0)[()]


CLASS_COST_FUNCTIONS = _Table("of_shares")
"""`COST_FUNCTIONS` for vectors of class shares: each is concave, symmetric, 0 at a pure leaf.

``1 - max p``, `gini`, half of `entropy`, and ``sum_{j<k} sqrt(p_j p_k)``. With two classes they are
``COST_FUNCTIONS[name](p[..., 0])``. The last is this book's choice: like Gini, ``2 sum_{j<k} p_j
p_k``, it sums a binary cost over the pairs of classes, and it stays concave. Arguments and errors
are those of `gini`.
"""


def squared_loss(y: npt.ArrayLike) -> float:
    """Squared loss of a leaf: the mean squared deviation from the mean label (claim CU-CART-L).

    ``y`` is a flat, non-empty array of numbers within 1e140, so that squares are floats. For 0/1
    labels it is half of Gini.

    A ValueError if ``y`` is not flat, empty, or holds anything but such numbers.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.impurity.squared_loss([1, 2, 6, 7])
    6.5
    """
    labels = as_numbers("y", y, "[-1e140, 1e140]")
    if labels.ndim != 1 or labels.size == 0 or np.abs(labels).max() > 1e140:
        msg = f"y must be a flat, non-empty array of numbers within 1e140, got {as_repr(y)}"
        raise ValueError(msg)
    return float(np.mean((labels - labels.mean()) ** 2))
