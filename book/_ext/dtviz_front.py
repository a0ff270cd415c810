"""The tree of the first page: who survived the Titanic, one more question at each step of a slider.

``:::{front-tree} 6`` writes the tree of so many leaves as nested lists, with a verdict at each node
too; `front.js` shows the questions asked so far. Without scripts it stands there whole.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import dtviz as dt

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARKER = 'class="dtviz-front-tree"'
ASKED = 2
"""The questions asked at first: as many are open in the page, so that nothing moves."""

QUESTIONS = {
    "sex": ("A man?",),
    "class": ("", "First class?", "First or second class?"),
    "age": "Up to {:g} years old?",
    "siblings": "Up to {:.0f} siblings?",
    "fare": "Ticket up to £{:.2f}?",
}
"""The test of a column in words; several go by the whole number that it allows at most."""


def question(path: dt.impurity.ImpurityPath, split: int) -> str:
    """Return the question of a split in words."""
    threshold = path.split_threshold[split]
    words = QUESTIONS[path.names.feature(path.split_variable[split])]
    return words.format(threshold) if isinstance(words, str) else words[int(threshold)]


def node_html(path: dt.impurity.ImpurityPath, node: int, answer: str = "") -> str:
    """Return the list item of a node: its verdict, and below its question what follows."""
    label, n_examples = int(path.node_value[node]), int(path.node_examples[node])
    verdict = f'<b class="label{label}">{("died", "survived")[label]}</b>'
    n_right = int(path.class_counts[node][label])
    text = f'<span class="verdict">{answer}{verdict} {n_right} of {n_examples}</span>'
    split = next((j for j, k in enumerate(path.split_node) if k == node), None)
    if split is None:
        return f"<li>{text}</li>"
    low, high = (node_html(path, 2 * split + k, f"{('yes', 'no')[k - 1]}: ") for k in (1, 2))
    text += f'<span class="question">{answer}{question(path, split)}</span>'
    state = ' class="open"' if split < ASKED else ""
    return f'<li data-split="{split}"{state}>{text}<ul>{low}{high}</ul></li>'


def tree_html(n_leaves: int) -> str:
    """Return the whole tree with its slider."""
    people = dt.datasets.titanic()
    path = dt.grow(people.X, people.y, max_leaves=n_leaves, feature_names=people.feature_names)
    right = [round(100 * (1 - error)) for error in path.errors]
    return (
        f'<div {MARKER} data-right="{json.dumps(right)}"><p class="pst-js-only">'
        f'<input type="range" min="0" max="{n_leaves - 1}" value="{ASKED}" '
        'aria-label="Questions"> '
        "<output></output></p>\n"
        f"<ul>{node_html(path, 0)}</ul></div>"
    )


class FrontTree(SphinxDirective):
    """A tree of so many leaves for the passengers of the Titanic."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", tree_html(int(self.arguments[0])), format="html")]


def add_assets(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Load the script where the tree is."""
    if MARKER in context.get("body", ""):
        app.add_js_file("front.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive and what its page loads."""
    app.add_directive("front-tree", FrontTree)
    app.add_css_file("front.css")
    app.connect("html-page-context", add_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
