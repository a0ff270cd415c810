"""Chapters 1 and 3: the bounds, growth by nearly the best splits, and learning from samples."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

import dtviz as dt
from dtviz import influence, product
from dtviz.product import literal
from support.fuzz.args import (
    clashing,
    distribution,
    dyadic,
    epsilon,
    function,
    holds,
    number,
    optional,
    row,
    seed,
    unit,
    whole,
)
from support.fuzz.core import weighted
from support.fuzz.drive import Arg, Args, Row
from support.nasty import instance

__all__ = ["ROWS"]

MOST = 1 << 53
"""The most splits, variables or levels that floats count."""

PARITY = dt.functions.parity(3)
PATH = dt.build_top_down(dt.functions.majority(3))
RUN = dt.product.build_top_down_sampled(PARITY, None, 0.375, 0.5, rng=0)


def error(r: Random) -> Arg:
    return number(dyadic(r, 0, 0.5), lambda e: 0 <= e <= 0.5, 0.0, 0.5)


def positive(value: float, low: float = 0) -> Arg:
    """A finite number >= low."""
    return number(value, lambda c: low <= c < math.inf, float(low))


def above(value: float) -> Arg:
    """A finite number > 0."""
    return number(value, lambda c: 0 < c < math.inf, 0.0)


def risks(r: Random) -> dict[str, Arg]:
    return {"epsilon": epsilon(dyadic(r, 0, 0.5)), "delta": unit(dyadic(r, 0, 1))}


def step(r: Random) -> dict[str, Arg]:
    return {"step": whole(r.randint(0, 9), 0, MOST)}


def size(r: Random, low: int = 2) -> dict[str, Arg]:
    return {"size": whole(r.randint(low, 9), low)}


def depths(r: Random) -> dict[str, Arg]:
    """An average depth and a depth, which is at least that."""
    return {
        "delta": number(dyadic(r, 1, 3), lambda d: 1 <= d <= 3, 1.0 - 1e-6, 3.0 + 1e-6),
        "depth": clashing(whole(3, 1, MOST)),
        "epsilon": epsilon(dyadic(r, 0, 0.5)),
    }


def largest(r: Random) -> dict[str, Arg]:
    given = depths(r)
    given["delta"] = clashing(given["delta"])
    return given | {"largest": clashing(number(3.0, lambda d: 1 <= d <= 3))}


def path(value: dt.influence.GrowthPath) -> Arg:
    return Arg(value, instance(dt.influence.GrowthPath))


def replayed(r: Random) -> Args:
    """The splits of a path: others may name no leaf, or a variable that is fixed there."""
    whole_numbers = holds("iu", lambda _: True)
    nothing = holds("f", lambda _: False)

    def rule(value: Any) -> bool | None:
        flat = np.ndim(value) == 1 if whole_numbers(value) or nothing(value) else False
        return None if flat else False

    def splits(value: list[int]) -> Arg:
        arg = row(value, bool, "iu")
        assert arg.rule is not None
        same = arg.rule
        return dataclasses.replace(
            arg, rule=lambda v: rule(v) and (same(v) or None), clashes=True, edges=([], [-1], [9])
        )

    return {
        **weighted(r),
        "split_node": splits(PATH.split_node.tolist()),
        "split_variable": splits(PATH.split_variable.tolist()),
    }


def approximate(r: Random) -> Args:
    return weighted(r) | {
        "share": number(dyadic(r, 0, 1), lambda s: 0 < s <= 1, 0.0, 1.0),
        "rng": optional(seed(r.randrange(99))),
    }


def asking(f: dt.BooleanFunction) -> Arg:
    """A function, or an oracle."""
    arg = clashing(function(f))
    return dataclasses.replace(arg, rule=callable)


def sampled(r: Random) -> Args:
    return {
        "f": asking(dt.functions.majority(3)),
        "mu": distribution([dyadic(r, 0.25, 0.75) for _ in range(3)]),
        "epsilon": clashing(epsilon(0.375)),
        "delta": clashing(unit(0.5)),
        "rng": seed(r.randrange(99)),
        "max_samples": clashing(whole(10**8, 1)),
        "max_leaves": optional(whole(r.randint(1, 4), 1)),
        "scale": clashing(above(0.5)),
    }


def learned(f: Any, **given: Any) -> Any:
    """A run; junk that can be called is not, for what it does is the reader's affair."""
    asked = f if isinstance(f, dt.BooleanFunction) or not callable(f) else dt.functions.majority(3)
    return dt.product.build_top_down_sampled(asked, **given)


