"""The cube {0,1}^n: its points, whose index has ``x_i`` as bit ``i``, and tables of rules."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from numbers import Real

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


_ROWS = 4096
"""How many points a rule of one point has held for it as rows of 64-bit integers."""


def tabulate(n: int, rule: Callable[..., object]) -> npt.NDArray[np.int8]:
    """The truth table of a rule; `BooleanFunction.from_rule` says what a rule may be."""
    if not callable(rule):
        msg = f"rule must be callable, a function of the n bits of a point, got {as_repr(rule)}"
        raise ValueError(msg)
    cube = cube_points(n)
    rows = (cube[k : k + _ROWS].astype(np.int64) for k in range(0, 1 << n, _ROWS))
    if _takes_bits(rule, n):
        values = [rule(*x) for some in rows for x in some.tolist()]
    else:
        values = [rule(x) for some in rows for x in some]
    for x, value in enumerate(values):
        if not isinstance(value, (Real, np.bool_)) or value not in (0, 1):
            at = f"at x = {x}, bits {cube[x].tolist()}"
            msg = f"rule must return 0 or 1, got {as_repr(value)} {at}"
            raise ValueError(msg)
    return np.array(values, dtype=np.int8)


def _takes_bits(rule: Callable[..., object], n: int) -> bool:
    """Whether a rule takes the n bits of a point one by one, judged by its parameters alone."""
    if isinstance(rule, np.ufunc):
        one, many, got = rule.nin == 1, rule.nin == n, f"{rule.nin} inputs"
    else:
        try:
            signature = inspect.signature(rule)
        except (TypeError, ValueError):  # a built-in without one, such as max
            return False
        kinds = {parameter.kind for parameter in signature.parameters.values()}
        one = inspect.Parameter.VAR_POSITIONAL not in kinds and _binds(signature, 1)
        many, got = _binds(signature, n), f"the parameters {signature}"
    if not one and not many:
        msg = (
            f"rule must take one array of the bits, or each of the n = {n} bits as an argument, "
            f"got {as_repr(rule)} with {got}"
        )
        raise ValueError(msg)
    return not one


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[0] * count)
    except TypeError:
        return False
    return True
