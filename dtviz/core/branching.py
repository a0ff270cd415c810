"""Which way the nodes of a tree send a row: by a threshold, a set of codes, or what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_array, as_integer, shown
from dtviz.core.immutable import frozen
from dtviz.core.shape import Shape

__all__ = ["checked_missing", "checked_subsets", "checked_thresholds", "descend", "joined_ways"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Subsets = Mapping[int, frozenset[int]]

MOST_CODES = 1 << 31
"""Codes are below this: with the number of a node they make one integer."""


def descend(
    tree: Shape, rows: Ints, entry: Callable[[Ints, Ints], npt.NDArray[Any]]
) -> npt.NDArray[np.intp]:
    """The leaf that each row reaches; ``entry(rows, variables)`` looks its values up.

    ``rows`` are 0, 1, ... A value that is NaN goes the way of what is missing, which the tree must
    have.
    """
    node = np.zeros(rows.size, dtype=np.intp)
    active = rows if tree.variable[0] >= 0 else rows[:0]
    place, held = _members(tree.subsets, tree.n_nodes)
    while active.size:
        here = node[active]
        value = entry(active, tree.variable[here])
        high = value > tree.threshold[here]
        if tree.subsets:
            at = np.flatnonzero(place[here] >= 0)
            high[at] = ~_among(held, place[here[at]], value[at])
        if tree.missing is not None:
            high |= np.isneginf(tree.threshold[here])
            absent = np.flatnonzero(np.isnan(value))
            high[absent] = ~tree.missing[here[absent]]
        here = np.where(high, tree.high[here], tree.low[here])
        node[active] = here
        active = active[tree.variable[here] >= 0]
    return node


def _members(subsets: Subsets, n_nodes: int) -> tuple[Ints, Ints]:
    """For each node its place among those with a subset, or -1; and what these hold, ascending.

    A code in the subset of the k-th node is ``k MOST_CODES + code``: a table of all codes of all
    nodes could fill the memory.
    """
    place = np.full(n_nodes if subsets else 0, -1, dtype=np.int64)
    place[list(subsets)] = np.arange(len(subsets))
    held = [k * MOST_CODES + code for k, codes in enumerate(subsets.values()) for code in codes]
    return place, np.sort(np.array(held, dtype=np.int64))


def _among(held: Ints, place: Ints, value: npt.NDArray[Any]) -> Bools:
    """Which values are codes of the subset in their place; no other number is."""
    if held.size == 0:
        return np.zeros(value.size, dtype=np.bool_)
    known = (value >= 0) & (value < MOST_CODES)
    code = np.where(known, value, 0).astype(np.int64)
    key = place * MOST_CODES + code
    found = held[np.minimum(held.searchsorted(key), held.size - 1)] == key
    among: Bools = known & (code == value) & found
    return among


def checked_thresholds(
    threshold: npt.ArrayLike, inner: Bools, missing: Bools | None
) -> npt.NDArray[np.float64]:
    """Return thresholds as floats, or say which rule they break.

    One of -inf tests whether a value is missing, one of inf whether it is not.
    """
    array = _as_array(threshold)
    if array.shape != inner.shape:
        msg = f"threshold must have one per node ({inner.size}) in preorder, got {array.shape}"
        if array.ndim == 0:
            msg = f"threshold must be a flat sequence of numbers, got {shown(threshold)}"
        raise ValueError(msg)
    fine = array.dtype.kind in "biuf"
    floats = array.astype(np.float64) if fine else np.zeros(inner.shape)
    finite = np.isfinite(floats)
    if missing is not None:
        finite |= (floats == np.inf) & ~missing | (floats == -np.inf) & missing
    if not fine or not finite[inner].all():
        msg = f"threshold must be finite numbers, got {shown(array[inner].tolist())}"
        if missing is not None:
            msg += " (or -inf where what is missing goes low, inf where it goes high)"
        raise ValueError(msg)
    return floats


def checked_missing(missing: npt.ArrayLike | None, inner: Bools) -> Bools | None:
    """Return where a missing value goes low, False at leaves; None if it is refused."""
    if missing is None:
        return None
    array = _as_array(missing)
    if array.shape != inner.shape or not (
        array.dtype.kind == "b" or (array.dtype.kind in "iu" and np.isin(array, (0, 1)).all())
    ):
        msg = f"missing must be flat, a truth value per node ({inner.size}), got {shown(missing)}"
        raise ValueError(msg)
    return frozen(array.astype(np.bool_) & inner)


def checked_subsets(subsets: Any, inner: Bools) -> Subsets:
    """Return the codes that go low, by node, or say which rule they break."""
    rule = "subsets must map inner nodes of the tree to the codes that go low"
    if not isinstance(subsets, Mapping):
        msg = f"{rule}, got {shown(subsets)}"
        raise ValueError(msg)
    found: dict[int, frozenset[int]] = {}
    for key, codes in subsets.items():
        node = as_integer("node of subsets", key, 0, inner.size - 1)
        if not inner[node] or isinstance(codes, str) or not isinstance(codes, Iterable):
            msg = f"{rule}, got {shown(codes)} at node {node}"
            raise ValueError(msg)
        found[node] = frozenset(
            as_integer(f"subsets[{node}]", code, 0, MOST_CODES - 1) for code in codes
        )
    return MappingProxyType(dict(sorted(found.items())))


def joined_ways(missing: object, low: Shape, high: Shape) -> Bools | None:
    """The ways for missing values of a root and two trees below it: all tests have one, or none."""
    knows = [child.missing is not None for child in (low, high) if child.n_leaves > 1]
    if missing is None and not any(knows):
        return None
    if missing is None or not all(knows):
        msg = (
            "missing must be given where the tests of low and high have a way for missing values, "
            f"and only there, got {shown(missing)}"
        )
        raise ValueError(msg)
    parts = [np.zeros(c.n_nodes, np.bool_) if c.missing is None else c.missing for c in (low, high)]
    return np.concatenate([_root(missing), *parts])


def _root(missing: object) -> Bools:
    """Whether a missing value goes low at a root."""
    if not isinstance(missing, (bool, np.bool_)):
        msg = f"missing must be True, where missing values go low, or False, got {shown(missing)}"
        raise ValueError(msg)
    return np.array([missing])


def _as_array(values: Any) -> npt.NDArray[Any]:
    """Return the array of *values*; where there is none, one of shape (), which no rule accepts."""
    array = as_array(values)
    return np.array(None) if array is None else array
