"""The rows of the atlas: everything that is told of some functions of n variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import dtviz as dt
from atlas import curves
from atlas.columns import COLUMNS, CURVES
from atlas.growth import keys_of, sizes_by_order, ties
from dtviz.core.exhaustive import restrictions_of

__all__ = ["RULES", "Table", "by_order", "derived", "joined", "rows"]

Array = npt.NDArray[Any]
Table = dict[str, Array]

RULES = {"greedy": "influence", "gini": "gini", "error": "error"}
"""The columns that hold sizes of grown trees, and the rules that grow them."""


def rows(n: int, codes: npt.ArrayLike, sizes: npt.ArrayLike) -> Table:
    """All columns of the least codes of some NPN classes, or of any functions of n variables.

    Besides those of `COLUMNS` and `CURVES` there is ``RULE_orders`` for each rule: in how many of
    the n! orders of the variables the tree has 0, 1, ..., 2^n leaves.
    """
    codes = np.asarray(codes, dtype=np.int64)
    best, greedy = dt.optimal_all(n, codes=codes), dt.influence.greedy_all(n, codes)
    found: Table = {
        "n": np.full(codes.shape, n),
        "code": codes,
        "size": np.asarray(sizes),
        "ones": np.bitwise_count(codes),
        "influences": 2 * keys_of("influence", n, restrictions_of(codes, n)).T,
        "optimal": best.n_leaves,
        "depth": best.depth,
        "rank": best.rank,
        # Multiples of 2^-n, which floats hold exactly.
        "queries": np.ldexp(best.average_depth, n),
        "greedy": greedy.n_leaves,
        "greedy_best": greedy.best,
        "greedy_worst": greedy.worst,
    }
    for rule in ("gini", "error"):
        grown = ties(rule, n, codes)
        found |= {f"{rule}_best": grown.best, f"{rule}_worst": grown.worst}
        found[f"{rule}_stuck"] = grown.stuck
    for name, rule in RULES.items():
        found[f"{name}_orders"] = by_order(rule, n, codes)
    leaves = np.arange((1 << n) + 1)
    found["greedy_sum"] = found["greedy_orders"].astype(np.int64) @ leaves
    found["optimal_errors"] = curves.best_errors(n, codes).T
    for learner in curves.LEARNERS:
        found[f"{learner}_errors"] = curves.grown_errors(learner, n, codes).T
    for rule in ("gini", "error"):
        # While a point is wrong there is another split.
        found[rule] = (found[f"{rule}_errors"] > 0).sum(axis=1) + 1
    return {name: _narrow(name, column) for name, column in found.items()}


def by_order(rule: str, n: int, codes: Array) -> npt.NDArray[np.uint8]:
    """How many of the n! orders of the variables make a tree of 0, 1, ..., 2^n leaves."""
    counts = np.zeros((codes.size, (1 << n) + 1), dtype=np.uint8)
    at = np.arange(codes.size)
    for sizes in sizes_by_order(rule, n, codes):
        counts[at, sizes] += 1
    return counts


def _narrow(name: str, column: Array) -> Array:
    """The column in the type that is promised; no value may be lost."""
    known = COLUMNS.get(name) or CURVES.get(name)
    narrow = column.astype(known.dtype if known else np.uint8)
    if not np.array_equal(narrow, column):
        raise AssertionError(f"column {name} has values that {narrow.dtype} cannot hold")
    return narrow


def joined(parts: list[Table]) -> Table:
    """Tables one below the other; rows of fewer variables are filled up with zeros."""
    whole: Table = {}
    for name in parts[0]:
        columns = [part[name] for part in parts]
        if columns[0].ndim == 2:
            width = max(column.shape[1] for column in columns)
            columns = [np.pad(c, ((0, 0), (0, width - c.shape[1]))) for c in columns]
        whole[name] = np.concatenate(columns)
    return whole


def derived(table: Table, n: int) -> Table:
    """The columns of `DERIVED`."""
    ones, influences = table["ones"].astype(np.int64), table["influences"][:, :n]
    return {
        "wrong": np.minimum(ones, (1 << n) - ones),
        "total_influence": influences.sum(axis=1, dtype=np.int64),
        "largest_influence": influences.max(axis=1).astype(np.int64),
        "relevant": (influences > 0).sum(axis=1),
    }
