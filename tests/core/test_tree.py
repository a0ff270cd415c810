"""Trees: shape, use, completion, export and import, and what errors say of bad input."""

from __future__ import annotations

import copy
import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from support.definitions import point_weights

import dtviz as dt
from dtviz import Tree

F = dt.functions
N = 4


LABELS = st.integers(0, 1)


@st.composite
def trees(draw, max_leaves=8):
    """Any tree over x_0 .. x_3, variables repeated on a path included."""
    if max_leaves == 1 or draw(st.integers(0, 3)) == 0:
        return Tree.leaf(draw(LABELS))
    low = draw(trees(max_leaves=max_leaves // 2))
    high = draw(trees(max_leaves=max_leaves // 2))
    return Tree.split(draw(st.integers(0, N - 1)), low, high)


def walk(tree, x, node=0):
    """The leaf that x reaches and the number of tests on the way, by definition."""
    steps = 0
    while tree.variable[node] >= 0:
        i = tree.variable[node]
        node = tree.high[node] if x[i] > tree.threshold[node] else tree.low[node]
        steps += 1
    return node, steps


def rank(tree, node=0):
    if tree.variable[node] < 0:
        return 0
    a, b = rank(tree, tree.low[node]), rank(tree, tree.high[node])
    return a + 1 if a == b else max(a, b)


@given(trees())
def test_shape_by_definition(tree):
    leaves = [v for v in range(tree.n_nodes) if tree.variable[v] < 0]
    assert tree.n_leaves == len(leaves) == (tree.n_nodes + 1) // 2
    assert tree.leaves.tolist() == leaves
    assert tree.depth == max(len(path) for path in tree.paths())
    assert tree.rank == rank(tree)
    assert [tree.node_rank[v] for v in range(tree.n_nodes)] == [
        rank(tree, v) for v in range(tree.n_nodes)
    ]
    assert tree.node_depth[tree.leaves].tolist() == [len(path) for path in tree.paths()]
    assert tree.leaves_below[0] == tree.n_leaves


@given(trees())
def test_every_way_to_evaluate_agrees(tree):
    cube = dt.cube_points(N)
    expected = [int(tree.value[walk(tree, x)[0]]) for x in cube]
    assert tree.predict(cube).tolist() == expected
    assert tree.predict(cube.astype(bool)).tolist() == expected
    assert tree.predict(cube.astype(float)).tolist() == expected
    assert [tree(x) for x in range(2**N)] == expected
    assert [tree(x.tolist()) for x in cube] == expected
    assert tree.function(N).table.tolist() == expected
    assert tree.apply_cube(N).tolist() == [walk(tree, x)[0] for x in cube]


@given(trees(), st.lists(st.sampled_from([0.1, 0.25, 0.5, 0.9]), min_size=N, max_size=N))
def test_reach_and_average_depth_by_enumeration(tree, p):
    """Also for trees that test a variable twice: the second test decides nothing."""
    mu = dt.ProductDistribution(p)
    weights = [float(w) for w in point_weights(p)]
    walked = [walk(tree, x) for x in dt.cube_points(N)]
    mean = sum(w * steps for w, (_, steps) in zip(weights, walked, strict=True))
    assert tree.average_depth(mu) == pytest.approx(mean, abs=1e-12)
    reach = np.bincount([leaf for leaf, _ in walked], weights, minlength=tree.n_nodes)
    assert tree.reach(mu)[tree.leaves] == pytest.approx(reach[tree.leaves], abs=1e-12)
    assert tree.average_depth() == pytest.approx(np.mean([steps for _, steps in walked]))


@given(trees())
def test_exports_read_back(tree):
    for each in (tree, tree.bare()):
        assert Tree.from_dict(json.loads(json.dumps(each.to_dict()))) == each


def test_a_tree_that_is_read_back_has_its_words():
    frame = pd.DataFrame(
        {
            "warm": [20.5, 11.0, 15.0, 8.0, 17.0, 3.0],
            "wind": ["none", "storm", "breeze", "none", "storm", "breeze"],
            "wet": [0, 1, 0, 1, 1, 0],
        }
    )
    go_out = ["yes", "no", "yes", "no", "no", "yes"]
    for columns in (["warm", "wind", "wet"], ["wind", "wet"], ["wet", "warm"]):
        tree = dt.id3(frame[columns], go_out)
        again = Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
        assert again == tree
        assert again.names == tree.names
        assert again.to_text() == tree.to_text()
        assert again.predict(frame[columns]).tolist() == tree.predict(frame[columns]).tolist()
    assert "names" not in Tree.split(0, Tree.leaf(0), Tree.leaf(1)).to_dict()


@pytest.mark.parametrize(
    "names",
    [
        "warm",
        {"features": None},
        {"features": "warm", "bits": None, "categories": {}},
        {"features": [1], "bits": None, "categories": {}},
        {"features": None, "bits": ["a"], "categories": {}},
        {"features": None, "bits": 3, "categories": {}},
        {"features": None, "bits": None, "categories": {"x": ["a"]}},
        {"features": None, "bits": None, "categories": {"0": "ab"}},
        {"features": None, "bits": None, "categories": ["a"]},
    ],
)
def test_bad_names_are_reported(names):
    data = Tree.split(0, Tree.leaf(0), Tree.leaf(1)).to_dict()
    with pytest.raises(ValueError, match=r"(names|features) must be a"):
        Tree.from_dict({**data, "names": names})


EXAMPLE = Tree.split(2, Tree.leaf(0), Tree.split(0, Tree.leaf(1), Tree.leaf(0)))


def test_golden_text():
    assert str(EXAMPLE) == "x2\n├─ 0: 0\n└─ 1: x0\n   ├─ 0: 1\n   └─ 1: 0"
    assert EXAMPLE.bare().to_text(["a", "b", "c"], max_depth=1) == (
        "c\n├─ 0: ?\n└─ 1: ... 2 leaves"
    )
    real = Tree.split(0, Tree.leaf("setosa"), Tree.leaf("other"), threshold=2.45)
    assert str(real) == "x0 <= 2.45\n├─ yes: setosa\n└─ no: other"
    assert repr(EXAMPLE) == "<Tree: 3 leaves, depth 2>"
    assert repr(Tree.leaf()) == "<bare Tree: 1 leaves, depth 0>"
    assert repr(Tree.leaf(0.5)) == "<regression Tree: 1 leaves, depth 0>"


ROWS, HALVES = [[0], [1], [2], [3]], [0, 0, 2, 2]


def test_a_tree_knows_whether_it_predicts_numbers():
    """Though its numbers are whole: from the day it was built, and in each of its copies."""
    path = dt.grow(ROWS, HALVES, "squared")
    tree = path.tree()
    copies = [
        pickle.loads(pickle.dumps(tree)),  # noqa: S301 - our own
        Tree.from_dict(json.loads(json.dumps(tree.to_dict()))),
        tree.named(["hour"]),
        tree.named(None),
        path.tree_for_gaps(),
        dt.id3(ROWS, HALVES, "squared"),
        dt.TopDownRegressor().fit(ROWS, HALVES).tree_,
        dt.from_sklearn(DecisionTreeRegressor().fit(ROWS, HALVES)),
        dt.pruning.cost_complexity_prune(tree, ROWS, HALVES, 9, cost="squared").tree(),
        Tree.leaf(2, is_regression=True),
        Tree.split(0, Tree.leaf(1), Tree.leaf(0.5)),
    ]
    assert tree.is_regression
    assert all(copy.is_regression for copy in copies)
    assert copies[0] == copies[1] == copies[2] == tree
    assert tree != Tree.split(0, Tree.leaf(0.0), Tree.leaf(2.0), 1.5)


def test_classes_may_be_floats():
    labels = [0.0, 0.0, 1912.0, 1912.0]
    tree = dt.grow(ROWS, labels).tree()
    for one in (
        tree,
        tree.named(None),
        Tree.from_dict(tree.to_dict()),
        dt.from_sklearn(DecisionTreeClassifier().fit(ROWS, labels)),
        Tree.split(0, Tree.leaf(0.0), Tree.leaf(1912.0), 1.5),
        dt.grow(dt.cube_points(1), [0, 1], "squared")
        .tree()
        .complete(dt.BooleanFunction(1, [0, 1])),
    ):
        assert not one.is_regression
    assert str(tree) == "x0 <= 1.5\n├─ yes: 0\n└─ no: 1912"
    assert not dt.grow(ROWS, HALVES, "squared").tree().bare().is_regression


def test_golden_dot():
    assert EXAMPLE.to_dot() == (
        "digraph tree {\n"
        "  node [fontname=Helvetica];\n"
        '  0 [label="x2", shape=ellipse];\n'
        '  1 [label="0", shape=box];\n'
        '  2 [label="x0", shape=ellipse];\n'
        '  3 [label="1", shape=box];\n'
        '  4 [label="0", shape=box];\n'
        '  0 -> 1 [label="0"];\n'
        '  0 -> 2 [label="1"];\n'
        '  2 -> 3 [label="0"];\n'
        '  2 -> 4 [label="1"];\n'
        "}"
    )
    assert 'label="say \\"hi\\""' in Tree.leaf('say "hi"').to_dot()


def test_thresholds_and_other_labels():
    tree = Tree.split(1, Tree.leaf(1.5), Tree.leaf(-2.0), threshold=0.0)
    assert tree.predict([[9, 0.0], [9, 1e-9], [9, -math.inf]]).tolist() == [1.5, -2.0, 1.5]
    words = Tree.split(0, Tree.leaf("no"), Tree.leaf("perhaps"))
    assert words.predict([[0], [1]]).tolist() == ["no", "perhaps"]
    assert not Tree.split(0, Tree.leaf(0), Tree.leaf(1), threshold=3).is_boolean


def test_a_tree_ten_thousand_deep_needs_no_recursion():
    depth = 10_000
    variable = np.full(2 * depth + 1, -1)
    variable[0::2] = np.append(np.arange(depth), -1)
    value = np.zeros(2 * depth + 1, dtype=int)
    value[-1] = 1
    tree = Tree(variable, value)
    assert (tree.depth, tree.rank, tree.n_leaves) == (depth, 1, depth + 1)
    assert tree.predict(np.ones((1, depth)))[0] == 1
    assert len(tree.to_text(max_depth=3).splitlines()) == 7
    assert (tree.average_depth(), tree.reach()[-1]) == (pytest.approx(2), 0)
    # Its full text would take 300 million characters, the paths 50 million steps: a part will do.
    part = Tree(variable[-4001:], value[-4001:])
    assert part.to_text().count("\n") == 4000
    assert [len(path) for path in part.paths()[-2:]] == [2000, 2000]
    assert tree.to_dot().count("->") == 2 * depth
    assert Tree.from_dict(tree.to_dict()) == tree
    assert hash(copy.deepcopy(tree)) == hash(tree)


BOTH = (Tree.leaf(0), Tree.leaf(1))
PAIR = Tree.split(0, *BOTH)
REAL = Tree.split(0, *BOTH, threshold=2.5)
BAD = [
    (lambda: Tree.leaf("a", is_regression=True), ("value", "numbers", "'a'")),
    (lambda: Tree([-2]), ("variable", "-1 at a leaf", "-2")),
    (lambda: Tree([0, -1]), ("variable", "preorder", "[0, -1]")),
    (lambda: Tree([-1, -1, 0]), ("variable", "preorder", "[-1, -1, 0]")),
    (lambda: Tree([0, -1, -1], [0, 0, 1], [math.nan, 0, 0]), ("threshold", "finite", "nan")),
    (lambda: Tree.split(0, Tree.leaf(), BOTH[0]), ("low and high", "bare")),
    (lambda: Tree.split(0, Tree.leaf(0), Tree.leaf("a")), ("low and high", "kind")),
    (lambda: PAIR.predict([[]]), ("X", "column for x0", "0 columns")),
    (lambda: PAIR.predict([[math.nan]]), ("X", "NaN", "row 0")),
    (lambda: PAIR.bare().predict([[0]]), ("predict", "bare", "complete")),
    (lambda: PAIR.bare().function(1), ("function", "bare")),
    (REAL.reach, ("reach", "[0, 1)")),
    (lambda: REAL.function(1), ("[0, 1)",)),
    (lambda: Tree.split(3, *BOTH).reach(dt.ProductDistribution.uniform(2)), ("mu", "x3", "2")),
    (lambda: Tree.split(3, *BOTH).complete(F.parity(2)), ("f", "x3", "n = 2")),
    (lambda: PAIR.complete(F.parity(2), dt.ProductDistribution.uniform(1)), ("mu", "n = 2", "1")),
    (lambda: PAIR.to_text(names=[]), ("names", "x0", "got []")),
    (lambda: Tree.from_dict({}), ("data", "variable", "missing")),
    (lambda: Tree.from_dict({"variable": [0], "value": [0], "threshold": [0]}), ("preorder",)),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
