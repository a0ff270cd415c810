"""Chapter 6, pruning: the smallest prunings for every number of errors, and a choice among them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np

from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from claims.pruning.cases import TREES, all_prunings, describe, followed, rows, small_trees
from claims.pruning.printed import (
    AS_PRINTED,
    MENDED,
    MENDED_BY_MINIMA,
    Programme,
    prune,
    recurrence,
)
from claims.pruning.test_convergence import binomial
from dtviz import pruning
from dtviz.pruning.decisions import Pruning
from dtviz.pruning.node_counts import NodeCounts
from dtviz.pruning.smallest import SmallestPrunings

PAGE = "6-pruning"
PAIRS = "trees and numbers of errors d"


# -- the smallest prunings -------------------------------------------------------------------------


@cache
def _brute() -> tuple[tuple[NodeCounts, tuple[float, ...]], ...]:
    """Small trees with K_d in nodes for d = 0, .., errors of the root, over all prunings."""
    found = []
    for counts in small_trees():
        pairs = all_prunings(counts)
        sizes = [
            min((2 * leaves - 1 for wrong, leaves in pairs if wrong <= d), default=math.inf)
            for d in range(int(counts.errors[0]) + 1)
        ]
        found.append((counts, tuple(sizes)))
    return tuple(found)


@cache
def _smallest() -> tuple[SmallestPrunings, ...]:
    """What the package finds for the small trees."""
    return tuple(SmallestPrunings(counts) for counts in small_trees())


def _same_sizes(sizes: Callable[[NodeCounts, int], list[float]]) -> Outcome:
    """A procedure's sizes against brute force, for every d."""
    ok, size, words = [], [], []
    for counts, expected in _brute():
        found = sizes(counts, len(expected) - 1)
        for d, (ours, true) in enumerate(zip(found, expected, strict=True)):
            ok.append(ours == true)
            size.append(true if math.isfinite(true) else 0)
            words.append((d, ours, true, counts))

    def told(k: int) -> str:
        d, ours, true, counts = words[k]
        return f"{ours:g} nodes, brute force {true:g}, for d = {d}, {describe(counts)}"

    return outcome(PAIRS, ok, size, told, example=lambda k: words[k][3].given)


def _by_recurrence(
    counts: NodeCounts, most: int, *, first: int = 0, spared: int = 0, below: bool = False
) -> list[float]:
    found = recurrence(counts, first=first, spared=spared, below=below)
    return [2 * found(0, j) - 1 for j in range(most + 1)]


def _by_printed_recursion(counts: NodeCounts, most: int) -> list[float]:
    return [prune(counts, k, 1) for k in range(most + 1)]


def _by_package(counts: NodeCounts, most: int, more: int = 0) -> list[float]:
    sizes: list[float] = SmallestPrunings(counts).n_nodes.tolist()
    return [sizes[min(d + more, counts.m)] for d in range(most + 1)]


def _an_error_more(counts: NodeCounts, most: int) -> list[float]:
    return MENDED.sizes(counts, most + 1)[1:]


def _from_rows(times: int = 1, *, labelled: bool = False) -> Outcome:
    """The package's call on samples of rows with these counts, each row so often."""
    gap, names = [], []
    for counts, sizes in _brute()[:100]:
        X, y = rows(counts)
        none = np.zeros(counts.label.size, dtype=np.intp)
        tree = counts.given.labelled(none) if labelled else counts.given.bare()
        weight = np.full(len(y), times)
        found = pruning.smallest_prunings(tree, X, y, classes=[0, 1], sample_weight=weight)
        gap.append(found.n_nodes[: len(sizes)].tolist() != list(sizes))
        names.append(describe(counts))
    return equality(TREES, gap, names.__getitem__)


