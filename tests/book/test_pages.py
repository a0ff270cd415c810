"""The built book in a real browser: offline, set, searchable, and accessible in both themes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from support import web
from support.site import contents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

PAGES = [*contents(), "search"]
TEX_LEFT = re.compile(r"\\\(|\\\[|\$\$|\\(?:frac|mathrm|begin|le|ge|sum)\b")


@pytest.fixture(scope="module", params=PAGES)
def on_disk(site: Path, browser: Browser, request: pytest.FixtureRequest) -> Iterator[web.Visit]:
    """Each page opened from disk, in the light theme."""
    url = (site / f"{request.param}.html").as_uri()
    with web.opened(browser, url, {"theme": "light", "reduced_motion": True}) as seen:
        yield seen


@pytest.fixture(scope="module", params=PAGES)
def served(site_url: str, browser: Browser, request: pytest.FixtureRequest) -> Iterator[web.Visit]:
    """Each page opened from a server, on a phone, in the dark theme."""
    url = f"{site_url}/{request.param}.html"
    phone: web.Profile = {"theme": "dark", "reduced_motion": True, "touch": True}
    with web.opened(browser, url, phone | {"width": 360, "height": 640}) as seen:
        yield seen


class TestOnDisk:
    def test_mathematics_is_set(self, on_disk: web.Visit) -> None:
        page = on_disk.page
        formulas = page.locator("main .math").count()
        assert page.locator("main mjx-container").count() >= formulas
        assert page.locator("mjx-merror").count() == 0
        text = page.locator("main").first.evaluate(
            "(main) => { const copy = main.cloneNode(true);"
            " copy.querySelectorAll('pre, code, mjx-container, script').forEach((e) => e.remove());"
            " return copy.textContent; }"
        )
        assert TEX_LEFT.findall(text) == []

    def test_page_needs_nobody(self, on_disk: web.Visit) -> None:
        on_disk.page.wait_for_load_state("networkidle")
        assert on_disk.foreign() == []
        assert on_disk.complaints == []

    def test_no_serious_accessibility_finding_in_the_light(self, on_disk: web.Visit) -> None:
        assert on_disk.page.locator("html").get_attribute("data-theme") == "light"
        assert web.axe_findings(on_disk.page) == []


class TestServed:
    def test_page_asks_only_its_own_server(self, served: web.Visit, site_url: str) -> None:
        served.page.wait_for_load_state("networkidle")
        assert served.foreign(urlsplit(site_url).netloc) == []
        assert served.complaints == []

    def test_page_fits_a_phone(self, served: web.Visit) -> None:
        assert served.page.evaluate("document.documentElement.scrollWidth") <= 360

    def test_no_serious_accessibility_finding_in_the_dark(self, served: web.Visit) -> None:
        assert served.page.locator("html").get_attribute("data-theme") == "dark"
        assert web.axe_findings(served.page) == []


@pytest.mark.parametrize(
    "name", ["book/index", "book/1-influence", "book/reference/core", "search"]
)
def test_what_a_phone_hides_is_legible_in_the_dark(
    site: Path, visit: Callable[..., web.Visit], name: str
) -> None:
    """The bars at the sides, which are alike on all pages of a kind."""
    address = (site / f"{name}.html").as_uri()
    seen = visit(address, theme="dark", width=1440, mathematics=False, reduced_motion=True)
    assert seen.page.locator(".bd-sidebar-primary").is_visible()
    for part in (".bd-sidebar-primary", ".bd-header-article", ".bd-sidebar-secondary"):
        if seen.page.locator(part).count():
            assert web.axe_findings(seen.page, part) == [], part


def test_no_page_with_an_explorer_is_wider_than_its_window(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    """From 992 to 1199 px the theme's full width reached into a margin that is not there."""
    address = (site / "book/1-influence.html").as_uri()
    page = visit(address, width=1024, height=768, mathematics=False).page
    explorer = page.locator("div.cell.tag_full-width").first
    for width in (991, 993, 1024, 1199, 1201, 1440):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        box = explorer.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width, width


@pytest.mark.parametrize("from_disk", [True, False], ids=["disk", "served"])
def test_search_finds_a_chapter(
    site: Path, site_url: str, visit: Callable[..., web.Visit], from_disk: bool
) -> None:
    base = site.as_uri() if from_disk else site_url
    page = visit(f"{base}/search.html?q=influence").page
    page.wait_for_selector("#search-results li a")
    found = page.locator("#search-results li a").evaluate_all("all => all.map(a => a.href)")
    assert any("1-influence" in link for link in found)


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
