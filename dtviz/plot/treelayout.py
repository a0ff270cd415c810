"""Where the nodes of a drawn tree stand, and how much room they need: numbers only.

The unit across is one leaf slot, the unit down is one level. Leaves stand at 0, 1, 2, ... from left
to right and a parent stands halfway between its children, so nodes of one level are at least one
slot apart. A tree too large to read has its deep subtrees folded: each takes one slot, like a leaf.
The size of a text is asked of the caller.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, FrozenArrays, Ints
from dtviz.core.tree.export import Node, walk
from dtviz.core.tree.tree import Tree
from dtviz.plot.nodes import PICTURE, Words

# All lengths are in points, at scale 1.
SMALL = 0.9  # the type beside nodes, as a share of that in them
PAD, GAP = 3.2, 4.0
ASIDE = 1.5
THICKEST = 10.0  # an edge that all examples take
TRIANGLE = 15.0
LEAST_SLOT, WIDE_SLOT = 24.0, 90.0
LEAST_LEVEL, HIGH_LEVEL = 34.0, 80.0
WIDEST = 720.0
SMALLEST_SCALE = 0.65

HINTING = 1.05
"""Type does not scale exactly: fitted to pixels, small letters are up to this much larger."""


@dataclass(frozen=True, eq=False)
class TreeLayout(FrozenArrays):
    """Positions of the nodes of a tree; every array has one entry per node of the tree.

    ``x`` is across, in slots, and ``y`` up, in levels: 0 at the root, -1 at its children, ...; both
    are NaN where a node is hidden in a folded subtree. ``folded`` is the number of leaves of the
    subtree folded at a node, 0 where none is.
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


def place_nodes(tree: Tree, max_leaves: int) -> TreeLayout:
    """Place the nodes of a tree; no recursion, so depth is no obstacle.

    At most ``max_leaves >= 1`` leaves and folded subtrees are drawn. The shallowest nodes are
    opened first, within a level those with the fewest leaves below, then the leftmost: the top of
    the tree survives, and what is folded is what is too large to draw.
    """
    below = tree.leaves_below
    opened = tree.variable >= 0
    if max_leaves < tree.n_leaves:
        opened = _open_nodes(tree, below, max_leaves)
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
    return TreeLayout(x, y, folded)


def _open_nodes(tree: Tree, below: Ints, max_leaves: int) -> npt.NDArray[np.bool_]:
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


class Measures(NamedTuple):
    """One drawing in points: scale of the type, slot, level, place of the root level, the whole."""

    scale: float
    slot: float
    level: float
    left: float
    top: float
    width: float
    height: float


class Extent(NamedTuple):
    """How far a node with all that is written at it reaches from its center."""

    side: float
    up: float
    down: float


