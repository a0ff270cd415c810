"""The first page: its tree, which grows under a slider; its chapters; the mark and the pictures."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag
from dtviz_front import tree_html
from support.node import evaluate
from support.site import contents

import dtviz as dt
from dtviz.explorers.base import STATIC

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator
    from support import web

LANDING_BYTES = 22_000  # gzipped: half of what it was with an explorer
READ = {
    "A woman?": lambda row: row["sex"] == "female",
    "First class?": lambda row: row["class"] == 1,
    "First or second class?": lambda row: row["class"] <= 2,
    "Up to 27 years old?": lambda row: row["age"] is None or row["age"] <= 27,
    "Ticket up to £20.66?": lambda row: row["fare"] is not None and row["fare"] <= 20.66,
}
"""The questions, as their words say."""
RIGHT = [[260, 549], [349, 672], [349, 672], [357, 688], [357, 688], [357, 688]]
"""Of the 450, and of the other 859, after so many questions."""


def walk(items: list[Tag], row: dict[str, Any], n_questions: int) -> int:
    """Return the item at which a passenger stands who is asked the first questions."""
    item = items[0]
    while 0 <= int(item["data-asked"]) < n_questions:
        yes, no = item.ul.find_all("li", recursive=False)
        item = yes if READ[item.p.find(class_="question").text](row) else no
    return next(k for k, other in enumerate(items) if other is item)


def test_everybody_falls_as_the_words_of_the_questions_say() -> None:
    """Each passenger is asked again; the page's own program has the same leaves and counts."""
    people = dt.datasets.titanic()
    rows = [
        dict(zip((*people.feature_names, "y"), (*row, y), strict=True))
        for row, y in zip(np.asarray(people.X).tolist(), people.y.tolist(), strict=True)
    ]
    # The 450 on which the trees of all chapters grow, and the others.
    known = [k for k, row in enumerate(rows) if None not in (row["age"], row["fare"])]
    first = np.random.default_rng(0).permutation(known)[:450].tolist()
    grown = dt.datasets.titanic(numeric=True).split(450, 200, seed=0)[0]
    assert [rows[k]["fare"] for k in first] == np.asarray(grown.X)[:, -1].tolist()
    rows = [rows[k] for k in (*first, *sorted({*range(len(rows))} - {*first}))]
    html = BeautifulSoup(tree_html(5), "html.parser")
    items, tree = html.find_all("li"), json.loads(html.div["data-tree"])
    code = """({people, nodes, grown}) => [0, 1, 2, 3, 4, 5].map((asked) => {
      const codes = [...people].map((digit) => parseInt(digit, 36));
      const [up, born] = [0, 1].map((k) => nodes.map((node) => node[k]));
      const leaf = codes.map((code) => leafAt(up, born, code >> 1, asked));
      const right = codes.map((code, k) => Number(nodes[leaf[k]][2] === code % 2));
      const group = codes.map((_, k) => (k < grown ? 0 : 1));
      const fall = { before: [], landed: codes.map(() => 1) };
      return [leaf, codes.map((code) => code % 2), rightSoFar(group, 2, right, fall)];
    })"""
    found = evaluate([STATIC / "computing/falls.js"], code, tree)
    for n_questions, (leaves, survived, right) in enumerate(found):
        ends = [walk(items, row, n_questions) for row in rows]
        for part in (slice(450), slice(450, None)):
            mine = [(end, row["y"]) for end, row in zip(ends[part], rows[part], strict=True)]
            assert sorted(mine) == sorted(zip(leaves[part], survived[part], strict=True))
        assert right == RIGHT[n_questions] == tree["right"][n_questions]
    for k, item in enumerate(items):
        words = item.p.find(class_="verdict").text.split()
        mine = [row["y"] for row in rows[:450] if any(items[j] is item for j in way(items, row))]
        assert words == [
            ("died", "survived")[tree["nodes"][k][2]],
            str(mine.count(tree["nodes"][k][2])),
            "of",
            str(len(mine)),
        ]


def way(items: list[Tag], row: dict[str, Any]) -> set[int]:
    """Return all items that a passenger comes to."""
    return {walk(items, row, n_questions) for n_questions in range(6)}


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


COUNTS = re.compile(r"Right: (\d+) of the (?:450 it learned from|other 859), (\d+)%")


def counts(box: Locator) -> list[int]:
    """Return what stands below the tree: how many it is right about, if their share is true."""
    found = [
        (int(right), int(share))
        for right, share in COUNTS.findall(box.locator(".counts").inner_text())
    ]
    for (right, share), size in zip(found, (450, 859), strict=False):
        assert share == round(100 * right / size)
    return [right for right, _ in found]


@pytest.mark.parametrize(("width", "height"), [(360, 780), (1024, 768), (1440, 900)])
def test_people_stand_where_they_end_on_the_first_screen(
    site: Path, tab: Callable[..., web.Visit], width: int, height: int
) -> None:
    seen = tab(landing(site), width=width, height=height, reduced_motion=True)
    box = seen.page.locator(".dtviz-front-tree")
    place = box.bounding_box()
    slider, button = box.locator("input"), box.locator("button")
    for n_questions, right in enumerate(RIGHT):
        if n_questions:
            button.click()
        assert counts(box) == right[:1]
        assert box.locator("b.label0:visible, b.label1:visible").count() == n_questions + 1
        assert box.locator(".question:visible").count() == n_questions
    assert slider.get_attribute("aria-valuetext") == "5 questions"
    button.click()
    assert counts(box) == RIGHT[-1]
    slider.press("ArrowLeft")
    assert counts(box) == RIGHT[-2]
    assert str(RIGHT[-2][1]) in box.locator("[aria-live]").inner_text()
    assert place == box.bounding_box()
    assert place["y"] + place["height"] <= height
    assert seen.complaints == []


def test_people_fall_and_are_counted_as_they_land(
    site: Path, tab: Callable[..., web.Visit]
) -> None:
    page = tab(landing(site), width=1024, height=768).page
    box = page.locator(".dtviz-front-tree")
    page.wait_for_function("document.querySelector('.counts').innerText.includes('260')")
    seen: set[int] = set()
    box.locator("button").click()
    while (now := box.locator(".counts").inner_text()) and counts(box) != RIGHT[1][:1]:
        seen |= {int(one) for one in re.findall(r"(\d+) of .*, so far", now)}
    assert seen <= {*range(260, RIGHT[1][0] + 1)}
    assert len(seen) > 1, "it counts while they fall"
    box.locator("input").press("End")
    box.locator("button").click()
    page.wait_for_function(
        "document.querySelector('.counts').innerText.includes('688 of the other 859, 80%')"
    )
    assert counts(box) == RIGHT[-1]


def test_without_scripts_the_tree_is_there(site: Path, visit: Callable[..., web.Visit]) -> None:
    box = visit(landing(site), javascript=False).page.locator(".dtviz-front-tree")
    assert box.locator(".question:visible").count() == 5
    assert box.locator(".verdict:visible").count() == 6
    assert counts(box) == RIGHT[-1]
    assert not box.locator("input").is_visible()
