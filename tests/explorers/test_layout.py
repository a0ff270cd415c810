"""Where the nodes of a growing tree stand, and the points below its leaves, by brute force."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from support.node import evaluate

from dtviz.explorers.base import STATIC

MODULES = [STATIC / "computing" / name for name in ("layout.js", "path.js")]
WIDTHS = (300, 600, 760)
TALL = 28  # of a pile

FORMS = """
(cases) => cases.map(({ split, tests, className, ...room }) => {
  const names = tests.map((_, j) => j);
  const { splitAt, ...shape } = pathShape(split, names);
  const test = (node) => tests[splitAt[node]];
  const path = { ...shape, splitAt, test, testWidth: widthOf(tests) };
  if (className) Object.assign(path, { className: String, leafWidth: 70 });
  const { caps, boxes } = leafCaps(path, 0, room);
  return caps.map((cap) => {
    const { spots, ...extent } = drawnPart(path, 0, cap, Infinity);
    const layout = cap > boxes
      ? markPlaces(spots, extent, room, test)
      : boxPlaces(path, spots, extent, room);
    const { places, mark, reach } = layout;
    const around = ({ node, low }, side) => {
      if (mark) return markReach(mark, side, low < 0 ? "" : test(node));
      return boxReach(low < 0 ? 14 : widthOf([test(node)]) / 2);
    };
    const standing = spots.map((spot, k) => ({
      up: spot.up, node: spot.node, ...places[k], thick: 1 + 7 * 0.5 ** spot.level,
      ...around(spot, places[k].side), text: spot.low < 0 ? "" : test(spot.node),
      state: spot.low >= 0 ? "inner" : spot.folded.length ? "folded" : "leaf",
    }));
    const piles = standing.map(({ state }, k) =>
      state === "inner" ? null : pileBox(layout, standing, k, 28));
    return { cap, mark, reach, width: layout.width, height: layout.height, standing, piles };
  });
})
"""


@cache
def cases() -> list[dict[str, Any]]:
    """Random paths of up to 90 leaves, in rooms of a phone, of half a figure and of a whole one."""
    rng = np.random.default_rng(11)
    found = []
    for k in range(60):
        leaves, split, tests = [0], [], []
        for j in range(int(rng.integers(0, 90 if k % 5 == 0 else 64))):
            at = len(leaves) - 1 if k % 7 == 0 else int(rng.integers(len(leaves)))
            split.append(leaves.pop(at))
            leaves += [2 * j + 1, 2 * j + 2]
            tests.append(f"x{j}" if k % 2 else f"a feature ≤ {rng.integers(10**4)}"[-14:])
        room = {"width": WIDTHS[k % 3], "height": 312, "narrow": k % 3 == 0, "beneath": TALL}
        found.append({"split": split, "tests": tests, "className": k % 4 == 0, **room})
    return found


def meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two boxes overlap: left, right, top and bottom."""
    (a, b, c, d), (e, f, g, h) = one, other
    slack = 1e-6
    return a < f - slack and e < b - slack and c < h - slack and g < d - slack


def crosses(start: dict[str, Any], end: dict[str, Any], box: tuple[float, ...]) -> bool:
    """Whether an edge goes through a box, looked at in two hundred points."""
    if not meet((*sorted((start["px"], end["px"])), start["py"], end["py"]), box):
        return False
    x = np.linspace(start["px"], end["px"], 200)
    y = np.linspace(start["py"], end["py"], 200)
    left, right, top, bottom = box
    return bool(((x > left) & (x < right) & (y > top) & (y < bottom)).any())


def box(node: dict[str, Any], wide: float, high: float) -> tuple[float, ...]:
    """The box around a node: left, right, top and bottom."""
    return (node["px"] - wide, node["px"] + wide, node["py"] - high, node["py"] + high)


