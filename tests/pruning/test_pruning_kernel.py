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
from dtviz.pruning.explorer import METHODS, NOISES, PruningExplorer, shuffled

# What Python says is found once, by one process.
pytestmark = pytest.mark.xdist_group("kernel of pruning")

KERNEL = sorted((Path(dt.__file__).parent / "pruning").glob("kernel*.js"))
ONE_PASS = ("reduced error", "bottom up")
"""These decide at every node; the others choose among whole prunings."""

MADE = """
const given = ({ record, draws }) =>
  record.table ? drawnExamples(record, draws) : dealtExamples(record);
const made = ({ noise, flips, path, ...from }) => {
  const examples = given(from);
  const labels = noisyLabels(examples, noise, flips);
  return { examples, labels, tree: prunable(examples, { labels, noise, path }) };
};
"""
PRUNE = f"""({{ records, cases }}) => {{
  {MADE}
  const trees = records.map(made);
  return cases.map(({{ tree: index, method, dials }}) => {{
    const {{ tree, examples: {{ parts }}, labels: [, labels] }} = trees[index];
    const {{ record, ...found }} = prunedBy(tree, method, dials);
    const inner = [...tree.variable.keys()].filter((k) => tree.variable[k] >= 0);
    const {{ wrong }} = tree.counted[PRUNERS[method].judge];
    const ends = endsOf(tree, found.states, parts[1].columns, labels.length);
    const right = labels.filter((label, row) => tree.label[ends[row]] === label).length;
    const {{ cut, size, below, fine }} = record;
    const at = (k) => ({{
      alone: wrong[k], cut: cut[k] === 1, size: size[k], below: below[k], fine: fine?.[k] ?? null,
    }});
    return {{ ...found, right, inner: inner.map(at) }};
  }});
}}"""
TREES = f"(records) => {{ {MADE} return records.map((record) => made(record).tree); }}"
STATES = {(True, False): "inner", (True, True): "stump", (False, False): "leaf"}
"""What is left of a node that is kept, by whether it is a test and is cut."""


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
    columns = path.split_node, path.split_variable, path.split_threshold
    names = ("split", "variable", "threshold")
    return {
        "record": explorer._paths["f"],
        "draws": explorer._draws,
        "noise": explorer.noise,
        "flips": explorer.flips,
        "path": {name: part.tolist() for name, part in zip(names, columns, strict=True)},
    }


