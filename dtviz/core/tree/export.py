"""One walk over the nodes of a tree, and what is written from it: text, Graphviz DOT, lists.

The walk says what each node is and what it says. Who draws or writes only lays it out: a drawing
(`dtviz.plot.tree`) takes the walk in a `Notation` of its own; `dtviz.core.tree.rules` writes
rules and programs from it. What is written is a method of `Tree`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_flag, as_integer, as_list, as_repr
from dtviz.core.names import MOST_LISTED, MOST_NAMES, SHORT, Names, decimal, in_line
from dtviz.core.tree.nodes import TreeNodes

MAX_TEXT = 20_000_000
"""The most characters of a text: a chain of 20,000 tests would take a thousand million."""


class Node(NamedTuple):
    """A node on the walk: where it stands, what it says, and what the branch to it says.

    ``is_leaf`` tells that nothing comes below; ``folded`` is then the number of leaves that the
    walk passed over, 0 at a true leaf. ``is_high`` tells that it is the high child of ``parent``,
    which is -1 at the root.
    """

    number: int
    parent: int
    depth: int
    branch: str
    text: str
    is_leaf: bool
    is_high: bool
    folded: int = 0


def _in_full(value: Any) -> str:
    text = str(value)
    # a mean has sixteen digits, a label that is a number has few
    return decimal(float(value), 6) if len(text) > 8 else text


def without_point(label: Any) -> Any:
    """A class, as text if it is a whole number in a column of floats: 3, not 3.0 or 3.00."""
    return decimal(float(label), 6) if isinstance(label, (float, np.floating)) else label


@dataclass(frozen=True)
class Notation:
    """How the words of a node are written.

    ``at_most`` stands before a threshold, which has at least so many ``digits`` if it is rounded,
    and at most ``short`` if not. ``nameless`` names a feature by its number, ``folded`` a subtree
    passed over by its leaves, ``number`` a label that is a real number to predict. A test lists so
    many categories as ``listed`` says, or all.
    """

    at_most: str = "<="
    digits: int = 6
    nameless: str = "x{}"
    folded: str = "... {} leaves"
    number: Callable[[Any], str] = _in_full
    listed: int | None = MOST_LISTED
    short: int = SHORT

    def label(self, label: Any, *, is_regression: bool) -> str:
        """The text of a label: a number to predict, or a class."""
        return self.number(label) if is_regression else in_line(str(without_point(label)))


TEXT = Notation()


def walk(
    tree: TreeNodes,
    names: Names,
    closed: npt.NDArray[np.bool_] | None = None,
    notation: Notation = TEXT,
) -> Iterator[Node]:
    """Yield the nodes in preorder; a subtree at a ``closed`` node is passed over, counted."""
    above = {0: (-1, 0, "", False)}
    digits = digits_needed(tree, notation.digits, notation.short)
    number = 0
    while number < tree.variable.size:
        parent, depth, branch, is_high = above.pop(number)
        step, folded, is_leaf = 1, 0, True
        if tree.variable[number] < 0:
            text = "?"
            if tree.value is not None:
                label = tree.value[[number]].tolist()[0]
                text = notation.label(names.call_label(label), is_regression=tree.is_regression)
        elif closed is not None and closed[number]:
            folded = int(tree.leaves_below[number])
            text, step = notation.folded.format(folded), 2 * folded - 1
        else:
            i, is_leaf = int(tree.variable[number]), False
            low, high = "yes", "no"
            if number not in tree.subsets:
                low, high = names.branches(i, float(tree.threshold[number]))
            above[int(tree.low[number])] = number, depth + 1, low, False
            above[int(tree.high[number])] = number, depth + 1, high, True
            name = notation.nameless.format(i)
            if names.features is not None:
                name = in_line(names.feature(i))
            telling = digits.get(i, notation.digits)
            text = name + _condition(tree, number, names, notation, telling)
        yield Node(number, parent, depth, branch, text, is_leaf, is_high, folded)
        number += step


def digits_needed(tree: TreeNodes, least: int, short: int = SHORT) -> dict[int, int]:
    """By feature, so many digits that no two of its thresholds read alike, if ``least`` are few."""
    inner = np.flatnonzero(np.isfinite(tree.threshold) & (tree.variable >= 0))
    order = inner[np.lexsort((tree.threshold[inner], tree.variable[inner]))]
    tested = zip(tree.variable[order].tolist(), tree.threshold[order].tolist(), strict=True)
    needed: dict[int, int] = {}
    for (i, below), (j, above) in pairwise(tested):
        if i == j and below < above:
            digits = needed.get(i, least)
            while decimal(below, digits, short) == decimal(above, digits, short):
                digits += 1
            if digits > least:
                needed[i] = digits
    return needed


def _condition(tree: TreeNodes, node: int, names: Names, how: Notation, digits: int) -> str:
    i, threshold = int(tree.variable[node]), float(tree.threshold[node])
    if node in tree.subsets:
        said = names.membership(i, tree.subsets[node], how.listed)
    else:
        write = partial(decimal, digits=digits, short=how.short)
        said = names.condition(i, threshold, how.at_most, write, how.listed)
    admits = tree.missing is not None and tree.missing[node] and i in names.missing
    is_alone = math.isinf(threshold) or tree.subsets.get(node) == frozenset()
    return f"{said} or missing" if admits and not is_alone else said


def names_for(
    tree: TreeNodes, names: Names | Iterable[str] | None, class_names: Any = None
) -> Names:
    """The tree's own names, or others in their place, of its variables and of its classes."""
    if class_names is not None:
        own = names_for(tree, names)
        if own.labels is None and tree.value is not None and not tree.is_regression:
            found = set(tree.value[tree.leaves].tolist())
            own = replace(own, labels=tuple(sorted(found | {0, 1} if found <= {0, 1} else found)))
        return own.with_classes(class_names)
    if names is None or isinstance(names, Names):
        return tree.names if names is None else names
    highest = int(tree.variable.max())
    rule = f"a sequence of strings that names x0 .. x{highest}"
    given = as_list("names", names, rule, MOST_NAMES)
    if not all(isinstance(name, str) for name in given) or len(given) <= highest:
        msg = f"names must be {rule}, got {as_repr(names)}"
        raise ValueError(msg)
    return tree.names.rename_features(given) if given else tree.names


