"""Print the built site as one book: ``make pdf``, or ``make pdf PAPER=letter``.

The articles of the pages become one page of HTML, with the style sheets of the site and
``tools/pdf.css``; Chromium prints it, with bookmarks and tags. It does so twice: the first print
shows on which sheet each page of the contents begins. The first page of the site then links to it.
"""

from __future__ import annotations

import argparse
import html
import io
import os
import posixpath
import re
import shutil
import struct
import subprocess
import sys
import zlib
from copy import copy
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urlsplit

import matplotlib as mpl
import yaml
from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, StreamObject, TextStringObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
STYLE = Path(__file__).with_suffix(".css")
FONTS = Path(mpl.get_data_path(), "fonts", "ttf")
FACES = {"DejaVuSansMono": "Code", "DejaVuSansMono-Bold": "Code; font-weight: 700"}
PAPERS = {"a4": "decision-trees", "letter": "decision-trees-letter"}
BROWSERS = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "microsoft-edge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)  # fmt: skip
ON_SCREEN = ("book/claims", "book/class", "book/reference/")
"""What is for the screen: the table of claims, which one sorts and opens, the figures to show in
class, and the reference."""
PREFACE, LAST = "book/about", ("book/glossary", "book/references")
"""What stands before the chapters, and behind the solutions."""
NOT_PRINTED = (
    "script, .headerlink, .toctree-wrapper, .dtviz-chip, .dtviz-code,"
    " details.hide, .dtviz-run, .dtviz-literal-program, .dtviz-map > details, button"
)
HEADINGS = re.compile(r"h[1-5]$")


class Page(NamedTuple):
    """A page of the site: its name, how deep it stands in the contents, its article."""

    name: str
    depth: int
    article: Tag

    @property
    def heading(self) -> Tag:
        """The title of the page."""
        return cast("Tag", self.article.find(HEADINGS))


