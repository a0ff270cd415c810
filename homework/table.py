"""The tables: who has how many points, and for whom the question is still open.

There is a number only where there is a grade. Zero is a grade; what waits for a person, what failed
to run and what was never handed in differ by their status and have a blank score.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from homework import ledger, marking
from homework.assignments import Assignment, names
from homework.ledger import Entry
from homework.marking import Record, Submission, write_whole

GRADED = "graded"
WAITING = "needs manual grading"
FAILED = "failed to run"
UNREADABLE = "unreadable"
STOPPED = "stopped"
MISSING = "not submitted"
PENDING = "not graded yet"

POINTS = (GRADED, WAITING, STOPPED)
"""Those with points, of some questions at least."""

COLUMNS = (
    "student",
    "last_name",
    "first_name",
    "email",
    "assignment",
    "status",
    "score",
    "auto_score",
    "manual_points_open",
    "max_score",
    "late",
    "late_penalty",
    "flags",
    "reasons",
)


class Student(NamedTuple):
    """A student, as far as the gradebook knows."""

    id: str
    last_name: str = ""
    first_name: str = ""
    email: str = ""
    lms_user_id: str = ""

    @property
    def name(self) -> str:
        """The name as lists have it, or the id."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part) or self.id


@dataclass(frozen=True)
class Row:
    """One student and one assignment."""

    student: Student
    assignment: Assignment
    entry: Entry | None
    record: Record | None
    status: str
    reason: str = ""

    @property
    def score(self) -> float | None:
        """The points, if they are a grade."""
        return self.entry.score if self.entry is not None and self.status == GRADED else None

    @property
    def flagged(self) -> bool:
        """Whether a person should look, because of what was found or by hand."""
        return self.status in POINTS and self.entry is not None and self.entry.flagged

    @property
    def held(self) -> bool:
        """Whether a person has flagged it, so that grade and feedback wait."""
        return self.flagged and self.entry is not None and self.entry.held

    @property
    def flags(self) -> str:
        """What a person should look at, if nobody has."""
        if not self.flagged or self.record is None:
            return ""
        if self.held:
            return "flagged by hand"
        return "; ".join(map(str, marking.flags(self.record)))

    @property
    def reasons(self) -> str:
        """Why points or the grade are missing."""
        found = marking.findings(self.record) if self.record is not None else ()
        stopped = [str(each) for each in found if each.kind == "stopped"]
        return "; ".join([self.reason, *stopped] if self.reason else stopped)

    def points(self, number: int) -> float | None:
        """The points of one question, if they are a grade."""
        if self.entry is None or self.status not in POINTS:
            return None
        lines = self.entry.of(self.assignment.questions[number])
        if any(line.waiting for line in lines):
            return None
        return sum(line.score for line in lines)


def rows(course: Path, book: Any) -> list[Row]:
    """List every student's standing in every assignment, by the course's open gradebook."""
    entries = ledger.entries(book)
    handed_in = {(given.student, given.name): given for given in marking.submissions(course)}
    known = {
        student.id: Student(*(getattr(student, name) or "" for name in Student._fields))
        for student in book.students
    }
    ids = sorted({*known, *(student for student, _ in handed_in), *(s for s, _ in entries)})
    assignments = {name: marking.assignment(name, course) for name in names(course)}
    table = []
    for ident, (name, assignment) in product(ids, assignments.items()):
        entry, record = entries.get((ident, name)), marking.load_record(course, ident, name)
        given = handed_in.get((ident, name))
        standing = _standing(assignment, entry, given, record)
        if marking.load_record(course / marking.REMARKED, ident, name) is not None:
            standing = PENDING, "its points are others now: grade with --accept"
        student = known.get(ident, Student(ident))
        table.append(Row(student, assignment, entry, record, *standing))
    return table


