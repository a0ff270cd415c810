"""Chapter 5, growing by cost functions: what a cost must be like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer, as_numbers, as_repr
from dtviz.core.tolerances import ROUNDING

__all__ = ["CostShape", "cost_shape"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CostShape:
    """How far a function on [0, 1] is from what a cost must be, measured on a grid.

    Attributes
    ----------
    asymmetry : float
        ``max |G(q) - G(1-q)|`` (claim MN-CRIT1).
    convexity : float
        The largest second difference, at most 0 for a concave function (claim MN-CRIT2).
    curvature : float
        The same, divided by the step squared: an upper bound on the second derivative, where there
        is one. Well below 0 if no piece of the graph is straight (claim MN-STRICT).
    ends, top : float
        ``max(|G(0)|, |G(1)|)`` and ``G(1/2)``.
    below_error : float
        ``max(min(q, 1-q) - G(q))``, at most 0 if G bounds the error (claim MN-GX).

    Examples
    --------
    >>> import dtviz as dt
    >>> shape = dt.growing.cost_shape(dt.COST_FUNCTIONS["error"])
    >>> shape.symmetric, shape.concave, shape.strictly_concave, shape.permissible
    (True, True, False, True)
    >>> shape.top, shape.below_error
    (0.5, 0.0)
    """

    asymmetry: float
    convexity: float
    curvature: float
    ends: float
    top: float
    below_error: float

    @property
    def symmetric(self) -> bool:
        """Whether ``G(q) = G(1-q)``."""
        return self.asymmetry <= ROUNDING

    @property
    def concave(self) -> bool:
        """Whether no chord lies above the graph; then no split raises the cost."""
        return self.convexity <= ROUNDING

    @property
    def strictly_concave(self) -> bool:
        """Whether no piece of the graph is straight, as far as the grid shows."""
        return self.curvature < -1e-6

    @property
    def permissible(self) -> bool:
        """Whether G is symmetric and concave with G(0) = G(1) = 0 and G(1/2) = 1/2.

        The class of Kearns and Mansour, who set G(1/2) = 1.
        """
        normal = self.ends <= ROUNDING and abs(self.top - 0.5) <= ROUNDING
        return self.symmetric and self.concave and normal


def cost_shape(G: Callable[[Floats], npt.ArrayLike], points: int = 4001) -> CostShape:
    """Measure a cost function on a grid of an odd number of points of [0, 1] (MN-CRIT1, MN-CRIT2).

    Parameters
    ----------
    G : callable
        Takes an array of numbers in [0, 1], and returns one of the same shape.
    points : int from 5 to 10,000,001
        How many; an even number is raised by one.

    Raises
    ------
    ValueError
        If G is not callable or does not return one finite number per point, or points is out of
        range.

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
    points = as_integer("points", points, 5, 10_000_001)
    grid = np.linspace(0, 1, points | 1)
    given = G(grid)
    value = as_numbers("G", given, "(-inf, inf)")
    if value.shape != grid.shape:
        msg = f"G must return one finite number per point, {grid.size}, got {as_repr(given)}"
        raise ValueError(msg)
    bend = value[2:] - 2 * value[1:-1] + value[:-2]
    return CostShape(
        float(np.abs(value - value[::-1]).max()),
        float(bend.max()),
        float(bend.max() / grid[1] ** 2),
        float(max(abs(value[0]), abs(value[-1]))),
        float(value[grid.size // 2]),
        float((np.minimum(grid, 1 - grid) - value).max()),
    )
