"""What the kit of the explorers computes without a page, run by Node, held against Python."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from support.explorers import fixed, numbers
from support.node import evaluate

from dtviz.explorers.base import STATIC

MODULES = [
    *(STATIC / f"computing/{name}.js" for name in ("path", "scale", "text")),
    STATIC / "controls/level.js",
    STATIC / "hosting/kit.js",
]
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
POWERS = {raised: digit for digit, raised in zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True)}


def run(function: str, given: object) -> Any:
    return evaluate(MODULES, function, given)


def differing(output: list[Any], expected: list[Any], cases: list[Any]) -> list[str]:
    """Return the cases in which something else is said than expected."""
    return [
        f"{case}: {one!r}, not {other!r}"
        for case, one, other in zip(cases, output, expected, strict=True)
        if one != other
    ]


def rounded(value: float, precision: int) -> Decimal:
    """Round to so many significant digits, exactly, ties away from 0."""
    with localcontext(prec=precision, rounding=ROUND_HALF_UP):
        return +Decimal(value)


def plain(value: Decimal) -> str:
    """Write a number without an exponent and without needless zeros."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def read(text: str) -> float:
    """Read a number as the explorers write it: 0.05, .05, 120K, 3·10⁻⁴, 10⁻⁴."""
    mantissa, _, power = text.partition("10⁻")
    if not power:
        thousands = "KMBT".find(text[-1]) + 1
        return float(text.rstrip("KMBT")) * 1000**thousands
    exponent = int("".join(POWERS[digit] for digit in power))
    return float(f"{mantissa.rstrip('·') or 1}e-{exponent}")


TEXTS = """
({ counts, shares, values, measured, powers, drops, lists }) => ({
  grouped: counts.map(grouped),
  leaves: counts.map((n) => count(n, "leaf", "leaves")),
  splits: counts.map((n) => count(n, "split")),
  clamp: values.map((value) => clamp(value, 0.001, 10)),
  epsilon: shares.map(epsilonText),
  small: shares.map(small),
  brief: values.map(brief),
  digits: values.map((value) => digits(value)),
  two: values.map((value) => digits(value, 2)),
  parting: measured.map(([threshold, ...values]) => thresholdText(threshold, values)),
  raised: powers.map(raised),
  drops: drops.map(dropText),
  lists: lists.map(listed),
})
"""


def epsilon_words(epsilon: float) -> str:
    """Four decimals, less those of the last two that are zeros."""
    text = fixed(epsilon, 4)
    return text[:-2] if text.endswith("00") else text.removesuffix("0")


def small_words(value: float) -> str:
    return "0" if value == 0 else "<.001" if value < 0.001 else fixed(value, 3)


def brief_words(value: float) -> str:
    if value == 0 or value >= 0.001:
        return plain(rounded(value, 2))
    _, (digit, *_), exponent = rounded(value, 1).as_tuple()
    return f"{digit}·10⁻{str(-int(exponent)).translate(RAISED)}"


def parting_words(threshold: float, *values: float) -> str:
    """Four digits, or more where these put a value on the other side."""
    if (2 * threshold).is_integer():
        return plain(Decimal(threshold))
    for precision in range(4, 15):
        text = plain(rounded(threshold, precision))
        if all((value <= threshold) == (value <= float(text)) for value in values):
            return text
    return plain(Decimal(repr(threshold)))


def drop_words(drop: float) -> str:
    if drop == 0:
        return "0"
    return "< 0.001" if fixed(drop, 3) == "0.000" else fixed(drop, 3)


