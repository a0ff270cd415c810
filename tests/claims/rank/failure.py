"""Chapter 2, learning: how likely it is that a tree learned from m examples is bad.

Nothing is simulated. On the 3-cube, what a learner outputs depends only on which points were seen,
and the probability of each set of points is a signed sum of 256 powers; so the probability of
failure is computed, for every target and for a family of distributions. Where the bounds are nearly
attained, with few heavy points, it is a short sum.
"""

import itertools
import math
from functools import cache, partial

import numpy as np

from claims.kit import at_most
from claims.kit.populations import name
from claims.rank.populations import all_samples, answers, table
from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.tolerances import ROUNDING

GOALS = ((0.3, 0.2), (0.2, 0.1), (0.1, 0.05))
"""Pairs (epsilon, delta)."""
RARE = ((0.1, 0.05), (0.01, 1e-30), (0.001, 1e-300))
"""Pairs with a small delta, of which the number of examples depends most on delta."""
SETS = np.arange(256)


def unlikely(trials):
    """All settings together: ln(1/delta) is to be at most ln(1/failure).

    Each of the trials has the logarithms of how likely learning fails in its settings, and may
    fail, and puts a setting into words.
    """
    failure, allowed = (np.concatenate([of[i] for of in trials]) for i in (0, 1))
    ends = np.cumsum([len(of) for of, *_ in trials])

    def describe(k):
        part = int(np.searchsorted(ends, k, side="right"))
        of, _, named = trials[part]
        words = named(k - int(ends[part]) + len(of))
        return f"by logarithms: failure {-failure[k]:.5g}, after {words}"

    unit = "targets, distributions and (epsilon, delta)"
    return at_most(unit, -allowed, np.maximum(-failure, 1e-9), describe)


@cache
def _distributions(epsilon):
    """Distributions on the 3-cube, and their masses in words.

    All with masses in halves, the uniform one, and some with points slightly above epsilon, where a
    hypothesis that errs on one of them is bad and yet likely to survive.
    """
    masses, words = [np.full(8, 1 / 8)], ["the uniform distribution"]
    for pair in itertools.combinations_with_replacement(range(8), 2):
        masses.append(np.bincount(pair, minlength=8) / 2)
        words.append(f"all mass on {sorted(set(pair))}")
    heavy = 1.05 * epsilon
    count = min(int(1 / heavy), 7)
    for points in list(itertools.combinations(range(8), count))[::4]:
        rest = min(set(range(8)) - set(points))
        mass = np.zeros(8)
        mass[list(points)] = heavy
        mass[rest] = 1 - count * heavy
        masses.append(mass)
        words.append(f"{heavy:g} on each of {list(points)}, the rest on {rest}")
    return np.array(masses), tuple(words)


def _sums(mass):
    """The probability of every set of points, for each distribution."""
    return mass @ ((SETS >> np.arange(8)[:, None]) & 1)


def seen_exactly(mass, m):
    """The probability that m examples show exactly a set of points, for every set.

    ``P(A)^m`` is the probability that all are in A; inclusion and exclusion does the rest.
    """
    exactly = _sums(mass) ** m
    for i in range(8):
        pairs = exactly.reshape(-1, 2, 1 << i)
        pairs[:, 1] -= pairs[:, 0]
    return np.clip(exactly, 0, 1)


def some_consistent(heavy):
    """Whether some bad function of rank at most 1 agrees with the target on the points seen."""
    member = optimal_all(3).rank <= 1
    # A bad function that differs from the target on D survives every set outside D.
    found = (heavy & member[SETS[:, None] ^ SETS])[:, ::-1].copy()
    for i in range(8):
        pairs = found.reshape(256, -1, 2, 1 << i)
        pairs[:, :, 0] |= pairs[:, :, 1]
    return found


@cache
def _output(rank):
    """``[target, seen]``: code and rank of the tree that FIND (FINDMIN for None) returns, or -1."""
    every, found = all_samples(), table(answers(rank))
    of_sample = np.full((2, 256, 256), -1)
    of_sample[:, every.seen, every.ones] = found.code, found.rank
    return of_sample[:, SETS, SETS[:, None] & SETS]


def _learned(rank, most, heavy):
    """Whether the tree that is output errs or has a rank above ``most``; none counts as well."""
    code, ranks = _output(rank)
    return np.asarray((code < 0) | (ranks > most) | heavy[SETS[:, None] ^ code])


