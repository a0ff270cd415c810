"""Formulas of functions, read back."""

from __future__ import annotations

import pytest

import dtviz as dt

F = dt.functions


def written_back(f: dt.BooleanFunction) -> dt.BooleanFunction:
    if f.variables:
        return dt.BooleanFunction.from_text(f.to_expression(), variables=f.variables)
    return dt.BooleanFunction.from_text(f.to_expression(), f.n)


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
    for code in range(0, 1 << 16, 151):
        f = dt.BooleanFunction.from_int(4, code)
        text = f.to_expression()
        within = text.removeprefix("~(").removesuffix(")") if text.startswith("~(") else text
        if f.is_constant or "," in text or "^" in text:
            continue
        whole = dt.BooleanFunction.from_text(within, 4)
        terms = [term.split(" & ") for term in within.split(" | ")]
        for k, term in enumerate(terms):
            fewer = [[*term[:j], *term[j + 1 :]] for j in range(len(term))]
            for other in [*([part] for part in fewer if part), []]:
                left = [" & ".join(part) for part in [*terms[:k], *other, *terms[k + 1 :]]]
                if left:
                    assert dt.BooleanFunction.from_text(" | ".join(left), 4) != whole, text


def test_formulas_are_golden():
    read = dt.BooleanFunction.from_text
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
