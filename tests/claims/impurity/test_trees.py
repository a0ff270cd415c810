"""Chapter 4, the impurity of a tree: what the leaves add up to, and what a split takes off."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import (
    PAGE,
    Weights,
    by_size,
    changed,
    counts_in_words,
    exchanged,
    grown_trees,
    halves,
    near,
    shares,
    splits,
)
from claims.kit import CU, Form, Outcome, Trial, claim, outcome
from dtviz.core import costs
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree

SPLITS = "splits of class counts"
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Shape = float | tuple[int, int, Any, Any]
"""A leaf is its impurity, a split the numbers of examples on its sides and what is below."""


# -- the sum over the leaves, and the recursion ----------------------------------------------------


class Costed(NamedTuple):
    """A tree of a path, what the path says that it costs, and what to call it."""

    shape: Shape
    cost: float
    name: str


@cache
def _costed_trees(cost: str) -> tuple[Costed, ...]:
    """The trees of all sizes on the small samples, with the cost that the path has for each."""
    found = []
    # The book's cost of growth is half the entropy, so that it is 1/2 at 1/2.
    unit = 1 if cost == "gini" else 2
    for (X, y, name), path, step, tree in grown_trees(cost):

        def of(node: int, rows: Any, tree: Tree = tree, X: Any = X, y: Any = y) -> Shape:
            i = int(tree.variable[node])
            if i < 0:
                counts = np.unique(y[rows], return_counts=True)[1]
                return float(getattr(costs, cost)(counts / counts.sum()))
            goes = X[rows, i] > tree.threshold[node]
            low, high = rows[~goes], rows[goes]
            below = of(int(tree.low[node]), low), of(int(tree.high[node]), high)
            return (low.size, high.size, *below)

        whole = of(0, np.arange(len(y)))
        found.append(Costed(whole, unit * float(path.costs[step]), f"{name} after {step} splits"))
    return tuple(found)


def _recursion(cost: str, weights: Weights = by_size) -> Outcome:
    """What a path says that each of its trees costs, a sum over leaves, against the recursion."""

    def impurity(tree: Shape) -> float:
        if isinstance(tree, float):
            return tree
        w_low, w_high = weights(*tree[:2])
        return float(w_low * impurity(tree[2]) + w_high * impurity(tree[3]))

    trees = _costed_trees(cost)
    return near(
        "grown trees",
        [tree.cost for tree in trees],
        [impurity(tree.shape) for tree in trees],
        lambda k: trees[k].name,
    )


# -- the drop --------------------------------------------------------------------------------------


def _alike(low: Ints, high: Ints) -> Bools:
    """Whether both sides have the same shares."""
    alike: Bools = low * high.sum(axis=1)[:, None] == high * low.sum(axis=1)[:, None]
    return np.asarray(alike.all(axis=1))


def _same_majority(low: Ints, high: Ints) -> Bools:
    """Whether a class is commonest on both sides."""
    both = (low == low.max(axis=1)[:, None]) & (high == high.max(axis=1)[:, None])
    return np.asarray(both.any(axis=1))


def _error(p: Floats) -> Any:
    return costs.CLASS_COST_FUNCTIONS["error"](p)


def _no_split_raises(
    impurity: str | Callable[[Floats], Any],
    weights: Weights = by_size,
    zero: Callable[[Ints, Ints], Bools] = _alike,
) -> Outcome:
    """The drop is at least 0, and 0 just for these splits: for every split of counts."""
    function = getattr(costs, impurity) if isinstance(impurity, str) else impurity
    good, rise, names = [], [], []
    for c in (2, 3):
        low, high = splits(c)
        w_low, w_high = weights(low.sum(axis=1), high.sum(axis=1))
        after = w_low * function(shares(low)) + w_high * function(shares(high))
        up = after - function(shares(low + high))
        up = np.where(np.abs(up) <= CLOSE, 0, up)
        good += ((up <= 0) & ((up == 0) == zero(low, high))).tolist()
        # Where the sides have the shares of the whole nothing changes: not those are of interest.
        rise += np.where(_alike(low, high) & (up <= 0), -2.0, up).tolist()
        names += [
            f"{counts_in_words(a)} and {counts_in_words(b)}: {u:+.3g}"
            for a, b, u in zip(low, high, up, strict=True)
        ]
    return outcome(SPLITS, good, rise, names.__getitem__)


Sides = tuple[Any, Any, Floats, Floats]
"""The weights of two sides, and their shares."""


def _distance_of_sides(sides: Sides) -> Any:
    """``w_L w_R ||p_L - p_R||^2``."""
    w_low, w_high, p_low, p_high = sides
    return w_low * w_high * ((p_low - p_high) ** 2).sum(axis=1)


def _distance_rooted(sides: Sides) -> Any:
    w_low, w_high, p_low, p_high = sides
    return w_low * w_high * np.sqrt(((p_low - p_high) ** 2).sum(axis=1))


def _distance_of_classes(sides: Sides) -> Any:
    w_low, w_high, p_low, p_high = sides
    return w_low * w_high * np.abs(p_low - p_high).sum(axis=1) ** 2


def _divergence_of_sides(sides: Sides, *, back: bool = False, equal: bool = False) -> Any:
    """``w_L KL(p_L || p) + w_R KL(p_R || p)``."""
    w_low, w_high, p_low, p_high = sides
    p = w_low[:, None] * p_low + w_high[:, None] * p_high
    parts = [costs.kl(p, side) if back else costs.kl(side, p) for side in (p_low, p_high)]
    if equal:
        w_low = w_high = 0.5
    return w_low * parts[0] + w_high * parts[1]


def _divergence_between(sides: Sides) -> Any:
    w_low, w_high, p_low, p_high = sides
    return w_low * costs.kl(p_low, p_high) + w_high * costs.kl(p_high, p_low)


def _drop_is(impurity: str, of: Callable[[Sides], Any]) -> Outcome:
    """The drop of each split, by definition, against another computation from its two sides."""
    function = getattr(costs, impurity)
    found, expected, names = [], [], []
    for c in (2, 3):
        low, high = splits(c)
        w_low, w_high = by_size(low.sum(axis=1), high.sum(axis=1))
        after = w_low * function(shares(low)) + w_high * function(shares(high))
        found += (function(shares(low + high)) - after).tolist()
        expected += of((w_low, w_high, shares(low), shares(high))).tolist()
        names += [
            f"{counts_in_words(a)} and {counts_in_words(b)}" for a, b in zip(low, high, strict=True)
        ]
    return near(SPLITS, found, expected, names.__getitem__)


def _forms(impurity: str, told: str, of: Form, convex: Callable[[Floats], Any]) -> tuple[Form, ...]:
    """The forms for an impurity: ``of`` is what its drop comes to, ``convex`` no concave thing."""
    recursion = partial(_recursion, impurity)
    none_raises = partial(_no_split_raises, impurity)
    return (
        Form(
            told,
            recursion,
            formula=r"I^T(S) = \frac{|S_L|}{|S|} \, I^{T_L}(S_L) "
            r"+ \frac{|S_R|}{|S|} \, I^{T_R}(S_R)",
            mutants=changed(
                recursion,
                weights={
                    "equal weights": halves,
                    "the weights of the sides exchanged": exchanged,
                    "the larger side alone": lambda low, high: (low >= high, low < high),
                },
            ),
        ),
        Form(
            "no split raises it, and it stays only if both sides have the same shares",
            none_raises,
            formula=r"I(p) - w_L I(p_L) - w_R I(p_R)",
            mutants=(
                *changed(none_raises, weights={"the weights of the sides exchanged": exchanged}),
                *changed(
                    none_raises,
                    zero={"it stays if both sides have the same majority": _same_majority},
                ),
                Form("of the error", partial(_no_split_raises, _error)),
                Form("of a function that is not concave", partial(_no_split_raises, convex)),
            ),
        ),
        of,
    )


@claim(
    "CU-GINI-TREE",
    CU,
    r"$G^T(S) = \frac{|S_L|}{|S|} G^T(S_L) + \frac{|S_R|}{|S|} G^T(S_R)$, and $G(S)$ at a "
    r"leaf. Since $G$ is concave, no split raises it.",
    PAGE,
    note="The source leaves out what holds at a leaf, and that impurity never rises.",
)
def test_cu_gini_tree(trial: Trial) -> None:
    trial.run(
        _forms(
            "gini",
            "path.costs against the recursion",
            Form(
                "its drop is the squared distance of the sides, weighted",
                partial(_drop_is, "gini", _distance_of_sides),
                formula=r"w_L w_R \, \lVert p_L - p_R \rVert^2",
                kind="identity",
                mutants=changed(
                    partial(_drop_is, "gini"),
                    of={
                        "the distance, not squared": _distance_rooted,
                        "the distance along the classes": _distance_of_classes,
                        "equal weights": lambda sides: _distance_of_sides((0.5, 0.5, *sides[2:])),
                    },
                ),
            ),
            lambda p: costs.gini(p) ** 2,
        ),
        (Form("without the weights", partial(_no_split_raises, "gini", halves)),),
    )


@claim(
    "CU-H-TREE",
    CU,
    r"$H(S) = \frac{|S_L|}{|S|} H(S_L) + \frac{|S_R|}{|S|} H(S_R)$ for a tree. No split raises "
    r"it.",
    PAGE,
)
def test_cu_h_tree(trial: Trial) -> None:
    trial.run(
        _forms(
            "entropy",
            "path.costs, doubled, against the recursion",
            Form(
                "its drop is the mean divergence of the sides from the whole",
                partial(_drop_is, "entropy", _divergence_of_sides),
                formula=r"w_L \, \mathrm{KL}(p_L \,\|\, p) + w_R \, \mathrm{KL}(p_R \,\|\, p)",
                kind="identity",
                mutants=changed(
                    partial(_drop_is, "entropy"),
                    of={
                        "from the sides to the whole": partial(_divergence_of_sides, back=True),
                        "of the sides from each other": _divergence_between,
                        "equal weights": partial(_divergence_of_sides, equal=True),
                    },
                ),
            ),
            lambda p: costs.entropy(p) ** 2,
        ),
        (Form("without the weights", partial(_no_split_raises, "entropy", halves)),),
    )