LEARNERS = {(r, most): partial(_learned, r, most) for r in (1, 2, 3, None) for most in range(-1, 4)}
"""FIND with a bound, or FINDMIN, and the rank that is allowed."""


@cache
def _fails(bad, epsilon):
    """``[distribution, target, seen]``: whether learning fails."""
    masses, _ = _distributions(epsilon)
    return np.array([bad(heavy) for heavy in _sums(masses) > epsilon])


def on_the_cube(size, targets, *bad):
    """Every target with every distribution, the goals and the ways to fail.

    ``bad`` says which sets of points seen, per target, let learning fail, from the sets that are
    too heavy to err on.
    """
    failure, allowed, words = [], [], []
    for epsilon, delta in GOALS:
        m = size(epsilon, delta)
        masses, called = _distributions(epsilon)
        exactly = seen_exactly(masses, m)[:, :, None]
        for fails in bad:
            chance = (_fails(fails, epsilon)[:, targets].astype(float) @ exactly).ravel()
            failure.append(np.log(np.where(chance < ROUNDING, 1e-300, np.minimum(chance, 1))))
            allowed.append(np.full(chance.size, math.log(delta)))
            words += [f"epsilon {epsilon:g} and {of} after {m:,} examples" for of in called]

    def describe(k):
        row, column = divmod(k, targets.size)
        return f"{name(3, int(targets[column]))} with {words[row]}"

    return np.concatenate(failure), np.concatenate(allowed), describe


def of_rank(rank):
    """The functions of 3 variables of rank at most ``rank``, by their codes."""
    return np.flatnonzero(optimal_all(3).rank <= rank)


def neighbors(size, error=1):
    """Lemma 4 at its tightest: F holds the functions that differ from f at one of N heavy points.

    Each has mass 1/N, just above epsilon. Some function of F is consistent if some point is unseen,
    which has the probability ``sum_j (-1)^(j+1) C(N, j) (1 - j/N)^m``. ``error`` times epsilon is
    the error that is called bad.
    """
    rows = []
    for epsilon, delta in itertools.product((0.1, 0.01, 0.001), (0.2, 0.05, 1e-6, 1e-30)):
        count = math.ceil(1 / (error * epsilon)) - 1
        m = size(count, epsilon, delta)
        words = f"{m:,} examples with epsilon {epsilon:g}, |F| = {count}"
        rows.append((some_unseen(count, 1 / count, m), math.log(delta), words))
    failure, allowed, words = zip(*rows, strict=True)
    return failure, allowed, words.__getitem__


def some_unseen(count, mass, m):
    """The logarithm of the chance that m examples miss some of so many points of a mass.

    Where many are missed, no more points are looked at than make one miss on average: a lower
    bound, near 2/3, which keeps the signed sum from canceling.
    """
    one = m * math.log1p(-mass)
    count = min(count, max(1, math.floor(math.exp(-one)))) if one > -700 else count
    terms = [0.0]
    for j in range(1, min(count, 60) + 1):
        if j * mass < 1:
            ways = math.log(math.comb(count, j))
            terms.append((-1) ** (j + 1) * math.exp(ways + m * math.log1p(-j * mass) - one))
    return one + math.log(math.fsum(terms))


@cache
def _wrong_after_one():
    """``[target, point]``: the set of points on which FIND or FINDMIN errs after that example."""
    wrong = np.zeros((256, 8), dtype=np.int64)
    for rank in (1, 2, None):
        output = _output(rank)[0][:, 1 << np.arange(8)]
        wrong |= np.where(output < 0, 255, output ^ SETS[:, None])
    return wrong


def two_points(size, targets):
    """A point of mass just above epsilon, the rest on another: fails if the first is never seen."""
    failure, allowed, words = [], [], []
    for epsilon, delta in RARE:
        m = size(epsilon, delta)
        never = m * math.log1p(-(1 + 1e-9) * epsilon)
        a, b = np.arange(8)[:, None], np.arange(8)
        wrong = (_wrong_after_one()[targets][:, None, :] >> a & 1) & (a != b)
        failure.append(np.where(wrong, never, -1e6).ravel())
        allowed.append(np.full(wrong.size, math.log(delta)))
        words.append(f"{m:,} examples with mass {epsilon:g} = epsilon on point")

    def describe(k):
        goal, case = divmod(k, 64 * targets.size)
        return f"{words[goal]} {case // 8 % 8} of {name(3, int(targets[case // 64]))}"

    return np.concatenate(failure), np.concatenate(allowed), describe
