"""Normal forms: tabulated, and found for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_index, as_list, shown
from dtviz.core.cube import cube_words, unpacked

__all__ = ["counting_formula", "short_formula", "tabulated_clauses", "tabulated_terms"]

_MAX_TERMS = 1 << 20
"""The most terms or clauses: some seconds."""

_OPPOSITE = str.maketrans("01", "10")


def tabulated_terms(n: int, terms: object) -> npt.NDArray[np.int8]:
    """The truth table of an or of terms; `BooleanFunction.from_dnf` says what a term may be."""
    return unpacked(n, cube_words(n, _cubes(n, "terms", terms)))


def tabulated_clauses(n: int, clauses: object) -> npt.NDArray[np.int8]:
    """The truth table of an and of clauses: 0 where all literals of some clause fail."""
    failing = [cube.translate(_OPPOSITE) for cube in _cubes(n, "clauses", clauses)]
    return unpacked(n, ~cube_words(n, failing))


def _cubes(n: int, name: str, given: Any) -> list[str]:
    """Terms or clauses, each once, as texts of n characters."""
    rule = f"a sequence of mappings {{variable: bit}}, or of texts of n = {n} characters 0, 1, -"
    rows = as_list(name, list(given) if isinstance(given, AbstractSet) else given, rule, _MAX_TERMS)
    return list(dict.fromkeys(_cube(n, f"{name}[{k}]", row) for k, row in enumerate(rows)))


def _cube(n: int, name: str, row: Any) -> str:
    """One term or clause as a text: a mapping or such a text."""
    if isinstance(row, str) and len(row) == n and set(row) <= set("01-"):
        return str(row)
    if not isinstance(row, Mapping):
        msg = (
            f"{name} must be a mapping {{variable: bit}} or a text of n = {n} characters "
            f"0, 1, -, got {shown(row)}"
        )
        raise ValueError(msg)
    bits = ["-"] * n
    for i, bit in row.items():
        place = as_index(f"each variable of {name}", i, n)
        if not isinstance(bit, (Real, np.bool_)) or bit not in (0, 1):
            msg = f"{name} must have bits 0 or 1, got {shown(bit)} in {shown(row)}"
            raise ValueError(msg)
        bits[place] = "1" if bit else "0"
    return "".join(bits)


# -- formulas of tables --------------------------------------------------------------------------


def short_formula(table: npt.NDArray[np.int8], names: Sequence[str]) -> str:
    """The shortest of what is tried: counting, an or of terms, and the negation of one.

    ``names`` has one for each variable of the table.
    """
    if not names:
        return str(int(table[0]))
    code = int.from_bytes(np.packbits(table, bitorder="little").tobytes(), "little")
    counting = counting_formula(table, names)
    found = [counting] if counting else []
    found.append(_sum_of_terms(code, names))
    found.append(f"~({_sum_of_terms(code ^ (1 << table.size) - 1, names)})")
    return min(found, key=len)


def counting_formula(table: npt.NDArray[np.int8], names: Sequence[str]) -> str:
    """A formula of how many variables are 1: their parity or a threshold; "" if it is neither."""
    n = len(names)
    by_count = table[(1 << np.arange(n + 1)) - 1]
    if not np.array_equal(by_count[np.bitwise_count(np.arange(table.size))], table):
        return ""
    n_zeros = n + 1 - int(by_count.sum())
    parity = " ^ ".join(names)
    if np.array_equal(by_count, np.arange(n + 1) % 2):
        return parity
    if np.array_equal(by_count, np.arange(1, n + 2) % 2):
        return f"~({parity})"
    if not 1 < n_zeros < n or by_count[:n_zeros].any():
        return ""
    if 2 * n_zeros == n + 1:
        return f"maj({', '.join(names)})"
    return f"atleast({n_zeros}, {', '.join(names)})"


def _sum_of_terms(code: int, names: Sequence[str]) -> str:
    """An or of ands, the shorter ones first."""
    terms, _ = _cover(len(names), code, code)
    literals = [sorted(term.items()) for term in terms]
    literals.sort(key=lambda term: (len(term), [(i, -bit) for i, bit in term]))
    return " | ".join(
        " & ".join(("" if bit else "~") + names[i] for i, bit in term) for term in literals
    )


def _cover(n: int, low: int, high: int) -> tuple[list[dict[int, int]], int]:
    """Terms that hold wherever ``low`` is 1 and nowhere that ``high`` is 0, none of them needless.

    Recursion over the variables, the last first, after Minato (1993), "Fast generation of
    prime-irredundant covers from binary decision diagrams". Tables are integers, as ``f.code``;
    returned with the terms is where they hold.
    """
    if not low:
        return [], 0
    if high == (1 << (1 << n)) - 1:
        return [{}], high
    half = 1 << (n - 1)
    (low0, low1), (high0, high1) = ((code & (1 << half) - 1, code >> half) for code in (low, high))
    terms0, held0 = _cover(n - 1, low0 & ~high1, high0)
    terms1, held1 = _cover(n - 1, low1 & ~high0, high1)
    either, held = _cover(n - 1, low0 & ~held0 | low1 & ~held1, high0 & high1)
    terms = [{**term, n - 1: bit} for bit, part in enumerate((terms0, terms1)) for term in part]
    return terms + either, held0 | held | (held1 | held) << half
