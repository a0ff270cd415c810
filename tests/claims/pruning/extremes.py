"""Worlds as bad as the proofs about bottom-up pruning allow: every inequality they use just holds.

A noisy sample drawn at random is far from the worst case. Here both the sample and the truth are
chosen: the shares of errors that a proof compares are off by all but a thousandth of what Lemma
12.2 allows, nodes are seen half as often as they should be, as Lemma 12.4 allows, and gains lie
just below or above the penalty. Of other paths and trees nothing is asked, so what holds here holds
under less than the lemmas give. Every tree is a chain: each node has a leaf on its low side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

import numpy as np

from claims.pruning.cases import DELTA, World, counted
from dtviz import pruning
from dtviz.core.tree import Tree

__all__ = [
    "Logs",
    "exact_logs",
    "extremes",
    "paths_log",
    "reach_bound",
    "trees_log",
    "twigs",
]

ALMOST = 0.999
"""Deviations are this share of what is allowed."""
WEIGHT = 10**13
"""The weights of a truth add up to about this."""
TINY = 1e-300
"""A delta for which all logarithms but its own hardly matter."""
Cell = tuple[float, float, float, float]
"""A leaf: zeros and ones of the sample, and of the truth."""
Logs = Callable[[int, int, int], float]
"""From n, a depth and a size in leaves: ``ln |PATHS| + ln |TREES|``."""


@cache
def paths_log(n: int, depth: int) -> float:
    """``ln |PATHS(l)|`` from the exact number."""
    return math.log(pruning.count_paths(n, depth))


@cache
def trees_log(n: int, leaves: int) -> float:
    """``ln |TREES(s)|`` from the exact number."""
    return math.log(pruning.count_trees(n, 2 * leaves - 1))


def exact_logs(n: int, depth: int, leaves: int) -> float:
    """``ln |PATHS(l)| + ln |TREES(s)|`` from exact numbers."""
    return paths_log(n, depth) + trees_log(n, leaves)


def reach_bound(n: int, depth: int, m: int, delta: float) -> float:
    """q_l of Lemma 12.4."""
    return 12 / m * (paths_log(n, depth) + (depth + 1) * math.log(2) - math.log(delta))


def _chain(name: str, n: int, delta: float, low: list[Cell], bottom: Cell) -> World:
    """A chain that asks variable after variable, with the given leaves."""
    variable = [k // 2 if k % 2 == 0 else -1 for k in range(2 * len(low))] + [-1]
    tree = Tree(variable, np.zeros(len(variable), dtype=np.intp))
    table = np.zeros((len(variable), 4), dtype=np.intp)
    table[1 : 2 * len(low) : 2] = np.rint(low)
    table[-1] = np.rint(bottom)
    zeros, ones, true_zeros, true_ones = table.T
    none = np.zeros(len(variable), dtype=np.intp)
    sample = counted(tree, ones, zeros + ones, none, majority_labels=True)
    truth = counted(
        sample.given, true_ones, true_zeros + true_ones, sample.label, majority_labels=False
    )
    return World(f"{name}, n = {n}, m = {sample.m:.3g}, delta = {delta:g}", n, sample, truth, delta)


def _halves(seen: int, weight: float, gain: float, tree: float, leaf: float) -> tuple[Cell, Cell]:
    """A split in halves that says 0 and 1, gains so much on the sample, and what is true of it.

    ``tree`` and ``leaf`` are how much larger the true errors are, of the split and of a leaf.
    """
    half, mass = seen // 2, weight / 2
    ones, zeros = half // 4, round(half * (0.5 - gain))
    low, high = 0.25 + tree + leaf, 0.5 - gain + tree - leaf
    return (
        (half - ones, ones, mass * (1 - low), mass * low),
        (zeros, half - zeros, mass * high, mass * (1 - high)),
    )


# -- what seems better than it is ------------------------------------------------------------------

PLACES = tuple(product((2, 20), (DELTA, TINY), (10**8,)))
"""The n, delta and m of the twigs."""
TWISTS = tuple(product((-ALMOST, 0.0, ALMOST), repeat=2))


def twigs(c: float, logs: Logs = exact_logs) -> Iterator[World]:
    """A strong split, and below it a weak one whose gain is just above the penalty, or far off it.

    The penalty is ``c sqrt((logs + ln(m/delta)) / m_v)``; the twig, and the leaf in its place, are
    off by all but a thousandth of rho, to either side or not at all.
    """
    for n, delta, m in PLACES:
        seen = m // 2
        rest = math.log(m) - math.log(delta)
        rho = math.sqrt((exact_logs(n, 1, 2) + rest) / seen)
        alpha = c * math.sqrt((logs(n, 1, 2) + rest) / seen)
        for times, (tree, leaf) in product((ALMOST, 2 - ALMOST, 2.0), TWISTS):
            low, high = _halves(seen, WEIGHT / 2, times * alpha, tree * rho, leaf * rho)
            name = f"a twig that gains {times:g} alpha, off by {tree:g} rho, its leaf by {leaf:g}"
            strong: Cell = (0, seen, 0, WEIGHT / 2)
            yield _chain(name, n, delta, [strong, low], high)


# -- what is lost by cutting -----------------------------------------------------------------------


@cache
def extremes() -> tuple[tuple[World, float], ...]:
    """Worlds, each with the constant c for which it was made."""
    found: list[tuple[World, float]] = []
    for c, n, delta in product((2.0, 8.0, 32.0), (1, 10), (DELTA, TINY)):
        found.append((_stump(c, n, delta, 10**11), c))
    for c, cuts, delta in product((2.0, 32.0), (1, 3, 7, 15), (DELTA, TINY)):
        found.append((_seen_half(c, cuts, delta, 10**13), c))
    found += [(_rare(cuts, delta), 2.0) for cuts, delta in product((1, 5, 20), (0.5, DELTA))]
    return tuple(found)


def _stump(c: float, n: int, delta: float, m: int) -> World:
    """One split, cut for a gain just below the penalty; both its deviations hide what it is worth.

    In truth it gains all but ``(2 + c) rho``.
    """
    rho = math.sqrt((exact_logs(n, 0, 2) + math.log(m) - math.log(delta)) / m)
    low, high = _halves(m, WEIGHT, ALMOST * c * rho, -ALMOST * rho, ALMOST * rho)
    return _chain("a stump", n, delta, [low], high)


def _seen_half(c: float, cuts: int, delta: float, m: int) -> World:
    """Split after split, each cut for a gain just below the penalty.

    Nearly all of the truth comes by, but only half of the sample.
    """
    n, first, left, mass = cuts + 1, m // 2, m // 2, WEIGHT * 0.9999
    leaves: list[Cell] = [(0, first, WEIGHT - mass, WEIGHT * 1e-6)]
    # The least rho of the nodes that are cut is that of the first.
    noise = math.sqrt((exact_logs(n, 1, 2) + math.log(m) - math.log(delta)) / first)
    for level in range(1, cuts + 1):
        bits = exact_logs(n, level, 2) + math.log(m) - math.log(delta)
        share = ALMOST * c * math.sqrt(bits / left)
        # The last leaf is worth two deviations more than it seems.
        more = 2 * ALMOST * noise if level == cuts else 0.0
        leaves.append((0, left * share, 0, mass * (share + more)))
        left, mass = left - round(left * share), mass * (1 - share - more)
    wrong = ALMOST * noise * left
    bottom: Cell = (left - wrong, wrong, mass, 0)
    return _chain(f"{cuts} splits seen half as often", n, delta, leaves, bottom)


def _rare(cuts: int, delta: float) -> World:
    """A branch that comes up just as often as Lemma 12.4 must allow for, hardly seen at all."""
    n, m = cuts + 1, 10**10
    mass = ALMOST * reach_bound(n, cuts + 1, m, delta) * WEIGHT
    seen = 2 * cuts + 1
    leaves: list[Cell] = [(m - seen, 0, WEIGHT - mass, 0)]
    leaves += [(0, 1, 0, mass * 1e-4)] * cuts
    bottom: Cell = (cuts + 1, 0, mass * (1 - 1e-4 * cuts), 0)
    return _chain(f"{cuts} splits on a rare branch", n, delta, leaves, bottom)
