"""The claims of chapter 1: their numbers are known, and neither false ones nor wrong code pass."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from support import evidence
from support.claims import (
    numbers,
    planted,
    require,
    require_refuted,
    require_statuses,
    tried,
    verdict_under,
)

import dtviz as dt
from dtviz import claims, influence
from dtviz.claims.populations import (
    all_functions,
    log2,
)
from dtviz.claims.registry import Form
from dtviz.core import measures, topdown
from dtviz.influence.claims import inequalities, lemmas, lower_bounds, theorem

# The populations of a chapter are made once, in one process.
pytestmark = pytest.mark.xdist_group("claims of influence")

REPAIRED = {f"BLT-T3-{row}" for row in ("TERM", "P1c", "P2b", "P2c", "P2m")}
BLT_ROWS = {
    "DEF-BARE",
    "DEF-INF",
    "DEF-TINF",
    "DEF-ERRT",
    "DEF-ERRPM",
    "DEF-SCORE",
    "ALG",
    "STOP",
    "DEF-COST",
    "L5.1a",
    "L5.1b",
    "L5.1c",
    "L5.2",
    "L5.2i",
    "L5.2ii",
    "OSSS",
    "L5.3",
    "L5.4",
    "C0",
    "T3",
    "T3-TERM",
    "T3-P1a",
    "T3-P1b",
    "T3-P1c",
    "T3-P1k",
    "T3-P2a",
    "T3-P2b",
    "T3-P2c",
    "T3-P2m",
    "T3-SIZE",
    "LB",
}


# -- the registry ---------------------------------------------------------------------------------


def test_every_row_of_the_first_source_is_there() -> None:
    assert len(BLT_ROWS) == 31
    known = {f"BLT-{row}" for row in BLT_ROWS} | {"LB-A", "LB-B", "LB-C"}
    assert known <= set(claims.claims)


def test_which_claims_were_repaired_and_which_are_prose() -> None:
    first = {key: claim for key, claim in claims.claims.items() if key.startswith(("BLT-", "LB-"))}
    require_statuses(first, repaired=REPAIRED, prose={"BLT-LB"})


# -- the numbers of the ledger --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim_id", "label", "cases", "violations"),
    [
        ("BLT-L5.1a", "error ≤ cost/2", 244 * 256, 0),
        ("BLT-L5.1c", "for the error in place of the cost", 982, 452),
        ("BLT-OSSS", "max Inf_i ≥ Var/Delta ≥ Var/log2 s", 65_536, 0),
        ("BLT-OSSS", "Var ≤ sum delta_i Inf_i", 16_430, 0),
        ("BLT-OSSS", "with ln for log2", 65_536, 2_008),
        ("BLT-L5.3", "Inf ≤ Var log2(4s/Var)", 65_536, 0),
        ("BLT-L5.3", "with Var = m(1-m)", 65_536, 58_182),
        ("BLT-L5.3", "with Var = 2m(1-m)", 65_536, 34),
        ("BLT-T3-P1b", "closed form by the gamma function", 294, 0),
        ("BLT-T3-P2b", "as printed", 11_741, 11_741),
        ("BLT-T3-P2b", "the sum of the drops", 11_741, 0),
        ("LB-B", "for all functions of 4 variables to be optimal", 65_536, 4_416),
        ("LB-C", "up to 5 variables", 7_581, 0),
        ("LB-C", "with the unluckiest ties", 7_581, 60),
        ("LB-C", "with 6 variables", 2, 2),
    ],
)
def test_numbers_of_the_ledger(claim_id: str, label: str, cases: int, violations: int) -> None:
    assert numbers(claims.claims[claim_id], label) == (cases, violations)


@pytest.mark.parametrize(
    ("claim_id", "label", "told"),
    [
        ("BLT-L5.1a", "error = cost/2 at the root for literals only", "2, 4, 6, 8 functions"),
        ("BLT-L5.2", "twice that", "error = 2 at"),
        ("BLT-OSSS", "max Inf_i ≥ Var/Delta ≥ Var/log2 s", "Var = 1 for"),
        ("BLT-OSSS", "Var ≤ sum delta_i Inf_i", "Var = 1 for"),
        ("BLT-L5.3", "Inf ≤ Var log2(4s/Var)", "Inf = 4, bound 6, for parity of 4"),
        ("BLT-L5.3", "Inf ≤ Var log2(s/sqrt(Var))", "Inf = 1, bound 1,"),
        ("LB-A", "greedy size 3.5 * 4^P", "229,376 leaves"),
        ("LB-B", "for all functions of 4 variables to be optimal", "from_int(4, 495)"),
        ("LB-C", "with 6 variables", "greedy 21, optimum 18 for from_int(6, 18368756680031792320)"),
    ],
)
def test_tightest_cases_of_the_ledger(claim_id: str, label: str, told: str) -> None:
    assert told in tried(claims.claims[claim_id], label).tightest


@pytest.mark.parametrize(
    ("claim_id", "told"),
    [
        ("BLT-L5.3", "Inf = 5, bound 4.852, for the parity of 5"),
        ("BLT-T3-TERM", "stops at cost 0.75 > epsilon 0.49"),
        ("BLT-T3-P1c", "H_k = 2.2833 against 2.3219 at k = 5"),
        ("BLT-T3-P2b", "0.333 against 0.693 at k = 1, m = 2"),
        ("BLT-T3-P2c", "C_m = 1.009 eps from C_k = 1.1 eps"),
        ("BLT-T3-P2m", "2.000 allowed"),
        ("LB-C", "greedy 12, optimum 11 for from_int(6, 16918030114510921920)"),
    ],
)
def test_counterexamples_of_the_ledger(claim_id: str, told: str) -> None:
    assert any(told in failed.counterexample for failed in evidence.found(claim_id).failed)


def test_the_printed_constant_of_phase_2_at_the_size_of_the_ledger() -> None:
    log2_m = influence.phases(16, 0.49).log2_m
    one = 4 * np.log2(64 / 0.49) * np.log2(1 / 0.49)
    assert log2_m / one == pytest.approx(2.20, abs=0.005)


def test_parity_multiplexer_stops_where_the_ledger_says() -> None:
    path = dt.build_top_down(dt.functions.parity_multiplexer(3, 8))
    assert [path.n_leaves_for(e) for e in (0.24, 0.2, 0.1, 0)] == [68_158, 78_644, 176_948, 229_376]


# -- a false claim cannot pass --------------------------------------------------------------------


with_ln = Form("with ln", partial(inequalities._influential_variable_by_size, np.log))
small_variance = Form(
    "with Var = m(1-m)",
    partial(inequalities._total_influence_below, influence.influence_bound, 0.25),
)
FALSE = {
    "the influential variable with ln": (planted(holds=(with_ln,)), 2_008),
    "Lemma 5.3 with Var = m(1-m)": (planted(holds=(small_variance,)), 58_182),
    "Lemma 5.2 with factor 3": (
        planted(holds=(Form("thrice", partial(lemmas._score_floor, 3)),)),
        None,
    ),
    "error <= cost/3": (
        planted(holds=(Form("third", partial(lemmas._error_below_cost, 3)),)),
        None,
    ),
    "the run stops at cost <= 3 eps": (
        planted(holds=(Form("thrice", partial(theorem._stops_at, 3)),)),
        None,
    ),
    "a selector of small influence does not help": (
        planted(holds=(Form("k = 3", partial(lower_bounds._size_below_error, 3)),)),
        None,
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refuted(name: str) -> None:
    claim, violations = FALSE[name]
    found = require_refuted(claim)
    assert violations in (None, found.violations)
    assert str(found).startswith("✗ BLT-PLANTED: FAILS")
    assert found.held[0].counterexample in str(found)
    with pytest.raises(AssertionError):
        require(found)


# -- wrong code cannot pass -----------------------------------------------------------------------


def half_of(function: object) -> object:
    return lambda *given: function(*given) / 2


original = topdown.build_top_down
phases = influence.phases
WRONG = {
    "BLT-DEF-BARE": (dt.Tree, "bare", lambda tree: tree),
    "BLT-DEF-INF": (measures, "influences", half_of(measures.influences)),
    "BLT-DEF-TINF": (measures, "total_influence", half_of(measures.total_influence)),
    "BLT-DEF-ERRT": (topdown, "tree_error", half_of(topdown.tree_cost)),
    "BLT-DEF-ERRPM": (measures, "error", half_of(measures.variance)),
    "BLT-DEF-COST": (topdown, "tree_cost", topdown.tree_error),
    "BLT-STOP": (
        dt.Tree,
        "complete",
        lambda tree, f, complete=dt.Tree.complete: complete(tree, ~f),
    ),
    "BLT-ALG": (
        topdown,
        "build_top_down",
        lambda f: original(f, dt.ProductDistribution([0.4] * f.n)),
    ),
    "BLT-L5.2": (influence, "score_floor_by_error", lambda *given: 4 * given[0] / (given[1] + 1)),
    "BLT-L5.4": (influence, "score_floor_by_cost", lambda cost, step, *_: cost / (step + 1)),
    "BLT-T3": (
        influence,
        "phases",
        lambda *given: replace(phases(*given), log2_m=phases(*given).log2_m / 10),
    ),
    "LB-C": (influence, "greedy_sizes", lambda f: influence.GreedySizes(dt.optimal(f).n_leaves, 0)),
}


@pytest.mark.parametrize("claim_id", WRONG)
def test_wrong_code_turns_its_claim_red(claim_id: str) -> None:
    assert verdict_under(WRONG[claim_id], claims.claims[claim_id]) == "FAILS"


# -- the large enumerations -----------------------------------------------------------------------


def greedy_runs(codes):
    """Errors, costs, scores, ``(functions, 16)``: the greedy runs of functions of 4 variables.

    All at once and by other means than the package: the complete tree of each function level by
    level, then its splits in one stable sort, for no child scores above its parent (claim BLT-ALG).
    A run that has ended stays as it is, with score 0.
    """
    tables = (codes[:, None, None] >> np.arange(16)) & 1
    scores, drops, falls = [], [], []
    errors, costs = np.minimum(tables.sum(2), 16 - tables.sum(2)) / 16, influences_of(tables).sum(2)
    first = errors[:, 0], costs[:, 0]
    for _ in range(4):
        influence = influences_of(tables)
        low, high = halves_of(tables)
        most = influence.argmax(2)
        pick = np.arange(len(codes))[:, None], np.arange(tables.shape[1])[None, :], most
        tables = np.stack([low[pick], high[pick]], axis=2).reshape(len(codes), -1, low.shape[3])
        ones = tables.sum(2)
        below = np.minimum(ones, tables.shape[2] - ones) / 16
        left = influences_of(tables).sum(2) if tables.shape[2] > 1 else 0 * below
        scores.append(influence.max(2))
        drops.append(errors - below[:, ::2] - below[:, 1::2])
        falls.append(costs - left[:, ::2] - left[:, 1::2])
        errors, costs = below, left
    score, drop, fall = (np.concatenate(parts, axis=1) for parts in (scores, drops, falls))
    order = np.argsort(-score, axis=1, kind="stable")
    score, drop, fall = (np.take_along_axis(part, order, 1) for part in (score, drop, fall))
    start = np.stack(first)[:, :, None]
    fallen = np.cumsum([np.where(score > 0, drop, 0), fall], axis=2)
    errors, costs = np.concatenate([start, start - fallen], axis=2)
    return errors, costs, np.concatenate([score, np.zeros((len(codes), 1))], axis=1)


def halves_of(tables):
    """Truth tables with x_i = 0 and with x_i = 1, ``(functions, leaves, variables, points)``."""
    points = np.arange(tables.shape[2])
    n = points.size.bit_length() - 1
    low = np.array([points[points >> i & 1 == 0] for i in range(n)], dtype=int)
    return tables[:, :, low], tables[:, :, low + (1 << np.arange(n))[:, None]]


def influences_of(tables):
    """``Pr[leaf]`` times flip influence at the leaf, ``(functions, leaves, variables)``."""
    low, high = halves_of(tables)
    return (low != high).sum(3) / 8


@pytest.mark.slow
def test_lemmas_on_every_run_of_four_variables() -> None:
    """Every function by `greedy_runs`; `dt.build_top_down` must agree on a sample of 2,000 of them.

    To run `dt.build_top_down` itself on all 65,534 takes a minute and a half.
    """
    codes = np.arange(1, 65_535)
    errors, costs, scores = greedy_runs(codes)
    made = scores[:, :-1] > 0
    assert (2 * errors <= costs).all()
    assert (costs[:, :-1] - costs[:, 1:] == scores[:, :-1]).all()
    assert (errors[:, :-1][made] > 0).all()
    assert (errors[:, -1] == 0).all()
    step = np.arange(1, 16) * log2(all_functions(4).size[codes])[:, None]
    assert ((scores[:, :-1] * step)[made] / errors[:, :-1][made]).min() == 2.0
    flat = (errors[:, :-1] == errors[:, 1:]) & made
    assert (int(made.sum()), int(flat.sum())) == (533_850, 258_594)
    for k in np.random.default_rng(0).choice(codes.size, 2_000, replace=False).tolist():
        path = dt.build_top_down(dt.BooleanFunction.from_int(4, k + 1))
        steps = path.n_splits
        assert steps == made[k].sum()
        assert path.errors.tolist() == errors[k, : steps + 1].tolist()
        assert path.costs.tolist() == costs[k, : steps + 1].tolist()
        assert path.scores.tolist() == scores[k, : steps + 1].tolist()


@pytest.mark.parametrize("p", [7, 8])
def test_optimum_of_longer_parity_multiplexers(p: int) -> None:
    assert lower_bounds.smallest_size(dt.functions.parity_multiplexer(3, p)) == 6 * 2**p


def test_optimum_of_a_longer_caterpillar() -> None:
    assert lower_bounds.smallest_size(dt.functions.caterpillar(4)) == 18


@pytest.mark.parametrize("seed", range(4))
def test_smallest_size_is_the_optimum(seed: int) -> None:
    f = dt.functions.random(6, seed)
    assert lower_bounds.smallest_size(f) == dt.optimal(f).n_leaves


def test_three_parities() -> None:
    assert dt.build_top_down(lower_bounds.three_parities(4)).n_leaves_for(0) == 136_960
    vote = lower_bounds._majority_tree
    blocks = [lower_bounds._parity_tree(range(8 + 4 * b, 12 + 4 * b)) for b in range(3)]
    inner = vote((5, 6, 7), 0, 2, (blocks[1], blocks[2]))
    tree = vote((0, 1, 2, 3, 4), 0, 3, (inner, blocks[0]))
    assert tree.n_leaves == 1_120
    assert tree.function(20) == lower_bounds.three_parities(4)
