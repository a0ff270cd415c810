"""What the claims of chapter 2 compute with: probabilities by simulation, counts by closure."""

import math

import numpy as np

from claims.rank.failure import _sums, of_rank, seen_exactly, some_consistent, some_unseen
from claims.rank.populations import all_samples, backward_list
from claims.rank.test_functions import decision_lists
from dtviz import rank as chapter


def test_probabilities_of_the_sets_seen_are_those_of_a_simulation():
    mass = np.array([0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05])
    exactly = seen_exactly(mass[None], 5)[0]
    draws = np.random.default_rng(0).choice(8, size=(40_000, 5), p=mass)
    seen = np.bitwise_or.reduce(1 << draws, axis=1)
    assert np.abs(np.bincount(seen, minlength=256) / 40_000 - exactly).max() < 0.01
    every = seen_exactly(np.full((1, 8), 1 / 8), 40)[0, 255]
    assert math.isclose(math.exp(some_unseen(8, 1 / 8, 40)), 1 - every, rel_tol=1e-9)


def test_some_bad_function_survives_exactly_when_one_is_found_by_search():
    survives = some_consistent(_sums(np.full(8, 1 / 8)) > 0.3)
    codes = of_rank(1).tolist()
    for f in (0, 23, 105):
        for seen in range(0, 256, 7):
            expected = any((f ^ g) & seen == 0 and (f ^ g).bit_count() > 2.4 for g in codes)
            assert survives[f, seen] == expected


def test_decision_lists_of_5_variables_are_counted_as_by_closure():
    # A literal answers, or a list without its variable does.
    ones, high = 2**32 - 1, [sum(1 << x for x in range(32) if x >> i & 1) for i in range(5)]
    lists = {frozenset(): {0, ones}}
    for free in (frozenset(k for k in range(5) if mask >> k & 1) for mask in range(1, 32)):
        lists[free] = {
            (answer & half) | (rest & ~half & ones)
            for i in free
            for half in (high[i], ones ^ high[i])
            for answer in (0, ones)
            for rest in lists[free - {i}]
        }
    assert len(lists[frozenset(range(5))]) == decision_lists(5) == 15_036
    for n in range(1, 5):
        assert decision_lists(n) == chapter.functions_by_rank(n)[:2].sum()


def test_all_samples_are_there_and_a_backward_list_makes_find_try_every_variable():
    assert all_samples().seen.size == 3**8 - 1
    for n in (2, 5, 9):
        X, y = backward_list(n)
        tree = chapter.find(X, y, rank=1)
        assert [v for v in tree.variable.tolist() if v >= 0] == [*range(n - 1, 1, -1), 0, 1]
        tried = sum(2 * i + 1 for i in range(3, n + 1))
        assert chapter.find_run(X, y, rank=1).n_calls == 1 + tried + 5
