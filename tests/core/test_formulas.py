"""Normal forms and decision diagrams against their definitions, point by point."""

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
from_bdd = dt.BooleanFunction.from_bdd


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
    cube = dt.points(n).tolist()
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
    ones = ["".join(map(str, x)) for x in dt.points(f.n).tolist() if f(x)]
    zeros = [{i: 1 - bit for i, bit in enumerate(x)} for x in dt.points(f.n).tolist() if not f(x)]
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


# -- diagrams --------------------------------------------------------------------------------------


def walked(nodes, root, x):
    """The value at a point, by definition."""
    while root not in (0, 1):
        variable, low, high = nodes[root]
        root = high if x[variable] else low
    return root


def diagram(f: dt.BooleanFunction, order: list[int]):
    """The reduced diagram of a function, its nodes named by what is left of the function."""
    nodes = {}

    def made(g, left):
        if g.is_constant:
            return int(g.table[0])
        i, *rest = left
        k = sorted(left).index(i)
        children = made(g.restrict(k, 0), rest), made(g.restrict(k, 1), rest)
        if children[0] == children[1]:
            return children[0]
        nodes[left[0], children] = (i, *children)
        return left[0], children

    return nodes, made(f, order)


@given(functions(), st.data())
def test_diagrams_of_any_order(f, data):
    order = data.draw(st.permutations(range(f.n)))
    nodes, root = diagram(f, order)
    assert from_bdd(f.n, nodes, root) == f
    if root not in (0, 1):
        assert from_bdd(f.n, nodes) == f  # the reduced diagram has one top


@given(st.data())
def test_diagrams_of_different_orders_on_different_paths(data):
    """Random ones, made from below; a node whose variable is tested below it is left out."""
    nodes, below = {}, {0: set(), 1: set()}
    for k in range(2, 2 + data.draw(st.integers(0, 12))):
        child = st.sampled_from(sorted(below))
        i, low, high = data.draw(st.integers(0, 4)), data.draw(child), data.draw(child)
        if i not in below[low] | below[high]:
            nodes[k], below[k] = (i, low, high), {i} | below[low] | below[high]
    for root in below:
        f = from_bdd(5, nodes, root)
        assert f.table.tolist() == [walked(nodes, root, x) for x in dt.points(5).tolist()]


def test_diagrams_of_the_zoo():
    n = 20  # more points than walk at once
    nodes = {
        (i, b): (i, *(((i + 1, b ^ c) if i + 1 < n else b ^ c) for c in (0, 1)))
        for i in range(n)
        for b in (0, 1)
    }
    assert from_bdd(n, nodes, (0, 0)) == F.parity(n)
    assert from_bdd(n, nodes, (0, 1)) == ~F.parity(n)
    assert from_bdd(2, {}, 1) == ~from_bdd(2, {}, False)
    lists = {"top": [np.int64(1), np.int64(0), True]}
    assert from_bdd(2, lists) == F.dictator(2, 1)


PARITY = {"a": (0, "b", "c"), "b": (1, 0, 1), "c": (1, 1, 0)}
BAD_DIAGRAMS = [
    (None, None, "nodes must be a mapping"),
    ([(0, 0, 1)], None, "nodes must be a mapping"),
    ({"a": (0, 1)}, None, "nodes must map to (variable, low, high), got (0, 1) for 'a'"),
    ({"a": "001"}, None, "nodes must map to"),
    ({"a": None}, None, "nodes must map to"),
    ({"a": (2, 0, 1)}, None, "the variable of nodes['a'] must be an integer from 0 to 1, got 2"),
    ({"a": (-1, 0, 1)}, None, "must be an integer from 0 to 1, got -1"),
    ({"a": (True, 0, 1)}, None, "got True"),
    ({"a": ("x0", 0, 1)}, None, "got 'x0'"),
    ({"a": (0, 0, "b")}, None, "lead to nodes, 0 or 1, got 'b' below 'a'"),
    ({"a": (0, 0, 2)}, None, "got 2 below 'a'"),
    ({"a": (0, 0, 1.0)}, None, "got 1.0 below 'a'"),
    ({"a": (0, 0, [1])}, None, "got [1] below 'a'"),
    ({1: (0, 0, 1)}, None, "leave 0 and 1 to the terminals, got 1"),
    ({False: (0, 0, 1)}, None, "got False as a node"),
    ({"a": (0, 0, "b"), "b": (1, "a", 1)}, "a", "lead back to themselves"),
    ({"a": (0, 0, "a")}, "a", "lead back to themselves, got 'a'"),
    ({"a": (0, 0, "b"), "b": (0, 0, 1)}, None, "test no variable twice on a path, got x0 below"),
    ({**PARITY, "d": (0, 1, 0)}, None, "root must be given unless one node"),
    ({}, None, "root must be given"),
    ({"a": (0, 0, "a")}, None, "root must be given"),
    (PARITY, "d", "root must be one of the nodes, 0 or 1, got 'd'"),
    (PARITY, ["a"], "root must be one of the nodes"),
    (PARITY, 2, "root must be one of the nodes"),
]


@pytest.mark.parametrize(("nodes", "root", "words"), BAD_DIAGRAMS)
def test_what_is_no_diagram_is_told(nodes, root, words):
    with pytest.raises(ValueError, match="must") as caught:
        from_bdd(2, nodes, root)
    assert words in str(caught.value)


def test_a_path_of_many_nodes_is_no_recursion():
    """Each tests the variable before it again, 100,000 times."""
    chain = {k: (0, 0, k + 1 if k < 100_001 else 1) for k in range(2, 100_002)}
    with pytest.raises(ValueError, match="no variable twice"):
        from_bdd(1, chain)
    with pytest.raises(ValueError, match="lead back"):
        from_bdd(1, chain | {100_001: (0, 0, 2)}, 2)
