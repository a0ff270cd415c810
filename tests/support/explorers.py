"""The explorers from outside: pages that hold one, and what such a page must say and show.

Expectations are computed here by other means than the explorers use: statuses from the growth path,
facts of a leaf by restricting the function, totals of a folded subtree by growing it alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import dtviz as dt
from dtviz.explorers import front_end
from dtviz.explorers.base import Explorer
from dtviz.explorers.functions import book_functions
from dtviz.influence.explorer import ZOO
from support import web
from support.cases import sweep

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

FUNCTIONS = book_functions(*ZOO)
LARGEST = "parity_multiplexer(3, 4)"
GRID = [round(0.005 * k, 3) for k in range(101)]
WIDTHS = sweep((360, 720, 1200), 3)
Open = Callable[..., web.Visit]


BODIES: dict[str, str] = {}


def body(explorer: Explorer) -> str:
    """Return the HTML of an explorer, drawing the picture in it once for each state."""
    state = type(explorer).__name__ + json.dumps(explorer._state(), sort_keys=True)
    if state not in BODIES:
        BODIES[state] = explorer.to_html()
    return BODIES[state]


SCRIPTS = {path.stem: path.read_text("utf-8") for path in front_end.BUNDLES.iterdir()}


UNFOLD = """<script>
addEventListener("DOMContentLoaded", () => {
  for (const more of document.querySelectorAll("details.dtviz-more")) more.open = true;
});
</script>"""


def write_page(
    folder: Path, *explorers: Explorer, scripts: Mapping[str, str] = SCRIPTS, unfold: bool = True
) -> str:
    """Write a bare page with explorers, as the book would hold them, and return its address.

    What is behind "More" is unfolded, as by a reader who has pressed it, unless ``unfold`` is
    false: then the page shows the first screen.
    """
    text = front_end.page("".join(map(body, explorers)), "Explorers", "Explorers", scripts)
    if unfold:
        text = text.removesuffix("</body></html>") + f"{UNFOLD}</body></html>"
    path = folder / "explorers.html"
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def shown(make: Callable[[], Explorer]) -> Any:
    """Make a fixture: a page from disk with an explorer, which must not complain in the end."""
    made = cache(make)

    @pytest.fixture
    def page(tab: Open, tmp_path: Path) -> Iterator[Page]:
        seen = tab(write_page(tmp_path, made()), reduced_motion=True)
        settle(seen.page)
        yield seen.page
        assert seen.complaints == []
        assert seen.foreign() == []

    return page


def choose(page: Page, **state: Any) -> None:
    """Set controls by their names: lists by what is chosen, sliders by their value."""
    for name, value in state.items():
        chosen = page.locator(f"select[name={name}]")
        if chosen.count():
            chosen.first.select_option(value)
        else:
            page.evaluate(MOVE, [name, [value]])
    settle(page)


def press_along(part: Locator, share: float) -> None:
    """Click on a chart, at a share of the way from its left end to its right one."""
    width = part.evaluate("e => e.getBoundingClientRect().width")
    part.click(position={"x": 1 + share * (width - 2), "y": 20})


RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
NUMBER = re.compile(
    rf"(?:(?<!\w)[-−])?\.?[\d{RAISED}](?:[\d{RAISED}.,·]*[\d{RAISED}])?(?:[KMB]\b)?"
)
LIST = re.compile(r"([^\s,(]*#[^\s,()]*)(?:, \1)+(?! \w)")


def numbers(text: str) -> list[str]:
    """List the numbers of a text as they are written there, those of variables too."""
    return NUMBER.findall(text)


def words(text: str) -> str:
    """Return a text with "#" for every number, and one for a list of them."""
    return LIST.sub(r"\1, …", NUMBER.sub("#", " ".join(text.split())))


def fixed(value: float, digits: int) -> str:
    """Round as JavaScript's toFixed does: exactly, ties upwards."""
    exact = Decimal(float(value)).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return f"{exact:f}"


def amount(value: float, digits: int = 3) -> str:
    """Write a number as the page does: 0 alone reads as 0, others in as many digits as it takes."""
    text = fixed(value * (1 + 1e-12), digits)
    if abs(value) <= 1e-12:
        return "0"
    return text if float(text) else amount(value, digits + 1)


def place_text(path: dt.influence.InfluencePath, node: int) -> str:
    """Return the answers on the way to a node, such as "x1=0, x3=1"."""
    answers: list[str] = []
    while node:
        split, bit = divmod(node - 1, 2)
        answers.insert(0, f"{path.f.names[path.split_variable[split]]}={bit}")
        node = int(path.split_node[split])
    return ", ".join(answers)