def _trees_attain(chosen: Callable[[SmallestPrunings, int], Pruning]) -> Outcome:
    """T_d has K_d leaves and at most d errors."""
    ok, errors, words, trees = [], [], [], []
    for (counts, sizes), found in zip(_brute(), _smallest(), strict=True):
        for d, nodes in enumerate(sizes):
            if math.isfinite(nodes):
                made = chosen(found, d)
                ok.append(2 * made.n_leaves - 1 == nodes and made.errors <= d)
                errors.append(made.errors - d)
                words.append(f"{made.errors} errors for d = {d}, {describe(counts)}")
                trees.append(made)
    return outcome(PAIRS, ok, errors, words.__getitem__, example=lambda k: trees[k].tree())


def _one_more(found: SmallestPrunings, d: int) -> Pruning:
    return found.pruning(d=d + 1)


def _last_splits_cut(found: SmallestPrunings, d: int) -> Pruning:
    """Another pruning with K_d leaves."""
    counts = found.counts
    inner = np.flatnonzero(counts.given.variable >= 0)
    cut = np.zeros(counts.label.size, dtype=bool)
    cut[inner[int(found.n_leaves[d]) - 1 :]] = True
    return followed(counts, cut)


def _one_less(found: SmallestPrunings, d: int) -> Pruning:
    return found.pruning(d=max(d - 1, int(found.front_errors[-1])))


# -- time ------------------------------------------------------------------------------------------


def _steps_of_programme(bound: Callable[[int, int], float]) -> Outcome:
    """Pairs (i, k - i) tried at the internal nodes, against a bound of k and their number."""
    ratio, words = [], []
    for counts, sizes in _brute():
        k, inner = len(sizes) - 1, counts.given.n_leaves - 1
        if k >= 1:
            _, steps = MENDED.run(counts, k)
            ratio.append(steps / bound(k, inner))
            words.append(f"{steps} steps for k = {k}, {describe(counts)}")
    return outcome(TREES, np.array(ratio) <= 1, ratio, words.__getitem__)


def _steps_by_sizes(bound: Callable[[int, int], float]) -> Outcome:
    """Sums of two entries of the package's tables, against a bound of the leaves and of m."""
    ratio, words = [], []
    for counts, times in itertools.product(small_trees(), (1, 1000)):
        tree = counts.given
        many = NodeCounts(tree, counts.classes, counts.counts * times, counts.label)
        tables = SmallestPrunings(many)._tables
        inner = np.flatnonzero(tree.variable >= 0).tolist()
        steps = sum(len(tables[tree.low[v]]) * len(tables[tree.high[v]]) for v in inner)
        ratio.append(steps / bound(tree.n_leaves, many.m))
        words.append(f"{steps} sums for {tree.n_leaves} leaves and m = {many.m}")
    return outcome("trees and multiples", np.array(ratio) <= 1, ratio, words.__getitem__)


def _steps_down(bound: Callable[[int, int, int], float]) -> Outcome:
    """Tests made to send a sample down, against a bound of m, the depth and the leaves."""
    ratio, words, trees = [], [], []
    for counts in small_trees():
        tree = counts.given
        tests = int(counts.reach[tree.variable >= 0].sum())
        ratio.append(tests / bound(counts.m, tree.depth, tree.n_leaves))
        words.append(f"{tests} tests for {counts.m} examples, depth {tree.depth}")
        trees.append(tree)
    return outcome(TREES, np.array(ratio) <= 1, ratio, words.__getitem__, example=trees.__getitem__)


# -- structural risk minimisation ------------------------------------------------------------------

Risk = Callable[[int, int, int, int], float]
"""From errors, leaves, the leaves of the whole tree, and m."""


def _risk(errors: int, leaves: int, _: int, m: int) -> float:
    return errors / m + math.sqrt(leaves / m)


