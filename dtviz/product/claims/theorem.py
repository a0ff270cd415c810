"""Chapter 3, the theorems: what bounds the greedy size, what does not, what bounds are worth."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from dtviz import product
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import OURS, PS
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.growth import GrowthPath
from dtviz.core.optimal import optimal
from dtviz.product import approximate
from dtviz.product.claims.populations import EPSILONS, Run, guarded_run, runs

__all__ = ["CLAIMS", "RareParities", "rare_parities"]

PAGE = "3-product"
RUNS = "pairs of a greedy run and an epsilon"


# -- Theorem 1.1: what bounds the size -------------------------------------------------------------

Bits = Callable[[Run, float], float]


def _by_restrictions(run: Run, epsilon: float) -> float:
    return product.proved_bound_bits(run.delta, run.max_delta, run.depth, epsilon)


def _by_depth(run: Run, epsilon: float) -> float:
    return product.proved_bound_bits(run.delta, run.depth, run.depth, epsilon)


def _by_variation(run: Run, epsilon: float) -> float:
    return product.variation_bound_bits(run.delta, run.depth, epsilon)


def _printed_by_restrictions(run: Run, epsilon: float) -> float:
    return product.size_bound_bits(run.max_delta, run.depth, epsilon)


def _abstract_by_restrictions(run: Run, epsilon: float) -> float:
    return product.abstract_bound_bits(run.max_delta, run.depth, epsilon)


def _size_below(bound: Bits) -> Outcome:
    """Leaves of every greedy run at every epsilon against a bound in bits."""
    found = [(run, epsilon) for run in runs() for epsilon in EPSILONS]
    bits = np.array([math.log2(run.path.n_leaves_for(epsilon)) for run, epsilon in found])
    high = np.array([bound(run, epsilon) for run, epsilon in found])
    tight = bits / high
    return outcome(
        RUNS,
        bits <= high,
        tight,
        lambda k: (
            f"{bits[k]:.3g} bits used of {high[k]:.3g} for {found[k][0].name}, "
            f"epsilon = {found[k][1]}"
        ),
    )


@dataclass(frozen=True)
class RareParities:
    """``x_0`` and one of k parities of P bits, chosen by majorities of ``voters`` fair bits (LB-D).

    ``Pr[x_0 = 1]`` is 1/D_g, where ``D_g = log2(k) voters + P`` is the depth of the tree that asks
    the votes and then the parity they choose. ``depth`` and ``delta`` bound D(f) and Delta(f);
    greedy growth to ``epsilon = 1/(8 D_g)`` makes at least ``2^greedy`` leaves, because it errs on
    an eighth of the points with ``x_0 = 1`` at most (claim LB-A).
    """

    k: int
    voters: int
    P: int

    @property
    def inner_depth(self) -> int:
        """D_g."""
        return (self.k.bit_length() - 1) * self.voters + self.P

    @property
    def depth(self) -> int:
        """D, with ``x_0``."""
        return 1 + self.inner_depth

    @property
    def delta(self) -> float:
        """Delta: one question, and with probability 1/D_g as many more as D_g."""
        return 2.0

    @property
    def epsilon(self) -> float:
        """The error to which the tree is grown."""
        return 1 / (8 * self.inner_depth)

    @property
    def votes_are_weak(self) -> bool:
        """Whether a vote decides with probability below 1/k, so that LB-A applies; in integers."""
        tied = math.comb(self.voters - 1, (self.voters - 1) // 2)
        return tied * self.k < 1 << (self.voters - 1)

    @property
    def greedy(self) -> float:
        """The logarithm of a lower bound on the greedy size."""
        return self.P * math.ceil(self.k * 3 / 4) - 1.0

    @property
    def printed(self) -> float:
        """What Theorem 1.1 with the average depth of f allows, in bits; increasing in both."""
        return product.size_bound_bits(self.delta, self.depth, self.epsilon)

    @property
    def abstract(self) -> float:
        """The same for the form of the abstract."""
        return product.abstract_bound_bits(self.delta, self.depth, self.epsilon)

    def __str__(self) -> str:
        return f"{self.k} parities of {self.P:,} bits, {self.voters:,} voters for each address bit"


@cache
def rare_parities() -> tuple[RareParities, ...]:
    """Four of them, larger and larger; what the notes claim is refuted by the third and fourth."""
    return (
        RareParities(4, 11, 100),
        RareParities(16, 165, 10_000),
        RareParities(64, 2609, 1_000_000),
        RareParities(128, 10_431, 10_000_000),
    )


def _size_of_rare_parities(bound: Callable[[RareParities], float]) -> Outcome:
    """A lower bound on the greedy size against a claimed upper bound, both in bits."""
    found = rare_parities()
    for f in found:
        if not f.votes_are_weak:
            msg = f"LB-A does not apply to {f}"
            raise ArithmeticError(msg)
    high = np.array([bound(f) for f in found])
    greedy = np.array([f.greedy for f in found])
    return outcome(
        "functions",
        greedy <= high,
        greedy / high,
        lambda k: (
            f"greedy at least {greedy[k]:.3g} bits, claimed {high[k]:.3g}, for x0 and "
            f"one of {found[k]}"
        ),
    )


# -- Theorem 5.1 -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Nearly:
    """A run that chose nearly the best: by an adversary, or at random."""

    run: Run
    who: str
    path: GrowthPath

    @property
    def name(self) -> str:
        """The function, the measure, and who chose."""
        return f"{self.run.name}, {self.who}"


@cache
def _nearly_greedy() -> tuple[Nearly, ...]:
    """Quarter-approximate runs on a sample of the runs and on all larger functions."""
    found = []
    for k, run in enumerate((*runs()[1:1016:26], *runs()[1016:])):
        for who, rng in (("an adversary chooses", None), ("chance chooses", k)):
            path = approximate.build_top_down_approximate(run.f, run.mu, 1 / 4, rng)
            found.append(Nearly(run, who, path))
    return tuple(found)


def _shares() -> Outcome:
    """Each step takes off the cost at least a quarter of the best score."""
    found = _nearly_greedy()
    share = np.concatenate([approximate.chosen_shares(near.path) for near in found])
    which = np.repeat(np.arange(len(found)), [near.path.n_splits for near in found])
    return outcome(
        "steps of quarter-approximate runs",
        share >= 1 / 4 * (1 - 1e-8),
        1 / share,
        lambda k: f"drop / best score = {share[k]:.4g} in {found[int(which[k])].name}",
    )


def _quarter_sizes() -> Outcome:
    """Leaves against Theorem 5.1's bound, the exponent four times as large."""
    found = [(near, epsilon) for near in _nearly_greedy() for epsilon in EPSILONS]
    bits = np.array([math.log2(near.path.n_leaves_for(epsilon)) for near, epsilon in found])
    high = np.array(
        [
            product.proved_bound_bits(
                near.run.delta, near.run.max_delta, near.run.depth, epsilon, slack=4
            )
            for near, epsilon in found
        ]
    )
    return outcome(
        "pairs of a run and an epsilon",
        bits <= high,
        bits / high,
        lambda k: (
            f"{bits[k]:.3g} bits used of {high[k]:.3g}: {found[k][0].name}, epsilon = {found[k][1]}"
        ),
    )


