"""Chapter 3's explorer with what readers bring: functions, biases as numbers, a second tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import Open, numbers, settle, status, status_numbers, undisturbed, write_page
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.product.explorer import ProductExplorer

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(str(files("dtviz.product")))
MODULES = [
    STATIC / "computing/best.js",
    STATIC / "computing/greedy.js",
    STATIC / "controls/beside.js",
    FOLDER / "kernel_depths.js",
]


TREES = """
(cases) => cases.map(({ n, table, p }) => {
  const f = { n, table: Uint8Array.from(table) };
  const [truth, cubes] = [truthOf(f, p), cubesOf(f)];
  const path = greedyPath(grow(f, truth, splitsOf(shortestTree(cubes, p)), 1));
  const nodes = Array.from({ length: 2 * path.steps + 1 }, (_, k) => k);
  const greedy = greedyPath(grow(f, truth));
  return {
    depth: leastDepth(cubes),
    asked: nodes.map((k) => (path.splitAt[k] < path.steps ? path.variable[path.splitAt[k]] : -1)),
    places: nodes.map((k) => path.where(k)),
    labels: nodes.map((k) => path.label(k)),
    error: path.errors[path.steps],
    average: path.depths(path.steps).average,
    contests: Array.from({ length: 2 * greedy.steps + 1 }, (_, k) => ({
      ...greedy.contest(k), values: null, place: greedy.where(k),
    })),
  };
})
"""


@cache
def tree_cases() -> list[tuple[dt.BooleanFunction, tuple[float, ...]]]:
    """Functions of 1 to 6 variables, drawn at random and offered, and biases of all kinds."""
    rng = np.random.default_rng(18)
    drawn = [dt.functions.random(n, seed) for n in range(1, 7) for seed in range(60)]
    offered = list(ProductExplorer().functions.values())
    grid = np.round(np.arange(1, 100) / 100, 2)
    return [
        (f, tuple(p))
        for f in [*drawn, *offered]
        for p in (rng.choice(grid, f.n).tolist(), [0.5] * f.n, [1 / 3] * f.n)
    ]


def restricted(f: dt.BooleanFunction, place: str) -> tuple[dt.BooleanFunction, list[int]]:
    free = list(range(f.n))
    for variable, bit in re.findall(r"x(\d)=(\d)", place):
        f = f.restrict(free.index(int(variable)), int(bit))
        free.remove(int(variable))
    return f, free


def questions(tree: dt.Tree) -> dict[str, int]:
    """The variable asked at each place of a tree, -1 at its leaves."""
    asked = {}
    below = [(0, "")]
    while below:
        node, place = below.pop()
        variable = int(tree.variable[node])
        asked[place.removesuffix(", ") or "no variable fixed"] = variable
        if variable >= 0:
            children = (int(tree.low[node]), int(tree.high[node]))
            below += [(k, f"{place}x{variable}={bit}, ") for bit, k in enumerate(children)]
    return asked


def wrong_trees() -> list[str]:
    cases = tree_cases()
    given = [{"n": f.n, "table": f.table.tolist(), "p": p} for f, p in cases]
    found = []
    for (f, p), seen in zip(cases, evaluate(MODULES, TREES, given), strict=True):
        mu = dt.ProductDistribution(p)
        best = dt.optimal(f, mu)
        if seen["depth"] != best.depth:
            found.append(f"{f}: depth {seen['depth']}, not {best.depth}")
        asked = dict(zip(seen["places"], seen["asked"], strict=True))
        if asked != questions(best.tree("average_depth")) or seen["error"] > 0:
            found.append(f"{f} at {p}: another best tree")
        if not np.isclose(seen["average"], best.average_depth, rtol=1e-9):
            found.append(f"{f} at {p}: {seen['average']} questions, not {best.average_depth}")
    return found


def test_depth_and_the_best_tree_are_those_of_the_package() -> None:
    assert wrong_trees() == []


def test_candidates_have_the_influences_of_what_is_left() -> None:
    cases = tree_cases()[::9]
    given = [{"n": f.n, "table": f.table.tolist(), "p": p} for f, p in cases]
    tried = 0
    for (f, p), seen in zip(cases, evaluate(MODULES, TREES, given), strict=True):
        for contest in seen["contests"]:
            part, free = restricted(f, contest["place"])
            assert contest["free"] == free
            left = dt.ProductDistribution([p[i] for i in free]) if free else None
            exact: Any = dt.core.boolean.measures.resample_influences(part, left) if left else []
            influences = np.array(contest["scores"]) / contest["share"]
            np.testing.assert_allclose(influences, exact, rtol=1e-9, atol=1e-14)
            tried += 1
    assert tried > 1000


@pytest.fixture(scope="session")
def own_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_page(tmp_path_factory.mktemp("own"), ProductExplorer(function="multiplexer(2)"))


@pytest.fixture
def page(tab: Open, own_page: str) -> Iterator[Page]:
    yield from undisturbed(tab(own_page, reduced_motion=True))


def check_status(page: Page, **traits: Any) -> None:
    """Look for the root, the leaves and depths that the package finds."""
    explorer = ProductExplorer(**traits)
    best = dt.optimal(explorer.named_function(), explorer.mu)
    root = [str(explorer.path().node_variable[0]), str(explorer.tree().n_leaves)]
    said = status_numbers(page)
    assert said[1:3] == root
    assert said[-2:] == [f"{best.average_depth:.3f}", str(best.depth)]


def test_a_typed_function_is_grown(page: Page) -> None:
    field = page.locator("[name=formula]")
    for text in ("x0 & (x1 | ~x2)", "maj(x0, x1, x2, x3, x4)", "0x6996", "01101001"):
        field.fill(text)
        check_status(page, function=text)
    before = status(page)
    field.fill("x0 & (x1 |")
    assert status(page) == before, "the old picture stays"
    field.fill("x9")
    assert status(page) == before


def test_why_this_split(page: Page) -> None:
    page.locator("[role=treeitem]").first.click()
    rows = page.locator(".dtviz-candidate").all_inner_texts()
    explorer = ProductExplorer(function="multiplexer(2)")
    exact = dt.core.boolean.measures.resample_influences(explorer.named_function(), explorer.mu)
    order = np.argsort(-np.round(exact, 9), kind="stable")
    assert [row.split()[:2] for row in rows] == [[f"x{i}", f"{exact[i]:.3f}"] for i in order]
    assert "chosen" not in rows[0]
    assert page.locator(".dtviz-candidate.dtviz-winner").inner_text().startswith("x2")


def test_a_tree_of_ones_own_under_a_bias(page: Page) -> None:
    """It stays as the bias moves, and goes as epsilon does; the race is one of greedy trees."""
    greedy = status(page)
    page.locator("[data-spot='0']").first.click()
    page.locator("button[data-asks=x5]").click()
    page.locator("input[name=bias]").fill("0.7")
    settle(page)
    own = ProductExplorer(function="multiplexer(2)", bias=0.7, splits=[[0, 5]])
    tree, f, mu = own.tree(), own.named_function(), own.mu
    halves = [dt.optimal(f.restrict(5, bit)).n_leaves for bit in (0, 1)]
    surplus = sum(halves) - dt.optimal(f).n_leaves
    error, cost = (getattr(dt.influence, f"tree_{what}")(tree, f, mu) for what in ("error", "cost"))
    shown = ["0.70", "2", f"{error:.3f}", f"{cost:.3f}", "1.000", str(surplus)]
    assert status_numbers(page)[:6] == shown
    title = page.locator(".dtviz-title").first
    assert numbers(title.inner_text()) == ["2", str(surplus)]
    assert "A tree of the reader's own" in own.caption()
    page.locator("select[name=view]").select_option("race")
    assert title.inner_text().startswith("Exact tree")
    page.locator("select[name=view]").select_option("exact")
    assert page.locator("button[name=back]:visible").count() == 1
    page.locator("input[name=bias]").fill("0.3")
    page.locator("input[name=epsilon]").fill("0.11")
    page.locator("input[name=epsilon]").fill("0.1")
    settle(page)
    assert status(page) == greedy
    assert page.locator("button[name=back]:visible").count() == 0


def test_curves_are_named_where_the_bias_is(page: Page) -> None:
    """Equal ones share a name; a name too long for its place is cut."""

    def names() -> list[str]:
        tags = page.locator("[data-view=root] .dtviz-tag:visible").all()
        return sorted(str(tag.text_content()) for tag in tags)

    assert names() == ["x0, x1", "x2", "x3, x4", "x5"]
    page.locator("[name=formula]").fill("x0 & x1 & x2 | x3")
    assert names() == ["x0–x2", "x3"]
    page.locator("[name=formula]").fill("rainfall ^ temperature ^ wind")
    assert names() == ["rainfall, tempe…"]


LAST = [dict(zip(("x", "half"), case, strict=True)) for case in ((0, 4), (30, 8), (60, 8), (70, 8))]


def test_numbers_on_an_axis_keep_apart() -> None:
    kept = evaluate([STATIC / "drawing/chart.js"], "apart", LAST)
    assert [tick["x"] for tick in kept] == [0, 30, 70]
