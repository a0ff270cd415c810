"""What the pictures share: the axes they are drawn on, and the size of a piece of text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import matplotlib.pyplot as plt
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure, SubFigure
from matplotlib.text import Text

from dtviz.core.checks import as_repr
from dtviz.plot.theme import COLORS, DARK

POINTS = 72.0
"""Points per inch."""

NO_GLYPH = "Glyph .* missing from font"
"""What Matplotlib warns of when it has to leave out a sign, such as an emoji."""

FORMULA = re.compile(r"\$([A-Za-z])_(?:([A-Za-z0-9])|\{([A-Za-z0-9]+)\})\$")
"""A variable as the package writes its own: a letter with an index, ``$x_0$`` or ``$x_{10}$``."""


def is_formula(text: str) -> bool:
    """Whether a text has variables written as the package writes its own, and no other dollar."""
    rest, n_found = FORMULA.subn("", text)
    return n_found > 0 and "$" not in rest


def text_options(*, is_formula: bool = False) -> dict[str, Any]:
    """How Matplotlib is to set a text: as it stands, or with formulas."""
    return {"parse_math": True} if is_formula else {"parse_math": False, "usetex": False}


def check_axes(ax: object) -> Axes | None:
    """Return ax, or say that it is not a Matplotlib axes."""
    if ax is not None and not isinstance(ax, Axes):
        msg = f"ax must be a matplotlib Axes or None, got {as_repr(ax)}"
        raise ValueError(msg)
    return ax


def new_axes() -> Axes:
    """The axes of a new pyplot figure."""
    return plt.figure(layout="constrained").add_subplot()


def fit_figure(ax: Axes, width: float, height: float) -> None:
    """Resize the figure so that its only axes measure width by height points."""
    figure = ax.get_figure(root=True)
    if figure is not None:
        # Constrained layout keeps a margin of 3 points on every side.
        figure.set_size_inches((width + 6) / POINTS, (height + 6) / POINTS)


@contextmanager
def without_glyph_warnings() -> Iterator[None]:
    """Measure without a word of signs that the font lacks: who draws them warns."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", NO_GLYPH)
        yield


def settle(ax: Axes) -> None:
    """Let the layout engine give the axes their final place: sizes are compared on screen."""
    figure = ax.get_figure(root=True)
    if figure is not None:
        with without_glyph_warnings():
            figure.draw_without_rendering()


def axes_size(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, the layout being settled."""
    settle(ax)
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return box.width * POINTS / dpi, box.height * POINTS / dpi


def background(ax: Axes) -> Any:
    """The color behind what is drawn on the axes."""
    own = ax.get_facecolor()
    return own if ax.axison and to_rgba(own)[3] > 0 else ax.figure.get_facecolor()


def shades(ax: Axes) -> Mapping[str, str]:
    """The colors of what stands on the axes without a ground of its own: light ones on dark."""
    red, green, blue, opacity = to_rgba(background(ax))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return DARK if opacity > 0 and luminance < 0.4 else COLORS


def type_size() -> float:
    """The size of type in points, as the style in use has it."""
    return float(rcParams["font.size"])


def text_size(
    figure: Figure | SubFigure, text: str, size: float, *, is_formula: bool = False
) -> tuple[float, float]:
    """Width and height, in points, of ``text`` at font size ``size``."""
    artist = Text(0, 0, text, fontsize=size, **text_options(is_formula=is_formula))
    artist.set_figure(figure)
    with without_glyph_warnings():
        box = artist.get_window_extent()
    return box.width * POINTS / figure.dpi, box.height * POINTS / figure.dpi
