"""Checks of the built book. Each takes pages and returns its findings, a line each; none is good.

The tests run them on the real site; ``test_planted.py`` runs the same ones on planted faults.
"""

from __future__ import annotations

import ast
import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement
from nbformat import NotebookNode

from tools import notebooks

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "_build" / "strict"
SITE = OUTPUT / "_build" / "html"


class BuildError(Exception):
    """The book did not build without a warning."""


def jupyter_book(source: Path, output: Path) -> str:
    """Build the book in ``source`` below ``output``, warnings being errors; returns what it said.

    Raises
    ------
    BuildError
        On any warning: an unresolved reference, a failing cell, a malformed directive.

    """
    # Sphinx makes millions of objects, which stay: the search among them is a fifth of its time.
    code = "import gc; gc.set_threshold(200_000); from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", code]
    options = ["-W", "-n", "--keep-going", "--path-output", str(output)]
    done = subprocess.run(
        [*command, "build", str(source), *options], capture_output=True, text=True, check=False
    )
    if done.returncode:
        # A page once read is not read again, so its warnings would be gone in the next run.
        shutil.rmtree(output / "_build" / ".doctrees", ignore_errors=True)
        raise BuildError(done.stdout + done.stderr)
    return done.stdout


def share_cache() -> None:
    """Let this build know what cells gave in `make book`, if package and cells are still the same.

    ``book/_ext/dtviz_execution.py`` says how.
    """
    shared, own = ROOT / "_build" / ".jupyter_cache", SITE.parent / ".jupyter_cache"
    for folder in (shared, own.parent):
        folder.mkdir(parents=True, exist_ok=True)
    if not own.exists():
        own.symlink_to(shared, target_is_directory=True)


def build() -> Path:
    """Bring the strict build of this book up to date and return its folder."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    # The processes of one run share one build: the first makes it, the others wait for it. One that
    # fails fails for all of them, and is not tried again for each of a thousand tests.
    run = os.environ.get("DTVIZ_RUN") or os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    done = OUTPUT / "run.txt"
    with OUTPUT.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        of, _, wrong = done.read_text("utf-8").partition("\n") if done.exists() else ("", "", "")
        if not run or of != run:
            share_cache()
            wrong = ""
            try:
                jupyter_book(ROOT, OUTPUT)
            except BuildError as error:
                wrong = str(error)
            done.write_text(f"{run}\n{wrong}", "utf-8")
    if wrong:
        raise BuildError(wrong)
    return SITE


def contents() -> list[str]:
    """Return the pages in the table of contents, in order, as paths without suffix."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = (page for part in toc["parts"] for page in part["chapters"])
    chapters = ([page, *page.get("sections", [])] for page in listed)
    return [toc["root"], *(page["file"] for pages in chapters for page in pages)]


class Page(NamedTuple):
    """A page of a built site: its path within the site, and its parsed HTML."""

    name: str
    html: BeautifulSoup


PageCheck = Callable[[Page], list[str]]


def pages(site: Path) -> Iterator[Page]:
    """Parse the HTML pages of the site: of the listings of code, all alike and long, the first.

    Those that come with the theme are not ours.
    """
    listings = sorted(site.glob("book/checks/*.html"))[1:]
    for path in sorted(set(site.rglob("*.html")) - set(listings)):
        name = path.relative_to(site).as_posix()
        if not name.startswith("_static/"):
            yield Page(name, parsed(path, path.stat().st_mtime_ns))


@cache
def parsed(path: Path, written: int) -> BeautifulSoup:
    """Parse a page, once for all checks, unless it was ``written`` again."""
    del written
    return BeautifulSoup(path.read_text("utf-8"), "html.parser")


def content(page: Page) -> Tag:
    """Return the part of the page the authors wrote (all of it where the theme is absent)."""
    return page.html.find("article") or page.html.find("main") or page.html


def stray_values(page: Page) -> list[str]:
    """Return what cells returned beside their pictures, and a semicolon should have hidden."""
    outputs = content(page).select(".cell_output .output.text_plain")
    values = [output.get_text().strip() for output in outputs]
    return [f"{page.name}: {v}" for v in values if re.match(r"<\w+[: ]|\[?<?Text\(", v)]


