"""Boolean functions as truth tables, and product distributions over their inputs.

The one place where bit order is fixed: the truth table of ``f: {0,1}^n -> {0,1}`` is flat, and the
point ``x`` stands at index ``sum_i x_i 2^i``, so bit ``i`` of the index is ``x_i``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_bits, as_generator, as_index, as_integer, shown
from dtviz.core.immutable import Immutable, frozen

__all__ = ["MAX_VARIABLES", "BooleanFunction", "ProductDistribution", "points", "uniform"]

MAX_VARIABLES = 24
"""The largest n for which a truth table (2^n bytes, 16 MiB at n = 24) is built."""

_RULE_ROWS = 4096
"""How many points `BooleanFunction.from_rule` holds at once as rows of 64-bit integers."""

_MAX_UNIFORM = 1_000_000
_MAX_SAMPLE = 1 << 30
"""The most bits that are drawn at once; while they are drawn each takes 8 bytes."""


def points(n: int) -> npt.NDArray[np.int8]:
    """All points of the cube: a ``(2^n, n)`` array of signed bytes, x_i in column i of row x.

    Raises
    ------
    ValueError
        If ``n`` is no integer from 0 to ``MAX_VARIABLES``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.points(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    index = np.arange(1 << n, dtype=np.uint32)
    rows = np.empty((1 << n, n), dtype=np.int8)
    for i in range(n):
        rows[:, i] = (index >> i) & 1
    return rows


def _checked_n(n: object) -> int:
    n = as_integer("n", n, 0)
    if n > MAX_VARIABLES:
        room = f"{2.0 ** (n - 30):.3g} GiB" if n < 1000 else "more than there is"
        msg = (
            f"n must be at most {MAX_VARIABLES}, got {shown(n)}: "
            f"a truth table of 2^n entries would take {room}"
        )
        raise ValueError(msg)
    return n


class BooleanFunction(Immutable):
    """A function ``f: {0,1}^n -> {0,1}``, immutable, held as its truth table.

    Parameters
    ----------
    n : int
        Number of variables, ``0 <= n <= MAX_VARIABLES``.
    table : array-like of 0/1, length ``2**n``
        Entry ``sum_i x_i 2**i`` is ``f(x)``. Booleans are accepted.

    Raises
    ------
    ValueError
        If ``n`` is not such an integer, the table's length is not ``2**n``, or an entry is not
        0 or 1.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.BooleanFunction(2, [0, 1, 1, 0])
    >>> f.code, f(3), f([1, 0])
    (6, 0, 1)
    """

    n: int
    """Number of variables."""

    def __init__(self, n: int, table: npt.ArrayLike) -> None:
        n = _checked_n(n)
        bits = as_bits("table", table)
        if bits.ndim != 1 or bits.size != 1 << n:
            got = f"shape {bits.shape}" if bits.ndim else shown(table)
            msg = f"table must be flat with 2^n = {1 << n} entries for n = {n}, got {got}"
            raise ValueError(msg)
        vars(self).update(n=n, table=frozen(bits))

    @classmethod
    def from_int(cls, n: int, code: SupportsIndex) -> BooleanFunction:
        """Build the function whose truth table is the binary expansion of ``code``.

        ``code = sum_x f(x) 2**x`` with ``x`` read as ``sum_i x_i 2**i``; ``0 <= code < 2**(2**n)``.

        Raises
        ------
        ValueError
            If ``n`` is no integer from 0 to ``MAX_VARIABLES``, or ``code`` no integer in its range.
        """
        n = _checked_n(n)
        number = as_integer("code", code, 0)
        if number.bit_length() > 1 << n:
            high = (1 << (1 << n)) - 1
            top = str(high) if n <= 6 else f"2^{1 << n} - 1"
            got = shown(number) if number.bit_length() < 1000 else f"{number.bit_length()} bits"
            msg = f"code must be an integer from 0 to {top} for n = {n}, got {got}"
            raise ValueError(msg)
        return cls._of_code(n, number)

    @classmethod
    def from_rule(cls, n: int, rule: Callable[[npt.NDArray[np.int64]], object]) -> BooleanFunction:
        """Tabulate ``rule``, called once per point with the bits ``(x_0, ..., x_{n-1})``.

        The bits are signed integers of 64 bits, so that ``1 - 2 * x`` is -1 where x is 1. The rule
        must return 0, 1, or a boolean.

        Examples
        --------
        >>> import dtviz as dt
        >>> f = dt.BooleanFunction.from_rule(3, lambda x: (2 * x - 1).sum() > 0)
        >>> f == dt.functions.majority(3)
        True

        Raises
        ------
        ValueError
            If ``n`` is no integer from 0 to ``MAX_VARIABLES``, ``rule`` is not callable, or returns
            anything but 0 or 1.
        """
        n = _checked_n(n)
        if not callable(rule):
            msg = f"rule must be callable, a function of the n bits of a point, got {shown(rule)}"
            raise ValueError(msg)
        cube = points(n)
        rows = (cube[k : k + _RULE_ROWS].astype(np.int64) for k in range(0, 1 << n, _RULE_ROWS))
        values = [rule(x) for some in rows for x in some]
        for x, value in enumerate(values):
            if not isinstance(value, (Real, np.bool_)) or value not in (0, 1):
                msg = f"rule must return 0 or 1, got {shown(value)} at x = {x}"
                raise ValueError(msg)
        return cls(n, np.array(values, dtype=np.int8))

    @classmethod
    def _of_code(cls, n: int, code: int) -> BooleanFunction:
        function = cls.__new__(cls)
        vars(function).update(n=n, code=code)
        return function

    def __reduce__(self) -> tuple[Any, ...]:
        return BooleanFunction, (self.n, self.table)

    @cached_property
    def table(self) -> npt.NDArray[np.int8]:
        """The truth table: ``2**n`` signed bytes 0/1, read-only."""
        size = 1 << self.n
        packed = np.frombuffer(self.code.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
        bits = np.unpackbits(packed, count=size, bitorder="little")
        return frozen(bits.view(np.int8))

    @cached_property
    def code(self) -> int:
        """The truth table as one integer, ``sum_x f(x) 2**x``."""
        return int.from_bytes(np.packbits(self.table, bitorder="little").tobytes(), "little")

    @cached_property
    def words(self) -> npt.NDArray[np.uint64]:
        """The truth table packed into 64-bit words, least significant bit first; read-only.

        Below 6 variables there is one word, its upper bits 0.
        """
        packed = np.packbits(self.table, bitorder="little").tobytes()
        return np.frombuffer(packed.ljust(8, b"\0"), dtype="<u8")

    def __call__(self, x: SupportsIndex | npt.ArrayLike) -> Any:
        """Evaluate f at an index, at one point (n bits), or at each row of an ``(m, n)`` array.

        Returns an int for one point and a ``(m,)`` byte array for many.
        """
        if isinstance(x, (int, np.integer)) and not isinstance(x, bool):
            return int(self.table[as_integer("x", x, 0, (1 << self.n) - 1)])
        bits = as_bits("x", x)
        if bits.ndim not in (1, 2) or bits.shape[-1] != self.n:
            got = f"shape {bits.shape}" if bits.ndim else shown(x)
            msg = f"x must be an index, {self.n} bits, or rows of {self.n} bits, got {got}"
            raise ValueError(msg)
        values = self.table[bits.astype(np.intp) @ (1 << np.arange(self.n))]
        return int(values) if bits.ndim == 1 else values

    def restrict(self, i: int, b: int) -> BooleanFunction:
        """Fix ``x_i = b``: a function of the other ``n - 1`` variables, in their old order.

        Raises
        ------
        ValueError
            If ``i`` is no variable of f, or ``b`` not 0 or 1.
        """
        i = as_index("i", i, self.n)
        b = as_integer("b", b, 0, 1)
        halves = self.table.reshape(-1, 2, 1 << i)
        return BooleanFunction(self.n - 1, halves[:, b].ravel())

    @property
    def is_constant(self) -> bool:
        """Whether f takes one value only."""
        return self.code in (0, (1 << (1 << self.n)) - 1)

    def is_monotone(self) -> bool:
        """Whether raising a bit of the input never lowers f."""
        halves = (self.table.reshape(-1, 2, 1 << i) for i in range(self.n))
        return all(bool((h[:, 0] <= h[:, 1]).all()) for h in halves)

    def relevant_variables(self) -> tuple[int, ...]:
        """The variables that f depends on, ascending."""
        halves = (self.table.reshape(-1, 2, 1 << i) for i in range(self.n))
        return tuple(i for i, h in enumerate(halves) if (h[:, 0] != h[:, 1]).any())

    def _other(self, other: object) -> BooleanFunction:
        if not isinstance(other, BooleanFunction):
            msg = f"the other operand must be a BooleanFunction, got {shown(other)}"
            raise TypeError(msg)
        if other.n != self.n:
            msg = f"both functions must have the same n, got {self.n} and {other.n}"
            raise ValueError(msg)
        return other

    def __invert__(self) -> BooleanFunction:
        return self._of_code(self.n, self.code ^ ((1 << (1 << self.n)) - 1))

    def __and__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of_code(self.n, self.code & self._other(other).code)

    def __or__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of_code(self.n, self.code | self._other(other).code)

    def __xor__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of_code(self.n, self.code ^ self._other(other).code)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BooleanFunction):
            return NotImplemented
        return self.n == other.n and self.code == other.code

    def __hash__(self) -> int:
        return hash((self.n, self.code))

    def __repr__(self) -> str:
        if self.n <= 6:
            return f"BooleanFunction.from_int({self.n}, {self.code})"
        return f"<BooleanFunction of {self.n} variables, {int(self.table.sum())} ones>"


class ProductDistribution(Immutable):
    """A product distribution on {0,1}^n: the bits are independent and ``Pr[x_i = 1] = p[i]``.

    Parameters
    ----------
    p : sequence of floats or fractions, length n
        Each strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an entry is NaN, not a number, or not in the open interval (0, 1).

    Examples
    --------
    >>> import dtviz as dt
    >>> mu = dt.ProductDistribution([0.5, 0.25])
    >>> dt.mean(dt.functions.conjunction(2), mu)
    0.125
    """

    p: npt.NDArray[np.float64]

    def __init__(self, p: Sequence[Any] | npt.ArrayLike) -> None:
        values = _numbers(p)
        if values is None:
            msg = f"p must be a flat sequence of numbers in (0, 1), got {shown(p)}"
            raise ValueError(msg)
        if values.ndim != 1:
            got = f"shape {values.shape}" if values.ndim else shown(p)
            msg = f"p must be a flat sequence of numbers in (0, 1), got {got}"
            raise ValueError(msg)
        outside = ~((values > 0) & (values < 1))
        if outside.any():
            i = int(outside.argmax())
            msg = f"p must lie in the open interval (0, 1), got p[{i}] = {values[i]}"
            raise ValueError(msg)
        vars(self).update(p=frozen(values))

    def __reduce__(self) -> tuple[Any, ...]:
        return ProductDistribution, (self.p,)

    @property
    def n(self) -> int:
        """Number of variables."""
        return int(self.p.size)

    @property
    def is_uniform(self) -> bool:
        """Whether every p[i] is exactly 1/2."""
        return bool((self.p == 0.5).all())

    def weights(self) -> npt.NDArray[np.float64]:
        """The probability of every point, a ``(2^n,)`` array in truth-table order."""
        _checked_n(self.n)
        weights = np.ones(1)
        for p in self.p:
            weights = np.concatenate([(1 - p) * weights, p * weights])
        return weights

    def sample(self, m: int, rng: np.random.Generator | int) -> npt.NDArray[np.int8]:
        """Draw ``m`` independent points: an ``(m, n)`` array of signed bytes.

        ``rng`` is a NumPy generator, or a seed for a new one.

        Raises
        ------
        ValueError
            If ``m`` is no integer >= 0 or too large, or ``rng`` no generator or seed.
        """
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
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, np.ndarray)):
        if isinstance(values, (AbstractSet, Mapping)):
            return None  # in no particular order
        values = list(values)
    try:
        array = np.array(values)
        real = array.dtype.kind in "biuf" or (
            array.dtype.kind == "O" and all(isinstance(q, (Real, Decimal)) for q in array.flat)
        )
        return array.astype(np.float64) if real else None
    except (OverflowError, TypeError, ValueError):
        return None


def uniform(n: int) -> ProductDistribution:
    """The uniform distribution on {0,1}^n.

    Raises
    ------
    ValueError
        If ``n`` is no integer >= 0, or too large.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.uniform(3).p.tolist()
    [0.5, 0.5, 0.5]
    """
    return ProductDistribution(np.full(as_integer("n", n, 0, _MAX_UNIFORM), 0.5))
