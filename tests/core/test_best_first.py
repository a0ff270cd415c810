"""Growth by impurity: against bare definitions, brute force in fractions, and both scans."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_iris

import dtviz as dt
from dtviz.core.cart import class_target, small_nodes
from dtviz.core.cart.class_target import ClassTarget
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS, CRITERIA
from dtviz.core.cart.scan import midpoints
from dtviz.impurity import GROWTH_COSTS, best_split


def steps_of(path):
    """The same of a path of the package."""
    where = {0: ""}
    found = []
    for j, split in enumerate(path.splits):
        place = where.pop(split.node)
        where |= {2 * j + 1: place + "0", 2 * j + 2: place + "1"}
        found.append((place, split.variable, split.threshold, split.score))
    return found


def samples(number, seed, kind):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        m, d, c = rng.integers(1, 13), rng.integers(1, 4), rng.integers(1, 5)
        if kind == "bits":
            X = rng.integers(0, 2, (m, d))
        elif kind == "codes":
            X = rng.integers(0, 4, (m, d))
        elif kind == "mixed":
            X = np.where(
                rng.random((m, d)) < 0.5, rng.integers(-2, 3, (m, d)), rng.normal(size=(m, d))
            )
        else:
            X = rng.normal(size=(m, d))
        yield X, rng.integers(0, c, m)


@pytest.mark.parametrize("cost", CRITERIA)
@pytest.mark.parametrize("kind", ["bits", "codes"])
def test_cells_bins_nodes_and_rows_one_by_one_find_the_same(cost, kind, monkeypatch):
    rng = np.random.default_rng(5)
    data = [*samples(30, 2, kind), (rng.integers(0, 9, (300, 5)), rng.integers(0, 6, 300))]
    for X, y in data:
        paths = []
        for bins, few, fewest in ((1, 0, 0), (0, 0, 0), (0, 2_000, 0), (0, 2_000, 2_000)):
            monkeypatch.setattr(class_target, "uses_bins", lambda *_, bins=bins: bins)
            for limit in ("FEW_CELLS", "SMALL_TABLE"):
                monkeypatch.setattr(small_nodes, limit, few)
            monkeypatch.setattr(small_nodes, "FEWEST_CELLS", fewest)
            paths.append(steps_of(dt.grow(X, y, cost, min_samples_leaf=1 + len(y) % 3)))
        assert paths[0] == paths[1] == paths[2] == paths[3]


@pytest.mark.parametrize("unit", [1, 10**6])
def test_offsets_from_even_shares_rank_cuts_as_class_weights_do(unit, monkeypatch):
    rng = np.random.default_rng(8)
    for X, y in samples(60, 9, "mixed"):
        weight = unit * rng.integers(1, 4, len(y))
        monkeypatch.undo()
        path = dt.grow(X, y, sample_weight=weight)
        monkeypatch.setattr(class_target, "FEW_CLASSES", 0)
        assert steps_of(path) == steps_of(dt.grow(X, y, sample_weight=weight))


def test_both_scans_are_used_in_one_growth(monkeypatch):
    used = []

    def spy(level, width, original=class_target.uses_bins):
        used.append(original(level, width))
        return used[-1]

    monkeypatch.setattr(class_target, "uses_bins", spy)
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (2000, 6)), rng.integers(0, 3, 2000)
    dt.grow(X, y)
    assert used[0]
    assert not used[-1]
    used.clear()
    dt.grow(X + 0.5, y)
    assert not any(used)


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_of_cuts_that_gain_nothing_the_lowest_is_made(cost):
    """Whatever logarithms are rounded to."""
    for few in range(1, 9):
        for many in range(1, 9):
            X = np.repeat([0, 1, 2], [2 * few, 2 * many, 2 * few])[:, None]
            path = dt.grow(X, np.arange(len(X)) % 2, cost, 2)
            assert (path.split_threshold.tolist(), path.scores[0]) == ([0.5], 0), (few, many)


def iris():
    data = load_iris()
    return data.data, data.target_names[data.target], data.feature_names


@pytest.mark.parametrize("cost", GROWTH_COSTS)
def test_every_number_of_a_path_is_that_of_its_trees(cost):
    X, labels, _ = iris()
    y = load_iris().target if cost == "squared" else labels
    path = dt.grow(X, y, cost)
    assert path.classes is None if cost == "squared" else path.classes.tolist() == sorted(set(y))
    for step in range(path.n_splits + 1):
        tree = path.tree(step + 1)
        assert tree.n_leaves == step + 1
        leaf, predicted = tree.apply(X), tree.predict(X)
        total = 0
        for k in np.unique(leaf):
            inside = y[leaf == k]
            if cost == "squared":
                total += len(inside) * np.var(inside)
            else:
                shares = np.unique(inside, return_counts=True)[1] / len(inside)
                total += len(inside) * CLASS_COST_FUNCTIONS[cost](shares)
        assert path.costs[step] == pytest.approx(total / len(y), abs=1e-12)
        wrong = np.mean((predicted - y) ** 2) if cost == "squared" else np.mean(predicted != y)
        assert path.errors[step] == pytest.approx(wrong, abs=1e-12)
        nodes = path.nodes(step + 1)
        np.testing.assert_array_equal(
            path.node_examples[nodes[tree.leaves]], np.bincount(leaf)[tree.leaves]
        )
    np.testing.assert_allclose(-np.diff(path.costs), path.scores[:-1], atol=1e-11)
    assert path.final_score == 0
    if cost != "squared":
        np.testing.assert_array_equal(path.class_counts.sum(axis=1), path.node_examples)
    np.testing.assert_allclose(path.node_probability, path.node_examples / len(y))


def test_trees_by_error():
    X, y, _ = iris()
    path = dt.grow(X, y)
    assert path.n_leaves_for(0.05) == 3
    assert path.tree(epsilon=0.05) == path.tree(3)
    assert path.tree() == path.tree(epsilon=0) == path.tree(path.n_leaves)
    assert path.n_leaves_for(0.7) == 1
    torn = dt.grow([[0], [0], [1]], ["a", "b", "c"])
    assert torn.tree().n_leaves == 2
    assert torn.errors[-1] == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match=r"epsilon must be at least 0\.333333, the least error"):
        torn.tree(epsilon=0.1)
    with pytest.raises(ValueError, match=r"epsilon must be a number in \[0, 1\], got -1"):
        torn.tree(epsilon=-1)


def test_a_path_is_copied_by_pickle():
    X, y, names = iris()
    path = dt.grow(X, y, feature_names=names)
    again = pickle.loads(pickle.dumps(path))  # noqa: S301 -- our own
    assert again.tree() == path.tree()
    assert again.tree().names == path.tree().names
    assert repr(again) == repr(path) == "<ImpurityPath: 8 splits, gini 0.6667 -> 0>"
    with pytest.raises(ValueError, match="read-only"):
        again.class_counts[0] = 0


def test_best_split():
    split = best_split([[1.0], [2.0], [4.0]], [0, 0, 1])
    assert (split.variable, split.threshold, split.depth) == (0, 3.0, 0)
    assert split.score == pytest.approx(4 / 9)
    assert best_split([[1], [1]], [0, 1]) is None
    assert best_split([[1], [2]], [1, 1]) is None


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (1.0, 2.0),
        (1.0, math.nextafter(1.0, 2)),
        (math.nextafter(1.0, 0), 1.0),
        (-math.nextafter(1.0, 2), -1.0),
        (0.0, 5e-324),
        (-5e-324, 0.0),
        (5e-324, 1e-323),
        (1.5e-323, 2e-323),
        (1e308, 1.7e308),
        (-1.7e308, 1.7e308),
        (0.1, 0.2),
    ],
)
def test_a_threshold_separates_its_neighbors(low, high):
    t = float(midpoints(low, high))
    assert low <= t < high
    tree = dt.grow([[low], [high]], ["a", "b"]).tree()
    assert tree.predict([[low], [high]]).tolist() == ["a", "b"]


def test_a_scan_keeps_the_order_of_categories_as_growth_does():
    """L, M, S, XL in alphabetical order would not separate the labels."""
    sizes = ["S", "M", "L", "XL"]
    kinds = pd.Categorical(["S", "XL", "M", "L", "S"], categories=sizes, ordered=True)
    size = pd.Series(kinds, name="size")
    y = [0, 1, 0, 1, 0]
    found = dt.impurity.threshold_scan(size, y)
    assert found.thresholds.tolist() == [0.5, 1.5, 2.5]
    assert found.thresholds[found.impurities.argmin()] == 1.5
    assert found.impurities.min() == 0
    assert dt.grow(size.to_frame(), y).tree().threshold[0] == 1.5


@pytest.mark.parametrize(
    "y",
    [
        ["no", "yes", "no", "yes"],
        [False, True, False, True],
        [3, 7, 3, 7],
        [-1.0, 2.0, -1.0, 2.0],
        np.array(["b", "a", "b", "a"], dtype=object),
        pd.Series(["x", "y", "x", "y"]),
        pd.Series(["x", "y", "x", "y"], dtype="category"),
        pd.Series([0, 1, 0, 1]).map(dict(enumerate(load_iris().target_names))),
        pd.Series([np.bool_(1), np.bool_(0), np.bool_(1), np.bool_(0)], dtype=object),
        pd.Series([1.0, 2.0, 1.0, 2.0], dtype="Float64"),
        np.array([0, 255, 0, 255], dtype=np.uint8),
        ("a", "b", "a", "b"),
    ],
)
@pytest.mark.parametrize("cost", ["gini", "sqrt"])
def test_labels_of_any_kind(y, cost):
    X = [[0.5], [1.5], [0.7], [9]]
    tree = dt.grow(X, y, cost).tree()
    assert tree.predict(X).tolist() == list(y)
    assert tree.n_leaves == 2


def test_the_examples_stay_as_they_were():
    X, y = np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([1, 0])
    X.flags.writeable = y.flags.writeable = False
    dt.grow(X, y)
    assert X.tolist() == [[2, 1], [0, 3]]


def test_labels_that_hardly_differ_are_distinguished():
    X = [[0], [1], [2], [3]]
    for y in ([0, 1e-200, 1, 1], [0, 1, 1e9, 1e9 + 1], [-3e9, 3e9, 1e-9, 0]):
        assert dt.grow(X, y, "squared").tree().predict(X).tolist() == y


@pytest.mark.parametrize("cost", ["gini", "squared"])
@pytest.mark.parametrize(
    ("X", "y", "rule"),
    [
        (np.zeros((0, 2)), [], "X must have at least one row and one column, got shape (0, 2)"),
        (np.zeros((2, 0)), [0, 1], "X must have at least one row and one column"),
        (pd.DataFrame({"a": []}), [], "X must have at least one row and one column"),
        ([], [], "X must be a table"),
        ([1, 2], [0, 1], "X must be a table, an (m, d) array of numbers, got shape (2,)"),
        ([[1], [2, 3]], [0, 1], "X must be a table"),
        ([[1j], [2]], [0, 1], "X must be a table"),
        ([[1.0], [-math.inf]], [0, 1], "X must not have infinite values, got one in row 1, col"),
        ([["a", 3], [1, 3]], [0, 1], "X must have numbers or text in a column"),
        (np.array([[{}], [1]], dtype=object), [0, 1], "X must be numbers, text or booleans"),
        (pd.DataFrame({"a": pd.to_datetime(["2020"] * 2)}), [0, 1], "X must"),
        ([[2**53], [1]], [0, 1], "X must have integers below 2^53"),
        (np.ma.array([[1], [2]], mask=[[True], [False]]), [0, 1], "X must be a table"),
        ([[1], [2]], [0], "y must have one label for each of the 2 rows of X, got 1"),
        ([[1], [2]], [[0, 1], [1, 0]], "y must be a flat sequence of labels, got shape (2, 2)"),
        ([[1], [2]], None, "y must"),
        ([[1], [2]], [0, math.nan], "y must"),
        ([[1], [2]], [0, 1j], "y must be numbers, text or truth values, got complex128: [0, 1j]"),
        ([[1], [2]], pd.to_datetime(["2020", "2021"]), "y must be numbers, text or truth values"),
    ],
)  # fmt: skip
def test_bad_samples(X, y, rule, cost):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 -- the message is compared below
        dt.grow(X, y, cost)
    assert str(caught.value).startswith(rule)


@pytest.mark.parametrize(
    ("y", "cost", "rule"),
    [
        ([0, "a"], "gini", "y must be text, truth values or numbers, of one kind"),
        (
            np.array([0, "a"], dtype=object),
            "gini",
            "y must be text, truth values or numbers, of one kind",
        ),
        (
            np.array(["a", None], dtype=object),
            "gini",
            "y must be text, truth values or numbers, of one kind",
        ),
        (["a", "b"], "squared", "y must be numbers for squared loss"),
        ([0, 1e200], "squared", "y must have a spread between 1e-140 and 1e+140"),
        ([0, 1e-200], "squared", "y must have a spread between"),
        ([0, 1], "Gini", f"cost must be one of {', '.join(GROWTH_COSTS)}, got 'Gini'"),
    ],
)
def test_bad_labels_and_costs(y, cost, rule):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 -- the message is compared below
        dt.grow([[1], [2]], y, cost)
    assert str(caught.value).startswith(rule)


def test_names_flow_into_text_dot_and_figures():
    X, y, names = iris()
    tree = dt.grow(X, y, feature_names=names).tree(3)
    assert tree.to_text() == (
        "petal length (cm) <= 2.45\n"
        "├─ yes: setosa\n"
        "└─ no: petal width (cm) <= 1.75\n"
        "   ├─ yes: versicolor\n"
        "   └─ no: virginica"
    )
    assert '0 [label="petal length (cm) <= 2.45", shape=ellipse]' in tree.to_dot()
    assert tree.to_text(names=list("abcd")).startswith("c <= 2.45")
    drawn = dt.plot.tree(tree)
    texts = {text.get_text() for text in drawn.nodes.values()}
    assert {"petal length (cm) ≤ 2.45", "setosa", "versicolor"} <= texts
    assert tree == dt.grow(X, y).tree(3)
    assert tree.bare().names == tree.names


def test_bits_codes_and_numbers_are_distinguished():
    """A threshold of one half is a test of a bit only where the feature is one."""
    bit = dt.grow([[0], [1]], ["a", "b"], feature_names=["wet"]).tree()
    assert str(bit) == "wet\n├─ 0: a\n└─ 1: b"
    count = dt.grow([[0], [1], [2]], ["a", "b", "b"], feature_names=["drops"]).tree()
    assert str(count) == "drops <= 0.5\n├─ yes: a\n└─ no: b"
    assert dt.plot.tree(count).branches[0].get_text() in ("yes", "no")


PLAY = [["sunny", "hot"], ["rain", "mild"], ["overcast", "hot"], ["sunny", "cool"]]


def test_text_is_coded_in_sorted_order():
    path = dt.grow(PLAY, ["no", "yes", "yes", "no"], feature_names=["outlook", "heat"])
    assert str(path.tree()) == "outlook = sunny\n├─ yes: no\n└─ no: yes"
    assert path.names.categories[1] == ("cool", "hot", "mild")
    assert path.tree()([0, 0]) == "yes"
    assert path.tree()([2, 0]) == "no"
    first = dt.grow(PLAY, ["no", "no", "yes", "no"]).tree()
    assert str(first) == "x0 is not overcast\n├─ yes: no\n└─ no: yes"


def test_text_and_numbers_side_by_side():
    path = dt.grow([["b", 30], ["a", 5], ["b", 100]], ["no", "no", "yes"])
    assert str(path.tree()) == "x1 <= 65\n├─ yes: no\n└─ no: yes"
    assert dict(path.names.categories) == {0: ("a", "b")}


@pytest.mark.parametrize(
    ("n_low", "text"),
    [
        (1, "= a"),
        (3, "in {a, b, c}"),
        (5, "in {a, .., e}"),
        (6, "not in {g, h, i}"),
        (8, "is not i"),
    ],
)
def test_no_threshold_stands_between_names(n_low, text):
    labels = [0] * n_low + [1] * (9 - n_low)
    path = dt.grow(pd.DataFrame({"k": pd.Categorical([*"abcdefghi"], ordered=True)}), labels)
    assert path.tree().threshold[0] == n_low - 0.5
    assert str(path.tree()).startswith(f"k {text}\n")


WEATHER = pd.DataFrame(
    {
        "heat": [3.0, 9.5, 4.0, 7.0],
        "sky": ["sunny", "rain", "overcast", "sunny"],
        "wind": pd.Categorical(["low", "high", "low", "high"], categories=["low", "mid", "high"]),
    }
)
GO_OUT = ["no", "yes", "yes", "maybe"]


@pytest.mark.parametrize(
    "rows",
    [
        WEATHER,
        WEATHER.to_numpy(),
        WEATHER.to_numpy().tolist(),
        WEATHER.astype({"heat": "Float64", "wind": str}),
        WEATHER.assign(sky=[2, 1, 0, 2]),
        [[3, 2, 0], [9.5, 1, 2], [4, 0, 0], [7, 2, 2]],
    ],
)
def test_a_tree_reads_the_tables_it_was_grown_on(rows):
    """Text and categoricals are coded as they were in growth, or come as codes."""
    tree = dt.grow(WEATHER, GO_OUT).tree()
    assert set(tree.variable.tolist()) > {1}
    assert tree.predict(rows).tolist() == GO_OUT
    given = rows.iloc if isinstance(rows, pd.DataFrame) else rows
    assert [tree(given[k]) for k in range(4)] == GO_OUT


def test_codes_of_a_categorical_are_those_of_growth():
    """Another order of the categories, in another frame, makes no difference."""
    grown = pd.DataFrame({"k": pd.Categorical([10, 20, 30], categories=[30, 20, 10])})
    tree = dt.grow(grown, ["c", "b", "a"]).tree()
    assert str(tree).startswith("k is not 10")
    other = pd.DataFrame({"k": pd.Categorical([30, 10, 20], categories=[10, 20, 30])})
    assert tree.predict(other).tolist() == ["a", "c", "b"]


def test_a_number_in_a_coded_column_means_one_thing():
    """Where categories are numbers it is one of them, whatever the dtype; else a code."""
    grown = pd.DataFrame({"k": pd.Categorical([10, 20, 30], categories=[30, 20, 10])})
    tree = dt.grow(grown, ["c", "b", "a"]).tree()
    for rows in ([[30], [10], [20]], np.array([[30.0], [10.0], [20.0]]), [["30"], ["10"], ["20"]]):
        assert tree.predict(rows).tolist() == ["a", "c", "b"]
    assert tree.predict(grown.astype(int)).tolist() == ["c", "b", "a"]
    for wrong in (0, 15, 2.5):
        with pytest.raises(ValueError, match=r"X must have one of \['30', .* in column 0"):
            tree.predict([[wrong]])


@pytest.mark.parametrize("call", [dt.grow, dt.id3, dt.impurity.best_split])
def test_continuous_numbers_are_no_classes(call):
    with pytest.raises(ValueError, match=r'y must be classes, .* 0\.5 .*cost="squared"'):
        call([[1], [2]], [1.0, 0.5])


@pytest.mark.parametrize(
    ("frame", "rule"),
    [
        (WEATHER.drop(columns="heat"), "X must have a column for each feature of the tree, got no"),
        (WEATHER.rename(columns={"heat": "Heat"}), "X must have a column for each feature of the"),
        (WEATHER.assign(sky=3), "X must have the codes 0 .. 2 of its categories in column 1 (sky)"),
        (WEATHER.assign(sky=0.5), "X must have the codes 0 .. 2 of its categories in column 1 (s"),
        (WEATHER.assign(sky="snow"), "X must have one of ['overcast', 'rain', 'sunny'] in column"),
        (WEATHER.assign(sky=None), "X must not contain NaN, got one in row 0"),
        (WEATHER.assign(heat="hot"), "X must have numbers in column 0 (heat), as where the tree w"),
        (WEATHER.assign(heat=np.nan), "X must not contain NaN, got one in row 0"),
    ],
)
def test_a_tree_refuses_other_tables(frame, rule):
    tree = dt.grow(WEATHER, GO_OUT).tree()
    with pytest.raises(ValueError) as caught:  # noqa: PT011 -- the message is compared below
        tree.predict(frame)
    assert str(caught.value).startswith(rule)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [scipy.sparse.csr_matrix, scipy.sparse.coo_array])
def test_sparse_tables_are_refused_with_the_remedy(make):
    X, y = make([[0, 1], [1, 0]]), [0, 1]
    tree = dt.id3(X.toarray(), y)
    for call in (dt.grow, dt.id3, dt.TopDownClassifier().fit, lambda X, _: tree.predict(X)):
        with pytest.raises(TypeError, match=r"sparse data is not supported, got .*: X.toarray\(\)"):
            call(X, y)


@pytest.mark.parametrize("call", [dt.grow, dt.id3, lambda X, y: dt.TopDownClassifier().fit(X, y)])
def test_labels_that_look_like_an_id_are_warned_of(call):
    """From 50 of them on, in hardly more rows, at the line that has them."""
    X = np.arange(60)[:, None]
    with pytest.warns(
        UserWarning, match="y looks like an id, with 54 different .* 60 rows"
    ) as seen:
        call(X, np.minimum(np.arange(60), 53))
    assert [one.filename for one in seen] == [__file__]
    call(X, [f"p{k}" for k in np.minimum(np.arange(60), 52)])
    call(X[:49], np.arange(49))
    dt.grow(X, np.arange(60), "squared")


@pytest.mark.parametrize("cost", ["gini", "entropy", "error"])
def test_many_classes_are_not_scanned_one_by_one(cost, monkeypatch):
    calls = []

    def spy(*args, original=ClassTarget._terms):
        calls[-1] += 1
        return original(*args)

    monkeypatch.setattr(ClassTarget, "_terms", spy)
    for c in (20, 200):
        calls.append(0)
        dt.grow(np.arange(1000)[:, None], np.arange(1000) % c, cost, max_leaves=2)
    assert calls[0] == calls[1]


def test_means_are_written_in_six_digits():
    """As thresholds are; the tree itself holds them all."""
    tree = dt.grow([[0], [1], [1], [1]], [1.5, 100, 100, 101], "squared", max_leaves=2).tree()
    assert str(tree) == "x0\n├─ 0: 1.5\n└─ 1: 100.333"
    assert '"100.333"' in tree.to_dot()
    assert tree.predict([[1]])[0] == pytest.approx(301 / 3, rel=1e-15)


def test_a_tree_with_names_takes_as_many_columns_and_any_number_of_rows():
    frame = pd.DataFrame({"size": [1.0, 2, 3, 4], "color": ["red", "blue", "red", "blue"]})
    path = dt.grow(frame, ["a", "b", "a", "b"])
    tree = path.tree()
    assert tree.predict(frame[frame["size"] > 9]).tolist() == []
    assert tree.apply(frame.iloc[:0]).dtype == tree.apply(frame).dtype
    assert tree.predict(np.column_stack([frame["size"], [1, 0, 1, 0]])).tolist() == list("abab")
    named = dt.grow(np.zeros((2, 2)), [0, 1], feature_names={"a": 1, "b": 2}.keys())
    assert named.tree().names.features == ("a", "b")
    for width in (1, 3, 9):
        with pytest.raises(ValueError, match=rf"X must have 2 columns, .*, got {width}"):
            tree.predict(np.zeros((1, width)))
