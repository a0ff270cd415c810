"""Chapter 5, growing: how the cost falls against adversaries and on votes, against what is said.

What the page says of a cost is three formulas, each with the constants that it displays: the least
drop of a step, the bound on the cost, and ln of the number of leaves that are enough.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.testing import assert_allclose

from claims.growing.populations import Floats, World, adversaries, bounded, vote_runs
from dtviz import growing

STEPS = "steps against adversaries"
MOMENTS = "moments of growth against adversaries and on votes"


def steps_keep(cost, floor, first=0, tight=0.999):
    """Every step from ``first`` on takes off at least ``floor(G, t, gamma)``."""

    def check(**spoiled):
        low, lost, cases = [], [], []
        for world in adversaries(cost):
            t = np.arange(first, world.steps + 1)
            G = world.path.costs
            low += floor(np.minimum(G[t], 0.5), t.astype(float), world.gamma, **spoiled).tolist()
            lost += (G[t] - G[t + 1]).tolist()
            cases += [(world, k) for k in t.tolist()]
        return bounded(
            STEPS,
            low,
            lost,
            lambda k: f"step {cases[k][1]}, {cases[k][0].name}",
            example=lambda k: cases[k][0].path.tree(cases[k][1] + 1),
            tight=tight,
        )

    return check


@dataclass(frozen=True)
class Moments:
    """Trees on the way: ln of their leaves, costs, errors and edges, arrays of one length."""

    log_leaves: Floats
    costs: Floats
    errors: Floats
    gammas: Floats
    starts: tuple[tuple[int, str, World | None], ...]

    def where(self, k):
        start, called, world = max(s for s in self.starts if s[0] <= k)
        return f"after {k - start} {'splits' if world else 'states'}, {called}"

    def tree(self, k):
        """The tree of a moment against an adversary; those on votes are too large."""
        start, _, world = max(s for s in self.starts if s[0] <= k)
        return world.path.tree(k - start + 1) if world else None

    @property
    def log_splits(self):
        """``ln`` of the number of splits, one less than that of leaves; 0 for none or one."""
        few = np.maximum(self.log_leaves, math.log(2))
        return few + np.log1p(-np.exp(-few))


@cache
def moments(cost):
    """Growth by a cost: against adversaries after every split, on votes after every state."""
    rows, starts = [], []
    for world in adversaries(cost):
        starts.append((sum(row[0].size for row in rows), world.name, world))
        n = world.steps + 2
        G, error = np.minimum(world.path.costs[:n], 0.5), world.path.errors[:n]
        rows.append((np.log(np.arange(1, n + 1)), G, error, np.full(n, world.gamma)))
    for votes in vote_runs(cost):
        called = f"votes of edge {votes.gamma:g}, by {cost}"
        starts.append((sum(row[0].size for row in rows), called, None))
        edge = np.full(votes.errors.size, votes.gamma)
        rows.append((votes.log_leaves, np.minimum(votes.costs, 0.5), votes.errors, edge))
    columns = map(np.concatenate, zip(*rows, strict=True))
    return Moments(*columns, tuple(starts))


def costs_fall(cost, most, tight=0.73, *, splits=False):
    """From 1/2 the cost falls as far as ``most(ln leaves, gamma)``, or further; by logarithms.

    ``splits``: the bound is a function of ln of the splits.
    """

    def check(**spoiled):
        now = moments(cost)
        begun = np.flatnonzero(now.log_leaves > 0)
        size = (now.log_splits if splits else now.log_leaves)[begun]
        promised = -np.log(2 * most(size, now.gammas[begun], **spoiled))
        return bounded(
            MOMENTS,
            promised,
            -np.log(2 * now.costs[begun]),
            lambda k: f"ln of how far the cost has come from 1/2, {now.where(begun[k])}",
            example=lambda k: now.tree(begun[k]),
            tight=tight,
        )

    return check


def solved(cost, floor, most):
    """The slowest fall that the recurrence allows, from 1/2, against its solution."""

    def check(**spoiled):
        t = np.arange(3000)
        fell, promised = [], []
        for gamma in (0.4, 0.2, 0.05):
            G = 0.5
            for k in t.tolist():
                fell.append(-math.log(2 * G))
                G -= float(floor(G, k, gamma))
            promised += (-np.log(2 * most(np.log(t + 1), gamma, **spoiled))).tolist()
        return bounded(
            f"moments of the slowest fall, {cost}",
            promised,
            fell,
            lambda k: f"after {t[k % t.size]} splits, gamma {(0.4, 0.2, 0.05)[k // t.size]}",
            tight=0.93,
        )

    return check


def enough(cost, said, tight, *, of_cost=False):
    """So many splits bring the error, or so many leaves the cost, to every epsilon; by logarithms.

    At a moment with an error e, no epsilon below e has been reached: so the number for e, to
    which the numbers for these tend, must not be smaller.
    """

    def check(**spoiled):
        now = moments(cost)
        value, taken = (now.costs, now.log_leaves) if of_cost else (now.errors, now.log_splits)
        begun = np.flatnonzero((now.log_leaves > 0) & (value > 0) & (value < 0.5 - 1e-9))
        what = "cost" if of_cost else "error"
        return bounded(
            MOMENTS,
            taken[begun],
            said(value[begun], now.gammas[begun], **spoiled),
            lambda k: f"{what} still {value[begun[k]]:.4g}, {now.where(begun[k])}",
            tight=tight,
        )

    return check


def assert_package(cost, floor, most, leaves):
    """`dtviz.growing` has these formulas."""
    G, t = (axis.ravel() for axis in np.meshgrid(np.arange(1, 65) / 128, np.arange(8.0)))
    L = np.arange(0, 200, 0.5)
    for g in (0.01, 0.1, 0.3, 0.5):
        enough = [growing.log_leaves_enough(float(e), g, cost) for e in G]
        assert_allclose(growing.tree_drop_floor(G, t + 1, g, cost), floor(G, t, g), rtol=1e-9)
        assert_allclose(growing.cost_bound(L, g, cost), most(L, g), rtol=1e-9)
        assert_allclose(enough, leaves(G, g), rtol=1e-9, atol=1e-9)


def assert_same(ours, theirs, gammas=(0.01, 0.1, 0.25, 0.4)):
    """A number of epsilon and gamma can be had in two ways: one constant gives the other."""
    for e, g in itertools.product((0.4, 0.1, 0.001), gammas):
        assert_allclose(ours(e, g), theirs(e, g), rtol=1e-6)
