"""What a tree predicts over two of its columns: decision regions, and the examples on them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from dtviz.core.bases import Floats, Ints
from dtviz.core.checks import as_integer, as_repr
from dtviz.core.data.examples import find_columns
from dtviz.core.data.frames import names_of
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_real_labels
from dtviz.core.hints import with_hints
from dtviz.core.names import decimal, in_line
from dtviz.core.tree.bridges import as_tree
from dtviz.core.tree.export import without_point
from dtviz.core.tree.nodes import read_rows, send_rows
from dtviz.core.tree.tree import Tree
from dtviz.plot.canvas import (
    axes_size,
    background,
    check_axes,
    new_axes,
    shades,
    text_size,
    type_size,
)
from dtviz.plot.nodes import find_class_keys, labels_for
from dtviz.plot.theme import tint

MARKERS = "o^sDvP"
"""Of the classes, in their order: they differ without color as well."""

COLOR_MAP = "viridis"
"""Of numbers: its lightness rises evenly, for all kinds of sight, and it has no grays."""

FEW = 8
"""So many whole numbers on an axis are drawn as categories are."""

MESH: dict[str, Any] = {"edgecolors": "face", "linewidth": 0.4, "zorder": 0}
"""Of the cells: without edges of their own color seams would be seen."""

MARGIN = 8
"""Points around a number in its region, in all."""

LINE = 56
"""The characters of a line that says where the other columns stand."""


class _Side(NamedTuple):
    """One axis: the column, its name, where the cells end, a value in each, and categories."""

    column: int
    name: str
    edges: Floats
    values: Floats
    kinds: tuple[str, ...] | None
    is_spread: bool


@with_hints
def regions(  # noqa: PLR0913 - most are by keyword
    tree: Any,
    X: Any,
    y: Any = None,
    columns: Sequence[Any] | None = None,
    *,
    at: Mapping[Any, Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw what a tree predicts over two columns, and the examples where they stand.

    The regions are exact: their borders are the thresholds of the tree. Every other column that the
    tree tests stands still: at the median of its numbers (the lower of two) or its most frequent
    category, or where ``at`` puts it; the line over the picture says where. An example whose own
    values there give it another prediction than its region has is drawn pale. An example with a
    missing value in one of the two columns is not drawn.

    Classes differ by color and by the shape of their marks, every other one hollow; numbers have a
    color bar, and each region that has room for it says its own. On an axis of categories, or of a
    few whole numbers, the examples of one value are spread out.

    Parameters
    ----------
    tree : Tree, or what has one
        As for `dtviz.plot.tree`; its leaves labeled, with at most six classes, or with numbers.
    X : (m, d) array or data frame
        Examples with all the columns that the tree knows.
    y : (m,) array-like
        Their labels.
    columns : pair of names or numbers of columns, optional
        The axes, across and up; needed if the tree has not two columns. Their numbers are those of
        the tree's features.
    at : mapping from columns to values, optional
        Where other columns stand: numbers or categories.
    ax : Axes, optional
        Drawn on; None makes a figure.

    Examples
    --------
    >>> import dtviz as dt
    >>> from matplotlib.figure import Figure
    >>> people = dt.datasets.titanic(numeric=True)
    >>> path = dt.grow(people.X, people.y, max_leaves=4, feature_names=people.feature_names)
    >>> ax = dt.plot.regions(path, people.X, people.y, ("age", "class"), ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel(), ax.get_legend().get_title().get_text()
    ('age', 'class', 'at male = 1')
    """
    tree = as_tree("tree", tree)
    if tree.value is None:
        msg = f"tree must have labels at its leaves, got a bare one, {as_repr(tree)}"
        raise ValueError(msg)
    X, y, *_ = read_handed(X, y)
    rows = read_rows(tree, X, "error").astype(np.float64)
    names = _name_columns(tree, X, rows.shape[1])
    pair = _check_pair((0, 1) if columns is None and len(names) == 2 else columns, names)
    point = _find_point(tree, rows, names, pair, {} if at is None else at)
    labels = as_real_labels(y, len(rows)) if tree.is_regression else labels_for(tree, y, len(rows))
    sides = [_side(tree, rows, i, names[i]) for i in pair]
    given = check_axes(ax)
    ax = new_axes() if given is None else given
    leaves = _find_leaves(tree, sides, point)
    draw = _draw_numbers if tree.is_regression else _draw_classes
    draw(ax, sides, tree.value[leaves], _place_marks(tree, rows, labels, sides, point))
    _set_axes(ax, sides)
    if tree.is_regression:
        _write_numbers(ax, sides, leaves, tree.value)
    _say_where(ax, tree, names, point, [i for i in range(len(names)) if i not in pair])
    return ax


