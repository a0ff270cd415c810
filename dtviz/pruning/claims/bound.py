"""Chapter 6, pruning: the sum over all cuts, and the theorem that bounds it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np

from dtviz import pruning
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import MN
from dtviz.core.boolean import points
from dtviz.core.functions import caterpillar
from dtviz.core.optimal import optimal
from dtviz.core.topdown import build_top_down
from dtviz.pruning.claims.cases import DELTA, World, followed, pruned, worlds
from dtviz.pruning.claims.runs import (
    CONSTANTS,
    RUNS,
    Run,
    capped,
    capped_sum,
    over_runs,
    runs,
    same_in_runs,
)
from dtviz.pruning.node_counts import node_counts

__all__ = ["CLAIMS"]

PAGE = "6-pruning"
NODES = "nodes cut in runs"


# -- the sum over V: (12.12) to (12.18) ------------------------------------------------------------


def _parts(run: Run) -> float:
    terms = capped(run, run.bits)
    return float(terms[run.frequent].sum()) + float(terms[~run.frequent].sum())


def _rare(run: Run) -> float:
    return float(capped(run, run.bits)[~run.frequent].sum())


def _rare_bound(run: Run) -> float:
    t = run.nodes.size
    return 12 * t * math.log(t / DELTA) / run.m


def _small_nodes() -> Outcome:
    """Rare nodes under every number of examples that may come: ``min(1, sqrt(r/m_v)) p``."""
    ratio, words = [], []
    for t, m, m_v in itertools.product((1, 3, 10), (300, 3_000), (1, 2, 5, 20, 100)):
        threshold = 12 * math.log(t / DELTA) / m
        r = 2 * math.log(11) + math.log(22) + math.log(m / DELTA)
        for share in (0.1, 0.5, 1.0):
            p = share * threshold
            ratio.append(t * min(1, math.sqrt(r / m_v)) * p / (t * threshold))
            words.append(f"t = {t}, m = {m}, m_v = {m_v}, p = {p:.3g}")
    return outcome("rare nodes", np.array(ratio) <= 1 + 1e-12, ratio, words.__getitem__)


def _small_nodes_uncapped() -> Outcome:
    """The same without the minimum."""
    ratio, words = [], []
    for t, m, m_v in itertools.product((1, 3, 10), (300, 3_000), (1, 2, 5, 20, 100)):
        threshold = 12 * math.log(t / DELTA) / m
        r = 2 * math.log(11) + math.log(22) + math.log(m / DELTA)
        ratio.append(math.sqrt(r / m_v) * threshold / threshold)
        words.append(f"sqrt(r/m_v) = {ratio[-1]:.2f} at t = {t}, m = {m}, m_v = {m_v}")
    return outcome("rare nodes", np.array(ratio) <= 1 + 1e-12, ratio, words.__getitem__)


def _roots(run: Run) -> float:
    """The sum over V' with p_v."""
    here = run.frequent
    return float((np.sqrt(run.bits[here] / run.reach[here]) * run.p[here]).sum())


def _roots_doubled(run: Run) -> float:
    """The sum over V' with ``2 m_v / m`` for p_v."""
    here = run.frequent
    return float((np.sqrt(run.bits[here] / run.reach[here]) * 2 * run.reach[here] / run.m).sum())


def _products(run: Run) -> float:
    here = run.frequent
    return float(2 / run.m * (np.sqrt(run.bits[here]) * np.sqrt(run.reach[here])).sum())


def _cauchy(run: Run) -> float:
    here = run.frequent
    return 2 / run.m * math.sqrt(run.bits[here].sum() * run.reach[here].sum())


def _root_of_products(run: Run) -> float:
    here = run.frequent
    return 2 / run.m * math.sqrt((run.bits[here] * run.reach[here]).sum())


