"""From records to nbgrader's gradebook, by nbgrader's own way.

nbgrader's ``Autograde`` reads a submission, cleans it, executes it and saves the grades. Two of its
steps are ours: `Restore` puts in the notebook that was restored when the submission was marked,
`TakeExecuted` the outputs that the sandbox gave. A third, `Settle`, keeps what a person decided
before; a last one makes inert what is stored. `configure` puts them there for every nbgrader
command, formgrader's buttons included.
"""

from __future__ import annotations

import logging
import os
import shutil
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader import api, utils  # type: ignore[import-untyped]
from nbgrader.api import Gradebook, MissingEntry  # type: ignore[import-untyped]
from nbgrader.converters import Autograde  # type: ignore[import-untyped]
from nbgrader.converters.base import NbGraderException  # type: ignore[import-untyped]
from nbgrader.coursedir import CourseDirectory  # type: ignore[import-untyped]
from nbgrader.preprocessors import (  # type: ignore[import-untyped]
    AssignLatePenalties,
    CheckCellMetadata,
    LimitOutput,
    NbGraderPreprocessor,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)
from sqlalchemy import String, func, make_url, select, true, tuple_
from sqlalchemy.exc import SAWarning
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from homework import deadlines, formgrader, marking, roster
from homework.assignments import Assignment, Question
from homework.inert import Inert
from homework.marking import Record, Submission, sha, write_whole
from homework.run import Executed

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

    @property
    def waiting(self) -> bool:
        """Whether something of it waits for a person."""
        return any(line.waiting for line in self.lines.values())

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

    def state_of(self, record: Record) -> str:
        """Name what the grades are made of, if they are up to date with ``record``."""
        return _state(record, self.timestamp, self.duedate)


def current(
    course: Path, entry: Entry | None, record: Record | None, submitted: Submission
) -> bool:
    """Whether the gradebook's grades are those of the record, and its time the submission's."""
    graded = course / "autograded" / submitted.student / submitted.name
    if entry is None or record is None or not (graded / f"{submitted.name}.ipynb").is_file():
        return False
    return entry.state == _state(record, parsed_timestamp(submitted.timestamp), entry.duedate)


def _state(record: Record, timestamp: datetime | None, duedate: datetime | None) -> str:
    return sha(record["key"], str(timestamp), str(duedate))


# --- the database --------------------------------------------------------------------------------


@contextmanager
def opened(url: str) -> Iterator[Any]:
    """Open the gradebook, which is made if there is none."""
    _find_commands()
    with Gradebook(url, COURSE_ID) as book:
        yield book


def _find_commands() -> None:
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
    of_comments = (
        select(api.Comment.notebook_id, api.SolutionCell.name, api.Comment.manual_comment)
        .join(api.SolutionCell, api.SolutionCell.id == api.Comment.cell_id)
        .where(api.Comment.manual_comment.is_not(None))
        .where(api.Comment.notebook_id.in_(by_notebook) if only else true())
    )
    for ident, cell, comment in book.db.execute(of_comments):
        by_notebook[ident].comments[cell] = comment
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
        entry = Entry(bool(flagged), time, _own_duedate(due, extension), penalty or 0.0)
        entry.state, entry.submission, entry.flags = (text or "" for text in settled)
        yield ident, student, name, entry


def _own_duedate(due: datetime | None, extension: timedelta | None) -> datetime | None:
    """The day that counts for one student."""
    return due if due is None or extension is None else due + extension


def enter_assignment(url: str, assignment: Assignment) -> None:
    """Tell the gradebook the assignment's cells, points and checksums, unless it knows them."""
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
            "graded. nbgrader keeps grades by cell: give the new cells back their old ids, or "
            "begin a new gradebook (move gradebook.db away)."
        ) from error


def enter_roster(url: str, rows: list[dict[str, str]]) -> None:
    """Tell the gradebook the students' names and addresses."""
    with opened(url) as book:
        for row in rows:
            told = {name: value for name, value in row.items() if name != "id" and value}
            book.update_or_create_student(row["id"], **told)


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


# --- the steps -----------------------------------------------------------------------------------


class SubmissionExporter(NotebookExporter):
    """Leaves it to `Restore` to read what a student handed in, be it as broken as it may."""

    def from_file(self, file_stream: Any, resources: Any = None, **options: Any) -> Any:
        """Convert a file, or an empty notebook where `Restore` brings its own."""
        if any(isinstance(step, Restore) for step in self._preprocessors):
            return self.from_notebook_node(new_notebook(), resources=resources, **options)  # type: ignore[no-untyped-call]
        return super().from_file(file_stream, resources=resources, **options)


def place(resources: Any) -> tuple[Path, str, str]:
    """Read from a converter's resources the course's folder, the student and the assignment."""
    told = resources["nbgrader"]
    return Path(resources["metadata"]["path"]).parents[2], told["student"], told["assignment"]


