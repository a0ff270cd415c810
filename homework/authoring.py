"""Sources as one writes them: cells that say what they are by their text.

A cell without nbgrader's metadata gets it here, from the heading above it and its own text,
so that nobody has to invent ids or fill in forms to write a question.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from nbformat import NotebookNode

SOLUTION = ("BEGIN SOLUTION", "END SOLUTION")
HIDDEN = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")
RUBRIC = "#### Rubric"

ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d+[.)])\s+(.*)$", re.MULTILINE)
POINTS = re.compile(r"(\d+(?:\.\d+)?)\s*(?:points?|pts?)\b", re.IGNORECASE)
_HEADING = re.compile(r"^## Question (\w+):", re.MULTILINE)
_TESTS = re.compile(r"#\s*(.*?)\s*\((\d+(?:\.\d+)?) points?\)\.?\s*$")
_OFF = re.compile(r"^\*?Do not call[^:]*:\*?(.*)$", re.MULTILINE)
_IN_PLACE = re.compile(r"^\*?Works in place\b", re.MULTILINE)
_FUNCTION = re.compile(r"`dt\.(?:\w+\.)*(\w+)`")


def fill_in(cells: list[NotebookNode]) -> None:
    """Give metadata and ids to the cells that have none.

    ========================================  ==================================================
    text of the cell                          what it is
    ========================================  ==================================================
    a heading ``## Question 3: ...``          the question; ``Do not call: `dt.rank.find``` in it,
                                              or ``Works in place``
    code with ``### BEGIN SOLUTION``          its answer; what the solution defines is asked for
    code that begins ``# ... (2 points).``    tests, hidden if they are between the delimiters
    text with ``#### Rubric``                 a written answer, worth what the rubric adds up to
    anything else                             text or code that students are given
    ========================================  ==================================================
    """
    used = {cell.metadata.nbgrader.get("grade_id") for cell in cells if "nbgrader" in cell.metadata}
    number, off, in_place = "", "", False
    for cell in cells:
        heading = _HEADING.search(cell.source) if cell.cell_type == "markdown" else None
        if heading:
            number, off = heading[1], " ".join(_OFF.findall(cell.source))
            in_place = _IN_PLACE.search(cell.source) is not None
        if "nbgrader" not in cell.metadata and cell.cell_type in {"code", "markdown"}:
            name = f"q{number}" if heading else ""
            _describe(cell, number, name, _FUNCTION.findall(off) or off.split())
            if in_place and cell.metadata.nbgrader["solution"]:
                cell.metadata.dtviz["in_place"] = True
            meta = cell.metadata.nbgrader
            wanted, times = meta["grade_id"], 1
            while meta["grade_id"] in used:
                times += 1
                meta["grade_id"] = f"{wanted}-{times}"
            used.add(meta["grade_id"])
            cell.id = meta["grade_id"]


def _describe(cell: NotebookNode, number: str, name: str, without: list[str]) -> None:
    """Write into a cell what it is."""
    part = f"q{number}-" if number else ""
    meta: dict[str, Any] = {"schema_version": 3, "task": False}
    meta |= {"grade": False, "solution": False, "locked": True}
    first = cell.source.partition("\n")[0]
    if number and cell.cell_type == "code" and SOLUTION[0] in cell.source:
        asks = _defined(cell.source)
        kind = "implement" if "def " in cell.source else "compute"
        meta |= {"grade_id": f"{part}answer", "solution": True, "locked": False}
        cell.metadata.dtviz = _about(number, kind, asks, without)
    elif number and cell.cell_type == "markdown" and RUBRIC in cell.source:
        items = ITEM.findall(cell.source.partition(RUBRIC)[2])
        points = sum(float(worth[1]) for item in items if (worth := POINTS.search(item)))
        meta |= {"grade_id": f"{part}answer", "solution": True, "locked": False}
        meta |= {"grade": True, "points": points}
        cell.metadata.dtviz = _about(number, "explain", [], [])
    elif number and cell.cell_type == "code" and (tests := _TESTS.match(first)):
        aspect = re.sub(r"[^a-z0-9]+", "-", tests[1].partition(":")[2].lower()).strip("-")
        # Without delimiters its tests would be shown: what says that it is hidden must have them.
        hidden = HIDDEN[0] in cell.source or "hidden" in tests[1].lower()
        own = "hidden" + (f"-{aspect}" if aspect else "") if hidden else "tests"
        meta |= {"grade_id": part + own, "grade": True, "points": float(tests[2])}
    else:
        meta["grade_id"] = name or f"{part}{'code' if cell.cell_type == 'code' else 'text'}"
    cell.metadata.nbgrader = meta


def _about(number: str, kind: str, asks: list[str], without: list[str]) -> dict[str, Any]:
    return {"question": number, "kind": kind, "asks": asks, "without": without}


def _defined(source: str) -> list[str]:
    """Names that a cell defines, but for private ones; none if it is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [name.id for name in node.targets if isinstance(name, ast.Name)]
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]
