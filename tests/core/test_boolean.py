"""Truth tables and product distributions: bit order, algebra, and what errors say of bad input."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from IPython.lib.pretty import pretty
from support.definitions import point_weights
from support.strategies import functions

import dtviz as dt
from dtviz import BooleanFunction, ProductDistribution

F = dt.functions


def test_bit_order_is_golden():
    """x_i is bit i of the index: x_0 alone is 1 at the odd indices of the table."""
    assert F.dictator(3, 0).table.tolist() == [0, 1, 0, 1, 0, 1, 0, 1]
    assert F.dictator(3, 2).table.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert F.dictator(3, 1).code == 0b11001100
    f = BooleanFunction.from_rule(3, lambda x: x[0] and not x[2])
    assert f.code == 0b00001010
    assert f(0b001) == f([1, 0, 0]) == 1
    assert f(0b101) == f((1, 0, 1)) == 0


RULES = [
    (lambda x: (2 * x - 1).sum() > 0, F.majority(9)),
    (lambda x: np.prod(1 - 2 * x) < 0, F.parity(9)),
    (lambda x: -x[8] < 0, F.dictator(9, 8)),
    (lambda x: (x << np.arange(9)).sum() == 511, F.conjunction(9)),
    (lambda x: (x[8] << 8) >> 8, F.dictator(9, 8)),
    (lambda x: x[8] * 1000 - 999 == 1, F.dictator(9, 8)),
]


@pytest.mark.parametrize(("rule", "f"), RULES)
def test_a_rule_computes_with_its_bits_as_with_numbers(rule, f):
    """In unsigned bytes 2 x - 1 is 255 where x is 0: another function, without a word."""
    assert BooleanFunction.from_rule(9, rule) == f


def test_bits_that_are_handed_out_have_a_sign():
    f = F.majority(3)
    assert (1 - 2 * f.table).tolist() == [1, 1, 1, -1, 1, -1, -1, -1]
    assert (2 * dt.cube_points(2) - 1).tolist() == [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    assert set((1 - 2 * dt.ProductDistribution.uniform(4).sample(50, 0)).ravel().tolist()) == {
        1,
        -1,
    }
    assert (1 - 2 * BooleanFunction.from_int(3, f.code).table).min() == -1


@given(functions())
def test_every_form_describes_the_same_function(f):
    assert BooleanFunction(f.n, f.table) == f == BooleanFunction.from_int(f.n, f.code)
    assert BooleanFunction(f.n, list(f.table) == [] or f.table.astype(bool)) == f
    assert f.code == sum(int(v) << x for x, v in enumerate(f.table))
    assert f(dt.cube_points(f.n)).tolist() == f.table.tolist()
    assert [f(x) for x in range(2**f.n)] == f.table.tolist()
    assert hash(BooleanFunction(f.n, f.table)) == hash(f)
    words = f.words
    assert sum(int(w) << (64 * k) for k, w in enumerate(words)) == f.code
    assert f.is_constant == (len(set(f.table.tolist())) == 1)


@given(functions(), st.data())
def test_restriction_keeps_the_other_variables_in_order(f, data):
    if f.n == 0:
        return
    i, b = data.draw(st.integers(0, f.n - 1)), data.draw(st.integers(0, 1))
    g = f.restrict(i, b)
    for x in dt.cube_points(f.n):
        if x[i] == b:
            assert g(np.delete(x, i)) == f(x)


@given(functions(4), st.data())
def test_algebra_is_pointwise(f, data):
    g = BooleanFunction.from_int(f.n, data.draw(st.integers(0, 2 ** (2**f.n) - 1)))
    a, b = f.table.astype(int), g.table.astype(int)
    assert (~f).table.tolist() == (1 - a).tolist()
    assert (f & g).table.tolist() == (a & b).tolist()
    assert (f | g).table.tolist() == (a | b).tolist()
    assert (f ^ g).table.tolist() == (a ^ b).tolist()
    assert (f == g) == (a.tolist() == b.tolist())
    assert (f != g) == (a.tolist() != b.tolist())


def test_large_functions_work():
    f = BooleanFunction.from_int(24, (1 << (1 << 24)) - 1)
    assert f.is_constant
    assert dt.measures.mean(f) == 1
    assert dt.influences(F.parity(20)).tolist() == [1.0] * 20


def test_repr_reads_back():
    f = F.majority(3)
    assert repr(f) == "BooleanFunction.from_int(3, 232)"
    assert repr(F.parity(7)) == "<BooleanFunction of 7 variables, 64 ones>"
    assert repr(ProductDistribution([0.25, 0.5])) == "ProductDistribution([0.25, 0.5])"


WEATHER = """\
sun | rain & wind
a function of 3 variables, 1 at 5 of 8 points
rain  sun  wind  f
----  ---  ----  -
   0    0     0  0
   1    0     0  0
   0    1     0  1
   1    1     0  1
   0    0     1  0
   1    0     1  1
   0    1     1  1
   1    1     1  1
