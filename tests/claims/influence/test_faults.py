"""Wrong code in the package turns claims of chapter 1 red; populations are what they say."""

from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from support.cases import sweep

import dtviz as dt
from claims.influence import populations, selectors
from claims.kit.faults import fails_under
from dtviz import influence
from dtviz.core import measures, topdown

NAMES = (
    "algorithm definitions inequalities lemmas lower_bounds optimal_greed parities phase_2 splits "
    "theorem"
)
# In one object, for pytest would take test functions among the names of this module for its own.
on = SimpleNamespace(**{n: import_module(f"claims.influence.test_{n}") for n in NAMES.split()})
MODULES = (*vars(on).values(), populations)
CACHES = [t for module in MODULES for t in vars(module).values() if hasattr(t, "cache_clear")]
CACHES = [t for t in CACHES if t.__module__.startswith("claims.influence")]


def scaled(factor, module, attribute):
    """A function whose values are multiplied."""
    function = getattr(module, attribute)
    return module, attribute, lambda *given, **more: factor * function(*given, **more)


def under(p):
    """Runs under another distribution."""
    run = topdown.build_top_down
    return topdown, "build_top_down", lambda f: run(f, dt.ProductDistribution([p] * f.n))


def phase(part, by):
    """The phases with a spoilt exponent."""
    found = influence.phases

    def spoilt(*given):
        made = found(*given)
        return replace(made, **{part: by * getattr(made, part)})

    return influence, "phases", spoilt


def sorted_by_place(score):
    """The splits level by level, whatever their scores."""
    return np.flatnonzero(score)


def half_variance(f, variance=measures.variance):
    return variance(f) / 2


def half_cost(*given, cost=topdown.tree_cost):
    return cost(*given) / 2


def of_negation(tree, f, complete=dt.Tree.complete):
    return complete(tree, ~f)


def without_size(error, step, _):
    return 4 * error / (step + 1)


def without_logarithms(cost, step, *_):
    return cost / (step + 1)


def slower(s, e, steps, costs=influence.worst_case_costs):
    return costs(2 * s, e, steps)


def ties_of_best(f):
    """As many leaves as the optimum."""
    return influence.GreedySizes(dt.optimal(f).n_leaves, 0)


by_error, by_cost = "score_floor_by_error", "score_floor_by_cost"
FAULTS = {
    on.definitions.test_bare_trees: {
        "bare trees keep labels": (dt.Tree, "bare", lambda tree: tree)
    },
    on.definitions.test_influence_counts_points: {
        "influences of half the points": scaled(0.5, measures, "influences"),
        "influences of large tables": scaled(0.5, measures, "_large_influences"),
    },
    on.definitions.test_total_influence_is_average_sensitivity: {
        "total influence halved": scaled(0.5, measures, "total_influence")
    },
    on.definitions.test_tree_error_is_that_of_the_best_labelling: {
        "half the cost for the error": (topdown, "tree_error", half_cost)
    },
    on.definitions.test_error_of_a_constant: {
        "half the variance for the error": (measures, "error", half_variance)
    },
    on.definitions.test_cost_is_sensitivity_left: {
        "the error for the cost": (topdown, "tree_cost", topdown.tree_error)
    },
    on.definitions.test_completion_is_the_best_labelling: {
        "the completion of the negation": (dt.Tree, "complete", of_negation)
    },
    on.algorithm.test_runs_follow_the_definition: {"runs under another distribution": under(0.4)},
    on.algorithm.test_the_growth_path_is_one_sort: {
        "splits in the order of the levels": (topdown, "growth_order", sorted_by_place)
    },
    on.lemmas.test_score_floor_by_error: {
        "a floor without log s": (influence, by_error, without_size),
        "the source's floor, half as high": scaled(0.5, influence, by_error),
    },
    on.inequalities.test_score_floor_by_cost: {
        "a floor without logarithms": (influence, by_cost, without_logarithms),
        "no floor": (influence, by_cost, lambda *_: 0.0),
        "a floor of half the height": scaled(0.5, influence, by_cost),
    },
    on.theorem.test_phase_1_ends: {"phase 1 too short": phase("log2_k", 0.999)},
    on.phase_2.test_phase_2_ends: {"phase 2 too short": phase("log2_m", 0.999)},
    on.theorem.test_the_cost_falls_by_a_share: {
        "a slowest fall that is slower": (influence, "worst_case_costs", slower)
    },
    on.parities.test_greed_reads_all_parities: {"parities under another distribution": under(0.1)},
    on.lower_bounds.test_monotone_functions: {
        "greedy sizes that are optimal": (influence, "greedy_sizes", ties_of_best)
    },
    on.optimal_greed.test_trap: {
        "greedy sizes of the smallest trees": (influence, "greedy_sizes", ties_of_best)
    },
}
PLANTED = {name: (test, fault) for test, of in FAULTS.items() for name, fault in of.items()}


