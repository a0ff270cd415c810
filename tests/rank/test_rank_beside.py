"""The settings kept beside those on display in the explorer of FIND, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.explorers import MOVE, Open, status, undisturbed, write_page

import dtviz as dt
from dtviz.rank.explorer import GRID, RankExplorer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

SECOND = ".dtviz-rank-tree >> nth=1"
RINGS = "all => all.map(e => getComputedStyle(e).visibility === 'visible')"


@pytest.fixture(scope="session")
def beside_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_page(tmp_path_factory.mktemp("rank"), RankExplorer())


@pytest.fixture
def page(tab: Open, beside_page: str) -> Iterator[Page]:
    yield from undisturbed(tab(beside_page, reduced_motion=True))


def words(tree: dt.Tree) -> str:
    """A tree as the page spells it for a screen reader."""

    def result(k: int) -> str:
        if tree.variable[k] < 0:
            return str(tree.value[k])
        low, high = result(int(tree.low[k])), result(int(tree.high[k]))
        return f"x{tree.variable[k]}: if 0 ({low}), if 1 ({high})"

    return result(0)


def spelled(page: Page, number: int) -> str:
    result = page.locator(".dtviz-rank-tree [role=tree]").nth(number).get_attribute("aria-label")
    return str(result).split(": ", 1)[1].rstrip(".")


def test_settings_are_kept_to_compare(page: Page) -> None:
    page.get_by_role("button", name="Keep these settings").click()
    assert page.locator("select[name=view]").input_value() == "the tree kept"
    assert "Both trees are the same." in status(page)
    assert page.locator(".dtviz-ring").evaluate_all(RINGS) == [False, False]
    page.evaluate(MOVE, ["m", [GRID.index(8)]])
    old, new = RankExplorer(), RankExplorer(m=8)
    assert spelled(page, 0) == words(new.tree())
    assert spelled(page, 1) == words(old.tree())
    assert f" The tree kept has {old.tree().n_leaves} leaves. " in status(page)
    assert "First difference, ringed in both: " in status(page)
    assert page.locator(".dtviz-ring").evaluate_all(RINGS) == [True, True]
    assert page.locator(SECOND).inner_text().startswith("Kept: majority(5), m = 24, rank 2")
    # Another target: the kept one stays, of another number of variables.
    page.locator("select[name=target]").first.select_option("caterpillar(1)")
    assert spelled(page, 1) == words(old.tree())
    page.evaluate(MOVE, ["rank", [0]])
    assert "a tree for the settings kept alone" in status(page)
    # Back to what stood there.
    page.locator("select[name=view]").select_option("sample")
    assert page.locator(SECOND).is_hidden()
    assert "kept" not in status(page)


def test_nothing_is_kept_yet(page: Page) -> None:
    page.locator("select[name=view]").select_option("the tree kept")
    assert status(page).endswith(" Nothing is kept yet.")
    assert page.locator(SECOND).is_hidden()


def test_a_phone_shows_both_trees(tab: Open, beside_page: str) -> None:
    page = tab(beside_page, width=360, reduced_motion=True).page
    page.get_by_role("button", name="Keep these settings").click()
    page.evaluate(MOVE, ["m", [GRID.index(8)]])
    assert page.locator(SECOND).is_visible()
    assert "First difference" in status(page)
    page.locator("select[name=view]").select_option("sample")
    assert "kept" not in status(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_starts_with_what_python_keeps(tab: Open, tmp_path: Path) -> None:
    kept = {"target": "x0 ^ x1 ^ x2", "m": 256, "rank": 3}
    explorer = RankExplorer(m=48, beside="kept", kept=kept)
    page = tab(write_page(tmp_path, explorer), reduced_motion=True).page
    assert spelled(page, 1) == words(explorer.tree_beside())
    assert spelled(page, 0) == words(explorer.tree())