def wrong_texts() -> list[str]:
    """Return which numbers are written wrongly."""
    rng = np.random.default_rng(0)
    counts = [0, 1, 2, 999, 1000, 1_234_567, *rng.integers(0, 10**7, 50).tolist()]
    grid = [round(0.005 * k, 3) for k in range(101)]
    edges = [0.0, 0.0004999, 0.0005, 0.0009996, 0.001, 0.0015, 0.0995, 0.10005, 0.9996, 1.0, 10.25]
    shares = [*edges, *grid, *rng.random(300).tolist()]
    values = [*edges, *np.exp(rng.uniform(-13, 13, 500)).tolist()]
    powers = [0, 7, 10, 1203]
    lists = [[], ["x0"], ["x0", "x1"], ["x0", "x1", "x2"], ["x0", "x1", "x2", "x3"]]
    halves = [250001.5, -0.5, 2.0**51 + 0.5, 0.1 + 0.2, 26.268750000000004, 1_700_000_000.5]
    thresholds = [*values, *halves, *(rng.integers(10**7, 10**9, 50) / 1000).tolist()]
    gaps = 10.0 ** -rng.uniform(1, 9, len(thresholds))
    measured = [
        [t, t - abs(t) * gap, t, t + abs(t) * gap] for t, gap in zip(thresholds, gaps, strict=True)
    ]
    given = {"counts": counts, "shares": shares, "values": values, "measured": measured}
    given["powers"] = powers
    result = run(TEXTS, given | {"drops": shares, "lists": lists})
    expected: dict[str, tuple[list[Any], list[Any]]] = {
        "grouped": (counts, [f"{n:,}" for n in counts]),
        "leaves": (counts, [f"{n:,} {'leaf' if n == 1 else 'leaves'}" for n in counts]),
        "splits": (counts, [f"{n:,} split{'' if n == 1 else 's'}" for n in counts]),
        "clamp": (values, [sorted((0.001, value, 10))[1] for value in values]),
        "epsilon": (shares, [epsilon_words(share) for share in shares]),
        "small": (shares, [small_words(share) for share in shares]),
        "brief": (values, [brief_words(value) for value in values]),
        "digits": (values, [plain(rounded(value, 4)) for value in values]),
        "two": (values, [plain(rounded(value, 2)) for value in values]),
        "parting": (measured, [parting_words(*row) for row in measured]),
        "raised": (powers, [str(power).translate(RAISED) for power in powers]),
        "drops": (shares, [drop_words(share) for share in shares]),
        "lists": (lists, ["", "x0", "x0 and x1", "x0, x1 and x2", "x0, x1, x2 and x3"]),
    }
    assert set(result) == set(expected)
    return [
        f"{name} of {line}"
        for name, (cases, words) in expected.items()
        for line in differing(result[name], words, cases)
    ]


