"""What a Boolean function looks like under a product distribution: its mean and its influences.

Two influences live here under two names, because the literature means both by "influence":

* *flip* influence ``Pr[f(x) != f(x^i)]``, ``x^i`` being x with bit i flipped (claim BLT-DEF-INF);
* *resample* influence ``Pr[f(x) != f(x^(i))]``, where bit i is drawn again (claim PS-DEF-INF).

Resample is ``2 p_i (1 - p_i)`` times flip. Variance ``4m(1-m)`` pairs with flip influence,
variation ``2m(1-m)`` with resample influence; m is the mean. No mu means the uniform distribution.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core import lazy
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.checks import as_repr

__all__ = [
    "error",
    "influence_counts",
    "influences",
    "influences_by_name",
    "mean",
    "resample_influences",
    "total_influence",
    "variance",
    "variation",
]

__getattr__, __dir__ = lazy(__name__, __all__, {})

_WORDS_FROM, _SLICES_FROM = 11, 17
"""The n from which on arrays of 64-bit words beat one big integer, and slices of them gathers."""


def check_function(f: object) -> BooleanFunction:
    """Return f, or say that it is not a Boolean function."""
    if not isinstance(f, BooleanFunction):
        msg = f"f must be a BooleanFunction, got {as_repr(f)}{how_made(f)}"
        raise ValueError(msg)
    return f


def how_made(f: object) -> str:
    """The end of a message about what is no function: how one is made of it, if that is known."""
    if isinstance(f, str) and len(f) < 40:
        return f": write dt.BooleanFunction.from_text({f!r})"
    if hasattr(f, "n_leaves"):
        return ": write tree.function(n)"
    if isinstance(f, (list, tuple)) and {*map(str, f)} == {"0", "1"} and not len(f) & len(f) - 1:
        return f": write dt.BooleanFunction({len(f).bit_length() - 1}, table)"
    return ": write dt.BooleanFunction.from_rule(n, f)" if callable(f) else ""


def check_distribution(mu: object, n: int) -> ProductDistribution:
    """Return mu, or say why it does not fit a function of n variables."""
    if not isinstance(mu, ProductDistribution):
        listed = isinstance(mu, (list, tuple, np.ndarray))
        hint = f": write dt.ProductDistribution({as_repr(mu)})" if listed else ""
        if isinstance(mu, float):
            hint = f": write dt.ProductDistribution([{mu!r}] * {n})"
        msg = f"mu must be a ProductDistribution, got {as_repr(mu)}{hint}"
        raise ValueError(msg)
    if mu.n != n:
        msg = f"mu must have one probability per variable, n = {n}, got {mu.n}"
        raise ValueError(msg)
    return mu


def mean(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """``Pr[f(x) = 1]``, in [0, 1].

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.measures.mean(dt.functions.conjunction(3))
    0.125
    """
    f = check_function(f)
    if mu is None:
        return f.code.bit_count() / (1 << f.n)
    zeros, ones = np.bincount(f.table, check_distribution(mu, f.n).weights(), minlength=2)
    return float(ones / (zeros + ones))  # exactly 0 or 1 for a constant, whatever the rounding


def error(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The error of the best constant, ``min(m, 1-m)``, in [0, 1/2] (claim BLT-DEF-ERRPM).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.measures.error(dt.functions.conjunction(3))
    0.125
    """
    m = mean(f, mu)
    return min(m, 1 - m)


