"""The rows of the atlas: a column for each quantity, a row for each function or class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import dtviz as dt
from atlas.growth import keys_of, ties
from dtviz.core.boolean_trees.exhaustive import restrictions_of

__all__ = ["COLUMNS", "Column", "Table", "join_tables", "rows"]

Table = dict[str, npt.NDArray[Any]]


class Column(NamedTuple):
    """A column: its title, its type, and what it means in a sentence."""

    title: str
    dtype: str
    meaning: str


_TIES = "Growth goes on until no point is wrong."

COLUMNS: dict[str, Column] = {
    "n": Column("variables", "uint8", "Of how many variables the function is."),
    "code": Column("code", "uint32", "The truth table as an integer: bit x is f(x)."),
    "least": Column("class", "uint32", "The least code of the function's NPN class."),
    "size": Column("class size", "uint32", "How many functions the class has."),
    "ones": Column("ones", "uint8", "At how many of the 2^n points f is 1."),
    "influences": Column(
        "influences",
        "uint8",
        "For each variable, at how many points a flip of it changes f: 2^n times the influence.",
    ),
    "optimal": Column("optimal size", "uint8", "The fewest leaves of a tree of f."),
    "depth": Column("depth", "uint8", "The least depth of a tree of f."),
    "rank": Column("rank", "uint8", "The least rank of a tree of f."),
    "queries": Column(
        "average depth, times 2^n",
        "uint8",
        "The fewest questions in all when each of the 2^n points is asked for once.",
    ),
    "greedy_best": Column(
        "greedy size, best ties",
        "uint8",
        f"Growth by influence, ties broken for the fewest leaves. {_TIES}",
    ),
    "greedy_worst": Column(
        "greedy size, worst ties",
        "uint8",
        f"Growth by influence, ties broken for the most leaves. {_TIES}",
    ),
    "gini_best": Column(
        "ID3 size, best ties",
        "uint8",
        f"Growth by any strictly concave cost, ties broken for the fewest leaves. {_TIES}",
    ),
    "gini_stuck": Column(
        "wrong where Gini stops",
        "uint8",
        "The fewest points still wrong, over all ties, if a leaf is split only where a question "
        "lowers a strictly concave cost.",
    ),
}
"""The columns of the tables, ``least`` in functions.npz only. All are exact integers, the same for
all functions of a class but for code, ones, and the order of the influences."""


def rows(
    n: int, codes: npt.ArrayLike, sizes: npt.ArrayLike, least: npt.ArrayLike | None = None
) -> Table:
    """All columns of some functions of n variables, given the sizes of their classes."""
    codes = np.asarray(codes, dtype=np.int64)
    best, greedy, gini = (
        dt.optimal_all(n, codes=codes),
        dt.influence.greedy_all(n, codes),
        ties("gini", n, codes),
    )
    found = {
        "n": np.full(codes.shape, n),
        "code": codes,
        **({} if least is None else {"least": least}),
        "size": np.asarray(sizes),
        "ones": np.bitwise_count(codes),
        "influences": 2 * keys_of("influence", restrictions_of(codes, n), n).T,
        "optimal": best.n_leaves,
        "depth": best.depth,
        "rank": best.rank,
        # Multiples of 2^-n, which floats hold exactly.
        "queries": np.ldexp(best.average_depth, n),
        "greedy_best": greedy.best,
        "greedy_worst": greedy.worst,
        "gini_best": gini.best,
        "gini_stuck": gini.stuck,
    }
    return {name: np.asarray(column).astype(COLUMNS[name].dtype) for name, column in found.items()}


def join_tables(parts: list[Table]) -> Table:
    """Tables one below the other; influences of fewer variables are filled up with zeros."""
    width = parts[-1]["influences"].shape[1]
    for part in parts:
        short = width - part["influences"].shape[1]
        part["influences"] = np.pad(part["influences"], ((0, 0), (0, short)))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
