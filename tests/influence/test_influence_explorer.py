"""Chapter 1's explorer in a browser, held against numbers computed in Python by other means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support import web
from support.explorers import (
    DRAWN,
    FUNCTIONS,
    GRID,
    LARGEST,
    MOVE,
    Open,
    amount,
    fixed,
    freeze_clock,
    growth_numbers,
    inside,
    leaf_numbers,
    numbers,
    power,
    press_along,
    restricted,
    settle,
    shown,
    shown_leaves,
    split_numbers,
    status,
    status_numbers,
    tip_facts,
    transitions,
    write_page,
)

import dtviz as dt
from dtviz.influence.explorer import InfluenceExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

TRIBES = "tribes(3, 3)"


def tribes() -> InfluenceExplorer:
    return InfluenceExplorer(function=TRIBES, epsilon=0.1, beside="nothing")


zoo = shown(tribes)
"""A page with an explorer of the functions of the book, on one tree."""


def epsilon_of(page: Page) -> float:
    return float(page.locator("input[name=epsilon]").input_value())


@pytest.mark.parametrize("name", [TRIBES, "random(6, 0)"])
def test_both_sliders_show_what_python_grows(zoo: Page, name: str) -> None:
    """Of a function of nine variables and of one of six, whose tables reach the page apart."""
    zoo.get_by_label("Function").select_option(name)
    f = FUNCTIONS[name]
    path, best = dt.build_top_down(f), dt.optimal(f)
    facts = numbers(zoo.locator(".dtviz-function-facts").inner_text())
    assert facts[:3] == [str(fact) for fact in (f.n, best.n_leaves, best.rank)]
    shares = [float(share) for share in facts[4::2]]
    assert shares == pytest.approx(dt.influences(f).tolist(), abs=1e-3)
    for epsilon, text in zip(GRID, zoo.evaluate(MOVE, ["epsilon", GRID]), strict=True):
        assert numbers(text) == growth_numbers(path, epsilon)
    zoo.evaluate(MOVE, ["epsilon", [0.1]])
    forwards = range(path.n_splits + 1)
    for steps in (forwards, forwards[::-1]):
        for step, text in zip(steps, zoo.evaluate(MOVE, ["step", [*steps]]), strict=True):
            expected = split_numbers(path, step)
            assert numbers(text)[: len(expected)] == expected
            # Never more splits than epsilon asks for, and the text says whether it is done.
            assert step <= path.n_leaves_for(epsilon_of(zoo)) - 1
    # Back at one leaf, epsilon is still the small one: the learner has only begun.
    assert epsilon_of(zoo) == max(value for value in GRID if value < path.errors[-2])
    zoo.evaluate(MOVE, ["step", [3]])
    assert zoo.locator(".dtviz-last text").first.text_content() == f"x{path.split_variable[2]}"


DOCK = """
() => {
  const tip = document.querySelector(".dtviz-tip:not([hidden])");
  const rows = [...tip.querySelectorAll(".dtviz-candidate")].map((row) => [
    ...[...row.querySelectorAll("[role=cell]")].slice(0, 2).map((cell) => cell.textContent),
    row.classList.contains("dtviz-winner"), row.textContent.includes("2nd"),
  ]);
  return {
    title: tip.querySelector("strong").textContent,
    note: tip.querySelector(".dtviz-dock-reasons p").textContent,
    strip: tip.querySelector(".dtviz-strip").textContent,
    rows,
    squares: [0, 1].map((label) => {
      const path = tip.querySelector(`.dtviz-strip .dtviz-label${label}`);
      return path ? path.getAttribute("d").split("M").length - 1 : 0;
    }),
  };
}
"""

POINT = """
(spot) => {
  const node = document.querySelector(`[data-spot="${spot}"]`);
  node.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
}
"""


def contest(f: dt.BooleanFunction, answers: str) -> tuple[list[Any], list[str]]:
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
    rows = [[f.names[i], amount(scores[i]), k == 0, k == 1] for k, i in enumerate(order)]
    return rows, numbers(" ".join(map(str, note))) + numbers(points)


@pytest.mark.parametrize("name", ["random(6, 0)", "majority(5)", TRIBES])
def test_nodes_tell_what_they_are_and_why(zoo: Page, name: str) -> None:
    f, scores = FUNCTIONS[name], {}
    zoo.get_by_label("Function").select_option(name)
    zoo.evaluate(MOVE, ["epsilon", [0.1]])
    for node in zoo.evaluate(DRAWN)["nodes"]:
        zoo.evaluate(POINT, node["spot"])
        dock, facts = zoo.evaluate(DOCK), tip_facts(zoo)
        answers = facts.pop("title")
        assert (dock["rows"], numbers(f"{dock['note']} {dock['strip']}")) == contest(f, answers)
        part, _ = restricted(f, answers)
        squares, share = np.array(dock["squares"]), float(dt.measures.mean(part))
        assert squares.sum() == min(1 << part.n, 64)
        assert (squares > 0).tolist() == [share < 1, share > 0]
        assert abs(squares[1] - share * squares.sum()) <= 1
        expected = leaf_numbers(f, answers)
        if node["state"] == "inner":
            assert numbers(facts["splits on"]) == [expected[2]]
            continue
        assert numbers(" ".join(facts.values())) == expected
        leaf = zoo.locator(f"[data-spot='{node['spot']}']").first
        label = str(leaf.get_attribute("aria-label"))
        assert numbers(label) == numbers(answers) + expected
        number, score = leaf.locator("text").all_text_contents()[:2]
        assert number == expected[-2]
        scores[answers] = float(expected[1])
        assert float(score.replace("<", "")) == pytest.approx(scores[answers], abs=6e-4)
    zoo.locator(".dtviz-next").hover()
    assert scores[tip_facts(zoo)["title"]] == max(scores.values()) > 0


def test_the_chart_and_its_line_can_be_dragged(zoo: Page) -> None:
    path = dt.build_top_down(FUNCTIONS[TRIBES])
    cover = zoo.locator(".dtviz-chart .dtviz-cover").first
    press_along(cover, 0)
    assert shown_leaves(zoo) == 1
    zoo.mouse.down()
    zoo.mouse.move(1190, 300, steps=5)
    zoo.mouse.up()
    assert shown_leaves(zoo) == path.n_splits + 1
    # The whole of the line is its handle, and keys move it.
    zoo.evaluate(MOVE, ["epsilon", [0.1]])
    line = zoo.get_by_role("slider", name="Error allowed, ε").last
    box = line.locator(".dtviz-goal").bounding_box()
    assert box is not None
    zoo.mouse.move(box["x"] + box["width"] - 30, box["y"])
    zoo.mouse.down()
    zoo.mouse.move(box["x"] + box["width"] - 30, box["y"] - 25, steps=3)
    zoo.mouse.up()
    epsilon = epsilon_of(zoo)
    assert 0.1 < epsilon < 0.3
    for key, by in [("ArrowUp", 0.005), ("ArrowLeft", -0.005), ("PageUp", 0.05), ("Home", -1)]:
        zoo.keyboard.press(key)
        epsilon = max(round(epsilon + by, 3), 0)
        assert float(str(line.get_attribute("aria-valuenow"))) == epsilon
        text = str(zoo.locator("input[name=epsilon]").get_attribute("aria-valuetext"))
        assert float(numbers(text)[0]) == epsilon
        assert numbers(text)[1:] == [str(path.n_leaves_for(epsilon))]
        assert status_numbers(zoo) == growth_numbers(path, epsilon)


def test_pictures_follow_the_width_of_the_window(zoo: Page) -> None:
    for width in (700, 1200):
        zoo.set_viewport_size({"width": width, "height": 900})
        settle(zoo)
        assert zoo.evaluate("document.documentElement.scrollWidth") <= width
        # A picture that is too wide would be shrunk, and its text with it.
        room = zoo.locator(".dtviz-tree .dtviz-stage").first.evaluate(
            "e => e.getBoundingClientRect().width - e.querySelector('svg').getAttribute('width')"
        )
        assert 0 <= room < 40


def test_a_large_tree_is_folded_and_looked_into(zoo: Page) -> None:
    zoo.get_by_label("Function").select_option(LARGEST)
    zoo.evaluate(MOVE, ["epsilon", [0]])
    folded, out = zoo.locator("[data-state=folded]"), zoo.locator(".dtviz-out").first

    def leaves(answers: str) -> int:
        return int(dt.build_top_down(restricted(FUNCTIONS[LARGEST], answers)[0]).n_leaves_for(0))

    assert folded.count() > 4
    sizes = set()
    for subtree in folded.all():
        subtree.hover()
        result = tip_facts(zoo)
        assert int(result["leaves"]) == leaves(result["title"])
        assert subtree.text_content() in ("", result["leaves"])
        sizes.add(int(result["leaves"]))
    key = zoo.locator(".dtviz-key").first.inner_text().partition("Triangles")[2].partition(".")[0]
    assert {int(size) for size in numbers(key)} == {min(sizes), max(sizes)}
    assert sum(node["leaves"] for node in zoo.evaluate(DRAWN)["nodes"]) == 896
    before = zoo.locator(".dtviz-stage svg:visible").bounding_box()
    folded.first.click()
    assert zoo.locator(".dtviz-stage svg:visible").bounding_box() == before, "nothing else may move"
    # What was said of it goes as it opens, and the focus is not lost.
    assert zoo.locator("[role=treeitem]:focus").count() == 1
    seen = zoo.evaluate(DRAWN)
    where = zoo.locator(".dtviz-where").first.inner_text().removeprefix("inside ")
    assert sum(node["leaves"] for node in seen["nodes"]) == leaves(where)
    assert all(inside(node, seen["frame"]) for node in seen["nodes"])
    zoo.keyboard.press("Escape")
    zoo.keyboard.press("Escape")
    assert out.is_hidden()
    folded.first.click()
    zoo.get_by_role("button", name="Whole tree").click()
    assert sum(node["leaves"] for node in zoo.evaluate(DRAWN)["nodes"]) == 896
    folded.first.click()
    zoo.evaluate(MOVE, ["epsilon", [0.5]])  # the subtree is gone: back to the whole tree
    assert out.is_hidden()
    assert zoo.evaluate(DRAWN)["nodes"][0]["leaves"] == 1


def test_nodes_move_only_where_the_form_of_a_growing_tree_changes(zoo: Page) -> None:
    """From boxes to marks, and to smaller ones beyond 16 and beyond 32 leaves."""
    places: dict[str, set[str]] = {}
    for epsilon in GRID[::-5]:
        zoo.evaluate(MOVE, ["epsilon", [epsilon]])
        for node in zoo.evaluate(DRAWN)["nodes"]:
            places.setdefault(node["spot"], set()).add(node["place"])
    assert len(places) > 20
    assert max(map(len, places.values())) <= 4


TAGS = """
() => [...document.querySelectorAll(".dtviz-tag")]
  .filter((e) => getComputedStyle(e).visibility === "visible").map((e) => e.textContent)
