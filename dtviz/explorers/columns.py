"""A reader's table: whether something is one, and the column of its labels taken out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import BooleanFunction
from dtviz.core.checks import as_repr
from dtviz.core.data.frames import names_of
from dtviz.core.tree import Tree

__all__ = ["NO_LABELS", "check_first", "is_table", "own_labels", "parted", "with_labels"]

NO_LABELS = (
    "y must be given with a table {targets}: its labels, or the name of the column that holds "
    "them; got {got}"
)


def check_first(explorer: object, traits: Mapping[str, Any]) -> None:
    """Refuse ``X`` by name where the argument that comes first is called otherwise.

    Raises
    ------
    ValueError
        If it is among the traits.
    """
    if "X" in traits:
        name = type(explorer).__name__
        msg = f"{name}() has no argument X: the table comes first, without a name: {name}(X, y)"
        raise ValueError(msg)


def is_table(value: Any) -> bool:
    """Whether a value is an array, a data frame, or a sequence of rows."""
    if value is None or isinstance(value, BooleanFunction | Mapping | str):
        return False
    if hasattr(value, "__array__") or names_of(value) is not None:
        return True
    rows = isinstance(value, list) and len(value) > 0
    return rows and all(isinstance(row, Sequence) and not isinstance(row, str) for row in value)


def parted(X: Any, y: Any) -> tuple[Any, Any]:
    """Return a table and its labels: where y is a name, the column of that name is taken out.

    Names of columns that are no text go by their text.

    Raises
    ------
    ValueError
        If y is a name and X has no such column, or more than one.

    Examples
    --------
    >>> import pandas as pd
    >>> from dtviz.explorers.columns import parted
    >>> rest, labels = parted(pd.DataFrame({0: [1, 2], "late": ["no", "yes"]}), "late")
    >>> list(rest.columns), labels
    ([0], ['no', 'yes'])
    """
    if not isinstance(y, str):
        return X, y
    names = names_of(X)
    if names is None:
        msg = f"y must be labels, or X a data frame with a column {as_repr(y)}, got {as_repr(X)}"
        raise ValueError(msg)
    texts = [str(name) for name in names]
    if texts.count(y) != 1:
        msg = f"y must be labels or the name of one column of X, got {as_repr(y)}: it has "
        raise ValueError(msg + ", ".join(texts))
    import narwhals.stable.v2 as nw  # noqa: PLC0415 -- who comes with arrays does not need it

    table = nw.from_native(X)
    place = texts.index(y)
    rest = [k for k in range(len(texts)) if k != place]
    return table[:, rest].to_native(), table[:, place].to_list()


def own_labels(kinds: npt.NDArray[Any]) -> tuple[Any, ...] | None:
    """The labels that codes 0, 1, ... stand for; None where they are these numbers themselves."""
    same = kinds.dtype.kind in "iuf" and np.array_equal(kinds, np.arange(len(kinds)))
    return None if same else tuple(kinds.tolist())


def with_labels(tree: Tree, labels: tuple[Any, ...] | None) -> Tree:
    """A tree of codes 0, 1, ... that says the labels they stand for.

    Examples
    --------
    >>> import dtviz as dt
    >>> from dtviz.explorers.columns import with_labels
    >>> tree = dt.grow([[0], [1]], [0, 1]).tree()
    >>> with_labels(tree, ("no", "yes")).predict([[1]])
    array(['yes'], dtype='<U3')
    """
    if labels is None or tree.value is None:
        return tree
    return tree.labelled(np.array(labels)[tree.value], replace(tree.names, labels=labels))
