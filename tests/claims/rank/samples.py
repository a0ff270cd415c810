"""The finite world of chapter 2: every sample on the 3-cube, and what FIND makes of each.

A sample on {0,1}^3 is a pair of sets of points, the ones seen and the ones seen with label 1, each
an integer of 8 bits: 6,560 samples. What the definitions and the pseudo-code say of them is worked
out here by recursion on such pairs, apart from the code of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from dtviz import rank as chapter
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import points
from dtviz.core.tree import Tree
from dtviz.rank.recording import FindRun
from dtviz.rank.sample import Sample

__all__ = [
    "AS_WRITTEN",
    "HIGH",
    "SAMPLES",
    "AllSamples",
    "Arrays",
    "Calls",
    "Costly",
    "Facts",
    "Nested",
    "Procedure",
    "Recorded",
    "Table",
    "all_samples",
    "answers",
    "backward_list",
    "by_definition",
    "calls",
    "costly",
    "facts",
    "hidden_list",
    "labels_of",
    "larger",
    "nested",
    "one_more",
    "pseudo_code",
    "random_samples",
    "recorded",
    "table",
    "written",
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
def answers(rank: int | None) -> tuple[Nested | None, ...]:
    """What the package's `find` returns on every sample; None stands for `find_min`."""
    every = all_samples()
    samples = (every.arrays(k) for k in range(every.seen.size))
    if rank is None:
        return tuple(nested(chapter.find_min(X, y)) for X, y in samples)
    return tuple(nested(chapter.find(X, y, rank=rank)) for X, y in samples)


# -- the definitions, on pairs of sets -------------------------------------------------------------


def _halves(seen: int, ones: int) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """The informative variables, each with its two halves."""
    found = []
    for v, high in enumerate(HIGH):
        if seen & high and seen & ~high:
            found.append((v, (seen & ~high, ones & ~high), (seen & high, ones & high)))
    return found


def larger(a: int, b: int) -> int:
    """The rank of a tree whose subtrees have ranks a and b: `rho` of the chapter."""
    return a + 1 if a == b else max(a, b)


def one_more(a: int, b: int) -> int:
    """The depth of a tree whose subtrees have depths a and b: what rank is not."""
    return max(a, b) + 1


Join = Callable[[int, int], int]
Choose = Callable[[Sequence[int]], int]


@cache
def by_definition(seen: int, ones: int, join: Join = larger, choose: Choose = min) -> int:
    """r(S) by the recursion on trees: the best root test, by the definition of rank.

    Spoilt with another number for two subtrees, or another choice among the root tests.
    """
    if ones in (0, seen):
        return 0
    return choose(
        [
            join(by_definition(*low, join, choose), by_definition(*high, join, choose))
            for _, low, high in _halves(seen, ones)
        ]
    )


@dataclass(frozen=True)
class Procedure:
    """FIND(S, r) as the source writes it, or with a step spoilt.

    ``second_try`` is step 3.3, ``lowered`` by how much step 3.1 lowers the bound; with
    ``pure_first`` False, step 2 comes before step 1; ``order`` sorts the informative variables and
    ``tried`` says how many of them have their turn. With ``swapped``, trees come out mirrored.
    """

    second_try: bool = True
    lowered: int = 1
    pure_first: bool = True
    order: Callable[[int, int, int], float] = lambda v, *_: v
    tried: int = 3
    swapped: bool = False


AS_WRITTEN = Procedure()


@cache
def pseudo_code(seen: int, ones: int, r: int, how: Procedure = AS_WRITTEN) -> Nested | None:
    """FIND(S, r) as the source writes it, on a pair of sets."""
    if ones in (0, seen) and (how.pure_first or r > 0):
        return int(ones > 0)
    if r == 0:
        return None
    halves = sorted(_halves(seen, ones), key=lambda half: how.order(half[0], seen, ones))
    for v, *both in halves[: how.tried]:
        found = [pseudo_code(*half, r - how.lowered, how) for half in both]
        if found == [None, None]:
            continue
        if None in found and how.second_try:
            missing = found.index(None)
            found[missing] = pseudo_code(*both[missing], r, how)
        low, high = found[::-1] if how.swapped else found
        return None if low is None or high is None else (v, low, high)
    return None


@cache
def written(r: int, how: Procedure = AS_WRITTEN) -> tuple[Nested | None, ...]:
    """What the pseudo-code returns on every sample."""
    every = all_samples()
    pairs = zip(every.seen.tolist(), every.ones.tolist(), strict=True)
    return tuple(pseudo_code(seen, ones, r, how) for seen, ones in pairs)


class Facts(NamedTuple):
    """A tree of 3 variables: the code of its function, rank, leaves, the variables, if reduced."""

    code: int
    rank: int
    leaves: int
    variables: int
    reduced: bool


@cache
def facts(tree: Nested) -> Facts:
    """Work out what a nested tuple is, by recursion."""
    if isinstance(tree, int):
        return Facts(255 * tree, 0, 1, 0, reduced=True)
    v, low, high = tree[0], facts(tree[1]), facts(tree[2])
    below = low.variables | high.variables
    return Facts(
        low.code & ~HIGH[v] | high.code & HIGH[v],
        larger(low.rank, high.rank),
        low.leaves + high.leaves,
        below | 1 << v,
        low.reduced and high.reduced and not below >> v & 1,
    )


