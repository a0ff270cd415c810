"""What a Boolean function looks like under a product distribution: its mean and its influences.

Two influences live here under two names, because the literature means both by "influence":

* *flip* influence ``Pr[f(x) != f(x^i)]``, ``x^i`` being x with bit i flipped (claim BLT-DEF-INF);
* *resample* influence ``Pr[f(x) != f(x^(i))]``, where bit i is drawn afresh (claim PS-DEF-INF).

Resample is ``2 p_i (1 - p_i)`` times flip. Variance ``4m(1-m)`` pairs with flip influence,
variation ``2m(1-m)`` with resample influence; m is the mean. No mu means the uniform distribution.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from dtviz._validate import shown
from dtviz.boolean import BooleanFunction, ProductDistribution

__all__ = [
    "error",
    "influence_counts",
    "influences",
    "mean",
    "resample_influences",
    "total_influence",
    "variance",
    "variation",
]

_WORD_LEVEL = 17
"""From this n on, 64-bit words beat one big integer."""


def checked_function(f: object) -> BooleanFunction:
    """Return f, or say that it is not a Boolean function."""
    if not isinstance(f, BooleanFunction):
        msg = f"f must be a BooleanFunction, got {shown(f)}"
        raise ValueError(msg)
    return f


def checked_distribution(mu: object, n: int) -> ProductDistribution:
    """Return mu, or say why it does not fit a function of n variables."""
    if not isinstance(mu, ProductDistribution):
        msg = f"mu must be a ProductDistribution, got {shown(mu)}"
        raise ValueError(msg)
    if mu.n != n:
        msg = f"mu must have one probability per variable, n = {n}, got {mu.n}"
        raise ValueError(msg)
    return mu


def mean(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """``Pr[f(x) = 1]``, in [0, 1]."""
    f = checked_function(f)
    if mu is None:
        return f.code.bit_count() / (1 << f.n)
    return float(checked_distribution(mu, f.n).weights() @ f.table)


def error(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The error of the best constant, ``min(m, 1-m)``, in [0, 1/2] (claim BLT-DEF-ERRPM)."""
    m = mean(f, mu)
    return min(m, 1 - m)


def variance(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The variance of ``(-1)^f``, that is ``4m(1-m)``, in [0, 1]; pairs with flip influence."""
    m = mean(f, mu)
    return 4 * m * (1 - m)


def variation(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """``Pr[f(x) != f(y)]`` for independent x, y, that is ``2m(1-m)``, in [0, 1/2]."""
    m = mean(f, mu)
    return 2 * m * (1 - m)


@cache
def _edge_masks(n: int) -> tuple[tuple[int, int], ...]:
    """For each i, ``2^i`` and the set of points with ``x_i = 0`` as a mask over the truth table."""
    ones = (1 << (1 << n)) - 1
    return tuple((1 << i, ones // ((1 << (1 << i)) + 1)) for i in range(n))


def _edges(f: BooleanFunction) -> list[int]:
    """For each i, the number of edges ``{x, x^i}`` of the cube on which f changes."""
    if f.n < _WORD_LEVEL:
        t = f.code
        return [((t ^ (t >> shift)) & mask).bit_count() for shift, mask in _edge_masks(f.n)]
    words = f.words
    counts = [
        np.bitwise_count((words ^ (words >> np.uint64(shift))) & np.uint64(mask)).sum()
        for shift, mask in _edge_masks(6)
    ]
    for i in range(6, f.n):
        halves = words.reshape(-1, 2, 1 << (i - 6))
        counts.append(np.bitwise_count(halves[:, 0] ^ halves[:, 1]).sum())
    return [int(count) for count in counts]


def influence_counts(f: BooleanFunction) -> npt.NDArray[np.int64]:
    """The exact counts ``#{x : f(x) != f(x^i)}``, an ``(n,)`` array; flip influence times ``2^n``.

    Each edge of the cube on which f changes is counted from both its ends.
    """
    return np.array([2 * count for count in _edges(checked_function(f))], dtype=np.int64)


def influences(
    f: BooleanFunction, mu: ProductDistribution | None = None
) -> npt.NDArray[np.float64]:
    """Flip influences ``Pr[f(x) != f(x^i)]``, an ``(n,)`` array in [0, 1] (claim BLT-DEF-INF)."""
    f = checked_function(f)
    if mu is None:
        scale = 2.0 ** (1 - f.n)
        return np.array([scale * count for count in _edges(f)])
    weights = checked_distribution(mu, f.n).weights()
    result = np.empty(f.n)
    for i in range(f.n):
        t, w = f.table.reshape(-1, 2, 1 << i), weights.reshape(-1, 2, 1 << i)
        sensitive = t[:, 0] != t[:, 1]
        result[i] = (w[:, 0] + w[:, 1])[sensitive].sum()
    return result


def resample_influences(
    f: BooleanFunction, mu: ProductDistribution | None = None
) -> npt.NDArray[np.float64]:
    """Resample influences ``Pr[f(x) != f(x^(i))]``, an ``(n,)`` array in [0, 1/2] (PS-DEF-INF)."""
    flip = influences(f, mu)
    return flip / 2 if mu is None else 2 * mu.p * (1 - mu.p) * flip


def total_influence(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The sum of the flip influences: the mean number of sensitive bits (BLT-DEF-TINF)."""
    return float(influences(f, mu).sum())
