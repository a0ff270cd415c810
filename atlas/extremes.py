"""The functions that are extreme in something, and the classes they form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from atlas.tables import Table

__all__ = ["EXTREMES", "Extreme", "extremes"]


MAX_CODES = 12
"""The most classes that are named for one extreme."""


class Extreme(NamedTuple):
    """What is largest: a column, less another one or over the optimal size."""

    title: str
    says: str
    column: str
    less: str | None = None
    ratio: bool = False
    rank: int | None = None
    """Of functions of this rank only."""
    least: bool = False
    """The smallest value is wanted."""


_COST = "the tree grown by a strictly concave cost, ties broken for the best"
GROWN = (
    ("greedy", "greedy_best", "Greed", "the greedy tree, ties broken for the best"),
    ("worst", "greedy_worst", "Greed with bad luck", "the greedy tree, ties broken for the worst"),
    ("gini", "gini_best", "ID3", _COST),
)
"""The trees whose size is compared with the optimal size: key, column, name, description."""

EXTREMES: dict[str, Extreme] = {
    "optimal-most": Extreme(
        "The largest trees", "The most leaves that a smallest tree needs.", "optimal"
    ),
    **{
        f"{key}-{kind}": Extreme(
            f"{who} {'loses most by ratio' if kind == 'ratio' else 'adds most leaves'}",
            f"Leaves of {tree}, {'over' if kind == 'ratio' else 'beyond'} the optimal size.",
            column,
            less=None if kind == "ratio" else "optimal",
            ratio=kind == "ratio",
        )
        for key, column, who, tree in GROWN
        for kind in ("adds", "ratio")
    },
    "ties": Extreme(
        "Ties matter most",
        "Leaves of the greedy tree with the worst ties beyond those with the best.",
        "greedy_worst",
        "greedy_best",
    ),
    "influence-beats-gini": Extreme(
        "Influence beats Gini by most",
        "Leaves by a strictly concave cost beyond those by influence, both with the best ties.",
        "gini_best",
        "greedy_best",
    ),
    "gini-beats-influence": Extreme(
        "Gini beats influence by most",
        "Leaves by influence beyond those by a strictly concave cost, both with the best ties.",
        "greedy_best",
        "gini_best",
    ),
    "gini-stuck": Extreme(
        "Gini stops with most points wrong",
        "Points wrong where no question lowers a strictly concave cost any more.",
        "gini_stuck",
    ),
    **{
        f"rank-{r}-{end}": Extreme(
            f"Rank {r}, {end} leaves",
            f"The {end} leaves that a smallest tree of a function of rank {r} has.",
            "optimal",
            rank=r,
            least=end == "fewest",
        )
        for r in range(1, 6)
        for end in ("most", "fewest")
    },
}


def extremes(table: Table) -> list[dict[str, Any]]:
    """The extremes of some classes of functions, each with the least codes that attain it.

    An extreme that is no loss at all (0, or a ratio of 1) is left out, for all functions attain it.
    """
    return [found for key, extreme in EXTREMES.items() if (found := _find(table, key, extreme))]


def _find(table: Table, key: str, extreme: Extreme) -> dict[str, Any] | None:
    among = np.ones(table["code"].shape, dtype=bool)
    if extreme.rank is not None:
        among = table["rank"] == extreme.rank
    at = np.flatnonzero(among)
    if at.size == 0:
        return None
    top = table[extreme.column][at].astype(np.int64)
    if extreme.less is not None:
        top -= table[extreme.less][at]
    bottom = table["optimal"][at] if extreme.ratio else np.ones_like(top)
    # Quotients of small integers are equal as floats just where they are equal.
    values = top / bottom
    attained = np.flatnonzero(values == (values.min() if extreme.least else values.max()))
    first, which = attained[0], at[attained]
    exact = Fraction(int(top[first]), int(bottom[first]))
    if exact == (1 if extreme.ratio else 0):
        return None
    return {
        "key": key,
        "title": extreme.title,
        "says": extreme.says,
        "value": str(exact) if extreme.ratio else exact.numerator,
        "functions": int(table["size"][which].astype(np.int64).sum()),
        "classes": int(which.size),
        "codes": [f"0x{code:x}" for code in table["code"][which[:MAX_CODES]].tolist()],
        "values": {
            name: column[which[0]].tolist()
            for name, column in table.items()
            if name not in ("n", "code")
        },
    }
