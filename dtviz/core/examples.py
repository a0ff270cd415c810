"""Examples as they come (lists, arrays, data frames) and as the learners and trees want them.

Values become a ``(d, m)`` array of finite floats, a feature a row. Columns of text and categoricals
are coded 0, 1, 2, ... in sorted order, or in the order of the categorical, and the ``Names``
remember what the codes stand for.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_array, shown
from dtviz.core.frames import Column, as_frame
from dtviz.core.names import Names

__all__ = ["Inputs", "as_classes", "as_real_labels", "coded_rows", "refuse_sparse"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Array = npt.NDArray[Any]

LARGEST_INTEGER = 1 << 53
"""Beyond this, two integers may be one float."""

SPREAD = 1e-140, 1e140
"""How far labels may lie apart for squared loss."""


class Inputs:
    """The inputs of examples: ``columns``, a ``(d, m)`` array of finite floats, and ``Names``."""

    columns: Floats
    names: Names

    def __init__(
        self,
        X: Any,
        feature_names: Iterable[str] | None = None,
        categories: Mapping[Any, Sequence[Any]] | None = None,
    ) -> None:
        columns, found = _columns(X)
        names = found if feature_names is None else _checked_names(feature_names, len(columns))
        given = _checked_categories(categories, names, len(columns))
        coded: dict[int, tuple[str, ...]] = {}
        if isinstance(columns, np.ndarray) and columns.dtype.kind in "biuf":
            self.columns = _finite(columns, names)
            for i, listed in given.items():
                _check_codes(self.columns[i], listed, _title(i, names))
                _check_names_of_codes(listed, _title(i, names))
                coded[i] = tuple(map(str, listed))
        else:
            rows = []
            for i, column in enumerate(columns):
                values, kinds = _coded(column, given.get(i), _title(i, names))
                rows.append(values)
                if kinds is not None:
                    coded[i] = kinds
            self.columns = _finite(np.stack(rows), names)
        bits = np.flatnonzero(((self.columns == 0) | (self.columns == 1)).all(axis=1)).tolist()
        self.names = Names(names, frozenset(bits) - set(coded), coded)


def _columns(X: Any) -> tuple[Any, tuple[str, ...] | None]:
    """The columns of X, an array of numbers or a list of columns, and their names."""
    refuse_sparse(X)
    frame = as_frame(X)
    if frame is not None:
        if len(X) == 0 or not frame.names:
            msg = f"X must have at least one row and one column, got shape {X.shape}"
            raise ValueError(msg)
        return frame.columns, frame.names
    array = as_given(X)
    if array is not None and array.ndim == 2 and array.dtype.kind in "mM":
        _refuse_dates(array.dtype, "column 0")
    if array is None or array.ndim != 2 or array.dtype.kind not in "biufOUST":
        msg = f"X must be a table, an (m, d) array of numbers, got {_kind(X, array)}"
        raise ValueError(msg)
    if array.size == 0:
        msg = f"X must have at least one row and one column, got shape {array.shape}"
        raise ValueError(msg)
    columns = array.T if array.dtype.kind in "biuf" else [Column.of(values) for values in array.T]
    return columns, None


def refuse_sparse(X: Any) -> None:
    """A sparse matrix would become dense without a word; whoever has the memory makes it so.

    Raises
    ------
    TypeError
        If X is sparse.
    """
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        msg = f"X must be a dense array, sparse data is not supported, got {shown(X)}: X.toarray()"
        raise TypeError(f"{msg} is dense")


def as_given(values: Any) -> Array | None:
    """As `as_array`, but a list of text and numbers keeps its numbers."""
    array = as_array(values)
    if array is not None and array.dtype.kind in "US" and not isinstance(values, np.ndarray):
        return np.array(values, dtype=object)
    return array


def _kind(value: Any, array: Array | None) -> str:
    if array is None or array.ndim in (0, 2):
        return shown(value)
    return f"shape {array.shape}"


def _refuse_dates(what: object, title: str) -> None:
    msg = (
        f"X must have numbers or text, got dates or times ({what}) in {title}: give days since the "
        "first instead, (x - x.min()) / numpy.timedelta64(1, 'D')"
    )
    raise ValueError(msg)


def _title(i: int, names: tuple[str, ...] | None) -> str:
    return f"column {i}" if names is None else f"column {i} ({names[i]})"


def _checked_names(names: Any, d: int) -> tuple[str, ...]:
    """One string for each column."""
    given = [] if isinstance(names, str) else _listed(names)
    if len(given) != d or not all(isinstance(name, str) for name in given):
        msg = f"feature_names must be {d} strings, one for each column of X, got {shown(names)}"
        raise ValueError(msg)
    return tuple(str(name) for name in given)


def _listed(values: Any) -> list[Any]:
    try:
        return list(values)
    except TypeError:
        return []


def _checked_categories(
    categories: Any, names: tuple[str, ...] | None, d: int
) -> dict[int, list[Any]]:
    """What the codes stand for, by the place of the column."""
    if categories is None:
        return {}
    if not isinstance(categories, Mapping):
        msg = f"categories must map columns of X to lists of names, got {shown(categories)}"
        raise ValueError(msg)
    found = {}
    for key, kinds in categories.items():
        place = names.index(key) if names is not None and key in names else key
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < d:
            msg = f"categories must have columns of X for its keys, got {shown(key)}"
            raise ValueError(msg)
        if isinstance(kinds, str) or not _listed(kinds):
            msg = f"categories must list the names of the codes of each column, got {shown(kinds)}"
            raise ValueError(msg)
        found[place] = _listed(kinds)
    return found


def _coded(
    column: Column, given: list[Any] | None, title: str
) -> tuple[Array, tuple[str, ...] | None]:
    """The numbers of a column, and what they stand for if they are codes."""
    kinds = column.kinds if given is None else given
    if column.missing:
        msg = f"X must not have missing values, got one in {title}"
        raise ValueError(msg)
    values = column.values
    if values.dtype.kind in "mM":
        _refuse_dates(values.dtype, title)
    if (
        values.dtype.kind == "O"
        and kinds is None
        and not any(isinstance(entry, str) for entry in values.tolist())
    ):
        values = _plain(values, title)
    if values.dtype.kind in "biuf" and (given is None) == (kinds is None):
        if kinds is not None:
            _check_codes(values, kinds, title)
            _check_names_of_codes(kinds, title)
        return values, None if kinds is None else tuple(map(str, kinds))
    entries = values.tolist()
    if kinds is None:
        if not all(isinstance(entry, str) for entry in entries):
            got = "both" if values.dtype.kind == "O" else str(values.dtype)
            msg = f"X must have numbers or text in a column, not both, got {got} in {title}"
            raise ValueError(msg)
        kinds = sorted(set(entries))
        _check_text(kinds, title)
    code = {kind: k for k, kind in enumerate(kinds)}
    unknown = [entry for entry in entries if entry not in code]
    if unknown:
        msg = f"X must have one of {shown(kinds)} in {title}, got {shown(unknown[0])}"
        raise ValueError(msg)
    return np.array([code[entry] for entry in entries]), tuple(map(str, kinds))


def _check_names_of_codes(kinds: list[Any], title: str) -> None:
    """A number in a coded column must mean one thing."""
    numbers = [kind for kind in kinds if _as_number(str(kind)) is not None]
    if numbers:
        msg = (
            f"categories must have names that are no numbers, since the codes in {title} are "
            f"numbers, got {shown(numbers[0])}"
        )
        raise ValueError(msg)


def _check_text(kinds: list[str], title: str) -> None:
    """Sorted as text, 10 comes before 9."""
    if all(_as_number(kind) is not None for kind in kinds):
        msg = (
            f"X must not have numbers written as text, got {shown(kinds[0])} in {title}: make them "
            "numbers, or a pandas categorical if they are names"
        )
        raise ValueError(msg)


def _plain(values: Array, title: str) -> Array:
    """An array of objects as numbers."""
    first = values.tolist()[0]
    if isinstance(first, date | time | timedelta):
        _refuse_dates(type(first).__name__, title)
    try:
        plain = np.array(values.tolist())
    except ValueError:
        plain = values
    if plain.dtype.kind not in "biuf" or plain.shape != values.shape:
        msg = f"X must be numbers, text or booleans, got {shown(values.tolist()[0])} in {title}"
        raise ValueError(msg)
    return plain


def _check_codes(values: Array, kinds: Sequence[Any], title: str) -> None:
    wrong = (values < 0) | (values >= len(kinds)) | (values != np.floor(values))
    if wrong.any():
        msg = (
            f"X must have the codes 0 .. {len(kinds) - 1} of its categories in {title}, "
            f"got {values[wrong][0]}"
        )
        raise ValueError(msg)


def _finite(columns: Array, names: tuple[str, ...] | None) -> Floats:
    """Columns as floats, none of them missing, infinite or beyond the exact integers."""
    values = np.ascontiguousarray(columns, dtype=np.float64)
    if columns.dtype.kind in "iu" and np.abs(values).max() >= LARGEST_INTEGER:
        i, row = np.argwhere(np.abs(values) >= LARGEST_INTEGER)[0].tolist()
        msg = (
            f"X must have integers below 2^53, which floats hold exactly, got {columns[i, row]} "
            f"in row {row}, {_title(i, names)}"
        )
        raise ValueError(msg)
    finite = np.isfinite(values)
    if not finite.all():
        i, row = np.argwhere(~finite)[0].tolist()
        what = "missing values (NaN)" if np.isnan(values[i, row]) else "infinite values"
        msg = f"X must not have {what}, got one in row {row}, {_title(i, names)}"
        raise ValueError(msg)
    return values


# -- rows for a tree that is grown -----------------------------------------------------------------


def coded_rows(X: Any, names: Names) -> Any:
    """The rows of a table as a tree with these names tests them; what is no table stays as it is.

    Text is coded as it was where the tree was grown. A number in a coded column is a code; where
    the categories are numbers themselves, it is one of them. A tree knows its columns by their
    places, so a data frame that has a feature of the tree in another place, or some of them and
    not all, is refused; what it has beyond them is not looked at.
    """
    refuse_sparse(X)
    frame = as_frame(X, most=None if names.features is None else len(names.features))
    if frame is not None:
        _check_places(frame.names, names)
        titles, columns = frame.names, frame.columns
    else:
        titles = None
        array = X if isinstance(X, np.ndarray) else as_given(X)
        if array is None or array.ndim != 2 or not array.size or array.dtype.kind not in "biufOUST":
            return X
        if not names.categories and array.dtype.kind in "biuf":
            return array
        columns = [Column.of(values) for values in array.T]
    if not columns or not columns[0].values.size:
        return X
    kinds = names.categories
    coded = [_numbers(c, kinds.get(i), _title(i, titles)) for i, c in enumerate(columns)]
    return np.stack(coded, axis=1)


def _numbers(column: Column, kinds: tuple[str, ...] | None, title: str) -> Array:
    """A column as numbers: as they are, or the codes of what they are called."""
    values = entries = column.values
    if values.dtype.kind == "O":
        with contextlib.suppress(ValueError):
            values = np.array(entries.tolist())
    is_number = values.dtype.kind in "biuf"
    if kinds is None:
        if not is_number:
            got = shown(entries.tolist()[0])
            msg = f"X must have numbers in {title}, as where the tree was grown, got {got}"
            raise ValueError(msg)
        return values
    if not is_number or column.kinds is not None:
        return _codes_of(entries.tolist(), kinds, title)
    called = {number: k for k, kind in enumerate(kinds) if (number := _as_number(kind)) is not None}
    if called:
        unknown = [entry for entry in values.tolist() if entry not in called]
        if unknown:
            msg = f"X must have one of {shown(list(kinds))} in {title}, got {shown(unknown[0])}"
            raise ValueError(msg)
        return np.array([called[entry] for entry in values.tolist()], dtype=np.intp)
    _check_codes(values, kinds, title)
    return values


def _as_number(text: str) -> float | None:
    """The number that a text is, if it is one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _check_places(titles: tuple[str, ...], names: Names) -> None:
    features = names.features or ()
    missing = [name for name in features if name not in titles]
    if missing and len(missing) < len(features):
        msg = f"X must have a column for each feature of the tree, got none called {missing[0]}"
        raise ValueError(msg)
    for i, name in enumerate(features):
        if titles[i : i + 1] != (name,) and name in titles:
            msg = (
                f"X must have its columns in the order of the tree's features, "
                f"{name} as column {i}, got it as column {titles.index(name)}"
            )
            raise ValueError(msg)


