"""The built book in a real browser: offline, set, and accessible in both themes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from support import web
from support.cases import sweep
from support.site import ROOT, contents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

PAGES = [*contents(), "search"]
# What `make test` opens at a desk, too: a page of each kind.
IN_EACH_RUN = re.compile(
    r"book/index$|1-influence/(?:index|1-trees-and-influence|8-exercises)$|6-pruning/index$"
    r"|homework/2-rank$|book/(?:atlas/index|claims|glossary|sources|teaching)$|^search$"
)
TEX_LEFT = re.compile(r"\\\(|\\\[|\$\$|\\(?:frac|mathrm|begin|le|ge|sum)\b")

# Formulas that reach beyond the window or what cuts them, and cannot be scrolled; those that can be
# scrolled and are not announced so or not reached by keyboard; those that are reached for nothing.
HIDDEN_FORMULAS = """
() => {
  const wide = (part) => part.scrollWidth > part.clientWidth + 1;
  const reach = (math) => Math.max(
    ...[math, ...math.querySelectorAll("*")].map((part) => part.getBoundingClientRect().right));
  const hidden = (math) => {
    for (let part = math.parentElement; part && part !== document.body; part = part.parentElement) {
      const { overflowX } = getComputedStyle(part);
      if (overflowX === "auto" || overflowX === "scroll") return false;
      if (overflowX !== "visible" && reach(math) > part.getBoundingClientRect().right + 1)
        return true;
    }
    return reach(math) > innerWidth + 1;
  };
  const displays = [...document.querySelectorAll("main .math .formula")];
  const inline = [...document.querySelectorAll("main math:not(.formula math)")];
  const wrong = [
    ...inline.filter((math) => math.checkVisibility() && hidden(math)),
    ...displays.filter((part) => wide(part) !== (part.tabIndex === 0 && "more" in part.dataset)),
    ...document.querySelectorAll("main math [tabindex], main math[tabindex]"),
  ];
  return wrong.map((part) => part.textContent);
}
"""

# Summaries of folded code that lie under something else, where they cannot be clicked.
COVERED = """
() => [...document.querySelectorAll(".dtviz-code > summary")].filter((summary) => {
  const seen = { opacityProperty: true, visibilityProperty: true };
  if (!summary.checkVisibility(seen)) return false;
  summary.scrollIntoView({ block: "center" });
  const { x, y, width, height } = summary.getBoundingClientRect();
  return !summary.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((summary) => summary.closest(".cell").textContent.slice(0, 80))
"""

SHOWN = 'class="dtviz-explorer"'
PHONE: web.Look = {"theme": "dark", "width": 360, "height": 640, "reduced_motion": True}
DESK: web.Look = {"theme": "light", "reduced_motion": True}


SHIFTS = """
() => new Promise((then) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) sum += hadRecentInput ? 0 : value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => then(sum), 50);
})
"""
MOST_SHIFT = 0.1
MOST_FILES = 30
# The narrowest windows with one, two and three columns, the one most read in, and a wide one. To
# lay out a page again costs as much as to load it: those between are for a page of each kind.
WIDTHS = (320, 993, 1201, 1280, 2560)
BETWEEN = (600, 800, 991, 1152, 1199, 1920)
OF_EACH_KIND = re.compile(
    r"/(?:index|1-trees-and-influence|\d-exercises|core|claims|glossary|sources)$"
)
READING_WIDTH, MOST_HEIGHT = 1280, 15_000


def is_of_a_chapter(address: str) -> bool:
    """Whether a page is one of those of a chapter."""
    return re.search(r"/book/\d-[a-z]+/", address) is not None


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[web.Tab]:
    """A reader on a phone, in the dark."""
    with web.reader(browser, {**PHONE, "touch": True}) as context:
        yield web.Tab(context)


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[web.Tab]:
    """A reader at a desk, in the light."""
    with web.reader(browser, {**DESK}) as context:
        yield web.Tab(context)


@pytest.fixture(scope="module", params=PAGES)
def on_disk(site: Path, phone: web.Tab, request: pytest.FixtureRequest) -> web.Visit:
    """Each page of the book from disk, on the phone."""
    return phone.load((site / f"{request.param}.html").as_uri(), **PHONE)


@pytest.fixture(scope="module", params=sweep(PAGES, IN_EACH_RUN.search))
def served(site_url: str, desk: web.Tab, request: pytest.FixtureRequest) -> web.Visit:
    """A page from a server, at the desk."""
    return desk.load(f"{site_url}/{request.param}.html", **DESK)


class TestEveryPage:
    """On a phone, in the dark, without a server."""

    def test_mathematics_is_set(self, on_disk: web.Visit) -> None:
        page = on_disk.page
        assert page.locator(".math:not(:has(math))").all_text_contents() == []
        text = page.locator("main").first.evaluate(
            "(main) => { const copy = main.cloneNode(true);"
            " copy.querySelectorAll('pre, code, script').forEach((e) => e.remove());"
            " return copy.textContent; }"
        )
        assert TEX_LEFT.findall(text) == []

    def test_every_formula_can_be_seen(self, on_disk: web.Visit) -> None:
        assert on_disk.page.evaluate(HIDDEN_FORMULAS) == []

    def test_it_fits(self, on_disk: web.Visit) -> None:
        assert on_disk.page.evaluate("document.documentElement.scrollWidth") <= 360

    def test_the_theme_is_the_readers(self, on_disk: web.Visit) -> None:
        assert on_disk.page.locator("html").get_attribute("data-theme") == "dark"

    def test_it_needs_nobody(self, on_disk: web.Visit) -> None:
        on_disk.settle()
        assert on_disk.foreign() == []
        assert on_disk.complaints == []


class TestPage:
    """In this order: the looks at what bars a reader leave formulas and code as plain text."""

    def test_nothing_moves_while_it_loads(self, served: web.Visit) -> None:
        """The sum of layout shifts; up to 0.1 counts as good."""
        assert served.page.evaluate(SHIFTS) <= MOST_SHIFT

    def test_page_holds_at_every_width(self, served: web.Visit) -> None:
        """Where the theme changes its columns, and at the ends; and no chapter's page is long."""
        page = served.page
        more = BETWEEN if OF_EACH_KIND.search(page.url.removesuffix(".html")) else ()
        for width in (*WIDTHS, *more):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
            if width == READING_WIDTH and is_of_a_chapter(page.url):
                assert page.evaluate("document.documentElement.scrollHeight") <= MOST_HEIGHT
        web.show(page, DESK)

    def test_the_code_of_every_cell_can_be_opened(self, served: web.Visit) -> None:
        assert served.page.evaluate(COVERED) == []

    def test_page_asks_only_its_own_server(self, served: web.Visit, site_url: str) -> None:
        served.settle()
        assert served.foreign(urlsplit(site_url).netloc) == []
        assert served.complaints == []

    def test_no_serious_accessibility_finding_in_either_theme(self, served: web.Visit) -> None:
        """At a desk in the light, as it was loaded; then on a phone in the dark.

        There, what depends on neither is judged on a page of each kind only.
        """
        page = served.page
        web.change(page, DESK)
        assert page.locator("html").get_attribute("data-theme") == "light"
        assert web.axe_findings(page) == []
        web.change(page, PHONE)
        only = None if OF_EACH_KIND.search(page.url.removesuffix(".html")) else web.BY_LOOK
        assert web.axe_findings(page, only=only) == []


