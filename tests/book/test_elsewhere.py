"""A notebook of an edition where nothing of the book is: a fresh environment, the wheel, the cells.

A minute, for an environment is made and filled from PyPI: ``make test-all`` does it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import nbformat
import pytest
from support import site as checks

from editions import notebooks

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.xdist_group("elsewhere"),  # one environment for both
]

PAGES = ("1-influence/1b-greedy", "4-impurity/1-purity")


def run(*command: str | Path, cwd: Path = checks.ROOT) -> None:
    # Without the path of the tests, on which the package stands.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([str(part) for part in command], cwd=cwd, check=True, env=environment)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with what Colab and Binder have before the first cell: Jupyter."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", folder / "venv")
    run(
        folder / "venv/bin/python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "ipykernel",
        "nbclient",
        "nbformat",
    )
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(*pip, "--wheel-dir", folder, checks.ROOT)
    return folder


@pytest.mark.parametrize("page", PAGES)
def test_the_cells_run_after_the_first_has_installed(fresh: Path, page: str) -> None:
    wheel = next(fresh.glob("dtviz-*.whl"))
    text = (checks.ROOT / "book" / f"{page}.ipynb").read_text("utf-8")
    copy = fresh / "copy.ipynb"
    copy.write_text(notebooks.prepared(text, wheel.as_uri()), "utf-8")
    code = (
        "import nbformat, sys; from nbclient import NotebookClient; "
        "notebook = nbformat.read('copy.ipynb', 4); NotebookClient(notebook, timeout=600, "
        "kernel_name='python3').execute(); nbformat.write(notebook, 'done.ipynb')"
    )
    run(fresh / "venv/bin/python", "-c", code, cwd=fresh)
    done = nbformat.read(fresh / "done.ipynb", 4)
    cells = [cell for cell in done.cells if cell.cell_type == "code"]
    assert "install" in cells[0].metadata.tags
    assert all(cell.execution_count for cell in cells)
    assert [out for cell in cells for out in cell.outputs if out.output_type == "error"] == []
