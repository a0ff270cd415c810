"""The finite worlds that the claims of chapter 3 are tried on: functions and trees under biases.

Every bias is a dyadic fraction, so that the probabilities of so small cubes, and their products,
are exact in floating point: equalities and ties are decided exactly.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.kit.populations import all_functions, name, trees_and_functions
from dtviz import product
from dtviz.core import functions as zoo
from dtviz.core import measures, topdown
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.growth import GrowthPath
from dtviz.core.optimal import optimal

__all__ = [
    "BIASES",
    "MEASURES",
    "BiasedTrees",
    "Floats",
    "Pairs",
    "Run",
    "Steps",
    "biased_trees",
    "common_bias",
    "first_cost",
    "guarded_run",
    "pairs",
    "runs",
    "steps",
    "under",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

BIASES = (1 / 2, 1 / 64, 1 / 8, 1 / 4, 3 / 4, 15 / 16)
"""Every triple of these is a measure that inequalities between functions are tried under."""

MEASURES = ((1 / 2,) * 3, (1 / 8,) * 3, (1 / 64, 1 / 2, 3 / 4), (1 / 4, 1 / 2, 15 / 16))
"""The measures that all trees of three variables, and runs on all functions, are tried under."""


def under(p: npt.ArrayLike) -> str:
    """A measure in words: ``p = (1/64, 1/2, 3/4)``."""
    told = [str(Fraction(float(q)).limit_denominator(10_000)) for q in np.asarray(p)]
    return f"p = {told[0]}" if len(set(told)) == 1 else f"p = ({', '.join(told)})"


# -- all functions under many measures -------------------------------------------------------------


@dataclass(frozen=True)
class Pairs:
    """All functions of 3 variables under all measures of `BIASES`, flat: one entry per pair.

    ``mean`` is Pr[f = 1]; ``flip`` and ``resample`` are ``(pairs, 3)`` influences; ``depth`` is
    D(f) and ``delta`` the least average depth Delta(f) under the measure.
    """

    code: Ints
    p: Floats
    mean: Floats
    flip: Floats
    resample: Floats
    depth: Ints
    delta: Floats

    @property
    def variation(self) -> Floats:
        """``2m(1-m)``."""
        return 2 * self.mean * (1 - self.mean)

    def describe(self, k: int) -> str:
        """A function and a measure, in words."""
        return f"{name(3, int(self.code[k]))}, {under(self.p[k])}"


@cache
def pairs() -> Pairs:
    """Tabulate them: 216 measures, 256 functions."""
    every, best = all_functions(3), optimal_all(3)
    table, x = every.table.astype(float), np.arange(8)
    edges = np.stack([every.table != every.table[:, x ^ (1 << i)] for i in range(3)], axis=2)
    p, mean, flip, delta = [], [], [], []
    for biases in itertools.product(BIASES, repeat=3):
        mu = ProductDistribution(biases)
        w = mu.weights()
        p.append(np.tile(mu.p, (256, 1)))
        mean.append(table @ w)
        flip.append(np.einsum("fxi,x->fi", edges, w))
        delta.append(optimal_all(3, mu).average_depth)
    biases_of = np.concatenate(p)
    flips = np.concatenate(flip)
    measured = len(p)
    return Pairs(
        code=np.tile(np.arange(256), measured),
        p=biases_of,
        mean=np.concatenate(mean),
        flip=flips,
        resample=2 * biases_of * (1 - biases_of) * flips,
        depth=np.tile(best.depth.astype(np.int64), measured),
        delta=np.concatenate(delta),
    )


# -- all trees under a few measures ----------------------------------------------------------------


@dataclass(frozen=True)
class BiasedTrees:
    """Every reduced bare tree of 3 variables (T) with every function (F), under one measure.

    ``error``, ``cost`` and ``variation`` (the sum of ``Pr[leaf] Vr(f at the leaf)``) are ``(T,
    F)``; ``flip_cost`` is the cost with flip in place of resample influences; ``reach`` is ``(T,
    3)``: how likely each variable is asked for.
    """

    p: tuple[float, ...]
    error: Floats
    cost: Floats
    flip_cost: Floats
    variation: Floats
    reach: Floats

    def describe(self, tree: int, code: int) -> str:
        """A tree, a function and the measure, in words."""
        return f"{trees_and_functions(3).describe(tree, code)}, {under(self.p)}"


@cache
def biased_trees(p: tuple[float, ...]) -> BiasedTrees:
    """Tabulate 244 trees and 256 functions under a measure."""
    every, shapes = all_functions(3), trees_and_functions(3)
    mu, table, x = ProductDistribution(p), every.table.astype(float), np.arange(8)
    w = mu.weights()
    edges = [every.table != every.table[:, x ^ (1 << i)] for i in range(3)]
    error, cost, flip_cost, variation, reach = [], [], [], [], []
    for tree, leaf in zip(shapes.trees, shapes.leaf, strict=True):
        inside = leaf == np.arange(leaf.max() + 1)[:, None]
        mass, ones = inside @ w, table @ (inside * w).T
        error.append(np.minimum(ones, mass - ones).sum(axis=1))
        variation.append((2 * ones * (mass - ones) / mass).sum(axis=1))
        flips = np.stack([edges[i] @ (w * (leaf == leaf[x ^ (1 << i)])) for i in range(3)])
        flip_cost.append(flips.sum(axis=0))
        cost.append(2 * mu.p * (1 - mu.p) @ flips)
        asked = np.array([[i in dict(path) for i in range(3)] for path in tree.paths()])
        reach.append(mass @ asked)
    return BiasedTrees(
        p,
        np.array(error),
        np.array(cost),
        np.array(flip_cost),
        np.array(variation),
        np.array(reach),
    )


# -- runs of BuildTopDownDT ------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """The greedy run of one function, not constant, under one measure; D, Delta, and its largest.

    ``max_delta`` is the largest average depth of a restriction of f.
    """

    name: str
    f: BooleanFunction
    mu: ProductDistribution
    path: GrowthPath
    depth: int
    delta: float
    max_delta: float


def common_bias(label: str, f: BooleanFunction, bias: float) -> Run:
    """The run of a function all of whose bits are 1 with one probability."""
    return _run(label, f, ProductDistribution([bias] * f.n))


def _run(label: str, f: BooleanFunction, mu: ProductDistribution) -> Run:
    best = optimal(f, mu)
    path = topdown.build_top_down(f, mu)
    return Run(
        f"{label}, {under(mu.p)}",
        f,
        mu,
        path,
        best.depth,
        best.average_depth,
        best.max_average_depth,
    )


def guarded_run(g: BooleanFunction, rare: float, label: str) -> Run:
    """``x_0`` and g, with ``Pr[x_0 = 1] = rare`` and fair bits below it."""
    mu = ProductDistribution([rare] + [1 / 2] * g.n)
    best = optimal(zoo.guarded(g), mu)
    f = zoo.guarded(g)
    return Run(
        f"x0 and {label}, Pr[x0 = 1] = 1/{round(1 / rare)}",
        f,
        mu,
        topdown.build_top_down(f, mu),
        best.depth,
        best.average_depth,
        best.max_average_depth,
    )


NAMED: tuple[tuple[str, Callable[[], BooleanFunction], float], ...] = (
    ("majority of 5", lambda: zoo.majority(5), 1 / 2),
    ("majority of 5", lambda: zoo.majority(5), 1 / 8),
    ("majority of 7", lambda: zoo.majority(7), 3 / 8),
    ("parity of 5", lambda: zoo.parity(5), 1 / 8),
    ("parity of 5", lambda: zoo.parity(5), 1 / 2),
    ("tribes(2, 3)", lambda: zoo.tribes(2, 3), 3 / 4),
    ("tribes(3, 2)", lambda: zoo.tribes(3, 2), 7 / 8),
    ("conjunction of 6", lambda: zoo.conjunction(6), 1 / 2),
    ("decision_list(7)", lambda: zoo.decision_list(7), 1 / 4),
    ("multiplexer(2)", lambda: zoo.multiplexer(2), 5 / 8),
    ("caterpillar(2)", lambda: zoo.caterpillar(2), 1 / 2),
    ("random(6, seed 0)", lambda: zoo.random(6, 0), 1 / 4),
    ("random(7, seed 1)", lambda: zoo.random(7, 1), 1 / 2),
)
"""The larger functions that the lemmas about runs are tried on, each under a common bias."""

GUARDED: tuple[tuple[str, Callable[[], BooleanFunction], float], ...] = (
    ("majority of 5", lambda: zoo.majority(5), 1 / 16),
    ("majority of 7", lambda: zoo.majority(7), 1 / 64),
    ("parity_multiplexer(3, 2)", lambda: zoo.parity_multiplexer(3, 2), 1 / 16),
)
"""Functions behind a guard ``x_0`` that is rarely 1 (claim LB-D)."""


@cache
def runs() -> tuple[Run, ...]:
    """The runs of all functions of 3 variables under `MEASURES`, of `NAMED` and of `GUARDED`."""
    found = [
        _run(name(3, code), BooleanFunction.from_int(3, code), mu)
        for mu in map(ProductDistribution, MEASURES)
        for code in range(1, 255)
    ]
    for label, make, bias in NAMED:
        found.append(common_bias(label, make(), bias))
    return (*found, *(guarded_run(make(), rare, label) for label, make, rare in GUARDED))


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of runs end to end: one entry per split made, as the split is chosen.

    ``step`` is the number of splits made before; ``variation`` is V, the variation left at the
    leaves; ``depth``, ``delta`` and ``max_delta`` are those of the run's function.
    """

    run: npt.NDArray[np.intp]
    step: Ints
    error: Floats
    cost: Floats
    next_cost: Floats
    score: Floats
    variation: Floats
    depth: Ints
    delta: Floats
    max_delta: Floats
    n: Ints
    runs: tuple[Run, ...]

    def describe(self, k: int) -> str:
        """A step, in words."""
        return f"{self.runs[int(self.run[k])].name}, step {int(self.step[k])}"


def steps(chosen: tuple[Run, ...]) -> Steps:
    """The steps of some runs."""
    lengths = [run.path.n_splits for run in chosen]

    def joined(part: Callable[[Run], Any]) -> Any:
        return np.concatenate([part(run) for run in chosen])

    def repeated(values: list[Any]) -> Any:
        return np.repeat(np.array(values), lengths)

    return Steps(
        run=np.repeat(np.arange(len(chosen)), lengths),
        step=joined(lambda run: np.arange(run.path.n_splits)),
        error=joined(lambda run: run.path.errors[:-1]),
        cost=joined(lambda run: run.path.costs[:-1]),
        next_cost=joined(lambda run: run.path.costs[1:]),
        score=joined(lambda run: run.path.scores[:-1]),
        variation=joined(lambda run: product.path_variations(run.path)[:-1]),
        depth=repeated([run.depth for run in chosen]),
        delta=repeated([run.delta for run in chosen]),
        max_delta=repeated([run.max_delta for run in chosen]),
        n=repeated([run.f.n for run in chosen]),
        runs=chosen,
    )


def first_cost(run: Run) -> float:
    """The total resample influence of a run's function."""
    return float(measures.resample_influences(run.f, run.mu).sum())
