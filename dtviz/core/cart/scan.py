"""The split scan: the best threshold of every feature, for all open nodes of a level at once.

Each feature keeps the rows of the open nodes grouped by node and, within a node, in ascending
order. One pass along a feature moves the rows of a node from the high side of the threshold to the
low side, one by one; `class_target` updates the cost of both sides in O(1) for each. Sorting once
takes O(d m log m), and every level of the tree O(d m) after that (claim CU-TIME): a stable
partition of each node's rows keeps their order. A few features are scanned at a time, so that what
is worked out on the way fits in a cache.

Where features are small integers, such as pixels, codes or bits, and the nodes are large, a
histogram does without the order: it counts the rows of each node, value and class, and scans the
values (`dtviz.core.cart.histograms`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, Floats, Ints

BIN_WORK = 0.6
"""The time a scan takes for one entry of a histogram, as a fraction of that for a cell."""

CELLS_AT_ONCE = 1 << 15
"""So many cells are scanned at a time, if a feature has no more: their scores fill a cache."""

CLOSED = -1
"""The score of a cut between equal values, or with nothing on one side; open cuts have 0 or more.
"""


class Features:
    """The values of d features in m rows.

    ``columns`` holds them as a ``(d, m)`` array of floats, row by row or column by column, ``keys``
    as small integers if that is what they are, else None. A *cell* is a place in it. A *bin* is a
    value that a feature of small integers may have: feature i has the bins from ``first_bin[i]``
    on. A cut has at least ``fewest`` rows on each side. Where values have no order of their own,
    they are no keys.
    """

    def __init__(self, columns: Floats, fewest: int = 1, *, has_order: bool = True) -> None:
        self.d, self.m = columns.shape
        self.fewest = fewest
        self.columns = columns
        self.keys: Any = _small(columns) if has_order else None
        self.first_bin, self.n_bins = np.zeros(self.d, dtype=np.intp), 0
        if self.keys is not None:
            number = self.keys.max(axis=1).astype(np.intp) + 1
            self.n_bins = int(number.sum())
            self.first_bin = number.cumsum() - number
        self.row = np.int32 if self.m < 1 << 31 else np.int64

    def sort_rows(self, owner: Array, size: Ints) -> tuple[Array, Array]:
        """Rows and ranks, ``(d, M)``, node after node, ascending within a node; ties by row.

        Ranks are equal where values are, and unequal for neighbors that are not.
        """
        inside = None if size.size == 1 and size[0] == self.m else np.flatnonzero(owner < size.size)
        n = int(size.sum())
        rows = np.empty((self.d, n), dtype=self.row)
        ranks = np.empty((self.d, n), dtype=np.uint32 if self.keys is None else self.keys.dtype)
        group = None if size.size == 1 or inside is None else owner[inside].astype(np.uint64)
        values = self.columns if self.keys is None else self.keys
        for a, b in feature_ranges(self.d, n):
            some = values[a:b] if inside is None else values[a:b, inside]
            some = np.ascontiguousarray(some)
            order = _order(some, group)
            rows[a:b] = order if inside is None else inside[order]
            some = np.take_along_axis(some, order, axis=1)
            if self.keys is None:
                ranks[a:b, 0] = 0
                np.cumsum(some[:, 1:] != some[:, :-1], axis=1, out=ranks[a:b, 1:])
            else:
                ranks[a:b] = some
        return rows, ranks


def _small(columns: Floats) -> Array | None:
    """The values in 8 or 16 bits, if they are integers from 0 on that fit."""
    first = columns[:, 0]
    if (first != np.floor(first)).any() or columns.min() < 0 or columns.max() >= 1 << 16:
        return None
    keys = columns.astype(smallest(int(columns.max())))
    return np.ascontiguousarray(keys) if (keys == columns).all() else None


def _order(values: Array, group: Array | None) -> Ints:
    """The stable order of columns by group and value: keys and places are sorted as one number."""
    n = values.shape[1]
    place_bits = max(n - 1, 1).bit_length()
    key, bits = _key(values)
    if key is None:
        order = values.argsort(axis=1, kind="stable")
        if group is None:
            return order
        return np.take_along_axis(order, group[order].argsort(axis=1, kind="stable"), axis=1)
    if group is not None:
        key |= group << np.uint64(bits)
        bits += int(group.max()).bit_length()
    if bits + place_bits > 64:
        return key.argsort(axis=1, kind="stable")
    key <<= np.uint64(place_bits)
    key |= np.arange(n, dtype=np.uint64)
    key.sort(axis=1)
    key &= np.uint64((1 << place_bits) - 1)
    return key.view(np.int64).astype(np.intp, copy=False)


def _key(values: Array) -> tuple[Array | None, int]:
    """Values as integers in the same order, and their bits; None if 32 are not enough."""
    if values.dtype.kind == "u":
        return values.astype(np.uint64), 8 * values.dtype.itemsize
    with np.errstate(over="ignore", under="ignore"):
        short = values.astype(np.float32)
    if not (short == values).all():
        return None, 64
    # The bits of floats are in the order of their values, backwards below 0; there is one 0.
    code = (short + np.float32(0)).view(np.uint32)
    code ^= (code >> np.uint32(31)) * np.uint32(0x7FFFFFFF) | np.uint32(0x80000000)
    return code.astype(np.uint64), 32


class Nodes:
    """Nodes side by side: node k holds the ``size[k]`` places from ``start[k]`` on, M in all."""

    def __init__(self, size: Ints) -> None:
        self.size = size
        self.start = size.cumsum() - size
        self.n_places = int(size.sum())
        self.kind = np.int32 if self.n_places < 1 << 31 else np.int64

    @cached_property
    def node(self) -> Ints:
        """Which node each place belongs to."""
        return np.arange(self.size.size).repeat(self.size)

    @cached_property
    def places(self) -> Array:
        """0, 1, .., M - 1."""
        return np.arange(self.n_places, dtype=self.kind)

    def spread(self, values: Array) -> Array:
        """The value of its node for each place; of one node, as in a chain, the value alone."""
        return values if values.size == 1 else values.repeat(self.size)

    @cached_property
    def side_sizes(self) -> Array:
        """How many rows of the node lie low and high of a cut after each place, ``(2, M)``."""
        sides = np.empty((2, self.n_places), dtype=self.kind)
        start, size = (self.start - 1).astype(self.kind), self.size.astype(self.kind)
        np.subtract(self.places, self.spread(start), out=sides[0])
        np.subtract(self.spread(size), sides[0], out=sides[1])
        return sides


class Block(NamedTuple):
    """Some features of some nodes: rows and ranks of their cells, ``(f, M)``, as in `Level`."""

    nodes: Nodes
    rows: Array
    ranks: Array
    fewest: int = 1

    def running(self, values: Array) -> Array:
        """Sums of values up to each cell, begun again with each node."""
        sums: Array = values.cumsum(axis=1, dtype=values.dtype)
        start = self.nodes.start
        if start.size > 1:
            none = np.zeros((len(sums), 1), dtype=sums.dtype)
            base = np.concatenate([none, sums[:, start[1:] - 1]], axis=1)
            sums -= base.repeat(self.nodes.size, axis=1)
        return sums

    def close(self, value: Array) -> Array:
        """Nothing can be cut off between equal values, nor after a node's last row, nor too few."""
        closed = self.ranks[:, :-1] == self.ranks[:, 1:]
        np.copyto(value[:, :-1], CLOSED, where=closed)
        value[:, self.nodes.start + self.nodes.size - 1] = CLOSED
        if self.fewest > 1:
            value[:, (self.nodes.side_sizes < self.fewest).any(axis=0)] = CLOSED
        return value