ENDS_HIDDEN = re.compile(r";\s*(?:#.*\s*)*\Z")  # a comment may follow


def hidden_values(notebook: NotebookNode) -> list[str]:
    """Find the cells whose last value a semicolon hides from Jupyter, so that nobody compares it.

    A cell that draws may: what it gives is not compared.
    """
    return [
        f"cell {place}: {cell['source']}"
        for place, cell in notebooks.code_cells(notebook)
        if ENDS_HIDDEN.search(cell["source"])
        and not notebooks.draws(cell)
        and isinstance(ast.parse(cell["source"]).body[-1], ast.Expr)
    ]


REMOTE = re.compile(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`)<>\\]*", re.IGNORECASE)
CSS_LOAD = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", re.IGNORECASE)
# Names, not addresses: nothing is ever fetched from them.
NAMESPACES = (
    "http://www.w3.org/",
    "https://www.w3.org/",
    "http://purl.org/",
    "http://creativecommons.org/ns",
)
# Links of these kinds tell a machine about the page; no browser fetches them.
PASSIVE_RELATIONS = {"canonical", "author", "license", "help", "next", "prev", "alternate"}
LOADING_ATTRIBUTES = frozenset((
    "src", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href", "ping",
))  # fmt: skip
DATA_TYPES = {"application/json", "application/ld+json"}


def remote(text: str) -> list[str]:
    """Return the addresses of other hosts in ``text``."""
    return [url for url in REMOTE.findall(text) if not url.startswith(NAMESPACES)]


def css_remote(text: str) -> list[str]:
    """Return the addresses of other hosts that a style sheet loads."""
    loads = (a or b for a, b in CSS_LOAD.findall(text))
    return [url for url in loads if not url.startswith("data:") and remote(url)]


def third_party(page: Page) -> list[str]:
    """Find what a browser would fetch from another host when it opens the page."""
    found = []
    for tag in page.html.find_all(True):
        urls: list[str] = []
        for attribute in LOADING_ATTRIBUTES & tag.attrs.keys():
            value = str(tag[attribute])
            urls += [] if value.startswith("data:") else remote(value)
        urls += css_remote(str(tag.get("style", "")))
        if tag.name in {"link", "use", "image", "feimage", "base"}:
            relations = set(tag.get_attribute_list("rel")) - {None}
            if not relations or relations - PASSIVE_RELATIONS:
                urls += remote(str(tag.get("href", "")))
        if tag.name == "meta" and str(tag.get("http-equiv", "")).lower() == "refresh":
            urls += remote(str(tag.get("content", "")))
        if tag.name == "style":
            urls += css_remote(tag.get_text())
        if tag.name == "script" and tag.get("type") not in DATA_TYPES:
            urls += remote(tag.get_text())
        found += [f"{page.name}: <{tag.name}> loads {url}" for url in urls]
    return found


def third_party_styles(site: Path) -> list[str]:
    """Find what the style sheets of the site would fetch from another host."""
    return [
        f"{path.relative_to(site)}: loads {url}"
        for path in sorted(site.rglob("*.css"))
        for url in css_remote(path.read_text("utf-8"))
    ]


def is_sentence(text: str) -> bool:
    """Whether ``text`` can stand for a picture: at least five words and a full stop."""
    return len(text.split()) >= 5 and text.rstrip().endswith((".", "!", "?"))


def svg_label(svg: Tag) -> str:
    """Return the accessible name of an inline SVG."""
    title = svg.find("title", recursive=False)
    return str(svg.get("aria-label") or (title.get_text() if title else ""))


def is_hidden(tag: Tag) -> bool:
    """Whether assistive technology skips the tag, which then must be mere decoration."""
    return any(t.get("aria-hidden") == "true" for t in [tag, *tag.parents])


def figures_without_alt(page: Page) -> list[str]:
    """Find the pictures in the text whose alternative is missing or not a sentence."""
    found = []
    for tag in content(page).find_all(["img", "svg", "canvas", "object", "embed"]):
        if tag.find_parent("svg") or is_hidden(tag):
            continue
        alt = str(tag.get("alt", "")) if tag.name == "img" else svg_label(tag)
        if not is_sentence(alt):
            shown = str(tag.get("src") or tag.get("id") or tag.get("class") or "")[:80]
            found.append(f"{page.name}: <{tag.name} {shown}> says {alt!r}, not a sentence")
    found += [
        f"{page.name}: <img {tag.get('src')}> has no alt at all"
        for tag in page.html.select("img:not([alt])")
    ]
    return found


ROLE_LEFT = re.compile(r"\{[a-zA-Z][\w:-]*\}\s*`[^`]+`|:::|\?\?|\[\?\]|\\(?:ref|cite|eqref)\b")
VERBATIM = ["pre", "code", "script", "style", "textarea", "kbd"]


def unresolved(page: Page) -> list[str]:
    """Find references that Sphinx or MyST left as they were typed, or marked as broken."""
    broken = [
        tag
        for tag in content(page).select(".problematic, .system-message")
        if not tag.find_parent(VERBATIM)
    ]
    unlinked = [
        tag
        for tag in content(page).select(".xref, .std-ref, .std-numref")
        if not tag.find_parent("a")
    ]
    typed = [
        text
        for text in content(page).find_all(string=ROLE_LEFT)
        if not text.find_parent(VERBATIM) and not text.find_parent(class_="math")
    ]
    kinds: dict[str, Sequence[PageElement]] = {
        "marked as broken": broken,
        "leads nowhere": unlinked,
        "left as typed": typed,
    }
    return [
        f"{page.name}: {kind}: {found.get_text(' ', strip=True)[:120]}"
        for kind, all_found in kinds.items()
        for found in all_found
    ]


ODD_SIGNS = re.compile(
    r",\s*,|[^\W\d]\.\.(?=\s|$)|;\s*;|\s[,;](?=\s)|\(\s|\s\)|\(\)|,\.|(?<!\bal)(?<![\[.])\.,"
    r"|[?!]{2}|\s\.(?=\s|$)"
)
"""Signs doubled, or parted from their word, as text that was moved leaves them."""

NO_PROSE = "script, style, pre, svg, .dtviz-chip, .cell_output, .headerlink, .dtviz-explorer"


def odd_signs(page: Page) -> list[str]:
    """Find doubled and lost signs in the sentences of a page."""
    article = copy(content(page))
    for part in article.select(NO_PROSE):
        part.decompose()
    for part in article.select("code, .math, button, img"):
        part.replace_with("x")
    found = []
    for block in article.find_all(["p", "li", "td", "dd", "h1", "h2", "h3", "figcaption"]):
        if not block.find(["p", "ul", "ol", "table"]):
            text = " ".join(block.get_text().split())
            found += [
                f"{page.name}: {text[max(0, odd.start() - 30) : odd.end() + 30]}"
                for odd in ODD_SIGNS.finditer(text)
            ]
    return found


def anchors(html: BeautifulSoup) -> set[str]:
    """Return the names a fragment may point at."""
    return {str(tag.get("id") or tag.get("name")) for tag in html.select("[id], a[name]")}


EXPLORER = re.compile(r"dtviz-([a-z]+)\?(?:[a-z]+\.\w+=[^&]*&?)+")


def is_place(html: BeautifulSoup, known: set[str], fragment: str) -> bool:
    """Whether a fragment is an anchor of a page, or sets an explorer that the page has."""
    explorer = EXPLORER.fullmatch(fragment)
    return fragment in known or bool(explorer and html.select(f"[data-explorer={explorer[1]}]"))


def dead_links(site: Path) -> list[str]:
    """Find links and sources within the site whose file or anchor does not exist."""
    parsed = {page.name: page.html for page in pages(site)}
    known = {name: anchors(html) for name, html in parsed.items()}
    found = []
    for name, html in parsed.items():
        for tag in html.select("[href], [src]"):
            target = str(tag.get("href") or tag.get("src") or "")
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not target:
                continue
            path = (site / name).parent / unquote(parts.path) if parts.path else site / name
            path = path.resolve()
            if not path.is_file():
                found.append(f"{name}: {target} is no file of the site")
                continue
            page_name = path.relative_to(site.resolve()).as_posix()
            fragment = unquote(parts.fragment)
            if not fragment or page_name not in known:
                continue
            if not is_place(parsed[page_name], known[page_name], fragment):
                found.append(f"{name}: {target} is no anchor of {page_name}")
    return sorted(set(found))
