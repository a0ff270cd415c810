"""The pictures: what they refuse, and that they draw the same whatever types they are handed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import dtviz as dt
from support.fuzz.args import (
    choice,
    clashing,
    class_names,
    flag,
    function,
    holds,
    names,
    number,
    optional,
    row,
    whole,
)
from support.fuzz.drive import Arg, Args, Row, as_data
from support.nasty import instance, integer

__all__ = ["ROWS"]

PATH = dt.build_top_down(dt.functions.majority(3))
TREE = PATH.tree()
GROWN = (dt.Tree, dt.influence.GrowthPath)


def axes() -> Arg:
    """Axes: drawn again for each call, so that nothing is drawn on twice."""
    return Arg(Axes, lambda v: v is Axes or v is None)


LEAF = int(TREE.leaves[0])


def is_lettered(value: Any) -> bool | None:
    """Whether a value is the index of a leaf."""
    return integer(0, TREE.n_nodes - 1)(value) and int(value) in map(int, TREE.leaves)


def on_axes(draw: Callable[..., Any]) -> Callable[..., Any]:
    """A plot function whose axes are made when it is called."""

    def drawn(ax: Any, **given: Any) -> Any:
        return draw(ax=Figure().subplots() if ax is Axes or ax is None else ax, **given)

    return drawn


def pictured(leaf_text: Any, **given: Any) -> Any:
    """`dt.plot.tree`; what junk that can be called says of a leaf is the reader's affair."""
    said = str if callable(leaf_text) else leaf_text
    return on_axes(dt.plot.tree)(leaf_text=said, **given)


def labelled(ax: Any, line: Any, **given: Any) -> Any:
    """`dt.plot.label_line` on axes of its own, with a line of theirs."""
    if ax is Axes:
        ax = Figure().subplots()
        line = ax.plot([0, 1], [0, 1])[0] if line is Line2D else line
    return dt.plot.label_line(ax, Line2D([0], [0]) if line is Line2D else line, **given)


def drawing(result: Any) -> Any:
    texts = [text.get_text() for text in (*result.nodes.values(), *result.notes.values())]
    return [texts, as_data(result.layout.x), [text.get_text() for text in result.branches]]


def trees(_: Random) -> Args:
    leaves = [f"leaf {k}" for k in range(TREE.n_leaves)]
    return {
        "tree": Arg(TREE, instance_of_grown, lambda _: [PATH], clashes=True),
        "X": Arg(dt.cube_points(3)),
        "y": Arg(dt.functions.majority(3).table),
        "ax": axes(),
        "names": names(["u", "v", "w"]),
        "class_names": class_names(["no", "yes"]),
        "max_leaves": whole(4, 1),
        "node_color": optional(choice("rank", ["rank", "depth"])),
        "leaf_text": Arg(leaves, texts(TREE.n_leaves), lambda v: [tuple(v), np.array(v)]),
        "highlight": highlighted([0, 1]),
    }


def instance_of_grown(value: Any) -> bool:
    return isinstance(value, GROWN)


def texts(m: int) -> Callable[[Any], bool | None]:
    """One of anything for each leaf, or a function of the node."""

    def rule(value: Any) -> bool | None:
        if value is None:
            return True
        if callable(value) or hasattr(value, "__next__"):
            return None
        try:
            return None if len(value) == m else False
        except TypeError:
            return False

    return rule


def highlighted(value: list[int]) -> Arg:
    """A collection of nodes."""
    node = integer(0, TREE.n_nodes - 1)

    def rule(given: Any) -> bool | None:
        if not hasattr(given, "__iter__") or (isinstance(given, np.ndarray) and not given.ndim):
            return False
        if hasattr(given, "__next__"):
            return None
        return all(node(entry) for entry in given)

    arg = row(value, bool, "iu")
    return dataclasses.replace(arg, rule=rule, edges=([], [TREE.n_nodes], [-1]))


def curves(_: Random) -> Args:
    kinds = ("error", "cost", "half cost", "score")
    some = ["error", "score"]

    def rule(value: Any) -> bool | None:
        if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
            return False
        if hasattr(value, "__next__"):
            return None
        if isinstance(value, np.ndarray) and value.ndim != 1:
            return False if value.size or not value.ndim else None
        return all(isinstance(name, str) and name in kinds for name in value)

    return {
        "path": Arg(PATH, instance(dt.influence.GrowthPath), clashes=True),
        "ax": axes(),
        "curves": Arg(some, rule, lambda v: [tuple(v), np.array(v)], ([],)),
        "epsilon": clashing(optional(number(0.25, lambda e: 0 <= e < np.inf, 0.0))),
        "bounds": bounds(),
    }


def bounds() -> Arg:
    """A mapping from labels to as many numbers as the path has trees."""
    m = PATH.n_splits + 1
    heights = holds("biuf", lambda _: True, (m,))
    given = {"a bound": [float(k) for k in range(m)]}

    def rule(value: Any) -> bool | None:
        if value is None:
            return True
        if not isinstance(value, dict):
            return False
        texts = all(isinstance(name, str) for name in value)
        return texts and all(bool(heights(height)) for height in value.values())

    def forms(v: dict[str, Any]) -> list[Any]:
        arrays = {key: np.array(height) for key, height in v.items()}
        return [arrays, {"short": [1.0]}, {"text": ["a"] * m}, {1: given["a bound"]}]

    return Arg(given, rule, forms, ({},), clashes=True)


def text(value: str) -> Arg:
    return Arg(value, lambda v: isinstance(v, str), lambda v: [np.str_(v), v.encode(), [v]])


LETTERED = dt.plot.lettered(TREE)


def lettered(_: Random) -> Args:
    given = trees(_)
    return {
        "tree": given["tree"],
        "among": choice("leaves", ["leaves", "splits"]),
    }


def letter(node: int) -> str:
    return LETTERED.letter(node)


ROWS = [
    Row(
        dt.plot.lettered,
        lettered,
        read=lambda result: list(result.letters.items()),
        rounds=1,
    ),
    Row(
        letter,
        lambda _: {"node": dataclasses.replace(whole(LEAF, 0, TREE.n_nodes - 1), rule=is_lettered)},
        of=dt.plot.LetteredTree.letter,
    ),
    Row(pictured, trees, read=drawing, of=dt.plot.tree, rounds=1),
    Row(on_axes(dt.plot.growth), curves, of=dt.plot.growth, rounds=1),
    Row(
        on_axes(dt.plot.hypercube),
        lambda r: {
            "f": clashing(function(dt.functions.majority(3), lambda n: 1 <= n <= 4)),
            "ax": axes(),
            "direction": optional(whole(r.randrange(3), 0, 2)),
        },
        of=dt.plot.hypercube,
        rounds=1,
    ),
    Row(
        labelled,
        lambda _: {
            "ax": Arg(Axes, lambda v: v is Axes, clashes=True),
            "line": Arg(Line2D, lambda v: v is Line2D),
            "text": text("a line"),
            "from_end": flag(True),
        },
        of=dt.plot.label_line,
        rounds=1,
    ),
    Row(
        on_axes(dt.plot.level_line),
        lambda _: {
            "ax": Arg(Axes, lambda v: v is Axes or v is None),
            "y": number(0.25, np.isfinite),
            "text": text("a level"),
            "color": choice("epsilon", [*dt.plot.COLORS]),
        },
        of=dt.plot.level_line,
        rounds=1,
    ),
]  # fmt: skip
