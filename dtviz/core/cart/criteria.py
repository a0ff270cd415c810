"""Criteria: the costs of a leaf by which trees grow, a class each, in one table.

Logarithms are to base 2, and 0 log 0 = 0.

For two classes a cost is a function G of the share q of one class: concave, symmetric, 0 where the
leaf is pure, and, in this book, 1/2 where q = 1/2 (claims MN-GMIN, MN-GINI, MN-ENT, MN-SQRT). For
any number of classes it is a function of a sum (the error: of a maximum) over the classes.

A new criterion is a class here and a line in ``CRITERIA``; for the explorer of chapter 4 its
formula is one more line, in ``dtviz/explorers/static/computing/criteria.js``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats
from dtviz.core.checks import as_array, as_numbers, as_repr, broadcast, look_up
from dtviz.core.tolerances import DROP_TIE, ROUNDING, SLACK

__all__ = [
    "CLASS_COST_FUNCTIONS",
    "COST_FUNCTIONS",
    "CRITERIA",
    "Cost",
    "Criterion",
    "Leaf",
    "as_criterion",
    "check_shares",
    "entropy",
    "gini",
    "kl",
    "minus_log",
    "squared_loss",
]


GRID = np.linspace(0, 1, 4001)
"""Where a reader's own cost is tried."""


class Leaf(NamedTuple):
    """Weight of leaves, and its ``count_term``."""

    weight: Any
    term: Any


class Criterion:
    """A cost of a leaf. A subclass has a ``name`` and `share_cost`; the rest follows from it.

    With several classes the cost is ``combine(sum_k term(p_k))``: unless a subclass says otherwise,
    half the sum of ``G(p_k)``, which for two classes is G. If the cost also follows from the sum of
    ``count_term(n_k)`` of class weights (``has_count_term``), growth need not go class by class.
    """

    name = ""
    fold: np.ufunc = np.add
    """How the terms of the classes are joined."""
    is_quadratic = False
    """Whether a split takes ``sum_k (n_R l_k - n_L r_k)^2 / (n n_L n_R)`` off n times the cost."""
    has_count_term = False
    """Whether what a class adds is a function of its weight alone."""
    has_whole_terms = False
    """Whether that is an integer where the weight is."""

    def share_cost(self, q: Any) -> Any:
        """``G(q)`` of an array of shares in [0, 1]."""
        raise NotImplementedError

    def term(self, p: Any) -> Any:
        """What one class adds, of its share of the leaf."""
        return self.share_cost(p) / 2

    def combine(self, total: Any) -> Any:
        """The cost, from what the classes add together."""
        return total

    def count_term(self, n: Any) -> Any:
        """What one class adds, of its weight."""
        raise NotImplementedError

    def count_cost(self, total: Any, leaf: Leaf) -> Any:
        """The cost of a leaf times its weight, from what its classes add."""
        raise NotImplementedError

    def check_classes(self, n_classes: int) -> None:
        """Raise a ValueError if there are more classes than the criterion is for."""

    def of_share(self, q: npt.ArrayLike) -> Any:
        """``G(q)``: a number or an array of the shape of q.

        Raises
        ------
        ValueError
            If a share is not in [0, 1].
        """
        return self.share_cost(_check_unit("q", q))[()]

    def of_shares(self, p: npt.ArrayLike) -> Any:
        """The cost of class shares, ``(..., c)`` with sum 1 along the last axis: ``(...)``.

        Raises
        ------
        ValueError
            If p does not consist of probability vectors, or has more classes than the criterion
            is for.
        """
        share = check_shares("p", p)
        self.check_classes(share.shape[-1])
        terms = self.term(share)
        return self.combine(self.fold.reduce(terms, axis=-1))[()]

    def vote_drop(self, gamma: float, s: Floats) -> Floats:
        """``G(s) - E[G after one more vote]``, a vote being right with chance ``1/2 + gamma``."""
        a, b = 0.5 + gamma, 0.5 - gamma
        for_one = s * a + (1 - s) * b
        before = self.share_cost(s)
        after = for_one * self.share_cost(s * a / for_one)
        after = after + (1 - for_one) * self.share_cost(s * b / (1 - for_one))
        drop = before - after
        return np.where(drop > DROP_TIE * before, drop, 0.0)

    def __repr__(self) -> str:
        return f"<criterion {self.name}>"


