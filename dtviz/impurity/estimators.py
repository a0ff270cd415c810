"""Growth by impurity as estimators with scikit-learn's conventions.

Where scikit-learn is installed, they are scikit-learn estimators: parameters, tags, representation
and metadata routing are inherited. Without it they behave the same.
"""

from __future__ import annotations

import importlib
import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import date, time, timedelta
from numbers import Number
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from dtviz.core.cart.best_first import ImpurityPath, grow
from dtviz.core.cart.weights import BITS, Weights, read_weights
from dtviz.core.checks import as_given, as_one_of, as_real, as_repr
from dtviz.core.criteria import Cost, as_criterion
from dtviz.core.data.examples import refuse_sparse
from dtviz.core.data.frames import names_of
from dtviz.core.data.labels import REGRESSION, accuracy, as_classes, r_squared
from dtviz.core.prunings import equal_prices, weakest_links
from dtviz.core.tree import Tree
from dtviz.core.tree_arrays import UNKNOWN_CATEGORIES, labels_of, read_rows
from dtviz.impurity.conventions import (
    BaseEstimator,
    ClassifierMixin,
    DataConversionWarning,
    NotFitted,
    RegressorMixin,
)

__all__ = ["NotFittedError", "TopDownClassifier", "TopDownRegressor"]

PLAIN = (Number, str, bytes, np.generic, type(None), date, time, timedelta)
"""What an array of objects may hold here; `grow` refuses more, with an error of its own."""

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


class NotFittedError(NotFitted):
    """Raised where a method needs ``fit`` first; one of scikit-learn's, where it is installed."""


