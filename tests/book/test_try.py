"""Mentions of settings: a small book with explorers, buttons, a link, and faults."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_output
from support import site as checks
from support.explorers import body
from support.small_book import write_book

import dtviz as dt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from nbformat import NotebookNode
    from playwright.sync_api import Page
    from support import web
    from support.explorers import Open

    from dtviz.explorers.base import Explorer

EXTENSIONS = ("dtviz_try", "dtviz_explorers", "dtviz_math", "dtviz_figures", "dtviz_states")
MENTIONS = """
{try}`function="parity(5)", epsilon=0.05` or
{try}`` `tribes(2, 3)` at $\\varepsilon=0$ <function="tribes(2, 3)", epsilon=0> `` or
{try}`the race <view="race", samples=8>` or {try}`the second <influence2: epsilon=0.5>` or
{try}`no steps <step=None, show_bounds=True>`.

The first has {now}`as many as you like <leaves>` leaves, the second {now}`6 <influence2: leaves>`.
"""
ELSEWHERE = """
See {try}`` the *second* <../one/playing#influence2: function="f", epsilon=0.25> `` or
{try}`the first <../one/playing: function="parity(5)", step=None>`.
"""
LONG = "Long.\n\n" * 25
BESIDE = f"{LONG}{{try}}`wide <epsilon=0.25>`\n\n{LONG}{{try}}`narrow <epsilon=0.05>`\n\n{LONG}"
FAULTS = {
    "now leaf": "no explorer here shows leaf; influence has leaves, splits,",
    "now rank: leaves": "no explorer here shows rank leaves; there is none",
    "epsilon": "settings must be name=value, separated by commas, got 'epsilon'",
    "epsilon=x": "settings must be plain values, got 'epsilon=x'",
    "a=1, a=2": "settings must be name=value",
    "cost=1": "one/playing has no explorer with cost; it has influence (",
    "rank: m=1": "one/playing has no explorer rank with m; it has influence (",
    "product: step=1": "no explorer product with step; it has product (",
    "epsilon=0.7": "epsilon must be a number from 0 to 1/2, got 0.7",
    'epsilon="0.1"': "epsilon",
    'function="nand(2)"': "function must be one of ",
    'influence2: function="parity(5)"': "function must be one of 'f', got 'parity(5)'",
    "samples=9": "samples must be one of 8",
    "step=44": "step must be at most 43, where the figure ends, got 44",
    "playing=True": "no explorer with playing",
    "../no/where: epsilon=0": "book/no/where has no explorer with epsilon; it has none",
}


def shown(explorer: Explorer) -> NotebookNode:
    """A cell that shows an explorer, as it was run."""
    data = {"text/html": body(explorer), "text/plain": repr(explorer)}
    outputs = [new_output("display_data", data=data)]
    cell: NotebookNode = new_code_cell(f"import dtviz as dt\ndt.{explorer!r}", outputs=outputs)
    return cell


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The book, whose pages are written in spite of their faults, and what the build says."""
    root = tmp_path_factory.mktemp("try")
    explorers = [
        shown(dt.InfluenceExplorer()),
        shown(dt.ProductExplorer()),
        shown(dt.InfluenceExplorer(dt.functions.majority(3))),
    ]
    wide = new_code_cell("1", metadata={"tags": ["full-width"]})
    roles = [("now", text[4:]) if text.startswith("now ") else ("try", text) for text in FAULTS]
    faulty = "\n\n".join(f"{{{role}}}`` words <{text}> ``" for role, text in roles)
    pages = {
        "index": [],
        "one/playing": [*explorers, "Long.\n\n" * 60 + MENTIONS],
        "two/reading": [ELSEWHERE],
        "one/faulty": [*explorers, faulty],
        "one/sticky": [explorers[0], BESIDE, "## Both\n\n### Wide", wide],
    }
    write_book(root, pages, EXTENSIONS)
    sticky = root / "book/one/sticky.ipynb"
    notebook = json.loads(sticky.read_text("utf-8"))
    notebook["metadata"]["sticky"] = True
    sticky.write_text(json.dumps(notebook), "utf-8")
    with pytest.raises(checks.BuildError) as caught:
        checks.jupyter_book(root, root)
    return root / "_build/html/book", str(caught.value)


