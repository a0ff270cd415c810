"""The page of claims as a reader uses it: without a script, and with links that lead somewhere."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from dtviz import claims
from dtviz.claims.rendering import anchor
from dtviz.claims.report import MOST_STORIES, TITLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support import web

SHOWN = "rows => rows.filter(row => row.offsetParent).map(row => row.id)"
CUT = """
() => {
  const right = document.querySelector("article").getBoundingClientRect().right + 1;
  return [...document.querySelectorAll(".dtviz-claims *")]
    .filter((part) => !part.closest(".scroll") && part.getBoundingClientRect().right > right)
    .map((part) => part.textContent);
}
"""
STATUSES = Counter(claim.status for claim in claims.claims.values())


@pytest.fixture(scope="module")
def page(site: Path) -> BeautifulSoup:
    return BeautifulSoup((site / "book" / "claims.html").read_text("utf-8"), "html.parser")


def test_it_has_a_row_for_every_claim_and_totals_that_add_up(page: BeautifulSoup) -> None:
    rows = page.select(".verdicts tr")
    assert [row.th.a.text for row in rows] == list(claims.claims)
    totals = {row.th.text: row.select("td")[-1].text for row in page.select(".totals tbody tr")}
    assert totals.items() >= {(TITLES[key], f"{number}") for key, number in STATUSES.items()}


def test_it_leads_with_the_repairs(page: BeautifulSoup) -> None:
    stories = {story.a.text: story for story in page.select(".story")}
    repaired = [key for key, claim in claims.claims.items() if claim.repaired and claim.holds]
    assert set(stories) == set(repaired)
    assert len(page.select(".story")) == len(repaired)
    told = [name for name, story in stories.items() if not story.find_parent("details")]
    assert len(told) == MOST_STORIES
    assert {claims.claims[name].page for name in told} == {c.page for c in claims.claims.values()}
    assert page.select("article h2 ~ .cell .story, article .verdicts")[0]["class"] == ["story"]
    for name, story in stories.items():
        assert len(story.select("math")) >= claims.claims[name].statement.count("$") // 2
        row = page.select_one(f"#claim-{anchor(name)}")
        assert story.a["href"] == row.th.a["href"]
        assert story.select_one(f'a[href="#{row["id"]}"]')


def test_nothing_is_cut_at_any_width(site: Path, tab: Callable[..., web.Visit]) -> None:
    """With every row opened; only the totals may be scrolled."""
    opened = tab((site / "book" / "claims.html").as_uri())
    opened.page.evaluate("document.querySelectorAll('article details').forEach(d => d.open = true)")
    for width in (360, 1024, 1280):
        opened.page.set_viewport_size({"width": width, "height": 800})
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.page.evaluate(CUT) == [], width


def test_the_code_of_each_check_stands_where_its_row_points(
    page: BeautifulSoup, site: Path
) -> None:
    links = [link["href"] for link in page.select(".verdicts a") if "checks/" in link["href"]]
    assert len(links) == sum(bool(claim.holds) for claim in claims.claims.values())
    for link in links:
        path, _, line = link.partition("#")
        text = (site / "book" / path).read_text("utf-8")
        start = text.index(f'<span id="{line}"></span>')
        code = BeautifulSoup(text[start:].partition("\n")[0], "html.parser").text
        assert re.search(r"\bdef \w+\(|lambda|@cache", code), (link, code)


def test_each_source_stands_in_the_references(page: BeautifulSoup, site: Path) -> None:
    text = (site / "book" / "references.html").read_text("utf-8")
    links = {link["href"] for link in page.select(".verdicts a") if "references" in link["href"]}
    assert len(links) == len({claim.source.key for claim in claims.claims.values()} - {""})
    for link in links:
        assert text.count(f'<span id="{link.partition("#")[2]}">') == 1


@pytest.mark.parametrize("javascript", [True, False])
def test_a_reader_sees_the_rows_of_one_verdict_or_one_chapter(
    site: Path, visit: Callable[..., web.Visit], javascript: bool
) -> None:
    opened = visit((site / "book" / "claims.html").as_uri(), javascript=javascript)
    every = opened.page.locator("tr[data-verdict]")
    assert len(every.evaluate_all(SHOWN)) == len(claims.claims)
    opened.page.get_by_label(TITLES["holds after a repair"]).check()
    assert len(every.evaluate_all(SHOWN)) == STATUSES["holds after a repair"]
    opened.page.get_by_label("Chapter 2, rank").check()
    assert set(every.evaluate_all(SHOWN)) == {
        f"claim-{anchor(key)}"
        for key, claim in claims.claims.items()
        if claim.page == "2-rank" and claim.repaired
    }
