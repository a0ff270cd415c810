"""What chapter 3's page computes, run by Node, held against the package."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from support.explorers import restricted
from support.node import evaluate

import dtviz as dt
from dtviz.core.boolean.measures import resample_influences
from dtviz.explorers.base import STATIC
from dtviz.product.approximate import split_shares
from dtviz.product.explorer import ProductExplorer
from dtviz.rank.draws import scramble

FOLDER = STATIC.parents[1] / "product"
MODULES = [
    STATIC / "computing/best.js",
    STATIC / "computing/greedy.js",
    STATIC / "controls/beside.js",
    FOLDER / "kernel_depths.js",
    FOLDER / "kernel_samples.js",
]

TREES = """
(cases) => cases.map(({ n, table, p }) => {
  const f = { n, table: Uint8Array.from(table) };
  const [truth, cubes] = [truthOf(f, p), cubesOf(f)];
  const path = greedyPath(grow(f, truth, splitsOf(shortestTree(cubes, p)), 1));
  const nodes = Array.from({ length: 2 * path.steps + 1 }, (_, k) => k);
  const greedy = greedyPath(grow(f, truth));
  return {
    depth: leastDepth(cubes),
    asked: nodes.map((k) => (path.splitAt[k] < path.steps ? path.variable[path.splitAt[k]] : -1)),
    places: nodes.map((k) => path.where(k)),
    error: path.errors[path.steps],
    average: path.depths(path.steps).average,
    contests: Array.from({ length: 2 * greedy.steps + 1 }, (_, k) => ({
      ...greedy.contest(k), values: null, place: greedy.where(k),
    })),
  };
})
"""

Case = tuple[dt.BooleanFunction, list[float]]


@cache
def cases() -> list[Case]:
    """Functions of 1 to 6 variables, drawn at random and offered, and biases of all kinds."""
    rng = np.random.default_rng(18)
    drawn = [dt.functions.random(n, seed) for n in range(1, 7) for seed in range(60)]
    offered = [dt.BooleanFunction(f.n, f.table) for f in ProductExplorer().functions.values()]
    return [
        (f, p)
        for f in [*drawn, *offered]
        for p in ((rng.integers(1, 100, f.n) / 100).tolist(), [0.5] * f.n, [1 / 3] * f.n)
    ]


@cache
def trees() -> list[dict[str, Any]]:
    given = [{"n": f.n, "table": f.table.tolist(), "p": p} for f, p in cases()]
    found: list[dict[str, Any]] = evaluate(MODULES, TREES, given)
    return found


def questions(tree: dt.Tree, node: int = 0, place: str = "") -> dict[str, int]:
    """The variable asked at each place of a tree, -1 at its leaves."""
    i, asked = int(tree.variable[node]), {}
    if i >= 0:
        for bit, half in enumerate((tree.low, tree.high)):
            asked |= questions(tree, int(half[node]), f"{place}x{i}={bit}, ")
    return asked | {place.removesuffix(", ") or "no variable fixed": i}


def test_depth_and_the_best_tree_are_those_of_the_package() -> None:
    for (f, p), seen in zip(cases(), trees(), strict=True):
        best = dt.optimal(f, dt.ProductDistribution(p))
        asked = dict(zip(seen["places"], seen["asked"], strict=True))
        assert (seen["depth"], seen["error"]) == (best.depth, 0)
        assert asked == questions(best.tree("average_depth"))
        assert np.isclose(seen["average"], best.average_depth, rtol=1e-9)


def test_candidates_have_the_influences_of_what_is_left() -> None:
    for (f, p), seen in list(zip(cases(), trees(), strict=True))[::9]:
        for contest in seen["contests"]:
            part, free = restricted(f, contest["place"])
            assert contest["free"] == free
            left = dt.ProductDistribution([p[i] for i in free]) if free else None
            exact: Any = resample_influences(part, left) if left else []
            influences = np.array(contest["scores"]) / contest["share"]
            np.testing.assert_allclose(influences, exact, rtol=1e-9, atol=1e-14)


def draws_of(p: list[float], seed: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """The points of the first draws and the points made of their fresh copies."""
    n = len(p)
    places = np.arange(2 * n * draws, dtype=np.uint32) + scramble(np.array([seed + 1], np.uint32))
    bits = scramble(places).reshape(draws, 2, n) < np.array(p) * 2.0**32
    both = bits @ (1 << np.arange(n))
    return both[:, 0], both[:, 1]


def sampled_path(
    f: dt.BooleanFunction, p: list[float], seed: int, draws: int, epsilon: float
) -> tuple[list[tuple[int, int]], int]:
    """The learner of the race, split by split on the draws themselves: its splits, and its stop.

    Scores are counts of draws, so ties are exact; they go to the shallowest, leftmost leaf and to
    the lowest variable.
    """
    x, copy = draws_of(p, seed, draws)
    differ = [f.table[x] != f.table[x ^ ((x ^ copy) & (1 << i))] for i in range(f.n)]
    leaves = {0: (np.ones(draws, bool), "", list(range(f.n)))}
    splits: list[tuple[int, int]] = []
    stop = -1

    def offer(k: int) -> tuple[int, int, str, int, int]:
        here, place, free = leaves[k]
        counts = [int((here & differ[i]).sum()) for i in free]
        most = max(counts, default=0)
        return -most, len(place), place, k, free[counts.index(most)] if most else -1

    while True:
        ones = [(int(f.table[x[here]].sum()), int(here.sum())) for here, *_ in leaves.values()]
        wrong = sum(min(one, all_ - one) for one, all_ in ones)
        if stop < 0 and wrong <= epsilon * draws * (1 + 1e-12):
            stop = len(splits)
        *_, k, i = min(map(offer, leaves))
        if i < 0:
            return splits, stop if stop >= 0 else len(splits)
        here, place, free = leaves.pop(k)
        for bit in (0, 1):
            side = here & ((x >> i & 1) == bit)
            left = [j for j in free if j != i]
            leaves[2 * len(splits) + 1 + bit] = side, f"{place}{bit}", left
        splits.append((k, i))


RACE = """
({ n, table, p, seed, budgets, epsilon }) => {
  const f = { n, table: Uint8Array.from(table) };
  const bits = drawsOf(p, seed, budgets.at(-1));
  const seen = sampleWeights(f, bits, budgets);
  return sampledRuns(f, truthOf(f, p), bits, budgets, epsilon).map((run, k) => {
    const { split, variable, errors } = run.path;
    return {
      ...run, seen: Array.from(seen[k].weights), path: null,
      splits: split.map((node, j) => [node, variable[j]]), last: errors[run.stop],
    };
  });
}
"""


@pytest.mark.parametrize(
    ("name", "p", "epsilon", "seed"),
    [
        ("random(5, 1)", [0.4] * 5, 0.05, 0),
        ("multiplexer(2)", [0.3] * 6, 0.1, 1),
        ("majority(5)", [0.5] * 5, 0.02, 2),
        ("guarded(majority(5))", [0.05, 0.5, 0.5, 0.5, 0.5, 0.5], 0.01, 3),
        ("x0 or (x1 and x2)", [0.12, 0.5, 0.5], 0.0, 999),
    ],
)
def test_the_sampled_learner_splits_on_its_draws(
    name: str, p: list[float], epsilon: float, seed: int
) -> None:
    f, mu, budgets = (
        ProductExplorer().functions[name],
        dt.ProductDistribution(p),
        [8, 64, 512, 4096],
    )
    case = {"n": f.n, "table": f.table.tolist(), "p": p, "seed": seed, "epsilon": epsilon}
    for m, run in zip(budgets, evaluate(MODULES, RACE, case | {"budgets": budgets}), strict=True):
        x, _ = draws_of(p, seed, m)
        np.testing.assert_array_equal(run["seen"], np.bincount(x, minlength=2**f.n) / m)
        splits, stop = sampled_path(f, p, seed, m, epsilon)
        assert list(map(tuple, run["splits"])) == splits
        assert (run["draws"], run["stop"]) == (m, stop)
        # What its splits are truly worth, by replaying them on f.
        nodes, variables = ([split[side] for split in splits] for side in (0, 1))
        shares = split_shares(dt.product.replay(f, mu, nodes, variables))[:stop]
        assert run["least"] == pytest.approx(min(shares, default=1.0), rel=1e-6)
        assert run["good"] == (shares >= 1 - 1e-9).sum()
        # Its labels are those of its draws, so its true error may be above the least possible.
        tree = dt.product.replay(f, mu, nodes[:stop], variables[:stop]).tree(stop + 1)
        leaf = tree.apply_points(f)
        ones, all_ = (np.bincount(leaf[x], w, tree.n_nodes) for w in (f.table[x], None))
        wrong = mu.weights()[(2 * ones > all_)[leaf] != f.table].sum()
        assert run["error"] == pytest.approx(wrong, abs=1e-12)
        assert run["last"] == pytest.approx(wrong, abs=1e-12)


def test_numbers_on_an_axis_keep_apart() -> None:
    ticks = [{"x": x, "half": half} for x, half in ((0, 4), (30, 8), (60, 8), (70, 8))]
    kept = evaluate([STATIC / "drawing/chart.js"], "apart", ticks)
    assert [tick["x"] for tick in kept] == [0, 30, 70]
