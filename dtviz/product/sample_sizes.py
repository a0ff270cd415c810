"""Chapter 3, biased inputs: how many samples the learner of ``dtviz.product.learner`` draws.

The reasons for the constants are given there.
"""

from __future__ import annotations

import math

from dtviz.core.checks import as_confidence, as_integer, as_positive_epsilon, leaves_after


def pairs_needed(step: int, n: int, epsilon: float, delta: float) -> int:
    """``M_S(j) = ceil((12 (j+1) n / epsilon) ln(4 (j+1)^2 (j+1) n / delta))`` (claim PS-MS).

    The pairs that step j draws for each of the n variables. The notes print ``4 j^2 (j+1) n``,
    which is no number for the first step, j = 0.

    Raises
    ------
    ValueError
        If ``step`` is no integer >= 0, ``n`` none >= 1, ``epsilon`` not in (0, 1/2), or ``delta``
        not in (0, 1).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.product.pairs_needed(0, 3, 0.1, 0.1)
    1724
    """
    leaves, n = leaves_after(step), as_integer("n", n, 1, 1 << 53)
    budget = math.log(4) + 3 * math.log(leaves) + math.log(n) - math.log(as_confidence(delta))
    return _round_up(12 * leaves * n / as_positive_epsilon(epsilon) * budget)


def examples_needed(step: int, epsilon: float, delta: float) -> int:
    """``M_E(j) = ceil((68/epsilon) ((j+1) ln 2 + ln(8 (j+1)^2 / delta)))`` (claim PS-STOP).

    The examples that step j draws to label the leaves and to decide whether to stop. The
    constants are new here: the notes give none.

    Raises
    ------
    ValueError
        If ``step`` is no integer >= 0, ``epsilon`` not in (0, 1/2), or ``delta`` not in (0, 1).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.product.examples_needed(0, 0.1, 0.1)
    3452
    """
    leaves = leaves_after(step)
    budget = (
        leaves * math.log(2) + math.log(8) + 2 * math.log(leaves) - math.log(as_confidence(delta))
    )
    return _round_up(68 / as_positive_epsilon(epsilon) * budget)


def _round_up(number: float) -> int:
    if number == math.inf:
        msg = "epsilon must ask for a number of examples below 2^1024, got one beyond"
        raise ValueError(msg)
    return math.ceil(number)
