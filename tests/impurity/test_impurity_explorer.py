"""The explorer of impurity in a browser, held against definitions, `dt.grow` and counts."""

from __future__ import annotations

import gzip
import subprocess
import sys
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from support.explorers import (
    Open,
    choose,
    numbers,
    press_along,
    shown,
    status_numbers,
    tip_facts,
    write_page,
)

import dtviz as dt
from dtviz.core.cart.beta_costs import STOPS
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS
from dtviz.explorers.planes import MAX_POINTS, PLANES, Plane, named_plane
from dtviz.impurity.explorer import MAX_LEAVES, ImpurityExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


page = shown(ImpurityExplorer)


def grown(name: str, cost: str) -> tuple[Plane, Any]:
    """The points of a plane, and what grows on them."""
    plane = named_plane(name)
    return plane, dt.grow(plane.X, plane.y, cost, MAX_LEAVES)


def show(page: Page, data: str, cost: str, leaves: int) -> None:
    choose(page, view="plane", data=data, cost_position=STOPS.index(cost), leaves=leaves)


CHORD = """
() => {
  const chart = document.querySelector(".dtviz-chord-view svg");
  const number = (node, ...names) => names.map((name) => Number(node.getAttribute(name)));
  const line = (mark) => number(chart.querySelector(mark), "x1", "y1", "x2", "y2");
  const rows = [...chart.querySelectorAll(".dtviz-axes line:not(.dtviz-halfway)")];
  const [low, , high] = rows.map((row) => number(row, "x1", "x2", "y1"));
  const curve = chart.querySelector(".dtviz-curve").getAttribute("d").slice(1).split("L");
  const texts = (marks) => [...document.querySelectorAll(marks)].map((node) => node.textContent);
  return {
    gap: line(".dtviz-gap"), chord: line(".dtviz-chord"), low, high,
    curve: curve.map((corner) => corner.split(" ").map(Number)),
    tags: texts(".dtviz-chord-view .dtviz-tag"),
    shares: texts(".dtviz-handle text, [data-control=tau] .dtviz-value").join("|"),
  };
}
"""
SPLITS = ((0.6, 1, 0.5), (0.1, 0.4, 0.3), (0.9, 0.2, 0.8), (0.98, 1, 0.01))


def test_the_chord_is_to_scale_and_its_numbers_are_those_of_the_split(page: Page) -> None:
    assert status_numbers(page) == ["0.320", "0.240"], "the example of the claims"
    for (cost, g), (p, r, tau) in product(dt.COST_FUNCTIONS.items(), SPLITS):
        choose(page, cost_position=STOPS.index(cost), p=p, r=r, tau=tau)
        seen = page.evaluate(CHORD)
        q = (1 - tau) * p + tau * r
        before, after = float(g(q)), float((1 - tau) * g(p) + tau * g(r))
        drop = before - after
        tags = [float(numbers(tag)[0]) for tag in seen["tags"]]
        assert tags == pytest.approx([before, drop, after], abs=1e-3)
        shown = [float(numbers(share)[0]) for share in seen["shares"].split("|")]
        assert shown == pytest.approx([p, q, r, tau], abs=5.1e-5)
        said = status_numbers(page)
        if drop > 1e-12:
            # In as many digits as show that it falls.
            assert float(said[1]) < float(said[0])
            assert [float(text) for text in said] == pytest.approx([before, after], abs=6e-4)
        else:
            assert said == [f"{before:.3f}", "1", "2"], "on one side of 1/2"
        (left, right, bottom), top = seen["low"], seen["high"][2]  # the height of 1/2
        corners = [seen["gap"][:2], seen["gap"][2:], seen["chord"][:2], seen["chord"][2:]]
        at = (np.array([*corners, *seen["curve"]]) - (left, bottom)) / (right - left, top - bottom)
        x, y = at.T / ((1,), (2,))
        assert x[:4] == pytest.approx([q, q, p, r], abs=1e-3)
        assert y[:4] == pytest.approx([before, after, g(p), g(r)], abs=1e-3)
        # Drawn to a tenth of a pixel, which is much where the root is steep.
        around = [g(np.clip(x[4:] + dx, 0, 1)) for dx in (-1e-3, 0, 1e-3)]
        assert (np.min(around, axis=0) - 2e-3 <= y[4:]).all()
        assert (y[4:] <= np.max(around, axis=0) + 2e-3).all()


