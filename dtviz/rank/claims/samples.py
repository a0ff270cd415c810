"""The finite world of chapter 2: every sample on the 3-cube, and what FIND makes of each.

A sample on {0,1}^3 is a pair of sets of points, the ones seen and the ones seen with label 1, each
an integer of 8 bits: 6,560 samples. What the definitions and the pseudo-code say of them is worked
out here by recursion on such pairs, apart from the code of the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dtviz import rank as chapter
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import points
from dtviz.core.tree import Tree
from dtviz.rank.recording import FindRun
from dtviz.rank.sample import Sample

__all__ = [
    "SAMPLES",
    "AllSamples",
    "Arrays",
    "Calls",
    "Nested",
    "Recorded",
    "all_samples",
    "answers",
    "backward_list",
    "by_definition",
    "calls",
    "labels_of",
    "nested",
    "pseudo_code",
    "random_samples",
    "recorded",
]

Arrays: TypeAlias = tuple[npt.NDArray[Any], npt.NDArray[Any]]
Nested: TypeAlias = "int | tuple[int, Nested, Nested]"
"""A tree as nested tuples: a label, or (variable, low, high)."""

SAMPLES = "samples on the 3-cube"
HIGH = (0xAA, 0xCC, 0xF0)
"""The points of the 3-cube with x_i = 1."""


@dataclass(frozen=True)
class AllSamples:
    """The 6,560 samples: arrays of the sets ``seen`` and ``ones``, and the rank of each.

    ``rank`` and ``size`` are the least rank and the fewest leaves of a tree for a function that
    agrees with the sample, over all 256 functions.
    """

    seen: npt.NDArray[np.int64]
    ones: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]

    def arrays(self, k: int) -> Arrays:
        """Sample k as (X, y)."""
        inside = np.flatnonzero((self.seen[k] >> np.arange(8)) & 1)
        return points(3)[inside], (self.ones[k] >> inside) & 1

    def describe(self, k: int) -> str:
        """Sample k in words: points, as integers, and labels."""
        return f"the sample {labels_of(int(self.seen[k]), int(self.ones[k]))}"


def labels_of(seen: int, ones: int) -> dict[int, int]:
    """The label of each point seen."""
    return {x: (ones >> x) & 1 for x in range(8) if (seen >> x) & 1}


@cache
def all_samples() -> AllSamples:
    """Tabulate the samples, by the points seen, then by their labels."""
    pairs = [(seen, ones) for seen in range(1, 256) for ones in range(256) if ones & ~seen == 0]
    seen, ones = np.array(pairs, dtype=np.int64).T
    agrees = (np.arange(256) & seen[:, None]) == ones[:, None]
    best = optimal_all(3)
    rank = np.where(agrees, best.rank, 9).min(axis=1)
    size = np.where(agrees, best.n_leaves, 9).min(axis=1)
    return AllSamples(seen, ones, rank.astype(np.int64), size.astype(np.int64))


@cache
def answers(rank: int | None) -> tuple[Tree | None, ...]:
    """What the package's `find` returns on every sample; None stands for `find_min`."""
    every = all_samples()
    samples = (every.arrays(k) for k in range(every.seen.size))
    if rank is None:
        return tuple(chapter.find_min(X, y) for X, y in samples)
    return tuple(chapter.find(X, y, rank=rank) for X, y in samples)


# -- the definitions, on pairs of sets -------------------------------------------------------------


def _halves(seen: int, ones: int) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """The informative variables, each with its two halves."""
    found = []
    for v, high in enumerate(HIGH):
        if seen & high and seen & ~high:
            found.append((v, (seen & ~high, ones & ~high), (seen & high, ones & high)))
    return found


@cache
def by_definition(seen: int, ones: int) -> int:
    """r(S) by the recursion on trees: the best root test, by the definition of rank."""
    if ones in (0, seen):
        return 0
    options = [(by_definition(*low), by_definition(*high)) for _, low, high in _halves(seen, ones)]
    return min(max(pair) + (pair[0] == pair[1]) for pair in options)


@cache
def pseudo_code(seen: int, ones: int, r: int, *, second_try: bool = True) -> Nested | None:
    """FIND(S, r) as the source writes it; without the second try, step 3.3 gives up."""
    if ones in (0, seen):
        return int(ones > 0)
    if r == 0:
        return None
    for v, *halves in _halves(seen, ones):
        found = [pseudo_code(*half, r - 1, second_try=second_try) for half in halves]
        if found == [None, None]:
            continue
        if None in found and second_try:
            missing = found.index(None)
            found[missing] = pseudo_code(*halves[missing], r)
        low, high = found
        return None if low is None or high is None else (v, low, high)
    return None


