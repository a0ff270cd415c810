"""The definitions of chapter 1, written out in exact fractions: slow, plain, and independent.

Nothing here uses the package but `BooleanFunction.table`; a restriction is a tuple of
``(variable, bit)`` pairs and every quantity is a sum over points.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtviz import BooleanFunction

HALF = Fraction(1, 2)
Path = tuple[tuple[int, int], ...]


def point_weights(p: Sequence[Fraction]) -> list[Fraction]:
    """The probability of the point ``sum_i x_i 2^i``, for every point."""
    weights = []
    for x in range(1 << len(p)):
        weight = Fraction(1)
        for i, p_i in enumerate(p):
            weight *= p_i if (x >> i) & 1 else 1 - p_i
        weights.append(weight)
    return weights


class Oracle:
    """A Boolean function under ``p``."""

    def __init__(self, f: BooleanFunction, p: Sequence[Fraction] | None = None) -> None:
        self.n = f.n
        self.table = [int(v) for v in f.table]
        self.p = [HALF] * f.n if p is None else [Fraction(q) for q in p]
        self.weights = point_weights(self.p)

    def points(self, path: Path) -> list[int]:
        return [x for x in range(1 << self.n) if all((x >> i) & 1 == b for i, b in path)]

    def flip_mass(self, i: int, path: Path = ()) -> Fraction:
        """``Pr[leaf] * flip influence of x_i on f at the leaf``; 0 for a variable fixed there."""
        if any(i == j for j, _ in path):
            return Fraction(0)
        return sum(
            (
                self.weights[x]
                for x in self.points(path)
                if self.table[x] != self.table[x ^ (1 << i)]
            ),
            Fraction(0),
        )

    def resample_mass(self, i: int, path: Path = ()) -> Fraction:
        """``Pr[leaf, f(x) != f(x with bit i drawn again)]``, by drawing it again."""
        if any(i == j for j, _ in path):
            return Fraction(0)
        total = Fraction(0)
        for x in self.points(path):
            for b in (0, 1):
                y = (x & ~(1 << i)) | (b << i)
                if self.table[x] != self.table[y]:
                    total += self.weights[x] * (self.p[i] if b else 1 - self.p[i])
        return total

    def mean(self) -> Fraction:
        return sum((w for w, v in zip(self.weights, self.table, strict=True) if v), Fraction(0))

    def optima(self) -> tuple[int, int, int, Fraction]:
        """Fewest leaves, least depth, least rank, least average depth, by plain recursion."""

        @cache
        def solve(path: Path) -> tuple[int, int, int, Fraction]:
            if len({self.table[x] for x in self.points(path)}) == 1:
                return 1, 0, 0, Fraction(0)
            fixed = {i for i, _ in path}
            options = []
            for i in set(range(self.n)) - fixed:
                a, b = (solve(tuple(sorted((*path, (i, bit))))) for bit in (0, 1))
                options.append(
                    (
                        a[0] + b[0],
                        1 + max(a[1], b[1]),
                        max(a[2], b[2]) + (a[2] == b[2]),
                        1 + (1 - self.p[i]) * a[3] + self.p[i] * b[3],
                    )
                )
            size, depth, rank, mean = zip(*options, strict=True)
            return min(size), min(depth), min(rank), min(mean)

        return solve(())
