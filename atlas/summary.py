"""What the page reads of n variables: pairs of values, how often greed is right, the extremes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from atlas.extremes import extremes
from atlas.growth import sizes_by_order, ties
from atlas.tables import Table
from dtviz.atlas.explorer import CHARTS

__all__ = ["summary"]

RULES = {"greedy": "influence", "gini": "gini", "error": "error"}
"""How sizes of grown trees are named, and the rules that grow them."""


def summary(n: int, table: Table) -> dict[str, Any]:
    """The part of atlas.json on n variables, from the table of their classes."""
    return {
        "functions": int(table["size"].sum(dtype=np.int64)),
        "classes": table["size"].size,
        "joint": {pair: _joint(table, *pair.split("|")) for pair in CHARTS},
        "smallest": _smallest(n, table),
        "extremes": extremes(table),
    }


def _joint(table: Table, first: str, second: str) -> dict[str, Any]:
    """How many functions and classes have each pair of values, and the first class of each pair."""
    values, row = np.unique(table[first], return_inverse=True)
    columns, column = np.unique(table[second], return_inverse=True)
    shape, cell = (values.size, columns.size), row * columns.size + column
    count = values.size * columns.size
    found, at = np.unique(cell, return_index=True)
    codes: list[str | None] = [None] * count
    for k, code in zip(found.tolist(), table["code"][at].tolist(), strict=True):
        codes[k] = f"0x{code:x}"
    # The sums are far below 2^53, so floats hold them exactly.
    functions = np.bincount(cell, table["size"], minlength=count).astype(np.int64)
    return {
        "first": values.tolist(),
        "second": columns.tolist(),
        "functions": functions.reshape(shape).tolist(),
        "classes": np.bincount(cell, minlength=count).reshape(shape).tolist(),
        "codes": np.array(codes, dtype=object).reshape(shape).tolist(),
    }


def _smallest(n: int, table: Table) -> dict[str, int]:
    """How many functions each rule grows a smallest tree of, by how it breaks ties.

    With ties to the lowest variable, the n! orders of the variables stand for the functions of a
    class, each as often as any other.
    """
    found = {}
    codes, sizes = table["code"].astype(np.int64), table["size"].astype(np.int64)
    optimal = table["optimal"]
    for name, rule in RULES.items():
        grown = ties(rule, n, codes)
        right = np.zeros_like(codes)
        for leaves in sizes_by_order(rule, n, codes):
            right += leaves == optimal
        functions, rest = np.divmod(sizes * right, math.factorial(n))
        if rest.any():
            raise AssertionError(f"{name}: the orders must divide the functions of a class evenly")
        found[f"{name}_best"] = int(sizes[grown.best == optimal].sum())
        found[name] = int(functions.sum())
        found[f"{name}_worst"] = int(sizes[grown.worst == optimal].sum())
    return found
