"""Claims of chapter 2 turn red under faults: in the package, and in what they say themselves."""

from __future__ import annotations

import pytest
from support.cases import sweep

from claims.kit.faults import planted, read_faults, turns_red

FAULT = ("place", "old", "new")
FAULTS = """
definitions.test_trees | core.tree.Tree.split | join_labels(low, high) | join_labels(high, low)
definitions.test_function_of_a_tree | core.tree.Tree.predict | labels_of | 1 - labels_of
definitions.test_reduced_trees | rank.count_reduced_trees | i * trees**2 | i * trees
definitions.test_rank_of_a_tree | core.tree.Tree.rank | self.node_rank[0] | len(self.levels) - 1
definitions.test_rank_of_a_sample | rank.find_min | search.least_rank() | 3
definitions.test_rank_of_a_sample | rank.search.Search._known | (S, -1) >= r | (S, -1) >= r - 1
definitions.test_only_parity_has_full_rank | rank.sample_rank | rank() | rank() + len(y) % 2
definitions.test_parts_have_no_larger_rank | rank.find_min | of(X, y) | of(X[:5], y[:5])
definitions.test_informative_variables | rank.FindRun.children | end[child] | end[k]
definitions.test_error | core.measures.mean | , check_distribution(mu, f.n).weights() |
find.test_find | rank.find | everything, bound) | everything, bound + 1)
find.test_find | rank.find | "rank", rank, 0) | "rank", rank, 0) + (memo_bytes < 10**6)
find.test_find | rank.search.find_calls | in informative.items() | in [*informative.items()][::-1]
find.test_find_is_correct | rank.search.Search._known | ones >> r or | ones >> (r + 1) or
find.test_find_is_correct | rank.search._is_decision_list | return True | return False
find.test_the_tree_that_find_returns | rank.search.find_calls | if high_found: | if False:
find.test_find_on_the_caterpillar | rank.search.first_request | .columns) | .columns[::-1])
cost.test_time_of_find | rank.FindRun.touched | sample.n, 1) | sample.n, 3)
cost.test_recurrence | rank.recurrence | 2 * i | i
cost.test_recurrence | rank.recurrence | min(r, n) | min(r, n - 1)
cost.test_third_step | rank.recurrence_bound | square = (n + 1) | square = (n + 2)
cost.test_findmin | rank.FindRun.touched | self.n_examples * width | 3 * self.n_examples * width
counts.test_fewest_nodes | core.tree.Tree.rank | self.node_rank[0] | len(self.levels) - 1
counts.test_most_nodes | test_counts.binomials | r + 1 | r
counts.test_sum_is_below_the_power | rank.most_leaves | (n - i) // | (n + i) //
counts.test_most_leaves | rank.most_leaves | 1 << n | 2 << n
counts.test_small_trees_have_small_rank | rank.rank_of_nodes | length() - 1 | length() // 2
counts.test_small_trees_have_small_rank | rank.rank_of_nodes | length() - 1 | length()
functions.test_constants | rank.functions_by_rank | optimal_all(n).rank | optimal_all(n).n_leaves
functions.test_few_functions | rank.log_function_bound | else n) | else n - 1)
functions.test_few_functions | rank.log_function_bound | math.log(8 * n) | math.log(7 * n)
functions.test_sharper_count | rank.most_leaves | range(r + 1) | range(r)
functions.test_trees_by_size | rank.count_trees_of_size | i - 1)) | i))
how_good.test_vc_dimension | rank.most_leaves | range(r + 1) | range(r)
how_good.test_find_on_covering_tables | rank.search.first_request | .columns) | .columns[::-1])
learning.test_razor | rank.sample_size | math.log(delta) | math.log10(delta)
learning.test_learning_with_rank | rank.sample_size_for_rank | math.log(8 * n) | math.log(n + 1)
learning.test_learning_with_nodes | rank.rank_of_nodes | length() - 1 | length() // 2
polynomial.test_polynomial_trees | rank.sample_size_for_rank | _bound(n, r) | _bound(n, r) * n
polynomial.test_examples_with_numbers | rank.sample_size_for_nodes | (nodes) | (nodes) - 1
polynomial.test_rank_of_the_output | rank.find_min | search.least_rank() | 3
"""
"""A claim, what is wrong, and how: with no memory, beyond thresholds, in factors and in orders."""
DRIFTS = """
find.test_find | populations.pseudo_code | if r == 0 | if r < 0
cost.test_time_of_find | test_cost.reads_allowed | return 2 | return 3
cost.test_findmin | test_cost.of_all_runs | return 8 | return 9
cost.test_findmin | test_cost.of_all_runs | return 8 | return 7
cost.test_recurrence | test_cost.solved | sides=2 | sides=3
cost.test_third_step | test_cost.sums | base=1 | base=2
functions.test_few_functions | test_functions.power | of=8 | of=9
functions.test_sharper_count | test_functions.trees_of_rank | 2 + n | 3 + n
functions.test_trees_by_size | test_functions.of_size | labels=2 | labels=3
counts.test_fewest_nodes | test_counts.attained | 2 ** (r + 1) - 1 | 2 ** (r + 1)
counts.test_most_leaves | test_counts.binomials | r + 1) | r + 2)
learning.test_razor | test_learning.razor | math.log(delta) | math.log2(delta)
learning.test_razor | test_learning.razor | math.log(delta) | math.log(2 * delta)
polynomial.test_polynomial_trees | test_polynomial.log_class | math.e) | 3)
polynomial.test_examples_with_numbers | test_polynomial.log_class | (j + 3) | (j + 2)
polynomial.test_time_with_numbers | test_polynomial.log_calls | return 2 | return 1.9
"""
"""What the claims themselves say in another form: a weaker bound must not pass either."""


@pytest.mark.parametrize(("test", *FAULT), sweep(read_faults(FAULTS), 13))
def test_wrong_code_turns_a_claim_red(test, place, old, new):
    assert turns_red("rank", test, planted("rank", place, old, new))


@pytest.mark.parametrize(("test", *FAULT), sweep(read_faults(DRIFTS), 13))
def test_a_formula_that_drifts_turns_its_claim_red(test, place, old, new):
    assert turns_red("rank", test, planted("rank", place, old, new), brief=False)
