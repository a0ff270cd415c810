"""Chapter 6, pruning: the sum over all cuts, step by step as in the proof of Theorem 12.5.

Likely nodes are V', those of V with ``p_v > q_l``; the others are rare. The extreme worlds have
rare nodes that come up all but as often as that, hardly seen, and likely ones seen half as often as
they should be: what Lemma 12.4 allows, and no more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from claims.pruning.runs import NODES, RUNS, Run, over_runs, runs, same_in_runs

__all__ = ["displayed"]

PAGE = "6-pruning"
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Threshold = Callable[[Run], float]


# -- rare nodes: (12.12), and the first sum --------------------------------------------------------


def _q(run: Run) -> float:
    """q_l, the threshold between rare and likely nodes."""
    return run.q


def _threshold_of_source(run: Run) -> float:
    """``12 ln(t/delta) / m``, which a sample that chooses V may pass."""
    return 12 * (math.log(max(run.nodes.size, 1)) - math.log(run.world.delta)) / run.m


def _parts(run: Run) -> float:
    terms = run.terms
    return float(terms[run.likely].sum()) + float(terms[~run.likely].sum())


def _rare(run: Run, p: Callable[[Run], Floats] = lambda run: run.p) -> float:
    """The sum of ``min(1, (2 + c) sqrt(r_v / m_v)) p_v`` over the rare nodes."""
    return float((run.terms / run.p * p(run))[~run.likely].sum())


def _rare_uncapped(run: Run) -> float:
    here = (2 + run.c) * np.sqrt(run.bits / run.reach) * run.p
    return float(here[~run.likely].sum())


def _noise(run: Run) -> Floats:
    return np.random.default_rng(run.nodes.size).random(run.nodes.size)


def _has_rare(run: Run) -> bool:
    return not run.likely.all()


def _first(left: Callable[[Run], float], right: Callable[[Run], float]) -> Callable[[], Outcome]:
    return partial(over_runs, left, right, "sum over rare nodes", of=_has_rare)


# -- likely nodes: (12.13) to (12.17) --------------------------------------------------------------


def _seen_half(factor: float = 2.0, least: Threshold = _q) -> Outcome:
    """``p_v < 2 m_v / m`` at every node of V with ``p_v`` above a threshold."""
    ratio, words = [], []
    for run in runs():
        here = run.p > least(run)
        ratio += (run.p[here] * run.m / (factor * run.reach[here])).tolist()
        words += [f"p = {p:.3g}, {run.describe()}" for p in run.p[here]]
    return outcome(NODES, np.array(ratio) < 1, ratio, words.__getitem__)


def _likely(run: Run) -> Bools:
    return run.likely


def _rarely(run: Run) -> Bools:
    return np.asarray(~run.likely)


def _roots(run: Run, of: Callable[[Run], Bools] = _likely) -> float:
    """The sum over V' with p_v."""
    here = of(run)
    return float((np.sqrt(run.bits[here] / run.reach[here]) * run.p[here]).sum())


def _products(run: Run, factor: float = 2.0, of: Callable[[Run], Bools] = _likely) -> float:
    """The sum over V' with ``2 m_v / m`` for p_v, ``(2/m) sum sqrt(r_v) sqrt(m_v)``."""
    here = of(run)
    return float(factor / run.m * (np.sqrt(run.bits[here]) * np.sqrt(run.reach[here])).sum())


def _doubled(run: Run) -> float:
    """The same, before the fraction is reduced."""
    here = run.likely
    return float((np.sqrt(run.bits[here] / run.reach[here]) * 2 * run.reach[here] / run.m).sum())


def _seen(left: Callable[[Run], float], right: Callable[[Run], float]) -> Callable[[], Outcome]:
    return partial(over_runs, left, right, "sum over V'", of=lambda run: bool(run.likely.any()))


def _cauchy(run: Run, times: float = 1.0) -> float:
    here = run.likely
    return times * 2 / run.m * math.sqrt(run.bits[here].sum() * float(run.reach[here].sum()))


def _root_of_products(run: Run) -> float:
    here = run.likely
    return 2 / run.m * math.sqrt((run.bits[here] * run.reach[here]).sum())


