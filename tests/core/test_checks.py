"""Names of which two are equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dtviz as dt

TREE = dt.id3([[1, 2], [3, 4]], [0, 1])
TABLE = np.array([[1, 2], [3, 4]])
TWICE = {
    "grow": lambda: dt.grow(TABLE, [0, 1], feature_names=["a", "a"]),
    "id3": lambda: dt.id3(TABLE, [0, 1], feature_names=["a", "a"]),
    "named": lambda: TREE.named(["a", "a"]),
    "text": lambda: TREE.to_text(["a", "a"]),
    "picture": lambda: dt.plot.tree(TREE, names=["a", "a"]),
    "categorical": lambda: dt.grow(pd.DataFrame({"c": pd.Categorical(["a", A()])}), [0, 1]),
    "explorer": lambda: dt.ImpurityExplorer(TABLE, [0, 1], feature_names=["a", "a"]),
    "its labels": lambda: dt.ImpurityExplorer(TABLE, [0, 1], class_names=["a", "a"]),
}


class A:
    """What reads like the text a."""

    def __str__(self) -> str:
        return "a"


@pytest.mark.parametrize("call", TWICE.values(), ids=TWICE)
def test_two_equal_names_are_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(
        ValueError,
        match=r"^(feature_names|class_names|categories of .*) must be (2 )?different names, got ",
    ):
        call()


def test_one_column_at_both_axes_is_no_fault() -> None:
    points = [[1, 1, 0], [2, 2, 1]]
    explorer = dt.ImpurityExplorer(
        view="plane", data="yours", points=points, names=["a", "a", "n", "y"]
    )
    assert str(explorer.tree()).startswith("a <= 1.5")
    assert explorer.tree().names.features == ("a", "again a")
