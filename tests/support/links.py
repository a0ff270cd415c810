"""Checks of the links of the built book: bare numbers, and what the cards of the links hold."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from support.site import Page, content

KINDS = (
    "Lemma|Theorem|Corollary|Proposition|Definition|Algorithm|Example|Remark|Exercise|Figure|Table"
    "|Chapter|Section|Equation"
)
# "Lemma 5.1", "Lemmas 5.1 and 5.2", "equation (3)", "Figs. 2", "chapter 2".
BARE = re.compile(
    rf"\b(?:(?:{KINDS}|Fig\.|Lem\.|Thm\.|Eq\.|Corollarie)s?\s+|equations?\s+\()"
    r"(?:[A-Z]\.)?\d+(?:\.\d+)*\b",
    re.IGNORECASE,
)
# A link; a box's own number; the place in a source; code and what it prints or finds ("table 0" of
# those that a claim was tried on); formulas; the list.
NOT_PROSE = (
    "a, pre, code, script, style, svg, math, .math, mjx-container, .caption-number, .dtviz-source,"
    " .citation, .cell_output, .dtviz-chip, .dtviz-claims, .dtviz-explorer, .section-number,"
    " .toctree-wrapper, nav, footer"
)


def bare_mentions(page: Page) -> list[str]:
    """Find numbers of statements, equations, figures and chapters in prose that are no link."""
    found = []
    for text in content(page).find_all(string=BARE):
        if text.parent is not None and text.parent.css.closest(NOT_PROSE) is None:
            found += [f"{page.name}: {match[0]!r} is no link" for match in BARE.finditer(text)]
    return found


def cards(site: Path, page: str) -> dict[str, Tag]:
    """Return the cards that a site has for the places of a page (its path without suffix)."""
    path = site / "_static" / "previews" / f"{page}.js"
    return _parsed(path, path.stat().st_mtime_ns)


@cache
def _parsed(path: Path, written: int) -> dict[str, Tag]:
    """Parse the cards in a script, once for all checks, unless it was ``written`` again."""
    del written
    found = json.loads(path.read_text("utf-8").partition("]=")[2].rstrip().removesuffix(";"))
    return {place: BeautifulSoup(html, "html.parser") for place, html in found.items()}
