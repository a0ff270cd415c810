"""Figures of the chapters on other pages: one again in a summary, all of them to show in class.

``:::{figure-of} 4-impurity/2-splits#fig-imp-tree`` repeats a numbered figure of another page, and
``:::{slides} 4-impurity`` lists those of a chapter, which ``slides.js`` shows one at a time. Both
are made from the pages, so that nothing is kept twice.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_figures import address_of
from dtviz_slim import slim
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)

MARKER = 'class="dtviz-show'
START = (
    f'<p class="pst-js-only"><button type="button" {MARKER} sd-btn sd-btn-primary">'
    "Show the figures of this chapter</button></p>"
)


class figure_of(nodes.General, nodes.Element):  # noqa: N801 - nodes of docutils are called so
    """The place of a figure of another page."""


class slides(nodes.General, nodes.Element):  # noqa: N801
    """The place of the list of a chapter's figures."""


class FigureOf(SphinxDirective):
    """A figure of another page, ``page#label``; its page is read again when the other changes."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        page, _, label = self.arguments[0].partition("#")
        self.env.note_dependency(self.env.doc2path(f"book/{page}"))
        made = figure_of(page=f"book/{page}", label=label)
        self.set_source_info(made)
        return [made]


class Slides(SphinxDirective):
    """The figures of a chapter, by its folder."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [slides(folder=f"book/{self.arguments[0]}/")]


class Fill(SphinxPostTransform):
    """Put copies in these places, before links are resolved and outputs chosen."""

    default_priority = 3

    def run(self, **_: Any) -> None:
        for place in list(self.document.findall(figure_of)):
            place.replace_self(self.repeated(place))
        for each in list(self.document.findall(slides)):
            each.replace_self(self.listed(each["folder"]))

    def repeated(self, place: figure_of) -> list[nodes.Node]:
        """Return a figure of another page, and a line that leads to it."""
        page, label = place["page"], place["label"]
        figures = {figure["ids"][0]: figure for figure in self.figures(page)}
        if label not in figures:
            logger.warning("%s has no figure %r", page, label, location=place)
            return []
        copy = self.at_home(figures[label])
        copy["ids"], copy["names"] = [f"again-{label}"], []
        source = nodes.paragraph("", "", nodes.Text("From "), self.link(page, label))
        source += nodes.Text(".")
        return [copy, source]

    def listed(self, folder: str) -> list[nodes.Node]:
        """Return the pages of a chapter with their figures."""
        numbers = self.env.toc_secnumbers
        pages = [page for page in numbers if page.startswith(folder)]
        every = nodes.bullet_list(classes=["dtviz-slides"])
        for page in sorted(pages, key=lambda page: numbers[page][""]):
            lines = nodes.bullet_list()
            for figure in self.figures(page):
                lines += nodes.list_item("", self.line(page, figure))
            if lines.children:
                every += nodes.list_item("", nodes.paragraph("", "", self.link(page)), lines)
        return [nodes.raw("", START, format="html"), every]

    def figures(self, page: str) -> Iterator[nodes.figure]:
        """Yield the numbered figures of a page."""
        for figure in self.env.get_doctree(page).findall(nodes.figure):
            if figure["ids"] and any(figure.findall(nodes.caption)):
                yield figure

    def line(self, page: str, figure: nodes.figure) -> nodes.paragraph:
        """Return the number of a figure, a link that knows its pictures, and its caption."""
        builder, here, name = self.app.builder, self.env.docname, figure["ids"][0]
        number = ".".join(map(str, self.env.toc_fignumbers[page]["figure"][name]))
        image = next(
            image for image in figure.findall(nodes.image) if image["uri"].endswith(".svg")
        )
        svg = slim(Path(self.env.srcdir, image["uri"]).read_text("utf-8"))
        link = (
            f'<a class="reference internal" href="{builder.get_relative_uri(here, page)}#{name}" '
            f'data-src="{address_of(builder, here, svg)}" '
            f'data-alt="{escape(image.get("alt", ""))}">'
            f"{self.config.numfig_format['figure'] % number}</a> "
        )
        (caption,) = self.at_home(figure).findall(nodes.caption)
        line = nodes.paragraph("", "", nodes.raw("", link, format="html"))
        line += nodes.inline("", "", *caption.children)
        return line

    def at_home(self, figure: nodes.figure) -> nodes.figure:
        """Return a copy whose links lead on from the present page."""
        copy = figure.deepcopy()
        for link in copy.findall(addnodes.pending_xref):
            link["refdoc"] = self.env.docname
        return copy

    def link(self, page: str, anchor: str = "") -> nodes.reference:
        """Return a link to a page by its number and title."""
        number = ".".join(map(str, self.env.toc_secnumbers[page][""]))
        words = nodes.Text(f"{number}. {self.env.titles[page].astext()}")
        return make_refnode(self.app.builder, self.env.docname, page, anchor, words)


def depend(app: Sphinx, env: Any) -> list[str]:
    """Name the page to write again whatever changed: the one with the lists."""
    return [page for page in ("book/class",) if page in env.found_docs]


def add_assets(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Load the script where figures are shown."""
    if MARKER in context.get("body", ""):
        app.add_js_file("slides.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add both directives and what the page to show loads."""
    app.add_node(figure_of)
    app.add_node(slides)
    app.add_directive("figure-of", FigureOf)
    app.add_directive("slides", Slides)
    app.add_post_transform(Fill)
    app.add_css_file("slides.css")
    app.connect("env-updated", depend)
    app.connect("html-page-context", add_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
