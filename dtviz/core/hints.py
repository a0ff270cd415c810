"""What to write in place of a name that is none here: ours for it, or one that is near."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

ARGUMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "criterion": ("cost",),
        "max_leaf_nodes": ("max_leaves", "n_leaves"),
        "size": ("n_leaves", "max_leaves"),
        "max_leaves": ("n_leaves",),
        "n_leaves": ("max_leaves",),
        "ccp_alpha": ("alpha",),
        "eps": ("epsilon",),
        "bias": ("mu",),
        "weights": ("sample_weight",),
        "class_weight": ("sample_weight",),
        "columns": ("feature_names",),
        "feature_names": ("names",),
        "names": ("feature_names",),
        "cv": ("folds",),
        "random_state": ("rng", "seed"),
        "seed": ("rng",),
    }
)
"""What others call an argument, and what it may be here: the first that a function has."""

ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "min_samples_split": "min_samples_leaf=... limits the leaves",
        "max_features": "every split may be of any column",
        "ccp_alpha": "a tree is pruned by dt.pruning.cost_complexity_prune(tree, X, y, alpha)",
        "random_state": "growth draws nothing, and ties are broken by rule",
        "n_estimators": "this is one tree; BaggingClassifier(TopDownClassifier()) of scikit-learn "
        "has many",
        "max_depth": "growth is cut by max_leaves, and path.tree(n_leaves) is any tree on the way",
        "epsilon": "the path has all errors, and path.tree(epsilon=...) is the tree for one",
    }
)
"""What to do where a function has no such argument."""

THINGS: Mapping[str, str] = MappingProxyType(
    {
        "prune": "dt.pruning.cost_complexity_prune(tree, X, y, alpha)",
        "fit": "dt.grow(X, y)",
        "DecisionTreeClassifier": "dt.TopDownClassifier",
        "DecisionTreeRegressor": "dt.TopDownRegressor",
        "plot_tree": "dt.plot.tree(tree)",
        "export_text": "print(tree)",
        "export_graphviz": "tree.to_dot()",
        "cost_complexity_pruning_path": "dt.pruning.cost_complexity_path(tree, X, y)",
        "feature_importances_": "tree.feature_importances()",
        "permutation_importance": "tree.permutation_importance(X, y)",
        "decision_path": "tree.explain(row)",
        "apply": "tree.apply(X)",
        "predict": "tree.predict(X)",
        "predict_proba": "tree.predict_proba(X)",
        "score": "tree.score(X, y)",
        "get_depth": "tree.depth",
        "get_n_leaves": "tree.n_leaves",
    }
)
"""What others call things, and how they are had here."""


def did_you_mean(value: object, known: Iterable[object]) -> str:
    """The end of a message about a choice that there is not: the nearest one, if one is near.

    >>> from dtviz.core.hints import did_you_mean
    >>> did_you_mean("ginni", ["gini", "entropy"]), did_you_mean("wind", ["gini", "entropy"])
    (": did you mean 'gini'?", '')
    """
    names = {name.lower(): name for name in known if isinstance(name, str)}
    near = get_close_matches(value.lower(), names, 1) if isinstance(value, str) else []
    return f": did you mean {names[near[0]]!r}?" if near else ""


def what_is(name: str, known: Iterable[str], rooms: Mapping[str, Any]) -> str:
    """The end of a message about a name that a module has not, but maybe one in it has."""
    ours = [f"dt.{room}.{name}" for room in rooms if name in getattr(rooms[room], "__all__", ())]
    write = THINGS.get(name) or (ours[0] if len(ours) == 1 else "")
    return f": write {write}" if write else did_you_mean(name, known)


def with_hints(function: Function) -> Function:
    """Let a function say what an argument that it has not is called here."""
    parameters = inspect.signature(function).parameters

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except TypeError:
            unknown = next((name for name in named if name not in parameters), None)
            if unknown is None:
                raise
        ours = next((name for name in ARGUMENTS.get(unknown, ()) if name in parameters), "")
        rest = f": {ADVICE[unknown]}" if unknown in ADVICE else did_you_mean(unknown, parameters)
        hint = f": here it is {ours}=..." if ours else rest
        if not hint:
            hint = f"; it has {', '.join(name for name in parameters if name != 'self')}"
        name = function.__qualname__
        name = type(given[0]).__name__ if name.endswith(".__init__") else name
        raise TypeError(f"{name}() has no argument {unknown!r}{hint}")

    return cast("Function", call)
