"""The best trees of a given size or depth: what greedy trees are compared with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools
from dtviz.core.cart.scan import midpoints
from dtviz.core.checks import as_integer
from dtviz.core.data.examples import Inputs
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_classes
from dtviz.core.hints import with_hints
from dtviz.core.tree.node_sums import NodeSums
from dtviz.core.tree.tree import Tree

MOST_KINDS = 8
"""There are ``2^(k-1) - 1`` ways to divide k categories."""

MOST_CUTS = 4096
"""All pairs of cuts are counted, so a table of this many has some 100 MB."""


@with_hints
def least_errors(X: Any, y: Any = None, max_leaves: int | None = None) -> tuple[float, ...]:
    """Return the least share of rows that trees of at most 1, 2, ... leaves get wrong.

    Exact, by the search of `optimal_tree`, which also gives the trees. Entry k belongs to trees of
    at most k + 1 leaves; the last to ``max_leaves``, or to fewer if no larger tree errs less.

    Parameters
    ----------
    X, y : (m, d) array-like or data frame, (m,) array-like
        Examples as for `grow`, none missing. A column of text is divided in all ways, so it has at
        most 8 categories; where their order means something, by thresholds.
    max_leaves : int >= 1

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[x, z] for x in range(4) for z in range(4)]
    >>> checkerboard = [(x < 2) != (z < 2) for x, z in X]
    >>> dt.impurity.least_errors(X, checkerboard, 9)
    (0.5, 0.5, 0.25, 0.0)
    """
    X, y, *_ = read_handed(X, y)
    search = _Search(Inputs(X), y)
    most = as_integer("max_leaves", max_leaves, 1)
    errors: list[int] = []
    while len(errors) < most and errors[-1:] != [search.floor]:
        errors.append(search.least(search.rows, len(errors) + 1, len(errors)).cost // search.unit)
    return tuple(wrong / search.m for wrong in errors)


@with_hints
def optimal_tree(
    X: Any,
    y: Any = None,
    *,
    max_leaves: int | None = None,
    depth: int | None = None,
    feature_names: Iterable[str] | None = None,
) -> Tree:
    """Return a tree with the fewest errors of all trees within a number of leaves or a depth.

    Of the trees with the fewest errors it is one with the fewest leaves. Greedy growth, `grow`,
    takes the best split for the moment, and ends with more errors on most data. Thresholds and
    labels are as those of `grow`.

    Parameters
    ----------
    X, y :
        As for `least_errors`; the columns have at most 4096 cuts together.
    max_leaves, depth : int, optional
        The most leaves and the largest depth; at least one must be given.
    feature_names : sequence of d strings, optional
        What text and pictures call the features; by default the columns of a data frame.

    Notes
    -----
    Branch and bound over the sets of rows that tests cut out, each a bit mask. The best tree of at
    most three leaves, or of depth 2, comes from counts of all pairs of cuts, one matrix product
    (Demirovic et al. 2022, MurTree). Rows that a side of a cut wins can only add errors to it, so
    whole intervals of cuts are ruled out at once. Still the work grows quickly with the leaves: to
    find the smallest tree is NP-hard (claim CU-NPH). For some hundred rows, 5 leaves or depth 3
    take seconds.

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[x, z] for x in range(4) for z in range(4)]
    >>> checkerboard = [(x < 2) != (z < 2) for x, z in X]
    >>> dt.impurity.optimal_tree(X, checkerboard, depth=2)
    <Tree: 4 leaves, depth 2>
    >>> dt.grow(X, checkerboard, max_leaves=4).errors[-1].item()
    0.25
    """
    X, y, feature_names, kinds = read_handed(X, y, feature_names)
    inputs = Inputs(X, feature_names)
    search = _Search(inputs, y)
    if max_leaves is None and depth is None:
        msg = "max_leaves or depth must be given, got neither"
        raise ValueError(msg)
    # More leaves than rows make no tree better.
    most = search.m if max_leaves is None else as_integer("max_leaves", max_leaves, 1)
    leaves = min(most, search.m)
    levels = leaves - 1 if depth is None else as_integer("depth", depth, 0)
    tree = search.tree(inputs, leaves, levels)
    return tree if kinds is None else tree.named(class_names=dict(enumerate(kinds)))


class _Best(NamedTuple):
    """What is known of the trees on some rows.

    Their least cost, or if that is not ``exact`` a number that it is not below. In the best one the
    root sends the rows ``low`` low, 0 if it is a leaf, and its sides have at most this many leaves.
    """

    cost: int
    exact: bool = True
    low: int = 0
    leaves: tuple[int, int] = (0, 0)


class _End(NamedTuple):
    """A cut in the search: its place, its low side, and what both sides cost at least."""

    cut: int
    low: int
    costs: tuple[int, int]


class _Search:
    """The best trees of sets of rows, which are remembered.

    A set of rows is an integer, bit i for row i. The cost of a tree is ``unit`` for each error and
    1 for each leaf, so that it is compared by errors first.
    """

    def __init__(self, inputs: Inputs, y: Any) -> None:
        columns = inputs.columns
        m = int(columns.shape[1])
        self.m = m
        self.rows, self.unit = (1 << m) - 1, m + 1
        self.labels, self.codes = as_classes(y, m)
        self.classes = [_mask(self.codes == k) for k in range(len(self.labels))]
        places = np.unique(columns, axis=1, return_inverse=True)[1].ravel()
        together = np.zeros((int(places.max()) + 1, len(self.labels)), dtype=np.intp)
        np.add.at(together, (places, self.codes), 1)
        self.floor = m - int(together.max(axis=1).sum())
        chains, self.features = list[Bools](), list[int]()
        for i, column in enumerate(columns):
            if i in inputs.nominal:
                chains += _subsets(column, inputs.names.feature(i))
            else:
                chains.append(column <= np.unique(column)[:-1, None])
            self.features += [i] * (len(chains) - len(self.features))
        sides = np.concatenate(chains)
        if len(sides) > MOST_CUTS:
            msg = f"X must have at most {MOST_CUTS} cuts in all its columns, got {len(sides)}"
            raise ValueError(msg)
        self.sides = sides.astype(np.float32)
        self.chain = np.repeat(np.arange(len(chains)), [len(chain) for chain in chains])
        self.masks = [*map(_mask, sides)]
        ends = np.searchsorted(self.chain, np.arange(len(chains) + 1)).tolist()
        self.spans = [*pairwise(ends)]
        self.known: dict[tuple[int, int, int], _Best] = {}

    def leaf(self, rows: int) -> int:
        """The cost of a leaf."""
        wrong: int = rows.bit_count() - max((rows & one).bit_count() for one in self.classes)
        return self.unit * wrong + 1

    def cuts(self, rows: int) -> list[list[int]]:
        """The low sides of the cuts that part some rows, in chains of which each holds the next."""
        found = (dict.fromkeys(rows & low for low in self.masks[a:b]) for a, b in self.spans)
        return [[low for low in lows if low not in (0, rows)] for lows in found]

    def least(self, rows: int, leaves: int, depth: int, bound: int | None = None) -> _Best:
        """The best tree of this size and depth, if its cost is below a bound."""
        leaf = self.leaf(rows)
        depth = min(depth, leaves - 1)
        leaves = min(leaves, 1 << min(depth, self.m))
        if leaves == 1 or leaf == 1:
            return _Best(leaf)
        if bound is None:
            bound = leaf + 1
        known = self.known.get((rows, leaves, depth))
        if known is not None and (known.exact or known.cost >= bound):
            return known
        if depth <= 2:
            self.count(rows, depth)
            return self.known[rows, leaves, depth]
        half = 1 << (depth - 1)
        best = self.least(rows, min(leaves - 1, half), depth - 1, bound)
        if best.cost >= min(leaf, bound):
            best = _Best(min(leaf, bound))
        for lows in self.cuts(rows):
            for own in range(max(1, leaves - half), min(leaves - 1, half) + 1):
                sides = own, leaves - own
                floor = [self.floor_of(rows, side, depth - 1) for side in sides]
                span = _End(-1, 0, (1, floor[1])), _End(len(lows), rows, (floor[0], 1))
                best = self.between((rows, lows, sides, depth - 1), *span, best)
        best = best._replace(exact=best.cost < bound)
        self.known[rows, leaves, depth] = best
        return best

    def floor_of(self, rows: int, leaves: int, depth: int) -> int:
        """What is known already that such a tree costs at least."""
        known = self.known.get((rows, min(leaves, 1 << depth), min(depth, leaves - 1)))
        return self.leaf(rows) if leaves == 1 else known.cost if known else 1

    def between(
        self,
        place: tuple[int, list[int], tuple[int, int], int],
        start: _End,
        end: _End,
        best: _Best,
    ) -> _Best:
        """The best tree of the cuts between two if it costs less than ``best``, else ``best``.

        A set of rows costs at least what one of its subsets does, and what a larger set does if
        each row that is not in it were an error there.
        """
        rows, lows, leaves, depth = place
        middle = (start.cut + end.cut) // 2
        if middle == start.cut or start.costs[0] + end.costs[1] >= best.cost:
            return best
        low = lows[middle]
        lost = (low & ~start.low).bit_count(), (end.low & ~low).bit_count()
        costs = [
            max(start.costs[0], end.costs[0] - self.unit * lost[1]),
            max(end.costs[1], start.costs[1] - self.unit * lost[0]),
        ]
        sides = low, rows & ~low
        for side in (0, 1) if leaves[0] <= leaves[1] else (1, 0):
            if sum(costs) < best.cost:
                rest = best.cost - costs[1 - side]
                costs[side] = max(
                    costs[side], self.least(sides[side], leaves[side], depth, rest).cost
                )
        if sum(costs) < best.cost:
            best = _Best(sum(costs), low=low, leaves=leaves)
        here = _End(middle, low, (costs[0], costs[1]))
        best = self.between(place, start, here, best)
        return self.between(place, here, end, best)

    def count(self, rows: int, depth: int) -> None:
        """Find the best tree of two leaves, or those of three and of depth 2."""
        inside = np.flatnonzero(_unpack(rows, self.m))
        codes, sides = self.codes[inside], self.sides[:, inside]
        size = sides.sum(axis=1)
        first = (np.diff(size, prepend=0) != 0) | (np.diff(self.chain, prepend=-1) != 0)
        some = np.flatnonzero(first & (size > 0) & (size < inside.size))
        of_class = [sides[some][:, codes == k] for k in range(len(self.labels))]
        low = [own.sum(axis=1) for own in of_class]
        high = [own.shape[1] - n for own, n in zip(of_class, low, strict=True)]
        one = [self._cost(sum(side) - reduce(np.maximum, side), 1) for side in (low, high)]
        if depth == 1:
            self._note(rows, some, 2, 1, {(1, 1): one[0] + one[1]})
            return
        # Of two cuts: the most of one class that both send low, that only the first does, neither.
        both = [own @ own.T for own in of_class]
        only = [n[:, None] - counts for n, counts in zip(low, both, strict=True)]
        neither = [n[:, None] - counts.T for n, counts in zip(high, only, strict=True)]
        most = [reduce(np.maximum, counts) for counts in (both, only, neither)]
        two = []
        for k, right in enumerate((most[0] + most[1], most[1].T + most[2])):
            wrong = sum((low, high)[k]) - right.max(axis=1, initial=0)
            two.append(np.minimum(one[k], self._cost(wrong, 2)))
        self._note(rows, some, 3, 2, {(1, 2): one[0] + two[1], (2, 1): two[0] + one[1]})
        self._note(rows, some, 4, 2, {(2, 2): two[0] + two[1]})

    def _note(self, rows: int, some: Any, leaves: int, depth: int, costs: dict[Any, Any]) -> None:
        """Remember the best of trees whose costs are known at some of the cuts."""
        best = _Best(self.leaf(rows))
        for way, of_cut in costs.items():
            if some.size and of_cut.min() < best.cost:
                mask = rows & self.masks[some[of_cut.argmin()]]
                best = _Best(int(of_cut.min()), low=mask, leaves=way)
        self.known[rows, leaves, depth] = best

    def _cost(self, errors: Any, leaves: int) -> npt.NDArray[np.int64]:
        cost: npt.NDArray[np.int64] = self.unit * errors.astype(np.int64) + leaves
        return cost

    def tree(self, inputs: Inputs, leaves: int, depth: int) -> Tree:
        """The best tree of this size and depth."""
        variable, value, threshold, sums = [], [], [], []
        subsets: dict[int, list[int]] = {}
        waiting = [(self.rows, leaves, depth)]
        while waiting:
            rows, leaves, depth = waiting.pop()
            best = self.least(rows, leaves, depth)
            counts = [(rows & one).bit_count() for one in self.classes]
            sums.append(counts)
            value.append(counts.index(max(counts)))
            variable.append(-1)
            threshold.append(0.5)
            if not best.low:
                continue
            low, high = best.low, rows & ~best.low
            waiting += [(high, best.leaves[1], depth - 1), (low, best.leaves[0], depth - 1)]
            cut = next(j for j, mask in enumerate(self.masks) if mask & rows == low)
            variable[-1] = feature = self.features[self.chain[cut]]
            below, above = (inputs.columns[feature, _unpack(side, self.m)] for side in (low, high))
            if feature in inputs.nominal:
                subsets[len(variable) - 1] = np.unique(below).astype(int).tolist()
            else:
                threshold[-1] = float(midpoints(below.max(), above.min()))
        names = replace(inputs.names, labels=tuple(self.labels.tolist()))
        table = np.array(sums)
        wrong = (table.sum(axis=1) - table.max(axis=1)) / self.m
        of_nodes = NodeSums(table, wrong, self.labels, None, len(inputs.columns))
        return Tree(variable, self.labels[value], threshold, names, None, subsets, sums=of_nodes)


def _mask(rows: Any) -> int:
    """A set of rows as an integer, bit i for row i."""
    return int.from_bytes(np.packbits(rows, bitorder="little").tobytes(), "little")


def _unpack(rows: int, m: int) -> Bools:
    """A set of rows as an array of truth values."""
    packed = np.frombuffer(rows.to_bytes((m + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=m, bitorder="little").astype(np.bool_)


def _subsets(column: Any, name: str) -> list[Bools]:
    """The rows of each set of categories that has not the last of them, alone in its chain."""
    kinds = np.unique(column)
    if len(kinds) > MOST_KINDS:
        msg = f"X must have at most {MOST_KINDS} categories in a column, got {len(kinds)} in {name}"
        raise ValueError(msg)
    sets = (np.arange(1, 1 << (len(kinds) - 1))[:, None] >> np.arange(len(kinds))) & 1
    return [np.isin(column, kinds[one == 1])[None] for one in sets]
