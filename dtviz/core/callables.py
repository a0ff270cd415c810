"""A truth table of a reader's callable: one point at a time, bit by bit, or many points at once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_array, as_flag, shown
from dtviz.core.cube import cube_points, point_text

__all__ = ["tabulate"]

_ROWS = 4096
"""How many points a rule of one point has held for it as rows of 64-bit integers."""

_VECTOR_ROWS = 1 << 20
"""How many points a vectorised rule is handed at once: 160 MiB at n = 20."""


def tabulate(
    n: int, rule: Callable[..., object], *, vectorized: bool
) -> npt.NDArray[np.bool_] | npt.NDArray[np.int8]:
    """The truth table of a rule; `BooleanFunction.from_rule` tells what a rule may be."""
    if not callable(rule):
        msg = f"rule must be callable, a function of the n bits of a point, got {shown(rule)}"
        raise ValueError(msg)
    by_rows = as_flag("vectorized", vectorized)
    cube = cube_points(n)
    if by_rows:
        starts = range(0, 1 << n, _VECTOR_ROWS)
        return np.concatenate([_values(rule, cube, first) for first in starts])
    rows = (cube[k : k + _ROWS].astype(np.int64) for k in range(0, 1 << n, _ROWS))
    if _takes_bits(rule, n):
        values = [rule(*x) for some in rows for x in some.tolist()]
    else:
        values = [rule(x) for some in rows for x in some]
    for x, value in enumerate(values):
        if not isinstance(value, (Real, np.bool_)) or value not in (0, 1):
            msg = f"rule must return 0 or 1, got {shown(value)} {point_text(n, x)}"
            raise ValueError(msg)
    return np.array(values, dtype=np.int8)


def _takes_bits(rule: Callable[..., object], n: int) -> bool:
    """Whether a rule takes the n bits of a point one by one, judged by its parameters alone."""
    if isinstance(rule, np.ufunc):
        one, many, got = rule.nin == 1, rule.nin == n, f"{rule.nin} inputs"
    else:
        try:
            signature = inspect.signature(rule)
        except (TypeError, ValueError):  # a built-in that does not tell, such as max
            return False
        kinds = {parameter.kind for parameter in signature.parameters.values()}
        one = inspect.Parameter.VAR_POSITIONAL not in kinds and _binds(signature, 1)
        many, got = _binds(signature, n), f"the parameters {signature}"
    if not one and not many:
        msg = (
            f"rule must take one array of the bits, or each of the n = {n} bits as an argument, "
            f"got {shown(rule)} with {got}"
        )
        raise ValueError(msg)
    return not one


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[0] * count)
    except TypeError:
        return False
    return True


def _values(
    rule: Callable[[npt.NDArray[np.int64]], object], cube: npt.NDArray[np.int8], first: int
) -> npt.NDArray[np.bool_]:
    """The values at the rows of the cube from the first on, as many as come at once; checked."""
    rows = cube[first : first + _VECTOR_ROWS]
    given: Any = rule(rows.astype(np.int64))
    values = as_array(given)
    if values is None or values.shape != (len(rows),):
        got = shown(given) if values is None or not values.ndim else f"shape {values.shape}"
        msg = (
            f"rule must return one value for each row of the points, shape ({len(rows)},), "
            f"got {got}"
        )
        raise ValueError(msg)
    if values.dtype.kind not in "biuf":
        msg = f"rule must return 0 and 1, as numbers or booleans, got {shown(given)}"
        raise ValueError(msg)
    n = rows.shape[1]
    wrong = (values != 0) & (values != 1)
    if wrong.any():
        x = int(wrong.argmax())
        msg = f"rule must return 0 or 1, got {shown(values[x].item())} {point_text(n, first + x)}"
        raise ValueError(msg)
    ones: npt.NDArray[np.bool_] = values != 0
    return ones
