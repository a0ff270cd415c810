"""The figures of the book: SVG, legible in the light and the dark, and spoken of.

What is legible is computed here once more from the files, by what Matplotlib says of colors.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from nbformat import write
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from support.site import ROOT, Page, content, pages

import dtviz as dt
from dtviz.explorers.base import style_sheet
from dtviz.plot.html import svg
from tools.notebooks import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support import web

GROUND = {"light": "#ffffff", "dark": "#121212"}
MEANT = {"#c9ced6", "#1b0c00", "#ffffff", "#d55e00"}
"""What is faint on purpose, what stands on a fill, the ground within a drawing; and the vermillion
of label 1, which as a word beside its marks has 3.9 on white."""

MOST_BYTES = 150_000
SMALLEST_TYPE = 9.6
"""Pixels, in a figure of 5 inches on a phone."""


def contrast(one: Any, other: Any) -> float:
    """The contrast of two colors as WCAG defines it."""
    channels = np.array([to_rgb(one), to_rgb(other)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    low, high = sorted(linear @ [0.2126, 0.7152, 0.0722])
    return float((high + 0.05) / (low + 0.05))


def turned(color: str) -> tuple[float, ...]:
    """What a color is in the dark: ``invert(0.93) hue-rotate(180deg)``, as CSS defines them."""
    rgb = 0.93 - 0.86 * np.array(to_rgb(color))
    return tuple(np.clip(2 * (rgb @ [0.213, 0.715, 0.072]) - rgb, 0, 1))


def paints(picture: str) -> set[tuple[float, str]]:
    """The contrast that is asked for, and the color, of the texts and lines of a picture."""
    html = BeautifulSoup(picture, "html.parser")
    found = set()
    for part in html.find_all(["g", "path", "use"], style=True):
        style = dict(re.findall(r"([\w-]+): ?([^;]+)", str(part["style"])))
        if part.name == "g" and "scale(" in str(part.get("transform")):
            found.add((4.5, style.get("fill", "#000000")))
        elif style.get("stroke", "none") != "none":
            found.add((3.0, style["stroke"]))
        elif part.name == "use" and "fill" in style:
            found.add((3.0, style["fill"]))
    return found


def illegible(picture: str, theme: str) -> list[str]:
    return [
        f"{color}: {value:.1f}, not {least}"
        for least, color in sorted(paints(picture))
        if color not in MEANT
        and not color.startswith("url")
        and (value := contrast(turned(color) if theme == "dark" else color, GROUND[theme])) < least
    ]


@pytest.fixture(scope="module")
def figures(site: Path) -> dict[Path, str]:
    """The files of the figures, each with a page that shows it."""
    return {
        (site / page.name).parent.joinpath(str(image["src"])).resolve(): page.name
        for page in pages(site)
        for image in content(page).select(".dtviz-figure img")
    }


def faults_of_images(page: Page) -> list[str]:
    """What is wrong with the images of a page: a figure is one of SVG, which the dark turns."""
    found = []
    for image in content(page).select("img:not(.dtviz-picture)"):
        figure = image.find_parent(class_="dtviz-figure")
        if not figure or not str(image["src"]).endswith(".svg"):
            found.append(f"{page.name}: {image['src']} is no figure")
    found += [
        f"{page.name}: {figure} is not turned to the dark by us alone"
        for figure in content(page).select(".dtviz-figure")
        if [image.get("class") for image in figure.select("img")] != [["dark-light"]]
    ]
    for image in content(page).select("img"):
        sized = all(str(image.get(name, "")).isdecimal() for name in ("width", "height"))
        if not sized or image.get("loading") != "lazy" or str(image["src"]).startswith("data:"):
            found.append(f"{page.name}: {image['src']} moves the page, or holds it up")
    return found


def test_type_in_a_filled_box_is_legible() -> None:
    text = dt.plot.tree(dt.Tree.leaf(1)).nodes[0]
    type_and_fill = [to_hex(text.get_color()), to_hex(text.get_bbox_patch().get_facecolor())]
    assert contrast(*type_and_fill) >= 4.5
    assert contrast(*map(turned, type_and_fill)) >= 4.5


def test_every_figure_is_a_small_file(site: Path, figures: dict[Path, str]) -> None:
    assert [fault for page in pages(site) for fault in faults_of_images(page)] == []
    assert len(figures) > 80
    for file, page in figures.items():
        assert 0 < file.stat().st_size < MOST_BYTES, (page, file.name)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_figure_is_legible(figures: dict[Path, str], theme: str) -> None:
    faults = {(page, *illegible(file.read_text("utf-8"), theme)) for file, page in figures.items()}
    assert [fault for fault in faults if len(fault) > 1] == []


def test_a_figure_stands_on_the_page_in_the_dark(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    """On a phone; and on paper it is light."""
    address = (site / "book" / "4-impurity" / "3-impurity.html").as_uri()
    page = visit(address, theme="dark", width=360).page
    page.evaluate("document.querySelectorAll('details').forEach((x) => { x.open = true; })")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 18, 18)"
    images = page.locator("figure .dtviz-figure img")
    assert images.count() > 3
    filters = "all => [...new Set(all.map((x) => getComputedStyle(x).filter))]"
    assert images.evaluate_all(filters) == ["invert(0.93) hue-rotate(180deg)"]
    card = images.nth(1).evaluate("(x) => getComputedStyle(x).backgroundColor")
    assert card == "rgba(0, 0, 0, 0)", "it stands on the page itself"
    captions = page.locator("figcaption:not(.dtviz-state *)")
    assert captions.locator("visible=true").count() == captions.count() > 3
    assert_readable(site, page)
    page.emulate_media(media="print")
    assert images.evaluate_all(filters) == ["none"]
    assert page.locator(".dtviz-code:visible").count() == 0


def assert_readable(site: Path, page: Any) -> None:
    """A figure shrinks so far only; beyond, it scrolls within the page, for the keyboard too."""
    shown = page.locator("figure .dtviz-figure img:visible").evaluate_all(
        "all => all.map((x) => [x.getAttribute('src'), x.getBoundingClientRect().width,"
        " x.parentElement.scrollWidth > x.parentElement.clientWidth, x.parentElement.tabIndex])"
    )
    for source, width, scrolls, tab_index in shown:
        text = (site / "book" / "4-impurity" / source).read_text("utf-8")
        whole = re.search(r'width="([\d.]+)pt"', text)
        assert whole
        sizes = [float(size) for size in re.findall(r"scale\(([\d.]+) -\1\)", text)]
        # A text of 10 points is scaled by 0.1.
        assert 100 * min(sizes) * width / float(whole[1]) > SMALLEST_TYPE, source
        assert not scrolls or tab_index == 0, source


SOURCES = sorted((ROOT / "book").glob("[0-9]-*/*.ipynb"))
CITED = re.compile(r"\{numref\}`(?:[^`<]*<)?([\w-]+)>?`")


def lonely(cells: list[Any]) -> list[str]:
    """Name the numbered figures that the last paragraph of text before them does not mention."""
    found, last = [], ""
    for cell in cells:
        if cell.cell_type == "markdown":
            last = cell.source.strip().rpartition("\n\n")[2]
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        if name and name not in CITED.findall(last):
            found.append(name)
    return found


def begins_with_its_explorer(cells: list[Any]) -> bool:
    """Whether an explorer, if there is one, stands before the first box and the first section."""
    for cell in cells:
        if cell.cell_type == "code" and "Explorer(" in cell.source:
            return True
        if cell.cell_type == "markdown" and re.search(r"^(##|:::)", cell.source, re.MULTILINE):
            break
    return not any(cell.cell_type == "code" and "Explorer(" in cell.source for cell in cells)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_speaks_of_its_figures(path: Path) -> None:
    assert lonely(load(path).cells) == []


def test_a_page_begins_with_its_explorer() -> None:
    """But for a few that give a reason; and on some the figure stays beside the text."""
    notebooks = {path: load(path) for path in SOURCES}
    late = [path for path in SOURCES if not begins_with_its_explorer(notebooks[path].cells)]
    assert late == [path for path in SOURCES if "figure_later" in notebooks[path].metadata]
    assert len(late) <= 6
    assert 10 <= sum("sticky" in notebook.metadata for notebook in notebooks.values()) <= 20


def test_what_no_sentence_speaks_of_is_found() -> None:
    names = ("fig-a", "fig-b")
    named = [new_code_cell(metadata={"mystnb": {"figure": {"name": name}}}) for name in names]
    text = new_markdown_cell("See {numref}`fig-a`.\n\nLook at {numref}`the second <fig-b>`.")
    assert lonely([text, *named]) == ["fig-a"]
    explorer = new_code_cell("dt.RankExplorer()")
    assert begins_with_its_explorer([new_markdown_cell("# Rank"), explorer])
    assert not begins_with_its_explorer([new_markdown_cell("# Rank\n\n:::{tip}"), explorer])


OF_EXPLORERS = {"label0": "zero", "label1": "one", "epsilon": "quiet", "muted": "quiet"}


@pytest.mark.parametrize("name", sorted(set(dt.plot.COLORS) - {"faint"}))
def test_a_color_is_that_of_the_explorers(name: str) -> None:
    """In the light; in the dark they are the table, in which each must be legible."""
    variable = OF_EXPLORERS.get(name, name)
    found = re.search(rf"--dtviz-{variable}: light-dark\((#\w+), (#\w+)\)", style_sheet())
    assert found
    assert found[1] == dt.plot.COLORS[name].lower()
    assert contrast(found[2], GROUND["dark"]) >= 4.5


def figure(color: str, text: str = dt.plot.COLORS["ink"]) -> str:
    """A picture of a line in one color and a word in another."""
    with dt.plot.style():
        drawn = Figure(figsize=(2, 1))
        ax = drawn.subplots()
        ax.plot([0, 1], [0, 1], color=color)
        ax.set_xlabel("leaves", color=text)
        return svg(drawn)


STEPS = '<path id="steps" d="M 0 0 \nL 1 0 \nL 2 0 \nL 2 1.000001 \nL 1 1 \nL 3 1 \nz\n"/></svg>'
PLANTED = {
    "sound": figure(dt.plot.COLORS["cost"]).replace("</svg>", STEPS),
    "black": figure("black", "black"),
    "pale": figure("#ffee99"),
    "word": figure("#000000", "#888888"),
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str, Path]:
    """Build a page with four figures and a cell that draws, warnings being errors."""
    folder = tmp_path_factory.mktemp("figures")
    (folder / "conf.py").write_text(
        f"import sys; sys.path[:0] = [{str(ROOT / 'book' / '_ext')!r}, {str(ROOT)!r}]\n"
        "extensions = ['myst_nb', 'dtviz_figures']\nnb_execution_mode = 'off'\n"
    )
    for name, text in PLANTED.items():
        (folder / f"{name}.svg").write_text(text, "utf-8")
    shown = [f"![The figure that is called {name}.]({name}.svg)\n" for name in PLANTED]
    text = "# Planted\n\n" + "\n".join(shown) + "\n```{toctree}\ndrawn\n```\n"
    (folder / "index.md").write_text(text, "utf-8")
    output = new_output("display_data", data={"image/svg+xml": PLANTED["sound"]})
    tree = new_output("display_data", data={"text/html": dt.Tree.leaf(0)._repr_html_()})
    metadata = {"tags": ["hide-input"], "mystnb": {"image": {"alt": "A line that rises."}}}
    cells = [new_code_cell("draw()", outputs=[output, tree], metadata=metadata)]
    language = {"language_info": {"name": "python", "pygments_lexer": "python"}}
    cells.insert(0, new_markdown_cell("# Drawn"))
    write(new_notebook(cells=cells, metadata=language), folder / "drawn.ipynb")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    command += [str(folder), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, folder / "out"


@pytest.mark.xdist_group("planted figures")
class TestPlanted:
    def test_what_nobody_could_see_is_found(self, planted: tuple[int, str, Path]) -> None:
        code, said, site = planted
        assert (code, said) == (0, "")
        page = BeautifulSoup((site / "index.html").read_text("utf-8"), "html.parser")
        for name, n_faults in {"sound": 0, "black": 0, "pale": 1, "word": 1}.items():
            image = page.find("img", alt=f"The figure that is called {name}.")
            assert image
            text = (site / str(image["src"])).read_text("utf-8")
            for theme in GROUND:
                assert len(illegible(text, theme)) == n_faults, (name, theme)

    def test_code_stands_folded_below_its_picture(self, planted: tuple[int, str, Path]) -> None:
        html = (planted[2] / "drawn.html").read_text("utf-8")
        page = BeautifulSoup(html, "html.parser")
        fold = page.select_one("details.dtviz-code")
        assert fold
        assert "draw()" in fold.get_text()
        assert not fold.has_attr("open")
        assert html.index("dark-light") < html.index("dtviz-code")
        assert len(page.select("details")) == 1

    def test_fewer_bytes_draw_the_same(self, planted: tuple[int, str, Path]) -> None:
        """Only points straight on the way go: back and forth along one line is kept."""
        page = BeautifulSoup((planted[2] / "index.html").read_text("utf-8"), "html.parser")
        light = page.find("img", alt="The figure that is called sound.")
        assert light
        text = (planted[2] / str(light["src"])).read_text("utf-8")
        assert 'd="M0 0L2 0L2 1L1 1L3 1z"' in text
        ends = [
            re.findall(r"([-\d.]+) ([-\d.]+)\s*z?\s*$", outline)
            for drawn in (PLANTED["sound"], text)
            for outline in re.findall(r'(?<= d=")[^"]+', drawn)
        ]
        before, after = np.array(ends, dtype=float).reshape(2, -1)
        assert np.abs(before - after).max() < 0.01
        assert len(text) < len(PLANTED["sound"])

    def test_a_tree_in_an_output_leaves_the_page(self, planted: tuple[int, str, Path]) -> None:
        page = BeautifulSoup((planted[2] / "drawn.html").read_text("utf-8"), "html.parser")
        assert page.select("article svg, main svg, .output svg, .dtviz-picture") == []
        figures = page.select(".dtviz-figure")
        assert [figure.img["alt"] for figure in figures if figure.img] == [
            "A line that rises.",
            repr(dt.Tree.leaf(0)),
        ]


SOUND = (
    '<span class="dtviz-figure">'
    '<img class="dark-light" src="a.svg" alt="x" width="1" height="1" loading="lazy"></span>'
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('class="dtviz-figure"', ""),
        ("a.svg", "a.png"),
        ("dark-light", ""),
        (' loading="lazy"', ""),
        (' width="1"', ""),
        ("a.svg", "data:image/svg+xml,.svg"),
    ],
)
def test_an_image_that_is_not_as_it_should_be(old: str, new: str) -> None:
    def faults(text: str) -> list[str]:
        html = BeautifulSoup(f"<article>{text}</article>", "html.parser")
        return faults_of_images(Page("planted.html", html))

    assert faults(SOUND) == []
    assert faults(SOUND.replace(old, new))
