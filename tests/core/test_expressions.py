"""Expressions against Python's own reading, point by point, and what errors say of bad ones."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.formulas import REFUSALS, VALUES

import dtviz as dt

F = dt.functions
read = dt.BooleanFunction.from_text


class Bit(int):
    """0 or 1, with the ``~`` of a bit."""

    def __invert__(self):
        return Bit(1 - self)

    def __and__(self, other):
        return Bit(int(self) & int(other))

    def __xor__(self, other):
        return Bit(int(self) ^ int(other))

    def __or__(self, other):
        return Bit(int(self) | int(other))


class Bits(ast.NodeTransformer):
    """Make a bit of everything that Python makes a bool of."""

    def bit(self, node):
        self.generic_visit(node)
        return ast.Call(ast.Name("Bit", ast.Load()), [node], [])

    visit_Compare = visit_Constant = bit  # noqa: N815

    def visit_UnaryOp(self, node):
        return self.bit(node) if isinstance(node.op, ast.Not) else self.generic_visit(node)


def by_python(text: str, names: list[str]) -> list[int]:
    """The truth table, each point by eval."""
    tree = ast.fix_missing_locations(Bits().visit(ast.parse(text.strip(), mode="eval")))
    code = compile(tree, "expression", "eval")
    points = dt.cube_points(len(names)).tolist()
    at = ({"Bit": Bit, **dict(zip(names, map(Bit, x), strict=True))} for x in points)
    return [int(eval(code, given)) for given in at]  # noqa: S307


LEAVES = st.sampled_from(["x0", "x1", "x2", "x3", "x7", "0", "1", "True", "False"])


def larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Everything in parentheses that might need them."""
    two = st.tuples(parts, st.sampled_from(["&", "^", "|", "and", "or", "==", "!="]), parts)
    return st.one_of(
        two.map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        parts.map(lambda p: f"~{p}"),
        parts.map(lambda p: f"(not {p})"),
        parts.map(lambda p: f" ({p}\n)"),
    )


WORDS = ["a", "b", "c", "1", "0", "(", ")", "~", "&", "^", "|", "not", "and", "or", "==", "!="]


OPERANDS = ["a", "b", "c", "0", "~a", "~~b", "not c", "not ~a", "(a ^ b)", "~(b | c)", "(not b)"]
SIGNS = ["&", "^", "|", "and", "or", "==", "!="]


@st.composite
def rows(draw: st.DrawFn) -> list[str]:
    """Operands and operators in turn: refused only where they mix."""
    text = [draw(st.sampled_from(OPERANDS))]
    signs = draw(st.lists(st.sampled_from(SIGNS), min_size=1, max_size=3))
    for sign in draw(st.lists(st.sampled_from(signs), max_size=6)):
        text += [sign, draw(st.sampled_from(OPERANDS))]
    return text


@pytest.mark.slow
@settings(max_examples=400)
@given(st.one_of(rows(), st.lists(st.sampled_from(WORDS), max_size=9)))
@example(["~", "a", "&", "b", "^", "c", "|", "a"])
@example(["not", "a", "==", "b", "or", "~", "~", "c", "and", "a"])
def test_what_is_accepted_means_what_python_means(words):
    text = " ".join(words)
    try:
        f = read(text, variables=["a", "b", "c"])
    except ValueError:
        return
    assert f.table.tolist() == by_python(text, ["a", "b", "c"])


@st.composite
def flat(draw: st.DrawFn, signs: tuple[str, ...], prefix: tuple[str, ...]) -> str:
    """A row of operands and operators without parentheses."""
    count = draw(st.integers(1, 12))
    some = [draw(st.sampled_from(prefix)) + draw(st.sampled_from("abc")) for _ in range(count)]
    text = some[0]
    for operand in some[1:]:
        text += f" {draw(st.sampled_from(signs))} {operand}"
    return text


