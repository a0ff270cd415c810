"""Tables on paper: columns as wide as what they hold, ragged, and pages that break a long one.

Sphinx would give words the width that justified lines need, and set a table of one piece, which
leaves its heading behind when it moves to the next page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from dtviz_pdf_nodes import wrap
from sphinx import addnodes

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNS = 88
"""Letters of the text's size that fit its width, the room between columns apart."""
LONG = 12
"""Rows from which on a table may be broken."""
PAGE = len(" (p. 123)")
BOXES = tuple(
    rf"\begin{{dtviz{kind}}}" for kind in ("statement", "exercise", "question", "aside", "explorer")
)


def print_tables(document: nodes.document) -> None:
    """Tell the writer how wide each column of a table is, and which tables may break."""
    for table in list(document.findall(nodes.table)):
        rows = list(table.findall(nodes.row))
        if any(entry.get("morecols") for entry in table.findall(nodes.entry)):
            continue
        if len(rows) >= LONG and not boxed(table):
            table["classes"].append("longtable")
        columns = [[cell for cell in row.children if isinstance(cell, nodes.entry)] for row in rows]
        spec = "".join(
            rf">{{\raggedright\arraybackslash}}p{{{share:.3f}\linewidth}}"
            for share in shares([list(column) for column in zip(*columns, strict=True)])
        )
        table.parent.insert(table.parent.index(table), addnodes.tabular_col_spec(spec=spec))


def boxed(node: nodes.Node) -> bool:
    """Whether a node stands in a box, in which no page may break."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, wrap) and node["before"].strip().startswith(BOXES):
            return True
    return False


def shares(columns: Sequence[Sequence[nodes.Element]]) -> list[float]:
    """Return the share of each column in the width of the text.

    As wide as its longest cell, where all columns can be; else by how much it holds, but never
    narrower than its longest word.
    """
    wide = [max(map(length, column), default=1) + 1.0 for column in columns]
    if sum(wide) > SIGNS:
        held = [sum(map(length, column)) + 1 for column in columns]
        least = [max(map(longest_word, column), default=1) + 3 for column in columns]
        wide = [
            max(low, min(most, SIGNS * part / sum(held)))
            for low, most, part in zip(least, wide, held, strict=True)
        ]
    room = 0.97 - 0.026 * len(columns)
    return [room * width / max(SIGNS, sum(wide)) for width in wide]


def words(cell: nodes.Element) -> list[str]:
    """Return what must not break in a cell, about as long as it is when set."""
    text = ""
    for part in cell.findall():
        if isinstance(part, nodes.math):
            text += re.sub(r"[\s{}^_\\]", "", re.sub(r"\\[A-Za-z]+", "xx", part.astext()))
        elif isinstance(part, nodes.Text) and not isinstance(part.parent, nodes.math):
            text += part
        elif isinstance(part, wrap) and r"\dtvizpage" in str(part["before"]):
            text += " " + "x" * PAGE
        elif isinstance(part, nodes.paragraph):
            text += " "
    return text.split()


def length(cell: nodes.Element) -> int:
    """Return how many letters a cell would be long on one line."""
    return sum(len(word) + 1 for word in words(cell))


def longest_word(cell: nodes.Element) -> int:
    """Return how many letters a cell cannot be narrower than."""
    return max(map(len, words(cell)), default=1)