def _seen_half() -> Outcome:
    """``p_v < 2 m_v / m`` at every node of V'."""
    ratio, words = [], []
    for run in runs(*CONSTANTS):
        here = run.frequent
        ratio += (run.p[here] * run.m / (2 * run.reach[here])).tolist()
        words += [f"p = {p:.3g}, {run.describe()}" for p in run.p[here]]
    return outcome(NODES, np.array(ratio) < 1, ratio, words.__getitem__)


def _sum_of_bits(run: Run) -> float:
    return float(run.rough_bits.sum())


def _bits_bound(run: Run) -> float:
    logs = (1 + run.depth) * math.log(run.world.n) + math.log(run.m / DELTA)
    return run.inner * logs


def _pieces_are_disjoint() -> Outcome:
    """The internal nodes of the pieces cut are those of T_opt that T* lacks."""
    chosen = runs(*CONSTANTS)
    gap = [int(r.sizes.sum()) - (r.inner - (r.found.n_leaves - 1)) for r in chosen]
    return equality(RUNS, gap, lambda k: chosen[k].describe())


def _depths(run: Run) -> float:
    return float(run.reach.sum())


def _first_bound(run: Run) -> float:
    return 12 * math.log(run.inner / DELTA) * run.inner / run.m


def _second_bound(run: Run) -> float:
    return 2 / run.m * math.sqrt(_bits_bound(run) * run.m * run.depth)


# -- the theorem -----------------------------------------------------------------------------------


def _orders(*, at_most_m: bool) -> Outcome:
    """(12.18) over the expression inside the O of (12.19), never more than 12."""
    rng = np.random.default_rng(8)
    k = 20_000
    m = np.exp(rng.uniform(0, 20, k))
    s = np.exp(rng.uniform(0, 1, k) * (np.log(m) if at_most_m else 20))
    depth, n = np.floor(np.exp(rng.uniform(0, 6, k))), np.exp(rng.uniform(0, 9, k))
    delta = np.exp(-rng.uniform(0, 12, k))
    inside = (1 + depth) * np.log(n) + np.log(m / delta)
    sharp = 12 * np.log(s / delta) * s / m + 2 / m * np.sqrt(s * inside * m * depth)
    logs = np.log(s / delta) + depth * np.sqrt(np.log(n) + np.log(m / delta))
    rough = logs * np.sqrt(s / m)
    ratio = sharp / rough

    def told(j: int) -> str:
        return f"ratio {ratio[j]:.3g} at s = {s[j]:.3g}, depth {depth[j]:g}, m = {m[j]:.3g}"

    return outcome("s, depths, n, m and delta", ratio <= 12, ratio, told)


def _theorem(scale: Callable[[World], float]) -> Outcome:
    """The gap of T* with c = 2 in every world, within T_opt or not, against a bound."""
    values, words = [], []
    for world, found in zip(worlds(), pruned(2.0), strict=True):
        gap = (followed(world.truth, found.cut).errors - world.best.errors) / world.truth.m
        bound = scale(world)
        values.append(gap / bound)
        words.append(f"gap {gap:.3f}, bound {bound:.3f}, {found.n_leaves} leaves, {world.name}")
    return outcome(RUNS, np.array(values) <= 1, values, words.__getitem__)


def _root(world: World) -> float:
    return math.sqrt((world.best.n_leaves - 1) / world.m)


def _stated(world: World) -> float:
    s, depth = world.best.n_leaves - 1, world.best.tree().depth
    logs = math.sqrt(math.log(world.n) + math.log(world.m / DELTA))
    return (math.log(s / DELTA) + depth * logs) * _root(world)


def _spelled_out(world: World) -> float:
    """``(2 + c)`` times (12.18)."""
    s, depth, m = world.best.n_leaves - 1, world.best.tree().depth, world.m
    inside = (1 + depth) * math.log(world.n) + math.log(m / DELTA)
    return 4 * (12 * math.log(s / DELTA) * s / m + 2 / m * math.sqrt(s * inside * m * depth))


