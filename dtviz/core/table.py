"""Results as a table: typeset in Jupyter and in the book, in columns of text elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from numbers import Integral, Rational, Real
from types import MappingProxyType
from typing import Any

import numpy as np

from dtviz.core.checks import as_integer, as_list, as_repr, check_differ

NUMBER = Real, np.bool_
MOST_ROWS, MOST_COLUMNS = 10_000, 100


@dataclass(frozen=True)
class ResultTable:
    """Rows of results as `table` makes them: the text of cells, and which columns are numbers."""

    header: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    is_number: tuple[bool, ...]
    highlight: int | None
    caption: str

    def __str__(self) -> str:
        rows = [self.header, *self.cells]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [self.caption] if self.caption else []
        for at, row in enumerate(rows, start=-1):
            texts = [
                text.rjust(width) if is_number else text.ljust(width)
                for text, width, is_number in zip(row, widths, self.is_number, strict=True)
            ]
            mark = "  <" if at == self.highlight and at >= 0 else ""
            lines.append(("  ".join(texts) + mark).rstrip())
            if at < 0:
                lines.append("  ".join("-" * width for width in widths).rstrip())
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Show the same as HTML; the first cell of a row names it."""
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        head = "".join(
            _cell('th scope="col"', name, is_number=is_number)
            for name, is_number in zip(self.header, self.is_number, strict=True)
        )
        body = []
        tags = 'th scope="row"', *["td"] * (len(self.header) - 1)
        for at, row in enumerate(self.cells):
            cells = "".join(
                _cell(tag, text, is_number=is_number)
                for tag, text, is_number in zip(tags, row, self.is_number, strict=True)
            )
            marked = ' class="dtviz-highlight"' if at == self.highlight else ""
            body.append(f"<tr{marked}>{cells}</tr>\n")
        return (
            f'<table class="dtviz-table">{caption}\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{''.join(body)}</tbody></table>"
        )


class HasTable:
    """Base of results that are shown as a table, which a subclass makes."""

    __slots__ = ()

    def _as_table(self) -> ResultTable:
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(self._as_table())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return self._as_table()._repr_html_()


def _cell(tag: str, text: str, *, is_number: bool) -> str:
    side = "right" if is_number else "left"
    return f'<{tag} style="text-align: {side}">{escape(text)}</{tag.partition(" ")[0]}>'


def table(
    rows: Iterable[Iterable[object]],
    header: Sequence[str],
    *,
    formats: Mapping[str, str] = MappingProxyType({}),
    highlight: int | None = None,
    caption: str = "",
) -> ResultTable:
    """Show rows of results as a table.

    Parameters
    ----------
    rows : iterable of iterables
        A value for each column. Integers are written with commas, other numbers with three digits
        after the point, fractions as such, truth values as yes and no, None as nothing.
    header : sequence of str
        The names of the columns, each another.
    formats : mapping from str to str, optional
        For columns to be written otherwise, a format specification, such as ``".1%"``.
    highlight : int, optional
        The row to emphasize, from 0.
    caption : str, optional
        A line above the table.

    Examples
    --------
    >>> import dtviz as dt
    >>> rows = [("parity(3)", 8, 3.0), ("majority(3)", 6, 2.5)]
    >>> dt.table(rows, ["function", "leaves", "average depth"], highlight=1)
    function     leaves  average depth
    -----------  ------  -------------
    parity(3)         8          3.000
    majority(3)       6          2.500  <
    """
    rule = "the names of the columns, at least one"
    names = tuple(as_list("header", header, rule, MOST_COLUMNS))
    if not names or not all(isinstance(name, str) for name in names):
        msg = f"header must be {rule}, got {as_repr(header)}"
        raise ValueError(msg)
    check_differ("header", names)
    if not isinstance(caption, str):
        msg = f"caption must be a text, got {as_repr(caption)}"
        raise ValueError(msg)
    values = [
        as_list(f"rows[{at}]", row, "a value for each column", MOST_COLUMNS)
        for at, row in enumerate(as_list("rows", rows, "a sequence of rows", MOST_ROWS))
    ]
    for at, row in enumerate(values):
        if len(row) != len(names):
            msg = f"rows[{at}] must have a value for each of {len(names)} columns, got {len(row)}"
            raise ValueError(msg)
    given: Any = formats
    if not isinstance(given, Mapping) or not set(given) <= set(names):
        msg = f"formats must map columns of header to formats, got {as_repr(formats)}"
        raise ValueError(msg)
    if highlight is not None and not values:
        msg = f"highlight must be None where there are no rows, got {as_repr(highlight)}"
        raise ValueError(msg)
    if highlight is not None:
        highlight = as_integer("highlight", highlight, 0, len(values) - 1)
    columns = list(zip(*values, strict=True)) or [()] * len(names)
    is_number = tuple(
        bool(column)
        and all(value is None or isinstance(value, NUMBER) for value in column)
        and not all(isinstance(value, bool | np.bool_) for value in column)
        for column in columns
    )
    cells = tuple(
        tuple(_format_value(v, name, formats.get(name)) for v, name in zip(row, names, strict=True))
        for row in values
    )
    return ResultTable(names, cells, is_number, highlight, caption)


def _format_value(value: object, name: str, spec: str | None) -> str:
    if value is None:
        return ""
    if isinstance(value, Fraction) and spec:  # Python 3.11 does not format fractions
        value = float(value)
    if spec is None:
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        if isinstance(value, Real) and not isinstance(value, Rational):
            spec = "z.3f"  # z: no -0.000
        else:
            spec = "," if isinstance(value, Integral) else ""
    try:
        return format(value, spec)
    except (TypeError, ValueError) as wrong:
        msg = f"formats[{name!r}] must fit each value of its column, got {spec!r}: {wrong}"
        raise ValueError(msg) from wrong
