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
({ record, points }) => ({
  keys: curveKeys(record),
  found: points.map(([gamma, power]) => growthAt(record, gamma, power)),
})
"""
SHOWN = "({ falling, floor }) => falling.map((values) => downTo(values, floor))"


def points() -> list[tuple[float, float]]:
    """Forty points of the grid, and its corners."""
    rng = np.random.default_rng(0)
    drawn = zip(rng.choice(GAMMAS, 40).tolist(), rng.choice(POWERS, 40).tolist(), strict=True)
    return [*drawn, *((gamma, power) for gamma in GAMMAS[::13] for power in POWERS[::48])]


@cache
def rates(gamma: float, power: float, cost: str) -> tuple[float, float]:
    """The cost after 10^power splits, and the bound on it, as Python has them."""
    run = grow_votes(gamma, cost, epsilon=1e-6, max_depth=46)
    reached = float(np.interp(10**power + 1, np.exp(run.log_leaves), run.costs))
    return reached, min(float(cost_bound(np.log1p(10.0**power), gamma, cost)), 0.5)


def wrong_rates(fault: tuple[str, str] | None = None) -> list[str]:
    """Return where the rates that the kernel reads are not those of growth and of the bounds."""
    asked = points()
    told = evaluate(KERNEL, RATES, {"record": growth_record(), "points": asked}, fault=fault)
    wrong = []
    for (gamma, power), found in zip(asked, told["found"], strict=True):
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


@pytest.mark.parametrize(
    "fault",
    [
        ("bound: curves[g][`${cost}-bound`][at]", "bound: curves[g][cost][at]"),
        ("reached: curves[g][cost][at]", "reached: curves[g][cost][Math.max(at - 1, 0)]"),
        ("gammas.indexOf(gamma)", "gammas.findIndex((value) => value <= gamma)"),
    ],
)
def test_wrong_rates_are_found(fault: tuple[str, str]) -> None:
    """PLANTED FAULTS: a bound without its own curve, a place too low, the wrong edge."""
    assert len(wrong_rates(fault)) > 10


def test_every_curve_has_a_key() -> None:
    told = evaluate(KERNEL, RATES, {"record": growth_record(), "points": []})
    assert told["keys"] == list(growth_record()["curves"][0])


def wrong_ends(fault: tuple[str, str] | None = None) -> list[str]:
    """Return which falling curves are not shown as far as their first value below the floor."""
    rng = np.random.default_rng(1)
    floor = 0.0005
    falling = [sorted(np.exp(rng.uniform(-10, -0.7, 12)), reverse=True) for _ in range(30)]
    falling += [[0.5, 0.1], [0.4, floor, floor / 2, 0.0]]
    told = evaluate(KERNEL, SHOWN, {"falling": falling, "floor": floor}, fault=fault)
    ends = [sum(value >= floor for value in values) + 1 for values in falling]
    return [
        f"{values} shown as {shown}"
        for values, end, shown in zip(falling, ends, told, strict=True)
        if shown != values[:end]
    ]


def test_curves_end_below_the_floor() -> None:
    assert wrong_ends() == []


@pytest.mark.parametrize("fault", [("slice(0, end + 1)", "slice(0, end)"), ("< floor", "<= floor")])
def test_wrong_ends_are_found(fault: tuple[str, str]) -> None:
    """PLANTED FAULTS: a point short, at the floor instead of below it."""
    assert wrong_ends(fault) != []
