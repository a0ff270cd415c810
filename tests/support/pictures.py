"""The kinds of arguments of pictures, which need axes and texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import dtviz as dt
from support.kinds import Kind, arrays, choice, fixed, holds, names, whole
from support.nasty import instance, integer


def on_axes(draw: Callable[..., Any]) -> Callable[..., Any]:
    """A plot function that draws on axes of its own, which it clears, and a line with them."""
    own = Figure().subplots()

    def drawn(ax: Any, **given: Any) -> Any:
        if ax is Axes or ax is None:
            ax = own
            if ax.texts or ax.has_data():
                ax.clear()
        if given.get("line") is Line2D:
            given["line"] = ax.plot([0, 1], color="k")[0] if ax is own else Line2D([0], [0])
        return draw(ax=ax, **given)

    return drawn


def leaf(tree: dt.Tree) -> Kind:
    """The index of a leaf."""
    node = integer(0, tree.n_nodes - 1)
    leaves = [int(one) for one in tree.leaves]
    return whole(0, tree.n_nodes - 1).but(
        plain=st.sampled_from(leaves), rule=lambda v: node(v) and int(v) in leaves
    )


def plain_list(value: Any) -> list[Any] | None:
    """The entries of what has some."""
    try:
        return list(value)
    except TypeError:
        return None


def of_tree(path: dt.influence.GrowthPath) -> dict[str, Kind]:
    """A tree or a path of which to draw one, and all that can be said about it."""
    tree = path.tree()
    node = integer(0, tree.n_nodes - 1)

    def texts(value: Any) -> bool | None:
        if value is None or callable(value) or isinstance(value, Iterator):
            return value is None or None
        return None if len(plain_list(value) or ()) == tree.n_leaves else False

    def highlighted(value: Any) -> bool | None:
        if isinstance(value, Iterator):
            return None
        listed = plain_list(value)
        return listed is not None and all(map(node, listed))

    grown = (dt.Tree, dt.influence.GrowthPath)
    leaves = [f"leaf {k}" for k in range(tree.n_leaves)]
    return {
        "tree": Kind(st.just(tree), lambda v: isinstance(v, grown), lambda _: [path], clashes=True),
        "X": fixed(dt.cube_points(3)),
        "y": fixed(dt.functions.majority(3).table),
        "class_names": names("no yes", of_classes=True),
        "max_leaves": whole(4, drawn=[4]).but(rule=integer(1), edges=(1, 0)),
        "node_color": choice("rank", "depth"),
        "leaf_text": Kind(st.just(leaves), texts, lambda v: [tuple(v), np.array(v)]),
        "highlight": Kind(st.just([0, 1]), highlighted, arrays, ([], [tree.n_nodes], [-1])),
    }


def of_growth(path: dt.influence.GrowthPath) -> dict[str, Kind]:
    """What is drawn of a path: its curves, and bounds beside them."""
    known = ("error", "cost", "half cost", "score")
    m = path.n_splits + 1
    heights = holds("biuf", lambda _: True, (m,))
    given = {"a bound": [float(k) for k in range(m)]}

    def curves(value: Any) -> bool | None:
        if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
            return False
        if not isinstance(value, (list, tuple)):
            return None
        return all(isinstance(name, str) and name in known for name in value)

    def bounds(value: Any) -> bool:
        if not isinstance(value, dict):
            return value is None
        return all(isinstance(name, str) and heights(value[name]) for name in value)

    def forms(v: dict[str, Any]) -> list[Any]:
        again = {key: np.array(height) for key, height in v.items()}
        return [again, {"short": [1.0]}, {"text": ["a"] * m}, {1: given["a bound"]}]

    return {
        "path": Kind(st.just(path), instance(dt.influence.GrowthPath), clashes=True),
        "curves": Kind(
            st.just(["error", "score"]), curves, lambda v: [tuple(v), np.array(v)], ([],)
        ),
        "bounds": Kind(st.just(given), bounds, forms, ({},), clashes=True),
    }
