"""Growth paths: the whole run of a top-down learner, computed once, sliced for free.

A top-down learner splits one leaf at a time, and which leaf it splits next does not depend on when
it will stop. So one run yields every tree it would ever output. A `GrowthPath` numbers nodes in the
order of their creation: the root is node 0, and step j (counted from 0) splits node
``split_node[j]`` into nodes ``2j + 1`` (low) and ``2j + 2`` (high). The tree after k steps is
therefore nodes ``0 .. 2k``, and it has ``k + 1`` leaves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, FrozenArrays, HasPicture, Ints, freeze_array
from dtviz.core.checks import as_integer, as_real
from dtviz.core.hints import with_hints
from dtviz.core.names import Names
from dtviz.core.tree.alternatives import Split
from dtviz.core.tree.arrays import preorder
from dtviz.core.tree.node_sums import HasTree, NodeSums
from dtviz.core.tree.prunings import path_scores
from dtviz.core.tree.tree import Tree


def find_step(
    errors: Floats,
    n_leaves: int | None,
    epsilon: float | None,
    rounding: float = 0.0,
    most: float = 0.5,
) -> int:
    """The place of the first tree so large, or so good, on a path of trees of 1, 2, .. leaves.

    The last by default.
    """
    if n_leaves is None and epsilon is None:
        return errors.size - 1
    if epsilon is None:
        try:
            return as_integer("n_leaves", n_leaves, 1, errors.size) - 1
        except ValueError as error:
            hint = (
                "tree() is the largest tree, and tree(epsilon=0.1) the first of so small an error"
            )
            raise ValueError(f"{error}: {hint}") from None
    if n_leaves is not None:
        msg = f"n_leaves and epsilon must not both be given, got {n_leaves} and {epsilon}"
        raise ValueError(msg)
    interval = {0.5: "[0, 1/2]", math.inf: "[0, inf)"}.get(most, f"[0, {most:g}]")
    epsilon = as_real("epsilon", epsilon, interval, lambda e: 0 <= e <= most and e < math.inf)
    reached = errors <= epsilon * (1 + rounding)
    if not reached.any():
        msg = (
            f"epsilon must be at least {errors.min():.6g}, the least error of this path (at most "
            f"{errors.size} leaves), got {epsilon:g}; tree() gives its largest tree"
        )
        raise ValueError(msg)
    return int(reached.argmax())


@with_hints
@dataclass(frozen=True, eq=False)
class GrowthPath(HasTree, FrozenArrays, HasPicture):
    """Every tree of one top-down run, from the single leaf to the last split.

    Attributes
    ----------
    split_node, split_variable, split_threshold : (K,) arrays
        Which leaf each step splits, on which variable, at which threshold (0.5 for a bit).
    node_value : (2K+1,) array
        The label of each node as a leaf.
    node_probability, node_error, node_cost, node_score : (2K+1,) float arrays
        Weight of the node, and its shares of the error, of the cost and its score as a leaf.
    node_variable : (2K+1,) int array
        The variable the node would be split on, -1 where no split helps.
    final_score : float
        The best leaf score after the last step (0 when the path ran to the end).
    rounding : float
        Errors may be above their true value by this fraction: 0 where they are exact.
    names : Names
        What the trees call the variables.
    n_features : int
        The number of variables; 0 if nobody counted them.
    errors, costs : (K+1,) float arrays
        Error and cost of the tree after 0, 1, .., K splits.
    scores : (K+1,) float array
        The score of the leaf that each step splits; the last entry is ``final_score``.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.build_top_down(dt.functions.conjunction(2))
    >>> path.n_splits, path.errors.tolist()
    (2, [0.25, 0.25, 0.0])
    """

    split_node: Ints
    split_variable: Ints
    node_value: npt.NDArray[Any]
    node_probability: Floats
    node_error: Floats
    node_cost: Floats
    node_score: Floats
    node_variable: Ints
    final_score: float = 0.0
    rounding: float = 0.0
    split_threshold: Floats = field(default_factory=lambda: np.empty(0))
    names: Names = field(default_factory=Names)
    n_features: int = 0
    errors: Floats = field(init=False)
    costs: Floats = field(init=False)
    scores: Floats = field(init=False)

    def __post_init__(self) -> None:
        if self.split_threshold.size == 0:
            object.__setattr__(self, "split_threshold", np.full(self.n_splits, 0.5))
        object.__setattr__(self, "errors", self.totals(self.node_error))
        object.__setattr__(self, "costs", self.totals(self.node_cost))
        scores = np.append(self.node_score[self.split_node], self.final_score)
        object.__setattr__(self, "scores", scores)
        super().__post_init__()

    def totals(self, share: Floats) -> Floats:
        """The sum over the leaves, after 0, 1, .., K steps, of what each node has a share of.

        Summed backwards from the last tree, whose leaves are pure when the path is complete, so
        that rounding never leaves a residue where the total is 0.
        """
        drop = share[self.split_node] - share[1::2] - share[2::2]
        is_leaf = np.ones(share.size, dtype=bool)
        is_leaf[self.split_node] = False
        backwards = np.concatenate([[share[is_leaf].sum()], drop[::-1]])
        return np.ascontiguousarray(np.cumsum(backwards)[::-1])

    @property
    def n_splits(self) -> int:
        """K, the number of splits on the path; its largest tree has K + 1 leaves."""
        return int(self.split_node.size)

    @cached_property
    def splits(self) -> tuple[Split, ...]:
        """The steps as `Split` records."""
        columns = (
            range(self.n_splits),
            self.split_node.tolist(),
            self.split_variable.tolist(),
            self.split_threshold.tolist(),
            self.node_depth[self.split_node].tolist(),
            self.scores.tolist(),
        )
        return tuple(Split(*row, **self._more_of(row[0])) for row in zip(*columns, strict=False))

    def _more_of(self, step: int) -> dict[str, Any]:
        """What a `Split` has beyond a threshold: nothing, on most paths."""
        del step
        return {}

    @cached_property
    def node_depth(self) -> Ints:
        """The depth of every node."""
        depth = np.zeros(2 * self.n_splits + 1, dtype=np.intp)
        for d, nodes in enumerate(self._levels(self.n_splits)[0]):
            depth[nodes] = d
        return freeze_array(depth)

    @property
    def n_leaves(self) -> int:
        """The number of leaves of the largest tree of the path."""
        return self.n_splits + 1

    def n_leaves_for(self, epsilon: float) -> int:
        """The number of leaves of the smallest tree with error at most ``epsilon``.

        A ValueError if none of the path is so good: it was cut short (``max_leaves``), or no test
        is left that separates the rest.
        ``epsilon`` is at most 1/2 with two classes, 1 with more; squared errors have no bound.
        """
        if epsilon is None:
            msg = "epsilon must be a number >= 0, got None"
            raise ValueError(msg)
        return self._steps(None, epsilon) + 1

    def tree(self, n_leaves: int | None = None, *, epsilon: float | None = None) -> Tree:
        """One tree of the path, labeled: the largest, unless a size or an error is given.

        ``n_leaves`` is from 1 to the path's; ``epsilon`` gives the smallest tree with error at most
        that, as in `n_leaves_for`.
        """
        steps = self._steps(n_leaves, epsilon)
        nodes = self._nodes(steps)
        split_at = self._split_at(steps)[nodes]
        is_inner = split_at >= 0
        variable = np.full(nodes.size, -1, dtype=np.intp)
        variable[is_inner] = self.split_variable[split_at[is_inner]]
        threshold = np.full(nodes.size, 0.5)
        threshold[is_inner] = self.split_threshold[split_at[is_inner]]
        sums = None if self._sums is None else self._sums.take(nodes)
        return self._build_tree(variable, self.node_value[nodes], threshold, split_at, sums)

    @cached_property
    def _sums(self) -> NodeSums | None:
        """The examples at all nodes of the path; of a Boolean function the inputs."""
        if not self.node_probability[0] > 0:
            return None
        missed = self.node_probability - self.node_error
        both = self.node_error, missed
        zeros, ones = (np.where(self.node_value == 1, *pair) for pair in (both, both[::-1]))
        return self._count(np.stack([zeros, ones], axis=1), np.array([0, 1]))

    def _count(
        self, counts: npt.NDArray[Any], classes: npt.NDArray[Any] | None, means: Any = None
    ) -> NodeSums:
        features = self.n_features or len(self.names.features or ())
        most = max(features, int(self.split_variable.max(initial=-1)) + 1)
        return NodeSums(counts, self.node_cost, classes, means, most)

    def _build_tree(
        self,
        variable: Ints,
        value: npt.NDArray[Any],
        threshold: Floats,
        step: Ints,
        sums: NodeSums | None,
    ) -> Tree:
        """The tree of these nodes; ``step`` says which step split each, -1 at a leaf."""
        del step
        return Tree(variable, value, threshold, self.names, sums=sums)

    def nodes(self, n_leaves: int | None = None, *, epsilon: float | None = None) -> Ints:
        """For each node of ``tree(...)``, which is in preorder, its number on the path."""
        return self._nodes(self._steps(n_leaves, epsilon))

    def predict(
        self,
        X: Any,
        n_leaves: int | None = None,
        *,
        epsilon: float | None = None,
        unknown: str = "error",
    ) -> npt.NDArray[Any]:
        """The label of each row of ``X`` by ``tree(n_leaves, epsilon=epsilon)``, an (m,) array.

        ``X`` and ``unknown`` are those of `Tree.apply`: a path of a Boolean function takes its
        points, one of predicates their table.
        """
        return self.tree(n_leaves, epsilon=epsilon).predict(X, unknown=unknown)

    def score(self, X: Any, y: Any = None, sample_weight: npt.ArrayLike | None = None) -> Floats:
        """How good every tree of the path is on examples: a validation curve from one pass.

        Entry k of a (K+1,) array is for the tree with k + 1 leaves: the share of rows whose label
        it predicts, exact without weights. For squared loss R squared, at most 1: 1 less its
        squared error over that of the mean of y; where y is constant, 1 if it predicts that, else
        0.

        Parameters
        ----------
        X : (m, d) array or data frame, m >= 1
            As for `GrowthPath.predict`.
        y : (m,) array-like, or what `grow` takes in its place
            Labels of the kind that the path predicts, text or numbers. Classes that the path does
            not know count as wrong.
        sample_weight : (m,) array-like of numbers >= 0, optional
            How much each row counts; not all 0.

        Examples
        --------
        >>> import dtviz as dt
        >>> path = dt.grow([[1], [2], [3], [4]], ["no", "yes", "yes", "no"])
        >>> path.score([[0], [2.5], [9]], ["no", "yes", "yes"]).round(2).tolist()
        [0.33, 1.0, 0.67]
        """
        return path_scores(self, X, y, sample_weight, by_squares=self._by_squares)

    @property
    def _by_squares(self) -> bool:
        """Whether labels are numbers, and errors squares."""
        return False

    def _steps(self, n_leaves: int | None, epsilon: float | None) -> int:
        """The number of splits of the tree that is asked for."""
        return find_step(self.errors, n_leaves, epsilon, self.rounding, self._most_error)

    @property
    def _most_error(self) -> float:
        """No tree that labels its leaves as well as it can errs more."""
        return 0.5

    def _nodes(self, steps: int) -> Ints:
        levels, inner = self._levels(steps)
        return np.concatenate(levels)[preorder(inner)]

    def _split_at(self, steps: int) -> Ints:
        """For each node of the tree after ``steps`` splits, the step that split it, or -1."""
        split_at = np.full(2 * steps + 1, -1, dtype=np.intp)
        split_at[self.split_node[:steps]] = np.arange(steps)
        return split_at

    def _levels(self, steps: int) -> tuple[list[Ints], list[npt.NDArray[np.bool_]]]:
        """The nodes at each depth after ``steps`` splits, left to right, and which are split."""
        split_at = self._split_at(steps)
        levels, inner = [np.zeros(1, dtype=np.intp)], []
        while True:
            split = split_at[levels[-1]]
            inner.append(split >= 0)
            split = split[split >= 0]
            if split.size == 0:
                return levels, inner
            levels.append((2 * split[:, None] + (1, 2)).ravel())

    def __repr__(self) -> str:
        fall = f"{self.errors[0]:g} -> {self.errors[-1]:g}"
        return f"<{type(self).__name__}: {self.n_splits} splits, error {fall}>"
