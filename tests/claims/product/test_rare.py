"""Chapter 3: parities behind a rare event, on which greed is wasteful (claim LB-D)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from claims.kit import OURS, Form, Outcome, Trial, claim, equality, outcome
from claims.product.forms import stated
from claims.product.populations import Run, guarded_run
from dtviz import product
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.optimal import OptimalTrees, optimal

__all__ = ["RareParities", "rare_parities", "size_of_rare_parities"]

PAGE = "3-product"


# -- what cannot be grown: lower bounds by claim LB-A ----------------------------------------------


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


def size_of_rare_parities(bound: Callable[[RareParities], float]) -> Outcome:
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


def _exceeds(
    claimed: tuple[tuple[int, float, Callable[[RareParities], float]], ...],
) -> Outcome:
    """The lower bound is so many times what is claimed, in bits, for these functions."""
    found = [
        (rare_parities()[place], times * bound(rare_parities()[place]), times)
        for place, times, bound in claimed
    ]
    greedy = np.array([f.greedy for f, *_ in found])
    high = np.array([bits for _, bits, _ in found])
    return outcome(
        "bounds",
        greedy > high,
        high / greedy,
        lambda k: (
            f"greedy at least {greedy[k]:.3g} bits, {found[k][2]:g} times the bound is "
            f"{high[k]:.3g}, for x0 and one of {found[k][0]}"
        ),
    )


def _printed(f: RareParities) -> float:
    return f.printed


def _abstract_with_log2(f: RareParities) -> float:
    return f.abstract * math.log2(math.e)


CLAIMED = ((1, 1, _printed), (2, 4, _printed), (3, 1, _abstract_with_log2))


# -- what can: the same mechanism, on truth tables -------------------------------------------------

SMALL = tuple((voters, P) for voters, most in ((5, 5), (7, 4), (9, 3)) for P in range(1, most + 1))
"""Majorities that choose one of two parities (k = 2), weak enough as LB-D asks; parity bits."""


def _choices(voters: int | None) -> tuple[tuple[int, int], ...]:
    """`SMALL`, or so many voters in their place."""
    return SMALL if voters is None else tuple((voters, P) for _, P in SMALL)


def _wasteful(more: float = 0, share: float = 1 / 8, voters: int | None = None) -> Outcome:
    """Leaves to bring the error down to ``eta/8``: more than ``2^(P ceil(3k/4) - 1)``, k = 2."""
    bits, told, low = [], [], []
    for of, P in _choices(voters):
        rare = 1 / (of + P)
        g = zoo.parity_multiplexer(of, P)
        mu = ProductDistribution([rare] + [1 / 2] * g.n)
        path = topdown.build_top_down(zoo.guarded(g), mu)
        leaves = path.n_leaves_for(share * rare)
        bits.append(math.log2(leaves))
        low.append(P * math.ceil(3 * 2 / 4) - 1 + more)
        told.append(f"{leaves:,} leaves, P = {P}, {of} voters")
    tight = np.array(low) - bits
    return outcome(
        "functions",
        tight < 0,
        tight,
        lambda k: f"{told[k]}, more than {2.0 ** low[k]:g} asked for",
    )


def _shallow(
    average: float = 2, more: int = 1, chance: Callable[[int], float] = lambda a: 1 / a
) -> Outcome:
    """D at most ``a + P + 1`` and Delta at most 2, if ``Pr[x_0 = 1] = 1/(a + P)``."""
    ok, delta, told = [], [], []
    for voters, P in ((5, 1), (5, 2), (7, 1)):
        g = zoo.parity_multiplexer(voters, P)
        mu = ProductDistribution([chance(voters + P)] + [1 / 2] * g.n)
        best = optimal(zoo.guarded(g), mu)
        ok.append(best.depth <= voters + P + more and best.average_depth <= average)
        delta.append(best.average_depth)
        told.append(f"D = {best.depth}, Delta = {best.average_depth:.4g}, P = {P}, {voters} voters")
    return outcome("functions", ok, delta, told.__getitem__)


GUARDED: tuple[tuple[str, BooleanFunction], ...] = (
    ("majority of 5", zoo.majority(5)),
    ("majority of 7", zoo.majority(7)),
    ("tribes(2, 3)", zoo.tribes(2, 3)),
    ("parity_multiplexer(3, 2)", zoo.parity_multiplexer(3, 2)),
    ("parity_multiplexer(3, 3)", zoo.parity_multiplexer(3, 3)),
    ("caterpillar(3)", zoo.caterpillar(3)),
)
RARE = (1 / 16, 1 / 256)


def _guarded(
    chances: tuple[float, ...] = RARE,
) -> list[tuple[str, BooleanFunction, float, ProductDistribution]]:
    return [
        (f"x0 and {label}, Pr[x0 = 1] = {rare:g}", g, rare, ProductDistribution([rare, *fair]))
        for label, g in GUARDED
        for fair in [[1 / 2] * g.n]
        for rare in chances
    ]


def _guard_then_greedy(chances: tuple[float, ...] = RARE, bias: float = 1 / 2) -> Outcome:
    """``x_0`` first, then the greedy tree of g: the same splits, one leaf more."""
    same, told, paths = [], [], []
    for label, g, _, mu in _guarded(chances):
        path = topdown.build_top_down(zoo.guarded(g), mu)
        inner = topdown.build_top_down(g, ProductDistribution([bias] * g.n))
        same.append(
            path.split_variable[:1].tolist() == [0]
            and np.array_equal(path.split_variable[1:], inner.split_variable + 1)
        )
        told.append(f"{path.n_splits + 1} leaves for {label}, {inner.n_splits + 1} for g alone")
        paths.append(path)
    return outcome(
        "functions",
        same,
        np.logical_not(same),
        told.__getitem__,
        example=paths.__getitem__,
    )


Best = OptimalTrees
Depths = Callable[[float, Best, Best], tuple[float, float]]


def _depths_of_guarded(quantity: Depths, chances: tuple[float, ...] = RARE) -> Outcome:
    """Two numbers that must agree, of f and of g."""
    gap, told = [], []
    for label, g, rare, mu in _guarded(chances):
        if g.n > 8:
            continue
        a, b = quantity(rare, optimal(zoo.guarded(g), mu), optimal(g))
        gap.append(0.0 if math.isclose(a, b, rel_tol=1e-12) else a - b)
        told.append(label)
    return equality("functions", gap, told.__getitem__)


def _average(rare: float, of_f: Best, of_g: Best) -> tuple[float, float]:
    return of_f.average_depth, 1 + rare * of_g.average_depth


def _average_by_depth(rare: float, of_f: Best, of_g: Best) -> tuple[float, float]:
    return of_f.average_depth, 1 + rare * of_g.depth


def _largest(_: float, of_f: Best, of_g: Best) -> tuple[float, float]:
    return of_f.max_average_depth, of_g.max_average_depth


def _largest_by_average(_: float, of_f: Best, __: Best) -> tuple[float, float]:
    return of_f.max_average_depth, of_f.average_depth


def _largest_by_depth(_: float, of_f: Best, of_g: Best) -> tuple[float, float]:
    return of_f.max_average_depth, of_g.depth


@cache
def _swept() -> tuple[tuple[int, float, Run], ...]:
    return tuple(
        (m, rare, guarded_run(zoo.majority(m), rare, f"majority of {m}"))
        for m in (3, 5, 7, 9)
        for rare in (1 / 4, 1 / 20, 1 / 100, 1 / 1000)
    )


def _after_the_guard() -> Outcome:
    """The best score after ``x_0`` was asked, against ``error/(2 Delta(f))``."""
    found = _swept()
    score = np.array([run.path.scores[1] for *_, run in found])
    error = np.array([run.path.errors[1] for *_, run in found])
    delta = np.array([run.delta for *_, run in found])
    tight = error / (2 * delta) / score
    return outcome(
        "majorities behind guards",
        tight <= 1,
        tight,
        lambda k: f"score / floor = {1 / tight[k]:.4g} for {found[k][2].name}",
    )


def _resample_of_a_vote(m: int) -> float:
    return math.comb(m - 1, m // 2) / (1 << m)


def _limit_of_the_floor(influence: Callable[[int], float] = _resample_of_a_vote) -> Outcome:
    """Where Delta(f) is put at its limit, 1: floor / score is ``1/2 / (2 max Res_i(g))``."""
    gap, told = [], []
    for m, _, run in _swept():
        found = float(run.path.errors[1]) / (2 * float(run.path.scores[1]))
        limit = 1 / 2 / (2 * influence(m))
        gap.append(0.0 if math.isclose(found, limit, rel_tol=1e-9) else found - limit)
        told.append(run.name)
    return equality("majorities behind guards", gap, told.__getitem__)


@claim(
    "LB-D",
    OURS,
    r"Let $f = x_0 \wedge g$, $\Pr[x_0 = 1] = \eta$ small and the other bits fair. Greedy "
    r"growth asks for $x_0$, then grows the greedy tree of $g$. $\Delta(f) = 1 + \eta "
    r"\Delta(g)$ is close to 1, while a leaf holds $g$: as $\eta \to 0$, a score floor with "
    r"$\Delta(f)$ must fail. If $g$ is one of $k$ parities of $P$ bits, chosen by majorities, "
    r"and $\varepsilon = \eta/8$, more than $2^{P \lceil 3k/4 \rceil - 1}$ leaves are made.",
    PAGE,
)
def test_lb_d(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "sizes for k = 2, grown",
                _wasteful,
                r"2^{P \lceil 3k/4 \rceil - 1}",
                false={
                    "eight times as many leaves": {"more": 3},
                    "for one voter, who is not weak": {"voters": 1},
                    "down to an error of 3/8 of eta": {"share": 3 / 8},
                },
            ),
            stated(
                "D ≤ a + P + 1 and Delta ≤ 2",
                _shallow,
                false={
                    "Delta at most 1.85": {"average": 1.85},
                    "D at most a + P": {"more": 0},
                    "if x0 is twice as likely to be 1": {"chance": lambda a: 2 / a},
                },
            ),
            stated(
                "part 3: what the bounds as printed allow is exceeded",
                partial(_exceeds, claimed=CLAIMED),
                false={
                    "five times over for k = 64": {
                        "claimed": (CLAIMED[0], (2, 5, _printed), CLAIMED[2])
                    },
                    "for k = 4, too": {"claimed": ((0, 1, _printed), *CLAIMED[1:])},
                    "the abstract's for k = 64": {
                        "claimed": (*CLAIMED[:2], (2, 1, _abstract_with_log2))
                    },
                },
            ),
            stated(
                "x0, then the greedy tree of g",
                _guard_then_greedy,
                false={
                    "if x0 is mostly 1": {"chances": (15 / 16,)},
                    "the greedy tree of g for p = 1/4": {"bias": 1 / 4},
                },
            ),
            stated(
                "Delta(f) = 1 + eta Delta(g)",
                partial(_depths_of_guarded, quantity=_average),
                false={
                    "with D(g) for Delta(g)": {"quantity": _average_by_depth},
                    "if x0 is mostly 1": {"chances": (15 / 16,)},
                },
            ),
            stated(
                "Delta_max(f) = Delta_max(g)",
                partial(_depths_of_guarded, quantity=_largest),
                false={
                    "it is Delta(f)": {"quantity": _largest_by_average},
                    "it is D(g)": {"quantity": _largest_by_depth},
                },
            ),
            stated(
                "the limit of floor / score",
                _limit_of_the_floor,
                r"\frac12 / (2 \cdot \max_i \operatorname{Res}_i)",
                false={
                    "with flip influence": {"influence": lambda m: 2 * _resample_of_a_vote(m)},
                    "for a vote of m + 2": {"influence": lambda m: _resample_of_a_vote(m + 2)},
                },
            ),
        ),
        (Form("a floor with Delta(f), after x0", _after_the_guard),),
    )
