"""The shape of a tree: its nodes in preorder, how many there are, how deep, and of what rank."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.immutable import frozen

__all__ = ["Shape"]

Ints = npt.NDArray[np.intp]


class Shape:
    """The nodes of a `Tree`, and what can be said of them without asking whom they send where."""

    variable: Ints
    threshold: npt.NDArray[np.float64]
    low: Ints
    high: Ints
    value: npt.NDArray[Any] | None
    missing: npt.NDArray[np.bool_] | None
    subsets: Mapping[int, frozenset[int]]

    @property
    def is_bare(self) -> bool:
        """Whether the leaves carry no labels."""
        return self.value is None

    @property
    def is_boolean(self) -> bool:
        """Whether every test splits 0 from 1."""
        at = self.threshold[self.variable >= 0]
        return not self.subsets and bool(((at >= 0) & (at < 1)).all())

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves and internal: always ``2 n_leaves - 1``."""
        return int(self.variable.size)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, the book's *size*."""
        return (self.n_nodes + 1) // 2

    @cached_property
    def leaves(self) -> Ints:
        """The node index of every leaf, left to right."""
        return frozen(np.flatnonzero(self.variable < 0))

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """The node indices at depth 0, 1, 2, ..., each left to right."""
        levels = [frozen(np.zeros(1, dtype=np.intp))]
        while True:
            inner = levels[-1][self.variable[levels[-1]] >= 0]
            if inner.size == 0:
                return tuple(levels)
            levels.append(frozen(np.column_stack([self.low[inner], self.high[inner]]).ravel()))

    @property
    def depth(self) -> int:
        """The number of tests on the longest path."""
        return len(self.levels) - 1

    @cached_property
    def node_depth(self) -> Ints:
        """The depth of every node."""
        depth = np.empty(self.n_nodes, dtype=np.intp)
        for d, level in enumerate(self.levels):
            depth[level] = d
        return frozen(depth)

    @cached_property
    def node_rank(self) -> Ints:
        """The Ehrenfeucht-Haussler rank of the subtree at every node (claim EH-DEF-RANK).

        0 at a leaf; the larger of the children's ranks, or one more when they are equal.
        """
        rank = np.zeros(self.n_nodes, dtype=np.intp)
        for level in reversed(self.levels):
            inner = level[self.variable[level] >= 0]
            a, b = rank[self.low[inner]], rank[self.high[inner]]
            rank[inner] = np.maximum(a, b) + (a == b)
        return frozen(rank)

    @property
    def rank(self) -> int:
        """The Ehrenfeucht-Haussler rank of the tree, also known as its Strahler number."""
        return int(self.node_rank[0])

    @cached_property
    def leaves_below(self) -> Ints:
        """The number of leaves in the subtree at every node."""
        count = np.ones(self.n_nodes, dtype=np.intp)
        for level in reversed(self.levels):
            inner = level[self.variable[level] >= 0]
            count[inner] = count[self.low[inner]] + count[self.high[inner]]
        return frozen(count)