class TopDownEstimator(BaseEstimator, ABC):
    """What the classifier and the regressor share."""

    max_leaves: int | None
    max_depth: int | None
    min_samples_leaf: int
    min_impurity_decrease: float
    ccp_alpha: float
    unknown: str
    path_: ImpurityPath
    tree_: Tree
    n_features_in_: int
    feature_names_in_: Array
    path_nodes_: Ints

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree."""

    def apply(self, X: Any) -> Ints:
        """The leaf of ``tree_`` that each row reaches, an (m,) array of its nodes.

        Raises
        ------
        NotFittedError
            If there was no ``fit`` before.
        ValueError
            If X is no such array, or has other features than ``fit`` saw.
        """
        return self._leaf(X)

    def decision_path(self, X: Any) -> Any:
        """Which nodes of ``tree_`` each row passes, root and leaf included.

        Returns
        -------
        scipy.sparse.csr_matrix
            Of shape (m, ``tree_.n_nodes``), 1 where the row passes the node.

        Raises
        ------
        ImportError
            Without SciPy.
        NotFittedError, ValueError
            As `apply`.
        """
        leaf = self.apply(X)
        sparse = importlib.import_module("scipy.sparse")
        tree = self.tree_
        above = np.full(tree.n_nodes, -1, dtype=np.intp)
        inner = tree.variable >= 0
        above[tree.low[inner]] = above[tree.high[inner]] = np.flatnonzero(inner)
        depth = tree.node_depth
        end = np.cumsum(depth[leaf] + 1)
        nodes = np.empty(end[-1], dtype=np.intp)
        here, place = leaf, end - 1
        while here.size:
            nodes[place] = here
            on = above[here] >= 0
            here, place = above[here[on]], place[on] - 1
        passed = np.ones(nodes.size, dtype=np.intp)
        return sparse.csr_matrix(
            (passed, nodes, np.append(0, end)), shape=(leaf.size, tree.n_nodes)
        )

    def predict(self, X: Any) -> Array:
        """The label, or the mean, of the leaf that each row reaches.

        ``X`` is a table with the features seen in ``fit``, read as it was there.

        Raises
        ------
        NotFittedError
            If there was no ``fit`` before.
        ValueError
            If X is no such array, or has other features than ``fit`` saw.
        """
        leaf = self._leaf(X)
        return labels_of(self.tree_, "predict")[leaf]

    def get_depth(self) -> int:
        """The depth of ``tree_``; a NotFittedError before ``fit``."""
        return self._tree().depth

    def get_n_leaves(self) -> int:
        """The size of ``tree_``; a NotFittedError before ``fit``."""
        return self._tree().n_leaves

    @property
    def feature_importances_(self) -> Floats:
        """The share of each feature in what all splits of ``tree_`` take off the cost, (d,) floats.

        They sum to 1, or are all 0 where no split takes anything off. A NotFittedError before
        ``fit``.
        """
        tree = self._tree()
        drops = self.path_.node_score[self.path_nodes_]
        inner = tree.variable >= 0
        sums = np.bincount(tree.variable[inner], drops[inner], minlength=self.n_features_in_)
        whole = float(sums.sum())
        shares: Floats = sums / whole if whole > 0 else np.zeros(sums.size)
        return shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        return tags

    @property
    def _name(self) -> str:
        return type(self).__name__

    def _tree(self) -> Tree:
        if "tree_" not in vars(self):
            msg = f"this {self._name} is not fitted yet: call fit(X, y) first"
            raise NotFittedError(msg)
        return self.tree_

    def _grow(self, X: Any, y: Any, cost: Cost, sample_weight: Any) -> None:
        as_one_of("unknown", self.unknown, UNKNOWN_CATEGORIES)
        price = as_real("ccp_alpha", self.ccp_alpha, "[0, inf)", lambda a: 0 <= a < math.inf)
        table = _as_table(X)
        names = _names(X)
        path = grow(
            table,
            y,
            cost,
            self.max_leaves,
            sample_weight=sample_weight,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
        )
        self.path_, self.n_features_in_ = path, table.shape[1]
        self.tree_, self.path_nodes_ = _prune(path, price)
        vars(self).pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names

    def _leaf(self, X: Any) -> Ints:
        """The leaf of each row."""
        rows, weight = self._rows(X), self.path_.node_probability[self.path_nodes_]
        return self.tree_.apply(rows, unknown=self.unknown, weight=weight)

    def _rows(self, X: Any) -> Any:
        """The rows to predict, which must have the features seen in fit."""
        self._tree()
        seen, names = vars(self).get("feature_names_in_"), _names(X)
        if seen is not None and names is not None and seen.tolist() != names.tolist():
            msg = _name_mismatch(names.tolist(), seen.tolist())
            raise ValueError(msg)
        if (seen is None) != (names is None):
            has, fitted = ("has", "without") if seen is None else ("does not have valid", "with")
            text = f"X {has} feature names, but {self._name} was fitted {fitted} feature names"
            warnings.warn(text, UserWarning, stacklevel=4)
        table = _as_table(X)
        if table.shape[1] != self.n_features_in_:
            msg = (
                f"X has {table.shape[1]} features, but {self._name} is expecting "
                f"{self.n_features_in_} features as input"
            )
            raise ValueError(msg)
        rows = read_rows(self.tree_, table, self.unknown)
        # A tree takes infinite values; a model refuses in predict what it refuses in fit.
        if rows.dtype.kind == "f" and np.isinf(rows).any():
            row, i = np.argwhere(np.isinf(rows))[0].tolist()
            msg = f"X must not have infinite values, got one in row {row}, column {i}"
            raise ValueError(msg)
        return table

    def _truth(self, y: Any, m: int) -> Array:
        """The labels to compare with m predictions, of the same kind as they are."""
        truth = _as_labels(y, self._name)
        if truth.shape != (m,):
            got = f"{truth.size} labels" if truth.ndim == 1 else as_repr(y)
            msg = f"y must have one label for each of the {m} rows of X, got {got}"
            raise ValueError(msg)
        return truth


class TopDownClassifier(ClassifierMixin, TopDownEstimator):
    """A decision tree grown best-first by impurity: `dtviz.grow` behind scikit-learn's methods.

    Parameters
    ----------
    cost : "gini", "entropy", "error", "sqrt", criterion or function
        What each split lowers most.
    max_leaves : int >= 1, optional
        The size of the tree; as large as it takes to be pure, if not given.
    max_depth, min_samples_leaf, min_impurity_decrease :
        Rules that stop growth: those of `grow`.
    ccp_alpha : float >= 0
        The price of a leaf: the grown tree is pruned where a subtree lowers the cost by less than
        this for each leaf (Breiman, Friedman, Olshen and Stone, 1984; `dtviz.pruning` has the whole
        path). 0 cuts nothing. In the unit of the cost: for entropy half of scikit-learn's.
    unknown : "error", "missing" or "larger"
        What ``predict`` does with a category that ``fit`` did not see: it is refused, or goes where
        missing values go, or at each test of its column to the branch of more training weight.
    class_weight : "balanced" or mapping from labels to numbers >= 0, optional
        What an example of each class counts, 1 where nothing is said, times its ``sample_weight``;
        classes that y lacks may be among them, as in scikit-learn, if all of y's are. "balanced"
        gives all classes the same weight, ``w / (c w_k)`` to each example of a class
        that weighs ``w_k`` of w.

    Attributes
    ----------
    tree_ : Tree
        The tree; ``print(model.tree_)`` shows it.
    path_ : ImpurityPath
        Every smaller tree on the way; before pruning, if ``ccp_alpha`` is not 0.
    path_nodes_ : (n_nodes,) int array
        The number that each node of ``tree_`` has on ``path_``.
    classes_ : (c,) array
        The labels, sorted.
    n_features_in_ : int
    feature_names_in_ : (d,) array
        The columns of the data frame it was fitted to; absent without.

    Examples
    --------
    >>> import dtviz as dt
    >>> model = dt.TopDownClassifier(max_leaves=2).fit([[1.0], [2.0], [3.0]], ["no", "no", "yes"])
    >>> model.predict([[2.2], [9]]).tolist()
    ['no', 'yes']

    Noisy labels, a price for each leaf, and a class that counts more:

    >>> X, y = [[1], [2], [3], [4], [5], [6], [7], [8]], [0, 0, 1, 0, 1, 0, 1, 1]
    >>> print(dt.TopDownClassifier(ccp_alpha=0.1).fit(X, y).tree_)
    x0 <= 2.5
    ├─ yes: 0
    └─ no: 1
    >>> heavy = dt.TopDownClassifier(max_leaves=1, class_weight={0: 3}).fit(X, y)
    >>> heavy.predict_proba([[4]]).tolist()
    [[0.75, 0.25]]
    """

    classes_: Array

    def __init__(  # noqa: PLR0913 -- most are by keyword
        self,
        cost: Cost = "gini",
        max_leaves: int | None = None,
        *,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        unknown: str = "error",
        class_weight: str | Mapping[Any, float] | None = None,
    ) -> None:
        self.cost = cost
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.unknown = unknown
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree on a table as `grow` reads it, ``(m, d)``, and m labels.

        ``sample_weight`` says what each example counts, as for `grow`.

        Raises
        ------
        ValueError
            If a label is missing, or something infinite, empty or of unequal length, the labels
            are continuous numbers, or a parameter is out of range.
        TypeError
            If X is sparse.
        """
        if isinstance(self.cost, str) and self.cost == "squared":
            msg = "cost must be one for classes, got 'squared': TopDownRegressor has that"
            raise ValueError(msg)
        as_criterion(self.cost)
        labels = _as_labels(y, self._name)
        if self.class_weight is not None:
            sample_weight = _class_weights(self.class_weight, labels, sample_weight)
        self._grow(X, labels, self.cost, sample_weight)
        self.classes_ = np.asarray(self.path_.classes)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The ``(m, c)`` shares of the classes, by weight, in the leaf of each row."""
        leaf = self._leaf(X)
        counts = self.path_.class_counts[self.path_nodes_[self.tree_.leaves]]
        shares = np.zeros((self.tree_.n_nodes, counts.shape[1]))
        shares[self.tree_.leaves] = counts / counts.sum(axis=1, keepdims=True)
        return shares[leaf]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose label is predicted, by weight.

        Raises
        ------
        NotFittedError
            If there was no ``fit`` before.
        ValueError
            If ``predict`` refuses X, y has not one label a row, of the kind seen in ``fit``, or
            ``sample_weight`` not one number >= 0 a row.
        """
        predicted = self.predict(X)
        truth = self._truth(y, predicted.size)
        return accuracy(predicted, truth, _weights(sample_weight, truth.size))


