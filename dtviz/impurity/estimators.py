"""Growth by impurity as scikit-learn's estimators: parameters, tags, checks and scores are its own.

`dtviz.impurity` loads this when an estimator is first used, for scikit-learn takes a second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, time, timedelta
from numbers import Number
from typing import Any, Self

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]
from sklearn.base import (  # type: ignore[import-untyped]
    BaseEstimator,
    ClassifierMixin,
    RegressorMixin,
)
from sklearn.utils import check_array, column_or_1d  # type: ignore[import-untyped]
from sklearn.utils.validation import (  # type: ignore[import-untyped]
    check_is_fitted,
    validate_data,
)

from dtviz.core.bases import Array, Floats, Ints
from dtviz.core.cart.criteria import Cost, as_criterion
from dtviz.core.cart.growth import grow
from dtviz.core.cart.impurity_path import ImpurityPath
from dtviz.core.checks import as_given, as_one_of, as_real, as_repr
from dtviz.core.data.frames import check_table, names_of
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import REGRESSION, as_classes
from dtviz.core.data.weights import BITS, Weights, read_weights
from dtviz.core.hints import with_hints
from dtviz.core.tree.node_sums import sums_of
from dtviz.core.tree.nodes import UNKNOWN_CATEGORIES, labels_of, read_rows, send_rows
from dtviz.core.tree.prunings import cut_at, equal_prices
from dtviz.core.tree.tree import Tree

PLAIN = (Number, str, bytes, np.generic, type(None), date, time, timedelta)
"""What an array of objects may hold here; `grow` refuses more, with an error of its own."""


class TopDownEstimator(BaseEstimator):  # type: ignore[misc]
    """What the classifier and the regressor share."""

    path_: ImpurityPath
    tree_: Tree
    path_nodes_: Ints

    @with_hints
    def __init__(  # noqa: PLR0913 -- most are by keyword
        self,
        max_leaves: int | None = None,
        *,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        unknown: str = "error",
    ) -> None:
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.unknown = unknown

    def apply(self, X: Any) -> Ints:
        """The leaf of ``tree_`` that each row reaches: (m,) ints; NotFittedError before ``fit``."""
        check_is_fitted(self)
        table = _as_table(X)
        validate_data(self, table, reset=False, skip_check_array=True)
        # Names were checked as scikit-learn does; where fit saw none, columns go by their places.
        rows = read_rows(self.tree_, table, self.unknown, by_place=True)
        # A tree takes infinite values; a model refuses in predict what it refuses in fit.
        if rows.dtype.kind == "f" and np.isinf(rows).any():
            row, i = np.argwhere(np.isinf(rows))[0].tolist()
            msg = f"X must not have infinite values, got one in row {row}, column {i}"
            raise ValueError(msg)
        return send_rows(self.tree_, rows, self.path_.node_probability[self.path_nodes_])

    def decision_path(self, X: Any) -> Any:
        """Which nodes of ``tree_`` each row passes, a sparse (m, ``tree_.n_nodes``) matrix of bits.

        A NotFittedError before ``fit``.
        """
        leaf, tree = self.apply(X), self.tree_
        # Column v of this matrix has the nodes below v, which in preorder are a range.
        sizes = 2 * tree.leaves_below - 1
        start = np.append(0, np.cumsum(sizes))
        below = np.arange(start[-1]) - np.repeat(start[:-1] - np.arange(sizes.size), sizes)
        ones = np.ones(below.size, dtype=np.intp)
        return sparse.csc_matrix((ones, below, start), 2 * [tree.n_nodes]).tocsr()[leaf]

    def predict(self, X: Any) -> Array:
        """The label, or the mean, of the leaf that each row reaches.

        ``X`` is read as in ``fit``, before which this is a NotFittedError.
        """
        leaf = self.apply(X)
        return labels_of(self.tree_, "predict")[leaf]

    def get_depth(self) -> int:
        """The depth of ``tree_``; a NotFittedError before ``fit``."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """The size of ``tree_``; a NotFittedError before ``fit``."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Floats:
        """`Tree.feature_importances` of ``tree_``, (d,) floats; a NotFittedError before ``fit``."""
        check_is_fitted(self)
        return self.tree_.feature_importances()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _read_examples(self, X: Any, y: Any) -> tuple[Any, Array]:
        """A table and labels to fit to; a column of labels is welcome, with a warning."""
        X, y, self._names, _ = read_handed(X, y, needs_y=False)
        table, labels = _as_table(X), as_given(y)
        validate_data(self, table, y, skip_check_array=True)
        if labels is None:
            msg = f"y must be a flat sequence of labels, not ragged or masked, got {as_repr(y)}"
            raise ValueError(msg)
        try:
            return table, column_or_1d(labels, warn=True)
        except ValueError as error:
            msg = f"y must be a flat sequence of labels: {error}"
            raise ValueError(msg) from None

    def _grow(self, table: Any, labels: Array, cost: Cost, sample_weight: Any) -> Self:
        as_one_of("unknown", self.unknown, UNKNOWN_CATEGORIES)
        price = as_real("ccp_alpha", self.ccp_alpha, "[0, inf)", lambda a: 0 <= a < math.inf)
        self.path_ = grow(
            table,
            labels,
            cost,
            self.max_leaves,
            feature_names=self._names,
            sample_weight=sample_weight,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
        )
        self.tree_, self.path_nodes_ = _prune(self.path_, price)
        return self


