"""The numbers of a growth as a picture: its error, cost and scores against the leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from dtviz.core.checks import as_array, as_list, as_repr
from dtviz.core.growth_path import GrowthPath
from dtviz.plot.canvas import check_axes, new_axes, shades
from dtviz.plot.labels import draw_level, label_lines

_CURVES: dict[str, dict[str, Any]] = {
    "error": {"color": "error", "zorder": 2.5},
    "cost": {"color": "cost"},
    "half cost": {"color": "cost", "linestyle": (0, (1, 1.2))},
    "score": {"color": "score"},
}
MAX_CURVES = 100
"""The most curves to be named: each of the four once is enough."""

_BOUND: dict[str, Any] = {"color": "bound", "linestyle": (0, (4, 2))}


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
    epsilon : float >= 0, optional
        Draw this level and mark the first tree whose error is at most epsilon.
    bounds : mapping from label to array of length ``path.n_splits + 1``, optional
        Further curves over the steps, drawn dashed.

    Raises
    ------
    ValueError
        If an argument is not as described, or the path was cut short of epsilon.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> path = dt.build_top_down(dt.functions.majority(3))
    >>> ax = dt.plot.growth(path, ax=ax, epsilon=0.1)
    >>> print(ax.get_xlabel(), [text.get_text() for text in ax.texts])
    leaves ['ε = 0.1', '6 leaves', 'error', 'cost', 'cost / 2']
    """
    if not isinstance(path, GrowthPath):
        msg = f"path must be a GrowthPath, got {as_repr(path)}"
        raise ValueError(msg)
    heights = _check_curves(path, curves)
    extra = _check_bounds(bounds, path.n_splits + 1)
    step = None if epsilon is None else path.n_leaves_for(epsilon) - 1
    epsilon = None if epsilon is None else float(epsilon)
    given = check_axes(ax)
    ax = new_axes() if given is None else given
    leaves = np.arange(1, path.n_splits + 2)
    # Each tread is one leaf wide and centred on its number of leaves.
    treads = np.append(leaves, leaves[-1] + 1) - 0.5
    colors = shades(ax)
    labels: list[tuple[Line2D, str, bool]] = []

    def draw(height: npt.NDArray[np.float64], name: str, look: dict[str, Any]) -> None:
        look = look | {"color": colors[look["color"]]}
        (line,) = ax.step(treads, np.append(height, height[-1]), where="post", **look)
        labels.append((line, name, False))

    if epsilon is not None and step is not None:
        size = step + 1
        ax.plot(size, path.errors[step], "o", color=colors["error"], markersize=6, zorder=4)
        post = ax.axvline(size, ymax=0.8, color=colors["epsilon"], linewidth=1, zorder=1.5)
        labels.append((draw_level(ax, epsilon, colors["epsilon"]), f"ε = {epsilon:g}", True))
        labels.append((post, "1 leaf" if size == 1 else f"{size} leaves", True))
    for name, height in heights.items():
        draw(height, "cost / 2" if name == "half cost" else name, _CURVES[name])
    for name, height in extra.items():
        draw(height, name, _BOUND)
    ax.set_xlabel(ax.get_xlabel() or "leaves")
    if given is None:
        ax.set_ylim(bottom=0)
        ax.margins(x=0.02)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    label_lines(ax, labels)
    return ax


def _check_curves(path: GrowthPath, curves: Sequence[str]) -> dict[str, npt.NDArray[np.float64]]:
    known = {
        "error": path.errors,
        "cost": path.costs,
        "half cost": path.costs / 2,
        "score": path.scores,
    }
    rule = f"a sequence of {', '.join(map(repr, known))}"
    chosen = as_list("curves", curves, rule, MAX_CURVES)
    if not all(isinstance(name, str) and name in known for name in chosen):
        msg = f"curves must be {rule}, got {as_repr(curves)}"
        raise ValueError(msg)
    return {name: known[name] for name in chosen}


def _check_bounds(bounds: Any, length: int) -> dict[str, npt.NDArray[np.float64]]:
    if bounds is None:
        return {}
    if not isinstance(bounds, Mapping) or not all(isinstance(name, str) for name in bounds):
        msg = f"bounds must be a mapping from labels to arrays, got {as_repr(bounds)}"
        raise ValueError(msg)
    checked = {}
    for name, values in bounds.items():
        array = as_array(values)
        if array is None or array.shape != (length,) or array.dtype.kind not in "biuf":
            got = as_repr(values) if array is None or array.shape == (length,) else array.shape
            msg = f"bounds[{name!r}] must have one number per step ({length}), got {got}"
            raise ValueError(msg)
        checked[name] = array.astype(np.float64)
    return checked
