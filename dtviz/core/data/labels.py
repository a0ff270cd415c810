"""Labels of examples: classes, or the numbers of regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtviz.core.bases import Array, Floats, Ints
from dtviz.core.checks import as_given, as_repr
from dtviz.core.data.frames import is_absent
from dtviz.core.data.number_texts import (
    MISSING_MARKS,
    first_no_number,
    list_number_texts,
    reading_hint,
)

REGRESSION = ': regression is cost="squared"'
"""What to do with labels that are numbers to predict, where that cost is offered."""

SPREAD = 1e-140, 1e140
"""How far labels may lie apart for squared loss."""


def as_classes(y: Any, m: int, *, hint: str = "") -> tuple[Array, Ints]:
    """The classes of labels, sorted, and for each example the place of its class among them.

    ``hint`` says what to do with labels that are numbers to predict, if there is something.
    """
    labels = _labels(y, m)
    if labels.dtype.kind == "O":
        # a data frame may hold NumPy's own scalars: np.str_ is text all the same
        entries = [e.item() if isinstance(e, np.generic) else e for e in labels.tolist()]
        kind = next(
            (k for k in (str, bool, int, float) if all(type(e) is k for e in entries)), None
        )
        if kind is None:
            rule = "y must be text, truth values or numbers, of one kind and none missing"
            first = entries[0]
            gap = next((k for k, entry in enumerate(entries) if is_absent(entry)), None)
            other = next((entry for entry in entries if type(entry) is not type(first)), first)
            got = f"{as_repr(other)} beside {as_repr(first)} in {as_repr(entries)}"
            if gap is not None:
                got = f"a missing one, {as_repr(entries[gap])}, at index {gap}: leave such rows out"
            msg = f"{rule}, got {got}"
            raise ValueError(msg)
        labels = np.array(entries)
    if labels.dtype.kind in "UT":
        _check_marks(labels.tolist())
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        k = int(np.isfinite(labels).argmin())
        msg = f"y must not have missing or infinite labels, got {labels[k]} at index {k}"
        raise ValueError(msg)
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        k = int((labels != np.floor(labels)).argmax())
        msg = f"y must be classes, not continuous numbers, got {labels[k]} at index {k}{hint}"
        raise ValueError(msg)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.ravel()


def as_real_labels(y: Any, m: int) -> Floats:
    """The labels of regression: finite floats."""
    labels = _labels(y, m)
    if labels.dtype.kind == "O":
        try:
            labels = np.array(labels.tolist())
        except ValueError:
            labels = np.array(["ragged"])
    if labels.dtype.kind not in "biuf":
        odd, hint = first_no_number(labels.tolist()), ""
        if isinstance(odd, str):
            has_numbers = list_number_texts({*map(str, labels.tolist())})
            hint = reading_hint([odd]) if has_numbers else 'text is predicted with cost="gini"'
        got = f"{as_repr(odd)}: {hint}" if hint else as_repr(y)
        msg = f"y must be numbers for squared loss, got {got}"
        raise ValueError(msg)
    numbers = labels.astype(np.float64)
    if not np.isfinite(numbers).all():
        k = int(np.isfinite(numbers).argmin())
        msg = f"y must be finite numbers, got {numbers[k]} at index {k}"
        raise ValueError(msg)
    low, high = float(numbers.min()), float(numbers.max())
    if low < high and not SPREAD[0] < high / 2 - low / 2 < SPREAD[1]:
        msg = f"y must have a spread between {SPREAD[0]:g} and {SPREAD[1]:g}, so that squares are "
        raise ValueError(msg + f"floats, or none, got labels from {low:g} to {high:g}")
    return numbers


def has_fractions(y: Any) -> bool:
    """Whether labels are numbers that are not all whole, and so no classes."""
    labels = flat_labels(y)
    return labels is not None and labels.dtype.kind == "f" and bool((labels % 1 > 0).any())


def _check_marks(labels: list[str]) -> None:
    """Text labels may be numbers, but then a "?" among them is no class."""
    kinds = sorted(set(labels))
    rest = sorted(set(kinds) - set(list_number_texts(kinds)))
    if 0 < len(rest) < len(kinds) / 2 and MISSING_MARKS.issuperset(rest):
        msg = (
            f"y must not have missing labels, got {as_repr(rest[0])} among numbers written as "
            f"text: {reading_hint(rest)}, and leave these rows out"
        )
        raise ValueError(msg)


def flat_labels(y: Any) -> Array | None:
    """Labels as an array, a column of them as a flat one; None if they are none."""
    labels = as_given(y)
    is_column = labels is not None and labels.ndim == 2 and labels.shape[1] == 1
    return labels[:, 0] if labels is not None and is_column else labels


def as_flat(y: Any) -> Any:
    """A column of labels as a flat array; what is none stays as it is."""
    labels = as_given(y)
    return y if labels is None or labels.shape[1:] != (1,) else labels[:, 0]


def _labels(y: Any, m: int) -> Array:
    labels = flat_labels(y)
    if labels is not None and labels.ndim == 1 and labels.dtype.kind not in "biufOUST":
        msg = f"y must be numbers, text or truth values, got {labels.dtype}: {as_repr(y)}"
        raise ValueError(msg)
    if labels is None or labels.ndim != 1:
        got = as_repr(y) if labels is None or labels.ndim in (0, 1) else f"shape {labels.shape}"
        name = ", not the name of a column" if isinstance(y, str) else ""
        msg = f"y must be a flat sequence of labels{name}, got {got}"
        raise ValueError(msg)
    if labels.size != m:
        msg = f"y must have one label for each of the {m} rows of X, got {labels.size}"
        raise ValueError(msg)
    return labels


def check_kind(y: Any, classes: Array, known: Array) -> None:
    """Refuse text where labels are numbers, and numbers where they are text."""
    if (classes.dtype.kind in "UST") != (known.dtype.kind in "UST"):
        msg = f"y must be labels like {as_repr(np.unique(known).tolist())}, got {as_repr(y)}"
        raise ValueError(msg)


def losses(predicted: Array, y: Any, *, is_regression: bool) -> Floats:
    """What each prediction loses: 1 for a wrong class, the squared error for a number."""
    if is_regression:
        return np.square(predicted - as_real_labels(y, predicted.size))
    classes, codes = as_classes(y, predicted.size)
    check_kind(y, classes, predicted)
    return np.asarray(predicted != classes[codes], dtype=np.float64)


def accuracy(predicted: Array, y: Any) -> float:
    """The share of predictions that are the class in ``y``."""
    return float(np.mean(losses(predicted, y, is_regression=False) == 0))


def r_squared(predicted: Array, y: Any) -> float:
    """R squared: 1 less the squared error over that of the mean of y.

    Where y is constant there is nothing to explain: 1 if it is predicted, else 0.
    """
    truth = as_real_labels(y, predicted.size)
    lost, whole = float(np.mean((truth - predicted) ** 2)), float(np.var(truth))
    return 1 - lost / whole if whole else float(lost == 0)
