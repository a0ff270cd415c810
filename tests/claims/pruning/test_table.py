"""Chapter 6, pruning: the smallest prunings for every number of errors, and a choice among them."""

import math
from functools import cache
from itertools import product

import numpy as np

from claims.pruning import populations as pop
from dtviz import pruning
from dtviz.pruning.node_counts import NodeCounts
from dtviz.pruning.smallest import SmallestPrunings

PAIRS = "trees and numbers of errors d"


def fewest(s, d, v=0):
    """The fewest leaves of a pruning at v with at most d errors, over all prunings."""
    return min((leaves for wrong, leaves in s.pairs(v) if wrong <= d), default=math.inf)


@cache
def brute(*, large=False):
    """Trees with K_d in nodes for d = 0, .., errors of the root, over all prunings."""
    trees = (*pop.samples(), *pop.samples(large=True)[: 6 * large])
    return [(s, [2 * fewest(s, d) - 1 for d in range(s.errors[0] + 1)]) for s in trees]


@pop.matches(PAIRS)
def same_sizes(sizes, *, large=False):
    """A procedure's sizes, in nodes, against brute force, for every d."""
    for s, expected in brute(large=large):
        found = sizes(s, len(expected) - 1)
        yield from (((d, found[d]), (d, k), s) for d, k in enumerate(expected))


def recurrence(s, most, *, first=0, spared=0, below=False):
    """``prune(k, T)`` for k up to ``most``; the source's loop over i begins with 1."""
    low, high = s.tree.low.tolist(), s.tree.high.tolist()

    @cache
    def smallest(v, j):
        if s.errors[v] <= j - below:
            return 1
        if low[v] < 0:
            return math.inf
        tried = range(first, j + 1)
        sums = (smallest(low[v], i) + smallest(high[v], j - i - spared) for i in tried)
        return min(sums, default=math.inf)

    return [2 * smallest(0, j) - 1 for j in range(most + 1)]


def program(s, most, *, first=0, cut=True, at_most=True, index=True):  # noqa: PLR0913
    """The dynamic program, each mend of the source's as an argument: the sizes, and its steps.

    The loop over i begins with ``first``, 1 in the source; a node may be ``cut`` to a leaf; a leaf
    with l errors has size 1 for every budget from l on, or just for l; the high side has
    ``s_(k-I)``, or ``s_I``.
    """
    table, steps, leaf = {}, 0, s.tree.low < 0
    for v in reversed(range(s.tree.n_nodes)):
        wrong = s.errors[v]
        alone = [1 if wrong == j or (at_most and wrong < j) else math.inf for j in range(most + 1)]
        table[v] = row = alone if cut or leaf[v] else [math.inf] * (most + 1)
        if leaf[v]:
            continue
        low, high = table[int(s.tree.low[v])], table[int(s.tree.high[v])]
        for k in range(most + 1):
            tried = range(first, k + 1)
            steps += len(tried)
            if tried:
                i = min(tried, key=lambda i: low[i] + high[k - i])
                row[k] = min(row[k], low[i] + high[k - i if index else i] + 1)
    return table[0], steps


@pop.stated(
    "MN-PRUNE",
    "The smallest pruning with at most $j$ errors is a leaf if that makes at most $j$ errors, "
    "and otherwise joins the smallest prunings of the children with $i$ and $j - i$ errors, $i "
    r"= 0, \dots, j$.",
    repaired=True,
    note="With i from 1 the low child is never left without an error, and for k = 0 the loop "
    "is empty.",
)
def test_smallest_prunings(trial):
    @trial.form(
        "i = 0, .., k, against all prunings",
        r"K_v(j) = \begin{cases} 1 \quad \text{if } \mathrm{err}_v(\emptyset) \le j, "
        r"\text{ else} \\ \displaystyle \min_{0 \le i \le j} \bigl( K_{v_0}(i) + "
        r"K_{v_1}(j - i) \bigr). \end{cases}",
        {
            "k - i - 1 errors on the high side": {"spared": 1},
            "a leaf if that errs less than k times": {"below": True},
        },
    )
    def by_recurrence(**spoiled):
        return same_sizes(lambda s, most: recurrence(s, most, **spoiled))

    @trial.form(
        "its trees attain K_d",
        variants={"T_(d+1) for T_d": {"more": 1}, "T_(d-1) for T_d": {"more": -1}},
    )
    @pop.every(PAIRS)
    def attained(more=0):
        for s, sizes in brute(large=True):
            found = SmallestPrunings(s.counts)
            for d, nodes in enumerate(sizes):
                if math.isfinite(nodes):
                    made = found.pruning(d=max(d + more, int(found.front_errors[-1])))
                    good = 2 * made.n_leaves - 1 == nodes and made.errors <= d
                    yield good, made.errors - d, f"{made.errors} errors for d = {d}, {s}"

    trial.fails("as printed, i = 1, .., k", lambda: by_recurrence(first=1))