def apart(before: float, after: float, digits: int) -> str:
    """Write two numbers in so many decimals, or in more if it takes these to tell them apart."""
    texts = amount(before, digits), amount(after, digits)
    same = texts[0] == texts[1] and abs(before - after) > 1e-12
    return apart(before, after, digits + 1) if same else " ".join(texts)


def split_numbers(path: dt.influence.InfluencePath, step: int) -> list[str]:
    """Return the numbers that the status line must say of the last of ``step`` splits."""
    if step == 0:
        label = np.asarray(path.tree(1).value)[0]
        return numbers(f"1 {label} {amount(path.errors[0])} {amount(path.costs[0])}")
    node, variable = path.split_node[step - 1], path.f.names[path.split_variable[step - 1]]
    before, error = path.errors[step - 1 : step + 1].tolist()
    errors = apart(before, error, 3)
    errors = amount(error) if len(set(errors.split())) == 1 else errors
    costs = apart(path.costs[step - 1], path.costs[step], 3)
    place = place_text(path, int(node))
    return numbers(f"{variable} {place} {errors} {costs} {step + 1:,}")


def growth_numbers(path: dt.influence.InfluencePath, epsilon: float) -> list[str]:
    """Return the numbers that the status line must say of the tree that epsilon gives."""
    step = path.n_leaves_for(epsilon) - 1
    shown = f"{epsilon:.3f}" if round(1000 * epsilon) % 10 else f"{epsilon:.2f}"
    return [*split_numbers(path, step), shown if path.errors[step] else "0"]


ANSWERS = """
async () => {
  const root = document.querySelector(".dtviz-live");
  const seen = (input) => input.getClientRects().length && input.max !== input.min;
  const slider = [...root.querySelectorAll("input[type=range]")].find(seen);
  const parts = () => [...root.querySelectorAll("svg, [role=status]")];
  const drawn = () => parts().map((part) => part.outerHTML).join();
  const before = drawn();
  const input = slider ?? root.querySelector("select");
  if (slider) {
    const [low, high, now] = [slider.min, slider.max, slider.value].map(Number);
    slider.value = now > (low + high) / 2 ? low : high;
  } else {
    input.selectedIndex = input.selectedIndex ? 0 : input.options.length - 1;
  }
  for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
  const patience = performance.now() + 60_000;
  while (drawn() === before && performance.now() < patience) {
    await new Promise((then) => setTimeout(then, 50));
  }
  return drawn() !== before;
}
"""
"""Whether the first slider of a page, or else its first list, changes a picture or the status."""

MOVE = """
([name, values]) => {
  const root = document.querySelector(".dtviz-explorer");
  const input = root.querySelector(`input[name=${name}]`);
  return values.map((value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return root.querySelector("[role=status]").textContent;
  });
}
"""


def settle(page: Page) -> None:
    """Wait for what is drawn in later frames, one part in each: curves, second trees, charts."""
    page.wait_for_function(
        "() => !document.querySelector('.dtviz-view [aria-busy=true]:not([role=status])')"
    )
    page.evaluate(
        "async () => { for (let k = 0; k < 8; k += 1) await new Promise(requestAnimationFrame); }"
    )


def status(page: Page) -> str:
    text = page.get_by_role("status").first.text_content()
    assert text is not None
    return text


def status_numbers(page: Page) -> list[str]:
    return numbers(status(page))


def tree_numbers(tree: dt.Tree, node: int = 0) -> list[str]:
    """Return the numbers of a tree of bits in words, "x1: if 0 (0), if 1 (1)"."""
    if tree.variable[node] < 0:
        return [str(np.asarray(tree.value)[node])]
    low, high = (tree_numbers(tree, int(half[node])) for half in (tree.low, tree.high))
    return [str(tree.variable[node]), "0", *low, "1", *high]


def leaves_in(text: str) -> int:
    match = re.search(r"([\d,]+) lea(?:f|ves)", text)
    assert match is not None
    return int(match[1].replace(",", ""))


def shown_leaves(page: Page) -> int:
    return leaves_in(status(page))


def restricted(f: dt.BooleanFunction, answers: str) -> tuple[dt.BooleanFunction, list[int]]:
    """Return f where e.g. "x1=0, x3=1", and the old numbers of its variables."""
    left = list(range(f.n))
    names = f.names
    for name, bit in re.findall(r"(\w+)=([01])", answers):
        position = left.index(names.index(name))
        f = f.restrict(position, int(bit))
        del left[position]
    return f, left


