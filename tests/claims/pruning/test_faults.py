"""Each claim turns red under faults of its kind: in the package, and in what it says itself."""

from __future__ import annotations

import inspect
import sys
import textwrap

import pytest
from support.cases import sweep

from claims.kit import evaluate
from claims.kit.faults import fails_under
from claims.pruning import populations, runs
from claims.pruning import test_analysis as analysis
from claims.pruning import test_bound as sums
from claims.pruning import test_choices as choices
from claims.pruning import test_convergence as convergence
from claims.pruning import test_counting as counting
from claims.pruning import test_length as length
from claims.pruning import test_links as links
from claims.pruning import test_penalty as penalty
from claims.pruning import test_reach as reach
from claims.pruning import test_table as table
from dtviz import pruning
from dtviz.pruning import bottom_up, smallest, weakest_link
from dtviz.pruning.bottom_up import PenaltyRule
from dtviz.pruning.smallest import SmallestPrunings

MODULES = (populations, runs, convergence, counting, sums, table)
CACHES = [f for module in MODULES for f in vars(module).values() if hasattr(f, "cache_clear")]


def mutated(function, old, new):
    """A function of the package or of the claims, a piece of its code in another form."""
    source = textwrap.dedent(inspect.getsource(function))
    assert old in source, f"{old} is not in {function.__name__}"
    space = dict(vars(sys.modules[function.__module__]))
    exec(source.replace(old, new), space)  # noqa: S102
    return space[function.__name__]


FAULTS = {
    # The branch that only large trees take.
    "large tables: a place too far": (
        *(table.test_smallest_prunings, smallest, "_joined"),
        *("joined[a + 1 :", "joined[a + 2 :"),
    ),
    "large tables: without the leaf": (
        *(table.test_smallest_prunings, smallest, "_joined"),
        *("long.size + short.size, alone)", "long.size + short.size, 10**6)"),
    ),
    "large trees: the wrong half": (
        *(table.test_smallest_prunings, SmallestPrunings, "cuts"),
        *("np.argmin(low", "np.argmax(low"),
    ),
    "risk by the wrong tree": (
        *(table.test_structural_risk, pruning, "srm_prune"),
        *("float(factor), best)", "float(factor), 0)"),
    ),
    "T_opt is another tree": (
        *(choices.test_overfitting, SmallestPrunings, "cuts"),
        *("if errors == leaf[v]:", "if errors <= leaf[v]:"),
    ),
    # An algorithm, and not only its algebra.
    **{
        f"links by size for size - 1: {test.__name__}": (
            *(test, weakest_link, "weakest_links"),
            *("(size - 1)", "size"),
        )
        for test in (
            links.test_weakest_links,
            links.test_cost_complexity_sees_the_corners,
            links.test_cheapest_prunings_are_nested,
        )
    },
    "reduced error keeps ties": (
        *(choices.test_reduced_error_pruning_is_optimal, pruning, "reduced_error_prune"),
        *("<= errors", "< errors"),
    ),
    "reduced error cuts too much": (
        *(choices.test_reduced_error_pruning, pruning, "reduced_error_prune"),
        *("<= errors", "<= errors + 1"),
    ),
    "the example is not cut": (
        *(choices.test_example, pruning, "reduced_error_prune"),
        *("<= errors", "< errors - 1"),
    ),
    "the pass compares what is given": (
        *(penalty.test_one_pass, penalty, "bottom_up"),
        *("size[inner] = np.where(here, 1, below)", "size[inner] = below"),
    ),
    "the rule with what is given": (
        *(penalty.test_rule, bottom_up, "bottom_up"),
        *("errors[inner] = np.where(here, leaf[inner], wrong)", "errors[inner] = wrong"),
    ),
    "half the penalty": (
        *(penalty.test_rule, PenaltyRule, "threshold"),
        *("gap / np.sqrt(spread)", "2 * gap / np.sqrt(spread)"),
    ),
    "a hundredth less penalty": (
        *(analysis.test_what_is_kept_lies_inside_the_best, PenaltyRule, "threshold"),
        *("gap / np.sqrt(spread)", "1.01 * gap / np.sqrt(spread)"),
    ),
    "too large a penalty": (
        *(analysis.test_three_brackets, PenaltyRule, "threshold"),
        *("gap / np.sqrt(spread)", "0.7 * gap / np.sqrt(spread)"),
    ),
    "everything is cut": (
        *(sums.test_theorem, PenaltyRule, "threshold"),
        *("gap / np.sqrt(spread)", "0.0 * gap"),
    ),
    "another penalty is told": (
        *(analysis.test_penalties_of_the_runs, PenaltyRule, "decide"),
        *("penalty = c *", "penalty = 1.001 * c *"),
    ),
    "the penalty without m": (
        *(penalty.test_penalty, pruning, "bottom_up_penalty"),
        *('math.log(as_integer("m", m, 1, MAX_TESTS) / delta)', "-math.log(delta)"),
    ),
    "paths of exactly l": (
        *(counting.test_number_of_paths, pruning, "count_paths"),
        *("total += term", "total = term"),
    ),
    "paths of one sign": (
        *(counting.test_tests, pruning, "count_paths"),
        *("term * 2 *", "term *"),
    ),
    "trees of exactly s leaves": (
        *(counting.test_number_of_trees, pruning, "count_trees"),
        *("total += power", "total = power"),
    ),
    "dimensions without e": (
        *(counting.test_dimensions, pruning, "vc_log_cardinality"),
        *("math.e * size", "size"),
    ),
    "convergence without trees": (
        *(convergence.test_local_uniform_convergence, pruning, "count_trees"),
        *("total += power * catalan", "total = 1"),
    ),
    "seldom seen without paths": (
        *(reach.test_likely_paths_are_seen, pruning, "count_paths"),
        *("total += term", "total = 1"),
    ),
    "codes whose ends are open": (
        *(length.test_code_for_trees, length, "described"),
        *('"1" * kinds + test', '"0" * kinds + test'),
    ),
    "the best pruning errs nowhere": (
        *(sums.test_other_trees_may_be_better, SmallestPrunings, "__init__"),
        *("frozen(fewest[corner])", "frozen(fewest[corner] * 0)"),
    ),
}
DRIFTS = {
    "q_l with 11": (reach.test_some_node_is_halved, reach, "reach_bound", "12 / m", "11 / m"),
    "r_v without m": (analysis.test_penalties_of_the_runs, analysis, "bits", " + math.log(m)", ""),
    "3 for 2 in the theorem": (sums.test_theorem, sums, "promise", "times * 2 *", "times * 3 *"),
    "ln(8n) once": (sums.test_theorem, sums, "promise", "2 * test", "test"),
}
"""What the claims share, in another form: too weak a bound must not pass either."""


@pytest.mark.parametrize("name", sweep(FAULTS, 3))
def test_wrong_code_turns_a_claim_red(name):
    test, owner, attribute, old, new = FAULTS[name]
    wrong = mutated(getattr(owner, attribute), old, new)
    assert fails_under((owner, attribute, wrong), test, CACHES)


@pytest.mark.parametrize("name", sweep(DRIFTS, 3))
def test_a_formula_that_drifts_turns_its_claim_red(name, monkeypatch):
    test, owner, attribute, old, new = DRIFTS[name]
    monkeypatch.setattr(owner, attribute, mutated(getattr(owner, attribute), old, new))
    assert evaluate(test)["faults"]
