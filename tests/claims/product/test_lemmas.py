"""Chapter 3, the lemmas on cost, variation and influence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.kit import PS, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import (
    all_functions,
    at_least,
    labelled_trees,
    log2,
    ratio,
    trees_and_functions,
)
from claims.product.forms import stated
from claims.product.normalisation import lemma_4_2, lemma_c1
from claims.product.populations import (
    MEASURES,
    Floats,
    Pairs,
    Steps,
    biased_trees,
    pairs,
    runs,
    steps,
    under,
)
from dtviz.core.boolean import BooleanFunction, ProductDistribution

PAGE = "3-product"
PAIRS = "pairs of a function and a measure"
TREES = "trees with functions and measures"
STEPS = "steps of greedy runs"
OfPairs = Callable[[Pairs], Floats]


@cache
def _all_steps() -> Steps:
    return steps(runs())


def _function_of(every: Pairs) -> Callable[[int], BooleanFunction]:
    return lambda k: BooleanFunction.from_int(3, int(every.code[k]))


def _total(every: Pairs) -> Floats:
    total: Floats = every.resample.sum(axis=1)
    return total


def _largest(every: Pairs) -> Floats:
    largest: Floats = every.resample.max(axis=1)
    return largest


def _depth(every: Pairs) -> Floats:
    return every.depth.astype(float)


def _log_size(every: Pairs) -> Floats:
    return log2(all_functions(3).size)[every.code]


# -- Lemma 4.1: the error and the cost -------------------------------------------------------------


def _error_below(bound: str, factor: float) -> Outcome:
    """``factor * error <= bound`` for every tree, function and measure; ``bound`` is a cost."""
    ok, tight, names = [], [], []
    for p in MEASURES:
        trees = biased_trees(p)
        high = getattr(trees, bound)
        ok.append((factor * trees.error <= high).ravel())
        tight.append(ratio(trees.error, high).ravel())
        names.append(trees)
    closeness = np.concatenate(tight)

    def describe(k: int) -> str:
        which, rest = divmod(k, tight[0].size)
        told = names[which].describe(*divmod(rest, 256))
        return f"error/{bound.replace('_', ' ')} = {closeness[k]:g} for {told}"

    return outcome(TREES, np.concatenate(ok), closeness, describe)


def _chain_of_a_function(
    errors: float = 1, variations: float = 1, influence: OfPairs = _total
) -> Outcome:
    """``err <= Vr <= Inf`` for all pairs, each side so many times."""
    every = pairs()
    error = errors * np.minimum(every.mean, 1 - every.mean)
    middle, total = variations * every.variation, influence(every)
    tight = np.maximum(ratio(error, middle), ratio(middle, total))
    return outcome(
        PAIRS,
        (error <= middle) & (middle <= total),
        tight,
        lambda k: (
            f"err = {error[k]:g}, Vr = {middle[k]:g}, Inf = {total[k]:g} for {every.describe(k)}"
        ),
        example=_function_of(every),
    )


# -- Lemma 4.3: a split takes the score off the cost -----------------------------------------------


@dataclass(frozen=True)
class Splits:
    """A leaf of a tree, a variable that is free there, and the tree with that question there.

    Trees by their place among all; ``inside`` is ``(splits, 8)``: which points come to the leaf.
    """

    tree: npt.NDArray[np.intp]
    larger: npt.NDArray[np.intp]
    variable: npt.NDArray[np.intp]
    inside: npt.NDArray[np.bool_]


def _partition(leaf: npt.NDArray[np.intp]) -> tuple[int, ...]:
    """Which points share a leaf: leaves numbered as they first come."""
    known: dict[int, int] = {}
    return tuple(known.setdefault(k, len(known)) for k in leaf.tolist())


@cache
def _splits() -> Splits:
    """All of them for 3 variables. Trees with the same leaves have the same cost: one stands in."""
    shapes, x = trees_and_functions(3), np.arange(8)
    known = {_partition(row): k for k, row in enumerate(shapes.leaf)}
    found = []
    for tree, row in enumerate(shapes.leaf):
        for leaf in range(row.max() + 1):
            inside = row == leaf
            for i in range(3):
                if np.array_equal(inside, inside[x ^ (1 << i)]):
                    halves = np.where(inside & (x >> i & 1 == 1), 8, row)
                    found.append((tree, known[_partition(halves)], i, inside))
    parts = [np.array(part) for part in zip(*found, strict=True)]
    return Splits(*parts)


Taken = Callable[[ProductDistribution, int, npt.NDArray[np.bool_]], Floats]
"""What a question for a variable at a leaf takes off the cost, said of all 256 functions."""


def _influence_there(mu: ProductDistribution, i: int, inside: npt.NDArray[np.bool_]) -> Floats:
    """``Pr[leaf] Inf_i(f at the leaf)``."""
    table, x = all_functions(3).table, np.arange(8)
    changed = table != table[:, x ^ (1 << i)]
    taken: Floats = 2 * mu.p[i] * (1 - mu.p[i]) * (changed @ (mu.weights() * inside))
    return taken


def _influence_alone(mu: ProductDistribution, i: int, inside: npt.NDArray[np.bool_]) -> Floats:
    taken: Floats = _influence_there(mu, i, inside) / mu.weights()[inside].sum()
    return taken


def _flips_there(mu: ProductDistribution, i: int, inside: npt.NDArray[np.bool_]) -> Floats:
    taken: Floats = _influence_there(mu, i, inside) / (2 * mu.p[i] * (1 - mu.p[i]))
    return taken


def _gini_there(mu: ProductDistribution, i: int, inside: npt.NDArray[np.bool_]) -> Floats:
    w, one = mu.weights() * inside, np.arange(8) >> i & 1 == 1
    table = all_functions(3).table
    low, high = (table @ (w * side) / w[side].sum() for side in (~one, one))
    taken: Floats = 2 * mu.p[i] * (1 - mu.p[i]) * w.sum() * (high - low) ** 2
    return taken


def _drop_of_a_split(taken: Taken = _influence_there) -> Outcome:
    """The cost before and after, for every tree, leaf, variable, function, under `MEASURES`."""
    splits, shapes = _splits(), trees_and_functions(3)
    gap = []
    for p in MEASURES:
        cost, mu = biased_trees(p).cost, ProductDistribution(p)
        said = np.array(
            [taken(mu, int(i), at) for i, at in zip(splits.variable, splits.inside, strict=True)]
        )
        gap.append((cost[splits.tree] - cost[splits.larger] - said).ravel())
    size = gap[0].size

    def where(k: int) -> str:
        split, code = divmod(k % size, 256)
        told = shapes.describe(int(splits.tree[split]), code)
        return f"x{splits.variable[split]} at a leaf of {told}, {under(MEASURES[k // size])}"

    return equality("splits of a leaf of a tree, for a function", np.concatenate(gap), where)


def _split_identity(*, exchanged: bool = False, other: int = 0) -> Outcome:
    """``Inf(f) = Inf_i(f) + (1-p_i) Inf(f_0) + p_i Inf(f_1)`` for all pairs and variables."""
    every = pairs()
    table, x = all_functions(3).table, np.arange(8)
    measured = every.code.size // 256
    gap = []
    for i in range(3):
        # Both restrictions as functions of 3 variables that ignore x_i: their codes.
        low, high = (
            table[:, x & ~(1 << i) | b << i] @ (1 << np.arange(8, dtype=np.int64)) for b in (0, 1)
        )
        total = every.resample.sum(axis=1).reshape(measured, 256)
        p = every.p[::256, i][:, None]
        p = 1 - p if exchanged else p
        after = (1 - p) * total[:, low] + p * total[:, high]
        own = every.resample[:, (i + other) % 3].reshape(measured, 256)
        gap.append((total - after - own).ravel())
    return equality(
        "splits of a function under a measure",
        np.concatenate(gap),
        lambda k: f"x{k // every.code.size} of {every.describe(k % every.code.size)}",
    )


def _greedy_split_takes_the_score_off(later: int = 0) -> Outcome:
    run = _all_steps()
    return equality(STEPS, run.cost - run.next_cost - np.roll(run.score, -later), run.describe)


# -- Lemma 4.2 -------------------------------------------------------------------------------------


def _depth_bounds_influence(depth: OfPairs = _depth, times: float = 1) -> Outcome:
    """``Inf(f) <= D(f) Vr(f)``, or with something else for D."""
    every = pairs()
    total, bound = _total(every), times * depth(every) * every.variation
    tight = ratio(total, bound)
    return outcome(
        PAIRS,
        at_least(bound, total),
        tight,
        lambda k: f"Inf / (D Vr) = {tight[k]:.4g} for {every.describe(k)}",
        example=_function_of(every),
    )


def _half_the_average_depth(factor: float = 1 / 2) -> Outcome:
    """``Inf(f) <= Delta(f)/2``."""
    every = pairs()
    total, bound = _total(every), factor * every.delta
    tight = ratio(total, bound)
    return outcome(
        PAIRS,
        at_least(bound, total),
        tight,
        lambda k: f"Inf / bound = {tight[k]:.4g} for {every.describe(k)}",
        example=_function_of(every),
    )


def _asked(influence: Floats, i: int) -> Floats:
    own: Floats = influence[i]
    return own


def _most_influential(influence: Floats, _: int) -> Floats:
    largest: Floats = influence.max(axis=0)
    return largest


def _account(taken: Callable[[Floats, int], Floats] = _asked, variations: float = 1) -> Outcome:
    """``Inf(f)`` as what the questions of any tree for f take off; at most their variations."""
    trees, every, shapes = labelled_trees(3), pairs(), trees_and_functions(3)
    table, x = all_functions(3).table.astype(float), np.arange(8)
    edges = np.stack([table != table[:, x ^ (1 << i)] for i in range(3)])
    ok, tight = [], []
    for p in MEASURES:
        mu = ProductDistribution(p)
        w = mu.weights()
        sums = np.zeros((2, len(shapes.trees), 256))
        for k, tree in enumerate(shapes.trees):
            for way, i in {
                (path[:d], path[d][0]) for path in tree.paths() for d in range(len(path))
            }:
                inside = np.all([x >> a & 1 == b for a, b in way], axis=0) if way else x >= 0
                within = [inside & inside[x ^ (1 << a)] for a in range(3)]
                each = np.stack([edges[a] @ (w * within[a]) for a in range(3)])
                sums[0, k] += taken((2 * mu.p * (1 - mu.p))[:, None] * each, i)
                mass, ones = (w * inside).sum(), table @ (w * inside)
                sums[1, k] += variations * 2 * ones * (mass - ones) / mass
        first = int(np.flatnonzero((every.p == p).all(axis=1))[0])
        total = _total(every)[first + trees.code]
        drops, bound = sums[:, trees.tree, trees.code]
        ok.append((drops == total) & (total <= bound * (1 + 1e-12)))
        tight.append(ratio(total, bound))
    closeness = np.concatenate(tight)
    return outcome(
        "labelled trees on 3 variables with measures",
        np.concatenate(ok),
        closeness,
        lambda k: (
            f"Inf / sum of Vr = {closeness[k]:.4g} for {trees.describe(k % trees.code.size)}, "
            f"{under(MEASURES[k // trees.code.size])}"
        ),
        example=lambda k: shapes.trees[int(trees.tree[k % trees.code.size])],
    )


def _leaves_of_any_tree(depths: float = 1, errors: float = 1) -> Outcome:
    """``error <= V <= cost <= D V`` at the leaves of every tree."""
    depth = pairs().depth[:256]
    ok, tight, names = [], [], []
    for p in MEASURES:
        trees = biased_trees(p)
        bound = depths * depth * trees.variation
        ok.append(
            (errors * trees.error <= trees.variation * (1 + 1e-12))
            & (trees.variation <= trees.cost * (1 + 1e-12))
            & (trees.cost <= bound * (1 + 1e-12))
        )
        tight.append(ratio(trees.cost, bound).ravel())
        names.append(trees)
    closeness = np.concatenate(tight)
    return outcome(
        TREES,
        np.concatenate([good.ravel() for good in ok]),
        closeness,
        lambda k: (
            f"cost / (D V) = {closeness[k]:.4g} for "
            f"{names[k // tight[0].size].describe(*divmod(k % tight[0].size, 256))}"
        ),
    )


# -- Lemma C.1 -------------------------------------------------------------------------------------


def _influential_variable(times: float = 1, depth: OfPairs = lambda e: e.delta) -> Outcome:
    """``max_i Inf_i(f) >= Vr(f)/Delta(f)``, or with something else for Delta."""
    every = pairs()
    some = every.depth > 0
    low = times * every.variation
    bound = depth(every) * _largest(every)
    tight = ratio(low, bound)
    return outcome(
        PAIRS,
        at_least(bound, low)[some],
        tight[some],
        lambda k: (
            f"Vr / (Delta max Inf_i) = {tight[some][k]:.4g} for "
            f"{every.describe(int(np.flatnonzero(some)[k]))}"
        ),
        example=lambda k: _function_of(every)(int(np.flatnonzero(some)[k])),
    )


def _variation_below_queried_influence(*, fair: bool = False, times: float = 1) -> Outcome:
    """``Vr <= sum_i delta_i Inf_i`` for every tree; delta_i is the chance that x_i is queried.

    The chance for ``fair`` coins, if so asked, in place of that under the measure.
    """
    trees, every = labelled_trees(3), pairs()
    ok, tight, places = [], [], []
    for p in MEASURES:
        first = int(np.flatnonzero((every.p == p).all(axis=1))[0])
        reach = biased_trees(MEASURES[0] if fair else p).reach[trees.tree]
        right = (reach * every.resample[first + trees.code]).sum(axis=1)
        left = times * every.variation[first + trees.code]
        ok.append(at_least(right, left))
        tight.append(ratio(left, right))
        places.append(p)
    closeness = np.concatenate(tight)
    size = trees.code.size
    return outcome(
        "labelled trees on 3 variables with measures",
        np.concatenate(ok),
        closeness,
        lambda k: (
            f"Vr / sum delta_i Inf_i = {closeness[k]:.4g} for {trees.describe(k % size)}, "
            f"{under(places[k // size])}"
        ),
        example=lambda k: trees_and_functions(3).trees[int(trees.tree[k % size])],
    )


@claim(
    "PS-L4.1",
    PS,
    r"$\mathrm{error}(T^\circ, f) \le \mathrm{cost}(T^\circ)$ for resample influences; with "
    r"flip influences it is at most half of the cost. Before any split: "
    r"$\mathrm{err} \le \mathrm{Vr} \le \mathrm{Inf}$.",
    PAGE,
)
def test_ps_l4_1(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "err ≤ Vr ≤ Inf",
                _chain_of_a_function,
                r"\operatorname{err}(f) \le \operatorname{Vr}(f) \le \operatorname{Res}(f)",
                false={
                    "1% more error": {"errors": 1.01},
                    "1% more variation": {"variations": 1.01},
                    "with m(1-m) for Vr": {"variations": 1 / 2},
                    "with 4m(1-m) for Vr": {"variations": 2},
                    "with the largest influence for their sum": {"influence": _largest},
                },
            ),
            stated(
                "error ≤ cost, for every tree",
                partial(_error_below, bound="cost", factor=1),
                false={"1% more error": {"factor": 1.01}},
            ),
            stated(
                "error ≤ cost/2 with flip influence",
                partial(_error_below, bound="flip_cost", factor=2),
                false={"1% more error": {"factor": 2.02}},
            ),
        ),
        (Form("for error ≤ cost/2 with resample influence", partial(_error_below, "cost", 2)),),
    )


@claim(
    "PS-L4.3",
    PS,
    r"Splitting a leaf on its best variable lowers the cost by exactly its score: "
    r"$\mathrm{Inf}(f) = \mathrm{Inf}_i(f) + (1-p_i) \mathrm{Inf}(f_{x_i=0}) + "
    r"p_i \mathrm{Inf}(f_{x_i=1})$.",
    PAGE,
)
def test_ps_l4_3(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "every leaf and variable of every tree",
                _drop_of_a_split,
                r"w_\ell \operatorname{Res}_i(f_\ell)",
                false={
                    "without the weight of the leaf": {"taken": _influence_alone},
                    "with flip influence": {"taken": _flips_there},
                    "with the Gini gain": {"taken": _gini_there},
                },
            ),
            stated(
                "every function, measure and variable",
                _split_identity,
                r"\operatorname{Res}(f) = \operatorname{Res}_i(f) + q_i \operatorname{Res}(f_0) "
                r"+ p_i \operatorname{Res}(f_1)",
                false={
                    "with p and q exchanged": {"exchanged": True},
                    "with the influence of another variable": {"other": 1},
                },
            ),
            stated(
                "every step of the runs",
                _greedy_split_takes_the_score_off,
                false={"the score of the next step": {"later": 1}},
            ),
        )
    )


@claim(
    "PS-L4.2",
    PS,
    r"$\mathrm{Inf}(f) \le D(T)\, \mathrm{Vr}(f)$ for every tree $T$ that computes $f$, with "
    r"resample influence and $\mathrm{Vr} = 2m(1-m)$; so $V \le \mathrm{cost} \le D V$ at the "
    r"leaves of any tree.",
    PAGE,
    note="The source writes Var and does not say which.",
)
def test_ps_l4_2(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "Inf ≤ D Vr",
                _depth_bounds_influence,
                r"\operatorname{Res}(f) \le D(T) \cdot \operatorname{Vr}(f)",
                false={
                    "1% less": {"times": 0.99},
                    "with log2 of the fewest leaves for D": {"depth": _log_size},
                },
            ),
            stated(
                "what the questions of any tree take off",
                _account,
                r"\operatorname{Res}(f) = \sum_v w_v \operatorname{Res}_{i(v)}(f_v) "
                r"\le \sum_v w_v \operatorname{Vr}(f_v)",
                false={
                    "as if each asked the best variable": {"taken": _most_influential},
                    "1% less variation": {"variations": 0.99},
                },
            ),
            stated(
                "Inf ≤ Delta/2",
                _half_the_average_depth,
                r"\operatorname{Res}(f) \le \frac12 \Delta(T)",
                false={"0.49 Delta": {"factor": 0.49}},
            ),
            stated(
                "error ≤ V ≤ cost ≤ D V for every tree",
                _leaves_of_any_tree,
                r"e_j \le V_j \le C_j \le D\, V_j",
                false={"1% less depth": {"depths": 0.99}, "1% more error": {"errors": 1.01}},
            ),
            stated(
                "with flip influence and 4m(1-m), uniform",
                partial(lemma_4_2, influence="flip", factor=4, uniform=True),
                false={"1% less": {"factor": 3.96}},
            ),
        ),
        (
            Form("with Var = m(1-m)", partial(lemma_4_2, "resample", 1)),
            Form("with flip influence, all measures", partial(lemma_4_2, "flip", 4)),
            Form("with the average depth", partial(_depth_bounds_influence, lambda e: e.delta)),
        ),
    )


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
def test_ps_lc_1(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "max Inf_i ≥ Vr/Delta",
                _influential_variable,
                r"\max_i \operatorname{Res}_i(f) \ge "
                r"\frac{\operatorname{Vr}(f)}{\Delta(T)}",
                false={
                    "1% more": {"times": 1.01},
                    "with log2 of the fewest leaves for Delta": {"depth": _log_size},
                },
            ),
            stated(
                "Vr ≤ sum delta_i Inf_i for every tree",
                _variation_below_queried_influence,
                r"\operatorname{Vr}(f) \le \sum_i \delta_i(T) \operatorname{Res}_i(f)",
                false={
                    "1% more": {"times": 1.01},
                    "with the delta_i of fair coins": {"fair": True},
                },
            ),
            stated(
                "with flip influence and 4m(1-m)",
                partial(lemma_c1, influence="flip", factor=4),
                false={"1% more": {"factor": 4.04}},
            ),
        ),
        (Form("with Var = 4m(1-m)", partial(lemma_c1, "resample", 4)),),
    )
