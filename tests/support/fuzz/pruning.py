"""Chapter 6: prunings, their paths and what can be asked of them, and the penalties."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import dtviz as dt
from dtviz import pruning
from dtviz.pruning import literal
from support.fuzz.args import (
    called,
    choice,
    clashing,
    counts,
    dyadic,
    number,
    optional,
    seed,
    tree,
    unit,
    whole,
)
from support.fuzz.drive import Arg, Args, Row
from support.literal import nested

__all__ = ["ROWS"]


def examples(r: Random, m: int) -> tuple[list[list[int]], list[int]]:
    """Examples with three small numbers each, and labels 0 and 1."""
    X = [[r.randint(0, 3) for _ in range(3)] for _ in range(m)]
    return X, [k % 2 if k < 2 else r.randint(0, 1) for k in range(m)]


def sample(r: Random) -> dict[str, Arg]:
    """A tree, and examples of which some were not there when it grew."""
    X, y = examples(r, r.randint(4, 12))
    grown = dt.id3(X[: len(X) - 2], y[: len(X) - 2])
    return {"tree": tree(grown), "X": Arg(X), "y": Arg(y), **UNSAID}


def two_samples(r: Random) -> dict[str, Arg]:
    """The same, with the sample that grew the tree."""
    X, y = examples(r, r.randint(4, 12))
    return priced(r) | {"grown_on": Arg((X, y))}


def priced(r: Random) -> dict[str, Arg]:
    """The first, and losses, which tests/pruning/test_losses drives."""
    return sample(r) | {"loss": Arg(None)}


UNSAID = {"grown_on": Arg(None), "classes": Arg(None), "sample_weight": Arg(None)}
"""Samples and labels: their types are those of ``X`` and ``y``. Weights are in test_bad_input."""


def pairs(X: Any, y: Any) -> literal.Sample:
    return [(tuple(x), label) for x, label in zip(X, y, strict=True)]


def as_tuples(tree: dt.Tree) -> Any:
    return nested(tree, thresholds=True)


def read(result: Any) -> Any:
    return as_tuples(result.tree())


def by_the_book(method: Callable[..., Any], *more: str) -> Callable[..., Any]:
    """The chapter's algorithm on a call's arguments."""

    def pruned(tree: dt.Tree, X: Any, y: Any, **given: Any) -> Any:
        return method(as_tuples(tree), pairs(X, y), *(given[name] for name in more))

    return pruned


def reduced(tree: dt.Tree, X: Any, y: Any, grown_on: Any, **_: Any) -> Any:
    return literal.reduced_error_prune(as_tuples(tree), pairs(X, y), pairs(*grown_on))


def bottom_up(tree: dt.Tree, X: Any, y: Any, **given: Any) -> Any:
    terms = given["n_tests"], Fraction(given["delta"]), Fraction(given["c"])
    return literal.bottom_up_prune(as_tuples(tree), pairs(X, y), *terms)


def trees(path: Any) -> Any:
    return [(price, as_tuples(one.tree())) for price, one in zip(path.breaks, path, strict=True)]


def risk(r: Random) -> dict[str, Arg]:
    return {
        "delta": unit(dyadic(r, 0, 1)),
        "c": constant(r.choice([0.125, 0.25, 2.0])),
        "n_tests": optional(whole(r.randint(1, 9), 1, 1 << 53)),
    }


def constant(value: float) -> Arg:
    return number(value, lambda c: 0 < c < math.inf, 0.0)


def price(value: float) -> Arg:
    return number(value, lambda c: 0 <= c < math.inf, 0.0)


R = Random(6)  # noqa: S311 -- the same examples in every run
X, Y = examples(R, 16)
TREE = dt.id3(X, Y)
PATH = dt.pruning.cost_complexity_path(TREE, X, Y)
SMALLEST = dt.pruning.smallest_prunings(TREE, X, Y)


ERROR = choice("error", dt.impurity.CLASS_COST_FUNCTIONS)
ALPHA = called(price(0.125), "alpha")


def smallest_by_the_book(tree: dt.Tree, X: Any, y: Any, **_: Any) -> Any:
    return literal.smallest_prunings(as_tuples(tree), pairs(X, y))


def all_smallest(found: pruning.SmallestPrunings) -> Any:
    """``(K_d, T_d)`` for each number d of errors, no tree where there is none."""
    least = found.counts.subtree_errors[0]
    table = []
    for d, size in enumerate(found.n_leaves.tolist()):
        table.append((size, as_tuples(found.tree(d=d)) if d >= least else None))
    return table


def one_of(way: str, given: Arg) -> Callable[[Random], Args]:
    return lambda _: {way: clashing(optional(given))}


def cross(r: Random) -> Args:
    X, y = examples(r, 12)
    return {
        "X": Arg(X),
        "y": Arg(y),
        "grow": Arg(dt.id3, callable),
        "folds": whole(r.randint(2, 5), 2, 12),
        "rng": seed(r.randrange(99)),
        "classes": Arg(None),
        "sample_weight": Arg(None),
        "loss": Arg(None),
    }


ROWS = [
    Row(dt.pruning.reduced_error_prune, two_samples, reduced, read),
    Row(dt.pruning.cost_complexity_path, lambda r: priced(r) | {"cost": ERROR}, None, trees),
    Row(
        dt.pruning.cost_complexity_prune,
        lambda r: priced(r) | {"alpha": price(dyadic(r, 0, 0.5)), "cost": ERROR},
        by_the_book(literal.cost_complexity_prune, "alpha"),
        read,
    ),
    Row(dt.pruning.smallest_prunings, priced, smallest_by_the_book, all_smallest),
    Row(
        dt.pruning.srm_prune,
        lambda r: sample(r) | {"factor": price(r.choice([0.25, 1.0, 2.0]))},
        by_the_book(literal.srm_prune, "factor"),
        read,
    ),
    Row(dt.pruning.bottom_up_prune, lambda r: sample(r) | risk(r), bottom_up, read),
    Row(
        pruning.bottom_up_path,
        lambda r: sample(r) | {key: arg for key, arg in risk(r).items() if key != "c"},
    ),
    Row(pruning.node_counts, priced),
    Row(
        lambda grow, **given: dt.pruning.cross_validated_prune(
            grow=dt.id3 if callable(grow) else grow, **given
        ),
        cross,
        of=dt.pruning.cross_validated_prune,
        rounds=1,
    ),
    *[
        Row(method, one_of(way, given))
        for result, ways in (
            (PATH, {"n_leaves": whole(2, 1), "epsilon": price(0.25), "value": ALPHA}),
            (SMALLEST, {"n_leaves": whole(2, 1), "epsilon": price(0.25), "d": whole(3)}),
        )
        for method in (result.tree, result.pruning)
        for way, given in ways.items()
    ],
    Row(SMALLEST.cuts, lambda r: {"n_leaves": whole(r.randint(1, 4), 1)}),
    Row(
        pruning.count_paths,
        lambda r: {"n": whole(r.randint(0, 9), sure=99), "depth": whole(r.randint(0, 9), sure=99)},
        literal.paths,
    ),
    Row(
        pruning.count_trees,
        lambda r: {
            "n": whole(r.randint(0, 9), sure=99),
            "nodes": whole(r.randint(1, 9), 1, sure=99),
            "n_classes": whole(2, 1, sure=99),
        },
        lambda n, nodes, **_: literal.trees(n, (nodes + 1) // 2),
    ),
    Row(
        pruning.log_factor,
        lambda r: {"n": whole(r.randint(1, 9), 1), "n_classes": whole(r.randint(2, 5), 2)},
    ),
    Row(
        pruning.bottom_up_penalty,
        lambda r: {
            "m_v": counts(r.randint(0, 9), 0, 1 << 53),
            "n_v": counts(r.randint(1, 9), 1, 1 << 25),
            "l_v": counts(r.randint(0, 9), 0, 1 << 24),
            "delta": unit(dyadic(r, 0, 1)),
            "m": whole(r.randint(1, 20), 1, 1 << 53),
            "n": whole(r.randint(1, 20), 1, 1 << 53),
            "c": constant(2.0),
            "n_classes": whole(r.randint(2, 5), 2, sure=99),
        },
    ),
]
