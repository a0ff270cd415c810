"""How to cite the book and its chapters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup
from dtviz_cite import bibtex, read_citation
from pybtex.database import parse_string

import dtviz

if TYPE_CHECKING:
    from pathlib import Path


def test_the_file_is_valid_and_has_the_version_of_the_package() -> None:
    citation = read_citation()
    assert citation["version"] == dtviz.__version__
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(citation["date-released"]))


@pytest.mark.parametrize("address", ["", "https://example.org/trees/"])
def test_an_entry_is_read_by_bibtex(address: str) -> None:
    citation = {
        "title": "Trees",
        "version": "0.2.0",
        "date-released": "2026-11-22",
        "authors": [{"name": "the contributors"}],
    }
    chapter = ("book/2-rank/index", "2", "Rank and FIND")
    both = bibtex(citation, address, chapter) + bibtex(citation, address, None)
    entries = parse_string(both, "bibtex").entries
    assert {key: entry.type for key, entry in entries.items()} == {
        "dtviz2026-2": "incollection",
        "dtviz2026": "book",
    }
    fields = entries["dtviz2026-2"].fields
    assert (fields["year"], fields["chapter"], fields["note"]) == ("2026", "2", "Version 0.2.0")
    assert (fields["title"], fields["booktitle"]) == ("Rank and FIND", "Trees")
    url = f"{address}book/2-rank/index.html" if address else None
    assert fields.get("url") == url


@pytest.mark.parametrize(
    ("page", "summary", "key"),
    [
        ("book/index", "Cite this book", "@book{dtviz"),
        ("book/2-rank/1-low-rank", "Cite this chapter", "@incollection{dtviz"),
    ],
)
def test_a_page_says_how_to_cite_it(site: Path, page: str, summary: str, key: str) -> None:
    html = BeautifulSoup((site / f"{page}.html").read_text("utf-8"), "html.parser")
    (fold,) = html.select("details.dtviz-cite")
    assert fold.summary is not None
    assert fold.summary.text == summary
    assert fold.pre is not None
    assert fold.pre.text.startswith(key)
