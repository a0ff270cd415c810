"""The functions that are extreme in something, and the classes they form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from atlas.columns import COLUMNS
from atlas.table import Table

__all__ = ["EXTREMES", "Extreme", "extremes"]

Array = npt.NDArray[Any]

MAX_CODES = 12
"""The most classes that are named for one extreme."""


class Extreme(NamedTuple):
    """What is largest: of which classes, how it is computed, and whether it is a ratio."""

    title: str
    says: str
    score: Callable[[Table], Array]
    over: Callable[[Table], Array] | None = None
    among: Callable[[Table], Array] | None = None
    least: bool = False


def _column(name: str) -> Callable[[Table], Array]:
    return lambda table: table[name].astype(np.int64)


def _less(first: str, second: str) -> Callable[[Table], Array]:
    return lambda table: table[first].astype(np.int64) - table[second]


def _is(name: str, value: int) -> Callable[[Table], Array]:
    def chosen(table: Table) -> Array:
        where: Array = table[name] == value
        return where

    return chosen


def _gap(learner: str) -> Callable[[Table], Array]:
    def gap(table: Table) -> Array:
        apart = table[f"{learner}_errors"].astype(np.int64) - table["optimal_errors"]
        most: Array = apart.max(axis=1)
        return most

    return gap


def _lazy(table: Table) -> Array:
    """By how much the depth is above the average depth, times 2^n."""
    points: int = table["optimal_errors"].shape[1]
    above: Array = table["depth"].astype(np.int64) * points - table["queries"]
    return above


_OVER_OPTIMAL = _column("optimal")

EXTREMES: dict[str, Extreme] = {
    "optimal-most": Extreme(
        "The largest trees", "The most leaves that a smallest tree needs.", _column("optimal")
    ),
    "greedy-adds": Extreme(
        "Greed adds most leaves",
        "Leaves of the greedy tree, ties broken for the best, beyond the optimal size.",
        _less("greedy_best", "optimal"),
    ),
    "greedy-ratio": Extreme(
        "Greed loses most by ratio",
        "Leaves of the greedy tree, ties broken for the best, over the optimal size.",
        _column("greedy_best"),
        _OVER_OPTIMAL,
    ),
    "worst-adds": Extreme(
        "Greed with bad luck adds most leaves",
        "Leaves of the greedy tree, ties broken for the worst, beyond the optimal size.",
        _less("greedy_worst", "optimal"),
    ),
    "worst-ratio": Extreme(
        "Greed with bad luck loses most by ratio",
        "Leaves of the greedy tree, ties broken for the worst, over the optimal size.",
        _column("greedy_worst"),
        _OVER_OPTIMAL,
    ),
    "ties": Extreme(
        "Ties matter most",
        "Leaves of the greedy tree with the worst ties beyond those with the best.",
        _less("greedy_worst", "greedy_best"),
    ),
    "gini-adds": Extreme(
        "ID3 adds most leaves",
        "Leaves of the tree grown by a strictly concave cost, ties broken for the best, beyond "
        "the optimal size.",
        _less("gini_best", "optimal"),
    ),
    "gini-ratio": Extreme(
        "ID3 loses most by ratio",
        "Leaves of the tree grown by a strictly concave cost, ties broken for the best, over the "
        "optimal size.",
        _column("gini_best"),
        _OVER_OPTIMAL,
    ),
    "influence-beats-gini": Extreme(
        "Influence beats Gini by most",
        "Leaves by a strictly concave cost beyond those by influence, both with the best ties.",
        _less("gini_best", "greedy_best"),
    ),
    "gini-beats-influence": Extreme(
        "Gini beats influence by most",
        "Leaves by influence beyond those by a strictly concave cost, both with the best ties.",
        _less("greedy_best", "gini_best"),
    ),
    "gini-beats-error": Extreme(
        "Gini beats the error by most",
        "Leaves by the error beyond those by a strictly concave cost, both with the best ties.",
        _less("error_best", "gini_best"),
    ),
    "error-beats-gini": Extreme(
        "The error beats Gini by most",
        "Leaves by a strictly concave cost beyond those by the error, both with the best ties.",
        _less("gini_best", "error_best"),
    ),
    "gini-stuck": Extreme(
        "Gini stops with most points wrong",
        "Points wrong where no question lowers a strictly concave cost any more.",
        _column("gini_stuck"),
    ),
    "error-stuck-alone": Extreme(
        "The error stops where Gini learns all",
        "Points wrong where no question lowers the error any more, of functions that a strictly "
        "concave cost learns to the end.",
        _column("error_stuck"),
        among=_is("gini_stuck", 0),
    ),
    "greedy-curve": Extreme(
        "The greedy tree is furthest from the best of its size",
        "Points that a tree on the greedy path gets wrong beyond the fewest with so many leaves; "
        "ties as in the book, for the least code of each class.",
        _gap("influence"),
    ),
    "gini-curve": Extreme(
        "The Gini tree is furthest from the best of its size",
        "Points that a tree on the path of Gini gets wrong beyond the fewest with so many leaves; "
        "ties as in the book, for the least code of each class.",
        _gap("gini"),
    ),
    "queries-most": Extreme(
        "The most questions on average",
        "The least average depth, times 2^n.",
        _column("queries"),
    ),
    "lazy": Extreme(
        "Deep, but seldom",
        "The depth less the average depth, times 2^n.",
        _lazy,
    ),
    **{
        f"rank-{r}-{end}": Extreme(
            f"Rank {r}, {end} leaves",
            f"The {end} leaves that a smallest tree of a function of rank {r} has.",
            _column("optimal"),
            among=_is("rank", r),
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
    return list(_found(table))


def _found(table: Table) -> Iterator[dict[str, Any]]:
    for key, extreme in EXTREMES.items():
        chosen = np.ones(table["code"].shape, dtype=bool)
        if extreme.among is not None:
            chosen = extreme.among(table)
        at = np.flatnonzero(chosen)
        if at.size == 0:
            continue
        top = extreme.score(table)[at]
        bottom = extreme.over(table)[at] if extreme.over else np.ones_like(top)
        # Quotients of small integers are equal as floats just where they are equal.
        values = top / bottom
        value = values.min() if extreme.least else values.max()
        attained = at[values == value]
        first = int(np.flatnonzero(values == value)[0])
        exact = Fraction(int(top[first]), int(bottom[first]))
        if exact == (0 if extreme.over is None else 1):
            continue
        yield {
            "key": key,
            "title": extreme.title,
            "says": extreme.says,
            "value": exact.numerator if extreme.over is None else str(exact),
            "functions": int(table["size"][attained].astype(np.int64).sum()),
            "classes": int(attained.size),
            "codes": [f"0x{code:x}" for code in table["code"][attained[:MAX_CODES]].tolist()],
            "values": {
                name: table[name][attained[0]].tolist()
                for name in COLUMNS
                if name in table and name not in ("n", "code", "least")
            },
        }
