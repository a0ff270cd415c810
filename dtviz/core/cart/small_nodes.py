"""Trees of small tables, and the last levels of others, node by node.

A level of the scan takes some two hundred calls of NumPy, however few rows are left. A node by
itself takes twenty; and where it has few cells, to go from row to row in plain Python is faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dtviz.core.bases import Array
from dtviz.core.cart.class_target import FEW_CLASSES, ClassTarget
from dtviz.core.cart.scan import CLOSED, Level, midpoints
from dtviz.core.tolerances import DROP_TIE

FEW_CELLS = 1_000
"""Up to so many cells of a level it is faster to go node by node."""

SMALL_TABLE = 3_000
"""The same of a single node with few classes."""

FEWEST_CELLS = 200
"""Up to so many cells of a node, or with many classes, Python is faster."""


def is_small(level: Level, target: ClassTarget) -> bool:
    """Whether `split_small` can take the place of the scan of levels, and is faster."""
    is_one = level.size.size == 1 and target.c <= FEW_CLASSES
    most = SMALL_TABLE if is_one else FEW_CELLS
    return target.is_countable and level.n_places * level.features.d <= most


def split_small(
    level: Level, target: ClassTarget, summary: Array, number: Array, n: int
) -> tuple[Any, Array]:
    """Split by Gini below the nodes of a level, of these numbers, until nothing can be split.

    Each row weighs 1, and a new node gets the next number from n on. Returned are number, feature,
    threshold, low child and drop of each split, and the summaries of the new nodes.
    """
    rows, owner = level.members
    values, labels = level.features.columns[:, rows], target.codes[rows]
    orders = np.lexsort((values, np.broadcast_to(owner, values.shape)))
    columns, codes = values.tolist(), labels.tolist()
    fewest = max(level.features.fewest, target.lightest)
    ends = (number, level.start, level.start + level.size)
    nodes = zip(*(part.tolist() for part in (*ends, summary[:, : target.c])), strict=True)
    queue: list[Any] = [(node, orders[:, a:b], counts) for node, a, b, counts in sorted(nodes)]
    splits, edges, above, below = [], [], [], []
    for node, cells, counts in queue:
        is_wide = isinstance(cells, np.ndarray)
        ordered = cells
        if is_wide and (cells.size <= FEWEST_CELLS or target.c > FEW_CLASSES):
            is_wide, ordered = False, cells.tolist()
        if is_wide:
            feature, at = _best_cut_at_once(ordered, values, labels, counts, fewest)
        else:
            feature, at = _best_cut(ordered, columns, codes, counts, fewest)
        if at == 0:
            continue
        order = ordered[feature].tolist() if is_wide else ordered[feature]
        splits.append((node, feature, n))
        edges.append([columns[feature][row] for row in order[at - 1 : at + 1]])
        above.append(counts)
        low = [0] * target.c
        for row in order[:at]:
            low[codes[row]] += 1
        high = [whole - part for whole, part in zip(counts, low, strict=True)]
        for side, part in ((order[:at], low), (order[at:], high)):
            below.append(part)
            if max(part) < len(side):
                queue.append((n, _keep(ordered, side), part))
            n += 1
    parents, children = (target.summary_of_counts(counts) for counts in (above, below))
    drop = target.drops(parents, np.concatenate([children[::2], children[1::2]]))
    places, features, firsts = np.array(splits, dtype=np.intp).reshape(-1, 3).T
    threshold = midpoints(*np.array(edges).reshape(-1, 2).T)
    return (places, features, threshold, firsts, drop), children


def _keep(ordered: Any, side: list[int]) -> Any:
    """The rows of one side, ordered by each feature."""
    if isinstance(ordered, list):
        inside = set(side)
        return [[row for row in own if row in inside] for own in ordered]
    kept = np.zeros(ordered.max() + 1, dtype=np.bool_)
    kept[side] = True
    return ordered[kept.take(ordered)].reshape(len(ordered), -1)


def _best_cut(
    ordered: list[list[int]],
    columns: list[list[float]],
    codes: list[int],
    counts: list[int],
    fewest: int,
) -> tuple[int, int]:
    """The feature, and how many of its rows go low: the first of the best; (0, 0) if none may."""
    n, squares = len(ordered[0]), sum(count * count for count in counts)
    # Gains are what is left after that of the cost; the first of equal ones is above what follows.
    slack = DROP_TIE * (n - squares / n)
    best, found = -slack, (0, 0)
    for feature, (order, values) in enumerate(zip(ordered, columns, strict=True)):
        last = values[order[0]]
        if last == values[order[-1]]:
            continue
        # Sums over the classes: of squares, and of the products with the counts of the node.
        low, low_squares, products = [0] * len(counts), 0, 0
        for i, row in enumerate(order):
            value = values[row]
            if value != last:
                last = value
                high_squares = squares - 2 * products + low_squares
                gain = low_squares / i + high_squares / (n - i)
                if gain > best + slack and fewest <= i <= n - fewest:
                    best, found = gain, (feature, i)
            code = codes[row]
            count = low[code]
            low_squares += 2 * count + 1
            low[code] = count + 1
            products += counts[code]
    return found


def _best_cut_at_once(
    ordered: Array, values: Array, codes: Array, counts: list[int], fewest: int
) -> tuple[int, int]:
    """The same from arrays, by the running numbers of all classes and features."""
    n = ordered.shape[1]
    at = np.arange(1, n)
    of_class = codes.take(ordered[:, :-1]) == np.arange(len(counts))[:, None, None]
    low = of_class.cumsum(axis=2)
    high = np.array(counts)[:, None, None] - low
    gain = np.square(low).sum(axis=0) / at + np.square(high).sum(axis=0) / (n - at)
    here = np.take_along_axis(values, ordered, axis=1)
    gain[here[:, 1:] == here[:, :-1]] = CLOSED
    gain[:, np.minimum(at, n - at) < fewest] = CLOSED
    best = gain.max()
    if best < 0:
        return 0, 0
    slack = DROP_TIE * (n - sum(count * count for count in counts) / n)
    feature, place = divmod(int((gain >= best - slack).argmax()), n - 1)
    return feature, place + 1
