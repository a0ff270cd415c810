"""What a student reads about a graded submission: nbgrader's page, without our secrets.

Hidden tests are cut out again and answer in one line; our cells' tracebacks shrink to their
message. What cells of the student's show after the first hidden test is left out: it might be what
hidden tests tried, and a student has it from the own run of the notebook. The page asks no other
host for anything and runs no script, so that formulas are shown as TeX: the questions are given
by their headings alone, and a student has them in the notebook. Where a page cannot be made of
what was handed in, or not in time, one of the marks alone takes its place.
"""

from __future__ import annotations

import builtins
import hashlib
import html
import io
import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader.converters import GenerateFeedback  # type: ignore[import-untyped]
from nbgrader.converters.base import NbGraderException  # type: ignore[import-untyped]
from nbgrader.preprocessors import GetGrades  # type: ignore[import-untyped]
from nbgrader.utils import determine_grade  # type: ignore[import-untyped]
from traitlets.config import Config

from homework import child_process, ledger, marking, shards
from homework.assignments import Assignment
from homework.findings import Finding
from homework.gradebook import FOR_MARKER, Desk, carry, place
from homework.ledger import Entry, opened
from homework.marking import sha, write_whole
from homework.restore import OWN
from homework.run import RAISED, STOPPED
from homework.sanitize import InertExporter

LOG = logging.getLogger("homework")

PATIENCE = 60.0
"""Seconds for a page, which takes a fifth of one."""

TOGETHER = 20
"""Pages that one process makes."""

LONGEST = 600
"""Letters of an error's message."""

POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; "
    "base-uri 'none'"
)
STYLE = (
    "<style>.output pre { white-space: pre-wrap; word-break: normal }"
    " div.panel > div.panel-heading { display: flow-root; height: auto }</style>"
)
"""What a test says is a long line, and its end says what came; on a phone, points take a line."""
_SCRIPT = re.compile(r"<script\b.*?</script\s*>", re.DOTALL | re.IGNORECASE)
_PART = re.compile(
    r'(<a href="#q(\w+)-(tests|hidden|answer)-?([a-z0-9-]*)">)'
    r"(?:Test cell|Written response)(?=</a>)"
)
_PARTS = {"tests": "public tests", "hidden": "hidden tests", "answer": "your text"}
LATER = "[What this cell shows is in your own notebook: here, hidden tests had run before it.]\n"
UNEXPECTED = "not the expected value"
"""What a failed test of a number says to the student, who may hand in again."""
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_COLOR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Page:
    """All that a page is made of, so that it can be made anywhere."""

    student: str
    assignment: Assignment
    entry: Entry
    found: tuple[Finding, ...]
    record: str  # the key of the record
    notebook: str = ""  # the autograded one, as JSON

    @property
    def state(self) -> str:
        """Name all that the page is made of, in a line that ends it."""
        entry = self.entry
        lines, comments = sorted(entry.lines.items()), sorted(entry.comments.items())
        shown = repr((entry.state, entry.penalty, lines, comments))
        digest = sha(self.record, shown, json.dumps(self.assignment.student), _code())
        return f"<!-- {digest} -->"


def _read(course: Path, student: str, assignment: Assignment, entry: Entry) -> Page | None:
    """Collect what a page is made of but the notebook; None if there is nothing to show."""
    record = marking.load_record(course, student, assignment.name)
    if record is None:
        return None
    return Page(student, assignment, entry, marking.findings(record), record["key"])


def for_student(notebook: NotebookNode, page: Page) -> NotebookNode:
    """Take from an autograded notebook, in place, what is not the student's to see."""
    assignment = page.assignment
    released = {cell["id"]: cell for cell in assignment.student["cells"]}
    grading = {cell["id"]: cell for cell in assignment.grading["cells"]}
    sources = "\n".join(cell["source"] for cell in notebook["cells"])
    later = False
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        ours = name in released and not cell["metadata"]["nbgrader"]["solution"]
        if ours:
            cell["source"] = released[name]["source"]
        if ours and cell["cell_type"] == "markdown":
            cell["source"] = "\n\n".join(_HEADING.findall(cell["source"]))
        if cell["cell_type"] == "code":
            hidden = ours and grading[name]["source"] != released[name]["source"]
            later = later or hidden
            question = assignment.question_of(name)
            if hidden and question and question.kind == "compute":
                _without_answer(cell)
            if hidden:
                text = _verdict(cell, sources) + "\n"
                # The answer cannot print here, its process is another: the test did.
                text += "".join(output.get("text", "") for output in cell["outputs"])
                cell["outputs"] = [new_output("stream", name="stdout", text=text)]
            else:
                cell["outputs"] = _outputs(cell, ours=ours, later=later)
    words = _words(page)
    if words:
        notebook["cells"].insert(0, new_markdown_cell(words))
    return notebook


