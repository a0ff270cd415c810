"""The tree of the first page: who survived the Titanic, one more question at each step of a slider.

``:::{front-tree} 5`` grows the tree of so many questions on the 450 passengers of the chapters, and
writes it as nested lists, whole. `front.js` shows the questions asked so far, and lets people fall.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from docutils import nodes
from dtviz_explorers import SCRIPTS
from sphinx.util.docutils import SphinxDirective

import dtviz as dt

if TYPE_CHECKING:
    from sphinx.application import Sphinx

N_GROWN = 450
MARKER = 'class="dtviz-front-tree"'
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A passenger is one: twice the number of its leaf, and one more for a survivor."""

QUESTIONS: dict[str, str | tuple[str, ...]] = {
    "male": ("A woman?",),
    "class": ("", "First class?", "First or second class?"),
    "age": "Up to {:d} years old?",
    "fare": "Ticket up to £{:.2f}?",
}
"""The test of a column in words; several go by the whole number that it allows at most."""


ROW, WORDS = 70, 22
"""Pixels: from one level to the next, and from its top to the middle of its words."""


class Node(NamedTuple):
    """A node of the tree on the page."""

    up: int
    born: int
    """After how many questions it is there."""
    asked: int
    """Which question it is, from 0 on; -1 at a leaf."""
    label: int
    words: str
    """Its question."""
    rows: np.ndarray
    """Which of the passengers come to it."""


class Front(NamedTuple):
    """The tree in preorder, and the passengers, those it grew on first."""

    nodes: list[Node]
    survived: np.ndarray

    def ends(self, asked: int) -> np.ndarray:
        """Return the leaf of each passenger after so many questions."""
        found = np.zeros(len(self.survived), int)
        for k, node in enumerate(self.nodes):
            if node.born <= asked:
                found[node.rows] = k
        return found

    def right(self, asked: int) -> list[int]:
        """Return how many of those it grew on, and how many others, the tree is right about."""
        labels = np.array([node.label for node in self.nodes])
        right = labels[self.ends(asked)] == self.survived
        return [int(right[:N_GROWN].sum()), int(right[N_GROWN:].sum())]


def question(path: dt.impurity.ImpurityPath, split: int) -> str:
    """Return the question of a split in words."""
    name, threshold = path.names.feature(path.split_variable[split]), path.split_threshold[split]
    words = QUESTIONS[name]
    if isinstance(words, tuple):
        return words[int(threshold)]
    return words.format(int(threshold) if "{:d}" in words else threshold)


def read_passengers() -> tuple[np.ndarray, np.ndarray]:
    """Return all passengers with the columns of the chapters: those who grow their trees first."""
    people = dt.datasets.titanic()
    names = dt.datasets.titanic(numeric=True).feature_names
    columns = dict(zip(people.feature_names, np.asarray(people.X, object).T, strict=True))
    columns["male"] = columns["sex"] == "male"
    X = np.column_stack([columns[name].astype(float) for name in names])
    known = np.flatnonzero(~np.isnan(X).any(axis=1))
    grown = np.random.default_rng(0).permutation(known)[:N_GROWN]
    order = np.concatenate([grown, np.setdiff1d(np.arange(len(X)), grown)])
    return X[order], people.y[order]


def grow_front(n_questions: int) -> Front:
    """Grow the tree of the page, and let all passengers fall through it."""
    grown = dt.datasets.titanic(numeric=True).split(N_GROWN, 200, seed=0)[0]
    path = dt.grow(grown, max_leaves=n_questions + 1, feature_names=grown.feature_names)
    tree, splits = path.tree_for_gaps(), path.split_node.tolist()
    X, survived = read_passengers()
    ends = tree.apply(X)
    found: list[Node] = []

    def comers(place: int) -> np.ndarray:
        """Return which rows come to a node of the tree."""
        below = tree.low[place], tree.high[place]
        return np.isin(ends, place) if below[0] < 0 else comers(below[0]) | comers(below[1])

    def add(node: int, place: int, up: int, born: int) -> None:
        """Add a node of the path, which stands at a place of the tree, and those below it."""
        k, asked = len(found), splits.index(node) if node in splits else -1
        words = question(path, asked) if asked >= 0 else ""
        found.append(Node(up, born, asked, int(path.node_value[node]), words, comers(place)))
        if asked >= 0:
            add(2 * asked + 1, tree.low[place], k, asked + 1)
            add(2 * asked + 2, tree.high[place], k, asked + 1)

    add(0, 0, -1, 0)
    return Front(found, survived)


