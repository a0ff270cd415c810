"""The explorer of pruning in a real browser, held against `dtviz.pruning`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import (
    DEAF,
    MOVE,
    WIDTHS,
    Open,
    faulty,
    fixed,
    inside,
    overhang,
    status,
    tops,
    undisturbed,
    write_page,
)

import dtviz as dt
from dtviz import pruning
from dtviz.pruning.explorer import BITS, METHODS, NOISES, REAL, TARGETS, PruningExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

NAMES = [*(f"{name} of {BITS} bits" for name in TARGETS), REAL]
DIALS = {
    "reduced error": {},
    "fewest leaves": {"d": (0, 3, 17, 45)},
    "structural risk": {},
    "bottom up": {"c": (0.02, 0.06, 0.1, 0.2, 0.4), "delta": (0.01, 0.1, 0.5)},
    "cost complexity": {"alpha": (0.0, 0.002, 0.003, 0.006, 0.01, 0.02, 0.05, 0.1)},
}
DEFAULTS = {"d": 20, "c": 0.1, "delta": 0.1, "alpha": 0.01}


@pytest.fixture(scope="session")
def pruning_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with the default explorer."""
    return write_page(tmp_path_factory.mktemp("pruning"), PruningExplorer())


@pytest.fixture
def page(tab: Open, pruning_page: str) -> Iterator[Page]:
    """The default explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(pruning_page, reduced_motion=True))


@cache
def default() -> PruningExplorer:
    """The explorer as it starts, which no test changes."""
    return PruningExplorer()


def choose(page: Page, **state: Any) -> None:
    """Set controls by their names; the noise by its value."""
    for name, value in state.items():
        if name in {"sample", "method"}:
            page.locator(f"select[name={name}]").first.select_option(value)
        else:
            at = NOISES.index(value) if name == "noise" else value
            page.evaluate(MOVE, [name, [at]])


def share(wrong: int, size: int) -> str:
    return fixed(wrong / size, 3)


def mistakes(tree: dt.Tree, X: Any, y: Any) -> int:
    """Point by point, each on its way down the tree."""
    return sum(tree(x) != label for x, label in zip(X.tolist(), y.tolist(), strict=True))


@cache
def grown(sample: str, noise: float) -> dt.Tree:
    shown = default().examples[sample]
    return dt.grow(shown.X[0], shown.noisy(noise)[0]).tree()


def pruned(sample: str, noise: float, method: str, dials: dict[str, float]) -> pruning.Pruning:
    """What a method makes of the tree, by the public functions of `dtviz.pruning`."""
    shown = default().examples[sample]
    first, second = shown.noisy(noise)
    tree = grown(sample, noise)
    if method == "reduced error":
        return dt.reduced_error_prune(tree, shown.X[1], second, grown_on=(shown.X[0], first))
    X, y = shown.X[0], first
    if method == "fewest leaves":
        smallest = dt.smallest_prunings(tree, X, y)
        feasible = [d for d in range(len(y) + 1) if smallest.n_leaves[d] < np.inf]
        return smallest.pruning(d=max(int(dials["d"]), feasible[0]))
    if method == "structural risk":
        return dt.srm_prune(tree, X, y)
    if method == "bottom up":
        return dt.bottom_up_prune(tree, X, y, delta=dials["delta"], c=dials["c"])
    return dt.cost_complexity_prune(tree, X, y, dials["alpha"])


def status_text(sample: str, noise: float, method: str, dials: dict[str, float]) -> str:
    """Return what the status line must say."""
    found = pruned(sample, noise, method, dials)
    shown = default().examples[sample]
    first, second = shown.noisy(noise)
    wrong = mistakes(found.tree(), shown.X[2], shown.y[2]) if shown.truth == "test" else None
    if wrong is None:
        # The whole cube, in one go.
        wrong = int((found.tree().predict(shown.X[2]) != shown.y[2]).sum())
    size = len(shown.y[2])
    flips = round(20 * noise)
    fresh = fixed(((20 - flips) * wrong + flips * (size - wrong)) / (20 * size), 3)
    asked = "".join(f", {key} = {dials[key]:g}" for key in DIALS[method])
    grown = found.counts.given.n_leaves
    leaves = "leaf" if grown == 1 else "leaves"
    return (
        f"{method}{asked}, noise {noise:.2f}: {found.n_leaves} of {grown} {leaves} kept; errors: "
        f"training {share(mistakes(found.tree(), shown.X[0], first), len(first))}, "
        f"pruning sample {share(mistakes(found.tree(), shown.X[1], second), len(second))}, "
        f"{shown.truth} {fresh}"
    )


def settings(method: str) -> list[dict[str, float]]:
    """One dial after the other through its values, the others at their defaults."""
    found = [DEFAULTS]
    for name, values in DIALS[method].items():
        found += [DEFAULTS | {name: value} for value in values]
    return found if DIALS[method] else found[:1]


def misread(page: Page, sample: str, noises: tuple[float, ...]) -> list[str]:
    """Where the status line is wrong, over all methods and values of their dials."""
    found = []
    choose(page, sample=sample)
    for noise in noises:
        choose(page, noise=noise)
        for method in METHODS:
            choose(page, method=method)
            for dials in settings(method):
                choose(page, **{key: dials[key] for key in DIALS[method]})
                expected = status_text(sample, noise, method, dials)
                if status(page) != expected:
                    found.append(f"{status(page)!r}, not {expected!r}")
    return found


# --- the sliders tell the truth -------------------------------------------------------------------


@pytest.mark.parametrize("sample", NAMES)
def test_every_method_at_every_dial(page: Page, sample: str) -> None:
    assert misread(page, sample, (0.0, 0.3)) == []


@pytest.mark.parametrize("noise", NOISES)
def test_every_share_of_noise(page: Page, noise: float) -> None:
    sample = "majority(5) of 10 bits"
    choose(page, sample=sample, noise=noise)
    assert status(page) == status_text(sample, noise, "reduced error", DEFAULTS)


def test_a_broken_control_is_found(tab: Open, tmp_path: Path) -> None:
    """PLANTED FAULT: the handler of the sliders listens to an event that never comes."""
    broken_page = tab(write_page(tmp_path, PruningExplorer(), script=faulty(*DEAF))).page
    assert len(misread(broken_page, NAMES[0], (0.3,))) > 10


def test_ties_are_cut(tab: Open, tmp_path: Path) -> None:
    """PLANTED FAULT: a subtree no better than its leaf is kept."""
    strict = faulty("below[k] + fine[k] >= wrong[k]", "below[k] + fine[k] > wrong[k]")
    wrong_page = tab(write_page(tmp_path, PruningExplorer(), script=strict)).page
    assert misread(wrong_page, NAMES[0], (0.1,)) != []


@pytest.mark.parametrize("method", METHODS)
def test_the_picture_shows_what_is_cut_and_why(page: Page, method: str) -> None:
    sample, noise = "tribes(2, 3) of 10 bits", 0.15
    choose(page, sample=sample, noise=noise, method=method)
    found = pruned(sample, noise, method, DEFAULTS)
    tree = found.counts.given
    kinds = page.locator("[role=treeitem]").evaluate_all(
        "all => all.map(e => e.getAttribute('aria-label').split(':')[0])"
    )
    expected = [
        ("Leaf" if tree.variable[k] < 0 else "Cut here" if found.cut[k] else "Split")
        if found.kept[k]
        else "Cut off"
        for k in range(tree.n_nodes)
    ]
    assert kinds == expected
    # Why: every decision of the pass, as the tip tells it.
    tell = """k => {
      document.querySelector(`[data-node="${k}"]`).focus();
      const tip = document.querySelector(".dtviz-tip");
      const values = [...tip.querySelectorAll("dd")].map(e => e.textContent);
      return [...values, tip.querySelector("em").textContent.split(/[.:]/)[0]];
    }"""
    m = found.counts.m
    for decision in found.decisions:
        k = decision.node
        told = page.evaluate(tell, k)
        reach = int(found.counts.reach[k])
        verdict = "Cut" if found.cut[k] else "Kept"
        fines = [f"+ {fixed(found.penalty[k] * reach, 1)}"] if method == "bottom up" else []
        if method in {"reduced error", "bottom up"}:
            assert told == [
                f"{reach} of {m}",
                str(found.subtree_errors[k]),
                *fines,
                str(found.leaf_errors[k]),
                verdict,
            ], k
        elif found.kept[k]:
            assert told == [
                f"{reach} of {m}",
                told[1],
                str(found.leaf_errors[k]),
                verdict,
            ], k


def test_the_staircase_marks_the_least_risk(page: Page) -> None:
    for sample in NAMES:
        choose(page, sample=sample)
        found = pruned(sample, 0.1, "structural risk", DEFAULTS)
        assert page.locator(".dtviz-best text").text_content() == f"least risk: {found.n_leaves}"


def test_the_staircase_can_be_dragged(page: Page) -> None:
    cover = page.locator(".dtviz-chart").nth(1).locator(".dtviz-cover")
    box = cover.bounding_box()
    assert box is not None
    leaves = pruned(NAMES[0], 0.1, "structural risk", DEFAULTS).counts.given.n_leaves
    x = box["x"] + (5 - 1) / (leaves - 1) * box["width"]
    page.mouse.click(x, box["y"] + 40)
    assert "fewest leaves" in status(page)
    assert ": 5 of" in status(page)


# --- layout, keyboard, readers' data --------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_and_nothing_is_cropped(tab: Open, pruning_page: str, width: int) -> None:
    page = tab(pruning_page, width=width, reduced_motion=True).page
    places = set()
    for sample in NAMES:
        for noise in (0.0, 0.3):
            choose(page, sample=sample, noise=noise)
            for method in METHODS:
                choose(page, method=method)
                places.add(tops(page, ".dtviz-status, .dtviz-chart, .dtviz-twigs"))
                assert overhang(page, width) <= 0
    assert len(places) == 1
    box = "(e => e.getBoundingClientRect().toJSON())"
    marks = page.locator(".dtviz-twigs rect:not(.dtviz-reach)").evaluate_all(f"all => all.map{box}")
    frame = page.locator(".dtviz-twigs").evaluate(box)
    assert all(inside(mark, frame) for mark in marks if mark["width"])


POINTED = """
() => {
  document.querySelector(".dtviz-twigs").scrollIntoView({ block: "center" });
  return [...document.querySelectorAll("[role=treeitem]")].map((node) => {
    const { left, right, top, bottom } = node.querySelector(".dtviz-reach").getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit?.closest("[role=treeitem]")?.dataset.node === node.dataset.node;
  });
}
"""


@pytest.mark.parametrize("width", WIDTHS)
def test_each_node_answers_to_the_pointer(tab: Open, pruning_page: str, width: int) -> None:
    page = tab(pruning_page, width=width, reduced_motion=True).page
    for sample in NAMES:
        choose(page, sample=sample, noise=0.3)
        found = page.evaluate(POINTED)
        assert len(found) == grown(sample, 0.3).n_nodes
        assert all(found)


def test_the_tree_is_walked_by_keyboard(page: Page) -> None:
    page.locator("[role=treeitem][tabindex='0']").focus()
    title = page.locator(".dtviz-tip strong")
    assert title.text_content() == "the root"
    seen = []
    for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        seen.append(title.text_content())
    low, high = seen[0], seen[1]
    assert low is not None
    assert high is not None
    assert low.endswith("=0")
    assert high == low.replace("=0", "=1")
    assert seen[2:] == [low, "the root"]
    page.keyboard.press("Escape")
    assert page.locator(".dtviz-tip").is_hidden()


def test_a_tree_comes_back_as_it_was(page: Page) -> None:
    """What was told and where the keyboard was is forgotten; what is cut is not another tree's."""
    choose(page, noise=0.3)
    untouched = page.locator(".dtviz-twigs").inner_html()
    page.locator("[role=treeitem]").nth(3).focus()
    assert page.locator(".dtviz-told").count() == 1
    choose(page, noise=0.0, method="structural risk")
    choose(page, noise=0.3, method="reduced error")
    assert page.locator(".dtviz-tip").is_hidden()
    assert page.locator(".dtviz-told, [data-trail=true]").count() == 0
    assert page.locator("[role=treeitem][tabindex='0']").get_attribute("data-node") == "0"
    assert page.locator(".dtviz-twigs").inner_html().replace(' data-trail="false"', "") == untouched