SCALES = """
({ roots, logs, plains, shares }) => {
  const shown = ({ at, ticks }, low, high) => ({
    ticks,
    words: ticks.map(tickText),
    at: shares.map((share) => at(low + share * (high - low))),
  });
  return {
    roots: roots.map((top) => shown(rootScale(top), 0, top)),
    logs: logs.map(([low, high]) => shown(logScale(low, high), low, high)),
    plains: plains.map(([top, wanted]) => shown(plainScale(top, wanted), 0, top)),
  };
}
"""


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten; on short scales also 2 and 5 times those, if they are above 0.001."""
    digits = (1, 2, 5) if math.log10(high / low) < 1.6 else (1,)
    found = [(digit, float(f"{digit}e{power}")) for power in range(-9, 9) for digit in digits]
    return sorted(t for digit, t in found if low <= t <= high and (digit == 1 or t > 0.001))


def round_step(rough: Fraction) -> Fraction:
    """Return the least of 1, 2, 5, 10, 20, 50, ... times a power of ten that is at least this."""
    steps = (digit * Fraction(10) ** power for power in range(-12, 12) for digit in (1, 2, 5))
    return next(step for step in steps if step >= rough)


def exact(value: float) -> Fraction:
    """Read a float as the decimal that it is written as."""
    return Fraction(repr(value))


def nice(low: float, high: float, wanted: float) -> list[float]:
    step = round_step((exact(high) - exact(low)) / exact(wanted))
    first, last = math.ceil(exact(low) / step), math.floor(exact(high) / step)
    return [float(k * step) for k in range(first, last + 1)]


def wrong_scales() -> list[str]:
    """Return which scales put a value, propose ticks or write them wrongly."""
    rng = np.random.default_rng(2)
    roots = [0.5, 1.25, 1.0, 8.0, 0.05, *rng.uniform(0.1, 9, 20).round(3).tolist()]
    logs = [(1e-5, 0.6), (0.0005, 0.5), (0.001, 0.02), (0.01, 100.0), (0.03, 0.04), (0.01, 1.0)]
    logs += [
        (low, round(low * f, 9)) for low, f in zip((0.0001, 0.02, 3.0), (9, 30, 1e4), strict=True)
    ]
    plains = [(0.5, 4), (0.3, 3), (0.002, 4), (0.0008, 4), (1.0, 5), (0.06, 6), (0.7, 7)]
    plains += [(round(top, 4), 4) for top in np.exp(rng.uniform(-7, 2, 40)).tolist()]
    shares = [0.0, 1.0, *rng.random(20).tolist()]
    given = {"roots": roots, "logs": logs, "plains": plains, "shares": shares}
    result = run(SCALES, given)
    wrong = []

    def check(name: str, scale: Any, ticks: list[float], places: Any) -> None:
        if scale["ticks"] != pytest.approx(ticks, rel=1e-12, abs=1e-15):
            wrong.append(f"{name}: ticks {scale['ticks']}, not {ticks}")
        if [read(word) for word in scale["words"]] != pytest.approx(ticks, rel=1e-12, abs=1e-15):
            wrong.append(f"{name}: ticks {ticks} written {scale['words']}")
        if scale["at"] != pytest.approx(np.asarray(places).tolist(), abs=1e-9):
            wrong.append(f"{name}: {scale['at']}, not {places}")

    at = np.array(shares)
    for top, scale in zip(roots, result["roots"], strict=True):
        kept = [tick for tick in (0, 0.1, 0.25, 0.5, 1, 2, 4, 8) if tick <= top]
        check(f"root {top}", scale, kept, at**0.5)
    for (low, high), scale in zip(logs, result["logs"], strict=True):
        places = np.interp(np.log(low + at * (high - low)), np.log([low, high]), [0, 1])
        check(f"log {low} {high}", scale, log_ticks(low, high), places)
    for (top, wanted), scale in zip(plains, result["plains"], strict=True):
        check(f"plain {top}", scale, nice(0.0, top, wanted), at)
    return wrong


ENDS = """
({ roots, logs }) => [
  ...roots.map(({ top, value }) => rootScale(top).at(value)),
  ...logs.map(({ low, high, value }) => logScale(low, high).at(value)),
]
"""


def wrong_ends() -> list[str]:
    """Return which values beyond a scale are not put at its end."""
    roots = [{"top": 0.5, "value": value} for value in (-0.2, 0.7)]
    logs = [{"low": 0.001, "high": 0.5, "value": value} for value in (0, -3, 1e-9, 0.6)]
    logs.append({"low": 0.25, "high": 0.25, "value": 0.25})
    found = run(ENDS, {"roots": roots, "logs": logs})
    return differing(found, [0, 1, 0, 0, 0, 1, 0], [*roots, *logs])


TICKS = """
({ sizes, ranges, labels }) => ({
  sizes: sizes.map(([max, wanted]) => roundTicks(max, wanted)),
  ranges: ranges.map(([low, high, wanted]) => niceTicks(low, high, wanted)),
  labels: labels.map(tickText),
})
"""


def ticks_to(most: int, wanted: float) -> list[int]:
    """One, the most, and between them multiples of a round step that keep away from the most."""
    step = max(Fraction(1), round_step(exact(most) / exact(wanted)))
    between = [int(k * step) for k in range(1, most) if 1 < k * step < most - step / 2]
    return [1, *between, *([most] if most > 1 else [])]


def wrong_ticks() -> list[str]:
    """Return which ticks are not the round numbers in their range, or are on no label."""
    rng = np.random.default_rng(3)
    sizes = [(1, 5.0), (2, 5.0), (10, 2.0), (100, 10.0), (1000, 1.0), (500, 5.0)]
    drawn = rng.uniform((1, 1), (3000, 12), (60, 2)).round(2).tolist()
    sizes += [(int(most), wanted) for most, wanted in drawn]
    ranges = [
        (0.0, 0.3, 3.0),
        (1.1, 2.0, 9.0),
        (0.7, 2.3, 16.0),
        (-3.0, 3.0, 6.0),
        (-0.3, 0.3, 6.0),
    ]
    drawn = rng.uniform((-50, 0.01, 2), (50, 90, 12), (200, 3)).round(2).tolist()
    ranges += [(round(at - half, 2), round(at + half, 2), wanted) for at, half, wanted in drawn]
    labels = [tick for one in ranges for tick in nice(*one)] + [12345678.0, 0.00002, 250000.0]
    result = run(TICKS, {"sizes": sizes, "ranges": ranges, "labels": labels})
    wrong = differing(result["sizes"], [ticks_to(*size) for size in sizes], sizes)
    for given, found in zip(ranges, result["ranges"], strict=True):
        if found != pytest.approx(nice(*given), abs=1e-12):
            wrong.append(f"{given}: {found}, not {nice(*given)}")
    for tick, label in zip(labels, result["labels"], strict=True):
        if len(label) > 7 or read(label) != pytest.approx(tick, rel=5e-4, abs=1e-15):
            wrong.append(f"{tick} labeled {label}")
    return wrong


SPREAD = """
(cases) => cases.map(({ heights, gap, low, high }) => spread(heights, gap, low, high))
"""


def wrong_spread() -> list[str]:
    """Return where names would overlap, leave their room, or move without need."""
    rng = np.random.default_rng(4)
    cases: list[dict[str, Any]] = [{"heights": [], "gap": 16, "low": 10, "high": 200}]
    for _ in range(300):
        heights = sorted(rng.uniform(0, 220, int(rng.integers(1, 12))).round(1).tolist())
        cases.append({"heights": heights, "gap": 16, "low": 10, "high": 200})
    wrong = []
    for case, places in zip(cases, run(SPREAD, cases), strict=True):
        heights = case["heights"]
        apart = all(b - a >= 16 - 1e-9 for a, b in pairwise(places))
        fits = all(10 - 1e-9 <= place <= 200 + 1e-9 for place in places)
        free = all(b - a >= 16 for a, b in pairwise(heights))
        free = free and all(10 <= height <= 200 for height in heights)
        if len(places) != len(heights) or not apart or not fits or (free and places != heights):
            wrong.append(f"{heights}: {places}")
    return wrong


def wrong_curves() -> list[str]:
    """Return which curves do not go through their points, to a tenth of a pixel."""
    points = np.random.default_rng(5).uniform(-9, 999, (40, 3, 2)).tolist()
    wrong = []
    for one, path in zip(points, run("(all) => all.map(through)", points), strict=True):
        corners = [corner.split(" ") for corner in path.removeprefix("M").split("L")]
        if corners != [[fixed(x, 1), fixed(y, 1)] for x, y in one] or path[0] != "M":
            wrong.append(f"{one}: {path}")
    return wrong


LEVELS = """
(values) => values.map((value) => [
  onEpsilonGrid(value), onEpsilonGrid(value, (k) => Math.ceil(k - 1e-9)),
])
"""


def wrong_levels() -> list[str]:
    """Return where the error allowed is not on the slider's grid, at the nearest or next place."""
    grid = [round(0.005 * k, 3) for k in range(101)]
    values = [*grid, -0.1, 0.7, *np.random.default_rng(6).random(200).tolist()]
    nearest = [min(grid, key=lambda place, value=value: abs(place - value)) for value in values]  # type: ignore[misc]
    following = [next((place for place in grid if place >= value), 0.5) for value in values]
    expected = [list(pair) for pair in zip(nearest, following, strict=True)]
    return differing(run(LEVELS, values), expected, values)


