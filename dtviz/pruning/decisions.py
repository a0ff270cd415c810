"""The record of a pruning: the tree that is left, and what was compared and decided at each node.

Every method of pruning returns a `Pruning`, in which nodes keep the numbers they have in the tree
given, or a `PruningPath`: all its results as a parameter grows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools, Floats, FrozenArrays, HasPicture, Ints, freeze_array
from dtviz.core.checks import as_integer, as_real, as_repr
from dtviz.core.hints import with_hints
from dtviz.core.tolerances import ROUNDING
from dtviz.core.tree.node_sums import HasTree
from dtviz.core.tree.tree import Tree
from dtviz.pruning.node_counts import NodeCounts, short


@dataclass(frozen=True)
class Decision:
    """What a method decided at one internal node of the tree given.

    Attributes
    ----------
    node, depth, reach : int
        The node, its depth, and the number m_v of examples that reach it. Of weights that are not
        whole numbers, it and the errors are floats.
    subtree_leaves : int
        Leaves of the subtree that was compared with a leaf (see `Pruning`).
    subtree_errors, leaf_errors : int
        Errors of that subtree, and of the leaf, on these examples; of a regression tree, floats,
        their sums of squared errors.
    penalty : float
        What was added to the error rate of the subtree; 0 in methods without penalty.
    cut : bool
        The method preferred the leaf.
    gone : bool
        A node above was cut, so that this one is not in the pruned tree, whatever was decided here.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> root = dt.pruning.smallest_prunings(tree, X, y).pruning(2).decisions[-1]
    >>> root.node, root.subtree_leaves, root.subtree_errors, root.leaf_errors, root.cut
    (0, 2, 1, 3, False)
    """

    node: int
    depth: int
    reach: int
    subtree_leaves: int
    subtree_errors: float
    leaf_errors: float
    penalty: float
    cut: bool
    gone: bool


@with_hints
@dataclass(frozen=True, eq=False, repr=False)
class Pruning(HasTree, FrozenArrays, HasPicture):
    """What a method of pruning did: the pruned tree and every decision.

    All arrays are over the nodes of the tree *given*, ``counts.given``; at its leaves nothing is
    decided. A method that goes bottom-up compares each leaf with the *current* subtree, pruned
    below already, and decides at every internal node. A method that chooses a whole pruning at once
    decides at the nodes it keeps or cuts; the subtree is that of its choice where it keeps, and
    that of the tree given where it cuts.

    Attributes
    ----------
    counts : NodeCounts
        The tree given, on the sample; of a regression tree, with means in place of counts.
    cut : (n_nodes,) bool array
        The method preferred a leaf here.
    subtree_leaves, subtree_errors : (n_nodes,) int arrays
        Leaves of the subtree that was compared, and its errors on the sample; of a regression tree
        all errors are sums of squares, floats.
    penalty : (n_nodes,) float array
        Added to the subtree's error rate on the examples that reach it.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> pruning = dt.pruning.cost_complexity_prune(tree, X, y, 0.1)
    >>> pruning.n_leaves, pruning.errors
    (2, 1)
    >>> [(d.node, d.cut) for d in pruning.decisions]
    [(3, False), (2, True), (0, False)]
    """

    counts: NodeCounts
    cut: Bools
    subtree_leaves: Ints
    subtree_errors: npt.NDArray[Any]
    penalty: Floats

    @property
    def leaf_errors(self) -> npt.NDArray[Any]:
        """The errors of each node as a leaf on the sample."""
        return np.asarray(self.counts.weigh(self.counts.errors))

    def tree(self) -> Tree:
        """The pruned tree."""
        return self._tree

    def predict(self, X: Any, *, unknown: str = "error") -> npt.NDArray[Any]:
        """The label of each row of ``X`` by the pruned tree: `Tree.predict` of `tree`."""
        return self._tree.predict(X, unknown=unknown)

    @cached_property
    def _tree(self) -> Tree:
        return self.counts.prune(self.cut)

    @cached_property
    def kept(self) -> Bools:
        """Which nodes of the tree given are nodes of the pruned tree."""
        return freeze_array(self.counts.kept(self.cut))

    @cached_property
    def nodes(self) -> Ints:
        """For each node of the pruned tree its number in the tree given."""
        return freeze_array(np.flatnonzero(self.kept))

    @cached_property
    def _leaves(self) -> Ints:
        return np.flatnonzero(self.counts.leaves(self.cut))

    @property
    def n_leaves(self) -> int:
        """The size of the pruned tree: its leaves."""
        return int(self._leaves.size)

    @property
    def errors(self) -> Any:
        """The errors of the pruned tree on the sample; of a regression tree, their squares."""
        return self.counts.weigh(self.counts.errors[self._leaves].sum()).item()

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """One `Decision` per internal node, children before parents."""
        tree, end = self.counts.given, self.counts.end
        order = np.lexsort((-tree.node_depth, end))  # the nodes that end together are nested
        order = order[tree.variable[order] >= 0]
        columns = (
            *(tree.node_depth, self.counts.weigh(self.counts.reach), self.subtree_leaves),
            *(self.subtree_errors, self.leaf_errors, self.penalty, self.cut, ~self.kept),
        )
        entries = [column[order].tolist() for column in (np.arange(tree.n_nodes), *columns)]
        return tuple(map(Decision, *entries))

    def __repr__(self) -> str:
        sizes = f"{self.counts.given.n_leaves} -> {self.n_leaves} leaves"
        before = self.counts.weigh(self.counts.subtree_errors[0]).item()
        m, after = self.counts.m, self.errors
        errors = f"{short(before)} -> {short(after)} errors of {short(m)}"
        if self.counts.given.is_regression or self.counts.loss is not None:
            what = "loss" if self.counts.loss is not None else "squared error"
            errors = f"mean {what} {before / m:.4g} -> {after / m:.4g} on {short(m)}"
        return f"<{type(self).__name__}: {sizes}, {errors}>"


Decide = Callable[[Ints, Ints, Ints], tuple[Bools, Floats]]
"""From nodes, sizes and errors of their current subtrees: where to cut, and the penalties."""


def bottom_up(counts: NodeCounts, decide: Decide) -> Pruning:
    """Decide at every internal node, from the deepest level up, on the current subtree."""
    tree, leaf = counts.given, counts.errors
    size, errors = np.ones(tree.n_nodes, dtype=np.intp), leaf.copy()
    size_before, errors_before = size.copy(), leaf.copy()
    cut, penalty = np.zeros(tree.n_nodes, dtype=bool), np.zeros(tree.n_nodes)
    for level in reversed(tree.levels):
        inner = level[tree.variable[level] >= 0]
        low, high = tree.low[inner], tree.high[inner]
        size_before[inner] = below = size[low] + size[high]
        errors_before[inner] = wrong = errors[low] + errors[high]
        cut[inner], penalty[inner] = here, _ = decide(inner, below, wrong)
        size[inner] = np.where(here, 1, below)
        errors[inner] = np.where(here, leaf[inner], wrong)
    return Pruning(counts, cut, size_before, counts.weigh(errors_before), penalty)


def cut_fields(
    counts: NodeCounts, cut: Bools
) -> tuple[NodeCounts, Bools, Ints, npt.NDArray[Any], Floats]:
    """The fields of the `Pruning` of a method that chose all its cuts at once."""
    tree, kept, leaves = counts.given, counts.kept(cut), counts.leaves(cut)
    cut = cut & kept & (tree.variable >= 0)
    stays = kept & ~cut
    size = np.where(stays, counts.over_subtrees(leaves), tree.leaves_below)
    errors = counts.over_subtrees(np.where(leaves, counts.errors, 0))
    errors = counts.weigh(np.where(stays, errors, counts.subtree_errors))
    return counts, cut, size, errors, np.zeros(tree.n_nodes)


@with_hints
@dataclass(frozen=True, eq=False, repr=False)
class PruningPath(HasTree, FrozenArrays, HasPicture):
    """Every pruning that a method gives as one parameter grows from 0.

    Attributes
    ----------
    parameter : str
        The name of the parameter.
    breaks : (P,) float array
        Where the pruning changes, ascending; the first is 0. Pruning j holds for values in
        ``[breaks[j], breaks[j+1])``.
    n_leaves, errors : (P,) int arrays
        The leaves of each pruned tree, and its errors on the sample; of regression trees, floats,
        the sums of squared errors.
    m : int
        The examples of the sample; like the errors a float, if weights are not whole numbers.
    make : function
        Returns the pruning for a value of the parameter.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> path = dt.pruning.cost_complexity_path(tree, X, y)
    >>> path
    <PruningPath over alpha: 3 prunings, 4 -> 1 leaves>
    >>> path.tree(epsilon=0.2).n_leaves, path.tree(value=0.5).n_leaves
    (2, 1)
    """

    parameter: str
    breaks: Floats
    n_leaves: Ints
    errors: npt.NDArray[Any]
    m: float
    make: Callable[[float], Pruning]

    def __len__(self) -> int:
        return int(self.breaks.size)

    def __iter__(self) -> Iterator[Pruning]:
        return (self.pruning(value=float(value)) for value in self.breaks)

    def pruning(
        self,
        n_leaves: int | None = None,
        *,
        epsilon: float | None = None,
        value: float | None = None,
    ) -> Pruning:
        """One pruning of the path, with its decisions: by default the largest tree.

        Or the largest with at most ``n_leaves`` leaves, the smallest whose error rate (or mean
        squared error) on the sample is at most ``epsilon``, or that for a ``value`` of the
        parameter.
        """
        if value is None:
            place = find_place(self.n_leaves, self.errors, self.m, n_leaves, epsilon)
            return self.make(float(self.breaks[place]))
        check_one(n_leaves=n_leaves, epsilon=epsilon, value=value)
        value = as_real(self.parameter, value, "[0, inf)", lambda v: 0 <= v < np.inf)
        return self.make(value)

    def tree(
        self,
        n_leaves: int | None = None,
        *,
        epsilon: float | None = None,
        value: float | None = None,
    ) -> Tree:
        """The tree of `pruning`, with the same arguments."""
        return self.pruning(n_leaves, epsilon=epsilon, value=value).tree()

    def __repr__(self) -> str:
        return (
            f"<PruningPath over {self.parameter}: {len(self)} prunings, "
            f"{self.n_leaves[0]} -> {self.n_leaves[-1]} leaves>"
        )


def check_one(**given: object) -> None:
    """Refuse two ways at once of choosing a tree."""
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        msg = f"{' and '.join(named)} must not be given together"
        raise ValueError(msg)


def find_place(
    sizes: Ints, errors: npt.NDArray[Any], m: float, n_leaves: int | None, epsilon: float | None
) -> int:
    """Which of some trees is the largest of at most n_leaves, or the smallest within epsilon.

    ``sizes`` and ``errors`` are the leaves of each tree and its errors on m examples. Among trees
    of one size it is the first with the fewest errors. The largest by default.
    """
    check_one(n_leaves=n_leaves, epsilon=epsilon)
    if epsilon is not None:
        # Squared errors, losses and weights are floats; a rate of errors is at most 1.
        is_float = errors.dtype.kind == "f"
        interval, most = ("[0, inf)", sys.float_info.max) if is_float else ("[0, 1]", 1.0)
        epsilon = as_real("epsilon", epsilon, interval, lambda e: 0 <= e <= most)
        rounding = ROUNDING if is_float else 0
        good = np.flatnonzero(errors / m <= epsilon * (1 + rounding))
        if good.size == 0:
            least = errors.min() / m
            msg = f"epsilon must be at least {least:.6g}, the least error rate, got {epsilon:g}"
            raise ValueError(msg)
        return int(good[np.lexsort([errors[good], sizes[good]])[0]])
    most = sizes.max() if n_leaves is None else as_integer("n_leaves", n_leaves, 1)
    small = np.flatnonzero(sizes <= most)
    if small.size == 0:
        msg = f"n_leaves must be at least {sizes.min()}, the smallest tree, got {as_repr(n_leaves)}"
        raise ValueError(msg)
    return int(small[np.lexsort([errors[small], -sizes[small]])[0]])
