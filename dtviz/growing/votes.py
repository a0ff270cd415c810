"""Chapter 5: top-down growth on independent votes, exact for trees too large to hold.

The model: predicate j is the label flipped with probability ``1/2 - gamma``, independently of all
others, and there are infinitely many. A leaf has seen d votes, j of them for 1, and all leaves
with the same d and j are alike: ``C(d, j)`` of them, one state. So growth is computed on states,
and a tree of 10^190 leaves takes a moment. The edge is exactly gamma at every leaf.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, FrozenArrays
from dtviz.core.cart.criteria import Cost, Criterion, as_criterion
from dtviz.core.checks import as_integer, as_real
from dtviz.core.hints import with_hints

MAX_VOTES = 1500
"""The greatest depth that `grow_votes` accepts: masses of leaves are above 10^-308."""


@dataclass(frozen=True, eq=False)
class VoteGrowth(FrozenArrays):
    """Top-down growth on votes, whenever all leaves of a state have been split (MN-TS).

    Attributes
    ----------
    gamma, cost_name : float, str
        The edge of every vote and the cost that was reduced.
    log_leaves : (K+1,) float array
        ``ln`` of the number of leaves; 0 at the start.
    errors, costs : (K+1,) float arrays
        The error of the tree and its cost.
    depths : (K+1,) int array
        The depth of the tree: the most votes that any leaf has seen.
    stuck : bool
        Whether growth ended because no split took anything off the cost.

    Examples
    --------
    >>> import dtviz as dt
    >>> growth = dt.grow_votes(0.2)
    >>> growth
    <VoteGrowth: gamma 0.2, sqrt, depth 9, error 0.5 -> 0.0988087>
    >>> round(growth.log_leaves_for(0.1), 2)
    6.04
    """

    gamma: float
    cost_name: str
    log_leaves: Floats
    errors: Floats
    costs: Floats
    depths: npt.NDArray[np.intp]
    stuck: bool

    def log_leaves_for(self, epsilon: float) -> float:
        """``ln`` of the number of leaves when the error was first at most ``epsilon``.

        ``epsilon`` is in (0, 1/2]. A ValueError if growth ended at a greater error.
        """
        epsilon = as_real("epsilon", epsilon, "(0, 1/2]", lambda e: 0 < e <= 0.5)
        reached = self.errors <= epsilon
        if not reached.any():
            msg = (
                f"epsilon must be at least {self.errors[-1]:.6g}, the error where growth ended, "
                f"got {epsilon:g}"
            )
            raise ValueError(msg)
        return float(self.log_leaves[reached.argmax()])

    def __repr__(self) -> str:
        return (
            f"<VoteGrowth: gamma {self.gamma:g}, {self.cost_name}, depth {self.depths[-1]}, "
            f"error {self.errors[0]:g} -> {self.errors[-1]:g}>"
        )


def _level(gamma: float, cost: Criterion, d: int) -> tuple[list[float], ...]:
    """The leaves that have seen d votes, j = 0 .. d of them for 1, which are alike.

    Per j: ln of a leaf's mass, its error, its G(q), ln of its score.
    """
    a, b = 0.5 + gamma, 0.5 - gamma
    j = np.arange(d + 1)
    one = j * math.log(a) + (d - j) * math.log(b)
    zero = j * math.log(b) + (d - j) * math.log(a)
    log_mass = np.logaddexp(zero, one) - math.log(2)
    # By symmetry all is a function of the share s of the rarer label.
    odds = np.exp(-np.abs(one - zero))
    s = odds / (1 + odds)
    with np.errstate(divide="ignore"):
        log_score = log_mass + np.log(cost.vote_drop(gamma, s))
    return tuple(column.tolist() for column in (log_mass, s, cost.of_share(s), log_score))


class _Frontier:
    """The states whose leaves wait to be split, and which of them is the next.

    A leaf that scores higher than some split leaf is ready: it goes before more leaves like that
    one, the shallowest first, so that all leaves of a state are there when it is split.
    """

    def __init__(self, gamma: float, cost: Criterion) -> None:
        self.level = cache(partial(_level, gamma, cost))
        self.count: defaultdict[tuple[int, int], int] = defaultdict(int)
        self.queue: list[tuple[float, int, int]] = []
        self.ready: list[tuple[int, int]] = []
        self.lowest = math.inf
        self.add(0, 0, 1)

    def add(self, d: int, j: int, number: int) -> None:
        """Let so many more leaves wait that have seen d votes, j of them for 1."""
        if not self.count[d, j]:
            # Rounding must not decide between leaves of equal score.
            score = round(self.level(d)[3][j], 9)
            if score > self.lowest:
                heapq.heappush(self.ready, (d, j))
            elif score > -math.inf:
                heapq.heappush(self.queue, (-score, d, j))
        self.count[d, j] += number

    def first(self) -> tuple[int, int]:
        """The next state."""
        return self.ready[0] if self.ready else self.queue[0][1:]

    def pop(self) -> int:
        """Take the next state away; the number of its leaves."""
        state = self.first()
        if self.ready:
            heapq.heappop(self.ready)
        else:
            self.lowest = -heapq.heappop(self.queue)[0]
        return self.count.pop(state)

    def weigh(self, d: int, j: int, number: int) -> tuple[float, float]:
        """What so many leaves of a state have of the tree's error and of its cost."""
        log_mass, s, G, _ = self.level(d)
        # The number and its inverse may be beyond all floats.
        mass = math.exp(math.log(number) + log_mass[j])
        return mass * s[j], mass * G[j]


