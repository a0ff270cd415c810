"""Biased inputs raced: a common bias that moves, and the greedy path under it.

Both sides of a race have given the same answer before they are timed; where the sides compute
different things, it is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import boofun
import numpy as np
from boofun.analysis.p_biased import PBiasedAnalyzer
from timing import Race, best

import dtviz as dt

BIAS = 0.3


def biased_by_boofun(f: dt.BooleanFunction) -> Any:
    """The peer's analyzer of f, its truth table ready."""
    g = boofun.create(f.table.astype(bool))
    # From n = 15 on boofun packs the table; without this it would fall back on a Python loop.
    g.get_representation("truth_table")
    return PBiasedAnalyzer(g, BIAS)


def influences(sizes: Mapping[int, float | None]) -> Iterator[Race]:
    """All n influences under one common bias."""
    for n, target in sizes.items():
        f, mu = dt.functions.random(n, seed=n), dt.ProductDistribution([BIAS] * n)
        biased = biased_by_boofun(f)
        ours, theirs = dt.influences(f, mu), np.array(biased.influences())
        assert np.allclose(ours / ours[0], theirs / theirs[0]), (ours, theirs)
        yield Race(
            f"influences, p = {BIAS}, n = {n}",
            partial(dt.influences, f, mu),
            "boofun",
            biased.influences,
            target,
        )


def growth(sizes: Mapping[int, float | None]) -> Iterator[Race]:
    """The whole greedy run under a common bias against the uniform one: at most 20 times as long.

    The runs differ; a random function fills both trees alike.
    """
    for n, target in sizes.items():
        f, mu = dt.functions.random(n, seed=n), dt.ProductDistribution([BIAS] * n)
        for path in (dt.build_top_down(f), dt.build_top_down(f, mu)):
            assert path.tree().function(n) == f
        yield Race(
            f"greedy path to error 0, p = {BIAS}, n = {n}",
            partial(dt.build_top_down, f, mu),
            "dtviz, uniform",
            partial(dt.build_top_down, f),
            target,
        )


def races(*, toy: bool = False) -> Iterator[Race]:
    """The races of `make bench`."""
    yield from influences({4: None} if toy else {12: None, 14: 100, 16: 400})
    yield from growth({4: None} if toy else {12: None, 16: 1 / 20})


def lines(*, toy: bool = False) -> Iterator[str]:
    """A time without a peer: the average depths of restrictions."""
    n = 5 if toy else 10
    f, mu = dt.functions.random(n, seed=n), dt.ProductDistribution([BIAS] * n)
    once = best(lambda: dt.optimal(f, mu).max_average_depth, 5)
    yield f"average depth of all {3**n:,} restrictions, n = {n}: {once * 1e3:.1f} ms"
