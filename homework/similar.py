"""Answers that are alike beyond what is common: a hint for a person, and never a flag.

An answer is cut into runs of some signs. Runs of the released notebook, and those that many have,
count for nothing; scikit-learn counts the others. Two answers are told if the runs that few have
and both share are a large part of the shorter one.
"""

from __future__ import annotations

import builtins
import io
import keyword
import re
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homework import marking
from homework.assignments import Assignment, Question
from homework.marking import Record
from homework.restore import OWN

CODE, TEXT = 12, 6
"""Signs of a run: tokens of a program; words and points of a text."""

SHARE = 0.5
"""Alike is what shares so much of the shorter answer, or more."""

FEWEST = 20
"""So many runs must be shared: of less, two may have had the same idea."""

LONGEST = 20_000
"""Characters of an answer that are compared."""

TOLD = 40
"""So many pairs are told."""

_KNOWN = frozenset(keyword.kwlist) | frozenset(dir(builtins))
_IMPORT = re.compile(r"^(?:import|from) .*$", re.MULTILINE)


@dataclass(frozen=True)
class Pair:
    """Two students whose answers are alike; ``share`` is of the shorter one, 0 to 1."""

    share: float
    question: str
    students: tuple[str, str]


def similar(assignment: Assignment, records: Mapping[str, Record]) -> list[Pair]:
    """Find pairs of students with answers that are alike, the most alike first."""
    answers = {student: _answers(assignment, record) for student, record in records.items()}
    pairs: list[Pair] = []
    for question in assignment.questions:
        kind = "markdown" if question.written else "code"
        given = "\n".join(
            cell.source for cell in assignment.student.cells if cell.cell_type == kind
        )
        common = _runs(question, given, given)
        own = {
            student: _runs(question, texts.get(question.number, "")[:LONGEST], given) - common
            for student, texts in answers.items()
        }
        pairs += _pairs(question, {student: runs for student, runs in own.items() if runs})
    return sorted(pairs, key=lambda pair: (-pair.share, pair.question, pair.students))


def _answers(assignment: Assignment, record: Record) -> dict[str, str]:
    """By question the answer, with the cells that the student added below it."""
    found: dict[str, str] = {}
    current: Question | None = None
    for name, cell in marking.cells(record).items():
        question = assignment.question_of(name)
        if question is not None:
            current = question
        is_text = cell["cell_type"] == "markdown"
        if current is None or is_text != current.written:
            continue
        if name == current.answer or name.startswith(OWN):
            found[current.number] = f"{found.get(current.number, '')}{''.join(cell['source'])}\n"
    return found


def _runs(question: Question, text: str, given: str) -> set[tuple[str, ...]]:
    signs = [*(_words(text) if question.written else _signs(text, given))]
    length = TEXT if question.written else CODE
    return {tuple(signs[start : start + length]) for start in range(len(signs) - length + 1)}


def _words(text: str) -> Iterator[str]:
    return (found[0] for found in re.finditer(r"\w+|[^\w\s]", text.lower()))


def _signs(source: str, given: str) -> Iterator[str]:
    """Yield the tokens of a program, one and the same for all names that a student chose."""
    kept = _KNOWN.union(*(line.split() for line in _IMPORT.findall(given)))
    before = ""
    # What stands before a fault of syntax is compared.
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME:
                yield token.string if token.string in kept or before == "." else "name"
            elif token.type == tokenize.STRING:
                yield "text"
            elif token.type in (tokenize.NUMBER, tokenize.OP):
                yield token.string
            before = token.string


def _pairs(question: Question, own: Mapping[str, set[tuple[str, ...]]]) -> Iterator[Pair]:
    # It takes a second to load, and only this command needs it.
    from sklearn.feature_extraction.text import (  # type: ignore[import-untyped]  # noqa: PLC0415
        CountVectorizer,
    )

    students = [*own]
    if len(students) < 2:
        return
    few = _few(len(students))
    count = CountVectorizer(analyzer=iter, binary=True, min_df=2, max_df=few)
    try:
        counted = count.fit_transform(own.values())
    except ValueError:  # no run is left: nothing is alike
        return
    shared: Any = (counted @ counted.T).toarray()
    for one, first in enumerate(students):
        for other in range(one + 1, len(students)):
            second, both = students[other], int(shared[one, other])
            share = both / min(len(own[first]), len(own[second]))
            if both >= FEWEST and share >= SHARE:
                yield Pair(share, question.number, (first, second))


def _few(students: int) -> int:
    """What more have than these is taken for the way to do it, not somebody's way."""
    return max(2, min(5, students // 2), students // 10)


def told(course: Path, assignment: Assignment) -> Iterator[str]:
    """Yield lines to be read: who is alike in which question, the `TOLD` most alike first."""
    found, left = marking.current(course, assignment.name)
    records = {given.student: record for given, record in found}
    pairs = similar(assignment, records)
    yield f"{assignment.name}: {len(records)} marked submissions, pairs alike: {len(pairs)}"
    for pair in pairs[:TOLD]:
        who = " and ".join(pair.students)
        yield f"  question {pair.question}: {who}, {pair.share:.0%} of the shorter answer"
    if len(pairs) > TOLD:
        yield f"  and {len(pairs) - TOLD} more, less alike"
    if pairs:
        yield (
            "Alike beyond the released text and what many have. Look yourself: two may have worked "
            "together, read the same page or thought the same. It is no flag."
        )
    yield (
        f"What more than {_few(len(records))} of {len(records)} have counts for nothing: a copy "
        "that most of a class have is not found."
    )
    if left:
        yield f"  left out, for `grade` has not marked what is handed in: {', '.join(left)}"
