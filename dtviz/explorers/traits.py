"""Numbers as traits of explorers: what traitlets lets through, or refuses from deep inside."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import traitlets as t

__all__ = ["Integer", "Number"]


class Number(t.Float[float, float]):
    """A float: an integer too large for one is infinite, and True is no number.

    Traitlets raises an `OverflowError` for the first, and reads the second as 1.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.InfluenceExplorer(dt.functions.parity(2), epsilon=10**400)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: epsilon must be a number from 0 to 1/2, got inf
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value as a float, or refuse it."""
        if isinstance(value, bool | np.bool_):
            self.error(obj, value)
        if isinstance(value, np.floating):
            value = float(value)
        try:
            return super().validate(obj, value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf


class Integer(t.Int[Any, Any]):
    """An integer: True, which Python takes for 1, is none.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.RankExplorer(dt.functions.parity(2), m=True)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: The 'm' trait of a RankExplorer instance expected an int, not \
the bool True.
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value as an int, or refuse it."""
        if isinstance(value, bool | np.bool_):
            self.error(obj, value)
        return super().validate(obj, value)
