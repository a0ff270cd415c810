"""The fast FIND against the literal one: the same tree, or none, for every bound."""

from __future__ import annotations

import itertools
import random

import pytest
from support.literal import nested

import dtviz as dt
from dtviz.rank import literal


def assert_same(sample):
    """FIND for every bound up to one above the rank, FINDMIN, and the rank of what they return."""
    X, y = zip(*sample, strict=True)
    best = dt.find_min(X, y)
    least = dt.rank.sample_rank(X, y)
    assert literal.find_min(sample) == nested(best)
    for r in range(least + 2):
        tree, fast = literal.find(sample, r), dt.rank.find(X, y, rank=r)
        assert tree == (None if fast is None else nested(fast))
        assert (tree is None) == (r < least)
        if tree is not None:
            assert literal.rank(tree) == fast.rank
            assert tree == nested(dt.rank.find_run(X, y, rank=r).tree())


CUBE = list(itertools.product((0, 1), repeat=3))


def partial_labellings(step):
    """Samples of distinct points of the 3-cube, each ``step``-th of all 6,560."""
    for labels in itertools.islice(itertools.product((None, 0, 1), repeat=8), 1, None, step):
        yield [(x, label) for x, label in zip(CUBE, labels, strict=True) if label is not None]


def random_samples(count, seed):
    """Samples of four to six variables, some with repeated and irrelevant examples."""
    rng = random.Random(seed)  # noqa: S311
    for _ in range(count):
        n = rng.randint(4, 6)
        points = rng.sample(list(itertools.product((0, 1), repeat=n)), rng.randint(1, 16))
        rule = rng.choice(
            [
                lambda _: rng.randint(0, 1),
                lambda x: x[0] & x[1] | x[2],
                lambda x: x[-1] ^ x[1],
                lambda x: int(sum(x) * 2 > len(x)),
            ]
        )
        sample = [(x, rule(x)) for x in points]
        yield sample + rng.choices(sample, k=rng.randint(0, 5))


def test_partial_labellings_of_the_cube():
    for sample in partial_labellings(21):
        assert_same(sample)


def test_random_samples():
    for sample in random_samples(200, 0):
        assert_same(sample)


def test_the_smallest_samples():
    assert_same([((0, 1), 1)])
    assert_same([((0, 1), 0)] * 3)
    assert_same([((), 1)])
    assert_same([((0,), 1), ((1,), 0)])
    parity = [(x, sum(x) % 2) for x in CUBE]
    assert_same(parity)
    assert_same(parity[:-1])


def test_rank_of_random_trees():
    for seed in range(100):
        tree = dt.rank.random_tree(6, seed % 5, seed)
        assert literal.rank(nested(tree)) == tree.rank


def test_contradictory_examples_are_reported():
    sample = [((0, 1), 1), ((0, 1), 0)]
    assert literal.find(sample, 2) is None
    with pytest.raises(ValueError, match="sample must not give one point two labels"):
        literal.find_min(sample)
