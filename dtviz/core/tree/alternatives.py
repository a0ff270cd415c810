"""A split, and the candidates at one node: the best test of each column, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dtviz.core.table import HasTable, ResultTable, table
from dtviz.core.tree.export import walk
from dtviz.core.tree.nodes import TreeNodes


@dataclass(frozen=True)
class Split:
    """One step of a path: at ``step``, leaf ``node`` (at ``depth``) was split on ``variable``.

    ``subset`` holds the codes that go low, where there is a set of them in place of a threshold;
    ``missing`` says whether missing values go low, where some were missing in growth.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.build_top_down(dt.functions.conjunction(2))
    >>> [(split.step, split.variable, split.score) for split in path.splits]
    [(0, 0, 0.5), (1, 1, 0.5)]
    """

    step: int
    node: int
    variable: int
    threshold: float
    depth: int
    score: float
    subset: frozenset[int] | None = None
    missing: bool | None = None


@dataclass(frozen=True)
class Alternative:
    """The best ``test`` of one ``column`` at a node: what holds on the low branch.

    Its ``gain`` is what it takes off the cost of the whole tree, as ``path.scores``, and its
    ``rank`` is 1 for the largest; equal gains have the same. It is ``tied`` if another column has
    the same gain; of those growth takes the first. The test itself is as in a `Split`.
    """

    rank: int
    column: str
    test: str
    gain: float
    tied: bool
    variable: int
    threshold: float
    subset: frozenset[int] | None = None
    missing: bool | None = None


class Alternatives(HasTable, tuple[Alternative, ...]):
    """The best test of each column, the largest gain first; prints as a table."""

    __slots__ = ()

    def _as_table(self) -> ResultTable:
        rows = [(a.rank, a.column, a.test, a.gain, "tie" * a.tied) for a in self]
        return table(rows, ("rank", "column", "test", "gain", ""), formats={"gain": ".6g"})


def rank_splits(splits: list[Split], path: Any, slack: float) -> Alternatives:
    """The splits as alternatives, those whose gains differ by no more than a slack as they come."""
    by_gain = sorted(splits, key=lambda split: -split.score)
    ranks: list[int] = []
    for k, split in enumerate(by_gain):
        is_tie = bool(ranks) and split.score >= by_gain[ranks[-1] - 1].score - slack
        ranks.append(ranks[-1] if is_tie else k + 1)
    placed = sorted(
        zip(ranks, by_gain, strict=True), key=lambda pair: (pair[0], splits.index(pair[1]))
    )
    return Alternatives(
        Alternative(
            rank,
            path.names.feature(split.variable),
            _text(split, path),
            split.score,
            ranks.count(rank) > 1,
            split.variable,
            split.threshold,
            split.subset,
            split.missing,
        )
        for rank, split in placed
    )


def _text(split: Split, path: Any) -> str:
    """What a tree says of the test."""
    subsets: Mapping[int, frozenset[int]] = {} if split.subset is None else {0: split.subset}
    ways = None if split.missing is None else [split.missing, False, False]
    variable, threshold = [split.variable, -1, -1], [split.threshold, 0.5, 0.5]
    tree = TreeNodes(variable, [0, 0, 0], threshold, path.names, ways, subsets)
    return next(iter(walk(tree, tree.names))).text
