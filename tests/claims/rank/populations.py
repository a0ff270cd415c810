"""The finite world of chapter 2: samples, and what FIND makes of each.

A sample is a pair of sets of points, the ones seen and the ones seen with label 1, each an integer;
on the 3-cube there are 6,560. What the definitions and the pseudo-code say of them is worked out
here by recursion on such pairs, apart from the code of the package.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from claims.kit import claim
from claims.kit.populations import labeled_trees, trees_and_functions
from dtviz import rank as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import cube_points
from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.tree.tree import Tree
from dtviz.rank.recording import FindRun

Ints = npt.NDArray[np.int64]

SAMPLES = "samples on the 3-cube"
SAMPLES_AND_BOUNDS = "samples and bounds"
RUNS = "runs that get to step 3"
BOUNDS = range(4)
HIGH = (0xAA, 0xCC, 0xF0)
"""The points of the 3-cube with x_i = 1."""


stated = partial(claim, page="2-rank")


def all_trees(n, leaves):
    """T_n by its recursive definition: the trees with so many leaves, as nested tuples.

    Such a tree is a label, or (variable, low, high).
    """
    if leaves == 1:
        yield from (0, 1)
    for i, k in itertools.product(range(n), range(1, leaves)):
        below = itertools.product(all_trees(n, k), all_trees(n, leaves - k))
        yield from ((i, low, high) for low, high in below)


def built(tree):
    """A tree of the package."""
    return Tree.leaf(tree) if isinstance(tree, int) else Tree.split(tree[0], *map(built, tree[1:]))


def nested(tree):
    """A tree of the package as nested tuples."""
    if tree is None or tree.value is None:
        return None
    made = {}
    for node in range(tree.n_nodes - 1, -1, -1):
        i, low, high = (int(of[node]) for of in (tree.variable, tree.low, tree.high))
        made[node] = int(tree.value[node]) if i < 0 else (i, made[low], made[high])
    return made[0]


def larger(a, b):
    """The rank of a tree whose subtrees have ranks a and b: `rho` of the chapter."""
    return a + 1 if a == b else max(a, b)


def one_more(a, b):
    """The depth of a tree whose subtrees have depths a and b: what rank is not."""
    return max(a, b) + 1


class Facts(NamedTuple):
    """A tree of 3 variables: its function, rank and leaves, the variables, and if it is reduced."""

    code: Any
    rank: Any
    leaves: Any
    variables: Any
    reduced: Any


@cache
def facts(tree):
    """What a nested tuple is, by recursion; -1 stands for what no tree has."""
    if tree is None:
        return Facts(-1, -1, -1, 0, True)
    if isinstance(tree, int):
        return Facts(255 * tree, 0, 1, 0, True)
    v, low, high = tree[0], facts(tree[1]), facts(tree[2])
    below = low.variables | high.variables
    return Facts(
        low.code & ~HIGH[v] | high.code & HIGH[v],
        larger(low.rank, high.rank),
        low.leaves + high.leaves,
        below | 1 << v,
        low.reduced and high.reduced and not below >> v & 1,
    )


@cache
def table(trees):
    """The facts of many trees, an array each."""
    return Facts(*(np.array(c) for c in zip(*(facts(tree) for tree in trees), strict=True)))


@cache
def labeled(n):
    """Of each labeled reduced tree of n <= 3 variables: its function, rank and nodes."""
    trees, bare = labeled_trees(n), trees_and_functions(n).trees
    rank, nodes = (np.array(a) for a in zip(*((t.rank, t.n_nodes) for t in bare), strict=True))
    return np.asarray(trees.code), rank[trees.tree], nodes[trees.tree]


def halves(seen, ones, columns=HIGH):
    """The informative variables, each with its two halves."""
    return [
        (v, (seen & ~high, ones & ~high), (seen & high, ones & high))
        for v, high in enumerate(columns)
        if seen & high and seen & ~high
    ]


@cache
def least_rank(seen, ones, columns=HIGH, join=larger, choose=min):
    """r(S) by the recursion on trees: the best root test, by the definition of rank."""
    if ones in (0, seen):
        return 0
    return choose(
        [
            join(*(least_rank(*half, columns, join, choose) for half in both))
            for _, *both in halves(seen, ones, columns)
        ]
    )


@dataclass(frozen=True)
class Procedure:
    """FIND(S, r) as the source writes it, or with a step spoiled.

    ``order`` sorts the informative variables.
    """

    second_try: bool = True
    order: Callable[[int, int, int], float] = lambda v, *_: v


AS_WRITTEN = Procedure()


@cache
def pseudo_code(seen, ones, r, how=AS_WRITTEN):
    """FIND(S, r) as the source writes it, on a pair of sets."""
    if ones in (0, seen):
        return int(ones > 0)
    if r == 0:
        return None
    turns = sorted(halves(seen, ones), key=lambda half: how.order(half[0], seen, ones))
    for v, *both in turns:
        found = [pseudo_code(*half, r - 1, how) for half in both]
        if found == [None, None]:
            continue
        if None in found and how.second_try:
            missing = found.index(None)
            found[missing] = pseudo_code(*both[missing], r, how)
        return None if None in found else (v, *found)
    return None


@dataclass(frozen=True)
class AllSamples:
    """The 6,560 samples: the sets ``seen`` and ``ones``, and the rank of each.

    ``rank`` and ``size`` are the least rank and the fewest leaves of a tree for a function that
    agrees with the sample, over all 256 functions.
    """

    seen: Ints
    ones: Ints
    rank: Ints
    size: Ints

    def pairs(self):
        return list(zip(self.seen.tolist(), self.ones.tolist(), strict=True))

    def arrays(self, k):
        """Sample k as (X, y)."""
        inside = np.flatnonzero((self.seen[k] >> np.arange(8)) & 1)
        return cube_points(3)[inside], (self.ones[k] >> inside) & 1

    def describe(self, k):
        """Sample k in words: points, as integers, and labels."""
        seen, ones = int(self.seen[k]), int(self.ones[k])
        return f"the sample { {x: ones >> x & 1 for x in range(8) if seen >> x & 1} }"


@cache
def all_samples():
    """Tabulate the samples, by the points seen, then by their labels."""
    pairs = [(seen, ones) for seen in range(1, 256) for ones in range(256) if ones & ~seen == 0]
    seen, ones = np.array(pairs, dtype=np.int64).T
    agrees = (np.arange(256) & seen[:, None]) == ones[:, None]
    best = optimal_all(3)
    rank, size = (np.where(agrees, of, 9).min(axis=1) for of in (best.rank, best.n_leaves))
    return AllSamples(seen, ones, rank.astype(np.int64), size.astype(np.int64))


def sample_and_bound(k):
    """A sample on the 3-cube and a bound, in words."""
    r, k = divmod(k, all_samples().seen.size)
    return f"bound {r}, {all_samples().describe(k)}"


@cache
def answers(rank):
    """What the package's `find` returns on every sample; None stands for `find_min`."""
    every = all_samples()
    samples = (every.arrays(k) for k in range(every.seen.size))
    if rank is None:
        return tuple(nested(chapter.find_min(X, y)) for X, y in samples)
    return tuple(nested(chapter.find(X, y, rank=rank)) for X, y in samples)


