"""Chapter 3, the lemmas on cost, variation and influence."""

from functools import partial

import numpy as np

from claims.kit.populations import all_functions, labeled_trees, log2
from claims.product import populations as world
from claims.product.populations import (
    MEASURES,
    MORE,
    at_leaves,
    bound,
    cubes,
    of_pairs,
    pairs,
    stated,
)
from dtviz.core.boolean.boolean_function import ProductDistribution


@stated(
    "PS-L4.1",
    r"$\mathrm{err}(f) \le \mathrm{Vr}(f) \le \mathrm{Res}(f)$. So the error of a tree is at "
    "most its cost; with flip influences it is at most half of the cost.",
)
def test_error_variation_influence(trial):
    @trial.form(
        "err ≤ Vr ≤ Res",
        r"\operatorname{err}(f) \le \operatorname{Vr}(f) \le \operatorname{Res}(f)",
        {"1% more error": {"error": 1.01}, "1% more variation": {"factor": 2.02}},
    )
    def chain_of_a_function(error=1, factor=2):
        err, middle = np.minimum(pairs().mean, 1 - pairs().mean), factor / 2 * pairs().variation
        return of_pairs([error * err, middle], [middle, pairs().resample.sum(axis=1)])

    @trial.form("error ≤ cost, for every tree", variants=MORE)
    def error_below_cost(cost="resample", share=1, times=1):
        left, right = times * at_leaves("error"), share * at_leaves(cost, 1)
        return bound(world.TREES, left, right, world.tree_where)

    half = partial(error_below_cost, share=1 / 2)
    trial.holds("error ≤ cost/2 with flip influence", partial(half, "flip"), variants=MORE)
    trial.fails("for error ≤ cost/2 with resample influence", half)


def halves(values, i):
    """A quantity of all pairs, at the restrictions ``x_i = 0`` and ``x_i = 1`` of the function."""
    x = np.arange(8)
    codes = [all_functions(3).table[:, x & ~(1 << i) | b << i] @ (1 << x) for b in (0, 1)]
    return [values.reshape(-1, 256)[:, code].ravel() for code in codes]


def own(i):
    return pairs().resample[:, i % 3]


def gini(i):
    low, high = halves(pairs().mean, i)
    return world.spread(pairs().p[:, i]) * (high - low) ** 2


def total(_=0):
    return pairs().resample.sum(axis=1)


def falls_by(part, gain, *, exchanged=False):
    """``part(f) = gain + q part(f_0) + p part(f_1)`` for all pairs and variables."""
    gap = []
    for i in range(3):
        p = 1 - pairs().p[:, i] if exchanged else pairs().p[:, i]
        low, high = halves(part(i), i)
        gap.append(part(i) - gain(i) - (1 - p) * low - p * high)
    size = gap[0].size
    where = lambda k: f"x{k // size} of {pairs().describe(k)}"  # noqa: E731
    return world.agree(
        "splits of a function under a measure", np.ravel(gap), np.zeros(3 * size), where
    )


def try_split(trial):
    """The split identity, of two claims."""
    trial.holds(
        "every function, measure and variable",
        partial(falls_by, part=total, gain=own),
        r"\operatorname{Res}(f) = \operatorname{Res}_i(f) + q_i \operatorname{Res}(f_0) "
        r"+ p_i \operatorname{Res}(f_1)",
        {
            "with p and q exchanged": {"exchanged": True},
            "with the influence of another variable": {"gain": lambda i: own(i + 1)},
        },
    )


