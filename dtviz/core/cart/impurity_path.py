"""The path of growth by a cost: splits in best-first order, and what examples say at its nodes."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, Floats, Ints
from dtviz.core.cart.alternatives import GrowthExamples, list_alternatives
from dtviz.core.cart.find_splits import FullTree
from dtviz.core.cart.target import Target
from dtviz.core.names import Names
from dtviz.core.tolerances import DROP_TIE, ROUNDING
from dtviz.core.tree.alternatives import Alternatives
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.node_sums import NodeSums
from dtviz.core.tree.tree import Tree


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ImpurityPath(GrowthPath):
    """The path of `grow`: every tree from the single leaf to the last split.

    ``errors`` are shares of misclassified examples (mean squared errors for squared loss);
    ``costs`` the impurities of the trees, ``sum over leaves of n_leaf / m * G(leaf)``, in the
    normalization of ``dtviz.core.cart.criteria``; each step takes its score off the cost.

    Attributes
    ----------
    cost_name : str
        The cost it grew by: a name in `GROWTH_COSTS`, or that of a criterion of your own.
    classes : (c,) array, or None
        The labels, sorted; None for squared loss.
    class_counts : (2K+1, c) array
        How many examples of each class a node has, or what they weigh: integers, unless weights
        are not; no columns for squared loss.
    node_examples : (2K+1,) int array
        How many examples a node has.
    split_missing : (K,) bool array
        Whether missing values go low at each split.
    subsets : mapping from int to frozenset of int
        The codes that go low, for the steps that split by a set of codes.
    grown_on : GrowthExamples or None
        The examples, in the form in which `alternatives` reads them.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.grow([[1], [2], [3], [4]], ["no", "yes", "yes", "no"])
    >>> path.n_splits, path.errors.tolist()
    (2, [0.5, 0.25, 0.0])
    """

    cost_name: str = "gini"
    classes: Array | None = None
    class_counts: Array
    node_examples: Ints
    split_missing: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    subsets: Mapping[int, frozenset[int]] = field(default_factory=dict)
    grown_on: GrowthExamples | None = field(default=None, init=False)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {column.name: getattr(self, column.name) for column in fields(self) if column.init}
        values["subsets"] = dict(self.subsets)
        return partial(ImpurityPath, **values), ()

    def tree_for_gaps(self, n_leaves: int | None = None, *, epsilon: float | None = None) -> Tree:
        """The same tree, with a way for missing values in any case."""
        tree = self.tree(n_leaves, epsilon=epsilon)
        step = self._split_at(tree.n_leaves - 1)[self.nodes(tree.n_leaves)]
        return tree.altered(missing=self._missing_low(step))

    def alternatives(self, node: int) -> Alternatives:
        """The candidates at a node: the best test of each column, the largest gain first.

        ``node`` is its number on the path: 0 is the root, and step j splits ``path.splits[j].node``
        into ``2j + 1`` (low) and ``2j + 2`` (high). Of equal gains the path takes the first. A
        ValueError if the path is a copy or pickle, which has no examples.

        Examples
        --------
        >>> import dtviz as dt
        >>> X, y = [[1, 5, 0], [2, 1, 1], [3, 4, 0], [4, 2, 1]], ["no", "yes", "no", "no"]
        >>> path = dt.grow(X, y, feature_names=["age", "fare", "male"])
        >>> print(path.alternatives(0))
        rank  column  test          gain
        ----  ------  -----------  -----  ---
           1  fare    fare <= 1.5  0.375
           2  age     age <= 2.5   0.125  tie
           2  male    male         0.125  tie
        """
        return list_alternatives(self, node)

    def _build_tree(
        self,
        variable: Ints,
        value: Array,
        threshold: Floats,
        step: Ints,
        sums: NodeSums | None,
    ) -> Tree:
        subsets = {}
        if self.subsets:
            steps = enumerate(step.tolist())
            subsets = {node: self.subsets[j] for node, j in steps if j in self.subsets}
        ways = self._missing_low(step) if self.names.missing else None
        own = variable, value, threshold, self.names, ways, subsets
        return Tree(*own, is_regression=self._by_squares, sums=sums)

    @cached_property
    def _sums(self) -> NodeSums:
        """The examples at all nodes of the path."""
        if self.classes is None:
            return self._count(self.node_probability[:, None], None, self.node_value)
        return self._count(self.class_counts, self.classes)

    def _more_of(self, step: int) -> dict[str, Any]:
        """The codes that go low, and the way of missing values, where there are some."""
        found: dict[str, Any] = {}
        if step in self.subsets:
            found["subset"] = self.subsets[step]
        if self.names.missing:
            found["missing"] = bool(self.split_missing[step])
        return found

    def _missing_low(self, step: Ints) -> npt.NDArray[np.bool_]:
        """Whether missing values go low at nodes that were split at these steps, -1 for a leaf."""
        ways = np.zeros(step.size, dtype=np.bool_)
        ways[step >= 0] = self.split_missing[step[step >= 0]]
        return ways

    @property
    def _by_squares(self) -> bool:
        return self.classes is None

    @property
    def _most_error(self) -> float:
        if self.classes is None:
            return math.inf
        return 0.5 if self.classes.size <= 2 else 1.0

    def __repr__(self) -> str:
        return (
            f"<ImpurityPath: {self.n_splits} splits, {self.cost_name} "
            f"{self.costs[0]:.4g} -> {self.costs[-1]:.4g}>"
        )


def _order_splits(full: FullTree, cost: Floats) -> Ints:
    """All nodes with a split by their drops, the largest first.

    Of tied drops, each within the tolerance of the next, by the number of the node: it follows its
    depth, then its place from the left.
    """
    inner = np.flatnonzero(full.variable >= 0)
    order: Ints = inner[(-full.drop[inner]).argsort(kind="stable")]
    drop, tie = full.drop[order], DROP_TIE * cost[order]
    rank = np.zeros_like(order)
    rank[1:] = (drop[:-1] - drop[1:] > np.maximum(tie[:-1], tie[1:])).cumsum()
    return order[np.lexsort((order, rank))]


def build_path(full: FullTree, target: Target, names: Names, max_steps: int) -> ImpurityPath:
    """Take the splits in the order of their drops, and number nodes as they are created."""
    drop, low = full.drop.tolist(), full.low.tolist()
    splits = (full.variable >= 0).tolist()
    cost = target.cost(full.summary)
    ordered = _order_splits(full, cost)
    turn = np.zeros_like(full.low)
    turn[ordered] = np.arange(ordered.size)
    turns, nodes = turn.tolist(), ordered.tolist()
    queue = [turns[0]] if splits[0] else []
    order: list[int] = []
    while queue and len(order) < max_steps:
        node = nodes[heapq.heappop(queue)]
        order.append(node)
        for child in (low[node], low[node] + 1):
            if splits[child]:
                heapq.heappush(queue, turns[child])
    split = np.array(order, dtype=np.intp)
    place = np.zeros(2 * split.size + 1, dtype=np.intp)
    place[1::2] = full.low[split]
    place[2::2] = full.low[split] + 1
    created = np.zeros(full.low.size, dtype=np.intp)
    created[place] = np.arange(place.size)
    summary = full.summary[place]
    weight, way = target.weight(summary), full.way[split]
    of_step = {step: full.subsets[node] for step, node in enumerate(order) if node in full.subsets}
    return ImpurityPath(
        split_node=created[split],
        split_variable=full.variable[split],
        split_threshold=full.threshold[split],
        node_value=target.value(summary),
        node_probability=weight / target.total,
        node_error=target.error(summary),
        node_cost=cost[place],
        node_score=full.drop[place],
        node_variable=full.variable[place],
        final_score=drop[nodes[queue[0]]] if queue else 0.0,
        rounding=ROUNDING,
        cost_name=target.cost_name,
        classes=target.classes,
        class_counts=target.counts(summary),
        node_examples=target.size(summary),
        split_missing=np.where(way < 0, weight[1::2] > weight[2::2], way > 0),
        subsets=MappingProxyType(of_step),
        names=names,
    )
