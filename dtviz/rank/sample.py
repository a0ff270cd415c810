"""Samples of Boolean functions, held as bit sets over the examples.

A sample of m distinct examples is one integer of m bits per variable, whose bit k says whether
``x_i = 1`` in example k, and one for the labels. A sub-sample is an integer too: the half of S
where ``x_i = 1`` is ``S & columns[i]``, and S is pure when ``S & positives`` is 0 or S.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.boolean.cube import cube_points
from dtviz.core.boolean.measures import how_made
from dtviz.core.checks import as_array, as_bits, as_repr
from dtviz.core.data.frames import names_of
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_flat
from dtviz.core.names import Names

MAX_ENTRIES = 1 << 30
"""The largest sample accepted, in rows times columns."""


@dataclass(frozen=True, repr=False)
class Sample:
    """A sample S of a Boolean function: m distinct examples of n bits, each with one label.

    Example k is bit k of every set: ``columns[i]`` has the examples with ``x_i = 1``, ``positives``
    those with label 1. ``names`` says what the variables are called.
    """

    n: int
    m: int
    columns: tuple[int, ...]
    positives: int
    names: Names = field(default_factory=Names)

    @classmethod
    def of(cls, X: npt.ArrayLike | BooleanFunction, y: npt.ArrayLike | None = None) -> Sample:
        """Read a sample as `find` takes it; each example is kept once, where it appears first."""
        names: Any = None
        if y is None and isinstance(X, BooleanFunction):
            names = X.variables
            y, X = X.table, cube_points(X.n)
        else:
            if y is None and (call := how_made(X)):
                msg = f"X must be a BooleanFunction, or given with y, got {as_repr(X)}{call}"
                raise ValueError(msg)
            X, y, names, _ = read_handed(X, y)
            names = names_of(X) if names is None else names
        rows, labels = _matrix(X), as_bits("y", as_flat(y))
        if labels.shape != (len(rows),):
            msg = f"y must have one label per row of X, {len(rows)}, got shape {labels.shape}"
            raise ValueError(msg)
        first = _distinct(rows, labels)
        rows, labels = rows[first], labels[first]
        packed = np.packbits(rows, axis=0, bitorder="little")
        sets = tuple(_integer(packed[:, i]) for i in range(rows.shape[1]))
        positives = _integer(np.packbits(labels, bitorder="little"))
        texts = None if names is None else tuple(map(str, names))
        return cls(rows.shape[1], len(rows), sets, positives, Names(texts))

    @property
    def everything(self) -> int:
        """The set of all examples."""
        return (1 << self.m) - 1

    def __repr__(self) -> str:
        ones = self.positives.bit_count()
        return f"<Sample: {self.m} distinct examples of {self.n} variables, {ones} positive>"


def _integer(packed: npt.NDArray[np.uint8]) -> int:
    return int.from_bytes(packed.tobytes(), "little")


def _matrix(X: Any) -> npt.NDArray[np.int8]:
    """X as an (m, n) array of bytes, or the reason why it is not a sample, with the bad row."""
    size = getattr(X, "size", 0)
    if isinstance(size, int) and size > MAX_ENTRIES:
        msg = f"X must have at most 2^30 entries (rows times columns), got {size}: too large"
        raise ValueError(msg)
    rows = as_array(X)
    if rows is None:
        return as_bits("X", X)  # which says why there is no array
    if rows.ndim > 0 and len(rows) == 0:
        msg = "X must hold at least one example, got none"
        raise ValueError(msg)
    if rows.ndim != 2:
        msg = f"X must be 2-dimensional, one example a row, got shape {rows.shape}: {as_repr(X)}"
        raise ValueError(msg)
    return as_bits("X", rows)


def _distinct(rows: npt.NDArray[np.int8], labels: npt.NDArray[np.int8]) -> list[int]:
    """The first row of each distinct example; an error if an example has both labels."""
    packed = np.packbits(rows, axis=1)
    width = packed.shape[1]
    data = packed.tobytes()
    label = labels.tolist()
    first: dict[bytes, int] = {}
    for k in range(len(rows)):
        j = first.setdefault(data[k * width : (k + 1) * width], k)
        if label[j] != label[k]:
            msg = (
                f"y must give equal rows of X equal labels, got {label[j]} for row {j} and "
                f"{label[k]} for row {k}, both {as_repr(rows[k].tolist())}"
            )
            raise ValueError(msg)
    return list(first.values())
