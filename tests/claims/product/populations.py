"""The finite worlds that the claims of chapter 3 are tried on: functions and trees under biases.

Nearly every bias is a dyadic fraction, so that probabilities on small cubes are exact in floating
point. Where bounds are compared, numbers within a billionth of each other count as equal.
"""

import itertools
from fractions import Fraction
from functools import cache, partial
from types import SimpleNamespace

import numpy as np

from claims import kit
from claims.kit import equality, rowwise
from claims.kit.populations import all_functions, name, trees_and_functions
from dtviz import product
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees import topdown
from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.boolean_trees.optimal import optimal

PAIRS = "pairs of a function and a measure"
TREES = "trees with functions and measures"
STEPS = "steps of greedy runs"

MORE = {"1% more": {"times": 1.01}}
"""The variant that a bound with equality must have."""

BIASES = (1 / 2, 1 / 64, 1 / 8, 1 / 4, 3 / 4, 15 / 16)
"""Every triple of these is a measure that inequalities between functions are tried under."""

MEASURES = ((1 / 2,) * 3, (1 / 8,) * 3, (1 / 64, 1 / 2, 3 / 4), (1 / 4, 1 / 2, 15 / 16))
"""The measures that all trees of three variables, and runs on all functions, are tried under."""

MIXED = MEASURES[2]


stated = partial(kit.claim, page="3-product")
bound = partial(kit.at_most, rounded=True)
bounds = partial(kit.bounds, rounded=True)


def under(p):
    """A measure in words: ``p = (1/64, 1/2, 3/4)``; ``p = 1/64, then 1/2`` if the rest is alike."""
    words = [str(Fraction(float(q)).limit_denominator(10_000)) for q in np.asarray(p)]
    if len(set(words)) == 1:
        return f"p = {words[0]}"
    alike = len(words) > 3 and len(set(words[1:])) == 1
    return f"p = {words[0]}, then {words[1]}" if alike else f"p = ({', '.join(words)})"


def agree(unit, left, right, where):
    """``left == right`` but for rounding; of arrays with several axes, a case is a row."""
    gap = np.asarray(left, float) - right
    gap = np.where(np.isclose(left, right, rtol=1e-12, atol=1e-13), 0, gap)
    return equality(unit, np.abs(gap).reshape(len(gap), -1).max(axis=1), where)


equal = partial(rowwise, agree)
"""A check of rows (found, expected, where): equal but for rounding in each."""


class Pairs(SimpleNamespace):
    """All functions of 3 variables under all measures of `BIASES`: one entry per pair.

    ``code``, biases ``p``, ``mean`` Pr[f = 1], ``variation``, influences ``flip``, ``resample``,
    ``depth`` D(f), and ``delta``, the least average depth under the measure.
    """

    def describe(self, k):
        k %= self.code.size
        return f"{name(3, int(self.code[k]))}, {under(self.p[k])}"

    def function(self, k):
        return BooleanFunction.from_int(3, int(self.code[k % self.code.size]))


def edges():
    """Which functions of 3 variables change at which point with which bit: ``(256, 8, 3)``."""
    table, x = all_functions(3).table, np.arange(8)
    return np.stack([table != table[:, x ^ (1 << i)] for i in range(3)], axis=2)


@cache
def pairs():
    """Tabulate them: 216 measures, 256 functions."""
    measures = [ProductDistribution(p) for p in itertools.product(BIASES, repeat=3)]
    w, p = np.array([mu.weights() for mu in measures]), np.repeat([mu.p for mu in measures], 256, 0)
    mean = (w @ all_functions(3).table.T.astype(float)).ravel()
    flip = np.einsum("fxi,mx->mfi", edges(), w).reshape(-1, 3)
    depth = np.tile(optimal_all(3).depth.astype(np.int64), len(w))
    delta = np.concatenate([optimal_all(3, mu).average_depth for mu in measures])
    every = Pairs(code=np.tile(np.arange(256), len(w)), p=p, mean=mean, flip=flip, depth=depth)
    every.delta, every.variation, every.resample = delta, 2 * mean * (1 - mean), spread(p) * flip
    return every