@stated(
    "OURS-PRODUCT-SPLIT",
    r"A query of $x_i$ leaves $\mathrm{Res}_j(f)$ on average as it is, takes $\mathrm{Res}_i(f)$ "
    r"off the total influence, and $2 p_i q_i (m_1 - m_0)^2 \le \mathrm{Res}_i(f)$ off the "
    r"variation $\mathrm{Vr}(f)$.",
)
def test_split_identity(trial):
    trial.holds(
        "another influence",
        partial(falls_by, part=lambda i: own(i + 1), gain=lambda _: 0),
        r"\operatorname{Res}_j(f) = q_i \operatorname{Res}_j(f_0) + p_i \operatorname{Res}_j(f_1)",
        {"with p and q exchanged": {"exchanged": True}, "its own": {"part": own}},
    )
    try_split(trial)
    trial.holds(
        "the variation",
        partial(falls_by, part=lambda _: pairs().variation, gain=gini),
        r"\operatorname{Vr}(f) = 2p_iq_i (m_1 - m_0)^2 + q_i \operatorname{Vr}(f_0) "
        r"+ p_i \operatorname{Vr}(f_1)",
        {"with p q": {"gain": lambda i: gini(i) / 2}, "with the influence": {"gain": own}},
    )
    trial.holds(
        "at most the influence",
        lambda times=1: of_pairs([times * gini(i) for i in range(3)], pairs().resample.T),
        r"2p_iq_i(m_1 - m_0)^2 \le \operatorname{Res}_i(f)",
        MORE,
    )


@stated(
    "PS-L4.3",
    r"A query of $x_i$ at a leaf $\ell$ lowers the cost by exactly $\mu(\ell) "
    r"\mathrm{Res}_i(f_\ell)$, a greedy split by $\mathrm{score}(\ell)$.",
)
def test_cost_pays_for_each_split(trial):
    try_split(trial)

    @trial.form("every step of the runs", variants={"the next": {"later": 1}})
    def score_comes_off(later=0):
        run = world.steps()
        fall = run.cost - run.next_cost
        return world.agree(world.STEPS, fall, np.roll(run.score, -later), run.describe)


def log_size():
    return log2(all_functions(3).size)[pairs().code]


def pairing(factor=2, influence="resample", *, lower=False, depth=None):
    """``Inf <= D Var``, or, the ``lower`` bound, ``Var <= Delta max_i Inf_i``, for all pairs.

    With ``factor m(1-m)`` for Var, flip influence for Inf, or something else for the depth.
    """
    every, variance = pairs(), factor / 2 * pairs().variation
    influence = getattr(every, influence)
    deep = depth() if depth else every.delta if lower else every.depth
    if lower:
        return of_pairs(variance, deep * influence.max(axis=1), use=every.depth > 0)
    return of_pairs(influence.sum(axis=1), deep * variance, use=every.depth > 0)


@stated(
    "PS-L4.2",
    r"$\mathrm{Res}(f) \le D(T)\, \mathrm{Vr}(f)$ and $\mathrm{Res}(f) \le \frac12 \Delta(T)$ "
    "for every tree $T$ that computes $f$; and the cost of any bare tree lies between its "
    "variation and $D(T)$ times that.",
    note="The source writes Var and does not say which.",
)
def test_depth_bounds_influence(trial):
    trial.holds(
        "Res ≤ D Vr",
        pairing,
        r"\operatorname{Res}(f) \le D(T) \cdot \operatorname{Vr}(f)",
        {"1% less": {"factor": 1.98}, "with log2 of the fewest leaves for D": {"depth": log_size}},
    )
    trial.holds(
        "Res ≤ Delta/2",
        lambda times=1: of_pairs(times * total(), pairs().delta / 2),
        r"\operatorname{Res}(f) \le \frac12 \Delta(T)",
        MORE,
    )

    @trial.form(
        "error ≤ V ≤ cost ≤ D V for every tree",
        r"e_j \le V_j \le C_j \le D\, V_j",
        {"1% more cost": {"more": 1.01}, "1% more error": {"error": 1.01}},
    )
    def chain_of_a_tree(error=1, more=1):
        v, cost = at_leaves("variation"), at_leaves("resample", 1)
        left = [error * at_leaves("error"), v, more * cost]
        right = [v, cost, pairs().depth[:256] * v]
        return bound(world.TREES, left, right, lambda k: world.tree_where(k % v.size))

    trial.fails("with Var = m(1-m)", partial(pairing, 1))
    trial.fails("with flip influence", partial(pairing, 4, "flip"))
    trial.fails("with the average depth", partial(pairing, depth=lambda: pairs().delta))


