"""A growth path held against growth by definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dtviz as dt
from support.definitions import Oracle


def assert_same_path(f: dt.BooleanFunction, path: dt.influence.GrowthPath, oracle: Oracle) -> None:
    """Split by split: variable, depth, score; and the error and the cost before each split."""
    split, totals = oracle.greedy()
    assert path.n_splits == len(split)
    assert [s.variable for s in path.splits] == [leaf.variable for leaf in split]
    assert [s.depth for s in path.splits] == [len(leaf.path) for leaf in split]
    paths: dict[int, tuple[tuple[int, int], ...]] = {0: ()}
    for s, leaf in zip(path.splits, split, strict=True):
        assert paths[s.node] == leaf.path
        for b in (0, 1):
            paths[2 * s.step + 1 + b] = (*leaf.path, (s.variable, b))
    assert path.scores[:-1] == pytest.approx([float(q.score) for q in split], abs=1e-12)
    assert path.errors == pytest.approx([float(e) for e, _ in totals], abs=1e-12)
    assert path.costs == pytest.approx([float(c) for _, c in totals], abs=1e-12)
    assert path.errors[-1] == path.costs[-1] == path.scores[-1] == 0
    assert path.tree(epsilon=0).function(f.n) == f


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
