"""What was tried is a chip at the statement, and how long a page takes: a small planted book."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup
from support import site as checks
from support import web
from support.small_book import write_book

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bs4 import Tag

RECORD = json.loads((checks.ROOT / "book" / "claims.json").read_text("utf-8"))
CLAIMS = ("BLT-C0", "BLT-T3-TERM", "BLT-STOP", "EH-L5", "EH-C2-sample")
"""All that the planted books know."""

EXTENSIONS = ("dtviz_chips", "dtviz_claims", "dtviz_claims_page", "dtviz_math", "dtviz_sources")

LEMMA = """:::{{prf:lemma}} A bound
:label: lem-{0}
{{source}}`BlancLangeTan2020 Lemma 5.1`

It holds.{1}
:::"""


PROOF_ONLY = ":::{prf:theorem} Untried\n:label: thm-untried\nIt holds, too.\n:::"


def build(root: Path, pages: dict[str, Sequence[str]]) -> Path:
    """Build a book of notebooks of text."""
    write_book(root, pages, EXTENSIONS, bibliography=True)
    (root / "tests").symlink_to(checks.ROOT / "tests")
    record = [entry for entry in RECORD if entry["id"] in CLAIMS]
    (root / "book" / "claims.json").write_text(json.dumps(record), "utf-8")
    checks.jupyter_book(root, root)
    return root / "_build/html/book"


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a chip of each kind, one that states no claim, and the table of all."""
    asked = [
        LEMMA.format("one", " {claim}`BLT-C0`"),
        LEMMA.format("two", "\n\n{claim}`EH-L5 BLT-T3-TERM`"),
        "A word to find it by.\n\nSo they say, in prose. {claim}`EH-C2-sample`\n\nThe next.",
        "- An item. {claim}`BLT-STOP`",
        PROOF_ONLY,
    ]
    pages = {
        "index": [],
        "1-influence/3-cost": asked,
        "plain": ["Nothing is claimed here."],
        "claims": ["```{claims-table}\n```\n\n```{claims-repairs}\n```"],
    }
    return build(tmp_path_factory.mktemp("chips"), pages)


@pytest.fixture(scope="module")
def article(planted: Path) -> Tag:
    return read(planted / "1-influence/3-cost.html")


def read(path: Path) -> Tag:
    found = BeautifulSoup(path.read_text("utf-8"), "html.parser").article
    assert found is not None
    return found


def chip(article: Tag, claim: str) -> Tag:
    """The chip that has a claim."""
    return article.select_one(f".dtviz-chip:has(#{claim})")


