"""The book laid out as an edition: what changes and what never does, seen on a tiny book."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
import zipfile
from typing import TYPE_CHECKING

import pytest
import yaml
from nbformat import reads, validate
from pybtex.database import parse_string
from support import site as checks

import dtviz
from editions import archive, cards, facts, notebooks, page, policy, shelf
from editions.layout import FixedError, Plan, lay_out

sys.path.append(str(checks.ROOT / "book" / "_ext"))  # as Sphinx finds its extensions

import dtviz_editions as extension

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = "https://example.org/trees/"
FIGURE = (
    '<svg width="90pt" height="60pt" viewBox="0 0 90 60" xmlns="http://www.w3.org/2000/svg">'
    '<rect width="90" height="60" style="fill: #d55e00"/></svg>'
)
PAGE = """<!DOCTYPE html>
<html lang="en" data-content_root="{root}">
<head><title>{title} &#8212; Trees</title>
<meta name="description" content="What a &quot;tree&quot; is.">
<script>var first = "</p>";</script><style>p {{ color: red }}</style>
<script src="{root}_static/a.js"></script>
</head><body><div class="article-header-buttons"></div>
<!-- <script>var never;</script> -->
<script type="application/json">{{"a": "<b>"}}</script>
<article><p style="margin: 0; color: red" title="a > b">x</p>
<img class="only-dark" src="{root}_images/dark.svg"><img src="{root}_images/one.svg"></article>
<div class="bd-search-container"><h1>Search</h1><a href="{root}book/index.html#top">x</a></div>
</body></html>
"""
NOTEBOOK = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def edition(name: str, date: str = "2026-11-22") -> facts.Edition:
    return facts.Edition(name, "Trees", "0.2.0", date, "the contributors")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Write what the build of a tiny book could have written."""
    site = tmp_path / "html"
    for name in ("book/index", "book/1-one/index", "book/1-one/more", "search"):
        path = site / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(root="../" * name.count("/"), title=name), "utf-8")
    (site / "book" / "old.html").write_text("<html><head></head><script>go()</script></html>")
    for name in ("_static/previews/p.js", "_images/one.svg", "_sources/book/1-one/more.ipynb"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("x", "utf-8")
    (site / "_static/previews/p.js").write_text(r'p({"a": "<i style=\"color: red\">x</i>"})')
    (site / "_images/one.svg").write_text(FIGURE)
    (site / "_sources/book/1-one/more.ipynb").write_text(json.dumps(NOTEBOOK))
    (site / ".buildinfo").write_text("of this machine")
    return site


def plan(book: Path, name: str = "2026", date: str = "2026-11-22", address: str = ADDRESS) -> Plan:
    return Plan(book, book.parent / "site", edition(name, date), address, pictures=False)


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def told(site: Path) -> dict[str, object]:
    text = (site / "versions.js").read_text("utf-8")
    found: dict[str, object] = json.loads(
        text.removeprefix("globalThis.dtvizEditions=").rstrip(";\n")
    )
    return found


class TestEditions:
    def test_an_earlier_edition_stays_and_learns_of_the_newer(self, book: Path) -> None:
        site = lay_out(plan(book), say=str).parent
        before = digests(site / "2026")
        archive_before = (site / "dtviz-2026.zip").read_bytes()
        (book / "book/1-one/more.html").unlink()
        (book / "book/index.html").write_text(PAGE.format(root="../", title="New"), "utf-8")
        lay_out(plan(book, "2027", "2027-02-01"), say=str)
        assert digests(site / "2026") == before
        assert (site / "dtviz-2026.zip").read_bytes() == archive_before
        assert digests(site / "latest") == digests(site / "2027") != before
        versions = told(site)
        assert versions["latest"] == "2027"
        names = [(entry["name"], len(entry["pages"])) for entry in versions["editions"]]  # type: ignore[attr-defined]
        assert names == [("2027", 3), ("2026", 4)]
        # The old pages read it: the script stands above all editions.
        assert 'src="../../../versions.js"' in (site / "2026/book/1-one/more.html").read_text()

    def test_a_correction_of_an_old_edition_does_not_become_the_latest(self, book: Path) -> None:
        site = lay_out(plan(book, "2027", "2027-02-01"), say=str).parent
        lay_out(plan(book, "2026b"), say=str)
        assert told(site)["latest"] == "2027"
        assert digests(site / "latest") == digests(site / "2027")

    def test_what_is_published_is_not_replaced_unasked(self, book: Path) -> None:
        site = lay_out(plan(book), say=str).parent
        before = digests(site)
        lay_out(plan(book), say=str)
        assert digests(site) == before
        (book / "book/index.html").write_text(PAGE.format(root="../", title="New"), "utf-8")
        with pytest.raises(FixedError, match=r"would change in 1 files \(book/index.html\)"):
            lay_out(plan(book), say=str)
        assert digests(site) == before
        lay_out(plan(book), replace=True, say=str)
        assert "<title>New" in (site / "latest/book/index.html").read_text("utf-8")

    @pytest.mark.parametrize(
        "name", ["26", "latest", "2026-1", "../2026", pytest.param("9" * 1_000_000, id="long")]
    )
    def test_a_name_that_is_none_is_refused_in_a_line(self, name: str) -> None:
        with pytest.raises(ValueError, match="must be a year") as told:
            facts.edition(name)
        assert len(str(told.value)) < 200

    @pytest.mark.parametrize("name", ["gopher://a/", pytest.param("x" * 1_000_000, id="long")])
    def test_an_address_that_is_none_is_refused_in_a_line(self, name: str) -> None:
        for refused in (facts.address, notebooks.slug):
            with pytest.raises(ValueError, match="must be like https://") as told:
                refused(name)
            assert len(str(told.value)) < 200

    def test_editions_are_ordered_as_numbers(self) -> None:
        names = ["2026.10", "2027", "2026", "2026b", "2026.9"]
        assert sorted(names, key=facts.order) == ["2026", "2026.9", "2026.10", "2026b", "2027"]

    def test_the_zip_is_the_same_whenever_it_is_made(self, book: Path) -> None:
        site = lay_out(plan(book), say=str).parent
        first = (site / "dtviz-2026.zip").read_bytes()
        for path in book.rglob("*"):
            path.touch()
        other = book.parent / "other"
        lay_out(plan(book)._replace(output=other), say=str)
        assert (other / "dtviz-2026.zip").read_bytes() == first
        with zipfile.ZipFile(site / "dtviz-2026.zip") as packed:
            names = packed.namelist()
            start = packed.read("dtviz-2026/" + archive.OPEN).decode()
        assert names == sorted(names)
        assert {name.split("/")[0] for name in names} == {"dtviz-2026"}
        assert "dtviz-2026/2026/book/index.html" in names
        assert "url=2026/book/index.html" in start


class TestPages:
    def test_nothing_inline_is_left_and_order_stays(self, book: Path) -> None:
        site = lay_out(plan(book), say=str)
        text = (site / "book/index.html").read_text("utf-8")
        assert policy.inline(text) == []
        assert policy.inline(PAGE.format(root="", title="")) != []
        moved = re.search(r'<script src="\.\./(_static/inline/\w+\.js)"></script>', text)
        assert moved
        assert (site / moved[1]).read_text("utf-8") == 'var first = "</p>";'
        assert text.index(moved[1]) < text.index("_static/a.js")
        assert "<!-- <script>var never;</script> -->" in text
        assert '{"a": "<b>"}' in text
        name = re.search(r'<p data-style="(\w+)" title="a > b">', text)
        assert name
        rules = (site / policy.FOLDER / "attributes.css").read_text("utf-8")
        said = "{ margin: 0 !important; color: red !important; }"
        assert f'[data-style="{name[1]}"] {said}' in rules
        assert "style=" not in (site / "_static/previews/p.js").read_text("utf-8").replace(
            "data-style=", ""
        )
        assert policy.inline((site / "book/old.html").read_text("utf-8")) == []

    @pytest.mark.parametrize("tag", ['<p title="a<b" style="x: y">', '<p class="a"style="x: y">'])
    def test_a_style_in_a_tag_that_is_written_oddly_is_moved(self, tag: str) -> None:
        mover = policy.Mover(checks.ROOT)
        assert policy.inline(tag) == [tag]
        assert policy.inline(mover.moved("page", tag, "")) == []
        assert list(mover.styles.values()) == ["x: y"]

    def test_a_tag_that_never_ends_is_passed_by_at_once(self) -> None:
        text = '<p style="a" ' + "a" * 100_000 + '"'
        assert policy.Mover(checks.ROOT).moved("page", text, "") == text

    @pytest.mark.parametrize("piece", ["<a ", "<a href='x", "<!--"])
    def test_what_never_ends_is_read_once(self, piece: str) -> None:
        text = piece * 5_000  # read from each piece to the end, it would take 5 seconds
        start = time.process_time()
        assert policy.inline(text) == []
        assert policy.Mover(checks.ROOT).moved("page", text, "") == text
        assert time.process_time() - start < 1

    @pytest.mark.parametrize(
        "text", [pytest.param("<script>" * 5_000, id="long"), "<p><style>p {}</p>"]
    )
    def test_a_script_or_style_without_end_is_refused(self, text: str) -> None:
        with pytest.raises(policy.PolicyError, match=r"page: a <(script|style)> has no end"):
            policy.Mover(checks.ROOT).moved("page", text, "")

    def test_a_handler_in_a_page_is_refused(self, book: Path) -> None:
        path = book / "book/index.html"
        path.write_text(path.read_text("utf-8").replace("<article>", '<b onclick="go()">x</b>'))
        with pytest.raises(policy.PolicyError, match="onclick"):
            lay_out(plan(book), say=str)

    def test_machines_are_told_the_address_that_stays(self, book: Path) -> None:
        site = lay_out(plan(book)._replace(pictures=True), say=str).parent
        text = (site / "2026/book/1-one/more.html").read_text("utf-8")
        stable = f"{ADDRESS}latest/book/1-one/more.html"
        assert text.count('rel="canonical"') == 1
        assert f'<link rel="canonical" href="{stable}">' in text
        assert 'property="og:description" content="What a &quot;tree&quot; is."' in text
        card = f"{cards.FOLDER}/book/1-one/more.png"
        assert f'property="og:image" content="{ADDRESS}2026/{card}"' in text
        assert (site / "2026" / card).read_bytes()[:4] == b"\x89PNG"
        listed = re.findall("<loc>(.*?)</loc>", (site / "sitemap.xml").read_text("utf-8"))
        assert sorted(listed) == [
            f"{ADDRESS}latest/book/{name}.html" for name in ("1-one/index", "1-one/more", "index")
        ]
        assert f"Sitemap: {ADDRESS}sitemap.xml" in (site / "robots.txt").read_text("utf-8")

    def test_without_an_address_nothing_claims_one(self, book: Path) -> None:
        site = lay_out(plan(book, address=""), say=str).parent
        text = (site / "2026/book/index.html").read_text("utf-8")
        assert "canonical" not in text
        assert "og:url" not in text
        assert not (site / "sitemap.xml").exists()
        assert "Sitemap" not in (site / "robots.txt").read_text("utf-8")

    def test_each_card_shows_the_picture_of_its_page(self) -> None:
        own = page.Page("book/1-one/more", PAGE.format(root="../../", title="x"))
        assert own.picture == "_images/one.svg"
        drawn = cards.drawn(cards.drawing("A title", "Trees", FIGURE))
        without = cards.drawn(cards.drawing("A title", "Trees", ""))
        assert drawn != without
        assert drawn == cards.drawn(cards.drawing("A title", "Trees", FIGURE))

    def test_the_page_of_a_missing_address_begins_at_the_root(self, book: Path) -> None:
        site = lay_out(plan(book), say=str).parent
        text = (site / "404.html").read_text("utf-8")
        loads = re.findall(r'(?:src|href)="([^"]+)"', text)
        assert loads
        assert all(url.startswith(("/trees/", "#", "https:")) for url in loads), loads
        assert 'data-content_root="/trees/latest/"' in text
        assert 'src="/trees/versions.js"' in text
        assert 'content="noindex"' in text
        assert 'href="/latest/book/index.html"' in shelf.not_found(
            page.Page("search", (site / "latest/search.html").read_text("utf-8")), ""
        )


class TestCitation:
    def test_the_file_is_valid_and_says_what_the_package_does(self) -> None:
        told = yaml.safe_load((checks.ROOT / "CITATION.cff").read_text("utf-8"))
        assert told["version"] == dtviz.__version__
        assert told["cff-version"] == "1.2.0"
        assert {"message", "title", "authors"} <= told.keys()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(told["date-released"]))

    @pytest.mark.parametrize("address", ["", ADDRESS])
    def test_an_entry_is_read_by_bibtex(self, address: str) -> None:
        chapter = ("book/2-rank/index", "2", "Rank and FIND")
        entries = parse_string(
            extension.bibtex(edition("2026"), address, chapter)
            + extension.bibtex(edition("2026"), address, None),
            "bibtex",
        ).entries
        assert {key: entry.type for key, entry in entries.items()} == {
            "dtviz2026-2": "incollection",
            "dtviz2026": "book",
        }
        fields = entries["dtviz2026-2"].fields
        assert (fields["year"], fields["chapter"], fields["note"]) == ("2026", "2", "Version 0.2.0")
        url = f"{ADDRESS}2026/book/2-rank/index.html" if address else None
        assert fields.get("url") == url


