"""FIND recorded call by call: a table of numbers, one row for each call, nothing remembered.

From it the recursion can be counted, drawn and stepped through.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import FrozenArrays, Ints
from dtviz.core.checks import as_integer
from dtviz.core.tree.tree import Tree
from dtviz.rank.sample import Sample
from dtviz.rank.search import STEPS, Answer, Request, first_request, run_find


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


@dataclass(frozen=True, eq=False)
class FindRun(FrozenArrays):
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

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls as records, whose fields are those of the run, one call each."""
        columns = {column.name: getattr(self, column.name).tolist() for column in fields(self)[1:]}
        columns["step"] = [STEPS[step] for step in columns["step"]]
        return tuple(map(Call, range(self.n_calls), *columns.values()))

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
        if not self.found[0]:
            return None
        variable: list[int] = []
        value: list[int] = []
        stack = [0]
        while stack:
            k = stack.pop()
            variable.append(int(self.split[k]))
            value.append(int(self.split[k] < 0 and self.ones[k] > 0))
            if self.split[k] >= 0:
                made = self.children(k)[-3:]
                kept = {int(self.branch[c]): c for c in made if self.variable[c] == self.split[k]}
                stack += (kept[1], kept[0])
        return Tree(variable, value, names=self.sample.names)

    def children(self, k: int) -> list[int]:
        """The calls that call k made itself, in order."""
        k = as_integer("k", k, 0, self.n_calls - 1)
        made = []
        child = k + 1
        while child < self.end[k]:
            made.append(child)
            child = int(self.end[child])
        return made

    def path(self, k: int) -> tuple[tuple[int, int], ...]:
        """The tests that lead to the sub-sample of call k, as ``(variable, branch)`` pairs."""
        k = as_integer("k", k, 0, self.n_calls - 1)
        tests = []
        while k > 0:
            tests.append((int(self.variable[k]), int(self.branch[k])))
            k = int(self.parent[k])
        return tuple(reversed(tests))

    def __repr__(self) -> str:
        outcome = "tree" if self.found[0] else "none"
        return (
            f"<FindRun: rank {self.rank[0]}, {self.n_examples[0]} examples, {self.n_calls} calls, "
            f"{self.n_again} second tries, {outcome}>"
        )


def record(sample: Sample, r: int, max_calls: int) -> FindRun:
    """Run FIND(S, r) on the sample and record it, a row for each of at most ``max_calls`` calls."""
    names = [column.name for column in fields(FindRun)[1:]]
    width = len(names)
    log = array("q")
    running: list[int] = []

    def add_call(request: Request) -> None:
        k = len(log) // width
        if k == max_calls:
            msg = (
                f"max_calls must be larger to record this run, got {max_calls}: FIND with rank "
                f"bound {r} on {sample.m} examples of {sample.n} variables makes more calls"
            )
            raise ValueError(msg)
        S, bound, _, variable, branch, again = request
        ones = (S & sample.positives).bit_count()
        parent = running[-1] if running else -1
        log.extend((parent, len(running), bound, S.bit_count(), ones, variable, branch, again))
        log.extend((0, 0, 0, 0))
        running.append(k)

    def add_answer(_: Request, answer: Answer) -> None:
        k, end = running.pop(), len(log) // width
        outcome = (answer.found, STEPS.index(answer.step), answer.split, end)
        log[width * k + 8 : width * (k + 1)] = array("q", outcome)

    first = first_request(sample, sample.everything, r)
    add_call(first)
    run_find(first, sample.positives, add_call, add_answer)
    table = np.array(log, dtype=np.intp).reshape(-1, width).T.copy()
    columns: dict[str, Any] = dict(zip(names, table, strict=True))
    for flag in ("again", "found"):
        columns[flag] = columns[flag].astype(bool)
    return FindRun(sample, **columns)
