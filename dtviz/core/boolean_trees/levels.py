"""Many subcubes at once: the engine under growth by influence, in whatever order a tree grows.

A node of a tree is the subcube of the points that come to it. Nodes with as many free variables
stand side by side, one column each, so that a whole level is measured and split by one sweep.

Under any product distribution the score of a child never exceeds that of its parent, because
``Pr[child] Inf_j(f_child) <= Pr[parent] Inf_j(f)``. So greedy growth, which always splits the leaf
of the highest score, visits the nodes of the full tree in the order of one stable sort by (score
descending, depth, left to right): `grow_levels` makes that tree, `growth_order` sorts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, Ints
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.tolerances import SCORE_TIE

_LEAST_WEIGHT = 1e-290
"""Smaller weights would lose their digits, or vanish, when they are added up and multiplied."""


class NodeMeasures(NamedTuple):
    """What growth knows of k nodes, ``(k,)`` arrays.

    ``variable`` is the one that a node would be split on, -1 where f is constant; ``zeros`` and
    ``ones`` the probabilities of its points with f = 0 and f = 1; ``cost`` its share of the cost
    and ``score`` its score as a leaf.
    """

    variable: Ints
    zeros: Floats
    ones: Floats
    cost: Floats
    score: Floats


@dataclass(frozen=True)
class Subcubes:
    """k subcubes with m free variables each, a column each.

    ``tables`` and ``weights`` are ``(2^m, k)``: the values of f, and the weights of the points;
    ``free`` is ``(m, k)``: which variables are free, the lowest first. ``factor[i]`` turns the
    weight of the points that are sensitive to x_i into ``Pr[node] * influence``, ``unit`` a weight
    into a probability. Under the uniform distribution each point weighs 1, and all is exact.
    """

    tables: npt.NDArray[np.bool_]
    weights: npt.NDArray[Any]
    free: Ints
    factor: Floats
    unit: float

    @classmethod
    def whole(cls, f: BooleanFunction, mu: ProductDistribution | None) -> Subcubes:
        """The whole cube, for flip influence; given ``mu``, for resample influence under it.

        ValueError if some point is so improbable that its weight is no normal float.
        """
        tables, free = f.table.astype(bool)[:, None], np.arange(f.n)[:, None]
        if mu is None:
            unit = 0.5**f.n
            ones = np.ones(tables.shape, dtype=np.uint8)
            return cls(tables, ones, free, np.full(f.n, unit), unit)
        weights = mu.weights()[:, None]
        if weights.min() < _LEAST_WEIGHT:
            least = weights.min()
            msg = f"mu must give every point a probability >= {_LEAST_WEIGHT:g}, got {least:g}"
            raise ValueError(msg)
        return cls(tables, weights, free, 2 * mu.p * (1 - mu.p), 1.0)

    def influences(self) -> Floats:
        """``Pr[node] * influence`` of each free variable, an ``(m, k)`` array."""
        m, nodes = self.free.shape
        mass = np.empty((m, nodes))
        for j in range(m):
            cube = (-1, 2, 1 << j, nodes)
            t, w = self.tables.reshape(cube), self.weights.reshape(cube)
            mass[j] = ((w[:, 0] + w[:, 1]) * (t[:, 0] != t[:, 1])).sum(axis=(0, 1))
        return mass * self.factor[self.free]

    def measure(self, influences: Floats) -> NodeMeasures:
        """What growth knows of each; within a node ties go to the lowest variable."""
        score = influences.max(axis=0, initial=0)
        variable = np.full(score.size, -1, dtype=np.intp)
        if influences.size:
            best = (influences >= score * (1 - SCORE_TIE)).argmax(axis=0)
            variable = np.where(score > 0, self.free[best, np.arange(score.size)], -1)
        return NodeMeasures(
            variable,
            zeros=(self.weights * ~self.tables).sum(axis=0) * self.unit,
            ones=(self.weights * self.tables).sum(axis=0) * self.unit,
            cost=influences.sum(axis=0),
            score=score,
        )

    def take(self, k: int) -> Subcubes:
        """The k-th of them alone."""
        tables, weights = (column[:, [k]] for column in self._columns)
        return Subcubes(tables, weights, self.free[:, [k]], self.factor, self.unit)

    def split(self, nodes: Ints, variable: Ints) -> Subcubes:
        """The children of some of them, low and high of each in turn, split on free variables."""
        free = self.free[:, nodes]
        is_split = free == variable
        position = is_split.argmax(axis=0)
        left = free.T[~is_split.T].reshape(nodes.size, -1).T
        halves = [np.empty((len(self.tables) // 2, nodes.size, 2), a.dtype) for a in self._columns]
        for j in np.unique(position).tolist():
            here = np.flatnonzero(position == j)
            for whole, half in zip(self._columns, halves, strict=True):
                ends = whole[:, nodes[here]].reshape(-1, 2, 1 << j, here.size)
                for b in (0, 1):
                    half[:, here, b] = ends[:, b].reshape(-1, here.size)
        tables, weights = (half.reshape(len(half), -1) for half in halves)
        return Subcubes(tables, weights, left.repeat(2, axis=1), self.factor, self.unit)

    @property
    def _columns(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        return self.tables, self.weights


def grow_levels(f: BooleanFunction, mu: ProductDistribution | None) -> NodeMeasures:
    """The nodes of the fully grown greedy tree, level by level, each level left to right.

    A node is split if its score is positive, and the children of those nodes follow in pairs.
    """
    cubes, levels = Subcubes.whole(f, mu), []
    while cubes.tables.size:
        levels.append(cubes.measure(cubes.influences()))
        inner = np.flatnonzero(levels[-1].score)
        if not inner.size:
            break
        cubes = cubes.split(inner, levels[-1].variable[inner])
    return NodeMeasures(*map(np.concatenate, zip(*levels, strict=True)))


def growth_order(score: Floats) -> Ints:
    """The nodes of positive score as greedy growth splits them: the highest first.

    Scores within a fraction `SCORE_TIE` of each other are equal; ties go to the node that comes
    first.
    """
    inner = np.flatnonzero(score)
    falling = inner[np.argsort(-score[inner])]
    drops = -np.diff(score[falling]) > SCORE_TIE * score[falling[:-1]]
    return falling[np.lexsort((falling, np.concatenate([[0], np.cumsum(drops)])[: inner.size]))]