def _other_trees_are_better() -> Outcome:
    """Greedy trees with as many leaves as the target needs: each pruning errs, the optimum not."""
    errors, words = [], []
    for k in (1, 2, 3):
        f = caterpillar(k)
        leaves = optimal(f).n_leaves
        greedy = build_top_down(f, max_leaves=leaves).tree(leaves)
        counts = node_counts(greedy.bare(), points(f.n), f.table)
        least = int(pruning.SmallestPrunings(counts).front_errors[-1])
        errors.append(least / (1 << f.n))
        words.append(f"eps_opt = {errors[-1]:.4f} with {leaves} leaves for caterpillar({k})")
    return outcome("targets", np.array(errors) > 0, -np.array(errors), words.__getitem__)


CLAIMS = (
    Claim(
        "MN-12.12",
        MN,
        r"$\Delta = \sum_i \sqrt{r_{v_i}/m_{v_i}}\, p_{v_i}$ splits into the sums over the rare "
        r"nodes $V - V'$ and the frequent ones $V'$, $p_v > 12 \ln(t/\delta) / m$.",
        PAGE,
        (Form("in the runs", partial(same_in_runs, capped_sum, _parts)),),
    ),
    Claim(
        "MN-FIRST",
        MN,
        r"The sum over $V - V'$, with $\min(1, \sqrt{r_v/m_v})$ for the root, is at most "
        r"$12 t \ln(t/\delta) / m$.",
        PAGE,
        (
            Form("rare nodes, however few examples come", _small_nodes),
            Form("in the runs", partial(over_runs, _rare, _rare_bound, "sum over rare nodes")),
        ),
        (Form("as printed, sqrt(r/m_v) ≤ 1 without the minimum", _small_nodes_uncapped),),
        repaired=True,
        note="Where few examples come the root exceeds 1. Differences of errors do not, so the "
        "minimum may be put in from the start.",
    ),
    Claim(
        "MN-12.13",
        MN,
        r"Over $V'$, where $p_v < 2 \hat p_v = 2 m_v / m$: "
        r"$\sum \sqrt{r_v/m_v}\, p_v < \sum \sqrt{r_v/m_v}\, 2 m_v/m$.",
        PAGE,
        (
            Form("p_v < 2 m_v/m in the runs", _seen_half),
            Form("the sums", partial(over_runs, _roots, _roots_doubled, "sum over V'")),
        ),
    ),
    Claim(
        "MN-12.14",
        MN,
        r"The right side is $\frac2m \sum \sqrt{r_v} \sqrt{m_v}$.",
        PAGE,
        (Form("in the runs", partial(same_in_runs, _roots_doubled, _products)),),
    ),
    Claim(
        "MN-12.15",
        MN,
        r"By Cauchy and Schwarz that is at most $\frac2m \sqrt{\sum r_v \sum m_v}$.",
        PAGE,
        (Form("in the runs", partial(over_runs, _products, _cauchy, "sum of roots")),),
        (
            Form(
                "with the root of the sum of products",
                partial(over_runs, _products, _root_of_products, "sum of roots"),
            ),
        ),
    ),
    Claim(
        "MN-12.17",
        MN,
        r"$\sum r_v \le s_{\mathrm{opt}} ((1 + \ell_{\mathrm{opt}}) \ln n + \ln(m/\delta))$ with "
        r"$r_v$ of (12.16) and sizes counted in internal nodes: the pieces cut are disjoint.",
        PAGE,
        (
            Form("in the runs", partial(over_runs, _sum_of_bits, _bits_bound, "sum of r_v")),
            Form("the pieces are T_opt without T*", _pieces_are_disjoint),
        ),
        (
            Form(
                "as printed, sizes counted in nodes: the sizes of the pieces ≤ |T_opt|",
                partial(
                    over_runs,
                    lambda r: float((2 * r.sizes + 1).sum()),
                    lambda r: 2.0 * r.inner + 1,
                    "nodes of the pieces",
                ),
            ),
        ),
        repaired=True,
        note="Counted in nodes a piece's root comes again as a leaf of the piece above; the sum "
        "may exceed |T_opt|, though not 2 |T_opt|.",
    ),
    Claim(
        "MN-SUMM",
        MN,
        r"$\sum m_v \le m \ell_{\mathrm{opt}}$: at each of the $\ell_{\mathrm{opt}}$ levels with "
        r"internal nodes the examples are dealt to disjoint nodes.",
        PAGE,
        (
            Form(
                "in the runs",
                partial(over_runs, _depths, lambda r: float(r.m * r.depth), "sum of m_v"),
            ),
        ),
        (
            Form(
                "without the depth",
                partial(over_runs, _depths, lambda r: float(r.m), "sum of m_v"),
            ),
        ),
    ),
    Claim(
        "MN-12.18",
        MN,
        r"$\Delta < 12 \ln(s_{\mathrm{opt}}/\delta) \frac{s_{\mathrm{opt}}}m + \frac2m "
        r"\sqrt{s_{\mathrm{opt}} ((1 + \ell_{\mathrm{opt}}) \ln n + \ln(m/\delta))\, m "
        r"\ell_{\mathrm{opt}}}$.",
        PAGE,
        (
            Form(
                "in the runs, with (12.16) and min(1, .)",
                partial(
                    over_runs,
                    lambda r: float(capped(r, r.rough_bits).sum()),
                    lambda r: _first_bound(r) + _second_bound(r),
                    "Delta",
                    strict=True,
                ),
            ),
        ),
        note="For the r_v of (12.8) the logarithms of n become ln(8n) and ln(2n+1).",
    ),
    Claim(
        "MN-12.19",
        MN,
        r"For $1 \le s_{\mathrm{opt}} \le m$ and $\ell_{\mathrm{opt}} \ge 1$ that is at most 12 "
        r"times $(\ln(s_{\mathrm{opt}}/\delta) + \ell_{\mathrm{opt}} \sqrt{\ln n + \ln(m/\delta)}) "
        r"\sqrt{s_{\mathrm{opt}}/m}$.",
        PAGE,
        (Form("the ratio is at most 12", partial(_orders, at_most_m=True)),),
        (Form("for s_opt > m as well", partial(_orders, at_most_m=False)),),
    ),
    Claim(
        "MN-T12.5",
        MN,
        r"With probability at least $1 - 2\delta$, $\varepsilon(T^*) - \varepsilon_{\mathrm{opt}} "
        r"= O((\ln(s_{\mathrm{opt}}/\delta) + \ell_{\mathrm{opt}} \sqrt{\ln n + \ln(m/\delta)}) "
        r"\sqrt{s_{\mathrm{opt}}/m})$.",
        PAGE,
        (
            Form("with 1 for the constant of the O, c = 2", partial(_theorem, _stated)),
            Form("(2 + c) times (12.18), c = 2", partial(_theorem, _spelled_out)),
        ),
        (Form("sqrt(s_opt/m) alone", partial(_theorem, _root)),),
        note="The source says 1 - delta; Lemmas 12.2 and 12.4 spend a delta each, which a change "
        "of delta repairs. Some of these trees are cut to a leaf, at a loss of up to 0.4.",
    ),
    Claim(
        "MN-REMARK",
        MN,
        r"$\varepsilon_{\mathrm{opt}}$ is the error of the best pruning of $T$; other trees, not "
        r"prunings of $T$, may be better, above all if $T$ was grown greedily.",
        PAGE,
        (Form("greedy trees of caterpillars, k ≤ 3", _other_trees_are_better),),
    ),
    Claim(
        "MN-BIB",
        MN,
        r"The lecture follows Kearns and Mansour (1998), the bottom-up pruning algorithm with "
        r"near-optimal generalisation.",
        PAGE,
        note="The references inside the source have lost their numbers.",
    ),
)
