"""Callables of every kind make the same function; what returns no bits is refused at its point."""

from __future__ import annotations

import functools
import math
import operator
from fractions import Fraction

import numpy as np
import pytest

import dtviz as dt

F = dt.functions
rule_of = dt.BooleanFunction.from_rule


def of_array(x):
    return x[0] and (x[1] or x[2])


def of_bits(a, b, c):
    return a and (b or c)


class Callable:
    def __call__(self, a, b, c):
        return of_bits(a, b, c)

    def method(self, x):
        return of_array(x)


@functools.wraps(of_bits)
def wrapped(*args, **given):
    return of_bits(*args, **given)


G = dt.BooleanFunction(3, [0, 0, 0, 1, 0, 1, 0, 1])
RULES = {
    "array": of_array,
    "bits": of_bits,
    "lambda": lambda a, b, c: a and (b or c),
    "positional only": lambda a, b, c, /: a and (b or c),
    "any number": lambda *x: x[0] and (x[1] or x[2]),
    "first and others": lambda a, *x: a and max(x),
    "default": lambda a, b, c=None: a and (b or c),
    "keyword default": lambda a, b, c, *, sign=1: (a and (b or c)) == sign,
    "array and defaults": lambda x, k=1, *, m=2: x[0] and (x[k] or x[m]),
    "instance": Callable(),
    "method": Callable().method,
    "partial": functools.partial(lambda s, a, b, c: (a and (b or c)) == s, 1),
    "wrapped": wrapped,
    "function": G,
}


@pytest.mark.parametrize("kind", RULES)
def test_every_kind_of_callable(kind):
    assert rule_of(3, RULES[kind]) == G


def test_built_ins_and_ufuncs():
    assert rule_of(3, max) == F.disjunction(3)  # tells no parameters: one array
    assert rule_of(3, min) == rule_of(3, all) == rule_of(3, np.logical_and.reduce)
    assert rule_of(3, any) == F.disjunction(3)
    assert rule_of(2, operator.xor) == rule_of(2, np.bitwise_xor) == F.parity(2)
    assert rule_of(2, np.logical_or) == F.disjunction(2)
    assert rule_of(2, np.greater) == dt.BooleanFunction.from_text("x0 & ~x1")


def test_one_variable_and_none():
    """Where both ways fit, one parameter is one array; a lambda of a bit hears of it."""
    assert rule_of(1, lambda x: x[0]) == F.dictator(1, 0)
    assert rule_of(1, lambda *x: x[0]) == F.dictator(1, 0)
    with pytest.raises(ValueError, match=r"rule must return 0 or 1, got array\(\[0\]\) at x = 0"):
        rule_of(1, lambda x: x)
    assert rule_of(0, lambda: 1).table.tolist() == [1]
    assert rule_of(0, lambda x: len(x) == 0).table.tolist() == [1]
    assert rule_of(0, lambda *x: x == ()).table.tolist() == [1]


def test_bits_have_a_sign_and_no_width():
    assert rule_of(2, lambda a, b: 1 - 2 * a < 0 < b << 70) == F.conjunction(2)


BAD = [
    (
        lambda: rule_of(3, operator.add),
        "n = 3 bits as an argument, got .*with the parameters (a, b, /)",
    ),
    (lambda: rule_of(4, of_bits), "rule must take one array"),
    (lambda: rule_of(3, lambda x, *, key: x[0] + key), "the parameters (x, *, key)"),
    (lambda: rule_of(3, np.logical_and), "got <ufunc 'logical_and'> with 2 inputs"),
    (lambda: rule_of(1, np.logical_not), "rule must return 0 or 1, got array([ True])"),
    (lambda: rule_of(2, None), "rule must be callable"),
    (lambda: rule_of(2, lambda a, b: a + b), "0 or 1, got 2 at x = 3, bits [1, 1]"),
    (lambda: rule_of(2, lambda a, b: a / 2 + b), "got 0.5 at x = 1, bits [1, 0]"),
    (lambda: rule_of(2, lambda a, b: math.nan), "got nan at x = 0"),  # noqa: ARG005
    (lambda: rule_of(2, lambda a, b: Fraction(a, 2)), "got Fraction(1, 2) at x = 1"),  # noqa: ARG005
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_what_is_no_rule_is_reported(call, words):
    with pytest.raises(ValueError, match="must") as caught:
        call()
    for part in words.split(".*"):
        assert part in str(caught.value)


def test_an_error_of_the_rule_is_its_own():
    with pytest.raises(ZeroDivisionError):
        rule_of(2, lambda a, b: a // b)