def test_the_caption_tells_the_tree() -> None:
    caption = default().caption()
    found = pruned(NAMES[0], 0.1, "reduced error", DEFAULTS)
    assert f"cut to {found.n_leaves} by reduced error" in caption
    told = status_text(NAMES[0], 0.1, "reduced error", DEFAULTS)
    assert re.findall(r"0\.\d{3}", caption) == re.findall(r"0\.\d{3}", told)


def test_readers_own_data(tab: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3)).round(2)
    own = {"parity": dt.functions.parity(3), "mine": (X, (X[:, 0] > X[:, 1]).astype(int))}
    explorer = PruningExplorer(own, noise=0.2, method="bottom up", c=0.2)
    page = tab(write_page(tmp_path, explorer)).page
    assert f": {explorer.tree().n_leaves} of {explorer.path().n_leaves} leaves kept" in status(page)
    page.locator("select[name=sample]").select_option("mine")
    explorer.sample = "mine"
    assert f": {explorer.tree().n_leaves} of {explorer.path().n_leaves} leaves kept" in status(page)
    X0, y0 = explorer.training
    assert (X0.shape, y0.shape) == ((100, 3), (100,))
    assert explorer.held_out[0].shape == (50, 3)


@pytest.mark.parametrize(
    "samples",
    [
        {},
        "tribes",
        {"f": 3},
        {"": dt.functions.parity(2)},
        dt.functions.parity(11),
        ([[0.0]] * 30, [2] * 30),
        ([[0.0]] * 3, [0, 1, 1]),
        (np.zeros((30, 2)), np.zeros(29)),
        (np.full((30, 2), np.nan), np.zeros(30)),
        (np.full((30, 2), "text"), np.zeros(30)),
        (np.zeros((30, 2)), ["yes", "no"] * 15),
    ],
)
def test_bad_samples_are_refused(samples: Any) -> None:
    with pytest.raises(ValueError, match="samples must"):
        PruningExplorer(samples)
