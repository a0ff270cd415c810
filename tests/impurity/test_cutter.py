"""Cuts that a reader makes in the plane by mouse, finger and keys, held against Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import Open, settle, status, status_numbers, write_page

import dtviz as dt
from dtviz.explorers.planes import named_plane

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

PLANE = named_plane("breast cancer")
GREEDY = dt.grow(PLANE.X, PLANE.y, "gini", 32)
FIRST = GREEDY.split_threshold[0]
LOW, HIGH = PLANE.X.min(axis=0), PLANE.X.max(axis=0)
MIDDLE = HIGH[1] / 2


def opened(
    tab: Open, folder: Path, leaves: int, splits: list[list[float]] | None = None, **look: Any
) -> Page:
    data = {"data": "breast cancer", "splits": splits}
    explorer = dt.ImpurityExplorer(view="plane", leaves=leaves, **data)
    seen = tab(write_page(folder, explorer, unfold=False), reduced_motion=True, **look)
    seen.page.locator("svg .dtviz-points").first.wait_for(state="attached")
    return seen.page


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the data is in the window."""
    frame = page.locator(".dtviz-plane .dtviz-region").first.bounding_box()
    assert frame is not None
    u, v = (np.array([x, y]) - LOW + 0.04 * (HIGH - LOW)) / (1.08 * (HIGH - LOW))
    return frame["x"] + u * frame["width"], frame["y"] + (1 - v) * frame["height"]


def cut(page: Page) -> tuple[int, float, list[str]]:
    """The feature and threshold of the cut that is held, and the numbers said of it."""
    text = str(page.get_by_role("slider", name="Cut of the plane").get_attribute("aria-valuetext"))
    found = re.fullmatch(r"(.*) ≤ ([\d.]+): this cut gains (.*), the best ([^.]*\.?\d*)\. .*", text)
    assert found is not None, text
    return PLANE.features.index(found[1]), float(found[2]), [found[3], found[4]]


def grows_on(page: Page, leaves: int, splits: list[list[float]]) -> bool:
    """Whether the status says the tree of these splits, the greedy one, and the cut's gains."""
    own = dt.ImpurityExplorer(view="plane", data="breast cancer", leaves=leaves, splits=splits)
    errors = (own.tree().predict(PLANE.X) != PLANE.y).mean(), GREEDY.errors[leaves - 1]
    return status_numbers(page) == [str(leaves), *(f"{one:.3f}" for one in errors), *cut(page)[2]]


def back(page: Page) -> Any:
    return page.get_by_role("button", name="Back to greedy")


def wait_for_leaves(page: Page, leaves: int) -> None:
    said = f"document.querySelector('[role=status]').textContent.includes('{leaves} leaves')"
    page.wait_for_function(said)


def test_a_line_is_dragged_and_the_tree_grows_on(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, 5)
    before = status(page)
    page.mouse.move(*place(page, FIRST, HIGH[1]))
    assert page.locator(".dtviz-plane .dtviz-stage").get_attribute("data-cut") == "x"
    page.mouse.down()
    errors = []
    for x in np.linspace(FIRST + 1, FIRST + 5, 9):
        page.mouse.move(*place(page, x, HIGH[1]))
        feature, threshold, gains = cut(page)
        assert (feature, threshold) == (0, pytest.approx(x, abs=0.2))
        assert float(gains[0]) < float(gains[1]) == pytest.approx(GREEDY.scores[0], abs=5.1e-4)
        assert grows_on(page, 5, [[0, 0, threshold]])
        errors.append(float(status_numbers(page)[1]))
    page.mouse.up()
    # A first cut that gains less may make the better tree.
    assert min(errors) < GREEDY.errors[4] - 1e-3
    page.keyboard.press("Escape")
    assert cut(page)[1] == pytest.approx(FIRST, rel=1e-3)
    page.keyboard.press("Enter")
    assert status(page) == before
    assert back(page).is_hidden()


def test_a_press_in_a_box_cuts_it_and_a_click_does_not(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, 1)
    page.mouse.move(*place(page, FIRST + 6, MIDDLE))
    page.mouse.down()
    page.mouse.move(*place(page, FIRST + 3, MIDDLE), steps=3)
    assert grows_on(page, 2, [[0, 0, cut(page)[1]]])
    # Beside the best cut it is the best.
    page.mouse.move(*place(page, FIRST + 0.1, MIDDLE), steps=3)
    assert len(set(cut(page)[2])) == 1
    # Motion far across the axis turns the cut, and a key does.
    x, y = place(page, FIRST, MIDDLE)
    page.mouse.move(x, y - 60, steps=6)
    assert cut(page)[0] == 1
    page.keyboard.press("t")
    assert cut(page)[0] == 0
    page.mouse.move(x + 20, y - 60)
    page.mouse.up()
    assert page.locator(".dtviz-tip:not([hidden])").count() == 0
    back(page).click()
    assert status_numbers(page)[:2] == ["2", f"{GREEDY.errors[1]:.3f}"]
    page.mouse.click(*place(page, HIGH[0], MIDDLE))
    assert page.locator(".dtviz-candidates").is_visible()
    assert status_numbers(page)[0] == "2"
    # A press that is held cuts, too.
    page.mouse.move(*place(page, HIGH[0] - 2, MIDDLE))
    page.mouse.down()
    wait_for_leaves(page, 3)
    page.mouse.up()
    assert back(page).is_visible()