@cache
def written(r, how=AS_WRITTEN):
    """What the pseudo-code returns on every sample."""
    return tuple(pseudo_code(seen, ones, r, how) for seen, ones in all_samples().pairs())


def random_samples(n, count):
    """Samples (X, y) of distinct points with arbitrary labels, the same on every machine."""
    samples = []
    state = n
    for k in range(count):
        bits = []
        for _ in range(1 << n):
            state = (1103515245 * state + 12345) % (1 << 31)
            bits.append((state >> 16) & 3)
        kept = np.flatnonzero(np.array(bits) != k % 4)
        samples.append((cube_points(n)[kept], np.array(bits, dtype=np.int8)[kept] & 1))
    return samples


def sets_of(X, y):
    """The set of all examples, of those with label 1, and of those with x_i = 1 for each i."""
    ones, *columns = (sum(1 << k for k in np.flatnonzero(c).tolist()) for c in (y, *X.T))
    return (1 << len(y)) - 1, ones, tuple(columns)


@cache
def larger_samples():
    """Random samples of 4 to 6 variables: name, X, y, sets, the trees `find` has for 0 .. n."""
    made = []
    for n in (4, 5, 6):
        for k, (X, y) in enumerate(random_samples(n, 16)):
            trees = tuple(chapter.find(X, y, rank=r) for r in range(n + 1))
            made.append((f"random sample {k} of {n} variables", X, y, sets_of(X, y), trees))
    return tuple(made)


