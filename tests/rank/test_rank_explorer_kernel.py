"""FIND as the page runs it, held against Python's: every call, every tree, many samples, rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from support.node import evaluate

import dtviz as dt
from dtviz.core.measures import mean
from dtviz.explorers.base import STATIC
from dtviz.rank.counting import sample_size
from dtviz.rank.draws import check_rows, draw_points
from dtviz.rank.explorer import DRAWS, GRID, sampled_errors

KERNELS = sorted((STATIC.parents[1] / "rank").glob("kernel*.js"))
LISTS = ("depth", "rank", "size", "ones", "variable", "branch", "again", "found", "step", "split")
Fault = tuple[str, str] | None

# --- runs -----------------------------------------------------------------------------------------

RUNS = """
(cases) => cases.map(({ n, table, points, flipped, bound, p }) => {
  const labelOf = (x) => Number(table[x]) ^ (flipped.includes(x) ? 1 : 0);
  const { facts, plan, points: distinct, times } = examplesOf(n, points, points.length, labelOf);
  const run = findRun(plan, facts, bound);
  const masses = massesOf(plan, [...table].map(Number), pointWeights(p));
  const within_ = run.tree
    ? run.tree.at.map((c) => points.reduce((sum, x) => sum + within(plan, c, x), 0)) : null;
  return {
    lists: LISTS.map((name) => [...run[name]]), parent: [...run.parent], end: [...run.end],
    calls: run.calls, levels: run.levels, least: facts.rank[plan.whole], distinct, times,
    children: run.calls < 60 ? [...run.parent].map((_, k) => run.children(k)) : null,
    stack: run.calls < 60 ? [...run.parent].map((_, k) => run.stack(k).length) : null,
    tree: run.tree, within: within_,
    error: run.tree ? errorFound(plan, facts, masses, bound) : null,
  };
})
""".replace("LISTS", str(list(LISTS)))


@cache
def cases() -> list[tuple[Any, ...]]:
    """Three thousand samples, some of noise: a target, points, flips, a bound, biases."""
    rng = np.random.default_rng(18)
    made = []
    for k in range(3000):
        n = int(rng.integers(1, 7))
        f = dt.BooleanFunction(n, rng.random(1 << n) < rng.random())
        codes = rng.integers(0, 1 << n, int(rng.integers(1, 257 if k % 9 == 0 else 40)))
        flipped = np.flatnonzero(rng.random(1 << n) < 0.1 * (k % 3)).tolist()
        p = (rng.integers(1, 100, n) / 100).tolist()
        bound = int(rng.integers(0, n + 1)) if codes.size < 60 or n < 6 else int(rng.integers(0, 4))
        made.append((f, codes, flipped, bound, p))
    return made


@cache
def truth(k: int) -> dict[str, Any]:
    f, codes, flipped, bound, p = cases()[k]
    X = codes[:, None] >> np.arange(f.n) & 1
    y = f.table[codes].astype(int) ^ np.isin(codes, flipped)
    run = dt.rank.find_run(X, y, rank=bound)
    tree = run.tree()
    columns = None if tree is None else tree.to_dict()
    lists = [getattr(run, "n_examples" if name == "size" else name) for name in LISTS]
    known = dict.fromkeys(codes.tolist(), 0)
    for x in codes.tolist():
        known[x] += 1
    return {
        "lists": [np.asarray(one).astype(int).tolist() for one in lists],
        "parent": run.parent.tolist(),
        "end": run.end.tolist(),
        "calls": run.n_calls,
        "levels": int(run.depth.max()) + 1,
        "least": dt.rank.sample_rank(X, y),
        "distinct": list(known),
        "times": list(known.values()),
        "children": [run.children(j) for j in range(run.n_calls)] if run.n_calls < 60 else None,
        "stack": (run.depth + 1).tolist() if run.n_calls < 60 else None,
        "variable": None
        if columns is None
        else [
            -1 - label if i < 0 else i
            for i, label in zip(columns["variable"], columns["value"], strict=True)
        ],
        "ranks": None if tree is None else tree.node_rank.tolist(),
        "within": None if tree is None else _reached(tree, X),
        "error": None if tree is None else mean(f ^ tree.function(f.n), dt.ProductDistribution(p)),
    }


def _reached(tree: dt.Tree, X: Any) -> list[int]:
    """How many rows come to each node."""
    reached = [0] * tree.n_nodes
    for row in X.tolist():
        node = 0
        reached[0] += 1
        while tree.variable[node] >= 0:
            node = int((tree.high if row[tree.variable[node]] else tree.low)[node])
            reached[node] += 1
    return reached


def wrong_runs(fault: Fault) -> Iterator[str]:
    """Tell where a run of the page is not the recorded one."""
    given = [
        {
            "n": f.n,
            "table": "".join(map(str, f.table.astype(int).tolist())),
            "points": codes.tolist(),
            "flipped": flipped,
            "bound": bound,
            "p": p,
        }
        for f, codes, flipped, bound, p in cases()
    ]
    for k, found in enumerate(evaluate(KERNELS, RUNS, given, fault=fault)):
        right = dict(truth(k))
        tree, error = found.pop("tree"), found.pop("error")
        expected = right.pop("error")
        found |= {"variable": tree and tree["variable"], "ranks": tree and tree["rank"]}
        if found != right or (
            error is not None and not math.isclose(error, expected, abs_tol=1e-12)
        ):
            yield f"case {k}: {found}, {error}, not {right}, {expected}"


# --- the tree found, and what the theorems promise ------------------------------------------------

SHAPES = """
({ trees, asked, grid, again, cubes }) => ({
  trees: trees.map((tree) => {
    const path = foundPath(tree);
    const nodes = Array.from({ length: 2 * path.steps + 1 }, (_, k) => k);
    return {
      words: path.words,
      names: path.split.map(path.name),
      facts: nodes.map((k) => [
        path.where(k), path.name(k), path.rank(k), path.leaves(k),
        path.inner(k) ? path.halves(k).map(path.rank) : [],
      ]),
    };
  }),
  asked: asked.map(({ log, epsilon, delta }) => examplesAsked(log, epsilon, delta)),
  columns: grid.map((m) => columnOf(grid, m)),
  windows: asked.map((_, k) => windowAround(100, k % 100, 30)),
  again: again.map((list) => list.map((_, k) => nextAgain({ again: Int8Array.from(list) }, k))),
  logs: [1, 2, 3, 4, 5, 6].map((n) => logCounts(n, cubes.sizes[n - 1])),
  whole: cubes.p.map(({ p, delta }) => drawsOfAll(pointWeights(p), delta)),
})
"""


def tree_words(tree: dt.Tree, node: int = 0) -> str:
    if tree.variable[node] < 0:
        assert tree.value is not None
        return str(tree.value[node])
    low, high = tree_words(tree, int(tree.low[node])), tree_words(tree, int(tree.high[node]))
    return f"x{tree.variable[node]}: if 0 ({low}), if 1 ({high})"


def names_by_level(tree: dt.Tree) -> list[str]:
    """Return the variables that a tree tests, level by level, each from left to right."""
    level, names = [0], []
    while level:
        inner = [k for k in level if tree.variable[k] >= 0]
        names += [f"x{tree.variable[k]}" for k in inner]
        level = [int(child) for k in inner for child in (tree.low[k], tree.high[k])]
    return names


def facts_by_level(tree: dt.Tree) -> list[list[Any]]:
    """Tell where each node is, its name, rank, leaves and the ranks below it, level by level."""
    assert tree.value is not None
    assert tree.node_rank is not None

    def leaves(k: int) -> int:
        return 1 if tree.variable[k] < 0 else leaves(int(tree.low[k])) + leaves(int(tree.high[k]))

    facts = []
    level: list[tuple[int, str]] = [(0, "")]
    while level:
        below = []
        for k, where in level:
            name, halves = str(tree.value[k]), []
            if tree.variable[k] >= 0:
                name = f"x{tree.variable[k]}"
                halves = [int(tree.low[k]), int(tree.high[k])]
                start = f"{where}, {name}" if where else name
                below += [(half, f"{start}={bit}") for bit, half in enumerate(halves)]
            ranks = [int(tree.node_rank[half]) for half in halves]
            result = where or "no variable fixed"
            facts.append([result, name, int(tree.node_rank[k]), leaves(k), ranks])
        level = below
    return facts


@cache
def shape_cases() -> dict[str, Any]:
    rng = np.random.default_rng(20)
    rows = (rng.random((500, 3)) * (50, 0.9, 0.9) + 0.01).tolist()
    biases = [[0.5] * n for n in range(1, 7)] + [
        (rng.integers(5, 96, int(rng.integers(1, 7))) / 100).tolist() for _ in range(60)
    ]
    return {
        "trees": [tree for f, *_ in cases()[:200] if (tree := dt.find_min(*_whole(f)))],
        "asked": [dict(zip(("log", "epsilon", "delta"), row, strict=True)) for row in rows],
        "grid": [1, 2, 3, 4, 6, 8, 12, 16],
        "again": [rng.integers(0, 2, 9).tolist() for _ in range(40)],
        "cubes": {
            "sizes": [np.cumsum(dt.rank.functions_by_rank(n)).tolist() for n in range(1, 5)],
            "p": [{"p": p, "delta": float(rng.integers(1, 51)) / 100} for p in biases],
        },
    }


def _whole(f: dt.BooleanFunction) -> tuple[Any, Any]:
    return dt.cube_points(f.n), f.table


def _asked_of_all(p: list[float], delta: float) -> int:
    """Count up to the first m that satisfies the union bound, from the one before by a formula."""
    weights = dt.ProductDistribution(p).weights()
    m = math.log(1 / delta) / weights.max()
    step = max(1, int(0.1 / weights.min()))
    found = int(m)
    while step:
        while np.exp(-found * weights).sum() > delta:
            found += step
        found = max(found - step, 0)
        step //= 2
    return found + 1


def _wrong_counts(cubes: dict[str, Any], result: dict[str, Any]) -> Iterator[str]:
    for n, found in enumerate(result["logs"], 1):
        bounds = range(1, n + 1)
        paper = [(math.e * n / r) ** r * math.log(8 * n) for r in bounds]
        leaves = [dt.rank.most_leaves(n, r) * math.log(8 * n) for r in bounds]
        exact = [math.log(2), *[None] * (n - 1), 2**n * math.log(2)]
        if n < 5:
            exact = np.log(cubes["sizes"][n - 1]).tolist()
        right = (
            np.allclose(found["paper"][1:], paper)
            and np.allclose(found["leaves"][1:], leaves)
            and [found["paper"][0], found["leaves"][0]] == [None, None]
            and np.allclose(np.array(found["exact"], float), np.array(exact, float), equal_nan=True)
        )
        if not right:
            yield f"logs {n}: {found}"
    for one, found in zip(cubes["p"], result["whole"], strict=True):
        if found != max(_asked_of_all(one["p"], one["delta"]), 1):
            yield f"whole cube {one}: {found}"


def wrong_shapes(fault: Fault) -> Iterator[str]:
    """Tell where the shape of a tree, a bound or a place is not Python's."""
    given = dict(shape_cases())
    given["trees"] = [
        {
            "variable": [-1 - v if i < 0 else i for i, v in zip(*_columns(tree), strict=True)],
            "rank": tree.node_rank.tolist(),
        }
        for tree in given["trees"]
    ]
    result = evaluate([STATIC / "path.js", *KERNELS], SHAPES, given, fault=fault)
    for tree, found in zip(shape_cases()["trees"], result["trees"], strict=True):
        if found != {
            "words": tree_words(tree),
            "names": names_by_level(tree),
            "facts": facts_by_level(tree),
        }:
            yield f"{tree!r}: {found}"
    sizes = [sample_size(one["epsilon"], one["delta"], one["log"]) for one in given["asked"]]
    if result["asked"] != sizes:
        yield "examples asked"
    if not np.allclose(result["columns"], range(len(given["grid"]))):
        yield f"columns {result['columns']}"
    for k, window in enumerate(result["windows"]):
        if not window["from"] <= k % 100 < window["to"] == window["from"] + 30:
            yield f"window {k}"
    for marks, found in zip(given["again"], result["again"], strict=True):
        places = [j for j, mark in enumerate(marks) if mark]
        if found != [
            next((j for j in places if j > k), places[0] if places else -1) for k in range(9)
        ]:
            yield f"again {marks}"
    yield from _wrong_counts(given["cubes"], result)