def _quarter_floors() -> Outcome:
    """Each step against a quarter of the two floors, for Delta_max."""
    tight, where = [], []
    for near in _nearly_greedy():
        path, run = near.path, near.run
        for j in range(path.n_splits):
            drop = path.costs[j] - path.costs[j + 1]
            floors = (
                product.score_floor_by_error(float(path.errors[j]), j, run.max_delta),
                product.score_floor_by_cost(float(path.costs[j]), j, run.max_delta, run.depth),
            )
            tight.append(float(max(floors)) / 4 / drop)
            where.append(f"{near.name}, step {j}")
    closeness = np.array(tight)
    return outcome(
        "steps of quarter-approximate runs",
        closeness <= 1 + 1e-9,
        closeness,
        lambda k: f"drop / (floor/4) = {1 / closeness[k]:.4g} in {where[k]}",
    )


# -- LB-D: a rare guard ----------------------------------------------------------------------------

GUARDED: tuple[tuple[str, BooleanFunction], ...] = (
    ("majority of 5", zoo.majority(5)),
    ("majority of 7", zoo.majority(7)),
    ("tribes(2, 3)", zoo.tribes(2, 3)),
    ("parity_multiplexer(3, 2)", zoo.parity_multiplexer(3, 2)),
    ("parity_multiplexer(3, 3)", zoo.parity_multiplexer(3, 3)),
    ("caterpillar(3)", zoo.caterpillar(3)),
)
RARE = (1 / 16, 1 / 256)


