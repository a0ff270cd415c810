"""The mark and the cover of the book, drawn from trees that the package grows.

Above the ground stands the tree that greedy learning grows for a function, below it the smallest
tree for the same function. The mark shows a function of three variables, the smallest kind with
such a gap: six leaves over four. The cover shows `caterpillar(3)`: 44 over 14.

``python book/_ext/dtviz_front_mark.py`` writes the files; a test compares them with what is drawn.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, cast

import matplotlib as mpl
from dtviz_dark import dark
from dtviz_front_fan import Twig, fan
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, PathPatch
from matplotlib.path import Path

import dtviz as dt
from dtviz.plot.theme import NO_METADATA

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

STATIC = File(__file__).resolve().parents[1] / "_static"
TITLE = ("Decision trees,", "grown and proved")
CLAIM = "An executable textbook"

CROWN, ROOTS = dt.plot.COLOURS["cost"], dt.plot.COLOURS["score"]
LEAVES = (dt.plot.COLOURS["label0"], dt.plot.COLOURS["label1"])
INK, MUTED, PAPER = dt.plot.COLOURS["ink"], dt.plot.COLOURS["muted"], "#ffffff"

# Inches. Both sheets show the same cover; the higher one has more room below.
SHEETS = {"cover": (210 / 25.4, 297 / 25.4), "cover-letter": (8.5, 11.0)}
FAVICON = 96
THICK, LEAF = 1.05, 2.0  # of the mark: the branch of one leaf, and the leaf

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Plant:
    """A tree that grows up and one that grows down, from one place in the middle."""

    crown: list[Twig]
    roots: list[Twig]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, lower, right and upper end of what is drawn, the size of leaves apart."""
        points = [twig.at for twig in self.crown] + [(x, -y) for x, y in (t.at for t in self.roots)]
        across, up = zip(*points, strict=True)
        return min(across), min(up), max(across), max(up)


def square(plant: Plant) -> tuple[float, float, float]:
    """Left end, lower end and side of the square around a plant and its leaves."""
    left, low, right, high = plant.box
    side = max(right - left, high - low) + 2 * LEAF
    return (left + right - side) / 2, (low + high - side) / 2, side


def greedy_and_smallest(f: dt.BooleanFunction) -> tuple[dt.Tree, dt.Tree]:
    """The tree that is grown for a function by influence, and the smallest one."""
    return dt.build_top_down(f).tree(), dt.optimal(f).tree()


@cache
def of_the_mark() -> Plant:
    """Six leaves over four: 3 variables, and ties go to the lowest one, as everywhere."""
    grown, smallest = greedy_and_smallest(dt.BooleanFunction.from_text("00011101"))
    return Plant(fan(grown, 11, 150, 4.2), fan(smallest, 6.5, 118, 2.6))


@cache
def of_the_cover() -> Plant:
    """44 leaves over 14: the example that runs through the first chapters."""
    grown, smallest = greedy_and_smallest(dt.functions.caterpillar(3))
    return Plant(fan(grown, 100, 172, 15), fan(smallest, 62, 150, 10))


# --- as SVG, by hand: small enough to stand in a page ---------------------------------------------


def curve(twig: Twig, sign: int) -> str:
    """The branch that leads to a node, as a path of an SVG; there, up is down."""
    (x0, y0), *rest = ((x, -sign * y) for x, y in twig.curve)
    return f"M{short(x0)} {short(y0)}C" + " ".join(f"{short(x)} {short(y)}" for x, y in rest)


def short(number: float, digits: int = 1) -> str:
    """Few digits: a pixel is seldom a tenth of what is drawn."""
    text = f"{number:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def mark(shade: Callable[[str], str] = str) -> str:
    """Return the mark as SVG; ``shade`` gives each colour, `dark` those for the dark."""
    plant, parts = of_the_mark(), []
    for twigs, sign, colour in ((plant.crown, 1, CROWN), (plant.roots, -1, ROOTS)):
        lines = "".join(
            f'<path d="{curve(t, sign)}" stroke-width="{short(THICK * math.sqrt(t.leaves), 2)}"/>'
            for t in twigs
        )
        parts.append(f'<g stroke="{shade(colour)}">{lines}</g>')
    for label in (0, 1):
        dots = "".join(
            f'<circle cx="{short(t.at[0])}" cy="{short(-t.at[1])}" r="{LEAF}"/>'
            for t in plant.crown
            if t.label == label
        )
        parts.append(f'<g fill="{shade(LEAVES[label])}">{dots}</g>')
    x, y, size = square(plant)
    view = " ".join(short(value, 2) for value in (x, -y - size, size, size))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="96" height="96">'
        "<title>A tree of six leaves, and below the ground the smallest one, of four</title>"
        f'<g fill="none" stroke-linecap="round">{parts[0]}{parts[1]}</g>'
        f"{parts[2]}{parts[3]}</svg>\n"
    )


