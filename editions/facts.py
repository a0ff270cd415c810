"""What is told once and used by all: the edition in CITATION.cff, the addresses in _config.yml."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import yaml

from dtviz.core.checks import shown

ROOT = Path(__file__).resolve().parents[1]
NAME = re.compile(r"[0-9]{4}[a-z]?(?:\.[0-9]+)?")


class Edition(NamedTuple):
    """An edition: its name, which is in its addresses, and what one cites."""

    name: str
    title: str
    version: str
    date: str
    authors: str


def edition(name: str = "", root: Path = ROOT) -> Edition:
    """Return the edition that CITATION.cff describes; its name is the year unless one is given.

    What `make site` was given holds for the build of its pages, too: ``DTVIZ_EDITION``.

    Raises
    ------
    ValueError
        If the name is none: a year, and a letter or number where one year has several.

    """
    told: dict[str, Any] = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    date = str(told["date-released"])
    name = name or os.environ.get("DTVIZ_EDITION", "") or date[:4]
    if not NAME.fullmatch(name):
        raise ValueError(
            f"the name of an edition must be a year, or one like 2026b or 2026.2, got {shown(name)}"
        )
    authors = " and ".join(str(author["name"]) for author in told["authors"])
    return Edition(name, str(told["title"]), str(told["version"]), date, authors)


def address(given: str = "", root: Path = ROOT) -> str:
    """Return the address of the site, with a slash at its end; empty where none is configured.

    It is ``html: baseurl`` of _config.yml, unless one is given, here or as ``DTVIZ_ADDRESS``.

    Raises
    ------
    ValueError
        If it is no address of a folder on a server.

    """
    told: dict[str, Any] = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    given = given or os.environ.get("DTVIZ_ADDRESS", "")
    found = given or str((told.get("html") or {}).get("baseurl") or "")
    if not found:
        return ""
    parts = urlsplit(found)
    is_folder = not (parts.query or parts.fragment or parts.path.endswith(".html"))
    if (
        parts.scheme not in {"http", "https"}
        or not parts.netloc
        or not is_folder
        or re.search(r"\s", found)
    ):
        raise ValueError(
            f"the site's address must be like https://host/folder/, got {shown(found)}"
        )
    return found.rstrip("/") + "/"


def order(name: str) -> tuple[int, str, int]:
    """Return what editions are sorted by: 2026 before 2026b before 2027, 2026.9 before 2026.10."""
    year, _, number = name.partition(".")
    return int(year[:4]), year[4:], int(number or 0)