def _codes_of(entries: list[Any], kinds: tuple[str, ...], title: str) -> Array:
    """The places of entries among the texts that codes stand for."""
    code = {kind: k for k, kind in enumerate(kinds)}
    unknown = [entry for entry in entries if str(entry) not in code]
    if unknown:
        msg = f"X must have one of {shown(list(kinds))} in {title}, got {shown(unknown[0])}"
        raise ValueError(msg)
    return np.array([code[str(entry)] for entry in entries], dtype=np.intp)


# -- labels ----------------------------------------------------------------------------------------


def as_classes(y: Any, m: int) -> tuple[Array, Ints]:
    """The classes of labels, sorted, and for each example the place of its class among them."""
    labels = _labels(y, m)
    if labels.dtype.kind == "O":
        # a data frame may hold NumPy's own scalars: np.str_ is text all the same
        entries = [e.item() if isinstance(e, np.generic) else e for e in labels.tolist()]
        kind = next(
            (k for k in (str, bool, int, float) if all(type(e) is k for e in entries)), None
        )
        if kind is None:
            msg = f"y must be labels of one kind, none missing, got {shown(entries)}"
            raise ValueError(msg)
        labels = np.array(entries)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        k = int(np.isfinite(labels).argmin())
        msg = f"y must not have missing or infinite labels, got {labels[k]} at index {k}"
        raise ValueError(msg)
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        k = int((labels != np.floor(labels)).argmax())
        msg = (
            f"y must be classes, not continuous numbers, got {labels[k]} at index {k}: "
            'regression is cost="squared"'
        )
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
        msg = f"y must be numbers for squared loss, got {shown(y)}"
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


def _labels(y: Any, m: int) -> Array:
    labels = as_given(y)
    if labels is None or labels.ndim != 1 or labels.dtype.kind not in "biufOUST":
        got = shown(y) if labels is None or labels.ndim in (0, 1) else f"shape {labels.shape}"
        msg = f"y must be a flat sequence of labels, got {got}"
        raise ValueError(msg)
    if labels.size != m:
        msg = f"y must have one label for each of the {m} rows of X, got {labels.size}"
        raise ValueError(msg)
    return labels
