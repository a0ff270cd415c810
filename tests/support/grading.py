"""A course that is graded, and what stands in the place of the sandbox while it is."""

from __future__ import annotations

import csv
import io
from contextlib import redirect_stdout
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_output

from homework import feedback, ledger
from homework.__main__ import main
from homework.assignments import load, source_path
from homework.findings import Finding
from homework.gradebook import Desk
from homework.run import CellResult, Executed
from support.course import submission, write_course

Patch = pytest.MonkeyPatch
Printed = pytest.CaptureFixture[str]

NOISE = [
    # Of nbgrader's queries, nbconvert's reading of old files, and what Dask leaves open.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""Marks of a file whose tests grade."""


class Course:
    """The course ``demo`` in a folder of its own; with a twin, the same assignment as ``more``."""

    def __init__(self, folder: Path, *, twin: bool = False) -> None:
        self.path = write_course(folder)
        if twin:
            more = source_path("more", folder)
            more.parent.mkdir()
            more.write_bytes(source_path("demo", folder).read_bytes())

    def do(self, command: str, *options: str, code: int = 0) -> None:
        """Run a command of ours; what grades, one after the other."""
        argv = [command, "--course", str(self.path), *options]
        if command == "grade":
            many = {"--shards", "--scheduler"} & {*options}
            argv += [] if many else ["--shards", "1"]
        assert main(argv) == code

    def grade(self, *options: str, code: int = 0) -> None:
        self.do("grade", *options, code=code)

    # --- what is done by hand --------------------------------------------------------------------

    def file(self, student: str, name: str = "demo") -> Path:
        path = self.path / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def hand_in(self, student: str, name: str = "demo", **given: str) -> Path:
        path = self.file(student, name)
        path.write_text(submission(load(name, self.path), given), encoding="utf-8")
        return path

    def mend(self, old: str, new: str) -> None:
        """Change the text of the source."""
        path = source_path("demo", self.path)
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def flag(self, student: str, name: str = "demo") -> None:
        """What a person does in formgrader to hold a submission back."""
        with ledger.opened(Desk.of(self.path).url) as book:
            book.find_submission_notebook(name, name, student).flagged = True
            book.db.commit()

    def by_hand(
        self, student: str, points: float, cell: str = "q4-answer", comment: str = ""
    ) -> None:
        """What a person does in formgrader with a written answer, or with a test."""
        with ledger.opened(Desk.of(self.path).url) as book:
            grade = book.find_grade(cell, "demo", "demo", student)
            grade.manual_score, grade.needs_manual_grade = points, False
            if comment:
                book.find_comment(cell, "demo", "demo", student).manual_comment = comment
            book.db.commit()

    # --- what came of it -------------------------------------------------------------------------

    def table(self, name: str = "grades") -> list[dict[str, str]]:
        with (self.path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def rows(self, name: str = "demo") -> dict[str, dict[str, str]]:
        """The grades of an assignment, by student."""
        return {row["student"]: row for row in self.table() if row["assignment"] == name}

    def row(self, student: str, name: str = "demo") -> dict[str, str]:
        return self.rows(name)[student]

    def points(self, student: str) -> list[str]:
        (row,) = [row for row in self.table("questions") if row["student"] == student]
        return [row[f"q{number}"] for number in (1, 2, 3, 4)]

    def page(self, student: str, name: str = "demo") -> Path:
        return feedback.page_path(self.path, student, name)

    def entry(self, student: str, name: str = "demo") -> ledger.Entry:
        with ledger.opened(Desk.of(self.path).url) as book:
            return ledger.entries(book, student, name)[student, name]

    def files(self) -> dict[str, bytes]:
        """All that a dry run must leave alone."""
        logs = ("grade.log", "grade.lock")
        files = [path for path in self.path.rglob("*") if path.is_file() and path.name not in logs]
        return {str(path): path.read_bytes() for path in files}


class Stopped(Exception):  # noqa: N818 - as `homework.run` names it
    """What answers here raise to be stopped by a limit."""


class Machine:
    """Runs answers in this process.

    Cells that are ``slow`` are stopped, as are answers that raise ``Stopped``; one that holds the
    text ``broken`` fails by the machine's own fault. ``ran`` has the first answer of each
    submission that ran.
    """

    def __init__(self) -> None:
        self.slow: set[str] = set()
        self.broken = "no such machine"
        self.ran: list[str] = []

    def run(self, notebook: NotebookNode, *_: Any, **__: Any) -> Executed:
        sources = {cell["id"]: cell["source"] for cell in notebook["cells"]}
        self.ran.append(sources["q1-answer"])
        if any(self.broken in source for source in sources.values()):
            raise OSError("no space left on device")
        done, space = Executed(deepcopy(notebook)), {"Stopped": Stopped}
        for cell in done.notebook["cells"]:
            if cell["cell_type"] == "code":
                done.results[cell["id"]] = self._execute(cell, space, done)
        return done

    def _execute(self, cell: NotebookNode, space: dict[str, Any], done: Executed) -> CellResult:
        printed, error = io.StringIO(), None
        stop = "raise Stopped('took longer than 3 seconds')"
        try:
            with redirect_stdout(printed):
                exec(stop if cell["id"] in self.slow else cell["source"], space)  # noqa: S102 - ours
        except Exception as raised:  # noqa: BLE001 - a wrong answer's
            error = raised
        cell["outputs"] = [new_output("stream", text=printed.getvalue())] if printed.tell() else []
        if error is None:
            return CellResult("ok")
        if isinstance(error, Stopped):
            done.findings += (Finding("stopped", cell["id"], str(error)),)
        name = type(error).__name__
        trace = [f"File secret.py\n{cell['source']}", f"{name}: {error}"]
        message = new_output("error", ename=name, evalue=str(error), traceback=trace)
        cell["outputs"].append(message)
        return CellResult("error")