def _columns(tree: dt.Tree) -> tuple[list[int], list[int]]:
    columns = tree.to_dict()
    return columns["variable"], columns["value"]


def test_draws_that_show_the_whole_cube() -> None:
    """Under the uniform distribution it is the formula of the page."""
    for n, delta in ((1, 0.5), (4, 0.1), (6, 0.01)):
        assert _asked_of_all([0.5] * n, delta) == math.ceil(2**n * math.log(2**n / delta))


# --- draws, and many samples ----------------------------------------------------------------------

MANY = """
({ draws, grid, cases }) => cases.map(({ n, table, p, seed, k }) => {
  const many = manySamples({ n, table: [...table].map(Number) }, p, { seed, times: draws, grid });
  many.advance(k);
  const [before, found] = [many.ready(k), many.column(k)];
  const summaries = found.map((column) => summaryOf(column, 0.25));
  return { first: [...drawPoints(p, seed, 0, 256)], before, after: many.ready(k),
    found: found.map(({ errors, none }) => ({ errors: [...errors], none })), summaries };
})
"""


@cache
def many_cases() -> list[tuple[Any, ...]]:
    rng = np.random.default_rng(19)
    made = []
    for k in range(12):
        n = 1 + k % 6
        f = dt.BooleanFunction(n, rng.random(1 << n) < rng.random())
        p = [0.5] * n if k % 2 else (rng.integers(10, 91, n) / 100).tolist()
        made.append((f, p, int(rng.integers(1000)), int(rng.integers(16))))
    return made