def nested(tree: Tree | None) -> Nested | None:
    """A tree of the package as nested tuples."""
    if tree is None or tree.value is None:
        return None
    made: dict[int, Nested] = {}
    for node in range(tree.n_nodes - 1, -1, -1):
        low, high = int(tree.low[node]), int(tree.high[node])
        leaf = tree.variable[node] < 0
        made[node] = (
            int(tree.value[node]) if leaf else (int(tree.variable[node]), made[low], made[high])
        )
    return made[0]


# -- larger samples, and recorded runs -------------------------------------------------------------


def random_samples(n: int, count: int) -> list[Arrays]:
    """Samples (X, y) of distinct points with arbitrary labels, the same on every machine."""
    samples: list[Arrays] = []
    state = n
    for k in range(count):
        bits = []
        for _ in range(1 << n):
            state = (1103515245 * state + 12345) % (1 << 31)
            bits.append((state >> 16) & 3)
        kept = np.flatnonzero(np.array(bits) != k % 4)
        samples.append((points(n)[kept], np.array(bits, dtype=np.int8)[kept] & 1))
    return samples


def backward_list(n: int) -> Arrays:
    """The decision list x_(n-1), x_(n-2), ..., x_0, on 2n points.

    The points ``e_i`` and ``e_i + e_(i-1)`` have label i mod 2, and 0 has label 1. No other order
    will do, but that of the last two; so FIND tries every variable before the right one.
    """
    X = np.zeros((2 * n, n), dtype=np.int8)
    for i in range(n):
        X[2 * i : 2 * i + 2, i] = 1
        X[2 * i + 1, i - 1] = i > 0
    X[1] = 0
    y = np.repeat(np.arange(n) % 2, 2)
    y[1] = 1
    return X, y


@dataclass(frozen=True)
class Recorded:
    """Runs of FIND with what to call each."""

    runs: tuple[FindRun, ...]
    names: tuple[str, ...]


@cache
def recorded() -> Recorded:
    """Runs with bounds 0 to 3: a ninth of the samples on the 3-cube, lists, parities, others."""
    every = all_samples()
    samples: list[tuple[str, Any, Any]] = [
        (every.describe(k), *every.arrays(k)) for k in range(0, every.seen.size, 9)
    ]
    samples += [(f"a decision list of {n} variables", *backward_list(n)) for n in (4, 6, 9, 12)]
    for n in (4, 5):
        samples.append((f"parity of {n}", points(n), points(n).sum(axis=1) % 2))
        samples += [
            (f"random sample {k}, n = {n}", X, y) for k, (X, y) in enumerate(random_samples(n, 6))
        ]
    runs, names = [], []
    for name, X, y in samples:
        for r in range(4):
            runs.append(chapter.find_run(X, y, rank=r))
            names.append(f"FIND with bound {r} on {name}")
    return Recorded(tuple(runs), tuple(names))


@dataclass(frozen=True)
class Calls:
    """Every call of the recorded runs.

    ``informative`` counts the variables that split its sub-sample, ``first`` and ``again`` the
    calls it makes, with a smaller bound and with its own; ``below`` is the most informative
    variables that any of these has (-1 if there are none).
    """

    name: tuple[str, ...]
    informative: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    again: npt.NDArray[np.int64]
    below: npt.NDArray[np.int64]
    tried: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]


@cache
def calls() -> Calls:
    """Count, for every recorded call, what it has and what it makes."""
    rows: list[tuple[int, ...]] = []
    names: list[str] = []
    for run, name in zip(recorded().runs, recorded().names, strict=True):
        informative = [_informative(run.sample, run.path(k)) for k in range(run.n_calls)]
        for k in range(run.n_calls):
            made = run.children(k)
            again = sum(bool(run.again[c]) for c in made)
            tried = len({int(run.variable[c]) for c in made})
            below = max((informative[c] for c in made), default=-1)
            size, step = int(run.n_examples[k]), int(run.step[k])
            rows.append((informative[k], size, len(made) - again, again, below, tried, step))
            names.append(f"call {k} of {name}")
    return Calls(tuple(names), *np.array(rows, dtype=np.int64).T)


def _informative(sample: Sample, path: tuple[tuple[int, int], ...]) -> int:
    """How many variables take both values where the path leads, by the definition."""
    inside = sample.everything
    for i, bit in path:
        inside &= sample.columns[i] if bit else ~sample.columns[i]
    return sum(column & inside not in (0, inside) for column in sample.columns)
