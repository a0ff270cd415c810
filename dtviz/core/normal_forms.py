"""A short formula of a truth table: counting, or a normal form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


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
