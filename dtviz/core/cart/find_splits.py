"""The splits of every leaf that growth may come to, a level of the tree in each scan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, Floats, Ints
from dtviz.core.cart.class_target import ClassTarget
from dtviz.core.cart.columns import Columns
from dtviz.core.cart.scan import Cuts, Level, smallest
from dtviz.core.cart.small_nodes import is_small, split_small
from dtviz.core.cart.target import Target
from dtviz.core.tolerances import DROP_TIE


@dataclass
class FullTree:
    """The tree with all splits that may be wanted, level by level, each left to right.

    Children stand side by side; ``low`` is the first of them, or 0 where they were not looked for.
    """

    summary: Array
    variable: Ints
    threshold: Floats
    low: Ints
    drop: Floats
    way: npt.NDArray[np.int8]
    """Whether missing values go low, 1 or 0; -1 where none was missing."""
    subsets: dict[int, frozenset[int]]


def find_splits(
    columns: Columns, target: Target, max_steps: int, deepest: int, decrease: float
) -> FullTree:
    """Find the splits of every leaf that can be split and may be a leaf after the given steps.

    None is deeper than ``deepest``, and none takes less than ``decrease`` off the cost.
    """
    level = Level.root(columns.features)
    summary = target.summary(*level.members, 1)
    number = np.zeros(1, dtype=np.intp)
    summaries, found, known = [summary], list[Any](), list[Any]()
    frontier = _Frontier(max_steps, DROP_TIE * float(target.cost(summary)[0]))
    n_nodes = 1
    live, least = target.is_impure(summary), np.full(1, np.inf)
    is_full = columns.is_plain and deepest == target.m - 1 and decrease == 0
    while live.any() and level.depth <= deepest:
        if is_full and isinstance(target, ClassTarget) and is_small(level, target):
            splits, below = split_small(level, target, summary, number, n_nodes)
            found.append(splits)
            summaries.append(below)
            n_nodes += len(below)
            break
        columns.arrange(level, target)
        cuts = target.cuts(level, summary)
        split = np.flatnonzero(cuts.feature >= 0)
        n = split.size
        if n == 0:
            break
        rows, child, way = _part_rows(level, columns, cuts)
        below = target.summary(rows, child, 2 * n)
        drop = target.drops(summary[split], below)
        least = np.minimum(least[split], drop)
        pays = np.flatnonzero(drop >= decrease)
        opened = np.zeros(n, dtype=np.bool_)
        opened[pays] = frontier.opens(least[pays], drop[pays])
        order, born = _number_children(opened, number[split], n_nodes)
        n_nodes += 2 * order.size
        summaries.append(below[np.array([order, n + order]).T.ravel()])
        paying = split[pays]
        tests = columns.of[cuts.feature[paying]], cuts.threshold[paying]
        found.append((number[paying], *tests, born[0, pays], drop[pays]))
        if way is not None:
            known.append(columns.find_sets(cuts, paying, number[paying], way[pays]))
        live = target.is_impure(below) & np.concatenate([opened, opened])
        number, least = born.ravel()[live], np.concatenate([least, least])[live]
        summary = below[live]
        parent = np.concatenate([split, split])[live]
        goes = _assign_rows(live, rows, child, target.m)
        del rows, child  # The next scan has the room.
        level = level.descend(goes, target.size(summary), parent, int(np.count_nonzero(live[:n])))
    return _collect(summaries, found, known, n_nodes)


def _part_rows(level: Level, columns: Columns, cuts: Cuts) -> tuple[Array, Ints, Any]:
    """The rows of the n nodes that are split, the child of each, and the way of missing values.

    Child j is the low and child n + j the high one of the j-th node with a split.
    """
    inner = cuts.feature >= 0
    rows, owner = level.members
    if not inner.all():
        inside = np.flatnonzero(inner[owner])
        rows, owner = rows[inside], owner[inside]
    features = columns.features
    values = features.columns if features.keys is None else features.keys
    across, along = (stride // values.itemsize for stride in values.strides)
    cell = np.multiply(rows, along, dtype=np.intp)
    cell += (across * cuts.feature).take(owner)
    value = values.ravel(order="K").take(cell)
    child: Ints = (inner.cumsum() - 1).take(owner)
    way = None if columns.is_plain else columns.ways(cuts.feature[inner], value, child)
    n = int(np.count_nonzero(inner))
    np.add(child, n, out=child, where=value > cuts.threshold.take(owner))
    return rows, child, way


def _number_children(
    opened: npt.NDArray[np.bool_], number: Ints, n_nodes: int
) -> tuple[Ints, Ints]:
    """The opened of n nodes from left to right, and the numbers of their children, ``(2, n)``."""
    order: Ints = np.flatnonzero(opened)[number[opened].argsort()]
    born = np.zeros((2, opened.size), dtype=np.intp)
    born[:, order] = n_nodes + np.arange(2 * order.size).reshape(-1, 2).T
    return order, born


def _assign_rows(live: npt.NDArray[np.bool_], rows: Array, child: Array, m: int) -> Array:
    """Which of the children that go on each of m rows comes to, their number where it is none."""
    n = int(np.count_nonzero(live))
    rank = np.where(live, live.cumsum() - 1, n).astype(smallest(n))
    goes = np.full(m, n, dtype=rank.dtype)
    goes[rows] = rank[child]
    return goes


class _Frontier:
    """Which nodes may be split within so many steps, as the drops become known level by level.

    Call the least drop on the way from the root to a node, its own included, its worth. Best-first
    growth splits all nodes of more worth before one of less, since that one waits behind a smaller
    drop than any of them has on its way. So if as many nodes as there are steps are worth more than
    a node, by more than a ``tie``, it is not split, and its children need not be looked at. Of
    equal worth 0 the shallower node comes first.
    """

    def __init__(self, steps: int, tie: float) -> None:
        self.steps, self.tie = steps, tie
        self.most: Floats = np.empty(0)

    def opens(self, worth: Floats, drop: Floats) -> npt.NDArray[np.bool_]:
        """Of the nodes of the next level, those that may be split."""
        if self.most.size + worth.size < self.steps:
            self.most = np.concatenate([self.most, worth])
            return np.ones(worth.size, dtype=np.bool_)
        above = self._floor()
        most = np.sort(np.concatenate([self.most, worth]))
        self.most = most[max(most.size - self.steps, 0) :]
        opens: npt.NDArray[np.bool_] = worth >= self._floor() - self.tie
        if above == 0:
            opens &= drop > 0
        return opens

    def _floor(self) -> float:
        if self.steps == 0:
            return np.inf
        return float(self.most[0]) if self.most.size == self.steps else -np.inf


def _collect(summaries: list[Array], found: list[Any], known: list[Any], n_nodes: int) -> FullTree:
    variable = np.full(n_nodes, -1, dtype=np.intp)
    threshold, drop = np.full(n_nodes, 0.5), np.zeros(n_nodes)
    low = np.zeros(n_nodes, dtype=np.intp)
    for place, features, thresholds, lows, drops in found:
        variable[place], threshold[place], drop[place] = features, thresholds, drops
        low[place] = lows
    way = np.full(n_nodes, -1, dtype=np.int8)
    subsets: dict[int, frozenset[int]] = {}
    for place, ways, sets in known:
        way[place] = ways
        subsets |= sets
    threshold[list(subsets)] = 0.5
    whole = np.concatenate(summaries)
    return FullTree(whole, variable, threshold, low, drop, way, subsets)
