"""From records to nbgrader's gradebook, by nbgrader's own way.

nbgrader's ``Autograde`` reads a submission, cleans it, executes it and saves the grades. Two of its
steps are ours: `Restore` puts in the notebook that was restored when the submission was marked,
`TakeExecuted` the outputs that the sandbox gave. A third, `Settle`, keeps what a person decided
before; a last one makes inert what is stored. `configure` puts them there for every nbgrader
command, formgrader's buttons included.
"""

from __future__ import annotations

import logging
import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook, new_output
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
)
from sqlalchemy import make_url
from sqlalchemy.exc import SAWarning
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from homework import deadlines, formgrader, marking, roster
from homework.ledger import (
    COURSE_ID,
    SEEN,
    Entry,
    Settled,
    enter_assignment,
    entries,
    find_commands,
    made_of,
    opened,
    own_duedate,
    parsed_timestamp,
)
from homework.marking import Record, sha, write_whole
from homework.run import Executed
from homework.sanitize import Inert

LOG = logging.getLogger("homework.nbgrader")

FOR_MARKER = "For the marker: "
"""Begins what is shown below an answer for a person alone; feedback leaves it out."""


class SubmissionExporter(NotebookExporter):
    """Leaves it to `Restore` to read what a student handed in, be it as broken as it may."""

    def from_filename(self, filename: str, resources: Any = None, **options: Any) -> Any:
        """Convert a file, and nothing that would keep its reader waiting."""
        if not Path(filename).is_file():
            raise NbGraderException(f"{filename} is not a file.")
        return super().from_filename(filename, resources=resources, **options)

    def from_file(self, file_stream: Any, resources: Any = None, **options: Any) -> Any:
        """Convert a file, or an empty notebook where `Restore` brings its own."""
        if any(isinstance(step, Restore) for step in self._preprocessors):
            return self.from_notebook_node(new_notebook(), resources=resources, **options)  # type: ignore[no-untyped-call]
        return super().from_file(file_stream, resources=resources, **options)


def place(resources: Any) -> tuple[Path, str, str]:
    """Read from a converter's resources the course's folder, the student and the assignment."""
    info = resources["nbgrader"]
    return Path(resources["metadata"]["path"]).parents[2], info["student"], info["assignment"]


