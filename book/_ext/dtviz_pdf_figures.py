"""Pictures of the PDF edition: each SVG that the site shows in the light, as a PDF of its own.

``rsvg-convert`` keeps lines as lines and letters as outlines. A picture is converted once: its file
goes by a hash of what it was made of.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from dtviz_pdf_nodes import wrap, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

WIDE = 6.1
"""Inches of the width of the text."""
HIGH = 7.0
"""Inches of a page that the pictures of an explorer may take; their captions need the rest."""
SIZE = re.compile(
    r'<svg\b[^>]*?\bwidth="([\d.]+)(pt|px|)"[^>]*?\bheight="([\d.]+)(?:pt|px|)"', re.DOTALL
)
MAP_STYLE = """<style>
text { font: 11px "DejaVu Sans"; fill: #222 } .number { font-weight: bold; font-size: 11px }
rect { fill: #fff; stroke: #777 } .theorem rect { fill: #eef2f8 }
.other rect { stroke: #bbb; fill: #f6f6f6 }
path { fill: none; stroke: #888 }
</style>"""


class Pictures:
    """The pictures of one edition, in a folder beside its LaTeX."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.waiting: dict[str, str] = {}

    def command(self, svg: str, share: float = 1.0) -> str:
        """Return the LaTeX that shows a picture, at most a share of the text's width wide."""
        name = f"figure-{hashlib.sha256(svg.encode()).hexdigest()[:16]}.pdf"
        self.waiting[name] = svg
        found = SIZE.search(svg)
        if found is None:
            raise ValueError("an SVG picture needs a width and a height")
        inches = float(found[1]) / (96 if found[2] in {"px", ""} else 72)
        # On the site a figure of 5 inches fills a column, with type of 10 points; here of 9.
        width = min(0.9 * inches / WIDE, share)
        return rf"\dtvizpicture{{{width:.3f}}}{{{name}}}"

    def stacked(self, svgs: list[str]) -> list[str]:
        """Return the LaTeX of pictures that stand below each other on one page."""
        sizes = [found for svg in svgs if (found := SIZE.search(svg))]
        height = sum(float(size[3]) / float(size[1]) for size in sizes) * WIDE
        share = min(1.0, HIGH / height)
        return [self.command(svg, share) for svg in svgs]

    def shown(self, svg: str, share: float = 1.0) -> wrap:
        """Return a picture by itself."""
        return wrapped("\n\\begin{dtvizplace}", after="\\end{dtvizplace}\n\n", children=[
            wrapped(self.command(svg, share))])  # fmt: skip

    def convert(self) -> None:
        """Convert what is new."""
        self.folder.mkdir(parents=True, exist_ok=True)
        new = {name: svg for name, svg in self.waiting.items() if not (self.folder / name).exists()}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda item: converted(item[1], self.folder / item[0]), new.items()))
        for old in self.folder.glob("figure-*.pdf"):
            if old.name not in self.waiting:
                old.unlink()


def converted(svg: str, path: Path) -> None:
    """Write an SVG as a PDF; the same bytes whenever it is done."""
    program = shutil.which("rsvg-convert")
    if program is None:
        raise RuntimeError("rsvg-convert is missing: run make pdf, which tells how to install it")
    made = path.with_suffix(".part")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
    subprocess.run(  # noqa: S603
        [program, "--format", "pdf", "--dpi-x", "96", "--dpi-y", "96", "--output", str(made)],
        input=svg.encode(), check=True, env=environment,
    )  # fmt: skip
    made.replace(path)


def svg_of(image: nodes.image, source: Path) -> str:
    """Return the text of the SVG that an image names."""
    path = source / str(image["uri"])
    if path.suffix != ".svg":
        raise ValueError(f"a figure of the book must be an SVG, got {image['uri']}")
    return path.read_text("utf-8")


def figure(
    node: nodes.figure, page: str, numbers: Mapping[str, tuple[int, ...]], *, floats: bool
) -> wrap:
    """Return a numbered figure, whose picture is converted already, with the site's number."""
    number = ".".join(map(str, numbers.get(next(iter(node["ids"]), ""), ())))
    name = f"Fig.~{number}" if number else ""
    parts: list[nodes.Node] = []
    for part in list(node.children):
        if isinstance(part, nodes.caption):
            parts.append(wrapped(rf"\dtvizcaption{{{name}}}{{", list(part.children), "}"))
        else:
            parts.append(part)
    kind = "dtvizfloat" if floats else "dtvizplace"
    labels = [f"{page}:{place}" for place in node["ids"]]
    inner = wrapped("", parts, labels=labels)
    return wrapped(f"\n\\begin{{{kind}}}", [inner], f"\\end{{{kind}}}\n\n")


def pictures_of_map(html: str) -> Iterable[str]:
    """Return the wide drawing of a map of statements, styled for paper."""
    for found in re.findall(r'<div class="dtviz-map-wide">(<svg.*?</svg>)', html, re.DOTALL):
        svg = found.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        svg = re.sub(r' href="[^"]*"', "", svg)
        yield re.sub(r"(<svg[^>]*>)", rf"\1{MAP_STYLE}", svg, count=1)
