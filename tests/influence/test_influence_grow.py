"""The growth that the page computes, run by Node, held against `dtviz.build_top_down`."""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.explorers.functions import hexadecimal

GREEDY = [STATIC / "computing/greedy.js"]
SPLITS = [STATIC / "computing/splits.js"]
STATE = [STATIC.parents[1] / "influence" / "state.js"]

GROW = """
(cases) => cases.map(({ n, table, first = [], most }) => {
  const f = { n, table };
  const { split, variable, nodes } = grow(f, truthOf(f, Array(n).fill(1 / 2), true), first, most);
  const counts = (share) => nodes.map((node) => share(node) * 2 ** n);
  return {
    split, variable, best: nodes.map(({ best }) => best ?? -1),
    ones: counts(({ weight }) => weight.ones), cost: counts(({ weight }) => weight.cost),
    score: counts(({ weight }) => weight.score),
  };
})
"""

LAWFUL = "(cases) => cases.map(({ n, splits }) => lawful(n, splits).length)"
ASKED = "(cases) => cases.map(({ splits, node, variable }) => askedAt(splits, node, variable))"

SURPLUS = """
(cases) => cases.map(({ n, table, splits }) => {
  const known = new Known({ n, table });
  const path = known.own(splits);
  return [...splits, 0].map((_, step) => known.surplus(path, step));
})
"""


@cache
def functions() -> list[dt.BooleanFunction]:
    """Every function of at most 3 variables, and 2500 of up to 6, with and without symmetries."""
    rng = np.random.default_rng(1)
    every = [
        dt.BooleanFunction(n, [(code >> k) & 1 for k in range(1 << n)])
        for n in range(4)
        for code in range(1 << (1 << n))
    ]
    drawn = []
    for _ in range(2500):
        n = int(rng.integers(4, 7))
        weight = np.bitwise_count(np.arange(1 << n))
        # A third depends on the number of ones alone: there everything ties.
        levels = rng.random(n + 1)[weight] if rng.random() < 0.33 else rng.random(1 << n)
        drawn.append(dt.BooleanFunction(n, levels < rng.random()))
    return every + drawn


@cache
def records() -> list[dict[str, Any]]:
    """What Python grows, in multiples of 2^-n."""
    found = []
    for f in functions():
        path = dt.build_top_down(f)
        right = path.node_probability - path.node_error
        scaled = {
            "ones": np.where(path.node_value == 1, right, path.node_error),
            "cost": path.node_cost,
            "score": path.node_score,
        }
        plain = {
            "split": path.split_node,
            "variable": path.split_variable,
            "best": path.node_variable,
        }
        found.append(
            {key: values.tolist() for key, values in plain.items()}
            | {key: np.ldexp(share, f.n).tolist() for key, share in scaled.items()}
        )
    return found


def wrong_paths() -> list[str]:
    tried = functions()
    cases = [{"n": f.n, "table": f.table.astype(int).tolist()} for f in tried]
    found = evaluate(GREEDY, GROW, cases)
    return [
        f"{f!r}: {path}"
        for f, path, record in zip(tried, found, records(), strict=False)
        if path != record
    ]


def test_the_path_is_that_of_python() -> None:
    assert wrong_paths() == []


def test_splits_of_ones_own_are_measured_as_any_tree_is() -> None:
    rng = np.random.default_rng(2)
    cases, trees = [], []
    for _ in range(300):
        n = int(rng.integers(1, 7))
        f = dt.BooleanFunction(n, rng.random(1 << n) < 0.5)
        first = drawn_splits(rng, n)
        table = f.table.astype(int).tolist()
        cases.append({"n": n, "table": table, "first": first, "most": 1})
        trees.append((f, first))
    for (f, first), path in zip(trees, evaluate(GREEDY, GROW, cases), strict=True):
        assert list(zip(path["split"], path["variable"], strict=True)) == list(map(tuple, first))
        tree = own_tree(first)
        leaves = sorted(set(range(2 * len(first) + 1)) - {node for node, _ in first})
        total = 1 << f.n
        assert sum(path["cost"][k] for k in leaves) == dt.influence.tree_cost(tree, f) * total
        scores = sorted(path["score"][k] for k in leaves)
        assert scores == sorted((dt.influence.leaf_scores(tree, f).score * total).tolist())


def drawn_splits(rng: np.random.Generator, n: int) -> list[list[int]]:
    """Draw splits that can be made one after the other with n variables, at most eight."""
    left: dict[int, list[int]] = {0: list(range(n))}
    splits: list[list[int]] = []
    for j in range(int(rng.integers(0, 9))):
        open_ = [node for node, free in left.items() if free]
        if not open_:
            break
        node = int(rng.choice(open_))
        free = left.pop(node)
        variable = int(rng.choice(free))
        rest = [i for i in free if i != variable]
        splits.append([node, variable])
        left |= {2 * j + 1: rest, 2 * j + 2: rest}
    return splits


