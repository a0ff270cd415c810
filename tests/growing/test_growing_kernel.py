"""The kernel of growing, run by Node, held against `dtviz.growing`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.node import evaluate

import dtviz
from dtviz.growing import cost_bound, grow_votes
from dtviz.growing.explorer import GAMMAS, POWERS, growth_record

KERNEL = [Path(dtviz.__file__).parent / "growing" / "kernel.js"]
RATES = """
({ record, points }) => ({
  keys: curveKeys(record),
  found: points.map(([gamma, power]) => growthAt(record, gamma, power)),
})
"""
PLACES = """
({ values, floor, ceiling, falling, shares, length }) => ({
  heights: values.map((value) => logShare(value, floor, ceiling)),
  shown: falling.map((values) => downTo(values, floor)),
  places: shares.map((share) => gridPlace(share, length)),
})
"""


def points() -> list[tuple[float, float]]:
    """Forty points of the grid, and its corners."""
    rng = np.random.default_rng(0)
    drawn = zip(rng.choice(GAMMAS, 40).tolist(), rng.choice(POWERS, 40).tolist(), strict=True)
    return [*drawn, *((gamma, power) for gamma in GAMMAS[::13] for power in POWERS[::48])]


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
            run = grow_votes(gamma, rate["cost"], epsilon=1e-6, max_depth=46)
            cost = np.interp(10**power + 1, np.exp(run.log_leaves), run.costs)
            bound = min(float(cost_bound(np.log1p(10.0**power), gamma, rate["cost"])), 0.5)
            if (rate["reached"], rate["bound"]) != pytest.approx((cost, bound), rel=6e-4):
                wrong.append(f"{gamma}, {power}, {rate}: not {cost}, {bound}")
    return wrong


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


def wrong_places(fault: tuple[str, str] | None = None) -> list[str]:
    """Return where values, curves and shares are put wrongly."""
    rng = np.random.default_rng(1)
    floor, ceiling, length = 0.0005, 0.5, 49
    values = [floor, ceiling, floor / 7, *np.exp(rng.uniform(-9, -0.7, 30))]
    falling = [sorted(np.exp(rng.uniform(-10, -0.7, 12)), reverse=True) for _ in range(30)]
    shares = [-0.3, 0.0, 1.0, 1.2, *rng.uniform(0, 1, 30)]
    given: dict[str, Any] = {"values": values, "floor": floor, "ceiling": ceiling}
    given |= {"falling": falling, "shares": shares, "length": length}
    told = evaluate(KERNEL, PLACES, given, fault=fault)
    heights = np.interp(np.log10(values), np.log10([floor, ceiling]), [0, 1])
    wrong = [] if told["heights"] == pytest.approx(heights.tolist(), abs=1e-12) else ["heights"]
    for values, shown in zip(falling, told["shown"], strict=True):
        above = sum(value >= floor for value in values)
        if shown != values[: above + 1]:
            wrong.append(f"{values} shown as {shown}")
    # The nearest of equally spaced places.
    nearest = [int(np.abs(np.linspace(0, 1, length) - share).argmin()) for share in shares]
    return wrong if told["places"] == nearest else [*wrong, "places"]


def test_values_curves_and_shares_are_put_in_their_places() -> None:
    assert wrong_places() == []


@pytest.mark.parametrize(
    "fault",
    [
        ("Math.max(value, floor) / floor", "value / floor"),
        ("slice(0, end + 1)", "slice(0, end)"),
        ("share * (length - 1)", "share * length"),
    ],
)
def test_wrong_places_are_found(fault: tuple[str, str]) -> None:
    """PLANTED FAULTS: below the floor, a point short, a place too many."""
    assert wrong_places(fault) != []
