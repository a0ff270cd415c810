"""One common bias: all influences of a function from one count of its sensitive edges."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import BooleanFunction
from dtviz.core.checks import as_array, as_number, as_real, shown
from dtviz.core.immutable import Immutable, frozen
from dtviz.core.measures import checked_function

__all__ = [
    "EdgeHistogram",
]

Floats = npt.NDArray[np.float64]
Number = float | Fraction


# -- one common bias -------------------------------------------------------------------------------


class EdgeHistogram(Immutable):
    """All that the influences of f under one common bias depend on, counted once.

    Under ``Pr[x_i = 1] = p`` for every i, an edge of the cube in direction i with k ones among the
    other variables has weight ``p^k (1-p)^(n-1-k)``. So the number of sensitive edges for each i
    and k determines the influences for every p (claim PS-DEF-INF).

    Attributes
    ----------
    n : int
        Number of variables of f.
    edges : (n, n) int array
        ``edges[i, k]``: in how many edges ``{x, x^i}`` with k ones outside i the value changes.
    ones : (n + 1,) int array
        ``ones[k]``: how many points with k ones have f = 1.

    Raises
    ------
    ValueError
        If ``f`` is no BooleanFunction.

    Examples
    --------
    >>> import dtviz as dt
    >>> histogram = dt.product.EdgeHistogram(dt.functions.majority(3))
    >>> histogram.edges.tolist(), histogram.ones.tolist()
    ([[0, 2, 0], [0, 2, 0], [0, 2, 0]], [0, 0, 3, 1])
    >>> histogram.influences(0.5).tolist()
    [0.5, 0.5, 0.5]
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

        Raises
        ------
        ValueError
            If a bias is not in (0, 1).
        """
        biases = _as_biases(p)
        columns, up, down = self._columns
        if isinstance(biases, float):
            return (biases**up * (1 - biases) ** down) @ columns
        each = biases[..., None]
        return (each**up * (1 - each) ** down) @ columns

    def resample_influences(self, p: Any) -> Floats:
        """Resample influences ``Pr[f(x) != f(x^(i))]``, of the same shapes as `influences`.

        Raises
        ------
        ValueError
            If a bias is not in (0, 1).
        """
        biases = _as_biases(p)
        flip = self.influences(biases)
        if isinstance(biases, float):
            return 2 * biases * (1 - biases) * flip
        return (2 * biases * (1 - biases))[..., None] * flip

    def mean(self, p: Any) -> Any:
        """``Pr[f(x) = 1]`` under the common bias p: a float, or an array of the shape of p.

        Raises
        ------
        ValueError
            If a bias is not in (0, 1).
        """
        biases = _as_biases(p)
        each = np.asarray(biases)[..., None]
        k = np.arange(self.n + 1)
        mean = (each**k * (1 - each) ** (self.n - k)) @ self.ones
        return float(mean) if isinstance(biases, float) else mean

    def exact_influences(self, p: Fraction) -> tuple[Fraction, ...]:
        """The flip influences as fractions, for a bias that is one: n of them.

        Raises
        ------
        ValueError
            If ``p`` is not in (0, 1).
        """
        q = as_number("p", p, "(0, 1)", lambda b: 0 < b < 1)
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
