"""What the pictures share: the axes they are drawn on, and the size of a piece of text."""

from __future__ import annotations

from contextlib import suppress

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.text import Text

from dtviz.core.checks import shown

__all__ = [
    "POINTS",
    "axes_size",
    "background",
    "checked_axes",
    "fit_figure",
    "new_axes",
    "settle",
    "text_size",
]

POINTS = 72.0
"""Points per inch."""


def checked_axes(ax: object) -> Axes | None:
    """Return ax, or say that it is not a Matplotlib axes."""
    if ax is not None and not isinstance(ax, Axes):
        msg = f"ax must be a matplotlib Axes or None, got {shown(ax)}"
        raise ValueError(msg)
    return ax


def new_axes(width: float | None = None, height: float | None = None) -> Axes:
    """The axes of a new pyplot figure; width and height in inches, as in rcParams if left out."""
    size = None if width is None or height is None else (width, height)
    return plt.figure(figsize=size, layout="constrained").add_subplot()


def fit_figure(ax: Axes, width: float, height: float) -> None:
    """Resize the figure so that its only axes measure width by height points."""
    figure = ax.get_figure(root=True)
    if figure is not None:
        # Constrained layout keeps a margin of 3 points on every side.
        figure.set_size_inches((width + 6) / POINTS, (height + 6) / POINTS)


def settle(ax: Axes) -> None:
    """Let the layout engine give the axes their final place: sizes are compared on screen."""
    figure = ax.get_figure(root=True)
    if figure is None:
        return
    engine = figure.get_layout_engine()
    if engine is None or ax.get_axes_locator() is not None:
        figure.draw_without_rendering()
        return
    # The layout alone: to go through every text of the figure as well takes twice as long.
    with suppress(ValueError):  # as where Matplotlib draws: no room for a layout
        engine.execute(figure)
    ax.apply_aspect()
    ax.get_xlim(), ax.get_ylim()  # what is still to be scaled is scaled now


def axes_size(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, the layout being settled."""
    settle(ax)
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return box.width * POINTS / dpi, box.height * POINTS / dpi


def background(ax: Axes) -> object:
    """The colour behind what is drawn on the axes."""
    return ax.get_facecolor() if ax.axison else ax.figure.get_facecolor()


def text_size(figure: Figure | SubFigure, text: str, size: float) -> tuple[float, float]:
    """Width and height, in points, of ``text`` at font size ``size``."""
    artist = Text(0, 0, text, fontsize=size)
    artist.set_figure(figure)
    box = artist.get_window_extent()
    return box.width * POINTS / figure.dpi, box.height * POINTS / figure.dpi
