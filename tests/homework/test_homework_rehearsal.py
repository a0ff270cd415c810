"""Slips in our own tests: found before a student meets them, and never a zero."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from support.course import handwritten, submission
from support.grading import NOISE, Printed

from homework import rehearsal, shards
from homework.__main__ import main
from homework.assignments import load
from homework.bubblewrap import MIB, Limits

pytestmark = [pytest.mark.homework, pytest.mark.slow, *NOISE]

LIMITS = Limits(cell_seconds=20, notebook_seconds=120, memory=1024 * MIB)
FILE = "return open('table.csv').read()"
CAPTURED = """import io
from contextlib import redirect_stdout
with redirect_stdout(io.StringIO()) as said:
    answer(1)
assert said.getvalue() == "1\\n", "nothing is printed"
"""
SOLUTIONS = {
    "a": ("return 2 * x", "assert (answer(1) == 2", "SyntaxError"),
    "b": ("return 2 * x", "assert answer(1) == tow", "name 'tow' is not defined"),
    "c": ("return 2 * x", "assert answer(1) == 3, 'it is 3'", "has 0 of 1: it is 3"),
    "d": ("return math.sqrt(x)", "assert answer(4) == math.sqrt(4)", "name 'math' is not defined"),
    "e": ("return Box(x)", "assert answer(1).inside == 1", "AttributeError"),
    "f": ("return Box.read(x)", "answer(Box(1))", "name 'Box' is not defined"),
    "g": (FILE, "answer(1)", "FileNotFoundError"),
    "h": ("print(x)", CAPTURED, "nothing is printed"),
    "i": (
        "return np.random.rand()",
        "np.random.seed(0)\nx = answer(1)\nnp.random.seed(0)\nassert x == answer(1), 'seed'",
        "has 0 of 1: seed",
    ),
    "j": ("return 2 * x", "", "the untouched release has 1 of 1: its hidden region is empty"),
    "k": ("return 2 * x", "# nothing yet", "its hidden region is empty"),
    "l": ("return 2 * x", "assert True", "the untouched release has 1 of 1"),
    "m": ("return x", "class Mine: pass\nanswer(Mine())", "Mine cannot be handed to an answer"),
    # These are right.
    "n": ("return frame.assign(z=1).z", "assert answer(pd.DataFrame({'x': [2]})).sum() == 1", ""),
    "o": ("return x", "(answer(1) == 1) / 2 + 0.5", ""),
    "p": ("return sum(x)", "assert answer(k for k in range(4)) == 6", ""),
    "q": ("return Pair(x, {x})", "assert (answer(1).one, answer(1).two) == (1, {1})", ""),
}
"""What the answer does, what its hidden test does, and what is said of it."""
GIVEN = "%matplotlib inline\nimport numpy as np\nimport pandas as pd\n"
ANSWER = """### BEGIN SOLUTION
{before}
### END SOLUTION
def answer({of}):
    ### BEGIN SOLUTION
    {solution}
    ### END SOLUTION"""
HIDDEN = """# Hidden tests (1 points).
### BEGIN HIDDEN TESTS
{}
### END HIDDEN TESTS"""
BEFORE = {
    "d": "import math\n",
    "e": "class Box:\n    def __init__(self, x):\n        self.inside = x\n",
    "q": "from dataclasses import dataclass\n@dataclass\nclass Pair:\n    one: int\n    two: set\n",
}


def written(folder: Path, slips: dict[str, tuple[str, str, str]]) -> Path:
    """Write a course of one assignment, a question for each slip."""
    cells = [("markdown", "# Homework"), ("code", GIVEN)]
    for name, (solution, test, _) in slips.items():
        argument = "frame" if "frame" in solution else "x"
        cells += [
            ("markdown", f"## Question {name}: Something (1 points)"),
            ("code", ANSWER.format(before=BEFORE.get(name, ""), of=argument, solution=solution)),
            ("code", HIDDEN.format(test)),
        ]
    path = folder / "source" / "own" / "own.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(handwritten(cells), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is said of each question."""
    course = written(tmp_path_factory.mktemp("slips"), SOLUTIONS)
    how = shards.How(shards=2, limits=LIMITS)
    troubles = rehearsal.rehearse(course, [load("own", course)], how)
    return {trouble.question: trouble.message for trouble in troubles}


