"""The explorer of growing in a real browser, held against `dtviz.growing`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from support.explorers import choose, press_along, shown, status, status_numbers

from dtviz import growing
from dtviz.core.cart.beta_costs import BetaCost, cost_at
from dtviz.growing.explorer import GAMMAS, MAX_VOTES, POWERS, GrowingExplorer
from dtviz.growing.votes import grow_votes

if TYPE_CHECKING:
    from playwright.sync_api import Page

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


page = shown(GrowingExplorer)


def number(text: str) -> float:
    """A number as it is shown: 0.0014 or 2·10⁻⁵."""
    mantissa, _, exponent = text.partition("·10⁻")
    return float(mantissa) * 10.0 ** -("⁰¹²³⁴⁵⁶⁷⁸⁹".index(exponent) if exponent else 0)


def check_status(page: Page, gamma: float, position: float, power: float) -> None:
    """Check the status line, independently of the record: the bound by its formula."""
    said, criterion = status(page), cost_at(position)
    edge, n_splits, reached, *more = status_numbers(page)
    splits = "10" + f"{power:g}".translate(RAISED) if power else "1"
    assert (edge, n_splits) == (f"{gamma:.2f}", splits)
    run = grow_votes(gamma, criterion, epsilon=1e-6, max_depth=MAX_VOTES)
    cost = np.interp(10**power + 1, np.exp(run.log_leaves), run.costs)
    assert number(reached) == pytest.approx(cost, rel=0.06, abs=1e-4)
    assert (" by " in said) == (not isinstance(criterion, BetaCost))
    if criterion.name in growing.bounds.BOUNDED:
        at = growing.cost_bound(np.log1p(10.0**power), gamma, criterion.name)
        assert number(more[0]) == pytest.approx(min(float(at), 0.5), rel=0.06)
    else:
        assert "nothing is guaranteed" in said
    assert ("stuck" in said) == (criterion.name == "error")


DRAWN = """() => {
  const dots = [...document.querySelectorAll("circle.dtviz-dot")];
  const seen = dots.filter((dot) => dot.getAttribute("visibility") !== "hidden");
  return {
    off: seen.map((dot) => {
      const path = document.querySelector(`path.dtviz-curve.${dot.classList[1]}`).getAttribute("d");
      const corners = path.slice(1).split(/[ML]/).map((c) => c.split(" ").map(Number));
      const [x, y] = ["cx", "cy"].map((name) => Number(dot.getAttribute(name)));
      return Math.min(...corners.map(([a, b]) => Math.hypot(a - x, b - y)));
    }),
    tags: [...document.querySelectorAll("text.dtviz-tag")].map((tag) => tag.textContent),
  };
}"""


def test_the_rates_are_those_of_growth_and_of_the_bounds(page: Page) -> None:
    """Each dot is at a corner of its curve; what has left the scale has but a number and words."""
    for setting in ((0.2, 2, 6.0), (0.1, 1, 12.0), (0.3, 1, 12.0), (0.3, 0, 3.0), (0.04, 2.6, 0.0)):
        gamma, position, power = setting
        choose(page, gamma=GAMMAS.index(gamma), cost_position=position)
        choose(page, log_splits=POWERS.index(power))
        check_status(page, *setting)
        found = page.evaluate(DRAWN)
        below = [tag for tag in found["tags"] if "↓" in tag]
        assert ("below the scale, which ends at 5·10⁻⁴" in status(page)) == bool(below)
        assert len(found["off"]) + len(below) == len(found["tags"])
        assert max(found["off"]) < 0.1
        assert all(number(tag.split(" ")[-2]) < 0.0005 for tag in below)
        assert bool(below) == (power == 12 and gamma == 0.3)


def test_no_leaf_of_a_named_cost_reached_the_depth_it_was_cut_at() -> None:
    for gamma in GAMMAS[::5]:
        for cost in ("gini", "entropy", "sqrt"):
            run = grow_votes(gamma, cost, epsilon=1e-6, max_depth=60)
            at = min(int(np.searchsorted(run.log_leaves, np.log(1e12 + 1))), len(run.depths) - 1)
            assert run.depths[at] < 60 < MAX_VOTES


def test_the_chart_can_be_dragged(page: Page) -> None:
    press_along(page.locator(".dtviz-cover"), 0.25)
    check_status(page, 0.2, 2, 3.0)
