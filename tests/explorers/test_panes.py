"""Explorers on a narrow screen: controls that stay in sight, and tabs that choose a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.explorers import Open, status, write_page
from support.node import bundle, evaluate

from dtviz.explorers.base import STATIC, style_sheet
from dtviz.product.explorer import ProductExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

WIDTH, HEIGHT = 360, 740
HEADER = 56
"""Pixels of a phone, and of the book's header above."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_page(tmp_path_factory.mktemp("panes"), ProductExplorer(epsilon=0.05))


def phone(tab: Open, address: str) -> Page:
    page: Page = tab(address, width=WIDTH, height=HEIGHT, reduced_motion=True).page
    return page


def test_keys_lead_from_tab_to_tab() -> None:
    cases = [
        ["ArrowRight", 0, 3],
        ["ArrowRight", 2, 3],
        ["ArrowLeft", 0, 3],
        ["Home", 2, 3],
        ["End", 0, 3],
        ["ArrowDown", 1, 3],
        ["Enter", 1, 3],
    ]
    result = evaluate([STATIC / "panes.js"], "(all) => all.map((one) => tabAfter(...one))", cases)
    assert result == [1, 0, 2, 0, 2, -1, -1]


@pytest.mark.parametrize("view", ["exact", "bounds", "race"])
def test_the_slider_and_its_picture_share_a_screen(tab: Open, address: str, view: str) -> None:
    page = phone(tab, address)
    page.locator("select[name=view]").select_option(view)
    head = page.locator(".dtviz-sticky")
    box = head.bounding_box()
    assert box is not None
    assert box["height"] <= 0.4 * HEIGHT
    for one in page.locator("[role=tab]:visible").all():
        one.click()
        front = page.locator(".dtviz-pane[data-front=true]")
        picture = front.locator("svg, .dtviz-bias-rows, .dtviz-sizes").first
        # As a reader scrolls: the picture begins just below the controls.
        top, seen = head.bounding_box(), front.bounding_box()
        assert top is not None
        assert seen is not None
        page.evaluate("by => scrollBy(0, by)", seen["y"] - top["height"])
        top, seen = head.bounding_box(), picture.bounding_box()
        assert top is not None
        assert seen is not None
        assert seen["y"] >= top["y"] + top["height"] - 1
        assert seen["y"] + seen["height"] <= HEIGHT - HEADER
        assert page.locator("input[name=bias]").is_visible()


def test_tabs_choose_a_picture_and_move_nothing(tab: Open, address: str) -> None:
    page = phone(tab, address)
    tabs = page.get_by_role("tab")
    names = [one.inner_text() for one in tabs.all() if one.is_visible()]
    assert names == ["Tree", "Biases", "Root", "Error"]
    ends = set()
    for name in names:
        one = page.get_by_role("tab", name=name)
        one.click()
        box = one.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        assert one.get_attribute("aria-selected") == "true"
        panel = page.get_by_role("tabpanel")
        assert panel.count() == 1
        assert panel.get_attribute("aria-labelledby") == one.get_attribute("id")
        assert panel.get_attribute("id") == one.get_attribute("aria-controls")
        ends.add(page.evaluate("document.documentElement.scrollHeight"))
        # What a picture shows follows the controls though another one is in front.
        page.locator("input[name=epsilon]").fill("0.1")
    assert len(ends) == 1
    assert "epsilon 0.10" in status(page)
    page.keyboard.press("Tab")
    page.get_by_role("tab", name="Error").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tabpanel").get_by_role("tree").count() >= 1
    assert page.evaluate("document.activeElement.textContent") == "Tree"
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.textContent") == "Error"


def test_one_slider_moves_any_bias(tab: Open, address: str) -> None:
    page = phone(tab, address)
    page.get_by_label("Whose bias the slider moves").select_option("x2")
    page.locator("input[name=bias]").fill("0.8")
    assert "p = (0.30, 0.30, 0.80, 0.30, 0.30, 0.30)" in status(page)
    page.set_viewport_size({"width": 1100, "height": HEIGHT})
    page.locator("[data-width=wide]").first.wait_for()
    page.locator("input[name=bias]").fill("0.6")
    assert "p = 0.60," in status(page)


def test_a_wide_screen_shows_all_at_once(tab: Open, address: str) -> None:
    page = tab(address, width=1100, reduced_motion=True).page
    assert page.get_by_role("tab").count() == 0
    assert page.get_by_role("tabpanel").count() == 0
    assert page.locator(".dtviz-pane:visible").count() == 4


def test_all_is_printed(tab: Open, address: str) -> None:
    page = phone(tab, address)
    page.emulate_media(media="print")
    assert page.locator(".dtviz-pane:visible").count() == 4
    assert page.get_by_role("tab").count() == 0


PARTS = """
export { html } from "./explorers/static/kit.js";
export { panesView } from "./explorers/static/panes.js";
"""
FOLDING = """
() => {
  const more = html("div", {}, html("button", { type: "button", name: "rare" }, "Rare"));
  const controls = html("div", { class: "dtviz-controls" }, html("input", { name: "often" }), more);
  const [one, two] = ["one", "two"].map((text) => html("div", {}, text));
  const pictures = html("div", { class: "dtviz-pictures" }, one, two);
  const tabs = [{ label: "One", root: one }, { label: "Two", root: two }];
  const panes = panesView({ panes: tabs, head: [controls], more });
  const view = html("div", { class: "dtviz-view", "data-width": "narrow" }, panes.head, pictures);
  document.body.replaceChildren(html("div", { class: "dtviz-explorer" }, view));
  panes.resize("narrow");
}
"""


def test_controls_less_used_are_folded_away(tab: Open, tmp_path: Path) -> None:
    path = tmp_path / "fold.html"
    path.write_text(
        f"<!DOCTYPE html><style>{style_sheet()}</style><body><script>"
        f"{bundle(PARTS)}const {{ html, panesView }} = lab;({FOLDING})();</script>",
        encoding="utf-8",
    )
    page = tab(path.as_uri(), width=WIDTH, height=HEIGHT).page
    rare, more = page.locator("[name=rare]"), page.get_by_role("button", name="More")
    ends = "document.documentElement.scrollHeight"
    before = page.evaluate(ends)
    assert not rare.is_visible()
    more.press("Enter")
    assert rare.is_visible()
    assert more.get_attribute("aria-expanded") == "true"
    assert page.evaluate(ends) >= before
    rare.focus()
    page.keyboard.press("Escape")
    assert not rare.is_visible()
    assert page.evaluate("document.activeElement.textContent") == "More"
    # A hidden picture has no tab.
    assert page.get_by_role("tab").count() == 2