def listed() -> Iterator[tuple[str, int]]:
    """Yield the pages to print, in order, each with how deep it stands in the contents."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    yield PREFACE, 0
    tops = [page for part in toc["parts"] for page in part["chapters"]]
    for page in sorted(tops, key=lambda page: page["file"] in LAST):
        if page["file"] != PREFACE and not page["file"].startswith(ON_SCREEN):
            yield page["file"], 0
            yield from ((section["file"], 1) for section in page.get("sections", []))


def place(page: str, fragment: str = "") -> str:
    """Return the name that a place of the site has in the book."""
    return f"{page}--{fragment}".replace("/", "-") if fragment else page.replace("/", "-")


def read(site: Path, name: str, depth: int) -> Page:
    """Read what is printed of a page; its headings move down by ``depth``."""
    parsed = BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")
    article = cast("Tag", parsed.select_one("article.bd-article"))
    for part in article.select(NOT_PRINTED):
        part.decompose()
    for heading in article.find_all(HEADINGS):
        heading.name = f"h{int(heading.name[1]) + depth}"
    # Each part of a line of code is a tag of the PDF: those of the text's own color need none.
    for part in article.select(".highlight span:is(.n, .p, .w, :empty)"):
        part.unwrap()
    for fold in article.find_all("details"):
        fold["open"] = ""
    return Page(name, depth, article)


def connect(page: Page, printed: set[str], site: Path, output: Path) -> None:
    """Let the names, links and pictures of a page hold in the book; other links become text."""
    folder = posixpath.dirname(page.name)
    for tag in page.article.select("[id], [href], img"):
        if "id" in tag.attrs:
            tag["id"] = place(page.name, str(tag["id"]))
        if tag.name == "img":
            tag["loading"] = "eager"
            tag["src"] = os.path.relpath(site / folder / str(tag["src"]), output)
        to = urlsplit(str(tag.get("href", "")))
        if tag.name != "a" or "href" not in tag.attrs or to.scheme:
            continue
        target = posixpath.normpath(posixpath.join(folder, to.path)) if to.path else ""
        name = target.removesuffix(".html") or page.name
        if name in printed and "?" not in to.fragment:
            tag["href"] = f"#{place(name, to.fragment)}"
        else:
            del tag["href"]


def print_explorers(page: Page) -> None:
    """Say below the picture of an explorer what it shows and where it moves."""
    for picture in page.article.select(".dtviz-explorer img"):
        picture.insert_after(f"{picture['alt']} It moves at {page.name}.html.")


def solutions(pages: list[Page]) -> Page:
    """Take the solutions of exercises and questions out of their pages; return them as a page."""
    new = BeautifulSoup('<article class="bd-article"></article>', "html.parser")
    article = cast("Tag", new.article)
    article.append(new.new_tag("h1", string="Solutions"))
    chapter, last = "", None
    for page in pages:
        chapter = chapter if page.depth else page.heading.get_text()
        found = page.article.select(".solution")
        for box in page.article.select(".dtviz-predict"):
            answer = new.new_tag("div", attrs={"class": "dtviz-answers"})
            for title in box.select(".dtviz-predict-title"):
                asked = copy(title)
                del asked["id"]
                answer.append(asked)
            answer.extend(box.select(".dtviz-predict-solution"))
            found.append(answer)
        if found and chapter != last:
            article.append(new.new_tag("h2", string=chapter))
            last = chapter
        article.extend([solution.extract() for solution in found])
    return Page("solutions", 0, article)


def contents(pages: list[Page], sheets: dict[str, int]) -> str:
    """Return the list of the pages with the sheets on which they begin."""
    lines = "".join(
        f'<li class="depth-{page.depth}"><a href="#{place(page.name)}"><span>'
        f"{page.heading.decode_contents()}</span> {sheets.get(place(page.name), 0)}</a></li>"
        for page in pages
    )
    return f'<nav class="bd-article"><h1>Contents</h1><ol>{lines}</ol></nav>'


def styles(site: Path, output: Path) -> Iterator[str]:
    """Yield the links to the style sheets of the site, and the fonts and the style of the book."""
    first = (site / f"{PREFACE}.html").read_text("utf-8")
    for sheet in re.findall(r'href="[./]*(_static/[^"?]*\.css)', first):
        yield f'<link rel="stylesheet" href="{os.path.relpath(site / sheet, output)}">'
    rules = (
        f'@font-face {{ font-family: {font}; src: url("{(FONTS / name).as_uri()}.ttf"); }}'
        for name, font in FACES.items()
    )
    # The site's pages take this face only if it comes at once; a printed one waits for it.
    text = os.path.relpath(site / "_static" / "stix-two-text-latin-400-normal.woff2", output)
    face = f'@font-face {{ font-family: "STIX Two Text"; src: url("{text}"); }}'
    yield f"<style>{face} {' '.join(rules)} {STYLE.read_text('utf-8')}</style>"


def browser() -> str:
    """Return the browser that prints: ``DTVIZ_BROWSER``, or one that is installed."""
    found = os.environ.get("DTVIZ_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("The PDF needs Chromium or Chrome. On Debian: sudo apt-get install chromium")
    return found


def print_page(source: Path, target: Path) -> None:
    """Let Chromium print a page of HTML."""
    command = [
        browser(), "--headless", "--no-sandbox", "--disable-gpu", "--font-render-hinting=none",
        "--no-pdf-header-footer", "--generate-pdf-document-outline", f"--print-to-pdf={target}",
        source.as_uri(),
    ]  # fmt: skip
    target.unlink(missing_ok=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not target.exists():
        sys.exit(f"Chromium did not print the book:\n{done.stderr}")


def assemble(site: Path, output: Path, names: Iterable[tuple[str, int]]) -> list[Page]:
    """Return the pages as they are printed, in order, with the solutions."""
    pages = [read(site, name, depth) for name, depth in names]
    printed = {page.name for page in pages}
    for page in pages:
        print_explorers(page)
        connect(page, printed, site, output)
    pages = sorted([*pages, solutions(pages)], key=lambda page: page.name in LAST)
    ids = {str(tag["id"]) for page in pages for tag in page.article.select("[id]")}
    ids |= {place(name) for name in printed}
    for page in pages:
        for link in page.article.select("a[href^='#']"):
            if str(link["href"])[1:] not in ids:
                del link["href"]
    return pages


def name_bookmarks(writer: PdfWriter, text: str) -> None:
    """Name the bookmarks after the headings: Chromium doubles what it moved to the next sheet."""

    def walk(outline: list[Any]) -> Iterator[Any]:
        for entry in outline:
            yield from walk(entry) if isinstance(entry, list) else [entry.node]

    headings = re.findall(r"<h([1-6])\b[^>]*>(.*?)</h\1>", text, re.DOTALL)
    for mark, (_, heading) in zip(walk(writer.outline), headings, strict=True):
        plain = html.unescape(re.sub(r"<[^>]*>", "", heading))
        mark[NameObject("/Title")] = TextStringObject(" ".join(plain.split()))


def pack(path: Path, together: int = 200) -> None:
    """Compress what Chromium writes in the open: two thirds of a file are its tags, one by one."""
    reader = PdfReader(path)
    size = cast("int", reader.trailer["/Size"])
    out, place, small = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), {}, []

    def add(number: int, text: bytes) -> None:
        place[number] = (1, len(out), 0)
        out.extend(b"%d 0 obj\n%b\nendobj\n" % (number, text))

    def stream(head: str, text: bytes) -> bytes:
        data = zlib.compress(text, 9)
        start = f"<< {head} /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
        return start.encode() + data + b"\nendstream"

    for number in range(1, size):
        found = reader.get_object(number)
        if found is None:
            continue
        part = io.BytesIO()
        found.write_to_stream(part)
        if isinstance(found, StreamObject):
            add(number, part.getvalue())
        else:
            small.append((number, part.getvalue()))
    for k in range(0, len(small), together):
        group = small[k : k + together]
        ends = list(accumulate((len(text) + 1 for _, text in group), initial=0))
        head = " ".join(f"{number} {end}" for (number, _), end in zip(group, ends, strict=False))
        for index, (number, _) in enumerate(group):
            place[number] = (2, size, index)
        body = f"{head} ".encode() + b" ".join(text for _, text in group)
        about = f"/Type /ObjStm /N {len(group)} /First {len(head) + 1}"
        add(size, stream(about, body))
        size += 1
    start = len(out)
    place[size] = (1, start, 0)
    rows = (place.get(number, (0, 0, 0)) for number in range(size + 1))
    table = b"".join(struct.pack(">BIH", *row) for row in rows)
    ends_at = " ".join(
        f"{key} {reader.trailer.raw_get(key).idnum} 0 R" for key in ("/Root", "/Info")
    )
    about = f"/Type /XRef /W [1 4 2] /Size {size + 1} {ends_at}"
    add(size, stream(about, table))
    path.write_bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def write_book(site: Path, output: Path, paper: str, names: Iterable[tuple[str, int]]) -> Path:
    """Print the pages ``names`` of a built site on one paper; returns the PDF in ``output``."""
    output.mkdir(parents=True, exist_ok=True)
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    title, author = html.escape(settings["title"]), html.escape(settings["author"])
    pages = assemble(site, output, names)
    body = "".join(
        f'<div class="depth-{page.depth}" id="{place(page.name)}">{page.article}</div>'
        for page in pages
    )
    picture = f'<img src="{(ROOT / "book" / "_static" / "two-trees.svg").as_uri()}" alt="">'
    cover = f'<div class="cover"><p>{title}</p>{picture}<small>{author}</small></div>'
    head = "".join(styles(site, output))
    source, draft = output / f"{PAPERS[paper]}.html", output / f"{PAPERS[paper]}-draft.pdf"
    sheets: dict[str, int] = {}
    for _ in range(2):
        text = (
            '<!doctype html><html lang="en" data-theme="light" data-mode="light"><head>'
            f'<meta charset="utf-8"><title>{title}</title>{head}'
            f"<style>@page {{ size: {paper}; }}</style></head>"
            f'<body><div class="bd-article-container">{cover}{contents(pages, sheets)}'
            f"{body}</div></body></html>"
        )
        source.write_text(text, "utf-8")
        print_page(source, draft)
        reader = PdfReader(draft)
        sheets = {
            name.removeprefix("/"): (reader.get_destination_page_number(target) or 0) + 1
            for name, target in reader.named_destinations.items()
        }
    writer = PdfWriter(draft, incremental=True)
    writer.add_metadata({"/Author": settings["author"]})
    name_bookmarks(writer, text)
    whole = output / f"{PAPERS[paper]}.pdf"
    writer.write(whole)
    pack(whole)
    draft.unlink()
    return whole


def offer(site: Path, made: Path) -> None:
    """Put a PDF into the site, where the first page offers all that are there."""
    shutil.copy(made, site)
    first = site / "book" / "index.html"
    text = re.sub(r'<p class="dtviz-pdf">.*?</p>', "", first.read_text("utf-8"))
    links = " or ".join(
        f'<a href="../{name}.pdf">{paper.replace("a4", "A4")}</a>'
        for paper, name in PAPERS.items()
        if (site / f"{name}.pdf").exists()
    )
    line = f'<p class="dtviz-pdf">To print: the whole book as a PDF, on {links}.</p>'
    start, end, rest = text.rpartition("</article>")
    first.write_text(f"{start}{line}{end}{rest}", "utf-8")


def main() -> None:
    """Print the book on one paper."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--paper", choices=PAPERS, default="a4")
    build = ROOT / "_build"
    made = write_book(build / "html", build / "pdf", options.parse_args().paper, listed())
    offer(build / "html", made)
    print(f"The book to print: {made}")


if __name__ == "__main__":
    main()
