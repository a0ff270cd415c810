"""Chapter 1, the definition of the influences at a leaf, evaluated point by point in fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from dtviz.core.boolean import BooleanFunction

__all__ = ["Restriction", "Shares", "by_leaf", "cost_at", "largest", "restricted"]

Restriction = tuple[tuple[int, int], ...]
Shares = tuple[Fraction, ...]


@cache
def restricted(f: BooleanFunction, path: Restriction) -> BooleanFunction:
    """The function at a leaf, of the variables not queried above it."""
    if not path:
        return f
    *above, (i, bit) = path
    gone = sum(j < i for j, _ in above)
    return restricted(f, tuple(above)).restrict(i - gone, bit)


@cache
def by_leaf(f: BooleanFunction, path: Restriction) -> Shares:
    """``2^-depth Inf_i`` of f at a leaf, for its free variables in order: the definition."""
    g = restricted(f, path)
    points = range(1 << g.n)
    return tuple(
        Fraction(sum(g(x) != g(x ^ (1 << i)) for x in points), 1 << f.n) for i in range(g.n)
    )


def cost_at(f: BooleanFunction, path: Restriction) -> Fraction:
    """The share of a leaf in the cost."""
    return sum(by_leaf(f, path), Fraction(0))


def largest(shares: Shares) -> Fraction:
    """The score, of the shares of a leaf."""
    return max(shares, default=Fraction(0))