def to_text(
    tree: TreeNodes,
    names: Iterable[str] | None = None,
    max_depth: int | None = None,
    *,
    class_names: Any = None,
    all_categories: bool = False,
) -> str:
    """The tree as an indented drawing, one node a line; ``?`` marks an unlabeled leaf.

    ``names`` replaces ``x0, x1, ...`` or the tree's own names, and ``class_names`` those of its
    classes: a sequence in their order, or a mapping; an empty one shows the labels. Below
    ``max_depth`` a subtree is one line, counted. Numbers of more than 12 digits are rounded, but
    so that no two thresholds of a feature read alike; ``threshold`` and `to_dict` have them as they
    are. A test for categories lists three and counts the others, unless ``all_categories`` are
    asked for. The text has at most 20,000,000 characters: each line is indented by its depth.
    """
    closed = None
    if max_depth is not None:
        closed = np.zeros(tree.variable.size, dtype=np.bool_)
        for level in tree.levels[as_integer("max_depth", max_depth, 0) :]:
            closed[level] = True
    listed = None if as_flag("all_categories", all_categories) else MOST_LISTED
    lines: list[str] = []
    indent = [""]
    length = -1  # no line break after the last
    called = names_for(tree, names, class_names)
    for node in walk(tree, called, closed, replace(TEXT, listed=listed)):
        before, line = "", node.text
        if node.depth > 0:
            del indent[node.depth :]
            before = indent[node.depth - 1]
            line = f"{before}{'└─' if node.is_high else '├─'} {node.branch}: {node.text}"
            indent.append(before + ("   " if node.is_high else "│  "))
        lines.append(line)
        length += len(line) + 1
        if length > MAX_TEXT:
            msg = (
                f"max_depth must leave a text of at most {MAX_TEXT:,} characters, for this tree of "
                f"depth {len(tree.levels) - 1} as in to_text(max_depth=10), got {max_depth}"
            )
            raise ValueError(msg)
    return "\n".join(lines)


def to_dot(tree: TreeNodes, names: Iterable[str] | None = None, *, class_names: Any = None) -> str:
    """The tree as a Graphviz DOT digraph, as long as the tree is large; names as in `to_text`."""
    nodes, edges = [], []
    for node in walk(tree, names_for(tree, names, class_names)):
        shape = "box" if node.is_leaf else "ellipse"
        text, branch = (
            said.replace("\\", "\\\\").replace('"', '\\"') for said in (node.text, node.branch)
        )
        nodes.append(f'  {node.number} [label="{text}", shape={shape}];')
        if node.parent >= 0:
            edges.append(f'  {node.parent} -> {node.number} [label="{branch}"];')
    return "\n".join(["digraph tree {", "  node [fontname=Helvetica];", *nodes, *edges, "}"])


def to_dict(tree: TreeNodes) -> dict[str, Any]:
    """The tree as lists in preorder, fit for JSON: ``variable``, ``threshold``, ``value``.

    Preorder with -1 at the leaves determines the shape. A tree that has names of its own has
    them under ``names``: ``features``, ``bits`` and ``categories``. Ways for missing values are
    under ``missing``, with None for an infinite threshold, sets of codes under ``subsets``, by
    the number of the node; a regression tree has ``is_regression``. `from_dict` reads it back.
    What its examples say is left out: a pickle has that, too.
    """
    data: dict[str, Any] = {
        "variable": tree.variable.tolist(),
        "threshold": [t if math.isfinite(t) else None for t in tree.threshold.tolist()],
        "value": None if tree.value is None else tree.value.tolist(),
    }
    if tree.missing is not None:
        data["missing"] = tree.missing.tolist()
    if tree.subsets:
        data["subsets"] = {str(node): sorted(codes) for node, codes in tree.subsets.items()}
    if tree.is_regression:
        data["is_regression"] = True
    return data if tree.names == Names() else {**data, "names": tree.names.to_dict()}


def read_dict(data: Any) -> dict[str, Any]:
    """What `to_dict` wrote, as the arguments that make a tree."""
    if not isinstance(data, Mapping):
        msg = f"data must be a dict as to_dict makes it, got {as_repr(data)}"
        raise ValueError(msg)
    absent = {"variable", "threshold", "value"} - set(data)
    if absent:
        msg = f"data must have the keys variable, threshold, value; missing {sorted(absent)}"
        raise ValueError(msg)
    threshold, missing, sets = data["threshold"], data.get("missing"), data.get("subsets")
    if isinstance(missing, list) and isinstance(threshold, list):
        threshold = [
            t if t is not None else -math.inf if low else math.inf
            for t, low in zip(threshold, missing, strict=False)
        ]
    if isinstance(sets, Mapping):
        sets = {int(key) if str(key).isdecimal() else key: sets[key] for key in sets}
    return {
        "variable": data["variable"],
        "value": data["value"],
        "threshold": threshold,
        "names": None if data.get("names") is None else Names.from_dict(data["names"]),
        "missing": missing,
        "subsets": sets,
        "is_regression": data.get("is_regression", False),
    }
