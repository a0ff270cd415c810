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


def written_back(f: dt.BooleanFunction) -> dt.BooleanFunction:
    if f.variables:
        return dt.BooleanFunction.from_expression(f.to_expression(), variables=f.variables)
    return dt.BooleanFunction.from_expression(f.to_expression(), f.n)


def test_every_function_of_three_variables_is_read_back_from_its_formula():
    for n in range(4):
        for code in range(1 << (1 << n)):
            f = dt.BooleanFunction.from_int(n, code)
            assert written_back(f) == f


@pytest.mark.parametrize("n", range(4, 9))
def test_random_functions_are_read_back_from_their_formulas(n):
    names = ["rain", "wind", "x7", "größe", "a[1]", "Sun", "maj", "x0"][:n]
    names = [name.replace("a[1]", "x[3]") for name in names]
    for seed in range(20):
        f = dt.functions.random(n, seed)
        named = dt.BooleanFunction(n, f.table, variables=names)
        assert written_back(f) == written_back(named) == f
        assert written_back(named).variables == tuple(names)
        sparse = f & dt.functions.random(n, 100 + seed) & dt.functions.random(n, 200 + seed)
        assert written_back(sparse) == sparse


def test_no_part_of_a_formula_is_needless():
    """Without any term, and without any literal of one, the formula means something else."""
    for code in range(0, 1 << 16, 37):
        f = dt.BooleanFunction.from_int(4, code)
        text = f.to_expression()
        within = text.removeprefix("~(").removesuffix(")") if text.startswith("~(") else text
        if f.is_constant or "," in text or "^" in text:
            continue
        whole = dt.BooleanFunction.from_expression(within, 4)
        terms = [term.split(" & ") for term in within.split(" | ")]
        for k, term in enumerate(terms):
            fewer = [[*term[:j], *term[j + 1 :]] for j in range(len(term))]
            for other in [*([part] for part in fewer if part), []]:
                left = [" & ".join(part) for part in [*terms[:k], *other, *terms[k + 1 :]]]
                if left:
                    assert dt.BooleanFunction.from_expression(" | ".join(left), 4) != whole, text


def test_formulas_are_golden():
    read = dt.BooleanFunction.from_expression
    assert F.parity(20).to_expression() == " ^ ".join(f"x{i}" for i in range(20))
    assert (~F.parity(2)).to_expression() == "~(x0 ^ x1)"
    assert F.majority(3).to_expression() == "maj(x0, x1, x2)"
    assert F.threshold([1] * 5, 2).to_expression() == "atleast(2, x0, x1, x2, x3, x4)"
    assert F.dictator(9, 4).to_expression() == "x4"
    assert F.conjunction(0).to_expression() == read("x0 | ~x0").to_expression() == "1"
    assert (F.conjunction(2) & ~F.conjunction(2)).to_expression() == "0"
    f = read("rain & wind | sun")
    assert f.variables == ("rain", "sun", "wind")
    assert f.to_expression() == "sun | rain & wind"
    assert f.restrict(1, 0).to_expression() == "rain & wind"
    assert (f & ~f).variables == f.variables
    assert (f | F.majority(3)).to_expression() == "sun | rain & wind"
    assert (f & read("a & b & c")).variables is None
    assert f == read("x0 & x2 | x1")
    with pytest.raises(ValueError, match="at most 12 variables for a short formula, got 13"):
        F.random(13, 0).to_expression()
    with pytest.raises(ValueError, match="variables must be n = 2 names, got 1"):
        dt.BooleanFunction(2, [0, 0, 0, 1], variables=["a"])
