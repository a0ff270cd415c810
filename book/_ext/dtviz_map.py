"""A map of a chapter: which statement rests on which, drawn from the text.

``:::{lemma-map}`` draws the lemmas, propositions, theorems, corollaries and algorithms of the
chapter on whose page it stands: of all pages below the same entry of the contents. A statement
rests on those that it, or its proof, refers to, by name or by an equation that stands in one.
Definitions are left out: the text uses most of them without a reference, so their lines would show
a small part of the truth. What a statement takes from another chapter hangs below its box.

A proof belongs to the last statement above it, unless it begins with "Of" and a reference.

The drawing is our own: Graphviz is a program that a reader's machine need not have, its ports to
JavaScript are megabytes and draw when the page is read, and none gives links whose words wrap at
the width of a phone. Statements of a chapter are few: layers, barycenters, straight lanes will do.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from docutils import nodes
from dtviz_graph import Drawing, draw
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

DRAWN = ("lemma", "proposition", "theorem", "corollary", "algorithm")
COLUMNS = {"narrow": 2, "wide": 4}
"""Boxes side by side on a phone and at a desk; the style sheet shows one of the two drawings."""

logger = logging.getLogger(__name__)


class lemma_map(nodes.General, nodes.Element):  # noqa: N801 - nodes of docutils are called so
    """The place of a map."""


class LemmaMap(SphinxDirective):
    """A map of the chapter that the page belongs to; it is drawn when every page is read."""

    def run(self) -> list[nodes.Node]:
        node = lemma_map()
        self.set_source_info(node)
        return [node]


class Statement(NamedTuple):
    """A statement as its page has it, and the labels that it and its proofs refer to."""

    label: str
    kind: str
    title: str
    counter: str
    refers: set[str]
    holds: set[str]
    """The equations in it and in its proofs."""


def statements(env: BuildEnvironment) -> dict[str, list[Statement]]:
    """Return the statements of each page."""
    # The environment is kept from build to build, with whatever it holds.
    return cast("dict[str, list[Statement]]", vars(env).setdefault("dtviz_statements", {}))


def read(app: Sphinx, document: nodes.document) -> None:
    """Note the statements of a page with what they refer to."""
    found: dict[str, Statement] = {}
    last: Statement | None = None
    for node in document.findall(nodes.Element):
        kind = node.get("realtype", "")
        if kind in DRAWN:
            last = Statement(
                node["label"], kind, plain(node[0].astext()), node["countertype"], set(), set()
            )
            found[last.label] = last
            note(last, node)
        elif isinstance(node, nodes.Admonition) and "proof" in node["classes"] and not kind:
            owner = found.get(named(node)) or last
            if owner is not None:
                note(owner, node)
    statements(app.env)[app.env.docname] = list(found.values())


def note(statement: Statement, node: nodes.Element) -> None:
    """Take in what a part of the text refers to, and the equations that stand in it."""
    statement.refers.update(part["reftarget"] for part in node.findall(addnodes.pending_xref))
    equations = (part.get("label") for part in node.findall(nodes.math_block))
    statement.holds.update(label for label in equations if label)


def named(proof: nodes.Element) -> str:
    """Return the label of the statement that a proof names: "Proof. Of Theorem 2.1. Let ..."."""
    before = ""
    for part in proof.findall():
        if isinstance(part, addnodes.pending_xref):
            return str(part["reftarget"]) if re.search(r"\.\s*\(?Of\s+$", before) else ""
        if isinstance(part, nodes.Text):
            before += str(part)
    return ""


def plain(title: str) -> str:
    """Return a title without the marks of TeX: one letter with an index, as in ``S_2``."""

    def greek(found: re.Match[str]) -> str:
        name = found[1].removeprefix("var").upper()
        try:
            return unicodedata.lookup(f"GREEK SMALL LETTER {name}")
        except KeyError:
            return found[1]

    digits = {"_": "₀₁₂₃₄₅₆₇₈₉", "^": "⁰¹²³⁴⁵⁶⁷⁸⁹"}
    # The extension that reads statements puts titles in brackets.
    text = re.sub(r"\\([A-Za-z]+)", greek, title.strip().removeprefix("(").removesuffix(")"))
    text = re.sub(r"([_^])\{?(\d)\}?", lambda found: digits[found[1]][int(found[2])], text)
    return re.sub(r"[{}$\\]", "", text).strip()


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop the statements of a page that is read again, or gone."""
    statements(env).pop(docname, None)