@pytest.mark.parametrize("dots", [".dtviz-handle-{} > circle", ".dtviz-take-{}"])
def test_every_dot_can_be_dragged(page: Page, dots: str) -> None:
    """Those below the axis, and those on the curve and on the chord."""
    left, right, _ = page.evaluate(CHORD)["low"]
    for name, k, by, shares in (
        ("p", 0, -0.2, "p 0.40|q 0.70|r 1.00|0.50"),
        ("r", 0, -0.5, "p 0.40|q 0.45|r 0.50|0.50"),
        ("r", 0, 3, "p 0.40|q 0.70|r 1.00|0.50"),
        # Of q, on the curve and below it.
        ("q", 0, -0.12, "p 0.40|q 0.58|r 1.00|0.30"),
        ("q", -1, 3, "p 0.40|q 0.994|r 1.00|0.99"),
    ):
        box = page.locator(dots.format(name)).nth(k).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + by * (right - left), y, steps=4)
        page.mouse.up()
        assert page.evaluate(CHORD)["shares"] == shares


REGIONS = """
() => {
  const map = document.querySelector(".dtviz-plane svg");
  const read = (node, ...names) => names.map((name) => Number(node.getAttribute(name)));
  const box = (node) => read(node, "x", "y", "width", "height");
  const dots = (d) =>
    [...d.matchAll(/M([\\d.]+) ([\\d.]+)/g)].map(([, ...place]) => place.map(Number));
  const all = [...map.querySelectorAll(".dtviz-region")];
  const seen = (node) => node.getAttribute("visibility") !== "hidden";
  const part = (mark, read) => [...map.querySelectorAll(mark)].filter(seen).map(read)[0] ?? null;
  const ends = (node) => read(node, "x1", "y1", "x2", "y2");
  return {
    frame: box(all[0]),
    regions: all.filter(seen).map((node) => ({
      node: Number(node.dataset.node), box: box(node),
      label: Number(/dtviz-label(\\d)/.exec(node.getAttribute("class"))[1]),
    })),
    active: part(".dtviz-active-region", box),
    cuts: [".dtviz-last-cut", ".dtviz-next-cut"].map((mark) => part(mark, ends)),
    points: [...map.querySelectorAll(".dtviz-points")].map((path) => dots(path.getAttribute("d"))),
  };
}
"""


def pixels(plane: Plane, frame: list[float], X: np.ndarray) -> np.ndarray:
    """Where points belong on a map, from the frame and the room of 4 % around the data."""
    scaled = [np.where(plane.logarithmic, np.log1p(one), one) for one in (plane.X, X)]
    low, high = scaled[0].min(axis=0), scaled[0].max(axis=0)
    room = 0.04 * (high - low)
    x, y, width, height = frame
    u = (scaled[1] - (low - room)) / (high - low + 2 * room)
    return np.column_stack([x + width * u[:, 0], y + height * (1 - u[:, 1])])


@pytest.mark.parametrize(("name", "cost"), [("titanic", "gini"), ("iris", "sqrt")])
def test_regions_and_cuts_are_those_of_the_tree(page: Page, name: str, cost: str) -> None:
    plane, path = grown(name, cost)
    low, high = plane.X.min(axis=0), plane.X.max(axis=0)
    X = np.vstack([plane.X, np.random.default_rng(0).uniform(low, high, (300, 2))])
    for leaves in (1, 5, path.n_splits + 1):
        show(page, name, cost, leaves)
        seen = page.evaluate(REGIONS)
        said = [float(text) for text in status_numbers(page)[:2]]
        assert said == pytest.approx([leaves, path.errors[leaves - 1]], abs=5.1e-4)
        assert len(seen["regions"]) == leaves
        at, labels = pixels(plane, seen["frame"], X), path.tree(leaves).predict(X)
        hits = np.zeros(len(X), int)
        for region in seen["regions"]:
            start, size = np.array(region["box"]).reshape(2, 2)
            # Off the borders, which are drawn to a tenth of a pixel.
            within = (abs(at - start - size / 2) < size / 2 - 0.2).all(axis=1)
            assert (labels[within] == region["label"]).all()
            hits += within
        assert hits.max() <= 1
        assert hits.mean() > 0.93
        for drawn, j in zip(seen["cuts"], (leaves - 2, leaves - 1), strict=True):
            assert (drawn is not None) == (0 <= j < path.n_splits)
            if drawn:
                variable, threshold = path.split_variable[j], path.split_threshold[j]
                place = pixels(plane, seen["frame"], np.full((1, 2), threshold))[0][variable]
                assert drawn[variable] == drawn[variable + 2] == pytest.approx(place, abs=0.1)
    press_along(page.locator(".dtviz-cover"), 5 / path.n_splits)
    assert status_numbers(page)[0] == "6", "the curves can be pressed"
    # The points stand where they belong, every class with a shape of its own.
    for k, drawn in enumerate(seen["points"]):
        expected = pixels(plane, seen["frame"], plane.X[plane.y == k])
        assert abs(np.array(drawn)[:, 0] - expected[:, 0]).max() < 4
    heads = page.locator(".dtviz-plane .dtviz-points").evaluate_all(
        "all => all.map(e => /^M[\\d. ]+m[-\\d. ]+([a-z])/.exec(e.getAttribute('d'))[1])"
    )
    assert heads == ["a", "l", "h"][: len(plane.classes)]


