"""What every explorer must do, whatever it shows: one contract, and a row of `KINDS` an explorer.

What an explorer *says* is held against other computations in its own file, beside its chapter; so
are the controls, charts and gestures that only one explorer has.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import anywidget
import numpy as np
import pandas as pd
import pytest
import traitlets
from support import mouse, web
from support.cases import sweep
from support.explorers import (
    Open,
    body,
    freeze_clock,
    inside,
    meet,
    run_as_widget,
    settle,
    status,
    transitions,
    write_page,
)

import dtviz as dt
from dtviz.chapters import WITH_EXPLORERS
from dtviz.explorers.base import Explorer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page


State = Mapping[str, Any]
Refused = tuple[tuple[str, Any, str], ...]


class Kind(NamedTuple):
    """What the contract must know of an explorer to try it.

    Its ``states`` are what there is to see, traits by the name of the state, first that of a new
    explorer; the first ``control``, by its trait; the most bytes of HTML, compressed, in any state
    (``size``); and what is ``refused`` by rules that its ``_rules`` do not have: trait, value, and
    a pattern of the message.
    """

    states: Mapping[str, State]
    control: str
    size: int
    refused: Refused = ()


NAN = float("nan")
LONGEST = {"target": "parity(5)", "m": 128, "rank": 4}
GUARDED = {"function": "guarded(majority(5))", "biases": [0.05, 0.5, 0.5, 0.5, 0.5, 0.5]}
POINTS = [[k % 17, k * k % 23, k % 3 // 2] for k in range(60)]
FOR_POINTS = {"tool", "threshold", "file", "target", "across", "up", "row"}
"""What works on a reader's points, rows and table: what comes of it is the trait."""
FOR_THE_CHOICE = {"formula", "variables"}
"""What the chooser of functions has besides the control of its trait."""
UNNAMED = {("RankExplorer", "seed"), ("RankExplorer", "beside")}
"""Traits that a button of another name sets."""

