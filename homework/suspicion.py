"""Code that an answer has no use for, found by reading it: nothing is run.

It changes no mark and holds nothing back: tests run in another process, which no student's code
reaches. An instructor may want to look at it all the same, for what it tells of an answer: that it
takes the library apart, starts programs, or reads files.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from nbformat import NotebookNode

from homework.findings import Finding

MAX_SCANNED = 100_000
"""Letters of code that are read; more is no homework and is told."""

MAX_TOLD = 5
"""Things of one cell that are told."""

_MODULES = re.compile(
    r"(ctypes|gc|homework|http|inspect|multiprocessing|pty|requests|socket|subprocess|urllib)(\..*)?"
)
"""Modules that take code apart, start programs, or reach a network."""

_NAMES = re.compile(
    r"__(builtins|closure|code|globals|import|subclasses)__|_getframe|compile|eval|exec|f_back"
    r"|f_globals|get_ipython|open"
)
"""Names and attributes of the same kind."""


def suspicions(notebook: NotebookNode) -> tuple[Finding, ...]:
    """List what an instructor may want to look at, each with the line it is about.

    The notebook is a restored one: of its cells the student's own have no metadata.
    """
    found: list[Finding] = []
    left = MAX_SCANNED
    for cell in notebook.cells:
        ours = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code" or not ours.get("solution", True):
            continue
        left -= len(cell.source)
        if left < 0:
            message = f"more than {MAX_SCANNED} letters of code: the rest was not read"
            return (*found, Finding("suspicious", cell.id, message))
        told = sorted(set(_told(cell.source)))
        found += [
            Finding("suspicious", cell.id, f"line {line}: {what}") for line, what in told[:MAX_TOLD]
        ]
    return tuple(found)


def _told(source: str) -> Iterator[tuple[int, str]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Commands of IPython, or no Python: then it does not run, or is there to be seen.
        return
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (
                    (node.lineno, f"imports {m.name}")
                    for m in node.names
                    if _MODULES.fullmatch(m.name)
                )
            case ast.ImportFrom(module=str(module)) if _MODULES.fullmatch(module):
                yield node.lineno, f"imports {module}"
            case ast.Name(id=name, ctx=ast.Load()) if _NAMES.fullmatch(name):
                yield node.lineno, f"uses {name}"
            # re.compile and frame.eval are nobody's secret ways.
            case ast.Attribute(attr=name) if "_" in name and _NAMES.fullmatch(name):
                yield node.lineno, f"uses {name}"
