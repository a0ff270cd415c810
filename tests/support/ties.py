"""Growth by exact gains on tables full of ties: the oracle of the tolerance and of the tie rule.

It is the literal algorithm by running counts: floats show which cuts come close to the best, and
integers, fractions or 45 digits decide among those.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

__all__ = ["TooClose", "grow_exactly", "tables"]

NEAR = 1e-9
"""Cuts whose floats are closer, as a fraction of the cost of the leaf, are compared exactly."""

CLOSE = 2e-12
"""Gains that differ by less than this, and yet differ, are as near as the tolerance."""

KINDS = ("integers", "tenths", "neighbors", "halves", "reals", "twins")


class TooClose(Exception):  # noqa: N818 -- no fault
    """Two gains differ by less than twice the tolerance."""


def tables(number: int, rows: int, seed: int = 0) -> Iterator[tuple[Any, Any]]:
    """Tables of few or many rows: ties, duplicates, neighboring floats, mirrored columns."""
    rng = np.random.default_rng(seed)
    for k in range(number):
        m = int(np.exp(rng.uniform(np.log(2), np.log(rows + 1))))
        d, c = int(rng.integers(1, 5)), int(rng.choice([2, 2, 3, 4, 12]))
        X = rng.normal(size=(m, d)) * 10.0 ** rng.integers(-8, 9)
        kind = KINDS[k % len(KINDS)]
        if kind == "integers":
            X = rng.integers(0, int(rng.integers(2, 30)), (m, d)).astype(float)
        elif kind == "tenths":
            X = np.round(rng.random((m, d)), 1) - 0.3
        elif kind == "neighbors":
            X = 1 + np.finfo(float).eps * rng.integers(0, 40, (m, d))
        elif kind == "halves":
            X = rng.integers(0, 2, (m, d)).astype(float)
        elif kind == "twins":  # A column comes again: as it is, turned around, and squared.
            X = np.column_stack([X, X[:, 0], -X[:, -1], X[:, 0] ** 3])[:, rng.permutation(d + 3)]
        y = rng.integers(0, c, m)
        if k % 7 < 3:
            border = (X[:, 0] > np.median(X[:, 0])) ^ (X[:, -1] > np.median(X[:, -1]))
            y = np.where(rng.random(m) < 0.9, border, y)
        elif k % 7 == 3:
            y = (X[:, 0].argsort(kind="stable").argsort() // int(rng.integers(1, 4))) % c
        if k % 5 == 0:  # Rows come again, now and then with another label.
            again = rng.integers(0, m, m)
            X, y = X[again], np.where(rng.random(m) < 0.9, y[again], y)
        yield X, y.astype(int)


def rough_cost(counts: Any, cost: str) -> Any:
    """As floats: counts of classes along the last axis."""
    n = counts.sum(axis=-1)
    share = counts / n[..., None]
    if cost == "gini":
        return n * (share * (1 - share)).sum(axis=-1)
    if cost == "error":
        return n - counts.max(axis=-1)
    if cost == "entropy":
        return -n * (share * np.log2(np.where(share > 0, share, 1))).sum(axis=-1) / 2
    return n * (np.sqrt(share).sum(axis=-1) ** 2 - 1) / 2


@cache
def digits(n: int, cost: str) -> Decimal:
    """``n log2(n) / 2`` or ``sqrt(n)``."""
    with localcontext() as context:
        context.prec = 60
        one = Decimal(n)
        if cost == "sqrt":
            return one.sqrt()
        return one * one.ln() / Decimal(2).ln() / 2 if n else one


@cache
def exact_cost(counts: tuple[int, ...], cost: str) -> Fraction:
    """The same exactly, or to 45 digits."""
    n = sum(counts)
    if cost == "gini":
        return Fraction(n * n - sum(k * k for k in counts), n)
    if cost == "error":
        return Fraction(n - max(counts))
    with localcontext() as context:
        context.prec = 60
        total = sum((digits(k, cost) for k in counts), Decimal(0))
        whole = digits(n, cost) - total if cost == "entropy" else (total * total - n) / 2
        return Fraction(whole.quantize(Decimal(1).scaleb(-45)))


def first_of_best(gains: list[Fraction], costs: list[Fraction]) -> int:
    """The first of the largest gains; the others are to be smaller by more than the tolerance."""
    best = max(gains)
    floor = Fraction(1, 10**40)
    cost = costs[gains.index(best)]
    for gain, own in zip(gains, costs, strict=True):
        if floor < best - gain < CLOSE * max(cost, own):
            raise TooClose
    return next(k for k, gain in enumerate(gains) if best - gain <= floor)


def best_cut(X: Any, ones: Any, rows: Any, cost: str) -> tuple[Any, ...] | None:
    """Feature, threshold and gain of the best cut of a leaf, and its cost; None if there is none.

    ``ones`` has a row for each example, 1 in the column of its class.
    """
    whole = ones[rows].sum(axis=0)
    if whole.max() == rows.size:
        return None
    order = X[rows].argsort(axis=0, kind="stable").T
    values = np.take_along_axis(X[rows].T, order, axis=1)
    feature, place = np.nonzero(values[:, 1:] > values[:, :-1])
    if not place.size:
        return None
    low = ones[rows][order].cumsum(axis=1)[feature, place]
    left = rough_cost(low, cost) + rough_cost(whole - low, cost)
    before = exact_cost(tuple(whole.tolist()), cost)
    near = np.flatnonzero(left <= left.min() + NEAR * float(before))
    gains = [
        before - exact_cost(tuple(own), cost) - exact_cost(tuple(rest), cost)
        for own, rest in zip(low[near].tolist(), (whole - low[near]).tolist(), strict=True)
    ]
    at = near[first_of_best(gains, [before] * len(gains))]
    below, above = values[feature[at], place[at]], values[feature[at], place[at] + 1]
    gain = max(gains)
    if Fraction(1, 10**40) < gain < CLOSE * before:
        raise TooClose
    middle = below / 2 + above / 2
    return int(feature[at]), float(middle if below <= middle < above else below), gain, before


def grow_exactly(X: Any, y: Any, cost: str) -> list[tuple[int, int, float]]:
    """Best-first growth to the end: node, feature and threshold of each split, as ``path.splits``.

    Raises
    ------
    TooClose
        If two gains that decide differ, but by less than twice the tolerance.
    """
    ones = (y[:, None] == np.unique(y)).astype(int)
    splits: list[tuple[int, int, float]] = []
    leaves: list[tuple[str, int, Any, tuple[Any, ...]]] = []

    def add(answers: str, node: int, rows: Any) -> None:
        cut = best_cut(X, ones, rows, cost)
        if cut is not None:
            leaves.append((answers, node, rows, cut))

    add("", 0, np.arange(len(y)))
    while leaves:
        rough = np.array([float(cut[2]) for *_, cut in leaves])
        near = [leaves[k] for k in np.flatnonzero(rough >= rough.max() - NEAR * len(y))]
        near.sort(key=lambda leaf: (len(leaf[0]), leaf[0]))
        gains, costs = zip(*(cut[2:] for *_, cut in near), strict=True)
        answers, node, rows, (feature, threshold, *_) = near[first_of_best([*gains], [*costs])]
        leaves = [leaf for leaf in leaves if leaf[1] != node]
        splits.append((node, feature, threshold))
        is_low = X[rows, feature] <= threshold
        add(answers + "0", 2 * len(splits) - 1, rows[is_low])
        add(answers + "1", 2 * len(splits), rows[~is_low])
    return splits