@cache
def many_truth(k: int) -> list[tuple[float, ...]]:
    f, p, seed, at = many_cases()[k]
    mu = dt.ProductDistribution(p)
    return [sampled_errors(f, mu, seed, r)[at] for r in range(f.n + 1)]


def wrong_many(fault: Fault) -> Iterator[str]:
    """Tell where draws and the errors of many samples are not Python's."""
    given = {
        "draws": DRAWS,
        "grid": GRID,
        "cases": [
            {
                "n": f.n,
                "table": "".join(map(str, f.table.astype(int).tolist())),
                "p": p,
                "seed": seed,
                "k": at,
            }
            for f, p, seed, at in many_cases()
        ],
    }
    for k, found in enumerate(evaluate(KERNELS, MANY, given, fault=fault)):
        f, p, seed, _ = many_cases()[k]
        first = draw_points(p, seed, 0, 256) @ (1 << np.arange(f.n))
        if found["first"] != first.tolist() or (found["before"], found["after"]) != (False, True):
            yield f"case {k}: draws"
        for errors, column, result in zip(
            many_truth(k), found["found"], found["summaries"], strict=True
        ):
            right = (
                column["none"] == result["none"] == DRAWS - len(errors)
                and len(errors) == len(column["errors"])
                and np.allclose(sorted(errors), column["errors"], atol=1e-12)
                and result["above"] == sum(error > 0.25 + 1e-12 for error in errors)
                and sum(times for _, times in result["often"]) == len(errors)
                and len(result["often"]) == len(np.unique(np.round(errors, 10)))
                and (
                    result["median"] is None
                    if not errors
                    else math.isclose(result["median"], np.median(errors), abs_tol=1e-12)
                )
            )
            if not right:
                yield f"case {k}: {column}, {result}, not {errors}"


