"""The explorer of biased bits in a browser: what it shows is what the package computes."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import (
    GRID,
    MOVE,
    Open,
    amount,
    choose,
    numbers,
    power,
    press_along,
    restricted,
    settle,
    shown,
    status,
    status_numbers,
    tip_facts,
    write_page,
)
from support.paths import bound_bits, hardest_restriction

import dtviz as dt
from dtviz.core.boolean.measures import resample_influences
from dtviz.product.explorer import BUDGETS, ProductExplorer

if TYPE_CHECKING:
    from playwright.sync_api import Page

FUNCTIONS = ProductExplorer().functions
SLIDER = [k / 100 for k in range(1, 100)]
GUARDED = "guarded(majority(5))"
GUARD = [0.05, 0.5, 0.5, 0.5, 0.5, 0.5]
MIXED = [0.2, 0.4, 0.55, 0.9, 0.62, 0.07]


page = shown(lambda: ProductExplorer(function="multiplexer(2)"))
"""A page with an explorer of the functions of the book, one bias for all."""


def bias_text(p: float) -> str:
    return f"{p:.2f}" if round(p * 100) == p * 100 or len(f"{p:g}") < 5 else f"{p:g}"


@cache
def path_of(f: dt.BooleanFunction, p: tuple[float, ...]) -> dt.influence.GrowthPath:
    return dt.build_top_down(f, dt.ProductDistribution(p))


def status_of(
    f: dt.BooleanFunction, p: float | list[float], epsilon: float, moving: tuple[int, ...] = ()
) -> list[str]:
    """Return the numbers that the status line must say of the exact learner.

    Of biases of their own the last one was moved, unless it says which ones move.
    """
    biases = (p,) * f.n if isinstance(p, float) else tuple(p)
    path = path_of(f, biases)
    step = path.n_leaves_for(epsilon) - 1
    said = bias_text(biases[0])
    if not isinstance(p, float):
        at = moving or (f.n - 1,)
        others = [bias_text(q) for i, q in enumerate(p) if i not in at]
        rest = others[:1] if len({*others}) == 1 else others
        said = " ".join([bias_text(p[at[0]]), *(f.names[i] for i in at if others), *rest])
    root = f.names[path.node_variable[0]] if step else ""
    best = dt.optimal(f, dt.ProductDistribution(biases))
    error, cost = amount(path.errors[step]), amount(path.costs[step])
    allowed = f"{epsilon:.3f}" if round(1000 * epsilon) % 10 else f"{epsilon:.2f}"
    asks = f"{amount(best.average_depth)} {best.depth}"
    return numbers(f"{said} {root} {step + 1:,} {error} {allowed} {cost} {asks}")


SET_BIASES = """
(biases) => {
  const inputs = document.querySelectorAll(".dtviz-explorer input[type=range][name=biases]");
  biases.forEach((value, i) => {
    inputs[i].value = value;
    inputs[i].dispatchEvent(new Event("input", { bubbles: true }));
  });
}
"""


ROWS = """
all => all.map((row) => [
  row.querySelector("label").textContent, row.querySelector(".dtviz-value").textContent,
  row.querySelector(".dtviz-amount").textContent, row.querySelector(".dtviz-mark").textContent,
  row.querySelector(".dtviz-fill").getBoundingClientRect().width
    / row.querySelector(".dtviz-bar").getBoundingClientRect().width,
])
"""


@pytest.mark.parametrize("name", ["multiplexer(2)", "majority(5)", GUARDED])
def test_sliders_and_bars_show_what_the_package_finds(page: Page, name: str) -> None:
    f = FUNCTIONS[name]
    choose(page, function=name)
    said = page.evaluate(MOVE, ["bias", SLIDER[::7]])
    assert list(map(numbers, said)) == [status_of(f, p, 0.1) for p in SLIDER[::7]]
    said = page.evaluate(MOVE, ["epsilon", GRID[::7]])
    assert list(map(numbers, said)) == [status_of(f, SLIDER[98], e) for e in GRID[::7]]
    choose(page, epsilon=0.1)
    for p in ([0.5] * f.n, MIXED[: f.n]):
        page.evaluate(SET_BIASES, p)
        assert status_numbers(page) == status_of(f, p, 0.1)
        exact = resample_influences(f, dt.ProductDistribution(p))
        best = np.flatnonzero(np.isclose(exact, exact.max()))
        rows = page.locator(".dtviz-bias-row").evaluate_all(ROWS)
        assert len(rows) == f.n
        for i, (*texts, share) in enumerate(rows):
            mark = "root" if i == best[0] else "tied" if i in best else ""
            assert texts == [f.names[i], bias_text(p[i]), amount(exact[i]), mark]
            assert share == pytest.approx(2 * exact[i], abs=0.01)
    choose(page, biases="all", bias=0.6)  # it puts all back on one
    assert status_numbers(page) == status_of(f, 0.6, 0.1)


def test_the_slider_moves_the_variables_that_share_its_bias(tab: Open, tmp_path: Path) -> None:
    """By keys, by the mouse on the chart beside, and by Play; the others keep their own."""
    f = dt.BooleanFunction.from_text("x0 & x1 | x2")
    given: dict[str, list[float | None]] = {
        "x2": [0.5, 0.4, None],
        "x0": [None, 0.4, 0.4],
        "x1, x2": [0.5, None, None],
    }
    for names, own in given.items():
        explorer = ProductExplorer(f, biases=own, bias=0.1, views=["tree", "root"])
        page = tab(write_page(tmp_path, explorer), reduced_motion=True).page
        slider = page.get_by_label(f"Bias of {names}, p")

        def read(p: float, own: list[float | None] = own) -> list[str]:
            moving = tuple(i for i, one in enumerate(own) if one is None)
            return status_of(f, [p if q is None else q for q in own], 0.1, moving)

        slider.press("ArrowRight")
        assert status_numbers(page) == read(0.11)
        settle(page)
        assert names in page.locator(".dtviz-aside").all_inner_texts()[-1]
        page.locator(".dtviz-cover").last.click()
        assert status_numbers(page) == read(0.5)
        page.get_by_role("button", name="Play").click()
        slider.and_(page.locator("[aria-valuetext='0.70']")).wait_for()
        assert status_numbers(page) == read(0.7)


def test_the_page_says_where_the_root_changes(page: Page) -> None:
    answer = page.locator(".dtviz-reigns")
    note = page.locator("div:has(> .dtviz-reigns) .dtviz-aside")
    assert numbers(note.inner_text()) == []
    assert numbers(answer.inner_text()) == ["2", "0.333", "0", "0.667", "5"]
    assert page.locator(".dtviz-threshold-text").all_text_contents() == ["0.333", "0.667"]
    assert page.locator(".dtviz-reign-name").all_text_contents() == ["x2", "x0", "x5"]
    for p, root in ((0.33, "2"), (0.34, "0"), (0.66, "0"), (0.67, "5")):
        choose(page, bias=p)
        assert status_numbers(page)[1] == root
        first = page.locator("[role=treeitem]").first.get_attribute("aria-label")
        assert root in numbers(str(first))
    # The bias moved last is the axis, and a press on the chart moves it.
    p = [0.21, 0.5, 0.5, 0.5, 0.5, 0.5]
    page.evaluate(SET_BIASES, [0.2, *p[1:]])
    page.locator("input[name=biases]").first.press("ArrowRight")
    settle(page)
    assert numbers(note.inner_text()) == ["0"]
    assert status_numbers(page) == status_of(FUNCTIONS["multiplexer(2)"], p, 0.1, (0,))
    # Influences that only touch.
    assert numbers(answer.inner_text()) == ["1", "0.500", "0"]
    press_along(page.locator("div:has(> .dtviz-reigns) .dtviz-cover"), 0.75)
    expected = status_of(FUNCTIONS["multiplexer(2)"], [0.75, *p[1:]], 0.1, (0,))
    assert status_numbers(page) == expected
    choose(page, function="majority(5)")
    settle(page)
    assert numbers(answer.inner_text()) == ["0"]


def test_the_race_is_won_with_draws(page: Page) -> None:
    """Sliding the draws shows when the sampled learner follows the exact one."""
    f = FUNCTIONS["random(5, 1)"]
    choose(page, function="random(5, 1)", bias=0.4, epsilon=0.05, view="race")
    exact, sampled = page.locator("[role=tree]").all()[:2]
    names = (
        "tree => [...tree.querySelectorAll('[data-state=inner]')]"
        ".map((e) => e.querySelector('.dtviz-name').textContent)"
    )
    choose(page, samples=len(BUDGETS) - 1)
    settle(page)
    assert exact.evaluate(names) == sampled.evaluate(names)
    path = path_of(f, (0.4,) * 5)
    stop = path.n_leaves_for(0.05) - 1
    both = f"{stop + 1} {amount(path.errors[stop])}"
    expected = numbers(f"0.40 16,384 {both} {stop} {stop} {both} 0.05")
    assert status_numbers(page) == expected
    label = page.locator(".dtviz-chart:visible svg").last.get_attribute("aria-label")
    assert numbers(str(label))[:2] == ["16,384", "1.000"]
    key = page.locator(".dtviz-key:visible").last.inner_text()
    assert f"{dt.product.pairs_needed(0, 5, 0.05, 0.1):,}" in numbers(key)
    # A press on the chart sets the draws; with few of them it is another tree.
    cover = page.locator("[data-view=race] .dtviz-cover")
    press_along(cover, 0)
    settle(page)
    before = status_numbers(page)
    assert before[1] == "8"
    assert before[-3:] == expected[-3:]
    assert exact.evaluate(names) != sampled.evaluate(names)
    page.get_by_label("Draw again").click()
    assert status_numbers(page)[1] == "8"
    assert status_numbers(page) != before
    press_along(cover, 1)
    assert status_numbers(page)[1] == "16,384"


def test_nodes_tell_what_they_are_and_why(page: Page) -> None:
    """Of what is left of f there, and how probable it is to come there."""
    f, p = FUNCTIONS["random(5, 1)"], MIXED[:5]
    choose(page, function="random(5, 1)", epsilon=0.05)
    page.evaluate(SET_BIASES, p)
    for part in page.locator("[data-state=inner]:visible").all()[:4]:
        part.hover()
        facts = tip_facts(page)
        rest, left = restricted(f, facts["title"])
        bits = dict(re.findall(r"x(\d)=(\d)", facts["title"]))
        probability = math.prod(p[int(i)] if b == "1" else 1 - p[int(i)] for i, b in bits.items())
        assert float(facts["probability"]) == pytest.approx(probability, rel=0.05)
        exact = resample_influences(rest, dt.ProductDistribution([p[i] for i in left]))
        assert facts["score"] == amount(probability * exact.max())
        rows = page.locator(".dtviz-candidate").all_inner_texts()
        order = [int(k) for k in np.argsort(-exact, kind="stable")]
        said = [[f"x{left[k]}", amount(exact[k])] for k in order]
        assert [row.split()[:2] for row in rows] == said
        assert facts["splits on"] == said[0][0]


@pytest.mark.parametrize(("name", "p"), [("multiplexer(2)", [0.3] * 6), (GUARDED, GUARD)])
def test_depths_and_bounds(page: Page, name: str, p: list[float]) -> None:
    f, mu = FUNCTIONS[name], dt.ProductDistribution(p)
    best, path = dt.optimal(f, mu), path_of(f, tuple(p))
    choose(page, function=name, view="bounds")
    page.evaluate(SET_BIASES, p)
    means, depth = [amount(best.average_depth), amount(best.max_average_depth)], str(best.depth)
    at = ", ".join(f"x{i}={b}" for i, b in sorted(hardest_restriction(best).items()))
    for epsilon in (0.2, 0.01):
        choose(page, epsilon=epsilon)
        tree, step = path.tree(epsilon=epsilon), path.n_leaves_for(epsilon) - 1
        cells = page.locator(".dtviz-depths td").all_inner_texts()
        expected = [str(tree.depth), depth, depth, amount(tree.average_depth(mu)), *means]
        assert cells == [*expected[:-1], means[1] + (f" at {at}" if at else "")]
        bits = [float(f.n), *bound_bits(f, mu, epsilon)]
        sizes = page.locator(".dtviz-size-row .dtviz-amount").all_inner_texts()
        assert numbers(" ".join(sizes)) == [str(tree.n_leaves), *(amount(b, 1) for b in bits)]
        widths = page.locator(".dtviz-sizes .dtviz-fill").evaluate_all(
            "all => all.map((e) => parseFloat(e.style.width))"
        )
        assert np.argsort(widths).tolist() == np.argsort([math.log2(step + 1), *bits]).tolist()
        assert max(widths) <= 100
        # The curves of the score and of its floors have their numbers.
        tags = page.locator(".dtviz-chart:visible .dtviz-tag:visible").all_text_contents()
        shown = dict(tag.rsplit(" ", 1) for tag in tags if not tag.startswith(("cost", "error")))
        deltas = {"by Δmax": best.max_average_depth, "by D": best.depth}
        deltas["by Δ(f)"] = best.average_depth
        floors = {
            key: dt.product.score_floor_by_error(path.errors[step], step, delta)
            for key, delta in deltas.items()
        } | {"score": path.scores[step]}
        values = {key: float(t.split("·")[0]) * 10.0 ** -power(t) for key, t in shown.items()}
        assert values == pytest.approx(floors, rel=0.6)
    verdict = numbers(page.locator(".dtviz-facts .dtviz-verdict").inner_text())
    least = (
        dt.product.score_floor_by_error(path.errors[j], j, best.average_depth)
        for j in range(path.n_splits)
    )
    below = [j for j, floor in enumerate(least) if path.scores[j] < floor * (1 - 1e-9)]
    assert verdict[1:] == (numbers(f"{below[0] or ''} {at} {means[1]} {means[0]}") if below else [])


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
    assert numbers(title.inner_text()) == ["2", f"{error:.3f}", str(surplus)]
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


def test_the_caption_tells_the_tree() -> None:
    path = path_of(FUNCTIONS["multiplexer(2)"], (0.3,) * 6)
    step = path.n_leaves_for(0.1) - 1
    expected = f"{step + 1} {path.errors[step]:.3f} {path.costs[step]:.3f}"
    assert numbers(ProductExplorer(function="multiplexer(2)").caption())[-3:] == numbers(expected)
    own = ProductExplorer(function=GUARDED, biases=GUARD, epsilon=0.5)
    assert numbers(own.caption())[-10:-2] == [*map(str, GUARD), "0.5", "1"]
    assert "A tree of the reader's own" in ProductExplorer(splits=[[0, 1]]).caption()
    assert ProductExplorer(dt.BooleanFunction(2, [1] * 4)).picture().axes


@pytest.mark.parametrize("kind", [list, tuple, np.array, dt.ProductDistribution])
def test_a_bias_for_each_variable(kind: Any) -> None:
    p = [0.2, 0.9, 0.5]
    explorer = ProductExplorer("a & b | c", bias=kind(p))
    assert explorer.biases == explorer.mu.p.tolist() == p
    f = dt.BooleanFunction.from_text("a & b | c")
    assert explorer.path().errors.tolist() == path_of(f, tuple(p)).errors.tolist()
    # The line of Python that makes it again has them.
    assert explorer._call["defaults"]["biases"] == []
    with pytest.raises(ValueError, match="biases must not be given beside"):
        ProductExplorer("a & b | c", bias=p, biases=p)
    assert ProductExplorer("a & b | c", bias=0.3, biases=[0.12]).mu.p.tolist() == [0.12, 0.3, 0.3]
