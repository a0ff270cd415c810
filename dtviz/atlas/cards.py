"""The card of a function: what the best trees have, and what the greedy algorithm makes of it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from dtviz.atlas.npn import npn_canonical
from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.boolean.measures import check_function, influences, variance
from dtviz.core.boolean_trees.exhaustive import MAX_BATCH_VARIABLES, greedy_all, optimal_all

__all__ = ["Card", "card"]

SHAPE = ("n_leaves", "depth", "rank", "average_depth")


def _class_size(f: BooleanFunction) -> int:
    """How many functions renaming and negating variables, and negating the value, makes of f."""
    x = np.arange(1 << f.n)
    orders = itertools.permutations(range(f.n))
    renamed = [sum(((x >> i & 1) << j for i, j in enumerate(order)), 0 * x) for order in orders]
    images = f.table[np.concatenate([row ^ x[:, None] for row in renamed])].astype(np.uint8)
    return len(np.unique(np.concatenate([images, 1 - images]), axis=0))


@dataclass(frozen=True)
class Card:
    """What the atlas says of a function of at most 5 variables.

    Attributes
    ----------
    n : int
        The number of variables.
    code : int
        The function, as ``f.code``.
    first : int
        The least code of its class: what renaming variables and negating them or the value makes.
    class_size : int
        How many functions the class has.
    influences : tuple of float
        Of each variable.
    variance : float
        ``4m(1-m)``, m being the share of points where the function is 1.
    n_leaves, depth, rank : int
        The least there is. Each may need a tree of its own.
    average_depth : float
        The least mean number of queries.
    greedy_n_leaves, greedy_depth, greedy_rank : int
        Of the tree that growth by influence ends in, ties to the lowest variable.
    greedy_average_depth : float
        Its mean number of queries.
    best, worst : int
        The fewest and the most leaves that growth by influence can end with, over all ways of
        breaking ties.

    Examples
    --------
    >>> import dtviz as dt
    >>> one = dt.atlas.card(dt.functions.caterpillar(1))
    >>> one.n_leaves, one.greedy_n_leaves, one.class_size
    (6, 8, 192)
    """

    n: int
    code: int
    first: int
    class_size: int
    influences: tuple[float, ...]
    variance: float
    n_leaves: int
    depth: int
    rank: int
    average_depth: float
    greedy_n_leaves: int
    greedy_depth: int
    greedy_rank: int
    greedy_average_depth: float
    best: int
    worst: int

    @property
    def waste(self) -> int:
        """The leaves that the greedy tree has too many, however lucky with ties."""
        return self.best - self.n_leaves


def card(f: BooleanFunction) -> Card:
    """Look a function of at most 5 variables up in the atlas.

    Examples
    --------
    >>> import dtviz as dt
    >>> one = dt.atlas.card(dt.functions.multiplexer(1))
    >>> one.n_leaves, one.best, one.worst
    (4, 4, 6)
    """
    n, code = check_function(f).n, f.code
    if n > MAX_BATCH_VARIABLES:
        msg = f"f must have at most {MAX_BATCH_VARIABLES} variables, got n = {n}"
        raise ValueError(msg)
    least, greedy = optimal_all(n, codes=[code]), greedy_all(n, codes=[code])
    return Card(
        n=n,
        code=code,
        first=int(npn_canonical(n, [code])[0]),
        class_size=_class_size(f),
        influences=tuple(influences(f).tolist()),
        variance=variance(f),
        **{name: getattr(least, name)[0].item() for name in SHAPE},
        **{f"greedy_{name}": getattr(greedy, name)[0].item() for name in SHAPE},
        best=int(greedy.best[0]),
        worst=int(greedy.worst[0]),
    )
