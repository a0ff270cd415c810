"""Boolean functions as truth tables.

The one place where bit order is fixed: the truth table of ``f: {0,1}^n -> {0,1}`` is flat, and the
point ``x`` stands at index ``sum_i x_i 2^i``, so bit ``i`` of the index is ``x_i``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from operator import getitem
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Immutable, freeze_array
from dtviz.core.boolean.cube import (
    MAX_VARIABLES,
    ProductDistribution,
    as_dimension,
    cube_points,
    tabulate,
)
from dtviz.core.boolean.expressions import as_names, read_text
from dtviz.core.boolean.formulas import counting_formula, short_formula
from dtviz.core.boolean.function_text import as_html, as_text
from dtviz.core.checks import as_bits, as_index, as_integer, as_repr
from dtviz.core.hints import with_hints

__all__ = ["MAX_VARIABLES", "BooleanFunction", "ProductDistribution", "cube_points"]

_MAX_FORMULA_VARIABLES = 12
"""The most variables of a formula that is looked for, but for parities and thresholds."""


@with_hints
class BooleanFunction(Immutable):
    """A function ``f: {0,1}^n -> {0,1}``, immutable, held as its truth table.

    Parameters
    ----------
    n : int
        Number of variables, ``0 <= n <= MAX_VARIABLES``.
    table : array-like of 0/1, length ``2**n``
        Entry ``sum_i x_i 2**i`` is ``f(x)``. Booleans are accepted.
    variables : sequence of n str, optional
        What the variables are called in formulas, trees and explorers, such as
        ``["rain", "wind"]``; ``x0, x1, ...`` if not given. They make no difference to equality.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.BooleanFunction(2, [0, 1, 1, 0])
    >>> f.code, f(3), f([1, 0])
    (6, 0, 1)
    """

    n: int
    """Number of variables."""
    variables: tuple[str, ...] | None = None
    """What they are called; None for x0, x1, ..."""

    def __init__(
        self, n: int, table: npt.ArrayLike, *, variables: Iterable[str] | None = None
    ) -> None:
        n = as_dimension(n)
        bits = as_bits("table", table)
        if bits.ndim != 1 or bits.size != 1 << n:
            got = f"shape {bits.shape}" if bits.ndim else as_repr(table)
            msg = f"table must be flat with 2^n = {1 << n} entries for n = {n}, got {got}"
            raise ValueError(msg)
        names = None if variables is None else as_names(variables)
        if names is not None and len(names) != n:
            msg = f"variables must be n = {n} names, got {len(names)}: {as_repr(names)}"
            raise ValueError(msg)
        vars(self).update(n=n, table=freeze_array(bits), variables=names)

    @classmethod
    def from_int(cls, n: int, code: SupportsIndex) -> BooleanFunction:
        """Build the function whose truth table is the binary expansion of ``code``.

        ``code = sum_x f(x) 2**x`` with ``x`` read as ``sum_i x_i 2**i``; ``0 <= code < 2**(2**n)``.
        """
        n = as_dimension(n)
        number = as_integer("code", code, 0)
        if number.bit_length() > 1 << n:
            high = (1 << (1 << n)) - 1
            top = str(high) if n <= 6 else f"2^{1 << n} - 1"
            got = as_repr(number) if number.bit_length() < 1000 else f"{number.bit_length()} bits"
            msg = f"code must be an integer from 0 to {top} for n = {n}, got {got}"
            raise ValueError(msg)
        return cls._of_code(n, number)

    @classmethod
    def from_rule(cls, n: int, rule: Callable[..., object]) -> BooleanFunction:
        """Tabulate ``rule``, a function of the bits ``x_0, ..., x_{n-1}``.

        Called once per point, ``rule`` returns 0, 1 or a boolean. Its parameters alone decide how:
        if it can be called with one argument, it is handed one array of the n bits, integers of 64
        bits; else, and always if it has ``*args``, the n bits one by one. So a rule of one
        parameter gets an array even for n = 1. A built-in without a signature, such as ``max``,
        gets the array; a NumPy ufunc of several inputs gets the bits.

        Examples
        --------
        >>> import dtviz as dt
        >>> f = dt.BooleanFunction.from_rule(3, lambda x: (2 * x - 1).sum() > 0)
        >>> g = dt.BooleanFunction.from_rule(3, lambda a, b, c: a and (b or c) or (b and c))
        >>> f == g == dt.functions.majority(3)
        True
        """
        n = as_dimension(n)
        return cls(n, tabulate(n, rule))

    @classmethod
    def from_text(
        cls, text: str, n: int | None = None, *, variables: Iterable[str] | None = None
    ) -> BooleanFunction:
        """Read a function as a reader types it: a formula, or a truth table in bits or in hex.

        The operators of a formula, those that bind tightest first, as in Python where Python has
        them: ``~ ! ¬`` (not); ``& ∧``; ``^ ⊕`` (exclusive or); ``| ∨``; ``== !=``; ``not``;
        ``and &&``; ``or ||`` and ``xor``; ``->`` (implies) and ``<->`` (is equivalent to). The
        words ``and``, ``or``, ``not``, ``xor`` may be in any letter case, and so no variable can be
        named by one. Constants are 0, 1, False, True, which may also be written false, true, FALSE,
        TRUE.
        Calls, of values that are formulas themselves: ``maj(a, b, c)`` or ``majority(a, b, c)`` is
        the majority of an odd number of values, ``xor(a, b, ...)`` their parity,
        ``atleast(k, a, b, ...)`` whether k of them are 1; ``ite(a, b, c)`` is b if a, else c; and
        ``mux(a, b, c)`` is b if a is 0, else c, with more address bits
        ``mux(a0, a1, d0, d1, d2, d3)``, as in `dtviz.functions.multiplexer`.
        A chain ``a -> b -> c`` is ``a -> (b -> c)``. What readers and languages take differently
        needs parentheses: a part made by ``& ^ |`` beside ``== != not and or xor``, as in
        ``not (a & b)``, where Python alone would need none; ``or`` beside ``xor``; and chains of
        ``== != <->``.

        Bits such as ``01101001`` are the values at the points 0, 1, 2, ..., in the order of
        ``f.table``. After ``0x`` and ``0b`` stands a number, as Python writes it, which is
        ``f.code``: there the last digit belongs to the first points. Blanks and ``_`` between the
        digits of a table are passed over.

        Parameters
        ----------
        text : str
            A formula of any nesting, with at most 2^19 names, constants and signs, and 2^36
            operators times points; or a table of 2^n bits, after ``0x`` one digit for each four.
        n : int, optional
            Number of variables for the names ``x0, x1, ...``, which may also be written ``x_0`` or
            ``x[0]``. Left out, it is the largest index plus 1, or follows from the length of the
            table. Where it is given, ``0x`` and ``0b`` may stand before any number below 2^(2^n).
        variables : sequence of str, optional
            Names of the variables, in order: the first is ``x_0``. Left out, names other than
            ``x0, x1, ...`` are sorted, numbers within them by value: a, b, b2, b10.

        Examples
        --------
        >>> import dtviz as dt
        >>> read = dt.BooleanFunction.from_text
        >>> read("x0 ^ x1 ^ x2") == read("01101001") == read("0x96") == dt.functions.parity(3)
        True
        >>> f = read("rain -> roof", variables=["roof", "rain"])
        >>> f([0, 1]), f([1, 1])
        (0, 1)
        """
        return cls._of_code(*read_text(text, n, variables))

    @classmethod
    def _of_code(
        cls, n: int, code: int, variables: tuple[str, ...] | None = None
    ) -> BooleanFunction:
        function = cls.__new__(cls)
        vars(function).update(n=n, code=code, variables=variables)
        return function

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(BooleanFunction, variables=self.variables), (self.n, self.table)

    @property
    def names(self) -> tuple[str, ...]:
        """What the variables are called: ``variables``, or ``x0, x1, ...``."""
        return self.variables or tuple(f"x{i}" for i in range(self.n))

    def to_expression(self) -> str:
        """A short formula of f in the names of its variables, which `from_text` reads.

        The shortest of three kinds: of a parity or threshold, an or of ands without a needless
        part, and the negation of such an or. It need not be the shortest formula of all. Read it
        with ``variables=f.variables`` where f has names of its own, else with ``f.n``: it does not
        mention variables on which f does not depend.

        A ValueError if f depends on more than 12 variables and is no parity or threshold of them.

        Examples
        --------
        >>> import dtviz as dt
        >>> dt.functions.majority(3).to_expression()
        'maj(x0, x1, x2)'
        """
        needed = self.relevant_variables()
        cube = self.table.reshape((2,) * self.n)
        at = tuple(slice(None) if self.n - 1 - k in needed else 0 for k in range(self.n))
        table, names = np.asarray(cube[at]).ravel(), [self.names[i] for i in needed]
        if len(needed) <= _MAX_FORMULA_VARIABLES:
            return short_formula(table, names)
        formula = counting_formula(table, names)
        if not formula:
            msg = (
                f"f must depend on at most {_MAX_FORMULA_VARIABLES} variables for a short formula, "
                f"got {len(needed)}"
            )
            raise ValueError(msg)
        return formula

    def minterms(self) -> list[str]:
        """The ands of all variables, as they are or negated, one for each point where f is 1.

        They stand in the order of ``f.table``; joined by `` | `` they are a formula of f, which
        `from_text` reads. That of a function without variables is ``1``.

        Examples
        --------
        >>> import dtviz as dt
        >>> dt.BooleanFunction.from_text("sun ^ rain").minterms()
        ['rain & ~sun', '~rain & sun']
        """
        points = cube_points(self.n)[self.table == 1].tolist()
        literals = [(f"~{name}", name) for name in self.names]
        return [" & ".join(map(getitem, literals, point)) or "1" for point in points]

    @cached_property
    def table(self) -> npt.NDArray[np.int8]:
        """The truth table: ``2**n`` signed bytes 0/1, read-only."""
        size = 1 << self.n
        packed = np.frombuffer(self.code.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
        bits = np.unpackbits(packed, count=size, bitorder="little")
        return freeze_array(bits.view(np.int8))

    @cached_property
    def code(self) -> int:
        """The truth table as one integer, ``sum_x f(x) 2**x``."""
        return int.from_bytes(np.packbits(self.table, bitorder="little").tobytes(), "little")

    @cached_property
    def words(self) -> npt.NDArray[np.uint64]:
        """The truth table packed into 64-bit words, least significant bit first; read-only."""
        packed = np.packbits(self.table, bitorder="little").tobytes()
        return np.frombuffer(packed.ljust(8, b"\0"), dtype="<u8")

    def __call__(self, x: SupportsIndex | npt.ArrayLike) -> Any:
        """Evaluate f at an index or a point (an int), or at each row of an ``(m, n)`` array."""
        if isinstance(x, (int, np.integer)) and not isinstance(x, bool):
            return int(self.table[as_integer("x", x, 0, (1 << self.n) - 1)])
        bits = as_bits("x", x)
        if bits.ndim not in (1, 2) or bits.shape[-1] != self.n:
            got = f"shape {bits.shape}" if bits.ndim else as_repr(x)
            msg = f"x must be an index, {self.n} bits, or rows of {self.n} bits, got {got}"
            raise ValueError(msg)
        values = self.table[bits.astype(np.intp) @ (1 << np.arange(self.n))]
        return int(values) if bits.ndim == 1 else values

    def restrict(self, i: int, b: int) -> BooleanFunction:
        """Fix ``x_i = b``: a function of the other ``n - 1`` variables, in their old order."""
        i = as_index("i", i, self.n)
        b = as_integer("b", b, 0, 1)
        halves = self.table.reshape(-1, 2, 1 << i)
        left = None if self.variables is None else [*self.variables[:i], *self.variables[i + 1 :]]
        return BooleanFunction(self.n - 1, halves[:, b].ravel(), variables=left)

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
            msg = f"the other operand must be a BooleanFunction, got {as_repr(other)}"
            raise TypeError(msg)
        if other.n != self.n:
            msg = f"both functions must have the same n, got {self.n} and {other.n}"
            raise ValueError(msg)
        return other

    def _names_with(self, other: BooleanFunction) -> tuple[str, ...] | None:
        """The names of both, or of the one that has any; none where they differ."""
        if self.variables and other.variables and self.variables != other.variables:
            return None
        return self.variables or other.variables

    def __invert__(self) -> BooleanFunction:
        return self._of_code(self.n, self.code ^ ((1 << (1 << self.n)) - 1), self.variables)

    def __and__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of_code(self.n, self.code & self._other(other).code, self._names_with(other))

    def __or__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of_code(self.n, self.code | self._other(other).code, self._names_with(other))

    def __xor__(self, other: BooleanFunction) -> BooleanFunction:
        return self._of_code(self.n, self.code ^ self._other(other).code, self._names_with(other))

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

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002, FBT001 -- IPython's
        """Show the function where it ends a cell, and within a list by its short name."""
        printer.text(str(self) if len(printer.stack) == 1 else repr(self))
