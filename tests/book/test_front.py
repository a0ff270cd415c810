"""The first page: its tree, which grows under a slider; its chapters; the mark and the pictures."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag
from dtviz_front import tree_html
from support.site import contents

import dtviz as dt

if TYPE_CHECKING:
    from collections.abc import Callable

    from support import web

LANDING_BYTES = 22_000  # gzipped: half of what it was with an explorer
PEOPLE = dt.datasets.titanic()
READ = {
    "A man?": lambda row: row["sex"] == "male",
    "First or second class?": lambda row: row["class"] <= 2,
    "Up to 9.5 years old?": lambda row: row["age"] is not None and row["age"] <= 9.5,
    "Up to 2 siblings?": lambda row: row["siblings"] <= 2,
    "Ticket up to £23.35?": lambda row: row["fare"] is None or row["fare"] <= 23.35,
}
"""The questions, as their words say."""


def read_tree(item: Tag, rows: list[dict[str, Any]]) -> tuple[int, list[int]]:
    """Check a node's verdict on its passengers; return how many of its leaves' are right."""
    verdict, asked = item.find(class_="verdict"), item.find(class_="question", recursive=False)
    found = re.fullmatch(r"(?:(?:yes|no): )?(died|survived) (\d+) of (\d+)", verdict.text)
    lived = int(sum(row["y"] for row in rows))
    right = max(lived, len(rows) - lived)
    assert found is not None
    assert (found[1] == "survived") == (lived > len(rows) - lived)
    assert (int(found[2]), int(found[3])) == (right, len(rows))
    if asked is None:
        return right, []
    yes = READ[re.sub("^(?:yes|no): ", "", asked.text)]
    parts = [row for row in rows if yes(row)], [row for row in rows if not yes(row)]
    both = [
        read_tree(child, part)
        for child, part in zip(item.ul.find_all("li", recursive=False), parts, strict=True)
    ]
    splits = [int(item["data-split"]), *both[0][1], *both[1][1]]
    return both[0][0] + both[1][0], splits


def test_the_words_of_the_tree_are_true() -> None:
    """Each verdict is counted again, by the questions as a reader takes them."""
    html = BeautifulSoup(tree_html(6), "html.parser")
    rows = [
        dict(zip((*PEOPLE.feature_names, "y"), (*row, y), strict=True))
        for row, y in zip(np.asarray(PEOPLE.X).tolist(), PEOPLE.y.tolist(), strict=True)
    ]
    assert html.li is not None
    assert html.div is not None
    right, splits = read_tree(html.li, rows)
    assert sorted(splits) == [0, 1, 2, 3, 4]
    shares = [int(share) for share in re.findall(r"\d+", html.div["data-right"])]
    assert len(shares) == 6
    assert shares[-1] == round(100 * right / len(rows))
    assert shares == sorted(shares)
    page = Path(__file__).resolve().parents[2] / "book" / "index.md"
    assert f"has grown on all {len(rows):,} passengers" in page.read_text("utf-8")


def landing(site: Path) -> str:
    return (site / "book/index.html").as_uri()


def test_the_landing_page_is_light(site: Path) -> None:
    html = (site / "book/index.html").read_bytes()
    assert len(gzip.compress(html)) < LANDING_BYTES


def test_every_chapter_has_its_card_with_its_title(site: Path) -> None:
    page = BeautifulSoup((site / "book/index.html").read_text("utf-8"), "html.parser")
    cards = {
        str(link["href"]): card.select_one(".sd-card-title").text.strip()
        for card in page.select(".sd-card")
        for link in card.select("a.sd-stretched-link")
    }
    for name in contents():
        if re.fullmatch(r"book/\d-[\w-]+/index", name):
            html = BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")
            title = html.select_one("article h1").text.rstrip("#").strip()
            assert cards[f"{name.removeprefix('book/')}.html"].startswith(title)


def test_only_the_page_with_the_tree_loads_its_script(site: Path) -> None:
    for name, times in (("index", 1), ("2-rank/index", 0)):
        html = (site / f"book/{name}.html").read_text("utf-8")
        assert html.count("front.js") == times


def test_a_page_asks_early_for_the_fonts_that_it_shows(site: Path) -> None:
    for name, has_formulas in (("book/1-influence/1-trees-and-influence", True), ("search", False)):
        html = (site / f"{name}.html").read_text("utf-8")
        assert ('face("STIX2", "math")' in html) == ("<math" in html) == has_formulas


def test_a_stop_stays_with_its_formula(site: Path) -> None:
    page = BeautifulSoup((site / "book/2-rank/1-low-rank.html").read_text("utf-8"), "html.parser")
    kept = [part.text for part in page.select(".dtviz-unbroken")]
    assert len(kept) > 10
    assert all(re.search(r"[.,;:!?)\]\u2019\u201d]$|\u220e$", text) for text in kept)


def test_a_proof_has_its_head_and_no_tombstone_alone(site: Path) -> None:
    page = BeautifulSoup((site / "book/1-influence/3-cost.html").read_text("utf-8"), "html.parser")
    proofs = page.select("div.proof#proof")
    assert len(proofs) > 2
    for proof in proofs:
        assert proof.select_one("p > em:first-child").text == "Proof."
        assert re.search(r"\S\u00a0\u220e\s*$", proof.text)


def test_the_theme_shows_the_mark(site: Path) -> None:
    page = BeautifulSoup((site / "book/2-rank/index.html").read_text("utf-8"), "html.parser")
    images = page.select(".navbar-brand img")
    assert {str(image["src"]).split("?")[0] for image in images} == {
        "../../_static/mark.svg",
        "../../_static/mark-dark.svg",
    }
    icons = {str(link["href"]).split("?")[0] for link in page.select("link[rel~=icon]")}
    assert icons == {"../../_static/favicon.svg"}


@pytest.mark.parametrize(("width", "height"), [(360, 780), (1024, 768), (1440, 900)])
def test_the_tree_grows_on_the_first_screen(
    site: Path, tab: Callable[..., web.Visit], width: int, height: int
) -> None:
    seen = tab(landing(site), width=width, height=height)
    page = seen.page
    box = page.locator(".dtviz-front-tree")
    ends = "part => [part.getBoundingClientRect().top, part.getBoundingClientRect().bottom]"
    start = box.evaluate(ends)
    assert start[1] - box.locator("ul").first.evaluate(ends)[1] < 2  # no white place below it
    slider, output = box.locator("input"), box.locator("output")
    slider.press("Home")
    assert output.inner_text() == "0 questions, right for 62%"
    assert box.locator("b:visible").all_inner_texts() == ["died"]
    for n_questions in range(1, 6):
        slider.press("ArrowRight")
        assert box.locator("b:visible").count() == n_questions + 1
        assert box.locator(".question:visible").count() == n_questions
    assert slider.get_attribute("aria-valuetext") == "5 questions"
    grown = box.evaluate(ends)
    assert start[0] == grown[0]  # the slider stays under the finger
    assert start[1] < grown[1] <= height
    assert seen.complaints == []


def test_without_scripts_the_tree_is_there(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit(landing(site), javascript=False).page
    assert page.locator(".dtviz-front-tree .question:visible").count() == 5
    assert page.locator(".dtviz-front-tree b:visible").count() == 6
    assert not page.locator(".dtviz-front-tree input").is_visible()