@cache
def _choices(factor: float) -> tuple[tuple[NodeCounts, int, Pruning], ...]:
    """Trees, how often each example counts, and what `dt.srm_prune` chooses."""
    found = []
    for counts, times in itertools.product(small_trees()[:80], (1, 30, 1000)):
        X, y = rows(counts)
        weight = np.full(len(y), times)
        chosen = pruning.srm_prune(counts.given, X, y, factor=factor, sample_weight=weight)
        found.append((counts, times, chosen))
    return tuple(found)


def _srm_over_all_prunings(risk: Risk = _risk, factor: float = 1) -> Outcome:
    """The choice of `dt.srm_prune` against the least risk of all prunings, on weighted samples."""
    ok, slack, words, trees = [], [], [], []
    for counts, times, found in _choices(factor):
        m, whole = counts.m * times, counts.given.n_leaves
        pairs = [(wrong * times, leaves) for wrong, leaves in all_prunings(counts)]
        value = risk(found.errors, found.n_leaves, whole, m)
        best = min(risk(wrong, leaves, whole, m) for wrong, leaves in pairs)
        ok.append(value <= best + 1e-12)
        slack.append(value - best)
        words.append(
            f"{value:.4f} with {found.n_leaves} leaves, least {best:.4f}, for {times} times "
            f"{describe(counts)}"
        )
        trees.append(found)
    return outcome(
        "weighted samples",
        ok,
        slack,
        words.__getitem__,
        example=lambda k: trees[k].tree(),
    )


def _ln_8n(n: int) -> float:
    """Twice the package's factor."""
    return 2 * pruning.log_factor(n)


def _bounds_the_error(logs: Callable[[int], float], spent: float = 1.0) -> Outcome:
    """Labels by fair coins: the chance that the bound of the best tree of one test is below 1/2.

    Of n independent fair bits; the error of each test is a binomial number, so the chance is exact.
    """
    cases: list[tuple[float, float, str]] = []
    grid = itertools.product((20, 200, 1000), (1, 10**3, 10**9, 10**18), (0.5, 0.05, 0.001))
    for m, n, delta in grid:
        spread = math.sqrt((2 * logs(n) + spent * math.log(1 / delta)) / (2 * m))
        few = np.arange(m + 1) / m + spread < 0.5
        one = 2 * float(binomial(m, 0.5)[few].sum())
        chance = -math.expm1(n * math.log1p(-min(one, 1 - 1e-15)))
        cases.append((chance, delta, f"m = {m}, n = {n:.0e}"))
    ratio = np.array([chance / delta for chance, delta, _ in cases])

    def told(k: int) -> str:
        chance, delta, case = cases[k]
        return f"too low with probability {chance:.3g}, delta = {delta}, {case}"

    return outcome("fair coins to learn", ratio <= 1, ratio, told)


def _form(label: str, programme: Programme, mutants: tuple[Form, ...] = ()) -> Form:
    return Form(label, partial(_same_sizes, programme.sizes), mutants=mutants)


WITHOUT = {
    "the loop from 1": Programme(first=1, may_cut=True, at_most=True, right_index=True),
    "no node may become a leaf": Programme(first=0, may_cut=False, at_most=True, right_index=True),
    "leaves with exactly j errors": Programme(
        first=0, may_cut=True, at_most=False, right_index=True
    ),
    "the index I for k - I": Programme(first=0, may_cut=True, at_most=True, right_index=False),
}
"""The programme with one of its slips left as printed."""


