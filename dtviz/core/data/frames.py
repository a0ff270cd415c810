"""Data frames of any maker as columns of arrays: pandas, polars, Arrow, whatever narwhals reads."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_given, as_repr
from dtviz.core.data.datasets import Dataset
from dtviz.core.data.number_texts import check_text

TWICE = "X must have a name of its own for each column, got {!r} twice"


class Column(NamedTuple):
    """A column of a table: its ``values`` that are not missing, numbers, dates or objects.

    ``kinds`` are the categories of a categorical, in an order that means something if ``ordered``;
    ``missing`` says which of the m entries are missing, if some are.
    """

    values: npt.NDArray[Any]
    kinds: list[Any] | None = None
    missing: npt.NDArray[np.bool_] | None = None
    ordered: bool = False

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> Column:
        """A column of an array, in which None and NaN are missing."""
        missing = np.zeros(values.size, dtype=np.bool_)
        if values.dtype.kind in "OT":
            missing[:] = [is_absent(entry) for entry in values.tolist()]
        elif values.dtype.kind == "f":
            missing = np.isnan(values)
        return cls(values[~missing], None, missing) if missing.any() else cls(values)

    @property
    def size(self) -> int:
        """m, the number of entries, missing or not."""
        return self.values.size if self.missing is None else self.missing.size

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Numbers for the entries that are there, at their places; NaN at the others."""
        if self.missing is None:
            return values
        spread = np.full(self.missing.size, np.nan)
        spread[~self.missing] = values
        return spread


@dataclass(frozen=True)
class Frame:
    """A data frame: the names of its columns, and the columns that were asked for, by place."""

    names: tuple[str, ...]
    places: list[int]
    columns: list[Column]


def check_table(X: Any) -> None:
    """Refuse what is no table here but can be made one, and say how: a TypeError or ValueError."""
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        msg = f"X must be a dense array, sparse data is not supported, got {as_repr(X)}"
        raise TypeError(f"{msg}: X.toarray() is dense")
    got, made = "", "pandas.DataFrame(X) is one"
    if isinstance(X, Mapping):
        got = "a dictionary"
        if not any(
            isinstance(value, Iterable) and not isinstance(value, str) for value in X.values()
        ):
            made = "pandas.DataFrame([X]) is one"
    elif isinstance(X, (list, tuple)) and X and isinstance(X[0], Mapping):
        got = "a list of dictionaries"
    elif isinstance(X, np.ndarray) and X.dtype.names:
        got = "a structured array"
    elif hasattr(type(X), "to_frame") and not hasattr(type(X), "columns"):
        got, made = "a series", "X.to_frame() is one"
    elif isinstance(X, np.ma.MaskedArray):
        got, made = "a masked array", "X.astype(float).filled(numpy.nan) is one, its gaps missing"
    if got:
        rule = "X must be a table, an (m, d) array or a data frame"
        msg = f"{rule}, got {got}, {as_repr(X)}: {made}"
        raise ValueError(msg)


def names_of(X: Any) -> list[Any] | None:
    """The names of a data frame's columns, or None if it is none; errors as those of `as_frame`."""
    frame = _read_frame(X)
    return None if frame is None else list(frame.columns)


def as_frame(
    X: Any, pick: Callable[[tuple[str, ...]], Iterable[int]] | None = None
) -> Frame | None:
    """Read a data frame, or the columns that ``pick`` finds by their names; None if it is none.

    Categories stand in the order of a pandas categorical or of an enumeration. Where a maker keeps
    them as they happened to come, as polars does in its Categorical, they are sorted. Only pandas
    says of a categorical whether its order means something.
    """
    frame = None if isinstance(X, Dataset) else _read_frame(X)
    if frame is None and not isinstance(X, Dataset):
        return None
    titles = X.feature_names if frame is None else tuple(map(str, frame.columns))
    twice = next((name for name in titles if titles.count(name) > 1), None)
    if twice is not None:
        raise ValueError(TWICE.format(twice))
    places = [*range(len(titles))] if pick is None else [*pick(titles)]
    if frame is None:
        return Frame(titles, places, [Column.of(X.X[:, place]) for place in places])
    return Frame(titles, places, [_read_column(frame[:, place], place) for place in places])