def leaf_numbers(f: dt.BooleanFunction, answers: str) -> list[str]:
    """Compute by definition what numbers the explorer must show of a leaf."""
    part, left = restricted(f, answers)
    probability = 2.0 ** -answers.count("=")
    influences = dt.influences(part)
    strongest = int(np.argmax(influences)) if part.n else -1
    constant = part.n == 0 or influences[strongest] == 0
    score = 0.0 if constant else probability * float(influences[strongest])
    return [
        f"{probability:g}" if probability > 1e-4 else repr(probability),
        amount(score),
        *([] if constant else numbers(f.names[left[strongest]])),
        str(int(dt.measures.mean(part) > 0.5)),
        amount(probability * dt.measures.error(part)),
    ]


def tip_facts(page: Page) -> dict[str, str]:
    """Read the tip: its title, and its terms with their values."""
    tip = page.locator(".dtviz-tip:not([hidden])")
    terms, values = tip.locator("dt").all_inner_texts(), tip.locator("dd").all_inner_texts()
    return {"title": tip.locator("strong").inner_text()} | dict(zip(terms, values, strict=True))


DRAWN = """
() => {
  const stage = document.querySelector(".dtviz-explorer .dtviz-stage");
  const box = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const nodes = [...stage.querySelectorAll("[role=treeitem]")]
    .filter((node) => node.dataset.state !== "absent")
    .map((node) => ({
      ...box(node),
      state: node.dataset.state,
      leaves: Number(node.dataset.leaves),
      place: node.style.transform,
      spot: node.dataset.spot,
    }));
  return { frame: box(stage.querySelector("svg")), nodes };
}
"""


def meet(a: dict[str, Any], b: dict[str, Any], slack: float = 1) -> bool:
    """Whether two boxes overlap by more than ``slack`` pixels in both directions."""
    return bool(
        min(a["right"], b["right"]) - max(a["left"], b["left"]) > slack
        and min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > slack
    )


def inside(a: dict[str, Any], frame: dict[str, Any], slack: float = 1) -> bool:
    return bool(
        a["left"] >= frame["left"] - slack
        and a["right"] <= frame["right"] + slack
        and a["top"] >= frame["top"] - slack
        and a["bottom"] <= frame["bottom"] + slack
    )


def power(text: str) -> int:
    """Return the n of a number written m·10⁻ⁿ, 0 for a plain one."""
    digits = text.partition("10⁻")[2]
    return int("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in digits) or 0)


def freeze_clock(page: Page) -> None:
    """Let only ``page.clock.run_for`` move the page's time, however slow the machine is."""
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))


def transitions(page: Page) -> list[str]:
    """Return the different durations of transitions within the explorers."""
    durations: list[str] = page.evaluate(
        "[...new Set([...document.querySelectorAll('.dtviz-explorer *')]"
        ".map(e => getComputedStyle(e).transitionDuration))]"
    )
    return durations


WIDGET = """
async ([source, state]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { render } = (await import(url)).default;
  const on = new Map();
  let saved = 0;
  const model = {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const handler of on.get(`change:${name}`) ?? []) handler();
    },
    save_changes: () => { saved += 1; },
    on: (name, handler) => on.set(name, [...(on.get(name) ?? []), handler]),
    off: (name, handler) => on.set(name, on.get(name).filter((other) => other !== handler)),
  };
  document.body.innerHTML = "<div></div>";
  const el = document.body.firstChild;
  const cleanUp = render({ model, el });
  const text = () => el.querySelector("[role=status]").textContent;
  const move = (name, value, row = 0) => {
    const input = el.querySelectorAll(`input[name=${name}]`)[row];
    input.value = value;
    input.dispatchEvent(new Event("input"));
  };
  const use = () => {@@};
  const found = use();
  cleanUp();
  return { ...found, left: [...on.values()].flat().length, children: el.children.length };
}
"""


def run_as_widget(page: Page, explorer: Explorer, use: str) -> dict[str, Any]:
    """Run the module with a model as Jupyter gives one, use it, and clean up.

    ``use`` is the body of a function that may call ``model.set(trait, value)``, ``move(control,
    value, row)`` and ``text()``, the status line, and look into ``state``, ``saved`` and ``el``.
    Returned is what it returns, with ``left``, the handlers still at the model, and ``children``,
    the elements still on the page.
    """
    result: dict[str, Any] = page.evaluate(
        WIDGET.replace("@@", use), [explorer._esm, explorer._state()]
    )
    return result
