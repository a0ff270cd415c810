"""The growth that the page computes, run by Node, held against Python."""

from __future__ import annotations

from collections.abc import Container
from itertools import pairwise
from typing import Any

import numpy as np
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC

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


def functions() -> list[dt.BooleanFunction]:
    """Functions of up to 6 variables; of a third the number of ones decides: there all ties."""
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(2500):
        n = int(rng.integers(0, 7))
        ones = np.bitwise_count(np.arange(1 << n))
        levels = rng.random(n + 1)[ones] if rng.random() < 0.33 else rng.random(1 << n)
        drawn.append(dt.BooleanFunction(n, levels < rng.random()))
    return drawn


def record(f: dt.BooleanFunction) -> dict[str, Any]:
    """What Python grows, in multiples of 2^-n."""
    path = dt.build_top_down(f)
    right = path.node_probability - path.node_error
    ones = np.where(path.node_value == 1, right, path.node_error)
    shares = {"ones": ones, "cost": path.node_cost, "score": path.node_score}
    plain = {"split": path.split_node, "variable": path.split_variable, "best": path.node_variable}
    scaled = {key: np.ldexp(share, f.n) for key, share in shares.items()}
    return {key: values.tolist() for key, values in (plain | scaled).items()}


def test_the_path_is_that_of_python() -> None:
    cases = [{"n": f.n, "table": f.table.tolist()} for f in functions()]
    for f, path in zip(functions(), evaluate(GREEDY, GROW, cases), strict=True):
        assert path == record(f)


def test_splits_of_ones_own_are_measured_as_any_tree_is() -> None:
    rng = np.random.default_rng(2)
    trees = []
    for _ in range(300):
        n = int(rng.integers(1, 7))
        trees.append((dt.BooleanFunction(n, rng.random(1 << n) < 0.5), drawn_splits(rng, n)))
    cases = [{"n": f.n, "table": f.table.tolist(), "first": s, "most": 1} for f, s in trees]
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


def surpluses(f: dt.BooleanFunction, splits: list[list[int]]) -> list[int]:
    """After each split: the leaves of the smallest trees for what is left at each leaf, summed."""
    parts = {0: (f, list(range(f.n)))}
    sizes = [int(dt.optimal(f).n_leaves)]
    for j, (node, variable) in enumerate(splits):
        part, free = parts.pop(node)
        left = [i for i in free if i != variable]
        for bit in (0, 1):
            parts[2 * j + 1 + bit] = part.restrict(free.index(variable), bit), left
        sizes.append(sum(int(dt.optimal(part).n_leaves) for part, _ in parts.values()))
    return [size - sizes[0] for size in sizes]


def test_the_surplus_is_that_of_every_tree_that_begins_so() -> None:
    rng = np.random.default_rng(4)
    drawn = []
    for _ in range(100):
        n = int(rng.integers(1, 6))
        drawn.append((dt.BooleanFunction(n, rng.random(1 << n) < 0.5), drawn_splits(rng, n)))
    drawn.append((dt.functions.random(8, 1), [[0, 7], [2, 3]]))
    cases = [{"n": f.n, "table": f.table.tolist(), "splits": splits} for f, splits in drawn]
    # Above twelve variables nobody knows.
    cases.append({"n": 13, "table": [0, 1] * (1 << 12), "splits": []})
    *found, unknown = evaluate(STATE, SURPLUS, cases)
    assert found == [surpluses(*case) for case in drawn]
    assert all(before <= after for row in found for before, after in pairwise(row))
    assert max(map(max, found)) > 3
    assert unknown == [None]


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


def test_splits_are_made_as_far_as_they_can_be() -> None:
    cases: list[Any] = [([], 0), ([[0, 1], [2, 0], [1, 0]], 3), ([[0, 1], [1, 1]], 1)]
    cases += [([split], 0) for split in ([0, 3], [0, -1], [1, 0], [0, 0.5])]
    cases += [([[0, 0], [0, 1]], 1)]
    given = [{"n": 3, "splits": splits} for splits, _ in cases]
    assert evaluate(SPLITS, LAWFUL, given) == [made for _, made in cases]
