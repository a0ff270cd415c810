"""A second tree beside the first: the smallest there is, or that of settings kept before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import traitlets as t

from dtviz.core.checks import as_repr
from dtviz.explorers.traits import Setting, Text, check_proposal, validate_value

__all__ = ["BESIDE", "Beside", "lawful", "read_splits"]

BESIDE = ("nothing", "best", "kept")
"""What can stand beside the tree of an explorer."""

Split = tuple[int, int]


class Beside(t.HasTraits):
    """What an explorer needs to show a second tree: list it before `Explorer` among the bases.

    A subclass names in ``_keeps`` the traits that are kept, documents the two traits, and asks
    `settings_beside` for the settings of the second tree.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.InfluenceExplorer(epsilon=0, beside="kept", kept={"epsilon": 0.2})
    >>> explorer.settings_beside()["epsilon"]
    0.2
    """

    beside = Text("nothing", choices=lambda explorer: explorer._beside)  # noqa: SLF001
    kept = Setting({}, check="kept")
    _keeps: ClassVar[tuple[str, ...]] = ()
    _beside: ClassVar[tuple[str, ...]] = BESIDE

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
