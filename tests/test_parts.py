"""The table of `make test`: which parts ran, how long each took, and what a failure does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAKEFILE = """\
PARTS := first second third
all:
\t@{python} {script} "$(MAKE)" $(PARTS)
first:
\t@echo "== first"
\t@echo "run: $$DTVIZ_RUN"
second:
\t@echo "== second"; exit 3
third:
\t@echo "== third"
\t@echo "run: $$DTVIZ_RUN"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of three parts, the second of which fails."""
    (tmp_path / "tools").mkdir()
    script = tmp_path / "tools" / "parts.py"
    script.write_text((ROOT / "tools" / "parts.py").read_text("utf-8"), "utf-8")
    text = MAKEFILE.format(python=sys.executable, script="tools/parts.py")
    (tmp_path / "Makefile").write_text(text, "utf-8")
    return tmp_path


def make(folder: Path, *options: str) -> tuple[int, str]:
    environment = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
    done = subprocess.run(
        ["make", *options, "all"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_the_first_failure_ends_it(folder: Path) -> None:
    code, said = make(folder)
    assert code != 0
    rows = {row.split()[0]: row for row in said.splitlines() if row and not row.startswith("==")}
    assert rows["first"].endswith("passed")
    assert rows["second"].endswith("FAILED")
    assert rows["third"].split() == ["third", "not", "run"]
    assert rows["all"].endswith("FAILED")
    assert "== third" not in said


def test_all_parts_run_where_make_keeps_going(folder: Path) -> None:
    """They share one build of the book: all belong to one run."""
    code, said = make(folder, "-k")
    assert code != 0
    assert [said.count(f"== {part}") for part in ("first", "second", "third")] == [1, 1, 1]
    assert said.index("== third") < said.index("part ")
    assert len({line for line in said.splitlines() if line.startswith("run: ")}) == 1


def test_no_test_is_left_out_of_all_parts() -> None:
    """Whatever markers it has, a part of `make test-all` selects it."""
    text = (ROOT / "Makefile").read_text("utf-8")
    listed = re.search(r"^ALL_PARTS := (.*)$", text, re.MULTILINE)
    assert listed is not None
    rules = []
    for part in listed[1].split():
        recipe = re.search(rf"^{part}:.*\n((?:\t.*\n)+)", text, re.MULTILINE)
        assert recipe is not None
        rules += re.findall(r"-m \"([^\"]+)\"", recipe[1])
    assert len(rules) == 2
    markers = ("site", "browser", "homework", "thorough", "pdf")
    for held in product((False, True), repeat=len(markers)):
        has = dict(zip(markers, held, strict=True))
        assert any(eval(rule, {}, has) for rule in rules), has  # noqa: S307
