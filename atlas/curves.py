"""Error curves: how many points are wrong with 1, 2, ... leaves, at best and as learners grow.

A learner's tree is laid out as a heap: node j has the children 2j + 1 and 2j + 2, so that of two
nodes the shallower, and of those of one depth the left one, has the smaller number.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from atlas.growth import all_roots, every, keys_of, mixed, points_wrong, roots
from dtviz.core.exhaustive import restrictions, restrictions_of

__all__ = ["LEARNERS", "best_errors", "grown_errors"]

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

LEARNERS = ("influence", "gini", "entropy", "sqrt", "error")
"""BuildTopDownDT, and best-first growth (CART's) by the four costs."""


# -- the best trees -------------------------------------------------------------------------------


def best_errors(n: int, codes: Array) -> Bytes:
    """The fewest points that a tree of at most 1, 2, ..., 2^n leaves gets wrong: ``(2^n, count)``.

    The s leaves of a tree with a question at its root are divided between the two sides.
    """
    found = np.tile(points_wrong(n, codes), (1 << n, 1))
    if n == 0:
        return found
    below, half = _all_best_errors(n - 1), 1 << (n - 1)
    for low, high in restrictions_of(codes, n):
        left, right = below[:, low], below[:, high]
        for s in range(half):
            for t in range(half):
                np.minimum(found[s + t + 1], left[s] + right[t], out=found[s + t + 1])
    fewest: Bytes = np.minimum.accumulate(found, axis=0)
    return fewest


@cache
def _all_best_errors(n: int) -> Bytes:
    return best_errors(n, every(n))


# -- what learners grow ---------------------------------------------------------------------------


def grown_errors(learner: str, n: int, codes: Array) -> Bytes:
    """The points wrong after 0, 1, ... splits of a learner, ``(2^n, count)``; 0 once all are pure.

    Ties as in the book: within a leaf the lowest variable, among leaves the shallowest, then the
    leftmost.
    """
    scores, wrong = _heap(learner, n, codes)
    inner = (1 << n) - 1
    offered = np.full((codes.size, max(inner, 1)), -1, dtype=np.int32)
    offered[:, 0] = scores[:, 0]
    left = wrong[:, 0].astype(np.int16)
    errors = np.zeros((1 << n, codes.size), dtype=np.uint8)
    errors[0] = left
    rows = np.arange(codes.size)
    for step in range(1, 1 << n):
        # The first of the largest is the shallowest, then the leftmost.
        leaf = offered.argmax(axis=1)
        here = offered[rows, leaf] >= 0
        row, leaf = rows[here], leaf[here]
        children = 2 * leaf + 1, 2 * leaf + 2
        left[row] -= wrong[row, leaf]
        offered[row, leaf] = -1
        for child in children:
            left[row] += wrong[row, child]
            deeper = child < inner
            offered[row[deeper], child[deeper]] = scores[row[deeper], child[deeper]]
        errors[step] = left
    return errors


def _rule(learner: str) -> str:
    """What the learner asks within a leaf: all strictly concave costs ask the same."""
    return learner if learner in ("influence", "error") else "gini"


def _heap(learner: str, n: int, codes: Array) -> tuple[Array, Array]:
    """The score of each inner place of the heap, -1 where f is constant, and each node's errors."""
    rule = _rule(learner)
    level = codes[:, None]
    scores, wrong = [], [points_wrong(n, level)]
    for m in range(n, 0, -1):
        asked = roots(rule, m, level.ravel()).reshape(level.shape) if m == n else None
        scores.append(_scores(learner, n, m, level))
        level = _split(m, level, all_roots(rule, m)[level] if asked is None else asked)
        wrong.append(points_wrong(m - 1, level))
    width = np.zeros((codes.size, 0), dtype=np.int32)
    return np.hstack([width, *scores]), np.hstack(wrong).astype(np.int16)


def _split(n: int, codes: Array, asked: Array) -> Array:
    """Both restrictions of each function in its variable, side by side."""
    if n <= 4:
        table = restrictions(n)
        both = [table[asked, bit, codes] for bit in (0, 1)]
    else:
        halves = restrictions_of(codes, n)
        both = [np.choose(asked, [pair[bit] for pair in halves]) for bit in (0, 1)]
    return np.stack(both, axis=-1).reshape(codes.shape[0], -1)


def _scores(learner: str, n: int, m: int, codes: Array) -> npt.NDArray[np.int32]:
    """What a leaf of m free variables offers, as integers that compare throughout a tree."""
    if m <= 4:
        return _all_scores(learner, n, m)[codes]
    return _scores_anew(learner, n, m, codes)


@cache
def _all_scores(learner: str, n: int, m: int) -> npt.NDArray[np.int32]:
    return _scores_anew(learner, n, m, every(m))


def _scores_anew(learner: str, n: int, m: int, codes: Array) -> npt.NDArray[np.int32]:
    top = keys_of(_rule(learner), m, restrictions_of(codes, m)).max(axis=0)
    if learner in ("influence", "error"):
        # Weighted by its 2^m points, the score is the count itself, and so is the drop.
        found = top.astype(np.int32)
    else:
        found = _drops(learner, n)[m, np.bitwise_count(codes), top]
    return np.where(mixed(m, codes), found, -1).astype(np.int32)


@cache
def _drops(learner: str, n: int) -> npt.NDArray[np.int32]:
    """The drops of a strictly concave cost, numbered in their order: at [m, ones, apart].

    A leaf of 2^m points, so many of them ones, is split into halves so far apart. Two drops are
    equal if they agree in 40 digits of 60.
    """
    drops: dict[tuple[int, int, int], Decimal] = {}
    with localcontext() as context:
        context.prec = 60
        for m in range(1, n + 1):
            half = 1 << (m - 1)
            for a in range(half + 1):
                for b in range(a + 1):
                    whole = _cost(learner, a + b, 2 * half)
                    parts = _cost(learner, a, half) + _cost(learner, b, half)
                    drops[m, a + b, a - b] = (whole - parts).quantize(Decimal("1e-40"))
    number = {drop: k for k, drop in enumerate(sorted(set(drops.values())))}
    table = np.full((n + 1, (1 << n) + 1, (1 << n >> 1) + 1), -1, dtype=np.int32)
    for at, drop in drops.items():
        table[at] = number[drop]
    return table


def _cost(learner: str, ones: int, count: int) -> Decimal:
    """What a leaf adds to the cost of its tree, times the number of all points."""
    k, rest = Decimal(ones), Decimal(count - ones)
    if learner == "gini":
        return 2 * k * rest / count
    if learner == "sqrt":
        return (k * rest).sqrt()
    if learner == "entropy":
        bits = sum((p * (count / p).ln() for p in (k, rest) if p), Decimal(0))
        return bits / Decimal(2).ln() / 2
    raise ValueError(f"learner must be one of {', '.join(LEARNERS)}, got {learner!r}")
