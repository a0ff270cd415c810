"""Chapter 4, impurity: ID3 and CART, grown best-first on real data.

After the lecture notes of the source (Cornell CS 4780): split where the weighted impurity of the
two sides is least, and go on, also where no split lowers it, until every leaf is pure or cannot be
split. `grow` gives every size of tree from one run; `id3` gives the last.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz._validate import as_array, as_integer, as_real, shown
from dtviz.growth import GrowthPath, Split
from dtviz.measures import ROUNDING
from dtviz.scan import Features, Level, midpoints
from dtviz.table import Table, as_classes, as_numbers
from dtviz.targets import CLASS_COST_NAMES, ClassTarget, NumberTarget, Target
from dtviz.tree import Tree
from dtviz.wording import Names

__all__ = [
    "GROWTH_COSTS",
    "ImpurityPath",
    "ThresholdScan",
    "best_split",
    "grow",
    "id3",
    "threshold_scan",
]

GROWTH_COSTS = (*CLASS_COST_NAMES, "squared")
"""The costs that `grow` knows: four for classes, and squared loss for numbers."""

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ImpurityPath(GrowthPath):
    """The path of `grow`: every tree from the single leaf to the last split.

    ``errors`` are shares of misclassified examples (mean squared errors for squared loss);
    ``costs`` the impurities of the trees, ``sum over leaves of n_leaf / m * G(leaf)``, in the
    normalisation of `dtviz.costs`; each step takes its score off the cost.

    Attributes
    ----------
    cost_name : str
        The cost it grew by, one of `GROWTH_COSTS`.
    classes : (c,) array, or None
        The labels, sorted; None for squared loss.
    class_counts : (2K+1, c) int array
        How many examples of each class a node has; no columns for squared loss.
    node_size : (2K+1,) int array
        How many examples a node has.
    names : Names
        What the features are called.
    """

    cost_name: str = "gini"
    classes: Array | None = None
    class_counts: Ints
    node_size: Ints
    names: Names = field(default_factory=Names)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {column.name: getattr(self, column.name) for column in fields(self) if column.init}
        return partial(ImpurityPath, **values), ()

    def step(self, epsilon: float = 0.0) -> int:
        """The first step whose error is at most ``epsilon``, a number >= 0.

        Raises ValueError if no tree of the path is that good.
        """
        epsilon = as_real("epsilon", epsilon, "[0, inf)", lambda e: 0 <= e < math.inf)
        reached = self.errors <= epsilon * (1 + self.rounding)
        if not reached.any():
            msg = (
                f"epsilon must be at least {self.errors.min():.6g}, the least error of this path "
                f"(at most {self.n_steps + 1} leaves), got {epsilon:g}"
            )
            raise ValueError(msg)
        return int(reached.argmax())

    def tree(self, epsilon: float | None = None) -> Tree:
        """The smallest tree with error at most ``epsilon``; the largest tree if not given."""
        return self.tree_at(self.n_steps if epsilon is None else self.step(epsilon))

    def tree_at(self, step: int) -> Tree:
        """The labelled tree after ``step`` splits (``step + 1`` leaves), 0 <= step <= n_steps."""
        return super().tree_at(step).named(self.names)

    def __repr__(self) -> str:
        return (
            f"<ImpurityPath: {self.n_steps} splits, {self.cost_name} "
            f"{self.costs[0]:.4g} -> {self.costs[-1]:.4g}>"
        )


def grow(  # noqa: PLR0913 -- the last two are by keyword
    X: Any,
    y: Any,
    cost: str = "gini",
    max_leaves: int | None = None,
    *,
    feature_names: Iterable[str] | None = None,
    categories: Mapping[Any, Sequence[Any]] | None = None,
) -> ImpurityPath:
    """Grow a tree best-first on examples, and return every tree on the way.

    Start from one leaf. Each step makes the split ``x_f <= t`` of a leaf that lowers the tree's
    cost most. It goes on where the largest drop is 0, as ID3 does (so that XOR is learned, claim
    CU-XOR), and ends where every leaf is pure or holds equal rows only (claim CU-ID3). Each leaf is
    labelled by its most frequent class (the lowest if tied), or its mean.

    Thresholds lie midway between neighbouring values of the leaf's examples. Ties: within a leaf
    the lowest feature, then the lowest threshold; among leaves the shallowest, then the leftmost.
    Gini and error are compared exactly; for the other costs, drops are ties within a fraction 1e-11
    of the leaf's cost.

    Parameters
    ----------
    X : (m, d) array, list of lists or data frame, m, d >= 1
        Finite numbers or booleans. Columns of text, and pandas categoricals, are coded 0, 1, ... in
        sorted order or that of the categorical; thresholds then split the codes.
    y : (m,) array-like
        Labels of one kind: numbers, booleans or text, any number of classes. For ``"squared"``,
        finite numbers.
    cost : "gini", "entropy", "error", "sqrt" or "squared"
        See `dtviz.costs`; "squared" is regression.
    max_leaves : int >= 1, optional
        Cut the path when its tree has this many leaves.
    feature_names : sequence of d strings, optional
        What text and pictures call the features; by default the columns of a data frame.
    categories : mapping from columns to lists of names, optional
        What the codes 0, 1, ... of a coded column stand for.

    Returns
    -------
    ImpurityPath

    Raises
    ------
    ValueError
        If there are no examples, values are missing, infinite or of mixed kinds, lengths differ, or
        an argument is out of range.

    Examples
    --------
    >>> path = grow([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0]], ["no", "yes", "no"])
    >>> print(path.tree())
    x1 <= 2.5
    ├─ yes: yes
    └─ no: no
    """
    table = Table(X, feature_names, categories)
    target = _target(y, table.columns.shape[1], cost)
    max_steps = table.columns.shape[1] - 1
    if max_leaves is not None:
        max_steps = min(max_steps, as_integer("max_leaves", max_leaves, 1) - 1)
    return _path(_grown(table.columns, target, max_steps), target, table.names, cost, max_steps)


def id3(
    X: Any,
    y: Any,
    cost: str = "entropy",
    *,
    feature_names: Iterable[str] | None = None,
    categories: Mapping[Any, Sequence[Any]] | None = None,
) -> Tree:
    """ID3: split until a leaf is pure or all its rows are equal, and never stop before that.

    The two base cases of the source (claim CU-ID3): all labels are equal; or all rows are, then the
    leaf takes the most frequent label (the mean, for ``cost="squared"``). Otherwise split where the
    weighted impurity of the two sides is least, even if it is no less than before (claim CU-XOR).
    The order in which leaves are split makes no difference to the tree: it is the last tree of
    `grow`, whose arguments, ties and errors it shares.
    """
    return grow(X, y, cost, feature_names=feature_names, categories=categories).tree()


def best_split(X: Any, y: Any, cost: str = "gini") -> Split | None:
    """The split that `grow` makes first on these examples, with its drop as the score.

    None where there is nothing to split: one label, or one value of every feature.
    """
    path = grow(X, y, cost, max_leaves=2)
    return path.splits[0] if path.n_steps else None


class ThresholdScan(NamedTuple):
    """Every way to cut one feature in two: thresholds, ascending, and the impurity each leaves."""

    thresholds: Floats
    impurities: Floats


def threshold_scan(x: Any, y: Any, cost: str = "gini") -> ThresholdScan:
    """The weighted impurity of both sides, ``n_L / n G(L) + n_R / n G(R)``, at every threshold.

    One threshold midway between each two neighbouring values (claim CU-NTHRESH); running class
    counts make it O(n log n) with the sorting (claim CU-TIME).

    Parameters
    ----------
    x : (n,) array-like
        The values of one feature, as `grow` takes them.
    y : (n,) array-like
        The labels.
    cost : str
        One of `GROWTH_COSTS`.

    Returns
    -------
    ThresholdScan
        ``thresholds`` and ``impurities``, one for each pair of neighbouring distinct values.

    Raises
    ------
    ValueError
        If ``x`` is not flat, or else as `grow`.
    """
    values = as_array(x)
    if values is None or values.ndim != 1:
        msg = f"x must be a flat sequence, the values of one feature, got {shown(x)}"
        raise ValueError(msg)
    try:  # a categorical keeps its order only in a frame
        column = Table(x.to_frame() if hasattr(x, "to_frame") else values[:, None]).columns[0]
    except ValueError as error:
        raise ValueError(str(error).replace("X must", "x must", 1)) from None
    target = _target(y, column.size, cost)
    order = column.argsort(kind="stable")
    column = column[order]
    cuts = np.flatnonzero(column[:-1] != column[1:]) + 1
    return ThresholdScan(midpoints(column[cuts - 1], column[cuts]), target.along(order, cuts))


def _target(y: Any, m: int, cost: object) -> Target:
    if cost not in GROWTH_COSTS or not isinstance(cost, str):
        msg = f"cost must be one of {', '.join(GROWTH_COSTS)}, got {shown(cost)}"
        raise ValueError(msg)
    if cost == "squared":
        return NumberTarget(as_numbers(y, m))
    classes, codes = as_classes(y, m)
    return ClassTarget(codes, classes, cost)


# -- level by level, then best-first ---------------------------------------------------------------


@dataclass
class _Full:
    """The whole tree, level by level, each left to right; children stand side by side."""

    summary: Array
    variable: Ints
    threshold: Floats
    low: Ints
    drop: Floats
    exact: list[Any]


def _grown(columns: Floats, target: Target, max_depth: int) -> _Full:
    """Split every leaf that can be split, down to the given depth and one level more."""
    level = Level.root(Features(columns))
    summary = target.summary(level.rows, level.node, 1)
    place = np.zeros(1, dtype=np.intp)
    summaries, found = [summary], []
    n_nodes, depth = 1, 0
    values, m = columns.ravel(), target.m
    live = target.is_impure(summary)
    while live.any() and depth <= max_depth:
        cuts = target.cuts(level, summary)
        inner = cuts.feature >= 0
        split = np.flatnonzero(inner)
        if split.size == 0:
            break
        # Node 2j is the low and node 2j + 1 the high child of the j-th node that is split.
        rows, owner = level.rows, level.node
        if split.size < inner.size:
            inside = inner[owner]
            rows, owner = rows[inside], owner[inside]
        child = values[m * cuts.feature[owner] + rows] > cuts.threshold[owner]
        child = child + (2 * (inner.cumsum() - 1))[owner]
        below = target.summary(rows, child, 2 * split.size)
        drop, exact = target.drops(summary[split], below[::2], below[1::2])
        found.append((place[split], cuts.feature[split], cuts.threshold[split], drop, exact))
        live = target.is_impure(below)
        place = n_nodes + np.flatnonzero(live)
        n_nodes += len(below)
        summaries.append(below)
        summary = below[live]
        rank = np.where(live, live.cumsum() - 1, len(summary))
        goes = np.full(m, len(summary), dtype=np.intp)
        goes[rows] = rank[child]
        level = level.descend(goes, target.size(summary))
        depth += 1
    return _collected(summaries, found, n_nodes)


def _collected(summaries: list[Array], found: list[Any], n_nodes: int) -> _Full:
    variable = np.full(n_nodes, -1, dtype=np.intp)
    threshold, drop = np.full(n_nodes, 0.5), np.zeros(n_nodes)
    low = np.zeros(n_nodes, dtype=np.intp)
    exact: list[Any] = [0] * n_nodes
    first = 1
    for place, features, thresholds, drops, keys in found:
        variable[place], threshold[place], drop[place] = features, thresholds, drops
        low[place] = first + 2 * np.arange(place.size)
        for node, key in zip(place.tolist(), keys, strict=True):
            exact[node] = key
        first += 2 * place.size
    return _Full(np.concatenate(summaries), variable, threshold, low, drop, exact)


def _path(full: _Full, target: Target, names: Names, cost: str, max_steps: int) -> ImpurityPath:
    """Take the splits in the order of their drops, and number nodes as they are created."""
    drop, low = full.drop.tolist(), full.low.tolist()
    splits = (full.variable >= 0).tolist()

    def entry(node: int) -> tuple[float, Any, int]:
        # Equal drops are compared exactly, where that makes a difference.
        # The number of a node follows its depth, then its place from the left.
        return -drop[node], full.exact[node], node

    queue = [entry(0)] if splits[0] else []
    order: list[int] = []
    while queue and len(order) < max_steps:
        node = heapq.heappop(queue)[2]
        order.append(node)
        for child in (low[node], low[node] + 1):
            if splits[child]:
                heapq.heappush(queue, entry(child))
    split = np.array(order, dtype=np.intp)
    place = np.zeros(2 * split.size + 1, dtype=np.intp)
    place[1::2] = full.low[split]
    place[2::2] = full.low[split] + 1
    created = np.zeros(full.low.size, dtype=np.intp)
    created[place] = np.arange(place.size)
    summary = full.summary[place]
    size = target.size(summary)
    return ImpurityPath(
        split_node=created[split],
        split_variable=full.variable[split],
        split_threshold=full.threshold[split],
        node_value=target.value(summary),
        node_probability=size / target.m,
        node_error=target.error(summary),
        node_cost=target.cost(summary),
        node_score=full.drop[place],
        node_variable=full.variable[place],
        final_score=drop[queue[0][2]] if queue else 0.0,
        rounding=ROUNDING,
        cost_name=cost,
        classes=target.classes,
        class_counts=target.counts(summary),
        node_size=size,
        names=names,
    )
