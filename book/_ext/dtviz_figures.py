"""Figures as SVG, each in two files: for the light, as drawn, and for the dark (`dtviz_dark`).

The theme shows that of the two which fits. What a cell draws, what a tree shows of itself in an
output, and the picture that stands for an explorer where there are no scripts leave the pages this
way: a page is its text, and a figure is loaded when its reader comes to it. Code that draws goes
below its picture, folded.
"""

from __future__ import annotations

import hashlib
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from docutils import nodes
from dtviz_dark import darkened, smallest_type
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
    """Give every picture its two files, its size and its time to load."""

    default_priority = 800
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix == ".svg" and path.is_file():
                text = self.pair(path.read_text("utf-8"), escape(image.get("alt", "")))
                pair = nodes.raw("", text, format="html")
                pair["classes"] = image["classes"]
                image.replace_self(pair)
        for raw in list(self.document.findall(nodes.raw)):
            if "dtviz-picture" in raw.astext() and "html" in raw["format"].split():
                text = DRAWN.sub(self._drawn, raw.astext())
                text = STILL.sub(self._still, text)
                raw.replace_self(nodes.raw("", text, format="html"))

    def _drawn(self, found: re.Match[str]) -> str:
        return found["caption"] + self.pair(found["svg"], found["alt"])

    def _still(self, found: re.Match[str]) -> str:
        """An explorer's, for the light only: without scripts the theme is light."""
        svg = slim(unquote(found["svg"]))
        return self._tag("dtviz-picture", self._file(svg, ""), found["alt"], _size(svg))

    def pair(self, svg: str, alt: str) -> str:
        """Write the picture for the light and for the dark; returns what shows the one or other."""
        svg = slim(svg)
        size = _size(svg)
        least = round(size[0] * LEAST_TYPE / (SCALE * smallest_type(svg)))
        # A part that scrolls must be within reach of the keyboard.
        wide = f' style="--dtviz-least: {least}px" tabindex="0"' if least > NARROWEST else ""
        light = self._tag("only-light", self._file(svg, ""), alt, size)
        dark = self._tag("only-dark", self._file(svg, "-dark"), alt, size)
        # In one element of their own: the theme hides a caption beside the one it hides.
        return f'<span class="dtviz-figure"{wide}>{light}{dark}</span>'

    def _file(self, svg: str, kind: str) -> str:
        """Write a picture beside those of Sphinx, once; returns its address on this page."""
        builder = self.app.builder
        address = address_of(builder, self.env.docname, svg, kind)
        path = Path(builder.outdir, builder.imagedir, address.rpartition("/")[2])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(darkened(svg) if kind else svg, "utf-8")
        return address

    @staticmethod
    def _tag(kind: str, address: str, alt: str, size: tuple[int, int]) -> str:
        across, down = size
        return (
            f'<img class="{kind}" src="{address}" alt="{alt}" width="{across}" height="{down}" '
            'loading="lazy">'
        )


def address_of(builder: Builder, page: str, svg: str, kind: str) -> str:
    """Return where the file of a picture is, as seen from a page."""
    name = f"{hashlib.sha256(svg.encode()).hexdigest()[:16]}{kind}.svg"
    return relative_uri(builder.get_target_uri(page), f"{builder.imagedir}/{name}")


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