def cases() -> list[dict[str, Any]]:
    """Every method on every tree with six random settings of its dials, and prices that are hit."""
    rng = np.random.default_rng(8)
    found = []
    for at, explorer in enumerate(explorers()):
        for method in METHODS * 6:
            ranges = {"c": (0.02, 2.0), "delta": (0.01, 0.5), "alpha": (0.0, 0.1)}
            dials = {name: float(rng.uniform(*ends)) for name, ends in ranges.items()}
            dials["d"] = int(rng.integers(0, len(explorer.training[1]) // 2))
            found.append({"tree": at, "method": method, "dials": dials})
        path = dt.pruning.cost_complexity_path(explorer.path().tree(), *explorer.training)
        for price in path.breaks[1:4].tolist():  # the float below is one with it
            hit = dials | {"alpha": math.nextafter(price, 0)}
            found.append({"tree": at, "method": "cost complexity", "dials": hit})
    return found


def error_rates(explorer: PruningExplorer, tree: dt.Tree) -> list[float]:
    """Of a pruned tree in training, on the pruning sample, and on fresh examples as noisy."""
    drawn = (explorer.training, explorer.held_out)
    known = [float((tree.predict(X) != y).mean()) for X, y in drawn]
    shown, noise = explorer.shown, explorer.noise
    wrong = float((tree.predict(shown.X[2]) != shown.y[2]).mean())
    return [*known, (1 - noise) * wrong + noise * (1 - wrong)]


def decided(pruned: dt.pruning.Pruning, method: str, k: int) -> dict[str, Any]:
    """What was compared and decided at an inner node."""
    known: dict[str, Any] = {"alone": int(pruned.leaf_errors[k])}
    if method in ONE_PASS or pruned.kept[k]:
        known["cut"] = bool(pruned.cut[k])
    if method in ONE_PASS:
        known["size"] = int(pruned.subtree_leaves[k])
        known["below"] = int(pruned.subtree_errors[k])
        reach = int(pruned.counts.reach[k])
        known["fine"] = pytest.approx(float(pruned.penalty[k]) * reach if reach else 0, rel=1e-9)
    return known


@pytest.mark.slow
def test_prunings_and_decisions_are_those_of_python() -> None:
    asked, records = cases(), [packed(explorer) for explorer in explorers()]
    result = evaluate(KERNEL, PRUNE, {"records": records, "cases": asked})
    for case, found in zip(asked, result, strict=True):
        explorer, method = explorers()[case["tree"]], case["method"]
        explorer.set_state(case["dials"] | {"method": method})
        pruned = explorer.pruning()
        test, errors = pruned.counts.given.variable >= 0, error_rates(explorer, pruned.tree())
        assert found["states"] == [
            STATES[bool(test[k]), bool(pruned.cut[k] and test[k])] if pruned.kept[k] else "gone"
            for k in range(len(test))
        ], case
        assert found["leaves"] == pruned.n_leaves
        rates = [found["rates"][name] for name in ("training", "pruning", "truth")]
        assert rates == pytest.approx(errors, abs=1e-12), case
        # Those that fall through what is left of the tree, as the rate has them.
        assert found["right"] == round((1 - errors[1]) * len(explorer.held_out[1])), case
        for k, one in zip(np.flatnonzero(test).tolist(), found["inner"], strict=True):
            known = decided(pruned, method, k)
            assert {name: one[name] for name in known} == known, (case, k)


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


def test_trees_are_read_as_they_were_grown() -> None:
    """Their shape, errors while growing, fewest errors and least risk."""
    result = evaluate(KERNEL, TREES, [packed(explorer) for explorer in explorers()])
    for explorer, found in zip(explorers(), result, strict=True):
        (X, y), tree, path = explorer.training, explorer.path().tree(), explorer.path()
        links = [list(found[name].values()) for name in ("low", "high", "depth")]
        assert links == [tree.low.tolist(), tree.high.tolist(), tree.node_depth.tolist()]
        # The trees on the way, one by one.
        steps = [error_rates(explorer, path.tree(k + 1)) for k in range(path.n_splits + 1)]
        grown = [rate for rates in found["grown"].values() for rate in rates]
        assert grown == pytest.approx(np.transpose(steps).ravel(), abs=1e-12)
        smallest, srm = dt.pruning.smallest_prunings(tree, X, y), dt.pruning.srm_prune(tree, X, y)
        sizes = range(1, tree.n_leaves + 1)
        fewest = [(smallest.tree(size).predict(X) != y).sum() for size in sizes]
        assert found["fewest"] == fewest
        least = min(found["risks"])
        assert least == found["risks"][srm.n_leaves - 1] == pytest.approx(srm.objective.min())
        reach = found["counted"]["training"]["reach"]
        assert [reaching(X, where) for where in found["where"]] == reach


def test_the_page_offers_the_methods_that_it_has() -> None:
    assert evaluate(KERNEL, "() => Object.keys(PRUNERS)", None) == list(METHODS)


def test_rows_are_shuffled_alike() -> None:
    asked = [(m, stream) for m in (0, 1, 2, 5, 24, 300, 2000) for stream in (1, 2, 3, 2**32 - 1)]
    result = evaluate(KERNEL, "(all) => all.map(([m, stream]) => shuffled(m, stream))", asked)
    assert result == [shuffled(m, stream).tolist() for m, stream in asked]
    assert sorted(result[-1]) == list(range(2000))
    assert result[-1] != result[-2]
