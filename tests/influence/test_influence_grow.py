"""The growth that the page computes, run by Node, held against `dtviz.build_top_down`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.explorers.functions import hexadecimal

GREEDY = [STATIC / "computing/greedy.js"]
KERNEL = [STATIC.parents[1] / "influence" / "kernel.js"]

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
        left: dict[int, list[int]] = {0: list(range(n))}
        first: list[list[int]] = []
        for j in range(int(rng.integers(0, 9))):
            open_ = [node for node, free in left.items() if free]
            if not open_:
                break
            node = int(rng.choice(open_))
            free = left.pop(node)
            variable = int(rng.choice(free))
            rest = [i for i in free if i != variable]
            first.append([node, variable])
            left |= {2 * j + 1: rest, 2 * j + 2: rest}
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


def own_tree(splits: list[list[int]]) -> dt.Tree:
    def below(node: int) -> dt.Tree:
        for j, (split, variable) in enumerate(splits):
            if split == node:
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
    assert evaluate(KERNEL, LAWFUL, given) == [made for _, made in cases]
