"""The explorer of impurity in a browser, held against exact fractions, `dt.grow` and counts."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from support.explorers import (
    MOVE,
    WIDTHS,
    Open,
    fixed,
    numbers,
    settle,
    status_numbers,
    tip_facts,
    undisturbed,
    write_page,
)

import dtviz as dt
from dtviz.core.cart.beta_costs import STOPS
from dtviz.explorers.planes import MAX_POINTS, PLANES, Plane, named_plane
from dtviz.impurity.explorer import MAX_LEAVES, VIEWS, ImpurityExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

COST_FUNCTIONS = tuple(dt.COST_FUNCTIONS)
DATA = {name: named_plane(name) for name in PLANES}
PATHS = {
    (name, cost): dt.grow(plane.X, plane.y, cost, MAX_LEAVES)
    for name, plane in DATA.items()
    for cost in COST_FUNCTIONS
}
LONGEST = {name: max(PATHS[name, cost].n_splits for cost in COST_FUNCTIONS) + 1 for name in DATA}


@pytest.fixture(scope="session")
def impurity_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with the default explorer."""
    return write_page(tmp_path_factory.mktemp("impurity"), ImpurityExplorer())


@pytest.fixture
def page(tab: Open, impurity_page: str) -> Iterator[Page]:
    """The default explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(impurity_page, reduced_motion=True))


MARKS = """
  const marks = () => {
    const root = document.querySelector(".dtviz-explorer");
    const texts = root.querySelectorAll(".dtviz-chord-view .dtviz-tag, .dtviz-handle text");
    return [
      root.querySelector("[role=status]"), ...texts, root.querySelector("[data-control=tau] .dtviz-value"),
    ].map((part) => part.textContent).join("|");
  };