class TopDownRegressor(RegressorMixin, TopDownEstimator):
    """A regression tree grown best-first by squared loss, CART's way (claim CU-CART-L).

    Parameters
    ----------
    max_leaves : int >= 1, optional
        The size of the tree; as large as it takes to fit every example, if not given.
    max_depth, min_samples_leaf, min_impurity_decrease, ccp_alpha :
        As those of `TopDownClassifier`, in the unit of the squared loss.
    unknown : "error", "missing" or "larger"
        As that of `TopDownClassifier`.

    Attributes
    ----------
    tree_, path_, path_nodes_, n_features_in_, feature_names_in_
        As those of `TopDownClassifier`.

    Examples
    --------
    >>> import dtviz as dt
    >>> model = dt.TopDownRegressor(max_leaves=2).fit([[1], [2], [3], [4]], [1.0, 1.0, 3.0, 5.0])
    >>> model.predict([[0], [9]]).tolist()
    [1.0, 4.0]
    >>> round(model.score([[1], [2], [3], [4]], [1.0, 1.0, 3.0, 5.0]), 4)
    0.8182
    """

    def __init__(  # noqa: PLR0913 -- most are by keyword
        self,
        max_leaves: int | None = None,
        *,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        unknown: str = "error",
    ) -> None:
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.unknown = unknown

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree on a table as `grow` reads it, ``(m, d)``, and m finite numbers.

        ``sample_weight`` says what each example counts, as for `grow`.

        Raises
        ------
        ValueError
            If a label is missing, or something infinite, empty or of unequal length, or a parameter
            is out of range.
        TypeError
            If X is sparse.
        """
        self._grow(X, _as_labels(y, self._name), "squared", sample_weight)
        return self

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R squared: 1 less the squared error over that of the mean of y, by weight.

        Where y is constant there is nothing to explain: 1 if it is predicted, else 0.

        Raises
        ------
        NotFittedError
            If there was no ``fit`` before.
        ValueError
            If X is refused by ``predict``, y is not one finite number a row, or ``sample_weight``
            not one number >= 0 a row.
        """
        predicted = self.predict(X)
        truth = self._truth(y, predicted.size)
        return r_squared(predicted, truth, _weights(sample_weight, truth.size))