def facts_of(plane: Plane, path: Any, cost: str, node: int) -> list[Any]:
    """Counts, impurity and best gain of a node, from the points that reach it."""
    inside, at = np.ones(len(plane.y), bool), node
    while at:
        j, low = (at - 1) // 2, at % 2 == 1
        inside &= (plane.X[:, path.split_variable[j]] <= path.split_threshold[j]) == low
        at = int(path.split_node[j])
    counts = np.bincount(plane.y[inside], minlength=len(plane.classes))
    split = dt.impurity.best_split(plane.X[inside], plane.y[inside], cost)
    gain = 0.0 if split is None or counts.max() == counts.sum() else split.score * inside.mean()
    return [*counts, float(CLASS_COST_FUNCTIONS[cost](counts / counts.sum())), gain]


def facts_shown(page: Page, plane: Plane, cost: str) -> list[float]:
    """The same as the tip says it."""
    tip = tip_facts(page)
    names = [f"{mark} {name}" for mark, name in zip("●▲■", plane.classes, strict=False)]
    return [float(numbers(tip[name])[0]) for name in (*names, cost, "gain of its split")]


ASIDE = """
() => [...document.querySelectorAll(".dtviz-tip:not([hidden]) dt")].filter((term) => {
  const [one, other] = [term, term.nextElementSibling].map((e) => e.getBoundingClientRect());
  return Math.abs(one.top - other.top) >= 3 || one.right > other.left;
}).length
"""


HEAVY = """() => {
  const line = document.querySelector(".dtviz-last-cut");
  return ["x1", "x2", "y1", "y2"].map((end) => line.getAttribute(end));
}"""


def test_regions_and_nodes_point_at_each_other(page: Page) -> None:
    """And what is said of them stands beside its name."""
    name, cost = "iris", "entropy"
    plane, path = grown(name, cost)
    show(page, name, cost, 6)
    regions = page.evaluate(REGIONS)["regions"]
    leaves = sorted({*range(11)} - {*path.split_node[:5].tolist()})
    assert sorted(region["node"] for region in regions) == leaves
    frame = page.locator(".dtviz-plane svg")
    for region in regions:
        x, y, width, height = region["box"]
        middle = {"x": x + width / 2, "y": y + height / 2}
        frame.hover(position=middle, force=True)
        facts = facts_of(plane, path, cost, region["node"])
        assert facts_shown(page, plane, cost) == pytest.approx(facts, abs=6e-4)
        assert page.evaluate(ASIDE) == 0
        assert page.evaluate(REGIONS)["active"] == region["box"]
        leaf, title = page.locator(".dtviz-active"), tip_facts(page)["title"]
        assert f"Leaf, {title}: " in str(leaf.get_attribute("aria-label"))
        assert page.locator("[data-trail=true]").count() == path.node_depth[region["node"]]
        page.mouse.down()
        page.mouse.up()
        page.mouse.move(2, 2)
        assert tip_facts(page)["title"] == title, "a click holds it"
        assert page.evaluate(REGIONS)["active"] == region["box"]
    choose(page, leaves=1)
    assert page.locator(".dtviz-active").count() == 0, "the leaf that was held is gone"
    choose(page, leaves=6)
    frame.click(position=middle, force=True)
    frame.click(position={"x": 2, "y": 2}, force=True)
    assert (page.locator(".dtviz-active").count(), page.evaluate(REGIONS)["active"]) == (0, None)
    page.locator("[role=treeitem][tabindex='0']").focus()
    page.keyboard.press("End")
    node = {tuple(one["box"]): one["node"] for one in regions}[
        tuple(page.evaluate(REGIONS)["active"])
    ]
    for _ in range(path.node_depth[node]):
        page.keyboard.press("ArrowUp")
    variable, _, bound = tip_facts(page)["splits on"].partition(" ≤ ")
    assert plane.features.index(variable) == path.split_variable[0]
    assert float(bound) == pytest.approx(path.split_threshold[0], rel=1e-3)
    assert page.evaluate(REGIONS)["active"] == page.evaluate(REGIONS)["frame"]
    heavy = page.evaluate(HEAVY)
    page.keyboard.press("Escape")
    assert page.evaluate(REGIONS)["active"] is None
    assert page.evaluate(HEAVY) != heavy
    choose(page, leaves=2)
    assert page.evaluate(HEAVY) == heavy, "the line of the root"


