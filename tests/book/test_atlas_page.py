"""The page of the atlas: its mentions set the explorer, its tables can be had, and it is light."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np
import pytest
from bs4 import BeautifulSoup
from support.explorers import Open, settle, status

import dtviz as dt
from dtviz.atlas.explorer import tables

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 2_000_000
"""The most bytes of all that the page loads, compressed."""


@pytest.fixture(scope="module")
def page_file(site: Path) -> Path:
    return site / "book" / "atlas" / "index.html"


@pytest.fixture(scope="module")
def soup(page_file: Path) -> BeautifulSoup:
    return BeautifulSoup(page_file.read_text("utf-8"), "html.parser")


def loaded(page_file: Path, soup: BeautifulSoup) -> list[Path]:
    """The files that the page loads by itself: scripts, styles, pictures."""
    named = [str(tag["src"]) for tag in soup.select("script[src], img[src]")]
    named += [str(tag["href"]) for tag in soup.select("link[rel=stylesheet]")]
    local = {unquote(name.split("?")[0]) for name in named if not name.startswith("data:")}
    return sorted((page_file.parent / name).resolve() for name in local)


def test_all_that_the_page_loads_is_light(page_file: Path, soup: BeautifulSoup) -> None:
    files = [page_file, *loaded(page_file, soup)]
    assert len(files) > 5
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < LIMIT


def test_the_tables_can_be_had_and_each_column_is_explained(
    page_file: Path, soup: BeautifulSoup
) -> None:
    words = " ".join(soup.get_text().split())
    for name, rows in (("functions", 4 + 16 + 256 + 65_536), ("classes", 616_126)):
        link = soup.select_one(f"a.download[href$='{name}.npz']")
        assert link is not None
        with np.load((page_file.parent / str(link["href"])).resolve()) as table:
            assert {table[column].shape[0] for column in table.files} == {rows}
            for column in table.files:
                assert f"{column} {tables()['columns'][column]['meaning'][:40]}" in words


def test_the_mentions_set_the_explorer(page_file: Path, visit: Open) -> None:
    seen = visit(page_file.as_uri(), reduced_motion=True)
    mentions = seen.page.locator(".dtviz-try[role=button]")
    begin = []
    for k in range(mentions.count()):
        mentions.nth(k).click()
        settle(seen.page)
        begin.append(status(seen.page).split(";")[0])
    luck = dt.influence.greedy_sizes(dt.BooleanFunction.from_text("0x06f6f606"))
    assert begin == [
        "The smallest tree has 11 leaves, the greedy one 18 to 20",
        f"The smallest tree has 8 leaves, the greedy one {luck.best} to {luck.worst}",
        "The smallest tree has 16 leaves, the greedy one 16",
        "The smallest tree has 15 leaves, the greedy one 15",
    ]
    assert (seen.complaints, seen.foreign()) == ([], [])
