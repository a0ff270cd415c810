"""The explorer of biased bits in a browser: what it computes there is what the package computes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import (
    MOVE,
    Open,
    amount,
    numbers,
    run_as_widget,
    settle,
    status_numbers,
    tip_facts,
    undisturbed,
    write_page,
)
from support.node import evaluate
from support.paths import bound_bits, hardest_restriction

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.product.approximate import split_shares
from dtviz.product.explorer import BIASED, BUDGETS, ProductExplorer

if TYPE_CHECKING:
    from playwright.sync_api import Page

FUNCTIONS = ProductExplorer().functions
KERNELS = [STATIC / "computing/greedy.js", STATIC.parents[1] / "product" / "kernel_samples.js"]
SLIDER = [k / 100 for k in range(1, 100)]
GUARDED = "guarded(majority(5))"
GUARD = [0.05, 0.5, 0.5, 0.5, 0.5, 0.5]


def mux() -> ProductExplorer:
    return ProductExplorer(function="multiplexer(2)")


@pytest.fixture(scope="session")
def product_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with an explorer of the functions of the book, one bias for all."""
    return write_page(tmp_path_factory.mktemp("product"), mux())


@pytest.fixture
def page(tab: Open, product_page: str) -> Iterator[Page]:
    """That explorer on a page from disk; it must not complain or ask another host."""
    seen = tab(product_page, reduced_motion=True)
    settle(seen.page)
    yield from undisturbed(seen)


def packed(f: dt.BooleanFunction) -> dict[str, Any]:
    return {"n": f.n, "table": f.table.tolist()}


def bias_text(p: float) -> str:
    return f"{p:.2f}" if round(p * 100) == p * 100 or len(f"{p:g}") < 5 else f"{p:g}"


def epsilon_text(epsilon: float) -> str:
    return f"{epsilon:.3f}" if round(1000 * epsilon) % 10 else f"{epsilon:.2f}"


def mixed(n: int, seed: int) -> list[float]:
    """Biases of the sliders, drawn at random."""
    return np.random.default_rng(seed).choice(SLIDER, n).tolist()


@cache
def path_of(f: dt.BooleanFunction, p: tuple[float, ...]) -> dt.influence.GrowthPath:
    return dt.build_top_down(f, dt.ProductDistribution(p))


def stop_of(path: dt.influence.GrowthPath, epsilon: float) -> int:
    return path.n_leaves_for(epsilon) - 1


def status_of(
    name: str,
    p: float | list[float],
    epsilon: float,
    functions: dict[str, dt.BooleanFunction] = FUNCTIONS,
    moving: tuple[int, ...] = (),
) -> list[str]:
    """Return the numbers that the status line must say of the exact learner.

    Of biases of their own the last one was moved, unless it says which ones move.
    """
    f = functions[name]
    biases = (p,) * f.n if isinstance(p, float) else tuple(p)
    path = path_of(f, biases)
    step = stop_of(path, epsilon)
    said = bias_text(biases[0])
    if not isinstance(p, float):
        at = moving or (f.n - 1,)
        others = [bias_text(q) for i, q in enumerate(p) if i not in at]
        rest = others[:1] if len({*others}) == 1 else others
        said = " ".join([bias_text(p[at[0]]), *(f.names[i] for i in at if others), *rest])
    root = f.names[path.node_variable[0]] if step else ""
    best = dt.optimal(f, dt.ProductDistribution(biases))
    error, cost = amount(path.errors[step]), amount(path.costs[step])
    asks = f"{amount(best.average_depth)} {best.depth}"
    return numbers(f"{said} {root} {step + 1:,} {error} {epsilon_text(epsilon)} {cost} {asks}")


SET_BIASES = """
(biases) => {
  const inputs = document.querySelectorAll(".dtviz-explorer input[type=range][name=biases]");
  biases.forEach((value, i) => {
    inputs[i].value = value;
    inputs[i].dispatchEvent(new Event("input", { bubbles: true }));
  });
}
"""