class Room:
    """The needs of a layout filled with words; ``size(text, type, is_formula=...)`` of a text.

    ``type`` is the size of that in the nodes, ``small`` of that beside them.

    ``nodes`` are those of the walk that the layout shows, by number; ``children`` those of each
    internal node, low and high.
    """

    def __init__(
        self,
        tree: Tree,
        layout: TreeLayout,
        words: Words,
        size: Callable[..., tuple[float, float]],
        type: float,  # noqa: A002 -- as printers call it
    ) -> None:
        self.layout, self.words = layout, words
        self.type, self.small = type, SMALL * type
        self._text_size = cache(size)
        walked = walk(tree, words.names, layout.folded > 0, PICTURE)
        self.nodes = {v.number: words.fit(v) for v in walked}
        self.children: dict[int, list[Node]] = {
            v.number: [] for v in self.nodes.values() if not v.is_leaf
        }
        for v in self.nodes.values():
            if v.parent >= 0:
                self.children[v.parent].append(v)
        self.extents = {number: self._extent(v) for number, v in self.nodes.items()}

    def size(self, text: str, points: float, *, is_formula: bool = False) -> tuple[float, float]:
        """Width and height to allow for a text at scale 1."""
        wide, high = self._text_size(text, points, is_formula=is_formula)
        return HINTING * wide, HINTING * high

    def box(self, node: Node) -> tuple[float, float]:
        """Width and height of the text in the box of a node at scale 1."""
        return self.size(node.text, self.type, is_formula=self.words.look(node).is_math)

    def thickness(self, node: Node) -> float:
        """Of the edge to a node: its share of the data, if there are some, but always seen."""
        rows = self.words.rows
        share = 0.0 if rows is None else rows.number[node.number] / max(1, rows.number[0])
        return max(1.0, THICKEST * share)

    def answer(self, node: Node) -> tuple[float, float]:
        """How far the answer beside the edge to a node reaches from the middle of the edge."""
        aside = self.thickness(node) / 2 + ASIDE
        wide, high = self.size(node.branch, self.small)
        return wide + aside, high + aside

    def along(self, level: float) -> float:
        """How far down each edge its answer ends, as a share: between both nodes there is room."""
        up, below, answer = self._between()
        return (below + (level - up - below + answer) / 2) / level

    def free(self) -> Measures:
        """The measures of a picture as large as it needs to be, with smaller type if it is wide."""
        slot, level = self._least_slot(), self._least_level()
        slots, levels = self.layout.width, self.layout.height - 1
        slot = max(slot, LEAST_SLOT)
        level = max(level, LEAST_LEVEL, min(HIGH_LEVEL, 0.08 * slot * slots))
        scale = min(1.0, max(SMALLEST_SCALE, WIDEST / (slot * slots)))
        top, bottom = self._margins()
        slot, level, top, bottom = (scale * need for need in (slot, level, top, bottom))
        whole = slot * slots, top + level * levels + bottom
        return Measures(scale, slot, level, slot / 2, top, *whole)

    def within(self, width: float, height: float) -> Measures:
        """The measures of a picture that fills the given room, as far as that looks like a tree."""
        slot, level = self._least_slot(), self._least_level()
        slots, levels = self.layout.width, self.layout.height - 1
        top, bottom = self._margins()
        scale = min(1.0, width / (slot * slots), height / (top + level * levels + bottom))
        slot = min(max(WIDE_SLOT, scale * slot), width / slots)
        top, bottom = scale * top, scale * bottom
        spare = height - top - bottom
        level = min(max(HIGH_LEVEL, scale * level), spare / levels) if levels else 0.0
        left = (width - slot * (slots - 1)) / 2
        return Measures(scale, slot, level, left, top + (spare - level * levels) / 2, width, height)

    def _extent(self, node: Node) -> Extent:
        if node.folded:
            wide, high = self.size(node.text, self.small)
            return Extent(max(wide, TRIANGLE) / 2, TRIANGLE / 2, TRIANGLE / 2 + high + 2)
        wide, high = self.box(node)
        side, half = wide / 2 + PAD, high / 2 + PAD
        note = self.words.note(node)
        wide, high = self.size(note, self.small, is_formula=self.words.is_formula(note))
        if not node.is_leaf:
            return Extent(side + wide + PAD * (wide > 0), max(half, high + 1), half)
        return Extent(max(side, wide / 2), half, half + high + (high > 0))

    def _least_slot(self) -> float:
        """The narrowest slot at which nothing overlaps and nothing leaves the picture."""
        x, last = self.layout.x, self.layout.width - 1
        side = {v: extent.side for v, extent in self.extents.items()}
        slot = max(side[v] / (min(x[v], last - x[v]) + 0.5) for v in self.nodes)
        along = self.along(self._least_level())

        def below(v: int, child: int) -> tuple[float, float]:
            """Where a leaf, or the answer below a node, ends: in slots, and in points beyond."""
            if v not in self.children:
                return x[v], side[v]
            to = self.children[v][child]
            return x[v] + along * (x[to.number] - x[v]), self.answer(to)[0]

        rows: list[list[int]] = [[] for _ in range(self.layout.height)]
        ends = []
        for v, node in self.nodes.items():
            rows[node.depth].append(v)
            if node.is_leaf:
                ends.append(v)
        for row in (ends, *rows):
            for a, b in pairwise(row):
                slot = max(slot, (side[a] + side[b] + GAP) / (x[b] - x[a]))
                (right, more), (left, less) = below(a, 1), below(b, 0)
                slot = max(slot, (more + less + GAP) / (left - right))
        for v in self.children:
            (left, less), (right, more) = below(v, 0), below(v, 1)
            slot = max(slot, less / (left + 0.5), more / (last + 0.5 - right))
        return float(slot)

    def _least_level(self) -> float:
        """The least distance of levels at which answers keep clear of both ends of the edge."""
        up, below, answer = self._between()
        down = max(extent.down for extent in self.extents.values())
        return up + max(below + answer, down) + GAP

    def _between(self) -> tuple[float, float, float]:
        """How far nodes reach up, those with edges down, and answers up from their edges."""
        up = max(extent.up for extent in self.extents.values())
        below = max((self.extents[v].down for v in self.children), default=0.0)
        children = (child for pair in self.children.values() for child in pair)
        return up, below, max((self.answer(child)[1] for child in children), default=0.0)

    def _margins(self) -> tuple[float, float]:
        """What the root needs above its center and the lowest level below its own."""
        lowest = 1 - self.layout.height
        bottom = max(self.extents[v].down for v in self.nodes if self.layout.y[v] == lowest)
        return self.extents[0].up, bottom
