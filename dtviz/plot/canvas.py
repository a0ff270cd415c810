"""What the pictures share: the axes they are drawn on, and the size of a piece of text."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.text import Text

from dtviz._validate import shown

__all__ = ["POINTS", "axes_size", "background", "checked_axes", "figure_of", "new_axes", "text_size"]

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


def figure_of(ax: Axes) -> Figure | SubFigure:
    """The figure that holds the axes."""
    figure = ax.figure
    if figure is None:
        msg = f"ax must belong to a figure, got {shown(ax)}"
        raise ValueError(msg)
    return figure


def axes_size(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points."""
    box, dpi = ax.get_window_extent(), figure_of(ax).dpi
    return box.width * POINTS / dpi, box.height * POINTS / dpi


def background(ax: Axes) -> object:
    """The colour behind what is drawn on the axes."""
    return ax.get_facecolor() if ax.axison else figure_of(ax).get_facecolor()


def text_size(figure: Figure | SubFigure, text: str, size: float) -> tuple[float, float]:
    """Width and height, in points, of ``text`` at font size ``size``."""
    artist = Text(0, 0, text, fontsize=size)
    artist.set_figure(figure)
    box = artist.get_window_extent()
    return box.width * POINTS / figure.dpi, box.height * POINTS / figure.dpi
