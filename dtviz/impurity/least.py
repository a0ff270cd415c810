"""The least errors that trees of so many leaves can have: what greed is held against."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dtviz.core.checks import as_integer
from dtviz.core.data.examples import Inputs
from dtviz.core.data.labels import as_classes

__all__ = ["least_errors"]

MOST_KINDS = 8
"""There are ``2^(k-1) - 1`` ways to divide k categories."""

Known = dict[tuple[int, int], tuple[int, bool]]
"""By rows and leaves: the least errors, or if not exact a number that they are not below."""


def least_errors(X: Any, y: Any, max_leaves: int) -> tuple[float, ...]:
    """Return the least share of rows that trees of at most 1, 2, ... leaves get wrong.

    Exact, by dynamic programming over the sets of rows that thresholds cut out. Rows that a side of
    a cut wins can only add errors to it, so whole intervals of cuts are ruled out at once. Still
    the work grows quickly with the leaves: to find the smallest tree is NP-hard (claim CU-NPH). For
    some hundred rows of two features 4 to 6 leaves take seconds.

    Parameters
    ----------
    X : (m, d) array-like or data frame
        The rows, as for `grow`. A column of text is divided in all ways, so it has at most
        8 categories; where their order means something, by thresholds.
    y : (m,) array-like
        Their labels.
    max_leaves : int >= 1
        The most leaves.

    Returns
    -------
    tuple of float
        Entry k belongs to trees of at most k + 1 leaves. It ends with ``max_leaves``, or before,
        where no tree has less errors, however many its leaves.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[x, z] for x in range(4) for z in range(4)]
    >>> checkerboard = [(x < 2) != (z < 2) for x, z in X]
    >>> dt.impurity.least_errors(X, checkerboard, 9)
    (0.5, 0.5, 0.25, 0.0)
    >>> dt.grow(X, checkerboard).errors.tolist()
    [0.5, 0.5, 0.375, 0.25, 0.125, 0.0]
    """
    inputs = Inputs(X)
    columns, m = inputs.columns, inputs.columns.shape[1]
    most = as_integer("max_leaves", max_leaves, 1)
    kinds, codes = as_classes(y, m)
    places = np.unique(columns, axis=1, return_inverse=True)[1].ravel()
    together = np.zeros((int(places.max()) + 1, len(kinds)), dtype=int)
    np.add.at(together, (places, codes), 1)
    floor = m - int(together.max(axis=1).sum())
    cuts: list[list[int]] = []
    for i, column in enumerate(columns):
        if i in inputs.nominal:
            cuts += _subsets(column, inputs.names.feature(i))
        else:
            cuts.append(_cuts(column))
    search = _Search([_mask(codes == k) for k in range(len(kinds))], cuts)
    errors: list[int] = []
    while len(errors) < most and errors[-1:] != [floor]:
        errors.append(search.least((1 << m) - 1, len(errors) + 1, m + 1))
    return tuple(wrong / m for wrong in errors)


def _mask(rows: Any) -> int:
    """A set of rows as an integer, bit i for row i."""
    return int.from_bytes(np.packbits(rows, bitorder="little").tobytes(), "little")


def _cuts(column: Any) -> list[int]:
    """The rows up to each value of a column but the largest."""
    return [_mask(column <= value) for value in np.unique(column)[:-1]]


def _subsets(column: Any, name: str) -> list[list[int]]:
    """The rows of each set of categories that has not the last of them, a list for each set."""
    rows = [_mask(column == value) for value in np.unique(column)]
    if len(rows) > MOST_KINDS:
        msg = f"X must have at most {MOST_KINDS} categories in a column, got {len(rows)} in {name}"
        raise ValueError(msg)
    sets = [0]
    for one in rows[:-1]:
        sets += [one | other for other in sets]
    return [[one] for one in sets[1:]]


class _Search:
    """The errors of sets of rows, which are remembered."""

    def __init__(self, classes: list[int], cuts: list[list[int]]) -> None:
        self.classes, self.all_cuts = classes, cuts
        self.known: Known = {}

    def leaf(self, rows: int) -> int:
        """The errors of a leaf."""
        return rows.bit_count() - max((rows & one).bit_count() for one in self.classes)

    def cuts(self, rows: int) -> list[list[int]]:
        """The low sides of the cuts that part some rows, for each feature."""
        found = (dict.fromkeys(rows & low for low in cuts) for cuts in self.all_cuts)
        return [[low for low in lows if low not in (0, rows)] for lows in found]

    def least(self, rows: int, leaves: int, bound: int) -> int:
        """The least errors with so many leaves if below a bound; else at least the bound."""
        single = self.leaf(rows)
        if leaves == 1 or single == 0:
            return single
        errors, exact = self.known.get((rows, leaves), (0, False))
        if exact or errors >= bound:
            return errors
        best = min(bound, self.least(rows, leaves - 1, bound))
        for lows in self.cuts(rows):
            for own in range(1, leaves):
                between = partial(self.between, rows, lows, (own, leaves - own))
                best = between((0, len(lows)), (0, 0), best)
        self.known[rows, leaves] = best, best < bound
        return best

    def between(  # noqa: PLR0913, PLR0917 -- it calls itself, often
        self,
        rows: int,
        lows: list[int],
        leaves: tuple[int, int],
        span: tuple[int, int],
        floor: tuple[int, int],
        best: int,
    ) -> int:
        """The least errors of a span of cuts if below ``best``, else ``best``.

        ``floor`` is what the low and the high side have at least at each of them.
        """
        start, stop = span
        if start >= stop or sum(floor) >= best:
            return best
        middle = (start + stop) // 2
        sides = lows[middle], rows & ~lows[middle]
        errors = list(floor)
        for side in (0, 1) if leaves[0] <= leaves[1] else (1, 0):
            if sum(errors) < best:
                own = self.least(sides[side], leaves[side], best - errors[1 - side])
                errors[side] = max(errors[side], own)
        best = min(best, sum(errors))
        again = partial(self.between, rows, lows, leaves)
        best = again((start, middle), (floor[0], errors[1]), best)
        return again((middle + 1, stop), (errors[0], floor[1]), best)
