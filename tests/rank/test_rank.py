"""Rank and FIND, against the definitions, the pseudo-code on plain lists, and golden values."""

from __future__ import annotations

import functools
import itertools
import math
import tracemalloc

import numpy as np
import pytest
from support.literal import nested

import dtviz as dt
from dtviz import rank as rk
from dtviz.rank import find, find_min, find_min_runs, find_run, literal, sample_rank
from dtviz.rank.sample import MAX_ENTRIES, Sample
from dtviz.rank.search import MEMO_BYTES, STEPS, Search

CUBE = dt.cube_points(3)


def as_tuples(tree):
    """A tree, or None, as the literal FIND returns it."""
    return None if tree is None else nested(tree)


def defined_rank(S):
    """The smallest rank of a consistent tree, by the definition of rank: over all root tests."""

    @functools.cache
    def rank(part):
        if len({label for _, label in part}) == 1:
            return 0
        best = math.inf
        for v in range(len(next(iter(part))[0])):
            low = frozenset(e for e in part if not e[0][v])
            if 0 < len(low) < len(part):
                a, b = rank(low), rank(part - low)
                best = min(best, max(a, b) + (a == b))
        return best

    return rank(frozenset(S))


def pairs(X, y):
    return [(tuple(x), int(label)) for x, label in zip(np.asarray(X).tolist(), y, strict=True)]


def random_sample(rng, n, m):
    """A sample of m distinct points of {0,1}^n with random labels."""
    index = rng.choice(1 << n, size=m, replace=False)
    return dt.cube_points(n)[index], rng.integers(0, 2, m)


@functools.cache
def partial_labelings():
    """All 6,560 samples of distinct points of {0,1}^3, as (points, labels)."""
    found = []
    for labels in itertools.product((-1, 0, 1), repeat=8):
        kept = [k for k, label in enumerate(labels) if label >= 0]
        if kept:
            found.append((kept, [labels[k] for k in kept]))
    return found


def assert_as_defined(X, y):
    """FIND for every bound up to one above the rank, and FINDMIN, as the literal ones."""
    S = pairs(X, y)
    least = defined_rank(S)
    assert sample_rank(X, y) == least
    for r in range(least + 2):
        expected = literal.find(S, r)
        assert (expected is None) == (r < least)
        for memo_bytes in (0, 2_000, MEMO_BYTES):
            assert as_tuples(find(X, y, rank=r, memo_bytes=memo_bytes)) == expected
        assert as_tuples(find_run(X, y, rank=r).tree()) == expected
    smallest = find_min(X, y)
    assert as_tuples(smallest) == literal.find_min(S) == literal.find(S, least)
    assert smallest.rank == literal.rank(as_tuples(smallest)) <= least
    assert (smallest.predict(X) == y).all()


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_random_samples_against_the_definition_and_the_pseudo_code(n):
    """Some examples are there twice."""
    rng = np.random.default_rng(n)
    for _ in range(40):
        X, y = random_sample(rng, n, int(rng.integers(1, min(1 << n, 40) + 1)))
        kept = np.append(np.arange(len(y)), rng.integers(0, len(y), rng.integers(0, 6)))
        assert_as_defined(X[kept], y[kept])


def test_samples_of_the_cube():
    for kept, labels in partial_labelings()[::21]:
        assert_as_defined(CUBE[kept], np.array(labels))
    parity = dt.functions.parity(3).table
    assert_as_defined(CUBE, parity)
    assert_as_defined(CUBE[:-1], parity[:-1])
    assert_as_defined(np.empty((1, 0), dtype=int), np.array([1]))


def test_contradictory_examples_fit_no_literal_tree():
    sample = [((0, 1), 1), ((0, 1), 0)]
    assert literal.find(sample, 2) is None
    with pytest.raises(ValueError, match="sample must not give one point two labels"):
        literal.find_min(sample)


