"""Cost-complexity pruning, CART's: pay a price per leaf, cut the weakest link first."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS
from dtviz.core.checks import as_one_of, as_real, as_repr
from dtviz.core.hints import with_hints
from dtviz.core.tree.prunings import cut_at, equal_prices, weakest_links
from dtviz.core.tree.tree import Tree
from dtviz.pruning.decisions import Pruning, PruningPath, cut_fields
from dtviz.pruning.node_counts import GrownOn, NodeCounts, node_counts, node_means


@with_hints
def cost_complexity_path(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    *,
    cost: str = "error",
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
    loss: npt.ArrayLike | None = None,
) -> PruningPath:
    """CART's path: for every price alpha of a leaf the smallest tree with the least total cost.

    The cost of a leaf is its share of the sample times its impurity; a tree costs the sum over its
    leaves plus alpha for each. As alpha grows each tree is made from the one before by cutting its
    weakest links (Breiman, Friedman, Olshen and Stone, 1984). Time O(L log^2 L) for L leaves.

    Parameters
    ----------
    cost : str
        ``"error"``, the error rate of the nodes' labels, or the impurity ``"gini"``, ``"entropy"``
        or ``"sqrt"`` of the classes at the node (`dtviz.impurity.CLASS_COST_FUNCTIONS`).
        scikit-learn's ``ccp_alpha`` is alpha with ``"gini"``, its criterion by default; with its
        entropy it is twice alpha, since in this book entropy is halved as a cost. Regression trees
        take ``"squared"``, the mean squared error, as does scikit-learn's DecisionTreeRegressor; a
        node that is cut predicts the mean.
    tree, X, y, sample_weight, grown_on, classes, loss :
        See `node_counts`; a loss matrix goes with ``"error"``. The unit of the weights does not
        matter here. Prices within 1e-12 (for squared loss and a loss matrix, within that share of
        the largest error of a node) are one, so alpha = 0.05 hits a break at 0.05000000000000002;
        where a cost is no number of errors, rows of that share of the weight may be cut at 0.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> path = dt.pruning.cost_complexity_path(tree, X, y)
    >>> path.n_leaves.tolist(), path.breaks.round(4).tolist()
    ([4, 2, 1], [0.0, 0.0833, 0.3333])
    """
    samples = {"sample_weight": sample_weight, "grown_on": grown_on, "classes": classes}
    priced = _prices(cost, tree, X, y, loss=loss, **samples)
    counts, falls, _ = priced
    inner = counts.given.variable >= 0
    breaks = np.unique(np.append(_visible(counts, falls)[inner], 0.0))
    leaves = [counts.leaves(inner & (falls <= price)) for price in breaks]
    sizes = np.array([int(here.sum()) for here in leaves])
    errors = np.array([counts.errors[here].sum() for here in leaves])
    sample = counts.weigh(errors), counts.m
    return PruningPath("alpha", breaks, sizes, *sample, partial(_cost_complexity, priced))


@with_hints
def cost_complexity_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    alpha: float | None = None,
    *,
    cost: str = "error",
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
    loss: npt.ArrayLike | None = None,
) -> Pruning:
    """The tree of `cost_complexity_path` for one price ``alpha >= 0`` of a leaf.

    The other arguments are those of `cost_complexity_path`.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> dt.pruning.cost_complexity_prune(tree, X, y, 0.1)
    <Pruning: 4 -> 2 leaves, 0 -> 1 errors of 6>
    """
    price = as_real("alpha", alpha, "[0, inf)", lambda a: 0 <= a < math.inf)
    samples = {"sample_weight": sample_weight, "grown_on": grown_on, "classes": classes}
    priced = _prices(cost, tree, X, y, loss=loss, **samples)
    return _cost_complexity(priced, price)


class _Prices(NamedTuple):
    """The sample on the tree; where each internal node becomes a leaf; the order of the costs."""

    counts: NodeCounts
    falls: Floats
    scale: float


def _cost_complexity(priced: _Prices, price: float) -> Pruning:
    counts, falls, scale = priced
    return Pruning(*cut_fields(counts, cut_at(counts.given, falls, price, scale)))


def _prices(
    cost: object, tree: Tree, *sample: Any, loss: Any, classes: Any, **samples: Any
) -> _Prices:
    cost = as_one_of("cost", cost, (*CLASS_COST_FUNCTIONS, "squared"))
    for name, given, needed in (("loss", loss, "error"), ("classes", classes, "")):
        if given is not None and (cost == "squared" or needed not in {"", cost}):
            msg = f'{name} must be left out with cost="{cost}", got {as_repr(given)}'
            raise ValueError(msg)
    if cost == "squared":
        counts = node_means(tree, *sample, **samples)
    else:
        counts = node_counts(tree, *sample, classes=classes, loss=loss, **samples)
        if loss is None:
            return _Prices(counts, _class_prices(counts, cost), 1.0)
    # The prices of impurities are of order 1; these are of the order of the errors.
    risk = counts.errors / counts.reach[0]
    scale = float(risk.max()) or 1.0
    return _Prices(counts, equal_prices(counts.given, risk, scale), scale)


def _class_prices(counts: NodeCounts, cost: str) -> Floats:
    """The prices of errors or of an impurity of the classes."""
    if cost == "error":  # sums of integers are exact, and equal quotients equal floats
        prices = weakest_links(counts.given, counts.errors.astype(np.float64))
        return np.asarray(prices / counts.reach[0])
    reached = counts.reach > 0
    risk = np.zeros(reached.size)
    share = counts.counts[reached] / counts.reach[reached, None]
    risk[reached] = CLASS_COST_FUNCTIONS[cost](share) * (counts.reach[reached] / counts.reach[0])
    return equal_prices(counts.given, risk)


def _visible(counts: NodeCounts, falls: Floats) -> Floats:
    """The price at which each node is cut or goes with a node above that is cut."""
    tree, until = counts.given, falls.copy()
    for level in tree.levels[:-1]:
        inner = level[tree.variable[level] >= 0]
        for child in (tree.low[inner], tree.high[inner]):
            until[child] = np.minimum(until[child], until[inner])
    return until
