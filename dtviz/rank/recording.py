"""FIND as the source states it, recorded call by call.

The procedure is a generator that yields the calls it makes, so that it reads like its pseudo-code
while `record` keeps the stack and the log. A run is a table of numbers, one row for each call, from
which the recursion can be counted, drawn and stepped through.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer
from dtviz.core.tree import Tree
from dtviz.rank.sample import Sample

__all__ = ["STEPS", "Call", "FindRun", "record"]

STEPS = ("1", "2", "3.2", "3.3", "4")
"""The steps of FIND that return: pure, bound 0, both halves, one half and a second try, none."""

Ints = npt.NDArray[np.intp]


class _Ask(NamedTuple):
    """A call that FIND makes: on which half, with which bound, and why."""

    sample: int
    rank: int
    variable: int = -1
    branch: int = -1
    again: bool = False


class _Answer(NamedTuple):
    """How a call returns: whether with a tree, at which of `STEPS`, split on which variable."""

    found: bool
    step: str
    split: int = -1


def _procedure(S: int, r: int, sample: Sample) -> Generator[_Ask, bool, _Answer]:
    """FIND(S, r), step by step as in the source: yields each call, is sent whether it succeeded."""
    if S & sample.positives in (0, S):
        return _Answer(found=True, step="1")
    if r == 0:
        return _Answer(found=False, step="2")
    for v, column in enumerate(sample.columns):
        high = S & column
        low = S ^ high
        if not low or not high:
            continue
        low_found = yield _Ask(low, r - 1, v, 0)
        high_found = yield _Ask(high, r - 1, v, 1)
        if low_found and high_found:
            return _Answer(found=True, step="3.2", split=v)
        if low_found:
            return _Answer((yield _Ask(high, r, v, 1, again=True)), "3.3", v)
        if high_found:
            return _Answer((yield _Ask(low, r, v, 0, again=True)), "3.3", v)
    return _Answer(found=False, step="4")


@dataclass(frozen=True)
class Call:
    """One call FIND(S', r') of a recorded run; see `FindRun` for the fields."""

    index: int
    parent: int
    depth: int
    rank: int
    n_examples: int
    ones: int
    variable: int
    branch: int
    again: bool
    found: bool
    step: str
    split: int
    end: int


class _Calls(Sequence[Call]):
    """The calls of a run as `Call` records, made on demand."""

    def __init__(self, run: FindRun) -> None:
        self._run = run

    def __len__(self) -> int:
        return self._run.n_calls

    @overload
    def __getitem__(self, k: int) -> Call: ...
    @overload
    def __getitem__(self, k: slice) -> list[Call]: ...
    def __getitem__(self, k: int | slice) -> Call | list[Call]:
        if isinstance(k, slice):
            return [self[j] for j in range(*k.indices(len(self)))]
        if not -len(self) <= k < len(self):
            msg = f"call must be within the {len(self)} calls of the run, got {k}"
            raise IndexError(msg)
        run, k = self._run, k % len(self)
        return Call(
            k,
            int(run.parent[k]),
            int(run.depth[k]),
            int(run.rank[k]),
            int(run.n_examples[k]),
            int(run.ones[k]),
            int(run.variable[k]),
            int(run.branch[k]),
            bool(run.again[k]),
            bool(run.found[k]),
            STEPS[run.step[k]],
            int(run.split[k]),
            int(run.end[k]),
        )


@dataclass(frozen=True, eq=False)
class FindRun:
    """Every call of one run of FIND, in the order they were made; call 0 is FIND(S, r) itself.

    Attributes
    ----------
    sample : Sample
        The m distinct examples of S, on n variables.
    parent, depth : (K,) int arrays
        The call that made each call (-1 for call 0), and how deep it is nested.
    rank, n_examples, ones : (K,) int arrays
        Its rank bound, and the number of examples and of positive examples in its sub-sample.
    variable, branch : (K,) int arrays
        The variable its parent was trying and the half it was given, -1 for call 0.
    again : (K,) bool array
        Whether it is a second try with the full bound (step 3.3).
    found : (K,) bool array
        Whether it returned a tree.
    step : (K,) int array
        Where it returned: 0 to 4 for the steps 1, 2, 3.2, 3.3 and 4 (claim EH-FIND).
    split : (K,) int array
        The variable that settled it in step 3.2 or 3.3, which is the root if a tree was found;
        -1 otherwise.
    end : (K,) int array
        One more than the last call it led to: calls ``k .. end[k] - 1`` are call k and its nested
        calls.

    Examples
    --------
    >>> import dtviz as dt
    >>> run = dt.rank.find_run(dt.cube_points(2), [0, 1, 1, 0], rank=1)
    >>> run.n_calls, run.found.tolist()
    (5, [False, False, False, False, False])
    >>> run.path(2)
    ((0, 1),)
    >>> run.tree() is None
    True
    """

    sample: Sample
    parent: Ints
    depth: Ints
    rank: Ints
    n_examples: Ints
    ones: Ints
    variable: Ints
    branch: Ints
    again: npt.NDArray[np.bool_]
    found: npt.NDArray[np.bool_]
    step: Ints
    split: Ints
    end: Ints

    def __post_init__(self) -> None:
        for column in fields(self)[1:]:
            getattr(self, column.name).flags.writeable = False

    @property
    def calls(self) -> Sequence[Call]:
        """The calls as a sequence of records, whose fields are those of the run, one call each."""
        return _Calls(self)

    @property
    def n_calls(self) -> int:
        """K, the number of calls, the first included."""
        return int(self.parent.size)

    @property
    def n_again(self) -> int:
        """The number of calls that were second tries (step 3.3)."""
        return int(self.again.sum())

    @property
    def touched(self) -> int:
        """The entries read: a call reads its labels, and its n columns if it gets to step 3.

        At most ``dt.rank.recurrence(n, r, m, m * (n + 1))`` (claim EH-L3-REC).
        """
        width = np.where(self.step >= STEPS.index("3.2"), 1 + self.sample.n, 1)
        return int((self.n_examples * width).sum())

    def tree(self) -> Tree | None:
        """What FIND(S, r) returned."""
        return self.answer(0)

    def children(self, k: int) -> list[int]:
        """The calls that call k made itself, in order.

        Raises
        ------
        ValueError
            If ``k`` is no call of the run.
        """
        k = as_integer("k", k, 0, self.n_calls - 1)
        made = []
        child = k + 1
        while child < self.end[k]:
            made.append(child)
            child = int(self.end[child])
        return made

    def path(self, k: int) -> tuple[tuple[int, int], ...]:
        """The tests that lead to the sub-sample of call k, as ``(variable, branch)`` pairs.

        Raises
        ------
        ValueError
            If ``k`` is no call of the run.
        """
        k = as_integer("k", k, 0, self.n_calls - 1)
        tests = []
        while k > 0:
            tests.append((int(self.variable[k]), int(self.branch[k])))
            k = int(self.parent[k])
        return tuple(reversed(tests))

    def answer(self, k: int) -> Tree | None:
        """What call k returned.

        Raises
        ------
        ValueError
            If ``k`` is no call of the run.
        """
        k = as_integer("k", k, 0, self.n_calls - 1)
        if not self.found[k]:
            return None
        variable: list[int] = []
        value: list[int] = []
        stack = [k]
        while stack:
            k = stack.pop()
            variable.append(int(self.split[k]))
            value.append(int(self.split[k] < 0 and self.ones[k] > 0))
            if self.split[k] >= 0:
                made = self.children(k)[-3:]
                kept = {int(self.branch[c]): c for c in made if self.variable[c] == self.split[k]}
                stack += (kept[1], kept[0])
        return Tree(variable, value, names=self.sample.names)

    def events(self) -> list[int]:
        """The run as 2K steps: ``k`` when call k is made, ``~k`` (that is, -k-1) when it returns.

        Between the two lie the steps of the calls that call k led to.
        """
        ends = self.end.tolist()
        steps: list[int] = []
        running: list[int] = []
        for k in range(self.n_calls):
            while running and ends[running[-1]] <= k:
                steps.append(~running.pop())
            steps.append(k)
            running.append(k)
        return [*steps, *(~k for k in reversed(running))]

    def __repr__(self) -> str:
        outcome = "tree" if self.found[0] else "none"
        return (
            f"<FindRun: rank {self.rank[0]}, {self.n_examples[0]} examples, {self.n_calls} calls, "
            f"{self.n_again} second tries, {outcome}>"
        )


def record(sample: Sample, r: int, max_calls: int) -> FindRun:
    """Run FIND(S, r) on the whole sample and record it: a row of numbers for each call.

    Driving `_procedure` with a stack of its own, it needs no recursion. Raises ValueError if the
    run makes more than ``max_calls`` calls.
    """
    names = [column.name for column in fields(FindRun)[1:]]
    width = len(names)
    log = array("q")
    running: list[tuple[int, Generator[_Ask, bool, _Answer]]] = []
    ask: _Ask | None = _Ask(sample.everything, r)
    while ask is not None:
        k = len(log) // width
        if k == max_calls:
            msg = (
                f"max_calls must be larger to record this run, got {max_calls}: FIND with rank "
                f"bound {r} on {sample.m} examples of {sample.n} variables makes more calls"
            )
            raise ValueError(msg)
        ones = (ask.sample & sample.positives).bit_count()
        parent = running[-1][0] if running else -1
        about = (ask.rank, ask.sample.bit_count(), ones, ask.variable, ask.branch, ask.again)
        log.extend((parent, len(running), *about, 0, 0, 0, 0))
        running.append((k, _procedure(ask.sample, ask.rank, sample)))
        ask, found = None, None
        while running and ask is None:
            k, procedure = running[-1]
            try:
                ask = next(procedure) if found is None else procedure.send(found)
            except StopIteration as stop:
                found, step, split = stop.value
                end = len(log) // width
                outcome = (found, STEPS.index(step), split, end)
                log[width * k + 8 : width * (k + 1)] = array("q", outcome)
                running.pop()
    table = np.array(log, dtype=np.intp).reshape(-1, width).T.copy()
    columns: dict[str, Any] = dict(zip(names, table, strict=True))
    for flag in ("again", "found"):
        columns[flag] = columns[flag].astype(bool)
    return FindRun(sample, **columns)
