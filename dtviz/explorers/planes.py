"""Labeled points in the plane for the explorers: five data sets of the field, four made up.

Four of the real ones are two columns each of data sets that scikit-learn holds, too; they are
stored here in ``data/``, with their sources, so that the explorers work without it. Readers bring
their own: a table, of which two columns are seen, or points that they set by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import freeze_array
from dtviz.core.checks import as_repr
from dtviz.core.data.datasets import titanic
from dtviz.core.data.examples import Inputs
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import REGRESSION, as_classes, as_real_labels, has_fractions
from dtviz.explorers.columns import own_labels

MAX_POINTS = 1500
MAX_COLUMNS = 40
MAX_CLASSES = 3
"""As many as have a color and a shape of their own."""

OWN = "yours"
"""The name of the points that readers set by hand."""

FARTHEST = 1e12
"""Their coordinates are at most so large."""

LARGEST = 1e150
"""The numbers of a table are at most so large: their spans are numbers, too."""

LONGEST_NAME = 60

FEW_KINDS = 6
"""So many categories are named beside the axis."""

SKEW = 10
"""An axis of amounts whose largest is so many times their mean is logarithmic."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Labels = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Plane:
    """Points ``X``, an ``(m, 2)`` array, with ``y``: places of ``classes``, or numbers.

    Of a reader's, ``held`` says which are held out: the tree does not see them; ``left_out`` how
    many rows of a table are not here, since a value is missing; ``labels`` what the classes stand
    for, if they are not 0, 1, ...
    """

    X: Floats
    y: Labels
    features: tuple[str, ...]
    classes: tuple[str, ...]
    held: npt.NDArray[np.bool_] | None = None
    left_out: int = 0
    labels: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        freeze_array(self.X)
        freeze_array(self.y)

    @property
    def logarithmic(self) -> tuple[bool, bool]:
        """Which axes are drawn on a log scale: those of amounts of which a few are huge."""
        low, high = (bool(c.min(initial=0) >= 0 and c.max() > SKEW * c.mean()) for c in self.X.T)
        return low, high

    @property
    def seen(self) -> tuple[Floats, Labels]:
        """The points that the tree sees, and their labels."""
        return (self.X, self.y) if self.held is None else (self.X[~self.held], self.y[~self.held])


@dataclass(frozen=True, eq=False)
class Table:
    """Examples of more columns than two, of which two are seen.

    ``values`` is a ``(d, m)`` array, NaN where one is missing; ``features`` are what stands at an
    axis: the name, and what the codes of categories mean. The rest is as in a `Plane`.
    """

    columns: tuple[str, ...]
    features: tuple[str, ...]
    values: Floats
    y: Labels
    classes: tuple[str, ...]
    labels: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        freeze_array(self.values)
        freeze_array(self.y)

    def plane(self, axes: Sequence[str] = ()) -> Plane:
        """Two columns, the first two if none are named, and the rows that have a value in both."""
        places = tuple(self.columns.index(name) for name in axes) or (0, 1)
        return _two_columns(self, *places)


@lru_cache(maxsize=128)
def _two_columns(table: Table, i: int, j: int) -> Plane:
    X = table.values[[i, j]].T
    there = ~np.isnan(X).any(axis=1)
    names = table.features[i], table.features[j]
    left_out = int((~there).sum())
    return Plane(
        X[there], table.y[there], names, table.classes, left_out=left_out, labels=table.labels
    )


