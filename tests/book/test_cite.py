"""How to cite the book: CITATION.cff, and an entry on the page about the book."""

from __future__ import annotations

import re
from typing import Any

import yaml
from pybtex.database import parse_string
from support.site import ROOT

import dtviz

CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))


def test_the_file_is_valid_and_has_the_version_of_the_package() -> None:
    assert CITATION["version"] == dtviz.__version__
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= CITATION.keys()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(CITATION["date-released"]))


def test_the_entry_says_what_the_file_says() -> None:
    page = (ROOT / "book" / "about.md").read_text("utf-8")
    (text,) = re.findall(r"^```bibtex\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (entry,) = parse_string(text, "bibtex").entries.values()
    assert dict(entry.fields) == {
        "title": CITATION["title"],
        "year": str(CITATION["date-released"])[:4],
        "note": f"Version {CITATION['version']}",
    }
    (author,) = entry.persons["author"]
    assert [str(author).strip("{}")] == [one["name"] for one in CITATION["authors"]]