def test_what_is_said_of_a_leaf(page: Page) -> None:
    """The test that would win there, and its points; it goes with the tree."""
    show(page, "breast cancer", "gini", 1)
    page.locator("[data-state=leaf]").click()
    strip = page.locator(".dtviz-strip")
    assert numbers(strip.inner_text()) == ["569", "64"]
    squares = strip.locator("path").evaluate_all("all => all.map((e) => e.getAttribute('d'))")
    often = np.bincount(named_plane("breast cancer").y)
    assert [d.count("M") for d in squares] == np.round(64 * often / often.sum()).tolist()
    show(page, "iris", "gini", 4)
    page.locator("[data-state=leaf]").last.click()
    marks = page.locator(".dtviz-candidate .dtviz-won").all_text_contents()
    assert marks == ["✓", "2nd"]
    asks = page.locator(".dtviz-asks button")
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    assert asks.evaluate_all(cut) == 0, "it is read whole, also where it is a button"
    choose(page, view="chord")
    assert page.locator(".dtviz-dock").is_hidden()
    choose(page, view="plane")
    asks.last.click()
    assert status_numbers(page)[0] == "5"


FALLEN = """
() => {
  const canvas = document.querySelector(".dtviz-falling");
  const [room, frame] = [canvas, document.querySelector(".dtviz-tree svg")]
    .map((e) => e.getBoundingClientRect());
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const fits = room.left === frame.left && room.top === frame.top
    && room.width <= frame.width && room.height <= frame.height;
  return [fits && data.some(Boolean), document.querySelector(".dtviz-tree .dtviz-title + *").textContent];
}
"""  # noqa: E501


def test_on_a_phone_the_tree_scrolls_with_the_points_below_its_leaves(
    tab: Open, tmp_path: Path
) -> None:
    """And the page does not; a node that takes the focus is in sight, and so is the last split.

    It opens at its root, and a tree of four leaves is all in sight.
    """

    def drawn(leaves: int) -> Page:
        explorer = ImpurityExplorer(view="plane", data="titanic", leaves=leaves)
        return tab(write_page(tmp_path, explorer), width=390, touch=True, reduced_motion=True).page

    page = drawn(4)
    stage = page.locator(".dtviz-tree .dtviz-stage")
    assert stage.evaluate("e => e.scrollWidth - e.clientWidth") == 0
    page = drawn(32)
    root = page.locator(".dtviz-tree [role=treeitem]").first.bounding_box()
    assert root is not None
    assert 16 <= root["x"] <= root["x"] + root["width"] <= 374
    page = drawn(8)
    stage = page.locator(".dtviz-tree .dtviz-stage")
    assert stage.evaluate("e => e.scrollWidth - e.clientWidth") > 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    frame = stage.bounding_box()
    assert frame is not None

    def in_sight(part: str, share: float) -> bool:
        box = page.locator(part).bounding_box()
        assert box is not None
        ends = [box["x"] + box["width"] * at - frame["x"] for at in (share, 1 - share)]
        return ends[0] >= -1 and ends[1] <= frame["width"] + 1

    page.locator("[data-state=leaf]").first.focus()
    for key in ("End", "Home", "End"):
        page.keyboard.press(key)
        assert in_sight("[role=treeitem]:focus rect", 0)
    plane, path = grown("titanic", "gini")
    for leaves in (1, 2, 4, 9, MAX_LEAVES):
        choose(page, leaves=leaves)
        fits, text = page.evaluate(FALLEN)
        assert fits, "the points are drawn over the tree, and below it is the slider of the leaves"
        right = int((path.tree(leaves).predict(plane.X) == plane.y).sum())
        assert text == f"right: {right} of 450"
        assert not 1 < leaves < 11 or in_sight(".dtviz-last rect", 0.5)
    assert page.evaluate("document.documentElement.scrollLeft") == 0


