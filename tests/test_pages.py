"""The built book in a real browser: offline, set, searchable, and accessible in both themes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from support import web
from support.site import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAGES = [*contents(), "search"]
TEX_LEFT = re.compile(r"\\\(|\\\[|\$\$|\\(?:frac|mathrm|begin|le|ge|sum)\b")


@pytest.mark.parametrize("name", PAGES)
def test_page_on_disk_needs_nobody(site: Path, visit: Callable[..., web.Visit], name: str) -> None:
    seen = visit((site / f"{name}.html").as_uri())
    seen.page.wait_for_load_state("networkidle")
    assert seen.foreign() == []
    assert seen.complaints == []


@pytest.mark.parametrize("name", PAGES)
def test_served_page_asks_only_its_own_server(
    site_url: str, visit: Callable[..., web.Visit], name: str
) -> None:
    seen = visit(f"{site_url}/{name}.html")
    seen.page.wait_for_load_state("networkidle")
    assert seen.foreign(urlsplit(site_url).netloc) == []
    assert seen.complaints == []


@pytest.mark.parametrize("name", contents())
def test_mathematics_is_set(site: Path, visit: Callable[..., web.Visit], name: str) -> None:
    page = visit((site / f"{name}.html").as_uri()).page
    formulas = page.locator("article .math").count()
    assert page.locator("article mjx-container").count() >= formulas
    assert page.locator("mjx-merror").count() == 0
    text = page.locator("article").evaluate(
        "(article) => { const copy = article.cloneNode(true);"
        " copy.querySelectorAll('pre, code, mjx-container, script').forEach((e) => e.remove());"
        " return copy.textContent; }"
    )
    assert TEX_LEFT.findall(text) == []


@pytest.mark.parametrize("theme", web.THEMES)
@pytest.mark.parametrize("name", PAGES)
def test_no_serious_accessibility_finding(
    site: Path, visit: Callable[..., web.Visit], name: str, theme: web.Theme
) -> None:
    page = visit((site / f"{name}.html").as_uri(), theme=theme, reduced_motion=True).page
    assert page.locator("html").get_attribute("data-theme") == theme
    assert web.axe_findings(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_page_fits_a_phone(site: Path, visit: Callable[..., web.Visit], name: str) -> None:
    page = visit((site / f"{name}.html").as_uri(), width=360, height=640, touch=True).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


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
