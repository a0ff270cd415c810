"""A small course to test homework with: one assignment, ``demo``, of four questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

if TYPE_CHECKING:
    from homework.assignments import Assignment

RIGHT = {
    "q1": '''def average(values):
    """The mean of a list of numbers."""
    return sum(map(float, values)) / len(values)
''',
    "q2": "answer = sum(k * k for k in range(1, 11))",
    "q3": '''def draw(ax):
    """Draw k * k for k = 0, ..., 5 on the Axes."""
    ax.plot(range(6), [k * k for k in range(6)])
    return ax
''',
    "q4": "Swap the summands; addition does not care for their order.",
}
"""Right answers by question, other than the reference solutions."""

WRONG = {
    "q1": "def average(values):\n    return sum(values)\n",
    "q2": "answer = 384",
    "q3": "def draw(ax):\n    ax.plot([0, 1], [0, 1])\n    return ax\n",
    "q4": "Because it is so.",
}
"""Wrong answers by question that run without an exception."""

HIDDEN_LINE = "assert _average(_numbers) == 1234.5, 'the mean of many numbers is wrong'"
SOLUTION_LINE = "total_of_all_values = sum(float(value) for value in values)"
RUBRIC_LINE = "- 2 points: names the commutative law and applies it to both sums."
MODEL_LINE = "Addition of real numbers commutes, so the two sums have the same value."
"""Lines of the course that no student may see."""


def _mark(cell: NotebookNode, name: str, flags: str, points: float | None = None) -> NotebookNode:
    """Give a cell its id and nbgrader's metadata; flags are among g(rade), l(ocked), s(olution)."""
    cell.id = name
    cell.metadata["nbgrader"] = {
        "grade": "g" in flags,
        "grade_id": name,
        "locked": "l" in flags,
        "schema_version": 3,
        "solution": "s" in flags,
        "task": False,
    }
    if points is not None:
        cell.metadata["nbgrader"]["points"] = points
    return cell


def _text(name: str, source: str) -> NotebookNode:
    return _mark(new_markdown_cell(source), name, "l")


def _code(name: str, source: str) -> NotebookNode:
    return _mark(new_code_cell(source), name, "l")


def _answer(number: str, kind: str, ask: str, without: list[str], source: str) -> NotebookNode:
    cell = _mark(new_code_cell(source), f"q{number}-answer", "s")
    cell.metadata["dtviz"] = {"question": number, "kind": kind, "asks": [ask], "without": without}
    return cell


def _tests(number: str, source: str) -> NotebookNode:
    source += f'\nprint("Question {number}: the public tests pass.")'
    return _mark(new_code_cell(source), f"q{number}-tests", "gl", 1)


def _hidden(number: str, points: int, source: str) -> NotebookNode:
    source = (
        f"# Hidden tests ({points} points).\n### BEGIN HIDDEN TESTS\n{source}\n### END HIDDEN TESTS"
    )
    return _mark(new_code_cell(source), f"q{number}-hidden", "gl", points)


def _written(number: str, source: str, points: int) -> NotebookNode:
    cell = _mark(new_markdown_cell(source), f"q{number}-answer", "gs", points)
    cell.metadata["dtviz"] = {"question": number, "kind": "explain", "asks": [], "without": []}
    return cell


