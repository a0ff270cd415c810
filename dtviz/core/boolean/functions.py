"""The zoo: the named Boolean functions of the book, each a `BooleanFunction`."""

from __future__ import annotations

import contextlib
import operator
from bisect import bisect_left
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dtviz.core import lazy
from dtviz.core.boolean.boolean_function import MAX_VARIABLES, BooleanFunction, cube_points
from dtviz.core.boolean.measures import check_function
from dtviz.core.checks import as_generator, as_index, as_integer, as_list, as_odd, as_repr

__all__ = [
    "caterpillar",
    "conjunction",
    "decision_list",
    "dictator",
    "disjunction",
    "guarded",
    "majority",
    "multiplexer",
    "parity",
    "parity_multiplexer",
    "random",
    "threshold",
    "tribes",
]

__getattr__, __dir__ = lazy(__name__, __all__, {})


def _ones(n: int) -> npt.NDArray[np.uint8]:
    """How many of the bits of each point are 1."""
    ones: npt.NDArray[np.uint8] = np.bitwise_count(np.arange(1 << n, dtype=np.uint32))
    return ones


def _exact(name: str, value: object) -> Fraction:
    """Return a number as the fraction that it is."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, (float, np.floating)) and np.isfinite(value):
        return Fraction(*value.as_integer_ratio())
    if not isinstance(value, (bool, np.bool_)):
        with contextlib.suppress(TypeError):
            return Fraction(operator.index(value))  # type: ignore[arg-type]
    msg = f"{name} must be an integer, a fraction or a finite float, got {as_repr(value)}"
    raise ValueError(msg)


def _sums(weights: list[Fraction]) -> list[Fraction]:
    """The sums of all subsets, in the order of a truth table."""
    sums = [Fraction(0)]
    for weight in weights:
        sums += [total + weight for total in sums]
    return sums


def dictator(n: int, i: int) -> BooleanFunction:
    """The value of one variable: ``f(x) = x_i``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.influences(dt.functions.dictator(3, 1)).tolist()
    [0.0, 1.0, 0.0]
    """
    n = as_integer("n", n, 1, MAX_VARIABLES)
    return BooleanFunction(n, np.arange(1 << n, dtype=np.uint32) >> as_index("i", i, n) & 1)


def parity(n: int) -> BooleanFunction:
    """1 when an odd number of the ``n`` variables are 1 (exclusive or).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.parity(2).table.tolist()
    [0, 1, 1, 0]
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    return BooleanFunction(n, _ones(n) % 2)


