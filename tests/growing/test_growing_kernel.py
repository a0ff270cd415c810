"""The kernel of growing, run by Node, held against `dtviz.growing`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.node import evaluate

import dtviz
from dtviz.growing import cost_bound, grow_votes
from dtviz.growing.explorer import GAMMAS, POWERS, growth_record

# What Python says is found once, by one process.
pytestmark = pytest.mark.xdist_group("kernel of growing")

KERNEL = [Path(dtviz.__file__).parent / "growing" / "kernel.js"]
RATES = """
({ record, points }) => points.map(([gamma, power]) => growthAt(record, gamma, power))
"""
SHOWN = "({ falling, floor }) => falling.map((one) => shownPart([...one.keys()], one, floor))"


def points() -> list[tuple[float, float]]:
    """Forty points of the grid, and its corners."""
    rng = np.random.default_rng(0)
    drawn = zip(rng.choice(GAMMAS, 40).tolist(), rng.choice(POWERS, 40).tolist(), strict=True)
    return [*drawn, *((gamma, power) for gamma in GAMMAS[::13] for power in POWERS[::48])]


@cache
def rates(gamma: float, power: float, cost: str) -> tuple[float, float]:
    """The cost after 10^power splits, rounded, and the bound on it, as Python has them."""
    splits = round(10**power)
    run = grow_votes(gamma, cost, epsilon=1e-6, max_depth=46)
    reached = float(np.interp(splits + 1, np.exp(run.log_leaves), run.costs))
    return reached, min(float(cost_bound(np.log1p(float(splits)), gamma, cost)), 0.5)


def wrong_rates() -> list[str]:
    """Return where the rates that the kernel reads are not those of growth and of the bounds."""
    asked = points()
    result = evaluate(KERNEL, RATES, {"record": growth_record(), "points": asked})
    wrong = []
    for (gamma, power), found in zip(asked, result, strict=True):
        if (GAMMAS[found["g"]], POWERS[found["at"]]) != (gamma, power):
            wrong.append(f"{gamma}, {power}: places {found['g']}, {found['at']}")
        assert [rate["cost"] for rate in found["rates"]] == ["gini", "entropy", "sqrt"]
        for rate in found["rates"]:
            expected = rates(gamma, power, rate["cost"])
            if (rate["reached"], rate["bound"]) != pytest.approx(expected, rel=6e-4):
                wrong.append(f"{gamma}, {power}, {rate}: not {expected}")
    return wrong


@pytest.mark.slow
def test_rates_are_those_of_growth_and_of_the_bounds() -> None:
    assert wrong_rates() == []


def wrong_ends() -> list[str]:
    """Return which falling curves are not shown to where they cross the floor, on log scales."""
    rng = np.random.default_rng(1)
    floor = 0.0005
    falling = [sorted(np.exp(rng.uniform(-10, -0.7, 12)), reverse=True) for _ in range(30)]
    falling += [[0.5, 0.1], [0.4, floor, floor / 2, 0.0]]
    result = evaluate(KERNEL, SHOWN, {"falling": falling, "floor": floor})
    wrong = []
    for values, shown in zip(falling, result, strict=True):
        powers, logs = np.arange(len(values)), np.log(np.maximum(values, 5e-324))
        end = int((np.array(values) >= floor).sum())
        points = [[float(x), y] for x, y in zip(powers[:end], values[:end], strict=True)]
        if 0 < end < len(values):
            crossing = np.interp(
                -np.log(floor), -logs[end - 1 : end + 1], powers[end - 1 : end + 1]
            )
            points.append([float(crossing), floor])
        same = len(shown["points"]) == len(points) and np.allclose(shown["points"], points)
        if not same or shown["leaves"] != (end < len(values)):
            wrong.append(f"{values} shown as {shown}")
    return wrong


def test_curves_end_where_the_scale_does() -> None:
    assert wrong_ends() == []


SCALES = """
(curves) => ({
  floors: curves.map(floorOf),
  ticks: curves.map((one) => costTicks(floorOf(one))),
  powers: Array.from({ length: 49 }, (_, k) => powerText(k / 4)),
})
"""


def test_scales_end_below_the_curves() -> None:
    curves = growth_record()["curves"]
    result = evaluate(KERNEL, SCALES, curves)
    for one, floor, ticks in zip(curves, result["floors"], result["ticks"], strict=True):
        least = min(min(values) for values in one.values())
        assert floor == 0.0005 or least / 2.1 < floor <= least
        assert (ticks[0], ticks[-1]) == (floor, 0.5)
        assert ticks == sorted(ticks)
    assert result["powers"][::4] == ["1", "10", "100", *(f"10{raised(n)}" for n in range(3, 13))]
    assert [result["powers"][k] for k in (1, 11, 25)] == ["2", "562", "1.8·10⁶"]


def raised(number: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))
