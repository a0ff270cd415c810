"""The formulas that rank obeys: how many trees, functions, examples and calls.

Integers are exact, and so of limited arguments: each function says which.
Numbers of functions are given by their natural logarithm, since they may have millions of digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.checks import as_flag, as_integer, as_real, as_repr, check_work
from dtviz.core.tree.tree import Tree

MAX_VARIABLES = 10**6
"""The most variables of what is counted exactly."""

MAX_LEAVES = 10**5
"""The most leaves of the trees that `count_trees_of_size` counts."""

MAX_REDUCED = 20
"""The most variables whose reduced trees are counted: their number has about 2^n binary digits."""


def most_leaves(n: int, r: int) -> int:
    """L(n, r), the most leaves a reduced tree of rank at most r on n variables has (EH-LREC).

    The sum of ``C(n, i)`` over ``i <= r``, for ``0 <= n <= 1,000,000``, unless that takes minutes.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.most_leaves(5, 2)
    16
    """
    n, r = as_integer("n", n, 0, MAX_VARIABLES), as_integer("r", r, 0)
    if r >= n:
        return 1 << n
    check_work("n and r", r, min(n, r * n.bit_length()))
    total, term = 0, 1
    for i in range(r + 1):
        total += term
        term = term * (n - i) // (i + 1)
    return total


def reduced_trees(n: int) -> Iterator[Tree]:
    """Every reduced tree with 0/1 leaves on n variables, ``0 <= n <= 3`` (EH-DEF-RED).

    Examples
    --------
    >>> import dtviz as dt
    >>> sum(1 for tree in dt.rank.reduced_trees(2))
    74
    """
    shapes = _preorders(tuple(range(as_integer("n", n, 0, 3))))
    return (Tree([node[0] for node in shape], [node[1] for node in shape]) for shape in shapes)


def _preorders(free: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Reduced trees on the given variables, as (variable, label) pairs in preorder."""
    yield from (((-1, label),) for label in (0, 1))
    for i in free:
        below = list(_preorders(tuple(j for j in free if j != i)))
        for low, high in product(below, repeat=2):
            yield ((i, 0), *low, *high)


def count_reduced_trees(n: int) -> int:
    """How many trees `reduced_trees` lists, T(n) = 2 + n T(n-1)^2, for n up to 20 (EH-DEF-RED).

    Examples
    --------
    >>> import dtviz as dt
    >>> [dt.rank.count_reduced_trees(n) for n in range(5)]
    [2, 6, 74, 16430, 1079779602]
    """
    trees = 2
    for i in range(1, as_integer("n", n, 0, MAX_REDUCED) + 1):
        trees = 2 + i * trees**2
    return trees


def count_trees_of_size(n: int, leaves: int) -> int:
    """How many trees, reduced or not, with 0/1 leaves on n variables have so many leaves.

    ``2^i n^(i-1) C(2i-1, i) / (2i-1)`` for i leaves: labels, variables, shapes (EH-L1ii-CH).
    ``0 <= n <= 1,000,000`` and ``1 <= leaves <= 100,000``.

    Examples
    --------
    >>> import dtviz as dt
    >>> [dt.rank.count_trees_of_size(2, leaves) for leaves in (1, 2, 3)]
    [2, 8, 64]
    """
    n, i = as_integer("n", n, 0, MAX_VARIABLES), as_integer("leaves", leaves, 1, MAX_LEAVES)
    shapes = math.comb(2 * i - 1, i) // (2 * i - 1)
    return (1 << i) * int(pow(n, i - 1)) * shapes


def functions_by_rank(n: int) -> npt.NDArray[np.int64]:
    """How many functions of n variables have rank 0, 1, ..., n; ``0 <= n <= 4`` (EH-DEF-FNR).

    An ``(n + 1,)`` array of ints; their sum is ``2^(2^n)``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.functions_by_rank(3).tolist()
    [2, 94, 158, 2]
    """
    n = as_integer("n", n, 0, 4)
    return np.bincount(optimal_all(n).rank, minlength=n + 1)


def log_function_bound(n: int, r: int, *, by_leaves: bool = False) -> float:
    """A bound on ln |F_n^r|, F_n^r being the functions of n variables of rank <= r (EH-L1ii-c).

    ln 2 if ``r = 0`` and ``2^n ln 2`` if ``n <= r``, both exact; otherwise ``k ln(8n)`` with
    ``k = (en/r)^r`` or, if ``by_leaves``, with the smaller ``k = most_leaves(n, r)``.
    Infinity where the logarithm exceeds the floating-point range.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.rank.log_function_bound(10, 2), 1)
    809.5
    """
    n, r = as_integer("n", n, 0), as_integer("r", r, 0)
    by_leaves = as_flag("by_leaves", by_leaves)
    try:
        if n <= r or r == 0:
            return math.ldexp(math.log(2), 0 if r == 0 else n)
        return (most_leaves(n, r) if by_leaves else _leaves_bound(n, r)) * math.log(8 * n)
    except OverflowError:
        return math.inf


def _leaves_bound(n: int, r: int) -> float:
    """``(en/r)^r``, infinity beyond the floats."""
    try:
        return (math.e * (n / r)) ** r
    except OverflowError:
        return math.inf


