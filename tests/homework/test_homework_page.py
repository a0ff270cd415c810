"""The page "Teaching with this book", walked: its commands in order, each with what it answers.

A block in ``sh`` is typed, a block in ``text`` is what the block before it printed, and blocks in
``markdown`` and ``python`` are the cells of a notebook, which is there when the next is typed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from support.course import handwritten

from homework import ledger
from homework.__main__ import main
from homework.gradebook import Desk

pytestmark = [
    pytest.mark.homework,
    pytest.mark.thorough,
    # Of nbgrader's queries.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OURS = ("make ", ".venv/bin/python -m homework ")
HOME = "/home/you"
LEFT_OUT = {
    "make formgrader COURSE=~/course": "is done with a mouse: `_mark` enters the same mark",
    'make grade ARGS="--scheduler tcp://scheduler.example.org:8786"': "needs a cluster",
}


def _blocks() -> list[tuple[str, str]]:
    return BLOCK.findall((ROOT / "book" / "teaching.md").read_text("utf-8"))


def _typed(block: str) -> list[str]:
    """The commands of a block; what is no command of ours is for the shell, in one piece."""
    commands: list[str] = []
    for line in block.replace("\\\n", "").splitlines(keepends=True):
        if line.startswith(OURS):
            commands += [line.strip(), ""]
        else:
            commands[-1:] = [(commands or [""])[-1] + line]
    return [command for command in commands if command]


def _shell(command: str) -> str:
    done = subprocess.run(
        ["bash", "-ec", command.replace(".venv/bin/python", shlex.quote(sys.executable))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


def _run(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Do what a command does, and return what it prints; ours are run in this process."""
    if not command.startswith(OURS):
        return _shell(command)
    if command.startswith("make "):
        # What make would run: the last line, after what it would install.
        command = _shell(f"make --dry-run --no-print-directory {command[5:]}").splitlines()[-1]
    _, _, result = command.partition(" -m homework ")
    assert main([str(Path(word).expanduser()) for word in shlex.split(result)]) == 0, command
    return capsys.readouterr().out


def _mark(course: Path) -> None:
    """Give Ada's text two points, as the page does in formgrader."""
    with ledger.opened(Desk.of(course).url) as book:
        grade = book.find_grade("q5-answer", "1-influence", "1-influence", "ada")
        grade.manual_score, grade.needs_manual_grade = 2, False
        book.db.commit()


def _write(cells: list[tuple[str, str]], course: Path) -> None:
    """Write the notebook that the page shows cell by cell."""
    path = course / "source" / "0-mean" / "0-mean.ipynb"
    path.parent.mkdir()
    kinds = {"markdown": "markdown", "python": "code"}
    shown = [(kinds[kind], text.rstrip("\n")) for kind, text in cells]
    path.write_text(handwritten(shown), encoding="utf-8")


def _answer(printed: str, home: Path) -> str:
    """What was printed, of a reader's home and Python, on one line."""
    for python in (sys.executable, os.path.relpath(sys.executable, ROOT)):
        printed = printed.replace(python, ".venv/bin/python")
    return " ".join(printed.replace(str(home), HOME).split())


def _pattern(shown: str) -> str:
    """What the page says is printed: `...` on a line of its own is anything."""
    parts = re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)
    return ".*".join(re.escape(" ".join(part.split())) for part in parts)


def _walk(home: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[str, str]]:
    """Walk the page: yield each output block, and what was printed there."""
    course, printed, cells = home / "course", "", []
    for kind, text in _blocks():
        if kind == "text":
            yield text, _answer(printed, home)
        elif kind != "sh":
            cells.append((kind, text))
        else:
            if cells:
                _write(cells, course)
                cells = []
            printed = ""
            for command in _typed(text):
                if "formgrader" in command:
                    _mark(course)
                printed += "" if command in LEFT_OUT else _run(command, capsys)


def test_every_command_of_the_page_answers_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(ROOT)
    seen = 0
    for result, printed in _walk(tmp_path, capsys):
        assert re.fullmatch(_pattern(result), printed), f"{result}\nthe page says, not\n{printed}"
        seen += 1
    assert seen >= 9
    typed = [command for kind, text in _blocks() if kind == "sh" for command in _typed(text)]
    assert {*LEFT_OUT} <= {*typed}