def variance(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The variance of ``(-1)^f``, that is ``4m(1-m)``, in [0, 1]; pairs with flip influence.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.measures.variance(dt.functions.conjunction(3))
    0.4375
    """
    m = mean(f, mu)
    return 4 * m * (1 - m)


def variation(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """``Pr[f(x) != f(y)]`` for independent x, y, that is ``2m(1-m)``, in [0, 1/2].

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.measures.variation(dt.functions.conjunction(3))
    0.21875
    """
    m = mean(f, mu)
    return 2 * m * (1 - m)


@cache
def _lower_ends(n: int) -> tuple[tuple[int, int], ...]:
    """For each i, ``2^i`` and the set of points with ``x_i = 0`` as a mask over the truth table."""
    ones = (1 << (1 << n)) - 1
    return tuple((1 << i, ones // ((1 << (1 << i)) + 1)) for i in range(n))


class _Flips(NamedTuple):
    """For packed tables of 2^n bits, ``(n, words)`` arrays that line up the ends of all edges.

    ``word`` and ``shift`` say where the points ``x^i`` of a word stand, ``lower`` which of its
    places have ``x_i = 0``; ``scale`` turns counts of edges into influences.
    """

    word: npt.NDArray[np.intp]
    shift: npt.NDArray[np.uint64]
    lower: npt.NDArray[np.uint64]
    scale: npt.NDArray[np.float64]


@cache
def _flips(n: int) -> _Flips:
    word = np.arange(1 << (n - 6))
    inside = [(shift, mask) for shift, mask in _lower_ends(6)]
    flipped = [word] * 6 + [word ^ (1 << j) for j in range(n - 6)]
    shift = [np.full(word.size, s, dtype=np.uint64) for s, _ in inside]
    lower = [np.full(word.size, mask, dtype=np.uint64) for _, mask in inside]
    for other in flipped[6:]:
        shift.append(np.zeros(word.size, dtype=np.uint64))
        lower.append(np.where(word < other, ~np.uint64(0), np.uint64(0)))
    scale = np.full(word.size, 2.0 ** (1 - n))
    return _Flips(np.array(flipped), np.array(shift), np.array(lower), scale)


def _large_influences(f: BooleanFunction) -> npt.NDArray[np.float64]:
    """Count edges in words: for all i at once, or, where that takes much room, one i at a time."""
    n, words = f.n, f.words
    if n < _SLICES_FROM:
        word, shift, lower, scale = _flips(n)
        differ = words.take(word)
        differ >>= shift
        differ ^= words
        differ &= lower
        every: npt.NDArray[np.float64] = np.bitwise_count(differ).dot(scale)
        return every
    edges = [np.bitwise_count(_edges(words, i)).sum(dtype=np.uint32) for i in range(n)]
    return np.array(edges) * 2.0 ** (1 - n)


def _edges(words: npt.NDArray[np.uint64], i: int) -> npt.NDArray[np.uint64]:
    """The set of points with f(x) != f(x^i) and x_i = 0; from i = 6 on without the words of 1."""
    if i < 6:
        shift, low = (np.uint64(k) for k in _lower_ends(6)[i])
        return (words ^ (words >> shift)) & low
    ends = words.reshape(-1, 2, 1 << (i - 6))
    return ends[:, 0] ^ ends[:, 1]


def _sensitive(words: npt.NDArray[np.uint64], i: int) -> npt.NDArray[np.uint64]:
    """The set of points with f(x) != f(x^i), packed as f is."""
    lower = _edges(words, i)
    return lower | (lower << np.uint64(1 << i)) if i < 6 else np.stack([lower, lower], 1).ravel()


def _weighted_influences(f: BooleanFunction, mu: ProductDistribution) -> npt.NDArray[np.float64]:
    """Add up the weights of the sensitive points, for each i, eight points at a time."""
    # The weight of every set of points of {0,1}^3, under x_0, x_1, x_2.
    octet: npt.NDArray[np.float64] = np.zeros(1)
    for weight in ProductDistribution(mu.p[:3]).weights():
        octet = np.concatenate([octet, octet + weight])
    rest = ProductDistribution(mu.p[3:]).weights()
    result = np.empty(f.n)
    for i in range(f.n):
        octets = _sensitive(f.words, i).view(np.uint8)[: rest.size]
        result[i] = np.einsum("i,i", octet.take(octets), rest)  # `dot` would start threads
    return result


def influence_counts(f: BooleanFunction) -> npt.NDArray[np.int64]:
    """The exact counts ``#{x : f(x) != f(x^i)}``, an ``(n,)`` array; flip influence times ``2^n``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.measures.influence_counts(dt.functions.majority(3)).tolist()
    [4, 4, 4]
    """
    # Influences are multiples of 2^(1-n), which floats hold exactly.
    return np.ldexp(influences(f), f.n).astype(np.int64)


def influences(
    f: BooleanFunction, mu: ProductDistribution | None = None
) -> npt.NDArray[np.float64]:
    """Flip influences ``Pr[f(x) != f(x^i)]``, an ``(n,)`` array in [0, 1] (claim BLT-DEF-INF).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.influences(dt.functions.multiplexer(1)).tolist()
    [0.5, 0.5, 0.5]
    """
    f = check_function(f)
    if mu is not None:
        return _weighted_influences(f, check_distribution(mu, f.n))
    if f.n >= _WORDS_FROM:
        return _large_influences(f)
    # Count the edges {x, x^i} on which f changes, in one big integer.
    table, scale = f.code, 2.0 ** (1 - f.n)
    ends = _lower_ends(f.n)
    return np.array([scale * ((table ^ (table >> s)) & low).bit_count() for s, low in ends])


def influences_by_name(
    f: BooleanFunction, mu: ProductDistribution | None = None
) -> dict[str, float]:
    """Flip influences by the names of the variables, in their order.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.measures.influences_by_name(dt.BooleanFunction.from_text("rain & wind | sun"))
    {'rain': 0.25, 'sun': 0.75, 'wind': 0.25}
    """
    return dict(zip(check_function(f).names, influences(f, mu).tolist(), strict=True))


def resample_influences(
    f: BooleanFunction, mu: ProductDistribution | None = None
) -> npt.NDArray[np.float64]:
    """Resample influences ``Pr[f(x) != f(x^(i))]``, an ``(n,)`` array in [0, 1/2] (PS-DEF-INF).

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.conjunction(2)
    >>> dt.measures.resample_influences(f, dt.ProductDistribution([0.5, 0.25])).tolist()
    [0.125, 0.1875]
    """
    flip = influences(f, mu)
    return flip / 2 if mu is None else 2 * mu.p * (1 - mu.p) * flip


def total_influence(f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The sum of the flip influences: the mean number of sensitive bits (BLT-DEF-TINF).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.measures.total_influence(dt.functions.majority(5))
    1.875
    """
    return float(influences(f, mu).sum())
