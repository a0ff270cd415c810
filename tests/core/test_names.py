"""What text says of names that others chose: one node a line, and nothing that reads as two."""

from __future__ import annotations

import ast
import re

import numpy as np
import pandas as pd
import pytest

import dtviz as dt

ODD = [
    "two\nlines",
    "a\r\nb",
    "a\ttab",
    "a\u2028b",
    "a\x85b",
    "\x1b[31mred",
    "a\u202eb",
    "",
    " ",
    "x ",
]
PLAIN = [
    "price $",
    "a_b^2",
    "é",
    "漢字",
    "🐟",
    "👩‍🔬",
    'a "b"',
    "a\\b",
    "10\N{NO-BREAK SPACE}km",
    "<b>&",
]


@pytest.mark.parametrize("name", [*ODD, *PLAIN])
def test_a_node_has_a_line_of_its_own(name):
    tree = dt.grow(pd.DataFrame({name: [0.0, 1.0, 2.0]}), [f"{name}{k}" for k in "bab"]).tree()
    lines = str(tree).splitlines()
    assert len(lines) == tree.n_nodes
    said = lines[0].removesuffix(" <= 0.5")
    assert (ast.literal_eval(said) if name in ODD else said) == name
    dot = tree.to_dot()
    assert len(dot.splitlines()) == 3 + tree.n_nodes + tree.n_nodes - 1
    label = re.findall(r'\[label="((?:\\.|[^"\\])*)", shape', dot)[0]
    assert re.sub(r"\\(.)", r"\1", label) == lines[0]


CATEGORIES = [
    "Paris, Texas", "a}", "{b", "O'Brien", 'the "best"', "missing", "bus or missing", "and 3 more",
    "", " ", "two\nlines", "plain words", "$5",
]  # fmt: skip


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_in_a_list_is_read_as_one(category):
    frame = pd.DataFrame({"by": [category, "zz", "yy", "xx"]})
    tree = dt.grow(frame, [1, 1, 0, 0]).tree()
    said = re.fullmatch(r"by (?:not )?in \{(.*), (.*)\}", str(tree).splitlines()[0])
    if said is None:  # the others are fewer words
        pytest.fail(str(tree))
    low = {ast.literal_eval(one) if one[:1] in "'\"" else one for one in said.groups()}
    assert low in ({category, "zz"}, {"yy", "xx"})
    if low == {category, "zz"}:
        assert any(one[0] in "'\"" for one in said.groups()) == (
            category not in {"plain words", "$5"}
        )


def test_a_category_alone_is_read_as_one():
    frame = pd.DataFrame({"by": ["a or missing", "b", "c"]})
    first, *_ = str(dt.grow(frame, [1, 0, 0]).tree()).splitlines()
    assert first in {"by = 'a or missing'", "by is not 'a or missing'"}


def test_categories_with_a_comma_are_no_list_at_an_axis():
    frame = pd.DataFrame({"km": [1, 5, 9, 7], "by": ["bus, late", "foot", "bus, late", "foot"]})
    plane = dt.ImpurityExplorer(frame, ["no", "no", "yes", "yes"]).planes["data"]
    assert plane.features == ("km", "by: 'bus, late' 0, foot 1")


def test_labels_are_lines_too():
    tree = dt.Tree([0, -1, -1], np.array(["", "a\nb", "?"]))
    assert str(tree) == "x0\n├─ 0: 'a\\nb'\n└─ 1: ?"