def wrong_form(case: dict[str, Any], form: dict[str, Any]) -> list[str]:
    """Return what is wrong with one form of the drawing of a tree."""
    standing, mark, reach = form["standing"], form["mark"], form["reach"]
    high = mark / 2 if mark else 10
    boxes = [box(node, mark / 2 if mark else node["left"], high) for node in standing]
    targets = [box(node, reach["width"] / 2, reach["height"] / 2) for node in standing]
    names = []
    for k, node in enumerate(standing):
        if node["side"]:
            near, far = (node["px"] + node["side"] * x for x in (5, 5 + 6.4 * len(node["text"])))
            names.append((k, (*sorted((near, far)), node["py"] - 14, node["py"] - 2)))
    piles = [
        (k, (pile["x"], pile["x"] + pile["width"], pile["y"], pile["y"] + pile["height"]))
        for k, pile in enumerate(form["piles"])
        if pile and pile["width"]
    ]
    split = {node["node"] for node in standing if node["state"] == "inner"}
    drawn = min(form["cap"], len(case["split"]) + 1)
    ends = [node for node in standing if node["state"] != "inner"]
    clear = {
        "marks": not any(meet(a, b) for a, b in combinations(boxes, 2)),
        "targets": not mark or not any(meet(a, b) for a, b in combinations(targets, 2)),
        "targets of a size": not mark or all(b - a > 1 and d - c > 1 for a, b, c, d in targets),
        "names": not any(
            meet(name, mark) for k, name in names for j, mark in enumerate(boxes) if j != k
        )
        and not any(meet(a, b) for (_, a), (_, b) in combinations(names, 2)),
        "frame": all(
            a > -1 and b < form["width"] + 1 and c > -1 and d < form["height"] + 1
            for a, b, c, d in boxes
        ),
        "room": form["height"] <= case["height"] + 1,
        "leaves": len(ends) == drawn and split == set(case["split"][: drawn - 1]),
        "folds": form["cap"] == 64 or all(node["state"] != "folded" for node in ends) or drawn < 64,
        "piles below": all(c > boxes[k][3] for k, (_, _, c, _) in piles),
        "piles on nodes": not any(meet(pile, mark) for _, pile in piles for mark in boxes),
        "piles on tests": not any(meet(pile, name) for _, pile in piles for _, name in names),
        "piles on piles": not any(meet(a, b) for (_, a), (_, b) in combinations(piles, 2)),
        "piles on edges": not any(
            crosses(standing[node["up"]], node, pile)
            for _, pile in piles
            for node in standing
            if node["up"] >= 0
        ),
        "piles in the picture": all(
            a > -1e-6 and b < form["width"] + 1e-6 and d <= form["height"] + TALL
            for _, (a, b, _, d) in piles
        ),
    }
    return [name for name, holds in clear.items() if not holds]


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_of_a_tree_overlaps(width: int) -> None:
    asked = [case for case in cases() if case["width"] == width]
    boxes = []
    for case, forms in zip(asked, evaluate(MODULES, FORMS, asked), strict=True):
        caps = [form["cap"] for form in forms]
        assert caps == sorted(set(caps))
        assert caps[-1] == 64
        assert not forms[0]["mark"]
        boxes.append(max(form["cap"] for form in forms if not form["mark"]))
        assert boxes[-1] <= (10 if case["className"] or case["narrow"] else 64)
        # A few leaves are all in sight, on a phone as well.
        assert caps[0] >= min(4, len(case["split"]) + 1)
        assert forms[0]["width"] == width
        # A form changes nothing of which nodes there are.
        for form in forms:
            assert wrong_form(case, form) == [], (case, form["cap"])
            drawn = min(form["cap"], len(case["split"]) + 1)
            if not case["narrow"]:
                assert form["width"] == width
            elif form["mark"]:
                # What a finger needs, in no more than two screens.
                assert form["reach"]["width"] >= min(18, 2 * width / drawn)
                assert form["width"] <= 2 * width
    # Most trees are not too deep for labels up to ten leaves.
    assert np.mean(np.array(boxes) >= 10) > 0.5
