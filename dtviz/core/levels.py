"""Growing all nodes of a level at once: the engine under BuildTopDownDT.

Under any product distribution the score of a child never exceeds the score of its parent, because
``Pr[child] Inf_j(f_child) <= Pr[parent] Inf_j(f)``. So greedy growth, which always splits the leaf
of the highest score, visits the nodes of the full tree in the order of one stable sort by (score
descending, depth, left to right). This module builds that full tree level by level, vectorised over
the nodes of a level, and sorts it.

The uniform engine holds the nodes of a level that have m free variables as a stack of truth tables
of 2^m bits: one word each up to m = 6, rows of 64-bit words above. Edges are counted with a
population count; a table is split by squeezing out the bit it is split on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.tolerances import SCORE_TIE

__all__ = ["FullTree", "uniform_tree", "weighted_tree"]


_LEAST_WEIGHT = 1e-290
"""Smaller weights would lose their digits, or vanish, when they are added up and multiplied."""

_KEPT = 16
"""Plans of levels up to this m are kept; those above take megabytes and little of the time."""

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class FullTree:
    """The fully grown greedy tree, its nodes level by level, each level left to right.

    ``low`` is the index of the 0-child (-1 at a leaf), ``low + 1`` that of the 1-child. ``zeros``
    and ``ones`` are the probabilities of the node's points with f = 0 and with f = 1; ``cost`` and
    ``score`` its share of the cost and its score as a leaf. ``order`` lists the internal nodes as
    greedy growth splits them.
    """

    variable: npt.NDArray[np.int8]
    low: Ints
    zeros: npt.NDArray[np.float64]
    ones: npt.NDArray[np.float64]
    cost: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]
    order: Ints


# -- the uniform distribution: packed tables, exact counts -----------------------------------------


def _word(m: int) -> type[np.unsignedinteger[Any]]:
    """The smallest word that holds the 2^m bits of a table, 64 bits at most."""
    words: tuple[type[np.unsignedinteger[Any]], ...] = (np.uint8, np.uint16, np.uint32, np.uint64)
    return words[min(max(m - 3, 0), 3)]


def _blocks(j: int, inside: int) -> int:
    """A mask of 2^inside bits, those at places with bit j = 0: 2^j ones, 2^j zeros, and so on."""
    return ((1 << (1 << inside)) - 1) // ((1 << (1 << j)) + 1)


class _Plan(NamedTuple):
    """What a level of m free variables needs: constants for each position a split may have.

    Positions 0 .. 5 are bits of a place within a word, positions 6 .. m-1 bits of a word's index;
    ``i = min(m, 6)``.
    """

    distance: Words
    """(2, i): 0, and ``2^j``, how far apart within a word the two ends of an edge are."""
    lower: Words
    """(i,): the places within a word with bit j = 0."""
    squeeze_by: Words
    """(i - 1, i): how far the blocks move in each step of squeezing out bit j."""
    squeeze_to: Words
    """(i - 1, i): where they belong after it."""
    lower_words: Ints
    """(m - 6, words / 2): the words whose index has bit j = 0."""
    upper_words: Ints
    """The same for bit j = 1."""
    halves: Ints
    """(m - 5, 2, words): the half words of each child; position 0 tells half words apart."""
    others: Ints
    """(m, m - 1), see `_others`."""


def _others(m: int) -> Ints:
    """Row j: the positions 0 .. m-1 except j."""
    return np.array([[k for k in range(m) if k != j] for j in range(m)], dtype=np.intp)


def _make_plan(m: int) -> _Plan:
    inside, word = min(m, 6), _word(m)
    positions, steps = range(inside), range(inside - 1)
    everywhere = (1 << (1 << inside)) - 1
    by = [[1 << k if k >= j else 0 for j in positions] for k in steps]
    to = [[_blocks(k + 1, inside) if k >= j else everywhere for j in positions] for k in steps]
    words = np.arange(1 << max(m - 6, 0))
    units = np.arange(2 * words.size)
    return _Plan(
        distance=np.array([[0, 1 << j] for j in positions], dtype=word).T,
        lower=np.array([_blocks(j, inside) for j in positions], dtype=word),
        squeeze_by=np.array(by, dtype=word).reshape(-1, inside),
        squeeze_to=np.array(to, dtype=word).reshape(-1, inside),
        lower_words=np.array([words[(words >> j) & 1 == 0] for j in range(m - 6)], dtype=np.intp),
        upper_words=np.array([words[(words >> j) & 1 == 1] for j in range(m - 6)], dtype=np.intp),
        halves=np.array(
            [[units[(units >> j) & 1 == b] for b in (0, 1)] for j in range(m - 5)], dtype=np.intp
        ),
        others=_others(m),
    )


_kept_plan = cache(_make_plan)


def _plan(m: int) -> _Plan:
    return _kept_plan(m) if m <= _KEPT else _make_plan(m)


def _count_edges(tables: Words, m: int, plan: _Plan) -> npt.NDArray[np.unsignedinteger[Any]]:
    """How many edges of each node change f, by direction: an ``(m, nodes)`` array.

    ``tables`` is ``(nodes,)`` for m <= 6 and ``(nodes, 2^(m-6))`` above.
    """
    column = (-1,) + (1,) * tables.ndim
    differ = tables >> plan.distance[1].reshape(column)
    differ ^= tables
    differ &= plan.lower.reshape(column)
    counts: npt.NDArray[np.unsignedinteger[Any]] = np.bitwise_count(differ)
    if m <= 6:
        return counts
    inside = counts.sum(axis=2, dtype=np.uint32)
    differ = tables[:, plan.lower_words] ^ tables[:, plan.upper_words]
    across = np.bitwise_count(differ).sum(axis=2, dtype=np.uint32)
    return np.concatenate([inside, across.T])


def _split_words(words: Words, position: Ints, plan: _Plan) -> Words:
    """Each word's two halves, at places with bit ``position`` 0 and 1, at its lower end.

    Returns a ``(2, *words.shape)`` array of words whose upper halves are 0.
    """
    per_node = (-1, position.size, *(1,) * (words.ndim - 1))
    both = words >> plan.distance.take(position, axis=1).reshape(per_node)
    both &= plan.lower.take(position).reshape(per_node)
    squeeze_by = plan.squeeze_by.take(position, axis=1).reshape(per_node)
    squeeze_to = plan.squeeze_to.take(position, axis=1).reshape(per_node)
    for by, to in zip(squeeze_by, squeeze_to, strict=True):
        both |= both >> by
        both &= to
    return both


def _split(tables: Words, position: Ints, m: int, plan: _Plan) -> Words:
    """The tables of all children, low and high of each node in turn, split at ``position``."""
    if m <= 6:
        return _split_words(tables, position, plan).T.astype(_word(m - 1)).ravel()
    # Split within words where the position is there; position 5 splits a word into half words.
    low, high = _split_words(tables, np.minimum(position, 5), plan)
    high <<= np.uint64(32)
    units = (low | high).view("<u4")
    # Now the bit to split on is bit 0 of a half word's index, or the one its position names.
    chosen = plan.halves[np.maximum(position - 5, 0)]
    chosen += (units.shape[1] * np.arange(len(units)))[:, None, None]
    children: Words = units.ravel().take(chosen).reshape(2 * len(units), -1).view("<u8")
    return children.ravel() if m == 7 else children


def uniform_tree(f: BooleanFunction) -> FullTree:
    """Grow f to purity under the uniform distribution by flip influence; exact integer scores.

    Within a leaf ties go to the lowest variable; among leaves to the shallowest, then leftmost.
    """
    n = f.n
    tables: Words = f.words.astype(_word(n)) if n <= 6 else f.words.reshape(1, -1)
    free = np.arange(n, dtype=np.int8).reshape(1, n)  # one row for each pair of siblings
    ones, costs, scores, variables = [], [], [], []
    for m in range(n, 0, -1):
        plan = _plan(m)
        edges = _count_edges(tables, m, plan)
        # The maximum of these keys names the largest count and, among equals, the lowest position.
        key = np.left_shift(edges, 5, dtype=np.uint16 if m <= 6 else np.uint32)
        key |= np.arange(31, 31 - m, -1, dtype=key.dtype)[:, None]
        best = np.maximum.reduce(key)
        score = best >> 5
        inner = score.nonzero()[0]
        counts = np.bitwise_count(tables)
        ones.append(counts if m <= 6 else counts.sum(axis=1))
        costs.append(edges.sum(axis=0, dtype=np.uint8 if m <= 6 else np.uint32))
        scores.append(score)
        if inner.size == 0:
            break
        position = 31 - (best[inner] & 31).astype(np.intp)
        row = inner >> 1
        variables.append(free[row, position])
        tables = _split(tables[inner], position, m, plan)
        free = free[row[:, None], plan.others[position]]
    else:
        ones.append(tables)
        costs.append(np.zeros(len(tables), dtype=np.uint8))
        scores.append(np.zeros(len(tables), dtype=np.uint8))
    level_sizes = [len(level) for level in scores]
    score = np.concatenate(scores, dtype=np.int64)
    one_mass = np.concatenate(ones, dtype=np.float64) * 0.5**n
    return FullTree(
        **_shape(score, variables),
        zeros=np.repeat(0.5 ** np.arange(len(level_sizes)), level_sizes) - one_mass,
        ones=one_mass,
        cost=np.concatenate(costs, dtype=np.float64) * 0.5 ** (n - 1),
        score=score * 0.5 ** (n - 1),
    )


class _Shape(TypedDict):
    variable: npt.NDArray[np.int8]
    low: Ints
    order: Ints


def _shape(key: npt.NDArray[np.int64], variables: list[npt.NDArray[np.int8]]) -> _Shape:
    """Join the levels of nodes whose scores rank as ``key`` does; the children stand in pairs."""
    inner = np.flatnonzero(key)
    variable = np.full(key.size, -1, dtype=np.int8)
    variable[inner] = np.concatenate(variables) if variables else ()
    low = np.full(key.size, -1, dtype=np.intp)
    low[inner] = np.arange(1, 2 * inner.size, 2)
    return {"variable": variable, "low": low, "order": _descending(key)}


def _descending(score: npt.NDArray[np.int64]) -> Ints:
    """The nodes of positive score in stable descending order, by radix sort on 16-bit digits."""
    inner = np.flatnonzero(score)
    key = score.max(initial=0) - score[inner]
    order = np.argsort((key & 0xFFFF).astype(np.uint16), kind="stable")
    if key.max(initial=0) > 0xFFFF:
        order = order[np.argsort((key[order] >> 16).astype(np.uint16), kind="stable")]
    return inner[order]


# -- product distributions: tables of weights, rounded sums ----------------------------------------


def weighted_tree(f: BooleanFunction, mu: ProductDistribution) -> FullTree:
    """Grow f to purity under ``mu`` by resample influence.

    Tie rules as in `uniform_tree`; scores within a fraction `SCORE_TIE` of each other are equal.
    Raises ValueError if some point is so improbable that its weight is no normal float.
    """
    n = f.n
    spread = 2 * mu.p * (1 - mu.p)
    # One column for each node of the level, one row for each point of its subcube.
    tables, weights = f.table.astype(bool)[:, None], mu.weights()[:, None]
    if weights.min() < _LEAST_WEIGHT:
        msg = f"mu must give every point a probability >= {_LEAST_WEIGHT:g}, got {weights.min():g}"
        raise ValueError(msg)
    free = np.arange(n, dtype=np.int8).reshape(1, n)  # one row for each pair of siblings
    zeros, ones, costs, scores, variables = [], [], [], [], []
    for m in range(n, -1, -1):
        mass = np.empty((m, tables.shape[1]))
        for j in range(m):
            cube = (-1, 2, 1 << j, tables.shape[1])
            t, w = tables.reshape(cube), weights.reshape(cube)
            mass[j] = ((w[:, 0] + w[:, 1]) * (t[:, 0] != t[:, 1])).sum(axis=(0, 1))
        row = np.arange(tables.shape[1]) >> 1
        mass *= spread[free[row]].T
        score = mass.max(axis=0, initial=0)
        zeros.append((weights * ~tables).sum(axis=0))
        ones.append((weights * tables).sum(axis=0))
        costs.append(mass.sum(axis=0))
        scores.append(score)
        inner = score.nonzero()[0]
        if inner.size == 0:
            break
        position = (mass[:, inner] >= score[inner] * (1 - SCORE_TIE)).argmax(axis=0)
        row = row[inner]
        variables.append(free[row, position])
        free = free[row[:, None], _others(m)[position]]
        tables = _split_columns(tables[:, inner], position)
        weights = _split_columns(weights[:, inner], position)
    score = np.concatenate(scores)
    return FullTree(
        **_shape(_tie_classes(score), variables),
        zeros=np.concatenate(zeros),
        ones=np.concatenate(ones),
        cost=np.concatenate(costs),
        score=score,
    )


def _split_columns(columns: npt.NDArray[Any], position: Ints) -> npt.NDArray[Any]:
    """The columns of all children, low and high of each node in turn, split at ``position``."""
    points, nodes = columns.shape
    children = np.empty((points // 2, nodes, 2), dtype=columns.dtype)
    for j in np.unique(position).tolist():
        here = np.flatnonzero(position == j)
        halves = columns[:, here].reshape(-1, 2, 1 << j, here.size)
        for b in (0, 1):
            children[:, here, b] = halves[:, b].reshape(-1, here.size)
    return children.reshape(-1, 2 * nodes)


def _tie_classes(score: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Replace scores by integers of the same order, equal where scores are tied; 0 stays 0."""
    order = np.argsort(score)
    ascending = score[order]
    rises = np.diff(ascending, prepend=0.0) > SCORE_TIE * ascending
    classes = np.empty(score.size, dtype=np.int64)
    classes[order] = np.cumsum(rises)
    return classes