def _guarded() -> list[tuple[str, BooleanFunction, float, ProductDistribution]]:
    return [
        (label, g, rare, ProductDistribution([rare] + [1 / 2] * g.n))
        for label, g in GUARDED
        for rare in RARE
    ]


def _guard_then_greedy() -> Outcome:
    """``x_0`` first, then the greedy tree of g: the same splits, one leaf more."""
    wrong, told = [], []
    for label, g, rare, mu in _guarded():
        path, inner = topdown.build_top_down(zoo.guarded(g), mu), topdown.build_top_down(g)
        same = path.split_variable[:1].tolist() == [0] and np.array_equal(
            path.split_variable[1:], inner.split_variable + 1
        )
        wrong.append(not same)
        told.append(
            f"{path.n_splits + 1} leaves for x0 and {label}, {inner.n_splits + 1} for it alone, "
            f"Pr[x0 = 1] = 1/{round(1 / rare)}"
        )
    return outcome("functions", np.logical_not(wrong), wrong, told.__getitem__)


def _depths_of_guarded(quantity: Callable[[float, Any, Any], tuple[float, float]]) -> Outcome:
    """Two numbers that must agree, of f and of g."""
    gap, told = [], []
    for label, g, rare, mu in _guarded():
        if g.n > 8:
            continue
        a, b = quantity(rare, optimal(zoo.guarded(g), mu), optimal(g))
        gap.append(0.0 if math.isclose(a, b, rel_tol=1e-12) else a - b)
        told.append(f"x0 and {label}, Pr[x0 = 1] = 1/{round(1 / rare)}")
    return equality("functions", gap, told.__getitem__)


def _average(rare: float, of_f: Any, of_g: Any) -> tuple[float, float]:
    return of_f.average_depth, 1 + rare * of_g.average_depth


def _largest(_: float, of_f: Any, of_g: Any) -> tuple[float, float]:
    return of_f.max_average_depth, max(of_g.max_average_depth, of_f.average_depth)


@cache
def _swept() -> tuple[tuple[int, float, Run], ...]:
    return tuple(
        (m, rare, guarded_run(zoo.majority(m), rare, f"majority of {m}"))
        for m in (3, 5, 7, 9)
        for rare in (1 / 4, 1 / 20, 1 / 100, 1 / 1000)
    )


def _after_the_guard(delta: str) -> Outcome:
    """The best score after ``x_0`` was asked, against ``error/(2 Delta)``."""
    found = _swept()
    score = np.array([run.path.scores[1] for *_, run in found])
    floors = np.array(
        [
            float(
                product.score_floor_by_error(
                    float(run.path.errors[1]), 1, float(getattr(run, delta))
                )
            )
            for *_, run in found
        ]
    )
    tight = floors / score
    return outcome(
        "majorities behind guards",
        tight <= 1,
        tight,
        lambda k: f"score / floor = {1 / tight[k]:.4g} for {found[k][2].name}",
    )


