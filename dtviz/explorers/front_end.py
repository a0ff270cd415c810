"""The front end as files, and the pages that hold it: in the book, saved, in a frame.

`script_names` and `page` are what the book's pages (``book/_ext/dtviz_explorers.py``) and those of
`Explorer.save_html` have in common: an explorer is a ``div`` with its state and its picture, the
scripts of the explorers that a page shows come first, and ``host`` draws with them.
"""

from __future__ import annotations

import html
import os
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from IPython import get_ipython

from dtviz.chapters import WITH_EXPLORERS
from dtviz.core.checks import as_repr

STATIC = Path(str(files("dtviz.explorers"))) / "static"
BUNDLES = STATIC.with_name("bundles")

MOUNT = re.compile(r'<div class="dtviz-explorer" data-explorer="(\w+)">')

PAGE_STYLE = """\
:root { color-scheme: light dark; }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; padding: 16px; background: Canvas; font-family: system-ui, sans-serif; }
[data-theme] body { background: none; }
h1 { margin: 0; font-size: 1.4rem; }
"""


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def widget_module(name: str) -> str:
    """Return the front end of an explorer as the ES module that anywidget runs."""
    return f"{_read(BUNDLES / f'{name}.js')}export default dtviz.{name};\n"


def style_sheet() -> str:
    """The style sheet of all explorers, the same in both hosts: colors, the kit, the chapters."""
    folders = (STATIC, *(Path(str(files(f"dtviz.{chapter}"))) for chapter in WITH_EXPLORERS))
    first = STATIC / "explorers.css"
    others = (path for folder in folders for path in sorted(folder.rglob("*.css")) if path != first)
    return "".join(map(_read, (first, *others)))


def script_names(body: str) -> list[str]:
    """Return the names of the bundles that draw the explorers of a page, the host last."""
    shown = list(dict.fromkeys(MOUNT.findall(body)))
    return [*shown, "host"] if shown else []


def page(body: str, title: str, heading: str = "", scripts: Mapping[str, str] | None = None) -> str:
    """Return a page that needs nothing else: the HTML of explorers, with scripts and styles.

    The heading stands above, if there is one; ``scripts`` by their names are for the bundles.
    """
    texts = [
        _read(BUNDLES / f"{name}.js") if scripts is None else scripts[name]
        for name in script_names(body)
    ]
    loaded = "".join(f"<script>{text}</script>" for text in texts)
    above = f"<h1>{html.escape(heading)}</h1>" if heading else ""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{PAGE_STYLE}{style_sheet()}</style></head>"
        f"<body><main>{above}{body}</main>{loaded}</body></html>"
    )


def frame(document: str, title: str) -> str:
    """Return a frame that holds a whole page; ``frame.js`` gives it the height of the page."""
    # Scripts and JSON have few single quotes, and many double ones.
    source = document.replace("&", "&amp;").replace("'", "&#39;")
    return (
        f"<div><iframe title=\"{html.escape(title)}\" srcdoc='{source}' "
        'style="width: 100%; height: 600px; border: 0"></iframe></div>'
    )


def writable(path: object) -> Path:
    """Return the path of a page to write; a ValueError says what is wrong with it."""
    file = Path(path) if isinstance(path, str | os.PathLike) else Path()
    named = file.suffix.lower() in {".html", ".htm"} and not file.is_dir()
    if not named or not file.parent.is_dir():
        shown = str(path) if isinstance(path, os.PathLike) else path
        msg = f"path must name an .html file in a folder that exists, got {as_repr(shown)}"
        raise ValueError(msg)
    return file


def is_unattended() -> bool:
    """Whether a program runs this cell, as ``nbconvert --execute`` or the build of a book does.

    A front end says with each cell whether somebody can answer ``input``. Where nobody can, no
    widget is ever shown, except by Voilà, which shows what it has run, and perhaps in Colab.
    """
    request = getattr(get_ipython(), "parent_header", None) or {}
    shows = (
        os.environ.get("SERVER_SOFTWARE", "").startswith("voila") or "google.colab" in sys.modules
    )
    return request.get("content", {}).get("allow_stdin") is False and not shows
