"""Top-down growth that chooses nearly the best split, and what its choices lost."""

from __future__ import annotations

import heapq
import math

import numpy as np

from dtviz.core.bases import Floats
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees.topdown import InfluencePath, StepwiseGrowth
from dtviz.core.checks import as_generator, as_real
from dtviz.core.tolerances import SCORE_TIE
from dtviz.core.tree.growth_path import GrowthPath


def build_top_down_approximate(
    f: BooleanFunction,
    mu: ProductDistribution | None = None,
    share: float = 0.25,
    rng: np.random.Generator | int | None = None,
) -> InfluencePath:
    """Grow by choices that are nearly the best: the learner of claim PS-T5.1.

    Each step may split any leaf on any variable whose score, ``Pr[leaf] * influence``, is at least
    ``share`` of the best one.

    Parameters
    ----------
    f, mu : as in `build_top_down`
    share : float or Fraction in (0, 1]
        1 is exact greedy growth, but for ties.
    rng : numpy Generator or seed, optional
        Chooses at random among what is allowed. None: an adversary chooses the smallest score
        allowed; ties go to the leaf made first, then to the lowest variable.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.random(5, 1)
    >>> dt.build_top_down(f).n_splits
    11
    >>> dt.product.build_top_down_approximate(f, share=0.25).n_splits
    20
    """
    growth = StepwiseGrowth(f, mu)
    share = as_real("share", share, "(0, 1]", lambda s: 0 < s <= 1)
    generator = None if rng is None else as_generator("rng", rng)
    while len(growth.split_node) + 1 < 1 << growth.f.n:
        scores = growth.scores
        best = scores.max(initial=0.0)
        if best == 0:
            break
        # A share of next to nothing allows all that lowers the cost, and no more.
        floor = max(share * best * (1 - SCORE_TIE), math.ulp(0.0))
        if generator is None:
            allowed = np.where(scores >= floor, scores, np.inf)
            flat = int((allowed <= allowed.min() * (1 + SCORE_TIE)).argmax())
        else:
            flat = int(generator.choice(np.flatnonzero(scores >= floor)))
        growth.split(*divmod(flat, growth.f.n))
    return growth.path()


def split_shares(path: GrowthPath) -> Floats:
    """What each step took off the cost, as a share of the best score there: a ``(K,)`` array.

    1 on a path of `build_top_down`, at least 1/4 on one that claim PS-T5.1 is about.
    """
    score = path.node_score.tolist()
    heap, gone = [(-score[0], 0)], np.zeros(len(score), dtype=bool)
    best = np.empty(path.n_splits)
    for j, node in enumerate(path.split_node.tolist()):
        while gone[heap[0][1]]:
            heapq.heappop(heap)
        best[j] = -heap[0][0]
        gone[node] = True
        for child in (2 * j + 1, 2 * j + 2):
            heapq.heappush(heap, (-score[child], child))
    drops = path.costs[:-1] - path.costs[1:]
    return np.divide(drops, best, out=np.zeros_like(drops), where=best > 0)
