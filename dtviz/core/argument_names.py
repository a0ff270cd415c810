"""Arguments by the names of other libraries: an error that says what they are called here."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

OURS = {
    **dict.fromkeys(("criterion", "loss", "objective"), "cost"),
    **dict.fromkeys(("max_leaf_nodes", "num_leaves", "n_leaves"), "max_leaves"),
    **dict.fromkeys(("min_impurity_split", "min_gain_to_split"), "min_impurity_decrease"),
    **dict.fromkeys(("weights", "weight"), "sample_weight"),
    **dict.fromkeys(("random_state", "seed"), "rng"),
    "min_data_in_leaf": "min_samples_leaf",
    "categorical_features": "categories",
    "cv": "folds",
    "ccp_alpha": "alpha",
}
"""What arguments of scikit-learn and of boosters are called here."""

OF_GROW = (
    *("cost", "max_leaves", "max_depth", "feature_names", "categories", "sample_weight"),
    *("min_samples_leaf", "min_weight_fraction_leaf", "min_impurity_decrease"),
)
"""What `grow` has, and what calls it may not have."""

NOTES = {
    **dict.fromkeys(("random_state", "seed"), "nothing is random, ties have a rule"),
    "min_samples_split": "min_samples_leaf of grow() says how small a leaf may be",
    "splitter": "the best split is always taken",
    "max_features": "all features are tried at each split",
    "ccp_alpha": "the tree is pruned afterwards, by cost_complexity_prune",
    "class_weight": "sample_weight says what each example counts",
    "class_names": "labels are their own names, so give y as text",
    "monotonic_cst": "trees here are not constrained",
}
"""What takes the place of arguments that there are not."""


def with_hints(function: Callable[P, R]) -> Callable[P, R]:
    """The same function; of an argument that it does not have, the error says what there is."""
    parameters = inspect.signature(function).parameters
    name = function.__qualname__.removesuffix(".__init__")

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        for given in kwargs:
            if given not in parameters:
                raise TypeError(f"{name}() has no argument {given}{_hint(given, [*parameters])}")
        return function(*args, **kwargs)

    return called


def _hint(given: str, known: list[str]) -> str:
    ours = OURS.get(given, given)
    if ours in known:
        return f": here it is {ours}"
    if given in NOTES:
        return f": {NOTES[given]}"
    if ours in OF_GROW:
        return f": grow() has {ours}"
    close = get_close_matches(given, known, 1)
    if close:
        return f": did you mean {close[0]}?"
    return f", but {', '.join(one for one in known if one != 'self')}"