def of_pairs(left, right, *, use=None):
    """``left <= right`` for all functions of 3 variables under 216 measures; or some of them."""
    every, left, right = pairs(), np.atleast_2d(left), np.atleast_2d(right)
    use = np.arange(every.code.size) if use is None else np.flatnonzero(use)
    return bound(
        PAIRS,
        left[:, use],
        right[:, use],
        lambda k: every.describe(use[k % use.size]),
        example=lambda k: every.function(use[k % use.size]),
    )


def spread(p):
    """How much of flip influence resample influence is."""
    return 2 * np.asarray(p) * (1 - np.asarray(p))


CUBES = tuple(itertools.product((0, 1, 2), repeat=3))
"""The subcubes of 3 variables, 2 where a variable is free: what may come to a node of a tree."""
FREE = np.array(CUBES) == 2
INSIDE = np.array(
    [[all(b in (2, x >> i & 1) for i, b in enumerate(cube)) for x in range(8)] for cube in CUBES]
)


@cache
def cubes(p):
    """All functions at all subcubes, under one measure; ``mass`` is the weight of the subcube.

    ``error``, ``variation`` are ``(27, 256)`` and ``flip``, ``resample`` ``(27, 3, 256)``, each
    times the mass; ``delta`` is Delta of the restriction.
    """
    mu, x = ProductDistribution(p), np.arange(8)
    table = all_functions(3).table.astype(np.int64)
    to = np.tile(x, (27, 1))
    for c, i in itertools.product(range(27), range(3)):
        if (b := CUBES[c][i]) < 2:
            to[c] = to[c] & ~(1 << i) | b << i
    w = INSIDE * mu.weights()
    mass, ones = w.sum(axis=1)[:, None], w @ table.T
    flip = FREE[:, :, None] * np.einsum("fxi,cx->cif", edges(), w)
    return SimpleNamespace(
        mass=mass[:, 0],
        error=np.minimum(ones, mass - ones),
        variation=2 * ones * (mass - ones) / mass,
        flip=flip,
        resample=spread(p)[:, None] * flip,
        delta=optimal_all(3, mu).average_depth[(table[:, to] @ (1 << x)).T],
    )


@cache
def forest():
    """Of the 244 bare trees: which subcubes are leaves, and at which which variable is asked."""
    trees, place = trees_and_functions(3).trees, {cube: c for c, cube in enumerate(CUBES)}
    leaves, asks = np.zeros((len(trees), 27), int), np.zeros((len(trees), 27, 3), int)
    for k, tree in enumerate(trees):
        for path in tree.paths():
            for d in range(len(path) + 1):
                at = place[tuple(dict(path[:d]).get(i, 2) for i in range(3))]
                if d < len(path):
                    asks[k, at, path[d][0]] = 1
                else:
                    leaves[k, at] = 1
    return leaves, asks


def tree_where(k):
    """A case of ``(measures, 244, 256)``, in words."""
    measure, rest = divmod(k, 244 * 256)
    return f"{trees_and_functions(3).describe(*divmod(rest, 256))}, {under(MEASURES[measure])}"


def at_leaves(part, axis=None):
    """Sums over the leaves of every tree of what the subcubes have: ``(measures, 244, 256)``."""
    parts = [getattr(cubes(p), part) for p in MEASURES]
    return np.array([forest()[0] @ (a if axis is None else a.sum(axis)) for a in parts])


