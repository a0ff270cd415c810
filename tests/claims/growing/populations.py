"""Chapter 5, growing: the splits, leaves, runs and worlds that claims are tried on.

Shares and weights of splits and leaves are dyadic, so that min and Gini are computed without
rounding. The rates are tried against adversaries: worlds in which every leaf has a question of the
edge assumed, and no better one, made so that it takes as little off the cost as it can.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims import kit
from claims.kit.populations import name
from dtviz import growing
from dtviz.core.bases import freeze_array
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution, cube_points
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.growing.votes import grow_votes

Floats = npt.NDArray[np.float64]

claim = partial(kit.claim, page="5-growing")
SPLITS = "splits with tau, p, r in sixteenths"
LEAVES = "sets of 3 leaves"
SHARES = (0, 1 / 1024, *(k / 8 for k in range(1, 8)), 1023 / 1024, 1)
"""Of the leaves in sets: nearly pure ones, too, where Gini is twice the error."""


bounded = partial(kit.at_most, rounded=True)
bounds = partial(kit.bounds, rounded=True)
exact = kit.same
same = partial(kit.same, digits=12)
"""A check of rows (gap, where): nothing but rounding in each."""


@dataclass(frozen=True)
class Splits:
    """Splits of a leaf, entry by entry: ``tau = Pr[h = 1]`` in (0, 1), shares p, r and q."""

    tau: Floats
    p: Floats
    r: Floats

    @property
    def q(self):
        return (1 - self.tau) * self.p + self.tau * self.r

    def where(self, k):
        return f"tau = {self.tau[k]:g}, p = {self.p[k]:g}, r = {self.r[k]:g}"


@cache
def all_splits(*, equal=True, weak=False):
    """All with ``tau`` from 1/16 to 15/16; ``equal``: those with p = r, too.

    ``weak``: of mixed leaves only, and two of small edges, where entropy is sharpest.
    """
    axes = (np.arange(1, 16) / 16, np.arange(17) / 16, np.arange(17) / 16)
    tau, p, r = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
    few = (p != r) | equal
    tau, p, r = tau[few], p[few], r[few]
    if weak:
        step = np.array([1 / 64, 1 / 256])
        tau, p, r = np.append(tau, [0.5, 0.5]), np.append(p, 0.5 - step), np.append(r, 0.5 + step)
    return Splits(tau, p, r)


@cache
def counts_of_splits():
    """The inputs of a leaf by (h, f), up to 5 each: n00, n01, n10, n11; both sides of h occur."""
    n00, n01, n10, n11 = np.array(list(itertools.product(range(6), repeat=4))).T
    both = (n00 + n01 > 0) & (n10 + n11 > 0)
    return n00[both], n01[both], n10[both], n11[both]


@dataclass(frozen=True)
class LeafSets:
    """Trees as their leaves: ``(sets, leaves)`` arrays of weights, sum 1, and shares q."""

    weights: Floats
    shares: Floats

    @property
    def errors(self):
        return np.minimum(self.shares, 1 - self.shares)

    @property
    def x(self):
        return self.shares * (1 - self.shares)

    def total(self, value):
        """The weighted sum over the leaves of a ``(sets, leaves)`` array."""
        return (self.weights * value).sum(axis=1)

    def where(self, k):
        shares = ", ".join(f"{q:g}" for q in self.shares[k])
        weights = ", ".join(f"{w:g}" for w in self.weights[k])
        return f"leaves of shares {shares} and weights {weights}"


@cache
def leaf_sets(leaves=3):
    """All sets of so many leaves with weights in eighths and `SHARES`."""
    weights = [w for w in itertools.product(range(1, 8), repeat=leaves) if sum(w) == 8]
    shares = list(itertools.product(SHARES, repeat=leaves))
    pairs = list(itertools.product(weights, shares))
    return LeafSets(np.array([w for w, _ in pairs]) / 8, np.array([q for _, q in pairs]))


@dataclass(frozen=True, eq=False)
class Run:
    """A greedy run by cost, on inputs of the weights given."""

    name: str
    f: BooleanFunction
    path: GrowthPath
    weights: Floats


def _run(called, f, means, cost):
    mu = ProductDistribution(means)
    return Run(called, f, growing.grow_function(f, mu, cost), mu.weights())


@cache
def runs(cost, *, biased=False):
    """Growth by cost on every function of 3 variables, by single variables.

    ``biased`` bits: up to negation, which changes no cost.
    """
    means = [0.25, 0.5, 0.625] if biased else [0.5] * 3
    functions = [BooleanFunction.from_int(3, code) for code in range(128 if biased else 256)]
    return tuple(_run(name(3, f.code), f, means, cost) for f in functions)


@cache
def all_steps():
    """Every tree of the runs by Gini on functions of 3 variables under uniform inputs."""
    return tuple((run, t) for run in runs("gini") for t in range(run.path.n_splits + 1))


@cache
def grown_trees():
    return tuple(run.path.tree(t + 1) for run, t in all_steps())


@cache
def deep_runs():
    """Growth by Gini in which leaves of different depths are equally good, up to rounding, too."""
    some = (
        ("multiplexer(2)", zoo.multiplexer(2), 0.5),
        ("the majority of 7", zoo.majority(7), 0.5),
        ("the majority of 5, means of 0.3", zoo.majority(5), 0.3),
    )
    return tuple(_run(called, f, [mean] * f.n, "gini") for called, f, mean in some)


@cache
def weak_runs():
    """Growth by Gini on majorities: their variables have edge 1/(2n) under any distribution."""
    return tuple(
        _run(f"the majority of {n}, {called} bits", zoo.majority(n), means, "gini")
        for n in (3, 5)
        for called, means in (("uniform", [0.5] * n), ("biased", np.linspace(0.2, 0.7, n)))
    )


@cache
def regions(run):
    """Which points reach each node of a path, from the numbering of nodes: ``(nodes, 2^n)``."""
    X, path = cube_points(run.f.n), run.path
    here = np.ones((2 * path.n_splits + 1, len(X)), dtype=bool)
    for step, (node, i) in enumerate(zip(path.split_node, path.split_variable, strict=True)):
        for side in (0, 1):
            here[2 * step + 1 + side] = here[node] & (X[:, i] == side)
    return freeze_array(here)


@dataclass(frozen=True, eq=False)
class World:
    """A greedy run in the world of an adversary.

    Before each of its first ``steps + 1`` splits every leaf has a question of edge ``gamma``, and
    no question of a larger one.
    """

    name: str
    gamma: float
    path: GrowthPath
    steps: int


def adversary(share, gamma, depth, *, even):
    """Bits worth asking in their order: the weights of their values, and ``Pr[f = 1]`` there.

    At a leaf that has seen d bits the next has edge gamma. ``even``: each bit is a fair coin, and
    moves the share q by ``4 gamma q(1-q)`` up or down, the least that Gini can lose. If not, it
    errs on both labels equally often, the least that sqrt can lose. The bits after it say less at
    that leaf, or as much; those before say nothing.
    """
    weights, shares = np.ones(1), np.array([share])
    for _ in range(depth):
        tau = np.full(shares.size, 0.5) if even else 0.5 + gamma * (2 * shares - 1)
        shares = np.concatenate(growing.children(shares, gamma, tau))
        weights = np.concatenate([weights * (1 - tau), weights * tau])
    return weights, np.clip(shares, 0, 1)


def _world(share, gamma, depth, cost, *, even):
    weights, shares = adversary(share, gamma, depth, even=even)
    path = growing.grow_predicates(cube_points(depth), shares, weights, cost)
    below = np.zeros(2 * path.n_splits + 1, np.intp)
    for step, node in enumerate(path.split_node):
        below[2 * step + 1 : 2 * step + 3] = below[node] + 1
    # A leaf that has seen all bits has no question left.
    last = int((below[1::2] == depth).argmax())
    kind = "fair bits" if even else "votes"
    called = f"{kind} of edge {gamma:g} from a share of {share:g}, by {cost}"
    return World(called, gamma, path, last)


@cache
def adversaries(cost):
    """Small edges, for which the bounds are sharpest, and large ones; equal labels and rare ones.

    The greedy learner watches ``cost``.
    """
    sharp = [_world(0.5, 0.01, 9, cost, even=even) for even in (True, False)]
    others = itertools.product((0.5, 1 / 256), (0.01, 0.1, 0.25), (True, False))
    return (*sharp, *(_world(q, gamma, 7, cost, even=even) for q, gamma, even in others))


@cache
def vote_runs(cost):
    """Growth on independent votes: the smaller the edge, the larger the error it ends with."""
    # Under Gini leaves overtake those already split, again and again: that takes long.
    least = 1e-3 if cost == "gini" else 1e-8
    goals = ((0.3, least), (0.2, least), (0.1, 1e-2), (0.05, 0.1), (0.01, 0.45))
    return tuple(grow_votes(gamma, cost, epsilon) for gamma, epsilon in goals)
