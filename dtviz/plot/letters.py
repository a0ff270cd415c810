"""A drawn tree whose leaves, or splits, carry letters: what a question can ask about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from dtviz.core.checks import as_integer, as_one_of
from dtviz.core.names import in_line
from dtviz.core.tree.bridges import as_tree
from dtviz.core.tree.export import Node
from dtviz.core.tree.tree import Tree
from dtviz.plot.canvas import FORMULA
from dtviz.plot.nodes import Words
from dtviz.plot.treelayout import PAD, SMALL, Measures, Room, place_nodes

NODE_TYPE = 10.0
SMALL_TYPE = SMALL * NODE_TYPE
SCALE = 1.6
"""Pixels a point: a letter is large enough for a finger."""
RADIUS = 10.0
LINE = 1.2 * NODE_TYPE
WIDTHS = 0.6
"""The width of a character, as a share of the size of type; a browser chooses the type."""


@dataclass(frozen=True, eq=False, repr=False)
class LetteredTree:
    """A picture of a tree, some of whose nodes carry letters; Jupyter shows it as SVG.

    Attributes
    ----------
    tree : Tree
    letters : mapping from int to str
        The letter of each node that has one, from left to right.
    room : Room
        The layout of the tree.

    Examples
    --------
    >>> import dtviz as dt
    >>> drawn = dt.plot.lettered(dt.build_top_down(dt.functions.conjunction(2)).tree())
    >>> dict(drawn.letters)
    {1: 'A', 3: 'B', 4: 'C'}
    >>> drawn
    <LetteredTree: A, B, C>
    """

    tree: Tree
    letters: Mapping[int, str]
    room: Room

    def letter(self, node: int) -> str:
        """Return the letter of a node.

        Examples
        --------
        >>> import dtviz as dt
        >>> tree = dt.build_top_down(dt.functions.conjunction(2)).tree()
        >>> dt.plot.lettered(tree).letter(3)
        'B'
        """
        node = as_integer("node", node, 0, self.tree.n_nodes - 1)
        if node not in self.letters:
            msg = f"node must be one of {list(self.letters)}, which carry letters, got {node}"
            raise ValueError(msg)
        return self.letters[node]

    def __repr__(self) -> str:
        return f"<LetteredTree: {', '.join(self.letters.values())}>"

    def _repr_html_(self) -> str:
        measures = self._measures
        wide, high = SCALE * measures.width, SCALE * (measures.height + 2)
        parts = [*self._edges(), *(self._node(node) for node in self.room.nodes.values())]
        last = list(self.letters.values())[-1]
        label = f"A drawn tree of {self.tree.n_leaves} leaves, with letters from A to {last}."
        return (
            '<div class="dtviz-lettered" style="overflow-x: auto" tabindex="0">'
            f'<svg role="img" aria-label="{label}" width="{wide:.0f}" height="{high:.0f}" '
            f'viewBox="0 -1 {measures.width:.1f} {measures.height + 2:.1f}" '
            'style="display: block; margin: 0 auto" font-family="inherit" fill="currentColor" '
            f'text-anchor="middle">{"".join(parts)}</svg></div>'
        )

    @cached_property
    def _measures(self) -> Measures:
        """The picture is as wide as it needs to be, and scrolls where that is too much."""
        free = self.room.free()
        return Measures(1.0, *(length / free.scale for length in free[1:]))

    def _place(self, node: int) -> tuple[float, float]:
        measures, places = self._measures, self.room.layout
        x = measures.left + measures.slot * places.x[node]
        return float(x), float(measures.top - measures.level * places.y[node])

    def _edges(self) -> list[str]:
        parts = []
        for node, pair in self.room.children.items():
            x, y = self._place(node)
            for child in pair:
                to_x, to_y = self._place(child.number)
                parts.append(
                    f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="currentColor" '
                    'stroke-opacity="0.5"/>'
                )
                # Beside the edge, on its outer side.
                side = "start" if child.is_high else "end"
                shift = 3 if child.is_high else -3
                at = (x + to_x) / 2 + shift, (y + to_y) / 2
                parts.append(_text(child.branch, *at, SMALL_TYPE, f'text-anchor="{side}"'))
        return parts

    def _node(self, node: Node) -> str:
        x, y = self._place(node.number)
        letter = self.letters.get(node.number)
        words = _plain(node.text) if self.room.words.look(node).is_math else node.text
        if node.is_leaf and (letter or len(words) <= 2):
            frame = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"'
            words = letter or words
        else:
            words = f"{letter}: {words}" if letter else words
            half, up = _size(words, NODE_TYPE)[0] / 2 + PAD, _box_height(words) / 2
            frame = (
                f'<rect x="{x - half:.1f}" y="{y - up:.1f}" rx="4" '
                f'width="{2 * half:.1f}" height="{2 * up:.1f}"'
            )
        frame += ' fill="Canvas" stroke="currentColor"/>'
        bold = ' font-weight="bold"' if letter else ""
        text = _text(words, x, y - LINE * words.count("\n") / 2, NODE_TYPE, bold)
        note = self.room.words.note(node)
        if node.is_leaf and note:
            text += _text(note, x, y + RADIUS + 0.9 * SMALL_TYPE, SMALL_TYPE)
        named = f' data-node="{letter}"' if letter else ""
        return f"<g{named}>{frame}{text}</g>"


def lettered(tree: Any, *, among: str = "leaves") -> LetteredTree:
    """Draw a tree with letters at its leaves, or at its splits, to ask about one of them.

    ``tree`` is one, or a result with ``tree()``, of at most 26 leaves (or splits). Leaves with
    letters have their labels under them.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.build_top_down(dt.functions.majority(3))
    >>> drawn = dt.plot.lettered(path.tree(3))
    >>> list(drawn.letters.values())
    ['A', 'B', 'C']
    """
    tree = as_tree("tree", tree)
    as_one_of("among", among, ("leaves", "splits"))
    is_chosen = tree.variable < 0 if among == "leaves" else tree.variable >= 0
    count = int(is_chosen.sum())
    if not 1 <= count <= len(ascii_uppercase):
        msg = f"tree must have 1 to {len(ascii_uppercase)} {among}, got {count}"
        raise ValueError(msg)
    places = place_nodes(tree, tree.n_leaves)
    chosen = sorted(map(int, is_chosen.nonzero()[0]), key=lambda node: (places.x[node], node))
    letters = dict(zip(chosen, ascii_uppercase, strict=False))
    labels: list[str] | None = None
    if among == "leaves" and tree.value is not None:
        labels = [in_line(str(label)) for label in tree.value[tree.leaves].tolist()]
    words = Words(tree, None, None, labels)
    extra = 0 if among == "leaves" else len("A: ")

    def size(text: str, size_of_type: float, *, is_formula: bool = False) -> tuple[float, float]:
        wide, high = _size(_plain(text) if is_formula else text, size_of_type)
        if size_of_type < NODE_TYPE:
            return wide, high
        least = 2 * RADIUS - 2 * PAD
        return max(wide + extra * WIDTHS * size_of_type, least), _box_height(text) - 2 * PAD

    return LetteredTree(tree, MappingProxyType(letters), Room(tree, places, words, size, NODE_TYPE))


def _plain(text: str) -> str:
    """Text without the marks of formulas: a letter with its number below the line."""
    digits = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    return FORMULA.sub(lambda found: found[1] + (found[2] or found[3]).translate(digits), text)


def _box_height(text: str) -> float:
    return 2 * RADIUS + LINE * text.count("\n")


def _size(text: str, size_of_type: float) -> tuple[float, float]:
    lines = text.split("\n")
    return WIDTHS * size_of_type * max(map(len, lines)), 1.2 * size_of_type * len(lines)


def _text(text: str, x: float, y: float, size_of_type: float, more: str = "") -> str:
    """A text, the middle of whose first line is at (x, y)."""
    return "".join(
        f'<text x="{x:.1f}" y="{y + 1.2 * size_of_type * k:.1f}" font-size="{size_of_type}" '
        f'dominant-baseline="central" stroke="none" {more}>{escape(line)}</text>'
        for k, line in enumerate(text.split("\n"))
    )
