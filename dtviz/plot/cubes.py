"""The cube {0,1}^n as a picture: points colored by f, edges by whether f changes along them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from dtviz.core.bases import Floats
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean.measures import check_function, influence_counts
from dtviz.core.checks import as_index
from dtviz.plot.canvas import (
    axes_size,
    check_axes,
    fit_figure,
    new_axes,
    shades,
    text_size,
    type_size,
)
from dtviz.plot.theme import COLORS, FILL, ON_FILL, tint

MOST_VARIABLES = 4
"""More have a cube that nobody can read."""

_AXES = np.array([(1.0, 0.0), (0.0, 1.0), (0.44, 0.4), (1.95, -0.3)])
"""Where one step along each variable leads on paper."""

# All lengths are in points.
UNIT = 92.0
LEAST_UNIT, MOST_UNIT = 60.0, 150.0
PAD = 3.0
MARGIN = 4.0
LINE = 1.5  # of the captions, in sizes of their type


def hypercube(f: BooleanFunction, *, ax: Axes | None = None, direction: int | None = None) -> Axes:
    """Draw {0,1}^n with the values of f and the edges along which f changes.

    Each point is a box that reads ``x_0 x_1 ... x_{n-1}``: hollow and blue where f = 0, filled and
    vermillion where f = 1. Edges along which f changes are bold, and counted under the picture:
    they are the influence.

    Parameters
    ----------
    f : BooleanFunction of 1 to 4 variables
    ax : Axes, optional
        Filled by the picture, placed in axes fractions: limits and contents stay as they are, and
        the frame is switched off only if it holds no data.
    direction : int, optional
        Look at the edges along this variable alone.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> ax = dt.plot.hypercube(dt.functions.majority(3), ax=ax)
    >>> ax.texts[-2].get_text(), ax.texts[-1].get_text()
    ('6 of 12 edges change $f$', 'total influence 2 × 6/8 = 1.5')
    """
    if not 1 <= check_function(f).n <= MOST_VARIABLES:
        msg = f"f must have from 1 to {MOST_VARIABLES} variables to be drawn, got {f.n}"
        raise ValueError(msg)
    if direction is not None:
        direction = as_index("direction", direction, f.n)
    given = check_axes(ax)
    ax = new_axes() if given is None else given
    if given is None or not ax.has_data():
        ax.set_axis_off()
    captions = _captions(f, direction)
    spots = cube_points(f.n) @ _AXES[: f.n]
    measures = _measure(ax, f.n, spots, captions, fill=given is not None)
    if given is None:
        fit_figure(ax, float(measures.room[0]), float(measures.room[1]))
    _draw(ax, f, direction, measures)
    _write(ax, captions, measures)
    return ax


def _captions(f: BooleanFunction, direction: int | None) -> list[str]:
    """What the boxes read, and the count of the bold edges as the influence."""
    read = "".join(f"x_{{{i}}}" for i in range(f.n))
    changing = influence_counts(f) // 2
    if direction is None:
        count, edges, size = int(changing.sum()), f.n << (f.n - 1), 1 << f.n
        which, influence = "", f"total influence 2 × {count}/{size} = {2 * count / size:g}"
    else:
        count, edges = int(changing[direction]), 1 << (f.n - 1)
        which = f" along $x_{direction}$"
        influence = f"influence {count}/{edges} = {count / edges:g}"
    number = "no edge" if count == 0 else f"{count} of {edges} edges"
    verb = "changes" if count <= 1 else "change"
    return [f"boxes read ${read}$; filled: $f=1$", f"{number}{which} {verb} $f$", influence]


class _Measures(NamedTuple):
    """One drawing in points: whole, place of the spots, scale of the boxes and of the captions."""

    room: Floats
    spots: Floats
    scale: float
    caption_scale: float


def _measure(ax: Axes, n: int, spots: Floats, captions: list[str], *, fill: bool) -> _Measures:
    """Fit the picture into the axes if it is to fill them, else take what it needs."""
    figure, size = ax.figure, type_size()
    box = np.array(text_size(figure, "0" * n, size)) + 2 * (PAD + MARGIN)
    widest = max(text_size(figure, text, size, is_formula=True)[0] for text in captions)
    span = np.ptp(spots, axis=0)
    room = np.array(axes_size(ax)) if fill else np.zeros(2)
    caption_scale = min(1.0, room[0] / widest) if fill else 1.0
    foot = np.array([0.0, LINE * size * len(captions) * caption_scale])
    if not fill:
        room = np.maximum(UNIT * span + box + foot, [widest, 0])
    free = room - box - foot
    unit = min([MOST_UNIT, *(float(free[k] / span[k]) for k in (0, 1) if span[k])])
    corner = (room + foot - unit * span) / 2
    placed = corner + unit * (spots - spots.min(axis=0))
    return _Measures(room, placed / room, min(1.0, unit / LEAST_UNIT), caption_scale)


def _draw(ax: Axes, f: BooleanFunction, direction: int | None, measures: _Measures) -> None:
    """The edges, those along which f changes on top, and the boxes over them."""
    colors = shades(ax)
    for i in range(f.n):
        for x in range(1 << f.n):
            y = x ^ (1 << i)
            if y < x:
                continue
            asked = direction is None or direction == i
            bold = asked and f(x) != f(y)
            line = Line2D(
                *measures.spots[[x, y]].T,
                transform=ax.transAxes,
                color=colors["score" if bold else "muted" if asked else "faint"],
                linewidth=3.2 if bold else 1.1,
                linestyle="solid" if bold or not asked else (0, (3, 2)),
                zorder=2 if bold else 1,
                clip_on=False,
            )
            ax.add_artist(line)
    for x, bits in enumerate(cube_points(f.n).tolist()):
        one = f(x) == 1
        color = COLORS["label1" if one else "label0"]
        across, up = measures.spots[x]
        ax.text(
            across,
            up,
            "".join(map(str, bits)),
            transform=ax.transAxes,
            ha="center",
            va="center",
            fontsize=type_size() * measures.scale,
            color=ON_FILL if one else color,
            zorder=3,
            bbox={
                "boxstyle": f"round,pad={PAD / type_size()}",
                "facecolor": tint(color, FILL) if one else "white",
                "edgecolor": color,
                "linewidth": 1.3,
            },
        )


def _write(ax: Axes, captions: list[str], measures: _Measures) -> None:
    size = type_size() * measures.caption_scale
    for line, text in enumerate(captions):
        ax.text(
            0.5,
            LINE * size * (len(captions) - 1 - line) / measures.room[1],
            text,
            transform=ax.transAxes,
            ha="center",
            va="bottom",
            fontsize=size,
            color=shades(ax)["ink"],
        )
