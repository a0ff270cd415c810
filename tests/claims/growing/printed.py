"""The bounds as the notes have them, word for word, for the claims and for the page.

The package gives sharper ones, or the right ones, by `dtviz.growing.tree_drop_floor` and
`dtviz.growing.log_leaves_enough`.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

__all__ = ["drop_floor", "log_leaves", "log_leaves_by_recurrence"]


def drop_floor(G: npt.ArrayLike, splits: npt.ArrayLike, gamma: float) -> npt.NDArray[np.float64]:
    """The floor of the notes for Gini: ``gamma^2 G^3 / (8t)`` after t >= 1 splits (MN-REC).

    By Lemma 12.1 with the constant 2.
    """
    floor: npt.NDArray[np.float64] = gamma**2 * np.asarray(G) ** 3 / (8 * np.asarray(splits))
    return floor


def log_leaves_by_recurrence(epsilon: float, gamma: float) -> float:
    """``ln t`` that suffices for Gini by the recurrence of the notes: ``4 / (gamma epsilon)^2``.

    From ``1/G_t^2 >= 4 + gamma^2 ln(t) / 4`` (claim MN-TG).
    """
    return 4 * (1 / epsilon**2 - 4) / gamma**2


def log_leaves(epsilon: float, gamma: float, cost: str = "gini", c: float = 1.0) -> float:
    """``ln t`` of the bounds as the notes print them (claims MN-TG, MN-TE, MN-TS).

    Gini ``2^(c / (gamma epsilon)^2)`` is right; entropy ``2^(c / (gamma log2(1/epsilon))^2)``
    falls as epsilon does; sqrt ``(1/epsilon)^(c / gamma)`` has the wrong power of gamma.
    """
    return {
        "gini": math.log(2) * c / (gamma * epsilon) ** 2,
        "entropy": math.log(2) * c / (gamma * math.log2(epsilon)) ** 2,
        "sqrt": math.log(1 / epsilon) * c / gamma,
    }[cost]
