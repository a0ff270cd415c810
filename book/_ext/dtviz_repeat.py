"""A figure of another page again, in a summary: nothing is kept twice.

``:::{figure-of} 4-impurity/2-splits#fig-imp-tree`` repeats a numbered figure of another page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)


class figure_of(nodes.General, nodes.Element):  # noqa: N801 - nodes of docutils are called so
    """The place of a figure of another page."""


class FigureOf(SphinxDirective):
    """A figure of another page, ``page#label``; its page is read again when the other changes."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        page, _, label = self.arguments[0].partition("#")
        self.env.note_dependency(self.env.doc2path(f"book/{page}"))
        made = figure_of(page=f"book/{page}", label=label)
        self.set_source_info(made)
        return [made]


class Fill(SphinxPostTransform):
    """Put copies in their places, before links are resolved and outputs chosen."""

    default_priority = 3

    def run(self, **_: Any) -> None:
        for place in list(self.document.findall(figure_of)):
            place.replace_self(self.repeated(place))

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

    def figures(self, page: str) -> Iterator[nodes.figure]:
        """Yield the numbered figures of a page."""
        for figure in self.env.get_doctree(page).findall(nodes.figure):
            if figure["ids"] and any(figure.findall(nodes.caption)):
                yield figure

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


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive and the transform."""
    app.add_node(figure_of)
    app.add_directive("figure-of", FigureOf)
    app.add_post_transform(Fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
