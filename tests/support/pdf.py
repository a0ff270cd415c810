"""Checks of the PDF edition. Each takes what was read from it and returns its findings."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pypdf import PdfReader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_OVER = 5.0
"""Points that a line may stand out of the text: nobody sees less."""
OVERFULL = re.compile(r"Overfull \\[hv]box \(([\d.]+)pt too (?:wide|high)\)[^\n]*")
SHRUNK = re.compile(r"dtviz: a formula of ([\d.]+)pt in ([\d.]+)pt")
LEAST_SHRUNK = 0.7


def texts(pdf: Path) -> list[str]:
    """Return the text of each page, in the order in which it is read."""
    told = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True)
    return told.stdout.split("\f")[:-1]


def bookmarks(pdf: Path) -> list[tuple[int, str, int]]:
    """Return the bookmarks: how deep, what they say, the page from 0."""
    reader = PdfReader(pdf)

    def walk(entries: list[Any], depth: int) -> Iterator[tuple[int, str, int]]:
        for entry in entries:
            if isinstance(entry, list):
                yield from walk(entry, depth + 1)
            else:
                yield depth, str(entry.title), reader.get_destination_page_number(entry) or 0

    return list(walk(reader.outline, 0))


def told_of_itself(pdf: Path) -> dict[str, str]:
    """Return what a reader's program shows of the book: its title, who wrote it, its language."""
    reader = PdfReader(pdf)
    told: Any = reader.metadata or {}
    catalogue: Any = reader.trailer["/Root"]
    return {
        "title": str(told.get("/Title", "")),
        "author": str(told.get("/Author", "")),
        "language": str(catalogue.get("/Lang", "")),
    }


def sheet(pdf: Path) -> tuple[int, int]:
    """Return the width and the height of the pages in millimetres; (0, 0) if they differ."""
    sizes = {
        (
            round(float(page.mediabox.width) / 72 * 25.4),
            round(float(page.mediabox.height) / 72 * 25.4),
        )
        for page in PdfReader(pdf).pages
    }
    return sizes.pop() if len(sizes) == 1 else (0, 0)


def fonts_left_out(told: str) -> list[str]:
    """Find the fonts that are not embedded, in what ``pdffonts`` tells."""
    rows = told.splitlines()[2:]
    return [row for row in rows if row.split()[-5:-4] != ["yes"]]


def unresolved(pages: list[str]) -> list[str]:
    """Find references that TeX did not resolve, markup left as typed, and things only named."""
    sign = re.compile(
        r"\?\?|\{(?:prf:ref|doc|numref|eq|try|claim|cite:?\w*)\}`|:::|</(?:div|span|details|form)>"
        r"|<(?:details|div|form|script)\b|<[A-Z]\w+: "
    )
    return [
        f"page {k + 1}: {found[0]}" for k, text in enumerate(pages) for found in sign.finditer(text)
    ]  # fmt: skip


def overfull(log: str) -> list[str]:
    """Find lines and pages that stand out of the text, and formulas that are made too small."""
    wide = [found[0] for found in OVERFULL.finditer(log) if float(found[1]) > MOST_OVER]
    small = [
        found[0]
        for found in SHRUNK.finditer(log)
        if float(found[2]) < LEAST_SHRUNK * float(found[1])
    ]
    return wide + small


def out_of_order(marks: list[tuple[int, str, int]], titles: list[str]) -> list[str]:
    """Find titles that have no bookmark, or stand before those they should follow."""
    pages = {title: page for _, title, page in marks}
    lacking = [f"no bookmark {title!r}" for title in titles if title not in pages]
    known = [title for title in titles if title in pages]
    return lacking + [
        f"{b!r} stands before {a!r}" for a, b in pairwise(known) if pages[b] <= pages[a]
    ]
