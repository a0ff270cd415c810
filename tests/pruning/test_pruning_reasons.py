"""What the page says as reasons of a pruning, on many small samples, held against Python."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.node import evaluate

import dtviz as dt
from dtviz.core.tree.prunings import weakest_links

KERNEL = sorted((Path(dt.__file__).parent / "pruning").glob("kernel*.js"))

# A tree as `prunable` makes it, of what the methods look at.
TREE = """
const treeOf = ({ variable, wrong, reach, tests, size }) => {
  const links = treeLinks(variable);
  const errors = { wrong, size, reach };
  const tables = fewestTables(links, wrong);
  const front = frontOf(tables[0]);
  const weakest = weakestLinks(links, wrong);
  return {
    variable, where: variable.map(String), classes: ["0", "1"],
    ...links, counted: { training: errors, pruning: errors }, tables, front,
    weakest, prices: weakest.price.map((price) => price / size),
    srm: leastRisk(front, size), label: variable.map(() => 0),
    paths: logPaths(tests, Math.max(...links.depth)), trees: logTrees(tests, links.leaves[0]),
  };
};
"""


@dataclass(frozen=True)
class Case:
    """A random tree, and a sample that its leaves are labeled by."""

    tree: dt.Tree
    X: Any
    y: Any
    counts: dt.pruning.NodeCounts

    @property
    def given(self) -> dict[str, Any]:
        return {
            "variable": self.tree.variable.tolist(),
            "wrong": self.counts.errors.tolist(),
            "reach": self.counts.reach.tolist(),
            "tests": self.X.shape[1],
            "size": self.counts.m,
        }

    @property
    def prices(self) -> list[float]:
        """The errors that each leaf of a subtree saves, from which on it is cut."""
        found: list[float] = weakest_links(self.tree, self.counts.errors.astype(float)).tolist()
        return found


def drawn_tree(rng: np.random.Generator, variables: list[int], leaves: int) -> dt.Tree:
    """A bare tree of bits with at most so many leaves, no variable twice on a way."""
    if leaves == 1 or not variables:
        return dt.Tree.leaf()
    i = int(rng.choice(variables))
    rest = [j for j in variables if j != i]
    low = int(rng.integers(1, leaves))
    return dt.Tree.split(i, drawn_tree(rng, rest, low), drawn_tree(rng, rest, leaves - low))


def drawn(seed: int, number: int, most: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        tree = drawn_tree(rng, list(range(8)), int(rng.integers(2, most + 1)))
        X = rng.integers(0, 2, (int(rng.integers(4, 60)), 8))
        y = (rng.random(len(X)) < rng.random()).astype(int)
        found.append(Case(tree, X, y, dt.pruning.node_counts(tree, X, y, classes=[0, 1])))
    return found


def link_of(case: Case, k: int, prices: list[float]) -> list[int]:
    """Leaves and errors of the subtree at a node whose links of a lower price have been cut."""
    tree, leaves, errors = case.tree, 0, 0
    waiting = [int(tree.low[k]), int(tree.high[k])]
    while waiting:
        at = waiting.pop()
        if tree.variable[at] < 0 or prices[at] < prices[k]:
            leaves, errors = leaves + 1, errors + int(case.counts.errors[at])
        else:
            waiting += [int(tree.low[at]), int(tree.high[at])]
    return [leaves, errors]


REASONS = f"""(cases) => {{
  {TREE}
  return cases.map(({{ given, asked }}) => {{
    const tree = treeOf(given);
    return asked.map(({{ method, dials }}) => {{
      const record = PRUNERS[method].run(tree, dials);
      const states = remains(tree, record.cut);
      const leaves = states.filter((state) => state === "leaf" || state === "stump").length;
      const decided = {{ method, dials, record, states, leaves }};
      return states.map((state, k) => [state, reasonAt(tree, decided, k).reason]);
    }});
  }});
}}"""
DIALS = ({"c": 0.1, "delta": 0.1, "alpha": 0.02}, {"c": 0.35, "delta": 0.4, "alpha": 0.0625})
WHOLES = ("fewest leaves", "structural risk")


def asked_of(case: Case) -> list[dict[str, Any]]:
    errors = int(case.counts.errors[0])
    dials = [own | {"d": d} for own, d in zip(DIALS, (errors // 3, errors // 2), strict=True)]
    methods = ("reduced error", "bottom up", "cost complexity", *WHOLES)
    return [{"method": method, "dials": own} for method in methods for own in dials]


Pruned = tuple[int, int, frozenset[int]]


def prunings(case: Case, k: int = 0) -> list[Pruned]:
    """Every pruning of the subtree at a node: leaves, errors, and the tests that it keeps."""
    tree = case.tree
    found: list[Pruned] = [(1, int(case.counts.errors[k]), frozenset())]
    if tree.variable[k] >= 0:
        highs = prunings(case, int(tree.high[k]))
        for leaves, errors, kept in prunings(case, int(tree.low[k])):
            found += [(leaves + a, errors + b, kept | more | {k}) for a, b, more in highs]
    return found


def best_otherwise(
    case: Case, everything: list[Pruned], k: int, *, cut: bool, d: int | None
) -> list[float]:
    """Leaves and errors of the best pruning that decides otherwise at a node that is there."""
    tree, above = case.tree, set()
    for at in range(k - 1, -1, -1):  # A parent comes before its children.
        if tree.variable[at] >= 0 and {int(tree.low[at]), int(tree.high[at])} & {k, *above}:
            above.add(at)
    others = [
        (leaves, errors)
        for leaves, errors, kept in everything
        if above <= kept and (k in kept) == cut
    ]
    m = case.counts.m
    if d is None:
        return [*min(others, key=lambda one: (one[1] / m + np.sqrt(one[0] / m), one[0]))]
    within = [one for one in others if one[1] <= d]
    return [*(min(within) if within else min(others, key=lambda one: (one[1], one[0])))]


def expected_reason(
    case: Case, everything: list[Pruned], asked: dict[str, Any], k: int, *, cut: bool
) -> list[float]:
    """The numbers of a reason, by Python."""
    method, dials, counts, m = asked["method"], asked["dials"], case.counts, case.counts.m
    alone, sample = int(counts.errors[k]), (case.X, case.y)
    if method == "cost complexity":
        prices = case.prices
        leaves, errors = link_of(case, k, prices)
        return [alone, m, errors, m, leaves, 1, prices[k] / m, dials["alpha"]]
    if method in WHOLES:
        fewest = min(errors for _, errors, _ in everything)
        d = max(dials["d"], fewest) if method == "fewest leaves" else None
        return best_otherwise(case, everything, k, cut=cut, d=d)
    if method == "reduced error":
        found = dt.pruning.reduced_error_prune(case.tree, *sample, grown_on=sample, classes=[0, 1])
    else:
        given = (case.tree, *sample, dials["delta"], dials["c"])
        found = dt.pruning.bottom_up_prune(*given, n_tests=8, classes=[0, 1])
    return [alone, int(found.subtree_errors[k]), int(found.subtree_leaves[k])]


def says(hint: str, method: str, expected: list[float]) -> bool:
    """Whether a reason tells these numbers, to the digits that it has, and draws its conclusion."""
    text = re.sub(r"^Gone with the cut at .*?\. Here: ", "", hint).replace("g(t)", "g")
    found = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]
    if method == "reduced error":
        return found == expected and ("≤" in text) == (expected[0] <= expected[1])
    if method == "bottom up":
        alone, below, penalty, leaves = found
        return [alone, below, leaves] == expected and ("≤" in text) == (alone <= below + penalty)
    if method == "cost complexity":
        *whole, price, alpha = expected
        same = found[:-2] == whole and found[-1] == alpha
        close = found[-2] == pytest.approx(price, rel=5e-3)
        return same and close and ("≤" in text) == (price <= alpha)
    leaves, errors = expected
    if method == "structural risk":
        return found[:2] == [leaves, errors] or f"{leaves} leaf, {errors} error" in text
    return found[-1] == errors if "no pruning makes" in text else found[1] == leaves


def test_reasons_are_those_of_python() -> None:
    cases = drawn(2, 120, 9)
    given = [{"given": case.given, "asked": asked_of(case)} for case in cases]
    for case, found in zip(cases, evaluate(KERNEL, REASONS, given), strict=True):
        everything = prunings(case)
        for asked, nodes in zip(asked_of(case), found, strict=True):
            for k in np.flatnonzero(case.tree.variable >= 0).tolist():
                state, hint = nodes[k]
                if state == "gone" and asked["method"] in WHOLES:
                    continue
                expected = expected_reason(case, everything, asked, k, cut=state == "stump")
                assert says(hint, asked["method"], expected), (asked, k, hint, expected)


HERE = f"""(given) => {{
  {TREE}
  const tree = treeOf(given);
  tree.counted.pruning = {{ ...tree.counted.pruning, wrong: given.wrong.map((_, k) => 90 + k) }};
  const decided = {{ method: "cost complexity", dials: {{ alpha: 0 }}, leaves: 1 }};
  decided.record = PRUNERS[decided.method].run(tree, decided.dials);
  decided.states = remains(tree, decided.record.cut);
  return decided.states.map((state, k) => {{
    const line = reasonAt(tree, decided, k).lines.find(([fact]) => fact === "pruning rows, here");
    return [state, line && line[1]];
  }});
}}"""


def test_a_leaf_counts_the_rows_for_pruning_that_are_wrong_there() -> None:
    case = drawn(3, 1, 9)[0]
    for k, (state, line) in enumerate(evaluate(KERNEL, HERE, case.given)):
        wanted = f"{case.counts.reach[k]} of {case.counts.m}, {90 + k} wrong"
        assert line == (wanted if state in {"leaf", "stump"} else None)
