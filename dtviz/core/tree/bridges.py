"""Trees that others grew, and whatever has a tree, as a `Tree`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from dtviz.core.bases import Ints
from dtviz.core.checks import as_repr
from dtviz.core.names import Names
from dtviz.core.tree.node_sums import NodeSums
from dtviz.core.tree.tree import Tree


def from_sklearn(estimator: Any) -> Tree:
    """The tree of a fitted decision tree of scikit-learn's.

    Thresholds are taken as they are. scikit-learn rounds each value to the nearest 32-bit float
    before it is compared, and a `Tree` does not. So both predict the same for every row whose
    values are 32-bit floats: ``tree.predict(X.astype(numpy.float32))`` always does what
    ``estimator.predict(X)`` does. Without it they differ at most where a value rounds to the same
    32-bit float as a threshold. Missing values go where the estimator sends them.

    The estimator may be an ExtraTree, too, fitted to one column of labels; the trees of a forest
    are in its ``estimators_``. The tree has the classes, and the names of a data frame's columns.

    Examples
    --------
    >>> import dtviz as dt
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1.0], [2.0], [4.0]], ["no", "no", "yes"])
    >>> print(dt.from_sklearn(model))
    x0 <= 3
    ├─ yes: no
    └─ no: yes
    """
    if not _is_sklearn(estimator):
        msg = (
            "estimator must be a decision tree of scikit-learn's, such as DecisionTreeClassifier, "
            f"got {as_repr(estimator)}"
        )
        raise ValueError(msg)
    return _read("estimator", estimator)


def _read(name: str, estimator: Any) -> Tree:
    if not hasattr(estimator, "tree_"):
        msg = f"{name} must be fitted, got {as_repr(estimator)} without fit(X, y)"
        raise ValueError(msg)
    if estimator.n_outputs_ != 1:
        msg = f"{name} must predict one label a row, got one with {estimator.n_outputs_}"
        raise ValueError(msg)
    grown = estimator.tree_
    order = _preorder(grown.children_left, grown.children_right)
    is_inner = grown.children_left[order] >= 0
    threshold = np.where(is_inner, grown.threshold[order], 0.5)
    variable = np.where(is_inner, grown.feature[order], -1)
    missing = grown.missing_go_to_left[order].astype(bool)
    value, labels = grown.value[order, 0], None
    if hasattr(estimator, "classes_"):
        # An array of objects, as of a data frame, becomes one of text or of numbers.
        classes = np.array(estimator.classes_.tolist())
        label, labels = classes[value.argmax(axis=1)], tuple(classes.tolist())
    else:
        label = value[:, 0]
    features = getattr(estimator, "feature_names_in_", None)
    # Which features are bits is not known, so none is shown as one.
    names = Names(None if features is None else tuple(features.tolist()), frozenset(), {}, labels)
    weight = grown.weighted_n_node_samples[order]
    costs = grown.impurity[order] * weight / weight[0]
    if labels is None:
        sums = NodeSums(weight[:, None], costs, None, label, grown.n_features)
    else:  # counts before scikit-learn 1.3, shares since
        counts = value / value.sum(axis=1, keepdims=True) * weight[:, None]
        sums = NodeSums(counts, costs, classes, None, grown.n_features)
    is_regression = labels is None
    return Tree(variable, label, threshold, names, missing, is_regression=is_regression, sums=sums)


def as_tree(name: str, thing: Any) -> Tree:
    """The tree of a result or a fitted estimator, the largest if it has several.

    A ValueError if there is none; the message calls it ``name`` and lists what has one.
    """
    if isinstance(thing, Tree):
        return thing
    if _is_sklearn(thing):
        return _read(name, thing)
    # Looked up in the class: a module may have a function of that name.
    tree = None
    if callable(getattr(type(thing), "tree", None)):
        tree = thing.tree()
    elif hasattr(type(thing), "fit"):
        tree = getattr(thing, "tree_", None)
    if not isinstance(tree, Tree):
        msg = (
            f"{name} must be a Tree, a result that has tree() (a path, a pruning), or a fitted "
            "decision tree (TopDownClassifier, TopDownRegressor, or one of scikit-learn's), "
            f"got {as_repr(thing)}"
        )
        raise ValueError(msg)
    return tree


def _is_sklearn(thing: object) -> bool:
    """Whether it is a decision tree of scikit-learn's, which is loaded if there is one."""
    module = sys.modules.get("sklearn.tree")
    return module is not None and isinstance(thing, module.BaseDecisionTree)


def _preorder(low: Ints, high: Ints) -> Ints:
    """The nodes of a tree in preorder, given the children of each, -1 at a leaf."""
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if low[node] >= 0:
            waiting += [int(high[node]), int(low[node])]
    return np.array(order, dtype=np.intp)
