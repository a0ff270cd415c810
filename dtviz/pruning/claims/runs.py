"""Runs of bottom-up pruning on noisy worlds, for the claims that bound what is lost.

V are the nodes of the best pruning T_opt that the algorithm cuts; sums over V are what the source
bounds step by step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from dtviz import pruning
from dtviz.claims.registry import Outcome, equality, outcome
from dtviz.pruning.claims.cases import DELTA, World, followed, pruned, within, worlds
from dtviz.pruning.decisions import Pruning

__all__ = ["CONSTANTS", "RUNS", "Run", "capped", "capped_sum", "over_runs", "runs", "same_in_runs"]

RUNS = "runs on noisy samples"
CONSTANTS = (2.0, 0.5, 0.2)
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


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
        """s_opt, the internal nodes of T_opt."""
        return self.best.n_leaves - 1

    @property
    def depth(self) -> int:
        """l_opt."""
        return self.best.tree().depth

    @property
    def m(self) -> int:
        """The size of the sample."""
        return self.world.m

    @property
    def reach(self) -> Ints:
        """m_v for v in V."""
        return np.asarray(self.world.sample.reach[self.nodes])

    @property
    def p(self) -> Floats:
        """p_v for v in V."""
        return np.asarray(self.world.truth.reach[self.nodes] / self.world.truth.m)

    @property
    def levels(self) -> Ints:
        """l_v for v in V."""
        return np.asarray(self.world.sample.given.node_depth[self.nodes])

    @property
    def sizes(self) -> Ints:
        """The internal nodes of T*_v for v in V."""
        return np.asarray(self.found.subtree_leaves[self.nodes] - 1)

    @property
    def bits(self) -> Floats:
        """r_v of (12.8) for v in V, from exact counts."""
        n = self.world.n
        pairs = zip(self.levels.tolist(), self.sizes.tolist(), strict=True)
        logs = [
            math.log(pruning.count_paths(n, level)) + math.log(pruning.count_trees(n, 2 * s + 1))
            for level, s in pairs
        ]
        return np.array(logs) + math.log(self.m / DELTA)

    @property
    def rough_bits(self) -> Floats:
        """r_v of (12.16) for v in V."""
        logs = (self.levels + self.sizes) * math.log(self.world.n)
        return np.asarray(logs + math.log(self.m / DELTA))

    @property
    def frequent(self) -> npt.NDArray[np.bool_]:
        """Which of V belong to V': the nodes with ``p_v > 12 ln(t/delta) / m``."""
        t = self.nodes.size
        return np.asarray(self.p > (12 * math.log(t / DELTA) / self.m if t else 0))

    @property
    def gap(self) -> float:
        """The true error of T* less that of T_opt."""
        return (self.true.errors - self.best.errors) / self.world.truth.m

    def describe(self) -> str:
        """The constant and the world."""
        return f"c = {self.c:g}, {self.world.name}"


@cache
def runs(*constants: float) -> tuple[Run, ...]:
    """The runs with these constants that came out within T_opt."""
    found = []
    for c in constants:
        for world, cut in zip(worlds(), pruned(c), strict=True):
            if within(cut, world.best):
                inner = world.best.kept & ~world.best.cut & (world.sample.given.variable >= 0)
                nodes = np.flatnonzero(inner & cut.cut)
                found.append(Run(world, c, cut, followed(world.truth, cut.cut), nodes))
    return tuple(found)


def over_runs(
    left: Callable[[Run], float], right: Callable[[Run], float], what: str, *, strict: bool = False
) -> Outcome:
    """``left <= right`` in every run in which something was cut."""
    chosen = [run for run in runs(*CONSTANTS) if run.nodes.size]
    pairs = [(left(run), right(run)) for run in chosen]
    gap = np.array([(a - b) / max(abs(b), 1e-300) for a, b in pairs])
    return outcome(
        RUNS,
        gap < 0 if strict else gap <= 1e-12,
        gap,
        lambda k: f"{what} {pairs[k][0]:.4g}, bound {pairs[k][1]:.4g}, {chosen[k].describe()}",
    )


def same_in_runs(left: Callable[[Run], float], right: Callable[[Run], float]) -> Outcome:
    """``left = right`` in every run."""
    chosen = runs(*CONSTANTS)
    off = [not math.isclose(left(r), right(r), rel_tol=1e-12, abs_tol=1e-15) for r in chosen]
    return equality(RUNS, off, lambda k: chosen[k].describe())


def capped(run: Run, bits: Floats) -> Floats:
    """``min(1, sqrt(r_v / m_v)) p_v``."""
    return np.asarray(np.minimum(1, np.sqrt(bits / run.reach)) * run.p)


def capped_sum(run: Run) -> float:
    """Delta, the sum of `capped` over V with r_v of (12.8)."""
    return float(capped(run, run.bits).sum())
