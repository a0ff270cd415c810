"""The PDF edition, set from the strict build: bookmarks, numbers, fonts, text; each check bites."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from docutils import nodes
from sphinx.util.docutils import new_document
from support import pdf as checks
from support import site as sites

from tools import pdf as edition

sys.path.append(str(sites.ROOT / "book" / "_ext"))  # as Sphinx finds its extensions

import dtviz_pdf
import dtviz_pdf_tables as tables
from dtviz_pdf_nodes import hold_headings, wrapped

if TYPE_CHECKING:
    from pathlib import Path

CHAPTERS = 7


@pytest.fixture(scope="session")
def book() -> Path:
    """The edition on A4, set now from the pages of the strict build."""
    sites.build()
    if lacking := edition.missing():
        if os.environ.get("CI"):
            pytest.fail(f"the PDF needs {lacking}")
        pytest.skip(f"the PDF needs {', '.join(lacking)}")
    command = [sys.executable, str(sites.ROOT / "tools" / "pdf.py"), "--strict"]
    subprocess.run([*command, "--output", str(sites.OUTPUT)], check=True)
    return sites.OUTPUT / "_build" / "pdf" / "decision-trees.pdf"


@pytest.fixture(scope="session")
def pages(book: Path) -> list[str]:
    """The text of each page."""
    return checks.texts(book)


@pytest.fixture(scope="session")
def letter(book: Path) -> Path:
    """The same on letter paper: one run more, for its pages are those of A4."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": edition.date(), "FORCE_SOURCE_DATE": "1"}
    return edition.set_paper(book.parent, "letter", environment)


