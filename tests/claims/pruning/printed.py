"""The source's two procedures for the smallest pruning, word for word and mended step by step.

Both compute the *nodes* of the smallest pruning with at most k errors. As printed both are wrong.
The package computes the same by `dtviz.smallest_prunings`; what stands here is for the claims.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from dtviz.pruning.node_counts import NodeCounts

__all__ = ["AS_PRINTED", "MENDED", "MENDED_BY_MINIMA", "Programme", "prune", "recurrence"]


def prune(counts: NodeCounts, k: int, first: int) -> float:
    """``prune(k, T)``: the recursion, its loop over i from ``first`` (the source: 1) to k."""
    return 2 * recurrence(counts, first=first)(0, k) - 1


def recurrence(
    counts: NodeCounts, *, first: int = 0, spared: int = 0, below: bool = False
) -> Callable[[int, int], float]:
    """``s_v(j)`` in leaves, from a node and j; the rest tells how it may be spoilt.

    The loop over i begins with ``first``, the high side gets ``j - i - spared`` errors, and a leaf
    is right if it errs at most j times, or ``below`` that.
    """
    low, high = counts.given.low.tolist(), counts.given.high.tolist()
    errors = counts.errors.tolist()

    @cache
    def smallest(v: int, j: int) -> float:
        if errors[v] <= j - below:
            return 1
        if low[v] < 0:
            return math.inf
        sums = [
            smallest(low[v], i) + smallest(high[v], j - i - spared) for i in range(first, j + 1)
        ]
        return min(sums, default=math.inf)

    return smallest


@dataclass(frozen=True)
class Programme:
    """The dynamic programme, with the places where it may be mended.

    Attributes
    ----------
    first : int
        Where the loop over i begins: 1 in the source.
    may_cut : bool
        Whether a node may become a leaf; in the source none does.
    at_most : bool
        Whether a leaf with l errors has size 1 for every budget from l on, or just for l.
    right_index : bool
        Whether the size is that of the two subtrees compared; the source adds ``s^1_I`` for
        ``s^1_(k-I)``.
    minima : bool
        Whether the answer for k errors is the least size for at most k, or the one entry.
    """

    first: int
    may_cut: bool
    at_most: bool
    right_index: bool
    minima: bool = False

    def sizes(self, counts: NodeCounts, most: int) -> list[float]:
        """The nodes of the smallest pruning with 0, .., ``most`` errors, as the programme says."""
        return self.run(counts, most)[0]

    def run(self, counts: NodeCounts, most: int) -> tuple[list[float], int]:
        """The sizes, and the steps taken: sums of a low and a high child's entry."""
        tree, errors = counts.given, counts.errors.tolist()
        table: dict[int, list[float]] = {}
        steps = 0
        for node in reversed(range(tree.n_nodes)):
            wrong = errors[node]
            alone = [
                1 if wrong == j or (self.at_most and wrong <= j) else math.inf
                for j in range(most + 1)
            ]
            if tree.variable[node] < 0:
                table[node] = alone
                continue
            low, high = table[int(tree.low[node])], table[int(tree.high[node])]
            row = []
            for k in range(most + 1):
                tried = range(self.first, k + 1)
                steps += len(tried)
                row.append(self._joined(low, high, tried, k))
            cut = zip(row, alone, strict=True)
            table[node] = [min(pair) for pair in cut] if self.may_cut else row
        sizes = table[0]
        if self.minima:
            sizes = [min(sizes[: k + 1]) for k in range(most + 1)]
        return sizes, steps

    def _joined(self, low: list[float], high: list[float], tried: range, k: int) -> float:
        if not tried:
            return math.inf
        best = min(tried, key=lambda i: low[i] + high[k - i])
        return low[best] + high[k - best if self.right_index else best] + 1


AS_PRINTED = Programme(first=1, may_cut=False, at_most=False, right_index=False)
MENDED = Programme(first=0, may_cut=True, at_most=True, right_index=True)
MENDED_BY_MINIMA = Programme(first=0, may_cut=True, at_most=False, right_index=True, minima=True)
