"""Trees and paths as Jupyter shows them: the drawing, as SVG that depends on nothing else."""

from __future__ import annotations

import io
import warnings
from html import escape
from typing import Any

import matplotlib.pyplot as plt
from matplotlib import get_backend, rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.tree.bridges import as_tree
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.tree import Tree
from dtviz.plot.canvas import NO_GLYPH
from dtviz.plot.cubes import MOST_VARIABLES, hypercube
from dtviz.plot.paths import growth
from dtviz.plot.theme import NO_METADATA, style
from dtviz.plot.trees import TreeDrawing
from dtviz.plot.trees import tree as draw_tree

MOST_LEAVES = 24
"""Deep subtrees of larger trees are folded."""


def svg(figure: Figure) -> str:
    """The figure as an SVG document: text as outlines, the same bytes for the same picture."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", NO_GLYPH)
        try:
            return _print_svg(figure, "path")
        except UserWarning:
            warnings.filterwarnings("ignore", NO_GLYPH)
            return _print_svg(figure, "none")


def _print_svg(figure: Figure, fonttype: str) -> str:
    with rc_context({"svg.hashsalt": "dtviz", "svg.fonttype": fonttype}):
        text = io.StringIO()
        # Not savefig: that draws a figure with a layout engine twice.
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(text, metadata=dict(NO_METADATA))
    return text.getvalue()


def picture(thing: object) -> str | None:
    """HTML that shows a tree, or a path: its largest tree, and how its error and cost fall.

    Of anything else that has a tree, that tree, under what a terminal would say of the thing. Of a
    function of at most four variables, its cube. A `TreeDrawing` is shown as it is drawn. None for
    anything else, as for an estimator that is not fitted.

    >>> import dtviz as dt
    >>> from dtviz.plot.html import picture
    >>> "<svg" in picture(dt.build_top_down(dt.functions.majority(3)).tree())
    True
    """
    if isinstance(thing, TreeDrawing):
        return _show_drawing(thing)
    if isinstance(thing, BooleanFunction):
        return _draw_cube(thing) if 1 <= thing.n <= MOST_VARIABLES else None
    try:
        tree = as_tree("thing", thing)
    except ValueError:
        return None
    with style():
        if isinstance(thing, GrowthPath):
            figure = Figure(figsize=(9.0, 3.6), layout="constrained")
            left, right = figure.subplots(1, 2, width_ratios=(3, 2))
            draw_tree(tree, ax=left, max_leaves=MOST_LEAVES)
            growth(thing, ax=right)
        else:
            leaves = min(tree.n_leaves, MOST_LEAVES)
            size = min(9.0, 1.2 + 0.55 * leaves), min(6.0, 0.9 + 0.7 * tree.depth)
            figure = Figure(figsize=size, layout="constrained")
            draw_tree(tree, ax=figure.subplots(), max_leaves=MOST_LEAVES)
        drawing = svg(figure)
    label, caption = escape(repr(thing), quote=True), ""
    if not isinstance(thing, Tree | GrowthPath):
        caption = f"<div>{label}</div>"
        label += escape(f": {tree!r}")
    return _frame(drawing, label, caption)


def _show_drawing(drawing: TreeDrawing) -> str | None:
    """A drawing that ends a cell, but where figures of pyplot are shown anyway, as in Jupyter."""
    figure: Any = drawing.figure
    shows_all = any(name in get_backend().lower() for name in ("inline", "ipympl", "nbagg"))
    if shows_all and plt.fignum_exists(getattr(figure, "number", -1)):
        return None
    own = figure.canvas
    try:
        return _frame(svg(figure), escape(repr(drawing), quote=True))
    finally:
        figure.set_canvas(own)  # pyplot still has it


def _draw_cube(f: BooleanFunction) -> str:
    with style():
        figure = Figure(figsize=(1.2 + 0.9 * f.n, 1.0 + 0.7 * f.n), layout="constrained")
        hypercube(f, ax=figure.subplots())
        return _frame(svg(figure), escape(f"The cube of {f!r}.", quote=True))


def _frame(drawing: str, label: str, caption: str = "") -> str:
    return (
        f'<div class="dtviz-picture" role="img" aria-label="{label}" '
        'style="max-width: 100%; overflow-x: auto; background: white; color: black">'
        f"{caption}{drawing[drawing.index('<svg') :]}</div>"
    )
