"""Argument checks: each raises an error that names the argument, the value and the rule."""

from __future__ import annotations

import contextlib
import math
import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import islice
from numbers import Real
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dtviz.core.hints import did_you_mean

T = TypeVar("T")


class _Short(reprlib.Repr):
    """Cuts before it formats: a bad value may be an integer of a million digits."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 12
        self.maxstring = self.maxother = 57

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002 (reprlib's signature)
        return repr(x) if x.bit_length() <= 200 else f"an integer of {x.bit_length()} bits"


_SHORT = _Short()


def as_repr(value: object) -> str:
    """The repr of a bad value, short enough for one line of an error message."""
    text = _SHORT.repr(value)
    if "\n" in text:  # a data frame, say
        text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def as_integer(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return *value* as an int within ``low..high``; booleans and fractions are refused."""
    number = None
    if not isinstance(value, (bool, np.bool_)):
        try:
            # Whether it is an index is what is found out here.
            number = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            number = None
    if number is None or number < low or (high is not None and number > high):
        rule = f"an integer >= {low}" if high is None else f"an integer from {low} to {high}"
        msg = f"{name} must be {rule}, got {as_repr(value)}"
        raise ValueError(msg)
    return number


def as_flag(name: str, value: object) -> bool:
    """Return *value* as a bool; nothing else is one, whatever Python takes for true."""
    if not isinstance(value, (bool, np.bool_)):
        msg = f"{name} must be True or False, got {as_repr(value)}"
        raise ValueError(msg)
    return bool(value)


def as_odd(name: str, value: object, high: int) -> int:
    """Return *value* as an odd int within ``1..high``."""
    number = as_integer(name, value, 1, high)
    if number % 2 == 0:
        msg = f"{name} must be odd, so that no vote is tied, got {number}"
        raise ValueError(msg)
    return number


def as_generator(name: str, value: object) -> np.random.Generator:
    """Return *value* if it is a NumPy generator, else a new one from a seed, an integer >= 0."""
    if isinstance(value, np.random.Generator):
        return value
    try:
        return np.random.default_rng(as_integer(name, value, 0))
    except ValueError:
        msg = f"{name} must be a numpy Generator or a seed, an integer >= 0, got {as_repr(value)}"
        raise ValueError(msg) from None


def as_index(name: str, value: object, n: int) -> int:
    """Return *value* as the index of one of the variables ``x_0 .. x_(n-1)``."""
    if n == 0:
        msg = f"{name} must be a variable, but the function has none (n = 0); got {as_repr(value)}"
        raise ValueError(msg)
    return as_integer(name, value, 0, n - 1)


def as_real(name: str, value: object, interval: str, within: Callable[[float], bool]) -> float:
    """Return *value* as a float in the named interval; NaN, booleans and text are refused."""
    number = math.nan
    if not isinstance(value, (bool, np.bool_)) and isinstance(value, Real):
        with contextlib.suppress(OverflowError):  # an integer beyond all floats
            number = float(value)
    if math.isnan(number) or not within(number):
        msg = f"{name} must be a number in {interval}, got {as_repr(value)}"
        raise ValueError(msg)
    return number


def as_number(
    name: str, value: Any, interval: str, within: Callable[[float], bool]
) -> float | Fraction:
    """Return *value* as `as_real` does, but a fraction or an integer exactly."""
    number = as_real(name, value, interval, within)
    return Fraction(value) if isinstance(value, (int, Fraction)) else number


def as_positive_epsilon(value: object) -> float:
    """Return an error that a bound divides by, a real number in (0, 1/2)."""
    return as_real("epsilon", value, "(0, 1/2)", lambda e: 0 < e < 0.5)


def as_confidence(value: object) -> float:
    """Return a probability of failure, a real number in (0, 1)."""
    return as_real("delta", value, "(0, 1)", lambda d: 0 < d < 1)


def leaves_after(step: object) -> int:
    """Return the leaves of a tree after ``step`` splits, from 0 to 2^53: exact as floats."""
    return as_integer("step", step, 0, 1 << 53) + 1


def check_work(names: str, sums: int, digits: int) -> None:
    """Refuse to count by so many sums of integers of so many binary digits, if it takes minutes."""
    if digits > 10**6 or sums * digits > 10**10:
        msg = (
            f"{names} must be smaller: {as_repr(sums)} sums of integers of {as_repr(digits)} "
            "binary digits take too long (digits <= 10^6, their product <= 10^10)"
        )
        raise ValueError(msg)


def as_array(value: Any) -> npt.NDArray[Any] | None:
    """Return *value* as an array; None if it is ragged, or masked (a mask would be lost)."""
    if isinstance(value, np.ma.MaskedArray):
        return None
    try:
        return np.asarray(value)
    except ValueError:
        return None


def as_given(values: Any) -> npt.NDArray[Any] | None:
    """As `as_array`, but a list of text and numbers keeps its numbers."""
    array = as_array(values)
    if array is not None and array.dtype.kind in "US" and not isinstance(values, np.ndarray):
        return np.array(values, dtype=object)
    return array


