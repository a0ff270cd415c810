"""One question marked once more for all, after its test was mended: who has other points, and why.

Of every other question the recorded outcome stays, so that a machine which is slower today, or an
engine that has changed, moves no point there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.utils import determine_grade  # type: ignore[import-untyped]

from homework import feedback, marking, table
from homework.assignments import Assignment, Question
from homework.ledger import Entry
from homework.marking import Record, Submission
from homework.run import Executed

COLUMNS = ("time", "assignment", "student", "question", "before", "after", "why")


@dataclass(frozen=True)
class Change:
    """A student of whose question a test has another outcome, and the question's points.

    The points are the same where a person's word goes before the machine's: ``why`` says so.
    """

    student: str
    question: str
    before: float
    after: float
    why: str


@dataclass
class Regraded:
    """The new marks, who has changed, who could not be marked and why, and who was not before."""

    marked: list[tuple[Submission, Record]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def todo(
    course: Path, assignment: Assignment, numbers: list[str]
) -> tuple[list[tuple[Submission, Record]], list[str]]:
    """Find what is marked, and who has nothing marked, as `homework.marking.current` does.

    Refused is what is no question, has no test, or is not marked yet; and all of it if another
    question has other tests or points than when it was marked.
    """
    what = f"regrade {assignment.name} {' '.join(numbers)}"
    tested = [question.number for question in assignment.questions if question.tests]
    if {*numbers} - {*tested}:
        raise ValueError(f"{what}: must be questions that have tests: {', '.join(tested)}.")
    found, left = marking.current(course, assignment.name)
    if not found:
        raise ValueError(f"{what}: nothing of it is marked. Grade it first.")
    changed = set()
    for submitted, record in found:
        # With the parameters of each student.
        own = marking.assignment(assignment.name, course, submitted.student).grading.cells
        was = _graded(marking.cells(record).values(), assignment, numbers)
        changed |= {name for name, *_ in was ^ _graded(own, assignment, numbers)}
    if changed:
        raise ValueError(
            f"{what}: of other questions too the source has other tests or points than those that "
            f"were marked: {', '.join(sorted(changed))}. Name these questions as well, or put the "
            "tests back."
        )
    return found, left


def _graded(
    cells: Iterable[Any], assignment: Assignment, numbers: list[str]
) -> set[tuple[str, float, str]]:
    """The graded cells of the other questions: points, and of a test its text."""
    return {
        (cell["id"], told["points"], "" if told["solution"] else "".join(cell["source"]))
        for cell in cells
        if (told := cell["metadata"].get("nbgrader", {})).get("grade")
        and not _is_of(assignment, numbers, cell["id"])
    }


def _is_of(assignment: Assignment, numbers: list[str], cell: str) -> bool:
    question = assignment.question_of(cell)
    return question is not None and question.number in numbers


def regrade(
    given: list[tuple[Submission, Record]],
    assignment: Assignment,
    numbers: list[str],
    entries: Mapping[tuple[str, str], Entry],
    records: Mapping[tuple[str, str], Record],
) -> Regraded:
    """Take of new marks those of some questions; nothing is written.

    Parameters are what `todo` gave, for what it gave it, what the gradebook says, and what
    `homework.shards.mark_all` made of it.
    """
    done = Regraded()
    for submitted, old in given:
        student = submitted.student
        record = records[student, submitted.name]
        if record["status"] != "marked":
            done.failed.append(f"{student}: {record['reason']}")
            continue
        new = marking.merged(old, record, lambda cell: _is_of(assignment, numbers, cell))
        done.marked.append((submitted, new))
        entry = entries.get((student, assignment.name))
        for question in assignment.questions:
            if question.number in numbers:
                done.changes += _change(student, question, (old, new), entry)
    return done


def _change(
    student: str, question: Question, records: tuple[Record, Record], entry: Entry | None
) -> Iterator[Change]:
    """Compare the outcomes of a question's tests, before and now."""
    runs = [
        {cell.id: cell for cell in Executed.from_dict(record["executed"] or {}).notebook.cells}
        for record in records
    ]
    points, why = [0.0, 0.0], []
    for test in question.tests:
        line = entry.lines.get(test) if entry is not None else None
        auto = [determine_grade(run[test])[0] if test in run else 0.0 for run in runs]
        by_hand = line.manual if line is not None else None
        for which in (0, 1):
            points[which] += (auto[which] if by_hand is None else by_hand) + (
                line.extra if line is not None else 0.0
            )
        if auto[0] != auto[1]:
            was, now = (_outcome(run.get(test)) for run in runs)
            stays = "" if by_hand is None else f" (a person gave {by_hand:g}, which stays: look)"
            why.append(f"{test}: {now}; before: {was}{stays}")
    if why:
        yield Change(student, question.number, points[0], points[1], " | ".join(why))


def _outcome(cell: Any) -> str:
    message = feedback.failure(cell) if cell is not None else "was not there"
    return message or "passed"


def told(done: Regraded, numbers: list[str]) -> Iterator[str]:
    """Yield lines to be read: a table of who has changed, how many, and who could not be marked."""
    if done.changes:
        yield f"{'student':<20} question  before  after  why"
    for each in done.changes:
        start = f"{each.student:<20} {each.question:<8}  {each.before:>6g}  {each.after:>5g}"
        yield f"{start}  {each.why}"
    others = len({each.student for each in done.changes if each.before != each.after})
    yield (
        f"{others} of {len(done.marked)} have other points in question {', '.join(numbers)}. "
        "Of no other question do points change."
    )
    for why in done.failed:
        yield f"  could not be marked once more, and stays as it is: {why}"
    if done.left:
        yield f"  left out, for `grade` has not marked what is handed in: {', '.join(done.left)}"


def save(course: Path, name: str, done: Regraded) -> None:
    """Keep the records, after the changes have been added to ``regrades.csv``."""
    path, now = course / "regrades.csv", datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    before = path.read_text("utf-8") if path.is_file() else table.csv_text([COLUMNS])
    lines = [(now, name, *astuple(change)) for change in done.changes]
    marking.write_whole(path, before + table.csv_text(lines))
    for submitted, record in done.marked:
        # Where the source is as it was, the new record has the name of the old one.
        marking.forget(course, submitted.student, name, record=False)
        marking.save_record(course, submitted.student, name, record)
