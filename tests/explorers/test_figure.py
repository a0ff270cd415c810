"""Explorers as figures: the first screen, what is behind "More", what an author chooses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import traitlets
from support.explorers import Open, run_as_widget, write_page

import dtviz as dt
from dtviz.explorers.traits import HALF, OPEN_UNIT, Flag, Integer, Number, Text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

FIGURES = sorted(
    name for name in dt.__all__ if name.endswith("Explorer") and getattr(dt, name)._views
)
every_figure = pytest.mark.parametrize("name", FIGURES)
MOST_AT_FIRST = {"GrowingExplorer": 4, "ImpurityExplorer": 4, "ProductExplorer": 5}
"""Controls of the first screen besides those of the row that shares, if there are more than Play, a
slider and "More": there are two sliders, and in chapter 3 whose bias the first one moves."""
TWO_PICTURES = ("InfluenceExplorer", "PruningExplorer", "RankExplorer")
"""The smallest tree stands beside the greedy one; the errors are the point of a pruning."""

NAMES = """
kind => [...document.querySelectorAll(`[data-${kind}]`)].map(e => e.getAttribute(`data-${kind}`))
"""


def screen(tab: Open, folder: Path, width: int = 1440, height: int = 900, **traits: object) -> Page:
    explorer = getattr(dt, str(traits.pop("name", "InfluenceExplorer")))(**traits)
    address = write_page(folder, explorer, unfold=False)
    page: Page = tab(address, width=width, height=height, reduced_motion=True).page
    return page


@every_figure
@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_the_first_screen_is_a_picture_a_slider_and_a_sentence(
    tab: Open, tmp_path: Path, name: str, width: int
) -> None:
    page = screen(tab, tmp_path, width, name=name)
    controls = page.locator(
        ".dtviz-view :is(input, select, button, summary):not([data-view] *):visible"
    )
    assert 2 <= controls.count() <= MOST_AT_FIRST.get(name, 3)
    assert page.locator("input[type=range]:visible").count() == 1 + (name in MOST_AT_FIRST)
    pictures = 1 + (name in TWO_PICTURES)
    assert page.locator("[data-view]:visible").count() == pictures
    boxes = [
        page.locator(part).first.bounding_box()
        for part in ("[data-view]", "[data-control]", "[role=status]", "summary")
    ]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert len(tops) == 4
    most = 840 if pictures == 2 and width == 390 else 600
    assert tops[-1] - tops[0] <= most, "picture, slider and status are seen at once"
    status = page.get_by_role("status").inner_text()
    assert status[0].isupper()
    assert status.endswith(".")


@every_figure
def test_an_author_chooses_views_and_controls(tab: Open, tmp_path: Path, name: str) -> None:
    kind = getattr(dt, name)
    page = screen(tab, tmp_path, name=name)
    assert sorted(page.evaluate(NAMES, "view")) == sorted(kind._views)
    assert sorted(page.evaluate(NAMES, "control")) == sorted(kind._controls)
    views, controls = [kind._views[-1]], list(kind._controls[1::-1])
    page = screen(tab, tmp_path, name=name, views=views, controls=controls)
    assert page.evaluate(NAMES, "view") == views
    assert page.evaluate(NAMES, "control") == controls
    assert not page.locator("summary").first.is_visible(), "nothing is left to unfold"
    page.get_by_text("Python", exact=True).click()
    line = page.locator("textarea[readonly]").input_value().removeprefix("import dtviz as dt\n")
    assert line == f"dt.{name}(views={views!r}, controls={controls!r})"
    made = eval(line, {"dt": dt})  # noqa: S307
    assert (made.views, made.controls) == (views, controls)


def test_other_views_are_refused() -> None:
    for names in (["trees"], ["tree", "tree"]):
        rule = (
            "views must be None or different names among 'tree', 'beside', 'error', 'score', got "
        )
        with pytest.raises(traitlets.TraitError, match=re.escape(f"{rule}{names!r}")):
            dt.InfluenceExplorer(views=names)
    with pytest.raises(traitlets.TraitError, match="views"):
        dt.InfluenceExplorer(views=3)


def test_python_changes_what_is_shown(tab: Open, tmp_path: Path) -> None:
    page = screen(tab, tmp_path)
    use = """
      const first = ".dtviz-figure > .dtviz-pictures > *";
      const shown = () => [...el.querySelectorAll(first)].map((e) => e.dataset.view);
      const seen = [shown()];
      for (const views of [["error", "tree"], ["score"], null]) {
        model.set("views", views);
        seen.push(shown());
      }
      return { seen };
    """
    result = run_as_widget(page, dt.InfluenceExplorer(), use)
    assert result["seen"] == [["tree", "beside"], ["error", "tree"], ["score"], ["tree", "beside"]]
    assert result["left"] == 0


def test_more_unfolds_by_key_and_draws_what_it_holds(tab: Open, tmp_path: Path) -> None:
    page = screen(tab, tmp_path)
    more = page.locator("summary").first
    assert not page.locator("select[name=function]").is_visible()
    page.locator("input[name=epsilon]").focus()
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.localName") != "summary":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("select[name=function]").is_visible()
    curve = page.locator("[data-view=error] .dtviz-curve").first
    page.wait_for_function("e => e.getAttribute('d')", arg=curve.element_handle())
    more.press("Enter")
    assert not page.locator("select[name=function]").is_visible()


@pytest.mark.parametrize(
    ("settings", "opens"),
    [("epsilon=0.25", False), ("beside=nothing", True), ("step=3", True), ("", False)],
)
def test_a_link_unfolds_what_it_sets(
    tab: Open, tmp_path: Path, settings: str, *, opens: bool
) -> None:
    address = write_page(tmp_path, dt.InfluenceExplorer(), unfold=False)
    page = tab(f"{address}#?influence.{settings}" if settings else address).page
    page.locator("[role=status]").wait_for()
    assert page.locator("details.dtviz-more").evaluate("e => e.open") is opens


@pytest.mark.parametrize(("width", "height"), [(390, 700), (1440, 900)])
def test_pointing_at_a_node_moves_nothing(
    tab: Open, tmp_path: Path, width: int, height: int
) -> None:
    """What is said of it lies below the explorer, until a click holds it in sight."""
    large = {"step": 3, "function": "parity_multiplexer(3, 4)", "beside": "nothing"}
    page = screen(tab, tmp_path, width, height, **large)
    more, tip = page.locator("summary").first, page.locator(".dtviz-tip").first
    before = more.bounding_box()
    page.locator("[role=treeitem][data-state=leaf]").first.hover()
    assert tip.is_visible()
    top, end = (page.locator(part).first.bounding_box() for part in (".dtviz-dock", ".dtviz-share"))
    assert top is not None
    assert end is not None
    assert top["y"] >= end["y"] + end["height"], "it covers no control"
    assert more.bounding_box() == before
    page.locator("[role=treeitem][data-state=leaf]").first.click()
    seen = page.locator(".dtviz-dock").first.evaluate(
        "e => [e.scrollHeight - e.clientHeight, e.getBoundingClientRect().bottom <= innerHeight]"
    )
    assert seen == [0, True]
    assert (more.bounding_box() == before) is (width == 390)
    page.get_by_role("button", name="Close").click()
    assert not tip.is_visible()
    assert more.bounding_box() == before


@pytest.mark.parametrize("width", [390, 1440])
def test_what_is_held_closes_at_one_tap(tab: Open, tmp_path: Path, width: int) -> None:
    """On the same node again, by Escape; on a phone on its head or outside; the focus is back."""
    page = screen(tab, tmp_path, width, 900, step=3)
    leaf = page.locator("[role=treeitem][data-state=leaf]").first
    held = page.locator(".dtviz-dock[data-held=true]")
    ways: list[Callable[[], object]] = [leaf.click, lambda: page.keyboard.press("Escape")]
    if width == 390:
        ways += [page.locator(".dtviz-dock-title").click, page.locator(".dtviz-key").first.click]
    for close in ways:
        leaf.click()
        assert held.is_visible()
        close()
        assert held.is_hidden()
        assert leaf.evaluate("e => e === document.activeElement")


class Labeled(dt.GrowingExplorer):
    """An explorer with traits of which its front end knows nothing: one line each."""

    share = Number(0.25, within=HALF).tag(label="Part", step=0.05)
    tau = Number(0.5, within=OPEN_UNIT).tag(label="Weight", step=0.01)
    draws = Integer(1024, choices=(512, 1024, 2048)).tag(label="Draws")
    kind = Text("plain", choices=("plain", "odd")).tag(label="Kind")
    loud = Flag().tag(label="Loud")


def test_a_trait_with_a_label_has_its_control(tab: Open, tmp_path: Path) -> None:
    page = tab(write_page(tmp_path, Labeled(_explorer="growing")), reduced_motion=True).page
    own = ("share", "tau", "draws", "kind", "loud")
    assert Labeled._controls == ("cost_position", "log_splits", "gamma", *own)
    assert page.evaluate(NAMES, "control") == list(Labeled._controls)
    share, tau, draws = (page.get_by_label(name) for name in ("Part", "Weight", "Draws"))
    ends = [[each.get_attribute(end) for end in ("min", "max", "step")] for each in (share, tau)]
    assert ends == [["0", "0.5", "0.05"], ["0.01", "0.99", "0.01"]], "of an open range, inside"
    for slider, value in ((share, "0.30"), (tau, "0.51"), (draws, "2,048")):
        slider.press("ArrowRight")
        assert slider.get_attribute("aria-valuetext") == value
    page.get_by_label("Kind").select_option("odd")
    page.get_by_label("Loud").check()
    page.wait_for_url("**#?growing.share=0.3&growing.tau=0.51&*draws=2048&*kind=odd&*loud=true")
    again = tab(page.url, reduced_motion=True).page
    assert again.get_by_label("Kind").input_value() == "odd"
    assert again.get_by_label("Loud").is_checked()