def test_the_draws_have_their_biases() -> None:
    bits = np.concatenate([draw_points([0.1, 0.5, 0.9], 7, j, 256) for j in range(200)])
    assert np.abs(bits.mean(axis=0) - [0.1, 0.5, 0.9]).max() < 0.006
    assert abs(np.corrcoef(bits.T) - np.eye(3)).max() < 0.02


# --- rows -----------------------------------------------------------------------------------------

TEXTS = """
(cases) => cases.map(([text, before]) => {
  try {
    return readRows(text, before, before.length ? () => "1" : null);
  } catch (error) {
    return error.message;
  }
})
"""
GOOD: list[tuple[str, list[str], list[str]]] = [
    ("0 1 1 0\n1 1 1 1", [], ["0110", "1111"]),
    ("0,1,1\r\n\r\n1;1;1\n", [], ["011", "111"]),
    ("x0,x1,label\n0,1,1", [], ["011"]),
    ("0110\n0110\n", [], ["0110", "0110"]),
    ("00\n110", ["010"], ["010", "001", "110"]),
    ("01", [], ["01"]),
]
BAD = [
    ("", [], "the text must hold at least one row, got none"),
    ("a,b\n", [], "the text must hold at least one row, got none"),
    ("0 1\n0 2", [], 'line 2 must hold only 0 and 1, got "2"'),
    ("0 1\n0 a", [], 'line 2 must hold only 0 and 1, got "a"'),
    ("٠١", [], 'line 1 must hold only 0 and 1, got "٠"'),
    ("011\n\n01", [], "line 3 must have 3 bits, as line 1 has, got 2"),
    ("1", [], 'line 1 must have 1 to 6 variables and a label, got "1"'),
    (
        "0" * 99,
        [],
        'line 1 must have 1 to 6 variables and a label, got "000000000000000000000000..."',
    ),
    ("011\n010", [], "line 2 must give 01 the label 1 that it has in line 1, got 0"),
    ("011", ["010"], "line 1 must give 01 the label 0 that it has in a row above, got 1"),
    ("01111", ["010"], "line 1 must have 3 bits, as the rows above have, got 5"),
    ("01\n" * 257, [], "there must be at most 256 rows, got 257"),
]


