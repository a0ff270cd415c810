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
from dtviz.core.rendering import to_columns
from dtviz.explorers.base import STATIC
from dtviz.rank.draws import checked_rows, drawn_points
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
    run = dt.find_run(X, y, rank=bound)
    tree = run.tree()
    columns = None if tree is None else to_columns(tree)
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
        "least": dt.sample_rank(X, y),
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


# --- draws, and many samples ----------------------------------------------------------------------

MANY = """
({ draws, grid, cases }) => cases.map(({ n, table, p, seed, k }) => {
  const many = manySamples({ n, table: [...table].map(Number) }, p, { seed, times: draws, grid });
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
        first = drawn_points(p, seed, 0, 256) @ (1 << np.arange(f.n))
        if found["first"] != first.tolist() or (found["before"], found["after"]) != (False, True):
            yield f"case {k}: draws"
        for errors, column, told in zip(
            many_truth(k), found["found"], found["summaries"], strict=True
        ):
            right = (
                column["none"] == told["none"] == DRAWS - len(errors)
                and len(errors) == len(column["errors"])
                and np.allclose(sorted(errors), column["errors"], atol=1e-12)
                and told["above"] == sum(error > 0.25 + 1e-12 for error in errors)
                and sum(times for _, times in told["often"]) == len(errors)
                and len(told["often"]) == len(np.unique(np.round(errors, 10)))
                and (
                    told["median"] is None
                    if not errors
                    else math.isclose(told["median"], np.median(errors), abs_tol=1e-12)
                )
            )
            if not right:
                yield f"case {k}: {column}, {told}, not {errors}"


def test_the_draws_have_their_biases() -> None:
    bits = np.concatenate([drawn_points([0.1, 0.5, 0.9], 7, j, 256) for j in range(200)])
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
    told = evaluate(KERNELS, TEXTS, [(text, before) for text, before, _ in [*GOOD, *BAD]])
    assert told == [expected for _, _, expected in [*GOOD, *BAD]]
    # What the page makes of a text Python takes.
    assert all(checked_rows(rows) == rows for _, _, rows in GOOD)


# --- all agree, and each check can fail -----------------------------------------------------------


def test_every_call_is_the_recorded_one() -> None:
    assert list(wrong_runs(None)) == []


def test_many_samples_are_those_of_python() -> None:
    assert list(wrong_many(None)) == []


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
