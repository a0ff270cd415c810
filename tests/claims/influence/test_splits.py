"""Chapter 1, what a question does to a function: the identities behind cost, score and variance."""

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import FOUR, function, leaves, of_four, sharp, stated
from claims.kit import equality, holds, outcome, same
from claims.kit.populations import all_functions, bare_trees, log2, name, shape, trees_and_functions
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean_trees.exhaustive import restrictions_of

SPLITS = "functions of 4 variables, split on one"
HALVES = np.array(restrictions_of(np.arange(1 << 16), 4))
"""``(4, 2, 65536)``: for each variable the codes of both restrictions, functions of 3 variables."""
OTHERS = [[j for j in range(4) if j != i] for i in range(4)]


def _split(k):
    return f"{name(4, k % (1 << 16))}, split on x{k >> 16}"


def _same(gap):
    return equality(SPLITS, gap, _split)


def _bound(left, right):
    right = np.broadcast_to(right, left.shape)
    return sharp(SPLITS, left, right, _split, example=lambda k: function(k % (1 << 16)))


@stated(
    "OURS-RESTRICT",
    r"If a tree with $s$ leaves computes $f$, every restriction of $f$ has a tree with at most "
    r"$s$ leaves.",
)
@holds(
    "the larger of both restrictions of a variable", "", {"fewer than s leaves": {"factor": 0.999}}
)
def test_restricting_never_hurts(factor=1):
    left = all_functions(3).size[HALVES].max(axis=1)
    return _bound(left, factor * all_functions(4).size)


@stated(
    "OURS-KRAFT",
    r"The average depth of a tree with $s$ leaves is at most its logarithm: "
    r"$\Delta(T) = \sum_\ell 2^{-|\ell|} |\ell| \le \log_2 s$.",
)
def test_a_small_tree_is_shallow(trial):
    trees = (*bare_trees(3), *bare_trees(4, 5))

    @trial.form(
        "all trees of 3 variables, and of 4 with at most 5 leaves",
        r"\Delta(T)\le\log s",
        {"0.999 log2 s": {"log": lambda s: 0.999 * log2(s)}, "with ln for log2": {"log": np.log}},
    )
    def depths(log=log2):
        left = [sum(len(path) / 2 ** len(path) for path in tree.paths()) for tree in trees]
        right = [log(tree.n_leaves) for tree in trees]
        return sharp("trees", left, right, lambda k: shape(trees[k]), example=trees.__getitem__)


@stated(
    "OURS-COINS",
    r"At a leaf $\ell$ the bits not queried are still independent fair coins; a query sends half "
    r"of its weight each way; and a fresh toss of $x_i$ changes $f$ with probability $\frac12 "
    r"\mathrm{Inf}_i(f)$.",
)
def test_fair_coins(trial):
    found = leaves()

    asked = {"the bits queried, too": {"asked_too": True}}

    @trial.form("what is not queried stays random", "", asked)
    @same("leaves of trees")
    def what_is_not_asked(asked_too=False):
        """Every pattern of the bits not asked comes up once among the points of a leaf."""
        for p, (inside, after) in enumerate(zip(found.inside, found.after, strict=True)):
            free = sum(1 << i for i in range(3) if asked_too or after[i] >= 0)
            patterns = np.bincount((np.arange(8) & free)[inside], minlength=8)
            yield np.abs(patterns[np.unique(np.arange(8) & free)] - 1).max(), f"leaf {p}"

    @trial.form("a query halves", "", {"a third": {"share": 1 / 3}})
    def halves(share=1 / 2):
        p, i = np.nonzero(found.after >= 0)
        # The child of the answer 0 keeps the number of its parent.
        child = found.start[found.after[p, i]] + p - found.start[found.tree[p]]
        gap = found.mass[child, 0] - share * found.mass[p, 0]
        trees = trees_and_functions(3).trees
        return equality("splits", gap, lambda k: shape(trees[found.tree[p[k]]]))

    formula = r"\frac12\,\operatorname{Inf}_i(f)"

    @trial.form("a fresh toss", formula, {"as often as a flip": {"share": 1}})
    def fresh_toss(share=1 / 2):
        every, x, gap = all_functions(4), np.arange(16), []
        for i in range(4):
            tossed = [every.table[:, x & ~(1 << i) | bit << i] for bit in (0, 1)]
            changed = np.mean([every.table != value for value in tossed], axis=(0, 2))
            gap.append(changed - share * every.changes[:, i] / 16)
        return _same(gap)


@stated(
    "OURS-SPLIT",
    r"$\mathrm{Inf}_j(f) = \frac12 \mathrm{Inf}_j(f_0) + \frac12 \mathrm{Inf}_j(f_1)$ for "
    r"$j \ne i$, so $\mathrm{Inf}(f) = \mathrm{Inf}_i(f) + \frac12 \mathrm{Inf}(f_0) + "
    r"\frac12 \mathrm{Inf}(f_1)$.",
)
def test_split_identity(trial):
    below, every = all_functions(3), all_functions(4)

    @trial.form(
        "for each other variable",
        r"\operatorname{Inf}_j(f)=\tfrac12\operatorname{Inf}_j(f_0)"
        r"+\tfrac12\operatorname{Inf}_j(f_1)",
        {"the restriction to 0 alone": {"low": 2, "high": 0}, "a third of each": {"low": 2 / 3}},
    )
    def one(low=1, high=1):
        parts = low * below.changes[HALVES[:, 0]] + high * below.changes[HALVES[:, 1]]
        return _same(np.abs(every.changes[:, OTHERS].swapaxes(0, 1) - parts).max(axis=2))

    @trial.form(
        "for the total",
        r"\operatorname{Inf}(f)={}\operatorname{Inf}_i(f)"
        r"+\tfrac12\operatorname{Inf}(f_0)+\tfrac12\operatorname{Inf}(f_1)",
        {"without Inf_i": {"own": 0}, "half of Inf_i": {"own": 1 / 2}},
    )
    def total(own=1):
        parts = below.total_influence[HALVES].mean(axis=1)
        return _same(every.total_influence - own * every.changes.T / 16 - parts)


