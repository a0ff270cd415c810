"""What to write in place of a name that is none here: ours for it, or one that is near."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

ARGUMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "criterion": ("cost",),
        "max_leaf_nodes": ("max_leaves", "n_leaves", "leaves"),
        "max_depth": ("depth",),
        "size": ("n_leaves", "max_leaves"),
        "max_leaves": ("n_leaves",),
        "n_leaves": ("max_leaves",),
        "ccp_alpha": ("alpha",),
        "eps": ("epsilon",),
        "bias": ("mu",),
        "mu": ("bias",),
        "weights": ("sample_weight",),
        "class_weight": ("sample_weight",),
        "columns": ("feature_names",),
        "feature_names": ("names", "variables"),
        "names": ("feature_names", "variables"),
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
        "max_depth": "dt.grow has it, and path.tree(n_leaves) is any tree on the way",
        "loss": "tree.relabel(loss) has it, and what prunes by errors, without a bound for them",
        "feature_names": "a data frame has them, and tree.named(names) has others",
        "names": "tree.named(names) has others",
        "class_names": "labels may be text, and tree.named(class_names=...) has names for them",
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

MOVED: Mapping[str, str] = MappingProxyType(
    {
        "to_text": "print(path.tree())",
        "to_sql": "path.tree().to_sql()",
        "rules": "path.tree().rules()",
        "explain": "path.tree().explain(row)",
        "relabel": "path.tree().relabel(loss)",
        "to_python": "tree.to_sql(), tree.rules() or tree.to_dict()",
        "split_shares": "run.shares(f), of dt.product.build_top_down_sampled",
        "rank_of_leaves": "n_leaves.bit_length() - 1",
    }
)
"""What another thing has, or was in the edition before, and what to write for it."""

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "squared": ("mse", "squared_error", "friedman_mse"),
        "entropy": ("log_loss", "cross_entropy"),
        "error": ("misclassification", "zero_one_loss"),
    }
)
"""What others call a choice."""

OLD_NAMES: Mapping[str, str] = MappingProxyType({"labelled": "labeled"})
"""What attributes were called in the edition before."""


def did_you_mean(value: object, known: Iterable[object]) -> str:
    """The end of a message about a choice that there is not: the nearest one, if one is near.

    >>> from dtviz.core.hints import did_you_mean
    >>> did_you_mean("ginni", ["gini", "entropy"]), did_you_mean("wind", ["gini", "entropy"])
    (": did you mean 'gini'?", '')
    """
    names = {name.lower(): name for name in known if isinstance(name, str)}
    near: list[str] = []
    if isinstance(value, str):
        near = [name for name in names if value in CHOICES.get(name, ())]
        near = near or get_close_matches(value.lower(), names, 1)
    return f": did you mean {names[near[0]]!r}?" if near else ""


def what_is(name: str, known: Iterable[str], rooms: Mapping[str, Any]) -> str:
    """The end of a message about a name that a module has not, but maybe one in it has."""
    ours = [f"dt.{room}.{name}" for room in rooms if name in getattr(rooms[room], "__all__", ())]
    write = THINGS.get(name) or MOVED.get(name) or (ours[0] if len(ours) == 1 else "")
    return f": write {write}" if write else did_you_mean(name, known)


def ours_for(name: str, known: Iterable[str]) -> str:
    """The end of a message about an argument that there is not: what it is called here."""
    known = [*known]
    ours = next((ours for ours in ARGUMENTS.get(name, ()) if ours in known), "")
    advice = f": {ADVICE[name]}" if name in ADVICE else did_you_mean(name, known)
    return f": here it is {ours}=..." if ours else advice


def with_hints(function: Function, called: str = "") -> Function:
    """Let a function, or the public methods of a class, say what an argument is called here."""
    if isinstance(function, type):
        for name, method in [*vars(function).items()]:
            made = f"{function.__name__}.{name}"
            if inspect.isfunction(method) and (name[0] != "_" or name == "__init__"):
                setattr(function, name, with_hints(method, made))
            elif isinstance(method, classmethod) and name[0] != "_":
                setattr(function, name, classmethod(with_hints(method.__func__, made)))
        return function
    parameters = inspect.signature(function).parameters
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return function

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except TypeError:
            unknown = next((name for name in named if name not in parameters), None)
            if unknown is None:
                raise
        own = [name for name in [*parameters][bool(called) :] if name != "self"]
        hint = ours_for(unknown, own) or f"; it has {', '.join(own)}"
        name = called or function.__qualname__
        name = type(given[0]).__name__ if name.endswith(".__init__") else name
        raise TypeError(f"{name}() has no argument {unknown!r}{hint}")

    return cast("Function", call)


class SaysNames:
    """Base of what says, for a name that it has not, what to write: ours for it, or one near."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in OLD_NAMES and hasattr(type(self), OLD_NAMES[name]):
                says = f"{name} is called {OLD_NAMES[name]} now"
                warnings.warn(says, DeprecationWarning, stacklevel=2)
                return getattr(self, OLD_NAMES[name])
            msg = f"{type(self).__name__!r} object has no attribute {name!r}"
            public = [known for known in dir(self) if known[0] != "_"] if name[0] != "_" else ()
            raise AttributeError(msg + what_is(name, public, {}))
