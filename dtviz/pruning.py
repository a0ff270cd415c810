"""Pruning: cutting back a tree that fits its sample too well.

Chapter 6, after Mansour's notes and Kearns and Mansour. Four ways to choose among the prunings of a
tree, the trees made from it by turning nodes into leaves:

- reduced-error pruning asks a second sample at every node, from the leaves up;
- the smallest prunings for every number of errors, from which structural risk minimisation or
  cross-validation choose one (in `dtviz.smallest`);
- bottom-up pruning keeps a subtree only if it beats a leaf by more than a penalty for its size, its
  depth and the few examples that reach it, on the sample that grew it;
- cost-complexity pruning, CART's, pays a price per leaf: what practitioners use.

The size of a tree is its number of *leaves*; the source counts nodes, ``2 leaves - 1``. Logarithms
are natural. Each method returns a `Pruning`, with the tree and a record of every decision; each
takes trees of Boolean or real-valued tests, grown by any algorithm, and any number of classes. Two
notions of the source need care then: the number of tests, which for thresholds is unlimited (see
`bottom_up_prune`), and the number of trees, in which ``n_classes`` labels stand at each leaf.
"""

from __future__ import annotations

import heapq
import math
from functools import partial

import numpy as np
import numpy.typing as npt

from dtviz._validate import as_real, shown
from dtviz.bottomup import (
    LogCardinality,
    alpha,
    bottom_up_path,
    bottom_up_prune,
    count_paths,
    count_trees,
    log_paths,
    log_trees,
    vc_log_cardinality,
)
from dtviz.costs import CLASS_COSTS
from dtviz.decisions import Decision, Pruning, PruningPath, bottom_up, chosen
from dtviz.nodecounts import GrownOn, NodeCounts, node_counts
from dtviz.smallest import (
    CrossValidatedPruning,
    SmallestPrunings,
    SrmPruning,
    cross_validated_prune,
    log_factor,
    smallest_prunings,
    srm_path,
    srm_prune,
)
from dtviz.tree import Tree

__all__ = [
    "CrossValidatedPruning",
    "Decision",
    "LogCardinality",
    "NodeCounts",
    "Pruning",
    "PruningPath",
    "SmallestPrunings",
    "SrmPruning",
    "alpha",
    "bottom_up_path",
    "bottom_up_prune",
    "cost_complexity_path",
    "cost_complexity_prune",
    "count_paths",
    "count_trees",
    "cross_validated_prune",
    "log_factor",
    "log_paths",
    "log_trees",
    "node_counts",
    "reduced_error_prune",
    "smallest_prunings",
    "srm_path",
    "srm_prune",
    "vc_log_cardinality",
]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SAME_PRICE = 1e-12
"""Prices of a leaf closer than this are one: they are sums of rounded impurities of order 1."""