def _without_answer(cell: NotebookNode) -> None:
    """Leave of what a test says that it failed: what it expected would be the answer itself."""
    cell["outputs"] = [out for out in cell["outputs"] if out["output_type"] != "stream"]
    for output in cell["outputs"]:
        if output["output_type"] == "error" and output["ename"] == "AssertionError":
            output["evalue"] = UNEXPECTED


def _outputs(cell: NotebookNode, *, ours: bool, later: bool) -> list[NotebookNode]:
    """Of a cell's outputs, what is shown."""
    if later and not ours:
        return [new_output("stream", name="stdout", text=LATER)] if cell["outputs"] else []
    if ours:
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                output["traceback"] = [_message(output)]
    return [
        output for output in cell["outputs"] if not output.get("text", "").startswith(FOR_MARKER)
    ]


def _verdict(cell: NotebookNode, sources: str) -> str:
    """Say in one line what the hidden tests say.

    A message that an answer makes could hold what hidden tests tried, and so could the name of a
    class made on the spot: of what it raised the type and the line of its source alone are shown.
    """
    failed = failure(cell)
    for output in cell["outputs"]:
        ended = "".join(output["traceback"][-1:]) if output["output_type"] == "error" else ""
        if ended.startswith(RAISED):
            failed = _raised(output, sources)
    points, most = determine_grade(cell)
    if not failed and points < most:
        return f"Hidden tests: {points:g} of {most:g} points."
    return f"Hidden tests: not passed: {failed}" if failed else "Hidden tests: passed."


def _raised(error: Mapping[str, Any], sources: str) -> str:
    name, line = str(error["ename"]), error["traceback"][-1].removeprefix(RAISED)
    known = hasattr(builtins, name) or re.search(rf"\bclass {re.escape(name)}\b", sources)
    where = f" in your line `{line}`" if line else ""
    return f"{name if known else 'an exception'}{where}"


def failure(cell: Mapping[str, Any]) -> str:
    """Say in one line what a test that failed says; empty if it passed or is none."""
    errors = [out for out in cell.get("outputs", ()) if out["output_type"] == "error"]
    return _message(errors[-1]) if errors else ""


def _message(error: Mapping[str, Any]) -> str:
    """The first line of an error's message, after its name unless the name says nothing."""
    lines = _COLOR.sub("", error["evalue"]).strip().splitlines() or [""]
    info = lines[0][:LONGEST]
    if error["ename"] in ("AssertionError", STOPPED) and info:
        return info
    return f"{error['ename']}: {info}" if info else str(error["ename"])


def _words(page: Page) -> str:
    """Say what a student must know before the marks."""
    points = [
        f"Question {question.number} is read by a person and has no final mark yet: the score "
        "above is without it."
        for question in page.assignment.questions
        if any(line.waiting for line in page.entry.of(question))
    ]
    points += filter(None, (_describe(found, page.assignment) for found in page.found))
    return "\n".join(["**Please note**", "", *(f"- {point}" for point in points)] if points else [])


def _describe(found: Finding, assignment: Assignment) -> str:
    """Describe a finding to the student it is about; empty for what is not shown."""
    question = assignment.question_of(found.cell)
    where = f"Question {question.number}" if question else "The notebook"
    message = html.escape(found.message)
    if found.kind == "stopped" and found.cell.startswith(OWN):
        number = found.cell.removeprefix(OWN)
        return f"Of the cells you added, number {number} was not run to its end ({message})."
    if found.kind == "stopped":
        return f"{where}: the cell `{found.cell}` was not run to its end ({message})."
    if found.kind == "restored":
        return (
            f"{where}: something that is not yours to change had been changed, and was put back "
            f"before grading ({message})."
        )
    return ""


