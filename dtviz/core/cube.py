"""The cube {0,1}^n: its points, whose index has ``x_i`` as bit ``i``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_integer, as_repr

MAX_VARIABLES = 24
"""The largest n for which a truth table (2^n bytes, 16 MiB at n = 24) is built."""


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
            f"n must be at most {MAX_VARIABLES}, got {as_repr(n)}: "
            f"a truth table of 2^n entries would take {room}"
        )
        raise ValueError(msg)
    return n
