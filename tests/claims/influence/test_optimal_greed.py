"""Chapter 1, where exact greedy trees are optimal: votes and disjoint terms, and one level deeper.

The theorems on optimal trees are those of Fiat and Pechyony (2004), proved again and extended.
"""

from functools import cache
from itertools import combinations, pairwise
from math import comb, prod

import numpy as np

from claims.influence.populations import stated
from claims.kit import holds, same
from claims.kit.populations import monotone, name
from dtviz import influence as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees.exhaustive import greedy_all, optimal_all
from dtviz.core.boolean_trees.optimal import optimal

TERMS = [(), (4,), (1, 1, 1), (1, 2, 3), (2, 2, 2), (2, 2, 3), (1, 1, 2, 3), (3, 4), (2, 3, 3)]
"""Lengths of terms, shortest first."""
TRAPS = [(2, 1), (3, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (4, 3), (5, 3), (6, 3)]
"""Pairs (a, c)."""


@cache
def stronger(n):
    """Whether x_i is at least as strong as x_j: for each monotone function, i and j."""
    tables = monotone(n)[:, None] >> np.arange(1 << n) & 1
    x = cube_points(n).astype(bool)
    found = np.ones((len(tables), n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            if i != j:
                gains = tables[:, x[:, i] & ~x[:, j]] - tables[:, ~x[:, i] & x[:, j]]
                found[:, i, j] = (gains >= 0).all(axis=1)
    return found


def regular(n):
    """The codes of the monotone functions whose variables can all be compared."""
    either = stronger(n) | stronger(n).swapaxes(1, 2)
    return monotone(n)[either.all(axis=(1, 2))]


def disjoint_terms(sizes):
    ends = np.cumsum([0, *sizes])
    x = cube_points(int(ends[-1])).astype(bool)
    terms = [x[:, a:b].all(axis=1) for a, b in pairwise(ends)]
    return BooleanFunction(int(ends[-1]), np.any([np.zeros(len(x), dtype=bool), *terms], axis=0))


def trap(a, c):
    """``(x_1 or ... or x_a) and y_1 ... y_c, or z_1 ... z_c``."""
    x = cube_points(a + 2 * c).astype(bool)
    first = x[:, :a].any(axis=1) & x[:, a : a + c].all(axis=1)
    return BooleanFunction(a + 2 * c, first | x[:, a + c :].all(axis=1))


@stated(
    "OURS-STRONGER",
    r"In a monotone function, if $x_i$ is at least as strong as $x_j$, then $\mathrm{Inf}_i \ge "
    r"\mathrm{Inf}_j$, with equality only if exchanging them does not change the function.",
)
@holds(
    "of two variables",
    r"\operatorname{Inf}_i(f)\ge\operatorname{Inf}_j(f)",
    {
        "the weaker one is as influential": {"given": lambda over: over.T},
        "a difference of 1/4 is a tie": {"level": 4},
    },
)
@same("pairs of variables of monotone functions of 4 variables")
def test_strength_is_influence(given=lambda over: over, level=0):
    x = np.arange(16)
    for code, over in zip(monotone(4), stronger(4), strict=True):
        f = BooleanFunction.from_int(4, int(code))
        counts = [(f.table != f.table[x ^ 1 << i]).sum() for i in range(4)]
        for i, j in combinations(range(4), 2):
            if given(over)[i, j]:
                alike = over[i, j] and over[j, i]
                wrong = counts[i] < counts[j] or (counts[i] - counts[j] <= level) != alike
                yield wrong, f"x{i} and x{j} of {name(4, code)}"


@stated(
    "OURS-OPT-REGULAR",
    "For a regular function, such as a linear threshold function, every exact greedy tree has the "
    "fewest leaves, the least depth and the least average depth of all its trees.",
    note="All regular functions of up to 5 variables are tried, the monotone ones of each family; "
    "for depth and average depth with ties going to the lowest variable. For linear threshold "
    "functions, size and depth are due to Fiat and Pechyony (2004).",
)
def test_regular_functions(trial):
    @cache
    def trees(codes):
        chosen = codes(5)
        return chosen, optimal_all(5, codes=chosen), greedy_all(5, chosen)

    def least(measure, of_best):
        @same("monotone regular functions of 5 variables")
        def check(codes=regular):
            chosen, best, found = trees(codes)
            gaps = getattr(found, measure) - getattr(best, of_best)
            yield from ((gap, name(5, code)) for gap, code in zip(gaps, chosen, strict=True))

        return check

    every = {"all monotone functions": {"codes": monotone}}
    trial.holds("leaves, with the unluckiest ties", least("worst", "n_leaves"), "", every)
    others = {"functions that are not regular": {"codes": lambda _: np.arange(0, 1 << 16, 33)}}
    trial.holds("depth", least("depth", "depth"), "", others)
    trial.holds("average depth", least("average_depth", "average_depth"), "", every)
    variants = {"all monotone functions": {"listed": monotone}}

    @trial.form("as many as linear threshold functions", "4, 14, 104, 1882, 94572", variants)
    @same("numbers of variables")
    def counted(listed=regular, counts=(4, 14, 104, 1882, 94572)):
        for n, count in enumerate(counts, 1):
            x = np.arange(1 << n)
            tables = listed(n)[:, None] >> x & 1
            used = sum((tables != tables[:, x ^ 1 << i]).any(axis=1) for i in range(n))
            yield (2**used).sum() - count, f"n = {n}"


@stated(
    "OURS-OPT-MAJORITY",
    r"The smallest trees for majority of $n$ bits, $n$ odd, have $\binom{n+1}{(n+1)/2}$ leaves.",
)
@holds(
    "leaves",
    r"\binom{n+1}{(n+1)/2}",
    {
        "a binomial coefficient below": {"formula": lambda k: comb(2 * k + 1, k + 1)},
        "a complete tree": {"formula": lambda k: 2 ** (2 * k + 1)},
    },
)
@same("k = 0, ..., 5")
def test_majority(formula=lambda k: comb(2 * k + 2, k + 1)):
    for k in range(6):
        f = zoo.majority(2 * k + 1)
        found = [chapter.greedy_sizes(f).best, chapter.greedy_sizes(f).worst]
        found += [optimal(f).n_leaves] if k < 5 else []
        yield any(size != formula(k) for size in found), f"k = {k}"


@stated(
    "OURS-OPT-TERMS",
    r"For a read-once DNF with terms of $t_1 \le \dots \le t_N$ literals the smallest trees, and "
    r"every exact greedy tree, have $1 + t_1 + t_1t_2 + \dots + t_1 \cdots t_N$ leaves; a smallest "
    "tree begins with a shortest term.",
    note="That greed is optimal here is due to Fiat and Pechyony (2004).",
)
def test_disjoint_terms(trial):
    def products(sizes, first=0):
        return sum(prod(sizes[:i]) for i in range(first, len(sizes) + 1))

    variants = {
        "the longest term first": {"turn": -1},
        "without the leaf 1": {"formula": lambda sizes: products(sizes, 1)},
    }

    @trial.form("leaves", r"1+t_1+t_1t_2+\dots+t_1t_2\cdots t_N", variants)
    @same("lists of lengths")
    def leaves(formula=products, turn=1):
        for sizes in TERMS:
            f = disjoint_terms(sizes)
            ties = chapter.greedy_sizes(f)
            found = {ties.best, ties.worst, optimal(f).n_leaves}
            yield found != {formula(sizes[::turn])}, f"lengths {sizes}"

    variants = {
        "any first query is as good": {"short": lambda _: ()},
        "one product more": {"short": range},
    }

    @trial.form("what another first query costs", r"G(t_1,\dots,t_N)+\sum_{i<j-1}P_i", variants)
    @same("variables of such functions")
    def wrong_root(short=lambda k: range(k - 1)):
        """The excess of a wrong first query: the products before the last shorter term."""
        for sizes in TERMS:
            f, ends = disjoint_terms(sizes), np.cumsum(sizes)
            for i in range(f.n):
                length = sizes[int(np.searchsorted(ends, i, side="right"))]
                k = 1 + sizes.index(length)
                excess = sum(prod(sizes[:j]) for j in short(k))
                found = sum(optimal(f.restrict(i, b)).n_leaves for b in (0, 1))
                yield found - products(sizes) - excess, f"x{i} of lengths {sizes}"


@stated(
    "OURS-OPT-TRAP",
    r"For $(x_1 \vee \dots \vee x_a) y_1 \cdots y_c \vee z_1 \cdots z_c$, $a \ge 2$, every exact "
    r"greedy tree has $c(a + c + 1) + 1$ leaves, and some tree has $a + (c + 1)^2$.",
)
def test_trap(trial):
    variants = {
        "no more than the small tree": {"leaves": lambda a, c: a + (c + 1) ** 2},
        "one leaf fewer": {"leaves": lambda a, c: c * (a + c + 1)},
    }

    @trial.form("the greedy tree", "c(a+c+1)+1", variants)
    @same("pairs (a, c)")
    def greedy(leaves=lambda a, c: c * (a + c + 1) + 1):
        for a, c in TRAPS:
            ties = chapter.greedy_sizes(trap(a, c))
            yield {ties.best, ties.worst} != {leaves(a, c)}, f"a = {a}, c = {c}"

    variants = {"one leaf fewer": {"leaves": lambda a, c: a + (c + 1) ** 2 - 1}}

    @trial.form("the small tree", "a+(c+1)^2", variants)
    @same("pairs (a, c)")
    def small(leaves=lambda a, c: a + (c + 1) ** 2):
        for a, c in TRAPS:
            yield optimal(trap(a, c)).n_leaves > leaves(a, c), f"a = {a}, c = {c}"