def _of_means(run: Run) -> float:
    """With the largest m_v for their sum."""
    here = run.likely
    return 2 / run.m * math.sqrt(run.bits[here].sum() * float(run.reach[here].max()))


def _later_bits(run: Run, rest: float = 1.0) -> float:
    """R of Theorem 12.5, or with another multiple of its last term."""
    paths = run.depth * math.log(2 * run.n + 1)
    return paths + 2 * math.log(8 * run.n) + rest * run.rest


def _sum_of_bits(run: Run) -> float:
    return float(run.bits[run.likely].sum())


def _sum_of_sizes(run: Run) -> float:
    return float(run.sizes.sum())


def _pieces(inside: Callable[[Run], npt.NDArray[np.intp]]) -> Outcome:
    """The internal nodes of the pieces cut are those of T_opt that T* lacks."""
    chosen = runs()
    gap = [int(inside(r).sum()) - (r.inner - (r.found.n_leaves - 1)) for r in chosen]
    return equality(RUNS, gap, lambda k: chosen[k].describe())


def _sizes_given(run: Run) -> npt.NDArray[np.intp]:
    """Internal nodes of the subtrees of T_opt, not of what is left of them."""
    sample = run.world.sample
    leaves = run.best.kept & (run.best.cut | (sample.given.variable < 0))
    return np.asarray(sample.over_subtrees(leaves)[run.nodes] - 1)


def _sum_of_reach(run: Run) -> float:
    return float(run.reach[run.likely].sum())


# -- together: (12.18) -----------------------------------------------------------------------------


def displayed(
    run: Run,
    times: float = 1.0,
    *,
    extra: float = 2.0,
    rest: float = 1.0,
    levels: Callable[[int], float] = float,
) -> float:
    """The bound of Theorem 12.5, ``s q_l + 2 (2 + c) sqrt(s l R / m)``, or a variant of it."""
    root = math.sqrt(run.inner * levels(run.depth) / run.m * _later_bits(run, rest=rest))
    return run.inner * run.q + times * 2 * (extra + run.c) * root


def _together(bound: Callable[[Run], float]) -> Callable[[], Outcome]:
    return partial(
        over_runs,
        lambda run: float(run.terms.sum()),
        bound,
        "sum of all terms",
        of=lambda run: run.nodes.size > 0 and displayed(run) < 1,
    )


@claim(
    "MN-12.12",
    MN,
    r"$\sum_i \min(1, (2 + c) \sqrt{r_{v_i}/m_{v_i}})\, p_{v_i}$ splits into the sums over the "
    r"rare nodes $V - V'$ and the likely ones, $V' = \{v \in V : p_v > q_\ell\}$.",
    PAGE,
    note="The source has 12 ln(t/delta)/m for the threshold, which MN-L12.4 does not bear "
    "out: V depends on the sample.",
)
def test_mn_12_12(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "in the runs",
                partial(same_in_runs, lambda run: float(run.terms.sum()), _parts),
                r"V' = \{v \in V : p_v > q_\ell\}",
                kind="definition",
            ),
        )
    )


@claim(
    "MN-FIRST",
    MN,
    r"The sum over $V - V'$ of $\min(1, (2 + c) \sqrt{r_v/m_v})\, p_v$ is at most "
    r"$s\,q_\ell$, if $T_{\mathrm{opt}}$ has $s$ internal nodes.",
    PAGE,
    repaired=True,
    note="Where few examples come the root exceeds 1. Differences of errors do not, so the "
    "minimum may be put in from the start; with it the bound holds whatever r_v and m_v are.",
)
def test_mn_first(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "at most s q_l",
                _first(_rare, lambda run: run.inner * run.q),
                r"\sum_{p_v \le q_\ell} \min\Bigl(1,\, (2 + c) \sqrt{\frac{r_v}{m_v}}\Bigr)\, p_v "
                r"\le s\,q_\ell",
                mutants=(
                    Form("at most 0.9 s q_l", _first(_rare, lambda run: 0.9 * run.inner * run.q)),
                    Form("at most sqrt(s) q_l", _first(_rare, lambda r: r.inner**0.5 * r.q)),
                    Form(
                        "ln t for ln |PATHS|, as printed",
                        _first(_rare, lambda run: run.inner * _threshold_of_source(run)),
                    ),
                    Form(
                        "random numbers for p_v",
                        _first(partial(_rare, p=_noise), lambda run: run.inner * run.q),
                    ),
                ),
            ),
        ),
        (
            Form(
                "as printed, sqrt(r/m_v) ≤ 1 without the minimum",
                _first(_rare_uncapped, lambda run: run.inner * run.q),
            ),
        ),
    )