"""  # noqa: E501
SET = """
(states) => {
  const root = document.querySelector(".dtviz-explorer");
  return states.map((state) => {
    for (const [name, value] of Object.entries(state)) {
      const input = root.querySelector(`input[name=${name}]`);
      if (input.valueAsNumber === value) continue;
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    return marks();
  });
}
"""


def change(page: Page, states: list[dict[str, float]]) -> list[str]:
    """Set the sliders of the chord to states in turn; return all that is said of each."""
    said: list[str] = page.evaluate(f"(states) => {{ {MARKS} return ({SET})(states); }}", states)
    return said


def said_of_split(page: Page) -> str:
    text: str = page.evaluate(f"() => {{ {MARKS} return marks(); }}")
    return text


def choose(page: Page, **state: Any) -> None:
    """Set controls by their names."""
    for name, value in state.items():
        if name == "cost":
            page.evaluate(MOVE, ["cost_position", [STOPS.index(value)]])
            settle(page)
        elif isinstance(value, str):
            page.locator(f"select[name={name}]").first.select_option(value)
            # Another tree is drawn in a turn of its own, and that of many points grows before.
            settle(page)
        else:
            page.evaluate(MOVE, [name, [value]])


def near(text: str, value: float, digits: int = 3) -> bool:
    """Whether a number written with so many digits is the value, rounded."""
    return abs(float(text) - value) <= 0.5 * 10.0**-digits + 1e-9


def parts_of(text: str) -> tuple[list[str], dict[str, str]]:
    """The numbers that the status says of a split, and those of the chord and a slider."""
    said, *marks = text.split("|")
    names = ("before", "drop", "after", "p", "q", "r", "tau")
    shown = [mark.removeprefix(f"{name} ") for name, mark in zip(names, marks, strict=True)]
    return numbers(said), dict(zip(names, shown, strict=True))


def exact_drop(cost: str, p: Fraction, r: Fraction, tau: Fraction) -> Fraction | float:
    """The drop of a split, exact for the two costs that have rational values."""
    q = (1 - tau) * p + tau * r
    if cost == "error":
        g = lambda x: min(x, 1 - x)  # noqa: E731
    elif cost == "gini":
        g = lambda x: 2 * x * (1 - x)  # noqa: E731
    else:
        g = lambda x: float(dt.COST_FUNCTIONS[cost](float(x)))  # noqa: E731
        return 0.0 if p == r else g(q) - float(1 - tau) * g(p) - float(tau) * g(r)
    return g(q) - (1 - tau) * g(p) - tau * g(r)


def wrong_drop(text: str, drop: Fraction | float) -> bool:
    if text == "0":
        return abs(drop) > 1e-12
    if text == "< 0.001":
        return not 1e-12 < drop < 0.0005
    return not near(text, float(drop)) or drop < 0.0005 - 1e-9


def wrong_fall(said: list[str], before: float, after: float) -> bool:
    """Whether a cost is not said to fall from one value to another."""
    if len(said) != 2 or float(said[1]) >= float(said[0]):
        return True
    pairs = zip(said, (before, after), strict=True)
    return not all(near(text, value, len(text.partition(".")[2])) for text, value in pairs)


def misread_split(text: str, cost: str, p: Fraction, r: Fraction, tau: Fraction) -> bool:
    """Whether the status line, the chord or a slider is wrong about a split."""
    said, marks = parts_of(text)
    q = (1 - tau) * p + tau * r
    g = dt.COST_FUNCTIONS[cost]
    before, after = g(float(q)), float(1 - tau) * g(float(p)) + float(tau) * g(float(r))
    drop = exact_drop(cost, p, r, tau)
    shares = {"tau": tau, "q": q, "p": p, "r": r}
    right = all(near(marks[name], value, 4) for name, value in shares.items())
    right = right and near(marks["before"], before) and near(marks["after"], after)
    if not right or wrong_drop(marks["drop"], drop):
        return True
    if p == r:
        return said != []
    half = Fraction(1, 2)
    if abs(drop) < 1e-12:
        blind = cost == "error" and (p - half) * (r - half) >= 0
        return said[1:] != ["1", "2"] * blind or not near(said[0], before)
    return wrong_fall(said, before, after)


GRID = [Fraction(k, 20) for k in range(21)]
WEIGHTS = [Fraction(k, 100) for k in (1, 50, 80)]


def misread_chords(page: Page, cost: str) -> list[str]:
    """Sweep p, r and tau; return the status lines that are wrong."""
    choose(page, view="chord", cost=cost)
    splits = list(product(GRID, GRID[::2], WEIGHTS))
    states = [{"p": float(p), "r": float(r), "tau": float(tau)} for p, r, tau in splits]
    said = change(page, states)
    return [
        text for text, split in zip(said, splits, strict=True) if misread_split(text, cost, *split)
    ]


@pytest.mark.parametrize("cost", COST_FUNCTIONS)
def test_every_split_under_every_cost(page: Page, cost: str) -> None:
    assert misread_chords(page, cost) == []


def test_it_starts_at_the_example_of_the_claims(page: Page) -> None:
    assert status_numbers(page) == ["0.320", "0.240"]
    choose(page, cost="error")
    assert status_numbers(page)[0] == "0.200"
    # On both sides of 1/2 the drop is twice the smaller arm of the lever (claim MN-LIN).
    change(page, [{"p": 0.3, "r": 0.9, "tau": 0.75}])
    lever = 2 * min(0.25 * 0.2, 0.75 * 0.4)
    assert f"|drop {fixed(lever, 3)}|" in said_of_split(page)


CHORD = """
() => {
  const chart = document.querySelector(".dtviz-chord-view svg");
  const number = (node, ...names) => names.map((name) => Number(node.getAttribute(name)));
  const line = (mark) => number(chart.querySelector(mark), "x1", "y1", "x2", "y2");
  const rows = [...chart.querySelectorAll(".dtviz-axes line:not(.dtviz-halfway)")];
  const [low, , high] = rows.map((row) => number(row, "x1", "x2", "y1"));
  const curve = chart.querySelector(".dtviz-curve").getAttribute("d").slice(1).split("L");
  return {
    gap: line(".dtviz-gap"), chord: line(".dtviz-chord"), low, high,
    curve: curve.map((corner) => corner.split(" ").map(Number)),
  };
}
"""


@pytest.mark.parametrize("cost", COST_FUNCTIONS)
def test_the_drawing_is_to_scale(page: Page, cost: str) -> None:
    choose(page, cost=cost)
    g = dt.COST_FUNCTIONS[cost]
    for p, r, tau in ((0.6, 1.0, 0.5), (0.1, 0.7, 0.3), (0.9, 0.2, 0.8)):
        change(page, [{"p": p, "r": r, "tau": tau}])
        seen = page.evaluate(CHORD)
        left, right, bottom = seen["low"]
        top = seen["high"][2]  # the height of 1/2

        def share(x: float, left: float = left, right: float = right) -> float:
            return (x - left) / (right - left)

        def value(y: float, bottom: float = bottom, top: float = top) -> float:
            return (bottom - y) / (bottom - top) / 2

        q = (1 - tau) * p + tau * r
        x1, y1, x2, y2 = seen["gap"]
        assert share(x1) == share(x2) == pytest.approx(q, abs=1e-3)
        assert value(y1) == pytest.approx(g(q), abs=1e-3)
        assert value(y2) == pytest.approx((1 - tau) * g(p) + tau * g(r), abs=1e-3)
        x1, y1, x2, y2 = seen["chord"]
        assert [share(x1), share(x2)] == pytest.approx([p, r], abs=1e-3)
        assert [value(y1), value(y2)] == pytest.approx([g(p), g(r)], abs=1e-3)
        for x, y in seen["curve"]:
            # Drawn to a tenth of a pixel, which is much where the root is steep.
            around = [g(min(max(share(x + dx), 0), 1)) for dx in (-0.06, 0.06)]
            assert min(around) - 2e-3 <= value(y) <= max(around) + 2e-3


def drag(page: Page, mark: Locator, dx: float) -> None:
    box = mark.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y, steps=4)
    page.mouse.up()


@pytest.mark.parametrize("dots", [".dtviz-handle-{} > circle", ".dtviz-take-{}"])
def test_every_dot_can_be_dragged(page: Page, dots: str) -> None:
    """Those below the axis, and those on the curve and on the chord."""
    left, right, _ = page.evaluate(CHORD)["low"]
    unit = right - left

    def dot(name: str, k: int = 0) -> Locator:
        return page.locator(dots.format(name)).nth(k)

    drag(page, dot("p"), -0.2 * unit)
    assert "|p 0.40|q 0.70|r 1.00|0.50" in said_of_split(page)
    drag(page, dot("r"), -0.5 * unit)
    assert "|p 0.40|q 0.45|r 0.50|0.50" in said_of_split(page)
    drag(page, dot("r"), 3 * unit)
    assert "|p 0.40|q 0.70|r 1.00|0.50" in said_of_split(page)
    # Of q, on the curve and below it.
    drag(page, dot("q"), -0.12 * unit)
    assert "|p 0.40|q 0.58|r 1.00|0.30" in said_of_split(page)
    drag(page, dot("q", -1), 3 * unit)
    assert "|p 0.40|q 0.994|r 1.00|0.99" in said_of_split(page)


def misread_trees(page: Page, name: str, cost: str) -> list[str]:
    """Sweep the leaves; return the status lines that are wrong."""
    choose(page, view="plane", data=name, cost=cost)
    path = PATHS[name, cost]
    found = []
    for k, text in enumerate(page.evaluate(MOVE, ["leaves", list(range(1, LONGEST[name] + 1))])):
        step = min(k, path.n_splits)
        size, error, *outlook = numbers(text)
        sound = size == str(step + 1) and near(error, path.errors[step])
        falls = step < path.n_splits and abs(path.costs[step] - path.costs[step + 1]) > 1e-12
        wrong = wrong_fall(outlook, *path.costs[step : step + 2]) if falls else outlook != []
        if not sound or wrong:
            found.append(f"step {step}: {text}")
    return found


@pytest.mark.parametrize("name", DATA)
def test_every_tree_of_every_data_set_and_cost(page: Page, name: str) -> None:
    for cost in COST_FUNCTIONS:
        assert misread_trees(page, name, cost) == []


def test_the_data_show_what_they_are_for() -> None:
    # The corner: the error cost sees no first split; the others need two.
    blind = PATHS["corner", "error"]
    assert blind.scores[0] == 0
    assert blind.n_splits > 2
    assert {PATHS["corner", cost].n_splits for cost in COST_FUNCTIONS[1:]} == {2}
    # XOR: no first split takes more than an eighth of the impurity, whatever the cost.
    for cost in COST_FUNCTIONS:
        path = PATHS["xor", cost]
        assert path.scores[0] < path.costs[0] / 8
        assert path.errors[path.n_splits] == 0
    # The costs part ways on every data set but iris's first splits.
    for name in DATA:
        trees = {tuple(PATHS[name, cost].split_threshold[:8]) for cost in COST_FUNCTIONS}
        assert len(trees) > 1


REGIONS = """
() => {
  const map = document.querySelector(".dtviz-plane svg");
  const sides = ["x", "y", "width", "height"];
  const box = (node) => sides.map((name) => Number(node.getAttribute(name)));
  const dots = (d) =>
    [...d.matchAll(/M([\\d.]+) ([\\d.]+)/g)].map(([, ...place]) => place.map(Number));
  const all = [...map.querySelectorAll(".dtviz-region")];
  const active = map.querySelector(".dtviz-active-region");
  return {
    frame: box(all[0]),
    regions: all.filter((node) => node.getAttribute("visibility") !== "hidden").map((node) => ({
      node: Number(node.dataset.node), box: box(node),
      label: Number(/dtviz-label(\\d)/.exec(node.getAttribute("class"))[1]),
    })),
    active: active.getAttribute("visibility") === "hidden" ? null : box(active),
    points: [...map.querySelectorAll(".dtviz-points")].map((path) => dots(path.getAttribute("d"))),
  };
}
"""


def pixels(plane: Plane, frame: list[float], X: np.ndarray) -> np.ndarray:
    """Where points belong on a map, from the frame and the room of 4 % around the data."""
    X, known = X.copy(), plane.X.copy()
    for k in np.flatnonzero(plane.logarithmic):
        X[:, k], known[:, k] = np.log1p(X[:, k]), np.log1p(known[:, k])
    low, high = known.min(axis=0), known.max(axis=0)
    room = 0.04 * (high - low)
    x, y, width, height = frame
    u = (X - (low - room)) / (high - low + 2 * room)
    return np.column_stack([x + width * u[:, 0], y + height * (1 - u[:, 1])])


def test_another_cost_leaves_the_points_and_makes_no_region_that_is_not_seen(page: Page) -> None:
    choose(page, view="plane", data="breast cancer", cost="gini", leaves=4)
    parts = ".dtviz-plane .dtviz-axes, .dtviz-plane .dtviz-points"
    page.evaluate(f"document.querySelectorAll('{parts}').forEach((part) => {{ part.old = true; }})")
    choose(page, cost="entropy")
    kept = f"[...document.querySelectorAll('{parts}')].map(({{ old }}) => old === true)"
    assert page.evaluate(kept) == [True] * 3
    # Of 63, those of the leaves and the whole plane.
    assert page.locator(".dtviz-region").count() <= 5


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("breast cancer", "gini"),
        ("titanic", "gini"),
        ("iris", "sqrt"),
        ("rings", "error"),
        ("xor", "entropy"),
    ],
)
def test_regions_are_those_of_the_tree(page: Page, name: str, cost: str) -> None:
    plane, path = DATA[name], PATHS[name, cost]
    choose(page, view="plane", data=name, cost=cost)
    rng = np.random.default_rng(0)
    low, high = plane.X.min(axis=0), plane.X.max(axis=0)
    X = np.vstack([plane.X, rng.uniform(low, high, (300, 2))])
    for leaves in sorted({1, 2, 5, path.n_splits, path.n_splits + 1}):
        choose(page, leaves=leaves)
        seen = page.evaluate(REGIONS)
        assert len(seen["regions"]) == leaves
        assert sum(w * h for *_, w, h in (r["box"] for r in seen["regions"])) == pytest.approx(
            seen["frame"][2] * seen["frame"][3], rel=0.01
        )
        labels = path.tree(leaves).predict(X)
        at = pixels(plane, seen["frame"], X)
        hits = np.zeros(len(X), int)
        for region in seen["regions"]:
            x, y, width, height = region["box"]
            # Off the borders, which are drawn to a tenth of a pixel.
            within = (
                np.abs(at - (x + width / 2, y + height / 2)) < (width / 2 - 0.2, height / 2 - 0.2)
            ).all(axis=1)
            assert (labels[within] == region["label"]).all()
            hits += within
        assert hits.max() <= 1
        assert hits.mean() > 0.93
    # The points stand where they belong, every class with a shape of its own.
    seen = page.evaluate(REGIONS)
    for k, drawn in enumerate(seen["points"]):
        expected = pixels(plane, seen["frame"], plane.X[plane.y == k])
        assert len(drawn) == len(expected)
        assert np.abs(np.array(drawn)[:, 0] - expected[:, 0]).max() < 4
    heads = page.locator(".dtviz-plane .dtviz-points").evaluate_all(
        "all => all.map(e => /^M[\\d. ]+m[-\\d. ]+([a-z])/.exec(e.getAttribute('d'))[1])"
    )
    assert heads == ["a", "l", "h"][: len(plane.classes)]


def leaf_nodes(path: dt.influence.GrowthPath, step: int) -> list[int]:
    split = set(path.split_node[:step].tolist())
    return [node for node in range(2 * step + 1) if node not in split]


def node_facts(plane: Plane, path: Any, cost: str, node: int) -> tuple[list[int], float, float]:
    """Counts, impurity and best gain of a node, from the points that reach it."""
    inside = np.ones(len(plane.y), bool)
    at = node
    while at:
        j, low = (at - 1) // 2, at % 2 == 1
        column = plane.X[:, path.split_variable[j]] <= path.split_threshold[j]
        inside &= column if low else ~column
        at = int(path.split_node[j])
    counts = np.bincount(plane.y[inside], minlength=len(plane.classes))
    split = dt.impurity.best_split(plane.X[inside], plane.y[inside], cost)
    gain = 0.0 if split is None or counts.max() == counts.sum() else split.score * inside.mean()
    from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS

    return counts.tolist(), float(CLASS_COST_FUNCTIONS[cost](counts / counts.sum())), gain


def facts_right(
    plane: Plane, answer: dict[str, str], facts: tuple[list[int], float, float], cost: str
) -> bool:
    counts, impurity, gain = facts
    marks = dict(zip(plane.classes, "●▲■", strict=False))
    said = [int(answer[f"{marks[name]} {name}"]) for name in plane.classes]
    return (
        said == counts
        and near(answer[cost], impurity)
        and not wrong_drop(answer["gain of its split"], gain)
    )


def on_plane(page: Page, x: float, y: float) -> tuple[float, float]:
    """Scroll to the plane, and return where a place of its drawing is in the window."""
    plane = page.locator(".dtviz-plane svg")
    plane.scroll_into_view_if_needed()
    frame = plane.bounding_box()
    assert frame is not None
    return frame["x"] + x, frame["y"] + y


@pytest.mark.parametrize(
    ("name", "cost"), [("iris", "entropy"), ("breast cancer", "gini"), ("corner", "error")]
)
def test_pointing_at_a_region_points_at_its_leaf(page: Page, name: str, cost: str) -> None:
    plane, path = DATA[name], PATHS[name, cost]
    choose(page, view="plane", data=name, cost=cost, leaves=6)
    regions = page.evaluate(REGIONS)["regions"]
    assert sorted(region["node"] for region in regions) == leaf_nodes(path, 5)
    for region in regions:
        x, y, width, height = region["box"]
        if min(width, height) < 2:
            continue
        page.mouse.move(*on_plane(page, x + width / 2, y + height / 2))
        result = tip_facts(page)
        assert facts_right(plane, result, node_facts(plane, path, cost, region["node"]), cost)
        assert page.evaluate(REGIONS)["active"] == region["box"]
        leaf = page.locator(".dtviz-active")
        assert leaf.count() == 1
        label = str(leaf.get_attribute("aria-label"))
        if not label.startswith("Folded subtree"):
            assert f"Leaf, {result['title']}: " in label
            trail = page.locator("[data-trail=true]").count()
            assert trail == path.node_depth[region["node"]]
        page.mouse.down()
        page.mouse.up()
        page.mouse.move(2, 2)
        assert tip_facts(page) == result, "a click holds it"
        assert page.locator(".dtviz-candidates, .dtviz-strip").first.is_visible()
        assert page.evaluate(REGIONS)["active"] == region["box"]
        assert leaf.count() == 1
    choose(page, leaves=1)
    assert page.locator(".dtviz-active").count() == 0, "the leaf that was held is gone"
    choose(page, leaves=6)
    page.mouse.click(*on_plane(page, x + width / 2, y + height / 2))
    page.mouse.click(*on_plane(page, 2, 2))
    assert page.locator(".dtviz-active").count() == 0
    assert page.evaluate(REGIONS)["active"] is None
    assert page.locator(".dtviz-tip:not([hidden])").count() == 0


@pytest.mark.parametrize(("name", "cost"), [("wine", "gini"), ("diagonal", "sqrt")])
def test_walking_the_tree_points_at_its_regions(page: Page, name: str, cost: str) -> None:
    plane, path = DATA[name], PATHS[name, cost]
    choose(page, view="plane", data=name, cost=cost, leaves=7)
    page.evaluate("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
    boxes = {tuple(region["box"]): region["node"] for region in page.evaluate(REGIONS)["regions"]}
    nodes = []
    for _ in range(7):
        node = boxes[tuple(page.evaluate(REGIONS)["active"])]
        nodes.append(node)
        assert facts_right(plane, tip_facts(page), node_facts(plane, path, cost, node), cost)
        page.keyboard.press("ArrowRight")
    assert sorted(nodes) == leaf_nodes(path, 6)
    for _ in range(path.node_depth[nodes[-1]]):
        page.keyboard.press("ArrowUp")
    result = tip_facts(page)
    variable, _, bound = result["splits on"].partition(" ≤ ")
    assert plane.features.index(variable) == path.split_variable[0]
    assert float(bound) == pytest.approx(path.split_threshold[0], rel=1e-3)
    assert page.evaluate(REGIONS)["active"] == page.evaluate(REGIONS)["frame"]
    page.keyboard.press("Escape")
    assert page.evaluate(REGIONS)["active"] is None


PAIRS = """
() => [...document.querySelectorAll(".dtviz-tip:not([hidden]) dt")].map((term) => {
  const [one, other] = [term, term.nextElementSibling].map((e) => e.getBoundingClientRect());
  const between = [...term.parentElement.children].filter((e) => {
    const { left, right, top } = e.getBoundingClientRect();
    return Math.abs(top - one.top) < 3 && left >= one.right && right <= other.left;
  });
  const beside = Math.abs(one.top - other.top) < 3 && one.right <= other.left;
  return [term.textContent, beside, between.length];
})
"""


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_said_of_a_region_stands_beside_its_name(
    tab: Open, impurity_page: str, width: int
) -> None:
    page = tab(impurity_page, width=width, reduced_motion=True).page
    choose(page, view="plane", data="iris", cost="gini", leaves=4)
    box = page.locator(".dtviz-plane .dtviz-canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 80, box["y"] + 100)
    pairs = page.evaluate(PAIRS)
    assert [name for name, *_ in pairs][:4] == ["● setosa", "▲ versicolor", "■ virginica", "gini"]
    assert [rest for _, *rest in pairs] == [[True, 0]] * len(pairs)


def test_the_test_that_would_win_at_a_leaf_is_marked(page: Page) -> None:
    """And can be read whole, also where it is a button."""
    choose(page, view="plane", data="iris", cost="gini", leaves=4)
    page.locator("[data-state=leaf]").last.click()
    marks = page.locator(".dtviz-candidate .dtviz-won").all_text_contents()
    assert marks == ["✓", "2nd"]
    asks = page.locator(".dtviz-asks button")
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"
    assert asks.evaluate_all(cut) == []
    asks.last.click()
    assert status_numbers(page)[0] == "5"


def test_what_is_said_of_a_node_goes_with_the_tree(page: Page) -> None:
    choose(page, view="plane", data="iris", leaves=4)
    page.locator("[data-state=leaf]").last.click()
    assert page.locator(".dtviz-candidates").is_visible()
    choose(page, view="chord")
    assert page.locator(".dtviz-dock").is_hidden()
    choose(page, view="plane")
    assert page.locator(".dtviz-candidates").is_visible()


def test_a_strip_of_many_points_keeps_their_shares(page: Page) -> None:
    choose(page, view="plane", data="breast cancer", cost="gini", leaves=1)
    page.locator("[data-state=leaf]").first.click()
    strip = page.locator(".dtviz-strip")
    assert numbers(strip.inner_text()) == ["569", "64"]
    squares = strip.locator("path").evaluate_all("all => all.map((e) => e.getAttribute('d'))")
    often = np.bincount(DATA["breast cancer"].y)
    assert [d.count("M") for d in squares] == np.round(64 * often / often.sum()).tolist()
    # Of three classes as many each, if they are.
    choose(page, data="iris", leaves=1)
    page.locator("[data-state=leaf]").first.click()
    squares = strip.locator("path").evaluate_all("all => all.map((e) => e.getAttribute('d'))")
    assert sorted(d.count("M") for d in squares) == [21, 21, 22]


def test_the_tree_writes_its_tests(page: Page) -> None:
    for name, plane in DATA.items():
        choose(page, view="plane", data=name, cost="gini", leaves=6)
        path = PATHS[name, "gini"]
        step = min(5, path.n_splits)
        texts = page.locator("[data-state=inner] .dtviz-name").all_text_contents()
        assert len(texts) == step
        cuts = zip(path.split_variable[:step], path.split_threshold[:step], strict=True)
        known = [name if len(name) <= 12 else f"{name[:11]}…" for name in plane.features]
        left = [(known[variable], float(threshold)) for variable, threshold in cuts]
        for feature, _, bound in (text.partition(" ≤ ") for text in texts):
            column = plane.X[:, known.index(feature)]
            # In the digits that matter: it parts the points as the threshold does.
            same = [
                cut
                for cut in left
                if cut[0] == feature
                and cut[1] == pytest.approx(float(bound), rel=1e-3)
                and ((column <= cut[1]) == (column <= float(bound))).all()
            ]
            assert same, (name, feature, bound)
            left.remove(same[0])


PAINTED = """
() => {
  const canvas = document.querySelector(".dtviz-falling");
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const frame = document.querySelector(".dtviz-tree svg").getBoundingClientRect();
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const seen = [...document.querySelectorAll(".dtviz-tree [data-state]:not([data-state=absent])")];
  const isSmall = document.querySelector(".dtviz-tree .dtviz-small");
  const ends = seen.filter(({ dataset }) => dataset.state !== "inner").map((node) => {
    const [px, py] = node.style.transform.match(/[-\\d.]+/g).map(Number);
    return [px, py + (isSmall ? 6 : 29)];
  });
  const found = ends.map(() => 0);
  let outside = 0;
  for (let at = 3; at < data.length; at += 4) {
    if (!data[at]) continue;
    const pixel = (at - 3) / 4;
    const [x, y] = [pixel % canvas.width, Math.floor(pixel / canvas.width)];
    // A point belongs to the nearest leaf above it.
    const off = ends.map(([px, py]) => (y >= py - 1 && y <= py + 32 ? Math.abs(x - px) : 57));
    const k = off.indexOf(Math.min(...off));
    if (off[k] > 56) outside += 1;
    else found[k] += 1;
  }
  const starts = left === frame.left && top === frame.top;
  const fits = starts && width <= frame.width && height <= frame.height;
  return [found, outside, fits, document.querySelector(".dtviz-tree .dtviz-title + *").textContent];
}
"""


@pytest.mark.parametrize("width", [390, 1440])
def test_points_lie_below_their_leaves_and_are_counted(
    tab: Open, tmp_path: Path, width: int
) -> None:
    explorer = ImpurityExplorer(view="plane", data="titanic")
    page = tab(write_page(tmp_path, explorer), width=width, reduced_motion=True).page
    plane, path = DATA["titanic"], PATHS["titanic", "gini"]
    for leaves in (1, 2, 4, 3, 20, MAX_LEAVES):
        choose(page, leaves=leaves)
        settle(page)
        heaps, outside, fits, text = page.evaluate(PAINTED)
        assert min(heaps) > 0 == outside, "each end has its points, and nothing lies beside"
        assert fits, "below it is the slider of the leaves"
        assert leaves > 4 or len(heaps) == leaves
        right = int((path.tree(leaves).predict(plane.X) == plane.y).sum())
        assert text == f"right: {right} of 450"


def leaf_counts(page: Page) -> tuple[int, ...]:
    """The points of each class at the leaf that the tip describes."""
    return tuple(int(value) for name, value in tip_facts(page).items() if name[0] in "●▲■")


def test_each_of_32_leaves_is_named(page: Page) -> None:
    """By a pointer, and by the keyboard from left to right, with its points; and the last split."""
    plane, path = DATA["titanic"], PATHS["titanic", "gini"]
    choose(page, view="plane", data="titanic", cost="gini", leaves=MAX_LEAVES)
    assert page.locator("[data-state=folded]").count() == 0
    at = path.tree(MAX_LEAVES).apply(plane.X)
    pairs = [np.bincount(plane.y[at == leaf], minlength=2).tolist() for leaf in np.unique(at)]
    pointed = {}
    for leaf in page.locator("[data-state=leaf]").all():
        leaf.hover()
        pointed[tip_facts(page)["title"]] = leaf_counts(page)
    assert sorted(map(list, pointed.values())) == sorted(pairs)
    assert len(pointed) == MAX_LEAVES
    page.locator("[data-state=leaf]").last.focus()
    walked = []
    for key in ["Home"] + ["ArrowRight"] * (MAX_LEAVES - 1):
        page.keyboard.press(key)
        walked.append(tip_facts(page)["title"])
    assert sorted(walked) == sorted(pointed)
    assert page.locator(".dtviz-inner.dtviz-last").count() == 1


def test_a_node_keeps_the_focus_where_the_form_of_the_tree_changes(page: Page) -> None:
    """From ten leaves in boxes to eleven as marks, and back."""
    choose(page, view="plane", data="titanic", cost="gini", leaves=10)
    names, small = page.locator(".dtviz-tree .dtviz-note"), page.locator("svg.dtviz-small")
    assert (names.filter(has_text="%").count(), small.count()) == (10, 0)
    page.locator("[data-state=inner]").nth(2).focus()
    title = tip_facts(page)["title"]
    for leaves, marks in ((11, 1), (17, 1), (10, 0)):
        choose(page, leaves=leaves)
        assert small.count() == marks
        assert page.locator("[data-state=inner]:focus").count() == 1
        assert tip_facts(page)["title"] == title


def test_on_a_phone_the_tree_scrolls_in_its_figure(tab: Open, tmp_path: Path) -> None:
    """And the page does not; a node that takes the focus is in sight, and so is the last split."""
    explorer = ImpurityExplorer(view="plane", data="titanic", leaves=8)
    page = tab(write_page(tmp_path, explorer), width=390, touch=True, reduced_motion=True).page
    stage = page.locator(".dtviz-tree .dtviz-stage")
    assert stage.evaluate("e => e.scrollWidth - e.clientWidth") > 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    frame = stage.bounding_box()
    page.locator("[data-state=leaf]").first.focus()
    for key in ("End", "Home", "End"):
        page.keyboard.press(key)
        box = page.locator("[role=treeitem]:focus rect").bounding_box()
        assert box is not None
        assert frame is not None
        assert frame["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
    for leaves in range(2, 11):
        choose(page, leaves=leaves)
        box = page.locator(".dtviz-last rect").bounding_box()
        assert box is not None
        assert frame["x"] <= box["x"] + box["width"] / 2 <= frame["x"] + frame["width"]
    assert page.evaluate("document.documentElement.scrollLeft") == 0


def test_the_next_and_the_last_cut_are_marked(page: Page) -> None:
    name, cost = "wine", "entropy"
    plane, path = DATA[name], PATHS[name, cost]
    choose(page, view="plane", data=name, cost=cost)
    cut = """(mark) => {
      const line = document.querySelector(`.dtviz-plane ${mark}`);
      if (line.getAttribute("visibility") === "hidden") return null;
      return ["x1", "y1", "x2", "y2"].map((name) => Number(line.getAttribute(name)));
    }"""
    for step in range(path.n_splits + 1):
        choose(page, leaves=step + 1)
        frame = page.evaluate(REGIONS)["frame"]
        for mark, j in ((".dtviz-last-cut", step - 1), (".dtviz-next-cut", step)):
            drawn = page.evaluate(cut, mark)
            if not 0 <= j < path.n_splits:
                assert drawn is None
                continue
            variable, threshold = int(path.split_variable[j]), float(path.split_threshold[j])
            x, y = pixels(plane, frame, np.array([[threshold, threshold]]))[0]
            assert (
                drawn[variable] == drawn[variable + 2] == pytest.approx((x, y)[variable], abs=0.1)
            )
        assert page.locator(".dtviz-next").count() == (step < path.n_splits)


def test_the_last_split_goes_over_to_the_chord(page: Page) -> None:
    path = PATHS["breast cancer", "entropy"]
    for step in (1, 2, 7):
        choose(page, view="plane", cost="entropy", leaves=step + 1)
        page.get_by_label("Show the last split as a chord").click()
        low, high = path.class_counts[2 * step - 1], path.class_counts[2 * step]
        _, marks = parts_of(said_of_split(page))
        p, r, tau = low[1] / low.sum(), high[1] / high.sum(), high.sum() / (low + high).sum()
        assert near(marks["p"], p, 4)
        assert near(marks["r"], r, 4)
        assert near(marks["tau"], tau, 4)
        # What the tree gains is what this node gains, times its weight.
        weight = (low + high).sum() / path.node_examples[0]
        gain = float(path.costs[step - 1] - path.costs[step])
        drop = ImpurityExplorer(cost="entropy", p=p, r=r, tau=tau).drop
        assert drop * weight == pytest.approx(gain, abs=1e-12)
        assert not wrong_drop(marks["drop"], drop)
    choose(page, view="plane", leaves=1)
    assert page.get_by_label("Show the last split as a chord").is_disabled()
    choose(page, data="iris", leaves=3)
    assert page.get_by_label("Show the last split as a chord").is_hidden()


def test_the_curves_can_be_dragged(page: Page) -> None:
    choose(page, view="plane", data="wine", cost="gini")
    page.locator(".dtviz-cover").scroll_into_view_if_needed()
    box = page.locator(".dtviz-cover").bounding_box()
    assert box is not None
    for x, leaves in ((-9, 1), (box["width"] * 5 / PATHS["wine", "gini"].n_splits, 6)):
        page.mouse.move(box["x"] + max(x, 1), box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + x, box["y"] + 30, steps=3)
        page.mouse.up()
        assert status_numbers(page)[0] == str(leaves)


def test_the_most_points_of_a_reader_are_small() -> None:
    rng = np.random.default_rng(0)
    full = ImpurityExplorer(rng.random((MAX_POINTS, 2)), rng.integers(0, 3, MAX_POINTS))
    assert len(gzip.compress(full.to_html().encode())) < 100_000


@pytest.mark.parametrize("view", VIEWS)
def test_the_caption_and_the_picture_of_each_view(view: str) -> None:
    explorer = ImpurityExplorer(view=view, data="iris", leaves=5, cost="entropy")
    alt = explorer.caption()
    path = PATHS["iris", "entropy"]
    impurity, error = (f"{totals[4]:.3f}" for totals in (path.costs, path.errors))
    expected = ["0.361", "0.243", "0.118"] if view == "chord" else ["5", impurity, error]
    assert numbers(alt)[-3:] == expected
    ax = explorer.picture().axes[0]
    if view == "chord":
        assert np.ptp(ax.lines[-1].get_ydata()) == pytest.approx(explorer.drop)
    else:
        classes = [text.get_text() for text in ax.get_legend().get_texts()]
        assert classes == ["0: setosa", "1: versicolor", "2: virginica"]


def test_readers_own_points(tab: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"width <b>": rng.normal(size=60) * 1e5, "height": rng.random(60) / 1000})
    y = np.where(frame["height"] > 0.0004, "tall", "low")
    explorer = ImpurityExplorer(frame, y, view="plane", leaves=5)
    page = tab(write_page(tmp_path, explorer)).page
    assert status_numbers(page) == ["2", "0"]
    axes = page.locator(".dtviz-plane .dtviz-axes text").all_text_contents()
    assert axes[-2:] == ["width <b>", "height"]
    assert page.locator(".dtviz-legend").inner_text().split() == [
        "●",
        "low",
        f"({(y == 'low').sum()})",
        "▲",
        "tall",
        f"({(y == 'tall').sum()})",
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200
    np.testing.assert_array_equal(explorer.path().tree(2).predict(frame.to_numpy()), y == "tall")
    named = ImpurityExplorer([[0, 0], [0, 1], [1, 1]], [5, 5, 9], ["a", "b"], ["five", "nine"])
    assert named.planes["data"].classes == ("five", "nine")
    assert named.planes["data"].features == ("a", "b")
    assert (named.view, ImpurityExplorer().view) == ("plane", "chord")
    assert ImpurityExplorer([[0, 0], [0, 1]], [5, 9], view="chord").view == "chord"


def test_one_place_for_all_points(tab: Open, tmp_path: Path) -> None:
    """Points that no test can part: one leaf, and nothing to slide."""
    explorer = ImpurityExplorer([[2, 3]] * 4, [0, 1, 1, 1], view="plane")
    seen = tab(write_page(tmp_path, explorer))
    assert status_numbers(seen.page) == ["1", "0.250"]
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 1200
    assert seen.complaints == []


SQUARE = [[0, 0], [0, 1], [1, 0], [1, 1]]
XOR = [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"X": SQUARE}, "y must be given with a table: .* column that holds them, got None"),
        ({"y": [0, 1]}, r"X must be a table, an \(m, d\) array of numbers, got None"),
        ({"X": [[1]] * 4, "y": XOR}, r"from 2 to 40 columns, .* X\[:, \[0, 1\]\], got 1"),
        ({"X": [list(range(41))] * 4, "y": XOR}, "X must have from 2 to 40 columns, .* got 41"),
        ({"X": [1, 2, 3], "y": [0, 1, 0]}, r"X must be a table, .*, got shape \(3,\)"),
        ({"X": [[1, 2], [3]], "y": [0, 1]}, "X must be a table"),
        ({"X": [[0, 1], [np.inf, 1]], "y": [0, 1]}, "X must not have infinite .* row 1, column 0"),
        ({"X": [[0, 1]], "y": [0]}, "X must have from 2 to 1500 points, got 1"),
        ({"X": np.zeros((1501, 2)), "y": np.zeros(1501)}, "from 2 to 1500 points, got 1501"),
        (
            {"X": SQUARE, "y": "late"},
            "y must be labels, or X a data frame with a column 'late'",
        ),
        ({"X": SQUARE, "y": [0, 1, 0]}, "y must have one label for each of the 4 rows of X, got 3"),
        ({"X": SQUARE, "y": [1, 0, np.nan, 1]}, "y must not have missing .* nan at index 2"),
        ({"X": SQUARE, "y": [1, 1, 1, 1]}, "y must have from 2 to 3 classes, got 1"),
        ({"X": SQUARE, "y": [1, 2, 3, 4]}, "y must have from 2 to 3 classes, got 4"),
        ({"X": SQUARE, "y": XOR, "feature_names": "ab"}, "feature_names must be 2 strings"),
        ({"X": SQUARE, "y": XOR, "feature_names": ["a"]}, "feature_names must be 2 strings"),
        ({"X": SQUARE, "y": XOR, "class_names": ["a", "a"]}, "class_names must be 2 different"),
        ({"X": SQUARE, "y": XOR, "class_names": 3}, "class_names must be 2 different names, got 3"),
        # A mapping has another order than the labels, a set none.
        (
            {"X": SQUARE, "y": XOR, "class_names": {1: "b", 0: "a"}},
            "class_names must be 2 different",
        ),
        ({"X": SQUARE, "y": XOR, "class_names": {"a", "b"}}, "class_names must be 2 different"),
    ],
)
def test_bad_points_are_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        ImpurityExplorer(**given)


def test_the_callers_points_stay_the_callers() -> None:
    X, y = np.array(SQUARE, float), np.array([0, 1, 1, 0])
    explorer = ImpurityExplorer(X, y)
    X[0], y[0] = 7, 1
    assert explorer.planes["data"].X[0].tolist() == [0, 0]
    assert explorer.planes["data"].y.tolist() == [0, 1, 1, 0]
    with pytest.raises(ValueError, match="read-only"):
        explorer.planes["data"].X[0] = 1


@pytest.mark.parametrize("name", ["breast cancer", "iris", "wine", "tumor size"])
def test_stored_data_is_that_of_scikit_learn(name: str) -> None:
    plane = DATA[name]
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
    assert done.stdout.split() == [str(len(DATA)), "False"]


def test_the_chord_on_the_python_side() -> None:
    explorer = ImpurityExplorer(p=0.3, r=0.9, tau=0.75, cost="error")
    assert explorer.q == pytest.approx(0.75)
    assert explorer.drop == pytest.approx(2 * min(0.25 * 0.2, 0.75 * 0.4))
    explorer.cost = "gini"
    assert explorer.drop == pytest.approx(
        float(exact_drop("gini", *map(Fraction, ("3/10", "9/10", "3/4"))))
    )
    explorer.p = explorer.r
    assert explorer.drop == pytest.approx(0, abs=1e-15)


def test_each_view_is_reported_by_its_own_traits() -> None:
    plane = ImpurityExplorer(view="plane", data="xor")
    assert repr(plane) == "ImpurityExplorer(view='plane', cost='gini', data='xor', leaves=4)"


def test_a_split_of_ones_own_reads_as_a_grown_one() -> None:
    """Also at a half, which for a bit would be its two values."""
    points = {"X": [[-1.0, 0], [2.0, 0], [-3.0, 1], [4.0, 1]], "y": [0, 1, 0, 1]}
    own = ImpurityExplorer(**points, splits=[[0, 0, 0.5]]).tree()
    assert str(own) == str(ImpurityExplorer(**points, leaves=2).tree())
    assert str(own).startswith("x0 <= 0.5")
    assert str(ImpurityExplorer(**points, splits=[[0, 1, 0.5]]).tree()).startswith("x1\n├─ 0: ")
