"""What the page of chapter 3 shows of a function."""

from __future__ import annotations

import itertools

import numpy as np

import dtviz as dt


def bound_bits(f: dt.BooleanFunction, mu: dt.ProductDistribution, epsilon: float) -> list[float]:
    """The bounds on the size that chapter 3's page shows: three that hold, and the printed one."""
    best = dt.optimal(f, mu)
    delta, largest, depth = best.average_depth, best.max_average_depth, best.depth
    return [
        dt.product.proved_bound_bits(delta, largest, depth, epsilon),
        dt.product.proved_bound_bits(delta, depth, depth, epsilon),
        dt.product.variation_bound_bits(delta, depth, epsilon),
        dt.product.size_bound_bits(delta, depth, epsilon),
    ]


def hardest_restriction(best: dt.influence.OptimalTrees) -> dict[int, int]:
    """A restriction of the largest average depth, of fewest bits, then the first by its bits."""
    n, means = best.f.n, best._solve("average_depth")
    bits = np.array(list(itertools.product((0, 1, 2), repeat=n)), dtype=int).reshape(3**n, n)
    n_free = (bits == 2).sum(axis=1)
    # The subcubes stand by the number of free variables, then by their bits, the last one first.
    bits = bits[np.lexsort([*bits.T, n_free])]
    tied = bits[means >= means.max() * (1 - 1e-12)]
    first = tied[np.lexsort([*tied.T[::-1], (tied < 2).sum(axis=1)])[0]]
    return {i: int(b) for i, b in enumerate(first) if b < 2}
