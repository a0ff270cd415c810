"""The prunings of one tree: how good each is on examples, and the price at which a subtree is cut.

A row of the table ends at one leaf of a path's largest tree, and on its way there it passes every
node whose label it ever gets. So what each node gets right is counted once, and the path sums it.
"""

from __future__ import annotations

import heapq
import math
from typing import Any

import numpy as np

from dtviz.core.bases import Array, Bools, Floats, Ints
from dtviz.core.checks import as_repr
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import SPREAD, as_classes, as_real_labels, check_kind
from dtviz.core.data.weights import read_weights
from dtviz.core.tolerances import ROUNDING, SAME_PRICE
from dtviz.core.tree.nodes import TreeNodes


def path_scores(path: Any, X: Any, y: Any, sample_weight: Any, *, by_squares: bool) -> Floats:
    """The scores of the trees of a path with 1, 2, .. leaves; see `GrowthPath.score`."""
    tree = path.tree()
    X, y, *_ = read_handed(X, y)
    leaf = tree.apply(X)
    m = leaf.size
    if m == 0:
        msg = f"X must have at least one row, got {as_repr(X)}"
        raise ValueError(msg)
    weight = read_weights(sample_weight, m).whole
    label = path.node_value[path.nodes()]
    if by_squares:
        kept = weight > 0
        truth, share = as_real_labels(y, m)[kept], weight[kept] / weight.max()
        return _r_squared(path, leaf[kept], truth, label, share)
    code, wanted = _codes_among(y, m, label)
    return np.asarray(_totals(path, _hits(tree, leaf, code, wanted, weight)) / weight.sum())


def _codes_among(y: Any, m: int, labels: Array) -> tuple[Ints, Ints]:
    """For m classes and for some labels the places of each in one list; -1 is in ``y`` alone."""
    classes, codes = as_classes(y, m)
    check_kind(y, classes, labels)
    known = labels.tolist()
    place = {label: k for k, label in enumerate(dict.fromkeys(known))}
    found = np.array([place.get(entry, -1) for entry in classes.tolist()], dtype=np.intp)
    return found[codes], np.array([place[label] for label in known], dtype=np.intp)


def _totals(path: Any, of_node: Array) -> Array:
    """What the trees of a path have at their leaves, given what each node of its largest has."""
    share = np.empty_like(of_node)
    share[path.nodes()] = of_node
    totals: Array = path.totals(share)
    return totals


def _hits(tree: TreeNodes, leaf: Ints, code: Ints, wanted: Ints, weight: Ints) -> Ints:
    """For each node, what the rows below it weigh that have the code it wants.

    The leaves below a node of a tree in preorder are neighbors. Rows in the order of their codes,
    and of their leaves where these are equal, make each count a stretch: no walk is needed, however
    deep the tree.
    """
    n = tree.n_nodes
    key = code * n + leaf
    order = np.argsort(key)
    first = wanted * n + np.arange(n)
    start, end = np.searchsorted(key, [first, first + 2 * tree.leaves_below - 1], sorter=order)
    sums = np.concatenate([[0], np.cumsum(weight[order])])
    return np.asarray(sums[end] - sums[start])


def _r_squared(path: Any, leaf: Ints, truth: Floats, label: Floats, weight: Floats) -> Floats:
    """R squared of the trees of a path; where all of ``truth`` is one number, whether it is met."""
    values = np.concatenate([truth, label])
    if values.max() / 2 - values.min() / 2 >= SPREAD[1]:
        msg = f"y must lie within {SPREAD[1]:g} of the labels of the path, so that squares are "
        raise ValueError(msg + f"floats, got labels from {truth.min():g} to {truth.max():g}")
    size, mean, squares = moments(path.tree(), leaf, truth, weight)
    lost = _totals(path, squares + size * (mean - label) ** 2)
    lost[lost <= ROUNDING * lost.max()] = 0  # a tree that is right has lost nothing
    if truth.min() < truth.max():
        return np.asarray(1 - lost / squares[0])
    return np.asarray(lost == 0, dtype=np.float64)


def moments(
    tree: TreeNodes, leaf: Ints, y: Floats, weight: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """At each node the weight of the rows that end below, their mean, and squared deviations."""
    n, base = tree.n_nodes, float(y[0])
    off = y - base
    each = np.ones(y.size) if weight is None else weight
    size = np.bincount(leaf, each, minlength=n).astype(np.float64)
    sums = np.bincount(leaf, each * off, minlength=n)
    mean = np.divide(sums, size, out=np.zeros(n), where=size > 0)
    off -= mean[leaf]
    squares = np.bincount(leaf, each * off * off, minlength=n).astype(np.float64)
    for level in reversed(tree.levels[:-1]):
        inner = level[tree.variable[level] >= 0]
        low, high = tree.low[inner], tree.high[inner]
        size[inner] = size[low] + size[high]
        share = np.divide(size[high], size[inner], out=np.zeros(inner.size), where=size[inner] > 0)
        gap = mean[high] - mean[low]
        mean[inner] = mean[low] + gap * share
        squares[inner] = squares[low] + squares[high] + gap * gap * size[low] * share
    return size, mean + base, squares


def equal_prices(tree: TreeNodes, risk: Floats, scale: float = 1.0) -> Floats:
    """The `weakest_links`, those that are equal up to rounding made equal, to the least of them.

    ``scale`` is the order of the costs: prices within `SAME_PRICE` times it are equal.
    """
    distinct, place = np.unique(weakest_links(tree, risk / scale), return_inverse=True)
    first = np.diff(distinct, prepend=-1) > SAME_PRICE
    return np.asarray(distinct[first][np.cumsum(first) - 1][place] * scale)


def cut_at(tree: TreeNodes, falls: Floats, price: float, scale: float = 1.0) -> Bools:
    """Which internal nodes are cut at a price: those that fall at it, or at a lower one.

    A price is the next higher one at which a node falls, if both are equal up to rounding.
    """
    following = float(falls.min(initial=math.inf, where=falls >= price))
    reached = following if following - price <= SAME_PRICE * scale else price
    return (tree.variable >= 0) & (falls <= reached)


def weakest_links(tree: TreeNodes, risk: Floats) -> Floats:
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