def _read_stored(name: str) -> Plane:
    """Read a data set of the package: a line of source, a header, a row for each example."""
    text = (files("dtviz.explorers") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    header, *rows = (line.split(",") for line in text.splitlines() if not line.startswith("#"))
    labels = [row[2] for row in rows]
    classes = tuple(sorted(set(labels)))
    y = np.array([classes.index(label) for label in labels])
    return Plane(np.array([row[:2] for row in rows], float), y, tuple(header[:2]), classes)


def _make_plane(X: Floats, inside: Any) -> Plane:
    return Plane(X, np.asarray(inside, np.intp), ("x0", "x1"), ("class 0", "class 1"))


def _square(seed: int, inside: Callable[[Floats, Floats], Any]) -> Plane:
    """Points of the unit square, to three digits, of class 1 where a rule says so."""
    X = np.round(np.random.default_rng(seed).random((160, 2)), 3)
    return _make_plane(X, inside(*X.T))


def _corner() -> Plane:
    """A lattice without one corner, which no first split under the error cost can see.

    On both sides of every split the larger class remains the larger; two splits tell the corner.
    """
    X = np.array([[x, y] for x in range(10) for y in range(10)]) / 10 + 0.05
    return _make_plane(np.round(X, 2), (X > 0.4).any(axis=1))


def _titanic() -> Plane:
    """The passengers on which the book grows its trees: the others prune and judge them."""
    people = titanic(numeric=True).split(450, 200, seed=0)[0]
    seen = [people.feature_names.index(name) for name in ("age", "fare")]
    return Plane(people.X[:, seen], people.y.astype(np.intp), ("age", "fare"), people.class_names)


PLANES: Mapping[str, Callable[[], Plane]] = MappingProxyType(
    {
        "breast cancer": lambda: _read_stored("breast_cancer"),
        "iris": lambda: _read_stored("iris"),
        "wine": lambda: _read_stored("wine"),
        "titanic": _titanic,
        "corner": _corner,
        # The checkerboard of four fields: no first split helps, except by chance.
        "xor": lambda: _square(1, lambda x, y: (x > 0.5) != (y > 0.5)),
        # A slanted border: a tree can only climb it in steps.
        "diagonal": lambda: _square(2, lambda x, y: x + 2 * y > 1.5),
        # A disc, a ring around it, and the rest of the square.
        "rings": lambda: _square(3, lambda x, y: np.abs(np.hypot(x - 0.5, y - 0.5) - 0.3) < 0.1),
        # The first question moves with the cost.
        "tumor size": lambda: _read_stored("tumor_size"),
    }
)
"""The data sets offered if none is given."""


@cache
def named_plane(name: str) -> Plane:
    """Return one of `PLANES`, made once."""
    return PLANES[name]()


def categories_of(feature: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the name of an axis of categories, and what its numbers mean.

    None if it is none, or a category has a comma of its own.
    """
    name, colon, listed = feature.partition(": ")
    parts = [part.rpartition(" ") for part in listed.split(", ")]
    right = all(kind and code == str(k) for k, (kind, _, code) in enumerate(parts))
    if not colon or len(parts) < 2 or not right:
        return None
    return name, tuple(kind for kind, _, _ in parts)


def as_planes(
    X: Any,
    y: Any,
    feature_names: Sequence[str] | None,
    class_names: Sequence[str] | None,
    cost: object = None,
) -> Plane | Table:
    """Return the reader's own examples, or say what is wrong with them.

    ``X`` is as for `dtviz.grow`, of 2 to `MAX_COLUMNS` columns and 2 to `MAX_POINTS` rows;
    categories without an order become codes 0, 1, ... in the order of the mean of their labels,
    those tied as they first come. ``y`` is as `read_handed` reads it: labels of 2 to `MAX_CLASSES`
    kinds, or numbers, if the cost is "squared", or none is given and they are not all whole.
    ``class_names`` are in the order of sorted labels; the labels themselves if not given.
    """
    X, y, feature_names, class_names = read_handed(X, y, feature_names, class_names)
    inputs = Inputs(X, feature_names, allowed=True)
    values = inputs.columns.copy()
    d, m = values.shape
    if not 2 <= d <= MAX_COLUMNS:
        msg = f"X must have from 2 to {MAX_COLUMNS} columns, for example X[:, [0, 1]], got {d}"
        raise ValueError(msg)
    if not 2 <= m <= MAX_POINTS:
        msg = f"X must have from 2 to {MAX_POINTS} points, got {m}"
        raise ValueError(msg)
    codes, classes, labels = _read_labels(y, m, class_names, cost)
    names = tuple(inputs.names.feature(i) for i in range(d))
    if not (np.abs(values[~np.isnan(values)]) <= LARGEST).all():
        msg = f"X must have numbers up to {LARGEST:g} in size, which can be drawn"
        raise ValueError(msg)
    titles = list(names)
    for i, listed in inputs.names.categories.items():
        order = np.arange(len(listed))
        if i in inputs.nominal:
            order = _by_label(values[i], codes, len(listed))
        place = order.argsort()
        there = ~np.isnan(values[i])
        values[i, there] = place[values[i, there].astype(np.intp)]
        kind_texts = [repr(kind) if ", " in kind else kind for kind in listed]
        meanings = ", ".join(f"{kind_texts[code]} {k}" for k, code in enumerate(order))
        titles[i] += f": {meanings}" if len(listed) <= FEW_KINDS else ""
    if d == 2 and not np.isnan(values).any():
        return Plane(values.T.copy(), codes, tuple(titles), classes, labels=labels)
    return Table(names, tuple(titles), values, codes, classes, labels)


def _read_labels(
    y: Any, m: int, class_names: Any, cost: object
) -> tuple[Labels, tuple[str, ...], tuple[Any, ...] | None]:
    """Numbers, or the places of classes, their names, and what they stand for."""
    if cost == "squared" or (cost is None and has_fractions(y)):
        if class_names is not None:
            msg = f"class_names must be left out for numbers, got {as_repr(class_names)}"
            raise ValueError(msg)
        return as_real_labels(y, m), (), None
    kinds, codes = as_classes(y, m, hint=REGRESSION)
    if not 2 <= len(kinds) <= MAX_CLASSES:
        hint = REGRESSION if kinds.dtype.kind in "iuf" else ""
        msg = f"y must have from 2 to {MAX_CLASSES} classes, got {len(kinds)}{hint}"
        raise ValueError(msg)
    return (
        codes,
        _names(kinds if class_names is None else class_names, len(kinds)),
        own_labels(kinds),
    )


def _by_label(values: Floats, codes: Labels, n: int) -> Ints:
    """The codes of categories in the order of the mean of their labels, as growth has it of two."""

    def place(kind: int) -> tuple[float, int, int]:
        rows = np.flatnonzero(values == kind)
        return (codes[rows].mean(), int(rows[0]), kind) if rows.size else (0.0, values.size, kind)

    return np.array(sorted(range(n), key=place), np.intp)


def read_points(value: Any) -> Any:
    """Return points set by hand, or say what is wrong with them."""
    most = f"at most {MAX_POINTS:,}"
    rule = f"points must be {most} rows [x, y, label], with a fourth number 1 if held out"
    if not isinstance(value, list | tuple) or len(value) > MAX_POINTS:
        got = f"{len(value):,} rows" if isinstance(value, list | tuple) else as_repr(value)
        raise ValueError(f"{rule}, got {got}")
    for k, row in enumerate(value):
        if not _is_row(row):
            rest = f"numbers up to {FARTHEST:g} and a label 0, 1 or 2"
            raise ValueError(f"{rule}, {rest}, got {as_repr(row)} in row {k}")
    return value


def _is_row(row: Any) -> bool:
    if not isinstance(row, list | tuple) or len(row) not in (3, 4):
        return False
    plain = all(isinstance(v, int | float) and not isinstance(v, bool) for v in row)
    near = plain and all(abs(value) <= FARTHEST for value in row)
    return near and row[2] in (0, 1, 2) and (len(row) == 3 or row[3] in (0, 1))


def read_names(value: Any) -> Any:
    """Return the names of such points, or say what is wrong with them."""
    texts = isinstance(value, list | tuple) and all(
        isinstance(name, str) and len(name) <= LONGEST_NAME for name in value
    )
    if not texts or len(value) not in (0, 4, 5):
        rule = "none, or the names of two coordinates and of two or three classes"
        msg = f"names must be {rule}, texts of at most {LONGEST_NAME} letters, got {as_repr(value)}"
        raise ValueError(msg)
    return value


def own_plane(points: Sequence[Sequence[float]], names: Sequence[str]) -> Plane:
    """Points set by hand as a `Plane`; coordinates and classes without names are numbered."""
    return _own_plane(json.dumps(points), tuple(names))


@lru_cache(maxsize=16)
def _own_plane(points: str, names: tuple[str, ...]) -> Plane:
    rows = json.loads(points)
    y = np.array([row[2] for row in rows], np.intp)
    kinds = max(2, int(y.max(initial=0)) + 1)
    classes = (*names[2:], *(f"class {k}" for k in range(max(len(names) - 2, 0), kinds)))
    X = np.array([row[:2] for row in rows], float).reshape(-1, 2)
    features = names[:2] or ("x0", "x1")
    if features[0] == features[1]:  # one column at both axes
        features = features[0], f"again {features[1]}"
    held = np.array([len(row) > 3 and row[3] == 1 for row in rows], np.bool_)
    return Plane(X, y, features, classes, held)


def _names(value: Any, count: int) -> tuple[str, ...]:
    """Return as many different names of classes as asked for."""
    # The order of a set is nobody's, and that of a mapping another one.
    listed = isinstance(value, Iterable) and not isinstance(value, (str, Mapping, set, frozenset))
    names = tuple(str(item) for item in value) if listed else ()
    if len(set(names)) != count or len(names) != count:
        msg = f"class_names must be {count} different names, got {as_repr(value)}"
        raise ValueError(msg)
    return names
