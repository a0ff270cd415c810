"""The claims of chapter 5 about growing: each is tried, its numbers known, wrong code caught."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from dtviz.claims.sources import MN
from dtviz.growing.claims import (
    algorithm,
    cases,
    costs,
    definitions,
    falls,
    leaves,
    rates,
    shapes,
    square_root,
)
from support.claims import CountedLedger, listed, verdict_under

import dtviz as dt
from dtviz import growing
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.growing import one_split, predicates, votes

# The populations of a chapter are made once, in one process.
pytestmark = pytest.mark.xdist_group("claims of growing")

MODULES = (definitions, shapes, costs, algorithm, leaves, rates, square_root)
CLAIMS = listed(MODULES)
ROWS = {
    "OCCAM",
    "H",
    "F12.1",
    "ET",
    "GMIN",
    "SPLIT-A",
    "SPLIT-B",
    "F12.3",
    "EX",
    "CRIT1",
    "CRIT2",
    "STRICT",
    "GX",
    "GTERR",
    "NPC",
    "TLH",
    "DROP",
    "ALG",
    "GINI",
    "ENT",
    "SQRT",
    "F12.4",
    "LIN",
    "WL",
    "BALANCE",
    "DROP16",
    "L12.1",
    "CHAIN",
    "GE",
    "REC",
    "TG",
    "TE",
    "TS",
}
CACHES = (
    cases.runs,
    cases.grown_trees,
    cases.deep_runs,
    cases.weak_runs,
    cases.adversaries,
    cases.vote_runs,
    cases.leaf_sets,
    definitions._mistakes,
    algorithm._regions,
    algorithm._ranked,
    falls.moments,
)


# -- the numbers of the ledger ---------------------------------------------------------------------


NUMBERS = [
    ("MN-ET", "over the leaves", 1_030, 0),
    ("MN-ALG", "t + 1 leaves", 1_030, 0),
    ("MN-WL", "the majority of 3 and its variables, gamma = 1/6", 1_716, 0),
    ("MN-LIN", "the drop, exactly", 15 * 17 * 17, 0),
    ("MN-DROP16", "Gini: 32 gamma² x²", 15 * 17 * 16 + 2, 0),
    ("MN-DROP16", "Gini: 33 gamma² [q(1-q)]²", 15 * 17 * 16 + 2, 818),
    ("MN-L12.1", "3 leaves, c = 3/2", 21 * 11**3, 0),
    ("MN-L12.1", "c = 1.4", 20, 20),
    ("MN-CHAIN", "the good leaf", 7 * 11**2 + 21 * 11**3, 0),
    ("MN-GE", "as printed: G/2 = eps(1-eps)", 21 * 11**3, 27_090),
    ("MN-REC", "the recurrence of the notes", 952, 0),
    ("MN-TE", "as printed: a smaller epsilon takes more", 8, 8),
]


CASES = [
    ("MN-F12.3", "ten inputs", "error 0.2 before and 0.2 after"),
    ("MN-EX", "by hand", "error 0.000000, gini 0.080000, entropy 0.118226, sqrt 0.155051"),
    ("MN-DROP16", "Gini: 32 gamma² x²", "drop / floor = 1,"),
    ("MN-DROP16", "entropy: (4/ln 2) gamma² x", "drop / floor = 1, edge 0.003906"),
    ("MN-DROP16", "sqrt: (1 - sqrt(1 - 4 gamma²)) sqrt(x)", "drop / floor = 1,"),
    ("MN-L12.1", "c = 1.4", "error 1.0204 epsilon"),
    ("MN-CHAIN", "from the leaf to G³/(8t)", "1 ≥ 0.01562"),
    ("MN-REC", "the recurrence of the notes", "drop / floor = 64.026 at step 1"),
    ("MN-REC", "our recurrence", "drop / floor = 1 at step 0"),
    ("MN-TG", "ours: G ≤ 1/(2 + 8 gamma² ln(t+1))", "after 2 splits"),
    ("MN-TS", "the bound on G", "after 2 splits"),
    ("MN-TS", "votes: gamma² ln t / ln(1/eps) hardly changes", "= 0.1224 for edge 0.05"),
    ("MN-TS", "as printed, c = 2", "votes of edge 0.1"),
]


def test_a_split_of_the_ledger_mixes_to_two_numbers():
    tau, p, r = 0.3, 0.2, 0.9
    assert (tau * p + (1 - tau) * r, (1 - tau) * p + tau * r) == pytest.approx((0.69, 0.41))


# -- a false claim cannot pass, nor can wrong code -------------------------------------------------


FALSE = [
    partial(leaves._adversary, 1.4999),
    partial(definitions._occam, 8, lambda *_: 100),
    partial(shapes._drops, "error", lambda lost: lost > 0),
    # What one cost loses is not what another promises.
    partial(falls.steps_keep, "gini", falls.our_floor("sqrt")),
    partial(falls.steps_keep, "entropy", falls.our_floor("sqrt")),
    partial(falls.enough, "sqrt", lambda _, gamma: 1 / gamma),
]


grow = growing.grow_predicates


def by_error(predicates, target, weights=None, cost="gini", max_leaves=None):
    del cost
    return grow(predicates, target, weights, "error", max_leaves)


def unlike(cost, G):
    """The costs, one of them exchanged."""
    return {**COST_FUNCTIONS, cost: G}


def ten_times_as_many(gamma, cost, epsilon):
    """Growth that takes the tenth power of the leaves it needs."""
    grown = votes.grow_votes(gamma, cost, epsilon)
    return replace(grown, log_leaves=10 * grown.log_leaves)


WRONG = {
    "MN-TLH": (dt.Tree, "predict", lambda _, X: np.zeros(len(X), dtype=int)),
    "MN-F12.1": (dt.Tree, "predict", lambda tree, X: 1 - tree._labels("")[tree.apply(X)]),
    "MN-ET": (dt.Tree, "predict", lambda tree, X: 1 - tree._labels("")[tree.apply(X)]),
    "MN-GMIN": (definitions, "COST_FUNCTIONS", unlike("error", lambda q: max(q, 1 - q))),
    "MN-F12.3": (
        growing,
        "grow_predicates",
        lambda *a, **_: grow(*a, cost="gini", weights=range(10)),
    ),
    "MN-EX": (growing, "drop", lambda tau, p, r, _: (p - r) ** 2 * tau),
    "MN-DROP": (growing, "drop", lambda *_: 0.125),
    "MN-ALG": (predicates, "grow_predicates", by_error),
    "MN-WL": (growing, "edges", lambda predicates, *_: np.zeros(predicates.shape[1])),
    "MN-BALANCE": (growing, "edge", lambda tau, p, r: (r - p) / 2 + 0 * tau),
    "MN-CRIT1": (shapes, "COST_FUNCTIONS", unlike("gini", lambda q: q)),
    "MN-CRIT2": (shapes, "COST_FUNCTIONS", unlike("gini", lambda q: (1 - 2 * q) ** 2)),
    "MN-STRICT": (one_split, "COST_FUNCTIONS", unlike("sqrt", COST_FUNCTIONS["error"])),
    "MN-GX": (shapes, "COST_FUNCTIONS", unlike("gini", lambda q: q * (1 - q))),
    "MN-GINI": (costs, "COST_FUNCTIONS", unlike("gini", COST_FUNCTIONS["sqrt"])),
    "MN-ENT": (costs, "COST_FUNCTIONS", unlike("entropy", COST_FUNCTIONS["sqrt"])),
    "MN-SQRT": (costs, "COST_FUNCTIONS", unlike("sqrt", COST_FUNCTIONS["gini"])),
    "MN-F12.4": (costs, "COST_FUNCTIONS", unlike("gini", COST_FUNCTIONS["sqrt"])),
    "MN-LIN": (one_split, "COST_FUNCTIONS", unlike("error", COST_FUNCTIONS["gini"])),
    "MN-DROP16": (one_split, "COST_FUNCTIONS", unlike("sqrt", COST_FUNCTIONS["gini"])),
    "MN-L12.1": (growing, "has_good_leaf", lambda *_: False),
    "MN-REC": (growing, "tree_drop_floor", lambda G, *_: G / 2),
    "MN-TG": (growing, "cost_bound", lambda L, *_: 0.1 + 0 * L),
    "MN-TE": (growing, "cost_bound", lambda L, *_: 0.1 + 0 * L),
    "MN-TS": (growing, "log_leaves_enough", lambda *_, **__: 1.0),
}


@pytest.mark.parametrize("cost", growing.BOUNDED)
def test_adversaries_have_a_question_for_every_leaf(cost):
    """Bits are asked in their order, and no leaf has seen all before the last split looked at."""
    for world in cases.adversaries(cost):
        depth = [0]
        for step, node in enumerate(world.path.split_node):
            if step <= world.steps:
                assert world.path.split_variable[step] == depth[node]
            depth += [depth[node] + 1] * 2
        assert max(depth[: 2 * world.steps + 1]) < max(depth)


def test_adversaries_grant_the_edge_and_no_more():
    """By counting, on a small world: the next bit has the edge, those after it no more."""
    for even, share in ((True, 0.5), (False, 0.5), (True, 0.2), (False, 0.2)):
        weights, shares = cases.adversary(share, 0.1, 4, even=even)
        X = dt.points(4)
        for depth in range(4):
            for prefix in np.unique(X[:, :depth], axis=0):
                here = (X[:, :depth] == prefix).all(axis=1)
                edges = growing.edges(X[here], shares[here], weights[here])
                assert edges[depth] == pytest.approx(0.1)
                assert edges[:depth] == pytest.approx(0)
                assert (edges[depth:] <= 0.1 + 1e-12).all()


@pytest.mark.parametrize("claim_id", ["MN-TG", "MN-TE", "MN-TS"])
def test_slow_growth_refutes_the_rates(claim_id):
    wrong = (cases, "grow_votes", ten_times_as_many)
    assert verdict_under(wrong, CLAIMS[claim_id], CACHES) == "FAILS"


class TestLedger(CountedLedger):
    """The chapter against the ledger of its source."""

    modules = MODULES
    rows = frozenset(f"MN-{row}" for row in ROWS)
    number = 33
    repaired = frozenset(
        f"MN-{row}" for row in ("ET", "DROP", "CRIT2", "STRICT", "GX", "LIN", "GE", "TE", "TS")
    )
    prose = ("MN-NPC",)
    source = MN
    page = "5-growing"
    numbers = NUMBERS
    cases = CASES
    false = FALSE
    wrong = WRONG
    caches = CACHES
    stable = ("MN-ET", "MN-DROP")
