"""Base classes: values that never change, arrays among them, and values that Jupyter shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from dtviz.core.hints import SaysNames

Kind = TypeVar("Kind", bound=np.generic)

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]


def freeze_array(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """Return the array itself, read-only from now on."""
    array.flags.writeable = False
    return array


class Immutable(SaysNames):
    """Base of classes whose attributes nobody changes; ``__init__`` sets them through ``vars``.

    A subclass says in ``__reduce__`` how to make it again, so that copies and pickles pass its
    checks and come back read-only too.
    """

    __array_ufunc__ = None  # NumPy is not to compare or combine such values element by element

    def __setattr__(self, name: str, value: object) -> NoReturn:
        msg = f"a {type(self).__name__} cannot be changed: tried to set {name!r}"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> NoReturn:
        msg = f"a {type(self).__name__} cannot be changed: tried to delete {name!r}"
        raise AttributeError(msg)


@dataclass(frozen=True, eq=False, repr=False)
class FrozenArrays(SaysNames):
    """Base of frozen dataclasses that hold arrays: read-only, and so are those of their copies."""

    def __post_init__(self) -> None:
        for held in vars(self).values():
            if isinstance(held, np.ndarray):
                freeze_array(held)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {column.name: getattr(self, column.name) for column in fields(self) if column.init}
        return partial(type(self), **values), ()


_artists: list[Callable[[object], str | None]] = []
"""Who draws trees and paths; without one their text is shown.

Drawing stands on a higher floor, so they cannot ask for it: the facade hands them the one who
draws.
"""


def draw_with(artist: Callable[[object], str | None]) -> None:
    """Have pictures drawn by a function that makes HTML of a tree or a path, None of others."""
    _artists[:] = [artist]


class HasPicture(SaysNames):
    """Base of what Jupyter shows as a picture and a terminal as text."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return _artists[0](self) if _artists else None
