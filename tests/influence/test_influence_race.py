"""Chapter 1's explorer: why a split, greedy beside best, and the reader's own splits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import (
    DRAWN,
    FUNCTIONS,
    LARGEST,
    MOVE,
    Open,
    faulty,
    fixed,
    inside,
    restricted,
    status,
    status_text,
    tip_facts,
    undisturbed,
    write_page,
)

import dtviz as dt
from dtviz.influence.explorer import InfluenceExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def zoo_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with the default explorer."""
    return write_page(tmp_path_factory.mktemp("race"), InfluenceExplorer())


@pytest.fixture
def zoo(tab: Open, zoo_page: str) -> Iterator[Page]:
    """The default explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(zoo_page, reduced_motion=True))


RACE = """
() => {
  const tip = document.querySelector(".dtviz-tip:not([hidden])");
  if (!tip) return null;
  const rows = [...tip.querySelectorAll(".dtviz-candidate")].map((row) => ({
    cells: [...row.querySelectorAll("[role=cell]")].slice(0, 2).map((cell) => cell.textContent),
    chosen: row.classList.contains("dtviz-winner"),
    second: row.textContent.includes("2nd"),
  }));
  return {
    title: tip.querySelector("strong").textContent,
    note: tip.querySelector(".dtviz-dock-reasons p").textContent,
    strip: tip.querySelector(".dtviz-strip").textContent,
    rows,
  };
}
"""

POINT = """
(spot) => {
  const node = document.querySelector(`[data-spot="${spot}"]`);
  node.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
}
"""


def names(listed: list[str]) -> str:
    return ", ".join(listed[:-1]) + " and " * (len(listed) > 1) + listed[-1]


def contest(f: dt.BooleanFunction, answers: str) -> dict[str, Any]:
    """What the dock must say of a node of the greedy tree, by the influences of f there."""
    part, left = restricted(f, answers)
    share = 2.0 ** -answers.count("=")
    scores = {i: share * float(s) for i, s in zip(left, dt.influences(part), strict=True)}
    ones = round(float(dt.measures.mean(part)) * (1 << part.n))
    points = f"{1 << part.n:,} point{'s' * (part.n > 0)}, f is 1 at {ones}"
    if 1 << part.n > 64:
        points += ", the first 64 of them drawn"
    if max(scores.values(), default=0) == 0:
        note = "f is constant here: no variable matters."
        return {"title": answers or "no variable fixed", "rows": [], "note": note, "strip": points}
    order = sorted(scores, key=lambda i: (-scores[i], i))
    best = scores[order[0]]
    top = [f"x{i}" for i in order if scores[i] == best]
    below = [s for s in scores.values() if s < best]
    if len(top) > 1:
        all_ = len(top) == len(order) and len(top) > 3
        tied = f"All {len(top)}" if all_ else names(top)
        note = f"{tied} tie at {fixed(best, 4)}: the lowest variable wins."
    elif not below:
        note = f"{top[0]} is all there is to ask."
    elif max(below) == 0:
        note = f"{top[0]} alone scores."
    else:
        runners = [f"x{i}" for i in sorted(scores) if scores[i] == max(below)]
        note = (
            f"{top[0]} wins with {fixed(best, 4)}, {fixed(best - max(below), 4)} "
            f"ahead of {names(runners)}."
        )
    rows = [
        {"cells": [f"x{i}", fixed(scores[i], 4)], "chosen": k == 0, "second": k == 1}
        for k, i in enumerate(order)
    ]
    return {"title": answers or "no variable fixed", "rows": rows, "note": note, "strip": points}


def misled(page: Page, name: str) -> list[str]:
    """Point at every node that is drawn; return where the dock is wrong."""
    found = []
    for node in page.evaluate(DRAWN)["nodes"]:
        if node["state"] == "folded":
            continue
        page.evaluate(POINT, node["spot"])
        result = page.evaluate(RACE)
        answers = "" if result["title"] == "no variable fixed" else result["title"]
        truth = contest(FUNCTIONS[name], answers)
        if result != truth:
            found.append(f"{result}, not {truth}")
    return found


# --- why this split -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["random(6, 0)", "caterpillar(3)", "majority(5)", "tribes(3, 3)"])
def test_the_dock_tells_what_a_split_won_against(zoo: Page, name: str) -> None:
    zoo.get_by_label("Function").select_option(name)
    zoo.evaluate(MOVE, ["epsilon", [0.05]])
    assert misled(zoo, name) == []


def test_a_wrong_winner_is_found(tab: Open, tmp_path: Path) -> None:
    """PLANTED FAULT: among equals the highest variable stands first."""
    sound = "scores[b] - scores[a] || a - b"
    scripts = faulty(sound, "scores[b] - scores[a] || b - a")
    explorer = InfluenceExplorer(function="majority(5)")
    page = tab(write_page(tmp_path, explorer, scripts=scripts)).page
    assert misled(page, "majority(5)")


@pytest.mark.parametrize("width", [1200, 720, 360])
def test_the_dock_covers_nothing_and_moves_nothing(tab: Open, zoo_page: str, width: int) -> None:
    page = tab(zoo_page, width=width, reduced_motion=True).page
    page.get_by_label("Function").select_option("caterpillar(3)")
    dock = page.locator(".dtviz-dock")
    tree = page.locator(".dtviz-stage svg").first
    line = page.get_by_role("status")
    before = (tree.bounding_box(), line.bounding_box())
    assert before[1] is not None
    assert not dock.is_visible()
    for leaf in page.locator("[data-state=leaf]:visible").all()[:4]:
        leaf.hover()
        assert tip_facts(page)["label"]
        box = dock.bounding_box()
        assert box is not None
        assert box["y"] >= before[1]["y"] + before[1]["height"]
        assert (tree.bounding_box(), line.bounding_box()) == before
    page.locator("h1").hover()
    assert not dock.is_visible()


def test_a_click_holds_what_is_reported(zoo: Page) -> None:
    leaves = zoo.locator("[data-state=leaf]")
    leaves.nth(2).click()
    held = tip_facts(zoo)["title"]
    zoo.locator("h1").hover()
    assert tip_facts(zoo)["title"] == held
    leaves.nth(4).hover()
    assert tip_facts(zoo)["title"] != held
    zoo.locator("h1").hover()
    assert tip_facts(zoo)["title"] == held
    zoo.keyboard.press("Escape")
    assert zoo.locator(".dtviz-tip:visible").count() == 0


def test_a_fold_opens_while_it_is_reported(zoo: Page) -> None:
    """What was said is forgotten before it goes: a browser says at once that the focus is lost."""
    zoo.get_by_label("Function").select_option(LARGEST)
    zoo.evaluate(MOVE, ["epsilon", [0]])
    for _ in range(2):
        zoo.locator("[data-state=folded]").first.click()
    assert zoo.locator(".dtviz-out").first.is_visible()
    assert zoo.locator("[role=treeitem]:focus").count() == 1


# --- greedy beside best ---------------------------------------------------------------------------


def score_of(f: dt.BooleanFunction, variable: int) -> str:
    return fixed(float(dt.influences(f)[variable]), 4)


@pytest.mark.parametrize("width", [1200, 720, 360])
def test_greedy_beside_best(tab: Open, tmp_path: Path, width: int) -> None:
    name, greedy, best = "caterpillar(3)", 44, 14
    explorer = InfluenceExplorer(function=name, epsilon=0.0, beside="best")
    seen = tab(write_page(tmp_path, explorer), width=width, reduced_motion=True)
    page, f = seen.page, FUNCTIONS[name]
    assert f"with {greedy} leaves. Growth stops" in status(page)
    assert f"The smallest tree has {best} leaves." in status(page)
    first, second = page.locator(".dtviz-tree").all()
    assert f"Greedy tree: {greedy} leaves" in str(first.text_content())
    assert f"Smallest tree: {best} leaves" in str(second.text_content())
    roots = [int(tree.variable[0]) for tree in (explorer.tree(), dt.optimal(f).tree())]
    assert roots[0] != roots[1]
    asks = [f"x{i}, which scores {score_of(f, i)}" for i in roots]
    sentence = f"at the root the greedy tree asks {asks[0]}; the smallest tree asks {asks[1]}."
    assert status(page).endswith(sentence)
    for tree in (first, second):
        ring, root = tree.locator(".dtviz-ring"), tree.locator("[data-spot='0'] rect")
        assert ring.get_attribute("visibility") == "inherit"
        around, within = ring.bounding_box(), root.bounding_box()
        assert around is not None
        assert within is not None
        assert around["x"] < within["x"]
        assert around["x"] + around["width"] > within["x"] + within["width"]
    leaves = second.locator("[data-state=leaf], [data-state=folded]")
    drawn = leaves.evaluate_all("all => all.map(e => Number(e.dataset.leaves))")
    assert sum(drawn) == best
    leaves.first.hover()
    assert tip_facts(page)["error"] == "0.0000"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.complaints == []


def test_the_second_tree_comes_and_goes_in_its_place(zoo: Page) -> None:
    zoo.get_by_label("Function").select_option("random(6, 0)")
    slider = zoo.locator("input[name=step]")
    place = slider.bounding_box()
    for beside in ("best", "kept", "nothing", "best"):
        zoo.locator("select[name=beside]").select_option(beside)
        assert slider.bounding_box() == place
    f = FUNCTIONS["random(6, 0)"]
    assert f"The smallest tree has {dt.optimal(f).n_leaves} leaves. First difference" in status(zoo)


def test_settings_are_kept_to_compare(zoo: Page) -> None:
    zoo.get_by_label("Function").select_option("majority(5)")
    zoo.get_by_role("button", name="Keep").click()
    assert "Both trees ask the same." in status(zoo)
    zoo.evaluate(MOVE, ["epsilon", [0.25]])
    path = dt.build_top_down(FUNCTIONS["majority(5)"])
    kept = path.n_leaves_for(0.1)
    assert f" The tree kept has {kept} leaves. First difference" in status(zoo)
    second = zoo.locator(".dtviz-tree").nth(1)
    assert f"Kept: ε 0.10: {kept} leaves" in second.inner_text()
    zoo.get_by_label("Function").select_option("parity(5)")
    assert f"Kept: majority(5), ε 0.10: {kept} leaves" in second.inner_text()


# --- own functions --------------------------------------------------------------------------------


def test_everything_follows_a_function_of_ones_own(zoo: Page) -> None:
    zoo.locator("select[name=beside]").select_option("best")
    zoo.evaluate(MOVE, ["epsilon", [0]])
    field = zoo.locator("[name=formula]")
    for text in ("x0 & (x1 | ~x2)", "0x96", "maj(x0, x1, x2) ^ x3", "01101001", "x0 & x5", "1"):
        field.fill(text)
        f = dt.BooleanFunction.from_text(text)
        path, best = dt.build_top_down(f), dt.optimal(f)
        counts = [f"{n} {'leaf' if n == 1 else 'leaves'}" for n in (path.n_leaves, best.n_leaves)]
        assert status(zoo).startswith(status_text(path, 0.0, beside=True))
        assert f" The smallest tree has {counts[1]}." in status(zoo)
        facts = zoo.locator(".dtviz-function-facts").inner_text()
        assert f"n = {f.n}, smallest tree {counts[1]}, rank {best.rank}." in facts
        result = [float(x) for x in re.findall(r"x\d+\s+([\d.]+)", facts)]
        assert result == pytest.approx(dt.influences(f).tolist(), abs=1e-3)
    before = status(zoo)
    field.fill("x0 & ")
    assert status(zoo) == before, "what is wrong changes nothing"


def test_a_function_of_sixteen_variables(tab: Open, tmp_path: Path) -> None:
    text = " | ".join(f"x{i} & x{i + 1}" for i in range(0, 16, 2))
    explorer = InfluenceExplorer(function=text, epsilon=0.05, beside="best", show_bounds=True)
    seen = tab(write_page(tmp_path, explorer), reduced_motion=True)
    leaves = explorer.tree().n_leaves
    assert f"with {leaves:,} leaves" in status(seen.page)
    assert "The smallest tree is not known above 12 variables" in status(seen.page)
    assert "no bounds" in seen.page.locator(".dtviz-chart").last.inner_text()
    seen.page.locator("[data-state=inner]").first.hover()
    assert "tie at" in seen.page.evaluate(RACE)["note"]
    assert seen.complaints == []


# --- split it yourself ----------------------------------------------------------------------------


def race_text(f: dt.BooleanFunction, explorer: InfluenceExplorer, least: float) -> str:
    """What the status must say of the reader's tree, while it errs."""
    tree, path = explorer.tree(), dt.build_top_down(f)
    errors = [
        dt.influence.tree_error(tree, f),
        float(path.errors[min(tree.n_leaves - 1, path.n_splits)]),
        least,
    ]
    yours, greed, best = (fixed(error, 3) for error in errors)
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    return (
        f"Your tree: {leaves}, error {yours}. With as many leaves, the greedy tree {greed}, "
        f"the best tree {best}."
    )


