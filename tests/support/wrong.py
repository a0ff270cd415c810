"""Wrong answers to homework, and right ones other than ours: ``tests/wrong/<assignment>.py``.

A heading says which tests of its question an answer fails, by their names after the number:
``# %% q3 [hidden-ties]: ...`` fails ``q3-hidden-ties`` and nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "wrong"
HEAD = re.compile(r"^# %% (q\d+)( right)?(?: \[([a-z0-9, -]+)\])?: (.+)$", re.MULTILINE)
PUBLIC_ONLY = "public tests only"


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
    return [
        Answer(question, bool(right), _named(question, fails), about, source.strip() + "\n")
        for question, right, fails, about, source in zip(
            *(parts[k::5] for k in range(5)), strict=True
        )
    ]


def _named(question: str, fails: str | None) -> tuple[str, ...]:
    return tuple(f"{question}-{name}" for name in fails.split(", ")) if fails else ()


def rounds(assignment: str) -> list[dict[str, Answer]]:
    """The answers dealt out to submissions: the k-th holds the k-th answer to each question.

    Wrong ones come first. So most hands have wrong answers beside right ones, which must not pay
    for their neighbours.
    """
    dealt: list[dict[str, Answer]] = []
    for answer in sorted(answers(assignment), key=lambda answer: answer.right):
        place = next((hand for hand in dealt if answer.question not in hand), None)
        if place is None:
            dealt.append(place := {})
        place[answer.question] = answer
    return dealt
