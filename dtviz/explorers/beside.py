"""A second tree beside the first: the smallest, that of another method, or of settings kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.core.checks import as_repr
from dtviz.core.names import count_leaves
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import Explorer
from dtviz.explorers.traits import Setting, Text, check_proposal, validate_value
from dtviz.plot.canvas import text_options

__all__ = ["Beside", "BesideKept", "More", "lawful", "read_splits"]

NOTHING = "nothing"

Split = tuple[int, int]
More = tuple[Callable[[Any], object], str]
"""What draws the right side of a picture, and words for that."""


class Beside(Explorer):
    """An explorer of a tree and a second one.

    A subclass declares ``beside`` with its own choices, "nothing" among them, and makes the tree of
    any other in `_make_beside`. Its picture has the tree on display with a title, and at the right
    the tree beside or, without one, what `_more` returns: what draws it, and its words.
    """

    beside = Text(NOTHING, choices=(NOTHING, "best", "kept"))
    _best: ClassVar[str] = "the smallest tree"
    _pad: ClassVar[float | None] = None
    """Points between a title and what is below it."""
    tree: Callable[[], Tree | None]
    _make_beside: Callable[[], Tree | None]
    _tree_title: Callable[[Any], str]
    _more: Callable[[], More]

    def tree_beside(self) -> Tree | None:
        """Return the tree beside; None if nothing stands there, is kept, or is known."""
        return None if self.beside == NOTHING else self._make_beside()

    def _pictured_tree(self) -> Any:
        """Return the tree of the picture: a grown one for a leaf, which nobody can grow there."""
        return self.tree()

    def _pictured_beside(self) -> Any:
        """Return the tree beside, if the author did not choose views without it."""
        hidden = {*self._views} - {*(self.views or self._views)}
        return None if "beside" in hidden else self.tree_beside()

    def _draw_tree(self, ax: Any, tree: Any) -> None:
        plot.tree(tree, ax=ax, max_leaves=16)

    def _draw(self, figure: Figure) -> None:
        """Draw the tree, and at the right the one beside or what else there is to see."""
        tree, beside = self._pictured_tree(), self._pictured_beside()
        left, right = figure.subplots(1, 2)
        self._draw_tree(left, tree)
        left.set_title(self._tree_title(tree), pad=self._pad, **text_options())
        if beside is None:
            self._more()[0](right)
            return
        self._draw_tree(right, beside)
        right.set_title(self._beside_title(beside), pad=self._pad, **text_options())

    def _beside_name(self) -> str:
        return str({"best": self._best, "kept": "the tree kept"}.get(self.beside, self.beside))

    def _beside_title(self, beside: Any) -> str:
        return f"{self._beside_name().removeprefix('the ')}: {count_leaves(beside.n_leaves)}"

    def _beside_words(self, beside: Any) -> str:
        name = self._beside_name()
        whose = name if name.startswith("the ") else f"that of {name}"
        return f"{whose}, {count_leaves(beside.n_leaves)}"

    def _beside_text(self) -> str:
        """Return what a caption says of the right side of the picture."""
        beside = self._pictured_beside()
        text = self._more()[1] if beside is None else self._beside_words(beside)
        return f"; beside it {text}"


class BesideKept(Beside):
    """An explorer of which settings can be kept: those of the traits in ``_keeps``."""

    kept = Setting({}, check="kept")
    _keeps: ClassVar[tuple[str, ...]] = ()

    def settings_beside(self) -> dict[str, Any]:
        """Return the settings of the tree beside: those kept, else as they are now."""
        return self._settings() | (self.kept if self.beside == "kept" else {})

    def _settings(self) -> dict[str, Any]:
        """Return the settings of the tree on display."""
        return {trait: getattr(self, trait) for trait in self._keeps}

    @t.validate("kept")
    def _check_kept(self, proposal: dict[str, Any]) -> Any:
        kept = proposal["value"]
        check_proposal(proposal, "a dictionary of settings", holds=isinstance(kept, dict))
        unknown = [name for name in kept if name not in self._keeps]
        if unknown:
            rule = f"kept must have settings among {', '.join(self._keeps)}"
            raise t.TraitError(f"{rule}, got {as_repr(unknown[0])}")
        held = {name: self._check_kept_value(name, value) for name, value in kept.items()}
        return proposal["trait"].whole(held)

    def _check_kept_value(self, name: str, value: object) -> object:
        """Return a value as its trait takes it, or say that and why it does not."""
        try:
            return validate_value(self, name, value)
        except t.TraitError as error:
            msg = f"kept must have settings that the explorer accepts: {error}"
            raise t.TraitError(msg) from None


def read_splits(value: object, most: int) -> list[list[int]]:
    """Return the splits of a reader's own tree as they were given, or say what is wrong with them.

    They are pairs ``[node, variable]``: the root is node 0, and split j (from 0) makes nodes 2j + 1
    (bit 0) and 2j + 2 (bit 1). Each is of a leaf that there is, on a variable from 0 to
    ``most - 1`` that is not yet asked above it.
    """
    rule = (
        f"splits must be None or pairs [node, variable], each of a leaf there is and of a "
        f"variable from 0 to {most - 1} not asked above it"
    )
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{rule}, got {as_repr(value)}")
    for pair in value:
        whole = isinstance(pair, (list, tuple)) and len(pair) == 2
        if not (whole and all(type(number) is int for number in pair)):
            raise ValueError(f"{rule}, got {as_repr(pair)}")
    made = lawful(value, most)
    if len(made) < len(value):
        raise ValueError(f"{rule}, got {as_repr(list(value[len(made)]))} as split {len(made)}")
    return [list(pair) for pair in value]


def lawful(splits: Iterable[Iterable[int]], n: int) -> list[Split]:
    """Return the first of the splits that can be made one after the other with n variables."""
    leaves: dict[int, frozenset[int]] = {0: frozenset()}
    made: list[Split] = []
    for node, variable in splits:
        asked = leaves.get(node)
        if asked is None or not 0 <= variable < n or variable in asked:
            break
        del leaves[node]
        j = len(made)
        leaves |= dict.fromkeys((2 * j + 1, 2 * j + 2), asked | {variable})
        made.append((node, variable))
    return made
