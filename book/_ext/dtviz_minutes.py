"""Say at the top of each page of a chapter how long it takes to read.

The number is computed from the page. Prose about proofs is read slowly, at some 100 words a minute;
a displayed formula, a picture, a question and what a cell prints each take a while, and an explorer
or an exercise longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import (  # type: ignore[import-untyped]
    exercise_enumerable_node,
    solution_node,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

WORDS_A_MINUTE = 100
FORMULA, PICTURE, CELL, EXPLORER, EXERCISE = 0.4, 0.5, 0.8, 4.0, 3.0
STEP = 5


def folded(node: nodes.Node) -> bool:
    """Whether a reader may pass by what stands in a node: a solution, or a cell."""
    cell = isinstance(node, nodes.Element) and "cell" in node["classes"]
    return cell or isinstance(node, solution_node)


def outside(document: nodes.document, kinds: tuple[type[nodes.Node], ...]) -> Iterator[nodes.Node]:
    """The nodes of some kinds that stand outside folded solutions and cells."""
    for node in document.findall(lambda node: isinstance(node, kinds)):
        above: nodes.Node | None = node.parent
        while above is not None and not folded(above):
            above = above.parent
        if above is None:
            yield node


def minutes(document: nodes.document) -> int:
    """How long a page takes, to the next five minutes."""
    words = sum(len(part.astext().split()) for part in outside(document, (nodes.paragraph,)))
    formulas = sum(1 for _ in outside(document, (nodes.math_block,)))
    exercises = sum(1 for _ in document.findall(exercise_enumerable_node))
    cells = [node for node in document.findall(nodes.container) if "cell" in node["classes"]]
    drawing = sum("tag_nbval-ignore-output" in cell["classes"] for cell in cells)
    explorers = sum("tag_full-width" in cell["classes"] for cell in cells)
    printing = len(cells) - drawing
    taken = words / WORDS_A_MINUTE + FORMULA * formulas + PICTURE * drawing
    taken += CELL * printing + EXPLORER * explorers + EXERCISE * exercises
    return max(STEP, round(taken / STEP) * STEP)


class Minutes(SphinxPostTransform):
    """Put the line below the title of each page of a chapter."""

    default_priority = 3  # before the checks are taken out, and outputs chosen
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        folder, _, page = self.env.docname.removeprefix("book/").partition("/")
        title = next(iter(self.document.findall(nodes.title)), None)
        if not page or not folder[:1].isdigit() or title is None or title.parent is None:
            return
        said = f"About {minutes(self.document)} minutes"
        line = nodes.paragraph("", said, classes=["dtviz-minutes"])
        title.parent.insert(title.parent.index(title) + 1, line)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the line."""
    app.add_post_transform(Minutes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
