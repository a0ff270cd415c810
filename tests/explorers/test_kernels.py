"""What the pages compute, run by Node on random input, held against Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.node import evaluate
from support.paths import bound_bits, hardest_restriction

import dtviz as dt
from dtviz.core.boolean.measures import resample_influences
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.cart.criteria import COST_FUNCTIONS
from dtviz.explorers.base import STATIC
from dtviz.explorers.planes import PLANES, named_plane
from dtviz.impurity.explorer import MAX_LEAVES, plane_record
from dtviz.influence.bounds import score_floor_by_cost, score_floor_by_error
from dtviz.product.bounds import pairs_needed

ROOM = STATIC.parents[1]
GREEDY, BEST = STATIC / "computing/greedy.js", STATIC / "computing/best.js"
SWEEP = [k / 100 for k in range(1, 100)]


def kernels(chapter: str) -> list[Path]:
    return sorted((ROOM / chapter).glob("kernel*.js"))


def close(found: Any, expected: Any, slack: float = 1e-9) -> bool:
    """Whether numbers agree, and infinities (None, by way of JSON) are where they should be."""
    one = np.array([math.inf if x is None else x for x in found], float)
    return one.shape == np.shape(expected) and np.allclose(one, expected, slack, slack)


INFLUENCE = """
(cases) => cases.map(({ n, table, size, epsilon }) => {
  const f = { n, table };
  const path = greedyPath(grow(f, truthOf(f, Array(n).fill(1 / 2), true)));
  const { sharper, byCost, lastLarge } = scoreBounds(path, size, epsilon);
  const each = (of) => Array.from({ length: path.steps }, (_, j) => of(j));
  const stop = path.stop(epsilon);
  return {
    errors: [...path.errors], costs: [...path.costs], scores: [...path.scores], stop, lastLarge,
    sharper: each(sharper), byCost: each(byCost),
    below: path.errors[0] > 0 ? epsilonBelow(path.errors[Math.max(stop - 1, 0)]) : null,
  };
})
"""


def drawn(rng: np.random.Generator, most: int) -> dt.BooleanFunction:
    """A function of at most so many variables, dense or sparse."""
    n = int(rng.integers(1, most + 1))
    return dt.BooleanFunction(n, rng.random(1 << n) < rng.random())


def given(f: dt.BooleanFunction, **more: Any) -> dict[str, Any]:
    return {"n": f.n, "table": f.table.astype(int).tolist(), **more}


def wrong_growth() -> Iterator[str]:
    """Report where paths and bounds of the page are not those of Python."""
    rng = np.random.default_rng(1)
    cases = [(drawn(rng, 6), 0.005 * int(rng.integers(1, 100))) for _ in range(1000)]
    sizes = [int(optimal(f).n_leaves) for f, _ in cases]
    asked = [
        given(f, size=size, epsilon=epsilon)
        for (f, epsilon), size in zip(cases, sizes, strict=True)
    ]
    result = evaluate([GREEDY, *kernels("influence")], INFLUENCE, asked)
    for (f, epsilon), size, found in zip(cases, sizes, result, strict=True):
        path = dt.build_top_down(f)
        steps, stop = len(path.split_node), path.n_leaves_for(epsilon) - 1
        # Nothing where the function is constant.
        tried = range(steps + 1) if size > 1 else range(0)
        floors = [score_floor_by_cost(path.costs[j], j, size, epsilon) for j in tried]
        large = [j for j in tried if floors[j]]
        floors = [floors[j] for j in large if j < steps]
        sharper = [score_floor_by_error(path.errors[j], j, size) for j in tried[:steps]]
        # The largest number of the slider below the error: the next one is not.
        before = float(path.errors[max(stop - 1, 0)]) - 1e-12
        below = max((0.005 * k for k in range(101) if 0.005 * k < before), default=math.nan)
        right = (
            found["errors"] == path.errors.tolist()
            and found["costs"] == path.costs.tolist()
            and close(found["scores"], path.scores)
            and found["stop"] == stop
            and close(found["sharper"], sharper)
            and (size == 1 or found["lastLarge"] == len(large) - 1)
            and close(found["byCost"][: len(floors)], floors)
            and (found["below"] is None or abs(found["below"] - below) < 1e-9)
        )
        if not right:
            yield f"{f!r}, epsilon {epsilon}: {found}"


PRODUCT = """
(cases) => cases.map(({ n, table, p, epsilon, depth }) => {
  const f = { n, table: Uint8Array.from(table) };
  const path = greedyPath(grow(f, truthOf(f, p)));
  const averages = averageDepths(cubesOf(f), p);
  return {
    split: path.split, variable: path.variable, errors: [...path.errors], costs: [...path.costs],
    scores: [...path.scores], influences: path.contest(0).scores,
    averages: [averages.least, averages.most], at: averages.at,
    average: [path.depths(path.steps).average],
    bits: boundBits(averages, depth, epsilon), pairs: pairsNeeded(n, epsilon, 0.1),
    stop: path.stop(epsilon),
    mixed: Array.from({ length: 2 * path.steps + 1 }, (_, k) => path.mixed(k)),
  };
})
"""


def wrong_bias() -> Iterator[str]:
    """Report where growth, average depths and bounds under biases are not those of Python.

    Half of the functions are under equal biases, where ties abound.
    """
    rng = np.random.default_rng(2)
    cases = []
    for k in range(2000):
        f = drawn(rng, 5 if k % 4 else 6)
        each = (rng.integers(1, 100, f.n) / 100).tolist()
        cases.append((f, [each[0]] * f.n if k % 2 else each, 0.005 * int(rng.integers(1, 99))))
    best = [optimal(f, dt.ProductDistribution(p)) for f, p, _ in cases]
    asked = [
        given(f, p=p, epsilon=epsilon, depth=int(trees.depth))
        for (f, p, epsilon), trees in zip(cases, best, strict=True)
    ]
    result = evaluate([GREEDY, BEST, *kernels("product")], PRODUCT, asked)
    for (f, p, epsilon), trees, found in zip(cases, best, result, strict=True):
        mu = dt.ProductDistribution(p)
        path = dt.build_top_down(f, mu)
        exact = {
            "split": path.split_node.tolist(),
            "variable": path.split_variable.tolist(),
            "at": ", ".join(f"x{i}={bit}" for i, bit in hardest_restriction(trees).items()),
            "pairs": pairs_needed(0, f.n, epsilon, 0.1),
            "stop": path.n_leaves_for(epsilon) - 1,
        }
        near = {
            "errors": path.errors,
            "costs": path.costs,
            "scores": path.scores,
            "influences": resample_influences(f, mu),
            "averages": [trees.average_depth, trees.max_average_depth],
            "average": [path.node_probability[path.split_node].sum()],
            "bits": [0.0] * 4 if f.is_constant else bound_bits(f, mu, epsilon),
            "mixed": 2 * path.node_error / path.node_probability,
        }
        wrong = [key for key, value in exact.items() if found[key] != value]
        wrong += [key for key, value in near.items() if not close(found[key], value)]
        if wrong:
            yield f"{f!r}, {p}, {epsilon}: {wrong} of {found}"


SWEPT = """
({ grid, cases }) => cases.map(({ n, table, p, moving }) => {
  const f = { n, table: Uint8Array.from(table) };
  const { influences, reigns, ties } = sweepRoot(f, p, moving, grid);
  return { influences: influences.map((at) => [...at]), reigns, ties };
})
"""


def wrong_sweep() -> Iterator[str]:
    """Report where a variable that reigns over the root does not win it, by Python."""
    rng = np.random.default_rng(3)
    cases = []
    for k in range(60):
        n = int(rng.integers(2, 5))
        table = (rng.random(1 << n) < rng.random()).astype(int).tolist()
        p = (rng.integers(1, 100, n) / 100).tolist()
        moving = list(range(n)) if k % 2 else [int(rng.integers(n))]
        cases.append({"n": n, "table": table, "p": p, "moving": moving})
    cases += [
        {"n": f.n, "table": f.table.tolist(), "p": [0.3] * f.n, "moving": list(range(f.n))}
        for f in dt.ProductExplorer().functions.values()
        if f.n <= 6
    ]
    # Variable 2 wins from 0.0314 to 0.0343, between two points of the grid.
    p = [0.96, 0.2, 0.47]
    cases.append({"n": 3, "table": [0, 0, 1, 1, 1, 0, 0, 0], "p": p, "moving": [1]})
    result = evaluate([GREEDY, *kernels("product")], SWEPT, {"grid": SWEEP, "cases": cases})
    for case, found in zip(cases, result, strict=True):
        f = dt.BooleanFunction(case["n"], case["table"])

        def at(t: float, case: Any = case, f: Any = f) -> Any:
            p = [t if i in case["moving"] else old for i, old in enumerate(case["p"])]
            return resample_influences(f, dt.ProductDistribution(p))

        if not close(found["influences"], [at(t) for t in SWEEP]):
            yield f"{case}: influences"
        ends = [(one["from"], one["to"]) for one in found["reigns"]]
        if (ends[0][0], ends[-1][1]) != (0, 1) or [b for _, b in ends[:-1]] != [
            a for a, _ in ends[1:]
        ]:
            yield f"{case}: reigns {ends}"
        for one in found["reigns"]:
            values = at((one["from"] + one["to"]) / 2)
            if one["variable"] >= 0 and values[one["variable"]] < values.max() - 1e-6:
                yield f"{case}: {one}"
        yield from (f"{case}: {one} ends elsewhere" for one in misplaced(found["reigns"], at))
        for t in np.linspace(0.01, 0.99, 400 if case is cases[-1] else 50):
            reign = next(one for one in found["reigns"] if t <= one["to"])
            values = at(t)
            best = values.max()
            # Shorter reigns count as ties.
            if best > values[reign["variable"]] * (1 + 1e-6) and not any(
                abs(tie["t"] - t) < 1e-3 for tie in found["ties"]
            ):
                yield f"{case}: another one wins at {t}"


def misplaced(reigns: list[dict[str, Any]], at: Callable[[float], Any]) -> Iterator[dict[str, Any]]:
    """Yield the reigns beyond whose end the same variable goes on, or before it the next one."""
    for one, after in pairwise(reigns):
        both = [one["variable"], after["variable"]]
        for side, held in ((-1e-6, both[0]), (1e-6, both[1])):
            values = at(one["to"] + side)
            winner = int(values.argmax()) if values.max() else -1
            # A third variable may win for less than the shortest reign.
            if winner in both and winner != held and values[winner] - values[held] > 1e-12:
                yield one


IMPURITY = """
({ names, splits, planes }) => ({
  drops: names.map((cost) => splits.map(([p, r, tau]) => splitDrop(cost, { p, r, tau }).drop)),
  planes: planes.map(({ points, sample }) => names.map((cost) => {
    const plane = { features: ["x0", "x1"], points: sample.columns, classes: ["0", "1"] };
    const path = planePath(growCart(sample, cost, 32), cost, plane);
    const leaf = points.map((point) => path.find(point, path.steps));
    const within = (point, node) =>
      path.box(node).every(([a, b], k) => a < point[k] && point[k] <= b);
    const nodes = Array.from({ length: 2 * path.steps + 1 }, (_, k) => k);
    const leaves = nodes.filter((k) => path.isLeaf(k, path.steps));
    // A point is in the box of its leaf, and of no other.
    const inside = points.every((point, i) =>
      leaves.every((k) => within(point, k) === (k === leaf[i])));
    return { errors: path.errors, costs: path.costs, labels: leaf.map(path.label), inside };
  })),
})
"""


def wrong_impurity() -> Iterator[str]:
    """Report where drops, and the paths of thresholds are not those of Python."""
    rng = np.random.default_rng(5)
    p, r, tau = splits = rng.integers(0, 101, (3, 3000)) / 100
    tau.clip(0.01, 0.99, out=tau)
    planes, asked = list(map(named_plane, PLANES)), []
    for plane in planes:
        record = plane_record(plane)
        columns, classes = record["points"], len(record["classes"])
        sample = {"columns": columns, "labels": record["labels"], "classes": classes}
        asked.append({"points": np.transpose(columns).tolist(), "sample": sample})
    modules = [*kernels("impurity"), STATIC / "computing/cart.js"]
    names = {"names": list(COST_FUNCTIONS), "splits": splits.T.tolist(), "planes": asked}
    result = evaluate(modules, IMPURITY, names)
    for k, (cost, of) in enumerate(COST_FUNCTIONS.items()):
        drops = of((1 - tau) * p + tau * r) - (1 - tau) * of(p) - tau * of(r)
        if not close(result["drops"][k], drops) or min(result["drops"][k]) < 0:
            yield f"drops of {cost}"
    for name, plane, grown in zip(PLANES, planes, result["planes"], strict=True):
        for cost, found in zip(COST_FUNCTIONS, grown, strict=True):
            path = dt.grow(plane.X, plane.y, cost, MAX_LEAVES)
            right = close(found["errors"], path.errors) and close(found["costs"], path.costs)
            labels = path.tree().predict(plane.X).tolist()
            if not (right and found["inside"] and found["labels"] == labels):
                yield f"{name}, {cost}"


def test_where_a_dragged_dot_leads() -> None:
    """To hundredths; q stays within the chord, and takes one of no length along."""
    cases = [
        ((0.6, 1, 0.5), "p", 0.444, {"p": 0.44}),
        ((0.6, 1, 0.5), "r", 0.2, {"r": 0.2}),
        ((0.6, 1, 0.5), "q", 0.7, {"tau": 0.25}),
        ((0.8, 0.2, 0.5), "q", 0.35, {"tau": 0.75}),
        ((0.6, 1, 0.5), "q", 0.1, {"tau": 0.01}),
        ((0.3, 0.3, 0.5), "q", 0.5, {"p": 0.5, "r": 0.5}),
    ]
    use = "(all) => all.map(([[p, r, tau], name, to]) => draggedTo({ p, r, tau }, name, to))"
    found = evaluate(kernels("impurity"), use, [case[:3] for case in cases])
    assert found == [expected for *_, expected in cases]


CHECKS = {
    "growth": wrong_growth,
    "bias": wrong_bias,
    "sweep": wrong_sweep,
    "impurity": wrong_impurity,
}


@pytest.mark.parametrize("name", CHECKS)
def test_a_kernel_agrees_with_python(name: str) -> None:
    assert list(CHECKS[name]()) == []
