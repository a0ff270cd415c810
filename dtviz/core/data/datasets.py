"""The data set of the book, which lies beside this file: nothing is fetched.

`titanic` has the passengers of the Titanic, one row for each: who they were, what they paid, and
whether they survived. It is the file *titanic3* of Thomas Cason and Frank Harrell (Vanderbilt
University), made from the *Encyclopedia Titanica*, without the columns that show the outcome (boat,
body) or are different for nearly everybody (name, ticket, cabin, home).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core import lazy
from dtviz.core.bases import FrozenArrays
from dtviz.core.checks import as_flag, as_generator, as_integer

__all__ = ["Dataset", "titanic"]

__getattr__, __dir__ = lazy(__name__, __all__, {})

_FILE = Path(__file__).with_name("titanic.csv")


@dataclass(frozen=True, eq=False)
class Dataset(FrozenArrays):
    """Labeled examples, as `grow` and the pruning functions take them; `titanic` makes one.

    Attributes
    ----------
    X : (m, d) array
        A row for each example: numbers; or objects, where some columns are text. None is missing.
    y : (m,) array of 0 and 1
        The labels.
    feature_names : tuple of d strings
        The columns of ``X``.
    class_names : tuple of two strings
        What the labels 0 and 1 mean.

    Examples
    --------
    >>> import dtviz as dt
    >>> people = dt.datasets.titanic(numeric=True)
    >>> people
    <Dataset: 1045 examples of class, male, age, siblings, parents, fare>
    >>> people.X.shape, people.class_names
    ((1045, 6), ('died', 'survived'))
    """

    X: npt.NDArray[Any]
    y: npt.NDArray[np.int64]
    feature_names: tuple[str, ...]
    class_names: tuple[str, str]

    def __len__(self) -> int:
        """m, the number of examples."""
        return len(self.y)

    def __repr__(self) -> str:
        return f"<Dataset: {len(self)} examples of {', '.join(self.feature_names)}>"

    def split(self, *sizes: int, seed: np.random.Generator | int) -> list[Dataset]:
        """Shuffle the examples and deal them out: a data set of each size, and one of the rest.

        Examples
        --------
        >>> import dtviz as dt
        >>> [len(part) for part in dt.datasets.titanic(numeric=True).split(450, 200, seed=0)]
        [450, 200, 395]
        """
        left = len(self)
        for size in sizes:
            left -= as_integer("sizes", size, 1, left - 1)
        order = as_generator("seed", seed).permutation(len(self))
        parts = np.split(order, np.cumsum(sizes, dtype=np.intp))
        return [replace(self, X=self.X[part], y=self.y[part]) for part in parts]


@cache
def _read() -> list[dict[str, str]]:
    with _FILE.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def titanic(*, numeric: bool = False) -> Dataset:
    """The 1,309 passengers of the Titanic, and whether they survived (1) or died (0).

    Columns: ``class`` 1, 2 or 3; ``sex``, female or male; ``age`` in years; ``siblings``, how many
    siblings and spouses were aboard; ``parents``, how many parents and children; ``fare`` in pounds
    of 1912, for the whole ticket; ``port`` where they embarked. The age of 263 passengers is
    missing, the fare of one, the port of two. Families traveled together, so the rows are not
    independent.

    ``numeric`` gives numbers only, of the 1,045 passengers whose age and fare are known: ``male``
    (0 or 1) in the place of ``sex``, and no ``port``.

    References
    ----------
    T. Cason and F. E. Harrell, *titanic3*, Department of Biostatistics, Vanderbilt University.

    Examples
    --------
    >>> import dtviz as dt
    >>> everybody = dt.datasets.titanic()
    >>> everybody.feature_names
    ('class', 'sex', 'age', 'siblings', 'parents', 'fare', 'port')
    """
    rows = _read()
    names = [name for name in rows[0] if name != "survived"]
    if as_flag("numeric", numeric):
        rows = [row for row in rows if row["age"] and row["fare"]]
        rows = [row | {"male": str(int(row["sex"] == "male"))} for row in rows]
        names = ["male" if name == "sex" else name for name in names if name != "port"]
        X = np.array([[float(row[name]) for name in names] for row in rows])
    else:
        X = np.array([[_entry(name, row[name]) for name in names] for row in rows], dtype=object)
    y = np.array([int(row["survived"]) for row in rows], dtype=np.int64)
    return Dataset(X, y, tuple(names), ("died", "survived"))


def _entry(name: str, text: str) -> str | float | None:
    if not text:
        return None
    return text if name in {"sex", "port"} else float(text)
