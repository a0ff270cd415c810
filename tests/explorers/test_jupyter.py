"""The programs of the page "Explorers in your own notebook", in real JupyterLab and Notebook 7."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from support import web

from tools import notebooks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "book" / "reference" / "notebooks.ipynb"
FENCE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LABS_OWN = "Canceled future for create_subshell_request message"
"""What JupyterLab throws where a slow kernel answers none of its own requests; ours are others."""
LINKED = """\
import dtviz as dt
from ipywidgets import FloatSlider, VBox, jslink

explorer = dt.{}()
slider = FloatSlider(min=0.05, max=0.45, step=0.01, value=0.05)
jslink((explorer, "{}"), (slider, "value"))
VBox([slider, explorer])
"""
SLIDERS = {
    "InfluenceExplorer": "epsilon",
    "ProductExplorer": "bias",
    "ImpurityExplorer": "cost_position",
}
"""The three sliders for which the book was made."""


def complaints(seen: web.Visit) -> list[str]:
    """What of the page's complaints can be ours."""
    found = (line for line in seen.complaints if "dtviz" in line or "uncaught" in line)
    return [line for line in found if LABS_OWN not in line]


def programs() -> list[str]:
    """Return the programs of the page in order, whether the build runs them or not."""
    return [
        program
        for cell in notebooks.load(PAGE).cells
        for program in (
            [cell.source] if cell.cell_type == "code" else FENCE.findall(f"{cell.source}\n")
        )
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def jupyterlab(folder: Path) -> Iterator[str]:
    """Address of a server of JupyterLab, which serves Notebook 7, too; all its files temporary."""
    (folder / "notes").mkdir()
    linked = [LINKED.format(*named) for named in SLIDERS.items()]
    for name, cells in {"lab": programs(), "notebook": programs(), "three": linked}.items():
        notebook = new_notebook(cells=[new_code_cell(program) for program in cells])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, folder / "notes" / f"{name}.ipynb")
    runtime, config = folder / "runtime", folder / "config"
    # JupyterLab would ask whether it may fetch its news.
    quiet = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (config / "labconfig").mkdir(parents=True)
    (config / "labconfig" / "page_config.json").write_text(json.dumps(quiet), "utf-8")
    environment = os.environ | {
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTER_CONFIG_DIR": str(config),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0"]
    command += [f"--ServerApp.root_dir={folder / 'notes'}", "--IdentityProvider.token="]
    log = (folder / "log.txt").open("wb")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 180
        while not (found := list(runtime.glob("jpserver-*.json"))):
            assert server.poll() is None, (folder / "log.txt").read_text("utf-8")
            assert time.monotonic() < deadline, (folder / "log.txt").read_text("utf-8")
            time.sleep(0.2)
        yield json.loads(found[0].read_text("utf-8"))["url"]
    finally:
        server.terminate()
        server.wait(timeout=120)
        log.close()


def run_all(page: Page) -> list[Locator]:
    """Run all cells by the menu, wait for the last, and return their outputs."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    cells = page.locator(".jp-CodeCell")
    done = cells.last.locator(".jp-InputPrompt", has_text=re.compile(r"\[\d+\]"))
    done.wait_for(timeout=90_000)
    return [cell.locator(".jp-Cell-outputArea") for cell in cells.all()]


def press(slider: Locator, key: str) -> None:
    slider.focus()
    slider.press(key)


def check_programs(page: Page, folder: Path) -> None:
    """Run the page's programs, and use what each of them shows."""
    outputs = dict(zip(programs(), run_all(page), strict=True))

    def output(word: str) -> Locator:
        """The output of the last program with that word."""
        return [shown for program, shown in outputs.items() if word in program][-1]

    for program, shown in outputs.items():
        assert shown.locator("[data-mime-type$=error], [data-mime-type$=stderr]").count() == 0, (
            program
        )
    assert page.locator("text=Error displaying widget").count() == 0
    assert (folder / "notes" / "rain.html").stat().st_size > 100_000
    frame = output("explorer.static()").frame_locator("iframe")
    assert "Growth stops: the error is 0." in frame.get_by_role("status").first.inner_text()

    # What `jslink` moves, `link` and `Output` follow.
    slider = output("jslink(").locator(".noUi-handle")
    press(slider, "End")
    for word in ("jslink(", "link((explorer", "Output()"):
        line = output(word).get_by_role("status").first
        line.filter(has_text="The tree is 1 leaf").wait_for(timeout=90_000)
    output("Output()").locator("pre", has_text="1 leaves").wait_for(timeout=90_000)
    other = output("link((explorer").get_by_role("status").last
    assert "The tree is 1 leaf" in other.inner_text()
    # What a key moves in the explorer itself, Python hears; a tree keeps its arrow keys.
    watched = output("Output()")
    press(watched.locator("input[name=epsilon]"), "Home")
    watched.locator("pre", has_text="4 leaves").wait_for(timeout=90_000)
    watched.locator("[role=treeitem][tabindex='0']").first.focus()
    tip = watched.locator(".dtviz-tip strong").first
    before = tip.inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert tip.inner_text() != before
    assert web.axe_findings(page, "[data-explorer=influence]") == []

    boxes = output("GridBox(").locator("[data-explorer]")
    left, right = (box.bounding_box() for box in (boxes.first, boxes.last))
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] < right["x"]
    tabs = output("Tab(")
    tabs.get_by_role("tab", name="Impurity").click()
    tabs.locator("[data-explorer=impurity]").wait_for()

    drawn = output("@interact").locator("svg").first
    before = drawn.get_attribute("aria-label") or drawn.inner_html()
    press(output("@interact").locator(".noUi-handle").first, "End")
    page.wait_for_function(
        "([output, before]) => { const svg = output.querySelector('svg');"
        " return svg && (svg.getAttribute('aria-label') || svg.innerHTML) !== before; }",
        arg=[output("@interact").element_handle(), before],
        timeout=90_000,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "address"), [("lab", "doc/tree"), ("notebook", "notebooks")])
def test_every_program_of_the_page_works(
    name: str, address: str, browser: Browser, jupyterlab: str, folder: Path
) -> None:
    # All of a notebook is on the page only where all of it is in sight.
    with web.opened(browser, f"{jupyterlab}{address}/{name}.ipynb", {"height": 12_000}) as seen:
        idle = seen.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first
        idle.wait_for(timeout=90_000)
        seen.complaints.clear()  # Notebook 7 has some of its own when it starts
        check_programs(seen.page, folder)
        assert seen.foreign(jupyterlab.split("/")[2]) == []
        assert complaints(seen) == []


@pytest.mark.slow
def test_a_linked_slider_moves_epsilon_the_bias_and_the_cost(
    browser: Browser, jupyterlab: str
) -> None:
    with web.opened(browser, f"{jupyterlab}doc/tree/three.ipynb", {"height": 4000}) as seen:
        seen.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for()
        for trait, output in zip(SLIDERS.values(), run_all(seen.page), strict=True):
            own = output.locator(f"input[name={trait}]")
            own.wait_for(timeout=90_000)
            press(output.locator(".noUi-handle"), "End")
            seen.page.wait_for_function(
                "(input) => Number(input.value) === 0.45", arg=own.element_handle()
            )