def as_bits(name: str, value: Any) -> npt.NDArray[np.int8]:
    """Return *value* as 0/1 of the same shape; booleans are welcome.

    Signed bytes, since readers compute with what they are handed: 1 - 2 x is to be -1.
    """
    array = as_array(value)
    if array is None or array.dtype.kind in "mM":  # as objects, dates may be integers
        rule = "a rectangular array of 0/1, not ragged, masked or of dates"
        msg = f"{name} must be {rule}, got {as_repr(value)}"
        raise ValueError(msg)
    if array.dtype.kind in "biuf":
        wrong = (array != 0) & (array != 1)
    else:
        number = int, float, np.integer, np.floating, np.bool_
        refuse = np.frompyfunc(lambda e: not isinstance(e, number) or e not in (0, 1), 1, 1)
        wrong = np.asarray(refuse(array.astype(object)), dtype=np.bool_)
    if wrong.any():
        place = np.unravel_index(int(wrong.argmax()), array.shape)
        where = f" at index {place[0]}" if place else ""
        if len(place) > 1:
            where = f" in row {place[0]}: {as_repr(array[place[0]].tolist())}"
        msg = f"{name} must contain only 0 and 1, got {as_repr(array.item(place))}{where}"
        raise ValueError(msg)
    return array.astype(np.int8)


_MAX_CODES = 1 << 22
"""The most functions asked about by code in one call: an answer takes seconds, and 300 MB."""


def as_codes(name: str, value: Any, n: int) -> npt.NDArray[np.int64]:
    """Return *value* as an array of codes of functions of ``n <= 5`` variables, a copy."""
    top = (1 << (1 << n)) - 1
    array = as_array(value)
    if array is not None and array.size == 0 and array.dtype == np.float64:
        array = array.astype(np.int64)  # what NumPy makes of an empty list
    if array is None or array.dtype.kind not in "iu":
        msg = f"{name} must be an array of integers from 0 to {top}, n = {n}, got {as_repr(value)}"
        raise ValueError(msg)
    if array.size > _MAX_CODES:
        msg = f"{name} must be at most {_MAX_CODES:,} at once, got {array.size:,}"
        raise ValueError(msg)
    wrong = (array < 0) | (array > top)
    if wrong.any():
        msg = f"{name} must be integers from 0 to {top}, n = {n}, got {array[wrong][0]}"
        raise ValueError(msg)
    return array.astype(np.int64)


def as_one_of(name: str, value: object, choices: Iterable[str]) -> str:
    """Return *value* if it is one of the names to choose from."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        msg = f"{name} must be one of {', '.join(known)}, got {as_repr(value)}"
        raise ValueError(msg + did_you_mean(value, known))
    return value


def look_up(name: str, value: object, table: Mapping[str, T]) -> T:
    """Return what a table has for *value*, which must be one of its names."""
    return table[as_one_of(name, value, table)]


def check_differ(name: str, texts: Sequence[str]) -> None:
    """Refuse names of which two are equal: nobody could tell apart what they name."""
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        msg = f"{name} must be different names, got {as_repr(twice)} twice"
        raise ValueError(msg)


def as_list(name: str, value: Any, rule: str, most: int) -> list[Any]:
    """Return the entries of a sequence, view or generator; texts, sets, mappings are refused."""
    entries = None
    refused = isinstance(value, (str, bytes, AbstractSet, Mapping))
    if isinstance(value, Iterable) and (not refused or isinstance(value, MappingView)):
        with contextlib.suppress(TypeError):  # an array without an axis
            entries = list(islice(value, most + 1))
    if entries is None:
        msg = f"{name} must be {rule}, got {as_repr(value)}"
        raise ValueError(msg)
    if len(entries) > most:
        msg = f"{name} must have at most {most} entries, got more"
        raise ValueError(msg)
    return entries


def as_numbers(
    name: str, value: Any, interval: str, low: float = -math.inf, high: float = math.inf
) -> npt.NDArray[np.float64]:
    """Return *value* as an array of finite floats from low to high, the named interval."""
    array = as_array(value)
    right = array is not None and array.dtype.kind in "biuf" and np.isfinite(array).all()
    if array is None or not right or (array < low).any() or (array > high).any():
        msg = f"{name} must be a number or an array of numbers in {interval}, got {as_repr(value)}"
        raise ValueError(msg)
    return array.astype(np.float64)


def as_probabilities(name: str, value: Any) -> npt.NDArray[np.float64]:
    """Return *value* as an array of floats in [0, 1], of the same shape."""
    array = as_numbers(name, value, "[0, 1]")
    wrong = (array < 0) | (array > 1)
    if wrong.any():
        msg = f"{name} must be within [0, 1], got {float(array[wrong][0])!r}"
        raise ValueError(msg)
    return array


def broadcast(**arrays: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Return arrays as they are, their shapes being such that NumPy computes with all of them."""
    shapes = [array.shape for array in arrays.values()]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        *names, last = arrays
        msg = f"{', '.join(names)} and {last} must have shapes that broadcast, got "
        raise ValueError(msg + ", ".join(map(str, shapes))) from None
    return tuple(arrays.values())


def as_weights(name: str, value: Any) -> npt.NDArray[np.float64]:
    """Return *value*, flat, as floats >= 0 divided by their sum, which must not be 0."""
    array = as_numbers(name, value, "[0, inf)")
    if array.ndim != 1 or (array < 0).any() or not 0 < array.sum() < math.inf:
        msg = f"{name} must be a flat array of numbers >= 0, not all 0, got {as_repr(value)}"
        raise ValueError(msg)
    shares: npt.NDArray[np.float64] = array / array.sum()
    return shares