class Restore(NbGraderPreprocessor):  # type: ignore[misc]
    """The restored submission, marked now if it has not been."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the notebook that was run, without its outputs."""
        del nb
        course, student, name = place(resources)
        submitted = marking.submission(course, student, name)
        assignment = marking.assignment(name, course, student)
        # From formgrader's button, the source may be newer than what the gradebook knows.
        enter_assignment(resources["nbgrader"]["db_url"], marking.assignment(name, course))
        record = marking.load_record(course, student, name)
        if (
            record is None
            or record["status"] == "failed"
            or record["work"] != marking.work(submitted, assignment)
        ):
            record = marking.mark_apart(submitted, assignment)
            marking.save_record(course, student, name, record)
        if record["executed"] is None:
            raise NbGraderException(
                f"{name} by {student} is {record['status']}: {record['reason']}"
            )
        notebook = Executed.from_dict(record["executed"]).notebook
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
        return notebook, resources


class TakeExecuted(NbGraderPreprocessor):  # type: ignore[misc]
    """In the place of nbgrader's Execute: the outputs that the sandbox gave."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the notebook with its outputs, and note how its grades stood before."""
        course, student, name = place(resources)
        record = marking.load_record(course, student, name)
        if record is None or record["executed"] is None:
            raise NbGraderException(f"{name} by {student} has not been marked.")
        executed = Executed.from_dict(record["executed"]).notebook
        for cell, done in zip(nb["cells"], executed["cells"], strict=True):
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = done["outputs"], done["execution_count"]
        with opened(resources["nbgrader"]["db_url"]) as book:
            before = entries(book, student, name)[student, name]
            # nbgrader keeps the time of the notebook before, where this one has none.
            given = marking.submission(course, student, name).timestamp
            book.find_submission(name, student).timestamp = parsed_timestamp(given)
            if own := book.db.get(Settled, (student, name)):
                own.state = ""
            book.db.commit()
        resources["homework"] = {"record": record, "before": before}
        return nb, resources


class Settle(NbGraderPreprocessor):  # type: ignore[misc]
    """The grades' last step: what a person decided stays, and the grades are declared complete.

    nbgrader asks for a review of every manual grade whenever a submission is graded again. That is
    right if the answer is a new one. It is a day's work lost if only a test was mended, so a review
    done stays done where neither the submission nor the machine's points have changed. A flag that
    was cleared stays cleared likewise.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Finish the grades of a submission in one transaction."""
        _, student, name = place(resources)
        record: Record = resources["homework"]["record"]
        before: Entry = resources["homework"]["before"]
        same = before.submission == record["submission"]
        found = marking.flags(record)
        flags = sha(*(repr(flag) for flag in found))[:60] if found else ""
        with opened(resources["nbgrader"]["db_url"]) as book:
            notebook = book.find_submission_notebook(name, name, student)
            for grade in notebook.grades:
                line = before.lines[grade.name]
                if same and line.manual is not None and line.auto == grade.auto_score:
                    grade.needs_manual_grade = line.waiting
            if same and before.flags.removeprefix(SEEN) == flags:
                flags = before.flags
            else:
                notebook.flagged = bool(flags) or before.held
            submitted = notebook.assignment
            due = _own_duedate(submitted.assignment.duedate, submitted.extension)
            state = _state(record, submitted.timestamp, due)
            given = record["submission"]
            book.db.merge(
                Settled(
                    student=student, assignment=name, state=state, submission=given, flags=flags
                )
            )
            book.db.commit()
        return nb, resources


def configure(config: Any) -> None:
    """Make nbgrader grade as we do; ``config`` is the ``c`` of an ``nbgrader_config.py``."""
    _find_commands()
    config.CourseDirectory.course_id = COURSE_ID
    config.Autograde.exporter_class = SubmissionExporter
    config.Autograde.sanitize_preprocessors = [
        # In the place of OverwriteCells, too, which knows no parameters of each student's own.
        Restore,
        OverwriteKernelspec,
        CheckCellMetadata,
    ]
    config.Autograde.autograde_preprocessors = [
        TakeExecuted,
        LimitOutput,
        SaveAutoGrades,
        AssignLatePenalties,
        Settle,
        Inert,
    ]
    config.AssignLatePenalties.plugin_class = deadlines.LatePenalty
    formgrader.guard()


def write_config(course: Path) -> None:
    """Give a course its ``nbgrader_config.py`` if it has none: ours, which knows where we are.

    Without it nbgrader's own commands would run submissions there with all our rights.
    """
    path = course / "nbgrader_config.py"
    if not path.exists():
        text = Path(__file__).with_name(path.name).read_text("utf-8")
        here = repr(str(Path(__file__).resolve().parents[1]))
        write_whole(path, text.replace("str(Path(__file__).resolve().parents[1])", here))


# --- without nbgrader's commands -----------------------------------------------------------------


class Directory(CourseDirectory):  # type: ignore[misc]
    """A course's folder, in which a broken time stamp breaks nothing."""

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """Read ``timestamp.txt``; None if there is none or nobody can read it."""
        stamp = Path(dest_path) / "timestamp.txt"
        if not stamp.is_file():
            return None
        return parsed_timestamp(stamp.read_text("utf-8", "replace").strip())


