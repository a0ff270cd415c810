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

__all__ = ["Cuts", "Level", "Scores", "best_cuts", "midpoints", "presorted"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class Level:
    """The open nodes of one depth, left to right.

    ``rows`` is a ``(d, M)`` array: for each feature the rows of all open nodes, node after node,
    each node's in ascending order of that feature. Node k holds ``size[k]`` of them from
    ``start[k]`` on, in every feature alike; ``node`` says which node each place belongs to.
    """

    def __init__(self, rows: Ints, size: Ints) -> None:
        self.rows, self.size = rows, size
        self.start = np.cumsum(size) - size
        self.node = np.repeat(np.arange(size.size), size)

    @classmethod
    def root(cls, columns: Floats) -> Level:
        """The level of the root: all rows of the ``(d, m)`` array of feature values."""
        return cls(presorted(columns), np.array([columns.shape[1]]))

    def descend(self, child: Ints, size: Ints) -> Level:
        """The next level: ``child`` is the open node each row goes to, ``size.size`` if none."""
        key = child.astype(smallest(size.size)).take(self.rows)
        order = np.argsort(key, axis=1, kind="stable")[:, : int(size.sum())]
        return Level(np.take_along_axis(self.rows, order, axis=1), size)


def smallest(largest: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest kind of integer: NumPy sorts those of 8 and 16 bits in linear time."""
    return np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.uint32


def presorted(columns: Floats) -> Ints:
    """For each feature, a row of the ``(d, m)`` array, its places in ascending order."""
    if columns.size and columns.min() >= 0 and columns.max() < 1 << 16:
        small = columns.astype(np.uint16)
        if (small == columns).all():
            return np.argsort(small, axis=1, kind="stable")
    return np.argsort(columns, axis=1, kind="stable")


def midpoints(low: npt.ArrayLike, high: npt.ArrayLike) -> Floats:
    """A threshold t with ``low <= t < high``: the middle, or ``low`` where rounding leaves none."""
    below, above = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    middle = below / 2 + above / 2
    return np.where((below <= middle) & (middle < above), middle, below)


@dataclass(frozen=True)
class Scores:
    """How good each cut is.

    ``value`` is ``(d, M)``: the score of a cut after each place, the larger the better. Scores at
    most ``slack`` (one for each node) apart are ties. ``first`` decides exactly, where scores
    may be ties by rounding alone: given features and places, the index of the first best of them.
    """

    value: npt.NDArray[Any]
    slack: npt.NDArray[Any]
    first: Callable[[Ints, Ints], int] | None = None


class Cuts(NamedTuple):
    """The best cut of each node of a level: feature (-1 if there is none) and threshold."""

    feature: Ints
    threshold: Floats


def best_cuts(level: Level, columns: Floats, scores: Scores) -> Cuts:
    """The best cut of every open node: of the best, the lowest feature, then lowest threshold."""
    d, m = columns.shape
    offset = (np.arange(d) * m)[:, None]
    x = columns.ravel().take(level.rows + offset)
    value = scores.value
    worst = np.iinfo(value.dtype).min if value.dtype.kind == "i" else -np.inf
    closed = np.ones(x.shape, dtype=np.bool_)
    np.equal(x[:, :-1], x[:, 1:], out=closed[:, :-1])
    closed[:, level.start[1:] - 1] = True
    value[closed] = worst
    most = np.maximum.reduceat(value, level.start, axis=1)
    best = most.max(axis=0)
    floor = np.maximum(best - scores.slack, worst + 1 if value.dtype.kind == "i" else worst)
    feature = (most >= floor).argmax(axis=0)
    places = np.arange(value.shape[1])
    good = value[feature[level.node], places] >= floor[level.node]
    place = np.minimum.reduceat(np.where(good, places, places.size), level.start)
    split = best > worst
    place[~split] = 0
    if scores.first is not None:
        for node in np.flatnonzero(split).tolist():
            here = slice(int(level.start[node]), int(level.start[node] + level.size[node]))
            among, at = np.nonzero(value[:, here] >= floor[node])
            if among.size > 1:
                winner = scores.first(among, at + here.start)
                feature[node], place[node] = among[winner], at[winner] + here.start
    above = np.minimum(place + 1, places.size - 1)
    threshold = midpoints(x[feature, place], x[feature, above])
    return Cuts(np.where(split, feature, -1), np.where(split, threshold, 0.5))