@claim(
    "MN-12.13",
    MN,
    r"Over $V'$, where $p_v < 2 \hat p_v = 2 m_v / m$: "
    r"$\sum \sqrt{r_v/m_v}\, p_v \le \sum \sqrt{r_v/m_v}\, 2 m_v/m$.",
    PAGE,
)
def test_mn_12_13(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "p_v < 2 m_v/m on V'",
                _seen_half,
                r"p_v < 2 m_v / m",
                mutants=(
                    Form("p_v < 1.99 m_v/m", partial(_seen_half, 1.99)),
                    Form("on all of V", partial(_seen_half, least=lambda _: 0.0)),
                    Form(
                        "above 12 ln(t/delta)/m, as printed",
                        partial(_seen_half, least=_threshold_of_source),
                    ),
                ),
            ),
            Form(
                "the sums",
                _seen(_roots, _products),
                r"\sum_{v \in V'} \sqrt{\frac{r_v}{m_v}}\; p_v &\le \frac2m \sum_{v \in V'} "
                r"\sqrt{r_v}\,\sqrt{m_v}",
                mutants=(
                    Form("1.99 for 2", _seen(_roots, partial(_products, factor=1.99))),
                    Form(
                        "over the rare nodes",
                        _first(partial(_roots, of=_rarely), partial(_products, of=_rarely)),
                    ),
                ),
            ),
        )
    )


@claim(
    "MN-12.14",
    MN,
    r"$\sum \sqrt{r_v/m_v}\, 2 m_v/m = \frac2m \sum \sqrt{r_v} \sqrt{m_v}$.",
    PAGE,
)
def test_mn_12_14(trial: Trial) -> None:
    trial.run((Form("in the runs", partial(same_in_runs, _doubled, _products), kind="identity"),))


@claim(
    "MN-12.15",
    MN,
    r"By Cauchy and Schwarz that is at most $\frac2m \sqrt{\sum r_v} \sqrt{\sum m_v}$.",
    PAGE,
    note="True of any numbers; nearly an equality where one node is cut, or many alike.",
)
def test_mn_12_15(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "in the runs",
                _seen(_products, _cauchy),
                r"\frac2m \sum_{v \in V'} \sqrt{r_v}\,\sqrt{m_v} \le \frac2m "
                r"\sqrt{\sum_{v \in V'} r_v}\, \sqrt{\sum_{v \in V'} m_v}",
                mutants=(
                    Form("times 0.99", _seen(_products, partial(_cauchy, times=0.99))),
                    Form("the largest m_v for their sum", _seen(_products, _of_means)),
                ),
            ),
        ),
        (Form("with the root of the sum of products", _seen(_products, _root_of_products)),),
    )