class Level(Nodes):
    """The open nodes of one depth.

    ``owner`` says of every row which node it belongs to, ``size.size`` standing for none. The first
    ``n_low`` nodes are low sides of nodes above, the others high sides, both in the order of those;
    ``parent`` says of which.
    """

    def __init__(
        self, features: Features, owner: Array, size: Ints, parent: Ints, n_low: int
    ) -> None:
        super().__init__(size)
        self.features, self.owner, self.parent, self.n_low = features, owner, parent, n_low
        self.depth = 0
        self.above: tuple[Array, Array] | None = None

    @classmethod
    def root(cls, features: Features) -> Level:
        """The level of one node with all rows."""
        owner = np.zeros(features.m, dtype=np.uint8)
        size = np.array([features.m], dtype=np.intp)
        return cls(features, owner, size, np.zeros(1, dtype=np.intp), 1)

    def descend(self, owner: Array, size: Ints, parent: Ints, n_low: int) -> Level:
        """The next level: ``owner`` is the open node each row goes to, ``size.size`` if none."""
        below = Level(self.features, owner, size, parent, n_low)
        below.depth = self.depth + 1
        below.above = self.cells if "cells" in vars(self) else None
        return below

    @cached_property
    def members(self) -> tuple[Array, Array]:
        """The rows of the open nodes, ascending, and the node of each."""
        if self.n_places == self.features.m:
            return np.arange(self.features.m, dtype=self.features.row), self.owner
        rows = np.flatnonzero(self.owner < self.size.size)
        return rows, self.owner[rows]

    def spread_rows(self, values: Array) -> Array:
        """The same for each of the rows in `members`."""
        return values if values.size == 1 else values.take(self.members[1])

    @cached_property
    def cells(self) -> tuple[Array, Array]:
        """Rows and ranks, ``(d, M)``: each feature's, node after node, ascending within a node.

        Those of the level above are lost: they make room.
        """
        if self.above is None:
            return self.features.sort_rows(self.owner, self.size)
        rows, ranks = self.above
        self.above = None
        n, d = self.n_places, self.features.d
        side = (self.owner >= self.n_low) + (self.owner >= self.size.size).astype(np.uint8)
        for a, b in feature_ranges(d, rows.shape[1]):
            at = side.take(rows[a:b])
            place = np.concatenate(
                [np.flatnonzero(at == which).reshape(b - a, -1) for which in (0, 1)], axis=1
            )
            for cells in (rows, ranks):
                cells[a:b, :n] = cells[a:b].take(place)
        return rows[:, :n], ranks[:, :n]

    def rearrange(self, feature: int) -> None:
        """Sort the cells of a feature whose values have changed."""
        rows, ranks = self.cells
        values = self.features.columns[feature].take(rows[feature])
        order = np.lexsort((rows[feature], values, self.node))
        rows[feature], ranks[feature] = rows[feature][order], values[order]

    def block(self, features: slice | Ints, node: int | None = None) -> Block:
        """The cells of some features: of one node, or of all."""
        rows, ranks = self.cells
        fewest = self.features.fewest
        if node is None:
            return Block(self, rows[features], ranks[features], fewest)
        part = slice(int(self.start[node]), int(self.start[node] + self.size[node]))
        one = self if self.size.size == 1 else Nodes(self.size[[node]])
        return Block(one, rows[features, part], ranks[features, part], fewest)

    def one_feature_each(self, feature: Ints) -> Block:
        """One feature for each node: its cells, side by side."""
        rows, ranks = self.cells
        own = feature.repeat(self.size), self.places
        return Block(self, rows[own][None], ranks[own][None], self.features.fewest)


