"""Chapter 3, the lemmas on cost, variation and influence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from claims.kit import OURS, PS, Outcome, Trial, claim
from claims.kit.populations import all_functions, labelled_trees, log2
from claims.product.populations import (
    CUBES,
    MEASURES,
    PAGE,
    PAIRS,
    STEPS,
    TREES,
    Cubes,
    Floats,
    Pairs,
    at_leaves,
    bound,
    cubes,
    forest,
    pairs,
    same,
    steps,
    tree_where,
    under,
)
from dtviz.core.boolean import ProductDistribution

OfPairs = Callable[[Pairs], Floats]
OfSplits = Callable[[Pairs, int], Floats]
POINTS = np.arange(8)


# -- Lemma 4.1: error, variation, influence --------------------------------------------------------


def chain_of_a_function(
    error: float = 1, factor: float = 2, influence: Callable[[Floats], Floats] | None = None
) -> Outcome:
    """``err <= Vr <= Res``, with ``factor m(1-m)`` for Vr."""
    every = pairs()
    err, middle = np.minimum(every.mean, 1 - every.mean), factor / 2 * every.variation
    total = influence(every.resample) if influence else every.resample.sum(axis=1)
    left, right = np.array([error * err, middle]), np.array([middle, total])
    return bound(PAIRS, left, right, every.describe, example=every.function)


def error_below_cost(share: float = 1, *, flip: bool = False) -> Outcome:
    """``error <= share * cost`` for every tree, function and measure."""
    cost = at_leaves(lambda c: (c.flip if flip else c.resample).sum(axis=1))
    return bound(TREES, at_leaves(lambda c: c.error), share * cost, tree_where)


@claim(
    "PS-L4.1",
    PS,
    r"$\mathrm{error}(T^\circ, f) \le \mathrm{cost}(T^\circ)$ for resample influences; with "
    r"flip influences it is at most half of the cost. Before any split: "
    r"$\mathrm{err} \le \mathrm{Vr} \le \mathrm{Inf}$.",
    PAGE,
)
def test_error_variation_influence(trial: Trial) -> None:
    trial.holds(
        "err ≤ Vr ≤ Inf",
        chain_of_a_function,
        r"\operatorname{err}(f) \le \operatorname{Vr}(f) \le \operatorname{Res}(f)",
        {
            "1% more error": {"error": 1.01},
            "1% more variation": {"factor": 2.02},
            "with m(1-m) for Vr": {"factor": 1},
            "with 4m(1-m) for Vr": {"factor": 4},
            "with the largest influence for their sum": {"influence": lambda r: r.max(axis=1)},
        },
    )
    trial.holds(
        "error ≤ cost, for every tree", error_below_cost, variants={"1% less": {"share": 0.99}}
    )
    trial.holds(
        "error ≤ cost/2 with flip influence",
        partial(error_below_cost, share=1 / 2, flip=True),
        variants={"1% less": {"share": 0.495}},
    )
    trial.fails("for error ≤ cost/2 with resample influence", partial(error_below_cost, 1 / 2))


# -- what a question does --------------------------------------------------------------------------


def halves(values: Floats, i: int) -> list[Floats]:
    """A quantity of all pairs, at the restrictions ``x_i = 0`` and ``x_i = 1`` of the function."""
    codes = [all_functions(3).table[:, POINTS & ~(1 << i) | b << i] @ (1 << POINTS) for b in (0, 1)]
    by_measure = values.reshape(-1, 256)
    return [by_measure[:, code].ravel() for code in codes]


def total(every: Pairs, _: int = 0) -> Floats:
    return every.resample.sum(axis=1)


def own(every: Pairs, i: int) -> Floats:
    return every.resample[:, i % 3]


def gini(every: Pairs, i: int) -> Floats:
    low, high = halves(every.mean, i)
    return 2 * every.p[:, i] * (1 - every.p[:, i]) * (high - low) ** 2


def falls_by(part: OfSplits, gain: OfSplits, *, exchanged: bool = False) -> Outcome:
    """``part(f) = gain + q part(f_0) + p part(f_1)`` for all pairs and variables."""
    every = pairs()
    left, right = [], []
    for i in range(3):
        p = 1 - every.p[:, i] if exchanged else every.p[:, i]
        low, high = halves(part(every, i), i)
        left.append(part(every, i))
        right.append(gain(every, i) + (1 - p) * low + p * high)
    return same(
        "splits of a function under a measure",
        np.concatenate(left),
        np.concatenate(right),
        lambda k: f"x{k // every.code.size} of {every.describe(k)}",
    )


def try_split(trial: Trial) -> None:
    """The split identity, of two claims."""
    trial.holds(
        "every function, measure and variable",
        partial(falls_by, part=total, gain=own),
        r"\operatorname{Res}(f) = \operatorname{Res}_i(f) + q_i \operatorname{Res}(f_0) "
        r"+ p_i \operatorname{Res}(f_1)",
        {
            "with p and q exchanged": {"exchanged": True},
            "with the influence of another variable": {"gain": lambda e, i: own(e, i + 1)},
        },
    )


def gain_below_influence(times: float = 1) -> Outcome:
    every = pairs()
    gain = times * np.array([gini(every, i) for i in range(3)])
    return bound(PAIRS, gain, every.resample.T, every.describe, example=every.function)


@claim(
    "OURS-PRODUCT-SPLIT",
    OURS,
    r"A question for $x_i$ leaves $\mathrm{Res}_j$ on average as it is, takes $\mathrm{Res}_i$ off "
    r"the total influence, and $2 p_i q_i (m_1 - m_0)^2 \le \mathrm{Res}_i$ off the variation.",
    PAGE,
)
def test_split_identity(trial: Trial) -> None:
    trial.holds(
        "another influence",
        partial(falls_by, part=lambda e, i: own(e, i + 1), gain=lambda *_: np.zeros(1)),
        r"\operatorname{Res}_j(f) = q_i \operatorname{Res}_j(f_0) + p_i \operatorname{Res}_j(f_1)",
        {"with p and q exchanged": {"exchanged": True}, "its own": {"part": own}},
    )
    try_split(trial)
    trial.holds(
        "the variation",
        partial(falls_by, part=lambda e, _: e.variation, gain=gini),
        r"\operatorname{Vr}(f) = 2p_iq_i (m_1 - m_0)^2 + q_i \operatorname{Vr}(f_0) "
        r"+ p_i \operatorname{Vr}(f_1)",
        {
            "with p q for 2 p q": {"gain": lambda e, i: gini(e, i) / 2},
            "with the influence": {"gain": own},
        },
    )
    trial.holds(
        "at most the influence",
        gain_below_influence,
        r"2p_iq_i(m_1 - m_0)^2 \le \operatorname{Res}_i(f)",
        {"1% more": {"times": 1.01}},
    )


# -- Lemma 4.3: a split takes the score off the cost -----------------------------------------------

SPLITS = [(c, i) for c, cube in enumerate(CUBES) for i in range(3) if cube[i] == 2]


def children(c: int, i: int) -> list[int]:
    return [CUBES.index((*CUBES[c][:i], b, *CUBES[c][i + 1 :])) for b in (0, 1)]


def gini_there(of: Cubes, c: int, i: int) -> Floats:
    return of.variation[c] - of.variation[children(c, i)].sum(axis=0)


def drop_of_a_split(
    taken: Callable[[Cubes, int, int], Floats] = lambda of, c, i: of.resample[c, i],
) -> Outcome:
    """The share of the cost of all that may be a leaf, before and after a question."""
    left, right = [], []
    for p in MEASURES:
        of = cubes(p)
        cost = of.resample.sum(axis=1)
        left += [cost[c] - cost[children(c, i)].sum(axis=0) for c, i in SPLITS]
        right += [taken(of, c, i) for c, i in SPLITS]

    def where(k: int) -> str:
        measure, split = divmod(k // 256, len(SPLITS))
        c, i = SPLITS[split]
        return f"x{i} at {CUBES[c]} of function {k % 256}, {under(MEASURES[measure])}"

    return same("leaves, variables and functions", np.ravel(left), np.ravel(right), where)


def score_comes_off(later: int = 0) -> Outcome:
    run = steps()
    score = np.roll(run.score, -later)
    return same(STEPS, run.cost - run.next_cost, score, run.describe)


@claim(
    "PS-L4.3",
    PS,
    r"Splitting a leaf on its best variable lowers the cost by exactly its score: "
    r"$\mathrm{Inf}(f) = \mathrm{Inf}_i(f) + (1-p_i) \mathrm{Inf}(f_{x_i=0}) + "
    r"p_i \mathrm{Inf}(f_{x_i=1})$.",
    PAGE,
)
def test_cost_pays_for_each_split(trial: Trial) -> None:
    trial.holds(
        "every leaf and variable",
        drop_of_a_split,
        r"w_\ell \operatorname{Res}_i(f_\ell)",
        {
            "without the weight of the leaf": {
                "taken": lambda of, c, i: of.resample[c, i] / of.mass[c]
            },
            "with flip influence": {"taken": lambda of, c, i: of.flip[c, i]},
            "with the Gini gain": {"taken": gini_there},
        },
    )
    try_split(trial)
    trial.holds(
        "every step of the runs", score_comes_off, variants={"the next score": {"later": 1}}
    )


# -- Lemmas 4.2 and C.1: depth and influence -------------------------------------------------------


def log_size(every: Pairs) -> Floats:
    return log2(all_functions(3).size)[every.code]


def pairing(
    *,
    lower: bool = False,
    depth: OfPairs | None = None,
    factor: float = 2,
    flip: bool = False,
    uniform: bool = False,
) -> Outcome:
    """``Inf <= D Var``, or, the ``lower`` bound, ``Var <= Delta max_i Inf_i``, for all pairs.

    With ``factor m(1-m)`` for Var, flip influence for Inf, or something else for the depth.
    """
    every = pairs()
    influence = every.flip if flip else every.resample
    variance = factor / 2 * every.variation
    deep = depth(every) if depth else every.delta if lower else every.depth
    left = variance if lower else influence.sum(axis=1)
    right = deep * (influence.max(axis=1) if lower else variance)
    use = np.flatnonzero((every.depth > 0) & ((every.p == 0.5).all(axis=1) | (not uniform)))
    return bound(
        PAIRS,
        left[use],
        right[use],
        lambda k: every.describe(use[k]),
        example=lambda k: every.function(use[k]),
    )


def half_the_average_depth(factor: float = 1 / 2) -> Outcome:
    every = pairs()
    return bound(PAIRS, total(every), factor * every.delta, every.describe, example=every.function)


def in_labelled_trees(
    left: Callable[[Cubes], Floats], right: Callable[[Cubes], Floats], compare: object = bound
) -> Outcome:
    """Two quantities of bare trees and functions, ``(244, 256)``, of all trees for the function."""
    trees = labelled_trees(3)
    sides = [
        np.ravel([side(cubes(p))[trees.tree, trees.code] for p in MEASURES])
        for side in (left, right)
    ]
    size = trees.code.size
    return compare(
        "labelled trees on 3 variables with measures",
        *sides,
        lambda k: f"{trees.describe(k % size)}, {under(MEASURES[k // size])}",
    )


def of_functions(values: Floats) -> Floats:
    return np.broadcast_to(values, (244, 256))


def all_influence(of: Cubes) -> Floats:
    return of_functions(of.resample[-1].sum(axis=0))


def taken_by_questions(of: Cubes) -> Floats:
    return np.einsum("tci,cif->tf", forest()[1], of.resample)


def taken_by_the_best(of: Cubes) -> Floats:
    return forest()[1].sum(axis=2) @ of.resample.max(axis=1)


def variations(of: Cubes, share: float = 1) -> Floats:
    return share * forest()[1].sum(axis=2) @ of.variation


def chain_of_a_tree(error: float = 1, depth: float = 1) -> Outcome:
    """``error <= V <= cost <= D V`` at the leaves of every tree."""
    v, cost = at_leaves(lambda c: c.variation), at_leaves(lambda c: c.resample.sum(axis=1))
    left = [error * at_leaves(lambda c: c.error), v, cost]
    right = [v, cost, depth * pairs().depth[:256] * v]
    return bound(TREES, left, right, lambda k: tree_where(k % v.size))


@claim(
    "PS-L4.2",
    PS,
    r"$\mathrm{Inf}(f) \le D(T)\, \mathrm{Vr}(f)$ for every tree $T$ that computes $f$, with "
    r"resample influence and $\mathrm{Vr} = 2m(1-m)$; so $V \le \mathrm{cost} \le D V$ at the "
    r"leaves of any tree.",
    PAGE,
    note="The source writes Var and does not say which.",
)
def test_depth_bounds_influence(trial: Trial) -> None:
    trial.holds(
        "Inf ≤ D Vr",
        pairing,
        r"\operatorname{Res}(f) \le D(T) \cdot \operatorname{Vr}(f)",
        {"1% less": {"factor": 1.98}, "with log2 of the fewest leaves for D": {"depth": log_size}},
    )
    trial.holds(
        "what the questions of any tree take off",
        partial(in_labelled_trees, all_influence, right=taken_by_questions, compare=same),
        r"\operatorname{Res}(f) = \sum_v w_v \operatorname{Res}_{i(v)}(f_v)",
        {"as if each asked the best variable": {"right": taken_by_the_best}},
    )
    trial.holds(
        "at most their variations",
        partial(in_labelled_trees, all_influence, right=variations),
        r"\le \sum_v w_v \operatorname{Vr}(f_v)",
        {"1% less variation": {"right": lambda of: variations(of, 0.99)}},
    )
    trial.holds(
        "Inf ≤ Delta/2",
        half_the_average_depth,
        r"\operatorname{Res}(f) \le \frac12 \Delta(T)",
        {"0.49 Delta": {"factor": 0.49}},
    )
    trial.holds(
        "error ≤ V ≤ cost ≤ D V for every tree",
        chain_of_a_tree,
        r"e_j \le V_j \le C_j \le D\, V_j",
        {"1% less depth": {"depth": 0.99}, "1% more error": {"error": 1.01}},
    )
    trial.holds(
        "with flip influence and 4m(1-m), uniform",
        partial(pairing, flip=True, factor=4, uniform=True),
        variants={"1% less": {"factor": 3.96}},
    )
    trial.fails("with Var = m(1-m)", partial(pairing, factor=1))
    trial.fails("with flip influence, all measures", partial(pairing, flip=True, factor=4))
    trial.fails("with the average depth", partial(pairing, depth=lambda e: e.delta))


def queried(of: Cubes, chance: Floats | None = None) -> Floats:
    """``sum_i delta_i Res_i``, the probabilities delta_i of a tree's questions by mass or so."""
    mass = of.mass if chance is None else chance
    return np.einsum("tci,c->ti", forest()[1], mass) @ of.resample[-1]


