"""Data frames of three makers: one tree, with the names of its columns and categories."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import dtviz as dt

SIZES = ["small", "large", "medium", "small", "large", "medium", "small"]
ORDER = ["small", "medium", "large"]
DATA = {
    "age": [31, 45, 22, 60, 38, 51, 19],
    "smokes": [True, False, False, True, True, False, True],
    "town": ["Ulm", "Bonn", "Ulm", "Kiel", "Bonn", "Kiel", "Ulm"],
}
y = [0, 1, 1, 0, 1, 1, 0]
MAKERS = {
    "pandas": lambda data: pd.DataFrame(data),  # noqa: PLW0108 -- not its other ways to be made
    "polars": pl.DataFrame,
    "Arrow": pa.table,
}
every_maker = pytest.mark.parametrize("maker", MAKERS)


@every_maker
def test_names_and_texts_stay_with_the_tree(maker: str) -> None:
    frame = MAKERS[maker](DATA)
    tree = dt.id3(frame, y)
    assert tree.to_text() == dt.id3(pd.DataFrame(DATA), y).to_text()
    assert {"smokes", "town"} & set(tree.to_text().replace("=", " ").split())
    assert tree.names.features == ("age", "smokes", "town")
    assert tree.names.bits == {1}
    assert tree.names.categories == {2: ("Bonn", "Kiel", "Ulm")}
    assert tree.predict(frame).tolist() == y
    pruned = dt.pruning.reduced_error_prune(tree, frame, y, grown_on=(frame, y))
    assert pruned.tree().names == tree.names
    model = dt.TopDownClassifier().fit(frame, y)
    assert model.feature_names_in_.tolist() == [*DATA]
    assert model.predict(frame).tolist() == y
    numbers = MAKERS[maker]({name: DATA[name] for name in ("age", "smokes")})
    pruned = dt.pruning.cross_validated_prune(numbers, y, dt.id3, folds=2)
    assert pruned.tree().names.features == ("age", "smokes")


def _pruned(name: str, **more: Any) -> Any:
    return lambda path, X: getattr(dt.pruning, name)(path.tree(), X, y, **more)


BESIDE_A_TREE = {
    "predict": lambda path, X: path.predict(X).tolist(),
    "score": lambda path, X: path.score(X, y).tolist(),
    "apply": lambda path, X: path.tree().apply(X).tolist(),
    "accuracy": lambda path, X: path.tree().score(X, y),
    "rules": lambda path, X: path.tree().rules(X),
    "tree": lambda path, X: [t.get_text() for t in dt.plot.tree(path, X, y).ax.texts],
    "path": lambda path, X: [t.get_text() for t in dt.plot.path(path, X, y).texts],
    "regions": lambda path, X: [
        line.get_xydata().tolist()
        for line in dt.plot.regions(path, X, y, ("town", 0), at={"smokes": 0}).lines
    ],
    "reduced error": lambda path, X: _pruned("reduced_error_prune", grown_on=(X, y))(path, X),
    "smallest": _pruned("smallest_prunings"),
    "srm": _pruned("srm_prune", factor=0.1),
    "bottom up": _pruned("bottom_up_prune", c=0.01),
    "bottom-up path": _pruned("bottom_up_path"),
    "cost complexity": _pruned("cost_complexity_path", cost="gini", sample_weight=[1] * 6 + [0]),
    "price": _pruned("cost_complexity_prune", alpha=0.05),
}


def _facts(found: Any) -> Any:
    return {k: str(v) for k, v in vars(found).items()} if hasattr(found, "__dict__") else found


@every_maker
@pytest.mark.parametrize("call", BESIDE_A_TREE)
def test_columns_are_found_by_their_names(maker: str, call: str) -> None:
    """In any order; others are not looked at, whatever they hold; and one that lacks is named."""
    make, use = MAKERS[maker], BESIDE_A_TREE[call]
    more = {"id": [[1]] * 7, "note": ["?", "1", "2", "3", "4", "5", "6"]}
    turned = more | {name: DATA[name] for name in ("town", "smokes")} | {"sex": "mfmfmfm"}
    turned = {name: [*column] for name, column in turned.items()} | {"age": DATA["age"]}
    path = dt.grow(make(DATA), y)
    assert _facts(use(path, make(turned))) == _facts(use(path, make(DATA)))
    del turned["smokes"]
    for lacks in (turned, {"smokes ": DATA["smokes"]}):
        with pytest.raises(ValueError, match=r"^X.* got none called '(smokes|age)', but "):
            use(path, make(lacks))


def test_columns_without_texts_for_names() -> None:
    """Names that are numbers are read as text; a tree without any calls its features x0, x1, ..."""
    rows = {1: [0, 0, 1, 1], 0: [5, 6, 5, 6]}
    tree = dt.grow(pd.DataFrame(rows), [0, 1, 0, 1]).tree()
    turned = pd.DataFrame(rows, index=[7, 7, 3, 1])[[0, 1]]
    assert tree.predict(turned).tolist() == tree.predict(pd.DataFrame(rows).values).tolist()
    for row in (turned.iloc[1], {0: 6, 1: 0}, turned.iloc[[1]], pl.DataFrame({"0": [6], "1": [0]})):
        assert tree.explain(row) == "0 <= 5.5? no, it is 6\nprediction: 1"
        assert tree(row) == 1
    with pytest.raises(ValueError, match=r"^x must have a value for each .*, got none for 0"):
        tree({1: 6})
    with pytest.raises(ValueError, match=r"^row must have a column .* none called '1', but"):
        tree.explain(turned[[0]].iloc[[1]])
    plain = dt.grow(pd.DataFrame(rows).values, [0, 1, 0, 1])
    assert plain.predict(pd.DataFrame({"y": [0, 0], "x1": [5, 6], "x0": 0})).tolist() == [0, 1]
    assert plain.predict(pd.DataFrame({"b": [0, 0], "a": [5, 6]})).tolist() == [0, 1]
    for lacks, columns in ("x0", ["y", "x1"]), ("x0", ["x1", "x2"]), ("x1", ["x2", "x0"]):
        with pytest.raises(ValueError, match=f"^X must have a column .* called '{lacks}', but"):
            plain.predict(pd.DataFrame([[5, 6]], columns=columns))
    for row in (pd.Series({"x1": 6, "x0": 0}), *pd.DataFrame({"x1": [6], "x0": [0]}).itertuples()):
        assert plain.tree()(row) == 1
        assert plain.tree().explain(row).startswith("x1 <= 5.5? no, it is 6")
    with pytest.raises(ValueError, match=r"^x must have a value .*, got none for x1"):
        plain.tree()({"x0": 6, "x2": 6})
    # The estimators do as scikit-learn, which knows names that are text.
    model = dt.TopDownClassifier().fit(pd.DataFrame(rows), [0, 1, 0, 1])
    assert model.predict(turned[[1, 0]].rename(columns={1: 8, 0: 9})).tolist() == [0, 1, 0, 1]
    assert model.tree_.predict(turned).tolist() == [0, 1, 0, 1]
    with pytest.raises(ValueError, match=r"^X must have at least one row .* got shape \(0, 2\)"):
        model.predict(turned[:0])


@every_maker
def test_unknown_categories_are_refused_by_their_column(maker: str) -> None:
    tree = dt.id3(MAKERS[maker](DATA), y)
    unknown = MAKERS[maker]({"town": ["Bern"] * 7} | {k: DATA[k] for k in ("age", "smokes")})
    with pytest.raises(ValueError, match=r"X must have one of .* in column 0 \(town\), got 'Bern'"):
        tree.predict(unknown)


@pytest.mark.parametrize(
    ("column", "order"),
    [
        (pd.Categorical(SIZES, ORDER), ORDER),
        (pd.Categorical(SIZES, ORDER, ordered=True), ORDER),
        (pl.Series(SIZES, dtype=pl.Enum(ORDER)), ORDER),
        # The order in which these happened to come says nothing.
        (pl.Series(SIZES, dtype=pl.Categorical), sorted(ORDER)),
        (pa.array(SIZES).dictionary_encode(), sorted(ORDER)),
        (SIZES, sorted(ORDER)),
    ],
    ids=["pandas", "pandas, ordered", "enumeration", "polars", "Arrow", "text"],
)
def test_categories_stand_in_their_order(column: object, order: list[str]) -> None:
    makers = {pd.Categorical: "pandas", pl.Series: "polars", list: "polars"}
    frame = MAKERS[makers.get(type(column), "Arrow")]({"size": column})
    tree = dt.id3(frame, [order.index(size) for size in SIZES])
    assert tree.names.categories == {0: tuple(order)}
    assert tree.threshold[0] in (0.5, 1.5)
    # The same words in another frame mean the same.
    assert tree.predict(pl.DataFrame({"size": ORDER})).tolist() == [order.index(s) for s in ORDER]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), "a name of its own for each column"),
        (pa.table([[1, 2], [3, 4]], names=["a", "a"]), "a name of its own for each column"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["1", 1]), "for each column, got '1' twice"),
        (pl.DataFrame({"a": [1, 2]}).lazy(), "must hold its rows, got a lazy frame, LazyFrame"),
        (pl.DataFrame({"a": ["2020-01-01"] * 2}).select(pl.all().str.to_date()), "dates or times"),
        (pl.DataFrame({"a": []}), "at least one row and one column, got shape (0, 1)"),
    ],
    ids=["twice", "Arrow, twice", "twice as text", "lazy", "dates", "empty"],
)
def test_what_is_wrong_with_a_frame_is_reported(frame: object, words: str) -> None:
    for learn in (dt.grow, dt.id3):
        with pytest.raises(ValueError, match=re.escape(words)):
            learn(frame, [0, 1])
    # Names that are not all strings are refused in scikit-learn's words.
    asked = "all input features have string names" if "'1' twice" in words else re.escape(words)
    with pytest.raises((TypeError, ValueError), match=asked):
        dt.TopDownClassifier().fit(frame, [0, 1])


HOURS = ["1", "10", "?", "13"]


@pytest.mark.parametrize(
    ("column", "got", "hint"),
    [
        (HOURS, "'?' beside '1' in column 1 (hours)", "na_values=['?'] in pandas or null_values"),
        (["1", "2", "-", ""], "", ""),
        (["1", "2", "3", "-", ""], "'' beside '1'", "na_values=['', '-'] in pandas"),
        (["1,234", "56", "7"], "'1,234' in column 1 (hours)", "thousands=','"),
        (["4,5", "5", "7.5"], "'4,5' in column 1 (hours)", "decimal=','"),
        (["45%", "6 %", "?"], "'?' beside '45%'", "na_values=['?']"),
        (["9 kg", "10 kg", "12 kg"], "'10 kg' in", "leave out what is no digit"),
        (["1st", "2nd", "3rd", "4 doors"], "", ""),
        (["?", "red", "blue"], "", ""),
    ],
)
def test_text_that_is_mostly_numbers_is_refused(column: list[str], got: str, hint: str) -> None:
    y = [k % 2 for k in range(len(column))]
    table = {"n": range(len(column)), "hours": column}
    kinds = pd.DataFrame(table).astype({"hours": "category"})
    for frame in (pd.DataFrame(table), pl.DataFrame(table), kinds):
        for learn in (
            dt.grow,
            dt.id3,
            dt.TopDownClassifier().fit,
            lambda X, y: dt.pruning.cross_validated_prune(X, y, dt.grow, folds=2),
        ):
            if frame is kinds or not got:
                learn(frame, y)
                continue
            with pytest.raises(ValueError, match="X must not have") as caught:
                learn(frame, y)
            assert got in str(caught.value)
            assert hint in str(caught.value)


def test_what_became_text_later_is_named() -> None:
    tree = dt.grow(pd.DataFrame({"hours": [1, 2, 3, 4]}), y[:4]).tree()
    for column, hint in (
        (HOURS, "got '?': where that is a missing value, read it as one, with na_values=['?']"),
        ([1, 10, "?", 13], "got '?': where that is a missing value"),
        (["1", "10"], "got '1': make them numbers"),
        (["1,000", "10"], "got '1,000': leave out what is no digit"),
        ([1, b"2"], "got b'2' in column 0 (hours): decode it"),
    ):
        frame = pd.DataFrame({"hours": pd.Series(column, dtype=object)})
        with pytest.raises(ValueError, match=re.escape(hint)):
            tree.predict(frame)
    with pytest.raises(ValueError, match=re.escape("got '?' beside 1 in column 0 (h): make all")):
        dt.grow(pd.DataFrame({"h": pd.Series([1, "?", 2], dtype=object)}), [0, 1, 0])


def test_labels_that_are_numbers_but_for_a_mark() -> None:
    X = [[k] for k in range(4)]
    with pytest.raises(ValueError, match=r"y must not have missing labels, got '\?' among numbers"):
        dt.grow(X, HOURS)
    with pytest.raises(ValueError, match=r"y must be numbers for squared loss, got '\?': where"):
        dt.grow(X, HOURS, "squared")
    assert dt.grow(X, ["1", "2", "3+", "2"]).tree().predict(X).tolist() == ["1", "2", "3+", "2"]


CELLS = [
    (pl.Series([{"u": 1, "v": 2}] * 2), "Struct({'u': Int64, 'v': Int64}) in column 1 (odd)"),
    (pl.Series([[1, 2]] * 2), "List(Int64) in column 1 (odd): a cell has one value"),
    (pl.Series([[1, 2]] * 2, dtype=pl.Array(pl.Int64, 2)), "Array(Int64, shape=(2,)) in column 1"),
    (pl.Series([1, 2], dtype=pl.Int128), "Int128 in column 1 (odd): make them Int64 or Float64"),
    (pl.Series([b"u", b"v"]), "b'u' in column 1 (odd): decode it"),
    ([b"u", b"v"], "b'u' in column 1 (odd): decode it"),
    ([[1], [2, 3]], "[1] in column 1 (odd): a cell has one value"),
    (["u", date(2020, 1, 1)], "dates or times (date) in column 1 (odd)"),
    ([1, 1j], "X must be real numbers, text or booleans, got 1j in column 1 (odd)"),
    ([1, Decimal("0.1")], "Decimal('0.1') in column 1 (odd): make them floats"),
]


@pytest.mark.parametrize(("cells", "words"), CELLS)
def test_cells_of_other_kinds_are_refused_in_words(cells: Any, words: str) -> None:
    if isinstance(cells, list):
        frame: Any = pd.DataFrame({"n": [1, 2], "odd": pd.Series(cells, dtype=object)})
    else:
        frame = pl.DataFrame({"n": [1, 2], "odd": cells})
    for learn in (dt.grow, dt.id3, dt.TopDownClassifier().fit):
        with pytest.raises(ValueError, match=re.escape(words)):
            learn(frame, [0, 1])


def test_a_frame_is_read_as_its_numbers() -> None:
    rng = np.random.default_rng(3)
    X, labels = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    columns = {f"c{i}": X[:, i] for i in range(4)}
    plain = dt.grow(X, labels).tree()
    for maker in MAKERS.values():
        tree = dt.grow(maker(columns), labels).tree()
        assert (tree.threshold == plain.threshold).all()
        assert (tree.predict(maker(columns)) == plain.predict(X)).all()


@every_maker
def test_what_a_tree_does_not_test_is_not_read(maker: str) -> None:
    """Columns after its own may hold anything, and what is missing in its own is reported."""
    tree = dt.id3(MAKERS[maker]({"a": [0, 1]}), [0, 1])
    more = MAKERS[maker]({"a": [0, 1], "b": [None, None], "c": [[1], [2]]})
    assert tree.predict(more).tolist() == [0, 1]
    with pytest.raises(ValueError, match="X "):
        tree.predict(MAKERS[maker]({"a": [0, None]}))
