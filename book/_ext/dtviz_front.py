"""The landing page: a tree that grows by itself, and the chapters, each with a picture.

````
:::{front-tree} caterpillar(3)
A caption, which says how many leaves both trees have.
:::

:::{front-chapters}
- {doc}`Rank and FIND <2-rank/index>`. A sentence about each chapter, in order.
:::
````

The tree is drawn whole when the book is built; the script grows it anew with the kernel of
chapter 1. Script and style are loaded on the pages that have such a tree, and nowhere else.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_front_fan import Twig, fan
from dtviz_front_mark import curve, short
from dtviz_front_pictures import CHAPTERS, PICTURES, picture
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import dtviz as dt
from dtviz.explorers.base import joined
from dtviz.influence.explorer import packed_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

HERE = Path(__file__).resolve().parent
SCRIPT, STYLE = "dtviz-front.js", "front.css"
MARKER = 'class="dtviz-front-tree"'

THICK, LEAF = 1.15, 1.9  # the branch of one leaf, and a leaf, in the units of the picture
EDGE = 4.0

logger = logging.getLogger(__name__)


def named(text: str) -> dt.BooleanFunction:
    """Read ``caterpillar(3)``: a family of `dtviz.functions`, and its numbers."""
    found = re.fullmatch(r"(\w+)\((\d+(?:, *\d+)*)\)", text.strip())
    if found is None or not hasattr(dt.functions, found[1]):
        raise ValueError(f"the tree must be of a function such as caterpillar(3), got {text!r}")
    made: dt.BooleanFunction = getattr(dt.functions, found[1])(*map(int, found[2].split(",")))
    return made


# --- the tree -------------------------------------------------------------------------------------


def by_growth(f: dt.BooleanFunction) -> list[int]:
    """Return the nodes of the whole greedy tree in the order of the kernel.

    Node 0 is the root, and split j makes nodes 2j + 1 and 2j + 2.
    """
    path = dt.build_top_down(f)
    tree = path.tree()
    order = [0]
    for node in path.split_node.tolist():
        order += [int(tree.low[order[node]]), int(tree.high[order[node]])]
    return order


def crown(f: dt.BooleanFunction) -> tuple[str, list[Twig]]:
    """The greedy tree as SVG: a branch and a dot for each node, in the order of the kernel."""
    twigs = fan(dt.build_top_down(f).tree(), 100, 172, 15)
    ordered = [twigs[node] for node in by_growth(f)]
    lines = "".join(
        f'<path pathLength="1" d="{curve(t, 1)}" stroke-width="{width(t.leaves)}"/>'
        for t in ordered
    )
    spots = "".join(
        f'<circle cx="{short(t.at[0])}" cy="{short(-t.at[1])}" r="{LEAF}" class="{kind(t)}"/>'
        for t in ordered
    )
    # Where it is going to grow, while it has not.
    ghost = f'<path class="ghost" d="{"".join(curve(t, 1) for t in twigs)}"/>'
    return f'{ghost}<g class="crown">{lines}</g><g class="buds">{spots}</g>', twigs


def roots(f: dt.BooleanFunction) -> tuple[str, list[Twig]]:
    """The smallest tree as SVG, below the ground."""
    twigs = fan(dt.optimal(f).tree(), 62, 150, 10)
    lines = "".join(f'<path d="{curve(t, -1)}" stroke-width="{width(t.leaves)}"/>' for t in twigs)
    spots = "".join(
        f'<circle cx="{short(t.at[0])}" cy="{short(t.at[1])}" r="{LEAF}" class="{kind(t)}"/>'
        for t in twigs
        if t.label is not None
    )
    return f'<g class="roots">{lines}</g><g>{spots}</g>', twigs


def width(leaves: int) -> str:
    """How thick a branch is; the script says the same of a tree that is not grown yet."""
    return short(THICK * math.sqrt(leaves), 2)


def kind(twig: Twig) -> str:
    """The class of a node's dot."""
    return "inner" if twig.label is None else f"label{twig.label}"


def drawing(f: dt.BooleanFunction) -> str:
    """Both trees as one SVG, with what the script has to know of the function."""
    (above, up), (below, down) = crown(f), roots(f)
    points = [t.at for t in up] + [(x, -y) for x, y in (t.at for t in down)]
    left, right = min(x for x, _ in points) - EDGE, max(x for x, _ in points) + EDGE
    low, high = min(y for _, y in points) - EDGE, max(y for _, y in points) + EDGE
    view = " ".join(short(value) for value in (left, -high, right - left, high - low))
    many, few = (sum(t.label is not None for t in twigs) for twigs in (up, down))
    said = (
        f"A tree of {many} leaves grows up from the ground; below it is the smallest tree for the "
        f"same function, of {few} leaves."
    )
    ground = f'<path class="ground" d="M{short(left)} 0H{short(right)}"/>'
    return (
        f'<svg viewBox="{view}" role="img" aria-label="{said}" data-n="{f.n}" '
        f'data-table="{packed_table(f)}" data-smallest="{few}">{ground}{below}{above}</svg>'
    )


