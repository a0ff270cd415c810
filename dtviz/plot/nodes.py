"""What stands at the nodes of a drawn tree: words and colours, no positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_list, as_one_of, shown
from dtviz.core.names import Names
from dtviz.core.rendering import Node, Notation, without_point
from dtviz.core.tree import Tree
from dtviz.plot.theme import COLOURS, ON_FILL, tint

__all__ = ["PICTURE", "Look", "Words"]

_MAX_NAMES = 10**7
"""The most names that are read."""

_CLASS_COLOURS = tuple(COLOURS[k] for k in ("label0", "label1", "ink", "score", "bound", "cost"))


def _in_short(label: Any) -> str:
    if isinstance(label, (bool, np.bool_)):
        label = int(label)
    return f"{label:.3g}" if isinstance(label, (float, np.floating)) else str(label)


PICTURE = Notation("≤", 4, "$x_{{{}}}$", "{}\nleaves", _in_short)
"""How a picture writes what the walk says."""


class Look(NamedTuple):
    """How the box of a node is drawn: its text, three colours, corners and outline."""

    text: str
    fill: Any
    edge: str
    ink: str
    box: str = "square"
    dash: str = "solid"
    is_math: bool = False


class Words:
    """The look of a node on the walk, and the small text beside it."""

    def __init__(
        self,
        tree: Tree,
        names: Sequence[str] | None,
        node_colour: str | None,
        leaf_text: Sequence[Any] | Callable[[int], str] | None,
    ) -> None:
        self.tree = tree
        self.names = _checked_names(names, tree)
        self.node_colour = node_colour
        self.numbers = _numbers(tree, node_colour)
        self.leaf_text = _checked_leaf_text(leaf_text, tree.n_leaves)
        self.classes = _class_colours(tree)

    def look(self, node: Node) -> Look:
        """The box of a node that is not folded."""
        if not node.is_leaf:
            return self._test(node)
        if self.tree.value is None:
            return Look(node.text, "white", COLOURS["muted"], COLOURS["muted"], dash="dashed")
        return self._label(node.text)

    def note(self, node: Node) -> str:
        """The small text under a leaf or beside an internal node; empty where there is none."""
        if node.is_leaf:
            if self.leaf_text is None:
                return ""
            if callable(self.leaf_text):
                return str(self.leaf_text(node.number))
            text = self.leaf_text[int(np.searchsorted(self.tree.leaves, node.number))]
            return f"{text:.3g}" if isinstance(text, (float, np.floating)) else str(text)
        if self.numbers is None:
            return ""
        number = str(self.numbers[node.number])
        return f"{self.node_colour} {number}" if node.number == 0 else number

    def _test(self, node: Node) -> Look:
        fill: Any = "white"
        if self.numbers is not None:
            # Strong enough to tell apart, light enough for dark type.
            share = self.numbers[node.number] / max(1, self.numbers[self.tree.variable >= 0].max())
            fill = tint(COLOURS["cost"], 0.1 + 0.4 * share)
        return Look(node.text, fill, COLOURS["muted"], COLOURS["ink"], box="round", is_math=True)

    def _label(self, text: str) -> Look:
        colour = self.classes.get(text, COLOURS["muted"])
        if set(self.classes) <= {"0", "1"} and text in self.classes:
            # Hollow and filled: the two labels differ without colour as well.
            if text == "0":
                return Look(text, "white", colour, colour)
            return Look(text, colour, colour, ON_FILL)
        return Look(text, tint(colour, 0.16), colour, COLOURS["ink"])


def _checked_names(names: Sequence[str] | None, tree: Tree) -> Names:
    """The tree's own names, or those given in their place."""
    highest = int(tree.variable.max())
    if names is None:
        return tree.names
    rule = f"a sequence of strings that names x0 .. x{highest}"
    texts = as_list("names", names, rule, _MAX_NAMES)
    if len(texts) <= highest or not all(isinstance(text, str) for text in texts):
        msg = f"names must be {rule}, got {shown(names)}"
        raise ValueError(msg)
    return tree.names.renamed(texts) if texts else tree.names


def _checked_leaf_text(leaf_text: Any, n_leaves: int) -> Any:
    if leaf_text is None or callable(leaf_text):
        return leaf_text
    rule = f"a sequence of one text per leaf ({n_leaves}), or a function of the node"
    texts = as_list("leaf_text", leaf_text, rule, n_leaves)
    if len(texts) != n_leaves or any(isinstance(text, np.ndarray) for text in texts):
        msg = f"leaf_text must be {rule}, got {shown(leaf_text)}"
        raise ValueError(msg)
    return texts


def _numbers(tree: Tree, node_colour: str | None) -> npt.NDArray[np.intp] | None:
    if node_colour is None:
        return None
    by_rank = as_one_of("node_colour", node_colour, ("rank", "depth")) == "rank"
    return tree.node_rank if by_rank else tree.node_depth


def _class_colours(tree: Tree) -> dict[str, str]:
    """A colour for each class, by its text; none for numbers of regression or for too many."""
    if tree.value is None or tree.is_regression:
        return {}
    values = tree.value[tree.leaves]
    if values.dtype.kind == "b":
        values = values.astype(np.intp)
    labels = set(values.tolist())
    if labels <= {0, 1}:
        return {"0": COLOURS["label0"], "1": COLOURS["label1"]}
    texts = sorted({str(without_point(label)) for label in labels})
    if len(texts) > len(_CLASS_COLOURS):
        return {}
    return dict(zip(texts, _CLASS_COLOURS, strict=False))