@claim(
    "MN-12.17",
    MN,
    r"$\sum r_v \le s\,(\ell \ln(2n+1) + 2 \ln(8n) + \ln(m/\delta))$ for the $s$ internal "
    r"nodes of $T_{\mathrm{opt}}$ and its depth $\ell$: the pieces cut are disjoint, so "
    r"$\sum s_v \le s + t \le 2s$.",
    PAGE,
    repaired=True,
    note="Counted in nodes a piece's root comes again as a leaf of the piece above; the sum "
    "may exceed |T_opt|, though not 2 |T_opt|.",
)
def test_mn_12_17(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the sum of r_v",
                partial(
                    over_runs, _sum_of_bits, lambda run: run.inner * _later_bits(run), "sum of r_v"
                ),
                r"\sum_{v \in V'} r_v \le s\, \Bigl( & \ell \ln(2n+1) \\ &+ 2 \ln (8n) + \ln "
                r"\frac m\delta \Bigr)",
                mutants=(
                    Form(
                        "0.98 ln(m/delta)",
                        partial(
                            over_runs,
                            _sum_of_bits,
                            lambda run: run.inner * _later_bits(run, rest=0.98),
                            "sum of r_v",
                        ),
                    ),
                    Form(
                        "without s",
                        partial(over_runs, _sum_of_bits, _later_bits, "sum of r_v"),
                    ),
                    Form(
                        "s - 1 for s",
                        partial(
                            over_runs,
                            _sum_of_bits,
                            lambda run: (run.inner - 1) * _later_bits(run),
                            "sum of r_v",
                        ),
                    ),
                ),
            ),
            Form(
                "the sum of s_v",
                partial(
                    over_runs,
                    _sum_of_sizes,
                    lambda run: float(run.inner + run.nodes.size),
                    "leaves of the pieces",
                ),
                r"\sum s_v \le s + t",
                mutants=(
                    Form(
                        "at most s",
                        partial(
                            over_runs,
                            _sum_of_sizes,
                            lambda run: float(run.inner),
                            "leaves of the pieces",
                        ),
                    ),
                    Form(
                        "at most s + t - 1",
                        partial(
                            over_runs,
                            _sum_of_sizes,
                            lambda run: float(run.inner + run.nodes.size - 1),
                            "leaves of the pieces",
                        ),
                    ),
                ),
            ),
            Form(
                "the pieces are T_opt without T*",
                partial(_pieces, lambda run: run.sizes - 1),
                mutants=(
                    Form("counted in leaves", partial(_pieces, lambda run: run.sizes)),
                    Form("of the subtrees of T_opt", partial(_pieces, _sizes_given)),
                ),
            ),
        ),
        (
            Form(
                "as printed, sizes counted in nodes: the sizes of the pieces ≤ |T_opt|",
                partial(
                    over_runs,
                    lambda r: float((2 * r.sizes - 1).sum()),
                    lambda r: 2.0 * r.inner + 1,
                    "nodes of the pieces",
                ),
            ),
        ),
    )


@claim(
    "MN-SUMM",
    MN,
    r"$\sum m_v \le m\,\ell$ over $V'$: at each of the $\ell$ levels with internal nodes the "
    r"examples are dealt to disjoint nodes.",
    PAGE,
)
def test_mn_summ(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "in the runs",
                _seen(_sum_of_reach, lambda run: float(run.m * run.depth)),
                r"\sum m_v \le m\,\ell",
                mutants=(
                    Form(
                        "one level less",
                        _seen(_sum_of_reach, lambda run: float(run.m * (run.depth - 1))),
                    ),
                    Form("0.99 m l", _seen(_sum_of_reach, lambda run: 0.99 * run.m * run.depth)),
                    Form("sqrt(l)", _seen(_sum_of_reach, lambda run: run.m * run.depth**0.5)),
                ),
            ),
        ),
        (Form("without the depth", _seen(_sum_of_reach, lambda run: float(run.m))),),
    )


@claim(
    "MN-12.18",
    MN,
    r"$\sum_i \min(1, (2 + c) \sqrt{r_{v_i}/m_{v_i}})\, p_{v_i} \le s\,q_\ell + 2\,(2 + c) "
    r"\sqrt{\frac{s\,\ell}{m} R}$ with $R = \ell \ln(2n+1) + 2 \ln(8n) + \ln(m/\delta)$.",
    PAGE,
    note="The source's logarithms are without the constants, and its first sum without paths. "
    "Where the bound is below 1 its first term is less than half of the second, so that no "
    "case tells whether it is needed. That sqrt(2) will do is this book's remark.",
)
def test_mn_12_18(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "in the runs",
                _together(displayed),
                r"s\, q_\ell \\ &+ 2\,(2 + c)\, \sqrt{\frac{s\,\ell}{m}\, R}",
                mutants=(
                    Form("0.6 of the second term", _together(partial(displayed, times=0.6))),
                    Form("sqrt(s R / m)", _together(partial(displayed, levels=lambda _: 1.0))),
                    Form("sqrt(l) for l", _together(partial(displayed, levels=math.sqrt))),
                    Form("without ln(m/delta)", _together(partial(displayed, rest=0.0))),
                    Form("the first term alone", _together(partial(displayed, times=0.0))),
                ),
            ),
            Form(
                "sqrt(2) for 2",
                _together(partial(displayed, times=1 / math.sqrt(2))),
                mutants=(Form("1.28 for 2", _together(partial(displayed, times=0.64))),),
            ),
        )
    )
