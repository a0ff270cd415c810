"""Ship of the theme what pages use: of its 2,000 icons the dozen that occur.

The theme brings Font Awesome twice: as a script of 1.5 MB that draws each icon, and as fonts, for
the icons that style sheets write. Here neither is shipped. One font with the icons that occur
is inside the theme's style sheet, where a page opened from disk finds it in every browser. Source
maps, other hosts' logos and translations of the theme, which no page loads, are left out too.
"""

from __future__ import annotations

import base64
import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pydata_sphinx_theme  # type: ignore[import-untyped]
from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

STATIC = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"
SOLID = STATIC / "vendor" / "fontawesome" / "webfonts" / "fa-solid-900.ttf"
UNUSED = (
    "**/*.map",
    "images/logo_[!bc]*",  # but Binder's and Colab's, for the buttons of a published book
    "locales",
    "scripts/fontawesome.js*",
    "vendor",
    "*webpack-macros.html",
)

NAME = re.compile(r"\bfa-([a-z][\w-]*)")
RULE = re.compile(r'((?:\.fa-[\w-]+::?before,?)+)\{content:"([^"]*)"\}')
FACE = re.compile(r"@font-face\{[^}]*Font Awesome[^}]*\}")
ESCAPED = re.compile(r"\\([ef][0-9a-f]{3})\b", re.IGNORECASE)
PRIVATE = re.compile("[\ue000-\uf8ff]")


def written(css: str) -> set[str]:
    """Return the icons that a style sheet writes by itself, as characters."""
    return {chr(int(code, 16)) for code in ESCAPED.findall(css)} | set(PRIVATE.findall(css))


def font(characters: Iterable[str]) -> bytes:
    """Return a font of the solid icons with these characters only."""
    whole = TTFont(SOLID)
    options = subset.Options(flavor="woff", hinting=False, desubroutinize=True, layout_features=[])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[ord(character) for character in characters])
    subsetter.subset(whole)
    whole.flavor = "woff"
    file = BytesIO()
    whole.save(file)
    return file.getvalue()


def slim(css: str, names: set[str], elsewhere: set[str]) -> str:
    """Return the theme's style sheet with the icons of these names only.

    ``elsewhere`` are the characters that other style sheets write.
    """
    rules: dict[str, str] = {}
    for selectors, content in RULE.findall(css):
        for name in re.findall(r"\.fa-([\w-]+)", selectors):
            rules[name] = _character(content)
    used = {name: rules[name] for name in sorted(names & rules.keys())}
    rest = FACE.sub("", RULE.sub("", css))
    wanted = set(used.values()) | written(rest) | elsewhere
    drawn = wanted & {chr(code) for code in TTFont(SOLID).getBestCmap()}
    data = base64.b64encode(font(sorted(drawn))).decode()
    face = (
        '@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;'
        f'src:url("data:font/woff;base64,{data}") format("woff")}}'
    )
    # A screen reader passes over an icon: its second text is empty. Old browsers know the first.
    lines = "".join(
        f'.fa-{name}:before{{content:"\\{ord(sign):x}";content:"\\{ord(sign):x}"/""}}'
        for name, sign in used.items()
    )
    return rest + face + lines


def _character(content: str) -> str:
    """Return what a style sheet writes: the character itself, or escaped."""
    if found := re.fullmatch(r"\\([0-9a-f]+)", content):
        return chr(int(found[1], 16))
    return content.removeprefix("\\")


def ship(site: Path) -> None:
    """Cut the theme in a built site to what its pages use."""
    static = site / "_static"
    for pattern in UNUSED:
        for path in static.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    pages = (path for path in site.rglob("*.html") if static not in path.parents)
    texts = (path.read_text("utf-8") for path in (*pages, *static.rglob("*.js")))
    names = {name for text in texts for name in NAME.findall(text)}
    theme = static / "styles" / "pydata-sphinx-theme.css"
    others = (path for path in static.rglob("*.css") if path != theme)
    elsewhere = {sign for path in others for sign in written(path.read_text("utf-8"))}
    theme.write_text(slim(theme.read_text("utf-8"), names, elsewhere), "utf-8")


def _ship(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        ship(Path(app.outdir))


def setup(app: Sphinx) -> dict[str, bool]:
    """Cut at the end of a build, when all pages are there."""
    app.connect("build-finished", _ship)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
