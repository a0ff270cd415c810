"""FIND as the page runs it, held against Python's: every call, every tree, many samples, rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from support.explorers import numbers, tree_numbers
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.rank.counting import sample_size
from dtviz.rank.draws import check_rows, draw_points
from dtviz.rank.explorer import DRAWS, GRID, sampled_errors

KERNELS = sorted((STATIC.parents[1] / "rank").glob("kernel*.js"))
LISTS = ("depth", "rank", "size", "ones", "variable", "branch", "again", "found", "step", "split")
PREORDER = "(node) => [node, ...node.halves.flatMap(preorder)]"

RUNS = """
(cases) => cases.map(({ n, table, points, flipped, bound }) => {
  const preorder = PREORDER;
  const labelOf = (x) => Number(table[x]) ^ (flipped.includes(x) ? 1 : 0);
  const { facts, plan, labels, points: distinct, times } = examplesOf(n, points, labelOf);
  const run = findRun(plan, facts, bound);
  const truth = factsOf(plan, [...table].map(Number));
  const nodes = run.tree && preorder(run.tree);
  const few = run.calls.length < 60;
  return {
    lists: LISTS.map((name) => run.calls.map((call) => Number(call[name]))),
    parent: run.calls.map(({ above }) => above), end: run.calls.map(({ end }) => end),
    least: facts.rank[plan.whole], distinct, times,
    conflict: run.tree ? [] : conflictOf({ points: distinct, labels, plan }, bound),
    children: few ? run.calls.map((_, k) => run.children(k)) : null,
    stack: few ? run.calls.map((_, k) => run.stack(k).length) : null,
    variable: nodes && nodes.map(({ variable, label }) => (variable < 0 ? -1 - label : variable)),
    ranks: nodes && nodes.map(({ rank }) => rank),
    leaves: nodes && nodes.map(({ leaves }) => leaves),
    reached: nodes && nodes.map(({ at }) => facts.size[at]),
    error: run.tree && errorOf(plan, truth, run.tree),
  };
})
""".replace("LISTS", str(list(LISTS))).replace("PREORDER", PREORDER)


@cache
def cases() -> list[tuple[Any, ...]]:
    """Three thousand samples, some of noise: a target, points, flips, a bound."""
    rng = np.random.default_rng(18)
    made = []
    for k in range(3000):
        n = int(rng.integers(1, 7))
        f = dt.BooleanFunction(n, rng.random(1 << n) < rng.random())
        codes = rng.integers(0, 1 << n, int(rng.integers(1, 257 if k % 9 == 0 else 40)))
        flipped = np.flatnonzero(rng.random(1 << n) < 0.1 * (k % 3)).tolist()
        bound = int(rng.integers(0, n + 1)) if codes.size < 60 or n < 6 else int(rng.integers(0, 4))
        made.append((f, codes, flipped, bound))
    return made


@cache
def truth(k: int) -> dict[str, Any]:
    f, codes, flipped, bound = cases()[k]
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
        "leaves": None if tree is None else [len(leaves) for leaves in _below(tree)],
        "reached": None if tree is None else _reached(tree, np.unique(X, axis=0)),
        "error": None if tree is None else (f ^ tree.function(f.n)).table.mean(),
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


def _below(tree: dt.Tree) -> list[set[int]]:
    """The leaves below each node."""
    below: list[set[int]] = [set() for _ in range(tree.n_nodes)]
    for k in reversed(range(tree.n_nodes)):
        inner = tree.variable[k] >= 0
        below[k] = below[int(tree.low[k])] | below[int(tree.high[k])] if inner else {k}
    return below


def conflict_is_least(k: int, rows: list[int]) -> bool:
    """Whether no tree of the bound agrees with rows, and one does without any one of them."""
    f, _, flipped, bound = cases()[k]
    if not rows:
        return bool(truth(k)["least"] <= bound)

    def rank(codes: list[int]) -> int:
        X = np.array(codes, dtype=int)[:, None] >> np.arange(f.n) & 1
        return int(dt.rank.sample_rank(X, f.table[codes].astype(int) ^ np.isin(codes, flipped)))

    return rank(rows) > bound and all(rank([x for x in rows if x != y]) <= bound for y in rows)


def wrong_runs() -> Iterator[str]:
    """Tell where a run of the page is not the recorded one."""
    given = [
        {
            "n": f.n,
            "table": "".join(map(str, f.table.astype(int).tolist())),
            "points": codes.tolist(),
            "flipped": flipped,
            "bound": bound,
        }
        for f, codes, flipped, bound in cases()
    ]
    for k, found in enumerate(evaluate(KERNELS, RUNS, given)):
        conflict = found.pop("conflict")
        if k % 20 == 0 and not conflict_is_least(k, conflict):
            yield f"case {k}: rows to blame"
        if found != truth(k):
            yield f"case {k}: {found}, not {truth(k)}"


SHAPES = """
({ trees, asked, grid, cubes }) => ({
  trees: trees.map(({ n, code }) => {
    const plan = cubePlan(n);
    const path = foundPath(findTree(plan, factsOf(plan, code), n));
    const nodes = Array.from({ length: 2 * path.steps + 1 }, (_, k) => k);
    return {
      words: path.words,
      names: path.split.map(path.name),
      facts: nodes.map((k) => [
        path.where(k), path.name(k), path.nodes[k].rank, path.nodes[k].leaves,
        path.nodes[k].halves.map(({ rank }) => rank),
      ]),
    };
  }),
  asked: asked.map(({ log, epsilon, delta }) => examplesAsked(log, epsilon, delta)),
  columns: grid.map((m) => columnOf(grid, m)),
  windows: asked.map((_, k) => windowAround(100, k % 100, 30)),
  logs: [1, 2, 3, 4, 5, 6].map((n) => Array.from({ length: n + 1 }, (_, r) => logCounts(n, r))),
  whole: cubes.map(({ n, delta }) => drawsOfAll(n, delta)),
})
"""


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
    return {
        "functions": [f for f, *_ in cases()[:200]],
        "asked": [dict(zip(("log", "epsilon", "delta"), row, strict=True)) for row in rows],
        "grid": [1, 2, 3, 4, 6, 8, 12, 16],
        "cubes": [{"n": n, "delta": k / 100} for n in range(1, 7) for k in (1, 3, 10, 50)],
    }


def _wrong_counts(cubes: list[dict[str, Any]], result: dict[str, Any]) -> Iterator[str]:
    for n, (none, *found) in enumerate(result["logs"], 1):
        bounds = range(1, n + 1)
        paper = [(math.e * n / r) ** r * math.log(8 * n) for r in bounds]
        leaves = [dt.rank.most_leaves(n, r) * math.log(8 * n) for r in bounds]
        if none is not None or not (
            np.allclose([one["paper"] for one in found], paper)
            and np.allclose([one["leaves"] for one in found], leaves)
        ):
            yield f"logs {n}: {none}, {found}"
    for one, found in zip(cubes, result["whole"], strict=True):
        points = 1 << one["n"]
        enough = [points * math.exp(-m / points) <= one["delta"] for m in (found - 1, found)]
        if enough != [False, True]:
            yield f"whole cube {one}: {found}"


def wrong_shapes() -> Iterator[str]:
    """Tell where the shape of a tree, a bound or a place is not Python's."""
    given = dict(shape_cases())
    functions = given.pop("functions")
    given["trees"] = [{"n": f.n, "code": f.table.astype(int).tolist()} for f in functions]
    result = evaluate([STATIC / "computing/path.js", *KERNELS], SHAPES, given)
    for f, found in zip(functions, result["trees"], strict=True):
        tree = dt.rank.find(dt.cube_points(f.n), f.table, rank=f.n)
        assert tree is not None
        found["words"] = numbers(found["words"])
        if found != {
            "words": tree_numbers(tree),
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
    yield from _wrong_counts(given["cubes"], result)


MANY = """
({ draws, grid, cases }) => cases.map(({ n, table, seed, k }) => {
  const values = [...table].map(Number);
  const truth = { n, table: values, facts: factsOf(cubePlan(n), values) };
  const many = manySamples(truth, { seed, times: draws, grid });
  const [before, found] = [many.ready(k), many.column(k)];
  const summaries = found.map((column) => summaryOf(column, 0.25));
  return { first: [...drawPoints(n, seed, 0, 256)], before, after: many.ready(k),
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
        made.append((f, int(rng.integers(1000)), int(rng.integers(16))))
    return made


@cache
def many_truth(k: int) -> list[tuple[float, ...]]:
    f, seed, at = many_cases()[k]
    return [sampled_errors(f, seed, r)[at] for r in range(f.n + 1)]


def wrong_many() -> Iterator[str]:
    """Tell where draws and the errors of many samples are not Python's."""
    given = {
        "draws": DRAWS,
        "grid": GRID,
        "cases": [
            {
                "n": f.n,
                "table": "".join(map(str, f.table.astype(int).tolist())),
                "seed": seed,
                "k": at,
            }
            for f, seed, at in many_cases()
        ],
    }
    for k, found in enumerate(evaluate(KERNELS, MANY, given)):
        f, seed, _ = many_cases()[k]
        first = draw_points(f.n, seed, 0, 256) @ (1 << np.arange(f.n))
        if found["first"] != first.tolist() or (found["before"], found["after"]) != (False, True):
            yield f"case {k}: draws"
        for errors, column, result in zip(
            many_truth(k), found["found"], found["summaries"], strict=True
        ):
            right = (
                column["none"] == result["none"] == DRAWS - len(errors)
                and len(errors) == len(column["errors"])
                and sorted(errors) == column["errors"]
                and result["above"] == sum(error > 0.25 for error in errors)
                and sum(times for _, times in result["often"]) == len(errors)
                and len(result["often"]) == len(set(errors))
                and (
                    result["median"] is None
                    if not errors
                    else math.isclose(result["median"], np.median(errors), abs_tol=1e-12)
                )
            )
            if not right:
                yield f"case {k}: {column}, {result}, not {errors}"


def test_the_draws_are_uniform_and_independent() -> None:
    bits = np.concatenate([draw_points(3, 7, j, 256) for j in range(200)])
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.006
    assert abs(np.corrcoef(bits.T) - np.eye(3)).max() < 0.02


TEXTS = """
(cases) => cases.map((text) => {
  try {
    return readRows(text);
  } catch (error) {
    return error.message;
  }
})
"""
GOOD = [
    ("0 1 1 0\n1 1 1 1", ["0110", "1111"]),
    ("0,1,1\r\n\r\n1;1;1\n", ["011", "111"]),
    ("x0,x1,label\n0,1,1", ["011"]),
    ("0110\n0110\n", ["0110", "0110"]),
    ("01", ["01"]),
]
BAD = [
    ("", "the text must hold at least one row, got none"),
    ("a,b\n", "the text must hold at least one row, got none"),
    ("0 1\n0 2", 'line 2 must hold only 0 and 1, got "2"'),
    ("0 1\n0 a", 'line 2 must hold only 0 and 1, got "a"'),
    ("٠١", 'line 1 must hold only 0 and 1, got "٠"'),
    ("011\n\n01", "line 3 must have 3 bits, as line 1 has, got 2"),
    ("1", 'line 1 must have 1 to 6 variables and a label, got "1"'),
    ("0" * 99, 'line 1 must have 1 to 6 variables and a label, got "000000000000000000000000..."'),
    ("011\n010", "line 2 must give 01 the label 1 that it has in line 1, got 0"),
    ("01\n" * 257, "there must be at most 256 rows, got 257"),
]


def test_rows_of_a_text_are_read_or_refused() -> None:
    result = evaluate(KERNELS, TEXTS, [text for text, _ in [*GOOD, *BAD]])
    assert result == [expected for _, expected in [*GOOD, *BAD]]
    # What the page makes of a text Python takes.
    assert all(check_rows(rows) == rows for _, rows in GOOD)


def test_every_call_is_the_recorded_one() -> None:
    assert list(wrong_runs()) == []


def test_many_samples_are_those_of_python() -> None:
    assert list(wrong_many()) == []


def test_shapes_and_bounds_are_those_of_python() -> None:
    assert list(wrong_shapes()) == []