def run(label, f, *p):
    """The greedy run of a function; the last of the biases is that of all further bits, too.

    ``depth`` is D(f), ``delta`` Delta(f), ``max_delta`` the largest of a restriction.
    """
    mu = ProductDistribution([*p, *[p[-1]] * (f.n - len(p))])
    best, path = optimal(f, mu), topdown.build_top_down(f, mu)
    return SimpleNamespace(
        name=f"{label}, {under(mu.p)}",
        f=f,
        n=f.n,
        mu=mu,
        path=path,
        errors=path.errors,
        costs=path.costs,
        depth=best.depth,
        delta=best.average_depth,
        max_delta=best.max_average_depth,
    )


@cache
def vote(m, rare):
    """``x_0`` and a majority of m, ``x_0`` rarely 1 (claim LB-D)."""
    return run(f"x0 and majority of {m}", zoo.guarded(zoo.majority(m)), rare, 1 / 2)


def fair_address():
    """``x_0`` chooses one of two conjunctions of three bits."""
    x = np.arange(128)
    return BooleanFunction(7, np.where(x & 1, x >> 4 == 7, x >> 1 & 7 == 7).astype(np.int8))


@cache
def larger():
    """Runs on larger functions.

    A fair address of two conjunctions whose bits are mostly 1: both leaves are alike, so that the
    number of leaves counts. The last three come near the floors: late in a wasteful run, or for a
    large average depth. A conjunction attains Lemma C.1, with fair values it nearly attains
    ``err <= Vr``, with rare ones its total influence is nearly Delta D times the largest.
    """
    return (
        run("majority of 5", zoo.majority(5), 1 / 8),
        run("parity of 5", zoo.parity(5), 1 / 8),
        run("tribes(3, 2)", zoo.tribes(3, 2), 7 / 8),
        run("decision_list(7)", zoo.decision_list(7), 1 / 4),
        run("multiplexer(2)", zoo.multiplexer(2), 5 / 8),
        run("caterpillar(2)", zoo.caterpillar(2), 1 / 2),
        run("random(7, seed 1)", zoo.random(7, 1), 1 / 2),
        run("a fair address of two conjunctions", fair_address(), 1 / 2, 4 / 5),
        *(vote(m, rare) for m, rare in ((5, 1 / 16), (5, 1 / 20), (7, 1 / 64), (9, 1 / 100))),
        run("parity_multiplexer(3, 4)", zoo.parity_multiplexer(3, 4), 1 / 2),
        run("conjunction of 10", zoo.conjunction(10), 15 / 16),
        run("conjunction of 10", zoo.conjunction(10), 1 / 16),
    )


@cache
def runs():
    small = itertools.product(MEASURES, range(1, 255))
    of_three = (run(name(3, code), BooleanFunction.from_int(3, code), *p) for p, code in small)
    return (*of_three, *larger())


class Steps(SimpleNamespace):
    """The steps of all runs end to end: one entry per split made, as the split is chosen.

    ``step`` splits were made before; ``error``, ``variation`` (V), ``cost`` and ``next_cost`` are
    what is left at the leaves; ``depth``, ``delta``, ``max_delta``, ``n`` are of its function.
    """

    def describe(self, k):
        return f"{runs()[int(self.run[k])].name}, step {int(self.step[k])}"

    def function(self, k):
        return runs()[int(self.run[k])].f


@cache
def steps():
    lengths = [r.path.n_splits for r in runs()]
    parts = {
        "step": lambda r: np.arange(r.path.n_splits),
        "error": lambda r: r.errors[:-1],
        "variation": lambda r: product.path_variations(r.path)[:-1],
        "cost": lambda r: r.costs[:-1],
        "next_cost": lambda r: r.costs[1:],
        "score": lambda r: r.path.scores[:-1],
    }
    found = Steps(run=np.repeat(np.arange(len(lengths)), lengths))
    for key, part in parts.items():
        setattr(found, key, np.concatenate([part(r) for r in runs()]))
    for key in ("depth", "delta", "max_delta", "n"):
        setattr(found, key, np.repeat([getattr(r, key) for r in runs()], lengths))
    return found
