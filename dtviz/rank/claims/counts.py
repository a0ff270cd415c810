"""Chapter 2, Lemmas 1 and 5: how rank bounds leaves, nodes and functions, and how nodes bound rank.

Counts are exact integers; numbers of functions are compared by their natural logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from dtviz import rank as chapter
from dtviz.claims.populations import bare_trees, log2, name, shape
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import EH
from dtviz.core.all_functions import optimal_all

__all__ = ["CLAIMS"]

PAGE = "2-rank"
PAIRS = "pairs (n, r)"
TREES = "reduced trees with labels, n ≤ 3"


# -- leaves and nodes ------------------------------------------------------------------------------


def _nodes_within(end: int) -> Outcome:
    """The fewest (``end`` 0) or the most (1) nodes of a tree of each rank, and who attains them."""
    ok, closeness, words, times = [], [], [], []
    for n in (1, 2, 3):
        for tree in bare_trees(n):
            bound = chapter.node_range(n, tree.rank)[end]
            ok.append(tree.n_nodes >= bound if end == 0 else tree.n_nodes <= bound)
            closeness.append(tree.rank if tree.n_nodes == bound else -1)
            words.append(f"{tree.n_nodes} nodes, bound {bound}, for {shape(tree)} with n = {n}")
            times.append(1 << tree.n_leaves)
    return outcome(TREES, ok, closeness, words.__getitem__, times)


def _bounds_are_attained() -> Outcome:
    gap, names = [], []
    for n in (1, 2, 3):
        for r in range(n + 1):
            nodes = [tree.n_nodes for tree in bare_trees(n) if tree.rank == r]
            gap.append((min(nodes), max(nodes)) != chapter.node_range(n, r))
            names.append(f"n = {n}, r = {r}")
    low, high = chapter.node_range(3, 2)
    return outcome(
        PAIRS,
        np.logical_not(gap),
        gap,
        lambda k: names[k] if gap[k] else f"from {low} to {high} nodes for n = 3, r = 2",
    )


def _nodes_below_the_power() -> Outcome:
    """``2L - 1 < 2 (en/r)^r`` for n >= r >= 1."""
    pairs = [(n, r) for n in range(1, 41) for r in range(1, n + 1)]
    most = np.array([float(chapter.node_range(n, r)[1]) for n, r in pairs])
    power = np.array([2 * (math.e * n / r) ** r for n, r in pairs])
    return outcome(
        PAIRS,
        most < power,
        most / power,
        lambda k: f"nodes / bound = {most[k] / power[k]:.4g} at n, r = {pairs[k]}",
    )


def _leaves_by_recurrence() -> Outcome:
    """The sum of binomial coefficients against Lemma 1's recurrence, worked out row by row."""
    gap, names = [], []
    row = [1] * 41
    for n in range(1, 41):
        row = [1] + [row[r] + row[r - 1] for r in range(1, 41)]
        gap += [float(row[r] - chapter.most_leaves(n, r)) for r in range(41)]
        names += [f"n = {n}, r = {r}" for r in range(41)]
    return equality(PAIRS, gap, names.__getitem__)


def _most_leaves_of_rank_at_most() -> Outcome:
    gap, names = [], []
    for n in (1, 2, 3):
        for r in range(n + 2):
            most = max(tree.n_leaves for tree in bare_trees(n) if tree.rank <= r)
            gap.append(most - chapter.most_leaves(n, r))
            names.append(f"n = {n}, r = {r}")
    return equality(PAIRS, gap, names.__getitem__)


# -- functions -------------------------------------------------------------------------------------


def _functions(n: int, r: int) -> int:
    """|F_n^r|, counted."""
    return int(chapter.functions_by_rank(n)[: r + 1].sum())


def _functions_exactly(pairs: list[tuple[int, int]], formula: Callable[[int], int]) -> Outcome:
    gap = [_functions(n, r) - formula(n) for n, r in pairs]
    return equality(PAIRS, gap, lambda k: f"n, r = {pairs[k]}")


def _log_bound_is_exact() -> Outcome:
    """Where |F_n^r| is known exactly, the package's logarithm is that of the count."""
    pairs = [(n, r) for n in range(1, 5) for r in range(6) if r == 0 or r >= n]
    good = [
        math.isclose(chapter.log_function_bound(n, r), math.log(_functions(n, r)), rel_tol=1e-12)
        for n, r in pairs
    ]
    return equality(PAIRS, np.logical_not(good), lambda k: f"n, r = {pairs[k]}")


