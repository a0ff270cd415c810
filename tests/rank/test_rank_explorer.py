"""The explorer of FIND in a browser, held against `dt.rank.find`, recorded runs and bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import (
    MOVE,
    choose,
    fixed,
    numbers,
    press_along,
    run_as_widget,
    shown,
    status_numbers,
    tree_numbers,
)

import dtviz as dt
from dtviz import rank as theory
from dtviz.explorers.functions import book_functions
from dtviz.rank.draws import draw_points
from dtviz.rank.explorer import DRAWS, GRID, TARGETS, RankExplorer

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

TIP = ".dtviz-figure > .dtviz-dock .dtviz-tip:not([hidden])"
DEEP = "random_tree(5, 3, 0)"
OFFERED = book_functions(*TARGETS) | {DEEP: dt.rank.random_tree(5, 3, 0).function(5)}


page = shown(lambda: RankExplorer(OFFERED))
"""A page with the default explorer, and a random tree of larger rank."""


@cache
def python_side() -> RankExplorer:
    """The explorer without a page, to be asked for what it shows: making one takes work."""
    return RankExplorer(OFFERED)


def functions() -> Mapping[str, dt.BooleanFunction]:
    """What there is to learn."""
    return python_side().targets


@cache
def sample(name: str, m: int) -> tuple[Any, Any]:
    """The examples that the explorer shows, by its Python side."""
    explorer = python_side()
    explorer.target, explorer.m = name, m
    return explorer.sample


def true_error(f: dt.BooleanFunction, tree: dt.Tree) -> float:
    """The share of the cube on which the tree errs, point by point."""
    return float(np.mean(tree.predict(dt.cube_points(f.n)) != f.table))


def sample_numbers(name: str, m: int, bound: int) -> list[str]:
    """Return the numbers that the status line must say of one sample."""
    X, y = sample(name, m)
    tree = dt.rank.find(X, y, rank=bound)
    calls = dt.rank.find_run(X, y, rank=bound).n_calls
    if tree is None:
        return numbers(f"{m} {name} {bound} {calls:,}")
    error = fixed(true_error(functions()[name], tree), 3)
    return numbers(f"{m} {name} {bound} {tree.n_leaves} {tree.rank} {error} {calls:,}")


@pytest.mark.parametrize("name", ["majority(5)", DEEP])
def test_the_sliders_show_what_find_returns(page: Page, name: str) -> None:
    choose(page, target=name)
    highest = dt.optimal(functions()[name]).rank + 1
    slider = page.locator("input[name=rank]")
    assert slider.get_attribute("max") == str(highest)
    for bound in range(highest + 1):
        choose(page, rank=bound)
        said = page.evaluate(MOVE, ["m", list(range(len(GRID)))])
        assert list(map(numbers, said)) == [sample_numbers(name, m, bound) for m in GRID]


ALL_SIZES = f"() => document.querySelectorAll('.dtviz-draws .dtviz-above').length > {len(GRID)}"
"""Many samples are computed size by size; beside their shares stands a head."""


def test_the_errors_of_many_samples(page: Page) -> None:
    f, bound = functions()[DEEP], 2
    choose(page, target=DEEP, view="many samples", rank=bound)
    samples = [draw_points(f.n, python_side().seed, j, GRID[-1]) for j in range(1, DRAWS + 1)]
    for m, epsilon in ((6, 0.25), (24, 0.05)):
        trees = [dt.rank.find(X[:m], f(X[:m]), rank=bound) for X in samples]
        errors = [true_error(f, tree) for tree in trees if tree is not None]
        choose(page, m=GRID.index(m), epsilon=epsilon)
        above = sum(error > epsilon for error in errors)
        median = fixed(float(np.median(errors)), 3)
        none = DRAWS - len(errors) or ""
        expected = f"{DRAWS} {m} {DEEP} {bound} {none} {above} {epsilon:.2f} {median}"
        assert status_numbers(page) == numbers(expected)
        page.wait_for_function(ALL_SIZES)
        shares = page.locator(".dtviz-above").all_text_contents()
        assert shares[GRID.index(m)] == str(math.floor(above / 2 + 0.5))
        # One dot for every error that occurred.
        x = page.locator(".dtviz-chosen").evaluate(
            "e => e.x.baseVal.value + e.width.baseVal.value / 2"
        )
        dots = page.locator(".dtviz-sampled").evaluate_all(
            "(all, x) => all.filter((e) => Math.abs(e.cx.baseVal.value - x) < 0.01).length", x
        )
        assert dots == len(set(errors))
    # A press on a column chooses its size.
    press_along(page.locator(".dtviz-draws .dtviz-cover"), 1)
    assert status_numbers(page)[:2] == [str(DRAWS), "256"]


LINES = """
all => all.map((e) => [
  e.textContent, Number(e.style.getPropertyValue("--dtviz-depth")),
  e.getAttribute("aria-current") === "step", e.classList.contains("dtviz-call-again"),
])
"""


def kept_variables(dock: Locator) -> list[int]:
    """The variable that the dock says was kept, if any was."""
    return [int(numbers(row)[0]) for row in dock.locator(".dtviz-winner").all_inner_texts()]


def call_numbers(call: Any, *more: Any) -> list[str]:
    """The numbers of a line that introduces a call, and those that follow."""
    second = "3.3 " if call.again else ""
    where = f"{second}{call.variable} {call.branch} " if call.index else ""
    return numbers(f"{where}{call.rank} {call.n_examples:,}") + [str(one) for one in more]


def test_every_call_is_reported_as_recorded(page: Page) -> None:
    choose(page, target=DEEP, rank=3, m=GRID.index(96), view="calls")
    run = dt.rank.find_run(*sample(DEEP, 96), rank=3)
    second = np.flatnonzero(run.again).tolist()
    assert len(second) > 3
    # The first second try is what a new run shows, and all of them are outlined.
    assert page.locator("input[name=call]").input_value() == str(second[0])
    outlined = str(page.locator(".dtviz-bars-again").get_attribute("d"))
    assert outlined.count("M") == len(second)
    for call in run.calls:
        choose(page, call=call.index)
        *before, (text, *now) = page.locator(".dtviz-calls li").evaluate_all(LINES)
        assert not any(line[2] for line in before)
        assert now == [call.depth, True, call.again]
        rest = call.end - call.index - 1
        heard, head = numbers(text), call_numbers(call)
        assert heard[: len(head)] == head
        assert heard[-2:] == [call.step, f"{rest:,}"] if rest else heard[-1] == call.step
        # What the running calls have tried, and how it went.
        stack, expected = [call.index], []
        while stack[0]:
            stack.insert(0, int(run.parent[stack[0]]))
        for outer, inner in pairwise(stack):
            trying = int(run.variable[inner])
            expected.append(call_numbers(run.calls[outer], trying))
            made = [run.calls[c] for c in run.children(outer) if c < inner]
            failed = dict.fromkeys(c.variable for c in made if c.variable != trying)
            if failed:
                expected.append([*map(str, failed), str(run.calls[outer].rank - 1)])
            expected += [call_numbers(c) for c in made if c.variable == trying]
        assert [numbers(line[0]) for line in before] == expected
        kept = page.locator(".dtviz-dock-why").last.locator(".dtviz-winner")
        assert numbers(" ".join(kept.all_inner_texts()))[:1] == (
            [str(call.split)] if call.split >= 0 else []
        )


def test_long_runs_stay_legible(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 900})
    choose(page, target="parity(5)", m=GRID.index(128), rank=4, view="calls")
    run = dt.rank.find_run(*sample("parity(5)", 128), rank=4)
    assert run.n_calls > 2000
    frame = page.locator(".dtviz-calls").bounding_box()
    assert frame is not None
    for call in (88, 0, 1500, run.n_calls - 1):
        # Wherever the reader has scrolled to, the call shown comes into sight.
        page.locator(".dtviz-calls").evaluate("list => list.scrollBy(0, -1000)")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        choose(page, call=call)
        line = page.locator(".dtviz-call-now").bounding_box()
        assert line is not None
        assert frame["y"] <= line["y"] <= frame["y"] + frame["height"] - line["height"]
        part = page.locator(".dtviz-recursion .dtviz-aside").inner_text()
        first, last, of = map(int, numbers(part))  # the page counts from 1
        assert first <= call + 1 <= last
        assert of == run.n_calls
        bars = page.locator(".dtviz-bars-none").get_attribute("d")
        running = sum(int(run.end[k]) > first - 1 for k in range(first - 1))
        assert str(bars).count("M") == last - first + 1 + running
        here = page.locator(".dtviz-here").bounding_box()
        canvas = page.locator(".dtviz-recursion svg").bounding_box()
        assert here is not None
        assert canvas is not None
        assert canvas["x"] - 1 <= here["x"] <= canvas["x"] + canvas["width"]
        assert (last - first + 1) * 3 <= canvas["width"] + 3
    # A press on a bar shows its call.
    press_along(page.locator(".dtviz-recursion .dtviz-cover"), 1)
    assert page.locator("input[name=call]").input_value() == str(run.n_calls - 1)
    press_along(page.locator(".dtviz-recursion .dtviz-cover"), 0)
    assert page.locator("input[name=call]").input_value() == str(first - 1)


SHADES = """
all => all.map((split) => [
  split.querySelector(".dtviz-rank-number").textContent,
  getComputedStyle(split.querySelector("rect")).fill,
])
"""


@pytest.mark.parametrize("width", [1200, 360])
def test_every_node_tells_what_it_is_and_why(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    choose(page, target="parity(5)", rank=5, m=GRID.index(256), view="tree")
    X, y = sample("parity(5)", 256)
    tree = dt.rank.find(X, y, rank=5)
    label = page.locator("[data-view=tree] [role=tree]").get_attribute("aria-label")
    assert numbers(str(label)) == tree_numbers(tree)
    splits = page.locator(".dtviz-rank-tree .dtviz-node.dtviz-inner").evaluate_all(SHADES)
    # Each rank has a shade of its own.
    shades = {(rank, fill) for rank, fill in splits}
    assert len(shades) == len({rank for rank, _ in shades}) == len({fill for _, fill in shades}) > 2
    dock, answer = page.locator(".dtviz-dock-why").first, set()
    nodes = page.locator(".dtviz-rank-tree [role=treeitem]").all()
    for part in nodes:
        part.hover()
        where = page.locator(f"{TIP} strong").inner_text()
        node, rows = 0, np.unique(X, axis=0)
        for variable, bit in re.findall(r"x(\d+)=([01])", where):
            assert tree.variable[node] == int(variable)
            node = int((tree.low, tree.high)[int(bit)][node])
            rows = rows[rows[:, int(variable)] == int(bit)]
        asked, ranks = int(tree.variable[node]), tree.node_rank
        said = f"{np.asarray(tree.value)[node]} 0"
        if asked >= 0:
            leaves = (len(tree_numbers(tree, node)) + 3) // 4  # one number a leaf, three a split
            below = f"{ranks[int(tree.low[node])]} {ranks[int(tree.high[node])]}"
            said = f"{asked} {leaves} {ranks[node]} {below}"
        # The last number is the bound given to the call that made it.
        facts = numbers(f"{where} {' '.join(page.locator(f'{TIP} dd').all_inner_texts())}")
        assert facts[:-1] == numbers(f"{where} {said}")
        assert numbers(str(part.get_attribute("aria-label"))) == facts
        assert kept_variables(dock) == ([asked] if asked >= 0 else [])
        ones = int((rows.sum(axis=1) % 2).sum())
        note = dock.locator(".dtviz-strip span").inner_text()
        assert sorted(numbers(note)) == sorted([str(len(rows)), str(ones), "1"])
        assert part.get_attribute("aria-level") == str(where.count("=") + 1)
        # The edges from the root to it stand out, and no others.
        assert page.locator(".dtviz-edges [data-trail=true]").count() == where.count("=")
        answer.add(where)
    assert len(answer) == len(nodes) > 10
    assert (page.locator(".dtviz-rank-tree [data-state=folded]").count() > 2) == (width == 360)


@pytest.mark.parametrize("bound", [0, 1, 3])
def test_the_guarantee_is_that_of_the_theorem(page: Page, bound: int) -> None:
    f, m, epsilon, delta = functions()["multiplexer(2)"], 192, 0.25, 0.03
    choose(page, target="multiplexer(2)", m=GRID.index(m), view="guarantee", rank=bound)
    choose(page, epsilon=epsilon, delta=delta)
    logs = [0.0, 0.0, 2**f.n * math.log(2)]
    if bound:
        leaves = (math.e * f.n / bound) ** bound, theory.most_leaves(f.n, bound)
        logs[:2] = [most * math.log(8 * f.n) for most in leaves]
    rows = page.locator(".dtviz-promise tbody tr").all()
    for row, log in zip(rows, logs, strict=True):
        error = (log - math.log(delta)) / m
        asked = f"{theory.sample_size(epsilon, delta, log):,}" if log else "–"
        promised = "none" if error >= 1 or not log else f"≤ {fixed(error, 3)}"
        assert row.locator("td").all_inner_texts() == [asked, promised]
    whole = math.ceil(2**f.n * math.log(2**f.n / delta))
    vacuous = bound and theory.sample_size_for_rank(f.n, bound, epsilon, delta) >= whole
    low = dt.optimal(f).rank if bound < 3 else ""
    seen = len({tuple(x) for x in sample("multiplexer(2)", m)[0].tolist()})
    verdict = f"{low} {f'{whole:,}' if vacuous else ''} {2**f.n} {m} {seen}"
    assert numbers(page.locator(".dtviz-verdict").inner_text()) == numbers(verdict)


def test_the_theorem_is_marked_beside_the_errors(page: Page) -> None:
    choose(page, view="many samples", target="decision_list(5)", rank=1, delta=0.5)
    tag = page.locator(".dtviz-draws .dtviz-tag")
    for epsilon in (0.01, 0.5):
        choose(page, epsilon=epsilon)
        asked = theory.sample_size_for_rank(5, 1, epsilon, 0.5)
        assert numbers(str(tag.text_content())) == [f"{asked:,}"]
    # While samples are being judged the chart is drawn again and again.
    mark = "document.querySelector('.dtviz-draws .dtviz-curve.dtviz-bound')?.getBBox().x"
    x = page.wait_for_function(mark).json_value()
    places = [
        float(str(page.locator(f".dtviz-draws text:text-is('{m}')").last.get_attribute("x")))
        for m in (max(m for m in GRID if m <= asked), min(m for m in GRID if m >= asked))
    ]
    assert places[0] <= x <= places[1]
    choose(page, rank=0)  # not about a target of larger rank
    assert tag.count() == 0


def test_the_caption_tells_the_tree() -> None:
    said = sample_numbers("majority(5)", 24, 2)[:-1]
    assert numbers(RankExplorer().caption()) == said
    assert numbers(RankExplorer(view="many samples").caption())[-2:] == [said[-1], str(DRAWS)]
    none = RankExplorer(target="parity(4)", m=64, rank=1)
    assert none.tree() is None
    assert "No tree of rank 1" in "".join(text.get_text() for text in none.picture().axes[0].texts)


USE = """
  model.set("call", 3);
  const call = el.querySelector("input[name=call]").value;
  model.set("rank", 2);
  const kept = state.call;
  move("m", 9);
  const forgotten = state.call;
  move("call", 1);
  return { call, kept, forgotten, after: [state.m, state.call, saved > 0] };
"""


def test_the_call_shown_is_kept_or_forgotten_in_jupyter(page: Page) -> None:
    result = run_as_widget(page, RankExplorer(target="majority(5)", m=24, rank=1), USE)
    assert result["call"] == "3"
    assert result["kept"] == 3, "Python sets one trait after another"
    assert result["forgotten"] is None, "another run, another call to look at"
    assert result["after"] == [32, 1, True]
