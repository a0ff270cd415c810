"""Chapter 1, the inequalities: variance, influence, size, and the floor of the score they give."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from dtviz import influence as chapter
from dtviz.claims.populations import (
    EPSILONS,
    all_functions,
    at_least,
    labelled_trees,
    log2,
    name,
    ratio,
    runs,
    steps,
    trees_and_functions,
)
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import BLT
from dtviz.core import functions as zoo
from dtviz.core import measures
from dtviz.core.boolean import BooleanFunction
from dtviz.core.optimal import optimal

__all__ = ["CLAIMS"]

PAGE = "1-influence"
FUNCTIONS = "functions of 4 variables"
PAIRS = "pairs of a tree and a function"
TREES = "labelled trees on 3 variables"
STEPS = "steps of greedy runs"
Log = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]]


# -- variance and error ---------------------------------------------------------------------------


def _variance_and_error(low: int, high: int | None = None) -> Outcome:
    """``low * err <= Var``, and ``Var <= high * err``, for all functions of 4 variables."""
    functions = [BooleanFunction.from_int(4, code) for code in range(1 << 16)]
    error = np.array([measures.error(f) for f in functions])
    variance = np.array([measures.variance(f) for f in functions])
    good = low * error <= variance
    if high is not None:
        good &= variance <= high * error
    tight = ratio(error, variance)
    return outcome(
        FUNCTIONS,
        good,
        tight,
        lambda k: f"Var/err = {1 / tight[k]:g} for {name(4, k)}",
    )


# -- the influential variable ---------------------------------------------------------------------


def _influential_variable() -> Outcome:
    """``max_i Inf_i >= Var/Delta`` and ``Delta <= log2 s`` for all functions of 4 variables."""
    every = all_functions(4)
    strong = at_least(every.max_influence * every.queries, every.variance)
    strong &= at_least(log2(every.size), every.queries)
    tight = ratio(every.variance, every.max_influence * every.queries)
    return outcome(
        FUNCTIONS,
        strong,
        tight,
        lambda k: f"max Inf_i Delta / Var = {1 / tight[k]:g} for {name(4, k)}",
    )


def _influential_variable_by_size(log: Log) -> Outcome:
    """``max_i Inf_i log s >= Var`` with the logarithm given."""
    every = all_functions(4)
    bound = every.max_influence * log(every.size)
    tight = ratio(every.variance, bound)
    return outcome(
        FUNCTIONS,
        at_least(bound, every.variance),
        tight,
        lambda k: (
            f"max Inf_i times the logarithm is {bound[k]:.4g}, Var = {every.variance[k]:.4g}, "
            f"for {name(4, k)}"
        ),
    )


def _variance_below_queried_influence() -> Outcome:
    """``Var <= sum_i delta_i Inf_i`` for every tree; delta_i is the chance that x_i is queried."""
    trees, every = labelled_trees(3), all_functions(3)
    right = (trees.queried * every.changes[trees.code]).sum(axis=1) / 64
    left = every.variance[trees.code]
    tight = ratio(left, right)
    return outcome(
        TREES,
        at_least(right, left),
        tight,
        lambda k: f"sum delta_i Inf_i / Var = {1 / tight[k]:g} for {trees.describe(k)}",
    )


# -- Lemma 5.3: total influence and variance ------------------------------------------------------


def _total_influence_below(bound: Callable[[float, int], float], scale: float) -> Outcome:
    """``Inf(f) <= bound(scale * Var, s)`` for all functions; scale 1 is Var = 4m(1-m)."""
    every = all_functions(4)
    rows = np.stack([every.ones, every.size], axis=1)
    kinds, place = np.unique(rows, axis=0, return_inverse=True)
    mean = kinds[:, 0] / 16
    values = [
        bound(scale * 4 * m * (1 - m), int(size)) for m, size in zip(mean, kinds[:, 1], strict=True)
    ]
    right = np.array(values)[place.ravel()]
    tight = ratio(every.total_influence, right)
    return outcome(
        FUNCTIONS,
        at_least(right, every.total_influence),
        tight,
        lambda k: f"Inf = {every.total_influence[k]:g}, bound {right[k]:.4g}, for {name(4, k)}",
    )


def _ln_bound(variance: float, size: int) -> float:
    return variance * math.log(4 * size / variance) if variance else 0.0


def _with_ln() -> Outcome:
    """``Inf <= Var ln(4s/Var)`` for the parities of 1 to 8 variables."""
    found = []
    for n in range(1, 9):
        f = zoo.parity(n)
        bound = _ln_bound(measures.variance(f), optimal(f).n_leaves)
        found.append((measures.total_influence(f), bound))
    total, right = np.array(found).T
    return outcome(
        "parities",
        at_least(right, total),
        total / right,
        lambda k: f"Inf = {total[k]:g}, bound {right[k]:.4g}, for the parity of {k + 1}",
    )


def _total_influence_by_label() -> Outcome:
    """``Inf <= 2 m_b log2(s_b/m_b)`` for every tree and each label b with s_b leaves, mean m_b."""
    trees, every = labelled_trees(3), all_functions(3)
    ones = every.ones[trees.code]
    mean = np.stack([8 - ones, ones], axis=1) / 8
    present = (mean > 0).ravel()
    total = np.repeat(every.total_influence[trees.code], 2)[present]
    m, s = mean.ravel()[present], trees.leaves_of.ravel()[present]
    right = 2 * m * log2(s / m)
    which = np.flatnonzero(present)
    tight = ratio(total, right)
    return outcome(
        "labels of labelled trees on 3 variables",
        at_least(right, total),
        tight,
        lambda k: (
            f"Inf = {total[k]:g}, bound {right[k]:.4g}, label {which[k] % 2} of "
            f"{trees.describe(which[k] // 2)}"
        ),
    )


# -- Lemma 5.4 and the first cost -----------------------------------------------------------------


def _score_floor_by_cost() -> Outcome:
    """Lemma 5.4 at every step and every epsilon for which its hypothesis is true."""
    run = steps(3, 0)
    floors, place = [], []
    for epsilon in EPSILONS:
        for k, (cost, j, size) in enumerate(zip(run.cost, run.step, run.size, strict=True)):
            floor = chapter.score_floor_by_cost(cost, int(j), int(size), epsilon)
            if floor > 0:
                floors.append(floor)
                place.append((k, epsilon))
    score = run.score[[k for k, _ in place]]
    tight = np.array(floors) / score
    return outcome(
        "pairs of a step and an epsilon",
        at_least(score, floors),
        tight,
        lambda k: (
            f"score / floor = {1 / tight[k]:.4g} at {run.describe(place[k][0])}, "
            f"epsilon {place[k][1]}"
        ),
    )


def _jensen() -> Outcome:
    """``cost <= V log2(4s/V)``, where V averages the variance over the leaves of any tree."""
    pairs = trees_and_functions(3)
    size = all_functions(3).size
    tree, code = np.nonzero(pairs.mixture)
    variance, cost = pairs.mixture[tree, code], pairs.cost[tree, code] / 8
    right = variance * log2(4 * size[code] / variance)
    tight = cost / right
    return outcome(
        PAIRS,
        at_least(right, cost),
        tight,
        lambda k: (
            f"cost / (V log2(4s/V)) = {tight[k]:.4g} for "
            f"{pairs.describe(int(tree[k]), int(code[k]))}"
        ),
    )


def _first_cost() -> Outcome:
    every = all_functions(4)
    good = at_least(every.queries, every.total_influence)
    good &= at_least(log2(every.size), every.queries)
    tight = ratio(every.total_influence, log2(every.size))
    return outcome(
        FUNCTIONS, good, tight, lambda k: f"Inf / log2 s = {tight[k]:g} for {name(4, k)}"
    )


def _first_cost_of_runs() -> Outcome:
    """``C_0 = Inf(f)``, as the runs have it."""
    found = [*runs(3), *runs(0)]
    gap = [run.path.costs[0] - measures.total_influence(run.f) for run in found]
    return equality("greedy runs", gap, lambda k: found[k].name)


CLAIMS = (
    Claim(
        "BLT-L5.2ii",
        BLT,
        r"$\mathrm{Var}(g) \ge \mathrm{err}(g)$; indeed "
        r"$2\,\mathrm{err} \le \mathrm{Var} \le 4\,\mathrm{err}$, with $\mathrm{Var} = 4m(1-m)$.",
        PAGE,
        (
            Form("Var ≥ err", partial(_variance_and_error, 1)),
            Form("2 err ≤ Var ≤ 4 err", partial(_variance_and_error, 2, 4)),
        ),
    ),
    Claim(
        "BLT-OSSS",
        BLT,
        r"Every decision tree has an influential variable: $\max_i \mathrm{Inf}_i(f) \ge "
        r"\mathrm{Var}(f)/\Delta(f)$ $\ge \mathrm{Var}(f)/\log_2 s$; and $\mathrm{Var}(f) \le "
        r"\sum_i \delta_i\, \mathrm{Inf}_i(f)$ for every tree that computes $f$ and queries $x_i$ "
        r"with probability $\delta_i$.",
        PAGE,
        (
            Form("max Inf_i ≥ Var/Delta ≥ Var/log2 s", _influential_variable),
            Form("max Inf_i ≥ Var/log2 s", partial(_influential_variable_by_size, log2)),
            Form("Var ≤ sum delta_i Inf_i", _variance_below_queried_influence),
        ),
        (Form("with ln for log2", partial(_influential_variable_by_size, np.log)),),
        note="Due to O'Donnell, Saks, Schramm and Servedio (FOCS 2005). The logarithm has base 2.",
    ),
    Claim(
        "BLT-L5.3",
        BLT,
        r"$\mathrm{Inf}(f) \le \mathrm{Var}(f) \log_2(4s/\mathrm{Var}(f))$ with "
        r"$\mathrm{Var} = 4m(1-m)$; indeed $\mathrm{Inf}(f) \le \mathrm{Var}\, "
        r"\log_2(s/\sqrt{\mathrm{Var}})$, and $\mathrm{Inf}(f) \le 2 m_b \log_2(s_b/m_b)$ for each "
        r"label $b$.",
        PAGE,
        (
            Form(
                "Inf ≤ Var log2(4s/Var)",
                partial(_total_influence_below, chapter.influence_bound, 1.0),
            ),
            Form(
                "Inf ≤ Var log2(s/sqrt(Var))",
                partial(_total_influence_below, chapter.sharp_influence_bound, 1.0),
            ),
            Form("Inf ≤ 2 m_b log2(s_b/m_b)", _total_influence_by_label),
            Form("with ln, up to 4 variables", partial(_total_influence_below, _ln_bound, 1.0)),
        ),
        (
            Form(
                "with Var = m(1-m)", partial(_total_influence_below, chapter.influence_bound, 0.25)
            ),
            Form(
                "with Var = 2m(1-m)", partial(_total_influence_below, chapter.influence_bound, 0.5)
            ),
            Form("with ln for log2", _with_ln),
        ),
    ),
    Claim(
        "BLT-L5.4",
        BLT,
        r"While $\mathrm{cost} \ge \varepsilon \log_2(4s/\varepsilon)$, the leaf that is split has "
        r"score at least $\mathrm{cost} / ((j+1) \log_2(4s/\varepsilon) \log_2 s)$.",
        PAGE,
        (
            Form("the floor", _score_floor_by_cost),
            Form("the step by Jensen: cost ≤ V log2(4s/V)", _jensen),
        ),
        note="The source says no more than that Lemma 5.3 is used. Leaf by leaf it does not "
        "suffice; with Jensen's inequality over the leaves it does.",
    ),
    Claim(
        "BLT-C0",
        BLT,
        r"$C_0 = \mathrm{Inf}(f) \le \Delta(f) \le \log_2 s$.",
        PAGE,
        (
            Form("Inf ≤ Delta ≤ log2 s", _first_cost),
            Form("the first cost is Inf(f)", _first_cost_of_runs),
        ),
    ),
)