"""


def test_bounds_are_drawn_where_they_are_asked_for(zoo: Page) -> None:
    epsilon, path = 0.05, dt.build_top_down(FUNCTIONS[TRIBES])
    size = dt.optimal(FUNCTIONS[TRIBES]).n_leaves
    zoo.evaluate(MOVE, ["epsilon", [epsilon]])
    assert not any("by" in tag for tag in zoo.evaluate(TAGS))
    zoo.get_by_label("Bounds of the lemmas").check()
    assert f"s = {size}" in zoo.locator(".dtviz-chart").last.inner_text()
    wide = float(np.log2(4 * size / epsilon))
    for step in (0, path.n_leaves_for(epsilon) - 2):
        zoo.evaluate(MOVE, ["step", [step]])
        error, cost, rate = path.errors[step], path.costs[step], (step + 1) * np.log2(size)
        large = {"by cost": cost / (wide * rate)} if cost >= epsilon * wide else {}
        expected = {"cost": cost, "cost/2": cost / 2, "error": error, "score": path.scores[step]}
        expected |= {"by error": 2 * error / rate, "by ε": epsilon / rate, **large}
        tags = dict(tag.rsplit(" ", 1) for tag in zoo.evaluate(TAGS))
        values = {key: float(t.split("·")[0]) * 10.0 ** -power(t) for key, t in tags.items()}
        assert values == pytest.approx(expected, rel=0.5, abs=6e-3)
        assert ("by cost" in tags) == (step == 0)


def test_reduced_motion_jumps_without_transitions(visit: Open, tmp_path: Path) -> None:
    address = write_page(tmp_path, tribes())
    assert "0.25s" in " ".join(transitions(visit(address).page))
    page = visit(address, reduced_motion=True).page
    freeze_clock(page)
    page.get_by_label("Function").select_option(LARGEST)
    page.locator("button[name=playing]").click()
    sizes = []
    for _ in range(3):
        page.clock.run_for(1000)
        sizes.append(shown_leaves(page))
    assert sizes == [36, 71, 106]  # 691 splits in twenty jumps


def test_themes_differ_and_the_books_switch_wins(visit: Open, tmp_path: Path) -> None:
    ink = "getComputedStyle(document.querySelector('.dtviz-status')).color"
    address = write_page(tmp_path, tribes())
    light, dark = (visit(address, theme=theme).page for theme in web.THEMES)
    assert light.evaluate(ink) != dark.evaluate(ink)
    light_ink, dark_ink = light.evaluate(ink), dark.evaluate(ink)
    light.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark.evaluate("document.body.dataset.jpThemeLight = 'true'")
    assert (light.evaluate(ink), dark.evaluate(ink)) == (dark_ink, light_ink)


def test_the_caption_tells_the_tree() -> None:
    assert "13 leaves, error 0.080 and cost 0.469" in tribes().caption()
    assert "44 leaves, error 0.000" in InfluenceExplorer(step=0).caption(), "a grown tree"


@pytest.mark.parametrize("width", [1200, 360])
def test_greedy_beside_best(tab: Open, tmp_path: Path, width: int) -> None:
    explorer = InfluenceExplorer()
    seen = tab(write_page(tmp_path, explorer), width=width, reduced_motion=True)
    page, f = seen.page, explorer.named_function()
    greedy, best = explorer.tree(), dt.optimal(f).tree()
    roots = [int(tree.variable[0]) for tree in (greedy, best)]
    assert roots[0] != roots[1]
    asks = [text for i in roots for text in (f.names[i][1:], amount(dt.influences(f)[i]))]
    assert status_numbers(page)[-7:] == [str(greedy.n_leaves), "0", str(best.n_leaves), *asks]
    shown = page.locator(".dtviz-tree").all()
    assert numbers(shown[0].locator(".dtviz-key").inner_text()) == ["30"]
    assert shown[0].locator(".dtviz-hatch[d*=M]").count() > 0
    for tree, size, surplus in zip(shown, (44, 14), (30, 0), strict=True):
        assert str(size) in numbers(tree.inner_text())[:2]
        for what, count in (("leaves", size), ("surplus", surplus)):
            total = f"all => all.reduce((sum, e) => sum + Number(e.dataset.{what}), 0)"
            ends = tree.locator("[data-state=leaf], [data-state=folded]")
            assert ends.evaluate_all(total) == count
        # The ring of the first difference is around the root.
        ring, root = tree.locator(".dtviz-ring"), tree.locator("[data-spot='0'] rect")
        around, within = ring.bounding_box(), root.bounding_box()
        assert ring.get_attribute("visibility") == "inherit"
        assert around is not None
        assert within is not None
        assert around["x"] < within["x"]
        assert around["x"] + around["width"] > within["x"] + within["width"]
    shown[1].locator("[data-state=leaf], [data-state=folded]").first.hover()
    assert tip_facts(page)["error"] == "0"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.complaints == []


def surplus_of(f: dt.BooleanFunction, page: Page) -> int:
    """How many leaves more than the smallest tree the one on display needs, leaf by leaf."""
    needed = 0
    for node in page.evaluate(DRAWN)["nodes"]:
        if node["state"] == "leaf":
            page.evaluate(POINT, node["spot"])
            part, _ = restricted(f, page.evaluate(DOCK)["title"])
            needed += int(dt.optimal(part).n_leaves)
    return needed - int(dt.optimal(f).n_leaves)


def tree_title(page: Page) -> str:
    return page.locator(".dtviz-title").first.inner_text()


HANDS = {
    "mouse": (lambda part: part.click(), 1200),
    "touch": (lambda part: part.tap(), 390),
    "key": (lambda part: part.press("Enter"), 1200),
}


@pytest.mark.parametrize("hand", HANDS)
def test_three_questions_of_ones_own(visit: Open, tmp_path: Path, hand: str) -> None:
    """From the greedy tree's root to a bad one, and back again, by one kind of hand alone."""
    press, width = HANDS[hand]
    address = write_page(tmp_path, InfluenceExplorer(function="multiplexer(2)"))
    seen = visit(address, width=width, height=844, touch=hand == "touch", reduced_motion=True)
    page, f = seen.page, FUNCTIONS["multiplexer(2)"]
    greedy, counts = status(page), []
    # A datum before its address at the root, then again below; and a good question.
    for title, variable in (("no variable fixed", 5), ("x5=0", 4), ("x5=0, x4=1", 0)):
        node = f"[role=treeitem][aria-hidden=false][aria-label*=', {title}:']"
        press(page.locator(".dtviz-tree").first.locator(node))
        button = page.locator(f"button[data-asks=x{variable}]")
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 24
        ground = button.evaluate("e => getComputedStyle(e).backgroundColor")
        assert ground == "rgba(0, 0, 0, 0)", "its bar is seen behind it"
        press(button)
        asked = str(page.locator("[role=treeitem]:focus").get_attribute("aria-label"))
        assert f", {title}: " in asked, "the focus stays at the node that was split"
        assert f"splits on x{variable}" in asked
        page.keyboard.press("Escape")
        counts.append(surplus_of(f, page))
        few = tree_title(page).split("; ")[-1]
        assert numbers(few) == ([str(counts[-1])] if counts[-1] else [])
    assert counts == sorted(counts)
    assert counts[-1] > 0
    assert f"at least {counts[-1]} leaves more than the smallest tree" in status(page)
    undo, back = (page.locator(f"button[name={way}]:visible") for way in ("undo", "back"))
    tops = [page.locator(part).first.bounding_box() for part in (".dtviz-own", ".dtviz-tree")]
    assert tops[0]["y"] >= tops[1]["y"], "a figure cuts what is above it"  # type: ignore[index]
    page.locator("[role=treeitem]").first.press("Control+z")
    asked = str(page.locator("[role=treeitem]:focus").get_attribute("aria-label"))
    assert asked.startswith("Leaf, x5=0, x4=1:"), "the node that was asked last"
    assert surplus_of(f, page) == counts[-2]
    press(undo.first)
    assert surplus_of(f, page) == counts[-3]
    press(undo.first)
    assert status(page) == greedy, "what the first question replaced is there again"
    assert hand != "key" or page.locator("[role=treeitem]:focus").count() == 1
    press(page.locator("[data-spot='0']").first)
    press(page.locator("button[data-asks=x3]"))
    press(back)
    assert status(page) == greedy
    assert back.count() == 0
    assert seen.complaints == []


