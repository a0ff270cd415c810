"""The kernel of growing, run by Node, held against `dtviz.growing`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.node import evaluate

import dtviz
from dtviz.core.cart.beta_costs import cost_at
from dtviz.growing import cost_bound, grow_votes
from dtviz.growing.explorer import GAMMAS, POWERS, growth_costs, growth_record

# What Python says is found once, by one process.
pytestmark = pytest.mark.xdist_group("kernel of growing")

KERNEL = [Path(dtviz.__file__).parent / "growing" / "kernel.js"]
RATES = """
({ record, points }) =>
  points.map(([gamma, position, power]) => growthAt(record, gamma, position, power))
"""
SHOWN = "({ falling, floor }) => falling.map((one) => shownPart([...one.keys()], one, floor))"


POSITIONS = (0, 0.4, 1, 1.5, 2, 2.6, 2.9, 3)


def points() -> list[tuple[float, float, float]]:
    """Points of the grid, and its corners, each with a cost."""
    rng = np.random.default_rng(0)
    drawn = zip(rng.choice(GAMMAS, 10).tolist(), rng.choice(POWERS, 10).tolist(), strict=True)
    places = [*drawn, *((gamma, power) for gamma in GAMMAS[::13] for power in POWERS[::48])]
    return [(g, POSITIONS[k % len(POSITIONS)], power) for k, (g, power) in enumerate(places)]


def wrong_rates() -> list[str]:
    """Return where the costs that the kernel grows to are not those of Python, nor its bounds."""
    asked = points()
    result = evaluate(KERNEL, RATES, {"record": growth_record(), "points": asked})
    splits = np.round(10.0 ** np.array(POWERS))
    wrong = []
    for (gamma, position, power), found in zip(asked, result, strict=True):
        if POWERS[found["at"]] != power:
            wrong.append(f"{gamma}, {power}: place {found['at']}")
        run = grow_votes(gamma, cost_at(position), epsilon=1e-6, max_depth=120)
        grown = np.interp(splits + 1, np.exp(run.log_leaves), run.costs)
        if found["costs"] != pytest.approx(grown, rel=1e-9):
            wrong.append(f"{gamma}, {position}: {found['costs']}")
        for name in ("gini", "entropy", "sqrt"):
            expected = np.minimum(cost_bound(np.log1p(splits), gamma, name), 0.5)
            if found["bounds"][name] != pytest.approx(expected, rel=6e-4):
                wrong.append(f"{gamma}, {name}: not {expected}")
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
    bounds = growth_record()["bounds"]
    curves = [
        {"bounds": one, "costs": growth_costs(gamma, k % 3)}
        for k, (gamma, one) in enumerate(zip(GAMMAS, bounds, strict=True))
    ]
    result = evaluate(KERNEL, SCALES, curves)
    for one, floor, ticks in zip(curves, result["floors"], result["ticks"], strict=True):
        least = min(min(values) for values in (one["costs"], *one["bounds"].values()))
        assert floor == 0.0005 or least / 2.1 < floor <= least
        assert (ticks[0], ticks[-1]) == (floor, 0.5)
        assert ticks == sorted(ticks)
    assert result["powers"][::4] == ["1", "10", "100", *(f"10{raised(n)}" for n in range(3, 13))]
    assert [result["powers"][k] for k in (1, 11, 25)] == ["2", "562", "1.8·10⁶"]


def raised(number: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))
