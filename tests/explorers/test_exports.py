"""An explorer away from its kernel: a saved page, a frame, an exported notebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import ipywidgets
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from support import web
from support.explorers import ANSWERS, status

import dtviz as dt
from dtviz.explorers import front_end
from dtviz.explorers.base import Explorer

ROOT = Path(__file__).resolve().parents[2]
VIEW = "application/vnd.jupyter.widget-view+json"
Visit = Callable[..., web.Visit]


def test_a_saved_page_is_live_alone_and_in_the_dark(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "growing.html"
    dt.GrowingExplorer(gamma=0.1).save_html(path, "Weak & strong")
    text = path.read_text("utf-8")
    assert re.findall(r"\bdtviz\|\|=\{\}\)\.(\w+)=", text) == ["growing"]
    seen = visit(path.as_uri(), theme="dark")
    assert seen.page.title() == seen.page.locator("h1").inner_text() == "Weak & strong"
    assert "With edge 0.10, " in status(seen.page)
    assert seen.page.evaluate(ANSWERS)
    assert seen.page.evaluate("getComputedStyle(document.documentElement).colorScheme") != "light"
    assert web.axe_findings(seen.page) == []
    assert seen.complaints == []
    assert seen.foreign() == []


def test_a_saved_page_shows_the_picture_without_scripts(visit: Visit, tmp_path: Path) -> None:
    dt.GrowingExplorer().save_html(tmp_path / "growing.html")
    page = visit((tmp_path / "growing.html").as_uri(), javascript=False).page
    assert page.title() == "Growing explorer"
    assert page.locator("h1").count() == 0
    box = page.locator("img.dtviz-picture").bounding_box()
    assert box is not None
    assert box["height"] > 200


def test_the_picture_is_that_of_now() -> None:
    explorer = dt.GrowingExplorer()
    before = explorer._images()
    explorer.gamma = 0.1
    after = explorer._images()
    assert before != after == dt.GrowingExplorer(gamma=0.1)._images()
    assert "edge 0.1" in after[0]


@pytest.mark.parametrize("path", [3, "growing.txt", "growing", "no/growing.html", "folder.html"])
def test_a_path_that_cannot_be_written_is_refused(
    path: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.html").mkdir()
    with pytest.raises(ValueError, match=r"path must name an \.html file in a folder") as caught:
        dt.GrowingExplorer().save_html(path)
    assert str(caught.value).endswith(f"got {path!r}")


def test_a_title_is_a_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="title must be a text, got 3"):
        dt.GrowingExplorer().save_html(tmp_path / "growing.html", 3)
    assert list(tmp_path.iterdir()) == []


def test_a_frame_is_as_high_and_as_dark_as_it_should_be(visit: Visit, tmp_path: Path) -> None:
    shown = dt.GrowingExplorer().static()._repr_html_()
    path = tmp_path / "frame.html"
    path.write_text(f'<!DOCTYPE html><html data-theme="light"><body>{shown}</body></html>', "utf-8")
    seen = visit(path.as_uri())
    frame = seen.page.frames[1]
    assert frame.evaluate(ANSWERS)
    assert frame.locator("[name=link]").count() == 0, "a frame has no address to link to"
    assert seen.page.locator("iframe").get_attribute("title") == "Growing explorer"
    seen.page.wait_for_function(
        "() => { const f = document.querySelector('iframe');"
        " return f.offsetHeight === f.contentDocument.documentElement.scrollHeight; }"
    )
    scheme = "getComputedStyle(document.querySelector('.dtviz-live')).colorScheme"
    for theme in ("light", "dark"):
        seen.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        frame.wait_for_function(f"(theme) => {scheme} === theme", arg=theme)
    assert seen.complaints == []
    assert seen.foreign() == []


def exported(folder: Path, notebook: nbformat.NotebookNode, *options: str) -> tuple[Path, str]:
    """Export by the command that users type; return the page and what it says."""
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / "notes.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", *options, "notes.ipynb"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / "ipython")}
    subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True)
    return folder / "notes.html", (folder / "notes.html").read_text("utf-8")


@pytest.mark.slow
def test_an_executed_notebook_shows_the_picture_and_a_live_frame(
    visit: Visit, tmp_path: Path
) -> None:
    cells = (
        "import dtviz as dt\nexplorer = dt.GrowingExplorer()\nexplorer",
        "explorer.gamma = 0.1\nexplorer.static()",
    )
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    path, text = exported(tmp_path, notebook, "--execute")
    assert "widget-state+json" not in text
    page = visit("about:blank").page
    page.route("http*://**", lambda route: route.abort())  # of nbconvert's own template
    page.goto(path.as_uri())
    picture = page.locator("img.dtviz-picture").first
    assert picture.is_visible()
    assert "edge 0.2" in (picture.get_attribute("alt") or "")
    frame = page.frames[1]
    assert "With edge 0.10, " in (frame.get_by_role("status").first.text_content() or "")
    assert frame.evaluate(ANSWERS)


@pytest.mark.slow
def test_a_notebook_saved_by_jupyterlab_shows_the_picture(tmp_path: Path) -> None:
    data, metadata = dt.GrowingExplorer()._repr_mimebundle_()
    output = new_output("display_data", data=data, metadata=metadata)
    notebook = new_notebook(cells=[new_code_cell("explorer", outputs=[output])])
    assert len(nbformat.writes(notebook)) < 100_000
    _, text = exported(tmp_path, notebook, "--template=classic")  # the other one has no alt text
    assert f'alt="{metadata["image/png"]["alt"]}"' in text
    assert "data:image/png;base64" in text


def asks(monkeypatch: pytest.MonkeyPatch, **content: object) -> None:
    shell = SimpleNamespace(parent_header={"content": content})
    monkeypatch.setattr(front_end, "get_ipython", lambda: shell)


def test_where_a_program_runs_the_cell_there_is_no_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    asks(monkeypatch, allow_stdin=False)
    explorer = dt.GrowingExplorer()
    bundle, _ = explorer._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "image/png"}
    assert explorer.comm is None, "nbclient stores what a comm opens with"
    box = ipywidgets.HBox([explorer])
    assert box.get_state()["children"] == [f"IPY_MODEL_{explorer.comm.comm_id}"]


@pytest.mark.parametrize("content", [{"allow_stdin": True}, {}])
def test_where_a_person_runs_it_there_is(
    content: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    asks(monkeypatch, **content)
    explorer: Explorer = dt.GrowingExplorer()
    assert set(explorer._repr_mimebundle_()[0]) == {"text/plain", VIEW, "image/png"}


def test_voila_shows_widgets_of_what_it_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    asks(monkeypatch, allow_stdin=False)
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.8")
    assert VIEW in dt.GrowingExplorer()._repr_mimebundle_()[0]