def test_rows_of_a_text_are_read_or_refused() -> None:
    result = evaluate(KERNELS, TEXTS, [(text, before) for text, before, _ in [*GOOD, *BAD]])
    assert result == [expected for _, _, expected in [*GOOD, *BAD]]
    # What the page makes of a text Python takes.
    assert all(check_rows(rows) == rows for _, _, rows in GOOD)


# --- all agree, and each check can fail -----------------------------------------------------------


def test_every_call_is_the_recorded_one() -> None:
    assert list(wrong_runs(None)) == []


def test_many_samples_are_those_of_python() -> None:
    assert list(wrong_many(None)) == []


def test_shapes_and_bounds_are_those_of_python() -> None:
    assert list(wrong_shapes(None)) == []


@pytest.mark.parametrize(
    "fault",
    [
        ("at.push(k + 1, k + 1 + size[k + 1])", "at.push(k + 1 + size[k + 1], k + 1)"),
        ("2 * shape.splitAt[node] + side", "2 * node + side"),
        ("(size[at[node]] + 1) / 2", "(size[node] + 1) / 2"),
        ("Math.exp(-m * weight)", "Math.exp(-m / weights.length)"),
        ("term = (term * (n - r + 1)) / r", "term = (term * (n - r)) / r"),
    ],
)
def test_a_fault_in_a_shape_or_a_bound_is_found(fault: tuple[str, str]) -> None:
    assert any(wrong_shapes(fault))


@pytest.mark.parametrize(
    "fault",
    [
        ("a === b ? a + 1", "a === b ? a + 2"),
        (
            "if (!lowFits && !highFits) continue;\n      split",
            "if (!highFits) continue;\n      split",
        ),
        ("? ask(high, r, k, 4 * v + 3)", "? ask(high, r - 1, k, 4 * v + 3)"),
        ("facts.ones[c] ? -2 : -1", "facts.ones[c] ? -1 : -2"),
        ("masses[facts.ones[c] ? 0 : 1]", "masses[facts.ones[c] ? 1 : 0]"),
        ("digit !== ((x >> i) & 1)", "digit === ((x >> i) & 1)"),
    ],
)
def test_a_fault_in_a_run_is_found(fault: tuple[str, str]) -> None:
    assert any(wrong_runs(fault))


@pytest.mark.parametrize(
    "fault",
    [
        ("place = (place + 1) | 0", "place = (place + 2) | 0"),
        ("(1 + ROUNDING) ? 1 : 0", "(1 - 1e-9) ? 1 : 0"),
        ("none: times - one.length", "none: 0"),
    ],
)
def test_a_fault_in_many_samples_is_found(fault: tuple[str, str]) -> None:
    assert any(wrong_many(fault))
