"""The atlas in the page: what it says of a function, and where its clicks lead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from support.explorers import Open, numbers, settle, status, status_numbers, undisturbed, write_page

import dtviz as dt
from dtviz.atlas import Card, card
from dtviz.atlas.explorer import CHARTS, AtlasExplorer

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORST = "0x01ebeb01"
FUNCTIONS = (
    WORST,
    "0x06f6f606",
    "x0 & (x1 | ~x2)",
    "maj(x0, x1, x2, x3, x4)",
    "0x96",
    "01",
    "1100",
)


def read(text: str) -> dt.BooleanFunction:
    return dt.BooleanFunction.from_text(text)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_page(tmp_path_factory.mktemp("atlas"), AtlasExplorer(function=WORST))


@pytest.fixture
def page(tab: Open, address: str) -> Iterator[Page]:
    yield from undisturbed(tab(address, reduced_motion=True))


def show(page: Page, text: str) -> None:
    page.locator("[name=formula]").fill(text)
    settle(page)


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"select[name={name}]").select_option(value)
    settle(page)


def formula(page: Page) -> str:
    return page.locator("[name=formula]").input_value()


def rows(page: Page, table: str) -> list[list[str]]:
    found: list[list[str]] = page.locator(table).evaluate(
        "table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent.trim()))"
    )
    return found


def luck(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best} {worst}"


def short(value: float) -> str:
    return f"{value:.4g}"


def card_numbers(of: Card) -> list[str]:
    """The numbers in the rows of the card that the package can fill."""
    least = f"{of.n_leaves} {of.depth} {short(of.average_depth)} {of.rank}"
    average = short(of.greedy_average_depth)
    greedy = f"{of.greedy_n_leaves} {of.greedy_depth} {average} {of.greedy_rank}"
    return numbers(f"{least} {greedy} {luck(of.best, of.worst)}")


def misread(page: Page, text: str) -> list[str]:
    """What the card says wrong about a function."""
    show(page, text)
    of = card(read(text))
    found = []
    cells = " ".join(cell for row in rows(page, ".dtviz-numbers table")[1:4] for cell in row)
    if numbers(cells) != card_numbers(of):
        found.append(f"{text}: numbers {cells}")
    moments = numbers(page.locator(".dtviz-function-facts").inner_text())
    if [float(share) for share in moments[5::2]] != list(of.influences):
        found.append(f"{text}: influences {moments}")
    if moments[3] != short(of.variance):
        found.append(f"{text}: {moments}")
    line = page.locator(".dtviz-class-line").inner_text()
    if f"{of.class_size:,}" not in numbers(line):
        found.append(f"{text}: {line}")
    first = page.locator("[name=representative]")
    if first.is_visible():
        if read(first.inner_text()).code != of.first:
            found.append(f"{text}: first is {first.inner_text()}")
    elif of.first != of.code:
        found.append(f"{text}: it is not said which is first")
    known = numbers(f"{of.n_leaves} {luck(of.best, of.worst)} {of.rank}")
    if status_numbers(page)[: len(known)] != known:
        found.append(f"{text}: {status(page)}")
    return found


def test_the_card_says_what_the_package_finds(page: Page) -> None:
    assert [wrong for text in FUNCTIONS for wrong in misread(page, text)] == []


def values(chart: str, of: Card) -> list[int]:
    known = {"optimal": of.n_leaves, "rank": of.rank, "depth": of.depth}
    known |= {"greedy_best": of.best, "greedy_worst": of.worst}
    return [known[name] for name in chart.split("|")]


def values_in(text: str) -> list[int]:
    found = re.search(r"(\d+), .*? (\d+): ", text)
    assert found is not None, text
    return [int(found[1]), int(found[2])]


@pytest.mark.parametrize("chart", [name for name in CHARTS if "gini" not in name])
def test_a_click_on_the_map_shows_a_function_that_is_there(page: Page, chart: str) -> None:
    choose(page, "chart", chart)
    cells = page.locator(".dtviz-place-cell")
    rng = np.random.default_rng(3)
    for k in rng.choice(cells.count(), 4, replace=False).tolist():
        text = cells.nth(k).get_attribute("aria-label")
        assert text is not None
        cells.nth(k).dispatch_event("click")
        settle(page)
        assert values(chart, card(read(formula(page)))) == values_in(text)
        framed = page.locator(".dtviz-place-room > .dtviz-key").last.inner_text()
        assert numbers(framed) == numbers(text)


def test_the_map_is_walked_by_keys(page: Page) -> None:
    """From the frame, one cell up and Enter: one leaf more for the greedy tree alone."""
    page.locator(".dtviz-place-cell[tabindex='0']").focus()
    before = card(read(WORST))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settle(page)
    after = card(read(formula(page)))
    assert (after.n_leaves, after.best) == (before.n_leaves, before.best - 1)


def test_an_extreme_function_is_shown(page: Page) -> None:
    choose(page, "extreme", "optimal-most")
    show(page, "maj(x0, x1, x2, x3)")
    for button in page.locator(".dtviz-extremes button").all()[:3]:
        text = button.inner_text()
        button.click()
        settle(page)
        assert formula(page) == text
        assert button.get_attribute("aria-current") == "true"
        assert card(read(text)).n_leaves == 32


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
