"""One walk over the nodes of a tree, and what is written from it: indented text, Graphviz DOT.

A drawing (`dtviz.plot.tree`) takes its words from the same place, `Names`, and its shape from the
same preorder; the explorers are sent that preorder as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dtviz.core.names import Names

if TYPE_CHECKING:
    from dtviz.core.tree import Tree

__all__ = ["Node", "to_dot", "to_text", "walk"]


class Node(NamedTuple):
    """A node on the walk: where it stands, what it says, and what the branch to it says."""

    number: int
    parent: int
    depth: int
    branch: str
    text: str
    is_leaf: bool
    is_high: bool


def walk(tree: Tree, names: Names, max_depth: int | None = None) -> Iterator[Node]:
    """Yield the nodes in preorder; at ``max_depth`` a subtree is a leaf that counts its leaves."""
    branches = {0: (-1, "", False)}
    skip_to = 0
    for number in range(tree.n_nodes):
        if number < skip_to:
            continue
        parent, branch, is_high = branches.pop(number)
        depth = int(tree.node_depth[number])
        inner = bool(tree.variable[number] >= 0)
        if inner and depth == max_depth:
            leaves = int(tree.leaves_below[number])
            skip_to = number + 2 * leaves - 1
            yield Node(
                number, parent, depth, branch, f"... {leaves} leaves", is_leaf=True, is_high=is_high
            )
            continue
        if inner:
            low, high = tree.branches(number)
            branches[int(tree.low[number])] = number, low, False
            branches[int(tree.high[number])] = number, high, True
        text = _test(tree, number, names) if inner else _label(tree, number)
        yield Node(number, parent, depth, branch, text, not inner, is_high)


def to_text(tree: Tree, names: Names, max_depth: int | None = None) -> str:
    """An indented drawing, one node a line."""
    lines: list[str] = []
    indent = [""]
    for node in walk(tree, names, max_depth):
        if node.depth == 0:
            lines.append(node.text)
            continue
        del indent[node.depth :]
        before = indent[node.depth - 1]
        lines.append(f"{before}{'└─' if node.is_high else '├─'} {node.branch}: {node.text}")
        indent.append(before + ("   " if node.is_high else "│  "))
    return "\n".join(lines)


def to_dot(tree: Tree, names: Names) -> str:
    """A Graphviz digraph."""
    nodes, edges = [], []
    for node in walk(tree, names):
        shape = "box" if node.is_leaf else "ellipse"
        nodes.append(f'  {node.number} [label="{_quoted(node.text)}", shape={shape}];')
        if node.parent >= 0:
            edges.append(f'  {node.parent} -> {node.number} [label="{_quoted(node.branch)}"];')
    return "\n".join(["digraph tree {", "  node [fontname=Helvetica];", *nodes, *edges, "}"])


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _test(tree: Tree, node: int, names: Names) -> str:
    i, threshold = int(tree.variable[node]), float(tree.threshold[node])
    return names.feature(i) + names.condition(i, threshold)


def _label(tree: Tree, node: int) -> str:
    if tree.value is None:
        return "?"
    value = tree.value[node]
    text = str(value)
    # a mean has sixteen digits, a label that is a number has few
    return f"{value:.6g}" if isinstance(value, np.floating) and len(text) > 8 else text
