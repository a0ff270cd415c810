"""Which variance goes with which influence: two lemmas, all six pairings, tried on all functions.

Lemma 4.2, ``Inf(f) <= D(f) Var(f)``, and Lemma C.1, ``max_i Inf_i(f) >= Var(f)/Delta(f)``, are true
or false according to what Var and Inf mean. One of the six pairings makes both true and tight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from claims.kit import Outcome, outcome
from claims.kit.populations import at_least, ratio
from claims.product.populations import Floats, Pairs, pairs

__all__ = [
    "INFLUENCES",
    "LEMMAS",
    "VARIANCES",
    "Pairing",
    "lemma_4_2",
    "lemma_c1",
    "normalisations",
]

Influence = Literal["resample", "flip"]
Lemma = Literal["4.2", "C.1"]

INFLUENCES: tuple[Influence, ...] = ("resample", "flip")
VARIANCES = {"m(1-m)": 1, "2m(1-m)": 2, "4m(1-m)": 4}
"""Var as it is written, and how many times m(1-m) it is: Var01, the variation Vr, Var±."""
LEMMAS: tuple[Lemma, ...] = ("4.2", "C.1")

UNIT = "pairs of a function and a measure"


def _influence(every: Pairs, influence: Influence) -> Floats:
    return every.resample if influence == "resample" else every.flip


def _chosen(every: Pairs, *, uniform: bool) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The functions that are not constant, under all measures or the uniform one."""
    use = every.depth > 0
    if uniform:
        use &= (every.p == 0.5).all(axis=1)
    return np.flatnonzero(use)


def _parts(
    lemma: Lemma, influence: Influence, factor: float, *, uniform: bool
) -> tuple[Floats, Floats, np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """The sides of a lemma that must be small and large, and the pairs they are for."""
    every = pairs()
    use = _chosen(every, uniform=uniform)
    inf = _influence(every, influence)[use]
    variance = factor / 2 * every.variation[use]
    if lemma == "4.2":
        return inf.sum(axis=1), every.depth[use] * variance, use
    return variance, every.delta[use] * inf.max(axis=1), use


def _told(lemma: Lemma, influence: Influence, factor: float, *, uniform: bool) -> Outcome:
    small, large, use = _parts(lemma, influence, factor, uniform=uniform)
    tight = ratio(small, large)
    every = pairs()
    what = "Inf / (D Var)" if lemma == "4.2" else "Var / (Delta max Inf_i)"
    return outcome(
        UNIT,
        at_least(large, small),
        tight,
        lambda k: f"{what} = {tight[k]:.4g} for {every.describe(int(use[k]))}",
    )


def lemma_4_2(
    influence: Influence = "resample", factor: float = 2, *, uniform: bool = False
) -> Outcome:
    """``Inf(f) <= D(f) Var(f)`` for all functions of 3 variables under 216 measures."""
    return _told("4.2", influence, factor, uniform=uniform)


def lemma_c1(
    influence: Influence = "resample", factor: float = 2, *, uniform: bool = False
) -> Outcome:
    """``max_i Inf_i(f) >= Var(f)/Delta(f)`` for the same pairs."""
    return _told("C.1", influence, factor, uniform=uniform)


@dataclass(frozen=True)
class Pairing:
    """What became of a lemma for one meaning of influence and variance.

    ``worst`` is the largest ratio of the side that must be the smaller to the other: above 1 the
    lemma is false, at 1 it is tight, below 1 it is loose. ``instance`` attains it.
    """

    lemma: Lemma
    influence: Influence
    variance: str
    uniform: bool
    cases: int
    violations: int
    worst: float
    instance: str

    @property
    def verdict(self) -> Literal["false", "tight", "loose"]:
        """What the cases say."""
        if self.violations:
            return "false"
        return "tight" if self.worst == 1 else "loose"

    def __str__(self) -> str:
        """The verdict and the ratio, short enough for a cell of a table."""
        return f"{self.verdict} ({self.worst:.4g})"


@cache
def normalisations(*, uniform: bool = False) -> tuple[Pairing, ...]:
    """The table: every lemma, influence and variance, over all measures or the uniform one only.

    Rows come lemma by lemma, influence by influence, in the order of `VARIANCES`.
    """
    rows = []
    for lemma in LEMMAS:
        for influence in INFLUENCES:
            for variance, factor in VARIANCES.items():
                small, large, use = _parts(lemma, influence, factor, uniform=uniform)
                told = _told(lemma, influence, factor, uniform=uniform)
                worst = ratio(small, large)
                at = int(use[(worst >= worst.max() * (1 - 1e-9)).argmax()])
                rows.append(
                    Pairing(
                        lemma,
                        influence,
                        variance,
                        uniform,
                        told.cases,
                        told.violations,
                        float(worst.max()),
                        pairs().describe(at),
                    )
                )
    return tuple(rows)
