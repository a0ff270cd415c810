"""The trees of a path side by side: the numbers of a growth, and error against size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from dtviz.core.bases import Floats, Ints
from dtviz.core.checks import as_array, as_list, as_repr
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import losses
from dtviz.core.hints import with_hints
from dtviz.core.names import count_leaves
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.plot.canvas import (
    axes_size,
    background,
    check_axes,
    new_axes,
    shades,
    text_size,
    type_size,
)
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


@with_hints
def growth(
    path: GrowthPath,
    *,
    ax: Axes | None = None,
    curves: Sequence[str] = ("error", "cost", "half cost"),
    epsilon: float | None = None,
    bounds: Mapping[str, npt.ArrayLike] | None = None,
) -> Axes:
    """Draw quantities of a growth path against the number of leaves, as labeled staircases.

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

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> path = dt.build_top_down(dt.functions.majority(3))
    >>> ax = dt.plot.growth(path, ax=ax, epsilon=0.1)
    >>> [text.get_text() for text in ax.texts]
    ['ε = 0.1', '6 leaves', 'error', 'cost', 'cost / 2']
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
    # Each tread is one leaf wide and centered on its number of leaves.
    treads = np.append(leaves, leaves[-1] + 1) - 0.5
    colors = shades(ax)
    labels: list[tuple[Line2D, str, bool]] = []

    def draw(height: Floats, name: str, look: dict[str, Any]) -> None:
        look = look | {"color": colors[look["color"]]}
        (line,) = ax.step(treads, np.append(height, height[-1]), where="post", **look)
        labels.append((line, name, False))

    if epsilon is not None and step is not None:
        size = step + 1
        ax.plot(size, path.errors[step], "o", color=colors["error"], markersize=6, zorder=4)
        post = ax.axvline(size, ymax=0.8, color=colors["epsilon"], linewidth=1, zorder=1.5)
        labels.append((draw_level(ax, epsilon, colors["epsilon"]), f"ε = {epsilon:g}", True))
        labels.append((post, count_leaves(size), True))
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


def _check_curves(path: GrowthPath, curves: Sequence[str]) -> dict[str, Floats]:
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


def _check_bounds(bounds: Any, length: int) -> dict[str, Floats]:
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


BAND = 0.09
"""The share of the axes above the curves that a line of text takes."""

GAP = 3.0
"""Points from a line to the text beside it."""

WIDE = 40
"""Of more leaves the axis is logarithmic: what is to be seen is among the small trees."""


class _Curves(NamedTuple):
    """Sizes, ascending; the error on the sample if it is known; what tests the trees, if any."""

    sizes: Ints
    error: Floats | None
    test: tuple[str, Floats, Floats] | None
    """What it is called, the errors, and their standard errors."""