# --- with Matplotlib: paper, and pictures of pixels -----------------------------------------------


def plant_on(ax: Axes, plant: Plant, thick: float, leaf: float, *, buds: bool = True) -> None:
    """Draw a plant on axes whose unit is its own; a leaf's branch is ``thick`` points wide.

    ``leaf`` is the radius of a leaf; without ``buds`` the roots have none.
    """
    for twigs, sign, colour in ((plant.crown, 1, CROWN), (plant.roots, -1, ROOTS)):
        for twig in twigs:
            points = [(x, sign * y) for x, y in twig.curve]
            line = PathPatch(Path(points, [Path.MOVETO] + 3 * [Path.CURVE4]), fill=False)
            line.set(color=colour, linewidth=thick * math.sqrt(twig.leaves), capstyle="round")
            ax.add_patch(line)
        for twig in twigs if buds or sign > 0 else ():
            if twig.label is not None:
                spot = (twig.at[0], sign * twig.at[1])
                ax.add_patch(Circle(spot, leaf, color=LEAVES[twig.label], linewidth=0, zorder=3))


def canvas(across: float, down: float, dpi: float = 72) -> tuple[Figure, Axes]:
    """A figure of so many inches, and axes over all of it, whose unit is a point."""
    figure = Figure((across, down), dpi=dpi, facecolor=PAPER)
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 72 * across), ylim=(0, 72 * down))
    ax.set_axis_off()
    return figure, ax


def planted(ax: Axes, box: tuple[float, float, float, float], thick: float, leaf: float) -> float:
    """Draw the plant of the cover into a box (left, lower, width, height); returns its ground."""
    plant = of_the_cover()
    left, low, right, high = plant.box
    x, y, width, height = box
    scale = min(width / (right - left), height / (high - low))
    x += (width - scale * (right - left)) / 2 - scale * left
    y += (height - scale * (high - low)) / 2 - scale * low
    over = ax.figure.add_axes((0, 0, 1, 1), facecolor="none")
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    over.set(xlim=((x0 - x) / scale, (x1 - x) / scale), ylim=((y0 - y) / scale, (y1 - y) / scale))
    plant_on(over, plant, thick, leaf)
    return y


def cover(across: float, down: float) -> Figure:
    """Return the cover on a sheet of so many inches."""
    figure, ax = canvas(across, down)
    wide, high = 72 * across, 72 * down
    margin = 60.0
    top = high - 118
    for k, line in enumerate(TITLE):
        ax.text(margin, top - 50 * k, line, fontsize=40, color=INK, fontweight="bold")
    ax.text(margin, top - 92, CLAIM, fontsize=17, color=MUTED)
    ground = planted(ax, (margin, 112, wide - 2 * margin, high - 360), 1.25, 1.5)
    ax.plot([margin, wide - margin], [ground, ground], color=MUTED, linewidth=0.6, zorder=0)
    said = "Grown: the tree of greedy learning for caterpillar(3), 44 leaves.\n"
    said += "Rooted: the smallest tree for the same function, 14 leaves."
    ax.text(margin, 62, said, fontsize=10.5, color=MUTED, linespacing=1.5)
    return figure


def favicon() -> Figure:
    """Return the mark in pixels, for what shows no SVG."""
    figure, ax = canvas(FAVICON / 72, FAVICON / 72)
    figure.set_facecolor("none")
    x, y, size = square(of_the_mark())
    ax.set(xlim=(x, x + size), ylim=(y, y + size))
    plant_on(ax, of_the_mark(), THICK * FAVICON / size, LEAF, buds=False)
    return figure


def as_bytes(figure: Figure, kind: str) -> bytes:
    """Return the file of a figure, without date and author: the same bytes each time."""
    file = io.BytesIO()
    gone = {
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        "png": {"Software": None},
    }
    metadata = gone.get(kind, dict(NO_METADATA))
    settings = {"svg.hashsalt": "dtviz", "font.family": "DejaVu Sans", "pdf.fonttype": 42}
    with mpl.rc_context(cast("Any", settings)):
        figure.savefig(file, format=kind, metadata=metadata, facecolor=figure.get_facecolor())
    return file.getvalue()


def drawn() -> dict[str, bytes]:
    """Return every file, by name."""
    files = {"mark.svg": mark().encode(), "mark-dark.svg": mark(dark).encode()}
    files["favicon.svg"] = files["mark.svg"]
    files["favicon.png"] = as_bytes(favicon(), "png")
    for name, (across, down) in SHEETS.items():
        for kind in ("svg", "pdf"):
            files[f"{name}.{kind}"] = as_bytes(cover(across, down), kind)
    return files


if __name__ == "__main__":
    for name, content in drawn().items():
        (STATIC / name).write_bytes(content)
