"""Labels on the marks: text placed beside a line, where it covers nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from dtviz.core.checks import as_flag, as_real, as_repr, look_up
from dtviz.plot.canvas import (
    POINTS,
    check_axes,
    is_formula,
    settle,
    shades,
    text_options,
    text_size,
    type_size,
)

DISTANCE = 3.0
"""From the mark to its label, in points."""

ENOUGH = 7.0
"""Clearance of other lines, in points, beyond which more is no better."""

FAULT = 1000.0
"""What covering the own line or a text, or leaving the frame, counts against a place."""

ANCHORS = 60

Points = npt.NDArray[np.float64]


_SIDES = ((1, 1), (0, 1), (-1, 1), (1, -1), (0, -1), (-1, -1))
"""The sides of its anchor a label may stand on: -1, 0 or 1 across and up, the best first."""

_ACROSS: dict[int, Any] = {1: "left", 0: "center", -1: "right"}
_UP: dict[int, Any] = {1: "bottom", -1: "top"}


def label_line(ax: Axes, line: Line2D, text: str, *, from_end: bool = False) -> Annotation:
    """Write ``text`` beside a line of the axes, in the line's color.

    It goes to the first place along the line (the last, with ``from_end``) where it stands clear of
    every line and text of the axes. Call it when all lines are drawn and the limits are set. Of the
    text, a letter with an index in dollars, such as ``$x_0$``, is set as a formula.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> (line,) = ax.plot([0, 1], [0, 1])
    >>> dt.plot.label_line(ax, line, "diagonal").get_text()
    'diagonal'
    """
    _check_label(ax, text)
    given: Any = line
    if not isinstance(given, Line2D) or given not in ax.lines:
        msg = f"line must be a line of ax, got {as_repr(line)}"
        raise ValueError(msg)
    (label,) = label_lines(ax, [(line, text, as_flag("from_end", from_end))])
    return label


def _check_label(ax: Any, text: Any) -> None:
    if check_axes(ax) is None:
        msg = "ax must be a matplotlib Axes, got None"
        raise ValueError(msg)
    if not isinstance(text, str):
        msg = f"text must be a str, got {as_repr(text)}"
        raise ValueError(msg)


def label_lines(ax: Axes, labels: Iterable[tuple[Line2D, str, bool]]) -> list[Annotation]:
    """Write several labels as `label_line` does, (line, text, from_end), after one layout."""
    settle(ax)
    written = []
    for line, text, from_end in labels:
        path = _on_screen(line)
        if not len(path):
            msg = f"line must have a point on the scales of ax, got {as_repr(line)}"
            raise ValueError(msg)
        visible = _inside(ax, path)
        path = visible if len(visible) else path[:1]
        anchors = path[np.unique(np.linspace(0, len(path) - 1, ANCHORS).astype(int))]
        anchors = anchors[::-1] if from_end else anchors
        written.append(_write(ax, line, anchors, text))
    return written


def level_line(ax: Axes, y: float, text: str, *, color: str = "epsilon") -> Annotation:
    """Draw a dashed horizontal line at height ``y`` with its ``text`` on it.

    ``color`` is a key of `COLORS`.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> dt.plot.level_line(ax, 0.1, "ε = 0.1").get_color()
    '#5d6470'
    """
    _check_label(ax, text)
    height = as_real("y", y, "(-inf, inf), finite", math.isfinite)
    level = draw_level(ax, height, look_up("color", color, shades(ax)))
    return label_line(ax, level, text, from_end=True)


def draw_level(ax: Axes, y: float, color: str) -> Line2D:
    """Draw a dashed horizontal line at height ``y``, without a label."""
    return ax.axhline(y, color=color, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1.5)


def _on_screen(line: Line2D) -> Points:
    """Points along a line at most two pixels apart, in display coordinates."""
    xy = np.asarray(line.get_xydata(), dtype=np.float64)
    if len(xy) > 1:
        steps = STEP_LOOKUP_MAP[str(line.get_drawstyle())]
        xy = np.column_stack(steps(*xy.T))
    corners = np.asarray(line.get_transform().transform(xy), dtype=np.float64)
    corners = corners[np.isfinite(corners).all(axis=1)]
    if len(corners) < 2:
        return corners
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    count = min(4000, 2 + int(along[-1] / 2))
    at = np.linspace(0, along[-1], count)
    return np.column_stack([np.interp(at, along, corners[:, k]) for k in (0, 1)])


def _inside(ax: Axes, points: Points) -> Points:
    (left, low), (right, high) = ax.get_window_extent().get_points()
    across = (left - 1 <= points[:, 0]) & (points[:, 0] <= right + 1)
    up = (low - 1 <= points[:, 1]) & (points[:, 1] <= high + 1)
    inside: Points = points[across & up]
    return inside


def _write(ax: Axes, own: Line2D, anchors: Points, text: str) -> Annotation:
    """Write the text at the best of the anchors on its line, given in display coordinates."""
    figure = ax.figure
    pixel = figure.dpi / POINTS
    size = np.array(text_size(figure, text, type_size(), is_formula=is_formula(text))) * pixel
    lines = [_inside(ax, _on_screen(x)) for x in ax.lines if x is not own and x.get_visible()]
    others, own_path = np.concatenate([np.empty((0, 2)), *lines]), _inside(ax, _on_screen(own))
    texts = [t.get_window_extent() for t in ax.texts if t.get_visible()]
    frame = ax.get_window_extent().padded(-DISTANCE * pixel)

    def worth(box: Bbox) -> float:
        """How well a label stands there: clear of other lines, and covering nothing."""
        wide = frame.x0 <= box.x0 and box.x1 <= frame.x1
        faults = (
            _clearance(box, own_path) < pixel,
            any(box.overlaps(other) for other in texts),
            not (wide and frame.y0 <= box.y0 and box.y1 <= frame.y1),
        )
        return min(_clearance(box, others) / pixel, ENOUGH) - FAULT * sum(map(bool, faults))

    anchor, side = _best(anchors, size, worth, pixel)
    return ax.annotate(
        text,
        tuple(ax.transData.inverted().transform(anchor)),
        xytext=(side[0] * DISTANCE, side[1] * DISTANCE),
        textcoords="offset points",
        ha=_ACROSS[side[0]],
        va=_UP[side[1]],
        fontsize=type_size(),
        color=to_hex(own.get_color()),
        **text_options(is_formula=is_formula(text)),
        # Out of sight with its line, not at the edge of the picture.
        annotation_clip=not len(_inside(ax, anchors)),
    )


def _best(
    anchors: Points, size: Points, worth: Callable[[Bbox], float], pixel: float
) -> tuple[Points, tuple[int, int]]:
    """The first anchor and side where a label stands clear, else those where it does best."""
    best, choice = -math.inf, (anchors[0], _SIDES[0])
    for anchor in anchors:
        for side in _SIDES:
            low = anchor + np.array(side) * DISTANCE * pixel + (np.array(side) - 1) / 2 * size
            value = worth(Bbox([low, low + size]))
            if value >= ENOUGH:
                return anchor, side
            if value > best:
                best, choice = value, (anchor, side)
    return choice


def _clearance(box: Bbox, points: Points) -> float:
    """The distance from a box to the nearest of the points."""
    low, high = box.get_points()
    gap = np.maximum(np.maximum(low - points, points - high), 0)
    return float(np.hypot(gap[:, 0], gap[:, 1]).min(initial=np.inf))
