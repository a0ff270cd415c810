"""The split scan: the best threshold of every feature, for all open nodes of a level at once.

Each feature keeps the rows of the open nodes grouped by node and, within a node, in ascending
order. One pass along a feature moves the rows of a node from the high side of the threshold to the
low side, one by one; `dtviz.core.targets` updates the cost of both sides in O(1) for each. Sorting
once takes O(d m log m), and every level of the tree O(d m) after that (claim CU-TIME).

Where features are small integers, such as pixels, codes or bits, and the nodes are large, a
histogram does without the order: it counts the rows of each node, value and class, and scans the
values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "Cuts",
    "Features",
    "Level",
    "Scores",
    "best_bins",
    "best_cuts",
    "midpoints",
    "smallest",
    "within_features",
]

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

BIN_WORK = 1.0
"""The time a scan takes for one entry of a histogram, as a fraction of that for a cell."""


class Features:
    """The values of d features in m rows.

    ``columns`` holds them as a ``(d, m)`` array of floats, ``keys`` as small integers if that is
    what they are. A *cell*, ``i * m + row``, is a place in their flat form. A *bin* is a value that
    a feature of small integers may have: feature i has the bins from ``first_bin[i]`` on. A cut has
    at least ``fewest`` rows on each side.
    """

    def __init__(self, columns: Floats, fewest: int = 1) -> None:
        self.d, self.m = columns.shape
        self.fewest = fewest
        self.columns = columns
        self.keys: Array = columns
        self.first_bin, self.n_bins = np.zeros(self.d, dtype=np.intp), 0
        if columns.min() >= 0 and columns.max() < 1 << 16:
            small = columns.astype(np.uint16)
            if (small == columns).all():
                self.keys = small
                number = small.max(axis=1).astype(np.intp) + 1
                self.n_bins = int(number.sum())
                self.first_bin = number.cumsum() - number
        self.offset = self.m * np.arange(self.d)[:, None]

    @cached_property
    def order(self) -> Ints:
        """The ``(d, m)`` cells of each feature in ascending order of their values."""
        cells: Ints = self.keys.argsort(axis=1, kind="stable")
        cells += self.offset
        return cells

    @cached_property
    def bins(self) -> Ints:
        """The bin of each row in each feature, ``(m, d)``."""
        return np.ascontiguousarray(self.keys.T + self.first_bin)


class Level:
    """The open nodes of one depth, left to right.

    Node k holds ``size[k]`` rows, from ``start[k]`` on in ``rows``, a flat array of ``M`` rows,
    node after node; ``node`` says which node each place belongs to, and ``low_size`` how many rows
    of the node lie on the low side of a cut after it. ``owner`` says it of every row, ``size.size``
    standing for none.
    """

    def __init__(self, features: Features, owner: Array, size: Ints, above: Level | None) -> None:
        self.features, self.owner, self.size, self.above = features, owner, size, above
        self.start = size.cumsum() - size
        self.node = np.arange(size.size).repeat(size)
        self.places = np.arange(self.node.size)
        self.low_size = self.places + 1 - self.start[self.node]
        self.high_size = size[self.node] - self.low_size

    @classmethod
    def root(cls, features: Features) -> Level:
        """The level of one node with all rows."""
        return cls(features, np.zeros(features.m, dtype=np.uint8), np.array([features.m]), None)

    def descend(self, owner: Ints, size: Ints) -> Level:
        """The next level: ``owner`` is the open node each row goes to, ``size.size`` if none."""
        return Level(self.features, owner.astype(smallest(size.size)), size, self)

    @cached_property
    def rows(self) -> Ints:
        """The rows of the open nodes, node after node."""
        rows: Ints
        if "cells" in vars(self):
            rows = self.cells[0]
        else:
            rows = self.owner.argsort(kind="stable")[: self.places.size]
        return rows

    @cached_property
    def cells(self) -> Ints:
        """A ``(d, M)`` array: each feature's cells, node after node, ascending within a node."""
        above: Level | None = self.above
        while above is not None and "cells" not in vars(above):
            above = above.above
        cells = self.features.order if above is None else above.cells
        self.above = None
        if above is None and self.size.size == 1 and self.places.size == self.features.m:
            return cells
        order = grouped(self._look_up(self.owner, cells))[:, : self.places.size]
        return cells.ravel().take(order)

    def look_up(self, values: Array) -> Array:
        """What each cell's row has of a value: ``(m,)`` to ``(d, M)``."""
        return self._look_up(values, self.cells)

    def _look_up(self, values: Array, cells: Ints) -> Array:
        repeated = np.empty((self.features.d, self.features.m), dtype=values.dtype)
        repeated[:] = values
        return repeated.ravel().take(cells)


def grouped(key: Array) -> Ints:
    """The places of a 2-d array in ascending order of its keys, row by row."""
    order: Ints = key.argsort(axis=1, kind="stable")
    order += key.shape[1] * np.arange(len(key))[:, None]
    return order