@pop.stated(
    "MN-DP",
    "The program of the source, mended, counts nodes from the leaves up. The smallest pruning "
    "at $v$ with at most $j$ errors has 1 node if $v$ as a leaf makes at most $j$ errors, "
    "otherwise one more than the fewest of both children together with at most $i$ and $j - i$ "
    r"errors, $0 \le i \le j$.",
    repaired=True,
    note="Four slips, each enough to spoil it: the loop starts at 1; no node may become a "
    "leaf; a leaf's entry stands for exactly l errors where the recursion means at most; the "
    "second index is I where k - I is meant.",
)
def test_dynamic_program(trial):
    @trial.form(
        "against all prunings",
        variants={
            "the loop from 1": {"first": 1},
            "no node may become a leaf": {"cut": False},
            "leaves with exactly j errors": {"at_most": False},
            "the index I for k - I": {"index": False},
        },
    )
    def by_program(**spoiled):
        return same_sizes(lambda s, most: program(s, most, **spoiled)[0])

    @trial.form(
        "the table of dt.pruning.smallest_prunings, at every node",
        variants={"s_(j+1) for s_j": {"more": 1}},
    )
    @pop.matches("nodes and numbers of errors j")
    def package(more=0):
        """Its tables of the fewest errors by size, read the other way, for every s_j(v)."""
        for s, _ in brute():
            tables = SmallestPrunings(s.counts)._tables
            for v, j in [(at, j) for at in s.inner for j in range(s.errors[at] + 1)]:
                sizes = [size for size, wrong in enumerate(tables[v], 1) if wrong <= j + more]
                yield min(sizes, default=math.inf), fewest(s, j, v), s

    printed = {"first": 1, "cut": False, "at_most": False}
    trial.fails("as printed", lambda: by_program(**printed, index=False))
    trial.fails("only the index mended", lambda: by_program(**printed))


@pop.stated(
    "MN-DPTIME",
    r"For $d \ge 1$ errors the program takes at most $3 d^2$ steps at each inner node, so $O(d^2 "
    r"|T|)$, and $O(m \cdot \text{depth})$ to send the sample down: together $O(m^2 |T|)$. By "
    "sizes in place of errors it takes one step for each pair of leaves at most, whatever $m$.",
)
def test_time(trial):
    @trial.form(
        "steps of the program ≤ 3 d^2 at each internal node",
        variants={
            "≤ 2.9 d^2": {"times": 0.97},
            "≤ 3 d": {"power": 1},
            "≤ 3 d^2 in all": {"nodes": 0},
        },
    )
    @pop.bounds(pop.TREES)
    def of_program(times=1.0, power=2, nodes=1):
        for k, s in ((len(sizes) - 1, s) for s, sizes in brute() if len(sizes) > 1):
            allowed = 3 * times * k**power * len(s.inner) ** nodes
            yield program(s, k)[1], allowed, f"k = {k}, {s}"

    @trial.form("tests ≤ m depth(T)", variants={"≤ 0.95 m depth": {"times": 0.95}})
    @pop.bounds(pop.TREES)
    def down(times=1.0):
        for s in pop.samples():
            yield s.counts.reach[s.inner].sum(), times * s.m * s.tree.depth, str(s)

    @trial.form(
        "sums by sizes ≤ pairs of leaves",
        variants={"≤ 0.9 of the pairs": {"times": 0.9}, "≤ 2 leaves": {"times": 2, "pairs": 1}},
    )
    @pop.bounds("trees and multiples")
    def by_sizes(times=1.0, pairs=2):
        for s, many in product((*pop.samples(), *pop.samples(large=True)), (1, 1000)):
            counts = NodeCounts(s.tree, s.counts.classes, s.counts.counts * many, s.counts.label)
            size = [len(table) for table in SmallestPrunings(counts)._tables]
            steps = sum(size[s.tree.low[v]] * size[s.tree.high[v]] for v in s.inner)
            yield steps, times * math.comb(s.tree.n_leaves, pairs), str(s)


