"""How a chapter opens and ends, with a figure of another page again in its summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup
from support.site import contents

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

CHAPTERS = [name for name in contents() if re.fullmatch(r"book/\d-\w+/index", name)]


def read(site: Path, page: str) -> Tag:
    html = BeautifulSoup((site / f"{page}.html").read_text("utf-8"), "html.parser")
    return html.select_one("article")


def summary_of(chapter: str) -> str:
    """The last page of a chapter."""
    folder = chapter.removesuffix("index")
    return [name for name in contents() if name.startswith(folder)][-1]


def test_a_chapter_opens_with_three_goals_and_ends_with_five_lines_and_a_figure(
    site: Path,
) -> None:
    for chapter in CHAPTERS:
        goals = next(p for p in read(site, chapter).select("p") if p.text.startswith("Goals."))
        assert len(goals.find_next_sibling("ol").select("li")) == 3, chapter
        summary = read(site, summary_of(chapter))
        head = next(p for p in summary.select("p") if p.text == "Five lines to remember")
        lines = head.find_next_sibling("ol")
        assert len(lines.select("li")) == 5, chapter
        figure = lines.find_next_sibling()
        assert figure.name == "figure"
        (source,) = figure.find_next_sibling("p").select("a")
        page, _, label = str(source["href"]).partition("#")
        there = read(site, f"{chapter.removesuffix('index')}{page.removesuffix('.html')}")
        again = [str(image["src"]) for image in figure.select("img")]
        assert again == [str(image["src"]) for image in there.select(f"#{label} img")], chapter
