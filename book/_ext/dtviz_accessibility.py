"""Mend what the page generator gets wrong for a screen reader."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def list_items(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
    """Make each reference an item of its list: docutils gives the list a role, the item another."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


NAMELESS = re.compile(r'(<a class="[^"]*" href="[^"]*">(\d+)\.[^<]*</a><details[^>]*><summary)>')


def fold_names(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
    """Name what opens the pages of a chapter in the contents: the theme shows an arrow only."""
    made = context.get("generate_toctree_html")
    if made is not None:

        def named(*args: Any, **options: Any) -> Any:
            told = r'\1 aria-label="Pages of chapter \2">'
            return NAMELESS.sub(told, str(made(*args, **options)))

        context["generate_toctree_html"] = named


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend each page before it is written."""
    app.connect("html-page-context", list_items)
    # After the theme has said how its contents are made.
    app.connect("html-page-context", fold_names, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