class Error(Criterion):
    """The error of the better label, ``min(q, 1-q)``, or ``1 - max p`` (claim MN-GMIN)."""

    name = "error"
    fold = np.maximum
    has_count_term = has_whole_terms = True

    def share_cost(self, q: Any) -> Any:
        return np.minimum(q, 1 - q)

    def term(self, p: Any) -> Any:
        return p

    def combine(self, total: Any) -> Any:
        return 1 - total

    def count_term(self, n: Any) -> Any:
        return n

    def count_cost(self, total: Any, leaf: Leaf) -> Any:
        return leaf.weight - total

    def vote_drop(self, gamma: float, s: Floats) -> Floats:
        """Only a tied leaf can be improved."""
        return np.where(s == 0.5, gamma, 0.0)


class Gini(Criterion):
    """``2 q (1-q)``, or ``sum p_k (1 - p_k)`` (claims MN-GINI, CU-GINI)."""

    name = "gini"
    has_count_term = has_whole_terms = is_quadratic = True

    def share_cost(self, q: Any) -> Any:
        return 2 * q * (1 - q)

    def term(self, p: Any) -> Any:
        return p * (1 - p)

    def count_term(self, n: Any) -> Any:
        return n * n

    def count_cost(self, total: Any, leaf: Leaf) -> Any:
        return (leaf.term - total) / leaf.weight

    def vote_drop(self, gamma: float, s: Floats) -> Floats:
        tau = s * (0.5 + gamma) + (1 - s) * (0.5 - gamma)
        drop: Floats = 8 * gamma**2 * (s * (1 - s)) ** 2 / (tau * (1 - tau))
        return drop


class Entropy(Criterion):
    """Half the entropy in bits, ``H(p) / 2`` (claims MN-ENT, CU-H)."""

    name = "entropy"
    has_count_term = True

    def share_cost(self, q: Any) -> Any:
        return (minus_log(q) + minus_log(1 - q)) / 2

    def term(self, p: Any) -> Any:
        return minus_log(p)

    def combine(self, total: Any) -> Any:
        return total / 2

    def count_term(self, n: Any) -> Any:
        return n * np.log2(np.maximum(n, 1)) / 2

    def count_cost(self, total: Any, leaf: Leaf) -> Any:
        return leaf.term - total

    def vote_drop(self, gamma: float, s: Floats) -> Floats:
        """Half the mutual information: a divergence from the mean for each label."""
        rarer = _divergence(0.5 + gamma, 0.5 - gamma, -2 * gamma * (1 - s))
        other = _divergence(0.5 - gamma, 0.5 + gamma, 2 * gamma * s)
        drop: Floats = (s * rarer + (1 - s) * other) / (2 * math.log(2))
        return drop


class SquareRoot(Criterion):
    """``sqrt(q (1-q))``, or ``sum_{j<k} sqrt(p_j p_k)`` (claim MN-SQRT).

    The second is this book's choice: as Gini, it sums the binary cost over the pairs of classes. It
    is ``((sum_k sqrt(p_k))^2 - 1) / 2``, concave since (sum sqrt)^2 is.
    """

    name = "sqrt"
    has_count_term = True

    def share_cost(self, q: Any) -> Any:
        return np.sqrt(q * (1 - q))

    def term(self, p: Any) -> Any:
        return np.sqrt(p)

    def combine(self, total: Any) -> Any:
        return np.maximum((total * total - 1) / 2, 0.0)

    def count_term(self, n: Any) -> Any:
        return np.sqrt(n)

    def count_cost(self, total: Any, leaf: Leaf) -> Any:
        return (total * total - leaf.weight) / 2

    def vote_drop(self, gamma: float, s: Floats) -> Floats:
        drop: Floats = 4 * gamma**2 / (1 + math.sqrt(1 - 4 * gamma**2)) * np.sqrt(s * (1 - s))
        return drop


