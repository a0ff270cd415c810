"""The book's own search: what can be found, and what comes first."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urlsplit

import pytest
import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx_exercise.nodes import solution_node
from support import web
from support.site import anchors, contents, parsed

from book._ext import dtviz_search as search

if TYPE_CHECKING:
    from collections.abc import Callable

    from bs4 import BeautifulSoup
    from playwright.sync_api import Page

QUESTIONS = yaml.safe_load((Path(__file__).parent / "questions.yml").read_text("utf-8"))
BOXES = "article :is(div.proof:not(#proof), div.exercise)[id]"
NAMED = "article :is(dl.glossary > dt[id], dl.py > dt.sig[id])"


class Found(NamedTuple):
    """Where a row of the index leads, and what it says."""

    page: str
    kind: str
    label: str
    title: str
    anchor: str
    text: str


def rows(site: Path) -> list[Found]:
    script = (site / "_static" / search.INDEX).read_text("utf-8")
    index = json.loads(script.removeprefix("globalThis.dtvizSearchIndex=").rstrip(";\n"))
    return [Found(index["pages"][row[0]][0], *row[1:6]) for row in index["rows"]]


def dead(found: list[Found], pages: dict[str, BeautifulSoup]) -> list[Found]:
    """The rows that lead to no place of their page."""
    known = {page: anchors(html) for page, html in pages.items()}
    return [row for row in found if row.anchor and row.anchor not in known[row.page]]


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, BeautifulSoup]:
    paths = [site / f"{name}.html" for name in contents()]
    return {p.relative_to(site).as_posix(): parsed(p, p.stat().st_mtime_ns) for p in paths}


class TestIndex:
    def test_every_row_leads_somewhere(self, site: Path, pages: dict[str, BeautifulSoup]) -> None:
        found = rows(site)
        assert dead(found, pages) == []
        wrong = found[0]._replace(anchor="no-such-place")
        assert dead([*found, wrong], pages) == [wrong]

    def test_all_that_has_a_name_is_there(
        self, site: Path, pages: dict[str, BeautifulSoup]
    ) -> None:
        """Statements, exercises, terms and functions of the pages, as their HTML has them."""
        known = {(row.page, row.anchor) for row in rows(site)}
        named = [
            (page, str(tag["id"]))
            for page, html in pages.items()
            for tag in html.select(f"{BOXES}, {NAMED}")
        ]
        assert len(named) > 400
        assert [place for place in named if place not in known] == []
        sections = sum(
            len(html.select("article section[id] > :is(h2, h3)")) for html in pages.values()
        )
        assert sum(row.kind == "section" for row in rows(site)) >= sections > 100

    def test_numbers_are_those_of_the_pages(
        self, site: Path, pages: dict[str, BeautifulSoup]
    ) -> None:
        for row in rows(site):
            if row.kind in {"definition", "theorem", "lemma"}:
                box = pages[row.page].find(id=row.anchor)
                assert box is not None
                assert box.get_text(" ", strip=True).startswith(row.label), row

    def test_no_code_and_no_formula_as_it_is_typed(
        self, site: Path, pages: dict[str, BeautifulSoup]
    ) -> None:
        text = "\n".join(row.text for row in rows(site))
        cells = [cell.get_text() for html in pages.values() for cell in html.select("div.cell pre")]
        code = re.compile(r".{40,}\(.*=|.*=.{40,}\(")
        lines = {line.strip() for cell in cells for line in cell.split("\n") if code.match(line)}
        assert len(lines) > 300
        assert [line for line in lines if line in text] == []
        assert re.findall(r".{40}\\.{10}", text) == []

    def test_it_is_light(self, site: Path) -> None:
        script = (site / "_static" / search.INDEX).read_bytes()
        assert 100_000 < len(gzip.compress(script)) <= 450_000

    def test_nothing_of_sphinx_is_left(self, site: Path) -> None:
        assert not (site / "searchindex.js").exists()
        assert not (site / "_static" / "searchtools.js").exists()
        page = (site / "book/index.html").read_text("utf-8")
        assert not re.search(r"searchindex|searchtools|language_data|sphinx_highlight", page)


def collected(*children: nodes.Node) -> list[search.Row]:
    """What is found on a page with these parts."""
    section = nodes.section("", nodes.title("", "A page"), *children, ids=["a-page"])
    document = cast("Any", SimpleNamespace(children=[section]))
    numbers = {"page": {"definition": {"def-a": (4, 2)}}}
    return search.rows_of(cast("Any", SimpleNamespace(toc_fignumbers=numbers)), "page", document)


class TestCollector:
    def test_code_outputs_and_solutions_stay_out(self) -> None:
        planted = nodes.paragraph("", "planted")
        (page,) = collected(
            nodes.paragraph("", "Said."),
            nodes.container("", planted.deepcopy(), classes=["cell_output"]),
            nodes.container("", nodes.literal_block("", "planted"), classes=["cell_input"]),
            solution_node("", planted.deepcopy(), ids=["sol-a"]),
            nodes.raw("", "planted", format="html"),
        )
        assert page == ("page", "", "A page", "", ["Said."], [])

    def test_a_definition_is_found_by_what_it_defines(self) -> None:
        box = nodes.admonition(
            "",
            nodes.title("", " (Split, tree)"),
            nodes.paragraph(
                "", "It ", nodes.emphasis("", "splits"), nodes.Text(" "), nodes.math("", "x")
            ),
            ids=["def-a"],
            realtype="definition",
            countertype="definition",
        )
        definition = collected(box)[1]
        assert definition[:4] == ("definition", "Definition 4.2", "Split, tree", "def-a")
        assert definition[4:] == (["It splits x"], ["splits"])

    def test_a_term_has_all_its_names(self) -> None:
        item = nodes.definition_list_item(
            "",
            nodes.term("", "size", ids=["term-size"]),
            nodes.term("", "number of leaves", ids=["term-leaves"]),
            nodes.definition("", nodes.paragraph("", "How many leaves a tree has.")),
        )
        term = collected(addnodes.glossary("", nodes.definition_list("", item)))[1]
        text = ["How many leaves a tree has."]
        assert term == ("term", "Glossary", "size", "term-size", text, ["number of leaves"])

    @pytest.mark.parametrize(
        ("tex", "text"),
        [
            (r"\mathrm{Inf}_i(f) \le \tfrac12", "Inf_i(f) ≤ 1/2"),
            (r"(1-m)\log\frac1{1-m}", "(1 − m) log 1/(1 − m)"),
            (r"\frac{1}{\sqrt{n}} \geq 2^{-k}", "1/(√n) ≥ 2^(− k)"),
            (r"\begin{aligned} G &= \sum_k p_k, \\ x \in S \end{aligned}", "G = ∑_kp_k, x ∈ S"),
        ],
    )
    def test_a_formula_is_read_as_it_would_be_typed(self, tex: str, text: str) -> None:
        assert search.readable(tex) == text


FIELD = "#pst-search-dialog input"
LINKS = "#pst-search-dialog .dtviz-found-list a"


def first(page: Page, query: str) -> tuple[str, str]:
    """Title and place of what is found first."""
    page.fill(FIELD, query)
    page.wait_for_selector("#pst-search-dialog .dtviz-found:not([hidden])")
    item = page.locator("#pst-search-dialog .dtviz-found-list li").first
    if not item.count():
        return "", ""
    return item.locator("a").inner_text(), item.locator(".dtviz-hit-place").inner_text()


def test_search_answers_while_one_types_and_marks_the_words(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    """From disk, on a phone, in the dark, by the keyboard alone."""
    seen = visit((site / "book/index.html").as_uri(), theme="dark", width=360)
    page = seen.page
    assert not [request for request in seen.requests if search.INDEX in request]
    page.keyboard.press("Control+k")
    title, place = first(page, "Gini")
    assert "gini" in title.lower()
    assert re.match(r"Definition \d|Glossary", place)
    assert web.axe_findings(page, "#pst-search-dialog") == []
    assert "gini" in first(page, "ginni")[0].lower()  # mistyped
    assert re.fullmatch(r"\d+ places", page.inner_text(".dtviz-found-count"))
    assert "calibration" in first(page, "calibratio")[0].lower()  # not finished
    assert first(page, "dt.impurity.gini")[0] == "impurity.gini"
    assert first(page, "Lemma 5.3")[1].startswith("Lemma 5.3 ")
    assert first(page, "build_top_down")[0] == "build_top_down"
    assert first(page, "zzzz qqqq") == ("", "")
    assert "Nothing found" in page.inner_text(".dtviz-found-count")
    elsewhere = page.locator(".dtviz-found-count a").all_inner_texts()
    assert elsewhere == ["glossary", "list of functions"]
    first(page, "gini impurity")
    excerpts = page.locator(".dtviz-hit-text mark").all_inner_texts()
    assert {"gini", "impurity"} <= {word.lower() for word in excerpts}
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    focused = "document.activeElement.textContent"
    links = page.locator(LINKS)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == links.nth(1).text_content()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.press("Escape")
    assert not page.locator("#pst-search-dialog").is_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("Gini")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\.html#[\w-]+$"))
    assert seen.complaints == []
    assert seen.foreign() == []


LEADS = {
    "missing values": "7-practice/1-categories-and-missing-values",
    "categories": "7-practice/1-categories-and-missing-values",
    "categorical features": "7-practice/1-categories-and-missing-values",
    "feature importance": "7-practice/4-reading-a-tree",
    "overfitting": "6-pruning/1-overfitting",
    "entropy formula": "4-impurity/3-impurity",
    "gini index": "4-impurity/3-impurity",
    "information gain": "4-impurity/3-impurity",
    "how to prune": "6-pruning/index",
    "C4.5": "7-practice/1-categories-and-missing-values",
    "NP-hard": "4-impurity/4-smallest-tree",
    "max_depth": "7-practice/3-tree-size",
    "ccp_alpha": "6-pruning/2-cost-complexity",
    "cross-validation": "6-pruning/2-cost-complexity",
    "imbalanced classes": "7-practice/2-costs-and-probabilities",
    "random forest": "7-practice/5-many-trees",
    "regression tree": "4-impurity/6-numbers-and-missing-values",
    "what is a decision tree": "index",
    "PAC learning": "2-rank/5-time-and-trust",
    "CART": "4-impurity/2-splits",
}


def test_who_asks_is_led_to_the_page_that_answers(
    site: Path, tab: Callable[..., web.Visit]
) -> None:
    """What students type, and questions that were collected elsewhere before the book was read."""
    page = tab((site / "search.html").as_uri()).page
    field = page.locator(".bd-search-container input")
    links = page.locator(".bd-search-container .dtviz-found-list a")

    def led(query: str) -> list[str]:
        field.fill("")
        links.first.wait_for(state="detached")
        field.fill(query)
        links.first.wait_for()
        found = links.evaluate_all("links => links.slice(0, 3).map((a) => a.getAttribute('href'))")
        return [urlsplit(a).path.removeprefix("./book/").removesuffix(".html") for a in found]

    assert {query: led(query)[0] for query in LEADS} == LEADS
    asked = [(led(question["ask"]), question["page"]) for question in QUESTIONS["asked"]]
    assert [found for found, right in asked if not set(found) & set(right)] == []
    assert sum(found[0] in right for found, right in asked) >= 38 < len(asked)


def test_without_its_library_search_says_so(site_url: str, tab: Callable[..., web.Visit]) -> None:
    page = tab(f"{site_url}/book/glossary.html").page
    page.route("**/minisearch.js", lambda route: route.abort())
    page.keyboard.press("Control+k")
    page.keyboard.type("gini")
    page.get_by_text("This copy of the book was built without its search.").wait_for()
    assert page.locator(".dtviz-found-count a").count() == 2
    page.unroute("**/minisearch.js")


def test_readers_words_lead_somewhere() -> None:
    page = search.Row("page", "", "Pruning", "", [], [])
    search.add_words({"a": [page]}, {"a": ["cut"]})
    assert page.names == ["cut"]
    for place in ("b", "a#gone"):
        with pytest.raises(ExtensionError, match=f"nothing is at {place}"):
            search.add_words({"a": [page]}, {place: ["cut"]})


def test_the_page_of_search_lists_all(site_url: str, tab: Callable[..., web.Visit]) -> None:
    """A link can hold a search; what is typed is text, whatever it looks like."""
    seen = tab(f"{site_url}/search.html?q=influence")
    items = seen.page.locator(".bd-search-container .dtviz-found-list li")
    items.first.wait_for()
    assert items.count() == 60
    seen.page.fill(".bd-search-container input", "<img src=x onerror=alert(1)> rank")
    items.get_by_text("Rank").first.wait_for()
    assert seen.page.locator(".dtviz-found img").count() == 0
    assert seen.page.url.endswith("rank")
    seen.page.fill(".bd-search-container input", "a" * 100_000)
    seen.page.get_by_text("Nothing found").first.wait_for()
    assert seen.complaints == []


def test_without_javascript_the_page_of_search_says_where_to_go(site: Path) -> None:
    html = parsed(site / "search.html", (site / "search.html").stat().st_mtime_ns)
    note = html.select_one("article noscript, .bd-search-container noscript")
    assert note is not None
    assert "contents" in note.get_text()
    assert html.select_one(".bd-search-container .pst-js-only form") is not None
