"""The claims of chapter 1: their numbers are known, and neither false ones nor wrong code pass."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from dtviz.claims.populations import (
    all_functions,
    log2,
)
from dtviz.claims.registry import Form
from dtviz.influence.claims import (
    algorithm,
    by_hand,
    costs,
    definitions,
    extremal,
    inequalities,
    lemmas,
    lower_bounds,
    parities,
    phase_1,
    phase_2,
    selectors,
    theorem,
)
from support import evidence
from support.cases import sweep
from support.claims import (
    numbers,
    planted,
    require,
    require_refuted,
    require_stable_lines,
    require_statuses,
    tried,
    verdict_under,
)

import dtviz as dt
from dtviz import claims, influence
from dtviz.core import measures, topdown

# The populations of a chapter are made once, in one process.
pytestmark = pytest.mark.xdist_group("claims of influence")

MODULES = (definitions, algorithm, lemmas, inequalities, costs, theorem)
MODULES += (phase_1, phase_2, parities, lower_bounds)
CACHES = [
    table
    for module in (*MODULES, by_hand, extremal)
    for table in vars(module).values()
    if hasattr(table, "cache_clear") and table.__module__ == module.__name__
]
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
    assert {claim.id for module in MODULES for claim in module.CLAIMS} == known
    assert known <= set(claims.claims)


def test_which_claims_were_repaired_and_which_are_prose() -> None:
    first = {key: claim for key, claim in claims.claims.items() if key.startswith(("BLT-", "LB-"))}
    require_statuses(first, repaired=REPAIRED, prose={"BLT-LB"})
    by_definition = {f"BLT-DEF-{row}" for row in ("BARE", "INF", "ERRPM", "SCORE")}
    by_definition |= {"BLT-L5.2i", "BLT-T3-SIZE"}
    assert {key for key in first if first[key].status == "by definition"} == by_definition
    assert [key for key in first if first[key].status == "not tested"] == ["BLT-T3"]


# -- the numbers of the ledger --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim_id", "label", "cases", "violations"),
    [
        ("BLT-L5.1a", "error ≤ cost/2", 244 * 256, 0),
        ("BLT-L5.1c", "for the error in place of the cost", 982, 452),
        ("BLT-L5.1c", "for any leaf of any tree", 67_646, 0),
        ("BLT-L5.2i", "for the leaf that is selected", 2_122, 5),
        ("BLT-T3", "leaves grown against the bound", 2_948, 0),
        ("BLT-T3-P2c", "as printed", 33_896, 33_896),
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
        ("BLT-L5.2", "score ≥ 2 error/((j+1) log2 s)", "error = 2 at"),
        ("BLT-L5.4", "the floor", "floor = 3.463 at multiplexer iterated 2 times, step 0"),
        ("BLT-T3", "leaves grown against the bound", "= 0.142 for not x2, epsilon 0.49"),
        ("BLT-T3-P2c", "before a run stops", "bound = 1 for parity of 8"),
        ("LB-A", "leaves for error epsilon", "3 leaves, more than 2, for from_int(3, 23), P = 2"),
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
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refuted(name: str) -> None:
    claim, violations = FALSE[name]
    found = require_refuted(claim)
    assert found.violations == violations
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
    "BLT-L5.4, never": (influence, "score_floor_by_cost", lambda *_: 0.0),
    "BLT-T3-P1k": (
        influence,
        "phases",
        lambda *given: replace(phases(*given), log2_k=0.9 * phases(*given).log2_k),
    ),
    "BLT-T3-P2m": (
        influence,
        "phases",
        lambda *given: replace(phases(*given), log2_m=1.1 * phases(*given).log2_m),
    ),
    "LB-A": (
        parities,
        "build_top_down",
        lambda f: original(f, dt.ProductDistribution([0.1] * f.n)),
    ),
    "LB-C": (influence, "greedy_sizes", lambda f: influence.GreedySizes(dt.optimal(f).n_leaves, 0)),
}


@pytest.mark.parametrize("fault", sweep(WRONG, 3))
def test_wrong_code_turns_its_claim_red(fault: str) -> None:
    claim = claims.claims[fault.partition(",")[0]]
    assert verdict_under(WRONG[fault], claim, CACHES) == "FAILS"


def test_the_lines_do_not_depend_on_what_was_computed_before() -> None:
    stable = ("BLT-L5.1a", "BLT-L5.4", "BLT-T3", "BLT-T3-P2c", "LB-A")
    require_stable_lines([claims.claims[key] for key in stable], CACHES)


# -- where the bounds bite, and extremal cases ----------------------------------------------------


def test_theorem_3_says_where_it_would_say_something() -> None:
    """And one step before it would not."""
    for epsilon, size in [(0.25, 265), (0.01, 1_491)]:
        bits = [np.log2(s) * theorem._exponent(s, epsilon) for s in (size - 1, size)]
        assert bits[0] >= size - 2
        assert bits[1] < size - 1
        assert f"s = {size:,} at epsilon {epsilon}" in theorem._bites()


def test_families_are_the_functions_they_name() -> None:
    known = extremal.families()
    place = {label: k for k, label in enumerate(known.names)}
    made = {"parity of 7": dt.functions.parity(7), "conjunction of 7": dt.functions.conjunction(7)}
    made["multiplexer iterated 1 times"] = dt.functions.multiplexer(1)
    made["multiplexer iterated 2 times"] = extremal.iterated_multiplexer(2)
    for label, f in made.items():
        k = place[label]
        assert known.variance[k] == dt.variance(f)
        assert known.total[k] == dt.total_influence(f)
        assert known.largest[k] == dt.influences(f).max()
        assert known.size[k] == dt.optimal(f).n_leaves


def test_the_largest_epsilon_is_the_last_to_which_lemma_5_4_applies() -> None:
    rows = extremal.floors()
    limit = rows.epsilon * (2 + np.log2(rows.size) - np.log2(rows.epsilon))
    assert (limit <= rows.cost * (1 + 1e-12)).all()
    epsilon = extremal.largest_epsilon([2.0, 9.0], [4.0, 4.0])
    assert epsilon[0] * np.log2(16 / epsilon[0]) == pytest.approx(2)
    assert epsilon[1] == pytest.approx(0.4999)


@pytest.mark.parametrize("floors", [1, 2])
@pytest.mark.parametrize(("size", "epsilon"), [(2, 0.3), (4, 0.45), (3, 0.25), (5, 0.4)])
def test_the_slowest_fall_is_that_of_the_recursion(size: int, epsilon: float, floors: int) -> None:
    bits, ratio = np.log2(size), np.log2(4 * size / epsilon)
    cost, leaves = bits, 1
    while cost > floors * epsilon:
        share = cost / ratio if cost > epsilon * ratio else floors * epsilon
        cost, leaves = cost - share / (leaves * bits), leaves + 1
    # The last step is taken whole.
    found = 2 ** extremal.slowest_fall(size, epsilon, floors)
    assert leaves - 1.5 < found < leaves + 0.05 * leaves


# -- selectors ------------------------------------------------------------------------------------


def test_tribes_and_weights_are_the_selectors_they_name() -> None:
    x = dt.points(15)
    tribes = x.reshape(-1, 5, 3).all(axis=2).any(axis=1).astype(int)
    for by_formula, table in [
        (selectors.tribes(1), tribes),
        (selectors.by_weight(5, 3), (dt.points(5).sum(axis=1) >= 3).astype(int)),
        (selectors.by_weight(5, 2, 4), np.digitize(dt.points(5).sum(axis=1), [2, 4])),
    ]:
        by_points = selectors.of_table("by points", table, by_formula.blocks)
        assert by_formula.q == pytest.approx(by_points.q)
        assert by_points.moves == pytest.approx(
            np.broadcast_to(by_formula.moves, by_points.moves.shape)
        )


def test_states_of_three_parities_are_those_of_the_run() -> None:
    """Beyond the theorem: a vote has influence 3/8 > 1/4, yet all blocks are read first."""
    x = dt.points(8)
    chosen = np.where(x[:, :5].sum(axis=1) > 2, 0, 1 + (x[:, 5:].sum(axis=1) > 1))
    level = selectors.by_states(selectors.of_table("votes", chosen, 3), 2)
    assert not selectors.of_table("votes", chosen, 3).fits()
    errors = dt.build_top_down(parities.three_parities(2)).errors
    before = int((level.lead > 0).argmin()) if (level.lead <= 0).any() else level.error.size
    assert before > 2
    assert [errors[(1 << d) - 1] for d in range(before)] == level.error[:before].tolist()
    assert all(a >= b for a, b in pairwise(level.error))


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
    assert parities.smallest_size(dt.functions.parity_multiplexer(3, p)) == 6 * 2**p


def test_optimum_of_a_longer_caterpillar() -> None:
    assert parities.smallest_size(dt.functions.caterpillar(4)) == 18


@pytest.mark.parametrize("seed", range(4))
def test_smallest_size_is_the_optimum(seed: int) -> None:
    f = dt.functions.random(6, seed)
    assert parities.smallest_size(f) == dt.optimal(f).n_leaves


def majority_tree(free: tuple[int, ...], ones: int, needed: int, leaves: tuple) -> dt.Tree:
    """The tree of a majority vote that stops once it is decided, its leaves replaced."""
    if ones >= needed:
        return leaves[1]
    if ones + len(free) < needed:
        return leaves[0]
    low, high = (majority_tree(free[1:], ones + b, needed, leaves) for b in (0, 1))
    return dt.Tree.split(free[0], low, high)


def test_three_parities() -> None:
    assert dt.build_top_down(parities.three_parities(4)).n_leaves_for(0) == 136_960
    blocks = [parities.parity_tree(range(8 + 4 * b, 12 + 4 * b)) for b in range(3)]
    inner = majority_tree((5, 6, 7), 0, 2, (blocks[1], blocks[2]))
    tree = majority_tree((0, 1, 2, 3, 4), 0, 3, (inner, blocks[0]))
    assert tree.n_leaves == 1_120
    assert tree.function(20) == parities.three_parities(4)
