"""Every explorer on its page of the book, in three engines: the first slider answers, it fits.

What a browser does not say by itself, `COLLECT` keeps: errors, from before the first script.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import browser as chromium
from support import engines, web
from support.explorers import ANSWERS

from dtviz.chapters import WITH_EXPLORERS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ENGINES = ("chromium", *engines.NEEDS)

COLLECT = b"""<head><script>
globalThis.wrong = [];
addEventListener("error", (event) => wrong.push(event.message ?? event.target.outerHTML), true);
addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
console.error = (...all) => wrong.push(all.join(" "));
</script>"""

LOOK = """
async () => {
  await document.fonts.ready;
  const root = document.querySelector(".dtviz-live");
  const shown = (part) => part.checkVisibility() && part.getBoundingClientRect();
  const wide = [root, ...root.querySelectorAll(".dtviz-stage svg, .dtviz-chart svg, svg")];
  const right = root.parentElement.getBoundingClientRect().right;
  const math = [...document.querySelectorAll("article math")].map(shown).filter(Boolean);
  const ready = [...document.fonts].filter(({ status }) => status === "loaded");
  const faces = (name) => getComputedStyle(document.querySelector(name)).fontFamily;
  const set = (name) => ready.some(({ family }) => faces(name).includes(family.replace(/"/g, "")));
  const css = (part) => getComputedStyle(part);
  const size = (part) => parseFloat(css(part).fontSize);
  const line = (part) => [css(part).textDecorationLine, css(part).textDecorationStyle].join();
  const mentions = [...document.querySelectorAll("button.dtviz-try")];
  const inText = "article math:not([display], [displaystyle])";
  const parts = [...document.querySelectorAll(`${inText} mfrac > *`)];
  return {
    wrong,
    plain: mentions.filter((part) => line(part) !== "underline,dotted").length,
    large: parts.filter((part) => size(part) > 0.85 * size(part.closest("math"))).length,
    cut: wide.map(shown).filter((box) => box && box.right > right + 1).length,
    scrolls: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    flat: math.filter(({ width, height }) => width < 3 || height < 5).length,
    formulas: math.length > 0 && set("article math"),
    text: set("article p"),
  };
}
"""


class Collecting(web.Quiet):
    """Serve pages with `COLLECT` at their beginning."""

    def do_GET(self) -> None:  # noqa: N802  (the parent's name)
        path = Path(self.translate_path(self.path))
        if path.suffix != ".html":
            super().do_GET()
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(path.read_bytes().replace(b"<head>", COLLECT, 1))


@contextmanager
def started(name: str, browser: Browser) -> Iterator[engines.Window]:
    if name == "chromium":
        page = browser.new_page(viewport={"width": engines.WIDTH, "height": engines.HEIGHT})
        yield engines.Window(page.goto, page.evaluate)
        page.close()
        return
    if missing := [program for program in engines.NEEDS[name] if not shutil.which(program)]:
        excuse = f"{chromium.WITHOUT}: " * (chromium.WITHOUT in os.environ)
        pytest.skip(f"{excuse}this machine has no {' and no '.join(missing)}")
    with getattr(engines, name)() as window:
        yield window


def pages(site: Path) -> dict[str, str]:
    """Return the first page of each explorer, by its name, as a path within the site."""
    found = {}
    for path in sorted(site.glob("book/*/index.html")):
        for name in re.findall(r'data-explorer="(\w+)"', path.read_text("utf-8")):
            found.setdefault(name, path.relative_to(site).as_posix())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_explorers_work_in_this_engine(engine: str, browser: Browser, site: Path) -> None:
    shown = pages(site)
    assert set(shown) == set(WITH_EXPLORERS)
    good = {
        "wrong": [], "plain": 0, "large": 0, "cut": 0, "scrolls": 0, "flat": 0,
        "formulas": True, "text": True, "answers": True,
    }  # fmt: skip
    with web.serve(site, kind=Collecting) as url, started(engine, browser) as window:
        found = {}
        for name, path in shown.items():
            window.open(f"{url}/{path}")
            answers = window.run(ANSWERS)
            found[name] = window.run(LOOK) | {"answers": answers}
    assert found == dict.fromkeys(shown, good)
