"""Every function of few variables at once: its best trees, and the tree that greedy growth makes.

A function of n variables has two restrictions in each variable, functions of n - 1 variables, and
what a tree has below its root depends on these alone. So a table of all functions of n - 1
variables answers for those of n: for all of them up to n = 4, for those asked about at n = 5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, FrozenArrays
from dtviz.core.boolean.boolean_function import ProductDistribution
from dtviz.core.boolean.measures import check_distribution
from dtviz.core.boolean_trees.optimal import join_depths, join_ranks, join_sizes
from dtviz.core.checks import as_codes, as_integer

MAX_ALL_VARIABLES = 4
"""The largest n whose functions are all answered for: 2^16 of them; 2^32 would be the next."""

MAX_BATCH_VARIABLES = 5
"""The largest n whose functions are answered for by code."""

_BLOCK = 1 << 16
"""How many functions are held at once with their restrictions: some 20 MB."""

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class AllOptima(FrozenArrays):
    """The exact optima of many functions of n variables, as `optimal` gives those of one.

    Attributes
    ----------
    n : int
        The number of variables.
    codes : array of int
        The functions, as ``f.code``; without a choice all ``2^(2^n)``, so that the code is the
        index. The other arrays have the same shape and are read-only, as it is.
    n_leaves, depth, rank : arrays of int
        The fewest leaves, the smallest depth, the smallest rank of a tree that computes f.
    average_depth : array of float
        The smallest mean number of queries.

    Examples
    --------
    >>> import dtviz as dt
    >>> best = dt.optimal_all(3)
    >>> best
    <AllOptima: 256 functions, n = 3>
    >>> best.rank[dt.functions.parity(3).code].item()
    3
    """

    n: int
    codes: Codes
    n_leaves: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    rank: npt.NDArray[np.int32]
    average_depth: npt.NDArray[np.float64]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.codes.size:,} functions, n = {self.n}>"


@dataclass(frozen=True, eq=False, repr=False)
class AllGreedy(AllOptima):
    """The greedy trees of many functions of n variables, as `build_top_down` ends in each.

    Attributes
    ----------
    n, codes, n_leaves, depth, rank, average_depth : as in `AllOptima`
        Of the tree, ties within a leaf going to the lowest variable; the mean number of queries is
        that under the uniform distribution, exact.
    best, worst : arrays of int
        The fewest and the most leaves, however ties are broken, as `greedy_sizes` gives them.

    Examples
    --------
    >>> import dtviz as dt
    >>> code = dt.functions.multiplexer(1).code
    >>> every = dt.influence.greedy_all(3)
    >>> every.n_leaves[code].item(), every.best[code].item(), every.worst[code].item()
    (4, 4, 6)
    """

    best: npt.NDArray[np.int32]
    worst: npt.NDArray[np.int32]


def optimal_all(
    n: int, mu: ProductDistribution | None = None, codes: npt.ArrayLike | None = None
) -> AllOptima:
    """The exact optima of every function of ``n <= 4`` variables, or of those with given codes.

    The same recursion as `optimal`, over function codes instead of subcubes: the optima of
    functions of fewer variables are looked up in the smaller tables. Renaming variables, or
    negating them or the value, changes none of them under the uniform distribution: for all
    functions of 5 variables ask for the codes of `npn_classes`.

    At n = 5 there must be codes, at most ``2^22`` ints ``f.code`` in an array of any shape. ``mu``,
    uniform if not given, weighs the average depth only.

    Examples
    --------
    >>> import dtviz as dt
    >>> codes = [dt.functions.majority(5).code, dt.functions.parity(5).code]
    >>> dt.optimal_all(5, codes=codes).n_leaves.tolist()
    [20, 32]
    """
    n = as_integer("n", n, 0, MAX_ALL_VARIABLES if codes is None else MAX_BATCH_VARIABLES)
    mu = ProductDistribution.uniform(n) if mu is None else check_distribution(mu, n)
    p = tuple(mu.p.tolist())
    if codes is None:
        return _all_optima(n, p)
    chosen = as_codes("codes", codes, n)
    return AllOptima(n, chosen, *_in_blocks(n, chosen, lambda some: _optima(some, p)))


def greedy_all(n: int, codes: npt.ArrayLike | None = None) -> AllGreedy:
    """The greedy trees of every function of ``n <= 4`` variables, or of ``codes`` (`optimal_all`).

    Each is the tree that `build_top_down` ends in (claim BLT-ALG), under the uniform distribution.
    Its root is the most influential variable and below it stand the greedy trees of the two
    restrictions, whatever the order of the splits.

    Renaming variables, or negating them or the value, changes neither ``best`` nor ``worst``. It
    may change the others, for it changes which of two tied variables is the lowest: 19,152
    functions of 4 variables have another ``n_leaves`` than the least code of their class
    (`npn_canonical`). So speak of a class by ``best`` and ``worst``.

    Examples
    --------
    >>> import dtviz as dt
    >>> every, best = dt.influence.greedy_all(4), dt.optimal_all(4)
    >>> int((every.best > best.n_leaves).sum()), int((every.n_leaves > best.n_leaves).sum())
    (4416, 28728)
    """
    n = as_integer("n", n, 0, MAX_ALL_VARIABLES if codes is None else MAX_BATCH_VARIABLES)
    if codes is None:
        return _all_greedy(n)
    chosen = as_codes("codes", codes, n)
    return AllGreedy(n, chosen, *_in_blocks(n, chosen, _greedy))


def restrictions_of(codes: npt.NDArray[np.integer[Any]], n: int) -> list[tuple[Array, Array]]:
    """The codes of some functions of ``n <= 5`` variables with each ``x_i`` fixed at 0 and at 1.

    The table of f is that for ``x_(n-1) = 0``, then that for 1: in the other variables each half
    is restricted by itself.
    """
    if n == 0:
        return []
    bits = 1 << (n - 1)
    low, high = (codes & ((1 << bits) - 1)).astype(np.intp), (codes >> bits).astype(np.intp)
    below = _all_functions(n - 1).restricted
    inner = [
        (zero[low] | zero[high] << (bits >> 1), one[low] | one[high] << (bits >> 1))
        for zero, one in below
    ]
    return [*inner, (low, high)]


class _Functions:
    """Functions of n variables, of which ``constant`` says which are constant."""

    def __init__(self, n: int, codes: Codes) -> None:
        self.n = n
        self.constant = (codes == 0) | (codes == (1 << (1 << n)) - 1)
        self.restricted = restrictions_of(codes, n)

    def halves(self, values: Array, i: int) -> tuple[Array, Array]:
        """The values of both restrictions in x_i, from those of all functions without it."""
        low, high = self.restricted[i]
        return values.take(low), values.take(high)


@lru_cache(maxsize=MAX_BATCH_VARIABLES)
def _all_functions(n: int) -> _Functions:
    return _Functions(n, np.arange(1 << (1 << n)))


def _in_blocks(n: int, codes: Codes, solve: Callable[[_Functions], Sequence[Array]]) -> list[Array]:
    """What ``solve`` finds for the functions of these codes, a block of them at a time."""
    flat = codes.ravel()
    starts = range(0, max(flat.size, 1), _BLOCK)
    blocks = [_widen(solve(_Functions(n, flat[k : k + _BLOCK]))) for k in starts]
    return [np.concatenate(parts).reshape(codes.shape) for parts in zip(*blocks, strict=True)]


def _widen(found: Sequence[Array]) -> list[Array]:
    """Counts as integers that a reader can compute with; the tables hold them in bytes."""
    return [a.astype(np.int32) if a.dtype.kind == "i" else a for a in found]


_SHAPES = ((1, join_sizes), (0, join_depths), (0, join_ranks))
"""The value of a leaf and of a query, for size, depth and rank."""


def _least(functions: _Functions, leaf: float, options: list[Array]) -> Array:
    """The least of what each root offers, and a leaf where f is constant."""
    if not options:
        return np.full(functions.constant.shape, leaf)
    return np.where(functions.constant, options[0].dtype.type(leaf), reduce(np.minimum, options))


def _shapes(functions: _Functions) -> list[Array]:
    """Size, depth and rank of each function, from those of its restrictions."""
    if functions.n == 0:
        return [np.full(functions.constant.shape, leaf, dtype=np.int8) for leaf, _ in _SHAPES]
    return [
        _least(functions, leaf, [join(*functions.halves(v, i)) for i in range(functions.n)])
        for (leaf, join), v in zip(_SHAPES, _all_shapes(functions.n - 1), strict=True)
    ]


def _average_depth(functions: _Functions, p: tuple[float, ...]) -> Array:
    """The average depth under p, from those under p without one variable."""
    options = []
    for i, q in enumerate(p):
        low, high = functions.halves(_all_average_depths(p[:i] + p[i + 1 :]), i)
        options.append(1 + (1 - q) * low + q * high)
    return _least(functions, 0.0, options)


def _optima(functions: _Functions, p: tuple[float, ...]) -> list[Array]:
    return [*_shapes(functions), _average_depth(functions, p)]


@lru_cache(maxsize=MAX_BATCH_VARIABLES)
def _all_shapes(n: int) -> list[Array]:
    return _shapes(_all_functions(n))


@lru_cache(maxsize=64)
def _all_average_depths(p: tuple[float, ...]) -> Array:
    return _average_depth(_all_functions(len(p)), p)


@lru_cache(maxsize=16)
def _all_optima(n: int, p: tuple[float, ...]) -> AllOptima:
    codes = np.arange(1 << (1 << n), dtype=np.int64)
    return AllOptima(n, codes, *_widen([*_all_shapes(n), _all_average_depths(p)]))


def _greedy(functions: _Functions) -> list[Array]:
    """Size, depth, rank and average depth of the greedy trees, and the extreme sizes over ties."""
    n, shape = functions.n, functions.constant.shape
    found: list[Array] = [np.full(shape, leaf, dtype=np.int8) for leaf in (1, 0, 0)]
    found += [np.zeros(shape), np.full(shape, 1 << n, dtype=np.int8), np.ones(shape, dtype=np.int8)]
    if n == 0:
        return found
    below = _all_greedy_below(n - 1)
    codes = np.arange(1 << (1 << (n - 1)), dtype=np.uint16)
    # Twice the influence, as a count of edges on which f changes.
    edges = [np.bitwise_count(np.bitwise_xor(*functions.halves(codes, i))) for i in range(n)]
    most = np.where(functions.constant, 255, reduce(np.maximum, edges))
    for i in reversed(range(n)):  # the lowest of the tied variables has the last word
        root = edges[i] == most
        size, depth, rank, mean, best, worst = (functions.halves(v, i) for v in below)
        for values, new in zip(
            found,
            (
                join_sizes(*size),
                join_depths(*depth),
                join_ranks(*rank),
                1 + (mean[0] + mean[1]) / 2,
                np.minimum(found[4], join_sizes(*best)),
                np.maximum(found[5], join_sizes(*worst)),
            ),
            strict=True,
        ):
            np.copyto(values, new, where=root)
    np.copyto(found[4], 1, where=functions.constant)
    return found


@lru_cache(maxsize=MAX_BATCH_VARIABLES)
def _all_greedy_below(n: int) -> list[Array]:
    return _greedy(_all_functions(n))


@lru_cache(maxsize=MAX_BATCH_VARIABLES)
def _all_greedy(n: int) -> AllGreedy:
    return AllGreedy(n, np.arange(1 << (1 << n), dtype=np.int64), *_widen(_all_greedy_below(n)))
