"""How long the explorers take to answer an event: a part of `make bench`.

``PYTHONPATH=.:tests python benchmarks/events.py [part of a name ...]`` measures some of the events.

Each number is of what the page's thread does, in milliseconds of its processor: script, style,
layout and painting. "frame" is from the event to the end of the first frame that shows an answer:
its median and its most, after a first time, which compiles. What is drawn later comes in pieces,
between which the page listens: "piece" is the most that one took. "in all" is the median of all
that the event starts.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from playwright.sync_api import sync_playwright
from support import browser, explorers, web

import dtviz as dt

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from dtviz.explorers.base import Explorer


class Effort(NamedTuple):
    """How often an event is repeated after the first time, and what the pause after each is, in ms.

    What is drawn later has come by the end of a pause of full length.
    """

    repeats: int
    pause: int


FULL, TOY = Effort(20, 350), Effort(1, 60)

HELP = """
(() => {
  const of = (name) => document.querySelector(`.dtviz-explorer [name="${name}"]`);
  window.events = {
    // The next choice of a list, or the k-th of some values of a slider; they go round.
    turn(name, k, values) {
      const input = of(name);
      if (input.options) input.selectedIndex = (input.selectedIndex + 1) % input.length;
      else input.value = values[k % values.length];
      input.dispatchEvent(new Event(input.options ? "change" : "input", { bubbles: true }));
    },
    press(selector) {
      const what = document.querySelector(`.dtviz-explorer ${selector}`);
      what.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    },
    // A key on the cut of the plane.
    key(key, shiftKey) {
      const what = document.querySelector(".dtviz-at-cut");
      what.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
    },
    nothing() {},
  };
})();
"""
CATEGORIES = ["toplevel", "devtools.timeline", "blink.user_timing"]
MARK = "event"


@dataclass(frozen=True)
class Event:
    """What a reader does, on which explorer; ``act`` is script with the number of the repeat, k.

    ``before`` is script that is run once, before.
    """

    what: str
    made: Callable[[], Explorer]
    act: str
    before: str = "events.nothing()"


def turn(name: str, values: str = "[]") -> str:
    """Script that gives a control its next value."""
    return f"events.turn({name!r}, k, {values})"


def wide() -> dt.PruningExplorer:
    """The largest table that chapter 6 takes at the size asked of it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 8))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=2000) > 0
    return dt.PruningExplorer(X, y)


def plane() -> dt.ImpurityExplorer:
    """Chapter 4's plane."""
    return dt.ImpurityExplorer(view="plane", leaves=16)


def crowd() -> dt.ImpurityExplorer:
    """As many points as chapter 4's plane takes, of three classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 2))
    y = np.digitize(X[:, 0] * X[:, 1] + rng.normal(size=1500) / 2, [-0.3, 0.3])
    return dt.ImpurityExplorer(X, y, leaves=16)


def six() -> dt.InfluenceExplorer:
    """A function of as many variables as chapter 1's page draws and takes from a reader."""
    return dt.InfluenceExplorer(function="random(6, 0)")


def sixteen() -> dt.InfluenceExplorer:
    """Functions of as many variables as chapter 1's explorer takes in Jupyter."""
    return dt.InfluenceExplorer({k: dt.functions.random(16, i) for i, k in enumerate("abcdefgh")})


def race() -> dt.ProductExplorer:
    """Chapter 3's race, with a bias of each variable."""
    return dt.ProductExplorer(view="race", biases=[0.2, 0.3, 0.4, 0.6, 0.7, 0.8])


def pairs() -> dt.PruningExplorer:
    """Two trees of the passengers side by side."""
    return dt.PruningExplorer(sample="titanic", beside="the full tree")


def sample() -> dt.RankExplorer:
    """As many draws as can be, in the table of examples."""
    return dt.RankExplorer(m=256, view="sample")


