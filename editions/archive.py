"""The edition to take along: one zip, byte for byte the same if it is made of the same files."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from editions.facts import Edition
from editions.shelf import CARD, leads, versions

OPEN = "open-this.html"
LEFT_OUT = ("_static/cards/",)
"""What only other sites show."""


def folder(edition: Edition) -> str:
    """Return the name of the folder that the zip unpacks to."""
    return f"dtviz-{edition.name}"


def write(site: Path, edition: Edition, target: Path) -> None:
    """Write an edition, laid out in ``site``, and the file to open it with, as a zip.

    Names are sorted, each file has the date of the edition and the same rights; so nothing of this
    machine or of this day is in it. zlib packs the same way in each of its versions so far.
    """
    card = json.loads((site / CARD).read_text("utf-8"))
    start = f"{edition.name}/book/index.html"
    files: dict[str, bytes] = {
        OPEN: leads(edition.title, start).encode(),
        "versions.js": versions([card]).encode(),
    }
    for path in site.rglob("*"):
        name = path.relative_to(site).as_posix()
        if path.is_file() and not name.startswith(LEFT_OUT):
            files[f"{edition.name}/{name}"] = path.read_bytes()
    year, month, day = (int(part) for part in edition.date.split("-"))
    part = target.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{folder(edition)}/{name}", (year, month, day, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # as on Unix, so that the rights are read
            entry.external_attr = 0o100644 << 16
            packed.writestr(entry, files[name])
    part.replace(target)
