"""The map of a chapter: what rests on what in a planted book; where boxes and lines stand."""

from __future__ import annotations

import sys
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from bs4 import BeautifulSoup
from support import site as checks
from support import web
from support.small_book import write_book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

sys.path.append(str(checks.ROOT / "book" / "_ext"))  # as Sphinx finds its extensions

import dtviz_graph
import dtviz_map

START = """:::{prf:lemma} First, on $S_2$ and $\\\\varepsilon$
:label: lem-a
$$x = 1$$ (eq-a)
:::

:::{prf:definition}
:label: def-a
Nothing, by {prf:ref}`lem-a`.
:::

:::{prf:proof}
Look:

$$y = 2$$ (eq-proof)
:::

:::{prf:lemma} Second
:label: lem-b
It uses {eq}`eq-proof`.
:::

:::{lemma-map}
:::
""".replace("\\\\", "\\")
MORE = """:::{prf:theorem} Third
:label: thm-c
As large as you like.
:::

Between a statement and its proof there may be text, with {prf:ref}`lem-x`.

:::{prf:proof}
By {eq}`eq-a`, {prf:ref}`lem-b` and {prf:ref}`lem-x`, and by {prf:ref}`def-a`.
:::

:::{prf:corollary} Fourth
:label: cor-d
Of {prf:ref}`thm-c`.
:::

:::{prf:proof}
Of {prf:ref}`thm-c`, once more. It needs {prf:ref}`lem-e`.
:::

:::{prf:lemma} Fifth
:label: lem-e
Alone.
:::

:::{prf:lemma} Sixth
:label: lem-f
Quite alone.
:::
"""
OTHER = """:::{prf:lemma} Elsewhere
:label: lem-x
By {prf:ref}`lem-f`.
:::

:::{lemma-map}
:::
"""
RESTS = {
    "lem-a": [],
    "lem-b": ["lem-a"],
    "thm-c": ["lem-a", "lem-b", "lem-e", "lem-x"],
    "cor-d": ["thm-c"],
    "lem-e": [],
    "lem-f": [],
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of two chapters, the first a folder of pages."""
    root = tmp_path_factory.mktemp("map")
    pages = {"index": [], "1-one/index": [START], "1-one/1-more": [MORE], "2-two": [OTHER]}
    first = {"file": "book/1-one/index", "sections": [{"file": "book/1-one/1-more"}]}
    part = {"caption": "Chapters", "numbered": True, "chapters": [first, {"file": "book/2-two"}]}
    write_book(root, pages, ("dtviz_map", "dtviz_math"), parts=[part])
    checks.jupyter_book(root, root)
    return root / "_build/html"


@pytest.fixture(scope="module")
def chart(planted: Path) -> BeautifulSoup:
    page = BeautifulSoup((planted / "book/1-one/index.html").read_text("utf-8"), "html.parser")
    return page.select_one(".dtviz-map")


@pytest.mark.slow
@pytest.mark.xdist_group("planted map")
class TestChapter:
    def test_what_rests_on_what(self, chart: BeautifulSoup) -> None:
        found = {}
        for item in chart.select("details li"):
            label, *rests = [link["href"].partition("#")[2] for link in item.select("a")]
            found[label] = rests
        assert found == RESTS

    def test_each_line_is_drawn_that_does_not_go_without_saying(self, chart: BeautifulSoup) -> None:
        for width in (".dtviz-map-narrow", ".dtviz-map-wide"):
            paths = chart.select(f"{width} path")
            # That the theorem rests on lem-a, too, is said by lem-b.
            assert {(path["data-from"], path["data-to"]) for path in paths} == {
                ("lem-a", "lem-b"), ("lem-b", "thm-c"), ("lem-e", "thm-c"), ("thm-c", "cor-d"),
            }  # fmt: skip
            boxes = chart.select(f"{width} [data-statement]")
            assert [box["data-statement"] for box in boxes] == list(RESTS)

    def test_boxes_are_named_numbered_and_linked(self, planted: Path, chart: BeautifulSoup) -> None:
        wide = chart.select_one(".dtviz-map-wide")
        boxes = wide.select("[data-statement]")
        names = {box["data-statement"]: box["aria-label"] for box in boxes}
        assert names["lem-a"] == "Lemma 1.1: First, on S₂ and ε"
        links = {link["aria-label"]: link["href"] for link in wide.select("a")}
        assert links["Lemma 1.2: Second"] == "#lem-b"
        assert links["Theorem 1.1: Third"] == "1-more.html#thm-c"
        assert links["Lemma 2.1: Elsewhere"] == "../2-two.html#lem-x"
        # What the checks of the book find here they would find there.
        assert checks.dead_links(planted) == []
        name = "book/1-one/index.html"
        page = next(page for page in checks.pages(planted) if page.name == name)
        assert checks.figures_without_alt(page) == []

    def test_in_a_browser(self, planted: Path, tab: Callable[..., web.Visit]) -> None:
        """It fits a phone, and no text leaves its box."""
        seen = tab((planted / "book/1-one/index.html").as_uri(), width=360)
        page = seen.page
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator(".dtviz-map-narrow").is_visible()
        assert web.axe_findings(page, ".dtviz-map") == []
        web.change(page, {"theme": "dark", "width": 1440})
        assert page.locator(".dtviz-map-wide").is_visible()
        assert not page.locator(".dtviz-map-narrow").is_visible()
        out = page.locator(".dtviz-map-wide a").evaluate_all(
            """all => all.filter((one) => {
              const box = one.querySelector("rect").getBBox();
              return [...one.querySelectorAll("text")].some((text) => {
                const own = text.getBBox();
                return own.x < box.x || own.x + own.width > box.x + box.width
                  || own.y + own.height > box.y + box.height;
              });
            }).length"""
        )
        assert out == 0
        assert web.axe_findings(page, ".dtviz-map") == []
        assert seen.complaints == []


def chapters() -> list[tuple[dict[str, tuple[str, str]], list[tuple[str, str]], int]]:
    """Chapters at random: words, what rests on what, and the boxes to a row."""
    chance = np.random.default_rng(5)
    made = []
    for size in (1, 2, 5, 12, 25, 30):
        names = [f"n{k}" for k in range(size)]
        words = {name: (name, "a title " * int(chance.integers(6))) for name in names}
        pairs = [pair for pair in combinations(names, 2) if chance.random() < 3 / size]
        made += [(words, pairs, columns) for columns in (2, 4)]
    return made


class TestDrawing:
    @pytest.fixture(params=chapters(), ids=lambda case: f"{len(case[0])}-{case[2]}")
    def case(self, request: pytest.FixtureRequest) -> tuple[object, ...]:
        words, pairs, columns = request.param
        others = {name: ["Lemma 9.1"] * (k % 3 == 1) for k, name in enumerate(words)}
        return dtviz_graph.draw(words, others, pairs, columns), words, pairs, columns

    def test_boxes_keep_apart_and_stand_below_what_they_rest_on(
        self, case: tuple[object, ...]
    ) -> None:
        drawing, words, pairs, columns = case
        assert set(drawing.boxes) == set(words)
        for a, b in combinations(drawing.boxes.values(), 2):
            assert abs(a.x - b.x) >= a.width or a.y + a.high < b.y or b.y + b.high < a.y
        for a, b in pairs:
            assert drawing.boxes[a].y + drawing.boxes[a].high < drawing.boxes[b].y
        rows = [box.y for box in drawing.boxes.values()]
        assert max(map(rows.count, rows)) <= columns
        for box in drawing.boxes.values():
            assert 0 <= box.x <= drawing.width - box.width
            assert box.y + box.high <= drawing.height

    def test_lines_join_their_boxes_and_pass_no_other(self, case: tuple[object, ...]) -> None:
        drawing, *_ = case
        for (a, b), points in drawing.lines.items():
            start, end = drawing.boxes[a], drawing.boxes[b]
            assert start.x < points[0][0] < start.x + start.width
            assert points[-1] == (pytest.approx(end.x + end.width / 2), end.y)
            for name, box in drawing.boxes.items():
                for (x, y), (to_x, to_y) in pairwise(points):
                    if x == to_x and name != a:  # the others bend between two rows
                        inside = box.x < x < box.x + box.width
                        assert not (inside and y < box.y + box.high and box.y < to_y), (a, b, name)

    def test_lines_left_out_go_without_saying(self, case: tuple[object, ...]) -> None:
        drawing, words, pairs, _ = case

        at = {name: k for k, name in enumerate(words)}

        def reached(lines: list[tuple[str, str]]) -> list[list[bool]]:
            paths = np.zeros((len(at), len(at)), dtype=bool)
            for a, b in lines:
                paths[at[a], at[b]] = True
            for k in range(len(at)):
                paths |= np.outer(paths[:, k], paths[k])
            return paths.tolist()

        drawn = list(drawing.lines)
        assert set(drawn) <= set(pairs)
        assert reached(drawn) == reached(pairs)
        for line in drawn:
            assert reached([other for other in drawn if other != line]) != reached(drawn)

    def test_few_lines_cross_where_none_must(self) -> None:
        words = {name: (name, "") for name in "abcdefgh"}
        ladder = [("a", "h"), ("b", "g"), ("c", "f"), ("d", "e")]
        drawing = dtviz_graph.draw(words, {name: [] for name in words}, ladder, 4)
        ends = sorted((points[0][0], points[-1][0]) for points in drawing.lines.values())
        assert [end for _, end in ends] == sorted(end for _, end in ends)
        assert all(start == pytest.approx(end) for start, end in ends)


def test_circles_and_what_rests_on_them_are_found() -> None:
    """That one stops a build is tried in ``test_predict.py``, with the other faults."""
    assert dtviz_map.circular([("a", "b"), ("b", "c"), ("a", "c")]) == []
    edges = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]
    assert dtviz_map.circular(edges) == ["b", "c", "d"]


def test_titles_without_tex() -> None:
    assert dtviz_map.plain("(FIND$(S, r)$, $1/\\varepsilon^2$)") == "FIND(S, r), 1/ε²"
