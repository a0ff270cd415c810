"""One look for every picture: the colors of the book, its face of type and its figure style.

Pictures stand on an opaque white card, so a color has one background to be legible on. Each color
reaches 4.5:1 against white, except the vermillion of label 1 (3.9:1), which is used for areas, not
for type. In the dark the book trades the lightness of each picture by a filter of its style sheet.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Any, cast

import matplotlib as mpl
from matplotlib.colors import to_rgb

_BOTH = {
    "label0": ("#0072B2", "#5AB4EA"),
    "label1": ("#D55E00", "#F59A4C"),
    "error": ("#C2185B", "#FF7FB0"),
    "cost": ("#5B4FC4", "#A99FF5"),
    "score": ("#0B7A5C", "#3ECBA1"),
    "bound": ("#8A6D00", "#E0BF4F"),
    "epsilon": ("#5D6470", "#9AA3B0"),
    "ink": ("#1F2328", "#E6E9EE"),
    "muted": ("#5D6470", "#A6AEB9"),
    "faint": ("#C9CED6", "#3D444D"),
}

COLORS: Mapping[str, str] = MappingProxyType({key: light for key, (light, _) in _BOTH.items()})
"""The same thing has the same color in every picture, and in the explorers."""

DARK: Mapping[str, str] = MappingProxyType({key: dark for key, (_, dark) in _BOTH.items()})
"""The same on axes of a dark style: the dark colors of the explorers."""

ON_FILL = "#1B0C00"
"""Type in a box that label 1 fills."""

FILL = 0.6
"""How strong it fills it: type has 8.6:1 there, and 4.7:1 where a page turns it to the dark."""

NO_METADATA: Mapping[str, None] = MappingProxyType(
    dict.fromkeys(("Creator", "Date", "Format", "Type"))
)
"""Nothing about the drawing in the file of a picture: no date, and no names of formats."""

STYLE: Mapping[str, Any] = MappingProxyType(
    {
        str(key): value
        for key, value in mpl.rcParamsDefault.items()
        if key.endswith(("color", "prop_cycle"))
    }
    | {
        "axes.edgecolor": COLORS["muted"],
        "axes.labelcolor": COLORS["ink"],
        "axes.labelsize": 12,  # nothing is smaller: small letters of STIX are small
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 13,
        "axes.titlepad": 8,
        "figure.constrained_layout.use": True,
        "figure.dpi": 144,
        "figure.facecolor": "white",
        "figure.figsize": (5.0, 3.3),
        "font.family": ["STIXGeneral", "DejaVu Sans"],  # as the text; the other for rare signs
        "font.size": 12,
        "lines.linewidth": 1.8,
        "mathtext.fontset": "stix",
        "savefig.dpi": "figure",
        "savefig.facecolor": "white",
        "savefig.pad_inches": 0.02,  # constrained layout keeps a margin already
        "svg.hashsalt": "dtviz",
        "text.color": COLORS["ink"],
        "xtick.color": COLORS["muted"],
        "xtick.labelcolor": COLORS["ink"],
        "xtick.labelsize": 12,
        "ytick.color": COLORS["muted"],
        "ytick.labelcolor": COLORS["ink"],
        "ytick.labelsize": 12,
    }
)
"""Matplotlib settings of the book: all colors, so that none is of a dark style in use."""


def use_style() -> None:
    """Give every figure drawn from now on the look of the book (changes Matplotlib's rcParams).

    In a notebook figures are shown as SVG from then on: sharp, the same bytes for the same picture.

    Examples
    --------
    >>> import dtviz as dt
    >>> import matplotlib
    >>> with matplotlib.rc_context():  # as it was, after the block
    ...     dt.plot.use_style()
    ...     matplotlib.rcParams["figure.figsize"]
    [5.0, 3.3]
    """
    mpl.rcParams.update(cast("Any", dict(STYLE)))
    _show_as_svg()


def _show_as_svg() -> None:
    """Have the notebook that this runs in, if any, show figures as SVG without a date."""
    if "IPython" not in sys.modules or (shell := sys.modules["IPython"].get_ipython()) is None:
        return
    # It comes with IPython, not with us.
    from matplotlib_inline.config import InlineBackend  # noqa: PLC0415

    # Its settings, not the formats in use: those are set again when the first figure is made.
    inline = InlineBackend.instance(parent=shell)
    inline.shell = shell
    # What it says of them to the type checker leaves out all but text.
    options: dict[str, Any] = {**inline.print_figure_kwargs, "metadata": dict(NO_METADATA)}
    inline.print_figure_kwargs = options
    # Whoever shows both takes the SVG; a page of grades shows students' pictures as PNG only.
    inline.figure_formats = {"svg", "png"}


def style() -> AbstractContextManager[None]:
    """The look of the book for one ``with`` block: ``with dt.plot.style(): ...``.

    Examples
    --------
    >>> import dtviz as dt
    >>> import matplotlib
    >>> with dt.plot.style():
    ...     matplotlib.rcParams["axes.spines.top"]
    False
    """
    return mpl.rc_context(cast("Any", dict(STYLE)))


def tint(color: str, strength: float, ground: Any = "white") -> tuple[float, ...]:
    """A color mixed with its ground: strength 1 is the color, 0 is the ground."""
    pairs = zip(to_rgb(color), to_rgb(ground), strict=True)
    return tuple(part * strength + under * (1 - strength) for part, under in pairs)
