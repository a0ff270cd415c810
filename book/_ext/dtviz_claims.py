"""What the rows of the page of claims link to: the code of each check, and each source.

Every module that holds a check becomes a page ``book/checks/<module>.html`` with an anchor a line.
A source is found in the references under the name of its key, which no renumbering changes.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]

from dtviz.claims import claims
from dtviz.claims.rendering import anchor, first_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

REFERENCES = "book/references"


def modules() -> list[str]:
    """Return the names of the modules that hold a check."""
    return sorted({place[0] for claim in claims.values() if (place := first_code(claim))})


def code_pages(_: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each module that holds a check."""
    for name in modules():
        text = inspect.getsource(import_module(name))
        formatter = HtmlFormatter(lineanchors="line", wrapcode=True)
        lines = highlight(text, PythonLexer(), formatter)
        lines = re.sub(r'<a id="line-(\d+)" name="line-\1" href="#line-\1"></a>', _anchored, lines)
        body = f'<h1>{name}</h1>\n<p><a href="../claims.html">All claims</a></p>\n{lines}'
        yield f"book/checks/{name}", {"title": name, "body": body, "parents": []}, "page.html"


def _anchored(found: re.Match[str]) -> str:
    """A place, not a link: nobody wants to reach each line by the tabulator key."""
    return f'<span id="line-{found[1]}"></span>'


def name_sources(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Give each entry of the references its key as a second address."""
    if page == REFERENCES:
        for entry in app.env.get_domain("cite").citations:  # type: ignore[attr-defined]
            start = rf'(<div class="citation" id="{entry.citation_id}"[^>]*>)'
            named = rf'\1<span id="{anchor(entry.key)}"></span>'
            context["body"] = re.sub(start, named, context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the pages and the addresses."""
    app.connect("html-collect-pages", code_pages)
    app.connect("html-page-context", name_sources)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
