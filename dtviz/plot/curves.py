"""The numbers of a run as pictures: growth curves and influences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from dtviz import measures
from dtviz._validate import as_epsilon, shown
from dtviz.boolean import BooleanFunction, ProductDistribution
from dtviz.growth import GrowthPath
from dtviz.plot.canvas import checked_axes, new_axes
from dtviz.plot.labels import label_line, label_point, level_line
from dtviz.plot.theme import COLOURS, tint

__all__ = ["growth", "influences"]

_CURVES = {
    "error": (COLOURS["error"], "solid"),
    "cost": (COLOURS["cost"], "solid"),
    "half cost": (COLOURS["cost"], (0, (1, 1.2))),
    "score": (COLOURS["score"], "solid"),
}


def growth(
    path: GrowthPath,
    *,
    ax: Axes | None = None,
    curves: Sequence[str] = ("error", "cost", "half cost"),
    epsilon: float | None = None,
    bounds: Mapping[str, npt.ArrayLike] | None = None,
) -> Axes:
    """Draw quantities of a growth path against the number of leaves, as labelled staircases.

    Parameters
    ----------
    path : GrowthPath
        After k splits the tree has k + 1 leaves; the curves are ``path.errors`` and so on.
    ax : Axes, optional
        Drawn on as ``ax.plot`` would; axis labels are set where there are none.
    curves : sequence of "error", "cost", "half cost", "score"
        What to draw.
    epsilon : float in [0, 1/2), optional
        Draw this level and mark the first tree whose error is at most epsilon.
    bounds : mapping from label to array of length ``path.n_steps + 1``, optional
        Further curves over the steps, drawn dashed.

    Raises
    ------
    ValueError
        If an argument is not as described, or the path was cut short of epsilon.
    """
    if not isinstance(path, GrowthPath):
        msg = f"path must be a GrowthPath, got {shown(path)}"
        raise ValueError(msg)
    heights = _heights(path, curves)
    extra = _checked_bounds(bounds, path.n_steps + 1)
    step = None if epsilon is None else path.step(epsilon)
    given = checked_axes(ax)
    ax = new_axes() if given is None else given
    leaves = np.arange(1, path.n_steps + 2)
    # A staircase of one step is a point: give it a tread.
    treads = np.append(leaves, leaves[-1] + 1)
    lines = []
    for name, height in heights.items():
        colour, dash = _CURVES[name]
        (line,) = ax.step(
            treads, np.append(height, height[-1]), where="post", color=colour, linestyle=dash
        )
        lines.append((line, name))
    for name, height in extra.items():
        (line,) = ax.plot(leaves, height, color=COLOURS["bound"], linestyle="dashed")
        lines.append((line, name))
    ax.set_xlabel(ax.get_xlabel() or "leaves")
    if given is None:
        ax.set_ylim(bottom=0)
        ax.margins(x=0.02)
    if epsilon is not None and step is not None:
        error = path.errors[step]
        ax.plot(leaves[step], error, "o", color=COLOURS["error"], markersize=6, zorder=4)
        noun = "leaf" if step == 0 else "leaves"
        level_line(ax, as_epsilon(epsilon), f"ε = {epsilon:g}")
        label_point(ax, leaves[step], error, f"{leaves[step]} {noun}", colour="error")
    for line, name in lines:
        label_line(ax, line, "cost / 2" if name == "half cost" else name)
    return ax


def _heights(path: GrowthPath, curves: Sequence[str]) -> dict[str, npt.NDArray[np.float64]]:
    known = {
        "error": path.errors,
        "cost": path.costs,
        "half cost": path.costs / 2,
        "score": path.scores,
    }
    unknown = [name for name in ([curves] if isinstance(curves, str) else curves) if name not in known]
    if unknown or isinstance(curves, str):
        msg = f"curves must be a sequence of {', '.join(map(repr, known))}, got {shown(curves)}"
        raise ValueError(msg)
    return {name: known[name] for name in curves}


def _checked_bounds(
    bounds: Mapping[str, npt.ArrayLike] | None, length: int
) -> dict[str, npt.NDArray[np.float64]]:
    checked = {}
    for name, values in (bounds or {}).items():
        array = np.asarray(values, dtype=np.float64)
        if array.shape != (length,):
            msg = f"bounds[{name!r}] must have one value per step ({length}), got {array.shape}"
            raise ValueError(msg)
        checked[name] = array
    return checked


def influences(
    f: BooleanFunction, mu: ProductDistribution | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the flip influences of f as bars with their values; the most influential one is dark.

    The most influential variable is the one BuildTopDownDT splits on: of equals, the lowest.
    """
    values = measures.influences(f, mu)
    given = checked_axes(ax)
    ax = new_axes(min(10.0, max(3.0, 0.5 * f.n + 0.8)), 2.6) if given is None else given
    colours = [tint(COLOURS["score"], 0.45)] * f.n
    if values.any():
        colours[int(values.argmax())] = tint(COLOURS["score"], 1)
    bars = ax.bar(np.arange(f.n), values, color=colours, width=0.7)
    ax.bar_label(bars, [f"{value:.3g}" for value in values], padding=2, fontsize=8)
    ax.set_xticks(np.arange(f.n), [f"$x_{{{i}}}$" for i in range(f.n)])
    ax.set_ylabel(ax.get_ylabel() or "influence")
    return ax
