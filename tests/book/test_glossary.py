"""The glossary and its links, the references, places in sources."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup, Tag
from support.site import ROOT, Page, content, pages

if TYPE_CHECKING:
    from pathlib import Path


def page_of(site: Path, name: str) -> Page:
    return next(page for page in pages(site) if page.name == f"book/{name}.html")


class TestGlossary:
    def test_each_term_says_where_it_is_defined(self, site: Path) -> None:
        terms = content(page_of(site, "glossary")).select("dl.glossary > dt")
        assert len(terms) >= 60
        for term in terms:
            result = term.find_next_sibling("dd")
            assert isinstance(result, Tag), term
            assert result.select("a.reference.internal[href*='#']"), term

    def test_a_page_links_each_term_once(self, site: Path) -> None:
        linked = 0
        for page in pages(site):
            places = [str(link["href"]) for link in content(page).select("a.dtviz-term")]
            assert len(places) == len(set(places)), page.name
            linked += len(places)
        assert linked > 100

    def test_no_term_is_a_link_in_a_title_or_a_link(self, site: Path) -> None:
        for page in pages(site):
            wrong = "h1, h2, h3, h4, .admonition-title, a a, pre, dt"
            inside = [
                link for tag in content(page).select(wrong) for link in tag.select(".dtviz-term")
            ]
            assert inside == [], page.name


class TestReferences:
    def test_titles_are_resolved_and_labels_differ(self, site: Path) -> None:
        works = content(page_of(site, "references")).select("div.citation")
        assert len(works) >= 35
        labels = [work.select_one(".label").get_text() for work in works]
        assert len(set(labels)) == len(labels)
        for work in works:
            assert not re.search(r"[{}\\]", work.get_text()), work
            assert re.search(r"\((?:\d{4}[a-z]?|undated)\)", work.select_one(".label").get_text())

    def test_identifiers_are_links(self, site: Path) -> None:
        listed = content(page_of(site, "references"))
        source = (ROOT / "book" / "references.bib").read_text("utf-8")
        assert not re.search(r"\byear *= {(?!\d{4}})", source)
        for field, address in (("doi", "https://doi.org/"), ("eprint", "https://arxiv.org/abs/")):
            kept = re.findall(rf"^ *{field} *= {{(.*)}}", source, re.MULTILINE)
            shown = [str(a["href"]) for a in listed.select(f"a[href^='{address}']")]
            assert sorted(shown) == sorted(f"{address}{name}" for name in kept)

    def test_a_citation_reads_as_the_label_of_its_work(self, site: Path) -> None:
        works = content(page_of(site, "references")).select("div.citation")
        labels = {str(work["id"]): work.select_one(".label").get_text() for work in works}
        seen = 0
        for page in pages(site):
            for link in content(page).select("a[href*='references.html#cite-']"):
                if link.get_text().isdigit():
                    place = str(link["href"]).rpartition("#")[2]
                    assert f"({link.get_text()})" in labels[place]
                    seen += 1
        assert seen > 25


PLANTED = """
Planted
=======

Trees have a leaf and leaves. Again a leaf.  A *leaf*.

.. prf:lemma:: Cost, a leaf
   :label: lem-cost

   :source:`Blanc2020 Lemma 5.1` The **cost** and the leaf.

The cost, once more, and pruned trees. As in :source:`Blanc2020 Section 2`, a **Potential**.

:source:`Nobody1999 Lemma 1` :source:`Blanc2020`

So :cite:t:`Later2020`.

.. glossary::

   leaf
      No more questions. See :prf:ref:`lem-none`. :forms:`leaf, leaves`

   potential
      It falls. See :prf:ref:`lem-cost`.

   cost
      It falls. See :prf:ref:`lem-cost`. :forms:`cost, potential`

   homeless
      No place.

.. bibliography::
   :all:
"""
BIB = """
@article{Blanc2020, author = {Guy Blanc and Jane Lange and Li-Yang Tan}, title = {On {B}oolean
Trees}, journal = {J}, year = {2020}, doi = {10.1/x}}
@article{Later2020, author = {Guy Blanc and Jane Lange and Li-Yang Tan}, title = {More},
journal = {J}, year = {2020}, extrayear = {b}}
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, BeautifulSoup]:
    """Build a page with sound lines and faults: its warnings, and it."""
    folder = tmp_path_factory.mktemp("planted")
    extensions = ["sphinx_proof", "sphinxcontrib.bibtex", "dtviz_sources", "dtviz_glossary"]
    (folder / "conf.py").write_text(
        f"import sys; sys.path[:0] = [{str(ROOT / 'book' / '_ext')!r}]\n"
        f"extensions = {extensions}\nnumfig = True\nbibtex_bibfiles = ['x.bib']\n"
        "bibtex_default_style = bibtex_reference_style = 'dtviz'\nbibtex_cite_id = 'cite-{key}'\n"
    )
    (folder / "x.bib").write_text(BIB)
    (folder / "index.rst").write_text(PLANTED)
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(folder), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    html = (folder / "out" / "index.html").read_text("utf-8")
    return done.stderr, BeautifulSoup(html, "html.parser")


@pytest.mark.xdist_group("planted glossary")
class TestPlanted:
    def test_the_first_mention_is_a_link_and_no_other(
        self, planted: tuple[str, BeautifulSoup]
    ) -> None:
        links = [(a.get_text(), str(a["href"])) for a in planted[1].select("a.dtviz-term")]
        assert links == [("leaf", "#term-leaf")]

    @pytest.mark.parametrize(
        "fault",
        [
            "go by the form 'potential'",
            "term-homeless names no place",
            "Nobody1999 is not in the references",
        ],
    )
    def test_a_fault_is_reported(self, planted: tuple[str, BeautifulSoup], fault: str) -> None:
        assert fault in planted[0]

    def test_a_place_in_a_source_stands_below_the_title(
        self, planted: tuple[str, BeautifulSoup]
    ) -> None:
        (line,) = planted[1].select("div.proof p.dtviz-source")
        assert line.get_text() == "Blanc, Lange, Tan (2020): Lemma 5.1"
        assert line.a["href"] == "#cite-blanc2020"
        assert line.find_next_sibling("p").get_text().startswith("The cost")

    def test_a_letter_separates_works_of_one_year(self, planted: tuple[str, BeautifulSoup]) -> None:
        assert planted[1].get_text().count("Blanc et al. (2020b)") == 2  # cited, and in the list

    def test_elsewhere_it_stands_in_the_line(self, planted: tuple[str, BeautifulSoup]) -> None:
        result = planted[1].select_one("span.dtviz-source")
        assert result.get_text() == "Blanc, Lange, Tan (2020), Section 2"
