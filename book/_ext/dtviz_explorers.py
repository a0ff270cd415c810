"""Ship the explorers to the built book as one classic script, loaded once for the site.

``explorers.js`` is an ES module (``export default { render }``, no imports), which is what anywidget
runs in Jupyter. A browser refuses modules on a page opened from disk, so here the same source is
wrapped in a function that hands its default export to ``host.js``, which draws on the page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

from dtviz_execution import digest

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STATIC = Path(__file__).resolve().parents[2] / "dtviz" / "explorers" / "static"
SOURCES = ("explorers.js", "host.js", "explorers.css")
SCRIPT, STYLE = "dtviz-explorers.js", "dtviz-explorers.css"
EXPORT = re.compile(r"^export default\b", re.MULTILINE)
MODULE_SYNTAX = re.compile(r"^\s*(?:import\b(?!\s*\()|export\b)", re.MULTILINE)


def classic(module: str, host: str) -> str:
    """Turn the module and its host into one classic script.

    Raises
    ------
    ExtensionError
        If the module has not exactly one ``export default``, or imports anything.

    """
    body, exports = EXPORT.subn("globalThis.__dtvizExplorers =", module)
    if exports != 1 or MODULE_SYNTAX.search(body):
        raise ExtensionError(
            "explorers.js must have one `export default`, no other export and no import, "
            f"to run from disk; found {exports} default exports"
        )
    return f'(() => {{\n"use strict";\n{body}\n}})();\n{host}'


def write_assets(app: Sphinx) -> None:
    """Write the script and the style sheet where Sphinx looks for static files."""
    folder = Path(app.outdir).parent / "explorers"
    folder.mkdir(parents=True, exist_ok=True)
    module, host, style = ((STATIC / name).read_text("utf-8") for name in SOURCES)
    (folder / SCRIPT).write_text(classic(module, host), "utf-8")
    (folder / STYLE).write_text(style, "utf-8")
    app.config.html_static_path.append(str(folder))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the assets to every page, and write every page again when they change."""
    # Sphinx adds a checksum to the address of an asset, so pages must follow the asset.
    app.add_config_value("dtviz_assets", digest(STATIC / name for name in SOURCES), "html")
    app.connect("builder-inited", write_assets)
    app.add_js_file(SCRIPT, loading_method="defer")
    app.add_css_file(STYLE)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
