"""Chapter 3, the definitions: influence by drawing a bit anew, score, cost, the algorithm.

Also where influence agrees with the impurity gains of chapter 4, and where not.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt

from dtviz.claims.monotone import monotone
from dtviz.claims.populations import all_functions, name, trees_and_functions
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import PS
from dtviz.core import measures, topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.costs import entropy, gini
from dtviz.product.claims.populations import MEASURES, pairs, runs, under

__all__ = ["CLAIMS"]

PAGE = "3-product"
PAIRS = "pairs of a function and a measure"
MIXED = MEASURES[2]
Restriction = tuple[tuple[int, int], ...]
Floats = npt.NDArray[np.float64]


# -- influence -------------------------------------------------------------------------------------


def _drawn_anew(table: npt.NDArray[np.int8], p: tuple[float, ...]) -> list[Fraction]:
    """``Pr[f(x) != f(x^(i))]`` by drawing bit i anew, in fractions."""
    n = len(p)
    q = [Fraction(b) for b in p]
    weights = [Fraction(1)]
    for b in q:
        weights = [w * c for c in (1 - b, b) for w in weights]
    found = []
    for i in range(n):
        total = Fraction(0)
        for x, w in enumerate(weights):
            for bit in (0, 1):
                y = x & ~(1 << i) | bit << i
                if table[x] != table[y]:
                    total += w * (q[i] if bit else 1 - q[i])
        found.append(total)
    return found


def _resample_influence() -> Outcome:
    """`dt.resample_influences` against the definition: functions of 3 variables, `MEASURES`."""
    gap, names = [], []
    for p in MEASURES:
        mu = ProductDistribution(p)
        for code in range(0, 256, 2):
            f = BooleanFunction.from_int(3, code)
            fast = [Fraction(v) for v in measures.resample_influences(f, mu).tolist()]
            by_hand = _drawn_anew(f.table, p)
            gap.append(max(abs(float(a - b)) for a, b in zip(fast, by_hand, strict=True)))
            names.append(f"{name(3, code)}, {under(p)}")
    return equality(PAIRS, gap, names.__getitem__)


def _from_flip_influence() -> Outcome:
    """The measures of the package against the table of all pairs: ``2 p_i (1-p_i)`` times flip."""
    every = pairs()
    gap = np.zeros(every.code.size)
    for k in range(0, every.code.size, 101):
        f = BooleanFunction.from_int(3, int(every.code[k]))
        mu = ProductDistribution(every.p[k])
        fast = np.stack([measures.resample_influences(f, mu), measures.influences(f, mu)])
        gap[k] = np.abs(fast - [every.resample[k], every.flip[k]]).max()
    chosen = np.arange(0, every.code.size, 101)
    return equality(PAIRS, gap[chosen], lambda k: every.describe(int(chosen[k])))


def _equal_to_flip_influence() -> Outcome:
    """The same number as chapter 1's, under the uniform distribution."""
    every = all_functions(3)
    flip = every.changes / 8
    resample = [
        measures.resample_influences(BooleanFunction.from_int(3, code)) for code in range(256)
    ]
    gap = np.abs(np.array(resample) - flip).max(axis=1)
    return outcome(
        "functions of 3 variables, uniform",
        gap == 0,
        gap,
        lambda k: f"resample {max(resample[k]):g}, flip {flip[k].max():g} for {name(3, k)}",
    )


# -- score and cost --------------------------------------------------------------------------------


def _restricted(f: BooleanFunction, path: Restriction) -> BooleanFunction:
    """What is left of f with variables fixed; the others keep their order."""
    for i, b in sorted(path, reverse=True):
        f = f.restrict(i, b)
    return f


def _by_leaf(f: BooleanFunction, p: tuple[float, ...], path: Restriction) -> list[Fraction]:
    """``Pr[leaf] * Inf_i(f at the leaf)`` for each variable that is free there, in fractions."""
    reach = Fraction(1)
    for i, b in path:
        reach *= Fraction(p[i]) if b else 1 - Fraction(p[i])
    left = tuple(q for i, q in enumerate(p) if i not in dict(path))
    return [reach * v for v in _drawn_anew(_restricted(f, path).table, left)]


