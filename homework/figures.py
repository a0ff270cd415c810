"""Matplotlib's pictures as data, and such data as pictures again.

The text of this file is sent into the student's kernel as well. A picture made of data has what
tests look at: lines, points, bars, texts, titles, labels, limits, scales, ticks, legend.
"""

from __future__ import annotations

import sys
from typing import Any


def _is(value: Any, module: str, name: str) -> bool:
    # Without the module there is no such thing, and to import it takes a third of a second.
    known = sys.modules.get(module)
    return known is not None and isinstance(value, getattr(known, name))


def is_axes(value: Any) -> bool:
    """Whether it is Matplotlib's Axes."""
    return _is(value, "matplotlib.axes", "Axes")


def is_figure(value: Any) -> bool:
    """Whether it is Matplotlib's Figure."""
    return _is(value, "matplotlib.figure", "Figure")


def pack_axes(ax: Any) -> dict[str, Any]:
    """Write as JSON what is drawn on Axes."""
    legend = ax.get_legend() or next(iter(ax.figure.legends), None)
    return {
        "box": [*map(float, ax.get_position().bounds)],
        "lines": [
            {
                "xy": _numbers(line.get_xydata()),
                "label": str(line.get_label()),
                "color": _color(line.get_color()),
                "linestyle": str(line.get_linestyle()),
                "marker": marker if isinstance(marker := line.get_marker(), str) else "o",
                "linewidth": float(line.get_linewidth()),
                "drawstyle": str(line.get_drawstyle()),
                "visible": bool(line.get_visible()),
            }
            for line in ax.lines
        ],
        "points": [
            {
                "xy": _numbers(dots.get_offsets()),
                "label": str(dots.get_label()),
                "colors": [_color(color) for color in dots.get_facecolor()],
                "visible": bool(dots.get_visible()),
            }
            for dots in ax.collections
            if hasattr(dots, "get_offsets")
        ],
        "bars": [
            {
                "box": [*map(float, bar.get_bbox().bounds)],
                "label": str(bar.get_label()),
                "color": _color(bar.get_facecolor()),
                "visible": bool(bar.get_visible()),
            }
            for bar in ax.patches
            if hasattr(bar, "get_bbox")
        ],
        "texts": [
            {"at": [*map(float, text.get_position())], "text": text.get_text()} for text in ax.texts
        ],
        "words": [ax.get_title(), ax.get_xlabel(), ax.get_ylabel()],
        "scales": [ax.get_xscale(), ax.get_yscale()],
        "limits": [[*map(float, ax.get_xlim())], [*map(float, ax.get_ylim())]],
        "auto": [bool(ax.get_autoscalex_on()), bool(ax.get_autoscaley_on())],
        # On what is empty they are still to be found.
        "ticks": [_ticks(ax.xaxis), _ticks(ax.yaxis)] if ax.has_data() else [],
        "legend": None if legend is None else [text.get_text() for text in legend.get_texts()],
    }


def _numbers(points: Any) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in points]


def _color(color: Any) -> str:
    from matplotlib.colors import to_hex  # noqa: PLC0415 - it is there, if there are colors

    return to_hex(color, keep_alpha=True)


def _ticks(axis: Any) -> list[Any]:
    places = [float(place) for place in axis.get_ticklocs()]
    return [places, axis.get_major_formatter().format_ticks(places)]


def new_figure() -> Any:
    """Make a Figure that no window shows."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - only who draws pays for it

    return Figure()


def fill_axes(ax: Any, info: dict[str, Any]) -> None:
    """Draw on Axes what :func:`pack_axes` found on others, and nothing else."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 - only who draws pays for it
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    ax.clear()
    for line in info["lines"]:
        x, y = [x for x, _ in line["xy"]], [y for _, y in line["xy"]]
        ax.plot(x, y, **{name: line[name] for name in _LINE})
    for dots in info["points"]:
        colors = dots["colors"] if len(dots["colors"]) in {1, len(dots["xy"])} else None
        x, y = [x for x, _ in dots["xy"]], [y for _, y in dots["xy"]]
        ax.scatter(x, y, c=colors if x else None, label=dots["label"], visible=dots["visible"])
    for bar in info["bars"]:
        x, y, *size = bar["box"]
        named = {name: bar[name] for name in ("label", "color", "visible")}
        ax.add_patch(Rectangle((x, y), *size, **named))
    for text in info["texts"]:
        ax.text(*text["at"], text["text"])
    title, xlabel, ylabel = info["words"]
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    ax.set(xscale=info["scales"][0], yscale=info["scales"][1])
    for axis, (places, labels) in zip((ax.xaxis, ax.yaxis), info["ticks"], strict=False):
        axis.set_ticks(places, labels)
    ax.set(xlim=info["limits"][0], ylim=info["limits"][1])
    ax.set(autoscalex_on=info["auto"][0], autoscaley_on=info["auto"][1])
    if info["legend"] is not None:
        named = {drawn.get_label(): drawn for drawn in (*ax.lines, *ax.collections, *ax.patches)}
        ax.legend([named.get(text, Line2D([], [])) for text in info["legend"]], info["legend"])


_LINE = ("label", "color", "linestyle", "marker", "linewidth", "drawstyle", "visible")
