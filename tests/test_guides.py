"""The guides of the root: short, and what they name exists."""

import re
import subprocess
import sys

import pytest
from support.site import ROOT

MOST_BYTES = {"README.md": 6_000, "CONTRIBUTING.md": 8_000, "WRITING.md": 12_000}
FOLDER = "atlas|benchmarks|binder|book|deploy|dtviz|homework|tests|tools"


def missing(text: str) -> list[str]:
    """List the paths and the targets of the Makefile that a guide names, and that do not exist."""
    paths = re.findall(rf"[`(]((?:{FOLDER})/[\w./-]*)[`)]", text)
    targets = re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    return [p for p in paths if not (ROOT / p).exists()] + [t for t in targets if t not in known]


@pytest.mark.parametrize("name", MOST_BYTES)
def test_a_guide_is_short_and_names_what_exists(name):
    text = (ROOT / name).read_text("utf-8")
    assert len(text.encode()) <= MOST_BYTES[name]
    assert missing(text) == []


def test_the_examples_of_the_readme_run_with_what_the_book_installs():
    # Without pandas, which the tests install and the book does not.
    code = ["import sys; sys.modules['pandas'] = None\n"]
    code += re.findall(r"(?s)```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"))
    subprocess.run([sys.executable, "-c", "".join(code)], check=True)


def test_a_name_that_does_not_exist_is_found():
    text = "`tests/nowhere.py`, [page](book/nowhere.md), `make nothing`\nmake never\nmake book"
    assert missing(text) == ["tests/nowhere.py", "book/nowhere.md", "nothing", "never"]
