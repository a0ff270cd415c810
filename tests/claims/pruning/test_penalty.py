"""Chapter 6, pruning: the bottom-up algorithm and its penalty."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from claims.pruning.cases import DELTA, TREES, all_prunings, describe, rows, small_trees
from claims.pruning.extremes import Logs, exact_logs
from claims.pruning.test_analysis import keeps_what_is_better
from claims.pruning.test_counting import paths_listed, trees_listed
from dtviz import pruning
from dtviz.pruning.bottom_up import PenaltyRule
from dtviz.pruning.decisions import Pruning, bottom_up
from dtviz.pruning.node_counts import NodeCounts
from dtviz.pruning.penalty import FiniteTests

PAGE = "6-pruning"
CONSTANTS = (0.1, 0.2, 0.3)
"""Small enough for small trees to keep something."""
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


# -- one pass --------------------------------------------------------------------------------------


@dataclass
class _Watched:
    """A rule that notes on which nodes it decides, in which order, and the sizes it is told."""

    rule: PenaltyRule
    nodes: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def __call__(self, v: Ints, size: Ints, wrong: Ints) -> tuple[Bools, Floats]:
        self.nodes += v.tolist()
        self.sizes += size.tolist()
        return self.rule.decide(0.2, v, size, wrong)


Pass = Callable[[NodeCounts, _Watched], Pruning]


def _by_package(counts: NodeCounts, rule: _Watched) -> Pruning:
    """The package's pass, looked up when it is asked for."""
    return bottom_up(counts, rule)


def _all_at_once(counts: NodeCounts, rule: _Watched) -> Pruning:
    """Decide everywhere on the subtrees given."""
    inner = np.flatnonzero(counts.given.variable >= 0)[::-1]
    cut = np.zeros(counts.label.size, dtype=bool)
    cut[inner] = rule(inner, counts.given.leaves_below[inner], counts.subtree_errors[inner])[0]
    return bottom_up(counts, lambda v, *_: (cut[v], np.zeros(v.size)))


def _told_stumps(counts: NodeCounts, rule: _Watched) -> Pruning:
    """Each subtree is judged as one of two leaves."""
    return bottom_up(counts, lambda v, size, wrong: rule(v, np.full_like(size, 2), wrong))


def _parents_first(counts: NodeCounts, rule: _Watched) -> Pruning:
    """The decisions of the pass, told from the root down."""
    found = bottom_up(counts, rule)
    rule.nodes.reverse()
    rule.sizes.reverse()
    return found


def _twice(counts: NodeCounts, rule: _Watched) -> Pruning:
    """A second pass over what the first left."""
    bottom_up(counts, rule)
    return bottom_up(counts, rule)


def _kept_only(counts: NodeCounts, rule: _Watched) -> Pruning:
    """Without the decisions below a cut."""
    found = bottom_up(counts, rule)
    kept = [(v, size) for v, size in zip(rule.nodes, rule.sizes, strict=True) if found.kept[v]]
    rule.nodes, rule.sizes = [v for v, _ in kept], [size for _, size in kept]
    return found


def _one_pass(once: Pass = _by_package) -> Outcome:
    """Every internal node is decided on once, after all nodes below it, on what is left of them."""
    ok, words, trees = [], [], []
    for counts in small_trees():
        tree = counts.given
        watched = _Watched(_rule(counts))
        cut = once(counts, watched).cut
        order = {v: k for k, v in enumerate(watched.nodes)}
        told = dict(zip(watched.nodes, watched.sizes, strict=True))
        good = sorted(watched.nodes) == np.flatnonzero(tree.variable >= 0).tolist()
        for v, size in told.items():
            children = int(tree.low[v]), int(tree.high[v])
            good &= all(order.get(child, -1) < order[v] for child in children)
            good &= size == sum(1 if cut[c] else told.get(c, 1) for c in children)
        ok.append(good)
        words.append(f"{len(order)} decisions for {describe(counts)}")
        trees.append(tree)
    leaves = [tree.n_leaves for tree in trees]
    return outcome(TREES, ok, leaves, words.__getitem__, example=trees.__getitem__)


def _rule(counts: NodeCounts) -> PenaltyRule:
    tests = FiniteTests.of(counts.given.depth, counts)
    return PenaltyRule(counts, tests, -math.log(DELTA), over_c=True)


def _without_penalty(c: float = 1e-9) -> Outcome:
    """With c near 0 only what does not help is cut: the fewest errors of all prunings."""
    gap, words = [], []
    for counts in small_trees():
        gap.append(_rule(counts).prune(0, c).errors - min(all_prunings(counts))[0])
        words.append(describe(counts))
    return equality(TREES, gap, words.__getitem__)


