"""The arrays of a tree: checks of each, and where children stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools, Ints, freeze_array
from dtviz.core.checks import as_array, as_flag, as_integer, as_repr
from dtviz.core.names import Names

Subsets = Mapping[int, frozenset[int]]

MAX_INDEX = 2**31 - 1
"""The largest index of a variable, and the largest code."""


def check_variables(variable: npt.ArrayLike) -> Ints:
    """Return the variables of nodes, -1 at leaves, or say which rule they break."""
    variables = array_of(variable)
    if variables.ndim != 1 or variables.size == 0 or variables.dtype.kind not in "iu":
        msg = f"variable must be a flat, non-empty sequence of integers, got {as_repr(variable)}"
        raise ValueError(msg)
    wrong = (variables < -1) | (variables > MAX_INDEX)
    if wrong.any():
        got = int(variables[wrong][0])
        msg = f"variable must be from 0 to {MAX_INDEX}, or -1 at a leaf, got {got}"
        raise ValueError(msg)
    return variables.astype(np.intp)


def check_thresholds(
    threshold: npt.ArrayLike, inner: Bools, missing: Bools | None
) -> npt.NDArray[np.float64]:
    """Return thresholds as floats; -inf tests whether a value is missing, inf whether it is not."""
    array = array_of(threshold)
    if array.shape != inner.shape:
        msg = f"threshold must have one per node ({inner.size}) in preorder, got {array.shape}"
        if array.ndim == 0:
            msg = f"threshold must be a flat sequence of numbers, got {as_repr(threshold)}"
        raise ValueError(msg)
    fine = array.dtype.kind in "biuf"
    floats = array.astype(np.float64) if fine else np.zeros(inner.shape)
    finite = np.isfinite(floats)
    if missing is not None:
        finite |= (floats == np.inf) & ~missing | (floats == -np.inf) & missing
    if not fine or not finite[inner].all():
        msg = f"threshold must be finite numbers, got {as_repr(array[inner].tolist())}"
        if missing is not None:
            msg += " (or -inf where what is missing goes low, inf where it goes high)"
        raise ValueError(msg)
    return floats


def check_missing(missing: npt.ArrayLike | None, inner: Bools) -> Bools | None:
    """Return where a missing value goes low, False at leaves; None if it is refused."""
    if missing is None:
        return None
    array = array_of(missing)
    if array.shape != inner.shape or not (
        array.dtype.kind == "b" or (array.dtype.kind in "iu" and np.isin(array, (0, 1)).all())
    ):
        msg = f"missing must be flat, a truth value per node ({inner.size}), got {as_repr(missing)}"
        raise ValueError(msg)
    return freeze_array(array.astype(np.bool_) & inner)


def check_subsets(subsets: Any, inner: Bools) -> Subsets:
    """Return the codes that go low, by node, or say which rule they break."""
    rule = "subsets must map inner nodes of the tree to the codes that go low"
    if not isinstance(subsets, Mapping):
        msg = f"{rule}, got {as_repr(subsets)}"
        raise ValueError(msg)
    found: dict[int, frozenset[int]] = {}
    for key, codes in subsets.items():
        node = as_integer("node of subsets", key, 0, inner.size - 1)
        if not inner[node] or isinstance(codes, str) or not isinstance(codes, Iterable):
            msg = f"{rule}, got {as_repr(codes)} at node {node}"
            raise ValueError(msg)
        found[node] = frozenset(
            as_integer(f"subsets[{node}]", code, 0, MAX_INDEX) for code in codes
        )
    return MappingProxyType(dict(sorted(found.items())))


def check_labels(value: npt.ArrayLike, inner: Bools) -> npt.NDArray[Any]:
    """Return a copy of the labels, 0 at internal nodes, or say which rule they break."""
    labels = array_of(value).copy()
    if labels.shape != inner.shape:
        got = f"shape {labels.shape}" if labels.ndim else as_repr(value)
        msg = f"value must be flat with one entry per node ({inner.size}), got {got}"
        raise ValueError(msg)
    labels[inner] = np.zeros(1, dtype=labels.dtype)[0]
    if (labels != labels).any():  # noqa: PLR0124 -- only NaN differs from itself
        msg = f"value must not contain NaN, got {as_repr(value)}"
        raise ValueError(msg)
    return freeze_array(labels)


def check_is_regression(is_regression: object, labels: npt.NDArray[Any] | None) -> bool:
    """Whether labels are numbers that a regression tree predicts: so given, or not all whole."""
    given = as_flag("is_regression", is_regression)
    if labels is None:
        return False
    if given and labels.dtype.kind not in "biuf":
        msg = f"value must be numbers in a regression tree, got {as_repr(labels.tolist())}"
        raise ValueError(msg)
    return given or (labels.dtype.kind == "f" and bool((labels != np.floor(labels)).any()))


def check_names(names: Names | None, highest: int) -> Names:
    """Return names that cover every variable tested, those of no features if there are none."""
    if names is None:
        return Names()
    if not isinstance(names, Names):
        msg = f"names must be a Names, got {as_repr(names)}"
        raise ValueError(msg)
    if names.features is not None and len(names.features) <= highest:
        msg = f"names must name x0 .. x{highest}, got {len(names.features)} names"
        raise ValueError(msg)
    return names


def array_of(values: Any) -> npt.NDArray[Any]:
    """Return the array of *values*; where there is none, one of shape (), which no rule accepts."""
    array = as_array(values)
    return np.array(None) if array is None else array


def low_and_high(variable: Ints) -> tuple[Ints, Ints]:
    """The children of every node of a preorder list; an error if the list is not one tree."""
    inner = variable >= 0
    # How many subtrees are still to come before each node, and after the last.
    due = np.cumsum(np.concatenate([[1], np.where(inner, 1, -1)]))
    if due[-1] != 0 or (due[:-1] <= 0).any():
        msg = f"variable must list one binary tree in preorder, got {as_repr(variable.tolist())}"
        raise ValueError(msg)
    due = due[:-1]
    low = np.where(inner, np.arange(1, variable.size + 1), -1)
    # The high child comes when the low subtree is done: as many are due as before the parent.
    order = np.argsort(due, kind="stable")
    high = np.full(variable.size, -1, dtype=np.intp)
    high[order[:-1]] = order[1:]
    high[~inner] = -1
    return low, high


def preorder(inner: Sequence[npt.NDArray[np.bool_]]) -> Ints:
    """Where the nodes of a tree in preorder stand in a list of its levels, each left to right.

    ``inner[d]`` says which nodes at depth d have children.
    """
    sizes = [level.size for level in inner]
    start = np.cumsum([0, *sizes])
    nodes = [start[d] + np.flatnonzero(level) for d, level in enumerate(inner)]
    lows = [start[d + 1] + 2 * np.arange(parents.size) for d, parents in enumerate(nodes)]
    below = np.ones(start[-1], dtype=np.intp)
    for parents, low in zip(reversed(nodes), reversed(lows), strict=True):
        below[parents] += below[low] + below[low + 1]
    place = np.zeros(start[-1], dtype=np.intp)
    for parents, low in zip(nodes, lows, strict=True):
        place[low] = place[parents] + 1
        place[low + 1] = place[low] + below[low]
    order = np.empty_like(place)
    order[place] = np.arange(place.size)
    return order
