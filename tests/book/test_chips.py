"""Checks that leave the text, and how long a page takes: a small book of claims, and faults."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
import yaml
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from support import site as checks
from support import web

import dtviz as dt
from dtviz.claims.rendering import anchor, first_code
from tools import notebooks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bs4 import Tag
    from nbformat import NotebookNode

    Cells = Sequence[NotebookNode | str]

CLAIMS = ("BLT-C0", "BLT-T3-TERM", "BLT-STOP", "EH-L5", "EH-C2-sample")
"""All that the planted books know; they take no time."""

OURS = ("dtviz_chips", "dtviz_claims", "dtviz_math", "dtviz_minutes", "dtviz_sources")

ONLY_THESE = f"""
import dtviz.claims as known

known.claims = known.by_id([known.claims[name] for name in {CLAIMS}])

def setup(app):
    return {{"parallel_read_safe": True}}
"""
"""Loaded before the others, so that the claims of the real book are missed on no page."""

LEMMA = """:::{{prf:lemma}} A bound
:label: lem-{0}
{{source}}`BlancLangeTan2020 Lemma 5.1`

It holds.{1}
:::"""


def shown(name: str) -> NotebookNode:
    """The cell that checks a claim, as it was run."""
    found = dt.claims.evaluate(dt.claims.claims[name])
    data = {"text/plain": str(found), "text/html": found._repr_html_()}
    outputs = [new_output("display_data", data=data)]
    return new_code_cell(f'dt.check("{name}");', metadata={"tags": ["claim"]}, outputs=outputs)


def table() -> NotebookNode:
    """The cell that shows all claims."""
    report = dt.claims.check_all(CLAIMS)
    data = {"text/plain": "a report", "text/html": report._repr_html_()}
    return new_code_cell("report", outputs=[new_output("display_data", data=data)])


def build(root: Path, pages: dict[str, Cells]) -> Path:
    """Build a book of notebooks whose cells have been run; its pages are texts and cells."""
    config = yaml.safe_load((checks.ROOT / "_config.yml").read_text("utf-8"))
    settings = config["sphinx"]["config"]
    for part in ("_ext", "_static"):
        shutil.copytree(checks.ROOT / "book" / part, root / "book" / part)
    (root / "node_modules").symlink_to(checks.ROOT / "node_modules")
    for name in ("references.bib", "references.md"):
        shutil.copy(checks.ROOT / "book" / name, root / "book" / name)
    (root / "book/_ext/only_these.py").write_text(ONLY_THESE)
    others = set(config["sphinx"]["local_extensions"]) - {*OURS}
    kept = [name for name in settings["extensions"] if name not in others]
    settings["extensions"] = ["only_these", *kept]
    settings |= {"html_extra_path": [], "templates_path": []}
    config["sphinx"]["local_extensions"] = dict.fromkeys(["only_these", *OURS], "book/_ext")
    config["execute"]["execute_notebooks"] = "off"
    (root / "_config.yml").write_text(yaml.safe_dump(config))
    files = [{"file": f"book/{name}"} for name in [*list(pages)[1:], "references"]]
    toc = {"format": "jb-book", "root": f"book/{next(iter(pages))}", "chapters": files}
    (root / "_toc.yml").write_text(yaml.safe_dump(toc))
    for name, cells in pages.items():
        made = [new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        notebook = new_notebook(cells=[new_markdown_cell(f"# The page {name}"), *made])
        notebook.metadata = notebooks.METADATA
        path = root / "book" / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(notebooks.dumps(notebook), "utf-8")
    checks.jupyter_book(root, root)
    return root / "_build/html/book"


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a chip of each kind, one that states no claim, and the table of all."""
    asked = [
        LEMMA.format("one", " {claim}`BLT-C0`"),
        shown("BLT-C0"),
        LEMMA.format("two", "\n\n{claim}`EH-L5 BLT-T3-TERM`"),
        shown("BLT-T3-TERM"),
        shown("EH-L5"),
        "A word to find it by.\n\nSo they say, in prose. {claim}`EH-C2-sample`\n\nThe next.",
        shown("EH-C2-sample"),
        "- An item. {claim}`BLT-STOP`",
        shown("BLT-STOP"),
    ]
    pages = {
        "index": [],
        "1-influence/2-cost": asked,
        "plain": [shown("EH-L5")],
        "claims": [table()],
    }
    words = ["word " * 1400, "$$x = 1$$", "## The second\n\n" + "word " * 100]
    pages |= {"1-influence/index": words, "1-influence/3-short": ["Three words only."]}
    return build(tmp_path_factory.mktemp("chips"), pages)


@pytest.fixture(scope="module")
def article(planted: Path) -> Tag:
    return read(planted / "1-influence/2-cost.html")


def read(path: Path) -> Tag:
    found = BeautifulSoup(path.read_text("utf-8"), "html.parser").article
    assert found is not None
    return found


