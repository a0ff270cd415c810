"""Previews: what a link leads to, on a card, when the reader points at the link or focuses it.

When the pages are written, each gets a classic script with a card for each place that a link may
lead to: ``_static/previews/<page>.js``. ``previews.js`` loads the script of a link's target when
the card is wanted, so that a page itself grows by nothing and works from disk. The cards are cut
from the built pages: whatever made their formulas has been at work by then.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from copy import copy
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

FOLDER = "_static/previews"
RULES = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
A_TAG = re.compile(r"<a\s[^>]*>")
# Most of a page is formulas and code, which a card shows as they are: they are not taken apart.
WHOLE = re.compile(r"<(math|pre)\b.*?</\1>", re.DOTALL)
HELD = re.compile(r'<(math|pre) held="(\d+)"></\1>')
HREF = re.compile(r'\shref="([^"]*)"')
# What a card shows of a box: the statement. Its evidence, the code and the buttons stay behind.
LEFT_OUT = (
    "script, style, details, button, svg, .headerlink, .cell, .dtviz-explorer, .toctree-wrapper,"
    " [hidden]"
)
NAMES = frozenset(("id", "name", "aria-labelledby", "aria-describedby"))
HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
LONGEST = 4000
"""A longer card is cut after the block in which it passes this many characters of HTML."""


def write_cards(app: Sphinx, error: Exception | None) -> None:
    """Write the cards that some link asks for, unless they are there already."""
    if error is not None or app.builder.format != "html":
        return
    paths = {name: Path(app.outdir, f"{name}.html") for name in sorted(app.env.found_docs)}
    pages = {name: path.read_text("utf-8") for name, path in paths.items() if path.exists()}
    wanted = linked(pages)
    for name, html in pages.items():
        script = Path(app.outdir, FOLDER, f"{name}.js")
        asked = " ".join(sorted(wanted[name]))
        head = f"// {hashlib.sha256(f'{asked} {RULES} {html}'.encode()).hexdigest()[:16]}\n"
        if not script.exists() or not script.read_text("utf-8").startswith(head):
            script.parent.mkdir(parents=True, exist_ok=True)
            script.write_text(head + script_of(name, html, wanted[name]), "utf-8")


def linked(pages: dict[str, str]) -> dict[str, set[str]]:
    """Return the ids on each page to which the text of some page links; none is the page itself."""
    wanted: dict[str, set[str]] = {name: {""} for name in pages}
    for name, html in pages.items():
        for tag in A_TAG.findall(html):
            link = HREF.search(tag)
            if link and "reference internal" in tag and "nav-link" not in tag:
                path, _, place = unescape(link[1]).partition("#")
                there = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
                wanted.get(there.removesuffix(".html") if path else name, set()).add(unquote(place))
    return wanted


def script_of(name: str, html: str, wanted: set[str]) -> str:
    """Return the script with the cards of a page: ids, and the HTML shown for them."""
    shown = json.dumps(cards(html, wanted), ensure_ascii=False, separators=(",", ":"))
    return f"(globalThis.dtvizCards??={{}})[{json.dumps(name)}]={shown};\n"


def cards(html: str, wanted: set[str]) -> dict[str, str]:
    """Return the cards of places on a page; that of the page itself has no id."""
    held: list[str] = []

    def hold(part: re.Match[str]) -> str:
        held.append(part[0])
        return f'<{part[1]} held="{len(held) - 1}"></{part[1]}>'

    page = BeautifulSoup(WHOLE.sub(hold, html), "html.parser")
    article = page.find("article") or page
    if not isinstance(article, Tag):
        return {}
    found: dict[str, str] = {}
    for place in article.find_all(id=wanted.__contains__):
        # An empty mark is a second name of the box in which it stands, or of what follows it.
        box = place if place.name != "span" or place.get_text() else named(place)
        if box is not None and (blocks := card(box)):
            found[str(place["id"])] = written(blocks, held)
    top = article.find("section")
    if isinstance(top, Tag) and (blocks := card(top)):
        found[""] = written(blocks, held)
    return found


def named(mark: Tag) -> Tag | None:
    """Return what an empty mark names."""
    if mark.parent is not None and mark.parent.name == "section":
        for after in mark.find_next_siblings():
            if after.name != "span" or after.get_text():
                return mark.parent if after.name in HEADINGS else after
    return mark.parent


def card(box: Tag) -> list[Tag]:
    """Return the blocks that stand for a place, none if it is of no kind that has a card."""
    kinds = set(box.get_attribute_list("class"))
    if box.name == "section":
        opening = box.find("p", recursive=False)
        return [*box.find_all(HEADINGS, recursive=False)[:1], *([opening] if opening else [])]
    if kinds & {"proof", "exercise"} and "solution" not in kinds:
        content = box.find("section", recursive=False)
        return [
            *box.select(":scope > .admonition-title"),
            *(content or box).find_all(recursive=False),
        ]
    if box.name == "dt":
        return entry(box)
    if box.name == "table" or "citation" in kinds:
        return box.find_all(["caption", "p", "ul"], recursive=False)
    if box.name in {"p", "figure"} or ("math" in kinds and box.name == "div"):
        return [box]
    return [box.parent] if "dtviz-pointer" in kinds and box.parent is not None else []


def entry(term: Tag) -> list[Tag]:
    """Return a term of the glossary with its definition, or a signature with what it does."""
    definition = term.find_next_sibling("dd")
    if definition is None:
        return []
    if "sig" not in term.get_attribute_list("class"):
        return [term, *definition.find_all(recursive=False)]
    soup = BeautifulSoup("<p><code></code></p>", "html.parser")
    plain = re.sub(r"\s+", " ", shorn(term).get_text()).strip()
    soup.code.append(plain)  # type: ignore[union-attr]
    place = definition.select(":scope > .dtviz-place > p")
    return [soup.p, *definition.find_all("p", recursive=False)[:1], *place]  # type: ignore[list-item]


def written(blocks: list[Tag], held: list[str]) -> str:
    """Return the HTML of a card: its first block is the title; no id stands in it twice."""
    copies = [shorn(block) for block in blocks]
    is_title = "admonition-title" in copies[0].get_attribute_list("class")
    if is_title or copies[0].name in {*HEADINGS, "dt"}:
        copies[0].name, copies[0].attrs = "p", {"class": "dtviz-card-title"}
    return "".join(cut(copies, held))


def cut(blocks: list[Tag], held: list[str]) -> Iterator[str]:
    """Yield blocks until they are long enough for a card."""
    length = 0
    for block in blocks:
        whole = HELD.sub(lambda mark: held[int(mark[2])], str(block))
        whole = re.sub(r' class="reference (?:ex|in)ternal"', "", whole)
        text = re.sub(r"\s*\n\s*", "\n", whole).strip()
        if length and length + len(text) > LONGEST:
            yield "<p>…</p>"
            return
        length += len(text)
        yield text


def shorn(block: Tag) -> Tag:
    """Return a copy of a block without ids and without what a card leaves out."""
    shown = copy(block)
    for part in shown.select(LEFT_OUT):
        part.decompose()
    for part in [shown, *shown.find_all()]:
        for name in NAMES & part.attrs.keys():
            del part[name]
    return shown


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the cards when all pages are written and whatever changes them has done so."""
    app.add_js_file("previews.js", loading_method="defer")
    app.add_css_file("previews.css")
    app.connect("build-finished", write_cards, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
