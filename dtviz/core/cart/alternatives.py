"""The candidates at one node of a path that was grown on examples.

A path keeps the examples that it grew on, not the tests that lost. So the best split of each column
is looked for again, among the rows that come to the node, by the growth of one split.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.criteria import Cost
from dtviz.core.checks import as_integer
from dtviz.core.data.examples import Inputs
from dtviz.core.tolerances import DROP_TIE
from dtviz.core.tree.alternatives import Alternatives, rank_splits
from dtviz.core.tree.nodes import descend


@dataclass(frozen=True, eq=False)
class GrowthExamples:
    """What a path was grown on, the rows that weigh something, and what `grow` was asked for."""

    inputs: Inputs
    y: npt.NDArray[Any]
    sample_weight: npt.NDArray[np.float64] | None
    cost: Cost
    fewest: int
    share: float
    grow: Callable[..., Any]


def list_alternatives(path: Any, node: object) -> Alternatives:
    """The best test of each column at a node of a path of `grow`."""
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
        grown = given.grow(
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
