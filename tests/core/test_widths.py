"""Growth where NumPy's own integers have 32 bits, as in the browser and on small computers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import dtviz as dt
from dtviz.core.cart import (
    class_target,
    columns,
    find_splits,
    growth,
    histograms,
    impurity_path,
    number_target,
    scan,
    target,
)
from dtviz.core.data import labels, weights
from dtviz.core.tree import arrays, nodes

MODULES = (
    find_splits, growth, impurity_path, columns, histograms, labels, number_target, scan,
    class_target, arrays, nodes, target, weights
)  # fmt: skip


class Narrow:
    """NumPy with integers of 32 bits where its functions are not asked for others."""

    intp = np.int32

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def arange(*given, dtype=None):
        found = np.arange(*given, dtype=dtype)
        return found.astype(np.int32) if dtype is None and found.dtype.kind == "i" else found

    @staticmethod
    def bincount(entries, *given, **named):
        found = np.bincount(entries, *given, **named)
        return found.astype(np.int32) if found.dtype.kind == "i" else found


def grown():
    """Trees of more rows than have a square of 32 bits, by each way to scan."""
    rng = np.random.default_rng(32)
    m = 50_000
    reals, small = rng.integers(0, 1 << 20, (m, 2)) / 1024, rng.integers(0, 30, (m, 3))
    y = (reals[:, 0] > reals[:, 1]) ^ (rng.integers(0, 9, m) == 0)
    words = np.array([f"w{k}" for k in rng.integers(0, 50, m)], dtype=object)[:, None]
    weigh = rng.integers(0, 1 << 20, m)
    for cost in ("gini", "entropy", "error", "sqrt"):
        for X, labels_, given in (
            (reals, y, {}),
            (reals, y + rng.integers(0, 20, m), {}),
            (small, y, {}),
            (small, y, {"sample_weight": weigh}),
            (words, y, {}),
        ):
            path = dt.grow(X, labels_, cost, 4, **given)
            yield path.split_variable, path.split_threshold, path.costs
        yield dt.impurity.threshold_scan(small[:, 0], y, cost)
    for X in (reals, small):
        for given in ({}, {"sample_weight": weigh}):
            path = dt.grow(X, X[:, 0] + y, "squared", 4, **given)
            yield path.split_variable, path.split_threshold, path.costs
    yield dt.impurity.threshold_scan(small[:, 0], y + 0.5, "squared")
    yield (dt.grow(words, y, max_leaves=4).tree().predict(words),)


@pytest.mark.filterwarnings("error")
def test_trees_are_the_same_with_integers_of_32_bits(monkeypatch):
    wide = list(grown())
    for module in MODULES:
        monkeypatch.setattr(module, "np", Narrow())
    for one, other in zip(wide, grown(), strict=True):
        assert all(map(np.array_equal, one, other))


def test_no_integers_of_the_platform_are_read_as_others():
    """A view takes the width for granted; what is converted has the width that is named."""
    found = [
        f"{path}: {line.strip()}"
        for path in Path(dt.__file__).parent.glob("core/**/*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"order\.view|astype\(int\)|dtype=int\b|np\.int_\b|np\.long\b", line)
    ]
    assert found == []
