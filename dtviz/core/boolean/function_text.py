"""What a function says of itself where it ends a cell: formula, words, table and influences.

Here f is a `BooleanFunction`, which stands a floor above.
"""

from __future__ import annotations

from html import escape
from operator import itemgetter
from typing import Any

import numpy as np

from dtviz.core.boolean.cube import cube_points
from dtviz.core.table import ResultTable, table

LONGEST_FORMULA, MOST_READ = 80, 16
"""The characters of a formula that is shown, and the variables of functions read for one."""

MOST_IN_TABLE, MOST_LISTED, LISTED = 4, 8, 3
"""The most variables of a table, and of influences in full; of more, so many are listed."""


def find_formula(f: Any) -> str:
    """A short formula of a function, or nothing if none is found."""
    try:
        short: str = f.to_expression()
    except ValueError:  # it depends on too many variables
        return ""
    return short if len(short) <= LONGEST_FORMULA else ""


def describe(f: Any) -> str:
    """How many variables a function has, where it is 1, and which variables matter.

    >>> import dtviz as dt
    >>> from dtviz.core.boolean.function_text import describe
    >>> describe(dt.BooleanFunction.from_text("x0 & x2"))
    'a function of 3 variables, 1 at 2 of 8 points; only x0 and x2 matter'
    """
    kind = f"a function of {_count(f.n, 'variable')}"
    needed = [f.names[i] for i in f.relevant_variables()]
    if not needed:
        return f"{kind}, always {int(f.code > 0)}"
    share = f"{kind}, 1 at {f.code.bit_count():,} of {_count(1 << f.n, 'point')}"
    if len(needed) == f.n:
        return share
    listed = ", ".join(needed[:-1]) + " and " * (len(needed) > 1) + needed[-1]
    return f"{share}; only {listed} {'matter' if len(needed) > 1 else 'matters'}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _parts(f: Any) -> tuple[str, str, ResultTable | None, str]:
    """Formula, words, table and influences, empty where there is none."""
    formula = find_formula(f) if f.n <= MOST_READ else ""
    if not 0 < f.n <= MOST_READ:
        return formula, describe(f), None, ""
    halves = [f.table.reshape(-1, 2, 1 << i) for i in range(f.n)]
    pairs = [
        (float((h[:, 0] != h[:, 1]).mean()), name) for h, name in zip(halves, f.names, strict=True)
    ]
    head = "influences" if f.n <= MOST_LISTED else "largest influences"
    if f.n > MOST_LISTED:
        pairs = sorted(pairs, key=itemgetter(0), reverse=True)[:LISTED]
    listed = f"{head}: " + ", ".join(f"{name} {share:g}" for share, name in pairs)
    if f.n > MOST_IN_TABLE:
        return formula, describe(f), None, listed
    rows = np.column_stack([cube_points(f.n), f.table]).tolist()
    header = [*f.names, "value" if "f" in f.names else "f"]
    return formula, describe(f), table(rows, header), listed


def as_text(f: Any) -> str:
    """The function in lines of text."""
    return "\n".join(str(part) for part in _parts(f) if part)


def as_html(f: Any) -> str:
    """The same as HTML: the same bytes for equal functions of equal names."""
    formula, words, values, listed = _parts(f)
    head = f"<code>{escape(formula)}</code>: {escape(words)}" if formula else escape(words)
    shown = "" if values is None else values._repr_html_()
    foot = f"<p>{escape(listed)}</p>" if listed else ""
    return f'<div class="dtviz-function"><p>{head}</p>{shown}{foot}</div>'
