"""Chapter 3, the theorems: what bounds the greedy size, where the bound says something."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from claims.kit import PS, Form, Outcome, Trial, claim, outcome
from claims.product.forms import stated
from claims.product.own_variables import Grown, complete, crafted, grow
from claims.product.populations import Run, runs
from claims.product.test_rare import size_of_rare_parities
from dtviz import product
from dtviz.core.growth import GrowthPath
from dtviz.product import approximate

PAGE = "3-product"
LOG2_E = math.log2(math.e)
EPSILONS = (0.499, 0.49, 0.45, 0.4, 0.35, 0.3, 0.24, 0.2, 0.16, 0.1, 0.05, 0.02)


# -- the sizes that are compared -------------------------------------------------------------------


@dataclass(frozen=True)
class Size:
    """With how many leaves a run came to an error at most epsilon, which a single leaf has not.

    ``n`` counts the variables; the depths are those of the function, or bound them from above.
    """

    name: str
    n: int
    depth: int
    delta: float
    max_delta: float
    epsilon: float
    leaves: int


Bits = Callable[[Size], float]
"""A bound on the size, its logarithm."""


def _of_crafted(found: Iterable[Grown]) -> tuple[Size, ...]:
    return tuple(
        Size(g.name, g.n, g.depth, g.delta, g.max_delta, epsilon, g.n_leaves_for(epsilon))
        for g in found
        for epsilon in EPSILONS
        if g.errors[-1] <= epsilon < g.errors[0]
    )


@cache
def _greedy() -> tuple[Size, ...]:
    return _of_crafted(crafted())


@cache
def _by_an_adversary() -> tuple[Size, ...]:
    """Trees so large that even four times the exponent is below n bits."""
    return _of_crafted(
        grow(
            f"the complete tree of depth {depth}, an adversary chooses", complete(depth), end, 1 / 4
        )
        for depth, end in ((9, 0.45), (10, 0.45), (11, 0.45))
    )


def _size_below(
    chosen: Callable[[], tuple[Size, ...]], proved: Bits, claimed: Bits | None = None
) -> Outcome:
    """Leaves against a bound in bits, wherever the one that is proved says more than ``2^n``."""
    found = [size for size in chosen() if proved(size) < size.n]
    bits = np.array([math.log2(size.leaves) for size in found])
    high = np.array([(claimed or proved)(size) for size in found])
    tight = bits / np.maximum(high, 1e-300)
    return outcome(
        "pairs of a run and an epsilon",
        bits <= high,
        np.minimum(tight, 1e9),
        lambda k: (
            f"{bits[k]:.3g} bits used of {high[k]:.3g}, where 2^n has {found[k].n}, for "
            f"{found[k].name}, epsilon = {found[k].epsilon}"
        ),
    )


# -- Theorem 1.1 -----------------------------------------------------------------------------------


def _by_restrictions(size: Size) -> float:
    return product.proved_bound_bits(size.delta, size.max_delta, size.depth, size.epsilon)


def _without_e(size: Size) -> float:
    base = size.delta / (2 * size.epsilon * size.depth)
    return size.max_delta * size.depth * max(math.log2(base), 0)


def _by_variation(size: Size) -> float:
    return product.variation_bound_bits(size.delta, size.depth, size.epsilon)


def _by_average(first: float = 1, second: float = 4) -> Bits:
    """``min(e^(first Delta D / eps), e^(Delta^2 / (second eps^2)))``."""

    def bits(size: Size) -> float:
        by_depth = first * size.delta * size.depth / size.epsilon
        alone = size.delta**2 / (second * size.epsilon**2)
        return min(by_depth, alone) * LOG2_E

    return bits


def _abstract_by_restrictions(size: Size) -> float:
    return product.abstract_bound_bits(size.max_delta, size.depth, size.epsilon)


def _share(of: Bits, share: float) -> Bits:
    return lambda size: share * of(size)


# -- Theorem 5.1 -----------------------------------------------------------------------------------


def _quarter_by_restrictions(size: Size) -> float:
    return product.proved_bound_bits(size.delta, size.max_delta, size.depth, size.epsilon, slack=4)


def _quarter_by_depth(size: Size) -> float:
    return 4 * size.delta * size.depth / size.epsilon * LOG2_E


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
def _nearly_greedy(share: float) -> tuple[Nearly, ...]:
    """Runs that choose a share of the best, on a sample of the runs and on all larger functions."""
    found = []
    for k, run in enumerate((*runs()[1:1016:26], *runs()[1016:])):
        for who, rng in (("an adversary chooses", None), ("chance chooses", k)):
            path = approximate.build_top_down_approximate(run.f, run.mu, share, rng)
            found.append(Nearly(run, who, path))
    return tuple(found)


def _quarter_floors(part: float = 1 / 4, share: float = 1 / 4) -> Outcome:
    """Each step of nearly greedy runs against a part of the two floors, for Delta_max."""
    tight, where = [], []
    for near in _nearly_greedy(share):
        path, run = near.path, near.run
        for j in range(path.n_splits):
            drop = path.costs[j] - path.costs[j + 1]
            floors = (
                product.score_floor_by_error(float(path.errors[j]), j, run.max_delta),
                product.score_floor_by_cost(float(path.costs[j]), j, run.max_delta, run.depth),
            )
            tight.append(part * float(max(floors)) / drop)
            where.append(f"{near.name}, step {j}")
    closeness = np.array(tight)
    return outcome(
        "steps of runs",
        closeness <= 1 + 1e-9,
        closeness,
        lambda k: f"drop / (share of the floor) = {1 / closeness[k]:.4g} in {where[k]}",
    )


@claim(
    "PS-T1.1",
    PS,
    r"Greedy growth to error $\varepsilon$ makes at most "
    r"$\max\bigl((e\Delta/(2\varepsilon D))^{\Delta_{\max} D}, e^{\Delta_{\max} D}\bigr)$ "
    r"leaves, where $\Delta_{\max}$ is the largest average depth of a restriction of $f$ (or "
    r"$D$); and at most $e^{\Delta D/\varepsilon}$, and $e^{\Delta^2/(4 \varepsilon^2)}$, for "
    r"$\Delta$ the average depth of $f$.",
    PAGE,
    repaired=True,
    note=r"The notes call $\Delta$ the average depth of the optimal tree and have the exponent "
    r"$\Delta D$. Only they and the abstract were at hand: the paper may define it otherwise. "
    r"On truth tables the first bound is above $2^n$; it is tried on trees of up to 1,023 "
    r"nodes, each with a variable of its own.",
)
def test_ps_t1_1(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "exponent Delta_max D, where it is below 2^n",
                partial(_size_below, _greedy, _by_restrictions),
                r"\max\left( \Bigl(\frac{e\, \Delta}{2 \varepsilon D}\Bigr)^{\Delta_{\max} D},\ "
                r"e^{\Delta_{\max} D} \right)",
                false={
                    "an eleventh of the exponent": {"claimed": _share(_by_restrictions, 1 / 11)},
                    "without the factor e": {"claimed": _without_e},
                },
            ),
            stated(
                "ours, for Delta(f), where it is below 2^n",
                partial(_size_below, _greedy, _by_variation),
                r"\min\left( e^{\Delta D / \varepsilon},\ "
                r"e^{\Delta^2 / (4 \varepsilon^2)} \right)",
                false={
                    "with 15 for 4": {"claimed": _by_average(second=15)},
                    "a 21st of the first exponent": {"claimed": _by_average(first=1 / 21)},
                },
            ),
        ),
        (
            Form(
                "as printed, exponent Delta(f) D",
                partial(size_of_rare_parities, lambda f: f.printed),
            ),
            Form(
                "ours, with epsilon for its square",
                partial(size_of_rare_parities, lambda f: f.delta**2 / (4 * f.epsilon) * LOG2_E),
            ),
        ),
    )


@claim(
    "PS-T1.1-ABS",
    PS,
    r"In the form of the abstract: at most $(e/\varepsilon)^{\Delta_{\max} D}$ leaves.",
    PAGE,
    repaired=True,
    note=r"The abstract: exponential in $\Delta_{opt} D_{opt} \log(e/\varepsilon)$.",
)
def test_ps_t1_1_abs(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "exponent Delta_max D, where it is below 2^n",
                partial(_size_below, _greedy, _abstract_by_restrictions),
                r"(e/\varepsilon)^{\Delta_{\max} D}",
                false={
                    "a 20th of the exponent": {"claimed": _share(_abstract_by_restrictions, 1 / 20)}
                },
            ),
        ),
        (
            Form(
                "as printed, exponent Delta(f) D",
                partial(size_of_rare_parities, lambda f: f.abstract),
            ),
        ),
    )


@claim(
    "PS-T5.1",
    PS,
    r"If every step splits a leaf on a variable of score at least a quarter of the best, at "
    r"most $\max\bigl((e\Delta/(2\varepsilon D))^{4\Delta_{\max} D}, e^{4\Delta_{\max} "
    r"D}\bigr)$ leaves are made, and at most $e^{4 \Delta D/\varepsilon}$.",
    PAGE,
    repaired=True,
    note=r"As PS-T1.1, with $\Delta_{\max}$ for $\Delta(f)$. Exact greedy growth is one of "
    "the runs it is about, so that the same functions refute the printed form.",
)
def test_ps_t5_1(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "an adversary's runs, where it is below 2^n",
                partial(_size_below, _by_an_adversary, _quarter_by_restrictions),
                r"\max\bigl((\frac{e \Delta}{2 \varepsilon D})^{4 \Delta_{\max} D}, "
                r"e^{4 \Delta_{\max} D}\bigr)",
                false={
                    "a 60th of the exponent": {"claimed": _share(_quarter_by_restrictions, 1 / 60)}
                },
            ),
            stated(
                "ours, for Delta(f), where it is below 2^n",
                partial(_size_below, _by_an_adversary, _quarter_by_depth),
                r"e^{4 \Delta D / \varepsilon}",
                false={"a 150th of the exponent": {"claimed": _share(_quarter_by_depth, 1 / 150)}},
            ),
            stated(
                "a quarter of the floors, on truth tables",
                _quarter_floors,
                false={
                    "0.42 of the floors": {"part": 0.42},
                    "for runs that take an eighth of the best": {"share": 1 / 8},
                },
            ),
        ),
        (
            Form(
                "as printed, exponent 4 Delta(f) D",
                partial(size_of_rare_parities, lambda f: 4 * f.printed),
            ),
        ),
    )
