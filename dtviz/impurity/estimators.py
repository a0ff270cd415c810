"""Growth by impurity as estimators with scikit-learn's conventions.

scikit-learn is not needed. Where it is installed, its pipelines, searches and checks accept these
estimators: they ask for ``get_params``, ``set_params``, ``fit`` and ``__sklearn_tags__``, and for
its own errors and warnings, which are looked up when they are raised.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import warnings
from abc import ABC, abstractmethod
from datetime import date
from numbers import Number
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from dtviz.core.best_first import ImpurityPath, grow
from dtviz.core.checks import as_array, as_one_of, shown
from dtviz.core.examples import as_classes, as_given, as_real_labels, coded_rows
from dtviz.core.frames import names_of
from dtviz.core.targets import CLASS_COST_NAMES
from dtviz.core.tree import Tree

__all__ = ["NotFittedError", "TopDownClassifier", "TopDownRegressor"]

PLAIN = (Number, str, np.generic, type(None), date)
"""What an array of objects may hold: what it may not hold of these, `grow` says in words."""

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class NotFittedError(ValueError, AttributeError):
    """Raised where a method needs ``fit`` first, if scikit-learn, which has its own, is absent."""


class TopDownEstimator(ABC):
    """What the classifier and the regressor share."""

    path_: ImpurityPath
    tree_: Tree
    n_features_in_: int
    feature_names_in_: Array

    @abstractmethod
    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree."""

    @classmethod
    def _parameters(cls) -> list[str]:
        return sorted(inspect.signature(cls).parameters)

    # The signature is scikit-learn's.
    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002
        """The parameters by name; ``deep`` makes no difference, none of them has parameters."""
        return {name: getattr(self, name) for name in self._parameters()}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name.

        Raises
        ------
        ValueError
            If there is no such parameter.
        """
        for name, value in parameters.items():
            if name not in self._parameters():
                msg = f"parameters must be among {', '.join(self._parameters())}, got {name!r}"
                raise ValueError(msg)
            setattr(self, name, value)
        return self

    def apply(self, X: Any) -> npt.NDArray[np.intp]:
        """The leaf of ``tree_`` that each row reaches, an (m,) array of its nodes.

        Raises
        ------
        NotFittedError
            If there was no ``fit`` before.
        ValueError
            If X is no such array, or has other features than ``fit`` saw.
        """
        return self._tree().apply(self._rows(X))

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
        return self._tree().predict(self._rows(X))

    @property
    def _name(self) -> str:
        return type(self).__name__

    def _tree(self) -> Tree:
        if "tree_" not in vars(self):
            msg = f"this {self._name} is not fitted yet: call fit(X, y) first"
            raise _sklearn("exceptions", "NotFittedError", NotFittedError)(msg)
        return self.tree_

    def _grow(self, X: Any, y: Any, cost: str, max_leaves: int | None) -> None:
        table = _as_table(X)
        names = _names(X)
        path = grow(table, _as_labels(y, self._name), cost, max_leaves)
        self.path_, self.tree_, self.n_features_in_ = path, path.tree(), table.shape[1]
        vars(self).pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names

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
            warnings.warn(text, UserWarning, stacklevel=3)
        table = _as_table(X)
        if table.shape[1] != self.n_features_in_:
            msg = (
                f"X has {table.shape[1]} features, but {self._name} is expecting "
                f"{self.n_features_in_} features as input"
            )
            raise ValueError(msg)
        rows = as_array(coded_rows(table, self.tree_.names))
        with contextlib.suppress(TypeError, ValueError):
            rows = np.asarray(rows, dtype=np.float64)
        # A tree takes infinite values; a model refuses in predict what it refuses in fit.
        if rows is not None and rows.dtype.kind == "f" and np.isinf(rows).any():
            row, i = np.argwhere(np.isinf(rows))[0].tolist()
            msg = f"X must not have infinite values, got one in row {row}, column {i}"
            raise ValueError(msg)
        return table

    def _truth(self, y: Any, m: int) -> Array:
        """The labels to compare with m predictions, of the same kind as they are."""
        truth = _as_labels(y, self._name)
        if truth.shape != (m,):
            got = f"{truth.size} labels" if truth.ndim == 1 else shown(y)
            msg = f"y must have one label for each of the {m} rows of X, got {got}"
            raise ValueError(msg)
        return truth

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default and value != defaults[name].default
        ]
        return f"{self._name}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of an estimator."""
        utils = importlib.import_module("sklearn.utils")
        return utils.Tags(estimator_type=None, target_tags=utils.TargetTags(required=True))


