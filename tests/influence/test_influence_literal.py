"""The fast BuildTopDownDT against the literal one: every split, every tree, every number."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.literal import function_of, leaves_after, nested, splits_of

import dtviz as dt
from dtviz.influence import literal

F = dt.functions


def assert_same(f):
    """Scores, errors and costs are integers over 2^n, so floats hold them and ties are real."""
    path, g = dt.build_top_down(f), function_of(f)
    tree, splits = literal.build_top_down(g, f.n)
    assert list(splits.items()) == splits_of(path)
    assert tree == nested(path.tree(epsilon=0))
    for step in range(path.n_splits + 1):
        bare = leaves_after(splits, step)
        assert literal.error(g, f.n, bare) == Fraction(path.errors[step])
        if f.n:
            assert max(literal.score(g, f.n, leaf) for leaf in bare) == Fraction(path.scores[step])
        cost = sum(
            literal.influence(g, f.n, leaf, i) / 2 ** len(leaf) for leaf in bare for i in range(f.n)
        )
        assert cost == Fraction(path.costs[step])


def assert_same_for_every_epsilon(f):
    path, g = dt.build_top_down(f), function_of(f)
    for epsilon in {Fraction(e) for e in path.errors} - {Fraction(1, 2)}:
        for slack in (0, Fraction(1, 1 << 20)):
            tree, splits = literal.build_top_down(g, f.n, epsilon + slack)
            assert tree == nested(path.tree(epsilon=epsilon + slack))
            assert len(splits) + 1 == path.n_leaves_for(epsilon + slack)


SYMMETRIC = [
    F.majority(5),
    F.parity(4),
    F.tribes(2, 2),
    F.conjunction(5),
    F.multiplexer(1),
    F.caterpillar(1),
    F.decision_list(5),
    F.dictator(4, 2),
]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_every_function_of_up_to_three_variables(n):
    for code in range(1 << (1 << n)):
        assert_same(dt.BooleanFunction.from_int(n, code))


def test_random_functions_of_four_to_six_variables():
    for seed in range(50):
        assert_same(F.random(4, seed))
    for seed in range(2):
        assert_same(F.random(5, seed))
    assert_same(F.random(6, 0))


@pytest.mark.parametrize("f", SYMMETRIC, ids=str)
def test_functions_full_of_ties(f):
    assert_same(f)
    assert_same(~f)


def test_the_tree_for_every_epsilon():
    for f in [*SYMMETRIC, *(F.random(n, seed) for n in (3, 4) for seed in range(6))]:
        assert_same_for_every_epsilon(f)