class TestElsewhere:
    REPOSITORY = "https://github.com/someone/trees"

    def test_without_a_repository_there_are_no_copies(self, book: Path) -> None:
        assert not (lay_out(plan(book), say=str) / notebooks.FOLDER).exists()

    def test_a_copy_installs_the_package_of_its_edition(self, book: Path) -> None:
        site = lay_out(plan(book)._replace(repository=self.REPOSITORY), say=str)
        copy = reads((site / "notebooks/book/1-one/more.ipynb").read_text("utf-8"), as_version=4)
        validate(copy)
        assert (
            "https://raw.githubusercontent.com/someone/trees/gh-pages/2026/"
            "dtviz-0.2.0-py3-none-any.whl" in copy.cells[0].source
        )

    def test_the_buttons_lead_to_the_copies(self) -> None:
        colab, binder = (
            button["url"]
            for button in extension.launchers(self.REPOSITORY, edition("2026"), "book/1-one/more")
        )
        assert colab == (
            "https://colab.research.google.com/github/someone/trees/blob/gh-pages/2026/notebooks/"
            "book/1-one/more.ipynb"
        )
        assert binder == (
            "https://mybinder.org/v2/gh/someone/trees/v0.2.0?urlpath=lab/tree/book/1-one/more.ipynb"
        )

    @pytest.mark.parametrize("address", ["someone/trees", "https://example.org/a/b", "x" * 99])
    def test_another_address_is_refused(self, address: str) -> None:
        with pytest.raises(ValueError, match=r"must be like https://github\.com/OWNER/NAME"):
            notebooks.slug(address)
