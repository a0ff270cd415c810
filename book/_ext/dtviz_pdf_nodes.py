"""The one node that the PDF edition adds, and the translator that writes LaTeX.

What a page shows by a box, a fold or a script becomes a `wrap`: LaTeX before and after its
children. The commands stand in ``dtviz_pdf.sty``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_math import displayed
from sphinx.writers.latex import LaTeXTranslator

if TYPE_CHECKING:
    from collections.abc import Iterable

ENVIRONMENTS = {"align": "aligned", "gather": "gathered", "alignat": "alignedat"}
COLUMNS = 86
"""Signs of a line of code that fit the width of the text; longer lines are set smaller, or wrap."""
SIZE, LEAST = 8.3, 6.2
"""The size of code in points, and the smallest that one can read."""
WHOLE, BEGUN = 18, 9
"""Lines of code that are not cut by the end of a page; of a longer piece, how many begin it."""


class wrap(nodes.General, nodes.Element):  # noqa: N801  (as docutils spells its nodes)
    """Children with LaTeX before and after them, and the labels that lead here."""


def wrapped(
    before: str, children: Iterable[nodes.Node] = (), after: str = "", labels: Iterable[str] = ()
) -> wrap:
    """Return children between two pieces of LaTeX; labels read ``page:place``."""
    node = wrap("", before=before, after=after, labels=list(labels))
    # They may stand elsewhere still.
    for child in list(children):
        if child.parent is not None:
            # Not `remove`: docutils takes texts that read alike for the same.
            child.parent.children = [one for one in child.parent.children if one is not child]
        node += child
    return node


def label_of(page: str, place: str) -> str:
    """Return the label of a place, as Sphinx writes it; of a whole page, if there is no place."""
    return f"{page}:{place}" if place else f"{page}::doc"


def hold_headings(document: nodes.document) -> None:
    """Keep a line that is wholly bold, and so a heading, with some lines of what it heads."""
    for line in list(document.findall(nodes.paragraph)):
        if len(line.children) == 1 and isinstance(line[0], nodes.strong):
            line.parent.insert(line.parent.index(line), wrapped("\n\n\\dtvizhold\n\n"))


def size_of_code(text: str) -> float:
    """Return the size of code in points: such that its longest line fits, if that is legible."""
    longest = max((len(line) for line in text.split("\n")), default=0)
    return max(LEAST, min(SIZE, SIZE * COLUMNS / max(longest, 1)))


class PdfTranslator(LaTeXTranslator):
    """Sphinx's translator, with formulas and code of our own."""

    def visit_wrap(self, node: wrap) -> None:
        """Write what stands before, and the labels."""
        before = str(node["before"])
        marks = "".join(rf"\label{{{self.idescape(label)}}}" for label in node["labels"])
        if marks:
            # Before a box, not in it: a box that breaks at once would lose them.
            room = r"\par\needspace{5\baselineskip}" if r"\begin{dtviz" in before else ""
            before = rf"{room}\phantomsection{marks}{before}"
        self.body.append(before)

    def depart_wrap(self, node: wrap) -> None:
        """Write what stands after."""
        self.body.append(str(node["after"]))

    def visit_math_block(self, node: nodes.Element) -> None:
        """Write a displayed formula with its number on the site; what is too wide is shrunk."""
        tex = re.sub(
            r"\\(begin|end)\{(align|gather|alignat)\*?\}",
            lambda found: rf"\{found[1]}{{{ENVIRONMENTS[found[2]]}}}",
            displayed(node.astext()),
        )
        number = node.get("site_number", "")
        tag = rf"\tag{{{number}}}" if number else ""
        label = ""
        if node.get("label"):
            place = f"{node['docname']}:equation-{nodes.make_id(node['label'])}"
            label = rf"\phantomsection\label{{{self.idescape(place)}}}"
        self.body.append(f"\n\\dtvizdisplay{{{label}}}{{{tag}}}{{{tex.strip()}}}%\n")
        raise nodes.SkipNode

    def visit_literal_block(self, node: nodes.Element) -> None:
        """Write code so that its lines fit; what a cell printed stands without a ground."""
        kind = "output" if {"output", "dtviz-run-prints"} & set(node["classes"]) else "input"
        size = size_of_code(node.astext())
        lines = node.astext().count("\n") + 1
        # Two more, for the space around.
        room = 1.25 * size * ((lines if lines <= WHOLE else BEGUN) + 2)
        self.body.append(f"\n\\begin{{dtviz{kind}}}{{{size:.2f}}}{{{room:.0f}pt}}%\n")
        try:
            super().visit_literal_block(node)
        except nodes.SkipNode:
            self.body.append(f"\n\\end{{dtviz{kind}}}\n")
            raise
        self.context.append(f"\n\\end{{dtviz{kind}}}\n")

    def depart_literal_block(self, node: nodes.Element) -> None:
        """End a block that holds markup."""
        super().depart_literal_block(node)
        self.body.append(self.context.pop())

    def unknown_visit(self, node: Any) -> None:
        """A node that nobody has thought of stops the build."""
        raise NotImplementedError(f"{type(node).__name__} has no form in the PDF")
