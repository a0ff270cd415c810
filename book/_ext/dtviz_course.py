"""The short course: its pages, listed in ``book/short-course.yml``, and where each leads on.

``:::{short-course}`` writes the list; each of its pages ends with a line that leads to the next.
An exercise is a quarter of an hour.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

TABLE = Path(__file__).resolve().parents[1] / "short-course.yml"
LIST = "book/course"
AN_EXERCISE, AT_FIRST = 15, 90


class Stop(NamedTuple):
    """A page of the course, its minutes, the sections that may be skipped, and the exercise."""

    page: str
    minutes: int
    skip: tuple[str, ...]
    exercise: str


def stops() -> list[Stop]:
    """Return the pages of the course in order."""
    return [
        Stop(f"book/{row['page']}", row["minutes"], tuple(row.get("skip", ())), row.get("do", ""))
        for row in yaml.safe_load(TABLE.read_text("utf-8"))
    ]


def in_hours(time: int) -> str:
    """Return a time in words."""
    return f"{time // 60} hours {time % 60} minutes" if time >= 60 else f"{time} minutes"


class short_course(nodes.General, nodes.Element):  # noqa: N801 - nodes of docutils are called so
    """The place of the list."""


class ShortCourse(SphinxDirective):
    """The list of the course; it is written when every page is read."""

    def run(self) -> list[nodes.Node]:
        return [short_course()]


class Course:
    """What the pages of the course show, as seen from one page."""

    def __init__(self, app: Sphinx, here: str) -> None:
        self.app, self.env, self.here = app, app.env, here

    def link(self, page: str, anchor: str = "", words: str = "") -> nodes.reference:
        """Return a link to a page by its number and title, or by other words."""
        number = ".".join(map(str, self.env.toc_secnumbers.get(page, {}).get("", ())))
        words = words or f"{number}. {self.env.titles[page].astext()}".removeprefix(". ")
        return make_refnode(self.app.builder, self.here, page, anchor, nodes.Text(words))

    def labeled(self, name: str, words: str = "") -> nodes.reference:
        """Return a link to what has a label, by its title or by other words."""
        page, anchor, title = self.env.get_domain("std").labels[name]  # type: ignore[attr-defined]
        return self.link(page, anchor, words or title)

    def listed(self) -> list[nodes.Node]:
        """Return the list, with a line where the first hour and a half ends, and the sum."""
        made: list[nodes.Node] = []
        part, spent, marked = nodes.enumerated_list(), 0, False
        for place, stop in enumerate(stops(), 1):
            if not marked and spent + stop.minutes > AT_FIRST:
                text = f"Here the first hour and a half ends ({spent} minutes)."
                mark = nodes.paragraph("", "", nodes.strong("", text), classes=["dtviz-course"])
                made, part, marked = [part, mark], nodes.enumerated_list(start=place), True
            part += nodes.list_item("", self.line(stop))
            spent += stop.minutes + AN_EXERCISE * bool(stop.exercise)
        return [*made, part, nodes.paragraph("", f"In all {in_hours(spent)}.")]

    def line(self, stop: Stop) -> nodes.paragraph:
        """Return what the list says of a page."""
        line = nodes.paragraph(
            "", "", self.link(stop.page), nodes.Text(f" ({stop.minutes} minutes).")
        )
        for place, name in enumerate(stop.skip):
            line += [nodes.Text(" You may skip " if place == 0 else ", "), self.labeled(name)]
        line += nodes.Text("." if stop.skip else "")
        if stop.exercise:
            line += [
                nodes.Text(" Then do "),
                self.labeled(stop.exercise, "an exercise"),
                nodes.Text("."),
            ]
        return line

    def onward(self, place: int) -> nodes.paragraph:
        """Return the line at the end of the page at a place of the course."""
        every = stops()
        line = nodes.paragraph("", "", classes=["dtviz-course"])
        line += [self.link(LIST), nodes.Text(f", page {place + 1} of {len(every)}: ")]
        if place + 1 == len(every):
            line += nodes.Text("this is the last one.")
        else:
            line += [nodes.Text("next, "), self.link(every[place + 1].page), nodes.Text(".")]
        return line


def depend(app: Sphinx, document: nodes.document) -> None:
    """Read the pages of the course again when its table has changed."""
    if app.env.docname in {LIST, *(stop.page for stop in stops())}:
        app.env.note_dependency(str(TABLE))


def fill(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Put the list and the line in their places."""
    course = Course(app, docname)
    for one in list(document.findall(short_course)):
        one.replace_self(course.listed())
    pages = [stop.page for stop in stops()]
    if docname in pages:
        first = next(iter(document.findall(nodes.section)))
        first += course.onward(pages.index(docname))


def outdated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Name the page to write again whatever changed: the one with the list."""
    return [LIST] if LIST in env.found_docs else []


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive, and the line."""
    app.add_node(short_course)
    app.add_directive("short-course", ShortCourse)
    app.connect("doctree-read", depend)
    app.connect("env-updated", outdated)
    app.connect("doctree-resolved", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