@with_hints
def path(path: Any, X: Any = None, y: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw the error of every tree of a path against its leaves, and which tree to take.

    Where there are examples that did not grow the trees, a test set ``X, y`` or the folds of
    cross-validation, two sizes are marked: that of the least error, and the smallest whose error is
    within one standard error of it, the 1-SE rule (Breiman, Friedman, Olshen and Stone 1984). The
    standard error is that of a mean over so many independent examples.

    Parameters
    ----------
    path : path or pruning
        A `GrowthPath`, as of `grow`; a `PruningPath`, as of `cost_complexity_path`; what
        `smallest_prunings` returns; or what `cross_validated_prune` returns, whose
        errors are those on the examples held out.
    X, y : (m, d) table and (m,) labels, optional
        Examples that did not grow the trees.
    ax : Axes, optional
        Drawn on as ``ax.plot`` would; None makes a figure.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> X = [[i] for i in range(20)]
    >>> y = [int(i >= 10) ^ (i in (3, 15)) for i in range(20)]
    >>> pruning = dt.pruning.cross_validated_prune(X, y, dt.grow)
    >>> ax = dt.plot.path(pruning, ax=Figure().subplots())
    >>> ax.texts[1].get_text()
    '2 leaves: least, 1-SE rule'
    """
    curves = _read(path, X, y)
    given = check_axes(ax)
    ax = new_axes() if given is None else given
    is_fresh = not ax.has_data()
    colors = shades(ax)
    sizes: list[tuple[int, str]] = []
    ends: list[tuple[Line2D, str, bool]] = []
    if curves.error is not None:
        (line,) = ax.plot(curves.sizes, curves.error, color=colors["error"], marker=".")
        ends.append((line, "on the sample", True))
    if curves.test is not None:
        name, errors, spread = curves.test
        (line,) = ax.plot(curves.sizes, errors, color=colors["cost"], marker=".", zorder=2.5)
        ends.append((line, name, True))
        look: dict[str, Any]
        least = int(errors.argmin())
        limit = float(errors[least] + spread[least])
        chosen = int(np.flatnonzero(errors <= limit)[0])
        draw_level(ax, limit, colors["epsilon"])
        # Outside: within, it would lie on the curve that it is about.
        look = {"color": colors["epsilon"], "fontsize": type_size(), "va": "center"}
        ax.text(1.02, limit, "least\n+ 1 SE", transform=ax.get_yaxis_transform(), **look)
        ax.errorbar(
            curves.sizes[least], errors[least], spread[least], color=colors["cost"], capsize=3
        )
        words = {least: "least error"}
        words[chosen] = "least, 1-SE rule" if chosen == least else "1-SE rule"
        for place, text in words.items():
            size = int(curves.sizes[place])
            fill = colors["cost"] if place == chosen else background(ax)
            look = {"color": colors["cost"], "markerfacecolor": fill, "markersize": 8}
            ax.plot([size], [errors[place]], "o", **look, zorder=3)
            ax.axvline(size, color=colors["epsilon"], linewidth=1, zorder=1.5)
            sizes.append((size, f"{size} {'leaf' if size == 1 else 'leaves'}: {text}"))
    ax.set_xlabel(ax.get_xlabel() or "leaves")
    ax.set_ylabel(ax.get_ylabel() or "error")
    if is_fresh:
        ax.set_ylim(0, ax.get_ylim()[1] * (1 + BAND * len(sizes)))
    if curves.sizes[-1] > WIDE:
        ax.set_xscale("log", base=2)
        powers = [1 << k for k in range(int(curves.sizes[-1]).bit_length())]
        ax.xaxis.set_major_locator(FixedLocator(powers))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter("{x:.0f}")
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    _name_sizes(ax, sorted(sizes), colors["epsilon"])
    label_lines(ax, ends)
    return ax


def _name_sizes(ax: Axes, sizes: list[tuple[int, str]], color: str) -> None:
    """Write what sizes are, on no line: at the top on both sides of all, or on one; else above."""
    if not sizes:
        return
    wide, _ = axes_size(ax)
    places = ax.transAxes.inverted().transform(ax.transData.transform([(s, 0.0) for s, _ in sizes]))
    low, high = (wide * float(places[k, 0]) for k in (0, -1))
    widths = [text_size(ax.figure, text, type_size())[0] + GAP for _, text in sizes]
    apart = len(sizes) > 1 and widths[0] <= low and widths[-1] <= wide - high
    look: dict[str, Any] = {"textcoords": "offset points", "fontsize": type_size(), "color": color}
    if max(widths) > max(low, wide - high):
        lines = "\n".join(text for _, text in sizes)
        ax.annotate(lines, (0, 1), xycoords="axes fraction", xytext=(0, 2 * GAP), **look)
        return
    for k, (size, text) in enumerate(sizes):
        is_left = k == 0 if apart else wide - high < low
        beside = size if apart else sizes[0 if is_left else -1][0]
        down = GAP + (0 if apart else k * 1.2 * type_size())
        ax.annotate(
            text,
            (beside, 1),
            xycoords=("data", "axes fraction"),
            xytext=(-GAP if is_left else GAP, -down),
            ha="right" if is_left else "left",
            va="top",
            **look,
        )


def _read(path: Any, X: Any, y: Any) -> _Curves:
    """What a path has to be drawn; a chapter's result is known by what it has."""
    X, y, *_ = read_handed(X, y, needs_y=False)
    if (X is None) != (y is None):
        msg = f"X and y must be given together, got X = {as_repr(X)} and y = {as_repr(y)}"
        raise ValueError(msg)
    if hasattr(path, "held_out"):
        if X is not None:
            msg = "X and y must be left out with cross-validation, which has its own test sets"
            raise ValueError(msg)
        test = "held out", path.held_out / path.counts.m, path.standard_errors
        return _Curves(path.candidates, None, test)
    if isinstance(path, GrowthPath):
        sizes, error = np.arange(1, path.n_splits + 2), path.errors
    elif hasattr(path, "breaks"):
        order = np.lexsort((path.errors, path.n_leaves))
        sizes, first = np.unique(path.n_leaves[order], return_index=True)
        error = path.errors[order][first] / path.m
    elif hasattr(path, "front_n_leaves"):
        sizes, error = path.front_n_leaves, path.front_errors / path.counts.m
    else:
        msg = (
            "path must be a growth path, a pruning path, the smallest prunings or a pruning by "
            f"cross-validation, got {as_repr(path)}"
        )
        raise ValueError(msg)
    if X is None:
        return _Curves(sizes, error, None)
    trees = [path.tree(int(size)) for size in sizes]
    lost = [losses(tree.predict(X), y, is_regression=tree.is_regression) for tree in trees]
    means = np.array([loss.mean() for loss in lost])
    spread = np.array([loss.std() for loss in lost]) / math.sqrt(lost[0].size)
    return _Curves(sizes, error, ("on the test set", means, spread))
