"""Keep a formula and the punctuation after it on one line.

To a browser a formula is a box, after which a line may break: a full stop could stand alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CLOSING = re.compile("[.,;:!?)\\]\u2019\u201d]+")


class Unbroken(SphinxPostTransform):
    """Put both into one part of the line."""

    default_priority = 900  # after all that looks at formulas and their neighbours
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for formula in list(self.document.findall(nodes.math)):
            after = formula.next_node(descend=False, siblings=True)
            if not isinstance(after, nodes.Text) or not (found := CLOSING.match(after)):
                continue
            whole = nodes.inline("", "", classes=["dtviz-unbroken"])
            formula.replace_self(whole)
            whole += [formula, nodes.Text(found[0])]
            rest = after[found.end() :]
            # By place: docutils takes texts that read alike for the same.
            place = whole.parent.index(whole) + 1
            whole.parent[place : place + 1] = [nodes.Text(rest)] if rest else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the transform."""
    app.add_post_transform(Unbroken)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
