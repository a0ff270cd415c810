"""Chapter 1: a leaf by its definition, all leaves of small trees, and the cases nearest to bounds.

Small functions seldom come near a bound. Parities have the largest total influence for their size,
conjunctions a small variance, and iterated multiplexers no influential variable beyond what their
size forces.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.kit import Outcome, at_most
from claims.kit.populations import (
    EPSILONS,
    Run,
    all_functions,
    log2,
    name,
    runs,
    steps,
    trees_and_functions,
)
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.topdown import build_top_down

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Restriction = tuple[tuple[int, int], ...]
Counts = tuple[int, ...]

PAGE = "1-influence"
FOUR = "functions of 4 variables"
PAIRS = "pairs of a tree and a function"
STEPS = "steps of greedy runs"
STEP_AND_EPSILON = "pairs of a step and an epsilon"
SIZES = (2, 3, 4, 8, 16, 32, 64, 128, 1024)
GRID = tuple((s, epsilon) for s in (*SIZES, 1 << 64, 1 << 256) for epsilon in EPSILONS)
RUNNABLE = 20_000
"""Steps of a slowest fall that are taken one by one."""


def sharp(*given: Any, least: float = 1 - 1e-7, **more: Any) -> Outcome:
    """`at_most`, of a bound that some case uses up: one that none does is as wrong as a false one.

    So a form that drifts from what it states is seen on either side.
    """
    found = at_most(*given, **more)
    if found.used is not None and found.used < least:
        words = f"no case uses more than {found.used:.6g} of the bound"
        return replace(found, violations=found.cases, counterexample=words)
    return found


def function(code: int) -> BooleanFunction:
    """A function of 4 variables."""
    return BooleanFunction.from_int(4, int(code))


def at(k: int) -> str:
    """A pair of s and epsilon of `GRID`, in words."""
    return f"log2 s, epsilon = {math.log2(GRID[k][0]):.4g}, {GRID[k][1]}"


# -- by the definitions, in points -----------------------------------------------------------------


@cache
def at_leaf(f: BooleanFunction, path: Restriction) -> tuple[int, Counts]:
    """The error of a leaf, and for each variable where flipping it changes f, in points.

    A variable that was asked on the way has no influence.
    """
    x, table, asked = np.arange(1 << f.n), f.table, {i for i, _ in path}
    inside = np.logical_and.reduce([x >> i & 1 == b for i, b in path], axis=0) & (x >= 0)
    ones = int(table[inside].sum())
    changes = [int((inside & (table != table[x ^ (1 << i)])).sum()) for i in range(f.n)]
    own = tuple(0 if i in asked else found for i, found in enumerate(changes))
    return min(ones, int(inside.sum()) - ones), own


def lowest(counts: Counts) -> int:
    """The most influential variable, the lowest if some are tied."""
    return counts.index(max(counts))


def by_book(score: float, path: Restriction) -> tuple[Any, ...]:
    """Which leaf is split first: the highest score; then the shallowest, the leftmost."""
    return -score, len(path), [bit for _, bit in path]


def grown(
    f: BooleanFunction,
    choose: Callable[[Counts], int] = lowest,
    order: Callable[[float, Restriction], tuple[Any, ...]] = by_book,
) -> list[tuple[Restriction, int, int, int]]:
    """BuildTopDownDT to error 0 as it is written: each step rescans every leaf.

    Per step the leaf split, its variable; the error and the cost before the split, in points.
    """
    leaves, made = {(): at_leaf(f, ())}, []
    while error := sum(own for own, _ in leaves.values()):
        alive = {path: counts for path, (_, counts) in leaves.items() if any(counts)}
        split = min(alive, key=lambda path: order(max(alive[path]), path))
        variable = choose(alive[split])
        made.append((split, variable, error, sum(map(sum, alive.values()))))
        del leaves[split]
        for bit in (0, 1):
            child = (*split, (variable, bit))
            leaves[child] = at_leaf(f, child)
    return made


@cache
def followed() -> tuple[Run, ...]:
    """The runs followed by hand: tables of less than a word, of one, and of more."""
    return (*runs(3), *(run for run in runs(0) if run.f.n <= 8))


# -- every leaf of every tree ----------------------------------------------------------------------


@dataclass(frozen=True)
class Leaves:
    """The P leaves of all trees on 3 variables, for all functions of these.

    ``start`` is the first leaf of each tree, ``inside`` ``(P, 8)`` its points, ``changes`` ``(P, 3,
    256)`` counts those at which flipping a variable not asked changes f, ``ones`` those with f = 1.
    ``after`` is the tree that splits it on a variable, -1 if that was asked on the way.
    """

    tree: Ints
    start: Ints
    inside: npt.NDArray[np.bool_]
    changes: Ints
    ones: Ints
    after: Ints

    @property
    def mass(self) -> Ints:
        """How many points a leaf has, ``(P, 1)``."""
        return self.inside.sum(axis=1, keepdims=True)

    def where(self, place: int, code: int) -> str:
        """A leaf and a function, in words."""
        leaf = place - self.start[self.tree[place]]
        return f"leaf {leaf} of {trees_and_functions(3).describe(int(self.tree[place]), int(code))}"


def sensitive(n: int, i: int) -> npt.NDArray[np.bool_]:
    """Where flipping x_i changes each function of n variables."""
    table = all_functions(n).table
    return np.asarray(table != table[:, np.arange(1 << n) ^ (1 << i)])


@cache
def leaves() -> Leaves:
    """Tabulate them."""
    pairs, x = trees_and_functions(3), np.arange(8)
    tree = np.repeat(np.arange(len(pairs.trees)), pairs.n_leaves)
    start = np.cumsum(pairs.n_leaves) - pairs.n_leaves
    inside = pairs.leaf[tree] == (np.arange(tree.size) - start[tree])[:, None]
    number = {row.tobytes(): k for k, row in enumerate(pairs.leaf)}
    after = np.full((tree.size, 3), -1)
    for p, k in enumerate(tree.tolist()):
        for i in {0, 1, 2} - {i for i, _ in pairs.trees[k].paths()[p - start[k]]}:
            row = pairs.leaf[k] + (pairs.leaf[k] > p - start[k]) + (inside[p] & (x >> i & 1 == 1))
            after[p, i] = number[row.tobytes()]
    changes = np.stack([inside.astype(np.int64) @ sensitive(3, i).T for i in range(3)], axis=1)
    ones = inside.astype(np.int64) @ all_functions(3).table.T
    return Leaves(tree, start, inside, changes * (after >= 0)[:, :, None], ones, after)


# -- extremal functions ----------------------------------------------------------------------------


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
    for n in range(2, 201):
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
    leaves: Floats
    size: Floats
    epsilon: Floats
    names: tuple[str, ...]

    def describe(self, k: int) -> str:
        """A step and an epsilon, in words."""
        return f"{self.names[k]}, step {self.leaves[k] - 1:g}, epsilon {self.epsilon[k]:.4g}"


@cache
def floors() -> Floors:
    """Each step with the largest epsilon of Lemma 5.4, and with those of `EPSILONS` below it."""
    run = steps(3, 0)
    names = [run.runs[k].name for k in run.run]
    columns = [[run.cost, run.next_cost, run.score, run.step + 1.0, run.size + 0.0]]
    # A run on functions with no influential variable beyond need.
    path = build_top_down(iterated_multiplexer(2))
    number = np.arange(1.0, path.n_leaves)
    columns.append([path.costs[:-1], path.costs[1:], path.scores[:-1], number, 16 + 0 * number])
    names += ["multiplexer iterated 2 times"] * number.size
    # First splits: of all functions of 4 variables that differ in these numbers, and of families.
    every, known = all_functions(4), families()
    rows = np.stack([every.total_influence, every.max_influence, every.size], axis=1)
    rows, code = np.unique(rows, axis=0, return_index=True)
    names += [name(4, int(k)) for k in code[rows[:, 0] > 0]] + list(known.names)
    for total, most, size in (rows[rows[:, 0] > 0].T, (known.total, known.largest, known.size)):
        columns.append([total, total - most, most, np.ones(total.size), size])
    cost, next_cost, score, number, size = (
        np.concatenate(column) for column in zip(*columns, strict=True)
    )
    largest = largest_epsilon(cost, size)
    fits = [np.flatnonzero(other < largest) for other in EPSILONS]
    epsilon = np.concatenate([largest, np.repeat(EPSILONS, [len(found) for found in fits])])
    place = np.concatenate([np.arange(cost.size), *fits])
    columns = [column[place] for column in (cost, next_cost, score, number, size)]
    return Floors(*columns, epsilon, tuple(names[k] for k in place))


# -- runs, and the slowest fall --------------------------------------------------------------------


def log2_ratio(size: float, epsilon: float) -> float:
    """``E = log2(4s/eps)``, for sizes beyond all floats too."""
    return 2 + math.log2(size) - math.log2(epsilon)


def rate_of(size: float, epsilon: float) -> float:
    """``L = E log2 s``."""
    return log2_ratio(size, epsilon) * math.log2(size)


def all_runs() -> tuple[Run, ...]:
    """The greedy runs of all functions of 3 variables, and of the named ones."""
    return (*runs(3), *runs(0))


@cache
def long_runs() -> tuple[Run, ...]:
    """Runs that come near the ends of the phases, with those of `all_runs`."""
    made = [(f"parity of {n}", zoo.parity(n), 2**n) for n in range(6, 9)]
    made.append(("multiplexer iterated 2 times", iterated_multiplexer(2), 16))
    return (*all_runs(), *(Run(name, f, size, build_top_down(f)) for name, f, size in made))


def _phase_1(size: float, epsilon: float) -> tuple[float, float]:
    """``log2(k + 1)`` and ``C_k``, the first cost that is at most ``eps E``.

    ``C_k = log2 s prod_(j=1..k) (1 - 1/(jL))``.
    """
    a, start = 1 / rate_of(size, epsilon), math.log2(size)
    limit = epsilon * log2_ratio(size, epsilon)
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
