"""The guides of the root: short, and what they name exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = {"README.md": 6_000, "CONTRIBUTING.md": 8_000, "WRITING.md": 12_000}
FOLDER = "atlas|benchmarks|binder|book|deploy|dtviz|homework|tests|tools"
every_guide = pytest.mark.parametrize("name", MOST_BYTES)


def missing(text: str) -> list[str]:
    """List the paths and the targets of the Makefile that a guide names, and that do not exist."""
    paths = re.findall(rf"[`(]((?:{FOLDER})/[\w./-]*)[`)]", text)
    targets = re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    return [p for p in paths if not (ROOT / p).exists()] + [t for t in targets if t not in known]


@every_guide
def test_what_a_guide_names_exists(name):
    assert missing((ROOT / name).read_text("utf-8")) == []


def test_the_examples_of_the_readme_run_with_what_the_book_installs():
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    # Not all that the tests install: pandas is not among what a reader has.
    refuse = "import sys; sys.modules['pandas'] = None\n"
    subprocess.run([sys.executable, "-c", refuse + "".join(code)], check=True)


@every_guide
def test_a_guide_is_short(name):
    assert (ROOT / name).stat().st_size <= MOST_BYTES[name]


def test_a_name_that_does_not_exist_is_found():
    text = "`tests/nowhere.py`, [page](book/nowhere.md), `make nothing`\nmake never\nmake book"
    assert missing(text) == ["tests/nowhere.py", "book/nowhere.md", "nothing", "never"]
