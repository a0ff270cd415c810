"""Every page under a mouse: nothing lies on what can be clicked, and clicks do what they should."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from support import mouse, web
from support.cases import sweep
from support.site import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAGES = [*contents(), "search", "404"]
# What `make test` opens: a page of each kind.
IN_EACH_RUN = re.compile(
    r"book/index$|1-influence/(?:index|1-trees-and-influence|8-exercises)$|6-pruning/index$"
    r"|homework/2-rank$|book/(?:atlas/index|reference/core|glossary|teaching)$|^search$|^404$"
)


@pytest.mark.parametrize("name", sweep(PAGES, IN_EACH_RUN.search))
def test_what_can_be_clicked_is(site_url: str, tab: Callable[..., web.Visit], name: str) -> None:
    page = tab(f"{site_url}/{name}.html", reduced_motion=True).page
    found = [row for width in mouse.WIDTHS for row in mouse.mistakes(page, width)]
    assert not found, "\n".join(["width | element | what is wrong", *found])


FAULTY = """
<style>
  div { position: relative; width: fit-content }
  .over { position: absolute; inset: 0; margin: 0 }
  @media (min-width: 500px) { .narrow { display: none } }
</style>
<p><a href="#a">right</a> <button>right</button> <label>right <input type="checkbox"></label>
  <input type="range" title="right"> <a href="#b" style="opacity: 0">unseen</a>
  <a href="#c" style="position: absolute; left: -999px">away</a></p>
<details><summary>right</summary><p>body</p></details>
<details><summary>outer</summary><div><button>folded</button><p class="over"></p></div></details>
<div><a class="one" href="#d">covered</a><p class="over"></p></div>
<div><button class="two">on a phone</button><p class="over narrow"></p></div>
<div><label class="three" for="box">label</label><p class="over"></p></div><input id="box">
<details class="dtviz-chip"><summary>stuck</summary><p>body</p></details>
<details class="dtviz-chip"><summary>empty</summary><p hidden>body</p></details>
<p><input type="range" class="four" title="held" onmousedown="event.preventDefault()"></p>
<div style="height: 3rem"><button class="five" style="position: relative">shy</button></div>
<script>
  const shy = document.querySelector(".five");
  addEventListener("mousemove", ({ target }) => {
    if (target === shy) shy.style.left = shy.style.left ? "" : "9rem";
  });
  document.querySelectorAll("summary")[2].addEventListener("click", (e) => e.preventDefault());
</script>
"""
FAULTS = [
    'a.one "covered" | p.over "" | 390 1024 1440',
    'button.two "on a phone" | p.over.narrow "" | 390',
    'label.three "label" | p.over "" | 390 1024 1440',
    'a.one "covered" | clicks p.over "" | 390 1024 1440',
    'button.two "on a phone" | clicks p.over.narrow "" | 390',
    'summary "stuck" | does not toggle | 390 1024 1440',
    'summary "empty" | shows nothing | 390 1024 1440',
    'input.four "held" | takes no focus | 390 1024 1440',
    'button.five "shy" | moves away from the mouse | 390 1024 1440',
    'button "folded" | p.over "" | 390 1024 1440',
]


def test_planted_faults_are_found(tab: Callable[..., web.Visit]) -> None:
    page = tab("about:blank").page
    page.set_content(FAULTY)
    found = [row for width in mouse.WIDTHS for row in mouse.mistakes(page, width)]
    wanted = []
    for fault in FAULTS:
        part, wrong, widths = fault.split(" | ")
        wanted += [f"{width} px | {part} | {wrong}" for width in widths.split()]
    assert sorted(re.sub(r"\[\w+\]", "", row) for row in found) == sorted(wanted)


@pytest.mark.parametrize("theme", web.THEMES)
def test_what_is_disabled_looks_so(
    site_url: str, tab: Callable[..., web.Visit], theme: web.Theme
) -> None:
    for name, part in (
        ("1-trees-and-influence", ".dtviz-predict"),
        ("2-greedy-tree", ".dtviz-run"),
    ):
        page = tab(f"{site_url}/book/1-influence/{name}.html", theme=theme).page
        found = mouse.looks(page, f"{part} :is(button, input)")
        assert found
        assert {
            part: faint[:2] for part, faint in found.items() if faint[:2] != (False, True)
        } == {}


def test_a_missing_address_of_any_depth_leads_into_the_book(
    site: Path, tab: Callable[..., web.Visit], tmp_path: Path
) -> None:
    """Wherever the book lies on its server."""
    (tmp_path / "404.html").symlink_to(site / "404.html")
    (tmp_path / "one").mkdir()
    (tmp_path / "one/trees").symlink_to(site)
    with web.serve(tmp_path) as url:
        for missing in ("x", "book/1-influence/x.html", "a/b/c/d/"):
            seen = tab(f"{url}/one/trees/{missing}")
            link = seen.page.get_by_role("link", name="Open the book")
            seen.page.wait_for_function("document.links[0].pathname.startsWith('/one/trees/book')")
            assert seen.foreign(url.removeprefix("http://")) == []
            link.click()
            seen.page.wait_for_url(f"{url}/one/trees/book/index.html")
        # What is no part of the book at all leaves the links as they are.
        assert tab(f"{url}/x").page.get_by_role("heading").inner_text() == "There is no such page"