def _floors_of_the_limit() -> Outcome:
    """As ``Pr[x_0 = 1]`` goes to 0, score / (error/(2 Delta(f))) goes to ``2 Inf_1(Maj_m)``.

    Resample influence, ``C(m-1, (m-1)/2)/2^m``; so below 1 from m = 5 on.
    """
    gap, told = [], []
    for m, rare, run in _swept():
        if rare > 1 / 1000:
            continue
        limit = 4 * math.comb(m - 1, m // 2) / 2**m
        floor = float(product.score_floor_by_error(float(run.path.errors[1]), 1, 1.0))
        found = float(run.path.scores[1]) / floor
        gap.append(0.0 if math.isclose(found, limit, rel_tol=1e-9) else found - limit)
        told.append(f"majority of {m}")
    return equality("majorities", gap, told.__getitem__)


CLAIMS = (
    Claim(
        "PS-T1.1",
        PS,
        r"Greedy growth to error $\varepsilon$ makes at most "
        r"$\max\bigl((e\Delta/(2\varepsilon D))^{\Delta_{\max} D}, e^{\Delta_{\max} D}\bigr)$ "
        r"leaves, where $\Delta_{\max}$ is the largest average depth of a restriction of $f$ (or "
        r"$D$); and at most $e^{\Delta D/\varepsilon}$, and $e^{\Delta^2/(4 \varepsilon^2)}$, for "
        r"$\Delta$ the average depth of $f$.",
        PAGE,
        (
            Form("exponent Delta_max D", partial(_size_below, _by_restrictions)),
            Form("exponent D^2", partial(_size_below, _by_depth)),
            Form("ours, for Delta(f)", partial(_size_below, _by_variation)),
            Form("base e Delta_max/(eps D)", partial(_size_below, _printed_by_restrictions)),
        ),
        (
            Form(
                "as printed, exponent Delta(f) D",
                partial(_size_of_rare_parities, lambda f: f.printed),
            ),
        ),
        repaired=True,
        note=r"The notes call $\Delta$ the average depth of the optimal tree and have the exponent "
        r"$\Delta D$. Only they and the abstract were at hand: the paper may define it otherwise.",
    ),
    Claim(
        "PS-T1.1-ABS",
        PS,
        r"In the form of the abstract: at most $(e/\varepsilon)^{\Delta_{\max} D}$ leaves.",
        PAGE,
        (Form("exponent Delta_max D", partial(_size_below, _abstract_by_restrictions)),),
        (
            Form(
                "as printed, exponent Delta(f) D",
                partial(_size_of_rare_parities, lambda f: f.abstract),
            ),
        ),
        repaired=True,
        note=r"The abstract: exponential in $\Delta_{opt} D_{opt} \log(e/\varepsilon)$.",
    ),
    Claim(
        "PS-T5.1",
        PS,
        r"If every step splits a leaf on a variable of score at least a quarter of the best, at "
        r"most $\max\bigl((e\Delta/(2\varepsilon D))^{4\Delta_{\max} D}, e^{4\Delta_{\max} "
        r"D}\bigr)$ leaves are made.",
        PAGE,
        (
            Form("sizes of quarter-approximate runs", _quarter_sizes),
            Form("a quarter of the best score", _shares),
            Form("a quarter of the floors", _quarter_floors),
        ),
        (
            Form(
                "as printed, exponent 4 Delta(f) D",
                partial(_size_of_rare_parities, lambda f: 4 * f.printed),
            ),
        ),
        repaired=True,
        note=r"As Theorem 1.1, with $\Delta_{\max}$ for $\Delta(f)$. Exact greedy growth is one of "
        "the runs it is about, so that the same functions refute the printed form.",
    ),
    Claim(
        "LB-D",
        OURS,
        r"Let $f = x_0 \wedge g$, $\Pr[x_0 = 1] = \eta$ small and the other bits fair. Greedy "
        r"growth asks for $x_0$, then grows the greedy tree of $g$. $\Delta(f) = 1 + \eta "
        r"\Delta(g)$ is close to 1, while a leaf holds $g$: as $\eta \to 0$, a score floor with "
        r"$\Delta(f)$ must fail.",
        PAGE,
        (
            Form("x0, then the greedy tree of g", _guard_then_greedy),
            Form("Delta(f) = 1 + eta Delta(g)", partial(_depths_of_guarded, _average)),
            Form("Delta_max is that of g", partial(_depths_of_guarded, _largest)),
            Form("error/((j+1) Delta_max) is a floor", partial(_after_the_guard, "max_delta")),
            Form("the limit of score / floor", _floors_of_the_limit),
        ),
        (Form("with Delta(f)", partial(_after_the_guard, "delta")),),
    ),
)
