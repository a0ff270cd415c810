"""Files of clauses and of cubes: written here, read back; and what is told of broken ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import functions

import dtviz as dt

F = dt.functions
from_dimacs, from_pla = dt.BooleanFunction.from_dimacs, dt.BooleanFunction.from_pla

CLAUSES = """\
c (x0 or not x1) and x2
p cnf  3 2
 1 -2
0 3
c between
0
"""


@st.composite
def clauses(draw):
    n = draw(st.integers(0, 7))
    one = st.sampled_from([i for i in range(-n, n + 1) if i] or [None])
    return n, draw(st.lists(st.lists(one, max_size=5 if n else 0), max_size=12))


@given(clauses(), st.sampled_from([" ", "\n", "  ", "\r\n", "\t"]))
def test_dimacs_by_definition(some, gap):
    n, given_clauses = some
    body = gap.join(str(i) for clause in given_clauses for i in [*clause, 0])
    f = from_dimacs(f"c a comment\np cnf {n} {len(given_clauses)}\n{body}\n")
    holds = [
        all(any(x[abs(i) - 1] == (i > 0) for i in clause) for clause in given_clauses)
        for x in dt.points(n).tolist()
    ]
    assert f.table.tolist() == holds


def test_dimacs_from_files(tmp_path):
    f = dt.BooleanFunction.from_expression("(x0 | ~x1) & x2")
    path = tmp_path / "some.cnf"
    path.write_text(CLAUSES, "utf-8")
    assert from_dimacs(CLAUSES) == from_dimacs(path) == from_dimacs(str(path)) == f
    assert from_dimacs(CLAUSES + "%\n0\n\n") == f  # so end the files of SATLIB
    assert from_dimacs("p cnf 24 1\n24 0\n") == F.dictator(24, 23)
    assert from_dimacs("p cnf 2 0\n") == ~from_dimacs("p cnf 2 1\n0\n")
    path.write_bytes(b"\xff\xfe")
    for source, why in [
        (tmp_path / "none.cnf", "No such file"),
        ("none.cnf", "No such file"),
        (tmp_path, "Is a directory"),
        (path, "no text in UTF-8"),
        ("a\0b", "no text"),
        ("", "Is a directory"),
    ]:
        with pytest.raises(ValueError, match=f"source must be a text .*: {why}"):
            from_dimacs(source)


BAD_CLAUSES = [
    (None, "source must be a text or the path of a file, got None"),
    (b"p cnf 1 0\n", "source must be a text"),
    (["p cnf 1 0"], "source must be a text"),
    ("\n", "a line 'p cnf variables clauses'"),
    ("c only\n", "a line 'p cnf variables clauses'"),
    ("1 0\np cnf 1 1\n", "before its clauses, got '1 0' in line 1"),
    ("p dnf 1 1\n1 0\n", "got 'p dnf 1 1' in line 1"),
    ("p cnf 1\n1 0\n", "got 'p cnf 1' in line 1"),
    ("p cnf x 1\n1 0\n", "number of variables, from 0 to 24, got 'x'"),
    ("p cnf 25 1\n1 0\n", "number of variables, from 0 to 24, got '25'"),
    ("p cnf " + "9" * 5000 + " 1\n1 0\n", "from 0 to 24"),
    ("p cnf 2 -1\n", "number of clauses"),
    ("p cnf 2 2000000\n", "from 0 to 1048576, got '2000000'"),
    ("p cnf 2 1\n3 0\n", "literals from -2 to 2, got '3' in line 2"),
    ("p cnf 2 1\n1 x2 0\n", "got 'x2' in line 2"),
    ("p cnf 2 1\n--1 0\n", "got '--1'"),
    ("p cnf 2 1\n1.0 0\n", "got '1.0'"),
    ("p cnf 2 1\n\u0661 0\n", "literals from -2 to 2"),
    ("p cnf 2 1\np cnf 2 1\n1 0\n", "got 'p' in line 2"),
    ("p cnf 2 1\n1 2\n", "end each clause with 0"),
    ("p cnf 2 1\n1 0\n2 0\n", "have the 1 clauses that its line p says, got 'one more' in line 3"),
    ("p cnf 2 2\n1 0\n", "have the 2 clauses that its line p says, got 1"),
]


@pytest.mark.parametrize(("source", "words"), BAD_CLAUSES)
def test_broken_dimacs_is_told(source, words):
    with pytest.raises(ValueError, match=r"^source must ") as caught:
        from_dimacs(source)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


# -- PLA -------------------------------------------------------------------------------------------

ADDER = """\
# a half adder and a guard
.i 3
.o 2
.ilb a b guard
.ob sum carry
.p 4
10-|1 0
0 1 - 10   # spaces and bars mean nothing
11- 01
--1 0~
.e
what follows is not read
"""


def test_a_table_of_two_outputs(tmp_path):
    path = tmp_path / "adder.pla"
    path.write_text(ADDER, "utf-8")
    total = dt.BooleanFunction.from_expression("x0 ^ x1", 3)
    assert from_pla(ADDER, "sum") == from_pla(path, 0) == from_pla(str(path), "sum") == total
    assert from_pla(ADDER, output=1) == dt.BooleanFunction.from_expression("x0 & x1", 3)
    assert from_pla(".i 2\n.o 1\n2- 4\n").table.tolist() == [1] * 4
    assert from_pla(".i 0\n.o 1\n1\n.end\n").table.tolist() == [1]


@pytest.mark.parametrize("kind", [None, "f", "fd", "fr", "fdr"])
@given(data=st.data())
def test_types_by_definition(kind, data):
    n, m = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3))
    entries = st.text("01-", min_size=n, max_size=n), st.text("01-~", min_size=m, max_size=m)
    rows = data.draw(st.lists(st.tuples(*entries), max_size=6))
    output = data.draw(st.integers(0, m - 1))
    says = {None: "1-", "f": "1", "fd": "1-", "fr": "10", "fdr": "10-"}[kind]

    def value(x):
        told = {o[output] for i, o in rows if all(a in ("-", str(b)) for a, b in zip(i, x))}  # noqa: B905
        told &= set(says)
        if "-" in told:
            return "-"
        if {"0", "1"} <= told:
            return "both"
        if "0" in says and not told:
            return "-"
        return "1" if "1" in told else "0"

    values = [value(x) for x in dt.points(n).tolist()]
    text = f".i {n}\n.o {m}\n" + (f".type {kind}\n" if kind else "")
    text += "".join(f"{i} {o}\n" for i, o in rows) + ".e\n"
    if "both" in values:
        first = values.index("both")
        for fill in (None, 0, 1):
            with pytest.raises(ValueError, match=f"0 and 1 at one point, .* at x = {first}, bits"):
                from_pla(text, output, dont_care=fill)
        return
    for fill in (0, 1):
        f = from_pla(text, output, dont_care=fill)
        assert f.table.tolist() == [fill if told == "-" else int(told) for told in values]
    if "-" in values:
        first = values.index("-")
        with pytest.raises(ValueError, match=f"^dont_care must be .* at x = {first}, bits"):
            from_pla(text, output)
    else:
        assert from_pla(text, output) == f


@given(functions())
def test_every_function_comes_back(f):
    rows = "".join(f"{''.join(map(str, x))} {f(x)}\n" for x in dt.points(f.n).tolist())
    for kind in ("f", "fd", "fr", "fdr"):
        head = f".i {f.n}\n.o 1\n.type {kind}\n.p {2**f.n}\n"
        assert from_pla(f"{head}{rows}.e\n") == f


HEAD = ".i 2\n.o 1\n"
BAD_TABLES = [
    (None, "source must be a text or the path of a file, got None"),
    ("\n", "source must have .i and .o"),
    (".i 2\n", "source must have .i and .o"),
    (".i 2\n.o 0\n", "source must have .i and .o, with one output or more"),
    ("11 1\n" + HEAD, "have .i and .o before its rows, got '111' in line 1"),
    (".i 25\n.o 1\n", "number of inputs, from 0 to 24, got '25' in line 1"),
    (".i two\n.o 1\n", "got 'two'"),
    (".i 2 3\n.o 1\n", "one word after .i, got '.i 2 3'"),
    (".i\n.o 1\n", "one word after .i"),
    (HEAD + "111 1\n", "have 2 inputs and 1 outputs in each row, got '1111' in line 3"),
    (HEAD + "11\n", "in each row, got '11'"),
    (HEAD + "1x 1\n", "have inputs 0, 1 or -, got '1x1'"),
    (HEAD + "1~ 1\n", "have inputs 0, 1 or -"),
    (HEAD + "11 x\n", "have outputs 0, 1, - or ~"),
    (HEAD + ".p 2\n11 1\n", "have the 2 rows that .p says, got 1"),
    (HEAD + ".p x\n11 1\n", "number of rows"),
    (HEAD + ".type xx\n11 1\n", "be of a type among f, fd, fr, fdr, got 'xx'"),
    (HEAD + "11 1\n.type fr\n", "have .type before its rows"),
    (HEAD + "11 1\n.i 3\n", "have .i before its rows"),
    (HEAD + ".phase 0\n11 1\n", "have the keys .i .o .p .ilb .ob .type .e only, got '.phase'"),
    (".mv 4 2 3 3\n", "one word after .mv"),
    (HEAD + ".ilb a\n", "name the inputs after .i, 2 in all"),
    (HEAD + ".ob a b\n", "name the outputs after .o, 1 different ones"),
    (".i 1\n.o 2\n.ob a a\n", "2 different ones"),
]


@pytest.mark.parametrize(("source", "words"), BAD_TABLES)
def test_broken_tables_are_told(source, words):
    with pytest.raises(ValueError, match=r"^source must ") as caught:
        from_pla(source)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


def test_outputs_and_fills_are_checked():
    for output in (None, 2, -1, "other", True, 0.0, "0"):
        with pytest.raises(ValueError, match=r"output must be .* \['sum', 'carry'\]"):
            from_pla(ADDER, output)
    for fill in (2, "1", 0.5, [0]):
        with pytest.raises(ValueError, match="dont_care must be None, 0 or 1"):
            from_pla(ADDER, 0, dont_care=fill)


def test_endless_files_are_refused(tmp_path):
    path = tmp_path / "long.cnf"
    with path.open("wb") as file:
        file.truncate((1 << 26) + 1)
    for read in (from_dimacs, from_pla):
        with pytest.raises(ValueError, match="source must have at most 67108864 characters"):
            read(path)