class Restore(NbGraderPreprocessor):  # type: ignore[misc]
    """The restored submission, marked now if it has not been."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the notebook that was run, without its outputs."""
        del nb
        course, student, name = place(resources)
        submitted = marking.submission(course, student, name)
        assignment = marking.assignment(name, course)
        # From formgrader's button, the source may be newer than what the gradebook knows.
        enter_assignment(resources["nbgrader"]["db_url"], assignment)
        record = marking.load_record(course, student, name)
        if (
            record is None
            or record["status"] == "failed"
            or record["work"] != marking.work(submitted, assignment)
        ):
            stopped = record.get("stopped", {}) if record is not None else {}
            record = marking.mark_apart(submitted, assignment)
            record["stopped"] = stopped
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
        """Return the notebook with its outputs, and note how its grades were before."""
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
        for cell in nb["cells"]:
            said = [each.message for each in found if each.cell == cell["id"]]
            if said and cell["cell_type"] == "code":
                text = FOR_MARKER + "; ".join(said) + "\n"
                cell["outputs"].append(new_output("stream", name="stdout", text=text))
        with opened(resources["nbgrader"]["db_url"]) as book:
            notebook = book.find_submission_notebook(name, name, student)
            for grade in notebook.grades:
                line = before.lines[grade.name]
                if grade.name in record.get("stopped", {}) and line.manual is None:
                    grade.auto_score, grade.needs_manual_grade = None, True
                    continue
                if same and line.manual is not None and line.auto == grade.auto_score:
                    grade.needs_manual_grade = line.waiting
            if same and before.flags.removeprefix(SEEN) == flags:
                flags = before.flags
            else:
                notebook.flagged = bool(flags) or before.held
            submitted = notebook.assignment
            due = own_duedate(submitted.assignment.duedate, submitted.extension)
            state = made_of(record, submitted.timestamp, due)
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
    find_commands()
    config.CourseDirectory.course_id = COURSE_ID
    config.Autograde.exporter_class = SubmissionExporter
    config.Autograde.sanitize_preprocessors = [
        # In the place of OverwriteCells, too.
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
    config.LimitOutput.max_lines = config.LimitOutput.max_traceback = 200
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


@dataclass(frozen=True)
class Desk:
    """Where grading happens: the course's folder, the gradebook's URL, and nbgrader's settings."""

    course: Path
    url: str
    config: Config

    @classmethod
    def of(cls, course: Path, *configures: Callable[[Any], None]) -> Self:
        """Collect the settings: ours, then the course's own ``nbgrader_config.py``."""
        config = Config()
        for configured in configures:
            configured(config)
        own = course / "nbgrader_config.py"
        if own.is_file():
            config.merge(PyFileConfigLoader(own.name, path=str(course)).load_config())
        config.CourseDirectory.root = str(course)
        url = _absolute(CourseDirectory(config=config).db_url, course)
        config.CourseDirectory.db_url = url
        return cls(course, url, config)


def _absolute(url: str, folder: Path) -> str:
    """Name a file of SQLite's in full: nbgrader changes the working directory as it goes."""
    info = make_url(url)
    if info.get_backend_name() == "sqlite" and info.database:
        info = info.set(database=str(folder / info.database))
    return info.render_as_string(hide_password=False)


CARRIED = ("timestamp.txt", "submission_secret.txt")
"""Files of nbgrader's exchange, which it asks for again when feedback is handed back."""


class Grading(Autograde):  # type: ignore[misc]
    """nbgrader's way from marked submissions to grades, for those that are ``chosen``.

    Those that are graded are taken out. nbgrader finds submissions by a pattern, in which a name
    like ``a[b]`` is none.
    """

    chosen: list[tuple[str, str]]
    done: Callable[[str, str], object]

    def init_notebooks(self) -> None:
        """Say what there is to convert."""
        self.notebooks: list[str] = []
        self.assignments = {}
        for student, name in self.chosen:
            folder = self._format_source(name, student)
            self.assignments[folder] = [str(Path(folder, f"{name}.ipynb"))]

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Prepare the output's folder, where of the student's other files two have a place."""
        super().init_assignment(assignment_id, student_id)
        source = Path(self._format_source(assignment_id, student_id))
        folder = Path(self._format_dest(assignment_id, student_id))
        if folder.is_dir():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        carry(source, folder)

    def run_post_convert_hook(self) -> None:
        """Report what has been converted."""
        super().run_post_convert_hook()
        folder = Path(self.notebooks[0]).parent
        whose = folder.parent.name, folder.name
        self.chosen.remove(whose)
        self.done(*whose)


def carry(source: Path, folder: Path) -> None:
    """Copy the files that nbgrader's exchange asks for again, and no link."""
    for name in CARRIED:
        if (source / name).is_file() and not (source / name).is_symlink():
            shutil.copy(source / name, folder / name)


def penalize(desk: Desk) -> None:
    """Say again what being late costs: marks by hand, extra credit or the rule may be new."""
    step = AssignLatePenalties(config=desk.config, log=LOG)
    step.init_plugin()
    with opened(desk.url) as book:
        for (student, name), entry in entries(book).items():
            late, earned = entry.seconds_late, entry.earned
            info = late and step.plugin_inst.late_submission_penalty(student, earned, late)
            penalty = max(0.0, min(info or 0.0, earned))
            if penalty != entry.penalty:
                notebook = book.find_submission_notebook(name, name, student)
                notebook.late_submission_penalty = penalty
        book.db.commit()


def convert(desk: Desk, chosen: list[tuple[str, str]], done: Callable[[str, str], object]) -> str:
    """Grade some submissions that have been marked, and say what went wrong.

    ``done`` is called with a student and an assignment when theirs are there.
    """
    directory = CourseDirectory(config=desk.config, log=LOG)
    # Nothing of a student's is copied but what `Grading` copies: it may be a link.
    directory.ignore = ["*"]
    converter = Grading(coursedir=directory, config=desk.config, log=LOG, force=True)
    converter.chosen, converter.done = [*chosen], done
    with warnings.catch_warnings():
        # Of the way nbgrader builds its own rows.
        warnings.simplefilter("ignore", SAWarning)
        try:
            converter.start()
        except NbGraderException:
            # It says no more than that there is a traceback.
            left = [f"{name} by {student}" for student, name in converter.chosen]
            return f"Trouble with {roster.some(left)}."
    return ""
