"""Trees as lists of nodes in preorder: a node, then its low subtree, then its high subtree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_repr

Ints = npt.NDArray[np.intp]


def low_and_high(variable: Ints) -> tuple[Ints, Ints]:
    """The children of every node of a preorder list; an error if the list is not one tree."""
    inner = variable >= 0
    # How many subtrees are still to come before each node, and after the last.
    due = np.cumsum(np.concatenate([[1], np.where(inner, 1, -1)]))
    if due[-1] != 0 or (due[:-1] <= 0).any():
        msg = f"variable must list one binary tree in preorder, got {as_repr(variable.tolist())}"
        raise ValueError(msg)
    due = due[:-1]
    low = np.where(inner, np.arange(1, variable.size + 1), -1)
    # The high child comes when the low subtree is done: as many are due as before the parent.
    order = np.argsort(due, kind="stable")
    high = np.full(variable.size, -1, dtype=np.intp)
    high[order[:-1]] = order[1:]
    high[~inner] = -1
    return low, high


def preorder(inner: Sequence[npt.NDArray[np.bool_]]) -> Ints:
    """Where the nodes of a tree in preorder stand in a list of its levels, each left to right.

    ``inner[d]`` says which nodes at depth d have children.
    """
    sizes = [level.size for level in inner]
    start = np.cumsum([0, *sizes])
    nodes = [start[d] + np.flatnonzero(level) for d, level in enumerate(inner)]
    lows = [start[d + 1] + 2 * np.arange(parents.size) for d, parents in enumerate(nodes)]
    below = np.ones(start[-1], dtype=np.intp)
    for parents, low in zip(reversed(nodes), reversed(lows), strict=True):
        below[parents] += below[low] + below[low + 1]
    place = np.zeros(start[-1], dtype=np.intp)
    for parents, low in zip(nodes, lows, strict=True):
        place[low] = place[parents] + 1
        place[low + 1] = place[low] + below[low]
    order = np.empty_like(place)
    order[place] = np.arange(place.size)
    return order
