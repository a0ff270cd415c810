"""The passengers, against what is known of them, and how they are dealt out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import dtviz as dt

EVERYBODY = dt.datasets.titanic()
NUMBERS = dt.datasets.titanic(numeric=True)


def column(data: dt.datasets.Dataset, name: str) -> np.ndarray:
    return data.X[:, data.feature_names.index(name)]


def test_survivors_are_those_of_the_published_tables():
    alive = EVERYBODY.y == 1
    by_class = Counter(column(EVERYBODY, "class")[alive])
    by_sex = Counter(column(EVERYBODY, "sex")[alive])
    assert Counter(column(EVERYBODY, "class")) == {1: 323, 2: 277, 3: 709}
    assert (by_class[1], by_class[2], by_class[3]) == (200, 119, 181)
    assert by_sex == {"female": 339, "male": 161}


def test_what_is_missing():
    missing = {
        name: sum(entry is None for entry in column(EVERYBODY, name))
        for name in EVERYBODY.feature_names
    }
    assert {name: m for name, m in missing.items() if m} == {"age": 263, "fare": 1, "port": 2}


def test_numbers_are_the_same_people():
    is_there = np.not_equal(EVERYBODY.X, None)
    known = is_there[:, 2] & is_there[:, 5]
    assert np.array_equal(NUMBERS.y, EVERYBODY.y[known])
    assert np.array_equal(column(NUMBERS, "male") == 1, column(EVERYBODY, "sex")[known] == "male")
    for name in ("class", "age", "siblings", "parents", "fare"):
        assert np.array_equal(column(NUMBERS, name), column(EVERYBODY, name)[known].astype(float))


def rows(data: dt.datasets.Dataset) -> list[tuple[float, ...]]:
    return [(*row, label) for row, label in zip(data.X.tolist(), data.y.tolist(), strict=True)]


def test_parts_hold_everybody_once():
    parts = NUMBERS.split(450, 200, seed=0)
    assert [len(part) for part in parts] == [450, 200, 395]
    dealt = [row for part in parts for row in rows(part)]
    assert dealt != rows(NUMBERS)
    assert Counter(dealt) == Counter(rows(NUMBERS))


def test_parts_depend_on_the_seed_alone():
    first, again, other = (NUMBERS.split(9, seed=seed)[0].X for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_nobody_changes_the_data():
    with pytest.raises(ValueError, match="read-only"):
        NUMBERS.X[0, 0] = 9
    part = NUMBERS.split(3, seed=0)[0]
    with pytest.raises(ValueError, match="read-only"):
        part.y[0] = 9
