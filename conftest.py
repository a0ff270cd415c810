"""For ``pytest --nbval`` on a released homework: where an answer is awaited, an error may stand."""

from __future__ import annotations

from pathlib import Path

import pytest

RELEASED = Path(__file__).parent / "book" / "homework"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the cells of the answers fail, and the tests of them; every other cell must run."""
    for item in items:
        if item.path.parent == RELEASED and (cell := getattr(item, "cell", None)):
            graded = cell.metadata.get("nbgrader", {})
            if graded.get("solution") or graded.get("grade"):
                item.add_marker(pytest.mark.xfail(reason="awaits an answer", strict=False))