@pytest.mark.slow
@pytest.mark.xdist_group("planted chips")
class TestPage:
    def test_a_chip_stands_in_the_box_that_names_its_claim(self, article: Tag) -> None:
        box = article.select_one("#lem-one")
        assert box.select(".dtviz-chip") == [chip(article, "blt-c0")]
        assert "dtviz-checked" in box["class"]
        assert box.select_one(".dtviz-source").text.endswith("Lemma 5.1")
        assert "It holds." in box.text

    def test_elsewhere_it_is_in_the_corner_of_its_paragraph(self, article: Tag) -> None:
        box = chip(article, "eh-c2-sample").parent
        assert "dtviz-checked" in box["class"]
        assert box.find("p", recursive=False).text.strip() == "So they say, in prose."
        item = chip(article, "blt-stop").find_parent("li")
        assert "An item." in item.text
        assert article.select("p:empty") == []

    def test_a_theorem_without_a_claim_says_so(self, article: Tag) -> None:
        assert article.select_one("#thm-untried .dtviz-chip > summary").text == "proof only"

    def test_one_chip_has_several_claims(self, article: Tag) -> None:
        several = chip(article, "eh-l5")
        assert several.summary.text == "✓ 2 claims, 1 repaired"
        assert "repaired" in several["class"]
        assert [part["id"] for part in several.select("section")] == ["eh-l5", "blt-t3-term"]
        # The role stood in a paragraph of its own.
        assert not several.parent.find(string=lambda text: "{claim}" in text)

    def test_a_summary_is_the_verdict(self, article: Tag) -> None:
        assert chip(article, "blt-c0").summary.text == "✓ holds"
        assert chip(article, "eh-c2-sample").summary.text == "✓ repaired"

    def test_a_page_that_states_nothing_has_no_chip(self, planted: Path) -> None:
        assert read(planted / "plain.html").select(".dtviz-chip") == []

    def test_it_leads_to_its_row_and_to_its_code(self, planted: Path, article: Tag) -> None:
        links = [str(link["href"]) for link in chip(article, "blt-c0").select("a[href]")]
        (entry,) = (entry for entry in RECORD if entry["id"] == "BLT-C0")
        lines = (checks.ROOT / entry["file"]).read_text("utf-8").splitlines()
        line = 1 + next(k for k, text in enumerate(lines) if f"def {entry['function']}(" in text)
        name = entry["file"].removeprefix("tests/claims/").removesuffix(".py").replace("/", ".")
        wanted = ["../claims.html#claim-blt-c0", f"../checks/{name}.html#line-{line}"]
        assert [link for link in links if link in wanted] == wanted
        for link in wanted:
            path, _, place = link.partition("#")
            assert f'id="{place}"' in (planted / "1-influence" / path).read_text("utf-8")

    def test_the_rows_lead_to_the_page_that_states_them(self, planted: Path) -> None:
        rows = read(planted / "claims.html").select(".verdicts th a")
        places = {name.lower().replace(".", "-") for name in CLAIMS}
        assert {row["href"] for row in rows} == {f"1-influence/3-cost.html#{p}" for p in places}

    def test_what_the_source_prints_is_refuted_on_a_case(self, planted: Path) -> None:
        stories = read(planted / "claims.html").select(".story")
        assert {story.strong.text for story in stories} == {"BLT-T3-TERM", "EH-C2-sample"}
        assert all("refute it, of" in story.small.text for story in stories)


@pytest.mark.slow
@pytest.mark.parametrize("javascript", [True, False])
def test_a_reader_opens_it_by_the_keyboard(
    planted: Path, visit: Callable[..., web.Visit], javascript: bool
) -> None:
    seen = visit((planted / "1-influence/3-cost.html").as_uri(), width=360, javascript=javascript)
    page = seen.page
    summaries = page.locator(".dtviz-chip > summary")
    for summary in summaries.all():
        body = summary.locator("+ .dtviz-chip-body")
        assert not body.is_visible()
        summary.focus()
        page.keyboard.press("Enter")
        assert body.is_visible()
        box = body.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    assert page.locator(".dtviz-chip:has(#eh-l5)").get_by_text("false variants").first.is_visible()
    if javascript:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert web.axe_findings(page, "article") == []
    page.emulate_media(media="print")
    assert not any(summary.is_visible() for summary in summaries.all())


def test_every_statement_of_the_book_has_its_mark(site: Path) -> None:
    chapters = [page for page in checks.contents() if re.match(r"book/\d", page)]
    for page in chapters:
        article = read(site / f"{page}.html")
        boxes = article.select("div:is(.theorem, .proposition, .lemma, .corollary)")
        assert [box["id"] for box in boxes if len(box.select(".dtviz-chip")) != 1] == [], page


FAULTS = {
    "unknown": ("BLT-NONE is no claim", "{claim}`BLT-NONE` here"),
    "twice": ("BLT-C0 is stated on ", "It. {claim}`BLT-C0`"),
}


@pytest.mark.slow
def test_faults_stop_the_build(tmp_path: Path) -> None:
    pages = {"index": ["Once. {claim}`BLT-C0`"], "faults": [text for _, text in FAULTS.values()]}
    with pytest.raises(checks.BuildError) as caught:
        build(tmp_path, pages | {"claims": []})
    for words, _ in FAULTS.values():
        assert str(caught.value).count(words) == 1, words
    missing = re.findall(r"the claim (\S+) is stated on no page", str(caught.value))
    assert missing == ["BLT-STOP", "BLT-T3-TERM", "EH-C2-sample", "EH-L5"]
