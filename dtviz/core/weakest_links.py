"""Weakest links: the price of a leaf from which on a subtree is not worth its leaves."""

from __future__ import annotations

import heapq

import numpy as np
import numpy.typing as npt

from dtviz.core.tolerances import SAME_PRICE
from dtviz.core.tree import Tree

Floats = npt.NDArray[np.float64]


def equal_prices(prices: Floats) -> Floats:
    """The prices, those that are equal up to rounding made equal, to the least of them."""
    distinct, place = np.unique(prices, return_inverse=True)
    first = np.diff(distinct, prepend=-1) > SAME_PRICE
    return np.asarray(distinct[first][np.cumsum(first) - 1][place])


def weakest_links(tree: Tree, risk: Floats) -> Floats:
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
