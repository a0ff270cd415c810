"""Values that no argument expects, and rules by which some do."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

import dtviz as dt

F = dt.functions
PARITY = F.parity(3)
MU = dt.ProductDistribution([0.2, 0.5, 0.7])
TREE = dt.build_top_down(PARITY).tree(epsilon=0)
PATH = dt.build_top_down(PARITY)

Rule = Callable[[Any], bool]
Judge = Callable[[Any], bool | None]
"""Whether a value is good; None where it may be used or refused."""

PACKAGE = str(Path(dt.__file__).parent)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


NASTY = [
    None, True, np.bool_(False), "3", "", b"1", [], [1], [0, 1], [[1, 0], [0]], (1, 2), {}, {1: 2},
    {1, 2}, 3.0, 2.5, 0, 1, 2, 7, -1, -0.0, 0.25, 0.5, math.nan, math.inf, -math.inf, 10**6000,
    -(10**6000), 10**18, 2**63, 1j, object(), Unprintable(), range(3), int,
    Ellipsis, Fraction(1, 3), Decimal("0.25"), np.int64(2), np.uint64(2**63), np.float32(0.25),
    np.float64("nan"), np.datetime64("2020-01-01"), np.array(1), np.array(1.5), np.array([1]),
    np.array([0, 1]), np.array([1 + 1j]), np.array(["a", "b"]), np.array([None, 1], dtype=object),
    np.array([0, math.nan]), np.ma.array([0, 1], mask=[False, True]), np.zeros((0, 3)),
    np.array([[0, 1, 1]]), np.array([[0.5, math.nan, 1]]), PARITY, F.parity(2), MU,
    dt.ProductDistribution.uniform(2), TREE, PATH,
]  # fmt: skip


def nasty() -> list[Any]:
    """The values, again for each call: one of them can be read only once."""
    return [*NASTY, (bit for bit in (0, 1))]


def integer(low: float, high: float = math.inf) -> Rule:
    def keeps(value: Any) -> bool:
        if isinstance(value, (bool, np.bool_)):
            return False
        try:
            return low <= operator.index(value) <= high
        except TypeError:
            return False

    return keeps


def real(inside: Callable[[float], bool]) -> Rule:
    def keeps(value: Any) -> bool:
        number = isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
        return number and abs(value) < 10**300 and inside(float(value))

    return keeps


def instance(kind: type) -> Rule:
    return lambda value: isinstance(value, kind)


def or_none(rule: Judge) -> Judge:
    return lambda value: value is None or rule(value)


def mentions(value: Any, message: str) -> bool:
    """Whether a message shows the value, its beginning, an entry of it, its n, sum or shape."""
    if isinstance(value, Unprintable):
        return "Unprintable" in message
    if isinstance(value, int) and abs(value) > 10**1000:
        return "bits" in message
    shown = {repr(value)[:20], str(value)[:20], f"got {getattr(value, 'n', repr(value))}"}
    if isinstance(value, bytes) or (isinstance(value, np.ndarray) and value.ndim):
        shown |= {f"got {entry!r}" for entry in value}
    if isinstance(value, (Real, np.bool_)):
        shown |= {str(float(value)), f"got {float(value):g}"}
    if isinstance(value, (np.ndarray, list, tuple, range, dict)):
        array = np.asarray(list(value) if isinstance(value, range) else value, dtype=object)
        entries = array.ravel().tolist()
        numbers = [float(entry) for entry in entries if isinstance(entry, Real)]
        shown |= {f"got {entry!r}" for entry in entries} | {f"= {entry}" for entry in numbers}
        shown |= {str(entries), str(array.shape), f"got {array.size}", f"got {sum(numbers):.12g}"}
        shown |= {"missing"} if isinstance(value, dict) else set()
    return any(text in message for text in shown)


def keeps(rule: Callable[[Any], bool | None], value: Any) -> bool | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        good = rule(value)
    return None if good is None else bool(good)
