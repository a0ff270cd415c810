"""The explorer of FIND in a browser, held against `dt.rank.find`, recorded runs and bounds."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.explorers import (
    MOVE,
    Open,
    fixed,
    numbers,
    run_as_widget,
    settle,
    status_numbers,
    tree_numbers,
    undisturbed,
    write_page,
)

import dtviz as dt
from dtviz import rank as theory
from dtviz.explorers.functions import book_functions
from dtviz.rank.draws import draw_points
from dtviz.rank.explorer import DRAWS, GRID, TARGETS, VIEWS, RankExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

TIP = ".dtviz-figure > .dtviz-dock .dtviz-tip"
RANDOM = {f"random_tree(5, {r}, 0)": dt.rank.random_tree(5, r, 0).function(5) for r in (2, 3)}
OFFERED = book_functions(*TARGETS) | RANDOM
LONGEST = {"target": "parity(5)", "m": 128, "rank": 4}


@pytest.fixture(scope="session")
def rank_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with the default explorer, and random trees of larger rank."""
    return write_page(tmp_path_factory.mktemp("rank"), RankExplorer(OFFERED))


@pytest.fixture
def page(tab: Open, rank_page: str) -> Iterator[Page]:
    """The explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(rank_page, reduced_motion=True))


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


def highest(name: str) -> int:
    """The largest rank bound offered: one more than the rank of the target."""
    f = functions()[name]
    return min(f.n, dt.optimal(f).rank + 1)


def points(n: int) -> np.ndarray:
    return np.array([[x >> i & 1 for i in range(n)] for x in range(2**n)])


def true_error(f: dt.BooleanFunction, tree: dt.Tree) -> float:
    """The share of the cube on which the tree errs, point by point."""
    return float(np.mean([tree.predict(points(f.n)) != f(points(f.n))]))


@cache
def sample_numbers(name: str, m: int, bound: int) -> list[str]:
    """Return the numbers that the status line must say of one sample."""
    X, y = sample(name, m)
    tree = dt.rank.find(X, y, rank=bound)
    calls = dt.rank.find_run(X, y, rank=bound).n_calls
    if tree is None:
        return numbers(f"{m} {name} {bound} {calls:,}")
    error = fixed(true_error(functions()[name], tree), 3)
    return numbers(f"{m} {name} {bound} {tree.n_leaves} {tree.rank} {error} {calls:,}")


def choose(page: Page, **state: Any) -> None:
    """Set controls by their names; m by its value."""
    for name, value in state.items():
        if name == "target":
            page.locator("select[name=target]").first.select_option(value)
        elif name == "view":
            page.locator("select[name=view]").first.select_option(value)
        else:
            page.evaluate(MOVE, [name, [GRID.index(value) if name == "m" else value]])


def tip_numbers(page: Page) -> list[str]:
    """Read the numbers shown of a node of the tree, but for the bound given, the last of them."""
    tip = page.locator(f"{TIP}:not([hidden])")
    return numbers(f"{tip_title(page)} {' '.join(tip.locator('dd').all_inner_texts())}")[:-1]


def tip_title(page: Page) -> str:
    return page.locator(f"{TIP}:not([hidden]) strong").inner_text()


def misread(page: Page, names: list[str]) -> list[str]:
    """Sweep both sliders of the sample for every target; return where the status line is wrong."""
    found = []
    for name in names:
        choose(page, target=name)
        for bound in range(highest(name) + 1):
            choose(page, rank=bound)
            said = page.evaluate(MOVE, ["m", list(range(len(GRID)))])
            expected = [sample_numbers(name, m, bound) for m in GRID]
            pairs = zip(said, expected, strict=True)
            found += [f"{text!r}, not {other}" for text, other in pairs if numbers(text) != other]
    return found


ALL_SIZES = f"() => document.querySelectorAll('.dtviz-draws .dtviz-above').length > {len(GRID)}"
"""Many samples are computed size by size; beside their shares stands a head."""


def test_every_sample_and_every_bound_of_every_target(page: Page) -> None:
    assert misread(page, list(OFFERED)) == []


@pytest.mark.parametrize(
    ("name", "bound", "sizes"),
    [
        ("caterpillar(1)", 2, GRID),
        ("caterpillar(1)", 1, GRID),
        ("random_tree(5, 3, 0)", 2, (6, 24)),
    ],
)
def test_the_errors_of_many_samples(
    page: Page, name: str, bound: int, sizes: tuple[int, ...]
) -> None:
    f = functions()[name]
    choose(page, target=name, view="many samples", rank=bound)
    seed = python_side().seed
    samples = [draw_points(f.n, seed, j, GRID[-1]) for j in range(1, DRAWS + 1)]
    for m in sizes:
        trees = [dt.rank.find(X[:m], f(X[:m]), rank=bound) for X in samples]
        errors = [true_error(f, tree) for tree in trees if tree is not None]
        for epsilon in (0.05, 0.25):
            choose(page, m=m, epsilon=epsilon)
            above = sum(error > epsilon for error in errors)
            none = DRAWS - len(errors) or ""
            median = fixed(float(np.median(errors)), 3) if errors else ""
            expected = f"{DRAWS} {m} {name} {bound} {none} {above} {epsilon:.2f} {median}"
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


def lines(page: Page) -> list[dict[str, Any]]:
    """The lines of the list of calls."""
    return page.locator(".dtviz-calls li").evaluate_all(
        """all => all.map(e => ({
          text: e.textContent, depth: Number(e.style.getPropertyValue("--dtviz-depth")),
          now: e.getAttribute("aria-current") === "step",
          again: e.classList.contains("dtviz-call-again"),
        }))"""
    )


def call_numbers(call: Any, *more: Any) -> list[str]:
    """The numbers of a line that introduces a call, and those that follow."""
    second = "3.3 " if call.again else ""
    where = f"{second}{call.variable} {call.branch} " if call.index else ""
    return numbers(f"{where}{call.rank} {call.n_examples:,}") + [str(one) for one in more]


@pytest.mark.parametrize(
    ("name", "m", "bound"),
    [("parity(4)", 24, 2), ("majority(5)", 96, 2), ("random_tree(5, 3, 0)", 96, 3)],
)
def test_every_call_is_reported_as_recorded(page: Page, name: str, m: int, bound: int) -> None:
    choose(page, target=name, rank=bound, m=m, view="calls")
    run = dt.rank.find_run(*sample(name, m), rank=bound)
    assert run.n_calls > 50
    for call in run.calls:
        choose(page, call=call.index)
        said = lines(page)
        stack = []
        at = call.index
        while at >= 0:
            stack.insert(0, at)
            at = int(run.parent[at])
        now = said[-1]
        assert [line["now"] for line in said] == [False] * (len(said) - 1) + [True]
        assert (now["depth"], now["again"]) == (call.depth, call.again)
        head, rest = call_numbers(call), call.end - call.index - 1
        heard = numbers(now["text"])
        assert heard[: len(head)] == head
        assert heard[-2:] == [call.step, f"{rest:,}"] if rest else heard[-1] == call.step
        # What the running calls have tried, and how it went.
        expected = []
        for outer, inner in pairwise(stack):
            trying = int(run.variable[inner])
            expected.append(call_numbers(run.calls[outer], trying))
            before = [run.calls[c] for c in run.children(outer) if c < inner]
            failed = dict.fromkeys(c.variable for c in before if c.variable != trying)
            assert not any(c.found for c in before if c.variable != trying)
            if failed:
                expected.append([*map(str, failed), str(run.calls[outer].rank - 1)])
            expected += [call_numbers(c) for c in before if c.variable == trying]
        assert [numbers(line["text"]) for line in said[:-1]] == expected


def test_second_tries_are_marked(page: Page) -> None:
    name, m, bound = "random_tree(5, 3, 0)", 48, 3
    choose(page, target=name, rank=bound, m=m, view="calls")
    run = dt.rank.find_run(*sample(name, m), rank=bound)
    second = np.flatnonzero(run.again).tolist()
    assert len(second) > 3
    # The first one is what a new run shows.
    assert page.locator("input[name=call]").input_value() == str(second[0])
    assert lines(page)[-1]["again"]
    outlined = page.locator(".dtviz-bars-again").get_attribute("d")
    assert outlined is not None
    assert outlined.count("M") == len(second)


def test_the_call_shown_stays_in_sight(tab: Open, rank_page: str) -> None:
    page = tab(rank_page, width=360, reduced_motion=True).page
    choose(page, target="parity(5)", rank=4, m=48, view=VIEWS[1])
    frame = page.locator(".dtviz-calls").bounding_box()
    assert frame is not None
    for call in (88, 0, 61, 40):
        # Wherever the reader has scrolled to.
        page.locator(".dtviz-calls").evaluate("list => list.scrollBy(0, -1000)")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        choose(page, call=call)
        line = page.locator(".dtviz-call-now").bounding_box()
        assert line is not None
        assert line["y"] >= frame["y"]
        assert line["y"] + line["height"] <= frame["y"] + frame["height"]


def test_long_runs_stay_legible(page: Page) -> None:
    choose(page, **LONGEST, view="calls")
    run = dt.rank.find_run(*sample("parity(5)", 128), rank=4)
    assert run.n_calls > 2000
    for call in (0, 700, 1500, run.n_calls - 1):
        choose(page, call=call)
        part = page.locator(".dtviz-recursion .dtviz-aside").inner_text()
        first, last, of = map(int, numbers(part))
        first, last = first - 1, last - 1  # the page counts from 1
        assert first <= call <= last
        assert of == run.n_calls
        bars = page.locator(".dtviz-bars-none").get_attribute("d")
        assert bars is not None
        running = sum(int(run.end[k]) > first for k in range(first))
        assert bars.count("M") == last - first + 1 + running
        here = page.locator(".dtviz-here").bounding_box()
        canvas = page.locator(".dtviz-recursion svg").bounding_box()
        assert here is not None
        assert canvas is not None
        assert canvas["x"] - 1 <= here["x"] <= canvas["x"] + canvas["width"]
        assert (last - first + 1) * 3 <= canvas["width"] + 3


def test_bars_and_columns_can_be_dragged(page: Page) -> None:
    choose(page, target="parity(4)", rank=2, m=24, view="calls")
    cover = page.locator(".dtviz-recursion .dtviz-cover")
    cover.scroll_into_view_if_needed()
    box = cover.bounding_box()
    assert box is not None
    last = dt.rank.find_run(*sample("parity(4)", 24), rank=2).n_calls - 1
    page.mouse.move(box["x"] + 1, box["y"] + 5)
    page.mouse.down()
    assert page.locator("input[name=call]").input_value() == "0"
    page.mouse.move(box["x"] + box["width"] + 20, box["y"] + 5, steps=4)
    page.mouse.up()
    assert page.locator("input[name=call]").input_value() == str(last)
    choose(page, view="many samples")
    settle(page)
    cover = page.locator(".dtviz-draws .dtviz-cover")
    cover.scroll_into_view_if_needed()
    box = cover.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 20)
    assert status_numbers(page)[:4] == [str(DRAWS), "256", "4", "2"]


SHADES = """
all => all.map((split) => [
  split.querySelector(".dtviz-rank-number").textContent,
  getComputedStyle(split.querySelector("rect")).fill,
])
"""
PICTURE = "[data-view=tree] svg > [aria-label]:not([hidden])"
"""The tree, or what is said where there is none: exactly one of them."""


def test_ranks_have_their_shades_and_no_tree_is_drawn_where_there_is_none(page: Page) -> None:
    choose(page, target="random_tree(5, 3, 0)", m=256, rank=3, view="tree")
    tree = dt.rank.find(*sample("random_tree(5, 3, 0)", 256), rank=3)
    assert numbers(str(page.locator(PICTURE).get_attribute("aria-label"))) == tree_numbers(tree)
    splits = page.locator(".dtviz-rank-tree .dtviz-node.dtviz-inner").evaluate_all(SHADES)
    shades = {(rank, fill) for rank, fill in splits}
    assert len(shades) == len({rank for rank, _ in shades}) == len({fill for _, fill in shades}) > 2
    choose(page, target="parity(4)", m=64, rank=1)
    label = str(page.locator(PICTURE).get_attribute("aria-label"))
    assert numbers(label)[:2] == ["1", "64"]
    assert page.locator("[role=treeitem]:visible").count() == 0


def node_at(tree: dt.Tree, where: str) -> int:
    """Return the node that answers such as "x1=0, x3=1" lead to."""
    node = 0
    for variable, bit in re.findall(r"x(\d+)=([01])", where):
        assert tree.variable[node] == int(variable)
        node = int((tree.low, tree.high)[int(bit)][node])
    return node


def node_numbers(tree: dt.Tree, where: str) -> list[str]:
    """Return the numbers that must be shown of a node, by its leaves and the ranks of the tree."""
    node = node_at(tree, where)
    ranks = tree.node_rank
    assert ranks is not None
    if tree.variable[node] < 0:
        return numbers(f"{where} {np.asarray(tree.value)[node]} 0")
    halves = [int(tree.low[node]), int(tree.high[node])]
    leaves = (len(tree_numbers(tree, node)) + 3) // 4  # a leaf is one number, a split three more
    below = " ".join(str(ranks[half]) for half in halves)
    return numbers(f"{where} {tree.variable[node]} {leaves} {ranks[node]} {below}")


@pytest.mark.parametrize("width", [1200, 360])
def test_every_node_tells_what_it_is(tab: Open, rank_page: str, width: int) -> None:
    page = tab(rank_page, width=width, reduced_motion=True).page
    choose(page, target="parity(5)", rank=5, m=256, view="tree")
    tree = dt.rank.find(*sample("parity(5)", 256), rank=5)
    assert tree is not None
    answer = set()
    nodes = page.locator(".dtviz-rank-tree [role=treeitem]").all()
    for node in nodes:
        node.hover()
        where = tip_title(page)
        assert tip_numbers(page) == node_numbers(tree, where)
        assert numbers(str(node.get_attribute("aria-label")))[:-1] == node_numbers(tree, where)
        level = str(where.count("=") + 1)
        assert node.get_attribute("aria-level") == level
        # The edges from the root to it stand out, and no others.
        assert page.locator(".dtviz-edges [data-trail=true]").count() == where.count("=")
        answer.add(where)
    assert len(answer) == len(nodes) > 10
    assert (page.locator(".dtviz-rank-tree [data-state=folded]").count() > 2) == (width == 360)


def outcomes(run: Any, k: int) -> list[tuple[list[str], bool, bool]]:
    """What must be shown of each variable at a call.

    These are its numbers, whether a second try found a tree, and whether the variable was kept.
    """
    call, rows = run.calls[k], run.sample
    X = np.array([[c >> j & 1 for c in rows.columns] for j in range(rows.m)])
    y = np.array([rows.positives >> j & 1 for j in range(rows.m)])
    here = np.ones(rows.m, bool)
    for i, bit in run.path(k):
        here &= X[:, i] == bit
    if call.step in {"1", "2"}:
        return []
    made = run.children(k)
    answer = []
    for i in range(rows.n):
        if i in {variable for variable, _ in run.path(k)}:
            continue
        halves = [here & (X[:, i] == bit) for bit in (0, 1)]
        calls = [run.calls[c] for c in made if run.variable[c] == i]
        ranks = [dt.rank.sample_rank(X[half], y[half]) for half in halves if half.any()]
        if len(ranks) < 2:
            facts = [int(halves[1].any())]
        elif len(calls) == 3:
            facts = [*ranks, int(calls[1].found), int(not calls[1].found)]
        else:
            facts = ranks if calls else []
        again = len(calls) == 3 and calls[2].found
        answer.append(([str(fact) for fact in (i, *facts)], again, call.split == i))
    return answer


WHY = """
(dock) => [...dock.querySelectorAll(".dtviz-candidate")].map((row) => {
  const [name, text] = [...row.querySelectorAll("[role=cell]")].map((cell) => cell.textContent);
  return [`${name} ${text}`, row.classList.contains("dtviz-winner")];
})
"""


def shown_outcomes(dock: Locator) -> list[tuple[list[str], bool, bool]]:
    return [(numbers(text), text.endswith("tree"), kept) for text, kept in dock.evaluate(WHY)]


def node_calls(run: Any) -> dict[tuple[str, ...], int]:
    """The call that made each node of the tree found, by the numbers of where the node is."""
    found: dict[tuple[str, ...], int] = {}
    left = [0]
    while left:
        k = left.pop()
        found[tuple(str(number) for answer in run.path(k) for number in answer)] = k
        kept = [c for c in run.children(k)[-3:] if run.variable[c] == run.split[k]]
        left += list({int(run.branch[c]): c for c in kept}.values())
    return found


@pytest.mark.parametrize(("name", "bound"), [("majority(5)", 2), ("random_tree(5, 3, 0)", 3)])
def test_why_a_variable_was_kept(page: Page, name: str, bound: int) -> None:
    choose(page, target=name, m=24, rank=bound, view="calls")
    run = dt.rank.find_run(*sample(name, 24), rank=bound)
    calls = node_calls(run)
    tree_dock, call_dock = page.locator(".dtviz-dock-why").all()
    for node in page.locator(".dtviz-rank-tree [role=treeitem]").all():
        node.hover()
        call = run.calls[calls[tuple(numbers(tip_title(page)))]]
        assert tree_dock.locator("dd").last.inner_text() == str(call.rank)
        assert shown_outcomes(tree_dock) == outcomes(run, call.index)
        note = tree_dock.locator(".dtviz-strip span").inner_text()
        assert numbers(note) == [f"{call.n_examples:,}", str(call.ones), "1"]
    for k in range(run.n_calls):
        choose(page, call=k)
        assert shown_outcomes(call_dock) == outcomes(run, k)


def table(page: Page) -> dict[str, tuple[str, str]]:
    rows = page.locator(".dtviz-promise tbody tr").all()
    cells = [(row.locator("th").inner_text(), row.locator("td").all_inner_texts()) for row in rows]
    return {name: (asked, promised) for name, (asked, promised) in cells}


@pytest.mark.parametrize("name", ["parity(4)", "multiplexer(2)", "decision_list(5)"])
def test_the_guarantee_is_that_of_the_theorem(page: Page, name: str) -> None:
    f, m = functions()[name], 192
    choose(page, target=name, m=m, view="guarantee")
    for bound in range(highest(name) + 1):
        for epsilon, delta in ((0.01, 0.01), (0.1, 0.1), (0.25, 0.03), (0.5, 0.5)):
            choose(page, rank=bound, epsilon=epsilon, delta=delta)
            power = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(2**f.n))
            logs = {f"all 2{power} functions": 2**f.n * math.log(2)}
            if bound:
                k = theory.most_leaves(f.n, bound)
                logs["with the exact leaf count"] = k * math.log(8 * f.n)
            said = table(page)
            expected = {"by the theorem": "–", "with the exact leaf count": "–"} | {
                row: f"{theory.sample_size(epsilon, delta, log):,}" for row, log in logs.items()
            }
            if bound:
                asked = theory.sample_size_for_rank(f.n, bound, epsilon, delta)
                expected["by the theorem"] = f"{asked:,}"
            assert {row: cells[0] for row, cells in said.items()} == expected
            for row, log in logs.items():
                promised = (log - math.log(delta)) / m
                text = "none" if promised >= 1 else f"≤ {fixed(promised, 3)}"
                assert said[row][1] == text
            rank, whole = dt.optimal(f).rank, math.ceil(2**f.n * math.log(2**f.n / delta))
            low, vacuous = rank if bound < rank else "", bound > 0 and asked >= whole
            seen = len({tuple(x) for x in sample(name, m)[0].tolist()})
            verdict = f"{low} {f'{whole:,}' if vacuous else ''} {2**f.n} {m} {seen}"
            assert numbers(page.locator(".dtviz-verdict").inner_text()) == numbers(verdict)


def test_the_theorem_is_marked_beside_the_errors(page: Page) -> None:
    choose(page, view="many samples", target="decision_list(5)", rank=1, epsilon=0.5, delta=0.5)
    asked = theory.sample_size_for_rank(5, 1, 0.5, 0.5)
    assert asked < 256
    tag = page.locator(".dtviz-draws .dtviz-tag")
    assert numbers(str(tag.text_content())) == [str(asked)]
    # While samples are being judged the chart is drawn again and again.
    mark = "document.querySelector('.dtviz-draws .dtviz-curve.dtviz-bound')?.getBBox().x"
    x = page.wait_for_function(mark).json_value()
    ticks = page.evaluate(
        "[...document.querySelectorAll('.dtviz-draws .dtviz-axes text:not(.dtviz-above)')]"
        ".filter(e => Number.isInteger(Number(e.textContent)) && e.textContent !== '0.0')"
        ".map(e => [Number(e.textContent), Number(e.getAttribute('x'))])"
    )
    below = max(at for m, at in ticks if m <= asked)
    above = min(at for m, at in ticks if m >= asked)
    assert below <= x <= above
    choose(page, epsilon=0.01)
    asked = theory.sample_size_for_rank(5, 1, 0.01, 0.5)
    assert numbers(str(tag.text_content())) == [f"{asked:,}"]
    choose(page, rank=0)  # not about a target of larger rank
    assert tag.count() == 0


def test_the_caption_tells_the_tree() -> None:
    alt = RankExplorer().caption()
    tree = dt.rank.find(*sample("majority(5)", 24), rank=2)
    assert tree is not None
    error = fixed(true_error(functions()["majority(5)"], tree), 3)
    assert numbers(alt) == numbers(f"24 5 2 {tree.n_leaves} {tree.rank} {error}")
    alt = RankExplorer(view="many samples").caption()
    assert numbers(alt)[-2:] == numbers(f"{error} {DRAWS}")
    none = RankExplorer(target="parity(4)", m=64, rank=1)
    assert none.tree() is None
    assert "No tree of rank 1" in "".join(text.get_text() for text in none.picture().axes[0].texts)


def test_readers_own_targets(tab: Open, tmp_path: Path) -> None:
    own = {"mine <b>": dt.functions.random(6, 5), "constant": dt.BooleanFunction(1, [1, 1])}
    explorer = RankExplorer(own, m=24, rank=6)
    page = tab(write_page(tmp_path, explorer)).page
    X, y = explorer.sample
    bound = explorer.bound
    assert bound == min(6, dt.optimal(own["mine <b>"]).rank + 1)
    run = dt.rank.find_run(X, y, rank=bound)
    assert status_numbers(page)[:2] == ["24", str(bound)]
    assert status_numbers(page)[-1] == str(run.n_calls)
    page.locator("select[name=target]").select_option("constant")
    assert status_numbers(page) == ["24", "1", "1", "0", "0.000", "1"]


USE = """
  const texts = [text()];
  model.set("call", 3);
  const call = el.querySelector("input[name=call]").value;
  model.set("rank", 2);
  texts.push(text());
  const kept = state.call;
  move("m", 9);
  texts.push(text());
  const forgotten = state.call;
  move("call", 1);
  const after = [state.m, state.call, saved > 0];
  return { texts, call, kept, forgotten, after };
"""


def test_the_call_shown_is_kept_or_forgotten_in_jupyter(tab: Open, rank_page: str) -> None:
    page = tab(rank_page).page
    result = run_as_widget(page, RankExplorer(target="majority(5)", m=24, rank=1), USE)
    steps = [(24, 1), (24, 2), (32, 2)]
    said = [sample_numbers("majority(5)", m, rank) for m, rank in steps]
    assert [numbers(text) for text in result["texts"]] == said
    assert result["call"] == "3"
    assert result["kept"] == 3, "Python sets one trait after another"
    assert result["forgotten"] is None, "another run, another call to look at"
    assert result["after"] == [32, 1, True]


def test_data_is_small_and_says_what_the_targets_are() -> None:
    explorer = RankExplorer(target="multiplexer(2)", m=48, rank=3)
    text = re.search(r'class="dtviz-data">(.*?)</script>', explorer.to_html())
    assert text is not None
    assert len(text[1]) < 8_000
    state = json.loads(text[1])
    assert list(state["_about"]) == list(TARGETS)
    for name, facts in state["_about"].items():
        assert dt.BooleanFunction.from_int(facts["n"], int(facts["table"], 16)) == OFFERED[name]
