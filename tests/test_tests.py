"""The tests themselves: what they share is in ``support/``; no test file imports another.

Only the claims of a chapter may: one builds on cases of another.

And how Python is written here: no call is split up to please the formatter.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = sorted(path.relative_to(TESTS) for path in TESTS.rglob("*.py"))
FOLDERS = ("dtviz", "homework", "tools", "tests", "benchmarks", "book/_ext")


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
    own = f"claims.{path.parent.name}." if path.parts[0] == "claims" else "none"
    found = borrowed((TESTS / path).read_text("utf-8"))
    assert [name for name in found if not name.startswith(own)] == []


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


def split_up(text: str) -> list[int]:
    """Tell the lines with calls such as ``f(*(a, b), c)``, where ``f(a, b, c)`` is meant."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    stars = [part for call in calls for part in call.args if isinstance(part, ast.Starred)]
    return [part.lineno for part in stars if isinstance(part.value, ast.Tuple | ast.List)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_call_is_split_up(folder: str) -> None:
    files = [*(TESTS.parent / folder).rglob("*.py")]
    found = {str(path): lines for path in files if (lines := split_up(path.read_text("utf-8")))}
    assert files
    assert found == {}


@pytest.mark.parametrize("text", ["f(*(a, b), c)", "f(\n    *[a],\n)", "g(f(*(a,)))"])
def test_a_call_that_is_split_up_is_found(text: str) -> None:
    assert len(split_up(text)) == 1


def test_what_is_no_literal_may_be_unpacked() -> None:
    assert split_up("f(*rows, *map(str, a), *(row for row in rows), (a, b))") == []
