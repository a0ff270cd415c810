"""A reader's splits of a plane, and the tree that grows on from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def grow_on(plane: Plane, cost: Cost, splits: Sequence[Row], max_leaves: int) -> list[Row]:
    """Return the splits, and those that best-first growth makes after them, as many as wanted.

    Below each leaf of the splits growth is that of its own examples; the drops of all leaves,
    each by the share of its examples, decide which is next. The page does the same.
    """
    X, y = plane.seen
    rows = {0: np.arange(y.size)}
    ways: dict[int, tuple[int, ...]] = {0: ()}  # the answers on the way to a node
    for j, (node, feature, threshold) in enumerate(splits):
        here, way = rows.pop(int(node)), ways[int(node)]
        low = X[here, int(feature)] <= threshold
        rows[2 * j + 1], rows[2 * j + 2] = here[low], here[~low]
        ways[2 * j + 1], ways[2 * j + 2] = (*way, 0), (*way, 1)
    paths = {
        leaf: grow(X[here], y[here], cost, max_leaves) for leaf, here in rows.items() if here.size
    }
    found = []
    for leaf, path in paths.items():
        share, below = rows[leaf].size / y.size, [ways[leaf]]
        for step, node in enumerate(path.split_node.tolist()):
            drop, tie = float(path.node_score[node]), DROP_TIE * float(path.node_cost[node])
            found.append(_Next(drop * share, tie * share, below[node], leaf, step, node))
            below += [(*below[node], 0), (*below[node], 1)]
    grown = list(splits)
    number = {(leaf, 0): leaf for leaf in paths}
    for leaf, step, node in _in_turn(found, max_leaves - 1 - len(grown)):
        path, j = paths[leaf], len(grown)
        row = number[leaf, node], int(path.split_variable[step]), float(path.split_threshold[step])
        grown.append(row)
        number[leaf, 2 * step + 1], number[leaf, 2 * step + 2] = 2 * j + 1, 2 * j + 2
    return grown


class _Next(NamedTuple):
    """A split that may come: its drop, what is a tie, the way to its node, where it is."""

    drop: float
    tie: float
    way: tuple[int, ...]
    leaf: int
    step: int
    node: int


def _in_turn(found: list[_Next], most: int) -> Iterator[tuple[int, int, int]]:
    """So many splits, the largest drop first of those whose node is there.

    Of tied drops, each within the tolerance of the next, the shallowest, then the leftmost.
    """
    found.sort(key=lambda split: -split.drop)
    rank, turns = 0, []
    for k, split in enumerate(found):
        before = found[k - 1] if k else split
        rank += before.drop - split.drop > max(before.tie, split.tie)
        turns.append((rank, len(split.way), split.way, split))
    waiting = sorted(turns)
    made: set[tuple[int, int]] = {(split.leaf, 0) for split in found}
    for _ in range(min(most, len(waiting))):
        first = next(k for k, (*_, one) in enumerate(waiting) if (one.leaf, one.node) in made)
        *_, split = waiting.pop(first)
        made |= {(split.leaf, 2 * split.step + side) for side in (1, 2)}
        yield split.leaf, split.step, split.node


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
