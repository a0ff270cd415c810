"""What meets every nasty value in ways of its own, and what is wrong with good ones together.

`test_arguments` has all arguments that are replaced one at a time.
"""

from __future__ import annotations

import operator

import numpy as np
import pytest
from support.nasty import MU, PARITY, TREE, nasty

import dtviz as dt

LEAF = dt.Tree.leaf(0)


@pytest.mark.parametrize("combine", [operator.and_, operator.or_, operator.xor])
def test_operators_refuse_everything_but_functions(combine):
    for value in nasty():
        if isinstance(value, dt.BooleanFunction):
            continue
        with pytest.raises(TypeError, match="BooleanFunction"):
            combine(PARITY, value)
        with pytest.raises(TypeError, match=r"BooleanFunction|unsupported operand"):
            combine(value, PARITY)


@pytest.mark.parametrize("ours", [PARITY, MU, TREE], ids=["function", "distribution", "tree"])
def test_comparison_with_anything_else_is_false(ours):
    for value in nasty():
        # A masked array compares element by element whatever the other operand says.
        if value is not ours and not isinstance(value, np.ma.MaskedArray):
            assert (ours == value) is False
            assert (value == ours) is False
            assert ours != value


def test_improbable_points_are_not_lost():
    """Weights below the smallest float would make an impure leaf look pure."""
    parity = dt.functions.parity(2)
    with pytest.raises(ValueError, match=r"mu must give every point a probability >= 1e-290"):
        dt.build_top_down(parity, dt.ProductDistribution([1e-200, 1e-200]))
    assert dt.build_top_down(parity, dt.ProductDistribution([1e-100, 1e-100])).n_leaves == 4


def test_what_is_no_function_is_not_tabulated():
    tree, far = dt.Tree.split(0, dt.Tree.leaf(3), LEAF), dt.Tree.split(40, LEAF, dt.Tree.leaf(1))
    with pytest.raises(ValueError, match=r"value must be 0 or 1 at every leaf, got \[3, 0\]"):
        tree.function(1)
    with pytest.raises(ValueError, match=r"value must be 0 or 1 at every leaf, got \['a'\]"):
        dt.Tree.leaf("a").function(1)
    with pytest.raises(ValueError, match="variable must be below 24 to tabulate a tree, got x40"):
        far.function(24)
    # What does not tabulate works, whatever the index.
    huge = dt.Tree.split(2**31 - 1, LEAF, LEAF)
    assert huge.average_depth() == 1
    with pytest.raises(ValueError, match="variable must be from 0"):
        dt.Tree(np.array([2**64 - 1], dtype=np.uint64))
