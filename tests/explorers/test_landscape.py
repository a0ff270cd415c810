"""The landscape under a slider: what it shows at each place is what the package finds there."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import settle, write_page

import dtviz as dt

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page
    from support.explorers import Open

    from dtviz.explorers.base import Explorer

READ = """
(name) => {
  const strip = document.querySelector(`input[name=${name}] ~ .dtviz-landscape`);
  const [, ...corners] = strip.querySelector("path").getAttribute("d").slice(1).split("L");
  const bands = [...strip.querySelectorAll(".dtviz-bands > span")];
  return {
    bands: bands.map((band) => [band.textContent, Number(band.style.flexGrow), band.title]),
    heights: corners.slice(1, -1).filter((_, k) => k % 2 === 0).map((at) => +at.split(" ")[1]),
    said: strip.getAttribute("aria-label"),
    stale: strip.classList.contains("dtviz-stale"),
  };
}
"""
LAST = 60
FUNCTION = "x0 & x1 | x2 & x3 & x4 | !x0 & x4"


def open_page(tab: Open, tmp_path: Path, explorer: Explorer) -> Page:
    page = tab(write_page(tmp_path, explorer), width=900).page
    settle(page)
    return page


def read(page: Page, name: str) -> dict[str, Any]:
    page.wait_for_function(f"(name) => ({READ})(name).heights.length > {LAST}", arg=name)
    found: dict[str, Any] = page.evaluate(READ, name)
    return found


def order(sizes: list[float]) -> list[list[int]]:
    """Which places are as high as which, from the lowest."""
    return [[k for k, one in enumerate(sizes) if one == size] for size in sorted(set(sizes))]


def places(low: float, step: float, steps: int) -> list[float]:
    """The values at which a slider is looked at, evenly placed."""
    # As JavaScript rounds.
    return [low + int(k * steps / LAST + 0.5) * step for k in range(LAST + 1)]


@pytest.mark.slow
def test_along_epsilon_stand_the_leaves_of_the_tree(tab: Open, tmp_path: Path) -> None:
    page = open_page(tab, tmp_path, dt.InfluenceExplorer(function=FUNCTION))
    path = dt.build_top_down(dt.BooleanFunction.from_text(FUNCTION))
    sizes = [path.tree(epsilon=epsilon).n_leaves for epsilon in places(0, 0.001, 500)]
    found = read(page, "epsilon")
    assert order([-y for y in found["heights"]]) == order(sizes)
    assert f"from {min(sizes)} to {max(sizes)} leaves" in found["said"]


@pytest.mark.slow
def test_along_a_bias_stand_the_root_and_the_leaves(tab: Open, tmp_path: Path) -> None:
    page = open_page(tab, tmp_path, dt.ProductExplorer(function=FUNCTION, epsilon=0.02))
    f = dt.BooleanFunction.from_text(FUNCTION)
    roots, sizes = [], []
    for p in places(0.01, 0.01, 98):
        path = dt.build_top_down(f, dt.ProductDistribution([p] * f.n))
        roots.append(int(path.tree().variable[0]))
        sizes.append(path.tree(epsilon=0.02).n_leaves)
    found = read(page, "bias")
    assert order([-y for y in found["heights"]]) == order(sizes)
    assert f"from {min(sizes)} to {max(sizes)} leaves" in found["said"]
    shown = [name for name, _, _ in found["bands"]]
    assert len(shown) > 1
    changes = [k for k in range(1, LAST + 1) if roots[k] != roots[k - 1]]
    assert shown == [f"x{roots[k]}" for k in [0, *changes]]
    ends = [0, *(k - 0.5 for k in changes), LAST]
    assert [wide for _, wide, _ in found["bands"]] == [b - a for a, b in pairwise(ends)]


@pytest.mark.slow
def test_a_press_goes_there_and_nothing_is_sought_while_something_is_dragged(
    tab: Open, tmp_path: Path
) -> None:
    page = open_page(tab, tmp_path, dt.ProductExplorer(function=FUNCTION))
    before = read(page, "bias")
    box = page.locator("input[name=bias] + .dtviz-landscape").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 10)
    assert page.locator("input[name=bias]").input_value() == "0.75"
    # Another error allowed is another landscape of the bias, once the slider is let go.
    slider = page.locator("input[name=epsilon]").bounding_box()
    assert slider is not None
    page.mouse.move(slider["x"] + slider["width"] / 2, slider["y"] + 20)
    page.mouse.down()
    page.wait_for_timeout(300)
    assert page.evaluate(READ, "bias")["stale"]
    page.mouse.up()
    page.wait_for_function(f"() => !({READ})('bias').stale")
    assert read(page, "bias")["heights"] != before["heights"]


@pytest.mark.slow
def test_along_the_cost_stand_the_first_question_and_the_leaves_to_purity(
    tab: Open, tmp_path: Path
) -> None:
    rng = np.random.default_rng(6)
    X = rng.integers(0, 12, (60, 2)).astype(float)
    y = (X.sum(axis=1) + rng.normal(0, 4, 60) > 11).astype(int)
    page = open_page(tab, tmp_path, dt.ImpurityExplorer(X, y, view="plane"))
    trees = [dt.grow(X, y, dt.impurity.cost_at(s)).tree() for s in places(0, 0.005, 600)]
    first = [f"x{tree.variable[0]} ≤ {tree.threshold[0]:g}" for tree in trees]
    found = read(page, "cost_position")
    sizes = [tree.n_leaves for tree in trees]
    assert order([-y for y in found["heights"]]) == order(sizes)
    assert f"from {min(sizes)} to {max(sizes)} leaves" in found["said"]
    changes = [k for k in range(1, LAST + 1) if first[k] != first[k - 1]]
    assert [title for _, _, title in found["bands"]] == [first[k] for k in [0, *changes]]
    assert len(changes) > 0