def source() -> NotebookNode:
    """The source of the assignment ``demo``: 14 points, 11 by machine and 3 by hand."""
    cells = [
        _text("intro", "# Homework 0: a demonstration\n\nBack to [the chapter](../0-demo.ipynb)."),
        _code("setup", "import numpy as np\n\nimport dtviz as dt"),
        _text("q1", "## Question 1: A mean (4 points)\n\nWrite `average`."),
        _answer(
            "1",
            "implement",
            "average",
            ["mean"],
            'def average(values):\n    """The mean of a list of numbers."""\n'
            f"    ### BEGIN SOLUTION\n    {SOLUTION_LINE}\n"
            "    return total_of_all_values / len(values)\n    ### END SOLUTION",
        ),
        _tests("1", "assert float(average([1, 2, 3])) == 2, 'the mean of 1, 2, 3 is 2'"),
        _hidden(
            "1",
            3,
            "_average = lambda _values: float(average(_values))\n"
            f"_numbers = [1000.0, 1469.0]\n{HIDDEN_LINE}",
        ),
        _text("q2", "## Question 2: A sum (4 points)\n\nWhat is $1 + 4 + \\dots + 100$?"),
        _answer(
            "2",
            "compute",
            "answer",
            [],
            "### BEGIN SOLUTION\nanswer = 10 * (10 + 1) * (2 * 10 + 1) // 6\n### END SOLUTION",
        ),
        _tests("2", "assert int(answer) > 0, 'the sum is a positive integer'"),
        _hidden("2", 3, "assert int(answer) == 385, 'the sum of the squares is wrong'"),
        _text("q3", "## Question 3: A plot (3 points)\n\nDraw $k^2$."),
        _answer(
            "3",
            "plot",
            "draw",
            [],
            'def draw(ax):\n    """Draw k * k for k = 0, ..., 5 on the Axes."""\n'
            "    ### BEGIN SOLUTION\n    steps_to_draw = np.arange(6)\n"
            "    ax.plot(steps_to_draw, steps_to_draw**2)\n    return ax\n    ### END SOLUTION",
        ),
        _tests(
            "3",
            "from matplotlib.figure import Figure as _Figure\n\n"
            "_lines = draw(_Figure().subplots()).lines\n"
            "assert len(_lines) == 1, 'one line is drawn'",
        ),
        _hidden(
            "3",
            2,
            "from matplotlib.figure import Figure as _Figure\n\n"
            "_points = draw(_Figure().subplots()).lines[0].get_xydata().tolist()\n"
            "assert _points == [[k, k * k] for k in range(6)], 'the line has other points'",
        ),
        _text("q4", "## Question 4: Why? (3 points)\n\nWhy may the sum be taken backwards?"),
        _written(
            "4",
            f"{MODEL_LINE}\n\n#### Rubric\n\n{RUBRIC_LINE}\n- 1 point: says so for ten summands.",
            3,
        ),
        _text("outro", "Save, and hand in under the same name."),
    ]
    notebook: NotebookNode = new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    return notebook


def handwritten(cells: Iterable[tuple[str, str]]) -> str:
    """A source of cells of a kind and a text, without any metadata, as one writes it."""
    new: dict[str, Callable[..., NotebookNode]]
    new = {"code": new_code_cell, "markdown": new_markdown_cell}
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return text(new_notebook(cells=[new[kind](cell) for kind, cell in cells], metadata=metadata))


def text(notebook: Mapping[str, Any]) -> str:
    """A notebook as canonical JSON."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_course(folder: Path) -> Path:
    """Write the course into a folder: ``source/demo/demo.ipynb``; the folder is its course."""
    path = folder / "source" / "demo" / "demo.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(source()), encoding="utf-8")
    return folder


def in_this_process(
    function: Callable[..., Any], *arguments: Any, heard: Callable[[Any], object] = id, **_: Any
) -> Any:
    """In the place of `homework.apart.call`: without a process, so that what is patched holds."""
    return function(*arguments, report=heard)


def answers(**changed: str) -> dict[str, str]:
    """Right answers to all questions but those given: ``answers(q1="average = max")``."""
    return RIGHT | changed


def submission(assignment: Assignment, given: Mapping[str, str]) -> str:
    """The text of a student's notebook: the student copy with answers in it.

    Keys are questions (``"q1"``) or ids of cells (``"q1-answer"``); what is not given stays empty.
    """
    notebook = nbformat.from_dict(json.loads(json.dumps(assignment.student)))
    for key, answer in given.items():
        name = key if key.endswith("-answer") else f"{key}-answer"
        cell = next(c for c in notebook.cells if c.metadata.nbgrader.grade_id == name)
        cell.source = answer
    return text(notebook)