def choose(page: Page, **state: Any) -> None:
    """Set controls by their names."""
    for name, value in state.items():
        if name in {"function", "view"}:
            page.locator(f"select[name={name}]").first.select_option(value)
        elif name == "biases":
            page.evaluate(SET_BIASES, value)
        else:
            if name == "bias" and page.locator("select[name=biases] [value=all]").count():
                page.locator("select[name=biases]").select_option("all")
            page.evaluate(MOVE, [name, [BUDGETS.index(value) if name == "samples" else value]])


def exact_influences(f: dt.BooleanFunction, p: list[Fraction]) -> list[Fraction]:
    """Resample influences by their definition."""
    weights = [Fraction(1)]
    for q in p:
        weights = [w * (1 - q) for w in weights] + [w * q for w in weights]
    return [
        2
        * p[i]
        * (1 - p[i])
        * sum(w for x, w in enumerate(weights) if f.table[x] != f.table[x ^ (1 << i)])
        for i in range(f.n)
    ]


def winner(f: dt.BooleanFunction, p: list[Fraction]) -> int:
    values = exact_influences(f, p)
    return values.index(max(values)) if max(values) > 0 else -1


def moved(p: list[float], moving: list[int], t: Fraction) -> list[Fraction]:
    return [t if i in moving else Fraction(q) for i, q in enumerate(p)]


def scrambled(place: np.ndarray) -> np.ndarray:
    """The page's random numbers, written out again: a hash of the place, 32 bits."""
    x = place.astype(np.uint64) & 0xFFFFFFFF
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = ((x ^ (x >> np.uint64(shift))) * np.uint64(factor)) & 0xFFFFFFFF
    return x ^ (x >> np.uint64(16))


