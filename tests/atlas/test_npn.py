"""NPN classes against all symmetries tried in turn, Burnside's count, and the numbers in print."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import dtviz as dt

PRINTED = [1, 2, 4, 14, 222, 616_126]
"""OEIS A000370."""


def maps(n):
    """What each renaming and negation of the variables does to the points of the cube."""
    x = dt.cube_points(n).astype(np.int64)
    for order in itertools.permutations(range(n)):
        renamed = (x[:, order] << np.arange(n)).sum(axis=1, dtype=np.int64)
        for signs in range(1 << n):
            yield renamed ^ signs


def by_trying(n, codes):
    """The least code among all images, by definition."""
    tables = np.asarray(codes)[:, None] >> np.arange(1 << n) & 1
    place = 1 << np.arange(1 << n)
    images = (tables[:, point] @ place for point in maps(n))
    last = place.sum()
    least = np.asarray(codes)
    for image in images:
        least = np.minimum(least, np.minimum(image, last - image))
    return least


def by_burnside(n):
    """The number of classes: the mean number of functions that a symmetry keeps."""
    kept = count = 0
    for point in maps(n):
        left, lengths = set(range(1 << n)), []
        while left:
            x, length = left.pop(), 1
            y = point[x]
            while y != x:
                left.remove(y)
                y, length = point[y], length + 1
            lengths.append(length)
        # With the value negated, f must alternate along each cycle.
        kept += (1 << len(lengths)) * (1 + all(length % 2 == 0 for length in lengths))
        count += 2
    return kept // count


@pytest.mark.slow
@pytest.mark.parametrize("n", range(5))
def test_every_function_has_the_least_code_of_its_class(n):
    codes = np.arange(2 ** (2**n))
    least = dt.atlas.npn_canonical(n, codes)
    assert np.array_equal(least, by_trying(n, codes))
    codes, sizes = np.unique(least, return_counts=True)
    classes = dt.atlas.npn_classes(n)
    assert np.array_equal(classes.codes, codes)
    assert np.array_equal(classes.sizes, sizes)


def test_functions_of_five_variables():
    """Random ones lack symmetry; the others have much of it."""
    families = [f(5).code for f in (dt.functions.parity, dt.functions.majority)]
    families += [dt.functions.dictator(5, i).code for i in range(5)]
    families += [0xCAFE0000, 0xCAFECAFE, 0xFFFF0000, 0x6996FFFF, 2**32 - 1, 0]
    codes = np.concatenate([np.random.default_rng(5).integers(0, 2**32, 100), families])
    assert np.array_equal(dt.atlas.npn_canonical(5, codes), by_trying(5, codes))


@pytest.mark.parametrize("n", range(6))
def test_classes_are_all_there(n):
    classes = dt.atlas.npn_classes(n)
    assert classes.codes.size == PRINTED[n] == by_burnside(n)
    assert classes.sizes.sum() == 2 ** (2**n)
    assert (math.factorial(n) << (n + 1)) % classes.sizes.max() == 0
    assert (np.diff(classes.codes) > 0).all()
    assert np.array_equal(dt.atlas.npn_canonical(n, classes.codes), classes.codes)


@pytest.mark.parametrize("n", range(5))
def test_what_a_class_has_in_common(n):
    """The optima, and the greedy sizes over all ties; not what the lowest variable decides."""
    best, greedy = dt.optimal_all(n), dt.influence.greedy_all(n)
    least = dt.atlas.npn_canonical(n, best.codes)
    for name in ("n_leaves", "depth", "rank", "average_depth"):
        assert np.array_equal(getattr(best, name), getattr(best, name)[least]), name
    for name in ("best", "worst"):
        assert np.array_equal(getattr(greedy, name), getattr(greedy, name)[least]), name
    moved = int((greedy.n_leaves != greedy.n_leaves[least]).sum())
    assert moved == [0, 0, 0, 24, 19_152][n]


def test_codes_of_any_form():
    assert dt.atlas.npn_canonical(2, 14) == 1
    assert dt.atlas.npn_canonical(2, [[14, 9], [10, 0]]).tolist() == [[1, 6], [3, 0]]
    assert dt.atlas.npn_canonical(5, []).shape == (0,)
    codes = np.array([14, 9], dtype=np.uint8)
    dt.atlas.npn_canonical(2, codes)[:] = 7
    assert codes.tolist() == [14, 9]
    code = dt.functions.majority(5).code
    assert (dt.atlas.npn_canonical(5, np.full((1 << 16) + 1, code)) == by_trying(5, [code])).all()
