"""Mend what the page generator gets wrong for a screen reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def list_items(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
    """Make each reference an item of its list: docutils gives the list a role, the item another."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend each page before it is written."""
    app.connect("html-page-context", list_items)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
