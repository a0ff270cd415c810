"""Chapter 1's explorer: why a split, greedy beside best, and a tree of the reader's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from support.explorers import (
    DRAWN,
    FUNCTIONS,
    LARGEST,
    MOVE,
    Open,
    amount,
    faulty,
    fixed,
    freeze_clock,
    growth_numbers,
    numbers,
    restricted,
    status,
    status_numbers,
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
    start = {"function": "tribes(3, 3)", "epsilon": 0.1, "beside": "nothing"}
    return write_page(tmp_path_factory.mktemp("own"), InfluenceExplorer(**start))


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


def contest(f: dt.BooleanFunction, answers: str) -> tuple[list[dict[str, Any]], list[str]]:
    """What the dock must show of a node of the greedy tree, by the influences of f there.

    These are its candidates, and the numbers of what it says of them and of the points.
    """
    part, left = restricted(f, answers)
    share = 2.0 ** -answers.count("=")
    scores = {i: share * float(s) for i, s in zip(left, dt.influences(part), strict=True)}
    ones = round(float(dt.measures.mean(part)) * (1 << part.n))
    points = f"{1 << part.n:,} 1 {ones}" + " 64" * (1 << part.n > 64)
    if max(scores.values(), default=0) == 0:
        return [], numbers(points)
    order = sorted(scores, key=lambda i: (-scores[i], i))
    best = scores[order[0]]
    top = [f.names[i][1:] for i in order if scores[i] == best]
    below = max((s for s in scores.values() if s < best), default=0)
    if len(top) > 1:
        tied = [len(top)] if len(top) == len(order) > 3 else top
        note = [*tied, amount(best)]
    else:
        runners = [f.names[i][1:] for i in sorted(scores) if scores[i] == below]
        note = [*top, amount(best), amount(best - below), *runners] if below else top
    rows = [
        {"cells": [f.names[i], amount(scores[i])], "chosen": k == 0, "second": k == 1}
        for k, i in enumerate(order)
    ]
    return rows, numbers(" ".join(map(str, note))) + numbers(points)


def misled(page: Page, name: str) -> list[str]:
    """Point at every node that is drawn; return where the dock is wrong."""
    found = []
    for node in page.evaluate(DRAWN)["nodes"]:
        if node["state"] == "folded":
            continue
        page.evaluate(POINT, node["spot"])
        result = page.evaluate(RACE)
        shown = result["rows"], numbers(f"{result['note']} {result['strip']}")
        if shown != (truth := contest(FUNCTIONS[name], result["title"])):
            found.append(f"{shown}, not {truth}")
    return found


@pytest.mark.parametrize("name", ["random(6, 0)", "caterpillar(3)", "majority(5)", "tribes(3, 3)"])
def test_the_dock_tells_what_a_split_won_against(zoo: Page, name: str) -> None:
    zoo.get_by_label("Function").select_option(name)
    zoo.evaluate(MOVE, ["epsilon", [0.05]])
    assert misled(zoo, name) == []


def test_a_wrong_winner_is_found(tab: Open, tmp_path: Path) -> None:
    """PLANTED FAULT: among equals the highest variable stands first."""
    sound = "scores[b] - scores[a] || a - b"
    scripts = faulty(sound, "scores[b] - scores[a] || b - a")
    explorer = InfluenceExplorer(function="majority(5)", epsilon=0.1)
    page = tab(write_page(tmp_path, explorer, scripts=scripts)).page
    assert misled(page, "majority(5)")


def test_a_fold_opens_while_it_is_reported(zoo: Page) -> None:
    """What was said is forgotten before it goes: a browser says at once that the focus is lost."""
    zoo.get_by_label("Function").select_option(LARGEST)
    zoo.evaluate(MOVE, ["epsilon", [0]])
    zoo.locator("[data-state=folded]").first.click()
    assert zoo.locator(".dtviz-out").first.is_visible()
    assert zoo.locator("[role=treeitem]:focus").count() == 1


def score_of(f: dt.BooleanFunction, variable: int) -> str:
    return amount(float(dt.influences(f)[variable]))


@pytest.mark.parametrize("width", [1200, 720, 360])
def test_greedy_beside_best(tab: Open, tmp_path: Path, width: int) -> None:
    name, greedy, best = "caterpillar(3)", 44, 14
    explorer = InfluenceExplorer(function=name, epsilon=0.0, beside="best")
    seen = tab(write_page(tmp_path, explorer), width=width, reduced_motion=True)
    page, f = seen.page, FUNCTIONS[name]
    roots = [int(tree.variable[0]) for tree in (explorer.tree(), dt.optimal(f).tree())]
    assert roots[0] != roots[1]
    asks = [text for i in roots for text in (f.names[i][1:], score_of(f, i))]
    assert status_numbers(page)[-7:] == [str(greedy), "0", str(best), *asks]
    first, second = page.locator(".dtviz-tree").all()
    assert numbers(first.inner_text())[1] == str(greedy)
    assert numbers(second.inner_text())[0] == str(best)
    assert numbers(first.locator(".dtviz-key").inner_text()) == [str(greedy - best)]
    surplus = "all => all.reduce((sum, e) => sum + Number(e.dataset.surplus), 0)"
    assert first.locator("[role=treeitem]").evaluate_all(surplus) == greedy - best
    assert second.locator("[role=treeitem]").evaluate_all(surplus) == 0
    hatches = "all => all.filter((e) => e.getAttribute('d')).length"
    assert first.locator(".dtviz-hatch").evaluate_all(hatches) > 0
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
    assert tip_facts(page)["error"] == "0"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.complaints == []


def test_everything_follows_a_function_of_ones_own(zoo: Page) -> None:
    zoo.locator("select[name=beside]").select_option("best")
    zoo.evaluate(MOVE, ["epsilon", [0]])
    field = zoo.locator("[name=formula]")
    for text in ("x0 & (x1 | ~x2)", "0x96", "maj(x0, x1, x2) ^ x3", "01101001", "x0 & x5", "1"):
        field.fill(text)
        f = dt.BooleanFunction.from_text(text)
        path, best = dt.build_top_down(f), dt.optimal(f)
        expected = [*growth_numbers(path, 0.0), str(best.n_leaves)]
        assert status_numbers(zoo)[: len(expected)] == expected
        facts = numbers(zoo.locator(".dtviz-function-facts").inner_text())
        assert facts[:3] == [str(fact) for fact in (f.n, best.n_leaves, best.rank)]
        result = [float(share) for share in facts[4::2]]
        assert result == pytest.approx(dt.influences(f).tolist(), abs=1e-3)
    before = status(zoo)
    field.fill("x0 & ")
    assert status(zoo) == before, "what is wrong changes nothing"


def test_a_function_of_sixteen_variables(tab: Open, tmp_path: Path) -> None:
    text = " | ".join(f"x{i} & x{i + 1}" for i in range(0, 16, 2))
    explorer = InfluenceExplorer(function=text, epsilon=0.05, beside="best", show_bounds=True)
    seen = tab(write_page(tmp_path, explorer), reduced_motion=True)
    expected = growth_numbers(explorer.path(), 0.05)
    assert status_numbers(seen.page)[: len(expected)] == expected
    assert seen.complaints == []


def counted(f: dt.BooleanFunction, page: Page) -> int:
    """How many leaves more than the smallest tree the one on display needs, leaf by leaf."""
    titles = []
    for node in page.evaluate(DRAWN)["nodes"]:
        if node["state"] == "leaf":
            page.evaluate(POINT, node["spot"])
            titles.append(page.evaluate(RACE)["title"])
    parts = [restricted(f, title)[0] for title in titles]
    return sum(dt.optimal(part).n_leaves for part in parts) - dt.optimal(f).n_leaves


def tree_title(page: Page) -> str:
    return page.locator(".dtviz-title").first.inner_text()


HANDS = {
    "mouse": (lambda part: part.click(), 1200),
    "touch": (lambda part: part.tap(), 390),
    "key": (lambda part: part.press("Enter"), 1200),
}


@pytest.mark.parametrize("hand", HANDS)
def test_three_questions_of_ones_own(visit: Open, zoo_page: str, hand: str) -> None:
    """From the greedy tree's root to a bad one, and back again, by one kind of hand alone."""
    press, width = HANDS[hand]
    seen = visit(zoo_page, width=width, height=844, touch=hand == "touch", reduced_motion=True)
    page, name = seen.page, "multiplexer(2)"
    page.get_by_label("Function").select_option(name)
    page.locator("select[name=beside]").select_option("best")
    page.evaluate(MOVE, ["epsilon", [0]])
    f, size = FUNCTIONS[name], dt.optimal(FUNCTIONS[name]).n_leaves
    greedy = status(page)
    assert f"{dt.build_top_down(f).n_leaves} leaves" in tree_title(page)
    counts = []
    # A datum before its address at the root, then again below; and a good question.
    for title, variable in (("no variable fixed", 5), ("x5=0", 4), ("x5=0, x4=1", 0)):
        spots = page.locator(".dtviz-tree").first.locator("[role=treeitem][aria-hidden=false]")
        said = [str(label) for label in spots.evaluate_all("all => all.map((e) => e.ariaLabel)")]
        press(spots.nth(next(k for k, label in enumerate(said) if f", {title}:" in label)))
        button = page.locator(f"button[data-asks=x{variable}]")
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 24
        press(button)
        asked = page.locator("[role=treeitem]:focus").get_attribute("aria-label")
        assert f", {title}: " in str(asked), "the focus stays at the node that was split"
        assert f"splits on x{variable}" in str(asked)
        page.keyboard.press("Escape")
        counts.append(counted(f, page))
        few = tree_title(page).split(", ")[-1]
        assert numbers(few) == ([str(counts[-1])] if counts[-1] else [])
    assert counts == sorted(counts)
    assert counts[-1] > 0
    assert f"at least {counts[-1]} leaves more than the smallest tree" in status(page)
    undo, back = (page.locator(f"button[name={way}]:visible") for way in ("undo", "back"))
    page.locator("[role=treeitem]").first.press("Control+z")
    assert counted(f, page) == counts[-2]
    for count in counts[-3::-1]:
        press(undo.first)
        assert counted(f, page) == count
    press(undo.first)
    assert status(page) == greedy, "what the first question replaced is there again"
    if hand == "key":
        assert page.locator("[role=treeitem]:focus").count() == 1
    press(page.locator("[data-spot='0']").first)
    press(page.locator("button[data-asks=x3]"))
    press(back)
    assert status(page) == greedy
    assert back.count() == 0
    assert size == 8
    assert seen.complaints == []


