"""The cards of the links: what each holds, and how it comes and goes in a browser."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from support import links, web
from support.site import EXPLORER, Page, content, pages

from book._ext import dtviz_previews as previews

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Locator

CARDS_BYTES = 60_000
KINDS = "div.proof, div.exercise:not(.solution), div.math, figure, div.citation, dl.glossary dt"


def planted(body: str) -> Page:
    html = f"<html><body><article>{body}</article></body></html>"
    return Page("planted.html", BeautifulSoup(html, "html.parser"))


class TestBareMentions:
    @pytest.mark.parametrize(
        "text",
        ["By Lemma 4 it holds.", "Theorems 3 and 4", "see equation (3).", "in chapter 2", "Fig. 1"],
    )
    def test_a_bare_number_is_found(self, text: str) -> None:
        assert links.bare_mentions(planted(f"<p>{text}</p>"))

    def test_a_title_with_the_number_of_a_paper_is_found(self) -> None:
        title = '<p class="admonition-title"><span class="caption-number">Lemma 1.2</span>{}</p>'
        assert links.bare_mentions(planted(title.format(" (Lemma 5.1: cost)")))
        assert not links.bare_mentions(planted(title.format(" (Cost)")))

    @pytest.mark.parametrize(
        "text",
        [
            '<a href="#x">Lemma 4</a>',
            '<p class="dtviz-source"><a href="#x">Blanc (2020)</a>: Lemma 5.1</p>',
            "<pre>Lemma 4</pre>",
            "<p>The lemma has 4 parts, the figure 2 sides' chapter.</p>".replace("figure 2", "two"),
            "<p>Homework 1</p>",
        ],
    )
    def test_a_link_a_source_and_code_are_none(self, text: str) -> None:
        assert links.bare_mentions(planted(text)) == []


def targets(site: Path) -> Iterator[tuple[str, str]]:
    """Yield the places to which the text of the book links; that of a whole page has no name.

    A link that sets an explorer is to be followed, and has no card.
    """
    for page in pages(site):
        for link in content(page).select("a.reference.internal[href]:not(.nav-link)"):
            parts = urlsplit(str(link["href"]))
            joined = posixpath.join(posixpath.dirname(page.name), unquote(parts.path))
            path = posixpath.normpath(joined) if parts.path else page.name
            if path.endswith(".html") and not EXPLORER.fullmatch(unquote(parts.fragment)):
                yield path, unquote(parts.fragment)


def words(text: str) -> list[str]:
    return re.findall(r"\w{3,}", text)


class TestCards:
    def test_each_link_to_a_statement_has_its_card(self, site: Path) -> None:
        """Also to an equation, a figure, a work, a term: its card begins as the place does."""
        html = {page.name: page.html for page in pages(site)}
        known: dict[str, dict[str, BeautifulSoup]] = {}
        wrong, seen = [], 0
        for path, place in sorted(set(targets(site))):
            box = html[path].find(id=place) if path in html else None
            if box is None or not box.css.match(KINDS):
                continue
            for label in box.select(":scope > .label"):
                box = label.find_next_sibling("p")  # the label is what the citation says already
            name = path.removesuffix(".html")
            cards = known.setdefault(name, links.cards(site, name))
            result = cards.get(place)
            shown = [text for text in box.find_all(string=True) if not text.find_parent("details")]
            here = [text for text in words(" ".join(shown)) if text != "Link"][:4]
            seen += 1
            if result is None or not set(here) <= set(words(result.get_text(" "))):
                wrong.append(f"{path}#{place}: {here}")
        assert wrong == []
        assert seen > 200

    def test_each_link_of_the_text_has_a_card(self, site: Path) -> None:
        """Also to a section, a page, a function; the claims page is a table to look up things."""
        known: dict[str, dict[str, BeautifulSoup]] = {}
        wrong = []
        for path, place in sorted(set(targets(site))):
            name = path.removesuffix(".html")
            if name != "book/claims":
                cards = known.setdefault(name, links.cards(site, name))
                if place not in cards or not cards[place].get_text(strip=True):
                    wrong.append(f"{path}#{place}")
        assert wrong == []

    def test_no_card_brings_an_id_or_a_proof(self, site: Path) -> None:
        for path in sorted((site / "_static" / "previews").rglob("*.js")):
            assert path.stat().st_size < CARDS_BYTES, path
            name = path.relative_to(site / "_static" / "previews").with_suffix("").as_posix()
            for card in links.cards(site, name).values():
                assert card.select("[id], script, details, .headerlink") == []


@pytest.fixture(scope="module")
def reader(browser: Browser, site: Path) -> Iterator[web.Visit]:
    """One page from disk, for all tests: with links to statements, equations and works."""
    with web.opened(browser, address(site), {}) as seen:
        yield seen


def address(site: Path) -> str:
    """Return a page that links to statements of its own."""
    for page in pages(site):
        if page.name.startswith("book/1-") and content(page).select(
            "p > a.reference.internal[href*='#lem-']"
        ):
            return (site / page.name).as_uri()
    raise AssertionError("no page links to a lemma")


def test_a_card_has_its_formulas_and_code_each_at_its_place() -> None:
    parts = "<p>a <math><mi>a</mi></math> b <math><mi>b</mi></math></p><pre>c &lt; d</pre>"
    box = f'<div class="proof" id="lem"><p class="admonition-title">T</p><section>{parts}</section>'
    html = f"<article><p><math><mi>z</mi></math></p>{box}</div></article>"
    assert previews.cards(html, {"lem"})["lem"].endswith(parts)


@pytest.mark.xdist_group("previews in the browser")
class TestInTheBrowser:
    @staticmethod
    def link(seen: web.Visit) -> Locator:
        seen.page.keyboard.press("Escape")
        seen.page.mouse.move(0, 0)
        return seen.page.locator("article p > a.reference.internal[href*='#lem-']").first

    def test_the_pointer_shows_a_card_that_stays_under_it(self, reader: web.Visit) -> None:
        link, card = self.link(reader), reader.page.locator("#dtviz-card")
        assert card.is_hidden()
        link.hover()
        card.wait_for()
        assert words(link.inner_text())[0] in card.inner_text()
        card.hover()
        reader.page.wait_for_timeout(400)
        assert card.is_visible()
        reader.page.keyboard.press("Escape")
        assert card.is_hidden()

    def test_focus_by_the_keyboard_shows_a_card_that_fits_a_phone(self, reader: web.Visit) -> None:
        link, card = self.link(reader), reader.page.locator("#dtviz-card")
        reader.page.set_viewport_size({"width": 360, "height": 640})
        reader.page.keyboard.press("Tab")
        link.focus()
        card.wait_for()
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert link.get_attribute("aria-describedby") == "dtviz-card"
        for target in card.locator("a[href]").evaluate_all("all => all.map((a) => a.href)"):
            if target.startswith("file:"):
                assert Path(unquote(urlsplit(target).path)).is_file()
        assert web.axe_findings(reader.page, "#dtviz-card") == []
        reader.page.keyboard.press("Escape")
        assert card.is_hidden()
        assert reader.complaints == []


def test_a_finger_opens_the_link_and_no_card(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit(address(site), touch=True, width=360).page
    link = page.locator("article p > a.reference.internal[href*='#lem-']").first
    place = str(link.get_attribute("href")).rpartition("#")[2]
    link.tap()
    page.wait_for_timeout(500)
    assert page.locator("#dtviz-card").is_hidden()
    assert page.url.endswith(f"#{place}")
