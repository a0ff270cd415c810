"""The front door: the landing page in one screen, its tree and pictures, the mark and the cover."""

from __future__ import annotations

import gzip
import io
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image
from support import web
from support.site import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import dtviz_front as front
import dtviz_front_mark as marks
import dtviz_front_pictures as pictures
from dtviz_dark import dark, table
from dtviz_front_fan import fan

import dtviz as dt

if TYPE_CHECKING:
    from collections.abc import Callable

STATIC = ROOT / "book" / "_static"
LANDING_BYTES = 22_000  # gzipped: half of what it was with an explorer
CATERPILLAR = dt.functions.caterpillar(3)


# --- the mark and the cover -----------------------------------------------------------


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    return marks.drawn()


def test_what_is_stored_is_what_the_package_draws(drawn: dict[str, bytes]) -> None:
    """Byte for byte; of pictures of pixels each pixel, for another zlib packs them otherwise."""
    for name, content in drawn.items():
        stored = (STATIC / name).read_bytes()
        if name.endswith(".png"):
            one, other = (np.asarray(Image.open(io.BytesIO(data))) for data in (stored, content))
            assert np.array_equal(one, other), name
        else:
            assert stored == content, name


def test_the_mark_is_of_real_trees() -> None:
    """Six leaves over four, found without the drawing; functions of two variables have no gap."""
    f = dt.BooleanFunction.from_text("00011101")
    assert (dt.build_top_down(f).n_leaves_for(0), dt.optimal(f).n_leaves) == (6, 4)
    svg = BeautifulSoup(marks.mark(), "html.parser")
    above, below = (group.find_all("path") for group in svg.select("g[stroke]"))
    assert (len(above), len(below)) == (2 * 6 - 1, 2 * 4 - 1)
    assert len(svg.find_all("circle")) == 6
    assert {g["fill"] for g in svg.select("g[fill]:has(circle)")} == set(marks.LEAVES)
    assert np.array_equal(dt.greedy_all(2).n_leaves, dt.optimal_all(2).n_leaves)


def test_the_dark_mark_has_the_dark_colours() -> None:
    light, gloomy = (set(re.findall("#[0-9a-fA-F]{6}", marks.mark(s))) for s in (str, dark))
    assert {dark(colour) for colour in light} == gloomy
    assert not {colour.lower() for colour in light} & gloomy


def test_covers_have_their_sizes(drawn: dict[str, bytes]) -> None:
    for name, size in (("cover", (595.28, 841.89)), ("cover-letter", (612, 792))):
        box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", drawn[f"{name}.pdf"])
        assert box is not None
        assert [float(side) for side in box.groups()] == pytest.approx(size, abs=0.01)
        text = drawn[f"{name}.pdf"]
        assert b"/CreationDate" not in text
        assert b"/FontFile2" in text  # its letters travel with it


# --- a tree as one that grows -------------------------------------------------------------------


def test_a_fan_keeps_the_tree() -> None:
    tree = dt.build_top_down(CATERPILLAR).tree()
    twigs = fan(tree, 100, 172, 15)
    ends = [twig for twig in twigs if twig.label is not None]
    assert [twig.leaves for twig in twigs] == tree.leaves_below.tolist()
    assert len(ends) == 44
    for twig in twigs[1:]:
        assert twig.curve[0] == pytest.approx(twigs[twig.parent].at)
        children = [other.leaves for other in twigs if other.parent == twig.node]
        assert twig.label is not None or sum(children) == twig.leaves
    # Leaves stand from left to right as in the tree, evenly, and none on another.
    turns = [math.atan2(x, y - 15) for x, y in (twig.at for twig in ends)]
    assert np.diff(turns) == pytest.approx(math.radians(172) / 43)
    # The deeper, the farther out; leaves of one depth are as far as each other.
    away = {(t.depth, round(math.hypot(t.at[0], t.at[1] - 15), 6)) for t in ends}
    assert len(away) == len({depth for depth, _ in away})
    assert sorted(away) == sorted(away, key=lambda pair: pair[1])
    assert max(away)[1] == pytest.approx(100)


def test_a_bare_tree_is_refused() -> None:
    bare = dt.build_top_down(CATERPILLAR).tree().bare()
    with pytest.raises(ValueError, match="labels at its leaves"):
        fan(bare, 100, 172, 15)


