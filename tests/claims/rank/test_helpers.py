"""What the claims of chapter 2 compute with: probabilities by simulation, counts by closure."""

import math

import numpy as np

from claims.rank.failure import _sums, of_rank, seen_exactly, some_consistent, some_unseen


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
