"""The ways to hand over examples: ``(X, y)``, a table and the name of a column, or a `Dataset`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dtviz.core.checks import as_repr
from dtviz.core.data.datasets import Dataset
from dtviz.core.data.frames import check_table, names_of
from dtviz.core.hints import did_you_mean

NO_LABELS = (
    "y must be given with a table: its labels, or the name of the column that holds them, got None"
)


class LabeledTable(NamedTuple):
    """A table, its labels, and names that came with a Dataset or were given."""

    X: Any
    y: Any
    feature_names: Any
    class_names: Any


def read_handed(
    X: Any, y: Any, feature_names: Any = None, class_names: Any = None, *, needs_y: bool = True
) -> LabeledTable:
    """Take a Dataset apart, and the column of the labels out of a table.

    y may be None for the labels of a Dataset, and where it is not needed; or the name of a column
    of a data frame or Dataset. Names of columns that are no text go by their text. The names of a
    Dataset are kept unless others are given.

    >>> import pandas as pd
    >>> from dtviz.core.data.handed import read_handed
    >>> rest, labels, *_ = read_handed(pd.DataFrame({0: [1, 2], "late": ["no", "yes"]}), "late")
    >>> list(rest.columns), labels
    ([0], ['no', 'yes'])
    """
    names: list[Any] | None
    if isinstance(X, Dataset):
        names = [*X.feature_names]
        if y is None:
            y, class_names = X.y, X.class_names if class_names is None else class_names
        X = X.X
    else:
        check_table(X)
        names = names_of(X) if isinstance(y, str) else None
    if y is None and needs_y:
        raise ValueError(NO_LABELS)
    if isinstance(y, str):
        if names is None:
            msg = (
                f"y must be labels, or X a data frame with a column {as_repr(y)}, got {as_repr(X)}"
            )
            raise ValueError(msg)
        X, y, names = _take_out(X, y, [str(name) for name in names])
    return LabeledTable(X, y, names if feature_names is None else feature_names, class_names)


def _take_out(X: Any, y: str, names: list[str]) -> tuple[Any, list[Any], list[str] | None]:
    """The other columns of a table, the one of that name, and the names of an array's columns."""
    if names.count(y) != 1:
        msg = f"y must be labels or the name of one column of X, got {as_repr(y)}: it has "
        raise ValueError(msg + ", ".join(names) + did_you_mean(y, names))
    place = names.index(y)
    rest = [k for k in range(len(names)) if k != place]
    if isinstance(X, np.ndarray):
        return X[:, rest], X[:, place].tolist(), [names[k] for k in rest]
    import narwhals.stable.v2 as nw  # noqa: PLC0415 -- who comes with arrays does not need it

    table = nw.from_native(X)
    return table[:, rest].to_native(), table[:, place].to_list(), None