@given(st.one_of(flat(("&", "^", "|"), ("", "~", "~~")), flat(("and", "or"), ("", "~", "not "))))
def test_precedence_is_pythons(text):
    """Unlike the random words, every one of these is accepted."""
    f = read(text, variables=["a", "b", "c"])
    assert f.table.tolist() == by_python(text, ["a", "b", "c"])


@pytest.mark.parametrize("text", VALUES)
def test_formulas_that_are_read(text):
    assert "".join(map(str, read(text).table.tolist())) == VALUES[text]


@pytest.mark.parametrize("text", REFUSALS)
def test_formulas_that_are_refused(text):
    rule, at = REFUSALS[text]
    with pytest.raises(ValueError, match=re.escape(f"text must {rule}, got ")) as caught:
        read(text)
    place = "at its end" if at == len(text) else f"at character {at + 1}"
    assert re.search(rf"{place}(, near .*)?$", str(caught.value))


def test_a_variable_has_no_name_of_an_operator():
    with pytest.raises(
        ValueError, match="none of them and, or, not, xor, true or false, got 'And'"
    ):
        read("x", variables=["x", "And"])


def test_names_of_variables():
    assert read("x2 & x0") == read("x_2 & x[0]") == read("x0 & x2", 3)
    assert read("x2").n == 3
    assert read("x0", n=5) == F.dictator(5, 0)
    assert read("x0 | x_0 | x[0]") == F.dictator(1, 0)
    assert read("1") == F.conjunction(0)
    assert read("0", 2).table.tolist() == [0] * 4
    # Free names in one order however they are written.
    assert read("b & ~a") == read("~a & b") == read("b & ~a", variables=["a", "b"])
    assert read("a10 & ~a9 & ~b") == read("x1 & ~x0 & ~x2")
    assert read("a & ~b", variables=["b", "c", "a"]) == read("x2 & ~x0")
    assert read("x1 & ~x2", variables=("x2", "x1")) == read("x1 & ~x0")
    assert read("x[7] | größe", variables=["größe", "x[7]"]) == F.disjunction(2)
    assert read("a0123456789012345678901234567890" + "1" * 5000 + "& a2").n == 2


@pytest.mark.parametrize("n", [5, 6, 7, 13])
def test_across_words(n):
    """Variables 6 and above tell words apart, the others bits of one."""
    assert read(" ^ ".join(f"x{i}" for i in range(n))) == F.parity(n)
    assert read(" & ".join(f"x{i}" for i in range(n))) == F.conjunction(n)
    for i in range(n):
        assert read(f"x{i}", n) == F.dictator(n, i)
        assert read(f"~x{i}", n) == ~F.dictator(n, i)


@pytest.mark.slow
def test_long_and_deep_expressions():
    depth = 10_000
    assert read(" ^ ".join(["x0", "x1"] * depth)) == F.dictator(2, 0) ^ F.dictator(2, 0)
    assert read("~" * (2 * depth + 1) + "x0") == ~F.dictator(1, 0)
    assert read("not " * depth + "x0") == F.dictator(1, 0)
    assert read("(" * depth + "x0" + ")" * depth) == F.dictator(1, 0)
    assert read("x0 ^ (" * depth + "x1" + ")" * depth) == F.dictator(2, 1)
    assert read("(" * depth + "x1" + " ^ x0)" * depth) == F.dictator(2, 1)
    assert read("x0 -> " * depth + "x1") == read("x0 -> x1")


CALLED = {
    "maj": lambda *v: Bit(2 * sum(v) > len(v)),
    "xor": lambda *v: Bit(sum(v) % 2),
    "ite": lambda a, b, c: Bit(b if a else c),
    "mux": lambda *v: Bit(v[(a := MUX[len(v)]) + sum(bit << k for k, bit in enumerate(v[:a]))]),
    "atleast": lambda k, *v: Bit(sum(v) >= k),
}
"""What the calls mean, point by point."""

