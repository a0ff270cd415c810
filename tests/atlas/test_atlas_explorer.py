"""The atlas in the page: what it says of a function, and where its clicks lead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from support.explorers import choose, numbers, settle, shown, status_numbers

import dtviz as dt
from dtviz.atlas import Card, card
from dtviz.atlas.explorer import AtlasExplorer

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORST = "0x01ebeb01"


page = shown(lambda: AtlasExplorer(function=WORST))


def show(page: Page, text: str) -> None:
    page.locator("[name=formula]").fill(text)
    settle(page)


def formula(page: Page) -> str:
    return page.locator("[name=formula]").input_value()


def card_of(text: str) -> Card:
    return card(dt.BooleanFunction.from_text(text))


def luck(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best} {worst}"


@pytest.mark.parametrize("text", ["0x06f6f606", "x0 & (x1 | ~x2)", "1100"])
def test_the_card_says_what_the_package_finds(page: Page, text: str) -> None:
    show(page, text)
    of = card_of(text)
    rows = page.locator(".dtviz-numbers table tr").all()[1:4]
    averages = [f"{value:.4g}" for value in (of.average_depth, of.greedy_average_depth)]
    least = f"{of.n_leaves} {of.depth} {averages[0]} {of.rank}"
    greedy = f"{of.greedy_n_leaves} {of.greedy_depth} {averages[1]} {of.greedy_rank}"
    said = numbers(
        " ".join(cell for row in rows for cell in row.locator("th, td").all_inner_texts())
    )
    assert said == numbers(f"{least} {greedy} {luck(of.best, of.worst)}")
    moments = numbers(page.locator(".dtviz-function-facts").inner_text())
    assert [float(share) for share in moments[5::2]] == list(of.influences)
    assert moments[3] == f"{of.variance:.4g}"
    line = page.locator(".dtviz-class-line").inner_text()
    assert f"{of.class_size:,}" in numbers(line)
    first = page.locator("[name=representative]")
    code = card_of(first.inner_text()).code if first.is_visible() else of.code
    assert code == of.first
    known = numbers(f"{of.n_leaves} {luck(of.best, of.worst)} {of.rank}")
    assert status_numbers(page)[: len(known)] == known


def test_a_click_on_the_map_shows_a_function_that_is_there(page: Page) -> None:
    names = {"optimal": "n_leaves", "greedy_best": "best", "depth": "depth", "rank": "rank"}
    for chart in ("optimal|greedy_best", "depth|rank"):
        choose(page, chart=chart)
        cells = page.locator(".dtviz-place-cell")
        for k in np.random.default_rng(3).choice(cells.count(), 3, replace=False).tolist():
            text = str(cells.nth(k).get_attribute("aria-label"))
            cells.nth(k).dispatch_event("click")
            settle(page)
            of, said = card_of(formula(page)), re.search(r"(\d+), .*? (\d+): ", text)
            assert said is not None
            values = [getattr(of, names[name]) for name in chart.split("|")]
            assert [int(value) for value in said.groups()] == values
            framed = page.locator(".dtviz-place-room > .dtviz-key").last.inner_text()
            assert numbers(framed) == numbers(text)


def test_the_map_is_walked_by_keys(page: Page) -> None:
    """From the frame, one cell up and Enter: one leaf more for the greedy tree alone."""
    page.locator(".dtviz-place-cell[tabindex='0']").focus()
    before = card_of(WORST)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settle(page)
    after = card_of(formula(page))
    assert (after.n_leaves, after.best) == (before.n_leaves, before.best - 1)


def test_an_extreme_function_is_shown(page: Page) -> None:
    choose(page, extreme="optimal-most")
    show(page, "maj(x0, x1, x2, x3)")
    button = page.locator(".dtviz-extremes button").last
    text = button.inner_text()
    button.click()
    settle(page)
    assert formula(page) == text
    assert button.get_attribute("aria-current") == "true"
    assert card_of(text).n_leaves == 32


DRAWN_AT_ONCE = """
(text) => {
  const part = (name) => document.querySelector(name);
  const field = part("[name=formula]");
  const late = [part(".dtviz-tree"), part(".dtviz-place-room")].map((root) => {
    const seen = new MutationObserver(() => {});
    seen.observe(root, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  const before = part(".dtviz-numbers").textContent;
  field.value = text;
  field.dispatchEvent(new Event("input"));
  return {
    text: part(".dtviz-atlas").innerText,
    answered: part(".dtviz-numbers").textContent !== before,
    waiting: late.every((seen) => seen.takeRecords().length === 0),
  };
}
"""


def test_the_numbers_answer_at_once_and_pictures_a_frame_later(page: Page) -> None:
    before = page.locator(".dtviz-atlas").inner_text()
    at_once = page.evaluate(DRAWN_AT_ONCE, "0xdeadbeef")
    assert at_once["answered"]
    assert at_once["waiting"]
    settle(page)
    later = page.locator(".dtviz-atlas").inner_text()
    assert len({before, at_once["text"], later}) == 3
