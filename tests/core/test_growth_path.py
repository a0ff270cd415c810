"""Growth paths as a data structure: slices, steps, and the promise that a prefix is a prefix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import functions

import dtviz as dt

F = dt.functions
PATH = dt.build_top_down(F.tribes(2, 2))


@given(functions(4), st.floats(0, 0.5))
def test_epsilon_only_indexes(f, epsilon):
    path = dt.build_top_down(f)
    step = path.n_leaves_for(epsilon) - 1
    assert path.errors[step] <= epsilon
    assert step == 0 or path.errors[step - 1] > epsilon
    tree = path.tree(epsilon=epsilon)
    assert path.n_leaves_for(epsilon) == tree.n_leaves == step + 1
    assert np.mean(tree.function(f.n).table != f.table) == path.errors[step]


def test_a_path_is_indexed_by_leaves_or_by_epsilon():
    assert THREE.tree(epsilon=0.6).n_leaves == 2
    assert NUMBERS.tree(epsilon=60).n_leaves == 2
    assert PATH.tree() == PATH.tree(PATH.n_leaves) == PATH.tree(epsilon=0)
    assert [PATH.tree(k).n_leaves for k in range(1, PATH.n_leaves + 1)] == [1, 2, 3, 4, 5, 6, 7]
    assert PATH.tree(1) == PATH.tree(epsilon=0.5) == dt.Tree.leaf(0)
    assert CUT.tree().n_leaves == CUT.n_leaves == 3
    assert np.array_equal(PATH.nodes(epsilon=0.1), PATH.nodes(PATH.n_leaves_for(0.1)))


def test_splits_are_a_sequence():
    splits = PATH.splits
    assert len(splits) == PATH.n_splits == 6
    assert splits[-1] == list(splits)[-1] == splits[5]
    assert [s.step for s in splits[1:4]] == [1, 2, 3]
    assert splits[0].node == splits[0].depth == splits[0].variable == 0


def test_a_path_says_its_splits_and_errors():
    assert repr(PATH) == "<InfluencePath: 6 splits, error 0.4375 -> 0>"


CUT = dt.build_top_down(F.parity(4), max_leaves=3)
SHORT = dt.grow_predicates(dt.cube_points(3)[:, :2], F.majority(3).table)  # two bits of three
THREE = dt.grow([[1], [2], [3]], [0, 1, 2])
PRICES = dt.pruning.cost_complexity_path(THREE.tree(), [[1], [2], [3]], [0, 1, 2])
NUMBERS = dt.grow([[1], [2], [3]], [0.0, 10, 20], "squared")
BAD = [
    (lambda: THREE.tree(epsilon=1.1), ("epsilon", "[0, 1]", "got 1.1")),
    (lambda: PRICES.tree(epsilon=5), ("epsilon", "[0, 1]", "got 5")),
    (lambda: NUMBERS.tree(epsilon=np.inf), ("epsilon", "[0, inf)", "got inf")),
    (lambda: PATH.tree(0), ("n_leaves", "from 1 to 7", "got 0", "tree() is the largest")),
    (lambda: PATH.tree(0.1), ("n_leaves", "integer", "got 0.1", "tree(epsilon=0.1)")),
    (lambda: PATH.tree(2, epsilon=0.1), ("n_leaves and epsilon", "not both", "2 and 0.1")),
    (lambda: CUT.tree(epsilon=0.1), ("epsilon must be at least 0.5", "3 leaves", "got 0.1")),
    (
        lambda: SHORT.tree(epsilon=0),
        ("epsilon must be at least 0.25", "4 leaves", "got 0", "tree() gives its largest tree"),
    ),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
