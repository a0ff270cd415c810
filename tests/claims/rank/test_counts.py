"""Chapter 2, Lemmas 1 (i) and 5: how rank bounds leaves and nodes, and how these bound rank.

Counts are exact integers.
"""

import math
from functools import cache

import numpy as np

from claims.kit import at_most, bounds, equality, same
from claims.kit.populations import bare_trees, name, shape
from claims.rank.populations import larger, stated
from dtviz import rank as chapter
from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.tree.tree import Tree

PAIRS = "pairs (n, r)"
TREES = "reduced trees with labels, n ≤ 3"
VARIABLES = range(1, 7)
"""The numbers of variables for which the leaves of all trees are listed."""


@cache
def shapes(n):
    """(rank, leaves) of every reduced tree on n variables, by listing those of its subtrees."""
    below = shapes(n - 1) if n else ()
    joined = {(larger(a, b), k + m) for a, k in below for b, m in below}
    return frozenset({(0, 1)} | joined)


def most(n, r):
    """The most leaves of a reduced tree on n variables of rank at most r, by the list."""
    return max(leaves for rank, leaves in shapes(n) if rank <= r)


def binomials(n, r, first=0):
    return sum(math.comb(n, i) for i in range(first, r + 1))


@cache
def trees():
    return tuple((n, tree) for n in (1, 2, 3) for tree in bare_trees(n))


LABELINGS = [1 << tree.n_leaves for _, tree in trees()]


def described(k):
    return f"rank {trees()[k][1].rank}, {shape(trees()[k][1])} with n = {trees()[k][0]}"


def drawn(k):
    """The tree with labels that alternate from leaf to leaf."""
    tree = trees()[k][1]
    leaf = tree.variable < 0
    return Tree(tree.variable, np.where(leaf, np.cumsum(leaf) % 2, 0))


@stated(
    "EH-L1i-lo",
    r"A tree of rank $r$ has at least $2^{r+1} - 1$ nodes, that is $2^r$ leaves; only the "
    r"complete tree of depth $r$ has as few.",
)
def test_fewest_nodes(trial):
    def complete(tree):
        return tree.n_leaves == 1 << tree.depth

    def oblivious(tree):
        return complete(tree) and len({*tree.variable.tolist()} - {-1}) == tree.depth

    @trial.form(
        "no tree has fewer",
        r"2^{r+1} - 1 \;\le\; s",
        {"1.01 times as many": {"share": 1.01}, "3^r for 2^r": {"base": 3}},
    )
    def no_fewer(base=2, share=1):
        least = [share * (2 * base**tree.rank - 1) for _, tree in trees()]
        nodes = [tree.n_nodes for _, tree in trees()]
        return at_most(TREES, least, nodes, described, LABELINGS, example=drawn)

    @trial.form(
        "only the complete tree has as few",
        r"\ell \ge 2^r",
        {"only if each level queries one variable": {"said": oblivious}},
    )
    def who(said=complete):
        wrong = [(tree.n_leaves == 1 << tree.rank) != said(tree) for _, tree in trees()]
        return equality("reduced trees, n ≤ 3", wrong, described)

    @trial.form(
        "both bounds are attained, n ≤ 6",
        r"2^{r+1} - 1 \;\le\; s \;\le\; 2 \sum_{i=0}^{r} \binom{n}{i} - 1",
        {
            "two more at least": {"least": 2},
            "the sum from 1": {"top": lambda n, r: binomials(n, r, 1)},
        },
    )
    @same(PAIRS)
    def attained(least=0, top=binomials):
        for n, r in [(k, r) for k in VARIABLES for r in range(k + 1)]:
            nodes = [2 * leaves - 1 for rank, leaves in shapes(n) if rank == r]
            found = min(nodes), max(nodes)
            formulas = 2 ** (r + 1) - 1 + least, 2 * top(n, r) - 1
            yield found != formulas, f"n, r = {n, r}"


@stated(
    "EH-L1i-up",
    r"A reduced tree of rank $r$ on $n \ge r \ge 1$ variables has at most "
    r"$2 \sum_{i \le r} \binom{n}{i} - 1$ nodes.",
)
def test_most_nodes(trial):
    @bounds("chains that query x0 again")
    def chains():
        """The chain that asks x_0 again and again: a tree of rank 1, but not reduced."""
        for k in (1, 2, 3):
            yield 1 + 2 * k, 2 * chapter.most_leaves(1, 1) - 1, f"{k} tests"

    @trial.form(
        "no tree has more",
        r"s \;\le\; 2 \sum_{i=0}^{r} \binom{n}{i} - 1",
        {
            "0.99 of it": {"share": 0.99},
            "the sum to r - 1": {"top": lambda n, r: binomials(n, max(r - 1, 0))},
        },
    )
    def no_more(top=binomials, share=1):
        bound = [share * (2 * top(n, tree.rank) - 1) for n, tree in trees()]
        nodes = [tree.n_nodes for _, tree in trees()]
        return at_most(TREES, nodes, bound, described, LABELINGS, example=drawn)

    trial.fails("for trees that are not reduced", chains)