def test_a_race_by_keyboard_alone(zoo: Page) -> None:
    zoo.get_by_label("Function").select_option("multiplexer(2)")
    f = FUNCTIONS["multiplexer(2)"]
    box = zoo.locator("input[name=splits]")
    box.focus()
    zoo.keyboard.press("Space")
    assert status(zoo) == race_text(f, InfluenceExplorer(function="multiplexer(2)", splits=[]), 0.5)
    zoo.keyboard.press("Tab")
    splits: list[list[int]] = []
    # The address first, as the smallest tree does, and then the data that it names.
    for node, variable in ([0, 1], [1, 0], [2, 0]):
        zoo.locator(f"[role=treeitem]:visible >> nth={node}").focus()
        zoo.keyboard.press("Enter")
        button = zoo.locator(f"button[data-asks=x{variable}]")
        button.focus()
        zoo.keyboard.press("Enter")
        splits.append([node, variable])
        assert zoo.locator("[role=treeitem]:focus").count() == 1, "the focus is not lost"
    own = InfluenceExplorer(function="multiplexer(2)", splits=splits)
    assert zoo.evaluate(DRAWN)["nodes"][0]["name"].startswith("Split")
    assert status(zoo).startswith(
        f"Your tree: 4 leaves, error {fixed(dt.influence.tree_error(own.tree(), f), 3)}"
    )
    zoo.get_by_role("button", name="Give up").focus()
    zoo.keyboard.press("Enter")
    size = dt.optimal(f).n_leaves
    greedy = dt.build_top_down(f).n_leaves
    assert status(zoo) == (
        f"Your tree is f, with {size} leaves; the greedy tree takes {greedy}, "
        f"the smallest tree {size}."
    )
    # There is nothing left to give up: the focus goes to its neighbor.
    assert zoo.evaluate("document.activeElement.name") == "undo"
    zoo.keyboard.press("Enter")
    assert status(zoo).startswith(f"Your tree: {size - 1} leaves")
    zoo.get_by_role("button", name="Start again").click()
    assert status(zoo).startswith("Your tree: 1 leaf,")
    box.focus()
    zoo.keyboard.press("Space")
    assert status(zoo) == status_text(dt.build_top_down(f), 0.1)