def test_greedy_growth_goes_on_from_ones_own_tree(visit: Open, tmp_path: Path) -> None:
    """As old links show it; Play completes it, and epsilon or another function is greedy again."""
    own = {"function": "multiplexer(2)", "splits": [[0, 5], [1, 4]]}
    page = visit(write_page(tmp_path, InfluenceExplorer(**own)), reduced_motion=True).page
    freeze_clock(page)
    f = FUNCTIONS["multiplexer(2)"]
    explorer = InfluenceExplorer(**own)
    errors = dt.influence.tree_error(explorer.tree(), f), dt.build_top_down(f).errors[2]
    assert status_numbers(page)[:3] == ["3", *(fixed(error, 3) for error in errors)]
    page.locator("button[name=playing]").click()
    page.clock.run_for(60_000)
    leaves, greedy, surplus = map(int, status_numbers(page)[:3])
    assert (leaves - surplus, greedy) == (dt.optimal(f).n_leaves, dt.build_top_down(f).n_leaves)
    assert page.locator("button[name=playing]").inner_text() == "Play"
    page.evaluate(MOVE, ["epsilon", [0.1]])
    expected = growth_numbers(dt.build_top_down(f), 0.1)
    assert status_numbers(page)[: len(expected)] == expected
    page.locator("[data-spot='0']").first.click()
    page.locator("button[data-asks=x3]").click()
    assert tree_title(page).startswith("Yours")
    page.get_by_label("Function").select_option("majority(5)")
    assert tree_title(page).startswith("Greedy tree")
