"""Normal forms against their definitions, point by point."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import functions

import dtviz as dt

F = dt.functions
from_dnf, from_cnf = dt.BooleanFunction.from_dnf, dt.BooleanFunction.from_cnf


def literals(x, term):
    return [x[i] == bit for i, bit in term.items()]


def as_text(n, term):
    return "".join(str(int(term[i])) if i in term else "-" for i in range(n))


@st.composite
def normal_forms(draw, max_n=8):
    n = draw(st.integers(0, max_n))
    term = st.dictionaries(st.integers(0, n - 1), st.integers(0, 1)) if n else st.just({})
    return n, draw(st.lists(term, max_size=20))


@given(normal_forms())
def test_normal_forms_by_definition(form):
    n, terms = form
    cube = dt.cube_points(n).tolist()
    texts = [as_text(n, term) for term in terms]
    f, g = from_dnf(n, terms), from_cnf(n, terms)
    assert f.table.tolist() == [any(all(literals(x, term)) for term in terms) for x in cube]
    assert g.table.tolist() == [all(any(literals(x, clause)) for clause in terms) for x in cube]
    assert f == from_dnf(n, texts) == from_dnf(n, iter(terms)) == from_dnf(n, set(texts))
    assert g == from_cnf(n, texts) == from_cnf(n, np.array(texts, dtype=object))
    opposite = [{i: 1 - bit for i, bit in term.items()} for term in terms]
    assert g == ~from_dnf(n, opposite)


@pytest.mark.parametrize("n", [6, 7, 9, 12, 14])
@pytest.mark.parametrize("count", [3, 9, 200, 3000])
def test_many_terms_are_parted_as_few_are(n, count):
    """Above eight terms another way is taken; both against masks of indices."""
    some = random.Random(n * count)  # noqa: S311
    free = some.choice((0.2, 0.5, 0.8))
    texts = [
        "".join("-" if some.random() < free else some.choice("01") for _ in range(n))
        for _ in range(count)
    ]
    index = np.arange(1 << n)
    table = np.zeros(1 << n, dtype=bool)
    for text in texts:
        care = sum(1 << i for i, bit in enumerate(text) if bit != "-")
        value = sum(1 << i for i, bit in enumerate(text) if bit == "1")
        table |= (index & care) == value
    assert (from_dnf(n, texts).table == table).all()
    assert (from_cnf(n, texts).table == ~table[::-1]).all()  # De Morgan: all bits turned


@given(functions())
def test_every_function_has_normal_forms(f):
    ones = ["".join(map(str, x)) for x in dt.cube_points(f.n).tolist() if f(x)]
    zeros = [
        {i: 1 - bit for i, bit in enumerate(x)} for x in dt.cube_points(f.n).tolist() if not f(x)
    ]
    assert from_dnf(f.n, ones) == f == from_cnf(f.n, zeros)


def test_normal_forms_of_the_zoo():
    assert from_dnf(6, [{0: 1, 1: 1}, {2: True, 3: np.int8(1)}, {4: 1, 5: 1}]) == F.tribes(2, 3)
    pairs = itertools.combinations(range(5), 3)
    assert from_dnf(5, [dict.fromkeys(some, 1) for some in pairs]) == F.majority(5)
    assert from_dnf(24, [{23: 1}]) == F.dictator(24, 23)
    assert from_dnf(3, []) == from_cnf(3, [{}]) == dt.BooleanFunction(3, [0] * 8)
    assert from_dnf(3, [{}]) == from_cnf(3, []) == from_dnf(3, ["---"])


BAD_TERMS = [
    "x0 & x1", "11", b"11", None, 3, {0: 1}, [[1, -2]], [(0, 1)], [3], ["1"], ["111"], ["12"],
    ["1x"], [{2: 1}], [{-1: 1}], [{"x0": 1}], [{True: 1}], [{0.0: 1}], [{0: 2}], [{0: None}],
    [{0: "1"}], [{0: 0.5}], [{0: 1}, None], np.array(1), np.array([[0, 1]]), [b"11"],
]  # fmt: skip


@pytest.mark.parametrize("terms", BAD_TERMS, ids=str)
@pytest.mark.parametrize(("read", "name"), [(from_dnf, "terms"), (from_cnf, "clauses")])
def test_what_is_no_term_is_told(read, name, terms):
    with pytest.raises(ValueError, match=rf"{name}(\[\d\])? must .*, got ") as caught:
        read(2, terms)
    assert len(str(caught.value)) < 300


def test_terms_have_a_limit():
    with pytest.raises(ValueError, match="terms must have at most 1048576 entries"):
        from_dnf(2, itertools.repeat("1-"))
    with pytest.raises(ValueError, match=r"variable of terms\[0\] must be .* \(n = 0\); got 0"):
        from_dnf(0, [{0: 1}])
