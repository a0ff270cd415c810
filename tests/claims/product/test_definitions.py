"""Chapter 3, the definitions: influence by drawing a bit anew, score, cost, the algorithm."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.kit import PS, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import all_functions, name, trees_and_functions
from claims.product.forms import stated
from claims.product.populations import MEASURES, Run, pairs, runs, under
from dtviz.core import measures, topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.growth import GrowthPath

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


Spread = Callable[[Floats], Floats | float]
"""What resample influences are, as multiples of flip influences: ``2 p (1-p)``."""


@cache
def _both_influences() -> tuple[Floats, Floats]:
    """Of all pairs, a row each: bit i drawn anew, and bit i flipped, both over all pairs (x, y)."""
    every, x = pairs(), np.arange(8)
    table = all_functions(3).table
    differ = (table[:, :, None] != table[:, None, :]).reshape(256, 64).astype(float)
    anew, flip = [], []
    for p in every.p[::256]:
        w = ProductDistribution(p).weights()
        one_bit = [(x[:, None] ^ x) & ~(1 << i) == 0 for i in range(3)]
        fresh = [np.where(x >> i & 1, p[i], 1 - p[i]) for i in range(3)]
        drawn = [w[:, None] * here * b for here, b in zip(one_bit, fresh, strict=True)]
        turned = [w[:, None] * (x[:, None] ^ x == 1 << i) for i in range(3)]
        anew.append(differ @ np.array(drawn).reshape(3, 64).T)
        flip.append(differ @ np.array(turned).reshape(3, 64).T)
    return np.concatenate(anew), np.concatenate(flip)


def _from_flip_influence(spread: Spread = lambda p: 2 * p * (1 - p)) -> Outcome:
    """``Inf^mu_i`` by drawing bit i anew against a multiple of ``Inf_i`` by flipping it."""
    every = pairs()
    anew, flip = _both_influences()
    gap = np.abs(anew - spread(every.p) * flip).max(axis=1)
    return equality(PAIRS, gap, every.describe)


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


def _reach(p: tuple[float, ...], path: Restriction) -> Fraction:
    reach = Fraction(1)
    for i, b in path:
        reach *= Fraction(p[i]) if b else 1 - Fraction(p[i])
    return reach


@cache
def _by_leaf(code: int, p: tuple[float, ...], path: Restriction) -> list[Fraction]:
    """``Pr[leaf] * Inf_i(f at the leaf)`` for each variable that is free there, in fractions."""
    left = tuple(q for i, q in enumerate(p) if i not in dict(path))
    f = BooleanFunction.from_int(len(p), code)
    return [_reach(p, path) * v for v in _drawn_anew(_restricted(f, path).table, left)]


CHOSEN = (22, 106, 150, 232)
"""Codes of functions of 3 variables for which every tree is measured."""


def _leaves_of_trees(*, total: bool) -> Outcome:
    """`dt.leaf_scores`, or (``total``) `dt.tree_cost`, of every tree, against its leaves."""
    gap, names = [], []
    mu = ProductDistribution(MIXED)
    for code in CHOSEN:
        f = BooleanFunction.from_int(3, code)
        for k, tree in enumerate(trees_and_functions(3).trees):
            shares = [_by_leaf(code, MIXED, tuple(sorted(path))) for path in tree.paths()]
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


Best = tuple[Fraction, Restriction, Fraction]
"""The best score of a leaf, the way to it, and its weight."""


def _of_the_book(leaf: Best) -> tuple[Any, ...]:
    """The best score first; if tied, the shallowest leaf, then the leftmost."""
    score, path, _ = leaf
    return -score, len(path), [b for _, b in path]


def _deepest_first(leaf: Best) -> tuple[Any, ...]:
    score, path, _ = leaf
    return -score, -len(path), [b for _, b in path]


def _rightmost_first(leaf: Best) -> tuple[Any, ...]:
    score, path, _ = leaf
    return -score, len(path), [-b for _, b in path]


def _without_weights(leaf: Best) -> tuple[Any, ...]:
    score, path, weight = leaf
    return -score / weight, len(path), [b for _, b in path]


def _first_best(shares: list[Fraction]) -> int:
    return shares.index(max(shares))


def _last_best(shares: list[Fraction]) -> int:
    return len(shares) - 1 - shares[::-1].index(max(shares))


def _least(shares: list[Fraction]) -> int:
    return shares.index(min(share for share in shares if share))


Splits = list[tuple[Restriction, int, Fraction]]
"""Per step the leaf, its variable, the cost before."""
Order = Callable[[Best], tuple[Any, ...]]
Pick = Callable[[list[Fraction]], int]


def _by_definition(code: int, p: tuple[float, ...], order: Order, pick: Pick) -> Splits:
    """BuildTopDownDT as written, in fractions: per step the leaf, its variable, the cost before.

    ``order`` sorts the leaves, and ``pick`` chooses among the variables of the first.
    """
    leaves: dict[Restriction, list[Fraction]] = {(): _by_leaf(code, p, ())}
    made: list[tuple[Restriction, int, Fraction]] = []
    while True:
        scores = {way: max(shares, default=Fraction(0)) for way, shares in leaves.items()}
        some = [(score, way, _reach(p, way)) for way, score in scores.items() if score]
        if not some:
            return made
        _, best, _ = min(some, key=order)
        cost = sum((sum(share, Fraction(0)) for share in leaves.values()), Fraction(0))
        free = [i for i in range(len(p)) if i not in dict(best)]
        variable = free[pick(leaves.pop(best))]
        made.append((best, variable, cost))
        for b in (0, 1):
            child = (*best, (variable, b))
            leaves[child] = _by_leaf(code, p, child)


@cache
def _grown() -> tuple[tuple[Run, GrowthPath, Splits], ...]:
    """A sample of the runs, grown by the package: the path, and its splits in other words."""
    found = []
    for run in runs()[: 254 * len(MEASURES) : 11]:
        path = topdown.build_top_down(run.f, run.mu)
        leaf_of: dict[int, Restriction] = {0: ()}
        made = []
        for split, cost in zip(path.splits, path.costs, strict=False):
            made.append((leaf_of[split.node], split.variable, Fraction(cost)))
            for b in (0, 1):
                leaf_of[2 * split.step + 1 + b] = (*leaf_of[split.node], (split.variable, b))
        found.append((run, path, made))
    return tuple(found)


def _runs_follow_the_definition(order: Order = _of_the_book, pick: Pick = _first_best) -> Outcome:
    """`dt.build_top_down` with a measure against the rescan of all leaves, step by step."""
    wrong = [
        made != _by_definition(run.f.code, tuple(run.mu.p.tolist()), order, pick)
        for run, _, made in _grown()
    ]
    return equality("runs, compared step by step", wrong, lambda k: _grown()[k][0].name)


@cache
def _trees_on_the_way() -> tuple[list[tuple[Floats, Floats, float]], ...]:
    """For each of these runs and of its trees: the masses of its leaves, and its error."""
    return tuple(
        [
            (
                *tree.leaf_masses(run.f, run.mu),
                measures.mean(tree.function(run.f.n) ^ run.f, run.mu),
            )
            for tree in (path.tree(j + 1) for j in range(path.n_splits + 1))
        ]
        for run, path, _ in _grown()
    )


def _ends(below: Callable[[float, float], bool] = operator.le, label: Any = np.minimum) -> Outcome:
    """Where growth to an error ends, and what the tree that is returned errs.

    Against the errors of all its trees, leaf by leaf; epsilon is 1/10 or one of these errors.
    """
    wrong, names = [], []
    for (run, path, _), trees in zip(_grown(), _trees_on_the_way(), strict=True):
        said = [float(label(zeros, ones).sum()) for zeros, ones, _ in trees]
        for epsilon in sorted({0.1, *(error for *_, error in trees if error < 1 / 2)}):
            leaves = path.n_leaves_for(epsilon)
            first = next((j for j, e in enumerate(said) if below(e, epsilon)), len(said) - 1)
            wrong.append(leaves != first + 1 or trees[leaves - 1][2] != said[first])
            names.append(f"{run.name}, epsilon = {epsilon:g}")
    return equality("pairs of a run and an epsilon", wrong, names.__getitem__)


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


@claim(
    "PS-ALG",
    PS,
    r"BuildTopDownDT under a product distribution: split the leaf of the highest score "
    r"$p_v \max_i \mathrm{Inf}^\mu_i(f_v)$ on its most influential variable, label by "
    r"majority, until the error is at most $\varepsilon$.",
    PAGE,
)
def test_ps_alg(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "dt.build_top_down against a rescan in fractions",
                _runs_follow_the_definition,
                false={
                    "ties to the deepest leaf": {"order": _deepest_first},
                    "ties to the rightmost leaf": {"order": _rightmost_first},
                    "ties to the last variable": {"pick": _last_best},
                    "the least influential variable": {"pick": _least},
                    "leaves by influence, without their weight": {"order": _without_weights},
                },
            ),
            stated(
                "where it ends, and the labels",
                _ends,
                false={
                    "going on at an error of epsilon": {"below": operator.lt},
                    "stopping at twice epsilon": {"below": lambda e, epsilon: e <= 2 * epsilon},
                    "with the rarer label": {"label": np.maximum},
                },
            ),
        ),
        (Form("with flip influence in its place, the same roots", _flip_scores_choose_alike),),
    )


@claim(
    "PS-DEF-INF",
    PS,
    r"$\mathrm{Inf}^\mu_i(f) = \Pr[f(x) \ne f(x^{(i)})]$, where $x^{(i)}$ is $x$ with bit $i$ "
    r"drawn anew; it is $2 p_i (1 - p_i)$ times the flip influence.",
    PAGE,
    note="Under the uniform distribution it is half of flip influence; the source does not say so.",
)
def test_ps_def_inf(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "dt.resample_influences against drawing anew",
                _resample_influence,
                r"\Pr\bigl[f(x) \ne f(x^{(i)})\bigr]",
                kind="definition",
            ),
            stated(
                "2 p (1-p) times flip influence",
                _from_flip_influence,
                r"\operatorname{Res}_i(f) = 2 p_i q_i \operatorname{Inf}_i(f)",
                false={
                    "p (1-p) times": {"spread": lambda p: p * (1 - p)},
                    "half, as for fair coins": {"spread": lambda _: 1 / 2},
                    "p² + (1-p)² times: the bits agree": {"spread": lambda p: p**2 + (1 - p) ** 2},
                },
            ),
        ),
        (Form("equal to flip influence, for uniform bits", _equal_to_flip_influence),),
    )


@claim(
    "PS-DEF-SCORE",
    PS,
    r"$\mathrm{Score}(v) = p_v \max_i \mathrm{Inf}^\mu_i(f_v)$, where $p_v$ is the probability "
    r"of reaching the leaf $v$ and $f_v$ is $f$ there.",
    PAGE,
)
def test_ps_def_score(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "dt.leaf_scores against restrictions",
                partial(_leaves_of_trees, total=False),
                r"\operatorname{score}(\ell) = w_\ell \cdot \max_i \operatorname{Res}_i(f_\ell)",
                kind="definition",
            ),
        )
    )


@claim(
    "PS-DEF-COST",
    PS,
    r"$\mathrm{cost}(T^\circ) = \sum_v p_v \mathrm{Inf}^\mu(f_v)$ over the leaves, where "
    r"$\mathrm{Inf}^\mu$ adds up the influences.",
    PAGE,
)
def test_ps_def_cost(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "dt.cost against restrictions",
                partial(_leaves_of_trees, total=True),
                r"\operatorname{cost}(T^\circ) = \sum_\ell w_\ell \operatorname{Res}(f_\ell)",
                kind="definition",
            ),
        )
    )
