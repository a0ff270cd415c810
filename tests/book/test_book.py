"""The built book as files: where its pages lead, what they load, what their pictures say.

The book is built here with warnings as errors, which is itself the check that every reference,
citation and cell of it works. ``test_planted.py`` shows that each check below can fail.
"""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest
from support import links
from support import site as checks

from tools import notebooks

if TYPE_CHECKING:
    from pathlib import Path

PAGE_BYTES = 150_000  # gzipped, the explorers' data included
CHAPTER_BYTES = 250_000  # of a page of a chapter, as it is


def test_every_page_of_the_contents_is_built(site: Path) -> None:
    missing = [name for name in checks.contents() if not (site / f"{name}.html").is_file()]
    assert not missing


OTHERS = ("atlas/*.md", "atlas/*.ipynb", "homework/*.ipynb", "reference/*.md", "reference/*.ipynb")


def test_a_page_of_the_folder_that_is_not_in_the_contents_is_a_mistake() -> None:
    on_disk = {
        path.relative_to(checks.ROOT).with_suffix("").as_posix()
        for suffix in ("*.ipynb", "*.md", "[0-9]-*/*.ipynb", "[0-9]-*/*.md", *OTHERS)
        for path in (checks.ROOT / "book").glob(suffix)
    }
    assert on_disk == set(checks.contents())


@pytest.mark.parametrize(
    "check",
    [
        checks.third_party,
        checks.stray_values,
        checks.figures_without_alt,
        checks.unresolved,
        checks.odd_signs,
        links.bare_mentions,
    ],
)
def test_pages(site: Path, check: checks.PageCheck) -> None:
    assert [finding for page in checks.pages(site) for finding in check(page)] == []


def test_style_sheets_load_nothing_from_elsewhere(site: Path) -> None:
    assert checks.third_party_styles(site) == []


def test_links_within_the_book_lead_somewhere(site: Path) -> None:
    assert checks.dead_links(site) == []


def test_each_chapter_offers_its_notebook(site: Path) -> None:
    for name in checks.contents():
        source = next(checks.ROOT.glob(f"{name}.*"))
        offered = site / "_sources" / f"{name}{source.suffix}"
        assert offered.read_bytes() == source.read_bytes()
        if source.suffix == ".ipynb":
            page = (site / f"{name}.html").read_text("utf-8")
            up = "../" * name.count("/")
            assert f'href="{up}_sources/{name}.ipynb"' in page


def test_a_page_loads_the_scripts_of_its_explorers_and_no_other(site: Path) -> None:
    for page in checks.pages(site):
        shown = {part["data-explorer"] for part in page.html.select("div.dtviz-explorer")}
        falls = ["falling"] * bool(page.html.select(".dtviz-front-tree"))
        tags = page.html.select('script[src*="dtviz-explorer"]')
        names = re.findall(r"dtviz-explorer-(\w+)\.js", " ".join(str(tag["src"]) for tag in tags))
        assert names == ([*sorted(shown), "host"] if shown else falls), page.name
        assert all(tag.has_attr("defer") and tag.get("type") != "module" for tag in tags)


def test_pages_are_light_and_hold_no_state_of_another_widget_manager(site: Path) -> None:
    for page in checks.pages(site):
        html = str(page.html)
        assert "application/vnd.jupyter" not in html, page.name
        assert len(gzip.compress(html.encode())) < PAGE_BYTES, page.name
        if page.name.startswith(tuple(f"book/{k}-" for k in range(1, 8))):
            assert (site / page.name).stat().st_size < CHAPTER_BYTES, page.name


@pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.name)
class TestNotebook:
    def test_is_stored_as_its_habits_say(self, path: Path) -> None:
        assert notebooks.faults(path) == []

    def test_no_cell_hides_its_value(self, path: Path) -> None:
        assert checks.hidden_values(notebooks.load(path)) == []
