"""Chapter 1, what a question does to a function: the identities behind cost, score and variance."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from claims.influence.populations import FOUR, PAGE, PAIRS, Array, Floats, function, leaves, sharp
from claims.kit import OURS, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import all_functions, bare_trees, log2, name, shape, trees_and_functions
from dtviz.core import functions as zoo
from dtviz.core.exhaustive import restrictions

SPLITS = "functions of 4 variables, split on one"


@cache
def _halves(i: int) -> tuple[Array, Array]:
    """The codes of the restrictions ``x_i = 0`` and ``x_i = 1``, functions of 3 variables."""
    return restrictions(4)[i, 0], restrictions(4)[i, 1]


def _split(k: int) -> str:
    return f"{name(4, k % (1 << 16))}, split on x{k >> 16}"


def _others(i: int) -> list[int]:
    return [j for j in range(4) if j != i]


@claim(
    "OURS-RESTRICT",
    OURS,
    r"If a tree with $s$ leaves computes $f$, every restriction of $f$ has a tree with at most "
    r"$s$ leaves.",
    PAGE,
)
def test_restricting_never_hurts(trial: Trial) -> None:
    def sizes(factor: float = 1) -> Outcome:
        below, size = all_functions(3).size, all_functions(4).size
        left = np.stack([np.maximum(*(below[half] for half in _halves(i))) for i in range(4)])
        right = np.broadcast_to(factor * size, left.shape)
        return sharp(SPLITS, left, right, _split, example=lambda k: function(k % (1 << 16)))

    fewer = {"fewer than s leaves": {"factor": 0.999}}
    trial.holds("the larger of both restrictions of a variable", sizes, "", fewer)


@claim(
    "OURS-KRAFT",
    OURS,
    r"The average depth of a tree with $s$ leaves is at most its logarithm: "
    r"$\Delta(T) = \sum_\ell 2^{-|\ell|} |\ell| \le \log_2 s$.",
    PAGE,
)
def test_a_small_tree_is_shallow(trial: Trial) -> None:
    def depths(factor: float = 1, log: Callable[[Array], Floats] = log2) -> Outcome:
        trees = (*bare_trees(3), *bare_trees(4, 5))
        depth = [[len(path) for path in tree.paths()] for tree in trees]
        left = [sum(d * 2.0**-d for d in found) for found in depth]
        right = factor * log(np.array([tree.n_leaves for tree in trees]))
        return sharp("trees", left, right, lambda k: shape(trees[k]), example=trees.__getitem__)

    trial.holds(
        "all trees of 3 variables, and of 4 with at most 5 leaves",
        depths,
        r"\Delta(T)\le\log s",
        {"0.999 log2 s": {"factor": 0.999}, "with ln for log2": {"log": np.log}},
    )


@claim(
    "OURS-COINS",
    OURS,
    r"At a leaf the bits not asked are still independent fair coins; a question sends half of its "
    r"weight each way; and a fresh toss of $x_i$ changes $f$ with probability $\frac12 "
    r"\mathrm{Inf}_i(f)$.",
    PAGE,
)
def test_fair_coins(trial: Trial) -> None:
    def what_is_not_asked(asked_too: bool = False) -> Outcome:
        """Every pattern of the bits not asked comes up once among the points of a leaf."""
        found, x, gap = leaves(), np.arange(8), []
        for inside, after in zip(found.inside, found.after, strict=True):
            free = sum(1 << i for i in range(3) if asked_too or after[i] >= 0)
            patterns = np.bincount((x & free)[inside], minlength=8)[np.unique(x & free)]
            gap.append(np.abs(patterns - 1).max())
        return equality("leaves of trees", gap, lambda p: f"leaf {p}")

    def halves(share: float = 1 / 2) -> Outcome:
        found, pairs = leaves(), trees_and_functions(3)
        p, i = np.nonzero(found.after >= 0)
        # The child of the answer 0 keeps the number of its parent.
        child = found.start[found.after[p, i]] + p - found.start[found.tree[p]]
        gap = found.inside[child].sum(axis=1) - share * found.mass[p, 0]
        return equality("splits", gap, lambda k: f"{shape(pairs.trees[found.tree[p[k]]])}")

    def fresh_toss(share: float = 1 / 2) -> Outcome:
        every, x, gap = all_functions(4), np.arange(16), []
        for i in range(4):
            tossed = [every.table[:, x & ~(1 << i) | bit << i] for bit in (0, 1)]
            changed = np.mean([every.table != value for value in tossed], axis=(0, 2))
            gap.append(changed - share * every.changes[:, i] / 16)
        return equality(SPLITS, gap, _split)

    asked = {"the bits asked, too": {"asked_too": True}}
    trial.holds("what is not asked stays random", what_is_not_asked, "", asked)
    trial.holds("a question halves", halves, "", {"a third": {"share": 1 / 3}})
    formula = r"\frac12\,\operatorname{Inf}_i(f)"
    trial.holds("a fresh toss", fresh_toss, formula, {"as often as a flip": {"share": 1}})


@claim(
    "OURS-SPLIT",
    OURS,
    r"$\mathrm{Inf}_j(f) = \frac12 \mathrm{Inf}_j(f_0) + \frac12 \mathrm{Inf}_j(f_1)$ for "
    r"$j \ne i$, so $\mathrm{Inf}(f) = \mathrm{Inf}_i(f) + \frac12 \mathrm{Inf}(f_0) + "
    r"\frac12 \mathrm{Inf}(f_1)$.",
    PAGE,
)
def test_split_identity(trial: Trial) -> None:
    def one(low: float = 1, high: float = 1) -> Outcome:
        """In points: those of both restrictions add up to those of f."""
        below, gap = all_functions(3).changes, []
        for i in range(4):
            parts = [weight * below[h] for weight, h in zip((low, high), _halves(i), strict=True)]
            gap.append(np.abs(all_functions(4).changes[:, _others(i)] - sum(parts)).max(axis=1))
        return equality(SPLITS, gap, _split)

    def total(own: float = 1) -> Outcome:
        below, every = all_functions(3).total_influence, all_functions(4)
        gap = [
            every.total_influence
            - own * every.changes[:, i] / 16
            - (below[_halves(i)[0]] + below[_halves(i)[1]]) / 2
            for i in range(4)
        ]
        return equality(SPLITS, gap, _split)

    trial.holds(
        "for each other variable",
        one,
        r"\operatorname{Inf}_j(f)=\tfrac12\operatorname{Inf}_j(f_0)+\tfrac12\operatorname{Inf}_j(f_1)",
        {"the restriction to 0 alone": {"low": 2, "high": 0}, "a third of each": {"low": 2 / 3}},
    )
    trial.holds(
        "for the total",
        total,
        r"\operatorname{Inf}(f)={}\operatorname{Inf}_i(f)"
        r"+\tfrac12\operatorname{Inf}(f_0)+\tfrac12\operatorname{Inf}(f_1)",
        {"without Inf_i": {"own": 0}, "half of Inf_i": {"own": 1 / 2}},
    )


@claim(
    "OURS-CHILD",
    OURS,
    r"If a leaf is split, on any variable, neither child has a higher score: "
    r"$\frac12 \max_j \mathrm{Inf}_j(f_b) \le \max_j \mathrm{Inf}_j(f)$.",
    PAGE,
)
def test_a_child_never_outscores_its_parent(trial: Trial) -> None:
    def scores(weight: float = 1 / 2) -> Outcome:
        """In points of the cube, of which a restriction has half."""
        below = 2 * weight * all_functions(3).changes.max(axis=1)
        parent = all_functions(4).changes.max(axis=1)
        left = np.stack([np.maximum(*(below[half] for half in _halves(i))) for i in range(4)])
        right = np.broadcast_to(parent, left.shape)
        return sharp(SPLITS, left, right, _split, example=lambda k: function(k % (1 << 16)))

    trial.holds(
        "the better child",
        scores,
        r"2^{-|\ell|}\cdot\tfrac12\operatorname{Inf}_j(f_{\ell_b})"
        r"\le2^{-|\ell|}\operatorname{Inf}_j(f_\ell)\le\operatorname{score}(\ell)",
        {"without its half of the weight": {"weight": 1}, "0.501 of it": {"weight": 0.501}},
    )


@claim(
    "OURS-VAR-SPLIT",
    OURS,
    r"$\mathrm{Var}(f) = \frac12 \mathrm{Var}(f_0) + \frac12 \mathrm{Var}(f_1) + (m_0 - m_1)^2$, "
    r"and $|m_0 - m_1| \le \mathrm{Inf}_i(f)$.",
    PAGE,
)
def test_variance_at_a_split(trial: Trial) -> None:
    def between(i: int) -> Floats:
        low, high = (all_functions(3).ones[half] / 8 for half in _halves(i))
        return np.asarray(low - high)

    def identity(power: int = 2, factor: float = 1) -> Outcome:
        every, below = all_functions(4).variance, all_functions(3).variance
        parts = [(below[low] + below[high]) / 2 for low, high in map(_halves, range(4))]
        gap = [every - parts[i] - factor * np.abs(between(i)) ** power for i in range(4)]
        return equality(SPLITS, gap, _split)

    def difference(factor: float = 1) -> Outcome:
        right = factor * all_functions(4).changes.T / 16
        return sharp(SPLITS, [np.abs(between(i)) for i in range(4)], right, _split)

    trial.holds(
        "the three parts",
        identity,
        r"\operatorname{Var}(f)={}\tfrac12\operatorname{Var}(f_0)+\tfrac12\operatorname{Var}(f_1)"
        r"+(m_0-m_1)^2",
        {"without the square": {"power": 1}, "half of the square": {"factor": 1 / 2}},
    )
    trial.holds(
        "the difference of the means",
        difference,
        r"|m_0-m_1|\le\operatorname{Inf}_i(f)",
        {"half of Inf_i": {"factor": 1 / 2}, "0.999 Inf_i": {"factor": 0.999}},
    )


@claim(
    "OURS-POINCARE",
    OURS,
    r"$\mathrm{Var}(f) \le \mathrm{Inf}(f)$, with equality only for constants and literals.",
    PAGE,
)
def test_variance_is_at_most_total_influence(trial: Trial) -> None:
    every = all_functions(4)

    def below(factor: float = 1) -> Outcome:
        right = factor * every.total_influence
        return sharp(FOUR, every.variance, right, lambda k: name(4, k), example=function)

    def equal_for(negated: bool = True, parity: bool = False) -> Outcome:
        literals = [zoo.dictator(4, i) for i in range(4)]
        known = {0, (1 << 16) - 1, *(f.code for f in literals)}
        known |= {(~f).code for f in literals if negated} | (
            {zoo.parity(4).code} if parity else set()
        )
        tight = every.variance == every.total_influence
        wrong = tight != np.isin(np.arange(1 << 16), list(known))
        return outcome(FOUR, ~wrong, tight, lambda k: name(4, k), example=function)

    half = {"half the influence, bits drawn again": {"factor": 1 / 2}, "0.999": {"factor": 0.999}}
    formula = r"\operatorname{Var}(f)\le\operatorname{Inf}(f)"
    trial.holds("Var ≤ Inf", below, formula, half)
    trial.holds(
        "equal for constants and literals only",
        equal_for,
        "",
        {"not for negations": {"negated": False}, "for the parity, too": {"parity": True}},
    )


@claim(
    "OURS-EXCHANGE",
    OURS,
    r"Copy from $x$ into $y$ the bits that a tree asks on input $x$. The point $u$ is uniform "
    r"again, and $\Pr[g(u) \ne g(y)] \le \sum_i \delta_i(T) \cdot \frac12 \mathrm{Inf}_i(g)$ for "
    r"every function $g$.",
    PAGE,
)
def test_exchanging_the_bits_that_a_tree_asks(trial: Trial) -> None:
    pairs, every, bits = trees_and_functions(3), all_functions(3), 1 << np.arange(3)

    def asked(k: int) -> Array:
        """Whether each point is asked for each bit, ``(8, 3)``."""
        return np.array([np.isin(range(3), [i for i, _ in p]) for p in pairs.trees[k].paths()])[
            pairs.leaf[k]
        ]

    def copied(k: int) -> tuple[Array, Array]:
        """What is taken of x, ``(x, 1)``, and of y, ``(x, y)``."""
        mask, x = (asked(k) @ bits)[:, None], np.arange(8)
        return x[:, None] & mask, x & ~mask

    def uniform(keep: int = 0) -> Outcome:
        gap = []
        for k in range(len(pairs.trees)):
            of_x, of_y = copied(k)
            count = np.bincount((of_x | of_y | np.arange(8) & keep).ravel(), minlength=8)
            gap.append(np.abs(count - 8).max())
        return equality("trees of 3 variables", gap, lambda k: shape(pairs.trees[k]))

    def changed(factor: float = 1 / 2, power: int = 1) -> Outcome:
        left, right = [], []
        for k in range(len(pairs.trees)):
            u = np.bitwise_or(*copied(k))
            left.append((every.table[:, u] != every.table[:, None, :]).mean(axis=(1, 2)))
            right.append(factor * every.changes / 8 @ asked(k).mean(axis=0) ** power)
        return sharp(
            PAIRS,
            left,
            right,
            lambda k: pairs.describe(*divmod(k, 256)),
            example=lambda k: pairs.trees[k // 256],
        )

    trial.holds("u is uniform", uniform, "", {"ones of y are kept": {"keep": 7}})
    trial.holds(
        "the value changes seldom",
        changed,
        r"\Pr[g(u)\ne g(y)]\le\sum_i\delta_i(T)\cdot\tfrac12\operatorname{Inf}_i(g).",
        {"0.499 for the half": {"factor": 0.499}, "delta_i squared": {"power": 2}},
    )
