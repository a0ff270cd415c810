"""The kernel of pruning, run by Node on small trees and samples, held against `dtviz.pruning`."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.node import evaluate

import dtviz as dt
from dtviz.pruning.explorer import METHODS, NOISES, PruningExplorer

# What Python says is found once, by one process.
pytestmark = pytest.mark.xdist_group("kernel of pruning")

KERNEL = sorted((Path(dt.__file__).parent / "pruning").glob("kernel*.js"))
ONE_PASS = ("reduced error", "bottom up")
"""These decide at every node; the others choose among whole prunings."""

MADE = """
const made = ({ record, draws, noise, flips, path }) => {
  const examples = record.table ? drawnExamples(record, draws) : dealtExamples(record);
  return prunable(examples, { labels: noisyLabels(examples, noise, flips), noise, path });
};
"""
PRUNE = """
return ({ records, cases }) => {
  const trees = records.map(made);
  const samples = records.map(({ record, draws, noise, flips }) => {
    const examples = record.table ? drawnExamples(record, draws) : dealtExamples(record);
    return [examples.parts[1].columns, noisyLabels(examples, noise, flips)[1]];
  });
  return cases.map(({ tree: index, method, dials }) => {
    const tree = trees[index];
    const { record, ...found } = prunedBy(tree, method, dials);
    const inner = [...tree.variable.keys()].filter((k) => tree.variable[k] >= 0);
    const { wrong } = tree.counted[PRUNERS[method].judge];
    const at = (k) => ["size", "below", "fine"].map((name) => [name, record[name]?.[k] ?? null]);
    const own = (k) => ({ alone: wrong[k], cut: record.cut[k] === 1 });
    const [columns, labels] = samples[index];
    const ends = endsOf(tree, found.states, columns, labels.length);
    const right = labels.filter((label, row) => tree.label[ends[row]] === label).length;
    const full = (k) => ({ ...Object.fromEntries(at(k)), ...own(k) });
    return { ...found, right, inner: inner.map(full) };
  });
};
"""
TREES = """
return (records) => records.map(made);
"""
STATES = {(True, False): "inner", (True, True): "stump", (False, False): "leaf"}
"""What is left of a node that is kept, by whether it is a test and is cut."""


def with_trees(body: str) -> str:
    """The function that a body returns, which may make trees of what the page gets."""
    return f"(() => {{{MADE}{body}}})()"


@cache
def explorers() -> tuple[PruningExplorer, ...]:
    """Ten explorers on random data: bits without any rule, and tied numbers in up to 4 columns."""
    rng = np.random.default_rng(7)
    found = []
    for k in range(10):
        if k % 2:
            n = int(rng.integers(2, 6))
            samples: Any = (dt.BooleanFunction(n, rng.integers(0, 2, 2**n)),)
        else:
            shape = (int(rng.integers(20, 61)), int(rng.integers(1, 5)))
            X = rng.integers(0, 5, shape).astype(float)
            samples = (X, (rng.random(shape[0]) < X[:, 0] / 4).astype(int))
        traits: dict[str, Any] = {"noise": float(rng.choice(NOISES[:31]))}
        if k % 3 == 0:
            traits["flips"] = rng.permutation(25)[:6].tolist()
        found.append(PruningExplorer(*samples, **traits))
    return tuple(found)


def packed(explorer: PruningExplorer) -> dict[str, Any]:
    """The data on display, as the page gets them, and how the tree grew."""
    path = explorer.path()
    grown = {
        "split": path.split_node,
        "variable": path.split_variable,
        "threshold": path.split_threshold,
    }
    return {
        "record": explorer._paths["f"],
        "draws": explorer._draws,
        "noise": explorer.noise,
        "flips": explorer.flips,
        "path": {name: column.tolist() for name, column in grown.items()},
    }


def cases() -> list[dict[str, Any]]:
    """Every method on every tree with six random settings of its dials, and prices that are hit."""
    rng = np.random.default_rng(8)
    found = []
    for at, explorer in enumerate(explorers()):
        for method in METHODS:
            for _ in range(6):
                ranges = {"c": (0.02, 2.0), "delta": (0.01, 0.5), "alpha": (0.0, 0.1)}
                dials = {name: float(rng.uniform(*ends)) for name, ends in ranges.items()}
                dials["d"] = int(rng.integers(0, len(explorer.training[1]) // 2))
                found.append({"tree": at, "method": method, "dials": dials})
        path = dt.pruning.cost_complexity_path(explorer.path().tree(), *explorer.training)
        for price in path.breaks[1:4].tolist():  # the float below is one with it
            hit = dials | {"alpha": math.nextafter(price, 0)}
            found.append({"tree": at, "method": "cost complexity", "dials": hit})
    return found


def what_is_left(pruned: dt.pruning.Pruning) -> list[str]:
    test, cut = pruned.counts.given.variable >= 0, pruned.cut
    return [
        STATES[bool(test[k]), bool(cut[k] and test[k])] if pruned.kept[k] else "gone"
        for k in range(len(test))
    ]


def error_rates(explorer: PruningExplorer, tree: dt.Tree) -> list[float]:
    """Of a pruned tree in training, on the pruning sample, and on fresh examples as noisy."""
    drawn = (explorer.training, explorer.held_out)
    known = [float((tree.predict(X) != y).mean()) for X, y in drawn]
    shown, noise = explorer.shown, explorer.noise
    wrong = float((tree.predict(shown.X[2]) != shown.y[2]).mean())
    return [*known, (1 - noise) * wrong + noise * (1 - wrong)]


def wrong_decisions(result: dict[str, Any], method: str, pruned: dt.pruning.Pruning) -> list[str]:
    """Return the inner nodes at which something else was compared or decided."""
    wrong = []
    nodes = np.flatnonzero(pruned.counts.given.variable >= 0).tolist()
    for k, found in zip(nodes, result["inner"], strict=True):
        expected: dict[str, Any] = {"alone": int(pruned.leaf_errors[k])}
        if method in ONE_PASS:
            expected |= {
                "size": int(pruned.subtree_leaves[k]),
                "below": int(pruned.subtree_errors[k]),
            }
            reach = int(pruned.counts.reach[k])
            fine = float(pruned.penalty[k]) * reach if reach else 0.0
            if found["fine"] != pytest.approx(fine, rel=1e-9):
                wrong.append(f"{method}, node {k}: penalty {found['fine']}, not {fine}")
        if method in ONE_PASS or pruned.kept[k]:
            expected["cut"] = bool(pruned.cut[k])
        got = {name: found[name] for name in expected}
        if got != expected:
            wrong.append(f"{method}, node {k}: {got}, not {expected}")
    return wrong


@cache
def prunings() -> list[tuple[dt.pruning.Pruning, list[float]]]:
    """What Python makes of the cases: the pruning and its error rates on the three samples."""
    found = []
    for case in cases():
        explorer = explorers()[case["tree"]]
        explorer.method = case["method"]
        for name, value in case["dials"].items():
            setattr(explorer, name, value)
        pruned = explorer.pruning()
        found.append((pruned, error_rates(explorer, pruned.tree())))
    return found


def wrong_prunings() -> list[str]:
    """Return where a method does, or tells, something else in the page than in Python."""
    asked = cases()
    records = [packed(explorer) for explorer in explorers()]
    result = evaluate(KERNEL, with_trees(PRUNE), {"records": records, "cases": asked})
    wrong = []
    for case, found, (pruned, expected) in zip(asked, result, prunings(), strict=True):
        rates = [found["rates"][name] for name in ("training", "pruning", "truth")]
        if found["states"] != what_is_left(pruned) or found["leaves"] != pruned.n_leaves:
            wrong.append(f"{case}: {found['leaves']} leaves, not {pruned.n_leaves}")
        if rates != pytest.approx(expected, abs=1e-12):
            wrong.append(f"{case}: errors {rates}, not {expected}")
        # Those that fall through what is left of the tree, as the rate has them.
        rows = len(explorers()[case["tree"]].held_out[1])
        if found["right"] != round((1 - expected[1]) * rows):
            wrong.append(f"{case}: right about {found['right']} of {rows}")
        wrong += wrong_decisions(found, case["method"], pruned)
    return wrong


@pytest.mark.slow
def test_prunings_and_decisions_are_those_of_python() -> None:
    assert wrong_prunings() == []


def tree_facts(explorer: PruningExplorer) -> dict[str, Any]:
    """What must be known of a tree: shape, errors while growing, fewest errors, least risk."""
    (X, y), tree = explorer.training, explorer.path().tree()
    srm, smallest = dt.pruning.srm_prune(tree, X, y), dt.pruning.smallest_prunings(tree, X, y)
    sizes = range(1, tree.n_leaves + 1)
    # The trees on the way, one by one.
    path = dt.grow(X, y)
    grown = [error_rates(explorer, path.tree(step + 1)) for step in range(path.n_splits + 1)]
    return {
        "links": [tree.low.tolist(), tree.high.tolist(), tree.node_depth.tolist()],
        "grown": np.transpose(grown).ravel().tolist(),
        "fewest": [error_rates(explorer, smallest.tree(size))[0] for size in sizes],
        "choice": srm.n_leaves,
        "risk": float(srm.objective.min()),
    }


@cache
def known_trees() -> list[dict[str, Any]]:
    return [tree_facts(explorer) for explorer in explorers()]


def reaching(X: Any, where: str) -> int:
    """How many points give the answers of a place, such as "x0 ≤ 1.5, x2 > 0.5" or "x1=0"."""
    if not where:  # No way leads there.
        return -1
    there = np.ones(len(X), dtype=bool)
    for answer in where.split(", ") if where != "the root" else ():
        name, sign, value = answer.replace("=", " = ").split()
        column, bound = X[:, int(name[1:])], float(value)
        there &= {"≤": column <= bound, ">": column > bound, "=": column == bound}[sign]
    return int(there.sum())


def wrong_trees() -> list[str]:
    """Return what is read wrongly of which trees."""
    result = evaluate(KERNEL, with_trees(TREES), [packed(explorer) for explorer in explorers()])
    wrong = []
    for at, (known, found) in enumerate(zip(known_trees(), result, strict=True)):
        X = explorers()[at].training[0]
        links = [list(found[name].values()) for name in ("low", "high", "depth")]
        grown = [rate for rates in found["grown"].values() for rate in rates]
        size, reach = (found["counted"]["training"][name] for name in ("size", "reach"))
        risks = found["risks"]
        checks = {
            "links": links == known["links"],
            "grown": grown == pytest.approx(known["grown"], abs=1e-12),
            "fewest": [errors / size for errors in found["fewest"]]
            == pytest.approx(known["fewest"]),
            "risk": min(risks) == risks[known["choice"] - 1] == pytest.approx(known["risk"]),
            "where": [reaching(X, where) for where in found["where"]] == reach,
        }
        wrong += [f"tree {at}: {name}" for name, right in checks.items() if not right]
    return wrong


def test_trees_are_read_as_they_were_grown() -> None:
    assert wrong_trees() == []


def test_the_page_offers_the_methods_that_it_has() -> None:
    assert evaluate(KERNEL, "() => Object.keys(PRUNERS)", None) == list(METHODS)
