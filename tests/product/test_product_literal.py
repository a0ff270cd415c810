"""The fast learners of chapter 3 against the literal ones: every split, every tree."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from support.literal import function_of, leaves_after, nested, splits_of

import dtviz as dt
from dtviz.product import literal

F = dt.functions
BIASES = [Fraction(1, 10), Fraction(1, 3), Fraction(9, 10), Fraction(1, 4), Fraction(1, 2)]


def assert_same(f, p):
    """The package takes scores within 1e-9 for tied, so different ones must be farther apart.

    A score is an integer over the product of all denominators and one of them once more, and at
    most 1; so two scores are equal, or at least 1 over that product and two of them apart.
    """
    below = [q.denominator for q in p]
    assert math.prod(below) * max(below, default=1) ** 2 < 10**8
    path, g = dt.build_top_down(f, dt.ProductDistribution(p)), function_of(f)
    tree, splits = literal.build_top_down(g, p)
    assert list(splits.items()) == splits_of(path)
    assert tree == nested(path.tree(epsilon=0))
    for step in range(path.n_splits + 1):
        bare = leaves_after(splits, step)
        error = literal.error(g, p, bare)
        assert float(error) == pytest.approx(path.errors[step], abs=1e-12)
        if f.n:
            score = max(literal.score(g, p, leaf) for leaf in bare)
            assert float(score) == pytest.approx(path.scores[step], abs=1e-12)
        if step % 4 == 0 and error < Fraction(1, 2):
            early, made = literal.build_top_down(g, p, error)
            assert early == nested(path.tree(epsilon=error))
            assert len(made) + 1 == path.n_leaves_for(error)


def test_every_function_of_up_to_two_variables_under_all_biases():
    for n in (0, 1, 2):
        for code in range(1 << (1 << n)):
            for first in BIASES:
                p = [first, Fraction(1, 3)][:n]
                assert_same(dt.BooleanFunction.from_int(n, code), p)


def test_random_functions_and_biases():
    rng = random.Random(0)  # noqa: S311
    for k in range(60):
        n = 4 if k % 12 == 0 else 3
        assert_same(F.random(n, k), [rng.choice(BIASES) for _ in range(n)])


@pytest.mark.parametrize("p", BIASES, ids=str)
def test_functions_full_of_ties(p):
    for f in (F.majority(5), F.parity(4), F.conjunction(4), F.multiplexer(1)):
        assert_same(f, [p] * f.n)


class Stream:
    """The numbers of a NumPy generator, one by one.

    The package draws the same numbers in the same order, as long as a sample fits into one chunk.
    """

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def random(self):
        return self.rng.random()


def assert_same_run(case):
    """The same draws give the same run. ``scale`` is a power of 2: floats hold the sizes."""
    f, p, epsilon, delta, seed, scale = case
    run = dt.product.build_top_down_sampled(
        f,
        dt.ProductDistribution(p),
        float(epsilon),
        float(delta),
        np.random.default_rng(seed),
        scale=float(scale),
    )
    tree, splits = literal.build_top_down_sampled(
        function_of(f), p, epsilon, delta, Stream(seed), scale=scale
    )
    assert list(splits.items()) == splits_of(run.path(f))
    assert tree == nested(run.tree())
    return run.stopped


def cases(count):
    """Functions, biases and errors; samples so small that estimates are often tied, or all 0."""
    rng = random.Random(1)  # noqa: S311
    for k in range(count):
        n = rng.randint(1, 4)
        f = rng.choice([F.random(n, k), F.parity(n), F.conjunction(n), F.decision_list(n)])
        p = [rng.choice(BIASES) for _ in range(n)]
        epsilon = rng.choice([Fraction(2, 5), Fraction(1, 5), Fraction(1, 10)])
        yield f, p, epsilon, Fraction(1, 10), k, Fraction(1, rng.choice([256, 1024, 4096]))


def test_sampled_runs_from_small_samples():
    stopped = [assert_same_run(case) for case in cases(120)]
    assert set(stopped) == {"error", "blind"}


def test_sampled_runs_with_the_sizes_of_the_theory():
    half = Fraction(1, 2)
    for seed, f in enumerate([F.parity(2), F.majority(3), F.conjunction(0), F.dictator(2, 1)]):
        p = BIASES[1 : 1 + f.n]
        assert assert_same_run((f, p, Fraction(2, 5), half, seed, 1)) == "error"


def test_sample_sizes():
    for j in (*range(12), 1000):
        for delta in (Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)):
            for epsilon in (Fraction(1, 100), Fraction(1, 10), Fraction(2, 5)):
                examples = dt.product.examples_needed(j, float(epsilon), float(delta))
                assert literal.examples_needed(j, epsilon, delta) == examples
                for n in (1, 2, 7, 40):
                    pairs = dt.product.pairs_needed(j, n, float(epsilon), float(delta))
                    assert literal.pairs_needed(j, n, epsilon, delta) == pairs


def test_the_learner_takes_a_generator_of_the_standard_library():
    tree, splits = literal.build_top_down_sampled(
        lambda x: x[1],
        [Fraction(1, 2)] * 2,
        Fraction(2, 5),
        Fraction(1, 2),
        random.Random(0),  # noqa: S311
    )
    assert tree == (1, 0, 1)
    assert splits == {(): 1}
