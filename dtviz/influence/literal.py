"""BuildTopDownDT as chapter 1 states it: slow, plain and exact.

The data are those of every chapter's literal algorithms. A point is a tuple of bits; a Boolean
function is a Python function of a point. A tree is its label if it is a leaf, and else a tuple
``(variable, low, high)``, where ``low`` is the subtree for the bit 0. The record of a growth is a
dictionary ``{answers: variable}``: what is queried after which answers, in order of the splits.
All numbers are fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

Point = tuple[int, ...]
Function = Callable[[Point], int]
Leaf = dict[int, int]
"""A leaf of a bare tree: the answers on the way to it, ``{variable: bit}``, as queried."""
Tree = object
Splits = dict[Point, int]


def build_top_down(f: Function, n: int, epsilon: Fraction | int = 0) -> tuple[Tree, Splits]:
    """BuildTopDownDT: split the leaf of the highest score until the error is small (BLT-ALG).

    Ties: within a leaf the lowest variable; among leaves the shallowest, then the leftmost.
    """
    # 1. The bare tree with a single leaf. A bare tree is the list of its leaves, left to right.
    bare: list[Leaf] = [{}]
    splits: Splits = {}
    # 2. While the error is above epsilon:
    while error(f, n, bare) > epsilon:
        # 2.1 find the leaf with the highest score (min takes the first, the leftmost, if tied),
        best = min(bare, key=lambda leaf: (-score(f, n, leaf), len(leaf)))
        # 2.2 and replace it by a query to its most influential variable.
        i = most_influential(f, n, best)
        place = bare.index(best)
        bare[place : place + 1] = [{**best, i: 0}, {**best, i: 1}]
        splits[tuple(best.values())] = i
    # 3. The completion of the bare tree.
    labels = {tuple(leaf.values()): majority(f, n, leaf) for leaf in bare}
    return assemble(splits, labels), splits


def score(f: Function, n: int, leaf: Leaf) -> Fraction:
    """``2^-depth`` times the largest influence on f at the leaf (BLT-DEF-SCORE)."""
    return Fraction(1, 2 ** len(leaf)) * max(influence(f, n, leaf, i) for i in range(n))


def most_influential(f: Function, n: int, leaf: Leaf) -> int:
    """The variable of the largest influence on f at the leaf, the lowest if tied."""
    return max(range(n), key=lambda i: influence(f, n, leaf, i))


def influence(f: Function, n: int, leaf: Leaf, i: int) -> Fraction:
    """``Pr[f(x) != f(x with bit i flipped)]`` at the leaf, 0 if it fixes x_i (BLT-DEF-INF)."""
    if i in leaf:
        return Fraction(0)
    inside = points(n, leaf)
    changes = sum(f(x) != f((*x[:i], 1 - x[i], *x[i + 1 :])) for x in inside)
    return Fraction(changes, len(inside))


def error(f: Function, n: int, bare: list[Leaf]) -> Fraction:
    """``sum 2^-depth min(m, 1-m)`` over the leaves, m the mean of f there (BLT-DEF-ERRT)."""
    total = Fraction(0)
    for leaf in bare:
        mean = Fraction(sum(f(x) for x in points(n, leaf)), 2 ** (n - len(leaf)))
        total += min(mean, 1 - mean) / 2 ** len(leaf)
    return total


def majority(f: Function, n: int, leaf: Leaf) -> int:
    """The more frequent value of f at the leaf, 0 if tied (BLT-STOP)."""
    values = [f(x) for x in points(n, leaf)]
    return int(2 * sum(values) > len(values))


def points(n: int, leaf: Leaf) -> list[Point]:
    """The points of the cube that come to the leaf."""
    return list(product(*([leaf[i]] if i in leaf else [0, 1] for i in range(n))))


def assemble(splits: Splits, labels: dict[Point, int], answers: Point = ()) -> Tree:
    """The tree below the given answers, from its queries and the labels of its leaves."""
    if answers not in splits:
        return labels[answers]
    low, high = (assemble(splits, labels, (*answers, bit)) for bit in (0, 1))
    return (splits[answers], low, high)
