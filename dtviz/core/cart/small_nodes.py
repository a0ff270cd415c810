"""The last levels of a tree in plain Python.

A level of the scan takes some two hundred calls of NumPy, however few rows are left. On so few
cells they last longer than to go from row to row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.class_target import ClassTarget
from dtviz.core.cart.scan import Level, midpoints
from dtviz.core.tolerances import DROP_TIE

Array = npt.NDArray[Any]

FEW_CELLS = 1_000
"""Up to so many cells of a level Python is faster."""


def split_small(
    level: Level, target: ClassTarget, summary: Array, number: Array, n: int
) -> tuple[Any, Array]:
    """Split by Gini below the nodes of a level, of these numbers, until nothing can be split.

    Each row weighs 1, and a new node gets the next number from n on. Returned are number, feature,
    threshold, low child and drop of each split, and the summaries of the new nodes.
    """
    rows, owner = level.members
    values = level.features.columns[:, rows]
    orders = np.lexsort((values, np.broadcast_to(owner, values.shape))).tolist()
    columns, codes = values.tolist(), target.codes[rows].tolist()
    fewest = max(level.features.fewest, target.lightest)
    ends = (number, level.start, level.start + level.size)
    nodes = zip(*(part.tolist() for part in (*ends, summary[:, : target.c])), strict=True)
    queue = [
        (node, [order[a:b] for order in orders], counts) for node, a, b, counts in sorted(nodes)
    ]
    splits, edges, above, below = [], [], [], []
    for node, ordered, counts in queue:
        feature, at = _best_cut(ordered, columns, codes, counts, fewest)
        if at == 0:
            continue
        order = ordered[feature]
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
                inside = set(side)
                queue.append((n, [[row for row in own if row in inside] for own in ordered], part))
            n += 1
    parents, children = (target.summary_of_counts(counts) for counts in (above, below))
    drop = target.drops(parents, np.concatenate([children[::2], children[1::2]]))
    places, features, firsts = np.array(splits, dtype=np.intp).reshape(-1, 3).T
    threshold = midpoints(*np.array(edges).reshape(-1, 2).T)
    return (places, features, threshold, firsts, drop), children


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
