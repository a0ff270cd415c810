"""Ties within the tolerance: the fast algorithm makes the splits that exact gains make."""

from __future__ import annotations

import itertools

import pytest
from support import ties

import dtviz as dt
from dtviz.impurity import literal

EXACT = {
    "error": literal.error,
    "gini": literal.gini,
    "entropy": literal.entropy,
    "sqrt": literal.square_root,
}
"""The costs of the book, of which the oracle knows exact gains."""


@pytest.mark.parametrize("cost", EXACT)
def test_trees_are_those_of_exact_gains(cost):
    close = 0
    for X, y in itertools.chain(ties.tables(102, 60, seed=1), ties.tables(42, 300, seed=2)):
        try:
            truth = ties.grow_exactly(X, y, cost)
        except ties.TooClose:
            close += 1
            continue
        path = dt.grow(X, y, cost)
        steps = path.split_node, path.split_variable, path.split_threshold
        assert list(zip(*(part.tolist() for part in steps), strict=True)) == truth
    assert close <= 2


@pytest.mark.parametrize("cost", EXACT)
def test_the_oracle_is_the_literal_algorithm(cost):
    for X, y in ties.tables(40, 16, seed=1):
        sample = list(zip(map(tuple, X.tolist()), y.tolist(), strict=True))
        splits, places = {}, {0: ()}
        for j, (node, *question) in enumerate(ties.grow_exactly(X, y, cost)):
            splits[places[node]] = tuple(question)
            places |= {2 * j + 1: (*places[node], 0), 2 * j + 2: (*places[node], 1)}
        assert literal.grow(sample, EXACT[cost])[1] == splits
