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


def source() -> NotebookNode:
    """The source of the assignment ``demo``: 14 points, 11 by machine and 3 by hand."""
    path = Path(__file__).parents[1] / "homework" / "demo.ipynb"
    notebook: NotebookNode = nbformat.read(path, as_version=4)
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
    """In the place of `child_process.call`: without a process, so that what is patched holds."""
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
