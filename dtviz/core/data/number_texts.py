"""Numbers written as text: which columns of text are refused, and how they are to be read.

One "?" among numbers makes all of a column text, and each of its numbers a category of its own. The
CSV reader of the page (``explorers/static/computing/csv.js``) goes by the same rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from dtviz.core.checks import as_repr

MISSING_MARKS = frozenset([
    "", "?", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
])  # fmt: skip
"""What stands for a missing value in a file: for pandas, and the question mark."""

_NUMBER = re.compile(
    r"[-+]?[$€£¥]?\s?[-+]?"
    r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]*)?"
    r"|[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?\s?(%|[A-Za-zµ°]*)"
)
_PLAIN = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")

FEW_UNITS = 3
"""So many numbers with the same letters behind them, at least, have a unit: 2 kg, 9 kg, 10 kg."""


def list_number_texts(texts: Iterable[str]) -> list[str]:
    """List those of some different texts that are numbers.

    They may have a sign of a currency, commas, a percent sign or a unit.

    >>> from dtviz.core.data.number_texts import list_number_texts
    >>> list_number_texts(["1,234", "45 %", "9.5", "?", "1st", "2nd", "3 m", "4 m", "5 m"])
    ['1,234', '45 %', '9.5', '3 m', '4 m', '5 m']
    """
    found = {text: _NUMBER.fullmatch(text.strip()) for text in texts}
    units = {text: match[1] for text, match in found.items() if match}
    often = Counter(units.values())
    return [text for text, unit in units.items() if unit in ("", "%") or often[unit] >= FEW_UNITS]


def reading_hint(texts: list[str]) -> str:
    """How to read texts that stand in the place of numbers."""
    if _PLAIN.fullmatch(texts[0].strip()):
        return "make them numbers"
    if _NUMBER.fullmatch(texts[0].strip()):
        return "leave out what is no digit, as with thousands=',' or decimal=',' of pandas.read_csv"
    listed = ", ".join(map(as_repr, texts[:3]))
    listed = f"[{listed}]" if len(texts) <= 3 else f"[{listed}, ...], {len(texts)} in all,"
    return (
        "where that is a missing value, read it as one, with "
        f"na_values={listed} in pandas or null_values={listed} in polars"
    )


def check_text(kinds: list[str], title: str) -> None:
    """Refuse a column of text if most of its different texts are numbers."""
    numbers = list_number_texts(kinds)
    if 2 * len(numbers) <= len(kinds):
        return
    known = set(numbers)
    rest = [kind for kind in kinds if kind not in known]
    odd = [text for text in numbers if not _PLAIN.fullmatch(text.strip())]
    if rest:
        rule = "numbers and other text in one column"
        got = f"{as_repr(rest[0])} beside {as_repr(numbers[0])}"
    else:
        rest = odd or numbers
        rule, got = "numbers written as text", as_repr(rest[0])
    msg = (
        f"X must not have {rule}, got {got} in {title}: {reading_hint(rest)}; "
        "if they are names, make them a categorical of pandas or polars"
    )
    raise ValueError(msg)


def first_no_number(entries: Iterable[Any]) -> Any:
    """The first text that is no number, else the first text, else the first entry of all."""
    listed = list(entries)
    texts = [entry for entry in listed if isinstance(entry, str)]
    return next(
        (text for text in texts if not _PLAIN.fullmatch(text.strip())), (texts or listed)[0]
    )
