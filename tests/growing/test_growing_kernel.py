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

KERNEL = [Path(dtviz.__file__).parent / "growing" / "kernel.js"]
RATES = """
({ record, points }) =>
  points.map(([gamma, position, power]) => growthAt(record, gamma, position, power))
"""
SHOWN = "({ falling, floor }) => falling.map((one) => shownPart([...one.keys()], one, floor))"
POSITIONS = (0, 0.4, 1, 1.5, 2, 2.6, 2.9, 3)


@pytest.mark.slow
def test_rates_are_those_of_growth_and_of_the_bounds() -> None:
    """At points of the grid, and its corners, each with a cost."""
    rng = np.random.default_rng(0)
    drawn = zip(rng.choice(GAMMAS, 10).tolist(), rng.choice(POWERS, 10).tolist(), strict=True)
    places = [*drawn, *((gamma, power) for gamma in GAMMAS[::13] for power in POWERS[::48])]
    asked = [(g, POSITIONS[k % len(POSITIONS)], power) for k, (g, power) in enumerate(places)]
    result = evaluate(KERNEL, RATES, {"record": growth_record(), "points": asked})
    splits = np.round(10.0 ** np.array(POWERS))
    for (gamma, position, power), found in zip(asked, result, strict=True):
        assert POWERS[found["at"]] == power
        run = grow_votes(gamma, cost_at(position), epsilon=1e-6, max_depth=120)
        grown = np.interp(splits + 1, np.exp(run.log_leaves), run.costs)
        assert found["costs"] == pytest.approx(grown, rel=1e-9), (gamma, position)
        for name in ("gini", "entropy", "sqrt"):
            expected = np.minimum(cost_bound(np.log1p(splits), gamma, name), 0.5)
            assert found["bounds"][name] == pytest.approx(expected, rel=6e-4), (gamma, name)


def test_curves_end_where_the_scale_does() -> None:
    """Where they cross the floor, on log scales."""
    rng = np.random.default_rng(1)
    floor = 0.0005
    falling = [sorted(np.exp(rng.uniform(-10, -0.7, 12)), reverse=True) for _ in range(30)]
    falling += [[0.5, 0.1], [0.4, floor, floor / 2, 0.0]]
    result = evaluate(KERNEL, SHOWN, {"falling": falling, "floor": floor})
    for values, shown in zip(falling, result, strict=True):
        logs = np.log(np.maximum(values, 5e-324))
        end = int((np.array(values) >= floor).sum())
        points = [[k, y] for k, y in enumerate(values[:end])]
        if 0 < end < len(values):
            around = slice(end - 1, end + 1)
            crossing = np.interp(-np.log(floor), -logs[around], np.arange(len(values))[around])
            points.append([float(crossing), floor])
        assert shown["leaves"] == (end < len(values))
        assert np.shape(shown["points"]) == np.shape(points), values
        assert np.allclose(shown["points"], points), values


SCALES = """
(curves) => ({
  floors: curves.map(floorOf),
  ticks: curves.map((one) => costTicks(floorOf(one))),
  powers: Array.from({ length: 49 }, (_, k) => powerText(k / 4)),
})
"""


def test_scales_end_below_the_curves() -> None:
    curves = [
        {"bounds": one, "costs": growth_costs(gamma, k % 3)}
        for k, (gamma, one) in enumerate(zip(GAMMAS, growth_record()["bounds"], strict=True))
    ]
    result = evaluate(KERNEL, SCALES, curves)
    for one, floor, ticks in zip(curves, result["floors"], result["ticks"], strict=True):
        least = min(min(values) for values in (one["costs"], *one["bounds"].values()))
        assert floor == 0.0005 or least / 2.1 < floor <= least
        assert (ticks[0], ticks[-1]) == (floor, 0.5)
        assert ticks == sorted(ticks)
    texts = [str(10**n) if n < 3 else f"10{n}" for n in range(13)]
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    assert [text.translate(digits) for text in result["powers"][::4]] == texts
    assert [result["powers"][k] for k in (1, 11, 25)] == ["2", "562", "1.8·10⁶"]