def drawn(p: list[float], seed: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """The points of the first draws and the points made of their fresh copies."""
    n = len(p)
    offset = scrambled(np.array([seed + 1]))[0]
    places = np.arange(2 * n * draws, dtype=np.uint64) + offset
    bits = scrambled(places).reshape(draws, 2, n) < np.array(p) * 2.0**32
    both = bits @ (1 << np.arange(n))
    return both[:, 0], both[:, 1]


def sampled_path(
    f: dt.BooleanFunction, p: list[float], seed: int, draws: int, epsilon: float
) -> tuple[list[int], list[int], int]:
    """The learner of the race, split by split on the draws themselves: its splits, and its stop.

    Scores are counts of draws, so ties are exact; they go to the shallowest, leftmost leaf and to
    the lowest variable.
    """
    x, copy = drawn(p, seed, draws)
    other = [x ^ ((x ^ copy) & (1 << i)) for i in range(f.n)]
    differ = [f.table[x] != f.table[other[i]] for i in range(f.n)]

    def leaf(here: np.ndarray, place: str, free: list[int]) -> dict[str, Any]:
        counts = {i: int((here & differ[i]).sum()) for i in free}
        best = max(counts.values(), default=0)
        ones = int(f.table[x[here]].sum())
        return {
            "here": here,
            "place": place,
            "free": free,
            "score": best,
            "variable": min((i for i in free if counts[i] == best), default=-1),
            "wrong": min(ones, int(here.sum()) - ones),
        }

    leaves = {0: leaf(np.ones(draws, dtype=bool), "", list(range(f.n)))}
    nodes: list[int] = []
    variables: list[int] = []
    stop = -1
    while True:
        if stop < 0 and sum(one["wrong"] for one in leaves.values()) <= epsilon * draws * (
            1 + 1e-12
        ):
            stop = len(nodes)
        k = min(
            leaves, key=lambda k: (-leaves[k]["score"], len(leaves[k]["place"]), leaves[k]["place"])
        )
        chosen = leaves[k]
        if chosen["score"] == 0:
            return nodes, variables, stop if stop >= 0 else len(nodes)
        del leaves[k]
        i = chosen["variable"]
        free = [j for j in chosen["free"] if j != i]
        for bit in (0, 1):
            here = chosen["here"] & ((x >> i & 1) == bit)
            leaves[2 * len(nodes) + 1 + bit] = leaf(here, chosen["place"] + str(bit), free)
        nodes.append(k)
        variables.append(i)


RACE = """
({ n, table, p, seed, budgets, epsilon }) => {
  const f = { n, table: Uint8Array.from(table) };
  const bits = drawsOf(p, seed, budgets.at(-1));
  const seen = sampleWeights(f, bits, budgets);
  return sampledRuns(f, truthOf(f, p), bits, budgets, epsilon).map((run, k) => {
    const { path } = run;
    return {
      seen: Array.from(seen[k].weights), draws: run.draws, stop: run.stop, error: run.error,
      least: run.least, good: run.good, split: path.split, variable: path.variable,
      errors: Array.from(path.errors), scores: Array.from(path.scores),
      label: path.split.map(path.label),
    };
  });
}
"""


@pytest.mark.parametrize(
    ("name", "p", "epsilon", "seed"),
    [
        ("random(5, 1)", [0.4] * 5, 0.05, 0),
        ("multiplexer(2)", [0.3] * 6, 0.1, 1),
        ("majority(5)", [0.5] * 5, 0.02, 2),
        (GUARDED, GUARD, 0.01, 3),
        ("x0 or (x1 and x2)", [0.12, 0.5, 0.5], 0.0, 999),
    ],
)
def test_the_sampled_learner_splits_on_its_draws(
    name: str, p: list[float], epsilon: float, seed: int
) -> None:
    f, mu = FUNCTIONS[name], dt.ProductDistribution(p)
    budgets = [8, 64, 512, 4096]
    case = packed(f) | {"p": p, "seed": seed, "budgets": budgets, "epsilon": epsilon}
    for m, run in zip(budgets, evaluate(KERNELS, RACE, case), strict=True):
        x, _ = drawn(p, seed, m)
        np.testing.assert_array_equal(run["seen"], np.bincount(x, minlength=2**f.n) / m)
        nodes, variables, stop = sampled_path(f, p, seed, m, epsilon)
        assert run["split"] == nodes
        assert run["variable"] == variables
        assert (run["draws"], run["stop"]) == (m, stop)
        # What its splits are truly worth, by replaying them on f.
        truth = dt.product.replay(f, mu, nodes, variables)
        shares = split_shares(truth)[:stop]
        assert run["least"] == pytest.approx(min(shares, default=1.0), rel=1e-6)
        assert run["good"] == (shares >= 1 - 1e-9).sum()
        # Its labels are those of its draws, so its true error may be above the least possible.
        tree = dt.product.replay(f, mu, nodes[:stop], variables[:stop]).tree(stop + 1)
        labels = majority_labels(tree, x, f)
        wrong = labels[tree.apply_points(f)] != f.table
        assert run["error"] == pytest.approx(mu.weights()[wrong].sum(), abs=1e-12)
        assert run["errors"][stop] == pytest.approx(run["error"], abs=1e-12)


def majority_labels(tree: dt.Tree, x: np.ndarray, f: dt.BooleanFunction) -> np.ndarray:
    """The label of every node by the majority of the draws there, 0 when tied."""
    leaf = tree.apply_points(f)[x]
    ones = np.bincount(leaf[f.table[x] == 1], minlength=tree.n_nodes)
    zeros = np.bincount(leaf[f.table[x] == 0], minlength=tree.n_nodes)
    return (ones > zeros).astype(int)


def test_draws_are_fair() -> None:
    """The hash is no toy: means and pairs of bits are within five standard deviations."""
    p = [0.2, 0.5, 0.7]
    x, copy = drawn(p, 5, 16384)
    bits = np.array([[x >> i & 1, copy >> i & 1] for i in range(3)]).reshape(6, -1)
    q = np.repeat(p, 2)
    spread = 5 * np.sqrt(q * (1 - q) / 16384)
    assert (np.abs(bits.mean(axis=1) - q) < spread).all()
    centered = bits - q[:, None]
    for a in range(6):
        for b in range(a):
            deviation = math.sqrt(q[a] * (1 - q[a]) * q[b] * (1 - q[b]) / 16384)
            assert abs((centered[a] * centered[b]).mean()) < 5 * deviation


def race_of(name: str, p: float, epsilon: float, draws: int, seed: int) -> list[str]:
    """Return the numbers that the status line must say of the race."""
    f = FUNCTIONS[name]
    biases = [p] * f.n
    mu = dt.ProductDistribution(biases)
    nodes, variables, stop = sampled_path(f, biases, seed, draws, epsilon)
    shares = split_shares(dt.product.replay(f, mu, nodes, variables))[:stop]
    tree = dt.product.replay(f, mu, nodes[:stop], variables[:stop]).tree(stop + 1)
    labels = majority_labels(tree, drawn(biases, seed, draws)[0], f)
    error = mu.weights()[labels[tree.apply_points(f)] != f.table].sum()
    path = path_of(f, tuple(biases))
    step = stop_of(path, epsilon)
    good = f"{(shares >= 1 - 1e-9).sum()} {stop}" if stop else ""
    exact = f"{step + 1:,} {amount(path.errors[step])} {epsilon_text(epsilon)}"
    return numbers(f"{bias_text(p)} {draws:,} {stop + 1:,} {amount(error)} {good} {exact}")


@pytest.mark.parametrize(
    ("name", "p", "epsilon"), [("random(5, 1)", 0.4, 0.05), ("multiplexer(2)", 0.3, 0.1)]
)
def test_the_race_at_every_number_of_draws(page: Page, name: str, p: float, epsilon: float) -> None:
    choose(page, function=name, bias=p, epsilon=epsilon, view="race")
    budgets = [m for m in BUDGETS if m <= 4096]
    said = page.evaluate(MOVE, ["samples", [BUDGETS.index(m) for m in budgets]])
    assert list(map(numbers, said)) == [race_of(name, p, epsilon, m, 0) for m in budgets]
    page.get_by_label("Draw again").click()
    choose(page, samples=256)
    assert status_numbers(page) == race_of(name, p, epsilon, 256, 1)
    choose(page, bias=0.7)
    assert status_numbers(page) == race_of(name, 0.7, epsilon, 256, 1)


def test_the_race_is_won_with_draws(page: Page) -> None:
    """Sliding the draws shows when the sampled learner follows the exact one."""
    choose(page, function="random(5, 1)", bias=0.4, epsilon=0.05, view="race")
    settle(page)
    curve = page.locator(".dtviz-chart:visible path.dtviz-curve.dtviz-score").last
    heights = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", curve.get_attribute("d") or "")]
    assert len(heights) == len(BUDGETS)
    top, bottom = 12.0, 190.0
    shares = [(bottom - y) / (bottom - top) for y in heights]
    assert shares[-1] == pytest.approx(1, abs=1e-6)
    assert min(shares) < 0.3
    choose(page, samples=BUDGETS[-1])
    settle(page)
    exact, sampled = page.locator("[role=tree]").all()[:2]
    names = (
        "all => all.filter((e) => e.dataset.state === 'inner')"
        ".map((e) => e.querySelector('.dtviz-name').textContent)"
    )
    assert exact.locator("[role=treeitem]").evaluate_all(names) == sampled.locator(
        "[role=treeitem]"
    ).evaluate_all(names)
    label = page.locator(".dtviz-chart:visible svg").last.get_attribute("aria-label")
    assert numbers(str(label))[:2] == ["16,384", "1.000"]
    choose(page, samples=8)
    settle(page)
    assert exact.locator("[role=treeitem]").evaluate_all(names) != sampled.locator(
        "[role=treeitem]"
    ).evaluate_all(names)
    key = page.locator(".dtviz-key:visible").last.inner_text()
    assert f"{dt.product.pairs_needed(0, 5, 0.05, 0.1):,}" in numbers(key)


def misread(page: Page, names: list[str], stride: int = 1) -> list[str]:
    """Sweep the common bias for every function; return where the status line is wrong."""
    found = []
    for name in names:
        choose(page, function=name)
        said = page.evaluate(MOVE, ["bias", SLIDER[::stride]])
        pairs = zip(said, [status_of(name, p, 0.1) for p in SLIDER[::stride]], strict=True)
        found += [f"{name}: {a!r}, not {b}" for a, b in pairs if numbers(a) != b]
    return found


def test_every_bias_of_every_function(page: Page) -> None:
    every = ["multiplexer(2)", "random(5, 1)", "x0 or (x1 and x2)", "caterpillar(1)"]
    assert misread(page, every) == []
    assert misread(page, [name for name in BIASED if name not in every], stride=5) == []


@pytest.mark.parametrize("name", ["multiplexer(2)", "random(6, 3)"])
def test_every_epsilon(page: Page, name: str) -> None:
    grid = [round(0.005 * k, 3) for k in range(101)]
    choose(page, function=name, bias=0.35)
    said = page.evaluate(MOVE, ["epsilon", grid])
    assert list(map(numbers, said)) == [status_of(name, 0.35, epsilon) for epsilon in grid]


def test_biases_of_single_variables(page: Page) -> None:
    for name in ("multiplexer(2)", "x0 or (x1 and x2)", GUARDED, "random(6, 3)"):
        choose(page, function=name, bias=0.3)
        f = FUNCTIONS[name]
        assert page.locator("input[type=range][name=biases]").count() == f.n
        for seed in range(3):
            p = mixed(f.n, seed)
            choose(page, biases=p)
            assert status_numbers(page) == status_of(name, p, 0.1)
            shown_p = page.locator(".dtviz-bias-row .dtviz-value").all_inner_texts()
            assert shown_p == [bias_text(q) for q in p]
    choose(page, bias=0.6)  # chosen to move all, it puts all back on one
    assert status_numbers(page) == status_of("random(6, 3)", 0.6, 0.1)


def test_the_slider_moves_the_variables_that_share_its_bias(tab: Open, tmp_path: Path) -> None:
    """By keys, by the mouse on the chart beside, and by Play; the others keep their own."""
    f = {"f": dt.BooleanFunction.from_text("x0 & x1 | x2")}
    pages = {
        "x2": ProductExplorer(f, biases=[0.5, 0.4], bias=0.1, views=["tree", "root"]),
        "x0": ProductExplorer(f, biases=[None, 0.4, 0.4], bias=0.1, views=["tree", "root"]),
        "x1, x2": ProductExplorer(f, biases=[0.5], bias=0.1, views=["tree", "root"]),
    }
    for names, explorer in pages.items():
        page = tab(write_page(tmp_path, explorer), reduced_motion=True).page
        own = [*explorer.biases, *[None] * 3][:3]
        slider = page.get_by_label(f"Bias of {names}, p")

        def read(p: float, own: list[float | None] = own) -> list[str]:
            moving = tuple(i for i, one in enumerate(own) if one is None)
            return status_of("f", [p if q is None else q for q in own], 0.1, f, moving)

        slider.press("ArrowRight")
        assert status_numbers(page) == read(0.11)
        settle(page)
        assert names in page.locator(".dtviz-aside").all_inner_texts()[-1]
        page.locator(".dtviz-cover").last.click()
        assert status_numbers(page) == read(0.5)
        page.get_by_role("button", name="Play").click()
        slider.and_(page.locator("[aria-valuetext='0.70']")).wait_for()
        assert status_numbers(page) == read(0.7)


ROWS = """
all => all.map((row) => ({
  name: row.querySelector("label").textContent,
  amount: row.querySelector(".dtviz-amount").textContent,
  mark: row.querySelector(".dtviz-mark").textContent,
  share: row.querySelector(".dtviz-fill").getBoundingClientRect().width
    / row.querySelector(".dtviz-bar").getBoundingClientRect().width,
  winner: row.classList.contains("dtviz-winner"),
}))
"""


@pytest.mark.parametrize("name", ["multiplexer(2)", "random(5, 1)", "majority(5)", GUARDED])
def test_bars_are_the_influences(page: Page, name: str) -> None:
    f = FUNCTIONS[name]
    choose(page, function=name)
    states = [[0.1] * f.n, [0.5] * f.n, [0.8] * f.n, mixed(f.n, 1), mixed(f.n, 2)]
    for p in states:
        choose(page, biases=p)
        exact = exact_influences(f, [Fraction(round(100 * q), 100) for q in p])
        best = max(exact)
        rows = page.locator(".dtviz-bias-row").evaluate_all(ROWS)
        for i, (row, value) in enumerate(zip(rows, exact, strict=True)):
            assert row["name"] == f.names[i]
            assert row["amount"] == amount(float(value))
            assert row["share"] == pytest.approx(2 * float(value), abs=0.01)
            assert row["winner"] == (i == exact.index(best))
            assert bool(row["mark"]) == (value == best)


def test_the_page_says_where_the_root_changes(page: Page) -> None:
    answer = page.locator(".dtviz-reigns")
    assert numbers(answer.inner_text()) == ["2", "0.333", "0", "0.667", "5"]
    assert page.locator(".dtviz-threshold-text").all_text_contents() == ["0.333", "0.667"]
    assert page.locator(".dtviz-reign-name").all_text_contents() == ["x2", "x0", "x5"]
    roots = set()
    for p, root in ((0.33, 2), (0.34, 0), (0.66, 0), (0.67, 5)):
        choose(page, bias=p)
        assert status_numbers(page)[1] == str(root)
        first = page.locator("[role=treeitem]").first.get_attribute("aria-label")
        assert str(root) in numbers(str(first))
        roots.add(root)
    assert len(roots) == 3
    choose(page, function="majority(5)")
    settle(page)
    assert numbers(answer.inner_text()) == ["0"]


def test_the_bias_moved_last_is_the_axis(page: Page) -> None:
    note = page.locator("div:has(> .dtviz-reigns) .dtviz-aside")
    assert numbers(note.inner_text()) == []
    choose(page, biases=[0.2, 0.4, 0.5, 0.5, 0.5, 0.5])
    page.locator("input[name=biases]").first.focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    assert numbers(note.inner_text()) == ["0"]
    p = [0.21, 0.4, 0.5, 0.5, 0.5, 0.5]
    assert status_numbers(page) == status_of("multiplexer(2)", p, 0.1, moving=(0,))
    cuts = [float(cut) for cut in page.locator(".dtviz-threshold-text").all_text_contents()]
    names = [name[1:] for name in page.locator(".dtviz-reign-name").all_text_contents()]
    assert len(cuts) == 4
    for cut, around in zip(cuts, pairwise(names), strict=True):
        for side, expected in zip((-1, 1), around, strict=True):
            t = Fraction(cut) + side * Fraction(1, 500)
            assert winner(FUNCTIONS["multiplexer(2)"], moved(p, [0], t)) == int(expected)
    # Dragging on the chart moves that bias.
    sweep = page.locator("div:has(> .dtviz-reigns) .dtviz-cover")
    sweep.scroll_into_view_if_needed()
    cover = sweep.bounding_box()
    assert cover is not None
    page.mouse.click(cover["x"] + cover["width"] * 0.75, cover["y"] + 20)
    assert status_numbers(page) == status_of("multiplexer(2)", [0.75, *p[1:]], 0.1, moving=(0,))
    choose(page, function="x0 or (x1 and x2)", biases=[0.4, 0.4, 0.9])
    settle(page)
    assert numbers(note.inner_text()) == ["2"]
    # Influences that only touch.
    choose(page, function="multiplexer(2)", biases=[0.2, 0.5, 0.5, 0.5, 0.5, 0.5])
    choose(page, biases=[0.5])
    settle(page)
    answer = page.locator(".dtviz-reigns").inner_text()
    assert numbers(answer) == ["1", "0.500", "0"]


def test_a_press_on_the_chart_of_the_race_sets_the_draws(page: Page) -> None:
    choose(page, function="random(5, 1)", bias=0.4, epsilon=0.1, view="race")
    last = page.locator("[data-view=race] .dtviz-cover")
    last.scroll_into_view_if_needed()
    cover = last.bounding_box()
    assert cover is not None
    page.mouse.click(cover["x"] + 1, cover["y"] + 30)
    assert status_numbers(page)[1] == "8"
    page.mouse.click(cover["x"] + cover["width"] - 1, cover["y"] + 30)
    assert status_numbers(page)[1] == "16,384"


def test_leaves_tell_what_they_are(page: Page) -> None:
    f, p = FUNCTIONS["random(5, 1)"], mixed(5, 3)
    mu = dt.ProductDistribution(p)
    choose(page, function="random(5, 1)", biases=p, epsilon=0.15)
    path = path_of(f, tuple(p))
    scores = dt.influence.leaf_scores(path.tree(epsilon=0.15), f, mu)
    leaves = page.locator("[data-state=leaf]:visible")
    assert leaves.count() == scores.score.size
    answer = []
    for leaf in leaves.all():
        leaf.hover()
        answer.append(tip_facts(page))
    for facts in answer:
        bits = dict(re.findall(r"x(\d)=(\d)", facts["title"]))
        probability = math.prod(p[int(i)] if b == "1" else 1 - p[int(i)] for i, b in bits.items())
        assert float(facts["probability"]) == pytest.approx(probability, rel=0.05)
    assert sorted(facts["score"] for facts in answer) == sorted(amount(s) for s in scores.score)
    assert sum(float(facts["error"]) for facts in answer) == pytest.approx(
        path.errors[path.n_leaves_for(0.15) - 1], abs=1e-3
    )


@pytest.mark.parametrize(
    ("name", "p"),
    [
        ("multiplexer(2)", [0.3] * 6),
        (GUARDED, GUARD),
        ("conjunction(5)", [0.5] * 5),
        ("random(6, 6)", mixed(6, 0)),
    ],
)
def test_depths_and_bounds(page: Page, name: str, p: list[float]) -> None:
    f, mu = FUNCTIONS[name], dt.ProductDistribution(p)
    best, path = dt.optimal(f, mu), path_of(f, tuple(p))
    choose(page, function=name, biases=p, view="bounds")
    for epsilon in (0.2, 0.05, 0.01):
        choose(page, epsilon=epsilon)
        tree = path.tree(epsilon=epsilon)
        cells = page.locator(".dtviz-depths td").all_inner_texts()
        at = ", ".join(f"x{i}={b}" for i, b in sorted(hardest_restriction(best).items()))
        hardest = amount(best.max_average_depth) + (f" at {at}" if at else "")
        assert cells == [
            str(tree.depth),
            str(best.depth),
            str(best.depth),
            amount(tree.average_depth(mu)),
            amount(best.average_depth),
            hardest,
        ]
        bits = [float(f.n), *bound_bits(f, mu, epsilon)]
        sizes = page.locator(".dtviz-size-row .dtviz-amount").all_inner_texts()
        expected = [f"{tree.n_leaves:,}", *(amount(b, 1) for b in bits)]
        assert numbers(" ".join(sizes)) == expected
        widths = page.locator(".dtviz-sizes .dtviz-fill").evaluate_all(
            "all => all.map((e) => parseFloat(e.style.width))"
        )
        order = [math.log2(tree.n_leaves), *bits]
        assert (
            np.argsort(np.round(widths, 1), kind="stable").tolist()
            == np.argsort(np.round(np.log2(1 + np.array(order)), 3), kind="stable").tolist()
        )
        assert max(widths) <= 100
    verdict = page.locator(".dtviz-facts .dtviz-verdict").inner_text()
    below = [
        j
        for j in range(path.n_splits)
        if path.scores[j]
        < dt.product.score_floor_by_error(path.errors[j], j, best.average_depth) * (1 - 1e-9)
    ]
    average = f"{amount(best.max_average_depth)} {amount(best.average_depth)}"
    fails = numbers(f"{below[0] or ''} {at} {average}") if below else []
    assert numbers(verdict)[1:] == fails


def test_score_floors_are_drawn(page: Page) -> None:
    choose(page, function=GUARDED, biases=GUARD, view="bounds")
    f = FUNCTIONS[GUARDED]
    path, best = path_of(f, tuple(GUARD)), dt.optimal(f, dt.ProductDistribution(GUARD))
    for epsilon in (0.5, 0.02, 0.01, 0.004):
        choose(page, epsilon=round(epsilon / 0.005) * 0.005)
        step = stop_of(path, round(epsilon / 0.005) * 0.005)
        tags = page.locator(".dtviz-chart:visible .dtviz-tag:visible").all_text_contents()
        answer = dict(tag.rsplit(" ", 1) for tag in tags if not tag.startswith(("cost", "error")))
        if step == path.n_splits:
            assert answer == {}
            continue
        floors = {
            "by Δmax": best.max_average_depth,
            "by D": best.depth,
            "by Δ(f)": best.average_depth,
        }
        expected = {
            key: dt.product.score_floor_by_error(path.errors[step], step, delta)
            for key, delta in floors.items()
        } | {"score": path.scores[step]}
        assert set(answer) == set(expected)
        for key, value in expected.items():
            text = (
                answer[key]
                .replace("·10⁻", "e-")
                .translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
            )
            assert float(text) == pytest.approx(value, rel=0.6)


def test_the_caption_tells_the_tree() -> None:
    path = path_of(FUNCTIONS["multiplexer(2)"], (0.3,) * 6)
    step = path.n_leaves_for(0.1) - 1
    expected = f"{step + 1} {path.errors[step]:.3f} {path.costs[step]:.3f}"
    assert numbers(mux().caption())[-3:] == numbers(expected)
    own = ProductExplorer(function=GUARDED, biases=GUARD, epsilon=0.5)
    assert numbers(own.caption())[-10:-2] == [*map(str, GUARD), "0.5", "1"]
    assert own.picture().axes
    constant = ProductExplorer(dt.BooleanFunction(2, [1] * 4))
    assert constant.picture().axes


def test_readers_own_functions(tab: Open, tmp_path: Path) -> None:
    own = {"mine <b>": dt.functions.random(6, 5), "constant": dt.BooleanFunction(1, [1, 1])}
    page = tab(write_page(tmp_path, ProductExplorer(own, bias=0.123))).page
    assert status_numbers(page) == status_of("mine <b>", 0.123, 0.1, own)
    for view in ("race", "exact"):
        choose(page, function="constant", view=view)
        choose(page, bias=0.9, epsilon=0)
    assert status_numbers(page) == status_of("constant", 0.9, 0.0, own)


USE = """
  const texts = [text()];
  model.set("biases", [0.2, 0.9]);
  texts.push(text());
  move("biases", 0.4, 2);
  texts.push(text());
  const own = state.biases;
  move("bias", 0.6);
  texts.push(text());
  const after = [state.bias, state.biases, saved > 0];
  return { texts, own, after };
"""


def test_a_bias_of_its_own_is_reported_to_python(tab: Open, product_page: str) -> None:
    page = tab(product_page).page
    name = "x0 or (x1 and x2)"
    result = run_as_widget(page, ProductExplorer(function=name, bias=0.3), USE)
    states: list[float | list[float]] = [0.3, [0.2, 0.9, 0.3], [0.2, 0.9, 0.4], [0.2, 0.9, 0.6]]
    assert list(map(numbers, result["texts"])) == [status_of(name, p, 0.1) for p in states]
    assert result["own"] == result["after"][1] == [0.2, 0.9]
    assert result["after"] == [0.6, [0.2, 0.9], True]


def test_python_sees_what_is_on_display() -> None:
    explorer = ProductExplorer(function="x0 or (x1 and x2)", bias=0.3, biases=[0.12])
    np.testing.assert_array_equal(explorer.mu.p, [0.12, 0.3, 0.3])
    np.testing.assert_array_equal(
        explorer.path().split_variable,
        dt.build_top_down(FUNCTIONS["x0 or (x1 and x2)"], explorer.mu).split_variable,
    )
    text = re.search(r'class="dtviz-data">(.*?)</script>', explorer.to_html())
    assert text is not None
    state = json.loads(text[1])
    assert state["biases"] == [0.12]
    for name, f in FUNCTIONS.items():
        record = state["_about"][name]
        assert (record["n"], int(record["table"], 16)) == (f.n, f.code)


@pytest.mark.parametrize("kind", [list, tuple, np.array, dt.ProductDistribution])
def test_a_bias_for_each_variable(kind: Any) -> None:
    p = [0.2, 0.9, 0.5]
    explorer = ProductExplorer("a & b | c", bias=kind(p))
    assert explorer.biases == explorer.mu.p.tolist() == p
    f = dt.BooleanFunction.from_text("a & b | c")
    assert explorer.path().errors.tolist() == (
        dt.build_top_down(f, dt.ProductDistribution(p)).errors.tolist()
    )
    # The line of Python that makes it again has them.
    assert explorer._call["defaults"]["biases"] == []
    with pytest.raises(ValueError, match="biases must not be given beside"):
        ProductExplorer("a & b | c", bias=p, biases=p)