class StudentView(GetGrades):  # type: ignore[misc]
    """nbgrader's step that writes the scores, all of them read at once, and `for_student` in it."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the notebook as its student may see it, with the scores, or refuse."""
        page: Page = self.parent.page or _find(*place(resources), resources["nbgrader"]["db_url"])
        self.parent.page = page
        for info in (cell["metadata"].get("nbgrader", {}) for cell in nb["cells"]):
            name = info.get("grade_id")
            if line := page.entry.lines.get(name):
                info |= {"score": line.score, "points": line.largest}
            if name in page.entry.comments:
                info["comment"] = page.entry.comments[name]
        resources["nbgrader"] |= {
            "score": page.entry.score,
            # nbgrader counts the questions of extra credit, too.
            "max_score": page.assignment.max_score,
            "late_penalty": page.entry.penalty,
        }
        return for_student(nb, page), resources


def _find(course: Path, student: str, name: str, url: str) -> Page:
    """Collect what a page is made of for nbgrader's own command, or refuse."""
    with opened(url) as book:
        entry = ledger.entries(book, student, name)[student, name]
    page = _read(course, student, marking.assignment(name, course), entry)
    if page is None:
        raise NbGraderException(f"{name} by {student} has no record. Grade it first.")
    if entry.held:
        raise NbGraderException(
            f"{name} by {student} was flagged by hand. If all is well, clear the flag there, "
            f"or run `python -m homework clear {student} {name}`."
        )
    return page


class FeedbackExporter(InertExporter):
    """nbgrader's page, which asks no other host for anything and runs nothing.

    ``page`` is what the next one is made of.
    """

    page: Page | None = None

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **options: Any) -> Any:
        """Make the page; of the marks alone if the rest cannot be rendered."""
        try:
            page, resources = super().from_notebook_node(nb, resources, **options)
        except Exception as error:
            if self.page is None:
                raise
            self.log.exception("A page that cannot be rendered")
            reason = f"they cannot be rendered: {type(error).__name__}"
            return _marks(self.page, reason), self._init_resources(resources)  # type: ignore[no-untyped-call]
        finally:
            self.page = None
        policy = f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}"/>{STYLE}'
        # nbgrader calls each of them a test cell.
        page = _PART.sub(_part, page)
        return _SCRIPT.sub("", page).replace("<head>", policy, 1), resources


def _part(found: re.Match[str]) -> str:
    """Name a part of a question in the list of scores."""
    link, number, kind, aspect = found.groups()
    info = f"{_PARTS[kind]}: {aspect.replace('-', ' ')}" if aspect else _PARTS[kind]
    return f"{link}Question {number}, {info}"


def configure(config: Any) -> None:
    """Make nbgrader's feedback ours; ``config`` is the ``c`` of an ``nbgrader_config.py``."""
    config.GenerateFeedback.exporter_class = FeedbackExporter
    config.GenerateFeedback.preprocessors = [StudentView, CSSHTMLHeaderPreprocessor]


def page_path(course: Path, student: str, name: str) -> Path:
    """The path of a student's page."""
    return course / "feedback" / student / name / f"{name}.html"


def give(
    desk: Desk,
    entries: Mapping[tuple[str, str], Entry],
    assignments: Mapping[str, Assignment],
    how: shards.How,
    done: Callable[[str, str], object],
) -> str:
    """Write the pages that are not there already and need not wait, and say what went wrong.

    They are made where submissions are marked, `TOGETHER` of them at a time. ``done`` is called
    with a student and an assignment for each page that is as it should be.
    """
    pages = []
    for (student, name), entry in entries.items():
        path = page_path(desk.course, student, name)
        page = _read(desk.course, student, assignments[name], entry)
        if entry.held or page is None:
            path.unlink(missing_ok=True)
        elif not (path.is_file() and path.read_text("utf-8").endswith(page.state)):
            notebook = desk.course / "autograded" / student / name / f"{name}.ipynb"
            pages.append(replace(page, notebook=notebook.read_text("utf-8")))
            continue
        done(student, name)
    used = {kind.__name__ for made in (GenerateFeedback, FeedbackExporter) for kind in made.__mro__}
    config = {name: part for name, part in desk.config.items() if name in used}
    calls = [(config, pages[k : k + TOGETHER]) for k in range(0, len(pages), TOGETHER)]
    troubles: set[str] = set()
    for (_, mine), came in shards.each(how, make, calls) if calls else ():
        lost = isinstance(came, BaseException)
        texts, trouble = ([], f"{type(came).__name__}: {came}") if lost else came
        for page, text in zip(mine, texts, strict=False):
            if not text.endswith(page.state):
                trouble = shards.OTHER
                continue
            name = page.assignment.name
            path = page_path(desk.course, page.student, name)
            write_whole(path, text)
            carry(desk.course / "autograded" / page.student / name, path.parent)
            done(page.student, name)
        troubles |= {f"Feedback was not written to its end: {trouble}."} if trouble else set()
    return " ".join(sorted(troubles))


