"""Columns with missing values, and of categories without an order, as features of the scan.

A missing value may go either way. So a column in which some are missing becomes two features: in
one they are below all that is there, in the other above. The scan knows nothing of this, and finds
the best threshold with the better way.

A set of categories that goes low is found in linear time by a theorem (Fisher 1958; Breiman,
Friedman, Olshen and Stone 1984, theorem 4.5): for two classes and a concave impurity, or for
numbers and squared loss, no set is better than the best of those that are first in the order of the
categories by their share of the second class, or by their mean. So at each node the categories are
put in that order, and the scan looks for a threshold among their places. Missing values are a
category of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.scan import Cuts, Features, Level
from dtviz.core.targets import Target

__all__ = ["Columns"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]


class _Present(NamedTuple):
    """The categories in the nodes of a level: node, code and place in the order of the node."""

    node: Ints
    code: Ints
    place: Ints


class Columns:
    """The columns of a table, ``(d, m)``, NaN where a value is missing, as `features` of the scan.

    Those that are ``nominal`` are split by sets of their codes. ``of`` says of which column a
    feature is.
    """

    def __init__(self, columns: Floats, nominal: tuple[int, ...], fewest: int) -> None:
        gaps = np.isnan(columns.min(axis=1))
        self.is_plain = not nominal and not gaps.any()
        if self.is_plain:
            self.features, self.of = Features(columns, fewest), np.arange(len(columns))
            return
        self.of = np.arange(len(columns)).repeat(np.where(gaps, 2, 1))
        self.of = self.of[~(np.isin(self.of, nominal) & (np.diff(self.of, prepend=-1) == 0))]
        self.is_nominal = np.isin(self.of, nominal)
        spread = columns[self.of]
        self.codes: dict[int, Ints] = {}
        self.n_codes: dict[int, int] = {}
        self.goes_low = np.diff(self.of, prepend=-1) > 0
        self.gaps = gaps[self.of]
        for i in np.flatnonzero(self.gaps | self.is_nominal).tolist():
            if self.is_nominal[i]:
                n = int(np.nanmax(spread[i], initial=-1)) + 1
                spread[i] = np.where(np.isnan(spread[i]), n, spread[i])
                self.codes[i], self.n_codes[i] = spread[i].astype(np.intp), n
            else:
                end = -np.inf if self.goes_low[i] else np.inf
                spread[i] = np.where(np.isnan(spread[i]), end, spread[i])
        self.features = Features(spread, fewest, has_order=not self.codes)
        self.present: dict[int, _Present] = {}

    def arrange(self, level: Level, target: Target) -> None:
        """Put the categories of each node of a level in order, and its rows with them."""
        if self.is_plain or not self.codes:
            return
        rows, owner = level.members
        amount, weight = target.response(rows)
        for i, codes in self.codes.items():
            base = self.n_codes[i] + 1
            pairs, place = np.unique(owner * np.int64(base) + codes[rows], return_inverse=True)
            node, code = np.divmod(pairs, base)
            share = np.bincount(place, amount) / np.bincount(place, weight)
            order = np.lexsort((code, share, node))
            first = np.searchsorted(node, np.arange(level.size.size))
            rank = np.empty_like(order)
            rank[order] = np.arange(order.size)
            rank -= first[node]
            self.present[i] = _Present(node, code, rank)
            self.features.columns[i, rows] = rank[place]
            level.rearrange(i)

    def ways(self, feature: Ints, values: Floats, node: Ints) -> npt.NDArray[np.int8]:
        """Of n splits, whether missing values go low: 1 or 0, or -1 if there are none to tell.

        ``values`` are those of the rows, and ``node`` says which of the splits each comes to.
        """
        way = np.full(feature.size, -1, dtype=np.int8)
        absent = np.bincount(node, np.isinf(values), minlength=feature.size) > 0
        way[absent] = self.goes_low[feature[absent]]
        return way

    def told(
        self, cuts: Cuts, nodes: Ints, number: Ints, way: Array
    ) -> tuple[Ints, Array, dict[int, frozenset[int]]]:
        """What is to be known of the splits of some nodes, by their number in the tree.

        Those of numbers have a ``way``, as in `ways`; of those of codes it is found here, with the
        codes that go low: of those that rows of the node have, else they would fill the memory.
        """
        subsets = {}
        for j in np.flatnonzero(self.is_nominal[cuts.feature[nodes]]).tolist():
            i, node = int(cuts.feature[nodes[j]]), nodes[j]
            present, n = self.present[i], self.n_codes[i]
            a, b = np.searchsorted(present.node, [node, node + 1])
            code = present.code[a:b]
            goes_low = present.place[a:b] <= cuts.threshold[node]
            subsets[int(number[j])] = frozenset(code[goes_low & (code < n)].tolist())
            if code[-1] == n:
                way[j] = goes_low[-1]
        return number, way, subsets
