"""Chapter 2, Lemmas 1 (i) and 5: how rank bounds leaves and nodes, and how these bound rank.

Counts are exact integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from claims.kit import EH, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import bare_trees, log2, name, shape
from claims.rank.samples import larger
from dtviz import rank as chapter
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import BooleanFunction
from dtviz.core.tree import Tree

PAGE = "2-rank"
PAIRS = "pairs (n, r)"
TREES = "reduced trees with labels, n ≤ 3"
VARIABLES = range(1, 7)
"""The numbers of variables for which the leaves of all trees are listed."""


# -- leaves and nodes ------------------------------------------------------------------------------


@cache
def _shapes(n: int) -> frozenset[tuple[int, int]]:
    """(rank, leaves) of every reduced tree on n variables, by listing those of its subtrees."""
    if n == 0:
        return frozenset({(0, 1)})
    below = _shapes(n - 1)
    joined = {(larger(a, b), k + m) for a, k in below for b, m in below}
    return frozenset({(0, 1)} | joined)


def _most(n: int, r: int) -> int:
    """The most leaves of a reduced tree on n variables of rank at most r, by the list."""
    return max(leaves for rank, leaves in _shapes(n) if rank <= r)


Bound = Callable[[int, Tree], int]
"""From n and a tree: how many nodes it has at least, or at most."""


def _least_nodes(n: int, tree: Tree) -> int:
    return chapter.node_range(n, tree.rank)[0]


def _most_nodes(n: int, tree: Tree) -> int:
    return chapter.node_range(n, tree.rank)[1]


def _sum_of_binomials(n: int, r: int, first: int = 0) -> int:
    return sum(math.comb(n, i) for i in range(first, r + 1))


def _nodes_within(bound: Bound, *, least: bool) -> Outcome:
    """The nodes of every tree against the fewest or the most, and who attains them."""
    ok, closeness, words, times, trees = [], [], [], [], []
    for n in (1, 2, 3):
        for tree in bare_trees(n):
            allowed = bound(n, tree)
            ok.append(tree.n_nodes >= allowed if least else tree.n_nodes <= allowed)
            closeness.append(tree.rank if tree.n_nodes == allowed else -1)
            words.append(f"{tree.n_nodes} nodes, bound {allowed}, for {shape(tree)} with n = {n}")
            times.append(1 << tree.n_leaves)
            trees.append(tree)
    return outcome(
        TREES, ok, closeness, words.__getitem__, times, example=lambda k: _labelled(trees[k])
    )


def _labelled(tree: Tree) -> Tree:
    """The tree with labels that alternate from leaf to leaf."""
    leaf = tree.variable < 0
    return Tree(tree.variable, np.where(leaf, np.cumsum(leaf) % 2, 0))


def _is_complete(tree: Tree) -> bool:
    return bool(tree.n_leaves == 1 << tree.depth)


def _is_oblivious(tree: Tree) -> bool:
    """Complete, with one variable at each level."""
    asked = set(tree.variable[tree.variable >= 0].tolist())
    return _is_complete(tree) and len(asked) == tree.depth


def _has_equal_subtrees(tree: Tree) -> bool:
    """Whether both subtrees of the root have half of the leaves."""
    below = int(tree.high[0])
    return tree.n_nodes == 1 or below - 1 == tree.n_nodes - below


def _who_has_the_fewest_leaves(said: Callable[[Tree], bool] = _is_complete) -> Outcome:
    """Which trees of rank r have 2^r leaves."""
    trees = [tree for n in (1, 2, 3) for tree in bare_trees(n)]
    fewest = np.array([tree.n_leaves == 1 << tree.rank for tree in trees])
    wrong = fewest != [said(tree) for tree in trees]
    return outcome(
        TREES,
        ~wrong,
        10 * wrong + np.where(fewest, [tree.rank for tree in trees], -1),
        lambda k: f"{trees[k].n_leaves} leaves, rank {trees[k].rank}: {shape(trees[k])}",
        [1 << tree.n_leaves for tree in trees],
        example=lambda k: _labelled(trees[k]),
    )


def _ends(n: int, r: int) -> tuple[int, int]:
    return chapter.node_range(n, r)


def _bounds_are_attained(ends: Callable[[int, int], tuple[int, int]] = _ends) -> Outcome:
    pairs = [(n, r) for n in VARIABLES for r in range(n + 1)]
    found = []
    for n, r in pairs:
        nodes = [2 * leaves - 1 for rank, leaves in _shapes(n) if rank == r]
        found.append((min(nodes), max(nodes)))
    wrong = np.array([ends(n, r) != f for (n, r), f in zip(pairs, found, strict=True)])
    return outcome(
        PAIRS,
        ~wrong,
        1000 * wrong + [least + most for least, most in found],
        lambda k: f"from {found[k][0]} to {found[k][1]} nodes for n, r = {pairs[k]}",
    )


def _trees_that_ask_again() -> Outcome:
    """The chain that asks x_0 again and again: a tree of rank 1, but not reduced."""
    chain = [3 + 2 * k for k in range(3)]
    most = chapter.node_range(1, 1)[1]
    return outcome(
        "chains that ask x0 again",
        [nodes <= most for nodes in chain],
        chain,
        lambda k: f"{chain[k]} nodes, bound {most}, for a chain of rank 1 with n = 1",
    )


FAR = [(n, r) for n in (100, 10_000, 1_000_000) for r in (10, 100, 1000) if r <= n]
"""Pairs at which the sum comes near the power."""


def _sums_below_the_power(base: float = math.e, *, less: int = 0, more: int = 0) -> Outcome:
    """``2 sum_i C(n, i) - 1 < 2 (en/r)^r`` for n >= r >= 1, by logarithms of exact sums."""
    pairs = [(n, r) for n in range(1, 41) for r in range(1, n + 1)] + FAR
    sums = [chapter.most_leaves(n, r) for n, r in pairs]
    left = np.array([math.log(2 * total - 1) for total in sums])
    n, r = np.array(pairs, dtype=float).T
    right = math.log(2) + (r - less) * np.log(base * n / (r + more))
    needed = np.exp((left - math.log(2)) / r) * r / n
    return outcome(
        PAIRS,
        left < right,
        needed,
        lambda k: f"at n, r = {pairs[k]}, {needed[k]:.4g} for e would do",
    )


Leaves = Callable[[int, int], int]


def _leaves_obey(step: Leaves) -> Outcome:
    """The most leaves by listing against a recurrence; 1 if n = 0 or r = 0."""
    pairs = [(n, r) for n in (0, *VARIABLES) for r in range(n + 2)]
    gap = [_most(n, r) - (step(n, r) if n and r else 1) for n, r in pairs]
    return equality(PAIRS, gap, lambda k: f"n, r = {pairs[k]}")


def _light_and_heavy(n: int, r: int) -> int:
    return _most(n - 1, r) + _most(n - 1, r - 1)


def _both_heavy(n: int, r: int) -> int:
    return 2 * _most(n - 1, r)


def _both_light(n: int, r: int) -> int:
    return 2 * _most(n - 1, r - 1)


def _most_leaves_are(formula: Leaves) -> Outcome:
    pairs = [(n, r) for n in VARIABLES for r in range(n + 2)]
    gap = [_most(n, r) - formula(n, r) for n, r in pairs]
    return equality(PAIRS, gap, lambda k: f"n, r = {pairs[k]}")


def _by_the_package(n: int, r: int) -> int:
    return chapter.most_leaves(n, r)


def _sum_solves_the_recurrence() -> Outcome:
    """The sum of binomial coefficients, row by row."""
    gap, names = [], []
    row = [1] * 41
    for n in range(1, 41):
        row = [1] + [row[r] + row[r - 1] for r in range(1, 41)]
        gap += [float(row[r] - chapter.most_leaves(n, r)) for r in range(41)]
        names += [f"n = {n}, r = {r}" for r in range(41)]
    return equality(PAIRS, gap, names.__getitem__)


# -- nodes and rank --------------------------------------------------------------------------------


def _nodes(leaves: int) -> int:
    return chapter.rank_of_nodes(2 * leaves - 1)


def _leaves(leaves: int) -> int:
    return chapter.rank_of_leaves(leaves)


def _logarithm(base: float, leaves: int, *, of_nodes: bool = True) -> int:
    """The logarithm to another base, rounded down, of the nodes or the leaves."""
    return math.floor(math.log(2 * leaves - 1 if of_nodes else leaves, base))


def _rank_below(n: int, bound: Callable[[int], int]) -> Outcome:
    """The rank of every function of n variables against a function of its fewest leaves."""
    best = optimal_all(n)
    sizes = range(1, int(best.n_leaves.max()) + 1)
    allowed = np.array([0] + [bound(leaves) for leaves in sizes])[best.n_leaves]
    by_nodes = np.array([0] + [_nodes(leaves) for leaves in sizes])[best.n_leaves]
    sharper = int((allowed < by_nodes).sum())
    told = f"smaller than floor(log2 nodes) for {sharper:,}; " if sharper else ""
    return outcome(
        f"functions of {n} variables",
        best.rank <= allowed,
        10 * (best.rank - allowed) + best.rank,
        lambda code: (
            f"{told}rank {best.rank[code]}, bound {allowed[code]}, "
            f"{best.n_leaves[code]} leaves for {name(n, code)}"
        ),
        example=lambda code: BooleanFunction.from_int(n, code),
    )


def _floor_of_logarithm(*, more: int = 1, tenths: int = 10) -> Outcome:
    """``log2(s+1) - 1 <= floor(log2 s)`` for s up to 100,000."""
    s = np.arange(1, 100_001)
    floor = np.array([chapter.rank_of_nodes(int(nodes)) for nodes in s])
    slack = floor + tenths / 10 - log2(s + more)
    return outcome(
        "numbers of nodes",
        slack >= 0,
        -slack,
        lambda k: f"log2(s+1) - 1 = {log2(s[k] + 1) - 1:g} at s = {s[k]}",
    )


@claim(
    "EH-L1i-lo",
    EH,
    r"A tree of rank $r$ has at least $2^{r+1} - 1$ nodes, that is $2^r$ leaves; only the "
    r"complete tree of depth $r$ has as few.",
    PAGE,
)
def test_eh_l1i_lo(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "no tree has fewer",
                partial(_nodes_within, _least_nodes, least=True),
                formula=r"2^{r+1} - 1 \;\le\; s",
                mutants=tuple(
                    Form(label, partial(_nodes_within, bound, least=True))
                    for label, bound in (
                        ("one more", lambda n, tree: _least_nodes(n, tree) + 1),
                        ("3^r for 2^r", lambda _, tree: 2 * 3**tree.rank - 1),
                        ("depth for rank", lambda _, tree: 2 ** (tree.depth + 1) - 1),
                    )
                ),
            ),
            Form(
                "only the complete tree has as few",
                _who_has_the_fewest_leaves,
                formula=r"\ell \ge 2^r",
                mutants=(
                    Form(
                        "only if each level asks one variable",
                        partial(_who_has_the_fewest_leaves, _is_oblivious),
                    ),
                    Form(
                        "every tree with equally many leaves on both sides",
                        partial(_who_has_the_fewest_leaves, _has_equal_subtrees),
                    ),
                ),
            ),
            Form(
                "both bounds are attained, n ≤ 6",
                _bounds_are_attained,
                formula=r"2^{r+1} - 1 \;\le\; s \;\le\; 2 \sum_{i=0}^{r} \binom{n}{i} - 1",
                mutants=(
                    Form(
                        "the last binomial coefficient alone",
                        partial(
                            _bounds_are_attained,
                            lambda n, r: (2 ** (r + 1) - 1, 2 * math.comb(n, r) - 1),
                        ),
                    ),
                    Form(
                        "the sum from 1",
                        partial(
                            _bounds_are_attained,
                            lambda n, r: (2 ** (r + 1) - 1, 2 * _sum_of_binomials(n, r, 1) - 1),
                        ),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-L1i-up",
    EH,
    r"A reduced tree of rank $r$ on $n \ge r \ge 1$ variables has at most "
    r"$2 \sum_{i \le r} \binom{n}{i} - 1$ nodes.",
    PAGE,
)
def test_eh_l1i_up(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "no tree has more",
                partial(_nodes_within, _most_nodes, least=False),
                formula=r"s \;\le\; 2 \sum_{i=0}^{r} \binom{n}{i} - 1",
                mutants=tuple(
                    Form(label, partial(_nodes_within, bound, least=False))
                    for label, bound in (
                        (
                            "one less",
                            lambda n, tree: _most_nodes(n, tree) - 1,
                        ),
                        (
                            "the sum to r - 1",
                            lambda n, tree: 2 * _sum_of_binomials(n, max(tree.rank - 1, 0)) - 1,
                        ),
                        (
                            "n - 1 for n",
                            lambda n, tree: 2 * _sum_of_binomials(n - 1, tree.rank) - 1,
                        ),
                    )
                ),
            ),
        ),
        (Form("for trees that are not reduced", _trees_that_ask_again),),
    )


@claim(
    "EH-L1i-asy",
    EH,
    r"$2 \sum_{i \le r} \binom{n}{i} - 1 < 2 (en/r)^r$ for $n \ge r \ge 1$.",
    PAGE,
)
def test_eh_l1i_asy(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "n ≤ 40, and some n up to 1,000,000",
                _sums_below_the_power,
                formula=r"2 \sum_{i=0}^{r} \binom{n}{i} - 1 \;<\; "
                r"2\Bigl(\frac{en}{r}\Bigr)^{r}",
                mutants=(
                    Form("2.7 for e", partial(_sums_below_the_power, 2.7)),
                    Form("2 for e", partial(_sums_below_the_power, 2)),
                    Form("r - 1 for the exponent r", partial(_sums_below_the_power, less=1)),
                    Form("r + 1 for r below n", partial(_sums_below_the_power, more=1)),
                ),
            ),
        )
    )


@claim(
    "EH-LREC",
    EH,
    r"The most leaves of a reduced tree of rank at most $r$ satisfy "
    r"$L(n, r) = L(n-1, r) + L(n-1, r-1)$ with $L(0, r) = L(n, 0) = 1$, and are "
    r"$\sum_{i \le r} \binom{n}{i}$.",
    PAGE,
    note="The source says rank r. For r > n no tree has rank exactly r; at most r is meant.",
)
def test_eh_lrec(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the recurrence, by listing, n ≤ 6",
                partial(_leaves_obey, _light_and_heavy),
                formula=r"L(n, r) = L(n-1, r) + L(n-1, r-1)",
                mutants=(
                    Form("two heavy subtrees", partial(_leaves_obey, _both_heavy)),
                    Form("two light subtrees", partial(_leaves_obey, _both_light)),
                ),
            ),
            Form(
                "the sum, by listing, n ≤ 6",
                partial(_most_leaves_are, _by_the_package),
                formula=r"L(n, r) = \sum_{i \le r} \binom{n}{i}",
                mutants=(
                    Form(
                        "the last binomial coefficient alone",
                        partial(_most_leaves_are, lambda n, r: math.comb(n, min(n, r))),
                    ),
                    Form(
                        "n - 1 for n",
                        partial(_most_leaves_are, lambda n, r: _sum_of_binomials(n - 1, r)),
                    ),
                ),
            ),
            Form(
                "the sum solves the recurrence, n, r ≤ 40",
                _sum_solves_the_recurrence,
                formula=r"\binom{n}{i} = \binom{n-1}{i} + \binom{n-1}{i-1}",
                kind="identity",
            ),
        )
    )


@claim(
    "EH-L5",
    EH,
    r"$F_n^{(s)} \subseteq F_n^{\lfloor \log_2 s \rfloor}$ for $s$ nodes. Sharper: the rank is "
    r"at most $\lfloor \log_2 \mathrm{leaves} \rfloor = \lfloor \log_2 \frac{s+1}{2} \rfloor$.",
    PAGE,
)
def test_eh_l5(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "rank ≤ floor(log2 nodes)",
                partial(_rank_below, 4, _nodes),
                formula=r"k = \lfloor \log_2 s \rfloor",
                mutants=(
                    Form("base 2.4 for 2", partial(_rank_below, 4, partial(_logarithm, 2.4))),
                    Form("one less", partial(_rank_below, 4, lambda leaves: _nodes(leaves) - 1)),
                ),
            ),
            Form(
                "n = 4: rank ≤ floor(log2 leaves)",
                partial(_rank_below, 4, _leaves),
                formula=r"k = \bigl\lfloor \log_2 \frac{s+1}{2} \bigr\rfloor",
                mutants=(
                    Form(
                        "base 2.01 for 2",
                        partial(_rank_below, 4, partial(_logarithm, 2.01, of_nodes=False)),
                    ),
                    Form(
                        "of one leaf less",
                        partial(_rank_below, 4, lambda k: _leaves(max(k - 1, 1))),
                    ),
                ),
            ),
            Form(
                "n = 3: rank ≤ floor(log2 leaves)",
                partial(_rank_below, 3, _leaves),
                formula=r"k = \bigl\lfloor \log_2 \frac{s+1}{2} \bigr\rfloor",
                mutants=(
                    Form(
                        "base 2.01 for 2",
                        partial(_rank_below, 3, partial(_logarithm, 2.01, of_nodes=False)),
                    ),
                ),
            ),
            Form(
                "log2(s+1) - 1 ≤ floor(log2 s)",
                _floor_of_logarithm,
                mutants=(
                    Form("s + 2 for s + 1", partial(_floor_of_logarithm, more=2)),
                    Form("0.9 for 1", partial(_floor_of_logarithm, tenths=9)),
                ),
            ),
        ),
        (Form("with ln for log2", partial(_rank_below, 4, partial(_logarithm, math.e))),),
    )