@pytest.mark.parametrize(("question", "said"), [(q, said) for q, (*_, said) in SOLUTIONS.items()])
def test_every_kind_of_slip_is_found_before_anybody_is_marked(
    found: dict[str, str], question: str, said: str
) -> None:
    assert said in found.get(question, "")
    assert bool(said) == (question in found)


def test_nothing_is_released_with_a_slip_and_its_line_is_printed(
    tmp_path: Path, capsys: Printed
) -> None:
    course = written(tmp_path, {name: SOLUTIONS[name] for name in "bcj"})
    assert main(["release", "--course", str(course)]) == 2
    output = capsys.readouterr().err
    assert "own, question b, qb-hidden" in output
    assert "in the line `assert answer(1) == tow`" in output
    assert "question c" in output
    assert "question j" in output
    assert not (course / "release").exists()


def test_data_beside_the_source_are_there_for_answers_and_tests_and_are_handed_out(
    tmp_path: Path,
) -> None:
    test = "assert answer(1) == 'x\\n1\\n' == open('table.csv').read()"
    course = written(tmp_path, {"g": (FILE, test, "")})
    (course / "source" / "own" / "table.csv").write_text("x\n1\n")
    assert main(["release", "--course", str(course)]) == 0
    assert (course / "release" / "own" / "table.csv").read_text() == "x\n1\n"


LATE = ("return 2 * x", "assert answer(1) == 2, f'{answre(1)} is not 2'", "")


def test_a_slip_that_only_a_wrong_answer_meets_stops_its_question_for_everybody(
    tmp_path: Path, capsys: Printed
) -> None:
    course = written(tmp_path, {"a": LATE, "o": SOLUTIONS["o"]})
    leak = "def answer(x):\n    raise ValueError(f'SECRET {x}' * 9)"
    answers = {
        "ada": ("def answer(x):\n    return 2 * x", "def answer(x):\n    return x"),
        "bob": ("def answer(x):\n    return x", "def answer(x):\n    return 2 * x"),
        "cyd": ("def answer(x):\n    return 2 * x", leak),
    }
    for student, (first, second) in answers.items():
        path = course / "submitted" / student / "own" / "own.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(submission(load("own", course), {"qa": first, "qo": second}), "utf-8")
    run = ["grade", "--course", str(course)]
    assert main(run) == 1
    output = capsys.readouterr().err
    assert "OUR TEST: own, question a, qa-hidden: NameError: name 'answre' is not defined" in output
    rows = (course / "grades.csv").read_text("utf-8").splitlines()[1:]
    assert [row.split(",")[5:8] for row in rows] == [
        ["stopped", "", points] for points in ("1", "0.5", "0")
    ]
    # Mended, all have their points, and nobody need accept what was never published.
    text = (course / "source/own/own.ipynb").read_text("utf-8")
    (course / "source/own/own.ipynb").write_text(text.replace("answre", "answer"), "utf-8")
    assert main(run) == 0
    rows = (course / "grades.csv").read_text("utf-8").splitlines()[1:]
    assert [row.split(",")[5:7] for row in rows] == [
        ["graded", points] for points in ("2", "0.5", "1")
    ]
    # What an answer raises in a hidden test may not carry away what it was given.
    page = (course / "feedback/cyd/own/own.html").read_text("utf-8")
    plain = re.sub(r"<[^>]*>", "", page)
    assert "Hidden tests: not passed: ValueError in your line `raise ValueError(" in plain
    assert "SECRET 1" not in plain
    assert json.dumps(page).count("SECRET") > 0, "the student's own line is shown"
