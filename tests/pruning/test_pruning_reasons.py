"""What the page computes of prunings and tells as reasons, on thousands of small samples."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.node import evaluate

import dtviz as dt
from dtviz.core.tree.prunings import weakest_links
from dtviz.pruning import penalty
from dtviz.pruning.explorer import shuffled

# What Python says is found once, by one process.
pytestmark = pytest.mark.xdist_group("reasons of pruning")

KERNEL = sorted((Path(dt.__file__).parent / "pruning").glob("kernel*.js"))
LINKED = 300
"""Cases of which each link is looked at, by definition."""

# A tree as `prunable` makes it, of what the methods look at.
TREE = """
const treeOf = ({ variable, wrong, reach, tests, size }) => {
  const links = treeLinks(variable);
  const errors = { wrong, size, reach };
  const tables = fewestTables(links, wrong);
  const front = frontOf(tables[0]);
  const weakest = weakestLinks(links, wrong);
  const features = [..."abcdefgh"];
  return {
    variable, features, where: variable.map(String), classes: ["0", "1"],
    threshold: variable.map(() => 0.5), bits: features.map(() => true),
    ...links, counted: { training: errors, pruning: errors }, tables, front,
    weakest, prices: weakest.price.map((price) => price / size),
    srm: leastRisk(front, size), label: variable.map(() => 0),
    paths: logPaths(tests, Math.max(...links.depth)), trees: logTrees(tests, links.leaves[0]),
  };
};
"""


def with_trees(body: str) -> str:
    """The function that a body returns, which may make trees of cases."""
    return f"(() => {{{TREE}{body}}})()"


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


@cache
def cases() -> list[Case]:
    return drawn(1, 2000, 24)


WHOLE = """
return (cases) => cases.map((given) => {
  const tree = treeOf(given);
  const { front, srm, paths, trees } = tree;
  const cuts = front.sizes.map((size) => smallestCuts(tree, given.wrong, tree.tables, size));
  const { price, size, below } = tree.weakest;
  const found = { front, srm, paths, trees, cuts: cuts.map((one) => one.sort((a, b) => a - b)) };
  return { ...found, price: [...price], size: [...size], below: [...below] };
});
"""


@cache
def truths() -> list[dict[str, Any]]:
    """The front, its cuts, the least risk, the prices and the numbers of paths and trees."""
    found = []
    for case in cases():
        tree, counts = case.tree, case.counts
        smallest = dt.pruning.smallest_prunings(tree, case.X, case.y, classes=[0, 1])
        cuts = [smallest.cuts(int(size)) for size in smallest.front_n_leaves]
        prices = weakest_links(tree, counts.errors.astype(float))
        found.append(
            {
                "front": {
                    "sizes": smallest.front_n_leaves.tolist(),
                    "errors": smallest.front_errors.tolist(),
                },
                "cuts": [np.flatnonzero(cut).tolist() for cut in cuts],
                "srm": int(dt.pruning.srm_prune(tree, case.X, case.y, classes=[0, 1]).choice),
                "price": prices.tolist(),
                "paths": penalty.log_paths(8, np.arange(tree.depth + 1)),
                "trees": penalty.log_trees(8, np.arange(1, tree.n_leaves + 1)),
            }
        )
    return found


def link_of(case: Case, k: int, prices: list[float]) -> tuple[int, int]:
    """Leaves and errors of the subtree at a node whose links of a lower price have been cut."""
    tree, falls = case.tree, prices[k]
    cut = np.array([price < falls for price in prices])
    leaves, errors, waiting = 0, 0, [int(tree.low[k]), int(tree.high[k])]
    while waiting:
        at = waiting.pop()
        if tree.variable[at] < 0 or cut[at]:
            leaves, errors = leaves + 1, errors + int(case.counts.errors[at])
        else:
            waiting += [int(tree.low[at]), int(tree.high[at])]
    return leaves, errors


def wrong_wholes() -> list[str]:
    """Return in what the page's fronts, cuts, choices and prices are not Python's."""
    given = [case.given for case in cases()]
    result = evaluate(KERNEL, with_trees(WHOLE), given)
    wrong = []
    for at, (case, truth, found) in enumerate(zip(cases(), truths(), result, strict=False)):
        same = [name for name in ("front", "cuts", "srm", "price") if found[name] != truth[name]]
        if not np.allclose(found["paths"], truth["paths"], rtol=1e-13, atol=1e-13):
            same.append("paths")
        if not np.allclose(found["trees"][1:], truth["trees"], rtol=1e-13, atol=1e-13):
            same.append("trees")
        inner = np.flatnonzero(case.tree.variable >= 0).tolist() if at < LINKED else []
        same += [
            f"link {k}"
            for k in inner
            if (found["size"][k], found["below"][k]) != link_of(case, k, truth["price"])
        ]
        wrong += [f"tree {at}: {name}" for name in same]
    return wrong


def test_whole_prunings_are_those_of_python() -> None:
    assert wrong_wholes() == []


REASONS = """
return (cases) => cases.map(({ given, asked }) => {
  const tree = treeOf(given);
  return asked.map(({ method, dials }) => {
    const record = PRUNERS[method].run(tree, dials);
    const states = remains(tree, record.cut);
    const leaves = states.filter((state) => state === "leaf" || state === "stump").length;
    const decided = { method, dials, record, states, leaves };
    const inner = [...tree.variable.keys()].filter((k) => tree.variable[k] >= 0);
    return inner.map((k) => ({ k, state: states[k], hint: reasonAt(tree, decided, k).reason }));
  });
});
"""
DIALS = ({"c": 0.1, "delta": 0.1, "alpha": 0.02}, {"c": 0.35, "delta": 0.4, "alpha": 0.0625})


@cache
def small_cases() -> list[Case]:
    return drawn(2, 120, 9)


def asked_of(case: Case) -> list[dict[str, Any]]:
    errors = int(case.counts.errors[0])
    dials = [own | {"d": d} for own, d in zip(DIALS, (errors // 3, errors // 2), strict=True)]
    methods = ("reduced error", "bottom up", "cost complexity", "fewest leaves", "structural risk")
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


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def best_otherwise(
    case: Case, everything: list[Pruned], k: int, *, cut: bool, d: int | None
) -> tuple[int, int]:
    """Leaves and errors of the best pruning that decides otherwise at a node that is there."""
    parents = {
        int(child): at
        for at in np.flatnonzero(case.tree.variable >= 0).tolist()
        for child in (case.tree.low[at], case.tree.high[at])
    }
    above, at = set(), k
    while at in parents:
        at = parents[at]
        above.add(at)
    others = [
        (leaves, errors)
        for leaves, errors, kept in everything
        if above <= kept and (k in kept) == cut
    ]
    m = case.counts.m
    if d is None:
        return min(others, key=lambda one: (one[1] / m + np.sqrt(one[0] / m), one[0]))
    within = [one for one in others if one[1] <= d]
    return min(within) if within else min(others, key=lambda one: (one[1], one[0]))


def expected_reason(
    case: Case, everything: list[Pruned], asked: dict[str, Any], k: int, *, cut: bool
) -> list[float]:
    """The numbers of a reason, by Python."""
    dials, counts, m = asked["dials"], case.counts, case.counts.m
    alone = int(counts.errors[k])
    if asked["method"] in {"reduced error", "bottom up"}:
        options = {"classes": [0, 1]}
        if asked["method"] == "reduced error":
            sample = case.X, case.y
            found = dt.pruning.reduced_error_prune(case.tree, *sample, grown_on=sample, **options)
        else:
            found = dt.pruning.bottom_up_prune(
                case.tree, case.X, case.y, dials["delta"], dials["c"], n_tests=8, **options
            )
        return [alone, int(found.subtree_errors[k]), int(found.subtree_leaves[k])]
    if asked["method"] == "cost complexity":
        prices = weakest_links(case.tree, counts.errors.astype(float)).tolist()
        leaves, errors = link_of(case, k, prices)
        return [alone, m, errors, m, leaves, 1, prices[k] / m, dials["alpha"]]
    d = None
    if asked["method"] == "fewest leaves":
        d = max(dials["d"], min(errors for _, errors, _ in everything))
    return list(best_otherwise(case, everything, k, cut=cut, d=d))


def wrong_reasons() -> list[str]:
    """Return which reasons do not tell the numbers of Python."""
    tried = small_cases()
    given = [{"given": case.given, "asked": asked_of(case)} for case in tried]
    result = evaluate(KERNEL, with_trees(REASONS), given)
    wrong = []
    for case, found in zip(tried, result, strict=True):
        everything = prunings(case)
        for asked, nodes in zip(asked_of(case), found, strict=True):
            for one in nodes:
                if one["state"] == "gone" and asked["method"] in {
                    "fewest leaves",
                    "structural risk",
                }:
                    continue
                cut = one["state"] == "stump"
                expected = expected_reason(case, everything, asked, one["k"], cut=cut)
                if not says(one["hint"], asked["method"], expected):
                    wrong.append(f"{asked}, node {one['k']}: {one['hint']}, not {expected}")
    return wrong


def says(hint: str, method: str, expected: list[float]) -> bool:
    """Whether a reason tells these numbers, to the digits that it has, and draws its conclusion."""
    text = re.sub(r"^Gone with the cut at .*?\. Here: ", "", hint)
    found = numbers(text.replace("g(t)", "g"))
    if method == "reduced error":
        return found == expected and ("≤" in text) == (expected[0] <= expected[1])
    if method == "bottom up":
        alone, below, penalty, leaves = found
        return [alone, below, leaves] == expected and ("≤" in text) == (alone <= below + penalty)
    if method == "cost complexity":
        *whole, price, alpha = expected
        return (
            found[:-2] == whole
            and found[-1] == alpha
            and found[-2] == pytest.approx(price, rel=5e-3)
            and ("≤" in text) == (price <= alpha)
        )
    leaves, errors = expected
    if method == "structural risk":
        return found[:2] == [leaves, errors] or f"{leaves} leaf, {errors} error" in text
    if "no pruning makes" in text:
        return found[-1] == errors
    return found[1] == leaves


def test_reasons_are_those_of_python() -> None:
    assert wrong_reasons() == []


def test_rows_are_shuffled_alike() -> None:
    asked = [(m, stream) for m in (0, 1, 2, 5, 24, 300, 2000) for stream in (1, 2, 3, 2**32 - 1)]
    result = evaluate(KERNEL, "(all) => all.map(([m, stream]) => shuffled(m, stream))", asked)
    assert result == [shuffled(m, stream).tolist() for m, stream in asked]
    assert sorted(result[-1]) == list(range(2000))
    assert result[-1] != result[-2]
