"""`make test-notebooks`: nbval runs every notebook, and a changed number turns it red."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support import site

ROOT = site.ROOT
FOLDERS = "book homework/source"


def recipe(*options: str) -> subprocess.CompletedProcess[str]:
    """Run what `make test-notebooks` runs, on other notebooks or with more options."""
    environment = {key: value for key, value in os.environ.items() if "MAKE" not in key}
    dry = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "test-notebooks"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (command,) = re.findall(r"^.* --nbval (?:.*\\\n)*.*$", dry.stdout, re.MULTILINE)
    words = shlex.split(command.replace("\\\n", " "))
    assert " ".join(words).endswith(FOLDERS)
    return subprocess.run(
        [*words[:-2], "-p", "no:cacheprovider", *options],
        cwd=ROOT, env=environment | {"PYTEST_ADDOPTS": ""}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_nbval_runs_every_notebook_of_the_contents() -> None:
    done = recipe("--collect-only", "--numprocesses", "0", *FOLDERS.split())
    assert done.returncode == 0, done.stdout + done.stderr
    run = set(re.findall(r"^(\S+\.ipynb)::", done.stdout, re.MULTILINE))
    listed = {f"{page}.ipynb" for page in site.contents() if (ROOT / f"{page}.ipynb").exists()}
    sources = {str(path.relative_to(ROOT)) for path in ROOT.glob("homework/source/*/*.ipynb")}
    assert run == listed | sources
    assert len(sources) == len(list(ROOT.glob("book/homework/*.ipynb"))) == 5


def test_the_name_of_a_page_begins_with_its_place_in_the_chapter() -> None:
    for page in site.contents():
        inside = re.fullmatch(r"book/(\d)-[a-z]+/(?!index)(.+)", page)
        if inside:
            pages = [p for p in site.contents() if p.startswith(f"book/{inside[1]}-")]
            assert inside[2].startswith(f"{pages.index(page)}-"), page


@pytest.mark.slow
def test_one_changed_number_is_seen(tmp_path: Path) -> None:
    """Of a page with another digit in one of its outputs; as it is stored, the recipe passes it."""
    text = (ROOT / "book/2-rank/2-few-leaves.ipynb").read_text("utf-8")
    notebook = json.loads(text)
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    printed = next(output for output in outputs if output.get("name") == "stdout")
    line = next(k for k, line in enumerate(printed["text"]) if re.search(r"\d", line))
    digit = re.search(r"\d", printed["text"][line])
    assert digit is not None
    other = str((int(digit[0]) + 1) % 10)
    printed["text"][line] = printed["text"][line].replace(digit[0], other, 1)
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps(notebook), "utf-8")
    done = recipe(str(path))
    assert done.returncode == 1, done.stdout
    assert "Cell outputs differ" in done.stdout
    assert "1 failed," in done.stdout