class TopDownClassifier(TopDownEstimator):
    """A decision tree grown best-first by impurity: `dtviz.grow` behind scikit-learn's methods.

    Parameters
    ----------
    cost : "gini", "entropy", "error" or "sqrt"
        What each split lowers most.
    max_leaves : int >= 1, optional
        The size of the tree; as large as it takes to be pure, if not given.

    Attributes
    ----------
    tree_ : Tree
        The tree; ``print(model.tree_)`` shows it.
    path_ : ImpurityPath
        Every smaller tree on the way.
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

    def __init__(self, cost: str = "gini", max_leaves: int | None = None) -> None:
        self.cost = cost
        self.max_leaves = max_leaves

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree on a table as `grow` reads it, ``(m, d)``, and m labels.

        Raises
        ------
        ValueError
            If something is missing, infinite, empty or of unequal length, the labels are continuous
            numbers, or a parameter is out of range.
        TypeError
            If X is sparse.
        """
        if self.cost == "squared":
            msg = "cost must be one for classes, got 'squared': TopDownRegressor has that"
            raise ValueError(msg)
        as_one_of("cost", self.cost, CLASS_COST_NAMES)
        self._grow(X, y, self.cost, self.max_leaves)
        self.classes_ = np.asarray(self.path_.classes)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The ``(m, c)`` shares of the classes among the examples in the leaf of each row."""
        leaf = self.apply(X)
        counts = self.path_.class_counts[self.path_.nodes()]
        shares: Floats = counts[leaf] / counts[leaf].sum(axis=1, keepdims=True)
        return shares

    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose label is predicted.

        Raises
        ------
        NotFittedError
            If there was no ``fit`` before.
        ValueError
            If ``predict`` refuses X, or y has not one label a row, of the kind seen in ``fit``.
        """
        predicted = self.predict(X)
        classes, codes = as_classes(self._truth(y, len(predicted)), len(predicted))
        truth = classes[codes]
        if (truth.dtype.kind in "US") != (predicted.dtype.kind in "US"):
            msg = f"y must be labels like {shown(self.classes_)}, got {shown(y)}"
            raise ValueError(msg)
        return float(np.mean(predicted == truth))

    def __sklearn_tags__(self) -> Any:
        """A classifier."""
        tags = super().__sklearn_tags__()
        utils = importlib.import_module("sklearn.utils")
        tags.estimator_type, tags.classifier_tags = "classifier", utils.ClassifierTags()
        return tags


class TopDownRegressor(TopDownEstimator):
    """A regression tree grown best-first by squared loss, CART's way (claim CU-CART-L).

    Parameters
    ----------
    max_leaves : int >= 1, optional
        The size of the tree; as large as it takes to fit every example, if not given.

    Attributes
    ----------
    tree_, path_, n_features_in_, feature_names_in_
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

    def __init__(self, max_leaves: int | None = None) -> None:
        self.max_leaves = max_leaves

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree on a table as `grow` reads it, ``(m, d)``, and m finite numbers.

        Raises
        ------
        ValueError
            If something is missing, infinite, empty or of unequal length, or ``max_leaves`` is out
            of range.
        TypeError
            If X is sparse.
        """
        self._grow(X, y, "squared", self.max_leaves)
        return self

    def score(self, X: Any, y: Any) -> float:
        """R squared: 1 less the squared error over that of the mean of y.

        Where y is constant there is nothing to explain: 1 if it is predicted, else 0.

        Raises
        ------
        NotFittedError
            If there was no ``fit`` before.
        ValueError
            If X is refused by ``predict``, or y is not one finite number a row.
        """
        predicted = self.predict(X)
        truth = as_real_labels(self._truth(y, len(predicted)), len(predicted))
        lost = float(np.sum((truth - predicted) ** 2))
        whole = float(np.sum((truth - truth.mean()) ** 2))
        if whole == 0:
            return float(lost == 0)
        return 1 - lost / whole

    def __sklearn_tags__(self) -> Any:
        """A regressor."""
        tags = super().__sklearn_tags__()
        utils = importlib.import_module("sklearn.utils")
        tags.estimator_type, tags.regressor_tags = "regressor", utils.RegressorTags()
        return tags


# -- what comes in ---------------------------------------------------------------------------------


def _sklearn(module: str, name: str, otherwise: Any) -> Any:
    """An exception or a warning of scikit-learn's, or what stands in for it."""
    try:
        return getattr(importlib.import_module(f"sklearn.{module}"), name)
    except ImportError:
        return otherwise


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

    What the columns hold is for the reader of tables that `grow` uses; here is what scikit-learn
    asks of an estimator, some of it in its own words.
    """
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        msg = f"X must be a dense array, sparse data is not supported, got {shown(X)}"
        raise TypeError(msg)
    table = as_given(X) if names_of(X) is None else X
    if table is None:
        msg = f"X must be a table, rows of equal length, got {shown(X)}"
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
        msg = f"X must be real numbers. Complex data not supported, got {shown(X)}"
        raise ValueError(msg)
    if isinstance(table, np.ndarray) and table.dtype.kind == "O":
        odd = [entry for entry in table.ravel().tolist() if not isinstance(entry, PLAIN)]
        if odd:
            need = "each argument must be a string or a number"
            msg = f"X must be a table, {need}, got {shown(odd[0])}"
            raise TypeError(msg)
    return table


def _as_labels(y: Any, name: str) -> Array:
    """An array of labels; a single column is welcome, with scikit-learn's warning."""
    if y is None:
        msg = f"{name} requires y to be passed, but the target y is None"
        raise ValueError(msg)
    labels = as_given(y)
    if labels is None:
        msg = f"y must be a flat sequence of labels, not ragged or masked, got {shown(y)}"
        raise ValueError(msg)
    if labels.ndim == 2 and labels.shape[1] == 1:
        text = "A column-vector y was passed when a 1d array was expected; it is flattened"
        kind = _sklearn("exceptions", "DataConversionWarning", UserWarning)
        warnings.warn(text, kind, stacklevel=4)
        labels = labels.ravel()
    if labels.dtype.kind == "c":
        msg = f"y must be real. Complex data not supported, got {shown(y)}"
        raise ValueError(msg)
    return labels