def rank_of_nodes(nodes: int) -> int:
    """``floor(log2 nodes)``, at least the rank of every tree of so many nodes (EH-L5).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.rank_of_nodes(15)
    3
    """
    return as_integer("nodes", nodes, 1).bit_length() - 1


def sample_size(epsilon: float, delta: float, log_functions: float) -> int:
    """Examples that make every consistent hypothesis of a class epsilon-good (EH-L4).

    The least integer that is at least ``(log_functions + ln(1/delta)) / epsilon``, where
    ``log_functions > 0`` is (a bound on) ln |F|. With probability at least ``1 - delta``, every
    function of F consistent with so many random examples has error at most ``epsilon``.

    Examples
    --------
    >>> import dtviz as dt
    >>> import math
    >>> dt.rank.sample_size(0.1, 0.05, math.log(256))
    86
    """
    unit = ("the open interval (0, 1)", lambda p: 0 < p < 1)
    epsilon, delta = as_real("epsilon", epsilon, *unit), as_real("delta", delta, *unit)
    above_zero = ("the open interval (0, inf)", lambda x: 0 < x < math.inf)
    log_functions = as_real("log_functions", log_functions, *above_zero)
    needed = (log_functions - math.log(delta)) / epsilon
    if needed == math.inf:
        msg = (
            "epsilon and log_functions must give a number of examples below 2^1024, "
            f"got {epsilon!r} and {log_functions!r}"
        )
        raise ValueError(msg)
    return math.ceil(needed)


def sample_size_for_rank(n: int, r: int, epsilon: float, delta: float) -> int:
    """Examples that let FIND learn functions of rank <= r, as EH-T2 counts them.

    ``((en/r)^r ln(8n) + ln(1/delta)) / epsilon``, rounded up; ``n >= r >= 1``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.sample_size_for_rank(40, 2, 0.1, 0.05)
    170520
    """
    n = as_integer("n", n, 1)
    r = as_integer("r", r, 1, n)
    log_functions = _leaves_bound(n, r) * math.log(8 * n)
    if log_functions == math.inf:
        msg = f"n and r must give a bound below 2^1024, got {as_repr(n)} and {as_repr(r)}"
        raise ValueError(msg)
    return sample_size(epsilon, delta, log_functions)


def sample_size_for_nodes(n: int, nodes: int, epsilon: float, delta: float) -> int:
    """Examples for targets with a tree of so many nodes, as EH-T3 counts them.

    `sample_size_for_rank` with ``r = floor(log2 nodes)``, which must be from 1 to n.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.sample_size_for_nodes(40, 15, 0.1, 0.05)
    2746337
    """
    return sample_size_for_rank(n, rank_of_nodes(nodes), epsilon, delta)


def recurrence(n: int, r: int, leaf: int = 1, call: int = 1) -> int:
    """T(n, r) of EH-L3: the most that FIND with bound r costs on n informative variables.

    ``T(i, r) = call + 2i T(i-1, r-1) + T(i-1, r)``, and ``T(0, r) = T(i, 0) = leaf`` (EH-L3-REC).
    With 1 and 1 it bounds the number of calls; with ``m`` and ``m (n + 1)`` the entries read from a
    sample of m examples (``FindRun.touched``). ``0 <= n <= 1,000,000``, unless that takes minutes.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.recurrence(5, 1), dt.rank.recurrence(5, 2)
    (36, 456)
    """
    n, r = as_integer("n", n, 0, MAX_VARIABLES), as_integer("r", r, 0)
    leaf, call = as_integer("leaf", leaf, 0, 1 << 53), as_integer("call", call, 0, 1 << 53)
    r = min(r, n)
    check_work("n and r", n * r, _digits_of_calls(n, r))
    smaller = [leaf] * (n + 1 if r else 1)
    for _ in range(r):
        row = [leaf]
        for i in range(1, n + 1):
            row.append(call + 2 * i * smaller[i - 1] + row[-1])
        smaller = row
    return smaller[-1]


def _digits_of_calls(n: int, r: int) -> int:
    """An upper bound on the binary digits of `recurrence_bound`."""
    return (2 * r + 2) * (n + 1).bit_length() + 53


def recurrence_bound(n: int, r: int, leaf: int = 1, call: int = 1) -> int:
    """The closed bound on `recurrence`, the last step of the proof (EH-L3-S3).

    ``call`` times the sum of ``(n+1)^(2j+1)`` over ``j < r``, plus ``leaf`` times the sum of
    ``(n+1)^(2j)`` over ``j <= r``: of the order of ``(n+1)^(2r)``, of at most a million bits.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.recurrence_bound(5, 2)
    1555
    """
    n, r = as_integer("n", n, 0, MAX_VARIABLES), as_integer("r", r, 0, MAX_VARIABLES)
    leaf, call = as_integer("leaf", leaf, 0, 1 << 53), as_integer("call", call, 0, 1 << 53)
    check_work("n and r", 1, _digits_of_calls(n, r))
    if n == 0:
        return call * r + leaf * (r + 1)
    # Geometric sums: (n+1)^2 - 1 times each is a difference of two powers.
    square = (n + 1) ** 2
    power = int(pow(square, r))
    odd = (n + 1) * (power - 1) // (square - 1)
    return call * odd + leaf * ((power * square - 1) // (square - 1))
