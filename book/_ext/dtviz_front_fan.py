"""Where the nodes of a tree stand when it is drawn as one that grows: a crown, or roots.

A node's distance from the middle is its depth, its direction that of its leaves. A branch is as
thick as it takes to carry the leaves above it (the square root of their number, as Leonardo saw
in real trees), so the drawing shows size without a number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import dtviz as dt

Point = tuple[float, float]

FLATTER = 0.85
"""A deep level is a little nearer to the one before than a shallow one: power of the depth."""


@dataclass(frozen=True)
class Twig:
    """A node as drawn, and the branch that leads to it.

    ``curve`` are the four points of a Bezier curve from the parent to the node; at the root of the
    tree it is the trunk, from the middle of the picture. ``label`` is that of a leaf, None inside.
    """

    node: int
    parent: int
    depth: int
    leaves: int
    label: int | None
    curve: tuple[Point, Point, Point, Point]

    @property
    def at(self) -> Point:
        """Where the node stands."""
        return self.curve[3]


def fan(tree: dt.Tree, radius: float, spread: float, trunk: float) -> list[Twig]:
    """Place the nodes of a tree around the origin, in preorder; the tree grows upward.

    Parameters
    ----------
    tree : Tree
        With labels 0 and 1.
    radius : float
        Distance of the deepest leaf from the root of the tree.
    spread : float
        Angle between the first leaf and the last, in degrees.
    trunk : float
        Distance of the root of the tree from the origin.

    """
    if tree.value is None:
        raise ValueError("tree must have labels at its leaves, got a bare tree")
    depth, parent, slot = _shape(tree)
    half = math.radians(spread) / 2
    angle = -half + 2 * half * slot / max(tree.n_leaves - 1, 1)
    away = radius * (depth / max(tree.depth, 1)) ** FLATTER

    def place(node: int, distance: float) -> Point:
        return (distance * math.sin(angle[node]), trunk + distance * math.cos(angle[node]))

    twigs = []
    for node in range(tree.n_nodes):
        up = int(parent[node])
        if up < 0:
            curve = ((0.0, 0.0), (0.0, trunk / 3), (0.0, 2 * trunk / 3), (0.0, trunk))
        else:
            middle = (away[up] + away[node]) / 2
            curve = (
                place(up, away[up]),
                place(up, middle),
                place(node, middle),
                place(node, away[node]),
            )
        label = int(tree.value[node]) if tree.variable[node] < 0 else None
        leaves = int(tree.leaves_below[node])
        twigs.append(Twig(node, up, int(depth[node]), leaves, label, curve))
    return twigs


def _shape(tree: dt.Tree) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Depth, parent and place among the leaves of each node: inner ones stand in the middle."""
    depth = np.zeros(tree.n_nodes, dtype=int)
    parent = np.full(tree.n_nodes, -1)
    slot = np.zeros(tree.n_nodes)
    inner = np.flatnonzero(tree.variable >= 0)
    for node in inner:  # preorder: a parent before its children
        for child in (tree.low[node], tree.high[node]):
            depth[child], parent[child] = depth[node] + 1, node
    slot[tree.variable < 0] = np.arange(tree.n_leaves)
    for node in inner[::-1]:
        slot[node] = (slot[tree.low[node]] + slot[tree.high[node]]) / 2
    return depth, parent, slot
