"""Assignments: one source each, from which the student's and the grader's notebooks are made.

A source is a notebook with nbgrader's cell metadata. Reading one runs nothing: solutions and
hidden tests are cut out by nbgrader's own preprocessors, in nbgrader's order, without a database.
"""

import json
import re
import warnings
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator, ValidationError  # type: ignore[import-untyped]
from nbgrader.nbgraderformat.common import SchemaMismatchError  # type: ignore[import-untyped]
from nbgrader.preprocessors import (  # type: ignore[import-untyped]
    CheckCellMetadata,
    ClearHiddenTests,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)

import dtviz
from homework.authoring import HIDDEN, ITEM, POINTS, RUBRIC, SOLUTION, fill_in

COURSE = Path(__file__).parent
"""The book's own course."""

WRITTEN = frozenset({"explain", "prove"})
KINDS = frozenset({"implement", "compute", "plot"}) | WRITTEN

_KERNEL = {"kernelspec", "language_info"}
_OURS = {"nbgrader", "dtviz", "deletable", "editable"}
_SHOWN = {"tags", "mystnb"}
"""Metadata that is handed out: of the notebook, of each cell, and of one that holds no secret."""

CELLS = MetadataValidator()
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TITLE = re.compile(
    r"^## Question (\w+): (.+?) \((\d+(?:\.\d+)?) points?(?:, ([^()]*))?\)\s*$", re.MULTILINE
)


class InvalidSource(ValueError):  # noqa: N818 -- the name says what it is about
    """A source that breaks a rule; the message names the cell and the rule."""


@dataclass(frozen=True)
class Question:
    """One question of an assignment."""

    number: str
    kind: str  # one of `KINDS`; a person marks those in `WRITTEN`
    title: str  # its heading without number and points
    asks: tuple[str, ...]  # the global names its answer must define
    without: tuple[str, ...]  # functions of `dtviz` that would give the answer away
    answer: str  # the id of its answer cell
    tests: tuple[str, ...]  # the ids of its graded test cells
    points: float
    extra: bool = False  # extra credit, beyond `Assignment.max_score`

    @property
    def graded(self) -> tuple[str, ...]:
        """The ids of the cells that may have points."""
        return *self.tests, self.answer

    @property
    def written(self) -> bool:
        """Whether a person marks it."""
        return self.kind in WRITTEN


@dataclass(frozen=True)
class Assignment:
    """One assignment in its three forms.

    The source is as written, with solutions, hidden tests and rubrics; ``student`` is what students
    get; ``grading`` is run: answers empty, hidden tests in place, with the checksums that the
    gradebook records.
    """

    name: str
    source: NotebookNode
    student: NotebookNode
    grading: NotebookNode
    questions: tuple[Question, ...]
    files: tuple[tuple[str, bytes], ...] = ()  # the files beside the source: name and content

    @property
    def max_score(self) -> float:
        """All points there are, without extra credit."""
        return sum(question.points for question in self.questions if not question.extra)

    def question_of(self, cell: str) -> Question | None:
        """The question a cell belongs to by its id, or None."""
        number = cell.partition("-")[0].removeprefix("q")
        return next((q for q in self.questions if q.number == number), None)


def source_path(name: str, course: Path = COURSE) -> Path:
    """The path of the source of an assignment."""
    return course / "source" / name / f"{name}.ipynb"


def names(course: Path = COURSE) -> tuple[str, ...]:
    """The assignments of a course, which has a folder ``source/``, sorted."""
    paths = (course / "source").glob("*/*.ipynb")
    return tuple(sorted(path.stem for path in paths if path.stem == path.parent.name))


def load(name: str, course: Path = COURSE) -> Assignment:
    """Read an assignment of the course and make its forms.

    Raises
    ------
    InvalidSource
        If there is no such source, or it breaks a rule.
    """
    path = source_path(name, course)
    if not path.is_file():
        known = ", ".join(names(course)) or "none"
        raise InvalidSource(f"name: {name!r} has no source {path}; there are: {known}")
    return replace(make(name, path.read_text("utf-8")), files=files_beside(path))