def prose(name: str) -> str:
    """What a page says: it is a file of Markdown, or a notebook with cells of it."""
    path = sites.ROOT / f"{name}.md"
    if path.exists():
        return path.read_text("utf-8")
    notebook = json.loads(path.with_suffix(".ipynb").read_text("utf-8"))
    cells = (cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    return "\n\n".join("".join(cell["source"]) for cell in cells)


@pytest.mark.pdf
class TestBook:
    def test_it_has_as_many_pages_as_a_book(self, pages: list[str]) -> None:
        assert 380 <= len(pages) <= 600

    def test_every_page_of_the_contents_has_a_bookmark_in_order(self, book: Path) -> None:
        listed = [name for name in sites.contents() if re.match(r"book/\d", name)]
        titles = []
        for name in listed:
            heading = re.search(r"^# (.*)$", prose(name), re.MULTILINE)
            assert heading is not None
            titles.append(re.sub(r"[$\\]", "", heading[1]))
        found = checks.bookmarks(book)
        plain = [(depth, re.sub(r"^[\d.]+ ", "", title), page) for depth, title, page in found]
        plain = [mark for mark in plain if mark[0] <= 1]
        starts = {int(title.split()[0]) for _, title, _ in found if re.match(r"\d ", title)}
        assert starts == set(range(1, CHAPTERS + 1))
        # A title may come again in each chapter: numbers and pages are compared one by one.
        inner = [title for _, title, _ in plain if title in set(titles)]
        assert inner[: len(titles)] == titles
        last = ["Preface", "Homework 1: Influence-greedy trees", "Solutions and answers",
                "Pictures that move", "Glossary", "References", "Index"]  # fmt: skip
        assert checks.out_of_order(plain, last) == []

    def test_statements_have_the_numbers_of_the_site(self, pages: list[str]) -> None:
        site = sites.SITE / "book" / "1-influence" / "2-cost.html"
        shown = re.findall(
            r'class="caption-number">((?:Theorem|Lemma|Definition) [\d.]+)', site.read_text("utf-8")
        )
        text = "\n".join(pages)
        assert len(shown) > 5
        for name in shown:
            assert re.search(rf"\b{name.strip()}[ .]", text.replace("\n", " ")), name

    def test_nothing_is_unresolved(self, pages: list[str]) -> None:
        assert checks.unresolved(pages) == []

    def test_fonts_are_embedded(self, book: Path) -> None:
        told = subprocess.run(
            ["pdffonts", str(book)], capture_output=True, text=True, check=True
        ).stdout
        assert len(told.splitlines()) > 6
        assert checks.fonts_left_out(told) == []

    def test_it_tells_what_it_is(self, book: Path, pages: list[str]) -> None:
        told = checks.told_of_itself(book)
        assert told["title"] == "Decision trees, grown and proved"
        assert told["author"] == "the dtviz contributors"
        assert told["language"] == "en"
        assert pages[1].startswith("Decision trees, grown and proved")  # behind the cover
        assert told["author"] in pages[1]

    def test_both_papers_have_the_same_pages(
        self, book: Path, letter: Path, pages: list[str]
    ) -> None:
        assert checks.sheet(book) == (210, 297)
        assert checks.sheet(letter) == (216, 279)
        assert len(checks.texts(letter)) == len(pages)
        assert checks.bookmarks(letter) == checks.bookmarks(book)
        log = letter.with_suffix(".log").read_text("utf-8", errors="replace")
        assert "cover-letterpaper.pdf" in log
        assert checks.overfull(log) == []

    def test_text_can_be_taken_out(self, pages: list[str]) -> None:
        text = re.sub(r"\s+", " ", " ".join(pages))
        assert "is computed by a tree with at most" in text  # a lemma
        assert "first" in text
        assert "difference" in text  # a ligature
        assert not re.search("[\ufb00-\ufb06]", text)

    def test_no_line_and_no_page_stands_out(self, book: Path) -> None:
        log = book.with_suffix(".log").read_text("utf-8", errors="replace")
        assert "Output written" in log
        assert checks.overfull(log) == []

    def test_solutions_follow_the_chapters(self, book: Path, pages: list[str]) -> None:
        pages_of = {title: page for _, title, page in checks.bookmarks(book)}
        start = pages_of["Solutions and answers"]
        asked = sum(prose(name).count("{exercise}") for name in sites.contents())
        before, after = "\n".join(pages[:start]), "\n".join(pages[start:])
        heads = re.findall(r"^Exercise \d\.\d+\s+\(p\. \d+\)", after, re.MULTILINE)
        assert len(heads) == asked > 70
        assert not re.search(r"^Exercise \d\.\d+\s+\(p\. \d+\)", before, re.MULTILINE)

    def test_no_check_and_no_fold_is_printed(self, book: Path, pages: list[str]) -> None:
        # The page for teachers tells how hidden tests are marked.
        teaching = {title: page for _, title, page in checks.bookmarks(book)}
        text = "\n".join(pages[: teaching["Teaching with this book"]])
        assert "false variants refuted" not in text
        assert "dt.check(" not in "\n".join(pages[: len(pages) // 2])
        assert "BEGIN HIDDEN" not in text
        assert "Show code" not in text
        assert "Edit and run" not in text

    def test_each_explorer_says_where_it_moves(self, book: Path, pages: list[str]) -> None:
        marks = {title: page for _, title, page in checks.bookmarks(book)}
        listed = "".join(pages[marks["Pictures that move"] : marks["Glossary"]])
        printed, listed = (
            re.sub(r"\s+", "", text) for text in ("".join(pages[: marks["Glossary"]]), listed)
        )
        notebooks = sorted((sites.ROOT / "book").glob("[1-7]*/*.ipynb"))
        for path in notebooks:
            if "data-explorer" not in sites.SITE.joinpath(
                "book", path.parent.name, f"{path.stem}.html"
            ).read_text("utf-8"):
                continue
            place = f"book/{path.parent.name}/{path.stem}.html#dtviz-"
            assert place in listed, path.name
            assert printed.count(place) >= 2 * listed.count(place), path.name


class TestChecksBite:
    def test_a_font_left_out(self) -> None:
        head = "name type encoding emb sub uni object ID\n---- ---- ---- --- --- --- ------\n"
        good = "ABCDEF+Pagella CID Identity-H yes yes yes 12 0\n"
        assert checks.fonts_left_out(head + good) == []
        assert checks.fonts_left_out(head + good + good.replace("yes", "no", 1)) != []

    @pytest.mark.parametrize(
        "left", ["see page ??", "by {prf:ref}`lem-a`", "<details>", "<Listing: id3 of dtviz>"]
    )
    def test_what_was_left_as_typed(self, left: str) -> None:
        assert checks.unresolved(["A good page.", left]) != []
        assert checks.unresolved(["A good page: a < b > c."]) == []

    def test_a_line_that_stands_out_and_a_formula_too_small(self) -> None:
        assert checks.overfull(r"Overfull \hbox (4.0pt too wide) in paragraph") == []
        assert checks.overfull(r"Overfull \hbox (6.0pt too wide) in paragraph") != []
        page = r"Overfull \vbox (166.1pt too high) has occurred while \output is active []"
        assert checks.overfull(page) != []
        assert checks.overfull("dtviz: a formula of 500.0pt in 400.0pt") == []
        assert checks.overfull("dtviz: a formula of 700.0pt in 400.0pt") != []

    def test_a_long_table_may_break_and_columns_go_by_what_they_hold(self) -> None:
        def cell(text: str) -> nodes.entry:
            return nodes.entry("", nodes.paragraph("", text))

        narrow, wide = [cell("x")] * 3, [cell("many words that need room " * 4)] * 3
        few, much = tables.shares([narrow, wide])
        assert few < 0.1
        assert 0.7 < much < 0.95
        assert sum(tables.shares([narrow, narrow])) < 0.2  # no wider than it needs
        long_word = [cell("unbreakable" * 3)] * 3
        assert tables.shares([long_word, wide])[0] > 0.3

        body = nodes.tbody("", *(nodes.row("", cell("a"), cell("b")) for _ in range(tables.LONG)))
        table = nodes.table("", nodes.tgroup("", body, cols=2))
        document = new_document("a page")
        document += nodes.section("", table)
        tables.print_tables(document)
        assert table["classes"] == ["longtable"]
        table["classes"] = []
        table.replace_self(wrapped("\n\\begin{dtvizaside}", [table.deepcopy()]))
        tables.print_tables(document)
        assert next(document.findall(nodes.table))["classes"] == []

    def test_a_heading_of_the_text_and_code_ask_for_room(self) -> None:
        document = new_document("a page")
        bold, plain = nodes.strong("", "In this chapter"), nodes.Text("In this chapter")
        document += nodes.paragraph("", "", bold)
        document += nodes.paragraph("", "", plain)
        hold_headings(document)
        assert [type(part).__name__ for part in document] == ["wrap", "paragraph", "paragraph"]

    def test_a_chapter_without_its_bookmark(self) -> None:
        marks = [(0, "One", 3), (0, "Two", 9)]
        assert checks.out_of_order(marks, ["One", "Two"]) == []
        assert checks.out_of_order(marks, ["Two", "One"]) != []
        assert checks.out_of_order(marks, ["One", "Three"]) != []

    def test_what_is_missing_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        lacking = edition.missing()
        assert lacking["xelatex"] == "texlive-xetex"
        assert "rsvg-convert" in lacking


class TestLink:
    def front(self, tmp_path: Path) -> dict[str, Any]:
        """What the first page becomes where this folder holds the PDFs."""
        config = SimpleNamespace(root_doc="book/index")
        app = cast("Any", SimpleNamespace(outdir=tmp_path / "html", config=config))
        context: dict[str, Any] = {"body": "<section><p>Welcome.</p></section>"}
        dtviz_pdf.tell(app, "book/index", "", context)
        return context

    def test_the_first_page_offers_what_was_made(self, tmp_path: Path) -> None:
        (tmp_path / "pdf").mkdir()
        (tmp_path / "pdf" / "decision-trees.pdf").touch()
        context = self.front(tmp_path)
        assert context["dtviz_pdfs"] == ["decision-trees.pdf"]
        assert '<a href="../decision-trees.pdf">A4</a>.</p></section>' in context["body"]

    def test_it_offers_nothing_else(self, tmp_path: Path) -> None:
        context = self.front(tmp_path)
        assert context == {"dtviz_pdfs": [], "body": "<section><p>Welcome.</p></section>"}