CONTROLS = """
<div class="dtviz-front-controls">
<button type="button" aria-label="Let it grow">&#9654;</button>
<input type="range" min="1" max="{most}" value="{most}" aria-label="Leaves of the grown tree">
<span class="dtviz-front-now">{most} leaves, error 0</span>
</div>
"""


class FrontTree(SphinxDirective):
    """A greedy tree above the ground, the smallest below it, and a caption."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        f = named(self.arguments[0])
        most, least = dt.build_top_down(f).n_leaves_for(0), dt.optimal(f).n_leaves
        words = nodes.container(classes=["dtviz-front-caption"])
        self.state.nested_parse(self.content, self.content_offset, words)
        for number in (most, least):
            if str(number) not in words.astext().split():
                place = self.get_location()
                logger.warning("the caption does not say %d, leaves", number, location=place)
        text = f"<div {MARKER}>{drawing(f)}{CONTROLS.format(most=most)}</div>"
        return [nodes.raw("", text, format="html"), words]


# --- the chapters ---------------------------------------------------------------------------------


class cards(nodes.General, nodes.Element):  # noqa: N801  (as docutils spells its nodes)
    """The chapters of the book, an item each, until their pages are known."""


class FrontChapters(SphinxDirective):
    """A card for each chapter: its picture, its name, a sentence, how many pages it has."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        holder = cards()
        self.state.nested_parse(self.content, self.content_offset, holder)
        self.set_source_info(holder)
        return [holder]


def chapter_of(item: nodes.list_item) -> str:
    """The page that the first link of an item leads to, as the writer gave it."""
    found = next(iter(item.findall(addnodes.pending_xref)), None)
    return "" if found is None else str(found["reftarget"])


class Cards(SphinxPostTransform):
    """Put the picture above what is said of a chapter, and the number of its pages below."""

    default_priority = 2  # before links are resolved: they still name their page
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for holder in list(self.document.findall(cards)):
            items = list(holder.findall(nodes.list_item))
            listed = [self._page(item) for item in items]
            self._compare(listed, holder)
            grid = nodes.bullet_list(classes=["dtviz-front-chapters"])
            for item, page in zip(items, listed, strict=True):
                if page in self.env.found_docs:
                    grid += self._card(item, page)
            holder.replace_self(grid)

    def _page(self, item: nodes.list_item) -> str:
        return self.env.relfn2path(f"{chapter_of(item)}.md", self.env.docname)[0].removesuffix(
            ".md"
        )

    def _compare(self, listed: list[str], at: nodes.Node) -> None:
        """Warn unless every chapter of the book is listed, in order; others may follow."""
        folders = [Path(page).parent.name for page in listed]
        known = [folder for folder in folders if folder in CHAPTERS]
        if known != list(CHAPTERS):
            logger.warning("the chapters are %s, got %s", list(CHAPTERS), known, location=at)

    def _card(self, item: nodes.list_item, page: str) -> nodes.list_item:
        folder = Path(page).parent.name
        card = nodes.list_item(classes=["dtviz-front-card"])
        card += nodes.raw("", picture(folder) if folder in PICTURES else "", format="html")
        card += item.children
        if folder in CHAPTERS:
            n_pages = 1 + len(self.env.toctree_includes.get(page, []))
            card += nodes.paragraph("", f"{n_pages} pages", classes=["dtviz-front-time"])
        return card


# --- what the page loads --------------------------------------------------------------------------


def script() -> str:
    """Return the script of the page with the kernel in it, as one classic script."""
    source, _ = joined([HERE / "dtviz_front.js"])
    return f'(() => {{\n"use strict";\n{source}}})();\n'


def write_assets(app: Sphinx) -> None:
    """Write the script where Sphinx looks for static files."""
    folder = Path(app.outdir).parent / "front"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SCRIPT).write_text(script(), "utf-8")
    app.config.html_static_path.append(str(folder))


def add_assets(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Load script and style where the tree is."""
    del page
    if MARKER in context.get("body", ""):
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file(STYLE)


def also_written(app: Sphinx, env: BuildEnvironment) -> Iterator[str]:
    """Write the first page again in each build: it says how many pages each chapter has."""
    del env
    yield app.config.root_doc


def setup(app: Sphinx) -> dict[str, bool]:
    """Add both directives and what their page loads."""
    app.add_node(cards)
    app.add_directive("front-tree", FrontTree)
    app.add_directive("front-chapters", FrontChapters)
    app.add_post_transform(Cards)
    app.connect("builder-inited", write_assets)
    app.connect("env-updated", also_written)
    app.connect("html-page-context", add_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
