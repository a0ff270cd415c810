"""What a page tells of its edition: how to cite it, a description, and where its notebook runs.

Version and year come from CITATION.cff. Where ``_config.yml`` names a repository on GitHub
(``repository: {url: ...}``), each notebook has buttons for Colab and Binder; else there are none.
``python -m editions`` (`make site`) adds what depends on where the site stands.
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_search import plain

sys.path.append(str(Path(__file__).resolve().parents[2]))  # for `editions`, beside the book

from editions import facts, notebooks

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

CHAPTER = re.compile(r"book/\d-[\w-]+/")
LENGTH = 200
"""Characters of a description: what a search engine shows."""


# -- a description ---------------------------------------------------------------------------------


def description(doctree: nodes.document) -> str:
    """Return the first paragraph of the page's own text, cut at a word."""
    for section in doctree.findall(nodes.section):
        for part in section.children:
            text = plain(part) if isinstance(part, nodes.paragraph) else ""
            if len(text) >= 50:
                return text if len(text) <= LENGTH else f"{text[:LENGTH].rsplit(' ', 1)[0]} ..."
    return ""


# -- how to cite -----------------------------------------------------------------------------------


def chapter_of(env: BuildEnvironment, page: str) -> tuple[str, str, str] | None:
    """Return the first page, number and title of the chapter that a page belongs to."""
    found = CHAPTER.match(page)
    first = f"{found[0]}index" if found else ""
    if first not in env.titles:
        return None
    number = ".".join(map(str, env.toc_secnumbers.get(first, {}).get("", ())))
    return first, number, plain(env.titles[first])


def bibtex(edition: facts.Edition, address: str, chapter: tuple[str, str, str] | None) -> str:
    """Return the entry for a chapter, or for the book."""
    kind = "incollection" if chapter else "book"
    page, number, title = chapter or ("book/index", "", "")
    told = {
        "author": f"{{{edition.authors}}}",
        "title": title or edition.title,
        "booktitle": edition.title if chapter else "",
        "chapter": number,
        "edition": edition.name,
        "year": edition.date[:4],
        "note": f"Version {edition.version}",
        "url": f"{address}{edition.name}/{page}.html" if address else "",
    }
    key = f"dtviz{edition.name}" + (f"-{number}" if number else "")
    lines = [f"  {name} = {{{said}}}," for name, said in told.items() if said]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def cite(env: BuildEnvironment, page: str, edition: facts.Edition, address: str) -> str:
    """Return the fold that says how to cite a page's chapter; the first page's, how the book."""
    chapter = chapter_of(env, page)
    if chapter is None and page != env.config.root_doc:
        return ""
    entry = html.escape(bibtex(edition, address, chapter))
    what = "chapter" if chapter else "book"
    return (
        f'<details class="dtviz-cite"><summary>Cite this {what}</summary>\n'
        '<div class="highlight-none notranslate"><div class="highlight">'
        f"<pre>{entry}</pre></div></div>\n</details>\n"
    )


# -- where the notebook runs -----------------------------------------------------------------------


def launchers(repository: str, edition: facts.Edition, page: str) -> list[dict[str, str]]:
    """Return the buttons that open a page's notebook elsewhere, both in this edition's state."""
    slug = notebooks.slug(repository)
    colab = f"{slug}/blob/{notebooks.BRANCH}/{edition.name}/{notebooks.FOLDER}/{page}.ipynb"
    binder = f"{slug}/v{edition.version}?urlpath=lab/tree/{page}.ipynb"
    return [
        {
            "type": "link",
            "text": "Colab",
            "tooltip": "Run this notebook on Colab",
            "icon": "_static/images/logo_colab.png",
            "url": f"https://colab.research.google.com/github/{colab}",
        },
        {
            "type": "link",
            "text": "Binder",
            "tooltip": "Run this notebook on Binder",
            "icon": "_static/images/logo_binder.svg",
            "url": f"https://mybinder.org/v2/gh/{binder}",
        },
    ]


def dress(
    app: Sphinx, page: str, _: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add to a page what it tells of itself and of its edition."""
    if doctree is None:
        return
    edition = facts.edition()
    if told := description(doctree):
        context["metatags"] = (
            f'{context.get("metatags", "")}<meta name="description" content="{html.escape(told)}">'
        )
    context["body"] += cite(app.env, page, edition, facts.address())
    repository = str(app.config.html_theme_options.get("repository_url") or "")
    if repository and str(app.env.doc2path(page)).endswith(".ipynb"):
        context["header_buttons"].append(
            {
                "type": "group",
                "tooltip": "Run this notebook elsewhere",
                "icon": "fas fa-rocket",
                "buttons": launchers(repository, edition, page),
                "label": "launch-buttons",
            }
        )


def setup(app: Sphinx) -> dict[str, bool]:
    """Dress the pages; write them again when the citation changes."""
    told = "\n".join([*facts.edition(), facts.address()])
    app.add_config_value("dtviz_citation", told, "html")
    # After the theme has made its buttons.
    app.connect("html-page-context", dress, priority=900)
    app.add_css_file("editions-page.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
