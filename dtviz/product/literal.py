"""The two learners of chapter 3, as it states them: with the function, and with examples alone.

The data are those of every chapter's literal algorithms. A point is a tuple of bits; a Boolean
function is a Python function of a point. A tree is its label if it is a leaf, and else a tuple
``(variable, low, high)``, where ``low`` is the subtree for the bit 0. The record of a growth is a
dictionary ``{answers: variable}``: what was asked after which answers, in the order of the splits.
A distribution is the list of its biases, fractions between 0 and 1. All numbers are fractions; only
the sample sizes need a logarithm, that of the module math.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product

Point = tuple[int, ...]
Function = Callable[[Point], int]
Leaf = dict[int, int]
"""A leaf of a bare tree: the answers on the way to it, ``{variable: bit}``, in the order asked."""
Tree = object
Splits = dict[Point, int]


def build_top_down(
    f: Function, p: list[Fraction], epsilon: Fraction | int = 0
) -> tuple[Tree, Splits]:
    """BuildTopDownDT under a product distribution, by resample influence (PS-ALG).

    Ties: within a leaf the lowest variable; among leaves the shallowest, then the leftmost.
    """
    # 1. A single leaf. A bare tree is the list of its leaves, left to right.
    bare: list[Leaf] = [{}]
    splits: Splits = {}
    # 2. While the error is above epsilon: split the leaf of the highest score (min takes the first,
    # the leftmost, if tied) on its most influential variable.
    while error(f, p, bare) > epsilon:
        best = min(bare, key=lambda leaf: (-score(f, p, leaf), len(leaf)))
        i = max(range(len(p)), key=lambda i: resample_influence(f, p, best, i))
        place = bare.index(best)
        bare[place : place + 1] = [{**best, i: 0}, {**best, i: 1}]
        splits[tuple(best.values())] = i
    # 3. The completion.
    labels = {tuple(leaf.values()): likelier(f, p, leaf) for leaf in bare}
    return assemble(splits, labels), splits


def weight(p: list[Fraction], leaf: Leaf) -> Fraction:
    """The probability that x reaches the leaf."""
    chance = Fraction(1)
    for i, bit in leaf.items():
        chance *= p[i] if bit else 1 - p[i]
    return chance


def score(f: Function, p: list[Fraction], leaf: Leaf) -> Fraction:
    """The weight of the leaf times the largest influence on f there (PS-DEF-SCORE)."""
    return weight(p, leaf) * max(resample_influence(f, p, leaf, i) for i in range(len(p)))


def resample_influence(f: Function, p: list[Fraction], leaf: Leaf, i: int) -> Fraction:
    """``Pr[f(x) != f(x with bit i drawn again)]`` at the leaf, 0 if it fixes x_i (PS-DEF-INF)."""
    total = Fraction(0)
    if i in leaf:
        return total
    for x, chance in points(p, leaf):
        for bit in (0, 1):
            if f(x) != f((*x[:i], bit, *x[i + 1 :])):
                total += chance * (p[i] if bit else 1 - p[i])
    return total


def error(f: Function, p: list[Fraction], bare: list[Leaf]) -> Fraction:
    """The sum of ``weight * min(m, 1-m)`` over the leaves, m the mean of f there."""
    total = Fraction(0)
    for leaf in bare:
        m = mean(f, p, leaf)
        total += weight(p, leaf) * min(m, 1 - m)
    return total


def mean(f: Function, p: list[Fraction], leaf: Leaf) -> Fraction:
    """``Pr[f(x) = 1]``, given that x reaches the leaf."""
    return sum((chance for x, chance in points(p, leaf) if f(x)), Fraction(0))


def likelier(f: Function, p: list[Fraction], leaf: Leaf) -> int:
    """The likelier value of f at the leaf, 0 if tied."""
    return int(mean(f, p, leaf) > Fraction(1, 2))


def points(p: list[Fraction], leaf: Leaf) -> list[tuple[Point, Fraction]]:
    """The points that reach the leaf, each with its probability given that x reaches it."""
    cube = product(*([leaf[i]] if i in leaf else [0, 1] for i in range(len(p))))
    free = [i for i in range(len(p)) if i not in leaf]
    return [(x, weight(p, {i: x[i] for i in free})) for x in cube]


def assemble(splits: Splits, labels: dict[Point, int], answers: Point = ()) -> Tree:
    """The tree below the given answers, from its queries and the labels of its leaves."""
    if answers not in splits:
        return labels[answers]
    low, high = (assemble(splits, labels, (*answers, bit)) for bit in (0, 1))
    return (splits[answers], low, high)


def build_top_down_sampled(  # noqa: PLR0913 -- the last is by keyword
    oracle: Function,
    p: list[Fraction],
    epsilon: Fraction,
    delta: Fraction,
    rng: random.Random,
    *,
    scale: Fraction | int = 1,
) -> tuple[Tree, Splits]:
    """Learn from labeled points and pairs (x, x with bit i drawn again) (PS-T5.1).

    With probability above ``1 - delta`` the tree errs at most with probability epsilon, and each
    split has at least a quarter of the best score. Ties: a label is 0; equal estimates are decided
    as in `build_top_down`. If no pair shows a difference, nothing is left to split on, and the tree
    is returned as it is.
    """
    n = len(p)
    bare: list[Leaf] = [{}]
    splits: Splits = {}
    while True:
        j = len(splits)
        # Label each leaf with the majority of new points. Stop if few of them are then wrong.
        votes = [[0, 0] for _ in bare]
        m = math.ceil(scale * examples_needed(j, epsilon, delta))
        for _ in range(m):
            x = draw(p, rng)
            votes[place_of(x, bare)][oracle(x)] += 1
        wrong = sum(min(zeros, ones) for zeros, ones in votes)
        stop = Fraction(wrong, m) <= Fraction(5, 6) * epsilon
        # Draw new pairs for each variable. Those of all variables may share their x: the proof
        # looks at one variable at a time.
        m = 0 if stop else math.ceil(scale * pairs_needed(j, n, epsilon, delta))
        drawn = [draw(p, rng) for _ in range(m)]
        pairs = {i: [(x, (*x[:i], bit(p[i], rng), *x[i + 1 :])) for x in drawn] for i in range(n)}
        # The estimate for a leaf and a variable, times m: how many pairs are both there and differ.
        counts = {(k, i): 0 for k in range(len(bare)) for i in range(n)}
        for i in range(n):
            for x, y in pairs[i]:
                k = place_of(x, bare)
                counts[k, i] += k == place_of(y, bare) and oracle(x) != oracle(y)
        if stop or max(counts.values(), default=0) == 0:
            labels = {tuple(bare[k].values()): int(v[1] > v[0]) for k, v in enumerate(votes)}
            return assemble(splits, labels), splits
        # Choose the largest estimate: the leaf, then the variable.
        top = [max(counts[k, i] for i in range(n)) for k in range(len(bare))]
        k = min(range(len(bare)), key=lambda k: (-top[k], len(bare[k])))
        i = max(range(n), key=lambda i: counts[k, i])
        leaf = bare[k]
        bare[k : k + 1] = [{**leaf, i: 0}, {**leaf, i: 1}]
        splits[tuple(leaf.values())] = i


def pairs_needed(j: int, n: int, epsilon: Fraction, delta: Fraction) -> int:
    """``M_S(j) = (12 (j+1) n / epsilon) ln(4 (j+1)^3 n / delta)``, rounded up (PS-MS)."""
    return math.ceil(12 * (j + 1) * n / epsilon * math.log(4 * (j + 1) ** 3 * n / delta))


def examples_needed(j: int, epsilon: Fraction, delta: Fraction) -> int:
    """``M_E(j) = (68 / epsilon) ((j+1) ln 2 + ln(8 (j+1)^2 / delta))``, rounded up (PS-STOP)."""
    logarithms = (j + 1) * math.log(2) + math.log(8 * (j + 1) ** 2 / delta)
    return math.ceil(68 / epsilon * logarithms)


def bit(bias: Fraction, rng: random.Random) -> int:
    """A bit that is 1 with probability ``bias``."""
    return int(rng.random() < bias)


def draw(p: list[Fraction], rng: random.Random) -> Point:
    """A point from the distribution."""
    return tuple(bit(bias, rng) for bias in p)


def place_of(x: Point, bare: list[Leaf]) -> int:
    """Which of the leaves x reaches."""
    return next(k for k, leaf in enumerate(bare) if all(x[i] == b for i, b in leaf.items()))