def rows_of(X: Any) -> Callable[[npt.NDArray[np.intp]], Any]:
    """What picks rows of a table by their numbers; a data frame stays one.

    Its columns of text become categoricals, without an order, of what the whole column holds, so
    that a category is known wherever it does not occur among the rows. Arrow has none, and stays as
    it is.
    """
    frame = _read_frame(X)
    if frame is None:
        array = as_given(X)
        if array is None:
            msg = f"X must be a table, rows of equal length, got {as_repr(X)}"
            raise ValueError(msg)
        return array.__getitem__
    with contextlib.suppress(NotImplementedError):
        frame = frame.with_columns(*map(_enumerate, frame.iter_columns(), count()))
    return lambda places: frame[places].to_native()


def take_rows(X: Any, places: npt.NDArray[np.intp]) -> Any:
    """Rows of a table by their numbers, as if there were no others; a data frame stays one."""
    frame = _read_frame(X)
    return np.asarray(as_given(X))[places] if frame is None else frame[places].to_native()


def _enumerate(series: Any, place: int) -> Any:
    import narwhals.stable.v2 as nw  # noqa: PLC0415

    if series.dtype != nw.String and not (
        isinstance(series.dtype, nw.Categorical) and not series.implementation.is_pandas()
    ):
        return series
    kinds = sorted(set(series.drop_nulls().to_list()))
    if series.dtype == nw.String:
        check_text(kinds, f"column {place} ({series.name})")
    if not series.implementation.is_pandas():
        return series.cast(nw.Enum(kinds))
    native = series.to_native().astype("category").cat.set_categories(kinds)
    return nw.from_native(native, series_only=True)


def _read_frame(X: Any) -> Any:
    # Looked up in the class: asked for its columns, a lazy frame resolves them.
    if not hasattr(type(X), "columns") and not hasattr(type(X), "column_names"):
        return None
    # Who comes with arrays does not need it.
    import narwhals.stable.v2 as nw  # noqa: PLC0415
    from narwhals.exceptions import DuplicateError  # noqa: PLC0415

    try:
        frame = nw.from_native(X, pass_through=True)
    except DuplicateError:
        texts = [str(name) for name in getattr(X, "column_names", X.columns)]
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(TWICE.format(twice)) from None
    if isinstance(frame, nw.LazyFrame):
        msg = f"X must hold its rows, got a lazy frame, {type(X).__name__}: collect it first"
        raise ValueError(msg)
    return frame if isinstance(frame, nw.DataFrame) else None


def _read_column(series: Any, place: int) -> Column:
    import narwhals.stable.v2 as nw  # noqa: PLC0415

    dtype = series.dtype
    if dtype.is_nested() or dtype in (nw.Int128, nw.UInt128):
        hint = "a cell has one value, so make a column of each part"
        if not dtype.is_nested():
            hint = "make them Int64 or Float64"
        msg = f"X must be numbers, text or booleans, got {dtype} in column {place} ({series.name})"
        raise ValueError(f"{msg}: {hint}")
    absent = series.is_null().to_numpy()
    there = series.drop_nulls() if absent.any() else series
    is_pandas, is_enum = series.implementation.is_pandas(), isinstance(series.dtype, nw.Enum)
    kinds = None
    if is_enum or isinstance(series.dtype, nw.Categorical):
        kinds = series.cat.get_categories().to_list()
        if not is_pandas and not is_enum:
            kinds = sorted(set(there.to_list()))
    values = there.to_numpy()
    if values.dtype.kind == "f" and np.isnan(values).any():
        absent = absent.copy()
        absent[~absent] = np.isnan(values)
        values = values[~np.isnan(values)]
    return Column(values, kinds, absent if absent.any() else None, is_pandas and is_enum)


def is_absent(entry: Any) -> bool:
    """Whether an entry is a missing value: None, NaN or what pandas has for it."""
    if entry is None:
        return True
    try:
        return bool(entry != entry)  # noqa: PLR0124 -- what NaN is
    except TypeError:
        return True  # pandas' NA is not to be compared