CHOSEN = (22, 106, 150, 232)
"""Codes of functions of 3 variables for which every tree is measured."""


def _leaves_of_trees(*, total: bool) -> Outcome:
    """`dt.leaf_scores`, or (``total``) `dt.tree_cost`, of every tree, against its leaves."""
    gap, names = [], []
    mu = ProductDistribution(MIXED)
    for code in CHOSEN:
        f = BooleanFunction.from_int(3, code)
        known: dict[Restriction, list[Fraction]] = {}
        for k, tree in enumerate(trees_and_functions(3).trees):
            shares = []
            for path in tree.paths():
                key = tuple(sorted(path))
                if key not in known:
                    known[key] = _by_leaf(f, MIXED, key)
                shares.append(known[key])
            if total:
                by_hand = sum((sum(share, Fraction(0)) for share in shares), Fraction(0))
                gap.append(abs(float(Fraction(topdown.tree_cost(tree, f, mu)) - by_hand)))
            else:
                scores = topdown.leaf_scores(tree, f, mu).score.tolist()
                best = [max(share, default=Fraction(0)) for share in shares]
                gap.append(
                    max(abs(float(Fraction(a) - b)) for a, b in zip(scores, best, strict=True))
                )
            names.append((k, code))
    return equality(
        "pairs of a tree and a function",
        gap,
        lambda k: f"{trees_and_functions(3).describe(*names[k])}, {under(MIXED)}",
    )


# -- the algorithm ---------------------------------------------------------------------------------


def _by_definition(
    f: BooleanFunction, p: tuple[float, ...]
) -> list[tuple[Restriction, int, Fraction]]:
    """BuildTopDownDT as written, in fractions: per step the leaf, its variable, the cost before."""
    leaves: dict[Restriction, list[Fraction]] = {(): _by_leaf(f, p, ())}
    made: list[tuple[Restriction, int, Fraction]] = []
    while True:
        best = min(
            leaves,
            key=lambda path: (-max(leaves[path], default=0), len(path), [b for _, b in path]),
        )
        score = max(leaves[best], default=Fraction(0))
        if score == 0:
            return made
        cost = sum((sum(share, Fraction(0)) for share in leaves.values()), Fraction(0))
        shares = leaves.pop(best)
        variable = [i for i in range(f.n) if i not in dict(best)][shares.index(score)]
        made.append((best, variable, cost))
        for b in (0, 1):
            child = (*best, (variable, b))
            leaves[child] = _by_leaf(f, p, child)


def _runs_follow_the_definition() -> Outcome:
    """`dt.build_top_down` with a measure against the rescan of all leaves, step by step."""
    wrong, names = [], []
    for run in runs()[: 254 * len(MEASURES) : 11]:
        path = topdown.build_top_down(run.f, run.mu)
        leaf_of: dict[int, Restriction] = {0: ()}
        fast = []
        for split, cost in zip(path.splits, path.costs, strict=False):
            fast.append((leaf_of[split.node], split.variable, Fraction(cost)))
            for b in (0, 1):
                leaf_of[2 * split.step + 1 + b] = (*leaf_of[split.node], (split.variable, b))
        wrong.append(fast != _by_definition(run.f, tuple(run.mu.p.tolist())))
        names.append(run.name)
    return equality("runs, compared step by step", wrong, names.__getitem__)


def _flip_scores_choose_alike() -> Outcome:
    """The root that flip influence chooses is the one that resample influence chooses."""
    every = pairs()
    chosen = np.flatnonzero((every.p == MIXED).all(axis=1) & (every.depth > 0))
    by_flip = every.flip[chosen].argmax(axis=1)
    by_resample = every.resample[chosen].argmax(axis=1)
    return outcome(
        f"functions of 3 variables, {under(MIXED)}",
        by_flip == by_resample,
        by_flip != by_resample,
        lambda k: (
            f"flip chooses x{by_flip[k]}, resample x{by_resample[k]} for "
            f"{name(3, int(every.code[chosen[k]]))}"
        ),
    )


