"""Chapter 1, the cases nearest to its bounds: families of functions, the worst epsilon of a step.

Small functions seldom come near a bound. Parities have the largest total influence for their size,
conjunctions a small variance, and iterated multiplexers no influential variable beyond what their
size forces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from claims.kit.populations import EPSILONS, Run, all_functions, log2, name, runs, steps
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.topdown import build_top_down

__all__ = [
    "GRID",
    "RUNNABLE",
    "SIZES",
    "Families",
    "Floors",
    "all_runs",
    "families",
    "floors",
    "iterated_multiplexer",
    "largest_epsilon",
    "limit_of",
    "log2_ratio",
    "long_runs",
    "rate_of",
    "slowest_fall",
]

Floats = npt.NDArray[np.float64]
SIZES = (2, 3, 4, 8, 16, 32, 64, 128, 1024)
GRID = tuple((s, epsilon) for s in (*SIZES, 1 << 64, 1 << 256) for epsilon in EPSILONS)
RUNNABLE = 20_000
"""Steps of a slowest fall that are taken one by one."""
LARGEST = 200
"""Variables of the largest conjunction."""


@dataclass(frozen=True)
class Families:
    """Functions by their numbers, one entry each; ``size`` is that of a tree, as a float."""

    names: tuple[str, ...]
    variance: Floats
    total: Floats
    largest: Floats
    size: Floats


@cache
def families() -> Families:
    """Parities of up to 64 variables, conjunctions of up to 200, multiplexers iterated 4 times."""
    rows = [(f"parity of {n}", 1.0, float(n), 1.0, 2.0**n) for n in range(1, 65)]
    for n in range(2, LARGEST + 1):
        mean = 2.0**-n
        rows.append((f"conjunction of {n}", 4 * mean * (1 - mean), 2 * n * mean, 2 * mean, n + 1.0))
    rows += [
        (f"multiplexer iterated {r} times", 1.0, 1.5**r, 0.5**r, 2.0 ** (2**r)) for r in range(1, 5)
    ]
    names, *numbers = zip(*rows, strict=True)
    return Families(tuple(names), *(np.array(column) for column in numbers))


def iterated_multiplexer(times: int) -> BooleanFunction:
    """``multiplexer(1)`` with itself in place of each variable, ``times`` times (0: a literal).

    All its ``3^times`` variables are as influential as ``1/log2 s``, the least that its smallest
    tree, complete with ``s = 2^(2^times)`` leaves, allows.
    """
    f, n = zoo.dictator(1, 0), 1
    for _ in range(times):
        x = points(3 * n).reshape(-1, 3, n)
        address, low, high = (f.table[x[:, block] @ (1 << np.arange(n))] for block in range(3))
        f, n = BooleanFunction(3 * n, np.where(address == 1, high, low)), 3 * n
    return f


def largest_epsilon(cost: npt.ArrayLike, size: npt.ArrayLike) -> Floats:
    """The largest epsilon, below 1/2, with ``epsilon log2(4 size/epsilon) <= cost``."""
    few = np.full(np.shape(cost), -1100.0)
    many = np.full(np.shape(cost), math.log2(0.4999))
    for _ in range(60):
        middle = (few + many) / 2
        fits = 2**middle * (2 + log2(size) - middle) <= cost
        few, many = np.where(fits, middle, few), np.where(fits, many, middle)
    return np.asarray(2**few)


@dataclass(frozen=True)
class Floors:
    """Steps of runs with an epsilon to which Lemma 5.4 applies, one entry each.

    ``cost``, ``score``, ``next_cost`` are those of the step; ``leaves`` are there before it.
    """

    cost: Floats
    next_cost: Floats
    score: Floats
    leaves: npt.NDArray[np.int64]
    size: Floats
    epsilon: Floats
    names: tuple[str, ...]

    def describe(self, k: int) -> str:
        """A step and an epsilon, in words."""
        return f"{self.names[k]}, step {self.leaves[k] - 1}, epsilon {self.epsilon[k]:.4g}"


def _steps() -> tuple[list[str], list[Floats]]:
    """Names, and columns as in `Floors` but for epsilon: each step that is looked at."""
    run = steps(3, 0)
    names = [run.runs[k].name for k in run.run]
    columns = [[run.cost, run.next_cost, run.score, run.step + 1.0, run.size + 0.0]]
    # A run on functions with no influential variable beyond need.
    path = build_top_down(iterated_multiplexer(2))
    leaves = np.arange(1.0, path.n_leaves)
    columns.append(
        [path.costs[:-1], path.costs[1:], path.scores[:-1], leaves, np.full(leaves.size, 16.0)]
    )
    names += ["multiplexer iterated 2 times"] * leaves.size
    # First splits: of all functions of 4 variables that differ in these numbers, and of families.
    every, known = all_functions(4), families()
    rows = np.stack([every.total_influence, every.max_influence, every.size], axis=1)
    rows, code = np.unique(rows, axis=0, return_index=True)
    alive = rows[:, 0] > 0
    names += [name(4, int(k)) for k in code[alive]] + list(known.names)
    for total, most, size in (rows[alive].T, (known.total, known.largest, known.size)):
        columns.append([total, total - most, most, np.ones(total.size), size])
    return names, [np.concatenate(column) for column in zip(*columns, strict=True)]


@cache
def floors() -> Floors:
    """Each step with the largest epsilon of Lemma 5.4, and with those of `EPSILONS` below it."""
    names, columns = _steps()
    cost, size = columns[0], columns[4]
    largest = largest_epsilon(cost, size)
    place, epsilon = [np.arange(cost.size)], [largest]
    for other in EPSILONS:
        fits = np.flatnonzero(other < largest)
        place.append(fits)
        epsilon.append(np.full(fits.size, other))
    rows = np.concatenate(place)
    cost, next_cost, score, leaves, size = (column[rows] for column in columns)
    return Floors(
        cost,
        next_cost,
        score,
        leaves.astype(np.int64),
        size,
        np.concatenate(epsilon),
        tuple(names[k] for k in rows),
    )


# -- runs, and the slowest fall ------------------------------------------------------------------


def log2_ratio(size: float, epsilon: float) -> float:
    """``E = log2(4s/eps)``, for sizes beyond all floats too."""
    return 2 + math.log2(size) - math.log2(epsilon)


def rate_of(size: float, epsilon: float) -> float:
    """``L = E log2 s``."""
    return log2_ratio(size, epsilon) * math.log2(size)


def limit_of(size: float, epsilon: float) -> float:
    """``eps E``, where phase 1 ends."""
    return epsilon * log2_ratio(size, epsilon)


def all_runs() -> tuple[Run, ...]:
    """The greedy runs of all functions of 3 variables, and of the named ones."""
    return (*runs(3), *runs(0))


@cache
def long_runs() -> tuple[Run, ...]:
    """Runs that come near the ends of the phases, with those of `all_runs`."""
    made = [(f"parity of {n}", zoo.parity(n), 2**n) for n in range(6, 9)]
    made.append(("multiplexer iterated 2 times", iterated_multiplexer(2), 16))
    more = [Run(name, f, size, build_top_down(f)) for name, f, size in made]
    return (*all_runs(), *more)


def _phase_1(size: float, epsilon: float) -> tuple[float, float]:
    """``log2(k + 1)`` and ``C_k``, the first cost that is at most ``eps E``.

    ``C_k = log2 s prod_(j=1..k) (1 - 1/(jL))``.
    """
    a, start, limit = 1 / rate_of(size, epsilon), math.log2(size), limit_of(size, epsilon)
    fall = start * np.cumprod(np.append(1.0, 1 - a / np.arange(1.0, RUNNABLE)))
    if fall[-1] <= limit:
        k = int((fall <= limit).argmax())
        return math.log2(k + 1), float(fall[k])
    # prod (1 - a/j) = Gamma(k+1-a) / (Gamma(k+1) Gamma(1-a)), and the first two are k^-a.
    return (math.log(start / limit) - math.lgamma(1 - a)) / (a * math.log(2)), limit


def slowest_fall(size: float, epsilon: float, floors: float = 2) -> float:
    """The base-2 logarithm of the leaves when the slowest fall that the lemmas allow has ended.

    From cost ``log2 s``, by the floor of Lemma 5.4 down to ``eps E``, then by that of Lemma 5.2,
    ``floors eps / ((j+1) log2 s)``, down to ``floors eps``.
    """
    log2_k, cost = _phase_1(size, epsilon)
    # The sum of 1/(j+1) over the steps of phase 2 must reach this.
    needed = max(cost / (floors * epsilon) - 1, 0) * math.log2(size)
    if log2_k > math.log2(RUNNABLE):
        return log2_k + needed / math.log(2)
    harmonic = (1 / np.arange(1.0, round(2**log2_k))).sum() + needed
    # H_m is ln(m + 1/2) + gamma, nearly.
    return float(np.logaddexp(harmonic - np.euler_gamma, math.log(0.5)) / math.log(2))
