"""What the kit of the explorers computes without a page, run by Node, held against Python."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from support.explorers import fixed, numbers
from support.node import evaluate

from dtviz.core.names import percent
from dtviz.explorers.base import STATIC

MODULES = [
    *(STATIC / f"computing/{name}.js" for name in ("path", "scale", "text")),
    STATIC / "controls/level.js",
    STATIC / "hosting/kit.js",
]
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
GRID = [round(0.005 * k, 3) for k in range(101)]
EDGES = [0.0, 0.0004999, 0.0005, 0.0009996, 0.001, 0.0015, 0.0995, 0.10005, 0.9996, 1.0, 10.25]
Check = tuple[str, list[Any], list[Any]]
"""A JavaScript function, what it is called with each time, and what it must return."""


def same(one: Any, other: Any) -> bool:
    """Whether two results are equal, numbers but for rounding."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


def rounded(value: float, precision: int) -> str:
    """Write so many significant digits, ties away from 0, without needless zeros."""
    with localcontext(prec=precision, rounding=ROUND_HALF_UP):
        text = f"{+Decimal(value):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def brief(value: float) -> str:
    if value == 0 or value >= 0.001:
        return rounded(value, 2)
    digit, _, exponent = f"{value:.0e}".partition("e-")
    return f"{digit}·10⁻{str(int(exponent)).translate(SUPERSCRIPTS)}"


def parting(threshold: float, values: list[float]) -> str:
    """Four digits, or more where these put a value on the other side."""
    if (2 * threshold).is_integer():
        return rounded(threshold, 17)
    texts = [rounded(threshold, precision) for precision in range(4, 15)]
    sides = [value <= threshold for value in values]
    fits = (text for text in texts if [value <= float(text) for value in values] == sides)
    return next(fits, rounded(float(repr(threshold)), 17))


def named(numbers: list[Any], texts: Callable[[Any], str], code: str) -> Check:
    return code, [[number] for number in numbers], [texts(number) for number in numbers]


def texts() -> Iterator[Check]:
    rng = np.random.default_rng(0)
    counts = [0, 1, 2, 999, 1000, 1_234_567, *rng.integers(0, 10**7, 50).tolist()]
    shares = [*EDGES, *GRID, *rng.random(300).tolist()]
    values = [*EDGES, *np.exp(rng.uniform(-13, 13, 500)).tolist()]
    parts = [0.5, 2 / 3, *(rare / 450 for rare in (1, 2, 448, 449)), 1e-5, 1 - 1e-5]
    yield named(counts, lambda n: f"{n:,}", "grouped")
    leaves = '(n) => count(n, "leaf", "leaves")'
    yield named(counts, lambda n: f"{n:,} {'leaf' if n == 1 else 'leaves'}", leaves)
    yield named(values, lambda v: sorted((0.001, v, 10))[1], "(v) => clamp(v, 0.001, 10)")
    # Four decimals, less those of the last two that are zeros.
    yield named(shares, lambda v: re.sub("00?$", "", fixed(v, 4)), "epsilonText")
    yield named(shares, lambda v: "<.001" if 0 < v < 0.001 else fixed(v, 3) if v else "0", "small")
    least = Decimal("0.0005")
    drop = [fixed(v, 3) if Decimal(v) >= least else "< 0.001" if v else "0" for v in shares]
    yield "dropText", [[v] for v in shares], drop
    yield named(values, brief, "brief")
    yield named(values, lambda v: rounded(v, 4), "(v) => digits(v)")
    yield named([0, 7, 10, 1203], lambda n: str(n).translate(SUPERSCRIPTS), "raised")
    yield named([0, 1, *parts], lambda v: percent(v, 0), "(v) => percent(v)")
    assert [percent(v, 0) for v in (0, 1, parts[2])] == ["0%", "100%", "0.2%"]
    lists = [[], ["a"], ["a", "b"], ["a", "b", "c"]]
    yield "listed", [[one] for one in lists], ["", "a", "a and b", "a, b and c"]
    halves = [250001.5, -0.5, 2.0**51 + 0.5, 0.1 + 0.2, 26.268750000000004, 1_700_000_000.5]
    thresholds = [*values, *halves, *(rng.integers(10**7, 10**9, 50) / 1000).tolist()]
    gaps = 10.0 ** -rng.uniform(1, 9, len(thresholds))
    beside = [
        [t - abs(t) * g, t, t + abs(t) * g] for t, g in zip(thresholds, gaps.tolist(), strict=True)
    ]
    measured = list(zip(thresholds, beside, strict=True))
    yield "thresholdText", [[*one] for one in measured], [parting(*one) for one in measured]


