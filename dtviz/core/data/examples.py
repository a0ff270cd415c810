"""Examples as they come (lists, arrays, data frames) and as the learners and trees want them.

Values become a ``(d, m)`` array of floats, a feature a row, NaN where one is missing. Columns of
text and categoricals are coded 0, 1, 2, ... in sorted order, or in the order of the categorical,
and the ``Names`` remember what the codes stand for.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from numbers import Number
from typing import Any

import numpy as np

from dtviz.core.bases import Array
from dtviz.core.checks import as_given, as_repr, check_differ
from dtviz.core.data.frames import Column, as_frame, check_table
from dtviz.core.data.number_texts import check_text, first_no_number, reading_hint
from dtviz.core.hints import did_you_mean
from dtviz.core.names import Names

DATES = date, time, timedelta, np.datetime64, np.timedelta64

UNKNOWN = -1
"""The code of a category that was not there where a tree was grown."""

LARGEST_INTEGER = 1 << 53
"""Beyond this, two integers may be one float."""


class Inputs:
    """The inputs of examples, (d, m) floats, NaN where a value is missing, if that is ``allowed``.

    ``columns`` is a ``copy`` in 64 bits, unless a view of an array of floats is enough; ``names``
    says what the columns are called and what codes stand for; the codes of the ``nominal`` columns
    have no order: text, and categoricals without one.
    """

    def __init__(
        self,
        X: Any,
        feature_names: Iterable[str] | None = None,
        *,
        allowed: bool = False,
        copy: bool = True,
    ) -> None:
        columns, found = _read_columns(X)
        names = found if feature_names is None else _check_names(feature_names, len(columns))
        coded: dict[int, tuple[str, ...]] = {}
        rows, nominal = [], []
        for i, column in enumerate(columns):
            title = _title(i, names)
            if column.missing is not None and not allowed:
                row = int(column.missing.argmax())
                msg = f"X must not have missing values (NaN), got one in row {row}, {title}"
                raise ValueError(msg)
            values, kinds = _code_column(column, title)
            rows.append(column.spread(values))
            if kinds is not None:
                coded[i] = kinds
                if not column.ordered:
                    nominal.append(i)
        view = None if copy else _view(X)
        self.columns: Array = np.array(rows, dtype=np.float64) if view is None else view
        low, high = self.columns.min(axis=1), self.columns.max(axis=1)
        for i in np.flatnonzero(~(np.isfinite(low) & np.isfinite(high))).tolist():
            infinite = np.isinf(self.columns[i])
            if infinite.any():
                row = int(infinite.argmax())
                msg = f"X must not have infinite values, got one in row {row}, {_title(i, names)}"
                raise ValueError(msg)
        self.nominal = tuple(nominal)
        unit = np.flatnonzero((low >= 0) & (high <= 1)).tolist()
        bits = [i for i in unit if ((self.columns[i] == 0) | (self.columns[i] == 1)).all()]
        missing = np.flatnonzero(np.isnan(low)).tolist()
        self.names = Names(names, frozenset(bits) - set(coded), coded, missing=frozenset(missing))


def _read_columns(X: Any) -> tuple[list[Column], tuple[str, ...] | None]:
    """The columns of X, and their names."""
    check_table(X)
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
        got = as_repr(X) if array is None or array.ndim in (0, 2) else f"shape {array.shape}"
        msg = f"X must be a table, an (m, d) array of numbers, got {got}"
        raise ValueError(msg)
    if array.size == 0:
        msg = f"X must have at least one row and one column, got shape {array.shape}"
        raise ValueError(msg)
    if array.dtype.kind in "biuf" and not np.isnan(array.min()):
        return [*map(Column, array.T)], None
    return [*map(Column.of, array.T)], None


def _view(X: Any) -> Array | None:
    """The columns of an array of floats, none missing, that lie side by side or row by row."""
    if not isinstance(X, np.ndarray) or X.dtype not in (np.float32, np.float64):
        return None
    lies_together = X.flags.c_contiguous or X.flags.f_contiguous
    return np.asarray(X).T if lies_together and not np.isnan(X.min()) else None


def _refuse_dates(what: object, title: str) -> None:
    msg = (
        f"X must have numbers or text, got dates or times ({what}) in {title}: give days since the "
        "first instead, (x - x.min()) / numpy.timedelta64(1, 'D')"
    )
    raise ValueError(msg)


def _title(i: int, names: tuple[str, ...] | None) -> str:
    return f"column {i}" if names is None else f"column {i} ({names[i]})"


def _check_names(names: Any, d: int) -> tuple[str, ...]:
    """One string for each column."""
    given = [] if isinstance(names, str) else _list_entries(names)
    if len(given) != d or not all(isinstance(name, str) for name in given):
        msg = f"feature_names must be {d} strings, one for each column of X, got {as_repr(names)}"
        raise ValueError(msg)
    return tuple(str(name) for name in given)


def _list_entries(values: Any) -> list[Any]:
    # The order of a set is nobody's, and that of a mapping another one.
    if isinstance(values, (Mapping, set, frozenset)):
        return []
    try:
        return list(values)
    except TypeError:
        return []


def _code_column(column: Column, title: str) -> tuple[Array, tuple[str, ...] | None]:
    """The numbers of a column, and what they stand for if they are codes."""
    kinds, values = column.kinds, column.values
    check_differ(f"categories of {title}", [*map(str, kinds or ())])
    if not values.size:
        return values, None if kinds is None else tuple(map(str, kinds))
    if values.dtype.kind in "mM":
        _refuse_dates(values.dtype, title)
    if (
        values.dtype.kind == "O"
        and kinds is None
        and not any(isinstance(entry, str) for entry in values.tolist())
    ):
        values = _read_numbers(values, title)
    if values.dtype.kind in "biuf" and kinds is None:
        _check_integers(values, title, column.missing)
        return values, None
    entries = values.tolist()
    if kinds is None:
        if not all(isinstance(entry, str) for entry in entries):
            _refuse_mixed(entries, title)
        kinds = sorted(set(entries))
        check_text(kinds, title)
    code = {kind: k for k, kind in enumerate(kinds)}
    unknown = [e for e in entries if not isinstance(e, Hashable) or e not in code]
    if unknown:
        raise _unknown(kinds, title, unknown[0])
    return np.array([code[entry] for entry in entries]), tuple(map(str, kinds))


def _refuse_mixed(entries: list[Any], title: str) -> None:
    """Text and something else in one column."""
    _check_entries([entry for entry in entries if not isinstance(entry, str)], title)
    text = first_no_number(entries)
    other = next(entry for entry in entries if not isinstance(entry, str))
    msg = (
        f"X must have numbers or text in a column, not both, got {as_repr(text)} beside "
        f"{as_repr(other)} in {title}: make all of them numbers, as pandas.to_numeric does "
        "(errors='coerce' makes any other text a missing value), or all of them text"
    )
    raise ValueError(msg)


def _check_entries(entries: list[Any], title: str) -> None:
    """What is neither text nor a real number is refused by its kind."""
    for entry in entries:
        if isinstance(entry, DATES):
            _refuse_dates(type(entry).__name__, title)
        if isinstance(entry, Number | np.bool_) and not isinstance(
            entry, complex | np.complexfloating
        ):
            continue
        rule, hint = "numbers, text or booleans", ""
        if isinstance(entry, bytes):
            hint = ": decode it, as x.str.decode('utf-8') does in pandas"
        elif isinstance(entry, Iterable):
            hint = ": a cell has one value, so make a column of each part"
        elif isinstance(entry, Number):
            rule = "real numbers, text or booleans"
        msg = f"X must be {rule}, got {as_repr(entry)} in {title}{hint}"
        raise ValueError(msg)


def _read_numbers(values: Array, title: str) -> Array:
    """An array of objects as numbers."""
    entries = values.tolist()
    _check_entries(entries, title)
    plain = np.array(entries)
    if plain.dtype.kind not in "biuf":
        odd = next((e for e in entries if np.asarray(e).dtype.kind not in "biuf"), entries[0])
        msg = (
            "X must be numbers as NumPy holds them, int64 or float64, "
            f"got {as_repr(odd)} in {title}: make them floats, if floats are exact enough"
        )
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


def _check_integers(values: Array, title: str, missing: Array | None = None) -> None:
    if values.dtype.kind not in "iu":
        return
    wrong = np.flatnonzero(np.abs(values.astype(np.float64)) >= LARGEST_INTEGER)
    if wrong.size:
        row = wrong[0] if missing is None else np.flatnonzero(~missing)[wrong[0]]
        msg = (
            f"X must have integers below 2^53, which floats hold exactly, got {values[wrong[0]]} "
            f"in row {row}, {title}"
        )
        raise ValueError(msg)


def code_rows(X: Any, names: Names, unknown: float | None = None, *, by_place: bool = False) -> Any:
    """The rows of a table as a tree with these names tests them; what is no table stays as it is.

    Text is coded as it was where the tree was grown, and what is missing is NaN. A number in a
    coded column is a code; where the categories are numbers themselves, it is one of them. What is
    no category has the code ``unknown``, and is refused without. The columns of a data frame are
    those that `find_columns` finds by their names, unless it is read as an array is, ``by_place``.
    """
    check_table(X)
    frame = as_frame(X, None if by_place else lambda titles: find_columns(titles, names))
    if frame is not None:
        titles, places, columns = frame.names, frame.places, frame.columns
    else:
        array = X if isinstance(X, np.ndarray) else as_given(X)
        if array is None or array.ndim != 2 or not array.size or array.dtype.kind not in "biufOUST":
            return X
        if not names.categories and array.dtype.kind in "biuf":
            return array
        columns = [Column.of(values) for values in array.T]
        titles, places = None, [*range(len(columns))]
    if not columns:
        return X
    if not columns[0].size:
        return np.empty((0, len(columns)))
    kinds = names.categories
    coded = [
        c.spread(_code_numbers(c, kinds.get(i), _title(place, titles), unknown))
        for i, (place, c) in enumerate(zip(places, columns, strict=True))
    ]
    return np.stack(coded, axis=1)


def find_columns(titles: Sequence[str], names: Names) -> list[int]:
    """The places of a tree's features among the columns of a frame: by their names, in any order.

    A tree without names calls its features x0, x1, ...: if a column is called so, those up to it
    are found. Else nothing is known but their places, those of all columns.

    Examples
    --------
    >>> from dtviz.core.data.examples import find_columns
    >>> from dtviz.core.names import Names
    >>> find_columns(["sex", "id", "age"], Names(("age", "sex")))
    [2, 0]
    >>> find_columns(["y", "x1", "x0"], Names()), find_columns(["a", "b"], Names())
    ([2, 1], [0, 1])
    """
    place = {title: i for i, title in enumerate(titles)}
    features: Sequence[str] | None = names.features
    if features is None:
        numbers = numbers_of(titles)
        if not numbers:
            return [*range(len(titles))]
        # Where there are fewer columns, one of as many names is missing.
        features = [f"x{i}" for i in range(min(max(numbers) + 1, len(titles)))]
    for name in features:
        if name not in place:
            msg = (
                f"X must have a column for each feature of the tree, got none called {name!r}, "
                f"but {as_repr(list(titles))}"
            )
            raise ValueError(msg + did_you_mean(name, titles))
    return [place[name] for name in features]


def numbers_of(titles: Iterable[str]) -> list[int]:
    """The numbers of those titles that are names of features without names: x0, x1, ..."""
    return [int(title[1:]) for title in titles if re.fullmatch("x(0|[1-9][0-9]*)", title)]


def _code_numbers(
    column: Column, kinds: tuple[str, ...] | None, title: str, unknown: float | None
) -> Array:
    """A column as numbers: as they are, or the codes of what they are called."""
    values = entries = column.values
    if not values.size:
        return np.empty(0)
    if values.dtype.kind == "O":
        with contextlib.suppress(ValueError):
            plain = np.array(entries.tolist())
            values = plain if plain.ndim == 1 else entries
    is_number = values.dtype.kind in "biuf"
    if kinds is None:
        if not is_number:
            listed = entries.tolist()
            _check_entries([entry for entry in listed if not isinstance(entry, str)], title)
            odd = first_no_number(listed)
            hint = f": {reading_hint([odd])}" if isinstance(odd, str) else ""
            msg = f"X must have numbers in {title}, as where the tree was grown, got {as_repr(odd)}"
            raise ValueError(msg + hint)
        return values
    called = codes_of_numbers(kinds)
    if is_number and column.kinds is None and not called:
        if unknown is not None:
            return np.where(np.isin(values, range(len(kinds))), values, unknown)
        _check_codes(values, kinds, title)
        return values
    listed = entries.tolist()
    if not is_number or column.kinds is not None:
        known = {kind: k for k, kind in enumerate(kinds)}
        codes = [known.get(str(entry), unknown) for entry in listed]
    else:
        codes = [called.get(entry, unknown) for entry in values.tolist()]
    if None in codes:
        raise _unknown(kinds, title, listed[codes.index(None)])
    return np.array(codes)


def codes_of_numbers(kinds: Sequence[str]) -> dict[float, int]:
    """The codes of categories that are numbers, by these; empty if none is, and numbers are codes.

    >>> from dtviz.core.data.examples import codes_of_numbers
    >>> codes_of_numbers(["1912", "2000"]), codes_of_numbers(["rain", "sun"])
    ({1912.0: 0, 2000.0: 1}, {})
    """
    return {number: k for k, kind in enumerate(kinds) if (number := _as_number(kind)) is not None}


def _unknown(kinds: Sequence[Any], title: str, entry: Any) -> ValueError:
    """The error of a category that was not there where the tree was grown."""
    return ValueError(
        f"X must have one of {as_repr(list(kinds))} in {title}, got {as_repr(entry)}"
        + (
            did_you_mean(entry, kinds)
            or ": predict(X, unknown='missing') sends it where missing values go, "
            "unknown='larger' to the larger branches; a tree grown on "
            "pandas.Categorical(x, categories=[...]) knows all of these"
        )
    )


def _as_number(text: str) -> float | None:
    """The number that a text is, if it is one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
