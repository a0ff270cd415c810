"""The best trees there are: exact size, depth, average depth and rank, with trees that attain them.

A restriction of f is a subcube of {0,1}^n: each variable is 0, 1 or free, 3^n in all.
A best tree for a subcube queries the best of its free variables and goes on with a best tree for
each half, so one dynamic program over all subcubes, by number of free variables, is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, HasPicture, Immutable
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean.measures import check_distribution, check_function
from dtviz.core.checks import as_one_of
from dtviz.core.hints import with_hints
from dtviz.core.names import Names
from dtviz.core.tolerances import ROUNDING
from dtviz.core.tree.arrays import preorder
from dtviz.core.tree.tree import Tree

MAX_OPTIMAL_VARIABLES = 12
"""The largest n `optimal` accepts: 3^12 = 531,441 subcubes."""

Join = Callable[[Array, Array, Array], Array]
"""The value of a query from its halves' values and the variable queried, elementwise."""


def join_sizes(low: Array, high: Array, _: object = None) -> Array:
    """The size of a tree from those of the two trees below its root."""
    return low + high


def join_depths(low: Array, high: Array, _: object = None) -> Array:
    """Its depth from theirs."""
    higher: Array = np.maximum(low, high)
    deeper: Array = higher + low.dtype.type(1)
    return deeper


def join_ranks(low: Array, high: Array, _: object = None) -> Array:
    """Its rank from theirs."""
    rank: Array = np.maximum(low, high) + (low == high)
    return rank


@dataclass(frozen=True)
class _Cubes:
    """The subcubes of {0,1}^n, those with k free variables in ``rows[k]`` of every value array.

    ``low[k]`` and ``high[k]`` are ``(k, count)`` arrays: where the two halves of each such subcube
    stand when its j-th free variable (ascending) is fixed; ``free[k]`` names that variable.
    """

    rows: tuple[slice, ...]
    low: tuple[npt.NDArray[np.int32], ...]
    high: tuple[npt.NDArray[np.int32], ...]
    free: tuple[npt.NDArray[np.int8], ...]
    points: npt.NDArray[np.intp]


