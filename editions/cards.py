"""The picture that a link to a page shows elsewhere: its title, and the first picture on it.

That is an explorer as the build drew it, or a figure; both were computed for the page. resvg draws
them, for no library that the book has already turns SVG into points.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import textwrap
from functools import cache
from pathlib import Path

import matplotlib as mpl
import resvg_py
from PIL import Image

from editions.facts import Edition
from editions.page import Page

WIDTH, HEIGHT = 1200, 630
MARGIN = 60
FOLDER = "_static/cards"
CACHE = Path(__file__).resolve().parents[1] / "_build" / "cards"
SIZE = re.compile(r'<svg\b[^>]*?\bviewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')
COLOURS = 64


@cache
def fonts() -> tuple[str, ...]:
    """Return the files of the two faces that matplotlib brings."""
    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    return tuple(str(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))


def _placed(picture: str, top: float) -> str:
    """Return the picture as large as there is room for, below ``top``."""
    found = SIZE.search(picture)
    if found is None:
        return ""
    width, height = float(found[1]), float(found[2])
    room = (WIDTH - 2 * MARGIN, HEIGHT - top - MARGIN / 2)
    scale = min(room[0] / width, room[1] / height)
    x = MARGIN + (room[0] - width * scale) / 2
    head, content = picture[: found.end()], picture[found.end() :]
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head[found.start() :])
    size = f'width="{width * scale:.1f}" height="{height * scale:.1f}"'
    return head.replace("<svg", f'<svg x="{x:.1f}" y="{top:.1f}" {size}', 1) + content


def drawing(title: str, book: str, picture: str) -> str:
    """Return a card as SVG: the book's name, the title of the page, and below the picture."""
    lines = textwrap.wrap(title, 40)[:3]
    words = "".join(
        f'<text x="{MARGIN}" y="{128 + 56 * row}" font-size="46" font-weight="bold" '
        f'fill="#1a1a1a">{html.escape(line)}</text>'
        for row, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="DejaVu Sans">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
        f'<rect width="{WIDTH}" height="14" fill="#0b57c2"/>'
        f'<text x="{MARGIN}" y="68" font-size="26" fill="#555555">{html.escape(book)}</text>'
        f"{words}{_placed(picture, 110 + 56 * len(lines))}</svg>"
    )


def drawn(svg: str) -> bytes:
    """Return a drawing as PNG, in few colours, which it has."""
    points = resvg_py.svg_to_bytes(
        svg_string=svg,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=list(fonts()),
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
    image = Image.open(io.BytesIO(bytes(points))).convert("RGB")
    packed = io.BytesIO()
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def write(page: Page, picture: str, site: Path, edition: Edition) -> str:
    """Write the card of a page, with a picture, into the site, and return its path there.

    A card once drawn is kept in ``_build/cards``, for drawing all takes a minute.
    """
    svg = drawing(page.title, edition.title, picture)
    kept = CACHE / f"{hashlib.sha256(svg.encode()).hexdigest()[:16]}.png"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part")
        part.write_bytes(drawn(svg))
        part.replace(kept)
    target = site / FOLDER / f"{page.name}.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(kept.read_bytes())
    return f"{FOLDER}/{page.name}.png"