def questions_cover_the_variation(times=1, *, fair=False):
    """``Vr <= sum_i delta_i Res_i``, each delta_i by the mass of the nodes that ask for ``x_i``."""
    left, right, trees = [], [], labeled_trees(3)
    for of in map(cubes, MEASURES):
        mass = (cubes(MEASURES[0]) if fair else of).mass
        asked = np.einsum("tci,c->ti", world.forest()[1], mass) @ of.resample[-1]
        left.append(times * of.variation[-1][trees.code])
        right.append(asked[trees.tree, trees.code])
    size = trees.code.size
    where = lambda k: f"{trees.describe(k % size)}, {world.under(MEASURES[k // size])}"  # noqa: E731
    return bound("labeled trees on 3 variables with measures", left, right, where)


@stated(
    "PS-LC.1",
    r"$\max_i \mathrm{Res}_i(f) \ge \mathrm{Vr}(f)/\Delta(T)$ for every tree $T$ that computes "
    r"$f$; and $\mathrm{Vr}(f) \le \sum_i \delta_i(T)\, \mathrm{Res}_i(f)$, if $T$ queries $x_i$ "
    r"with probability $\delta_i(T)$.",
    note="Due to O'Donnell, Saks, Schramm and Servedio (2005), whose influence is twice this "
    "one. The same variance must serve PS-L4.2; of the six pairings only this one makes both true "
    "and tight.",
)
def test_influential_variable(trial):
    lower = partial(pairing, lower=True)
    trial.holds(
        "max Res_i ≥ Vr/Delta",
        lower,
        r"\max_i \operatorname{Res}_i(f) \ge \frac{\operatorname{Vr}(f)}{\Delta(T)}",
        {
            "1% more": {"factor": 2.02},
            "with log2 of the fewest leaves for Delta": {"depth": log_size},
        },
    )

    trial.holds(
        "Vr ≤ sum delta_i Res_i for every tree",
        questions_cover_the_variation,
        r"\operatorname{Vr}(f) \le \sum_i \delta_i(T) \operatorname{Res}_i(f)",
        MORE | {"with the delta_i of fair coins": {"fair": True}},
    )
    trial.fails("with Var = 4m(1-m)", partial(lower, 4))


def restricted_tree(times=1, *, alone=False):
    """``sum_l w_l Delta(T_l) <= Delta(T)`` for all pairs of trees; or at each subcube ``alone``."""
    left, right = [], []
    asked = np.einsum("tci,cx->txi", world.forest()[1], world.INSIDE)  # by which tree, where
    for p in MEASURES:
        w = world.INSIDE * ProductDistribution(p).weights()
        still = np.einsum("cx,txi,ci->ct", w, asked, world.FREE)
        left.append(still / w.sum(axis=1)[:, None] if alone else world.forest()[0] @ still)
        right.append(np.broadcast_to(np.einsum("txi,x->t", asked, w[-1]), left[-1].shape))
    where = lambda k: f"tree {k % 244}, {world.under(MEASURES[k // left[0].size])}"  # noqa: E731
    return bound("trees with leaves, under measures", times * np.array(left), right, where)


@stated(
    "OURS-PRODUCT-RESTRICT",
    r"$\sum_\ell \mu(\ell) \Delta(T_\ell) \le \Delta(T)$ over the leaves $\ell$ of any bare tree; "
    r"at one leaf the average depth may grow.",
)
def test_restricting_a_tree(trial):
    trial.holds(
        "the average depth, over the leaves",
        restricted_tree,
        r"\sum_\ell \mu(\ell)\, \Delta(T_\ell) \le \Delta(T)",
        MORE,
    )
    trial.fails("the average depth, at each leaf", partial(restricted_tree, alone=True))
