"""What the page reads: how the values are distributed, the extreme functions, the mean curves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from atlas import extremes
from atlas.columns import COLUMNS, CURVES, DERIVED
from atlas.table import RULES, Table, derived

__all__ = ["VERSION", "summary"]

VERSION = 1

DISTRIBUTED = (
    "wrong",
    "relevant",
    "total_influence",
    "largest_influence",
    "optimal",
    "depth",
    "rank",
    "queries",
    "greedy",
    "greedy_best",
    "greedy_worst",
    "gini",
    "gini_best",
    "gini_worst",
    "error",
    "error_best",
    "error_worst",
    "gini_stuck",
    "error_stuck",
)
"""The columns whose distribution is told."""

JOINT = (
    ("optimal", "greedy_best"),
    ("optimal", "greedy"),
    ("optimal", "greedy_worst"),
    ("greedy_best", "greedy_worst"),
    ("optimal", "gini_best"),
    ("optimal", "gini"),
    ("optimal", "gini_worst"),
    ("optimal", "error_best"),
    ("optimal", "error"),
    ("greedy_best", "gini_best"),
    ("gini_best", "error_best"),
    ("optimal", "rank"),
    ("optimal", "depth"),
    ("depth", "rank"),
    ("optimal", "queries"),
    ("optimal", "wrong"),
    ("optimal", "total_influence"),
    ("optimal", "gini_stuck"),
)
"""The pairs whose joint distribution is told. The first is the same throughout a class."""

GROWN = tuple(f"{rule}{ties}" for rule in RULES for ties in ("_best", "", "_worst"))
"""The sizes of grown trees."""

Counts = npt.NDArray[np.int64]


def summary(
    classes: Mapping[int, Table], functions: Mapping[int, Table] | None = None
) -> dict[str, Any]:
    """The content of atlas.json, from the tables of the classes of each n.

    The curves of learners are not the same throughout a class: they are added up over the
    functions, where there is a table of them, and else over the least codes of the classes.
    """
    known = functions or {}
    columns = COLUMNS | DERIVED | CURVES
    return {
        "version": VERSION,
        "columns": {name: column._asdict() for name, column in columns.items()},
        "n": {str(n): _of(n, table, known.get(n)) for n, table in classes.items()},
    }


def _of(n: int, table: Table, functions: Table | None) -> dict[str, Any]:
    whole = table | derived(table, n)
    sizes = table["size"].astype(np.int64)
    return {
        "functions": int(sizes.sum()),
        "classes": sizes.size,
        "distributions": {name: _distribution(whole, name, sizes, n) for name in DISTRIBUTED},
        "joint": {
            f"{first}|{second}": _joint(whole, first, second, sizes, n) for first, second in JOINT
        },
        "smallest": {name: _smallest(whole, name, sizes, n) for name in GROWN},
        "extremes": extremes.extremes(whole),
        "curves": _curves(table if functions is None else functions, alone=functions is not None),
    }


def _smallest(table: Table, name: str, sizes: Counts, n: int) -> int:
    """How many functions a rule grows a smallest tree of."""
    optimal = table["optimal"].astype(np.int64)
    if name in RULES:
        by_function = _by_function(table, name, sizes, n)
        return int(by_function[np.arange(sizes.size), optimal].sum())
    return int(sizes[table[name] == optimal].sum())


def _curves(table: Table, *, alone: bool) -> dict[str, list[int]]:
    """The points wrong with 1, 2, ... leaves, added up over all functions."""
    weights = np.ones(table["code"].shape, dtype=np.int64) if alone else table["size"]
    return {
        name.removesuffix("_errors"): (
            weights.astype(np.int64) @ table[name].astype(np.int64)
        ).tolist()
        for name in CURVES
    }


def _distribution(table: Table, name: str, sizes: Counts, n: int) -> dict[str, Any]:
    if name in RULES:
        functions = _by_function(table, name, sizes, n).sum(axis=0)
        values = np.flatnonzero(functions)
        return {
            "values": values.tolist(),
            "functions": functions[values].tolist(),
            "classes": None,
        }
    values, at = np.unique(table[name], return_inverse=True)
    return {
        "values": values.tolist(),
        "functions": _added(at, sizes, values.size).tolist(),
        "classes": np.bincount(at, minlength=values.size).tolist(),
    }


def _joint(table: Table, first: str, second: str, sizes: Counts, n: int) -> dict[str, Any]:
    """How many functions and classes have each pair of values, and a class of each pair."""
    values, row = np.unique(table[first], return_inverse=True)
    if second in RULES:
        by_function = _by_function(table, second, sizes, n)
        columns = np.flatnonzero(by_function.any(axis=0))
        at, column = np.nonzero(by_function[:, columns])
        weights = by_function[:, columns][at, column]
    else:
        columns, column = np.unique(table[second], return_inverse=True)
        at, weights = np.arange(sizes.size), sizes
    cell, shape = row[at] * columns.size + column, (values.size, columns.size)
    functions = _added(cell, weights, values.size * columns.size)
    # The codes ascend: written from the last to the first, the least of each cell stays.
    least = np.full(functions.shape, -1, dtype=np.int64)
    least[cell[::-1]] = table["code"][at[::-1]]
    classes = np.bincount(cell, minlength=functions.size).reshape(shape).tolist()
    return {
        "first": values.tolist(),
        "second": columns.tolist(),
        "functions": functions.reshape(shape).tolist(),
        "classes": None if second in RULES else classes,
        "codes": [
            [None if code < 0 else f"0x{code:x}" for code in line]
            for line in least.reshape(shape).tolist()
        ],
    }


def _by_function(table: Table, name: str, sizes: Counts, n: int) -> Counts:
    """How many functions of each class have each size, ties going to the lowest variable.

    The n! orders stand for the functions of the class, each as often as any other.
    """
    functions, rest = np.divmod(
        sizes[:, None] * table[f"{name}_orders"].astype(np.int64), math.factorial(n)
    )
    if rest.any():
        raise AssertionError(f"{name}: the orders must divide the functions of a class evenly")
    return functions


def _added(at: npt.NDArray[np.intp], weights: Counts, count: int) -> Counts:
    """The sum of the weights at each place, exact: they are far below 2^53."""
    return np.bincount(at, weights, minlength=count).astype(np.int64)