BIASES = "[0.3, 0.1, 0.45, 0.62, 0.7]"
EPSILONS = "[0, 0.05, 0.1, 0.2]"
FOLD = "events.press('[name=fold]')"
RACE = "events.press('[name=splits]')"
GIVE_UP = "events.press(k % 2 ? '[name=give-up]' : '[name=restart]')"
HOLD = "events.key('Enter')"
MOVE = "events.key(k % 4 < 2 ? 'ArrowRight' : 'ArrowLeft', true)"
NOISES = "[0, 2, 4, 1, 5, 3]"
EVENTS = (
    Event("influence: epsilon", dt.InfluenceExplorer, turn("epsilon", EPSILONS)),
    Event("influence: another function", dt.InfluenceExplorer, turn("function")),
    Event("influence: a point flipped", six, "events.press('[data-point=\"5\"]')", FOLD),
    Event("influence: greed completes a race", six, GIVE_UP, RACE),
    Event("influence: a tree beside", six, turn("beside")),
    Event("influence: epsilon, n = 16", sixteen, turn("epsilon", EPSILONS)),
    Event("influence: another function, n = 16", sixteen, turn("function")),
    Event("rank: another call", dt.RankExplorer, turn("call", "[1, 9, 3, 7]")),
    Event("rank: another rank", dt.RankExplorer, turn("rank", "[2, 1, 3]")),
    Event("rank: a label flipped", sample, "events.press('tbody button')"),
    Event("rank: draw another sample", sample, "events.press('[name=redraw]')"),
    Event("product: epsilon", dt.ProductExplorer, turn("epsilon", EPSILONS)),
    Event("product: bias", dt.ProductExplorer, turn("bias", BIASES)),
    Event("product: race, bias", race, turn("bias", BIASES)),
    Event("product: race, draws", race, turn("samples", "[5, 2, 4, 1]")),
    Event("impurity: leaves", plane, turn("leaves", "[32, 2, 16, 9]")),
    Event("impurity: another cost", plane, turn("cost")),
    Event("impurity: other data", plane, turn("data")),
    Event("impurity: hold out", plane, "events.press('[name=hold]')"),
    Event("impurity: hold out, 1,500 points", crowd, "events.press('[name=hold]')"),
    Event("impurity: the first cut moves", plane, MOVE, HOLD),
    Event("impurity: the same, 1,500 points", crowd, MOVE, HOLD),
    Event("impurity: chord, p", dt.ImpurityExplorer, turn("p", "[0.1, 0.3, 0.9]")),
    Event("pruning: another method", dt.PruningExplorer, turn("method")),
    Event("pruning: noise", dt.PruningExplorer, turn("noise", NOISES)),
    Event("pruning: noise, 2,000 x 8", wide, turn("noise", NOISES)),
    Event("pruning: another method, two trees", pairs, turn("method")),
)


class Cost(NamedTuple):
    """Milliseconds of an event: its first frame, the longest later task, and all of them."""

    frame: float
    piece: float
    whole: float


def costs(trace: bytes) -> Iterator[Cost]:
    """Read off a trace of Chromium what each marked event cost the thread that it happened in."""
    found = sorted(json.loads(trace)["traceEvents"], key=lambda one: one["ts"])
    marks = [one for one in found if one["name"] == MARK and one["ph"] != "E"]
    thread = [one for one in found if one["tid"] == marks[0]["tid"]]
    tasks = [one for one in thread if one["name"].endswith("RunTask") and "tdur" in one]
    paints = [one["ts"] for one in thread if one["name"] == "Paint"]
    for mark, end in pairwise([*(mark["ts"] for mark in marks), float("inf")]):
        # The task in which the mark was set began before it.
        mine = [one for one in tasks if mark < one["ts"] + one["dur"] < end]
        shown = next((ts for ts in paints if ts > mark), end)
        first = [one["tdur"] / 1000 for one in mine if one["ts"] < shown]
        later = [one["tdur"] / 1000 for one in mine if one["ts"] >= shown]
        yield Cost(sum(first), max(later, default=0), sum(first) + sum(later))


def measured(page: Page, event: Event, effort: Effort) -> list[Cost]:
    """The cost of an event, again and again; of the first time, too."""
    page.evaluate(event.before)
    page.wait_for_timeout(effort.pause)
    start, browser_ = page.content(), page.context.browser
    assert browser_ is not None
    browser_.start_tracing(page=page, categories=CATEGORIES)
    # From the second of the values on: the first may be there already.
    for k in range(1, effort.repeats + 2):
        page.evaluate(f"(k) => {{ performance.mark('{MARK}'); {event.act}; }}", k)
        page.wait_for_timeout(effort.pause)
        if k == 1 and page.content() == start:
            msg = f"nothing happens: {event.act}"
            raise RuntimeError(msg)
    return list(costs(browser_.stop_tracing()))


def lines(names: list[str], *, toy: bool = False) -> Iterator[str]:
    """A line of the table for each event whose name has one of the given parts in it."""
    found = browser.ensure()
    if found.path is None:
        yield found.reason
        return
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        chromium = playwright.chromium.launch(executable_path=found.path, args=browser.ARGS)
        for event in EVENTS:
            if names and not any(name in event.what for name in names):
                continue
            url = explorers.write_page(Path(folder), event.made())
            with web.reader(chromium, {"reduced_motion": True}) as context:
                page = context.new_page()
                page.add_init_script(HELP)
                page.goto(url)
                _, *others = measured(page, event, TOY if toy else FULL)
            frames, pieces, sums = zip(*others, strict=True)
            median = statistics.median
            numbers = (median(frames), max(frames), max(pieces), median(sums))
            yield f"{event.what:42}" + "".join(f"{number:9.1f}" for number in numbers)
        chromium.close()


def main() -> None:
    """Print the table."""
    names = [name for name in sys.argv[1:] if name != "--toy"]
    print("\nEvents of the explorers, milliseconds of script, layout and painting")
    print(f"{'what':42}{'frame':>9}{'most':>9}{'piece':>9}{'in all':>9}")
    for line in lines(names, toy="--toy" in sys.argv):
        print(line, flush=True)


if __name__ == "__main__":
    main()
