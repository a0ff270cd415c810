"""The penalty of bottom-up pruning, and the numbers of paths and trees that it counts.

It grows with the number of paths to the node and of possible trees there, and falls with the
number of examples that reach it. Logarithms are natural.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, Ints
from dtviz.core.checks import (
    as_array,
    as_confidence,
    as_integer,
    as_real,
    as_repr,
    broadcast,
    check_work,
)
from dtviz.pruning.node_counts import NodeCounts

LogCardinality = Callable[[Ints, Ints], npt.ArrayLike]
"""From arrays of depths and of sizes in leaves: ``ln |PATHS| + ln |TREES|``."""

MAX_TESTS = 1 << 53
"""The largest number of tests, and of examples, in a logarithm: floats count no further."""
MAX_NODES = 10**4
"""The most nodes, and classes, of trees that are counted exactly."""

MAX_TABLE = 1 << 24
"""The largest depth, and number of leaves, for which paths and trees are tabulated."""


def count_paths(n: int, depth: int) -> int:
    """|PATHS(H, l)|: conjunctions of at most l literals of n tests, ``sum_j 2^j C(n, j)``, exactly.

    Claim MN-PATHS, corrected.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.pruning.count_paths(2, 2)  # the empty one, 4 literals, 4 pairs
    9
    """
    tests, most = as_integer("n", n, 0), as_integer("depth", depth, 0)
    most = min(most, tests)
    check_work("n and depth", most, most * (1 + tests.bit_length()))
    total, term = 0, 1
    for j in range(most + 1):
        total += term
        term = term * 2 * (tests - j) // (j + 1)
    return total


def count_trees(n: int, nodes: int, n_classes: int = 2) -> int:
    """|TREES(H, n_v)|: trees of n tests with at most this many *nodes*, exactly (claim MN-TREES).

    The sum over i leaves, ``2 i - 1 <= nodes``, of ``k^i n^(i-1)`` times the Catalan number of i-1,
    with k = ``n_classes`` labels. A tree may repeat a test.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.pruning.count_trees(2, 3)  # 2 leaves, and 2 tests with 4 labelings each
    10
    """
    tests, most = as_integer("n", n, 0), as_integer("nodes", nodes, 1, MAX_NODES)
    k = as_integer("n_classes", n_classes, 1, MAX_NODES)
    leaves = (most + 1) // 2
    digits = leaves * (k.bit_length() + tests.bit_length() + 2)
    check_work("n, nodes and n_classes", leaves, digits)
    total, power, catalan = 0, k, 1
    for i in range(1, leaves + 1):
        total += power * catalan
        power *= k * tests
        catalan = catalan * 2 * (2 * i - 1) // (i + 1)
    return total


def log_paths(n: int, depth: Ints) -> Floats:
    """``ln`` of `count_paths` for an array of depths, at most 2^24 (claim MN-PATHS)."""
    j = np.arange(1, min(int(depth.max(initial=0)), n) + 1)
    terms = np.concatenate([[0.0], np.cumsum(np.log(2 * (n - j + 1) / j))])
    return np.asarray(np.logaddexp.accumulate(terms)[np.minimum(depth, n)])


def log_trees(n: int, leaves: Ints, n_classes: int = 2) -> Floats:
    """``ln`` of ``count_trees(n, 2 leaves - 1, n_classes)`` for an array of sizes, at most 2^24."""
    i = np.arange(1, int(leaves.max(initial=1)))
    steps = math.log(n_classes) + math.log(n) + np.log(2 * (2 * i - 1) / (i + 1))
    terms = np.concatenate([[0.0], np.cumsum(steps)]) + math.log(n_classes)
    return np.asarray(np.logaddexp.accumulate(terms)[leaves - 1])


def _as_integers(name: str, value: npt.ArrayLike, low: int, high: int = MAX_TESTS) -> Ints:
    array = as_array(value)
    if array is None or array.dtype.kind not in "iu" or ((array < low) | (array > high)).any():
        msg = f"{name} must be integers >= {low}, and at most {high}, got {as_repr(value)}"
        raise ValueError(msg)
    return array.astype(np.int64)


def bottom_up_penalty(  # noqa: PLR0913 - most are by keyword
    m_v: npt.ArrayLike,
    n_v: npt.ArrayLike,
    l_v: npt.ArrayLike,
    delta: float,
    *,
    m: int,
    n: int,
    c: float = 2.0,
    n_classes: int = 2,
) -> Any:
    """The penalty of (12.2), ``c sqrt((ln |PATHS| + ln |TREES| + ln(m/delta)) / m_v)``.

    Of a node that ``m_v`` of the m examples reach, at depth ``l_v``, whose subtree has ``n_v``
    *nodes* as in the source, all integers or arrays of them; infinite where no example comes. There
    are n tests and ``n_classes`` labels; ``delta`` is in (0, 1), and ``c > 0``: with c = 2 the
    penalty dominates the two deviations that matter (claim MN-12.2).

    Examples
    --------
    >>> import dtviz as dt
    >>> round(float(dt.pruning.bottom_up_penalty(400, 5, 3, 0.05, m=1000, n=5)), 6)
    0.45633
    """
    delta, c = as_confidence(delta), as_constant(c)
    reach, nodes = _as_integers("m_v", m_v, 0), _as_integers("n_v", n_v, 1, 2 * MAX_TABLE)
    depth = _as_integers("l_v", l_v, 0, MAX_TABLE)
    broadcast(m_v=reach, n_v=nodes, l_v=depth)
    n, k = as_integer("n", n, 1, MAX_TESTS), as_integer("n_classes", n_classes, 2)
    bits = log_paths(n, depth) + log_trees(n, (nodes + 1) // 2, k)
    bits += math.log(as_integer("m", m, 1, MAX_TESTS) / delta)
    with np.errstate(divide="ignore", over="ignore"):  # infinity is the right answer
        return (c * np.sqrt(bits / reach))[()]


def finite_tests(n: int, counts: NodeCounts) -> LogCardinality:
    """``ln |PATHS| + ln |TREES|`` for n tests: a table of each, as far as the tree needs them."""
    paths = log_paths(n, np.arange(counts.given.depth + 1))
    sizes = np.arange(1, counts.given.n_leaves + 1)
    return partial(_look_up, paths, log_trees(n, sizes, max(2, counts.classes.size)))


def _look_up(paths: Floats, trees: Floats, depth: Ints, leaves: Ints) -> Floats:
    return np.asarray(paths[depth] + trees[leaves - 1])


def as_constant(c: object) -> float:
    """Return the constant of a penalty, a real number above 0."""
    return as_real("c", c, "(0, inf)", lambda value: 0 < value < math.inf)
