"""Trees of LightGBM and XGBoost as ours, read from what these write; neither is imported."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from dtviz.core.checks import shown
from dtviz.core.names import Names
from dtviz.core.tree import Tree

__all__ = ["from_lightgbm", "from_xgboost"]


class _Read(NamedTuple):
    """A node of a dump: a test with two nodes below, or a leaf, whose variable is -1.

    ``goes_low`` is the way of missing values, and ``codes`` go low in a test of categories.
    """

    variable: int
    threshold: float
    value: float
    below: tuple[Any, ...] = ()
    goes_low: bool = False
    codes: frozenset[int] | None = None


def from_lightgbm(model: Any) -> tuple[Tree, ...]:
    """The trees of a model of LightGBM's, to be drawn and read; its prediction adds them up.

    Both libraries compare 64-bit floats, so each tree gives each row the value that LightGBM's
    tree gives it, missing values and categories included: these are the codes that LightGBM has.

    Parameters
    ----------
    model : Booster, fitted LGBMModel, or the dict that ``Booster.dump_model()`` makes
        With several classes the trees of a round stand side by side, one a class.

    Returns
    -------
    tuple of Tree
        Labelled by numbers, what each leaf adds; with the names of the features.

    Raises
    ------
    ValueError
        If it is none of these, or a tree takes zeros for missing values or has linear leaves.

    Examples
    --------
    >>> import dtviz as dt
    >>> low, high = {"leaf_value": -0.5}, {"leaf_value": 0.5}
    >>> test = {"split_feature": 0, "threshold": 1.5, "decision_type": "<=", "missing_type": "None"}
    >>> root = {**test, "left_child": low, "right_child": high}
    >>> dump = {"feature_names": ["size"], "tree_info": [{"tree_structure": root}]}
    >>> print(dt.from_lightgbm(dump)[0])
    size <= 1.5
    ├─ yes: -0.5
    └─ no: 0.5
    """
    booster = getattr(model, "booster_", model)
    # XGBoost's has a method of that name too, which writes a file.
    is_booster = hasattr(type(booster), "dump_model") and not hasattr(type(booster), "get_dump")
    dump = booster.dump_model() if is_booster else booster
    rule = "model must be a Booster of LightGBM's, or a dict as its dump_model() makes it"
    if not isinstance(dump, Mapping) or not {"feature_names", "tree_info"} <= set(dump):
        msg = f"{rule}, got {shown(model)}"
        raise ValueError(msg)
    try:
        names = Names(tuple(map(str, dump["feature_names"])), frozenset())
        roots = [grown["tree_structure"] for grown in dump["tree_info"]]
        return tuple(_tree(root, _lightgbm_node, names) for root in roots)
    except (KeyError, TypeError) as error:
        msg = f"{rule}, got one in which {type(error).__name__} {error} is met: {shown(model)}"
        raise ValueError(msg) from None


def from_xgboost(model: Any, feature_names: Iterable[str] | None = None) -> tuple[Tree, ...]:
    """The trees of a model of XGBoost's, to be drawn and read; its margin is their sum and a base.

    XGBoost tests ``x < t`` on 32-bit floats. Here that is ``x <= s``, s being the next 32-bit float
    below t, or ``t - 1/2`` for a feature of whole numbers: each tree gives each row of 32-bit
    floats (``X.astype(numpy.float32)``) the value that XGBoost's tree gives it, missing values
    included. Text and pictures may round s to t.

    Parameters
    ----------
    model : Booster, fitted XGBModel, or list of str
        A list is ``Booster.get_dump(dump_format="json")``. It does not tell whole numbers from
        others.
    feature_names : sequence of str, optional
        Of a list, what the features are called there, in the order of the columns; needed unless
        they are called ``f0, f1, ...``.

    Returns
    -------
    tuple of Tree
        Labelled by numbers, what each leaf adds. With several classes the trees of a round stand
        side by side, one a class.

    Raises
    ------
    ValueError
        If it is none of these, a test is of categories or has no threshold, or a feature has no
        place among the names.

    Examples
    --------
    >>> import dtviz as dt
    >>> leaves = '{"nodeid": 1, "leaf": -0.5}, {"nodeid": 2, "leaf": 0.5}'
    >>> test = '"nodeid": 0, "split": "f1", "split_condition": 1.5, "yes": 1, "no": 2, "missing": 1'
    >>> print(dt.from_xgboost(['{%s, "children": [%s]}' % (test, leaves)])[0])
    x1 <= 1.5
    ├─ yes: -0.5
    └─ no: 0.5
    """
    booster = model.get_booster() if hasattr(type(model), "get_booster") else model
    rule = "model must be a Booster of XGBoost's, or a list of trees as text in JSON"
    dumps, kinds = booster, None
    if hasattr(type(booster), "get_dump"):
        dumps, kinds = booster.get_dump(dump_format="json"), booster.feature_types
        feature_names = booster.feature_names if feature_names is None else feature_names
    if not isinstance(dumps, (list, tuple)) or not all(isinstance(dump, str) for dump in dumps):
        msg = f"{rule}, got {shown(model)}"
        raise ValueError(msg)
    names = Names(None if feature_names is None else _texts(feature_names), frozenset())
    place = {name: i for i, name in enumerate(names.features or ())}
    whole = {i for i, kind in enumerate(kinds or ()) if kind == "int"}

    def node(one: Any) -> _Read:
        return _xgboost_node(one, place, whole)

    try:
        return tuple(_tree(json.loads(dump), node, names) for dump in dumps)
    except (KeyError, TypeError, json.JSONDecodeError, RecursionError) as error:
        msg = f"{rule}, got one in which {type(error).__name__} {error} is met: {shown(model)}"
        raise ValueError(msg) from None


def _texts(names: Any) -> tuple[str, ...]:
    try:
        listed = () if isinstance(names, str) else tuple(names)
    except TypeError:
        listed = ()
    if not listed or not all(isinstance(name, str) for name in listed):
        msg = f"feature_names must be a sequence of strings, got {shown(names)}"
        raise ValueError(msg)
    return listed


def _tree(root: Any, read: Callable[[Any], _Read], names: Names) -> Tree:
    """A tree of nested nodes, however deep."""
    waiting, found = [root], []
    while waiting:
        node = read(waiting.pop())
        found.append(node)
        waiting.extend(reversed(node.below))
    variable, threshold, value = (
        np.array(column) for column in zip(*(node[:3] for node in found), strict=True)
    )
    missing = [node.goes_low for node in found]
    subsets = {k: node.codes for k, node in enumerate(found) if node.codes is not None}
    return Tree(variable, value, threshold, names, missing, subsets, is_regression=True)


def _lightgbm_node(node: Any) -> _Read:
    if "split_feature" not in node:
        if node.get("leaf_coeff"):
            _refuse("numbers at its leaves", "a linear leaf")
        return _Read(-1, 0.5, float(node["leaf_value"]))
    if node["missing_type"] == "Zero":
        _refuse("zeros that are zeros", "one that takes them for missing values")
    is_own = node["missing_type"] == "NaN"
    below = node["left_child"], node["right_child"]
    variable, bound = node["split_feature"], node["threshold"]
    # Without a way of its own, what is missing is 0.
    if node["decision_type"] == "==":
        codes = frozenset(map(int, str(bound).split("||")))
        return _Read(variable, 0.5, 0.0, below, not is_own and 0 in codes, codes)
    goes_low = node["default_left"] if is_own else float(bound) >= 0
    return _Read(variable, float(bound), 0.0, below, goes_low)


def _xgboost_node(node: Any, place: Mapping[str, int], whole: set[int]) -> _Read:
    if "leaf" in node:
        return _Read(-1, 0.5, float(node["leaf"]))
    name, bound = node["split"], node.get("split_condition")
    if bound is None:
        told = f"one without, of {shown(name)}: train on 0 and 1 in place of booleans"
        _refuse("tests with a threshold", told)
    if isinstance(bound, bool) or not isinstance(bound, (int, float)):
        _refuse("tests of numbers alone", f"one of categories, {name}: {shown(bound)}")
    if place:
        variable = place.get(name, -1)
    else:
        variable = int(name[1:]) if re.fullmatch("f[0-9]{1,9}", name) else -1
    if variable < 0:
        msg = f"feature_names must have the names of all features, got {shown(list(place))}"
        raise ValueError(f"{msg} for {shown(name)}")
    children = {child["nodeid"]: child for child in node["children"]}
    below = children[node["yes"]], children[node["no"]]
    goes_low = node["missing"] == node["yes"]
    if variable in whole:
        return _Read(variable, bound - 0.5, 0.0, below, goes_low)
    threshold = float(np.nextafter(np.float32(bound), np.float32(-np.inf)))
    return _Read(variable, threshold, 0.0, below, goes_low)


def _refuse(rule: str, got: str) -> None:
    msg = f"model must have {rule}, got {got}"
    raise ValueError(msg)
