"""What every explorer must do, whatever it shows: one contract, and a row of `KINDS` an explorer.

What an explorer *says* is held against other computations in its own file, beside its chapter; so
are the controls, charts and gestures that only one explorer has.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import pandas as pd
import pytest
from support import web
from support.cases import sweep
from support.explorers import (
    DEAF,
    NO_FUNCTIONS,
    Open,
    all_ids,
    barriers,
    body,
    check_refused,
    faulty,
    freeze_clock,
    inside,
    meet,
    misnamed,
    run_as_widget,
    settle,
    status,
    too_small,
    transitions,
    write_page,
)

import dtviz as dt
from dtviz.explorers.base import Explorer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser


State = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """An explorer, and what the contract must know to try it.

    Attributes
    ----------
    chapter : str
        The page of the book that shows it.
    answer : str
        What `repr` says of a new one.
    states : mapping
        What there is to see: traits, by the name of the state. The first is that of a new explorer.
    controls : tuple of str
        The traits that name exactly one control, all states together.
    rows : tuple of str
        The traits that name several.
    stops : mapping
        By state, what the key Tab reaches in turn from the top of the explorer.
    key : (control, key, answer)
        A key pressed on a control, and what the status then says, in part.
    size : int
        The most bytes of HTML, compressed, in any state.
    refused : tuple of (trait, value, rule)
        Values that are refused, and a pattern of the message.
    given : str
        What it calls the functions it can be given; "" if it takes none.
    """

    chapter: str
    answer: str
    states: Mapping[str, State]
    controls: tuple[str, ...]
    stops: Mapping[str, tuple[str, ...]]
    key: tuple[str, str, str]
    size: int
    refused: tuple[tuple[str, Any, str], ...]
    rows: tuple[str, ...] = ()
    given: str = ""


NAN = float("nan")
COSTS = ", ".join(dt.COST_FUNCTIONS)
LONGEST = {"target": "parity(5)", "m": 128, "rank": 4}
RANK_ROWS = ("dtviz-flip", "redraw", "write", "open")
RANK_HEAD = (
    *("target", "formula", "undo", "redo", "random", "variables", "switch"),
    *("rank", "epsilon", "delta", "view", "keep"),
)
MORE = ""
"""The summary that unfolds what is not on the first screen."""
GUARDED = {"function": "guarded(majority(5))", "biases": [0.05, 0.5, 0.5, 0.5, 0.5, 0.5]}
CUBE = ("undo", "redo", "random", "variables", "switch")
FLIPS = ("row", "flip", "flipNone")
POINTS = [[k % 17, k * k % 23, k % 3 // 2] for k in range(60)]
FOR_POINTS = {"tool", "threshold", "file", "target", "across", "up", "row"}
"""What works on a reader's points, rows and table: what comes of it is the trait."""
FOR_THE_CHOICE = {"formula", "variables"}
"""What the chooser of functions has besides the control of its trait."""