PATHS = """
(cases) => cases.map(({ split, variable, wrong, root, slots, levels }) => {
  const path = { ...pathShape(split, variable), error: (node) => wrong[node] };
  const part = drawnPart(path, root, slots, levels);
  return {
    ...part,
    owner: [...part.owner],
    folds: part.spots.map((spot) => [0, ...spot.folded].map((j) => foldAt(path, spot, j + 1))),
    depth: [...path.depth], parent: [...path.parent], splitAt: [...path.splitAt],
    where: wrong.map((_, node) => path.where(node)),
  };
})
"""


@cache
def grown_paths() -> list[dict[str, Any]]:
    """Random splits, with the node that is looked into and the room there is for its subtree."""
    rng = np.random.default_rng(7)
    cases = []
    for _ in range(150):
        steps = int(rng.integers(0, 40))
        leaves, split = [0], []
        for j in range(steps):
            split.append(leaves.pop(int(rng.integers(len(leaves)))))
            leaves += [2 * j + 1, 2 * j + 2]
        cases.append(
            {
                "split": split,
                "variable": rng.integers(0, 9, steps).tolist(),
                "wrong": rng.integers(0, 64, 2 * steps + 1).tolist(),
                "root": int(rng.choice([0, *split])),
                "slots": int(rng.integers(2, 24)),
                "levels": int(rng.integers(1, 9)),
            }
        )
    return cases


