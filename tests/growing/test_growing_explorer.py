"""The explorer of growing in a real browser, held against `dtviz.growing`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from support.explorers import (
    DEAF,
    MOVE,
    WIDTHS,
    Open,
    faulty,
    numbers,
    overhang,
    status,
    tops,
    undisturbed,
    write_page,
)

from dtviz import growing
from dtviz.growing.explorer import GAMMAS, POWERS, GrowingExplorer, growth_record
from dtviz.growing.votes import grow_votes

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

SETTINGS = ((0.2, 6.0), (0.1, 12.0), (0.3, 3.0), (0.04, 0.0))


@pytest.fixture(scope="session")
def growing_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with the default explorer."""
    return write_page(tmp_path_factory.mktemp("growing"), GrowingExplorer())


@pytest.fixture
def page(tab: Open, growing_page: str) -> Iterator[Page]:
    """The default explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(growing_page, reduced_motion=True))


def choose(page: Page, gamma: float, power: float) -> None:
    """Set both sliders by their values."""
    page.evaluate(MOVE, ["gamma", [GAMMAS.index(gamma)]])
    page.evaluate(MOVE, ["log_splits", [POWERS.index(power)]])


def raised(power: float) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in f"{power:g}")


def number(text: str) -> float:
    """A number as it is shown: 0.0014 or 2·10⁻⁵."""
    mantissa, _, exponent = text.partition("·10⁻")
    return float(mantissa) * 10.0 ** -("⁰¹²³⁴⁵⁶⁷⁸⁹".index(exponent) if exponent else 0)


def misread(result: str, gamma: float, power: float) -> list[str]:
    """Return the costs about which the status line is wrong."""
    edge, n_splits, *said = numbers(result)
    if (edge, n_splits) != (f"{gamma:.2f}", "10" + raised(power) if power else "1"):
        return [result]
    found = []
    for k, name in enumerate(("gini", "entropy", "sqrt")):
        value, bound = number(said[k]), number(said[3 + k])
        # Independent of the record: as deep as the states go, and the bound by its inverse.
        run = grow_votes(gamma, name, epsilon=1e-6, max_depth=46)
        cost = np.interp(10**power + 1, np.exp(run.log_leaves), run.costs)
        at = growing.cost_bound(np.log1p(10.0**power), gamma, name)
        if (
            value != pytest.approx(cost, rel=0.06, abs=1e-4)
            or bound != pytest.approx(min(float(at), 0.5), rel=0.06)
            or value > bound * 1.06
        ):
            found.append(f"{name}: {result}")
    return found


# --- the sliders tell the truth -------------------------------------------------------------------


def test_the_rates_are_those_of_growth_and_of_the_bounds(page: Page) -> None:
    for gamma, power in SETTINGS:
        choose(page, gamma, power)
        assert misread(status(page), gamma, power) == []


def test_a_broken_control_is_found(tab: Open, tmp_path: Path) -> None:
    """PLANTED FAULT: the handler of the sliders listens to an event that never comes."""
    page = tab(write_page(tmp_path, GrowingExplorer(), scripts=faulty(*DEAF))).page
    choose(page, 0.1, 12.0)
    assert misread(status(page), 0.1, 12.0) != []


def test_play_raises_the_splits_to_the_end(tab: Open, tmp_path: Path) -> None:
    start = GrowingExplorer(log_splits=11.5)
    page = tab(write_page(tmp_path, start)).page
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Play").wait_for()
    assert misread(status(page), 0.2, 12.0) == []


def test_no_leaf_of_the_record_reached_the_depth_it_was_cut_at() -> None:
    record = growth_record()
    for gamma in GAMMAS:
        for cost in ("gini", "entropy", "sqrt"):
            run = grow_votes(gamma, cost, epsilon=1e-6, max_depth=46)
            at = min(int(np.searchsorted(run.log_leaves, np.log(1e12 + 1))), len(run.depths) - 1)
            assert run.depths[at] < 46
    assert [len(record["curves"][0]["gini"]), len(record["curves"])] == [len(POWERS), len(GAMMAS)]


def test_the_chart_can_be_dragged(page: Page) -> None:
    box = page.locator(".dtviz-cover").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 40)
    assert misread(status(page), 0.2, 3.0) == []


def test_dots_stand_on_their_curves(page: Page) -> None:
    """Each of six dots is at a corner of its own path."""
    for gamma, power in SETTINGS[:2]:
        choose(page, gamma, power)
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
        assert len(off) >= 4
        assert max(off) < 0.1


CROWD = """() => {
  const seen = (mark) => mark.getAttribute("visibility") !== "hidden";
  const dots = [...document.querySelectorAll("circle.dtviz-dot")].filter(seen);
  const tags = [...document.querySelectorAll("text.dtviz-tag")].map((tag) => tag.textContent);
  return { dots: dots.length, tags };
}"""


@pytest.mark.parametrize(("gamma", "power"), [(0.3, 12.0), (0.3, 9.0), (0.04, 0.0), (0.2, 6.0)])
def test_what_left_the_scale_has_no_mark(page: Page, gamma: float, power: float) -> None:
    choose(page, gamma, power)
    assert misread(status(page), gamma, power) == []
    found = page.evaluate(CROWD)
    below = [tag for tag in found["tags"] if "↓" in tag]
    # What has left the scale has no mark, but its number, and words that say so.
    assert ("5·10⁻⁴" in numbers(status(page))[8:]) == bool(below)
    assert found["dots"] + len(below) == len(found["tags"]) == 6
    assert all(number(tag.split(" ")[-2]) < 0.0005 for tag in below)
    assert (len(below) > 0) == (gamma == 0.3)


# --- layout ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_and_nothing_is_cropped(tab: Open, growing_page: str, width: int) -> None:
    page = tab(growing_page, width=width, reduced_motion=True).page
    places = set()
    for gamma in GAMMAS:
        for power in POWERS[::6]:
            choose(page, gamma, power)
            places.add(tops(page, ".dtviz-status, .dtviz-canvas"))
            assert overhang(page, width) <= 0
    assert len(places) == 1