@stated(
    "OURS-CHILD",
    r"If a leaf $\ell$ is split, on any variable, neither new leaf has a score above "
    r"$\mathrm{score}(\ell)$.",
)
@holds(
    "the better child",
    r"2^{-|\ell|}\cdot\tfrac12\operatorname{Inf}_j(f_{\ell_b})"
    r"\le2^{-|\ell|}\operatorname{Inf}_j(f_\ell)\le\operatorname{score}(\ell)",
    {"without its half of the weight": {"weight": 1}, "0.501 of it": {"weight": 0.501}},
)
def test_a_child_never_outscores_its_parent(weight=1 / 2):
    left = weight * all_functions(3).max_influence[HALVES].max(axis=1)
    return _bound(left, all_functions(4).max_influence)


@stated(
    "OURS-VAR-SPLIT",
    r"$\mathrm{Var}(f) = \frac12 \mathrm{Var}(f_0) + \frac12 \mathrm{Var}(f_1) + (m_0 - m_1)^2$, "
    r"and $|m_0 - m_1| \le \mathrm{Inf}_i(f)$.",
)
def test_variance_at_a_split(trial):
    between = np.abs(np.diff(all_functions(3).ones[HALVES] / 8, axis=1))[:, 0]

    @trial.form(
        "the three parts",
        r"\operatorname{Var}(f)={}\tfrac12\operatorname{Var}(f_0)+\tfrac12\operatorname{Var}(f_1)"
        r"+(m_0-m_1)^2",
        {"without the square": {"power": 1}, "half of the square": {"factor": 1 / 2}},
    )
    def identity(power=2, factor=1):
        parts = all_functions(3).variance[HALVES].mean(axis=1) + factor * between**power
        return _same(all_functions(4).variance - parts)

    @trial.form(
        "the difference of the means",
        r"|m_0-m_1|\le\operatorname{Inf}_i(f)",
        {"half of Inf_i": {"factor": 1 / 2}, "0.999 Inf_i": {"factor": 0.999}},
    )
    def difference(factor=1):
        return _bound(between, factor * all_functions(4).changes.T / 16)


@stated(
    "OURS-POINCARE",
    r"$\mathrm{Var}(f) \le \mathrm{Inf}(f)$, with equality only for constants and literals.",
)
def test_variance_is_at_most_total_influence(trial):
    every = all_functions(4)

    half = {"half the influence, bits drawn again": {"factor": 1 / 2}, "0.999": {"factor": 0.999}}

    @trial.form("Var ≤ Inf", r"\operatorname{Var}(f)\le\operatorname{Inf}(f)", half)
    def below(factor=1):
        return of_four(every.variance, factor * every.total_influence)

    variants = {"not for negations": {"negated": False}}
    variants["for the parity, too"] = {"more": [zoo.parity(4)]}

    @trial.form("equal for constants and literals only", "", variants)
    def equal_for(negated=True, more=()):
        literals = [zoo.dictator(4, i) for i in range(4)]
        known = [0, (1 << 16) - 1, *(f.code for f in (*literals, *more))]
        known += [(~f).code for f in literals if negated]
        equal = every.variance == every.total_influence
        right = equal == np.isin(np.arange(1 << 16), known)
        return outcome(FOUR, right, equal, lambda k: name(4, k), example=function)


@stated(
    "OURS-EXCHANGE",
    "Copy from $x$ into $y$ the bits that a tree $T$ queries on input $x$. The point $u$ is "
    r"uniform again, and $\Pr[g(u) \ne g(y)] \le \sum_i \delta_i(T) \cdot \frac12 "
    r"\mathrm{Inf}_i(g)$ for every function $g$.",
)
def test_exchanging_the_bits_that_a_tree_asks(trial):
    pairs, every, x = trees_and_functions(3), all_functions(3), np.arange(8)

    def exchanged():
        """For each tree which bits each point is asked for, ``(8, 3)``, and u, ``(x, y)``."""
        for tree, leaf in zip(pairs.trees, pairs.leaf, strict=True):
            asked = np.array([np.isin(range(3), [i for i, _ in p]) for p in tree.paths()])[leaf]
            mask = (asked @ [1, 2, 4])[:, None]
            yield tree, asked, x[:, None] & mask | x & ~mask

    @trial.form("u is uniform", "", {"ones of y are kept": {"keep": 7}})
    @same("trees of 3 variables")
    def uniform(keep=0):
        for tree, _, u in exchanged():
            yield np.abs(np.bincount((u | x & keep).ravel(), minlength=8) - 8).max(), shape(tree)

    @trial.form(
        "the value changes seldom",
        r"\Pr[g(u)\ne g(y)]\le\sum_i\delta_i(T)\cdot\tfrac12\operatorname{Inf}_i(g).",
        {"0.499 for the half": {"factor": 0.499}, "delta_i squared": {"power": 2}},
    )
    def changed(factor=1 / 2, power=1):
        left, right = [], []
        for _, asked, u in exchanged():
            left.append((every.table[:, u] != every.table[:, None, :]).mean(axis=(1, 2)))
            right.append(factor * every.changes / 8 @ asked.mean(axis=0) ** power)
        return world.of_pairs(left, right)