def reduced_error_prune(
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> Pruning:
    """Reduced-error pruning: cut wherever a leaf errs no more than the current subtree (MN-REP).

    From the leaves up, each node's subtree, pruned below already, is compared with a leaf on a
    sample that did not grow the tree. The result errs the least of all prunings, and is the
    smallest of those that do. Time linear in the tree, plus that of sending the sample down.

    Parameters
    ----------
    tree : Tree
        A labelled tree; its leaves keep their labels. A bare tree is labelled as cut nodes are.
    X, y : (m, d) and (m,) arrays
        The pruning sample, the source's S_2.
    grown_on : pair (X, y), optional
        The sample S_1 that grew the tree. A node that is cut predicts its majority there, as in the
        source (claim MN-REPEX); if not given, the majority of the pruning sample.
    classes : sequence, optional
        Further labels that may occur, see `node_counts`.

    Raises
    ------
    ValueError
        As `node_counts`.

    Examples
    --------
    >>> tree = Tree.split(0, Tree.split(1, Tree.leaf(0), Tree.leaf(1)), Tree.leaf(1))
    >>> pruned = reduced_error_prune(tree, [[0, 0], [0, 1], [1, 0]], [0, 0, 1])
    >>> print(pruned.tree)
    x0
    ├─ 0: 0
    └─ 1: 1
    >>> [(d.node, d.subtree_errors, d.leaf_errors, d.cut) for d in pruned.decisions]
    [(1, 1, 0, True), (0, 0, 1, False)]
    """
    counts = node_counts(tree, X, y, grown_on=grown_on, classes=classes)

    def decide(inner: Ints, _: Ints, errors: Ints) -> tuple[Bools, Floats]:
        return counts.errors[inner] <= errors, np.zeros(inner.size)

    return bottom_up(counts, decide)


# -- cost-complexity pruning -----------------------------------------------------------------------


def cost_complexity_path(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    cost: str = "error",
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> PruningPath:
    """CART's path: for every price alpha of a leaf the smallest tree with the least total cost.

    The cost of a leaf is its share of the sample times its impurity; a tree costs the sum over its
    leaves plus alpha for each. As alpha grows each tree is made from the one before by cutting its
    weakest links. Time O(L log^2 L) for L leaves.

    Parameters
    ----------
    cost : str
        ``"error"``, the error rate of the nodes' labels, or the impurity ``"gini"``, ``"entropy"``
        or ``"sqrt"`` of the classes at the node (`dtviz.CLASS_COSTS`). scikit-learn's
        ``ccp_alpha`` is alpha with ``"gini"``, its criterion by default; with its entropy it is
        twice alpha, since in this book entropy is halved as a cost.

    Other arguments and errors are those of `node_counts`.
    """
    counts = node_counts(tree, X, y, grown_on=grown_on, classes=classes)
    falls = _prices(counts, cost)
    inner = counts.tree.variable >= 0
    breaks = np.unique(np.append(_visible(counts, falls)[inner], 0.0))
    cuts = [inner & (falls <= price) for price in breaks]
    leaves = [counts.kept(cut) & (cut | ~inner) for cut in cuts]
    sizes = np.array([int(here.sum()) for here in leaves])
    errors = np.array([int(counts.errors[here].sum()) for here in leaves])
    return PruningPath("alpha", breaks, sizes, errors, partial(_cost_complexity, counts, falls))


def cost_complexity_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    alpha: float,
    *,
    cost: str = "error",
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> Pruning:
    """The tree of `cost_complexity_path` for one price ``alpha >= 0`` of a leaf."""
    price = as_real("alpha", alpha, "[0, inf)", lambda a: 0 <= a < math.inf)
    counts = node_counts(tree, X, y, grown_on=grown_on, classes=classes)
    return _cost_complexity(counts, _prices(counts, cost), 0, price)


def _cost_complexity(counts: NodeCounts, falls: Floats, _: int, price: float) -> Pruning:
    return Pruning(*chosen(counts, (counts.tree.variable >= 0) & (falls <= price)))


def _prices(counts: NodeCounts, cost: object) -> Floats:
    """For each internal node the price of a leaf from which on its subtree is cut to a leaf."""
    if not isinstance(cost, str) or cost not in CLASS_COSTS:
        msg = f"cost must be one of {', '.join(CLASS_COSTS)}, got {shown(cost)}"
        raise ValueError(msg)
    if cost == "error":  # sums of integers are exact, and equal quotients equal floats
        return _weakest_links(counts.tree, counts.errors.astype(np.float64)) / counts.m
    reached = counts.reach > 0
    risk = np.zeros(reached.size)
    share = counts.counts[reached] / counts.reach[reached, None]
    risk[reached] = CLASS_COSTS[cost](share) * (counts.reach[reached] / counts.m)
    # Prices equal up to rounding are made equal, to the least of them.
    prices, place = np.unique(_weakest_links(counts.tree, risk), return_inverse=True)
    first = np.diff(prices, prepend=-1) > SAME_PRICE
    return np.asarray(prices[first][np.cumsum(first) - 1][place])


def _visible(counts: NodeCounts, falls: Floats) -> Floats:
    """The price at which each node is cut or goes with a node above that is cut."""
    tree, until = counts.tree, falls.copy()
    for level in tree.levels[:-1]:
        inner = level[tree.variable[level] >= 0]
        for child in (tree.low[inner], tree.high[inner]):
            until[child] = np.minimum(until[child], until[inner])
    return until


def _weakest_links(tree: Tree, risk: Floats) -> Floats:
    """For each internal node the price from which on its subtree, taken alone, is cut to a leaf.

    Below a price the best subtree at v is v with the best subtrees at its children. Undo the links
    that fell there, from the dearest down, until what v would save per leaf exceeds the next one.
    """
    falls = np.zeros(tree.n_nodes)
    costs = risk.tolist()
    waiting: list[tuple[list[tuple[float, float, int]], float, int]] = []
    for v in range(tree.n_nodes - 1, -1, -1):
        if tree.variable[v] < 0:
            waiting.append(([], costs[v], 1))
            continue
        # Links (minus price, rise of cost, fall of leaves), and the subtree when all have fallen.
        links, total, size = waiting.pop()
        others, other_total, other_size = waiting.pop()
        if len(links) < len(others):
            links, others = others, links
        for link in others:
            heapq.heappush(links, link)
        total, size = total + other_total, size + other_size
        price = max(0.0, (costs[v] - total) / (size - 1))
        while links and -links[0][0] >= price:
            _, rise, fewer = heapq.heappop(links)
            total, size = total - rise, size + fewer
            price = max(0.0, (costs[v] - total) / (size - 1))
        falls[v] = price
        heapq.heappush(links, (-price, costs[v] - total, size - 1))
        waiting.append((links, costs[v], 1))
    return falls