INFLUENCE = [
    Row(influence.phases, lambda r: size(r) | {"epsilon": epsilon(dyadic(r, 0, 0.5))}),
    Row(
        influence.score_floor_by_cost,
        lambda r: {
            "cost": positive(dyadic(r, 0, 3)),
            **step(r),
            **size(r),
            "epsilon": epsilon(dyadic(r, 0, 0.5)),
        },
    ),
    Row(
        influence.score_floor_by_error,
        lambda r: {"error": error(r), **step(r), **size(r)},
        lambda error, step, size: 2 * error / ((step + 1) * math.log2(size)),
        exact=False,
    ),
    Row(
        influence.worst_case_costs,
        lambda r: (
            size(r)
            | {"epsilon": epsilon(dyadic(r, 0, 0.5)), "steps": whole(r.randint(0, 9), 0, 10**6)}
        ),
    ),
]

FLOORS = [
    Row(
        product.score_floor_by_error,
        lambda r: {"error": error(r), **step(r), "delta": above(dyadic(r, 0, 3))},
        lambda error, step, delta: Fraction(error) / ((step + 1) * Fraction(delta)),
        exact=False,
    ),
    Row(
        product.score_floor_by_cost,
        lambda r: {
            "cost": positive(dyadic(r, 0, 3)),
            **step(r),
            "delta": above(dyadic(r, 0, 3)),
            "depth": whole(r.randint(1, 9), 1, MOST),
        },
        lambda cost, step, delta, depth: Fraction(cost) / ((step + 1) * Fraction(delta) * depth),
        exact=False,
    ),
    Row(
        product.score_floor_by_variation,
        lambda r: {"variation": error(r), **step(r), "delta": above(dyadic(r, 0, 3))},
        lambda variation, step, delta: (
            2 * Fraction(variation) ** 2 / ((step + 1) * Fraction(delta))
        ),
        exact=False,
    ),
]


BOUNDS = [
    Row(product.size_bound_bits, depths),
    Row(product.variation_bound_bits, depths),
    Row(product.proved_bound_bits, largest),
]

SIZES = [
    Row(
        product.pairs_needed,
        lambda r: step(r) | {"n": whole(r.randint(1, 9), 1, MOST)} | risks(r),
        lambda step, n, epsilon, delta: literal.pairs_needed(
            step, n, *map(Fraction, (epsilon, delta))
        ),
    ),
    Row(
        product.examples_needed,
        lambda r: step(r) | risks(r),
        lambda step, epsilon, delta: literal.examples_needed(
            step, *map(Fraction, (epsilon, delta))
        ),
    ),
]

ROWS = [
    *INFLUENCE,
    *FLOORS,
    *BOUNDS,
    *SIZES,
    Row(product.path_variations, lambda _: {"path": path(PATH)}),
    Row(dt.product.replay, replayed),
    Row(dt.product.build_top_down_approximate, approximate),
    Row(learned, sampled, of=dt.product.build_top_down_sampled, rounds=2),
    Row(RUN.tree, lambda _: {"n_leaves": optional(whole(1, 1, RUN.n_leaves))}),
    Row(RUN.tree, lambda _: {"epsilon": clashing(optional(positive(0.5)))}),
    *[
        Row(method, lambda _: {"f": clashing(function(PARITY))})
        for method in (RUN.path, RUN.shares)
    ],
]
