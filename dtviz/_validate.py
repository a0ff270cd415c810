"""Argument checks: each raises a ValueError that names the argument, the value and the rule."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["as_bits", "as_epsilon", "as_index", "as_integer"]


def shown(value: object) -> str:
    """The repr of a bad value, short enough for one line of an error message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def as_integer(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return *value* as an int within ``low..high``; booleans and fractions are refused."""
    rule = f"an integer >= {low}" if high is None else f"an integer from {low} to {high}"
    if isinstance(value, (bool, np.bool_)):
        msg = f"{name} must be {rule}, got {value!r}"
        raise ValueError(msg)
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        msg = f"{name} must be {rule}, got {shown(value)}"
        raise ValueError(msg) from None
    if number < low or (high is not None and number > high):
        msg = f"{name} must be {rule}, got {number}"
        raise ValueError(msg)
    return number


def as_index(name: str, value: object, n: int) -> int:
    """Return *value* as the index of one of the variables ``x_0 .. x_(n-1)``."""
    if n == 0:
        msg = f"{name} must be a variable, but the function has none (n = 0); got {shown(value)}"
        raise ValueError(msg)
    return as_integer(name, value, 0, n - 1)


def as_epsilon(value: object) -> float:
    """Return an error parameter, a real number in [0, 1/2)."""
    rule = "epsilon must be a number in [0, 1/2)"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        msg = f"{rule}, got {shown(value)}"
        raise ValueError(msg)
    number = float(value)
    if math.isnan(number) or not 0 <= number < 0.5:
        msg = f"{rule}, got {shown(value)}"
        raise ValueError(msg)
    return number


def as_bits(name: str, value: Any) -> npt.NDArray[np.uint8]:
    """Return *value* as an array of 0/1 bytes of the same shape; booleans are welcome."""
    try:
        array = np.asarray(value)
    except ValueError:
        msg = f"{name} must be a rectangular array of 0/1, got ragged rows: {shown(value)}"
        raise ValueError(msg) from None
    if array.dtype == np.bool_:
        return array.astype(np.uint8)
    if array.dtype.kind not in "iuf":
        msg = f"{name} must contain only 0 and 1, got {shown(value)}"
        raise ValueError(msg)
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        where = np.unravel_index(int(wrong.argmax()), array.shape)
        place = ", ".join(str(int(k)) for k in where)
        at = f" at index {place}" if place else ""
        msg = f"{name} must contain only 0 and 1, got {array[where]!s}{at}"
        raise ValueError(msg)
    return array.astype(np.uint8)
