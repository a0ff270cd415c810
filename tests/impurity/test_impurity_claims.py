"""The claims of chapter 4: every one is tried, its numbers are known, and wrong code is caught."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from dtviz.claims.sources import CU
from dtviz.impurity.claims import cases as impurity_cases
from dtviz.impurity.claims import costs as impurity_costs
from dtviz.impurity.claims import (
    counting,
    divergence,
    growth,
    myopia,
    regression,
    small,
    splits,
    vectors,
)
from dtviz.impurity.claims import depth as impurity_depth
from dtviz.impurity.claims import trees as impurity_trees
from support.claims import CountedLedger, listed, verdict_under

import dtviz as dt
from dtviz import impurity as chapter
from dtviz import rank
from dtviz.core import costs, number_target, targets
from dtviz.core import optimal as best
from dtviz.core.all_functions import optimal_all
from dtviz.core.best_first import read_examples
from dtviz.core.examples import Inputs

# The populations of a chapter are made once, in one process.
pytestmark = pytest.mark.xdist_group("claims of impurity")

MODULES = (
    impurity_costs,
    divergence,
    impurity_trees,
    small,
    growth,
    myopia,
    splits,
    regression,
    impurity_depth,
)
CLAIMS = listed(MODULES)
ROWS = {
    "GOAL",
    "NPH",
    "PK",
    "GINI",
    "GINI-MAX",
    "GINI-TREE",
    "KL",
    "KL-EXP",
    "KL-UNIF",
    "KL-OPT",
    "H",
    "H-TREE",
    "ID3",
    "XOR",
    "MYOPIC",
    "SPLIT",
    "NTHRESH",
    "TIME",
    "CART-L",
    "CART-CHAR",
    "PARAM",
    "DEPTH",
}
CACHES = (
    impurity_cases.paths,
    impurity_cases.grown_trees,
    impurity_cases.id3_of_samples,
    impurity_cases.id3_trees,
    impurity_cases._optimal_trees,
    impurity_costs._leaves_of_grown_trees,
    impurity_trees._costed_trees,
    small._leaves_of_smallest,
    small._id3_of_coverings,
    small._caterpillars,
    small._optimum,
    growth._choices,
    growth._leaves_by_squared_loss,
    myopia._gains,
    splits._points_on_thresholds,
    splits._work_of_searches,
    splits._work_of_boxes,
    splits._work_anew,
    splits._scans,
    regression._cuts,
    impurity_depth._trees_on_a_line,
    impurity_depth._weighted_impurities,
    impurity_depth._trees,
)


# -- the numbers of the ledger ---------------------------------------------------------------------


NUMBERS = [
    ("CU-GINI", "dt.gini against counting pairs", 8 + 44 + 164 + 209, 0),
    ("CU-GINI-MAX", "1/2 for any number of classes", 417 + 9 + 27 + 81, 238),
    ("CU-KL", "at least 0, and 0 only for p = q", 14**2 + 34**2 + 9**2 + 27**2, 0),
    (
        "CU-GINI-TREE",
        "no split raises it, and it stays only if both sides have the same shares",
        20**2 + 19**2,
        0,
    ),
    ("CU-KL", "were it symmetric", 2162, 1412),
    ("CU-GINI-TREE", "without the weights", 761, 28),
    ("CU-H-TREE", "without the weights", 761, 16),
    ("CU-XOR", "stopping where nothing is gained", 4, 4),
    ("CU-NTHRESH", "n - 1 also with repeated values", 126, 90),
    ("CU-TIME", "counting anew at each threshold", 36, 30),
    ("CU-DEPTH", "as printed, O(log2 n), with factor 5", 11, 2),
    ("CU-GOAL", "dt.optimal finds it, against all trees of 1, 2, 3, … leaves", 256, 0),
    ("CU-GOAL", "were ID3's always smallest", 256, 42),
    ("CU-XOR", "the first split gains 0, of XOR and of the parity of more bits", 4 * 14, 0),
    ("CU-MYOPIC", "as printed, possibly all algorithms: exact", 254, 40),
    ("CU-MYOPIC", "possibly all algorithms: a search for the least rank", 254, 40),
    ("CU-KL-OPT", "as printed, max KL = min H as numbers", 3, 3),
    ("CU-DEPTH", "alternating labels: n leaves, depth n - 1", 3 * 11, 0),
    (
        "CU-DEPTH",
        "alternating labels: the best cuts are at the ends, and nowhere else",
        3 * 119,
        0,
    ),
    ("CU-NTHRESH", "n - 1 for n distinct values", 20, 0),
    (
        "CU-TIME",
        "the package's search: at most 10 d (n log n + nc) steps for n ≥ 16",
        4 * 2 * 3 * 5,
        0,
    ),
]


CASES = [
    (
        "CU-XOR",
        "2^k pure leaves for k bits, and no tree has fewer",
        "32 leaves, error 0, for parity of 5",
    ),
    ("CU-XOR", "stopping where nothing is gained", "1 leaf, error 0.5, for parity of 2"),
    ("CU-DEPTH", "alternating labels: n leaves, depth n - 1", "depth 63 for n = 64"),
    ("CU-KL-OPT", "as printed, max KL = min H as numbers", "max KL = 1, min H = 0"),
    ("CU-GINI-MAX", "1/2 for any number of classes", "gini 0.6666667 at 1:1:1"),
    (
        "CU-TIME",
        "the package's search: at most 10 d (n log n + nc) steps for n ≥ 16",
        "at most 256,000, for n = 1024, 15 classes, 1 number each, by gini",
    ),
    (
        "CU-MYOPIC",
        "as printed, possibly all algorithms: exact",
        "root x0 gains 0.0944 less than the best, 4 leaves against ID3's 6",
    ),
]


def test_what_is_known_of_the_cases():
    assert impurity_cases.drop_of(np.array([0, 1, 1, 0]), np.array([1, 1, 0, 0], bool)) == 0
    assert impurity_cases.drop_of(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0], bool)) == 0.5
    kinds = {sample.X.dtype.kind for sample in impurity_cases.small_samples()}
    assert kinds <= {"i", "u", "b", "f"}
    assert {"i", "f"} <= kinds
    torn = [
        len(set(map(tuple, sample.X.tolist()))) < len(sample.y)
        for sample in impurity_cases.small_samples()
    ]
    assert 10 < sum(torn) < 50


def test_on_caterpillars_id3_is_exponentially_far_from_the_optimum():
    sizes = []
    for k in (1, 2, 3):
        f = dt.functions.caterpillar(k)
        sizes.append((dt.id3(dt.points(f.n), f.table).n_leaves, dt.optimal(f).n_leaves))
    assert sizes == [(6 * 2**k - 4, 4 * k + 2) for k in (1, 2, 3)]


def test_the_fewest_leaves_from_the_trees_are_those_of_the_subcubes():
    for n in (1, 2, 3):
        assert impurity_cases.fewest_leaves(n).tolist() == optimal_all(n).n_leaves.tolist()


@pytest.mark.parametrize("cost", ["gini", "entropy", "squared"])
def test_counting_anew_finds_the_split_of_the_package(cost):
    rng = np.random.default_rng(1)
    for _ in range(10):
        X, y = rng.random((30, 2)), rng.integers(0, 3, 30)
        target, inputs = read_examples(Inputs, X, y, cost, None)
        columns = inputs.columns
        found = counting.package(columns, target)
        _, feature, cut = counting.counted_anew(columns, target)
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


# -- a false claim cannot pass, nor can wrong code -------------------------------------------------


RANDOM = np.random.default_rng(0)


def noise(*_):
    """A random number in place of any other."""
    return float(RANDOM.random())


def noises(first, *_):
    """A random number for each row."""
    return RANDOM.random(np.shape(first)[:1])


def noisy_weights(low, _):
    return (share := RANDOM.random(np.shape(low)), 1 - share)


FALSE = [
    partial(impurity_costs._shares_of_nodes, lambda number, _: RANDOM.random(number.shape[1])),
    partial(vectors.every, noises, vectors.entropy_from_counts),
    partial(impurity_costs._gini_of_pairs, noise),
    partial(vectors.greatest_at_uniform, bound=lambda _: noise()),
    partial(impurity_costs._error_and_gini, 1, 1.5),
    partial(divergence._divergence, noises),
    partial(divergence._gibbs, noises),
    partial(divergence._kl_of_uniform, noise),
    partial(divergence._least_at_uniform, noises),
    partial(impurity_trees._recursion, "gini", noisy_weights),
    partial(impurity_trees._recursion, "entropy", noisy_weights),
    partial(impurity_trees._no_split_raises, noises),
    partial(impurity_trees._no_split_raises, "entropy", noisy_weights),
    partial(impurity_trees._drop_is, "gini", lambda sides: noises(sides[0])),
    partial(small._is_smallest, lambda f: dt.build_top_down(f).tree()),
    partial(growth._leaves_are_base_cases, lambda *_: noise() < 0.5),
    partial(growth._splits_are_best, noisy_weights),
    partial(growth._fits_best, mistakes=noise),
    partial(growth._means_at_the_end, noise),
    partial(myopia._first_split_gains_nothing, lambda n: RANDOM.integers(0, 2, 2**n)),
    partial(myopia._root_has_the_most, of=lambda f: RANDOM.random(f.n)),
    partial(myopia._all_gain_most_where, lambda f: RANDOM.random(f.n)),
    partial(splits._sides_of_a_split, lambda *_: noise() < 0.5),
    partial(splits._between_neighbours, lambda values: values[:-1] + noise()),
    partial(splits._number_of_splits, noise),
    partial(splits._work_of_the_box, bound=lambda n, _: n * np.log2(n)),
    partial(splits._is_quadratic, lambda n, _: n**2 * noise()),
    partial(regression._loss_by_definition, noise),
    partial(regression._mean_is_best, lambda _: Fraction(noise())),
    partial(regression._drop_of_squared_loss, noise),
    partial(impurity_depth._chains, labels=lambda n: RANDOM.integers(0, 2, n)),
    partial(impurity_depth._best_cuts, lambda n: set(RANDOM.integers(1, n, 2).tolist())),
    partial(impurity_depth._between, most=lambda leaves: leaves * noise()),
]


grow, id3, scan = chapter.grow, chapter.id3, chapter.threshold_scan
cuts, box = targets.ClassTarget.cuts, chapter.literal.threshold_scan
along = number_target.NumberTarget.along
gini, entropy, kl, loss = costs.gini, costs.entropy, costs.kl, costs.squared_loss


def shifted(x, y, cost="gini"):
    found = scan(x, y, cost)
    return chapter.ThresholdScan(found.thresholds[1:], found.impurities[1:])


def unweighted(x, y, cost="gini"):
    found = scan(x, y, cost)
    return chapter.ThresholdScan(found.thresholds, found.impurities * 0.9)


def stopped(X, y, cost="entropy"):
    """ID3 that stops where no split lowers the cost."""
    path = grow(X, y, cost)
    useless = np.flatnonzero(path.scores[:-1] == 0)
    return path.tree(int(useless[0]) + 1 if useless.size else None)


def backwards(X, y, cost="entropy"):
    """ID3 that asks for the last feature first."""
    tree = id3(np.asarray(X)[:, ::-1], y, cost)
    last = np.shape(X)[1] - 1
    return dt.Tree(
        np.where(tree.variable < 0, -1, last - tree.variable), tree.value, tree.threshold
    )


def counting_anew(self, level, summary):
    """The best cuts, and a second look at all labels for each threshold."""
    for _ in range(self.m - 1):
        self.summary(np.arange(self.m), np.zeros(self.m, dtype=int), 1)
    return cuts(self, level, summary)


def in_the_box(sample, feature, impurity):
    """The box, which counts all labels again for each threshold."""
    for _ in sample:
        chapter.literal.labels_of(sample)
    return box(sample, feature, impurity)


def upside_down(X, y, cost="entropy"):
    return id3(X, np.max(y) - np.asarray(y), cost)


WRONG = {
    "CU-GOAL": (best, "join_sizes", best.join_depths),
    "CU-PK": (targets.ClassTarget, "counts", lambda _, summary: summary[:, ::-1]),
    "CU-GINI": (costs, "gini", lambda p: 2 * gini(p)),
    "CU-GINI-MAX": (costs, "gini", lambda p: gini(p) + 0.1),
    "CU-GINI-TREE": (targets.ClassTarget, "cost", lambda self, s: self.error(s)),
    "CU-KL": (costs, "kl", lambda p, q: kl(q, p)),
    "CU-KL-EXP": (costs, "kl", lambda p, q: kl(p, q) / np.log2(np.e)),
    "CU-KL-UNIF": (costs, "kl", lambda p, q: kl(p, q) + 1),
    "CU-KL-OPT": (costs, "entropy", lambda p: -entropy(p)),
    "CU-H": (costs, "entropy", lambda p: entropy(p) / 2),
    "CU-H-TREE": (costs, "entropy", lambda p: entropy(p) ** 3),
    "CU-ID3": (chapter, "id3", upside_down),
    "CU-XOR": (chapter, "grow", lambda X, y, cost: grow(X, y, cost, max_leaves=3)),
    "CU-MYOPIC": (chapter, "id3", lambda X, y: dt.TopDownClassifier("error").fit(X, y).tree_),
    "CU-SPLIT": (dt.Tree, "apply", lambda _, X: np.zeros(len(X), dtype=int)),
    "CU-NTHRESH": (chapter, "threshold_scan", shifted),
    "CU-TIME": (chapter, "threshold_scan", unweighted),
    "CU-TIME, the package": (targets.ClassTarget, "cuts", counting_anew),
    "CU-TIME, the box": (chapter.literal, "threshold_scan", in_the_box),
    "CU-TIME, squared loss": (
        number_target.NumberTarget,
        "along",
        lambda self, rows, found: along(self, rows, found) * 1.001,
    ),
    "CU-CART-L": (costs, "squared_loss", lambda y: loss(y) * len(y)),
    "CU-DEPTH": (chapter, "id3", lambda X, y, cost="gini": grow(X, y, cost).tree(1)),
}


def test_every_claim_that_is_computed_is_attacked():
    assert {fault.partition(",")[0] for fault in WRONG} == {
        key for key, claim in CLAIMS.items() if claim.holds
    }


@pytest.mark.parametrize("wrong", [stopped, upside_down])
def test_an_id3_that_stops_early_or_votes_wrongly_is_caught(wrong):
    assert verdict_under((chapter, "id3", wrong), CLAIMS["CU-ID3"], CACHES) == "FAILS"


def test_ties_are_free_to_the_source_but_not_to_the_book():
    """Another rule for ties is ID3 just as well."""
    wrong, claim = (chapter, "id3", backwards), CLAIMS["CU-ID3"]
    free = tuple(form for form in claim.holds if not form.label.startswith("ties"))
    assert len(free) == len(claim.holds) - 1
    assert verdict_under(wrong, replace(claim, holds=free), CACHES) == "holds"
    assert verdict_under(wrong, claim, CACHES) == "FAILS"


def test_rank_is_as_the_myopia_claim_uses_it():
    """FIND tries variables in order, whatever they gain."""
    f = dt.BooleanFunction.from_int(3, 27)
    tree = rank.find_min(dt.points(3), f.table)
    assert tree.function(3) == f


class TestLedger(CountedLedger):
    """The chapter against the ledger of its source."""

    modules = MODULES
    rows = frozenset(f"CU-{row}" for row in ROWS)
    number = 22
    repaired = ("CU-KL-OPT", "CU-MYOPIC", "CU-DEPTH")
    prose = ("CU-NPH", "CU-CART-CHAR", "CU-PARAM")
    source = CU
    page = "4-impurity"
    numbers = NUMBERS
    cases = CASES
    false = FALSE
    wrong = WRONG
    caches = CACHES
    stable = ("CU-GOAL", "CU-ID3", "CU-MYOPIC", "CU-DEPTH")
