"""Growing all nodes of a level at once: the engine under BuildTopDownDT.

Under any product distribution the score of a child never exceeds the score of its parent, because
``Pr[child] Inf_j(f_child) <= Pr[parent] Inf_j(f)``. So greedy growth, which always splits the leaf
of the highest score, visits the nodes of the full tree in the order of one stable sort by (score
descending, depth, left to right). This module builds that full tree level by level, vectorised over
the nodes of a level, and sorts it.

A level whose nodes have m free variables is a stack of truth tables of 2^m bits, 64 to a word: the
uniform engine counts edges with a population count and splits with masked shifts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dtviz.boolean import BooleanFunction, ProductDistribution

__all__ = ["FullTree", "uniform_tree", "weighted_tree"]

TIE = 1e-9
"""Weighted scores that differ by less than this fraction are tied: rounding must not choose."""

# Table widths: a node with m free variables, 2^m bits, is held in the smallest fitting word.
_WORD = {0: np.uint8, 1: np.uint8, 2: np.uint8, 3: np.uint8, 4: np.uint16, 5: np.uint32}


def _low_mask(j: int, m: int) -> int:
    """Points of {0,1}^m with bit j = 0, as a mask over the 2^m-bit table."""
    return ((1 << (1 << m)) - 1) // ((1 << (1 << j)) + 1)


def _swap_mask(k: int, m: int) -> int:
    """Points with bit k = 1 and bit k+1 = 0: the ones a swap of the two bits moves up."""
    return (_low_mask(k + 1, m) & ~_low_mask(k, m)) if k + 1 < m else 0


@dataclass(frozen=True)
class FullTree:
    """The fully grown greedy tree, its nodes level by level, each level left to right.

    ``low`` and ``high`` index the children (-1 at a leaf); ``ones``, ``cost`` and ``score`` are
    masses: of the node's points with f = 1, its share of the cost, its score as a leaf.
    ``order`` lists the internal nodes in the order in which greedy growth splits them.
    """

    variable: npt.NDArray[np.int8]
    low: npt.NDArray[np.intp]
    probability: npt.NDArray[np.float64]
    ones: npt.NDArray[np.float64]
    cost: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]
    order: npt.NDArray[np.intp]


def _without(m: int) -> npt.NDArray[np.intp]:
    """Row j: the positions 0 .. m-1 except j."""
    return np.array([[k for k in range(m) if k != j] for j in range(m)], dtype=np.intp)


def _count_edges(tables: npt.NDArray[np.unsignedinteger], m: int) -> npt.NDArray[np.integer]:
    """Sensitive edges of each node in each direction: an ``(m, K)`` array.

    ``tables`` is ``(K,)`` for m <= 6 and ``(K, 2^(m-6))`` words above.
    """
    word = tables.dtype.type
    inside = min(m, 6)
    shifts = np.array([1 << j for j in range(inside)], dtype=word)
    masks = np.array([_low_mask(j, inside) for j in range(inside)], dtype=word)
    if m <= 6:
        differ = ((tables >> shifts[:, None]) ^ tables) & masks[:, None]
        return np.bitwise_count(differ)
    counts = np.empty((m, len(tables)), dtype=np.int64)
    differ = ((tables >> shifts[:, None, None]) ^ tables) & masks[:, None, None]
    counts[:6] = np.bitwise_count(differ).sum(axis=2, dtype=np.int64)
    for j in range(6, m):
        halves = tables.reshape(len(tables), -1, 2, 1 << (j - 6))
        differ = np.bitwise_count(halves[:, :, 0] ^ halves[:, :, 1])
        counts[j] = differ.sum(axis=(1, 2), dtype=np.int64)
    return counts


def _split_tables(
    tables: npt.NDArray[np.unsignedinteger], position: npt.NDArray[np.intp], m: int
) -> npt.NDArray[np.unsignedinteger]:
    """The tables of all children, low and high of each node in turn, split at ``position``."""
    inside = min(m, 6)
    word = tables.dtype.type
    bring = np.minimum(position, inside - 1)
    # Bubble the split bit up to the top of its word; a node's masks are 0 until its bit is met.
    for k in range(inside - 1):
        mask = np.array(
            [_swap_mask(k, inside) if k >= j else 0 for j in range(inside)], dtype=word
        )[bring]
        mask = mask if m <= 6 else mask[:, None]
        moved = ((tables >> word(1 << k)) ^ tables) & mask
        tables = tables ^ moved ^ (moved << word(1 << k))
    if m <= 6:
        half = word(1 << (inside - 1))
        both = np.stack([tables & word((1 << int(half)) - 1), tables >> half], axis=1).ravel()
        return both.astype(_WORD[m - 1], copy=False)
    # In half words the split bit is bit 0 of the unit's index if it was inside a word, else higher.
    units = np.ascontiguousarray(tables).view("<u4")
    index = np.arange(units.shape[1])
    chosen = np.array(
        [[index[(index >> q) & 1 == b] for b in (0, 1)] for q in range(m - 5)], dtype=np.intp
    )[np.maximum(position - 5, 0)]
    both32 = np.take_along_axis(units[:, None, :], chosen, axis=2)
    children = both32.reshape(2 * len(tables), -1).view("<u8")
    return children[:, 0] if m == 7 else children


def uniform_tree(f: BooleanFunction) -> FullTree:
    """Grow f to purity under the uniform distribution by flip influence; exact integer scores.

    Within a leaf ties go to the lowest variable; among leaves to the shallowest, then leftmost.
    """
    n = f.n
    tables: npt.NDArray[np.unsignedinteger]
    tables = f.words.astype(_WORD.get(n, np.uint64)) if n <= 6 else f.words.reshape(1, -1)
    free = np.arange(n, dtype=np.int8).reshape(1, n)
    variables, lows, ones, costs, scores = [], [], [], [], []
    below = 1
    for m in range(n, -1, -1):
        weight = np.bitwise_count(tables)
        ones.append(weight.astype(np.int64) if m <= 6 else weight.sum(axis=1, dtype=np.int64))
        if m == 0:
            nodes = len(tables)
            variables.append(np.full(nodes, -1, dtype=np.int8))
            lows.append(np.full(nodes, -1, dtype=np.intp))
            costs.append(np.zeros(nodes, dtype=np.int64))
            scores.append(np.zeros(nodes, dtype=np.int64))
            break
        edges = _count_edges(tables, m)
        # One maximum finds the largest count and, among equals, the lowest position.
        wide = np.uint16 if m <= 6 else np.uint32
        reverse: npt.NDArray[np.unsignedinteger] = np.arange(31, 31 - m, -1)[:, None].astype(wide)
        key: npt.NDArray[np.unsignedinteger] = edges.astype(wide)
        best = ((key << 5) | reverse).max(axis=0)
        position = 31 - (best & 31).astype(np.intp)
        score = (best >> 5).astype(np.int64)
        inner = np.flatnonzero(score)
        variable = np.full(len(tables), -1, dtype=np.int8)
        low = np.full(len(tables), -1, dtype=np.intp)
        position = position[inner]
        variable[inner] = free[inner, position]
        low[inner] = below + 2 * np.arange(inner.size)
        variables.append(variable)
        lows.append(low)
        costs.append(edges.sum(axis=0, dtype=np.int64))
        scores.append(score)
        if inner.size == 0:
            break
        below += 2 * inner.size
        tables = _split_tables(tables[inner], position, m)
        free = np.repeat(np.take_along_axis(free[inner], _without(m)[position], axis=1), 2, axis=0)
    depth_sizes = [len(v) for v in variables]
    probability = np.repeat(0.5 ** np.arange(len(depth_sizes)), depth_sizes)
    score = np.concatenate(scores)
    scale = 1 << n
    return FullTree(
        np.concatenate(variables),
        np.concatenate(lows),
        probability,
        np.concatenate(ones) / scale,
        np.concatenate(costs).astype(np.float64) * (2 / scale),
        score * (2 / scale),
        _descending(score),
    )


def _descending(score: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """The nodes of positive score in stable descending order, by radix sort on 16-bit digits."""
    inner = np.flatnonzero(score)
    key = score.max(initial=0) - score[inner]
    order = np.argsort((key & 0xFFFF).astype(np.uint16), kind="stable")
    if key.max(initial=0) > 0xFFFF:
        order = order[np.argsort((key[order] >> 16).astype(np.uint16), kind="stable")]
    return inner[order]


def weighted_tree(f: BooleanFunction, mu: ProductDistribution) -> FullTree:
    """Grow f to purity under ``mu`` by resample influence.

    Tie rules as in `uniform_tree`; scores within a relative `TIE` of each other count as equal.
    """
    n = f.n
    tables = f.table.reshape(1, -1).astype(bool)
    weights = mu.weights().reshape(1, -1)
    free = np.arange(n).reshape(1, n)
    spread = 2 * mu.p * (1 - mu.p)
    variables, lows, probability, ones, costs, scores = [], [], [], [], [], []
    below = 1
    for m in range(n, -1, -1):
        nodes = len(tables)
        probability.append(weights.sum(axis=1))
        ones.append(np.where(tables, weights, 0).sum(axis=1))
        mass = np.zeros((nodes, m))
        for j in range(m):
            t = tables.reshape(nodes, -1, 2, 1 << j)
            w = weights.reshape(nodes, -1, 2, 1 << j).sum(axis=2)
            mass[:, j] = np.where(t[:, :, 0] != t[:, :, 1], w, 0).sum(axis=(1, 2))
        mass *= spread[free]
        score = mass.max(axis=1, initial=0)
        inner = np.flatnonzero(score > 0)
        variable = np.full(nodes, -1, dtype=np.int8)
        low = np.full(nodes, -1, dtype=np.intp)
        variables.append(variable)
        lows.append(low)
        costs.append(mass.sum(axis=1))
        scores.append(score)
        if inner.size == 0:
            break
        position = (mass[inner] >= score[inner, None] * (1 - TIE)).argmax(axis=1)
        variable[inner] = free[inner, position]
        low[inner] = below + 2 * np.arange(inner.size)
        below += 2 * inner.size
        # The points of a child, as positions in its parent's table: one row per split position.
        index = np.arange(1 << m)
        halves = np.array([[index[(index >> j) & 1 == b] for b in (0, 1)] for j in range(m)])
        rows = halves[position].reshape(inner.size, -1)
        tables = np.take_along_axis(tables[inner], rows, axis=1).reshape(2 * inner.size, -1)
        weights = np.take_along_axis(weights[inner], rows, axis=1).reshape(2 * inner.size, -1)
        free = np.repeat(np.take_along_axis(free[inner], _without(m)[position], axis=1), 2, axis=0)
    score = np.concatenate(scores)
    return FullTree(
        np.concatenate(variables),
        np.concatenate(lows),
        np.concatenate(probability),
        np.concatenate(ones),
        np.concatenate(costs),
        score,
        _descending(_tie_classes(score)),
    )


def _tie_classes(score: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Replace scores by integers of the same order, equal where scores are tied; 0 stays 0."""
    order = np.argsort(score)
    ascending = score[order]
    rises = np.diff(ascending, prepend=0.0) > TIE * ascending
    classes = np.empty(score.size, dtype=np.int64)
    classes[order] = np.cumsum(rises)
    return classes