@with_hints
def grow_votes(
    gamma: float, cost: Cost = "sqrt", epsilon: float = 0.1, max_depth: int = 1000
) -> VoteGrowth:
    """Grow a tree over independent votes until its error is at most ``epsilon`` (claim MN-TS).

    Best-first by the drop of the tree's cost, as `dtviz.growing.grow_predicates`: whole states at a
    time, since their leaves have equal scores. Ties: the shallowest, then the fewest votes for 1.
    (Under sqrt all leaves of a level tie, so the error within a level depends on that rule.)

    Parameters
    ----------
    gamma : float
        The edge of a vote, in (0, 1/2).
    cost : str, criterion or function
        As for `grow`.
    epsilon : float
        Stop when the error is at most this, in (0, 1/2].
    max_depth : int
        Split no leaf at this depth, after this many votes; at most 1,500. If it is reached before
        the error is, growth ends there.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.grow_votes(0.1, "error").stuck
    True
    """
    gamma = as_real("gamma", gamma, "(0, 1/2)", lambda g: 0 < g < 0.5)
    criterion = as_criterion(cost)
    epsilon = as_real("epsilon", epsilon, "(0, 1/2]", lambda e: 0 < e <= 0.5)
    max_depth = as_integer("max_depth", max_depth, 1, MAX_VOTES)
    waiting = _Frontier(gamma, criterion)
    leaves, error, total, depth = 1, 0.5, 0.5, 0
    found = [(0.0, error, total, depth)]
    while waiting.ready or (waiting.queue and error > epsilon):
        d, j = waiting.first()
        if d >= max_depth:
            break
        number = waiting.pop()
        leaves += number
        depth = max(depth, d + 1)
        wrong, cost_before = waiting.weigh(d, j, number)
        error, total = error - wrong, total - cost_before
        for k in (j, j + 1):
            waiting.add(d + 1, k, number)
            wrong, cost_after = waiting.weigh(d + 1, k, number)
            error, total = error + wrong, total + cost_after
        if not waiting.ready:
            found.append((math.log(leaves), error, total, depth))
    log_leaves, errors, costs, depths = zip(*found, strict=True)
    return VoteGrowth(
        gamma,
        criterion.name,
        np.array(log_leaves),
        np.array(errors),
        np.array(costs),
        np.array(depths, dtype=np.intp),
        not waiting.queue,
    )
