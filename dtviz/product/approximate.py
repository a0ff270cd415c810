"""Top-down growth by any rule: replay a list of splits, or choose nearly the best one.

`build_top_down` sorts all nodes once; here a tree grows split by split, so that the order may be
anybody's: a learner that has only samples, or an adversary who may take a share of the best score.
"""

from __future__ import annotations

import heapq
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees import one_is_likelier
from dtviz.core.checks import as_array, as_generator, as_integer, as_real, shown
from dtviz.core.growth_path import GrowthPath
from dtviz.core.measures import (
    checked_distribution,
)
from dtviz.core.names import Names
from dtviz.core.tolerances import ROUNDING, SCORE_TIE
from dtviz.core.topdown import within_reach

__all__ = ["best_scores", "build_top_down_approximate", "chosen_shares", "replay"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


class _Growth:
    """A growing tree on f: what each node has as a leaf, nodes numbered as in `GrowthPath`."""

    def __init__(self, f: BooleanFunction, mu: ProductDistribution | None) -> None:
        f = within_reach(f)
        self.n, self.names = f.n, Names(f.variables)
        if mu is None:
            weights, self.spread = np.full(1 << f.n, 0.5**f.n), np.ones(f.n)
        else:
            mu = checked_distribution(mu, f.n)
            weights, self.spread = mu.weights(), 2 * mu.p * (1 - mu.p)
        self.rounding = 0.0 if mu is None else ROUNDING
        self.split_node: list[int] = []
        self.split_variable: list[int] = []
        # A leaf's subcube: its values, their weights, and the variables that are free there.
        self.cubes: list[tuple[npt.NDArray[np.bool_], Floats, list[int]] | None] = []
        self.masses: list[tuple[float, float]] = []
        self.scores = np.zeros((64, f.n))
        """Per node and variable, ``Pr[node] * influence``; a node that was split has zeros."""
        self.node_cost: list[float] = []
        self.node_score: list[float] = []
        self.node_variable: list[int] = []
        self._add(f.table.astype(bool), weights, list(range(f.n)))

    def _add(self, table: npt.NDArray[np.bool_], weights: Floats, free: list[int]) -> None:
        node = len(self.cubes)
        if node == len(self.scores):
            self.scores = np.concatenate([self.scores, np.zeros_like(self.scores)])
        row = self.scores[node]
        for j, i in enumerate(free):
            t, w = table.reshape(-1, 2, 1 << j), weights.reshape(-1, 2, 1 << j)
            row[i] = self.spread[i] * ((w[:, 0] + w[:, 1]) * (t[:, 0] != t[:, 1])).sum()
        score = row.max(initial=0.0)
        self.cubes.append((table, weights, free))
        self.masses.append((float(weights[~table].sum()), float(weights[table].sum())))
        self.node_cost.append(float(row.sum()))
        self.node_score.append(float(score))
        best = int((row >= score * (1 - SCORE_TIE)).argmax()) if score > 0 else -1
        self.node_variable.append(best)

    def split(self, node: int, i: int) -> None:
        """Make a leaf ask for ``x_i``, which must be free there."""
        cube = self.cubes[node]
        if cube is None or i not in cube[2]:
            what = "a leaf" if cube is None else f"a leaf at which x{i} is free"
            msg = f"split_node must name {what}, got node {node} at step {len(self.split_node)}"
            raise ValueError(msg)
        table, weights, free = cube
        j = free.index(i)
        left = free[:j] + free[j + 1 :]
        for b in (0, 1):
            t = table.reshape(-1, 2, 1 << j)[:, b].ravel()
            w = weights.reshape(-1, 2, 1 << j)[:, b].ravel()
            self._add(t, w, left)
        self.cubes[node] = None
        self.scores[node] = 0
        self.split_node.append(node)
        self.split_variable.append(i)

    def path(self) -> GrowthPath:
        """The run so far."""
        zeros, ones = np.array(self.masses).T
        return GrowthPath(
            split_node=np.array(self.split_node, dtype=np.intp),
            split_variable=np.array(self.split_variable, dtype=np.intp),
            node_value=one_is_likelier(zeros, ones).astype(np.intp),
            node_probability=zeros + ones,
            node_error=np.minimum(zeros, ones),
            node_cost=np.array(self.node_cost),
            node_score=np.array(self.node_score),
            node_variable=np.array(self.node_variable, dtype=np.intp),
            final_score=float(self.scores.max(initial=0.0)),
            rounding=self.rounding,
            names=self.names,
        )


def replay(
    f: BooleanFunction,
    mu: ProductDistribution | None,
    split_node: npt.ArrayLike,
    split_variable: npt.ArrayLike,
) -> GrowthPath:
    """Make the given splits, and measure f at every node on the way, exactly.

    For growth by any rule, such as that of claim PS-T5.1.

    Parameters
    ----------
    f : BooleanFunction
    mu : ProductDistribution or None
        None: uniform, flip influence; else resample influence, as in `build_top_down`.
    split_node, split_variable : (K,) int arrays
        Which leaf each step splits, numbered as in `GrowthPath`, and on which variable; K may be 0.

    Returns
    -------
    GrowthPath
        ``scores[j]`` is the best score of the leaf that step j splits; what the step took off the
        cost is ``costs[j] - costs[j + 1]``. See `best_scores` and `chosen_shares`.

    Raises
    ------
    ValueError
        If a step names no leaf of its tree, or a variable that is fixed there; if the two arrays
        are not flat, of integers and of one length; if f has too many variables, or ``mu`` another
        number of them.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.product.replay(dt.functions.conjunction(2), None, [0, 2], [1, 0])
    >>> path.errors.tolist(), path.costs.tolist()
    ([0.25, 0.25, 0.0], [1.0, 0.5, 0.0])
    """
    growth = _Growth(f, mu)
    nodes = _as_steps("split_node", split_node)
    variables = _as_steps("split_variable", split_variable)
    if nodes.size != variables.size:
        msg = f"split_variable must have one entry per split, {nodes.size}, got {variables.size}"
        raise ValueError(msg)
    for node, i in zip(nodes.tolist(), variables.tolist(), strict=True):
        growth.split(as_integer("split_node", node, 0, len(growth.cubes) - 1), i)
    return growth.path()


def _as_steps(name: str, value: Any) -> Ints:
    array = as_array(value)
    if array is None or array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        msg = f"{name} must be a flat sequence of integers, one per split, got {shown(value)}"
        raise ValueError(msg)
    return array.astype(np.intp)


def build_top_down_approximate(
    f: BooleanFunction,
    mu: ProductDistribution | None = None,
    share: float = 0.25,
    rng: np.random.Generator | int | None = None,
    max_leaves: int | None = None,
) -> GrowthPath:
    """Grow by choices that are nearly the best: the learner of claim PS-T5.1.

    Each step may split any leaf on any variable whose score, ``Pr[leaf] * influence``, is at least
    ``share`` of the best one.

    Parameters
    ----------
    f, mu : as in `build_top_down`
    share : float or Fraction in (0, 1]
        1 is exact greedy growth, but for ties.
    rng : numpy Generator or seed, optional
        Chooses at random among what is allowed. None: an adversary chooses the smallest score
        allowed; ties go to the leaf made first, then to the lowest variable.
    max_leaves : int, optional
        Cut the run there.

    Returns
    -------
    GrowthPath
        See `best_scores` and `chosen_shares` for what the steps gave away.

    Raises
    ------
    ValueError
        If ``f`` has too many variables, ``mu`` another number of them, ``share`` is not in (0, 1],
        ``rng`` no generator or seed, or ``max_leaves`` no integer >= 1.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.random(5, 1)
    >>> dt.build_top_down(f).n_splits
    11
    >>> dt.product.build_top_down_approximate(f, share=0.25).n_splits
    20
    """
    growth = _Growth(f, mu)
    share = as_real("share", share, "(0, 1]", lambda s: 0 < s <= 1)
    generator = None if rng is None else as_generator("rng", rng)
    limit = 1 << growth.n
    if max_leaves is not None:
        limit = min(limit, as_integer("max_leaves", max_leaves, 1))
    while len(growth.split_node) + 1 < limit:
        scores = growth.scores[: len(growth.cubes)]
        best = scores.max(initial=0.0)
        if best == 0:
            break
        # A share of next to nothing allows all that lowers the cost, and no more.
        floor = max(share * best * (1 - SCORE_TIE), math.ulp(0.0))
        if generator is None:
            allowed = np.where(scores >= floor, scores, np.inf)
            flat = int((allowed <= allowed.min() * (1 + SCORE_TIE)).argmax())
        else:
            flat = int(generator.choice(np.flatnonzero(scores >= floor)))
        growth.split(*divmod(flat, growth.n))
    return growth.path()


def best_scores(path: GrowthPath) -> Floats:
    """The best score of any leaf after 0, 1, .., K steps: a ``(K + 1,)`` array.

    On a path of `build_top_down` these are ``path.scores``; other rules may split a worse leaf
    (claim PS-T5.1).

    Raises
    ------
    ValueError
        If ``path`` is no GrowthPath.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.product.build_top_down_approximate(dt.functions.decision_list(3))
    >>> dt.product.best_scores(path).tolist()
    [0.75, 0.5, 0.5, 0.5, 0.0]
    >>> path.scores.tolist()
    [0.75, 0.25, 0.25, 0.5, 0.0]
    """
    if not isinstance(path, GrowthPath):
        msg = f"path must be a GrowthPath, got {shown(path)}"
        raise ValueError(msg)
    score = path.node_score.tolist()
    heap, gone = [(-score[0], 0)], np.zeros(len(score), dtype=bool)
    best = np.empty(path.n_splits + 1)
    for j in range(path.n_splits + 1):
        while gone[heap[0][1]]:
            heapq.heappop(heap)
        best[j] = -heap[0][0]
        if j < path.n_splits:
            gone[path.split_node[j]] = True
            for node in (2 * j + 1, 2 * j + 2):
                heapq.heappush(heap, (-score[node], node))
    return best


def chosen_shares(path: GrowthPath) -> Floats:
    """What each step took off the cost, as a share of the best score there: a ``(K,)`` array.

    1 on a path of `build_top_down`, at least 1/4 on one that claim PS-T5.1 is about.

    Raises
    ------
    ValueError
        If ``path`` is no GrowthPath.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.product.build_top_down_approximate(dt.functions.decision_list(4))
    >>> dt.product.chosen_shares(path).round(2).tolist()
    [0.6, 0.25, 0.25, 0.25, 1.0]
    """
    best = best_scores(path)[:-1]
    drops = path.costs[:-1] - path.costs[1:]
    return np.divide(drops, best, out=np.zeros_like(drops), where=best > 0)
