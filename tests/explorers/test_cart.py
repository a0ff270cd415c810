"""Growth on numbers in the page, held against `dtviz.grow`: every split, threshold and score."""

from __future__ import annotations

from functools import cache
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

CART = [STATIC / "computing/cart.js", STATIC / "computing/criteria.js"]
GROWN = """
(cases) => cases.map(({ columns, labels, classes, values, cost, most }) => {
  const path = growCart({ columns, labels, classes, values }, cost, most ?? undefined);
  const { split, variable, threshold, score, best } = path;
  const counts = path.counts.map((each) => [...each]);
  return { split, variable, threshold, counts, score, of: best.map((cut) => cut?.feature ?? -1) };
})
"""
AT = GROWN.replace("}, cost,", "}, costAt(cost),")
REFUSED = """
(given) => ["growCart", "featureCuts"].map((name) => {
  try {
    const grow = { growCart, featureCuts }[name];
    grow(given, "no cost", [0, 1, 2]);
  } catch ({ message }) {
    return message;
  }
})
"""
ROUNDS = 300


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


@cache
def cases() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Samples, and what Python grows of them."""
    rng, found = np.random.default_rng(18), []
    drawn = (sample(rng, k) for k in range(ROUNDS))
    planted = ((X, y, int(y.max()) + 1) for X, y in ties.tables(90, 300, seed=5))
    for k, (X, y, classes) in enumerate(chain(drawn, planted)):
        most = None if k % 3 and len(X) < 1000 else int(rng.integers(1, 33))
        kinds = np.unique(y)
        for cost in COST_FUNCTIONS:
            path = dt.grow(X, y, cost, most)
            counts = np.zeros((len(path.node_score), classes), int)
            counts[:, kinds] = path.class_counts
            given = {"columns": X.T.tolist(), "labels": y.tolist(), "classes": classes}
            truth = {
                "split": path.split_node.tolist(),
                "variable": path.split_variable.tolist(),
                "threshold": path.split_threshold.tolist(),
                "counts": counts.tolist(),
                "score": path.node_score.tolist(),
                "of": path.node_variable.tolist(),
            }
            found.append(({**given, "cost": cost, "most": most}, truth))
    return found


def wrong(every: int = 1) -> list[str]:
    some = cases()[::every]
    result = evaluate(CART, GROWN, [given for given, _ in some])
    for found in result:  # JSON writes a large number as an integer.
        found["threshold"] = [float(threshold) for threshold in found["threshold"]]
    return [
        f"{given['cost']}: {key} is {found[key]}, not {truth[key]}: {given}"
        for (given, truth), found in zip(some, result, strict=True)
        for key in truth
        if found[key] != (pytest.approx(truth[key], abs=1e-12) if key == "score" else truth[key])
    ]


def test_the_page_grows_what_python_grows() -> None:
    assert wrong() == []


def wrong_numbers() -> list[str]:
    """Tell where the page grows on numbers what Python does not: many ties, or hardly any."""
    rng, given, paths = np.random.default_rng(51), [], []
    for k in range(120):
        X, codes, _ = sample(rng, k)
        y = [codes * 0.1 - 7, rng.normal(size=codes.size) * 10.0 ** rng.integers(-5, 6)][k % 2]
        values, labels = np.unique(y, return_inverse=True)
        case = {"columns": X.T.tolist(), "labels": labels.tolist(), "values": values.tolist()}
        given.append({**case, "classes": values.size, "cost": "squared", "most": 32})
        paths.append(dt.grow(X, y, "squared", 32))
    return [
        f"case {k}: {found}"
        for k, (found, path) in enumerate(zip(evaluate(CART, GROWN, given), paths, strict=True))
        if found["split"] != path.split_node.tolist()
        or found["variable"] != path.split_variable.tolist()
        or found["threshold"] != path.split_threshold.tolist()
        or found["score"] != pytest.approx(path.node_score, rel=1e-9, abs=0)
    ]


def test_the_page_grows_on_numbers_what_python_grows() -> None:
    assert wrong_numbers() == []


class Wave(Criterion):
    """A criterion that is new on both sides: a class here, a line there."""

    name = "wave"

    def share_cost(self, q: Any) -> Any:
        return np.sin(np.pi * q) / 2


def test_a_new_criterion_is_a_line_in_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CRITERIA, "wave", Wave())
    line = 'wave: { formula: "sin(πq)/2", of: (q) => Math.sin(Math.PI * q) / 2 }'
    rng = np.random.default_rng(36)
    samples = [sample(rng, k) for k in range(1, 40)]
    given = [
        {"columns": X.T.tolist(), "labels": y.tolist(), "classes": classes, "cost": "wave"}
        for X, y, classes in samples
    ]
    planted = "  gini: {", f"  {line},\n  gini: {{"
    result = evaluate(CART, GROWN, given, fault=planted)
    for found, (X, y, _) in zip(result, samples, strict=True):
        path = dt.grow(X, y, "wave")
        assert found["split"] == path.split_node.tolist()
        assert found["variable"] == path.split_variable.tolist()
        assert found["threshold"] == path.split_threshold.tolist()
        assert found["score"] == pytest.approx(path.node_score, abs=1e-9)


BETWEEN = """
({ exponents, positions, shares, gamma }) => ({
  costs: exponents.map((a) => shares.map(betaCost(a).of)),
  drops: exponents.map((a) => shares.slice(0, 200).map(betaVoteDrop(a, gamma))),
  at: positions.map((position) => shares.map(criterionOf(costAt(position)).of)),
})
"""
THREE = """
(sample) => {
  try {
    growCart(sample, 1.5);
  } catch ({ message }) {
    return message;
  }
}
"""
EXPONENTS = (-0.9, -0.5, -0.2, 1e-7, 0.3, 1, 2, 8, 100)
POSITIONS = (0, 0.01, 0.5, 0.999, 1, 1.3, 2, 2.25, 2.7, 2.95, 2.995, 2.999999, 3)


def test_costs_between_the_names_are_those_of_python() -> None:
    shares = np.append(np.random.default_rng(54).random(200), [0, 0.5, 1, 1e-6, 1 - 1e-6])
    given = {"exponents": EXPONENTS, "positions": POSITIONS, "shares": shares.tolist()}
    given["gamma"] = gamma = 0.02
    modules = [STATIC / f"computing/{name}.js" for name in ("beta", "criteria")]
    found = evaluate(modules, BETWEEN, given)
    costs = [BetaCost(a).of_share(shares) for a in EXPONENTS]
    assert np.array(found["costs"]) == pytest.approx(np.array(costs), abs=1e-14)
    drops = [BetaCost(a).vote_drop(gamma, shares[:200]) for a in EXPONENTS]
    assert np.array(found["drops"]) == pytest.approx(np.array(drops), rel=1e-9, abs=0)
    at = [cost_at(position).of_share(shares) for position in POSITIONS]
    assert np.array(found["at"]) == pytest.approx(np.array(at), abs=1e-14)


def wrong_between() -> list[str]:
    """Where the page grows by a cost between the names what Python does not."""
    rng, given, paths = np.random.default_rng(29), [], []
    for k in range(260):
        X, y, _ = sample(rng, k % 49 + 1)
        position = float(rng.choice(POSITIONS)) if k % 4 == 0 else round(3 * rng.random(), 3)
        case = {"columns": X.T.tolist(), "labels": (y > 0).astype(int).tolist(), "classes": 2}
        given.append({**case, "cost": position, "most": 32})
        paths.append(dt.grow(X, y > 0, cost_at(position), 32))
    return [
        f"case {k}, {path.cost_name}: {found}"
        for k, (found, path) in enumerate(zip(evaluate(CART, AT, given), paths, strict=True))
        if found["split"] != path.split_node.tolist()
        or found["variable"] != path.split_variable.tolist()
        or found["threshold"] != path.split_threshold.tolist()
        or found["score"] != pytest.approx(path.node_score, abs=1e-12)
    ]


def test_the_page_grows_by_a_cost_between_the_names_what_python_grows() -> None:
    assert wrong_between() == []


def test_a_cost_between_the_names_is_for_two_classes() -> None:
    given = {"columns": [[1, 2, 3]], "labels": [0, 1, 2], "classes": 3}
    with pytest.raises(ValueError, match="more than two classes") as refused:
        dt.grow([[1], [2], [3]], [0, 1, 2], cost_at(1.5))
    assert evaluate(CART, THREE, given) == str(refused.value)


OWN = """
(cases) => cases.map(({ columns, labels, classes, cost, own, most }) => {
  const sample = { columns, labels, classes };
  const path = growCart(sample, cost, most ?? undefined, sortedRows(sample), own);
  return { ...path, counts: path.counts.map((each) => [...each]) };
})
"""


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


def wrong_own() -> list[str]:
    """Tell where a tree that a reader began is not what Python grows below the reader's leaves."""
    rng = np.random.default_rng(33)
    tried = []
    for k in range(120):
        X, y, classes = sample(rng, k % 49 + 1)
        own = own_splits(rng, X, int(rng.integers(0, 6)))
        cost = list(COST_FUNCTIONS)[k % len(COST_FUNCTIONS)]
        given = {"columns": X.T.tolist(), "labels": y.tolist(), "classes": classes}
        # More leaves than there can be; with a fault there might be no end of them.
        tried.append((given | {"cost": cost, "own": own, "most": 100}, X, y))
    cases = [given for given, _, _ in tried]
    alone = [given | {"most": len(given["own"]) + 1} for given in cases]
    found = evaluate(CART, OWN, cases + alone)
    wrong = []
    for (given, X, y), whole, begun in zip(tried, found, found[len(cases) :], strict=False):
        own, rows = given["own"], comers(X, given["own"])
        inner = {int(node) for node, _, _ in own}
        expected = [(int(k), threshold) for _, k, threshold in own]
        right = len(begun["split"]) == len(own)
        for node, here in rows.items():
            counts = np.bincount(y[here], minlength=given["classes"]).tolist()
            right &= begun["counts"][node] == counts
            below = dt.grow(X[here], y[here], given["cost"]) if len(here) else None
            score = below.node_score[0] * len(here) / len(X) if below and below.n_splits else 0
            right &= bool(np.isclose(begun["score"][node], score, rtol=1e-9, atol=1e-12))
            if below and node not in inner:
                expected += zip(below.split_variable, below.split_threshold, strict=True)
        made = list(zip(whole["variable"], whole["threshold"], strict=True))
        right &= made[: len(own)] == expected[: len(own)] and sorted(made) == sorted(expected)
        if not right:
            wrong.append(f"{given}: {whole}")
    return wrong


def test_a_tree_that_a_reader_began_is_grown_on() -> None:
    assert wrong_own() == []


def test_a_cost_without_a_formula_is_refused_by_its_name() -> None:
    given = {"columns": [[1, 2, 3]], "labels": [0, 1, 0], "classes": 2}
    result = f"cost must be one of {', '.join(COST_FUNCTIONS)}, got no cost"
    assert evaluate(CART, REFUSED, given) == [result, result]
