"""What stands at the nodes of a drawn tree: words and colors, no positions."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_list, as_one_of, as_repr
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_classes
from dtviz.core.names import percent
from dtviz.core.tree.export import Node, Notation, names_for
from dtviz.core.tree.tree import Tree
from dtviz.plot.canvas import is_formula
from dtviz.plot.theme import COLORS, FILL, ON_FILL, tint

_CLASS_KEYS = "label0", "label1", "ink", "score", "bound", "cost"


PICTURE = Notation(
    "≤", 4, short=4, nameless="$x_{{{}}}$", folded="{}\nleaves", number="{:.3g}".format
)
"""How a picture writes what the walk says."""

LONGEST_NAME, LONGEST_LINE = 40, 24
"""A picture shows so much of a name, and breaks what is longer than a line; text has all of it."""


def _shorten(name: str) -> str:
    """A name without its middle, if it is long: it is often the end that differs."""
    end = LONGEST_NAME // 3
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - end - 1]}…{name[-end:]}"


class Look(NamedTuple):
    """How the box of a node is drawn: its text, three colors, corners and outline."""

    text: str
    fill: Any
    edge: str
    ink: str
    box: str = "square"
    dash: str = "solid"
    is_math: bool = False


class Words:
    """The look of a node on the walk, and the small text beside it."""

    def __init__(  # noqa: PLR0913, PLR0917 -- what a caller of `dtviz.plot.tree` may choose
        self,
        tree: Tree,
        names: Sequence[str] | None,
        node_color: str | None,
        leaf_text: Sequence[Any] | Callable[[int], str] | None,
        class_names: Sequence[str] | None = None,
        rows: Rows | None = None,
    ) -> None:
        self.tree, self.rows = tree, rows
        if class_names is not None and (tree.value is None or tree.is_regression):
            got = as_repr(class_names)
            msg = f"class_names must be None, the leaves have no classes, got {got}"
            raise ValueError(msg)
        checked = names_for(tree, names, class_names)
        #: Only what was written for this picture may be a formula, no name that data came with.
        self.typesets = names is not None or checked.features is None
        self.names = replace(
            checked,
            features=checked.features and tuple(map(_shorten, checked.features)),
            categories={i: tuple(map(_shorten, k)) for i, k in checked.categories.items()},
        )
        self.node_color = node_color
        self.numbers: npt.NDArray[np.intp] | None = None
        if node_color is not None:
            by_rank = as_one_of("node_color", node_color, ("rank", "depth")) == "rank"
            self.numbers = tree.node_rank if by_rank else tree.node_depth
        self.leaf_text = _check_leaf_text(leaf_text, tree.n_leaves)
        #: The color of each class; none for numbers of regression or for too many classes.
        self.classes: dict[Any, str] = {}
        if tree.value is not None and not tree.is_regression:
            keys = find_class_keys(set(tree.value[tree.leaves].tolist()))
            self.classes = {label: COLORS[key] for label, key in keys.items()}
        self.is_binary = set(map(str, self.classes)) <= {"0", "1", "False", "True"}

    def fit(self, node: Node) -> Node:
        """The node with its text in lines that fit a picture."""
        if node.folded or len(node.text) <= LONGEST_LINE:
            return node
        text = _shorten(node.text) if node.is_leaf else node.text.replace("≤ ", "≤\xa0")
        lines = textwrap.wrap(text, LONGEST_LINE, break_on_hyphens=False)
        return node._replace(text="\n".join(lines).replace("\xa0", " "))

    def is_formula(self, text: str) -> bool:
        """Whether a text of the picture is set as a formula."""
        return self.typesets and is_formula(text)

    def look(self, node: Node) -> Look:
        """The box of a node that is not folded."""
        if not node.is_leaf:
            return self._test(node)
        if self.tree.value is None:
            return Look(node.text, "white", COLORS["muted"], COLORS["muted"], dash="dashed")
        return self._label(node)

    def note(self, node: Node) -> str:
        """The small text under a leaf or beside an internal node; empty where there is none."""
        if node.is_leaf:
            if self.leaf_text is None:
                return "" if self.rows is None else self.rows.describe(node.number)
            if callable(self.leaf_text):
                return str(self.leaf_text(node.number))
            text = self.leaf_text[int(np.searchsorted(self.tree.leaves, node.number))]
            return f"{text:.3g}" if isinstance(text, (float, np.floating)) else str(text)
        if self.numbers is None:
            return ""
        number = str(self.numbers[node.number])
        return f"{self.node_color} {number}" if node.number == 0 else number

    def _test(self, node: Node) -> Look:
        fill: Any = "white"
        if self.numbers is not None:
            # Strong enough to be kept apart, light enough for dark type.
            share = self.numbers[node.number] / max(1, self.numbers[self.tree.variable >= 0].max())
            fill = tint(COLORS["cost"], 0.1 + 0.4 * share)
        is_math = self.is_formula(node.text)
        return Look(node.text, fill, COLORS["muted"], COLORS["ink"], "round", is_math=is_math)

    def _label(self, node: Node) -> Look:
        assert self.tree.value is not None  # noqa: S101 -- of a bare tree no leaf has a label
        label = self.tree.value[[node.number]].tolist()[0]
        color = self.classes.get(label, COLORS["muted"])
        if self.is_binary and label in self.classes:
            # Hollow and filled: the two labels differ without color as well.
            if str(label) in ("0", "False"):
                return Look(node.text, "white", color, color)
            return Look(node.text, tint(color, FILL), color, ON_FILL)
        return Look(node.text, tint(color, 0.16), color, COLORS["ink"])


class Rows(NamedTuple):
    """How many rows of data reach each node, and how many of them have the label that it gives."""

    number: npt.NDArray[np.intp]
    right: npt.NDArray[np.intp] | None

    def describe(self, leaf: int) -> str:
        """The rows of a leaf, and the share of its label: 100% is all, and 99.99% is not."""
        count = self.number[leaf]
        if self.right is None or not count:
            return f"{count} row{'s' * bool(count != 1)}"
        return f"{percent(float(self.right[leaf] / count), 0)} of {count}"


def count_rows(tree: Tree, X: Any, y: Any) -> Rows | None:
    """Send examples down a tree; y is of use where the leaves have classes."""
    X, y, *_ = read_handed(X, y, needs_y=False)
    if X is None:
        if y is not None:
            msg = f"X must be given with y, got None and {as_repr(y)}"
            raise ValueError(msg)
        return None
    at = tree.apply(X)
    count, right = np.bincount(at, minlength=tree.n_nodes), None
    if y is not None and tree.value is not None and not tree.is_regression:
        at = at[tree.value[at] == labels_for(tree, y, at.size)]
        right = np.bincount(at, minlength=tree.n_nodes)
    for level in reversed(tree.levels):
        inner = level[tree.variable[level] >= 0]
        count[inner] = count[tree.low[inner]] + count[tree.high[inner]]
    return Rows(count, right)


def labels_for(tree: Tree, y: Any, m: int) -> npt.NDArray[Any]:
    """The classes of m examples, of the kind that the leaves of a tree have."""
    classes, codes = as_classes(y, m)
    assert tree.value is not None  # noqa: S101 -- a bare tree has been refused
    if (classes.dtype.kind in "biuf") != (tree.value.dtype.kind in "biuf"):
        label = tree.value[-1].item()
        msg = f"y must have labels of the tree's kind, such as {label!r}, got {as_repr(y)}"
        raise ValueError(msg)
    return classes[codes]


def _check_leaf_text(leaf_text: Any, n_leaves: int) -> Any:
    if leaf_text is None or callable(leaf_text):
        return leaf_text
    rule = f"a sequence of one text per leaf ({n_leaves}), or a function of the node"
    texts = as_list("leaf_text", leaf_text, rule, n_leaves)
    if len(texts) != n_leaves or any(isinstance(text, np.ndarray) for text in texts):
        msg = f"leaf_text must be {rule}, got {as_repr(leaf_text)}"
        raise ValueError(msg)
    return texts


def find_class_keys(labels: set[Any]) -> dict[Any, str]:
    """The key of a color for each of some classes, in order; empty if there are too many."""
    if labels <= {0, 1}:
        return {0: "label0", 1: "label1"}
    if len(labels) > len(_CLASS_KEYS):
        return {}
    return dict(zip(sorted(labels, key=str), _CLASS_KEYS, strict=False))
