"""The fast prunings against the literal ones: the same trees, numbers of errors and prices."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from support.literal import nested

import dtviz as dt
from dtviz.pruning import literal

pruning = dt.pruning


def random_tree(rng, leaves, n, labels, thresholds):
    """Any shape; a test may come twice on a path, so that no example gets to some node."""
    if leaves == 1:
        return rng.choice(labels)
    few = rng.randrange(1, leaves)
    question = (rng.randrange(n), rng.choice([0.5, 1.5])) if thresholds else (rng.randrange(n),)
    return (
        *question,
        random_tree(rng, few, n, labels, thresholds),
        random_tree(rng, leaves - few, n, labels, thresholds),
    )


def fitted(tree, sample, above=0):
    """The tree with the labels of its sample at its leaves, as growth would have put them there."""
    label = literal.commonest(sample, above)
    if not isinstance(tree, tuple):
        return label
    below = zip(tree[-2:], literal.parts(tree[:-2], sample), strict=True)
    return (*tree[:-2], *(fitted(child, part, label) for child, part in below))


def cases(count, seed, labels=None):
    """A tree and two samples; leaves with labels of their own, or those of the first sample."""
    rng = random.Random(seed)  # noqa: S311
    for _ in range(count):
        names = labels or rng.choice([(0, 1), (0, 1, 2), (1,)])
        n, thresholds = rng.randint(1, 4), rng.random() < 0.3
        tree = random_tree(rng, rng.randint(1, 8), n, names, thresholds)
        samples = []
        for _ in range(2):
            size = rng.choice([1, rng.randint(1, 12), rng.randint(1, 25)])
            points = [tuple(rng.randint(0, 1 + thresholds) for _ in range(n)) for _ in range(size)]
            few = rng.choice(names)
            noise = rng.choice([0, 0.2, 1])
            samples.append(
                [(x, rng.choice(names) if rng.random() < noise else few) for x in points]
            )
        yield (fitted(tree, samples[0]) if rng.random() < 0.5 else tree), *samples


def as_tree(tree):
    """The package's tree of a literal one."""
    if not isinstance(tree, tuple):
        return dt.Tree.leaf(tree)
    threshold = tree[1] if len(tree) == 4 else 0.5
    return dt.Tree.split(tree[0], as_tree(tree[-2]), as_tree(tree[-1]), threshold)


def arrays(sample):
    return tuple(zip(*sample, strict=True))


def given(tree, sample):
    """The arguments of the package for a literal tree and sample."""
    return (as_tree(tree), *arrays(sample))


def assert_equal(tree, fast, like):
    """Equal trees, in the form of the tree that was pruned."""
    thresholds = isinstance(like, tuple) and len(like) == 4
    assert tree == nested(fast, thresholds=thresholds)


def assert_reduced_error(tree, first, second):
    for grown_on in (first, second):
        fast = dt.pruning.reduced_error_prune(
            *given(tree, second), grown_on=arrays(grown_on), classes=[0, 1, 2]
        )
        pruned = literal.reduced_error_prune(tree, second, grown_on)
        assert_equal(pruned, fast.tree(), tree)
        assert literal.errors(pruned, second) == fast.errors
        assert literal.leaves(pruned) == fast.n_leaves


def assert_smallest(tree, sample, _):
    fast = dt.pruning.smallest_prunings(*given(tree, sample), classes=[0, 1, 2])
    found = literal.smallest_prunings(tree, sample)
    assert [size for size, _ in found] == fast.n_leaves.tolist()
    for d, (size, pruned) in enumerate(found):
        if size == math.inf:
            assert pruned is None
            continue
        assert_equal(pruned, fast.tree(d=d), tree)
        assert literal.errors(pruned, sample) == fast.pruning(d=d).errors <= d


def assert_srm(tree, sample, _):
    for factor in (0, Fraction(1, 8), 1, 3):
        fast = dt.pruning.srm_prune(*given(tree, sample), factor=factor, classes=[0, 1, 2])
        assert_equal(literal.srm_prune(tree, sample, factor), fast.tree(), tree)


def assert_cost_complexity(tree, sample, _):
    fast = dt.pruning.cost_complexity_path(*given(tree, sample), classes=[0, 1, 2])
    path = literal.cost_complexity_path(tree, sample)
    assert [float(price) for price, _ in path] == pytest.approx(fast.breaks.tolist(), abs=1e-15)
    assert [literal.leaves(pruned) for _, pruned in path] == fast.n_leaves.tolist()
    assert [literal.errors(pruned, sample) for _, pruned in path] == fast.errors.tolist()
    for (_, pruned), one in zip(path, fast, strict=True):
        assert_equal(pruned, one.tree(), tree)
    prices = [price for price, _ in path]
    between = [(a + b) / 2 for a, b in zip(prices, [*prices[1:], prices[-1] + 1], strict=True)]
    for price in [*between, *map(float, prices)]:
        one = dt.pruning.cost_complexity_prune(
            *given(tree, sample), alpha=float(price), classes=[0, 1, 2]
        )
        assert_equal(literal.cost_complexity_prune(tree, sample, price), one.tree(), tree)


def assert_bottom_up(tree, sample, _):
    """For the constant of the theory, and a range that passes every threshold between two trees."""
    n = len(sample[0][0])
    for delta in (Fraction(1, 20), Fraction(9, 10)):
        for c in (2, *(0.02 * 1.4**k for k in range(9))):
            fast = dt.pruning.bottom_up_prune(
                *given(tree, sample), delta=float(delta), c=c, n_tests=n
            )
            pruned = literal.bottom_up_prune(tree, sample, n, delta, c)
            assert_equal(pruned, fast.tree(), tree)
            assert literal.errors(pruned, sample) == fast.errors


