"""The ways to hand over examples: each gives what ``(X, y)`` gives, or says what to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

import dtviz as dt

PEOPLE = dt.datasets.titanic(numeric=True).split(300, seed=3)[0]
FRAME = pd.DataFrame(PEOPLE.X, columns=PEOPLE.feature_names).assign(lived=PEOPLE.y)
X, y = FRAME.drop(columns="lived"), FRAME["lived"]
PATH = dt.grow(X, y, max_leaves=9)
TREE = PATH.tree()


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


TAKERS: dict[str, Callable[..., Any]] = {
    "grow": lambda *data: dt.grow(*data, max_leaves=9).tree(),
    "id3": dt.id3,
    "best split": dt.impurity.best_split,
    "least errors": lambda *data: dt.impurity.least_errors(*data, max_leaves=2),
    "path score": lambda *data: PATH.score(*data).tolist(),
    "tree score": TREE.score,
    "estimator": lambda *data: dt.TopDownClassifier(max_leaves=9).fit(*data).tree_,
    "price": lambda *data: dt.pruning.cost_complexity_prune(TREE, *data, alpha=0.01).tree(),
    "reduced": lambda *data: dt.pruning.reduced_error_prune(
        TREE, X, y, grown_on=data if data[1:] else data[0]
    ).tree(),
    "smallest": lambda *data: dt.pruning.smallest_prunings(TREE, *data).front_errors.tolist(),
    "folds": lambda *data: dt.pruning.cross_validated_prune(*data, grow=dt.grow).tree(),
    "drawn tree": lambda *data: texts(dt.plot.tree(TREE, *data, ax=Figure().subplots()).ax),
    "drawn path": lambda *data: texts(dt.plot.path(PATH, *data, ax=Figure().subplots())),
    "drawn plane": lambda *data: dt.plot.regions(
        TREE, *data, columns=("age", "fare"), ax=Figure().subplots()
    ).get_legend_handles_labels(),
    "impurity explorer": lambda *data: dt.ImpurityExplorer(*data).tree(),
    "pruning explorer": lambda *data: dt.PruningExplorer(*data).path().tree(),
}


@pytest.mark.parametrize("name", TAKERS)
def test_a_name_and_a_data_set_are_as_good_as_two_arrays(name: str) -> None:
    take = TAKERS[name]
    expected = take(X, y)
    assert take(FRAME, "lived") == expected
    assert take(PEOPLE) == expected
    assert take(pl.DataFrame(FRAME), "lived") == expected
    with pytest.raises(
        ValueError, match=r"'livd': it has class, .*, lived: did you mean 'lived'\?"
    ):
        take(FRAME, "livd")


COLUMNS = {
    "(m, 1)": PEOPLE.y[:, None],
    "pandas": FRAME[["lived"]],
    "polars": pl.DataFrame({"lived": PEOPLE.y}),
    "arrow": pa.table({"lived": PEOPLE.y}),
}


@pytest.mark.parametrize("name", ["grow", "path score", "tree score", "price", "folds", "id3"])
@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_of_labels_is_as_good_as_a_flat_array(name: str, column: str) -> None:
    assert TAKERS[name](X, COLUMNS[column]) == TAKERS[name](X, y)


NO_TABLES: dict[str, tuple[Any, str]] = {
    "a dictionary": ({"age": [1.0, 2.0]}, r"pandas.DataFrame\(X\) is one"),
    "a list of dictionaries": ([{"age": 1.0}, {"age": 2.0}], r"pandas.DataFrame\(X\) is one"),
    "a structured array": (
        np.array([(1.0,), (2.0,)], dtype=[("age", float)]),
        r"pandas.DataFrame\(X\) is one",
    ),
    "a masked array": (
        np.ma.masked_array([[1], [2]], [[0], [1]]),
        r"X.astype\(float\).filled\(numpy.nan\) is one",
    ),
}


@pytest.mark.parametrize("kind", NO_TABLES)
def test_what_can_be_made_a_table_says_how(kind: str) -> None:
    given, made = NO_TABLES[kind]
    stump = dt.grow([[1], [2]], [0, 1]).tree()
    takers: list[Callable[..., Any]] = [
        dt.grow,
        dt.TopDownClassifier().fit,
        dt.ImpurityExplorer,
        dt.PruningExplorer,
        lambda X, _: stump.predict(X),
        lambda X, y: dt.pruning.smallest_prunings(stump, X, y),
        lambda X, y: dt.plot.tree(stump, X, y),
    ]
    for take in takers:
        with pytest.raises(ValueError, match=rf"X must be a table, .*, got {kind}, .*: {made}"):
            take(given, [0, 1])
    # What the sentence says does it.
    namespace = {"X": given, "pandas": pd, "numpy": np}
    table = eval(made.replace("\\", "").removesuffix(" is one"), namespace)  # noqa: S307
    assert dt.grow(table, [0, 1]).n_leaves == 2


BITS: dict[str, Callable[..., Any]] = {
    "rank": dt.find_min,
    "run": lambda *data: dt.rank.find_run(*data, rank=2).tree(),
    "rank explorer": lambda *data: dt.RankExplorer(*data, rank=2).tree(),
    "predicates": lambda *data: dt.grow_predicates(*data).tree(),
    "edges": lambda *data: dt.growing.edges(*data).tolist(),
    "importance": lambda *data: (
        dt.build_top_down(dt.functions.majority(3))
        .tree()
        .named(["a", "b", "c"])
        .permutation_importance(*data)
        .tolist()
    ),
}


@pytest.mark.parametrize("name", BITS)
def test_bits_come_in_every_form(name: str) -> None:
    take, points, value = BITS[name], dt.cube_points(3), dt.functions.majority(3).table
    frame = pd.DataFrame(points, columns=["a", "b", "c"]).assign(f=value)
    data = dt.datasets.Dataset(points, value, ("a", "b", "c"), ("no", "yes"))
    expected = take(points, value)
    for form in ((frame, "f"), (data,), (points, value[:, None]), (data, frame[["f"]])):
        found = take(*form)
        assert found == expected
        named = getattr(found, "names", None)
        assert named is None or form[0] is points or named.features == ("a", "b", "c")
    with pytest.raises(ValueError, match=r"must be a table, .* got a dictionary, .*: pandas"):
        take({"a": [0, 1]}, [0, 1])
    with pytest.raises(
        ValueError, match=r"must be a table, .* got a series, .*: .*to_frame\(\) is"
    ):
        take(frame["a"], [0, 1])


def test_labels_that_are_not_there() -> None:
    for take in (dt.grow, dt.id3, dt.ImpurityExplorer, dt.PruningExplorer):
        with pytest.raises(
            ValueError, match="y must be given with a table: its labels, or the name"
        ):
            take(FRAME)
    with pytest.raises(ValueError, match=r"y of grown_on must be labels or the name .* got 'l'"):
        dt.pruning.smallest_prunings(TREE, X, y, grown_on=(FRAME, "l"))


def test_the_names_of_a_data_set_stay() -> None:
    assert dt.grow(PEOPLE, max_leaves=2).names.features == PEOPLE.feature_names
    assert dt.grow(PEOPLE, feature_names=list("abcdef")).names.features == tuple("abcdef")
    assert TREE.predict(PEOPLE).tolist() == TREE.predict(X).tolist()
    assert dt.PruningExplorer(PEOPLE).shown.classes == ("died", "survived")
    rest = dt.grow(PEOPLE, "male", max_leaves=2).names.features
    assert rest == tuple(name for name in PEOPLE.feature_names if name != "male")


def test_functions_by_text_wherever_a_text_is_one() -> None:
    f = dt.BooleanFunction.from_text("a & b | c")
    for kind in (dt.InfluenceExplorer, dt.ProductExplorer, dt.RankExplorer, dt.PruningExplorer):
        explorer: Any = kind({"mine": "a & b | c", "other": f})
        pruned = kind is dt.PruningExplorer
        assert (
            explorer.examples["mine"].function if pruned else explorer.named_function("mine")
        ) == f
        with pytest.raises(
            ValueError, match=r"or the text of a function, which must .* near 'a &'"
        ):
            kind({"mine": "a & "})
    with pytest.raises(ValueError, match="InfluenceExplorer shows Boolean functions, not examples"):
        dt.InfluenceExplorer(FRAME, "lived")


def test_trees_of_a_data_set_keep_its_names() -> None:
    people = dt.datasets.titanic(numeric=True)
    chosen = dt.pruning.cross_validated_prune(people, grow=dt.grow).one_se
    for tree in (chosen, dt.impurity.optimal_tree(people, max_leaves=2)):
        assert tree.to_text().startswith("male\n")
        assert all(label in tree.to_text() for label in (": died", ": survived"))
