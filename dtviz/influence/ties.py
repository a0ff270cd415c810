"""Ties: the smallest and the largest tree that greedy growth can reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.boolean.measures import influence_counts
from dtviz.core.boolean_trees.topdown import check_growable


@dataclass(frozen=True)
class GreedySizes:
    """The smallest and the largest exact tree that greedy growth can reach by breaking ties.

    ``best`` and ``worst`` are numbers of leaves, ``1 <= best <= worst <= 2^n`` (claim LB-C).

    Examples
    --------
    >>> import dtviz as dt
    >>> sizes = dt.influence.greedy_sizes(dt.functions.multiplexer(2))
    >>> sizes.best, sizes.worst
    (8, 12)
    """

    best: int
    worst: int


def greedy_sizes(f: BooleanFunction) -> GreedySizes:
    """Leaves of the exact greedy tree of f when ties within a leaf are broken for best and worst.

    The order of the leaves does not matter: every mixed leaf is split in the end (claim LB-C).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.influence.greedy_sizes(dt.functions.multiplexer(1))
    GreedySizes(best=4, worst=6)
    """
    f = check_growable(f)
    known: dict[BooleanFunction, GreedySizes] = {}

    def solve(g: BooleanFunction) -> GreedySizes:
        if g.is_constant:
            return GreedySizes(1, 1)
        if g not in known:
            counts = influence_counts(g)
            halves = [
                (solve(g.restrict(int(i), 0)), solve(g.restrict(int(i), 1)))
                for i in np.flatnonzero(counts == counts.max())
            ]
            known[g] = GreedySizes(
                min(low.best + high.best for low, high in halves),
                max(low.worst + high.worst for low, high in halves),
            )
        return known[g]

    return solve(f)
