"""Base classes of the estimators: scikit-learn's where it is installed, else plain ones.

`dtviz.impurity` loads this when an estimator is first used, for scikit-learn takes a second.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Self

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "DataConversionWarning",
    "NotFitted",
    "RegressorMixin",
]


class PlainEstimator:
    """Parameters by name, as those of scikit-learn's estimators, from the signature."""

    @classmethod
    def _parameters(cls) -> list[str]:
        return sorted(inspect.signature(cls).parameters)

    # The signature is scikit-learn's.
    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002
        """The parameters by name; ``deep`` makes no difference, as none has parameters itself."""
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

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default and value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


class PlainMixin:
    """Replaces scikit-learn's mixins, which set the kind of estimator."""


class PlainNotFittedError(ValueError, AttributeError):
    """The two bases of scikit-learn's error."""


if TYPE_CHECKING:
    BaseEstimator = PlainEstimator
    ClassifierMixin = PlainMixin
    RegressorMixin = PlainMixin
    NotFitted = PlainNotFittedError
    DataConversionWarning = UserWarning
else:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
        from sklearn.exceptions import DataConversionWarning
        from sklearn.exceptions import NotFittedError as NotFitted
    except ImportError:
        BaseEstimator, NotFitted = PlainEstimator, PlainNotFittedError
        ClassifierMixin = RegressorMixin = PlainMixin
        DataConversionWarning = UserWarning