MUX = {3: 1, 6: 2, 11: 3, 20: 4}
COUNTS = {
    "maj": (1, 3, 5, 7),
    "xor": (1, 2, 3, 6),
    "ite": (3,),
    "mux": (3, 6),
    "atleast": (1, 2, 5),
}


@st.composite
def calls(draw: st.DrawFn, parts: st.SearchStrategy[str]) -> str:
    name = draw(st.sampled_from(sorted(CALLED)))
    count = draw(st.sampled_from(COUNTS[name]))
    values = [draw(parts) for _ in range(count)]
    if name == "atleast":
        values = [str(draw(st.integers(1, count))), *values]
    gap = draw(st.sampled_from(["", " ", "\n"]))
    return f"{name}{gap}({f',{gap}'.join(values)})"


@given(st.recursive(LEAVES, lambda parts: st.one_of(larger(parts), calls(parts)), max_leaves=15))
@example("mux(x0, x1, x2, x3, x4, x5, x6, x7, x0, 1, 0)")
def test_calls_are_what_they_say(text):
    f = read(text, 8)
    tree = ast.fix_missing_locations(Bits().visit(ast.parse(f"({text})", mode="eval")))
    code = compile(tree, "expression", "eval")
    for x in range(0, 256, 7):
        at = {f"x{i}": Bit(x >> i & 1) for i in range(8)}
        assert f(x) == eval(code, {"Bit": Bit, **CALLED, **at}), x  # noqa: S307


BAD = [
    ("a &", "got '&' at its end"),
    ("a & | b", "have a variable", "got '|' at character 5, near 'a & | b'"),
    ("a\n& b\n& 2", "got '2' at character 3 of line 3"),
    ("atleast(" + "9" * 5000 + ", a)", "a number from 1 to"),
    ("'a'", "have a variable", 'got "\'"'),
    ("x24", "x0 to x23", "got 'x24'"),
    ("x" + "9" * 6000, "x0 to x23"),
    (" | ".join(f"a{i}" for i in range(25)), "at most 24 variables, got 25"),
    ("x0 & x\u0661", "or none of them"),
    (None, "must be a text", "got None"),
    (F.parity(2), "must be a text"),
]


@pytest.mark.parametrize(("text", "words"), [(text, words) for text, *words in BAD])
def test_bad_expressions_are_reported_with_their_place(text, words):
    with pytest.raises(ValueError, match=r"^text must ") as caught:
        read(text)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert len(str(caught.value)) < 300


def test_bad_variables_are_reported():
    for given_n in (True, -1, 25, "3", 2.0):
        with pytest.raises(ValueError, match="n must be"):
            read("x0", given_n)
    with pytest.raises(ValueError, match="n must be left out where variables are given, got 2"):
        read("a", 2, variables=["a"])
    with pytest.raises(ValueError, match="x0 to x1 only, got 'x2' at character 6"):
        read("x0 & x2", 2)
    with pytest.raises(ValueError, match="name no variable, got 'x0'"):
        read("x0", 0)
    with pytest.raises(ValueError, match=r"name x0, x1, ... alone, got 'a'"):
        read("a", 2)
    with pytest.raises(ValueError, match="only the 1 variables given, got 'b' at character 5"):
        read("a & b", variables=["a"])
    bad = ["ab", 3, {"a"}, {"a": 1}, ["a", "a"], ["a", 1], ["a b"], ["not"], [""], [None], ["True"]]
    for names in [*bad, ["true"], ["Xor"], ["AND"], [f"a{i}" for i in range(25)]]:
        with pytest.raises(ValueError, match=r"^variables must"):
            read("1", variables=names)


@pytest.mark.slow
def test_beyond_the_limits():
    with pytest.raises(ValueError, match="at most 8388608 characters, got 10000000"):
        read("x" * 10_000_000)
    with pytest.raises(ValueError, match="at most 524288 names, constants and signs"):
        read("~" * 600_000 + "x0")
    with pytest.raises(ValueError, match="at most 4096 operators for n = 24, got 4097"):
        read("~" * 4_097 + "x23")
