"""One sample in every form that a tinkerer brings: the same answer, or a word of what is wrong.

Every form must give the very answer of lists of Python numbers, or a ValueError or TypeError that
names the argument; what holds no sample must be refused in the same way. The tests of the literal
algorithms hold lists against the chapters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support.literal import nested

import dtviz as dt

NAMES = ("u", "v", "w")
UNSHRUNK = (Phase.explicit, Phase.generate)
"""The form is what tells; a smaller sample would take minutes to find."""

PATH = dt.grow([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]], [0, 1, 1, 0])
FULL = PATH.tree()


def named(X: list[list[Any]]) -> dict[str, list[Any]]:
    """The columns by their names."""
    return dict(zip(NAMES, map(list, zip(*X, strict=True)), strict=False))


def strided(X: list[list[Any]]) -> Any:
    """Every second row and column of a larger array, read backwards."""
    m, d = len(X), len(X[0])
    wide = np.full((2 * m, 2 * d), -7, dtype=np.int64)
    wide[::-2, ::-2] = X
    return wide[::-2, ::-2]


def objects(entries: Any) -> Any:
    return np.array(entries, dtype=object)


# How the inputs may come; the second half of them holds what some learners may refuse.
INPUTS: dict[str, Callable[[list[list[int]]], Any]] = {
    "tuples": lambda X: tuple(map(tuple, X)),
    "array": np.array,
    "int8": lambda X: np.array(X, dtype=np.int8),
    "uint8": lambda X: np.array(X, dtype=np.uint8),
    "uint64": lambda X: np.array(X, dtype=np.uint64),
    "big-endian": lambda X: np.array(X, dtype=">i4"),
    "float32": lambda X: np.array(X, dtype=np.float32),
    "long double": lambda X: np.array(X, dtype=np.longdouble),
    "Fortran": np.asfortranarray,
    "strided": strided,
    "list of arrays": lambda X: [np.array(row) for row in X],
    "NumPy numbers": lambda X: [[np.int16(entry) for entry in row] for row in X],
    "floats and integers": lambda X: [[float(row[0]), *row[1:]] for row in X],
    "objects": objects,
    "pandas": lambda X: pd.DataFrame(named(X), index=range(len(X), 0, -1)),
    "pandas, nullable": lambda X: pd.DataFrame(named(X)).astype("Int64"),
    "pandas, Arrow": lambda X: pd.DataFrame(named(X)).astype("int64[pyarrow]"),
    "pandas, mixed": lambda X: pd.DataFrame(named(X)).astype({"u": np.float32}),
    "polars": lambda X: pl.DataFrame(named(X)),
    "polars, int8": lambda X: pl.DataFrame(named(X)).cast(pl.Int8),
    "polars, float": lambda X: pl.DataFrame(named(X)).cast(pl.Float32),
    "Arrow": lambda X: pa.table(named(X)),
    "fractions": lambda X: [[Fraction(entry) for entry in row] for row in X],
    "decimals": lambda X: [[Decimal(entry) for entry in row] for row in X],
    "complex": lambda X: np.array(X, dtype=complex),
    "text": lambda X: [[str(entry) for entry in row] for row in X],
    "unmasked": np.ma.array,
}

LABELS: dict[str, Callable[[list[int]], Any]] = {
    "tuple": tuple,
    "array": np.array,
    "int8": lambda y: np.array(y, dtype=np.int8),
    "uint8": lambda y: np.array(y, dtype=np.uint8),
    "floats": lambda y: np.array(y, dtype=float),
    "NumPy numbers": lambda y: [np.int64(label) for label in y],
    "objects": objects,
    "pandas": lambda y: pd.Series(y, index=range(len(y), 0, -1)),
    "pandas, nullable": lambda y: pd.Series(y, dtype="Int64"),
    "pandas, categorical": lambda y: pd.Series(y, dtype="category"),
    "polars": pl.Series,
    "Arrow": pa.array,
    "column": lambda y: [[label] for label in y],
    "generator": iter,
    "fractions": lambda y: [Fraction(label) for label in y],
}

# What holds no sample of so many examples, from a good one.
NO_INPUTS: dict[str, Callable[[list[list[int]]], Any]] = {
    "None": lambda X: None,  # noqa: ARG005
    "number": lambda X: 3,  # noqa: ARG005
    "word": lambda X: "X",  # noqa: ARG005
    "flat": lambda X: X[0],
    "cube": lambda X: [X, X],
    "ragged": lambda X: [*X[:-1], X[-1][:-1]],
    "no rows": lambda X: X[:0],
    "no columns": lambda X: [[] for _ in X],
    "NaN": lambda X: [*X[:-1], [float("nan"), *X[-1][1:]]],
    "infinite": lambda X: [*X[:-1], [float("inf"), *X[-1][1:]]],
    "None inside": lambda X: [*X[:-1], [None, *X[-1][1:]]],
    "masked": lambda X: np.ma.array(X, mask=np.eye(len(X), len(X[0]), dtype=bool)),
    "too large": lambda X: [*X[:-1], [2**53 + 1, *X[-1][1:]]],
    "larger than any": lambda X: [*X[:-1], [10**400, *X[-1][1:]]],
    "dates": lambda X: np.array(X, dtype="datetime64[D]"),
    "dates inside": lambda X: [[date(2020, 1, 1 + entry % 9) for entry in row] for row in X],
    "set": lambda X: set(map(tuple, X)),
    "dict": named,
    "series": lambda X: pd.Series([row[0] for row in X]),
    "pandas, missing": lambda X: pd.DataFrame(named(X)).astype("Int64").shift(1),
    "pandas, twice": lambda X: pd.DataFrame(X, columns=["u"] * len(X[0])) if len(X[0]) > 1 else 3,
    "pandas, dates": lambda X: pd.DataFrame(named(X)).apply(pd.to_datetime),
    "polars, missing": lambda X: pl.DataFrame(named(X)).select(pl.all().shift(1)),
    "polars, dates": lambda X: pl.DataFrame(named(X)).cast(pl.Date),
    "lazy": lambda X: pl.DataFrame(named(X)).lazy(),
    "polars, lists": lambda X: pl.DataFrame({"u": [[0]] * len(X)}),
    "more rows": lambda X: [*X, X[0]],
}
NO_LABELS: dict[str, Callable[[list[int]], Any]] = {
    "None": lambda y: None,  # noqa: ARG005
    "number": lambda y: 1,  # noqa: ARG005
    "fewer": lambda y: y[:-1],
    "more": lambda y: [*y, 0],
    "None inside": lambda y: [*y[:-1], None],
    "NaN": lambda y: [*y[:-1], float("nan")],
    "infinite": lambda y: [*y[:-1], float("inf")],
    "words and numbers": lambda y: [*y[:-1], "no"],
    "complex": lambda y: np.array(y, dtype=complex),
    "dates": lambda y: np.array(y, dtype="datetime64[D]"),
    "masked": lambda y: np.ma.array(y, mask=[True] * len(y)),
    "pandas, missing": lambda y: pd.Series([*y[:-1], None], dtype="Int64"),
    "polars, missing": lambda y: pl.Series([*y[:-1], None]),
    "frame": lambda y: pd.DataFrame({"y": y, "z": y}),
    "dict": lambda y: dict(enumerate(y)),
}


def as_tuples(tree: dt.Tree | None) -> Any:
    """A tree without the names of its features."""
    return None if tree is None else nested(tree, thresholds=True)


def pruned(result: Any) -> Any:
    return as_tuples(result.tree())


# What takes a sample of numbers; those that follow ask for bits.
LEARNERS: dict[str, Callable[[Any, Any], Any]] = {
    "grow": lambda X, y: as_tuples(dt.grow(X, y).tree()),
    "grow, squared": lambda X, y: as_tuples(dt.grow(X, y, "squared").tree()),
    "id3": lambda X, y: as_tuples(dt.id3(X, y)),
    "best_split": dt.impurity.best_split,
    "TopDownClassifier": lambda X, y: dt.TopDownClassifier().fit(X, y).predict(X).tolist(),
    "TopDownRegressor": lambda X, y: dt.TopDownRegressor().fit(X, y).predict(X).tolist(),
    "cross_validated_prune": lambda X, y: pruned(
        dt.pruning.cross_validated_prune(X, y, dt.id3, folds=2, rng=0)
    ),
}
BIT_LEARNERS: dict[str, Callable[[Any, Any], Any]] = {
    "find": lambda X, y: as_tuples(dt.rank.find(X, y, rank=2)),
    "find_min": lambda X, y: as_tuples(dt.find_min(X, y)),
    "sample_rank": dt.rank.sample_rank,
    "find_run": lambda X, y: as_tuples(dt.rank.find_run(X, y, rank=2).tree()),
    "find_min_runs": lambda X, y: [as_tuples(run.tree()) for run in dt.rank.find_min_runs(X, y)],
}
PRUNINGS: dict[str, Callable[[Any, Any], Any]] = {
    "reduced_error_prune": lambda X, y: pruned(
        dt.pruning.reduced_error_prune(FULL, X, y, grown_on=(X, y))
    ),
    "srm_prune": lambda X, y: pruned(dt.pruning.srm_prune(FULL, X, y)),
    "cost_complexity_prune": lambda X, y: pruned(dt.pruning.cost_complexity_prune(FULL, X, y, 0.1)),
    "bottom_up_prune": lambda X, y: pruned(dt.pruning.bottom_up_prune(FULL, X, y, 0.1, 0.1)),
    "cost_complexity_path": lambda X, y: dt.pruning.cost_complexity_path(
        FULL, X, y
    ).n_leaves.tolist(),
    "bottom_up_path": lambda X, y: as_tuples(dt.pruning.bottom_up_path(FULL, X, y).tree()),
    "node_counts": lambda X, y: dt.pruning.node_counts(FULL, X, y).counts.tolist(),
    "score": lambda X, y: PATH.score(X, y).tolist(),
    "smallest_prunings": lambda X, y: dt.pruning.smallest_prunings(
        FULL, X, y
    ).front_n_leaves.tolist(),
    "node_counts, a row absent": lambda X, y: dt.pruning.node_counts(
        FULL, X, y, sample_weight=one_absent(X)
    ).counts.tolist(),
}


def one_absent(X: Any) -> list[int]:
    """Weights for the rows, the second of which is not to count."""
    return [2 if row != 1 else 0 for row in range(len(X) if hasattr(X, "__len__") else 4)]


PREDICATES = {"grow_predicates": lambda X, y: as_tuples(dt.grow_predicates(X, y).tree())}
CALLS = LEARNERS | BIT_LEARNERS | PRUNINGS | PREDICATES


def outcome(call: Callable[[Any, Any], Any], X: Any, y: Any) -> tuple[bool, Any]:
    """Whether the call answers, and its answer or its words. What is not one of both fails here."""
    try:
        return True, call(X, y)
    except (ValueError, TypeError) as error:
        words = str(error)
        assert re.search(r"\b(X|y|predicates|target)\b", words), words
        return False, words


def sizes(most: int) -> st.SearchStrategy[tuple[list[list[int]], list[int]]]:
    """Samples of 4 to 9 examples, 3 features with values up to this, and labels 0 and 1, both."""
    row = st.lists(st.integers(0, most), min_size=3, max_size=3)
    example = st.tuples(row, st.integers(0, 1))
    return (
        st.lists(example, min_size=4, max_size=9, unique_by=lambda pair: tuple(pair[0]))
        .filter(lambda pairs: len({label for _, label in pairs}) == 2)
        .map(lambda pairs: ([x for x, _ in pairs], [label for _, label in pairs]))
    )


def most(name: str) -> int:
    """The largest value of an input that the call is made for."""
    return 100 if name in LEARNERS else 1


@pytest.mark.filterwarnings("ignore:A column-vector y")
@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=6, phases=UNSHRUNK)
@given(data=st.data())
def test_every_form_of_a_sample_has_one_answer(name: str, data: st.DataObject) -> None:
    X, y = data.draw(sizes(most(name)))
    answers, plain = outcome(CALLS[name], X, y)
    assert answers, plain
    for how, form in INPUTS.items():
        answers, got = outcome(CALLS[name], form(X), y)
        assert got == plain if answers else how in turned_away(name), (how, got)
    for how, form in LABELS.items():
        answers, got = outcome(CALLS[name], X, form(y))
        assert got == plain if answers else how in turned_away(name), (how, got)


# What counts a row as often as its weight says; the classes do not matter here.
WEIGHTED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "grow": lambda X, y, w: as_tuples(dt.grow(X, y, sample_weight=w).tree()),
    "node_counts": lambda X, y, w: dt.pruning.node_counts(
        FULL, X, y, sample_weight=w
    ).counts.tolist(),
    "node_counts, grown_on": lambda X, y, w: dt.pruning.node_counts(
        FULL, X, y, grown_on=(X, y, w)
    ).label.tolist(),
}


@pytest.mark.parametrize("name", WEIGHTED)
@settings(max_examples=6, phases=UNSHRUNK)
@given(data=st.data())
def test_every_form_of_weights_has_one_answer(name: str, data: st.DataObject) -> None:
    X, y = data.draw(sizes(1))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).filter(any))
    plain = WEIGHTED[name](X, y, weights)
    for how, form in LABELS.items():
        if how in {"column", "generator"}:
            with pytest.raises(ValueError, match="sample_weight"):
                WEIGHTED[name](X, y, form(weights))
        else:
            assert WEIGHTED[name](X, y, form(weights)) == plain, how


TURNED_AWAY = {
    "fractions", "decimals", "complex", "text", "unmasked", "lazy", "column", "generator",
}  # fmt: skip
"""Forms that may be refused, since what they say of a sample is open to doubt."""


def turned_away(name: str) -> set[str]:
    """What a call may refuse; predicates and their targets are arrays of plain numbers."""
    unplain = {"objects", "pandas, nullable", "pandas, Arrow"} if name in PREDICATES else set()
    return TURNED_AWAY | unplain


# A tree compares with what is infinite or large; FIND and predicates go by places; growth by
# impurity sends what is missing its own way.
GAPS = {"NaN", "None inside", "pandas, missing", "polars, missing"}
HARMLESS = {
    **dict.fromkeys(("grow", "grow, squared", "id3", "best_split"), GAPS),
    **dict.fromkeys(("TopDownClassifier", "TopDownRegressor"), GAPS),
    **{name: {"infinite", "too large", "larger than any"} for name in PRUNINGS},
    **{name: {"pandas, twice"} for name in BIT_LEARNERS | PREDICATES},
}


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=3, phases=UNSHRUNK)
@given(data=st.data())
def test_what_holds_no_sample_is_refused(name: str, data: st.DataObject) -> None:
    X, y = data.draw(sizes(most(name)))
    for how, form in NO_INPUTS.items():
        answers, got = outcome(CALLS[name], form(X), y)
        assert not answers or how in HARMLESS.get(name, ()), (how, got)
    for how, form in NO_LABELS.items():
        answers, got = outcome(CALLS[name], X, form(y))
        assert not answers, (how, got)
