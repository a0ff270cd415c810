"""The settings kept beside those on display in the explorer of FIND, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.explorers import (
    MOVE,
    Open,
    numbers,
    status,
    status_numbers,
    tree_numbers,
    undisturbed,
    write_page,
)

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


def spelled(page: Page, number: int) -> list[str]:
    """The numbers of a tree as the page spells it for a screen reader."""
    tree = page.locator(".dtviz-rank-tree [role=tree]").nth(number)
    return numbers(str(tree.get_attribute("aria-label")))


def test_settings_are_kept_to_compare(page: Page) -> None:
    page.get_by_role("button", name="Keep these settings").click()
    assert page.locator("select[name=view]").input_value() == "the tree kept"
    assert page.locator(".dtviz-ring").evaluate_all(RINGS) == [False, False]
    page.evaluate(MOVE, ["m", [GRID.index(8)]])
    old, new = RankExplorer(), RankExplorer(m=8)
    assert spelled(page, 0) == tree_numbers(new.tree())
    assert spelled(page, 1) == tree_numbers(old.tree())
    assert status_numbers(page)[7] == str(old.tree().n_leaves)
    assert page.locator(".dtviz-ring").evaluate_all(RINGS) == [True, True]
    assert numbers(page.locator(SECOND).inner_text())[:3] == ["5", "24", "2"]
    # Another target: the kept one stays, of another number of variables.
    page.locator("select[name=target]").first.select_option("caterpillar(1)")
    assert spelled(page, 1) == tree_numbers(old.tree())
    page.evaluate(MOVE, ["rank", [0]])
    assert "kept" in status(page)
    # Back to what stood there.
    page.locator("select[name=view]").select_option("sample")
    assert page.locator(SECOND).is_hidden()
    assert "kept" not in status(page)


def test_a_phone_shows_both_trees(tab: Open, beside_page: str) -> None:
    page = tab(beside_page, width=360, reduced_motion=True).page
    page.get_by_role("button", name="Keep these settings").click()
    page.evaluate(MOVE, ["m", [GRID.index(8)]])
    assert page.locator(SECOND).is_visible()
    page.locator("select[name=view]").select_option("sample")
    assert "kept" not in status(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_starts_with_what_python_keeps(tab: Open, tmp_path: Path) -> None:
    kept = {"target": "x0 ^ x1 ^ x2", "m": 256, "rank": 3}
    explorer = RankExplorer(m=48, beside="kept", kept=kept)
    page = tab(write_page(tmp_path, explorer), reduced_motion=True).page
    assert spelled(page, 1) == tree_numbers(explorer.tree_beside())
    assert spelled(page, 0) == tree_numbers(explorer.tree())