@dataclass(frozen=True)
class Table:
    """The facts of many answers, an array each; ``code`` is -1 where there is no tree."""

    code: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int64]
    reduced: npt.NDArray[np.bool_]


@cache
def table(trees: tuple[Nested | None, ...]) -> Table:
    """Tabulate answers such as those of `answers`."""
    none = Facts(-1, -1, -1, 0, reduced=True)
    rows = [none if tree is None else facts(tree) for tree in trees]
    code, rank, leaves, _, reduced = (np.array(column) for column in zip(*rows, strict=True))
    return Table(code, rank, leaves, reduced)


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
    X, y = _rules(n)
    X[1] = 0
    y[1] = 1
    return X, y


def _rules(n: int) -> Arrays:
    """The points ``e_i`` and ``e_i + e_(i-1)``, with the label i mod 2; ``e_0`` is there twice."""
    X = np.zeros((2 * n, n), dtype=np.int8)
    for i in range(n):
        X[2 * i : 2 * i + 2, i] = 1
        X[2 * i + 1, i - 1] |= i > 0
    return X, np.repeat(np.arange(n) % 2, 2)


def hidden_list(gadget: int, listed: int) -> Arrays:
    """A list as in `backward_list`, twice over, behind a random function of other variables.

    With bound 1, FIND goes all the way down the list and then finds that the random function does
    not fit; with bound 2 it does so in both halves of each of the other variables, and all over
    again each time that the list has become one shorter.
    """
    X, y = random_samples(gadget, 1)[0]
    rules, answers = _rules(listed)
    blocks = [np.pad(X, ((0, 0), (0, listed)))]
    for bit in (0, 1):
        blocks.append(np.pad(rules, ((0, 0), (gadget, 0))))
        blocks[-1][:, :gadget] = bit
    return np.concatenate(blocks), np.concatenate([y, answers, answers])


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
    samples.append(("two points of one variable", [[0], [1]], [0, 1]))
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
class Costly:
    """What runs cost: bound, examples, variables, informative ones, calls, entries read."""

    names: tuple[str, ...]
    rank: npt.NDArray[np.int64]
    m: npt.NDArray[np.int64]
    n: npt.NDArray[np.int64]
    informative: npt.NDArray[np.int64]
    calls: npt.NDArray[np.int64]
    read: npt.NDArray[np.int64]


@cache
def costly() -> Costly:
    """The recorded runs that get to step 3, and some on samples made to be slow."""
    every = recorded()
    named = zip(every.runs, every.names, strict=True)
    runs = [(run, name) for run, name in named if run.n_calls > 1]
    long = chapter.find_run(*backward_list(60), rank=1)
    runs.append((long, "FIND with bound 1 on a decision list of 60 variables"))
    runs += [
        (
            chapter.find_run(*hidden_list(a, b), rank=r),
            f"FIND with bound {r} on a list of {b} variables behind a random function of {a}",
        )
        for a, b, r in ((8, 40, 1), (10, 60, 1), (5, 7, 2), (9, 15, 2))
    ]
    rows = [
        (
            int(run.rank[0]),
            run.sample.m,
            run.sample.n,
            _informative(run.sample, run.sample.everything).bit_count(),
            run.n_calls,
            run.touched,
        )
        for run, _ in runs
    ]
    return Costly(tuple(name for _, name in runs), *np.array(rows, dtype=np.int64).T)


@dataclass(frozen=True)
class Calls:
    """Every call of the recorded runs.

    ``informative`` are the variables that split its sub-sample, ``tried`` those that it tries, sets
    of bits both; ``first`` and ``again`` count the calls it makes, with a smaller bound and with
    its own; ``below`` is the most informative variables that any of these has (-1 if there are
    none). It returns at ``step``, and ``split`` is the variable that settles it.
    """

    name: tuple[str, ...]
    informative: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    again: npt.NDArray[np.int64]
    below: npt.NDArray[np.int64]
    tried: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]
    split: npt.NDArray[np.int64]
    variables: npt.NDArray[np.int64]


@cache
def calls() -> Calls:
    """Count, for every recorded call, what it has and what it makes."""
    rows: list[tuple[int, ...]] = []
    names: list[str] = []
    for run, name in zip(recorded().runs, recorded().names, strict=True):
        sample = run.sample
        inside = [sample.everything]
        for k in range(1, run.n_calls):
            column = sample.columns[run.variable[k]]
            inside.append(inside[run.parent[k]] & (column if run.branch[k] else ~column))
        informative = [_informative(sample, S) for S in inside]
        for k in range(run.n_calls):
            made = run.children(k)
            again = sum(bool(run.again[c]) for c in made)
            tried = sum({1 << int(run.variable[c]) for c in made})
            below = max((informative[c].bit_count() for c in made), default=-1)
            made_of = (informative[k], int(run.n_examples[k]), len(made) - again, again, below)
            rows.append((*made_of, tried, int(run.step[k]), int(run.split[k]), sample.n))
            names.append(f"call {k} of {name}")
    return Calls(tuple(names), *np.array(rows, dtype=np.int64).T)


def _informative(sample: Sample, inside: int) -> int:
    """The variables that take both values in a sub-sample, by the definition, as a set of bits."""
    return sum(1 << i for i, column in enumerate(sample.columns) if 0 < column & inside < inside)
