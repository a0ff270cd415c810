"""An explorer away from its kernel: a saved page, a frame, where a program runs it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import ipywidgets
import pytest
from support import web
from support.explorers import ANSWERS, status

import dtviz as dt
from dtviz.explorers import front_end
from dtviz.explorers.base import Explorer

VIEW = "application/vnd.jupyter.widget-view+json"
Visit = Callable[..., web.Visit]


def test_a_saved_page_is_live_alone_and_in_the_dark(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "growing.html"
    dt.GrowingExplorer(gamma=0.1).save_html(path, "Weak & strong")
    text = path.read_text("utf-8")
    dt.GrowingExplorer().save_html(tmp_path / "plain.html")
    plain = (tmp_path / "plain.html").read_text("utf-8")
    assert ("<title>Growing explorer</title>" in plain, "<h1" in plain) == (True, False)
    assert re.findall(r"\bdtviz\|\|=\{\}\)\.(\w+)=", text) == ["growing"]
    seen = visit(path.as_uri(), theme="dark")
    assert seen.page.title() == seen.page.locator("h1").inner_text() == "Weak & strong"
    assert "With edge 0.10, " in status(seen.page)
    assert seen.page.evaluate(ANSWERS)
    assert seen.page.evaluate("getComputedStyle(document.documentElement).colorScheme") != "light"
    assert web.axe_findings(seen.page) == []
    assert seen.complaints == []
    assert seen.foreign() == []


def test_the_picture_is_that_of_now() -> None:
    explorer = dt.GrowingExplorer()
    before = explorer._images()
    explorer.gamma = 0.1
    after = explorer._images()
    assert before != after == dt.GrowingExplorer(gamma=0.1)._images()
    assert "edge 0.1" in after[0]


def test_where_it_cannot_be_written_and_what_is_no_title_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.html").mkdir()
    for path in (3, "growing.txt", "growing", "no/growing.html", "folder.html"):
        rule = f"path must name an .html file in a folder.*got {re.escape(repr(path))}$"
        with pytest.raises(ValueError, match=rule):
            dt.GrowingExplorer().save_html(path)
    with pytest.raises(ValueError, match="title must be a text, got 3"):
        dt.GrowingExplorer().save_html(tmp_path / "growing.html", 3)
    assert list(tmp_path.iterdir()) == [tmp_path / "folder.html"]


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


def test_where_a_person_runs_it_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in ({"allow_stdin": True}, {}):
        asks(monkeypatch, **content)
        explorer: Explorer = dt.GrowingExplorer()
        assert set(explorer._repr_mimebundle_()[0]) == {"text/plain", VIEW, "image/png"}


def test_voila_shows_widgets_of_what_it_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    asks(monkeypatch, allow_stdin=False)
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.8")
    assert VIEW in dt.GrowingExplorer()._repr_mimebundle_()[0]