@stated("EH-L1i-asy", r"$2 \sum_{i \le r} \binom{n}{i} - 1 < 2 (en/r)^r$ for $n \ge r \ge 1$.")
def test_sum_is_below_the_power(trial):
    pairs = [(n, r) for n in range(1, 41) for r in range(1, n + 1)]
    pairs += [(n, r) for n in (100, 10_000, 10**6) for r in (10, 100, 1000) if r <= n]
    n, r = np.array(pairs, dtype=float).T
    leaves = [chapter.most_leaves(*pair) for pair in pairs]

    @trial.form(
        "n ≤ 40, and some n up to 1,000,000",
        r"2 \sum_{i=0}^{r} \binom{n}{i} - 1 \;<\; 2\Bigl(\frac{en}{r}\Bigr)^{r}",
        {"0.99 of e": {"factor": 0.99}, "r + 1 for r": {"more": 1}},
    )
    def base(factor=1, more=0):
        """Solved for e, by logarithms of exact sums."""
        right = np.log(2) + r * np.log(factor * math.e * n / (r + more))
        left = np.array([math.log(2 * total - 1) for total in leaves])
        needed = factor * math.e * np.exp((left - right) / r)
        return at_most(PAIRS, needed, factor * math.e, lambda k: f"n, r = {pairs[k]}")


@stated(
    "EH-LREC",
    r"The most leaves of a reduced tree of rank at most $r$ satisfy $L(n, r) = L(n-1, r) + L(n-1, "
    r"r-1)$ with $L(0, r) = L(n, 0) = 1$, and are $\sum_{i \le r} \binom{n}{i}$.",
    note="The source says rank r. For r > n no tree has rank exactly r; at most r is meant.",
)
def test_most_leaves(trial):
    pairs = [(n, r) for n in (0, *VARIABLES) for r in range(n + 3)]

    @trial.form(
        "the recurrence, by listing, n ≤ 6",
        r"L(n, r) = L(n-1, r) + L(n-1, r-1)",
        {"two heavy subtrees": {"second": 0}, "two light subtrees": {"first": 1}},
    )
    @same(PAIRS)
    def recurrence(first=0, second=1):
        for n, r in pairs:
            below = most(n - 1, r - first) + most(n - 1, r - second) if n and r else 1
            yield most(n, r) - below, f"n, r = {n, r}"

    @trial.form(
        "the sum, by listing, n ≤ 6",
        r"L(n, r) = \sum_{i \le r} \binom{n}{i}",
        {
            "the last binomial coefficient alone": {
                "formula": lambda n, r: math.comb(n, min(n, r))
            },
            "n - 1 for n": {"formula": lambda n, r: binomials(max(n - 1, 0), r)},
        },
    )
    @same(PAIRS)
    def summed(formula=binomials):
        for at in pairs:
            gaps = (most(*at) - of(*at) for of in (formula, chapter.most_leaves))
            yield sum(map(abs, gaps)), f"n, r = {at}"


@stated(
    "EH-L5",
    r"$F_n^{(s)} \subseteq F_n^{\lfloor \log_2 s \rfloor}$ for $s$ nodes. Sharper: with $\ell$ "
    r"leaves the rank is at most $\lfloor \log_2 \ell \rfloor = \lfloor \log_2 \frac{s+1}{2} "
    r"\rfloor$.",
)
def test_small_trees_have_small_rank(trial):
    best = optimal_all(4)
    sizes = np.arange(1, int(best.n_leaves.max()) + 1)

    def below(rank, numbers, base, less):
        """By the package, or with a spoiled logarithm rounded down by hand."""
        if base != 2 or less:

            def rank(number):
                return math.floor(math.log(number, base)) - less

        bound = np.array([0, *map(rank, numbers)])[best.n_leaves]
        return at_most(
            "functions of 4 variables",
            best.rank + 1,
            np.maximum(bound + 1, 0.5),
            lambda code: f"rank {best.rank[code]} for {name(4, code)}, counting from 1",
            example=lambda code: BooleanFunction.from_int(4, code),
        )

    for s in range(1, 1025):
        assert 1 << chapter.rank_of_nodes(s) <= s < 2 << chapter.rank_of_nodes(s)
    nodes = r"r = \lfloor \log_2 s \rfloor"
    leaves = r"r = \bigl\lfloor \log_2 \frac{s+1}{2} \bigr\rfloor"

    @trial.form(
        "rank ≤ floor(log2 nodes)",
        nodes,
        {"base 2.4 for 2": {"base": 2.4}, "one less": {"less": 1}},
    )
    def by_nodes(base=2, less=0):
        return below(chapter.rank_of_nodes, (2 * sizes - 1).tolist(), base, less)

    @trial.form(
        "rank ≤ floor(log2 leaves)",
        leaves,
        {"base 2.01 for 2": {"base": 2.01}, "one less": {"less": 1}},
    )
    def by_leaves(base=2, less=0):
        return below(lambda leaves: leaves.bit_length() - 1, sizes.tolist(), base, less)

    trial.fails("with ln for log2", lambda: by_nodes(math.e))
