"""Growth by impurity: against bare definitions, brute force and scikit-learn; every kind of input."""

from __future__ import annotations

import numpy as np
import pytest

import dtviz as dt
from dtviz.impurity import GROWTH_COSTS

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_xor_is_learned_although_its_first_split_gains_nothing(cost):
    path = dt.grow(XOR, [0, 1, 1, 0], cost)
    assert path.n_steps == 3
    assert path.scores[0] == 0
    assert path.costs[1] == pytest.approx(path.costs[0], abs=1e-15)
    assert path.costs[-1] == 0
    assert path.tree().predict(XOR).tolist() == [0, 1, 1, 0]
