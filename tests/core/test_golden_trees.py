"""Trees of random tables with many ties are those that earlier editions grew, split by split."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from dtviz.impurity import GROWTH_COSTS, grow

GOLDEN = {
    ("error", "none"): "f0e39570f54f",
    ("error", "whole"): "d532881941b8",
    ("error", "quarters"): "c8921270284a",
    ("gini", "none"): "98df568a814f",
    ("gini", "whole"): "f2d63650c569",
    ("gini", "quarters"): "b8e65247d21a",
    ("entropy", "none"): "146108f836b7",
    ("entropy", "whole"): "360e2ef01704",
    ("entropy", "quarters"): "892be426e04e",
    ("sqrt", "none"): "a044728e0a35",
    ("sqrt", "whole"): "df236733e7b9",
    ("sqrt", "quarters"): "060370160621",
    ("squared", "none"): "84e4cc3613ba",
    ("squared", "whole"): "6dab403ed0d8",
    ("squared", "quarters"): "92e1d8bf1d19",
}


def weights_of(kind, rng, m):
    if kind == "none":
        return None
    return {"whole": rng.randint(1, 4, m), "quarters": rng.randint(1, 6, m) / 4}[kind]


def digest(cost, kind):
    rng = np.random.RandomState(11)  # its numbers are the same in every NumPy
    grown = []
    for k, m in enumerate((4, 9, 20, 60, 200, 500)):
        for c in (2, 3, 5):
            X = rng.randint(0, (3, 8, 200)[k % 3], (m, 3)).astype(float)
            if c == 3:
                X[rng.randint(0, 6, X.shape) == 0] = np.nan
            y = rng.randint(0, c, m)
            path = grow(X, y, cost, 40, sample_weight=weights_of(kind, rng, m))
            splits = path.split_node, path.split_variable, path.split_threshold, path.split_missing
            grown.append([part.tolist() for part in splits])
    return hashlib.sha256(json.dumps(grown).encode()).hexdigest()[:12]


@pytest.mark.parametrize("cost", GROWTH_COSTS)
@pytest.mark.parametrize("kind", ["none", "whole", "quarters"])
def test_trees_stay_as_they_were(cost, kind):
    assert digest(cost, kind) == GOLDEN[cost, kind]


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_weight_one_is_no_weight(cost):
    rng = np.random.default_rng(5)
    for levels in (3, 1000):
        X, y = rng.integers(0, levels, (300, 3)), rng.integers(0, 3, 300)
        plain = grow(X, y, cost, min_samples_leaf=9)
        ones = grow(X, y, cost, min_samples_leaf=9, sample_weight=np.ones(300))
        assert plain.split_variable.tolist() == ones.split_variable.tolist()
        assert plain.split_threshold.tolist() == ones.split_threshold.tolist()
        assert plain.costs == pytest.approx(ones.costs, abs=1e-12)
