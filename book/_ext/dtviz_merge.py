"""Merge the style sheets of all pages into one file, and the scripts: a page asks for few files.

What a page has alone, as its explorers, stays beside. The scripts run in their order once the page
is read. Only the options of Sphinx, on which scripts in the page rely, are written into it. Of the
large style sheets of others, rules for classes that no page and no script names are left out.
"""

from __future__ import annotations

import hashlib
import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtviz_search import REPLACED

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STYLES, SCRIPTS = "book-styles.css", "book-scripts.js"
# What the templates of the theme load before all others, and after them.
FIRST = ["basic.css", "styles/pydata-sphinx-theme.css"]
LAST = ["scripts/bootstrap.js", "scripts/pydata-sphinx-theme.js"]
OPTIONS = "_static/documentation_options.js"
ADDRESS = re.compile(r"(?<=_static/)(book-(?:styles\.css|scripts\.js))(?:\?v=\w*)?(?=\")")


WORD = re.compile(r"[\w-]+")
RULE = re.compile(r"([^{}@;/]+)\{[^{}]*\}")
SELECTORS = re.compile(r",(?![^(]*\))")
CHOICE = re.compile(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)")
CLASS = re.compile(r"\.(?!bs-)(-?[a-zA-Z_][\w-]*)")
LARGE = re.compile(r"/pydata-sphinx-theme|sphinx-design|mystnb")
"""Style sheets of others. Names that begin with "bs-" are put together by Bootstrap's script."""


def used(css: str, words: set[str]) -> str:
    """Return a style sheet without rules for classes that are none of the words."""

    def keep(rule: re.Match[str]) -> str:
        wanted = (CLASS.findall(CHOICE.sub("", one)) for one in SELECTORS.split(rule[1]))
        return rule[0] if any(words.issuperset(names) for names in wanted) else ""

    return re.sub(r"@media[^{};]*\{\s*\}", "", RULE.sub(keep, css))


def everywhere(app: Sphinx, kind: str) -> list[Any]:
    """Return the style sheets or scripts of all pages, in their order."""
    files = getattr(app.builder, f"_orig_{kind}_files", [])
    found = [file for file in files if file.filename and Path(file.filename).name not in REPLACED]
    return sorted(found, key=lambda file: file.priority)


def shorten(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Have a page load the merged files, and then its own."""
    styles, scripts = everywhere(app, "css"), everywhere(app, "js")
    merged = type(styles[0])(f"_static/{STYLES}", priority=0)
    context["css_files"] = [merged, *(x for x in context["css_files"] if x not in styles)]
    options = Path(app.outdir, OPTIONS).read_text("utf-8")
    script = type(scripts[0])
    context["script_files"] = [
        script(None, priority=0, body=options),
        script(f"_static/{SCRIPTS}", priority=0, defer="defer"),
        *(x for x in context["script_files"] if x not in scripts),
    ]


def merge(app: Sphinx, error: Exception | None) -> None:
    """Write the merged files, and their sums into the addresses on all pages."""
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    styles, scripts = (
        [str(file.filename).removeprefix("_static/") for file in everywhere(app, kind)]
        for kind in ("css", "js")
    )
    pages = {path: path.read_text("utf-8") for path in Path(app.outdir).rglob("*.html")}
    texts = {
        name: (static / name).read_text("utf-8") for name in (*FIRST, *styles, *scripts, *LAST)
    }
    spoken = chain(pages.values(), (path.read_text("utf-8") for path in static.rglob("*.js")))
    words = {word for text in spoken for word in WORD.findall(text)}
    sheets = [(name, texts[name]) for name in (*FIRST, *styles)]
    own = {Path(OPTIONS).name}
    texts = {
        STYLES: "\n".join(used(css, words) if LARGE.search(name) else css for name, css in sheets),
        # What is strict in a file of its own must not make all strict.
        SCRIPTS: ";" + "\n;\n".join(texts[name] for name in (*scripts, *LAST) if name not in own),
    }
    for name, merged in texts.items():
        (static / name).write_text(merged, "utf-8")
    sums = {name: hashlib.sha256(each.encode()).hexdigest()[:8] for name, each in texts.items()}
    for path, page in pages.items():
        named = ADDRESS.sub(lambda found: f"{found[1]}?v={sums[found[1]]}", page)
        if named != page:
            path.write_text(named, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Merge after the theme was cut to what is used."""
    app.connect("html-page-context", shorten, priority=950)
    app.connect("build-finished", merge, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