METHODS = [
    assert_reduced_error,
    assert_smallest,
    assert_srm,
    assert_cost_complexity,
    assert_bottom_up,
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_random_trees_and_samples(method):
    labels = (0, 1) if method is assert_bottom_up else None
    for case in cases(15 if method is assert_bottom_up else 45, 0, labels):
        method(*case)


def learnable(seed):
    """A tree with something to keep: four bits, three of them in the rule, and some noise."""
    rng = random.Random(seed)  # noqa: S311
    points = [tuple(rng.randint(0, 1) for _ in range(4)) for _ in range(40)]
    sample = [(x, (x[0] ^ x[1] | x[2]) ^ (rng.random() < 0.1)) for x in points]
    full = (0, *((1, *((2, *((3, 0, 1),) * 2),) * 2),) * 2)
    return fitted(full, sample), sample, sample


def hollow():
    """No example has x_0 = 0. A cut on that side, at x_1, speaks for the examples at the root."""
    sample = [((1, 0), 1)] * 40 + [((1, 1), 0)] * 30
    return (0, (1, 0, 1), (1, 1, 0)), sample, sample


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_trees_with_something_to_keep(method):
    method(*hollow())
    for seed in range(3):
        method(*learnable(seed))


def test_counts_of_paths_and_trees():
    for n in range(1, 8):
        for k in range(9):
            assert literal.paths(n, k) == pruning.count_paths(n, k)
            assert literal.trees(n, k + 1) == pruning.count_trees(n, 2 * k + 1)


def test_equal_risks_go_to_the_smallest_tree():
    """10/25 + sqrt(1/25) = 0/25 + sqrt(9/25), though not as floats."""
    chain, sample = 0, []
    for k, times in reversed([*enumerate((3, 2, 3, 2, 3, 3, 3, 3, 3))]):
        sample += [((1,) * k + (0,) * (8 - k), k % 2)] * times
        chain = k % 2 if k == 8 else (k, k % 2, chain)
    assert literal.leaves(chain) == 9
    assert literal.errors(chain, sample) == 0
    assert literal.srm_prune(chain, sample) == 0


def test_the_examples_of_the_page():
    stump = (0, 0, 1)
    sample = [((0,), 0), ((0,), 0), ((1,), 1), ((1,), 1)]
    assert [size for size, _ in literal.smallest_prunings(stump, sample)] == [2, 2, 1, 1, 1]
    by_hand = (0, 0, (1, 1, 0))
    sample = [((0, 0), 0)] * 5 + [((1, 0), 1)] * 3 + [((1, 0), 0)] + [((1, 1), 0)] * 2
    sizes = [size for size, _ in literal.smallest_prunings(by_hand, sample)]
    assert sizes[:5] == [math.inf, 3, 3, 1, 1]
    second = [((0, 0, 0, 0, b), label) for b, label in ((0, 1), (0, 1), (1, 1), (1, 1), (1, 0))]
    first = [((0, 0, 0, 0, b), label) for b, label in ((0, 1), (0, 1), (0, 1), (1, 0))]
    assert literal.reduced_error_prune((4, 1, 0), second, first) == 1


def grown(sample):
    """The tree of the package for a literal sample."""
    X, y = np.array([x for x, _ in sample]), np.array([label for _, label in sample])
    return dt.grow(X, y).tree(), X, y


def grown_literally(sample):
    return nested(grown(sample)[0], thresholds=True)


def by_folds(folds):
    """The tree of the best price, by the fast path, as chapter 6's page computes it."""
    tree, X, y = grown([example for fold in folds for example in fold])
    whole = dt.pruning.cost_complexity_path(tree, X, y)
    middle = np.sqrt(whole.breaks[1:-1] * whole.breaks[2:])
    prices = [0.0, *middle, math.inf][: len(whole.breaks)]
    wrong = np.zeros(len(prices), int)
    for k, fold in enumerate(folds):
        rest = grown([example for j, other in enumerate(folds) if j != k for example in other])
        part = dt.pruning.cost_complexity_path(*rest)
        judged = np.array([x for x, _ in fold]), np.array([label for _, label in fold])
        for i, price in enumerate(prices):
            at = part.breaks[part.breaks <= price][-1]
            wrong[i] += (part.tree(value=at).predict(judged[0]) != judged[1]).sum()
    best = len(wrong) - 1 - int(wrong[::-1].argmin())
    return nested(whole.tree(value=whole.breaks[best]), thresholds=True)


def folded(seed):
    """Two to five folds of noisy points on a small grid, and now and then of one label."""
    rng = random.Random(seed)  # noqa: S311
    noise = rng.choice([0, 0.1, 0.3])
    points = [(rng.randrange(6), rng.randrange(6)) for _ in range(rng.randint(12, 40))]
    sample = [(x, int((x[0] > 2) ^ (rng.random() < noise)) if seed % 9 else 1) for x in points]
    parts = rng.randint(2, 5)
    return [sample[k::parts] for k in range(parts)]


def test_the_price_by_folds():
    sizes = set()
    for seed in range(60):
        tree = literal.price_by_folds(grown_literally, folded(seed))
        assert tree == by_folds(folded(seed)), seed
        sizes.add(literal.leaves(tree))
    assert len(sizes) > 3