def _prune(path: ImpurityPath, price: float) -> tuple[Tree, Ints]:
    """The largest tree, cut back at a price of a leaf, and the number of its nodes on the path."""
    # In cross-validation the only missing value of a column may be in the fold held out.
    tree, nodes = path.tree_for_gaps(), path.nodes()
    if price == 0:
        return tree, nodes
    falls = equal_prices(weakest_links(tree, path.node_cost[nodes]))
    cut = (tree.variable >= 0) & (falls <= price)
    gone = np.zeros(tree.n_nodes, dtype=bool)
    for level in tree.levels:
        inner = level[tree.variable[level] >= 0]
        below = gone[inner] | cut[inner]
        gone[tree.low[inner]] = gone[tree.high[inner]] = below
    kept = ~gone
    return tree.cut(cut, kept, path.node_value[nodes[kept]]), nodes[kept]


# -- what comes in ---------------------------------------------------------------------------------


def _weights(sample_weight: Any, m: int) -> Ints | None:
    return None if sample_weight is None else read_weights(sample_weight, m).whole


def _class_weights(class_weight: Any, labels: Array, sample_weight: Any) -> Weights | Floats:
    """The weight of each example, that of its class included."""
    classes, codes = as_classes(labels, labels.size, hint=REGRESSION)
    weights = read_weights(sample_weight, labels.size)
    if isinstance(class_weight, str) and class_weight == "balanced":
        return _balanced(weights, codes)
    if not isinstance(class_weight, Mapping):
        msg = (
            f'class_weight must be "balanced" or map labels to numbers, got {as_repr(class_weight)}'
        )
        raise ValueError(msg)
    given = {}
    for label, weight in class_weight.items():
        plain = label.item() if isinstance(label, np.generic) else label
        given[plain] = as_real(
            f"class_weight[{as_repr(label)}]", weight, "[0, inf)", lambda w: 0 <= w < math.inf
        )
    known = classes.tolist()
    # A fold may lack a class; but where one of y has no weight, another name may be meant for it.
    absent = [label for label in given if label not in known]
    unnamed = [label for label in known if label not in given]
    if absent and unnamed:
        msg = (
            f"class_weight must have labels of y for its keys, got {as_repr(absent[0])} "
            f"and nothing for {as_repr(unnamed[0])}"
        )
        raise ValueError(msg)
    by_class = np.array([given.get(label, 1.0) for label in known])
    product: Floats = by_class[codes] * (weights.whole * weights.unit)
    return product


