"""Functions of hundreds of variables on which growth can still be followed, exactly.

They have trees in which every node asks a variable of its own. In a complete one of depth d one
must know d variables to be sure of the value at a point: the answer at the root and, by induction,
d - 1 in the subtree it leads to, or d - 1 in both. So ``D = Delta = Delta_max = d`` under every
measure. In others the depths are those of the tree, which bound those of the function from above;
what they are tried for increases with them. With n variables and depths near ``log2 n`` the bounds
of the chapter say more than ``2^n`` leaves, as they hardly do for what fits in a truth table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

__all__ = ["Grown", "Node", "Part", "chain", "complete", "crafted", "grow", "join"]

Floats = npt.NDArray[np.float64]
SAME = 1 - 1e-12


@dataclass(frozen=True)
class Node:
    """A tree whose nodes ask variables of their own; its parts are such trees, or values.

    ``p`` is the chance of the answer 1, ``mean`` that of the value 1, ``own`` the resample
    influence of the variable at the root, ``best`` the largest of a variable, ``total`` their sum.
    """

    p: float
    low: Part
    high: Part
    mean: float
    own: float
    best: float
    total: float


Part = Node | int


def _mean(part: Part) -> float:
    return part.mean if isinstance(part, Node) else float(part)


def _best(part: Part) -> float:
    return part.best if isinstance(part, Node) else 0.0


def _total(part: Part) -> float:
    return part.total if isinstance(part, Node) else 0.0


def join(p: float, low: Part, high: Part) -> Part:
    """Ask a new variable; if both answers lead to one value, do not."""
    if isinstance(low, int) and low == high:
        return low
    a, b, q = _mean(low), _mean(high), 1 - p
    own = 2 * p * q * (a + b - 2 * a * b)
    best = max(own, q * _best(low), p * _best(high))
    return Node(p, low, high, q * a + p * b, own, best, own + q * _total(low) + p * _total(high))


def complete(depth: int, biases: Sequence[float] = (1 / 2,), value: int = 0) -> Part:
    """Every path asks ``depth`` questions; level by level the biases take turns."""
    if depth == 0:
        return value
    low, high = (complete(depth - 1, (*biases[1:], biases[0]), b) for b in (0, 1))
    return join(biases[0], low, high)


def chain(n: int, p: float, value: Callable[[int], int]) -> Part:
    """One path: question i is the last one if the answer is 0, and the value is ``value(i)``."""
    part: Part = 1 - value(n - 1)
    for i in reversed(range(n)):
        part = join(p, value(i), part)
    return part


# -- what the tree says of its function ------------------------------------------------------------


def _count(part: Part) -> int:
    return 1 + _count(part.low) + _count(part.high) if isinstance(part, Node) else 0


def _depth(part: Part) -> int:
    return 1 + max(_depth(part.low), _depth(part.high)) if isinstance(part, Node) else 0


def _average(part: Part) -> float:
    if not isinstance(part, Node):
        return 0.0
    return 1 + (1 - part.p) * _average(part.low) + part.p * _average(part.high)


def _largest(part: Part) -> float:
    """The largest average depth of a restriction: the root's variable is fixed, or it is not."""
    if not isinstance(part, Node):
        return 0.0
    low, high = _largest(part.low), _largest(part.high)
    return max(low, high, 1 + (1 - part.p) * low + part.p * high)


# -- growth ----------------------------------------------------------------------------------------


def _weakest(part: Part, weight: float, least: float) -> tuple[float, tuple[int, ...]]:
    """The smallest score from ``least`` on, and the way to the node that has it."""
    if not isinstance(part, Node) or weight * part.best < least * SAME:
        return math.inf, ()
    own: tuple[float, tuple[int, ...]] = (weight * part.own, ())
    found = [own] if own[0] >= least * SAME else []
    for b, child, chance in ((0, part.low, 1 - part.p), (1, part.high, part.p)):
        score, way = _weakest(child, weight * chance, least)
        found.append((score, (b, *way)))
    return min(found)


def _restrict(node: Node, way: tuple[int, ...]) -> tuple[Part, Part, float]:
    """What is left for the answers 0 and 1 at the node where a way ends, and the bias there."""
    child = (node.low, node.high)[way[0]] if way else 0
    if not isinstance(child, Node):
        return node.low, node.high, node.p
    zero, one, p = _restrict(child, way[1:])
    if way[0]:
        return join(node.p, node.low, zero), join(node.p, node.low, one), p
    return join(node.p, zero, node.high), join(node.p, one, node.high), p


@dataclass(frozen=True)
class Grown:
    """How a tree grew on such a function: errors, costs, variations with 1, 2, .. leaves.

    ``n`` counts the variables; ``depth``, ``delta`` and ``max_delta`` are those of the tree.
    """

    name: str
    n: int
    depth: int
    delta: float
    max_delta: float
    errors: Floats
    costs: Floats
    variations: Floats

    def n_leaves_for(self, epsilon: float) -> int:
        """With how many leaves the error is at most epsilon."""
        return 1 + int((self.errors <= epsilon).argmax())


def _measures(weight: float, part: Part) -> Floats:
    m = _mean(part)
    return weight * np.array([min(m, 1 - m), _total(part), 2 * m * (1 - m)])


def grow(name: str, tree: Part, epsilon: float, share: float = 1) -> Grown:
    """Grow until the error is at most epsilon, by the best score.

    With a ``share`` below 1 an adversary splits, of the leaves that have such a share of the best
    score, the weakest, on the weakest variable that has it. Ties go to the leaf made first.
    """
    leaves: list[tuple[float, float, Node]] = []
    sums = [_measures(1.0, tree)]
    _add(leaves, 1.0, tree)
    while leaves and sums[-1][0] > epsilon * (1 + 1e-12):
        least = share * max(score for score, *_ in leaves)
        place = min(
            (k for k, (score, *_) in enumerate(leaves) if score >= least * SAME),
            key=lambda k: leaves[k][0],
        )
        _, weight, node = leaves.pop(place)
        low, high, p = _restrict(node, _weakest(node, weight, least)[1])
        change = -_measures(weight, node)
        for chance, child in ((1 - p, low), (p, high)):
            change += _measures(weight * chance, child)
            _add(leaves, weight * chance, child)
        sums.append(sums[-1] + change)
    errors, costs, variations = np.array(sums).T
    return Grown(
        name, _count(tree), _depth(tree), _average(tree), _largest(tree), errors, costs, variations
    )


def _add(leaves: list[tuple[float, float, Node]], weight: float, part: Part) -> None:
    if isinstance(part, Node):
        leaves.append((weight * part.best, weight, part))


@cache
def crafted() -> tuple[Grown, ...]:
    """Greedy growth on trees of up to 1,023 nodes, complete or long and thin."""
    rarely = join(1 / 64, 1, complete(5))
    found = [
        grow(f"the complete tree of depth {d}", complete(d), 0.02 if d < 9 else 0.2)
        for d in (2, *range(6, 11))
    ]
    found += [
        grow(f"the complete tree of depth {d}, biases {told}", complete(d, biases), 0.02)
        for d, told, biases in ((7, "1/4 and 3/4", (0.25, 0.75)), (8, "1/2 and 1/8", (0.5, 0.125)))
    ]
    return (
        *found,
        grow("a fair coin that hardly ever leads on", join(1 / 2, 0, rarely), 0.02),
        grow("the conjunction of 64, p = 1/64", chain(64, 1 / 64, lambda _: 0), 0.0),
        grow("the decision list of 40", chain(40, 1 / 2, lambda i: i % 2), 1e-9),
    )
