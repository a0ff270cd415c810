"""Claims of chapter 2 turn red under faults: in the package, and in what they say themselves."""

from __future__ import annotations

import inspect
import math
import textwrap

import numpy as np
import pytest
from support.cases import sweep

from claims.kit.faults import fails_under
from claims.rank import failure, populations
from claims.rank import test_cost as cost
from claims.rank import test_counts as counts
from claims.rank import test_definitions as definitions
from claims.rank import test_find as finds
from claims.rank import test_functions as functions
from claims.rank import test_learning as learning
from claims.rank import test_polynomial as polynomial
from dtviz import rank as chapter
from dtviz.core import measures
from dtviz.core.tree import Tree
from dtviz.rank import search
from dtviz.rank.recording import FindRun

MODULES = (failure, populations, cost, counts, functions)
CACHES = [f for module in MODULES for f in vars(module).values() if hasattr(f, "cache_clear")]
find, recurrence, node_range, power = (
    chapter.find,
    chapter.recurrence,
    chapter.node_range,
    functions.power,
)
split, sample_rank, for_rank = Tree.split, chapter.sample_rank, chapter.sample_size_for_rank
reads, all_runs, solved, razor = cost.reads_allowed, cost.of_all_runs, cost.solved, learning.razor


def mutated(function, old, new):
    """A function of the search, a piece of its code in another form."""
    source = textwrap.dedent(inspect.getsource(function))
    assert old in source, f"{old} is not in {function.__name__}"
    space = dict(vars(search))
    exec(source.replace(old, new), space)  # noqa: S102
    return space[function.__name__]


def searching(attribute, old, new):
    """A fault in a method of the search."""
    return search.Search, attribute, mutated(getattr(search.Search, attribute), old, new)


def forgetful(X, y, rank, memo_bytes=1 << 26):
    """A search that is right only if it remembers much."""
    return find(X, y, rank=rank + (memo_bytes < 10**6))


