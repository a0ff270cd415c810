"""What is called otherwise in scikit-learn, and names of which two are equal."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import dtviz as dt
from dtviz.core.checks import NOTES, OF_GROW, OURS

X, Y = [[1], [2], [3], [4]], [0, 1, 0, 1]
PRUNE = partial(dt.pruning.cross_validated_prune, X, Y, dt.grow, folds=2)


@pytest.mark.parametrize(
    ("call", "given", "message"),
    [
        (partial(dt.grow, X, Y), "criterion", "grow() has no argument criterion: here it is cost"),
        (partial(dt.grow, X, Y), "max_leaf_nodes", "here it is max_leaves"),
        (partial(dt.grow, X, Y), "random_state", "nothing is random"),
        (partial(dt.grow, X, Y), "ccp_alpha", "afterwards, by cost_complexity_prune"),
        (partial(dt.grow, X, Y), "max_depht", "did you mean max_depth?"),
        (partial(dt.id3, X, Y), "max_depth", "id3() has no argument max_depth: grow() has"),
        (dt.TopDownClassifier, "criterion", "TopDownClassifier() has no argument criterion: here"),
        (dt.TopDownClassifier, "splitter", "the best split is always taken"),
        (PRUNE, "random_state", "here it is rng"),
        (PRUNE, "other", "argument other, but X, y, grow, folds, rng, sample_weight, classes"),
    ],
)
def test_an_argument_of_another_library_is_named(
    call: Callable[..., Any], given: str, message: str
) -> None:
    with pytest.raises(TypeError) as caught:
        call(**{given: 1})
    assert message in str(caught.value)


def test_hints_are_of_what_there_is() -> None:
    """Nothing of ours is hinted at under its own name, and all of scikit-learn's is known."""
    ours = set(inspect.signature(dt.grow).parameters)
    assert set(OF_GROW) <= ours
    theirs = set(inspect.signature(DecisionTreeClassifier).parameters)
    assert theirs - ours <= {*OURS, *NOTES}
    assert not ours & {*OURS, *NOTES}


def test_signatures_are_those_of_the_functions() -> None:
    assert pickle.loads(pickle.dumps(dt.grow)) is dt.grow  # noqa: S301
    assert next(iter(inspect.signature(dt.grow).parameters)) == "X"
    model = clone(dt.TopDownClassifier(max_leaves=3))
    assert model.get_params()["max_leaves"] == 3
    assert set(model.get_params()) == set(inspect.signature(dt.TopDownClassifier).parameters)
    with pytest.raises(TypeError, match=r"grow\(\) missing 1 required positional argument: 'y'"):
        dt.grow(X)  # type: ignore[call-arg]


TREE = dt.id3([[1, 2], [3, 4]], [0, 1])
TABLE = np.array([[1, 2], [3, 4]])
TWICE = {
    "grow": lambda: dt.grow(TABLE, [0, 1], feature_names=["a", "a"]),
    "id3": lambda: dt.id3(TABLE, [0, 1], feature_names=["a", "a"]),
    "named": lambda: TREE.named(["a", "a"]),
    "text": lambda: TREE.to_text(["a", "a"]),
    "picture": lambda: dt.plot.tree(TREE, names=["a", "a"]),
    "categories": lambda: dt.grow([[0], [1]], [0, 1], categories={0: ["a", "a"]}),
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
