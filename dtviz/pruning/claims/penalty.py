"""Chapter 6, pruning: the bottom-up algorithm, its penalty, and the paths and trees it counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from dtviz import pruning
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import MN
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import points
from dtviz.pruning.bottom_up import PenaltyRule
from dtviz.pruning.claims.cases import (
    DELTA,
    TREES,
    all_prunings,
    describe,
    rows,
    small_trees,
    worlds,
)
from dtviz.pruning.decisions import bottom_up
from dtviz.pruning.node_counts import NodeCounts
from dtviz.pruning.penalty import FiniteTests

__all__ = ["CLAIMS"]

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
    seen: dict[int, int] = field(default_factory=dict)

    def __call__(self, v: Ints, size: Ints, wrong: Ints) -> tuple[Bools, Floats]:
        if self.seen.keys() & set(v.tolist()):
            msg = "a node was decided on twice"
            raise ArithmeticError(msg)
        self.seen.update(zip(v.tolist(), size.tolist(), strict=True))
        return self.rule.decide(0.2, v, size, wrong)


def _one_pass() -> Outcome:
    """Every internal node is decided on once, after all nodes below it, on what is left of them."""
    ok, words = [], []
    for counts in small_trees():
        tree = counts.given
        watched = _Watched(_rule(counts))
        cut = bottom_up(counts, watched).cut
        order = {v: k for k, v in enumerate(watched.seen)}
        good = sorted(order) == np.flatnonzero(tree.variable >= 0).tolist()
        for v, size in watched.seen.items():
            children = int(tree.low[v]), int(tree.high[v])
            good &= all(order.get(child, -1) < order[v] for child in children)
            good &= size == sum(1 if cut[c] else watched.seen.get(c, 1) for c in children)
        ok.append(good)
        words.append(f"{len(order)} decisions for {describe(counts)}")
    leaves = [counts.given.n_leaves for counts in small_trees()]
    return outcome(TREES, ok, leaves, words.__getitem__)


def _rule(counts: NodeCounts) -> PenaltyRule:
    tests = FiniteTests.of(counts.given.depth, counts)
    return PenaltyRule(counts, tests, -math.log(DELTA), over_c=True)


def _by_the_rule(counts: NodeCounts, c: float, *, original: bool) -> list[int]:
    """The nodes cut by (12.1), node after node, with exact counts of paths and trees."""
    tree, n, m = counts.given, counts.given.depth, counts.m
    left: dict[int, tuple[int, int]] = {}
    cut: list[int] = []
    for v in reversed(range(tree.n_nodes)):
        leaf, reach = int(counts.errors[v]), int(counts.reach[v])
        left[v] = 1, leaf
        if tree.variable[v] < 0:
            continue
        sides = left[int(tree.low[v])], left[int(tree.high[v])]
        size, wrong = sides[0][0] + sides[1][0], sides[0][1] + sides[1][1]
        if original:
            size, wrong = int(tree.leaves_below[v]), int(counts.subtree_errors[v])
        cuts = reach == 0
        if not cuts:
            paths = pruning.count_paths(n, int(tree.node_depth[v]))
            trees = pruning.count_trees(n, 2 * size - 1)
            bits = math.log(paths) + math.log(trees) + math.log(m / DELTA)
            cuts = wrong / reach + c * math.sqrt(bits / reach) >= leaf / reach
        if cuts:
            cut.append(v)
        else:
            left[v] = size, wrong
    return sorted(cut)


def _rule_is_followed(*, original: bool) -> Outcome:
    ok, words = [], []
    for counts, c in itertools.product(small_trees(), CONSTANTS):
        tree, m = counts.given, counts.m
        if m == 0:
            continue
        rule = PenaltyRule(
            counts, FiniteTests.of(tree.depth, counts), -math.log(DELTA), over_c=True
        )
        found = np.flatnonzero(rule.prune(0, c).cut).tolist()
        expected = _by_the_rule(counts, c, original=original)
        ok.append(found == expected)
        words.append(f"nodes {found} cut, by the rule {expected}, c = {c}, {describe(counts)}")
    return outcome("trees and constants c", ok, np.logical_not(ok), words.__getitem__)


def _rule_is_followed_on_rows() -> Outcome:
    ok, words = [], []
    for counts in small_trees()[:60]:
        found = pruning.bottom_up_prune(counts.given, *rows(counts), delta=DELTA, c=0.2)
        cut = np.flatnonzero(found.cut).tolist()
        ok.append(cut == _by_the_rule(counts, 0.2, original=False))
        words.append(f"{found.n_leaves} leaves left of {describe(counts)}")
    return outcome(TREES, ok, np.logical_not(ok), words.__getitem__)


# -- the penalty -----------------------------------------------------------------------------------


def _kept_is_better(tenths: int) -> Outcome:
    """A kept subtree is truly better than the leaf if both rates are off by at most lambda.

    All in tenths of lambda: the deviations a of the subtree and b of the leaf, and the observed
    gain, just above ``c lambda``.
    """
    a, b = np.meshgrid(np.arange(-10, 11), np.arange(-10, 11), indexing="ij")
    true_gain = (tenths + 1 + a - b).ravel()

    def told(k: int) -> str:
        return (
            f"true gain {true_gain[k] / 10:g} lambda with deviations {a.flat[k] / 10:g} and "
            f"{b.flat[k] / 10:g} lambda"
        )

    return outcome("pairs of deviations", true_gain > 0, -true_gain, told)


def _penalty_by_enumeration() -> Outcome:
    """The package's alpha against (12.2) with paths and trees listed one by one."""
    ok, words = [], []
    for n, depth, leaves in itertools.product((1, 2, 3), (0, 1, 2), (1, 2, 3)):
        bits = math.log(len(_paths(n, depth))) + math.log(len(_trees(n, leaves)))
        for m_v, delta in ((7, 0.05), (400, 0.5)):
            expected = 2 * math.sqrt((bits + math.log(1000 / delta)) / m_v)
            found = pruning.bottom_up_penalty(m_v, 2 * leaves - 1, depth, delta, m=1000, n=n)
            ok.append(math.isclose(found, expected, rel_tol=1e-12))
            words.append(f"{found:.4f} for n = {n}, depth {depth}, {leaves} leaves, m_v = {m_v}")
    return outcome("nodes", ok, np.logical_not(ok), words.__getitem__)