KINDS = {
    "AtlasExplorer": Kind(
        chapter="atlas/index",
        answer="AtlasExplorer(function='multiplexer(1)')",
        states={
            "plain": {},
            "extremes": {"function": "majority(5)", "extreme": "ties"},
            "another map": {"function": "parity(4)", "chart": "optimal|rank"},
        },
        controls=("function", "chart", "extreme"),
        stops={
            "plain": (
                *("treeitem", "treeitem", "function", *RANK_HEAD[1:7]),
                *("representative", "chart", "dtviz-place-cell"),
            )
        },
        key=("function", "ArrowDown", "The smallest tree has 6 leaves, the greedy one 8; "),
        size=60_000,
        given="functions",
        refused=(
            ("function", "nand(2)", r"function must be one of multiplexer\(1\), .*; got 'nand"),
            ("function", "x0 & x5", "function must have from 1 to 5 variables, got n = 6"),
            ("function", "1", "function must have from 1 to 5 variables, got n = 0"),
            ("chart", "rank", r"chart must be one of optimal\|greedy_best, .*, got 'rank'"),
            ("extreme", "none", "extreme must be one of .*, got 'none'"),
        ),
    ),
    "InfluenceExplorer": Kind(
        chapter="1-influence/index",
        answer="InfluenceExplorer(function='caterpillar(3)', epsilon=0)",
        states={
            "plain": {},
            "bounds": {"show_bounds": True, "epsilon": 0.25},
            "beside": {"function": "caterpillar(3)", "epsilon": 0.0, "beside": "best"},
            "own": {"function": "x0 & (x1 | ~x2)", "splits": [[0, 2], [1, 0]]},
        },
        controls=("function", "epsilon", "step", "show_bounds", "playing", "beside"),
        stops={
            "plain": (
                *("treeitem", "treeitem", "epsilon", "playing", MORE),
                *("function", *RANK_HEAD[1:6]),
                *("beside", "keep", "show_bounds", "slider", "step"),
            ),
            "own": (
                *("undo", "back", "treeitem", "treeitem", "epsilon", "playing", MORE),
                *("function", *RANK_HEAD[1:7]),
                *("beside", "keep", "show_bounds", "slider", "step"),
            ),
        },
        key=("epsilon", "ArrowRight", "at most ε = 0.005"),
        # Two explorers on a page stay below 150 kB together.
        size=75_000,
        given="functions",
        refused=(
            ("epsilon", -0.01, "epsilon must be a number from 0 to 1/2, got -0.01"),
            ("epsilon", NAN, "epsilon must be a number from 0 to 1/2, got nan"),
            ("epsilon", 10**400, "epsilon must be a number from 0 to 1/2, got an integer of 1329"),
            ("epsilon", "a lot", "epsilon must be a number from 0 to 1/2, got 'a lot'"),
            (
                "function",
                "nand(2)",
                r"function must be one of caterpillar\(3\), .* got 'nand\(2\)'",
            ),
            ("function", "x0 & x16", "function must have at most 16 variables, got n = 17"),
            ("beside", "both", "beside must be one of nothing, best, kept, got 'both'"),
            ("kept", {"color": 1}, "kept must have settings among function, .*, got 'color'"),
            (
                "kept",
                {"epsilon": NAN},
                "kept must have settings .*: epsilon must be a number from 0",
            ),
            ("kept", {"splits": [[0]]}, "kept must have settings .*: splits must be None or pairs"),
            ("kept", 3, "kept.*dict.*3"),
            ("splits", [[1, 0]], r"splits must be None or pairs .*, got \[1, 0\] as split 0"),
            ("splits", [[0, 16]], "splits must be None or pairs .* from 0 to 15"),
            ("step", -1, "step must be None or an integer >= 0, got -1"),
        ),
    ),
    "RankExplorer": Kind(
        chapter="2-rank/index",
        answer="RankExplorer(target='majority(5)', m=24, rank=2)",
        states={
            "one sample": {},
            "a long run": LONGEST | {"m": 48, "view": "calls"},
            "no tree": {"target": "parity(4)", "m": 64, "rank": 1},
            "the sample": {"view": "sample", "flipped": [0, 31]},
            "own rows": {"view": "sample", "rows": ["0110", "1011", "1100"], "target": ""},
            "many samples": LONGEST | {"m": 48, "view": "many samples"},
            "many samples without a tree": LONGEST | {"m": 48, "view": "many samples", "rank": 1},
            "guarantee": {"view": "guarantee"},
            "kept": {"beside": "kept", "kept": {"target": "parity(5)", "rank": 4, "m": 48}},
        },
        controls=("target", "m", "rank", "epsilon", "delta", "call", "view", "playing"),
        stops={
            "one sample": ("treeitem", *RANK_ROWS, "m", "playing", MORE, *RANK_HEAD),
            "no tree": (*RANK_ROWS, "m", "playing", MORE, *RANK_HEAD),
            "a long run": ("treeitem", "m", MORE, *RANK_HEAD, "playing", "call", "group"),
            "own rows": (
                *("treeitem", "dtviz-flip", *RANK_ROWS[-2:], "drawn"),
                *("m", "playing", MORE, *RANK_HEAD[-5:]),
            ),
        },
        key=("m", "ArrowRight", "From 32 examples of majority(5), FIND with rank bound 2 "),
        size=40_000,
        given="targets",
        refused=(
            ("target", "nand(2)", r"target must be one of majority\(5\), .*; got 'nand\(2\)'"),
            ("m", 5, "m must be one of 1, 2, 3, 4, 6, .*, 256, got 5"),
            ("m", 0, "m must be one of .*, got 0"),
            ("m", 1.5, "m must be one of 1, 2, 3, .*, 256, got 1.5"),
            ("rank", True, "rank must be an integer from 0 to 6, got True"),
            ("rank", -1, "rank must be an integer from 0 to 6, got -1"),
            ("rank", 7, "rank must be an integer from 0 to 6, got 7"),
            ("epsilon", 0, r"epsilon must be in the open interval \(0, 1\), got 0"),
            ("epsilon", 1.0, r"epsilon must be in the open interval \(0, 1\), got 1.0"),
            ("delta", NAN, r"delta must be in the open interval \(0, 1\), got nan"),
            ("delta", "rarely", r"delta must be in the open interval \(0, 1\), got 'rarely'"),
            ("call", -1, "call must be None or an integer >= 0, got -1"),
            ("view", "both", "view must be one of tree, calls, sample, .*, got 'both'"),
            ("seed", 1000, "seed must be an integer from 0 to 999, got 1000"),
            ("flipped", [64], "flipped must be at most 64 numbers, each an integer from 0 to 63"),
            ("rows", ["01", "0"], "rows must be texts of 1 to 6 bits and a label, such as '0110'"),
            ("rows", ["01", "011"], "rows must be of equal length, got '01' as row 0 and '011'"),
            ("rows", ["01", "00"], "rows must give each example one label, got '01' as row 0"),
            ("rows", ["٠١"], "rows must be texts of 1 to 6 bits"),
            ("rows", ["01"] * 257, "rows must be at most 256, got 257"),
            ("rows", 5, "rows must be a list, each item a text, got 5"),
            ("beside", "best", "beside must be one of nothing, kept, got 'best'"),
            ("kept", {"view": "calls"}, "kept must have settings among target, m, .* got 'view'"),
            ("kept", {"m": 5}, "kept must have .*: m must be one of 1, 2, .*, got 5"),
            ("kept", {"rows": ["01", "00"]}, "kept must have .*: rows must give each example one"),
            ("kept", {"target": "x0 &"}, "kept must have .*: target must be one of"),
            ("target", "x0 &", "target must be one of .*at its end, near 'x0 &'"),
            ("target", "x9", "target must have from 1 to 6 variables, got n = 10 for 'x9'"),
            ("target", "", "target must be one of .*, or the text of a function"),
            ("playing", 2, "playing must be True or False, got 2"),
        ),
    ),
    "ProductExplorer": Kind(
        chapter="3-product/index",
        answer="ProductExplorer(function='rash | cough & fever', bias=0.3, epsilon=0.1)",
        states={
            "exact": {},
            "fair": {"bias": 0.5},
            "guarded": GUARDED,
            "bounds": GUARDED | {"view": "bounds", "epsilon": 0.0},
            "race": {"view": "race", "bias": 0.5},
            "race, guarded": GUARDED | {"view": "race"},
            "own, best": {"function": "x0 & (x1 | ~x2)", "beside": "best", "epsilon": 0.0},
            "kept": {"beside": "kept", "kept": {"bias": 0.6, "function": "0x96"}},
        },
        controls=("function", "view", "beside", "bias", "epsilon", "samples", "seed", "playing"),
        rows=("biases",),
        stops={
            "exact": (
                *("treeitem", "bias", "playing", "biases", "epsilon", MORE, "function"),
                *(*RANK_HEAD[1:7], "view", "beside", "keep"),
                *("biases",) * 3,
                "slider",
            ),
            "race": (
                *("treeitem", "treeitem", "bias", "playing", "biases", "epsilon", MORE, "function"),
                *(*RANK_HEAD[1:7], "view", "samples", "seed"),
            ),
        },
        key=("bias", "ArrowRight", "With p = 0.31 the root asks"),
        size=60_000,
        given="functions",
        refused=(
            ("bias", 1.0, "bias must be from 1e-40 to below 1, got 1.0"),
            ("biases", [0.5, 1.0], r"biases must be at most 6 numbers, .*, got \[0.5, 1.0\]"),
            (
                "biases",
                0.5,
                "biases must be at most 6 numbers, each None or from 1e-40 to below 1, got 0.5",
            ),
            ("epsilon", 0.51, "epsilon must be a number from 0 to 1/2, got 0.51"),
            ("view", "both", "view must be one of exact, bounds, race, got 'both'"),
            ("function", "1", "function must have from 1 to 6 variables, got n = 0"),
            ("beside", "both", "beside must be one of nothing, best, kept, got 'both'"),
            ("kept", {"view": "race"}, "kept must have settings among function, bias, .* 'view'"),
            ("kept", {"bias": 2.0}, "kept must have .*bias must be from 1e-40"),
            ("samples", 100, "samples must be one of 8, 16, .*, 16384, got 100"),
            ("seed", 1000, "seed must be an integer from 0 to 999, got 1000"),
        ),
    ),
    "ImpurityExplorer": Kind(
        chapter="4-impurity/index",
        answer="ImpurityExplorer(view='chord', cost='gini', p=0.6, r=1, tau=0.5)",
        states={
            "chord": {},
            "plane": {"view": "plane"},
            "iris": {"view": "plane", "data": "iris", "leaves": 5},
            "between": {"view": "plane", "data": "titanic", "leaves": 5, "cost_position": 2.9},
            "yours": {"view": "plane", "data": "yours", "points": POINTS, "leaves": 5},
        },
        controls=(
            *("view", "cost_position", "p", "r", "tau", "data", "leaves", "playing", "beside"),
        ),
        stops={
            "chord": ("cost_position", "p", MORE, "view", "r", "tau"),
            "plane": (
                *("slider", "application", "treeitem", "cost_position", "leaves", "playing"),
                "data",
                *("draw", "paste", "open", MORE, "view", "tool", "undo-points", "redo-points"),
                *("hold", "random", "clear", "beside", "chord"),
            ),
        },
        key=("p", "ArrowRight", "This split lowers the Gini impurity from 0.314 to 0.238."),
        size=40_000,
        refused=(
            ("view", "both", "view must be one of chord, plane, got 'both'"),
            ("cost", "Gini", f"cost must be one of {COSTS}, got 'Gini'"),
            ("cost_position", 3.01, "cost_position must be a number from 0 to 3, got 3.01"),
            ("p", -0.01, "p must be a number from 0 to 1, got -0.01"),
            ("r", 1.01, "r must be a number from 0 to 1, got 1.01"),
            ("tau", 0.0, r"tau must be in the open interval \(0, 1\), got 0.0"),
            ("tau", 1.0, r"tau must be in the open interval \(0, 1\), got 1.0"),
            ("data", "digits", "data must be one of breast cancer, iris, .*, yours, got 'digits'"),
            ("points", [[0, 1]], r"points must be at most 1,500 rows \[x, y, label\], .* in row 0"),
            ("points", [[0, NAN, 1]], "points must be .* in row 0"),
            ("points", [[0, 10**400, 1]], "points must be .* in row 0"),
            ("points", [[0, 1, 3]], "points must be .* label 0, 1 or 2, .* in row 0"),
            ("points", [[0, 1, 1]] * 1501, "points must be at most 1,500 rows .*, got 1,501 rows"),
            ("points", "many", "points must be at most 1,500 rows .* got 'many'"),
            ("names", ["a"], "names must be none, or the names of two coordinates and of two"),
            ("names", ["a" * 61] * 4, "names must be none, or .* at most 60 letters"),
            ("beside", "best", f"beside must be one of nothing, {COSTS}, got 'best'"),
            ("splits", [[1, 0, 0.5]], r"splits must be None or .*, got \[1, 0, 0.5\] as split 0"),
            ("splits", [[0, 0, NAN]], "splits must be None or at most 31 rows"),
            ("splits", 3, "splits must be None or at most 31 rows .*, got 3"),
            ("axes", ["age", "fare"], "axes must be none, for there is no choice, got"),
            ("leaves", 0, "leaves must be an integer from 1 to 32, got 0"),
            ("leaves", 33, "leaves must be an integer from 1 to 32, got 33"),
            ("playing", 2, "playing must be True or False, got 2"),
        ),
    ),
    "GrowingExplorer": Kind(
        chapter="5-growing/index",
        answer="GrowingExplorer(cost_position=2, gamma=0.2, log_splits=6)",
        states={"plain": {}, "weak": {"gamma": 0.04, "log_splits": 12.0}},
        controls=("cost_position", "gamma", "log_splits", "playing"),
        stops={"plain": ("cost_position", "log_splits", "playing", MORE, "gamma")},
        key=("log_splits", "ArrowRight", "With edge 0.20, 1.8·10⁶ splits bring the cost down to "),
        size=40_000,
        refused=(
            ("gamma", 0.5, "gamma must be one of"),
            ("gamma", 0.205, "gamma must be one of"),
            ("log_splits", 13.0, "log_splits must be one of"),
            ("log_splits", -0.25, "log_splits must be one of"),
            ("log_splits", NAN, "log_splits must be one of"),
        ),
    ),
    "PruningExplorer": Kind(
        chapter="6-pruning/index",
        answer=(
            "PruningExplorer(sample='tribes(2, 3) of 10 bits', method='reduced error', noise=0.1)"
        ),
        states={
            "reduced error": {},
            "bottom up": {"method": "bottom up", "c": 0.2, "noise": 0.3},
            "beside": {"sample": "titanic", "beside": "cost complexity", "flips": [3, 7]},
        },
        controls=(*("sample", "method", "beside", "noise", "d", "c", "delta", "alpha"),),
        stops={
            "reduced error": (
                *("treeitem", "noise", "playing", MORE, "method", "sample", "formula", *CUBE),
                *("paste", "open", "beside", *FLIPS),
            ),
            "bottom up": (
                *("treeitem", "c", "delta", "playing", MORE, "method", "noise", "sample"),
                *("formula", *CUBE, "paste", "open", "beside", *FLIPS),
            ),
        },
        key=("noise", "ArrowRight", "Reduced error keeps 13 of 43 leaves: "),
        size=60_000,
        given="samples",
        refused=(
            ("method", "axe", "method must be one of"),
            ("noise", 0.075, "noise must be one of"),
            ("noise", 0.51, "noise must be one of"),
            ("sample", "x0 &", "sample must be one of .*, or the text of a function"),
            ("sample", "parity(7)", "sample must be one of"),
            ("beside", "axe", "beside must be one of"),
            ("flips", [-1], "flips must be at most 2000 numbers, each an integer from 0 to 1999"),
            ("flips", [2000], "flips must be at most 2000 numbers, each an integer from 0"),
            (
                "flips",
                3,
                "flips must be at most 2000 numbers, each an integer from 0 to 1999, got 3",
            ),
            ("rows", [[1.0, 0.0]], "rows must be none or from 20 to 2000 rows"),
            ("rows", [[NAN, 0.0]] * 20, "rows must be none or"),
            ("rows", [[1.0, 2.0]] * 20, "rows must be none or"),
            ("rows", [[1.0, 0.0]] * 19 + [[1.0]], "rows must be none or"),
            ("d", -1, "d must be an integer >= 0"),
            ("c", 0.0, "c must be above 0"),
            ("delta", 1.0, "delta must be in the open"),
            ("alpha", -0.1, "alpha must be from 0"),
        ),
    ),
}

