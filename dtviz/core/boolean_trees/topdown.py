"""Top-down growth by influence: BuildTopDownDT, and what it knows of the leaves of any tree.

Chapter 1 grows under the uniform distribution by flip influence, chapter 3 under any product
distribution by resample influence; the run is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, Ints
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean.measures import check_distribution, check_function
from dtviz.core.boolean_trees.levels import NodeMeasures, Subcubes, grow_levels, growth_order
from dtviz.core.checks import as_array, as_integer, as_repr
from dtviz.core.hints import with_hints
from dtviz.core.names import Names
from dtviz.core.tolerances import ROUNDING, SCORE_TIE
from dtviz.core.tree.alternatives import Alternatives, Split, rank_splits
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.on_cube import one_is_likelier
from dtviz.core.tree.tree import Tree, check_tree

MAX_GROWTH_VARIABLES = 22
"""The largest n `build_top_down` accepts: 2^n leaves at about 100 bytes each."""


@with_hints
def build_top_down(
    f: BooleanFunction, mu: ProductDistribution | None = None, max_leaves: int | None = None
) -> InfluencePath:
    """BuildTopDownDT, run to error 0 (claim BLT-ALG; with ``mu``, claim PS-ALG).

    Start from one leaf. Each step splits the leaf of the highest score on its most influential
    variable, where ``score = Pr[leaf] * max_i influence_i(f at the leaf)``: flip influence under
    the uniform distribution, resample influence when ``mu`` is given. Each leaf is labeled by the
    likelier value of f there (0 when tied). Ties: within a leaf the lowest variable; among leaves
    the shallowest, then the leftmost (0-branch first). The cost is the total influence left, of the
    same kind as the scores: half as large with ``mu = uniform(n)`` as without, for the same trees.

    Parameters
    ----------
    f : BooleanFunction
        At most ``MAX_GROWTH_VARIABLES`` variables.
    mu : ProductDistribution, optional
        One probability per variable.
    max_leaves : int, optional
        Cut the path when its tree has this many leaves (at least 1).

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.build_top_down(dt.functions.majority(3))
    >>> path.errors.tolist()
    [0.5, 0.25, 0.25, 0.25, 0.125, 0.0]
    >>> path.tree(epsilon=0.25)
    <Tree: 2 leaves, depth 1>
    """
    f = check_growable(f)
    limit = 1 << f.n if max_leaves is None else as_integer("max_leaves", max_leaves, 1)
    nodes = grow_levels(f, None if mu is None else check_distribution(mu, f.n))
    order = growth_order(nodes.score)
    steps = min(order.size, limit - 1)
    final_score = float(nodes.score[order[steps]]) if steps < order.size else 0.0
    order = order[:steps]
    # The children of inner nodes follow the root in pairs, level by level.
    low = 2 * np.cumsum(nodes.score > 0)[order] - 1
    # place[k]: where the k-th created node stands in the level-by-level arrays.
    place = np.concatenate([[0], np.stack([low, low + 1], axis=1).ravel()])
    created = np.empty(nodes.score.size, dtype=np.intp)
    created[place] = np.arange(place.size)
    chosen = NodeMeasures(*(column[place] for column in nodes))
    split_node = created[order]
    return _path(f, mu, chosen, split_node, chosen.variable[split_node], final_score)


def _path(  # noqa: PLR0913, PLR0917
    f: BooleanFunction,
    mu: ProductDistribution | None,
    nodes: NodeMeasures,
    split_node: Ints,
    split_variable: Ints,
    final_score: float,
) -> InfluencePath:
    """The path of these splits; the nodes stand in the order of their creation."""
    return InfluencePath(
        split_node=split_node,
        split_variable=split_variable,
        node_value=one_is_likelier(nodes.zeros, nodes.ones).astype(np.intp),
        node_probability=nodes.zeros + nodes.ones,
        node_error=np.minimum(nodes.zeros, nodes.ones),
        node_cost=nodes.cost,
        node_score=nodes.score,
        node_variable=nodes.variable,
        final_score=final_score,
        rounding=0.0 if mu is None else ROUNDING,
        names=Names(f.variables),
        n_features=f.n,
        f=f,
        mu=mu,
    )


def check_growable(f: object) -> BooleanFunction:
    """Return f, or say that its full tree is too large to grow."""
    f = check_function(f)
    if f.n > MAX_GROWTH_VARIABLES:
        gib = 2.0 ** (f.n - 30) * 100
        msg = (
            f"f must have at most {MAX_GROWTH_VARIABLES} variables, got n = {f.n}: "
            f"its full tree may take {gib:.3g} GiB"
        )
        raise ValueError(msg)
    return f


@dataclass(frozen=True, eq=False, repr=False)
class InfluencePath(GrowthPath):
    """A `GrowthPath` of growth by influence, which knows the function that it grew on.

    Attributes
    ----------
    f : BooleanFunction
    mu : ProductDistribution, optional
        The distribution; None for the uniform one and flip influence.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.build_top_down(dt.functions.conjunction(2))
    <InfluencePath: 2 splits, error 0.25 -> 0>
    """

    f: BooleanFunction = field(kw_only=True)
    mu: ProductDistribution | None = field(default=None, kw_only=True)

    def alternatives(self, node: int) -> Alternatives:
        """The candidates at a node: the variables on which f depends there, the best first.

        ``node`` is its number on the path: 0 is the root, and step j splits ``path.splits[j].node``
        into ``2j + 1`` (low) and ``2j + 2`` (high). Each gain is ``Pr[node] * influence``, what the
        split takes off the cost. Of equal gains, marked as ties, the path takes the first.

        Examples
        --------
        >>> import dtviz as dt
        >>> path = dt.build_top_down(dt.BooleanFunction.from_text("rain & wind | sun"))
        >>> path.alternatives(0)
        rank  column  test  gain
        ----  ------  ----  ----  ---
           1  sun     sun   0.75
           2  rain    rain  0.25  tie
           2  wind    wind  0.25  tie
        """
        number = at = as_integer("node", node, 0, 2 * self.n_splits)
        way = []
        while at:
            step, bit = divmod(at - 1, 2)
            way.append((self.split_variable[[step]], bit))
            at = int(self.split_node[step])
        cubes = Subcubes.whole(self.f, self.mu)
        for variable, bit in reversed(way):
            cubes = cubes.split(np.zeros(1, dtype=np.intp), variable).take(bit)
        gains = zip(cubes.free[:, 0].tolist(), cubes.influences()[:, 0].tolist(), strict=True)
        splits = [Split(-1, number, i, 0.5, len(way), gain) for i, gain in gains if gain > 0]
        return rank_splits(splits, self, SCORE_TIE * float(self.node_score[number]))


class StepwiseGrowth:
    """A tree that grows on f split by split, nodes numbered as in `GrowthPath`.

    ``scores`` has ``Pr[node] * influence`` for each node made and each variable, zeros for a node
    that was split.
    """

    def __init__(self, f: BooleanFunction, mu: ProductDistribution | None) -> None:
        self.f = check_growable(f)
        self.mu = None if mu is None else check_distribution(mu, self.f.n)
        self.split_node: list[int] = []
        self.split_variable: list[int] = []
        self._leaves: dict[int, Subcubes] = {}
        self._measures: list[NodeMeasures] = []
        self._scores: list[Floats] = []
        self._add(0, Subcubes.whole(self.f, self.mu))

    @property
    def n_nodes(self) -> int:
        """The number of nodes made."""
        return 2 * len(self.split_node) + 1

    @property
    def scores(self) -> Floats:
        """The table of scores, ``(n_nodes, n)``."""
        return np.array(self._scores)

    def _add(self, node: int, cubes: Subcubes) -> None:
        """Measure one new leaf, or two, the first of that number."""
        influences = cubes.influences()
        self._measures.append(cubes.measure(influences))
        for k in range(cubes.free.shape[1]):
            self._leaves[node + k] = cubes.take(k)
            self._scores.append(np.zeros(self.f.n))
            self._scores[-1][cubes.free[:, k]] = influences[:, k]

    def split(self, node: int, i: int) -> None:
        """Make a leaf ask for ``x_i``, which must be free there."""
        leaf = self._leaves.get(node)
        if leaf is None or i not in leaf.free:
            what = "a leaf" if leaf is None else f"a leaf at which x{i} is free"
            msg = f"split_node must name {what}, got node {node} at step {len(self.split_node)}"
            raise ValueError(msg)
        del self._leaves[node]
        self._scores[node][:] = 0
        self._add(self.n_nodes, leaf.split(np.zeros(1, dtype=np.intp), np.array([i])))
        self.split_node.append(node)
        self.split_variable.append(i)

    def path(self) -> InfluencePath:
        """The run so far."""
        return _path(
            self.f,
            self.mu,
            NodeMeasures(*map(np.concatenate, zip(*self._measures, strict=True))),
            np.array(self.split_node, dtype=np.intp),
            np.array(self.split_variable, dtype=np.intp),
            float(self.scores.max(initial=0.0)),
        )


def replay(
    f: BooleanFunction,
    mu: ProductDistribution | None,
    split_node: npt.ArrayLike,
    split_variable: npt.ArrayLike,
) -> InfluencePath:
    """Make the given splits, and measure f at every node on the way, exactly.

    For growth by any rule, such as that of claim PS-T5.1. Two arrays say which leaf each step
    splits, numbered as in `GrowthPath`, and on which variable. On the path ``scores[j]`` is the
    best score of the leaf that step j splits.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.product.replay(dt.functions.conjunction(2), None, [0, 2], [1, 0])
    >>> path.errors.tolist(), path.costs.tolist()
    ([0.25, 0.25, 0.0], [1.0, 0.5, 0.0])
    """
    growth = StepwiseGrowth(f, mu)
    nodes = _as_steps("split_node", split_node)
    variables = _as_steps("split_variable", split_variable)
    if nodes.size != variables.size:
        msg = f"split_variable must have one entry per split, {nodes.size}, got {variables.size}"
        raise ValueError(msg)
    for node, i in zip(nodes.tolist(), variables.tolist(), strict=True):
        growth.split(as_integer("split_node", node, 0, growth.n_nodes - 1), i)
    return growth.path()


def _as_steps(name: str, value: Any) -> Ints:
    array = as_array(value)
    if array is None or array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        msg = f"{name} must be a flat sequence of integers, one per split, got {as_repr(value)}"
        raise ValueError(msg)
    return array.astype(np.intp)


@dataclass(frozen=True)
class LeafScores:
    """Per leaf of a tree, left to right: what BuildTopDownDT knows of it.

    ``influences`` is an ``(n_leaves, n)`` array of ``Pr[leaf] * influence_i(f at the leaf)``;
    ``score`` its row maxima; ``variable`` the lowest maximizing variable, -1 where f is constant.

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.influence.leaf_scores(dt.Tree.leaf(0), dt.functions.conjunction(2))
    >>> found.influences.tolist(), found.score.tolist(), found.variable.tolist()
    ([[0.5, 0.5]], [0.5], [0])
    """

    influences: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]
    variable: npt.NDArray[np.intp]


def leaf_scores(
    tree: Tree, f: BooleanFunction, mu: ProductDistribution | None = None
) -> LeafScores:
    """The scores of the leaves of any tree (claim BLT-DEF-SCORE), by definition, not by a path.

    Flip influence under the uniform distribution, resample influence when ``mu`` is given.

    Examples
    --------
    >>> import dtviz as dt
    >>> stump = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1))
    >>> dt.influence.leaf_scores(stump, dt.functions.majority(3)).score.tolist()
    [0.25, 0.25]
    """
    leaf = check_tree(tree).apply_points(f)
    weights = None if mu is None else check_distribution(mu, f.n).weights()
    point = np.arange(1 << f.n)
    table = np.zeros((tree.n_nodes, f.n))
    for i in range(f.n):
        other = point ^ (1 << i)
        # A queried variable is fixed at its leaf: there f no longer depends on it.
        sensitive = (f.table != f.table[other]) & (leaf == leaf[other])
        if mu is None or weights is None:
            table[:, i] = np.bincount(leaf[sensitive], minlength=tree.n_nodes) / point.size
        else:
            mass = np.bincount(leaf[sensitive], weights[sensitive], minlength=tree.n_nodes)
            table[:, i] = 2 * mu.p[i] * (1 - mu.p[i]) * mass
    table = table[tree.leaves]
    score = table.max(axis=1, initial=0.0)
    variable = np.full(score.size, -1, dtype=np.intp)
    alive = np.flatnonzero(score)
    if alive.size:
        variable[alive] = (table[alive] >= score[alive, None] * (1 - SCORE_TIE)).argmax(axis=1)
    return LeafScores(table, score, variable)


def tree_cost(tree: Tree, f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The total influence left at the leaves: ``sum Pr[leaf] * Inf(f at the leaf)`` (BLT-DEF-COST).

    Flip influence under the uniform distribution, resample influence when ``mu`` is given.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.influence.tree_cost(dt.Tree.leaf(0), dt.functions.majority(3))
    1.5
    """
    return float(leaf_scores(tree, f, mu).influences.sum())


def tree_error(tree: Tree, f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The error of the best labeling of the tree's leaves (claim BLT-DEF-ERRT), in [0, 1/2].

    Examples
    --------
    >>> import dtviz as dt
    >>> stump = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1))
    >>> dt.influence.tree_error(stump, dt.functions.majority(3))
    0.25
    """
    zeros, ones = check_tree(tree).leaf_masses(f, mu)
    return float(np.minimum(zeros, ones).sum())