def test_the_order_is_the_kernels() -> None:
    """Split j makes nodes 2j + 1 and 2j + 2: each later than its parent, low before high."""
    tree = dt.build_top_down(CATERPILLAR).tree()
    order = front.by_growth(CATERPILLAR)
    assert sorted(order) == list(range(tree.n_nodes))
    path = dt.build_top_down(CATERPILLAR)
    for j, node in enumerate(path.split_node.tolist()):
        assert tree.variable[order[node]] == path.split_variable[j]
        assert order[2 * j + 1] == tree.low[order[node]]
        assert order[2 * j + 2] == tree.high[order[node]]


@pytest.mark.parametrize("text", ["caterpillar", "nobody(3)", "caterpillar(3); x"])
def test_the_tree_is_of_a_function_that_has_a_name(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        front.named(text)


# --- the pictures of the chapters ---------------------------------------------------------------


def test_each_picture_is_of_its_explorer() -> None:
    """What each says is what the explorer on the chapter's first page holds."""
    said = {
        name: re.search('aria-label="([^"]*)"', pictures.picture(name))
        for name in pictures.PICTURES
    }
    words = {name: found[1] for name, found in said.items() if found}
    assert words.keys() == pictures.PICTURES.keys()
    first = next(iter(dt.InfluenceExplorer.__init__.__globals__["_zoo"]()))
    assert first in words["1-influence"]
    assert "13 leaves" in words["1-influence"]
    assert f"{dt.RankExplorer().m} examples" in words["2-rank"]
    assert dt.ProductExplorer().function in words["3-product"]
    assert dt.ImpurityExplorer().cost in words["4-impurity"]
    assert f"{dt.GrowingExplorer().gamma:g}" in words["5-growing"]
    pruned = dt.PruningExplorer()
    assert f"to {pruned.tree().n_leaves} by" in words["6-pruning"]
    assert f"of {pruned.path().tree().n_leaves} leaves" in words["6-pruning"]


def test_a_picture_follows_what_it_shows() -> None:
    """Leaves, dots and boxes are as many as there are."""
    rank = BeautifulSoup(pictures.picture("2-rank"), "html.parser")
    found = dt.RankExplorer().tree()
    assert found is not None
    inner = found.node_rank[found.variable >= 0]
    assert [int(mark.text) for mark in rank.find_all("text")] == inner.tolist()
    ends = sum(str(p["d"]).count("M") for p in rank.select("path.label0, path.label1"))
    assert ends == found.n_leaves
    boxes = BeautifulSoup(pictures.picture("7-practice"), "html.parser").find_all("rect")
    assert len(boxes) == 4
    area = sum(float(box["width"]) * float(box["height"]) for box in boxes)
    assert area == pytest.approx((pictures.WIDE - 8) * (pictures.HIGH - 8), rel=0.01)
    atlas = BeautifulSoup(pictures.picture("atlas"), "html.parser").find_all("path")
    assert sum(str(path["d"]).count("M") for path in atlas) == 256


def test_the_colours_are_those_of_the_explorers() -> None:
    css = (STATIC / "front.css").read_text("utf-8")
    light, gloomy = (
        dict(re.findall(r"--dtviz-front-(\w+): (#\w+);", part))
        for part in css.split('html[data-theme="dark"]')[:2]
    )
    assert light.keys() == gloomy.keys()
    assert len(light) == 6
    assert {light[name]: gloomy[name] for name in light}.items() <= table().items()


# --- the directives -----------------------------------------------------------------------------

PAGE = """# A book

For $x$, and $y$). So $z$ or ($w$): $v$ *words* $u$.

:::{front-tree} caterpillar(3)
Greed has 43 leaves, the best 14 leaves.
:::

:::{front-chapters}
LIST
:::

```{toctree}
:glob:
*/index
```
"""
LISTED = [f"- **{{doc}}`One <{name}/index>`.** Words." for name in pictures.CHAPTERS]
LISTED += [f"- **{{doc}}`{name} <{name}/index>`.** Words." for name in ("atlas", "nowhere")]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Build a page with a wrong number, without one chapter, and with two pages to come."""
    root = tmp_path_factory.mktemp("front")
    (root / "conf.py").write_text(
        f"import sys; sys.path[:0] = [{str(ROOT / 'book' / '_ext')!r}, {str(ROOT)!r}]\n"
        "extensions = ['myst_parser', 'dtviz_front', 'dtviz_front_type']\n"
        "myst_enable_extensions = ['colon_fence', 'dollarmath']\n"
        # The pictures take seconds, and are looked at above.
        "import dtviz_front\ndtviz_front.picture = '<svg role=img aria-label={}></svg>'.format\n"
    )
    for name in (*pictures.CHAPTERS, "atlas"):
        (root / name).mkdir()
        text = f"# {name}\n\n```{{toctree}}\nsecond\n```\n"
        (root / name / "index.md").write_text(text, "utf-8")
        (root / name / "second.md").write_text("# Second\n", "utf-8")
    (root / "index.md").write_text(PAGE.replace("LIST", "\n".join(LISTED[1:])), "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(root), str(root / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr, root / "out"


@pytest.mark.xdist_group("planted front")
class TestPlanted:
    def test_what_does_not_fit_is_told(self, planted: tuple[str, Path]) -> None:
        said, _ = planted
        assert said.count("WARNING") == 2
        assert "the caption does not say 44, leaves" in said
        assert "got ['2-rank'" in said

    def test_a_card_has_picture_link_and_size(self, planted: tuple[str, Path]) -> None:
        """The atlas counts no pages; what has no page has no card."""
        html = (planted[1] / "index.html").read_text("utf-8")
        cards = BeautifulSoup(html, "html.parser").select(".dtviz-front-card")
        names = [*list(pictures.CHAPTERS)[1:], "atlas"]
        assert [str(card.a and card.a["href"]) for card in cards] == [
            f"{name}/index.html" for name in names
        ]
        assert [str(card.svg and card.svg["aria-label"]) for card in cards] == names
        times = [[line.text for line in card.select(".dtviz-front-time")] for card in cards]
        assert times == [["2 pages"]] * 6 + [[]]

    def test_only_the_page_with_the_tree_loads_its_script(self, planted: tuple[str, Path]) -> None:
        for name, times in (("index.html", 1), ("2-rank/index.html", 0)):
            html = (planted[1] / name).read_text("utf-8")
            assert [html.count(file) for file in (front.SCRIPT, front.STYLE)] == [times, times]

    def test_a_stop_stays_with_its_formula(self, planted: tuple[str, Path]) -> None:
        page = BeautifulSoup((planted[1] / "index.html").read_text("utf-8"), "html.parser")
        kept = [part.text for part in page.select(".dtviz-unbroken")]
        assert kept == [r"\(x\),", r"\(y\)).", r"\(w\)):", r"\(u\)."]
        words = r"For \(x\), and \(y\)). So \(z\) or (\(w\)): \(v\) words \(u\)."
        assert [line.text for line in page.select("section > p")][:1] == [words]


# --- in a browser -------------------------------------------------------------------------------

# The lower ends of what stands on the first screen, and whether the tree can be seen.
ENDS = """
() => ["what", "tree svg", "caption", "ways"].map((name) => {
  const part = document.querySelector(`.dtviz-front-${name}`).getBoundingClientRect();
  return [part.top, part.bottom, part.width, part.height];
})
"""
NOW = ".dtviz-front-now"
# What is said of the tree, and how many leaves are drawn.
STATE = """
() => [document.querySelector(".dtviz-front-now").textContent,
  document.querySelectorAll(".buds circle:not(.inner)").length]
"""


def landing(site: Path) -> str:
    return (site / "book/index.html").as_uri()


def test_the_landing_page_is_light(site: Path) -> None:
    html = (site / "book/index.html").read_bytes()
    assert len(gzip.compress(html)) < LANDING_BYTES
    assert (site / "_static" / front.SCRIPT).stat().st_size < 20_000


def test_every_figure_of_the_book_is_drawn_for_the_dark(site: Path) -> None:
    """None is only inverted; an explorer's still stands where no script could make it dark."""
    for path in sorted((site / "book").rglob("*.html")):
        article = path.read_text("utf-8").partition("<article")[2].partition("</article>")[0]
        kinds = re.findall(r'<img (?:class="([^"]*)")?', article)
        assert set(kinds) <= {"only-light", "only-dark", "dtviz-picture"}, path
        assert kinds.count("only-light") == kinds.count("only-dark"), path


def test_the_theme_shows_the_mark(site: Path) -> None:
    page = BeautifulSoup((site / "book/2-rank/index.html").read_text("utf-8"), "html.parser")
    images = page.select(".navbar-brand img")
    assert {str(image["src"]).split("?")[0] for image in images} == {
        "../../_static/mark.svg",
        "../../_static/mark-dark.svg",
    }
    icons = {str(link["href"]).split("?")[0] for link in page.select("link[rel~=icon]")}
    assert icons == {"../../_static/favicon.svg"}


@pytest.mark.parametrize(
    ("width", "height"), [(360, 780), (768, 1024), (1024, 768), (1440, 900), (1920, 1080)]
)
def test_what_tree_and_ways_stand_on_the_first_screen(
    site: Path, tab: Callable[..., web.Visit], width: int, height: int
) -> None:
    page = tab(landing(site), width=width, height=height, reduced_motion=True).page
    parts = page.evaluate(ENDS)
    assert all(top >= 0 and bottom <= height for top, bottom, _, _ in parts), parts
    assert parts[1][3] >= 190  # the picture of the tree is one to look at
    ways = page.locator(".dtviz-front-ways a")
    assert [way.inner_text() for way in ways.all()] == ["Read", "Tinker", "Teach"]


def test_the_tree_grows_by_the_kernel_until_touched(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    seen = visit("about:blank", width=1200)
    page = seen.page
    page.clock.install()
    page.goto(landing(site))
    now = page.locator(NOW)
    page.wait_for_function("document.querySelector('.dtviz-front-now').textContent < '2'")
    path = dt.build_top_down(CATERPILLAR)
    seen_sizes = []
    while not seen_sizes or seen_sizes[-1] < 44:
        said, leaves = page.evaluate(STATE)
        error = f"{path.errors[leaves - 1]:.3f}" if leaves < 44 else "0"
        assert said == f"{leaves} {'leaf' if leaves == 1 else 'leaves'}, error {error}"
        seen_sizes.append(leaves)
        page.clock.run_for(150)
    assert seen_sizes == sorted(seen_sizes)
    assert len(set(seen_sizes)) > 15
    # It looks at the whole for a while, begins again, and stops at the first key, for good.
    page.clock.run_for(6500)
    assert page.evaluate(STATE)[1] < 44
    page.keyboard.press("Shift")
    stopped = now.inner_text()
    page.clock.run_for(20_000)
    assert now.inner_text() == stopped
    button = page.locator(".dtviz-front-controls button")
    assert button.get_attribute("aria-label") == "Let it grow"
    button.click()
    page.clock.run_for(1000)
    assert now.inner_text() != stopped
    page.locator("article h1").click()
    stopped = now.inner_text()
    page.clock.run_for(20_000)
    assert now.inner_text() == stopped
    assert seen.complaints == []


def test_a_reader_can_grow_it_by_the_keyboard(site: Path, tab: Callable[..., web.Visit]) -> None:
    """Where motion is not wanted nothing moves; the slider is there all the same."""
    seen = tab(landing(site), reduced_motion=True)
    page = seen.page
    now = page.locator(NOW)
    page.wait_for_timeout(1500)
    assert now.inner_text() == "44 leaves, error 0"
    slider = page.locator(".dtviz-front-controls input")
    slider.press("Home")
    assert now.inner_text() == "1 leaf, error 0.500"
    slider.press("ArrowRight")
    assert now.inner_text() == "2 leaves, error 0.125"
    assert slider.get_attribute("aria-valuetext") == "2 leaves, error 0.125"
    assert page.evaluate(STATE) == ["2 leaves, error 0.125", 2]


def test_nothing_moves_while_the_tree_grows(site: Path, tab: Callable[..., web.Visit]) -> None:
    page = tab(landing(site), width=360, height=780).page
    before = page.evaluate(ENDS)
    page.wait_for_function("document.querySelector('.dtviz-front-now').textContent.includes('5 l')")
    assert page.evaluate(ENDS) == before


def test_without_scripts_the_tree_is_there(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit(landing(site), javascript=False).page
    assert page.locator(".buds circle:not(.inner)").count() == 44
    assert not page.locator(".dtviz-front-controls button").is_visible()
    assert page.locator(".dtviz-front-card").count() >= 7
