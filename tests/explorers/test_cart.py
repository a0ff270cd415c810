"""Growth on numbers in the page, held against `dtviz.grow`: every split, threshold and score."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
import pytest
from support import ties
from support.node import evaluate

import dtviz as dt
from dtviz.core.cart.beta_costs import BetaCost, cost_at
from dtviz.core.cart.criteria import COST_FUNCTIONS, CRITERIA, Criterion
from dtviz.explorers.base import STATIC

CART = [STATIC / f"computing/{name}.js" for name in ("cart", "criteria", "beta")]
GROWN = """
(cases) => cases.map(({ cost, most, own, ...sample }) => {
  const of = typeof cost === "number" ? costAt(cost) : cost;
  const path = growCart(sample, of, most ?? undefined, sortedRows(sample), own);
  const { split, variable, threshold, score, best } = path;
  const counts = path.counts.map((each) => [...each]);
  return { split, variable, threshold, counts, score, of: best.map((cut) => cut?.feature ?? -1) };
})
"""
REFUSED = """
(cases) => cases.map(([sample, cost]) => [growCart, featureCuts].map((call) => {
  try {
    call(sample, cost, [0, 1, 2]);
  } catch ({ message }) {
    return message;
  }
}))
"""
Case = tuple[dict[str, Any], Any]
"""What the page grows on, and the path that Python grows."""
POSITIONS = (0, 0.01, 0.5, 0.999, 1, 1.3, 2, 2.25, 2.7, 2.95, 2.995, 2.999999, 3)


def sample(rng: np.random.Generator, k: int) -> tuple[Any, Any, int]:
    """Points with many ties or none, duplicates, constant columns, two or three classes."""
    m = int(rng.integers(1, 60)) if k % 50 else int(rng.integers(1001, 1400))
    d, classes = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    X = rng.normal(size=(m, d)) * 10.0 ** rng.integers(-8, 9)
    kind = k % 5
    if kind == 0:
        X = rng.integers(0, int(rng.integers(1, 6)), (m, d)).astype(float)
    elif kind == 1:
        X = np.round(rng.random((m, d)), 1) - 0.3
    elif kind == 2:
        X[:, -1] = 7.5
    elif kind == 4:  # Neighbors, between which there is no float.
        X = 1 + np.finfo(float).eps * rng.integers(0, 9, (m, d))
    y = rng.integers(0, classes, m)
    if kind == 3:  # A border, and some noise.
        y = np.where(rng.random(m) < 0.9, (X[:, 0] > X[:, -1] / 2).astype(int), y)
    return X, y, classes


def given(X: Any, y: Any, classes: int, **more: Any) -> dict[str, Any]:
    return {"columns": X.T.tolist(), "labels": y.tolist(), "classes": classes, **more}


def on_classes() -> Iterator[Case]:
    rng = np.random.default_rng(18)
    drawn = (sample(rng, k) for k in range(300))
    planted = ((X, y, int(y.max()) + 1) for X, y in ties.tables(90, 300, seed=5))
    for k, (X, y, classes) in enumerate(chain(drawn, planted)):
        most = None if k % 3 and len(X) < 1000 else int(rng.integers(1, 33))
        for cost in COST_FUNCTIONS:
            yield given(X, y, classes, cost=cost, most=most), dt.grow(X, y, cost, most)


def on_numbers() -> Iterator[Case]:
    """Many ties, or hardly any."""
    rng = np.random.default_rng(51)
    for k in range(120):
        X, codes, _ = sample(rng, k)
        y = [codes * 0.1 - 7, rng.normal(size=codes.size) * 10.0 ** rng.integers(-5, 6)][k % 2]
        values, labels = np.unique(y, return_inverse=True)
        squared = {"cost": "squared", "most": 32, "values": values.tolist()}
        yield given(X, labels, values.size, **squared), dt.grow(X, y, "squared", 32)


def between_the_names() -> Iterator[Case]:
    rng = np.random.default_rng(29)
    for k in range(260):
        X, y, _ = sample(rng, k % 49 + 1)
        place = float(rng.choice(POSITIONS)) if k % 4 == 0 else round(3 * rng.random(), 3)
        path = dt.grow(X, y > 0, cost_at(place), 32)
        yield given(X, (y > 0).astype(int), 2, cost=place, most=32), path


def by_a_wave() -> Iterator[Case]:
    rng = np.random.default_rng(36)
    for k in range(1, 40):
        X, y, classes = sample(rng, k)
        yield given(X, y, classes, cost="wave"), dt.grow(X, y, "wave")


def wrong(cases: Iterator[Case], **fault: Any) -> list[str]:
    """Report where the page grows what Python does not."""
    tried, found = list(cases), []
    for (asked, path), page in zip(
        tried, evaluate(CART, GROWN, [asked for asked, _ in tried], **fault), strict=True
    ):
        exact = {"split": path.split_node, "variable": path.split_variable}
        exact |= {"threshold": path.split_threshold, "of": path.node_variable}
        if asked["cost"] != "squared":
            counts = np.zeros((len(path.node_score), asked["classes"]), int)
            counts[:, np.unique(asked["labels"])] = path.class_counts
            exact["counts"] = counts
        # JSON writes a large number as an integer.
        page["threshold"] = [float(threshold) for threshold in page["threshold"]]
        # Scores of numbers may be of any size.
        rel, slack = (1e-9, 0) if asked["cost"] == "squared" else (0, 1e-12)
        right = page["score"] == pytest.approx(path.node_score, rel=rel, abs=slack)
        if not right or any(page[key] != value.tolist() for key, value in exact.items()):
            found.append(f"{asked}: {page}")
    return found


@pytest.mark.parametrize("cases", [on_classes, on_numbers, between_the_names])
def test_the_page_grows_what_python_grows(cases: Any) -> None:
    assert wrong(cases()) == []


class Wave(Criterion):
    """A criterion that is new on both sides: a class here, a line there."""

    name = "wave"

    def share_cost(self, q: Any) -> Any:
        return np.sin(np.pi * q) / 2


def test_a_new_criterion_is_a_line_in_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CRITERIA, "wave", Wave())
    line = 'wave: { formula: "sin(πq)/2", of: (q) => Math.sin(Math.PI * q) / 2 }'
    assert wrong(by_a_wave(), fault=("  gini: {", f"  {line},\n  gini: {{")) == []


BETWEEN = """
({ exponents, positions, shares, gamma }) => ({
  costs: exponents.map((a) => shares.map(betaCost(a).of)),
  drops: exponents.map((a) => shares.slice(0, 200).map(betaVoteDrop(a, gamma))),
  at: positions.map((position) => shares.map(criterionOf(costAt(position)).of)),
})
"""
EXPONENTS = (-0.9, -0.5, -0.2, 1e-7, 0.3, 1, 2, 8, 100)


def test_costs_between_the_names_are_those_of_python() -> None:
    shares = np.append(np.random.default_rng(54).random(200), [0, 0.5, 1, 1e-6, 1 - 1e-6])
    asked = {"exponents": EXPONENTS, "positions": POSITIONS, "shares": shares.tolist()}
    found = evaluate(CART, BETWEEN, {**asked, "gamma": 0.02})
    costs = [BetaCost(a).of_share(shares) for a in EXPONENTS]
    assert np.array(found["costs"]) == pytest.approx(np.array(costs), abs=1e-14)
    drops = [BetaCost(a).vote_drop(0.02, shares[:200]) for a in EXPONENTS]
    assert np.array(found["drops"]) == pytest.approx(np.array(drops), rel=1e-9, abs=0)
    at = [cost_at(position).of_share(shares) for position in POSITIONS]
    assert np.array(found["at"]) == pytest.approx(np.array(at), abs=1e-14)


def own_splits(rng: np.random.Generator, X: Any, often: int) -> list[list[float]]:
    """Splits of a reader's, of any leaf at any place; a side may have no example."""
    leaves, splits = [0], []
    for j in range(often):
        node = leaves.pop(int(rng.integers(len(leaves))))
        k = int(rng.integers(X.shape[1]))
        splits.append([node, k, float(rng.uniform(X[:, k].min(), X[:, k].max()))])
        leaves += [2 * j + 1, 2 * j + 2]
    return splits


