"""What the gradebook holds of each submission: nbgrader's database, and one table of ours in it."""

from __future__ import annotations

import logging
import os
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from nbgrader import api, utils  # type: ignore[import-untyped]
from nbgrader.api import Gradebook, MissingEntry  # type: ignore[import-untyped]
from nbgrader.preprocessors import SaveCells  # type: ignore[import-untyped]
from sqlalchemy import String, func, select, true, tuple_
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from homework.assignments import Assignment, Question
from homework.marking import Record, Submission, sha

LOG = logging.getLogger("homework.nbgrader")
# It says of every file what it does with it.
LOG.setLevel(logging.WARNING)


class _Ours(DeclarativeBase):
    """What we keep in nbgrader's database."""


class Settled(_Ours):
    """Our one table beside nbgrader's: which record each submission's grades come from.

    ``state`` says what the grades were made of. It is written after the last of them, and empty
    while they are written.
    """

    __tablename__ = "homework_mark"

    student: Mapped[str] = mapped_column(String(128), primary_key=True)
    assignment: Mapped[str] = mapped_column(String(128), primary_key=True)
    state: Mapped[str] = mapped_column(String(64))
    submission: Mapped[str] = mapped_column(String(64))
    flags: Mapped[str] = mapped_column(String(64))


SEEN = "-"
"""Stands before the hash of flags that a person has cleared."""


@dataclass(frozen=True)
class Line:
    """One graded cell of one submission."""

    auto: float | None
    manual: float | None
    extra: float
    waiting: bool
    largest: float

    @property
    def score(self) -> float:
        """The points it has: a person's word goes before the machine's."""
        return (self.auto or 0.0 if self.manual is None else self.manual) + self.extra


@dataclass
class Entry:
    """All that the gradebook says of one submission."""

    flagged: bool
    timestamp: datetime | None
    duedate: datetime | None
    penalty: float
    state: str = ""
    submission: str = ""
    flags: str = ""
    lines: dict[str, Line] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)

    @property
    def held(self) -> bool:
        """Whether a person has flagged it: what we find ourselves holds nothing back."""
        return self.flagged and (not self.flags or self.flags.startswith(SEEN))

    def of(self, question: Question) -> list[Line]:
        """Its graded cells of one question."""
        return [self.lines[cell] for cell in question.graded if cell in self.lines]

    @property
    def score(self) -> float:
        """The points it has, less the penalty for being late."""
        return max(0.0, self.earned - self.penalty)

    @property
    def earned(self) -> float:
        """The points it has whether it was late or not."""
        return sum(line.score for line in self.lines.values())

    @property
    def seconds_late(self) -> float | None:
        """How late it was, or None if that is not known."""
        if self.timestamp is None or self.duedate is None:
            return None
        return max(0.0, (self.timestamp - self.duedate).total_seconds())


def current(
    course: Path, entry: Entry | None, record: Record | None, submitted: Submission
) -> bool:
    """Whether the gradebook's grades are those of the record, and its time the submission's."""
    graded = course / "autograded" / submitted.student / submitted.name
    if entry is None or record is None or not (graded / f"{submitted.name}.ipynb").is_file():
        return False
    return entry.state == made_of(record, parsed_timestamp(submitted.timestamp), entry.duedate)


def made_of(record: Record, timestamp: datetime | None, duedate: datetime | None) -> str:
    """Name all that grades are made of."""
    return sha(record["key"], str(timestamp), str(duedate), *record.get("stopped", ()))


@contextmanager
def opened(url: str) -> Iterator[Any]:
    """Open the gradebook, which is made if there is none."""
    find_commands()
    with Gradebook(url, COURSE_ID) as book:
        yield book


def find_commands() -> None:
    """Put the commands beside our Python on the path.

    nbgrader asks one of them, ``alembic``, which version a new database has.
    """
    scripts, path = sysconfig.get_path("scripts"), os.environ.get("PATH", "")
    if scripts not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([scripts, path])


COURSE_ID = "dtviz"


