"""The best trees that the page finds, held against `dtviz.optimal` and a search."""

from __future__ import annotations

from functools import cache

import numpy as np
from support.explorers import least_errors
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC

BEST = """
(cases) => cases.map(({ n, table }) => {
  const { size, rank, errors, tree } = bestTrees(n, table);
  const [variable, label] = [[], []];
  const walk = (node) => {
    variable.push(node.variable ?? -1);
    label.push(node.label ?? 0);
    if (node.low) [node.low, node.high].forEach(walk);
  };
  walk(tree());
  return { size, rank, errors: [...errors()], variable, label };
})
"""


@cache
def functions() -> list[dt.BooleanFunction]:
    """Every function of at most 3 variables, and 2000 of up to 6, dense and sparse."""
    rng = np.random.default_rng(18)
    every = [
        dt.BooleanFunction(n, [(code >> k) & 1 for k in range(1 << n)])
        for n in range(4)
        for code in range(1 << (1 << n))
    ]
    drawn = [
        dt.BooleanFunction(n, rng.random(1 << n) < rng.choice([0.1, 0.3, 0.5]))
        for n in rng.choice([4, 4, 4, 5, 5, 6], 2000).tolist()
    ]
    return every + drawn


@cache
def smallest() -> list[tuple[dt.Tree, int]]:
    return [(best.tree(), best.rank) for best in map(dt.optimal, functions())]


def wrong_trees() -> list[str]:
    """Tell where the smallest tree of the page is not that of Python."""
    tried = functions()
    cases = [{"n": f.n, "table": f.table.astype(int).tolist()} for f in tried]
    found = evaluate([STATIC / "computing/best.js"], BEST, cases)
    wrong = []
    for f, result, (tree, rank) in zip(tried, found, smallest(), strict=False):
        leaf = tree.variable < 0
        right = (
            result["size"] == tree.n_leaves == len(result["errors"])
            and result["variable"] == tree.variable.tolist()
            and np.array_equal(np.array(result["label"])[leaf], tree.value[leaf])
            and result["rank"] == rank
            and result["errors"][-1] == 0
        )
        if not right:
            wrong.append(f"{f!r}: {result}")
    return wrong


def test_the_smallest_tree_is_that_of_python() -> None:
    assert wrong_trees() == []


def test_the_least_errors_are_those_of_a_search() -> None:
    rng = np.random.default_rng(3)
    cases, expected = [], []
    for _ in range(60):
        n = int(rng.integers(1, 5))
        f = dt.BooleanFunction(n, rng.random(1 << n) < 0.5)
        cases.append({"n": n, "table": f.table.astype(int).tolist()})
        expected.append(least_errors(f, dt.ProductDistribution.uniform(n)))
    found = evaluate([STATIC / "computing/best.js"], BEST, cases)
    for result, truth in zip(found, expected, strict=True):
        np.testing.assert_allclose(result["errors"], truth, atol=1e-12)
