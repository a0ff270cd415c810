"""The figures of the chapters on other pages: all of them for class, one in each summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup
from support.site import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bs4 import Tag
    from support import web

SCREEN = ".dtviz-slide"
CHAPTERS = [name for name in contents() if re.fullmatch(r"book/\d-\w+/index", name)]


def read(site: Path, page: str) -> Tag:
    html = BeautifulSoup((site / f"{page}.html").read_text("utf-8"), "html.parser")
    return html.select_one("article")


def summary_of(chapter: str) -> str:
    """The last page of a chapter."""
    folder = chapter.removesuffix("index")
    return [name for name in contents() if name.startswith(folder)][-1]


def test_every_numbered_figure_is_listed_once_with_its_chapter(site: Path) -> None:
    page = read(site, "book/class")
    titles = [read(site, name).h1.text.partition(". ")[2] for name in CHAPTERS]
    assert [section.text for section in page.select("h2")] == titles
    listed = [str(link["href"]) for link in page.select("a[data-src]")]
    drawn = [
        f"{name.removeprefix('book/')}.html#{figure['id']}"
        for name in contents()
        if re.match(r"book/\d-", name)
        for figure in read(site, name).select("figure[id]:has(.caption-number)")
    ]
    assert listed == drawn
    for link in page.select("a[data-src]"):
        assert len(str(link["data-alt"]).split()) >= 5
        assert (site / "book" / str(link["data-src"])).is_file()


def test_arrow_keys_lead_through_them_from_disk(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    seen = visit((site / "book/class.html").as_uri(), width=1280, theme="dark")
    page = seen.page
    screen, count = page.locator(SCREEN), page.locator(f"{SCREEN} output")
    links = page.locator(".dtviz-slides a[data-src]")
    every = links.count()
    assert not screen.is_visible()
    button = page.locator(".dtviz-show").nth(3)
    button.click()
    first = int(count.inner_text().split()[0])
    for key, place in (
        ("ArrowRight", first + 1),
        (" ", first + 2),
        ("PageDown", first + 3),
        ("ArrowLeft", first + 2),
        ("Home", 1),
        ("PageUp", 1),
        ("End", every),
        ("ArrowRight", every),
    ):
        page.keyboard.press(key)
        assert count.inner_text() == f"{place} of {every}"
        link = links.nth(place - 1)
        image = page.locator(f"{SCREEN} img")
        assert image.get_attribute("src") == link.get_attribute("data-src")
        assert image.get_attribute("alt") == link.get_attribute("data-alt")
        assert link.inner_text() in page.locator(f"{SCREEN} .caption").inner_text()
    page.wait_for_function("document.querySelector('.dtviz-slide img').naturalWidth > 0")
    page.keyboard.press("Escape")
    screen.wait_for(state="hidden")
    page.wait_for_function("document.activeElement.matches('.dtviz-show')")
    assert seen.foreign() == []
    assert seen.complaints == []


def test_a_figure_chosen_on_a_phone_fits(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit((site / "book/class.html").as_uri(), width=390, height=844).page
    page.locator(".dtviz-slides a[data-src]").nth(5).click()
    for part in ("img", ".caption", ".bar"):
        box = page.locator(f"{SCREEN} {part}").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 844
    page.get_by_role("button", name="Close").click()
    page.locator(SCREEN).wait_for(state="hidden")


def test_a_chapter_opens_with_three_goals_and_ends_with_five_lines_and_a_figure(site: Path) -> None:
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
