"""Chapter 1: a leaf by its definition, all leaves of small trees, and the cases nearest to bounds.

Small functions seldom come near a bound. Parities have the largest total influence for their size,
conjunctions a small variance, and iterated multiplexers no influential variable beyond what their
size forces.
"""

import math
from functools import cache, partial
from types import SimpleNamespace

import numpy as np

from claims.kit import at_most, bounds, claim
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
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees.topdown import build_top_down

FOUR = "functions of 4 variables"
PAIRS = "pairs of a tree and a function"
STEPS = "steps of greedy runs"
STEP_AND_EPSILON = "pairs of a step and an epsilon"
SIZES = (2, 3, 4, 8, 16, 32, 64, 128, 1024)
GRID = tuple((s, epsilon) for s in (*SIZES, 1 << 64, 1 << 256) for epsilon in EPSILONS)
ON_GRID = "pairs (s, epsilon)"
RUNNABLE = 20_000
"""Steps of a slowest fall that are taken one by one."""


stated = partial(claim, page="1-influence")
sharp = partial(at_most, tight=1 - 1e-7)
tight = partial(bounds, tight=1 - 1e-7)
"""A check of rows (left, right, where): ``left <= right`` in each, and some row uses it up."""


def function(code):
    """A function of 4 variables."""
    return BooleanFunction.from_int(4, int(code))


def of_four(left, right, **more):
    """``left <= right`` for all functions of 4 variables."""
    return sharp(FOUR, left, right, lambda k: name(4, k), example=function, **more)


def pair(k):
    """A tree on 3 variables and a function, in words."""
    return trees_and_functions(3).describe(*divmod(k, 256))


