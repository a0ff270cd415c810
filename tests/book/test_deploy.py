"""The recipes: what nginx sends with the pages, what GitHub Pages publishes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import yaml
from support import web
from support.site import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NGINX = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
HEADERS = dict(re.findall(r'add_header (\S+) "(.*)" always;', NGINX))


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    with web.serve(site, HEADERS) as url:
        yield url


def test_the_policy_names_no_other_host() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")
    assert not re.search(r"https?:|\*|\w\.\w", policy)


@pytest.mark.parametrize("path", ["index", "claims", "homework/1-influence"])
def test_each_kind_of_page_keeps_the_policy(
    served: str, tab: Callable[..., web.Visit], path: str
) -> None:
    seen = tab(f"{served}/book/{path}.html")
    seen.settle()
    assert seen.complaints == []
    assert seen.page.locator("article h1").first.is_visible()


def test_a_missing_address_leads_to_the_book(served: str, tab: Callable[..., web.Visit]) -> None:
    page = tab(f"{served}/book/nowhere/greedy.html").page
    assert page.locator("h1").inner_text() == "There is no such page"
    page.wait_for_selector("a[href$='/book/index.html']")
    page.get_by_role("link", name="Open the book").click()
    page.wait_for_url(f"{served}/book/index.html")


def test_an_explorer_moves_and_python_runs(served: str, tab: Callable[..., web.Visit]) -> None:
    seen = tab(f"{served}/book/1-influence/index.html")
    status = seen.page.locator(".dtviz-status").first
    before = status.inner_text()
    seen.page.locator(".dtviz-explorer input[type=range]").first.press("ArrowRight")
    seen.page.wait_for_function(
        "(before) => document.querySelector('.dtviz-status').innerText !== before", arg=before
    )
    seen.page.locator(".dtviz-share-row button", has_text="PNG").first.click()
    seen.settle()
    assert seen.complaints == []
    seen = tab(f"{served}/book/2-rank/1-low-rank.html")
    box = seen.page.locator(".dtviz-run").first
    box.locator("button").first.click()
    box.locator("button", has_text=re.compile("^Run")).first.click()
    seen.page.wait_for_function(
        "() => { const part = document.querySelector('.dtviz-run');"
        " return !part.hasAttribute('data-busy')"
        " && part.querySelector('.dtviz-run-out')?.innerText.trim() }"
    )
    assert seen.complaints == []


def test_pages_build_the_book_print_it_and_publish_it() -> None:
    recipe = yaml.safe_load((ROOT / "deploy" / "pages.yml").read_text("utf-8"))
    steps = recipe["jobs"]["publish"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    assert runs == ["make pdf && make pdf PAPER=letter"]
    assert {"path": "_build/html"} in [step.get("with") for step in steps]
