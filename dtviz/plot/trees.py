"""Decision trees as pictures: the drawing of a `TreeLayout`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform

from dtviz.core.bases import HasPicture
from dtviz.core.checks import as_integer, as_repr
from dtviz.core.hints import with_hints
from dtviz.core.tree.bridges import as_tree
from dtviz.core.tree.export import Node
from dtviz.plot.canvas import (
    axes_size,
    check_axes,
    fit_figure,
    new_axes,
    shades,
    text_options,
    text_size,
    type_size,
)
from dtviz.plot.nodes import Words, count_rows
from dtviz.plot.treelayout import (
    ASIDE,
    PAD,
    SMALLEST_SCALE,
    TRIANGLE,
    Measures,
    Room,
    TreeLayout,
    place_nodes,
)

_WEDGE = Path([(-0.45, -0.5), (0.45, -0.5), (0, 0.5), (-0.45, -0.5)], closed=True)


@dataclass(frozen=True, eq=False, repr=False)
class TreeDrawing(HasPicture):
    """The artists of a drawn tree, by node where a node has its own.

    ``nodes`` holds the text of each drawn node, in its box; for a folded subtree, the count under
    its triangle, one of ``triangles``. ``notes`` are the small texts beside nodes, ``branches`` the
    texts on the edges. ``figure`` is what all are drawn on.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> drawing = dt.plot.tree(dt.build_top_down(dt.functions.conjunction(2)).tree(), ax=ax)
    >>> [text.get_text() for text in drawing.nodes.values()]
    ['$x_{0}$', '0', '$x_{1}$', '0', '1']
    """

    ax: Axes
    layout: TreeLayout
    nodes: dict[int, Text]
    notes: dict[int, Text]
    triangles: dict[int, Line2D]
    branches: list[Text]
    edges: LineCollection

    @property
    def figure(self) -> Figure:
        """The figure that it is drawn on, to be saved or resized."""
        figure = self.ax.get_figure(root=True)
        assert figure is not None  # noqa: S101 -- axes that are drawn on have one
        return figure

    def __repr__(self) -> str:
        folded = f", {len(self.triangles)} folded" if self.triangles else ""
        return f"<TreeDrawing: {len(self.nodes)} nodes{folded}>"


@with_hints
def tree(  # noqa: PLR0913 - all but the tree are by keyword
    tree: Any,
    X: Any = None,
    y: Any = None,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    max_leaves: int = 32,
    node_color: str | None = None,
    leaf_text: Sequence[Any] | Callable[[int], str] | None = None,
    highlight: Iterable[int] = (),
) -> TreeDrawing:
    """Draw a decision tree.

    Leaves labeled 0 are hollow and blue, leaves labeled 1 are filled and vermillion; other labels
    stand in tinted boxes, the leaves of a bare tree say ``?``. Edges say 0 and 1, or yes and no;
    with data they are as thick as the share of the rows that takes them.

    Parameters
    ----------
    tree : Tree, or what has one
        A tree of any size; a path, a pruning, or another result with ``tree()``, of which it is the
        largest tree; a fitted estimator, ours or a decision tree of scikit-learn's.
    X : (m, d) array or data frame, optional
        Rows to send down the tree, those it was grown on or others: under each leaf stands how many
        reach it.
    y : (m,) array-like, optional
        Their labels: under each leaf stands how many of its rows have the class that it gives.
    ax : Axes, optional
        The tree fills it, placed in axes fractions: limits and contents stay as they are, and the
        frame is switched off only if it holds no data. None makes a figure of the size the tree
        needs.
    names : sequence of str, optional
        Names of the variables, instead of the tree's own or ``$x_0$, $x_1$, ...``. A letter with an
        index in dollars, such as ``$y_1$``, is set as a formula, and every other text as it stands.
        Of a long name the middle is left out; `Tree.to_text` has it.
    class_names : sequence of str, optional
        What the leaves say in place of the classes, in the order of these, such as "died" for 0 and
        "survived" for 1.
    max_leaves : int, at least 1
        Of a larger tree, deep subtrees are folded into triangles that count their leaves: the last
        levels first, and of one level the largest. Where ``ax`` is small more are folded, so that
        the type stays legible.
    node_color : "rank" or "depth", optional
        Shade the internal nodes by it, and write the number beside each.
    leaf_text : sequence of one text per leaf, left to right, or function of the node, optional
        Small text under the leaves, in place of that on the data; floats are shown to three digits.
    highlight : node indices
        These nodes and the edges between them are drawn bold.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> data = dt.datasets.titanic()
    >>> stump = dt.grow(data.X, data.y, max_leaves=2, feature_names=data.feature_names)
    >>> drawing = dt.plot.tree(stump, data.X, data.y, class_names=data.class_names, ax=ax)
    >>> [text.get_text() for text in (*drawing.nodes.values(), *drawing.notes.values())]
    ['sex = male', 'died', 'survived', '81% of 843', '73% of 466']
    >>> drawing.figure.savefig("tree.svg")  # doctest: +SKIP
    """
    tree = as_tree("tree", tree)
    max_leaves = as_integer("max_leaves", max_leaves, 1)
    bold = _check_nodes(highlight, tree.n_nodes)
    words = Words(tree, names, node_color, leaf_text, class_names, count_rows(tree, X, y))
    given = check_axes(ax)
    ax = new_axes() if given is None else given
    if given is None or not ax.has_data():
        ax.set_axis_off()
    size = partial(text_size, ax.figure)
    room = Room(tree, place_nodes(tree, max_leaves), words, size, type_size())
    if given is None:
        measures = room.free()
        fit_figure(ax, measures.width, measures.height)
    else:
        available = axes_size(ax)
        measures = room.within(*available)
        while measures.scale < SMALLEST_SCALE and room.layout.width > 1:
            fewer = int(room.layout.width * measures.scale / SMALLEST_SCALE)
            fewer = min(max(fewer, 1), room.layout.width - 1)
            room = Room(tree, place_nodes(tree, fewer), words, size, type_size())
            measures = room.within(*available)
    return _Pen(ax, room, measures, bold).draw()


def _check_nodes(highlight: Iterable[int], n_nodes: int) -> frozenset[int]:
    try:
        nodes = iter(highlight)
    except TypeError:
        msg = f"highlight must be a collection of node indices, got {as_repr(highlight)}"
        raise ValueError(msg) from None
    return frozenset(as_integer("highlight", node, 0, n_nodes - 1) for node in nodes)


class _Pen:
    """Draws the nodes and edges of one tree, at the scale and in the place of its measures."""

    def __init__(self, ax: Axes, room: Room, measures: Measures, bold: frozenset[int]) -> None:
        self.ax, self.room, self.bold = ax, room, bold
        self.words, self.layout = room.words, room.layout
        self.shades = shades(ax)
        self.scale, self.slot, self.level = measures.scale, measures.slot, measures.level
        self.place: Transform = (
            Affine2D()
            .scale(measures.slot / measures.width, measures.level / measures.height)
            .translate(measures.left / measures.width, 1 - measures.top / measures.height)
            + ax.transAxes
        )
        self.centered: dict[str, Any] = {"transform": self.place, "ha": "center", "va": "center"}

    def draw(self) -> TreeDrawing:
        edges, branches = self._edges()
        nodes: dict[int, Text] = {}
        notes: dict[int, Text] = {}
        triangles: dict[int, Line2D] = {}
        for number, node in self.room.nodes.items():
            if node.folded:
                triangles[number] = self._triangle(number)
                below = TRIANGLE / 2 + 2
                nodes[number] = self._small(number, node.text, 0, -below)
                continue
            nodes[number] = self._box(node)
            note = self.words.note(node)
            wide, high = self.room.box(node)
            if note and node.is_leaf:
                notes[number] = self._small(number, note, 0, -(high / 2 + PAD + 1))
            elif note:
                # On the outer side, where the edge from the parent does not come in.
                beside = wide / 2 + PAD + 1.5
                is_low = node.parent >= 0 and not node.is_high
                notes[number] = self._small(number, note, -beside if is_low else beside, 1)
        # All of it lies within the axes: to measure each text again and again would give a layout
        # engine nothing, and be most of its work.
        for artist in (*nodes.values(), *notes.values(), *triangles.values(), *branches, edges):
            artist.set_in_layout(False)
        return TreeDrawing(self.ax, self.layout, nodes, notes, triangles, branches, edges)

    def _box(self, node: Node) -> Text:
        look = self.words.look(node)
        return self.ax.text(
            self.layout.x[node.number],
            self.layout.y[node.number],
            look.text,
            **self.centered,
            fontsize=self.room.type * self.scale,
            color=look.ink,
            **text_options(is_formula=look.is_math),
            zorder=3,
            bbox={
                "boxstyle": f"{look.box},pad={PAD / self.room.type}",
                "facecolor": look.fill,
                "edgecolor": self.shades["ink"] if node.number in self.bold else look.edge,
                "linewidth": 2.2 if node.number in self.bold else 1.1,
                "linestyle": look.dash,
            },
        )

    def _triangle(self, node: int) -> Line2D:
        line = Line2D(
            [self.layout.x[node]],
            [self.layout.y[node]],
            transform=self.place,
            marker=_WEDGE,
            markersize=TRIANGLE * self.scale,
            markerfacecolor=self.shades["faint"],
            markeredgecolor=self.shades["ink" if node in self.bold else "muted"],
            markeredgewidth=2.2 if node in self.bold else 1.1,
            zorder=3,
            clip_on=False,
        )
        self.ax.add_artist(line)
        return line

    def _small(self, node: int, text: str, dx: float, dy: float) -> Text:
        """A small text beside or under a node, (dx, dy) points at scale 1 from its center."""
        return self.ax.annotate(
            text,
            (self.layout.x[node], self.layout.y[node]),
            xycoords=self.place,
            xytext=(dx * self.scale, dy * self.scale),
            textcoords="offset points",
            ha="center" if dx == 0 else "left" if dx > 0 else "right",
            va="bottom" if dy > 0 else "top",
            fontsize=self.room.small * self.scale,
            color=self.shades["ink"],
            **text_options(is_formula=self.words.is_formula(text)),
            linespacing=1.0,
            zorder=3,
        )

    def _answer(self, node: int, child: Node) -> Text:
        """The answer beside an edge, on its outer side, where no other edge comes."""
        x, y = self.layout.x, self.layout.y
        along = self.room.along(self.level / self.scale)
        across = self.slot * (x[child.number] - x[node])
        aside = self.scale * (self.room.thickness(child) / 2 + ASIDE)
        aside /= math.hypot(across, self.level)
        return self.ax.annotate(
            child.branch,
            (x[node] + along * (x[child.number] - x[node]), y[node] - along),
            xycoords=self.place,
            xytext=(math.copysign(self.level, across) * aside, abs(across) * aside),
            textcoords="offset points",
            ha="left" if child.is_high else "right",
            va="bottom",
            fontsize=self.room.small * self.scale,
            color=self.shades["ink"],
            zorder=2,
        )

    def _edges(self) -> tuple[LineCollection, list[Text]]:
        x, y = self.layout.x, self.layout.y
        segments, widths, colors, texts = [], [], [], []
        for node, pair in self.room.children.items():
            for child in pair:
                segments.append([(x[node], y[node]), (x[child.number], y[child.number])])
                is_bold = {node, child.number} <= self.bold
                width = self.room.thickness(child) * self.scale
                widths.append(max(2.6 if is_bold else 1.0, width))
                colors.append(self.shades["ink" if is_bold else "muted"])
                texts.append(self._answer(node, child))
        edges = LineCollection(
            segments,
            transform=self.place,
            linewidths=widths,
            colors=colors,
            zorder=1,
            clip_on=False,
        )
        self.ax.add_collection(edges)
        return edges, texts
