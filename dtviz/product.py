"""Chapter 3, biased inputs: influences of one bias, and the bounds of the analysis.

After "Decision Tree Learning on Product Spaces" (ICML 2026, arXiv 2605.12983), of which the
abstract and notes were at hand. Product distributions, resample influence, the variation
``Vr(f) = Pr[f(x) != f(y)] = 2m(1-m)``, size = leaves. ``Delta`` is an average depth under the
distribution, ``D`` a depth; ``j`` splits have been made when the tree has ``j + 1`` leaves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz._immutable import Immutable, frozen
from dtviz._validate import as_array, as_integer, as_real, shown
from dtviz.boolean import BooleanFunction, ProductDistribution
from dtviz.growth import GrowthPath
from dtviz.measures import ROUNDING, checked_function
from dtviz.optimal import optimal
from dtviz.tree import Tree, checked_tree

__all__ = [
    "EdgeHistogram",
    "Phases",
    "SizeBounds",
    "abstract_bound_bits",
    "floor_by_cost",
    "floor_by_error",
    "floor_by_variation",
    "path_variations",
    "phases",
    "proved_bound_bits",
    "size_bound_bits",
    "size_bounds",
    "tree_variation",
    "variation_bound_bits",
    "worst_case_costs",
]

Floats = npt.NDArray[np.float64]
Number = float | Fraction

LOG2_E = math.log2(math.e)


# -- one common bias -------------------------------------------------------------------------------


class EdgeHistogram(Immutable):
    """All that the influences of f under one common bias depend on, counted once.

    Under ``Pr[x_i = 1] = p`` for every i, an edge of the cube in direction i with k ones among the
    other variables has weight ``p^k (1-p)^(n-1-k)``. So the number of sensitive edges for each i
    and k determines the influences for every p.

    Attributes
    ----------
    n : int
        Number of variables of f.
    edges : (n, n) int array
        ``edges[i, k]``: in how many edges ``{x, x^i}`` with k ones outside i the value changes.
    ones : (n + 1,) int array
        ``ones[k]``: how many points with k ones have f = 1.
    """

    n: int
    edges: npt.NDArray[np.int64]
    ones: npt.NDArray[np.int64]

    def __init__(self, f: BooleanFunction) -> None:
        table = checked_function(f).table
        n = f.n
        level = np.bitwise_count(np.arange(1 << n, dtype=np.uint32))
        edges = np.zeros((n, n), dtype=np.int64)
        for i in range(n):
            # A point without its bit i, as an index, is the place of the edge in the halves.
            halves = table.reshape(-1, 2, 1 << i)
            changes = (halves[:, 0] != halves[:, 1]).ravel()
            edges[i] = np.bincount(level[: changes.size][changes], minlength=n)
        ones = np.bincount(level[table.astype(bool)], minlength=n + 1)
        vars(self).update(n=n, edges=frozen(edges), ones=frozen(ones.astype(np.int64)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _histogram_of, (self.n, self.edges, self.ones)

    @cached_property
    def _columns(self) -> tuple[Floats, Floats, Floats]:
        """The counts as floats, one column for each i, and the exponents of p and of 1 - p."""
        k = np.arange(self.n, dtype=np.float64)
        return np.ascontiguousarray(self.edges.T, dtype=np.float64), k, k[::-1].copy()

    def influences(self, p: Any) -> Floats:
        """Flip influences under the common bias p.

        Parameters
        ----------
        p : float in (0, 1), or array of them of any shape

        Returns
        -------
        (n,) array, or array of shape ``(*p.shape, n)``
            ``Pr[f(x) != f(x^i)]``.
        """
        biases = _as_biases(p)
        columns, up, down = self._columns
        if isinstance(biases, float):
            return (biases**up * (1 - biases) ** down) @ columns
        each = biases[..., None]
        return (each**up * (1 - each) ** down) @ columns

    def resample_influences(self, p: Any) -> Floats:
        """Resample influences ``Pr[f(x) != f(x^(i))]``, of the same shapes as `influences`."""
        biases = _as_biases(p)
        flip = self.influences(biases)
        if isinstance(biases, float):
            return 2 * biases * (1 - biases) * flip
        return (2 * biases * (1 - biases))[..., None] * flip

    def mean(self, p: Any) -> Any:
        """``Pr[f(x) = 1]`` under the common bias p: a float, or an array of the shape of p."""
        biases = _as_biases(p)
        each = np.asarray(biases)[..., None]
        k = np.arange(self.n + 1)
        mean = (each**k * (1 - each) ** (self.n - k)) @ self.ones
        return float(mean) if isinstance(biases, float) else mean

    def exact_influences(self, p: Fraction) -> tuple[Fraction, ...]:
        """The flip influences as fractions, for a bias that is one."""
        q = _number("p", p, "(0, 1)", lambda b: 0 < b < 1)
        weights = [q**k * (1 - q) ** (self.n - 1 - k) for k in range(self.n)]
        return tuple(
            sum((int(c) * Fraction(w) for c, w in zip(row, weights, strict=True)), Fraction(0))
            for row in self.edges
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EdgeHistogram):
            return NotImplemented
        return np.array_equal(self.edges, other.edges) and np.array_equal(self.ones, other.ones)

    def __hash__(self) -> int:
        return hash((self.edges.tobytes(), self.ones.tobytes()))

    def __repr__(self) -> str:
        return f"<EdgeHistogram of {self.n} variables, {int(self.edges.sum())} sensitive edges>"


def _histogram_of(
    n: int, edges: npt.NDArray[np.int64], ones: npt.NDArray[np.int64]
) -> EdgeHistogram:
    histogram = EdgeHistogram.__new__(EdgeHistogram)
    vars(histogram).update(n=n, edges=frozen(edges), ones=frozen(ones))
    return histogram


def _as_biases(p: Any) -> float | Floats:
    """One bias as a float, many as an array; all in (0, 1)."""
    if isinstance(p, Real) or not (isinstance(p, (list, tuple)) or hasattr(p, "__array__")):
        return as_real("p", p, "(0, 1)", lambda b: 0 < b < 1)
    array = as_array(p)
    if array is None or array.dtype.kind not in "iuf":
        msg = f"p must be a number in (0, 1) or an array of them, got {shown(p)}"
        raise ValueError(msg)
    outside = ~((array > 0) & (array < 1))
    if outside.any():
        msg = f"p must lie in the open interval (0, 1), got {array[outside].flat[0]}"
        raise ValueError(msg)
    return array.astype(np.float64)


# -- what the leaves of a tree vary by -------------------------------------------------------------


def tree_variation(tree: Tree, f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """``V = sum Pr[leaf] Vr(f at the leaf)``, in [0, 1/2]: error <= V <= cost <= D V (PS-L4.2)."""
    zeros, ones = checked_tree(tree).leaf_masses(f, mu)
    return float((2 * zeros * ones / (zeros + ones)).sum())


def path_variations(path: GrowthPath) -> Floats:
    """`tree_variation` along a path: a ``(n_steps + 1,)`` array."""
    if not isinstance(path, GrowthPath):
        msg = f"path must be a GrowthPath, got {shown(path)}"
        raise ValueError(msg)
    rest = path.node_probability - path.node_error
    return path.totals(2 * path.node_error * rest / path.node_probability)


# -- floors of the best score ----------------------------------------------------------------------


def _number(name: str, value: Any, interval: str, within: Callable[[float], bool]) -> Number:
    """A number in the named interval; a fraction or an integer stays exact."""
    number = as_real(name, value, interval, within)
    return Fraction(value) if isinstance(value, (int, Fraction)) else number


def _as_delta(delta: Any) -> Number:
    return _number("delta", delta, "(0, inf)", lambda d: 0 < d < math.inf)


def _as_depth(depth: Any) -> int:
    return as_integer("depth", depth, 1, 1 << 53)


def _leaves_after(step: Any) -> int:
    return as_integer("step", step, 0, 1 << 53) + 1


def floor_by_error(error: Number, step: int, delta: Number) -> Number:
    """Lemma 4.4, the small-cost phase: ``error / ((step + 1) delta)`` (claim PS-L4.4).

    A floor of the best score after ``step`` splits if ``delta`` bounds the average depth of every
    restriction of f: its depth D, or `OptimalTrees.max_average_depth`. As the notes read it,
    ``delta`` is the average depth of f alone; then it is no floor. Exact if the arguments are
    fractions or integers.
    """
    error = _number("error", error, "[0, 1/2]", lambda e: 0 <= e <= 0.5)
    return error / (_leaves_after(step) * _as_delta(delta))


def floor_by_cost(cost: Number, step: int, delta: Number, depth: int) -> Number:
    """Lemma 4.5, the large-cost phase: ``cost / ((step + 1) delta depth)`` (claim PS-L4.5).

    ``delta`` as in `floor_by_error`; ``depth`` is the depth of some tree that computes f.
    """
    cost = _number("cost", cost, "[0, inf)", lambda c: 0 <= c < math.inf)
    return cost / (_leaves_after(step) * _as_delta(delta) * _as_depth(depth))


def floor_by_variation(variation: Number, step: int, delta: Number) -> Number:
    """Our floor, for the average depth of f alone: ``2 V^2 / ((step + 1) delta)``.

    ``V`` is `tree_variation`, ``delta`` the average depth of a tree that computes f. By Lemma C.1
    at each leaf, ``p Vr <= score d``, where the d average to delta at most; so ``sum p^2 Vr <=
    score delta``, and ``V^2 <= (sum p^2 Vr) (sum Vr) <= score delta (step + 1) / 2``. A literal at
    p = 1/2 attains it (claim PS-L4.4).
    """
    variation = _number("variation", variation, "[0, 1/2]", lambda v: 0 <= v <= 0.5)
    return 2 * variation**2 / (_leaves_after(step) * _as_delta(delta))


# -- bounds on the size, in bits -------------------------------------------------------------------


def _as_positive_epsilon(epsilon: Any) -> float:
    return as_real("epsilon", epsilon, "(0, 1/2)", lambda e: 0 < e < 0.5)


def _as_slack(slack: Any) -> float:
    return as_real("slack", slack, "[1, inf)", lambda s: 1 <= s < math.inf)


def _depths(delta: Any, depth: Any) -> tuple[float, int]:
    """An average depth and a depth that fit each other."""
    depth = _as_depth(depth)
    within = f"[1, depth], here [1, {depth}]"
    high = depth * (1 + ROUNDING)
    return as_real("delta", delta, within, lambda d: 1 - ROUNDING <= d <= high), depth


def size_bound_bits(delta: float, depth: int, epsilon: float, slack: float = 1) -> float:
    """Theorem 1.1 in bits: ``log2 max((e delta / (eps D))^(delta D), e^(delta D))`` leaves.

    Parameters
    ----------
    delta : float
        The bound holds (claim PS-T1.1) if this is `OptimalTrees.max_average_depth`, or the depth
        D. The notes read it as the average depth of f; then it does not hold.
    depth : int
        D, the depth of a tree that computes f, at least 1.
    epsilon : float
        The error, in (0, 1/2).
    slack : float
        How many times the score that is chosen may fall short of the best one: 4 in Theorem 5.1
        (claim PS-T5.1). It multiplies the exponents.
    """
    delta, depth = _depths(delta, depth)
    base = delta / (_as_positive_epsilon(epsilon) * depth)
    return _as_slack(slack) * delta * depth * (LOG2_E + max(math.log2(base), 0.0))


def abstract_bound_bits(delta: float, depth: int, epsilon: float) -> float:
    """The bound in the form of the abstract, ``(e / eps)^(delta D)``, in bits (PS-T1.1-ABS)."""
    delta, depth = _depths(delta, depth)
    return delta * depth * (LOG2_E - math.log2(_as_positive_epsilon(epsilon)))


def variation_bound_bits(delta: float, depth: int, epsilon: float) -> float:
    """What `floor_by_variation` gives for the average depth of f alone, in bits (claim PS-T1.1).

    The smaller of ``exp(delta D / eps)`` and ``exp(delta^2 / (4 eps^2))`` leaves. The cost starts
    at delta/2 at most. While it is C, ``V >= C/D`` and step j takes off ``2 C^2 / ((j+1) delta
    D^2)``, so ``delta D / (2 eps)`` nats of leaves bring it to ``eps D``; as V is at least the
    error, above eps, step j takes off ``2 eps^2 / ((j+1) delta)``, too, so as many nats more bring
    it to eps, and ``delta^2 / (4 eps^2)`` do so from the start.
    """
    delta, depth = _depths(delta, depth)
    epsilon = _as_positive_epsilon(epsilon)
    return min(delta * depth / epsilon, (delta / (2 * epsilon)) ** 2) * LOG2_E


def proved_bound_bits(
    delta: float, largest: float, depth: int, epsilon: float, slack: float = 1
) -> float:
    """Theorem 1.1 as it is proved: ``max(delta / (2 eps D), 1)^(L D) e^(L D)`` leaves, in bits.

    ``L = largest`` bounds the average depth of every restriction of f, `OptimalTrees.
    max_average_depth` or D; ``delta`` that of f alone, which bounds the first cost by half of it.
    The other arguments are those of `size_bound_bits`, which is larger (claim PS-T1.1).
    """
    largest, depth = _depths(largest, depth)
    high = largest * (1 + ROUNDING)
    within = f"[1, largest], here [1, {largest:g}]"
    delta = as_real("delta", delta, within, lambda d: 1 - ROUNDING <= d <= high)
    base = delta / (2 * _as_positive_epsilon(epsilon) * depth)
    return _as_slack(slack) * largest * depth * (LOG2_E + max(math.log2(base), 0.0))


@dataclass(frozen=True)
class Phases:
    """The two phases of Theorem 1.1, as base-2 logarithms of numbers of leaves.

    With ``2^first`` leaves the cost is at most ``epsilon D`` (claim PS-L4.6); with ``2^total``
    leaves it is at most ``epsilon``, and so is the error (claim PS-L4.7).
    """

    first: float
    total: float


def phases(
    delta: float,
    depth: int,
    epsilon: float,
    first_cost: float | None = None,
    slack: float = 1,
) -> Phases:
    """The lengths of the two phases, from the cost of the single leaf.

    Phase 1 keeps a fraction ``1 - 1/((j+1) delta D)`` of the cost in step j, so that
    ``(first_cost / (epsilon D))^(delta D)`` leaves do; phase 2 takes off ``epsilon / ((j+1)
    delta)``, so that a factor ``exp(delta (D - 1))`` more do. ``slack`` multiplies ``delta`` there.

    Parameters
    ----------
    delta, depth, epsilon, slack : as in `size_bound_bits`
    first_cost : float, optional
        The total resample influence of f; half of ``delta``, which bounds it, if not given.
    """
    delta, depth = _depths(delta, depth)
    epsilon, slack = _as_positive_epsilon(epsilon), _as_slack(slack)
    cost = _first_cost(first_cost, delta)
    first = 0.0
    if cost > epsilon * depth:
        first = _whole(slack * delta * depth * math.log2(cost / (epsilon * depth)))
    return Phases(first, _whole(first + slack * delta * (depth - 1) * LOG2_E))


def _first_cost(first_cost: float | None, delta: float) -> float:
    if first_cost is None:
        return delta / 2
    return as_real("first_cost", first_cost, "[0, inf)", lambda c: 0 <= c < math.inf)


def _whole(bits: float) -> float:
    """Round a number of leaves up to a whole one, in bits; beyond 2^52 all floats are whole."""
    return math.log2(math.ceil(2**bits * (1 - ROUNDING))) if bits < 52 else bits


def worst_case_costs(
    delta: float,
    depth: int,
    epsilon: float,
    steps: int,
    first_cost: float | None = None,
) -> Floats:
    """The slowest fall of the cost that the two score floors allow: a ``(steps + 1,)`` array.

    Arguments as in `phases`. Never below 0.
    """
    delta, depth = _depths(delta, depth)
    epsilon = _as_positive_epsilon(epsilon)
    costs = np.empty(as_integer("steps", steps, 0, 10_000_000) + 1)
    costs[0] = _first_cost(first_cost, delta)
    for j in range(steps):
        drop = max(costs[j] / depth, epsilon) / ((j + 1) * delta)
        costs[j + 1] = max(costs[j] - drop, 0.0)
    return costs


@dataclass(frozen=True)
class SizeBounds:
    """The bounds on the greedy size for one function, in bits: base-2 logarithms of leaves.

    ``printed`` and ``abstract`` read Delta as the average depth of f, which is not enough for
    them to hold in general; the other three hold. ``trivial`` is the full tree, ``2^n`` leaves.
    """

    delta: float
    max_delta: float
    depth: int
    printed: float
    abstract: float
    by_max_delta: float
    by_depth: float
    by_variation: float
    trivial: float


def size_bounds(
    f: BooleanFunction, mu: ProductDistribution | None, epsilon: float, slack: float = 1
) -> SizeBounds:
    """All bounds for f under mu (None: uniform) and an error ``epsilon`` in (0, 1/2).

    ``slack`` is 4 for a learner that chooses a quarter of the best score (Theorem 5.1). Raises
    ValueError if f is constant or has more variables than `dtviz.optimal` takes.
    """
    epsilon, slack = _as_positive_epsilon(epsilon), _as_slack(slack)
    best = optimal(f, mu)
    if f.is_constant:
        msg = f"f must not be constant: one leaf computes it, got {f!r}"
        raise ValueError(msg)
    delta, largest, depth = best.average_depth, best.max_average_depth, best.depth
    return SizeBounds(
        delta,
        largest,
        depth,
        printed=size_bound_bits(delta, depth, epsilon, slack),
        abstract=slack * abstract_bound_bits(delta, depth, epsilon),
        by_max_delta=proved_bound_bits(delta, largest, depth, epsilon, slack),
        by_depth=proved_bound_bits(delta, depth, depth, epsilon, slack),
        by_variation=slack * variation_bound_bits(delta, depth, epsilon),
        trivial=float(f.n),
    )