@claim(
    "PS-LC.1",
    PS,
    r"$\max_i \mathrm{Inf}_i(f) \ge \mathrm{Vr}(f)/\Delta(T)$ for every tree $T$ that computes "
    r"$f$; and $\mathrm{Vr}(f) \le \sum_i \delta_i\, \mathrm{Inf}_i(f)$, if $T$ asks for $x_i$ "
    r"with probability $\delta_i$. Resample influence, $\mathrm{Vr} = 2m(1-m)$.",
    PAGE,
    note="Due to O'Donnell, Saks, Schramm and Servedio (2005), whose influence is twice this "
    "one. The same Var must serve PS-L4.2; of the six pairings only this one makes both true "
    "and tight.",
)
def test_influential_variable(trial: Trial) -> None:
    trial.holds(
        "max Inf_i ≥ Vr/Delta",
        partial(pairing, lower=True),
        r"\max_i \operatorname{Res}_i(f) \ge \frac{\operatorname{Vr}(f)}{\Delta(T)}",
        {
            "1% more": {"factor": 2.02},
            "with log2 of the fewest leaves for Delta": {"depth": log_size},
        },
    )

    def below(times: float = 1, chance: Floats | None = None) -> Outcome:
        return in_labelled_trees(
            lambda of: times * of_functions(of.variation[-1]), lambda of: queried(of, chance)
        )

    trial.holds(
        "Vr ≤ sum delta_i Inf_i for every tree",
        below,
        r"\operatorname{Vr}(f) \le \sum_i \delta_i(T) \operatorname{Res}_i(f)",
        {
            "1% more": {"times": 1.01},
            "with the delta_i of fair coins": {"chance": cubes(MEASURES[0]).mass},
        },
    )
    trial.holds(
        "with flip influence and 4m(1-m)",
        partial(pairing, lower=True, flip=True, factor=4),
        variants={"1% more": {"factor": 4.04}},
    )
    trial.fails("with Var = 4m(1-m)", partial(pairing, lower=True, factor=4))