def comers(X: Any, splits: list[list[float]]) -> dict[int, Any]:
    """Which examples come to each node."""
    rows = {0: np.arange(len(X))}
    for j, (node, k, threshold) in enumerate(splits):
        here = rows[int(node)]
        low = X[here, int(k)] <= threshold
        rows |= {2 * j + 1: here[low], 2 * j + 2: here[~low]}
    return rows


def test_a_tree_that_a_reader_began_is_grown_on() -> None:
    """Below the reader's leaves stands what Python grows there."""
    rng = np.random.default_rng(33)
    tried = []
    for k in range(120):
        X, y, classes = sample(rng, k % 49 + 1)
        own = own_splits(rng, X, int(rng.integers(0, 6)))
        cost = list(COST_FUNCTIONS)[k % len(COST_FUNCTIONS)]
        # More leaves than there can be; with a fault there might be no end of them.
        tried.append((given(X, y, classes, cost=cost, own=own, most=100), X, y))
    cases = [asked for asked, _, _ in tried]
    alone = [asked | {"most": len(asked["own"]) + 1} for asked in cases]
    found = evaluate(CART, GROWN, cases + alone)
    for (asked, X, y), whole, begun in zip(tried, found, found[len(cases) :], strict=False):
        own, rows = asked["own"], comers(X, asked["own"])
        expected = [(int(k), threshold) for _, k, threshold in own]
        assert len(begun["split"]) == len(own)
        for node, here in rows.items():
            counts = np.bincount(y[here], minlength=asked["classes"]).tolist()
            assert begun["counts"][node] == counts
            below = dt.grow(X[here], y[here], asked["cost"]) if len(here) else None
            score = below.node_score[0] * len(here) / len(X) if below and below.n_splits else 0
            assert begun["score"][node] == pytest.approx(score, rel=1e-9, abs=1e-12)
            if below and node not in {int(inner) for inner, _, _ in own}:
                expected += zip(below.split_variable, below.split_threshold, strict=True)
        made = list(zip(whole["variable"], whole["threshold"], strict=True))
        assert made[: len(own)] == expected[: len(own)]
        assert sorted(made) == sorted(expected)


def test_costs_without_a_formula_or_for_two_classes_alone_are_refused() -> None:
    two, three = (given(np.array([[1], [2], [3]]), np.arange(3) % k, k) for k in (2, 3))
    with pytest.raises(ValueError, match="more than two classes") as refused:
        dt.grow([[1], [2], [3]], [0, 1, 2], cost_at(1.5))
    unknown, (for_two, _) = evaluate(CART, REFUSED, [[two, "no cost"], [three, 1.5]])
    assert unknown == [f"cost must be one of {', '.join(COST_FUNCTIONS)}, got no cost"] * 2
    assert for_two == str(refused.value)