@claim(
    "MN-PRUNE",
    MN,
    r"The smallest pruning with at most $k$ errors is a leaf if that errs at most $k$ times, "
    r"and else joins the smallest prunings of the children with $i$ and $k - i$ errors, "
    r"$i = 0, \dots, k$.",
    PAGE,
    repaired=True,
    note="With i from 1 the low child is never left without an error, and for k = 0 the loop "
    "is empty.",
)
def test_mn_prune(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "i = 0, .., k, against all prunings",
                partial(_same_sizes, _by_recurrence),
                r"s_v(j) = \begin{cases} 1 \quad \text{if } \mathrm{err}_v(\emptyset) \le j, "
                r"\text{ else} \\ \displaystyle \min_{0 \le i \le j} \bigl( s_{v_0}(i) + "
                r"s_{v_1}(j - i) \bigr). \end{cases}",
                mutants=(
                    Form(
                        "k - i - 1 errors on the high side",
                        partial(_same_sizes, partial(_by_recurrence, spared=1)),
                    ),
                    Form(
                        "a leaf if that errs less than k times",
                        partial(_same_sizes, partial(_by_recurrence, below=True)),
                    ),
                ),
            ),
            Form(
                "by the fewest errors for each size",
                partial(_same_sizes, _by_package),
                mutants=(
                    Form("K_(d+1) for K_d", partial(_same_sizes, partial(_by_package, more=1))),
                ),
            ),
            Form(
                "its trees attain K_d",
                partial(_trees_attain, lambda found, d: found.pruning(d=d)),
                mutants=(
                    Form("T_(d+1) for T_d", partial(_trees_attain, _one_more)),
                    Form("T_(d-1) for T_d", partial(_trees_attain, _one_less)),
                    Form("any pruning of that size", partial(_trees_attain, _last_splits_cut)),
                ),
            ),
            Form(
                "dt.smallest_prunings",
                _from_rows,
                mutants=(
                    Form("every example twice", partial(_from_rows, 2)),
                    Form("leaves labelled 0", partial(_from_rows, labelled=True)),
                ),
            ),
        ),
        (Form("as printed, i = 1, .., k", partial(_same_sizes, _by_printed_recursion)),),
    )


@claim(
    "MN-DP",
    MN,
    r"From the leaves up, with $s_j(v)$ the size of the smallest pruning at $v$ with at most "
    r"$j$ errors: $s_j = 1$ if $v$ as a leaf errs at most $j$ times, else "
    r"$s_j = 1 + \min_{0 \le i \le j} (s_i^0 + s_{j-i}^1)$.",
    PAGE,
    repaired=True,
    note="Four slips, each enough to spoil it: the loop starts at 1; no node may become a "
    "leaf; a leaf's entry stands for exactly l errors where the recursion means at most; the "
    "second index is I where k - I is meant.",
)
def test_mn_dp(trial: Trial) -> None:
    trial.run(
        (
            _form(
                "against all prunings",
                MENDED,
                (
                    *(_form(name, programme) for name, programme in WITHOUT.items()),
                    Form("with an error more", partial(_same_sizes, _an_error_more)),
                ),
            ),
            _form(
                "with exact numbers of errors, and minima over j at the end",
                MENDED_BY_MINIMA,
                (
                    _form("exact numbers, the loop from 1", replace(MENDED_BY_MINIMA, first=1)),
                    _form("exact numbers without minima", replace(MENDED_BY_MINIMA, minima=False)),
                    _form("exact numbers, no cut", replace(MENDED_BY_MINIMA, may_cut=False)),
                ),
            ),
        ),
        (
            _form("as printed", AS_PRINTED),
            _form(
                "only the index mended",
                Programme(first=1, may_cut=False, at_most=False, right_index=True),
            ),
        ),
    )


