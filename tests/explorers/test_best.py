"""The best trees that the page finds, held against `dtviz.optimal` and a search."""

from __future__ import annotations

from functools import cache

import numpy as np
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC

BEST = """
(cases) => cases.map(({ n, table }) => {
  const { size, rank, tree } = bestTrees(n, table);
  const [variable, label] = [[], []];
  const walk = (node) => {
    variable.push(node.variable ?? -1);
    label.push(node.label ?? 0);
    if (node.low) [node.low, node.high].forEach(walk);
  };
  walk(tree());
  return { size, rank, variable, label };
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
            result["size"] == tree.n_leaves
            and result["variable"] == tree.variable.tolist()
            and np.array_equal(np.array(result["label"])[leaf], tree.value[leaf])
            and result["rank"] == rank
        )
        if not right:
            wrong.append(f"{f!r}: {result}")
    return wrong


def test_the_smallest_tree_is_that_of_python() -> None:
    assert wrong_trees() == []
