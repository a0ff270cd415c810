"""Permuting the variables of many Boolean functions at once, and counting them up to that."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

PIECE = 1 << 14


def swap(codes: npt.NDArray[np.uint64], i: int, n: int) -> npt.NDArray[np.uint64]:
    """Truth tables of n <= 6 variables with ``x_i`` and ``x_(i+1)`` exchanged."""
    upper = np.uint64(
        sum(1 << x for x in range(1 << n) if (x >> i) & 1 == 1 and (x >> (i + 1)) & 1 == 0)
    )
    shift = np.uint64(1 << i)
    moved = ((codes >> shift) ^ codes) & upper
    swapped: npt.NDArray[np.uint64] = codes ^ moved ^ (moved << shift)
    return swapped


def _walk(n: int) -> list[int]:
    """Adjacent swaps that visit all orders of n things (Steinhaus, Johnson, Trotter)."""
    if n == 1:
        return []
    inner = _walk(n - 1)
    down = list(range(n - 2, -1, -1))
    path = list(down)
    for k, step in enumerate(inner):
        # The last thing stands first after a sweep down, so the others stand one place higher.
        path += [step + 1, *reversed(down)] if k % 2 == 0 else [step, *down]
    return path


def canonical(codes: npt.NDArray[np.uint64], n: int) -> npt.NDArray[np.uint64]:
    """The smallest truth table among all orders of the variables."""
    smallest, current = codes.copy(), codes
    for i in _walk(n):
        current = swap(current, i, n)
        np.minimum(smallest, current, out=smallest)
    return smallest


def classes(codes: npt.NDArray[np.uint64], n: int) -> int:
    """The number of orbits of a closed set of functions, by Burnside's lemma."""
    # Piece by piece, so that what is permuted stays near the processor.
    pieces = [codes[at : at + PIECE] for at in range(0, len(codes), PIECE)]
    total = 0
    for cycles in _partitions(n):
        symmetry = math.prod(cycles) * math.prod(
            math.factorial(len(list(same))) for _, same in itertools.groupby(cycles)
        )
        fixed = sum(_fixed(piece, n, cycles) for piece in pieces)
        total += fixed * (math.factorial(n) // symmetry)
    return total // math.factorial(n)


def _fixed(codes: npt.NDArray[np.uint64], n: int, cycles: tuple[int, ...]) -> int:
    """How many functions stay the same when their variables go round in cycles."""
    current, start = codes, 0
    for length in cycles:
        for i in range(start, start + length - 1):
            current = swap(current, i, n)
        start += length
    return int((current == codes).sum())


def _partitions(n: int, largest: int | None = None) -> list[tuple[int, ...]]:
    if n == 0:
        return [()]
    return [
        (part, *rest)
        for part in range(min(n, largest or n), 0, -1)
        for rest in _partitions(n - part, part)
    ]