def feature_ranges(d: int, n: int) -> list[tuple[int, int]]:
    """Ranges of d features of n cells each, to be worked on together."""
    step = max(1, CELLS_AT_ONCE // max(n, 1))
    return [(a, min(a + step, d)) for a in range(0, d, step)]


def smallest(largest: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest kind of integer: NumPy sorts those of 8 and 16 bits in linear time."""
    return np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.uint32


def midpoints(low: npt.ArrayLike, high: npt.ArrayLike) -> Floats:
    """A threshold t with ``low <= t < high``: the middle, or ``low`` where rounding leaves none."""
    below, above = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    middle = below / 2 + above / 2
    return np.where((below <= middle) & (middle < above), middle, below)


class Scores(NamedTuple):
    """How good each cut is, in a 2-d array of which one axis belongs to the nodes.

    ``value`` is at least 0, the larger the better. Scores at most ``slack`` (one for each node)
    apart are ties.
    """

    value: Array
    slack: Array

    def floor(self, best: Array) -> Array:
        """From which score on a cut is as good as the best; a closed cut never is."""
        floor: Array = np.maximum(best - self.slack, 0)
        return floor


Scorer = Callable[[Block, Array], Scores]


class Cuts(NamedTuple):
    """The best cut of each node of a level: feature (-1 if there is none) and threshold."""

    feature: Ints
    threshold: Floats


def uses_bins(level: Level, width: int) -> bool:
    """Whether to count bins, ``width`` numbers in each, rather than go from row to row.

    Rows take longer with more numbers too, and histograms must not fill the memory.
    """
    features = level.features
    work = BIN_WORK * level.size.size * features.n_bins * width
    return bool(0 < work < level.n_places * features.d * min(0.5 + width / 4, 3))


def best_cuts(level: Level, summary: Array, scorer: Scorer) -> Cuts:
    """The best cut of every open node, scored after each cell.

    Of the best, the lowest feature, then the lowest threshold.
    """
    parts = []
    for a, b in feature_ranges(level.features.d, level.n_places):
        block = level.block(slice(a, b))
        scores = scorer(block, summary)
        value = block.close(scores.value)
        parts.append(np.maximum.reduceat(value, level.start, axis=1))
    most = np.concatenate(parts) if len(parts) > 1 else parts[0]
    best = most.max(axis=0)
    floor = scores.floor(best)
    feature, least = (most >= floor).argmax(axis=0), floor
    is_one = level.size.size == 1
    if len(parts) == 1:
        own = value[feature[0]] if is_one else value[feature.repeat(level.size), level.places]
    else:
        del block, value  # Room for the next.
        block = level.one_feature_each(feature)
        own = block.close(scorer(block, summary).value)[0]
        # Sums of floats may be rounded differently, side by side with others.
        least = np.minimum(floor, np.maximum.reduceat(own, level.start))
    good = own >= level.spread(least)
    if is_one:
        place = good.argmax(keepdims=True)
    else:
        place = np.minimum.reduceat(np.where(good, level.places, level.n_places - 1), level.start)
    above = np.minimum(place + 1, level.n_places - 1)
    rows, columns = level.cells[0], level.features.columns
    low, high = columns[feature, rows[feature, place]], columns[feature, rows[feature, above]]
    return _cuts(best, feature, low, high)


def best_bins(features: Features, scores: Scores, number: Array) -> Cuts:
    """The same, scored after each bin: ``value`` is ``(k, bins)``, ``number`` counts their rows."""
    value = scores.value
    np.copyto(value, CLOSED, where=number == 0)
    if features.fewest > 1:
        low = _within_features(number.cumsum(axis=1), features)
        last = np.append(features.first_bin[1:], features.n_bins) - 1
        whole = low[:, last].repeat(np.diff(last, prepend=-1), axis=1)
        np.copyto(value, CLOSED, where=(low < features.fewest) | (whole - low < features.fewest))
    best = value.max(axis=1)
    floor = scores.floor(best)
    place = (value >= floor[:, None]).argmax(axis=1)
    feature = features.first_bin.searchsorted(place, "right") - 1
    later = (number > 0) & (np.arange(number.shape[1]) > place[:, None])
    above = later.argmax(axis=1)
    base = features.first_bin[feature]
    return _cuts(best, feature, place - base, np.maximum(above, place) - base)


def _within_features(sums: Array, features: Features) -> Array:
    """Cumulative sums over bins, begun again with each feature."""
    before = np.concatenate(
        [np.zeros_like(sums[:, :1]), sums[:, features.first_bin[1:] - 1]], axis=1
    )
    sizes = np.diff(np.append(features.first_bin, features.n_bins))
    begun: Array = sums - before.repeat(sizes, axis=1)
    return begun


def _cuts(best: Array, feature: Ints, low: Array, high: Array) -> Cuts:
    threshold = midpoints(low, high)
    none = best < 0
    feature[none], threshold[none] = -1, 0.5
    return Cuts(feature, threshold)
