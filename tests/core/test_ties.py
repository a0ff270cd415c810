"""Ties within the tolerance: the fast algorithm makes the splits that exact gains make."""

from __future__ import annotations

import pytest
from support import ties

import dtviz as dt
from dtviz.core import tolerances
from dtviz.core.cart import best_first, class_target
from dtviz.core.criteria import CRITERIA
from dtviz.impurity import literal

NUMBER = 102


def steps_of(path):
    steps = path.split_node, path.split_variable, path.split_threshold
    return list(zip(*(part.tolist() for part in steps), strict=True))


def wrong(cost, rows=200):
    """Tables that another tree is grown of, and how many have gains that come too close."""
    found, close = [], 0
    for k, (X, y) in enumerate(ties.tables(NUMBER, rows, seed=1)):
        try:
            truth = ties.grow_exactly(X, y, cost)
        except ties.TooClose:
            close += 1
            continue
        if steps_of(dt.grow(X, y, cost)) != truth:
            found.append(k)
    return found, close


@pytest.mark.parametrize("cost", CRITERIA)
def test_trees_are_those_of_exact_gains(cost):
    found, close = wrong(cost)
    assert found == []
    assert close <= NUMBER / 50


@pytest.mark.parametrize("cost", CRITERIA)
def test_the_oracle_is_the_literal_algorithm(cost):
    impurity = getattr(literal, "square_root" if cost == "sqrt" else cost)
    for X, y in ties.tables(40, 16, seed=1):
        sample = list(zip(map(tuple, X.tolist()), y.tolist(), strict=True))
        splits, places = {}, {0: ()}
        for j, (node, *question) in enumerate(ties.grow_exactly(X, y, cost)):
            splits[places[node]] = tuple(question)
            places |= {2 * j + 1: (*places[node], 0), 2 * j + 2: (*places[node], 1)}
        assert literal.grow(sample, impurity)[1] == splits


@pytest.mark.parametrize("module", [class_target, best_first])
def test_without_the_tolerance_rounding_decides(module, monkeypatch):
    assert tolerances.DROP_TIE == 1e-12
    monkeypatch.setattr(best_first, "FEW_CELLS", 0)
    monkeypatch.setattr(module, "DROP_TIE", 0.0)
    assert wrong("sqrt", rows=60)[0]
