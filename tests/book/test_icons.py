"""Icons: each that a page shows is drawn, and what the theme ships for 2,000 of them is not."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from support.site import contents

from book._ext import dtviz_icons as icons
from book._ext.dtviz_merge import used

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support import web

# Each icon of the page, its own or written by a style sheet before or after a text: how many
# pixels it has when it is drawn large, and how many a letter has that no font knows.
DRAWN = """
async () => {
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [80, 80];
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const picture = (font, letter) => {
    pen.clearRect(0, 0, 80, 80);
    pen.font = font;
    pen.fillText(letter, 10, 60);
    return pen.getImageData(0, 0, 80, 80).data.join();
  };
  const found = {};
  for (const part of document.querySelectorAll("body, body *")) {
    for (const pseudo of ["::before", "::after"]) {
      const style = getComputedStyle(part, pseudo);
      const letter = /["']([\\ue000-\\uf8ff])["']/.exec(style.content)?.[1];
      if (!letter) continue;
      const font = `${style.fontWeight} 48px ${style.fontFamily}`;
      found[letter.codePointAt(0).toString(16)] =
        picture(font, letter) !== picture(font, "\\uf8fe");
    }
  }
  return found;
}
"""


def test_every_icon_is_drawn(site: Path, visit: Callable[..., web.Visit]) -> None:
    with_sections = next(name for name in contents() if re.search(r"/1-\w+/1-", name))
    seen = visit((site / f"{with_sections}.html").as_uri())
    drawn: dict[str, bool] = seen.page.evaluate(DRAWN)
    assert {"f002", "f0c9", "f03a", "f019"} <= drawn.keys()
    assert [icon for icon, there in drawn.items() if not there] == []
    assert seen.complaints == []


def test_nothing_is_shipped_that_no_page_loads(site: Path) -> None:
    static = site / "_static"
    left = [path for path in static.rglob("*") if path.match("*.map") or "awesome" in path.name]
    assert left == []
    assert not (static / "vendor").exists()
    style = (static / "styles" / "pydata-sphinx-theme.css").read_text("utf-8")
    assert "vendor/fontawesome" not in style
    assert len(style) < 330_000


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A site of one page, with the theme's style sheet."""
    (tmp_path / "_static" / "styles").mkdir(parents=True)
    name = "styles/pydata-sphinx-theme.css"
    shutil.copy(icons.STATIC / name, tmp_path / "_static" / name)
    (tmp_path / "_static" / "ours.css").write_text('.box::before { content: "\\f004"; }')
    (tmp_path / "_static" / "ours.js").write_text('x.classList = "fa-solid fa-check fa-lg";')
    (tmp_path / "index.html").write_text('<i class="fa-solid fa-heart-crack fa-spin"></i>')
    return tmp_path


class TestShip:
    def test_icons_of_pages_scripts_and_styles_are_shipped(self, planted: Path) -> None:
        icons.ship(planted)
        css = (planted / "_static" / "styles" / "pydata-sphinx-theme.css").read_text("utf-8")
        assert ".fa-heart-crack:before{" in css
        assert ".fa-check:before{" in css
        assert ".fa-car:before" not in css
        assert css.count("@font-face") == 1


def test_rules_for_classes_that_nobody_names_are_left_out() -> None:
    css = "a,.x{b:c}.x .y{d:e}.x:not(.y){d:e}@media print{.y{f:g}}.bs-auto .x{h:i}"
    kept = "a,.x{b:c}.x:not(.y){d:e}.bs-auto .x{h:i}"
    assert used(css, {"x"}) == kept
    assert used(css, {"x", "y"}) == css


def missing(page: str, css: str) -> set[str]:
    """The icons of a page that its style sheet does not draw, or not from the solid family."""
    found = set()
    for words in re.findall(r'<(?:i|span) class="([^"]*\bfa[srb]?[ -][^"]*)"', page):
        names = {word for word in words.split() if word.startswith("fa-") and word not in MANNER}
        solid = {"fa", "fas", "fa-solid"} & set(words.split())
        if not solid or not any(f".{name}:before{{" in css for name in names - {"fa-solid"}):
            found.add(words)
    return found


MANNER = {"fa-lg", "fa-fw", "fa-sm", "fa-spin"}


def test_every_icon_of_every_page_is_shipped(site: Path) -> None:
    css = (site / "_static" / "book-styles.css").read_text("utf-8")
    for name in [*contents(), "search"]:
        assert missing((site / f"{name}.html").read_text("utf-8"), css) == set(), name
    for words in ("fa-solid fa-no-such-icon", "fa-brands fa-github", "btn far fa-heart"):
        assert missing(f'<i class="{words}"></i>', css) == {words}