@lru_cache(maxsize=3)
def _cubes(n: int) -> _Cubes:
    code = np.arange(3**n, dtype=np.int32)
    digits = np.stack([(code // 3**i) % 3 for i in range(n)]) if n else np.zeros((0, 1), np.int32)
    n_free = (digits == 2).sum(axis=0)
    order = np.argsort(n_free, kind="stable").astype(np.int32)
    place = np.empty_like(code)
    place[order] = code
    ends = np.searchsorted(n_free[order], np.arange(n + 2))
    rows, lows, highs, frees = [], [], [], []
    for k in range(n + 1):
        here = order[ends[k] : ends[k + 1]]
        free = np.nonzero(digits[:, here].T == 2)[1].reshape(here.size, k).T
        step = 3 ** free.astype(np.int32)
        rows.append(slice(int(ends[k]), int(ends[k + 1])))
        lows.append(place[here - 2 * step])
        highs.append(place[here - step])
        frees.append(np.ascontiguousarray(free, dtype=np.int8))
    points = order[rows[0]]
    index = np.zeros(points.size, dtype=np.intp)
    for i in range(n):
        index += ((points // 3**i) % 3) << i
    return _Cubes(tuple(rows), tuple(lows), tuple(highs), tuple(frees), index)


@with_hints
class OptimalTrees(Immutable, HasPicture):
    """Exact optima of one function; each is computed when first asked for.

    Attributes
    ----------
    n_leaves, depth, rank : int
        The fewest leaves, the smallest depth, the smallest rank of a tree that computes f.
    average_depth : float
        The smallest mean number of queries, under ``mu`` (uniform if not given).
    max_average_depth : float
        The largest average depth of a restriction of f; fixing variables may raise it.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.optimal(dt.functions.conjunction(2)).tree("depth")
    <Tree: 3 leaves, depth 2>
    """

    f: BooleanFunction
    mu: ProductDistribution

    def __init__(self, f: BooleanFunction, mu: ProductDistribution | None = None) -> None:
        f = check_function(f)
        if f.n > MAX_OPTIMAL_VARIABLES:
            msg = (
                f"f must have at most {MAX_OPTIMAL_VARIABLES} variables, got n = {f.n}: "
                f"the program visits 3^{f.n} subcubes"
            )
            raise ValueError(msg)
        mu = ProductDistribution.uniform(f.n) if mu is None else check_distribution(mu, f.n)
        vars(self).update(f=f, mu=mu)

    def __reduce__(self) -> tuple[Any, ...]:
        return OptimalTrees, (self.f, self.mu)

    @cached_property
    def _ones(self) -> npt.NDArray[np.int32]:
        cubes = _cubes(self.f.n)
        ones = np.empty(3**self.f.n, dtype=np.int32)
        ones[cubes.rows[0]] = self.f.table[cubes.points]
        for k in range(1, self.f.n + 1):
            ones[cubes.rows[k]] = ones[cubes.low[k][0]] + ones[cubes.high[k][0]]
        return ones

    def _has_both(self, k: int) -> npt.NDArray[np.bool_]:
        """Which subcubes with k free variables hold both values of f."""
        ones = self._ones[_cubes(self.f.n).rows[k]]
        return (ones > 0) & (ones < 1 << k)

    @cached_property
    def _measures(self) -> dict[str, tuple[int, type[np.generic], Join]]:
        """The value of a leaf, its type, and the value of a query from those of its halves."""

        def join_means(low: Array, high: Array, variable: Array) -> Array:
            p = self.mu.p[variable]
            return 1 + (1 - p) * low + p * high

        return {
            "n_leaves": (1, np.int32, join_sizes),
            "depth": (0, np.int8, join_depths),
            "rank": (0, np.int8, join_ranks),
            "average_depth": (0, np.float64, join_means),
        }

    @cached_property
    def _values(self) -> dict[str, Array]:
        return {}

    def _solve(self, measure: str) -> Array:
        """The best value of every subcube, found when first asked for."""
        if measure not in self._values:
            cubes = _cubes(self.f.n)
            leaf, dtype, join = self._measures[measure]
            value = np.full(3**self.f.n, leaf, dtype=dtype)
            for k in range(1, self.f.n + 1):
                options = join(value[cubes.low[k]], value[cubes.high[k]], cubes.free[k])
                value[cubes.rows[k]] = np.where(self._has_both(k), options.min(axis=0), leaf)
            self._values[measure] = value
        return self._values[measure]

    @property
    def n_leaves(self) -> int:
        """The fewest leaves of a tree that computes f."""
        return int(self._solve("n_leaves")[-1])

    @property
    def depth(self) -> int:
        """The smallest depth, the decision tree complexity D(f)."""
        return int(self._solve("depth")[-1])

    @property
    def rank(self) -> int:
        """The smallest Ehrenfeucht-Haussler rank of a tree that computes f."""
        return int(self._solve("rank")[-1])

    @property
    def average_depth(self) -> float:
        """The smallest mean number of queries under ``mu``, Delta(f)."""
        return float(self._solve("average_depth")[-1])

    @property
    def max_average_depth(self) -> float:
        """The largest mean number of queries that a restriction of f needs under ``mu``."""
        return float(self._solve("average_depth").max())

    def tree(self, measure: str = "n_leaves") -> Tree:
        """A tree that has the least of one measure: "n_leaves", "depth", "rank", "average_depth".

        Among equal queries it takes the lowest variable.
        """
        # Follow the best choices from the whole cube down.
        value = self._solve(as_one_of("measure", measure, self._measures))
        *_, join = self._measures[measure]
        cubes = _cubes(self.f.n)
        place = np.array([value.size - 1])
        variables, labels = [], []
        for k in range(self.f.n, -1, -1):
            ones = self._ones[place]
            mixed = (ones > 0) & (ones < 1 << k)
            variable = np.full(place.size, -1, dtype=np.intp)
            variables.append(variable)
            labels.append(np.where(mixed, 0, ones > 0))
            if not mixed.any():
                break
            column = place[mixed] - cubes.rows[k].start
            low, high, free = (a[k][:, column] for a in (cubes.low, cubes.high, cubes.free))
            options = join(value[low], value[high], free)
            # Rounding of a mean must not choose between equal variables.
            best = (options <= options.min(axis=0) * (1 + ROUNDING)).argmax(axis=0)
            here = np.arange(best.size)
            variable[mixed] = free[best, here]
            place = np.column_stack([low[best, here], high[best, here]]).ravel()
        order = preorder([variable >= 0 for variable in variables])
        names = Names(self.f.variables)
        return Tree(np.concatenate(variables)[order], np.concatenate(labels)[order], names=names)

    def __repr__(self) -> str:
        return (
            f"<OptimalTrees: {self.n_leaves} leaves, depth {self.depth}, rank {self.rank}, "
            f"average depth {self.average_depth:.6g}>"
        )


@with_hints
def optimal(f: BooleanFunction, mu: ProductDistribution | None = None) -> OptimalTrees:
    """The exact optima of f: ``.n_leaves .depth .average_depth .rank``, and ``.tree()``.

    ``mu`` (uniform if not given) weighs the average depth only. At most ``MAX_OPTIMAL_VARIABLES``
    variables; ValueError above. Every value is the optimum of its own measure: one tree need not
    attain them all.

    Examples
    --------
    >>> import dtviz as dt
    >>> best = dt.optimal(dt.functions.majority(3))
    >>> best.depth, best.average_depth, best.rank
    (3, 2.5, 2)
    """
    return OptimalTrees(f, mu)
