"""A picture for the dark: the same drawing in other colors.

A color of the explorers becomes their color in the dark (``dtviz/explorers/static/explorers.css``
is the only table). Every other keeps its hue and trades its lightness, so that white becomes the
page's dark ground and black nearly white. That suits tints and color maps; tests look for lines and
texts that it leaves illegible.
"""

from __future__ import annotations

import base64
import io
import re
from functools import cache
from xml.etree import ElementTree as ET

import numpy as np
import numpy.typing as npt
from PIL import Image

from dtviz.explorers.base import style_sheet
from dtviz.plot import COLORS

__all__ = ["darkened", "smallest_type"]

WHITE, GROUND = "#ffffff", "#121212"
"""What the theme's pages stand on, in the light and in the dark."""

LIGHTEST = 0.95
"""What becomes of black: its lightness, as OKLab measures it."""

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
PNG = "data:image/png;base64,"

HEX = r"#[0-9a-fA-F]{3,6}\b"
PAIR = re.compile(rf"--dtviz-([\w-]+): light-dark\(({HEX}), ({HEX})\)")
PAINT = re.compile(rf"(?<![\w-])(fill|stroke): ?({HEX})")
TYPE = re.compile(r"scale\((\d*\.?\d+) -\1\)")  # as Matplotlib sets a text of 100 times the size

Floats = npt.NDArray[np.float64]

# OKLab, by Björn Ottosson: from linear red, green and blue to cones, and from cones to the space.
CONES = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
SPACE = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def _rgb(color: str) -> Floats:
    """Red, green and blue from 0 to 1 of ``#rgb`` or ``#rrggbb``."""
    digits = color.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return np.array([int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)])


def _hex(rgb: Floats) -> str:
    return "#" + "".join(f"{value:02x}" for value in np.rint(255 * rgb).astype(int))


def _linear(rgb: Floats) -> Floats:
    light: Floats = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return light


def _traded(rgb: Floats) -> Floats:
    """Rows of red, green and blue with their lightness traded: white is the ground."""
    lab = np.cbrt(_linear(rgb) @ CONES.T) @ SPACE.T
    ground = (np.cbrt(_linear(_rgb(GROUND)) @ CONES.T) @ SPACE.T)[0]
    lab[..., 0] = LIGHTEST + (ground - LIGHTEST) * lab[..., 0]
    linear = np.clip((lab @ np.linalg.inv(SPACE).T) ** 3 @ np.linalg.inv(CONES).T, 0, 1)
    traded: Floats = np.where(
        linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055
    )
    return traded


@cache
def table() -> dict[str, str]:
    """Return the dark color of each light one that the explorers know, as ``#rrggbb``."""
    pairs = {name: (_hex(_rgb(a)), _hex(_rgb(b))) for name, a, b in PAIR.findall(style_sheet())}
    known = {light: dark for light, dark in pairs.values() if light != WHITE}
    known[COLORS["faint"].lower()] = pairs["line"][1]
    return known


@cache
def dark(color: str) -> str:
    """Return what a color is in the dark."""
    rgb = _rgb(color)
    return table().get(_hex(rgb)) or _hex(_traded(rgb))


def darkened(svg: str) -> str:
    """Return the picture drawn for the dark, on no ground of its own."""
    root = _parsed(svg)
    # What says nothing is black.
    root.set("fill", dark("#000000"))
    for part in root.iter():
        if part.get("id") == "patch_1":  # Matplotlib's first: the ground of the figure
            for shape in part:
                shape.set("style", "fill: none")
        for name in ("fill", "stroke"):
            if re.fullmatch(HEX, part.get(name, "")) and part is not root:
                part.set(name, dark(part.get(name, "")))
        if style := part.get("style"):
            part.set("style", PAINT.sub(lambda found: f"{found[1]}: {dark(found[2])}", style))
        if part.tag == f"{SVG}image" and part.get(LINK, "").startswith(PNG):
            part.set(LINK, _darkened_pixels(part.get(LINK, "")))
    return ET.tostring(root, encoding="unicode")


def _parsed(svg: str) -> ET.Element:
    """The root of a picture, whose names keep the prefixes that they have."""
    ET.register_namespace("", "http://www.w3.org/2000/svg")
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    return ET.fromstring(svg)  # noqa: S314 -- drawn by our own cells


def _darkened_pixels(address: str) -> str:
    """A map of colors within a picture: its lightness is traded throughout, without a seam."""
    given = Image.open(io.BytesIO(base64.b64decode(address.removeprefix(PNG)))).convert("RGBA")
    pixels = np.asarray(given)
    traded = np.rint(255 * _traded(pixels[..., :3] / 255)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(np.dstack([traded, pixels[..., 3]])).save(file, "PNG", optimize=True)
    return PNG + base64.b64encode(file.getvalue()).decode("ascii")


def smallest_type(svg: str) -> float:
    """Return the size of the smallest text in points; infinite where there is none."""
    return min((100 * float(size) for size in TYPE.findall(svg)), default=np.inf)