def tree_of(k):
    return trees_and_functions(3).trees[k // 256]


def of_pairs(left, right, **more):
    """``left <= right`` for all trees on 3 variables and functions."""
    return sharp(PAIRS, left, right, pair, example=tree_of, **more)


def at(k):
    """A pair of s and epsilon of `GRID`, in words."""
    return f"log2 s, epsilon = {math.log2(GRID[k][0]):.4g}, {GRID[k][1]}"


@cache
def at_leaf(f, path):
    """The error of a leaf, and for each variable where flipping it changes f, in points.

    A variable that was asked on the way has no influence.
    """
    x, table, asked = np.arange(1 << f.n), f.table, {i for i, _ in path}
    inside = np.logical_and.reduce([x >> i & 1 == b for i, b in path], axis=0) & (x >= 0)
    ones = int(table[inside].sum())
    changes = [int((inside & (table != table[x ^ (1 << i)])).sum()) for i in range(f.n)]
    own = tuple(0 if i in asked else found for i, found in enumerate(changes))
    return min(ones, int(inside.sum()) - ones), own


@cache
def followed():
    """The runs followed by hand: tables of less than a word, of one, and of more."""
    return (*runs(3), *(run for run in runs(0) if run.f.n <= 8))


def sensitive(n, i):
    """Where flipping x_i changes each function of n variables."""
    table = all_functions(n).table
    return table != table[:, np.arange(1 << n) ^ (1 << i)]


@cache
def leaves():
    """The P leaves of all trees on 3 variables, for all functions of these.

    ``start`` is the first leaf of each tree, ``inside`` ``(P, 8)`` its points, ``mass`` ``(P, 1)``
    how many, ``changes`` ``(P, 3, 256)`` counts those at which flipping a variable not asked
    changes f, ``ones`` those with f = 1. ``after`` is the tree that splits it on a variable, -1 if
    that was asked on the way.
    """
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
    return SimpleNamespace(
        tree=tree,
        start=start,
        inside=inside,
        mass=inside.sum(axis=1, keepdims=True),
        changes=np.stack([inside.astype(int) @ sensitive(3, i).T for i in range(3)], axis=1)
        * (after >= 0)[:, :, None],
        ones=inside.astype(int) @ all_functions(3).table.T,
        after=after,
        where=lambda p, f: f"leaf {p - start[tree[p]]} of {pairs.describe(int(tree[p]), int(f))}",
    )


@cache
def families():
    """Parities of up to 64 variables, conjunctions of up to 200, multiplexers iterated 4 times.

    Their numbers, one entry each; ``size`` is that of a tree, as a float.
    """
    rows = [(f"parity of {n}", 1.0, float(n), 1.0, 2.0**n) for n in range(1, 65)]
    for n in range(2, 201):
        mean = 2.0**-n
        rows.append((f"conjunction of {n}", 4 * mean * (1 - mean), 2 * n * mean, 2 * mean, n + 1.0))
    rows += [
        (f"multiplexer iterated {r} times", 1.0, 1.5**r, 0.5**r, 2.0 ** (2**r)) for r in range(1, 5)
    ]
    names, *numbers = zip(*rows, strict=True)
    variance, total, largest, size = map(np.array, numbers)
    return SimpleNamespace(names=names, variance=variance, total=total, largest=largest, size=size)


def iterated_multiplexer(times):
    """``multiplexer(1)`` with itself in place of each variable, ``times`` times (0: a literal).

    All its ``3^times`` variables are as influential as ``1/log2 s``, the least that its smallest
    tree, complete with ``s = 2^(2^times)`` leaves, allows.
    """
    f, n = zoo.dictator(1, 0), 1
    for _ in range(times):
        x = cube_points(3 * n).reshape(-1, 3, n)
        address, low, high = (f.table[x[:, block] @ (1 << np.arange(n))] for block in range(3))
        f, n = BooleanFunction(3 * n, np.where(address == 1, high, low)), 3 * n
    return f


def largest_epsilon(cost, size):
    """The largest epsilon, below 1/2, with ``epsilon log2(4 size/epsilon) <= cost``."""
    few, many = np.full(np.shape(cost), -1100.0), np.full(np.shape(cost), math.log2(0.4999))
    for _ in range(60):
        middle = (few + many) / 2
        fits = 2**middle * (2 + log2(size) - middle) <= cost
        few, many = np.where(fits, middle, few), np.where(fits, many, middle)
    return 2**few


@cache
def floors():
    """Steps with the largest epsilon of Lemma 5.4, and with those of `EPSILONS` below it.

    ``cost``, ``score``, ``next_cost`` are those of the step; ``leaves`` are there before it.
    """
    run, every, known = steps(3, 0), all_functions(4), families()
    columns = [(run.cost, run.next_cost, run.score, run.step + 1, run.size)]
    names = [run.runs[k].name for k in run.run]
    # A run on functions with no influential variable beyond need.
    path = build_top_down(iterated_multiplexer(2))
    number = np.arange(1, path.n_leaves)
    columns.append((path.costs[:-1], path.costs[1:], path.scores[:-1], number, 16 + 0 * number))
    names += ["multiplexer iterated 2 times"] * number.size
    # First splits: of all functions of 4 variables that differ in these numbers, and of families.
    rows = np.stack([every.total_influence, every.max_influence, every.size], axis=1)
    rows, code = np.unique(rows, axis=0, return_index=True)
    names += [name(4, int(k)) for k in code[rows[:, 0] > 0]] + list(known.names)
    for total, most, size in (rows[rows[:, 0] > 0].T, (known.total, known.largest, known.size)):
        columns.append((total, total - most, most, np.ones(total.size), size))
    columns = [np.concatenate(column).astype(float) for column in zip(*columns, strict=True)]
    largest = largest_epsilon(columns[0], columns[-1])
    fits = [np.flatnonzero(other < largest) for other in EPSILONS]
    epsilon = np.concatenate([largest, np.repeat(EPSILONS, [len(found) for found in fits])])
    place = np.concatenate([np.arange(largest.size), *fits])
    cost, next_cost, score, number, size = (column[place] for column in columns)
    rows = SimpleNamespace(cost=cost, next_cost=next_cost, score=score, leaves=number, size=size)
    rows.epsilon = epsilon
    rows.describe = lambda k: f"{names[place[k]]}, step {number[k] - 1:g}, epsilon {epsilon[k]:.4g}"
    return rows


def log2_ratio(size, epsilon):
    """``E = log2(4s/eps)``, for sizes beyond all floats too."""
    return 2 + math.log2(size) - math.log2(epsilon)


def rate_of(size, epsilon):
    """``L = E log2 s``."""
    return log2_ratio(size, epsilon) * math.log2(size)


def all_runs():
    """The greedy runs of all functions of 3 variables, and of the named ones."""
    return (*runs(3), *runs(0))


@cache
def long_runs():
    """Runs that come near the ends of the phases, with those of `all_runs`."""
    made = [(f"parity of {n}", zoo.parity(n), 2**n) for n in range(6, 9)]
    made.append(("multiplexer iterated 2 times", iterated_multiplexer(2), 16))
    return (*all_runs(), *(Run(name, f, size, build_top_down(f)) for name, f, size in made))


def slowest_fall(size, epsilon):
    """The base-2 logarithm of the leaves when the slowest fall that the lemmas allow has ended.

    From cost ``log2 s``, by the floor of Lemma 5.4 down to ``eps E``, as ``C_k = log2 s
    prod_(j=1..k) (1 - 1/(jL))``, then by that of Lemma 5.2, ``2 eps / ((j+1) log2 s)``, down to
    ``2 eps``.
    """
    a, bits = 1 / rate_of(size, epsilon), math.log2(size)
    limit = epsilon * log2_ratio(size, epsilon)
    fall = bits * np.cumprod(np.append(1.0, 1 - a / np.arange(1.0, RUNNABLE)))
    runs_out = fall[-1] > limit
    k = int((fall <= limit).argmax())
    cost = limit if runs_out else float(fall[k])
    # The sum of 1/(j+1) over the steps of phase 2 must reach this.
    needed = max(cost / (2 * epsilon) - 1, 0) * bits
    if runs_out:
        # prod (1 - a/j) = Gamma(k+1-a) / (Gamma(k+1) Gamma(1-a)), and the first two are k^-a.
        return ((math.log(bits / limit) - math.lgamma(1 - a)) / a + needed) / math.log(2)
    harmonic = (1 / np.arange(1.0, k + 1)).sum() + needed
    # H_m is ln(m + 1/2) + gamma, nearly.
    return float(np.logaddexp(harmonic - np.euler_gamma, math.log(0.5)) / math.log(2))
