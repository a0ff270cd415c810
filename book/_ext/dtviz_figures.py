"""Figures as files of SVG, which the style sheet turns to the dark (`figures.css`).

What a cell draws, what a tree shows of itself in an output, and the picture that stands for an
explorer where there are no scripts leave the pages this way: a page is its text, and a figure is
loaded when its reader comes to it. Code that draws goes below its picture, folded.
"""

from __future__ import annotations

import hashlib
import math
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from docutils import nodes
from dtviz_slim import slim
from myst_nb.sphinx_ import HideCodeCellNode  # type: ignore[import-untyped]
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

SCALE = 1.2 * 96 / 72
"""Pixels a point where there is room: type of 12 points is as large as the text around it."""

LEAST_TYPE = 9.8
"""Pixels of the smallest text in a figure. Where it would be smaller, the figure scrolls: 5 inches
and 10.8 points just fit a phone."""

NARROWEST = 328
"""Pixels that a phone leaves to a figure."""

TYPE = re.compile(r"scale\((\d*\.?\d+) -\1\)")  # as Matplotlib sets a text of 100 times the size
SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)pt"[^>]*?\bheight="([\d.]+)pt"|<svg\b', re.DOTALL)

# As dtviz/plot/html.py and dtviz/explorers/base.py write them.
DRAWN = re.compile(
    r'<div class="dtviz-picture" role="img" aria-label="(?P<alt>[^"]*)"[^>]*>'
    r"(?P<caption>(?:<div>[^<]*</div>)?)(?P<svg><svg\b.*?</svg>)\s*</div>",
    re.DOTALL,
)
STILL = re.compile(
    r'<img class="dtviz-picture" alt="(?P<alt>[^"]*)" src="data:image/svg\+xml,(?P<svg>[^"]*)">'
)


class Figures(SphinxPostTransform):
    """Give every picture its file, its size and its time to load."""

    default_priority = 800
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix == ".svg" and path.is_file():
                text = self.shown(path.read_text("utf-8"), escape(image.get("alt", "")))
                shown = nodes.raw("", text, format="html")
                shown["classes"] = image["classes"]
                image.replace_self(shown)
        for raw in list(self.document.findall(nodes.raw)):
            if "dtviz-picture" in raw.astext() and "html" in raw["format"].split():
                text = DRAWN.sub(self._drawn, raw.astext())
                text = STILL.sub(self._still, text)
                raw.replace_self(nodes.raw("", text, format="html"))

    def _drawn(self, found: re.Match[str]) -> str:
        return found["caption"] + self.shown(found["svg"], found["alt"])

    def _still(self, found: re.Match[str]) -> str:
        return self._tag("dtviz-picture", slim(unquote(found["svg"])), found["alt"])

    def shown(self, svg: str, alt: str) -> str:
        """Return what shows a picture, and scrolls it where its text would be too small."""
        svg = slim(svg)
        smallest = min((100 * float(size) for size in TYPE.findall(svg)), default=math.inf)
        least = round(_size(svg)[0] * LEAST_TYPE / (SCALE * smallest))
        # A part that scrolls must be within reach of the keyboard.
        wide = f' style="--dtviz-least: {least}px" tabindex="0"' if least > NARROWEST else ""
        # The theme leaves the colors of this class alone.
        return f'<span class="dtviz-figure"{wide}>{self._tag("dark-light", svg, alt)}</span>'

    def _tag(self, kind: str, svg: str, alt: str) -> str:
        """Return the image of a picture on this page."""
        address = address_of(self.app.builder, self.env.docname, svg)
        across, down = _size(svg)
        return (
            f'<img class="{kind}" src="{address}" alt="{alt}" width="{across}" height="{down}" '
            'loading="lazy">'
        )


def address_of(builder: Builder, page: str, svg: str) -> str:
    """Write a picture beside those of Sphinx, once; returns its address on a page."""
    name = f"{builder.imagedir}/{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
    path = Path(builder.outdir, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, "utf-8")
    return relative_uri(builder.get_target_uri(page), name)


def _size(svg: str) -> tuple[int, int]:
    """Width and height in pixels where there is room."""
    found = SIZE.search(svg)
    if found is None or found[1] is None:
        raise ValueError("an SVG picture needs a width and a height in pt, as Matplotlib's have")
    return round(SCALE * float(found[1])), round(SCALE * float(found[2]))


class FoldedCode(SphinxPostTransform):
    """Put code that only draws below its picture, folded under one word."""

    default_priority = 200  # after myst-nb has folded it above
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for fold in list(self.document.findall(HideCodeCellNode)):
            cell = fold.parent
            if "above-input" not in fold["classes"] or cell.get("hide_mode") != "input":
                continue
            if len(cell.children) > 1:
                cell.remove(fold)
                start = '<details class="dtviz-code"><summary>Code</summary>'
                cell += [nodes.raw("", start, format="html"), *fold.children]
                cell += nodes.raw("", "</details>", format="html")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add both transforms."""
    app.add_post_transform(Figures)
    app.add_post_transform(FoldedCode)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
