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

Of more classes there is no such order. All sets are tried where a node has few categories; where it
has many, those that are first in the order of their first principal component (Coppersmith, Hong
and Hosking 1999), or of the share of one class: often the best of all, not always.

What the categories are called, and so the order of their codes, makes no difference. They count in
the order in which they first come in the table, which decides ties.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, Bools, Floats, Ints
from dtviz.core.cart.scan import Cuts, Features, Level
from dtviz.core.cart.target import Target
from dtviz.core.data.examples import Inputs
from dtviz.core.tolerances import DROP_TIE

FEW_KINDS = 8
"""Of so many categories at a node all ``2^7 - 1`` splits in two sets are tried."""

SETS_AT_ONCE = 1 << 14
"""Counts of so many sets are held at a time."""


class _Present(NamedTuple):
    """The categories in the nodes of a level: node, code and place in the order of the node."""

    node: Ints
    code: Ints
    place: Ints


class Columns:
    """The columns of inputs as `features` of the scan: each is ``of`` a column."""

    def __init__(self, inputs: Inputs, fewest: int) -> None:
        columns, nominal = inputs.columns, inputs.nominal
        self.of = np.arange(len(columns))
        self.is_plain = not nominal and not inputs.names.missing
        if self.is_plain:
            self.features = Features(columns, fewest)
            return
        gaps = np.isin(self.of, [*inputs.names.missing])
        self.of = self.of.repeat(np.where(gaps, 2, 1))
        self.of = self.of[~(np.isin(self.of, nominal) & (np.diff(self.of, prepend=-1) == 0))]
        self.is_nominal = np.isin(self.of, nominal)
        spread = columns[self.of]
        self.codes: dict[int, Ints] = {}
        self.kinds: dict[int, Ints] = {}
        self.n_codes: dict[int, int] = {}
        self.goes_low = np.diff(self.of, prepend=-1) > 0
        self.gaps = gaps[self.of]
        for i in np.flatnonzero(self.gaps | self.is_nominal).tolist():
            if self.is_nominal[i]:
                n = int(np.nanmax(spread[i], initial=-1)) + 1
                spread[i] = np.where(np.isnan(spread[i]), n, spread[i])
                # What is missing counts last.
                kinds, first, place = np.unique(spread[i], return_index=True, return_inverse=True)
                order = np.lexsort((first, kinds == n))
                self.kinds[i], self.n_codes[i] = kinds[order].astype(np.intp), n
                self.codes[i] = order.argsort()[place]
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
        has_order = target.classes is None or target.classes.size <= 2
        for i, codes in self.codes.items():
            base = self.kinds[i].size
            pairs, place = np.unique(owner * np.int64(base) + codes[rows], return_inverse=True)
            node, code = np.divmod(pairs, base)
            first = np.searchsorted(node, np.arange(level.size.size))
            if has_order:
                weight = target.weights[rows]
                total = np.bincount(place, weight * target.response(rows))
                share = total / np.bincount(place, weight)
                rank = np.lexsort((code, share, node)).argsort() - first[node]
            else:
                parts = target.summary(rows, place, pairs.size)
                rank = _high_sets(target, parts, first, self.features.fewest).astype(np.intp)
            self.present[i] = _Present(node, code, rank)
            self.features.columns[i, rows] = rank[place]
            level.rearrange(i)

    def ways(self, feature: Ints, values: Floats, node: Ints) -> npt.NDArray[np.int8]:
        """Of n splits, whether missing values go low: 1 or 0, or -1 if none is missing.

        ``values`` are those of the rows, and ``node`` says which of the splits each comes to.
        """
        way = np.full(feature.size, -1, dtype=np.int8)
        absent = np.bincount(node, np.isinf(values), minlength=feature.size) > 0
        way[absent] = self.goes_low[feature[absent]]
        return way

    def find_sets(
        self, cuts: Cuts, nodes: Ints, number: Ints, way: Array
    ) -> tuple[Ints, Array, dict[int, frozenset[int]]]:
        """The way of missing values and the codes that go low, for the splits of some nodes.

        ``number`` is that of the nodes in the tree. Splits of numbers have a ``way``, as in `ways`;
        of those of codes it is found here, with the codes that go low: of those that rows of the
        node have, else they would fill the memory.
        """
        subsets = {}
        for j in np.flatnonzero(self.is_nominal[cuts.feature[nodes]]).tolist():
            i, node = int(cuts.feature[nodes[j]]), nodes[j]
            present, n = self.present[i], self.n_codes[i]
            a, b = np.searchsorted(present.node, [node, node + 1])
            code = self.kinds[i][present.code[a:b]]
            goes_low = present.place[a:b] <= cuts.threshold[node]
            subsets[int(number[j])] = frozenset(code[goes_low & (code < n)].tolist())
            if code[-1] == n:
                way[j] = goes_low[-1]
        return number, way, subsets


