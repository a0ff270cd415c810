"""Wrong code in the package, and slips in the formulas of the claims of chapter 4, are caught."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from support.cases import sweep

import dtviz as dt
from claims.impurity import counting
from claims.kit.faults import fails_under
from dtviz import impurity as chapter
from dtviz.core import costs
from dtviz.core import optimal as best
from dtviz.core.cart import class_target
from dtviz.core.cart.best_first import read_examples
from dtviz.core.cart.number_target import NumberTarget
from dtviz.core.data.examples import Inputs

FILES = [path.stem for path in Path(__file__).parent.glob("*.py")]
MODULES = [
    import_module(f"claims.impurity.{f}")
    for f in sorted({*FILES} - {"__init__"})
    if f != "test_faults"
]
TESTS = {f.claim.id: f for m in MODULES for name, f in vars(m).items() if name.startswith("test_")}
CACHES = [f for m in MODULES for f in vars(m).values() if hasattr(f, "cache_clear")]

least_errors = chapter.least_errors
grow, id3, scan = chapter.grow, chapter.id3, chapter.threshold_scan
cuts, box, along = class_target.ClassTarget.cuts, chapter.literal.threshold_scan, NumberTarget.along
classes = costs.CLASS_COST_FUNCTIONS
gini, entropy, kl, loss = costs.gini, costs.entropy, costs.kl, costs.squared_loss


def stopped(X, y, cost="entropy"):
    """ID3 that stops where no split lowers the cost."""
    path = grow(X, y, cost)
    useless = np.flatnonzero(path.scores[:-1] == 0)
    return path.tree(int(useless[0]) + 1 if useless.size else None)


def by_error(X, y, cost="entropy"):
    del cost
    return id3(X, y, "error")


def backwards(X, y, cost="entropy"):
    """ID3 that asks for the last feature first."""
    tree = id3(np.asarray(X)[:, ::-1], y, cost)
    last = np.shape(X)[1] - 1
    variable = np.where(tree.variable < 0, -1, last - tree.variable)
    return dt.Tree(variable, tree.value, tree.threshold)


def recounting(self, level, summary):
    """The best cuts, and a second look at all labels for each threshold."""
    for _ in range(self.m - 1):
        self.summary(np.arange(self.m), np.zeros(self.m, dtype=int), 1)
    return cuts(self, level, summary)


def in_the_box(sample, feature, impurity):
    """The box, which counts all labels again for each threshold."""
    for _ in sample:
        chapter.literal.labels_of(sample)
    return box(sample, feature, impurity)


def shifted(x, y, cost="gini"):
    return chapter.ThresholdScan(*(part[1:] for part in scan(x, y, cost)))


def unweighted(x, y, cost="gini"):
    found = scan(x, y, cost)
    return chapter.ThresholdScan(found.thresholds, found.impurities * 0.9)


FAULTS = {
    "the least depth for the fewest leaves": ("CU-GOAL", (best, "join_sizes", best.join_depths)),
    "caterpillars by the error": ("OURS-IMP-CATERPILLAR", (chapter, "id3", by_error)),
    "covers by the error": ("OURS-IMP-GREEDY", (chapter, "id3", by_error)),
    "the error for the root": (
        "OURS-IMP-AGREE",
        (costs, "COST_FUNCTIONS", {**costs.COST_FUNCTIONS, "sqrt": costs.COST_FUNCTIONS["error"]}),
    ),
    "a leaf too few": (
        "OURS-IMP-COVER",
        (chapter, "least_errors", lambda X, y, most: least_errors(X, y, most)[1:]),
    ),
    "the classes in reverse": (
        "CU-PK",
        (class_target.ClassTarget, "counts", lambda self, s: s[:, : self.c][:, ::-1]),
    ),
    "Gini twice as large": ("CU-GINI", (costs, "gini", lambda p: 2 * gini(p))),
    "Gini a tenth more": ("CU-GINI-MAX", (costs, "gini", lambda p: gini(p) + 0.1)),
    "the error for the cost": (
        "CU-GINI-TREE",
        (class_target.ClassTarget, "cost", lambda self, s: self.error(s)),
    ),
    "the root a tenth more": (
        "OURS-IMP-ROOT",
        (costs, "CLASS_COST_FUNCTIONS", {**classes, "sqrt": lambda p: 1.1 * classes["sqrt"](p)}),
    ),
    "the error for the drop": (
        "OURS-IMP-DROP",
        (class_target.ClassTarget, "cost", lambda self, s: self.error(s)),
    ),
    "p and q exchanged": ("CU-KL", (costs, "kl", lambda p, q: kl(q, p))),
    "natural logarithms": ("CU-KL-EXP", (costs, "kl", lambda p, q: kl(p, q) / np.log2(np.e))),
    "KL a bit more": ("CU-KL-UNIF", (costs, "kl", lambda p, q: kl(p, q) + 1)),
    "entropy below 0": ("CU-KL-OPT", (costs, "entropy", lambda p: -entropy(p))),
    "half of the entropy": ("CU-H", (costs, "entropy", lambda p: entropy(p) / 2)),
    "the cube of the entropy": ("CU-H-TREE", (costs, "entropy", lambda p: entropy(p) ** 3)),
    "ID3 stops where nothing is gained": ("CU-ID3", (chapter, "id3", stopped)),
    "ID3 votes for another label": (
        "CU-ID3",
        (chapter, "id3", lambda X, y, cost="entropy": id3(X, np.max(y) - np.asarray(y), cost)),
    ),
    "ID3 without its last split": (
        "OURS-IMP-FITS",
        (chapter, "id3", lambda X, y, cost="entropy": grow(X, y, cost).tree(max(1, len(y) // 2))),
    ),
    "of ties the last feature": ("CU-ID3", (chapter, "id3", backwards)),
    "three leaves at most": (
        "CU-XOR",
        (chapter, "grow", lambda X, y, cost: grow(X, y, cost, max_leaves=3)),
    ),
    "ID3 by the error": ("CU-MYOPIC", (chapter, "id3", lambda X, y: id3(X, y, "error"))),
    "every point comes to the root": (
        "CU-SPLIT",
        (dt.Tree, "apply", lambda _, X: np.zeros(len(X), dtype=int)),
    ),
    "the first threshold left out": ("CU-NTHRESH", (chapter, "threshold_scan", shifted)),
    "a tenth less left": ("CU-TIME", (chapter, "threshold_scan", unweighted)),
    "the package recounts": ("CU-TIME", (class_target.ClassTarget, "cuts", recounting)),
    "the box recounts": ("CU-TIME", (chapter.literal, "threshold_scan", in_the_box)),
    "the box of ID3 asks twice": (
        "OURS-IMP-WHOLE",
        (
            chapter.literal,
            "questions",
            lambda sample, of=chapter.literal.questions: 20 * of(sample),
        ),
    ),
    "squared loss a thousandth more": (
        "CU-TIME",
        (NumberTarget, "along", lambda self, rows, found: along(self, rows, found) * 1.001),
    ),
    "the sum of squares": ("CU-CART-L", (costs, "squared_loss", lambda y: loss(y) * len(y))),
    "rows cut by the error": (
        "OURS-IMP-ALTERNATING",
        (chapter, "threshold_scan", lambda x, y, _: scan(x, y, "error")),
    ),
    "two leaves too few": (
        "OURS-IMP-OVERLAP",
        (chapter, "least_errors", lambda X, y, most: least_errors(X, y, most)[2:]),
    ),
    "more than the mean at the leaves": (
        "OURS-IMP-PROPERTIES",
        (NumberTarget, "value", lambda _, summary: summary[:, 1] + summary[:, 2]),
    ),
    "categories in the order of their rows": (
        "OURS-IMP-SUBSETS",
        (class_target.ClassTarget, "response", lambda _, rows: np.sin(rows)),
    ),
    "ID3 makes a leaf of all": (
        "CU-DEPTH",
        (chapter, "id3", lambda X, y, cost="gini": grow(X, y, cost).tree(1)),
    ),
}


def test_every_claim_that_is_computed_is_attacked():
    tried = {name for name, test in TESTS.items() if not (test.__doc__ or "").startswith("There")}
    assert {name for name, _ in FAULTS.values()} == tried


@pytest.mark.parametrize("what", sweep(FAULTS, 3))
def test_a_fault_in_the_package_is_caught(what):
    name, fault = FAULTS[what]
    assert fails_under(fault, TESTS[name], CACHES)


@pytest.mark.parametrize("cost", ["gini", "entropy", "squared"])
def test_counting_anew_finds_the_split_of_the_package(cost):
    rng = np.random.default_rng(1)
    for _ in range(10):
        X, y = rng.random((30, 2)), rng.integers(0, 3, 30)
        target, inputs = read_examples(Inputs, X, y, cost, None)
        columns = inputs.columns
        found = counting.package(columns, target)
        _, feature, cut = counting.recounted(columns, target)
        below, above = np.sort(columns[feature])[cut - 1 : cut + 1]
        assert (found.feature[0], found.threshold[0]) == (feature, below / 2 + above / 2)


def test_every_entry_of_a_counted_array_is_counted():
    meter = counting.Meter(10_000)
    numbers = counting.Counted.of(np.arange(64.0), meter)
    for made, steps in (
        (lambda: numbers + 1, 64),
        (lambda: (numbers * numbers)[:10], 74),
        (numbers.cumsum, 64),
        (lambda: numbers.take([1, 2, 3]), 3),
        (lambda: np.bincount(numbers.astype(int)), 64),
        (numbers.argsort, 64 * 6 + 64),
        (lambda: np.zeros(64) + numbers[:32].repeat(2), 32 + 64 + 64),
    ):
        before = meter.steps
        made()
        assert meter.steps - before == steps
    numbers += 1
    assert (type(numbers), float(numbers.sum())) == (counting.Counted, 64 * 65 / 2)
    with pytest.raises(counting.TooManyError):
        np.tile(numbers, 200).sum()
