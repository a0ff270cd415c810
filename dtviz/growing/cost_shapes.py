"""Chapter 5, growing by cost functions: what a cost must be like."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_numbers, as_repr
from dtviz.core.tolerances import ROUNDING

Floats = npt.NDArray[np.float64]

POINTS = 4001
"""Of the grid on which a cost is measured: both ends and the middle are among them."""


class CostShape(NamedTuple):
    """What a function on [0, 1] has of what a cost must have, as far as a grid shows.

    Attributes
    ----------
    symmetric : bool
        Whether ``G(q) = G(1-q)`` (claim MN-CRIT1).
    concave : bool
        Whether no chord lies above the graph (claim MN-CRIT2); then no split raises the cost.
    strictly_concave : bool
        Whether no piece of the graph is straight (claim MN-STRICT).
    permissible : bool
        Whether G is symmetric and concave with G(0) = G(1) = 0 and G(1/2) = 1/2: the class of
        Kearns and Mansour, who set G(1/2) = 1. It bounds the error, ``min(q, 1-q)`` (MN-GX).

    Examples
    --------
    >>> import dtviz as dt
    >>> shape = dt.growing.cost_shape(dt.COST_FUNCTIONS["error"])
    >>> shape.symmetric, shape.concave, shape.strictly_concave, shape.permissible
    (True, True, False, True)
    """

    symmetric: bool
    concave: bool
    strictly_concave: bool
    permissible: bool


def cost_shape(G: Callable[[Floats], npt.ArrayLike]) -> CostShape:
    """Look at a cost function on a grid of 4001 points of [0, 1] (MN-CRIT1, MN-CRIT2).

    Parameters
    ----------
    G : callable
        Takes an array of numbers in [0, 1], and returns one of the same shape.

    Raises
    ------
    ValueError
        If G is not callable or does not return one finite number per point.

    Examples
    --------
    >>> import dtviz as dt
    >>> for s in (1, 2):
    ...     shape = dt.growing.cost_shape(lambda q: (4 * q * (1 - q)) ** s / 2)
    ...     print(s, shape.concave, shape.permissible)
    1 True True
    2 False False
    """
    if not callable(G):
        msg = f"G must be a function of an array, got {as_repr(G)}"
        raise ValueError(msg)
    grid = np.linspace(0, 1, POINTS)
    given = G(grid)
    value = as_numbers("G", given, "(-inf, inf)")
    if value.shape != grid.shape:
        msg = f"G must return one finite number per point, {grid.size}, got {as_repr(given)}"
        raise ValueError(msg)
    # At most 0 where the graph is concave; over the step squared it bounds the second derivative.
    bend = float((value[2:] - 2 * value[1:-1] + value[:-2]).max())
    symmetric, concave = bool(np.abs(value - value[::-1]).max() <= ROUNDING), bend <= ROUNDING
    normal = np.allclose(value[[0, POINTS // 2, -1]], [0, 0.5, 0], rtol=0, atol=ROUNDING)
    is_strict = bool(bend / grid[1] ** 2 < -1e-6)
    return CostShape(symmetric, concave, is_strict, symmetric and concave and normal)