class _Own(Criterion):
    """A function of a reader's own."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)

    def share_cost(self, q: Any) -> Any:
        return self.function(q)


Cost = str | Criterion | Callable[[Any], Any]
"""What ``cost=`` takes: a name in ``CRITERIA``, a `Criterion`, or a function G of shares."""

CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion for criterion in (Error(), Gini(), Entropy(), SquareRoot())
}
"""All criteria by name, from the smallest to the largest (claim MN-F12.4)."""


class _Table(Mapping[str, Callable[[npt.ArrayLike], Any]]):
    """One method of every criterion, by name; of those added later, too."""

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

CLASS_COST_FUNCTIONS = _Table("of_shares")
"""`COST_FUNCTIONS` for vectors of class shares: each is concave, symmetric, 0 at a pure leaf.

``1 - max p``, `gini`, half of `entropy`, and ``sum_{j<k} sqrt(p_j p_k)``. With two classes they are
``COST_FUNCTIONS[name](p[..., 0])``. Arguments and errors are those of `gini`.
"""


def as_criterion(cost: Cost, *, others: tuple[str, ...] = ()) -> Criterion:
    """The criterion that ``cost=`` names or is; ``others`` are names that errors list too.

    A ValueError if there is no such name, or a function is not finite, symmetric and concave on
    [0, 1] with ``G(0) = 0``, as far as 4001 points show.
    """
    if isinstance(cost, Criterion):
        return cost
    if not callable(cost) or isinstance(cost, type):
        return look_up("cost", cost, CRITERIA | dict.fromkeys(others, Criterion()))
    rule = "cost must return a finite number for each of an array of shares"
    try:
        value = as_array(cost(GRID))
    except Exception as error:
        msg = f"{rule}, got {type(error).__name__}: {error}"
        raise ValueError(msg) from error
    if value is None or value.shape != GRID.shape or value.dtype.kind not in "biuf":
        msg = f"{rule}, got {as_repr(value)}"
        raise ValueError(msg)
    if not np.isfinite(value).all():
        msg = f"{rule}, got {value[~np.isfinite(value)][0]}"
        raise ValueError(msg)
    slack = ROUNDING * max(1.0, float(np.abs(value).max()))
    faults = {
        "G(q) = G(1-q)": np.abs(value - value[::-1]),
        "G(0) = G(1) = 0": np.where((GRID == 0) | (GRID == 1), np.abs(value), 0.0),
        "no chord above its graph": np.pad(value[2:] - 2 * value[1:-1] + value[:-2], 1),
        "G(1/2) > 0": np.where((GRID == 0.5) & (value <= 0), math.inf, 0.0),
    }
    for law, fault in faults.items():
        if fault.max() > slack:
            at = GRID[fault.argmax()]
            msg = f"cost must be a function G with {law}, got one that is not so near q = {at:.4g}"
            raise ValueError(msg)
    return _Own(cost)


def minus_log(p: Floats) -> Floats:
    """``-p log2(p)``, 0 at 0; never -0."""
    logs: Floats = p * -np.log2(np.where(p > 0, p, 1))
    return logs + 0.0


def _divergence(a: float, b: float, shift: Floats) -> Floats:
    """The Kullback-Leibler divergence, in nats, of coins a and ``a + shift``; ``b = 1 - a``."""
    found: Floats = -a * np.log1p(shift / a) - b * np.log1p(-shift / b)
    return found


def _check_unit(name: str, value: npt.ArrayLike) -> Floats:
    share = as_numbers(name, value, "[0, 1]")
    wrong = ~((share >= -SLACK) & (share <= 1 + SLACK))
    if wrong.any():
        where = np.unravel_index(int(wrong.argmax()), share.shape)
        place = ", ".join(str(int(k)) for k in where)
        msg = f"{name} must be in [0, 1], got {share[where]:g}" + (place and f" at index {place}")
        raise ValueError(msg)
    return np.clip(share, 0.0, 1.0)


def check_shares(name: str, value: npt.ArrayLike) -> Floats:
    """Return probability vectors as floats."""
    share = _check_unit(name, value)
    if share.ndim == 0 or share.shape[-1] == 0:
        msg = f"{name} must be probability vectors along the last axis, got {as_repr(value)}"
        raise ValueError(msg)
    total = share.sum(axis=-1)
    wrong = np.abs(total - 1) > SLACK * share.shape[-1]
    if wrong.any():
        first = float(total.ravel()[int(wrong.argmax())])
        msg = f"{name} must have sum 1 along the last axis, got {first:.12g}"
        raise ValueError(msg)
    return share


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