@pytest.mark.parametrize(("kept", "other"), [("x1 & x0", False), ("x0 | x1", True)])
def test_trees_of_two_functions_are_not_compared(
    tab: Open, tmp_path: Path, kept: str, other: bool
) -> None:
    settings = {"function": kept, "splits": [[0, 1]]}
    explorer = InfluenceExplorer(function="x0 & x1", beside="kept", kept=settings)
    page = tab(write_page(tmp_path, explorer), reduced_motion=True).page
    assert status(page).endswith("of different functions.") == other
    rings = page.locator(".dtviz-ring[visibility=hidden]").count()
    assert rings == (2 if other else 0)


def test_greedy_growth_goes_on_from_ones_own_tree(visit: Open, tmp_path: Path) -> None:
    """As old links show it; Play completes it, and epsilon or another function is greedy again."""
    explorer = InfluenceExplorer(function="multiplexer(2)", splits=[[0, 5], [1, 4]])
    page = visit(write_page(tmp_path, explorer), reduced_motion=True).page
    freeze_clock(page)
    f = FUNCTIONS["multiplexer(2)"]
    path = dt.build_top_down(f)
    errors = dt.influence.tree_error(explorer.tree(), f), path.errors[2]
    assert status_numbers(page)[:3] == ["3", *(fixed(error, 3) for error in errors)]
    page.locator("button[name=playing]").click()
    page.clock.run_for(60_000)
    leaves, greedy, surplus = map(int, status_numbers(page)[:3])
    assert (leaves - surplus, greedy) == (dt.optimal(f).n_leaves, path.n_leaves)
    assert page.locator("button[name=playing]").inner_text() == "Play"
    page.evaluate(MOVE, ["epsilon", [0.1]])
    expected = growth_numbers(path, 0.1)
    assert status_numbers(page)[: len(expected)] == expected
    page.locator("[data-spot='0']").first.click()
    page.locator("button[data-asks=x3]").click()
    assert tree_title(page).startswith("Yours")
    page.get_by_label("Function").select_option("majority(5)")
    assert tree_title(page).startswith("Greedy tree")
    # The function and the questions go and come together.
    page.get_by_label("Undo change of f").click()
    assert tree_title(page).startswith("Yours: 2 leaves, error ")
    page.get_by_label("Redo change of f").click()
    assert tree_title(page).startswith("Greedy tree for majority(5)")
