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

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="robots" content="noindex"><link rel="canonical" href="{first}">
<script>
const places = {places};
const anchor = location.hash.slice(1);
location.replace((places[anchor] ?? {first_js}) + location.hash);
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