def _functions_below(*, by_leaves: bool) -> Outcome:
    """The logarithm of |F_n^r| against ``k ln(8n)``, with ``k = (en/r)^r`` or L(n, r)."""
    pairs = [(n, r) for n in range(1, 5) for r in range(1, n + 1)]
    true = np.array([math.log(_functions(n, r)) for n, r in pairs])
    leaves = [chapter.most_leaves(n, r) if by_leaves else (math.e * n / r) ** r for n, r in pairs]
    bound = np.array([k * math.log(8 * n) for k, (n, _) in zip(leaves, pairs, strict=True)])
    own = np.array([chapter.log_function_bound(n, r, by_leaves=by_leaves) for n, r in pairs])
    inside = np.array([r < n for n, r in pairs])
    good = (true <= bound) & (~inside | np.isclose(own, bound, rtol=1e-12))
    return outcome(
        PAIRS,
        good,
        true / bound,
        lambda k: (
            f"{_functions(*pairs[k]):,} functions, bound {math.exp(bound[k]):.3g}, "
            f"at n, r = {pairs[k]}"
        ),
    )


def _trees_by_leaves() -> Outcome:
    """The number of trees with i leaves against the convolution over the leaves below the root."""
    gap, names = [], []
    for n in range(1, 6):
        trees = [0, 2]
        for i in range(2, 12):
            trees.append(n * sum(trees[k] * trees[i - k] for k in range(1, i)))
        gap += [float(trees[i] - chapter.count_trees_of_size(n, i)) for i in range(1, 12)]
        names += [f"n = {n}, i = {i}" for i in range(1, 12)]
    return equality("pairs (n, i)", gap, names.__getitem__)


def _chain_of_tree_counts(smallest: int) -> Outcome:
    """The three strict inequalities of Lemma 1 (ii), in exact integers."""
    left, right, names = [], [], []
    for n in range(smallest, 8):
        for k in range(1, 25):
            counted = sum(chapter.count_trees_of_size(n, i) for i in range(1, k + 1))
            halves = sum(math.comb(2 * k - 1, i) for i in range(1, k + 1))
            chain = [
                counted,
                (2 * n) ** k * halves,
                (2 * n) ** k * 2 ** (2 * k - 1),
                (8 * n) ** k,
            ]
            left += chain[:-1]
            right += chain[1:]
            names += [f"inequality {j} at n = {n}, k = {k}" for j in (1, 2, 3)]
    ratio = [a / b for a, b in zip(left, right, strict=True)]
    return outcome(
        "inequalities between integers",
        [a < b for a, b in zip(left, right, strict=True)],
        ratio,
        lambda j: f"ratio {ratio[j]:.4g} of {names[j]}",
    )


# -- nodes and rank --------------------------------------------------------------------------------


def _rank_below(bound: Callable[[int], int], n: int) -> Outcome:
    """The rank of every function of n variables against a function of its fewest leaves."""
    best = optimal_all(n)
    of_size = np.array([0] + [bound(leaves) for leaves in range(1, int(best.n_leaves.max()) + 1)])
    allowed = of_size[best.n_leaves]
    by_nodes = np.array([0] + [chapter.rank_of_nodes(2 * s - 1) for s in range(1, of_size.size)])
    sharper = int((allowed < by_nodes[best.n_leaves]).sum())
    told = f"smaller than floor(log2 nodes) for {sharper:,}; " if sharper else ""
    return outcome(
        f"functions of {n} variables",
        best.rank <= allowed,
        10 * (best.rank - allowed) + best.rank,
        lambda code: (
            f"{told}rank {best.rank[code]}, bound {allowed[code]}, "
            f"{best.n_leaves[code]} leaves for {name(n, code)}"
        ),
    )


def _nodes(leaves: int) -> int:
    return chapter.rank_of_nodes(2 * leaves - 1)


def _natural(leaves: int) -> int:
    return math.floor(math.log(2 * leaves - 1))


def _floor_of_logarithm() -> Outcome:
    """``log2(s+1) - 1 <= floor(log2 s)`` for s up to 100,000, through powers of two."""
    s = np.arange(1, 100_001)
    floor = np.array([chapter.rank_of_nodes(int(nodes)) for nodes in s])
    slack = floor + 1 - log2(s + 1)
    return outcome(
        "numbers of nodes",
        s + 1 <= 2 ** (floor + 1),
        -slack,
        lambda k: f"log2(s+1) - 1 = {log2(s[k] + 1) - 1:g} at s = {s[k]}",
    )


