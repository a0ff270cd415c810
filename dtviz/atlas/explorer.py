"""The explorer of the atlas: choose a function, see its card, its place and its trees."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.atlas.cards import Card, card
from dtviz.core.boolean_trees.exhaustive import MAX_BATCH_VARIABLES
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.boolean_trees.topdown import build_top_down
from dtviz.core.names import count_leaves
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import widget_module
from dtviz.explorers.functions import FunctionExplorer, Functions
from dtviz.explorers.traits import Text

__all__ = ["CHARTS", "AtlasExplorer", "tables"]

CHARTS = (
    "optimal|greedy_best",
    "greedy_best|greedy_worst",
    "optimal|gini_best",
    "greedy_best|gini_best",
    "optimal|rank",
    "optimal|depth",
    "depth|rank",
)
"""The pairs of numbers that the map of all functions can show."""

OFFERED = (
    "multiplexer(1)",
    "caterpillar(1)",
    "majority(3)",
    "majority(5)",
    "parity(4)",
    "conjunction(4)",
    "decision_list(5)",
    "tribes(2, 2)",
    "parity_multiplexer(1, 2)",
    "random(5, 0)",
)
"""The functions offered if none are given."""


@cache
def tables() -> dict[str, Any]:
    """Return what ``make atlas`` computed for the page, as it stands in ``atlas.json``."""
    text = (files("dtviz.atlas") / "atlas.json").read_text(encoding="utf-8")
    made: dict[str, Any] = json.loads(text)
    return made


def _extremes() -> list[str]:
    """Return the keys of the lists of extreme functions, those of most variables first."""
    lists = reversed(tables()["n"].values())
    return list(dict.fromkeys(one["key"] for each in lists for one in each["extremes"]))


class AtlasExplorer(FunctionExplorer):
    """Every function of at most 5 variables: its card, its place among all, its trees.

    Parameters
    ----------
    functions : BooleanFunction or mapping of str to BooleanFunction, optional
        What there is to choose from, of 1 to 5 variables each; some of ``dtviz.functions`` if not
        given. One function alone goes by the name ``"f"``.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    function : str
        The name of the function shown, the first one at the start; or a text of your own, a
        formula or a truth table of 1 to 5 variables, which `BooleanFunction.from_text` reads.
    chart : str
        Which pair of numbers the map of all functions shows: ``"optimal|greedy_best"``,
        ``"greedy_best|greedy_worst"``, ``"optimal|gini_best"``, ``"greedy_best|gini_best"``,
        ``"optimal|rank"``, ``"optimal|depth"`` or ``"depth|rank"``.
    extreme : str
        The key of the list of extreme functions, such as ``"greedy-ratio"``; the message that
        refuses another lists them.

    Raises
    ------
    ValueError
        If ``functions`` is not as above.
    traitlets.TraitError
        If a trait is set outside its range.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.AtlasExplorer(function="x0 & (x1 | ~x2)")
    >>> explorer
    AtlasExplorer(function='x0 & (x1 | ~x2)')
    >>> explorer.card().n_leaves, explorer.card().best
    (4, 4)
    """

    _esm = widget_module("atlas")
    chart = Text(CHARTS[0], choices=CHARTS)
    extreme = Text("greedy-adds", choices=lambda _: _extremes())
    _atlas = t.Dict(help="the tables").tag(sync=True)
    _book = OFFERED
    _variables = (1, MAX_BATCH_VARIABLES)
    _named = ("function",)

    def __init__(self, functions: Functions = None, **traits: Any) -> None:
        super().__init__(functions, **{"_atlas": tables()} | traits)

    def card(self) -> Card:
        """The card of the function on display."""
        return card(self.named_function())

    def tree(self) -> Tree:
        """The greedy tree on display, ties to the lowest variable."""
        return build_top_down(self.named_function()).tree(epsilon=0)

    def tree_beside(self) -> Tree:
        """The smallest tree beside it."""
        return optimal(self.named_function()).tree()

    def _draw(self, figure: Figure) -> None:
        """Draw the greedy tree beside a smallest one."""
        left, right = figure.subplots(1, 2)
        for ax, tree, name in (
            (left, self.tree(), "greedy tree"),
            (right, self.tree_beside(), "smallest tree"),
        ):
            plot.tree(tree, ax=ax, max_leaves=16)
            ax.set_title(f"{name}: {count_leaves(tree.n_leaves)}")

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        of = self.card()
        lost = f"{count_leaves(of.waste)} too many" if of.waste else "none too many"
        return (
            f"{self.function}: the greedy tree, {count_leaves(of.greedy_n_leaves)}, beside a "
            f"smallest tree of {count_leaves(of.n_leaves)}; the greedy tree has {lost} if ties "
            f"fall well, and the rank is {of.rank}."
        )