# -- paths and trees, listed -----------------------------------------------------------------------


@cache
def _paths(n: int, most: int, *, exactly: bool = False) -> frozenset[bytes]:
    """The different conjunctions of at most (exactly) so many of n bits and their negations."""
    X = points(n)
    found = set()
    for size in [most] if exactly else range(most + 1):
        for chosen in itertools.combinations(range(n), size):
            for bits in itertools.product((0, 1), repeat=size):
                found.add((X[:, list(chosen)] == bits).all(axis=1).tobytes())
    return frozenset(found)


@cache
def _trees(n: int, leaves: int) -> tuple[object, ...]:
    """The labelled trees with at most so many leaves, tests repeated or not."""
    return tuple(tree for size in range(1, leaves + 1) for tree in _trees_of(n, size))


@cache
def _trees_of(n: int, leaves: int) -> tuple[object, ...]:
    if leaves == 1:
        return (0, 1)
    return tuple(
        (i, low, high)
        for i in range(n)
        for size in range(1, leaves)
        for low in _trees_of(n, size)
        for high in _trees_of(n, leaves - size)
    )


PATH_PAIRS = [(n, depth) for n in range(1, 6) for depth in range(1, n + 1)]
WIDE_PAIRS = [(n, depth) for n in range(1, 31) for depth in range(1, n + 1)]


def _paths_counted(n: int, depth: int) -> int:
    """The package's number, looked up when it is asked for."""
    return pruning.count_paths(n, depth)


def _count_of_paths(count: Callable[[int, int], float], *, exactly: bool = False) -> Outcome:
    gap = [len(_paths(n, d, exactly=exactly)) - count(n, d) for n, d in PATH_PAIRS]
    return equality("n and path lengths", gap, lambda k: f"n, l = {PATH_PAIRS[k]}")