def test_a_finger_cuts_and_still_scrolls(visit: Open, tmp_path: Path) -> None:
    page = opened(visit, tmp_path, 2, width=390, height=500, touch=True)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(x: float, y: float, dx: float, dy: float) -> None:
        touch("touchStart", (x, y))
        for k in range(1, 5):
            touch("touchMove", (x + dx * k / 4, y + dy * k / 4))
        touch("touchEnd")
        settle(page)

    before = status(page)
    swipe(*place(page, HIGH[0] - 3, MIDDLE), 0, -90)
    assert status(page) == before
    assert page.evaluate("scrollY") > 0
    page.wait_for_timeout(600)
    page.evaluate("scrollTo(0, 0)")
    # A line that a finger is near: however it moves, the page stays.
    x, y = place(page, FIRST, MIDDLE)
    swipe(x + 12, y, 40, -60)
    assert page.evaluate("scrollY") == 0
    threshold = cut(page)[1]
    assert threshold > FIRST + 2
    assert grows_on(page, 2, [[0, 0, threshold]])
    x, y = place(page, LOW[0] + 2, MIDDLE)
    swipe(x, y, 40, 0)
    assert status_numbers(page)[0] == "3"
    # One that rests has cut: the page stays, and motion up turns and moves the cut.
    for end in ("touchCancel", "touchEnd"):
        touch("touchStart", (x, y + 30))
        wait_for_leaves(page, 4)
        for k in range(9):
            touch("touchMove", (x, y + 30 - 10 * k))
        touch(end)
        settle(page)
        assert page.evaluate("scrollY") == 0
        assert status_numbers(page)[0] == ("3" if end == "touchCancel" else "4")
    axis = cut(page)[0]
    assert axis == 1
    turn = page.get_by_role("button", name="Turn the cut")
    turn.tap()
    assert cut(page)[0] == 1 - axis
    assert status_numbers(page)[0] == "4"
    box = turn.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    page.touchscreen.tap(20, 20)
    assert turn.is_hidden()
    session.detach()


def test_pointing_does_not_give_the_first_cut_away(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, 1, splits=[])
    for part in (".dtviz-region", "[data-state=leaf] text"):
        place_of = page.locator(f"{part} >> nth=0")
        place_of.hover()
        assert page.locator(".dtviz-tip").is_visible()
        assert page.locator(".dtviz-candidates").count() == 0
        place_of.click()
        assert page.locator(".dtviz-candidates").is_visible()
        page.keyboard.press("Escape")


def test_what_a_cut_gains_is_written_in_the_plane(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, 1, width=620)
    outer = page.locator(".dtviz-region").first.bounding_box()
    assert outer is not None
    left, right, middle = outer["x"], outer["x"] + outer["width"], outer["y"] + outer["height"] / 2
    page.mouse.move(left + 3, middle)
    page.mouse.down()
    for x in np.linspace(left + 10, right - 10, 5):
        page.mouse.move(x, middle)
        words = page.locator(".dtviz-gain-text").bounding_box()
        assert words is not None
        assert left <= words["x"] <= words["x"] + words["width"] <= right
    page.mouse.up()


def test_keys_cut_move_turn_and_take_away(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, 3)
    before = status(page)
    handle = page.get_by_role("slider", name="Cut of the plane")
    handle.focus()
    assert "the whole plane. Enter cuts here" in str(handle.get_attribute("aria-valuetext"))

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    press("Enter")
    assert cut(page)[:2] == (0, pytest.approx(FIRST, rel=1e-3))
    values = np.unique(PLANE.X[:, 0])
    gap = int((values <= FIRST).sum()) - 1
    assert handle.get_attribute("aria-valuenow") == str(gap)
    for key, by in (("ArrowRight", 1), ("Shift+ArrowLeft", -9), ("ArrowUp", -8)):
        press(key)
        middle = float(values[gap + by : gap + by + 2].mean())
        assert cut(page)[1] == pytest.approx(middle, rel=1e-3)
        assert grows_on(page, 3, [[0, 0, middle]])
    press("t")
    second = dt.impurity.best_split(PLANE.X[:, 1:], PLANE.y, "gini")
    assert cut(page)[:2] == (1, pytest.approx(second.threshold, rel=1e-3))
    press("Control+z", "Enter", "Delete")
    assert status_numbers(page)[0] == "1"
    press("Control+z")
    assert status(page) == before
    press("ArrowRight", "Enter", "ArrowLeft")
    assert status_numbers(page)[0] == "3"
    press("Escape", "Escape")
    assert status(page) == before
    press("Tab")
    assert page.evaluate("document.activeElement.className") != "dtviz-at-cut"


def test_a_click_holds_a_line_and_escape_means_one_thing(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, 2)
    x, y = place(page, FIRST, HIGH[1])
    page.mouse.move(x + 4, y)
    page.mouse.down()
    page.mouse.move(x + 6, y)
    page.mouse.up()
    assert cut(page)[:2] == (0, pytest.approx(FIRST, rel=1e-3))
    assert page.get_by_role("button", name="Turn the cut").is_visible()
    page.keyboard.press("Delete")
    assert status_numbers(page)[0] == "1"
    page.keyboard.press("Control+z")
    page.locator("[role=treeitem][data-state=inner]").click()
    page.keyboard.press("Delete")
    assert status_numbers(page)[0] == "1"
    page.keyboard.press("Enter")
    assert cut(page)[1] == pytest.approx(FIRST, rel=1e-3)
    # Of two cuts that gain the same, Escape takes that of growth, too, and only there lets go.
    tie = dt.ImpurityExplorer([[0, 0], [1, 1]], [0, 1], view="plane", leaves=2)
    page = tab(write_page(tmp_path, tie, unfold=False), reduced_motion=True).page
    handle = page.get_by_role("slider", name="Cut of the plane")
    handle.focus()
    for key, words in (("Enter", "x0 "), ("t", "x1 "), ("Escape", "x0 "), ("Escape", "the whole")):
        page.keyboard.press(key)
        assert str(handle.get_attribute("aria-valuetext")).startswith(words)
