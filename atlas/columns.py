"""What the columns of the tables are."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COLUMNS", "CURVES", "DERIVED", "KEPT", "Column"]


class Column(NamedTuple):
    """A column: its title, the unit it counts in, its type, and what it means in a sentence."""

    title: str
    unit: str
    dtype: str
    meaning: str


_TIES = "Growth goes on until no point is wrong."
_AT_LEAST = "The least code of the class, not the same throughout it."

COLUMNS: dict[str, Column] = {
    "n": Column("variables", "variables", "uint8", "Of how many variables the function is."),
    "code": Column("code", "", "uint32", "The truth table as an integer: bit x is f(x)."),
    "least": Column("class", "", "uint32", "The least code of the function's NPN class."),
    "size": Column("class size", "functions", "uint32", "How many functions the class has."),
    "ones": Column("ones", "points", "uint8", "At how many of the 2^n points f is 1."),
    "influences": Column(
        "influences",
        "points",
        "uint8",
        "For each variable, at how many points a flip of it changes f: 2^n times the influence.",
    ),
    "optimal": Column("optimal size", "leaves", "uint8", "The fewest leaves of a tree of f."),
    "depth": Column("depth", "questions", "uint8", "The least depth of a tree of f."),
    "rank": Column("rank", "", "uint8", "The least rank of a tree of f."),
    "queries": Column(
        "average depth, times 2^n",
        "questions",
        "uint8",
        "The fewest questions in all when each of the 2^n points is asked for once.",
    ),
    "greedy": Column(
        "greedy size",
        "leaves",
        "uint8",
        f"Growth by influence, ties to the lowest variable. {_AT_LEAST}",
    ),
    "greedy_best": Column(
        "greedy size, best ties",
        "leaves",
        "uint8",
        f"Growth by influence, ties broken for the fewest leaves. {_TIES}",
    ),
    "greedy_worst": Column(
        "greedy size, worst ties",
        "leaves",
        "uint8",
        f"Growth by influence, ties broken for the most leaves. {_TIES}",
    ),
    "greedy_sum": Column(
        "greedy size, summed over orders",
        "leaves",
        "uint16",
        "The sum of the greedy sizes when ties go by each of the n! orders of the variables; "
        "divided by n! it is the mean of `greedy` over the class.",
    ),
    "gini": Column(
        "ID3 size",
        "leaves",
        "uint8",
        f"Growth by Gini, or any strictly concave cost, ties to the lowest variable. {_AT_LEAST}",
    ),
    "gini_best": Column(
        "ID3 size, best ties",
        "leaves",
        "uint8",
        f"Growth by any strictly concave cost, ties broken for the fewest leaves. {_TIES}",
    ),
    "gini_worst": Column(
        "ID3 size, worst ties",
        "leaves",
        "uint8",
        f"Growth by any strictly concave cost, ties broken for the most leaves. {_TIES}",
    ),
    "error": Column(
        "size by error",
        "leaves",
        "uint8",
        f"Growth by the error, ties to the lowest variable. {_AT_LEAST}",
    ),
    "error_best": Column(
        "size by error, best ties",
        "leaves",
        "uint8",
        f"Growth by the error, ties broken for the fewest leaves. {_TIES}",
    ),
    "error_worst": Column(
        "size by error, worst ties",
        "leaves",
        "uint8",
        f"Growth by the error, ties broken for the most leaves. {_TIES}",
    ),
    "gini_stuck": Column(
        "wrong where Gini stops",
        "points",
        "uint8",
        "The fewest points still wrong, over all ties, if a leaf is split only where a question "
        "lowers a strictly concave cost.",
    ),
    "error_stuck": Column(
        "wrong where the error stops",
        "points",
        "uint8",
        "The fewest points still wrong, over all ties, if a leaf is split only where a question "
        "lowers the error.",
    ),
}
"""The columns of the tables. All are exact integers, the same for all functions
of a class but for code, ones, the order of the influences, and where it is said."""

KEPT = (
    "n",
    "code",
    "least",
    "size",
    "ones",
    "influences",
    "optimal",
    "depth",
    "rank",
    "queries",
    "greedy_best",
    "greedy_worst",
    "gini_best",
    "gini_stuck",
)
"""The columns that the repository holds, in functions.npz and classes.npz; ``least`` in the first
only. `make atlas` leaves tables of all columns beside its stages: all would be twice as large."""

CURVES: dict[str, Column] = {
    "optimal_errors": Column(
        "least error",
        "points",
        "uint8",
        "Entry s - 1: the fewest points that a tree of at most s leaves gets wrong.",
    ),
    **{
        f"{key}_errors": Column(
            f"errors of growth by {name}",
            "points",
            "uint8",
            f"Entry s - 1: the points wrong when growth by {name} has s leaves, 0 once all leaves "
            "are pure. Ties as in the book: the lowest variable, the shallowest, then the "
            "leftmost leaf. Of the least code of the class, not the same throughout it.",
        )
        for key, name in {
            "influence": "influence",
            "gini": "Gini",
            "entropy": "entropy",
            "sqrt": "the square root",
            "error": "the error",
        }.items()
    },
}
"""More columns, of 2^n entries a row."""

DERIVED: dict[str, Column] = {
    "wrong": Column(
        "distance from a constant",
        "points",
        "uint8",
        "The points that the better constant gets wrong. With m this number over 2^n, the "
        "variance is 4 m (1 - m).",
    ),
    "total_influence": Column(
        "total influence", "points", "uint8", "The sum of the influences, times 2^n."
    ),
    "largest_influence": Column(
        "largest influence", "points", "uint8", "The largest of the influences, times 2^n."
    ),
    "relevant": Column(
        "variables that matter", "variables", "uint8", "How many influences are not 0."
    ),
}
"""What atlas.json counts besides, computed from the columns."""
