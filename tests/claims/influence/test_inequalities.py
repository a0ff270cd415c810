"""Chapter 1, the inequalities: variance, influence, size."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.influence.extremal import families
from claims.influence.variants import PAGE, spoilt
from claims.kit import BLT, Form, Outcome, Trial, claim, outcome
from claims.kit.populations import (
    AllFunctions,
    LabelledTrees,
    all_functions,
    at_least,
    labelled_trees,
    log2,
    name,
    ratio,
    trees_and_functions,
)
from dtviz import influence as chapter
from dtviz.core import functions as zoo
from dtviz.core import measures
from dtviz.core.boolean import BooleanFunction
from dtviz.core.optimal import optimal
from dtviz.core.tolerances import BOUND_SLACK

FUNCTIONS = "functions of 4 variables"
TREES = "labelled trees on 3 variables"
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Log = Callable[[Array], Floats]


def _function(code: int) -> BooleanFunction:
    return BooleanFunction.from_int(4, code)


# -- variance and error ---------------------------------------------------------------------------


@cache
def _measured() -> tuple[Floats, Floats]:
    """Errors and variances: all functions of 4 variables, conjunctions of 5 to 16."""
    found = [*map(_function, range(1 << 16)), *map(zoo.conjunction, range(5, 17))]
    error = np.array([measures.error(f) for f in found])
    return error, np.array([measures.variance(f) for f in found])


def _name(k: int) -> str:
    return name(4, k) if k < 1 << 16 else f"and of {k - (1 << 16) + 5}"


def _variance_and_error(low: float, high: float = 99, variance: float = 1) -> Outcome:
    """``low * err <= Var <= high * err``; a mutant takes another multiple of the ``variance``."""
    error, right = _measured()
    right = variance * right
    tight = ratio(error, right)
    return outcome(
        "functions of 4 variables and conjunctions",
        (low * error <= right) & (right <= high * error),
        tight,
        lambda k: f"Var/err = {1 / tight[k]:g} for {_name(k)}",
    )


# -- the influential variable ---------------------------------------------------------------------


def _influential_variable(
    largest: Callable[[AllFunctions], Floats] = lambda every: every.max_influence,
    variance: Callable[[AllFunctions], Floats] = lambda every: every.variance,
    bits: float = 1,
) -> Outcome:
    """``max_i Inf_i >= Var/Delta`` and ``Delta <= log2 s`` for all functions of 4 variables."""
    every = all_functions(4)
    left, right = largest(every) * every.queries, variance(every)
    tight = ratio(every.variance, every.max_influence * every.queries)
    return outcome(
        FUNCTIONS,
        at_least(left, right) & at_least(bits * log2(every.size), every.queries),
        tight,
        lambda k: f"max Inf_i Delta / Var = {1 / tight[k]:g} for {name(4, k)}",
        example=_function,
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
        example=_function,
    )


def _variance_below_queried_influence(
    queried: Callable[[LabelledTrees], Array] = lambda trees: trees.queried / 8, factor: float = 1
) -> Outcome:
    """``Var <= sum_i delta_i Inf_i`` for every tree; delta_i is the chance that x_i is queried."""
    trees, every = labelled_trees(3), all_functions(3)
    right = factor * (queried(trees) * every.changes[trees.code]).sum(axis=1) / 8
    left = every.variance[trees.code]
    tight = left / np.maximum(right, BOUND_SLACK)
    return outcome(
        TREES,
        at_least(right, left),
        tight,
        lambda k: f"sum delta_i Inf_i / Var = {1 / tight[k]:g} for {trees.describe(k)}",
        example=lambda k: trees_and_functions(3).trees[int(trees.tree[k])],
    )


def _of_other_trees(trees: LabelledTrees) -> Array:
    """The hypothesis dropped that the tree computes f: the queries of another tree."""
    return np.random.default_rng(0).permutation(trees.queried) / 8


# -- Lemma 5.3: total influence and variance ------------------------------------------------------


def _total_influence_below(bound: Callable[[float, int], float], scale: float = 1) -> Outcome:
    """``Inf(f) <= bound(scale * Var, s)`` for all functions; scale 1 is Var = 4m(1-m)."""
    every = all_functions(4)
    rows = np.stack([every.ones, every.size], axis=1)
    kinds, place = np.unique(rows, axis=0, return_inverse=True)
    mean = kinds[:, 0] / 16
    values = [
        bound(scale * 4 * m * (1 - m), int(size)) for m, size in zip(mean, kinds[:, 1], strict=True)
    ]
    right = np.array(values)[place.ravel()]
    tight = every.total_influence / np.maximum(right, BOUND_SLACK)
    return outcome(
        FUNCTIONS,
        at_least(right, every.total_influence),
        tight,
        lambda k: f"Inf = {every.total_influence[k]:g}, bound {right[k]:.4g}, for {name(4, k)}",
        example=_function,
    )


def _bound(variance: float, size: int, *, inside: float = 4, log: float = 2) -> float:
    """``Var log(4s/Var)``, with another number inside and another base."""
    return variance * math.log(inside * size / variance, log) if variance else 0.0


def _with_ln() -> Outcome:
    """``Inf <= Var ln(4s/Var)`` for the parities of 1 to 8 variables."""
    found = []
    for n in range(1, 9):
        f = zoo.parity(n)
        bound = _bound(measures.variance(f), optimal(f).n_leaves, log=math.e)
        found.append((measures.total_influence(f), bound))
    total, right = np.array(found).T
    return outcome(
        "parities",
        at_least(right, total),
        total / right,
        lambda k: f"Inf = {total[k]:g}, bound {right[k]:.4g}, for the parity of {k + 1}",
    )


def _total_influence_of_families(power: float = 0.5, inside: float = 4, log: Log = log2) -> Outcome:
    """``Inf <= Var log(s/Var^power) <= Var log(4s/Var)``, power 1/2, for larger functions."""
    known = families()
    v, s = known.variance, known.size
    sharp, printed = v * log(s / v**power), v * log(inside * s / v)
    tight = known.total / sharp
    return outcome(
        "parities, conjunctions and multiplexers",
        at_least(sharp, known.total) & at_least(printed, sharp),
        tight,
        lambda k: f"Inf = {known.total[k]:.4g}, bound {sharp[k]:.4g}, for the {known.names[k]}",
    )


def _total_influence_by_label(
    factor: float = 2, *, other: bool = False, log: Log = log2
) -> Outcome:
    """``Inf <= 2 m_b log2(s_b/m_b)`` for every tree and each label b with s_b leaves, mean m_b.

    With ``other``, s_b counts the leaves with the other label.
    """
    trees, every = labelled_trees(3), all_functions(3)
    ones = every.ones[trees.code]
    mean = np.stack([8 - ones, ones], axis=1) / 8
    leaves = trees.leaves_of[:, ::-1] if other else trees.leaves_of
    present = ((mean > 0) & (leaves > 0)).ravel()
    total = np.repeat(every.total_influence[trees.code], 2)[present]
    m, s = mean.ravel()[present], leaves.ravel()[present]
    right = factor * m * log(s / m)
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


@claim(
    "BLT-L5.2ii",
    BLT,
    r"$\mathrm{Var}(g) \ge \mathrm{err}(g)$; indeed "
    r"$2\,\mathrm{err} \le \mathrm{Var} \le 4\,\mathrm{err}$, with $\mathrm{Var} = 4m(1-m)$.",
    PAGE,
)
def test_blt_l5_2ii(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "Var ≥ err",
                partial(_variance_and_error, 1),
                r"\operatorname{Var}(f)\ge\operatorname{err}(f)",
                spoilt(
                    _variance_and_error,
                    {
                        "with Var = m(1-m)": {"low": 1, "variance": 1 / 4},
                        "2.001 err": {"low": 2.001},
                    },
                ),
            ),
            Form(
                "2 err ≤ Var ≤ 4 err",
                partial(_variance_and_error, 2, 4),
                r"2\operatorname{err}(f)\le\operatorname{Var}(f)\le4\operatorname{err}(f)",
                spoilt(
                    _variance_and_error,
                    {
                        "2.001 err ≤ Var": {"low": 2.001, "high": 4},
                        "Var ≤ 3.999 err": {"low": 2, "high": 3.999},
                        "with Var = 2m(1-m)": {"low": 2, "high": 4, "variance": 1 / 2},
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-OSSS",
    BLT,
    r"Every decision tree has an influential variable: $\max_i \mathrm{Inf}_i(f) \ge "
    r"\mathrm{Var}(f)/\Delta(f)$ $\ge \mathrm{Var}(f)/\log_2 s$; and $\mathrm{Var}(f) \le "
    r"\sum_i \delta_i\, \mathrm{Inf}_i(f)$ for every tree that computes $f$ and queries $x_i$ "
    r"with probability $\delta_i$.",
    PAGE,
    note="Due to O'Donnell, Saks, Schramm and Servedio (FOCS 2005). The logarithm has base 2.",
)
def test_blt_osss(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "max Inf_i ≥ Var/Delta ≥ Var/log2 s",
                _influential_variable,
                r"\max_i\operatorname{Inf}_i(f)\ \ge\ \frac{\operatorname{Var}(f)}{\Delta}\ \ge\ "
                r"\frac{\operatorname{Var}(f)}{\log s}",
                spoilt(
                    _influential_variable,
                    {
                        "1.001 Var": {"variance": lambda every: 1.001 * every.variance},
                        "the standard deviation for Var": {
                            "variance": lambda every: np.sqrt(every.variance)
                        },
                        "the mean influence for the largest": {
                            "largest": lambda every: every.total_influence / 4
                        },
                        "Delta ≤ 0.999 log2 s": {"bits": 0.999},
                    },
                ),
            ),
            Form(
                "max Inf_i ≥ Var/log2 s",
                partial(_influential_variable_by_size, log2),
                r"\max_i\operatorname{Inf}_i\ge\operatorname{Var}/\log s",
                spoilt(
                    _influential_variable_by_size,
                    {
                        "0.999 log2 s": {"log": lambda s: 0.999 * log2(s)},
                        "the logarithm to the power 0.99": {"log": lambda s: log2(s) ** 0.99},
                    },
                ),
            ),
            Form(
                "Var ≤ sum delta_i Inf_i",
                _variance_below_queried_influence,
                r"\operatorname{Var}(f)\le\sum_{i}\delta_i(T)\operatorname{Inf}_i(f)",
                spoilt(
                    _variance_below_queried_influence,
                    {
                        "0.999 times the sum": {"factor": 0.999},
                        "for a tree that computes another function": {"queried": _of_other_trees},
                        "delta_i squared": {"queried": lambda trees: (trees.queried / 8) ** 2},
                        "bits drawn afresh, half the influence": {"factor": 0.5},
                    },
                ),
            ),
        ),
        (Form("with ln for log2", partial(_influential_variable_by_size, np.log)),),
    )


@claim(
    "BLT-L5.3",
    BLT,
    r"$\mathrm{Inf}(f) \le \mathrm{Var}(f) \log_2(4s/\mathrm{Var}(f))$ with "
    r"$\mathrm{Var} = 4m(1-m)$; indeed $\mathrm{Inf}(f) \le \mathrm{Var}\, "
    r"\log_2(s/\sqrt{\mathrm{Var}})$, and $\mathrm{Inf}(f) \le 2 m_b \log_2(s_b/m_b)$ for each "
    r"label $b$.",
    PAGE,
)
def test_blt_l5_3(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "Inf ≤ Var log2(4s/Var)",
                partial(_total_influence_below, chapter.influence_bound),
                r"\operatorname{Inf}(f)\le\operatorname{Var}(f)\log\frac{4s}{\operatorname{Var}(f)}",
                spoilt(
                    _total_influence_below,
                    {
                        "0.99 s in place of 4s": {"bound": partial(_bound, inside=0.99)},
                        "with the logarithm to base 3": {"bound": partial(_bound, log=3)},
                        "half the variance": {"bound": chapter.influence_bound, "scale": 0.5},
                    },
                ),
            ),
            Form(
                "Inf ≤ Var log2(s/sqrt(Var))",
                partial(_total_influence_below, chapter.sharp_influence_bound),
                r"\operatorname{Inf}(f)\le\operatorname{Var}(f)\,"
                r"\log\frac{s}{\sqrt{\operatorname{Var}(f)}}",
                spoilt(
                    _total_influence_below,
                    {
                        "0.999 times the bound": {
                            "bound": lambda v, s: 0.999 * chapter.sharp_influence_bound(v, s)
                        },
                        "with s - 1 for s": {
                            "bound": lambda v, s: chapter.sharp_influence_bound(v, max(s - 1, 1))
                        },
                    },
                ),
            ),
            Form(
                "Inf ≤ 2 m_b log2(s_b/m_b)",
                _total_influence_by_label,
                r"\operatorname{Inf}(f)\le2m_b\log\frac{s_b}{m_b}",
                spoilt(
                    _total_influence_by_label,
                    {
                        "1.999 m_b": {"factor": 1.999},
                        "the leaves with the other label": {"other": True},
                        "with ln for log2": {"log": np.log},
                    },
                ),
            ),
            Form(
                "both bounds for larger functions",
                _total_influence_of_families,
                r"\operatorname{Inf}(f)\le\operatorname{Var}(f)\,"
                r"\log\frac{s}{\sqrt{\operatorname{Var}(f)}}"
                r"\le\operatorname{Var}(f)\,\log\frac{4s}{\operatorname{Var}(f)}",
                spoilt(
                    _total_influence_of_families,
                    {
                        "with ln for log2": {"log": np.log},
                        "0.999 log2": {"log": lambda x: 0.999 * log2(x)},
                        "log2 s, without the root": {"power": 0},
                        "Var^0.45 for the root": {"power": 0.45},
                        "0.99 s in place of 4s": {"inside": 0.99},
                    },
                ),
            ),
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
    )