FAULTS = {
    "subtrees exchanged": (
        definitions.test_trees,
        (Tree, "split", staticmethod(lambda v, low, high: split(v, high, low))),
    ),
    "labels exchanged": (
        definitions.test_function_of_a_tree,
        (Tree, "predict", lambda tree, X: 1 - tree._labels("")[tree.apply(X)]),
    ),
    "T(n) = 2 + n": (
        definitions.test_reduced_trees,
        (chapter, "count_reduced_trees", lambda n: 2 + n),
    ),
    "depth for rank": (
        definitions.test_rank_of_a_tree,
        (Tree, "rank", property(lambda t: t.depth)),
    ),
    "FIND(S, 3) for FINDMIN": (
        definitions.test_rank_of_a_sample,
        (chapter, "find_min", lambda X, y: find(X, y, rank=3)),
    ),
    "a missing row keeps the rank": (
        definitions.test_only_parity_has_full_rank,
        (chapter, "sample_rank", lambda X, y: sample_rank(X, y) + (len(y) % 2)),
    ),
    "a part of a larger rank": (
        definitions.test_parts_have_no_larger_rank,
        (chapter, "find_min", lambda X, y: find(X, y, rank=3 - (len(y) == 8))),
    ),
    "a call lost": (
        definitions.test_informative_variables,
        (FindRun, "children", lambda run, k: [k + 1][: run.end[k] - k - 1]),
    ),
    "no weights": (definitions.test_error, (measures, "mean", lambda f, _: f.table.mean())),
    "the bound raised": (
        finds.test_find,
        (chapter, "find", lambda X, y, rank, **of: find(X, y, rank=rank + 1, **of)),
    ),
    "wrong without memory": (finds.test_find, (chapter, "find", forgetful)),
    "wrong memory": (
        finds.test_find_is_correct,
        searching("fits", "memo[half] = r", "memo[half] = r - verdict"),
    ),
    "too few examples settle it": (
        finds.test_find_is_correct,
        searching("_settled", "not ones >> r or", "not ones >> (r + 1) or"),
    ),
    "no decision lists": (
        finds.test_find_is_correct,
        (search, "_is_decision_list", lambda *_: False),
    ),
    "the highest variable first": (
        finds.test_the_tree_that_find_returns,
        searching("root", "enumerate(columns)", "[*enumerate(columns)][::-1]"),
    ),
    "the caterpillar from the other end": (
        finds.test_find_on_the_caterpillar,
        searching("root", "enumerate(columns)", "[*enumerate(columns)][::-1]"),
    ),
    "a call reads twice as much": (
        cost.test_time_of_find,
        (
            FindRun,
            "touched",
            property(lambda run: int((run.n_examples * (2 * run.sample.n)).sum())),
        ),
    ),
    "3 m (n+1)^2r in the claim": (
        cost.test_time_of_find,
        (cost, "reads_allowed", lambda *at: reads(*at) * 3 // 2),
    ),
    "half the rank": (
        cost.test_recurrence,
        (chapter, "recurrence", lambda n, r, *costs: recurrence(n, r // 2, *costs)),
    ),
    "3i for 2i in the claim": (
        cost.test_recurrence,
        (cost, "solved", lambda *at, **of: solved(*at, **({"sides": 3} | of))),
    ),
    "the recurrence for its bound": (
        cost.test_third_step,
        (chapter, "recurrence_bound", recurrence),
    ),
    "7/3 for 8/3 in the claim": (
        cost.test_findmin,
        (cost, "of_all_runs", lambda *at: 7 / 8 * all_runs(*at)),
    ),
    "twice as many nodes at least": (
        counts.test_fewest_nodes,
        (chapter, "node_range", lambda n, r: (2 ** (r + 2) - 1, node_range(n, r)[1])),
    ),
    "one binomial coefficient for the sum": (
        counts.test_most_leaves,
        (chapter, "most_leaves", lambda n, r: math.comb(n, min(n, r))),
    ),
    "half of the logarithm": (
        counts.test_small_trees_have_small_rank,
        (chapter, "rank_of_nodes", lambda nodes: (nodes.bit_length() - 1) // 2),
    ),
    "one function of each rank": (
        functions.test_constants,
        (chapter, "functions_by_rank", lambda n: np.ones(n + 1, dtype=int)),
    ),
    "a smaller bound": (
        functions.test_few_functions,
        (chapter, "log_function_bound", lambda n, r, **_: n**r),
    ),
    "2.7 for e in the claim": (
        functions.test_few_functions,
        (functions, "power", lambda *at, **of: power(*at, **({"base": 2.7} | of))),
    ),
    "one leaf at most": (functions.test_sharper_count, (chapter, "most_leaves", lambda *_: 1)),
    "8n for each leaf": (
        functions.test_trees_by_size,
        (chapter, "count_trees_of_size", lambda n, leaves: (8 * n) ** leaves),
    ),
    "two examples for a class": (learning.test_razor, (chapter, "sample_size", lambda *_: 2)),
    "1 % more examples in the claim": (
        learning.test_razor,
        (learning, "razor", lambda *at, **of: math.ceil(1.01 * razor(*at, **of))),
    ),
    "two examples for a rank": (
        learning.test_learning_with_rank,
        (chapter, "sample_size_for_rank", lambda *_: 2),
    ),
    "too many examples": (
        learning.test_learning_with_nodes,
        (chapter, "sample_size_for_leaves", lambda *_: 10**9),
    ),
    "too many examples where k > n": (
        polynomial.test_polynomial_trees,
        (chapter, "sample_size_for_rank", lambda n, r, *of: for_rank(n, r, *of) * (1 + (r == n))),
    ),
    "no logarithm of delta": (
        polynomial.test_examples_with_numbers,
        (chapter, "sample_size_for_nodes", lambda *given: int(1 / given[2] ** 2)),
    ),
    "a larger rank than due": (
        polynomial.test_rank_of_the_output,
        (chapter, "find_min", lambda X, y: find(X, y, rank=3)),
    ),
}


@pytest.mark.parametrize("wrong", sweep(FAULTS, 13))
def test_a_fault_turns_the_claim_red(wrong: str) -> None:
    test, fault = FAULTS[wrong]
    assert fails_under(fault, test, CACHES)