@claim(
    "MN-DPTIME",
    MN,
    r"For $k \ge 1$ the programme takes at most $3 k^2$ steps at each internal node, so "
    r"$O(k^2 |T|)$, and $O(m \cdot \mathrm{depth}(T))$ to send the sample down: together "
    r"$O(m^2 |T|)$. By sizes in place of errors it takes one step for each pair of leaves at "
    r"most, whatever $m$.",
    PAGE,
)
def test_mn_dptime(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "steps of the programme ≤ 3 k^2 at each internal node",
                partial(_steps_of_programme, lambda k, inner: 3 * k * k * inner),
                mutants=(
                    Form(
                        "≤ 2.9 k^2",
                        partial(_steps_of_programme, lambda k, inner: 2.9 * k * k * inner),
                    ),
                    Form(
                        "≤ k^2/2 + 2 k",
                        partial(_steps_of_programme, lambda k, inner: (k * k / 2 + 2 * k) * inner),
                    ),
                    Form("≤ 3 k", partial(_steps_of_programme, lambda k, inner: 3 * k * inner)),
                    Form("≤ 3 k^2 in all", partial(_steps_of_programme, lambda k, _: 3 * k * k)),
                ),
            ),
            Form(
                "tests ≤ m depth(T)",
                partial(_steps_down, lambda m, depth, _: m * depth),
                mutants=(
                    Form(
                        "≤ 0.95 m depth",
                        partial(_steps_down, lambda m, depth, _: 0.95 * m * depth),
                    ),
                    Form(
                        "≤ m log2(leaves)",
                        partial(_steps_down, lambda m, _, leaves: m * math.log2(leaves)),
                    ),
                ),
            ),
            Form(
                "sums by sizes ≤ pairs of leaves",
                partial(_steps_by_sizes, lambda leaves, _: math.comb(leaves, 2)),
                mutants=(
                    Form(
                        "≤ 0.9 of the pairs",
                        partial(_steps_by_sizes, lambda leaves, _: 0.9 * math.comb(leaves, 2)),
                    ),
                    Form("≤ 2 leaves", partial(_steps_by_sizes, lambda leaves, _: 2.0 * leaves)),
                ),
            ),
        )
    )


@claim(
    "MN-SRM",
    MN,
    r"Structural risk minimisation chooses $T^* = T_{d^*}$ with $d^*$ minimising "
    r"$d/m + \sqrt{K_d/m}$, where $K_d = |T_d|$. For a bound on the true error $K_d$ needs a "
    r"logarithmic factor.",
    PAGE,
    repaired=True,
    note="The source writes T* = argmin_d, and calls k_d the size of the T. Sizes are leaves "
    "here, nodes there.",
)
def test_mn_srm(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.srm_prune, the least over all prunings",
                _srm_over_all_prunings,
                r"d^* &= \arg\min_d \Bigl\{ \frac{\mathrm{err}_S(T_d)}{m} + \sqrt{\frac{K_d}{m}} "
                r"\Bigr\}",
                mutants=(
                    Form("with the factor 1.2", partial(_srm_over_all_prunings, factor=1.2)),
                    Form("with the factor 0.8", partial(_srm_over_all_prunings, factor=0.8)),
                    Form(
                        "K_d in nodes",
                        partial(
                            _srm_over_all_prunings,
                            lambda wrong, s, whole, m: _risk(wrong, 2 * s - 1, whole, m),
                        ),
                    ),
                    Form(
                        "K_d/m without the root",
                        partial(_srm_over_all_prunings, lambda wrong, s, _, m: (wrong + s) / m),
                    ),
                ),
            ),
            Form(
                "with ln(8n) the bound covers an error of 1/2",
                partial(_bounds_the_error, _ln_8n),
                r"\sqrt{(k \ln(8n) + \ln(1/\delta))/(2m)}",
                mutants=(
                    Form(
                        "0.4 ln(8n)",
                        partial(_bounds_the_error, lambda n: 0.4 * _ln_8n(n)),
                    ),
                    Form("1 for ln(8n)", partial(_bounds_the_error, lambda _: 1.0)),
                    Form(
                        "without ln(1/delta)",
                        partial(_bounds_the_error, _ln_8n, 0.0),
                    ),
                ),
            ),
        ),
        (
            Form(
                "as printed, k_d the size of the T",
                partial(
                    _srm_over_all_prunings, lambda wrong, _, whole, m: _risk(wrong, whole, whole, m)
                ),
            ),
            Form(
                "without the factor the penalty covers it too",
                partial(_bounds_the_error, lambda _: 1.0, 0.0),
            ),
        ),
    )