# -- influence and the impurity gains --------------------------------------------------------------


def _halves(code: int, n: int, p: tuple[float, ...]) -> Floats:
    """``Pr[f = 1 | x_i = b]``, an ``(n, 2)`` array."""
    x = np.arange(1 << n)
    w = ProductDistribution(p).weights()
    ones = w * ((code >> x) & 1)
    bit = [[(x >> i) & 1 == b for b in (0, 1)] for i in range(n)]
    return np.array([[ones[side].sum() / w[side].sum() for side in both] for both in bit])


def _gains(code: int, n: int, p: tuple[float, ...], impurity: str) -> Floats:
    """How much asking for each variable lowers the Gini impurity, or the entropy, of f's value."""
    measure = gini if impurity == "Gini" else entropy

    def value(m: Floats) -> Floats:
        return np.asarray(measure(np.stack([1 - m, m], axis=-1)))

    biases, halves = np.array(p), _halves(code, n, p)
    chance = np.stack([1 - biases, biases], axis=1)
    mean = (chance * halves).sum(axis=1)
    gain: Floats = value(mean) - (chance * value(halves)).sum(axis=1)
    return gain


def _same_winners(code: int, n: int, p: tuple[float, ...], impurity: str) -> tuple[bool, str]:
    """Whether influence and a gain are largest at the same variables, and how it came out."""
    f = BooleanFunction.from_int(n, code)
    influence = measures.resample_influences(f, ProductDistribution(p))
    gain = _gains(code, n, p, impurity)
    if influence.max() == 0:
        return True, name(n, code)
    sets = [set(np.flatnonzero(v >= v.max() - 1e-12).tolist()) for v in (influence, gain)]
    told = [f"{{{', '.join(f'x{i}' for i in sorted(s))}}}" for s in sets]
    words = f"influence chooses {told[0]}, {impurity} {told[1]} for {name(n, code)}, {under(p)}"
    return sets[0] == sets[1], words


def _monotone_and_uniform() -> Outcome:
    """All monotone functions of 2 to 4 variables, both gains."""
    cases = [
        _same_winners(int(code), n, (1 / 2,) * n, impurity)
        for n in (2, 3, 4)
        for code in monotone(n).code.tolist()
        for impurity in ("Gini", "entropy")
    ]
    return outcome(
        "monotone functions, by Gini and by entropy",
        [same for same, _ in cases],
        [not same for same, _ in cases],
        lambda k: "the same variables in every case" if cases[k][0] else cases[k][1],
    )


def _gain_identity() -> Outcome:
    """Gini gain ``2 p_i (1-p_i) (E f_1 - E f_0)^2``; for monotone f that is ``Inf_i^2/(2p(1-p))``.

    Tried on every third function of 3 variables and on all monotone ones, under `MEASURES`.
    """
    gap, names = [], []
    rising = set(monotone(3).code.tolist())
    for p in MEASURES:
        mu = ProductDistribution(p)
        for code in sorted({*range(0, 256, 3), *rising}):
            f = BooleanFunction.from_int(3, code)
            gain = _gains(code, 3, p, "Gini")
            low, high = _halves(code, 3, p).T
            gap.append(float(np.abs(gain - 2 * mu.p * (1 - mu.p) * (high - low) ** 2).max()))
            names.append(f"{name(3, code)}, {under(p)}")
            if code in rising:
                square = measures.resample_influences(f, mu) ** 2 / (2 * mu.p * (1 - mu.p))
                gap.append(float(np.abs(gain - square).max()))
                names.append(f"{name(3, code)}, {under(p)}")
    off = np.where(np.array(gap) < 1e-12, 0.0, gap)
    return equality("functions under measures", off, names.__getitem__)