def smallest(largest: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest kind of integer: NumPy sorts those of 8 and 16 bits in linear time."""
    return np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.uint32


def midpoints(low: npt.ArrayLike, high: npt.ArrayLike) -> Floats:
    """A threshold t with ``low <= t < high``: the middle, or ``low`` where rounding leaves none."""
    below, above = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    middle = below / 2 + above / 2
    return np.where((below <= middle) & (middle < above), middle, below)


@dataclass(frozen=True)
class Scores:
    """How good each cut is, in a 2-d array of which one axis belongs to the nodes.

    ``value`` is above 0, the larger the better. Scores at most ``slack`` apart (one for each node)
    are ties. ``first`` decides exactly, where ties may be due to rounding: given the two indices of
    some cuts, which of them is the first of the best.
    """

    value: Array
    slack: Array
    first: Callable[[Ints, Ints], int] | None = None


class Cuts(NamedTuple):
    """The best cut of each node of a level: feature (-1 if there is none) and threshold."""

    feature: Ints
    threshold: Floats


def uses_bins(level: Level, width: int) -> bool:
    """Whether to count bins, ``width`` numbers in each, rather than go from row to row."""
    features = level.features
    work = BIN_WORK * level.size.size * features.n_bins * width
    return bool(0 < work < level.places.size * features.d)


def best_cuts(level: Level, scores: Scores) -> Cuts:
    """The best cut of every open node, scored after each cell: ``value`` is ``(d, M)``.

    Of the best, the lowest feature, then the lowest threshold.
    """
    key = level.features.keys.ravel().take(level.cells)
    value = scores.value
    # Nothing can be cut off between equal values, nor after a node's last row.
    value[:, :-1] *= key[:, :-1] != key[:, 1:]
    value[:, level.start - 1] = 0
    fewest = level.features.fewest
    if fewest > 1:
        value *= (level.low_size >= fewest) & (level.high_size >= fewest)
    most = np.maximum.reduceat(value, level.start, axis=1)
    best = most.max(axis=0)
    floor = _floor(best, scores)
    feature = (most >= floor).argmax(axis=0)
    own = value.ravel().take(feature[level.node] * level.places.size + level.places)
    good = own >= floor[level.node]
    place = np.minimum.reduceat(np.where(good, level.places, level.places.size - 1), level.start)
    if scores.first is not None:
        for node in np.flatnonzero(best > 0).tolist():
            start = int(level.start[node])
            here = value[:, start : start + int(level.size[node])]
            among, at = np.nonzero(here >= floor[node])
            if among.size > 1:
                winner = scores.first(among, at + start)
                feature[node], place[node] = among[winner], at[winner] + start
    above = np.minimum(place + 1, level.places.size - 1)
    values = level.features.columns.ravel()
    low, high = level.cells[feature, place], level.cells[feature, above]
    return _cuts(best, feature, values[low], values[high])


def best_bins(level: Level, scores: Scores, number: Ints) -> Cuts:
    """The same, scored after each bin: ``value`` is ``(k, bins)``, ``number`` counts their rows."""
    first_bin, value = level.features.first_bin, scores.value
    value *= number > 0
    fewest = level.features.fewest
    if fewest > 1:
        low_size = within_features(number.cumsum(axis=1), level.features)
        value *= (low_size >= fewest) & (level.size[:, None] - low_size >= fewest)
    best = value.max(axis=1)
    floor = _floor(best, scores)
    place = (value >= floor[:, None]).argmax(axis=1)
    if scores.first is not None:
        for node in np.flatnonzero(best > 0).tolist():
            at = np.flatnonzero(value[node] >= floor[node])
            if at.size > 1:
                place[node] = at[scores.first(np.full(at.size, node), at)]
    feature = first_bin.searchsorted(place, "right") - 1
    later = (number > 0) & (np.arange(number.shape[1]) > place[:, None])
    above = later.argmax(axis=1)
    base = first_bin[feature]
    return _cuts(best, feature, place - base, np.maximum(above, place) - base)


def within_features(sums: Array, features: Features) -> Array:
    """Cumulative sums over bins, begun anew with each feature."""
    before = np.concatenate(
        [np.zeros_like(sums[:, :1]), sums[:, features.first_bin[1:] - 1]], axis=1
    )
    sizes = np.diff(np.append(features.first_bin, features.n_bins))
    begun: Array = sums - before.repeat(sizes, axis=1)
    return begun


def _floor(best: Array, scores: Scores) -> Array:
    """From which score on a cut is as good as the best; a closed cut, of score 0, never is."""
    floor: Array = np.maximum(best - scores.slack, np.finfo(float).tiny)
    return floor


def _cuts(best: Array, feature: Ints, low: Array, high: Array) -> Cuts:
    threshold = midpoints(low, high)
    none = best <= 0
    feature[none], threshold[none] = -1, 0.5
    return Cuts(feature, threshold)