def backward_list(n):
    """The decision list x_(n-1), x_(n-2), ..., x_0, on 2n points.

    The points ``e_i`` and ``e_i + e_(i-1)`` have label i mod 2, and 0 has label 1. No other order
    will do, but that of the last two; so FIND tries all before the right one.
    """
    X, y = np.zeros((2 * n, n), dtype=np.int8), np.repeat(np.arange(n) % 2, 2)
    for i in range(n):
        X[2 * i : 2 * i + 2, i] = i > 0
        X[2 * i + 1, i - 1] |= i > 0
    X[0, 0], y[1] = 1, 1
    return X, y


@cache
def recorded_samples():
    """A part of the samples on the 3-cube, lists, parities, a caterpillar, and random samples."""
    every = all_samples()
    samples = [(every.describe(k), *every.arrays(k)) for k in range(0, every.seen.size, 37)]
    samples.append(("two points of one variable", np.array([[0], [1]]), np.array([0, 1])))
    samples += [(f"a decision list of {n} variables", *backward_list(n)) for n in (4, 6, 9, 12)]
    samples.append(("caterpillar(1)", cube_points(4), zoo.caterpillar(1).table))
    for n in (4, 5):
        samples.append((f"parity of {n}", cube_points(n), cube_points(n).sum(axis=1) % 2))
        samples += [
            (f"random sample {k}, n = {n}", X, y) for k, (X, y) in enumerate(random_samples(n, 6))
        ]
    return tuple(samples)


class Recorded(NamedTuple):
    """A recorded run: what to call it, its sample and the run."""

    name: str
    X: Any
    y: Any
    run: FindRun


@cache
def recorded():
    """Runs of FIND with the bounds 0 to 3, in this order for each sample."""
    return tuple(
        Recorded(f"FIND with bound {r} on {name}", X, y, chapter.find_run(X, y, rank=r))
        for name, X, y in recorded_samples()
        for r in BOUNDS
    )


class Calls(NamedTuple):
    """Every call of the recorded runs: its place there, its sub-sample, what it has and makes.

    ``informative`` are the variables that split its sub-sample, ``start`` those of the whole
    sample, ``tried`` those that it tries, sets of bits all; ``first`` and ``again`` count the calls
    it makes, with a smaller bound and with its own; ``below`` is the most informative variables
    that any of these has (-1 if there are none).
    """

    run: Ints
    call: Ints
    inside: Ints
    informative: Ints
    start: Ints
    tried: Ints
    first: Ints
    again: Ints
    below: Ints

    def name(self, k):
        return f"call {self.call[k]} of {recorded()[self.run[k]].name}"

    def of(self, column):
        runs = [of.run for of in recorded()]
        return np.concatenate([getattr(run, column) for run in runs])


@cache
def calls():
    """Count, for every recorded call, what it has and what it makes."""
    rows = []
    for place, (*_, run) in enumerate(recorded()):
        columns, inside = run.sample.columns, [run.sample.everything]
        for k in range(1, run.n_calls):
            column = columns[run.variable[k]]
            inside.append(inside[run.parent[k]] & (column if run.branch[k] else ~column))
        informative = [sum(1 << v for v, *_ in halves(S, 0, columns)) for S in inside]
        for k in range(run.n_calls):
            made = run.children(k)
            again = sum(bool(run.again[c]) for c in made)
            tried = sum({1 << int(run.variable[c]) for c in made})
            below = max((informative[c].bit_count() for c in made), default=-1)
            has = (place, k, inside[k], informative[k], informative[0])
            rows.append((*has, tried, len(made) - again, again, below))
    return Calls(*np.array(rows, dtype=np.int64).T)
