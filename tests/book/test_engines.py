"""Every explorer on its page of the book, in three engines: the first slider answers, it fits.

What a browser does not say by itself, `COLLECT` keeps: errors, from before the first script.
"""

from __future__ import annotations

import os
import re
import shutil
import time
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

READY = """
async () => {
  const { href } = location;
  return document.readyState === "complete" && document.querySelector(".dtviz-live") ? href : "";
}
"""
"""The page that is there with its explorer, if it is.

Firefox may take the end of the page before, or of its first, empty one, for that of a new one.
"""

LOOK = """
async () => {
  const root = document.querySelector(".dtviz-live");
  const shown = (part) => part.checkVisibility() && part.getBoundingClientRect();
  const wide = [root, ...root.querySelectorAll(".dtviz-stage svg, .dtviz-chart svg, svg")];
  const right = root.parentElement.getBoundingClientRect().right;
  const math = [...document.querySelectorAll("article math")].map(shown).filter(Boolean);
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const faces = rules.filter((rule) => rule instanceof CSSFontFaceRule);
  // A font that comes late is left for the next page (`font-display: optional`), so whether this
  // page shows it is a matter of time. That it is asked for by its name, and can be read, is not.
  const set = async (part) => {
    const { fontFamily } = getComputedStyle(document.querySelector(part));
    const named = ({ style }) => fontFamily.includes(style.fontFamily.replace(/"/g, ""));
    const face = faces.find(named);
    if (!face) return false;
    const [, path] = face.style.getPropertyValue("src").split('"');
    const file = new URL(path, face.parentStyleSheet.href ?? document.baseURI);
    return (await new FontFace("probe", `url("${file}")`).load()).status === "loaded";
  };
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
    formulas: math.length > 0 && await set("article math"),
    text: await set("article p"),
  };
}
"""

SAVE = """
async () => {
  HTMLAnchorElement.prototype.click = () => {};  // nothing is left on this machine
  document.querySelector("button[name=png]").click();
  const message = document.querySelector(".dtviz-share-message");
  for (let k = 0; k < 600 && !message.textContent; k += 1) {
    await new Promise((then) => setTimeout(then, 100));
  }
  return message.textContent;
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
        bad: dict[str, object] = {}
        for name, path in shown.items():
            window.open(f"{url}/{path}")
            patience = time.monotonic() + 120
            while window.run(READY) != f"{url}/{path}":
                assert time.monotonic() < patience, f"no explorer on {path}"
                time.sleep(0.1)
            answers = window.run(ANSWERS)
            found = window.run(LOOK) | {"answers": answers}
            bad |= {f"{name}, {what}": found[what] for what in good if found[what] != good[what]}
        # A picture made of HTML may not be read everywhere.
        assert window.run(SAVE).startswith("Saved as ")
    assert bad == {}
