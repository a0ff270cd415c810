"""Our trees as scikit-learn's: what reads its trees, to draw or explain them, reads ours."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bridges import as_tree
from dtviz.core.cart.best_first import ImpurityPath
from dtviz.core.checks import as_one_of, look_up, shown
from dtviz.core.costs import entropy, gini
from dtviz.core.data.examples import coded_rows
from dtviz.core.data.labels import as_classes, as_real_labels
from dtviz.core.export import walk
from dtviz.core.tree import Tree
from dtviz.core.validation import moments

__all__ = ["to_sklearn"]

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

CRITERIA = {
    "entropy": ("entropy", entropy),
    **dict.fromkeys(("gini", "error", "sqrt"), ("gini", gini)),
}
"""The impurity that scikit-learn can show of a tree grown by a cost: its name, and how it is."""

NOTHING = -2
"""What scikit-learn has for the feature and the threshold of a leaf."""


@dataclass(frozen=True)
class _Nodes:
    """What scikit-learn knows of each node of a tree: tests, numbers of rows, shares or mean."""

    threshold: Floats
    size: Ints
    weight: Floats
    impurity: Floats
    value: Floats
    classes: Array | None
    n_features: int


def to_sklearn(model: Any, X: Any = None, y: Any = None) -> Any:
    """A fitted DecisionTreeClassifier or DecisionTreeRegressor of scikit-learn's with our tree.

    It predicts, and it can be read like any other: ``tree_`` has the nodes of our tree, in the same
    order, with how many examples each has, their impurity and the shares of the classes. That is
    what ``sklearn.tree.plot_tree`` and ``export_text`` read, and so do tools that draw trees, that
    explain predictions, and that write models in other formats.

    scikit-learn rounds each value to the nearest 32-bit float before it is compared. So its
    predictions are ours unless a value rounds to the same 32-bit float as a threshold of its
    feature. With X, every one of its rows is brought to its leaf: a threshold that rounding would
    pass is moved to the largest 32-bit float on its low side, and where both sides round to one
    number there is an error.

    Parameters
    ----------
    model : Tree, anything with ``tree()`` such as a path, or a fitted estimator of ours
        What is to be converted; of a path its largest tree.
    X : (m, d) array or data frame, optional
        The examples that the tree was grown on. Needed unless the model is a fitted
        TopDownClassifier or TopDownRegressor, which knows its counts: its thresholds are then taken
        as they are.
    y : (m,) array-like, optional
        Their labels.

    Missing values go where our tree sends them; if it has no way for them, with the larger side, as
    in scikit-learn.

    Returns
    -------
    DecisionTreeClassifier or DecisionTreeRegressor
        Its criterion is "entropy" for growth by entropy, in bits, "squared_error" for numbers, else
        "gini". Ordered categories are their codes: the places in ``tree.names.categories[i]``.

    Raises
    ------
    ValueError
        If the model has no tree, a bare one, or one that tests sets of categories; X or y is
        missing, refused by `Tree.predict`, or beyond the 32-bit floats; a leaf has no example, or
        not the most frequent label of its examples (the first of those tied), which is what
        scikit-learn predicts.
    ImportError
        If scikit-learn is not installed.

    Notes
    -----
    scikit-learn has no public way to make a tree. This takes the one by which it unpickles them; a
    release may change that. Tested with 1.6.1 and 1.9.1.

    Examples
    --------
    >>> import dtviz as dt
    >>> from sklearn.tree import export_text
    >>> X, y = [[1.0], [2.0], [4.0]], ["no", "no", "yes"]
    >>> model = dt.to_sklearn(dt.id3(X, y), X, y)
    >>> print(export_text(model))
    |--- feature_0 <= 3.00
    |   |--- class: no
    |--- feature_0 >  3.00
    |   |--- class: yes
    <BLANKLINE>
    >>> model.tree_.n_node_samples.tolist()
    [3, 2, 1]
    >>> str(dt.from_sklearn(model)) == str(dt.id3(X, y))
    True
    """
    tree = as_tree("model", model)
    if tree.is_bare:
        msg = f"model must have labels at its leaves, got {shown(model)}"
        raise ValueError(msg)
    if tree.subsets:
        node = next(iter(tree.subsets))
        text = next(each.text for each in walk(tree, tree.names) if each.number == node)
        msg = (
            "model must have thresholds alone, for scikit-learn has no sets of categories, got "
            f"{text}: grow it on a column of 0 and 1 for each category"
        )
        raise ValueError(msg)
    path = getattr(model, "path_", model)
    cost = path.cost_name if isinstance(path, ImpurityPath) else "gini"
    as_one_of("cost", cost, (*CRITERIA, "squared"))
    if X is not None and y is not None:
        nodes = _counted(tree, X, y, cost)
    elif X is None and y is None and path is not model and isinstance(path, ImpurityPath):
        nodes = _known(tree, path, model.path_nodes_, cost, model.n_features_in_)
    else:
        absent = " and ".join(name for name, given in (("X", X), ("y", y)) if given is None)
        msg = (
            "X and y must be given, the examples that the tree was grown on, unless model is a "
            f"fitted estimator, got None for {absent} with {shown(model)}"
        )
        raise ValueError(msg)
    return _estimator(
        tree,
        nodes,
        "squared_error" if nodes.classes is None else look_up("cost", cost, CRITERIA)[0],
    )


# -- what each node has ----------------------------------------------------------------------------


def _known(tree: Tree, path: ImpurityPath, of_path: Ints, cost: str, n_features: int) -> _Nodes:
    """The nodes of a tree from the counts of the path they are on."""
    size = path.node_examples[of_path]
    if path.classes is None:
        spread: Floats = path.node_cost[of_path] / path.node_probability[of_path]
        value = path.node_value[of_path].astype(np.float64)
        # What examples weigh is known in proportion: 1 each, on average.
        weight = path.node_probability[of_path] * size[0]
        return _Nodes(tree.threshold, size, weight, spread, value[:, None], None, n_features)
    counts = path.class_counts[of_path]
    return _classified(tree.threshold, size, counts, cost, path.classes, n_features)


def _counted(tree: Tree, X: Any, y: Any, cost: str) -> _Nodes:
    """The nodes of a tree on examples, and thresholds that bring all to their leaves."""
    leaf = tree.apply(X)
    size = np.bincount(leaf, minlength=tree.n_nodes)
    empty = tree.leaves[size[tree.leaves] == 0]
    if empty.size:
        msg = (
            f"X must reach every leaf of the tree, got none for node {int(empty[0])} in {shown(X)}"
        )
        raise ValueError(msg)
    rows = np.asarray(coded_rows(X, tree.names))
    if tree.names.features is not None:
        rows = rows[:, : len(tree.names.features)]
    threshold, n_features = _rounded(tree, rows, leaf), rows.shape[1]
    size = _sums(tree, size)
    if tree.is_regression:
        weight, mean, squares = moments(tree, leaf, as_real_labels(y, leaf.size))
        label = np.asarray(tree.value, dtype=np.float64)
        value: Floats = np.where(tree.variable < 0, label, mean)
        loss: Floats = squares / weight
        return _Nodes(threshold, size, weight, loss, value[:, None], None, n_features)
    classes, codes = as_classes(y, leaf.size)
    at_leaf = np.bincount(leaf * classes.size + codes, minlength=tree.n_nodes * classes.size)
    counts = _sums(tree, at_leaf.reshape(tree.n_nodes, classes.size))
    _check_labels(tree, counts, classes)
    return _classified(threshold, size, counts, cost, classes, n_features)


def _classified(  # noqa: PLR0913, PLR0917 -- the nodes, column by column
    threshold: Floats, size: Ints, counts: Array, cost: str, classes: Array, n_features: int
) -> _Nodes:
    weight = counts.sum(axis=1)
    shares = counts / weight[:, None]
    impurity = look_up("cost", cost, CRITERIA)[1](shares)
    return _Nodes(threshold, size, weight.astype(np.float64), impurity, shares, classes, n_features)


def _sums(tree: Tree, at_leaf: Array) -> Array:
    """For each node of a tree in preorder the sum over the leaves below, which are neighbours."""
    before = np.concatenate([np.zeros_like(at_leaf[:1]), np.cumsum(at_leaf, axis=0)])
    start = np.arange(tree.n_nodes)
    return np.asarray(before[start + 2 * tree.leaves_below - 1] - before[start])


def _check_labels(tree: Tree, counts: Array, classes: Array) -> None:
    """Refuse leaves whose label scikit-learn would not predict."""
    leaves = tree.leaves.tolist()
    labels = np.asarray(tree.value)[leaves].tolist()
    likeliest = classes[counts[leaves].argmax(axis=1)].tolist()
    for leaf, label, likely in zip(leaves, labels, likeliest, strict=True):
        if label != likely:
            msg = (
                "y must have the label of each leaf as its most frequent there, the first of those "
                f"tied, got {shown(likely)} at node {leaf}, which is labelled {shown(label)}"
            )
            raise ValueError(msg)


def _rounded(tree: Tree, rows: Array, leaf: Ints) -> Floats:
    """Thresholds that bring the rows, rounded to 32-bit floats, to the leaves they belong to."""
    with np.errstate(over="ignore"):
        rounded = rows.astype(np.float32)
    if np.isinf(rounded).any():
        row, i = np.argwhere(np.isinf(rounded))[0].tolist()
        msg = f"X must be finite as 32-bit floats, got {rows[row, i]} in row {row}, column {i}"
        raise ValueError(msg)
    largest, least = np.full(tree.n_nodes, -np.inf), np.full(tree.n_nodes, np.inf)
    active, node = np.arange(len(rows)), np.zeros(len(rows), dtype=np.intp)
    while True:
        goes = tree.variable[node] >= 0
        active, node = active[goes], node[goes]
        if active.size == 0:
            break
        value = rounded[active, tree.variable[node]].astype(np.float64)
        # In preorder the high subtree comes after all of the low one.
        is_high = leaf[active] >= tree.high[node]
        np.fmax.at(largest, node[~is_high], value[~is_high])
        np.fmin.at(least, node[is_high], value[is_high])
        node = np.where(is_high, tree.high[node], tree.low[node])
    same = (tree.variable >= 0) & (largest >= least)
    if same.any():
        split = int(same.argmax())
        i, at = int(tree.variable[split]), float(tree.threshold[split])
        msg = (
            "X must have values that differ as 32-bit floats on both sides of each test, got "
            f"{largest[split]:.9g} on both sides of {tree.names.feature(i)} <= {at:.17g}: subtract "
            "from the column what all its values share, before the tree is grown"
        )
        raise ValueError(msg)
    fits = (largest <= tree.threshold) & (tree.threshold < least)
    return np.where((tree.variable < 0) | fits, tree.threshold, largest)


# -- the estimator ---------------------------------------------------------------------------------


def _goes_left(tree: Tree, weight: Floats) -> npt.NDArray[np.bool_]:
    """The way of missing values; where none was missing, that of more weight."""
    if tree.missing is not None:
        return tree.missing
    return np.asarray((tree.variable >= 0) & (weight[tree.low] > weight[tree.high]))


def _estimator(tree: Tree, nodes: _Nodes, criterion: str) -> Any:
    sklearn_tree = importlib.import_module("sklearn.tree")
    low_level = importlib.import_module("sklearn.tree._tree")
    is_inner = tree.variable >= 0
    columns = {
        "left_child": tree.low,
        "right_child": tree.high,
        "feature": np.where(is_inner, tree.variable, NOTHING),
        "threshold": np.where(is_inner, nodes.threshold, NOTHING),
        "impurity": nodes.impurity,
        "n_node_samples": nodes.size,
        "weighted_n_node_samples": nodes.weight,
        "missing_go_to_left": _goes_left(tree, nodes.weight),
    }
    table = np.zeros(tree.n_nodes, dtype=low_level.NODE_DTYPE)
    for name, column in columns.items():
        table[name] = column
    n_classes = 1 if nodes.classes is None else nodes.classes.size
    grown = low_level.Tree(nodes.n_features, np.array([n_classes], dtype=np.intp), 1)
    grown.__setstate__(
        {
            "max_depth": tree.depth,
            "node_count": tree.n_nodes,
            "nodes": table,
            "values": np.ascontiguousarray(nodes.value[:, None, :], dtype=np.float64),
        }
    )
    fitted: dict[str, Any] = {
        "tree_": grown,
        "n_features_in_": nodes.n_features,
        "n_outputs_": 1,
        "max_features_": nodes.n_features,
    }
    if tree.names.features is not None:
        fitted["feature_names_in_"] = np.array(tree.names.features, dtype=object)
    if nodes.classes is None:
        model = sklearn_tree.DecisionTreeRegressor(criterion=criterion)
    else:
        model = sklearn_tree.DecisionTreeClassifier(criterion=criterion)
        fitted |= {"classes_": nodes.classes, "n_classes_": np.int64(n_classes)}
    vars(model).update(fitted)
    return model