CLAIMS = (
    Claim(
        "EH-L1i-lo",
        EH,
        r"A tree of rank $r$ has at least $2^{r+1} - 1$ nodes.",
        PAGE,
        (
            Form("no tree has fewer", partial(_nodes_within, 0)),
            Form("both bounds are attained", _bounds_are_attained),
        ),
    ),
    Claim(
        "EH-L1i-up",
        EH,
        r"A reduced tree of rank $r$ on $n \ge r \ge 1$ variables has at most "
        r"$2 \sum_{i \le r} \binom{n}{i} - 1$ nodes.",
        PAGE,
        (Form("no tree has more", partial(_nodes_within, 1)),),
    ),
    Claim(
        "EH-L1i-asy",
        EH,
        r"$2 \sum_{i \le r} \binom{n}{i} - 1 < 2 (en/r)^r$ for $n \ge r \ge 1$.",
        PAGE,
        (Form("n ≤ 40", _nodes_below_the_power),),
    ),
    Claim(
        "EH-LREC",
        EH,
        r"$L(n, r) = L(n-1, r) + L(n-1, r-1)$ with $L(0, r) = L(n, 0) = 1$ has the solution "
        r"$\sum_{i \le r} \binom{n}{i}$: the most leaves of a reduced tree of rank at most $r$.",
        PAGE,
        (
            Form("the sum solves the recurrence, n, r ≤ 40", _leaves_by_recurrence),
            Form("the most leaves, by enumeration", _most_leaves_of_rank_at_most),
        ),
        note="The source says rank r. For r > n no tree has rank exactly r; at most r is meant.",
    ),
    Claim(
        "EH-L1ii-a",
        EH,
        r"$|F_n^0| = 2$.",
        PAGE,
        (
            Form(
                "counted",
                partial(_functions_exactly, [(n, 0) for n in range(1, 5)], lambda _: 2),
            ),
        ),
    ),
    Claim(
        "EH-L1ii-b",
        EH,
        r"$|F_n^r| = 2^{2^n}$ if $n \le r$.",
        PAGE,
        (
            Form(
                "counted",
                partial(
                    _functions_exactly,
                    [(n, r) for n in range(1, 5) for r in range(n, 6)],
                    lambda n: 2 ** (2**n),
                ),
            ),
            Form("its logarithm", _log_bound_is_exact),
        ),
    ),
    Claim(
        "EH-L1ii-c",
        EH,
        r"$|F_n^r| \le (8n)^{(en/r)^r}$ if $n > r \ge 1$; it holds for $n = r$ as well.",
        PAGE,
        (
            Form("counted, n ≤ 4", partial(_functions_below, by_leaves=False)),
            Form("with L(n, r) for (en/r)^r", partial(_functions_below, by_leaves=True)),
        ),
    ),
    Claim(
        "EH-L1ii-CH",
        EH,
        r"There are $\frac{2^i n^{i-1}}{2i-1} \binom{2i-1}{i}$ trees with $i$ leaves; summed up to "
        r"$k$, fewer than $(2n)^k \sum_{i \le k} \binom{2k-1}{i} < (2n)^k 2^{2k-1} < (8n)^k$ for "
        r"$n \ge 2$.",
        PAGE,
        (
            Form("the chain for n = 2 to 7, k ≤ 24", partial(_chain_of_tree_counts, 2)),
            Form("trees with i leaves by convolution", _trees_by_leaves),
        ),
        (Form("for n = 1 as well", partial(_chain_of_tree_counts, 1)),),
        note="The lemma needs n > r ≥ 1 only, so n ≥ 2. At n = k = 1 the first < is an equality.",
    ),
    Claim(
        "EH-L5",
        EH,
        r"$F_n^{(s)} \subseteq F_n^{\lfloor \log_2 s \rfloor}$ for $s$ nodes. Sharper: the rank is "
        r"at most $\lfloor \log_2 \mathrm{leaves} \rfloor = \lfloor \log_2 \frac{s+1}{2} \rfloor$.",
        PAGE,
        (
            Form("rank ≤ floor(log2 nodes)", partial(_rank_below, _nodes, 4)),
            Form(
                "n = 4: rank ≤ floor(log2 leaves)", partial(_rank_below, chapter.rank_of_leaves, 4)
            ),
            Form(
                "n = 3: rank ≤ floor(log2 leaves)", partial(_rank_below, chapter.rank_of_leaves, 3)
            ),
            Form("log2(s+1) - 1 ≤ floor(log2 s)", _floor_of_logarithm),
        ),
        (Form("with ln for log2", partial(_rank_below, _natural, 4)),),
    ),
)