@pytest.mark.parametrize("fault", sweep(PLANTED, 3))
def test_wrong_code_turns_its_claim_red(fault):
    test, planted = PLANTED[fault]
    assert fails_under(planted, test, CACHES)


# -- what the claims are tried on ------------------------------------------------------------------


def test_families_are_the_functions_they_name():
    known = populations.families()
    made = {"parity of 7": dt.functions.parity(7), "conjunction of 7": dt.functions.conjunction(7)}
    made["multiplexer iterated 2 times"] = populations.iterated_multiplexer(2)
    for label, f in made.items():
        k = known.names.index(label)
        numbers = (dt.measures.variance(f), dt.measures.total_influence(f), dt.influences(f).max())
        assert (known.variance[k], known.total[k], known.largest[k]) == numbers
        assert known.size[k] == dt.optimal(f).n_leaves


@pytest.mark.parametrize("floors", [1, 2])
@pytest.mark.parametrize(("size", "epsilon"), [(2, 0.3), (4, 0.45), (3, 0.25), (5, 0.4)])
def test_the_slowest_fall_is_that_of_the_recursion(size, epsilon, floors):
    bits, ratio = np.log2(size), np.log2(4 * size / epsilon)
    cost, leaves = bits, 1
    while cost > floors * epsilon:
        share = cost / ratio if cost > epsilon * ratio else floors * epsilon
        cost, leaves = cost - share / (leaves * bits), leaves + 1
    # The last step is taken whole.
    found = 2 ** populations.slowest_fall(size, epsilon, floors)
    assert leaves - 1.5 < found < leaves + 0.05 * leaves


def test_tribes_and_weights_are_the_selectors_they_name():
    tribes = dt.cube_points(15).reshape(-1, 5, 3).all(axis=2).any(axis=1).astype(int)
    for by_formula, table in [
        (selectors.tribes(1), tribes),
        (selectors.by_weight(5, 3), (dt.cube_points(5).sum(axis=1) >= 3).astype(int)),
        (selectors.by_weight(5, 2, 4), np.digitize(dt.cube_points(5).sum(axis=1), [2, 4])),
    ]:
        by_points = selectors.of_table("by points", table, by_formula.blocks)
        assert by_formula.q == pytest.approx(by_points.q)
        moves = np.broadcast_to(by_formula.moves, by_points.moves.shape)
        assert by_points.moves == pytest.approx(moves)


def test_states_of_three_parities_are_those_of_the_run():
    """Beyond the theorem: a vote has influence 3/8 > 1/4, yet all blocks are read first."""
    x = dt.cube_points(14)
    chosen = np.where(x[:, :5].sum(axis=1) > 2, 0, 1 + (x[:, 5:8].sum(axis=1) > 1))
    level = selectors.by_states(selectors.of_table("votes", chosen[: 1 << 8], 3), 2)
    blocks = x[:, 8:].reshape(-1, 3, 2).sum(axis=2) % 2
    f = dt.BooleanFunction(14, blocks[np.arange(len(x)), chosen])
    errors = dt.build_top_down(f).errors
    before = int((level.lead > 0).argmin()) if (level.lead <= 0).any() else level.error.size
    assert before > 2
    assert [errors[(1 << d) - 1] for d in range(before)] == level.error[:before].tolist()
    assert all(a >= b for a, b in pairwise(level.error))
