"""Functions of hundreds of variables on which growth can still be followed, exactly.

They have trees in which every node asks a variable of its own. In a complete one of depth d one
must know d variables to be sure of the value at a point: the answer at the root and, by induction,
d - 1 in the subtree it leads to, or d - 1 in both. So ``D = Delta = Delta_max = d`` under every
measure; in others the depths are those of the tree, which bound those of the function. With depths
near ``log2 n`` the bounds of the chapter say more than ``2^n`` leaves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np

SAME = 1 - 1e-12


@dataclass(frozen=True)
class Part:
    """A value, ``mean``; or a tree whose nodes ask variables of their own, with two ``parts``.

    ``p`` is the chance of the answer 1, ``mean`` that of the value 1, ``own`` the resample
    influence of the variable at the root, ``best`` the largest of a variable, ``total`` their sum.
    """

    mean: float
    p: float = 0
    parts: tuple[Part, ...] = ()
    own: float = 0
    best: float = 0
    total: float = 0

    @property
    def ways(self):
        """The chance of each answer, and what it leads to."""
        return tuple(zip((1 - self.p, self.p), self.parts, strict=False))


def join(p, low, high):
    """Ask a new variable; if both answers lead to one value, do not."""
    if not low.parts and not high.parts and low.mean == high.mean:
        return low
    a, b, q = low.mean, high.mean, 1 - p
    own = 2 * p * q * (a + b - 2 * a * b)
    best = max(own, q * low.best, p * high.best)
    return Part(q * a + p * b, p, (low, high), own, best, own + q * low.total + p * high.total)


def complete(depth, biases=(1 / 2,), value=0):
    """Every path asks ``depth`` questions; level by level the biases take turns."""
    if depth == 0:
        return Part(value)
    low, high = (complete(depth - 1, (*biases[1:], biases[0]), b) for b in (0, 1))
    return join(biases[0], low, high)


def chain(n, p, value):
    """One path: question i is the last one if the answer is 0, and the value is ``value(i)``."""
    part = Part(1 - value(n - 1))
    for i in reversed(range(n)):
        part = join(p, Part(value(i)), part)
    return part


def depths(part):
    """Of a tree: its variables, depth, average depth, and the largest of a restriction.

    For the last, the root's variable is fixed, or it is not.
    """
    if not part.parts:
        return 0, 0, 0.0, 0.0
    counts, deep, average, most = zip(*map(depths, part.parts), strict=True)
    mean, below = (
        1 + sum(chance * d for (chance, _), d in zip(part.ways, of, strict=True))
        for of in (average, most)
    )
    return 1 + sum(counts), 1 + max(deep), mean, max(*most, below)


def _weakest(part, weight, least):
    """The smallest score from ``least`` on, and the way to the node that has it."""
    if weight * part.best < least * SAME:
        return math.inf, ()
    found = []
    if weight * part.own >= least * SAME:
        found.append((weight * part.own, ()))
    for b, (chance, child) in enumerate(part.ways):
        score, way = _weakest(child, weight * chance, least)
        found.append((score, (b, *way)))
    return min(found)


def _restrict(part, way):
    """What is left for the answers 0 and 1 at the node where a way ends, and the bias there."""
    low, high = part.parts
    if not way:
        return (low, high), part.p
    (zero, one), p = _restrict(part.parts[way[0]], way[1:])
    if way[0]:
        return (join(part.p, low, zero), join(part.p, low, one)), p
    return (join(part.p, zero, high), join(part.p, one, high)), p


def grow(name, tree, epsilon, share=1):
    """Grow until the error is at most epsilon, by the best score.

    With a ``share`` below 1 an adversary splits, of the leaves that have such a share of the best
    score, the weakest, on the weakest variable that has it. Ties go to the leaf made first.
    """
    leaves = [(tree.best, 1.0, tree)]

    def measures(weight, part):
        return weight * np.array([min(part.mean, 1 - part.mean), part.total])

    sums = [measures(1.0, tree)]
    while leaves and sums[-1][0] > epsilon * (1 + 1e-12):
        least = share * max(score for score, *_ in leaves)
        allowed = [k for k, (score, *_) in enumerate(leaves) if score >= least * SAME]
        _, weight, part = leaves.pop(min(allowed, key=lambda k: leaves[k][0]))
        children, p = _restrict(part, _weakest(part, weight, least)[1])
        change = -measures(weight, part)
        for chance, child in zip((1 - p, p), children, strict=True):
            change += measures(weight * chance, child)
            if child.parts:
                leaves.append((weight * chance * child.best, weight * chance, child))
        sums.append(sums[-1] + change)
    parts = ("n", "depth", "delta", "max_delta", "errors", "costs")
    values = (*depths(tree), *np.array(sums).T)
    return SimpleNamespace(name=name, **dict(zip(parts, values, strict=True)))


@cache
def crafted():
    """Greedy growth on trees of up to 1,023 nodes, complete or long and thin."""
    rarely = join(1 / 64, Part(1), complete(5))
    return (
        *(
            grow(f"the complete tree of depth {d}", complete(d), 0.02 if d < 9 else 0.2)
            for d in (2, *range(6, 11))
        ),
        grow("the complete tree of depth 7, p = 1/4 and 3/4", complete(7, (0.25, 0.75)), 0.02),
        grow("a fair coin that hardly ever leads on", join(1 / 2, Part(0), rarely), 0.02),
        grow("the conjunction of 64, p = 1/64", chain(64, 1 / 64, lambda _: 0), 0.0),
        grow("the decision list of 40", chain(40, 1 / 2, lambda i: i % 2), 1e-9),
    )


@cache
def adversary():
    """Trees so large that even four times the exponent is below n bits."""
    return tuple(
        grow(f"the complete tree of depth {d}, an adversary chooses", complete(d), 0.45, 1 / 4)
        for d in (9, 10, 11)
    )
