"""The best trees that the page finds, held against `dtviz.optimal` and a search."""

from __future__ import annotations

import numpy as np
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC

BEST = """
(cases) => cases.map(({ n, table }) => {
  const { size, rank, tree } = bestTrees(n, table);
  const walk = ({ variable = -1, label = 0, low, high }) =>
    [[variable, label], ...(low ? [...walk(low), ...walk(high)] : [])];
  return [size, rank, walk(tree())];
})
"""


def test_the_smallest_tree_is_that_of_python() -> None:
    """Every function of at most 3 variables, and 2000 of up to 6, dense and sparse."""
    rng = np.random.default_rng(18)
    tried = [dt.BooleanFunction.from_int(n, code) for n in range(4) for code in range(2**2**n)]
    tried += [
        dt.BooleanFunction(n, rng.random(1 << n) < rng.choice([0.1, 0.3, 0.5]))
        for n in rng.choice([4, 4, 4, 5, 5, 6], 2000).tolist()
    ]
    cases = [{"n": f.n, "table": f.table.astype(int).tolist()} for f in tried]
    for f, found in zip(tried, evaluate([STATIC / "computing/best.js"], BEST, cases), strict=True):
        best = dt.optimal(f)
        tree = best.tree()
        labels = np.where(tree.variable < 0, np.asarray(tree.value), 0).tolist()
        nodes = [list(node) for node in zip(tree.variable.tolist(), labels, strict=True)]
        assert found == [tree.n_leaves, best.rank, nodes], f
