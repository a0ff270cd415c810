"""The programs of the page "Explorers in your own notebook", all of them, where people run them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import web
from support.lab import ROOT, ours, serve_notebooks

from tools import notebooks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PAGE = ROOT / "book" / "reference" / "notebooks.ipynb"
FENCE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


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
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def jupyterlab(folder: Path) -> Iterator[str]:
    """Address of a server of JupyterLab, which serves Notebook 7, too."""
    with serve_notebooks(folder, {"lab": programs(), "notebook": programs()}) as url:
        yield url


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
    output("Output()").get_by_text("1 leaves", exact=True).wait_for(timeout=90_000)
    other = output("link((explorer").get_by_role("status").last
    assert "The tree is 1 leaf" in other.inner_text()

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
        assert ours(seen.complaints) == []


LINKED = """\
import dtviz as dt
from ipywidgets import FloatSlider, VBox, jslink

explorer = dt.{kind}({given})
slider = FloatSlider(min={low}, max={high}, step=0.005, value={low})
jslink((explorer, "{trait}"), (slider, "value"))
VBox([slider, explorer])
"""
SLIDERS = [
    {"kind": "InfluenceExplorer", "given": "", "trait": "epsilon", "low": 0, "high": 0.5},
    {"kind": "ProductExplorer", "given": "", "trait": "bias", "low": 0.05, "high": 0.95},
    {"kind": "ImpurityExplorer", "given": "", "trait": "cost_position", "low": 0, "high": 3},
]


@pytest.mark.slow
def test_a_linked_slider_moves_epsilon_the_bias_and_the_cost(
    browser: Browser, tmp_path: Path
) -> None:
    cells = [LINKED.format(**slider) for slider in SLIDERS]
    with (
        serve_notebooks(tmp_path, {"three": cells}) as url,
        web.opened(browser, f"{url}doc/tree/three.ipynb", {"height": 4000}) as seen,
    ):
        seen.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for()
        for slider, output in zip(SLIDERS, run_all(seen.page), strict=True):
            own = output.locator(f"input[name={slider['trait']}]")
            own.wait_for(timeout=90_000)
            press(output.locator(".noUi-handle"), "End")
            seen.page.wait_for_function(
                "([input, value]) => Number(input.value) === value",
                arg=[own.element_handle(), slider["high"]],
            )
