"""The tests themselves: what they share stands in ``support/``; no test file imports another."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = sorted(path.relative_to(TESTS) for path in TESTS.rglob("*.py"))


def borrowed(text: str) -> list[str]:
    """Tell which test files the source of another imports, under whatever path."""
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module or ''}.{alias.name}" for alias in node.names]
    return [name for name in names if any(part.startswith("test_") for part in name.split("."))]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_test_file_is_imported(path: Path) -> None:
    assert borrowed((TESTS / path).read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import test_rank_explorer",
        "from test_rank_explorer import status_text as rank_status",
        "def f():\n    from tests.rank import test_rank",
        "from .test_rank import oracle",
    ],
)
def test_a_borrowed_function_is_found(text: str) -> None:
    assert len(borrowed(text)) == 1


def test_what_is_shared_is_not_found() -> None:
    assert borrowed("from support.site import pages\nimport pytest") == []
