"""The explorers in a real browser, held against numbers computed in Python by other means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

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
    freeze_clock,
    growth_numbers,
    inside,
    leaf_numbers,
    misread,
    numbers,
    power,
    restricted,
    settle,
    shown_leaves,
    split_numbers,
    status_numbers,
    tip_facts,
    transitions,
    undisturbed,
    write_page,
)

import dtviz as dt
from dtviz.influence.explorer import ZOO, InfluenceExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def tribes() -> InfluenceExplorer:
    return InfluenceExplorer(function="tribes(3, 3)", epsilon=0.1, beside="nothing")


@pytest.fixture(scope="session")
def zoo_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with an explorer of the functions of the book, on one tree."""
    return write_page(tmp_path_factory.mktemp("zoo"), tribes())


@pytest.fixture
def zoo(tab: Open, zoo_page: str) -> Iterator[Page]:
    """That explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(zoo_page, reduced_motion=True))


def test_every_slider_value_of_every_function(zoo: Page) -> None:
    assert misread(zoo, list(ZOO)) == []


@pytest.mark.parametrize("name", ["tribes(3, 3)", "random(6, 0)", "parity(5)"])
def test_every_split_of_the_split_slider(zoo: Page, name: str) -> None:
    zoo.get_by_label("Function").select_option(name)
    path = dt.build_top_down(FUNCTIONS[name])
    forwards = range(path.n_splits + 1)
    for steps in (forwards, forwards[::-1]):
        for step, text in zip(steps, zoo.evaluate(MOVE, ["step", list(steps)]), strict=True):
            expected = split_numbers(path, step)
            assert numbers(text)[: len(expected)] == expected
            epsilon = zoo.locator("input[name=epsilon]").evaluate("e => e.valueAsNumber")
            # Never more splits than epsilon asks for, and the text says whether it is done.
            assert step <= path.n_leaves_for(epsilon) - 1
    # Back at one leaf, epsilon is still the small one: the learner has only begun.
    least = max(value for value in GRID if value < path.errors[-2])
    assert zoo.locator("input[name=epsilon]").evaluate("e => e.valueAsNumber") == least
    assert status_numbers(zoo) == split_numbers(path, 0)


def test_epsilon_and_splits_stay_consistent(zoo: Page) -> None:
    path = dt.build_top_down(FUNCTIONS["tribes(3, 3)"])
    slider = zoo.locator("input[name=step]")
    stop = path.n_leaves_for(0.1) - 1
    assert slider.input_value() == str(stop)
    slider.focus()
    zoo.keyboard.press("ArrowLeft")
    assert status_numbers(zoo) == split_numbers(path, stop - 1)
    zoo.keyboard.press("ArrowRight")
    assert status_numbers(zoo) == growth_numbers(path, 0.1)
    # Beyond what epsilon 0.1 asks for, epsilon falls below the error.
    zoo.keyboard.press("ArrowRight")
    epsilon = float(zoo.locator("input[name=epsilon]").input_value())
    assert epsilon == max(value for value in GRID if value < path.errors[stop])
    assert slider.input_value() == str(stop + 1)


def test_readers_own_functions(tab: Open, tmp_path: Path) -> None:
    own = {"mine <b>": dt.functions.random(7, 5), "constant": dt.BooleanFunction(3, [1] * 8)}
    page = tab(write_page(tmp_path, InfluenceExplorer(own, beside="nothing"))).page
    assert status_numbers(page) == growth_numbers(dt.build_top_down(own["mine <b>"]), 0.0)
    page.get_by_label("Function").select_option("constant")
    page.get_by_label("Bounds").check()
    assert status_numbers(page) == growth_numbers(dt.build_top_down(own["constant"]), 0.0)
    assert page.locator("[role=treeitem] text").all_text_contents()[:2] == ["1", "0"]


def test_a_tree_of_thousands_of_leaves_is_grown_in_the_page(tab: Open, tmp_path: Path) -> None:
    f = dt.functions.random(14, 0)
    page = tab(
        write_page(tmp_path, InfluenceExplorer({"a": dt.functions.parity(2), "b": f}, epsilon=0.1))
    ).page
    page.get_by_label("Function").select_option("b")
    expected = growth_numbers(dt.build_top_down(f), 0.1)
    assert status_numbers(page)[: len(expected)] == expected
    # Nobody knows its smallest tree: the one that there is has all the room.
    assert page.locator("[data-view=beside]").is_hidden()


@pytest.mark.parametrize("name", ["tribes(3, 3)", "random(6, 0)", "caterpillar(3)"])
def test_leaves_tell_what_they_are(zoo: Page, name: str) -> None:
    f = FUNCTIONS[name]
    zoo.get_by_label("Function").select_option(name)
    zoo.evaluate(MOVE, ["epsilon", [0.15]])
    for leaf in zoo.locator("[data-state=leaf]").all():
        leaf.hover()
        result = tip_facts(zoo)
        answers = result.pop("title")
        expected = leaf_numbers(f, answers)
        assert numbers(" ".join(result.values())) == expected
        label = str(leaf.get_attribute("aria-label"))
        assert numbers(label) == numbers(answers) + expected
        number, score = leaf.locator("text").all_text_contents()[:2]
        assert number == expected[-2]
        assert float(score.replace("<", "")) == pytest.approx(float(expected[1]), abs=6e-4)
    inner = zoo.locator("[data-state=inner]").first
    inner.hover()
    result = tip_facts(zoo)
    assert numbers(result["splits on"]) == [leaf_numbers(f, result["title"])[2]]


def test_the_next_split_is_at_the_leaf_of_highest_score(zoo: Page) -> None:
    zoo.get_by_label("Function").select_option("random(6, 0)")
    for epsilon in (0.4, 0.3, 0.2, 0.12):
        zoo.evaluate(MOVE, ["epsilon", [epsilon]])
        scores = {}
        for leaf in zoo.locator("[data-state=leaf]").all():
            leaf.hover()
            result = tip_facts(zoo)
            scores[result["title"]] = float(result["score"])
        zoo.locator(".dtviz-next").hover()
        assert scores[tip_facts(zoo)["title"]] == max(scores.values()) > 0


def test_the_charts_can_be_dragged(zoo: Page) -> None:
    path = dt.build_top_down(FUNCTIONS["tribes(3, 3)"])
    chart = zoo.locator(".dtviz-chart").first
    chart.scroll_into_view_if_needed()
    cover = chart.locator(".dtviz-cover").bounding_box()
    assert cover is not None
    zoo.mouse.move(cover["x"] + 1, cover["y"] + 20)
    zoo.mouse.down()
    assert shown_leaves(zoo) == 1
    zoo.mouse.move(cover["x"] + cover["width"] + 9, cover["y"] + 20, steps=5)
    zoo.mouse.up()
    assert shown_leaves(zoo) == path.n_splits + 1
    grip = chart.locator(".dtviz-grip path").bounding_box()
    assert grip is not None
    zoo.mouse.move(grip["x"] + 10, grip["y"] + grip["height"] / 2)
    zoo.mouse.down()
    zoo.mouse.move(grip["x"] + 10, grip["y"] - 60, steps=5)
    zoo.mouse.up()
    epsilon = float(zoo.locator("input[name=epsilon]").input_value())
    assert 0.05 < epsilon < 0.5
    assert status_numbers(zoo) == growth_numbers(path, epsilon)


def test_epsilon_is_a_line_that_the_whole_of_its_length_and_keys_move(zoo: Page) -> None:
    path = dt.build_top_down(FUNCTIONS["tribes(3, 3)"])
    line = zoo.get_by_role("slider", name="Error allowed, ε").last
    line.scroll_into_view_if_needed()
    box = line.locator(".dtviz-goal").bounding_box()
    assert box is not None
    zoo.mouse.move(box["x"] + box["width"] - 30, box["y"])
    zoo.mouse.down()
    zoo.mouse.move(box["x"] + box["width"] - 30, box["y"] - 25, steps=3)
    zoo.mouse.up()
    epsilon = float(zoo.locator("input[name=epsilon]").input_value())
    assert 0.1 < epsilon < 0.3
    for key, by in [("ArrowUp", 0.005), ("ArrowLeft", -0.005), ("PageUp", 0.05), ("Home", -1)]:
        zoo.keyboard.press(key)
        epsilon = max(round(epsilon + by, 3), 0)
        assert float(str(line.get_attribute("aria-valuenow"))) == epsilon
        text = str(zoo.locator("input[name=epsilon]").get_attribute("aria-valuetext"))
        assert float(numbers(text)[0]) == epsilon
        assert numbers(text)[1:] == [str(path.n_leaves_for(epsilon))]
        assert status_numbers(zoo) == growth_numbers(path, epsilon)


def test_pictures_follow_the_width_of_the_window(tab: Open, zoo_page: str) -> None:
    page = tab(zoo_page, width=1200, reduced_motion=True).page
    for width in (700, 1200):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # A picture that is too wide would be shrunk, and its text with it.
        stage = page.locator(".dtviz-tree .dtviz-stage").first.bounding_box()
        drawn = page.locator(".dtviz-tree .dtviz-stage > svg").first.get_attribute("width")
        assert stage is not None
        assert stage["width"] - 40 < float(drawn or 0) <= stage["width"]


def test_large_trees_are_folded(zoo: Page) -> None:
    zoo.get_by_label("Function").select_option(LARGEST)
    zoo.evaluate(MOVE, ["epsilon", [0]])
    folded = zoo.locator("[data-state=folded]")
    assert folded.count() > 4
    sizes = []
    for subtree in folded.all():
        subtree.hover()
        result = tip_facts(zoo)
        part, _ = restricted(FUNCTIONS[LARGEST], result["title"])
        assert int(result["leaves"]) == dt.build_top_down(part).n_leaves_for(0)
        sizes.append(int(result["leaves"]))
        assert subtree.text_content() in ("", result["leaves"])
    assert sum(sizes) + zoo.locator("[data-state=leaf]").count() == 896
    key = zoo.locator(".dtviz-key").first.inner_text().partition("Triangles")[2].partition(".")[0]
    assert {int(size) for size in numbers(key)} == {min(sizes), max(sizes)}


def test_a_folded_subtree_can_be_looked_into(zoo: Page) -> None:
    f = FUNCTIONS[LARGEST]
    zoo.get_by_label("Function").select_option(LARGEST)
    zoo.evaluate(MOVE, ["epsilon", [0]])
    before = zoo.locator(".dtviz-stage svg:visible").bounding_box()
    zoo.locator("[data-state=folded]").first.click()
    assert zoo.locator(".dtviz-stage svg:visible").bounding_box() == before, "nothing else may move"
    where = zoo.locator(".dtviz-where").first.inner_text().removeprefix("inside ")
    part, _ = restricted(f, where)
    seen = zoo.evaluate(DRAWN)
    assert sum(node["leaves"] for node in seen["nodes"]) == dt.build_top_down(part).n_leaves_for(0)
    assert all(inside(node, seen["frame"]) for node in seen["nodes"])
    zoo.keyboard.press("Escape")
    zoo.keyboard.press("Escape")
    assert zoo.locator(".dtviz-out").first.is_hidden()
    zoo.locator("[data-state=folded]").first.click()
    zoo.get_by_role("button", name="Whole tree").click()
    assert sum(node["leaves"] for node in zoo.evaluate(DRAWN)["nodes"]) == 896
    zoo.locator("[data-state=folded]").first.click()
    zoo.evaluate(MOVE, ["epsilon", [0.5]])  # the subtree is gone: back to the whole tree
    assert zoo.locator(".dtviz-out").first.is_hidden()
    assert zoo.evaluate(DRAWN)["nodes"][0]["leaves"] == 1


@pytest.mark.parametrize("name", ["tribes(3, 3)", LARGEST])
def test_nodes_move_only_where_the_form_of_a_growing_tree_changes(zoo: Page, name: str) -> None:
    """From boxes to marks, and to smaller ones beyond 16 and beyond 32 leaves."""
    zoo.get_by_label("Function").select_option(name)
    places: dict[str, set[str]] = {}
    for epsilon in GRID[::-5]:
        zoo.evaluate(MOVE, ["epsilon", [epsilon]])
        for node in zoo.evaluate(DRAWN)["nodes"]:
            places.setdefault(node["spot"], set()).add(node["place"])
    assert len(places) > 20
    assert max(map(len, places.values())) <= 4


def test_the_split_just_made_is_marked(zoo: Page) -> None:
    path = dt.build_top_down(FUNCTIONS["tribes(3, 3)"])
    for step in range(1, 13):
        zoo.evaluate(MOVE, ["step", [step]])
        marked = zoo.locator(".dtviz-last")
        assert marked.count() == 1
        assert marked.locator("text").first.text_content() == f"x{path.split_variable[step - 1]}"


def test_bounds_are_drawn_and_hold(zoo: Page) -> None:
    name, epsilon = "tribes(3, 3)", 0.05
    path, size = dt.build_top_down(FUNCTIONS[name]), dt.optimal(FUNCTIONS[name]).n_leaves
    zoo.evaluate(MOVE, ["epsilon", [epsilon]])
    curves = "[...document.querySelectorAll('.dtviz-curve[class*=bound]')]"
    drawn = f"{curves}.map(e => e.getAttribute('d'))"
    assert zoo.evaluate(drawn) == ["", "", ""]
    zoo.get_by_label("Bounds of the lemmas").check()
    assert all(zoo.evaluate(drawn))
    assert f"s = {size}" in zoo.locator(".dtviz-chart").last.inner_text()
    seen = set()
    for step in range(path.n_leaves_for(epsilon) - 1):
        zoo.evaluate(MOVE, ["step", [step]])
        tags = zoo.evaluate(
            "[...document.querySelectorAll('.dtviz-tag')]"
            ".filter(e => getComputedStyle(e).visibility === 'visible').map(e => e.textContent)"
        )
        result = dict(tag.rsplit(" ", 1) for tag in tags)
        seen |= set(result)
        values = {
            key: float(text.split("·")[0]) * 10.0 ** -power(text) for key, text in result.items()
        }
        log = np.log2(size)
        expected = {
            "cost": path.costs[step],
            "cost/2": path.costs[step] / 2,
            "error": path.errors[step],
            "score": path.scores[step],
            "by error": 2 * path.errors[step] / ((step + 1) * log),
            "by ε": epsilon / ((step + 1) * log),
        }
        if path.costs[step] >= epsilon * np.log2(4 * size / epsilon):
            wide = np.log2(4 * size / epsilon)
            expected["by cost"] = path.costs[step] / ((step + 1) * wide * log)
        assert set(values) == set(expected)
        for key, value in expected.items():
            assert values[key] == pytest.approx(value, rel=0.5, abs=6e-3), key
        assert values["error"] <= values["cost/2"] + 1e-3
        assert values["score"] * 1.05 >= max(values["by error"], values["by ε"])
    assert "by cost" in seen


def test_reduced_motion_jumps_without_transitions(visit: Open, zoo_page: str) -> None:
    lively = visit(zoo_page).page
    assert "0.25s" in " ".join(transitions(lively))
    page = visit(zoo_page, reduced_motion=True).page
    assert transitions(page) == ["0s"]
    freeze_clock(page)
    page.get_by_label("Function").select_option(LARGEST)
    page.locator("button[name=playing]").click()
    sizes = []
    for _ in range(3):
        page.clock.run_for(1000)
        sizes.append(shown_leaves(page))
    assert sizes == [36, 71, 106]  # 691 splits in twenty jumps
    page.clock.run_for(20_000)
    assert shown_leaves(page) == 692


def test_themes_differ_and_the_books_switch_wins(visit: Open, zoo_page: str) -> None:
    ink = "getComputedStyle(document.querySelector('.dtviz-status')).color"
    light, dark = (visit(zoo_page, theme=theme).page for theme in web.THEMES)
    assert light.evaluate(ink) != dark.evaluate(ink)
    light_ink, dark_ink = light.evaluate(ink), dark.evaluate(ink)
    light.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark.evaluate("document.body.dataset.jpThemeLight = 'true'")
    assert (light.evaluate(ink), dark.evaluate(ink)) == (dark_ink, light_ink)


def test_the_caption_tells_the_tree() -> None:
    assert "13 leaves, error 0.080 and cost 0.469" in tribes().caption()
    assert "44 leaves, error 0.000" in InfluenceExplorer(step=0).caption(), "a grown tree"
