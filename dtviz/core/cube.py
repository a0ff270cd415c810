"""The cube {0,1}^n: its points, and sets of points as packed bits, 64 of them to a word.

Bit ``k`` of the words is the point of index k, whose bit ``i`` is ``x_i``: the six lowest variables
tell bits of one word apart, the others whole words.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer, shown
from dtviz.core.immutable import frozen

__all__ = [
    "MAX_VARIABLES",
    "Words",
    "as_dimension",
    "cube_points",
    "cube_words",
    "unpacked",
    "variable_words",
]

MAX_VARIABLES = 24
"""The largest n for which a truth table (2^n bytes, 16 MiB at n = 24) is built."""

_FEW_CUBES = 8

Words = npt.NDArray[np.uint64]
"""2^n bits packed into little-endian words; below 6 variables one word, its upper bits idle."""


def cube_points(n: int) -> npt.NDArray[np.int8]:
    """All points of the cube: a ``(2^n, n)`` array of signed bytes, x_i in column i of row x.

    Raises
    ------
    ValueError
        If ``n`` is no integer from 0 to ``MAX_VARIABLES``.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.cube_points(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    n = as_integer("n", n, 0, MAX_VARIABLES)
    index = np.arange(1 << n, dtype=np.uint32)
    rows = np.empty((1 << n, n), dtype=np.int8)
    for i in range(n):
        rows[:, i] = (index >> i) & 1
    return rows


def as_dimension(n: object) -> int:
    """Return the number of variables of a truth table, an integer from 0 to ``MAX_VARIABLES``."""
    n = as_integer("n", n, 0)
    if n > MAX_VARIABLES:
        room = f"{2.0 ** (n - 30):.3g} GiB" if n < 1000 else "more than there is"
        msg = (
            f"n must be at most {MAX_VARIABLES}, got {shown(n)}: "
            f"a truth table of 2^n entries would take {room}"
        )
        raise ValueError(msg)
    return n


def told_point(n: int, x: int) -> str:
    """A point in the words of an error message: its index and its bits."""
    return f"at x = {x}, bits {[x >> i & 1 for i in range(n)]}"


def variable_words(n: int, i: int) -> Words:
    """The points with ``x_i = 1``, read-only."""
    words = np.zeros(1 << max(n - 6, 0), dtype="<u8")
    if i < 6:
        words[:] = _low_mask("-" * i + "1")
    else:
        words.reshape(-1, 2, 1 << (i - 6))[:, 1] = ~np.uint64(0)
    return frozen(words)


def cube_words(n: int, cubes: list[str]) -> Words:
    """The points in any of the subcubes, each a text of n characters: 0, 1, or - where x_i is free.

    Many subcubes are parted by their last variable, and those where it is free are found once for
    both halves: most of the work is on whole runs of words.
    """
    words = np.zeros(1 << max(n - 6, 0), dtype="<u8")
    _add_cubes(words, cubes, n)
    return words


def _add_cubes(words: Words, cubes: list[str], n: int) -> None:
    """Add the points of subcubes, of which the first n characters count; n + 1 levels at most."""
    if n <= 6 or len(cubes) <= _FEW_CUBES:
        by_bits = words.reshape((2,) * max(n - 6, 0))
        fixed: dict[str, int | slice] = {"0": 0, "1": 1, "-": slice(None)}
        for cube in cubes:
            part = tuple([fixed[bit] for bit in cube[6:n][::-1]])
            by_bits[part] |= _low_mask(cube[:6])
        return
    parts: dict[str, list[str]] = {"0": [], "1": [], "-": []}
    for cube in cubes:
        parts[cube[n - 1]].append(cube)
    halves = words.reshape(2, -1)
    for half, fixed_here in zip(halves, (parts["0"], parts["1"]), strict=True):
        _add_cubes(half, fixed_here, n - 1)
    if parts["-"]:
        both = np.zeros_like(halves[0])
        _add_cubes(both, parts["-"], n - 1)
        halves |= both


def unpacked(n: int, words: Words) -> npt.NDArray[np.int8]:
    """The truth table of a set of points."""
    return np.unpackbits(words.view(np.uint8), count=1 << n, bitorder="little").view(np.int8)


@functools.cache  # at most 3^6 and the shorter ones
def _low_mask(cube: str) -> np.uint64:
    """The bits of one word whose index agrees with a text of at most 6 characters 0, 1 or -."""
    inside = (all(bit in ("-", str(k >> i & 1)) for i, bit in enumerate(cube)) for k in range(64))
    return np.uint64(sum(1 << k for k, yes in enumerate(inside) if yes))
