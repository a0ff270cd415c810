"""The split scan: the best threshold of every feature, for all open nodes of a level at once.

Each feature keeps the rows of the open nodes grouped by node and, within a node, in ascending
order. One pass along a feature moves the rows of a node from the high side of the threshold to the
low side, one by one; `dtviz.targets` updates the cost of both sides in O(1) for each. Sorting once
takes O(d m log m), and every level of the tree O(d m) after that (claim CU-TIME).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Cuts", "Features", "Level", "Scores", "best_cuts", "midpoints", "smallest"]

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


class Features:
    """The values of d features in m rows.

    ``columns`` holds them as a ``(d, m)`` array of floats, ``keys`` flat, as small integers if that
    is what they are. A *cell*, ``i * m + row``, is a place in ``keys``; ``order`` is the ``(d, m)``
    array of each feature's cells in ascending order.
    """

    def __init__(self, columns: Floats) -> None:
        self.d, self.m = columns.shape
        self.columns = columns
        keys: Array = columns
        if columns.min() >= 0 and columns.max() < 1 << 16:
            small = columns.astype(np.uint16)
            keys = small if (small == columns).all() else columns
        self.keys = keys.ravel()
        self.order = np.argsort(keys, axis=1, kind="stable")
        self.order += self.m * np.arange(self.d)[:, None]


class Level:
    """The open nodes of one depth, left to right.

    ``cells`` is a ``(d, M)`` array: for each feature the cells of all open nodes, node after node,
    each node's in ascending order of that feature. Node k holds ``size[k]`` of them from
    ``start[k]`` on, in every feature alike; ``node`` says which node each place belongs to, and
    ``low_size`` how many rows of the node lie on the low side of a cut after it.
    """

    def __init__(self, features: Features, cells: Ints, size: Ints) -> None:
        self.features, self.cells, self.size = features, cells, size
        self.start = size.cumsum() - size
        self.node = np.arange(size.size).repeat(size)
        self.places = np.arange(self.node.size)
        self.low_size = self.places + 1 - self.start[self.node]
        self.high_size = size[self.node] - self.low_size

    @property
    def rows(self) -> Ints:
        """The rows of the open nodes, node after node."""
        rows: Ints = self.cells[0]
        return rows

    def grouped(self, key: Array) -> Ints:
        """The places of a ``(d, M)`` array in ascending order of its keys, a feature at a time."""
        order = key.argsort(axis=1, kind="stable")
        order += key.shape[1] * np.arange(len(key))[:, None]
        return order

    def look_up(self, values: Array) -> Array:
        """What every cell's row has of a value: ``(m,)`` to ``(d, M)``."""
        return np.tile(values, self.features.d).take(self.cells)

    def descend(self, child: Ints, size: Ints) -> Level:
        """The next level: ``child`` is the open node each row goes to, ``size.size`` if none."""
        key = self.look_up(child.astype(smallest(size.size)))
        order = self.grouped(key)[:, : int(size.sum())]
        return Level(self.features, self.cells.ravel().take(order), size)


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
    """How good each cut is.

    ``value`` is ``(d, M)``: the score of a cut after each place, above 0, the larger the better.
    Scores at most ``slack`` apart (one for each node) are ties. ``first`` decides exactly, where
    ties may be due to rounding: given features and places, the index of the first of the best.
    """

    value: Array
    slack: Array
    first: Callable[[Ints, Ints], int] | None = None


class Cuts(NamedTuple):
    """The best cut of each node of a level: feature (-1 if there is none) and threshold."""

    feature: Ints
    threshold: Floats


def best_cuts(level: Level, scores: Scores) -> Cuts:
    """The best cut of every open node: of the best, the lowest feature, then lowest threshold."""
    key = level.features.keys.take(level.cells)
    value = scores.value
    # Nothing can be cut off between equal values, nor after a node's last row.
    value[:, :-1] *= key[:, :-1] != key[:, 1:]
    value[:, level.start - 1] = 0
    most = np.maximum.reduceat(value, level.start, axis=1)
    best = most.max(axis=0)
    split = best > 0
    # At least the least that is above 0: a cut that is closed is no tie.
    floor = np.maximum(best - scores.slack, np.minimum(best, np.finfo(float).tiny))
    feature = (most >= floor).argmax(axis=0)
    good = value[feature[level.node], level.places] >= floor[level.node]
    place = np.minimum.reduceat(np.where(good, level.places, level.places.size), level.start)
    if scores.first is not None:
        for node in np.flatnonzero(split).tolist():
            start = int(level.start[node])
            here = value[:, start : start + int(level.size[node])]
            among, at = np.nonzero(here >= floor[node])
            if among.size > 1:
                winner = scores.first(among, at + start)
                feature[node], place[node] = among[winner], at[winner] + start
    above = np.minimum(place + 1, level.places.size - 1)
    row = level.cells[feature, place], level.cells[feature, above]
    values = level.features.columns.ravel()
    threshold = midpoints(values[row[0]], values[row[1]])
    return Cuts(np.where(split, feature, -1), np.where(split, threshold, 0.5))
