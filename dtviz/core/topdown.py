"""Top-down growth by influence: BuildTopDownDT, and what it knows of the leaves of any tree.

Chapter 1 grows under the uniform distribution by flip influence, chapter 3 under any product
distribution by resample influence; the run is the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees import one_is_likelier
from dtviz.core.checks import as_integer
from dtviz.core.growth_path import GrowthPath
from dtviz.core.levels import (
    FullTree,
    uniform_tree,
    weighted_tree,
)
from dtviz.core.measures import (
    checked_distribution,
    checked_function,
)
from dtviz.core.names import Names
from dtviz.core.tolerances import ROUNDING, SCORE_TIE
from dtviz.core.tree import Tree, checked_tree

__all__ = [
    "MAX_GROWTH_VARIABLES",
    "LeafScores",
    "build_top_down",
    "leaf_scores",
    "tree_cost",
    "tree_error",
    "within_reach",
]

MAX_GROWTH_VARIABLES = 22
"""The largest n `build_top_down` accepts: 2^n leaves at about 100 bytes each."""


def build_top_down(
    f: BooleanFunction, mu: ProductDistribution | None = None, max_leaves: int | None = None
) -> GrowthPath:
    """BuildTopDownDT, run to error 0 (claim BLT-ALG; with ``mu``, claim PS-ALG).

    Start from one leaf. Each step splits the leaf of the highest score on its most influential
    variable, where ``score = Pr[leaf] * max_i influence_i(f at the leaf)``: flip influence under
    the uniform distribution, resample influence when ``mu`` is given. Each leaf is labelled by the
    likelier value of f there (0 when tied). Ties: within a leaf the lowest variable; among leaves
    the shallowest, then the leftmost (0-branch first).

    Parameters
    ----------
    f : BooleanFunction
        At most ``MAX_GROWTH_VARIABLES`` variables.
    mu : ProductDistribution, optional
        One probability per variable.
    max_leaves : int, optional
        Cut the path when its tree has this many leaves (at least 1).

    Returns
    -------
    GrowthPath
        Its ``errors``, ``costs`` and ``scores`` are those after each split. The cost is the total
        influence left, of the same kind as the scores: half as large with ``mu = uniform(n)`` as
        without ``mu``, for the same trees.

    Raises
    ------
    ValueError
        If ``f`` has too many variables, ``mu`` another number of them, or ``max_leaves`` is no
        integer >= 1.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.build_top_down(dt.functions.majority(3))
    >>> path.errors.tolist()
    [0.5, 0.25, 0.25, 0.25, 0.125, 0.0]
    >>> print(path.tree(epsilon=0.25))
    x0
    ├─ 0: 0
    └─ 1: 1
    """
    f = within_reach(f)
    max_steps = (1 << f.n) - 1
    if max_leaves is not None:
        max_steps = as_integer("max_leaves", max_leaves, 1) - 1
    if mu is None:
        return _path(uniform_tree(f), max_steps, Names(f.variables))
    full = weighted_tree(f, checked_distribution(mu, f.n))
    return _path(full, max_steps, Names(f.variables), ROUNDING)


def within_reach(f: object) -> BooleanFunction:
    """Return f, or say that its full tree is too large to grow."""
    f = checked_function(f)
    if f.n > MAX_GROWTH_VARIABLES:
        gib = 2.0 ** (f.n - 30) * 100
        msg = (
            f"f must have at most {MAX_GROWTH_VARIABLES} variables, got n = {f.n}: "
            f"its full tree may take {gib:.3g} GiB"
        )
        raise ValueError(msg)
    return f


def _path(full: FullTree, max_steps: int, names: Names, rounding: float = 0.0) -> GrowthPath:
    """Number the nodes of a full tree in the order of their creation and cut it to size."""
    order = full.order
    steps = min(order.size, max_steps)
    final_score = float(full.score[order[steps]]) if steps < order.size else 0.0
    order = order[:steps]
    # place[k]: where the k-th created node stands in the level-by-level arrays.
    place = np.zeros(2 * steps + 1, dtype=np.intp)
    place[1::2] = full.low[order]
    place[2::2] = full.low[order] + 1
    created = np.empty(full.low.size, dtype=np.intp)
    created[place] = np.arange(place.size)
    zeros, ones = full.zeros[place], full.ones[place]
    variable = full.variable[place].astype(np.intp)
    split_node = created[order]
    return GrowthPath(
        split_node=split_node,
        split_variable=variable[split_node],
        node_value=one_is_likelier(zeros, ones).astype(np.intp),
        node_probability=zeros + ones,
        node_error=np.minimum(zeros, ones),
        node_cost=full.cost[place],
        node_score=full.score[place],
        node_variable=variable,
        final_score=final_score,
        rounding=rounding,
        names=names,
    )


# -- one tree and one function -------------------------------------------------------------------


@dataclass(frozen=True)
class LeafScores:
    """Per leaf of a tree, left to right: what BuildTopDownDT knows of it.

    ``influences`` is an ``(n_leaves, n)`` array of ``Pr[leaf] * influence_i(f at the leaf)``;
    ``score`` its row maxima; ``variable`` the lowest maximising variable, -1 where f is constant.

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

    Raises
    ------
    ValueError
        If ``tree`` is no Tree of Boolean tests, ``f`` lacks a variable that it tests, or ``mu`` is
        no distribution on the variables of f.

    Examples
    --------
    >>> import dtviz as dt
    >>> stump = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1))
    >>> dt.influence.leaf_scores(stump, dt.functions.majority(3)).score.tolist()
    [0.25, 0.25]
    """
    leaf = checked_tree(tree).apply_points(f)
    weights = None if mu is None else checked_distribution(mu, f.n).weights()
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

    Raises
    ------
    ValueError
        As for `leaf_scores`.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.influence.tree_cost(dt.Tree.leaf(0), dt.functions.majority(3))
    1.5
    """
    return float(leaf_scores(tree, f, mu).influences.sum())


def tree_error(tree: Tree, f: BooleanFunction, mu: ProductDistribution | None = None) -> float:
    """The error of the best labelling of the tree's leaves (claim BLT-DEF-ERRT), in [0, 1/2].

    Raises
    ------
    ValueError
        As for `leaf_scores`.

    Examples
    --------
    >>> import dtviz as dt
    >>> stump = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1))
    >>> dt.influence.tree_error(stump, dt.functions.majority(3))
    0.25
    """
    zeros, ones = checked_tree(tree).leaf_masses(f, mu)
    return float(np.minimum(zeros, ones).sum())
