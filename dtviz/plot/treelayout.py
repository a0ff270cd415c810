"""Where the nodes of a drawn tree stand. Numbers only: nothing here knows how they are drawn.

The unit across is one leaf slot, the unit down is one level. Leaves stand at 0, 1, 2, ... from left
to right and a parent stands halfway between its children, so nodes of one level are at least one
slot apart. A tree too large to read has its deep subtrees folded: each takes one slot, like a leaf.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer
from dtviz.core.tree import Tree, check_tree

__all__ = ["TreeLayout", "layout"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Positions of the nodes of a tree; every array has one entry per node of the tree.

    Attributes
    ----------
    x : float array
        Across, in slots: ``0 .. width - 1``. NaN where a node is hidden in a folded subtree.
    y : float array
        Up, in levels: 0 at the root, -1 at its children, ... NaN where hidden.
    folded : int array
        Number of leaves of the subtree folded at this node, 0 where none is.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.build_top_down(dt.functions.conjunction(2)).tree()
    >>> layout = dt.plot.layout(tree)
    >>> layout.x.tolist(), layout.y.tolist()
    ([0.75, 0.0, 1.5, 1.0, 2.0], [0.0, -1.0, -1.0, -2.0, -2.0])
    >>> layout.width, layout.height
    (3, 3)
    """

    x: Floats
    y: Floats
    folded: Ints

    @property
    def shown(self) -> Ints:
        """The nodes that are drawn, in preorder."""
        return np.flatnonzero(~np.isnan(self.x))

    @property
    def width(self) -> int:
        """Number of slots: drawn leaves and folded subtrees."""
        return (self.shown.size + 1) // 2

    @property
    def height(self) -> int:
        """Number of levels."""
        return 1 + int(-np.nanmin(self.y))


def layout(tree: Tree, max_leaves: int | None = None) -> TreeLayout:
    """Place the nodes of a tree; no recursion, so depth is no obstacle.

    With ``max_leaves`` (an integer >= 1) at most so many leaves and folded subtrees are drawn. The
    shallowest nodes are opened first, within a level those with the fewest leaves below, then the
    leftmost: the top of the tree survives, and what is folded is what is too large to draw.

    Raises
    ------
    ValueError
        If tree is no Tree, or max_leaves is not an integer >= 1.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.build_top_down(dt.functions.majority(5)).tree()
    >>> layout = dt.plot.layout(tree, max_leaves=4)
    >>> tree.n_leaves, layout.width, layout.folded[layout.shown].tolist()
    (20, 4, [0, 0, 4, 6, 0, 6, 4])
    """
    tree = check_tree(tree)
    below = tree.leaves_below
    opened = tree.variable >= 0
    most = tree.n_leaves if max_leaves is None else as_integer("max_leaves", max_leaves, 1)
    if most < tree.n_leaves:
        opened = _opened(tree, below, most)
    x = np.full(tree.n_nodes, np.nan)
    y = np.full(tree.n_nodes, np.nan)
    y[0] = 0
    for level in tree.levels[:-1]:
        inner = level[opened[level]]
        y[tree.low[inner]] = y[tree.high[inner]] = y[inner] - 1
    drawn = ~np.isnan(y)
    # Preorder meets the leaves from left to right.
    ends = np.flatnonzero(drawn & ~opened)
    x[ends] = np.arange(ends.size)
    for level in reversed(tree.levels):
        inner = level[opened[level]]
        x[inner] = (x[tree.low[inner]] + x[tree.high[inner]]) / 2
    folded = np.where(drawn & ~opened & (below > 1), below, 0)
    for array in (x, y, folded):
        array.flags.writeable = False
    return TreeLayout(x, y, folded)


def _opened(tree: Tree, below: Ints, max_leaves: int) -> npt.NDArray[np.bool_]:
    """Which nodes show their children when at most ``max_leaves`` slots are to be used."""
    opened = np.zeros(tree.n_nodes, dtype=np.bool_)
    queue = [(0, int(below[0]), 0)]
    for _ in range(max_leaves - 1):
        depth, _size, node = heapq.heappop(queue)
        opened[node] = True
        for child in (int(tree.low[node]), int(tree.high[node])):
            if tree.variable[child] >= 0:
                heapq.heappush(queue, (depth + 1, int(below[child]), child))
    return opened
