"""The type of the text: its face, and a formula on one line with the punctuation after it.

The face is STIX Two Text, from npm, as that of the formulas; without it, `type.css` takes Times. To
a browser a formula is a box, after which a line may break: a full stop could be alone on the next.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_npm import PACKAGES, has
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from dtviz.core.source_listing import PLAIN

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FONT = PACKAGES / "@fontsource" / "stix-two-text"
STYLES = "400-normal", "400-italic", "700-normal"

CLOSING = re.compile("[.,;:!?)\\]\u2019\u201d]+([ \u00a0]\u220e)?|[ \u00a0]\u220e")
"""What stays on the line of a formula; a tombstone is never alone on one."""

logger = logging.getLogger(__name__)


class Type(SphinxPostTransform):
    """Italicize the head of a proof, and join what stays together."""

    default_priority = 900  # after all that looks at formulas and their neighbors
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for proof in self.document.findall(nodes.admonition):
            head = proof.next_node(nodes.Text)
            if proof["classes"] != ["proof", "proof"] or not head or head[:6] != "Proof.":
                continue
            rest = head[6:]
            following = proof.children[1] if len(proof.children) > 1 else None
            if proof[0].astext().strip() == "Proof." and isinstance(following, nodes.paragraph):
                # Alone in its paragraph it goes to the next one.
                del proof[0]
                following.insert(0, head)
                rest = " "
            replace(head, nodes.emphasis("", "Proof."), nodes.Text(rest))
        for text in list(self.document.findall(nodes.Text)):
            if text.endswith(" \u220e"):
                replace(text, nodes.Text(text[:-2] + "\u00a0\u220e"))
        for formula in list(self.document.findall(nodes.math)):
            after = formula.next_node(descend=False, siblings=True)
            if isinstance(after, nodes.Text) and (found := CLOSING.match(after)):
                whole = nodes.inline("", "", classes=["dtviz-unbroken"])
                formula.replace_self(whole)
                whole += [formula, nodes.Text(after[: found.end()])]
                rest = after[found.end() :]
                replace(after, *([nodes.Text(rest)] if rest else []))


def replace(text: nodes.Text, *others: nodes.Node) -> None:
    """Put others in the place of a text: docutils takes texts that read alike for the same."""
    place = next(k for k, node in enumerate(text.parent) if node is text)
    text.parent[place : place + 1] = list(others)


def write_face(app: Sphinx) -> None:
    """Copy the face to where Sphinx looks for static files."""
    folder = Path(app.outdir).parent / "type"
    folder.mkdir(parents=True, exist_ok=True)
    for style in STYLES:
        shutil.copy(FONT / "files" / f"stix-two-text-latin-{style}.woff2", folder)
    shutil.copyfile(FONT / "LICENSE", folder / "stix-two-text-LICENSE.txt")
    app.config.html_static_path.append(str(folder))


def unwrap_code(_: Sphinx, __: str, ___: str, context: dict[str, Any], *____: object) -> None:
    """Leave the words of a program in the color of the text without an element of their own."""
    if "body" in context:
        context["body"] = PLAIN.sub(r"\1", context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the face, and what comes before and after a page is written."""
    app.add_css_file("type.css")
    if has("@fontsource/stix-two-text"):
        app.connect("builder-inited", write_face)
    else:
        logger.warning("text is set in Times or its like: npm brought no STIX Two Text")
    app.add_post_transform(Type)
    app.connect("html-page-context", unwrap_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
