"""Costs of a leaf: how far its labels are from being all alike.

For two classes a cost is a function G of the share q of one class: concave, symmetric, 0 where the
leaf is pure, and, in this book, 1/2 where q = 1/2 (claims MN-GMIN, MN-GINI, MN-ENT, MN-SQRT). For
any number of classes it is a function of the vector p of their shares (claims CU-GINI, CU-H), and
`CLASS_COST_FUNCTIONS` extends each of the four: with two classes it is the same number. Logarithms
are to base 2, and 0 log 0 = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_array, shown
from dtviz.core.tolerances import SLACK

__all__ = ["CLASS_COST_FUNCTIONS", "COST_FUNCTIONS", "entropy", "gini", "kl", "squared_loss"]

Floats = npt.NDArray[np.float64]


def error_cost(q: npt.ArrayLike) -> Any:
    """The error of the better label, ``min(q, 1-q)`` (claim MN-GMIN)."""
    q = _checked_share(q)
    return np.minimum(q, 1 - q)[()]


def gini_cost(q: npt.ArrayLike) -> Any:
    """``2 q (1-q)`` (claim MN-GINI)."""
    q = _checked_share(q)
    return (2 * q * (1 - q))[()]


def entropy_cost(q: npt.ArrayLike) -> Any:
    """Half the binary entropy in bits, ``H(q) / 2`` (claim MN-ENT)."""
    q = _checked_share(q)
    return ((_minus_log(q) + _minus_log(1 - q)) / 2)[()]


def sqrt_cost(q: npt.ArrayLike) -> Any:
    """``sqrt(q (1-q))`` (claim MN-SQRT)."""
    q = _checked_share(q)
    return np.sqrt(q * (1 - q))[()]


COST_FUNCTIONS: Mapping[str, Callable[[npt.ArrayLike], Any]] = MappingProxyType(
    {"error": error_cost, "gini": gini_cost, "entropy": entropy_cost, "sqrt": sqrt_cost}
)
"""The four costs G(q), ``G(1/2) = 1/2``, from the smallest to the largest (claim MN-F12.4).

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
    p = _checked_shares("p", p)
    return (p * (1 - p)).sum(axis=-1)[()]


def entropy(p: npt.ArrayLike) -> Any:
    """Entropy in bits, ``-sum_k p_k log2(p_k)``, in ``[0, log2 c]`` (claim CU-H).

    Argument, shape of the result and errors are those of `gini`.

    Examples
    --------
    >>> import dtviz as dt
    >>> float(dt.impurity.entropy([0.5, 0.5])), float(dt.impurity.entropy([0.25, 0.25, 0.25, 0.25]))
    (1.0, 2.0)
    """
    return _minus_log(_checked_shares("p", p)).sum(axis=-1)[()]


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
    p, q = _checked_shares("p", p), _checked_shares("q", q)
    if p.shape[-1] != q.shape[-1]:
        msg = f"q must have as many classes as p, {p.shape[-1]}, got {q.shape[-1]}"
        raise ValueError(msg)
    try:
        p, q = np.broadcast_arrays(p, q)
    except ValueError:
        msg = f"q must have a shape that broadcasts with that of p, {p.shape}, got {q.shape}"
        raise ValueError(msg) from None
    with np.errstate(divide="ignore"):
        logs = np.log2(np.where(p > 0, p, 1)) - np.log2(np.where(p > 0, q, 1))
    terms = p * logs
    # Rounding may leave the sum a little below 0.
    return np.maximum(terms.sum(axis=-1), 0.0)[()]


def _class_error(p: npt.ArrayLike) -> Any:
    """The error of the best label, ``1 - max_k p_k``."""
    return (1 - _checked_shares("p", p).max(axis=-1))[()]


def _class_entropy(p: npt.ArrayLike) -> Any:
    """Half the entropy in bits."""
    return entropy(p) / 2


