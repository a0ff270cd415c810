"""A reader's splits of the plane: what a cut gains, what moves with it, and what grows after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.node import evaluate

import dtviz as dt
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS
from dtviz.explorers.base import STATIC
from dtviz.explorers.own_splits import grow_on, own_tree
from dtviz.explorers.planes import Plane

IMPURITY = STATIC.parents[1] / "impurity"
KERNEL = [STATIC / "computing/cart.js", IMPURITY / "kernel_cuts.js"]
COSTS = (*dt.COST_FUNCTIONS, "squared")


def sample(rng: np.random.Generator, k: int) -> tuple[Plane, dict[str, Any]]:
    """Points with many ties or hardly any, of two or three classes or numbers, some held out."""
    m = int(rng.integers(2, 50))
    X = rng.integers(0, int(rng.integers(1, 8)), (m, 2)) / 4 if k % 2 else rng.normal(size=(m, 2))
    codes, held = rng.integers(0, 2 + k % 3 // 2, m), rng.random(m) < 0.2 * (k % 5 == 0)
    held[0] = False
    y = codes / 8 if k % 4 == 3 else codes
    names = () if k % 4 == 3 else ("a", "b", "c")
    plane = Plane(X, y, ("x0", "x1"), names, held)
    X, y = plane.seen
    values, labels = np.unique(y, return_inverse=True) if not names else (None, y)
    record = {"columns": X.T.tolist(), "labels": labels.tolist(), "classes": 3}
    if values is not None:
        record |= {"values": values.tolist(), "classes": values.size}
    return plane, record


def cost_of(plane: Plane, k: int) -> str:
    return COSTS[k % 4] if plane.classes else "squared"


def impurity(y: Any, cost: str) -> float:
    """Of some labels by definition, times how many there are."""
    if cost == "squared":
        return float(((y - y.mean()) ** 2).sum())
    shares = np.bincount(y, minlength=3) / y.size
    return y.size * float(CLASS_COST_FUNCTIONS[cost](shares))


GAINS = """(cases) => cases.map(([sample, cost, rows, at]) => {
  const { curves, most } = gainCurves(sample, cost, Int32Array.from(rows));
  const steps = curves.map((curve) => [-3, -1, 0, 2].map((by) => stepThreshold(curve, at, by)));
  const parting = curves.map((curve) => [-1e9, at, 1e9].map((one) => partingThreshold(curve, one)));
  return { curves, most, steps, parting, gaps: curves.map((curve) => gapOf(curve, at)) };
})"""


def test_what_every_cut_gains_by_definition() -> None:
    rng, cases, truth = np.random.default_rng(56), [], []
    for k in range(120):
        plane, record = sample(rng, k)
        cost, (X, y) = cost_of(plane, k), plane.seen
        rows = np.flatnonzero(rng.random(y.size) < 0.8)
        cases.append([record, cost, rows.tolist(), 0.5 if k % 4 else 0.4])
        truth.append((X[rows], y[rows]))
    found = evaluate(KERNEL, GAINS, cases)
    for (record, cost, _, at), (X, y), one in zip(cases, truth, found, strict=True):
        most = 0.0
        for curve, column, steps, parting, gap in zip(
            one["curves"], X.T, one["steps"], one["parting"], one["gaps"], strict=True
        ):
            values, middles = np.unique(column), np.array(curve["middles"])
            assert curve["values"] == values.tolist()
            assert ((values[:-1] <= middles) & (middles < values[1:])).all()
            sides = [(y[column <= middle], y[column > middle]) for middle in middles]
            drops = [impurity(y, cost) - sum(impurity(s, cost) for s in pair) for pair in sides]
            gains = np.array(drops) / len(record["labels"])
            assert curve["gains"] == pytest.approx(gains, abs=1e-9)
            most = max(most, *gains, 0)
            if values.size < 2:
                continue
            # Wherever the threshold is wanted, there are points on both sides.
            assert all(values[0] <= threshold < values[-1] for threshold in parting)
            if values[0] <= at < values[-1]:
                assert (parting[1], gap) == (at, (values <= at).sum() - 1)
            places = np.clip(gap + np.array([-3, -1, 0, 2]), 0, values.size - 2)
            assert steps == middles[places].tolist()
        assert one["most"] == pytest.approx(most, abs=1e-9)


def random_splits(rng: np.random.Generator, X: Any, n: int) -> list[list[float]]:
    """Splits of leaves there are, at the middle between two points or at a point."""
    rows, splits = {0: np.arange(len(X))}, []
    for _ in range(n):
        node, feature = int(rng.choice(list(rows))), int(rng.integers(2))
        values = np.unique(X[rows[node], feature])
        if values.size < 2:
            continue
        k = int(rng.integers(values.size - 1))
        threshold = float(values[k] if rng.random() < 0.3 else (values[k] + values[k + 1]) / 2)
        here, j = rows.pop(node), len(splits)
        low = X[here, feature] <= threshold
        rows[2 * j + 1], rows[2 * j + 2] = here[low], here[~low]
        splits.append([node, feature, threshold])
    return splits


GROWN = """(cases) => cases.map(([sample, cost, splits, j, cut]) => {
  const { split, variable, threshold } = growCart(sample, cost, 12, undefined, splits);
  const moved = splits.length ? movedSplits(sample, splits, j, cut) : [];
  return [split.map((node, k) => [node, variable[k], threshold[k]]), moved];
})"""


def wrong_move(plane: Plane, splits: Any, j: int, cut: Any, moved: Any) -> bool:
    """Whether a moved split is not where it should be, or what is below it is not what parts.

    By definition: as sets of rows that are cut, and where, from the root on.
    """
    X, _ = plane.seen

    def followed(splits: Any, at: int) -> list[Any]:
        rows, under, made = {0: np.ones(len(X), bool)}, set(), []
        for k, (node, feature, threshold) in enumerate(splits):
            if feature is None or node not in rows:
                continue
            low = X[:, int(feature)] <= threshold
            sides = rows[node] & low, rows[node] & ~low
            if node in under and not all(side.any() for side in sides):
                continue
            rows[2 * k + 1], rows[2 * k + 2] = sides
            under |= {2 * k + 1, 2 * k + 2} if k == at or node in under else set()
            made.append((rows[node].tolist(), feature, threshold))
        return made

    want: list[Any] = [list(row) for row in splits]
    if want:
        want[j][1:] = [cut["feature"], cut["threshold"]] if cut else [None, None]
    return followed(moved, -1) != followed(want, j)


def test_the_page_grows_on_from_a_readers_splits_as_python_does() -> None:
    rng, cases, planes = np.random.default_rng(65), [], []
    for k in range(200):
        plane, record = sample(rng, k)
        splits = random_splits(rng, plane.seen[0], int(rng.integers(0, 7)))
        j = int(rng.integers(max(len(splits), 1)))
        cut = {"feature": int(rng.integers(2)), "threshold": float(rng.normal())}
        cases.append([record, cost_of(plane, k), splits, j, cut if k % 3 else None])
        planes.append(plane)
    found = evaluate(KERNEL, GROWN, cases)
    for plane, case, (grown, moved) in zip(planes, cases, found, strict=True):
        _, cost, splits, j, cut = case
        assert grown == [list(row) for row in grow_on(plane, cost, splits, 12)]
        assert not wrong_move(plane, splits, j, cut, moved), (splits, j, cut, moved)


def test_greedy_growth_begins_with_no_splits() -> None:
    """And goes on from its own as if nobody had made them."""
    rng = np.random.default_rng(6)
    for k in range(40):
        plane, _ = sample(rng, k)
        cost, (X, y) = cost_of(plane, k), plane.seen
        path = dt.grow(X, y, cost, 9)
        fields = path.split_node, path.split_variable, path.split_threshold
        rows = [list(row) for row in zip(*(part.tolist() for part in fields), strict=True)]
        for own in {0, len(rows) // 2, len(rows)}:
            assert [list(row) for row in grow_on(plane, cost, rows[:own], 9)] == rows
        assert own_tree(plane, rows).predict(X).tolist() == path.tree().predict(X).tolist()


def test_the_tree_of_an_explorer_grows_on() -> None:
    explorer = dt.ImpurityExplorer(view="plane", data="xor", leaves=4, splits=[[0, 0, 0.5]])
    plane = explorer.planes["xor"]
    # Whose first cut is in the middle, greed finds the four fields.
    assert (explorer.tree().predict(plane.X) == plane.y).all()
    explorer.leaves = 2
    assert str(explorer.tree()).startswith("x0 <= 0.5")
    assert explorer.tree().n_leaves == 2
    explorer.splits = []
    assert explorer.tree() == explorer.path().tree(2)
