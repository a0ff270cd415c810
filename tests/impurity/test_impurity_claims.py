"""The claims of chapter 4: every one is tried, its numbers are known, and wrong code is caught."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from support.claims import CountedLedger, listed, verdict_under

import dtviz as dt
from dtviz import impurity as chapter
from dtviz import rank
from dtviz.claims.sources import CU
from dtviz.core import costs, targets
from dtviz.impurity.claims import cases as impurity_cases
from dtviz.impurity.claims import costs as impurity_costs
from dtviz.impurity.claims import growth as impurity_growth

# The populations of a chapter are made once, in one process.
pytestmark = pytest.mark.xdist_group("claims of impurity")

MODULES = (impurity_costs, impurity_growth)
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
    impurity_cases.id3_trees,
    impurity_growth._id3_of_samples,
    impurity_growth._alternating,
)


# -- the numbers of the ledger ---------------------------------------------------------------------


NUMBERS = [
    ("CU-GINI", "dt.gini against counting pairs", 8 + 44 + 164 + 209, 0),
    ("CU-GINI-TREE", "no split raises it", 20**2 + 19**2, 0),
    ("CU-H-TREE", "no split raises it", 20**2 + 19**2, 0),
    ("CU-GOAL", "dt.optimal finds it, and ID3 none smaller", 256, 0),
    ("CU-GOAL", "were ID3's always smallest", 256, 42),
    ("CU-XOR", "the first split gains 0", 8, 0),
    ("CU-KL-OPT", "as printed, max KL = min H as numbers", 3, 3),
    ("CU-DEPTH", "alternating labels: depth n - 1", 4, 0),
    ("CU-NTHRESH", "n distinct values", 20, 0),
]


CASES = [
    ("CU-XOR", "2^n pure leaves", "32 leaves, error 0, for parity of 5"),
    ("CU-XOR", "stopping where nothing is gained", "1 leaf, error 0.5, for parity of 2"),
    ("CU-DEPTH", "alternating labels: depth n - 1", "depth 63 for n = 64"),
    ("CU-KL-OPT", "as printed, max KL = min H as numbers", "max KL = 1, min H = 0"),
    ("CU-GINI-MAX", "1/2 for any number of classes", "Gini 0.6667 at 1:1:1"),
    ("CU-TIME", "counting anew at each threshold", "12 labels read for n = 4"),
    ("CU-MYOPIC", "as printed, possibly all algorithms: exact", "4 leaves against ID3's 6"),
]


def test_what_is_known_of_the_cases():
    assert impurity_cases.drop_of(np.array([0, 1, 1, 0]), np.array([1, 1, 0, 0], bool)) == 0
    assert impurity_cases.drop_of(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0], bool)) == 0.5
    kinds = {sample.X.dtype.kind for sample in impurity_cases.small_samples()}
    assert kinds == {"i", "f"}
    torn = [
        len(set(map(tuple, sample.X.tolist()))) < len(sample.y)
        for sample in impurity_cases.small_samples()
    ]
    assert 10 < sum(torn) < 50
    found = impurity_cases.count_reads([0, 0, 1, 1])
    assert found == (12, 7, 0, 0)


def test_on_caterpillars_id3_is_exponentially_far_from_the_optimum():
    sizes = []
    for k in (1, 2, 3):
        f = dt.functions.caterpillar(k)
        sizes.append((dt.id3(dt.points(f.n), f.table).n_leaves, dt.optimal(f).n_leaves))
    assert sizes == [(6 * 2**k - 4, 4 * k + 2) for k in (1, 2, 3)]


# -- a false claim cannot pass, nor can wrong code -------------------------------------------------


FALSE = [
    partial(impurity_costs._greatest_at_uniform, lambda c: 1 - 1 / c - 0.01, strict=False),
    partial(impurity_costs._greatest_at_uniform, lambda _: 1.0, strict=True),
    partial(impurity_costs._no_split_raises, "entropy", weighted=False),
    partial(impurity_costs._divergence, "symmetric"),
    partial(impurity_growth._number_of_thresholds, distinct=False),
    partial(impurity_growth._root_gains, "a search for the least rank"),
    partial(impurity_growth._reads_of, "naive"),
    impurity_growth._id3_is_smallest,
    impurity_growth._at_most_log,
]


grow, id3, scan = chapter.grow, chapter.id3, chapter.threshold_scan
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


def upside_down(X, y, cost="entropy"):
    return id3(X, np.max(y) - np.asarray(y), cost)


WRONG = {
    "CU-GOAL": (chapter, "id3", lambda _, y: dt.Tree.leaf(int(y[0]))),
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
    "CU-CART-L": (costs, "squared_loss", lambda y: loss(y) * len(y)),
    "CU-DEPTH": (chapter, "id3", lambda X, y, cost="gini": grow(X, y, cost).tree(1)),
}


def test_every_claim_that_is_computed_is_attacked():
    assert set(WRONG) == {key for key, claim in CLAIMS.items() if claim.holds}


@pytest.mark.parametrize("wrong", [stopped, upside_down])
def test_an_id3_that_stops_early_or_votes_wrongly_is_caught(wrong):
    assert verdict_under((chapter, "id3", wrong), CLAIMS["CU-ID3"], CACHES) == "FAILS"


def test_ties_are_free_to_the_claims():
    """Another rule for ties is ID3 just as well."""
    wrong = (chapter, "id3", backwards)
    assert verdict_under(wrong, CLAIMS["CU-ID3"], CACHES) == "holds"


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
