"""Chapter 5, growing: the splits, leaves and runs that claims are tried on.

Shares and weights are multiples of 1/16 or 1/8, so that min and Gini are computed without rounding.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from dtviz import growing
from dtviz.claims.populations import name
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.growth import GrowthPath
from dtviz.growing.votes import VoteGrowth, grow_votes

__all__ = [
    "LEAVES",
    "SPLITS",
    "LeafSets",
    "Run",
    "Splits",
    "all_splits",
    "leaf_sets",
    "runs",
    "vote_runs",
    "weak_runs",
]

Floats = npt.NDArray[np.float64]

SPLITS = "splits with tau, p, r in sixteenths"
LEAVES = "sets of 3 leaves with weights and shares in eighths"


@dataclass(frozen=True)
class Splits:
    """Splits of a leaf, entry by entry: ``tau = Pr[h = 1]`` in (0, 1), shares p and r."""

    tau: Floats
    p: Floats
    r: Floats

    @property
    def q(self) -> Floats:
        """The share of the leaf, exact."""
        share: Floats = (1 - self.tau) * self.p + self.tau * self.r
        return share

    def describe(self, k: int) -> str:
        """A split in words."""
        return f"tau = {self.tau[k]:g}, p = {self.p[k]:g}, r = {self.r[k]:g}"


@cache
def all_splits() -> Splits:
    """All with ``tau`` from 1/16 to 15/16."""
    axes = (np.arange(1, 16) / 16, np.arange(17) / 16, np.arange(17) / 16)
    tau, p, r = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
    return Splits(tau, p, r)


@dataclass(frozen=True)
class LeafSets:
    """Trees as their leaves: ``(sets, leaves)`` arrays of weights, sum 1, and shares q."""

    weights: Floats
    shares: Floats

    @property
    def errors(self) -> Floats:
        """The error of each leaf, exact."""
        wrong: Floats = np.minimum(self.shares, 1 - self.shares)
        return wrong

    def total(self, value: Floats) -> Floats:
        """The weighted sum over the leaves of a ``(sets, leaves)`` array."""
        summed: Floats = (self.weights * value).sum(axis=1)
        return summed

    def describe(self, k: int) -> str:
        """A set in words."""
        shares = ", ".join(f"{q:g}" for q in self.shares[k])
        weights = ", ".join(f"{w:g}" for w in self.weights[k])
        return f"leaves of shares {shares} and weights {weights}"


@cache
def leaf_sets(leaves: int = 3) -> LeafSets:
    """All sets of so many leaves with weights and shares in eighths."""
    weights = [w for w in itertools.product(range(1, 8), repeat=leaves) if sum(w) == 8]
    shares = list(itertools.product(range(9), repeat=leaves))
    pairs = list(itertools.product(weights, shares))
    return LeafSets(np.array([w for w, _ in pairs]) / 8, np.array([q for _, q in pairs]) / 8)


@dataclass(frozen=True)
class Run:
    """A greedy run by cost; ``gamma`` is an edge that every distribution grants, 0 if unknown."""

    name: str
    f: BooleanFunction
    path: GrowthPath
    gamma: float = 0.0


@cache
def runs(cost: str) -> tuple[Run, ...]:
    """Growth by cost on every function of 3 variables, by single variables, uniform inputs."""
    functions = [BooleanFunction.from_int(3, code) for code in range(256)]
    return tuple(Run(name(3, f.code), f, growing.grow_function(f, cost=cost)) for f in functions)


@cache
def weak_runs(cost: str) -> tuple[Run, ...]:
    """Growth on majorities, which their variables know with edge 1/(2n) under any distribution."""
    found = []
    for n in (3, 5, 7, 9):
        f = zoo.majority(n)
        for mu, called in (
            (None, "uniform bits"),
            (ProductDistribution(np.linspace(0.2, 0.7, n)), "biased bits"),
        ):
            path = growing.grow_function(f, mu, cost)
            found.append(Run(f"the majority of {n}, {called}", f, path, 1 / (2 * n)))
    return tuple(found)


@cache
def vote_runs(cost: str) -> tuple[VoteGrowth, ...]:
    """Growth on independent votes: the smaller the edge, the larger the error it ends with."""
    goals = ((0.3, 1e-4), (0.2, 1e-3), (0.1, 1e-2), (0.05, 0.1))
    return tuple(grow_votes(gamma, cost, epsilon) for gamma, epsilon in goals)
