"""Printing a page from the browser: `print.css` for paper, and a choice of what is on it.

The theme's button prints at once, by a handler in the page. Here it is a button that `print.js`
knows, and which first asks for the folded parts that the reader wants; without scripts the
browser's own command prints, with what is usual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PRINTS = "window.print()"
BUTTON = {
    "type": "link",
    "url": "#main-content",
    "text": "Print or PDF ...",
    "tooltip": "Choose what to print",
    "icon": "fas fa-file-pdf",
    "label": "print-button",
}


def offer(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Put our button in the place of the theme's."""
    for group in context.get("header_buttons", ()):
        buttons = group.get("buttons", [])
        for place, button in enumerate(buttons):
            if button.get("javascript") == PRINTS:
                buttons[place] = dict(BUTTON)


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend the buttons when the theme has made them."""
    app.connect("html-page-context", offer, priority=900)
    app.add_js_file("print.js", loading_method="defer")
    app.add_css_file("print.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