STATES = [(name, state) for name, kind in KINDS.items() for state in kind.states]
STOPS = [(name, state) for name, kind in KINDS.items() for state in kind.stops]
REFUSED = [(name, *case) for name, kind in KINDS.items() for case in kind.refused]
GIVEN = [name for name, kind in KINDS.items() if kind.given]
every_kind = pytest.mark.parametrize("name", KINDS)
every_state = pytest.mark.parametrize(
    ("name", "state"), sweep(STATES, lambda case: case[1] == next(iter(KINDS[case[0]].states)))
)
"""Each explorer as it is at first; and as it can be."""


def made(name: str, state: State | None = None) -> Explorer:
    """Make an explorer in a state."""
    explorer: Explorer = getattr(dt, name)(**(state or {}))
    return explorer


@cache
def explorer_name(name: str) -> str:
    """The name by which the front end knows it."""
    return str(made(name)._explorer)


def root(name: str) -> str:
    return f"[data-explorer={explorer_name(name)}]"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Address of a page with one explorer, ``address(name, state)``; each is written once."""
    known: dict[tuple[str, str], str] = {}

    def written(name: str, state: str = "") -> str:
        if (name, state) not in known:
            traits = KINDS[name].states[state] if state else {}
            folder = tmp_path_factory.mktemp(name)
            known[name, state] = write_page(folder, made(name, traits))
        return known[name, state]

    return written


@pytest.fixture(scope="module")
def finger(browser: Browser) -> Iterator[Open]:
    """Load a page as `tab` does, on a phone."""
    with web.reader(browser, {"touch": True}) as context:
        yield web.Tab(context).load


@pytest.fixture(scope="module")
def scriptless(browser: Browser) -> Iterator[Open]:
    """Load a page as `tab` does, in a browser that runs no scripts."""
    with web.reader(browser, {"javascript": False}) as context:
        yield web.Tab(context).load


def test_every_explorer_is_held_to_the_contract() -> None:
    assert set(KINDS) == {name for name in dt.__all__ if name.endswith("Explorer")}


@every_state
def test_no_serious_accessibility_finding_in_either_theme(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    seen = tab(address(name, state), theme="dark", reduced_motion=True)
    leaf = seen.page.locator("[data-state=leaf]:visible").first
    if leaf.count():
        leaf.hover()
    assert web.axe_findings(seen.page) == []
    seen.page.emulate_media(color_scheme="light")
    assert web.axe_findings(seen.page) == []
    assert (seen.complaints, seen.foreign()) == ([], [])


@pytest.mark.parametrize("name", sweep(KINDS, 4))
def test_the_explorer_of_the_chapter(site: Path, visit: Open, name: str) -> None:
    address = (site / "book" / f"{KINDS[name].chapter}.html").as_uri()
    seen = visit(address, reduced_motion=True)
    assert seen.page.locator(f"{root(name)}.dtviz-live").count() >= 1
    output = seen.page.locator(f".output:has({root(name)})").first
    for theme in web.THEMES:
        seen.page.emulate_media(color_scheme=theme)
        seen.page.wait_for_selector(f"html[data-theme={theme}]")
        assert output.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert seen.foreign() == []
    assert seen.complaints == []
    # The theme's own script misses what this takes away.
    assert barriers(seen.page) == []
    seen.page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert barriers(seen.page) == []


STOP = "(e => e.name || e.getAttribute('role') || e.className)(document.activeElement)"


@pytest.mark.parametrize(("name", "state"), sweep(STOPS, 2))
def test_everything_is_reached_by_keyboard(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = tab(address(name, state), reduced_motion=True).page
    page.locator("h1").click()
    reached = []
    for _ in range(len(KINDS[name].stops[state]) + 1):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(STOP))
    assert tuple(reached[:-1]) == KINDS[name].stops[state]
    # A tree is one stop, walked with the arrow keys.
    assert reached.count("treeitem") <= page.locator("[role=tree]:visible").count()


@every_kind
def test_a_key_on_a_control_is_reported(tab: Open, address: Callable[..., str], name: str) -> None:
    control, key, result = KINDS[name].key
    page = tab(address(name), reduced_motion=True).page
    assert result not in status(page)
    page.locator(f"[name={control}]").first.focus()
    page.keyboard.press(key)
    assert result in status(page)


@every_state
def test_touch_targets_are_large_enough(
    finger: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = finger(address(name, state), width=360, height=700).page
    targets = "select:visible, button:visible, input[type=range]:visible, label.dtviz-check:visible"
    found = page.locator(targets).all()
    assert len(found) >= min(3, len(KINDS[name].controls))
    assert too_small(found) == []


@every_state
def test_reduced_motion_has_no_transitions(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    assert transitions(tab(address(name, state), reduced_motion=True).page) == ["0s"]


@every_state
def test_print_shows_the_drawing_without_controls(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = tab(address(name, state), reduced_motion=True).page
    drawn = page.locator(f"{root(name)} svg:visible").count()
    assert page.locator("img.dtviz-picture").is_hidden(), "with scripts the picture gives way"
    page.emulate_media(media="print")
    assert page.locator("select:visible, input:visible, button[name]:visible").count() == 0
    assert page.get_by_role("status").is_visible()
    assert 0 < page.locator(f"{root(name)} svg:visible").count() <= drawn


@every_state
def test_without_scripts_there_is_a_picture(
    scriptless: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = scriptless(address(name, state)).page
    picture = page.locator("img.dtviz-picture")
    assert picture.is_visible()
    box = picture.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert box["height"] > 100
    alt = picture.get_attribute("alt")
    assert alt == made(name, KINDS[name].states[state]).caption()
    assert alt.endswith(".")


SHOWN = """
(e) => [
  e.querySelector("[role=status]").textContent,
  ...[...e.querySelectorAll("select, input")].map((c) => `${c.name} ${c.value} ${c.checked}`),
  e.querySelectorAll("[role=treeitem]").length,
]
"""


@pytest.mark.parametrize("name", sweep(KINDS, 4))
def test_explorers_keep_out_of_each_others_way(tab: Open, tmp_path: Path, name: str) -> None:
    """Two of a kind, in different states, and one of another kind."""
    states = list(KINDS[name].states.values())
    other = "RankExplorer" if name == "InfluenceExplorer" else "InfluenceExplorer"
    seen = tab(write_page(tmp_path, made(name), made(name, states[1]), made(other)))
    first, second = seen.page.locator(root(name)).all()
    others = [second, seen.page.locator(root(other))]
    before = [each.evaluate(SHOWN) for each in others]
    control, key, result = KINDS[name].key
    first.locator(f"[name={control}]").first.focus()
    seen.page.keyboard.press(key)
    assert result in first.get_by_role("status").inner_text()
    for select in first.locator("select:visible").all():
        select.select_option(index=1)
    assert [each.evaluate(SHOWN) for each in others] == before
    ids = all_ids(seen.page)
    assert len(ids) >= 3
    assert len(ids) == len(set(ids))
    assert seen.complaints == []


@every_kind
def test_controls_are_named_by_their_traits(
    tab: Open, address: Callable[..., str], name: str
) -> None:
    page, kind = tab(address(name)).page, KINDS[name]
    explorer = page.locator(root(name))
    assert misnamed(explorer, getattr(dt, name), *kind.controls) == []
    named = explorer.locator("select, input").evaluate_all("all => all.map(e => e.name)")
    assert set(named) - FOR_THE_CHOICE - FOR_POINTS <= set(made(name).traits(sync=True))
    for trait in kind.rows:
        rows = explorer.locator(f"input[name={trait}]")
        assert rows.count() > 1
        text = rows.evaluate_all("all => all.map(e => e.ariaLabel)")
        assert len(set(text)) == rows.count(), "a name of its own for each"


USE = """
  // The pages that it is compared with are unfolded, too.
  const more = el.querySelector("details.dtviz-more");
  if (more) {
    more.open = true;
    more.dispatchEvent(new Event("toggle"));
  }
  const texts = [text()];
  for (const traits of STATES) {
    for (const [name, value] of Object.entries(traits)) model.set(name, value);
    texts.push(text());
  }
  const before = saved;
  const control = el.querySelector("[name=CONTROL]");
  if (control.stepUp) control.stepUp();
  else control.selectedIndex += 1;
  control.dispatchEvent(new Event(control.stepUp ? "input" : "change"));
  return { texts, moved: text(), saved: saved > before };
