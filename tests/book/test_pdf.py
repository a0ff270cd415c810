"""The whole book as a PDF, printed from the strict build: what a reader of it can count on."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader
from support import site as sites

from tools import pdf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from support.web import Visit

pytestmark = pytest.mark.pdf

MOST_BYTES = 15_000_000
FEW = [("book/2-rank/index", 0), ("book/2-rank/3-find", 1), ("book/2-rank/8-exercises", 1)]


def bookmarks(reader: PdfReader) -> list[tuple[int, str, int]]:
    """Return the bookmarks: how deep, what they say, the sheet from 0."""

    def walk(entries: list[Any], depth: int) -> Iterator[tuple[int, str, int]]:
        for entry in entries:
            if isinstance(entry, list):
                yield from walk(entry, depth + 1)
            else:
                yield depth, str(entry.title), reader.get_destination_page_number(entry) or 0

    return list(walk(reader.outline, 0))


def text_of(reader: PdfReader, *sheets: int) -> str:
    """Return the text of some sheets, its blanks made one, no ligatures."""
    text = " ".join(reader.pages[sheet].extract_text() for sheet in sheets)
    return " ".join(unicodedata.normalize("NFKC", text).split())


def resources(reader: PdfReader, kind: str) -> dict[int, Any]:
    """Return the fonts, or the objects that are painted, of all sheets, by their numbers."""
    found: dict[int, Any] = {}

    def gather(holder: Any) -> None:
        held = holder.get("/Resources", {}).get(kind, {})
        for raw in held.values():
            one = raw.get_object()
            number = one.indirect_reference.idnum
            if number not in found:
                found[number] = one
                gather(one)
        if kind != "/XObject":
            for form in holder.get("/Resources", {}).get("/XObject", {}).values():
                gather(form.get_object())

    for page in reader.pages:
        gather(page)
    return found


def not_embedded(fonts: dict[int, Any]) -> list[str]:
    """Find the fonts whose letters are not in the PDF."""
    left_out = []
    for font in fonts.values():
        if font["/Subtype"] == "/Type3":
            continue
        drawn = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        descriptor = drawn.get("/FontDescriptor", {})
        if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor):
            left_out.append(str(font.get("/BaseFont")))
    return left_out


def leads_nowhere(reader: PdfReader) -> list[str]:
    """Find the links that lead neither to a place of the book nor to an address of the web."""
    known = set(reader.named_destinations)
    links = [
        note.get_object()
        for page in reader.pages
        for note in page.get("/Annots", [])
        if note.get_object()["/Subtype"] == "/Link"
    ]
    assert len(links) > 20
    found = []
    for link in links:
        place = str(link["/Dest"]) if "/Dest" in link else ""
        address = str(link["/A"].get("/URI", "")) if "/A" in link else ""
        if place not in known and not address.startswith("http"):
            found.append(place or address)
    return found


@pytest.fixture(scope="session")
def printed() -> Path:
    """The whole book on A4, printed now from the pages of the strict build."""
    sites.build()
    return pdf.write_book(sites.SITE, sites.OUTPUT / "_build" / "pdf", "a4", pdf.listed())


@pytest.fixture(scope="session")
def book(printed: Path) -> PdfReader:
    return PdfReader(printed)


@pytest.fixture(scope="session")
def letter(printed: Path, tmp_path_factory: pytest.TempPathFactory) -> PdfReader:
    """A few pages on letter paper."""
    del printed  # builds the site
    return PdfReader(pdf.write_book(sites.SITE, tmp_path_factory.mktemp("pdf"), "letter", FEW))


def test_it_is_light_and_opens_with_grown_trees(printed: Path, book: PdfReader) -> None:
    assert printed.stat().st_size < MOST_BYTES
    openings = re.findall(r"([^.]*\.[^.]*)\. It moves at", text_of(book, *range(100)))
    assert len(openings) > 5
    assert not [opening for opening in openings if re.search(r"\b1 leaf\b", opening)]


def test_bookmarks_are_chapters_pages_and_sections(book: PdfReader) -> None:
    marks = bookmarks(book)
    sheets = [sheet for _, _, sheet in marks]
    assert sheets == sorted(sheets)
    top = [title for depth, title, _ in marks if depth == 0]
    assert top[:3] == ["Contents", "About this book", "The short course"]
    assert top[3] == "1. Influence-greedy trees"
    assert top[-3:] == ["Solutions", "Glossary", "References"]
    assert [title[0] for title in top if re.match(r"\d\. ", title)] == list("1234567")
    titles = [(depth, title) for depth, title, _ in marks]
    assert (1, "2.3. FIND, a learner of trees of low rank") in titles
    assert (2, "The procedure") in titles
    pages = sum(depth == 1 for _, depth in pdf.listed())
    chapters = titles[: titles.index((0, "Solutions"))]
    assert sum(bool(re.match(r"\d\.\d+\. ", title)) for _, title in chapters) >= pages - 5


def test_the_contents_name_the_sheets_and_sheets_are_numbered(book: PdfReader) -> None:
    # The solutions repeat the chapters' titles: of two bookmarks the first is meant.
    marks = {title: sheet for depth, title, sheet in reversed(bookmarks(book)) if depth < 2}
    contents = text_of(book, 1, 2)
    for title in ("1. Influence-greedy trees", "1.2. The greedy tree", "Solutions", "References"):
        assert f"{title} {marks[title] + 1}" in contents
    for sheet in range(1, len(book.pages), 25):
        assert text_of(book, sheet).startswith(f"{sheet + 1} ")


def test_fonts_are_embedded(book: PdfReader) -> None:
    fonts = resources(book, "/Font")
    assert {"STIXTwoText-Regular", "STIXTwoMath-Regular", "DejaVuSansMono"} <= {
        str(font.get("/BaseFont", "")).partition("+")[2] for font in fonts.values()
    }
    assert not_embedded(fonts) == []
    assert not_embedded({1: {"/Subtype": "/Type1", "/BaseFont": "/Times"}}) == ["/Times"]


def test_figures_are_vectors(book: PdfReader) -> None:
    pixels = [
        (one["/Width"], one["/Height"])
        for one in resources(book, "/XObject").values()
        if one["/Subtype"] == "/Image"
    ]
    masks = 2  # an image may bring one
    raster = [path for path in sites.SITE.glob("_images/*.svg") if "<image" in path.read_text()]
    assert len(pixels) <= masks * len(raster)


def test_no_line_of_code_and_no_formula_is_cut(printed: Path, visit: Callable[..., Visit]) -> None:
    seen = visit(printed.with_suffix(".html").as_uri())
    width = 642  # of A4 less its margins
    seen.page.set_viewport_size({"width": width, "height": 900})
    seen.page.emulate_media(media="print")
    cut = seen.page.evaluate(
        "(width) => [...document.querySelectorAll('pre, table, img, .formula, h1, h2, h3')]"
        ".filter((part) => part.getBoundingClientRect().right > width + 1"
        " || part.scrollWidth > part.clientWidth + 1)"
        ".map((part) => `${part.closest('[class^=depth]')?.id}: ${part.outerHTML.slice(0, 80)}`)",
        width,
    )
    assert cut == []


def test_every_solution_follows_the_chapters(book: PdfReader) -> None:
    marks = {title: sheet for depth, title, sheet in bookmarks(book) if depth == 0}
    after = text_of(book, *range(marks["Solutions"], marks["Glossary"]))
    pages = [sites.SITE / f"{name}.html" for name, _ in pdf.listed()]
    asked = sum(len(re.findall('class="solution ', page.read_text("utf-8"))) for page in pages)
    assert after.count("Solution to Exercise") == asked > 70
    first = marks["1. Influence-greedy trees"]
    assert "Solution to Exercise" not in text_of(book, *range(first, marks["2. Rank and FIND"]))


def test_links_lead_somewhere(book: PdfReader, letter: PdfReader) -> None:
    assert leads_nowhere(book) == []
    assert leads_nowhere(letter) == []
    # A page that is not printed is no link, one that is stays one.
    assert "/book-2-rank-3-find" in letter.named_destinations
    assert not [name for name in letter.named_destinations if "1-influence" in name]


def test_what_is_for_the_screen_stays_there(letter: PdfReader) -> None:
    text = text_of(letter, *range(len(letter.pages)))
    assert "Code" not in map(str.strip, text.splitlines())  # the word under which code is folded
    for words in ("Copy link", "Edit and run", "false variants refuted"):
        assert words not in text, words
    assert "Right: It returns none" in text  # the answer to a question
    assert "majority(5) with rank bound 2: a tree of 7 leaves" in text  # below the explorer
    assert "It moves at book/2-rank/index.html." in text


def test_paper_and_what_the_pdf_says_of_itself(book: PdfReader, letter: PdfReader) -> None:
    for reader, size in ((book, (210, 297)), (letter, (216, 279))):
        boxes = {
            tuple(round(float(side) / 72 * 25.4) for side in page.mediabox[2:])
            for page in reader.pages
        }
        assert boxes == {size}
        result: Any = reader.metadata
        assert result.title == "Decision trees, grown and proved"
        assert result.author == "the dtviz contributors"
        catalogue: Any = reader.trailer["/Root"]
        assert catalogue["/Lang"] == "en"
        assert catalogue["/MarkInfo"]["/Marked"]


def test_the_first_page_offers_what_was_printed(tmp_path: Path) -> None:
    site, made = tmp_path / "html", tmp_path / "decision-trees-letter.pdf"
    first = site / "book" / "index.html"
    first.parent.mkdir(parents=True)
    first.write_text("<article><p>Welcome.</p></article>", "utf-8")
    made.touch()
    pdf.offer(site, made)
    once = first.read_text("utf-8")
    assert '<a href="../decision-trees-letter.pdf">letter</a>.</p></article>' in once
    assert "decision-trees.pdf" not in once
    pdf.offer(site, made)
    assert first.read_text("utf-8") == once


def test_a_missing_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DTVIZ_BROWSER", raising=False)
    monkeypatch.setattr(pdf, "BROWSERS", ("no-such-browser",))
    with pytest.raises(SystemExit, match="needs Chromium or Chrome"):
        pdf.browser()