def test_each_of_32_leaves_is_named_and_the_focus_stays(page: Page) -> None:
    """By a pointer and by keys, with its points; where boxes become marks, too."""
    plane, path = grown("titanic", "gini")
    show(page, "titanic", "gini", MAX_LEAVES)
    at = path.tree(MAX_LEAVES).apply(plane.X)
    pairs = [np.bincount(plane.y[at == leaf], minlength=2).tolist() for leaf in np.unique(at)]
    pointed = {}
    for leaf in page.locator("[data-state=leaf]").all():
        leaf.hover()
        tip = tip_facts(page)
        pointed[tip["title"]] = [int(value) for name, value in tip.items() if name[0] in "●▲■"]
    assert sorted(pointed.values()) == sorted(pairs)
    page.locator("[data-state=leaf]").last.focus()
    walked = []
    for key in ["End"] + ["ArrowLeft"] * (MAX_LEAVES - 1):
        page.keyboard.press(key)
        walked.append(tip_facts(page)["title"])
    assert sorted(walked) == sorted(pointed)
    page.locator("[data-state=inner]").nth(2).focus()
    title = tip_facts(page)["title"]
    for leaves, marks in ((17, 1), (10, 0), (11, 1)):
        choose(page, leaves=leaves)
        assert page.locator("svg.dtviz-small").count() == marks
        assert page.locator("[data-state=inner]:focus").count() == 1
        assert tip_facts(page)["title"] == title


def test_the_last_split_goes_over_to_the_chord(page: Page) -> None:
    _, path = grown("breast cancer", "entropy")
    button, step = page.get_by_label("Show the last split as a chord"), 7
    show(page, "breast cancer", "entropy", step + 1)
    button.click()
    low, high = path.class_counts[2 * step - 1], path.class_counts[2 * step]
    p, r, tau = low[1] / low.sum(), high[1] / high.sum(), high.sum() / (low + high).sum()
    shares = [float(numbers(x)[0]) for x in page.evaluate(CHORD)["shares"].split("|")]
    assert shares == pytest.approx([p, (1 - tau) * p + tau * r, r, tau], abs=5.1e-5)
    show(page, "breast cancer", "entropy", 1)
    assert button.is_disabled()
    show(page, "iris", "entropy", 3)
    assert button.is_hidden()


def test_the_most_points_of_a_reader_are_small() -> None:
    rng = np.random.default_rng(0)
    full = ImpurityExplorer(rng.random((MAX_POINTS, 2)), rng.integers(0, 3, MAX_POINTS))
    assert len(gzip.compress(full.to_html().encode())) < 100_000


def test_the_caption_and_the_picture_of_each_view() -> None:
    explorer = ImpurityExplorer(data="iris", leaves=5, cost="entropy")
    assert numbers(explorer.caption())[-3:] == ["0.361", "0.243", "0.118"]
    line = explorer.picture().axes[0].lines[-1]
    assert np.ptp(line.get_ydata()) == pytest.approx(explorer.drop)
    explorer.view = "plane"
    _, path = grown("iris", "entropy")
    said = ["5", *(f"{totals[4]:.3f}" for totals in (path.costs, path.errors))]
    assert numbers(explorer.caption())[-3:] == said
    classes = [text.get_text() for text in explorer.picture().axes[0].get_legend().get_texts()]
    assert classes == ["0: setosa", "1: versicolor", "2: virginica"]


def test_readers_own_points(tab: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"width <b>": rng.normal(size=60) * 1e5, "height": rng.random(60) / 1000})
    y = np.where(frame["height"] > 0.0004, "tall", "low")
    explorer = ImpurityExplorer(frame, y, leaves=5)
    page = tab(write_page(tmp_path, explorer)).page
    assert status_numbers(page) == ["2", "0"]
    axes = page.locator(".dtviz-plane .dtviz-axes text").all_text_contents()
    assert axes[-2:] == ["width <b>", "height"]
    low, tall = ((y == name).sum() for name in ("low", "tall"))
    legend = " ".join(page.locator(".dtviz-legend").inner_text().split())
    assert legend == f"● low ({low}) ▲ tall ({tall})"
    named = ImpurityExplorer([[0, 0], [0, 1], [1, 1]], [5, 5, 9], ["a", "b"], ["five", "nine"])
    plane = named.planes["data"]
    assert (plane.features, plane.classes) == (("a", "b"), ("five", "nine"))
    assert ImpurityExplorer([[0, 0], [0, 1]], [5, 9], view="chord").view == "chord"


