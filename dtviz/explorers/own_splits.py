"""A reader's splits of a plane, and the tree that grows on from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from dtviz.core.cart.criteria import Cost
from dtviz.core.cart.growth import grow
from dtviz.core.checks import as_repr
from dtviz.core.tolerances import DROP_TIE
from dtviz.core.tree.tree import Tree
from dtviz.explorers.planes import Plane

MAX_LEAVES = 32
LARGEST_THRESHOLD = 1e300

Row = Sequence[float]
"""``[node, feature, threshold]``."""


def read_cuts(value: Any) -> Any:
    """Return the reader's own splits of a plane, or say what is wrong with them."""
    rule = (
        f"splits must be None or at most {MAX_LEAVES - 1} rows [node, feature, threshold], each of "
        "a leaf there is, a feature 0 or 1 and a number"
    )
    if not isinstance(value, list | tuple) or len(value) >= MAX_LEAVES:
        raise ValueError(f"{rule}, got {as_repr(value)}")
    leaves = {0}
    for j, row in enumerate(value):
        plain = isinstance(row, list | tuple) and len(row) == 3
        whole = plain and type(row[0]) is int and row[0] in leaves and row[1] in (0, 1)
        if not (whole and isinstance(row[2], int | float) and abs(row[2]) <= LARGEST_THRESHOLD):
            raise ValueError(f"{rule}, got {as_repr(row)} as split {j}")
        leaves = leaves - {row[0]} | {2 * j + 1, 2 * j + 2}
    return value


class _Leaf(NamedTuple):
    """The answers on the way to a leaf, its examples, and what its best split drops; its row."""

    way: tuple[int, ...]
    here: Any
    drop: float
    tie: float
    row: Row

    def goes_before(self, other: _Leaf) -> bool:
        """As `grow` has it: by the drop; of equals the shallower leaf, then the one to the left."""
        more = self.drop - other.drop
        if abs(more) > max(self.tie, other.tie):
            return more > 0
        return (len(self.way), self.way) < (len(other.way), other.way)


def grow_on(plane: Plane, cost: Cost, splits: Sequence[Row], max_leaves: int) -> list[Row]:
    """Return the splits, and those that best-first growth makes after them, as in the page."""
    X, y = plane.seen

    def leaf(node: int, way: tuple[int, ...], here: Any) -> _Leaf:
        path = grow(X[here], y[here], cost, 2) if here.size else None
        if path is None or not path.n_splits:
            return _Leaf(way, here, 0.0, 0.0, ())
        share = here.size / y.size
        drop, tie = path.scores[0] * share, DROP_TIE * path.costs[0] * share
        row = node, int(path.split_variable[0]), float(path.split_threshold[0])
        return _Leaf(way, here, drop, tie, row)

    rows: list[Row] = []
    leaves = {0: leaf(0, (), np.arange(y.size))}
    while True:
        ready = [each for each in leaves.values() if each.row]
        if len(rows) < len(splits):
            row = splits[len(rows)]
        elif ready and len(rows) < max_leaves - 1:
            row = reduce(lambda one, other: one if one.goes_before(other) else other, ready).row
        else:
            return rows
        node, feature, threshold = row
        way, here, *_ = leaves.pop(int(node))
        low = X[here, int(feature)] <= threshold
        for side, part in enumerate((here[low], here[~low])):
            child = 2 * len(rows) + 1 + side
            leaves[child] = leaf(child, (*way, side), part)
        rows.append(row)


def own_tree(plane: Plane, splits: Sequence[Row]) -> Tree:
    """The tree of some splits, each leaf labeled by its most frequent class or mean."""
    X, y = plane.seen
    at = {int(node): j for j, (node, *_) in enumerate(splits)}

    def below(node: int, rows: Any) -> Tree:
        j = at.get(node)
        if j is None and not plane.classes:
            return Tree.leaf(float(y[rows].mean()), is_regression=True)
        if j is None:
            return Tree.leaf(int(np.bincount(y[rows], minlength=1).argmax()))
        _, feature, threshold = splits[j]
        low = X[rows, int(feature)] <= threshold
        sides = below(2 * j + 1, rows[low]), below(2 * j + 2, rows[~low])
        return Tree.split(int(feature), *sides, float(threshold))

    return below(0, np.arange(y.size))