influences: rain 0.25, sun 0.75, wind 0.25"""


def test_a_function_that_ends_a_cell_shows_itself():
    f = BooleanFunction.from_text("rain & wind | sun")
    assert str(f) == pretty(f) == WEATHER
    assert pretty([f]) == f"[{f!r}]"
    page = BeautifulSoup(f._repr_html_(), "html.parser")
    assert page.code.text == "sun | rain & wind"
    rows = [[cell.text for cell in row.find_all(["th", "td"])] for row in page.find_all("tr")]
    assert rows == [line.split() for line in WEATHER.splitlines()[2:12] if "--" not in line]
    assert page.find_all("p")[-1].text == WEATHER.splitlines()[-1]
    assert f._repr_html_() == BooleanFunction.from_text("sun | wind & rain")._repr_html_()
    assert str(F.majority(5)).splitlines() == [
        "maj(x0, x1, x2, x3, x4)",
        "a function of 5 variables, 1 at 16 of 32 points",
        "influences: " + ", ".join(f"x{i} 0.375" for i in range(5)),
    ]
    assert str(F.tribes(3, 3)).endswith("largest influences: x0 0.191406, x1 0.191406, x2 0.191406")
    assert str(BooleanFunction(0, [1])) == "1\na function of 0 variables, always 1"
    assert "1 at 8,388,608 of 16,777,216 points" in str(F.parity(24))
    assert BooleanFunction.from_text("f & g").table.sum() == 1
    assert "f  g  value" in str(BooleanFunction.from_text("f & g"))


@given(functions(4))
def test_minterms_are_a_formula(f):
    terms = f.minterms()
    assert len(terms) == f.table.sum()
    if terms:
        assert BooleanFunction.from_text(" | ".join(terms), f.n) == f
    assert dt.measures.influences_by_name(f) == dict(zip(f.names, dt.influences(f), strict=True))


def test_what_is_no_function_or_distribution_says_how_to_make_one():
    with pytest.raises(
        ValueError, match=r"got 'x0 & x1': write dt.BooleanFunction.from_text\('x0 & x1"
    ):
        dt.build_top_down("x0 & x1")
    with pytest.raises(
        ValueError, match=r"got <function .*: write dt.BooleanFunction.from_rule\(n, f"
    ):
        dt.optimal(lambda x: x[0])
    with pytest.raises(ValueError, match=r": write dt.ProductDistribution\(\[0.3, 0.4\]\)$"):
        dt.influences(F.conjunction(2), [0.3, 0.4])
    with pytest.raises(ValueError, match=r"got 3$"):
        dt.influences(3)


@given(st.lists(st.fractions(Fraction(1, 99), Fraction(98, 99), max_denominator=99), max_size=5))
def test_weights_are_the_products(p):
    weights = ProductDistribution(p).weights()
    assert weights == pytest.approx([float(w) for w in point_weights(p)], abs=1e-15)


def test_samples_follow_the_distribution_and_the_seed():
    mu = ProductDistribution([0.1, 0.5, 0.8])
    x = mu.sample(20_000, 7)
    assert x.shape == (20_000, 3)
    # Five standard deviations; the seed is fixed, so this cannot flicker.
    assert np.abs(x.mean(axis=0) - mu.p).max() < 5 * 0.5 / math.sqrt(20_000)
    assert np.array_equal(x, mu.sample(20_000, np.random.default_rng(7)))


BAD = [
    (lambda: BooleanFunction(40, []), ("n must be at most 24", "40", "GiB")),
    (lambda: BooleanFunction.from_int(9, 1 << 600), ("code", "2^512 - 1", "n = 9")),
    (lambda: BooleanFunction.from_rule(1, lambda x: 2), ("rule", "0 or 1", "2", "x = 0")),  # noqa: ARG005
    (lambda: BooleanFunction.from_rule(2, 3), ("rule", "callable", "3")),
    (lambda: F.parity(2)(4), ("x", "0 to 3", "4")),
    (lambda: F.parity(0).restrict(0, 0), ("i", "n = 0", "0")),
    (lambda: F.parity(2) ^ F.parity(3), ("same n", "2", "3")),
    (lambda: ProductDistribution([0.5] * 30).weights(), ("n must be at most 24", "30")),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
