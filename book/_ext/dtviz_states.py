"""The states that a text walks through, for paper and where no scripts run.

Where the figure of a page stays beside the text (``"sticky": true``), a picture follows each block
whose mentions set it to something that the page has not shown. A screen with scripts never loads
it (`figures.css`, `print.css`).
"""

from __future__ import annotations

import ast
import warnings
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import nbformat
from docutils import nodes
from dtviz_try import mention, sought
from sphinx.util import logging

from dtviz.explorers.base import Explorer
from dtviz.plot.html import svg

if TYPE_CHECKING:
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)


def first_explorer(path: str) -> Explorer | None:
    """Run the cells of a notebook up to the first that shows an explorer; returns that."""
    scope: dict[str, Any] = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        code = ast.parse(cell.source)
        last = code.body.pop() if code.body and isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, path, "exec"), scope)  # noqa: S102 -- as the build has run it
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), path, "eval"), scope)  # noqa: S307
            if isinstance(value, Explorer):
                return value
    return None


class States:
    """The pictures of an explorer in one state after the other."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.kind = explorer.get_state()["_explorer"]
        self.start = {name: getattr(explorer, name) for name in explorer.get_state()["_rules"]}
        self.shown = {svg(explorer.picture())}
        explorer._opens = False  # noqa: SLF001

    def picture(self, values: dict[str, Any]) -> str:
        """Return the picture of a state as HTML, or nothing if the page has shown it."""
        for _ in range(2):  # one trait may reset another
            for name, value in (self.start | values).items():
                setattr(self.explorer, name, value)
        drawn = svg(self.explorer.picture())
        if drawn in self.shown:
            return ""
        self.shown.add(drawn)
        caption = escape(self.explorer.caption())
        return (
            f'<figure class="dtviz-state"><img class="dtviz-picture" alt="{caption}" '
            f'src="data:image/svg+xml,{quote(drawn, safe="")}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )


def block_of(mark: nodes.Node) -> nodes.Node:
    """Return what a picture follows: the table around a mention, or its paragraph."""
    around = [mark]
    while around[-1].parent is not None:
        around.append(around[-1].parent)
    kinds = (nodes.table, nodes.paragraph)
    return next(node for kind in kinds for node in around if isinstance(node, kind))


def show_states(app: Sphinx, document: nodes.document) -> None:
    """Put the pictures behind the mentions of a page that is walked through."""
    page = app.env.docname
    marks = [mark for mark in document.findall(mention) if mark["wish"].values]
    if app.env.metadata[page].get("sticky") != "True" or not marks:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explorer = first_explorer(str(app.env.doc2path(page)))
        if explorer is None:
            logger.warning("no cell of a sticky page shows its explorer", location=page)
            return
        states = States(explorer)
        last: dict[int, nodes.Node] = {}
        for mark in marks:
            wish = mark["wish"]
            shown, trouble = sought(app.env, wish)
            if wish.page != page or trouble or not shown or shown.name != states.kind:
                continue
            if picture := states.picture(wish.values):
                block = block_of(mark)
                place = last.get(id(block), block)
                last[id(block)] = nodes.raw("", picture, format="html")
                place.parent.insert(place.parent.index(place) + 1, last[id(block)])


def setup(app: Sphinx) -> dict[str, bool]:
    """Draw when a page was read, after its explorers are known (`dtviz_try`)."""
    app.connect("doctree-read", show_states, priority=900)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
