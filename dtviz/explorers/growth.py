"""What the explorers of greedy growth share: a function, the tree grown for it, and its picture."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import traitlets as t
from matplotlib.ticker import MaxNLocator

from dtviz import plot
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees.topdown import build_top_down, replay, tree_cost, tree_error
from dtviz.core.checks import as_repr
from dtviz.core.names import count_leaves, decimals
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.tree import Tree
from dtviz.explorers.beside import BesideKept, More, lawful, read_splits
from dtviz.explorers.functions import FunctionExplorer
from dtviz.explorers.traits import HALF, Flag, Number, Setting

__all__ = ["GrowthExplorer"]

MAX_VARIABLES = 16
"""The most variables of a function that such an explorer shows."""


class GrowthExplorer(BesideKept, FunctionExplorer):
    """An explorer of the greedy tree for a function.

    A subclass makes the tree of the settings ``_keeps`` in `_grow`, and that of ``beside="best"``
    in `_best_tree`; `_tree_text` says whose tree is on display. It may have a distribution ``mu``.
    """

    epsilon = Number(0.1, within=HALF)
    playing = Flag()
    splits = Setting(None, check="splits", read=partial(read_splits, most=MAX_VARIABLES))
    _curves: ClassVar[tuple[str, ...]] = ("error", "cost")
    _grow: Callable[..., Tree]
    _best_tree: Callable[[], Tree | None]
    _tree_text: Callable[[], str]

    @property
    def mu(self) -> ProductDistribution | None:
        """The distribution on display; None for the uniform one, and influences by flips."""
        return None

    @t.observe("function", "splits")
    def _judge_splits(self, _: object) -> None:
        """Say which of the reader's splits the function on display cannot make."""
        splits, n = self.splits or [], self.named_function().n
        j = len(lawful(splits, n))
        if j < len(splits):
            rule = f"splits must be of variables of {self.function}, which has {n} of them"
            left = f"{rule}, got {as_repr(list(splits[j]))} as split {j}: left out from there on"
            warnings.warn(left, UserWarning, stacklevel=2)

    def _replay(self, f: BooleanFunction, mu: ProductDistribution | None, splits: Any) -> Tree:
        """Return the tree of the reader's splits, as far as f can make them."""
        made = lawful(splits, f.n)
        nodes, variables = [node for node, _ in made], [variable for _, variable in made]
        return replay(f, mu, nodes, variables).tree()

    def path(self) -> GrowthPath:
        """The growth path on display; ``path().tree(epsilon=explorer.epsilon)`` is learned."""
        return build_top_down(self.named_function(), self.mu)

    def tree(self) -> Tree:
        """The tree on display."""
        return self._grow(**self._settings())

    def _make_beside(self) -> Tree | None:
        if self.beside == "best":
            return self._best_tree()
        return self._grow(**self.settings_beside()) if self.kept else None

    def _tree_title(self, tree: Tree) -> str:
        return f"{self.function}: {count_leaves(tree.n_leaves)}"

    def _more(self) -> More:
        if self._pictures("score"):
            floors = " and its lower bounds" if self._floors() else ""
            return self._draw_scores, f"the score of each split{floors}"
        return self._draw_curves, "the curves of its error and cost"

    def _draw_scores(self, ax: Any) -> None:
        ax.set_yscale("log", nonpositive="mask")
        plot.growth(self.path(), ax=ax, curves=["score"], bounds=self._floors())
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))

    def _draw_curves(self, ax: Any) -> None:
        path, size = self.path(), self._pictured_tree().n_leaves
        stops = size == path.n_leaves_for(self.epsilon)
        plot.growth(path, ax=ax, curves=self._curves, epsilon=self.epsilon if stops else None)
        if not stops:
            ax.axvline(size, ymax=0.8, color=plot.COLORS["epsilon"], linewidth=1)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))

    def _floors(self) -> dict[str, list[float]]:
        """What bounds the scores from below at each step, by name."""
        return {}

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        f, tree = self.named_function(), self._pictured_tree()
        error, cost = (decimals(one(tree, f, self.mu)) for one in (tree_error, tree_cost))
        size = f"{count_leaves(tree.n_leaves)}, error {error} and cost {cost}"
        return f"{self._tree_text()}: {size}{self._beside_text()}."
