"""The short course: it can be read from its first page to its last, and needs no other page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml
from bs4 import BeautifulSoup
from support import site as checks

if TYPE_CHECKING:
    from pathlib import Path

COURSE = yaml.safe_load((checks.ROOT / "book/short-course.yml").read_text("utf-8"))
PAGES = [row["page"] for row in COURSE]
PASSED_OVER = (
    ".dropdown, details, div.proof:not(.theorem, .lemma, .definition, .proposition, .corollary,"
    " .algorithm, .example), .dtviz-chip, .dtviz-source, .dtviz-course, .headerlink"
)
"""What is folded, what the course skips, and marks."""
AIDS = re.compile(r"(?:references|glossary|claims|reference/\w+|homework/[\w-]+)\.html")
"""Pages that explain a word or a name, and need not be read."""


def read(site: Path, page: str) -> BeautifulSoup:
    return BeautifulSoup((site / f"book/{page}.html").read_text("utf-8"), "html.parser")


def leading_out(html: BeautifulSoup, skip: list[str]) -> list[str]:
    """Find the links of the open text to pages outside the course."""
    (article,) = html.select("article")
    for part in article.select(
        ", ".join([PASSED_OVER, *(f"section[id='{name}']" for name in skip)])
    ):
        part.decompose()
    for name in skip:  # a label beside the heading's own
        for mark in article.select(f"span[id='{name}']"):
            section = mark.find_parent("section")
            if section is not None:
                section.decompose()
    hrefs = [str(link["href"]).partition("#")[0] for link in article.select("a.internal[href]")]
    away = [href for href in hrefs if href and not AIDS.search(href)]
    return [
        href for href in away if not href.endswith(tuple(f"{p.split('/')[1]}.html" for p in PAGES))
    ]


def test_its_own_links_lead_from_the_first_page_to_the_last(site: Path) -> None:
    listed = read(site, "course").select("article ol a.internal")
    assert len(
        {str(link["href"]).partition("#")[0] for link in listed} & {f"{p}.html" for p in PAGES}
    ) == len(PAGES)
    page, seen = str(listed[0]["href"]).removesuffix(".html"), []
    while page:
        seen.append(page)
        (line,) = read(site, page).select("p.dtviz-course")
        back, *onward = (str(link["href"]) for link in line.select("a"))
        assert back == "../course.html"
        page = onward[0].removeprefix("../").removesuffix(".html") if onward else ""
        page = page if "/" in page or not page else f"{seen[-1].split('/')[0]}/{page}"
    assert seen == PAGES


def test_no_open_sentence_of_it_leads_to_another_page(site: Path) -> None:
    out = {row["page"]: leading_out(read(site, row["page"]), row.get("skip", [])) for row in COURSE}
    assert not any(out.values()), out
    planted = read(site, PAGES[0])
    planted.select("article p")[0].append(
        BeautifulSoup('<a class="internal" href="../2-rank/index.html">', "html.parser")
    )
    assert leading_out(planted, []) == ["../2-rank/index.html"]


def test_it_takes_an_afternoon(site: Path) -> None:
    """Eight to ten pages in six hours at most, and the first of them in an hour and a half."""
    text = read(site, "course").get_text(" ")
    ((hours, minutes),) = re.findall(r"In all (\d+) hours (\d+) minutes", text)
    times = [re.search(r"\((\d+) minutes", li.text) for li in read(site, "course").select("ol li")]
    listed = [int(time[1]) for time in times if time]
    exercises = sum("do" in row for row in COURSE)
    assert len(listed) == len(PAGES)
    assert 8 <= len(PAGES) <= 10
    assert 60 * int(hours) + int(minutes) == sum(listed) + 15 * exercises <= 360
    (first,) = re.findall(r"first hour and a half ends \((\d+) minutes\)", text)
    assert 60 <= int(first) <= 90


def test_the_hours_of_the_paths_are_added_up(site: Path) -> None:
    """Those of the theory in its table, and on the first page."""
    rows = [row.select("td") for row in read(site, "course").select("article tbody tr")]
    listed = [float(cells[1].text) for cells in rows]
    assert len(listed) == 7
    assert listed[-1] == sum(listed[:-1])
    cards = read(site, "index").select(".sd-card")[:2]
    words = {str(card.select("a")[0]["href"]): card.get_text(" ") for card in cards}
    assert "about six hours" in words["course.html"]
    assert f"bout {listed[-1]:g} hours" in words["course.html#course-theory"]