KINDS = {
    "AtlasExplorer": Kind(
        states={
            "plain": {},
            "extremes": {"function": "majority(5)", "extreme": "ties"},
            "another map": {"function": "parity(4)", "chart": "optimal|rank"},
        },
        control="function",
        size=60_000,
        refused=(
            ("function", "nand(2)", r"function must be one of multiplexer\(1\), .*; got 'nand"),
            ("function", "x0 & x5", "function must have from 1 to 5 variables, got n = 6"),
            ("function", "1", "function must have from 1 to 5 variables, got n = 0"),
        ),
    ),
    "InfluenceExplorer": Kind(
        states={
            "plain": {},
            "bounds": {"show_bounds": True, "epsilon": 0.25},
            "beside": {"function": "caterpillar(3)", "epsilon": 0.0, "beside": "best"},
            "own": {"function": "x0 & (x1 | ~x2)", "splits": [[0, 2], [1, 0]]},
        },
        control="epsilon",
        size=75_000,  # two explorers on a page stay below 150 kB together
        refused=(
            ("epsilon", 10**400, "epsilon must be a number from 0 to 1/2, got an integer of 1329"),
            ("function", "x0 & x16", "function must have at most 16 variables, got n = 17"),
            ("kept", {"color": 1}, "kept must have settings among function, .*, got 'color'"),
            ("kept", {"epsilon": NAN}, "kept must have .*: epsilon must be a number from 0"),
            ("kept", {"splits": [[0]]}, "kept must have settings .*: splits must be None or pairs"),
            ("kept", 3, "kept.*dict.*3"),
            ("splits", [[1, 0]], r"splits must be None or pairs .*, got \[1, 0\] as split 0"),
            ("splits", [[0, 16]], "splits must be None or pairs .* from 0 to 15"),
        ),
    ),
    "RankExplorer": Kind(
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
        control="m",
        size=40_000,
        refused=(
            ("rows", ["01", "0"], "rows must be texts of 1 to 6 bits and a label, such as '0110'"),
            ("rows", ["01", "011"], "rows must be of equal length, got '01' as row 0 and '011'"),
            ("rows", ["01", "00"], "rows must give each example one label, got '01' as row 0"),
            ("rows", ["٠١"], "rows must be texts of 1 to 6 bits"),
            ("rows", ["01"] * 257, "rows must be at most 256, got 257"),
            ("rows", 5, "rows must be a list, each item a text, got 5"),
            ("kept", {"view": "calls"}, "kept must have settings among target, m, .* got 'view'"),
            ("kept", {"m": 5}, "kept must have .*: m must be one of 1, 2, .*, got 5"),
            ("kept", {"rows": ["01", "00"]}, "kept must have .*: rows must give each example one"),
            ("target", "x0 &", "target must be one of .*at its end, near 'x0 &'"),
            ("target", "x9", "target must have from 1 to 6 variables, got n = 10 for 'x9'"),
            ("target", "", "target must be one of .*, or the text of a function"),
        ),
    ),
    "ProductExplorer": Kind(
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
        control="bias",
        size=60_000,
        refused=(
            ("biases", [0.5, 1.0], r"biases must be at most 6 numbers, .*, got \[0.5, 1.0\]"),
            ("biases", 0.5, "each None or from 1e-40 to below 1, got 0.5"),
            ("function", "1", "function must have from 1 to 6 variables, got n = 0"),
            ("kept", {"view": "race"}, "kept must have settings among function, bias, .* 'view'"),
            ("kept", {"bias": 2.0}, "kept must have .*bias must be from 1e-40"),
        ),
    ),
    "ImpurityExplorer": Kind(
        states={
            "chord": {},
            "plane": {"view": "plane"},
            "iris": {"view": "plane", "data": "iris", "leaves": 5},
            "between": {"view": "plane", "data": "titanic", "leaves": 5, "cost_position": 2.9},
            "yours": {"view": "plane", "data": "yours", "points": POINTS, "leaves": 5},
        },
        control="p",
        size=40_000,
        refused=(
            ("cost", "Gini", f"cost must be one of {', '.join(dt.COST_FUNCTIONS)}, got 'Gini'"),
            ("points", [[0, 1]], r"points must be at most 1,500 rows \[x, y, label\], .* in row 0"),
            ("points", [[0, NAN, 1]], "points must be .* in row 0"),
            ("points", [[0, 10**400, 1]], "points must be .* in row 0"),
            ("points", [[0, 1, 3]], "points must be .* label 0, 1 or 2, .* in row 0"),
            ("points", [[0, 1, 1]] * 1501, "points must be at most 1,500 rows .*, got 1,501 rows"),
            ("points", "many", "points must be at most 1,500 rows .* got 'many'"),
            ("names", ["a"], "names must be none, or the names of two coordinates and of two"),
            ("names", ["a" * 61] * 4, "names must be none, or .* at most 60 letters"),
            ("splits", [[1, 0, 0.5]], r"splits must be None or .*, got \[1, 0, 0.5\] as split 0"),
            ("splits", [[0, 0, NAN]], "splits must be None or at most 31 rows"),
            ("splits", 3, "splits must be None or at most 31 rows .*, got 3"),
            ("axes", ["age", "fare"], "axes must be none, for there is no choice, got"),
        ),
    ),
    "GrowingExplorer": Kind(
        states={"plain": {}, "weak": {"gamma": 0.04, "log_splits": 12.0}},
        control="log_splits",
        size=40_000,
    ),
    "PruningExplorer": Kind(
        states={
            "reduced error": {},
            "bottom up": {"method": "bottom up", "c": 0.2, "noise": 0.3},
            "beside": {"sample": "titanic", "beside": "cost complexity", "flips": [3, 7]},
        },
        control="noise",
        size=60_000,
        refused=(
            ("sample", "x0 &", "sample must be one of .*, or the text of a function"),
            ("sample", "parity(7)", "sample must be one of"),
            ("flips", [2000], "flips must be at most 2000 numbers, each an integer from 0 to 1999"),
            ("flips", 3, "each an integer from 0 to 1999, got 3"),
            ("rows", [[1.0, 0.0]], "rows must be none or from 20 to 2000 rows"),
            ("rows", [[NAN, 0.0]] * 20, "rows must be none or"),
            ("rows", [[1.0, 2.0]] * 20, "rows must be none or"),
            ("rows", [[1.0, 0.0]] * 19 + [[1.0]], "rows must be none or"),
        ),
    ),
}