def files_beside(source: Path) -> tuple[tuple[str, bytes], ...]:
    """The files beside a source, which are handed out with it: data, a picture."""
    beside = sorted(path for path in source.parent.glob("[!.]*") if path.is_file())
    return tuple((path.name, path.read_bytes()) for path in beside if path.suffix != ".ipynb")


def make(name: str, text: str) -> Assignment:
    """Make an assignment from the text of its source, the notebook as JSON; see `load`."""
    source = _parse(name, text)
    _check_cells(name, source.cells)
    questions = tuple(_questions(name, source.cells))
    _check_questions(name, source.cells, questions)
    grading = _through(
        source, (LockCells, ClearSolutions, ClearOutput, CheckCellMetadata, ComputeChecksums)
    )
    _strip(grading)
    copy = _through(grading, (ClearHiddenTests, ComputeChecksums, CheckCellMetadata))
    return Assignment(name, source, copy, grading, questions)


def canonical(notebook: NotebookNode) -> str:
    """The text of a notebook, the same for the same notebook: as Jupyter writes it."""
    return f"{nbformat.writes(notebook)}\n"


def _strip(notebook: NotebookNode) -> None:
    """Take away, in place, what a source says beside its texts: an answer's pictures, metadata."""
    for mapping, kept in [(notebook.metadata, _KERNEL)] + [
        (cell.metadata, _OURS if secret(cell) else _OURS | _SHOWN) for cell in notebook.cells
    ]:
        for name in mapping.keys() - kept:
            del mapping[name]
    for cell in notebook.cells:
        if cell.metadata.nbgrader.solution:
            cell.pop("attachments", None)


def secret(cell: NotebookNode) -> bool:
    """Whether a cell of a source holds what students may not see."""
    return bool(cell.metadata.nbgrader.solution) or _has(cell, HIDDEN)


def _through(notebook: NotebookNode, steps: Iterable[Any]) -> NotebookNode:
    """A copy of a notebook after some of nbgrader's preprocessors."""
    result = deepcopy(notebook)
    for step in steps:
        result, _ = step().preprocess(result, {})
    return result


def _parse(name: str, text: str) -> NotebookNode:
    try:
        raw = json.loads(text)
        if not isinstance(raw, dict):
            raise InvalidSource(f"{name}: must be a valid notebook: it is not a JSON object")
        notebook: NotebookNode = nbformat.from_dict(raw)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # ids that are missing or repeated
            nbformat.validate(notebook)
    except (json.JSONDecodeError, nbformat.ValidationError, Warning) as error:
        raise InvalidSource(f"{name}: must be a valid notebook: {error}") from error
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        version = f"{notebook.nbformat}.{notebook.nbformat_minor}"
        raise InvalidSource(f"{name}: nbformat is {version}, must be 4.5 (cells have ids)")
    info = notebook.metadata
    places = (("kernelspec", "language"), ("language_info", "name"))
    languages = (info.get(place, {}).get(key) for place, key in places)
    if (said := next(filter(None, languages), "python")) != "python":
        raise InvalidSource(
            f"{name}: must be a notebook of Python, not of {said!r}: in JupyterLab, choose "
            "Kernel, Change Kernel, Python 3, and save"
        )
    # Not every editor says so; what is handed out does.
    usual = {"name": "python3", "display_name": "Python 3", "language": "python"}
    info["kernelspec"] = nbformat.from_dict(usual | info.get("kernelspec", {}))
    for cell in notebook.cells:
        if not isinstance(cell.source, str):
            cell.source = "".join(cell.source)
    fill_in(notebook.cells)
    return notebook


def _check_cells(name: str, cells: list[NotebookNode]) -> None:
    for number, cell in enumerate(cells):
        meta = cell.metadata.get("nbgrader") or {}
        if not isinstance(meta.get("grade_id"), str):
            raise InvalidSource(
                f"{name}: cell {number} (id {cell.id!r}) must have nbgrader metadata, a grade_id"
            )
        try:
            CELLS.validate_cell(cell)
        except (SchemaMismatchError, ValidationError) as error:
            info = getattr(error, "message", error)
            raise InvalidSource(f"{name}: cell {meta['grade_id']!r}: {info}") from error
        for broken in _broken(cell, meta):
            raise InvalidSource(f"{name}: cell {meta['grade_id']!r}: {broken}")


