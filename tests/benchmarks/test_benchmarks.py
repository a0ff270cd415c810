"""What the benchmarks call is there. Those with peers run in an environment of their own."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dtviz

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "benchmarks").glob("*.py"))
EVENTS = re.findall(
    r"^    Event\(\s*\"([^\"]+)\"", (ROOT / "benchmarks/events.py").read_text(), re.MULTILINE
)


def used(text: str) -> list[str]:
    """The public names that a benchmark uses of the package, such as ``dt.rank.find``."""
    nodes = [*ast.walk(ast.parse(text))]
    chains = [ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)]
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return [
        *[chain for chain in chains if re.fullmatch(r"dt(\.\w+)+", chain)],
        *[f"{node.module}:{name.name}" for node in imports for name in node.names],
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_a_benchmark_calls_is_there(path: Path) -> None:
    for name in used(path.read_text("utf-8")):
        room, _, imported = name.partition(":")
        if name.startswith("dt."):
            thing: object = dtviz
            for part in name.split(".")[1:]:
                thing = getattr(thing, part)
        elif room.partition(".")[0] == "dtviz":
            assert hasattr(importlib.import_module(room), imported), name


def start(*command: str) -> str:
    """Run a benchmark as the Makefile does, and return what it printed."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_benchmark_of_grading_starts() -> None:
    assert "Grade a class, with feedback" in start("benchmarks/grading.py", "--help")


@pytest.mark.browser
@pytest.mark.thorough
def test_every_event_of_the_explorers_is_timed() -> None:
    """One that does nothing, for its control is gone, ends the measuring."""
    result = start("benchmarks/events.py", "--toy").splitlines()[-len(EVENTS) :]
    assert [line[:42].strip() for line in result] == EVENTS