def _name_columns(tree: Tree, X: Any, n: int) -> list[str]:
    """What the n features of a tree are called, by the tree or by a data frame."""
    titles: Any = tree.names.features
    if titles is None and (found := names_of(X)) is not None:
        texts = [*map(str, found)]
        titles = [texts[place] for place in find_columns(texts, tree.names)]
    return [in_line(titles[i]) if titles else f"x{i}" for i in range(n)]


def _check_pair(columns: Any, names: list[str]) -> list[int]:
    given = [*columns] if isinstance(columns, (tuple, list)) else []
    pair = [_column("columns", column, names) for column in given]
    if len(set(pair)) != 2 or len(pair) != 2:
        msg = f"columns must be two different columns of X, a pair, got {as_repr(columns)}"
        raise ValueError(msg)
    return pair


def _column(argument: str, column: object, names: list[str]) -> int:
    """The place of a column, given that or its name."""
    if isinstance(column, str):
        if column not in names:
            msg = f"{argument} must be columns of X, {as_repr(names)}, got {as_repr(column)}"
            raise ValueError(msg)
        return names.index(column)
    return as_integer(argument, column, 0, len(names) - 1)


def _find_point(tree: Tree, rows: Floats, names: list[str], pair: list[int], at: Any) -> Floats:
    """Where each column stands still."""
    if not isinstance(at, Mapping):
        msg = f"at must map columns to values, got {as_repr(at)}"
        raise ValueError(msg)
    point = np.zeros(rows.shape[1])
    for i, column in enumerate(rows.T):
        there = np.sort(column[~np.isnan(column)])
        if i in tree.names.categories:
            point[i] = np.bincount(there.astype(np.intp), minlength=1).argmax()
        elif there.size:
            point[i] = there[(there.size - 1) // 2]
    for key, value in at.items():
        i = _column("at", key, names)
        if i in pair:
            msg = f"at must not have a column of an axis, got {as_repr(key)}"
            raise ValueError(msg)
        kinds = tree.names.categories.get(i, ())
        code = kinds.index(value) if value in kinds else value
        is_number = isinstance(code, (int, float, np.number)) and np.isfinite(code)
        if not is_number or (kinds and code not in range(len(kinds))):
            rule = f"one of {as_repr(list(kinds))}" if kinds else "a finite number"
            msg = f"at must have {rule} for {names[i]}, got {as_repr(value)}"
            raise ValueError(msg)
        point[i] = code
    return point


def _side(tree: Tree, rows: Floats, i: int, name: str) -> _Side:
    """The cells of a column: one between neighboring thresholds, or for each category."""
    kinds = tree.names.categories.get(i)
    if kinds is not None:
        codes = np.arange(len(kinds), dtype=np.float64)
        return _Side(i, name, np.append(codes, len(kinds)) - 0.5, codes, kinds, is_spread=True)
    there = rows[~np.isnan(rows[:, i]), i]
    if not there.size:
        msg = f"X must have a value in column {name}, all are missing"
        raise ValueError(msg)
    low, high = float(there.min()), float(there.max())
    is_whole = bool((there == np.floor(there)).all()) and np.unique(there).size <= FEW
    room = 0.5 if is_whole else 0.06 * (high - low) or 0.5
    cuts = np.unique(tree.threshold[tree.variable == i])
    cuts = cuts[(low - room < cuts) & (cuts < high + room)]
    edges = np.concatenate([[low - room], cuts, [high + room]])
    # A value on a threshold goes low, so the upper end of a cell belongs to it.
    return _Side(i, name, edges, edges[1:].copy(), None, is_spread=is_whole)


class _Marks(NamedTuple):
    """The examples to be drawn: where they stand, their labels, and which of them are pale."""

    places: Floats
    labels: npt.NDArray[Any]
    pale: npt.NDArray[np.bool_]


def _find_leaves(tree: Tree, sides: list[_Side], point: Floats) -> Ints:
    """The leaf of each cell, a row of cells for each step up."""
    across, up = np.meshgrid(sides[0].values, sides[1].values)
    cells = np.tile(point, (across.size, 1))
    cells[:, sides[0].column], cells[:, sides[1].column] = across.ravel(), up.ravel()
    return send_rows(tree, cells).reshape(across.shape)


def _place_marks(
    tree: Tree, rows: Floats, labels: npt.NDArray[Any], sides: list[_Side], point: Floats
) -> _Marks:
    """The examples that have a value in both columns, spread out where many share one."""
    pair = [side.column for side in sides]
    there = ~np.isnan(rows[:, pair]).any(axis=1)
    own, moved = rows[there], np.tile(point, (int(there.sum()), 1))
    moved[:, pair] = own[:, pair]
    value: Any = tree.value
    pale = value[send_rows(tree, moved)] != value[send_rows(tree, own)]
    places, rng = rows[:, pair], np.random.default_rng(0)
    for k, side in enumerate(sides):
        if side.is_spread:
            places[:, k] += rng.uniform(-0.32, 0.32, len(places))
    return _Marks(places[there], labels[there], pale)


def _set_axes(ax: Axes, sides: list[_Side]) -> None:
    """Name the axes and end them where the cells end."""
    for axis, side in zip((ax.xaxis, ax.yaxis), sides, strict=True):
        axis.set_label_text(axis.get_label_text() or side.name, parse_math=False)
        if side.kinds is not None:
            axis.set_ticks(range(len(side.kinds)), [in_line(kind) for kind in side.kinds])
        elif side.is_spread:
            axis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlim(*sides[0].edges[[0, -1]])
    ax.set_ylim(*sides[1].edges[[0, -1]])


def _draw_classes(ax: Axes, sides: list[_Side], predicted: Any, marks: _Marks) -> None:
    keys = find_class_keys({*predicted.ravel().tolist(), *marks.labels.tolist()})
    if not keys:
        msg = f"tree and y must have at most {len(MARKERS)} classes, got more"
        raise ValueError(msg)
    colors, ground = shades(ax), background(ax)
    fills = {label: tint(colors[key], 0.24, ground) for label, key in keys.items()}
    cells = np.array([[fills[label] for label in row] for row in predicted.tolist()])
    ax.pcolormesh(sides[0].edges, sides[1].edges, cells, **MESH)
    _draw_borders(ax, sides, predicted, colors["ink"])
    handles = []
    for k, (label, key) in enumerate(keys.items()):
        look: dict[str, Any] = {
            "marker": MARKERS[k],
            "color": colors[key],
            "markerfacecolor": ground if k % 2 == 0 else colors[key],
            "linestyle": "none",
            "markersize": 5,
        }
        for is_pale in (True, False):
            some = marks.places[(marks.labels == label) & (marks.pale == is_pale)]
            ax.plot(*some.T, **look, alpha=0.3 if is_pale else 1, zorder=2 - is_pale)
        handles.append(Line2D([], [], label=in_line(str(without_point(label))), **look))
    legend = ax.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=len(handles),
        frameon=False,
        alignment="left",
        borderaxespad=0.1,
        handletextpad=0.1,
        columnspacing=1.2,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def _draw_numbers(ax: Axes, sides: list[_Side], predicted: Any, marks: _Marks) -> None:
    every = np.concatenate([predicted.ravel(), marks.labels])
    look: dict[str, Any] = {
        "cmap": COLOR_MAP,
        "norm": Normalize(float(every.min()), float(every.max())),
    }
    mesh = ax.pcolormesh(sides[0].edges, sides[1].edges, predicted, **MESH, **look)
    _draw_borders(ax, sides, predicted, "white")
    spots: dict[str, Any] = {"s": 26, "edgecolors": "white", "linewidths": 0.8, **look}
    for is_pale in (True, False):
        some, alpha = marks.pale == is_pale, 0.35 if is_pale else 1
        across, up = marks.places[some].T
        ax.scatter(across, up, c=marks.labels[some], alpha=alpha, zorder=2 - is_pale, **spots)
    ax.figure.colorbar(mesh, ax=ax, label="label and prediction")


def _write_numbers(ax: Axes, sides: list[_Side], leaves: Any, value: Any) -> None:
    """In the middle of each region what is predicted there, if it fits in."""
    room = np.array(axes_size(ax)) / [np.ptp(side.edges) for side in sides]
    for leaf in np.unique(leaves).tolist():
        places = np.nonzero(leaves == leaf)[::-1]
        ends = [
            (s.edges[k.min()], s.edges[k.max() + 1]) for s, k in zip(sides, places, strict=True)
        ]
        text = decimal(float(value[leaf]), 3, 4)
        size = np.array(text_size(ax.figure, text, type_size())) + MARGIN
        is_whole = places[0].size == np.prod([k.max() + 1 - k.min() for k in places])
        if is_whole and (size <= np.ptp(ends, axis=1) * room).all():
            box = {
                "boxstyle": "round,pad=0.15",
                "facecolor": background(ax),
                "alpha": 0.85,
                "lw": 0,
            }
            look: dict[str, Any] = {"ha": "center", "va": "center", "bbox": box, "zorder": 3}
            across, up = (float(middle) for middle in np.mean(ends, axis=1))
            ax.text(across, up, text, color=shades(ax)["ink"], **look)


def _draw_borders(ax: Axes, sides: list[_Side], predicted: Any, color: str) -> None:
    """Lines where the prediction changes: to be seen without colors, too."""
    across, up = (side.edges for side in sides)
    i, j = np.nonzero(predicted[:, 1:] != predicted[:, :-1])
    upright = np.transpose([[across[j + 1], up[i]], [across[j + 1], up[i + 1]]], (2, 0, 1))
    i, j = np.nonzero(predicted[1:] != predicted[:-1])
    level = np.transpose([[across[j], up[i + 1]], [across[j + 1], up[i + 1]]], (2, 0, 1))
    ax.add_collection(LineCollection([*upright, *level], colors=color, linewidths=1, zorder=0.5))


def _say_where(ax: Axes, tree: Tree, names: list[str], point: Floats, others: list[int]) -> None:
    """Over the picture: where the other columns stand that the tree tests."""
    parts = []
    for i in others:
        if (tree.variable == i).any():
            kinds = tree.names.categories.get(i)
            value = decimal(float(point[i]), 4) if kinds is None else in_line(kinds[int(point[i])])
            parts.append(f"{names[i]} = {value}".replace(" ", "\xa0"))
    if not parts:
        return
    text = textwrap.fill(f"at {', '.join(parts)}", LINE).replace("\xa0", " ")
    legend = ax.get_legend()
    if legend is None:
        ax.set_title(text, fontsize="medium", loc="left", parse_math=False)
        return
    legend.set_title(text)
    legend.get_title().set_parse_math(False)
