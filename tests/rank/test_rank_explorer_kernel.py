"""FIND as the page runs it, held against Python's: every call, every tree, many samples, rows."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from support.explorers import numbers, tree_numbers
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.rank.counting import sample_size
from dtviz.rank.draws import check_rows, draw_points
from dtviz.rank.explorer import DRAWS, GRID, sampled_errors

FOLDER = STATIC.parents[1] / "rank"
KERNELS = [*sorted(FOLDER.glob("kernel*.js")), FOLDER / "why.js", STATIC / "computing/path.js"]
LISTS = ("depth", "rank", "size", "ones", "variable", "branch", "again", "found", "step", "split")

RUNS = """
(cases) => cases.map(({ n, table, points, flipped, bound }) => {
  const preorder = (node) => [node, ...node.halves.flatMap(preorder)];
  const labelOf = (x) => Number(table[x]) ^ (flipped.includes(x) ? 1 : 0);
  const { facts, plan, labels, points: distinct, times } = examplesOf(n, points, labelOf);
  const run = findRun(plan, facts, bound);
  const truth = factsOf(plan, table);
  const tried = run.calls.slice(0, 20).map(({ at, rank }) => whyAt({ plan, facts }, at, rank, []));
  return {
    lists: LISTS.map((name) => run.calls.map((call) => Number(call[name]))),
    parent: run.calls.map(({ above }) => above), end: run.calls.map(({ end }) => end),
    least: facts.rank[plan.whole], distinct, times,
    conflict: run.tree ? [] : conflictOf({ points: distinct, labels, plan }, bound),
    nodes: run.tree && preorder(run.tree).map(({ variable, label, rank, leaves, at }) =>
      [variable < 0 ? -1 - label : variable, rank, leaves, facts.size[at]]),
    error: run.tree && errorOf(plan, truth, run.tree),
    tried: tried.map(({ rows }) => rows.map(({ cells, chosen }) => [...cells, chosen])),
  };
})
""".replace("LISTS", str(list(LISTS)))

Case = tuple[dt.BooleanFunction, np.ndarray, list[int], int]


@cache
def cases() -> list[Case]:
    """Samples, some of noise: a target, points, flips, a bound."""
    rng = np.random.default_rng(18)
    made = []
    for k in range(2000):
        n = int(rng.integers(1, 7))
        f = dt.BooleanFunction(n, rng.random(1 << n) < rng.random())
        codes = rng.integers(0, 1 << n, int(rng.integers(1, 257 if k % 9 == 0 else 40)))
        flipped = np.flatnonzero(rng.random(1 << n) < 0.1 * (k % 3)).tolist()
        bound = int(rng.integers(0, n + 1)) if codes.size < 60 or n < 6 else int(rng.integers(0, 4))
        made.append((f, codes, flipped, bound))
    return made


def examples(case: Case, codes: Any) -> tuple[np.ndarray, np.ndarray]:
    f, _, flipped, _ = case
    X = np.array(codes, int)[:, None] >> np.arange(f.n) & 1
    return X, f.table[codes].astype(int) ^ np.isin(codes, flipped)


def truth(case: Case) -> dict[str, Any]:
    """What Python records of a run."""
    f, codes, _, bound = case
    X, y = examples(case, codes)
    run = dt.rank.find_run(X, y, rank=bound)
    tree = run.tree()
    distinct = list(dict.fromkeys(codes.tolist()))
    lists = [getattr(run, "n_examples" if name == "size" else name) for name in LISTS]
    return {
        "lists": [np.asarray(one).astype(int).tolist() for one in lists],
        "parent": run.parent.tolist(),
        "end": run.end.tolist(),
        "least": dt.rank.sample_rank(X, y),
        "distinct": distinct,
        "times": [int((codes == x).sum()) for x in distinct],
        "nodes": tree and nodes_of(tree, np.unique(X, axis=0)),
        "error": tree and (f ^ tree.function(f.n)).table.mean(),
    }


def nodes_of(tree: dt.Tree, X: np.ndarray, k: int = 0) -> list[list[int]]:
    """Each node's variable or label, its rank, leaves and rows."""
    i = int(tree.variable[k])
    if i < 0:
        return [[-1 - int(np.asarray(tree.value)[k]), 0, 1, len(X)]]
    ends = enumerate((tree.low, tree.high))
    halves = [nodes_of(tree, X[X[:, i] == bit], int(half[k])) for bit, half in ends]
    leaves = sum(half[0][2] for half in halves)
    return [[i, int(np.asarray(tree.node_rank)[k]), leaves, len(X)], *halves[0], *halves[1]]


