"""How to cite a page's chapter, or the book on its first page: a folded BibTeX entry at the end.

Title, authors, version and year come from CITATION.cff, the address from ``html: baseurl``.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from dtviz_search import plain

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"
CHAPTER = re.compile(r"book/\d-[\w-]+/")


def read_citation() -> dict[str, Any]:
    """Read CITATION.cff."""
    citation: dict[str, Any] = yaml.safe_load(CITATION.read_text("utf-8"))
    return citation


def chapter_of(env: BuildEnvironment, page: str) -> tuple[str, str, str] | None:
    """Return the first page, number and title of the chapter that a page belongs to."""
    found = CHAPTER.match(page)
    first = f"{found[0]}index" if found else ""
    if first not in env.titles:
        return None
    number = ".".join(map(str, env.toc_secnumbers.get(first, {}).get("", ())))
    return first, number, plain(env.titles[first])


def bibtex(citation: dict[str, Any], address: str, chapter: tuple[str, str, str] | None) -> str:
    """Return the entry for a chapter, or for the book."""
    page, number, title = chapter or ("book/index", "", citation["title"])
    year = str(citation["date-released"])[:4]
    fields = {
        "author": "{" + " and ".join(author["name"] for author in citation["authors"]) + "}",
        "title": title,
        "booktitle": citation["title"] if chapter else "",
        "chapter": number,
        "year": year,
        "note": f"Version {citation['version']}",
        "url": f"{address.rstrip('/')}/{page}.html" if address else "",
    }
    key = f"dtviz{year}" + (f"-{number}" if number else "")
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{'incollection' if chapter else 'book'}{{{key},", *lines, "}"])


def cite(
    app: Sphinx, page: str, _: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the fold to the pages of chapters and to the first page."""
    chapter = chapter_of(app.env, page)
    if doctree is None or (chapter is None and page != app.config.root_doc):
        return
    entry = html.escape(bibtex(read_citation(), app.config.html_baseurl, chapter))
    context["body"] += (
        f'<details class="dtviz-cite"><summary>Cite this {"chapter" if chapter else "book"}'
        '</summary>\n<div class="highlight-none notranslate"><div class="highlight">'
        f"<pre>{entry}</pre></div></div>\n</details>\n"
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the folds; write the pages again when the citation changes."""
    app.add_config_value("dtviz_citation", CITATION.read_text("utf-8"), "html")
    app.connect("html-page-context", cite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