def _high_sets(target: Target, parts: Ints, first: Ints, fewest: int) -> Bools:
    """Which categories go high, node after node: those of node j from ``first[j]`` on.

    ``parts`` are their summaries. The high side is that of the larger mean of the class numbers;
    nothing goes high where no split is allowed.
    """
    high = np.zeros(len(parts), dtype=np.bool_)
    number = np.diff(first, append=len(parts))
    for k in np.unique(number[number > 1]).tolist():
        nodes = np.flatnonzero(number == k)
        step = max(1, SETS_AT_ONCE >> (k - 1)) if k <= FEW_KINDS else 1
        for some in np.split(nodes, range(step, nodes.size, step)):
            at = first[some][:, None] + np.arange(k)
            if k <= FEW_KINDS:
                sets = _all_sets(k)
                low = sets.astype(np.intp) @ parts[at]
                best, cost = _best_sets(target, parts[at], low, fewest)
                sets = sets[best]
            else:
                sets, cost = _set_in_order(target, parts[at], fewest)
            own, rest = (np.where(side[..., None], parts[at], 0).sum(1) for side in (sets, ~sets))
            allowed = np.isfinite(cost)
            own, rest = own[allowed], rest[allowed]
            swapped = _mean_class(target, own) > _mean_class(target, rest)
            high[at[allowed]] = sets[allowed] == swapped[:, None]
    return high


def _all_sets(k: int) -> Bools:
    """The sets of k categories without the last, but the empty one, a row each."""
    sets: Bools = (np.arange(1, 1 << (k - 1))[:, None] >> np.arange(k)) & 1 == 1
    return sets


def _set_in_order(target: Target, parts: Ints, fewest: int) -> tuple[Bools, Floats]:
    """The best of the sets that are first in one of some orders of the categories of one node.

    By the first principal component of the class shares, and by the share of each class. With the
    cost that it leaves, as `_best_sets`.
    """
    counts = target.counts(parts[0])
    counts = counts[:, counts.any(axis=0)]
    weight = counts.sum(axis=1)
    shares = counts / weight[:, None]
    off = (shares - counts.sum(axis=0) / weight.sum()) * np.sqrt(weight)[:, None]
    axis = np.linalg.eigh(off.T @ off)[1][:, -1]
    found, least = np.zeros((1, weight.size), dtype=np.bool_), np.full(1, np.inf)
    slack = DROP_TIE * target.cost(parts.sum(axis=1))
    for values in (shares @ axis, *shares.T):
        order = values.argsort(kind="stable")
        low = parts[:, order].cumsum(axis=1)[:, :-1]
        (cut,), cost = _best_sets(target, parts, low, fewest)
        if cost < least - slack:
            least = cost
            found[0] = np.isin(np.arange(weight.size), order[: cut + 1])
    return found, least


def _best_sets(target: Target, parts: Ints, low: Ints, fewest: int) -> tuple[Ints, Floats]:
    """Which set of each node leaves the least cost, the first of those tied, and that cost.

    ``parts`` has the summaries of the categories of each node, ``low`` those of the sets. The cost
    is infinite where no set is allowed.
    """
    whole = parts.sum(axis=1, keepdims=True)
    sides = low, whole - low
    cost: Any = 0.0
    allowed: Any = True
    for side in sides:
        flat = side.reshape(-1, side.shape[2])
        cost = cost + target.cost(flat)
        allowed = allowed & (target.size(flat) >= fewest)
        allowed = allowed & (target.weight(flat) >= target.lightest)
    left = np.where(allowed, cost, np.inf).reshape(low.shape[:2])
    least: Floats = left.min(axis=1)
    near = least + DROP_TIE * target.cost(whole[:, 0])
    return (left <= near[:, None]).argmax(axis=1), least


def _mean_class(target: Target, summary: Ints) -> Floats:
    counts = target.counts(summary)
    mean: Floats = counts @ np.arange(counts.shape[1]) / counts.sum(axis=1)
    return mean
