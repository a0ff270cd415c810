"""The parts of the split scan, each against the plain way to the same."""

from __future__ import annotations

import numpy as np
import pytest

import dtviz as dt
from dtviz.core.cart import class_target, scan
from dtviz.core.cart.histograms import Histograms
from dtviz.core.cart.scan import Features, Level
from dtviz.impurity import GROWTH_COSTS


def columns_of(kind, rng, d=5, n=200):
    return {
        "floats": lambda: rng.normal(size=(d, n)),
        "tied": lambda: rng.normal(size=(d, n)).round(1) / 3,
        "short": lambda: rng.normal(size=(d, n)).astype(np.float32).astype(float).round(1),
        "zeros": lambda: rng.choice([-0.0, 0.0, -1.5, 1.5, 1e-42, -1e-42], (d, n)),
        "huge": lambda: rng.choice([1e300, -1e300, 1e-300, 5e-324, 0.0], (d, n)),
        "small": lambda: rng.integers(0, 7, (d, n)).astype(float),
        "wide": lambda: rng.integers(0, 1 << 16, (d, n)).astype(float),
    }[kind]()


KINDS = ["floats", "tied", "short", "zeros", "huge", "small", "wide"]


@pytest.mark.parametrize("at_once", [1, 1 << 15])
@pytest.mark.parametrize("kind", KINDS)
def test_cells_are_in_stable_order(kind, at_once, monkeypatch):
    """By node, value and row: at the root, with some rows left out, and level after level."""
    monkeypatch.setattr(scan, "CELLS_AT_ONCE", at_once)
    rng = np.random.default_rng(3)
    columns = columns_of(kind, rng)
    d, n = columns.shape
    features = Features(columns)
    level = Level.root(features)
    late = None
    for _ in range(4):
        rows, ranks = level.cells
        expected = np.lexsort(
            (np.broadcast_to(np.arange(n), (d, n)), columns, level.owner + 0 * columns)
        )
        expected = expected[:, : level.n_places]
        np.testing.assert_array_equal(rows, expected)
        if late is not None:
            np.testing.assert_array_equal(late.cells[0], expected)
        values = np.take_along_axis(columns, rows, axis=1)
        within = level.node[1:] == level.node[:-1]
        np.testing.assert_array_equal(
            (ranks[:, 1:] != ranks[:, :-1])[:, within], (values[:, 1:] != values[:, :-1])[:, within]
        )
        # Two of the four children of each node are open, and some rows go nowhere.
        k = level.size.size
        side = rng.integers(0, 3, n)
        side[level.owner == k] = 2
        side[rows[0, level.start]], side[rows[0, level.start + level.size - 1]] = 0, 1
        owner = np.where(side < 2, side * k + level.owner, 2 * k).astype(np.uint8)
        size = np.bincount(owner, minlength=2 * k + 1)[: 2 * k]
        parent = np.tile(np.arange(k), 2)
        if (size == 0).any():
            break
        late = Level(features, owner, size, parent, k)
        level = level.descend(owner, size, parent, k)


def test_order_of_keys_too_long_to_be_sorted_with_their_places(monkeypatch):
    values = np.random.default_rng(0).integers(0, 9, (3, 50)).astype(np.uint8)
    expected = values.argsort(axis=1, kind="stable")
    monkeypatch.setattr(scan, "_key", lambda v: (v.astype(np.uint64), 60))
    np.testing.assert_array_equal(scan._order(values, None), expected)


SIZES, BITS = [2, 1, 5, 2, 3, 16, 300, 2, 2, 2], [2, 1, *[2] * 8]


