"""Runs of bottom-up pruning, on noisy samples and in extreme worlds, to see what each cut loses.

V are the nodes of the best pruning T_opt that the algorithm cuts; V' are those of them which
Lemma 12.4 says are seen as often as they should be. Sums over them are what chapter 6 bounds.
"""

import math
from functools import cache

import numpy as np

from claims.kit import equality
from claims.pruning import populations as pop

RUNS = "runs, on noisy samples and in extreme worlds"
NODES = "nodes cut in runs"
CONSTANTS = (2.0, 0.5, 0.2)
"""For the noisy samples; the theorems ask for 2, but small trees are seldom cut then."""


class Run:
    """Bottom-up pruning of one world's tree that came out within T_opt."""

    def __init__(self, world, c, found):
        sample, truth, best = world.sample, world.truth, world.best
        self.world, self.c, self.found, self.best = world, c, found, best
        self.n, self.m, self.delta = world.n, sample.m, world.delta
        self.rest = math.log(self.m) - math.log(self.delta)
        inner = best.kept & ~best.cut & (sample.given.variable >= 0)
        self.nodes = v = np.flatnonzero(inner & found.cut)
        self.true = pop.followed(truth, found.cut)
        self.inner, self.depth = int(inner.sum()), best.tree().depth
        self.reach, self.p = sample.reach[v], truth.reach[v] / truth.m
        self.levels, self.sizes = sample.given.node_depth[v], found.subtree_leaves[v]
        pairs = zip(self.levels.tolist(), self.sizes.tolist(), strict=True)
        self.bits = np.array([pop.bits(self.n, *pair, self.m, self.delta) for pair in pairs])
        self.roots = np.sqrt(self.bits / self.reach)
        self.q = pop.reach_bound(self.n, self.depth, self.m, self.delta)
        self.likely = here = self.p > self.q
        self.likely_roots, self.likely_p = self.roots[here], self.p[here]
        self.likely_bits, self.likely_reach = self.bits[here], self.reach[here]
        self.terms = np.minimum(1, (2 + c) * self.roots) * self.p
        self.lost = self.true.leaf_errors[v] - self.true.subtree_errors[v]  # in weights
        self.gap = (self.true.errors - best.errors) / truth.m

    def __str__(self):
        return f"c = {self.c:g}, {self.world.name}"


@cache
def runs():
    found = [
        (w, c, cut) for c in CONSTANTS for w, cut in zip(pop.worlds(), pop.pruned(c), strict=True)
    ]
    found += [(world, c, world.prune(c)) for world, c in pop.extremes()]
    return tuple(Run(*one) for one in found if pop.within(one[2], one[0].best))


def over_runs(left, right, of=lambda run: run.nodes.size > 0):
    """``left <= right`` in every run of which ``of`` is true."""
    chosen = [run for run in runs() if of(run)]
    sides = ([side(run) for run in chosen] for side in (left, right))
    return pop.bound(
        RUNS, *sides, lambda k: str(chosen[k]), example=lambda k: chosen[k].best.tree()
    )


def same_in_runs(gap):
    """A gap of nothing, in every run, up to rounding."""
    off = [abs(value) > 1e-12 for value in map(gap, runs())]
    return equality(RUNS, off, lambda k: str(runs()[k]))


def joined(part):
    """An array of every run, end to end over the nodes cut."""
    return np.concatenate([part(run) for run in runs()])


def node(k):
    """What to call one of the nodes of `joined`."""
    for run in runs():
        if k < run.nodes.size:
            return f"node {run.nodes[k]}, {run}"
        k -= run.nodes.size
    raise IndexError(k)
