"""Numbers as traits of explorers: what traitlets lets through, or refuses from deep inside."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import traitlets as t

from dtviz.core.checks import shown

__all__ = ["Integer", "Number", "checked_bias", "checked_biases"]

LEAST_BIAS = 1e-40
"""A smaller one would give points of six variables a probability that is lost in rounding."""


def _is_bias(value: float) -> bool:
    return LEAST_BIAS <= value < 1


def _between(value: object, rule: str) -> str:
    tiny = isinstance(value, float) and 0 < value < LEAST_BIAS
    return f"{rule}, and not below {LEAST_BIAS:g}" if tiny else rule


def checked_bias(proposal: dict[str, Any]) -> float:
    """Return the value proposed for a bias, or say what is wrong with it.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.ProductExplorer(dt.functions.parity(2), bias=1e-300)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: bias must be in the open interval (0, 1), and not below 1e-40, \
got 1e-300
    """
    bias: float = proposal["value"]
    if not _is_bias(bias):
        rule = _between(bias, "in the open interval (0, 1)")
        msg = f"{proposal['trait'].name} must be {rule}, got {shown(bias)}"
        raise t.TraitError(msg)
    return bias


def checked_biases(proposal: dict[str, Any], most: int) -> list[float]:
    """Return the values proposed for the biases of so many variables, or say what is wrong."""
    biases: list[float] = proposal["value"]
    if len(biases) > most or not all(map(_is_bias, biases)):
        rule = f"at most {most} numbers in the open interval (0, 1)"
        tiny = next((p for p in biases if 0 < p < LEAST_BIAS), 0.5)
        msg = f"{proposal['trait'].name} must be {_between(tiny, rule)}, got {shown(biases)}"
        raise t.TraitError(msg)
    return biases


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