# -- restricting a tree, and exchanging the bits that it asks --------------------------------------

INSIDE = np.array(
    [[all(b in (2, x >> i & 1) for i, b in enumerate(c)) for x in POINTS] for c in CUBES]
)
FREE = np.array(CUBES) == 2


def asked() -> Floats:
    """Which variables every bare tree asks at which point: ``(244, 8, 3)``."""
    return np.einsum("tci,cx->txi", forest()[1], INSIDE)


def restricted_depth(share: float = 1) -> Outcome:
    """``D(T_l) <= D(T)`` for every tree and subcube."""
    left = (np.einsum("txi,ci->tcx", asked(), FREE) * INSIDE).max(axis=2)
    right = share * asked().sum(axis=2).max(axis=1)[:, None]
    return bound("trees and subcubes", left, right, lambda k: f"tree {k // 27} at {CUBES[k % 27]}")


def restricted_average(times: float = 1, *, alone: bool = False) -> Outcome:
    """``sum_l w_l Delta(T_l) <= Delta(T)`` for all pairs of trees; or at each subcube ``alone``."""
    left, right = [], []
    for p in MEASURES:
        w = INSIDE * ProductDistribution(p).weights()
        still = np.einsum("cx,txi,ci->ct", w, asked(), FREE)
        left.append(still / w.sum(axis=1)[:, None] if alone else times * forest()[0] @ still)
        right.append(np.broadcast_to(np.einsum("txi,x->t", asked(), w[-1]), left[-1].shape))
    return bound(
        "trees with a tree or a subcube under measures",
        left,
        right,
        lambda k: f"tree {k % 244}, {under(MEASURES[k // left[0].size])}",
    )


