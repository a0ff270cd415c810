"""Runs of bottom-up pruning, on noisy samples and in extreme worlds, to see what each cut loses.

V are the nodes of the best pruning T_opt that the algorithm cuts; V' are those of them which
Lemma 12.4 says are seen as often as they should be. Sums over them are what chapter 6 bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from claims.kit import Outcome, equality, outcome
from claims.pruning.cases import World, followed, pruned, within, worlds
from claims.pruning.extremes import exact_logs, extremes, reach_bound
from dtviz.pruning.decisions import Pruning

__all__ = ["NODES", "RUNS", "Run", "over_runs", "run_of", "runs", "same_in_runs"]

RUNS = "runs, on noisy samples and in extreme worlds"
NODES = "nodes cut in runs"
CONSTANTS = (2.0, 0.5, 0.2)
"""For the noisy samples; the theorems ask for 2, but small trees are seldom cut then."""
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Run:
    """Bottom-up pruning of one world's tree that came out within T_opt.

    ``nodes`` is V, in the numbers of the tree given; ``found`` the pruning on the sample, ``true``
    the same cuts on the truth.
    """

    world: World
    c: float
    found: Pruning
    true: Pruning
    nodes: Ints

    @property
    def best(self) -> Pruning:
        """T_opt."""
        return self.world.best

    @property
    def inner(self) -> int:
        """s, the internal nodes of T_opt."""
        return self.best.n_leaves - 1

    @cached_property
    def depth(self) -> int:
        """l, the depth of T_opt."""
        return self.best.tree().depth

    @property
    def n(self) -> int:
        """The number of tests."""
        return self.world.n

    @property
    def m(self) -> int:
        """The size of the sample."""
        return self.world.m

    @property
    def rest(self) -> float:
        """``ln(m / delta)``."""
        return math.log(self.m) - math.log(self.world.delta)

    @cached_property
    def reach(self) -> Ints:
        """m_v for v in V."""
        return np.asarray(self.world.sample.reach[self.nodes])

    @cached_property
    def p(self) -> Floats:
        """p_v for v in V."""
        return np.asarray(self.world.truth.reach[self.nodes] / self.world.truth.m)

    @property
    def levels(self) -> Ints:
        """l_v for v in V."""
        return np.asarray(self.world.sample.given.node_depth[self.nodes])

    @property
    def sizes(self) -> Ints:
        """s_v, the leaves of T*_v, for v in V."""
        return np.asarray(self.found.subtree_leaves[self.nodes])

    @cached_property
    def bits(self) -> Floats:
        """r_v for v in V, from exact counts."""
        pairs = zip(self.levels.tolist(), self.sizes.tolist(), strict=True)
        return np.array([exact_logs(self.n, level, s) for level, s in pairs]) + self.rest

    @cached_property
    def q(self) -> float:
        """q_l of Lemma 12.4 for the depth l of T_opt."""
        return reach_bound(self.n, self.depth, self.m, self.world.delta)

    @property
    def likely(self) -> Bools:
        """Which of V belong to V': the nodes with ``p_v > q_l``."""
        return np.asarray(self.p > self.q)

    @property
    def terms(self) -> Floats:
        """``min(1, (2 + c) sqrt(r_v / m_v)) p_v`` for v in V."""
        return np.asarray(np.minimum(1, (2 + self.c) * np.sqrt(self.bits / self.reach)) * self.p)

    @cached_property
    def lost(self) -> Ints:
        """What each cut of V costs in truth, in weights."""
        return np.asarray(self.true.leaf_errors[self.nodes] - self.true.subtree_errors[self.nodes])

    @property
    def gap(self) -> float:
        """The true error of T* less that of T_opt."""
        return float(self.true.errors - self.best.errors) / self.world.truth.m

    def describe(self) -> str:
        """The constant and the world."""
        return f"c = {self.c:g}, {self.world.name}"


@cache
def runs() -> tuple[Run, ...]:
    """The runs that came out within T_opt."""
    pairs = [
        (world, c, cut) for c in CONSTANTS for world, cut in zip(worlds(), pruned(c), strict=True)
    ]
    pairs += [(world, c, world.rule().prune(0, c)) for world, c in extremes()]
    return tuple(run_of(*pair) for pair in pairs if within(pair[2], pair[0].best))


def run_of(world: World, c: float, found: Pruning) -> Run:
    """What one pruning of a world cuts of T_opt."""
    inner = world.best.kept & ~world.best.cut & (world.sample.given.variable >= 0)
    nodes = np.flatnonzero(inner & found.cut)
    return Run(world, c, found, followed(world.truth, found.cut), nodes)


def over_runs(
    left: Callable[[Run], float],
    right: Callable[[Run], float],
    what: str,
    *,
    of: Callable[[Run], bool] = lambda run: run.nodes.size > 0,
) -> Outcome:
    """``left <= right`` in every run of which ``of`` is true."""
    chosen = [run for run in runs() if of(run)]
    pairs = np.array([(left(run), right(run)) for run in chosen])
    a, b = pairs.T
    gap = (a - b) / np.maximum(np.abs(b), 1e-200)
    return outcome(
        RUNS,
        gap <= 1e-12,
        gap,
        lambda k: f"{what} {a[k]:.4g}, bound {b[k]:.4g}, {chosen[k].describe()}",
        example=lambda k: chosen[k].best.tree(),
    )


def same_in_runs(left: Callable[[Run], float], right: Callable[[Run], float]) -> Outcome:
    """``left = right`` in every run, up to rounding."""
    chosen = runs()
    off = [not math.isclose(left(r), right(r), rel_tol=1e-12, abs_tol=1e-15) for r in chosen]
    return equality(RUNS, off, lambda k: chosen[k].describe())
