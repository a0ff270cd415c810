"""Samples from a seed: the draws of the explorer, the same in Python and in its page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_repr
from dtviz.core.data.scramble import scramble

MAX_TARGET_VARIABLES = 6
MAX_ROWS = 256
"""The most rows of a reader's own sample."""


def draw_points(n: int, seed: int, which: int, m: int) -> npt.NDArray[np.int8]:
    """Draw m points of n uniform bits, an ``(m, n)`` array: a shorter sample is its beginning.

    ``which`` distinguishes the samples of one seed: 0 for the one on display.
    """
    offset = scramble(scramble(np.array([seed + 1], np.uint32)) + np.uint32(which))
    places = np.arange(m * n, dtype=np.uint32) + offset
    bits: npt.NDArray[np.int8] = (scramble(places).reshape(m, n) < 2**31).astype(np.int8)
    return bits


def check_rows(rows: Sequence[str]) -> list[str]:
    """Return rows such as "0110", three variables and a label, or say what is wrong with them."""
    if len(rows) > MAX_ROWS:
        msg = f"rows must be at most {MAX_ROWS}, got {len(rows)}"
        raise ValueError(msg)
    first: dict[str, int] = {}
    for k, row in enumerate(rows):
        if not set(row) <= {"0", "1"} or not 2 <= len(row) <= MAX_TARGET_VARIABLES + 1:
            msg = (
                f"rows must be texts of 1 to {MAX_TARGET_VARIABLES} bits and a label, such as "
                f"'0110', got {as_repr(row)} as row {k}"
            )
            raise ValueError(msg)
        if len(row) != len(rows[0]):
            msg = f"rows must be of equal length, got {rows[0]!r} as row 0 and {row!r} as row {k}"
            raise ValueError(msg)
        j = first.setdefault(row[:-1], k)
        if rows[j] != row:
            msg = (
                f"rows must give each example one label, got {rows[j]!r} as row {j} and {row!r} "
                f"as row {k}"
            )
            raise ValueError(msg)
    return list(rows)


def format_rows(X: npt.NDArray[np.int8], y: npt.NDArray[np.int8]) -> list[str]:
    """Write examples as rows: the bits of each, and its label."""
    return ["".join(map(str, [*bits, label])) for bits, label in zip(X, y, strict=True)]