@cache
def smallest(table: tuple[int, ...]) -> int:
    """The leaves of the smallest tree for a truth table, bit i of the index x_i, by recursion."""
    if len(set(table)) == 1:
        return 1
    halves = (
        [tuple(value for x, value in enumerate(table) if x >> i & 1 == bit) for bit in (0, 1)]
        for i in range(len(table).bit_length() - 1)
    )
    return min(smallest(low) + smallest(high) for low, high in halves)


def begun(table: dict[int, int], splits: list[list[int]]) -> int:
    """The leaves of the smallest tree that begins with these splits: of its leaves, one by one."""
    parts = {0: table}
    for j, (node, i) in enumerate(splits):
        part = parts.pop(node)
        for bit in (0, 1):
            parts[2 * j + 1 + bit] = {x: v for x, v in part.items() if x >> i & 1 == bit}
    return sum(smallest(tuple(part[x] for x in sorted(part))) for part in parts.values())


def test_the_surplus_is_that_of_every_tree_that_begins_so() -> None:
    rng = np.random.default_rng(4)
    cases, expected = [], []
    for _ in range(200):
        n = int(rng.integers(1, 6))
        table, splits = rng.integers(0, 2, 1 << n).tolist(), drawn_splits(rng, n)
        cases.append({"n": n, "table": table, "splits": splits})
        sizes = [begun(dict(enumerate(table)), splits[:j]) for j in range(len(splits) + 1)]
        expected.append([size - sizes[0] for size in sizes])
    assert evaluate(STATE, SURPLUS, cases) == expected
    assert all(before <= after for row in expected for before, after in pairwise(row))
    assert max(map(max, expected)) > 3


def test_the_surplus_of_many_variables() -> None:
    """Of eight variables, by the program of Python; above twelve nobody knows."""
    f = dt.functions.random(8, 1)
    splits = [[0, 7], [2, 3]]
    table = f.table.astype(int).tolist()
    halves = [f.restrict(7, 0), *(f.restrict(7, 1).restrict(3, bit) for bit in (0, 1))]
    size = dt.optimal(f).n_leaves
    last = sum(dt.optimal(half).n_leaves for half in halves) - size
    large = {"n": 13, "table": [0, 1] * (1 << 12), "splits": []}
    found = evaluate(STATE, SURPLUS, [{"n": 8, "table": table, "splits": splits}, large])
    assert [found[0][0], found[0][-1], found[1]] == [0, last, [None]]


def test_another_question_replaces_what_is_below_and_keeps_the_rest() -> None:
    rng = np.random.default_rng(6)
    cases = []
    for _ in range(200):
        splits = drawn_splits(rng, 6)
        node = int(rng.integers(0, 2 * len(splits) + 1))
        cases.append({"splits": splits, "node": node, "variable": 9})
    for case, splits in zip(cases, evaluate(SPLITS, ASKED, cases), strict=True):
        old, node = case["splits"], case["node"]
        made = next((j for j, (split, _) in enumerate(old) if split == node), None)
        if made is None:
            replaced = own_tree([*old, [node, 9]])
        else:
            changed = [[n, 9 if n == node else i] for n, i in old]
            replaced = own_tree(changed, stop=(2 * made + 1, 2 * made + 2))
        assert own_tree(splits) == replaced
        assert splits[-1][1] == 9


def own_tree(splits: list[list[int]], stop: Container[int] = ()) -> dt.Tree:
    """The tree of these splits, leaves where it stops."""

    def below(node: int) -> dt.Tree:
        for j, (split, variable) in enumerate(splits):
            if split == node and node not in stop:
                return dt.Tree.split(variable, below(2 * j + 1), below(2 * j + 2))
        return dt.Tree.leaf(0)

    return below(0)


def test_a_table_is_unpacked_as_it_was() -> None:
    fs = functions()[::50]
    cases = [{"n": f.n, "digits": hexadecimal(f)} for f in fs]
    script = "(c) => c.map(({ n, digits }) => [...fromHex(n, digits)])"
    found = evaluate([STATIC / "computing/tables.js"], script, cases)
    assert found == [f.table.astype(int).tolist() for f in fs]


def test_splits_are_made_as_far_as_they_can_be() -> None:
    cases = [
        ([], 0),
        ([[0, 1], [2, 0], [1, 0]], 3),
        ([[0, 1], [1, 1]], 1),
        ([[0, 3]], 0),
        ([[0, -1]], 0),
        ([[1, 0]], 0),
        ([[0, 0], [0, 1]], 1),
        ([[0, 0.5]], 0),
    ]
    given = [{"n": 3, "splits": splits} for splits, _ in cases]
    assert evaluate(SPLITS, LAWFUL, given) == [made for _, made in cases]