SQUARE = [[0, 0], [0, 1], [1, 0], [1, 1]]
XOR = [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("X", "y", "options", "rule"),
    [
        (None, [0, 1], {}, r"X must be a table, an \(m, d\) array of numbers, got None"),
        ([[1]] * 4, XOR, {}, r"from 2 to 40 columns, .* X\[:, \[0, 1\]\], got 1"),
        ([[0, 1], [np.inf, 1]], [0, 1], {}, "X must not have infinite .* row 1, column 0"),
        (np.zeros((1501, 2)), np.zeros(1501), {}, "from 2 to 1500 points, got 1501"),
        (SQUARE, [0, 1, 0], {}, "y must have one label for each of the 4 rows of X, got 3"),
        (SQUARE, [1, 0, np.nan, 1], {}, "y must not have missing .* nan at index 2"),
        (SQUARE, [1, 1, 1, 1], {}, "y must have from 2 to 3 classes, got 1"),
        (SQUARE, [1, 2, 3, 4], {}, "y must have from 2 to 3 classes, got 4"),
        (SQUARE, XOR, {"feature_names": ["a"]}, "feature_names must be 2 strings"),
        (SQUARE, XOR, {"class_names": {1: "b", 0: "a"}}, "class_names must be 2 different"),
    ],
)
def test_bad_points_are_refused(X: Any, y: Any, options: dict[str, Any], rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        ImpurityExplorer(X, y, **options)


def test_the_callers_points_stay_the_callers() -> None:
    X, y = np.array(SQUARE, float), np.array(XOR)
    explorer = ImpurityExplorer(X, y)
    X[0], y[0] = 7, 1
    plane = explorer.planes["data"]
    assert (plane.X.tolist(), plane.y.tolist()) == (SQUARE, XOR)
    with pytest.raises(ValueError, match="read-only"):
        plane.X[0] = 1


@pytest.mark.parametrize("name", ["breast cancer", "iris", "wine", "tumor size"])
def test_stored_data_is_that_of_scikit_learn(name: str) -> None:
    plane = named_plane(name)
    of = name.replace("tumor size", "breast cancer").replace(" ", "_")
    loaded = getattr(datasets, f"load_{of}")()
    columns = [list(loaded.feature_names).index(feature) for feature in plane.features]
    np.testing.assert_array_equal(plane.X, loaded.data[:, columns])
    np.testing.assert_array_equal(
        np.array(plane.classes)[plane.y], np.array(loaded.target_names)[loaded.target]
    )


def test_scikit_learn_is_not_needed() -> None:
    code = (
        "import sys; sys.modules['sklearn'] = None; import dtviz as dt; "
        "e = dt.ImpurityExplorer(view='plane'); print(len(e.planes), 'sklearn' in e.to_html())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(PLANES)), "False"]


def test_the_chord_on_the_python_side() -> None:
    explorer = ImpurityExplorer(p=0.3, r=0.9, tau=0.75, cost="error")
    assert explorer.q == pytest.approx(0.75)
    # On both sides of 1/2 the drop is twice the smaller arm of the lever (claim MN-LIN).
    assert explorer.drop == pytest.approx(2 * min(0.25 * 0.2, 0.75 * 0.4))
    explorer.p = explorer.r
    assert explorer.drop == pytest.approx(0, abs=1e-15)
    plane = ImpurityExplorer(view="plane", data="xor")
    assert repr(plane) == "ImpurityExplorer(view='plane', cost='gini', data='xor', leaves=4)"


def test_a_split_of_ones_own_reads_as_a_grown_one() -> None:
    """Also at a half, which for a bit would be its two values."""
    points = {"X": [[-1.0, 0], [2.0, 0], [-3.0, 1], [4.0, 1]], "y": [0, 1, 0, 1]}
    own = ImpurityExplorer(**points, splits=[[0, 0, 0.5]]).tree()
    assert str(own) == str(ImpurityExplorer(**points, leaves=2).tree())
    assert str(own).startswith("x0 <= 0.5")
    assert str(ImpurityExplorer(**points, splits=[[0, 1, 0.5]]).tree()).startswith("x1\n├─ 0: ")
