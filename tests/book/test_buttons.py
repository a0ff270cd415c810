"""The buttons at the top of a page: one setting brings those that need a repository."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from nbformat import write
from nbformat.v4 import new_markdown_cell, new_notebook
from support.site import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HOST = "https://github.com/someone/trees"
ALWAYS = {"download-source-button", "download-wheel-button", "download-pdf-button"}


def build(folder: Path, **repository: str) -> Tag:
    """Build a book of one page with the settings of this one; return what is at its top."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    extensions = {"dtviz_buttons": str(ROOT / "book/_ext"), "dtviz_icons": str(ROOT / "book/_ext")}
    options = config["sphinx"]["config"]["html_theme_options"] | {"logo": {}} | repository
    settings = {
        "title": "A book",
        "execute": {"execute_notebooks": "off"},
        "sphinx": {
            "local_extensions": extensions,
            "config": {
                "extensions": [
                    *("jupyter_book", "myst_nb", "sphinx_comments"),
                    *("sphinx_external_toc", "sphinx_book_theme"),
                    *extensions,
                ],
                "html_theme_options": options,
            },
        },
    }
    (folder / "_config.yml").write_text(yaml.safe_dump(settings))
    (folder / "_toc.yml").write_text("format: jb-book\nroot: page\n")
    notebook = new_notebook(cells=[new_markdown_cell("# A page\n")])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    write(notebook, folder / "page.ipynb")
    # As after `pip install .`: nothing but the site's packages is on the path.
    path = f"import sys; sys.path = [path for path in sys.path if path not in ('', {str(ROOT)!r})]"
    code = f"{path}; from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", code, "build", "-W", "-n", "--keep-going", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    page = folder / "_build" / "html" / "page.html"
    header = BeautifulSoup(page.read_text("utf-8"), "html.parser").select_one(
        ".article-header-buttons"
    )
    assert header is not None
    for image in header.select("img"):
        assert (page.parent / str(image["src"])).exists()
    assert header.select(".fab") == []
    return header


def names(header: Tag) -> set[str]:
    """The names of the buttons that do something."""
    return {
        part.removeprefix("btn-")
        for button in header.select(".dropdown-menu .btn")
        for part in button.get_attribute_list("class")
        if part.startswith("btn-") and part != "btn-sm"
    }


@pytest.mark.slow
def test_without_a_repository_a_page_can_be_downloaded(tmp_path: Path) -> None:
    header = build(tmp_path)
    assert names(header) == ALWAYS
    for button, ending in ("source", ".ipynb"), ("wheel", "-any.whl"):
        (link,) = header.select(f".btn-download-{button}-button")
        assert str(link["href"]).endswith(ending)
        assert (tmp_path / "_build" / "html" / str(link["href"])).exists()


@pytest.mark.slow
def test_a_repository_is_all_that_the_buttons_need(tmp_path: Path) -> None:
    header = build(tmp_path, repository_url=HOST)
    assert names(header) == ALWAYS | {"source-repository-button", "source-issues-button"}
    links = {str(link["href"]).partition("?")[0] for link in header.select("a[href^=http]")}
    assert links == {
        HOST,
        f"{HOST}/issues/new",
        "https://mybinder.org/v2/gh/someone/trees/main",
        "https://colab.research.google.com/github/someone/trees/blob/main/page.ipynb",
    }
