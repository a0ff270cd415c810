"""Growing by cost, as chapter 5 states it: slow and plain.

The data are those of every chapter's literal algorithms. The domain is a list of triples
``(point, q, w)``: a point of any kind, the probability q that f = 1 there (0 or 1 if there is no
noise), and the probability w of the point; these add up to 1. A predicate is a Python function of a
point with values 0 and 1, and H a list of predicates. A tree is its label if it is a leaf, and else
a tuple ``(h, low, high)``, where h is the place of the predicate in H and ``low`` the subtree for
the value 0. The record of a growth is a dictionary ``{answers: h}``: what was asked after which
answers, in the order of the splits.

Gini and the error are fractions. Entropy and the square root need the module math and are floats;
these are compared to ten digits, so that rounding does not break ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

Point = object
Predicate = Callable[[Point], int]
Domain = list[tuple[Point, Fraction, Fraction]]
Number = Fraction | float
Cost = Callable[[Fraction], Number]
Answers = tuple[int, ...]
Splits = dict[Answers, int]
Tree = object


def error(q: Fraction) -> Fraction:
    """``min(q, 1-q)`` (MN-GMIN)."""
    return min(q, 1 - q)


def gini(q: Fraction) -> Fraction:
    """``2 q (1-q)`` (MN-GINI)."""
    return 2 * q * (1 - q)


def entropy(q: Fraction) -> float:
    """Half the entropy in bits (MN-ENT)."""
    return sum(-p * math.log2(p) for p in (q, 1 - q) if p > 0) / 2


def square_root(q: Fraction) -> float:
    """``sqrt(q (1-q))`` (MN-SQRT)."""
    return math.sqrt(q * (1 - q))


def grow(domain: Domain, H: list[Predicate], G: Cost, t: int) -> tuple[Tree, Splits]:
    """Make t splits, each the one that takes most off the cost of the tree (MN-ALG).

    Fewer if no split takes anything off. Ties: within a leaf the lowest predicate; among leaves the
    shallowest, then the leftmost. A leaf is labeled by the likelier value of f, 0 if tied.
    """
    # 1. Start with a single leaf. Leaves are listed left to right: the answers that lead there, and
    # the part of the domain that reaches them.
    leaves: list[tuple[Answers, Domain]] = [((), domain)]
    splits: Splits = {}
    # 2. Take the leaf and the predicate with the largest drop.
    for _ in range(t):
        options = [
            (-comparable(drop(part, H[h], G)), len(answers), place, h)
            for place, (answers, part) in enumerate(leaves)
            for h in range(len(H))
        ]
        minus_drop, _, place, h = min(options)
        if minus_drop == 0:
            break
        answers, part = leaves[place]
        low, high = sides(part, H[h])
        leaves[place : place + 1] = [((*answers, 0), low), ((*answers, 1), high)]
        splits[answers] = h
    # 3. Label each leaf by its more frequent value.
    labels = {answers: likelier(part) for answers, part in leaves}
    return assemble_tree(splits, labels), splits


def drop(part: Domain, h: Predicate, G: Cost) -> Number:
    """``Prob[l] (G(q) - [(1-tau) G(p) + tau G(r)])``, what a split takes off the cost (MN-DROP)."""
    low, high = sides(part, h)
    return cost(part, G) - cost(low, G) - cost(high, G)


def cost(part: Domain, G: Cost) -> Number:
    """``Prob[l] G(q)``, what a leaf adds to the cost of the tree; 0 if nothing reaches it."""
    arrives = sum((w for _, _, w in part), Fraction(0))
    positive = sum((w * q for _, q, w in part), Fraction(0))
    return arrives * G(positive / arrives) if arrives else Fraction(0)


def likelier(part: Domain) -> int:
    """The likelier value of f, 0 if tied."""
    return int(sum(w * (2 * q - 1) for _, q, w in part) > 0)


def sides(part: Domain, h: Predicate) -> tuple[Domain, Domain]:
    """The part of the domain where h is 0, and that where it is 1."""
    return [entry for entry in part if not h(entry[0])], [entry for entry in part if h(entry[0])]


def comparable(number: Number) -> Number:
    """A fraction as it is, a float to ten digits."""
    return round(number, 10) if isinstance(number, float) else number


def assemble_tree(splits: Splits, labels: dict[Answers, int], answers: Answers = ()) -> Tree:
    """The tree below the given answers, from its queries and the labels of its leaves."""
    if answers not in splits:
        return labels[answers]
    low, high = (assemble_tree(splits, labels, (*answers, bit)) for bit in (0, 1))
    return (splits[answers], low, high)