@pytest.mark.parametrize(("weighted", "sizes"), [(False, SIZES), (True, SIZES), (False, BITS)])
def test_histograms_count(weighted, sizes, monkeypatch):
    """Children from their parents or by their rows."""
    rng = np.random.default_rng(1)
    n, c = 3000, 3
    columns = np.stack([rng.integers(0, size, n) for size in sizes]).astype(float)
    columns[:, : max(sizes)] = np.minimum(np.arange(max(sizes)), np.array(sizes)[:, None] - 1)
    features, codes = Features(columns), rng.integers(0, c, n).astype(np.uint8)
    weights = rng.integers(1, 1 << 40, n) if weighted else np.ones(n, dtype=int)
    counts = Histograms(features, codes, c, weights if weighted else None)
    level = Level.root(features)
    counted, places = [], []
    original = Histograms._count_bins
    monkeypatch.setattr(
        Histograms,
        "_count_bins",
        lambda self, level, wanted: (
            counted.append(int(level.size[wanted].sum())) or original(self, level, wanted)
        ),
    )
    for _ in range(6):
        found = counts.count(level)
        k = level.size.size
        for i, size in enumerate(sizes):
            here = np.zeros((k + 1, c, size), dtype=int)
            np.add.at(here, (level.owner, codes, columns[i].astype(int)), weights)
            first = features.first_bin[i]
            np.testing.assert_array_equal(found[:, :, first : first + size], here[:k])
        places.append(level.n_places)
        side = (rng.random(n) < 0.2).astype(int)
        owner = np.where(level.owner < k, side * k + level.owner, 2 * k)
        if k > 1:  # the first node's high child is not open
            owner = np.where(owner == k, 2 * k - 1, owner - (owner > k))
        kept = np.delete(np.arange(2 * k), k if k > 1 else [])
        size = np.bincount(owner, minlength=2 * k)[: kept.size]
        level = level.descend(owner.astype(np.uint8), size, kept % k, k)
    assert sum(counted[1:]) < 0.7 * sum(places[1:])
    assert counted[0] == n


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_a_limit_of_leaves_changes_nothing_before_it(cost):
    """Bit by bit, also where drops are 0 or tied, and what the leaves would do next."""
    rng = np.random.default_rng(4)
    for trial in range(30):
        m = int(rng.integers(4, 90))
        X = rng.integers(0, 2, (m, 6)) if trial % 2 else rng.normal(size=(m, 3)).round(1)
        y = X[:, :3].sum(axis=1).astype(int) % 2 if trial % 3 == 0 else rng.integers(0, 3, m)
        whole = dt.grow(X, y, cost)
        for leaves in (1, 2, 3, 5, 9, 20):
            path = dt.grow(X, y, cost, max_leaves=leaves)
            n = min(leaves - 1, whole.n_splits)
            for name in ("split_node", "split_variable", "split_threshold"):
                np.testing.assert_array_equal(getattr(path, name), getattr(whole, name)[:n])
            for name in ("node_score", "node_variable", "node_cost", "node_value", "node_error"):
                expected = getattr(whole, name)[: 2 * n + 1]
                np.testing.assert_array_equal(getattr(path, name), expected)
            assert path.final_score == whole.scores[n]


def test_a_limit_of_leaves_saves_work(monkeypatch):
    """Rows scanned, in passes over all of them: eight leaves need not see the whole tree."""
    passes = []

    def spy(self, level, summary, original=class_target.ClassTarget.cuts):
        passes.append(level.n_places / self.m)
        return original(self, level, summary)

    monkeypatch.setattr(class_target.ClassTarget, "cuts", spy)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    y = (X[:, 0] > 0) + 2 * (X[:, 1] > X[:, 0]) + 4 * (X[:, 2] * X[:, 0] > 0)
    dt.grow(X, np.where(rng.random(2000) < 0.2, rng.integers(0, 8, 2000), y), max_leaves=8)
    assert sum(passes) < 5  # of 8
    passes.clear()
    parity = np.arange(256)[:, None] >> np.arange(8) & 1
    dt.grow(parity, parity.sum(axis=1) % 2, max_leaves=8)
    assert sum(passes) < 5  # of 8: all drops above the last level are 0
