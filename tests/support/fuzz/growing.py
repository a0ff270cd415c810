"""Chapter 5: growth over predicates and votes, one split, and the bounds."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

import dtviz as dt
from dtviz import growing
from dtviz.growing import literal
from support.fuzz.args import (
    BITS,
    choice,
    clashing,
    costs,
    distribution,
    dyadic,
    function,
    holds,
    is_bit,
    number,
    numbers,
    optional,
    row,
    table,
    whole,
)
from support.fuzz.drive import Arg, Args, Row
from support.literal import nested

__all__ = ["ROWS"]

LITERAL: dict[str, Any] = {
    "error": literal.error,
    "gini": literal.gini,
    "entropy": literal.entropy,
    "sqrt": literal.square_root,
}
MIDDLE = dt.COST_FUNCTIONS["gini"]
VOTES = dt.grow_votes(0.25, epsilon=0.125)


def cost(r: Random) -> dict[str, Arg]:
    return {"cost": costs(r.choice([*dt.COST_FUNCTIONS]), dt.COST_FUNCTIONS)}


def bounded(r: Random) -> dict[str, Arg]:
    return {"cost": choice(r.choice(growing.BOUNDED), growing.BOUNDED)}


def share(value: Any) -> Arg:
    return numbers(value, lambda q: 0 <= q <= 1, 0.0, 1.0)


def half(value: float) -> Arg:
    """An edge or an error in (0, 1/2]."""
    return number(value, lambda g: 0 < g <= 0.5, 0.0, 0.5)


def several(r: Random, low: float, high: float) -> Any:
    """A number, or three."""
    drawn = [dyadic(r, low, high) for _ in range(3)]
    return drawn if r.random() < 0.5 else drawn[0]


def domain(r: Random, *, noisy: bool = True) -> dict[str, Arg]:
    """Points with their predicates, the share of positives at each, and its weight."""
    size = r.randint(2, 6)
    h = [[r.randint(0, 1) for _ in range(3)] for _ in range(size)]
    q = [dyadic(r, 0, 1) if noisy and r.random() < 0.5 else r.randint(0, 1) for _ in range(size)]
    q[:2] = [0, 1]
    w = [r.randint(1, 4) for _ in range(size)]
    return {
        "predicates": any_table(h),
        "target": row(q, lambda p: 0 <= p <= 1),
        "weights": optional(row(w, lambda p: 0 <= p < math.inf)),
    }


def any_table(h: list[list[int]]) -> Arg:
    """A table of bits: one of another size does not go with the rest."""
    given = table(h, is_bit, BITS)
    bits = holds(BITS, is_bit)
    sized = holds(BITS, lambda _: True, (len(h), len(h[0])))

    def rule(value: Any) -> bool | None:
        if not bits(value) or np.ndim(value) != 2 or 0 in np.shape(value):
            return False
        return True if sized(value) else None

    return dataclasses.replace(given, rule=rule, clashes=True)


def grown(predicates: Any, target: Any, weights: Any, cost: str, max_leaves: Any) -> Any:
    """What the chapter grows, as nested tuples."""
    whole = sum(weights)
    points: list[Any] = [
        (tuple(x), Fraction(q), Fraction(w, whole))
        for x, q, w in zip(predicates, target, weights, strict=True)
    ]
    tests: list[Any] = [lambda x, h=h: x[h] for h in range(len(predicates[0]))]
    return literal.grow(points, tests, LITERAL[cost], max_leaves - 1)[0]


def edges_by_hand(predicates: Any, target: Any, weights: Any) -> list[float]:
    """``Pr[h = f] - 1/2``, with half of the weight on the positive inputs."""
    found = []
    for h in zip(*predicates, strict=True):
        ones = [w * q for w, q in zip(weights, target, strict=True)]
        zeros = [w * (1 - q) for w, q in zip(weights, target, strict=True)]
        right = sum(w for w, bit in zip(ones, h, strict=True) if bit) / sum(ones)
        right += sum(w for w, bit in zip(zeros, h, strict=True) if not bit) / sum(zeros)
        found.append(right / 2 - 0.5)
    return found


def of_function(r: Random) -> Args:
    f = dt.BooleanFunction.from_int(3, r.randrange(256))
    p = [dyadic(r, 0, 1) for _ in range(3)]
    return {
        "f": clashing(function(f, lambda n: n > 0)),
        "mu": distribution(p),
        **cost(r),
        "max_leaves": optional(whole(r.randint(1, 9), 1)),
    }


def votes(r: Random) -> Args:
    return {
        "gamma": number(dyadic(r, 0.125, 0.5), lambda g: 0 < g < 0.5, 0.0, 0.5),
        **cost(r),
        "epsilon": half(0.25),
        "max_depth": whole(r.randint(1, 9), 1, 1500),
    }


def split(r: Random) -> dict[str, Arg]:
    return {name: share(several(r, 0, 1)) for name in ("tau", "p", "r")}


def dropped(tau: Any, p: Any, r: Any, cost: str) -> Any:
    """What a split takes off the cost, of each of the numbers."""
    if not any(isinstance(one, list) for one in (tau, p, r)):
        G, t, low, high = LITERAL[cost], Fraction(tau), Fraction(p), Fraction(r)
        return float(G((1 - t) * low + t * high) - ((1 - t) * G(low) + t * G(high)))
    three = [one if isinstance(one, list) else [one] * 3 for one in (tau, p, r)]
    return [dropped(a, b, c, cost) for a, b, c in zip(*three, strict=True)]


def leaves(r: Random) -> Args:
    """Leaves by their weights and errors."""
    return {
        "weights": clashing(row([r.randint(1, 4) for _ in range(3)], lambda w: 0 <= w < math.inf)),
        "errors": clashing(row([dyadic(r, 0, 0.5) for _ in range(3)], lambda e: 0 <= e <= 0.5)),
        "c": number(dyadic(r, 1, 2), lambda c: 0 < c < math.inf, 0.0),
    }


def heavy(weights: Any, errors: Any, c: float) -> bool:
    """Lemma 12.1, in fractions."""
    w = [Fraction(weight, sum(weights)) for weight in weights]
    e = [Fraction(wrong) for wrong in errors]
    share = sum(a * b for a, b in zip(w, e, strict=True)) / Fraction(c)
    return any(a >= share / (len(w) - 1) and b >= share for a, b in zip(w, e, strict=True))


ROWS = [
    Row(
        dt.grow_predicates,
        lambda r: domain(r) | cost(r) | {"max_leaves": optional(whole(r.randint(1, 6), 1))},
        grown,
        lambda path: nested(path.tree()),
        rounds=8,
    ),
    Row(growing.edges, domain, edges_by_hand, exact=False),
    # A frame's names stay with the tree: the tests and labels are the same.
    Row(
        dt.grow_function, of_function, read=lambda path: [nested(path.tree()), path.scores.tolist()]
    ),
    Row(dt.grow_votes, votes),
    Row(VOTES.log_leaves_for, lambda r: {"epsilon": clashing(half(dyadic(r, 0.125, 0.5)))}),
    Row(growing.drop, lambda r: split(r) | cost(r), dropped, exact=False, rounds=6),
    Row(growing.edge, split),
    Row(
        growing.children,
        lambda r: {
            "q": share(several(r, 0, 1)),
            "gamma": numbers(several(r, -0.5, 0.5), lambda g: abs(g) <= 0.5, -0.5, 0.5),
            "tau": numbers(several(r, 0, 1), lambda t: 0 < t < 1, 0.0, 1.0),
        },
    ),
    Row(
        growing.contraction,
        lambda r: {"gamma": number(dyadic(r, 0, 0.5), lambda g: 0 <= g <= 0.5, 0.0, 0.5)},
        lambda gamma: math.sqrt(1 - 4 * gamma**2),
        exact=False,
    ),
    Row(
        growing.leaf_drop_floor,
        lambda r: {
            "q": share(several(r, 0, 1)),
            "gamma": numbers(several(r, 0, 0.5), lambda g: 0 <= g <= 0.5, 0.0, 0.5),
            **bounded(r),
        },
    ),
    Row(
        growing.tree_drop_floor,
        lambda r: {
            "G": numbers(several(r, 0, 0.5), lambda c: 0 <= c <= 0.5 + 1e-9, 0.0),
            "leaves": numbers([r.randint(1, 9) for _ in range(3)], lambda k: k >= 1, 1.0),
            "gamma": half(dyadic(r, 0, 0.5)),
            **bounded(r),
        },
    ),
    Row(
        growing.cost_bound,
        lambda r: {
            "log_leaves": numbers(several(r, 0, 9), lambda L: L >= 0, 0.0),
            "gamma": half(dyadic(r, 0, 0.5)),
            **bounded(r),
        },
    ),
    Row(
        growing.log_leaves_enough,
        lambda r: {
            "epsilon": half(dyadic(r, 0, 0.5)),
            "gamma": half(dyadic(r, 0, 0.5)),
            **bounded(r),
        },
    ),
    Row(growing.has_good_leaf, leaves, heavy),
    Row(
        growing.adversarial_leaves,
        lambda r: {
            "splits": whole(r.randint(1, 9), 1, 10**7),
            "c": number(dyadic(r, 1, 2), lambda c: 1 < c < math.inf, 1.0),
            "epsilon": half(dyadic(r, 0, 0.5)),
        },
    ),
    Row(
        lambda G: growing.cost_shape(MIDDLE if callable(G) else G),
        lambda r: {"G": Arg(r.choice([*dt.COST_FUNCTIONS.values()]), callable)},
        of=growing.cost_shape,
    ),
]
