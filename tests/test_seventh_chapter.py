"""The recipe of CONTRIBUTING for a new chapter, followed with a tiny one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.node import write_bundles

import dtviz

PACKAGE = Path(dtviz.__file__).parent

FILES = {
    "__init__.py": '''"""Chapter 7."""
from dtviz.guessing.coin import guess
__all__ = ["guess"]
''',
    "coin.py": '''"""The learner that guesses."""
from dtviz.core.tree.tree import Tree
def guess() -> Tree:
    """A single leaf."""
    return Tree.leaf(0)
''',
    "explorer.js": 'import { explorers } from "../explorers/static/hosting/kit.js";\n'
    "explorers.guessing = () => () => {};\n",
    "explorer.css": ".dtviz-guessing { color: red; }\n",
}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the package with the chapter added as the recipe says."""
    copy = tmp_path / "dtviz"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        (copy / "guessing" / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / "guessing" / name).write_text(text, "utf-8")
    listing = copy / "chapters.py"
    text = listing.read_text("utf-8").replace('"pruning")', '"pruning", "guessing")')
    listing.write_text(text, "utf-8")
    return tmp_path


def run(house: Path, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(house)},
        cwd=house,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


CODE = "from dtviz.explorers.base import style_sheet as s; print('guessing' in s())"


def test_its_explorer_is_shipped(house):
    made = house / "dtviz/explorers/bundles"
    write_bundles(house / "dtviz", made)
    assert ".guessing=()=>" in (made / "guessing.js").read_text("utf-8")
    assert run(house, CODE) == "True\n"
