"""The zoo, each function against its one-line definition."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz as dt

F = dt.functions


def agree(f, rule):
    return all(f(x) == int(rule(x.tolist())) for x in dt.cube_points(f.n))


@pytest.mark.parametrize("n", range(6))
def test_counting_functions(n):
    assert agree(F.parity(n), lambda x: sum(x) % 2)
    assert agree(F.conjunction(n), all)
    assert agree(F.disjunction(n), any)
    if n % 2:
        assert agree(F.majority(n), lambda x: sum(x) > n / 2)


@pytest.mark.parametrize(("width", "count"), [(1, 3), (2, 2), (3, 2), (2, 3)])
def test_tribes(width, count):
    def rule(x):
        return any(all(x[t * width : (t + 1) * width]) for t in range(count))

    assert agree(F.tribes(width, count), rule)


@pytest.mark.parametrize("bits", range(3))
def test_multiplexer(bits):
    def rule(x):
        return x[bits + sum(b << k for k, b in enumerate(x[:bits]))]

    assert agree(F.multiplexer(bits), rule)


@pytest.mark.parametrize("n", range(6))
def test_decision_list(n):
    def rule(x):
        return next((i for i, b in enumerate(x) if b), n) % 2 == 0

    f = F.decision_list(n)
    assert agree(f, rule)
    assert dt.optimal(f).rank == (1 if n else 0)


@pytest.mark.parametrize(("votes", "bits"), [(1, 1), (3, 1), (3, 2), (5, 1)])
def test_parity_multiplexer(votes, bits):
    def rule(x):
        block = sum(x[:votes]) > votes / 2
        start = votes + block * bits
        return sum(x[start : start + bits]) % 2

    assert agree(F.parity_multiplexer(votes, bits), rule)


@pytest.mark.parametrize("k", range(4))
def test_caterpillar(k):
    def rule(x):
        # Read from the last segment: stop at w_j unless x_j and y_j are both 1.
        for j in range(k, 0, -1):
            if not (x[3 * j - 2] and x[3 * j - 1]):
                return x[3 * j]
        return x[0]

    assert agree(F.caterpillar(k), rule)


@pytest.mark.parametrize("f", [F.parity(0), F.majority(3), F.random(4, 1)], ids=str)
def test_guarded(f):
    assert agree(F.guarded(f), lambda x: x[0] and f(x[1:]))
    with pytest.raises(ValueError, match="f must have fewer than 24 variables, got n = 24"):
        F.guarded(F.parity(24))


def test_random_is_seeded():
    assert F.random(6, 3) == F.random(6, 3)
    assert F.random(6, 3) != F.random(6, 4)


NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.integers(-(10**30), 10**30),
    st.fractions(-2, 2, max_denominator=12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.1, 0.2, 0.3, 0.1 + 0.2, 1e308, 5e-324, -0.0]),
)


@given(st.lists(NUMBERS, max_size=7), st.data())
def test_threshold_by_definition(weights, data):
    exact = [Fraction(weight) for weight in weights]
    totals = [sum((w for w, b in zip(exact, x, strict=True) if b), Fraction()) for x in
              dt.cube_points(len(weights)).tolist()]  # fmt: skip
    least = data.draw(st.one_of(NUMBERS, st.sampled_from(totals)))  # a tie at one of them
    assert F.threshold(weights, least).table.tolist() == [t >= Fraction(least) for t in totals]


def test_threshold_does_not_round():
    tenth = Fraction(1, 10)
    assert F.threshold([0.1, 0.2], 0.3).table.tolist() == [0, 0, 0, 1]
    assert F.threshold([0.1, 0.2], 0.1 + 0.2).table.tolist() == [0, 0, 0, 0]  # as floats a tie
    assert F.threshold([tenth, 2 * tenth], 3 * tenth)(3) == 1
    assert F.threshold([1e308, 1e308, -1e308], 1e308)([1, 1, 1]) == 1
    assert F.threshold([1e16, 1.0], 1e16 + 2)([1, 1]) == 0
    assert F.threshold(np.array([0.5, 0.25], dtype=np.float32), np.int8(0))(0) == 1
    assert F.threshold((w for w in (1, 1)), 2) == F.conjunction(2)
    assert F.threshold([], 0).table.tolist() == [1]


@pytest.mark.parametrize(
    ("weights", "least", "words"),
    [
        (None, 1, "weights must be a flat sequence of numbers, got None"),
        ("12", 1, "weights must be a flat"),
        ([1] * 25, 1, "weights must have at most 24 entries"),
        (itertools.repeat(1), 1, "weights must have at most 24 entries"),
        ([1, "2"], 1, "weights[1] must be an integer, a fraction or a finite float, got '2'"),
        ([math.inf], 1, "weights[0] must be"),
        ([True], 1, "weights[0] must be"),
        ([1], None, "threshold must be"),
        ([1], np.float32("nan"), "threshold must be"),
    ],
)
def test_what_is_no_threshold_is_reported(weights, least, words):
    with pytest.raises(ValueError, match="must") as caught:
        F.threshold(weights, least)
    assert words in str(caught.value)