def outdated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Name the pages to write again whatever changed: those that hold a map."""
    return [name for name in statements(env) if any(env.get_doctree(name).findall(lemma_map))]


def chapter(env: BuildEnvironment, docname: str) -> list[str]:
    """Return the pages below the same entry of the contents, in their order."""
    below = env.toctree_includes
    parents = {child: page for page, children in below.items() for child in children}
    top = docname
    while parents.get(top, env.config.root_doc) != env.config.root_doc:
        top = parents[top]

    def walk(page: str) -> Iterator[str]:
        yield page
        for child in below.get(page, []):
            yield from walk(child)

    return list(walk(top))


class Map:
    """The statements of a chapter, and what each rests on."""

    def __init__(self, app: Sphinx, here: str) -> None:
        self.app, self.here = app, here
        self.pages = chapter(app.env, here)
        beyond = sorted(statements(app.env).keys() - set(self.pages))
        self.place = {
            statement.label: (page, statement)
            for page in (*self.pages, *beyond)
            for statement in statements(app.env).get(page, [])
        }
        self.inside = [s.label for page in self.pages for s in statements(app.env).get(page, [])]
        equations = {label: s.label for _, s in self.place.values() for label in s.holds}
        self.rests: dict[str, list[str]] = {}
        for label in self.inside:
            targets = {equations.get(name, name) for name in self.place[label][1].refers}
            self.rests[label] = [name for name in self.place if name in targets - {label}]

    def edges(self) -> list[tuple[str, str]]:
        """Return the pairs within the chapter: the second rests on the first."""
        return [
            (name, label)
            for label in self.inside
            for name in self.rests[label]
            if name in self.rests
        ]

    def number(self, label: str) -> str:
        """Return ``Lemma 2.1``."""
        page, statement = self.place[label]
        numbers = self.app.env.toc_fignumbers.get(page, {}).get(statement.counter, {})
        number = ".".join(map(str, numbers.get(label, ())))
        return f"{statement.kind.title()} {number}".strip()

    def address(self, label: str) -> str:
        """Return the link to a statement."""
        page = self.place[label][0]
        to = "" if page == self.here else self.app.builder.get_relative_uri(self.here, page)
        return f"{to}#{label}"

    # --- what the page shows ----------------------------------------------------------------------

    def picture(self, name: str) -> str:
        """Return the drawing for one width."""
        others = {
            label: [self.number(to) for to in rests if to not in self.rests]
            for label, rests in self.rests.items()
        }
        words = {label: (self.number(label), self.place[label][1].title) for label in self.inside}
        drawing = draw(words, others, self.edges(), COLUMNS[name])
        alt = f"A map of {len(self.inside)} statements with lines to each from those it rests on."
        parts = [*lines(drawing), *(self.box(drawing, label) for label in self.inside)]
        return (
            f'<div class="dtviz-map-{name}"><svg role="group" aria-label="{alt}" '
            f'width="{drawing.width:.0f}" height="{drawing.height:.0f}" '
            f'viewBox="0 0 {drawing.width:.0f} {drawing.height:.0f}">{"".join(parts)}</svg></div>'
        )

    def box(self, drawing: Drawing, label: str) -> str:
        """Return the box of a statement, a link, and below it those to other chapters."""
        box = drawing.boxes[label]
        kind = self.place[label][1].kind
        number, title = self.number(label), self.place[label][1].title
        alt = escape(f"{number}: {title}" if title else number, quote=True)
        text = [f'<text x="{box.x + 8:.0f}" y="{box.y + 17:.0f}" class="number">{number}</text>']
        text += [
            f'<text x="{box.x + 8:.0f}" y="{box.y + 32 + 14 * k:.0f}">{escape(line)}</text>'
            for k, line in enumerate(box.lines)
        ]
        found = (
            f'<a href="{self.address(label)}" class="{kind}" data-statement="{label}" '
            f'aria-label="{alt}"><title>{alt}</title><rect x="{box.x:.1f}" y="{box.y:.1f}" '
            f'width="{box.width}" height="{box.high:.0f}" rx="4"/>{"".join(text)}</a>'
        )
        others = [to for to in self.rests[label] if to not in self.rests]
        for k, to in enumerate(others):
            y = box.y + box.high + 18 * k
            alt = escape(f"{self.number(to)}: {self.place[to][1].title}", quote=True)
            found += (
                f'<a href="{self.address(to)}" class="other" aria-label="{alt}">'
                f'<title>{alt}</title><rect x="{box.x + 8:.1f}" y="{y:.1f}" '
                f'width="{box.width - 16}" height="18"/>'
                f'<text x="{box.x + 14:.0f}" y="{y + 13:.0f}">{self.number(to)}</text></a>'
            )
        return found

    def listed(self) -> nodes.bullet_list:
        """Return the same as a list."""
        found = nodes.bullet_list()
        for label in self.inside:
            line = nodes.paragraph("", "", self.link(label, self.place[label][1].title))
            for k, to in enumerate(self.rests[label]):
                line += [nodes.Text(" rests on " if k == 0 else ", "), self.link(to)]
            found += nodes.list_item("", line)
        return found

    def link(self, label: str, title: str = "") -> nodes.reference:
        """Return a link that says the number, and the title if given."""
        words = f"{self.number(label)} ({title})" if title else self.number(label)
        return nodes.reference("", words, refuri=self.address(label), internal=True)


def lines(drawing: Drawing) -> list[str]:
    """Return the lines of a drawing, which bend between the rows."""
    found = []
    for (a, b), points in drawing.lines.items():
        path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
        for (x, y), (to_x, to_y) in pairwise(points):
            middle = (y + to_y) / 2
            path += f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"
        found.append(f'<path d="{path}" data-from="{a}" data-to="{b}"/>')
    return found


def fill(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Put each map in its place."""
    for place in list(document.findall(lemma_map)):
        chart = Map(app, docname)
        if circle := circular(chart.edges()):
            logger.warning("statements rest on each other: %s", ", ".join(circle), location=place)
            place.parent.remove(place)
            continue
        pictures = "".join(chart.picture(name) for name in COLUMNS)
        place.replace_self([
            nodes.raw("", f'<div class="dtviz-map">{pictures}<details><summary>The map as a list'
                      "</summary>", format="html"),
            chart.listed(),
            nodes.raw("", "</details></div>", format="html"),
        ])  # fmt: skip


def circular(edges: list[tuple[str, str]]) -> list[str]:
    """Return the statements that rest on themselves, or on such; none in a sound chapter."""
    rests: dict[str, set[str]] = {}
    for a, b in edges:
        rests.setdefault(b, set()).add(a)
    while free := [label for label, on in rests.items() if not on & rests.keys()]:
        for label in free:
            del rests[label]
    return sorted(rests)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive, the script and its style."""
    app.add_node(lemma_map)
    app.add_directive("lemma-map", LemmaMap)
    app.connect("doctree-read", read)
    app.connect("env-purge-doc", forget)
    app.connect("env-updated", outdated)
    app.connect("doctree-resolved", fill)
    app.add_css_file("map.css")
    return {"parallel_read_safe": False, "parallel_write_safe": True}