def read(text: str) -> float:
    """Read a tick as it is written: 0.05, 120K, 3·10⁻⁴, 10⁻⁴."""
    digits, _, power = text.partition("10⁻")
    if power:
        exponent = "".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in power)
        return float(f"{digits.rstrip('·') or 1}e-{exponent}")
    return float(text.rstrip("KMBT")) * 1000.0 ** ("KMBT".find(text[-1]) + 1)


def round_step(rough: Fraction) -> Fraction:
    """Return the least of 1, 2, 5, 10, 20, 50, ... times a power of ten that is at least this."""
    steps = (digit * Fraction(10) ** power for power in range(-12, 12) for digit in (1, 2, 5))
    return next(step for step in steps if step >= rough)


def nice(low: float, high: float, wanted: float) -> list[float]:
    """The round numbers between two others, read as the decimals that they are written as."""
    start, end = Fraction(repr(low)), Fraction(repr(high))
    step = round_step((end - start) / Fraction(repr(wanted)))
    return [float(k * step) for k in range(math.ceil(start / step), math.floor(end / step) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten; on short scales also 2 and 5 times those, if they are above 0.001."""
    digits = (1, 2, 5) if math.log10(high / low) < 1.6 else (1,)
    found = [(digit, float(f"{digit}e{power}")) for power in range(-9, 9) for digit in digits]
    return sorted(t for digit, t in found if low <= t <= high and (digit == 1 or t > 0.001))


def ticks_to(most: int, wanted: float) -> list[float]:
    """One, the most, and between them multiples of a round step that keep away from the most."""
    step = max(Fraction(1), round_step(most / Fraction(repr(wanted))))
    between = [float(k * step) for k in range(1, most) if 1 < k * step < most - step / 2]
    return [1.0, *between, *([float(most)] if most > 1 else [])]


def scales() -> Iterator[Check]:
    """Where scales put values, also beyond their ends, and their ticks."""
    rng = np.random.default_rng(2)
    at = "(({{ at, ticks }}, values) => [ticks, values.map(at)])({}, given.at(-1))"
    ends = np.array([-0.2, 0.0, 1.0, 1.4, *rng.random(20)])
    inside = np.clip(ends, 0, 1)
    roots = [0.5, 1.25, 1.0, 8.0, *rng.uniform(0.1, 9, 20).round(3).tolist()]
    of_root = [[tick for tick in (0, 0.1, 0.25, 0.5, 1, 2, 4, 8) if tick <= top] for top in roots]
    yield (
        f"(...given) => {at.format('rootScale(given[0])')}",
        [[top, (top * ends).tolist()] for top in roots],
        [[ticks, (inside**0.5).tolist()] for ticks in of_root],
    )
    logs = [(1e-5, 0.6), (0.0005, 0.5), (0.001, 0.02), (0.01, 100.0), (0.03, 0.04), (0.01, 1.0)]
    logs += [(0.0001, 0.0009), (0.02, 0.6), (3.0, 3e4)]
    values = [low + ends * (high - low) for low, high in logs]
    logarithms = [
        np.log(np.maximum(each, low)) for each, (low, _) in zip(values, logs, strict=True)
    ]
    places = [
        np.interp(each, np.log(pair), [0, 1]) for each, pair in zip(logarithms, logs, strict=True)
    ]
    yield (
        f"(...given) => {at.format('logScale(given[0], given[1])')}",
        [[*pair, each.tolist()] for pair, each in zip(logs, values, strict=True)],
        [[log_ticks(*pair), each.tolist()] for pair, each in zip(logs, places, strict=True)],
    )
    yield "(a) => logScale(a, a).at(a)", [[0.25]], [0]
    plains = [(0.5, 4), (0.3, 3), (0.002, 4), (1.0, 5), (0.06, 6), (0.7, 7)]
    plains += [(round(top, 4), 4) for top in np.exp(rng.uniform(-7, 2, 40)).tolist()]
    yield (
        f"(...given) => {at.format('plainScale(given[0], given[1])')}",
        [[*pair, (pair[0] * inside).tolist()] for pair in plains],
        [[nice(0.0, *pair), inside.tolist()] for pair in plains],
    )
    sizes = [(1, 5.0), (2, 5.0), (10, 2.0), (100, 10.0), (1000, 1.0), (500, 5.0)]
    drawn = rng.uniform((1, 1), (3000, 12), (60, 2)).round(2).tolist()
    sizes += [(int(most), wanted) for most, wanted in drawn]
    yield "roundTicks", [[*size] for size in sizes], [ticks_to(*size) for size in sizes]
    ranges = [(0.0, 0.3, 3.0), (1.1, 2.0, 9.0), (0.7, 2.3, 16.0), (-0.3, 0.3, 6.0)]
    drawn = rng.uniform((-50, 0.01, 2), (50, 90, 12), (200, 3)).round(2).tolist()
    ranges += [(round(at - half, 2), round(at + half, 2), wanted) for at, half, wanted in drawn]
    yield "niceTicks", [[*each] for each in ranges], [nice(*each) for each in ranges]


def test_ticks_are_written_in_a_few_letters() -> None:
    ticks = [*nice(-0.3, 0.3, 6), *nice(0, 7e6, 9), *log_ticks(1e-5, 9), 12345678.0, 0.00002, 25e4]
    for tick, label in zip(
        ticks, evaluate(MODULES, "(all) => all.map(tickText)", ticks), strict=True
    ):
        assert len(label) <= 7
        assert math.isclose(read(label), tick, rel_tol=5e-4, abs_tol=1e-15), label


def others() -> Iterator[Check]:
    """Curves to a tenth of a pixel, and the error allowed on the grid of its slider."""
    curves = np.random.default_rng(5).uniform(-9, 999, (40, 3, 2)).tolist()
    paths = ["M" + "L".join(f"{fixed(x, 1)} {fixed(y, 1)}" for x, y in one) for one in curves]
    yield "through", [[one] for one in curves], paths
    values = [*GRID, -0.1, 0.7, *np.random.default_rng(6).random(200).tolist()]
    nearest = [GRID[int(np.abs(np.subtract(GRID, value)).argmin())] for value in values]
    following = [next((place for place in GRID if place >= value), 0.5) for value in values]
    yield "(v) => onEpsilonGrid(v)", [[value] for value in values], nearest
    above = "(v) => onEpsilonGrid(v, (k) => Math.ceil(k - 1e-9))"
    yield above, [[value] for value in values], following


def test_the_kit_computes_as_python_does() -> None:
    checks = [*texts(), *scales(), *others()]
    calls = ", ".join(
        f"given[{k}].map((one) => ({code})(...one))" for k, (code, *_) in enumerate(checks)
    )
    found = evaluate(MODULES, f"(given) => [{calls}]", [cases for _, cases, _ in checks])
    wrong = [
        f"{code} of {case}: {one!r}, not {other!r}"
        for (code, cases, expected), results in zip(checks, found, strict=True)
        for case, one, other in zip(cases, results, expected, strict=True)
        if not same(one, other)
    ]
    assert wrong == []


def test_names_are_spread_no_further_than_they_must() -> None:
    rng = np.random.default_rng(4)
    cases = [sorted(rng.uniform(0, 220, k % 12).round(1).tolist()) for k in range(300)]
    code = "(all) => all.map((heights) => spread(heights, 16, 10, 200))"
    for heights, places in zip(cases, evaluate(MODULES, code, cases), strict=True):
        assert len(places) == len(heights)
        assert all(b - a >= 16 - 1e-9 for a, b in pairwise(places))
        assert all(10 - 1e-9 <= place <= 200 + 1e-9 for place in places)
        free = all(b - a >= 16 for a, b in pairwise([-6, *heights, 216]))
        assert not free or places == heights


PATHS = """
(cases) => cases.map(({ split, variable, wrong, root, slots, levels }) => {
  const path = { ...pathShape(split, variable), error: (node) => wrong[node] };
  const { spots, owner, ...part } = drawnPart(path, root, slots, levels);
  const at = (k) => (k < 0 ? -1 : spots[k].node);
  const told = (spot) => [
    spot.node, at(spot.up), spot.level, spot.x, spot.folded,
    [0, ...spot.folded].map((j) => Object.values(foldAt(path, spot, j + 1))),
  ];
  return [
    part.leaves, part.levels, spots.map(told).sort((a, b) => a[0] - b[0]), [...owner].map(at),
    [...path.depth], [...path.parent], wrong.map((_, node) => path.where(node)),
  ];
})
"""


def path_case(rng: np.random.Generator) -> dict[str, Any]:
    """Random splits, with the node that is looked into and the room there is for its subtree."""
    steps, leaves, split = int(rng.integers(0, 40)), [0], []
    for j in range(steps):
        split.append(leaves.pop(int(rng.integers(len(leaves)))))
        leaves += [2 * j + 1, 2 * j + 2]
    return {
        "split": split,
        "variable": rng.integers(0, 9, steps).tolist(),
        "wrong": rng.integers(0, 64, 2 * steps + 1).tolist(),
        "root": int(rng.choice([0, *split])),
        "slots": int(rng.integers(2, 24)),
        "levels": int(rng.integers(1, 9)),
    }


def part_of(case: dict[str, Any]) -> list[Any]:
    """What of a path is drawn, and what of it is folded where, by definition."""
    split, root, wrong = case["split"], case["root"], case["wrong"]
    ways = [[0]]
    for node in split:
        ways += [[len(ways), *ways[node]], [len(ways) + 1, *ways[node]]]
    made: dict[int, int] = {}
    drawn = {root: 0}
    for j, node in enumerate(split):
        if drawn.get(node, case["levels"]) < case["levels"] and len(made) + 1 < case["slots"]:
            made[node] = j
            drawn |= {2 * j + 1: drawn[node] + 1, 2 * j + 2: drawn[node] + 1}
    places: dict[int, float] = {}

    def settle(node: int) -> float:
        halves = [2 * made[node] + side for side in (1, 2)] if node in made else []
        leaves = len(drawn.keys() & places.keys() - made.keys())
        places[node] = sum(map(settle, halves)) / 2 if halves else leaves + 0.5
        return places[node]

    settle(root)
    owner = [next((up for up in way if up in drawn), -1) if root in way else -1 for way in ways]

    def fold(node: int, hidden: list[int], step: int) -> list[float]:
        asked = [j for j in hidden if j < step]
        ends = {node, *(2 * j + side for j in asked for side in (1, 2))} - {split[j] for j in asked}
        return [len(ends), sum(wrong[end] for end in ends)]

    spots: list[list[Any]] = []
    for node, level in sorted(drawn.items()):
        hidden = [j for j, at in enumerate(split) if owner[at] == node and at not in made]
        folds = [fold(node, hidden, step) for step in (1, *(j + 1 for j in hidden))]
        up = ways[node][1] if level else -1
        spots.append([node, up, level, places[node], hidden, folds])
    where = [
        [str(n) for k in way[-2::-1] for n in (case["variable"][(k - 1) // 2], 1 - k % 2)]
        for way in ways
    ]
    parents = [way[1] if len(way) > 1 else -1 for way in ways]
    depths = [len(way) - 1 for way in ways]
    return [len(made) + 1, max(drawn.values()), spots, owner, depths, parents, where]


def test_the_part_of_a_tree_that_is_drawn() -> None:
    rng = np.random.default_rng(7)
    cases = [path_case(rng) for _ in range(150)]
    for case, (*found, where) in zip(cases, evaluate(MODULES, PATHS, cases), strict=True):
        assert [*found, list(map(numbers, where))] == part_of(case)


MEMORY = """
(calls) => {
  const memo = memory();
  let made = 0;
  return calls.map(([name, facts]) => memo(name, facts, () => [(made += 1), name, ...facts]));
}
"""


def test_what_is_known_is_not_made_again() -> None:
    calls: list[Any] = [["a", [1, 2]], ["a", [1, 2]], ["b", [1, 2]], ["a", [1, 3]], ["b", [1, 2]]]
    calls += [["a", [1]], ["a", [1, 2]], ["a", []], ["a", []]]
    made = [1, 1, 2, 3, 2, 4, 5, 6, 6]
    expected = [[k, name, *facts] for k, (name, facts) in zip(made, calls, strict=True)]
    assert evaluate(MODULES, MEMORY, calls) == expected


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
    return [...outer(fact), made.inner];
  });
}
"""


def test_what_depends_on_a_trait_is_made_again_with_it() -> None:
    """What is within has been read by what is around it; of two ways, only the one that was gone.

    In each row a change, and after it: how often the outer was made, what it read, the inner.
    """
    rows: list[tuple[list[Any], list[int]]] = [
        (["c", 1, 0], [1, 1, 1, 1]),
        (["a", 9, 0], [2, 9, 1, 2]),
        (["c", 2, 0], [2, 9, 1, 2]),
        (["b", 5, 0], [3, 9, 5, 2]),
        (["way", "c", 0], [4, 9, 2, 2]),
        (["b", 6, 0], [4, 9, 2, 2]),
        (["c", 3, 0], [5, 9, 3, 2]),
        (["a", 2, 0], [6, 2, 3, 3]),
        (["a", 2, 1], [7, 2, 3, 3]),
        (["a", 2, 1], [7, 2, 3, 3]),
    ]
    found = evaluate(MODULES, RECALL, [change for change, _ in rows])
    assert found == [expected for _, expected in rows]


def grown(rng: random.Random, depth: int) -> Any:
    """A random tree of lists."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(("0", "1"))
    return [f"x{rng.randrange(4)}", grown(rng, depth - 1), grown(rng, depth - 1)]


def lines(tree: Any) -> list[str]:
    """A tree as the page hands it over."""
    if isinstance(tree, str):
        return [f"={tree}"]
    return [f"?{tree[0]}", *lines(tree[1]), *lines(tree[2])]


READ = """
(given) => given.map((text) => {
  const tree = readTree(text);
  const path = plainPath(tree);
  const walk = (node) => {
    const step = path.splitAt[node];
    if (step === path.steps) return path.mark(path.label(node));
    return [path.test(node), walk(2 * step + 1), walk(2 * step + 2)];
  };
  return walk(0);
})
"""


def test_a_tree_is_read_as_it_was_written() -> None:
    """By the view of trees that a program of the reader's gives."""
    rng = random.Random(0)  # noqa: S311
    trees = [grown(rng, depth) for depth in range(7) for _ in range(100)]
    found = evaluate([STATIC / "drawing/plain.js"], READ, [lines(tree) for tree in trees])
    assert found == trees