def test_a_race_by_pointer_or_finger(visit: Open, zoo_page: str) -> None:
    page = visit(zoo_page, width=360, height=740, touch=True).page
    page.get_by_label("Function").select_option("random(6, 0)")
    f = FUNCTIONS["random(6, 0)"]
    page.get_by_label("Split it yourself").tap()
    rng = np.random.default_rng(1)
    splits: list[list[int]] = []
    for j in range(5):
        spots = [node["spot"] for node in page.evaluate(DRAWN)["nodes"] if node["state"] == "leaf"]
        spot = rng.choice(spots)
        page.locator(f"[data-spot='{spot}']").first.tap()
        asks = page.locator("button[data-asks]").all()
        if not asks:
            continue
        button = asks[int(rng.integers(len(asks)))]
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 24
        title = tip_facts(page)["title"]
        variable = int(str(button.get_attribute("data-asks"))[1:])
        button.tap()
        splits.append([node_at(splits, title), variable])
        assert len(splits) >= j // 2
    own = InfluenceExplorer(function="random(6, 0)", splits=splits)
    error = fixed(dt.influence.tree_error(own.tree(), f), 3)
    assert status(page).startswith(f"Your tree: {len(splits) + 1} leaves, error {error}.")
    nodes = page.evaluate(DRAWN)
    assert all(inside(node, nodes["frame"]) for node in nodes["nodes"])


def node_at(splits: list[list[int]], title: str) -> int:
    """The number of the node where answers lead, e.g. "x1=0, x3=1"."""
    node = 0
    for bit in re.findall(r"=([01])", title):
        j = next(k for k, (split, _) in enumerate(splits) if split == node)
        node = 2 * j + 1 + int(bit)
    return node
