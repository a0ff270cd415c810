"""Normal forms, tabulated."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_index, as_list, shown
from dtviz.core.cube import cube_words, unpacked

__all__ = ["tabulated_clauses", "tabulated_terms"]

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
