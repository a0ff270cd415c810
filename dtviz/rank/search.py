"""FIND as the source states it, one generator, and the search that answers its calls from memory.

`find_calls` yields the calls it makes, so that it reads like its pseudo-code, and `run_find` keeps
the stack. `dtviz.rank.recording` writes every call down. `Search` makes no call whose answer it
knows: whether a tree *exists* already settles which tree FIND returns, so it remembers no trees,
and `Search.tree` follows FIND once more from the root down. A sub-sample is an integer, a set of
examples (see `dtviz.rank.sample`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Generator, Mapping
from itertools import count
from typing import NamedTuple

from dtviz.core.checks import as_integer
from dtviz.core.tree.tree import Tree
from dtviz.rank.sample import Sample

MEMO_BYTES = 1 << 26
"""The memory that a search may spend on remembering the ranks of sub-samples: 64 MiB."""

STEPS = ("1", "2", "3.2", "3.3", "4")
"""The steps of FIND that return: pure, bound 0, both halves, one half and a second try, none."""


Request = tuple[int, int, Mapping[int, int], int, int, bool]
"""A call that FIND makes: a plain tuple, for there may be millions.

The sub-sample and the bound; the sets ``x_v = 1`` of the variables v that the caller found
informative; the variable tried, the half of it, and whether this is a second try.
"""


class Answer(NamedTuple):
    """How a call returns: whether with a tree, at which of `STEPS`, split on which variable."""

    found: bool
    step: str
    split: int = -1


def first_request(sample: Sample, S: int, r: int) -> Request:
    """The outermost call FIND(S, r): all variables may split the sub-sample S."""
    return S, r, dict(enumerate(sample.columns)), -1, -1, False


def find_calls(request: Request, positives: int) -> Generator[Request, bool, Answer]:
    """FIND(S, r), step by step as in the source: yields each call, is sent whether it succeeded."""
    S, r, columns, _, _, _ = request
    if S & positives in (0, S):
        return Answer(found=True, step="1")
    if r == 0:
        return Answer(found=False, step="2")
    informative = {v: half for v, ones in columns.items() if (half := S & ones) not in (0, S)}
    for v, high in informative.items():
        low = S ^ high
        low_found = yield low, r - 1, informative, v, 0, False
        high_found = yield high, r - 1, informative, v, 1, False
        if low_found and high_found:
            return Answer(found=True, step="3.2", split=v)
        if low_found:
            return Answer((yield high, r, informative, v, 1, True), "3.3", v)
        if high_found:
            return Answer((yield low, r, informative, v, 0, True), "3.3", v)
    return Answer(found=False, step="4")


def run_find(
    request: Request,
    positives: int,
    known: Callable[[Request], bool | None],
    returned: Callable[[Request, Answer], None],
) -> bool:
    """Make a call of FIND and those it leads to, without recursion; whether it finds a tree.

    ``known`` gets each call that FIND makes, and may answer it; ``returned`` gets the answer of
    each other call.
    """
    running = [(request, find_calls(request, positives))]
    found: bool | None = None
    while running:
        request, calls = running[-1]
        try:
            request = calls.send(found)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as stop:
            found = stop.value.found
            returned(request, stop.value)
            running.pop()
            continue
        found = known(request)
        if found is None:
            running.append((request, find_calls(request, positives)))
    return bool(found)


class Search:
    """Decides whether sub-samples of one sample fit a rank bound, remembering the answers.

    ``above[S]`` is the largest bound known to be too small for S, ``within[S]`` the smallest known
    to be enough. With ``memo_bytes = 0`` nothing is remembered; the answers are the same.
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
        return next(r for r in count() if self.fits(self.sample.everything, r))

    def fits(self, S: int, r: int) -> bool:
        """Whether some tree of rank at most r is consistent with the sub-sample S."""
        return self._decide(first_request(self.sample, S, r))

    def _decide(self, request: Request) -> bool:
        found = self._recall(request)
        if found is None:
            found = run_find(request, self.positives, self._recall, self._remember)
        return found

    def _recall(self, request: Request) -> bool | None:
        """The answer if it is known, if few examples of one label are left, or if r is 1.

        A tree that tests only mixed sub-samples has, if its rank is q > 0, at least 2^(q-1) tests
        with two leaves below, one of either label. So fewer than 2^r examples of one label fit r;
        for r = 0 this says that S is pure.
        """
        S, r, columns, _, _, _ = request
        if self.above.get(S, -1) >= r:
            return False
        ones = (S & self.positives).bit_count()
        if not ones >> r or not (S.bit_count() - ones) >> r:
            return True
        if r == 0:
            return False
        if self.within.get(S, r + 1) <= r:
            return True
        if r > 1:
            return None
        found = _is_decision_list(S, self.positives, columns.values())
        self._remember(request, Answer(found, "3.3" if found else "4"))
        return found

    def _remember(self, request: Request, answer: Answer) -> None:
        S, r, *_ = request
        # Small bounds, the most numerous and the cheapest to decide again, leave room for others.
        if self.capacity - (self.capacity >> r) > len(self.above) + len(self.within):
            memo = self.within if answer.found else self.above
            memo[S] = r

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
        calls = find_calls(first_request(self.sample, S, r), self.positives)
        halves: dict[int, tuple[int, int]] = {}
        request = next(calls)
        while True:
            half, bound, _, _, branch, again = request
            found = again or self._decide(request)  # S fits r: so does a second try
            if found:
                halves[branch] = (half, bound)
            try:
                request = calls.send(found)
            except StopIteration as stop:
                return stop.value.split, halves[0], halves[1]


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