def above(case: dict[str, Any], node: int) -> list[int]:
    """The nodes from one up to the root, itself first."""
    found = [node]
    while found[-1]:
        found.append(case["split"][(found[-1] - 1) // 2])
    return found


def drawn_nodes(case: dict[str, Any]) -> set[int]:
    """The nodes drawn: the children of the first splits for which there is room."""
    drawn, leaves = {case["root"]}, 1
    for j, node in enumerate(case["split"]):
        level = above(case, node).index(case["root"]) if node in drawn else -1
        if 0 <= level < case["levels"] and leaves < case["slots"]:
            drawn |= {2 * j + 1, 2 * j + 2}
            leaves += 1
    return drawn


def wrong_part(case: dict[str, Any], found: Any) -> list[str]:
    """Return what is wrong with the part drawn of one path."""
    split, nodes = case["split"], range(2 * len(case["split"]) + 1)
    ways = [above(case, node) for node in nodes]
    spots, drawn = found["spots"], drawn_nodes(case)
    owner = [next((up for up in way if up in drawn), None) for way in ways]
    owner = [up if case["root"] in way else None for up, way in zip(owner, ways, strict=True)]
    answers = [
        [str(n) for k in way[-2::-1] for n in (case["variable"][(k - 1) // 2], 1 - k % 2)]
        for way in ways
    ]
    folded = {
        node: [j for j, at in enumerate(split) if owner[at] == node and 2 * j + 1 not in drawn]
        for node in drawn
    }
    folds = []
    for spot in spots:
        hidden = folded.get(spot["node"], [])
        folds.append([])
        for step in (1, *(j + 1 for j in hidden)):
            made = [j for j in hidden if j < step]
            inner = {split[j] for j in made}
            ends = {spot["node"], *(2 * j + k for j in made for k in (1, 2))} - inner
            error = sum(case["wrong"][node] for node in ends)
            folds[-1].append({"leaves": len(ends), "error": error})
    ends = [spot for spot in spots if spot["low"] < 0]
    # From left to right as their answers are, each in its column.
    ends.sort(key=lambda spot: [1 - k % 2 for k in ways[spot["node"]][-2::-1]])
    middles = [
        (spots[spot["low"]]["x"] + spots[spot["high"]]["x"]) / 2
        for spot in spots
        if spot["low"] >= 0
    ]
    right = {
        "drawn": len(spots) == len(drawn) and {spot["node"] for spot in spots} == drawn,
        "owner": [spots[k]["node"] if k >= 0 else None for k in found["owner"]] == owner,
        "folded": all(spot["folded"] == folded[spot["node"]] for spot in spots),
        "folds": found["folds"] == folds,
        "up": all(
            spot["up"] < 0 or spots[spot["up"]]["node"] == ways[spot["node"]][1] for spot in spots
        ),
        "levels": [spot["level"] for spot in spots]
        == [ways[spot["node"]].index(case["root"]) for spot in spots]
        and found["levels"] == max(spot["level"] for spot in spots),
        "columns": [spot["x"] for spot in ends] == [k + 0.5 for k in range(found["leaves"])],
        "middles": [spot["x"] for spot in spots if spot["low"] >= 0] == middles,
        "depth": found["depth"] == [len(way) - 1 for way in ways],
        "parent": found["parent"] == [way[1] if len(way) > 1 else -1 for way in ways],
        "split": found["splitAt"]
        == [split.index(node) if node in split else len(split) for node in nodes],
        "where": list(map(numbers, found["where"])) == answers,
    }
    return [f"{case}: {name}" for name, holds in right.items() if not holds]


def wrong_paths() -> list[str]:
    """Return what is wrong with paths and the parts drawn of them."""
    parts = zip(grown_paths(), run(PATHS, grown_paths()), strict=True)
    return [problem for case, found in parts for problem in wrong_part(case, found)]


MEMORY = """
(calls) => {
  const memo = memory();
  let made = 0;
  return calls.map(([name, facts]) => memo(name, facts, () => [(made += 1), name, ...facts]));
}
"""


def wrong_memory() -> list[str]:
    """Return which calls make again what is known, or keep what has changed."""
    calls: list[Any] = [["a", [1, 2]], ["a", [1, 2]], ["b", [1, 2]], ["a", [1, 3]], ["b", [1, 2]]]
    calls += [["a", [1]], ["a", [1, 2]], ["a", []], ["a", []]]
    made = [1, 1, 2, 3, 2, 4, 5, 6, 6]
    expected = [[k, name, *facts] for k, (name, facts) in zip(made, calls, strict=True)]
    return differing(run(MEMORY, calls), expected, calls)


RECALL = """
(changes) => {
  const values = { a: 1, b: 1, c: 1, way: "b" };
  const { model, recall } = recalling({ get: (name) => values[name] });
  const made = { inner: 0, outer: 0 };
  const inner = () => recall("inner", () => [(made.inner += 1), model.get("a")]);
  const outer = (fact) =>
    recall("outer", () => [(made.outer += 1), inner()[1], model.get(model.get("way"))], [fact]);
  return changes.map(([name, value, fact]) => {
    values[name] = value;
    return [outer(fact), { ...made }];
  });
}
"""


def wrong_recall() -> list[str]:
    """Return which changes make again what has not read them, or keep what has.

    What is within has been read by what is around it; of two ways, only the one that was gone.
    """
    changes = [["c", 1, 0], ["a", 9, 0], ["c", 2, 0], ["b", 5, 0], ["way", "c", 0], ["b", 6, 0]]
    changes += [["c", 3, 0], ["a", 2, 0], ["a", 2, 1], ["a", 2, 1]]
    inner = [1, 2, 2, 2, 2, 2, 2, 3, 3, 3]
    outer = [1, 2, 2, 3, 4, 4, 5, 6, 7, 7]
    read = zip([1, 9, 9, 9, 9, 9, 9, 2, 2, 2], [1, 1, 1, 5, 2, 2, 3, 3, 3, 3], strict=True)
    expected = [
        [[made, *values], {"inner": within, "outer": made}]
        for made, within, values in zip(outer, inner, read, strict=True)
    ]
    return differing(run(RECALL, changes), expected, changes)


CHECKS = {
    "texts": wrong_texts,
    "scales": wrong_scales,
    "ends": wrong_ends,
    "ticks": wrong_ticks,
    "spread": wrong_spread,
    "curves": wrong_curves,
    "levels": wrong_levels,
    "paths": wrong_paths,
    "memory": wrong_memory,
    "recall": wrong_recall,
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_kit_computes_as_python_does(name: str) -> None:
    assert CHECKS[name]() == []
