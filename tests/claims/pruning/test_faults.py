"""Each claim turns red under faults of its kind: in the package, and in what it says itself."""

from __future__ import annotations

import pytest
from support.cases import sweep

from claims.kit.faults import planted, read_faults, turns_red

FAULT = ("place", "old", "new")
FAULTS = """
table.test_smallest_prunings | smallest._join | joined[a + 1 : | joined[a + 2 :
table.test_smallest_prunings | smallest._join | short.size, alone) | short.size, 10**6)
table.test_smallest_prunings | smallest.SmallestPrunings.cuts | np.argmin(low | np.argmax(low
table.test_dynamic_programme | smallest._join | joined[a + 1 : | joined[a + 2 :
table.test_dynamic_programme | smallest._join | long + errors | long
table.test_structural_risk | srm_prune | sizes[best] | sizes[0]
choices.test_overfitting | smallest.SmallestPrunings.cuts | errors == leaf[v] | errors <= leaf[v]
links.test_weakest_links | weakest_link.weakest_links | (size - 1) | size
links.test_cost_complexity_sees_the_corners | weakest_link.weakest_links | (size - 1) | size
links.test_cheapest_prunings_are_nested | weakest_link.weakest_links | (size - 1) | size
choices.test_reduced_error_pruning_is_optimal | reduced_error_prune | <= errors | < errors
choices.test_reduced_error_pruning | reduced_error_prune | <= errors | <= errors + 1
choices.test_a_subtree_fits_its_own_sample | node_counts._majorities | argmax | argmin
choices.test_a_subtree_fits_its_own_sample | node_counts._count | 2 * tree.leaves_below - 1 | 1
choices.test_example | reduced_error_prune | <= errors | < errors - 1
penalty.test_one_pass | test_penalty.bottom_up | np.where(here, 1, below) | below
penalty.test_rule | bottom_up.bottom_up | np.where(here, leaf[inner], wrong) | wrong
penalty.test_rule | bottom_up.PenaltyRule.threshold | gap / np.sqrt | 2 * gap / np.sqrt
analysis.test_lies_inside_the_best | bottom_up.PenaltyRule.threshold | gap / | 1.01 * gap /
analysis.test_three_brackets | bottom_up.PenaltyRule.threshold | gap / np.sqrt | 0.7 * gap / np.sqrt
bound.test_theorem | bottom_up.PenaltyRule.threshold | gap / np.sqrt | 0 * gap / np.sqrt
analysis.test_penalties_of_the_runs | bottom_up.PenaltyRule.decide | = c * np | = 1.001 * c * np
penalty.test_penalty | bottom_up_penalty | MAX_TESTS) / delta | MAX_TESTS) / m / delta
counting.test_number_of_paths | count_paths | total += term | total = term
counting.test_tests | count_paths | term * 2 * | term *
counting.test_number_of_trees | count_trees | total += power | total = power
convergence.test_local_uniform_convergence | count_trees | += power * catalan | = 1
reach.test_likely_paths_are_seen | count_paths | total += term | total = 1
bound.test_better_trees | smallest.SmallestPrunings.__init__ | fewest[corner] | 0 * corner
"""
"""A claim, what is wrong, and how: tables, division by size, ties, penalties."""
DRIFTS = """
reach.test_some_node_is_halved | populations.reach_bound | 12 / m | 11 / m
analysis.test_penalties_of_the_runs | populations.bits | + math.log(m) |
bound.test_theorem | populations.promise | times * 2 * | times * 3 *
bound.test_theorem | populations.promise | 2 * test | test
length.test_code_for_trees | test_length.described | "1" * kinds | "0" * kinds
"""
"""What the claims themselves say in another form: a weaker bound must not pass either."""


@pytest.mark.parametrize(("test", *FAULT), sweep(read_faults(FAULTS), 3))
def test_wrong_code_turns_a_claim_red(test, place, old, new):
    assert turns_red("pruning", test, planted("pruning", place, old, new, "dtviz.pruning"))


@pytest.mark.parametrize(("test", *FAULT), sweep(read_faults(DRIFTS), 3))
def test_a_formula_that_drifts_turns_its_claim_red(test, place, old, new):
    assert turns_red(
        "pruning", test, planted("pruning", place, old, new, "dtviz.pruning"), brief=False
    )
