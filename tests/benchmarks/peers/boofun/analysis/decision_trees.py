"""The stand-in of ``boofun.analysis.decision_trees``: optima by recursion over restrictions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from boofun import Function


def _least(
    table: npt.NDArray[np.bool_], leaf: float, join: Callable[[float, float], float]
) -> float:
    if table.all() or not table.any():
        return leaf
    costs = []
    for i in range(int(table.size).bit_length() - 1):
        halves = table.reshape(-1, 2, 1 << i)
        low, high = (_least(halves[:, b].ravel(), leaf, join) for b in (0, 1))
        costs.append(join(low, high))
    return min(costs)


def decision_tree_depth_dp(f: Function) -> int:
    """Return the least depth."""
    return int(_least(f.table, 0, lambda low, high: 1 + max(low, high)))


def decision_tree_size_dp(f: Function) -> tuple[int, None]:
    """Return the fewest leaves."""
    return int(_least(f.table, 1, lambda low, high: low + high)), None


def decision_tree_depth_uniform_dp(f: Function) -> tuple[float, None]:
    """Return the least average depth."""
    return _least(f.table, 0, lambda low, high: 1 + (low + high) / 2), None