def _standing(
    assignment: Assignment, entry: Entry | None, submitted: Submission | None, record: Record | None
) -> tuple[str, str]:
    """Return a status, and the reason if it is none of the usual ones."""
    if submitted is None and (entry is None or not entry.state):
        return MISSING, ""
    if submitted is not None:
        if record is None or record["work"] != marking.work(submitted, assignment):
            return PENDING, "handed in, or the assignment changed, after the last grading"
        if record["status"] != "marked":
            return {"unreadable": UNREADABLE, "failed": FAILED}[record["status"]], record["reason"]
        if entry is None or entry.state != ledger.made_of(record, entry.timestamp, entry.duedate):
            return PENDING, "marked, but not entered in the gradebook"
    if record is not None and (why := next(iter(record.get("stopped", {}).values()), "")):
        return STOPPED, f"a test of ours must be mended: {why}"
    reason = "the file handed in is no longer there" if submitted is None else ""
    waiting = entry is not None and any(line.waiting for line in entry.lines.values())
    return WAITING if waiting else GRADED, reason


def write(course: Path, table: Iterable[Row]) -> None:
    """Write ``grades.csv``, ``questions.csv``, ``canvas.csv`` and ``moodle.csv`` of a course."""
    table = list(table)
    most = max((len(row.assignment.questions) for row in table), default=0)
    title = names(course)
    files = {
        "grades.csv": [COLUMNS, *map(_grades, table)],
        "questions.csv": [
            ("student", "assignment", *(f"q{number + 1}" for number in range(most))),
            *(_questions(row, most) for row in table),
        ],
        "canvas.csv": list(_canvas(table, title)),
        "moodle.csv": list(_moodle(table, title)),
    }
    for name, lines in files.items():
        write_whole(course / name, csv_text(lines))


def _grades(row: Row) -> tuple[Any, ...]:
    student, entry = row.student, row.entry if row.status in POINTS else None
    late = None if entry is None else entry.seconds_late
    by_machine = open_points = penalty = None
    if entry is not None:
        by_machine = sum(line.auto or 0.0 for line in entry.lines.values())
        open_points = sum(line.largest for line in entry.lines.values() if line.waiting)
        penalty = entry.penalty
    lateness = "" if late is None else "yes" if late else "no"
    whose = (student.id, student.last_name, student.first_name, student.email, row.assignment.name)
    points = (row.score, by_machine, open_points, row.assignment.max_score, lateness, penalty)
    return (*whose, row.status, *points, row.flags, row.reasons)


def _questions(row: Row, most: int) -> tuple[Any, ...]:
    count = len(row.assignment.questions)
    points = [row.points(number) if number < count else None for number in range(most)]
    return (row.student.id, row.assignment.name, *points)


def _by_student(table: Iterable[Row]) -> dict[Student, dict[str, Row]]:
    students: dict[Student, dict[str, Row]] = {}
    for row in table:
        students.setdefault(row.student, {})[row.assignment.name] = row
    return students


def _released(row: Row | None) -> float | None:
    """Points that may go to a student: a grade that nobody holds back."""
    return None if row is None or row.held else row.score


def _canvas(table: list[Row], title: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    """As Canvas' gradebook imports it: its five columns, then one an assignment."""
    yield ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", *title)
    largest = {row.assignment.name: row.assignment.max_score for row in table}
    yield ("    Points Possible", "", "", "", "", *(largest.get(name) for name in title))
    for student, by_name in _by_student(table).items():
        points = (_released(by_name.get(name)) for name in title)
        yield (student.name, student.lms_user_id, "", student.id, "", *points)


def _moodle(table: list[Row], title: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    """As Moodle imports it, once its columns are mapped, one column an assignment."""
    yield ("ID number", "Email address", *title)
    for student, by_name in _by_student(table).items():
        points = (_released(by_name.get(name)) for name in title)
        yield (student.lms_user_id or student.id, student.email, *points)


def csv_text(lines: Iterable[Iterable[Any]]) -> str:
    """Write lines of values as CSV, each value by `cell`."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(
        [cell(value) for value in line] for line in lines
    )
    return file.getvalue()


def cell(value: Any) -> str:
    """Write a value so that a spreadsheet takes it for what it is.

    A text that begins like a formula would be one: it gets an apostrophe before it, which
    spreadsheets do not show.
    """
    if value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:.10g}"
    text = str(value)
    # Points Possible has its blanks for Canvas; no formula begins with one and goes on in letters.
    return f"'{text}" if text.lstrip(" ")[:1] in tuple("=+-@\t\r\n|%") else text