@pytest.mark.parametrize(
    ("n", "sample", "rank", "leaves"),
    [
        (4, {14: 0, 13: 0, 8: 1, 12: 0, 7: 0, 11: 1}, 1, 2),
        (4, {15: 1, 4: 1, 10: 1, 8: 0, 13: 0, 5: 0, 2: 1, 6: 1, 0: 0, 9: 1}, 2, 6),
    ],
)
def test_golden_samples(n, sample, rank, leaves):
    X, y = dt.cube_points(n)[list(sample)], list(sample.values())
    tree = find_min(X, y)
    assert (sample_rank(X, y), tree.rank, tree.n_leaves) == (rank, rank, leaves)
    assert find(X, y, rank=rank) == tree
    assert find(X, y, rank=rank - 1) is None


def test_find_tries_the_lowest_variable_first_and_so_may_test_one_that_does_not_matter():
    X = dt.cube_points(2)
    assert find(X, X[:, 1], rank=1) == dt.Tree.split(1, dt.Tree.leaf(0), dt.Tree.leaf(1))
    assert find(X, X[:, 1], rank=2).n_leaves == 4


def test_the_early_return_of_step_3_3_tries_no_further_variable():
    # x0 cuts off a pure half; the other half is the parity of x1 and x2, which has rank 2.
    X = CUBE
    y = X[:, 0] & (X[:, 1] ^ X[:, 2])
    run = find_run(X, y, rank=1)
    assert run.tree() is None
    assert [c.variable for c in run.calls if c.parent == 0] == [0, 0, 0]
    assert STEPS[run.step[0]] == "3.3"
    assert [bool(run.again[k]) for k in run.children(0)] == [False, False, True]
    # Sound, since no tree of rank 1 fits the whole when none fits that part of it.
    assert defined_rank(pairs(X[X[:, 0] == 1], y[X[:, 0] == 1])) == 2
    assert defined_rank(pairs(X, y)) == 2


def test_few_examples_of_one_label_have_small_rank():
    # The shortcut that keeps the recursion shallow: fewer than 2^r of a label fit rank r.
    for kept, labels in partial_labelings():
        few = min(sum(labels), len(kept) - sum(labels))
        assert Search(Sample.of(CUBE[kept], labels)).least_rank() <= few.bit_length()


def test_the_arrays_given_are_left_alone():
    X, y = CUBE.copy(), np.array([0, 1, 1, 0, 1, 0, 0, 1])
    before = X.copy(), y.copy()
    find_min(X, y)
    assert np.array_equal(X, before[0])
    assert np.array_equal(y, before[1])


def test_no_variables_and_one_example():
    assert find(np.empty((3, 0)), [1, 1, 1], rank=0) == dt.Tree.leaf(1)
    assert find([[0, 1]], [0], rank=0) == dt.Tree.leaf(0)
    assert find_run([[0, 1]], [0], rank=5).n_calls == 1


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([], [], "at least one example"),
        ([[0, 1], [1, 1, 0]], [0, 1], "rectangular array of 0/1"),
        ([[0, 1], 1], [0, 1], "rectangular array of 0/1"),
        ([[0, 1], [0, 2]], [0, 1], r"got .*2.* in row 1: \[0, 2\]"),
        ([[0, 1], [0.5, 1]], [0, 1], r"0.5.* in row 1: \[0.5, 1.0\]"),
        ([[0, 1], [0, None]], [0, 1], r"None in row 1: \[0, None\]"),
        ([["0", "1"]], [0], "only 0 and 1"),
        ([0, 1], [0, 1], "2-dimensional"),
        (3, [0], "2-dimensional"),
        ([[0], [1]], [0], "one label per row"),
        ([[0], [1]], [[0, 0], [1, 1]], "one label per row"),
        ([[0], [1]], [0, 2], r"y must contain only 0 and 1, got 2 at index 1"),
        ([[0, 1], [1, 1], [0, 1]], [0, 1, 1], r"0 for row 0 and 1 for row 2, both \[0, 1\]"),
        (np.empty((2, 0)), [0, 1], "row 0 and 1 for row 1"),
    ],
)
def test_bad_samples_are_refused_with_the_bad_row(X, y, message):
    for call in (find_min, sample_rank, lambda X, y: find(X, y, rank=1), find_min_runs):
        with pytest.raises(ValueError, match=message):
            call(X, y)


