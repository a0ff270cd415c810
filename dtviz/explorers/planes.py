"""Labelled points in the plane for the explorers: three data sets of the field, four made up.

The three real ones are two columns each of data sets that scikit-learn holds, too; they are stored
here in ``data/``, with their sources, so that the explorers work without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import shown
from dtviz.core.examples import Inputs
from dtviz.core.immutable import frozen
from dtviz.core.labels import as_classes

__all__ = ["MAX_CLASSES", "MAX_POINTS", "PLANES", "Plane", "as_plane", "named_plane"]

MAX_POINTS = 1000
MAX_CLASSES = 3
"""As many as have a colour and a shape of their own."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Plane:
    """Points with classes.

    Attributes
    ----------
    X : (m, 2) float array
        The points.
    y : (m,) int array
        The class of each, an index into ``classes``.
    features : tuple of two str
        Names of the coordinates.
    classes : tuple of str
        Names of the classes.
    """

    X: Floats
    y: npt.NDArray[np.intp]
    features: tuple[str, ...]
    classes: tuple[str, ...]

    def __post_init__(self) -> None:
        frozen(self.X)
        frozen(self.y)


def _stored(name: str) -> Plane:
    """Read a data set of the package: a line of source, a header, a row for each example."""
    text = (files("dtviz.explorers") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    header, *rows = (line.split(",") for line in text.splitlines() if not line.startswith("#"))
    labels = [row[2] for row in rows]
    classes = tuple(sorted(set(labels)))
    y = np.array([classes.index(label) for label in labels])
    return Plane(np.array([row[:2] for row in rows], float), y, tuple(header[:2]), classes)


def _made(X: Floats, inside: Any) -> Plane:
    return Plane(X, np.asarray(inside, np.intp), ("x0", "x1"), ("class 0", "class 1"))


def _uniform(seed: int) -> Floats:
    """Points of the unit square, to three digits."""
    return np.round(np.random.default_rng(seed).random((160, 2)), 3)


def _xor() -> Plane:
    """The checkerboard of four fields: no first split helps, except by chance."""
    X = _uniform(1)
    return _made(X, (X[:, 0] > 0.5) != (X[:, 1] > 0.5))


def _diagonal() -> Plane:
    """A slanted border: a tree can only climb it in steps."""
    X = _uniform(2)
    return _made(X, X[:, 0] + 2 * X[:, 1] > 1.5)


def _rings() -> Plane:
    """A disc, a ring around it, and the rest of the square."""
    X = _uniform(3)
    return _made(X, np.abs(np.hypot(*(X - 0.5).T) - 0.3) < 0.1)


def _corner() -> Plane:
    """A lattice without one corner, which no first split under the error cost can see.

    On both sides of every split the larger class remains the larger; two splits tell the corner.
    """
    X = np.array([[x, y] for x in range(10) for y in range(10)]) / 10 + 0.05
    return _made(np.round(X, 2), (X > 0.4).any(axis=1))


PLANES: Mapping[str, Callable[[], Plane]] = MappingProxyType(
    {
        "breast cancer": lambda: _stored("breast_cancer"),
        "iris": lambda: _stored("iris"),
        "wine": lambda: _stored("wine"),
        "corner": _corner,
        "xor": _xor,
        "diagonal": _diagonal,
        "rings": _rings,
    }
)
"""The data sets offered if none is given."""


@cache
def named_plane(name: str) -> Plane:
    """Return one of `PLANES`, made once."""
    return PLANES[name]()


def as_plane(
    X: Any, y: Any, feature_names: Sequence[str] | None, class_names: Sequence[str] | None
) -> Plane:
    """Return the reader's own points, or say what is wrong with them.

    Parameters
    ----------
    X, y, feature_names
        As for `dtviz.grow`: two columns of numbers, from 2 to `MAX_POINTS` rows, and a label for
        each, of 2 to `MAX_CLASSES` kinds.
    class_names : sequence of str, optional
        A name for each label, in sorted order; the labels themselves if not given.

    Raises
    ------
    ValueError
        If an argument is not as above.

    """
    inputs = Inputs(X, feature_names)
    points = inputs.columns.T.copy()
    if points.shape[1] != 2 or inputs.names.categories:
        got = "categories" if points.shape[1] == 2 else f"{points.shape[1]} columns"
        msg = f"X must be two columns of numbers, for example X[:, [0, 1]], got {got}"
        raise ValueError(msg)
    if not 2 <= len(points) <= MAX_POINTS:
        msg = f"X must have from 2 to {MAX_POINTS} points, got {len(points)}"
        raise ValueError(msg)
    kinds, codes = as_classes(y, len(points))
    if not 2 <= len(kinds) <= MAX_CLASSES:
        msg = f"y must have from 2 to {MAX_CLASSES} classes, got {len(kinds)}"
        raise ValueError(msg)
    classes = _names(kinds if class_names is None else class_names, len(kinds))
    return Plane(points, codes, tuple(inputs.names.feature(i) for i in (0, 1)), classes)


def _names(value: Any, count: int) -> tuple[str, ...]:
    """Return as many different names of classes as asked for."""
    listed = isinstance(value, Iterable) and not isinstance(value, str)
    names = tuple(str(item) for item in value) if listed else ()
    if len(set(names)) != count or len(names) != count:
        msg = f"class_names must be {count} different names, got {shown(value)}"
        raise ValueError(msg)
    return names