def entries(book: Any, *only: str) -> dict[tuple[str, str], Entry]:
    """Read what the gradebook has, by student and assignment: all, or one of each."""
    _Ours.metadata.create_all(book.engine)
    found: dict[tuple[str, str], Entry] = {}
    by_notebook: dict[str, Entry] = {}
    for ident, student, name, entry in _submitted(book, *only):
        found[student, name] = by_notebook[ident] = entry
    of_cells = (
        select(
            api.Grade.notebook_id,
            api.GradeCell.name,
            api.Grade.auto_score,
            api.Grade.manual_score,
            func.coalesce(api.Grade.extra_credit, 0.0),
            api.Grade.needs_manual_grade,
            api.GradeCell.max_score,
        )
        .join(api.GradeCell, api.GradeCell.id == api.Grade.cell_id)
        .where(api.Grade.notebook_id.in_(by_notebook) if only else true())
    )
    for ident, cell, *line in book.db.execute(of_cells):
        by_notebook[ident].lines[cell] = Line(*line)
    comment = func.coalesce(api.Comment.manual_comment, api.Comment.auto_comment)
    of_comments = (
        select(api.Comment.notebook_id, api.SolutionCell.name, comment)
        .join(api.SolutionCell, api.SolutionCell.id == api.Comment.cell_id)
        .where(comment.is_not(None))
        .where(api.Comment.notebook_id.in_(by_notebook) if only else true())
    )
    for ident, cell, text in book.db.execute(of_comments):
        by_notebook[ident].comments[cell] = text
    return found


def _submitted(book: Any, *only: str) -> Iterator[tuple[str, str, str, Entry]]:
    """Read what the gradebook has of notebooks as a whole, each after its id and whose it is."""
    wanted = (
        select(
            api.SubmittedNotebook.id,
            api.Student.id,
            api.Assignment.name,
            api.SubmittedNotebook.flagged,
            api.SubmittedAssignment.timestamp,
            api.Assignment.duedate,
            api.SubmittedAssignment.extension,
            api.SubmittedNotebook.late_submission_penalty,
            Settled.state,
            Settled.submission,
            Settled.flags,
        )
        .join(api.SubmittedNotebook.assignment)
        .join(api.SubmittedAssignment.assignment)
        .join(api.SubmittedAssignment.student)
        .outerjoin(
            Settled,
            (Settled.student == api.Student.id) & (Settled.assignment == api.Assignment.name),
        )
        .where(tuple_(api.Student.id, api.Assignment.name).in_([only]) if only else true())
    )
    for ident, student, name, flagged, time, due, extension, penalty, *settled in book.db.execute(
        wanted
    ):
        entry = Entry(bool(flagged), time, own_duedate(due, extension), penalty or 0.0)
        entry.state, entry.submission, entry.flags = (text or "" for text in settled)
        yield ident, student, name, entry


def own_duedate(due: datetime | None, extension: timedelta | None) -> datetime | None:
    """The day that counts for one student."""
    return due if due is None or extension is None else due + extension


def enter_assignment(url: str, assignment: Assignment) -> None:
    """Enter an assignment's cells, points and checksums in the gradebook, unless it has them."""
    with opened(url) as book:
        try:
            notebook = book.find_notebook(assignment.name, assignment.name)
            known = {cell.name: cell.checksum for cell in notebook.source_cells}
        except MissingEntry:
            known = {}
        book.update_or_create_assignment(assignment.name)
    # A checksum is of the text, the kind and the points.
    ours = {cell.id: cell.metadata.nbgrader.checksum for cell in assignment.grading.cells}
    if ours == known:
        return
    place = {"notebook": assignment.name, "assignment": assignment.name, "db_url": url}
    try:
        SaveCells().preprocess(deepcopy(assignment.grading), {"nbgrader": place})
    except RuntimeError as error:
        raise ValueError(
            f"Assignment {assignment.name} has other cells than when its first submission was "
            "graded. nbgrader keeps grades by cell: give the cells their old ids again, or "
            "start a new gradebook (move gradebook.db away)."
        ) from error


def enter_roster(url: str, rows: list[dict[str, str]]) -> None:
    """Enter the students' names and addresses in the gradebook."""
    with opened(url) as book:
        for row in rows:
            info = {name: value for name, value in row.items() if name != "id" and value}
            book.update_or_create_student(row["id"], **info)


def clear(url: str, student: str, name: str) -> bool:
    """Take the flag from a submission; False if it had none."""
    with opened(url) as book:
        try:
            notebook = book.find_submission_notebook(name, name, student)
        except MissingEntry:
            raise ValueError(f"The gradebook has no submission of {name} by {student}.") from None
        had = bool(notebook.flagged)
        notebook.flagged = False
        own = book.db.get(Settled, (student, name))
        if own and own.flags and not own.flags.startswith(SEEN):
            own.flags = SEEN + own.flags
        book.db.commit()
    return had


def parsed_timestamp(text: str) -> datetime | None:
    """Read a time stamp as nbgrader writes it, in UTC; None if it is not one."""
    try:
        stamp: datetime | None = utils.parse_utc(text) if text else None
    except (ValueError, OverflowError):
        LOG.warning("%r is not a time: the submission counts as without a time", text)
        return None
    return stamp
