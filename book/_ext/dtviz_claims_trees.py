"""The trees that the record of the claims names in brackets, drawn in the line of text."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

START = re.compile(r"\b(x\d+)\[")
COUNTS = re.compile(r" with counts (\d+/\d+(?:, \d+/\d+)*)")

# Pixels: a circle, the dot of a leaf, a level, and the letters below the leaves.
RADIUS, DOT, LEVEL, LETTER = 8.5, 2.5, 22, 6.5


@dataclass
class Node:
    """The variable of a node, or the counts of a leaf; ``x`` is measured in leaves."""

    text: str
    x: float
    depth: int
    branches: tuple[Node, ...] = ()

    def at(self, step: float) -> complex:
        """Where it stands if leaves are a step apart: across, and down as the imaginary part."""
        return complex((self.x + 0.5) * step, RADIUS + 1 + LEVEL * self.depth)


def draw_trees(text: str) -> str:
    """Text as HTML, each tree in it drawn, with the counts of labels 0 and 1 below its leaves.

    A tree reads ``x0[., x1[., .]]``, low branch first; ``with counts 1/1, 0/2, 3/0`` may follow.
    """
    shown, done = "", 0
    while found := START.search(text, done):
        leaves: list[Node] = []
        root, end = _read(text, found.start(), leaves)
        if counted := COUNTS.match(text, end):
            counts, end = counted[1].split(", "), counted.end()
            if len(counts) != len(leaves):
                raise ValueError(f"text must count each of its {len(leaves)} leaves, got {text!r}")
            for leaf, count in zip(leaves, counts, strict=True):
                leaf.text = count
        shown += html.escape(text[done : found.start()]) + _svg(root, leaves)
        done = end
    return shown + html.escape(text[done:])


def _read(text: str, at: int, leaves: list[Node], depth: int = 0) -> tuple[Node, int]:
    """Return the node that starts at a place of a text, and where it ends; collect the leaves."""
    if text.startswith(".", at):
        leaves.append(Node("", len(leaves), depth))
        return leaves[-1], at + 1
    if inner := START.match(text, at):
        low, end = _read(text, inner.end(), leaves, depth + 1)
        if text.startswith(", ", end):
            high, end = _read(text, end + 2, leaves, depth + 1)
            if text.startswith("]", end):
                return Node(inner[1], (low.x + high.x) / 2, depth, (low, high)), end + 1
    raise ValueError(f"text must name a tree as in x0[., x1[., .]], got {text!r}")


def _words(node: Node) -> str:
    """What a tree says to those who do not see it."""
    if not node.branches:
        return f"leaf {node.text}".strip()
    low, high = map(_words, node.branches)
    return f"{node.text} (low: {low}; high: {high})"


def _svg(root: Node, leaves: list[Node]) -> str:
    """Draw a tree whose root stands in the line of the words around it."""
    letters = max(len(leaf.text) for leaf in leaves)
    step = max(2 * RADIUS + 2, LETTER * (letters + 1))
    low_and_high, signs, nodes = ["", ""], "", [root]
    for node in nodes:
        nodes += node.branches
        here = node.at(step)
        for k, branch in enumerate(node.branches):
            way = branch.at(step) - here
            start = here + way * RADIUS / abs(way)
            end = here + way * (1 - (RADIUS if branch.branches else DOT) / abs(way))
            low_and_high[k] += f"M{_point(start)}L{_point(end)}"
        kind, radius, below = ("", RADIUS, 4) if node.branches else (' class="leaf"', DOT, 14)
        signs += f'<circle{kind} cx="{here.real:g}" cy="{here.imag:g}" r="{radius}"/>'
        if node.text:
            signs += f'<text x="{here.real:g}" y="{here.imag + below:g}">{node.text}</text>'
    width = step * len(leaves)
    height = max(leaf.depth for leaf in leaves) * LEVEL + RADIUS + (20 if letters else DOT + 5)
    counts = " with counts of labels 0/1" if letters else ""
    low, high = low_and_high
    return (
        f'<span class="dtviz-claim-tree" style="vertical-align: {RADIUS + 5 - height:g}px">'
        f'<svg role="img" aria-label="A tree{counts}: {_words(root)}." '
        f'width="{width:g}" height="{height:g}">'
        f'<path class="low" d="{low}"/><path d="{high}"/>{signs}</svg></span>'
    )


def _point(at: complex) -> str:
    return f"{at.real:.1f} {at.imag:.1f}"
