"""Old addresses lead on: a chapter was one page, and is a folder of pages.

``book/1-influence.html#blt-alg`` leads to the page of ``book/1-influence/`` that holds the anchor;
an address without one, or without a script, to the first. `sphinx-reredirects` moves whole pages
and knows no anchors, so these few lines stand here.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError
from sphinx.util.osutil import relative_uri

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDERS = (
    "book/1-influence",
    "book/2-rank",
    "book/3-product",
    "book/4-impurity",
    "book/5-growing",
    "book/6-pruning",
)

RENAMED = {
    "book/1-influence": {
        "cost-the-potential-that-always-falls": "the-potential-that-always-falls",
        "floors-under-the-score": "while-there-is-error-there-is-score",
        "lemma-5-4-needs-jensen": "the-floor-from-the-cost-needs-jensen",
        "play-before-you-prove": "influence-play",
        "source-notes": "source-and-repairs",
        "summary": "summary-and-exercises",
        "the-upper-bound-theorem-3": "the-upper-bound",
    },
    "book/2-rank": {
        "find-is-not-greedy-and-what-that-buys": "rank-greedy",
        "from-rank-to-size": "from-rank-to-size-and-beyond-greed",
        "play-before-you-prove": "rank-play",
        "source-notes": "source-and-repairs",
    },
    "book/3-product": {
        "an-influential-variable-lemma-c-1": "an-influential-variable",
        "depth-bounds-influence-lemma-4-2": "depth-bounds-influence",
        "play-before-you-prove": "product-play",
        "source-notes": "source-and-repairs",
        "the-split-identity-and-lemma-4-3": "the-split-identity",
        "two-phases-and-theorem-1-1": "two-phases",
    },
    "book/4-impurity": {
        "impurity-id3-and-cart-on-real-data": "impurity",
        "play-before-you-prove": "impurity-play",
        "source-notes": "source-and-repairs",
    },
    "book/5-growing": {
        "how-large-must-the-tree-be-gini": "gini",
        "play-before-you-prove": "grow-play",
        "source-notes": "source-and-repairs",
    },
    "book/6-pruning": {
        "play-before-you-prove": "pruning-play",
        "source-notes": "source-and-repairs",
    },
}
"""Headings of the one page that have another name now, or whose section another took over."""

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="robots" content="noindex"><link rel="canonical" href="{first}">
<script>
const places = {places};
const anchor = location.hash.slice(1);
const place = Object.hasOwn(places, anchor) ? places[anchor] : {first_js};
location.replace(place.includes("#") ? place : place + location.hash);
</script>
<meta http-equiv="refresh" content="1; url={first}">
</head><body>
<p>This chapter has become several pages: <a href="{first}">{title}</a>.</p>
</body></html>
"""


def pages_below(app: Sphinx, folder: str) -> list[str]:
    """The pages of a folder in the order of the contents, its front page first."""
    toctree = app.env.toctree_includes.get(f"{folder}/index", [])
    return [f"{folder}/index", *toctree]


def write_pages(app: Sphinx, error: Exception | None) -> None:
    """Write the page at each old address."""
    if error is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    for folder in FOLDERS:
        places: dict[str, str] = {}
        for page in pages_below(app, folder):
            address = relative_uri(f"{folder}.html", f"{page}.html")
            article = (site / f"{page}.html").read_text("utf-8").partition("<article")[2]
            for name in re.findall(r'\bid="([^"]+)"', article.partition("</article>")[0]):
                places.setdefault(html.unescape(name), address)
        for old, new in RENAMED[folder].items():
            if new not in places:
                msg = f"{folder}.html#{old} shall lead to #{new}, which no page of {folder} holds"
                raise ExtensionError(msg)
            places[old] = f"{places[new]}#{new}"
        first = relative_uri(f"{folder}.html", f"{folder}/index.html")
        places = {name: address for name, address in places.items() if address != first}
        title = html.escape(app.env.titles[f"{folder}/index"].astext())
        text = PAGE.format(
            title=title, first=first, first_js=json.dumps(first), places=json.dumps(places)
        )
        (site / f"{folder}.html").write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write them when the book stands."""
    app.connect("build-finished", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