def _broken(cell: NotebookNode, meta: dict[str, Any]) -> Iterator[str]:
    """The rules that a cell breaks."""
    if not _ID.fullmatch(meta["grade_id"]):
        yield "grade_id must be of lower-case letters, digits and single hyphens"
    if cell.id != meta["grade_id"]:
        yield f"the cell id {cell.id!r} must equal the grade_id"
    if meta.get("task"):
        yield "task must be false: a written question has an answer cell"
    yield from _broken_regions(cell, meta)
    yield from (_broken_answer if meta["solution"] else _broken_given)(cell, meta)


def _broken_given(cell: NotebookNode, meta: dict[str, Any]) -> Iterator[str]:
    if not meta["locked"]:
        yield "locked must be true: the cell is no answer"
    if "dtviz" in cell.metadata:
        yield "dtviz metadata belongs to answer cells"


def _broken_regions(cell: NotebookNode, meta: dict[str, Any]) -> Iterator[str]:
    code = cell.cell_type == "code"
    if _has(cell, SOLUTION) and not (code and meta["solution"]):
        yield (
            "a solution region must be in a code answer cell, below a heading "
            "'## Question 1: ... (n points)'"
        )
    if _has(cell, HIDDEN) and not (code and meta["grade"]):
        yield "a hidden test region must be in a graded code cell"
    if "-hidden" in meta["grade_id"] and not _has(cell, HIDDEN):
        yield f"must have its tests between ### {HIDDEN[0]} and ### {HIDDEN[1]}"
    for delimiters in (SOLUTION, HIDDEN):
        yield from _broken_pairs(cell.source, delimiters)


def _broken_pairs(source: str, delimiters: tuple[str, str]) -> Iterator[str]:
    """What is wrong with delimiters: each alone on its line, begin and end in turn."""
    expected = 0
    for line in source.split("\n"):
        for which, delimiter in enumerate(delimiters):
            if delimiter not in line:
                continue
            if which != expected:
                yield f"{delimiter} without its partner before it"
            if line.strip() != f"### {delimiter}":
                yield f"{line.strip()!r} must be '### {delimiter}' alone on its line"
            expected = 1 - which
    if expected:
        yield f"{delimiters[0]} without {delimiters[1]}"


def _has(cell: NotebookNode, delimiters: tuple[str, str]) -> bool:
    return any(delimiter in cell.source for delimiter in delimiters)


def _broken_answer(cell: NotebookNode, meta: dict[str, Any]) -> Iterator[str]:
    about = cell.metadata.get("dtviz")
    needed = {"question", "kind", "asks", "without"}
    if not isinstance(about, dict) or not needed <= set(about) <= needed | {"in_place"}:
        yield "an answer must have dtviz metadata: question, kind, asks, without; maybe in_place"
        return
    if about["kind"] not in KINDS:
        yield f"dtviz.kind is {about['kind']!r}, must be one of {', '.join(sorted(KINDS))}"
    if meta["grade_id"] != f"q{about['question']}-answer":
        yield f"question {about['question']!r} has one answer, which must be called by its number"
    asks, without = about["asks"], about["without"]
    if not isinstance(asks, list) or not all(str(word).isidentifier() for word in asks):
        yield f"dtviz.asks is {asks!r}, must be a list of names"
    if not isinstance(without, list) or {*map(str, without)} - _offered():
        yield f"not to be called is {without!r}, must be functions of dtviz, as `dt.measures.mean`"
    if meta["locked"]:
        yield "locked must be false: the cell is an answer"
    yield from (_broken_written if about["kind"] in WRITTEN else _broken_code)(cell, meta)


def _offered() -> set[str]:
    """The names that the library offers, at the top or in one of its packages."""
    rooms = [part for part in vars(dtviz).values() if isinstance(part, ModuleType)]
    return {name for room in (dtviz, *rooms) for name in getattr(room, "__all__", ())}


def _broken_code(cell: NotebookNode, meta: dict[str, Any]) -> Iterator[str]:
    if cell.cell_type != "code" or meta["grade"]:
        yield "an answer that is not written must be code and not graded"
    if not _has(cell, SOLUTION):
        yield f"must have its solution between ### {SOLUTION[0]} and ### {SOLUTION[1]}"
    if not cell.metadata.dtviz.asks:
        yield "dtviz.asks must name what the answer defines"