# -- the rule --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rule:
    """(12.1) node after node, with exact counts of paths and trees; and how it may be spoilt.

    ``spread`` gives the penalty for c = 1 from r_v without ``ln m``, m and m_v; ``original`` judges
    the subtree given, and ``joined`` tells the number of errors of two sides.
    """

    logs: Logs = exact_logs
    spread: Callable[[float, int, int], float] = lambda bits, m, reach: math.sqrt(
        (bits + math.log(m)) / reach
    )
    original: bool = False
    joined: Callable[[int, int], int] = lambda low, high: low + high

    def cuts(self, counts: NodeCounts, c: float) -> list[int]:
        """The nodes that are cut."""
        tree, n, m = counts.given, counts.given.depth, counts.m
        depth, below = tree.node_depth.tolist(), tree.leaves_below.tolist()
        left: dict[int, tuple[int, int]] = {}
        cut: list[int] = []
        for v in reversed(range(tree.n_nodes)):
            leaf, reach = int(counts.errors[v]), int(counts.reach[v])
            left[v] = 1, leaf
            if tree.variable[v] < 0:
                continue
            low, high = left[int(tree.low[v])], left[int(tree.high[v])]
            size, wrong = low[0] + high[0], self.joined(low[1], high[1])
            if self.original:
                size, wrong = below[v], int(counts.subtree_errors[v])
            bits = self.logs(n, depth[v], size) - math.log(DELTA)
            if reach == 0 or wrong / reach + c * self.spread(bits, m, reach) >= leaf / reach:
                cut.append(v)
            else:
                left[v] = size, wrong
        return sorted(cut)


TRUE = _Rule()
SPOILT = {
    "with the subtree given for T*_v": _Rule(original=True),
    "ln(1/delta) for ln(m/delta)": _Rule(spread=lambda bits, _, reach: math.sqrt(bits / reach)),
    "m for m_v": _Rule(spread=lambda bits, m, _: math.sqrt((bits + math.log(m)) / m)),
    "without the root": _Rule(spread=lambda bits, m, reach: (bits + math.log(m)) / reach),
    "s_v counted in nodes": _Rule(lambda n, level, s: exact_logs(n, level, 2 * s - 1)),
    "without ln |PATHS|": _Rule(lambda n, _, s: exact_logs(n, 0, s)),
    "errors of the low side alone": _Rule(joined=lambda low, _: low),
}


@cache
def _cuts() -> tuple[tuple[NodeCounts, float, list[int]], ...]:
    """Trees, constants, and the nodes that the package cuts."""
    return tuple(
        (counts, c, np.flatnonzero(_rule(counts).prune(0, c).cut).tolist())
        for counts, c in itertools.product(small_trees()[:100], CONSTANTS)
    )


def _rule_is_followed(rule: _Rule) -> Outcome:
    ok, words, trees = [], [], []
    for counts, c, found in _cuts():
        expected = rule.cuts(counts, c)
        ok.append(found == expected)
        words.append(f"nodes {found} cut, by the rule {expected}, c = {c}, {describe(counts)}")
        trees.append(counts.given)
    return outcome(
        "trees and constants c",
        ok,
        np.logical_not(ok),
        words.__getitem__,
        example=trees.__getitem__,
    )


def _rule_is_followed_on_rows(delta: float = DELTA, c: float = 0.2) -> Outcome:
    ok, words, trees = [], [], []
    for counts in small_trees()[:100]:
        found = pruning.bottom_up_prune(counts.given, *rows(counts), delta=delta, c=c)
        cut = np.flatnonzero(found.cut).tolist()
        ok.append(cut == TRUE.cuts(counts, 0.2))
        words.append(f"{found.n_leaves} leaves left of {describe(counts)}")
        trees.append(found.tree())
    return outcome(TREES, ok, np.logical_not(ok), words.__getitem__, example=trees.__getitem__)


# -- the penalty -----------------------------------------------------------------------------------


def _penalty_by_enumeration(
    bits: Callable[[int, int, int], float], rest: Callable[[float], float], c: float = 2.0
) -> Outcome:
    """The package's alpha against (12.2) with paths and trees listed one by one."""
    ok, words = [], []
    for n, depth, leaves in itertools.product((1, 2, 3), (0, 1, 2), (1, 2, 3)):
        for m_v, delta in ((7, 0.05), (400, 0.5)):
            expected = c * math.sqrt((bits(n, depth, leaves) + rest(delta)) / m_v)
            found = pruning.bottom_up_penalty(m_v, 2 * leaves - 1, depth, delta, m=1000, n=n)
            ok.append(math.isclose(found, expected, rel_tol=1e-12))
            words.append(f"{found:.4f} for n = {n}, depth {depth}, {leaves} leaves, m_v = {m_v}")
    return outcome("nodes", ok, np.logical_not(ok), words.__getitem__)