@claim(
    "OURS-PRODUCT-RESTRICT",
    OURS,
    r"$D(T_\ell) \le D(T)$ at each leaf $\ell$ of a bare tree, and "
    r"$\sum_\ell w_\ell \Delta(T_\ell) \le \Delta(T)$; at one leaf the average depth may grow.",
    PAGE,
)
def test_restricting_a_tree(trial: Trial) -> None:
    trial.holds(
        "the depth, at each leaf",
        restricted_depth,
        r"D(T_\ell) \le D(T)",
        {"1% less": {"share": 0.99}},
    )
    trial.holds(
        "the average depth, over the leaves",
        restricted_average,
        r"\sum_\ell w_\ell\, \Delta(T_\ell) \le \Delta(T)",
        {"1% more": {"times": 1.01}},
    )
    trial.fails("the average depth, at each leaf", partial(restricted_average, alone=True))


def exchanged(
    times: float = 1, fresh: tuple[float, ...] | None = None, *, values: bool = True
) -> Outcome:
    """Copy the bits a tree asks on x into y: how u is distributed, or how often a value changes."""
    mask = (asked() @ (1 << np.arange(3))).astype(int)[:, :, None]
    u = POINTS[:, None] & mask | POINTS & ~mask
    differ = all_functions(3).table[:, :, None] != all_functions(3).table[:, None, :]
    left, right = [], []
    for p in MEASURES:
        w = ProductDistribution(p).weights()
        joint = np.zeros((244, 8, 8))
        np.add.at(joint, (np.arange(244)[:, None, None], u, POINTS), np.outer(w, w))
        if values:
            left.append(times * np.einsum("tuy,guy->tg", joint, differ))
            right.append(queried(cubes(p), cubes(fresh).mass if fresh else None))
        else:
            left.append(joint.sum(axis=2))
            right.append(np.tile(ProductDistribution(fresh or p).weights(), (244, 1)))
    if values:
        return bound(TREES, left, right, tree_where)
    return same(
        "trees under measures",
        np.concatenate(left),
        np.concatenate(right),
        lambda k: f"tree {k % 244}, {under(MEASURES[k // 244])}",
    )


@claim(
    "OURS-PRODUCT-EXCHANGE",
    OURS,
    r"Let $u$ be $y$ with the bits that a tree $T$ asks on input $x$ taken from $x$. Then $u$ has "
    r"distribution $\mu$, and $\Pr[g(u) \ne g(y)] \le \sum_i \delta_i(T) \mathrm{Res}_i(g)$.",
    PAGE,
)
def test_exchanging_bits(trial: Trial) -> None:
    trial.holds(
        "the distribution",
        partial(exchanged, values=False),
        variants={"that of fair coins": {"fresh": MEASURES[0]}},
    )
    trial.holds(
        "the values, of every function on every tree",
        exchanged,
        r"\Pr[g(u) \ne g(y)] \le \sum_i \delta_i(T) \operatorname{Res}_i(g)",
        {"1% more": {"times": 1.01}, "with the delta_i of fair coins": {"fresh": MEASURES[0]}},
    )
