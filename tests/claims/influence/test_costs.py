"""Chapter 1, Lemma 5.4 and the first cost: how large the cost is, and the floor that it gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.influence.extremal import Floors, families, floors
from claims.influence.variants import PAGE, spoilt
from claims.kit import BLT, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import (
    all_functions,
    at_least,
    log2,
    name,
    ratio,
    runs,
    trees_and_functions,
)
from dtviz import influence as chapter
from dtviz.core import measures
from dtviz.core.boolean import BooleanFunction
from dtviz.core.tolerances import BOUND_SLACK

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


# -- Lemma 5.4 and the first cost -----------------------------------------------------------------


def _floor(rows: Floors) -> Floats:
    """The floor of Lemma 5.4, by the package: 0 if the cost is too low for it."""
    columns = (rows.cost, rows.leaves, rows.size, rows.epsilon)
    return np.array(
        [
            chapter.score_floor_by_cost(cost, int(leaves) - 1, int(size), epsilon)
            for cost, leaves, size, epsilon in zip(*columns, strict=True)
        ]
    )


def _whatever_the_cost(rows: Floors) -> Floats:
    """The hypothesis dropped: epsilon 0.49, even if the cost is low."""
    logarithms = log2(4 * rows.size / 0.49) * log2(rows.size)
    return np.asarray(rows.cost / (rows.leaves * logarithms))


def _score_floor_by_cost(floor: Callable[[Floors], Floats] = _floor) -> Outcome:
    """Lemma 5.4 at every step, with the largest epsilon that the cost allows and smaller ones."""
    rows = floors()
    right = floor(rows)
    tight = right / rows.score
    # The lemma applies in every case here, so a floor of 0 would be wrong.
    return outcome(
        "pairs of a step and an epsilon",
        at_least(rows.score, right) & (right > 0),
        tight,
        lambda k: f"score / floor = {1 / max(tight[k], 1e-99):.4g} at {rows.describe(k)}",
    )


@cache
def _variances() -> tuple[Array, Array, Floats]:
    """Weight and variance of each leaf, for every pair of a tree and a function of 3 variables.

    Arrays ``(trees, 1, 8)`` and ``(trees, functions, 8)``, padded by leaves of weight 0; and the
    sizes of the functions.
    """
    pairs, every = trees_and_functions(3), all_functions(3)
    inside = (pairs.leaf[:, None, :] == np.arange(8)[:, None]).astype(np.int64)
    mass = inside.sum(axis=2)[:, None, :]
    mean = np.einsum("fx,tlx->tfl", every.table, inside) / np.maximum(mass, 1)
    return mass / 8, 4 * mean * (1 - mean), every.size[:, None].astype(float)


def _jensen(
    inside: float = 4, leafwise: float = 1, outer: float = 1, *, other: bool = False
) -> Outcome:
    """``C <= sum Pr[leaf] phi(Var) <= phi(V)``, where V averages the variance over the leaves.

    ``phi(v) = v log2(4s/v)``; mutants have another number inside, multiples of the two bounds, or
    the variances of ``other`` functions.
    """
    pairs = trees_and_functions(3)
    weight, variance, size = _variances()
    if other:
        variance = variance[:, np.random.default_rng(0).permutation(256)]

    def phi(v: Floats) -> Floats:
        each = size if v.ndim == 3 else size[:, 0]
        logarithm = log2(inside * each / np.where(v > 0, v, 1))
        return np.asarray(v * logarithm)

    average = (weight * variance).sum(axis=2)
    cost, middle, right = pairs.cost / 8, (weight * phi(variance)).sum(axis=2), phi(average)
    tight = (cost / np.maximum(right, BOUND_SLACK)).ravel()
    # The middle is a sum: it may exceed an equal right-hand side by rounding.
    good = at_least(leafwise * middle, cost) & (middle <= outer * right + 1e-12)
    return outcome(
        "pairs of a tree and a function",
        good,
        tight,
        lambda k: (
            f"cost / (V log2(4s/V)) = {tight[k]:.4g} for {pairs.describe(*divmod(int(k), 256))}"
        ),
    )


def _leaf_by_leaf() -> Outcome:
    """A misreading: ``Inf <= Var log2(4s/epsilon)`` at a leaf, epsilon 1/4, for conjunctions."""
    known = families()
    rows = [k for k, label in enumerate(known.names) if label.startswith("conjunction")]
    left = known.total[rows] / known.variance[rows]
    right = log2(16 * known.size[rows])
    return outcome(
        "conjunctions",
        right >= left,
        left / right,
        lambda k: f"Inf/Var = {left[k]:.4g}, bound {right[k]:.4g}, for the {known.names[rows[k]]}",
    )


def _first_cost(queries: float = 1, log: Callable[[Array], Floats] = log2) -> Outcome:
    """``Inf <= Delta <= log2 s``; mutants have less of Delta, another logarithm."""
    every = all_functions(4)
    bound = log(every.size)
    good = at_least(queries * every.queries, every.total_influence)
    good &= at_least(bound, every.queries)
    tight = ratio(every.total_influence, bound)
    return outcome(
        "functions of 4 variables",
        good,
        tight,
        lambda k: f"Inf / log2 s = {tight[k]:g} for {name(4, k)}",
        example=lambda k: BooleanFunction.from_int(4, k),
    )


def _first_cost_of_runs() -> Outcome:
    """``C_0 = Inf(f)``, as the runs have it."""
    found = [*runs(3), *runs(0)]
    gap = [run.path.costs[0] - measures.total_influence(run.f) for run in found]
    return equality("greedy runs", gap, lambda k: found[k].name)


@claim(
    "BLT-L5.4",
    BLT,
    r"While $\mathrm{cost} \ge \varepsilon \log_2(4s/\varepsilon)$, the leaf that is split has "
    r"score at least $\mathrm{cost} / ((j+1) \log_2(4s/\varepsilon) \log_2 s)$.",
    PAGE,
    note="The source says no more than that BLT-L5.3 is used. Leaf by leaf it does not "
    "suffice; with Jensen's inequality over the leaves it does.",
)
def test_blt_l5_4(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the floor",
                _score_floor_by_cost,
                r"\operatorname{score}(\ell^*)\ge"
                r"\frac{C_j}{(j+1)\,\log\frac{4s}\varepsilon\,\log s}",
                spoilt(
                    _score_floor_by_cost,
                    {
                        "3.47 times the floor": {"floor": lambda rows: 3.47 * _floor(rows)},
                        "whatever the cost": {"floor": _whatever_the_cost},
                        "without log2 s": {"floor": lambda rows: _floor(rows) * log2(rows.size)},
                        "without the number of leaves": {
                            "floor": lambda rows: _floor(rows) * rows.leaves
                        },
                    },
                ),
            ),
            Form(
                "the step by Jensen: cost ≤ V log2(4s/V)",
                _jensen,
                r"\le\sum_\ell2^{-|\ell|}\varphi\bigl(\operatorname{Var}(f_\ell)\bigr)"
                r"\le\varphi(V)",
                spoilt(
                    _jensen,
                    {
                        "0.99 s in place of 4s": {"inside": 0.99},
                        "0.59 of the sum over the leaves": {"leafwise": 0.59},
                        "0.999 of phi(V)": {"outer": 0.999},
                        "the variances of other functions": {"other": True},
                    },
                ),
            ),
        ),
        (Form("leaf by leaf, with epsilon for the variance", _leaf_by_leaf),),
    )


@claim(
    "BLT-C0",
    BLT,
    r"$C_0 = \mathrm{Inf}(f) \le \Delta(f) \le \log_2 s$.",
    PAGE,
)
def test_blt_c0(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "Inf ≤ Delta ≤ log2 s",
                _first_cost,
                r"C_0=\operatorname{Inf}(f)\le\Delta(T)\le\log s",
                spoilt(
                    _first_cost,
                    {
                        "Inf ≤ 0.999 Delta": {"queries": 0.999},
                        "Delta ≤ 0.999 log2 s": {"log": lambda s: 0.999 * log2(s)},
                        "with ln for log2": {"log": np.log},
                    },
                ),
            ),
            Form("the first cost is Inf(f)", _first_cost_of_runs, kind="definition"),
        )
    )