STATES = [(name, state) for name, kind in KINDS.items() for state in kind.states]
REFUSED = [(name, *case) for name, kind in KINDS.items() for case in kind.refused]
GIVEN = [name for name in KINDS if getattr(dt, name)._argument not in {"", "X"}]
every_kind = pytest.mark.parametrize("name", KINDS)
every_state = pytest.mark.parametrize(
    ("name", "state"), sweep(STATES, lambda case: case[1] == next(iter(KINDS[case[0]].states)))
)
"""Each explorer as it is at first; and as it can be."""


def having(part: str) -> pytest.MarkDecorator:
    """The explorers whose class has something, each in a state that shows it."""
    names = [name for name in KINDS if hasattr(getattr(dt, name), part)]
    states = ["plane" if name == "ImpurityExplorer" else "" for name in names]
    return pytest.mark.parametrize(("name", "state"), [*zip(names, states, strict=True)])


def made(name: str, state: State | None = None) -> Explorer:
    """Make an explorer in a state."""
    explorer: Explorer = getattr(dt, name)(**(state or {}))
    return explorer


@cache
def root(name: str) -> str:
    return f"[data-explorer={made(name)._explorer}]"


def press(page: Page, name: str) -> None:
    """Press a key on the first control of the first explorer of a kind."""
    control = page.locator(f"{root(name)} [name={KINDS[name].control}]").first
    control.press("ArrowDown" if control.evaluate("e => e.localName") == "select" else "ArrowRight")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Address of a page with one explorer, ``address(name, state)``; each is written once."""

    @cache
    def written(name: str, state: str = "") -> str:
        traits = KINDS[name].states[state] if state else {}
        return write_page(tmp_path_factory.mktemp(name), made(name, traits))

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
    explorers = {name for name in dt.__all__ if name.endswith("Explorer")}
    assert set(KINDS) == explorers == {f"{room.title()}Explorer" for room in WITH_EXPLORERS}


BLACK = """
() => [...document.querySelectorAll(".dtviz-live svg :is(path, circle, rect, text)")]
  .filter((e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && getComputedStyle(e).fill === "rgb(0, 0, 0)" && e.getBoundingClientRect().width)
  .map((e) => `${e.localName}.${e.getAttribute("class")}`)
"""


@every_state
def test_no_serious_accessibility_finding_in_either_theme(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    """What is disabled looks so, and no mark is black in the dark."""
    seen = tab(address(name, state), theme="dark", reduced_motion=True)
    settle(seen.page)
    assert seen.page.evaluate(BLACK) == []
    leaf = seen.page.locator("[data-state=leaf]:visible").first
    if leaf.count():
        leaf.hover()
    for theme in web.THEMES:
        seen.page.emulate_media(color_scheme=theme)
        assert web.axe_findings(seen.page) == []
        found = mouse.looks(seen.page, ".dtviz-explorer :is(button, input, select, textarea)")
        assert len(found) > 3
        assert {part: faint for part, faint in found.items() if faint[1:] != (True, True)} == {}
        assert state != next(iter(KINDS[name].states)) or not any(at for at, *_ in found.values())
    assert (seen.complaints, seen.foreign()) == ([], [])


@pytest.mark.parametrize("name", sweep(KINDS, 4))
def test_the_explorer_of_the_chapter(site: Path, visit: Open, name: str) -> None:
    folder = "*-" * (name != "AtlasExplorer") + made(name)._explorer
    (path,) = site.glob(f"book/{folder}/index.html")
    seen = visit(path.as_uri(), reduced_motion=True)
    assert seen.page.locator(f"{root(name)}.dtviz-live").count() >= 1
    output = seen.page.locator(f".output:has({root(name)})").first
    for theme in web.THEMES:
        seen.page.emulate_media(color_scheme=theme)
        seen.page.wait_for_selector(f"html[data-theme={theme}]")
        assert output.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert (seen.complaints, seen.foreign()) == ([], [])


TABBED = """
() => {
  const root = document.querySelector(".dtviz-explorer");
  const kind = (e) => e.name || e.getAttribute("role") || e.className;
  const focusable = ":is(a[href], select, input, button, summary, textarea, [tabindex])";
  const seen = { visibilityProperty: true };
  const parts = [...root.querySelectorAll(focusable)].filter((e) =>
    e.checkVisibility(seen) && !e.disabled);
  parts.forEach((part, k) => { part.dataset.turn = k; });
  return parts.map((part) => [kind(part), part.tabIndex]);
}
"""
STOP = "document.activeElement.dataset.turn ?? -1"


@pytest.mark.parametrize(("name", "state"), sweep(STATES, 4))
def test_everything_is_reached_by_keyboard(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    """In the order of the page; of parts that are walked with the arrow keys one is a stop."""
    page = tab(address(name, state), reduced_motion=True).page
    settle(page)
    page.locator("h1").click()
    parts: list[tuple[str, int]] = page.evaluate(TABBED)
    reached: list[int] = []
    while not reached or reached[-1] >= 0:
        page.keyboard.press("Tab")
        reached.append(int(page.evaluate(STOP)))
    reached.pop()
    assert reached == [k for k, (_, index) in enumerate(parts) if index == 0]
    stops = [parts[k][0] for k in reached]
    assert {kind for kind, _ in parts} == set(stops)
    assert len(stops) > 4
    assert stops.count("treeitem") <= page.locator("[role=tree]:visible").count()


@every_kind
def test_a_key_on_a_control_is_reported(tab: Open, address: Callable[..., str], name: str) -> None:
    page = tab(address(name), reduced_motion=True).page
    before = status(page)
    press(page, name)
    assert status(page) != before


@every_state
def test_touch_targets_are_large_enough(
    finger: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = finger(address(name, state), width=360, height=700).page
    targets = "select:visible, button:visible, input[type=range]:visible, label.dtviz-check:visible"
    boxes = [target.bounding_box() for target in page.locator(targets).all()]
    assert len(boxes) >= 3
    assert [box for box in boxes if not box or min(box["width"], box["height"]) < 40] == []


@every_state
def test_reduced_motion_and_print(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    """Without transitions; and the drawing without its controls."""
    page = tab(address(name, state), reduced_motion=True).page
    assert transitions(page) == ["0s"]
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
    picture = scriptless(address(name, state)).page.locator("img.dtviz-picture")
    box, alt = picture.bounding_box(), picture.get_attribute("alt") or ""
    assert box is not None
    assert box["width"] > 300
    assert box["height"] > 100
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
    start, before = first.evaluate(SHOWN), [each.evaluate(SHOWN) for each in others]
    press(seen.page, name)
    assert first.evaluate(SHOWN)[0] != start[0]
    for select in first.locator("select:visible").all():
        select.select_option(index=1)
    assert [each.evaluate(SHOWN) for each in others] == before
    ids = seen.page.locator("[id]").evaluate_all("all => all.map(e => e.id)")
    assert len(ids) == len(set(ids)) >= 3
    assert seen.complaints == []


@every_kind
def test_controls_are_named_by_their_traits(
    tab: Open, address: Callable[..., str], name: str
) -> None:
    """What is one value has one control of its name; a list of biases a name for each."""
    explorer = tab(address(name)).page.locator(root(name))
    rules, synced = made(name)._rules, set(made(name).traits(sync=True))
    named = explorer.locator("select, input, button").evaluate_all("all => all.map(e => e.name)")
    single = {trait for trait, rule in rules.items() if rule["type"] not in {"any", "list"}}
    single |= {"playing"} & synced
    assert {t for t in single if named.count(t) != 1 and (name, t) not in UNNAMED} == set()
    inputs = explorer.locator("select, input").evaluate_all("all => all.map(e => e.name)")
    assert set(inputs) - FOR_THE_CHOICE - FOR_POINTS <= synced
    rows = explorer.locator("input[name=biases]").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert len(set(rows)) == len(rows)
    assert (len(rows) > 1) == ("biases" in rules)


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
  return { texts, moved: text(), saved: saved > before, value: state.CONTROL };
"""


@pytest.mark.parametrize("name", sweep(KINDS, 2))
def test_the_module_runs_as_a_widget_and_cleans_up(
    tab: Open, address: Callable[..., str], name: str
) -> None:
    """Set from Python it says what a page of that state says; moved it saves; then it is gone.

    Also where it is not on display, as in a notebook: no drawing gets a size below 0.
    """
    kind, start = KINDS[name], made(name)
    expected = [status(tab(address(name, state)).page) for state in kind.states]
    back = {trait: getattr(start, trait) for state in kind.states.values() for trait in state}
    states = [{**back, **state} for state in kind.states.values()] + [back]
    use = USE.replace("STATES", json.dumps(states)).replace("CONTROL", kind.control)
    result = run_as_widget(tab(address(name)).page, start, use)
    assert result["texts"] == [expected[0], *expected, expected[0]]
    assert result["moved"] != expected[0]
    assert result["saved"]
    assert isinstance(made(name, {kind.control: result["value"]}), Explorer), "Python takes it"
    assert (result["left"], result["children"]) == (0, 0)
    seen = tab(address(name))
    seen.page.evaluate("document.body.hidden = true")
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


AT = """
() => {
  const node = document.activeElement.closest("[role=treeitem]");
  const stops = node.closest("[role=tree]").querySelectorAll("[tabindex='0']");
  return stops.length === 1 ? ["aria-level", "aria-label"].map((a) => node.getAttribute(a)) : [];
}
"""


@having("tree")
def test_a_tree_is_walked_by_keyboard(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = tab(address(name, state), reduced_motion=True).page
    page.locator("[role=treeitem][tabindex='0']:visible").first.focus()
    said = page.locator(".dtviz-tip:visible strong").first

    def press(key: str) -> tuple[int, str]:
        page.keyboard.press(key)
        level, label = page.evaluate(AT)
        assert said.is_visible()
        return int(level), label

    assert page.evaluate(AT)[0] == "1", "Tab leads to the root"
    last = press("End")
    assert press("ArrowLeft") != last
    assert press("ArrowRight") == last
    up = [press("ArrowUp")[0] for _ in range(last[0] - 1)]
    assert up == [*range(last[0] - 1, 0, -1)]
    assert press("ArrowDown")[0] == 2
    assert press("Home")[0] == 1
    page.keyboard.press("Escape")
    assert page.locator(".dtviz-tip:visible").count() == 0


@having("tree")
def test_a_tap_on_a_node_is_answered_in_sight(
    finger: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = finger(address(name, state), width=360, height=700, reduced_motion=True).page
    ends = "[role=treeitem]:not([data-state=folded], [data-state=absent])"
    page.locator(f"{ends}:visible").last.tap()
    tip = page.locator(".dtviz-tip:visible").first.bounding_box()
    assert tip is not None
    assert tip["x"] >= 0
    assert tip["x"] + tip["width"] <= 360


@having("playing")
def test_play_goes_to_its_end_and_pause_stops(
    visit: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = visit(address(name, state)).page
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


@having("kept")
def test_settings_are_kept_to_compare(
    tab: Open, address: Callable[..., str], name: str, state: str
) -> None:
    page = tab(address(name, state), width=360, reduced_motion=True).page
    trees, ring = page.locator("[role=tree]:visible"), page.locator(".dtviz-ring").last
    page.locator("[name=keep]").click()
    settle(page)
    assert trees.count() == 2
    before = trees.all_text_contents()
    assert ring.evaluate("e => getComputedStyle(e).visibility") == "hidden", "both are the same"
    # From many examples FIND returns no tree.
    end = "Home" if name == "RankExplorer" else "End"
    page.locator(f"[name={KINDS[name].control}]").first.press(end)
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


@every_state
def test_data_and_script_are_small(name: str, state: str) -> None:
    explorer = made(name, KINDS[name].states[state])
    assert len(gzip.compress(body(explorer).encode())) < KINDS[name].size
    assert len(gzip.compress(explorer._esm.encode())) < 47_000


def check_refused(name: str, trait: str, value: object, rule: str) -> str:
    """Check that a bad value is refused at the start and later, and changes nothing."""
    with pytest.raises(traitlets.TraitError, match=rule):
        made(name, {trait: value})
    explorer = made(name)
    before = getattr(explorer, trait)
    with pytest.raises(traitlets.TraitError, match=rule) as caught:
        setattr(explorer, trait, value)
    assert getattr(explorer, trait) == before
    return str(caught.value)


@pytest.mark.parametrize(("name", "trait", "value", "rule"), REFUSED)
def test_bad_traits_are_refused(name: str, trait: str, value: object, rule: str) -> None:
    check_refused(name, trait, value, rule)


@every_kind
def test_what_is_beyond_the_limits_or_no_choice_is_refused_with_them(name: str) -> None:
    rules = {t: rule for t, rule in made(name)._rules.items() if "check" not in rule}
    for trait, rule in ((t, rule) for t, rule in rules.items() if {"choices", "low"} & set(rule)):
        beyond = [-1] if rule.get("low", 0) >= 0 else []
        beyond += [rule["high"] + 1] if rule.get("high", 2**53) < 2**52 else []
        for value in (NAN, "a lot", *beyond):
            text = check_refused(name, trait, value, f"{trait} must be .*, got {value!r}")
            said = text.removeprefix(f"{trait} must be ").partition(", got")[0]
            if "choices" in rule:
                assert ", ".join(map(str, rule["choices"])) in said
            else:
                ends = [float(Fraction(end)) for end in re.findall(r"[\d.][\d./e-]*", said)]
                limits = [end for end in (rule["low"], rule["high"]) if end < 2**53 - 1]
                assert ends
                assert np.allclose(ends, limits[: len(ends)], atol=1e-50, rtol=1e-9), text


@every_kind
def test_unknown_traits_are_refused(name: str) -> None:
    """Python would make a new attribute of it, and nothing on display would change."""
    with pytest.raises(ValueError, match=rf"{name} has the traits .*; got color"):
        made(name, {"color": "red"})
    explorer = made(name)
    with pytest.raises(AttributeError, match=rf"{name} has the traits .*; got color"):
        explorer.color = "red"


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_no_function_is_refused_on_one_line(name: str) -> None:
    kind, f = getattr(dt, name), dt.functions.parity(2)
    value: Any
    for value in (3, {}, [], "parity(5)", {"f": 3}, {1: f}, {"": f}):
        with pytest.raises(ValueError, match=f"{kind._argument} must be a BooleanFunction"):
            kind(value)
    rule = f"{name} shows Boolean functions, not examples"
    with pytest.raises(ValueError, match=rule if kind._shows else "y must be given") as caught:
        kind(pd.DataFrame(np.zeros((40, 4))))
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
    assert explorer.to_html() == made(name).to_html(), "the page must not change by itself"
    # What its repr says makes it again.
    again = eval(f"dt.{bundle['text/plain']}", {"dt": dt})  # noqa: S307
    assert again._state() | {"_call": {}} == explorer._state() | {"_call": {}}
    assert f"{KINDS[name].control}=" in bundle["text/plain"]


@every_kind
def test_its_reference_names_no_constant_that_a_reader_cannot_reach(name: str) -> None:
    """It tells the values themselves: `GRID` is nothing to somebody who has `dtviz` alone."""
    named = re.findall(r"``?(?:\w+\.)*([A-Z][A-Z_]{2,})\b", getattr(dt, name).__doc__)
    assert [constant for constant in named if not hasattr(dt, constant)] == []
