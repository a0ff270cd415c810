"""Chapter 3, the theorems: what bounds the greedy size, where the bound says something."""

import itertools
import math
from functools import partial

import numpy as np
from numpy.testing import assert_allclose

from claims.product.own_variables import adversary, chain, complete, crafted, grow
from claims.product.populations import bounds, larger, runs, stated
from claims.product.test_rare import size_of_rare_parities
from dtviz import product
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution, cube_points
from dtviz.core.boolean_trees import topdown
from dtviz.product import approximate

LOG2_E = math.log2(math.e)
EPSILONS = (0.499, 0.49, 0.45, 0.4, 0.35, 0.3, 0.24, 0.2, 0.16, 0.1, 0.05, 0.02)


@bounds("pairs of a run and an epsilon")
def size_below(grown, proved, share=1):
    """Leaves against a bound, both in bits, wherever what is proved says more than ``2^n``.

    Against a ``share`` of it, or against another bound.
    """
    for run, e in itertools.product(grown(), EPSILONS):
        if run.errors[-1] <= e < run.errors[0] and proved(run, e) < run.n:
            allowed = share(run, e) if callable(share) else share * proved(run, e)
            where = f"in bits, {run.name} of {run.n} variables, epsilon = {e}"
            yield math.log2(1 + (run.errors <= e).argmax()), allowed, where


def try_bound(trial, label, formula, *, typed, coded, variants, grown=crafted):  # noqa: PLR0913
    """A bound as displayed, on such runs; and the package's is the same."""
    for run, e in itertools.product((*crafted(), *larger()), EPSILONS):
        assert math.isclose(typed(run, e), coded(run, e), rel_tol=1e-12)
    trial.holds(
        label,
        partial(size_below, grown, typed),
        formula,
        {name: {"share": share} for name, share in variants.items()},
    )


def by_restrictions(run, e, times=1):
    exponent = times * run.max_delta * run.depth
    return exponent * max(math.log2(math.e * run.delta / (2 * e * run.depth)), LOG2_E)


def by_average(run, e, first=1, second=4):
    return min(first * run.delta * run.depth / e, run.delta**2 / (second * e**2)) * LOG2_E


def abstract(run, e):
    return run.max_delta * run.depth * math.log2(math.e / e)


def without_e(run, e):
    return by_restrictions(run, e) - run.max_delta * run.depth * LOG2_E


def proved(run, e):
    return product.proved_bound_bits(run.delta, run.max_delta, run.depth, e)


def assert_grown_alike():
    """Growth with own variables is `dt.build_top_down`, where a truth table is small enough."""
    trees = (
        complete(3),
        complete(3, (1 / 4, 5 / 8, 7 / 16)),
        chain(5, 7 / 8, lambda _: 0),
        chain(6, 3 / 8, lambda i: i % 2),
    )
    for tree in trees:
        value = as_function(tree, biases := [])
        f = BooleanFunction(
            len(biases), np.array([value(x) for x in cube_points(len(biases))], np.int8)
        )
        ours, path = grow("", tree, 0), topdown.build_top_down(f, ProductDistribution(biases))
        assert_allclose(ours.errors, path.errors, rtol=1e-12, atol=1e-13)
        assert_allclose(ours.costs, path.costs, rtol=1e-12, atol=1e-13)


def as_function(part, biases):
    """The function of such a tree, its variables numbered from the root on, and their biases."""
    if not part.parts:
        return lambda _: part.mean
    i = len(biases)
    biases.append(part.p)
    low, high = (as_function(child, biases) for child in part.parts)
    return lambda x: high(x) if x[i] else low(x)


@stated(
    "PS-T1.1",
    r"Greedy growth to error $\varepsilon$ makes at most "
    r"$\max\bigl((e\Delta/(2\varepsilon D))^{\Delta_{\max} D}, e^{\Delta_{\max} D}\bigr)$ "
    r"leaves, where $\Delta_{\max}$ is the largest average depth of a restriction of $f$ (or "
    r"$D$); and at most $e^{\Delta D/\varepsilon}$, and $e^{\Delta^2/(4 \varepsilon^2)}$, for "
    r"$\Delta$ the average depth of $f$.",
    repaired=True,
    note=r"The notes call $\Delta$ the average depth of the optimal tree and have the exponent "
    r"$\Delta D$. Only they and the abstract were at hand: the paper may define it otherwise. "
    r"On truth tables the first bound is above $2^n$; it is tried on trees of up to 1,023 "
    r"nodes, each with a variable of its own.",
)
def test_size(trial):
    try_bound(
        trial,
        "exponent Delta_max D, where it is below 2^n",
        r"\max\left( \Bigl(\frac{e\, \Delta}{2 \varepsilon D}\Bigr)^{\Delta_{\max} D},\ "
        r"e^{\Delta_{\max} D} \right)",
        typed=by_restrictions,
        coded=proved,
        variants={
            "an eleventh of the exponent": partial(by_restrictions, times=1 / 11),
            "without the factor e": without_e,
        },
    )
    assert_grown_alike()
    for label, claimed in (
        ("as printed, exponent Delta(f) D", lambda f: f.printed),
        ("ours, with epsilon for its square", lambda f: f.delta**2 / (4 * f.epsilon) * LOG2_E),
    ):
        trial.fails(label, partial(size_of_rare_parities, claimed))