def _balanced(weights: Weights, codes: Ints) -> Weights | Floats:
    """Weights with the same sum for each class; multiples of one unit, so that ties stay ties."""
    sums = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    np.add.at(sums, codes, weights.whole)
    there = sums[sums > 0].tolist()
    common = math.lcm(*there)
    whole, shares = sum(there), len(there) * np.maximum(sums, 1)
    if len(there) * common < 1 << BITS:
        by_class = common // np.maximum(sums, 1)
        unit = weights.unit * whole / (len(there) * common)
        return Weights(weights.whole * by_class[codes], unit, weights.exact)
    product: Floats = (whole / shares)[codes] * (weights.whole * weights.unit)
    return product


def _names(X: Any) -> Array | None:
    """The columns of a data frame, if all are text."""
    columns = names_of(X)
    if columns is None or not all(isinstance(name, str) for name in columns):
        return None
    return np.array(columns, dtype=object)


def _name_mismatch(given: list[str], seen: list[str]) -> str:
    unknown = sorted(set(given) - set(seen))
    missing = sorted(set(seen) - set(given))
    lines = ["The feature names should match those that were passed during fit."]
    if unknown:
        lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unknown)]
    if missing:
        lines += ["Feature names seen at fit time, yet now missing:"]
        lines += [f"- {name}" for name in missing]
    if not unknown and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"


def _as_table(X: Any) -> Any:
    """A data frame as it is, anything else as an ``(m, d)`` array, m, d >= 1.

    `grow` checks what the columns hold; here is what scikit-learn requires of an estimator, some
    of it with scikit-learn's messages.
    """
    refuse_sparse(X)
    table = as_given(X) if names_of(X) is None else X
    if table is None:
        msg = f"X must be a table, rows of equal length, got {as_repr(X)}"
        raise ValueError(msg)
    if len(table.shape) != 2:
        msg = (
            f"X must be 2-dimensional. Expected 2D array, got {table.ndim}D array instead. "
            "Reshape your data: X.reshape(-1, 1) has one feature, X.reshape(1, -1) one row"
        )
        raise ValueError(msg)
    m, d = table.shape
    if m == 0:
        msg = f"X must have rows: 0 sample(s) (shape=({m}, {d})) while a minimum of 1 is required."
        raise ValueError(msg)
    if d == 0:
        need = f"0 feature(s) (shape=({m}, {d})) while a minimum of 1 is required."
        msg = f"X must have columns: {need}"
        raise ValueError(msg)
    if isinstance(table, np.ndarray) and table.dtype.kind == "c":
        msg = f"X must be real numbers. Complex data not supported, got {as_repr(X)}"
        raise ValueError(msg)
    if isinstance(table, np.ndarray) and table.dtype.kind == "O":
        odd = [entry for entry in table.ravel().tolist() if not isinstance(entry, PLAIN)]
        if odd:
            need = "each argument must be a string or a number"
            msg = f"X must be a table, {need}, got {as_repr(odd[0])}"
            raise TypeError(msg)
    return table


def _as_labels(y: Any, name: str) -> Array:
    """An array of labels; a single column is welcome, with scikit-learn's warning."""
    if y is None:
        msg = f"{name} requires y to be passed, but the target y is None"
        raise ValueError(msg)
    labels = as_given(y)
    if labels is None:
        msg = f"y must be a flat sequence of labels, not ragged or masked, got {as_repr(y)}"
        raise ValueError(msg)
    if labels.ndim == 2 and labels.shape[1] == 1:
        text = "A column-vector y was passed when a 1d array was expected; it is flattened"
        warnings.warn(text, DataConversionWarning, stacklevel=4)
        labels = labels.ravel()
    if labels.dtype.kind == "c":
        msg = f"y must be real. Complex data not supported, got {as_repr(y)}"
        raise ValueError(msg)
    return labels