def is_least(case: Case, rows: list[int]) -> bool:
    """Whether no tree of the bound agrees with rows, and one does without any one of them."""

    def fits(codes: list[int]) -> bool:
        return bool(dt.rank.sample_rank(*examples(case, codes)) <= case[3])

    return not fits(rows) and all(fits([x for x in rows if x != y]) for y in rows)


def test_every_call_is_the_recorded_one() -> None:
    given = [
        {"n": f.n, "table": f.table.tolist(), "points": x.tolist(), "flipped": flip, "bound": bound}
        for f, x, flip, bound in cases()
    ]
    for k, found in enumerate(evaluate(KERNELS, RUNS, given)):
        conflict, tried = found.pop("conflict"), found.pop("tried")
        assert found == truth(cases()[k])
        assert bool(conflict) == (found["nodes"] is None)
        assert k % 20 or not conflict or is_least(cases()[k], conflict)
        assert k % 20 or tried == list(map(outcomes, *calls_of(cases()[k])))


def calls_of(case: Case) -> tuple[list[Any], ...]:
    """The first calls: the rows of each with the variables asked on the way, and its bound."""
    f, codes, _, bound = case
    X, y = examples(case, np.unique(codes))
    run = dt.rank.find_run(X, y, rank=bound)
    ways = [dict(run.path(k)) for k in range(min(run.n_calls, 20))]
    here = [np.all([X[:, i] == bit for i, bit in way.items()], axis=0) for way in ways]
    here = [rows if way else np.ones(len(X), bool) for way, rows in zip(ways, here, strict=True)]
    parts = [
        (X[rows], y[rows], [i for i in range(f.n) if i not in way])
        for way, rows in zip(ways, here, strict=True)
    ]
    return parts, run.rank[: len(ways)].tolist()


def outcomes(part: tuple[np.ndarray, np.ndarray, list[int]], bound: int) -> list[list[Any]]:
    """What must be said of each variable tried at a call, and which is kept."""
    X, y, free = part
    if bound == 0 or len({*y}) == 1:
        return []
    said: list[list[Any]] = []
    kept = False
    for i in free:
        halves = [X[:, i] == bit for bit in (0, 1)]
        if not halves[0].any() or not halves[1].any():
            said.append([f"x{i}", f"is {int(halves[1].any())} in all rows", False])
            continue
        ranks = [int(dt.rank.sample_rank(X[half], y[half])) for half in halves]
        fits = [rank < bound for rank in ranks]
        result = "both fit" if all(fits) else "neither fits"
        if any(fits) and not all(fits):
            other = fits.index(False)
            again = "tree" if ranks[other] <= bound else "none"
            result = f"{1 - other} fits, {other} again, {again}"
        text = "not tried" if kept else f"ranks {ranks[0]}, {ranks[1]}: {result}"
        said.append([f"x{i}", text, any(fits) and not kept])
        kept = kept or any(fits)
    return said


SHAPES = """
({ trees, asked, grid, cubes }) => ({
  trees: trees.map(({ n, table }) => {
    const plan = cubePlan(n);
    const path = foundPath(findTree(plan, factsOf(plan, table), n));
    const nodes = Array.from({ length: 2 * path.steps + 1 }, (_, k) => k);
    const rankOf = ({ rank }) => rank;
    return [path.words, Object.fromEntries(nodes.map((k) => [
      path.where(k), [path.name(k), ...[path.nodes[k], ...path.nodes[k].halves].map(rankOf)],
    ]))];
  }),
  asked: asked.map(([log, epsilon, delta]) => examplesAsked(log, epsilon, delta)),
  columns: grid.map((m) => columnOf(grid, m)),
  windows: asked.map((_, k) => windowAround(100, k % 100, 30)),
  logs: [1, 2, 3, 4, 5, 6].map((n) => Array.from({ length: n + 1 }, (_, r) => logCounts(n, r))),
  whole: cubes.map(([n, delta]) => drawsOfAll(n, delta)),
})
"""


