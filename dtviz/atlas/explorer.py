"""The explorer of the atlas: choose a function, see its card, its place and its neighbours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.atlas.cards import Card, card
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction
from dtviz.core.exhaustive import MAX_BATCH_VARIABLES
from dtviz.core.growth_path import GrowthPath
from dtviz.core.optimal import optimal
from dtviz.core.topdown import build_top_down
from dtviz.core.tree import Tree
from dtviz.explorers.base import Explorer, Offered, accepted, named_functions, one_of
from dtviz.explorers.functions import Chosen
from dtviz.explorers.traits import Number

__all__ = ["CHARTS", "VIEWS", "ZOO", "AtlasExplorer", "tables"]

ZOO: dict[str, tuple[str, tuple[int, ...]]] = {
    f"{name}({', '.join(map(str, arguments))})": (name, arguments)
    for name, arguments in (
        ("multiplexer", (1,)),
        ("caterpillar", (1,)),
        ("majority", (3,)),
        ("majority", (5,)),
        ("parity", (4,)),
        ("conjunction", (4,)),
        ("decision_list", (5,)),
        ("tribes", (2, 2)),
        ("parity_multiplexer", (1, 2)),
        ("random", (5, 0)),
    )
}
"""What the explorer offers when given no function, named by the call that makes it."""

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

VIEWS = ("trees", "neighbours", "extremes")
"""What can stand below the card."""


@cache
def tables() -> dict[str, Any]:
    """Return what ``make atlas`` computed for the page, as it stands in ``atlas.json``."""
    text = (files("dtviz.atlas") / "atlas.json").read_text(encoding="utf-8")
    made: dict[str, Any] = json.loads(text)
    return made


@cache
def _shown_tables() -> dict[str, Any]:
    """Return the part of the tables that the explorer draws."""
    made = tables()
    columns = sorted({name for chart in CHARTS for name in chart.split("|")})
    return {
        "columns": {name: made["columns"][name] for name in columns},
        "n": {
            n: {
                "functions": one["functions"],
                "classes": one["classes"],
                "joint": {name: one["joint"][name] for name in CHARTS},
                "extremes": one["extremes"],
            }
            for n, one in made["n"].items()
        },
    }


def _extremes() -> list[str]:
    """Return the keys of the lists of extreme functions, those of most variables first."""
    lists = reversed(tables()["n"].values())
    return list(dict.fromkeys(one["key"] for each in lists for one in each["extremes"]))


def _zoo() -> dict[str, BooleanFunction]:
    return {label: getattr(zoo, name)(*given) for label, (name, given) in ZOO.items()}


def _leaves(n_leaves: int) -> str:
    return "1 leaf" if n_leaves == 1 else f"{n_leaves} leaves"


class AtlasExplorer(Chosen, Explorer):
    """Every function of at most 5 variables: its card, its place among all, its neighbours.

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
    view : "trees", "neighbours" or "extremes"
        What stands below the card.
    epsilon : float
        The error allowed for the greedy tree on display, in [0, 1/2].
    extreme : str
        The key of the list of extreme functions, such as ``"greedy-ratio"``; the message that
        refuses another tells all.

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
    AtlasExplorer(function='x0 & (x1 | ~x2)', view='trees')
    >>> explorer.card().n_leaves, explorer.card().best
    (4, 4)
    """

    functions = Offered[BooleanFunction]()
    function = t.Unicode(help="name or text of the function shown").tag(sync=True, check="function")
    chart = t.Unicode(CHARTS[0], help="the map of all functions").tag(sync=True)
    view = t.Unicode(VIEWS[0], help="what stands below the card").tag(sync=True)
    epsilon = Number(0.0, help="error allowed, 0 to 1/2").tag(sync=True)
    extreme = t.Unicode("greedy-adds", help="the list of extreme functions").tag(sync=True)
    _atlas = t.Dict(help="the tables").tag(sync=True)
    _charts = t.List(t.Unicode(), list(CHARTS), help="the maps there are").tag(sync=True)
    _not_pictured = frozenset({"chart", "view", "extreme"})
    _variables = (1, MAX_BATCH_VARIABLES)

    def __init__(
        self,
        functions: BooleanFunction | Mapping[str, BooleanFunction] | None = None,
        **traits: Any,
    ) -> None:
        self.functions = named_functions("functions", functions, _zoo, *self._variables)
        traits.setdefault("function", next(iter(self.functions)))
        super().__init__(
            _explorer="atlas",
            _atlas=_shown_tables(),
            _about=self._told_of(self.functions),
            **traits,
        )

    def card(self) -> Card:
        """The card of the function on display."""
        return card(self.chosen())

    def path(self) -> GrowthPath:
        """The growth path by influence; ``path().tree(epsilon=explorer.epsilon)`` is drawn."""
        return build_top_down(self.chosen())

    def tree(self) -> Tree:
        """The greedy tree on display."""
        return self.path().tree(epsilon=self.epsilon)

    def tree_beside(self) -> Tree:
        """The smallest tree beside it."""
        return optimal(self.chosen()).tree()

    def picture(self) -> Figure:
        """Draw the greedy tree beside a smallest one."""
        with plot.style():
            figure = Figure(figsize=(10, 4), layout="constrained")
            left, right = figure.subplots(1, 2)
            for ax, tree, name in (
                (left, self.tree(), "greedy tree"),
                (right, self.tree_beside(), "smallest tree"),
            ):
                plot.tree(tree, ax=ax, max_leaves=16)
                ax.set_title(f"{name}: {_leaves(tree.n_leaves)}")
        return figure

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        of, tree = self.card(), self.tree()
        lost = f"{_leaves(of.waste)} too many" if of.waste else "none too many"
        return (
            f"{self.function}: the greedy tree at epsilon {self.epsilon:g}, "
            f"{_leaves(tree.n_leaves)}, beside a smallest tree of {_leaves(of.n_leaves)}; "
            f"greed to the end has {lost} if ties fall well, and the rank is {of.rank}."
        )

    @t.validate("function")
    def _check_function(self, proposal: dict[str, Any]) -> Any:
        return self._check_choice(proposal)

    @t.validate("chart")
    def _check_chart(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, CHARTS, repr)

    @t.validate("view")
    def _check_view(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, VIEWS, repr)

    @t.validate("epsilon")
    def _check_epsilon(self, proposal: dict[str, Any]) -> Any:
        return accepted(proposal, "a number from 0 to 1/2", holds=0 <= proposal["value"] <= 0.5)

    @t.validate("extreme")
    def _check_extreme(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, _extremes(), repr)

    def __repr__(self) -> str:
        return f"AtlasExplorer(function={self.function!r}, view={self.view!r})"