def majority(n: int) -> BooleanFunction:
    """1 when more than half of the ``n`` variables are 1; ``n`` odd, so that no vote is tied.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.majority(3)([1, 1, 0])
    1
    """
    n = as_odd("n", n, MAX_VARIABLES)
    return BooleanFunction(n, _ones(n) > n // 2)


def threshold(weights: Iterable[float | Fraction], threshold: float | Fraction) -> BooleanFunction:
    """1 when ``weights[0] x_0 + ... + weights[n-1] x_(n-1) >= threshold`` (linear threshold).

    Sums are exact, and floats are the numbers that they hold: 0.1 and 0.2 sum to more than 0.3,
    which is held as a little less than three tenths. Write ``Fraction(1, 10)`` for a tenth.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.threshold([1, 1, 1], 2) == dt.functions.majority(3)
    True
    """
    exact = [_exact("threshold", threshold)]
    given = as_list("weights", weights, "a flat sequence of numbers", MAX_VARIABLES)
    exact += [_exact(f"weights[{i}]", weight) for i, weight in enumerate(given)]
    least, *exact = exact
    # A sum of the lower half of the variables beside one of the upper half reaches the threshold if
    # it stands high enough among its like: 2^12 comparisons decide all 2^24 points.
    low, high = (_sums(part) for part in (exact[: len(exact) // 2], exact[len(exact) // 2 :]))
    ordered = sorted(low)
    ranks = np.array([bisect_left(ordered, total) for total in low])
    needed = np.array([bisect_left(ordered, least - total) for total in high])
    return BooleanFunction(len(exact), (ranks >= needed[:, None]).ravel())


def conjunction(n: int) -> BooleanFunction:
    """1 when all ``n`` variables are 1 (and).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.conjunction(2).table.tolist()
    [0, 0, 0, 1]
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    return BooleanFunction(n, _ones(n) == n)


def disjunction(n: int) -> BooleanFunction:
    """1 when at least one of the ``n`` variables is 1 (or).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.disjunction(2).table.tolist()
    [0, 1, 1, 1]
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    return BooleanFunction(n, _ones(n) > 0)


def tribes(width: int, count: int) -> BooleanFunction:
    """1 when some tribe is unanimous: an or of ``count`` disjoint ands of ``width`` variables.

    Tribe ``t`` holds ``x_(t width) .. x_((t+1) width - 1)``, so ``n = width * count``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.tribes(2, 2)([1, 1, 0, 0])
    1
    """
    width = as_integer("width", width, 1, MAX_VARIABLES)
    count = as_integer("count", count, 1, MAX_VARIABLES // width)
    x = cube_points(width * count).reshape(-1, count, width)
    return BooleanFunction(width * count, np.any(x.all(axis=2), axis=1))


def multiplexer(address_bits: int) -> BooleanFunction:
    """The data bit that the address selects.

    ``x_0 .. x_(a-1)``, ``a <= 4``, are the address, least significant bit first; then ``2^a`` bits.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.multiplexer(1)
    >>> f.n, f([0, 1, 0]), f([1, 1, 0])
    (3, 1, 0)
    """
    a = as_integer("address_bits", address_bits, 0, 4)
    x = cube_points(a + (1 << a))
    address = x[:, :a].astype(np.intp) @ (1 << np.arange(a))
    return BooleanFunction(a + (1 << a), x[np.arange(len(x)), a + address])


def decision_list(n: int) -> BooleanFunction:
    """An alternating decision list: the first ``i`` with ``x_i = 1`` decides, 1 if ``i`` is even.

    When no variable is 1 the value goes on alternating, as if ``i = n``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.decision_list(2).table.tolist()
    [1, 1, 0, 1]
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    x = np.column_stack([cube_points(n), np.ones(1 << n, dtype=np.int8)])
    return BooleanFunction(n, x.argmax(axis=1) % 2 == 0)


def parity_multiplexer(selector_n: int, parity_bits: int) -> BooleanFunction:
    """A majority that chooses between two parities (claim LB-A with ``k = 2``).

    ``x_0 .. x_(selector_n - 1)`` vote (``selector_n`` odd); block 0 of ``parity_bits`` variables
    follows, then block 1. The value is the parity of the block that the vote names, so
    ``n = selector_n + 2 parity_bits``. Influence-greedy growth reads both blocks before the vote.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.parity_multiplexer(1, 2).n
    5
    """
    votes = as_odd("selector_n", selector_n, MAX_VARIABLES - 2)
    p = as_integer("parity_bits", parity_bits, 1, (MAX_VARIABLES - votes) // 2)
    x = cube_points(votes + 2 * p)
    chosen = majority(votes)(x[:, :votes])
    blocks = x[:, votes:].reshape(-1, 2, p).sum(axis=2) % 2
    return BooleanFunction(votes + 2 * p, blocks[np.arange(len(x)), chosen])


def caterpillar(k: int) -> BooleanFunction:
    """The chain ``f_0 = w_0``; ``f_j = f_(j-1) if x_j and y_j else w_j`` (claim LB-B).

    ``n = 3k + 1``: ``w_0`` is variable 0 and ``x_j, y_j, w_j`` are variables ``3j-2, 3j-1, 3j``.
    Its smallest tree has ``4k + 2`` leaves, the influence-greedy one ``6 * 2^k - 4``.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.caterpillar(1)
    >>> f.n, int(dt.influences(f).argmax())
    (4, 3)
    """
    k = as_integer("k", k, 0, (MAX_VARIABLES - 1) // 3)
    x = cube_points(3 * k + 1)
    value = x[:, 0]
    for j in range(1, k + 1):
        descend = (x[:, 3 * j - 2] & x[:, 3 * j - 1]) == 1
        value = np.where(descend, value, x[:, 3 * j])
    return BooleanFunction(3 * k + 1, value)


def guarded(f: BooleanFunction) -> BooleanFunction:
    """``x_0`` and f of the other variables, which move up by one (claim LB-D).

    When ``x_0`` is rarely 1, few queries are made on average, whatever f needs.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.guarded(dt.functions.parity(2))([1, 1, 0])
    1
    """
    if check_function(f).n >= MAX_VARIABLES:
        msg = f"f must have fewer than {MAX_VARIABLES} variables, got n = {f.n}"
        raise ValueError(msg)
    table = np.stack([np.zeros_like(f.table), f.table], axis=1)
    return BooleanFunction(f.n + 1, table.ravel())


def random(n: int, seed: int | np.random.Generator) -> BooleanFunction:
    """A uniformly random function of ``n`` variables, from a seed or a NumPy generator.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.functions.random(3, seed=0) == dt.functions.random(3, seed=0)
    True
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    generator = as_generator("seed", seed)
    return BooleanFunction(n, generator.integers(0, 2, size=1 << n, dtype=np.int8))
