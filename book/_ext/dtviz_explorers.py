"""Ship the explorers to the built book as one classic script, loaded once for the site.

A browser refuses ES modules on a page opened from disk, so the package offers the same source as a
classic script, with a host that finds the explorers of a page.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtviz.explorers.base import classic_script, style_sheet

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ASSETS = {"dtviz-explorers.js": classic_script(), "dtviz-explorers.css": style_sheet()}


def write_assets(app: Sphinx) -> None:
    """Write the script and the style sheet where Sphinx looks for static files."""
    folder = Path(app.outdir).parent / "explorers"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ASSETS.items():
        (folder / name).write_text(text, "utf-8")
    app.config.html_static_path.append(str(folder))


def drop_widget_state(app: Sphinx, page: str, *_: object) -> None:
    """Leave out the state that Jupyter's own widget manager would need; the book does without."""
    metadata: dict[str, Any] = getattr(app.env, "nb_metadata", {}).get(page, {})
    metadata.get("js_files", {}).pop("ipywidgets_state", None)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the assets to every page, and write every page again when they change."""
    # Sphinx puts a checksum into the address of an asset, so the pages must follow the asset.
    value = hashlib.sha256("\0".join(ASSETS.values()).encode()).hexdigest()
    app.add_config_value("dtviz_assets", value, "html")
    app.connect("builder-inited", write_assets)
    # Before myst-nb adds the scripts of the page.
    app.connect("html-page-context", drop_widget_state, priority=400)
    script, style = ASSETS
    app.add_js_file(script, loading_method="defer")
    app.add_css_file(style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
