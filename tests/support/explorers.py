"""The explorers from outside: pages that hold one, and what such a page must say and show.

Expectations are computed here by other means than the explorers use: statuses from the growth path,
facts of a leaf by restricting the function, totals of a folded subtree by growing it alone.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

import dtviz as dt
from dtviz.explorers.base import classic_script, style_sheet
from dtviz.explorers.influence import ZOO

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from dtviz.explorers import InfluenceExplorer

FUNCTIONS = {label: getattr(dt.functions, name)(*given) for label, (name, given) in ZOO.items()}
LARGEST = "parity_multiplexer(3, 4)"
GRID = [round(0.005 * k, 3) for k in range(101)]


def write_page(folder: Path, *explorers: InfluenceExplorer, script: str | None = None) -> str:
    """Write a bare page with explorers, as the book would hold them, and return its address."""
    bodies = "".join(explorer.to_html() for explorer in explorers)
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Explorers</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<style>:root { color-scheme: light dark; } body { margin: 16px; background: Canvas; }"
        f"{style_sheet()}</style>"
        f"<script>{script or classic_script()}</script></head>"
        f"<body><main><h1>Explorers</h1>{bodies}</main></body></html>"
    )
    path = folder / "explorers.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


def fixed(value: float, digits: int) -> str:
    """Round as JavaScript's toFixed does: exactly, ties upwards."""
    exact = Decimal(float(value)).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return str(exact)


def status_text(path: dt.GrowthPath, epsilon: float) -> str:
    """Return what the status line must say of the tree that epsilon gives."""
    step = path.step(epsilon) if epsilon < 0.5 else 0
    leaves = "1 leaf" if step == 0 else f"{step + 1:,} leaves"
    shown = f"{epsilon:.3f}" if round(1000 * epsilon) % 10 else f"{epsilon:.2f}"
    error, cost = fixed(path.errors[step], 3), fixed(path.costs[step], 2)
    return f"epsilon {shown}: {leaves}, error {error}, cost {cost}"


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


def misread(page: Page, names: list[str]) -> list[str]:
    """Sweep the epsilon slider for every function; return where the status line is wrong."""
    found = []
    for name in names:
        page.get_by_label("Function").first.select_option(name)
        path = dt.build_top_down(FUNCTIONS[name])
        said = page.evaluate(MOVE, ["epsilon", GRID[::-1]])
        found += [
            f"{name}: {text!r}, not {status_text(path, epsilon)!r}"
            for epsilon, text in zip(GRID[::-1], said, strict=True)
            if text != status_text(path, epsilon)
        ]
    return found


def status(page: Page) -> str:
    text = page.get_by_role("status").first.text_content()
    assert text is not None
    return text


def shown_leaves(page: Page) -> int:
    match = re.search(r"([\d,]+) lea(?:f|ves)", status(page))
    assert match is not None
    return int(match[1].replace(",", ""))


def restricted(f: dt.BooleanFunction, answers: str) -> tuple[dt.BooleanFunction, list[int]]:
    """Return f where e.g. "x1=0, x3=1", and the old numbers of its variables."""
    left = list(range(f.n))
    for variable, bit in re.findall(r"x(\d+)=([01])", answers):
        position = left.index(int(variable))
        f = f.restrict(position, int(bit))
        del left[position]
    return f, left


def leaf_facts(f: dt.BooleanFunction, answers: str) -> dict[str, str]:
    """Compute by definition what the explorer must tell of a leaf."""
    part, left = restricted(f, answers)
    probability = 2.0 ** -answers.count("=")
    influences = dt.influences(part)
    strongest = int(np.argmax(influences)) if part.n else -1
    constant = part.n == 0 or influences[strongest] == 0
    score = 0.0 if constant else probability * float(influences[strongest])
    return {
        "probability": f"{probability:g}" if probability > 1e-4 else repr(probability),
        "score": fixed(score, 4),
        "most influential": "none, f is constant here" if constant else f"x{left[strongest]}",
        "label": str(int(dt.mean(part) > 0.5)),
        "error": fixed(probability * dt.error(part), 4),
    }


def tip_facts(page: Page) -> dict[str, str]:
    """Read the tip: its title, and its terms with their values."""
    tip = page.locator(".dtviz-tip:not([hidden])")
    terms, values = tip.locator("dt").all_inner_texts(), tip.locator("dd").all_inner_texts()
    return {"title": tip.locator("strong").inner_text()} | dict(zip(terms, values, strict=True))


DRAWN = """
() => {
  const root = document.querySelector(".dtviz-explorer");
  const frame = root.querySelector(".dtviz-stage svg").getBoundingClientRect();
  const box = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const nodes = [...root.querySelectorAll("[role=treeitem]")]
    .filter((node) => node.dataset.state !== "absent")
    .map((node) => ({
      ...box(node),
      name: node.getAttribute("aria-label"),
      state: node.dataset.state,
      leaves: Number(node.dataset.leaves),
      place: node.style.transform,
      spot: node.dataset.spot,
    }));
  const tags = [...root.querySelectorAll(".dtviz-chart")].map((chart) => ({
    frame: box(chart.querySelector("svg")),
    texts: [...chart.querySelectorAll("text")]
      .filter((text) => getComputedStyle(text).visibility === "visible")
      .map((text) => ({ ...box(text), text: text.textContent })),
  }));
  const sizes = [...root.querySelectorAll("text, label, button, p, span, div, option")]
    .filter((node) => node.textContent)
    .map((node) => parseFloat(getComputedStyle(node).fontSize));
  const wide = document.documentElement.scrollWidth;
  return { frame: box(root.querySelector(".dtviz-stage svg")), nodes, tags, sizes, wide };
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


def misdrawn(page: Page, width: int) -> list[str]:
    """Find what is cropped, lost, overlapping or too small to read in the drawing."""
    seen = page.evaluate(DRAWN)
    nodes, frame = seen["nodes"], seen["frame"]
    found = [f"cropped: {node['name']}" for node in nodes if not inside(node, frame)]
    found += [
        f"overlap: {a['name']} and {b['name']}"
        for k, a in enumerate(nodes)
        for b in nodes[:k]
        if meet(a, b)
    ]
    drawn = sum(node["leaves"] for node in nodes)
    if drawn != shown_leaves(page):
        found.append(f"{drawn} leaves drawn or counted, {shown_leaves(page)} in the tree")
    for chart in seen["tags"]:
        texts = chart["texts"]
        found += [f"cropped: {text['text']}" for text in texts if not inside(text, chart["frame"])]
        found += [
            f"overlap: {a['text']} and {b['text']}"
            for k, a in enumerate(texts)
            for b in texts[:k]
            if meet(a, b, slack=2)
        ]
    if min(seen["sizes"]) < 11:
        found.append(f"text of {min(seen['sizes'])} px")
    if max(frame["right"], seen["wide"]) > width:
        found.append(f"wider than the screen: {seen['wide']}")
    return found


def power(text: str) -> int:
    """Return the n of a number written m·10⁻ⁿ, 0 for a plain one."""
    digits = text.partition("10⁻")[2]
    return int("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in digits) or 0)
