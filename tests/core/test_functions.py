"""The zoo, each function against its one-line definition."""

from __future__ import annotations

import pytest
from support import gold

import dtviz as dt

F = dt.functions


def agree(f, rule):
    return all(f(x) == int(rule(x.tolist())) for x in dt.points(f.n))


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


def test_golden_codes():
    codes = {name: int(entry["tt"]) for name, entry in gold.SAMPLE["functions"].items()}
    assert codes == {
        "parity_2": F.parity(2).code,
        "parity_4": F.parity(4).code,
        "majority_3": F.majority(3).code,
        "and_3": F.conjunction(3).code,
        "tribes_w2_s2": F.tribes(2, 2).code,
    }
