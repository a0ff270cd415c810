"""Keeping one's place: the section that is read, the line of progress, the way back, the dots."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from support.site import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page
    from support import web

KEY = "dtviz-reading"
ACTIVE = ".dtviz-page-toc a[aria-current]"
SCROLL = """
async ([id, by]) => {
  const target = id ? document.getElementById(id).getBoundingClientRect().top + scrollY : 0;
  scrollTo({ top: target + by, behavior: "instant" });
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}
"""
DENIED = """
for (const name of ["getItem", "setItem", "removeItem"]) {
  const own = Storage.prototype[name];
  Storage.prototype[name] = function (key, ...more) {
    if (key === "dtviz-reading") throw new DOMException("denied", "SecurityError");
    return own.call(this, key, ...more);
  };
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


def kept(page: Page) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.evaluate(f"localStorage.getItem('{KEY}')") or "{}")
    return found


def test_the_place_is_shown_kept_and_found_again(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    address = chapter(site).as_uri()
    seen = visit(address, width=1440, reduced_motion=True)
    page = seen.page
    active = page.locator(ACTIVE)
    assert active.count() == 0  # above the first section
    second, third = anchors(page)[1:3]
    page.evaluate(SCROLL, [third, 40])
    assert active.get_attribute("href") == f"#{third}"
    # The theme's own marks stay behind when one scrolls up past a heading.
    page.evaluate(SCROLL, [third, -300])
    assert active.get_attribute("href") == f"#{second}"
    bar = page.locator(".dtviz-progress")
    share = bar.evaluate("bar => bar.getBoundingClientRect().width / innerWidth")
    scrolled = page.evaluate("scrollY / (document.documentElement.scrollHeight - innerHeight)")
    assert 0 < share < 1
    assert abs(share - scrolled) < 0.02
    page.evaluate(SCROLL, ["", 10**7])
    assert active.get_attribute("href") == f"#{anchors(page)[-1]}"
    own = page.locator(".bd-docs-nav a.current .dtviz-reading-read")
    own.wait_for(state="attached")
    page.evaluate(SCROLL, [third, 200])
    page.wait_for_function(f"id => localStorage.getItem('{KEY}').includes(id)", arg=third)
    assert kept(page).keys() == {"pages", "last"}

    page.goto((site / "book/index.html").as_uri())
    line = page.locator(".dtviz-resume")
    assert re.match(r"Go on reading: \d", line.inner_text())
    dot = page.locator(".bd-docs-nav .dtviz-reading-state")
    assert dot.get_attribute("aria-label") == "read"
    shift = page.evaluate(
        "() => new Promise((told) => new PerformanceObserver((list) => told(list.getEntries()"
        ".flatMap((entry) => entry.sources.map(({ node }) => node?.className ?? ''))))"
        ".observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => told([]), 300))"
    )
    assert not [name for name in shift if "resume" in str(name)]
    line.locator("a").click()
    page.wait_for_url(f"{address}#{third}")
    page.wait_for_function("scrollY > 0")
    page.locator(f"{ACTIVE}[href='#{third}']").wait_for()
    top = page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", third)
    assert -260 < top < -140

    page.goto((site / "book/index.html").as_uri())
    page.get_by_role("button", name="Forget").click()
    assert not line.is_visible()
    assert page.evaluate(f"localStorage.getItem('{KEY}')") is None
    assert dot.count() == 0
    assert seen.complaints == []


def test_pages_do_without_anything_stored(site: Path, visit: Callable[..., web.Visit]) -> None:
    seen = visit("about:blank", width=360, touch=True)
    page = seen.page
    page.add_init_script(DENIED)
    page.goto(chapter(site).as_uri())
    third = anchors(page)[2]
    page.evaluate(SCROLL, [third, 40])
    # On a phone the contents are folded: opened, they show the place.
    page.locator("button.secondary-toggle").evaluate("button => button.click()")
    assert page.locator(ACTIVE).is_visible()
    assert page.locator(ACTIVE).get_attribute("href") == f"#{third}"
    page.goto((site / "book/index.html").as_uri())
    assert not page.locator(".dtviz-resume").is_visible()
    assert seen.complaints == []


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
    page.locator("a.right-next").click(trial=True, timeout=2000)
    assert seen.complaints == []


def test_the_way_up_gives_way_to_pictures(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit((site / "book/3-product/index.html").as_uri(), width=900).page
    button = page.locator("#pst-back-to-top")
    explorer = "document.querySelector('.dtviz-explorer').getBoundingClientRect()"
    for shift, seen in ((0, "hidden"), (900, "visible")):
        # It comes when one scrolls up.
        end = page.evaluate(f"{explorer}.bottom + scrollY - innerHeight") + shift
        page.evaluate(SCROLL, ["", end + 200])
        page.evaluate(SCROLL, ["", end])
        style = "getComputedStyle(document.getElementById('pst-back-to-top'))"
        page.wait_for_function(f"seen => {style}.visibility === seen", arg=seen)
        assert button.evaluate("e => e.style.display") == "block"
