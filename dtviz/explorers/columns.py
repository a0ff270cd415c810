"""A reader's table: whether something is one, and the labels that its codes stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.data.datasets import Dataset
from dtviz.core.data.frames import names_of
from dtviz.core.tree.tree import Tree

__all__ = ["check_first", "is_table", "own_labels", "with_labels"]


def check_first(explorer: object, traits: Mapping[str, Any]) -> None:
    """Refuse ``X`` by name where the argument that comes first is called otherwise."""
    if "X" in traits:
        name = type(explorer).__name__
        msg = f"{name}() has no argument X: the table comes first, without a name: {name}(X, y)"
        raise ValueError(msg)


def is_table(value: Any) -> bool:
    """Whether a value is an array, a data frame, or a sequence of rows."""
    if value is None or isinstance(value, BooleanFunction | Mapping | str):
        return False
    if isinstance(value, Dataset) or hasattr(value, "__array__") or names_of(value) is not None:
        return True
    rows = isinstance(value, list) and len(value) > 0
    return rows and all(isinstance(row, Sequence) and not isinstance(row, str) for row in value)


def own_labels(kinds: npt.NDArray[Any]) -> tuple[Any, ...] | None:
    """The labels that codes 0, 1, ... stand for; None where they are these numbers themselves."""
    same = kinds.dtype.kind in "iuf" and np.array_equal(kinds, np.arange(len(kinds)))
    return None if same else tuple(kinds.tolist())


def with_labels(tree: Tree, labels: tuple[Any, ...] | None) -> Tree:
    """A tree of codes 0, 1, ... that says the labels they stand for."""
    if labels is None or tree.value is None:
        return tree
    return tree.labeled(np.array(labels)[tree.value], replace(tree.names, labels=labels))
