"""Small books for the tests of single extensions: a few notebooks, with the settings of ours."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from support.site import ROOT
from tools import notebooks

KEPT = ("title", "parse", "only_build_toc_files")


def write_book(
    root: Path,
    pages: Mapping[str, Sequence[NotebookNode | str]],
    extensions: Iterable[str],
    *,
    bibliography: bool = False,
    parts: Sequence[object] = (),
) -> None:
    """Write a book of pages, lists of cells or of Markdown, the first its root; execute nothing.

    The others are its chapters, if no parts of a table of contents are given.
    """
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    for part in ("_ext", "_static"):
        shutil.copytree(ROOT / "book" / part, root / "book" / part)
    for part in ("dtviz", "node_modules"):
        (root / part).symlink_to(ROOT / part)
    ours, settings = set(config["sphinx"]["local_extensions"]), config["sphinx"]["config"]
    left_out = ours - set(extensions) | (set() if bibliography else {"sphinxcontrib.bibtex"})
    settings["extensions"] = [name for name in settings["extensions"] if name not in left_out]
    settings |= {"html_extra_path": [], "templates_path": []}
    # The references link to the appendix.
    pages = {**pages, **({"sources": []} if bibliography else {})}
    files = [f"book/{name}" for name in pages]
    only = {name: config[name] for name in KEPT}
    if bibliography:
        only["bibtex_bibfiles"] = config["bibtex_bibfiles"]
        files.append("book/references")
        for name in ("references.bib", "references.md"):
            shutil.copy(ROOT / "book" / name, root / "book" / name)
    else:
        settings = {name: x for name, x in settings.items() if not name.startswith("bibtex")}
    only["execute"] = config["execute"] | {"execute_notebooks": "off"}
    only["sphinx"] = {
        "local_extensions": dict.fromkeys(extensions, "book/_ext"),
        "config": settings,
    }
    (root / "_config.yml").write_text(yaml.safe_dump(only))
    listed = {"parts": parts} if parts else {"chapters": [{"file": file} for file in files[1:]]}
    toc = {"format": "jb-book", "root": files[0]} | (listed if files[1:] else {})
    (root / "_toc.yml").write_text(yaml.safe_dump(toc))
    for name, cells in pages.items():
        made = [new_markdown_cell(c) if isinstance(c, str) else c for c in cells]
        notebook = new_notebook(cells=[new_markdown_cell(f"# The page {name}"), *made])
        notebook.metadata = notebooks.METADATA
        path = root / "book" / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(notebooks.dumps(notebook), "utf-8")
