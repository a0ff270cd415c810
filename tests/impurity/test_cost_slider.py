"""The slider of the cost: its stops, what is between, where there is nothing between, old links."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import traitlets
from support.explorers import Open, choose, status, write_page
from support.node import evaluate

import dtviz as dt
from dtviz.core.cart.beta_costs import STOPS, BetaCost
from dtviz.explorers.base import STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Page

SNAPPED = "(moves) => moves.map((move) => snapped(...move))"
MOVES = (
    ((1.03, 1.2, False), 1),
    ((1.96, 2, False), 1.96),
    ((1.97, 2, False), 2),
    ((2.005, 2, True), 2.04),
    ((0.995, 1, True), 0.96),
    ((2.035, 2.04, True), 2),
    ((0.01, 0, False), 0.01),
    ((2.995, 2.9, False), 2.995),
    ((1.5, 1.4, True), 1.5),
)


def test_named_costs_snap_and_keys_leave_them() -> None:
    found = evaluate([STATIC / "controls/costs.js"], SNAPPED, [move for move, _ in MOVES])
    assert found == pytest.approx([value for _, value in MOVES])


def test_the_name_of_a_cost_is_a_position() -> None:
    explorer = dt.ImpurityExplorer(cost="error")
    assert explorer.cost_position == 3
    for position, explorer.cost in enumerate(STOPS):
        assert explorer.cost_position == position
    explorer.cost_position = 1.5
    assert explorer.cost == BetaCost(1 / (1 - 0.25) - 1)
    assert explorer.path().n_splits == 0 or explorer.path().cost_name == "beta(0.3333)"
    for wrong in ("Gini", "squared", 1):
        with pytest.raises(traitlets.TraitError, match="cost must be one of error, gini, ent"):
            explorer.cost = wrong
    line = dt.ImpurityExplorer(cost="sqrt")._call
    assert line["defaults"]["cost_position"] == 2
    with pytest.raises(traitlets.TraitError, match="cost and cost_position say the same"):
        dt.ImpurityExplorer(cost="gini", cost_position=2.0)


IN_FORCE = "(state) => planeState({ get: (name) => state[name] }).now().cost"


def test_with_three_classes_the_nearest_named_cost_is_taken() -> None:
    explorer = dt.ImpurityExplorer(view="plane", data="iris", cost_position=1.5)
    page = [Path(dt.__file__).parent / "impurity/state.js"]
    for name, cost in (("iris", "gini"), ("titanic", 1.5)):
        assert evaluate(page, IN_FORCE, explorer._state() | {"data": name}) == cost
    assert explorer.cost == explorer.path().cost_name == "gini"
    explorer.cost_position = 1.49
    assert explorer.cost == "entropy"
    explorer.data = "titanic"
    assert isinstance(explorer.cost, BetaCost)


def slider(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.locator("input[name=cost_position]").evaluate(
        "({ value, step, ariaValueText }) => ({ value, step, text: ariaValueText })"
    )
    return found


def test_a_page_follows_the_slider(tab: Open, tmp_path: Path) -> None:
    explorer = dt.ImpurityExplorer(view="plane", data="tumor size", leaves=1)
    page = tab(write_page(tmp_path, explorer)).page
    cut = page.locator(".dtviz-next-cut")
    seen = set()
    for position in (0.3, 0.8, 0.95, 1.5, 2.995):
        choose(page, cost_position=position)
        seen.add(cut.evaluate("(line) => `${line.getAttribute('x1')} ${line.getAttribute('y1')}`"))
        explorer.cost_position = position
        before, after = explorer.path().costs[:2]
        assert f"from {before:.3f} to {after:.3f}" in status(page)
    assert len(seen) == 4
    assert slider(page) == {
        "value": "2.995",
        "step": "0.005",
        "text": "between gini and error, a = 399",
    }
    choose(page, data="iris")
    assert slider(page) == {"value": "3", "step": "1", "text": "error"}


def test_the_status_says_why_no_split_gains(tab: Open, tmp_path: Path) -> None:
    points = [[k, 0, int(k in {40, 60})] for k in range(100)]
    explorer = dt.ImpurityExplorer(view="plane", data="yours", points=points, leaves=2)
    page = tab(write_page(tmp_path, explorer)).page
    for position, why in ((2.9, "so far from 1/2 the cost with a = 19 is straight"), (3, "every")):
        choose(page, cost_position=position)
        assert f"the next split gains nothing: {why}" in status(page)
