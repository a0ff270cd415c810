"""Weights of examples as integers.

Sums of integers are exact in any order: whole numbers stay what they are, others are rounded to
multiples of about the 2^-52th part of their total. So a weight of 2 is the example twice, and a
weight of 0, or of next to nothing, is no example.
"""

from __future__ import annotations

import contextlib
import math
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from dtviz.core.bases import Ints
from dtviz.core.checks import as_array, as_repr

BITS = 52
"""A total of so many bits is exact as a float, and has room as an integer when it is doubled."""

SMALLEST = 1e-280
"""The largest weight is at least this, so that the unit of the others is a normal float."""


class Weights(NamedTuple):
    """Weights as integers with a sum below 2^53, and the unit they count."""

    whole: Ints
    unit: float


def read_weights(value: Any, m: int) -> Weights:
    """The weights of m examples, 1 each if None; what has been read before stays as it is."""
    if isinstance(value, Weights):
        return value
    if value is None:
        return Weights(np.broadcast_to(np.int64(1), m), 1.0)
    array = as_array(value)
    rule = f"sample_weight must be {m} finite numbers >= 0, one for each row of X, not all zero"
    if array is not None and array.dtype.kind == "O" and array.ndim == 1:
        # Fractions, decimals and Python's large integers are numbers too; text is none.
        entries = array.tolist()
        with contextlib.suppress(TypeError, OverflowError):
            if all(isinstance(entry, Number) for entry in entries):
                array = np.array([float(entry) for entry in entries])
    if array is None or array.dtype.kind not in "biuf" or array.ndim != 1:
        msg = f"{rule}, got {as_repr(value)}"
        raise ValueError(msg)
    if array.size != m:
        msg = f"{rule}, got {array.size} of them"
        raise ValueError(msg)
    weights = array.astype(np.float64)
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        msg = f"{rule}, got {weights[wrong][0]} at index {int(wrong.argmax())}"
        raise ValueError(msg)
    largest = float(weights.max())
    if not largest >= SMALLEST:
        msg = f"{rule}, the largest at least {SMALLEST:g}, got {largest:g} as the largest"
        raise ValueError(msg)
    # Scaled first: the sum may be beyond the floats.
    exponent = math.frexp(largest)[1]
    scaled = np.ldexp(weights, -exponent)
    bits = math.frexp(float(scaled.sum()))[1]
    if exponent + bits <= BITS and (weights == np.floor(weights)).all():
        return Weights(weights.astype(np.int64), 1.0)
    whole = np.rint(np.ldexp(scaled, BITS - bits))
    return Weights(whole.astype(np.int64), math.ldexp(1.0, exponent + bits - BITS))
