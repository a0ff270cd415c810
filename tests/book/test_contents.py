"""The page's own contents and the button to the top, as one reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from support.site import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page
    from support import web

ACTIVE = ".dtviz-page-toc a[aria-current]"
SCROLL = """
async ([id, by]) => {
  const target = id ? document.getElementById(id).getBoundingClientRect().top + scrollY : 0;
  scrollTo({ top: target + by, behavior: "instant" });
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}
"""

LONG = 120_000  # bytes


def chapter(site: Path) -> Path:
    """The smallest page of a chapter that is long enough to go from one section to the next."""
    pages = [site / f"{name}.html" for name in contents() if re.match(r"book/\d", name)]
    listed = ((page, page.read_text("utf-8").rpartition("dtviz-page-toc")[2]) for page in pages)
    sizes = {page: page.stat().st_size for page, tail in listed if tail.count("toc-h2") > 3}
    return min((page for page, size in sizes.items() if size > LONG), key=lambda page: sizes[page])


def anchors(page: Page) -> list[str]:
    hrefs = page.locator(".dtviz-page-toc a").evaluate_all("all => all.map((a) => a.hash)")
    return [href.removeprefix("#") for href in hrefs]


def test_the_section_that_is_read_is_marked(site: Path, visit: Callable[..., web.Visit]) -> None:
    seen = visit(chapter(site).as_uri(), width=1440, reduced_motion=True)
    page = seen.page
    active = page.locator(ACTIVE)
    assert active.count() == 0  # above the first section
    names = anchors(page)
    second, third = names[1:3]
    for place, by, marked in (
        (third, 40, third),
        (third, -300, second),  # the theme's own marks stay behind when one scrolls up
        ("", 10**7, names[-1]),
    ):
        page.evaluate(SCROLL, [place, by])
        page.wait_for_selector(f"{ACTIVE}[href='#{marked}']")
        assert active.count() == 1
    assert seen.complaints == []


def test_a_folded_field_of_search_leaves_its_button(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    """Where the figure stays beside the text; and what the button unfolds does so at each width."""
    address = (site / "book/1-influence/2-greedy-tree.html").as_uri()
    page = visit(address, width=1440, height=900, reduced_motion=True).page
    page.locator("button.search-button").click()
    page.locator("#pst-search-dialog").wait_for()
    page.keyboard.press("Escape")
    found = []
    for width in (1440, 1800, 1440, 1300):
        page.set_viewport_size({"width": width, "height": 900})
        bar = page.locator(".bd-sidebar-primary")
        bar.evaluate("e => Promise.all(e.getAnimations().map((each) => each.finished))")
        found.append(bar.evaluate("e => e.getBoundingClientRect().right > 0"))
        if found == [False]:
            page.locator("button.primary-toggle").click()
    assert found == [False, True, False, True]


def test_the_contents_close_behind_a_choice(site: Path, visit: Callable[..., web.Visit]) -> None:
    """On a small window they lie over the page, and over the way to the next one."""
    seen = visit(chapter(site).as_uri(), width=900, reduced_motion=True)
    page = seen.page
    page.locator("button.secondary-toggle:visible").click()
    drawer = page.locator("dialog:has(.dtviz-page-toc)")
    assert drawer.is_visible()
    link = drawer.locator("a").nth(2)
    place = str(link.get_attribute("href"))
    link.click()
    page.wait_for_url(f"**{place}")
    assert not drawer.is_visible()
    assert page.evaluate("scrollY") > 0
    page.evaluate(SCROLL, ["", 10**7])
    page.locator("a.right-next").click(trial=True)
    assert seen.complaints == []
