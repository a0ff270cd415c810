"""Calls that a question asks not to make, found by reading: nothing is run, and no mark changes.

A person sees them beside the answer and judges. Who hides a call finds ways to; who copied one from
the book without thinking does not look for them.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from homework.findings import Finding

LIBRARY = "dtviz"
MAX_SHOWN = 5  # lines of one cell

_IPYTHON: Any = TransformerManager()  # type: ignore[no-untyped-call]
_MADE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def calls(notebook: NotebookNode) -> tuple[Finding, ...]:
    """List where answers use what their question asks not to call.

    The notebook is a restored one. Of a student's own cells only functions are read: to compare
    with the library there is what the book asks for.
    """
    found: list[Finding] = []
    answers = [cell.metadata[LIBRARY] for cell in notebook.cells if LIBRARY in cell.metadata]
    by_question = {f"q{info['question']}": info["without"] for info in answers}
    without: list[str] = []
    for cell in notebook.cells:
        ours = cell.metadata.get("nbgrader", {})
        if ours:
            without = by_question.get(cell.id.partition("-")[0], [])
        if cell.cell_type != "code" or not ours.get("solution", True) or not without:
            continue
        lines = sorted(set(_uses(cell.source, frozenset(without), own=not ours)))
        found += [
            Finding("suspicious", cell.id, f"line {line}: the question says not to call {name}")
            for line, name in lines[:MAX_SHOWN]
        ]
    return tuple(found)


def _uses(source: str, names: frozenset[str], *, own: bool) -> Iterator[tuple[int, str]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(_IPYTHON.transform_cell(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # it does not run either
    known, nodes = _aliases(tree), [*ast.walk(tree)]
    if own:
        nodes = [each for node in nodes if isinstance(node, _MADE) for each in ast.walk(node)]
    for node in nodes:
        match node:
            case ast.Attribute(attr=name) if name in names and _root(node) in known:
                yield node.lineno, name
            case ast.ImportFrom() if _of_library(node.module or ""):
                yield from ((node.lineno, m.name) for m in node.names if m.name in names)
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
                if name in names:
                    yield node.lineno, name


def _aliases(tree: ast.AST) -> set[str]:
    """Names that stand for the library or something in it."""
    known = {"dt", LIBRARY}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {m.asname or LIBRARY for m in node.names if _of_library(m.name)}
        elif isinstance(node, ast.ImportFrom) and _of_library(node.module or ""):
            known |= {m.asname or m.name for m in node.names}
    return known


def _of_library(module: str) -> bool:
    return module.partition(".")[0] == LIBRARY


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes begins with; empty if it begins otherwise."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