@pytest.mark.slow
@pytest.mark.xdist_group("planted mentions")
class TestMentions:
    @pytest.mark.parametrize("text", FAULTS)
    def test_a_mention_that_sets_nothing_stops_the_build(
        self, built: tuple[Path, str], text: str
    ) -> None:
        rule = FAULTS[text].replace("one/playing", "book/one/faulty")
        said = [line for line in built[1].splitlines() if "a mention to try" in line]
        assert len(said) == len(FAULTS)
        assert all("faulty.ipynb:" in line for line in said)
        assert any(rule in line for line in said), said

    def test_without_a_script_it_is_text(self, built: tuple[Path, str]) -> None:
        page = BeautifulSoup((built[0] / "one/playing.html").read_text("utf-8"), "html.parser")
        marks = page.select(".dtviz-try")
        words = [re.sub(r"\s+", " ", mark.get_text()) for mark in marks]
        assert words[0] == "function = parity(5), epsilon = 0.05"
        assert words[2:] == ["the race", "the second", "no steps"]
        assert [mark["data-explorer"] for mark in marks] == [
            *["influence"] * 2, "product", "influence2", "influence",
        ]  # fmt: skip
        assert {mark.name for mark in marks} == {"span"}
        assert marks[1].select("code")
        assert marks[1].select("math")
        assert not page.select(".dtviz-try a")
        assert [one.get_text() for one in page.select(".dtviz-now")] == ["as many as you like", "6"]

    def test_words_follow_what_an_explorer_shows(self, built: tuple[Path, str], tab: Open) -> None:
        page = tab((built[0] / "one/playing.html").as_uri()).page
        first, second = page.locator(".dtviz-now").all()
        slider = page.locator("#dtviz-influence input[name=epsilon]").first
        sizes = []
        for epsilon in ("0", "0.1"):
            slider.fill(epsilon)
            sizes.append(first.inner_text())
        assert sizes == ["44", "7"]
        assert second.inner_text() == "6"
        assert page.locator(".dtviz-now[aria-live], [aria-live] .dtviz-now").count() == 0

    def test_a_button_sets_its_explorer_and_shows_it(
        self, built: tuple[Path, str], tab: Open
    ) -> None:
        seen = tab((built[0] / "one/playing.html").as_uri(), reduced_motion=True)
        page = seen.page
        status = page.get_by_role("status")
        before = status.all_inner_texts()
        page.get_by_role("button", name="the race").click()
        found = status.all_inner_texts()
        assert [a == b for a, b in zip(before, found, strict=True)] == [True, False, True]
        assert top(page, "#dtviz-product") < 400
        assert (
            "Set: View = race, Draws = 8;"
            in page.locator("#dtviz-product .dtviz-share-message").inner_text()
        )
        button = page.locator(".dtviz-try[role=button]", has_text="tribes")
        assert button.evaluate("e => getComputedStyle(e).display") == "inline"  # wraps as text
        button.press("Enter")
        assert "Growth stops: the error is 0." in status.first.inner_text()
        assert button.evaluate("e => e === document.activeElement")
        assert page.locator("#dtviz-influence select").first.input_value() == "tribes(2, 3)"
        # All that it does not name is as at first.
        page.get_by_role("button", name="no steps").click()
        assert page.locator("#dtviz-influence select").first.input_value() == "caterpillar(3)"
        page.get_by_role("button", name="the second").click()
        assert "The tree is 1 leaf" in status.last.inner_text()
        page.emulate_media(media="print")
        style = (
            "e => getComputedStyle(e).textDecorationLine + getComputedStyle(e, '::after').content"
        )
        assert button.evaluate(style) == "nonenone"
        assert seen.complaints == []

    def test_a_button_leads_back_to_the_mention(self, built: tuple[Path, str], tab: Open) -> None:
        page = tab((built[0] / "one/playing.html").as_uri(), reduced_motion=True).page
        back = page.get_by_role("button", name="Back to the sentence")
        mention = page.get_by_role("button", name="the race")
        pages = page.evaluate("history.length")
        for ways in ("Escape", "click", "scroll"):
            mention.press("Enter")
            back.wait_for()
            assert top(page, "#dtviz-product") < 400
            if ways == "Escape":
                page.keyboard.press("Escape")
            elif ways == "click":
                back.click()
            else:
                mention.scroll_into_view_if_needed()
            back.wait_for(state="hidden")
            assert 0 < mention.evaluate("e => e.getBoundingClientRect().top") < 800
            assert mention.evaluate("e => e === document.activeElement")
        assert mention.get_attribute("aria-current") == "true"
        page.locator("#dtviz-product input[type=range]").first.press("ArrowRight")
        assert mention.get_attribute("aria-current") is None
        # Where the figure is in view, nothing moves.
        page.locator("#dtviz-product").scroll_into_view_if_needed()
        place = page.evaluate("scrollY")
        mention.evaluate("e => e.click()")
        assert page.evaluate("scrollY") == place
        assert back.is_hidden()
        assert page.evaluate("history.length") == pages

    def test_what_is_wide_makes_its_sections_wide(self, built: tuple[Path, str]) -> None:
        page = BeautifulSoup((built[0] / "one/sticky.html").read_text("utf-8"), "html.parser")
        wide = [section["id"] for section in page.select("section.dtviz-wide section.dtviz-wide")]
        assert wide == ["both", "wide"]

    def test_a_mention_in_the_middle_sets_the_figure_beside_it(
        self, built: tuple[Path, str], tab: Open
    ) -> None:
        url = (built[0] / "one/sticky.html").as_uri()
        wide: Any = {"width": 1440, "height": 900}

        def read(page: Page, words: str) -> str | None:
            mention = page.get_by_role("button", name=words)
            mention.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
            page.wait_for_timeout(300)
            figure = page.locator(".dtviz-sticky").bounding_box()
            assert figure is not None
            assert figure["x"] > 600
            assert figure["width"] > 640
            assert 50 < figure["y"] < 100
            return mention.get_attribute("aria-current")

        page = tab(url, **wide).page
        status = page.get_by_role("status")
        assert read(page, "wide") == "true"
        assert "ε = 0.25" in status.inner_text()
        assert status.get_attribute("aria-live") == "off"
        assert read(page, "narrow") == "true"
        page.locator(".dtviz-explorer svg").first.click()
        assert status.get_attribute("aria-live") == "polite"
        assert read(page, "wide") is None
        page.get_by_role("button", name="wide").click()
        assert read(page, "narrow") == "true"
        title = page.locator(".bd-article h1")
        title.evaluate("e => e.insertAdjacentHTML('afterend', '<p class=dtviz-predict>')")
        assert read(page, "wide") is None
        page.locator("p.dtviz-predict").evaluate("e => (e.dataset.said = 'no')")
        assert read(page, "narrow") == "true"
        assert read(page, "wide") == "true"
        assert read(tab(url, reduced_motion=True, **wide).page, "wide") is None
        page = tab(url, width=1024, height=800).page
        cell = page.locator(".dtviz-sticky")
        assert cell.evaluate("e => getComputedStyle(e).position") != "sticky"

    def test_its_state_stands_in_place_on_paper(
        self, built: tuple[Path, str], tab: Open, visit: Callable[..., web.Visit]
    ) -> None:
        """And without scripts, where the page is walked through; a screen never loads it."""
        url = (built[0] / "one/sticky.html").as_uri()
        seen = tab(url)
        states = seen.page.locator(".dtviz-state")
        captions = [dt.InfluenceExplorer(epsilon=epsilon).caption() for epsilon in (0.25, 0.05)]
        assert states.locator("figcaption").all_text_contents() == captions
        before = "all => all.map((e) => e.previousElementSibling.textContent)"
        assert states.evaluate_all(before) == ["wide", "narrow"]
        assert states.first.is_hidden()
        sources = states.locator("img").evaluate_all("all => all.map((e) => e.src)")
        assert len({*sources}) == 2
        assert not {*sources} & {*seen.requests}
        seen.page.emulate_media(media="print")
        assert states.first.is_visible()
        plain = visit(url, javascript=False).page
        assert plain.locator(".dtviz-state").first.is_visible()
        assert plain.locator(".dtviz-explorer > img + noscript").count() == 1

    def test_from_another_page_it_is_a_link(self, built: tuple[Path, str], tab: Open) -> None:
        seen = tab((built[0] / "two/reading.html").as_uri(), reduced_motion=True)
        page = seen.page
        page.get_by_role("link", name="the second").click()
        page.wait_for_url("**/playing.html#*")
        page.get_by_role("status").filter(has_text="at most ε = 0.25").last.wait_for()
        assert top(page, "#dtviz-influence2") < 400
        page.go_back()
        page.get_by_role("link", name="the first").click()
        page.wait_for_url("**/playing.html#*")
        assert page.locator("#dtviz-influence select").first.input_value() == "parity(5)"
        text = page.locator(".dtviz-share-message").all_inner_texts()
        assert text == ["", "", ""]
        assert seen.complaints == []


def top(page: Page, selector: str) -> float:
    """Return how far below the top of the window an element begins."""
    found: Any = page.locator(selector).evaluate("e => e.getBoundingClientRect().top")
    return float(found)