def middles(tree: list[Node]) -> list[tuple[float, float]]:
    """Return for each node the middle and the width of the columns of its leaves, in percent."""
    below = [[k for k, node in enumerate(tree) if node.up == at] for at in range(len(tree))]
    leaves = [k for k, children in enumerate(below) if not children]

    def ends_of(k: int) -> list[int]:
        return [leaves.index(k)] if k in leaves else [*ends_of(below[k][0]), *ends_of(below[k][1])]

    spans = [(min(ends), max(ends) + 1) for ends in map(ends_of, range(len(tree)))]
    unit = 100 / len(leaves)
    return [(unit * (low + high) / 2, unit * (high - low)) for low, high in spans]


def absence(node: Node) -> str:
    """Return the attributes of what comes with a node: at first no question is asked."""
    return f'data-born="{node.born}"' + (' class="absent"' if node.born else "")


class Drawing:
    """The tree as HTML: nested lists, whose parts stand at their places, and lines between them."""

    def __init__(self, front: Front) -> None:
        self.front = front
        self.middles = middles(front.nodes)
        self.levels = [0]
        for node in front.nodes[1:]:
            self.levels.append(self.levels[node.up] + 1)

    def item(self, k: int, answer: str = "") -> str:
        """Return the list item of a node: its verdict, its question, and what follows."""
        node = self.front.nodes[k]
        (x, wide), comers = self.middles[k], node.rows[:N_GROWN]
        right = (self.front.survived[:N_GROWN] == node.label)[comers]
        words = ("died", "survived")[node.label]
        answer = f"<i>{answer}</i> " if answer else ""
        style = f"--x: {x:.2f}%; --wide: {wide:.2f}%; --level: {self.levels[k]}"
        html = f'<li {absence(node)} data-asked="{node.asked}"><p style="{style}">{answer}'
        html += f'<span class="verdict"><b class="label{node.label}">{words}</b> '
        html += f"{right.sum()} of {comers.sum()}</span>"
        if node.asked < 0:
            return f"{html}</p></li>"
        low, high = (j for j, child in enumerate(self.front.nodes) if child.up == k)
        below = self.item(low, "yes") + self.item(high, "no")
        return f'{html}<span class="question">{node.words}</span></p><ul>{below}</ul></li>'

    def edges(self) -> str:
        """Return the lines between the nodes."""
        return "".join(
            f'<line {absence(node)} x1="{self.middles[node.up][0]:.2f}%" '
            f'x2="{self.middles[k][0]:.2f}%" y1="{(self.levels[k] - 1) * ROW + WORDS}" '
            f'y2="{self.levels[k] * ROW + WORDS}"/>'
            for k, node in enumerate(self.front.nodes)
            if k
        )


def tree_html(n_questions: int) -> str:
    """Return the tree with its slider, and the counts of its last step."""
    front = grow_front(n_questions)
    ends = front.ends(n_questions)
    codes = 2 * ends + front.survived
    # Those of a leaf who died lie above those who survived.
    order = np.lexsort([codes, front.survived, np.arange(len(codes)) >= N_GROWN])
    drawing = Drawing(front)
    data = {
        "grown": N_GROWN,
        "people": "".join(DIGITS[code] for code in codes[order]),
        "row": ROW,
        "words": WORDS,
        "nodes": [
            [node.up, node.born, node.label, round(x, 2), round(wide, 2), level]
            for node, (x, wide), level in zip(
                front.nodes, drawing.middles, drawing.levels, strict=True
            )
        ],
        "right": [front.right(asked) for asked in range(n_questions + 1)],
    }
    right, sizes = front.right(n_questions), (N_GROWN, len(codes) - N_GROWN)
    shares = [f"{100 * one / size:.0f}%" for one, size in zip(right, sizes, strict=True)]
    return (
        f'<div {MARKER} style="--row: {ROW}px; --levels: {max(drawing.levels)}" '
        f"data-tree='{json.dumps(data, separators=(',', ':'))}'>"
        f'<p class="pst-js-only"><input type="range" min="0" max="{n_questions}" value="0" '
        'aria-label="Questions"> <button type="button"></button></p>'
        f'<div class="drawing"><svg aria-hidden="true">{drawing.edges()}</svg>'
        f"<ul>{drawing.item(0)}</ul></div>"
        '<p class="counts">'
        f"<span>Right: <b>{right[0]}</b> of the {sizes[0]} it learned from, "
        f"<em>{shares[0]}</em></span> "
        f"<span>Right: <b>{right[1]}</b> of the other {sizes[1]}, <em>{shares[1]}</em></span></p>"
        '<p class="visually-hidden" aria-live="polite"></p></div>'
    )


class FrontTree(SphinxDirective):
    """A tree of so many questions for the passengers of the Titanic."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", tree_html(int(self.arguments[0])), format="html")]


def add_assets(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Load the scripts where the tree is."""
    if MARKER in context.get("body", ""):
        app.add_js_file(SCRIPTS["falling"], loading_method="defer")
        app.add_js_file("front.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive and what its page loads."""
    app.add_directive("front-tree", FrontTree)
    app.add_css_file("front.css")
    app.connect("html-page-context", add_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
