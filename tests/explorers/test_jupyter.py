"""An explorer in a real JupyterLab page: a server, a kernel, a browser, both directions of sync."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import explorers as pages
from support import web
from support.explorers import Open
from support.lab import ours, serve_notebooks

import dtviz as dt
from dtviz.explorers.base import Explorer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

SLIDERS = {
    dt.InfluenceExplorer: "epsilon",
    dt.RankExplorer: "m",
    dt.ProductExplorer: "bias",
    dt.ImpurityExplorer: "p",
    dt.GrowingExplorer: "log_splits",
    dt.PruningExplorer: "noise",
}
"""The first slider of each explorer, by the trait that it sets."""
EVERY = [
    cell
    for kind, name in SLIDERS.items()
    for cell in (
        f"import dtviz as dt\nexplorer = dt.{kind.__name__}()\nfirst = explorer.{name}\nexplorer",
        f'print("now", explorer.{name}, explorer.{name} != first)',
        f'explorer.{name} = first\nprint("set")',
    )
]


def complaints(seen: web.Visit) -> list[str]:
    """What of the page's complaints can be ours."""
    return ours(seen.complaints)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a JupyterLab server with a notebook for each explorer."""
    with serve_notebooks(tmp_path_factory.mktemp("lab"), {"every": EVERY}) as url:
        yield url


@pytest.fixture(scope="module")
def jupyterlab(browser: Browser, lab: str) -> Iterator[web.Visit]:
    """JupyterLab in one page for all notebooks: to start it is most of the work of a test."""
    with web.reader(browser, {}) as context:
        seen = web.listen(context.new_page())
        # A busy machine can make JupyterLab ask which kernel to take; its own proposal will do.
        proposal = seen.page.locator(".jp-Dialog .jp-mod-accept").first
        seen.page.add_locator_handler(proposal, lambda button: button.click())
        seen.page.goto(f"{lab}lab")
        seen.page.wait_for_function("globalThis.jupyterapp?.commands.hasCommand('docmanager:open')")
        yield seen


OPEN = """
async (path) => {
  await jupyterapp.restored;
  await jupyterapp.commands.execute("docmanager:open", { path });
}
"""
CLOSE = """
async () => {
  await jupyterapp.commands.execute("docmanager:save-all");
  await jupyterapp.commands.execute("application:close-all");
}
"""


@pytest.fixture
def notebook(jupyterlab: web.Visit) -> Iterator[Callable[..., web.Visit]]:
    """Open ``notebook(name, height=1400)``, alone in the page, its own kernel up."""
    page = jupyterlab.page

    def open_notebook(name: str, height: int = 1400) -> web.Visit:
        page.set_viewport_size({"width": 1200, "height": height})
        page.evaluate(OPEN, f"{name}.ipynb")
        wait_for_kernel(page)
        return jupyterlab

    yield open_notebook
    page.evaluate(CLOSE)
    page.locator(".jp-NotebookPanel").wait_for(state="detached")
    jupyterlab.requests.clear()
    jupyterlab.complaints.clear()


@pytest.fixture
def said(tab: Open, tmp_path: Path) -> Callable[[Explorer], str]:
    """What the status line of an explorer says on a page from disk.

    The tests of each chapter hold that against Python; here it must be the same in JupyterLab.
    """
    return lambda explorer: pages.status(tab(pages.write_page(tmp_path, explorer)).page)


def run_cell(page: Page, index: int, printed: str = "") -> Locator:
    """Run a cell with the keyboard and return its output, once it contains ``printed``."""
    cell = page.locator(".jp-CodeCell").nth(index)
    prompt = cell.locator(".jp-InputPrompt")
    waiting = {prompt.inner_text(), "[ ]:"}
    # JupyterLab drops what it is asked while the kernel is still connecting: then ask again.
    for _ in range(20):
        cell.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        patience = time.monotonic() + 0.5
        while (shown := prompt.inner_text()) == "[*]:" or (
            shown in waiting and time.monotonic() < patience
        ):
            page.wait_for_timeout(20)
        if shown not in waiting:
            break
    output = cell.locator(".jp-Cell-outputArea")
    if printed:
        output.get_by_text(printed).wait_for(timeout=60_000)
    return output


def wait_for_status(output: Locator, text: str) -> None:
    output.get_by_role("status").filter(has_text=text).wait_for(timeout=90_000)


def wait_for_kernel(page: Page) -> None:
    page.locator(".jp-CodeCell").first.wait_for(timeout=60_000)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for(timeout=60_000)


@pytest.mark.slow
def test_every_explorer_syncs_both_ways_in_jupyterlab(
    notebook: Callable[..., web.Visit], lab: str, said: Callable[[Explorer], str]
) -> None:
    """A key on its first slider reaches Python, and what Python sets the slider and the words."""
    seen = notebook("every", height=4000)
    page = seen.page
    for index, (kind, name) in enumerate(SLIDERS.items()):
        output = run_cell(page, 3 * index)
        wait_for_status(output, said(kind()))
        # The widget, not the static page's form of it.
        assert output.locator("[data-explorer]").count() == 1
        assert output.locator(".dtviz-picture").count() == 0
        slider = output.locator(f"input[type=range][name={name}]").first
        before = slider.input_value()
        slider.focus()
        page.keyboard.press("ArrowRight")
        printed = run_cell(page, 3 * index + 1, "now").inner_text().split()
        assert printed[2] == "True", kind
        moved = kind(**{name: type(getattr(kind(), name))(printed[1])})
        wait_for_status(output, said(moved))
        run_cell(page, 3 * index + 2, "set")
        wait_for_status(output, said(kind()))
        assert slider.input_value() == before
        assert (
            web.axe_findings(
                page, f"[data-explorer={kind.__name__.removesuffix('Explorer').lower()}]"
            )
            == []
        )
        if tree := output.locator("[role=treeitem][tabindex='0']:visible").all():
            # Arrow keys walk the tree, not the notebook.
            tree[0].focus()
            before = output.locator(".dtviz-tip strong").first.inner_text()
            page.keyboard.press("Home")
            page.keyboard.press("ArrowRight")
            assert output.locator(".dtviz-tip strong").first.inner_text() != before
    assert seen.foreign(lab.split("/")[2]) == []
    assert complaints(seen) == []
