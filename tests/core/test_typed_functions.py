"""Functions as a reader types them: tables in bits and hex, and what errors say of bad ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz as dt

F = dt.functions
read = dt.BooleanFunction.from_text


@st.composite
def functions(draw: st.DrawFn, least: int = 0) -> dt.BooleanFunction:
    n = draw(st.integers(least, 7))
    return dt.BooleanFunction.from_int(n, draw(st.integers(0, 2 ** (1 << n) - 1)))


@given(functions(), st.sampled_from(["", " ", "_", "\n"]))
def test_bits_are_the_table(f, gap):
    assert read(gap.strip("_") + gap.join(map(str, f.table.tolist())) + gap.strip("_")) == f
    assert read("".join(map(str, f.table.tolist())), f.n) == f


@given(functions())
def test_numbers_are_the_code(f):
    """As Python writes them, with n; without it, with all their zeros."""
    assert read(hex(f.code), f.n) == read(bin(f.code), f.n) == f
    assert read(f"0b{f.code:0{1 << f.n}b}") == f
    if f.n >= 2:
        width = (1 << f.n) // 4
        assert read(f"0x{f.code:0{width}x}") == read(f"0X{f.code:0{width}X}") == f


def test_formulas_are_read_as_expressions():
    assert read("x0 & (x1 | ~x2)").table.tolist() == [0, 1, 0, 1, 0, 0, 0, 1]
    assert read("1") == F.conjunction(0)
    assert read("0", 3).table.tolist() == [0] * 8
    assert read("1", 3).table.tolist() == [1] * 8
    assert read("a -> b") == read("1011")
    assert read("01") == F.dictator(1, 0)
    assert read("0 1\n1 0") == F.parity(2)
    assert read("0110", variables=["a", "b"]).names == ("a", "b")


BAD = [
    ("", None, "have a variable", "at its end"),
    ("011", None, "have 1, 2, 4, 8, ... bits, not 3", "got '011' at character 1"),
    ("  01 10 1", None, "not 5", "got '01 10 1' at character 3"),
    ("0110", 3, "have 2^n = 8 bits for n = 3, not 4"),
    ("0110x0", None, "have only 0 and 1", "got 'x' at character 5"),
    ("0112", None, "have only 0 and 1", "got '2' at character 4"),
    ("01\n0z", None, "got 'z' at character 2 of line 2"),
    ("0xg1", None, "have only 0 to 9 and a to f", "got 'g' at character 3"),
    ("0x123", None, "have 1, 2, 4, 8, ... hex digits", "not 3", "got '0x123'"),
    ("0x1\uff11", None, "got '\uff11' at character 4"),
    ("0x10", 2, "be a number below 2^4 for n = 2", "got '0x10' at character 1"),
    ("0x4", 1, "be a number below 2^2 for n = 1"),
    ("0x" + "0" * (1 << 22) + "0", None, "not 4194305"),
    ("x0 & x3", 2, "name variables from x0 to x1 only", "got 'x3'"),
    (5, None, "be a text", "got 5"),
]


@pytest.mark.parametrize(("text", "n", "words"), [(text, n, words) for text, n, *words in BAD])
def test_bad_texts_are_reported_with_their_place(text, n, words):
    with pytest.raises(ValueError, match=r"^text must ") as caught:
        read(text, n)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert len(str(caught.value)) < 300
