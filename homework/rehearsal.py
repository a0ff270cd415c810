"""Our own tests, tried before a student meets them: the solution has all points, the release none.

A test that fails this, or that could not look at an answer, is trouble of ours. It stops
its question for everybody until it is mended: nobody has points there, and nobody a zero.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.utils import determine_grade  # type: ignore[import-untyped]

from homework import feedback, shards
from homework.assignments import Assignment, canonical
from homework.authoring import HIDDEN
from homework.marking import Record, Submission
from homework.run import Executed

FOLDER = "rehearsal"
MODEL, RELEASE = "model solution", "untouched release"


@dataclass(frozen=True)
class Trouble:
    """A test of ours that marks nobody until it is mended; without a cell, it is the set-up."""

    assignment: str
    question: str
    cell: str
    message: str

    def __str__(self) -> str:
        place = f"question {self.question}, {self.cell}" if self.cell else "set-up"
        return f"{self.assignment}, {place}: {self.message}"


def rehearse(course: Path, assignments: Iterable[Assignment], how: shards.How) -> list[Trouble]:
    """Run model solutions and untouched releases as submissions, and list what goes wrong.

    What was run once is not run again.
    """
    todo, known = [], [*assignments]
    for assignment in known:
        for who, text in ((MODEL, model(assignment)), (RELEASE, canonical(assignment.student))):
            todo.append((Submission(who, assignment.name, text), assignment))
    records = shards.mark_all(course / FOLDER, todo, how, quiet=True)
    return [
        trouble
        for assignment in known
        for who in (MODEL, RELEASE)
        for trouble in _troubles(assignment, who, records[who, assignment.name])
    ]


def model(assignment: Assignment) -> str:
    """The notebook of a student who answers as the source does."""
    notebook = deepcopy(assignment.student)
    source = {cell.id: cell.source for cell in assignment.source.cells}
    for cell in notebook.cells:
        if cell.metadata.nbgrader.solution:
            cell.source = source[cell.id]
    return canonical(notebook)


def _troubles(assignment: Assignment, who: str, record: Record) -> Iterator[Trouble]:
    if record["executed"] is None:
        yield Trouble(assignment.name, "", "", f"the {who} could not be run: {record['reason']}")
        return
    cells = {cell.id: cell for cell in Executed.from_dict(record["executed"]).notebook.cells}
    for question in assignment.questions:
        for test in question.tests:
            points, most = determine_grade(cells[test])
            wrong = points < most if who == MODEL else points > 0
            if wrong:
                why = (_why if who == MODEL else _empty)(cells[test])
                message = f"the {who} has {points:g} of {most:g}{why}"
                yield Trouble(assignment.name, question.number, test, message)


def _why(cell: Any) -> str:
    """Say what a test raised, and in which line of its own."""
    failed = feedback.failure(cell)
    lines = [out.traceback[0] for out in cell.outputs if out.output_type == "error"][-1:]
    where = f" (in the line `{lines[0]}`)" if lines and lines[0] and lines[0] != failed else ""
    return f": {failed}{where}" if failed else ""


def _empty(cell: Any) -> str:
    """Say of a test that nothing is tested in its hidden region, if that is so."""
    begin, end = HIDDEN
    _, found, rest = cell.source.partition(begin)
    region = rest.partition(end)[0].rpartition("###")[0]
    empty = found and not ast.parse(region).body
    return ": its hidden region is empty" if empty else ""


def broken(assignment: Assignment, record: Record) -> Iterator[Trouble]:
    """List the tests that failed in a submission by a fault of ours."""
    results = record["executed"]["results"] if record["executed"] else {}
    for cell, info in results.items():
        question = assignment.question_of(cell)
        if info["status"] == "broken" and question is not None:
            yield Trouble(assignment.name, question.number, cell, info["reason"])


def stopped(assignment: Assignment, troubles: Iterable[Trouble]) -> dict[str, str]:
    """Map the tests of the questions that are stopped, all of them without a set-up, to reasons."""
    mine = [trouble for trouble in troubles if trouble.assignment == assignment.name]
    found: dict[str, str] = {}
    for question in assignment.questions:
        for trouble in mine:
            if trouble.question in ("", question.number):
                for test in question.tests:
                    found.setdefault(test, str(trouble))
    return found


def stop(
    records: Mapping[tuple[str, str], Record],
    assignments: Mapping[str, Assignment],
    troubles: list[Trouble],
) -> None:
    """Write into records which tests are stopped.

    ``troubles`` gets those that the records themselves hold, each once.
    """
    for (_, name), record in records.items():
        troubles += [each for each in broken(assignments[name], record) if each not in troubles]
    by_name = {name: stopped(assignment, troubles) for name, assignment in assignments.items()}
    for whose, record in records.items():
        record.pop("stopped", None)
        if by_name[whose[1]]:
            record["stopped"] = by_name[whose[1]]
