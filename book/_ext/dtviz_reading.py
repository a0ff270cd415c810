"""Where a reader was: `book/_static/reading.js` on every page, and its line on the first page.

The line stands in the page from the start, hidden, and a script right behind it shows it before
anything below is laid out: nothing moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LINE = (
    '<p class="dtviz-resume" hidden></p>'
    "<script>globalThis.dtvizReading?.resume(document.currentScript.previousSibling)</script>"
)


def offer(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Put the line below the title of the first page."""
    if page == app.config.root_doc and "body" in context:
        context["body"] = context["body"].replace("</h1>", f"</h1>{LINE}", 1)


def setup(app: Sphinx) -> dict[str, bool]:
    """Load the script before the page is shown: it is small, and the line waits for it."""
    app.connect("html-page-context", offer)
    app.add_js_file("reading.js")
    app.add_css_file("reading.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
