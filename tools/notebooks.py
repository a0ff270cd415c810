"""Run the chapter notebooks and store them so that a diff shows what changed and nothing else.

``python tools/notebooks.py [FILE ...]`` executes each notebook (all of ``book/`` by default) in a
fresh kernel and writes it back. What a cell prints is stored, and a table that it shows, as plain
text and as HTML: ``pytest --nbval`` compares both. The output of cells that draw (tagged
``nbval-ignore-output``) is not stored, nor is any trace of the execution.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
DRAWS = "nbval-ignore-output"
TEXT = {"text/plain", "text/html"}
RANDOM = re.compile(r"\bid=|0x[0-9a-f]{6,}")
"""What differs from run to run: an id that some library made up, the address of an object."""
CELL_TIMEOUT = 300
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# What an author may say about a cell, and about a page; everything else is some editor's state.
KEPT_METADATA = {"tags", "mystnb"}
OF_PAGES = {"sticky", "figure_later"}

Cell = dict[str, Any]


def chapters() -> list[Path]:
    """Return the notebooks of the book, in order; homework is not ours to solve."""
    folders = ("", "[0-9]-*/", "atlas/", "reference/")
    pages = [path for folder in folders for path in (ROOT / "book").glob(f"{folder}*.ipynb")]
    return sorted(pages, key=lambda path: (path.parent.name, path.name != "index.ipynb", path.name))


def code_cells(notebook: NotebookNode) -> Iterator[tuple[int, Cell]]:
    """Yield each code cell with its place in the notebook."""
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            yield place, cell


def draws(cell: Cell) -> bool:
    """Whether the cell is one that draws: its output is shown, not stored and not compared."""
    return DRAWS in cell["metadata"].get("tags", [])


def is_table(output: Cell) -> bool:
    """Whether an output is a table, as plain text and as HTML that is the same in every run."""
    data = output.get("data", {})
    html = "".join(data.get("text/html", ""))
    return set(data) == TEXT and "<table" in html and not RANDOM.search(html)


def pictures(cell: Cell) -> set[str]:
    """Return the kinds of output of a cell that are neither text nor a table."""
    shown = [set(output.get("data", {})) for output in cell["outputs"] if not is_table(output)]
    return set().union(*shown) - {"text/plain"}


def normalize(notebook: NotebookNode) -> None:
    """Drop from ``notebook``, in place, all that differs between two runs of the same cells."""
    kept = {k: v for k, v in notebook["metadata"].items() if k in OF_PAGES and v}
    notebook["metadata"] = nbformat.from_dict(METADATA | kept)
    notebook["nbformat"], notebook["nbformat_minor"] = 4, 5
    seen: set[str] = set()
    for place, cell in enumerate(notebook["cells"]):
        cell["metadata"] = {k: v for k, v in cell["metadata"].items() if k in KEPT_METADATA and v}
        if not cell.get("id") or cell["id"] in seen:
            cell["id"] = hashlib.sha256(f"{place}{cell['source']}".encode()).hexdigest()[:8]
        seen.add(cell["id"])
    for _, cell in code_cells(notebook):
        # nbval takes a cell without a count for one never run, and compares nothing. One count for
        # all, so that a new cell does not change the ones below it.
        cell["execution_count"] = None if draws(cell) else 1
        outputs = [] if draws(cell) else merge_streams(cell["outputs"])
        for output in outputs:
            output.pop("transient", None)
            if "execution_count" in output:
                output["execution_count"] = 1
        cell["outputs"] = outputs


def merge_streams(outputs: Iterable[Cell]) -> list[Cell]:
    """Join what one stream printed in several pieces, whose borders differ from run to run."""
    merged: list[Cell] = []
    for output in outputs:
        last = merged[-1] if merged else {}
        if output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] += output["text"]
        else:
            merged.append(output)
    return merged


def dumps(notebook: NotebookNode) -> str:
    """Write the notebook as text: one form only, whatever editor saved it."""
    return str(nbformat.writes(notebook, version=4)) + "\n"


def load(path: Path) -> NotebookNode:
    """Read a notebook."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    return notebook


def faults(path: Path) -> list[str]:
    """Say in what the stored notebook departs from the habits above, a line each."""
    notebook = load(path)
    found = []
    for place, cell in code_cells(notebook):
        name = f"{path.name}, cell {place}"
        kinds = {output["output_type"] for output in cell["outputs"]}
        if "error" in kinds:
            found.append(f"{name}: stores an error")
        if any(output.get("name") == "stderr" for output in cell["outputs"]):
            found.append(f"{name}: stores a warning")
        if draws(cell) and cell["outputs"]:
            found.append(f"{name}: draws, so its output is not to be stored")
        if not draws(cell) and pictures(cell):
            found.append(f"{name}: shows {sorted(pictures(cell))}, so it needs the tag {DRAWS}")
        if not str(cell["source"]).strip():
            found.append(f"{name}: is empty")
    text = dumps(notebook)
    normalize(notebook)
    if dumps(notebook) != text or path.read_text("utf-8") != text:
        found.append(f"{path.name}: not as `make notebooks` writes it")
    return found


def executed_faults(notebook: NotebookNode, name: str) -> list[str]:
    """Say which cells of an executed notebook did something else than their tag says."""
    found = []
    for place, cell in code_cells(notebook):
        kinds = {output["output_type"] for output in cell["outputs"]}
        if draws(cell) and not pictures(cell):
            found.append(f"{name}, cell {place}: tagged {DRAWS} but draws nothing")
        if draws(cell) and "stream" in kinds:
            found.append(f"{name}, cell {place}: prints what nobody compares; give it a cell")
        if not draws(cell) and pictures(cell):
            found.append(f"{name}, cell {place}: draws, so it needs the tag {DRAWS}")
    return found


def execute(path: Path) -> bool:
    """Run the notebook in a fresh kernel and store it; returns whether the file changed."""
    notebook = load(path)
    NotebookClient(
        notebook, timeout=CELL_TIMEOUT, resources={"metadata": {"path": path.parent}}
    ).execute()
    if found := executed_faults(notebook, path.name):
        raise SystemExit("\n".join(found))
    normalize(notebook)
    text = dumps(notebook)
    changed = text != path.read_text("utf-8")
    if changed:
        path.write_text(text, "utf-8")
    return changed


def main(names: list[str]) -> None:
    """Execute the named notebooks, or every one of the book."""
    for path in map(Path, names) if names else chapters():
        print(f"{path.name}: {'stored' if execute(path) else 'unchanged'}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
