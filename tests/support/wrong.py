"""Wrong answers to homework, and right ones other than ours: ``tests/wrong/<assignment>.py``.

A heading says which tests of its question an answer fails, by their names after the number:
``# %% q3 [hidden-ties]: ...`` fails ``q3-hidden-ties`` and nothing else.

An answer of comments alone is the one called `BASE` with other lines: ``#-`` begins a line that
goes, ``#+`` one that comes, ``# `` one that stays, and ``#...`` stands between two places.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "wrong"
HEAD = re.compile(r"^# %% (q\d+)( right)?(?: \[([a-z0-9, -]+)\])?: (.+)$", re.MULTILINE)
PUBLIC_ONLY = "public tests only"
BASE = "as those below, without their faults"


@dataclass(frozen=True)
class Answer:
    """One answer to one question, and what is wrong or particular about it."""

    question: str
    right: bool
    fails: tuple[str, ...]
    """The ids of the tests that it fails."""
    about: str
    source: str


def answers(assignment: str) -> list[Answer]:
    """Every answer of an assignment's file."""
    parts = HEAD.split((FOLDER / f"{assignment}.py").read_text("utf-8"))[1:]
    found, bases = [], {}
    for question, right, fails, about, written in zip(
        *(parts[k::5] for k in range(5)), strict=True
    ):
        source = written.strip() + "\n"
        if about == BASE:
            bases[question] = source
        elif all(line.startswith("#") for line in source.splitlines()):
            source = _changed(bases[question], source)
        found.append(Answer(question, bool(right), _named(question, fails), about, source))
    return found


def _changed(base: str, changes: str) -> str:
    """Put other lines into an answer: each place must be there, and but once."""
    for change in reversed(changes.split("#...\n")):
        lines = [(line[1:2], f"{line[3:]}\n") for line in change.splitlines()]
        old = "".join(text for sign, text in lines if sign != "+")
        # At the beginning of a line.
        if f"\n{base}".count(f"\n{old}") != 1:
            raise ValueError(f"not in one place of the answer: {old!r}")
        new = "".join(text for sign, text in lines if sign != "-")
        base = f"\n{base}".replace(f"\n{old}", f"\n{new}")[1:]
    return base


def _named(question: str, fails: str | None) -> tuple[str, ...]:
    return tuple(f"{question}-{name}" for name in fails.split(", ")) if fails else ()


def rounds(assignment: str) -> list[dict[str, Answer]]:
    """The answers dealt out to submissions: the k-th holds the k-th answer to each question.

    Wrong ones come first. So most hands have wrong answers beside right ones, which must not pay
    for their neighbors.
    """
    dealt: list[dict[str, Answer]] = []
    for answer in sorted(answers(assignment), key=lambda answer: answer.right):
        place = next((hand for hand in dealt if answer.question not in hand), None)
        if place is None:
            dealt.append(place := {})
        place[answer.question] = answer
    return dealt
