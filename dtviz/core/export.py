"""One walk over the nodes of a tree, and what is written from it: text, Graphviz DOT, JSON.

The walk says what each node is and what it says. Who draws or writes only lays it out: a drawing
(`dtviz.plot.tree`) takes the walk in a `Notation` of its own, and the explorers are sent the
columns, which have the order of the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.names import Names, decimal, in_line

if TYPE_CHECKING:
    from dtviz.core.tree import Tree

__all__ = [
    "MAX_TEXT",
    "Node",
    "Notation",
    "to_columns",
    "to_dot",
    "to_text",
    "walk",
    "without_point",
]

MAX_TEXT = 20_000_000
"""The most characters of a text: a chain of 20,000 tests would take a thousand million."""


class Node(NamedTuple):
    """A node on the walk: where it stands, what it says, and what the branch to it says.

    ``is_leaf`` tells that nothing comes below; ``folded`` is then the number of leaves that the
    walk passed over, 0 at a true leaf. ``is_high`` tells that it is the high child of ``parent``,
    which is -1 at the root.
    """

    number: int
    parent: int
    depth: int
    branch: str
    text: str
    is_leaf: bool
    is_high: bool
    folded: int = 0


def _in_full(value: Any) -> str:
    text = str(value)
    # a mean has sixteen digits, a label that is a number has few
    return decimal(float(value), 6) if len(text) > 8 else text


def without_point(label: Any) -> Any:
    """A class, as text if it is a whole number in a column of floats: 3, not 3.0 or 3.00."""
    return decimal(float(label), 6) if isinstance(label, (float, np.floating)) else label


@dataclass(frozen=True)
class Notation:
    """How the words of a node are written.

    Attributes
    ----------
    at_most, digits
        The sign between a feature and its threshold; the least digits of one that is rounded.
    nameless, folded
        What stands for a feature without a name, given its number, and for a subtree passed over,
        given its leaves.
    number : callable
        The text of a label that is a real number to predict; classes are called the same by all.
    """

    at_most: str = "<="
    digits: int = 6
    nameless: str = "x{}"
    folded: str = "... {} leaves"
    number: Callable[[Any], str] = _in_full

    def label(self, label: Any, *, is_regression: bool) -> str:
        """The text of a label: a number to predict, or a class."""
        return self.number(label) if is_regression else in_line(str(without_point(label)))


TEXT = Notation()


def walk(
    tree: Tree,
    names: Names,
    closed: npt.NDArray[np.bool_] | None = None,
    notation: Notation = TEXT,
) -> Iterator[Node]:
    """Yield the nodes in preorder; a subtree at a node that is ``closed`` is passed over, counted.

    Parameters
    ----------
    tree : Tree
    names : Names
        What the features are called.
    closed : (n_nodes,) bool array, optional
        Where not to go further; of no effect at leaves.
    notation : Notation
        How the words are written.
    """
    branches = {0: (-1, "", False)}
    digits = _telling(tree, notation.digits)
    number = 0
    while number < tree.n_nodes:
        parent, branch, is_high = branches.pop(number)
        depth = int(tree.node_depth[number])
        step, folded, is_leaf = 1, 0, True
        if tree.variable[number] < 0:
            text = "?"
            if tree.value is not None:
                text = notation.label(tree.value[number], is_regression=tree.is_regression)
        elif closed is not None and closed[number]:
            folded = int(tree.leaves_below[number])
            text, step = notation.folded.format(folded), 2 * folded - 1
        else:
            i = int(tree.variable[number])
            low, high = tree.branches(number)
            branches[int(tree.low[number])] = number, low, False
            branches[int(tree.high[number])] = number, high, True
            name = notation.nameless.format(i)
            if names.features is not None:
                name = in_line(names.feature(i))
            telling = digits.get(i, notation.digits)
            text = name + tree.condition(number, names, notation.at_most, telling)
            is_leaf = False
        yield Node(number, parent, depth, branch, text, is_leaf, is_high, folded)
        number += step


def _telling(tree: Tree, least: int) -> dict[int, int]:
    """By feature, so many digits that no two of its thresholds read alike, if ``least`` are few."""
    inner = np.flatnonzero(np.isfinite(tree.threshold) & (tree.variable >= 0))
    order = inner[np.lexsort((tree.threshold[inner], tree.variable[inner]))]
    tested = zip(tree.variable[order].tolist(), tree.threshold[order].tolist(), strict=True)
    needed: dict[int, int] = {}
    for (i, below), (j, above) in pairwise(tested):
        if i == j and below < above:
            digits = needed.get(i, least)
            while decimal(below, digits) == decimal(above, digits):
                digits += 1
            if digits > least:
                needed[i] = digits
    return needed


def to_text(tree: Tree, names: Names, max_depth: int | None = None) -> str:
    """An indented drawing, one node a line.

    Raises
    ------
    ValueError
        If it would have more than ``MAX_TEXT`` characters: each line is indented by its depth.
    """
    lines: list[str] = []
    indent = [""]
    length = -1  # no line break after the last
    for node in walk(tree, names, None if max_depth is None else tree.node_depth >= max_depth):
        before, line = "", node.text
        if node.depth > 0:
            del indent[node.depth :]
            before = indent[node.depth - 1]
            line = f"{before}{'└─' if node.is_high else '├─'} {node.branch}: {node.text}"
            indent.append(before + ("   " if node.is_high else "│  "))
        lines.append(line)
        length += len(line) + 1
        if length > MAX_TEXT:
            msg = (
                f"max_depth must leave a text of at most {MAX_TEXT:,} characters, for this tree of "
                f"depth {tree.depth} as in to_text(max_depth=10), got {max_depth}"
            )
            raise ValueError(msg)
    return "\n".join(lines)


def to_dot(tree: Tree, names: Names) -> str:
    """A Graphviz digraph: as long as the tree is large, however deep."""
    nodes, edges = [], []
    for node in walk(tree, names):
        shape = "box" if node.is_leaf else "ellipse"
        nodes.append(f'  {node.number} [label="{_quoted(node.text)}", shape={shape}];')
        if node.parent >= 0:
            edges.append(f'  {node.parent} -> {node.number} [label="{_quoted(node.branch)}"];')
    return "\n".join(["digraph tree {", "  node [fontname=Helvetica];", *nodes, *edges, "}"])


def to_columns(tree: Tree) -> dict[str, list[Any]]:
    """What the nodes are, in the order of the walk, as lists fit for JSON; no values if bare."""
    columns = {"variable": tree.variable.tolist(), "threshold": tree.threshold.tolist()}
    return columns if tree.value is None else columns | {"value": tree.value.tolist()}


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