def test_labels_are_needed_but_for_a_function():
    with pytest.raises(ValueError, match="y must be given with a table"):
        find(CUBE, rank=1)
    assert find(dt.functions.parity(2), rank=2) == find(dt.cube_points(2), [0, 1, 1, 0], rank=2)


def test_a_sample_that_memory_cannot_hold_is_refused_before_it_is_copied():
    huge = np.broadcast_to(np.zeros(1, dtype=np.uint8), (MAX_ENTRIES // 8 + 1, 8))
    with pytest.raises(ValueError, match="at most 2\\^30 entries"):
        find(huge, np.zeros(len(huge)), rank=1)


@pytest.mark.parametrize("rank", [1, 2, 1500, 10**9])
def test_chains_deeper_than_the_recursion_limit(rank):
    n = 1500
    X = np.tril(np.ones((n, n), dtype=np.uint8))
    y = np.arange(n) % 2
    tree = find(X, y, rank=rank)
    assert tree.depth == n - 1
    assert (tree.predict(X) == y).all()
    if rank in (1, n):
        assert find_run(X, y, rank=rank).tree() == tree


def test_a_hundred_thousand_examples_of_a_function_of_rank_2():
    target = rk.random_tree(50, 2, 1)
    X = dt.ProductDistribution.uniform(50).sample(100_000, 0)
    tree = find(X, target.predict(X), rank=2)
    assert tree.rank == 2
    fresh = dt.ProductDistribution.uniform(50).sample(20_000, 1)
    assert (tree.predict(fresh) == target.predict(fresh)).mean() > 0.999


def test_the_memo_stays_within_its_memory():
    rng = np.random.default_rng(0)
    sample = Sample.of(*random_sample(rng, 12, 400))
    sizes = []
    for limit in (0, 50_000, 200_000):
        tracemalloc.start()
        search = Search(sample, limit)
        assert not search.fits(sample.everything, 4)
        used = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert used < limit + 20_000
        sizes.append(len(search.above) + len(search.within))
    assert sizes[0] == 0 < sizes[1] < sizes[2]


def test_the_memo_keeps_room_for_the_larger_bounds():
    rng = np.random.default_rng(1)
    sample = Sample.of(*random_sample(rng, 12, 400))
    search = Search(sample, 100_000)
    assert not search.fits(sample.everything, 4)
    assert sum(r == 1 for r in search.above.values()) <= search.capacity // 2 + 1
    assert sum(r >= 2 for r in search.above.values()) > 0


def recorded_runs():
    rng = np.random.default_rng(7)
    for n, m in [(3, 6), (4, 12), (5, 20), (6, 24)]:
        for _ in range(6):
            X, y = random_sample(rng, n, m)
            yield from find_min_runs(X, y)


def test_a_run_records_the_calls_the_procedure_makes():
    for run in recorded_runs():
        n, m = run.sample.n, run.sample.m
        assert (run.rank[0], run.n_examples[0], run.parent[0], run.depth[0]) == (
            run.rank[0],
            m,
            -1,
            0,
        )
        for call in run.calls:
            made = [run.calls[k] for k in run.children(call.index)]
            assert [c.index for c in run.calls if c.parent == call.index] == [c.index for c in made]
            assert call.depth == len(run.path(call.index))
            pure = call.ones in (0, call.n_examples)
            assert (call.step == "1") == pure
            assert (call.step == "2") == (not pure and call.rank == 0)
            plain = [c for c in made if not c.again]
            assert [c.branch for c in plain] == [0, 1] * (len(plain) // 2)
            assert all(c.rank == call.rank - 1 for c in plain)
            for low, high in zip(plain[::2], plain[1::2], strict=True):
                assert low.variable == high.variable
                assert low.n_examples + high.n_examples == call.n_examples
                assert low.ones + high.ones == call.ones
            assert [c.variable for c in plain[::2]] == sorted({c.variable for c in plain})
            again = [c for c in made if c.again]
            assert len(again) == (call.step == "3.3")
            if call.step == "3.3":
                assert made[-1].again
                assert made[-1].rank == call.rank
                assert call.found == made[-1].found
                assert plain[-1].found != plain[-2].found
                first = plain[-2 + made[-1].branch]
                assert (first.n_examples, first.ones) == (made[-1].n_examples, made[-1].ones)
            elif call.step == "3.2":
                assert call.found
                assert plain[-1].found
                assert plain[-2].found
            elif call.step == "4":
                assert not call.found
                assert not any(c.found for c in made)
            decided = call.step in ("3.2", "3.3")
            assert call.split == (made[-1].variable if decided else -1)
        assert run.n_calls <= rk.recurrence(n, int(run.rank[0]))
        assert run.touched <= rk.recurrence(n, int(run.rank[0]), m, m * (n + 1))


def test_every_call_of_a_run_answers_as_find_does_on_its_sub_sample():
    rng = np.random.default_rng(11)
    X, y = random_sample(rng, 5, 18)
    for run in find_min_runs(X, y):
        for call in run.calls:
            part = np.ones(len(X), dtype=bool)
            for i, b in run.path(call.index):
                part &= X[:, i] == b
            assert (part.sum(), y[part].sum()) == (call.n_examples, call.ones)
            assert call.found == (find(X[part], y[part], rank=call.rank) is not None)


def test_the_calls_of_a_none_proof_are_as_many_as_the_recurrence_allows_without_second_tries():
    # Parity of 8 variables has no pure half before the last one: every call tries every variable.
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 8))
    y = dt.functions.parity(8)(X)
    run = find_run(X, y, rank=2)
    assert (run.tree(), run.n_again) == (None, 0)
    assert run.n_calls == 1 + 16 * (1 + 14)


def test_recording_gives_up_clearly():
    X = dt.cube_points(6)
    with pytest.raises(ValueError, match=r"max_calls must be larger .* got 50"):
        find_run(X, dt.functions.parity(6).table, rank=4, max_calls=50)
    with pytest.raises(ValueError, match="max_calls must be an integer >= 1"):
        find_run(X, X[:, 0], rank=1, max_calls=0)


def test_a_run_is_indexable():
    run = find_run(CUBE, dt.functions.majority(3).table, rank=2)
    assert run.calls[-1].index == run.n_calls - 1
    assert [c.index for c in run.calls[1:3]] == [1, 2]
    for method in (run.path, run.children):
        with pytest.raises(ValueError, match="k must be"):
            method(run.n_calls)
    assert f"{run.n_calls} calls" in repr(run)


@pytest.mark.parametrize(("n", "rank"), [(0, 0), (1, 1), (5, 0), (5, 1), (6, 3), (5, 5), (40, 2)])
def test_random_trees_have_the_rank_asked_for(n, rank):
    for seed in range(20):
        tree = rk.random_tree(n, rank, seed)
        assert tree.rank == literal.rank(nested(tree)) == rank
        assert tree.n_leaves <= rk.most_leaves(n, rank)
        assert all(len({i for i, _ in p}) == len(p) for p in tree.paths())
        assert tree == rk.random_tree(n, rank, seed)
    with pytest.raises(ValueError, match="rank must be an integer from 0"):
        rk.random_tree(n, n + 1, 0)


def test_random_trees_with_thousands_of_variables():
    assert rk.random_tree(5000, 1, 0).rank == 1


def test_pac_errors_fall_with_the_number_of_examples_and_repeat():
    f = dt.functions.majority(5)
    errors = rk.pac_errors(f, np.repeat([[4], [16], [200]], 20, axis=1), 0)
    assert errors.shape == (3, 20)
    means = errors.mean(axis=1)
    assert means[0] > means[1] > means[2]
    assert np.array_equal(errors[0], rk.pac_errors(f, np.full(20, 4), 0))
    assert rk.pac_errors(f, 500, 1) == 0
    assert rk.pac_errors(f, 30, 1, rank=3).shape == ()


def test_pac_errors_are_measured_under_the_distribution_they_are_drawn_from():
    f = dt.functions.conjunction(3)
    mu = dt.ProductDistribution([0.01] * 3)
    assert 0 < rk.pac_errors(f, 1, 0, mu=mu) < 1e-5


def test_functions_by_rank():
    expected = [[2], [2, 2], [2, 12, 2], [2, 94, 158, 2], [2, 1048, 53212, 11272, 2]]
    assert [rk.functions_by_rank(n).tolist() for n in range(5)] == expected
    for n in range(1, 5):
        for r in range(n + 2):
            true = math.log(rk.functions_by_rank(n)[: r + 1].sum())
            sharp, loose = rk.log_function_bound(n, r, by_leaves=True), rk.log_function_bound(n, r)
            assert true <= sharp * (1 + 1e-12)
            assert sharp <= loose * (1 + 1e-12)
            if r == 0 or r >= n:
                assert math.isclose(true, loose)


def test_golden_sample_sizes():
    assert rk.sample_size_for_rank(10, 2, 0.1, 0.05) == 8125
    assert rk.sample_size_for_rank(3, 1, 0.2, 0.1) == 142
    assert rk.sample_size(0.2, 0.1, math.log(96)) == 35
    assert rk.sample_size_for_nodes(20, 15, 0.1, 0.05) == 302_068


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rk.sample_size_for_rank(2, 3, 0.1, 0.1), "r must be an integer from 1 to 2"),
        (lambda: rk.sample_size_for_rank(3000, 1500, 0.1, 0.1), "n and r must give a bound below"),
        (lambda: rk.sample_size(1e-308, 0.1, 1e308), "epsilon and log_functions must give"),
        (lambda: rk.sample_size_for_rank(10**400, 1, 0.1, 0.1), "n and r must give a bound"),
        (lambda: rk.sample_size_for_nodes(10**7, 2**10**6, 0.1, 0.05), "n and r must give"),
        (lambda: rk.most_leaves(10**400, 10**399), "n must be an integer from 0 to 1000000"),
        (lambda: rk.count_reduced_trees(21), "n must be an integer from 0 to 20, got 21"),
        (lambda: rk.count_trees_of_size(2, 10**5 + 1), "leaves must be an integer from 1 to 1000"),
        (lambda: rk.recurrence(10**7, 1), "n must be an integer from 0 to 1000000"),
        (lambda: rk.recurrence(10**4, 10**3), "n and r must be smaller"),
        (lambda: rk.recurrence_bound(0, 10**400), "r must be an integer from 0 to 1000000"),
        (lambda: rk.random_tree(10**5, 3, 0), "n must be an integer from 0 to 10000"),
        (lambda: rk.random_tree(99, 17, 0), "rank must be an integer from 0 to 16"),
    ],
)
def test_bad_arguments_of_the_formulas(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_formulas_up_to_their_limits():
    """Where they do not refuse they answer, and rightly: against the sums of their definitions."""
    for n, r in itertools.product(range(12), range(14)):
        assert rk.most_leaves(n, r) == sum(math.comb(n, i) for i in range(r + 1))
        terms = [(n + 1) ** j for j in range(2 * r + 1)]
        assert rk.recurrence_bound(n, r, 3, 5) == 5 * sum(terms[1::2]) + 3 * sum(terms[::2])
    assert rk.most_leaves(999_999, 10**6) == 1 << 999_999
    assert rk.most_leaves(20_000, 10_000) == (2**20_000 + math.comb(20_000, 10_000)) // 2
    assert rk.recurrence(10**6, 0, leaf=7) == rk.recurrence(0, 10**400, leaf=7) == 7
    assert rk.recurrence(10**6, 1) == 1 + 10**6 + 10**6 * (10**6 + 1)
    assert rk.count_reduced_trees(20) == 2 + 20 * rk.count_reduced_trees(19) ** 2
    assert rk.log_function_bound(10**4, 5 * 10**3, by_leaves=True) == math.inf
    assert rk.log_function_bound(10**400, 3) == math.inf
