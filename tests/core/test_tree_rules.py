"""Trees as rules, as the path of a row and as SQL: each does what `predict` does."""

from __future__ import annotations

import math
import re
import sqlite3
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.metrics import accuracy_score, r2_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dtviz as dt
from dtviz import Tree
from dtviz.core.names import Names
from dtviz.core.tree import export
from dtviz.core.tree import rules as tree_rules

FEATURES = ('a "quoted" name', "it's\nbroken", "select", "größe; --", "wind")
KINDS = {3: ("o'clock", 'say "x"', "{a, b}", ""), 4: ("1912", "2000", "7")}
LABELS = ["it's", 'a "b"', "new\nline", ""]
NUMBERS = [-2.0, 0.0, 0.1, 0.5, 1.0, 2.5, 1e-07, 3e20]


@st.composite
def trees(draw: st.DrawFn, max_leaves: int = 8, *, missing: bool, real: bool) -> Tree:
    """Any tree on numbers, and on categories by thresholds and sets, with repeated features."""
    if max_leaves == 1 or draw(st.integers(0, 4)) == 0:
        label = st.sampled_from([-0.5, 0.1, 1e-9, 7.25]) if real else st.sampled_from(LABELS)
        return Tree.leaf(draw(label))
    low, high = (draw(trees(max_leaves // 2, missing=missing, real=real)) for _ in range(2))
    i = draw(st.integers(0, 4))
    threshold, subset = draw(st.sampled_from(NUMBERS)), None
    if i in KINDS and draw(st.booleans()):
        subset = draw(st.sets(st.integers(0, len(KINDS[i]) - 1)))
    elif i in KINDS:
        threshold = draw(st.integers(0, len(KINDS[i]) - 2)) + 0.5
    goes = draw(st.booleans()) if missing else None
    tree = Tree.split(i, low, high, threshold, subset=subset, missing=goes)
    if missing and subset is None and draw(st.integers(0, 3)) == 0:
        at = tree.threshold.copy()
        at[0] = -math.inf if goes else math.inf
        tree = Tree(tree.variable, tree.value, at, None, tree.missing, tree.subsets)
    return tree


@st.composite
def cases(draw: st.DrawFn) -> tuple[Tree, list[list[Any]]]:
    """A tree with odd names, and rows: numbers, names of categories, and gaps where allowed."""
    missing = draw(st.booleans())
    tree = draw(trees(missing=missing, real=draw(st.booleans())))
    names = Names(FEATURES, frozenset(), KINDS, missing=frozenset(range(5)))
    columns = [st.sampled_from(KINDS.get(i, NUMBERS)) for i in range(5)]
    gap = st.nothing() if tree.missing is None else st.none()
    return tree.named(names), draw(
        st.lists(st.tuples(*(c | gap for c in columns)).map(list), min_size=1, max_size=12)
    )


def select(tree: Tree, rows: list[list[Any]], names: tuple[str, ...] = FEATURES) -> list[Any]:
    """What SQLite answers, row by row."""
    columns = ", ".join(
        '"' + name.replace('"', '""') + '"' + (" TEXT" if i in tree.names.categories else " REAL")
        for i, name in enumerate(names)
    )
    with sqlite3.connect(":memory:") as base:
        base.execute(f"CREATE TABLE data ({columns})")
        marks = ", ".join("?" * len(names))
        base.executemany(f"INSERT INTO data VALUES ({marks})", rows)  # noqa: S608
        found = base.execute(f"SELECT {tree.to_sql()} FROM data ORDER BY rowid")  # noqa: S608
        return [value for (value,) in found]


@given(cases())
def test_code_predicts_as_the_tree(case: tuple[Tree, list[list[Any]]]) -> None:
    tree, rows = case
    expected = tree.predict(rows).tolist()
    assert select(tree, rows) == expected
    assert [tree.explain(row).splitlines()[-1] for row in rows] == [
        f"prediction: {export.TEXT.label(label, is_regression=tree.is_regression)}"
        for label in expected
    ]


@given(trees(missing=False, real=False), st.lists(st.sampled_from(NUMBERS), min_size=5, max_size=5))
def test_without_names_a_row_goes_by_places(tree: Tree, row: list[float]) -> None:
    (expected,) = tree.predict([row]).tolist()
    assert select(tree, [row], tuple(f"x{i}" for i in range(5))) == [expected]


@given(cases())
def test_a_row_follows_its_own_rule_alone(case: tuple[Tree, list[list[Any]]]) -> None:
    """Rules counted on one row: the one of its leaf, and no other, holds."""
    tree, rows = case
    for row in rows[:3]:
        lines = tree.rules([row]).splitlines()
        held = [line.endswith("(1 row, 100.0%)") for line in lines]
        assert len(lines) == tree.n_leaves
        assert np.flatnonzero(held) == np.searchsorted(tree.leaves, tree.apply([row]))


IRIS_LIKE = np.random.default_rng(5).integers(0, 40, (120, 3)) / 8


@pytest.mark.parametrize("maker", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_rules_and_scores_of_scikit_learns_trees(maker: type) -> None:
    """Every rule, read as Python, selects the rows of its leaf: of no other are all tests true."""
    y = (IRIS_LIKE[:, 0] * IRIS_LIKE[:, 1] > 3).astype(int) + (IRIS_LIKE[:, 2] > 4)
    model = maker(max_leaf_nodes=12, random_state=0).fit(IRIS_LIKE, y)
    tree = dt.from_sklearn(model)
    leaves = tree.apply(IRIS_LIKE)
    for leaf, line in zip(tree.leaves, tree.rules(IRIS_LIKE).splitlines(), strict=True):
        text, label, count = re.fullmatch(r"if (.*): (\S+) \((\d+) rows?, .*%\)", line).groups()
        assert [text.count(f"x{i}") <= 1 for i in range(3)] == [True] * 3
        held = [eval(text, {}, dict(zip(("x0", "x1", "x2"), row, strict=True)))  # noqa: S307
                for row in IRIS_LIKE]  # fmt: skip
        assert np.array_equal(held, leaves == leaf)
        assert sum(held) == int(count)
        assert float(label) == pytest.approx(tree.value[leaf], abs=1e-5)
    truth = np.random.default_rng(6).permutation(y)
    oracle = r2_score if maker is DecisionTreeRegressor else accuracy_score
    assert tree.score(IRIS_LIKE, truth) == pytest.approx(oracle(truth, tree.predict(IRIS_LIKE)))
    assert tree.score(IRIS_LIKE, truth) == pytest.approx(model.score(IRIS_LIKE, truth))


NAMES = Names(("petal width", "wind", "wet"), frozenset([2]), {1: ("calm", "gale", "mild", "sun")})
LEFT = Tree.split(1, Tree.leaf("b"), Tree.leaf("c"), subset=[0, 1, 2])
TREE = Tree.split(
    0, Tree.leaf("a"), Tree.split(0, Tree.split(2, LEFT, Tree.leaf("d")), LEFT, 2.4), 1.5
).named(NAMES)
WAYS = Tree(TREE.variable, TREE.value, TREE.threshold, missing=TREE.variable == 0).named(
    Names(NAMES.features, NAMES.bits, NAMES.categories, missing=frozenset([0]))
)


def test_golden_rules() -> None:
    assert TREE.rules().splitlines() == [
        "if petal width <= 1.5: a",
        "if 1.5 < petal width <= 2.4 and wet = 0 and wind is not sun: b",
        "if 1.5 < petal width <= 2.4 and wet = 0 and wind = sun: c",
        "if 1.5 < petal width <= 2.4 and wet = 1: d",
        "if petal width > 2.4 and wind is not sun: b",
        "if petal width > 2.4 and wind = sun: c",
    ]
    assert WAYS.rules().splitlines()[0] == "if petal width <= 1.5 or missing: a"
    windy = Tree.split(1, Tree.leaf("d"), WAYS, missing=False).named(WAYS.names)
    second = windy.rules().splitlines()[1]
    assert second == "if wind is not calm and (petal width <= 1.5 or missing): a"
    assert Tree.leaf(1).rules([[1], [2]]) == "always: 1 (2 rows, 100.0%)"
    many = Tree.split(0, Tree.leaf(0), Tree.leaf(1), subset=range(5)).named(
        Names(None, None, {0: tuple("abcdefghijk")})
    )
    assert many.rules() == "if x0 in {a, b, c, d, e}: 0\nif x0 not in {a, b, c, d, e}: 1"
    assert many.to_text().startswith("x0 in {a, b, c and 2 more}\n")
    assert many.to_text(all_categories=True).startswith("x0 in {a, b, c, d, e}\n")
    ordered = Tree.split(0, Tree.leaf(0), Tree.leaf(1), 4.5).named(many.names)
    assert ordered.to_text().startswith("x0 in {a, .., e}\n")
    assert ordered.to_text(all_categories=True).startswith("x0 in {a, b, c, d, e}\n")


FRAME = pd.DataFrame({"petal width": [1.6, 9.0], "wind": ["sun", "calm"], "wet": [1, 0]})


@pytest.mark.parametrize(
    "row",
    [
        {0: 1.6, 1: "sun", 2: 1},
        {"petal width": 1.6, "wet": 1, "wind": "calm", "other": "x"},
        {"wet": True, "wind": "sun", "petal width": 1.6, "other": None},
        (1.6, "sun", 1),
        [1.6, 3, 1],
        np.array([1.6, 3, 1]),
        FRAME.iloc[0],
        FRAME.to_dict("records")[0],
        pl.from_pandas(FRAME).row(0),
        pl.from_pandas(FRAME).row(0, named=True),
        pl.Series([1.6, 3, 1]),
    ],
    ids=str,
)
def test_the_path_of_a_row(row: Any) -> None:
    assert TREE.explain(row).splitlines() == [
        "petal width <= 1.5? no, it is 1.6",
        "petal width <= 2.4? yes, it is 1.6",
        "wet? 1",
        "prediction: d",
    ]


def test_the_path_of_a_row_with_gaps_and_categories() -> None:
    assert WAYS.explain([None, "sun", 0]) == (
        "petal width <= 1.5 or missing? yes, it is missing\nprediction: a"
    )
    assert TREE.explain([3, "sun", 0]).splitlines()[-2:] == [
        "wind is not sun? no, it is sun",
        "prediction: c",
    ]
    assert Tree.leaf(1).explain({}) == "prediction: 1"
    assert EXAMPLE.explain({"x0": 1, "x2": 0}) == EXAMPLE.explain({0: 1, 1: 9, 2: 0})


EXAMPLE = Tree.split(2, Tree.leaf(0), Tree.split(0, Tree.leaf(1), Tree.leaf(0)))


def test_trees_over_bits_and_predicates() -> None:
    f = dt.functions.majority(3)
    tree = dt.optimal(f).tree()
    cube = dt.cube_points(3).tolist()
    assert select(tree, cube, ("x0", "x1", "x2")) == f.table.tolist()
    assert tree.score(cube, f.table) == 1
    ones = [line for line in tree.rules().splitlines() if line.endswith(": 1")]
    assert ones == [
        "if x0 = 0 and x1 = 1 and x2 = 1: 1",
        "if x0 = 1 and x1 = 0 and x2 = 1: 1",
        "if x0 = 1 and x1 = 1: 1",
    ]


def test_sql_without_ways_is_null_where_predict_refuses() -> None:
    rows: list[list[Any]] = [[None, "sun", 0], [3, "fog", 0]]
    for row in rows:
        with pytest.raises(ValueError, match="X must"):
            TREE.predict([row])
    assert select(TREE, rows, NAMES.features) == [None, None]


def test_a_text_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("rules", "to_sql"):
        monkeypatch.undo()
        length = len(getattr(TREE, method)()) + 1
        monkeypatch.setattr(tree_rules, "MAX_TEXT", length)
        getattr(TREE, method)()
        monkeypatch.setattr(tree_rules, "MAX_TEXT", length - 1)
        with pytest.raises(ValueError, match=f"{method} needs a tree whose text has at most"):
            getattr(TREE, method)()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: TREE.bare().to_sql(), "to_sql needs a labeled tree"),
        (lambda: TREE.bare().score([[1, 0, 0]], ["a"]), "predict needs a labeled tree"),
        (lambda: Tree.leaf(math.inf).to_sql(), "to_sql needs labels that are text, .* got inf"),
        (lambda: Tree.leaf("a\0b").to_sql(), "names and labels without null characters"),
        (lambda: TREE.explain({"petal width": 1.6, "wet": 1}), "each feature .* none for wind"),
        (lambda: TREE.explain([1, "snow", 0]), "row must be .* got 'snow'"),
        (lambda: TREE.explain([1]), "row must be a mapping or a sequence of 3 values"),
        (lambda: TREE.explain(FRAME), "row must be one row"),
        (lambda: TREE.explain([3, "fog", 0]), "X must have one of .* got 'fog'"),
        (lambda: TREE.rules([[1]]), "X must have 3 columns"),
        (lambda: TREE.score(FRAME, [1, 2]), "y must be labels like"),
        (lambda: TREE.to_text(all_categories=1), "all_categories must be True or False"),
    ],
)
def test_bad_input_is_named(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


DAYS = pd.DataFrame({"wind": ["calm", "gale", "gale", "calm", "mild", "gale"]})
GO = ["yes", "no", "no", "yes", "yes", "no"]
STRANGE = pd.DataFrame({"wind": ["fog", "gale", "calm"]})


def test_unknown_categories_in_trees() -> None:
    tree = dt.id3(DAYS, GO)
    assert tree.depth == 1
    for unknown in ({}, {"unknown": "error"}):
        with pytest.raises(ValueError, match=r"got 'fog': predict\(X, unknown='missing'"):
            tree.predict(STRANGE, **unknown)
    low, high = tree.value[tree.low[0]], tree.value[tree.high[0]]
    assert tree.predict(STRANGE, unknown="larger").tolist() == [low, "no", "yes"]
    path = dt.grow(DAYS, GO)
    assert np.array_equal(
        path.predict(STRANGE, unknown="larger"), path.tree().predict(STRANGE, unknown="larger")
    )
    weighed = tree.apply(STRANGE, unknown="larger", weight=[6, 1, 5])
    assert tree.value[weighed].tolist() == [high, "no", "yes"]
    with pytest.raises(ValueError, match="nor unknown categories with unknown='missing'"):
        tree.predict(STRANGE, unknown="missing")
    for goes in (True, False):
        knows = Tree(
            tree.variable, tree.value, tree.threshold, tree.names, tree.variable * 0 + goes,
            tree.subsets,
        )  # fmt: skip
        expected = low if goes else high
        assert knows.predict(STRANGE, unknown="missing").tolist() == [expected, "no", "yes"]
        gap = STRANGE.replace("fog", None)
        assert knows.predict(gap).tolist() == knows.predict(STRANGE, unknown="missing").tolist()
    assert tree.score(STRANGE, ["no", "no", "yes"], unknown="larger") in (2 / 3, 1)
    for bad in ("other", None, 1):
        with pytest.raises(ValueError, match="unknown must be one of error, missing, larger"):
            tree.predict(STRANGE, unknown=bad)
    for weight in ([1, 2], [1, math.inf, 1], "abc"):
        with pytest.raises(ValueError, match="weight must"):
            tree.apply(STRANGE, unknown="larger", weight=weight)


def test_numbers_that_are_no_codes_are_unknown_too() -> None:
    tree = dt.id3(DAYS, GO)
    with pytest.raises(ValueError, match=r"codes 0 \.\. 2"):
        tree.predict([[7], [1]])
    expected = tree.predict(STRANGE[:2], unknown="larger").tolist()
    assert tree.predict([[7], [1]], unknown="larger").tolist() == expected


@pytest.mark.parametrize("weights", [[1, 1, 1, 1, 1, 1], [9, 1, 1, 1, 1, 1], [1, 9, 1, 1, 1, 1]])
def test_unknown_categories_in_estimators(weights: list[int]) -> None:
    """The larger branch is that of more training weight, found by hand."""
    model = dt.TopDownClassifier(unknown="larger").fit(DAYS, GO, weights)
    no = sum(w for w, label in zip(weights, GO, strict=True) if label == "no")
    yes = sum(weights) - no
    low = model.tree_.value[model.tree_.low[0]]
    larger = low if no == yes else "no" if no > yes else "yes"
    assert model.predict(STRANGE).tolist() == [larger, "no", "yes"]
    assert model.predict_proba(STRANGE).argmax(axis=1).tolist() == [larger == "yes", 0, 1]
    with pytest.raises(ValueError, match="got 'fog'"):
        dt.TopDownClassifier().fit(DAYS, GO).predict(STRANGE)
    gap = dt.TopDownClassifier(unknown="missing").fit(DAYS, GO, weights)
    assert gap.predict(STRANGE).tolist() == gap.predict(STRANGE.replace("fog", None)).tolist()
    numbers = dt.TopDownRegressor(unknown="larger").fit(DAYS, [1.0, 0, 0, 1, 1, 0], weights)
    assert numbers.predict(STRANGE).tolist() == [larger == "yes", 0, 1]
    with pytest.raises(ValueError, match="unknown must be one of"):
        dt.TopDownClassifier(unknown="most").fit(DAYS, GO)


def test_a_split_keeps_the_names_of_its_children() -> None:
    tree = dt.id3(DAYS, GO)
    for other in (tree, Tree.leaf("no")):
        assert Tree.split(0, tree, other, subset=[0]).names == tree.names
    assert Tree.split(0, tree, EXAMPLE_NAMED, subset=[0]).names == Names()
    assert Tree.split(1, tree, tree).names == Names()


EXAMPLE_NAMED = Tree.split(0, Tree.leaf("no"), Tree.leaf("yes")).named(["rain"])


def test_a_pruning_predicts_with_the_names_of_the_frame() -> None:
    tree = dt.id3(DAYS, GO)
    pruning = dt.pruning.cost_complexity_prune(tree, DAYS, GO, 0.01)
    assert pruning.predict(DAYS).tolist() == pruning.tree().predict(DAYS).tolist() == GO
    assert pruning.tree().names == tree.names
    assert pruning.predict(STRANGE, unknown="larger").tolist()[1:] == ["no", "yes"]
    assert dt.pruning.srm_prune(tree, DAYS, GO).predict(DAYS).size == 6


NAMED = {"names": {0: "no", 1: "yes"}, "order": ["no", "yes"]}


@pytest.mark.parametrize("given", NAMED.values(), ids=NAMED)
def test_every_text_calls_classes_by_their_names(given: Any) -> None:
    X, y = [[1], [2], [3]], [0, 1, 1]
    grown = dt.grow(X, y, feature_names=["big?"], class_names=given).tree()
    bare = dt.grow(X, y, feature_names=["big?"]).tree()
    assert grown == bare
    assert grown.predict(X).tolist() == y
    assert Tree.from_dict(grown.to_dict()).names == grown.names
    for write in ("to_text", "rules", "to_sql", "to_dot"):
        said, plain = getattr(grown, write)(), getattr(bare, write)()
        assert "yes" in said
        assert getattr(bare, write)(class_names=given) == said
        assert getattr(bare.named(class_names=given), write)() == said
        assert getattr(grown, write)(class_names=()) == plain != said
    assert grown.explain([3]) == "big? <= 1.5? no, it is 3\nprediction: yes"
    assert dt.id3([[0], [1]], [0, 1], feature_names=["big?"]).explain([0]) == (
        "big? 0\nprediction: 0"
    )
    drawn = dt.plot.tree(grown, ax=Figure().subplots())
    assert [text.get_text() for text in drawn.nodes.values()][1:] == ["no", "yes"]


@pytest.mark.parametrize(
    "given", ["ab", ["a"], ["a", "b", "c"], ["a", 1], {0: "a"}, {"0": "a", "1": "b"}, {"a", "b"}, 3]
)
def test_names_that_are_not_of_the_classes_are_refused(given: Any) -> None:
    for call in (
        lambda: dt.grow([[1], [2]], [0, 1], class_names=given),
        lambda: Tree.split(0, Tree.leaf(0), Tree.leaf(1)).rules(class_names=given),
    ):
        with pytest.raises(ValueError, match="class_names must be a sequence of a name for each"):
            call()


def test_a_part_of_a_data_set_may_lack_a_class() -> None:
    people = dt.datasets.titanic()
    part = replace(people, X=people.X[people.y == 1], y=people.y[people.y == 1])
    assert str(dt.grow(part).tree()) == "survived"
    assert "died" in str(dt.grow(people, max_leaves=2).tree())


def test_regression_has_no_names_of_classes() -> None:
    with pytest.raises(ValueError, match="class_names must be None, there are no classes"):
        dt.grow([[1], [2]], [0.5, 1], "squared", class_names=["a", "b"])


def test_rare_rows_are_neither_none_nor_all() -> None:
    X = np.r_[np.zeros(99_999), 1][:, None]
    said = dt.id3(X, X[:, 0]).rules(X)
    assert "(99999 rows, 99.999%)" in said
    assert "(1 row, 0.001%)" in said


@pytest.mark.parametrize(
    ("c", "y", "said"),
    [
        (["y", "y", None, None, "x", "x"], [0, 1, 0, 0, 1, 1], "if c is missing: 0\nif c = y: 0"),
        (
            ["x", None, "y", None, "x", "y"],
            [0, 1, 0, 1, 0, 0],
            "if c in {x, y}: 0\nif c is missing: 1",
        ),
    ],
)
def test_a_side_of_what_is_missing_alone_is_said_once(c, y, said):
    tree = dt.grow(pd.DataFrame({"c": c}), y).tree()
    assert tree.rules().startswith(said)
    assert "or missing" not in tree.rules() + tree.to_text()