def _listed(n: int, depth: int, leaves: int) -> float:
    return math.log(len(paths_listed(n, depth))) + math.log(len(trees_listed(n, leaves)))


def _confidence(delta: float) -> float:
    return math.log(1000 / delta)


@claim(
    "MN-BU",
    MN,
    r"Bottom-up pruning passes once over the tree. At $v$ it sees $T_v^*$, what is left of the "
    r"subtree there, with $n_v$ nodes, the $m_v$ examples of $S_v$, and the depth $\ell_v$. "
    r"Given the counts, the time is linear in $|T|$.",
    PAGE,
    note="Linear in the tree; the counts take a pass over the sample, O(m depth).",
)
def test_mn_bu(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "each internal node once, after those below",
                _one_pass,
                mutants=(
                    Form("on the subtrees given", partial(_one_pass, _all_at_once)),
                    Form("as if all had two leaves", partial(_one_pass, _told_stumps)),
                    Form("parents before children", partial(_one_pass, _parents_first)),
                    Form("in two passes", partial(_one_pass, _twice)),
                    Form("at the nodes that stay", partial(_one_pass, _kept_only)),
                ),
            ),
            Form(
                "as c goes to 0: the fewest errors of all prunings",
                _without_penalty,
                mutants=(
                    Form("c = 0.1", partial(_without_penalty, 0.1)),
                    Form("c = 2", partial(_without_penalty, 2.0)),
                ),
            ),
        )
    )


@claim(
    "MN-12.1",
    MN,
    r"$T_v^*$ is replaced by the best leaf if and only if "
    r"$\hat\varepsilon_v(T_v^*) + \alpha(m_v, n_v, \ell_v, \delta) \ge "
    r"\hat\varepsilon_v(\emptyset)$.",
    PAGE,
)
def test_mn_12_1(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "node after node",
                partial(_rule_is_followed, TRUE),
                r"\hat\varepsilon_v(T^*_v) + \alpha_v \ge \hat\varepsilon_v(\emptyset)",
                mutants=tuple(
                    Form(name, partial(_rule_is_followed, rule)) for name, rule in SPOILT.items()
                ),
            ),
            Form(
                "dt.bottom_up_prune",
                _rule_is_followed_on_rows,
                mutants=(
                    Form("with c = 0.21", partial(_rule_is_followed_on_rows, c=0.21)),
                    Form("with delta = 0.1", partial(_rule_is_followed_on_rows, 0.1)),
                ),
            ),
        )
    )


@claim(
    "MN-12.2",
    MN,
    r"$\alpha = c \sqrt{r_v/m_v}$, $r_v = \ln|\mathrm{PATHS}(H, \ell_v)| + "
    r"\ln|\mathrm{TREES}(H, n_v)| + \ln(m/\delta)$, with $c = 2$: it dominates two "
    r"deviations, of $T_v^*$ and of the leaf, so that what is kept is truly better.",
    PAGE,
    repaired=True,
    note="The source asks for c > 1. ln(m/delta) pays for the confidence and for all depths "
    "and sizes at once; the chapter shows that ln(1/delta) would do for delta at most 1/3.",
)
def test_mn_12_2(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "c = 2, both deviations a thousandth less than allowed",
                partial(keeps_what_is_better, 2.0),
                mutants=(
                    Form("c = 1.99", partial(keeps_what_is_better, 1.99)),
                    Form("c = sqrt(2)", partial(keeps_what_is_better, math.sqrt(2))),
                ),
            ),
            Form(
                "alpha with paths and trees listed",
                partial(_penalty_by_enumeration, _listed, _confidence),
                r"\alpha_v ={}& c\,\sqrt{r_v / m_v}, \\ r_v ={}& \ln |\mathrm{PATHS}(\ell_v)| \\ "
                r"&+ \ln |\mathrm{TREES}(s_v)| + \ln \frac m\delta",
                mutants=(
                    Form(
                        "c = 1.99, listed",
                        partial(_penalty_by_enumeration, _listed, _confidence, 1.99),
                    ),
                    Form(
                        "ln(1/delta) for ln(m/delta)",
                        partial(_penalty_by_enumeration, _listed, lambda d: -math.log(d)),
                    ),
                    Form(
                        "paths of exactly l answers",
                        partial(
                            _penalty_by_enumeration,
                            lambda n, d, s: (
                                math.log(max(1, 2**d * math.comb(n, d)))
                                + math.log(len(trees_listed(n, s)))
                            ),
                            _confidence,
                        ),
                    ),
                    Form(
                        "trees of one leaf more",
                        partial(
                            _penalty_by_enumeration,
                            lambda n, d, s: _listed(n, d, s + 1),
                            _confidence,
                        ),
                    ),
                ),
            ),
        ),
        (Form("as printed, any c > 1: c = 1.5", partial(keeps_what_is_better, 1.5)),),
    )
