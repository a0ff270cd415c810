"""Random Boolean functions for property tests."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

import dtviz as dt


@st.composite
def functions(draw: st.DrawFn, max_n: int = 5) -> dt.BooleanFunction:
    n = draw(st.integers(0, max_n))
    return dt.BooleanFunction.from_int(n, draw(st.integers(0, 2 ** (2**n) - 1)))


@st.composite
def weighted(draw: st.DrawFn, max_n: int = 5) -> tuple[dt.BooleanFunction, list[Fraction]]:
    f = draw(functions(max_n))
    p = draw(st.lists(st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
                      min_size=f.n, max_size=f.n))  # fmt: skip
    return f, p