"""


@pytest.mark.parametrize("name", sweep(KINDS, 2))
def test_the_module_runs_as_a_widget_and_cleans_up(
    tab: Open, address: Callable[..., str], name: str
) -> None:
    """Set from Python it says what a page of that state says; moved it saves; then it is gone."""
    kind, start = KINDS[name], made(name)
    expected = [status(tab(address(name, state)).page) for state in kind.states]
    back = {trait: getattr(start, trait) for state in kind.states.values() for trait in state}
    states = [back | state for state in kind.states.values()] + [back]
    use = USE.replace("STATES", json.dumps(states)).replace("CONTROL", kind.key[0])
    result = run_as_widget(tab(address(name)).page, start, use)
    assert result["texts"] == [expected[0], *expected, expected[0]]
    assert result["moved"] != expected[0]
    assert result["saved"]
    assert (result["left"], result["children"]) == (0, 0)


@pytest.mark.parametrize("name", sweep(KINDS, 4))
def test_what_is_hidden_can_be_set(tab: Open, address: Callable[..., str], name: str) -> None:
    """As in a notebook that is not on display: no drawing gets a size below 0."""
    kind, start = KINDS[name], made(name)
    seen = tab(address(name))
    seen.page.evaluate("document.body.hidden = true")
    states = json.dumps([start._state() | state for state in kind.states.values()])
    use = USE.replace("STATES", states).replace("CONTROL", kind.key[0])
    assert run_as_widget(seen.page, start, use)["saved"]
    assert seen.complaints == []


PLACES = """
async () => {
  const root = document.querySelector(".dtviz-explorer");
  const box = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const seen = (node) =>
    node.getClientRects().length > 0 && getComputedStyle(node).visibility === "visible";
  const named = (node) => ({ ...box(node), text: node.textContent });
  const within = "[role=treeitem], .dtviz-edges";
  const look = () => ({
    charts: [...root.querySelectorAll("svg")].filter(seen).map((svg) => ({
      frame: box(svg),
      // Each part of a node for itself: a test stands beside the mark of its node.
      nodes: [...svg.querySelectorAll("[role=treeitem]:not([data-state=absent])")]
        .flatMap((node, of) => [node, ...node.querySelectorAll("*")]
          .filter((part) => !part.firstElementChild && seen(part))
          .map((part) => ({ ...named(part), text: node.textContent, of }))),
      texts: [...svg.querySelectorAll("text")]
        .filter((text) => text.textContent && !text.closest(within) && seen(text)).map(named),
    })),
    smallest: Math.min(...[...root.querySelectorAll("text, label, button, p, span, td, option")]
      .filter((node) => node.textContent && seen(node))
      .map((node) => parseFloat(getComputedStyle(node).fontSize))),
    wide: document.documentElement.scrollWidth,
    tops: [...root.querySelectorAll(".dtviz-status, .dtviz-more, .dtviz-share")]
      .map((part) => Math.round(box(part).top)),
  });
  const found = { "": [look()] };
  for (const slider of root.querySelectorAll("input[type=range]:enabled")) {
    if (!seen(slider) || slider.min === slider.max) continue;
    const move = async (value) => {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      for (let k = 0; k < 4; k += 1) await new Promise(requestAnimationFrame);
    };
    const [start, min, max] = [slider.value, slider.min, slider.max].map(Number);
    found[slider.name] = [];
    for (const share of [0, 0.3, 0.7, 1]) {
      await move(min + share * (max - min));
      found[slider.name].push(look());
    }
    await move(start);
  }
  return found;
}
"""
"""What is drawn at first, and at four places of each slider."""


MOVING = {("InfluenceExplorer", "epsilon"), ("InfluenceExplorer", "step")}
"""What is said below its trees takes a second line in some windows."""


def misdrawn(seen: Any, width: int) -> list[str]:
    """Return what is cropped, on top of something else, or too small to read."""
    found = [] if seen["smallest"] >= 11 else [f"text of {seen['smallest']} px"]
    found += [] if seen["wide"] <= width else [f"wider than the screen: {seen['wide']}"]
    for chart in seen["charts"]:
        for group, slack in ((chart["texts"], 2), (chart["nodes"], 1)):
            for k, a in enumerate(group):
                if not inside(a, chart["frame"], slack=4):
                    found.append(f"cropped: {a['text']}")
                found += [
                    f"overlap: {a['text']} and {b['text']}"
                    for b in group[:k]
                    if a.get("of", a) != b.get("of", b) and meet(a, b, slack=slack)
                ]
    return found


@pytest.mark.parametrize(
    ("name", "state", "width"),
    sweep(((*state, width) for state in STATES for width in (360, 720, 1200)), 4),
)
def test_sliders_move_nothing_and_crop_nothing(
    tab: Open, address: Callable[..., str], name: str, state: str, width: int
) -> None:
    page = tab(address(name, state), width=width, reduced_motion=True).page
    settle(page)
    for slider, places in page.evaluate(PLACES).items():
        wrong = [problem for seen in places for problem in misdrawn(seen, width)]
        assert wrong == [], slider
        # Else the browser goes through all that stands below, which is a whole chapter.
        if (name, slider) not in MOVING:
            assert len({tuple(seen["tops"]) for seen in places}) == 1, slider


def first_state(name: str, stop: str) -> str:
    """The first state in which the key Tab comes to something."""
    return next(state for state, stops in KINDS[name].stops.items() if stop in stops)


def with_stop(stop: str) -> list[str]:
    """The explorers in which the key Tab comes to something."""
    return [name for name, kind in KINDS.items() if any(stop in s for s in kind.stops.values())]


AT = """
() => {
  const node = document.activeElement.closest("[role=treeitem]");
  const stops = node.closest("[role=tree]").querySelectorAll("[tabindex='0']");
  return stops.length === 1 ? ["aria-level", "aria-label"].map((a) => node.getAttribute(a)) : [];
}
"""


@pytest.mark.parametrize("name", with_stop("treeitem"))
def test_a_tree_is_walked_by_keyboard(tab: Open, address: Callable[..., str], name: str) -> None:
    page = tab(address(name, first_state(name, "treeitem")), reduced_motion=True).page
    page.locator("[role=treeitem][tabindex='0']:visible").first.focus()
    said = page.locator(".dtviz-tip:visible strong").first

    def press(key: str) -> tuple[int, str]:
        page.keyboard.press(key)
        level, label = page.evaluate(AT)
        assert said.is_visible()
        return int(level), label

    last, above, first = map(press, ("End", "ArrowUp", "Home"))
    assert above[0] == last[0] - 1
    assert press("ArrowRight") != first
    assert press("ArrowLeft") == first
    up = [press("ArrowUp")[0] for _ in range(first[0] - 1)]
    assert up == [*range(first[0] - 1, 0, -1)]
    assert press("ArrowDown")[0] == 2
    page.keyboard.press("Escape")
    assert page.locator(".dtviz-tip:visible").count() == 0


@pytest.mark.parametrize("name", with_stop("treeitem"))
def test_a_tap_on_a_node_is_answered_in_sight(
    finger: Open, address: Callable[..., str], name: str
) -> None:
    state = first_state(name, "treeitem")
    page = finger(address(name, state), width=360, height=700, reduced_motion=True).page
    ends = "[role=treeitem]:not([data-state=folded], [data-state=absent])"
    page.locator(f"{ends}:visible").last.tap()
    tip = page.locator(".dtviz-tip:visible").first.bounding_box()
    assert tip is not None
    assert tip["x"] >= 0
    assert tip["x"] + tip["width"] <= 360


@pytest.mark.parametrize("name", with_stop("playing"))
def test_play_goes_to_its_end_and_pause_stops(
    visit: Open, address: Callable[..., str], name: str
) -> None:
    page = visit(address(name, first_state(name, "playing"))).page
    freeze_clock(page)
    explorer, play = page.locator(root(name)), page.locator("button[name=playing]:visible").first
    seen = []
    play.click()
    for _ in range(3):
        page.clock.run_for(1050)
        seen.append(explorer.evaluate(SHOWN))
    assert seen[0] != seen[1] != seen[2]
    assert play.inner_text() == "Pause"
    play.click()
    page.clock.run_for(20_000)
    assert (explorer.evaluate(SHOWN), play.inner_text()) == (seen[2], "Play")
    play.click()
    page.clock.run_for(120_000)
    assert explorer.evaluate(SHOWN) != seen[2]
    assert play.inner_text() == "Play"


@pytest.mark.parametrize("name", with_stop("keep"))
def test_settings_are_kept_to_compare(tab: Open, address: Callable[..., str], name: str) -> None:
    page = tab(address(name, first_state(name, "keep")), width=360, reduced_motion=True).page
    trees, ring = page.locator("[role=tree]:visible"), page.locator(".dtviz-ring").last
    page.locator("[name=keep]").click()
    settle(page)
    assert trees.count() == 2
    before = trees.all_text_contents()
    assert ring.evaluate("e => getComputedStyle(e).visibility") == "hidden", "both are the same"
    # From many examples FIND returns no tree.
    end = "Home" if name == "RankExplorer" else "End"
    page.locator(f"[name={KINDS[name].key[0]}]").first.press(end)
    settle(page)
    shown, kept = trees.all_text_contents()
    assert (shown != before[0], kept) == (True, before[1])
    assert ring.evaluate("e => getComputedStyle(e).visibility") == "visible"
    assert "tree kept" in status(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".dtviz-beside-controls select").select_option(index=0)
    settle(page)
    assert trees.count() == 1
    assert "tree kept" not in status(page)


def test_a_broken_control_is_found(tab: Open, tmp_path: Path) -> None:
    """PLANTED FAULT: the handler of the sliders listens to an event that never comes."""
    page = tab(write_page(tmp_path, dt.InfluenceExplorer(), scripts=faulty(*DEAF))).page
    before = status(page)
    page.locator("[name=epsilon]").press("ArrowRight")
    assert status(page) == before


@every_state
def test_data_is_small(name: str, state: str) -> None:
    page = body(made(name, KINDS[name].states[state]))
    assert len(gzip.compress(page.encode())) < KINDS[name].size


@every_kind
def test_the_script_is_small(name: str) -> None:
    assert len(gzip.compress(made(name)._esm.encode())) < 47_000


@pytest.mark.parametrize(("name", "trait", "value", "rule"), REFUSED)
def test_bad_traits_are_refused(name: str, trait: str, value: object, rule: str) -> None:
    check_refused(getattr(dt, name), trait, value, rule)


@every_kind
def test_unknown_traits_are_refused(name: str) -> None:
    """Python would make a new attribute of it, and nothing on display would change."""
    with pytest.raises(ValueError, match=rf"{name} has the traits .*; got color"):
        made(name, {"color": "red"})
    explorer = made(name)
    with pytest.raises(AttributeError, match=rf"{name} has the traits .*; got color"):
        explorer.color = "red"
    named = re.findall(r"(\w+)=", repr(explorer))
    assert named
    for trait in named:
        setattr(explorer, trait, getattr(explorer, trait))


@pytest.mark.parametrize("value", NO_FUNCTIONS)
@pytest.mark.parametrize("name", GIVEN)
def test_what_is_no_function_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{KINDS[name].given} must be a BooleanFunction"):
        getattr(dt, name)(value)


@pytest.mark.parametrize("name", GIVEN)
def test_a_table_in_place_of_functions_is_reported_on_one_line(name: str) -> None:
    frame = pd.DataFrame(np.zeros((40, 4)))
    takes_tables = name in {"PruningExplorer", "RankExplorer"}
    rule = "y must be given with a table" if takes_tables else "must be a BooleanFunction"
    if name in {"AtlasExplorer", "InfluenceExplorer", "ProductExplorer"}:
        rule = f"{name} shows Boolean functions, not examples"
    with pytest.raises(ValueError, match=rule) as caught:
        getattr(dt, name)(frame)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@every_kind
def test_it_is_a_widget_with_a_picture(name: str) -> None:
    explorer = made(name)
    assert isinstance(explorer, anywidget.AnyWidget)
    bundle, about = explorer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert len(bundle["image/png"]) < 100_000
    assert about["image/png"]["alt"] == explorer.caption()
    assert bundle["text/plain"] == KINDS[name].answer
    assert explorer.to_html() == made(name).to_html(), "the page must not change by itself"


@pytest.mark.parametrize("name", KINDS)
def test_its_reference_names_no_constant_that_a_reader_cannot_reach(name: str) -> None:
    """It tells the values themselves: `GRID` is nothing to somebody who has `dtviz` alone."""
    named = re.findall(r"``?(?:\w+\.)*([A-Z][A-Z_]{2,})\b", getattr(dt, name).__doc__)
    assert [constant for constant in named if not hasattr(dt, constant)] == []
