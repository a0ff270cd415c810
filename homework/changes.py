"""Marks that are other than they were, though nothing new was handed in: who, what, and why.

They come from a test that was mended, or from another machine or version. Nothing of them is
published until somebody has looked: ``grade --accept``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.utils import determine_grade  # type: ignore[import-untyped]

from homework import feedback, marking, table
from homework.assignments import Assignment, Question
from homework.ledger import Entry
from homework.marking import Record
from homework.run import Executed

COLUMNS = ("time", "assignment", "student", "question", "before", "after", "why")


@dataclass(frozen=True)
class Change:
    """The points of a question before and after; None where it is stopped.

    They are the same where a person's word goes before the machine's: ``why`` says so.
    """

    assignment: str
    student: str
    question: str
    before: float | None
    after: float | None
    why: str

    def __str__(self) -> str:
        before, after = ("open" if x is None else f"{x:g}" for x in (self.before, self.after))
        place = f"{self.student}, {self.assignment}, question {self.question}"
        return f"{place}: {before} -> {after}  {self.why}"


def merge(old: Record, new: Record, assignment: Assignment) -> Record:
    """Make one record of two markings of the same submission.

    Every question that was not touched in the source keeps the outcome that it had, whatever the
    second run gave; the key is the new one, so that nobody marks it again. What of ours the student
    had changed stays as it was found, for that was compared with the release of then.
    """
    if old["executed"] is None or new["executed"] is None or old["work"] == new["work"]:
        return new
    before, run = _cells(old), Executed.from_dict(new["executed"])
    was, now = _ours(before), _ours(_cells(new))
    touched = {name for name in was | now if was.get(name) != now.get(name)}
    questions = {assignment.question_of(name) for name in touched}
    if None in questions:  # a set-up, which any question may use
        return new

    def regraded(cell: str) -> bool:
        return assignment.question_of(cell) in questions

    for cell in run.notebook.cells:
        if cell.cell_type == "code" and cell.id in before and not regraded(cell.id):
            cell.outputs = before[cell.id].outputs
    results = Executed.from_dict(old["executed"]).results
    run.results |= {name: info for name, info in results.items() if not regraded(name)}
    one, other = marking.findings(old), marking.findings(new)
    found = [each for each in one if not regraded(each.cell) or each.kind == "restored"]
    found += [each for each in other if regraded(each.cell) and each.kind != "restored"]
    # A flag that was cleared stays cleared as long as nothing is new, the order included.
    found = [*one] if {*found} == {*one} else found
    return {**new, "findings": [asdict(each) for each in found], "executed": run.to_dict()}


def _cells(record: Record) -> dict[str, Any]:
    executed = Executed.from_dict(record["executed"] or {})
    return {cell.id: cell for cell in executed.notebook.cells}


def _ours(cells: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Our code cells, and the points of all cells."""
    found = {}
    for name, cell in cells.items():
        meta = cell["metadata"].get("nbgrader", {})
        code = cell["cell_type"] == "code" and not meta.get("solution", True)
        if code or meta.get("grade"):
            found[name] = (cell["source"] if code else "", meta.get("points"))
    return found


def changes(
    whose: tuple[str, str], old: Record, new: Record, assignment: Assignment, entry: Entry | None
) -> Iterator[Change]:
    """Compare two records of one submission, question by question."""
    if old["executed"] is None or new["executed"] is None:
        if old["status"] != new["status"]:
            why = f"{new['status']}: {new['reason']}; before: {old['status']}"
            yield Change(whose[1], whose[0], "all", None, None, why)
        return
    runs = [_cells(record) for record in (old, new)]
    stopped = [record.get("stopped", {}) for record in (old, new)]
    for question in assignment.questions:
        yield from _change(whose, question, runs, stopped, entry)


def _change(
    whose: tuple[str, str],
    question: Question,
    runs: list[dict[str, Any]],
    stopped: list[dict[str, str]],
    entry: Entry | None,
) -> Iterator[Change]:
    points, why = [0.0, 0.0], []
    for test in question.tests:
        line = entry.lines.get(test) if entry is not None else None
        by_hand = line.manual if line is not None else None
        auto = [determine_grade(run[test])[0] if test in run else 0.0 for run in runs]
        for which in (0, 1):
            points[which] += auto[which] if by_hand is None else by_hand
            points[which] += line.extra if line is not None else 0.0
        if auto[0] != auto[1]:
            was, now = (_outcome(run.get(test)) for run in runs)
            stays = "" if by_hand is None else f" (a person gave {by_hand:g}, which stays: look)"
            why.append(f"{test}: {now}; before: {was}{stays}")
    before, after = (
        None if any(test in tests for test in question.tests) else worth
        for worth, tests in zip(points, stopped, strict=True)
    )
    if before is not None and after is None:
        why = ["a test of ours is broken"]
    # Where there were no points before, none are others.
    if why and before is not None:
        yield Change(whose[1], whose[0], question.number, before, after, " | ".join(why))


def _outcome(cell: Any) -> str:
    message = feedback.failure(cell) if cell is not None else "was not there"
    return message or "passed"


def save(course: Path, done: list[Change]) -> None:
    """Add changes that were accepted to ``changes.csv``."""
    path, now = course / "changes.csv", datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    before = path.read_text("utf-8") if path.is_file() else table.csv_text([COLUMNS])
    marking.write_whole(path, before + table.csv_text([(now, *astuple(each)) for each in done]))
