"""The nodes of a tree: what each tests, the shape they make, and where they send a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools, Floats, Immutable, Ints, freeze_array
from dtviz.core.checks import as_given, as_numbers, as_repr, look_up
from dtviz.core.data.examples import UNKNOWN, code_rows
from dtviz.core.hints import with_hints
from dtviz.core.names import Names
from dtviz.core.tree.arrays import (
    Subsets,
    array_of,
    check_is_regression,
    check_labels,
    check_missing,
    check_names,
    check_subsets,
    check_thresholds,
    check_variables,
    low_and_high,
)

UNKNOWN_CATEGORIES = {"error": None, "missing": np.nan, "larger": UNKNOWN}
"""What may be done with a category that was not there where a tree was grown, and its code."""


@with_hints
class TreeNodes(Immutable):
    """The arrays of a `Tree`, in preorder, and its shape."""

    variable: Ints
    threshold: Floats
    low: Ints
    high: Ints
    value: npt.NDArray[Any] | None
    names: Names
    missing: Bools | None
    subsets: Subsets
    sums: Any
    is_regression: bool

    def __init__(  # noqa: PLR0913, PLR0917 -- what it stores
        self,
        variable: npt.ArrayLike,
        value: npt.ArrayLike | None = None,
        threshold: npt.ArrayLike | None = None,
        names: Names | None = None,
        missing: npt.ArrayLike | None = None,
        subsets: Mapping[int, Iterable[int]] | None = None,
        *,
        is_regression: bool = False,
        sums: Any = None,
    ) -> None:
        variables = check_variables(variable)
        low, high = low_and_high(variables)
        inner = variables >= 0
        ways = check_missing(missing, inner)
        codes = check_subsets({} if subsets is None else subsets, inner)
        thresholds = np.full(variables.size, 0.5)
        if threshold is not None:
            # Adding 0 turns -0.0 into 0.0: equal trees must have equal hashes.
            thresholds[inner] = check_thresholds(threshold, inner, ways)[inner] + 0.0
            thresholds[list(codes)] = 0.5
        labels = None if value is None else check_labels(value, inner)
        vars(self).update(
            variable=freeze_array(variables),
            threshold=freeze_array(thresholds),
            low=freeze_array(low),
            high=freeze_array(high),
            value=labels,
            names=check_names(names, int(variables.max())),
            missing=ways,
            subsets=codes,
            sums=sums,
            is_regression=check_is_regression(is_regression, labels),
        )

    @property
    def is_bare(self) -> bool:
        """Whether the leaves carry no labels."""
        return self.value is None

    @property
    def is_boolean(self) -> bool:
        """Whether every test splits 0 from 1."""
        at = self.threshold[self.variable >= 0]
        return not self.subsets and bool(((at >= 0) & (at < 1)).all())

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves and internal: always ``2 n_leaves - 1``."""
        return int(self.variable.size)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, the book's *size*."""
        return (self.n_nodes + 1) // 2

    @cached_property
    def leaves(self) -> Ints:
        """The node index of every leaf, left to right."""
        return freeze_array(np.flatnonzero(self.variable < 0))

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """The node indices at depth 0, 1, 2, ..., each left to right."""
        levels = [freeze_array(np.zeros(1, dtype=np.intp))]
        while True:
            inner = levels[-1][self.variable[levels[-1]] >= 0]
            if inner.size == 0:
                return tuple(levels)
            levels.append(
                freeze_array(np.column_stack([self.low[inner], self.high[inner]]).ravel())
            )

    @property
    def depth(self) -> int:
        """The number of tests on the longest path."""
        return len(self.levels) - 1

    @cached_property
    def node_depth(self) -> Ints:
        """The depth of every node."""
        depth = np.empty(self.n_nodes, dtype=np.intp)
        for d, level in enumerate(self.levels):
            depth[level] = d
        return freeze_array(depth)

    @cached_property
    def node_rank(self) -> Ints:
        """The Ehrenfeucht-Haussler rank of the subtree at every node (claim EH-DEF-RANK).

        0 at a leaf; the larger of the children's ranks, or one more when they are equal.
        """
        rank = np.zeros(self.n_nodes, dtype=np.intp)
        for level in reversed(self.levels):
            inner = level[self.variable[level] >= 0]
            a, b = rank[self.low[inner]], rank[self.high[inner]]
            rank[inner] = np.maximum(a, b) + (a == b)
        return freeze_array(rank)

    @property
    def rank(self) -> int:
        """The Ehrenfeucht-Haussler rank of the tree, also known as its Strahler number."""
        return int(self.node_rank[0])

    @cached_property
    def leaves_below(self) -> Ints:
        """The number of leaves in the subtree at every node."""
        count = np.ones(self.n_nodes, dtype=np.intp)
        for level in reversed(self.levels):
            inner = level[self.variable[level] >= 0]
            count[inner] = count[self.low[inner]] + count[self.high[inner]]
        return freeze_array(count)

    def apply(self, X: Any, *, unknown: str = "error", weight: npt.ArrayLike | None = None) -> Ints:
        """The leaf (node index) that each row of ``X`` reaches, an ``(m,)`` array.

        Parameters
        ----------
        X : (m, d) array of numbers, or data frame
            ``d`` is the number of features where they have names, else larger than every tested
            variable. Where the tree was grown on text, ``X`` may have that text, or its codes. The
            columns of an array are features by their places. Those of a data frame are so by their
            names, in any order, and others are not looked at; if the tree has no names, they are if
            one is called x0, x1, ..., as it calls its features, else by their places.
        unknown : "error", "missing" or "larger"
            What is done with a category that was not there where the tree was grown: it is refused,
            or goes where missing values go, or at each test of its column to the larger branch (the
            low one of two that are equal).
        weight : (n_nodes,) array, optional
            How large each node is for "larger", such as the number of examples; its leaves if not
            given.
        """
        rows = read_rows(self, X, unknown)
        return send_rows(self, rows, read_sizes(self, weight) if unknown == "larger" else None)


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
