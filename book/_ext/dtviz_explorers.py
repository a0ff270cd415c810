"""Ship the explorers to the built book: a page loads the scripts of those that it shows.

A browser refuses ES modules on a page opened from disk, so these are classic scripts, and one more,
the host, finds the explorers of the page. Where the metadata of a notebook say ``"sticky": true``,
its first explorer stays beside the text in a wide window (`book.css`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util import logging

from dtviz.explorers.front_end import BUNDLES, MOUNT, script_names, style_sheet

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STYLE = "dtviz-explorers.css"
SCRIPTS = {path.stem: f"dtviz-explorer-{path.name}" for path in sorted(BUNDLES.glob("*.js"))}
ASSETS = {file: (BUNDLES / f"{name}.js").read_text("utf-8") for name, file in SCRIPTS.items()}
ASSETS[STYLE] = style_sheet()

logger = logging.getLogger(__name__)


def write_assets(app: Sphinx) -> None:
    """Write the scripts and the style sheet where Sphinx looks for static files."""
    folder = Path(app.outdir).parent / "explorers"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ASSETS.items():
        (folder / name).write_text(text, "utf-8")
    app.config.html_static_path.append(str(folder))


def add_assets(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Load what the page needs; the host last, since it draws with the others."""
    for name in script_names(context.get("body", "")):
        app.add_js_file(SCRIPTS[name], loading_method="defer")


def mark_sticky(app: Sphinx, document: nodes.document) -> None:
    """Mark the cell of the explorer that stays beside the text of a page, and what makes room.

    A style sheet could find these sections itself, with ``:has()``, but a browser asks that again
    for every node that the explorer draws.
    """
    page = app.env.docname
    if app.env.metadata[page].get("sticky") != "True":
        return
    for cell in document.findall(nodes.container):
        shown = (raw.astext() for raw in cell.findall(nodes.raw))
        if cell.parent.parent is document and any(map(MOUNT.search, shown)):
            cell["classes"].append("dtviz-sticky")
            cell.parent["classes"].append("dtviz-beside")
            for section in document.findall(nodes.section):
                if any(
                    "tag_full-width" in one["classes"] for one in section.findall(nodes.container)
                ):
                    section["classes"].append("dtviz-wide")
            return
    logger.warning("a sticky page has an explorer before its first ##", location=page)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the assets to the pages, and write every page again when they change."""
    # Sphinx puts a checksum into the address of an asset, so the pages must follow the asset.
    value = hashlib.sha256("\0".join(ASSETS.values()).encode()).hexdigest()
    app.add_config_value("dtviz_assets", value, "html")
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", add_assets)
    app.add_css_file(STYLE)
    app.connect("doctree-read", mark_sticky)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
