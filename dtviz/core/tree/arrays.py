"""The arrays of a tree: checks of each, where children stand, and which way nodes send a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import freeze_array
from dtviz.core.checks import (
    as_array,
    as_flag,
    as_given,
    as_integer,
    as_numbers,
    as_repr,
    look_up,
)
from dtviz.core.data.examples import UNKNOWN, code_rows
from dtviz.core.names import Names

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Subsets = Mapping[int, frozenset[int]]

UNKNOWN_CATEGORIES = {"error": None, "missing": np.nan, "larger": UNKNOWN}
"""What may be done with a category that was not there where a tree was grown, and its code."""

MAX_INDEX = 2**31 - 1
"""The largest index of a variable, and the largest code."""


class TreeNodes(Protocol):
    """The arrays of a `Tree`, for those who read them and stand below it."""

    variable: Ints
    threshold: Floats
    low: Ints
    high: Ints
    value: npt.NDArray[Any] | None
    names: Names
    missing: Bools | None
    subsets: Subsets
    is_regression: bool
    sums: Any

    @property
    def is_boolean(self) -> bool:
        """Whether every test splits 0 from 1."""

    @property
    def leaves(self) -> Ints:
        """The node index of every leaf."""

    @property
    def levels(self) -> tuple[Ints, ...]:
        """The node indices at each depth."""

    @property
    def leaves_below(self) -> Ints:
        """The number of leaves below every node."""

    def apply(self, X: Any, *, unknown: str = "error") -> Ints:
        """The leaf that each row reaches."""


def labels_of(tree: TreeNodes, user: str) -> npt.NDArray[Any]:
    """The labels of a tree, which ``user`` needs."""
    if tree.value is None:
        msg = f"{user} needs a labeled tree, this one is bare; complete(f) labels it"
        raise ValueError(msg)
    return tree.value


def read_rows(tree: TreeNodes, X: Any, unknown: str, *, by_place: bool = False) -> npt.NDArray[Any]:
    """The rows of a table as numbers that the tree can send to its leaves; see `Tree.apply`."""
    code = look_up("unknown", unknown, UNKNOWN_CATEGORIES)
    rows = array_of(code_rows(X, tree.names, code, by_place=by_place))
    if rows.ndim != 2 or rows.dtype.kind not in "biuf":
        msg = f"X must be a 2-dimensional array of numbers, got {as_repr(X)}"
        raise ValueError(msg)
    highest, features = int(tree.variable.max()), tree.names.features
    if features is not None and rows.shape[1] != len(features):
        msg = f"X must have {len(features)} columns, {as_repr(features)}, got {rows.shape[1]}"
        raise ValueError(msg)
    if rows.shape[1] <= highest:
        msg = f"X must have a column for x{highest}, got {rows.shape[1]} columns"
        raise ValueError(msg)
    if tree.missing is None and rows.dtype.kind == "f" and np.isnan(rows).any():
        what = "NaN" if unknown == "error" else f"NaN, nor unknown categories with {unknown=}"
        msg = (
            f"X must not contain {what}, got one in row {int(np.isnan(rows).any(1).argmax())}: "
            "the tree has no way for missing values, none was missing where it was grown"
        )
        raise ValueError(msg)
    return rows


def read_sizes(tree: TreeNodes, weight: npt.ArrayLike | None) -> npt.NDArray[Any]:
    """How large each node of a tree is: its weight, or if none is given the leaves below it."""
    if weight is None:
        return tree.leaves_below
    sizes = as_numbers("weight", weight, "(-inf, inf)")
    if sizes.shape != tree.variable.shape:
        msg = f"weight must have a number for each of the {tree.variable.size} nodes"
        raise ValueError(f"{msg}, got shape {sizes.shape}")
    return sizes


def read_point(x: Any, width: int) -> npt.NDArray[Any]:
    """One input as a flat array, which has a value for each of so many variables."""
    point = as_given(x)
    if point is None or point.ndim != 1:
        shape = f"shape {point.shape}" if point is not None and point.ndim else as_repr(x)
        msg = f"x must be one input: an index or a flat sequence, got {shape}"
        raise ValueError(msg)
    if point.size < width:
        msg = f"x must have a value for x{width - 1}, got {point.size} values: {as_repr(x)}"
        raise ValueError(msg)
    return point


def descend(
    tree: TreeNodes,
    rows: Ints,
    entry: Callable[[Ints, Ints], npt.NDArray[Any]],
    weight: npt.NDArray[Any] | None = None,
) -> npt.NDArray[np.intp]:
    """The leaf that each row reaches; ``entry(rows, variables)`` looks its values up.

    ``rows`` are 0, 1, ... A value that is NaN goes the way of what is missing, which the tree must
    have; with ``weight``, one of each node, an unknown category goes to the heavier child.
    """
    node = np.zeros(rows.size, dtype=np.intp)
    active = rows if tree.variable[0] >= 0 else rows[:0]
    has_subset = np.isin(np.arange(tree.variable.size), list(tree.subsets))
    if weight is not None:
        is_category = np.isin(tree.variable, list(tree.names.categories))
        is_category &= np.isfinite(tree.threshold)
        heavy_high = weight[tree.high] > weight[tree.low]
    while active.size:
        here = node[active]
        value = entry(active, tree.variable[here])
        high = value > tree.threshold[here]
        if tree.subsets:
            at = np.flatnonzero(has_subset[here])
            tests = zip(here[at].tolist(), value[at].tolist(), strict=True)
            high[at] = [code not in tree.subsets[number] for number, code in tests]
        if tree.missing is not None:
            high |= np.isneginf(tree.threshold[here])
            absent = np.flatnonzero(np.isnan(value))
            high[absent] = ~tree.missing[here[absent]]
        if weight is not None:
            strange = np.flatnonzero(is_category[here] & (value == UNKNOWN))
            high[strange] = heavy_high[here[strange]]
        here = np.where(high, tree.high[here], tree.low[here])
        node[active] = here
        active = active[tree.variable[here] >= 0]
    return node


def send_rows(
    tree: TreeNodes, rows: npt.NDArray[Any], weight: npt.NDArray[Any] | None = None
) -> Ints:
    """The leaf that each row of numbers reaches, as `read_rows` returns them; see `descend`."""
    return descend(tree, np.arange(len(rows)), lambda row, i: rows[row, i], weight)


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


def join_labels(low: TreeNodes, high: TreeNodes) -> npt.NDArray[Any] | None:
    """The labels of a root and two trees below it, None if these are bare."""
    if (low.value is None) != (high.value is None):
        msg = "low and high must both be bare trees or both be labeled"
        raise ValueError(msg)
    if low.value is None or high.value is None:
        return None
    if (low.value.dtype.kind in "biuf") != (high.value.dtype.kind in "biuf"):
        msg = (
            "low and high must have labels of one kind, numbers or not, "
            f"got {low.value[-1]!r} and {high.value[-1]!r}"
        )
        raise ValueError(msg)
    return np.concatenate([low.value[:1], low.value, high.value])


def join_missing(missing: object, low: TreeNodes, high: TreeNodes) -> Bools | None:
    """The ways for missing values of a root and two trees below it: all tests have one, or none."""
    knows = [child.missing is not None for child in (low, high) if child.variable.size > 1]
    if missing is None and not any(knows):
        return None
    if missing is None or not all(knows):
        msg = (
            "missing must be given where the tests of low and high have a way for missing values, "
            f"and only there, got {as_repr(missing)}"
        )
        raise ValueError(msg)
    if not isinstance(missing, (bool, np.bool_)):
        msg = f"missing must be True, where missing values go low, or False, got {as_repr(missing)}"
        raise ValueError(msg)
    parts = [
        np.zeros(child.variable.size, np.bool_) if child.missing is None else child.missing
        for child in (low, high)
    ]
    return np.concatenate([[missing], *parts])


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
