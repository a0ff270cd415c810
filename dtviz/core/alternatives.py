"""The candidates at one node of a growth path: the best test of each column, side by side.

A path keeps the examples that it grew on, not the tests that lost. So the best split of each column
is looked for again, among the rows that come to the node, by the growth of one split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer
from dtviz.core.criteria import Cost
from dtviz.core.data.examples import Inputs
from dtviz.core.export import walk
from dtviz.core.growth_path import Split
from dtviz.core.table import ResultTable, Tabled, table
from dtviz.core.tolerances import DROP_TIE
from dtviz.core.tree import Tree
from dtviz.core.tree_arrays import descend


@dataclass(frozen=True)
class Alternative:
    """The best test of one column at a node.

    Attributes
    ----------
    rank : int
        1 for the largest gain; equal gains have the same rank.
    column, test : str
        The name of the column, and what holds on the low branch.
    gain : float
        What the split takes off the cost of the whole tree, as ``path.scores``.
    tied : bool
        Another column has the same gain; of those growth takes the first.
    variable, threshold, subset, missing :
        The test, as in a `Split`.
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


class Alternatives(Tabled, tuple[Alternative, ...]):
    """The best test of each column, the largest gain first; prints as a table."""

    __slots__ = ()

    def _as_table(self) -> ResultTable:
        rows = [(a.rank, a.column, a.test, a.gain, "tie" * a.tied) for a in self]
        return table(rows, ("rank", "column", "test", "gain", ""), formats={"gain": ".6g"})


@dataclass(frozen=True, eq=False)
class GrowthExamples:
    """What a path was grown on, and what `grow` was asked for.

    ``inputs`` are those of the rows that weigh something. Nothing here changes with what was given.
    """

    inputs: Inputs
    y: npt.NDArray[Any]
    sample_weight: npt.NDArray[np.float64] | None
    cost: Cost
    fewest: int
    share: float


def list_alternatives(path: Any, node: object, grow: Callable[..., Any]) -> Alternatives:
    """The best test of each column at a node of a path of `grow`, which is handed over."""
    number = as_integer("node", node, 0, 2 * path.n_splits)
    given: GrowthExamples | None = path.grown_on
    if given is None:
        msg = "path must be as grow() returned it: a copy or pickle does not keep the examples"
        raise ValueError(msg)
    y, weights = given.y, given.sample_weight
    if weights is not None:
        y, weights = y[weights > 0], weights[weights > 0]
    rows = _rows_at(path, number, given.inputs.columns)
    share = given.share / float(path.node_probability[number])
    if share > 0.5:
        return Alternatives()
    found = []
    for i, column in enumerate(given.inputs.columns[:, rows]):
        grown = grow(
            _as_text(column) if i in given.inputs.nominal else column[:, None],
            y[rows],
            given.cost,
            max_leaves=2,
            sample_weight=None if weights is None else weights[rows],
            min_samples_leaf=given.fewest,
            min_weight_fraction_leaf=share,
        )
        for split in grown.splits:
            gain = split.score * float(path.node_probability[number])
            codes = None
            if split.subset is not None:
                kinds = grown.names.categories[0]
                codes = frozenset(int(kinds[k][1:]) for k in split.subset)
            found.append(replace(split, variable=i, score=gain, subset=codes))
    taken = [split for split in path.splits if split.node == number]
    # Its own first: of equally good sets, and where a tie is but rounding.
    others = [split for split in found if split.variable not in {s.variable for s in taken}]
    return rank_splits(taken + others, path, DROP_TIE * float(path.node_cost[number]))


def _rows_at(path: Any, node: int, columns: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """The rows that come to a node of a path."""
    tree = path.tree()
    place = int(np.flatnonzero(path.nodes() == node)[0])
    leaf = descend(tree, np.arange(columns.shape[1]), lambda row, i: columns[i, row])
    end = place + 2 * int(tree.leaves_below[place]) - 1
    return np.flatnonzero((leaf >= place) & (leaf < end))


def _as_text(column: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    """Codes as text that sorts like them, to be divided by sets."""
    texts = [None if np.isnan(code) else f"c{int(code):09d}" for code in column]
    return np.array(texts, dtype=object)[:, None]


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
    tree = Tree(variable, [0, 0, 0], threshold, path.names, ways, subsets)
    return next(iter(walk(tree, tree.names))).text
