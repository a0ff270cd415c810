"""The cube {0,1}^n: its points, product distributions over them, and truth tables of rules.

The index of a point has ``x_i`` as bit ``i``.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Immutable, freeze_array
from dtviz.core.checks import as_array, as_generator, as_integer, as_repr

MAX_VARIABLES = 24
"""The largest n for which a truth table (2^n bytes, 16 MiB at n = 24) is built."""

_MAX_UNIFORM = 1_000_000
_MAX_SAMPLE = 1 << 30
"""The most bits that are drawn at once; while they are drawn each takes 8 bytes."""


def cube_points(n: int) -> npt.NDArray[np.int8]:
    """All points of the cube: a ``(2^n, n)`` array of signed bytes, x_i in column i of row x.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.cube_points(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    index = np.arange(1 << n, dtype=np.uint32)
    rows = np.empty((1 << n, n), dtype=np.int8)
    for i in range(n):
        rows[:, i] = (index >> i) & 1
    return rows


def as_dimension(n: object) -> int:
    """Return the number of variables of a truth table, an integer from 0 to ``MAX_VARIABLES``."""
    n = as_integer("n", n, 0)
    if n > MAX_VARIABLES:
        room = f"{2.0 ** (n - 30):.3g} GiB" if n < 1000 else "more than there is"
        msg = (
            f"n must be at most {MAX_VARIABLES}, got {as_repr(n)}: "
            f"a truth table of 2^n entries would take {room}"
        )
        raise ValueError(msg)
    return n


class ProductDistribution(Immutable):
    """A product distribution on {0,1}^n: the bits are independent and ``Pr[x_i = 1] = p[i]``.

    Parameters
    ----------
    p : sequence of n floats or fractions, each strictly between 0 and 1

    Examples
    --------
    >>> import dtviz as dt
    >>> mu = dt.ProductDistribution([0.5, 0.25])
    >>> dt.measures.mean(dt.functions.conjunction(2), mu)
    0.125
    """

    p: npt.NDArray[np.float64]

    def __init__(self, p: Sequence[Any] | npt.ArrayLike) -> None:
        values = _numbers(p)
        if values is None:
            msg = f"p must be a flat sequence of numbers in (0, 1), got {as_repr(p)}"
            raise ValueError(msg)
        if values.ndim != 1:
            got = f"shape {values.shape}" if values.ndim else as_repr(p)
            msg = f"p must be a flat sequence of numbers in (0, 1), got {got}"
            raise ValueError(msg)
        outside = ~((values > 0) & (values < 1))
        if outside.any():
            i = int(outside.argmax())
            msg = f"p must lie in the open interval (0, 1), got p[{i}] = {values[i]}"
            raise ValueError(msg)
        vars(self).update(p=freeze_array(values))

    @classmethod
    def uniform(cls, n: int) -> ProductDistribution:
        """Make the uniform distribution on {0,1}^n.

        Examples
        --------
        >>> import dtviz as dt
        >>> dt.ProductDistribution.uniform(3).p.tolist()
        [0.5, 0.5, 0.5]
        """
        return cls(np.full(as_integer("n", n, 0, _MAX_UNIFORM), 0.5))

    def __reduce__(self) -> tuple[Any, ...]:
        return ProductDistribution, (self.p,)

    @property
    def n(self) -> int:
        """Number of variables."""
        return int(self.p.size)

    def weights(self) -> npt.NDArray[np.float64]:
        """The probability of every point, a ``(2^n,)`` array in truth-table order."""
        as_dimension(self.n)
        weights = np.ones(1)
        for p in self.p:
            weights = np.concatenate([(1 - p) * weights, p * weights])
        return weights

    def sample(self, m: int, rng: np.random.Generator | int) -> npt.NDArray[np.int8]:
        """Draw ``m`` independent points: an ``(m, n)`` array of signed bytes."""
        m = as_integer("m", m, 0, _MAX_SAMPLE // max(self.n, 1))
        return (as_generator("rng", rng).random((m, self.n)) < self.p).astype(np.int8)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProductDistribution):
            return NotImplemented
        return np.array_equal(self.p, other.p)

    def __hash__(self) -> int:
        return hash(self.p.tobytes())

    def __repr__(self) -> str:
        return f"ProductDistribution({self.p.tolist()})"


def _numbers(values: Any) -> npt.NDArray[np.float64] | None:
    """Return a float array of real numbers, fractions included; None if they are anything else."""
    array = as_array(values)
    if array is None or array.dtype.kind not in "biufO":
        return None
    with contextlib.suppress(OverflowError):
        if array.dtype.kind != "O" or all(isinstance(q, (Real, Decimal)) for q in array.flat):
            return array.astype(np.float64)
    return None


_ROWS = 4096
"""How many points a rule of one point has held for it as rows of 64-bit integers."""


def tabulate(n: int, rule: Callable[..., object]) -> npt.NDArray[np.int8]:
    """The truth table of a rule; `BooleanFunction.from_rule` says what a rule may be."""
    if not callable(rule):
        msg = f"rule must be callable, a function of the n bits of a point, got {as_repr(rule)}"
        raise ValueError(msg)
    cube = cube_points(n)
    rows = (cube[k : k + _ROWS].astype(np.int64) for k in range(0, 1 << n, _ROWS))
    if _takes_bits(rule, n):
        values = [rule(*x) for some in rows for x in some.tolist()]
    else:
        values = [rule(x) for some in rows for x in some]
    for x, value in enumerate(values):
        if not isinstance(value, (Real, np.bool_)) or value not in (0, 1):
            at = f"at x = {x}, bits {cube[x].tolist()}"
            msg = f"rule must return 0 or 1, got {as_repr(value)} {at}"
            raise ValueError(msg)
    return np.array(values, dtype=np.int8)


def _takes_bits(rule: Callable[..., object], n: int) -> bool:
    """Whether a rule takes the n bits of a point one by one, judged by its parameters alone."""
    if isinstance(rule, np.ufunc):
        one, many, got = rule.nin == 1, rule.nin == n, f"{rule.nin} inputs"
    else:
        try:
            signature = inspect.signature(rule)
        except (TypeError, ValueError):  # a built-in without one, such as max
            return False
        kinds = {parameter.kind for parameter in signature.parameters.values()}
        one = inspect.Parameter.VAR_POSITIONAL not in kinds and _binds(signature, 1)
        many, got = _binds(signature, n), f"the parameters {signature}"
    if not one and not many:
        msg = (
            f"rule must take one array of the bits, or each of the n = {n} bits as an argument, "
            f"got {as_repr(rule)} with {got}"
        )
        raise ValueError(msg)
    return not one


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[0] * count)
    except TypeError:
        return False
    return True