def _broken_written(cell: NotebookNode, meta: dict[str, Any]) -> Iterator[str]:
    if cell.cell_type != "markdown" or not meta["grade"]:
        yield "a written answer must be markdown and graded"
    if cell.metadata.dtviz.asks:
        yield "dtviz.asks must be empty: the answer is written"
    model, found, rubric = cell.source.partition(f"{RUBRIC}\n")
    if not found or not model.strip():
        yield f"must have a model answer, then a line '{RUBRIC}' and a list of points"
        return
    items = ITEM.findall(rubric)
    worth = [POINTS.search(item) for item in items]
    for item, match in zip(items, worth, strict=True):
        if match is None:
            yield f"the rubric's item {item!r} must say how many points it is worth"
            return
    total = sum(float(match[1]) for match in worth if match)
    if total != meta.get("points"):
        yield f"the rubric's points add up to {total:g}, points is {meta.get('points')}"


def _questions(name: str, cells: list[NotebookNode]) -> Iterator[Question]:
    by_id = {cell.id: cell for cell in cells}
    for cell in cells:
        if not cell.metadata.nbgrader.solution:
            continue
        about = cell.metadata.dtviz
        statement = by_id.get(f"q{about.question}")
        heading = _TITLE.search(statement.source) if statement else None
        if heading is None or heading[1] != about.question:
            raise InvalidSource(
                f"{name}: cell 'q{about.question}': must be there and have a heading "
                f"'## Question {about.question}: ... (n points)'"
            )
        own = [c for c in cells if c.id.startswith(f"q{about.question}-")]
        graded = [c for c in own if c.metadata.nbgrader.grade]
        points = float(sum(c.metadata.nbgrader.points for c in graded))
        if float(heading[3]) != points:
            raise InvalidSource(
                f"{name}: cell 'q{about.question}': the heading says {heading[3]} points, "
                f"its cells have {points:g}"
            )
        yield Question(
            number=about.question,
            kind=about.kind,
            title=heading[2],
            asks=tuple(about.asks),
            without=tuple(about.without),
            answer=cell.id,
            tests=tuple(c.id for c in graded if c.cell_type == "code"),
            points=points,
            extra="extra credit" in (heading[4] or "").lower(),
        )


def _check_questions(name: str, cells: list[NotebookNode], questions: tuple[Question, ...]) -> None:
    if not questions:
        raise InvalidSource(f"{name}: must have a question, there is no answer cell")
    tested = {test for question in questions for test in question.tests}
    for cell in cells:
        if cell.metadata.nbgrader.grade and cell.cell_type == "code" and cell.id not in tested:
            raise InvalidSource(f"{name}: cell {cell.id!r}: must belong to a question, as 'q1-...'")
        title = _TITLE.search(cell.source) if cell.cell_type == "markdown" else None
        if title and title[1] not in {question.number for question in questions}:
            raise InvalidSource(
                f"{name}: cell {cell.id!r}: must have an answer, with ### {SOLUTION[0]} if it is "
                f"code, with a line {RUBRIC!r} if it is a text"
            )
    order = [cell.id for cell in cells]
    for question in questions:
        if not question.written and not question.tests:
            raise InvalidSource(f"{name}: cell {question.answer!r}: must be followed by tests")
        if any(order.index(test) < order.index(question.answer) for test in question.tests):
            raise InvalidSource(f"{name}: cell {question.answer!r}: must be before its tests")


def marking_guide(assignment: Assignment) -> str:
    """What a person needs to mark the written questions, as Markdown, answers included."""
    source = {cell.id: cell.source for cell in assignment.source.cells}
    written = [question for question in assignment.questions if question.written]
    parts = [f"# Marking guide: {assignment.name}", "For instructors only: it holds the answers."]
    if not written:
        parts.append("No question is marked by hand.")
    for question in written:
        model, _, rubric = source[question.answer].partition(f"{RUBRIC}\n")
        parts += [
            source[f"q{question.number}"].strip(),
            f"Marked in cell `{question.answer}`, out of {question.points:g}.",
            "### Model answer",
            model.strip(),
            "### Rubric",
            rubric.strip(),
        ]
    return "\n\n".join(parts) + "\n"