def _paths_at_most(bound: Callable[[int, int], int]) -> Outcome:
    true = [pruning.count_paths(n, d) for n, d in WIDE_PAIRS]
    allowed = [bound(n, d) for n, d in WIDE_PAIRS]
    return outcome(
        "n and path lengths",
        [a <= b for a, b in zip(true, allowed, strict=True)],
        [a / b for a, b in zip(true, allowed, strict=True)],
        lambda k: f"{true[k]:,} conjunctions, bound {allowed[k]:,}, for n, l = {WIDE_PAIRS[k]}",
    )


def _count_of_trees() -> Outcome:
    pairs = [(n, leaves) for n in (1, 2, 3) for leaves in (1, 2, 3, 4)]
    gap = [len(set(_trees(n, s))) - pruning.count_trees(n, 2 * s - 1) for n, s in pairs]
    return equality("n and sizes", gap, lambda k: f"n, leaves = {pairs[k]}")


def _trees_at_most(log_bound: Callable[[int, int], float], nodes: Iterable[int]) -> Outcome:
    pairs = list(itertools.product(range(1, 21), nodes))
    logs = [math.log(pruning.count_trees(n, s)) for n, s in pairs]
    bounds = [log_bound(*pair) for pair in pairs]
    gap = np.array(logs) - bounds
    return outcome(
        "n and numbers of nodes",
        gap <= 1e-9,
        gap,
        lambda k: f"ln of the number {logs[k]:.2f}, bound {bounds[k]:.2f}, at d, n_v = {pairs[k]}",
    )


# -- VC dimension ----------------------------------------------------------------------------------


@cache
def _classes() -> tuple[tuple[str, Ints, int], ...]:
    """Classes of functions of 3 bits as codes, and the size of the list they come from."""
    found = []
    for most in (1, 2, 3):
        tables = [np.frombuffer(path, dtype=bool) for path in _paths(3, most)]
        codes = np.array([int((t * (1 << np.arange(8))).sum()) for t in tables])
        found.append((f"conjunctions of ≤ {most} literals", codes, len(tables)))
    size = optimal_all(3).n_leaves
    for leaves in (1, 2, 3, 4):
        codes = np.flatnonzero(size <= leaves)
        found.append((f"trees of ≤ {leaves} leaves", codes, pruning.count_trees(3, 2 * leaves - 1)))
    return tuple(found)


@cache
def _labellings(place: int) -> Ints:
    """In how many ways a class labels each set of points of the 3-cube."""
    codes = _classes()[place][1]
    return np.array([np.unique(codes & s).size for s in range(256)])


def _dimension(place: int) -> int:
    sizes = np.array([s.bit_count() for s in range(256)])
    shattered = _labellings(place) == 2**sizes
    return int(sizes[shattered].max())


def _sauer() -> Outcome:
    """Logarithms of the numbers of labellings against ``d ln(e m / d)``."""
    ratio, words = [], []
    for place, (called, _, _) in enumerate(_classes()):
        d, ways = _dimension(place), _labellings(place)
        for s in range(1, 256):
            m = s.bit_count()
            bound = float(pruning.vc_log_cardinality(d, m))
            ratio.append(math.log(ways[s]) / bound)
            words.append(f"{ways[s]} labellings of {m} points, dimension {d}, {called}")
    return outcome("sets of points", np.array(ratio) <= 1 + 1e-12, ratio, words.__getitem__)


def _dimension_below_logarithm() -> Outcome:
    """The dimension against log2 of the number of functions, whose place it takes."""
    pairs = [(_dimension(k), math.log2(size)) for k, (_, _, size) in enumerate(_classes())]
    return outcome(
        "classes of functions of 3 bits",
        [d <= bits for d, bits in pairs],
        [d / bits for d, bits in pairs],
        lambda k: f"dimension {pairs[k][0]}, log2 {pairs[k][1]:.2f}, {_classes()[k][0]}",
    )


