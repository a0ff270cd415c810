"""Which samples fit which rank: the engine under FIND.

FIND asks for trees, yet whether a tree *exists* already settles which tree FIND returns. So the
search here only decides, in whatever order of variables is convenient, remembering the answers
within a fixed amount of memory; `Search.tree` then follows FIND's order from the root down and
looks the answers up. A sub-sample is an integer, a set of examples (see `samples`).
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from itertools import count

from dtviz.core.checks import as_integer
from dtviz.core.tree import Tree
from dtviz.rank.sample import Sample

__all__ = ["MEMO_BYTES", "Search"]

MEMO_BYTES = 1 << 26
"""The memory that a search may spend on remembering the ranks of sub-samples: 64 MiB."""


class Search:
    """Decides whether sub-samples of one sample fit a rank bound, remembering the answers.

    ``above[S]`` is the largest bound known to be too small for S, ``within[S]`` the smallest known
    to do. With ``memo_bytes = 0`` nothing is remembered; the answers are the same.
    """

    def __init__(self, sample: Sample, memo_bytes: int = MEMO_BYTES) -> None:
        self.sample = sample
        self.positives = sample.positives
        # A dictionary slot, its share of the growth of the table, and the key itself.
        entry = sys.getsizeof(sample.everything) + 110
        self.capacity = as_integer("memo_bytes", memo_bytes, 0) // entry
        self.above: dict[int, int] = {}
        self.within: dict[int, int] = {}

    def least_rank(self) -> int:
        """r(S) of the whole sample: the bounds 0, 1, 2, ... in turn, as FINDMIN tries them."""
        everything, columns = self.sample.everything, self.sample.columns
        return next(r for r in count() if self.fits(everything, r, columns))

    def fits(self, S: int, r: int, columns: Collection[int]) -> bool:
        """Whether some tree of rank at most r is consistent with the sub-sample S.

        ``columns`` are the sets that may split S: those of the variables not yet used.
        Only step 3.1 recurses, and it lowers r, which then is below the logarithm of the number of
        examples; step 3.3, which keeps r, is the loop.
        """
        verdict = self._settled(S, r)
        if verdict is not None:
            return verdict
        halves = [S]
        if r == 1:
            verdict = _is_decision_list(S, self.positives, columns)
        while verdict is None:
            columns = {column & S for column in columns} - {0, S}
            verdict, S = self._split(S, r, columns)
            if verdict is None:
                verdict = self._settled(S, r)
                halves += [S] if verdict is None else []
        # Small bounds, the most numerous and the cheapest to decide again, leave room for others.
        room = self.capacity - (self.capacity >> r) - len(self.above) - len(self.within)
        if room > 0:
            memo = self.within if verdict else self.above
            for half in halves[:room]:
                memo[half] = r
        return verdict

    def _settled(self, S: int, r: int) -> bool | None:
        """The answer if it is known, or if few examples of one label are left.

        A tree that tests only mixed sub-samples has, if its rank is q > 0, at least 2^(q-1) tests
        with two leaves below, one of either label. So fewer than 2^r examples of one label fit r;
        for r = 0 this says that S is pure.
        """
        if self.above.get(S, -1) >= r:
            return False
        ones = (S & self.positives).bit_count()
        if not ones >> r or not (S.bit_count() - ones) >> r:
            return True
        if r == 0:
            return False
        return True if self.within.get(S, r + 1) <= r else None

    def _split(self, S: int, r: int, columns: Collection[int]) -> tuple[bool | None, int]:
        """Step 3: the answer, or None and the half that is to be tried again with the bound r."""
        above = self.above.get
        for high in columns:
            low = S ^ high
            if above(low, 0) >= r - 1 and above(high, 0) >= r - 1:
                continue
            low_fits = self.fits(low, r - 1, columns)
            if self.fits(high, r - 1, columns) != low_fits:
                return None, high if low_fits else low
            if low_fits:
                return True, S
        return False, S

    def tree(self, r: int) -> Tree:
        """The tree FIND(S, r) returns on the whole sample, which must fit r."""
        variable: list[int] = []
        value: list[int] = []
        stack = [(self.sample.everything, r)]
        while stack:
            S, r = stack.pop()
            ones = S & self.positives
            if ones in (0, S):
                variable.append(-1)
                value.append(int(ones > 0))
                continue
            i, low, high = self.root(S, r)
            variable.append(i)
            value.append(0)
            stack += (high, low)
        return Tree(variable, value, names=self.sample.names)

    def root(self, S: int, r: int) -> tuple[int, tuple[int, int], tuple[int, int]]:
        """The variable FIND(S, r) tests first on a mixed S that fits r, and the calls below it."""
        columns = self.sample.columns
        for i, column in enumerate(columns):
            high = column & S
            low = S ^ high
            if not high or not low:
                continue
            low_fits = self.fits(low, r - 1, columns)
            high_fits = self.fits(high, r - 1, columns)
            if low_fits or high_fits:
                return i, (low, r - low_fits), (high, r - high_fits)
        raise AssertionError  # S fits r, so some half fits r - 1


def _is_decision_list(S: int, positives: int, columns: Collection[int]) -> bool:
    """Whether S has rank at most 1: cutting off pure halves, as long as there are any, empties it.

    The order does not matter, because what is pure in S is pure in every part of S.
    """
    ones = S & positives
    zeros = S ^ ones
    shrinking = True
    while shrinking:
        shrinking = False
        for column in columns:
            high1 = ones & column
            high0 = zeros & column
            if high1 and high0 and high1 != ones and high0 != zeros:
                continue
            if bool(high1) != bool(high0):
                ones ^= high1
                zeros ^= high0
            elif (high1 == ones) != (high0 == zeros):
                ones, zeros = high1, high0
            else:
                continue
            if not ones or not zeros:
                return True
            shrinking = True
    return False