class TopDownClassifier(ClassifierMixin, TopDownEstimator):  # type: ignore[misc]
    """A decision tree grown best-first by impurity: `dtviz.grow` behind scikit-learn's methods.

    Parameters
    ----------
    cost : "gini", "entropy", "error", "sqrt", criterion or function
        What each split lowers most.
    max_leaves : int >= 1, optional
        The size of the tree; as large as it takes to be pure, if not given.
    max_depth, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease :
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
    """

    classes_: Array

    @with_hints
    def __init__(  # noqa: PLR0913 -- most are by keyword
        self,
        cost: Cost = "gini",
        max_leaves: int | None = None,
        *,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        unknown: str = "error",
        class_weight: str | Mapping[Any, float] | None = None,
    ) -> None:
        super().__init__(
            max_leaves,
            max_depth=max_depth,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            ccp_alpha=ccp_alpha,
            unknown=unknown,
        )
        self.cost, self.class_weight = cost, class_weight

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree on X and y as `grow` does; a TypeError if X is sparse."""
        if isinstance(self.cost, str) and self.cost == "squared":
            msg = "cost must be one for classes, got 'squared': TopDownRegressor has that"
            raise ValueError(msg)
        as_criterion(self.cost)
        table, labels = self._read_examples(X, y)
        if self.class_weight is not None:
            sample_weight = _class_weights(self.class_weight, labels, sample_weight)
        self._grow(table, labels, self.cost, sample_weight)
        self.classes_ = np.asarray(self.path_.classes)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The ``(m, c)`` shares of the classes, by weight, in the leaf of each row."""
        leaf = self.apply(X)
        return sums_of(self.tree_, "predict_proba").values[leaf]


class TopDownRegressor(RegressorMixin, TopDownEstimator):  # type: ignore[misc]
    """A regression tree grown best-first by squared loss, CART's way (claim CU-CART-L).

    Parameters
    ----------
    max_leaves : int >= 1, optional
        The size of the tree; as large as it takes to fit every example, if not given.
    max_depth, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease :
    ccp_alpha, unknown :
        As those of `TopDownClassifier`, in the unit of the squared loss.

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
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree on X and y as `grow` does; a TypeError if X is sparse."""
        return self._grow(*self._read_examples(X, y), "squared", sample_weight)


def _prune(path: ImpurityPath, price: float) -> tuple[Tree, Ints]:
    """The largest tree, cut back at a price of a leaf, and the number of its nodes on the path."""
    # In cross-validation the only missing value of a column may be in the fold held out.
    tree, nodes = path.tree_for_gaps(), path.nodes()
    if price == 0:
        return tree, nodes
    risk = path.node_cost[nodes]
    scale = (float(risk.max()) or 1.0) if tree.is_regression else 1.0
    cut = cut_at(tree, equal_prices(tree, risk, scale), price, scale)
    gone = np.zeros(tree.n_nodes, dtype=bool)
    for level in tree.levels:
        inner = level[tree.variable[level] >= 0]
        below = gone[inner] | cut[inner]
        gone[tree.low[inner]] = gone[tree.high[inner]] = below
    kept = ~gone
    return tree.cut(cut, kept, path.node_value[nodes[kept]]), nodes[kept]


def _class_weights(class_weight: Any, labels: Array, sample_weight: Any) -> Weights | Floats:
    """The weight of each example, that of its class included."""
    classes, codes = as_classes(labels, labels.size, hint=REGRESSION)
    weights = read_weights(sample_weight, labels.size)
    if isinstance(class_weight, str) and class_weight == "balanced":
        return _balance_classes(weights, codes)
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


def _balance_classes(weights: Weights, codes: Ints) -> Weights | Floats:
    """Weights with the same sum for each class; multiples of one unit, so that ties stay ties."""
    sums = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    np.add.at(sums, codes, weights.whole)
    there = sums[sums > 0].tolist()
    common = math.lcm(*there)
    whole, shares = sum(there), len(there) * np.maximum(sums, 1)
    if len(there) * common < 1 << BITS:
        by_class = common // np.maximum(sums, 1)
        unit = weights.unit * whole / (len(there) * common)
        return Weights(weights.whole * by_class[codes], unit)
    product: Floats = (whole / shares)[codes] * (weights.whole * weights.unit)
    return product


def _as_table(X: Any) -> Any:
    """A data frame as it is, anything else as an ``(m, d)`` array, as scikit-learn requires."""
    check_table(X)
    if names_of(X) is not None:
        if 0 in X.shape:
            msg = f"X must have at least one row and one column, got shape {X.shape}"
            raise ValueError(msg)
        return X
    table = as_given(X)
    if table is None:
        msg = f"X must be a table, rows of equal length, got {as_repr(X)}"
        raise ValueError(msg)
    try:
        table = check_array(table, dtype=None, ensure_all_finite=False)
    except ValueError as error:
        msg = f"X must be a table: {error}"
        raise ValueError(msg) from None
    if table.dtype.kind == "O":
        odd = [entry for entry in table.ravel().tolist() if not isinstance(entry, PLAIN)]
        if odd:
            need = "each argument must be a string or a number"
            msg = f"X must be a table, {need}, got {as_repr(odd[0])}"
            raise TypeError(msg)
    return table