def chip(article: Tag, claim: str) -> Tag:
    """The chip that tells of a claim."""
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

    def test_elsewhere_it_stands_behind_the_paragraph(self, article: Tag) -> None:
        before = chip(article, "eh-c2-sample").find_previous_sibling()
        assert before.text.strip() == "So they say, in prose."
        assert chip(article, "blt-stop").find_previous(string=re.compile("An item"))
        assert article.select("p:empty") == []

    def test_one_chip_tells_of_several_claims(self, article: Tag) -> None:
        several = chip(article, "eh-l5")
        assert several.summary.text == "✓ 2 claims, 1 repaired"
        assert "repaired" in several["class"]
        assert [part["id"] for part in several.select("section")] == ["eh-l5", "blt-t3-term"]
        # The role stood in a paragraph of its own.
        assert not several.parent.find(string=lambda text: "{claim}" in text)

    def test_a_summary_is_what_was_found(self, article: Tag) -> None:
        cases = dt.claims.evaluate(dt.claims.claims["BLT-C0"]).cases
        assert chip(article, "blt-c0").summary.text.startswith(f"✓ {cases:,} ")
        assert chip(article, "eh-c2-sample").summary.text == "✓ repaired"

    def test_no_check_is_left_in_the_text(self, article: Tag) -> None:
        assert article.select(".cell") == []
        for part in article.select(".dtviz-chip"):
            assert "dt.check(" in part.text
        text = BeautifulSoup(str(article), "html.parser")
        for part in text.select(".dtviz-chip"):
            part.decompose()
        assert not re.search(r"dt\.check|BLT-|EH-|false variants", text.text)

    def test_a_page_that_states_nothing_keeps_its_cells(self, planted: Path) -> None:
        plain = read(planted / "plain.html")
        assert len(plain.select(".cell.tag_claim details.dtviz-claim")) == 1
        assert plain.select(".dtviz-chip") == []

    def test_it_leads_to_its_row_and_to_its_code(self, planted: Path, article: Tag) -> None:
        links = [str(link["href"]) for link in chip(article, "blt-c0").select("a[href]")]
        module, line = first_code(dt.claims.claims["BLT-C0"]) or ("", 0)
        wanted = ["../claims.html#claim-blt-c0", f"../checks/{module}.html#line-{line}"]
        assert [link for link in links if link in wanted] == wanted
        for link in wanted:
            path, _, place = link.partition("#")
            assert f'id="{place}"' in (planted / "1-influence" / path).read_text("utf-8")

    def test_the_rows_lead_to_the_page_that_states_them(self, planted: Path) -> None:
        rows = read(planted / "claims.html").select(".verdicts th a")
        wanted = [f"1-influence/2-cost.html#{anchor(name)}" for name in CLAIMS]
        assert [row["href"] for row in rows] == wanted

    @pytest.mark.parametrize(
        ("page", "said"),
        [
            ("1-influence/index", "About 15 minutes"),  # 1,500 words and a formula
            ("1-influence/3-short", "About 5 minutes"),
            ("plain", None),
        ],
    )
    def test_a_page_of_a_chapter_says_how_long_it_takes(
        self, planted: Path, page: str, said: str | None
    ) -> None:
        line = read(planted / f"{page}.html").select_one("h1 + .dtviz-minutes")
        assert (line and line.text) == said


@pytest.mark.slow
@pytest.mark.parametrize("javascript", [True, False])
def test_a_reader_opens_it_by_the_keyboard(
    planted: Path, visit: Callable[..., web.Visit], javascript: bool
) -> None:
    seen = visit((planted / "1-influence/2-cost.html").as_uri(), width=360, javascript=javascript)
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


def test_no_chapter_of_the_book_shows_a_check_and_each_page_says_how_long(site: Path) -> None:
    verdict = re.compile(r"[\w.-]+: (?:holds|by definition|not tested|prose only|FAILS) ·")
    chapters = [page for page in checks.contents() if re.match(r"book/\d", page)]
    chips = 0
    for page in chapters:
        text = (site / f"{page}.html").read_text("utf-8").partition("<article")[2]
        assert len(re.findall(r'class="dtviz-minutes">About \d+ minutes<', text)) == 1, page
        text, number = re.subn(
            r'<details class="dtviz-chip.*?</details>', "", text, flags=re.DOTALL
        )
        chips += number
        assert "tag_claim" not in text, page
        assert "dtviz-claim" not in text, page
        assert "dt.check(" not in re.sub("<[^>]*>", "", text), page
        assert not verdict.search(text), page
    assert chips > len(chapters)


FAULTS: dict[str, tuple[str, Cells]] = {
    "unknown": ("BLT-NONE is no claim", ["{claim}`BLT-NONE` here"]),
    "twice": ("BLT-C0 is stated on ", ["It. {claim}`BLT-C0`", shown("BLT-C0")]),
    "unchecked": ("no cell of this page checks EH-L5", ["It. {claim}`EH-L5`"]),
    "unstated": ("BLT-STOP is checked, but stated nowhere", [shown("BLT-STOP")]),
}


@pytest.mark.slow
def test_faults_stop_the_build(tmp_path: Path) -> None:
    stated = ["Once. {claim}`BLT-C0`", shown("BLT-C0")]
    cells = [cell for _, page in FAULTS.values() for cell in page]
    with pytest.raises(checks.BuildError) as caught:
        build(tmp_path, {"index": stated, "faults": cells, "claims": []})
    for words, _ in FAULTS.values():
        assert str(caught.value).count(words) == 1, words
    missing = re.findall(r"the claim (\S+) is stated on no page", str(caught.value))
    assert missing == ["BLT-STOP", "BLT-T3-TERM", "EH-C2-sample"]
