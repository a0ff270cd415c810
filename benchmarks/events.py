"""How long the explorers' script takes to answer an event: a part of `make bench`.

``PYTHONPATH=.:tests python benchmarks/events.py [part of a name ...]`` measures some of the events.

"first", "median" and "most" are of the script that answers the event, by the clock: the first time,
which compiles, and the others. What is drawn in later frames and timers comes in pieces between
which the page listens: "piece" is the median of the longest of them. "in all" is all script that
the event starts, its median, as Chromium counts it, in time of the processor. Layout and painting
are in none of them.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from playwright.sync_api import sync_playwright
from support import browser, explorers, web

import dtviz as dt

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

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
  const longest = { answer: 0, piece: 0 };
  const timed = (what, act) => (...given) => {
    const start = performance.now();
    try {
      return act(...given);
    } finally {
      longest[what] = Math.max(longest[what], performance.now() - start);
    }
  };
  for (const name of ["requestAnimationFrame", "setTimeout"]) {
    const own = window[name].bind(window);
    window[name] = (act, ...rest) => own(timed("piece", act), ...rest);
  }
  const of = (name) => document.querySelector(`.dtviz-explorer [name="${name}"]`);
  window.events = {
    last() {
      const seen = [longest.answer, longest.piece];
      Object.assign(longest, { answer: 0, piece: 0 });
      return seen;
    },
    // The next choice of a list, or the k-th of some values of a slider; they go round.
    turn: timed("answer", (name, k, values) => {
      const input = of(name);
      if (input.options) input.selectedIndex = (input.selectedIndex + 1) % input.length;
      else input.value = values[k % values.length];
      input.dispatchEvent(new Event(input.options ? "change" : "input", { bubbles: true }));
    }),
    press: timed("answer", (selector) => {
      const what = document.querySelector(`.dtviz-explorer ${selector}`);
      what.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }),
    nothing() {},
  };
})();
"""


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
    Event("rank: a row removed", sample, "events.press('tbody td:last-child button')"),
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
    Event("impurity: greed completes a race", plane, GIVE_UP, RACE),
    Event("impurity: the same, 1,500 points", crowd, GIVE_UP, RACE),
    Event("impurity: chord, p", dt.ImpurityExplorer, turn("p", "[0.1, 0.3, 0.9]")),
    Event("pruning: another method", dt.PruningExplorer, turn("method")),
    Event("pruning: noise", dt.PruningExplorer, turn("noise", NOISES)),
    Event("pruning: noise, 2,000 x 8", wide, turn("noise", NOISES)),
    Event("pruning: another method, two trees", pairs, turn("method")),
)


def script(session: CDPSession) -> float:
    """Milliseconds of script since the page began."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(one["value"] for one in metrics if one["name"] == "ScriptDuration")


class Cost(NamedTuple):
    """Milliseconds of an event: its answer, the longest later piece, and all script of it."""

    answer: float
    piece: float
    whole: float


def cost(page: Page, session: CDPSession, act: str, k: int, pause: int) -> Cost:
    """Let an event happen, and all that comes of it."""
    before = script(session)
    page.evaluate(f"(k) => {{ {act}; }}", k)
    page.wait_for_timeout(pause)
    after = script(session)
    answer, piece = page.evaluate("() => events.last()")
    return Cost(answer, piece, after - before)


def measured(page: Page, event: Event, effort: Effort) -> Iterator[Cost]:
    """The cost of an event, again and again, without what the measuring itself costs."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(event.before)
    page.wait_for_timeout(effort.pause)
    nothing = (
        cost(page, session, "events.nothing()", k, effort.pause).whole
        for k in range(min(5, effort.repeats))
    )
    act, empty = event.act, statistics.median(nothing)
    start = page.content()
    # From the second of the values on: the first may be there already.
    for k in range(1, effort.repeats + 2):
        found = cost(page, session, act, k, effort.pause)
        yield found._replace(whole=max(found.whole - empty, 0))
        if k == 1 and page.content() == start:
            msg = f"nothing happens: {act}"
            raise RuntimeError(msg)


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
                first, *others = measured(page, event, TOY if toy else FULL)
            answers, pieces, sums = zip(*others, strict=True)
            median = statistics.median
            numbers = (first.answer, median(answers), max(answers), median(pieces), median(sums))
            yield f"{event.what:42}" + "".join(f"{number:9.1f}" for number in numbers)
        chromium.close()


def main() -> None:
    """Print the table."""
    names = [name for name in sys.argv[1:] if name != "--toy"]
    print("\nEvents of the explorers, milliseconds of script")
    print(f"{'what':42}{'first':>9}{'median':>9}{'most':>9}{'piece':>9}{'in all':>9}")
    for line in lines(names, toy="--toy" in sys.argv):
        print(line, flush=True)


if __name__ == "__main__":
    main()