@pytest.mark.parametrize(
    "name", ["book/index", "book/1-influence/index", "book/reference/core", "search"]
)
def test_what_a_phone_hides_is_legible_in_the_dark(
    site: Path, visit: Callable[..., web.Visit], name: str
) -> None:
    """The bars at the sides, which are alike on all pages of a kind."""
    address = (site / f"{name}.html").as_uri()
    seen = visit(address, theme="dark", width=1440, reduced_motion=True)
    assert seen.page.locator(".bd-sidebar-primary").is_visible()
    bars = ".bd-sidebar-primary, .bd-header-article, .bd-sidebar-secondary"
    assert web.axe_findings(seen.page, bars) == []


def test_no_page_with_an_explorer_is_wider_than_its_window(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    """From 992 to 1199 px the theme's full width reached into a margin that is not there."""
    address = (site / "book/1-influence/index.html").as_uri()
    page = visit(address, width=1024, height=768).page
    explorer = page.locator("div.cell.tag_full-width").first
    for width in (991, 993, 1024, 1199, 1201, 1440):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        box = explorer.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width, width


def test_the_figure_comes_first(site: Path, desk: web.Tab) -> None:
    """Its top is on the first screen, but for a few pages; and the page asks for few files."""
    pages = {path: json.loads(path.read_text("utf-8")) for path in (ROOT / "book").rglob("*.ipynb")}
    later = {path for path, page in pages.items() if "figure_later" in page["metadata"]}
    assert len(later) <= 6
    found = []
    for name in contents():
        page = site / f"{name}.html"
        if ROOT / f"{name}.ipynb" in later or SHOWN not in page.read_text("utf-8"):
            continue
        seen = desk.load(page.as_uri(), **DESK)
        found += [f"{name}: {n} files"] if (n := len(seen.requests)) > MOST_FILES else []
        for width, height, most in ((1440, 900, 500), (390, 844, 900)):
            seen.page.set_viewport_size({"width": width, "height": height})
            top = seen.page.evaluate(
                "document.querySelector('.dtviz-explorer').getBoundingClientRect().top"
            )
            found += [f"{name}, {width} px wide: {top:.0f}"] if top >= most else []
    assert found == []


def test_the_folder_opens_at_the_first_page(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit("about:blank").page
    page.goto((site / "index.html").as_uri())
    page.wait_for_url("**/book/index.html")
    assert page.locator("article h1").count() == 1


def test_the_theme_switch_works(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit((site / "book/index.html").as_uri(), theme="dark").page
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    button = page.locator("button.theme-switch-button").first
    for _ in range(3):
        button.click()
        if page.locator("html").get_attribute("data-theme") == "light":
            break
    assert page.locator("html").get_attribute("data-theme") == "light"
    assert page.evaluate(background) != dark