def places(tree: dt.Tree, k: int = 0, where: str = "") -> dict[str, list[Any]]:
    """What each node says, its rank and those below it, by the answers that lead there."""
    i, ranks = int(tree.variable[k]), np.asarray(tree.node_rank)
    here = where.removesuffix(", ") or "no variable fixed"
    if i < 0:
        return {here: [str(np.asarray(tree.value)[k]), 0]}
    halves = [int(tree.low[k]), int(tree.high[k])]
    below = [places(tree, half, f"{where}x{i}={bit}, ") for bit, half in enumerate(halves)]
    return {here: [f"x{i}", *ranks[[k, *halves]].tolist()], **below[0], **below[1]}


def test_shapes_and_bounds_are_those_of_python() -> None:
    rng = np.random.default_rng(20)
    functions = [f for f, *_ in cases()[:200]]
    asked = (rng.random((500, 3)) * (50, 0.9, 0.9) + 0.01).tolist()
    cubes = [(n, k / 100) for n in range(1, 7) for k in (1, 3, 10, 50)]
    trees = [{"n": f.n, "table": f.table.tolist()} for f in functions]
    given = {"trees": trees, "asked": asked, "grid": GRID[:8], "cubes": cubes}
    result = evaluate(KERNELS, SHAPES, given)
    for f, (words, found) in zip(functions, result["trees"], strict=True):
        tree = dt.rank.find(dt.cube_points(f.n), f.table, rank=f.n)
        assert (numbers(words), found) == (tree_numbers(tree), places(tree))
    assert result["asked"] == [sample_size(e, delta, log) for log, e, delta in asked]
    np.testing.assert_allclose(result["columns"], range(8), atol=1e-12)
    for k, window in enumerate(result["windows"]):
        assert window["from"] <= k % 100 < window["to"] == window["from"] + 30
    for n, (none, *found) in enumerate(result["logs"], 1):
        bounds, log = range(1, n + 1), math.log(8 * n)
        assert none is None
        paper = [(math.e * n / r) ** r * log for r in bounds]
        np.testing.assert_allclose([one["paper"] for one in found], paper)
        leaves = [dt.rank.most_leaves(n, r) * log for r in bounds]
        np.testing.assert_allclose([one["leaves"] for one in found], leaves)
    for (n, delta), m in zip(cubes, result["whole"], strict=True):
        enough = [2**n * math.exp(-draws / 2**n) <= delta for draws in (m - 1, m)]
        assert enough == [False, True]


MANY = """
({ draws, grid, cases }) => cases.map(({ n, table, seed, k }) => {
  const truth = { n, table, facts: factsOf(cubePlan(n), table) };
  const many = manySamples(truth, { seed, times: draws, grid });
  const [before, found] = [many.ready(k), many.column(k)];
  const columns = found.map((column) => (
    { ...summaryOf(column, 0.25), errors: [...column.errors], failed: column.none }));
  return { first: [...drawPoints(n, seed, 0, 256)], ready: [before, many.ready(k)], columns };
})
"""


def test_many_samples_are_those_of_python() -> None:
    rng = np.random.default_rng(19)
    made = []
    for k in range(12):
        f = dt.BooleanFunction(1 + k % 6, rng.random(2 << k % 6) < rng.random())
        made.append((f, int(rng.integers(1000)), int(rng.integers(16))))
    given = [{"n": f.n, "table": f.table.tolist(), "seed": seed, "k": k} for f, seed, k in made]
    result = evaluate(KERNELS, MANY, {"draws": DRAWS, "grid": GRID, "cases": given})
    for (f, seed, k), found in zip(made, result, strict=True):
        assert found["first"] == (draw_points(f.n, seed, 0, 256) @ (1 << np.arange(f.n))).tolist()
        assert found["ready"] == [False, True]
        for r, column in enumerate(found["columns"]):
            errors = sorted(sampled_errors(f, seed, r)[k])
            assert column["errors"] == errors
            assert column["none"] == column["failed"] == column["all"] - len(errors)
            assert column["all"] == DRAWS
            assert column["above"] == sum(error > 0.25 for error in errors)
            often = [[error, errors.count(error)] for error in dict.fromkeys(errors)]
            assert column["often"] == often
            median = np.median(errors) if errors else None
            assert column["median"] == (median if median is None else pytest.approx(median))


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