def _for_all_functions(impurity: str) -> Outcome:
    """All functions of 3 variables under the uniform distribution."""
    cases = [_same_winners(code, 3, (1 / 2,) * 3, impurity) for code in range(1, 255)]
    wrong = [not same for same, _ in cases]
    return outcome(
        "functions of 3 variables, uniform", np.logical_not(wrong), wrong, lambda k: cases[k][1]
    )


def _for_all_measures() -> Outcome:
    """The monotone function ``x_0 or (x_1 and x_2)`` under p = (3/25, 1/2, 1/2), and uniform."""
    cases = [_same_winners(234, 3, p, "Gini") for p in ((1 / 2,) * 3, (3 / 25, 1 / 2, 1 / 2))]
    return outcome(
        "measures for one monotone function",
        [same for same, _ in cases],
        [not same for same, _ in cases],
        lambda k: cases[k][1],
    )


CLAIMS = (
    Claim(
        "PS-ALG",
        PS,
        r"BuildTopDownDT under a product distribution: split the leaf of the highest score "
        r"$p_v \max_i \mathrm{Inf}^\mu_i(f_v)$ on its most influential variable, label by "
        r"majority, until the error is at most $\varepsilon$.",
        PAGE,
        (Form("dt.build_top_down against a rescan in fractions", _runs_follow_the_definition),),
        (Form("with flip influence in its place, the same roots", _flip_scores_choose_alike),),
    ),
    Claim(
        "PS-DEF-INF",
        PS,
        r"$\mathrm{Inf}^\mu_i(f) = \Pr[f(x) \ne f(x^{(i)})]$, where $x^{(i)}$ is $x$ with bit $i$ "
        r"drawn anew; it is $2 p_i (1 - p_i)$ times the flip influence.",
        PAGE,
        (
            Form("dt.resample_influences against drawing anew", _resample_influence),
            Form("2 p (1-p) times flip influence", _from_flip_influence),
        ),
        (Form("equal to chapter 1's influence, for uniform bits", _equal_to_flip_influence),),
        note="Under the uniform distribution it is half of chapter 1's; the source does not say "
        "so.",
    ),
    Claim(
        "PS-DEF-SCORE",
        PS,
        r"$\mathrm{Score}(v) = p_v \max_i \mathrm{Inf}^\mu_i(f_v)$, where $p_v$ is the probability "
        r"of reaching the leaf $v$ and $f_v$ is $f$ there.",
        PAGE,
        (Form("dt.leaf_scores against restrictions", partial(_leaves_of_trees, total=False)),),
    ),
    Claim(
        "PS-DEF-COST",
        PS,
        r"$\mathrm{cost}(T^\circ) = \sum_v p_v \mathrm{Inf}^\mu(f_v)$ over the leaves, where "
        r"$\mathrm{Inf}^\mu$ adds up the influences.",
        PAGE,
        (Form("dt.cost against restrictions", partial(_leaves_of_trees, total=True)),),
    ),
    Claim(
        "PS-EQUIV",
        PS,
        r"For monotone $f$ and uniform bits, influence, Gini gain and entropy gain are largest at "
        r"the same variables: the Gini gain is $2 p_i (1-p_i) (\mathrm E f_{x_i=1} - "
        r"\mathrm E f_{x_i=0})^2$, for monotone $f$ $\mathrm{Inf}_i^2 / (2 p_i (1-p_i))$.",
        PAGE,
        (
            Form("monotone and uniform, up to 4 variables", _monotone_and_uniform),
            Form("the Gini gain in closed form", _gain_identity),
        ),
        (
            Form("as printed, for all functions", partial(_for_all_functions, "Gini")),
            Form("for all functions, entropy", partial(_for_all_functions, "entropy")),
            Form("for monotone functions under all measures", _for_all_measures),
        ),
        repaired=True,
        note="The source calls splitting by influence and by entropy or Gini equivalent.",
    ),
)