def _infinite_classes() -> Outcome:
    """Tests x >= a on m points of a line: m + 1 labellings, dimension 1, though endless tests."""
    gap = [math.log(m + 1) - float(pruning.vc_log_cardinality(1, m)) for m in range(1, 200)]
    return outcome(
        "numbers of points",
        np.array(gap) <= 0,
        gap,
        lambda k: f"{k + 2} labellings of {k + 1} points on a line",
    )


def _without_the_factor() -> Outcome:
    """The misreading that the dimension alone bounds ``ln`` of the number of labellings."""
    ratio, words = [], []
    for place, (called, _, _) in enumerate(_classes()):
        d, ways = _dimension(place), int(_labellings(place)[255])
        ratio.append(math.log(ways) / d)
        words.append(f"ln of {ways} labellings of 8 points over dimension {d}, {called}")
    return outcome("classes", np.array(ratio) <= 1, ratio, words.__getitem__)


def _wrongly_kept(c: float) -> Outcome:
    """In the worlds: kept subtrees that are truly worse than the leaf."""
    worse, words = [], []
    for world in worlds():
        found = world.rule().prune(0, c)
        kept = found.kept & ~found.cut & (world.sample.given.variable >= 0)
        truth = bottom_up(world.truth, lambda v, *_, f=found: (f.cut[v], np.zeros(v.size)))
        gap = np.where(kept, truth.subtree_errors - world.truth.errors, -1)
        worse.append(int(gap.max()))
        words.append(f"a kept subtree worse by {gap.max()} of {world.truth.m} for {world.name}")
    return outcome("noisy samples", np.array(worse) <= 0, worse, words.__getitem__)


def _without_penalty() -> Outcome:
    """With c near 0 only what does not help is cut: the fewest errors of all prunings."""
    gap, words = [], []
    for counts in small_trees():
        gap.append(_rule(counts).prune(0, 1e-9).errors - min(all_prunings(counts))[0])
        words.append(describe(counts))
    return equality(TREES, gap, words.__getitem__)


