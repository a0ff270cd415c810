"""The explorer of growing in a real browser, held against `dtviz.growing`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from support.explorers import MOVE, Open, numbers, status, undisturbed, write_page

from dtviz import growing
from dtviz.core.cart.beta_costs import BetaCost, cost_at
from dtviz.growing.explorer import GAMMAS, MAX_VOTES, POWERS, GrowingExplorer
from dtviz.growing.votes import grow_votes

if TYPE_CHECKING:
    from playwright.sync_api import Page

SETTINGS = ((0.2, 2, 6.0), (0.1, 1, 12.0), (0.3, 0, 3.0), (0.04, 2.6, 0.0), (0.2, 3, 9.0))


@pytest.fixture(scope="session")
def growing_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with the default explorer."""
    return write_page(tmp_path_factory.mktemp("growing"), GrowingExplorer())


@pytest.fixture
def page(tab: Open, growing_page: str) -> Iterator[Page]:
    """The default explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(growing_page, reduced_motion=True))


def choose(page: Page, gamma: float, position: float, power: float) -> None:
    """Set the sliders by their values."""
    page.evaluate(MOVE, ["gamma", [GAMMAS.index(gamma)]])
    page.evaluate(MOVE, ["cost_position", [position]])
    page.evaluate(MOVE, ["log_splits", [POWERS.index(power)]])


def raised(power: float) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in f"{power:g}")


def number(text: str) -> float:
    """A number as it is shown: 0.0014 or 2·10⁻⁵."""
    mantissa, _, exponent = text.partition("·10⁻")
    return float(mantissa) * 10.0 ** -("⁰¹²³⁴⁵⁶⁷⁸⁹".index(exponent) if exponent else 0)


def misread(result: str, gamma: float, position: float, power: float) -> list[str]:
    """Return the status line if it is wrong."""
    criterion = cost_at(position)
    between = isinstance(criterion, BetaCost)
    edge, n_splits, reached, *more = numbers(result)
    right = (edge, n_splits) == (f"{gamma:.2f}", "10" + raised(power) if power else "1")
    # Independent of the record: the bound by its formula.
    run = grow_votes(gamma, criterion, epsilon=1e-6, max_depth=120)
    cost = np.interp(10**power + 1, np.exp(run.log_leaves), run.costs)
    right &= number(reached) == pytest.approx(cost, rel=0.06, abs=1e-4)
    right &= (" by " in result) == (not between)
    if criterion.name in growing.bounds.BOUNDED:
        at = growing.cost_bound(np.log1p(10.0**power), gamma, criterion.name)
        right &= number(more[0]) == pytest.approx(min(float(at), 0.5), rel=0.06)
    else:
        right &= "nothing is guaranteed" in result
    right &= ("stuck" in result) == (criterion.name == "error")
    return [] if right else [result]


def test_the_rates_are_those_of_growth_and_of_the_bounds(page: Page) -> None:
    for setting in SETTINGS:
        choose(page, *setting)
        assert misread(status(page), *setting) == []


def test_no_leaf_of_a_named_cost_reached_the_depth_it_was_cut_at() -> None:
    for gamma in GAMMAS[::5]:
        for cost in ("gini", "entropy", "sqrt"):
            run = grow_votes(gamma, cost, epsilon=1e-6, max_depth=60)
            at = min(int(np.searchsorted(run.log_leaves, np.log(1e12 + 1))), len(run.depths) - 1)
            assert run.depths[at] < 60 < MAX_VOTES


def test_the_chart_can_be_dragged(page: Page) -> None:
    box = page.locator(".dtviz-cover").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 40)
    assert misread(status(page), 0.2, 2, 3.0) == []


def test_dots_stand_on_their_curves(page: Page) -> None:
    """Each of four dots is at a corner of its own path."""
    for setting in SETTINGS[:2]:
        choose(page, *setting)
        off = page.evaluate("""() => {
          const dots = [...document.querySelectorAll("circle.dtviz-dot")];
          const seen = dots.filter((dot) => dot.getAttribute("visibility") !== "hidden");
          return seen.map((dot) => {
            const key = dot.classList[1];
            const path = document.querySelector(`path.dtviz-curve.${key}`).getAttribute("d");
            const corners = path.slice(1).split(/[ML]/).map((c) => c.split(" ").map(Number));
            const [x, y] = ["cx", "cy"].map((name) => Number(dot.getAttribute(name)));
            return Math.min(...corners.map(([a, b]) => Math.hypot(a - x, b - y)));
          });
        }""")
        assert len(off) == 4
        assert max(off) < 0.1


CROWD = """() => {
  const seen = (mark) => mark.getAttribute("visibility") !== "hidden";
  const dots = [...document.querySelectorAll("circle.dtviz-dot")].filter(seen);
  const tags = [...document.querySelectorAll("text.dtviz-tag")].map((tag) => tag.textContent);
  return { dots: dots.length, tags };
}"""


@pytest.mark.parametrize(("gamma", "power"), [(0.3, 12.0), (0.3, 9.0), (0.04, 0.0), (0.2, 6.0)])
def test_what_left_the_scale_has_no_mark(page: Page, gamma: float, power: float) -> None:
    choose(page, gamma, 1, power)
    assert misread(status(page), gamma, 1, power) == []
    found = page.evaluate(CROWD)
    below = [tag for tag in found["tags"] if "↓" in tag]
    # What has left the scale has no mark, but its number, and words that say so.
    assert ("below the scale, which ends at 5·10⁻⁴" in status(page)) == bool(below)
    assert found["dots"] + len(below) == len(found["tags"]) == 4
    assert all(number(tag.split(" ")[-2]) < 0.0005 for tag in below)
    assert (len(below) > 0) == (gamma == 0.3)
