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


NAMELESS = re.compile(r'(<a class="[^"]*" href="[^"]*">([^<]*)</a><details[^>]*><summary)>')


def with_name(found: re.Match[str]) -> str:
    """Return the arrow with the name of what it opens: a chapter by its number."""
    number = re.match(r"\d+(?=\.)", found[2])
    return f'{found[1]} aria-label="Pages of {f"chapter {number[0]}" if number else found[2]}">'


def fold_names(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
    """Name what opens the pages of a part in the contents: the theme shows an arrow only."""
    made = context.get("generate_toctree_html")
    if made is not None:

        def named(*args: Any, **options: Any) -> Any:
            return NAMELESS.sub(with_name, str(made(*args, **options)))

        context["generate_toctree_html"] = named


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend each page before it is written."""
    app.connect("html-page-context", list_items)
    # After the theme has said how its contents are made.
    app.connect("html-page-context", fold_names, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