def make(config: Mapping[str, Any], pages: list[Page]) -> tuple[list[str], str]:
    """Make pages in a process of its own, until one of them ends it: that has the marks alone.

    Returned are the texts, in order, and what went wrong by no student's doing.
    """
    texts: list[str] = []

    def heard(info: tuple[str, str]) -> None:
        texts.append(info[0])
        if info[1]:
            LOG.warning("%s", info[1])

    while left := pages[len(texts) :]:
        try:
            child_process.call(_make, config, left, silence=PATIENCE, heard=heard)
        except child_process.EndedError as error:
            if error.killed or error.trace or len(texts) == len(pages):
                LOG.error("%s", error.trace)  # noqa: TRY400 - the trace is that of another process
                return texts, str(error)
            page = pages[len(texts)]
            whose = f"{page.assignment.name} for {page.student}"
            LOG.warning("the page of %s has the marks alone: %s", whose, error)
            texts.append(_marks(page, str(error)) + page.state)
    return texts, ""


def _make(config: Mapping[str, Any], pages: list[Page], *, report: Callable[[Any], object]) -> None:
    """Make pages, and report of each its text and what nbgrader says."""
    settings, said = Config(), io.StringIO()
    configure(settings)
    settings.merge(config)
    LOG.addHandler(logging.StreamHandler(said))
    LOG.propagate = False
    nbgraders = GenerateFeedback(config=settings, log=LOG)
    exporter = nbgraders.exporter_class(parent=nbgraders, config=nbgraders.config)
    for step in nbgraders.preprocessors:
        exporter.register_preprocessor(step)
    for page in pages:
        exporter.page = page
        place = {"nbgrader": {"notebook": page.assignment.name}}
        notebook = nbformat.reads(page.notebook, as_version=4)
        text, _ = exporter.from_notebook_node(notebook, resources=place)
        report((text + page.state, said.getvalue()))
        said.seek(0)
        said.truncate()


def say_unreadable(course: Path, student: str, name: str, reason: str) -> None:
    """Write a page that says why there are no marks."""
    page = page_path(course, student, name)
    body = f"<p>{html.escape(reason)}</p><p>It has no marks. Hand it in again.</p>"
    text = _page(f"{name} could not be read", body)
    if not page.is_file() or page.read_text("utf-8") != text:
        write_whole(page, text)


def _marks(page: Page, reason: str) -> str:
    """Make a page of the marks alone; the reason says why there is no more to be read."""
    assignment, entry = page.assignment, page.entry
    rows = []
    for question in assignment.questions:
        lines = entry.of(question)
        points = f"{sum(line.score for line in lines):g} of {question.points:g} points"
        if any(line.waiting for line in lines):
            points += ", and a person has yet to read it"
        info = "".join(
            f"<br/>{html.escape(entry.comments[cell])}"
            for cell in question.graded
            if cell in entry.comments
        )
        rows.append(f"<li>Question {html.escape(question.number)}: {points}.{info}</li>")
    late = f"<p>For being late: -{entry.penalty:g}.</p>" if entry.penalty else ""
    return _page(
        f"{assignment.name} (Score: {entry.score:g} / {assignment.max_score:g})",
        f"<ul>{''.join(rows)}</ul>{late}<p>Your answers cannot be shown here beside their marks "
        f"({html.escape(reason)}). You have them in the notebook.</p>",
    )


def _page(title: str, body: str) -> str:
    """Make a page of a title and of HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>'
        f"<title>{html.escape(title)}</title></head><body>"
        f"<h1>{html.escape(title)}</h1>{body}</body></html>\n"
    )


@cache
def _code() -> str:
    """A hash of what makes the pages."""
    digest = hashlib.sha256()
    for name in ("feedback.py", "sanitize.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()
