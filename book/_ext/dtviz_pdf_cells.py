"""Cells on paper: what a reader of the site sees without a click, and no test output.

Code that is folded on the site is left out, and so are the cells that run checks. What a cell shows
as HTML becomes what it can be on paper: an explorer its pictures, a drawn tree its drawing, a
listing its text.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup
from docutils import nodes
from dtviz_pdf_figures import pictures_of_map

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtviz_pdf_figures import Pictures

SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
LISTING = "dtviz-literal-text"


def is_cell(node: nodes.Node) -> bool:
    """Whether a node is a code cell."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def elements(node: nodes.Element) -> list[nodes.Element]:
    """Return the children of a node that are no text."""
    return [part for part in node.children if isinstance(part, nodes.Element)]


def is_question(node: nodes.Node) -> bool:
    """Whether a node is a question to predict: its parts are told by the HTML between them."""
    return isinstance(node, nodes.container) and "dtviz-predict" in node["classes"]


def keep_listings(document: nodes.document) -> None:
    """Give a listing as code, not as HTML; before myst-nb chooses by the kind alone."""
    for bundle in document.findall(nodes.container):
        if bundle.get("nb_element") != "mime_bundle":
            continue
        kinds = {part["mime_type"]: part for part in elements(bundle)}
        html, text = kinds.get("text/html"), kinds.get("text/plain")
        if html is None or text is None or LISTING not in html.astext():
            continue
        listed = BeautifulSoup(html.astext(), "html.parser").find(class_=LISTING)
        if listed is not None:
            bundle.remove(html)
            code = listed.get_text().strip("\n")
            text.children = []
            text += nodes.literal_block(code, code, language="python")


def unfolded(cell: nodes.container) -> bool:
    """Leave out what is folded in a cell; returns whether anything is left."""
    hidden = cell.attributes.pop("hide_mode", "")
    kinds = {"all": ("source", "output"), "input": ("source",), "output": ("output",)}
    folded = {f"cell_code_{kind}" for kind in kinds.get(hidden, ())}
    for part in [part for part in elements(cell) if part.get("nb_element") in folded]:
        cell.remove(part)
    return bool(cell.children)


def for_paper(
    document: nodes.document, pictures: Pictures, explorer: Callable[[nodes.container], nodes.Node]
) -> None:
    """Leave of each cell what is printed."""
    for cell in [node for node in document.findall(nodes.container) if is_cell(node)]:
        if 'class="dtviz-explorer"' in cell.astext():
            cell.replace_self(explorer(cell))
        elif not unfolded(cell):
            cell.parent.remove(cell)
    for raw in list(document.findall(nodes.raw)):
        if "html" not in raw["format"].split() or is_question(raw.parent):
            continue
        if "dtviz-map" in raw.astext():
            # Below the map stands the same as a list, folded.
            below = raw.next_node(descend=False, siblings=True)
            if isinstance(below, nodes.bullet_list):
                below.parent.remove(below)
        raw.replace_self(drawn(raw, pictures))


def drawn(raw: nodes.raw, pictures: Pictures) -> list[nodes.Node]:
    """Return the drawings in a piece of HTML; the rest of it is for the screen."""
    html = raw.astext()
    if "dtviz-map" in html:
        return [pictures.shown(svg) for svg in pictures_of_map(html)]
    if "dtviz-lettered" in html or "dtviz-picture" in html:
        return [pictures.shown(alone(svg)) for svg in SVG.findall(html)]
    return []


def alone(svg: str) -> str:
    """Return an SVG of a page as a file of its own: with its names, its colours and its type."""
    svg = re.sub(r"&(?!lt;|gt;|amp;|quot;|#)(\w+);", lambda found: unescape(found[0]), svg)
    if "xmlns=" not in svg:
        svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    svg = svg.replace('"inherit"', '"DejaVu Sans"').replace('"Canvas"', '"#ffffff"')
    return svg.replace('"currentColor"', '"#222222"').replace('"CanvasText"', '"#222222"')