@stated(
    "OURS-PRODUCT-SIZE",
    r"Greedy growth to error $\varepsilon$ makes at most $e^{\Delta D/\varepsilon}$ leaves, and at "
    r"most $e^{\Delta^2/(4 \varepsilon^2)}$, for the average depth $\Delta$ of $f$ alone.",
)
def test_size_from_the_average_depth(trial):
    try_bound(
        trial,
        "ours, for Delta(f), where it is below 2^n",
        r"\min\left( e^{\Delta D / \varepsilon},\ e^{\Delta^2 / (4 \varepsilon^2)} \right)",
        typed=by_average,
        coded=lambda run, e: product.variation_bound_bits(run.delta, run.depth, e),
        variants={
            "with 15 for 4": partial(by_average, second=15),
            "a 21st of the first exponent": partial(by_average, first=1 / 21),
        },
    )


@stated(
    "PS-T1.1-ABS",
    r"In the form of the abstract: at most $(e/\varepsilon)^{\Delta_{\max} D}$ leaves.",
    repaired=True,
    note=r"The abstract: exponential in $\Delta_{opt} D_{opt} \log(e/\varepsilon)$.",
)
def test_size_as_in_the_abstract(trial):
    trial.holds(
        "exponent Delta_max D, where it is below 2^n",
        partial(size_below, crafted, abstract),
        r"(e/\varepsilon)^{\Delta_{\max} D}",
        {"a 20th of the exponent": {"share": lambda run, e: abstract(run, e) / 20}},
    )
    trial.fails(
        "as printed, exponent Delta(f) D", partial(size_of_rare_parities, lambda f: f.abstract)
    )


@stated(
    "PS-T5.1",
    r"If every step splits a leaf on a variable of score at least a quarter of the best, at "
    r"most $\max\bigl((e\Delta/(2\varepsilon D))^{4\Delta_{\max} D}, e^{4\Delta_{\max} "
    r"D}\bigr)$ leaves are made, and at most $e^{4 \Delta D/\varepsilon}$.",
    repaired=True,
    note=r"As PS-T1.1, with $\Delta_{\max}$ for $\Delta(f)$. Exact greedy growth is one of "
    "the runs it is about, so that the same functions refute the printed form.",
)
def test_quarter_greedy(trial):
    quarter, sixtieth = (partial(by_restrictions, times=times) for times in (4, 4 / 60))
    try_bound(
        trial,
        "an adversary's runs, where it is below 2^n",
        r"\max\bigl((\frac{e \Delta}{2 \varepsilon D})^{4 \Delta_{\max} D}, "
        r"e^{4 \Delta_{\max} D}\bigr)",
        grown=adversary,
        typed=quarter,
        coded=lambda run, e: 4 * proved(run, e),
        variants={"a 60th of the exponent": sixtieth},
    )
    trial.holds(
        "ours, for Delta(f), where it is below 2^n",
        partial(size_below, adversary, lambda run, e: 4 * run.delta * run.depth / e * LOG2_E),
        r"e^{4 \Delta D / \varepsilon}",
        {"a 150th of the exponent": {"share": 1 / 150}},
    )

    @trial.form(
        "a quarter of the floors, on truth tables",
        variants={
            "0.42 of the floors": {"part": 0.42},
            "for runs that take an eighth of the best": {"share": 1 / 8},
        },
    )
    @bounds("steps of runs")
    def part_of_the_floors(part=1 / 4, share=1 / 4):
        """Each step of nearly greedy runs against a part of the two floors, for Delta_max.

        The runs choose a share of the best, by an adversary or at random: on a sample of all.
        """
        build = approximate.build_top_down_approximate
        for k, run in enumerate((*runs()[1:1016:52], *larger()[1:8])):
            for who, rng in (("an adversary chooses", None), ("chance chooses", k)):
                path = build(run.f, run.mu, share, rng)
                floors = np.maximum(path.errors, path.costs / run.depth) / run.max_delta
                for j, fall in enumerate(path.costs[:-1] - path.costs[1:]):
                    yield part * floors[j] / (j + 1), fall, f"{run.name}, {who}, step {j}"

    trial.fails(
        "as printed, exponent 4 Delta(f) D", partial(size_of_rare_parities, lambda f: 4 * f.printed)
    )