def _class_sqrt(p: npt.ArrayLike) -> Any:
    """``sum_{j<k} sqrt(p_j p_k)``: as Gini, the binary cost summed over pairs of classes.

    Equal to ``((sum_k sqrt(p_k))^2 - 1) / 2``, concave since (sum sqrt)^2 is.
    """
    roots = np.sqrt(_checked_shares("p", p))
    return np.maximum((roots.sum(axis=-1) ** 2 - 1) / 2, 0.0)[()]


CLASS_COST_FUNCTIONS: Mapping[str, Callable[[npt.ArrayLike], Any]] = MappingProxyType(
    {"error": _class_error, "gini": gini, "entropy": _class_entropy, "sqrt": _class_sqrt}
)
"""`COST_FUNCTIONS` for vectors of class shares: each is concave, symmetric, 0 at a pure leaf.

``1 - max p``, `gini`, half of `entropy`, and ``sum_{j<k} sqrt(p_j p_k)``. With two classes they are
``COST_FUNCTIONS[name](p[..., 0])``. The last is this book's choice: like Gini, ``2 sum_{j<k} p_j
p_k``, it sums a binary cost over the pairs of classes, and it stays concave. Arguments and errors
are those of `gini`.
"""


def squared_loss(y: npt.ArrayLike) -> float:
    """Squared loss of a leaf: the mean squared deviation from the mean label (claim CU-CART-L).

    ``y`` is a flat, non-empty array of finite numbers. For 0/1 labels it is half of Gini.

    Raises
    ------
    ValueError
        If ``y`` is not flat, empty, or holds anything but finite numbers.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.impurity.squared_loss([1, 2, 6, 7])
    6.5
    """
    labels = as_array(y)
    if labels is None or labels.ndim != 1 or labels.size == 0 or labels.dtype.kind not in "biuf":
        msg = f"y must be a flat, non-empty array of numbers, got {shown(y)}"
        raise ValueError(msg)
    labels = labels.astype(np.float64)
    if not np.isfinite(labels).all():
        k = int(np.isfinite(labels).argmin())
        msg = f"y must be finite numbers, got {labels[k]} at index {k}"
        raise ValueError(msg)
    return float(np.mean((labels - labels.mean()) ** 2))


def _minus_log(p: Floats) -> Floats:
    """``-p log2(p)``, 0 at 0; never -0."""
    logs: Floats = p * -np.log2(np.where(p > 0, p, 1))
    return logs + 0.0


def _checked_share(value: npt.ArrayLike) -> Floats:
    """Return shares as floats within [0, 1]."""
    share = as_array(value)
    if share is None or share.dtype.kind not in "biuf":
        msg = f"q must be a number or an array of numbers in [0, 1], got {shown(value)}"
        raise ValueError(msg)
    return _within_unit("q", share.astype(np.float64))


def _within_unit(name: str, share: Floats) -> Floats:
    wrong = ~((share >= -SLACK) & (share <= 1 + SLACK))
    if wrong.any():
        where = np.unravel_index(int(wrong.argmax()), share.shape)
        place = ", ".join(str(int(k)) for k in where)
        msg = f"{name} must be in [0, 1], got {share[where]:g}" + (place and f" at index {place}")
        raise ValueError(msg)
    return np.clip(share, 0.0, 1.0)


def _checked_shares(name: str, value: npt.ArrayLike) -> Floats:
    """Return probability vectors as floats."""
    share = as_array(value)
    if share is None or share.dtype.kind not in "biuf" or share.ndim == 0 or share.shape[-1] == 0:
        msg = f"{name} must be probability vectors along the last axis, got {shown(value)}"
        raise ValueError(msg)
    share = _within_unit(name, share.astype(np.float64))
    total = share.sum(axis=-1)
    wrong = np.abs(total - 1) > SLACK * share.shape[-1]
    if wrong.any():
        first = float(total.ravel()[int(wrong.argmax())])
        msg = f"{name} must have sum 1 along the last axis, got {first:.12g}"
        raise ValueError(msg)
    return share
