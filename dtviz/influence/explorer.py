"""The explorer of chapter 1: slide epsilon and watch an influence-greedy tree grow."""

from __future__ import annotations

from typing import Any

import traitlets as t

from dtviz.core.boolean_trees.optimal import MAX_OPTIMAL_VARIABLES, optimal
from dtviz.core.boolean_trees.topdown import build_top_down
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import widget_module
from dtviz.explorers.functions import hexadecimal
from dtviz.explorers.growth import MAX_VARIABLES, GrowthExplorer
from dtviz.explorers.traits import HALF, NATURAL, Flag, Integer, Number, Text
from dtviz.influence.bounds import score_floor_by_error

__all__ = ["ZOO", "InfluenceExplorer"]

ZOO = (
    "caterpillar(3)",
    "tribes(3, 3)",
    "tribes(2, 3)",
    "majority(5)",
    "majority(7)",
    "parity(5)",
    "conjunction(5)",
    "decision_list(6)",
    "multiplexer(2)",
    "multiplexer(3)",
    "random(6, 0)",
    "random(8, 1)",
    "parity_multiplexer(3, 2)",
    "parity_multiplexer(3, 4)",
)
"""What the explorer offers when given no function, named by the call that makes it."""


DRAWN_VARIABLES = 6
"""Up to so many variables the page has the table of a function from the choice of functions."""


class InfluenceExplorer(GrowthExplorer):
    """BuildTopDownDT at your fingertips: pick a function, slide epsilon, watch the tree grow.

    Parameters
    ----------
    functions : BooleanFunction or mapping of str to BooleanFunction, optional
        What there is to choose from, at most 16 variables each; the book's functions, of
        ``dtviz.functions``, if not given. One function alone goes by the name ``"f"``, or is a
        text such as ``"rain & wind | sun"``, whose names of variables stand wherever the explorer
        speaks of them.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    function : str
        The name of the function shown, the first one at the start; or a text of your own, a
        formula or a truth table of at most 16 variables, which `BooleanFunction.from_text` reads.
    epsilon : float
        The error allowed, in [0, 1/2], 0 at the start. At 1/2 one leaf is enough.
    step : int or None
        How many splits to show: None for as many as epsilon needs (the learner's output), else at
        least 0; more than epsilon needs are never shown. Moving epsilon in the explorer resets it.
    show_bounds : bool
        Whether to draw half the cost above the error, and the floors under the score.
    splits : list of [int, int] or None
        None for the greedy splits, else the reader's own in order, each ``[node, variable]``: node
        0 is the root, and split j makes nodes 2j + 1 (bit 0) and 2j + 2 (bit 1). Moving epsilon in
        the explorer resets it.
    beside : "nothing", "best" or "kept"
        What stands beside the tree: nothing, the smallest tree for the function (at the start; of
        at most 12 variables), or the tree of the settings kept. Beside the smallest tree, the
        leaves that the greedy one adds after as many as that has are hatched.
    kept : dict
        Settings kept to compare: some of ``function``, ``epsilon``, ``step`` and ``splits``.
    playing : bool
        Whether the tree is growing split by split.

    Raises
    ------
    ValueError
        If ``functions`` is not as above.
    traitlets.TraitError
        If a trait is set outside its range. (Splits on variables that the function has not are left
        out from there on, with a warning.)

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.InfluenceExplorer()
    >>> explorer
    InfluenceExplorer(function='caterpillar(3)', epsilon=0)
    >>> explorer.tree().n_leaves, explorer.tree_beside().n_leaves
    (44, 14)
    >>> own = dt.InfluenceExplorer(function="x0 & (x1 | ~x2)")
    >>> own.tree().n_leaves, own.tree_beside().n_leaves
    (4, 4)
    """

    _esm = widget_module("influence")
    _views = ("tree", "beside", "error", "score")
    _controls = ("epsilon", "step", "function", "beside")
    epsilon = Number(0.0, within=HALF)
    beside = Text("best", choices=("nothing", "best", "kept"))
    step = Integer(None, within=NATURAL)
    show_bounds = Flag().tag(label="Bounds of the lemmas")
    _book = ZOO
    _variables = (0, MAX_VARIABLES)
    _keeps = ("function", "epsilon", "step", "splits")
    _named = ("function", "epsilon")
    _curves = ("error", "cost", "half cost")

    @t.default("_paths")
    def _default_paths(self) -> dict[str, Any]:
        large = ((name, f) for name, f in self.functions.items() if f.n > DRAWN_VARIABLES)
        return {name: hexadecimal(f) for name, f in large}

    def _grow(self, function: str, epsilon: float, step: int | None, splits: Any) -> Tree:
        """Return the tree learned, or after ``step`` splits, or of ``splits``."""
        f = self.named_function(function)
        if splits is not None:
            return self._replay(f, None, splits)
        path = build_top_down(f)
        n_leaves = path.n_leaves_for(epsilon)
        return path.tree(n_leaves if step is None else min(step + 1, n_leaves))

    def _pictured_tree(self) -> Tree:
        return self._grow(
            **self._settings() | ({"step": None} if self._opens and self.step == 0 else {})
        )

    def _best_tree(self) -> Tree | None:
        f = self.named_function()
        return optimal(f).tree() if f.n <= MAX_OPTIMAL_VARIABLES else None

    def _floors(self) -> dict[str, list[float]]:
        smallest = self._best_tree() if self.show_bounds else None
        if smallest is None or smallest.n_leaves < 2:
            return {}
        errors = self.path().errors.tolist()
        floors = (score_floor_by_error(e, j, smallest.n_leaves) for j, e in enumerate(errors))
        return {"floor by the error": [*floors]}

    def _tree_text(self) -> str:
        if self.splits is not None:
            return f"A tree of the reader's own for {self.function}"
        return f"The influence-greedy tree for {self.function} at epsilon {self.epsilon:g}"

    @t.validate("function")
    def _check_choice(self, proposal: dict[str, Any]) -> Any:
        name: str = super()._check_choice(proposal)
        f = self.named_function(name)
        if name not in self._paths and f.n > DRAWN_VARIABLES:
            # The page gets its table before it hears of the name.
            stay = {*self.functions, self.function, self.kept.get("function")}
            kept = {key: path for key, path in self._paths.items() if key in stay}
            self._paths = kept | {name: hexadecimal(f)}
        return name