@pop.stated(
    "MN-SRM",
    r"Structural risk minimization chooses $T^* = T_{d^*}$ with $d^*$ minimizing $d/m + "
    r"\sqrt{K_d/m}$, where $K_d = |T_d|$. For a bound on the true error $K_d$ needs a "
    r"logarithmic factor.",
    repaired=True,
    note="The source writes T* = argmin_d, and calls k_d the size of the T. Sizes are leaves "
    "here, nodes there.",
)
def test_structural_risk(trial):
    display = r"\sqrt{(k \ln(8n) + \ln(1/\delta))/(2m)}"
    eight, two = pop.constants(display, r"ln\((\d)", r"/\((\d)m")

    @trial.form(
        "dt.pruning.srm_prune, the least over all prunings",
        r"d^* &= \arg\min_d \Bigl\{ \frac{\mathrm{err}_S(T_d)}{m} + \sqrt{\frac{K_d}{m}} \Bigr\}",
        {
            "with the factor 1.2": {"factor": 1.2},
            "with the factor 0.8": {"factor": 0.8},
            "K_d in nodes": {"size": lambda leaves, _: 2 * leaves - 1},
            "K_d/m without the root": {"power": 1},
        },
    )
    @pop.every("weighted samples")
    def risk(size=lambda leaves, _: leaves, factor=1, power=0.5):
        """The choice of `dt.pruning.srm_prune` against the least risk of all prunings."""
        for s, times in product((*pop.samples()[:60], *pop.samples(large=True)[:2]), (1, 30)):
            how = {"sample_weight": np.full(s.m, times), "classes": [0, 1]}
            m, whole = s.m * times, s.tree.n_leaves
            found = pruning.srm_prune(s.tree.bare(), *s.second, factor=factor, **how)

            def of(errors, leaves, m=m, whole=whole):
                return errors / m + (size(leaves, whole) / m) ** power

            value = of(found.errors, found.n_leaves)
            more = value - min(of(wrong * times, leaves) for wrong, leaves in s.pairs())
            yield more <= 1e-12, more, f"{value:.4f}, {found.n_leaves} leaves, {times} times {s}"

    @trial.form(
        "with ln(8n) the bound covers an error of 1/2",
        display,
        {
            "0.4 ln(8n)": {"logs": lambda n: 0.4 * math.log(eight * n)},
            "without ln(1/delta)": {"spent": 0.0},
        },
    )
    @pop.bounds("fair coins to learn")
    def too_low(logs=lambda n: math.log(eight * n), spent=1.0):
        """Fair coins for labels: how often the bound of the best of n bits is below 1/2."""
        of = (20, 200, 1000), (1, 10**3, 10**9, 10**18), (0.5, 0.05, 0.001)
        for m, n, delta in product(*of):
            spread = math.sqrt((2 * logs(n) - spent * math.log(delta)) / (two * m))
            one = 2 * float(pop.binomial(m, 0.5)[np.arange(m + 1) / m + spread < 0.5].sum())
            chance = -math.expm1(n * math.log1p(-min(one, 1 - 1e-15)))
            yield chance, delta, f"m = {m}, n = {n:.0e}, delta = {delta}"

    trial.fails("as printed, k_d the size of the T", lambda: risk(size=lambda _, whole: whole))
    trial.fails("without the factor the penalty covers it too", lambda: too_low(lambda _: 1.0, 0.0))