def parsed_timestamp(text: str) -> datetime | None:
    """Read a time stamp as nbgrader writes it, in UTC; None if it is not one."""
    try:
        stamp: datetime | None = utils.parse_utc(text) if text else None
    except (ValueError, OverflowError):
        LOG.warning("%r is not a time: the submission counts as without a time", text)
        return None
    return stamp


@dataclass(frozen=True)
class Desk:
    """Where grading happens: the course's folder, the gradebook's URL, and nbgrader's settings."""

    course: Path
    url: str
    config: Config

    @classmethod
    def of(cls, course: Path, *configures: Callable[[Any], None], db: str | None = None) -> Self:
        """Collect the settings: ours, the course's own ``nbgrader_config.py``, then ``db``."""
        config = Config()
        for configured in configures:
            configured(config)
        own = course / "nbgrader_config.py"
        if own.is_file():
            config.merge(PyFileConfigLoader(own.name, path=str(course)).load_config())
        config.CourseDirectory.root = str(course)
        if db is not None:
            config.CourseDirectory.db_url = _absolute(db, Path.cwd())
        url = _absolute(Directory(config=config).db_url, course)
        config.CourseDirectory.db_url = url
        return cls(course, url, config)


def _absolute(url: str, folder: Path) -> str:
    """Name a file of SQLite's in full: nbgrader changes the working directory as it goes."""
    told = make_url(url)
    if told.get_backend_name() == "sqlite" and told.database:
        told = told.set(database=str(folder / told.database))
    return told.render_as_string(hide_password=False)


CARRIED = ("timestamp.txt", "submission_secret.txt")
"""Files of nbgrader's exchange, which it asks for again when feedback is handed back."""


class Chosen:
    """Turns a converter of nbgrader to certain submissions, whatever the students are called.

    nbgrader finds submissions by a pattern, in which a name like ``a[b]`` is none.
    """

    chosen: list[tuple[str, str]]
    notebooks: list[str]
    done: Callable[[str, str], object]

    def init_notebooks(self: Any) -> None:
        """Say what there is to convert."""
        self.notebooks = []
        self.assignments = {}
        for student, name in self.chosen:
            folder = self._format_source(name, student)
            self.assignments[folder] = [str(Path(folder, f"{name}.ipynb"))]

    def init_assignment(self: Any, assignment_id: str, student_id: str) -> None:
        """Prepare the output's folder, where of the student's other files two have a place."""
        super().init_assignment(assignment_id, student_id)  # type: ignore[misc]
        source = Path(self._format_source(assignment_id, student_id))
        folder = Path(self._format_dest(assignment_id, student_id))
        if folder.is_dir():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        for name in CARRIED:
            if (source / name).is_file() and not (source / name).is_symlink():
                shutil.copy(source / name, folder / name)

    def run_post_convert_hook(self: Any) -> None:
        """Tell what has been converted."""
        super().run_post_convert_hook()  # type: ignore[misc]
        folder = Path(self.notebooks[0]).parent
        self.done(folder.parent.name, folder.name)


class Grading(Chosen, Autograde):  # type: ignore[misc]
    """nbgrader's way from marked submissions to grades, for certain submissions."""


def penalize(desk: Desk) -> None:
    """Say anew what being late costs: marks by hand, extra credit or the rule may be new."""
    step = AssignLatePenalties(config=desk.config, log=LOG)
    step.init_plugin()
    with opened(desk.url) as book:
        for (student, name), entry in entries(book).items():
            late, earned = entry.seconds_late, entry.earned
            told = late and step.plugin_inst.late_submission_penalty(student, earned, late)
            penalty = max(0.0, min(told or 0.0, earned))
            if penalty != entry.penalty:
                notebook = book.find_submission_notebook(name, name, student)
                notebook.late_submission_penalty = penalty
        book.db.commit()


def convert(
    kind: Any, desk: Desk, chosen: list[tuple[str, str]], done: Callable[[str, str], object]
) -> str:
    """Run one of nbgrader's converters on some submissions, and say what went wrong.

    ``done`` is called with a student and an assignment when theirs are there.
    """
    directory = Directory(config=desk.config, log=LOG)
    # Nothing of a student's is copied but what `Chosen` copies: it may be a link.
    directory.ignore = ["*"]
    converter = kind(coursedir=directory, config=desk.config, log=LOG, force=True)
    left = [*chosen]

    def went_well(student: str, name: str) -> None:
        left.remove((student, name))
        done(student, name)

    converter.chosen, converter.done = chosen, went_well
    with warnings.catch_warnings():
        # Of the way nbgrader builds its own rows.
        warnings.simplefilter("ignore", SAWarning)
        try:
            converter.start()
        except NbGraderException:
            # It says no more than that there is a traceback.
            return f"Trouble with {roster.some([f'{name} by {who}' for who, name in left])}."
    return ""
