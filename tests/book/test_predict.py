"""Questions that a page asks before it tells: a small book with one of each kind, and faults."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
import yaml
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from support import site as checks
from support import web

from tools import notebooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

CHOICE = """:::{predict} Which variable does it ask first, of $x_0$ and $x_1$?
:label: pre-first
The function is $x_1 \\wedge (x_0 \\vee x_2)$.

$x_0$
: It matters for a *quarter* of the points, $x_{1}$ for more.

$x_1$
: It has the largest influence, $\\frac34$.

neither
: Something must be asked.
:::"""
NUMBER = """:::{predict} What is the influence of a variable on the majority of three?
:label: pre-majority
:number: 0.01

right
: It matters if the two others differ.

1/4
: That is one of the *two* ways to differ.

else
: Count the points where the two others differ.
:::"""
TREE = """:::{predict} Which leaf is split next?
:label: pre-leaf
:tree:
The tree grows on the conjunction of three bits.

A
: There the function is constant: nothing is left to ask.

B
: The other leaf is not constant.
:::"""
ANSWERS = {
    "pre-first": "print('some lines')\nprint('x_' + str(3 - 2))",
    "pre-majority": "sum(a != b for a in (0, 1) for b in (0, 1)) / 4",
    "pre-leaf": "print(drawn.letter(drawn.tree.leaves[-1]))",
}
DRAWN = """import dtviz as dt
path = dt.build_top_down(dt.functions.conjunction(3))
drawn = dt.plot.lettered(path.tree(2), leaf_text=["0", "?"])
drawn"""


def cells(text: str, answer: str, drawn: str = "") -> list[object]:
    """The cells of a question."""
    picture = [new_code_cell(drawn, metadata={"tags": ["question", "nbval-ignore-output"]})]
    last = [new_code_cell(answer, metadata={"tags": ["answer"]})]
    return [new_markdown_cell(text), *(picture if drawn else []), *(last if answer else [])]


def write(root: Path, pages: dict[str, Sequence[object]]) -> None:
    """Write a book of notebooks, whose first page is ``index``."""
    config = yaml.safe_load((checks.ROOT / "_config.yml").read_text("utf-8"))
    for part in ("_ext", "_static"):
        shutil.copytree(checks.ROOT / "book" / part, root / "book" / part, dirs_exist_ok=True)
    settings = config["sphinx"]["config"].items()
    sphinx = {name: value for name, value in settings if not name.startswith("bibtex")}
    kept = {"dtviz_predict", "dtviz_mathjax"}
    ours = set(config["sphinx"]["local_extensions"]) - kept | {"sphinxcontrib.bibtex"}
    sphinx["extensions"] = [name for name in sphinx["extensions"] if name not in ours]
    sphinx["html_css_files"], sphinx["html_extra_path"] = ["book.css"], []
    config["execute"]["execute_notebooks"] = "force"
    config["sphinx"] = {"local_extensions": dict.fromkeys(kept, "book/_ext"), "config": sphinx}
    only = {name: config[name] for name in ("title", "execute", "parse", "sphinx")}
    (root / "_config.yml").write_text(yaml.safe_dump(only))
    others = [{"file": f"book/{name}"} for name in pages if name != "index"]
    toc = {"format": "jb-book", "root": "book/index", "chapters": others}
    (root / "_toc.yml").write_text(yaml.safe_dump(toc))
    for name, page in pages.items():
        notebook = new_notebook(cells=[new_markdown_cell(f"# The page {name}"), *page])
        notebooks.normalise(notebook)
        (root / "book" / f"{name}.ipynb").write_text(notebooks.dumps(notebook), "utf-8")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book with a question of each kind, and one more on another page."""
    root = tmp_path_factory.mktemp("predict")
    asked = [
        *cells(CHOICE, ANSWERS["pre-first"]),
        *cells(NUMBER, ANSWERS["pre-majority"]),
        *cells(TREE, ANSWERS["pre-leaf"], DRAWN),
        new_markdown_cell("Look back at {ref}`pre-first`."),
    ]
    other = CHOICE.replace("pre-first", "pre-second")
    write(root, {"index": asked, "other": cells(other, "print('x_0')"), "plain": []})
    checks.jupyter_book(root, root)
    return root / "_build/html/book"
