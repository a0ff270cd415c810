"""The kinds of samples: inputs and labels in every form that a tinkerer brings.

Every form of a good sample must give the very answer of lists of Python numbers, or, where it is
open to doubt, a word of what is wrong; what holds no sample must be refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped] # its stubs are another package
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped] # it has none
from hypothesis import strategies as st

from support.kinds import Kind, arrays, holds
from support.nasty import keeps

NAMES = ("u", "v", "w")


def named(X: list[list[Any]]) -> dict[str, list[Any]]:
    """The columns by their names."""
    return dict(zip(NAMES, map(list, zip(*X, strict=True)), strict=False))


# Further forms of inputs and labels, beside those of all arrays.
INPUTS: dict[str, Callable[[list[list[int]]], Any]] = {
    "NumPy numbers": lambda X: [[np.int16(entry) for entry in row] for row in X],
    "floats and integers": lambda X: [[float(row[0]), *row[1:]] for row in X],
    "pandas": lambda X: pd.DataFrame(named(X), index=range(len(X), 0, -1)),
    "pandas, nullable": lambda X: pd.DataFrame(named(X)).astype("Int64"),
    "pandas, Arrow": lambda X: pd.DataFrame(named(X)).astype("int64[pyarrow]"),
    "polars, int8": lambda X: pl.DataFrame(named(X)).cast(pl.Int8),
    "Arrow": lambda X: pa.table(named(X)),
    "fractions": lambda X: [[Fraction(entry) for entry in row] for row in X],
    "decimals": lambda X: [[Decimal(entry) for entry in row] for row in X],
}
LABELS: dict[str, Callable[[list[int]], Any]] = {"Arrow": pa.array, "generator": iter}

# What holds no sample of so many examples, from a good one.
NO_INPUTS: dict[str, Callable[[list[list[int]]], Any]] = {
    "flat": lambda X: X[0],
    "cube": lambda X: [X, X],
    "ragged": lambda X: [*X[:-1], X[-1][:-1]],
    "no rows": lambda X: X[:0],
    "no columns": lambda X: [[] for _ in X],
    "NaN": lambda X: [*X[:-1], [float("nan"), *X[-1][1:]]],
    "infinite": lambda X: [*X[:-1], [float("inf"), *X[-1][1:]]],
    "None inside": lambda X: [*X[:-1], [None, *X[-1][1:]]],
    "masked": lambda X: np.ma.array(X, mask=np.eye(len(X), len(X[0]), dtype=bool)),
    "too large": lambda X: [*X[:-1], [2**53 + 1, *X[-1][1:]]],
    "larger than any": lambda X: [*X[:-1], [10**400, *X[-1][1:]]],
    "dates": lambda X: np.array(X, dtype="datetime64[D]"),
    "dates inside": lambda X: [[date(2020, 1, 1 + entry % 9) for entry in row] for row in X],
    "dict": named,
    "series": lambda X: pd.Series([row[0] for row in X]),
    "pandas, missing": lambda X: pd.DataFrame(named(X)).astype("Int64").shift(1),
    "pandas, dates": lambda X: pd.DataFrame(named(X)).apply(pd.to_datetime),
    "polars, missing": lambda X: pl.DataFrame(named(X)).select(pl.all().shift(1)),
    "more rows": lambda X: [*X, X[0]],
}
NO_LABELS: dict[str, Callable[[list[int]], Any]] = {
    "fewer": lambda y: y[:-1],
    "more": lambda y: [*y, 0],
    "None inside": lambda y: [*y[:-1], None],
    "NaN": lambda y: [*y[:-1], float("nan")],
    "infinite": lambda y: [*y[:-1], float("inf")],
    "words and numbers": lambda y: [*y[:-1], "no"],
    "complex": lambda y: np.array(y, dtype=complex),
    "dates": lambda y: np.array(y, dtype="datetime64[D]"),
    "masked": lambda y: np.ma.array(y, mask=[True] * len(y)),
    "pandas, missing": lambda y: pd.Series([*y[:-1], None], dtype="Int64"),
    "polars, missing": lambda y: pl.Series([*y[:-1], None]),
    "frame": lambda y: pd.DataFrame({"y": y, "z": y}),
    "dict": lambda y: dict(enumerate(y)),
}

DOUBTFUL = {"fractions", "decimals", "generator"}
"""Forms that may be refused, since what they say of a sample is open to doubt."""


def kind(plain: Any, good: Any, wrong: Any, harmless: set[str]) -> Kind:
    """A kind of sample, of which some forms that are wrong elsewhere do no harm."""
    is_plain, is_text = holds("biuf", lambda entry: not math.isnan(entry)), holds("U", str.isdigit)

    def known(value: Any) -> Iterator[tuple[Any, bool | None]]:
        for form in arrays(value):
            # Texts are other labels.
            if not keeps(is_text, form):
                yield form, keeps(is_plain, form) or None
        for how, form in good.items():
            yield form(value), None if how in DOUBTFUL else True
        for how, form in wrong.items():
            if how not in harmless:
                yield form(value), False

    return Kind(plain, lambda _: False, known=known, is_shown=False)


def inputs(most: int, *harmless: str) -> Kind:
    """Six different rows of three numbers up to this."""
    row = st.lists(st.integers(0, most), min_size=3, max_size=3)
    plain = st.lists(row, min_size=M, max_size=M, unique_by=tuple)
    return kind(plain, INPUTS, NO_INPUTS, {*harmless})


def labels(*harmless: str) -> Kind:
    """A label 0 or 1 for each of six rows, both of them."""
    plain = st.permutations([0, 1, 1, 0, 1, 0]).map(list)
    return kind(plain, LABELS, NO_LABELS, {*harmless})


M = 6
"""The examples of a sample."""

# A tree compares with what is infinite or large; FIND and predicates go by places; growth by
# impurity sends what is missing its own way.
GAPS = "NaN", "None inside", "pandas, missing", "polars, missing"
NUMBERS = inputs(100, *GAPS)
BITS_FOR_TREE = inputs(1, "infinite", "too large", "larger than any")
LABELED = labels()
