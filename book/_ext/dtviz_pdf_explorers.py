"""An explorer on paper: its picture as the page opens, one or two more, and where it moves.

The other states are those that the text mentions (``{try}``): of these the ones that change the
picture, the last of them first, for a text goes from the plain to the telling. An explorer that no
text sets takes its states from ``STATES``. The explorer itself is made again by its cell.
"""

from __future__ import annotations

import ast
import posixpath
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_pdf_nodes import label_of, wrap, wrapped
from dtviz_try import Shown, address, explorers, refusal, sought, wishes
from sphinx.util import logging

from dtviz.explorers.base import Explorer
from dtviz.plot.html import svg

if TYPE_CHECKING:
    from dtviz_pdf_figures import Pictures
    from sphinx.environment import BuildEnvironment

MORE = 2
"""States beside the one with which the page opens."""
STATES: dict[str, list[dict[str, Any]]] = {
    "book/2-rank/2-find#rank": [{"m": 64}, {"rank": 2}],
    "book/4-impurity/2-id3#impurity": [{"cost": "error"}, {"cost": "sqrt"}],
    "book/5-growing/1-costs#impurity": [{"cost": "gini"}, {"cost": "sqrt"}],
    "book/5-growing/3-how-large#growing": [{"gamma": 0.1}, {"gamma": 0.3}],
}

logger = logging.getLogger(__name__)


def source_of(cell: nodes.Element) -> str:
    """Return the code of a cell."""
    for part in cell.children:
        if isinstance(part, nodes.Element) and part.get("nb_element") == "cell_code_source":
            return part.astext()
    return ""


def silent(cell: nodes.Element) -> bool:
    """Whether a cell shows nothing: imports and definitions."""
    return len(cell.children) == 1 and bool(source_of(cell))


def value_of(source: str, space: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last expression."""
    body = ast.parse(source).body
    last = body.pop()
    exec(compile(ast.Module(body, []), "<cell>", "exec"), space)  # noqa: S102 -- our own cells
    if not isinstance(last, ast.Expr):
        raise TypeError(f"a cell must end with its explorer, got {source!r}")
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)  # noqa: S307


class OnPaper:
    """The explorers of a page, each made again by its cell."""

    def __init__(
        self, document: nodes.document, page: str, env: BuildEnvironment, pictures: Pictures
    ) -> None:
        self.page, self.env, self.pictures = page, env, pictures
        self.places: list[tuple[str, nodes.Node]] = []
        """Where the explorers stand, by their labels, and where they move."""
        self.left = list(explorers(env).get(page, []))
        cells = [
            node for node in document.findall(nodes.container)
            if node.get("nb_element") == "cell_code"
        ]  # fmt: skip
        self.before = {id(cell): cells[:k] for k, cell in enumerate(cells)}
        self.sources = {id(cell): source_of(cell) for cell in cells}
        self.silent = {id(cell) for cell in cells if silent(cell)}

    def make(self, cell: nodes.Element) -> Explorer:
        """Return the explorer that a cell shows; what it needs from silent cells is run first."""
        try:
            made = value_of(self.sources[id(cell)], {})
        except NameError:
            space: dict[str, Any] = {}
            for one in self.before[id(cell)]:
                if id(one) in self.silent:
                    exec(self.sources[id(one)], space)  # noqa: S102 -- our own cells
            made = value_of(self.sources[id(cell)], space)
        if not isinstance(made, Explorer):
            raise TypeError(f"a cell of {self.page} must show an explorer, got {made!r}")
        return made

    def states(self, shown: Shown) -> list[dict[str, Any]]:
        """Return what the text sets this explorer to, the last mention first."""
        fixed = STATES.get(f"{self.page}#{shown.name}")
        if fixed is not None:
            for values in fixed:
                for trait, value in values.items():
                    if trouble := refusal(shown, trait, value):
                        logger.warning("%s: %s", self.page, trouble)
            return fixed
        said = [
            wish.values
            for page in sorted(wishes(self.env), key=lambda page: page != self.page)
            for wish, _ in wishes(self.env)[page]
            if wish.page == self.page and sought(self.env, wish)[0] == shown
        ]
        return said[::-1]

    def __call__(self, cell: nodes.Element) -> wrap:
        """Return the pictures of the explorer that a cell shows."""
        shown = self.left.pop(0)
        first = self.make(cell)
        seen: list[tuple[str, str, dict[str, Any]]] = [(svg(first.picture()), first.caption(), {})]
        for values in self.states(shown):
            other = self.make(cell)
            for trait, value in values.items():
                setattr(other, trait, value)
            drawing = svg(other.picture())
            if all(drawing != known for known, _, _ in seen):
                seen.append((drawing, other.caption(), values))
            if len(seen) > MORE:
                break
        return self.laid_out(shown, seen)

    def laid_out(self, shown: Shown, seen: list[tuple[str, str, dict[str, Any]]]) -> wrap:
        """Return the pictures below each other, each with its settings, and the address."""
        parts: list[nodes.Node] = []
        commands = self.pictures.stacked([drawing for drawing, _, _ in seen])
        for command, (_, caption, values) in zip(commands, seen, strict=True):
            words: list[nodes.Node] = []
            for k, (trait, value) in enumerate(values.items()):
                words += [nodes.Text(", " * bool(k)), nodes.literal("", f"{trait} = {value!r}")]
            if values:
                words.append(nodes.Text(": "))
            words.append(nodes.Text(caption))
            parts.append(wrapped(command))
            parts.append(wrapped(r"\dtvizstate{", words, "}"))
        here = f"{self.page}.html{address(shown, {})}".rstrip("?")
        base = self.env.config.html_baseurl
        if base:
            full = posixpath.join(base, here)
            place: nodes.Node = nodes.reference("", full, refuri=full)
        else:
            place = nodes.literal("", here)
        label = label_of(self.page, f"moves-{len(self.places)}")
        self.places.append((label, place.deepcopy()))
        moves = wrapped(r"\dtvizmoves{", [wrapped("", labels=[label]), place], "}")
        return wrapped("\n\n\\begin{dtvizexplorer}", [*parts, moves], "\\end{dtvizexplorer}\n\n")
