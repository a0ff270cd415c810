"""A page printed from the browser: what is on the paper, and what is not."""

from __future__ import annotations

import io
import unicodedata
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader
from support import web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.web import Visit

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("print")]

PAGE = "book/1-influence/3-cost.html"
EXERCISES = "book/1-influence/8-exercises.html"


def text_of(seen: Visit) -> list[str]:
    """Print the page, and return the text of each sheet, its blanks made one, no ligatures."""
    pdf = seen.page.pdf(format="A4", print_background=True)
    sheets = (sheet.extract_text() for sheet in PdfReader(io.BytesIO(pdf)).pages)
    return [" ".join(unicodedata.normalize("NFKC", text).split()) for text in sheets]


def test_the_paper_has_the_text_and_no_navigation(site: Path, visit: Callable[..., Visit]) -> None:
    seen = visit((site / PAGE).as_uri(), theme="dark")
    text = " ".join(text_of(seen))
    assert text.removeprefix("1 ").startswith("1.3. Cost, and an influential variable")
    assert "By induction on" in text
    assert "Right: 17" in text  # the answer to a question, folded on the screen
    assert "false variants refuted" not in text  # what the computer tried
    assert "dt.plot.level_line" not in text  # folded code
    sidebar = seen.page.locator(".bd-sidebar-primary .caption-text").all_text_contents()
    assert sidebar
    assert [words for words in sidebar if words == "Homework" and words in text] == []
    for words in ("Toggle primary sidebar", "Back to top", "Copy link"):
        assert words not in text, words
    # The screen is as it was before.
    assert seen.page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert seen.page.locator("details.dtviz-predict-solution[open]").count() == 0
    assert seen.complaints == []


def test_solutions_are_printed(site: Path, visit: Callable[..., Visit]) -> None:
    assert "Solution to Exercise 1.1" in " ".join(text_of(visit((site / EXERCISES).as_uri())))


def test_no_heading_stands_at_the_foot_and_paper_is_wide_enough(
    site: Path, visit: Callable[..., Visit]
) -> None:
    seen = visit((site / PAGE).as_uri())
    headings = [
        " ".join(text.split()).removesuffix(" #").removesuffix("#")
        for text in seen.page.locator(".bd-article :is(h2, h3)").all_text_contents()
    ]
    sheets = text_of(seen)
    assert len(headings) > 3
    assert [h for h in headings for sheet in sheets if sheet.endswith(h)] == []
    web.show(seen.page, {"width": 672, "height": 950})
    seen.page.emulate_media(media="print")
    wide = seen.page.evaluate(
        "() => [...document.querySelectorAll('.bd-article :is(p, pre, figure, div.proof)')]"
        ".filter((part) => part.getBoundingClientRect().right > 673).map((part) => part.outerHTML"
        ".slice(0, 80))"
    )
    assert wide == []


def test_sheets_are_numbered(site: Path, visit: Callable[..., Visit]) -> None:
    sheets = text_of(visit((site / PAGE).as_uri()))
    assert len(sheets) > 5
    assert [sheet for k, sheet in enumerate(sheets, 1) if not sheet.startswith(f"{k} ")] == []


def test_what_scrolls_on_the_screen_is_printed_whole(
    site: Path, visit: Callable[..., Visit]
) -> None:
    seen = visit((site / "book/2-rank/index.html").as_uri())
    page = seen.page
    page.locator("details.dtviz-more").first.evaluate("more => { more.open = true; }")
    page.locator("select[name=view]").first.select_option("calls")
    # A run with many calls, in the midst of which many wait for others.
    for name, value in (("m", 15), ("call", 32)):
        page.locator(f"input[name={name}]").first.fill(str(value))
    lists = seen.page.locator(".dtviz-calls")
    hidden = "list => list.scrollHeight - list.clientHeight"
    assert lists.first.evaluate(hidden) > 0
    seen.page.emulate_media(media="print")
    assert [one.evaluate(hidden) for one in lists.all() if one.is_visible()] == [0]


def test_a_long_table_begins_below_its_heading(site: Path, visit: Callable[..., Visit]) -> None:
    sheets = text_of(visit((site / "book/6-pruning/index.html").as_uri()))
    notation = next(sheet for sheet in sheets if "Notation" in sheet)
    assert "symbol meaning where" in notation
    assert "The map as a list" not in " ".join(sheets)


def test_an_explorer_is_its_picture(site: Path, visit: Callable[..., Visit]) -> None:
    seen = visit((site / "book/2-rank/index.html").as_uri())
    text = " ".join(text_of(seen))
    assert "From 24 examples of majority(5), FIND with rank bound 2" in text
    assert "Copy link" not in text
    seen.page.emulate_media(media="print")
    shown = ".dtviz-explorer :is(input, select, textarea, button)"
    assert [part for part in seen.page.locator(shown).all() if part.is_visible()] == []
