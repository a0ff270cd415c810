"""Old addresses: each chapter was one page, and each place on it is found in a folder of pages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from support import site as checks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support import web

NAMES = ("influence", "rank", "product", "impurity", "growing", "pruning")
OLD: dict[str, list[str]] = json.loads((checks.ROOT / "tests/data/old-anchors.json").read_text())
"""The ids of the pages of the first edition, by chapter."""


def places(page: Path) -> tuple[dict[str, str], str]:
    """Where a page that leads on sends each anchor, and all others."""
    text = page.read_text("utf-8")
    found = re.search(r"^const places = (\{.*\});$", text, re.MULTILINE)
    first = re.search(r'<link rel="canonical" href="([^"]+)">', text)
    assert found is not None
    assert first is not None
    return json.loads(found[1]), first[1]


def ids(page: Path) -> set[str]:
    article = page.read_text("utf-8").partition("<article")[2].partition("</article>")[0]
    return set(re.findall(r'<[^<>]* id="([^"]+)"', article))


@pytest.mark.parametrize("chapter", OLD)
def test_every_old_anchor_leads_to_a_page_that_holds_it(site: Path, chapter: str) -> None:
    moved, first = places(site / f"book/{chapter}.html")
    held: dict[str, set[str]] = {}
    lost = []
    for anchor in OLD[chapter]:
        page, _, renamed = moved.get(anchor, first).partition("#")
        if page not in held:
            held[page] = ids(site / "book" / page)
        if (renamed or anchor) not in held[page]:
            lost.append(anchor)
    assert lost == []
    assert len(held) > 1


def test_all_chapters_of_the_first_edition_are_known() -> None:
    assert list(OLD) == [f"{n}-{name}" for n, name in enumerate(NAMES, start=1)]
    assert all(len(anchors) > 100 for anchors in OLD.values())


@pytest.mark.parametrize(
    ("anchor", "page", "there"),
    [
        ("#blt-l5-3", "3-upper-bound.html", "#blt-l5-3"),
        ("#floors-under-the-score", "2-cost.html", "#while-there-is-error-there-is-score"),
        ("#nobody-knows-this", "index.html", "#nobody-knows-this"),
        ("#constructor", "index.html", "#constructor"),
        ("", "index.html", ""),
    ],
)
def test_a_reader_of_an_old_address_is_led_on(
    site: Path, tab: Callable[..., web.Visit], anchor: str, page: str, there: str
) -> None:
    seen = tab("about:blank").page
    seen.goto(f"{(site / 'book/1-influence.html').as_uri()}{anchor}", wait_until="commit")
    seen.wait_for_url(f"**/book/1-influence/{page}{there}")
    assert seen.locator("article h1").count() == 1


def test_without_scripts_to_the_first_page(site: Path, visit: Callable[..., web.Visit]) -> None:
    seen = visit((site / "book/2-rank.html").as_uri(), javascript=False).page
    seen.wait_for_url("**/book/2-rank/index.html")
    assert seen.locator("article h1").count() == 1