CLAIMS = (
    Claim(
        "MN-BU",
        MN,
        r"Bottom-up pruning passes once over the tree. At $v$ it sees $T_v^*$, what is left of the "
        r"subtree there, with $n_v$ nodes, the $m_v$ examples of $S_v$, and the depth $\ell_v$. "
        r"Given the counts, the time is linear in $|T|$.",
        PAGE,
        (
            Form("each internal node once, after those below", _one_pass),
            Form("as c goes to 0: the fewest errors of all prunings", _without_penalty),
        ),
        note="Linear in the tree; the counts take a pass over the sample, O(m depth).",
    ),
    Claim(
        "MN-12.1",
        MN,
        r"$T_v^*$ is replaced by the best leaf if and only if "
        r"$\hat\varepsilon_v(T_v^*) + \alpha(m_v, n_v, \ell_v, \delta) \ge "
        r"\hat\varepsilon_v(\emptyset)$.",
        PAGE,
        (
            Form("node after node", partial(_rule_is_followed, original=False)),
            Form("dt.bottom_up_prune", _rule_is_followed_on_rows),
        ),
        (
            Form(
                "with the subtree of the tree given for T*_v",
                partial(_rule_is_followed, original=True),
            ),
        ),
    ),
    Claim(
        "MN-12.2",
        MN,
        r"$\alpha = c \sqrt{(\ln|\mathrm{PATHS}(H, \ell_v)| + \ln|\mathrm{TREES}(H, n_v)| + "
        r"\ln(m/\delta)) / m_v}$ with $c = 2$: it dominates two deviations, of $T_v^*$ and of the "
        r"leaf, so that what is kept is truly better.",
        PAGE,
        (
            Form("c = 2", partial(_kept_is_better, 20)),
            Form("alpha with paths and trees listed", _penalty_by_enumeration),
            Form("c = 2: nothing is wrongly kept in noisy samples", partial(_wrongly_kept, 2.0)),
        ),
        (
            Form("as printed, any c > 1: c = 1.5", partial(_kept_is_better, 15)),
            Form("c = 0.05 in noisy samples", partial(_wrongly_kept, 0.05)),
        ),
        repaired=True,
        note="The source asks for c > 1. ln(m/delta) pays for the confidence and for all depths "
        "and sizes at once; the chapter shows that ln(1/delta) would do for delta at most 1/3.",
    ),
    Claim(
        "MN-HD",
        MN,
        r"On the cube $\{0,1\}^d$ the tests are the $d$ variables: $|H| = d$, which is $n$ in the "
        r"formulas.",
        PAGE,
        (
            Form(
                "conjunctions of d variables",
                partial(_count_of_paths, _paths_counted),
            ),
        ),
        (
            Form(
                "as printed, 0 ≤ i ≤ d: d + 1 tests",
                partial(_count_of_paths, lambda d, most: pruning.count_paths(d + 1, most)),
            ),
        ),
        repaired=True,
        note="The source lets i run from 0 to d, and writes n for d afterwards.",
    ),
    Claim(
        "MN-PATHS",
        MN,
        r"There are $\sum_{j \le \ell} 2^j \binom nj \le (2n+1)^\ell$ conjunctions of at most "
        r"$\ell$ of $n$ variables or their negations, $2^\ell \binom n\ell$ of exactly $\ell$.",
        PAGE,
        (
            Form(
                "at most l, listed",
                partial(_count_of_paths, _paths_counted),
            ),
            Form(
                "exactly l, listed",
                partial(_count_of_paths, lambda n, d: 2**d * math.comb(n, d), exactly=True),
            ),
            Form("≤ (2n+1)^l for n ≤ 30", partial(_paths_at_most, lambda n, d: (2 * n + 1) ** d)),
        ),
        (
            Form(
                "as printed, 2^(l-1) C(n, l)",
                partial(_count_of_paths, lambda n, d: 2 ** (d - 1) * math.comb(n, d)),
            ),
            Form("as printed, ≤ n^l", partial(_paths_at_most, lambda n, d: n**d)),
            Form(
                "2^(l-1) C(n, l) of exactly l",
                partial(_count_of_paths, lambda n, d: 2 ** (d - 1) * math.comb(n, d), exactly=True),
            ),
        ),
        repaired=True,
        note="The logarithm is O(l log n) all the same, and nothing else is used.",
    ),
    Claim(
        "MN-TREES",
        MN,
        r"There are at most $(c d)^{n_v}$ trees of $d$ tests with at most $n_v$ nodes, $c = 3$; "
        r"and at most $(8d)^s$ with at most $s$ leaves.",
        PAGE,
        (
            Form(
                "c = 3, d ≤ 20, up to 201 nodes",
                partial(_trees_at_most, lambda d, s: s * math.log(3 * d), range(1, 202, 20)),
            ),
            Form(
                "c = 2.5, up to 41 nodes",
                partial(_trees_at_most, lambda d, s: s * math.log(2.5 * d), range(1, 42, 2)),
            ),
            Form(
                "(8d)^leaves",
                partial(
                    _trees_at_most, lambda d, s: (s + 1) // 2 * math.log(8 * d), range(1, 202, 20)
                ),
            ),
            Form("trees listed", _count_of_trees),
        ),
        (
            Form(
                "as printed with 1 for c: d^n",
                partial(_trees_at_most, lambda d, s: s * math.log(d), range(1, 42, 2)),
            ),
            Form(
                "c = 2.5 for all sizes",
                partial(_trees_at_most, lambda d, s: s * math.log(2.5 * d), range(1, 402, 40)),
            ),
        ),
        repaired=True,
        note="Printed as (c, d)^n.",
    ),
    Claim(
        "MN-VC",
        MN,
        r"For infinitely many tests, VC dimensions take the place of logarithms of numbers: a "
        r"class of dimension $d$ labels $m$ points in at most $(em/d)^d$ ways, $m \ge d$.",
        PAGE,
        (
            Form("paths and trees on the 3-cube, all sets of points", _sauer),
            Form("d ≤ log2 of the number of functions", _dimension_below_logarithm),
            Form("tests x ≥ a on a line", _infinite_classes),
        ),
        (Form("without the factor ln(em/d)", _without_the_factor),),
        note="Correct up to factors of log m. The uniform convergence behind it (symmetrisation) "
        "is quoted in the chapter, not checked.",
    ),
)
