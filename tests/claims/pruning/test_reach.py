"""Chapter 6, pruning: how often the nodes are seen that a sample should reach, all at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np

from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from claims.pruning.extremes import paths_log, reach_bound
from claims.pruning.test_convergence import TWENTIETHS, binomial

__all__ = ["no_cell_has"]

PAGE = "6-pruning"
Threshold = Callable[[int, int, int, float], float]
"""From n, a depth, m and delta: q_l."""


# -- one node: (12.10) and (12.11) -----------------------------------------------------------------


def _lower_tails(rate: float, power: float = 2, times: float = 1) -> Outcome:
    """``Pr[m_v <= (1 - gamma) m p]`` against ``exp(-rate m p gamma^power)``."""
    ratio, words = [], []
    wide = itertools.product((5, 20, 60, 200), [20 * p for p in TWENTIETHS], TWENTIETHS)
    # Many examples of a rare node, where the bound is nearest to the truth.
    for m, p, gamma in (*wide, *itertools.product((10**6,), (4,), (1, 2, 3))):
        low = 8000 * np.arange(m + 1) <= (20 - gamma) * p * m
        chance = float(binomial(m, p / 400)[low].sum())
        allowed = times * math.exp(-rate * m * p / 400 * (gamma / 20) ** power)
        ratio.append(chance / max(allowed, 1e-300))
        words.append(f"probability {chance:.3g}, m = {m}, p = {p / 400:g}, gamma = {gamma / 20:g}")
    return outcome("m, p and gamma", np.array(ratio) <= 1 + 1e-9, ratio, words.__getitem__)


def _at_most(m: int, p: float, share: float) -> float:
    """``Pr[m_v <= share p m]``."""
    return float(binomial(m, p)[: math.floor(share * p * m + 1e-9) + 1].sum())


NODES = (
    (0.5,),
    (0.1, 0.4),
    (0.05, 0.2, 0.6),
    (0.25,) * 4,
    (0.02, 0.9),
    (1 / 64,) * 64,
)
SETS = (*itertools.product((20, 100, 400), NODES), (10**6, (0.002,)))


def _sum_of_tails(
    probability: Callable[[tuple[float, ...]], float] = min,
    number: Callable[[tuple[float, ...]], float] = len,
    rate: float = 1 / 12,
) -> Outcome:
    """T fixed nodes: the sum of the chances to be halved against ``t exp(-p m / 12)``."""
    ratio, words = [], []
    for m, p in SETS:
        total = sum(_at_most(m, q, 0.5) for q in p)
        allowed = number(p) * math.exp(-probability(p) * m * rate)
        ratio.append(total / max(allowed, 1e-300))
        words.append(f"{total:.3g}, bound {allowed:.3g}, m = {m}, {len(p)} nodes, p = {p[:3]}")
    return outcome("sets of nodes", np.array(ratio) <= 1, ratio, words.__getitem__)


def _spent_on_each() -> Outcome:
    """``exp(-m q_l / 12)`` against ``2^-(l+1) delta / |PATHS(l)|``, in logarithms."""
    off, words = [], []
    for n, depth, m, delta in itertools.product((1, 6, 30), (0, 1, 5), (10, 1000), (0.5, 0.01)):
        left = -m * reach_bound(n, depth, m, delta) / 12
        right = -(depth + 1) * math.log(2) + math.log(delta) - paths_log(n, depth)
        off.append(not math.isclose(left, right, rel_tol=1e-12))
        words.append(f"n = {n}, l = {depth}, m = {m}, delta = {delta}")
    return equality("n, l, m and delta", off, words.__getitem__)


# -- all paths at once: Lemma 12.4 -----------------------------------------------------------------


def _half(n: int, depth: int, m: int, delta: float) -> float:
    """q_l with 6 for 12."""
    return reach_bound(n, depth, m, delta) / 2


def _without_paths(n: int, depth: int, m: int, delta: float) -> float:
    return reach_bound(n, depth, m, delta) - 12 / m * paths_log(n, depth)


def _without_delta(n: int, depth: int, m: int, _: float) -> float:
    return 12 / m * paths_log(n, depth)


def _some_path_is_rare(q: Threshold = reach_bound, share: float = 0.5) -> Outcome:
    """The chance that a path with ``p > q_l`` has ``m_path <= m p / 2``, against delta.

    Of few bits, each 1 with the same probability, the chances of all paths of all lengths are
    added up. Of many independent bits, each 1 with a probability just above q_1, the chance that
    one of them is seen too rarely is exact.
    """
    cases: list[tuple[float, float, str]] = []
    for delta in (0.5, 0.05, 0.001):
        for n, m, bias in itertools.product((1, 3, 6), (40, 200, 1000), (0.5, 0.8, 0.97)):
            total = 0.0
            for ones, zeros in itertools.product(range(n + 1), repeat=2):
                p = bias**ones * (1 - bias) ** zeros
                if 0 < ones + zeros <= n and p > q(n, ones + zeros, m, delta):
                    number = math.comb(n, ones) * math.comb(n - ones, zeros)
                    total += number * _at_most(m, p, share)
            cases.append((total, delta, f"all paths of {n} bits, m = {m}, bias {bias}"))
        for n in (1, 10**6, 10**40):
            m = 20_000
            p = q(n, 1, m, delta) * (1 + 1e-9)
            chance = -math.expm1(n * math.log1p(-_at_most(m, p, share)))
            cases.append((chance, delta, f"{n:.0e} bits, each 1 with p = {p:.3g}, m = {m}"))
    ratio = np.array([chance / delta for chance, delta, _ in cases])

    def told(k: int) -> str:
        chance, delta, case = cases[k]
        return f"probability {chance:.3g}, delta = {delta}, {case}"

    return outcome("distributions, m and delta", ratio <= 1, ratio, told)


def _chosen_by_the_sample() -> Outcome:
    """V is the least seen of 2^d equally likely nodes, t = 1: how often it is halved."""
    ratio, words = [], []
    for d, delta in ((3, 0.5), (4, 0.5), (3, 0.25)):
        cells = 1 << d
        m = math.ceil(12 * math.log(1 / delta) * cells) + 1
        few = int(m / cells / 2)
        none = no_cell_has(m, cells, few)
        ratio.append((1 - none) / delta)
        words.append(
            f"probability {1 - none:.3g}, delta = {delta}: the least seen of {cells} nodes, m = {m}"
        )
    return outcome("depths and delta", np.array(ratio) <= 1, ratio, words.__getitem__)


def no_cell_has(m: int, cells: int, few: int) -> float:
    """The probability that each of so many equally likely cells gets more than ``few`` of m."""
    ways = np.zeros(m + 1)
    ways[0] = 1.0
    for used in range(cells):  # ways[k]: k examples in the cells so far, each with enough
        p = 1 / (cells - used)
        new = np.zeros(m + 1)
        for k in np.flatnonzero(ways):
            rest = m - int(k)
            enough = np.where(np.arange(rest + 1) > few, binomial(rest, p), 0)
            new[k : k + rest + 1] += ways[k] * enough
        ways = new
    return float(ways[m])


@claim(
    "MN-L12.4",
    MN,
    r"With probability at least $1 - \delta$, for every $\ell$, every path of at most $\ell$ "
    r"answers with $p > q_\ell = \frac{12}m (\ln|\mathrm{PATHS}(\ell)| + "
    r"\ln\frac{2^{\ell+1}}\delta)$ is seen more than $\frac12 m p$ times.",
    PAGE,
    repaired=True,
    note="The source takes the union over V, the nodes that the algorithm prunes, with "
    "p > 12 log(t/delta)/m. V depends on the sample; the union over all paths costs a "
    "logarithm and changes nothing in the theorem.",
)
def test_mn_l12_4(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "all paths of all lengths, product distributions",
                _some_path_is_rare,
                r"q_\ell = \frac{12}{m} \Bigl( \ln|\mathrm{PATHS}(\ell)| + \ln \frac{2^{\ell + 1}}"
                r"{\delta} \Bigr)",
                mutants=(
                    Form("6 for 12", partial(_some_path_is_rare, _half)),
                    Form("0.65 m p for m p/2", partial(_some_path_is_rare, share=0.65)),
                    Form("without ln |PATHS|", partial(_some_path_is_rare, _without_paths)),
                    Form("without ln(2^(l+1)/delta)", partial(_some_path_is_rare, _without_delta)),
                    Form("all paths", partial(_some_path_is_rare, lambda *_: 1e-4)),
                ),
            ),
        ),
        (Form("as printed, for a set V that the sample chooses", _chosen_by_the_sample),),
    )


@claim(
    "MN-12.10",
    MN,
    r"$\Pr[m_v \le (1 - \gamma)\, m p] \le e^{-m p \gamma^2 / 3}$ for a fixed node, even with "
    r"2 in place of 3.",
    PAGE,
)
def test_mn_12_10(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "with 3",
                partial(_lower_tails, 1 / 3),
                r"\Pr[m_\pi \le (1 - \gamma)\, m p_\pi] \le e^{-m p_\pi \gamma^2 / 3}",
                mutants=(
                    Form("with 1.8 for 3", partial(_lower_tails, 1 / 1.8)),
                    Form("gamma for gamma^2", partial(_lower_tails, 1 / 3, 1)),
                    Form("3/4 of it", partial(_lower_tails, 1 / 3, times=0.75)),
                ),
            ),
            Form(
                "with 2",
                partial(_lower_tails, 1 / 2),
                mutants=(
                    Form("with 1.8 for 2", partial(_lower_tails, 1 / 1.8)),
                    Form("3/4 of it, with 2", partial(_lower_tails, 1 / 2, times=0.75)),
                ),
            ),
        ),
        (Form("with 1", partial(_lower_tails, 1)),),
    )


@claim(
    "MN-12.11",
    MN,
    r"For $t$ fixed nodes with $p_v \ge p$, the probability that some $m_v \le \frac12 m p_v$ "
    r"is at most $t e^{-p m / 12}$, for $p = q_\ell$ and one path "
    r"$2^{-(\ell+1)} \delta / |\mathrm{PATHS}(\ell)|$.",
    PAGE,
    note="The source writes p_{v_i}, free of any quantifier; the lower bound is meant.",
)
def test_mn_12_11(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "p the least of them",
                _sum_of_tails,
                mutants=(
                    Form("6.3 for 12", partial(_sum_of_tails, rate=1 / 6.3)),
                    Form("without t", partial(_sum_of_tails, number=lambda _: 1)),
                    Form("0.7 t", partial(_sum_of_tails, number=lambda p: 0.7 * len(p))),
                    Form(
                        "p the mean of them",
                        partial(_sum_of_tails, lambda p: sum(p) / len(p)),
                    ),
                ),
            ),
            Form(
                "one path with p = q_l",
                _spent_on_each,
                r"e^{-m q_\ell/12} = 2^{-(\ell+1)}\,\delta / |\mathrm{PATHS}(\ell)|",
                kind="identity",
            ),
        ),
        (Form("p the largest of them", partial(_sum_of_tails, max)),),
    )
